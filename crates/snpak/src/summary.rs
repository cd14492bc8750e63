//! The summary of a pack: what `info` shows.

use crate::{
    chain::{Append, History},
    codes,
    compression::Compression,
    generations,
    header::Header,
    index::{Index, IndexHeader, RowError},
    listing::type_text,
    pack::Pack,
    payload::{self, Claim},
    strings::{StringTable, StringsHeader},
};
use spelunk_core::{
    Budget, Described, Error, Field, Group, Record, Result, Space, Span, Task, Ty, Val, Walk,
    Walked, scalar::Uuid,
};
use std::collections::BTreeMap;

static VERSION: Field = Header::RECORD.field("version");
pub(crate) static GENERATION: Field = Field::new(
    "generation",
    Ty::Str,
    "The oldest generation of writers that can have written the pack, by its content.",
);
pub(crate) static ASSET_COUNT: Field =
    IndexHeader::RECORD.field("entry_count").named("asset_count");
pub(crate) static BULK_COUNT: Field =
    IndexHeader::RECORD.field("bulk_entry_count").named("bulk_count");
pub(crate) static STRING_COUNT: Field = StringsHeader::RECORD.field("string_count");
pub(crate) static INDEX_CHAIN: Field = Field::new(
    "index_chain",
    Ty::U32,
    "Indexes from the active one to the oldest: one more than the appends.",
);
pub(crate) static VIEW: Field = Field::new(
    "view",
    Ty::Str,
    "The generation that is shown: its number, or merged; active where no other was asked for.",
);
pub(crate) static GENERATIONS: Record = Record::group(
    "generations",
    "docs/formats/snpak.md#7-index-chain-and-appends",
    "The states that the pack went through, one for each index of the chain, from the oldest on.",
);
static NUMBER: Field = Field::new("number", Ty::U32, "Number of the generation, counted from 1.");
static ASSETS: Field = IndexHeader::RECORD.field("entry_count").named("assets");
static BULK: Field = IndexHeader::RECORD.field("bulk_entry_count").named("bulk");
static OFFSET: Field =
    Field { unit: "bytes", ..Field::new("offset", Ty::U64, "Where its index starts.") };
static SIZE: Field = Field { unit: "bytes", ..Field::new("size", Ty::U64, "Size of its index.") };
static DELTA: Field = Field::new(
    "delta",
    Ty::Bool,
    "Whether it was appended as a delta, so that it hides what came before.",
);
static NAMES: Field =
    Field::new("names", Ty::Bool, "Whether the string table of its index is known.");
pub(crate) static FLAGS: Field = Header::RECORD.field("flags");
pub(crate) static COMPRESSION: Record = Record::group(
    "compression",
    "docs/formats/snpak.md#5-compression",
    "Number of chunks of the index that is shown by compression.",
);
pub(crate) static KINDS: Record = Record::group(
    "kinds",
    "docs/formats/snpak.md#11-known-types",
    "Number of assets of what is shown by kind: its name, or its id where it has none.",
);
static COUNT: Field = Field::new("assets", Ty::U64, "Assets of this kind.");
static CHUNKS: Field = Field::new("chunks", Ty::U64, "Chunks with this compression.");
pub(crate) static STORED_SIZE: Field = Field {
    unit: "bytes",
    ..Field::new(
        "stored_size",
        Ty::U64,
        "Stored payloads of the index that is shown, each chunk once, without chunk headers.",
    )
};
pub(crate) static UNPACKED_SIZE: Field = Field {
    unit: "bytes",
    ..Field::new(
        "unpacked_size",
        Ty::U64,
        "Plain payloads of the index that is shown, each chunk once.",
    )
};
pub(crate) static WASTED_SIZE: Field = Field {
    unit: "bytes",
    ..Field::new(
        "wasted_size",
        Ty::U64,
        "Bytes of the file that the header, string table, index and chunks of what is shown do not use.",
    )
};
pub(crate) static OWNER_COUNT: Field =
    IndexHeader::RECORD.field("owner_count").named("dependency_owner_count");
