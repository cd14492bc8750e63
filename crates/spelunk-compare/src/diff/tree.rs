//! Walks as trees, which can be compared.

use spelunk_core::{
    Container, Error, Field, Halt, Node, Record, Result, Seg, Shape, Span, Step, Task, Val, Walk,
    Walked, codes,
    profile::NameFilter,
    walk::{Group, finish},
};

/// A field, or a group with what it holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FieldTree {
    Field(&'static Field, Val<'static>),
    Group(Branch),
}

/// A group.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Branch {
    pub(super) name: Seg<'static>,
    pub(super) record: &'static Record,
    pub(super) shape: Shape,
    pub(super) items: Vec<FieldTree>,
}

impl FieldTree {
    /// Whether something in it is no bytes.
    pub(super) fn is_more_than_bytes(&self) -> bool {
        match self {
            FieldTree::Field(_, value) => !matches!(value, Val::Bytes(_)),
            FieldTree::Group(branch) => branch.items.iter().any(FieldTree::is_more_than_bytes),
        }
    }

    /// The step of the path that leads here.
    pub(super) fn step(&self) -> Seg<'static> {
        match self {
            FieldTree::Field(field, _) => Seg::Field(field.name),
            FieldTree::Group(branch) => branch.name.clone(),
        }
    }
}

/// Collects a walk.
#[derive(Debug)]
pub(super) struct Collector {
    names: NameFilter,
    open: Vec<Branch>,
    top: Vec<FieldTree>,
    /// Memory that it takes, and how much it may.
    held: u64,
    most: u64,
}

impl Collector {
    pub(super) fn new(names: NameFilter) -> Collector {
        Collector::within(names, u64::MAX)
    }

    /// A collector that takes so many bytes at the most.
    pub(super) fn within(names: NameFilter, most: u64) -> Collector {
        Collector { names, open: Vec::new(), top: Vec::new(), held: 0, most }
    }

    /// Returns the collected trees. Groups that are open are closed.
    pub(super) fn finish(mut self) -> Vec<FieldTree> {
        while let Some(branch) = self.open.pop() {
            self.put(FieldTree::Group(branch));
        }
        self.top
    }

    fn put(&mut self, tree: FieldTree) {
        match self.open.last_mut() {
            Some(branch) => branch.items.push(tree),
            None => self.top.push(tree),
        }
    }

    fn hold(&mut self, bytes: usize) -> Result<()> {
        let node = size_of::<FieldTree>().saturating_mul(3).saturating_add(bytes);
        self.held = self.held.saturating_add(node as u64);
        if self.held > self.most {
            return Err(Error::new(&codes::MEMORY).found(self.held));
        }
        Ok(())
    }
}

impl Walk for Collector {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        let name = match &group.name {
            Seg::Field(name) => Seg::Field(name),
            Seg::Index(index) => Seg::Index(*index),
            Seg::Key(key) => Seg::Key(key.clone().into_owned().into()),
        };
        let depth = self.open.len();
        let seen = match &name {
            Seg::Field(name) => self.names.has(name, depth),
            Seg::Key(key) => self.names.has(key, depth),
            Seg::Index(_) => true,
        };
        if !seen {
            return Ok(Step::Over);
        }
        self.hold(0)?;
        let (record, shape) = (group.record, group.shape);
        self.open.push(Branch { name, record, shape, items: Vec::new() });
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, value: Val<'_>) -> Walked {
        if self.names.has(field.name, self.open.len()) {
            self.hold(value.held())?;
            self.put(FieldTree::Field(field, value.into_owned()));
        }
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        if let Some(branch) = self.open.pop() {
            self.put(FieldTree::Group(branch));
        }
        Ok(())
    }
}

/// The fields of an entry; `None` where it is damaged.
///
/// # Errors
/// Limits; input and output.
pub(super) fn of(
    container: &dyn Container,
    node: Node,
    walked: NameFilter,
    task: &mut Task<'_>,
) -> Result<Option<Vec<FieldTree>>> {
    // What the walk took is free again; the tree lives as long as its comparison, beside that of the other container.
    let (result, collector) = task.transient(|task| {
        task.keeping(|task, most| {
            let mut collector = Collector::within(walked, most);
            ((finish(container.walk(node, task, &mut collector)), collector), most)
        })
    });
    match result {
        Ok(()) => Ok(Some(collector.finish())),
        Err(error) if error.ends_work() => Err(error),
        Err(_) => Ok(None),
    }
}
