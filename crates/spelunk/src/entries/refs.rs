//! References of entries, and references to them: in one file of any format, or across several packs.

use crate::{
    Class, Collect, Error, Node, Opened, Options, Profile, Reference, Result, Task, Val,
    containers::sets::{EntrySummary, Layer, LayerNode, Layers},
    open::codes,
};
use spelunk_core::graph::Graph;
use std::collections::BTreeSet;

/// Choice of the references that count, in formats that say how much something is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// References without which the entry works.
    pub optional: bool,
    /// References that tools want.
    pub auxiliary: bool,
}

impl Default for Needs {
    fn default() -> Needs {
        Needs { optional: true, auxiliary: true }
    }
}

impl Needs {
    fn take(self, reference: &Reference<'_>) -> bool {
        match reference.kind {
            Some("optional") => self.optional,
            Some("auxiliary") => self.auxiliary,
            _ => true,
        }
    }

    /// The same for packs.
    pub(crate) const fn follow(self) -> snpak::set::Follow {
        let Needs { optional, auxiliary } = self;
        snpak::set::Follow { required: true, optional, auxiliary }
    }
}

/// A reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryLink {
    /// The entry that refers.
    pub from: EntrySummary,
    /// The entry that is meant, where there is one.
    pub to: Option<EntrySummary>,
    /// Whether what is meant is there. An entry that stands for something in another file is not.
    pub is_there: bool,
    /// The field that refers.
    pub field: &'static str,
    /// Key by which it refers: an id, a position.
    pub key: String,
    /// The name that is stored with it.
    pub name: Option<String>,
    /// Degree to which it is needed, in formats that have degrees.
    pub kind: Option<&'static str>,
}

impl EntryLink {
    /// Whether something is missing that has to be there.
    pub fn is_required_and_missing(&self) -> bool {
        !self.is_there && self.kind == Some("required")
    }
}

/// An entry with its relations to others.
#[derive(Debug)]
pub struct Related {
    /// The entry.
    pub item: EntrySummary,
    /// References of the entry, in its order. The same target of the same field comes once.
    pub to: Vec<EntryLink>,
    /// References to the entry, in the order of the files.
    pub by: Vec<EntryLink>,
}

/// Entries with all that they refer to, directly and through others.
#[derive(Debug)]
pub struct Closed {
    /// The entries; those that were asked for come first.
    pub items: Vec<EntrySummary>,
    /// Number of entries that were asked for.
    pub asked: usize,
    /// Circles among them, by their positions.
    pub cycles: Vec<Vec<u32>>,
    /// References to what is not there.
    pub missing: Vec<EntryLink>,
}

/// A file, or packs, whose references are listed.
#[derive(Debug)]
pub struct References(Layers);

/// Sees a reference and the entry that it means.
type EachResolved<'e, F> = &'e mut dyn FnMut(F, &Resolved<'_>, &mut Task<'_>) -> Result<()>;

/// A reference, with what it means among all files.
struct Resolved<'r> {
    reference: &'r Reference<'r>,
    to: Option<LayerNode>,
    is_there: bool,
}

impl References {
    /// A file, and for a pack others in which its assets find what they need. The file wins over the others, and of those
    /// the later ones over the earlier.
    ///
    /// # Errors
    /// [`ONLY_PACKS`](codes::ONLY_PACKS) for several files that are not all packs.
    pub fn new(
        label: &str,
        opened: Opened,
        others: Vec<Layer>,
        options: &Options,
    ) -> Result<References> {
        let mut layers = vec![Layer::new(label, opened)];
        layers.extend(others);
        Layers::new(layers, |nth| i32::from(nth == 0), options).map(References)
    }

