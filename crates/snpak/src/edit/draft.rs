//! The next state of a pack.

use crate::{
    build::{
        asset::{Asset, Bulk, Extra, Need, Payload, PayloadOrigin, StoredChunk},
        lay::{BlockMedium, Laid, Lay, Options, Row},
    },
    codes,
    header::{FLAG_TRAILING_INDEX, Header},
    index::FLAG_HAS_BULK,
    pack::{Pack, not_found},
};
use spelunk_core::{
    Budget, Error, Limits, Result, Span, Task, Val,
    scalar::{U32, U64, Uuid, Word},
};
use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

/// Assets of the next state of a pack, in the order of its index.
#[derive(Debug, Default)]
pub struct Draft {
    pub(super) base: Option<Arc<Pack>>,
    pub(super) rows: Vec<Row>,
    ids: IdPositions,
}

/// Known positions of the assets.
#[derive(Debug)]
enum IdPositions {
    /// Assets of the base are at their rows, with the ids that they have there; of others the last position of each id.
    Base(HashMap<Uuid, usize>),
    /// The last position of each id.
    All(HashMap<Uuid, usize>),
    /// Nothing, until it is asked for.
    Nothing,
}

impl Default for IdPositions {
    fn default() -> IdPositions {
        IdPositions::All(HashMap::new())
    }
}

impl Draft {
    /// The state that a pack is in, or that a view of one of its generations shows.
    ///
    /// # Errors
    /// Limits.
    pub fn of(base: Arc<Pack>, budget: &mut Budget) -> Result<Draft> {
        let count = base.index().entries().len();
        let mut rows = budget.vec(count as u64)?;
        rows.extend((0_u32..).take(count).map(Row::Kept));
        Ok(Draft { base: Some(base), rows, ids: IdPositions::Base(HashMap::new()) })
    }

    /// [`Draft::of`] a pack that is lent.
    ///
    /// # Errors
    /// Limits.
    pub fn of_shown(base: &Pack, budget: &mut Budget) -> Result<Draft> {
        Draft::of(Arc::new(base.share()), budget)
    }

    /// Makes a draft of rows of a pack that has their chunks.
    pub(crate) fn of_rows(base: Arc<Pack>, rows: Vec<Row>) -> Draft {
        Draft { base: Some(base), rows, ids: IdPositions::Nothing }
    }

    /// Number of assets.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no assets.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether it is the active state of its pack.
    pub fn is_unchanged(&self) -> bool {
        let active = self.base.as_ref().filter(|base| base.view().is_none());
        let count = active.map_or(usize::MAX, |base| base.index().entries().len());
        let same = |(row, nth): (&Row, u32)| matches!(row, Row::Kept(row) if *row == nth);
        count == self.rows.len() && self.rows.iter().zip(0..).all(same)
    }

    /// The id of the asset at this position.
    pub fn id(&self, position: usize) -> Option<Uuid> {
        match self.rows.get(position)? {
            Row::Asset(asset) => Some(asset.id),
            Row::Kept(row) => Some(self.base.as_ref()?.entry(*row as usize)?.asset_id),
        }
    }

    /// Position of the last asset with this id.
    pub fn position(&mut self, id: Uuid) -> Option<usize> {
        if let (IdPositions::Base(added), Some(base)) = (&self.ids, &self.base) {
            if let Some(position) = added.get(&id) {
                return Some(*position);
            }
            // What ids that are made to collide would take is not to be waited for.
            let mut budget = Budget::new(Limits::for_len(base.len()));
            if let Ok(position) = base.by_id(&id.0, &mut budget) {
                return position;
            }
        }
        if !matches!(self.ids, IdPositions::All(_)) {
            let all =
                (0..self.rows.len()).filter_map(|position| Some((self.id(position)?, position)));
            self.ids = IdPositions::All(all.collect());
        }
        let IdPositions::All(all) = &self.ids else { return None };
        all.get(&id).copied()
    }

