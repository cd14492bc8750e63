//! Field descriptions: what a value is called, how it is stored, what it means.
//!
//! A layout is described once, as data. Reader, writer, printer, diff, JSON and documentation take
//! names, types and meanings from here.

use crate::{Error, Result, codes, value::Part};
use std::{borrow::Cow, fmt};

/// How a field is stored and shown. All integers are little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    /// Unsigned, 1 byte.
    U8,
    /// Signed, 1 byte.
    I8,
    /// Unsigned, 2 bytes.
    U16,
    /// Signed, 2 bytes.
    I16,
    /// Unsigned, 4 bytes.
    U32,
    /// Signed, 4 bytes.
    I32,
    /// Unsigned, 8 bytes.
    U64,
    /// IEEE 754 single precision, 4 bytes.
    F32,
    /// 4 bytes that are a version, flags or a hash: shown as eight hexadecimal digits.
    Word,
    /// 8 bytes that are flags or a hash: shown as sixteen hexadecimal digits.
    Word64,
    /// A GUID of two 4-byte words, `d1` then `d2`.
    Guid,
    /// A UUID of 16 bytes in text order.
    Uuid,
    /// A 128-bit hash as two 8-byte words, the high one first.
    Hash128,
    /// Text bytes in the code page of the format; as long as their place says.
    Text,
    /// Bytes without a finer description; as long as their place says.
    Bytes,
    /// A fixed number of values of one type.
    Array(&'static Ty, u32),
    /// Values of one type up to the end of the record.
    Rest(&'static Ty),
    /// Not stored in this form: yes or no.
    Bool,
    /// Not stored in this form: text of our own, UTF-8.
    Str,
}

impl Ty {
    /// The least and the greatest integer of a type of up to four bytes.
    pub const fn range(&self) -> Option<std::ops::RangeInclusive<i64>> {
        Some(match self {
            Ty::U8 => 0..=u8::MAX as i64,
            Ty::I8 => i8::MIN as i64..=i8::MAX as i64,
            Ty::U16 => 0..=u16::MAX as i64,
            Ty::I16 => i16::MIN as i64..=i16::MAX as i64,
            Ty::U32 => 0..=u32::MAX as i64,
            Ty::I32 => i32::MIN as i64..=i32::MAX as i64,
            _ => return None,
        })
    }
}

impl Ty {
    /// Stored size in bytes; `None` where the place decides.
    pub const fn size(self) -> Option<u32> {
        match self {
            Ty::U8 | Ty::I8 => Some(1),
            Ty::U16 | Ty::I16 => Some(2),
            Ty::U32 | Ty::I32 | Ty::F32 | Ty::Word => Some(4),
            Ty::U64 | Ty::Word64 | Ty::Guid => Some(8),
            Ty::Uuid | Ty::Hash128 => Some(16),
            Ty::Array(item, count) => match item.size() {
                Some(size) => size.checked_mul(count),
                None => None,
            },
            Ty::Text | Ty::Bytes | Ty::Rest(_) | Ty::Bool | Ty::Str => None,
        }
    }

    /// The type's short name, as `show` and the JSON schema print it.
    pub const fn name(self) -> &'static str {
        match self {
            Ty::U8 => "u8",
            Ty::I8 => "i8",
            Ty::U16 => "u16",
            Ty::I16 => "i16",
            Ty::U32 => "u32",
            Ty::I32 => "i32",
            Ty::U64 => "u64",
            Ty::F32 => "f32",
            Ty::Word => "word",
            Ty::Word64 => "word64",
            Ty::Guid => "guid",
            Ty::Uuid => "uuid",
            Ty::Hash128 => "hash128",
            Ty::Text => "text",
            Ty::Bytes => "bytes",
            Ty::Array(..) | Ty::Rest(_) => "array",
            Ty::Bool => "bool",
            Ty::Str => "string",
        }
    }

    /// The value that `bytes` hold, of an array the list of those that they are enough for; [`Val::None`] when they are too
    /// few, or the type is never stored.
    pub fn decode(self, bytes: &[u8]) -> Val<'_> {
        fn word<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
            bytes.first_chunk::<N>().copied()
        }
        let unsigned = |n: u64| Some(Val::U(n));
        let signed = |n: i64| Some(Val::I(n));
        let value = match self {
            Ty::U8 => word(bytes).map(u8::from_le_bytes).map(u64::from).and_then(unsigned),
            Ty::U16 => word(bytes).map(u16::from_le_bytes).map(u64::from).and_then(unsigned),
            Ty::U32 => word(bytes).map(u32::from_le_bytes).map(u64::from).and_then(unsigned),
            Ty::U64 => word(bytes).map(u64::from_le_bytes).and_then(unsigned),
            Ty::I8 => word(bytes).map(i8::from_le_bytes).map(i64::from).and_then(signed),
            Ty::I16 => word(bytes).map(i16::from_le_bytes).map(i64::from).and_then(signed),
            Ty::I32 => word(bytes).map(i32::from_le_bytes).map(i64::from).and_then(signed),
            Ty::F32 => word(bytes).map(f32::from_le_bytes).map(Val::F),
            Ty::Word => word(bytes).map(u32::from_le_bytes).map(Val::Word),
            Ty::Word64 => word(bytes).map(u64::from_le_bytes).map(Val::Word64),
            Ty::Guid => word::<8>(bytes).map(|all| {
                let [a, b, c, d, e, f, g, h] = all;
                Val::Guid(u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]))
            }),
            Ty::Uuid => word(bytes).map(Val::Uuid),
            Ty::Hash128 => bytes.split_at_checked(8).and_then(|(high, low)| {
                Some(Val::Hash(u64::from_le_bytes(word(high)?), u64::from_le_bytes(word(low)?)))
            }),
            Ty::Text => Some(Val::Text(Cow::Borrowed(bytes))),
            Ty::Bytes => Some(Val::Bytes(Cow::Borrowed(bytes))),
            Ty::Array(item, _) | Ty::Rest(item) => {
                let size = item.size().filter(|size| *size > 0).map(|size| size as usize);
                size.map(|size| {
                    Val::List(bytes.chunks_exact(size).map(|it| item.decode(it)).collect())
                })
            }
            Ty::Bool | Ty::Str => None,
        };
        value.unwrap_or(Val::None)
    }
}

