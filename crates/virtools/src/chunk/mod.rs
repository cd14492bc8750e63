//! CKStateChunks: the saved state of objects and managers (`docs/formats/virtools.md#11-chunks`).
//!
//! A chunk is a run of dwords, its data, with up to three lists beside it that say which of these dwords
//! are ids of objects, sub-chunks and numbers of managers. Four generations store it in different ways;
//! [`Form`] distinguishes them, and [`Chunk`] is one view of them all.

pub mod bitmap;
pub mod buffer;
pub mod build;
pub mod decoded;
pub mod describe;
pub mod edit;
pub mod header;
pub mod item;
pub mod list;
pub mod old;
pub mod path;
pub mod prototype;
pub mod read;
pub mod remap;
pub mod section;
#[cfg(test)]
mod tests;
pub mod variables;
mod verify;
pub mod viewer;
pub mod visit;

use crate::codes;
use list::{List, ListKind};
use section::{Section, Sections, bit_of};
use spelunk_core::{Error, Result, Span};
pub use verify::is_surely_sound;
use zerocopy::{FromBytes, little_endian::U32};

/// The highest chunk version whose layout is known.
pub const LAST_VERSION: u8 = 7;

/// Option bit of generation C: the IDS list follows the data.
pub const OPTION_IDS: u8 = 0x01;
/// Option bit of generation C: the MAN list follows the data.
pub const OPTION_MAN: u8 = 0x02;
/// Option bit of generation C: the CHN list follows the data.
pub const OPTION_CHN: u8 = 0x04;
/// Option bit of generation C: references are positions in the object table.
pub const OPTION_FILE: u8 = 0x08;
/// Option bit of generation C: objects may be loaded as dynamic ones. Products from 2.5 on set it on the
/// chunks of managers.
pub const OPTION_ALLOWDYN: u8 = 0x10;

/// Storage form of a chunk (`docs/formats/virtools.md#111-forms`). Only [`Form::C`] and [`Form::Sub`] occur in real files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Form {
    /// A record of FileVersion 0 to 3: the data alone. The record holds the class.
    Bare,
    /// Generation A, chunk versions below 5: six header dwords, no MAN list.
    A,
    /// Generation B, chunk version 5: seven header dwords.
    B,
    /// Generation C, chunk versions 6 and 7: two header dwords, lists where an option bit says so.
    C,
    /// A sub-chunk in a chunk of a version below 4: four header dwords, no lists.
    SubBare,
    /// A sub-chunk in a chunk of version 4: seven header dwords, no MAN list.
    SubA,
    /// A sub-chunk in a chunk of a version from 5 on: eight header dwords.
    Sub,
}

impl Form {
    /// Dwords before the data.
    pub const fn header_len(self) -> usize {
        match self {
            Form::Bare => 0,
            Form::C => 2,
            Form::SubBare => 4,
            Form::A => 6,
            Form::B | Form::SubA => 7,
            Form::Sub => 8,
        }
    }

    /// The form of a chunk that stands for itself, by its chunk version.
    pub const fn of_version(version: u8) -> Form {
        match version {
            ..5 => Form::A,
            5 => Form::B,
            _ => Form::C,
        }
    }

    /// The form of sub-chunks, by the chunk version of their parent.
    pub const fn of_parent(version: u8) -> Form {
        match version {
            ..4 => Form::SubBare,
            4 => Form::SubA,
            _ => Form::Sub,
        }
    }

    /// Whether the chunk lies in another one.
    pub const fn is_sub(self) -> bool {
        matches!(self, Form::SubBare | Form::SubA | Form::Sub)
    }
}

/// A view of a chunk. Nothing is copied.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'a> {
    /// Storage form of the chunk.
    pub form: Form,
    /// Class of the object or manager. Generation C keeps the low 8 bits.
    pub class_id: u32,
    /// The dword of versions as stored; 0 in forms without one. See [`Chunk::data_version`],
    /// [`Chunk::chunk_version`] and [`Chunk::options`].
    pub versions: u32,
    /// A header dword without a meaning of its own: reserved in generations A and B, unused in
    /// [`Form::SubBare`], HasFile in the other forms of sub-chunks; 0 elsewhere.
    pub extra: u32,
    /// Whether references are positions in the object table rather than raw ids.
    pub file_mode: bool,
    /// The data.
    pub data: &'a [U32],
    /// The IDS list: where raw ids of objects are.
    pub ids: List<'a>,
    /// The CHN list: where sub-chunks are.
    pub chunks: List<'a>,
    /// The MAN list: where numbers of managers are.
    pub managers: List<'a>,
    /// Bytes behind the lists; empty in real files.
    pub rest: &'a [u8],
    /// Place of the chunk.
    pub at: Span,
}

