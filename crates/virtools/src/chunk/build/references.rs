//! Entries in the lists of a chunk: references, sub-chunks, numbers of managers; and joining chunks.

use super::Builder;
use crate::{
    chunk::{
        Form,
        buffer::ChunkBuf,
        edit::{MAX_DATA, accept},
        list::{List, ListTarget},
        old,
    },
    codes,
};
use spelunk_core::{
    Error, Result,
    scalar::{Guid, fit},
};
use zerocopy::little_endian::U32;

impl Builder {
    /// A reference to an object: in file mode its position in the object table, otherwise its id, 0 being the
    /// null reference. An id of a chunk version from 4 on gets an entry in the IDS list, below 4 the fixed dwords
    /// in front ([`old::OBJECT`]).
    ///
    /// # Errors
    /// [`codes::CHUNK_CONTENT`] for a position above 0x7FFFFFFF, which would be read as null;
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn object(&mut self, target: Option<u32>) -> Result<&mut Self> {
        let value = self.reference(target)?;
        if self.chunk.header.file_mode || value == 0 {
            return self.dword(value);
        }
        if self.is_marked() {
            self.room(old::OBJECT.len().saturating_add(1))?;
            return self.dwords(&old::OBJECT)?.dword(value);
        }
        self.listed_object(value)
    }

    /// The raw id of an object with its entry in the IDS list, also where it is 0. Real files list such zeros,
    /// probably ids of objects that were gone when a chunk that had been kept as it was got written again.
    ///
    /// # Errors
    /// [`codes::CHUNK_CONTENT`] in file mode and below chunk version 4, which do not list ids;
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn listed_object(&mut self, id: u32) -> Result<&mut Self> {
        if self.chunk.header.file_mode || self.is_marked() {
            return Err(Error::new(&codes::CHUNK_CONTENT)
                .field("ids")
                .expected("raw ids and chunk version 4 or above"));
        }
        self.room(1)?;
        let entry = ListTarget::Single(self.here()?);
        entry.push(self.chunk.ids.get_or_insert_default());
        self.dword(id)
    }

    /// References to objects, as sequences and arrays of them are stored: a count, then the values of
    /// [`Builder::object`]. One that is not empty gets an entry in the IDS list outside file mode. Below chunk
    /// version 4 the fixed dwords of [`old::ARRAY`] stand in front, and an empty one is a 0 alone.
    ///
    /// # Errors
    /// As [`Builder::object`].
    pub fn objects(&mut self, targets: &[Option<u32>]) -> Result<&mut Self> {
        let values = targets.iter().map(|target| self.reference(*target).map(U32::new));
        let values = values.collect::<Result<Vec<U32>>>()?;
        let count = fit(values.len() as u64, "count")?;
        self.room(values.len().saturating_add(1).saturating_add(old::ARRAY.len()))?;
        if !values.is_empty() && !self.chunk.header.file_mode {
            if self.is_marked() {
                self.dwords(&old::ARRAY)?;
            } else {
                let entry = ListTarget::Sequence(self.here()?);
                entry.push(self.chunk.ids.get_or_insert_default());
            }
        }
        self.dword(count)?.dwords(&values)
    }

    /// A number of a manager: the GUID of the manager, then the number; an entry in the MAN list.
    ///
    /// # Errors
    /// [`codes::CHUNK_CONTENT`] where the chunk version, below 5, has no MAN list;
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn manager_int(&mut self, manager: Guid, value: u32) -> Result<&mut Self> {
        self.room(3)?;
        let entry = ListTarget::Single(self.here()?);
        entry.push(self.managers()?);
        self.guid(manager)?.dword(value)
    }

    /// Numbers of a manager: their count, the GUID of the manager, then the numbers; an entry in the MAN list,
    /// also where there are none.
    ///
    /// # Errors
    /// As [`Builder::manager_int`].
    pub fn manager_ints(&mut self, manager: Guid, values: &[U32]) -> Result<&mut Self> {
        let count = fit(values.len() as u64, "count")?;
        self.room(values.len().saturating_add(3))?;
        let entry = ListTarget::Sequence(self.here()?);
        entry.push(self.managers()?);
        self.dword(count)?.guid(manager)?.dwords(values)
    }

    /// A sub-chunk, with an entry in the CHN list from chunk version 4 on; `None` is the null sub-chunk, a size of 0
    /// without an entry.
    ///
    /// # Errors
    /// [`codes::CHUNK_CONTENT`] where `chunk` would change between file mode and raw ids: a sub-chunk is in file
    /// mode only inside one that is; [`codes::CHUNK_FORM`] where it has what a sub-chunk here cannot hold;
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn sub_chunk(&mut self, chunk: Option<&ChunkBuf>) -> Result<&mut Self> {
        let Some(chunk) = chunk else { return self.dword(0) };
        let words = self.sub_chunk_words(chunk)?;
        self.room(words.len())?;
        self.note_chunk(ListTarget::Single(self.here()?));
        self.dwords(&words)
    }

