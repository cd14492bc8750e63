//! Virtools files, merged object by object and field by field.
//!
//! What either side made of the base is a patch whose keys are those of the base, so that each object of the base is known on
//! both sides, whatever it is called there and wherever it stands. The patch of one side, without what the other one changed
//! too, is made to the file of the other one.

use super::{Conflict, Merging, OnConflict, Report};
use crate::{
    Bytes, Container, Error, Opened, Options, Result, Seg, Source, Task, WriteOptions, codes,
    diff::{self, Change as Difference, Diff, FieldChange},
    pack::Origin,
    patch::{self, Applied, Change, Edit, Patch, Spot},
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    mem,
    ops::Range,
    sync::Arc,
};

/// One of the sides.
struct Side {
    source: Arc<dyn Source>,
    /// What makes it of the base.
    patch: Patch,
}

/// Ours with what the other side changed, and what became of the objects, managers and included files.
///
/// # Errors
/// Those of [`patch::between`] and [`patch::apply`].
pub(super) fn merged(
    files: [&dyn Container; 3],
    on_conflict: OnConflict,
    options: &Options,
    task: &mut Task<'_>,
) -> Result<(Arc<dyn Source>, Report)> {
    let written = |file, task: &mut Task<'_>| bytes(file, &WriteOptions::default(), task);
    let base = written(files[0], task)?;
    let side = |file, task: &mut Task<'_>| {
        let source = written(file, task)?;
        let origins = [&base, &source].map(|source| Origin { source, options });
        let patch = patch::compared(&origins[0], &origins[1])?;
        Ok::<_, Error>(Side { source, patch })
    };
    let (ours, theirs) = (side(files[1], task)?, side(files[2], task)?);
    let mut merger =
        Merger { report: Report::default(), is_swapped: on_conflict == OnConflict::Theirs };
    let (kept, mut made) = if merger.is_swapped { (theirs, ours) } else { (ours, theirs) };
    let places = merger.settle(&kept.patch, &mut made.patch);
    let origin = Origin { source: &kept.source, options };
    let (applied, unmade) = patch::apply_at(&made.patch, &origin, places)?;
    let Applied { mut opened, options: writing, conflicts, .. } = applied;
    merger.misfits(&made.patch, unmade.into_iter().zip(&conflicts));
    let merged = opened.run(|container, task| bytes(container, &writing, task))?;
    if merger.report.conflicts.is_empty() || on_conflict != OnConflict::Refuse {
        tell_left([&base, &made.source, &merged], options, task)?;
    }
    Ok((merged, merger.report))
}

/// A file as it would be written.
fn bytes(
    file: &dyn Container,
    options: &WriteOptions,
    task: &mut Task<'_>,
) -> Result<Arc<dyn Source>> {
    let mut bytes = Vec::new();
    file.write(&mut bytes, options, task)?;
    task.budget.memory(bytes.len() as u64)?;
    Ok(Arc::new(Bytes::from(bytes)))
}

struct Merger {
    report: Report,
    /// Whether it is our changes that are made to their file.
    is_swapped: bool,
}

impl Merger {
    /// Takes out of the patch of the side whose changes are made what the other side, whose file is kept, changed too, and
    /// tells of all changes. Gives where the entries that the patch speaks of are in the kept file.
    fn settle(&mut self, kept: &Patch, made: &mut Patch) -> BTreeMap<u32, Spot> {
        let spots = patch::spots(kept);
        let mut places = spots.clone();
        let is_new = |change: &Change| change.old.is_none() && change.new.is_some();
        let mut others = BTreeMap::new();
        let mut news: HashMap<(String, String), Vec<&Change>> = HashMap::new();
        let text = |change: &Change| change.new.as_ref().map(Value::to_string).unwrap_or_default();
        for change in &kept.changes {
            if is_new(change) {
                // Keys of new entries are numbers of their own file.
                places.remove(&change.entry);
                let path = name(kept, change.entry).path;
                news.entry((path, text(change))).or_default().push(change);
            } else {
                others.insert(change.entry, change);
            }
        }
        let is_gone = |change: &&&Change| change.new.is_none() && change.old.is_some();
        let gone: BTreeSet<u32> = others.values().filter(is_gone).map(|it| it.entry).collect();
        let referred: BTreeSet<u32> = kept.changes.iter().flat_map(referred).collect();
        for change in mem::take(&mut made.changes) {
            let entry = Merging { change: Some(told(&change)), ..name(made, change.entry) };
            if is_new(&change) {
                let alike = news.get_mut(&(entry.path.clone(), text(&change)));
                if let Some(known) = alike.and_then(Vec::pop) {
                    places.extend(spots.get(&known.entry).map(|spot| (change.entry, *spot)));
                    self.report.both.push(entry);
                    continue;
                }
            }
            let known = others.remove(&change.entry);
            if known.is_none() && is_gone(&&&change) && referred.contains(&change.entry) {
                self.conflict(entry, None, ["referred to", "removed"].map(str::to_owned));
                continue;
            }
            made.changes.extend(self.fit(entry, known, change, &gone));
        }
        let mut rest: Vec<&Change> =
            news.into_values().flatten().chain(others.into_values()).collect();
        rest.sort_unstable_by_key(|change| change.entry);
        for change in rest {
            let entry = Merging { change: Some(told(change)), ..name(kept, change.entry) };
            self.list(false).push(entry);
        }
        places
    }

