//! `CKObjectAnimation` (`docs/formats/classes/animations.md#ckobjectanimation`).

use super::{
    animation::LENGTH,
    fresh::{Fresh, Host},
    object::Object,
    renew::{Old, Renew, Renewed},
    vector::VECTOR,
};
use crate::codec::{Array, Buffer, Codec, Coded, Layout, Padded, Reference, field, group};
use controller::Controller;
use spelunk_core::{Field, Record, Ty};
use zerocopy::little_endian::{F32, U32};

pub mod controller;

const PAGE: &str = "docs/formats/classes/animations.md#ckobjectanimation";

/// The bit of [`AnimationHeader::flags`] that stands for [`Merge`].
pub const MERGED: u32 = 0x80;

/// Names of the bits of [`AnimationHeader::flags`].
pub const FLAGS: &[(u32, &str)] = &[
    (0x4, "ignore position"),
    (0x8, "ignore rotation"),
    (0x10, "ignore scale"),
    (0x20, "ignore morph"),
    (0x40, "ignore shear"),
    (MERGED, "merged"),
];

/// Movement of one entity.
#[derive(Clone, Debug, Default)]
pub struct ObjectAnimation {
    /// State that every object saves.
    pub object: Object,
    /// The keys.
    pub animation: Option<Box<Keyed>>,
    /// The animation whose keys it shares.
    pub shared: Option<Box<SharedAnimation>>,
    /// The keys, in files of data version 1 and later that have neither of the sections above.
    pub old_animation: Option<Box<OldAnimation>>,
    /// Normals of the keys of shape of `old_animation`: for each key four bytes a vertex.
    pub old_normals: Option<Vec<Padded<U32>>>,
    /// The keys, in files of data version 0.
    pub oldest: Option<Box<OldestAnimation>>,
}

/// Fields before the keys.
#[derive(Clone, Debug, Default)]
pub struct AnimationHeader {
    /// Position of the root of the animation.
    pub root_position: [f32; 3],
    /// Not used.
    pub reserved: [f32; 4],
    /// [`FLAGS`].
    pub flags: u32,
    /// Entity that is moved.
    pub entity: Reference,
}

/// Of which two animations one was made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Merge {
    /// Share of the second animation, from 0 to 1.
    pub factor: f32,
    /// The first one.
    pub first: Reference,
    /// The second one.
    pub second: Reference,
}

/// An animation with keys of its own.
#[derive(Clone, Debug, Default)]
pub struct Keyed {
    /// Fields before the keys.
    pub head: AnimationHeader,
    /// Length in frames.
    pub length: f32,
    /// Merge of two animations, where [`MERGED`] is set.
    pub merge: Option<Merge>,
    /// The keys of position, rotation and so on. Values are as seen from the parent of the entity.
    pub controllers: Vec<Controller>,
}

/// An animation with the keys of another one.
#[derive(Clone, Debug, Default)]
pub struct SharedAnimation {
    /// The other one.
    pub source: Reference,
    /// Fields before the keys.
    pub head: AnimationHeader,
    /// Merge of two animations, where [`MERGED`] is set.
    pub merge: Option<Merge>,
}

/// An animation in old files, from data version 1 on.
#[derive(Clone, Debug, Default)]
pub struct OldAnimation {
    /// Position of the root of the animation, and four numbers that are not used.
    pub head: [f32; 7],
    /// Vertices of each key of shape.
    pub morph_vertices: i32,
    /// Keys of shape.
    pub morph_keys: i32,
    /// [`FLAGS`].
    pub flags: u32,
    /// Entity that is moved.
    pub entity: Reference,
    /// Length in frames.
    pub length: f32,
    /// Merge of two animations, where [`MERGED`] is set.
    pub merge: Option<Merge>,
    /// Keys of shape; `morph_keys` of them.
    pub morphs: Vec<OldMorphKey>,
    /// Keys of position.
    pub position: OldKeys,
    /// Keys of scale.
    pub scale: OldKeys,
    /// Keys of rotation.
    pub rotation: OldKeys,
    /// Keys of the axes of scale, of six numbers each: time, one that is not used, a quaternion.
    pub axis: OldKeys,
}

/// A key of shape in old files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OldMorphKey {
    /// Time of the key, in frames.
    pub time: f32,
    /// Bytes of the key as they are stored: positions of the vertices.
    pub data: Buffer,
}

/// An animation in files of data version 0, which has a section for each part.
#[derive(Clone, Debug, Default)]
pub struct OldestAnimation {
    /// Position of the root of the animation.
    pub root_position: Option<[f32; 3]>,
    /// The keys of shape.
    pub morph: Option<OldestMorph>,
    /// Keys of position.
    pub position: Option<OldKeys>,
    /// Keys of rotation, then keys of the axes of scale.
    pub rotation: Option<[OldKeys; 2]>,
    /// Keys of scale.
    pub scale: Option<OldKeys>,
    /// [`FLAGS`].
    pub flags: Option<u32>,
    /// Entity that is moved.
    pub entity: Option<Reference>,
    /// Length in frames.
    pub length: Option<f32>,
    /// Of which two animations it was made.
    pub merge: Option<OldestMerge>,
}

/// The keys of shape of data version 0.
#[derive(Clone, Debug, Default)]
pub struct OldestMorph {
    /// Number of the keys.
    pub count: i32,
    /// Vertices of each key.
    pub vertices: i32,
    /// The keys.
    pub keys: Vec<OldMorphKey>,
}

/// Merge of two animations into one, in files of data version 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct OldestMerge {
    /// Factor and animations.
    pub merge: Merge,
    /// Not 0 where it was made of two.
    pub merged: i32,
}

