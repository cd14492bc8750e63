//! Scripts as an outline.

use super::{Behavior, Role, Scripts};
use crate::entries::PathTarget;
use spelunk_core::{
    container::Outline,
    text::{CodePages, until_nul},
};
use std::collections::BTreeSet;

/// Graphs that are nested more deeply come from damaged files only.
const MAX_DEPTH: usize = 64;

impl Scripts<'_> {
    /// All scripts, below the objects that own them.
    pub fn outline(&self, pages: &CodePages) -> Vec<Outline> {
        let mut owners: Vec<Outline> = Vec::new();
        for (index, script) in self.scripts() {
            let outline = self.behavior_outline(index, pages);
            let Some(owner) = script.owner else {
                owners.push(outline);
                continue;
            };
            let node = PathTarget::Object(owner).node();
            match owners.iter_mut().find(|known| known.node == Some(node)) {
                Some(known) => known.below.push(outline),
                None => owners.push(Outline {
                    label: self.label(owner, pages),
                    note: self.class(owner).into_owned(),
                    node: Some(node),
                    below: vec![outline],
                }),
            }
        }
        owners
    }

    /// A behaviour with all that it consists of.
    pub fn behavior_outline(&self, index: u32, pages: &CodePages) -> Outline {
        self.behavior(index, pages, &mut BTreeSet::new(), 0)
    }

    fn behavior(
        &self,
        index: u32,
        pages: &CodePages,
        seen: &mut BTreeSet<u32>,
        depth: usize,
    ) -> Outline {
        let label = self.owner_label(index, pages);
        let node = Some(PathTarget::Object(index).node());
        let Some(behavior) = self.behaviors.get(&index) else {
            return Outline { label, note: "no behaviour".into(), node, below: Vec::new() };
        };
        let note = self.kind(index, behavior);
        let mut outline = Outline { label, note, node, below: Vec::new() };
        // A behaviour that contains itself is damage; one that two graphs contain is shown once.
        if !seen.insert(index) || depth > MAX_DEPTH {
            return outline;
        }
        if behavior.priority != 0 {
            outline.note.push_str(&format!(", priority {}", behavior.priority));
        }
        if let Some(target) = behavior.target {
            outline.below.push(self.input_outline("target", target, pages));
        }
        for input in &behavior.input_parameters {
            outline.below.push(self.input_outline("in", *input, pages));
        }
        for local in &behavior.local_parameters {
            outline.below.push(self.local_outline(*local, pages));
        }
        for output in &behavior.output_parameters {
            outline.below.push(self.output_outline(*output, pages));
        }
        for operation in &behavior.operations {
            outline.below.push(self.operation_outline(*operation, pages));
        }
        if behavior.prototype.is_none() {
            for input in &behavior.inputs {
                outline.below.push(self.io_outline(behavior, *input, "start", pages));
            }
        }
        for sub in &behavior.sub_behaviors {
            let mut sub_outline = self.behavior(*sub, pages, seen, depth.saturating_add(1));
            for output in self.behaviors.get(sub).into_iter().flat_map(|sub| &sub.outputs) {
                let io = self.io_outline(behavior, *output, "out", pages);
                if io.note != "out" {
                    sub_outline.below.push(io);
                }
            }
            outline.below.push(sub_outline);
        }
        outline
    }

    /// An input or output, and where the links of `graph` lead from it.
    fn io_outline(&self, graph: &Behavior, io: u32, kind: &str, pages: &CodePages) -> Outline {
        let mut ends = Vec::new();
        for link in graph.links.iter().filter_map(|link| self.links.get(link)) {
            if link.source != Some(io) {
                continue;
            }
            let end = match link.destination {
                Some(destination) => self.end(destination, pages),
                None => "nothing".into(),
            };
            let delay =
                if link.delay == 0 { String::new() } else { format!(" after {}", link.delay) };
            ends.push(format!("{end}{delay}"));
        }
        let arrow =
            if ends.is_empty() { String::new() } else { format!(" → {}", ends.join(", ")) };
        Outline {
            label: self.label(io, pages),
            note: format!("{kind}{arrow}"),
            node: Some(PathTarget::Object(io).node()),
            below: Vec::new(),
        }
    }

    /// An input or output with its behaviour.
    fn end(&self, io: u32, pages: &CodePages) -> String {
        let name = self.label(io, pages);
        match self.ios.get(&io) {
            Some(place) => format!("{}.{name}", self.owner_label(place.behavior, pages)),
            None => name,
        }
    }

    fn input_outline(&self, kind: &str, index: u32, pages: &CodePages) -> Outline {
        let source = match self.parameters.get(&index).and_then(|input| input.source) {
            Some(source) => self.source(source, pages),
            None => "nothing".into(),
        };
        let kind = format!("{kind}{} = {source}", self.type_label(index));
        self.parameter_outline(index, kind, pages)
    }

    /// Source of a value: the value itself where it is a constant of the graph.
    fn source(&self, index: u32, pages: &CodePages) -> String {
        let Some(source) = self.parameters.get(&index) else {
            return format!("{}/{}", self.class(index), self.label(index, pages));
        };
        let name = self.label(index, pages);
        let owner = source.owner.map(|owner| self.owner_label(owner, pages)).unwrap_or_default();
        match (source.role, &source.value) {
            (Role::Myself, _) => "myself".into(),
            (Role::Local | Role::Setting | Role::Other, Some(value)) => {
                let value = value.show(pages);
                if source.is_variable {
                    return format!("← {owner}.{name}, {value} at first");
                }
                if name.is_empty() { value } else { format!("{value} [{name}]") }
            }
            (Role::Input, _) => format!("← input {owner}.{name}"),
            _ => format!("← {owner}.{name}"),
        }
    }

    fn local_outline(&self, index: u32, pages: &CodePages) -> Outline {
        let parameter = self.parameters.get(&index);
        let role = parameter.map_or("local", |parameter| match parameter.is_variable {
            true => "variable",
            false => parameter.role.name(),
        });
        let value = parameter.and_then(|parameter| parameter.value.as_ref());
        let value = value.map_or_else(|| "none".into(), |value| value.show(pages));
        let kind = format!("{role}{} = {value}", self.type_label(index));
        self.parameter_outline(index, kind, pages)
    }

    fn output_outline(&self, index: u32, pages: &CodePages) -> Outline {
        let parameter = self.parameters.get(&index);
        let ends = parameter.into_iter().flat_map(|parameter| &parameter.destinations);
        let ends: Vec<String> = ends.map(|end| self.parameter_end(*end, pages)).collect();
        let arrow =
            if ends.is_empty() { String::new() } else { format!(" → {}", ends.join(", ")) };
        let kind = format!("result{}{arrow}", self.type_label(index));
        self.parameter_outline(index, kind, pages)
    }

    fn parameter_end(&self, index: u32, pages: &CodePages) -> String {
        let name = self.label(index, pages);
        match self.parameters.get(&index).and_then(|parameter| parameter.owner) {
            Some(owner) => format!("{}.{name}", self.owner_label(owner, pages)),
            None => name,
        }
    }

    fn parameter_outline(&self, index: u32, note: String, pages: &CodePages) -> Outline {
        let node = Some(PathTarget::Object(index).node());
        // What a block keeps for itself has no name.
        let label = Some(self.label(index, pages)).filter(|label| !label.is_empty());
        let label = label.unwrap_or_else(|| "(unnamed)".into());
        Outline { label, note, node, below: Vec::new() }
    }

    fn operation_outline(&self, index: u32, pages: &CodePages) -> Outline {
        let label = self.label(index, pages);
        let node = Some(PathTarget::Object(index).node());
        let Some(operation) = self.operations.get(&index) else {
            return Outline { label, note: "no operation".into(), node, below: Vec::new() };
        };
        let note = self.operation_kind(index, operation.operation);
        let mut outline = Outline { label, note, node, below: Vec::new() };
        for input in operation.inputs.into_iter().flatten() {
            outline.below.push(self.input_outline("in", input, pages));
        }
        outline.below.extend(operation.output.map(|output| self.output_outline(output, pages)));
        outline
    }

    /// Label of a behaviour: its name, and its position where its graph has another one of this name.
    fn owner_label(&self, owner: u32, pages: &CodePages) -> String {
        let label = self.label(owner, pages);
        match self.behaviors.get(&owner) {
            Some(behavior) if behavior.has_namesake => format!("{label} #{owner}"),
            _ => label,
        }
    }

    /// The stored name; where there is none, the one with which the part was made.
    pub(super) fn label(&self, index: u32, pages: &CodePages) -> String {
        match until_nul(self.name(index)) {
            [] => self.registered_name(index).unwrap_or_default().to_owned(),
            name => pages.show(name).into_owned(),
        }
    }
}