    /// Adds an asset behind the others and gives its position.
    ///
    /// # Errors
    /// [`codes::SAME_ID`] where there is one with its id.
    pub fn add(&mut self, asset: Asset) -> Result<usize> {
        self.add_beside(asset, &BTreeSet::new())
    }

    /// Adds an asset where those at these positions are going to be taken out.
    pub(super) fn add_beside(&mut self, asset: Asset, go: &BTreeSet<usize>) -> Result<usize> {
        if self.position(asset.id).is_some_and(|position| !go.contains(&position)) {
            let found = Val::Uuid(asset.id.0).to_string();
            return Err(asset.error(&codes::SAME_ID).found(found));
        }
        Ok(self.push(asset))
    }

    fn push(&mut self, asset: Asset) -> usize {
        let position = self.rows.len();
        if let IdPositions::Base(ids) | IdPositions::All(ids) = &mut self.ids {
            ids.insert(asset.id, position);
        }
        self.rows.push(Row::Asset(Box::new(asset)));
        position
    }

    /// Adds an asset, or puts it in the place of the one with its id as the reference does: without bulk payloads of its
    /// own it keeps those that are there, its dependencies replace the old ones.
    ///
    /// # Errors
    /// Limits.
    pub fn put(&mut self, mut asset: Asset, budget: &mut Budget) -> Result<usize> {
        let Some(position) = self.position(asset.id) else { return Ok(self.push(asset)) };
        let old = self.described_at(position, budget)?;
        asset.extra = old.extra;
        asset.payload.follow(&old.payload);
        for bulk in &mut asset.bulk {
            let key = |bulk: &Bulk| (bulk.semantic, bulk.sub_index);
            if let Some(old) = old.bulk.iter().find(|old| key(old) == key(bulk)) {
                bulk.payload.follow(&old.payload);
            }
        }
        if asset.bulk.is_empty() {
            asset.bulk = std::mem::take(&mut old.bulk);
        }
        if let Some(row) = self.rows.get_mut(position) {
            *row = Row::Asset(Box::new(asset));
        }
        Ok(position)
    }

    /// Puts an asset in the place of another one.
    pub fn set(&mut self, position: usize, asset: Asset) {
        if let Some(row) = self.rows.get_mut(position) {
            *row = Row::Asset(Box::new(asset));
            self.ids = IdPositions::Nothing;
        }
    }

    /// Takes assets out. The order of the others stays.
    pub fn remove(&mut self, positions: &BTreeSet<usize>) {
        let mut position = 0_usize;
        self.rows.retain(|_| {
            let stays = !positions.contains(&position);
            position = position.saturating_add(1);
            stays
        });
        self.ids = IdPositions::Nothing;
    }

    /// Leaves one asset of each id: in the place of the first one, with the content of the last.
    pub fn collapse(&mut self) {
        if let (IdPositions::Base(_), Some(base)) = (&self.ids, &self.base) {
            let mut budget = Budget::new(Limits::for_len(base.len()));
            // What was added has other ids.
            if base.ids(&mut budget).is_ok_and(|ids| ids.all_shadowed().is_empty()) {
                return;
            }
        }
        let mut first: HashMap<Uuid, usize> = HashMap::new();
        let mut gone = BTreeSet::new();
        for position in 0..self.rows.len() {
            let Some(id) = self.id(position) else { continue };
            match first.get(&id) {
                None => drop(first.insert(id, position)),
                Some(first) => {
                    self.rows.swap(*first, position);
                    gone.insert(position);
                }
            }
        }
        if !gone.is_empty() {
            self.remove(&gone);
        }
    }

    /// The asset at this position, to be changed. Its payloads stay as they are stored unless others are put in their
    /// place.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND); limits.
    pub fn asset_mut(&mut self, position: usize, budget: &mut Budget) -> Result<&mut Asset> {
        // The id may be changed, too.
        self.ids = IdPositions::Nothing;
        self.described_at(position, budget)
    }

