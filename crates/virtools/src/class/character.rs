//! `CKCharacter` (`docs/formats/classes/entities.md#ckcharacter`).

use super::{
    body_part::BodyPart,
    entity_3d::Entity3d,
    fresh::{Fresh, Host},
    renew::{Old, Renew, Renewed},
};
use crate::codec::{Array, Codec, Coded, Layout, Reference, Saved, field, group};
use spelunk_core::{Field, Ty};
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/entities.md#ckcharacter";

/// Body parts that are animated together.
#[derive(Clone, Debug, Default)]
pub struct Character {
    /// State saved by the base class, CK3dEntity.
    pub entity: Entity3d,
    /// The body parts; below data version 5 in file mode only.
    pub body_parts: Option<Array<U32>>,
    /// Animations and body parts; from data version 5 on.
    pub data: Option<CharacterData>,
    /// Saved state of each body part; from data version 5 on, outside file mode.
    pub saved_parts: Option<Vec<Option<Box<Saved<BodyPart>>>>>,
    /// Below data version 5, in file mode: its animations.
    pub old_animations: Option<OldAnimations>,
    /// Below data version 5, outside file mode: the animations that run.
    pub old_running: Option<OldRunning>,
    /// Below data version 5, outside file mode: the body parts with what they saved.
    pub old_parts: Option<Vec<OldPart>>,
    /// Below data version 5: the body part that carries the others; the first child where it is missing.
    pub old_root: Option<Reference>,
    /// Below data version 5: what stands on the floor.
    pub old_floor: Option<Reference>,
}

/// Animations and body parts of a character.
#[derive(Clone, Debug, Default)]
pub struct CharacterData {
    /// Animations; in file mode only.
    pub animations: Option<Array<U32>>,
    /// Four: the animation that runs, the one that is next, the body part that carries the others, and what stands
    /// on the floor.
    pub references: Array<U32>,
}

/// The animations of a character, below data version 5 and in file mode.
#[derive(Clone, Debug, Default)]
pub struct OldAnimations {
    /// All of them.
    pub animations: Array<U32>,
    /// The one that runs.
    pub active: Reference,
    /// The one that is next.
    pub next: Reference,
}

/// The animations that run, below data version 5 and outside file mode.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OldRunning {
    /// Passed over by engines.
    pub ignored: u32,
    /// The one that runs.
    pub active: Reference,
    /// The one that is next.
    pub next: Reference,
}

/// A body part with what it saved, below data version 5 and outside file mode.
#[derive(Clone, Debug, Default)]
pub struct OldPart {
    /// The body part.
    pub part: Reference,
    /// State that the body part saved.
    pub saved: Option<Box<Saved<BodyPart>>>,
}

impl Layout for Character {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.entity.layout(c)?;
        let old = c.version() < 5;
        let there = !old || c.header().file_mode;
        if c.when(there, "data version 5 and later, or in file mode") {
            let record = group!("body_parts", "The body parts.");
            c.section(0x40_0000, record, &mut self.body_parts, |c, parts| {
                c.objects(field!("body_parts", Ty::U32, "The body parts."), parts)
            })?;
        }
        if c.when(!old, "data version 5 and later") {
            self.modern(c)?;
        }
        if c.when(old, "data version below 5") {
            self.old(c)?;
        }
        Ok(())
    }
}

impl Character {
    /// Sections from data version 5 on.
    fn modern<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.section(0xFFC0_0000, group!("character", "How it moves."), &mut self.data, |c, data| {
            let CharacterData { animations, references } = data;
            let file_mode = c.header().file_mode;
            if c.when(file_mode, "in file mode") {
                c.objects(all_animations(), animations.get_or_insert_default())?;
            }
            let field = field!(
                "references",
                Ty::U32,
                "Running animation, next animation, root body part, floor reference."
            );
            c.parallel(field, references)
        })?;
        let alone = !c.header().file_mode;
        if !c.when(alone, "outside file mode") {
            return Ok(());
        }
        let record = group!("saved_parts", "What each body part saved.");
        c.section(0x1000_0000, record, &mut self.saved_parts, |c, parts| {
            c.sub_chunks(group!("parts", "One for each body part."), parts)
        })
    }

    /// Sections below data version 5.
    fn old<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        let file_mode = c.header().file_mode;
        if c.when(file_mode, "in file mode") {
            c.section(
                0x100_0000,
                group!("old_animations", "Its animations, below data version 5."),
                &mut self.old_animations,
                |c, OldAnimations { animations, active, next }| {
                    c.objects(all_animations(), animations)?;
                    running(c, active, next)
                },
            )?;
        }
        if c.when(!file_mode, "outside file mode") {
            c.section(
                0x400_0000,
                group!("old_running", "The animations that run, below data version 5."),
                &mut self.old_running,
                |c, OldRunning { ignored, active, next }| {
                    c.item(field!("ignored", Ty::Word, "Passed over by engines."), ignored)?;
                    running(c, active, next)
                },
            )?;
            c.section(
                0x1000_0000,
                group!("old_parts", "The body parts with what they saved."),
                &mut self.old_parts,
                |c, parts| {
                    c.counted(
                        field!("count", Ty::U32, "How many follow."),
                        group!("parts", "The body parts."),
                        parts,
                        |c, OldPart { part, saved }| {
                            c.object(field!("part", Ty::U32, "The body part."), part)?;
                            c.sub_chunk(group!("saved", "What the body part saved."), saved)
                        },
                    )
                },
            )?;
        }
        let record = group!("old_root", "What carries the body parts, below data version 5.");
        c.section(0x200_0000, record, &mut self.old_root, |c, root| {
            c.object(field!("root", Ty::U32, "The body part that carries the others."), root)
        })?;
        let record = group!("old_floor", "What stands on the floor, below data version 5.");
        c.section(0x2000_0000, record, &mut self.old_floor, |c, floor| {
            c.object(field!("floor", Ty::U32, "The floor reference."), floor)
        })
    }
}

fn all_animations() -> &'static Field {
    field!("animations", Ty::U32, "Its animations.")
}

fn running<C: Codec>(c: &mut C, active: &mut Reference, next: &mut Reference) -> Coded<C> {
    c.object(field!("active", Ty::U32, "The animation that runs."), active)?;
    c.object(field!("next", Ty::U32, "The animation that is next."), next)
}

impl Fresh for Character {
    fn fresh(host: &Host) -> Character {
        // What runs, what runs next, the root body part, the floor.
        let references = vec![U32::new(host.null().value); 4].into();
        Character {
            entity: Fresh::fresh(host),
            body_parts: Some(Array::new()),
            data: Some(CharacterData { animations: Some(Array::new()), references }),
            ..Character::default()
        }
    }
}

impl Renew for Character {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.entity.renew(old)?;
        let running = self.old_animations.is_some() || self.old_running.is_some();
        let others = self.old_root.is_some() || self.old_floor.is_some();
        if running || others || self.old_parts.is_some() {
            return Err("its animations and references are in sections of their own");
        }
        Ok(())
    }
}