/// A field that refers to rows of another table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refers {
    /// The table, in the format's own numbering.
    pub table: u16,
    /// Which field of that table is meant, by its position.
    pub field: u16,
    /// Whether 0 means "no reference"; of keys of two fields where both are 0.
    pub zero_is_none: bool,
    /// The field is a reference only where the field at this position has one of these values.
    pub when: Option<(u16, &'static [i64])>,
    /// The row that is meant is one whose field at the second position has the value that the field at the first position
    /// has here, for keys of two fields.
    pub with: Option<(u16, u16)>,
}

/// Names of things that are known by GUIDs, in both directions.
#[derive(Clone, Copy)]
pub struct GuidNames {
    /// The name of a GUID, given as `d1` and `d2`; `None` for one that has no name.
    pub name: fn([u32; 2]) -> Option<&'static str>,
    /// The one GUID with a name, ASCII case ignored; `None` where no thing has it, or more than one.
    pub guid: fn(&str) -> Option<[u32; 2]>,
}

impl fmt::Debug for GuidNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GuidNames")
    }
}

/// Tables of names are `static`s, and equal only to themselves.
impl PartialEq for GuidNames {
    fn eq(&self, other: &GuidNames) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for GuidNames {}

/// What is known of the bytes of a field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// What they mean.
    Understood,
    /// That they fill a gap and mean nothing.
    Padding,
    /// Where they belong, but not what they mean.
    Opaque,
    /// What they inflate to, which has fields of its own.
    Packed,
}

/// The unit of a word that is a colour: alpha, red, green and blue, from the highest byte to the lowest.
pub const ARGB: &str = "argb";

/// One field, described once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The format's own term, in lower case with underscores; the key in JSON.
    pub name: &'static str,
    /// How it is stored.
    pub ty: Ty,
    /// Unit of the value (`bytes`, `ms`, `percent`, [`ARGB`]), or empty.
    pub unit: &'static str,
    /// What it is: one or two sentences.
    pub doc: &'static str,
    /// Names of known values. The set is open: others are legal.
    pub values: &'static [(i64, &'static str)],
    /// Names of the bits of a bit set, by their masks. The set is open too.
    pub bits: &'static [(u32, &'static str)],
    /// The numbers of which a packed word consists, beside the bits that have names.
    pub parts: &'static [Part],
    /// Names of known GUIDs. The set is open as well.
    pub guids: Option<&'static GuidNames>,
    /// What it refers to.
    pub refers: Option<Refers>,
    /// What is known of its bytes.
    pub role: Role,
}

impl Field {
    /// A field without unit, value names and reference. Bytes are opaque, what has another type is understood.
    pub const fn new(name: &'static str, ty: Ty, doc: &'static str) -> Field {
        let role = match ty {
            Ty::Bytes => Role::Opaque,
            _ => Role::Understood,
        };
        Field {
            name,
            ty,
            unit: "",
            doc,
            values: &[],
            bits: &[],
            parts: &[],
            guids: None,
            refers: None,
            role,
        }
    }

    /// The field with this to be known of its bytes.
    #[must_use]
    pub const fn role(self, role: Role) -> Field {
        Field { role, ..self }
    }

