//! Bones that move vertices (`docs/formats/classes/entities.md#skins`).

use crate::{
    class::vector::VECTOR,
    codec::{Array, Codec, Coded, Padded, Pod, field, group},
};
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
    /// Further state of each bone.
    pub bone_data: Vec<Bone>,
    /// The vertices.
    pub vertices: Vec<SkinVertex>,
    /// Whether bones stand before weights, which engines do not do.
    pub bones_first: bool,
}

/// A bone.
#[derive(Clone, Debug, Default)]
pub struct Bone {
    /// Flags of the bone.
    pub flags: u32,
    /// The inverse of its matrix when the skin was made: one, of four rows.
    pub inverse_matrix: Padded<[F32; 16]>,
}

/// A vertex that bones move.
#[derive(Clone, Debug, Default)]
pub struct SkinVertex {
    /// Position when the skin was made: one.
    pub position: Padded<[F32; 3]>,
    /// Pull of each bone; together 1.
    pub weights: Padded<F32>,
    /// The bones, by their position in [`Skin::bones`].
    pub bones: Padded<U32>,
}

/// The normals of the vertices that bones move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinNormals {
    /// Whether their number stands before them. Engines read them without one.
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
    let Skin { object_matrix, bones, bone_data, vertices, bones_first } = skin.as_mut();
    let field = field!("object_matrix", MATRIX, "The matrix of the entity in the initial pose.");
    blob(c, field, 1, object_matrix)?;
    c.parallel(field!("bones", Ty::U32, "The entities that are the bones."), bones)?;
    let group = group!("bone_data", "What else is saved of each bone.");
    c.list(group, bones.len(), bone_data, |c, Bone { flags, inverse_matrix }| {
        c.item(field!("flags", Ty::Word, "Flags of the bone."), flags)?;
        let field = field!("inverse_matrix", MATRIX, "Inverse of its matrix in that pose.");
        blob(c, field, 1, inverse_matrix)
    })?;
    let sized = c.version() < 6;
    *bones_first = c.detect("bones_first", *bones_first, |words| {
        let fit = |order| Vertices { words, sized, bones: bones.len(), order }.fit();
        fit(VertexListOrder::BonesFirst) && !fit(VertexListOrder::WeightsFirst)
    });
    let other_order = *bones_first;
    if c.when(other_order, "weights and bones make sense in this order alone") {
        c.note(field!("bones_first", Ty::U32, "1 where bones stand before weights."), 1)?;
    }
    c.counted(
        field!("count", Ty::I32, "How many vertices follow."),
        group!("vertices", "The vertices."),
        vertices,
        |c, SkinVertex { position, weights, bones }| {
            let field = field!("count", Ty::I32, "How many bones move it.");
            let count = c.count(field, bones.items.len())?;
            blob(c, field!("position", VECTOR, "Where it is in that pose."), 1, position)?;
            let weights_field = field!("weights", Ty::F32, "How strong each bone pulls.");
            let bones_field = field!("bones", Ty::U32, "Positions in the list of bones.");
            if c.when(other_order, "bones first") {
                blob(c, bones_field, count, bones)?;
                return blob(c, weights_field, count, weights);
            }
            blob(c, weights_field, count, weights)?;
            blob(c, bones_field, count, bones)
        },
    )
}

/// The order of the two lists of a vertex.
#[derive(Clone, Copy, PartialEq)]
enum VertexListOrder {
    WeightsFirst,
    BonesFirst,
}

/// Vertices as they are stored, their number first.
struct Vertices<'a> {
    words: &'a [U32],
    /// Whether lengths stand before positions and lists.
    sized: bool,
    /// Number of bones of the skin.
    bones: usize,
    order: VertexListOrder,
}

impl<'a> Vertices<'a> {
    /// Whether there are lists, and all of them make sense in this order: weights that are 1 together, and bones that
    /// are there.
    fn fit(mut self) -> bool {
        let vertices = self.take(1).first().map_or(0, |count| count.get());
        let mut lists = 0_u32;
        for _ in 0..vertices {
            let [count] = self.take(1) else { return false };
            let count = count.get() as usize;
            if self.words.len() < count {
                return false;
            }
            self.blob(3);
            let first = self.blob(count);
            let second = self.blob(count);
            let (weights, bones) = match self.order {
                VertexListOrder::WeightsFirst => (first, second),
                VertexListOrder::BonesFirst => (second, first),
            };
            if weights.len() != count || bones.len() != count {
                return false;
            }
            if count == 0 {
                continue;
            }
            lists = lists.saturating_add(1);
            let weights = weights.iter().map(|word| f32::from_bits(word.get()));
            let sum: f32 = weights.clone().sum();
            let sound = weights.into_iter().all(|weight| (-0.001..=1.001).contains(&weight));
            let known = bones.iter().all(|bone| (bone.get() as usize) < self.bones);
            if !sound || !known || (sum - 1.0).abs() > 0.01 {
                return false;
            }
        }
        lists > 0
    }

    fn take(&mut self, count: usize) -> &'a [U32] {
        let (taken, left) = self.words.split_at_checked(count).unwrap_or_default();
        self.words = left;
        taken
    }

    fn blob(&mut self, count: usize) -> &'a [U32] {
        if self.sized {
            self.take(1);
        }
        self.take(count)
    }
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
