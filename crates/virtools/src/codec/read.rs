//! From chunks to values.

use super::{
    Array, Codec, Coded, Extras, Item, Layout, ManagerInt, ManagerInts, Opaque, Padded, Pod,
    Reference, Saved, Text, Unknown,
};
use crate::{
    chunk::{
        Chunk,
        buffer::{ChunkBuf, Header},
        item::MAX_DEPTH,
        old,
        section::Section,
    },
    codes,
};
use spelunk_core::{Budget, Bytes, Class, Error, Field, Record, Result, Seg, field::Described};
use zerocopy::{FromBytes, IntoBytes, little_endian::U32};

/// How many sections of a chunk are read; real ones have far fewer.
pub(super) const MOST_SECTIONS: usize = 64;

/// Reads values. Arrays are handles to the bytes of the chunk.
#[derive(Debug)]
pub struct Reader<'r, 'a> {
    chunk: Chunk<'a>,
    header: Header,
    /// The bytes in which the chunk lies.
    owner: &'r Bytes,
    at: usize,
    end: usize,
    /// Which of the first 64 sections were read.
    seen: u64,
    /// How many sections were not read yet.
    left: usize,
    /// How many sections the layout asked for in the order in which they are stored.
    in_order: Option<u32>,
    rests: Vec<(u32, Array<U32>)>,
    faults: &'r mut Vec<Error>,
    depth: usize,
    budget: &'r mut Budget,
}

impl<'r, 'a> Reader<'r, 'a> {
    /// Reads a chunk that lies in `owner` into `value`, an empty one. Damage inside a section is added to `faults`;
    /// the section is kept as it is.
    ///
    /// # Errors
    /// Limits; [`codes::IDENTIFIER`] where the chain of identifiers is broken, and [`codes::CHUNK_VERSION`] for a
    /// chunk of an unknown version, whose layout is not known at all.
    pub fn read<T: Layout>(
        value: T,
        chunk: Chunk<'a>,
        owner: &'r Bytes,
        faults: &'r mut Vec<Error>,
        budget: &'r mut Budget,
    ) -> Result<Saved<T>> {
        let mut saved = Saved::new(Header::of(&chunk), value);
        Reader::read_into(&mut saved, chunk, owner, faults, budget)?;
        Ok(saved)
    }

    /// As [`Reader::read`], into the place of a value, which is an empty one but for its header.
    ///
    /// # Errors
    /// As [`Reader::read`].
    #[inline]
    pub fn read_into<T: Layout>(
        saved: &mut Saved<T>,
        chunk: Chunk<'a>,
        owner: &'r Bytes,
        faults: &'r mut Vec<Error>,
        budget: &'r mut Budget,
    ) -> Result<()> {
        saved.header = Header::of(&chunk);
        let mut reader = Reader {
            header: saved.header,
            left: 0,
            chunk,
            owner,
            at: 0,
            end: 0,
            seen: 0,
            in_order: Some(0),
            rests: Vec::new(),
            faults,
            depth: 0,
            budget,
        };
        reader.whole(saved)
    }

    /// Reads the chunk that is set.
    #[inline]
    fn whole<T: Layout>(&mut self, saved: &mut Saved<T>) -> Result<()> {
        self.budget.touch((self.chunk.data.len() as u64).saturating_mul(4))?;
        let mut sections = self.chunk.sections();
        let count = sections.by_ref().count();
        self.left = count;
        saved.value.layout(self)?;
        saved.extras = self.extras(count, sections.broken().is_none())?;
        Ok(())
    }

    /// What the layout left of so many sections, whose chain is sound or not.
    #[inline]
    fn extras(&mut self, count: usize, sound: bool) -> Result<Option<Box<Extras>>> {
        let all = u32::try_from(count).ok();
        let plain = sound && !self.chunk.is_opaque();
        if plain && all == self.in_order && self.rests.is_empty() && self.chunk.rest.is_empty() {
            let no_words = count > 0 || self.chunk.data.is_empty();
            if no_words {
                return Ok(None);
            }
        }
        self.all_extras(count)
    }

