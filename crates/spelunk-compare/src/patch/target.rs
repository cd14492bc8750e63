//! Making changes to a file entry by entry.

use super::{
    Edit,
    applied::{Applied, changed, short},
    entry::{self, Sort},
    form::{EntryChange, EntryLocator, Patch, PatchEntry, bad, conflict},
    keys::{self, Keys},
};
use serde_json::Value;
use spelunk_core::{
    Bytes, Collect, Error, Result, Seg, Task, Val, WriteOptions,
    text::{CodePages, until_nul},
};
use spelunk_open::{
    Opened, Options, codes,
    document::{self, row, silent},
    skeleton::{self, Origin},
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use virtools::{File, class, file::data::Owner, profile::PROFILE};

/// Place of an entry in a file: its position among those of its sort.
pub(crate) type Spot = (Sort, u32);

/// Returns the places of the entries of the new file of a patch, by their keys.
pub(crate) fn spots(patch: &Patch) -> BTreeMap<u32, Spot> {
    let spot =
        |entry: &PatchEntry| Some((entry.key, (Sort::of(&entry.kind), entry.new.as_ref()?.index)));
    patch.entries.iter().filter_map(spot).collect()
}

/// Makes the changes of a patch to another file than that which it was made from, in which its entries have these places.
/// Returns the keys of those that are in conflict, too, in the order of the conflicts.
///
/// # Errors
/// Those of [`apply()`](super::apply()).
pub(crate) fn apply_at(
    patch: &Patch,
    origin: &Origin<'_>,
    places: BTreeMap<u32, Spot>,
) -> Result<(Applied, Vec<u32>)> {
    PatchTarget::open(patch, origin, false, Some(places))?.changed()
}

/// A file that is changed entry by entry.
pub(super) struct PatchTarget<'p> {
    patch: &'p Patch,
    entries: HashMap<u32, &'p PatchEntry>,
    file: File,
    keys: Keys,
    /// Places of the entries with these keys.
    at: BTreeMap<u32, Spot>,
    options: Options,
    same_file: bool,
    made: u64,
    made_before: u64,
    conflicts: Vec<Error>,
    /// The keys of the entries that these are about.
    unmade: Vec<u32>,
}