impl<'a> Chunk<'a> {
    /// Reads the chunk of a record; `bytes` are all of it and lie at `at`. A chunk of an unknown version has
    /// no data and no lists; everything behind its first dword is in `rest`.
    ///
    /// # Errors
    /// [`codes::CHUNK_SHORT`], [`codes::CHUNK_DATA`] and [`codes::CHUNK_LIST`] where the header, the data or
    /// a list is longer than the chunk.
    #[inline]
    pub fn read(bytes: &'a [u8], at: Span) -> Result<Chunk<'a>> {
        let mut words = Words::of(bytes, at);
        let versions = words.take().ok_or_else(|| words.short())?;
        let [_, class, version, options] = versions.to_le_bytes();
        let form = Form::of_version(version);
        if form != Form::C || version > LAST_VERSION {
            return Chunk::read_rare(words, bytes, versions, form);
        }
        let len = words.take().ok_or_else(|| words.short())?;
        let data = words.data(len)?;
        let mut list = |bit, name| -> Result<List<'a>> {
            if options & bit == 0 {
                return Ok(List::NONE);
            }
            let len = words.take().ok_or_else(|| words.long_list(name, None))?;
            Ok(List::stored(words.list(name, len)?))
        };
        let ids = list(OPTION_IDS, "ids")?;
        let chunks = list(OPTION_CHN, "chunks")?;
        let managers = list(OPTION_MAN, "managers")?;
        Ok(Chunk {
            form,
            class_id: class.into(),
            versions,
            extra: 0,
            file_mode: options & OPTION_FILE != 0,
            data,
            ids,
            chunks,
            managers,
            rest: words.rest(bytes),
            at,
        })
    }

    /// The same where it is one as most are, surely whole and without lists.
    #[inline]
    pub(crate) fn plain(bytes: &'a [u8], at: Span) -> Option<Chunk<'a>> {
        let (versions, data) = plain(bytes)?;
        let [_, class, ..] = versions.to_le_bytes();
        let class_id = class.into();
        Some(Chunk { class_id, versions, file_mode: true, data, ..Chunk::empty(Form::C, at) })
    }

    /// Reads a chunk of generation A or B, or of an unknown version.
    #[inline(never)]
    fn read_rare(
        mut words: Words<'a>,
        bytes: &'a [u8],
        versions: u32,
        form: Form,
    ) -> Result<Chunk<'a>> {
        let mut chunk = Chunk { versions, ..Chunk::empty(form, words.at) };
        if form == Form::C {
            chunk.rest = words.rest(bytes);
            return Ok(chunk);
        }
        let managers = form == Form::B;
        let header = words.header(if managers { 6 } else { 5 })?;
        let mut header = header.iter().map(|word| word.get());
        let mut next = || header.next().unwrap_or_default();
        chunk.class_id = next();
        let len = next();
        chunk.extra = next();
        let [ids, chunks] = [next(), next()];
        let managers = managers.then(next);
        chunk.data = words.data(len)?;
        chunk.ids = List::counted(words.list("ids", ids)?);
        chunk.chunks = List::counted(words.list("chunks", chunks)?);
        if let Some(len) = managers {
            chunk.managers = List::counted(words.list("managers", len)?);
        }
        chunk.rest = words.rest(bytes);
        Ok(chunk)
    }

