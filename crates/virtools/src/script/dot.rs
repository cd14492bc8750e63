//! Scripts as graphs for Graphviz.

use super::{Behavior, Role, Scripts};
use spelunk_core::text::{CodePages, until_nul};
use std::{collections::BTreeSet, fmt::Write as _};

impl Scripts<'_> {
    /// The graph of a behaviour, or of all scripts, in the language of Graphviz: graphs are clusters, building blocks
    /// are boxes with their inputs and outputs, links are solid and values dashed.
    pub fn dot(&self, behavior: Option<u32>, pages: &CodePages) -> String {
        let mut dot = String::from(
            "digraph scripts {\n  rankdir=LR;\n  node [shape=record, fontname=\"Helvetica\", fontsize=10];\n  \
             edge [fontname=\"Helvetica\", fontsize=8];\n",
        );
        let mut seen = BTreeSet::new();
        let roots: Vec<u32> = match behavior {
            Some(index) => vec![index],
            None => self.scripts().map(|(index, _)| index).collect(),
        };
        for root in &roots {
            self.cluster(*root, pages, &mut seen, 1, &mut dot);
        }
        for (index, behavior) in &self.behaviors {
            if seen.contains(index) {
                self.edges(behavior, &seen, &mut dot);
            }
        }
        dot.push_str("}\n");
        dot
    }

    fn cluster(
        &self,
        index: u32,
        pages: &CodePages,
        seen: &mut BTreeSet<u32>,
        depth: usize,
        dot: &mut String,
    ) {
        let Some(behavior) = self.behaviors.get(&index) else { return };
        if depth > 64 || !seen.insert(index) {
            return;
        }
        let indent = "  ".repeat(depth);
        if behavior.prototype.is_some() {
            let label = self.block(index, behavior, pages);
            let _ = writeln!(dot, "{indent}n{index} [label=\"{label}\"];");
            return;
        }
        let mut label = self.text(index, pages);
        if let Some(owner) = behavior.owner {
            label = format!("{}: {label}", self.text(owner, pages));
        }
        let _ = writeln!(dot, "{indent}subgraph cluster_{index} {{");
        let _ = writeln!(dot, "{indent}  label=\"{label}\";");
        for io in behavior.inputs.iter().chain(&behavior.outputs) {
            let name = self.text(*io, pages);
            let _ = writeln!(dot, "{indent}  n{io} [shape=cds, label=\"{name}\"];");
        }
        for sub in &behavior.sub_behaviors {
            self.cluster(*sub, pages, seen, depth.saturating_add(1), dot);
        }
        for operation in &behavior.operations {
            let name = self.text(*operation, pages);
            let _ = writeln!(dot, "{indent}  n{operation} [shape=ellipse, label=\"{name}\"];");
        }
        let _ = writeln!(dot, "{indent}}}");
    }

    /// A record: inputs, name with constant values, outputs.
    fn block(&self, index: u32, behavior: &Behavior, pages: &CodePages) -> String {
        let ports = |list: &[u32]| {
            let port = |io: &u32| format!("<p{io}> {}", self.field(*io, pages));
            list.iter().map(port).collect::<Vec<_>>().join("|")
        };
        let mut middle = self.field(index, pages);
        for input in behavior.target.iter().chain(&behavior.input_parameters) {
            let source = self.parameters.get(input).and_then(|input| input.source);
            let Some(source) = source.and_then(|source| self.parameters.get(&source)) else {
                continue;
            };
            let value = match (source.role, &source.value) {
                (Role::Myself, _) => "myself".to_owned(),
                (Role::Local | Role::Setting | Role::Other, Some(value)) => value.show(pages),
                _ => continue,
            };
            let _ = write!(middle, "\\l{} = {}", self.field(*input, pages), escape(&value, true));
        }
        format!("{{{}}}|{middle}\\l|{{{}}}", ports(&behavior.inputs), ports(&behavior.outputs))
    }

    fn edges(&self, behavior: &Behavior, seen: &BTreeSet<u32>, dot: &mut String) {
        for link in behavior.links.iter().filter_map(|link| self.links.get(link)) {
            let (Some(source), Some(destination)) = (link.source, link.destination) else {
                continue;
            };
            let label = if link.delay == 0 {
                String::new()
            } else {
                format!(" [label=\"{}\"]", link.delay)
            };
            let _ = writeln!(dot, "  {} -> {}{label};", self.port(source), self.port(destination));
        }
        let operations = behavior.operations.iter().filter_map(|index| self.operations.get(index));
        let inputs = operations.flat_map(|operation| operation.inputs.iter().flatten());
        let subs = behavior.sub_behaviors.iter().filter_map(|sub| self.behaviors.get(sub));
        let inputs =
            inputs.chain(subs.flat_map(|sub| sub.target.iter().chain(&sub.input_parameters)));
        for input in inputs {
            let Some(parameter) = self.parameters.get(input) else { continue };
            let source = parameter.source.and_then(|source| self.parameters.get(&source));
            let (Some(to), Some(source)) = (parameter.owner, source) else { continue };
            if let (Role::Output, Some(from)) = (source.role, source.owner)
                && (seen.contains(&from) || self.operations.contains_key(&from))
                && self.is_node(from)
                && self.is_node(to)
            {
                let _ = writeln!(dot, "  n{from} -> n{to} [style=dashed, color=gray];");
            }
        }
    }

    /// Whether a behaviour or operation is drawn as a node; graphs are clusters.
    fn is_node(&self, index: u32) -> bool {
        self.behaviors.get(&index).is_none_or(|behavior| behavior.prototype.is_some())
    }

    /// Where a link begins or ends.
    fn port(&self, io: u32) -> String {
        let place = self.ios.get(&io).filter(|place| self.is_node(place.behavior));
        place.map_or_else(|| format!("n{io}"), |place| format!("n{}:p{io}", place.behavior))
    }

    fn text(&self, index: u32, pages: &CodePages) -> String {
        escape(&pages.show(until_nul(self.name(index))), false)
    }

    fn field(&self, index: u32, pages: &CodePages) -> String {
        escape(&pages.show(until_nul(self.name(index))), true)
    }
}

/// Text inside quotes; in the label of a record its own signs are escaped too.
fn escape(text: &str, record: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '{' | '}' | '|' | '<' | '>' | ' ' if record => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out
}