    /// Gives the asset at this position another id.
    pub(super) fn change_id(
        &mut self,
        position: usize,
        id: Uuid,
        budget: &mut Budget,
    ) -> Result<()> {
        let asset = self.described_at(position, budget)?;
        let old = std::mem::replace(&mut asset.id, id);
        let count = self.rows.len();
        match &mut self.ids {
            // Where each asset has an id of its own, nothing else comes to light behind the old one.
            IdPositions::All(all) if all.len() == count => {
                all.remove(&old);
                all.insert(id, position);
            }
            _ => self.ids = IdPositions::Nothing,
        }
        Ok(())
    }

    /// The asset at this position, whose id stays.
    pub(super) fn described_at(
        &mut self,
        position: usize,
        budget: &mut Budget,
    ) -> Result<&mut Asset> {
        let Draft { base, rows, .. } = self;
        let row = rows.get_mut(position).ok_or_else(not_found)?;
        if let Row::Kept(kept) = row {
            let base = base.as_ref().ok_or_else(not_found)?;
            *row = Row::Asset(Box::new(described(base, *kept as usize, true, budget)?));
        }
        match row {
            Row::Asset(asset) => Ok(asset),
            Row::Kept(_) => Err(not_found()),
        }
    }

    /// The same where the bulk entries of the asset are not in the table: it has none then.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND).
    pub(super) fn asset_without_bulk(
        &mut self,
        position: usize,
        budget: &mut Budget,
    ) -> Result<&mut Asset> {
        if let (Some(Row::Kept(row)), Some(base)) = (self.rows.get(position), &self.base) {
            let asset = described(base, *row as usize, false, budget)?;
            self.set(position, asset);
        }
        self.asset_mut(position, budget)
    }

    /// The draft once more. Payloads that are still to be packed are none of it.
    ///
    /// # Errors
    /// Limits.
    pub(super) fn duplicate(&self, task: &mut Task<'_>) -> Result<Draft> {
        let mut rows = task.budget.vec(self.rows.len() as u64)?;
        task.budget.steps(self.rows.len() as u64)?;
        for row in &self.rows {
            if let Row::Asset(asset) = row {
                task.budget.memory(held(asset))?;
            }
        }
        rows.extend(self.rows.iter().map(|row| match row {
            Row::Kept(row) => Row::Kept(*row),
            Row::Asset(asset) => Row::Asset(Box::new(asset.duplicate())),
        }));
        Ok(Draft { base: self.base.clone(), rows, ids: IdPositions::Nothing })
    }

    /// Puts what is new behind the pack, from `at` on, and gives the header that leads there; `None` where nothing is
    /// new, and nothing is put then.
    ///
    /// # Errors
    /// What a pack cannot hold; limits; reading and writing errors.
    pub(super) fn put_behind(
        &mut self,
        at: u64,
        out: &mut dyn BlockMedium,
        options: Options,
        task: &mut Task<'_>,
    ) -> Result<Option<Header>> {
        let Some(base) = self.base.clone().filter(|_| !self.is_unchanged()) else {
            return Ok(None);
        };
        let (active, _) = base.active();
        let (previous, reserved) = (Some(active.at()), active.header().reserved);
        let strings = base.view().is_none();
        let lay = Lay {
            base: Some(&base),
            stays: true,
            strings,
            previous,
            reserved,
            options,
            out,
            at,
            task,
        };
        let Some(laid) = lay.lay(&mut self.rows)? else { return Ok(None) };
        let mut header = *base.header();
        header.flags = Word::new(header.flags.get() | FLAG_TRAILING_INDEX);
        point(&mut header, &laid, previous);
        Ok(Some(header))
    }
}

