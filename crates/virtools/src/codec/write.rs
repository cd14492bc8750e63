//! From values to chunks.

use super::{
    Array, Codec, Coded, DwordValue, Extras, Layout, ManagerInt, ManagerInts, Opaque, Padded, Pod,
    Reference, Saved, Text, Unknown, value::guid,
};
use crate::{
    chunk::{
        buffer::{ChunkBuf, Header},
        build::Builder,
        read,
    },
    codes,
};
use spelunk_core::{Error, Field, Record, Result, field::Described, scalar::fit};
use std::mem::{replace, take};
use zerocopy::{FromBytes, IntoBytes, little_endian::U32};

/// Writes values.
#[derive(Debug)]
pub struct Writer {
    header: Header,
    /// Dwords that are known to follow the fields of sections.
    rests: Vec<Unknown>,
    /// The content of the section that is open.
    content: Builder,
    sections: Vec<Option<(u32, ChunkBuf)>>,
}

impl<T: Layout> Saved<T> {
    /// The chunk that holds the value, which is not changed.
    ///
    /// # Errors
    /// Where a list has another length than its count, or something does not fit into a chunk of these versions.
    pub fn write(&mut self) -> Result<ChunkBuf> {
        let header = self.header;
        let mut writer = Writer {
            header,
            rests: Vec::new(),
            content: Builder::new(header),
            sections: Vec::new(),
        };
        writer.whole(self)
    }
}

impl Writer {
    fn whole<T: Layout>(&mut self, saved: &mut Saved<T>) -> Result<ChunkBuf> {
        let extras = saved.extras.as_deref();
        let rests = extras.map(|extras| extras.rests.clone()).unwrap_or_default();
        let outer = (
            replace(&mut self.header, saved.header),
            replace(&mut self.rests, rests),
            replace(&mut self.content, Builder::new(saved.header)),
            take(&mut self.sections),
        );
        let written = saved.value.layout(self);
        let sections = take(&mut self.sections);
        (self.header, self.rests, self.content, self.sections) = outer;
        written?;
        joined(saved.header, sections, extras)
    }

    /// Ends the section that is open, with what is known to follow its fields.
    fn close(&mut self, identifier: u32) -> Result<()> {
        if let Some(rest) = self.rests.iter().find(|rest| rest.identifier == identifier) {
            self.content.content(&rest.content)?;
        }
        let content = replace(&mut self.content, Builder::new(self.header)).finish();
        self.sections.push(Some((identifier, content)));
        Ok(())
    }

    /// Values as dwords.
    fn dwords(&mut self, stored: &impl Pod) -> Result<()> {
        let words = <[U32]>::ref_from_bytes(stored.as_bytes()).unwrap_or_default();
        self.content.dwords(words).map(drop)
    }

    fn bytes<T: Pod>(&mut self, items: &[T], padding: [u8; 3]) -> Result<()> {
        let bytes = items.as_bytes();
        let padding = padding.get(..bytes.len().wrapping_neg() & 3).unwrap_or_default();
        self.content.padded_no_size(read::Padded { bytes, padding }).map(drop)
    }

    fn reference(&mut self, value: Reference) -> Result<()> {
        if value.listed && value.value == 0 {
            return self.content.listed_object(0).map(drop);
        }
        if self.header.file_mode {
            // Positions that no table can have are kept as they are too.
            return self.content.dword(value.value).map(drop);
        }
        self.content.object((value.value != 0).then_some(value.value)).map(drop)
    }
}

/// The sections in the order in which they were stored, those that are new behind the others.
fn joined(
    header: Header,
    mut sections: Vec<Option<(u32, ChunkBuf)>>,
    extras: Option<&Extras>,
) -> Result<ChunkBuf> {
    let mut chunk = Builder::new(header);
    let mut put = |identifier: u32, content: &ChunkBuf| {
        chunk.identifier(identifier)?.content(content).map(drop)
    };
    let none = Extras::default();
    let extras = extras.unwrap_or(&none);
    let mut unknown = extras.unknown.iter().peekable();
    for identifier in &extras.order {
        let is_it = |section: &&mut Option<(u32, ChunkBuf)>| {
            section.as_ref().is_some_and(|(known, _)| known == identifier)
        };
        if let Some((_, content)) = sections.iter_mut().find(is_it).and_then(Option::take) {
            put(*identifier, &content)?;
        } else if let Some(section) = unknown.next_if(|next| next.identifier == *identifier) {
            put(*identifier, &section.content)?;
        }
    }
    for section in unknown {
        put(section.identifier, &section.content)?;
    }
    for (identifier, content) in sections.into_iter().flatten() {
        put(identifier, &content)?;
    }
    Ok(ChunkBuf { rest: extras.rest.clone(), ..chunk.finish() })
}

/// A list of another length than its count says.
#[cold]
fn miscounted(name: &'static str, count: usize, len: usize) -> Error {
    Error::new(&codes::VALUE).field(name).expected(format!("{count} items")).found(len)
}

fn counted(name: &'static str, count: usize, len: usize) -> Result<()> {
    if count == len { Ok(()) } else { Err(miscounted(name, count, len)) }
}

impl Codec for Writer {
    type Stop = Error;

    fn header(&self) -> &Header {
        &self.header
    }

