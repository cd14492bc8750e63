//! Layouts of what chunks hold, described once (`docs/formats/virtools-classes.md#1-notation`).
//!
//! A layout is one function over a [`Codec`]. Run by a [`Reader`](read::Reader) it makes a value of a chunk, by a
//! [`Writer`](write::Writer) a chunk of a value; a [`Walker`](walk::Walker) shows its fields, and a
//! [`Visitor`](visit::Visitor) its references, and a [`Filler`](fill::Filler) changes them. So none of them can drift from the
//! others. What is to be seen of a field in models of other programs stands in the [scene](crate::scene) too, which is what exporters
//! and importers go by.
//!
//! ```
//! use spelunk_core::{Field, Record, Ty};
//! use virtools::codec::{Codec, Coded, Layout, Reference};
//!
//! static LINK: Record = Record::group("link", "docs/formats/virtools-classes.md", "A link.");
//! static DELAY: Field = Field::new("delay", Ty::U32, "Frames before it activates.");
//! static SOURCE: Field = Field::new("source", Ty::U32, "Where it starts.");
//!
//! #[derive(Default)]
//! struct Link {
//!     link: Option<(u32, Reference)>,
//! }
//!
//! impl Layout for Link {
//!     fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
//!         c.section(0x20, &LINK, &mut self.link, |c, (delay, source)| {
//!             c.item(&DELAY, delay)?;
//!             c.object(&SOURCE, source)
//!         })
//!     }
//! }
//! ```

mod complete;
pub mod fill;
pub mod names;
mod opaque;
pub mod read;
pub(crate) mod relink;
pub mod tree;
mod value;
pub mod visit;
pub mod walk;
pub mod write;

use crate::chunk::buffer::{ChunkBuf, Header};
pub use opaque::Opaque;
use spelunk_core::{Error, Field, Record, field::Described};
pub(crate) use value::guid;
pub use value::{Array, Buffer, DwordValue, ManagerInt, ManagerInts, Padded, Pod, Reference, Text};
use zerocopy::little_endian::U32;

/// A value whose chunk has a layout.
pub trait Layout: Default {
    /// Runs a codec over the value, section by section in the order in which engines write them.
    ///
    /// # Errors
    /// What the codec gives.
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C>;
}

impl<T: Layout> Layout for Box<T> {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.as_mut().layout(c)
    }
}

/// Result of a layout.
pub type Coded<C> = Result<(), <C as Codec>::Stop>;

/// Runs a layout over a value. What a call does to the value is the interpreter's: a reader fills it, a writer and
/// a walker take from it.
pub trait Codec: Sized {
    /// Why a run ends before its end.
    type Stop: From<Error>;

    /// Data version, chunk version and mode of the chunk, which decide between layouts.
    fn header(&self) -> &Header;

