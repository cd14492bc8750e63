//! `CKObjectAnimation` (`docs/formats/classes/animations.md#ckobjectanimation`).

use super::{
    animation::LENGTH,
    entity_3d::VECTOR,
    fresh::{Fresh, Host},
    object::Object,
};
use crate::codec::{Array, Codec, Coded, Layout, Reference, field, group};
use controller::Controller;
use spelunk_core::{Field, Record, Ty};
use zerocopy::little_endian::F32;

pub mod controller;

const PAGE: &str = "docs/formats/classes/animations.md#ckobjectanimation";

/// The bit of [`Head::flags`] that tells of [`Merge`].
pub const MERGED: u32 = 0x80;

/// What [`Head::flags`] means.
pub const FLAGS: &[(u32, &str)] = &[
    (0x4, "ignore position"),
    (0x8, "ignore rotation"),
    (0x10, "ignore scale"),
    (0x20, "ignore morph"),
    (0x40, "ignore shear"),
    (MERGED, "merged"),
];

/// How one entity moves.
#[derive(Clone, Debug, Default)]
pub struct ObjectAnimation {
    /// What every object saves.
    pub object: Object,
    /// The keys.
    pub animation: Option<Box<Keyed>>,
    /// The animation whose keys it shares.
    pub shared: Option<Box<Shared>>,
    /// The keys; in the oldest files.
    pub old_animation: Option<Box<OldAnimation>>,
}

/// What stands before the keys.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// Where the root of the animation is.
    pub root_position: [f32; 3],
    /// Not used.
    pub reserved: [f32; 4],
    /// [`FLAGS`].
    pub flags: u32,
    /// What moves.
    pub entity: Reference,
}

/// Of which two animations one was made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Merge {
    /// How much of the second one is in it, from 0 to 1.
    pub factor: f32,
    /// The first one.
    pub first: Reference,
    /// The second one.
    pub second: Reference,
}

/// An animation with keys of its own.
#[derive(Clone, Debug, Default)]
pub struct Keyed {
    /// What stands before the keys.
    pub head: Head,
    /// How long it is, in frames.
    pub length: f32,
    /// Where [`MERGED`] is set.
    pub merge: Option<Merge>,
    /// The keys of position, rotation and so on. Values are as seen from the parent of the entity.
    pub controllers: Vec<Controller>,
}

/// An animation with the keys of another one.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    /// The other one.
    pub source: Reference,
    /// What stands before the keys.
    pub head: Head,
    /// Where [`MERGED`] is set.
    pub merge: Option<Merge>,
}

/// An animation in the oldest files.
#[derive(Clone, Debug, Default)]
pub struct OldAnimation {
    /// Where the root of the animation is, and four numbers that are not used.
    pub head: [f32; 7],
    /// Vertices of each key of shape.
    pub morph_vertices: i32,
    /// Keys of shape.
    pub morph_keys: i32,
    /// [`FLAGS`].
    pub flags: u32,
    /// What moves.
    pub entity: Reference,
    /// How long it is, in frames.
    pub length: f32,
    /// Keys of position.
    pub position: OldKeys,
    /// Keys of scale.
    pub scale: OldKeys,
    /// Keys of rotation.
    pub rotation: OldKeys,
    /// Keys of the axes of scale, of six numbers each.
    pub axis: OldKeys,
}

/// Keys in the oldest files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OldKeys {
    /// Bytes that they take.
    pub size: u32,
    /// How many they are.
    pub count: u32,
    /// Their numbers; the time comes first.
    pub values: Array<F32>,
}

impl Layout for ObjectAnimation {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)?;
        c.section(0x400_0000, group!("animation", "The keys."), &mut self.animation, keyed)?;
        c.section(
            0x200_0000,
            group!("shared", "Whose keys it shares."),
            &mut self.shared,
            |c, shared| {
                let Shared { source, head, merge } = shared.as_mut();
                c.object(field!("source", Ty::U32, "Whose keys it shares."), source)?;
                before_keys(c, head)?;
                merged(c, head.flags, merge)
            },
        )?;
        c.section(
            0x1000,
            group!("old_animation", "The keys, in the oldest files."),
            &mut self.old_animation,
            old,
        )
    }
}