    /// Sub-chunks: their count, then one behind the other, null ones as in [`Builder::sub_chunk`]; an entry in
    /// the CHN list as there, also for a count of 0.
    ///
    /// # Errors
    /// As [`Builder::sub_chunk`].
    pub fn sub_chunks<'c>(
        &mut self,
        chunks: impl IntoIterator<Item = Option<&'c ChunkBuf>>,
    ) -> Result<&mut Self> {
        let (mut words, mut count) = (vec![U32::ZERO], 0_u32);
        for chunk in chunks {
            count = count.saturating_add(1);
            match chunk {
                Some(chunk) => words.extend(self.sub_chunk_words(chunk)?),
                None => words.push(U32::ZERO),
            }
        }
        if let Some(first) = words.first_mut() {
            *first = U32::new(count);
        }
        self.room(words.len())?;
        self.note_chunk(ListTarget::Sequence(self.here()?));
        self.dwords(&words)
    }

    /// The content of a section, with what its lists say of it.
    ///
    /// # Errors
    /// [`codes::CHUNK_CONTENT`] and [`codes::LIST_ENTRY`] where it does not fit this chunk;
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn content(&mut self, content: &ChunkBuf) -> Result<&mut Self> {
        accept(&self.chunk.header, content)?;
        let start = self.here()?;
        self.room(content.data.len())?;
        self.chunk.data.extend_from_slice(&content.data);
        self.take_lists(content, start);
        Ok(self)
    }

    /// Joins a chunk behind this one, as engines join what a base class saves with what the class itself does
    /// (`docs/formats/virtools.md#124-joining-chunks`): its identifiers follow, and its lists with them. Data
    /// version, chunk version and mode become those of `other`. Joined to an empty chunk, `other` is all of it;
    /// the class stays.
    ///
    /// # Errors
    /// [`codes::CHUNK_CONTENT`] where a chunk has data without identifiers, or the two keep references in
    /// different ways; [`codes::IDENTIFIER`] and [`codes::LIST_ENTRY`] where `other` is damaged;
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn append(&mut self, other: &ChunkBuf) -> Result<&mut Self> {
        let chain = other.chain()?;
        let header = self.chunk.header.joined(&other.header);
        let empty = self.chunk.data.is_empty();
        accept(if empty { &header } else { &self.chunk.header }, other)?;
        let start = self.here()?;
        self.room(other.data.len())?;
        if !other.data.is_empty() {
            self.link(start as usize)?;
        }
        self.chunk.header = header;
        self.chunk.data.extend_from_slice(&other.data);
        for section in &chain {
            let next = (start as usize).saturating_add(section.index).saturating_add(1);
            match self.chunk.data.get_mut(next) {
                Some(next) if next.get() != 0 => *next = U32::new(next.get().saturating_add(start)),
                _ => {}
            }
        }
        self.take_lists(other, start);
        if let Some(last) = chain.last() {
            self.last = Some((start as usize).saturating_add(last.index));
        }
        Ok(self)
    }

    /// Adds the lists of content that was put at `start`.
    fn take_lists(&mut self, content: &ChunkBuf, start: u32) {
        let lists = [
            (&mut self.chunk.ids, &content.ids),
            (&mut self.chunk.chunks, &content.chunks),
            (&mut self.chunk.managers, &content.managers),
        ];
        for (list, added) in lists {
            for entry in List::stored(added.as_deref().unwrap_or_default()).entries() {
                let moved = entry.index().unwrap_or_default().saturating_add(start);
                entry.to(moved).push(list.get_or_insert_default());
            }
        }
    }

    /// The value of a reference.
    fn reference(&self, target: Option<u32>) -> Result<u32> {
        match target {
            None if self.chunk.header.file_mode => Ok(u32::MAX),
            Some(index) if self.chunk.header.file_mode && index as usize > MAX_DATA => {
                Err(Error::new(&codes::CHUNK_CONTENT)
                    .field("object")
                    .expected("a position in the object table")
                    .found(index))
            }
            target => Ok(target.unwrap_or_default()),
        }
    }

    fn sub_chunk_words(&self, chunk: &ChunkBuf) -> Result<Vec<U32>> {
        let version = self.chunk.header.chunk_version();
        let header = chunk.header.inside(version);
        let has_file = header.form != Form::SubBare && header.extra != 0;
        if chunk.header.file_mode != (has_file && self.chunk.header.file_mode) {
            return Err(Error::new(&codes::CHUNK_CONTENT)
                .field("sub_chunk")
                .expected("file mode in neither or both, and HasFile to match"));
        }
        chunk.to_sub_chunk(version)
    }

    const fn is_marked(&self) -> bool {
        self.chunk.header.chunk_version() < old::FIRST_WITH_LISTS
    }

    /// The index of the next dword.
    fn here(&self) -> Result<u32> {
        fit(self.chunk.data.len() as u64, "data_size")
    }

    fn note_chunk(&mut self, entry: ListTarget) {
        if !self.is_marked() {
            entry.push(self.chunk.chunks.get_or_insert_default());
        }
    }

    fn managers(&mut self) -> Result<&mut Vec<U32>> {
        if matches!(self.chunk.header.form, Form::Bare | Form::A | Form::SubBare | Form::SubA) {
            return Err(Error::new(&codes::CHUNK_CONTENT)
                .field("managers")
                .expected("chunk version 5 or above")
                .found(u64::from(self.chunk.header.chunk_version())));
        }
        Ok(self.chunk.managers.get_or_insert_default())
    }
}