impl<'p> PatchTarget<'p> {
    pub(super) fn open(
        patch: &'p Patch,
        origin: &Origin<'_>,
        same_file: bool,
        places: Option<BTreeMap<u32, Spot>>,
    ) -> Result<PatchTarget<'p>> {
        let opened = Opened::open(origin.source.clone(), origin.options)?;
        let (found, pages) = (opened.container().format(), opened.code_pages());
        if found != PROFILE.name || patch.format != found {
            let expected = patch.format.escape_debug().to_string();
            return Err(Error::new(&codes::OTHER_FORMAT).expected(expected).found(found));
        }
        drop(opened);
        let options = skeleton::roomy(origin.options, origin.source.len().saturating_mul(4));
        let mut findings = Collect::default();
        let mut task = silent(&options, &mut findings);
        let bytes = origin.source.read(0..origin.source.len(), &mut task.budget)?;
        let file = File::read_from(&bytes, &mut task)?;
        let at = match places {
            Some(places) => places,
            None => located(patch, &file, same_file, &pages, &mut task)?,
        };
        let of: HashMap<_, _> = at.iter().map(|(key, at)| (*at, *key)).collect();
        let key = |index| {
            let key = of.get(&(Sort::Object, index)).copied();
            key.map_or_else(|| keys::unknown(index), keys::key)
        };
        let keys = Keys::of(&file, key, pages);
        let (made, made_before, conflicts) = (0, 0, Vec::new());
        drop(task);
        let entries = patch.entries.iter().map(|entry| (entry.key, entry)).collect();
        Ok(PatchTarget {
            patch,
            entries,
            file,
            keys,
            at,
            options,
            same_file,
            made,
            made_before,
            conflicts,
            unmade: Vec::new(),
        })
    }

    pub(super) fn changed(mut self) -> Result<(Applied, Vec<u32>)> {
        let (options, mut findings) = (self.options.clone(), Collect::default());
        let task = &mut silent(&options, &mut findings);
        let patch = self.patch;
        let is_new = |change: &&EntryChange| change.old.is_none() && change.new.is_some();
        for change in patch.changes.iter().filter(is_new) {
            let added = self.add(change, task);
            self.note(change.entry, added)?;
        }
        let mut gone = BTreeMap::new();
        for change in &patch.changes {
            if is_new(&change) && !self.at.contains_key(&change.entry) {
                continue;
            }
            let done = match (&change.old, &change.new) {
                (Some(old), None) => self.check(change.entry, old, &mut gone, task),
                _ => self.change(change, task),
            };
            self.note(change.entry, done)?;
        }
        // What is new is not there without its content.
        let unmade: BTreeSet<u32> = self.unmade.iter().copied().collect();
        for change in patch.changes.iter().filter(is_new) {
            if unmade.contains(&change.entry) {
                gone.extend(self.at.get(&change.entry).map(|at| (*at, change.entry)));
            }
        }
        self.remove(&gone, task)?;
        let applied = Applied {
            opened: Opened::of(Box::new(self.file), &self.options),
            options: WriteOptions::default(),
            same_file: self.same_file,
            made: self.made,
            made_before: self.made_before,
            conflicts: self.conflicts,
        };
        Ok((applied, self.unmade))
    }

    /// Counts what became of a change. What does not fit is a conflict, what cannot be read or held an error.
    fn note(&mut self, key: u32, done: Result<EntryOutcome>) -> Result<()> {
        match done {
            Ok(EntryOutcome::Now) => self.made = self.made.saturating_add(1),
            Ok(EntryOutcome::Before) => self.made_before = self.made_before.saturating_add(1),
            Ok(EntryOutcome::Later) => {}
            Ok(EntryOutcome::Conflicts(conflicts)) => {
                conflicts.into_iter().try_for_each(|error| self.conflict(key, error))?;
            }
            Err(error) if error.ends_work() => return Err(error),
            Err(error) => self.conflict(key, error)?,
        }
        Ok(())
    }

    fn conflict(&mut self, key: u32, error: Error) -> Result<()> {
        let name = self.name(key)?;
        self.conflicts.push(error.within(Seg::Key(name.into())));
        self.unmade.push(key);
        Ok(())
    }

    /// The entry with a key.
    fn entry(&self, key: u32) -> Result<&'p PatchEntry> {
        let found = self.entries.get(&key).copied();
        found.ok_or_else(|| bad(format!("the key {key}, which no entry has")))
    }

    /// Returns the name of an entry.
    fn name(&self, key: u32) -> Result<String> {
        let entry = self.entry(key)?;
        let place = entry.old.as_ref().or(entry.new.as_ref());
        Ok(format!("{}/{}", entry.kind, place.map_or("", |place| &place.name)))
    }

    /// Adds an entry without its content.
    fn add(&mut self, change: &EntryChange, task: &mut Task<'_>) -> Result<EntryOutcome> {
        let row = change.new.as_ref().ok_or_else(entry::bad_row)?;
        let name = || row::name(row, row::References::pages(&self.keys)).ok_or_else(entry::bad_row);
        let sort = Sort::of(&self.entry(change.entry)?.kind);
        let index = match sort {
            Sort::Object => {
                let class_id =
                    row["class"].as_str().and_then(class::id).ok_or_else(entry::bad_row)?;
                let index =
                    self.file.add_object_as(class_id, &name()?, Bytes::new(), &mut task.budget)?;
                let object = self.file.table().objects.get(index as usize);
                let id = object.map_or(0, |object| object.id.unsigned_abs());
                self.keys.add(keys::key(change.entry), id);
                index
            }
            Sort::Manager => {
                return Err(Error::new(&codes::CONFLICT).expected("a manager").found("nothing"));
            }
            Sort::Included => {
                let index = self.file.add_included(&name()?, Bytes::new())?;
                // Those that are not counted stand one further behind now.
                for (sort, at) in self.at.values_mut() {
                    if *sort == Sort::Included && *at >= index {
                        *at = at.saturating_add(1);
                    }
                }
                index
            }
        };
        self.at.insert(change.entry, (sort, index));
        Ok(EntryOutcome::Later)
    }

    /// Whether an entry that is to go is what it was.
    fn check(
        &mut self,
        key: u32,
        old: &Value,
        gone: &mut BTreeMap<Spot, u32>,
        task: &mut Task<'_>,
    ) -> Result<EntryOutcome> {
        let Some(at) = self.at.get(&key).copied() else { return self.missing(key) };
        let (found, held) = entry::row_of(&self.file, at, &self.keys, task)?;
        task.budget.release(held);
        if found != *old {
            let error = Error::new(&codes::CONFLICT);
            return Ok(EntryOutcome::Conflicts(vec![
                error.expected(short(Some(old))).found(short(Some(&found))),
            ]));
        }
        if at.0 == Sort::Manager {
            return Err(Error::new(&codes::CONFLICT).expected("no manager").found("one"));
        }
        gone.insert(at, key);
        Ok(EntryOutcome::Now)
    }

    fn missing(&self, key: u32) -> Result<EntryOutcome> {
        let place = self.entry(key)?.old.as_ref();
        let expected = match place.map(|place| place.of) {
            Some(of) if of > 1 => format!("{of} entries of this kind and name"),
            _ => "one entry of this kind and name".to_owned(),
        };
        let error = Error::new(&codes::CONFLICT).expected(expected).found("another number of them");
        Ok(EntryOutcome::Conflicts(vec![error]))
    }

    fn change(&mut self, change: &EntryChange, task: &mut Task<'_>) -> Result<EntryOutcome> {
        let Some(at) = self.at.get(&change.entry).copied() else {
            return self.missing(change.entry);
        };
        // Rows of what changed, and copies of what changes them, last as long as their change.
        let mut held = change.held();
        task.budget.memory(held)?;
        let done = self.change_at(at, change, &mut held, task);
        task.budget.release(held);
        done
    }

    fn change_at(
        &mut self,
        at: Spot,
        change: &EntryChange,
        held: &mut u64,
        task: &mut Task<'_>,
    ) -> Result<EntryOutcome> {
        let row = match (&change.old, &change.new) {
            (None, Some(new)) => new.clone(),
            _ => {
                let (mut row, taken) = entry::row_of(&self.file, at, &self.keys, task)?;
                *held = held.saturating_add(taken);
                let (before, conflicts) = changed(change, &mut row);
                if !conflicts.is_empty() {
                    return Ok(EntryOutcome::Conflicts(conflicts));
                }
                let all = before > 0 && before >= change.edits.len();
                if all {
                    return Ok(EntryOutcome::Before);
                }
                let has_exact =
                    row.get("exact").is_some() && change.edits.iter().any(Edit::is_exact);
                let of_value = |edit: &&Edit| !edit.is_exact() && !edit.is_name();
                let edits: Vec<Edit> = change.edits.iter().filter(of_value).cloned().collect();
                let keys = &self.keys;
                if change.new.is_none()
                    && !has_exact
                    && entry::edit(&mut self.file, at, &edits, keys, task)?
                {
                    entry::put_name(&mut self.file, at, &row, keys, task)?;
                    return Ok(EntryOutcome::Now);
                }
                row
            }
        };
        entry::put(&mut self.file, at, &row, &self.keys, task)?;
        Ok(EntryOutcome::Now)
    }

    /// Takes entries out, given with their keys. Objects that others may refer to in ways that nothing is known of stay.
    fn remove(&mut self, gone: &BTreeMap<Spot, u32>, task: &mut Task<'_>) -> Result<()> {
        let of = |sort: Sort| gone.iter().filter(move |(at, _)| at.0 == sort);
        for (at, _) in of(Sort::Included).rev() {
            self.file.remove_included(at.1)?;
        }
        let objects: BTreeSet<u32> = of(Sort::Object).map(|(at, _)| at.1).collect();
        if objects.is_empty() {
            return Ok(());
        }
        match self.file.remove_objects(&objects, false, task) {
            Err(error) if error.code().id == virtools::codes::UNTRACKED.id => {
                let found = error.to_string();
                for (_, key) in of(Sort::Object) {
                    let expected = "references that are all known";
                    self.conflict(*key, conflict(expected, &found))?;
                    self.made = self.made.saturating_sub(1);
                }
                Ok(())
            }
            removed => removed.map(drop),
        }
    }
}