    #[cold]
    fn all_extras(&mut self, count: usize) -> Result<Option<Box<Extras>>> {
        if self.chunk.is_opaque() {
            return Err(Error::new(&codes::CHUNK_VERSION)
                .at(self.chunk.at)
                .found(u64::from(self.chunk.chunk_version())));
        }
        let broken = self.chunk.sections().broken();
        if let Some(index) = broken.or((count == 0 && !self.chunk.data.is_empty()).then_some(0)) {
            return Err(Error::new(&codes::IDENTIFIER).at(self.chunk.data_at(index, 2)));
        }
        self.budget.memory(size_of::<Extras>() as u64)?;
        let mut order = self.budget.vec(count as u64)?;
        order.extend(self.chunk.sections().map(|section| section.identifier));
        let mut unknown = Vec::new();
        for (nth, section) in self.chunk.sections().enumerate() {
            if nth >= MOST_SECTIONS || self.seen & (1 << nth) == 0 {
                unknown.push(self.unknown(&section)?);
            }
        }
        let rest = self.chunk.rest.to_vec();
        self.budget.memory(rest.len() as u64)?;
        let rests = std::mem::take(&mut self.rests);
        Ok(Some(Box::new(Extras { order, unknown, rests, rest })))
    }

    /// A section as it is.
    fn unknown(&mut self, section: &Section) -> Result<Unknown> {
        let content = ChunkBuf::copy_part(&self.chunk, section.payload(), self.budget)?;
        Ok(Unknown { identifier: section.identifier, content })
    }

    #[inline]
    fn find(&self, identifier: u32) -> Option<(u32, Section)> {
        // Most classes know more sections than an object has.
        if self.left == 0 {
            return None;
        }
        let mut nth = 0_u32;
        for section in self.chunk.sections() {
            if section.identifier == identifier {
                return ((nth as usize) < MOST_SECTIONS).then_some((nth, section));
            }
            nth = nth.wrapping_add(1);
        }
        None
    }

    /// Takes note that the layout knows a section.
    #[inline]
    fn saw(&mut self, nth: u32) {
        self.seen |= 1 << nth;
        self.left = self.left.saturating_sub(1);
        let next = self.in_order.filter(|asked| *asked == nth);
        self.in_order = next.map(|asked| asked.saturating_add(1));
    }

