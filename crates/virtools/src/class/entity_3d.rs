//! `CK3dEntity` (`docs/formats/classes/entities.md#ck3dentity`).

use super::{
    be_object::BeObject,
    fresh::{Fresh, Host},
    renew::{Old, Renew, Renewed},
    vector::VECTOR,
};
use crate::codec::{Array, Codec, Coded, Layout, Reference, field, group};
use skin::{Skin, SkinNormals};
use spelunk_core::{Field, Ty};
use zerocopy::little_endian::U32;

pub mod skin;

const PAGE: &str = "docs/formats/classes/entities.md#ck3dentity";

/// The bit of [`EntityData::flags`] of entities that have no shape.
pub const FRAME: u32 = 0x2;
/// The bit of [`EntityData::flags`] that stands for [`EntityData::place`].
pub const PLACE_VALID: u32 = 0x1_0000;
/// The bit of [`EntityData::flags`] that stands for [`EntityData::parent`].
pub const PARENT_VALID: u32 = 0x2_0000;
/// The bit of [`EntityData::flags`] that stands for a joint in [`BodyPart`](super::body_part::BodyPart).
pub const IK_JOINT: u32 = 0x4_0000;
/// The bit of [`EntityData::flags`] that stands for [`EntityData::z_order`].
pub const Z_ORDER_VALID: u32 = 0x10_0000;

/// Names of the bits of [`EntityData::flags`].
pub const ENTITY_FLAGS: &[(u32, &str)] = &[
    (0x1, "dummy"),
    (FRAME, "frame"),
    (0x100, "target light"),
    (0x200, "target camera"),
    (0x400, "ignore animation"),
    (0x800, "hierarchical obstacle"),
    (0x2000, "camera ignores aspect"),
    (0x4000, "no skin"),
    (0x8000, "skin offset"),
    (PLACE_VALID, "place valid"),
    (PARENT_VALID, "parent valid"),
    (IK_JOINT, "ik joint"),
    (0x8_0000, "portal"),
    (Z_ORDER_VALID, "z order valid"),
];

/// Names of the bits of [`EntityData::moveable_flags`].
pub const MOVEABLE_FLAGS: &[(u32, &str)] = &[
    (0x1, "pickable"),
    (0x2, "visible"),
    (0x4, "up to date"),
    (0x8, "render channels"),
    (0x10, "user box"),
    (0x20, "extents up to date"),
    (0x4000, "box valid"),
    (0x1_0000, "render last"),
    (0x2_0000, "moved"),
    (0x4_0000, "world aligned"),
    (0x8_0000, "no z write"),
    (0x10_0000, "render first"),
    (0x20_0000, "no z test"),
    (0x40_0000, "inverse matrix valid"),
    (0x100_0000, "indirect matrix"),
    (0x1000_0000, "hierarchical hide"),
];

/// [`EntityData::moveable_flags`] of most entities of real files: shown, can be pointed at, drawn with channels.
pub const NEW_MOVEABLE_FLAGS: u32 = 0x0042_000B;

/// Something with a place in space.
#[derive(Clone, Debug, Default)]
pub struct Entity3d {
    /// State of the base class.
    pub be_object: BeObject,
    /// Meshes of the entity, where it has one.
    pub meshes: Option<Meshes>,
    /// The animations of it alone.
    pub animations: Option<Array<U32>>,
    /// Place and flags of the entity.
    pub data: Option<EntityData>,
    /// The bones that move its vertices.
    pub skin: Option<Box<Skin>>,
    /// The normals of the vertices that bones move.
    pub skin_normals: Option<SkinNormals>,
    /// Number of weights of the shapes that the current mesh is blended of; in products from 4 on, and 0 in all real files.
    pub blend_shape_weights: Option<u32>,
    /// Parent; in the oldest files. Engines pass over this and what follows where there is [`Entity3d::data`].
    pub old_parent: Option<Reference>,
    /// Flags; in the oldest files.
    pub old_flags: Option<OldFlags>,
    /// Matrix; in the oldest files.
    pub old_matrix: Option<OldMatrix>,
}

