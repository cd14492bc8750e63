//! The values of which layouts consist: arrays that stay where they were read until they are changed, padded
//! buffers, references.

use crate::chunk::read::ObjRef;
use spelunk_core::{Bytes, Ty, scalar::Guid, text::until_nul};
use std::{fmt, marker::PhantomData, ops::Deref};
use zerocopy::{
    FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned,
    little_endian::{F32, I32, U32},
};

/// An element of an array: a little-endian value of a fixed size without alignment.
pub trait Pod:
    FromBytes + IntoBytes + KnownLayout + Immutable + Unaligned + Copy + PartialEq + fmt::Debug
{
}

impl<T> Pod for T where
    T: FromBytes + IntoBytes + KnownLayout + Immutable + Unaligned + Copy + PartialEq + fmt::Debug
{
}

/// Bytes that are kept in the value itself.
const SMALL: usize = 22;

/// Values of one type. What was read stays in the memory of the file, to which the array holds a handle, or in the
/// array itself where it is short; the first change makes a copy.
#[derive(Clone)]
pub struct Array<T>(Repr<T>);

#[derive(Clone)]
enum Repr<T> {
    Kept(Bytes, PhantomData<T>),
    Small(u8, [u8; SMALL]),
    Own(Vec<T>),
}

impl<T> Array<T> {
    /// No values.
    pub const fn new() -> Array<T> {
        Array(Repr::Small(0, [0; SMALL]))
    }
}

impl<T: Pod> Array<T> {
    /// Becomes the values that `bytes`, a part of `owner`, are. Bytes behind the last whole value are left out.
    #[inline]
    pub fn read(&mut self, bytes: &[u8], owner: &Bytes) {
        if !self.read_small(bytes) {
            self.0 = Array::kept(bytes, owner);
        }
    }

    /// Becomes the values that `bytes` are, if they are few. They are written in their place: read back at once, as
    /// moving them would, what was just written in small parts makes processors wait.
    #[inline]
    fn read_small(&mut self, bytes: &[u8]) -> bool {
        if bytes.len() > SMALL {
            return false;
        }
        self.0 = Repr::Small(bytes.len() as u8, [0; SMALL]);
        if let Repr::Small(_, small) = &mut self.0 {
            // Most are whole dwords.
            let (words, odd) = bytes.as_chunks::<4>();
            let (places, _) = small.as_chunks_mut::<4>();
            places.iter_mut().zip(words).for_each(|(to, from)| *to = *from);
            let end = bytes.len().saturating_sub(odd.len());
            small.iter_mut().skip(end).zip(odd).for_each(|(to, from)| *to = *from);
        }
        true
    }

    #[inline(never)]
    fn kept(bytes: &[u8], owner: &Bytes) -> Repr<T> {
        let start = (bytes.as_ptr() as usize).wrapping_sub(owner.as_ptr() as usize) as u64;
        let end = start.saturating_add(bytes.len() as u64);
        match spelunk_core::source::part(owner, start..end) {
            Some(part) if part.as_ptr() == bytes.as_ptr() => Repr::Kept(part, PhantomData),
            // Not a part of the owner after all.
            _ => Repr::Own(values(bytes).to_vec()),
        }
    }

    /// The bytes of the values: those of the file where they lie there, and a copy elsewhere.
    pub fn to_bytes(&self) -> Bytes {
        match &self.0 {
            Repr::Kept(bytes, _) => {
                let odd = bytes.len().checked_rem(size_of::<T>()).unwrap_or_default();
                bytes.slice(..bytes.len().saturating_sub(odd))
            }
            Repr::Small(..) | Repr::Own(_) => Bytes::copy_from_slice(self.as_bytes()),
        }
    }

    /// The values, to be changed.
    pub fn to_mut(&mut self) -> &mut Vec<T> {
        if !matches!(self.0, Repr::Own(_)) {
            self.0 = Repr::Own(self.to_vec());
        }
        match &mut self.0 {
            Repr::Own(values) => values,
            Repr::Kept(..) | Repr::Small(..) => unreachable!("it was made one above"),
        }
    }
}

/// The values that `bytes` are, without the bytes behind the last whole one.
fn values<T: Pod>(bytes: &[u8]) -> &[T] {
    let odd = bytes.len().checked_rem(size_of::<T>()).unwrap_or_default();
    let whole = bytes.get(..bytes.len().saturating_sub(odd)).unwrap_or_default();
    <[T]>::ref_from_bytes(whole).unwrap_or_default()
}

impl<T: Pod> Deref for Array<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Repr::Kept(bytes, _) => values(bytes),
            Repr::Small(len, bytes) => values(bytes.get(..usize::from(*len)).unwrap_or_default()),
            Repr::Own(values) => values,
        }
    }
}

impl<T> Default for Array<T> {
    fn default() -> Array<T> {
        Array::new()
    }
}

impl<T> From<Vec<T>> for Array<T> {
    fn from(values: Vec<T>) -> Array<T> {
        Array(Repr::Own(values))
    }
}

