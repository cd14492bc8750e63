//! Data that is neither rows nor records: as a whole, or where it differs.

use super::form::{ByteEdit, ChunkChange};
use crate::patch::form::{bad, conflict};
use base64::{Engine, prelude::BASE64_STANDARD};
use spelunk_core::{Budget, Bytes, Result};
use std::ops::Range;

/// Stretches that are nearer to each other than this are written as one: the place of one takes as much.
const APART: usize = 24;

/// Returns the change of the plain data of a chunk: the stretches that differ, if it is as long as it was and less than half of
/// it is in them, else all of it.
///
/// # Errors
/// Limits.
pub(super) fn change(
    chunk: String,
    old: Option<&[u8]>,
    new: Option<&[u8]>,
    budget: &mut Budget,
) -> Result<Option<ChunkChange>> {
    if old == new {
        return Ok(None);
    }
    if let Some((old, new)) = old.zip(new).filter(|(old, new)| old.len() == new.len()) {
        let runs = differing(old, new, APART);
        let written =
            runs.iter().map(|run| text_len(run.len()).saturating_add(APART)).sum::<usize>();
        if written < old.len() / 2 {
            let edits = runs.len().saturating_mul(size_of::<ByteEdit>());
            budget.memory(written.saturating_mul(2).saturating_add(edits) as u64)?;
            let edits = runs.into_iter().map(|run| edit(old, new, run)).collect();
            return Ok(Some(ChunkChange { chunk, edits, ..ChunkChange::default() }));
        }
    }
    let mut text_of = |bytes: Option<&[u8]>| bytes.map(|bytes| text(bytes, budget)).transpose();
    let (old, new) = (text_of(old)?, text_of(new)?);
    Ok(Some(ChunkChange { chunk, old, new, ..ChunkChange::default() }))
}

/// Bytes in base64.
///
/// # Errors
/// Limits.
pub(super) fn text(bytes: &[u8], budget: &mut Budget) -> Result<String> {
    budget.memory(text_len(bytes.len()) as u64)?;
    Ok(BASE64_STANDARD.encode(bytes))
}

/// Returns the length of so many bytes in base64.
const fn text_len(bytes: usize) -> usize {
    bytes.div_ceil(3).saturating_mul(4)
}

/// Returns the stretches in which data of one length differs, with at least `apart` bytes that are the same between them.
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

fn edit(old: &[u8], new: &[u8], run: Range<usize>) -> ByteEdit {
    let part = |bytes: &[u8]| BASE64_STANDARD.encode(bytes.get(run.clone()).unwrap_or_default());
    ByteEdit { at: run.start as u64, old: part(old), new: part(new) }
}

fn decoded(text: &str) -> Result<Bytes> {
    BASE64_STANDARD.decode(text).map(Bytes::from).map_err(|error| bad(error.to_string()))
}

/// Returns the data that a chunk is to have; `None` where it is to go.
///
/// # Errors
/// [`CONFLICT`](spelunk_open::codes::CONFLICT) where its data is neither the old nor the new one;
/// [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH).
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
