//! Assets that two packs do not store alike, which a comparison has to look at.
//!
//! Packs that came of one another list most assets in one order, so the indexes are read side by side; what is left goes by ids
//! that both have once. Assets are alike where their rows, names, bulk entries and dependencies say the same and their chunks
//! hold the same bytes, wherever they lie. No payload is unpacked.

use crate::{
    index::{BulkEntry, IndexEntry},
    pack::Pack,
};
use spelunk_core::{Budget, Result, Source, Task};
use std::collections::{HashMap, HashSet};

/// Number of further entries in which a row is looked for where two indexes part.
const AHEAD: usize = 32;
/// Number of bytes of a chunk that are compared at a time.
const WINDOW: usize = 1 << 17;
/// Position that stands for no row.
const NONE: u32 = u32::MAX;
/// Bytes that an id takes in a table, at the most.
const ROOM: u64 = 64;

/// Positions of the assets of two packs that have no equal in the other one, each list ascending.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Differing {
    /// Positions in the old pack.
    pub old: Vec<u32>,
    /// Positions in the new pack.
    pub new: Vec<u32>,
}

impl Pack {
    /// Finds the assets of two packs that are not stored alike. An id that several assets have is alike where all of them are.
    /// The lists stay charged.
    ///
    /// # Errors
    /// Limits; reading errors.
    pub fn differing(&self, new: &Pack, task: &mut Task<'_>) -> Result<Differing> {
        let (a, b) = (self.index().entries(), new.index().entries());
        let before = task.budget.left().memory;
        let mut pairs = Pairs::new([a.len(), b.len()], &mut task.budget)?;
        pairs.side_by_side(a, b, &mut task.budget)?;
        pairs.part(a, b, &mut task.budget)?;
        pairs.by_id(a, b, &mut task.budget)?;
        let mut chunks =
            ChunkComparer { old: Window::new(self.source()), new: Window::new(new.source()) };
        for row in 0..a.len() {
            let Some(other) = pairs.new_of(row) else { continue };
            if !chunks.alike((self, row), (new, other), task)? {
                pairs.unpair(row, other);
            }
        }
        pairs.part(a, b, &mut task.budget)?;
        let [old, new] = [pairs.of_old, pairs.of_new].map(|partners| {
            let alone = (0_u32..).zip(partners).filter(|(_, partner)| *partner == NONE);
            alone.map(|(row, _)| row).collect::<Vec<_>>()
        });
        task.budget.release(before.saturating_sub(task.budget.left().memory));
        let kept = old.capacity().saturating_add(new.capacity());
        task.budget.memory((kept.saturating_mul(size_of::<u32>())) as u64)?;
        Ok(Differing { old, new })
    }
}

/// Rows of two indexes that belong together.
struct Pairs {
    of_old: Vec<u32>,
    of_new: Vec<u32>,
}

impl Pairs {
    fn new([old, new]: [usize; 2], budget: &mut Budget) -> Result<Pairs> {
        // The list of what is left of each is made beside it.
        budget.memory((old.saturating_add(new) as u64).saturating_mul(size_of::<u32>() as u64))?;
        let mut none = |len: usize| {
            let mut partners = budget.vec::<u32>(len as u64)?;
            partners.resize(len, NONE);
            Ok::<_, spelunk_core::Error>(partners)
        };
        Ok(Pairs { of_old: none(old)?, of_new: none(new)? })
    }

    fn pair(&mut self, old: usize, new: usize) {
        let places = (self.of_old.get_mut(old), self.of_new.get_mut(new));
        if let ((Some(of_old), Some(of_new)), (Ok(old), Ok(new))) =
            (places, (u32::try_from(old), u32::try_from(new)))
        {
            (*of_old, *of_new) = (new, old);
        }
    }

    fn unpair(&mut self, old: usize, new: usize) {
        for (partners, row) in [(&mut self.of_old, old), (&mut self.of_new, new)] {
            if let Some(partner) = partners.get_mut(row) {
                *partner = NONE;
            }
        }
    }

    fn new_of(&self, old: usize) -> Option<usize> {
        self.of_old.get(old).filter(|new| **new != NONE).map(|new| *new as usize)
    }

    /// Pairs rows with one id that follow each other in both.
    fn side_by_side(
        &mut self,
        a: &[IndexEntry],
        b: &[IndexEntry],
        budget: &mut Budget,
    ) -> Result<()> {
        let (mut old, mut new) = (0_usize, 0_usize);
        while let (Some(one), Some(other)) = (a.get(old), b.get(new)) {
            budget.steps(1)?;
            if one.asset_id == other.asset_id {
                self.pair(old, new);
                (old, new) = (old.saturating_add(1), new.saturating_add(1));
                continue;
            }
            let later = |all: &[IndexEntry], from: usize, wanted: &IndexEntry| {
                let rows = all.iter().skip(from).take(AHEAD);
                rows.map(|row| row.asset_id).position(|id| id == wanted.asset_id)
            };
            budget.steps(AHEAD as u64)?;
            match (later(a, old, other), later(b, new, one)) {
                (Some(gone), None) => old = old.saturating_add(gone),
                (None, Some(added)) => new = new.saturating_add(added),
                _ => (old, new) = (old.saturating_add(1), new.saturating_add(1)),
            }
        }
        Ok(())
    }

