//! Making patches of packs.

use super::{
    Run,
    form::{AssetChange, FORMAT, FieldChange, PackPatch, Sort},
    value,
};
use crate::patch::delta::{self, BlockPool, Delta, MatchIndex, RunWriter};
use snpak::{
    AssetId, Layout, Pack,
    edit::state::{AssetField, AssetState, Value},
    layout::{Block, PackBlockKind},
};
use spelunk_core::{Bytes, Container, Result, Task, text::CodePages};
use spelunk_open::{codes, json, model, skeleton::Origin};
use std::collections::HashSet;
use twox_hash::XxHash3_128;

/// Size of the header of a chunk.
const CHUNK_HEADER: usize = snpak::chunk::HEADER_SIZE as usize;

/// The patch that makes `new` of `old`, both packs.
///
/// # Errors
/// [`OTHER_FORMAT`](codes::OTHER_FORMAT); what keeps the packs from being read; limits.
pub fn between(old: &Origin<'_>, new: &Origin<'_>) -> Result<PackPatch> {
    delta::between(old, new, |opened, blocks, task| {
        let [a, b] = opened.map(|opened| opened.container());
        let (old, new) = (LoadedPack::of(a, old, task)?, LoadedPack::of(b, new, task)?);
        let to_new = new.runs_from(&old, blocks, task)?;
        let to_old = old.runs_from(&new, blocks, task)?;
        let changes = Comparing { old: &old, new: &new, blocks }.all(task)?;
        Ok(Delta { changes, to_new, to_old })
    })
}

/// A pack with all of its bytes.
struct LoadedPack<'f> {
    pack: &'f Pack,
    bytes: Bytes,
    blocks: Vec<Block>,
    /// Hashes of stored payloads.
    payloads: HashSet<u128>,
}

impl<'f> LoadedPack<'f> {
    fn of(
        container: &'f dyn Container,
        origin: &Origin<'_>,
        task: &mut Task<'_>,
    ) -> Result<LoadedPack<'f>> {
        let pack = model::pack(container, &codes::OTHER_FORMAT);
        let pack = pack.map_err(|error| error.expected(FORMAT))?;
        let bytes = origin.source.read(0..origin.source.len(), &mut task.budget)?;
        let blocks = Layout::new(pack, task)?.blocks;
        let mut file = LoadedPack { pack, bytes, blocks, payloads: HashSet::new() };
        let stored = file.blocks.iter().filter(|block| block.part == PackBlockKind::Chunk);
        let stored = stored.map(|block| XxHash3_128::oneshot(file.parts(block).1));
        file.payloads = stored.collect();
        Ok(file)
    }

    /// The header of a chunk, and its payload.
    fn parts(&self, block: &Block) -> (&[u8], &[u8]) {
        let bytes = self.block(block);
        bytes.split_at_checked(CHUNK_HEADER).unwrap_or((bytes, &[]))
    }

    fn block(&self, block: &Block) -> &[u8] {
        let start = usize::try_from(block.start).unwrap_or(usize::MAX);
        let end = usize::try_from(block.start.saturating_add(block.len)).unwrap_or(usize::MAX);
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// The runs that make this file of another one.
    fn runs_from(
        &self,
        other: &LoadedPack<'_>,
        blocks: &mut BlockPool,
        task: &mut Task<'_>,
    ) -> Result<Vec<Run>> {
        let budget = &mut task.budget;
        let mut parts = MatchIndex::new(&other.bytes);
        for block in &other.blocks {
            let start = usize::try_from(block.start).unwrap_or(usize::MAX);
            let len = usize::try_from(block.len).unwrap_or(usize::MAX);
            parts.add_whole(start, len, budget)?;
            match block.part {
                PackBlockKind::Chunk => {
                    let at = start.saturating_add(CHUNK_HEADER);
                    parts.add_whole(at, len.saturating_sub(CHUNK_HEADER), budget)?;
                }
                _ => parts.add_table(start, len, budget)?,
            }
        }
        let mut runs = RunWriter::new(blocks);
        for block in &self.blocks {
            let bytes = self.block(block);
            if let Some(at) = parts.find(bytes) {
                runs.copy(at, bytes.len(), budget)?;
                continue;
            }
            if block.part != PackBlockKind::Chunk {
                parts.write(bytes, &mut runs, budget)?;
                continue;
            }
            let (header, payload) = self.parts(block);
            parts.write(header, &mut runs, budget)?;
            match parts.find(payload) {
                Some(at) => runs.copy(at, payload.len(), budget)?,
                None => runs.block(payload, budget)?,
            }
        }
        runs.finish(budget)
    }

    /// Assets that count, with their positions and ids.
    fn assets(&self, task: &mut Task<'_>) -> Result<Vec<(usize, [u8; 16])>> {
        let entries = self.pack.index().entries();
        let mut all = task.budget.vec(entries.len() as u64)?;
        for (row, entry) in entries.iter().enumerate() {
            if !self.pack.is_shadowed(row, &mut task.budget)? {
                all.push((row, entry.asset_id.0));
            }
        }
        Ok(all)
    }

    /// The stored bytes of a payload. Damaged ones are written as they are.
    fn stored(&self, row: usize, state: &AssetState, slot: AssetField) -> Option<&[u8]> {
        let entry = self.pack.entry(row)?;
        let (offset, size) = match slot {
            AssetField::Payload => {
                (entry.payload_chunk_offset, entry.payload_chunk_size_compressed)
            }
            slot => {
                let nth = state.bulk.iter().position(|known| *known == slot)?;
                let bulk = self.pack.bulk(entry).get(nth)?;
                (bulk.chunk_offset, bulk.size_compressed)
            }
        };
        let start = usize::try_from(offset.get()).ok()?;
        let end = start.checked_add(usize::try_from(size.get()).ok()?)?;
        self.bytes.get(start.checked_add(CHUNK_HEADER)?..end)
    }
}

