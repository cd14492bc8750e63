//! A part of a Virtools file as a file of its own.

use crate::{Error, Opened, Options, Result, codes, select};
use std::collections::BTreeSet;
use virtools::{
    File,
    runtime::{self, Save},
};

pub use virtools::runtime::Depth;

/// What belongs to the part.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Paths of objects, and globs.
    pub paths: Vec<String>,
    /// What becomes of what they need.
    pub depth: Depth,
    /// Whether the entities below an entity belong to what it needs.
    pub children: bool,
    /// What holds references of which nothing is known is kept as it was, and told in the findings, instead of refused.
    pub lossy: bool,
}

/// A part.
#[derive(Debug)]
pub struct Subset {
    /// The file.
    pub opened: Opened,
    /// Objects that were asked for.
    pub asked: usize,
    /// Objects that they need, and that came along.
    pub needed: usize,
    /// Objects that the file only refers to.
    pub referred: usize,
}

/// Makes a file of a part of another one; findings are kept by `opened`.
///
/// # Errors
/// [`NO_SUBSET`](codes::NO_SUBSET) for files of other formats; [`NOT_FOUND`](codes::core::NOT_FOUND) for a path that means
/// no object; those of [`runtime::subset`].
pub fn subset(opened: &mut Opened, part: &Part, options: &Options) -> Result<Subset> {
    let pages = opened.code_pages();
    let size = opened.container().size();
    let (asked, whole, ended) = opened.run(|container, task| {
        let file = container.as_any().downcast_ref::<File>();
        let file = file.ok_or_else(|| Error::new(&codes::NO_SUBSET).found(container.format()))?;
        let mut positions = BTreeSet::new();
        for path in &part.paths {
            let objects = select::objects(file, path, &pages, task)?;
            task.budget.memory((objects.len() as u64).saturating_mul(4))?;
            positions.extend(objects);
        }
        let Part { depth, children, lossy, .. } = *part;
        let save = Save { depth, children, lossy, ..Save::default() };
        // In the order of the file.
        let positions: Vec<u32> = positions.into_iter().collect();
        let ended = runtime::subset_as(file, &positions, save, task)?;
        // What the file itself only refers to stays so.
        let is_whole = |position: &&u32| {
            file.table().objects.get(**position as usize).is_some_and(|object| object.id >= 0)
        };
        let whole = positions.iter().filter(is_whole).count();
        Ok::<_, Error>((positions.len(), whole, ended))
    })?;
    let referred = ended.references.len();
    let needed = ended.objects.len().saturating_sub(referred).saturating_sub(whole);
    let opened = Opened::made(size, options, |_| Ok(Box::new(ended.file)))?;
    Ok(Subset { opened, asked, needed, referred })
}
