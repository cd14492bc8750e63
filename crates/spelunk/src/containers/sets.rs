//! Files that are looked at together: one, or several packs as a game mounts them.

use crate::{
    Budget, Collect, Error, Node, Opened, Options, Result, Task,
    core::text::CodePages,
    core::walk,
    open::{Model, codes},
};
use snpak::{
    Pack,
    set::{Mount, MountId, Provider, Set},
};
use spelunk_core::Container;
use std::num::NonZeroUsize;

/// A file, what people call it, and the prefix of the names in it.
#[derive(Debug)]
pub struct Layer {
    /// Name of the file in rows and messages.
    pub label: String,
    /// Prefix of the names of its assets.
    pub prefix: String,
    /// The file.
    pub opened: Opened,
}

impl Layer {
    /// A file whose names are as they are.
    pub fn new(label: impl Into<String>, opened: Opened) -> Layer {
        Layer { label: label.into(), prefix: String::new(), opened }
    }

    /// The same below a prefix; a `/` is put behind it where there is none.
    #[must_use]
    pub fn at(self, prefix: &str) -> Layer {
        let slash = if prefix.is_empty() || prefix.ends_with('/') { "" } else { "/" };
        Layer { prefix: format!("{prefix}{slash}"), ..self }
    }
}

/// An entry, as rows show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntrySummary {
    /// The file that it is in.
    pub file: String,
    /// Path of the entry, behind the prefix of its file.
    pub path: String,
    /// Class or kind of the entry.
    pub kind: String,
    /// Name of the entry; empty where it has none.
    pub name: String,
}

/// An entry of one of several files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct LayerNode {
    pub(crate) layer: usize,
    pub(crate) node: Node,
}

/// Files that are looked at together, with limits by the size of all.
#[derive(Debug)]
pub(crate) struct Layers {
    pub(crate) layers: Vec<Layer>,
    /// The packs as one set; `None` for a file of another format.
    pub(crate) set: Option<Set>,
    mounts: Vec<MountId>,
    pub(crate) pages: CodePages,
    budget: Budget,
    threads: Option<NonZeroUsize>,
    pub(crate) findings: Collect,
}

impl Layers {
    /// Puts files together. The one of the highest priority wins, of several the last.
    ///
    /// # Errors
    /// [`ONLY_PACKS`](codes::ONLY_PACKS) for several files that are not all packs.
    pub(crate) fn new(
        layers: Vec<Layer>,
        priority: impl Fn(usize) -> i32,
        options: &Options,
    ) -> Result<Layers> {
        let (mut set, mut mounts) = (Set::default(), Vec::new());
        for (nth, layer) in layers.iter().enumerate() {
            let container = layer.opened.container();
            match Model::of(container) {
                Model::Pack(pack) => {
                    let mount = Mount::of_shown(layer.label.clone(), pack);
                    let mount = mount.at(layer.prefix.as_bytes()).priority(priority(nth));
                    mounts.push(set.mount(mount));
                }
                _ if layers.len() == 1 => {}
                _ => {
                    let found = format!("{}: {}", layer.label, container.format());
                    return Err(Error::new(&codes::ONLY_PACKS).found(found));
                }
            }
        }
        let size = layers.iter().map(|layer| layer.opened.container().size()).sum();
        let pages = layers.first().map_or_else(CodePages::utf8, |layer| layer.opened.code_pages());
        let set = Some(set).filter(|_| mounts.len() == layers.len());
        let budget = options.budget(size);
        let (threads, findings) = (options.threads, Collect::default());
        Ok(Layers { layers, set, mounts, pages, budget, threads, findings })
    }

    pub(crate) fn container(&self, layer: usize) -> Result<&dyn Container> {
        let layer = self.layers.get(layer);
        layer.map(|layer| layer.opened.container()).ok_or_else(not_found)
    }

    /// Works on the files with the memory that is left and all steps; findings are kept.
    pub(crate) fn run<T>(&mut self, work: impl FnOnce(&Layers, &mut Task<'_>) -> T) -> T {
        let mut findings = std::mem::take(&mut self.findings);
        let mut task = Task::new(self.budget.clone().for_next_operation(), &mut findings);
        task.threads = self.threads;
        let result = work(self, &mut task);
        let budget = task.budget;
        (self.budget, self.findings) = (budget, findings);
        result
    }

    /// The entry that an asset of the set is.
    pub(crate) fn key(&self, of: Provider) -> Option<LayerNode> {
        let layer = self.mounts.iter().position(|mount| *mount == of.mount)?;
        Some(LayerNode { layer, node: Pack::asset_node(of.row) })
    }

    /// The asset of the set that an entry is.
    pub(crate) fn provider(&self, key: LayerNode) -> Option<Provider> {
        let mount = *self.mounts.get(key.layer)?;
        let row = self.set.as_ref()?.get(mount)?.pack.asset_row(key.node)?;
        Some(Provider { mount, row })
    }

    /// Returns the file, path, kind and name of an entry, for rows. They stay charged.
    pub(crate) fn item(&self, key: LayerNode, task: &mut Task<'_>) -> Result<EntrySummary> {
        let layer = self.layers.get(key.layer).ok_or_else(not_found)?;
        let mut item = None;
        walk::finish(layer.opened.container().entry(
            key.node,
            &self.pages,
            task,
            &mut |entry, task| {
                let mut path = String::new();
                if !entry.path.starts_with('#') {
                    self.pages.path(layer.prefix.as_bytes(), &mut path);
                }
                path.push_str(entry.path);
                let name = crate::core::text::until_nul(entry.name.unwrap_or_default());
                let name = self.pages.show(name).into_owned();
                let size = [&layer.label, &path, &name].map(|text| text.len() as u64);
                task.budget.memory(size.iter().sum::<u64>().saturating_add(128))?;
                let (file, kind) = (layer.label.clone(), entry.kind.to_owned());
                item = Some(EntrySummary { file, path, kind, name });
                Ok(())
            },
        ))?;
        item.ok_or_else(not_found)
    }
}

fn not_found() -> Error {
    Error::new(&codes::core::NOT_FOUND)
}
