//! What two sides made of one pack, as one.
//!
//! Assets belong together by their ids; of several with one id the last counts. What only one side changed is taken, field
//! by field; what both changed alike is one change. The result is our side with a new state behind it: what came from the
//! other side is copied as it is stored there, nothing else moves.

use super::{
    draft::Draft,
    state::{Choice, New, Slot, State, Value, choose},
};
use crate::{AssetId, lookup::Ids, pack::Pack};
use bytes::Bytes;
use spelunk_core::{Budget, Result, Task, scalar::Uuid};
use std::collections::{BTreeMap, BTreeSet};

/// Which side counts where both changed one thing, each in another way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnConflict {
    /// Neither: it is told, and what is merged is not to be used.
    #[default]
    Refuse,
    /// Ours.
    Ours,
    /// Theirs.
    Theirs,
}

/// An asset that was merged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merging {
    /// Its id.
    pub id: AssetId,
    /// Its name, on the side that it is from; ours where both have it. It is a part of the pack's own strings.
    pub name: Bytes,
    /// Its variant there.
    pub variant: Option<Bytes>,
    /// What became of it.
    pub change: Change,
}

/// What became of an asset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has other fields or payloads.
    Changed,
}

impl Change {
    /// As people and JSON know it.
    pub const fn name(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Removed => "removed",
            Change::Changed => "changed",
        }
    }
}

/// Something that both sides changed, each in another way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// The asset.
    pub asset: Merging,
    /// The field; `None` where it is about the whole asset.
    pub slot: Option<Slot>,
    /// What our side made of it.
    pub ours: String,
    /// What the other side made of it.
    pub theirs: String,
}

/// Two assets of different ids that the sides gave one name and variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collision {
    /// The asset that our side called so.
    pub ours: AssetId,
    /// The one of the other side.
    pub theirs: Merging,
}

/// What came of a merge.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Assets that our side changed alone.
    pub from_ours: Vec<Merging>,
    /// Assets that the other side changed alone.
    pub from_theirs: Vec<Merging>,
    /// Assets that both changed alike.
    pub both: Vec<Merging>,
    /// Assets that both changed, in different fields.
    pub merged: Vec<Merging>,
    /// What could not be merged.
    pub conflicts: Vec<Conflict>,
    /// Names that two assets have now.
    pub collisions: Vec<Collision>,
}

/// Merges what two sides made of `base` to the next state of `ours`.
///
/// # Errors
/// A payload of `theirs` that is to be copied and is damaged; limits; reading errors.
pub fn merge(
    base: &Pack,
    ours: &Pack,
    theirs: &Pack,
    on_conflict: OnConflict,
    task: &mut Task<'_>,
) -> Result<(Draft, Report)> {
    let draft = Draft::of_shown(ours, &mut task.budget)?;
    let mut merge = Merge {
        base,
        ours,
        theirs,
        on_conflict,
        draft,
        report: Report::default(),
        gone: BTreeSet::new(),
        named: BTreeMap::new(),
    };
    merge.all(task)?;
    Ok((merge.draft, merge.report))
}

struct Merge<'m> {
    base: &'m Pack,
    ours: &'m Pack,
    theirs: &'m Pack,
    on_conflict: OnConflict,
    draft: Draft,
    report: Report,
    /// Ids of assets of ours that go.
    gone: BTreeSet<[u8; 16]>,
    /// Ids of assets that have a name or variant from the other side now.
    named: BTreeMap<[u8; 16], Merging>,
}

