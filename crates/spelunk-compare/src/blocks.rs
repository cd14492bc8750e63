//! Blocks that a store has to send of a new version of a file: those of a fixed size that the old version does not have, as
//! patching by blocks counts them.
//!
//! Both files are read once, from start to end, and hashed; of each block of the old one 24 bytes are kept.

use schemars::JsonSchema;
use serde::Serialize;
use snpak::{
    AssetId, Pack,
    index::{BulkEntry, IndexEntry},
    profile::PROFILE,
    set::{Changes, Differences},
};
use spelunk_core::{
    Budget, Collect, Error, Result, Source, Task, scalar::Hash128, text::CodePages,
};
use spelunk_open::{Options, codes};
use std::{collections::HashMap, sync::Arc};
use twox_hash::XxHash3_128;

/// The usual size of a block, which is that of game stores: 1 MiB.
pub const STORE_BLOCK: u64 = 1 << 20;

/// The smallest size of a block.
pub const MIN_BLOCK: u64 = 512;

/// Number of bytes that are read at a time.
const WINDOW: u64 = 1 << 18;

/// Some blocks, or some chunks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Count {
    /// Number of blocks or chunks.
    pub count: u64,
    /// Bytes of all of them together.
    pub bytes: u64,
}

impl Count {
    fn add(&mut self, bytes: u64) {
        self.count = self.count.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// The blocks of a new version of a file. The last one may be shorter than the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BlockReport {
    /// Size of the old file in bytes.
    pub old_size: u64,
    /// Size of the new file in bytes.
    pub new_size: u64,
    /// Size of a block in bytes.
    pub block: u64,
    /// Blocks that are the same in the same place.
    pub same: Count,
    /// Blocks that the old file has in another place, which is a multiple of the block size too.
    pub moved: Count,
    /// Blocks that the old file does not have: what is to be sent at the worst. Stores pack what they send.
    pub new: Count,
}

impl BlockReport {
    /// Whether the files have the same bytes.
    pub const fn is_same(&self) -> bool {
        self.old_size == self.new_size && self.moved.count == 0 && self.new.count == 0
    }
}

/// Compares the blocks of two files.
///
/// # Errors
/// [`BLOCK_SIZE`](codes::BLOCK_SIZE); limits; reading errors.
pub fn compare(
    old: &dyn Source,
    new: &dyn Source,
    block: u64,
    budget: &mut Budget,
) -> Result<BlockReport> {
    if block < MIN_BLOCK {
        return Err(Error::new(&codes::BLOCK_SIZE).found(format!("{block} bytes")));
    }
    let before = budget.left().memory;
    let mut known = budget.vec::<(u128, u64)>(old.len().div_ceil(block))?;
    blocks(old, block, budget, |nth, _, hash| known.push((hash, nth)))?;
    known.sort_unstable();
    let mut report =
        BlockReport { old_size: old.len(), new_size: new.len(), block, ..BlockReport::default() };
    blocks(new, block, budget, |nth, len, hash| {
        let count = if known.binary_search(&(hash, nth)).is_ok() {
            &mut report.same
        } else if known.binary_search_by_key(&hash, |(hash, _)| *hash).is_ok() {
            &mut report.moved
        } else {
            &mut report.new
        };
        count.add(len);
    })?;
    budget.release(before.saturating_sub(budget.left().memory));
    Ok(report)
}

/// Hands out position, length and hash of each block. The length is part of the hash.
fn blocks(
    source: &dyn Source,
    block: u64,
    budget: &mut Budget,
    mut each: impl FnMut(u64, u64, u128),
) -> Result<()> {
    let (mut at, mut nth) = (0, 0);
    while at < source.len() {
        let end = at.saturating_add(block).min(source.len());
        let len = end.saturating_sub(at);
        let mut hasher = XxHash3_128::new();
        hasher.write(&len.to_le_bytes());
        while at < end {
            let part = at..at.saturating_add(WINDOW).min(end);
            budget.touch(part.end.saturating_sub(part.start))?;
            let before = budget.left().memory;
            let bytes = source.read(part.clone(), budget)?;
            hasher.write(&bytes);
            at = part.end;
            drop(bytes);
            budget.release(before.saturating_sub(budget.left().memory));
        }
        each(nth, len, hasher.finish_128());
        nth = nth.saturating_add(1);
    }
    Ok(())
}

/// Changes of an asset's chunks. Bytes are those of the chunks as they are stored, with their headers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Chunks {
    /// The same in the same place.
    pub same: Count,
    /// The same in another place.
    pub moved: Count,
    /// Others than before, or packed in another way.
    pub changed: Count,
    /// Without one before.
    pub added: Count,
    /// Chunks of the old file that have none behind them.
    pub removed: Count,
}

