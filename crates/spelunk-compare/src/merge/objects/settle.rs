//! Comparison of the changes that either side made to each entry.

use super::{
    alike::Alike,
    edits::{Edits, field, lies_in, newly, referred, replaced},
};
use crate::{
    merge::report::{Collision, Conflict, Merging, Report},
    patch::{self, Compared, Edit, EntryChange, Patch, Spot},
};
use serde_json::Value;
use spelunk_core::Error;
use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
};

/// Text for an entry without another one that the other side removed.
const LACKING: &str = "without what it refers to";

/// Text for a file in which numbers mean other objects.
const OTHERS: &str = "objects with other numbers";

pub(super) struct Merger {
    pub(super) report: Report,
    /// Whether it is our changes that are made to their file.
    is_swapped: bool,
    /// Names of entries by their keys.
    names: BTreeMap<u32, String>,
    /// Entries with numbers of objects in data of which nothing else is known, where these are other ones in the kept file.
    numbered: BTreeSet<u32>,
}

/// Changes of the kept side.
struct KeptSide<'p> {
    /// By their keys, but for what is new.
    changes: BTreeMap<u32, &'p EntryChange>,
    /// Keys of entries that it removed.
    gone: BTreeSet<u32>,
    /// Keys of entries that it refers to newly.
    referred: BTreeSet<u32>,
}

impl KeptSide<'_> {
    /// Why an entry is not to go, where it is not.
    fn keeps(&self, key: u32) -> Option<&'static str> {
        match self.changes.get(&key) {
            Some(change) => (!is_gone(change)).then(|| deed(change)),
            None => self.referred.contains(&key).then_some("referred to"),
        }
    }
}

impl Merger {
    /// For the sides whose file is kept, and whose changes are made.
    pub(super) fn new(is_swapped: bool, [kept, made]: [&Compared; 2]) -> Merger {
        let mut names = BTreeMap::new();
        for patch in [&made.patch, &kept.patch] {
            names.extend(patch.entries.iter().map(|entry| (entry.key, name(patch, entry.key))));
        }
        let has_new = made.patch.changes.iter().any(is_new);
        // Where the kept side did nothing, it is the file of the other one that comes of it.
        let is_other = kept.patch.old != kept.patch.new;
        let is_aligned = kept.is_aligned && made.is_aligned && !has_new;
        let numbered =
            if is_aligned || !is_other { BTreeSet::new() } else { made.numbered.clone() };
        Merger { report: Report::default(), is_swapped, names, numbered }
    }

    /// Takes out of the patch of the side whose changes are made what the other side, whose file is kept, changed too, and
    /// reports all changes. Gives where the entries that the patch speaks of are in the kept file.
    pub(super) fn settle(&mut self, kept: &Patch, made: &mut Patch) -> BTreeMap<u32, Spot> {
        let alike = Alike::of(kept, made);
        let mut places = patch::spots(kept);
        for (made, kept) in alike.pairs() {
            places.extend(places.get(&kept).map(|spot| (made, *spot)));
        }
        let changes = kept.changes.iter().filter(|change| !is_new(change));
        let mut side = KeptSide {
            changes: changes.map(|change| (change.entry, change)).collect(),
            gone: kept.changes.iter().filter(|it| is_gone(it)).map(|it| it.entry).collect(),
            referred: kept.changes.iter().flat_map(referred).collect(),
        };
        let same: BTreeSet<u32> = alike.pairs().map(|(_, kept)| kept).collect();
        let added = kept.changes.iter().filter(|it| is_new(it) && !same.contains(&it.entry));
        let added: Vec<u32> = added.map(|change| change.entry).collect();
        let mut news = added.iter().map(|key| (self.name(*key), *key)).collect();
        let removed = made.changes.iter().filter(|change| is_gone(change)).map(|it| it.entry);
        let staying = removed.filter(|key| side.keeps(*key).is_some()).collect();
        for change in mem::take(&mut made.changes) {
            if is_gone(&change) {
                made.changes.extend(self.removal(change, &mut side));
            } else if !is_new(&change) {
                made.changes.extend(self.fit(change, &mut side, &staying, &alike));
            } else if alike.get(change.entry).is_some() {
                let entry = self.entry(change.entry, Some("added"));
                self.report.both.push(entry);
            } else {
                made.changes.extend(self.addition(change, &side, &mut news));
            }
        }
        for change in mem::take(&mut side.changes).into_values() {
            let entry = self.entry(change.entry, Some(deed(change)));
            self.list(false).push(entry);
        }
        for key in added {
            let entry = self.entry(key, Some("added"));
            self.list(false).push(entry);
        }
        places
    }