/// Lets a header lead to what was laid.
pub(super) fn point(header: &mut Header, laid: &Laid, previous: Option<Span>) {
    if let Some(strings) = laid.strings {
        header.string_table_offset = U64::new(strings.start);
        header.string_table_size = U64::new(strings.len);
    }
    let previous = previous.unwrap_or(Span::file(0, 0));
    header.index_offset = U64::new(laid.index.start);
    header.index_size = U64::new(laid.index.len);
    header.index_hash = laid.index_hash;
    header.previous_index_offset = U64::new(previous.start);
    header.previous_index_size = U64::new(previous.len);
    header.file_size = U64::new(laid.index.end());
}

/// Bytes that an allocator takes for a string of its own besides its bytes, about.
const STRING: u64 = 32;

/// Bytes of memory that a description takes, about; payloads are shared.
fn held(asset: &Asset) -> u64 {
    let bulk = asset.bulk.len().saturating_mul(size_of::<Bulk>());
    let needs = asset.dependencies.len().saturating_mul(size_of::<Need>());
    let names = asset.dependencies.iter().filter_map(|need| need.name.as_ref());
    let strings = names.chain([&asset.name]).chain(&asset.variant);
    let strings = strings.map(|string| (string.len() as u64).saturating_add(STRING));
    let own = size_of::<Asset>().saturating_add(bulk).saturating_add(needs) as u64;
    strings.fold(own, u64::saturating_add)
}

/// Returns the stored form of an asset, as a description.
///
/// # Errors
/// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND); [`codes::BULK_RANGE`].
pub(crate) fn described(
    base: &Pack,
    row: usize,
    with_bulk: bool,
    budget: &mut Budget,
) -> Result<Asset> {
    let entry = base.entry(row).ok_or_else(not_found)?;
    if let Some(error) = crate::pack::bulk_range_error(base.index(), entry, row)
        .filter(|_| with_bulk && base.index().bulk_range(entry).is_none())
    {
        return Err(error);
    }
    let [_, level] = entry.level_bytes();
    let owner = base.index().owner(row).map_or(U32::new(0), |owner| owner.reserved);
    let (bulk, needs) = (base.bulk(entry), base.dependencies(row));
    let items = bulk.len().saturating_mul(size_of::<Bulk>());
    let items = items.saturating_add(needs.len().saturating_mul(size_of::<Need>()));
    budget.memory(items.saturating_add(size_of::<Asset>()) as u64)?;
    budget.steps(bulk.len().saturating_add(needs.len()) as u64)?;
    let name = |need: &crate::index::Dependency| base.strings().get(need.name_string_id.get());
    // Rows may share long strings, and an asset has its own.
    let own = [base.name(entry), base.variant(entry)].into_iter();
    for string in own.chain(needs.iter().map(name)).flatten() {
        budget.touch(string.len() as u64)?;
        budget.memory((string.len() as u64).saturating_add(STRING))?;
    }
    Ok(Asset {
        id: entry.asset_id,
        kind: entry.asset_kind,
        payload_type: entry.cooked_payload_type,
        schema_version: entry.cooked_schema_version.get(),
        name: base.name(entry).unwrap_or_default().to_vec(),
        variant: base.variant(entry).map(<[u8]>::to_vec),
        payload: Payload(PayloadOrigin::Kept(StoredChunk::of_entry(entry))),
        bulk: bulk.iter().map(|bulk| Bulk::kept(bulk, entry)).collect(),
        dependencies: needs.iter().map(|need| Need::kept(need, name(need))).collect(),
        extra: Extra {
            flags: entry.flags & !FLAG_HAS_BULK,
            level,
            owner,
            row: u32::try_from(row).ok(),
        },
    })
}

/// The error for a kind of entry that packs do not have.
pub(super) fn no_such_table() -> Error {
    not_found().expected("an asset, or a bulk payload of one")
}

/// Changes to a pack that was opened.
#[derive(Debug)]
pub(crate) struct Editing {
    /// The pack as it was opened.
    pub(super) base: Arc<Pack>,
    pub(super) draft: Draft,
    /// Memory that the state takes; the next one takes its place.
    pub(super) held: u64,
}
