//! Whole packs, from the first byte on.

use super::draft::{Draft, point};
use crate::{
    build::{
        Dropped, Options,
        lay::{BlockMedium, Lay},
    },
    header::{
        ENDIAN_MARKER, FLAG_TRAILING_INDEX, FLAG_TYPE_TABLE, HEADER_SIZE, Header, MAGIC, VERSION,
    },
    pack::{Pack, not_found},
};
use bytes::Bytes;
use spelunk_core::{
    Result, Task,
    scalar::{Chars, Hash128, U32, U64, Word},
};
use std::{
    io::{Seek, SeekFrom, Write},
    sync::Arc,
};
use zerocopy::IntoBytes;

/// Result of writing a pack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrittenPack {
    /// Size of the pack in bytes.
    pub size: u64,
    /// Parts that it lacks of the pack that it was made of.
    pub dropped: Dropped,
}

impl Draft {
    /// Writes the state as a pack of its own: header, strings, for each asset its chunks, index. What is stored already is
    /// copied as it is stored. The header comes last, so that half a pack is never taken for one.
    ///
    /// The bytes depend on the assets and the target alone. Payloads are read and packed as they are needed; what is held
    /// in memory are the tables and what is in the works (32 MiB for each thread, or one payload where it is larger).
    ///
    /// # Errors
    /// What a pack cannot hold; a chunk that is damaged; limits; reading and writing errors.
    pub fn write(
        mut self,
        out: &mut (impl Write + Seek),
        options: Options,
        task: &mut Task<'_>,
    ) -> Result<WrittenPack> {
        let start = out.stream_position()?;
        out.write_all(&[0; HEADER_SIZE as usize])?;
        let base = self.base.clone();
        let extension = match &base {
            Some(base) => base.header_extension(&mut task.budget)?,
            None => Bytes::new(),
        };
        out.write_all(&extension)?;
        let reserved = base.as_ref().map_or([0; 24], |base| base.index().header().reserved);
        let mut blocks = Stream(out);
        let lay = Lay {
            base: base.as_deref(),
            stays: false,
            strings: false,
            previous: None,
            reserved,
            options,
            out: &mut blocks,
            at: u64::from(HEADER_SIZE).saturating_add(extension.len() as u64),
            task,
        };
        let laid = lay.lay(&mut self.rows)?.ok_or_else(not_found)?;
        let mut header = base.as_ref().map_or_else(empty, |base| carried(base));
        point(&mut header, &laid, None);
        out.seek(SeekFrom::Start(start))?;
        out.write_all(header.as_bytes())?;
        out.seek(SeekFrom::Start(start.saturating_add(laid.index.end())))?;
        let mut dropped = base.as_ref().map_or_else(Dropped::default, |base| history(base));
        dropped.strings = laid.strings_left;
        dropped.dependencies = laid.dependencies_left;
        Ok(WrittenPack { size: laid.index.end(), dropped })
    }
}

/// The header of a pack that is made of nothing.
pub(super) fn empty() -> Header {
    Header {
        magic: Chars(MAGIC),
        version: U32::new(VERSION),
        header_size: U32::new(HEADER_SIZE),
        endian_marker: Word::new(ENDIAN_MARKER),
        file_size: U64::new(0),
        index_offset: U64::new(0),
        index_size: U64::new(0),
        string_table_offset: U64::new(0),
        string_table_size: U64::new(0),
        type_table_offset: U64::new(0),
        type_table_size: U64::new(0),
        index_hash: Hash128::new(0),
        flags: Word::new(0),
        reserved0: U32::new(0),
        previous_index_offset: U64::new(0),
        previous_index_size: U64::new(0),
        reserved: [0; 64],
    }
}

/// The header of a pack that is made of another one: what nobody knows stays. Where the type table goes nobody knows
/// either, so it is left behind.
fn carried(base: &Pack) -> Header {
    let mut header = *base.header();
    header.flags = Word::new(header.flags.get() & !(FLAG_TRAILING_INDEX | FLAG_TYPE_TABLE));
    (header.type_table_offset, header.type_table_size) = (U64::new(0), U64::new(0));
    header
}

/// Returns the parts of a pack that are not of its current state.
fn history(base: &Pack) -> Dropped {
    let header = base.header();
    let index = base.index();
    let mut used = vec![false; index.bulk().len()];
    for entry in index.entries() {
        used.get_mut(base.bulk_rows(entry)).unwrap_or_default().fill(true);
    }
    Dropped {
        generations: (base.links().len() as u64).saturating_sub(1),
        bulk: used.iter().filter(|used| !**used).count() as u64,
        type_table: header.type_table_offset.get() != 0 || header.type_table_size.get() != 0,
        ..Dropped::default()
    }
}

/// Blocks that are written as they come.
pub(super) struct Stream<'o, W>(pub(super) &'o mut W);

impl<W: Write> BlockMedium for Stream<'_, W> {
    fn put(&mut self, bytes: Bytes) -> Result<()> {
        Ok(self.0.write_all(&bytes)?)
    }
}

/// Writes the state that a pack shows as a pack of its own: older generations, strings and bytes that nothing uses stay
/// behind, everything else is copied as it is stored.
///
/// # Errors
/// Those of [`Draft::write`].
pub fn compact(
    pack: &Pack,
    out: &mut (impl Write + Seek),
    options: Options,
    task: &mut Task<'_>,
) -> Result<WrittenPack> {
    let draft = Draft::of(Arc::new(pack.share()), &mut task.budget)?;
    draft.write(out, options, task)
}
