//! Field descriptions: what a value is called, how it is stored, what it means.
//!
//! A layout is described once, as data. Reader, writer, printer, diff, JSON and documentation take
//! names, types and meanings from here.

pub use crate::val::{Target, Val};
use std::{borrow::Cow, fmt};

/// Storage and presentation of a field. All integers are little-endian.
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
    /// Position of the field of that table that is meant.
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

/// State of knowledge about the bytes of a field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Bytes with a known meaning.
    Understood,
    /// Bytes that fill a gap and mean nothing.
    Padding,
    /// Bytes with a known place, but not a known meaning.
    Opaque,
    /// Packed bytes, which inflate to fields of their own.
    Packed,
}

/// The unit of a word that is a colour: alpha, red, green and blue, from the highest byte to the lowest.
pub const ARGB: &str = "argb";

/// Description of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The format's own term, in lower case with underscores; the key in JSON.
    pub name: &'static str,
    /// Storage type.
    pub ty: Ty,
    /// Unit of the value (`bytes`, `ms`, `percent`, [`ARGB`]), or empty.
    pub unit: &'static str,
    /// Description in one or two sentences.
    pub doc: &'static str,
    /// Names of known values. The set is open: others are legal.
    pub values: &'static [(i64, &'static str)],
    /// Names of the bits of a bit set, by their masks. The set is open too.
    pub bits: &'static [(u32, &'static str)],
    /// The numbers of which a packed word consists, beside the bits that have names.
    pub parts: &'static [BitField],
    /// Names of known GUIDs. The set is open as well.
    pub guids: Option<&'static GuidNames>,
    /// Target of the reference in the field.
    pub refers: Option<Refers>,
    /// State of knowledge about the bytes.
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
    pub const fn parts(self, parts: &'static [BitField]) -> Field {
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

/// A number that takes some of the bits of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    /// Number of its lowest bit.
    pub shift: u32,
    /// Number of bits, 1 to 31.
    pub width: u32,
    /// Description of the number; its type has at least as many bits.
    pub field: Field,
}

impl BitField {
    /// The unsigned number in `width` bits from bit `shift` on. Made for constants, where a part that does not fit into 32 bits
    /// does not compile.
    ///
    /// # Panics
    /// For such a part, and one without bits.
    pub const fn new(name: &'static str, shift: u32, width: u32, doc: &'static str) -> BitField {
        assert!(width > 0 && width < 32 && shift.saturating_add(width) <= 32, "a part of a word");
        let ty = match width {
            0..=8 => Ty::U8,
            9..=16 => Ty::U16,
            _ => Ty::U32,
        };
        BitField { shift, width, field: Field::new(name, ty, doc) }
    }

    /// The part as a signed number.
    #[must_use]
    pub const fn signed(self) -> BitField {
        let ty = match self.field.ty {
            Ty::U8 => Ty::I8,
            Ty::U16 => Ty::I16,
            _ => Ty::I32,
        };
        BitField { field: Field { ty, ..self.field }, ..self }
    }

    /// The part with these names of its values.
    #[must_use]
    pub const fn values(self, values: &'static [(i64, &'static str)]) -> BitField {
        BitField { field: self.field.values(values), ..self }
    }

    /// The part with this unit.
    #[must_use]
    pub const fn unit(self, unit: &'static str) -> BitField {
        BitField { field: self.field.unit(unit), ..self }
    }

    /// The bits of the word that it takes.
    pub const fn mask(&self) -> u32 {
        u32::MAX.unbounded_shr(32_u32.saturating_sub(self.width)).unbounded_shl(self.shift)
    }

    /// The bits of the part in a word, moved down to bit 0.
    pub const fn of(&self, word: u32) -> u32 {
        (word & self.mask()).unbounded_shr(self.shift)
    }

    /// The word with other bits for the part, of which the lowest `width` count.
    #[must_use]
    pub const fn put(&self, word: u32, bits: u32) -> u32 {
        word & !self.mask() | bits.unbounded_shl(self.shift) & self.mask()
    }

    /// The value of the part in a word.
    pub fn value(&self, word: u32) -> Val<'static> {
        let bits = self.of(word);
        match self.field.ty {
            Ty::I8 | Ty::I16 | Ty::I32 => {
                let unused = 32_u32.saturating_sub(self.width);
                let top = bits.unbounded_shl(unused).cast_signed();
                Val::I(top.unbounded_shr(unused).into())
            }
            _ => Val::U(bits.into()),
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
    /// Description of the record.
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
