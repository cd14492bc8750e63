//! Mending what rules tell, where that is safe.

use super::{
    Selection,
    facts::{Facts, owners},
    geometry::{self, Faults},
    looks, references,
};
use crate::{
    chunk::{buffer::ChunkBuf, read::ObjRef},
    class::Value,
    codec::{Array, Reference, visit::Refs},
    codes,
    file::{File, data::Owner, value::has_no_value},
};
use spelunk_core::{Class, Code, Error, Field, Result, Seg, Task};
use std::collections::{BTreeMap, BTreeSet};
use zerocopy::little_endian::U32;

/// Merging makes what refers to it equal, and removing leaves other things unused; files need few rounds.
const ROUNDS: usize = 8;

/// Mends a file: what [`RULES`](super::RULES) say of each rule. Gives how often each was applied. Everything else
/// stays as it is, and a file without findings does not change at all. What cannot be mended is told.
///
/// # Errors
/// When Data cannot be read; limits; what the sink makes of a finding.
pub fn fix(
    file: &mut File,
    selection: &Selection,
    task: &mut Task<'_>,
) -> Result<Vec<(&'static Code, u64)>> {
    let mut fixed = Fixed::default();
    let mut refused = false;
    for _ in 0..ROUNDS {
        let before = fixed.total();
        objects(file, selection, &mut fixed, task)?;
        for (code, find) in STEPS {
            if refused || !selection.has(code) {
                continue;
            }
            let same = find(file, task)?;
            if same.is_empty() {
                continue;
            }
            // All of it or nothing.
            let mut new = file.clone();
            match merge(&mut new, &same, task) {
                Ok(()) => {
                    *file = new;
                    fixed.add(code, same.len());
                }
                Err(error)
                    if matches!(error.code().class, Class::Unsupported | Class::Malformed) =>
                {
                    refused = true;
                    task.warn(error)?;
                }
                Err(error) => return Err(error),
            }
        }
        if fixed.total() == before {
            break;
        }
    }
    Ok(fixed.0)
}

/// Objects that go, each with the one that takes its place.
type Same = BTreeMap<u32, Option<u32>>;

