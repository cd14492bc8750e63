//! The summary of a pack: what `info` shows.

use crate::{
    compression::Compression,
    header::{HEADER_SIZE, Header},
    index::{Index, IndexHeader},
    pack::Pack,
    payload::{self, Claim},
    strings::{StringTable, StringsHeader},
    transient::transient,
};
use spelunk_core::{Budget, Described, Field, Group, Record, Result, Task, Ty, Val, Walk, Walked};

static VERSION: Field = Header::RECORD.field("version");
static GENERATION: Field = Field::new(
    "generation",
    Ty::Str,
    "The oldest generation of writers that can have written the pack, by its content.",
);
static ASSET_COUNT: Field = IndexHeader::RECORD.field("entry_count").named("asset_count");
static BULK_COUNT: Field = IndexHeader::RECORD.field("bulk_entry_count").named("bulk_count");
static STRING_COUNT: Field = StringsHeader::RECORD.field("string_count");
static INDEX_CHAIN: Field = Field::new(
    "index_chain",
    Ty::U32,
    "Indexes from the active one to the oldest: one more than the appends.",
);
static FLAGS: Field = Header::RECORD.field("flags");
static COMPRESSION: Record = Record::group(
    "compression",
    "docs/formats/snpak.md#5-compression",
    "Number of chunks of the active index by compression.",
);
static CHUNKS: Field = Field::new("chunks", Ty::U64, "Chunks with this compression.");
static STORED_SIZE: Field = Field {
    unit: "bytes",
    ..Field::new(
        "stored_size",
        Ty::U64,
        "Stored payloads of the active index, each chunk once, without chunk headers.",
    )
};
static UNPACKED_SIZE: Field = Field {
    unit: "bytes",
    ..Field::new("unpacked_size", Ty::U64, "Plain payloads of the active index, each chunk once.")
};
static WASTED_SIZE: Field = Field {
    unit: "bytes",
    ..Field::new(
        "wasted_size",
        Ty::U64,
        "Bytes of the file that header, active string table, active index and its chunks do not use.",
    )
};
static OWNER_COUNT: Field =
    IndexHeader::RECORD.field("owner_count").named("dependency_owner_count");
static DEPENDENCY_COUNT: Field = IndexHeader::RECORD.field("dependency_count");
static TRAILING_SIZE: Field = Field {
    unit: "bytes",
    ..Field::new("trailing_size", Ty::U64, "Bytes behind the size that the header states.")
};

/// The oldest generation of writers that can have written a pack (`docs/formats/snpak.md`, section 8). The
/// names say what the pack shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Generation {
    /// Nothing that the first generation does not write.
    Seed,
    /// Compression ids or level bytes of the second generation.
    Levels,
    /// Sub-indexes of the caller's choice, which the third generation was the first to keep.
    SubIndex,
    /// A complete append, as the fourth generation was the first to make.
    FullAppend,
    /// Dependency tables, which the fifth generation was the first to write.
    Dependencies,
}

/// What the content of a pack shows of its writers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The oldest generation that can have written all of it.
    pub generation: Generation,
    /// Whether the active index is that of a delta append, which hides what came before.
    pub delta: bool,
}

impl Origin {
    /// Judges a pack by all indexes of its chain that can be read.
    ///
    /// # Errors
    /// Limits; reading errors.
    pub fn of(pack: &Pack, task: &mut Task<'_>) -> Result<Origin> {
        transient(task, |task| {
            let (index, strings) = (pack.index(), Some(pack.strings()));
            let mut generation = oldest(index, strings, &mut task.budget)?;
            if pack.links().iter().any(|link| link.dependencies) {
                generation = Generation::Dependencies;
            } else if pack.links().len() > 1 {
                for older in &pack.history(task)?.revisions {
                    let strings = older.strings.as_ref();
                    generation = generation.max(oldest(&older.index, strings, &mut task.budget)?);
                }
            }
            let appended = index.header().previous().is_some();
            Ok(Origin { generation, delta: appended && !is_complete_append(index, strings) })
        })
    }

    /// The name that `info` shows.
    pub const fn name(self) -> &'static str {
        match (self.generation, self.delta) {
            (Generation::Seed, false) => "seed",
            (Generation::Seed, true) => "seed-delta",
            (Generation::Levels, false) => "levels",
            (Generation::Levels, true) => "levels-delta",
            (Generation::SubIndex, false) => "sub-index",
            (Generation::SubIndex, true) => "sub-index-delta",
            (Generation::FullAppend, false) => "full-append",
            (Generation::FullAppend, true) => "full-append-delta",
            (Generation::Dependencies, false) => "dependencies",
            (Generation::Dependencies, true) => "dependencies-delta",
        }
    }
}

