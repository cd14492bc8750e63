//! `CKKeyedAnimation` (`docs/formats/classes/animations.md#ckkeyedanimation`).

use super::{
    animation::Animation,
    fresh::{Fresh, Host},
    object_animation::ObjectAnimation,
};
use crate::codec::{Array, Codec, Coded, Layout, Reference, Saved, field, group};
use spelunk_core::Ty;
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/animations.md#ckkeyedanimation";

/// An animation of keys.
#[derive(Clone, Debug, Default)]
pub struct KeyedAnimation {
    /// State of the base class.
    pub animation: Animation,
    /// The animations of single objects of which it consists.
    pub animations: Option<Array<U32>>,
    /// Outside file mode: the animations of single objects with what they saved.
    pub parts: Option<Vec<AnimationPart>>,
    /// Of which two it was made.
    pub merge: Option<Merge>,
}

/// An animation of a single object, with its saved state.
#[derive(Clone, Debug, Default)]
pub struct AnimationPart {
    /// The animation of a single object.
    pub animation: Reference,
    /// State that the animation saved.
    pub value: Option<Box<Saved<ObjectAnimation>>>,
}

/// Merge of two animations into one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Merge {
    /// Not 0 where it was.
    pub merged: i32,
    /// Share of the second animation, from 0 to 1.
    pub factor: f32,
}

impl Layout for KeyedAnimation {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.animation.layout(c)?;
        c.section(
            0x1000,
            group!("animations", "Of which it consists."),
            &mut self.animations,
            |c, all| c.objects(field!("animations", Ty::U32, "Of single objects."), all),
        )?;
        let inside = !c.header().file_mode;
        if c.when(inside, "outside file mode") {
            let record = group!("parts", "Of which it consists, with what they saved.");
            c.section(0x20_0000, record, &mut self.parts, |c, parts| {
                let field = field!("count", Ty::U32, "How many follow.");
                c.counted(field, group!("parts", "One by one."), parts, |c, part| {
                    let AnimationPart { animation, value } = part;
                    c.object(field!("animation", Ty::U32, "Of a single object."), animation)?;
                    c.sub_chunk(group!("value", "What it saved."), value)
                })
            })?;
        }
        c.section(
            0x10_0000,
            group!("merge", "Whether it was made of two."),
            &mut self.merge,
            |c, Merge { merged, factor }| {
                c.item(field!("merged", Ty::I32, "Not 0 where it was."), merged)?;
                c.item(field!("factor", Ty::F32, "How much of the second one."), factor)
            },
        )
    }
}

impl Fresh for KeyedAnimation {
    fn fresh(host: &Host) -> KeyedAnimation {
        KeyedAnimation {
            animation: Fresh::fresh(host),
            animations: Some(Array::new()),
            merge: Some(Merge { merged: 0, factor: 0.5 }),
            parts: None,
        }
    }
}