    /// Returns the rest of the change to an entry that the side removed whose changes are made.
    fn removal(&mut self, change: EntryChange, side: &mut KeptSide<'_>) -> Option<EntryChange> {
        let entry = self.entry(change.entry, Some("removed"));
        let staying = side.keeps(change.entry);
        let known = side.changes.remove(&change.entry);
        match (staying, known) {
            (Some(why), _) => self.conflict(entry, None, [why, "removed"].map(str::to_owned)),
            (None, Some(_)) => self.report.both.push(entry),
            (None, None) => {
                self.list(true).push(entry);
                return Some(change);
            }
        }
        None
    }

    /// Returns the rest of the change to an entry that the side added whose changes are made.
    fn addition(
        &mut self,
        mut change: EntryChange,
        side: &KeptSide<'_>,
        news: &mut BTreeMap<String, u32>,
    ) -> Option<EntryChange> {
        let entry = self.entry(change.entry, Some("added"));
        let name = self.name(change.entry);
        if NAMED.iter().any(|kind| name.starts_with(kind)) && news.contains_key(&name) {
            self.conflict(entry, None, ["added", "added with other content"].map(str::to_owned));
            return None;
        }
        if let Some(known) = news.remove(&name) {
            let ours = self.name(known);
            self.report.collisions.push(Collision { ours, theirs: entry.clone() });
        }
        if !self.is_clear(&entry, change.entry) {
            return None;
        }
        if referred(&change).any(|key| side.gone.contains(&key)) {
            self.conflict(entry, None, [LACKING, "added"].map(str::to_owned));
            change.new.iter_mut().for_each(|value| forget(value, &side.gone));
        } else {
            self.list(true).push(entry);
        }
        Some(change)
    }

    /// Whether an entry can be made as it is: numbers of objects in it mean the same in the kept file, if it has any.
    fn is_clear(&mut self, entry: &Merging, key: u32) -> bool {
        if !self.numbered.contains(&key) {
            return true;
        }
        self.conflict(entry.clone(), None, [OTHERS, "numbers of objects"].map(str::to_owned));
        false
    }

    /// Returns the rest of a change to an entry that the base has.
    fn fit(
        &mut self,
        made: EntryChange,
        side: &mut KeptSide<'_>,
        staying: &BTreeSet<u32>,
        alike: &Alike,
    ) -> Option<EntryChange> {
        let entry = self.entry(made.entry, Some("changed"));
        let kept = side.changes.remove(&made.entry);
        if is_whole(&made) || kept.is_some_and(is_whole) {
            return self.replaced(entry, kept, made, &side.gone, alike);
        }
        let is_numbered = self.numbered.contains(&made.entry);
        let known = Edits::of(kept.map_or(&[], |kept| &kept.edits));
        let (mut is_new, mut is_clash) = (false, false);
        // Lists of which positions are other ones, as an edit that moves items is left out.
        let mut moved: Vec<String> = Vec::new();
        let mut edits = Vec::new();
        for edit in made.edits {
            // Where values are other ones, how they were stored says nothing; whoever makes the edits knows.
            if edit.is_exact() {
                is_new |= kept.is_none();
                edits.push(edit);
                continue;
            }
            let near = known.near(&edit);
            if near.iter().any(|known| alike.same_edit(&edit, known)) {
                continue;
            }
            let is_lacking = newly([&edit.old], [&edit.new]).any(|key| side.gone.contains(&key));
            let is_moved = moved.iter().any(|list| lies_in(&edit.at, list));
            let is_needless = newly([&edit.new], [&edit.old]).any(|key| staying.contains(&key));
            let is_opaque = is_numbered && edit.at.ends_with("/words");
            if near.is_empty() && !is_lacking && !is_moved && !is_needless && !is_opaque {
                is_new = true;
                edits.push(edit);
                continue;
            }
            if edit.from.is_some() && replaced(&edit).is_none() {
                moved.push(edit.at.clone());
            }
            // What only follows from a removal that is not made is none of its own.
            if !is_needless {
                is_clash = true;
                let of_kept = match near.first() {
                    Some(known) => self.shown(known),
                    None if is_lacking => LACKING.to_owned(),
                    None if is_opaque => OTHERS.to_owned(),
                    None => "other items before it".to_owned(),
                };
                self.conflict(entry.clone(), Some(field(&edit)), [of_kept, self.shown(&edit)]);
            }
        }
        match (is_clash, is_new, kept) {
            (true, ..) => {}
            (false, true, Some(_)) => self.report.merged.push(entry),
            (false, false, Some(_)) => self.report.both.push(entry),
            (false, true, None) => self.list(true).push(entry),
            (false, false, None) => {}
        }
        is_new.then_some(EntryChange { edits, ..made })
    }

