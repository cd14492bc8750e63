//! Changing the sections of a chunk (`docs/formats/virtools.md#123-builder`).

use super::{
    Form,
    buffer::{ChunkBuf, Header},
    list::{List, ListTarget},
    section::{Section, Sections},
};
use crate::codes;
use spelunk_core::{Error, Result};
use std::ops::Range;
use zerocopy::little_endian::U32;

/// Dwords that the data of a chunk can have: entries of lists are indexes that are not negative.
pub const MAX_DATA: usize = i32::MAX as usize;

/// Place at which a section is put in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Position {
    /// Before all others.
    First,
    /// Behind all others.
    Last,
    /// Before the one with this identifier.
    Before(u32),
    /// Behind the one with this identifier.
    After(u32),
}

impl ChunkBuf {
    /// Removes an identifier with all that belongs to it, its entries in the lists included. Whether there was
    /// one; of several with the same number the first one goes.
    ///
    /// # Errors
    /// [`codes::IDENTIFIER`] where the chain is broken.
    pub fn remove_section(&mut self, identifier: u32) -> Result<bool> {
        let chain = self.chain()?;
        let Some(section) = chain.iter().find(|section| section.identifier == identifier) else {
            return Ok(false);
        };
        self.splice(&chain, section.index..section.end, None, None)?;
        Ok(true)
    }

    /// Gives the section of an identifier another content, or adds the section at the end where there is none.
    ///
    /// `payload` is a chunk of the same version and mode without identifiers of its own.
    ///
    /// # Errors
    /// [`codes::IDENTIFIER`] where the chain is broken; [`codes::CHUNK_CONTENT`] and [`codes::LIST_ENTRY`] where
    /// `payload` does not fit this chunk; [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn set_section(&mut self, identifier: u32, payload: &ChunkBuf) -> Result<()> {
        let chain = self.chain()?;
        accept(&self.header, payload)?;
        match chain.iter().find(|section| section.identifier == identifier) {
            Some(section) => self.splice(&chain, section.payload(), None, Some(payload)),
            None => {
                let end = self.data.len();
                self.splice(&chain, end..end, Some(identifier), Some(payload))
            }
        }
    }

    /// Adds an identifier with its content, as [`ChunkBuf::set_section`] takes it.
    ///
    /// # Errors
    /// As [`ChunkBuf::set_section`], and [`codes::NO_IDENTIFIER`] where the one that `position` names is
    /// missing.
    pub fn insert_section(
        &mut self,
        position: Position,
        identifier: u32,
        payload: &ChunkBuf,
    ) -> Result<()> {
        let chain = self.chain()?;
        accept(&self.header, payload)?;
        let find = |wanted: u32| {
            let found = chain.iter().find(|section| section.identifier == wanted);
            found.ok_or_else(|| missing(wanted))
        };
        let at = match position {
            Position::First => 0,
            Position::Last => self.data.len(),
            Position::Before(other) => find(other)?.index,
            Position::After(other) => find(other)?.end,
        };
        self.splice(&chain, at..at, Some(identifier), Some(payload))
    }

    /// All sections.
    pub(super) fn chain(&self) -> Result<Vec<Section>> {
        let sections = Sections::of(&self.data);
        match sections.clone().broken() {
            None => Ok(sections.collect()),
            Some(index) => Err(Error::new(&codes::IDENTIFIER)
                .expected("a chain of identifiers from the first dword to the last")
                .found(format!("a break at dword {index}"))),
        }
    }

    /// Replaces `range` by an identifier, where there is one, and content; mends the chain and the lists.
    fn splice(
        &mut self,
        chain: &[Section],
        range: Range<usize>,
        identifier: Option<u32>,
        content: Option<&ChunkBuf>,
    ) -> Result<()> {
        let head = identifier.map(|identifier| [identifier, 0].map(U32::new));
        let head = head.as_ref().map_or(&[][..], |head| head);
        let words = content.map_or(&[][..], |content| &content.data);
        let change = DataSplice {
            range: range.clone(),
            len: head.len().saturating_add(words.len()),
            payload: range.start.saturating_add(head.len()),
            all: self.data.len(),
        };
        room(self.data.len().saturating_sub(range.len()), change.len)?;
        let parts = content.map(|content| [&content.ids, &content.chunks, &content.managers]);
        let parts = parts.map_or([None; 3], |parts| parts.map(Option::as_deref));
        let lists = [&mut self.ids, &mut self.chunks, &mut self.managers];
        for (list, added) in lists.into_iter().zip(parts) {
            change.list(list, added.unwrap_or_default());
        }
        self.data.splice(range.clone(), head.iter().chain(words).copied());
        let before = chain.iter().take_while(|section| section.index < range.start);
        let new = identifier.is_some().then_some(range.start);
        let after = chain.iter().filter(|section| section.index >= range.end);
        // A section that starts where the range does is the one that goes, unless nothing goes.
        let starts = before
            .map(|section| section.index)
            .chain(new)
            .chain(after.map(|section| change.shift(section.index)));
        link(&mut self.data, starts);
        Ok(())
    }
}