impl Chunks {
    /// Whether all of them lie where they lay.
    pub fn is_same(&self) -> bool {
        *self == Chunks { same: self.same, ..Chunks::default() }
    }

    fn add(&mut self, other: &Chunks) {
        let counts = [
            (&mut self.same, other.same),
            (&mut self.moved, other.moved),
            (&mut self.changed, other.changed),
            (&mut self.added, other.added),
            (&mut self.removed, other.removed),
        ];
        for (sum, more) in counts {
            sum.count = sum.count.saturating_add(more.count);
            sum.bytes = sum.bytes.saturating_add(more.bytes);
        }
    }
}

/// Change of an asset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Only the new pack has it.
    Added,
    /// Only the old pack has it.
    Removed,
    /// Some of it is other than before: its payloads, how they are packed, or its fields.
    Changed(Differences),
    /// All of it is the same and some lies elsewhere.
    Moved,
}

impl Fate {
    /// Returns the change as one word of JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Fate::Added => "added",
            Fate::Removed => "removed",
            Fate::Changed(_) => "changed",
            Fate::Moved => "moved",
        }
    }
}

/// An asset that is not as it was.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Id of the asset.
    pub id: AssetId,
    /// Name with the variant, as a path; the id where the asset has none.
    pub path: String,
    /// Change of the asset.
    pub fate: Fate,
    /// Changes of its chunks.
    pub chunks: Chunks,
}

/// Changes of the assets of a pack.
#[derive(Debug, Default)]
pub struct Assets {
    /// Assets that are not as they were: those of the new pack in its order, then those that are gone.
    pub assets: Vec<Asset>,
    /// Number of assets that are as they were.
    pub same: u64,
    /// Changes of all chunks together.
    pub chunks: Chunks,
}

/// Opens both files as packs and compares their assets; `None` where they are no packs.
///
/// # Errors
/// Where one of them cannot be opened; limits; reading errors.
pub fn assets(
    old: Arc<dyn Source>,
    new: Arc<dyn Source>,
    options: &Options,
    findings: &mut Collect,
) -> Result<Option<Assets>> {
    for source in [&old, &new] {
        if !options.formats.claimed(&**source).is_some_and(|format| format.is(&PROFILE)) {
            return Ok(None);
        }
    }
    let size = old.len().saturating_add(new.len());
    let mut task = Task::new(options.budget(size), findings);
    task.is_lenient = options.lenient;
    let old = Pack::read_from(old, &mut task)?;
    let new = Pack::read_from(new, &mut task)?;
    let pages = options.pages.clone().unwrap_or_else(CodePages::utf8);
    compare_assets(&old, &new, &pages, &mut task).map(Some)
}

