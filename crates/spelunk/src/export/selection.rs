//! Which objects are exported.

use crate::{Error, Of, Result, Task, codes, select::Select, text::CodePages, walk};
use spelunk_core::{Container, Node};
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
    /// [`NOT_FOUND`](codes::core::NOT_FOUND) for one that means no object; reading errors; limits.
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
            // A path that is not well-formed may still be a glob.
            let mut found: Vec<Node> = file.find(path, pages, task).unwrap_or_default();
            if found.is_empty() {
                let select = Select::new(&[path], &[])?;
                walk::finish(file.children(Of::Listing, pages, task, &mut |entry, _| {
                    let name = pages.show(entry.name.unwrap_or_default());
                    if select.matches(entry.path, entry.kind, &name) {
                        found.push(entry.node);
                    }
                    Ok(())
                }))?;
            }
            let objects: Vec<u32> =
                found.iter().filter_map(|node| file.object_index(*node)).collect();
            if objects.is_empty() {
                return Err(Error::new(&codes::core::NOT_FOUND)
                    .expected("the path of an object, or a glob")
                    .found(format!("`{path}`")));
            }
            for object in objects {
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
