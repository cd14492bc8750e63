//! Needs of objects for each other (`docs/formats/virtools-runtime.md#82-dependencies`).

use crate::{class, runtime::context::Context};
use spelunk_core::{Budget, Result};
use std::collections::{HashMap, HashSet};

/// Way in which an object is saved that another one refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Need {
    /// The object is saved too.
    Whole,
    /// The file refers to it.
    Reference,
}

/// Needs of objects, as far as they were asked for.
#[derive(Debug, Default)]
pub(super) struct Needs {
    begun: HashSet<u32>,
    /// Entities by their parents, once that was asked for.
    children: Option<HashMap<u32, Vec<u32>>>,
}

impl Needs {
    /// Somebody sees to an object.
    pub(super) fn begin(&mut self, id: u32) {
        self.begun.insert(id);
    }

    /// Whether somebody does.
    pub(super) fn has_begun(&self, id: u32) -> bool {
        self.begun.contains(&id)
    }

    /// Needs of an object, in the order of its references.
    pub(super) fn of(
        &mut self,
        context: &Context,
        id: u32,
        children: bool,
        budget: &mut Budget,
    ) -> Result<Vec<(u32, Need)>> {
        let class_id = context.object(id).map_or(0, |object| object.class_id());
        let references = context.references(id, budget)?;
        let needs = references.into_iter().filter_map(|(field, other)| {
            Some((other, need(class_id, field)?)).filter(|_| other != id)
        });
        let mut needs: Vec<(u32, Need)> = needs.collect();
        if children && class::is_a(class_id, class::ENTITY_3D) {
            if self.children.is_none() {
                self.children = Some(children_of(context, budget)?);
            }
            let below = self.children.as_ref().and_then(|all| all.get(&id));
            needs.extend(below.into_iter().flatten().map(|child| (*child, Need::Whole)));
        }
        Ok(needs)
    }
}

/// Way in which the target of a field is needed; `None` where it is rather the other way round, so that the object is whole
/// without it: the target holds it, owns it or stands above it.
fn need(class_id: u32, field: &str) -> Option<Need> {
    match field {
        "parent" | "character" | "owner" | "curve" | "grid" | "level" | "place" => None,
        // Where a value comes from and goes to is the matter of the graph in which both are.
        "source" | "shared" if class_id == class::PARAMETER_IN => Some(Need::Reference),
        "destinations" => Some(Need::Reference),
        _ => Some(Need::Whole),
    }
}

fn children_of(context: &Context, budget: &mut Budget) -> Result<HashMap<u32, Vec<u32>>> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for id in context.of_family(class::ENTITY_3D) {
        let references = context.references(id, budget)?;
        let parent = references.into_iter().find(|(field, _)| *field == "parent");
        if let Some((_, parent)) = parent {
            budget.memory(16)?;
            children.entry(parent).or_default().push(id);
        }
    }
    Ok(children)
}
