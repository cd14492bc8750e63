//! Making patches.

use super::{
    Edit, apply, edits,
    entry::{self, Sort},
    form::{
        EntryChange, EntryLocator, EntryOrigin, Frame, Patch, PatchEntry, Run, Skeleton, VERSION,
        print, runs,
    },
    keys::{self, Keys},
};
use crate::diff::{self, ComparedEntry};
use serde_json::Value;
use spelunk_core::{
    Error, Result, Task,
    text::{CodePages, until_nul},
    value::to_hex,
};
use spelunk_open::{
    Opened, codes,
    document::owners,
    model, roundtrip,
    skeleton::{self, Origin, PackedLevel},
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use virtools::{File, profile::PROFILE};

/// An entry of one of the files.
struct Subject {
    sort: Sort,
    kind: String,
    place: EntryLocator,
}

/// Entries of both files, with the matching between them.
struct Matched {
    old: Vec<Subject>,
    new: Vec<Subject>,
    /// For each new entry its key, and the old one, both as positions in these lists.
    sources: Vec<Option<usize>>,
    /// The first key of entries that only the new file has.
    first: usize,
}

impl Matched {
    fn of(old: &mut Opened, new: &mut Opened) -> Result<Matched> {
        let pages = [old.code_pages(), new.code_pages()];
        let found = diff::matched(old, new)?;
        let [(old, old_at), (new, new_at)] = [(&found.old, &pages[0]), (&found.new, &pages[1])]
            .map(|(items, pages)| subjects(items, pages));
        let mut sources = vec![None; new.len()];
        for (a, b) in found.pairs {
            let places = old_at.get(&a).zip(new_at.get(&b));
            if let Some((a, slot)) = places.and_then(|(a, b)| Some((a, sources.get_mut(*b)?))) {
                *slot = Some(*a);
            }
        }
        let first = old.len();
        Ok(Matched { old, new, sources, first })
    }

    /// The key of a new entry: that of the old one that it was, or one of its own.
    fn key(&self, new: usize) -> u32 {
        let source = self.sources.get(new).copied().flatten();
        let own = self.first.saturating_add(new);
        u32::try_from(source.unwrap_or(own)).unwrap_or(u32::MAX)
    }
}

/// Entries that patches know, and where they are in what was given.
fn subjects(items: &[ComparedEntry], pages: &CodePages) -> (Vec<Subject>, HashMap<usize, usize>) {
    let (mut subjects, mut at) = (Vec::new(), HashMap::new());
    let mut counts: BTreeMap<Sort, u32> = BTreeMap::new();
    let mut named: HashMap<(String, String), u32> = HashMap::new();
    for (position, item) in items.iter().enumerate() {
        let shown = || pages.show(until_nul(item.name.as_deref().unwrap_or_default())).into_owned();
        if !is_entry(&item.path) {
            // The frame holds it.
            continue;
        }
        let name = match item.path.split_once('/') {
            Some(("managers", guid)) => guid.to_owned(),
            _ => shown(),
        };
        let sort = Sort::of(&item.kind);
        let index = counts.entry(sort).or_default();
        let nth = named.entry((item.kind.clone(), name.clone())).or_default();
        at.insert(position, subjects.len());
        let place = EntryLocator { index: *index, name, nth: *nth, of: 0 };
        subjects.push(Subject { sort, kind: item.kind.clone(), place });
        (*index, *nth) = (index.saturating_add(1), nth.saturating_add(1));
    }
    for subject in &mut subjects {
        let key = (subject.kind.clone(), subject.place.name.clone());
        subject.place.of = named.get(&key).copied().unwrap_or_default();
    }
    (subjects, at)
}

/// Whether what has this path is an entry of patches.
pub(crate) fn is_entry(path: &str) -> bool {
    ["#", "included/", "managers/"].iter().any(|sort| path.starts_with(sort))
}

/// Comparison of the entries of two files.
pub(crate) struct Compared {
    /// The patch, with all entries of both files. Their keys are those of the old file.
    pub(crate) patch: Patch,
    /// The first key that is free.
    pub(crate) end: u32,
    /// Whether all objects that both files have stand in the same places there and have the same ids.
    pub(crate) is_aligned: bool,
    /// Keys of entries that change and hold numbers of objects in data of which nothing else is known.
    pub(crate) numbered: BTreeSet<u32>,
}

/// Compares the entries of two files. Entries that only the new one has get keys from `first` on, where that is more than there
/// are old ones.
///
/// # Errors
/// Those of [`between`].
pub(crate) fn compared(old: &Origin<'_>, new: &Origin<'_>, first: u32) -> Result<Compared> {
    let open = |origin: &Origin<'_>| Opened::open(origin.source.clone(), origin.options);
    let (mut a, mut b) = (open(old)?, open(new)?);
    let mut matched = Matched::of(&mut a, &mut b)?;
    matched.first = matched.first.max(first as usize);
    let PatchChanges { changes, numbered, .. } = changes(&matched, &mut a, &mut b)?;
    let entries = entries(&matched, |_| true);
    let end = matched.first.saturating_add(matched.new.len());
    let ids = [ids(&mut a)?, ids(&mut b)?];
    let stays = |(new, source): (&Subject, &Option<usize>)| {
        let Some(old) = source.and_then(|source| matched.old.get(source)) else { return true };
        let at = [old.place.index, new.place.index];
        let [old_id, new_id] = [0, 1].map(|side| ids.get(side)?.get(*at.get(side)? as usize));
        new.sort != Sort::Object || (at[0] == at[1] && old_id == new_id)
    };
    let is_aligned = matched.new.iter().zip(&matched.sources).all(stays);
    let patch = patch([old, new], entries, changes)?;
    Ok(Compared { patch, end: u32::try_from(end).unwrap_or(u32::MAX), is_aligned, numbered })
}

/// The ids of the objects.
fn ids(opened: &mut Opened) -> Result<Vec<u32>> {
    opened.run_silent(|container, _| {
        let objects = &model::virtools(container, &codes::NO_DOCUMENT)?.table().objects;
        Ok(objects.iter().map(|object| object.id.unsigned_abs()).collect())
    })
}

/// The patch that makes `new` of `old`.
///
/// # Errors
/// [`NO_PATCH`](codes::NO_PATCH) for formats without patches; those of [`diff`](diff::diff).
pub fn between(old: &Origin<'_>, new: &Origin<'_>) -> Result<Patch> {
    let open = |origin: &Origin<'_>| Opened::open(origin.source.clone(), origin.options);
    let (mut a, mut b) = (open(old)?, open(new)?);
    let format = a.container().format();
    let matched = Matched::of(&mut a, &mut b)?;
    if format != PROFILE.name {
        return Err(Error::new(&codes::NO_PATCH).found(format));
    }
    let PatchChanges { changes, spoken_of, .. } = changes(&matched, &mut a, &mut b)?;
    // It is tried on files of its own.
    drop((a, b));
    let values = |change: &EntryChange| {
        let edits = change.edits.iter().filter(|edit| !edit.is_exact()).cloned();
        EntryChange {
            edits: edits.collect(),
            old: change.old.clone(),
            new: change.new.clone(),
            ..*change
        }
    };
    let spoken_of = entries(&matched, |key| spoken_of.contains(&key));
    // Values alone, if that is enough; else how they are stored, and what holds them.
    let is_exact = |change: &EntryChange| change.edits.iter().any(Edit::is_exact);
    let mut patch = if changes.iter().any(is_exact) {
        let values = patch([old, new], spoken_of, changes.iter().map(values).collect())?;
        let (values, fits) = exact(values, old, new)?;
        if fits {
            return Ok(values);
        }
        Patch { changes, ..values }
    } else {
        patch([old, new], spoken_of, changes)?
    };
    let fits;
    (patch, fits) = exact(patch, old, new)?;
    if fits {
        return Ok(patch);
    }
    let skeletons = [skeleton(old, &mut open(old)?)?, skeleton(new, &mut open(new)?)?];
    let [objects, managers] = [Sort::Object, Sort::Manager].map(|sort| order(&matched, sort));
    let [old_skeleton, new_skeleton] = skeletons;
    patch.frame = Some(Frame { objects, managers, old: old_skeleton, new: new_skeleton });
    let (patch, fits) = exact(patch, old, new)?;
    if fits {
        return Ok(patch);
    }
    Err(Error::new(&codes::NO_PATCH).found("files that differ in what no patch holds"))
}

fn patch(
    [old, new]: [&Origin<'_>; 2],
    entries: Vec<PatchEntry>,
    changes: Vec<EntryChange>,
) -> Result<Patch> {
    let format = PROFILE.name.to_owned();
    let (old, new) = (print(old)?, print(new)?);
    Ok(Patch { spelunk_patch: VERSION, format, old, new, entries, changes, frame: None })
}

/// Whether a patch makes each of the files of the other.
fn exact(patch: Patch, old: &Origin<'_>, new: &Origin<'_>) -> Result<(Patch, bool)> {
    if !gives(&patch, old, new)? {
        return Ok((patch, false));
    }
    // Turned round it is as large, and a copy of it would be that once more.
    let back = patch.reversed();
    let fits = gives(&back, new, old)?;
    Ok((back.reversed(), fits))
}

/// Whether a patch makes the very file.
fn gives(patch: &Patch, old: &Origin<'_>, new: &Origin<'_>) -> Result<bool> {
    let given = apply(patch, old).and_then(|mut applied| {
        let (source, options) = (new.source.as_ref(), &applied.options);
        let same = applied
            .opened
            .run(|container, task| roundtrip::gives(container, source, options, task))?;
        Ok(same && applied.conflicts.is_empty())
    });
    match given {
        // Whether it does is not known then.
        Err(error) if error.ends_work() => Err(error),
        given => Ok(given.unwrap_or(false)),
    }
}

fn skeleton(origin: &Origin<'_>, opened: &mut Opened) -> Result<Skeleton> {
    let packed = opened.run(PackedLevel::of)?;
    let owners = opened
        .run(|container, task| owners(model::virtools(container, &codes::NO_DOCUMENT)?, task))?;
    let nodes: Vec<_> = owners.into_iter().map(File::node).collect();
    let mut content = |node| opened.run_silent(|container, task| container.bytes(node, task));
    let made = skeleton::skeleton(origin, &nodes, false, &packed, &mut content)?;
    let made = made.ok_or_else(|| Error::new(&codes::NO_PATCH))?;
    let level = packed.level.filter(|_| made.emptied.contains(&true));
    Ok(Skeleton { level, bytes: to_hex(&made.bytes) })
}

/// Returns the sources of the new entries of a sort, in their order.
fn order(matched: &Matched, sort: Sort) -> Vec<Run> {
    let new = matched.new.iter().enumerate().filter(|(_, subject)| subject.sort == sort);
    runs(new.map(|(nth, _)| {
        let source =
            matched.sources.get(nth).copied().flatten().and_then(|old| matched.old.get(old));
        match source {
            Some(old) => EntryOrigin::Kept(old.place.index),
            None => EntryOrigin::New(matched.key(nth)),
        }
    }))
}

/// The entries with keys that are wanted.
fn entries(matched: &Matched, is_wanted: impl Fn(u32) -> bool) -> Vec<PatchEntry> {
    let mut entries = BTreeMap::new();
    for (subject, key) in matched.old.iter().zip(0..) {
        let (kind, old) = (subject.kind.clone(), Some(subject.place.clone()));
        entries.insert(key, PatchEntry { key, kind, old, new: None });
    }
    for (nth, subject) in matched.new.iter().enumerate() {
        let key = matched.key(nth);
        let kind = subject.kind.clone();
        let entry = entries.entry(key).or_insert(PatchEntry { key, kind, old: None, new: None });
        entry.new = Some(subject.place.clone());
    }
    entries.into_values().filter(|entry| is_wanted(entry.key)).collect()
}

/// Changes that were found.
struct PatchChanges {
    changes: Vec<EntryChange>,
    /// The keys of all that is spoken of there.
    spoken_of: BTreeSet<u32>,
    /// As [`Compared`] has it.
    numbered: BTreeSet<u32>,
}

fn changes(matched: &Matched, old: &mut Opened, new: &mut Opened) -> Result<PatchChanges> {
    let pages = [old.code_pages(), new.code_pages()];
    let [old_pages, new_pages] = pages;
    old.run_silent(|container, old_task| {
        let old = model::virtools(container, &codes::NO_DOCUMENT)?;
        let old_keys = Keys::of(old, keys::key, old_pages);
        new.run_silent(|container, new_task| {
            let new = model::virtools(container, &codes::NO_DOCUMENT)?;
            let key = |index: u32| keys::key(matched.key(index as usize));
            let new_keys = Keys::of(new, key, new_pages);
            let old = KeyedFile { file: old, keys: old_keys, task: old_task };
            let new = KeyedFile { file: new, keys: new_keys, task: new_task };
            Compare { matched, old, new, numbered: BTreeSet::new() }.all()
        })
    })
}

/// A file with the keys of its objects.
struct KeyedFile<'f, 't> {
    file: &'f File,
    keys: Keys,
    task: &'f mut Task<'t>,
}

impl KeyedFile<'_, '_> {
    fn row(&mut self, subject: &Subject) -> Result<(Value, u64)> {
        entry::row_of(self.file, (subject.sort, subject.place.index), &self.keys, self.task)
    }

    /// Whether the file would store the same for both rows.
    fn same(&mut self, subject: &Subject, rows: [&Value; 2]) -> bool {
        let [a, b] = rows.map(|row| {
            let at = (subject.sort, subject.place.index);
            entry::stored(self.file, at, row, &self.keys, self.task).ok()
        });
        a.is_some() && a == b
    }
}

struct Compare<'m, 'o, 'n, 't, 'u> {
    matched: &'m Matched,
    old: KeyedFile<'o, 't>,
    new: KeyedFile<'n, 'u>,
    numbered: BTreeSet<u32>,
}

impl Compare<'_, '_, '_, '_, '_> {
    fn all(mut self) -> Result<PatchChanges> {
        let matched = self.matched;
        let mut partners: HashMap<usize, &Subject> = HashMap::new();
        for (subject, source) in matched.new.iter().zip(&matched.sources) {
            partners.extend(source.map(|old| (old, subject)));
        }
        let mut changes = Vec::new();
        for ((nth, subject), entry) in matched.old.iter().enumerate().zip(0..) {
            let (old, held) = self.old.row(subject)?;
            let change = match partners.get(&nth) {
                Some(partner) => self.pair(entry, [subject, partner], old)?,
                None => Some(EntryChange { entry, old: Some(old), new: None, edits: Vec::new() }),
            };
            self.old.task.budget.release(held);
            self.keep(change, &mut changes)?;
        }
        for (nth, subject) in matched.new.iter().enumerate() {
            if matched.sources.get(nth) == Some(&None) {
                let (entry, (new, held)) = (matched.key(nth), self.new.row(subject)?);
                self.numbered.extend(has_numbers(&new).then_some(entry));
                let new = Some(new);
                self.new.task.budget.release(held);
                self.keep(
                    Some(EntryChange { entry, old: None, new, edits: Vec::new() }),
                    &mut changes,
                )?;
            }
        }
        let mut spoken_of = BTreeSet::new();
        for change in &changes {
            spoken_of.insert(change.entry);
            let edits = change.edits.iter().flat_map(|edit| [&edit.old, &edit.new]);
            let values = [&change.old, &change.new].into_iter().chain(edits);
            values.flatten().for_each(|value| mentions(value, &mut spoken_of));
        }
        Ok(PatchChanges { changes, spoken_of, numbered: self.numbered })
    }

    /// Keeps a change, which is there twice while the patch is tried, beside one of the files.
    fn keep(&mut self, change: Option<EntryChange>, changes: &mut Vec<EntryChange>) -> Result<()> {
        let Some(change) = change else { return Ok(()) };
        let [old, new] = [&mut self.old.task.budget, &mut self.new.task.budget];
        let less = if old.left().memory < new.left().memory { old } else { new };
        less.memory(change.held().saturating_mul(2))?;
        changes.push(change);
        Ok(())
    }

    /// Returns the change of an entry that both have.
    fn pair(
        &mut self,
        entry: u32,
        [subject, partner]: [&Subject; 2],
        old: Value,
    ) -> Result<Option<EntryChange>> {
        let before = [self.old.task.budget.left().memory, self.new.task.budget.left().memory];
        let (new, held) = self.new.row(partner)?;
        let edits = edits::between(&old, &new, &mut self.new.task.budget)?;
        let change = match edits.is_empty() {
            true => None,
            false => {
                if has_numbers(&old) || has_numbers(&new) {
                    self.numbered.insert(entry);
                }
                // What is made of one side, and what that is stored as.
                self.new.task.budget.memory(held.saturating_mul(2))?;
                let back: Vec<Edit> = edits.iter().rev().cloned().map(Edit::reversed).collect();
                let fits = made(&edits, &old)
                    .is_some_and(|made| self.new.same(partner, [&made, &new]))
                    && made(&back, &new).is_some_and(|made| self.old.same(subject, [&made, &old]));
                Some(match fits {
                    true => EntryChange { entry, old: None, new: None, edits },
                    // The order of fields counts here.
                    false => {
                        EntryChange { entry, old: Some(old), new: Some(new), edits: Vec::new() }
                    }
                })
            }
        };
        let budgets = [&mut self.old.task.budget, &mut self.new.task.budget];
        for (budget, before) in budgets.into_iter().zip(before) {
            budget.release(before.saturating_sub(budget.left().memory));
        }
        Ok(change)
    }
}

/// Whether there is a chunk in a row of which nothing is known but where it has numbers of objects.
fn has_numbers(value: &Value) -> bool {
    match value {
        Value::Object(map) => {
            (map.contains_key("words") && map.contains_key("ids")) || map.values().any(has_numbers)
        }
        Value::Array(items) => items.iter().any(has_numbers),
        _ => false,
    }
}

fn made(edits: &[Edit], value: &Value) -> Option<Value> {
    let mut value = value.clone();
    edits.iter().try_for_each(|edit| edits::make(edit, &mut value).map(drop)).ok()?;
    Some(value)
}

/// Adds the keys in a value.
pub(crate) fn mentions(value: &Value, keys: &mut BTreeSet<u32>) {
    match value {
        Value::String(text) => keys.extend(keys::number(text)),
        Value::Array(items) => items.iter().for_each(|item| mentions(item, keys)),
        Value::Object(map) => map.values().for_each(|value| mentions(value, keys)),
        _ => {}
    }
}