/// Keys in the oldest files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OldKeys {
    /// Bytes that they take.
    pub size: u32,
    /// Number of keys.
    pub count: u32,
    /// Numbers of the keys; the time comes first.
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
                let SharedAnimation { source, head, merge } = shared.as_mut();
                c.object(field!("source", Ty::U32, "Whose keys it shares."), source)?;
                before_keys(c, head)?;
                merged(c, head.flags, merge)
            },
        )?;
        let oldest = c.version() == 0;
        if c.when(oldest, "data version 0") {
            self.oldest.get_or_insert_default().layout(c)?;
        }
        if !c.when(!oldest, "data version 1 and later") {
            return Ok(());
        }
        // Engines read these only where neither of the sections above is there.
        c.section(
            0x1000,
            group!("old_animation", "The keys, in old files."),
            &mut self.old_animation,
            old,
        )?;
        let count = self.old_animation.as_ref().map_or(0, |old| old.morphs.len());
        c.section(
            0x100_0000,
            group!("old_normals", "Normals of the keys of shape, in old files."),
            &mut self.old_normals,
            |c, normals| {
                c.list(group!("normals", "For each key."), count, normals, |c, normals| {
                    c.buffer(field!("normals", Ty::Word, "For each vertex."), normals)
                })
            },
        )
    }
}

impl Layout for OldestAnimation {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        let record = group!("oldest_root", "Where its root is.");
        c.section(0x1000, record, &mut self.root_position, |c, position| {
            c.item(field!("root_position", VECTOR, "Where its root is."), position)
        })?;
        let record = group!("oldest_morph", "Keys of shape.");
        c.section(0x20_0000, record, &mut self.morph, |c, morph| {
            let OldestMorph { count, vertices, keys } = morph;
            c.item(field!("count", Ty::I32, "How many keys follow."), count)?;
            if !c.when(*count != 0, "any keys") {
                return Ok(());
            }
            let field = field!("vertices", Ty::I32, "Vertices of each key.");
            c.item(field, vertices)?;
            morph_keys(c, *count, keys)
        })?;
        let record = group!("oldest_position", "Keys of position.");
        c.section(0x4000, record, &mut self.position, |c, keys| {
            old_keys(c, group!("position", "Keys of position."), keys)
        })?;
        let record = group!("oldest_rotation", "Keys of rotation and of the axes of scale.");
        c.section(0x8000, record, &mut self.rotation, |c, [rotation, axis]| {
            old_keys(c, group!("rotation", "Keys of rotation."), rotation)?;
            old_keys(c, group!("axis", "Keys of the axes of scale."), axis)
        })?;
        let record = group!("oldest_scale", "Keys of scale.");
        c.section(0x2_0000, record, &mut self.scale, |c, keys| {
            old_keys(c, group!("scale", "Keys of scale."), keys)
        })?;
        let record = group!("oldest_flags", "What of it counts.");
        c.section(0x4_0000, record, &mut self.flags, |c, value| c.item(flags(), value))?;
        let record = group!("oldest_entity", "What moves.");
        c.section(0x8_0000, record, &mut self.entity, |c, value| c.object(entity(), value))?;
        let record = group!("oldest_length", "How long it is.");
        c.section(0x2000, record, &mut self.length, |c, value| c.item(length(), value))?;
        let record = group!("oldest_merge", "Of which two it was made.");
        c.section(0x10_0000, record, &mut self.merge, |c, OldestMerge { merge, merged }| {
            c.item(merge_factor(), &mut merge.factor)?;
            c.item(field!("merged", Ty::I32, "Not 0 where it was made of two."), merged)?;
            c.object(first(), &mut merge.first)?;
            c.object(second(), &mut merge.second)
        })
    }
}

/// The keys of shape of old files.
fn morph_keys<C: Codec>(c: &mut C, count: i32, keys: &mut Vec<OldMorphKey>) -> Coded<C> {
    let count = usize::try_from(count).unwrap_or_default();
    c.list(group!("morphs", "Keys of shape."), count, keys, |c, OldMorphKey { time, data }| {
        c.item(field!("time", Ty::F32, "When.", unit("frames")), time)?;
        c.buffer(field!("data", Ty::Bytes, "The key as it is stored."), data)
    })
}

fn keyed<C: Codec>(c: &mut C, value: &mut Box<Keyed>) -> Coded<C> {
    let Keyed { head, length, merge, controllers } = value.as_mut();
    before_keys(c, head)?;
    c.item(self::length(), length)?;
    merged(c, head.flags, merge)?;
    controller::list(c, controllers)
}

fn before_keys<C: Codec>(c: &mut C, head: &mut AnimationHeader) -> Coded<C> {
    let AnimationHeader { root_position, reserved, flags, entity } = head;
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
    c.item(merge_factor(), factor)?;
    c.object(self::first(), first)?;
    c.object(self::second(), second)
}

fn merge_factor() -> &'static Field {
    field!("merge_factor", Ty::F32, "How much of the second one.")
}

fn first() -> &'static Field {
    field!("first", Ty::U32, "The first one of which it was made.")
}

fn second() -> &'static Field {
    field!("second", Ty::U32, "The second one of which it was made.")
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
    merged(c, value.flags, &mut value.merge)?;
    morph_keys(c, value.morph_keys, &mut value.morphs)?;
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

impl Renew for ObjectAnimation {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.object.renew(old)?;
        match self.oldest {
            Some(_) => Err("its keys are in the layout of data version 0"),
            None => Ok(()),
        }
    }
}

impl Fresh for ObjectAnimation {
    fn fresh(host: &Host) -> ObjectAnimation {
        let head = AnimationHeader { entity: host.null(), ..AnimationHeader::default() };
        let keyed = Keyed { head, length: LENGTH, ..Keyed::default() };
        ObjectAnimation { animation: Some(Box::new(keyed)), ..ObjectAnimation::default() }
    }
}