/// A rule, and what it says is to go.
type Find = fn(&File, &mut Task<'_>) -> Result<Same>;

const STEPS: [(&Code, Find); 2] = [
    (&codes::DUPLICATE, |file, task| {
        let same = references::find_duplicates(&Facts::of(file, task)?, task)?;
        Ok(same.into_iter().map(|(index, first)| (index, Some(first))).collect())
    }),
    (&codes::UNUSED, |file, task| {
        let unused = references::find_unused(&Facts::of(file, task)?, task)?;
        Ok(unused.into_iter().map(|index| (index, None)).collect())
    }),
];

/// How often each rule was applied.
#[derive(Default)]
struct Fixed(Vec<(&'static Code, u64)>);

impl Fixed {
    fn add(&mut self, code: &'static Code, count: usize) {
        if count == 0 {
            return;
        }
        match self.0.iter_mut().find(|(known, _)| known.id == code.id) {
            Some((_, total)) => *total = total.saturating_add(count as u64),
            None => self.0.push((code, count as u64)),
        }
    }

    fn total(&self) -> u64 {
        self.0.iter().map(|(_, count)| *count).sum()
    }
}

/// Mends meshes and textures where they stand.
fn objects(
    file: &mut File,
    selection: &Selection,
    fixed: &mut Fixed,
    task: &mut Task<'_>,
) -> Result<()> {
    let facts = Facts::of(file, task)?;
    let mut faulty = Vec::new();
    for (index, mesh) in &facts.meshes {
        if Faults::of(mesh, &mut task.budget)? != Faults::default() {
            faulty.push((*index, facts.fixed_vertices.contains(index)));
        }
    }
    if selection.has(&codes::SAVE_OPTION) && facts.is_ballance_map() {
        let own = facts.pictures.iter().filter(|(_, pictures)| pictures.own_option().is_some());
        faulty.extend(own.map(|(index, _)| (*index, false)));
    }
    drop(facts);
    for (index, fixed_vertices) in faulty {
        let owner = Owner::Object(index);
        let Some(mut saved) = file.value(owner, &mut Vec::new(), &mut task.budget)? else {
            continue;
        };
        let mended = match &mut saved.value {
            Value::Mesh(mesh) => {
                let mended = geometry::mend(mesh, fixed_vertices, selection, &mut task.budget)?;
                vec![
                    (&codes::FACE_VERTICES, mended.vertices),
                    (&codes::FACE_SLOTS, mended.slots),
                    (&codes::DEGENERATE_FACES, mended.degenerate),
                    (&codes::ISOLATED_VERTICES, mended.isolated),
                ]
            }
            Value::Texture(texture) => {
                looks::mend(texture);
                vec![(&codes::SAVE_OPTION, 1)]
            }
            _ => continue,
        };
        if mended.iter().all(|(_, count)| *count == 0) {
            continue;
        }
        match file.set_value(owner, &mut saved, &mut task.budget) {
            Ok(()) => mended.into_iter().for_each(|(code, count)| fixed.add(code, count)),
            Err(error) if error.code().class == Class::Unsupported => {
                task.warn(error.within(Seg::Index(index.into())).field("objects"))?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Removes objects, after what refers to them refers to those that take their places.
fn merge(file: &mut File, same: &Same, task: &mut Task<'_>) -> Result<()> {
    let gone: BTreeSet<u32> = same.keys().copied().collect();
    let places = same.iter().filter_map(|(index, first)| Some((*index, (*first)?))).collect();
    redirect(file, &places, &gone, task)?;
    file.remove_objects(&gone, false, task)?;
    Ok(())
}

fn redirect(
    file: &mut File,
    places: &BTreeMap<u32, u32>,
    gone: &BTreeSet<u32>,
    task: &mut Task<'_>,
) -> Result<()> {
    if places.is_empty() {
        return Ok(());
    }
    let mut redirect = Redirect::of(file, places);
    let mut changed = Vec::new();
    for owner in owners(file, &mut task.budget)? {
        if matches!(owner, Owner::Object(index) if gone.contains(&index)) {
            continue;
        }
        let saved = match file.value(owner, &mut Vec::new(), &mut task.budget) {
            Ok(saved) => saved,
            // Whether it refers to what goes is found out when that is removed.
            Err(error) if has_no_value(&error) => None,
            Err(error) => return Err(error),
        };
        let Some(mut saved) = saved else { continue };
        redirect.begin();
        saved.visit(&mut redirect)?;
        if redirect.untracked {
            return Err(Error::new(&codes::UNTRACKED));
        }
        if redirect.changed {
            changed.push((owner, saved));
        }
    }
    drop(redirect);
    for (owner, mut saved) in changed {
        file.set_value(owner, &mut saved, &mut task.budget)?;
    }
    Ok(())
}

/// Lets values refer to other objects.
pub(super) struct Redirect<'p> {
    places: &'p BTreeMap<u32, u32>,
    /// The same by ids.
    ids: BTreeMap<u32, u32>,
    pub(super) changed: bool,
    /// Whether something refers to such an object in a way that cannot be followed.
    pub(super) untracked: bool,
}

impl<'p> Redirect<'p> {
    pub(super) fn of(file: &File, places: &'p BTreeMap<u32, u32>) -> Redirect<'p> {
        let id = |index: u32| {
            file.table().objects.get(index as usize).map(|object| object.id.unsigned_abs())
        };
        let ids = places.iter().filter_map(|(from, to)| Some((id(*from)?, id(*to)?))).collect();
        Redirect { places, ids, changed: false, untracked: false }
    }

    /// Begins with another value.
    pub(super) const fn begin(&mut self) {
        (self.changed, self.untracked) = (false, false);
    }

    fn map(&self, value: u32, file_mode: bool) -> Option<u32> {
        match ObjRef::of(value, file_mode) {
            ObjRef::Null => None,
            ObjRef::Index(index) => self.places.get(&index).copied(),
            ObjRef::Id(id) => self.ids.get(&id).copied(),
        }
    }
}

impl Refs for Redirect<'_> {
    fn object(&mut self, _: &'static Field, file_mode: bool, value: &mut Reference) -> Result<()> {
        if let Some(new) = self.map(value.value, file_mode) {
            value.value = new;
            self.changed = true;
        }
        Ok(())
    }

    fn objects(
        &mut self,
        _: &'static Field,
        file_mode: bool,
        values: &mut Array<U32>,
        _: bool,
    ) -> Result<()> {
        if values.iter().all(|value| self.map(value.get(), file_mode).is_none()) {
            return Ok(());
        }
        // A list that has the other one already loses this one when it is removed.
        let mut present: BTreeSet<u32> = values.iter().map(|value| value.get()).collect();
        for value in values.to_mut() {
            if let Some(new) = self.map(value.get(), file_mode)
                && present.insert(new)
            {
                value.set(new);
                self.changed = true;
            }
        }
        Ok(())
    }

    fn opaque(&mut self, chunk: &mut ChunkBuf) -> Result<()> {
        let known = |word: &U32| self.places.contains_key(&word.get());
        self.untracked |= chunk.header.file_mode && chunk.data.iter().any(known);
        self.changed |= chunk.replace_ids(|id| self.ids.get(&id).copied())? > 0;
        Ok(())
    }
}