    /// What only one side changed: that whose changes are made, or the other one.
    fn list(&mut self, is_made: bool) -> &mut Vec<Merging> {
        match is_made == self.is_swapped {
            true => &mut self.report.from_ours,
            false => &mut self.report.from_theirs,
        }
    }

    /// What is left to be done of a change, next to what the kept side did with the entry and with those that are gone there.
    fn fit(
        &mut self,
        entry: Merging,
        kept: Option<&Change>,
        made: Change,
        gone: &BTreeSet<u32>,
    ) -> Option<Change> {
        let is_whole = |change: &Change| change.old.is_some() || change.new.is_some();
        let lacks = "without what it refers to";
        if is_whole(&made) || kept.is_some_and(is_whole) {
            let sides = match kept {
                None if referred(&made).any(|key| gone.contains(&key)) => [lacks, told(&made)],
                None => {
                    self.list(true).push(entry);
                    return Some(made);
                }
                Some(kept) if kept.new == made.new && is_whole(kept) && is_whole(&made) => {
                    self.report.both.push(entry);
                    return None;
                }
                Some(kept) => [told(kept), told(&made)],
            };
            self.conflict(entry, None, sides.map(str::to_owned));
            return None;
        }
        let known = Edits::of(kept.map_or(&[], |kept| &kept.edits));
        let (mut is_new, mut is_clash) = (false, false);
        // Lists of which positions are other ones, as an edit that moves items is left out.
        let mut moved: Vec<String> = Vec::new();
        let mut edits = Vec::new();
        for edit in made.edits {
            // Where values are other ones, how they were stored says nothing; whoever makes the edits knows.
            if edit.is_exact() {
                edits.push(edit);
                continue;
            }
            let near = known.near(&edit);
            let is_lacking = newly([&edit.old], [&edit.new]).any(|key| gone.contains(&key));
            let is_moved = moved.iter().any(|list| lies_in(&edit.at, list));
            if near.is_empty() && !is_lacking && !is_moved {
                is_new = true;
                edits.push(edit);
            } else if !near.contains(&&edit) {
                is_clash = true;
                let of_kept = match near.first() {
                    Some(known) => patch::short(known.new.as_ref()),
                    None if is_lacking => lacks.to_owned(),
                    None => "other items before it".to_owned(),
                };
                let sides = [of_kept, patch::short(edit.new.as_ref())];
                self.conflict(entry.clone(), Some(field(&edit)), sides);
                if edit.from.is_some() && replaced(&edit).is_none() {
                    moved.push(edit.at);
                }
            }
        }
        match (is_clash, is_new, kept) {
            (true, ..) => {}
            (false, true, Some(_)) => self.report.merged.push(entry),
            (false, false, Some(_)) => self.report.both.push(entry),
            (false, _, None) => self.list(true).push(entry),
        }
        is_new.then_some(Change { edits, ..made })
    }

    /// Both changed something, each in another way.
    fn conflict(&mut self, entry: Merging, field: Option<String>, [kept, made]: [String; 2]) {
        let entry = Merging { change: None, ..entry };
        let (ours, theirs) = if self.is_swapped { (made, kept) } else { (kept, made) };
        self.report.conflicts.push(Conflict { entry, field, ours, theirs });
    }

    /// What could not be made to the kept file, with the keys of the entries.
    fn misfits<'e>(&mut self, made: &Patch, errors: impl Iterator<Item = (u32, &'e Error)>) {
        let changes: BTreeMap<u32, &Change> =
            made.changes.iter().map(|change| (change.entry, change)).collect();
        let mut known = BTreeMap::new();
        for (key, error) in errors {
            known.entry(key).or_insert_with(|| error.to_string());
        }
        let paths: BTreeSet<String> = known.keys().map(|key| name(made, *key).path).collect();
        let listed = |listed: &Merging| !paths.contains(&listed.path);
        self.list(true).retain(listed);
        self.report.merged.retain(listed);
        for (key, error) in known {
            let told = changes.get(&key).map_or("changed", |change| told(change));
            self.conflict(name(made, key), None, [error, told.to_owned()]);
        }
    }
}

/// The edits of an entry by where they are.
struct Edits<'p>(BTreeMap<&'p str, Place<'p>>);

/// The edits of one place.
#[derive(Default)]
struct Place<'p> {
    edits: Vec<&'p Edit>,
    /// Which items of a list they replace, in order, where that is all they do.
    items: Option<Vec<Range<usize>>>,
}