/// The meshes of an entity.
#[derive(Clone, Debug, Default)]
pub struct Meshes {
    /// The one that is drawn.
    pub current: Reference,
    /// All of them.
    pub all: Array<U32>,
}

/// Place and flags of an entity. The matrix is that of the world, whatever the parent is.
#[derive(Clone, Debug, Default)]
pub struct EntityData {
    /// [`ENTITY_FLAGS`].
    pub flags: u32,
    /// [`MOVEABLE_FLAGS`].
    pub moveable_flags: u32,
    /// First row of the matrix.
    pub x_axis: [f32; 3],
    /// Second row of the matrix.
    pub y_axis: [f32; 3],
    /// Third row of the matrix.
    pub z_axis: [f32; 3],
    /// Fourth row of the matrix.
    pub position: [f32; 3],
    /// The place that it is in, where [`PLACE_VALID`] is set.
    pub place: Option<Reference>,
    /// Parent, where [`PARENT_VALID`] is set.
    pub parent: Option<Reference>,
    /// Order of drawing, where [`Z_ORDER_VALID`] is set; 0 elsewhere.
    pub z_order: Option<i32>,
}

impl EntityData {
    /// The world matrix as four rows, for row vectors.
    pub fn world_matrix(&self) -> [[f32; 4]; 4] {
        let row = |[x, y, z]: [f32; 3], w| [x, y, z, w];
        let axes = [self.x_axis, self.y_axis, self.z_axis].map(|axis| row(axis, 0.0));
        let [x, y, z] = axes;
        [x, y, z, row(self.position, 1.0)]
    }
}

/// Flags in the oldest files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OldFlags {
    /// [`ENTITY_FLAGS`].
    pub flags: u32,
    /// [`MOVEABLE_FLAGS`].
    pub moveable_flags: u32,
}

/// The matrix in the oldest files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OldMatrix {
    /// Passed over by engines; probably the length of the matrix in bytes, 64.
    pub ignored: u32,
    /// Four rows, for row vectors.
    pub matrix: [f32; 16],
}

impl Layout for Entity3d {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.be_object.layout(c)?;
        c.section(0x4000, group!("meshes", "Its meshes."), &mut self.meshes, |c, meshes| {
            c.object(field!("current", Ty::U32, "The one that is drawn."), &mut meshes.current)?;
            c.objects(field!("all", Ty::U32, "All of its meshes."), &mut meshes.all)
        })?;
        c.section(
            0x2000,
            group!("animations", "The animations of it alone."),
            &mut self.animations,
            |c, all| c.objects(field!("animations", Ty::U32, "Animations of this object."), all),
        )?;
        c.section(0x10_0000, group!("entity", "Where it is."), &mut self.data, data)?;
        c.section(
            0x20_0000,
            group!("skin", "The bones that move its vertices."),
            &mut self.skin,
            skin::skin,
        )?;
        c.section(
            0x1000,
            group!("skin_normals", "The normals of the vertices that bones move."),
            &mut self.skin_normals,
            skin::normals,
        )?;
        c.section(
            0x4FAE_17D7,
            group!("blend_shape_weights", "Weights of the shapes of the current mesh."),
            &mut self.blend_shape_weights,
            |c, count| c.item(field!("count", Ty::U32, "How many; 0 in real files."), count),
        )?;
        self.old(c)
    }
}

impl Entity3d {
    /// Sections of the oldest files.
    fn old<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.section(
            0x8000,
            group!("old_parent", "Its parent, in the oldest files."),
            &mut self.old_parent,
            |c, parent| c.object(field!("parent", Ty::U32, "Its parent."), parent),
        )?;
        c.section(
            0x1_0000,
            group!("old_flags", "Its flags, in the oldest files."),
            &mut self.old_flags,
            |c, OldFlags { flags, moveable_flags }| {
                c.item(entity_flags(), flags)?;
                c.item(self::moveable_flags(), moveable_flags)
            },
        )?;
        c.section(
            0x2_0000,
            group!("old_matrix", "Its matrix, in the oldest files."),
            &mut self.old_matrix,
            |c, OldMatrix { ignored, matrix }| {
                c.item(field!("ignored", Ty::Word, "Passed over by engines."), ignored)?;
                c.item(field!("matrix", Ty::Array(&Ty::F32, 16), "Four rows."), matrix)
            },
        )
    }
}

