//! Keys of animations (`docs/formats/classes/animations.md#controllers`).

use crate::{
    class::vector::VECTOR,
    codec::{Array, Codec, Coded, Pod, field, group},
    codes,
};
use spelunk_core::{Error, Field, Ty, field::Role, record};
use zerocopy::little_endian::{F32, U32};

const PAGE: &str = "docs/formats/classes/animations.md#controllers";

/// The kinds of controllers, by what they store as their type.
pub const TYPES: &[(i64, &str)] = &[
    (0x637C_4301, "linear position"),
    (0x49ED_4002, "linear rotation"),
    (0x654A_3A04, "linear scale"),
    (0x2F20_0B08, "linear scale axis"),
    (0x347E_4A01, "tcb position"),
    (0x45B5_2A02, "tcb rotation"),
    (0x1B54_5904, "tcb scale"),
    (0x3259_5908, "tcb scale axis"),
    (0x921A_B801, "bezier position"),
    (0x18AB_4404, "bezier scale"),
    (0x7384_7810, "morph"),
];

/// The type of controllers of shape.
const MORPH: u32 = 0x7384_7810;

/// Keys of one kind. Times are in frames.
#[derive(Clone, Debug, Default)]
pub struct Controller {
    /// Type of the keys, see [`TYPES`].
    pub controller_type: u32,
    /// The keys.
    pub keys: Keys,
}

/// Keys, by how they are stored.
#[derive(Clone, Debug)]
pub enum Keys {
    /// Of a type that is not known, or of another size than its type asks for: dwords.
    Other(Array<U32>),
    /// Of position and scale.
    Vectors(Array<VectorKey>),
    /// Of rotation and of the axes of scale.
    Quaternions(Array<QuaternionKey>),
    /// Of position and scale, on curves.
    TcbVectors(Array<TcbVectorKey>),
    /// Of rotation and of the axes of scale, on curves.
    TcbQuaternions(Array<TcbQuaternionKey>),
    /// Of position and scale, on curves with tangents.
    Bezier(Vec<BezierKey>),
    /// Of position and scale, on curves with tangents: every key with both.
    FixedBezier(Array<FixedBezierKey>),
    /// Of shape.
    Morph(Morph),
}

impl Default for Keys {
    fn default() -> Keys {
        Keys::Other(Array::new())
    }
}

/// Keys of shape.
#[derive(Clone, Debug, Default)]
pub struct Morph {
    /// Vertices of each key.
    pub vertices: u32,
    /// Not 0: there are normals.
    pub has_normals: u32,
    /// The keys.
    pub keys: Vec<MorphKey>,
}

/// A key of shape.
#[derive(Clone, Debug, Default)]
pub struct MorphKey {
    /// Time of the key.
    pub time: f32,
    /// Positions of the vertices: x, y, z.
    pub positions: Array<[F32; 3]>,
    /// The normals in two packed numbers of 16 bits each.
    pub normals: Option<Array<U32>>,
}

record! {
    /// A position or a scale at a time.
    pub struct VectorKey: "key", "docs/formats/classes/animations.md#controllers", 16 {
        /// Time of the key.
        time: F32,
        /// The value.
        x: F32,
        /// The value.
        y: F32,
        /// The value.
        z: F32,
    }
}

record! {
    /// A rotation at a time.
    pub struct QuaternionKey: "key", "docs/formats/classes/animations.md#controllers", 20 {
        /// Time of the key.
        time: F32,
        /// The quaternion.
        x: F32,
        /// The quaternion.
        y: F32,
        /// The quaternion.
        z: F32,
        /// The quaternion, its real part.
        w: F32,
    }
}

record! {
    /// A position or a scale at a time, on a curve.
    pub struct TcbVectorKey: "key", "docs/formats/classes/animations.md#controllers", 36 {
        /// Time of the key.
        time: F32,
        /// The value.
        x: F32,
        /// The value.
        y: F32,
        /// The value.
        z: F32,
        /// Tension of the curve.
        tension: F32,
        /// Continuity of the curve.
        continuity: F32,
        /// Bias of the curve.
        bias: F32,
        /// Slowness of the arrival at the key.
        ease_to: F32,
        /// Slowness of the departure from the key.
        ease_from: F32,
    }
}

record! {
    /// A rotation at a time, on a curve.
    pub struct TcbQuaternionKey: "key", "docs/formats/classes/animations.md#controllers", 40 {
        /// Time of the key.
        time: F32,
        /// The quaternion.
        x: F32,
        /// The quaternion.
        y: F32,
        /// The quaternion.
        z: F32,
        /// The quaternion, its real part.
        w: F32,
        /// Tension of the curve.
        tension: F32,
        /// Continuity of the curve.
        continuity: F32,
        /// Bias of the curve.
        bias: F32,
        /// Slowness of the arrival at the key.
        ease_to: F32,
        /// Slowness of the departure from the key.
        ease_from: F32,
    }
}

