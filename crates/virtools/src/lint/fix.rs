//! Mending what rules find, where that is safe.

use super::{
    codes,
    facts::{Facts, owners},
    geometry::{self, Faults},
    looks,
    redirect::Redirect,
    references::{self, NameComparison},
};
use crate::{
    class::Value,
    file::{File, data::Owner, value::has_no_value},
};
use spelunk_core::{Class, Code, Error, Result, Seg, Task, lint::Selection};
use std::collections::{BTreeMap, BTreeSet};

/// Merging makes what refers to it equal, and removing leaves other things unused; files need few rounds.
const ROUNDS: usize = 8;

/// Changes that mending may make.
#[derive(Clone, Debug, Default)]
pub struct Mending {
    /// The rules that count.
    pub selection: Selection,
    /// Whether objects of equal content whose names differ become one too, so that names are lost.
    pub merge_names: bool,
    /// Whether objects that nothing uses are removed, with their names.
    pub remove_unused: bool,
}

/// Changes that mending made.
#[derive(Clone, Debug, Default)]
pub struct Mended {
    /// Number of applications of each rule.
    pub fixed: Vec<(&'static Code, u64)>,
    /// Findings that could have been mended and were left on purpose.
    pub left: Vec<Left>,
}

/// Findings of one rule that were left on purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Left {
    /// Code of the rule.
    pub code: &'static Code,
    /// Why they were left.
    pub reason: Reason,
    /// Number of times that the rule would have been applied.
    pub count: u64,
}

/// Why findings are left as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A name would be lost ([`Mending::merge_names`]).
    Names,
    /// An object would be lost ([`Mending::remove_unused`]).
    Unused,
    /// A cell of a data array, a parameter, a script or a text in the file goes by the object.
    Referenced,
}

impl Reason {
    /// The name of the reason in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Names => "names",
            Reason::Unused => "unused",
            Reason::Referenced => "referenced",
        }
    }
}

