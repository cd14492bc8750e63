//! Packs, merged asset by asset and field by field. Assets belong together by their ids; of several with one id the last counts.
//!
//! The result is our side with a new state behind it: what came from the other side is copied as it is stored there, nothing else
//! moves.

use super::{
    report::{Collision, Merging, OnConflict, Report},
    sides::{Sides, settle},
};
use crate::decide::{Choice, Deed, Differences, Places, States, Version};
use snpak::{
    AssetId, Pack,
    edit::{
        Draft,
        state::{AssetField, AssetState, New, Value},
    },
};
use spelunk_core::{Bytes, Container, Result, Task, text::CodePages};
use std::collections::{BTreeMap, BTreeSet};

/// Memory of a name that is noted beside its bytes.
const CALLED: u64 = 3 * size_of::<Called>() as u64;

/// The next state of ours with what the other side changed, and what became of the assets.
///
/// # Errors
/// A payload of theirs that is to be copied and is damaged; limits; reading errors.
pub(super) fn merged(
    [base, ours, theirs]: [&Pack; 3],
    on_conflict: OnConflict,
    task: &mut Task<'_>,
) -> Result<(Draft, Report)> {
    let draft = Draft::of_shown(ours, &mut task.budget)?;
    let (gone, named, new) = (BTreeSet::new(), BTreeMap::new(), Vec::new());
    let mut packs = Packs { base, ours, theirs, draft, gone, named, new };
    let mut report = Report::default();
    // Those of ours in its order, those that only the base has, and those that only theirs has and adds.
    for side in [Version::Ours, Version::Base, Version::Theirs] {
        let pack = packs.pack(side);
        for (row, entry) in pack.index().entries().iter().enumerate() {
            task.budget.steps(1)?;
            if pack.is_shadowed(row, &mut task.budget)? {
                continue;
            }
            let mut at = |pack: &Pack| pack.by_id(&entry.asset_id.0, &mut task.budget);
            let at = Places { base: at(base)?, ours: at(ours)?, theirs: at(theirs)? };
            let is_first = match side {
                Version::Ours => true,
                Version::Base => at.ours.is_none() && at.theirs.is_none(),
                Version::Theirs => at.ours.is_none(),
            };
            if is_first {
                settle(&mut packs, at, on_conflict, &mut report, task)?;
            }
        }
    }
    packs.finish(&mut report, task)?;
    Ok((packs.draft, report))
}

/// The pack of a draft, or ours where the merge is refused.
///
/// # Errors
/// What a pack cannot hold; limits; reading errors.
pub(super) fn made(
    ours: &Pack,
    draft: Draft,
    is_refused: bool,
    task: &mut Task<'_>,
) -> Result<Box<dyn Container>> {
    let draft = if is_refused { Draft::of_shown(ours, &mut task.budget)? } else { draft };
    Ok(Box::new(draft.shown(task)?))
}

/// Three packs, and the next state of ours.
struct Packs<'m> {
    base: &'m Pack,
    ours: &'m Pack,
    theirs: &'m Pack,
    draft: Draft,
    /// Ids of assets of ours that go.
    gone: BTreeSet<[u8; 16]>,
    /// Ids of assets that have a name or variant from the other side now, with these.
    named: BTreeMap<[u8; 16], Called>,
    /// Positions of assets of theirs that come.
    new: Vec<usize>,
}

/// Name of an asset.
struct Called {
    /// A part of the pack's own strings, as long as it has no new name: many assets may share a long one.
    name: Bytes,
    variant: Option<Bytes>,
}