/// The bit of both halves of [`BezierKey::flags`] that says that a tangent follows.
pub const HAS_TANGENT: u16 = 0x20;

/// A position or a scale at a time, on a curve with tangents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BezierKey {
    /// Time of the key, in frames.
    pub time: f32,
    /// Position or scale: x, y, z.
    pub value: [f32; 3],
    /// Flags of two tangents, 16 bits each; with [`HAS_TANGENT`] in the lower and the upper half.
    pub flags: u32,
    /// Tangent of the lower half of the flags. Whether it is the one that leads to the key is not proved.
    pub first_tangent: Option<[f32; 3]>,
    /// Tangent of the upper half of the flags.
    pub second_tangent: Option<[f32; 3]>,
}

/// The flags of a key that are known: those that say that a tangent follows.
const TANGENTS: &[(u32, &str)] = &[
    (HAS_TANGENT as u32, "has first tangent"),
    ((HAS_TANGENT as u32) << 16, "has second tangent"),
];

/// Returns which tangents are stored by the flags of a key.
const fn tangents(flags: u32) -> [bool; 2] {
    let bit = HAS_TANGENT as u32;
    [flags & bit != 0, flags & bit << 16 != 0]
}

record! {
    /// A position or a scale at a time, on a curve with tangents: with both, whatever its flags say, as engines keep keys
    /// in memory.
    pub struct FixedBezierKey: "key", "docs/formats/classes/animations.md#controllers", 44 {
        /// Time of the key.
        time: F32,
        /// The value.
        x: F32,
        /// The value.
        y: F32,
        /// The value.
        z: F32,
        /// Flags that say how the tangents are made.
        flags: U32 { ty: Ty::Word },
        /// The tangent that leads to it.
        in_x: F32,
        /// The tangent that leads to it.
        in_y: F32,
        /// The tangent that leads to it.
        in_z: F32,
        /// The tangent that leads away from it.
        out_x: F32,
        /// The tangent that leads away from it.
        out_y: F32,
        /// The tangent that leads away from it.
        out_z: F32,
    }
}

impl Keys {
    /// No keys, in the way in which a type stores them.
    fn of_type(controller_type: u32) -> Keys {
        match controller_type {
            0x637C_4301 | 0x654A_3A04 => Keys::Vectors(Array::new()),
            0x49ED_4002 | 0x2F20_0B08 => Keys::Quaternions(Array::new()),
            0x347E_4A01 | 0x1B54_5904 => Keys::TcbVectors(Array::new()),
            0x45B5_2A02 | 0x3259_5908 => Keys::TcbQuaternions(Array::new()),
            0x921A_B801 | 0x18AB_4404 => Keys::Bezier(Vec::new()),
            MORPH => Keys::Morph(Morph::default()),
            _ => Keys::default(),
        }
    }

    /// Whether these dwords, the size of the controller first, are keys of this kind.
    fn fit(&self, words: &[U32]) -> bool {
        let size = match self {
            Keys::Other(_) => return false,
            Keys::Vectors(_) => size_of::<VectorKey>(),
            Keys::Quaternions(_) => size_of::<QuaternionKey>(),
            Keys::TcbVectors(_) => size_of::<TcbVectorKey>(),
            Keys::TcbQuaternions(_) => size_of::<TcbQuaternionKey>(),
            Keys::Bezier(_) => return fits_bezier(words),
            Keys::FixedBezier(_) => size_of::<FixedBezierKey>(),
            Keys::Morph(_) => return fits_morph(words),
        };
        let [stored, count, ..] = words else { return false };
        let dwords = u64::from(count.get()).saturating_mul(size as u64 / 4).saturating_add(1);
        u64::from(stored.get()) == dwords
    }
}

/// Whether these dwords, the size of the controller first, are keys whose flags agree with their tangents.
fn fits_bezier(words: &[U32]) -> bool {
    let Some(([size, keys], mut left)) = words.split_first_chunk() else { return false };
    let Some(mut size) = size.get().checked_sub(1) else { return false };
    for _ in 0..keys.get() {
        let Some(flags) = left.get(4) else { return false };
        let many = tangents(flags.get()).into_iter().filter(|there| *there).count();
        let len = many.saturating_mul(3).saturating_add(5);
        let (Some(behind), Some(rest)) = (size.checked_sub(len as u32), left.get(len..)) else {
            return false;
        };
        (size, left) = (behind, rest);
    }
    size == 0
}

/// Whether these dwords, the size of the controller first, are keys of shape.
fn fits_morph(words: &[U32]) -> bool {
    let Some(([size, keys, vertices, normals], _)) = words.split_first_chunk() else {
        return false;
    };
    let each = if normals.get() == 0 { 3_u64 } else { 4 };
    let key = u64::from(vertices.get()).saturating_mul(each).saturating_add(1);
    u64::from(size.get()) == u64::from(keys.get()).saturating_mul(key).saturating_add(3)
}

