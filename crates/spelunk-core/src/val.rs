//! Values as walkers see them.

use std::{borrow::Cow, fmt};

/// A value as walkers see it.
#[derive(Clone, PartialEq, Debug)]
pub enum Val<'a> {
    /// No value.
    None,
    /// Yes or no.
    Bool(bool),
    /// An unsigned number.
    U(u64),
    /// A signed number.
    I(i64),
    /// A single-precision number; keeps its bits.
    F(f32),
    /// A version, flags or a hash of 4 bytes.
    Word(u32),
    /// Flags or a hash of 8 bytes.
    Word64(u64),
    /// A GUID of two words.
    Guid(u32, u32),
    /// A UUID in text order.
    Uuid([u8; 16]),
    /// A 128-bit hash, high half first.
    Hash(u64, u64),
    /// Text of the file, in the code page of its format.
    Text(Cow<'a, [u8]>),
    /// Bytes of the file.
    Bytes(Cow<'a, [u8]>),
    /// Text of our own.
    Str(Cow<'a, str>),
    /// A number by which something else is meant: an object, a message, an attribute; and its target, where that
    /// is known.
    Ref(u64, Option<Target<'a>>),
    /// The values of an array, as they are written and set. Walks show them one by one.
    List(Vec<Val<'a>>),
}

/// Meaning of a number.
#[derive(Clone, PartialEq, Debug)]
pub struct Target<'a> {
    /// Kind of the target: a class, `message`.
    pub kind: Cow<'a, str>,
    /// The name as stored, in the code page of the format.
    pub name: Cow<'a, [u8]>,
}

impl Val<'_> {
    /// Bytes that a copy of the value takes besides itself.
    pub fn held(&self) -> usize {
        match self {
            Val::Text(bytes) | Val::Bytes(bytes) => bytes.len(),
            Val::Str(text) => text.len(),
            Val::Ref(_, Some(target)) => target.name.len().saturating_add(target.kind.len()),
            Val::List(items) => {
                let item = |item: &Val<'_>| size_of::<Val<'_>>().saturating_add(item.held());
                items.iter().map(item).fold(0, usize::saturating_add)
            }
            _ => 0,
        }
    }

    /// The value with its own copy of text and bytes.
    pub fn into_owned(self) -> Val<'static> {
        match self {
            Val::Text(bytes) => Val::Text(bytes.into_owned().into()),
            Val::Bytes(bytes) => Val::Bytes(bytes.into_owned().into()),
            Val::Str(text) => Val::Str(text.into_owned().into()),
            Val::List(items) => Val::List(items.into_iter().map(Val::into_owned).collect()),
            Val::None => Val::None,
            Val::Bool(value) => Val::Bool(value),
            Val::U(value) => Val::U(value),
            Val::I(value) => Val::I(value),
            Val::F(value) => Val::F(value),
            Val::Word(value) => Val::Word(value),
            Val::Word64(value) => Val::Word64(value),
            Val::Guid(d1, d2) => Val::Guid(d1, d2),
            Val::Uuid(bytes) => Val::Uuid(bytes),
            Val::Hash(high, low) => Val::Hash(high, low),
            Val::Ref(number, target) => {
                let owned = |target: Target<'_>| Target {
                    kind: target.kind.into_owned().into(),
                    name: target.name.into_owned().into(),
                };
                Val::Ref(number, target.map(owned))
            }
        }
    }
}

/// Writes at most 16 bytes as hexadecimal digits, with a `-` before the bytes at some positions. Listings of packs have
/// several such values in each row, so that the general way would take most of their time.
fn digits(bytes: &[u8], dashes: &[usize], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut text = [0; 36];
    let mut places = text.iter_mut();
    let mut put = |byte| places.next().into_iter().for_each(|place| *place = byte);
    let mut len = 0_usize;
    for (nth, byte) in bytes.iter().enumerate() {
        if dashes.contains(&nth) {
            put(b'-');
            len = len.saturating_add(1);
        }
        for digit in [byte >> 4, byte & 15] {
            put(if digit < 10 { b'0' } else { b'a' - 10 }.saturating_add(digit));
        }
        len = len.saturating_add(2);
    }
    f.write_str(std::str::from_utf8(text.get(..len).unwrap_or_default()).unwrap_or_default())
}