impl<'m> Packs<'m> {
    fn pack(&self, version: Version) -> &'m Pack {
        match version {
            Version::Base => self.base,
            Version::Ours => self.ours,
            Version::Theirs => self.theirs,
        }
    }

    /// Takes note of what an asset of theirs is called, which comes.
    fn call_as_theirs(&mut self, row: usize, task: &mut Task<'_>) -> Result<()> {
        let Some(entry) = self.theirs.entry(row) else { return Ok(()) };
        task.budget.memory(CALLED)?;
        let string = |id: u32| self.theirs.strings().shared(id);
        let name = string(entry.name_string_id.get()).unwrap_or_default();
        let variant = string(entry.variant_string_id.get());
        self.named.insert(entry.asset_id.0, Called { name, variant });
        Ok(())
    }

    /// Takes out the assets that go, with those of their ids that they hide, adds those that come, and reports names that two
    /// assets have now.
    fn finish(&mut self, report: &mut Report, task: &mut Task<'_>) -> Result<()> {
        let entries = self.ours.index().entries();
        if !self.gone.is_empty() {
            task.budget.steps(entries.len() as u64)?;
            let rows = entries.iter().enumerate();
            let rows = rows.filter(|(_, entry)| self.gone.contains(&entry.asset_id.0));
            self.draft.remove(&rows.map(|(row, _)| row).collect());
        }
        for row in std::mem::take(&mut self.new) {
            self.draft.add(self.theirs.carried(row, task)?)?;
            self.call_as_theirs(row, task)?;
        }
        self.collisions(report, task)
    }

    /// Looks for names that two assets have now and had on neither side.
    fn collisions(&self, report: &mut Report, task: &mut Task<'_>) -> Result<()> {
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
                    let theirs = merging(AssetId(*id), &new.name, variant, Deed::Added, task)?;
                    report.collisions.push(Collision { ours: AssetId(other).to_string(), theirs });
                }
            }
        }
        Ok(())
    }
}

impl States for Packs<'_> {
    type Place = usize;
    type Slot = AssetField;

    const UNITES: bool = false;

    fn is_same(
        &mut self,
        (one, row): (Version, usize),
        (other, other_row): (Version, usize),
        task: &mut Task<'_>,
    ) -> Result<bool> {
        self.pack(one).stores_same(row, (self.pack(other), other_row), task)
    }

    fn differences(
        &mut self,
        at: Places<usize>,
        _: bool,
        task: &mut Task<'_>,
    ) -> Result<Differences<AssetField>> {
        let mut of = |pack, row: Option<usize>| match row {
            Some(row) => AssetState::of(pack, row, task),
            None => Ok(AssetState::default()),
        };
        let states =
            [of(self.base, at.base)?, of(self.ours, at.ours)?, of(self.theirs, at.theirs)?];
        let [base, ours, theirs] = states.each_ref().map(|state| &state.slots);
        let found = Differences::between(base, ours, theirs, choose);
        states.into_iter().for_each(|state| state.release(&mut task.budget));
        Ok(found)
    }
}

/// Chooses the value of a slot. Payloads with the same plain bytes agree: of two that differ in how they are packed ours stays,
/// and other bytes count more than another packing.
pub(crate) fn choose(base: Option<&Value>, ours: Option<&Value>, theirs: Option<&Value>) -> Choice {
    match Choice::of(base, ours, theirs) {
        Choice::Conflict => Choice::by(&base, &ours, &theirs, |a, b| match (a, b) {
            (Some(Value::Payload(a)), Some(Value::Payload(b))) => a.is_alike(b),
            (a, b) => a == b,
        }),
        choice => choice,
    }
}