/// Mends a file: what [`RULES`](super::RULES) say of each rule. What a cell of a data array, a parameter or a script
/// refers to is never touched, and without [`Mending::merge_names`] and [`Mending::remove_unused`] no name is
/// lost. Everything else stays as it is, and a file without findings does not change at all. What cannot be mended is
/// a finding.
///
/// # Errors
/// When Data cannot be read; limits; what the sink makes of a finding.
pub fn fix(file: &mut File, mending: &Mending, task: &mut Task<'_>) -> Result<Mended> {
    let selection = &mending.selection;
    let mut mended = Mended::default();
    let mut refused = false;
    for _ in 0..ROUNDS {
        let before = mended.total();
        objects(file, selection, &mut mended, task)?;
        for code in [&codes::DUPLICATE, &codes::UNUSED] {
            if refused || !selection.has(code) {
                continue;
            }
            let same = find(file, code, mending, task)?;
            if same.is_empty() {
                continue;
            }
            // All of it or nothing.
            let mut new = file.clone();
            match merge(&mut new, &same, task) {
                Ok(()) => {
                    *file = new;
                    mended.add(code, same.len());
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
        if mended.total() == before {
            break;
        }
    }
    if !refused {
        left(file, mending, &mut mended, task)?;
    }
    Ok(mended)
}

/// Objects that go, each with the one that takes its place.
type Same = BTreeMap<u32, Option<u32>>;

/// Finds the objects that a rule removes.
fn find(file: &File, code: &Code, mending: &Mending, task: &mut Task<'_>) -> Result<Same> {
    if code.id == codes::UNUSED.id {
        if !mending.remove_unused {
            return Ok(Same::new());
        }
        let unused = references::find_unused(&Facts::of(file, task)?, task)?;
        return Ok(unused.into_iter().map(|index| (index, None)).collect());
    }
    let names = if mending.merge_names { NameComparison::Any } else { NameComparison::Equal };
    let found = references::find_duplicates(&Facts::of(file, task)?, names, task)?;
    Ok(found.same.into_iter().map(|(index, first)| (index, Some(first))).collect())
}

/// Adds the objects that would be merged or removed if names counted for nothing.
fn left(file: &File, mending: &Mending, mended: &mut Mended, task: &mut Task<'_>) -> Result<()> {
    let facts = Facts::of(file, task)?;
    if mending.selection.has(&codes::DUPLICATE) {
        let found = references::find_duplicates(&facts, NameComparison::Any, task)?;
        mended.leave(&codes::DUPLICATE, Reason::Names, found.same.len());
        mended.leave(&codes::DUPLICATE, Reason::Referenced, found.kept_apart);
    }
    if mending.selection.has(&codes::UNUSED) {
        let unused = references::find_unused(&facts, task)?;
        mended.leave(&codes::UNUSED, Reason::Unused, unused.len());
    }
    Ok(())
}

impl Mended {
    fn add(&mut self, code: &'static Code, count: usize) {
        if count == 0 {
            return;
        }
        match self.fixed.iter_mut().find(|(known, _)| known.id == code.id) {
            Some((_, total)) => *total = total.saturating_add(count as u64),
            None => self.fixed.push((code, count as u64)),
        }
    }

    /// Notes what was left; the last note of a rule and a reason counts.
    fn leave(&mut self, code: &'static Code, reason: Reason, count: usize) {
        self.left.retain(|left| left.code.id != code.id || left.reason != reason);
        if count > 0 {
            self.left.push(Left { code, reason, count: count as u64 });
        }
    }

    fn total(&self) -> u64 {
        self.fixed.iter().map(|(_, count)| *count).sum()
    }
}

/// Mends meshes and textures where they stand.
fn objects(
    file: &mut File,
    selection: &Selection,
    mended: &mut Mended,
    task: &mut Task<'_>,
) -> Result<()> {
    let facts = Facts::of(file, task)?;
    let mut faulty = Vec::new();
    for (index, mesh) in &facts.meshes {
        if Faults::of(mesh, &mut task.budget)? != Faults::default() {
            let fixed_vertices = facts.fixed_vertices.contains(index);
            faulty.push((*index, fixed_vertices, facts.is_referenced(*index)));
        }
    }
    if selection.has(&codes::SAVE_OPTION) && facts.is_ballance_map() {
        let own = facts.pictures.iter().filter(|(_, pictures)| pictures.own_option().is_some());
        faulty.extend(own.map(|(index, _)| (*index, false, facts.is_referenced(*index))));
    }
    drop(facts);
    let mut referenced: BTreeMap<&str, (&'static Code, usize)> = BTreeMap::new();
    for (index, fixed_vertices, is_referenced) in faulty {
        let owner = Owner::Object(index);
        let Some(mut saved) = file.value(owner, &mut Vec::new(), &mut task.budget)? else {
            continue;
        };
        let counts = match &mut saved.value {
            Value::Mesh(mesh) => {
                let faults = geometry::mend(mesh, fixed_vertices, selection, &mut task.budget)?;
                vec![
                    (&codes::FACE_VERTICES, faults.vertices),
                    (&codes::FACE_SLOTS, faults.slots),
                    (&codes::DEGENERATE_FACES, faults.degenerate),
                    (&codes::ISOLATED_VERTICES, faults.isolated),
                ]
            }
            Value::Texture(texture) => {
                looks::mend(texture);
                vec![(&codes::SAVE_OPTION, 1)]
            }
            _ => continue,
        };
        if counts.iter().all(|(_, count)| *count == 0) {
            continue;
        }
        if is_referenced {
            for (code, count) in counts {
                let (_, total) = referenced.entry(code.id).or_insert((code, 0));
                *total = total.saturating_add(count);
            }
            continue;
        }
        match file.set_value(owner, &mut saved, &mut task.budget) {
            Ok(()) => counts.into_iter().for_each(|(code, count)| mended.add(code, count)),
            Err(error) if error.code().class == Class::Unsupported => {
                task.warn(error.within(Seg::Index(index.into())).field("objects"))?;
            }
            Err(error) => return Err(error),
        }
    }
    for (code, count) in referenced.into_values() {
        mended.leave(code, Reason::Referenced, count);
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
            return Err(Error::new(&crate::codes::UNTRACKED));
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
