//! `CKCharacter` (`docs/formats/classes/entities.md#ckcharacter`).

use super::{
    entity_3d::Entity3d,
    fresh::{Fresh, Host},
};
use crate::codec::{Array, Codec, Coded, Layout, field, group};
use spelunk_core::Ty;
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/entities.md#ckcharacter";

/// Body parts that are animated together.
#[derive(Clone, Debug, Default)]
pub struct Character {
    /// What its base class saves.
    pub entity: Entity3d,
    /// The body parts; from data version 5 on.
    pub body_parts: Option<Array<U32>>,
    /// How it moves; from data version 5 on.
    pub data: Option<CharacterData>,
}

/// How a character moves.
#[derive(Clone, Debug, Default)]
pub struct CharacterData {
    /// Its animations; in file mode only.
    pub animations: Option<Array<U32>>,
    /// Four: the animation that runs, the one that is next, the body part that carries the others, and what stands
    /// on the floor.
    pub references: Array<U32>,
}

impl Layout for Character {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.entity.layout(c)?;
        let known = c.version() >= 5;
        if !c.when(known, "data version 5 and later") {
            return Ok(());
        }
        c.section(
            0x40_0000,
            group!("body_parts", "The body parts."),
            &mut self.body_parts,
            |c, parts| c.objects(field!("body_parts", Ty::U32, "The body parts."), parts),
        )?;
        c.section(0xFFC0_0000, group!("character", "How it moves."), &mut self.data, |c, data| {
            let CharacterData { animations, references } = data;
            let file_mode = c.header().file_mode;
            if c.when(file_mode, "in file mode") {
                let field = field!("animations", Ty::U32, "Its animations.");
                c.objects(field, animations.get_or_insert_default())?;
            }
            let field = field!(
                "references",
                Ty::U32,
                "Running animation, next animation, root body part, floor reference."
            );
            c.parallel(field, references)
        })
    }
}

impl Fresh for Character {
    fn fresh(host: &Host) -> Character {
        // What runs, what runs next, the root body part, the floor.
        let references = vec![U32::new(host.null().value); 4].into();
        Character {
            entity: Fresh::fresh(host),
            body_parts: Some(Array::new()),
            data: Some(CharacterData { animations: Some(Array::new()), references }),
        }
    }
}
