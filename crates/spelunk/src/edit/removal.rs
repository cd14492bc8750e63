//! References to entries that are to be removed, and what becomes of them.

use crate::{Container, Node, Result, Task};
use spelunk_core::{Of, WhenGone, text::CodePages, walk::finish};
use std::collections::{BTreeMap, BTreeSet};

/// Number of fields that are listed one by one at the most.
pub const MOST: usize = 1000;

/// A field of an entry that stays, and that refers to what is to be removed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Referrer {
    /// Path of the entry.
    pub path: String,
    /// Class or kind of the entry.
    pub kind: String,
    /// Name of the entry, where it has one.
    pub name: String,
    /// Name of the field.
    pub field: &'static str,
    /// Number of references from the field to removed entries.
    pub references: u64,
    /// Path of the first removed entry that the field refers to.
    pub target: String,
    /// Fate of the references.
    pub becomes: WhenGone,
}

/// The fields of other entries that refer to what is to be removed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Referrers {
    /// The first [`MOST`] of them, in the order of the file.
    pub fields: Vec<Referrer>,
    /// Number of all such fields, listed or not.
    pub count: u64,
}

/// A field, before it is described.
struct RemovalReferrer {
    from: Node,
    target: Node,
    references: u64,
    becomes: WhenGone,
}

/// Finds the fields of entries that stay and refer to these entries, or to what lies directly below them.
///
/// # Errors
/// Limits; reading errors.
pub fn referrers(
    container: &dyn Container,
    nodes: &[Node],
    task: &mut Task<'_>,
) -> Result<Referrers> {
    if !container.has_refs() {
        return Ok(Referrers::default());
    }
    let pages = container.code_pages();
    let mut gone: BTreeSet<Node> = nodes.iter().copied().collect();
    for node in nodes {
        let listed = container.children(Of::Node(*node), &pages, task, &mut |entry, task| {
            task.budget.memory(32)?;
            gone.insert(entry.node);
            Ok(())
        });
        finish(listed)?;
    }
    let mut found: Vec<RemovalReferrer> = Vec::new();
    let mut places: BTreeMap<(Node, &'static str), usize> = BTreeMap::new();
    container.all_refs(task, &mut |from, reference, task| {
        let Some(target) = reference.node.filter(|node| gone.contains(node)) else {
            return Ok(());
        };
        if gone.contains(&from) {
            return Ok(());
        }
        let becomes = reference.when_gone;
        let place = *places.entry((from, reference.field.name)).or_insert(found.len());
        match found.get_mut(place) {
            Some(field) => field.references = field.references.saturating_add(1),
            None => {
                task.budget.memory(128)?;
                found.push(RemovalReferrer { from, target, references: 1, becomes });
            }
        }
        Ok(())
    })?;
    let names: BTreeMap<usize, &'static str> =
        places.iter().map(|((_, field), place)| (*place, *field)).collect();
    let mut fields = Vec::new();
    for (place, RemovalReferrer { from, target, references, becomes }) in
        found.iter().enumerate().take(MOST)
    {
        let (path, kind, name) = described(container, *from, &pages, task)?;
        let (target, ..) = described(container, *target, &pages, task)?;
        let field = names.get(&place).copied().unwrap_or_default();
        let (references, becomes) = (*references, *becomes);
        fields.push(Referrer { path, kind, name, field, references, target, becomes });
    }
    Ok(Referrers { fields, count: found.len() as u64 })
}

/// Path, kind and name of an entry.
fn described(
    container: &dyn Container,
    node: Node,
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<(String, String, String)> {
    let mut texts = (String::new(), String::new(), String::new());
    let walked = container.entry(node, pages, task, &mut |entry, task| {
        let name = entry.name.map(|name| pages.show(name).into_owned()).unwrap_or_default();
        task.budget.memory(entry.path.len().saturating_add(name.len()) as u64)?;
        texts = (entry.path.to_owned(), entry.kind.to_owned(), name);
        Ok(())
    });
    finish(walked)?;
    Ok(texts)
}
