//! Changing an opened pack, batch by batch.
//!
//! A changed pack is the old one with a new state behind it, in memory: whatever reads packs reads it, and writing it
//! writes what an append would have made.

use super::{
    draft::{Draft, Editing, no_such_table},
    fields::{Repack, packed},
};
use crate::{
    build::{Asset, Bulk, name_id},
    codes,
    compression::Codec,
    pack::{Pack, not_found},
    paths::{self, Id},
};
use bytes::Bytes;
use spelunk_core::{
    Change, Changed, Edit, Error, Node, Refused, Result, Task, Val,
    edit::{OfChange, gone},
    text::CodePages,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The table of assets.
const ASSETS: Node = Node(u64::MAX);
/// The table of bulk payloads.
const BULK: Node = Node(u64::MAX.wrapping_sub(1));

impl Pack {
    /// The pack once more, with what was changed and what was found out of it.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn copy(&self, task: &mut Task<'_>) -> Result<Pack> {
        let editing = match &self.editing {
            Some(editing) => {
                let (base, held) = (editing.base.clone(), editing.held);
                Some(Box::new(Editing { base, draft: editing.draft.duplicate(task)?, held }))
            }
            None => None,
        };
        task.budget.memory(self.lookups_held())?;
        let mut copy = self.with_lookups();
        copy.editing = editing;
        Ok(copy)
    }

    /// Changes the next state of the pack, which `check` sees, and shows it. Where that fails nothing is changed.
    fn change<T>(
        &mut self,
        task: &mut Task<'_>,
        change: impl FnOnce(&Pack, &mut Draft, &mut Task<'_>) -> std::result::Result<T, Refused>,
        check: impl FnOnce(&T, &Pack, &mut Task<'_>) -> Result<()>,
    ) -> std::result::Result<T, Refused> {
        let before = task.budget.left().memory;
        let had = self.lookups_held();
        let base =
            |pack: &Pack| pack.editing.as_ref().map_or(0, |editing| editing.base.lookups_held());
        let base_had = base(self);
        let changed = self.changed(task, change).and_then(|(result, pack)| {
            check(&result, &pack, task)?;
            Ok((result, pack))
        });
        let taken = before.saturating_sub(task.budget.left().memory);
        // What is made when it is first asked for stays with the pack that it is of.
        let own = self.lookups_held().saturating_sub(had);
        let (result, mut pack) = match changed {
            Ok(changed) => changed,
            Err(refused) => {
                let base_own = base(self).saturating_sub(base_had);
                task.budget.settle(before, 0, own.saturating_add(base_own))?;
                return Err(refused);
            }
        };
        // The same holds for the pack that it becomes, and for the one that it was opened as.
        let lasting = base(&pack).saturating_sub(base_had).saturating_add(pack.lookups_held());
        let held = taken.saturating_sub(own).saturating_sub(lasting);
        let freed = had.saturating_add(self.editing.as_ref().map_or(0, |editing| editing.held));
        task.budget.settle(before, freed, held.saturating_add(lasting))?;
        if let Some(editing) = &mut pack.editing {
            editing.held = held;
        }
        *self = pack;
        Ok(result)
    }

    fn changed<T>(
        &self,
        task: &mut Task<'_>,
        change: impl FnOnce(&Pack, &mut Draft, &mut Task<'_>) -> std::result::Result<T, Refused>,
    ) -> std::result::Result<(T, Pack), Refused> {
        let (base, mut draft) = match &self.editing {
            Some(editing) => (editing.base.clone(), editing.draft.duplicate(task)?),
            None => {
                let base = Arc::new(self.share());
                let draft = Draft::of(base.clone(), &mut task.budget)?;
                (base, draft)
            }
        };
        let result = change(self, &mut draft, task)?;
        let mut pack = draft.show(&base, task)?;
        pack.editing = Some(Box::new(Editing { base, draft, held: 0 }));
        Ok((result, pack))
    }

    /// Returns the asset or bulk chunk of a node, where the pack has it.
    fn known(&self, node: Node) -> Result<Id> {
        paths::known(self, node)
    }
}

/// A batch on its way. Positions are those before it: what goes, goes at its end, and what comes stands behind the rest.
struct AssetBatch<'p> {
    pack: &'p Pack,
    draft: &'p mut Draft,
    /// Assets that go.
    rows: BTreeSet<usize>,
    /// Bulk payloads that go, of assets that stay.
    bulk: BTreeSet<(usize, usize)>,
    /// Payloads that are others by now, and how they are packed.
    payloads: BTreeMap<(usize, Option<usize>), (Option<Bytes>, Codec)>,
}

impl AssetBatch<'_> {
    /// Returns the asset or bulk chunk of a node, where it does not go.
    fn known(&self, node: Node) -> Result<Id> {
        let id = self.pack.known(node)?;
        let bulk = id.bulk.is_some_and(|nth| self.bulk.contains(&(id.row, nth)));
        if bulk || self.rows.contains(&id.row) { Err(gone()) } else { Ok(id) }
    }

    /// Takes a change; gives what it adds.
    fn take(
        &mut self,
        change: &Change<'_>,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Option<Id>> {
        task.budget.steps(1)?;
        match change {
            Change::Set { with_children: true, .. } => {
                let error = Error::new(&spelunk_core::codes::NO_SUCH_OPERATION);
                return Err(error.expected("a format whose entries have places"));
            }
            Change::Set { node, path, value, .. } => {
                let id = self.known(*node)?;
                self.set(id, path, value, pages, task)?;
            }
            Change::SetBytes { node, bytes } => {
                let id = self.known(*node)?;
                let payload = packed(bytes.clone(), self.codec(id)?)?;
                let codec = payload.codec();
                *self.draft.described_at(id.row, &mut task.budget)?.payload_mut(id.bulk)? = payload;
                self.payloads.insert((id.row, id.bulk), (Some(bytes.clone()), codec));
            }
            Change::Rename { node, name } => {
                let id = self.known(*node)?;
                if id.bulk.is_some() {
                    let error = Error::new(&codes::NO_FIELD).expected("an asset");
                    return Err(error.found("a bulk payload, which has no name"));
                }
                task.budget.memory(name.len() as u64)?;
                self.draft.described_at(id.row, &mut task.budget)?.name = name.to_vec();
            }
            Change::Insert { table, key: [Val::Bytes(key) | Val::Text(key)], bytes } => {
                return self.insert(*table, key, bytes.clone(), task).map(Some);
            }
            Change::Insert { .. } => return Err(no_such_table()),
            Change::Remove { nodes, .. } => {
                for node in *nodes {
                    task.budget.steps(1)?;
                    task.budget.memory(64)?;
                    let id = self.pack.known(*node)?;
                    match id.bulk {
                        None => drop(self.rows.insert(id.row)),
                        Some(nth) => drop(self.bulk.insert((id.row, nth))),
                    }
                }
            }
        }
        Ok(None)
    }

    fn set(
        &mut self,
        id: Id,
        path: &str,
        value: &Val<'_>,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<()> {
        if let (None, "asset_id" | "entry.asset_id") = (id.bulk, path) {
            return self.draft.set_id(id.row, value, &self.rows, &mut task.budget);
        }
        if let Some(repack) = Repack::of(id, path, value, |id| self.codec(id))? {
            let Repack { id, codec } = repack;
            let known = self.payloads.get(&(id.row, id.bulk)).and_then(|(bytes, _)| bytes.clone());
            let plain = match (known, id.bulk) {
                (Some(bytes), _) => bytes,
                (None, None) => self.pack.payload(id.row, task)?,
                (None, Some(nth)) => self.pack.bulk_payload(id.row, nth, task)?,
            };
            let payload = packed(plain, codec)?;
            let codec = payload.codec();
            *self.draft.described_at(id.row, &mut task.budget)?.payload_mut(id.bulk)? = payload;
            self.payloads.entry((id.row, id.bulk)).or_insert((None, codec)).1 = codec;
            return Ok(());
        }
        if let (None, "dependencies") = (id.bulk, path) {
            let needs = self.pack.needs(value, pages, task)?;
            self.draft.described_at(id.row, &mut task.budget)?.dependencies = needs;
            return Ok(());
        }
        let type_field = match (id.bulk, path) {
            (None, "kind" | "entry.asset_kind") => Some("asset_kind"),
            (None, "payload_type" | "entry.cooked_payload_type") => Some("cooked_payload_type"),
            _ => None,
        };
        let named = match (type_field, value) {
            (Some(field), Val::Str(text)) => {
                let id = self.pack.type_id(text).map_err(|error| error.field(field))?;
                Some(Val::Uuid(id))
            }
            _ => None,
        };
        let value = named.as_ref().unwrap_or(value);
        let asset = self.draft.described_at(id.row, &mut task.budget)?;
        match id.bulk {
            Some(nth) => {
                let bulk = asset.bulk.get_mut(nth).ok_or_else(not_found)?;
                bulk.set_field(path.strip_prefix("entry.").unwrap_or(path), value)
            }
            None => asset.set_field(path, value, pages),
        }
    }

    /// Returns the codec by which a payload is packed by now.
    fn codec(&self, id: Id) -> Result<Codec> {
        match self.payloads.get(&(id.row, id.bulk)) {
            Some((_, codec)) => Ok(*codec),
            None => self.pack.codec(id),
        }
    }

    /// Adds an asset or a bulk payload. Assets have their names as keys, and get the ids that belong to them; bulk payloads
    /// have `ASSET#SEMANTIC/SUB`, and are packed as the asset is.
    fn insert(
        &mut self,
        table: Node,
        key: &[u8],
        bytes: Option<Bytes>,
        task: &mut Task<'_>,
    ) -> Result<Id> {
        let bytes = bytes.unwrap_or_default();
        match table {
            ASSETS => {
                let (id, name) = (name_id(key, None), key.to_vec());
                task.budget.memory((key.len() as u64).saturating_add(size_of::<Asset>() as u64))?;
                let mut payload = packed(Bytes::new(), Codec::default())?;
                if !bytes.is_empty() {
                    payload = packed(bytes, payload.codec())?;
                }
                let asset = Asset::new(id, name, payload);
                Ok(Id::asset(self.draft.add_beside(asset, &self.rows)?))
            }
            BULK => {
                let text = std::str::from_utf8(key).map_err(|_| no_such_table())?;
                let (row, semantic, sub_index) = paths::new_bulk(self.pack, text, task)?;
                let row = self.known(Id::asset(row).node())?.row;
                let payload = packed(bytes, self.codec(Id::asset(row))?)?;
                let bulk = &mut self.draft.described_at(row, &mut task.budget)?.bulk;
                bulk.push(Bulk::new(semantic, sub_index, payload));
                Ok(Id::bulk(row, bulk.len().saturating_sub(1)))
            }
            _ => Err(no_such_table()),
        }
    }

    /// Takes out what goes; gives the added entries as they are known then.
    fn finish(self, added: Vec<Option<Id>>, task: &mut Task<'_>) -> Result<Vec<Changed>> {
        let AssetBatch { draft, rows, bulk, .. } = self;
        // From the last on, so that the positions of the others stay.
        for (row, nth) in bulk.iter().rev().filter(|(row, _)| !rows.contains(row)) {
            let bulk = &mut draft.described_at(*row, &mut task.budget)?.bulk;
            if *nth < bulk.len() {
                bulk.remove(*nth);
            }
        }
        if !rows.is_empty() {
            draft.remove(&rows);
        }
        let before = |id: Id| {
            let row = id.row.saturating_sub(rows.range(..id.row).count());
            let first = (id.row, 0);
            let gone = |nth| bulk.range(first..(id.row, nth)).count();
            Id { row, bulk: id.bulk.map(|nth| nth.saturating_sub(gone(nth))) }
        };
        let node = |id: Option<Id>| Changed { added: id.map(|id| before(id).node()), moved: 0 };
        Ok(added.into_iter().map(node).collect())
    }
}

impl Edit for Pack {
    /// Applies changes. An asset that needs one that goes is reported: that may be meant to come from another pack.
    fn apply(
        &mut self,
        changes: &[Change<'_>],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> std::result::Result<Vec<Changed>, Refused> {
        let change = |pack: &Pack, draft: &mut Draft, task: &mut Task<'_>| {
            let (rows, bulk, payloads) = Default::default();
            let mut batch = AssetBatch { pack, draft, rows, bulk, payloads };
            let mut added = task.budget.vec(changes.len() as u64)?;
            for (nth, change) in changes.iter().enumerate() {
                added.push(batch.take(change, pages, task).of_change(nth)?);
            }
            let gone = batch.rows.iter().filter_map(|row| {
                let entry = pack.entry(*row)?;
                Some((entry.asset_id.0, shown(pack, *row)))
            });
            let gone: BTreeMap<[u8; 16], String> = gone.collect();
            Ok((batch.finish(added, task)?, gone))
        };
        let changed =
            self.change(task, change, |(_, gone), pack, task| still_needed(pack, gone, task));
        Ok(changed?.0)
    }

    fn table(&self, kind: &str) -> Option<Node> {
        match kind {
            "asset" => Some(ASSETS),
            "bulk" => Some(BULK),
            _ => None,
        }
    }
}

/// The name of an asset, as messages have it.
fn shown(pack: &Pack, row: usize) -> String {
    let name = pack.entry(row).and_then(|entry| pack.name(entry));
    String::from_utf8_lossy(name.unwrap_or_default()).into_owned()
}

/// Reports the assets that need one that is gone.
fn still_needed(pack: &Pack, gone: &BTreeMap<[u8; 16], String>, task: &mut Task<'_>) -> Result<()> {
    if gone.is_empty() {
        return Ok(());
    }
    for owner in pack.index().owners() {
        let row = owner.asset_index.get() as usize;
        for needs in pack.dependencies(row) {
            task.budget.steps(1)?;
            let Some(name) = gone.get(&needs.asset_id.0) else { continue };
            if pack.by_id(&needs.asset_id.0, &mut task.budget)?.is_none() {
                let found = format!("`{name}`, which `{}` needs", shown(pack, row));
                task.warn(Error::new(&codes::STILL_NEEDED).found(found))?;
            }
        }
    }
    Ok(())
}