impl Sides for Packs<'_> {
    fn entry(
        &mut self,
        (version, row): (Version, usize),
        deed: Deed,
        task: &mut Task<'_>,
    ) -> Result<Merging> {
        let pack = self.pack(version);
        let Some(entry) = pack.entry(row) else { return Ok(Merging::default()) };
        let (name, id) = (pack.name(entry).unwrap_or_default(), AssetId::from(entry.asset_id));
        merging(id, name, pack.variant(entry), deed, task)
    }

    fn field(&self, slot: &AssetField) -> String {
        slot.to_string()
    }

    fn shown(
        &mut self,
        (version, row): (Version, usize),
        slot: &AssetField,
        task: &mut Task<'_>,
    ) -> Result<String> {
        let state = AssetState::of(self.pack(version), row, task)?;
        let shown =
            state.slots.get(slot).map_or_else(|| Deed::Removed.name().to_owned(), Value::to_string);
        state.release(&mut task.budget);
        Ok(shown)
    }

    fn add(&mut self, theirs: usize, task: &mut Task<'_>) -> Result<()> {
        task.budget.room(&mut self.new, 1)?;
        self.new.push(theirs);
        Ok(())
    }

    fn remove(&mut self, ours: usize, task: &mut Task<'_>) -> Result<()> {
        task.budget.memory(64)?;
        self.gone.extend(self.ours.entry(ours).map(|entry| entry.asset_id.0));
        Ok(())
    }

    fn set(&mut self, at: Places<usize>, taken: &[AssetField], task: &mut Task<'_>) -> Result<()> {
        let (Some(ours), Some(theirs)) = (at.ours, at.theirs) else { return Ok(()) };
        let state = AssetState::of(self.theirs, theirs, task)?;
        let own = AssetState::of(self.ours, ours, task)?;
        let base = at.base.map(|row| AssetState::of(self.base, row, task)).transpose()?;
        let mut edits = Vec::new();
        for slot in taken {
            let new = match state.slots.get(slot) {
                None => New::Nothing,
                Some(Value::Payload(_)) => {
                    New::Payload(self.theirs.packed_in(theirs, &state, *slot, task)?)
                }
                Some(value) => {
                    task.budget.memory(value.size())?;
                    New::Value(value.clone())
                }
            };
            edits.push((*slot, new));
        }
        let is_untouched = base.as_ref().is_some_and(|base| base.bulk == own.bulk);
        let order = match is_untouched {
            true => state.bulk.clone(),
            false => [own.bulk.as_slice(), &state.bulk].concat(),
        };
        let is_changed = !edits.is_empty() || order != own.bulk;
        [Some(state), Some(own), base]
            .into_iter()
            .flatten()
            .for_each(|state| state.release(&mut task.budget));
        if !is_changed {
            return Ok(());
        }
        let is_renamed =
            edits.iter().any(|(slot, _)| matches!(slot, AssetField::Name | AssetField::Variant));
        let asset = self.draft.asset_mut(ours, &mut task.budget)?;
        asset.edit(edits)?;
        asset.order_bulk(&order);
        if is_renamed {
            let variant = asset.stored_variant();
            let len = asset.name.len().saturating_add(variant.map_or(0, <[u8]>::len));
            task.budget.memory(CALLED.saturating_add(len as u64))?;
            let name = Bytes::copy_from_slice(&asset.name);
            let variant = variant.map(Bytes::copy_from_slice);
            self.named.insert(asset.id.0, Called { name, variant });
        }
        Ok(())
    }

    fn replace(&mut self, ours: usize, theirs: usize, task: &mut Task<'_>) -> Result<()> {
        let asset = self.theirs.carried(theirs, task)?;
        self.draft.set(ours, asset);
        self.call_as_theirs(theirs, task)
    }
}

/// Describes an asset in a report.
fn merging(
    id: AssetId,
    name: &[u8],
    variant: Option<&[u8]>,
    deed: Deed,
    task: &mut Task<'_>,
) -> Result<Merging> {
    let mut path = String::new();
    snpak::push_name(name, variant, &CodePages::utf8(), &mut path);
    path.shrink_to_fit();
    let asset_id = id.to_string();
    let texts = path.len().saturating_add(asset_id.len());
    task.budget.touch(path.len() as u64)?;
    // Lists grow to twice their length.
    task.budget.memory((2 * size_of::<Merging>()).saturating_add(texts) as u64)?;
    Ok(Merging { path, asset_id: Some(asset_id), change: Some(deed.name()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use snpak::{Codec, edit::state::PayloadState};
    use spelunk_core::scalar::Hash128;

    #[test]
    fn what_one_side_changed_is_taken_and_packing_is_no_conflict() {
        let payload = |hash: u128, codec| {
            Value::Payload(PayloadState { hash: Hash128::new(hash), size: 1, codec })
        };
        let [a, b, c] = [1, 2, 3].map(|hash| payload(hash, Codec::NONE));
        let [a, b, c] = [Some(&a), Some(&b), Some(&c)];
        assert_eq!(choose(a, b, a), Choice::Ours);
        assert_eq!(choose(a, a, b), Choice::Theirs);
        assert_eq!(choose(a, b, b), Choice::Ours);
        assert_eq!(choose(a, b, c), Choice::Conflict);
        assert_eq!(choose(a, None, c), Choice::Conflict);
        let [packed_a, packed_b] = [1, 2].map(|hash| payload(hash, Codec::default()));
        assert_eq!(choose(a, Some(&packed_a), b), Choice::Theirs);
        assert_eq!(choose(a, b, Some(&packed_a)), Choice::Ours);
        assert_eq!(choose(a, b, Some(&packed_b)), Choice::Ours);
    }
}