impl fmt::Display for Val<'_> {
    /// A plain form for messages. Tools that show files decode [`Val::Text`] with its code page.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Val::None => f.write_str("nothing"),
            Val::Bool(value) => write!(f, "{value}"),
            Val::U(value) => write!(f, "{value}"),
            Val::I(value) => write!(f, "{value}"),
            Val::F(value) => write!(f, "{value}"),
            Val::Word(value) => write!(f, "{value:#010x}"),
            Val::Word64(value) => write!(f, "{value:#018x}"),
            Val::Guid(d1, d2) => write!(f, "{d1:08x}-{d2:08x}"),
            Val::Uuid(bytes) => digits(bytes, &[4, 6, 8, 10], f),
            Val::Hash(high, low) => {
                digits(&high.to_be_bytes(), &[], f)?;
                digits(&low.to_be_bytes(), &[], f)
            }
            Val::Text(bytes) => write!(f, "\"{}\"", bytes.escape_ascii()),
            Val::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
            Val::Str(text) => f.write_str(text),
            Val::Ref(number, _) => write!(f, "{number}"),
            Val::List(items) => items.iter().enumerate().try_for_each(|(nth, item)| {
                f.write_str(if nth == 0 { "" } else { "," })?;
                fmt::Display::fmt(item, f)
            }),
        }
    }
}

impl From<u64> for Val<'_> {
    fn from(value: u64) -> Self {
        Val::U(value)
    }
}

impl From<u32> for Val<'_> {
    fn from(value: u32) -> Self {
        Val::U(value.into())
    }
}

impl From<i32> for Val<'_> {
    fn from(value: i32) -> Self {
        Val::I(value.into())
    }
}

impl From<usize> for Val<'_> {
    fn from(value: usize) -> Self {
        Val::U(value as u64)
    }
}

/// Numbers of every size that Rust has.
macro_rules! from_numbers {
    ($variant:ident: $($number:ty),*) => {
        $(impl From<$number> for Val<'_> {
            fn from(value: $number) -> Self {
                Val::$variant(value.into())
            }
        })*
    };
}
from_numbers!(U: u8, u16);
from_numbers!(I: i8, i16, i64);
from_numbers!(F: f32);

impl From<f64> for Val<'_> {
    /// The nearest number of single precision, which is what files store: infinity for what is beyond all of these. Text and
    /// JSON of such a number are refused.
    fn from(value: f64) -> Self {
        Val::F(value as f32)
    }
}

impl<'a> From<&'a [u8]> for Val<'a> {
    fn from(value: &'a [u8]) -> Self {
        Val::Bytes(Cow::Borrowed(value))
    }
}

impl From<Vec<u8>> for Val<'_> {
    fn from(value: Vec<u8>) -> Self {
        Val::Bytes(Cow::Owned(value))
    }
}

impl<'a, T: Into<Val<'a>>, const N: usize> From<[T; N]> for Val<'a> {
    fn from(values: [T; N]) -> Self {
        Val::List(values.into_iter().map(Into::into).collect())
    }
}

impl From<bool> for Val<'_> {
    fn from(value: bool) -> Self {
        Val::Bool(value)
    }
}

impl<'a> From<&'a str> for Val<'a> {
    fn from(value: &'a str) -> Self {
        Val::Str(Cow::Borrowed(value))
    }
}

impl From<String> for Val<'_> {
    fn from(value: String) -> Self {
        Val::Str(Cow::Owned(value))
    }
}

impl<'a, T: Into<Val<'a>>> From<Option<T>> for Val<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Val::None, Into::into)
    }
}