    /// The field with this unit.
    #[must_use]
    pub const fn unit(self, unit: &'static str) -> Field {
        Field { unit, ..self }
    }

    /// The field with these value names.
    #[must_use]
    pub const fn values(self, values: &'static [(i64, &'static str)]) -> Field {
        Field { values, ..self }
    }

    /// The field with these names of bits.
    #[must_use]
    pub const fn bits(self, bits: &'static [(u32, &'static str)]) -> Field {
        Field { bits, ..self }
    }

    /// The field with these parts of a packed word.
    #[must_use]
    pub const fn parts(self, parts: &'static [Part]) -> Field {
        Field { parts, ..self }
    }

    /// The field with these names of GUIDs.
    #[must_use]
    pub const fn guids(self, guids: &'static GuidNames) -> Field {
        Field { guids: Some(guids), ..self }
    }

    /// The field under another name, for listings that call it differently.
    #[must_use]
    pub const fn named(self, name: &'static str) -> Field {
        Field { name, ..self }
    }

    /// The description of one value of an array; the field itself where it is none.
    #[must_use]
    pub const fn item(&self) -> Field {
        match self.ty {
            Ty::Array(item, _) | Ty::Rest(item) => Field { ty: *item, ..*self },
            _ => *self,
        }
    }
}

/// A field and its place in a fixed record, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Offset from the start of the record.
    pub offset: u32,
    /// Stored size; ignored for [`Ty::Rest`].
    pub size: u32,
    /// The field.
    pub field: Field,
}

impl Slot {
    /// The place in the record.
    pub const fn range(&self) -> std::ops::Range<usize> {
        self.offset as usize..self.offset.saturating_add(self.size) as usize
    }
}

/// A named group of fields: a fixed record with all of its fields, or a group whose fields are walked
/// by code (`fields` is empty then and `size` is 0).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The format's own term.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Page and section of this repository's documentation.
    pub page: &'static str,
    /// Size in bytes; 0 where it varies.
    pub size: u32,
    /// Positions in `fields` of the key, most significant first; empty where rows have none.
    pub key: &'static [u16],
    /// The fields in the order of their offsets.
    pub fields: &'static [Slot],
}

impl Record {
    /// A group whose fields are walked by code.
    pub const fn group(name: &'static str, page: &'static str, doc: &'static str) -> Record {
        Record { name, doc, page, size: 0, key: &[], fields: &[] }
    }

    /// The description of the field `name`, for listings that show it elsewhere. Made for `static`s and
    /// `const`s, where a name that the record lacks does not compile.
    ///
    /// # Panics
    /// Where the record has no such field.
    #[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "const evaluation")]
    pub const fn field(&self, name: &str) -> Field {
        let mut nth = 0;
        while nth < self.fields.len() {
            if same(self.fields[nth].field.name, name) {
                return self.fields[nth].field;
            }
            nth += 1;
        }
        panic!("the record has no field of this name")
    }
}

/// Whether two texts are the same, in constants.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "const evaluation")]
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut nth = 0;
    while nth < a.len() && nth < b.len() && a[nth] == b[nth] {
        nth += 1;
    }
    nth == a.len() && nth == b.len()
}

/// A struct over a fixed record, made by [`record!`](crate::record!).
pub trait Described:
    zerocopy::FromBytes
    + zerocopy::IntoBytes
    + zerocopy::KnownLayout
    + zerocopy::Immutable
    + zerocopy::Unaligned
{
    /// The description of the record.
    const RECORD: &'static Record;
}

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
    /// A number by which something else is meant: an object, a message, an attribute; and what it is, where that
    /// is known.
    Ref(u64, Option<Target<'a>>),
    /// The values of an array, as they are written and set. Walks tell them one by one.
    List(Vec<Val<'a>>),
}

/// What a number means.
#[derive(Clone, PartialEq, Debug)]
pub struct Target<'a> {
    /// What kind of thing it is: a class, `message`.
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

    /// Agrees to tell the value beside what is open: as it is shown, in small letters, and in a copy that is kept. ASCII is shown
    /// as it is stored; other bytes may become three, which may become three times as many in small letters.
    ///
    /// # Errors
    /// [`MEMORY`](codes::MEMORY) where a text may take more than `most` bytes of memory then.
    pub fn told_within(&self, most: u64) -> Result<()> {
        let text: &[u8] = match self {
            Val::Text(bytes) => bytes,
            Val::Str(text) => text.as_bytes(),
            Val::Ref(_, Some(target)) => &target.name,
            _ => return Ok(()),
        };
        let taken = (text.len() as u64).saturating_mul(if text.is_ascii() { 2 } else { 13 });
        if taken <= most {
            return Ok(());
        }
        let error = Error::new(&codes::MEMORY).expected(format!("at most {most} bytes"));
        Err(error.found(format!("a text that takes {taken}")))
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