    fn alone<'e>(
        entries: &'e [IndexEntry],
        partners: &'e [u32],
    ) -> impl Iterator<Item = (usize, [u8; 16])> + 'e {
        let rows = entries.iter().zip(partners).enumerate();
        rows.filter(|(_, (_, partner))| **partner == NONE)
            .map(|(row, (it, _))| (row, it.asset_id.0))
    }

    /// Parts pairs whose id other rows have that belong to none: which of them belong together is not known.
    fn part(&mut self, a: &[IndexEntry], b: &[IndexEntry], budget: &mut Budget) -> Result<()> {
        let mut ids = HashSet::new();
        let left =
            Pairs::alone(a, &self.of_old).chain(Pairs::alone(b, &self.of_new)).map(|(_, id)| id);
        let before = budget.left().memory;
        for id in left {
            budget.memory(ROOM)?;
            ids.insert(id);
        }
        if !ids.is_empty() {
            budget.steps(a.len() as u64)?;
            for (row, entry) in a.iter().enumerate() {
                if let Some(new) = self.new_of(row).filter(|_| ids.contains(&entry.asset_id.0)) {
                    self.unpair(row, new);
                }
            }
        }
        budget.release(before.saturating_sub(budget.left().memory));
        Ok(())
    }

    /// Pairs rows that are left and have an id that both sides have once.
    fn by_id(&mut self, a: &[IndexEntry], b: &[IndexEntry], budget: &mut Budget) -> Result<()> {
        let before = budget.left().memory;
        let mut sides = [HashMap::new(), HashMap::new()];
        let left = [Pairs::alone(a, &self.of_old), Pairs::alone(b, &self.of_new)];
        for (rows, left) in sides.iter_mut().zip(left) {
            for (row, id) in left {
                budget.memory(ROOM)?;
                budget.steps(1)?;
                rows.entry(id).and_modify(|row| *row = None).or_insert(Some(row));
            }
        }
        let [old, new] = sides;
        for (id, row) in old {
            if let (Some(old), Some(Some(new))) = (row, new.get(&id)) {
                self.pair(old, *new);
            }
        }
        budget.release(before.saturating_sub(budget.left().memory));
        Ok(())
    }
}

/// The chunks of two packs, which are read in the order of the rows.
struct ChunkComparer<'s> {
    old: Window<'s>,
    new: Window<'s>,
}

impl ChunkComparer<'_> {
    /// Whether both packs store the same of an asset, each chunk byte for byte.
    fn alike(
        &mut self,
        (old, row): (&Pack, usize),
        (new, other): (&Pack, usize),
        task: &mut Task<'_>,
    ) -> Result<bool> {
        if !old.stores_same(row, (new, other), task)? {
            return Ok(false);
        }
        let Some((a, b)) = old.entry(row).zip(new.entry(other)) else { return Ok(false) };
        let main = |entry: &IndexEntry| {
            (entry.payload_chunk_offset.get(), entry.payload_chunk_size_compressed.get())
        };
        let bulk = |bulk: &BulkEntry| (bulk.chunk_offset.get(), bulk.size_compressed.get());
        let chunks = [(main(a), main(b))].into_iter();
        let bulks = old.bulk(a).iter().map(bulk).zip(new.bulk(b).iter().map(bulk));
        if a.flags != b.flags {
            return Ok(false);
        }
        for (one, other) in chunks.chain(bulks) {
            if !self.same(one, other, task)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether two chunks, which are given by offset and size, hold the same bytes. Those that pass the end of a file do not.
    fn same(&mut self, old: (u64, u64), new: (u64, u64), task: &mut Task<'_>) -> Result<bool> {
        let ((mut a, len), (mut b, other_len)) = (old, new);
        task.budget.touch(len)?;
        if len != other_len || !self.old.holds(a, len) || !self.new.holds(b, len) {
            return Ok(false);
        }
        let mut left = len;
        while left > 0 {
            let part = usize::try_from(left).unwrap_or(WINDOW).min(WINDOW);
            if self.old.part(a, part)? != self.new.part(b, part)? {
                return Ok(false);
            }
            let part = part as u64;
            (a, b, left) =
                (a.saturating_add(part), b.saturating_add(part), left.saturating_sub(part));
        }
        Ok(true)
    }
}

/// A stretch of a file that was read.
struct Window<'s> {
    source: &'s dyn Source,
    start: u64,
    bytes: Vec<u8>,
}

impl<'s> Window<'s> {
    fn new(source: &'s dyn Source) -> Window<'s> {
        Window { source, start: 0, bytes: Vec::new() }
    }

    fn holds(&self, start: u64, len: u64) -> bool {
        start.checked_add(len).is_some_and(|end| end <= self.source.len())
    }

    /// The bytes there, which the file has. What lies behind them is read too where they follow what was read before.
    fn part(&mut self, start: u64, len: usize) -> Result<&[u8]> {
        let end = self.start.saturating_add(self.bytes.len() as u64);
        let skipped = start.checked_sub(self.start).and_then(|at| usize::try_from(at).ok());
        let known = skipped.filter(|at| at.saturating_add(len) <= self.bytes.len());
        if let Some(at) = known {
            return Ok(self.bytes.get(at..at.saturating_add(len)).unwrap_or_default());
        }
        let follows = start >= self.start && start <= end.saturating_add(WINDOW as u64);
        let wanted = if follows { len.max(WINDOW) } else { len };
        let left = usize::try_from(self.source.len().saturating_sub(start)).unwrap_or(usize::MAX);
        self.start = start;
        self.bytes.resize(wanted.min(left), 0);
        self.source.read_at(start, &mut self.bytes)?;
        Ok(self.bytes.get(..len).unwrap_or_default())
    }
}
