//! Choice of the objects that are exported.

use spelunk_core::{Result, Task, text::CodePages};
use spelunk_open::entries::select;
use std::collections::BTreeSet;
use virtools::{
    File,
    class::{self, Value},
    codec::Reference,
    file::data::Owner,
};

/// Groups in groups are followed this deep.
const MAX_DEPTH: usize = 16;

/// Chosen objects, by their positions; members in the place of groups.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection(BTreeSet<u32>);

impl Selection {
    /// The objects that paths and globs mean; `None` where there are none.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND) for one that means no object; reading errors; limits.
    pub fn of(
        file: &File,
        paths: &[String],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Option<Selection>> {
        if paths.is_empty() {
            return Ok(None);
        }
        let mut chosen = BTreeSet::new();
        for path in paths {
            for object in select::objects(file, path, pages, task)? {
                add(file, object, 0, &mut chosen, task)?;
            }
        }
        Ok(Some(Selection(chosen)))
    }

    /// Whether an object is chosen.
    pub fn has(&self, index: u32) -> bool {
        self.0.contains(&index)
    }

    /// The chosen objects, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().copied()
    }
}

/// Adds an object, or the members of a group.
fn add(
    file: &File,
    index: u32,
    depth: usize,
    chosen: &mut BTreeSet<u32>,
    task: &mut Task<'_>,
) -> Result<()> {
    task.budget.steps(1)?;
    let class_id = file.table().objects.get(index as usize).map(|object| object.class_id);
    if class_id != Some(class::GROUP) {
        task.budget.memory(size_of::<u32>() as u64)?;
        chosen.insert(index);
        return Ok(());
    }
    let saved = file.value(Owner::Object(index), &mut Vec::new(), &mut task.budget)?;
    let Some(Value::Group(group)) = saved.map(|saved| saved.value) else { return Ok(()) };
    for member in group.members.iter().flat_map(|members| members.iter()) {
        let member = Reference::index(member.get()).get(true).value();
        if let Some(member) = member
            && !chosen.contains(&member)
            && depth < MAX_DEPTH
        {
            add(file, member, depth + 1, chosen, task)?;
        }
    }
    Ok(())
}