impl Merge<'_> {
    fn all(&mut self, task: &mut Task<'_>) -> Result<()> {
        let (base, ours, theirs) = (self.base, self.ours, self.theirs);
        for (row, id) in visible(ours, ours.ids(&mut task.budget)?) {
            let was = base.by_id(&id, &mut task.budget)?;
            let other = theirs.by_id(&id, &mut task.budget)?;
            match (was, other) {
                (None, None) => {
                    let added = told(ours, row, Change::Added, &mut task.budget)?;
                    self.report.from_ours.extend(added);
                }
                (Some(was), None) => self.theirs_removed(was, row, task)?,
                (None, Some(other)) => self.both_added(row, other, task)?,
                (Some(was), Some(other)) => self.in_both(was, row, other, task)?,
            }
        }
        for (row, id) in visible(base, base.ids(&mut task.budget)?) {
            let [in_ours, in_theirs] = [ours, theirs].map(|pack| pack.by_id(&id, &mut task.budget));
            if let (None, None) = (in_ours?, in_theirs?) {
                self.report.both.extend(told(base, row, Change::Removed, &mut task.budget)?);
            }
        }
        let mut new = Vec::new();
        for (row, id) in visible(theirs, theirs.ids(&mut task.budget)?) {
            if ours.by_id(&id, &mut task.budget)?.is_some() {
                continue;
            }
            let was = base.by_id(&id, &mut task.budget)?;
            if self.theirs_alone(was, row, task)? {
                new.push((row, id));
            }
        }
        self.remove(task)?;
        for (row, id) in new {
            self.draft.add(theirs.carried(row, task)?)?;
            self.named
                .extend(told(theirs, row, Change::Added, &mut task.budget)?.map(|told| (id, told)));
        }
        self.collisions(task)
    }

    /// An asset that ours has and the other side took out.
    fn theirs_removed(&mut self, was: usize, row: usize, task: &mut Task<'_>) -> Result<()> {
        let Some(asset) = told(self.ours, row, Change::Removed, &mut task.budget)? else {
            return Ok(());
        };
        if self.base.stores_same(was, (self.ours, row), task)? {
            self.gone.insert(asset.id.0);
            self.report.from_theirs.push(asset);
            return Ok(());
        }
        if self.on_conflict == OnConflict::Theirs {
            self.gone.insert(asset.id.0);
        }
        self.conflict(asset, None, ["changed", "removed"].map(str::to_owned), task)?;
        Ok(())
    }

    /// An asset that both sides added.
    fn both_added(&mut self, row: usize, other: usize, task: &mut Task<'_>) -> Result<()> {
        let Some(asset) = told(self.ours, row, Change::Added, &mut task.budget)? else {
            return Ok(());
        };
        if self.ours.stores_same(row, (self.theirs, other), task)? {
            self.report.both.push(asset);
            return Ok(());
        }
        if self.on_conflict == OnConflict::Theirs {
            let carried = self.theirs.carried(other, task)?;
            self.draft.set(row, carried);
            self.named.extend(
                told(self.theirs, other, Change::Added, &mut task.budget)?
                    .map(|told| (asset.id.0, told)),
            );
        }
        let texts = ["added", "added with another content"].map(str::to_owned);
        self.conflict(asset, None, texts, task)?;
        Ok(())
    }

    /// An asset that all three have.
    fn in_both(&mut self, was: usize, row: usize, other: usize, task: &mut Task<'_>) -> Result<()> {
        let Some(asset) = told(self.ours, row, Change::Changed, &mut task.budget)? else {
            return Ok(());
        };
        let ours_same = self.base.stores_same(was, (self.ours, row), task)?;
        if self.base.stores_same(was, (self.theirs, other), task)? {
            self.report.from_ours.extend((!ours_same).then_some(asset));
            return Ok(());
        }
        if !ours_same && self.ours.stores_same(row, (self.theirs, other), task)? {
            self.report.both.push(asset);
            return Ok(());
        }
        let states = [
            State::of(self.base, was, task)?,
            State::of(self.ours, row, task)?,
            State::of(self.theirs, other, task)?,
        ];
        let conflicts = self.fields(&asset, &states, row, other, task)?;
        states.into_iter().for_each(|state| state.release(&mut task.budget));
        if !conflicts {
            let list = match ours_same {
                true => &mut self.report.from_theirs,
                false => &mut self.report.merged,
            };
            list.push(asset);
        }
        Ok(())
    }

    /// Takes over what the other side changed of an asset, and tells whether something could not be.
    fn fields(
        &mut self,
        asset: &Merging,
        [base, ours, theirs]: &[State; 3],
        row: usize,
        other: usize,
        task: &mut Task<'_>,
    ) -> Result<bool> {
        let all: BTreeSet<Slot> =
            [base, ours, theirs].iter().flat_map(|state| state.slots.keys().copied()).collect();
        let (mut edits, mut has_conflicts) = (Vec::new(), false);
        for slot in all {
            let [was, own, new] = [base, ours, theirs].map(|state| state.slots.get(&slot));
            match choose(was, own, new) {
                Choice::Ours => continue,
                Choice::Theirs => {}
                Choice::Conflict => {
                    has_conflicts = true;
                    let text = |value: Option<&Value>| {
                        value.map_or_else(|| "removed".to_owned(), Value::to_string)
                    };
                    self.conflict(asset.clone(), Some(slot), [text(own), text(new)], task)?;
                    if self.on_conflict != OnConflict::Theirs {
                        continue;
                    }
                }
            }
            let new = match new {
                None => New::Nothing,
                Some(Value::Payload(_)) => {
                    New::Payload(self.theirs.packed_in(other, theirs, slot, task)?)
                }
                Some(value) => {
                    task.budget.memory(value.size())?;
                    New::Value(value.clone())
                }
            };
            edits.push((slot, new));
        }
        let renamed = edits.iter().any(|(slot, _)| matches!(slot, Slot::Name | Slot::Variant));
        let order = match ours.bulk == base.bulk {
            true => theirs.bulk.clone(),
            false => [ours.bulk.as_slice(), &theirs.bulk].concat(),
        };
        if !edits.is_empty() || order != ours.bulk {
            let own = self.draft.asset_mut(row, &mut task.budget)?;
            own.edit(edits)?;
            own.order_bulk(&order);
            if renamed {
                let variant = own.stored_variant();
                let len = own.name.len().saturating_add(variant.map_or(0, <[u8]>::len));
                task.budget.memory(len as u64)?;
                let name = Bytes::copy_from_slice(&own.name);
                let variant = variant.map(Bytes::copy_from_slice);
                let told = Merging { name, variant, ..asset.clone() };
                self.named.insert(asset.id.0, told);
            }
        }
        Ok(has_conflicts)
    }

    /// An asset that the other side has and ours has not. Tells whether it comes.
    fn theirs_alone(
        &mut self,
        was: Option<usize>,
        row: usize,
        task: &mut Task<'_>,
    ) -> Result<bool> {
        let change = if was.is_some() { Change::Removed } else { Change::Added };
        let Some(asset) = told(self.theirs, row, change, &mut task.budget)? else {
            return Ok(false);
        };
        let Some(was) = was else {
            self.report.from_theirs.push(asset);
            return Ok(true);
        };
        if self.base.stores_same(was, (self.theirs, row), task)? {
            self.report.from_ours.push(asset);
            return Ok(false);
        }
        self.conflict(asset, None, ["removed", "changed"].map(str::to_owned), task)?;
        Ok(self.on_conflict == OnConflict::Theirs)
    }

    fn conflict(
        &mut self,
        asset: Merging,
        slot: Option<Slot>,
        [ours, theirs]: [String; 2],
        task: &mut Task<'_>,
    ) -> Result<()> {
        let texts = ours.len().saturating_add(theirs.len());
        task.budget.memory(size_of::<Conflict>().saturating_mul(2).saturating_add(texts) as u64)?;
        self.report.conflicts.push(Conflict { asset, slot, ours, theirs });
        Ok(())
    }

    /// Takes out the assets that go, with those of their ids that they hide.
    fn remove(&mut self, task: &mut Task<'_>) -> Result<()> {
        if self.gone.is_empty() {
            return Ok(());
        }
        let entries = self.ours.index().entries();
        task.budget.steps(entries.len() as u64)?;
        let rows = entries.iter().enumerate();
        let rows = rows.filter(|(_, entry)| self.gone.contains(&entry.asset_id.0));
        self.draft.remove(&rows.map(|(row, _)| row).collect());
        Ok(())
    }

    /// Looks for names that two assets have now and had on neither side.
    fn collisions(&mut self, task: &mut Task<'_>) -> Result<()> {
        let (ours, theirs) = (self.ours, self.theirs);
        for (id, new) in &self.named {
            let variant = new.variant.as_deref();
            for row in ours.by_name_and_variant(&new.name, variant, &mut task.budget)? {
                let Some(entry) = ours.entry(row) else { continue };
                let other = entry.asset_id.0;
                let stays = !self.gone.contains(&other) && !self.named.contains_key(&other);
                if other == *id || !stays || ours.is_shadowed(row, &mut task.budget)? {
                    continue;
                }
                let there = theirs.by_id(&other, &mut task.budget)?;
                let there = there.and_then(|row| theirs.entry(row));
                let called = there.map(|entry| (theirs.name(entry), theirs.variant(entry)));
                task.budget.touch(new.name.len() as u64)?;
                if called != Some((Some(&new.name), variant)) {
                    task.budget.memory(size_of::<Collision>() as u64)?;
                    let (ours, theirs) = (AssetId(other), new.clone());
                    self.report.collisions.push(Collision { ours, theirs });
                }
            }
        }
        Ok(())
    }
}

/// The assets that count, with their positions.
fn visible<'p>(pack: &'p Pack, ids: &'p Ids) -> impl Iterator<Item = (usize, [u8; 16])> + 'p {
    let rows = pack.index().entries().iter().enumerate();
    rows.filter(|(row, _)| !ids.is_shadowed(*row)).map(|(row, entry)| (row, entry.asset_id.0))
}

/// What is told of an asset; it stays charged.
fn told(pack: &Pack, row: usize, change: Change, budget: &mut Budget) -> Result<Option<Merging>> {
    let Some(entry) = pack.entry(row) else { return Ok(None) };
    // Lists grow to twice their length.
    budget.memory((size_of::<Merging>() as u64).saturating_mul(2))?;
    let Uuid(id) = entry.asset_id;
    let string = |id: u32| pack.strings().shared(id);
    Ok(Some(Merging {
        id: AssetId(id),
        name: string(entry.name_string_id.get()).unwrap_or_default(),
        variant: string(entry.variant_string_id.get()),
        change,
    }))
}
