//! The test whether a pack can be made again from its payloads and its listing.

use super::draft::{Draft, described};
use crate::{
    Compression,
    build::{Content, Options, Payload},
    chunk,
    header::HEADER_SIZE,
    pack::Pack,
};
use bytes::Bytes;
use spelunk_core::{Budget, Class, Limits, Result, Source, Strict, Task, scalar::Hash128};
use std::{
    io::{self, Seek, SeekFrom, Write},
    num::NonZeroUsize,
    sync::Arc,
};

/// Whether writing the assets of a pack anew gives its bytes: it was written in one go, in the usual order, and everything
/// in it packs to the same bytes again. What cannot be read cannot be made again. Payloads are read for that, but not those
/// that are stored plainly where all are `verified`, known to be what their rows say.
///
/// # Errors
/// Limits of the tables; reading errors.
pub fn rebuilds(
    pack: &Pack,
    verified: bool,
    options: Options,
    task: &mut Task<'_>,
) -> Result<bool> {
    if pack.links().len() != 1 || pack.len() != pack.header().file_size.get() {
        return Ok(false);
    }
    let base = Arc::new(pack.share());
    let mut draft = Draft::default();
    // Half of the memory is for payloads in the works; one that needs more to be packed cannot be made again here.
    let most = task.budget.left().memory / 2;
    let mut threads = task.threads;
    for row in 0..pack.index().entries().len() {
        let Ok(mut asset) = described(&base, row, true, &mut task.budget) else { return Ok(false) };
        let later = LATER.saturating_mul(asset.bulk.len().saturating_add(1) as u64);
        if task.budget.memory(later).is_err() {
            return Ok(false);
        }
        asset.extra = Default::default();
        let mut again = |payload: &Payload, bulk: Option<usize>| {
            let stored = verified.then(|| stored(&base, row, bulk)).flatten();
            let codec = payload.codec();
            if codec.is_strongest() {
                // Its tables are what takes the memory, and each thread has its own.
                threads = NonZeroUsize::new(1);
            }
            let memory = most.checked_div(codec.packing_times()).unwrap_or_default();
            let limits = Limits { memory, ..Limits::for_len(base.len()) };
            match stored {
                Some((bytes, hash)) => {
                    let len = bytes.len() as u64;
                    Payload::packed(bytes, codec, len, hash)
                }
                None => Payload::new(content(&base, row, bulk, limits), codec),
            }
        };
        asset.payload = again(&asset.payload, None);
        for (nth, bulk) in asset.bulk.iter_mut().enumerate() {
            let payload = again(&bulk.payload, Some(nth));
            *bulk = crate::build::Bulk::new(bulk.semantic, bulk.sub_index, payload);
        }
        asset.dependencies.iter_mut().for_each(|need| need.reserved = [0; 3]);
        if draft.add(asset).is_err() {
            return Ok(false);
        }
    }
    let mut out = Same { source: pack.shared_source(), at: 0 };
    let mut sink = Strict;
    let mut quiet = Task::new(task.budget.clone(), &mut sink);
    quiet.threads = threads;
    let written = draft.write(&mut out, options, &mut quiet);
    task.budget = quiet.budget;
    match written {
        Ok(written) => Ok(written.size == pack.len()),
        Err(error) if error.io_error().is_some_and(is_other) => Ok(false),
        Err(error) if error.code().class == Class::Io => Err(error),
        Err(_) => Ok(false),
    }
}

/// Bytes that are held of a payload until it is its turn: a function with what it needs.
const LATER: u64 = 128;

/// The bytes of a payload that is stored plainly, where the source lends them, and their hash.
fn stored(base: &Pack, row: usize, bulk: Option<usize>) -> Option<(Bytes, Hash128)> {
    let located = match bulk {
        None => base.locate(row),
        Some(nth) => base.locate_bulk(row, nth),
    };
    let located = located.ok().filter(|located| {
        located.compression() == Compression::NONE && located.stored_len() == located.plain_len()
    })?;
    let range = located.range();
    let bytes = base.source().lend(range.start.saturating_add(chunk::HEADER_SIZE)..range.end)?;
    Some((bytes, located.hash()))
}

/// A payload of a pack, read when it is its turn.
fn content(base: &Arc<Pack>, row: usize, bulk: Option<usize>, limits: Limits) -> Content {
    let base = base.clone();
    let entry = base.entry(row);
    let len = match bulk {
        None => entry.map(|entry| entry.payload_chunk_size_uncompressed.get()),
        Some(nth) => entry
            .and_then(|entry| base.bulk(entry).get(nth))
            .map(|bulk| bulk.size_uncompressed.get()),
    };
    // What a damaged size claims is no measure.
    let len = len.map(|len| len.min(limits.memory));
    Content::later(len, move || {
        let mut sink = Strict;
        let mut task = Task::new(Budget::new(limits), &mut sink);
        match bulk {
            None => base.payload(row, &mut task),
            Some(nth) => base.bulk_payload(row, nth, &mut task),
        }
    })
}

/// Kind of error by which bytes that are others, or cannot be made, differ from errors of the machine.
const OTHER: io::ErrorKind = io::ErrorKind::InvalidData;

fn is_other(error: &io::Error) -> bool {
    error.kind() == OTHER
}

/// A file that takes the bytes that it has, and no others.
struct Same {
    source: Arc<dyn Source>,
    at: u64,
}

impl Write for Same {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = self.at.saturating_add(bytes.len() as u64);
        // The room that is left for the header until it is known.
        let room = end == u64::from(HEADER_SIZE) && bytes.iter().all(|byte| *byte == 0);
        let same = room
            || match self.source.lend(self.at..end) {
                // Payloads that are lent come back from where they were.
                Some(known) => known.as_ptr() == bytes.as_ptr() || known == bytes,
                None => {
                    let mut known = vec![0; bytes.len()];
                    self.source.read_at(self.at, &mut known).is_ok() && known == bytes
                }
            };
        if !same {
            return Err(io::Error::new(OTHER, "other bytes"));
        }
        self.at = end;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Same {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(by) => self.at.saturating_add_signed(by),
            SeekFrom::End(by) => self.source.len().saturating_add_signed(by),
        };
        Ok(self.at)
    }
}
