//! `CKBodyPart` (`docs/formats/classes/entities.md#ckbodypart`).

use super::{
    entity_3d::{Entity3d, IK_JOINT},
    fresh::{Fresh, Host},
    renew::{Old, Renew, Renewed},
    vector::VECTOR,
};
use crate::codec::{Codec, Coded, Layout, Reference, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/entities.md#ckbodypart";

/// A part of a character.
#[derive(Clone, Debug, Default)]
pub struct BodyPart {
    /// State of the base class.
    pub entity: Entity3d,
    /// Joint, below data version 5.
    pub old_joint: Option<OldJoint>,
    /// Character and joint of the body part.
    pub data: Option<BodyPartData>,
}

/// Character and joint of a body part.
#[derive(Clone, Debug, Default)]
pub struct BodyPartData {
    /// The character.
    pub character: Reference,
    /// Joint, where the flags of the entity have [`IK_JOINT`]; from data version 5 on.
    pub joint: Option<Joint>,
}

/// Rotation of a joint and its limits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Joint {
    /// Flags of the joint.
    pub flags: u32,
    /// The smallest angle around each axis.
    pub min: [f32; 3],
    /// The largest angle around each axis.
    pub max: [f32; 3],
    /// Damping around each axis.
    pub damping: [f32; 3],
}

/// Rotation of a joint and its limits, below data version 5. For each axis a number that is not 0 stands for a flag.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OldJoint {
    /// Size of what follows in bytes: 72.
    pub size: u32,
    /// The flags 0x1 and up: around which axes it turns.
    pub active: [f32; 3],
    /// The flags 0x10 and up: around which axes there is a limit.
    pub limited: [f32; 3],
    /// The flags 0x100 and up: around which axes it slows down before the limit.
    pub eased: [f32; 3],
    /// The smallest angle around each axis.
    pub min: [f32; 3],
    /// The largest angle around each axis.
    pub max: [f32; 3],
    /// Damping around each axis.
    pub damping: [f32; 3],
}

/// The flags of a joint.
pub const JOINT_FLAGS: &[(u32, &str)] = &[
    (0x001, "active x"),
    (0x002, "active y"),
    (0x004, "active z"),
    (0x010, "limited x"),
    (0x020, "limited y"),
    (0x040, "limited z"),
    (0x100, "eased x"),
    (0x200, "eased y"),
    (0x400, "eased z"),
];

impl OldJoint {
    /// The flags that engines make of it. They shift by one less than the number of the axis: x sets bit 31 in place of
    /// the first flag, and no flag of the others.
    pub fn flags(&self) -> u32 {
        let [x, y, z] = self.active;
        let [_, limited_y, limited_z] = self.limited;
        let [_, eased_y, eased_z] = self.eased;
        let flags = [
            (x, 1 << 31),
            (y, 0x1),
            (z, 0x2),
            (limited_y, 0x10),
            (limited_z, 0x20),
            (eased_y, 0x100),
            (eased_z, 0x200),
        ];
        let set = flags.into_iter().filter(|(number, _)| *number != 0.0);
        set.fold(0, |flags, (_, flag)| flags | flag)
    }
}

impl Layout for BodyPart {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.entity.layout(c)?;
        let flags = self.entity.data.as_ref().map(|data| data.flags).unwrap_or_default();
        let old = c.version() < 5;
        if c.when(old, "data version below 5") {
            let record = group!("old_joint", "How it turns, below data version 5.");
            c.section(0x100_0000, record, &mut self.old_joint, old_joint)?;
        }
        c.section(0x400_0000, group!("body_part", "Its character."), &mut self.data, |c, data| {
            c.object(field!("character", Ty::U32, "What it is a part of."), &mut data.character)?;
            let has_joint = !old && flags & IK_JOINT != 0;
            if !c.when(has_joint, "data version 5 and later, entities with a joint") {
                return Ok(());
            }
            let Joint { flags, min, max, damping } = data.joint.get_or_insert_default();
            let field = field!(
                "flags",
                Ty::Word,
                "Around which axes it turns, and how.",
                bits(JOINT_FLAGS)
            );
            c.item(field, flags)?;
            limits(c, min, max, damping)
        })
    }
}

fn old_joint<C: Codec>(c: &mut C, joint: &mut OldJoint) -> Coded<C> {
    let OldJoint { size, active, limited, eased, min, max, damping } = joint;
    c.item(field!("size", Ty::U32, "Of what follows: 72.", unit("bytes")), size)?;
    c.item(field!("active", VECTOR, "Not 0 around axes around which it turns."), active)?;
    c.item(field!("limited", VECTOR, "Not 0 around axes with a limit."), limited)?;
    c.item(field!("eased", VECTOR, "Not 0 around axes with a soft limit."), eased)?;
    limits(c, min, max, damping)
}

fn limits<C: Codec>(
    c: &mut C,
    min: &mut [f32; 3],
    max: &mut [f32; 3],
    damping: &mut [f32; 3],
) -> Coded<C> {
    c.item(field!("min", VECTOR, "Smallest angles."), min)?;
    c.item(field!("max", VECTOR, "Largest angles."), max)?;
    c.item(field!("damping", VECTOR, "How stiff it is."), damping)
}

impl Fresh for BodyPart {
    fn fresh(host: &Host) -> BodyPart {
        let data = Some(BodyPartData { character: host.null(), joint: None });
        BodyPart { entity: Fresh::fresh(host), data, ..BodyPart::default() }
    }
}

impl Renew for BodyPart {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.entity.renew(old)?;
        if self.old_joint.is_some() {
            return Err("its joint is in a section of its own");
        }
        Ok(())
    }
}