impl<'p> Edits<'p> {
    fn of(edits: &'p [Edit]) -> Edits<'p> {
        let mut places: BTreeMap<_, Place<'_>> = BTreeMap::new();
        for edit in edits {
            places.entry(edit.at.as_str()).or_default().edits.push(edit);
        }
        for place in places.values_mut() {
            place.items = place.edits.iter().map(|edit| replaced(edit)).collect();
        }
        Edits(places)
    }

    /// Those of the same place as an edit, of one that it lies in, and of those that lie in it.
    fn near(&self, edit: &Edit) -> Vec<&'p Edit> {
        let at = edit.at.as_str();
        let above = at.match_indices('/').filter_map(|(end, _)| self.0.get(at.get(..end)?));
        let inside = format!("{at}/");
        let below = self.0.range(inside.as_str()..).take_while(|it| it.0.starts_with(&inside));
        let around = above.chain(below.map(|(_, place)| place));
        let mut near: Vec<&Edit> = around.flat_map(|place| &place.edits).copied().collect();
        if let Some(place) = self.0.get(at) {
            match (replaced(edit), &place.items) {
                (Some(items), Some(known)) => {
                    let first = known.partition_point(|known| known.end <= items.start);
                    let pairs = known.iter().zip(&place.edits).skip(first);
                    near.extend(pairs.take_while(|it| it.0.start < items.end).map(|(_, it)| it));
                }
                _ => near.extend(&place.edits),
            }
        }
        near
    }
}

/// The items of a list that an edit puts as many other ones in the place of.
fn replaced(edit: &Edit) -> Option<Range<usize>> {
    let count = |side: &Option<Value>| side.as_ref().and_then(Value::as_array).map(Vec::len);
    let (from, old) = (edit.from?, count(&edit.old)?);
    (count(&edit.new) == Some(old)).then_some(from..from.saturating_add(old))
}

/// Where an edit is, as paths of fields are shown.
fn field(edit: &Edit) -> String {
    let path = edit.at.strip_prefix("/value").unwrap_or(&edit.at);
    let path = path.trim_start_matches('/').replace('/', ".");
    match replaced(edit) {
        Some(items) if items.len() == 1 => format!("{path}[{}]", items.start),
        _ => path,
    }
}

/// Whether a place lies in another one, or is it.
fn lies_in(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The keys of entries that a change refers to newly.
fn referred(change: &Change) -> impl Iterator<Item = u32> {
    let edits = || change.edits.iter().filter(|edit| !edit.is_exact());
    let old = edits().map(|edit| &edit.old).chain([&change.old]);
    newly(old, edits().map(|edit| &edit.new).chain([&change.new]))
}

/// The keys in new values that the old ones lack.
fn newly<'v>(
    old: impl IntoIterator<Item = &'v Option<Value>>,
    new: impl IntoIterator<Item = &'v Option<Value>>,
) -> impl Iterator<Item = u32> {
    let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
    old.into_iter().flatten().for_each(|value| patch::mentions(value, &mut before));
    new.into_iter().flatten().for_each(|value| patch::mentions(value, &mut after));
    after.into_iter().filter(move |key| !before.contains(key))
}

/// What a side did with an entry.
const fn told(change: &Change) -> &'static str {
    match (&change.old, &change.new) {
        (None, Some(_)) => "added",
        (Some(_), None) => "removed",
        _ => "changed",
    }
}

/// What an entry is called.
fn name(patch: &Patch, key: u32) -> Merging {
    let found = patch.entries.binary_search_by_key(&key, |entry| entry.key);
    let entry = found.ok().and_then(|found| patch.entries.get(found));
    let place = entry.and_then(|entry| entry.old.as_ref().or(entry.new.as_ref()));
    let kind = entry.map_or("", |entry| &entry.kind);
    let name = place.map_or("", |place| &place.name);
    let path = match place {
        Some(place) if place.of > 1 => format!("{kind}/{name} #{}", place.index),
        _ => format!("{kind}/{name}"),
    };
    Merging { path, asset_id: None, change: None }
}

/// Tells what the side whose changes are made changed in what no entry holds, which stays as it is.
fn tell_left(
    [base, made, merged]: [&Arc<dyn Source>; 3],
    options: &Options,
    task: &mut Task<'_>,
) -> Result<()> {
    let open = |source: &Arc<dyn Source>| Opened::open(source.clone(), options);
    let (mut base, mut made, mut merged) = (open(base)?, open(made)?, open(merged)?);
    let told = diff::Options::default();
    let changed = diff::diff(&mut base, &mut made, &told)?;
    let left = diff::diff(&mut merged, &mut made, &told)?;
    let paths = |diff: &Diff| -> BTreeSet<String> {
        let fields = diff.summary.iter().filter_map(|change| match change {
            FieldChange::Value { path, .. }
            | FieldChange::List { path, .. }
            | FieldChange::Group { path, .. } => Some(path.clone()),
            FieldChange::Content { .. } => None,
        });
        let parts = diff.changes.iter().map(|change| match change {
            Difference::Added(item) | Difference::Removed(item) => item,
            Difference::Renamed { new, .. } | Difference::Changed { new, .. } => new,
        });
        let parts = parts.filter(|part| !patch::is_entry(&part.path)).map(|part| part.path.clone());
        fields.chain(parts).collect()
    };
    let changed = paths(&changed);
    paths(&left).intersection(&changed).try_for_each(|path| {
        let error = Error::new(&codes::NOT_MERGED).found("the other side's change");
        task.warn(error.within(Seg::Key(path.clone().into())))
    })
}
