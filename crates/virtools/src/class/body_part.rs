//! `CKBodyPart` (`docs/formats/classes/entities.md#ckbodypart`).

use super::{
    entity_3d::{Entity3d, IK_JOINT, VECTOR},
    fresh::{Fresh, Host},
};
use crate::codec::{Codec, Coded, Layout, Reference, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/entities.md#ckbodypart";

/// A part of a character.
#[derive(Clone, Debug, Default)]
pub struct BodyPart {
    /// What its base class saves.
    pub entity: Entity3d,
    /// What it belongs to; from data version 5 on.
    pub data: Option<BodyPartData>,
}

/// What a body part belongs to.
#[derive(Clone, Debug, Default)]
pub struct BodyPartData {
    /// The character.
    pub character: Reference,
    /// How it turns, where the flags of the entity have [`IK_JOINT`].
    pub joint: Option<Joint>,
}

/// How a joint turns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Joint {
    /// Flags of the joint.
    pub flags: u32,
    /// The smallest angle around each axis.
    pub min: [f32; 3],
    /// The largest angle around each axis.
    pub max: [f32; 3],
    /// How stiff it is around each axis.
    pub damping: [f32; 3],
}

impl Layout for BodyPart {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.entity.layout(c)?;
        let flags = self.entity.data.as_ref().map(|data| data.flags).unwrap_or_default();
        let known = c.version() >= 5;
        if !c.when(known, "data version 5 and later") {
            return Ok(());
        }
        c.section(0x400_0000, group!("body_part", "Its character."), &mut self.data, |c, data| {
            c.object(field!("character", Ty::U32, "What it is a part of."), &mut data.character)?;
            if !c.when(flags & IK_JOINT != 0, "entities with a joint") {
                return Ok(());
            }
            let Joint { flags, min, max, damping } = data.joint.get_or_insert_default();
            c.item(field!("flags", Ty::Word, "Flags of the joint."), flags)?;
            c.item(field!("min", VECTOR, "Smallest angles."), min)?;
            c.item(field!("max", VECTOR, "Largest angles."), max)?;
            c.item(field!("damping", VECTOR, "How stiff it is."), damping)
        })
    }
}

impl Fresh for BodyPart {
    fn fresh(host: &Host) -> BodyPart {
        let data = Some(BodyPartData { character: host.null(), joint: None });
        BodyPart { entity: Fresh::fresh(host), data }
    }
}
