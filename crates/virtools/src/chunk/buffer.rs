//! Chunks that are owned and can be changed (`docs/formats/virtools.md#123-builder`).

use super::{
    Chunk, Form, LAST_VERSION, OPTION_CHN, OPTION_FILE, OPTION_IDS, OPTION_MAN, list::List,
};
use crate::codes;
use spelunk_core::{Budget, Error, Result, Span, scalar::fit};
use std::ops::Range;
use zerocopy::{FromBytes, IntoBytes, little_endian::U32};

/// Bits of the first dword of generation C that a header holds by itself: the versions and the other option bits.
const OWN_BITS: u32 =
    !u32::from_le_bytes([0, u8::MAX, 0, OPTION_IDS | OPTION_CHN | OPTION_MAN | OPTION_FILE]);

/// Head of a chunk, before its data and without its sizes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Header {
    /// Storage form of the chunk.
    pub form: Form,
    /// Class of the object or manager; generation C stores the low 8 bits.
    pub class_id: u32,
    /// The dword of versions, as [`Chunk::versions`], but in generation C 0 for what stands elsewhere here: the
    /// class and the option bits of the lists and of file mode.
    pub versions: u32,
    /// The dword without a meaning of its own, as [`Chunk::extra`].
    pub extra: u32,
    /// Whether references are positions in the object table. [`OPTION_FILE`] in generation C.
    pub file_mode: bool,
}

impl Header {
    /// A chunk with raw ids, in the generation of its chunk version.
    pub const fn new(class_id: u32, data_version: u8, chunk_version: u8) -> Header {
        let versions = u32::from_le_bytes([data_version, 0, chunk_version, 0]);
        let form = Form::of_version(chunk_version);
        Header { form, class_id, versions, extra: 0, file_mode: false }
    }

    /// The chunk of an object as real files have it: data version 10, chunk version 7, file mode.
    pub const fn object(class_id: u32) -> Header {
        Header { file_mode: true, ..Header::new(class_id, 10, LAST_VERSION) }
    }

    /// The data of a record of FileVersion 0 to 3.
    pub const fn bare(class_id: u32) -> Header {
        Header { form: Form::Bare, ..Header::new(class_id, 0, 0) }
    }

    /// The header of a chunk that was read.
    pub const fn of(chunk: &Chunk<'_>) -> Header {
        let Chunk { form, class_id, versions, extra, file_mode, .. } = *chunk;
        let header = Header { form, class_id, versions, extra, file_mode };
        match form {
            Form::C if !header.is_opaque() => Header { versions: versions & OWN_BITS, ..header },
            _ => header,
        }
    }

    /// Whether the layout of the chunk is not known, as [`Chunk::is_opaque`].
    const fn is_opaque(&self) -> bool {
        matches!(self.form, Form::C) && self.chunk_version() > LAST_VERSION
    }

    /// The dword of versions as it is stored.
    fn first_word(&self, lists: u8) -> u32 {
        if self.form != Form::C || self.is_opaque() {
            return self.versions;
        }
        let [class, ..] = self.class_id.to_le_bytes();
        let mode = if self.file_mode { OPTION_FILE } else { 0 };
        (self.versions & OWN_BITS) | u32::from_le_bytes([0, class, 0, lists | mode])
    }

    /// The chunk version.
    pub const fn chunk_version(&self) -> u8 {
        self.versions.to_le_bytes()[2]
    }

    /// Returns the header after joining another chunk: versions and mode are those of the other one.
    pub(super) fn joined(self, other: &Header) -> Header {
        let [_, class, _, options] = self.versions.to_le_bytes();
        let [data_version, _, chunk_version, _] = other.versions.to_le_bytes();
        let form = match self.form {
            Form::A | Form::B | Form::C => Form::of_version(chunk_version),
            form => form,
        };
        let versions = u32::from_le_bytes([data_version, class, chunk_version, options]);
        Header { form, versions, file_mode: other.file_mode, ..self }
    }