    #[inline]
    fn words(&mut self, count: usize, field: &'static str) -> Result<&'a [U32]> {
        let end = self.at.saturating_add(count);
        let words = self.chunk.data.get(self.at..end).filter(|_| end <= self.end);
        let words = words.ok_or_else(|| self.too_short(count, field))?;
        self.at = end;
        Ok(words)
    }

    #[inline]
    fn word(&mut self, field: &'static str) -> Result<u32> {
        let [word] = self.words(1, field)? else { return Err(self.too_short(1, field)) };
        Ok(word.get())
    }

    /// `len` bytes, filled up to whole dwords.
    #[inline]
    fn bytes(&mut self, len: usize, field: &'static str) -> Result<(&'a [u8], [u8; 3])> {
        let bytes = self.words(len.div_ceil(4), field)?.as_bytes();
        let (bytes, odd) = bytes.split_at_checked(len).unwrap_or((bytes, &[]));
        let mut padding = [0; 3];
        padding.iter_mut().zip(odd).for_each(|(to, from)| *to = *from);
        Ok((bytes, padding))
    }

    /// The bytes of `count` values.
    #[inline]
    fn size<T>(count: usize) -> usize {
        count.saturating_mul(size_of::<T>())
    }

    #[cold]
    fn too_short(&self, count: usize, field: &'static str) -> Error {
        let left = self.end.saturating_sub(self.at);
        Error::new(&codes::SECTION_END)
            .at(self.chunk.data_at(self.at, left))
            .field(field)
            .expected(format!("{count} dwords"))
            .found(format!("{left} dwords left"))
    }

    #[cold]
    fn misfit(&self, field: &'static str, expected: String, found: usize) -> Error {
        let at = self.chunk.data_at(self.at, 0);
        Error::new(&codes::LAYOUT).at(at).field(field).expected(expected).found(found)
    }

    /// Whether fixed dwords stand before references.
    const fn is_marked(&self) -> bool {
        self.header.chunk_version() < old::FIRST_WITH_LISTS
    }

    /// Whether the IDS list tells of a dword.
    #[cold]
    fn is_listed(&self, index: usize) -> bool {
        let listed = |entry: crate::chunk::list::Entry| entry.index() == u32::try_from(index).ok();
        self.chunk.ids.entries().any(listed)
    }

    /// Reads a sub-chunk with its own layout.
    fn inner<T: Layout>(&mut self, chunk: Chunk<'a>) -> Result<Box<Saved<T>>> {
        if self.depth >= MAX_DEPTH {
            // The section around it is kept as it is.
            return Err(Error::new(&codes::LAYOUT)
                .at(chunk.at)
                .expected(format!("at most {MAX_DEPTH} levels of sub-chunks")));
        }
        self.budget.memory(size_of::<Saved<T>>() as u64)?;
        let outer =
            (self.chunk, self.header, self.at, self.end, self.seen, self.left, self.in_order);
        let rests = std::mem::take(&mut self.rests);
        self.header = Header::of(&chunk);
        self.chunk = chunk;
        (self.at, self.end, self.seen, self.left, self.in_order) = (0, 0, 0, 0, Some(0));
        self.depth = self.depth.saturating_add(1);
        let mut saved = Box::new(Saved::new(self.header, T::default()));
        let read = self.whole(&mut saved);
        self.depth = self.depth.saturating_sub(1);
        (self.chunk, self.header, self.at, self.end, self.seen, self.left, self.in_order) = outer;
        self.rests = rests;
        read.map(|()| saved)
    }

    fn next_sub_chunk(&mut self, name: &'static str) -> Result<Option<Chunk<'a>>> {
        let start = self.at;
        let size = self.word(name)? as usize;
        self.words(size, name)?;
        let (chunk, _) = self.chunk.sub_chunk(start).map_err(|error| error.field(name))?;
        Ok(chunk)
    }
}

impl Codec for Reader<'_, '_> {
    type Stop = Error;

    #[inline]
    fn header(&self) -> &Header {
        &self.header
    }

    #[inline]
    fn section<T: Default>(
        &mut self,
        identifier: u32,
        record: &'static Record,
        value: &mut Option<T>,
        mut inside: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        let Some((nth, section)) = self.find(identifier) else { return Ok(()) };
        let payload = section.payload();
        (self.at, self.end) = (payload.start, payload.end);
        let faults = self.faults.len();
        let mut content = T::default();
        match inside(self, &mut content) {
            Ok(()) => {
                if self.at < self.end {
                    self.rests_of(identifier)?;
                }
                *value = Some(content);
                self.saw(nth);
            }
            Err(error) if error.code().class == Class::Malformed => {
                self.faults.truncate(faults);
                self.faults.push(error.within(Seg::Field(record.name)));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    #[inline]
    fn flag(&mut self, identifier: u32, field: &'static Field, value: &mut bool) -> Coded<Self> {
        let Some((nth, section)) = self.find(identifier) else { return Ok(()) };
        if section.payload().is_empty() {
            *value = true;
            self.saw(nth);
        } else {
            let payload = section.payload();
            (self.at, self.end) = (payload.start, payload.end);
            let fault = self.misfit(field.name, "nothing".into(), payload.len());
            self.faults.push(fault);
        }
        Ok(())
    }

    #[inline]
    fn item<T: Item>(&mut self, field: &'static Field, value: &mut T) -> Coded<Self> {
        let words = self.words(size_of::<T::Stored>() >> 2, field.name)?;
        if let Ok(stored) = T::Stored::read_from_bytes(words.as_bytes()) {
            *value = T::of(stored);
        }
        Ok(())
    }

    #[inline]
    fn count(&mut self, field: &'static Field, _: usize) -> Result<usize> {
        Ok(self.word(field.name)? as usize)
    }

    #[inline]
    fn record<T: Described + Pod>(&mut self, value: &mut T) -> Coded<Self> {
        let words = self.words(size_of::<T>() >> 2, T::RECORD.name)?;
        if let Ok(stored) = T::read_from_bytes(words.as_bytes()) {
            *value = stored;
        }
        Ok(())
    }

    #[inline]
    fn array<T: Pod>(
        &mut self,
        field: &'static Field,
        count: usize,
        value: &mut Array<T>,
    ) -> Coded<Self> {
        let (bytes, _) = self.bytes(Self::size::<T>(count), field.name)?;
        *value = Array::read(bytes, self.owner);
        Ok(())
    }

    fn records<T: Described + Pod>(
        &mut self,
        name: &'static str,
        count: usize,
        value: &mut Array<T>,
    ) -> Coded<Self> {
        let (bytes, _) = self.bytes(Self::size::<T>(count), name)?;
        *value = Array::read(bytes, self.owner);
        Ok(())
    }

    #[inline]
    fn padded<T: Pod>(
        &mut self,
        field: &'static Field,
        count: usize,
        value: &mut Padded<T>,
    ) -> Coded<Self> {
        let (bytes, padding) = self.bytes(Self::size::<T>(count), field.name)?;
        *value = Padded { items: Array::read(bytes, self.owner), padding };
        Ok(())
    }

    #[inline]
    fn buffer<T: Pod>(&mut self, field: &'static Field, value: &mut Padded<T>) -> Coded<Self> {
        let len = self.word(field.name)? as usize;
        if len.checked_rem(size_of::<T>()) != Some(0) {
            let expected = format!("whole items of {} bytes", size_of::<T>());
            return Err(self.misfit(field.name, expected, len));
        }
        let (bytes, padding) = self.bytes(len, field.name)?;
        *value = Padded { items: Array::read(bytes, self.owner), padding };
        Ok(())
    }

    #[inline]
    fn text(&mut self, field: &'static Field, value: &mut Text) -> Coded<Self> {
        self.buffer(field, &mut value.0)
    }

    fn list<T: Default>(
        &mut self,
        record: &'static Record,
        count: usize,
        value: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        // Every item takes a dword or more.
        if count > self.remaining(0) {
            return Err(self.too_short(count, record.name));
        }
        let mut items = self.budget.vec::<T>(count as u64)?;
        for nth in 0..count {
            let mut item = T::default();
            each(self, &mut item)
                .map_err(|error| error.within(Seg::Index(nth as u64)).field(record.name))?;
            items.push(item);
        }
        *value = items;
        Ok(())
    }

    #[inline]
    fn object(&mut self, field: &'static Field, value: &mut Reference) -> Coded<Self> {
        let index = self.at;
        let mut word = self.word(field.name)?;
        if self.is_marked() && word != 0 {
            self.at = index;
            let mark = self.words(old::OBJECT.len(), field.name)?;
            word = self.word(field.name)?;
            // What is not stored as engines do would be written in another way.
            if mark != old::OBJECT || word == 0 {
                return Err(self.misfit(field.name, "fixed dwords and an id".into(), index));
            }
        }
        let listed = word == 0 && !self.header.file_mode && self.is_listed(index);
        *value = Reference { value: word, listed };
        Ok(())
    }

    #[inline]
    fn objects(&mut self, field: &'static Field, value: &mut Array<U32>) -> Coded<Self> {
        let mut count = self.word(field.name)?;
        if self.is_marked() && count != 0 {
            let index = self.at.saturating_sub(1);
            self.at = index;
            let mark = self.words(old::ARRAY.len(), field.name)?;
            count = self.word(field.name)?;
            if mark != old::ARRAY || count == 0 {
                return Err(self.misfit(field.name, "fixed dwords and a count".into(), index));
            }
        }
        self.array(field, count as usize, value)
    }

    #[inline]
    fn manager_int(&mut self, field: &'static Field, value: &mut ManagerInt) -> Coded<Self> {
        let [d1, d2, number] = self.words(3, field.name)? else { return Ok(()) };
        *value = ManagerInt { manager: [d1.get(), d2.get()], value: number.get() };
        Ok(())
    }

    #[inline]
    fn manager_ints(&mut self, field: &'static Field, value: &mut ManagerInts) -> Coded<Self> {
        let [count, d1, d2] = self.words(3, field.name)? else { return Ok(()) };
        value.manager = [d1.get(), d2.get()];
        self.array(field, count.get() as usize, &mut value.values)
    }

    fn sub_chunk<T: Layout>(
        &mut self,
        record: &'static Record,
        value: &mut Option<Box<Saved<T>>>,
    ) -> Coded<Self> {
        *value = match self.next_sub_chunk(record.name)? {
            Some(chunk) => Some(self.inner(chunk)?),
            None => None,
        };
        Ok(())
    }

    fn sub_chunks<T: Layout>(
        &mut self,
        record: &'static Record,
        value: &mut Vec<Option<Box<Saved<T>>>>,
    ) -> Coded<Self> {
        let count = self.word(record.name)? as usize;
        self.list(record, count, value, |reader, item| reader.sub_chunk(record, item))
    }

    fn opaque(&mut self, record: &'static Record, value: &mut Option<Opaque>) -> Coded<Self> {
        let start = self.at;
        *value = match self.next_sub_chunk(record.name)? {
            Some(_) => {
                let words = self.chunk.data.get(start..self.at).unwrap_or_default();
                Some(Opaque::kept(Array::read(words.as_bytes(), self.owner), &self.chunk))
            }
            None => None,
        };
        Ok(())
    }

    fn sized(
        &mut self,
        field: &'static Field,
        own: bool,
        mut inside: impl FnMut(&mut Self) -> Coded<Self>,
    ) -> Coded<Self> {
        let start = self.at;
        let size = self.word(field.name)? as usize;
        let start = if own { start } else { self.at };
        let end = start.saturating_add(size);
        if end > self.end || end < self.at {
            return Err(self.too_short(size, field.name));
        }
        let outer = std::mem::replace(&mut self.end, end);
        inside(self)?;
        self.end = outer;
        if self.at != end {
            let found = self.at.saturating_sub(start);
            return Err(self.misfit(field.name, format!("{size} dwords"), found));
        }
        Ok(())
    }

    fn peek(&self, _: &'static str, _: Option<u32>) -> Option<u32> {
        self.chunk.data.get(self.at).filter(|_| self.at < self.end).map(|word| word.get())
    }

    fn detect(&self, _: &'static str, _: bool, look: impl FnOnce(&[U32]) -> bool) -> bool {
        look(self.chunk.data.get(self.at..self.end).unwrap_or_default())
    }

    #[inline]
    fn remaining(&self, _: usize) -> usize {
        self.end.saturating_sub(self.at)
    }
}

impl Reader<'_, '_> {
    /// Keeps the dwords of a section that follow what is known of it. Those that lists tell of would lose their
    /// entries, so such a section is kept as a whole.
    #[cold]
    fn rests_of(&mut self, identifier: u32) -> Result<()> {
        let content = ChunkBuf::copy_part(&self.chunk, self.at..self.end, self.budget)?;
        if content.ids.is_some() || content.chunks.is_some() || content.managers.is_some() {
            return Err(self.misfit("rest", "plain dwords".into(), content.data.len()));
        }
        self.rests.push((identifier, content.data.into()));
        Ok(())
    }
}