fn keyed<C: Codec>(c: &mut C, value: &mut Box<Keyed>) -> Coded<C> {
    let Keyed { head, length, merge, controllers } = value.as_mut();
    before_keys(c, head)?;
    c.item(self::length(), length)?;
    merged(c, head.flags, merge)?;
    controller::list(c, controllers)
}

fn before_keys<C: Codec>(c: &mut C, head: &mut Head) -> Coded<C> {
    let Head { root_position, reserved, flags, entity } = head;
    c.item(field!("root_position", VECTOR, "Where its root is."), root_position)?;
    c.item(field!("reserved", Ty::Array(&Ty::F32, 4), "Not used."), reserved)?;
    c.item(self::flags(), flags)?;
    c.object(self::entity(), entity)
}

fn merged<C: Codec>(c: &mut C, flags: u32, merge: &mut Option<Merge>) -> Coded<C> {
    if !c.when(flags & MERGED != 0, "merged") {
        return Ok(());
    }
    let Merge { factor, first, second } = merge.get_or_insert_default();
    c.item(field!("merge_factor", Ty::F32, "How much of the second one."), factor)?;
    c.object(field!("first", Ty::U32, "The first one of which it was made."), first)?;
    c.object(field!("second", Ty::U32, "The second one of which it was made."), second)
}

fn old<C: Codec>(c: &mut C, value: &mut Box<OldAnimation>) -> Coded<C> {
    let value = value.as_mut();
    let field = field!("head", Ty::Array(&Ty::F32, 7), "Root position; four are not used.");
    c.item(field, &mut value.head)?;
    let field = field!("morph_vertices", Ty::I32, "Vertices of each key of shape.");
    c.item(field, &mut value.morph_vertices)?;
    c.item(field!("morph_keys", Ty::I32, "Keys of shape."), &mut value.morph_keys)?;
    c.item(flags(), &mut value.flags)?;
    c.object(entity(), &mut value.entity)?;
    c.item(length(), &mut value.length)?;
    old_keys(c, group!("position", "Keys of position."), &mut value.position)?;
    old_keys(c, group!("scale", "Keys of scale."), &mut value.scale)?;
    old_keys(c, group!("rotation", "Keys of rotation."), &mut value.rotation)?;
    old_keys(c, group!("axis", "Keys of the axes of scale."), &mut value.axis)
}

fn old_keys<C: Codec>(c: &mut C, record: &'static Record, keys: &mut OldKeys) -> Coded<C> {
    let OldKeys { size, count, values } = keys;
    c.group(record, |c| {
        c.item(field!("size", Ty::U32, "Of the keys that follow.", unit("bytes")), size)?;
        c.item(field!("count", Ty::U32, "How many keys follow."), count)?;
        let field = field!("values", Ty::F32, "Time and value of each key.");
        c.array(field, size.div_ceil(4) as usize, values)
    })
}

fn flags() -> &'static Field {
    field!("flags", Ty::Word, "What of it counts.", bits(FLAGS))
}

fn entity() -> &'static Field {
    field!("entity", Ty::U32, "What moves.")
}

fn length() -> &'static Field {
    field!("length", Ty::F32, "How long it is.", unit("frames"))
}

impl Fresh for ObjectAnimation {
    fn fresh(host: &Host) -> ObjectAnimation {
        let head = Head { entity: host.null(), ..Head::default() };
        let keyed = Keyed { head, length: LENGTH, ..Keyed::default() };
        ObjectAnimation { animation: Some(Box::new(keyed)), ..ObjectAnimation::default() }
    }
}