/// The comparison of two packs.
struct Comparing<'f, 'b> {
    old: &'f LoadedPack<'f>,
    new: &'f LoadedPack<'f>,
    blocks: &'b mut BlockPool,
}

/// An asset of one of the packs: its position, and its state.
type At<'s> = (usize, &'s AssetState);

impl Comparing<'_, '_> {
    fn all(mut self, task: &mut Task<'_>) -> Result<Vec<AssetChange>> {
        let (old, new) = (self.old.pack, self.new.pack);
        let mut changes = Vec::new();
        for (row, id) in self.old.assets(task)? {
            let other = new.by_id(&id, &mut task.budget)?;
            if let Some(other) = other
                && old.stores_same(row, (new, other), task)?
            {
                continue;
            }
            let before = AssetState::of(old, row, task)?;
            let change = match other {
                None => self.change(id, Sort::Removed, Some((row, &before)), None, task)?,
                Some(other) => {
                    let after = AssetState::of(new, other, task)?;
                    let sides = [Some((row, &before)), Some((other, &after))];
                    let change = self.change(id, Sort::Changed, sides[0], sides[1], task)?;
                    after.release(&mut task.budget);
                    change
                }
            };
            before.release(&mut task.budget);
            changes.push(change);
        }
        for (row, id) in self.new.assets(task)? {
            if old.by_id(&id, &mut task.budget)?.is_none() {
                let after = AssetState::of(new, row, task)?;
                changes.push(self.change(id, Sort::Added, None, Some((row, &after)), task)?);
                after.release(&mut task.budget);
            }
        }
        // Nothing but the order of its bulk payloads.
        changes.retain(|change| !change.fields.is_empty());
        Ok(changes)
    }

    fn change(
        &mut self,
        id: [u8; 16],
        change: Sort,
        old: Option<At<'_>>,
        new: Option<At<'_>>,
        task: &mut Task<'_>,
    ) -> Result<AssetChange> {
        let none = AssetState::default();
        let [before, after] = [old, new].map(|at| at.map_or(&none, |(_, state)| state));
        // Bulk payloads in the order that they have.
        let fields = [after, before].into_iter().flat_map(|state| {
            let first = state.slots.keys().filter(|slot| !matches!(slot, AssetField::Bulk { .. }));
            first.chain(&state.bulk)
        });
        let (mut changes, mut seen) = (Vec::new(), HashSet::new());
        for slot in fields.filter(|slot| seen.insert(**slot)) {
            let [was, is] = [before, after].map(|state| state.slots.get(slot));
            if was == is {
                continue;
            }
            let was = was.map(|was| self.value(was, *slot, (self.old, self.new), old, task));
            let is = is.map(|is| self.value(is, *slot, (self.new, self.old), new, task));
            let field = slot.to_string();
            changes.push(FieldChange { field, old: was.transpose()?, new: is.transpose()? });
        }
        let called = if new.is_some() { (self.new, new) } else { (self.old, old) };
        let path = match called.1 {
            Some((row, _)) => path(called.0.pack, row, task)?,
            None => String::new(),
        };
        Ok(AssetChange { asset: AssetId(id).to_string(), path, change, fields: changes })
    }

    /// A value of one of the packs. A payload that the other one does not store gets a block.
    fn value(
        &mut self,
        value: &Value,
        slot: AssetField,
        (own, other): (&LoadedPack<'_>, &LoadedPack<'_>),
        at: Option<At<'_>>,
        task: &mut Task<'_>,
    ) -> Result<serde_json::Value> {
        let stored = match value {
            Value::Payload(_) => at.and_then(|(row, state)| own.stored(row, state, slot)),
            _ => None,
        };
        let stored = stored.filter(|bytes| !other.payloads.contains(&XxHash3_128::oneshot(bytes)));
        let block = stored.map(|bytes| self.blocks.add(bytes, &mut task.budget)).transpose()?;
        let json = value::write(value, block);
        task.budget.memory(json::held(&json).saturating_mul(WRITTEN))?;
        Ok(json)
    }
}

/// Number of times that the content of a patch is in memory while its text is made: in the patch, as a value, and in a text that
/// grows.
const WRITTEN: u64 = 5;

/// Returns the name of an asset for people. It is charged for as long as the patch has it, with its text.
fn path(pack: &Pack, row: usize, task: &mut Task<'_>) -> Result<String> {
    let mut path = String::new();
    let Some(entry) = pack.entry(row) else { return Ok(path) };
    let (name, variant) = (pack.name(entry).unwrap_or_default(), pack.variant(entry));
    // Bytes that are no letter become three.
    let most = name.len().saturating_add(variant.map_or(0, <[u8]>::len)).saturating_mul(3) as u64;
    task.budget.afford(most.saturating_mul(2))?;
    snpak::push_name(name, variant, &CodePages::utf8(), &mut path);
    path.shrink_to_fit();
    task.budget.memory((path.len() as u64).saturating_mul(WRITTEN))?;
    Ok(path)
}
