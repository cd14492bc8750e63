//! Rules about what readers of the first generation cannot load (`docs/formats/snpak.md`, section 8). Level bytes do no harm.

use super::{codes, facts::Facts, out::PackLintSink, tally::Tally};
use crate::{chunk::HEADER_SIZE, compression::Compression};
use spelunk_core::{Error, Result, Severity, Span};

/// The largest payload that readers of the first generation load, stored or plain.
const MAX_SIZE: u64 = 1_000_000_000;

/// Dependency tables, compression ids, sub-indexes and sizes.
pub(super) fn seed(facts: &Facts, out: &mut PackLintSink<'_, '_, '_>) -> Result<()> {
    let index = out.pack.index();
    let counts = (index.header().owner_count.get(), index.header().dependency_count.get());
    if counts != (0, 0) {
        let found = format!("{} owners, {} dependencies", counts.0, counts.1);
        let tables = index.table_at(2);
        let len = tables.len.saturating_add(index.table_at(3).len);
        let at = Span { len, ..tables };
        let error = Error::new(&codes::SEED_DEPENDENCIES).at(at).found(found);
        out.report(Severity::Info, error.field("index"))?;
    }
    let (mut packed, mut large) = (Tally::default(), Tally::default());
    out.task.budget.steps(facts.rows.len() as u64)?;
    for (id, claim) in facts.rows.iter().filter_map(|row| facts.claim(out.pack, row)) {
        if matches!(claim.compression, Compression::LZ4_HC | Compression::ZSTD_FAST) {
            packed.add((id, claim.compression), 0);
        }
        let stored = claim.stored.saturating_sub(HEADER_SIZE);
        if claim.plain.max(stored) > MAX_SIZE {
            large.add(id, 0);
        }
    }
    if let Some((id, compression)) = packed.first {
        let found =
            format!("{}; {} of {} chunks", compression.name(), packed.count, facts.rows.len());
        let error = Error::new(&codes::SEED_COMPRESSION).expected("compression 0, 1 or 2");
        out.report_chunk(Severity::Info, id, error.found(found))?;
    }
    let moved = facts.out_of_order;
    if let Some(id) = moved.first {
        let found = format!("{} of {} bulk chunks", moved.count, facts.bulk);
        let error = Error::new(&codes::SEED_SUB_INDEX).expected("sub-indexes that are positions");
        out.report_chunk(Severity::Info, id, error.found(found))?;
    }
    if let Some(id) = large.first {
        let found = format!("{} of {} chunks", large.count, facts.rows.len());
        let expected = format!("at most {MAX_SIZE} bytes");
        let error = Error::new(&codes::SEED_SIZE).expected(expected).found(found);
        out.report_chunk(Severity::Info, id, error)?;
    }
    Ok(())
}