    /// The same chunk inside one of chunk version `parent`.
    pub(super) fn inside(self, parent: u8) -> Header {
        let form = Form::of_parent(parent);
        if self.form == form {
            return self;
        }
        let [data_version, _, chunk_version, _] = self.versions.to_le_bytes();
        let (versions, extra) = match form {
            Form::SubBare => (0, 0),
            _ => {
                let versions = u32::from_le_bytes([data_version, 0, chunk_version, 0]);
                (versions, self.file_mode as u32)
            }
        };
        Header { form, versions, extra, ..self }
    }
}

/// A chunk of its own. [`ChunkBuf::copy`] and [`ChunkBuf::to_bytes`] give the bytes of every chunk that can be
/// read.
///
/// [`Builder`](super::build::Builder) makes one from its content. Dwords may be changed in place; changes of
/// length go through the sections ([`ChunkBuf::set_section`] and its like), which keep chain and lists right.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ChunkBuf {
    /// Head of the chunk.
    pub header: Header,
    /// The data.
    pub data: Vec<U32>,
    /// The IDS list.
    pub ids: Option<Vec<U32>>,
    /// The CHN list.
    pub chunks: Option<Vec<U32>>,
    /// The MAN list.
    pub managers: Option<Vec<U32>>,
    /// Bytes behind the lists.
    pub rest: Vec<u8>,
}

impl ChunkBuf {
    /// A chunk without content.
    pub const fn new(header: Header) -> ChunkBuf {
        let (ids, chunks, managers) = (None, None, None);
        ChunkBuf { header, data: Vec::new(), ids, chunks, managers, rest: Vec::new() }
    }