/// Result of a change.
enum EntryOutcome {
    Now,
    Before,
    /// Made later, in another place.
    Later,
    Conflicts(Vec<Error>),
}

/// Finds the entries of the old file in this one: in the same places in the same file, else by kind and name. Those of one name
/// are distinguished by their order, as long as there are as many of them.
fn located(
    patch: &Patch,
    file: &File,
    same_file: bool,
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<BTreeMap<u32, Spot>> {
    let mut named: HashMap<(String, String), Vec<u32>> = HashMap::new();
    if !same_file {
        for owner in document::owners(file, task)? {
            let (kind, name, index) = match owner {
                Owner::Object(index) => {
                    let Some(object) = file.table().objects.get(index as usize) else { continue };
                    let name = pages.show(until_nul(file.table().name(object))).into_owned();
                    (class::name(object.class_id, u32::MAX).into_owned(), name, index)
                }
                Owner::Manager(index) => {
                    let records = file.records(&mut task.budget)?;
                    let Some(manager) = records.managers.get(index as usize) else { continue };
                    let guid = Val::Guid(manager.guid.d1.get(), manager.guid.d2.get());
                    ("manager".to_owned(), guid.to_string(), index)
                }
            };
            named.entry((kind, name)).or_default().push(index);
        }
        for (included, index) in file.tail().included.iter().zip(0..) {
            let name = pages.show(until_nul(&included.name)).into_owned();
            named.entry(("included file".to_owned(), name)).or_default().push(index);
        }
    }
    let place = |entry: &PatchEntry, place: &EntryLocator| {
        if same_file {
            return Some(place.index);
        }
        match named.get(&(entry.kind.clone(), place.name.clone()))?.as_slice() {
            [index] => Some(*index),
            all if all.len() == place.of as usize => all.get(place.nth as usize).copied(),
            _ => None,
        }
    };
    let at = |entry: &PatchEntry| {
        let index = place(entry, entry.old.as_ref()?)?;
        Some((entry.key, (Sort::of(&entry.kind), index)))
    };
    Ok(patch.entries.iter().filter_map(at).collect())
}
