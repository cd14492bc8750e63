//! Data that is neither rows nor records: as a whole, or where it differs.

use super::{ByteEdit, ChunkChange, bad, conflict};
use crate::{Bytes, Result};
use base64::{Engine, prelude::BASE64_STANDARD};
use std::ops::Range;

/// Stretches that are nearer to each other than this are told as one: to tell where one lies takes as much.
const APART: usize = 24;

/// What becomes of the plain data of a chunk: where it differs, if it is as long as it was and less than half of it is told so,
/// else all of it.
pub(super) fn change(chunk: String, old: Option<&[u8]>, new: Option<&[u8]>) -> Option<ChunkChange> {
    if old == new {
        return None;
    }
    if let Some((old, new)) = old.zip(new).filter(|(old, new)| old.len() == new.len()) {
        let edits = edits(old, new);
        let told: usize = edits.iter().map(|edit| edit.old.len().saturating_add(APART)).sum();
        if told < old.len() / 2 {
            return Some(ChunkChange { chunk, edits, ..ChunkChange::default() });
        }
    }
    let told = |bytes: Option<&[u8]>| bytes.map(|bytes| BASE64_STANDARD.encode(bytes));
    Some(ChunkChange { chunk, old: told(old), new: told(new), ..ChunkChange::default() })
}

/// Where data of one length differs: stretches with at least `apart` bytes that are the same between them.
pub(crate) fn differing(old: &[u8], new: &[u8], apart: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, _) in old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new) {
        let behind = at.saturating_add(1);
        match runs.last_mut() {
            Some(run) if at.saturating_sub(run.end) < apart => run.end = behind,
            _ => runs.push(at..behind),
        }
    }
    runs
}

fn edits(old: &[u8], new: &[u8]) -> Vec<ByteEdit> {
    let told = |bytes: &[u8], run: &Range<usize>| {
        BASE64_STANDARD.encode(bytes.get(run.clone()).unwrap_or_default())
    };
    let edit = |run: Range<usize>| ByteEdit {
        at: run.start as u64,
        old: told(old, &run),
        new: told(new, &run),
    };
    differing(old, new, APART).into_iter().map(edit).collect()
}

fn decoded(text: &str) -> Result<Bytes> {
    BASE64_STANDARD.decode(text).map(Bytes::from).map_err(|error| bad(error.to_string()))
}

/// What the data of a chunk is to be; `None` where it is to go.
///
/// # Errors
/// [`CONFLICT`](crate::open::codes::CONFLICT) where it is neither what it was nor what it is to be; [`BAD_PATCH`](crate::open::codes::BAD_PATCH).
pub(super) fn made(change: &ChunkChange, known: Option<&Bytes>) -> Result<Option<Bytes>> {
    if change.edits.is_empty() {
        let [old, new] =
            [&change.old, &change.new].map(|text| text.as_deref().map(decoded).transpose());
        let (old, new) = (old?, new?);
        if known != new.as_ref() && known != old.as_ref() {
            let size = |bytes: Option<&Bytes>| {
                bytes.map_or("none".to_owned(), |bytes| format!("{} bytes", bytes.len()))
            };
            return Err(conflict(&size(old.as_ref()), &format!("other {}", size(known))));
        }
        return Ok(new);
    }
    if change.old.is_some() || change.new.is_some() {
        return Err(bad("a chunk that changes in places and as a whole"));
    }
    let Some(known) = known else { return Err(conflict("the chunk", "none")) };
    let mut made = known.to_vec();
    for edit in &change.edits {
        let (old, new) = (decoded(&edit.old)?, decoded(&edit.new)?);
        if old.len() != new.len() {
            return Err(bad(format!("{} bytes for {}", new.len(), old.len())));
        }
        let start = usize::try_from(edit.at).unwrap_or(usize::MAX);
        let place = made.get_mut(start..start.saturating_add(old.len()));
        let place = place.filter(|place| *place == &*old || *place == &*new);
        let place = place.ok_or_else(|| {
            conflict(&format!("{} bytes at {:#x}", old.len(), edit.at), "other ones")
        })?;
        place.copy_from_slice(&new);
    }
    Ok(Some(made.into()))
}