fn entity_flags() -> &'static Field {
    field!("flags", Ty::Word, "What it is and has.", bits(ENTITY_FLAGS))
}

fn moveable_flags() -> &'static Field {
    field!("moveable_flags", Ty::Word, "How it moves and is drawn.", bits(MOVEABLE_FLAGS))
}

fn data<C: Codec>(c: &mut C, data: &mut EntityData) -> Coded<C> {
    c.item(entity_flags(), &mut data.flags)?;
    c.item(moveable_flags(), &mut data.moveable_flags)?;
    c.item(field!("x_axis", VECTOR, "First row of the world matrix."), &mut data.x_axis)?;
    c.item(field!("y_axis", VECTOR, "Second row of the world matrix."), &mut data.y_axis)?;
    c.item(field!("z_axis", VECTOR, "Third row of the world matrix."), &mut data.z_axis)?;
    c.item(field!("position", VECTOR, "Fourth row of the world matrix."), &mut data.position)?;
    let flags = data.flags;
    if c.when(flags & PLACE_VALID != 0, "place valid") {
        let field = field!("place", Ty::U32, "The place that it is in.");
        c.object(field, data.place.get_or_insert_default())?;
    }
    if c.when(flags & PARENT_VALID != 0, "parent valid") {
        c.object(field!("parent", Ty::U32, "Its parent."), data.parent.get_or_insert_default())?;
    }
    if c.when(flags & Z_ORDER_VALID != 0, "z order valid") {
        let field = field!("z_order", Ty::I32, "When it is drawn among others.");
        c.item(field, data.z_order.get_or_insert_default())?;
    }
    Ok(())
}

impl Entity3d {
    /// Whether an entity of this class is a frame: a place without a shape.
    pub(super) fn frame(mut self) -> Entity3d {
        if let Some(data) = &mut self.data {
            data.flags |= FRAME;
        }
        self
    }
}

impl Fresh for Entity3d {
    fn fresh(host: &Host) -> Entity3d {
        Entity3d {
            be_object: Fresh::fresh(host),
            data: Some(EntityData {
                moveable_flags: NEW_MOVEABLE_FLAGS,
                x_axis: [1.0, 0.0, 0.0],
                y_axis: [0.0, 1.0, 0.0],
                z_axis: [0.0, 0.0, 1.0],
                ..EntityData::default()
            }),
            ..Entity3d::default()
        }
    }
}

impl Renew for Entity3d {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.be_object.renew(old)?;
        let (parent, flags, matrix) =
            (self.old_parent.take(), self.old_flags.take(), self.old_matrix.take());
        // Engines pass over the old sections where the new one is there.
        if self.data.is_some() || parent.is_none() && flags.is_none() && matrix.is_none() {
            return Ok(());
        }
        let (Some(flags), Some(OldMatrix { matrix, .. })) = (flags, matrix) else {
            return Err("its flags or its matrix are missing");
        };
        let [xx, xy, xz, _, yx, yy, yz, _, zx, zy, zz, _, x, y, z, _] = matrix;
        let has_parent = if parent.is_some() { PARENT_VALID } else { 0 };
        let others = !(PARENT_VALID | PLACE_VALID | Z_ORDER_VALID);
        self.data = Some(EntityData {
            flags: flags.flags & others | has_parent,
            moveable_flags: flags.moveable_flags,
            x_axis: [xx, xy, xz],
            y_axis: [yx, yy, yz],
            z_axis: [zx, zy, zz],
            position: [x, y, z],
            place: None,
            parent,
            z_order: None,
        });
        Ok(())
    }
}