/// Number of controllers before a 0.
fn controllers(mut words: &[U32]) -> usize {
    let mut count = 0_usize;
    while let [controller_type, size, rest @ ..] = words
        && controller_type.get() != 0
        && let Some(rest) = rest.get(size.get() as usize..)
    {
        count = count.saturating_add(1);
        words = rest;
    }
    count
}

/// The controllers, and the 0 that ends them.
pub(super) fn list<C: Codec>(c: &mut C, value: &mut Vec<Controller>) -> Coded<C> {
    let mut count = value.len();
    c.detect("controllers", true, |words| {
        count = controllers(words);
        true
    });
    c.list(group!("controllers", "The keys, by what they are of."), count, value, controller)?;
    match c.count(field!("end", Ty::U32, "0 instead of a type."), 0)? {
        0 => Ok(()),
        end => Err(Error::new(&codes::LAYOUT).field("end").expected(0).found(end).into()),
    }
}

fn controller<C: Codec>(c: &mut C, value: &mut Controller) -> Coded<C> {
    let Controller { controller_type, keys } = value;
    let field = field!("type", Ty::Word, "What the keys are of.", values(TYPES));
    c.item(field, controller_type)?;
    let empty = Keys::of_type(*controller_type);
    let is_bezier = matches!(empty, Keys::Bezier(_));
    let is_fixed = matches!(keys, Keys::FixedBezier(_));
    let of_type = !matches!(keys, Keys::Other(_)) && !is_fixed;
    let fixed = Keys::FixedBezier(Array::new());
    if c.detect("keys", of_type, |words| empty.fit(words)) {
        if !of_type {
            *keys = empty;
        }
    } else if is_bezier && c.detect("fixed_keys", is_fixed, |words| fixed.fit(words)) && !is_fixed {
        *keys = fixed;
    }
    let field = field!("size", Ty::U32, "Of what follows.", unit("dwords"));
    c.sized(field, false, |c| match keys {
        Keys::Other(words) => {
            let count = c.remaining(words.len());
            c.array(field!("dwords", Ty::Word, "Not known.", role(Role::Opaque)), count, words)
        }
        Keys::Vectors(keys) => all(c, "keys", keys),
        Keys::Quaternions(keys) => all(c, "keys", keys),
        Keys::TcbVectors(keys) => all(c, "keys", keys),
        Keys::TcbQuaternions(keys) => all(c, "keys", keys),
        Keys::Bezier(keys) => bezier(c, keys),
        Keys::FixedBezier(keys) => all(c, "fixed_keys", keys),
        Keys::Morph(keys) => morph(c, keys),
    })
}

fn all<C: Codec, T: spelunk_core::field::Described + Pod>(
    c: &mut C,
    name: &'static str,
    keys: &mut Array<T>,
) -> Coded<C> {
    let count = c.count(key_count(), keys.len())?;
    c.records(name, count, keys)
}

fn bezier<C: Codec>(c: &mut C, keys: &mut Vec<BezierKey>) -> Coded<C> {
    let count = c.count(key_count(), keys.len())?;
    c.list(group!("keys", "The keys."), count, keys, |c, key| {
        let BezierKey { time, value, flags, first_tangent, second_tangent } = key;
        c.item(field!("time", Ty::F32, "When.", unit("frames")), time)?;
        c.item(field!("value", VECTOR, "Position or scale."), value)?;
        let field = field!("flags", Ty::Word, "Of two tangents, 16 bits each.", bits(TANGENTS));
        c.item(field, flags)?;
        let [first, second] = tangents(*flags);
        if c.when(first, "flag 0x20") {
            let field = field!("first_tangent", VECTOR, "Of the lower half of the flags.");
            c.item(field, first_tangent.get_or_insert_default())?;
        }
        if c.when(second, "flag 0x200000") {
            let field = field!("second_tangent", VECTOR, "Of the upper half of the flags.");
            c.item(field, second_tangent.get_or_insert_default())?;
        }
        Ok(())
    })
}

fn morph<C: Codec>(c: &mut C, morph: &mut Morph) -> Coded<C> {
    let Morph { vertices, has_normals, keys } = morph;
    let count = c.count(key_count(), keys.len())?;
    c.item(field!("vertices", Ty::U32, "Vertices of each key."), vertices)?;
    let field = field!("has_normals", Ty::U32, "Not 0: there are normals.");
    c.item(field, has_normals)?;
    let (vertices, has_normals) = (*vertices as usize, *has_normals != 0);
    c.list(group!("keys", "The keys."), count, keys, |c, key| {
        c.item(field!("time", Ty::F32, "When.", unit("frames")), &mut key.time)?;
        let field = field!("positions", VECTOR, "Where the vertices are.");
        c.array(field, vertices, &mut key.positions)?;
        if c.when(has_normals, "has normals") {
            let field = field!("normals", Ty::Word, "Two packed numbers of 16 bits.");
            c.array(field, vertices, key.normals.get_or_insert_default())?;
        }
        Ok(())
    })
}

fn key_count() -> &'static Field {
    field!("count", Ty::U32, "How many keys follow.")
}
