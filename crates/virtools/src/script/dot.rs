//! Scripts as graphs for Graphviz.

use super::{Behavior, Parameter, Role, Scripts};
use spelunk_core::text::CodePages;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

/// Outputs by the parameters that they write to.
type Writers = BTreeMap<u32, Vec<u32>>;

impl Scripts<'_> {
    /// The graph of a behaviour, or of all scripts, in the language of Graphviz: graphs are clusters, building blocks
    /// are boxes with their inputs and outputs, links are solid and values dashed.
    pub fn dot(&self, behavior: Option<u32>, pages: &CodePages) -> String {
        let mut dot = String::from(
            "digraph scripts {\n  rankdir=LR;\n  node [shape=record, fontname=\"Helvetica\", fontsize=10];\n  \
             edge [fontname=\"Helvetica\", fontsize=8];\n",
        );
        let mut seen = BTreeSet::new();
        let writers = self.writers();
        let roots: Vec<u32> = match behavior {
            Some(index) => vec![index],
            None => self.scripts().map(|(index, _)| index).collect(),
        };
        for root in &roots {
            self.cluster(*root, pages, &writers, &mut seen, 1, &mut dot);
        }
        // Several values from one to the other are one edge.
        let mut values = BTreeSet::new();
        for (index, behavior) in &self.behaviors {
            if seen.contains(index) {
                self.edges(behavior, &writers, &seen, &mut values, &mut dot);
            }
        }
        for (from, to) in values {
            let _ = writeln!(dot, "  n{from} -> n{to} [style=dashed, color=gray];");
        }
        dot.push_str("}\n");
        dot
    }

    fn cluster(
        &self,
        index: u32,
        pages: &CodePages,
        writers: &Writers,
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
            let label = self.block(index, behavior, pages, writers);
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
            self.cluster(*sub, pages, writers, seen, depth.saturating_add(1), dot);
        }
        for operation in &behavior.operations {
            let name = self.text(*operation, pages);
            let _ = writeln!(dot, "{indent}  n{operation} [shape=ellipse, label=\"{name}\"];");
        }
        let _ = writeln!(dot, "{indent}}}");
    }

    /// A record: inputs, name with constant values, outputs.
    fn block(
        &self,
        index: u32,
        behavior: &Behavior,
        pages: &CodePages,
        writers: &Writers,
    ) -> String {
        let ports = |list: &[u32]| {
            let port = |io: &u32| format!("<p{io}> {}", self.field(*io, pages));
            list.iter().map(port).collect::<Vec<_>>().join("|")
        };
        let mut middle = self.field(index, pages);
        if let Some(known) = behavior.known()
            && known.name != self.label(index, pages)
        {
            let _ = write!(middle, "\\l{}", escape(&format!("({})", known.name), true));
        }
        for input in behavior.target.iter().chain(&behavior.input_parameters) {
            // What others write to is drawn as an edge; what it holds in the file is where it starts.
            let source = self.value_source(*input);
            let Some(source) = source.filter(|source| !writers.contains_key(source)) else {
                continue;
            };
            let Some(source) = self.parameters.get(&source) else { continue };
            let value = match (source.role, &source.value) {
                (Role::Myself, _) => "myself".to_owned(),
                (Role::Local | Role::Setting | Role::Other, Some(value)) => value.show(pages),
                _ => continue,
            };
            let _ = write!(middle, "\\l{} = {}", self.field(*input, pages), escape(&value, true));
        }
        let [inputs, outputs] = [&behavior.inputs, &behavior.outputs].map(|list| ports(list));
        // The outer braces turn it: inputs to the left, outputs to the right.
        format!("{{{{{inputs}}}|{middle}\\l|{{{outputs}}}}}")
    }

    fn edges(
        &self,
        behavior: &Behavior,
        writers: &Writers,
        seen: &BTreeSet<u32>,
        values: &mut BTreeSet<(u32, u32)>,
        dot: &mut String,
    ) {
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
            let to = self.parameters.get(input).and_then(|parameter| parameter.owner);
            let Some(to) = to.filter(|to| self.is_node(*to)) else { continue };
            let mut from = BTreeSet::new();
            self.origins(*input, writers, &mut BTreeSet::new(), &mut from);
            let is_drawn = |from: &&u32| seen.contains(from) || self.operations.contains_key(from);
            values.extend(from.iter().filter(is_drawn).map(|from| (*from, to)));
        }
    }

    /// Outputs by the parameters that they write to.
    fn writers(&self) -> Writers {
        let mut writers = Writers::new();
        for (index, parameter) in &self.parameters {
            for to in &parameter.destinations {
                writers.entry(*to).or_default().push(*index);
            }
        }
        writers
    }

    /// Parameter that gives an input its value, through the inputs of the graphs around it.
    fn value_source(&self, input: u32) -> Option<u32> {
        let mut at = self.parameters.get(&input)?.source?;
        for _ in 0..64 {
            match self.parameters.get(&at) {
                Some(Parameter { role: Role::Input, source: Some(source), .. }) => at = *source,
                _ => break,
            }
        }
        Some(at)
    }

    /// The building blocks and operations that the value of a parameter comes from.
    fn origins(
        &self,
        index: u32,
        writers: &Writers,
        visited: &mut BTreeSet<u32>,
        origins: &mut BTreeSet<u32>,
    ) {
        // As deep as graphs nest, in sound files.
        if visited.len() > 256 || !visited.insert(index) {
            return;
        }
        let Some(parameter) = self.parameters.get(&index) else { return };
        if parameter.role == Role::Output {
            origins.extend(parameter.owner.filter(|owner| self.is_node(*owner)));
        }
        let written = writers.get(&index).into_iter().flatten();
        for source in written.chain(&parameter.source) {
            self.origins(*source, writers, visited, origins);
        }
    }

    /// Whether a behaviour or operation is drawn as a node; graphs are clusters.
    fn is_node(&self, index: u32) -> bool {
        self.behaviors.get(&index).is_none_or(|behavior| behavior.prototype.is_some())
    }

    /// Port at which a link begins or ends.
    fn port(&self, io: u32) -> String {
        let place = self.ios.get(&io).filter(|place| self.is_node(place.behavior));
        place.map_or_else(|| format!("n{io}"), |place| format!("n{}:p{io}", place.behavior))
    }

    fn text(&self, index: u32, pages: &CodePages) -> String {
        escape(&self.label(index, pages), false)
    }

    fn field(&self, index: u32, pages: &CodePages) -> String {
        escape(&self.label(index, pages), true)
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