pub(crate) static DEPENDENCY_COUNT: Field = IndexHeader::RECORD.field("dependency_count");
pub(crate) static TRAILING_SIZE: Field = Field {
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

/// Conclusions from the content of a pack about its writers.
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
        task.transient(|task| {
            let history = pack.history(task)?;
            Origin::judge(pack, &history, &mut task.budget)
        })
    }

    fn judge(pack: &Pack, history: &History, budget: &mut Budget) -> Result<Origin> {
        let (index, strings) = pack.active();
        let mut generation = oldest(index, Some(strings), budget)?;
        if pack.links().iter().any(|link| link.dependencies) {
            generation = Generation::Dependencies;
        } else {
            for older in &history.revisions {
                generation = generation.max(oldest(&older.index, older.strings.as_ref(), budget)?);
            }
        }
        let delta = Append::of(index, Some(strings)) == Some(Append::Delta);
        Ok(Origin { generation, delta })
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
    if Append::of(index, strings) == Some(Append::Complete) {
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

/// Sums over the chunks of the index that is shown.
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

/// Bytes of the file that lie in the header, a table of what is shown or one of these chunks, which come in
/// the order of their offsets.
fn used(pack: &Pack, claims: impl Iterator<Item = Claim>) -> u64 {
    let mut tables =
        [Span::file(0, pack.header().extension().end()), pack.strings().at(), pack.index().at()]
            // Those of the merged view lie in no file.
            .map(|at| if at.space == Space::FILE { (at.start, at.len) } else { (0, 0) });
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

/// Walks the summary, and reports what hides assets: delta appends and ids that are there more than once.
///
/// # Errors
/// [`Halt`](spelunk_core::Halt); what the sink makes of the findings; limits.
pub fn walk(pack: &Pack, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
    let (header, index) = (pack.header(), pack.index().header());
    task.budget.steps(pack.index().block().len() as u64 >> 6)?;
    // Kept by the pack, and therefore charged outside of what is given back.
    let shadowed = pack.ids(&mut task.budget)?.shadowed();
    let (origin, generations) = task.transient(|task| -> Result<_> {
        let history = pack.history(task)?;
        if pack.view().is_none() {
            generations::warn_hidden(&pack.file, &history, task)?;
        }
        let origin = Origin::judge(pack, &history, &mut task.budget)?;
        Ok((origin, generations::list(&pack.file, &history, &mut task.budget)?))
    })?;
    note_shadowed(pack, shadowed, task)?;
    let totals = task.transient(|task| Totals::of(pack, task))?;
    let kinds = task.transient(|task| kinds(pack, &mut task.budget))?;
    let none = None;
    walk.field(&VERSION, none, header.version.get().into())?;
    walk.field(&GENERATION, none, origin.name().into())?;
    walk.field(&ASSET_COUNT, none, index.entry_count.get().into())?;
    walk.field(&BULK_COUNT, none, index.bulk_entry_count.get().into())?;
    walk.field(&STRING_COUNT, none, pack.strings().count().into())?;
    walk.field(&INDEX_CHAIN, none, pack.links().len().into())?;
    let view = pack.view().map(|which| which.to_string());
    walk.field(&VIEW, none, view.as_deref().unwrap_or("active").into())?;
    walk.group(&Group::list("generations", &GENERATIONS, None), |walk| {
        for (nth, generation) in generations.iter().enumerate() {
            walk.group(&Group::item(nth, &GENERATIONS, None), |walk| {
                walk.field(&NUMBER, none, generation.number.into())?;
                walk.field(&ASSETS, none, generation.assets.into())?;
                walk.field(&BULK, none, generation.bulk.into())?;
                walk.field(&OFFSET, none, generation.at.start.into())?;
                walk.field(&SIZE, none, generation.at.len.into())?;
                walk.field(&DELTA, none, (generation.append == Some(Append::Delta)).into())?;
                walk.field(&NAMES, none, generation.named.into())
            })?;
        }
        Ok(())
    })?;
    walk.field(&FLAGS, none, Val::Word(header.flags.get()))?;
    walk.group(&Group::record("compression", &COMPRESSION, None), |walk| {
        for (id, count) in (0_u8..).zip(totals.chunks).filter(|(_, count)| *count > 0) {
            walk.keyed(Compression(id).name(), &COMPRESSION, &CHUNKS, none, count.into())?;
        }
        Ok(())
    })?;
    walk.group(&Group::record("kinds", &KINDS, None), |walk| {
        for (kind, count) in &kinds {
            walk.keyed(kind, &KINDS, &COUNT, none, (*count).into())?;
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

/// Counts assets by their kinds, which are in the order of their names.
fn kinds(pack: &Pack, budget: &mut Budget) -> Result<BTreeMap<String, u64>> {
    let mut ids: BTreeMap<[u8; 16], u64> = BTreeMap::new();
    for entry in pack.index().entries() {
        budget.steps(1)?;
        let count = match ids.get_mut(&entry.asset_kind.0) {
            Some(count) => count,
            None => {
                // Twice, with the places in the maps; the text of an id is the longest that follows from it.
                let name = pack.type_name(&entry.asset_kind.0).map_or(36, str::len);
                budget.memory((name as u64).saturating_add(160))?;
                ids.entry(entry.asset_kind.0).or_default()
            }
        };
        *count = count.saturating_add(1);
    }
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    for (id, count) in ids {
        let kind = kinds.entry(type_text(pack, Uuid(id))).or_default();
        *kind = kind.saturating_add(count);
    }
    Ok(kinds)
}

/// Notes how many assets a later one with the same id hides.
fn note_shadowed(
    pack: &Pack,
    (count, first): (usize, Option<usize>),
    task: &mut Task<'_>,
) -> Result<()> {
    let Some(row) = first else { return Ok(()) };
    let at = pack.index().place(0, row).part(0, 16);
    let error = Error::new(&codes::DUPLICATE_ID).at(at).field("asset_id").item("entries", row);
    task.note(error.found(match count {
        1 => "1 asset that is hidden by it".to_owned(),
        count => format!("{count} assets that are hidden by later ones"),
    }))
}