/// The oldest generation that can have written an index.
fn oldest(index: &Index, strings: Option<&StringTable>, budget: &mut Budget) -> Result<Generation> {
    let (entries, bulk) = (index.entries(), index.bulk());
    budget.steps(entries.len().saturating_add(bulk.len()) as u64)?;
    if index.header().owner_count.get() | index.header().dependency_count.get() != 0 {
        return Ok(Generation::Dependencies);
    }
    if is_complete_append(index, strings) {
        return Ok(Generation::FullAppend);
    }
    for entry in entries {
        let own = bulk.get(index.bulk_range(entry).unwrap_or_default()).unwrap_or_default();
        // Ranges may be shared, so that a small table can have far more than its rows.
        budget.steps(own.len() as u64)?;
        if (0_u32..).zip(own).any(|(nth, bulk)| bulk.sub_index.get() != nth) {
            return Ok(Generation::SubIndex);
        }
    }
    let later = |compression, level| Compression(compression) >= Compression::LZ4_HC || level != 0;
    let levels = entries.iter().any(|entry| later(entry.compression, entry.level_bytes()[0]))
        || bulk.iter().any(|bulk| later(bulk.compression, bulk.level));
    Ok(if levels { Generation::Levels } else { Generation::Seed })
}

/// Whether an index was appended together with everything before it. Its string table lies right before
/// it then. That of a delta append has the chunks in between; only where a delta append adds nothing do
/// the two touch, but a complete append of nothing is never made.
fn is_complete_append(index: &Index, strings: Option<&StringTable>) -> bool {
    index.header().previous().is_some()
        && !index.entries().is_empty()
        && strings.is_some_and(|strings| strings.at().end() == index.at().start)
}

/// What the chunks of the active index add up to.
#[derive(Clone, Debug, Default)]
struct Totals {
    /// Chunks by compression: ids 0 to 4, then all others.
    chunks: [u64; 6],
    stored: u64,
    plain: u64,
    used: u64,
}

impl Totals {
    fn of(pack: &Pack, task: &mut Task<'_>) -> Result<Totals> {
        let index = pack.index();
        let mut rows = payload::rows(&[index], task)?;
        rows.dedup_by_key(|row| row.offset);
        let claims = || rows.iter().filter_map(|row| payload::claim(index, row.row, |_| None));
        let mut totals = Totals::default();
        for claim in claims() {
            if let Some(count) = totals.chunks.get_mut(usize::from(claim.compression.0.min(5))) {
                *count = count.saturating_add(1);
            }
            let stored = claim.stored.saturating_sub(crate::chunk::HEADER_SIZE);
            totals.stored = totals.stored.saturating_add(stored);
            totals.plain = totals.plain.saturating_add(claim.plain);
        }
        totals.used = used(pack, claims());
        Ok(totals)
    }
}

/// Bytes of the file that lie in the header, an active table or one of these chunks, which come in the
/// order of their offsets.
fn used(pack: &Pack, claims: impl Iterator<Item = Claim>) -> u64 {
    let mut tables = [
        (0, u64::from(HEADER_SIZE)),
        (pack.strings().at().start, pack.strings().at().len),
        (pack.index().at().start, pack.index().at().len),
    ];
    tables.sort_unstable();
    let size = pack.header().file_size.get();
    let mut tables = tables.into_iter().peekable();
    let mut claims = claims.map(|claim| (claim.offset, claim.stored)).peekable();
    let (mut used, mut at) = (0_u64, 0);
    loop {
        let table_first = match (tables.peek(), claims.peek()) {
            (Some(table), Some(claim)) => table.0 <= claim.0,
            (table, _) => table.is_some(),
        };
        let next = if table_first { tables.next() } else { claims.next() };
        let Some((start, len)) = next else { return used };
        let end = start.saturating_add(len).min(size);
        used = used.saturating_add(end.saturating_sub(start.max(at)));
        at = end.max(at);
    }
}

/// Walks the summary.
///
/// # Errors
/// [`Halt`](spelunk_core::Halt); limits.
pub fn walk(pack: &Pack, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
    let (header, index) = (pack.header(), pack.index().header());
    task.budget.steps(pack.index().block().len() as u64 >> 6)?;
    let origin = Origin::of(pack, task)?;
    let totals = transient(task, |task| Totals::of(pack, task))?;
    let none = None;
    walk.field(&VERSION, none, header.version.get().into())?;
    walk.field(&GENERATION, none, origin.name().into())?;
    walk.field(&ASSET_COUNT, none, index.entry_count.get().into())?;
    walk.field(&BULK_COUNT, none, index.bulk_entry_count.get().into())?;
    walk.field(&STRING_COUNT, none, pack.strings().count().into())?;
    walk.field(&INDEX_CHAIN, none, pack.links().len().into())?;
    walk.field(&FLAGS, none, Val::Word(header.flags.get()))?;
    walk.group(&Group::record("compression", &COMPRESSION, None), |walk| {
        for (id, count) in (0_u8..).zip(totals.chunks).filter(|(_, count)| *count > 0) {
            walk.keyed(Compression(id).name(), &COMPRESSION, &CHUNKS, none, count.into())?;
        }
        Ok(())
    })?;
    walk.field(&STORED_SIZE, none, totals.stored.into())?;
    walk.field(&UNPACKED_SIZE, none, totals.plain.into())?;
    walk.field(&WASTED_SIZE, none, pack.len().saturating_sub(totals.used).into())?;
    walk.field(&OWNER_COUNT, none, index.owner_count.get().into())?;
    walk.field(&DEPENDENCY_COUNT, none, index.dependency_count.get().into())?;
    let trailing = pack.len().saturating_sub(header.file_size.get());
    walk.field(&TRAILING_SIZE, none, trailing.into())
}