    /// The name of the format.
    pub fn format(&self) -> &'static str {
        self.0.container(0).map_or("", |container| container.format())
    }

    /// Returns the profile of the format: facts about it for tools.
    pub fn profile(&self) -> Option<&'static Profile> {
        self.0.container(0).ok().map(|container| container.profile())
    }

    /// Whether entries of the format refer to each other.
    pub fn has_refs(&self) -> bool {
        self.0.container(0).is_ok_and(|container| container.has_refs())
    }

    /// Findings so far.
    pub const fn findings(&self) -> &Collect {
        &self.0.findings
    }

    /// Returns the references of an entry of the file, and those to it.
    ///
    /// # Errors
    /// Limits; reading errors.
    pub fn of(&mut self, node: Node) -> Result<Related> {
        self.0.run(|layers, task| {
            let key = LayerNode { layer: 0, node };
            let (mut to, mut by) = (Vec::new(), Vec::new());
            let mut seen = BTreeSet::new();
            refs(layers, &[key], task, &mut |_, resolved, task| {
                task.budget.memory(64)?;
                if seen.insert((
                    resolved.reference.field.name,
                    resolved.to,
                    text(resolved.reference),
                )) {
                    to.push(link(layers, key, resolved, task)?);
                }
                Ok(())
            })?;
            let mut seen = BTreeSet::new();
            all_refs(layers, task, &mut |from, resolved, task| {
                if resolved.to == Some(key) {
                    task.budget.memory(64)?;
                    if seen.insert((from, resolved.reference.field.name)) {
                        by.push(link(layers, from, resolved, task)?);
                    }
                }
                Ok(())
            })?;
            Ok(Related { item: layers.item(key, task)?, to, by })
        })
    }

    /// Entries of the file with all that they refer to, directly and through others.
    ///
    /// # Errors
    /// Limits; reading errors.
    pub fn closure(&mut self, nodes: &[Node], needs: Needs) -> Result<Closed> {
        self.0.run(|layers, task| {
            let roots: BTreeSet<LayerNode> =
                nodes.iter().map(|node| LayerNode { layer: 0, node: *node }).collect();
            let asked = roots.len();
            let mut missing = Vec::new();
            let graph = Graph::reach(roots, task, |keys, task, edge| {
                refs(layers, keys, task, &mut |position, resolved, task| {
                    if !needs.take(resolved.reference) {
                        return Ok(());
                    }
                    let from = keys.get(position);
                    if let Some(from) = from.filter(|_| !resolved.is_there) {
                        missing.push(link(layers, *from, resolved, task)?);
                    }
                    resolved.to.map_or(Ok(()), |to| edge(position, to, task))
                })
            })?;
            let cycles = graph.cycles(&mut task.budget)?;
            let items = graph.nodes().iter().map(|key| layers.item(*key, task));
            let items = items.collect::<Result<_>>()?;
            Ok(Closed { items, asked, cycles, missing })
        })
    }

    /// Returns the references to what is not there, in the file or in any of the packs.
    ///
    /// # Errors
    /// Limits; reading errors.
    pub fn missing(&mut self, needs: Needs) -> Result<Vec<EntryLink>> {
        self.0.run(|layers, task| {
            let mut missing = Vec::new();
            all_refs(layers, task, &mut |from, resolved, task| {
                if !resolved.is_there && needs.take(resolved.reference) {
                    missing.push(link(layers, from, resolved, task)?);
                }
                Ok(())
            })?;
            Ok(missing)
        })
    }
}

/// Resolves a reference. In packs it names an id, which any of them may have.
fn meant<'r>(
    layers: &Layers,
    layer: usize,
    reference: &'r Reference<'r>,
    task: &mut Task<'_>,
) -> Result<Resolved<'r>> {
    let (Some(set), Val::Uuid(id)) = (&layers.set, &reference.key) else {
        let to = reference.node.map(|node| LayerNode { layer, node });
        return Ok(Resolved { reference, to, is_there: reference.is_there });
    };
    let to = set.provider(id, &mut task.budget)?.and_then(|found| layers.key(found));
    Ok(Resolved { reference, to, is_there: to.is_some() })
}

/// Hands out what entries refer to, with their positions among `keys`, in their order.
fn refs(
    layers: &Layers,
    keys: &[LayerNode],
    task: &mut Task<'_>,
    each: EachResolved<'_, usize>,
) -> Result<()> {
    let mut start = 0;
    for own in keys.chunk_by(|a, b| a.layer == b.layer) {
        let Some(layer) = own.first().map(|key| key.layer) else { continue };
        let nodes: Vec<Node> = own.iter().map(|key| key.node).collect();
        layers.container(layer)?.refs(&nodes, task, &mut |position, reference, task| {
            let resolved = meant(layers, layer, reference, task)?;
            each(position.saturating_add(start), &resolved, task)
        })?;
        start = start.saturating_add(own.len());
    }
    Ok(())
}

/// Hands out what all entries refer to that count.
fn all_refs(layers: &Layers, task: &mut Task<'_>, each: EachResolved<'_, LayerNode>) -> Result<()> {
    for layer in 0..layers.layers.len() {
        layers.container(layer)?.all_refs(task, &mut |node, reference, task| {
            let from = LayerNode { layer, node };
            if let (Some(set), Some(asset)) = (&layers.set, layers.provider(from))
                && !set.is_provider(asset, &mut task.budget)?
            {
                return Ok(());
            }
            let resolved = meant(layers, layer, reference, task)?;
            each(from, &resolved, task)
        })?;
    }
    Ok(())
}

fn text(reference: &Reference<'_>) -> String {
    reference.key.to_string()
}

fn link(
    layers: &Layers,
    from: LayerNode,
    resolved: &Resolved<'_>,
    task: &mut Task<'_>,
) -> Result<EntryLink> {
    let reference = resolved.reference;
    let name = reference.name.map(|name| layers.pages.show(name).into_owned());
    let size = name.as_ref().map_or(0, String::len).saturating_add(128) as u64;
    task.budget.memory(size)?;
    let described = |key| match layers.item(key, task) {
        Ok(item) => Ok(Some(item)),
        // Damage of an entry is reported by others.
        Err(error) if error.code().class == Class::Malformed => Ok(None),
        Err(error) => Err(error),
    };
    let to = resolved.to.map(described).transpose()?.flatten();
    Ok(EntryLink {
        from: layers.item(from, task)?,
        to,
        is_there: resolved.is_there,
        field: reference.field.name,
        key: text(reference),
        name,
        kind: reference.kind,
    })
}

/// The error for what is asked of entries that do not refer to each other.
pub fn no_refs(format: &str) -> Error {
    Error::new(&codes::NO_REFS).found(format.to_owned())
}