    /// The same where one of the sides changes the entry as a whole.
    fn replaced(
        &mut self,
        entry: Merging,
        kept: Option<&EntryChange>,
        mut made: EntryChange,
        gone: &BTreeSet<u32>,
        alike: &Alike,
    ) -> Option<EntryChange> {
        let Some(kept) = kept else {
            if !self.is_clear(&entry, made.entry) {
                return None;
            }
            if referred(&made).any(|key| gone.contains(&key)) {
                self.conflict(entry, None, [LACKING, "changed"].map(str::to_owned));
                made.new.iter_mut().for_each(|value| forget(value, gone));
            } else {
                self.list(true).push(entry);
            }
            return Some(made);
        };
        match is_whole(kept) && is_whole(&made) && alike.same(made.new.as_ref(), kept.new.as_ref())
        {
            true => self.report.both.push(entry),
            false => self.conflict(entry, None, [deed(kept), "changed"].map(str::to_owned)),
        }
        None
    }

    /// Returns the list of entries that only one side changed: that whose changes are made, or the other one.
    fn list(&mut self, is_made: bool) -> &mut Vec<Merging> {
        match is_made == self.is_swapped {
            true => &mut self.report.from_ours,
            false => &mut self.report.from_theirs,
        }
    }

    fn name(&self, key: u32) -> String {
        self.names.get(&key).cloned().unwrap_or_default()
    }

    fn entry(&self, key: u32, change: Option<&'static str>) -> Merging {
        Merging { path: self.name(key), asset_id: None, change }
    }

    /// Shows the new value of an edit, with names for keys.
    fn shown(&self, edit: &Edit) -> String {
        let mut value = edit.new.clone();
        value.iter_mut().for_each(|value| self.put_names(value));
        let text = patch::short(value.as_ref());
        match (replaced(edit), edit.from) {
            (None, Some(from)) => format!("{text} at {from}"),
            _ => text,
        }
    }

    fn put_names(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                let name = patch::key_number(text).and_then(|key| self.names.get(&key));
                if let Some(name) = name {
                    text.clone_from(name);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.put_names(item)),
            Value::Object(map) => map.values_mut().for_each(|value| self.put_names(value)),
            _ => {}
        }
    }

    /// Reports a conflict: both changed something, each in another way.
    fn conflict(&mut self, entry: Merging, field: Option<String>, [kept, made]: [String; 2]) {
        let entry = Merging { change: None, ..entry };
        let (ours, theirs) = if self.is_swapped { (made, kept) } else { (kept, made) };
        self.report.conflicts.push(Conflict { entry, field, ours, theirs });
    }

    /// Reports the changes that could not be made to the kept file, with the keys of the entries.
    pub(super) fn misfits<'e>(
        &mut self,
        made: &Patch,
        errors: impl Iterator<Item = (u32, &'e Error)>,
    ) {
        let changes: BTreeMap<u32, &EntryChange> =
            made.changes.iter().map(|change| (change.entry, change)).collect();
        let mut known = BTreeMap::new();
        for (key, error) in errors {
            known.entry(key).or_insert_with(|| format!("no place for it ({})", error.message()));
        }
        let paths: BTreeSet<String> = known.keys().map(|key| self.name(*key)).collect();
        let listed = |listed: &Merging| !paths.contains(&listed.path);
        self.list(true).retain(listed);
        self.report.merged.retain(listed);
        for (key, error) in known {
            let made = changes.get(&key).map_or("changed", |change| deed(change));
            self.conflict(self.entry(key, None), None, [error, made.to_owned()]);
        }
    }
}

/// Kinds of entries of which there is one of a name.
const NAMED: [&str; 2] = ["included file/", "manager/"];

fn is_new(change: &EntryChange) -> bool {
    change.old.is_none() && change.new.is_some()
}

fn is_gone(change: &EntryChange) -> bool {
    change.old.is_some() && change.new.is_none()
}

/// Whether a change holds all of an entry.
fn is_whole(change: &EntryChange) -> bool {
    change.old.is_some() || change.new.is_some()
}

/// Names the change that a side made to an entry.
fn deed(change: &EntryChange) -> &'static str {
    match (is_new(change), is_gone(change)) {
        (true, _) => "added",
        (_, true) => "removed",
        _ => "changed",
    }
}

/// Returns the name of an entry.
fn name(patch: &Patch, key: u32) -> String {
    let entry = patch.entry(key);
    let place = entry.and_then(|entry| entry.old.as_ref().or(entry.new.as_ref()));
    let kind = entry.map_or("", |entry| &entry.kind);
    match place {
        Some(place) if place.of > 1 => format!("{kind}/{} #{}", place.name, place.index),
        Some(place) => format!("{kind}/{}", place.name),
        None => kind.to_owned(),
    }
}

/// Makes references to these entries null.
fn forget(value: &mut Value, gone: &BTreeSet<u32>) {
    match value {
        Value::String(text) => {
            let is_gone = patch::key_number(text).is_some_and(|key| gone.contains(&key));
            *value = if is_gone { Value::Null } else { mem::take(value) };
        }
        Value::Array(items) => items.iter_mut().for_each(|item| forget(item, gone)),
        Value::Object(map) => map.values_mut().for_each(|value| forget(value, gone)),
        _ => {}
    }
}