/// Refuses content whose dwords would mean something else in a chunk of this header.
pub(super) fn accept(header: &Header, content: &ChunkBuf) -> Result<()> {
    let nature = |header: &Header| (Form::of_parent(header.chunk_version()), header.file_mode);
    if nature(header) != nature(&content.header) {
        let tell = |header: &Header| {
            let mode = if header.file_mode { "in" } else { "without" };
            format!("chunk version {} {mode} file mode", header.chunk_version())
        };
        return Err(Error::new(&codes::CHUNK_CONTENT)
            .expected(tell(header))
            .found(tell(&content.header)));
    }
    if !content.rest.is_empty() {
        let found = format!("{} bytes behind its lists", content.rest.len());
        return Err(Error::new(&codes::CHUNK_CONTENT).expected("data and lists").found(found));
    }
    let lists = [&content.ids, &content.chunks, &content.managers];
    for list in lists.into_iter().filter_map(Option::as_deref) {
        let inside = |entry: ListTarget| {
            entry.index().is_some_and(|index| (index as usize) < content.data.len())
        };
        if !List::stored(list).entries().all(inside) {
            return Err(Error::new(&codes::LIST_ENTRY));
        }
    }
    Ok(())
}

/// Writes the index of each identifier into the one before it, and 0 into the last.
fn link(data: &mut [U32], starts: impl Iterator<Item = usize>) {
    let mut last: Option<usize> = None;
    let mut set = |index: Option<usize>, next: usize| {
        if let Some(slot) = index.and_then(|index| data.get_mut(index.saturating_add(1))) {
            // Data holds at most `MAX_DATA` dwords.
            *slot = U32::new(next as u32);
        }
    };
    for start in starts {
        set(last, start);
        last = Some(start);
    }
    set(last, 0);
}

/// Agrees to `more` dwords behind `len`.
pub(super) fn room(len: usize, more: usize) -> Result<()> {
    match len.checked_add(more) {
        Some(all) if all <= MAX_DATA => Ok(()),
        _ => Err(Error::new(&spelunk_core::codes::TOO_LARGE)
            .field("data_size")
            .expected(format!("at most {MAX_DATA} dwords"))
            .found(format!("{len} dwords and {more} more"))),
    }
}

/// An identifier that is not there.
#[cold]
pub(super) fn missing(identifier: u32) -> Error {
    Error::new(&codes::NO_IDENTIFIER).expected(format!("the identifier {identifier:#x}"))
}

/// A change of the data: `range` of `all` dwords becomes `len` dwords, of which the content starts at
/// `payload`.
struct DataSplice {
    range: Range<usize>,
    len: usize,
    payload: usize,
    all: usize,
}

impl DataSplice {
    /// The new index of a dword behind the range.
    const fn shift(&self, index: usize) -> usize {
        let gap = self.range.end.saturating_sub(self.range.start);
        index.saturating_sub(gap).saturating_add(self.len)
    }

    /// Drops the entries of what goes, moves those behind it, adds those of the new content between the two.
    /// Entries that point outside the data stay as they are.
    fn list(&self, list: &mut Option<Vec<U32>>, added: &[U32]) {
        let old = list.as_deref().unwrap_or_default();
        let (mut words, mut behind) = (Vec::new(), Vec::new());
        for entry in List::stored(old).entries() {
            let Some(index) = entry.index() else {
                entry.push(&mut behind);
                continue;
            };
            let at = index as usize;
            if at < self.range.start {
                entry.push(&mut words);
            } else if at >= self.all {
                entry.push(&mut behind);
            } else if at >= self.range.end {
                entry.to(self.shift(at) as u32).push(&mut behind);
            }
        }
        for entry in List::stored(added).entries() {
            let moved = entry.index().map(|at| self.payload.saturating_add(at as usize));
            entry.to(moved.unwrap_or_default() as u32).push(&mut words);
        }
        words.append(&mut behind);
        if words.is_empty() && !old.is_empty() {
            *list = None;
        } else if list.is_some() || !words.is_empty() {
            *list = Some(words);
        }
    }
}

impl ListTarget {
    /// The index in the entry.
    pub const fn index(self) -> Option<u32> {
        match self {
            ListTarget::Single(index) | ListTarget::Sequence(index) => Some(index),
            ListTarget::Cut => None,
        }
    }

    /// The entry with another index.
    pub(super) const fn to(self, index: u32) -> ListTarget {
        match self {
            ListTarget::Single(_) => ListTarget::Single(index),
            ListTarget::Sequence(_) => ListTarget::Sequence(index),
            ListTarget::Cut => ListTarget::Cut,
        }
    }

    /// Writes the entry behind others.
    pub(super) fn push(self, list: &mut Vec<U32>) {
        match self {
            ListTarget::Single(index) => list.push(U32::new(index)),
            ListTarget::Sequence(index) => list.extend([U32::MAX_VALUE, U32::new(index)]),
            ListTarget::Cut => list.push(U32::MAX_VALUE),
        }
    }
}