    /// A section: an identifier and what follows it up to the next one. `None` where the chunk has no such section.
    ///
    /// # Errors
    /// What `inside` gives, and limits. A reader that meets damage keeps the section as it is and goes on.
    fn section<T: Default>(
        &mut self,
        identifier: u32,
        record: &'static Record,
        value: &mut Option<T>,
        inside: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self>;

    /// Fields that belong together inside a section.
    ///
    /// # Errors
    /// What `inside` gives.
    fn group(
        &mut self,
        record: &'static Record,
        mut inside: impl FnMut(&mut Self) -> Coded<Self>,
    ) -> Coded<Self> {
        let _ = record;
        inside(self)
    }

    /// A section that says something by being there.
    ///
    /// # Errors
    /// As [`Codec::section`].
    fn flag(&mut self, identifier: u32, field: &'static Field, value: &mut bool) -> Coded<Self>;

    /// A value of one or more dwords.
    ///
    /// # Errors
    /// Where the section ends before it.
    fn item<T: DwordValue>(&mut self, field: &'static Field, value: &mut T) -> Coded<Self>;

    /// A count of what follows. Gives the one to go on with: the stored one, or `len`, that of the value.
    ///
    /// # Errors
    /// Where the section ends before it, or has no room for so many.
    fn count(&mut self, field: &'static Field, len: usize) -> Result<usize, Self::Stop>;

    /// The fields of a fixed record.
    ///
    /// # Errors
    /// Where the section ends before its last one.
    fn record<T: Described + Pod>(&mut self, value: &mut T) -> Coded<Self>;

    /// `count` values of one type that take whole dwords. The type of the field is that of one value.
    ///
    /// # Errors
    /// Where the section ends before the last one; where a value to be written has another number of them.
    fn array<T: Pod>(
        &mut self,
        field: &'static Field,
        count: usize,
        value: &mut Array<T>,
    ) -> Coded<Self>;

    /// `count` fixed records.
    ///
    /// # Errors
    /// As [`Codec::array`].
    fn records<T: Described + Pod>(
        &mut self,
        name: &'static str,
        count: usize,
        value: &mut Array<T>,
    ) -> Coded<Self>;

    /// `count` values of one type, filled up to whole dwords.
    ///
    /// # Errors
    /// As [`Codec::array`].
    fn padded<T: Pod>(
        &mut self,
        field: &'static Field,
        count: usize,
        value: &mut Padded<T>,
    ) -> Coded<Self>;

    /// A length in bytes and so many bytes, filled up to whole dwords, which are values of one type.
    ///
    /// # Errors
    /// Where the section ends before the last one, or the length is none of whole values.
    fn buffer<T: Pod>(&mut self, field: &'static Field, value: &mut Padded<T>) -> Coded<Self>;

    /// A buffer that holds one value of the field's type, some of them, or something else.
    ///
    /// # Errors
    /// Where the section ends before its end.
    fn typed(&mut self, field: impl Fn() -> &'static Field, value: &mut Buffer) -> Coded<Self> {
        self.buffer(field(), value)
    }

    /// A string: as [`Codec::buffer`].
    ///
    /// # Errors
    /// Where the section ends before its end.
    fn text(&mut self, field: &'static Field, value: &mut Text) -> Coded<Self>;

    /// `count` items, each with a layout of its own.
    ///
    /// # Errors
    /// What `each` gives; where a value to be written has another number of them.
    fn list<T: Default>(
        &mut self,
        record: &'static Record,
        count: usize,
        value: &mut Vec<T>,
        each: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self>;

    /// A reference to an object.
    ///
    /// # Errors
    /// Where the section ends before it.
    fn object(&mut self, field: &'static Field, value: &mut Reference) -> Coded<Self>;

    /// A count and so many references. The values are those of [`Reference::value`].
    ///
    /// # Errors
    /// Where the section ends before the last one.
    fn objects(&mut self, field: &'static Field, value: &mut Array<U32>) -> Coded<Self>;

    /// As [`Codec::objects`], where each reference belongs to an item of another list.
    ///
    /// # Errors
    /// Where the section ends before the last one.
    fn parallel(&mut self, field: &'static Field, value: &mut Array<U32>) -> Coded<Self> {
        self.objects(field, value)
    }

    /// A manager and one of its numbers.
    ///
    /// # Errors
    /// Where the section ends before it.
    fn manager_int(&mut self, field: &'static Field, value: &mut ManagerInt) -> Coded<Self>;

    /// A count, a manager and so many of its numbers.
    ///
    /// # Errors
    /// Where the section ends before the last one.
    fn manager_ints(&mut self, field: &'static Field, value: &mut ManagerInts) -> Coded<Self>;

    /// A sub-chunk with a layout of its own; `None` for a null one.
    ///
    /// # Errors
    /// Where its sizes do not fit; what its layout gives.
    fn sub_chunk<T: Layout>(
        &mut self,
        record: &'static Record,
        value: &mut Option<Box<Saved<T>>>,
    ) -> Coded<Self>;

    /// A count and so many sub-chunks, which are listed as one sequence.
    ///
    /// # Errors
    /// As [`Codec::sub_chunk`].
    fn sub_chunks<T: Layout>(
        &mut self,
        record: &'static Record,
        value: &mut Vec<Option<Box<Saved<T>>>>,
    ) -> Coded<Self>;

    /// A sub-chunk of which nothing is known; `None` for a null one.
    ///
    /// # Errors
    /// Where its sizes do not fit.
    fn opaque(&mut self, record: &'static Record, value: &mut Option<Opaque>) -> Coded<Self>;

    /// A size in dwords of what `inside` lays out; where it is `own`, it counts itself too.
    ///
    /// # Errors
    /// What `inside` gives; where it takes another number of dwords.
    fn sized(
        &mut self,
        field: &'static Field,
        own: bool,
        inside: impl FnMut(&mut Self) -> Coded<Self>,
    ) -> Coded<Self>;

    /// The next dword, which stays the next one; `None` at the end of the section. `known` where the value gives it.
    /// `name` is what the field is called.
    fn peek(&self, name: &'static str, known: Option<u32>) -> Option<u32> {
        let _ = name;
        known
    }

    /// Distinguishes layouts that differ by nothing but the stored dwords: what `look` says of those that are left,
    /// or `known`, where the value gives it. `name` is the field that is there if so.
    fn detect(&self, name: &'static str, known: bool, look: impl FnOnce(&[U32]) -> bool) -> bool {
        let _ = (name, look);
        known
    }

    /// A number that is not stored on its own, but decides which layout another one has.
    ///
    /// # Errors
    /// What the interpreter gives.
    fn note(&mut self, field: &'static Field, value: u32) -> Coded<Self> {
        let _ = (field, value);
        Ok(())
    }

    /// A number that people need and the value does not, such as the position of an item that has a name.
    ///
    /// # Errors
    /// What the interpreter gives.
    fn label(&mut self, field: &'static Field, value: u32) -> Coded<Self> {
        let _ = (field, value);
        Ok(())
    }

    /// Names of the items of the list that follows, by their positions.
    fn item_names(&mut self, names: &'static [(i64, &'static str)]) {
        let _ = names;
    }

    /// Dwords up to the end of the section: as many as are left to be read, or `len`, as many as the value holds.
    fn remaining(&self, len: usize) -> usize;

    /// Whether what follows is there. `why` is the condition where a layout is described.
    fn when(&mut self, condition: bool, why: &'static str) -> bool {
        let _ = why;
        condition
    }

    /// The data version.
    fn version(&self) -> u8 {
        let [version, ..] = self.header().versions.to_le_bytes();
        version
    }

    /// A count and so many items, each with a layout of its own.
    ///
    /// # Errors
    /// As [`Codec::list`].
    fn counted<T: Default>(
        &mut self,
        field: &'static Field,
        record: &'static Record,
        value: &mut Vec<T>,
        each: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        let count = self.count(field, value.len())?;
        self.list(record, count, value, each)
    }
}

/// A value with what its layout says nothing of, so that the same chunk can be made of it.
#[derive(Clone, Debug)]
pub struct Saved<T> {
    /// Head of the chunk.
    pub header: Header,
    /// The value.
    pub value: T,
    /// Further content of the chunk; nothing in most.
    pub extras: Option<Box<Extras>>,
}

impl<T: Default> Saved<T> {
    /// A value of its own.
    pub const fn new(header: Header, value: T) -> Saved<T> {
        Saved { header, value, extras: None }
    }
}

impl<T: Default> Default for Saved<T> {
    fn default() -> Saved<T> {
        Saved::new(Header::object(0), T::default())
    }
}

/// Content of a chunk besides the fields that a layout knows.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Extras {
    /// All identifiers in the order in which they are stored. Those that are known and not named here follow.
    pub order: Vec<u32>,
    /// Sections that the layout does not know, or does not fit, in their order.
    pub unknown: Vec<Unknown>,
    /// Dwords behind the fields that the layout knows of a section, under the section's identifier.
    pub rests: Vec<Unknown>,
    /// Bytes behind the lists.
    pub rest: Vec<u8>,
}

/// A section, or the end of one, as it is stored.
#[derive(Clone, PartialEq, Debug)]
pub struct Unknown {
    /// Identifier of the section.
    pub identifier: u32,
    /// The dwords, with the entries of lists that point into them.
    pub content: ChunkBuf,
}

/// Describes a field where it is laid out.
macro_rules! field {
    ($name:literal, $ty:expr, $doc:literal $(, $method:ident($arg:expr))* $(,)?) => {{
        static FIELD: spelunk_core::Field =
            spelunk_core::Field::new($name, $ty, $doc)$(.$method($arg))*;
        &FIELD
    }};
}

/// Describes a group of fields where it is laid out. The module's `PAGE` is where it is documented.
macro_rules! group {
    ($name:literal, $doc:literal $(,)?) => {{
        static RECORD: spelunk_core::Record = spelunk_core::Record::group($name, PAGE, $doc);
        &RECORD
    }};
}

pub(crate) use {field, group};