impl<T: Pod> From<&[T]> for Array<T> {
    fn from(values: &[T]) -> Array<T> {
        let mut array = Array::new();
        if !array.read_small(values.as_bytes()) {
            array.0 = Repr::Own(values.to_vec());
        }
        array
    }
}

impl<T: Pod> PartialEq for Array<T> {
    fn eq(&self, other: &Array<T>) -> bool {
        // By their bytes, so that numbers that are none are equal to themselves.
        self.as_bytes() == other.as_bytes()
    }
}

impl<T: Pod> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Values that are filled up to whole dwords.
#[derive(Clone, PartialEq, Debug)]
pub struct Padded<T: Pod> {
    /// The values.
    pub items: Array<T>,
    /// Bytes that fill up the last dword; as many count as are needed. Left-over memory in real files.
    pub padding: [u8; 3],
}

impl<T: Pod> Default for Padded<T> {
    fn default() -> Padded<T> {
        Padded { items: Array::new(), padding: [0; 3] }
    }
}

impl<T: Pod> From<Vec<T>> for Padded<T> {
    fn from(items: Vec<T>) -> Padded<T> {
        Padded { items: items.into(), padding: [0; 3] }
    }
}

/// Bytes of any number.
pub type Buffer = Padded<u8>;

/// A string as stored: with its NUL, in the code page of the author. Without bytes it is the null string.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Text(pub Buffer);

impl Text {
    /// A string of these bytes, to which the NUL is added.
    pub fn new(text: &[u8]) -> Text {
        Text(text.iter().copied().chain([0]).collect::<Vec<u8>>().into())
    }

    /// The bytes before the first NUL.
    pub fn text(&self) -> &[u8] {
        until_nul(&self.0.items)
    }

    /// Whether it is the null string, which has no bytes at all; the empty one has its NUL.
    pub fn is_null(&self) -> bool {
        self.0.items.is_empty()
    }

    /// Whether [`Text::new`] makes the same bytes of the text.
    pub fn is_plain(&self) -> bool {
        self.0.padding == [0; 3] && self.0.items.split_last() == Some((&0, self.text()))
    }
}

/// A reference to an object as stored: a position in the object table in chunks in file mode, the id that the object
/// had when it was saved elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Reference {
    /// The dword.
    pub value: u32,
    /// Whether the IDS list has it although it is 0, as those of chunks that were kept and written again do.
    pub listed: bool,
}

impl Reference {
    /// A reference to the object at a position of the table, for chunks in file mode.
    pub const fn index(index: u32) -> Reference {
        Reference { value: index, listed: false }
    }

    /// The reference that refers to nothing.
    pub const fn null(file_mode: bool) -> Reference {
        Reference { value: if file_mode { u32::MAX } else { 0 }, listed: false }
    }

    /// Target of the reference.
    pub const fn get(self, file_mode: bool) -> ObjRef {
        ObjRef::of(self.value, file_mode)
    }
}

/// A number of a manager.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ManagerInt {
    /// The manager, as `d1` and `d2`.
    pub manager: [u32; 2],
    /// The number.
    pub value: u32,
}

/// Numbers of one manager.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ManagerInts {
    /// The manager, as `d1` and `d2`.
    pub manager: [u32; 2],
    /// The numbers.
    pub values: Array<U32>,
}

/// A single value of one or more dwords.
pub trait DwordValue: Copy + Default {
    /// The value as stored.
    type Stored: Pod;

    /// The value that is stored like this.
    fn of(stored: Self::Stored) -> Self;

    /// The value as it is stored.
    fn stored(self) -> Self::Stored;
}

macro_rules! items {
    ($($item:ty: $stored:ty;)*) => { $(impl DwordValue for $item {
        type Stored = $stored;

        #[inline]
        fn of(stored: $stored) -> $item {
            stored.get()
        }

        #[inline]
        fn stored(self) -> $stored {
            <$stored>::new(self)
        }
    })* };
}

items! {
    u32: U32;
    i32: I32;
    f32: F32;
}

impl<T: DwordValue, const N: usize> DwordValue for [T; N]
where
    [T; N]: Default,
{
    type Stored = [T::Stored; N];

    #[inline]
    fn of(stored: [T::Stored; N]) -> [T; N] {
        stored.map(T::of)
    }

    #[inline]
    fn stored(self) -> [T::Stored; N] {
        self.map(T::stored)
    }
}

/// A GUID as two numbers, `d1` then `d2`.
pub(crate) const fn guid([d1, d2]: [u32; 2]) -> Guid {
    Guid { d1: U32::new(d1), d2: U32::new(d2) }
}

/// Whether values of this type are shown as a list of its items.
pub(crate) const fn is_list(ty: Ty) -> Option<Ty> {
    match ty {
        Ty::Array(item, _) | Ty::Rest(item) => Some(*item),
        _ => None,
    }
}
