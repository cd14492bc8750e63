//! Rules about meshes, materials and textures: those that nothing uses, and those that are there twice.

use super::{
    codes,
    facts::{self, Facts, is_asset},
    out::FileLintSink,
    redirect::Redirect,
};
use crate::{
    class::Value,
    class::{MATERIAL, MESH, TEXTURE},
    file::data::Owner,
    file::value::has_no_value,
};
use spelunk_core::{Error, Result, Severity, Task};
use std::collections::{BTreeMap, BTreeSet};

/// Reports what nothing uses.
pub(super) fn unused(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    for index in find_unused(facts, out.task)? {
        out.report_error(Severity::Info, index, "users", Error::new(&codes::UNUSED))?;
    }
    Ok(())
}

/// Reports what is there twice.
pub(super) fn duplicates(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    if !out.selection.has(&codes::DUPLICATE) {
        return Ok(());
    }
    for (index, first) in find_duplicates(facts, NameComparison::Any, out.task)?.same {
        let found = out.path(first);
        out.report(Severity::Info, &codes::DUPLICATE, index, "content", found)?;
    }
    Ok(())
}

/// Meshes, materials and textures that nothing uses, or only what is not used itself. A file that holds nothing else is
/// there for others to take from.
pub(super) fn find_unused(facts: &Facts<'_>, task: &mut Task<'_>) -> Result<BTreeSet<u32>> {
    let objects = &facts.file.table().objects;
    if objects.iter().all(|object| is_asset(object.class_id)) {
        return Ok(BTreeSet::new());
    }
    let mut unused: BTreeSet<u32> = facts.assets().map(|(index, _)| index).collect();
    unused.retain(|index| !facts.is_mentioned(*index));
    loop {
        task.budget.steps(unused.len() as u64)?;
        let is_used = |index: &u32| {
            let users = facts.users.get(index).into_iter().flatten();
            let mut users = users.filter(|user| **user != Some(*index));
            users.any(|user| user.is_none_or(|user| !unused.contains(&user)))
        };
        let used: Vec<u32> = unused.iter().copied().filter(is_used).collect();
        if used.is_empty() {
            return Ok(unused);
        }
        unused.retain(|index| used.binary_search(index).is_err());
    }
}

/// Whether objects are equal whose names differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NameComparison {
    /// Names do not count.
    Any,
    /// Names have to be equal, byte by byte.
    Equal,
}

/// Equal meshes, materials and textures.
#[derive(Debug, Default)]
pub(super) struct Duplicates {
    /// Objects that another one can stand for, each with that one.
    pub(super) same: BTreeMap<u32, u32>,
    /// Number of others that are equal to one that stays and stay too, because something goes by them.
    pub(super) kept_apart: usize,
}

/// Meshes, materials and textures that are equal to another one. Where they refer to others that are equal, that is
/// equal too. One whose name is a text in the file, and one that a cell, a parameter or a script refers to, is
/// never given up.
pub(super) fn find_duplicates(
    facts: &Facts<'_>,
    names: NameComparison,
    task: &mut Task<'_>,
) -> Result<Duplicates> {
    let mut all = Duplicates::default();
    for class_id in [TEXTURE, MATERIAL, MESH] {
        let mut contents: BTreeMap<(&[u8], Vec<u8>), Vec<u32>> = BTreeMap::new();
        let mut redirect = Redirect::of(facts.file, &all.same);
        for (index, _) in facts.assets().filter(|(_, class)| *class == class_id) {
            let before = task.budget.left().memory;
            let content = content(facts, index, &mut redirect, task)?;
            task.budget.release(before.saturating_sub(task.budget.left().memory));
            if let Some(content) = content {
                task.budget.memory((content.len() as u64).saturating_add(64))?;
                let name: &[u8] = match names {
                    NameComparison::Any => &[],
                    NameComparison::Equal => facts::name(facts.file, index),
                };
                contents.entry((name, content)).or_default().push(index);
            }
        }
        let mut found = Vec::new();
        for ((_, content), equal) in contents {
            task.budget.release(content.len() as u64);
            let stays = |index: &u32| facts.is_mentioned(*index) || facts.is_referenced(*index);
            let (stay, others): (Vec<u32>, Vec<u32>) = equal.into_iter().partition(stays);
            let Some(kept) = stay.first().or(others.first()).copied() else { continue };
            all.kept_apart = all.kept_apart.saturating_add(stay.len().saturating_sub(1));
            found.extend(others.into_iter().filter(|index| *index != kept).map(|dup| (dup, kept)));
        }
        all.same.extend(found);
    }
    Ok(all)
}

/// Content of an object, with references to equal objects alike; `None` where it saved nothing, or something that cannot be
/// compared.
fn content(
    facts: &Facts<'_>,
    index: u32,
    redirect: &mut Redirect<'_>,
    task: &mut Task<'_>,
) -> Result<Option<Vec<u8>>> {
    let before = task.budget.left().memory;
    let saved = facts.file.value(Owner::Object(index), &mut Vec::new(), &mut task.budget);
    let mut saved = match saved {
        Ok(Some(saved)) => saved,
        Ok(None) => return Ok(None),
        Err(error) if has_no_value(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    redirect.begin();
    saved.visit(redirect)?;
    if redirect.untracked {
        return Ok(None);
    }
    if let Value::Texture(texture) = &mut saved.value {
        // Left-over memory behind a name.
        for name in texture.bitmap.file_names.iter_mut().flatten() {
            name.0.padding = [0; 3];
        }
    }
    // Its sections, the chunk that they make, and its bytes.
    let held = before.saturating_sub(task.budget.left().memory);
    task.budget.afford(held.saturating_mul(3))?;
    Ok(Some(saved.write()?.to_bytes()?))
}