    /// The chunk of a record of FileVersion 0 to 3, which is its data alone.
    pub fn bare(class_id: u32, bytes: &'a [u8], at: Span) -> Chunk<'a> {
        let (data, rest) = dwords(bytes);
        Chunk { class_id, data, rest, ..Chunk::empty(Form::Bare, at) }
    }

    /// Reads the sub-chunk whose size is the dword at `index` of this chunk's data; `None` for a null one.
    /// With it comes the index behind it.
    ///
    /// # Errors
    /// [`codes::SUB_CHUNK`] where the sizes that it declares do not fit each other or this chunk.
    #[inline]
    pub fn sub_chunk(&self, index: usize) -> Result<(Option<Chunk<'a>>, usize)> {
        let after = index.saturating_add(1);
        let damaged = |what: &'static str, expected: usize, found: u64| {
            Error::new(&codes::SUB_CHUNK)
                .at(self.data_at(index, 1))
                .field(what)
                .expected(format!("at most {expected} dwords"))
                .found(format!("{found} dwords"))
        };
        let Some(size) = self.data.get(index).map(|size| size.get()) else {
            return Err(damaged("size", 0, 1));
        };
        if size == 0 {
            return Ok((None, after));
        }
        let behind = self.data.get(after..).unwrap_or_default();
        let words = behind
            .get(..size as usize)
            .ok_or_else(|| damaged("size", behind.len(), size.into()))?;
        let form = Form::of_parent(self.chunk_version());
        // The size counts neither itself nor anything behind the sub-chunk.
        let header_len = form.header_len().saturating_sub(1);
        let (header, mut body) = words
            .split_at_checked(header_len)
            .ok_or_else(|| damaged("header", words.len(), header_len as u64))?;
        let mut header = header.iter().map(|word| word.get());
        let mut next = || header.next().unwrap_or_default();
        let at = self.data_at(index, words.len().saturating_add(1));
        let mut chunk = Chunk::empty(form, at);
        chunk.class_id = next();
        let mut lens = [0; 4];
        if form == Form::SubBare {
            lens[0] = next();
            chunk.extra = next();
        } else {
            chunk.versions = next();
            lens[0] = next();
            chunk.extra = next();
            chunk.file_mode = chunk.extra != 0 && self.file_mode;
            lens[1] = next();
            lens[2] = next();
            lens[3] = next();
        }
        let mut take = |what, len: u32| -> Result<&'a [U32]> {
            let left = body.len();
            let (part, rest) = body
                .split_at_checked(len as usize)
                .ok_or_else(|| damaged(what, left, len.into()))?;
            body = rest;
            Ok(part)
        };
        let [data, ids, chunks, managers] = lens;
        chunk.data = take("data_size", data)?;
        if form != Form::SubBare {
            chunk.ids = List::counted(take("ids", ids)?);
            chunk.chunks = List::counted(take("chunks", chunks)?);
        }
        if form == Form::Sub {
            chunk.managers = List::counted(take("managers", managers)?);
        }
        chunk.rest = zerocopy::IntoBytes::as_bytes(body);
        Ok((Some(chunk), after.saturating_add(words.len())))
    }

    const fn empty(form: Form, at: Span) -> Chunk<'a> {
        Chunk {
            form,
            class_id: 0,
            versions: 0,
            extra: 0,
            file_mode: false,
            data: &[],
            ids: List::NONE,
            chunks: List::NONE,
            managers: List::NONE,
            rest: &[],
            at,
        }
    }

    /// Version of the object's own layout: 10 on the chunks of objects in real files, 0 on those of managers.
    pub const fn data_version(&self) -> u8 {
        self.versions.to_le_bytes()[0]
    }

    /// Version of the chunk; 7 in real files.
    pub const fn chunk_version(&self) -> u8 {
        self.versions.to_le_bytes()[2]
    }

    /// The option bits of generation C; 0 in other forms.
    pub const fn options(&self) -> u8 {
        match self.form {
            Form::C => self.versions.to_le_bytes()[3],
            _ => 0,
        }
    }

    /// Whether the layout of this chunk version is not known, so that everything behind its first dword is
    /// [`rest`](Chunk::rest).
    pub const fn is_opaque(&self) -> bool {
        matches!(self.form, Form::C) && self.chunk_version() > LAST_VERSION
    }

    /// Dwords before the data, the size of a sub-chunk included.
    pub const fn header_len(&self) -> usize {
        if self.is_opaque() { 1 } else { self.form.header_len() }
    }

    /// Place of `count` dwords of the data from `index` on.
    pub fn data_at(&self, index: usize, count: usize) -> Span {
        let start = self.header_len().saturating_add(index) as u64;
        self.at.part(start.saturating_mul(4), (count as u64).saturating_mul(4))
    }

    /// Returns the list of a kind.
    pub const fn list(&self, kind: ListKind) -> List<'a> {
        match kind {
            ListKind::Ids => self.ids,
            ListKind::Chunks => self.chunks,
            ListKind::Managers => self.managers,
        }
    }

    /// Place of `count` dwords of a list from `index` on.
    pub fn list_at(&self, kind: ListKind, index: usize, count: usize) -> Span {
        let before = ListKind::ALL.into_iter().filter(|other| *other < kind);
        let before = before.fold(0_usize, |sum, other| sum.saturating_add(self.list_len(other)));
        let own = self.list_len(kind).saturating_sub(self.list(kind).words().len());
        let lists = self.data.len().saturating_add(before);
        self.data_at(lists.saturating_add(own).saturating_add(index), count)
    }

    /// Dwords of a list and of its length, where that is stored before it.
    fn list_len(&self, kind: ListKind) -> usize {
        let list = self.list(kind);
        let counted = self.form == Form::C && list.is_stored();
        list.words().len().saturating_add(usize::from(counted))
    }

    /// The identifiers of the data with what follows them (`docs/formats/virtools.md#112-identifiers`). The
    /// data of a sub-chunk may be plain words, so one whose chain is broken has none.
    #[inline]
    pub fn sections(&self) -> Sections<'a> {
        let sections = Sections::of(self.data);
        if self.form.is_sub() && sections.clone().broken().is_some() {
            return Sections::of(&[]);
        }
        sections
    }

    /// The [bits](bit_of) of all identifiers; `None` where their chain is broken, or the layout of the chunk is not
    /// known.
    #[inline]
    pub(crate) fn known_identifiers(&self) -> Option<u64> {
        let (mut known, mut next) = (0, 0);
        while next < self.data.len() {
            let section = Section::at(self.data, next)?;
            known |= bit_of(section.identifier);
            next = section.end;
        }
        if known == 0 && self.is_opaque() { None } else { Some(known) }
    }
}

