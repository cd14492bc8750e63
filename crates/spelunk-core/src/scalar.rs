//! The field types of [`record!`](crate::record!): unaligned little-endian numbers and the few
//! compound values that formats store.

use crate::field::Ty;
use zerocopy::{
    FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned,
    little_endian::{U32 as LeU32, U64 as LeU64},
};

pub use zerocopy::little_endian::{F32, I16, I32, U16, U32, U64};

/// An unsigned byte.
pub type U8 = u8;
/// Bytes that hold text in the code page of the format.
pub type Text<const N: usize> = Chars<N>;
/// Bytes without a finer description.
pub type Raw<const N: usize> = [u8; N];
/// Unsigned bytes, each a value.
pub type U8s<const N: usize> = Many<u8, N>;
/// Unsigned 2-byte numbers.
pub type U16s<const N: usize> = Many<U16, N>;
/// Single-precision numbers.
pub type F32s<const N: usize> = Many<F32, N>;

/// A type that a record's field can have.
pub trait Scalar {
    /// Type in which the scalar is stored and shown.
    const TY: Ty;
}

macro_rules! scalars {
    ($($type:ty = $ty:expr;)*) => { $(impl Scalar for $type { const TY: Ty = $ty; })* };
}

scalars! {
    u8 = Ty::U8;
    i8 = Ty::I8;
    U16 = Ty::U16;
    I16 = Ty::I16;
    U32 = Ty::U32;
    I32 = Ty::I32;
    U64 = Ty::U64;
    F32 = Ty::F32;
    Word = Ty::Word;
    Word64 = Ty::Word64;
    Guid = Ty::Guid;
    Uuid = Ty::Uuid;
    Hash128 = Ty::Hash128;
}

impl<const N: usize> Scalar for Chars<N> {
    const TY: Ty = Ty::Text;
}

impl<const N: usize> Scalar for [u8; N] {
    const TY: Ty = Ty::Bytes;
}

impl<T: Scalar, const N: usize> Scalar for Many<T, N> {
    const TY: Ty = Ty::Array(&T::TY, N as u32);
}

/// `N` values of one type.
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Debug,
)]
#[repr(transparent)]
pub struct Many<T, const N: usize>(pub [T; N]);

/// `N` bytes of text.
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Debug,
)]
#[repr(transparent)]
pub struct Chars<const N: usize>(pub [u8; N]);

/// 4 bytes that are a version, flags or a hash.
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Debug,
)]
#[repr(transparent)]
pub struct Word(pub LeU32);

impl Word {
    /// The word of this value.
    pub const fn new(value: u32) -> Word {
        Word(LeU32::new(value))
    }

    /// The value.
    pub const fn get(self) -> u32 {
        self.0.get()
    }
}

/// 8 bytes that are flags or a hash.
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Debug,
)]
#[repr(transparent)]
pub struct Word64(pub LeU64);

impl Word64 {
    /// The word of this value.
    pub const fn new(value: u64) -> Word64 {
        Word64(LeU64::new(value))
    }

    /// The value.
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}

/// A GUID of two words.
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Debug,
)]
#[repr(C)]
pub struct Guid {
    /// First word.
    pub d1: LeU32,
    /// Second word.
    pub d2: LeU32,
}

/// A UUID of 16 bytes in text order.
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Hash, Debug,
)]
#[repr(transparent)]
pub struct Uuid(pub [u8; 16]);

/// A 128-bit hash as two words, the high one first.
#[derive(
    FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned, Clone, Copy, PartialEq, Eq, Debug,
)]
#[repr(C)]
pub struct Hash128 {
    /// High half.
    pub high: LeU64,
    /// Low half.
    pub low: LeU64,
}

impl Hash128 {
    /// The stored form of `hash`.
    pub const fn new(hash: u128) -> Hash128 {
        Hash128 { high: LeU64::new((hash >> 64) as u64), low: LeU64::new(hash as u64) }
    }

    /// The hash as one number.
    pub const fn get(self) -> u128 {
        ((self.high.get() as u128) << 64) | self.low.get() as u128
    }
}

/// Fits a number into the type of the field `name`, for writers.
///
/// # Errors
/// [`TOO_LARGE`](crate::codes::TOO_LARGE) when it does not fit.
pub fn fit<T: TryFrom<u64>>(value: u64, name: &'static str) -> crate::Result<T> {
    T::try_from(value).map_err(|_| {
        crate::Error::new(&crate::codes::TOO_LARGE)
            .field(name)
            .expected(format!("a number of {} bytes", size_of::<T>()))
            .found(value)
    })
}
