//! Rules about bytes that could be saved.

use super::{codes, facts::Facts, out::PackLintSink, tally::Tally};
use crate::{
    chunk::HEADER_SIZE,
    compression::Compression,
    layout::{Layout, PackBlockKind},
    paths::Id,
    strings::{BLOCK_HEADER_SIZE, StringTable},
};
use spelunk_core::{Code, Error, Result, Severity, Span, Task};

/// Assets that a finding lists.
const LISTED: usize = 4;

/// Gaps, the tail, and what only older states of the pack use.
pub(super) fn unreferenced(facts: &Facts, out: &mut PackLintSink<'_, '_, '_>) -> Result<()> {
    if !out.wants(&[&codes::GAPS, &codes::TRAILING, &codes::OUTDATED]) {
        return Ok(());
    }
    let layout = Layout::new(out.pack, out.task)?;
    let (mut gaps, mut tail, mut older) = <(Tally<Span>, Tally<Span>, Tally<Span>)>::default();
    for block in &layout.blocks {
        out.task.budget.steps(1)?;
        let kind = match block.part {
            PackBlockKind::Gap => &mut gaps,
            PackBlockKind::Tail => &mut tail,
            PackBlockKind::Strings(1..) | PackBlockKind::Index(1..) => &mut older,
            PackBlockKind::Chunk if !facts.starts_in(block.start, block.at().end()) => &mut older,
            _ => continue,
        };
        kind.add(block.at(), block.len);
    }
    let kinds: [(&Code, _, _); 3] = [
        (&codes::GAPS, "stretches", gaps),
        (&codes::TRAILING, "stretches", tail),
        (&codes::OUTDATED, "blocks", older),
    ];
    for (code, things, tally) in kinds {
        let Some(at) = tally.first else { continue };
        let found = match tally.count {
            1 => format!("{} bytes", tally.bytes),
            count => format!("{} bytes in {count} {things}", tally.bytes),
        };
        out.report(Severity::Info, Error::new(code).at(at).found(found).field("blocks"))?;
    }
    Ok(())
}

/// Strings of the active table that nothing uses.
pub(super) fn strings(out: &mut PackLintSink<'_, '_, '_>) -> Result<()> {
    if !out.wants(&[&codes::UNUSED_STRINGS]) {
        return Ok(());
    }
    let (index, strings) = (out.pack.index(), out.pack.strings());
    let mut used = out.task.budget.vec::<bool>(strings.count().into())?;
    used.resize(strings.count() as usize, false);
    let rows = index.entries().len().saturating_add(index.dependencies().len());
    out.task.budget.steps(rows as u64)?;
    let names =
        index.entries().iter().flat_map(|entry| [entry.name_string_id, entry.variant_string_id]);
    let needed = index.dependencies().iter().map(|needs| needs.name_string_id);
    for id in names.chain(needed) {
        if let Some(used) = used.get_mut(id.get() as usize) {
            *used = true;
        }
    }
    let Some(first) = used.iter().position(|used| !used) else { return Ok(()) };
    let unused = used.iter().filter(|used| !**used).count();
    let bytes = saved(strings, &used, out.task)?;
    let start = strings.offsets().get(first).map_or(0, |offset| offset.get());
    let len = strings.get(first as u32).map_or(0, <[u8]>::len) as u64;
    let error = Error::new(&codes::UNUSED_STRINGS)
        .at(strings.data_at().part(start.into(), len.saturating_add(1)))
        .found(format!("{unused} of {}, {bytes} bytes", strings.count()));
    out.report(Severity::Info, error.field("strings"))
}

/// Returns the number of bytes by which the table is smaller with the used strings alone. Strings may overlap, so it goes by what
/// they cover.
fn saved(strings: &StringTable, used: &[bool], task: &mut Task<'_>) -> Result<u64> {
    let mut covered = task.budget.vec::<(u64, u64)>(used.len() as u64)?;
    for (id, offset) in (0..).zip(strings.offsets()) {
        if used.get(id as usize) == Some(&true) {
            let len = strings.get(id).map_or(0, <[u8]>::len) as u64;
            task.budget.touch(len)?;
            let start = u64::from(offset.get());
            covered.push((start, start.saturating_add(len).saturating_add(1)));
        }
    }
    let mut size = BLOCK_HEADER_SIZE.saturating_add((covered.len() as u64).saturating_mul(4));
    covered.sort_unstable();
    let mut at = 0;
    for (start, end) in covered {
        size = size.saturating_add(end.saturating_sub(start.max(at)));
        at = at.max(end);
    }
    Ok(strings.at().len.saturating_sub(size))
}

/// Chunks that packing made larger, and payloads that are stored several times.
pub(super) fn chunks(facts: &Facts, out: &mut PackLintSink<'_, '_, '_>) -> Result<()> {
    if !out.wants(&[&codes::GROWN, &codes::SAME_PAYLOAD]) {
        return Ok(());
    }
    let mut grown = Tally::default();
    let mut payloads = out.task.budget.vec::<(u128, u64, u32)>(facts.rows.len() as u64)?;
    for (nth, row) in (0_u32..).zip(&facts.rows) {
        out.task.budget.steps(1)?;
        let Some((id, claim)) = facts.claim(out.pack, row) else { continue };
        let stored = claim.stored.saturating_sub(HEADER_SIZE);
        let more = stored.saturating_sub(claim.plain);
        if claim.compression != Compression::NONE && more > 0 {
            grown.add(id, more);
        }
        if claim.plain > 0 {
            payloads.push((claim.hash.get(), claim.plain, nth));
        }
    }
    if let Some(id) = grown.first {
        let all = facts.rows.len();
        let found = format!("{} bytes more; {} of {all} chunks", grown.bytes, grown.count);
        let error = Error::new(&codes::GROWN).expected("stored bytes up to the plain size");
        out.report_chunk(Severity::Info, id, error.found(found))?;
    }
    payloads.sort_unstable();
    for same in payloads.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(|same| same.len() > 1) {
        same_payload(facts, same, out)?;
    }
    Ok(())
}

fn same_payload(
    facts: &Facts,
    same: &[(u128, u64, u32)],
    out: &mut PackLintSink<'_, '_, '_>,
) -> Result<()> {
    if !out.wants(&[&codes::SAME_PAYLOAD]) {
        return Ok(());
    }
    let (mut first, mut bytes, mut names) = (None::<Id>, 0_u64, Vec::new());
    for (_, _, nth) in same {
        out.task.budget.steps(1)?;
        let row = facts.rows.get(*nth as usize);
        let Some((id, claim)) = row.and_then(|row| facts.claim(out.pack, row)) else { continue };
        if first.is_none() {
            first = Some(id);
            continue;
        }
        bytes = bytes.saturating_add(claim.stored);
        if names.len() < LISTED {
            names.push(out.chunk(id)?);
        }
    }
    let Some(id) = first else { return Ok(()) };
    let others = same.len().saturating_sub(1);
    if others > names.len() {
        names.push(format!("{} more", others.saturating_sub(names.len())));
    }
    let found = format!("{bytes} more bytes for {}", names.join(", "));
    out.report_chunk(Severity::Info, id, Error::new(&codes::SAME_PAYLOAD).found(found))
}