/// Compares the assets of two packs by their tables; of several with one id the last counts.
///
/// # Errors
/// Limits.
pub fn compare_assets(
    old: &Pack,
    new: &Pack,
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<Assets> {
    let mut found = Assets::default();
    let changes = Changes::between(old, new, &mut task.budget)?;
    let changed: HashMap<AssetId, Differences> = changes.changed.into_iter().collect();
    task.budget.memory((changed.len() as u64).saturating_mul(64))?;
    for (row, entry) in new.index().entries().iter().enumerate() {
        if new.is_shadowed(row, &mut task.budget)? {
            continue;
        }
        let id = AssetId::from(entry.asset_id);
        let was = old.by_id(&id.0, &mut task.budget)?;
        let chunks = chunks(old, was, new, Some(row), task)?;
        found.chunks.add(&chunks);
        let fate = match (was, changed.get(&id)) {
            (None, _) => Fate::Added,
            (Some(_), Some(fields)) => Fate::Changed(*fields),
            (Some(_), None) if chunks.is_same() => {
                found.same = found.same.saturating_add(1);
                continue;
            }
            (Some(_), None) if chunks.changed.count == 0 => Fate::Moved,
            (Some(_), None) => Fate::Changed(Differences::default()),
        };
        let path = path(new, entry, pages, task)?;
        found.assets.push(Asset { id, path, fate, chunks });
    }
    for id in changes.removed {
        let Some(row) = old.by_id(&id.0, &mut task.budget)? else { continue };
        let chunks = chunks(old, Some(row), new, None, task)?;
        found.chunks.add(&chunks);
        let Some(entry) = old.entry(row) else { continue };
        let path = path(old, entry, pages, task)?;
        found.assets.push(Asset { id, path, fate: Fate::Removed, chunks });
    }
    Ok(found)
}

/// The path of an asset. It stays charged.
fn path(pack: &Pack, entry: &IndexEntry, pages: &CodePages, task: &mut Task<'_>) -> Result<String> {
    let (name, variant) = (pack.name(entry).unwrap_or_default(), pack.variant(entry));
    let len = name.len().saturating_add(variant.map_or(0, <[u8]>::len)) as u64;
    task.budget.touch(len)?;
    task.budget.memory(len.saturating_mul(6).saturating_add(size_of::<Asset>() as u64))?;
    if name.is_empty() {
        return Ok(AssetId::from(entry.asset_id).to_string());
    }
    let mut path = String::new();
    snpak::push_name(name, variant, pages, &mut path);
    Ok(path)
}

/// A chunk, as its row describes it.
#[derive(Clone, Copy, PartialEq)]
struct ChunkDescription {
    offset: u64,
    size: u64,
    plain: u64,
    packed: (u8, u8),
    hash: Hash128,
}

/// Purpose of a chunk: the main payload, or semantic, sub-index and its number among those with both.
type ChunkPurpose = Option<(u32, u32, u32)>;

/// The chunks of an asset. Bulk rows may be shared, so each is charged.
fn stored(
    pack: &Pack,
    row: usize,
    task: &mut Task<'_>,
) -> Result<HashMap<ChunkPurpose, ChunkDescription>> {
    let Some(entry) = pack.entry(row) else { return Ok(HashMap::new()) };
    let bulk = pack.bulk(entry);
    task.budget.steps((bulk.len() as u64).saturating_add(1))?;
    let size = (size_of::<(ChunkPurpose, ChunkDescription)>() as u64).saturating_mul(4);
    task.budget.memory((bulk.len() as u64).saturating_add(1).saturating_mul(size))?;
    let [level, _] = entry.level_bytes();
    let main = ChunkDescription {
        offset: entry.payload_chunk_offset.get(),
        size: entry.payload_chunk_size_compressed.get(),
        plain: entry.payload_chunk_size_uncompressed.get(),
        packed: (entry.compression, level),
        hash: entry.payload_hash,
    };
    let mut all = HashMap::from([(None, main)]);
    let mut counts: HashMap<(u32, u32), u32> = HashMap::new();
    for bulk in bulk {
        let (semantic, sub_index) = (bulk.semantic.get(), bulk.sub_index.get());
        let nth = counts.entry((semantic, sub_index)).or_default();
        all.insert(Some((semantic, sub_index, *nth)), chunk(bulk));
        *nth = nth.saturating_add(1);
    }
    Ok(all)
}

fn chunk(bulk: &BulkEntry) -> ChunkDescription {
    ChunkDescription {
        offset: bulk.chunk_offset.get(),
        size: bulk.size_compressed.get(),
        plain: bulk.size_uncompressed.get(),
        packed: (bulk.compression, bulk.level),
        hash: bulk.hash,
    }
}

fn chunks(
    old: &Pack,
    was: Option<usize>,
    new: &Pack,
    row: Option<usize>,
    task: &mut Task<'_>,
) -> Result<Chunks> {
    let before = task.budget.left().memory;
    let mut all = |pack, row: Option<usize>| match row {
        Some(row) => stored(pack, row, task),
        None => Ok(HashMap::new()),
    };
    let (mut was, is) = (all(old, was)?, all(new, row)?);
    task.budget.release(before.saturating_sub(task.budget.left().memory));
    let mut found = Chunks::default();
    for (slot, chunk) in &is {
        let count = match was.remove(slot) {
            None => &mut found.added,
            Some(old) if old == *chunk => &mut found.same,
            Some(old) if (ChunkDescription { offset: chunk.offset, ..old }) == *chunk => {
                &mut found.moved
            }
            Some(_) => &mut found.changed,
        };
        count.add(chunk.size);
    }
    was.values().for_each(|chunk| found.removed.add(chunk.size));
    Ok(found)
}
