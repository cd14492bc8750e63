//! `CKAnimation` (`docs/formats/classes/animations.md#ckanimation`).

use super::{
    fresh::{Fresh, Host},
    object::Object,
};
use crate::{
    codec::{Array, Codec, Coded, Layout, Reference, field, group},
    codes,
};
use spelunk_core::{Error, Ty};
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/animations.md#ckanimation";

/// Names of the flags of [`Rate::Modern`].
pub const FLAGS: &[(u32, &str)] = &[
    (0x1, "linked to frame rate"),
    (0x4, "can be broken"),
    (0x8, "allow turn"),
    (0x10, "align orientation"),
    (0x40, "sorted"),
];

/// An animation.
#[derive(Clone, Debug, Default)]
pub struct Animation {
    /// State that every object saves.
    pub object: Object,
    /// Speed of the animation.
    pub rate: Option<Rate>,
    /// Length in frames.
    pub length: Option<f32>,
    /// Root of what the animation moves.
    pub root: Option<AnimationRoot>,
    /// The character that it belongs to.
    pub character: Option<Reference>,
    /// Current step, in frames.
    pub current_step: Option<f32>,
}

/// Speed of an animation. The two differ in their stored lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// Two dwords.
    Modern {
        /// [`FLAGS`].
        flags: u32,
        /// Frames in a second.
        frame_rate: f32,
    },
    /// Three dwords.
    Old {
        /// Not 0: it can be broken.
        interruptible: i32,
        /// Not 0: it is linked to the frame rate.
        linked: i32,
        /// Frames in a second.
        frame_rate: f32,
    },
}

impl Default for Rate {
    fn default() -> Rate {
        Rate::Modern { flags: 0, frame_rate: 0.0 }
    }
}

/// Root of what an animation moves.
#[derive(Clone, Debug, Default)]
pub struct AnimationRoot {
    /// Empty.
    pub entities: Array<U32>,
    /// The entity that carries the others.
    pub root: Reference,
}

impl Layout for Animation {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)?;
        c.section(0x10, group!("rate", "How fast it runs."), &mut self.rate, rate)?;
        c.section(0x40, group!("length", "How long it is."), &mut self.length, |c, length| {
            c.item(field!("length", Ty::F32, "How long it is.", unit("frames")), length)
        })?;
        c.section(0x80, group!("root", "What it moves."), &mut self.root, |c, value| {
            let AnimationRoot { entities, root } = value;
            c.objects(field!("entities", Ty::U32, "Empty."), entities)?;
            c.object(field!("root", Ty::U32, "What carries the others."), root)
        })?;
        c.section(0x100, group!("character", "Its owner."), &mut self.character, |c, owner| {
            c.object(field!("character", Ty::U32, "What it belongs to."), owner)
        })?;
        c.section(0x200, group!("step", "Where it is."), &mut self.current_step, |c, step| {
            c.item(field!("current_step", Ty::F32, "Where it is.", unit("frames")), step)
        })
    }
}

fn rate<C: Codec>(c: &mut C, value: &mut Rate) -> Coded<C> {
    let is_old = matches!(value, Rate::Old { .. });
    // Engines go by the size, and pass over another one.
    if !c.detect("frame_rate", true, |words| matches!(words.len(), 2 | 3)) {
        let error = Error::new(&codes::LAYOUT).field("frame_rate");
        return Err(error.expected("2 or 3 dwords").into());
    }
    let old = c.detect("interruptible", is_old, |words| words.len() == 3);
    if old && !is_old {
        *value = Rate::Old { interruptible: 0, linked: 0, frame_rate: 0.0 };
    }
    let frame_rate = match value {
        Rate::Modern { flags, frame_rate } => {
            c.item(field!("flags", Ty::Word, "How it runs.", bits(FLAGS)), flags)?;
            frame_rate
        }
        Rate::Old { interruptible, linked, frame_rate } => {
            let field = field!("interruptible", Ty::I32, "Not 0: it can be broken.");
            c.item(field, interruptible)?;
            let field = field!("linked", Ty::I32, "Not 0: linked to the frame rate.");
            c.item(field, linked)?;
            frame_rate
        }
    };
    c.item(field!("frame_rate", Ty::F32, "Frames in a second."), frame_rate)
}

/// The bits of flags that the animation of real files has.
const LINKED: u32 = 0x1;
const CAN_BE_BROKEN: u32 = 0x4;

/// Frames of a new animation.
pub(super) const LENGTH: f32 = 100.0;

impl Fresh for Animation {
    fn fresh(host: &Host) -> Animation {
        Animation {
            object: Object::default(),
            rate: Some(Rate::Modern { flags: LINKED | CAN_BE_BROKEN, frame_rate: 30.0 }),
            length: Some(LENGTH),
            root: Some(AnimationRoot { root: host.null(), ..AnimationRoot::default() }),
            character: Some(host.null()),
            current_step: Some(0.0),
        }
    }
}
