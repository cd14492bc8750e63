//! Whether a pack can be made again from its payloads and what its listing tells.

use super::draft::{Draft, described};
use crate::{
    build::{Content, Options, Payload},
    header::HEADER_SIZE,
    pack::Pack,
};
use spelunk_core::{Budget, Class, Limits, Result, Source, Strict, Task};
use std::{
    io::{self, Seek, SeekFrom, Write},
    sync::Arc,
};

/// Whether writing the assets of a pack anew gives its bytes: it was written in one go, in the usual order, and everything
/// in it packs to the same bytes again. What cannot be read cannot be made again.
///
/// # Errors
/// Limits of the tables; reading errors.
pub fn rebuilds(pack: &Pack, options: Options, task: &mut Task<'_>) -> Result<bool> {
    if pack.links().len() != 1 || pack.len() != pack.header().file_size.get() {
        return Ok(false);
    }
    let base = Arc::new(pack.share());
    let mut draft = Draft::default();
    for row in 0..pack.index().entries().len() {
        let Ok(mut asset) = described(&base, row, true, &mut task.budget) else { return Ok(false) };
        asset.extra = Default::default();
        let codec = |payload: &Payload| payload.codec();
        asset.payload = Payload::new(content(&base, row, None), codec(&asset.payload));
        for (nth, bulk) in asset.bulk.iter_mut().enumerate() {
            let payload = Payload::new(content(&base, row, Some(nth)), codec(&bulk.payload));
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
    let written = draft.write(&mut out, options, &mut quiet);
    task.budget = quiet.budget;
    match written {
        Ok(written) => Ok(written.size == pack.len()),
        Err(error) if error.io_error().is_some_and(is_other) => Ok(false),
        Err(error) if error.code().class == Class::Io => Err(error),
        Err(_) => Ok(false),
    }
}

/// A payload of a pack, read when it is its turn.
fn content(base: &Arc<Pack>, row: usize, bulk: Option<usize>) -> Content {
    let base = base.clone();
    let entry = base.entry(row);
    let len = match bulk {
        None => entry.map(|entry| entry.payload_chunk_size_uncompressed.get()),
        Some(nth) => entry
            .and_then(|entry| base.bulk(entry).get(nth))
            .map(|bulk| bulk.size_uncompressed.get()),
    };
    // What a damaged size claims is no measure.
    let len = len.map(|len| len.min(base.len()));
    Content::later(len, move || {
        let mut sink = Strict;
        let mut task = Task::new(Budget::new(Limits::for_len(base.len())), &mut sink);
        match bulk {
            None => base.payload(row, &mut task),
            Some(nth) => base.bulk_payload(row, nth, &mut task),
        }
    })
}

/// What tells that the bytes are others, or cannot be made, from errors of the machine.
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
        let mut known = vec![0; if room { 0 } else { bytes.len() }];
        let read = self.source.read_at(self.at, &mut known);
        if !room && (read.is_err() || known != bytes) {
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