    fn section<T: Default>(
        &mut self,
        identifier: u32,
        record: &'static Record,
        value: &mut Option<T>,
        mut inside: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        let Some(value) = value else { return Ok(()) };
        self.content = Builder::new(self.header);
        inside(self, value).map_err(|error| error.field(record.name))?;
        self.close(identifier)
    }

    fn flag(&mut self, identifier: u32, _: &'static Field, value: &mut bool) -> Coded<Self> {
        if !*value {
            return Ok(());
        }
        self.content = Builder::new(self.header);
        self.close(identifier)
    }

    fn item<T: DwordValue>(&mut self, _: &'static Field, value: &mut T) -> Coded<Self> {
        self.dwords(&value.stored())
    }

    fn count(&mut self, field: &'static Field, len: usize) -> Result<usize> {
        self.content.dword(fit(len as u64, field.name)?)?;
        Ok(len)
    }

    fn record<T: Described + Pod>(&mut self, value: &mut T) -> Coded<Self> {
        self.dwords(value)
    }

    fn array<T: Pod>(
        &mut self,
        field: &'static Field,
        count: usize,
        value: &mut Array<T>,
    ) -> Coded<Self> {
        counted(field.name, count, value.len())?;
        self.bytes(value, [0; 3])
    }

    fn records<T: Described + Pod>(
        &mut self,
        name: &'static str,
        count: usize,
        value: &mut Array<T>,
    ) -> Coded<Self> {
        counted(name, count, value.len())?;
        self.bytes(value, [0; 3])
    }

    fn padded<T: Pod>(
        &mut self,
        field: &'static Field,
        count: usize,
        value: &mut Padded<T>,
    ) -> Coded<Self> {
        counted(field.name, count, value.items.len())?;
        self.bytes(&value.items, value.padding)
    }

    fn buffer<T: Pod>(&mut self, field: &'static Field, value: &mut Padded<T>) -> Coded<Self> {
        self.content.dword(fit(value.items.as_bytes().len() as u64, field.name)?)?;
        self.bytes(&value.items, value.padding)
    }

    fn text(&mut self, field: &'static Field, value: &mut Text) -> Coded<Self> {
        self.buffer(field, &mut value.0)
    }

    fn list<T: Default>(
        &mut self,
        record: &'static Record,
        count: usize,
        value: &mut Vec<T>,
        each: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        let mut each = each;
        counted(record.name, count, value.len())?;
        value.iter_mut().try_for_each(|item| each(self, item))
    }

    fn object(&mut self, _: &'static Field, value: &mut Reference) -> Coded<Self> {
        self.reference(*value)
    }

    fn objects(&mut self, _: &'static Field, value: &mut Array<U32>) -> Coded<Self> {
        if self.header.file_mode {
            self.content.dword(fit(value.len() as u64, "count")?)?;
            return self.content.dwords(value).map(drop);
        }
        let ids: Vec<_> = value.iter().map(|id| Some(id.get()).filter(|id| *id != 0)).collect();
        self.content.objects(&ids).map(drop)
    }

    fn manager_int(&mut self, _: &'static Field, value: &mut ManagerInt) -> Coded<Self> {
        self.content.manager_int(guid(value.manager), value.value).map(drop)
    }

    fn manager_ints(&mut self, _: &'static Field, value: &mut ManagerInts) -> Coded<Self> {
        self.content.manager_ints(guid(value.manager), &value.values).map(drop)
    }

    fn sub_chunk<T: Layout>(
        &mut self,
        record: &'static Record,
        value: &mut Option<Box<Saved<T>>>,
    ) -> Coded<Self> {
        let chunk = value.as_deref_mut().map(|saved| self.whole(saved)).transpose();
        let chunk = chunk.map_err(|error| error.field(record.name))?;
        self.content.sub_chunk(chunk.as_ref()).map(drop)
    }

    fn sub_chunks<T: Layout>(
        &mut self,
        record: &'static Record,
        value: &mut Vec<Option<Box<Saved<T>>>>,
    ) -> Coded<Self> {
        let chunks = value
            .iter_mut()
            .map(|saved| saved.as_deref_mut().map(|saved| self.whole(saved)).transpose());
        let chunks = chunks.collect::<Result<Vec<_>>>();
        let chunks = chunks.map_err(|error| error.field(record.name))?;
        self.content.sub_chunks(chunks.iter().map(Option::as_ref)).map(drop)
    }

    fn opaque(&mut self, _: &'static Record, value: &mut Option<Opaque>) -> Coded<Self> {
        let chunk = value.as_ref().map(Opaque::chunk).transpose()?;
        self.content.sub_chunk(chunk.as_ref()).map(drop)
    }

    fn sized(
        &mut self,
        field: &'static Field,
        own: bool,
        mut inside: impl FnMut(&mut Self) -> Coded<Self>,
    ) -> Coded<Self> {
        let start = self.content.len();
        self.content.dword(0)?;
        inside(self)?;
        let end = self.content.len();
        let own = usize::from(!own);
        let size = end.saturating_sub(start).saturating_sub(own);
        self.content.set(start, fit(size as u64, field.name)?);
        Ok(())
    }

    fn remaining(&self, len: usize) -> usize {
        len
    }
}
