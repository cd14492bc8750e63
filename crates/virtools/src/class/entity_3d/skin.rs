//! Bones that move vertices (`docs/formats/classes/entities.md#skins`).

use super::VECTOR;
use crate::codec::{Array, Codec, Coded, Padded, Pod, field, group};
use spelunk_core::{Field, Ty};
use zerocopy::little_endian::{F32, U32};

const PAGE: &str = "docs/formats/classes/entities.md#skins";

const MATRIX: Ty = Ty::Array(&Ty::F32, 16);

/// The bones that move the vertices of an entity.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// The matrix of the entity when the skin was made: one, of four rows.
    pub object_matrix: Padded<[F32; 16]>,
    /// The entities that are the bones.
    pub bones: Array<U32>,
    /// What else is saved of each bone.
    pub bone_data: Vec<Bone>,
    /// The vertices.
    pub vertices: Vec<SkinVertex>,
}

/// A bone.
#[derive(Clone, Debug, Default)]
pub struct Bone {
    /// Its flags.
    pub flags: u32,
    /// The inverse of its matrix when the skin was made: one, of four rows.
    pub inverse_matrix: Padded<[F32; 16]>,
}

/// A vertex that bones move.
#[derive(Clone, Debug, Default)]
pub struct SkinVertex {
    /// Where it was when the skin was made: one.
    pub position: Padded<[F32; 3]>,
    /// The bones, by their position in [`Skin::bones`].
    pub bones: Padded<U32>,
    /// How strong each of them pulls.
    pub weights: Padded<F32>,
}

/// The normals of the vertices that bones move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinNormals {
    /// Whether their number stands before them. Files of both kinds are said to exist.
    pub counted: bool,
    /// The normals: x, y, z.
    pub normals: Array<[F32; 3]>,
}

/// `count` values, before which data versions below 6 have a length in bytes.
fn blob<C: Codec, T: Pod>(
    c: &mut C,
    field: &'static Field,
    count: usize,
    value: &mut Padded<T>,
) -> Coded<C> {
    let old = c.version() < 6;
    if c.when(old, "data version below 6: with a length in bytes") {
        c.buffer(field, value)
    } else {
        c.padded(field, count, value)
    }
}

pub(super) fn skin<C: Codec>(c: &mut C, skin: &mut Box<Skin>) -> Coded<C> {
    let Skin { object_matrix, bones, bone_data, vertices } = skin.as_mut();
    let field = field!("object_matrix", MATRIX, "The matrix of the entity in the initial pose.");
    blob(c, field, 1, object_matrix)?;
    c.parallel(field!("bones", Ty::U32, "The entities that are the bones."), bones)?;
    let group = group!("bone_data", "What else is saved of each bone.");
    c.list(group, bones.len(), bone_data, |c, Bone { flags, inverse_matrix }| {
        c.item(field!("flags", Ty::Word, "Flags of the bone."), flags)?;
        let field = field!("inverse_matrix", MATRIX, "Inverse of its matrix in that pose.");
        blob(c, field, 1, inverse_matrix)
    })?;
    c.counted(
        field!("count", Ty::I32, "How many vertices follow."),
        group!("vertices", "The vertices."),
        vertices,
        |c, SkinVertex { position, bones, weights }| {
            let field = field!("count", Ty::I32, "How many bones move it.");
            let count = c.count(field, bones.items.len())?;
            blob(c, field!("position", VECTOR, "Where it is in that pose."), 1, position)?;
            blob(c, field!("bones", Ty::U32, "Positions in the list of bones."), count, bones)?;
            let field = field!("weights", Ty::F32, "How strong each of them pulls.");
            blob(c, field, count, weights)
        },
    )
}

pub(super) fn normals<C: Codec>(c: &mut C, value: &mut SkinNormals) -> Coded<C> {
    let SkinNormals { counted, normals } = value;
    *counted = c.detect("count", *counted, |words| words.len() % 3 == 1);
    let mut count = c.remaining(normals.len().saturating_mul(3)) / 3;
    let stored = *counted;
    if c.when(stored, "where the number of dwords tells") {
        count = c.count(field!("count", Ty::U32, "How many follow."), normals.len())?;
    }
    c.array(field!("normals", VECTOR, "The normals: x, y, z."), count, normals)
}