/// First dword of most chunks of real files, but for data version and class: chunk version 7 or 6, and the options FILE and
/// perhaps ALLOWDYN, thus no lists.
const PLAIN: u32 = u32::from_le_bytes([0, 0, 6, OPTION_FILE]);
/// The bits that may differ from that.
const PLAIN_FREE: u32 = u32::from_le_bytes([u8::MAX, u8::MAX, 1, OPTION_ALLOWDYN]);

/// The dword of versions and the data of a chunk that is one of those and has the size that it declares.
#[inline]
fn plain(bytes: &[u8]) -> Option<(u32, &[U32])> {
    let words = <[U32]>::ref_from_bytes(bytes).ok()?;
    let ([versions, len], data) = words.split_first_chunk()?;
    let plain = (versions.get() ^ PLAIN) & !PLAIN_FREE == 0 && len.get() as usize == data.len();
    plain.then_some((versions.get(), data))
}

/// Whole dwords, and the bytes behind the last one.
fn dwords(bytes: &[u8]) -> (&[U32], &[u8]) {
    let (whole, rest) = bytes.split_at(bytes.len() & !3);
    (<[U32]>::ref_from_bytes(whole).unwrap_or_default(), rest)
}

/// The dwords of a chunk that were not taken yet.
struct Words<'a> {
    left: &'a [U32],
    all: usize,
    odd: usize,
    at: Span,
}

impl<'a> Words<'a> {
    #[inline]
    fn of(bytes: &'a [u8], at: Span) -> Words<'a> {
        let (left, odd) = dwords(bytes);
        Words { left, all: left.len(), odd: odd.len(), at }
    }

    #[inline]
    fn take(&mut self) -> Option<u32> {
        let (word, left) = self.left.split_first()?;
        self.left = left;
        Some(word.get())
    }

    #[inline]
    fn take_all(&mut self, count: usize) -> Option<&'a [U32]> {
        let (words, left) = self.left.split_at_checked(count)?;
        self.left = left;
        Some(words)
    }

    fn header(&mut self, count: usize) -> Result<&'a [U32]> {
        self.take_all(count).ok_or_else(|| self.short())
    }

    #[inline]
    fn data(&mut self, len: u32) -> Result<&'a [U32]> {
        self.take_all(len as usize).ok_or_else(|| {
            Error::new(&codes::CHUNK_DATA)
                .at(self.at)
                .field("data_size")
                .expected(format!("at most {} dwords", self.left.len()))
                .found(format!("{len} dwords"))
        })
    }

    #[inline]
    fn list(&mut self, name: &'static str, len: u32) -> Result<&'a [U32]> {
        self.take_all(len as usize).ok_or_else(|| self.long_list(name, Some(len)))
    }

    /// The bytes of `bytes` behind what was taken.
    #[inline]
    fn rest(&self, bytes: &'a [u8]) -> &'a [u8] {
        let left = self.left.len().saturating_mul(4).saturating_add(self.odd);
        bytes.get(bytes.len().saturating_sub(left)..).unwrap_or_default()
    }

    #[cold]
    fn short(&self) -> Error {
        let len = self.all.saturating_mul(4).saturating_add(self.odd);
        Error::new(&codes::CHUNK_SHORT)
            .at(self.at)
            .expected("a header")
            .found(format!("{len} bytes"))
    }

    #[cold]
    fn long_list(&self, name: &'static str, len: Option<u32>) -> Error {
        let error = Error::new(&codes::CHUNK_LIST)
            .at(self.at)
            .field(name)
            .expected(format!("at most {} dwords", self.left.len()));
        match len {
            Some(len) => error.found(format!("{len} dwords")),
            None => error.found("no room for its length"),
        }
    }
}
