//! From chunks to values.

mod extras;

use super::{
    Array, Buffer, Codec, Coded, DwordValue, Layout, ManagerInt, ManagerInts, Opaque, Padded, Pod,
    Reference, Saved, Text, Unknown,
};
use crate::{
    chunk::{
        Chunk,
        buffer::Header,
        item::MAX_DEPTH,
        old,
        section::{HEADER_LEN, Section, bit_of},
    },
    codes,
};
use spelunk_core::{Budget, Bytes, Class, Error, Field, Record, Result, Seg, Ty, field::Described};
use zerocopy::{FromBytes, IntoBytes, little_endian::U32};

/// Most sections of a chunk that are read; real ones have far fewer.
pub(super) const MOST_SECTIONS: usize = 64;

/// Dwords behind the known fields of sections; most chunks have none.
type Rests = Box<Vec<Unknown>>;

/// Reads values. Arrays are handles to the bytes of the chunk.
#[derive(Debug)]
pub struct Reader<'r, 'a> {
    chunk: &'r Chunk<'a>,
    header: &'r Header,
    /// The bytes in which the chunk lies.
    owner: &'r Bytes,
    /// Dwords of the section that were not read yet.
    left: &'a [U32],
    /// The index in the data behind it.
    end: usize,
    /// The [bits](bit_of) of the identifiers of the chunk.
    known: u64,
    /// Number of sections that were read in the order in which they are stored.
    in_order: u32,
    /// The index in the data of the section behind those; that behind the data where they are all.
    next: usize,
    /// Bits of the first 64 sections that were read.
    seen: u64,
    rests: Option<Rests>,
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
        Reader::read_into(&mut saved, &chunk, owner, faults, budget)?;
        Ok(saved)
    }

    /// As [`Reader::read`], into the place of a value, which is an empty one but for its header.
    ///
    /// # Errors
    /// As [`Reader::read`].
    #[inline]
    pub fn read_into<T: Layout>(
        saved: &'r mut Saved<T>,
        chunk: &'r Chunk<'a>,
        owner: &'r Bytes,
        faults: &'r mut Vec<Error>,
        budget: &'r mut Budget,
    ) -> Result<()> {
        Reader::read_at(0, saved, chunk, owner, faults, budget)
    }

    /// Reads a chunk that lies in so many others.
    #[inline]
    fn read_at<T: Layout>(
        depth: usize,
        saved: &'r mut Saved<T>,
        chunk: &'r Chunk<'a>,
        owner: &'r Bytes,
        faults: &'r mut Vec<Error>,
        budget: &'r mut Budget,
    ) -> Result<()> {
        budget.touch((chunk.data.len() as u64).saturating_mul(4))?;
        let known = chunk.known_identifiers().ok_or_else(|| unreadable(chunk))?;
        let Saved { header, value, extras } = saved;
        *header = Header::of(chunk);
        let mut reader = Reader {
            chunk,
            header,
            owner,
            left: &[],
            end: 0,
            known,
            in_order: 0,
            next: 0,
            seen: 0,
            rests: None,
            faults,
            depth,
            budget,
        };
        value.layout(&mut reader)?;
        let all = reader.next >= chunk.data.len() && chunk.rest.is_empty();
        *extras = if all && reader.rests.is_none() { None } else { reader.extras()? };
        Ok(())
    }

    /// Whether the chunk may have a section; most of those that layouts know are surely not there.
    #[inline]
    fn may_have(&self, identifier: u32) -> bool {
        self.known & bit_of(identifier) != 0
    }

    /// The section of this identifier, and its position. Layouts mostly ask in the order in which sections are
    /// stored, and know more of them than an object has.
    #[inline]
    fn find(&self, identifier: u32) -> Option<(u32, Section)> {
        if !self.may_have(identifier) {
            return None;
        }
        let found = match Section::at(self.chunk.data, self.next) {
            Some(next) if next.identifier == identifier => (self.in_order, next),
            _ => self.search(identifier)?,
        };
        Some(found).filter(|(nth, _)| (*nth as usize) < MOST_SECTIONS)
    }

    #[cold]
    fn search(&self, identifier: u32) -> Option<(u32, Section)> {
        (0..).zip(self.chunk.sections()).find(|(_, section)| section.identifier == identifier)
    }

    /// Goes into a section.
    #[inline]
    fn enter(&mut self, section: &Section) {
        self.left = self.chunk.data.get(section.payload()).unwrap_or_default();
        self.end = section.end;
    }

    /// Takes note that the layout knows a section.
    #[inline]
    fn saw(&mut self, (nth, section): (u32, Section)) {
        self.seen |= 1 << nth;
        if section.index == self.next {
            self.next = section.end;
            self.in_order = nth.saturating_add(1);
        }
    }

    #[inline(never)]
    fn read_flag(&mut self, identifier: u32, value: &mut bool) -> Result<()> {
        let Some(found) = self.find(identifier) else { return Ok(()) };
        self.enter(&found.1);
        self.rest(identifier)?;
        *value = true;
        self.saw(found);
        Ok(())
    }

    /// Keeps a section that does not fit as it is, and reports why. `faults` are those from before it.
    #[cold]
    fn misfits(&mut self, faults: usize, error: Error, name: &'static str) -> Result<()> {
        if error.code().class != Class::Malformed {
            return Err(error);
        }
        self.faults.truncate(faults);
        self.faults.push(error.within(Seg::Field(name)));
        Ok(())
    }

    /// The index in the data of the next dword.
    #[inline]
    fn at(&self) -> usize {
        self.end.saturating_sub(self.left.len())
    }

    #[inline]
    fn words(&mut self, count: usize, field: &'static str) -> Result<&'a [U32]> {
        let Some((words, left)) = self.left.split_at_checked(count) else {
            return Err(self.too_short(count, field));
        };
        self.left = left;
        Ok(words)
    }

    #[inline]
    fn word(&mut self, field: &'static str) -> Result<u32> {
        let [word] = self.words(1, field)? else { return Err(self.too_short(1, field)) };
        Ok(word.get())
    }

    /// `len` bytes, and those that fill them up to whole dwords.
    #[inline]
    fn bytes(&mut self, len: usize, field: &'static str) -> Result<(&'a [u8], &'a [u8])> {
        let bytes = self.words(len.div_ceil(4), field)?.as_bytes();
        Ok(bytes.split_at_checked(len).unwrap_or((bytes, &[])))
    }

    #[inline]
    fn fill<T: Pod>(
        &mut self,
        len: usize,
        field: &'static str,
        value: &mut Padded<T>,
    ) -> Result<()> {
        let (bytes, odd) = self.bytes(len, field)?;
        value.items.read(bytes, self.owner);
        value.padding = [0; 3];
        value.padding.iter_mut().zip(odd).for_each(|(to, from)| *to = *from);
        Ok(())
    }

    /// The bytes of `count` values.
    #[inline]
    fn size<T>(count: usize) -> usize {
        count.saturating_mul(size_of::<T>())
    }

    #[cold]
    fn too_short(&self, count: usize, field: &'static str) -> Error {
        let left = self.left.len();
        Error::new(&codes::SECTION_END)
            .at(self.chunk.data_at(self.at(), left))
            .field(field)
            .expected(format!("{count} dwords"))
            .found(format!("{left} dwords left"))
    }

    #[cold]
    fn misfit(&self, field: &'static str, expected: String, found: usize) -> Error {
        let at = self.chunk.data_at(self.at(), 0);
        Error::new(&codes::LAYOUT).at(at).field(field).expected(expected).found(found)
    }

    /// Whether fixed dwords stand before references.
    const fn is_marked(&self) -> bool {
        self.header.chunk_version() < old::FIRST_WITH_LISTS
    }

    /// Reads a reference from `start` on that fixed dwords stand before, or that the IDS list may name.
    #[cold]
    fn rare_object(
        &mut self,
        start: &'a [U32],
        field: &'static Field,
        value: &mut Reference,
    ) -> Result<()> {
        let index = self.end.saturating_sub(start.len());
        if value.value == 0 {
            value.listed = !self.header.file_mode && self.is_listed(index);
            return Ok(());
        }
        self.left = start;
        let mark = self.words(old::OBJECT.len(), field.name)?;
        value.value = self.word(field.name)?;
        // What is not stored as engines do would be written in another way.
        if mark != old::OBJECT || value.value == 0 {
            return Err(self.misfit(field.name, "fixed dwords and an id".into(), index));
        }
        Ok(())
    }

    /// Whether the IDS list names a dword.
    fn is_listed(&self, index: usize) -> bool {
        let listed =
            |entry: crate::chunk::list::ListTarget| entry.index() == u32::try_from(index).ok();
        self.chunk.ids.entries().any(listed)
    }

    /// Reads a sub-chunk with its own layout.
    fn inner<T: Layout>(&mut self, chunk: &Chunk<'a>) -> Result<Box<Saved<T>>> {
        if self.depth >= MAX_DEPTH {
            // The section around it is kept as it is.
            return Err(Error::new(&codes::LAYOUT)
                .at(chunk.at)
                .expected(format!("at most {MAX_DEPTH} levels of sub-chunks")));
        }
        self.budget.memory(size_of::<Saved<T>>() as u64)?;
        let mut saved = Box::<Saved<T>>::default();
        let depth = self.depth.saturating_add(1);
        Reader::read_at(depth, &mut saved, chunk, self.owner, self.faults, self.budget)?;
        Ok(saved)
    }

    /// Takes the dwords of a sub-chunk, its size first; `None` for a null one.
    #[inline]
    fn sub_words(&mut self, name: &'static str) -> Result<Option<&'a [U32]>> {
        let start = self.left;
        let size = self.word(name)? as usize;
        self.words(size, name)?;
        Ok(if size == 0 { None } else { start.get(..=size) })
    }

    /// The sub-chunk whose dwords were taken.
    fn sub_chunk_of(&self, words: &[U32], name: &'static str) -> Result<Option<Chunk<'a>>> {
        let start = self.at().saturating_sub(words.len());
        let (chunk, _) = self.chunk.sub_chunk(start).map_err(|error| error.field(name))?;
        Ok(chunk)
    }
}

/// Why nothing can be read of a chunk.
#[cold]
fn unreadable(chunk: &Chunk<'_>) -> Error {
    if chunk.is_opaque() {
        let version = u64::from(chunk.chunk_version());
        return Error::new(&codes::CHUNK_VERSION).at(chunk.at).found(version);
    }
    let index = chunk.sections().broken().unwrap_or_default();
    Error::new(&codes::IDENTIFIER).at(chunk.data_at(index, HEADER_LEN))
}

impl Codec for Reader<'_, '_> {
    type Stop = Error;

    #[inline]
    fn header(&self) -> &Header {
        self.header
    }

    #[inline]
    fn section<T: Default>(
        &mut self,
        identifier: u32,
        record: &'static Record,
        value: &mut Option<T>,
        mut inside: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        let Some(found) = self.find(identifier) else { return Ok(()) };
        self.enter(&found.1);
        let faults = self.faults.len();
        let read = inside(self, value.insert(T::default()));
        match read.and_then(|()| self.rest(identifier)) {
            Ok(()) => {
                self.saw(found);
                Ok(())
            }
            Err(error) => {
                *value = None;
                self.misfits(faults, error, record.name)
            }
        }
    }

    #[inline]
    fn flag(&mut self, identifier: u32, _: &'static Field, value: &mut bool) -> Coded<Self> {
        if self.may_have(identifier) { self.read_flag(identifier, value) } else { Ok(()) }
    }

    #[inline]
    fn item<T: DwordValue>(&mut self, field: &'static Field, value: &mut T) -> Coded<Self> {
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
        value.read(bytes, self.owner);
        Ok(())
    }

    fn records<T: Described + Pod>(
        &mut self,
        name: &'static str,
        count: usize,
        value: &mut Array<T>,
    ) -> Coded<Self> {
        let (bytes, _) = self.bytes(Self::size::<T>(count), name)?;
        value.read(bytes, self.owner);
        Ok(())
    }

    #[inline]
    fn padded<T: Pod>(
        &mut self,
        field: &'static Field,
        count: usize,
        value: &mut Padded<T>,
    ) -> Coded<Self> {
        self.fill(Self::size::<T>(count), field.name, value)
    }

    #[inline]
    fn buffer<T: Pod>(&mut self, field: &'static Field, value: &mut Padded<T>) -> Coded<Self> {
        let len = self.word(field.name)? as usize;
        if len.checked_rem(size_of::<T>()) != Some(0) {
            let expected = format!("whole items of {} bytes", size_of::<T>());
            return Err(self.misfit(field.name, expected, len));
        }
        self.fill(len, field.name, value)
    }

    #[inline]
    fn typed(&mut self, _: impl Fn() -> &'static Field, value: &mut Buffer) -> Coded<Self> {
        static VALUE: Field = Field::new("value", Ty::Bytes, "A value of any type.");
        self.buffer(&VALUE, value)
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
        let start = self.left;
        *value = Reference { value: self.word(field.name)?, listed: false };
        let plain = if value.value == 0 { self.header.file_mode } else { !self.is_marked() };
        if plain { Ok(()) } else { self.rare_object(start, field, value) }
    }

    #[inline]
    fn objects(&mut self, field: &'static Field, value: &mut Array<U32>) -> Coded<Self> {
        let (index, start) = (self.at(), self.left);
        let mut count = self.word(field.name)?;
        if self.is_marked() && count != 0 {
            self.left = start;
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
        *value = None;
        if let Some(words) = self.sub_words(record.name)?
            && let Some(chunk) = self.sub_chunk_of(words, record.name)?
        {
            *value = Some(self.inner(&chunk)?);
        }
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

    #[inline]
    fn opaque(&mut self, record: &'static Record, value: &mut Option<Opaque>) -> Coded<Self> {
        *value = None;
        if let Some(words) = self.sub_words(record.name)? {
            self.sub_chunk_of(words, record.name)?;
            let mut kept = Array::new();
            kept.read(words.as_bytes(), self.owner);
            *value = Some(Opaque::kept(kept, self.chunk));
        }
        Ok(())
    }

    fn sized(
        &mut self,
        field: &'static Field,
        own: bool,
        mut inside: impl FnMut(&mut Self) -> Coded<Self>,
    ) -> Coded<Self> {
        let whole = self.left.len();
        let size = self.word(field.name)? as usize;
        let left = self.left.len();
        let behind = if own { whole } else { left }.checked_sub(size);
        let len = behind.and_then(|behind| left.checked_sub(behind));
        let Some((content, behind)) = len.and_then(|len| self.left.split_at_checked(len)) else {
            return Err(self.too_short(size, field.name));
        };
        let end = self.end;
        (self.left, self.end) = (content, end.saturating_sub(behind.len()));
        inside(self)?;
        if !self.left.is_empty() {
            let found = size.saturating_sub(self.left.len());
            return Err(self.misfit(field.name, format!("{size} dwords"), found));
        }
        (self.left, self.end) = (behind, end);
        Ok(())
    }

    #[inline]
    fn peek(&self, _: &'static str, _: Option<u32>) -> Option<u32> {
        self.left.first().map(|word| word.get())
    }

    #[inline]
    fn detect(&self, _: &'static str, _: bool, look: impl FnOnce(&[U32]) -> bool) -> bool {
        look(self.left)
    }

    #[inline]
    fn remaining(&self, _: usize) -> usize {
        self.left.len()
    }
}