    /// Copies a chunk.
    ///
    /// # Errors
    /// Limits.
    pub fn copy(chunk: &Chunk<'_>, budget: &mut Budget) -> Result<ChunkBuf> {
        let list = |list: List<'_>, budget: &mut Budget| {
            let stored = list.is_stored().then(|| owned(list.words(), budget));
            stored.transpose()
        };
        Ok(ChunkBuf {
            header: Header::of(chunk),
            data: owned(chunk.data, budget)?,
            ids: list(chunk.ids, budget)?,
            chunks: list(chunk.chunks, budget)?,
            managers: list(chunk.managers, budget)?,
            rest: owned(chunk.rest, budget)?,
        })
    }

    /// Copies a part of the data, with the entries of the lists that point into it.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn copy_part(
        chunk: &Chunk<'_>,
        range: Range<usize>,
        budget: &mut Budget,
    ) -> Result<ChunkBuf> {
        let mut part = ChunkBuf::new(Header::of(chunk));
        part.data = owned(chunk.data.get(range.clone()).unwrap_or_default(), budget)?;
        let lists = [
            (&mut part.ids, chunk.ids),
            (&mut part.chunks, chunk.chunks),
            (&mut part.managers, chunk.managers),
        ];
        for (part, list) in lists {
            budget.touch(size_of_val(list.words()) as u64)?;
            for entry in list.entries() {
                let index = entry.index().map(|index| index as usize);
                let Some(index) = index.filter(|index| range.contains(index)) else { continue };
                budget.memory(entry.width().saturating_mul(8) as u64)?;
                let moved = index.saturating_sub(range.start) as u32;
                entry.to(moved).push(part.get_or_insert_default());
            }
        }
        Ok(part)
    }

    /// The chunk as a view that lies at `at`.
    pub fn view(&self, at: Span) -> Chunk<'_> {
        let Header { form, class_id, extra, file_mode, .. } = self.header;
        let versions = self.header.first_word(self.list_bits());
        fn list(words: Option<&[U32]>) -> List<'_> {
            words.map_or(List::NONE, List::stored)
        }
        Chunk {
            form,
            class_id,
            versions,
            extra,
            file_mode,
            data: &self.data,
            ids: list(self.ids.as_deref()),
            chunks: list(self.chunks.as_deref()),
            managers: list(self.managers.as_deref()),
            rest: &self.rest,
            at,
        }
    }

    /// The chunk as a record stores it; a sub-chunk with the size that stands before it.
    ///
    /// # Errors
    /// [`codes::CHUNK_FORM`] where the form is not that of the chunk version, or has no place for a list or for
    /// what follows the lists;
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE) where a size does not fit into a dword.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        if self.header.form.is_sub() {
            return Ok(self.sub_chunk_words(self.header)?.as_bytes().to_vec());
        }
        self.check(self.header.form)?;
        let lists = [&self.ids, &self.chunks, &self.managers];
        let Header { form, class_id, extra, .. } = self.header;
        let versions = U32::new(self.header.first_word(self.list_bits()));
        let mut bytes = Vec::with_capacity(self.len().saturating_add(16).saturating_mul(4));
        let mut put = |words: &[U32]| bytes.extend_from_slice(words.as_bytes());
        if self.header.is_opaque() {
            put(&[versions]);
        } else if form == Form::C {
            put(&[versions, count(&self.data)?]);
            put(&self.data);
            for list in lists.into_iter().flatten() {
                put(&[count(list)?]);
                put(list);
            }
        } else {
            if form != Form::Bare {
                put(&[versions, U32::new(class_id), count(&self.data)?, U32::new(extra)]);
                put(&[count(list(&self.ids))?, count(list(&self.chunks))?]);
            }
            if form == Form::B {
                put(&[count(list(&self.managers))?]);
            }
            put(&self.data);
            lists.into_iter().flatten().for_each(|list| put(list));
        }
        bytes.extend_from_slice(&self.rest);
        Ok(bytes)
    }

    /// The dwords of this chunk inside one of chunk version `parent`, its size first. Its header is as it was
    /// where the form stays the same, otherwise it is made from the versions and the mode.
    ///
    /// # Errors
    /// As [`ChunkBuf::to_bytes`].
    pub fn to_sub_chunk(&self, parent: u8) -> Result<Vec<U32>> {
        self.sub_chunk_words(self.header.inside(parent))
    }

    fn sub_chunk_words(&self, header: Header) -> Result<Vec<U32>> {
        self.check(header.form)?;
        let rest = <[U32]>::ref_from_bytes(&self.rest)
            .map_err(|_| refuse("rest", "whole dwords", self.rest.len()))?;
        let mut words = Vec::with_capacity(self.len().saturating_add(16));
        words.extend([0, header.class_id].map(U32::new));
        if header.form == Form::SubBare {
            words.extend([count(&self.data)?, U32::new(header.extra)]);
        } else {
            words.push(U32::new(header.versions));
            words.extend([count(&self.data)?, U32::new(header.extra)]);
            words.extend([count(list(&self.ids))?, count(list(&self.chunks))?]);
        }
        if header.form == Form::Sub {
            words.push(count(list(&self.managers))?);
        }
        words.extend_from_slice(&self.data);
        for list in [&self.ids, &self.chunks, &self.managers].into_iter().flatten() {
            words.extend_from_slice(list);
        }
        words.extend_from_slice(rest);
        let behind = count(words.get(1..).unwrap_or_default())?;
        if let Some(size) = words.first_mut() {
            *size = behind;
        }
        Ok(words)
    }

    /// The chunk of a record of FileVersion 0 to 3 as one of generation A that can stand in later files. Its
    /// chunk version is 0, as engines take it, so that references keep their meaning
    /// (`docs/formats/virtools.md#122-references`).
    ///
    /// # Errors
    /// [`codes::CHUNK_FORM`] where the chunk is another one.
    pub fn to_form_a(&self) -> Result<ChunkBuf> {
        if self.header.form != Form::Bare {
            return Err(refuse("form", "a record of FileVersion 0 to 3", self.header.form));
        }
        let header = Header { form: Form::A, versions: 0, extra: 0, ..self.header };
        Ok(ChunkBuf { header, ..self.clone() })
    }

    /// The chunk as a record of FileVersion 0 to 3, which keeps nothing but the class and the data.
    ///
    /// # Errors
    /// [`codes::CHUNK_FORM`] where that would lose something: a version (chunk versions below 4 are all alike),
    /// a list, or the reserved dword.
    pub fn to_bare(&self) -> Result<ChunkBuf> {
        let Header { form, versions, extra, .. } = self.header;
        let [data_version, _, chunk_version, _] = versions.to_le_bytes();
        if !matches!(form, Form::A | Form::Bare) || chunk_version >= super::old::FIRST_WITH_LISTS {
            return Err(refuse("chunk_version", "below 4", chunk_version));
        }
        if data_version != 0 {
            return Err(refuse("data_version", "0", data_version));
        }
        if extra != 0 {
            return Err(refuse("reserved", "0", extra));
        }
        self.check(Form::Bare)?;
        let header = Header { form: Form::Bare, versions: 0, ..self.header };
        Ok(ChunkBuf { header, ids: None, chunks: None, managers: None, ..self.clone() })
    }

    /// Refuses a form that would lose something.
    fn check(&self, form: Form) -> Result<()> {
        let opaque = self.header.is_opaque();
        if opaque && form != self.header.form {
            return Err(refuse("chunk_version", "at most 7", self.header.chunk_version()));
        }
        let fits = match self.header.form {
            Form::A | Form::B | Form::C => {
                self.header.form == Form::of_version(self.header.chunk_version())
            }
            Form::Bare => self.header.versions == 0,
            Form::SubBare | Form::SubA | Form::Sub => true,
        };
        if !fits {
            return Err(refuse("form", "the form of the chunk version", self.header.form));
        }
        let lists = !opaque && !matches!(form, Form::Bare | Form::SubBare);
        let managers = lists && !matches!(form, Form::A | Form::SubA);
        let parts = [
            ("data", !opaque, self.data.as_slice()),
            ("ids", lists, list(&self.ids)),
            ("chunks", lists, list(&self.chunks)),
            ("managers", managers, list(&self.managers)),
        ];
        match parts.iter().find(|(_, room, words)| !room && !words.is_empty()) {
            Some((name, _, words)) => Err(refuse(name, "nothing", words.len())),
            None => Ok(()),
        }
    }

    /// The option bits of the lists that there are.
    fn list_bits(&self) -> u8 {
        let bit = |list: &Option<_>, bit| if list.is_some() { bit } else { 0 };
        bit(&self.ids, OPTION_IDS) | bit(&self.chunks, OPTION_CHN) | bit(&self.managers, OPTION_MAN)
    }

    fn len(&self) -> usize {
        let lists = [&self.ids, &self.chunks, &self.managers].map(|part| list(part).len());
        let all = lists.iter().fold(self.data.len(), |sum, len| sum.saturating_add(*len));
        all.saturating_add(self.rest.len() >> 2)
    }
}

fn owned<T: Copy>(items: &[T], budget: &mut Budget) -> Result<Vec<T>> {
    budget.touch(size_of_val(items) as u64)?;
    let mut copy = budget.vec(items.len() as u64)?;
    copy.extend_from_slice(items);
    Ok(copy)
}

fn list(words: &Option<Vec<U32>>) -> &[U32] {
    words.as_deref().unwrap_or_default()
}

fn count(words: &[U32]) -> Result<U32> {
    fit(words.len() as u64, "size").map(U32::new)
}

#[cold]
fn refuse(field: &'static str, expected: &'static str, found: impl std::fmt::Debug) -> Error {
    Error::new(&codes::CHUNK_FORM).field(field).expected(expected).found(format!("{found:?}"))
}
