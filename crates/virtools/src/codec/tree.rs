//! Fields of values as a tree, apart from the walk that shows them.

use spelunk_core::{Field, Group, Halt, Seg, Shape, Span, Step, Val, Walk, Walked, walk::finish};
use std::borrow::Cow;

/// Values that fields are to have: the tree that a walk shows, with as much of it as is to be changed.
#[derive(Clone, PartialEq, Debug)]
pub enum Tree<'t> {
    /// Fields by their names, or items of a list by their positions.
    Map(Vec<(Cow<'t, str>, Tree<'t>)>),
    /// All items of a list.
    List(Vec<Tree<'t>>),
    /// A value.
    Val(Val<'t>),
}

impl<'t> Tree<'t> {
    /// A tree with one field to be changed. Its path has names with dots between them, and positions in brackets:
    /// `vertices.positions[3][1]`.
    pub fn at(path: &'t str, value: Val<'t>) -> Tree<'t> {
        let steps = path.split(['.', '[']).map(|step| step.strip_suffix(']').unwrap_or(step));
        let wrap = |tree, step: &'t str| Tree::Map(vec![(Cow::Borrowed(step), tree)]);
        steps.filter(|step| !step.is_empty()).rev().fold(Tree::Val(value), wrap)
    }
}

/// Makes a tree of what a walk shows.
///
/// # Errors
/// What the walk gives.
pub fn of(walked: impl FnOnce(&mut dyn Walk) -> Walked) -> spelunk_core::Result<Tree<'static>> {
    let root = (Seg::Field(""), OpenBranch::Map(Vec::new()));
    let mut maker = Maker { open: vec![root] };
    finish(walked(&mut maker))?;
    Ok(maker.open.pop().map_or(Tree::Val(Val::None), |(_, open)| open.close()))
}

struct Maker {
    open: Vec<(Seg<'static>, OpenBranch)>,
}

enum OpenBranch {
    Map(Vec<(Cow<'static, str>, Tree<'static>)>),
    List(Vec<Tree<'static>>),
    Val(Val<'static>),
}

impl OpenBranch {
    fn close(self) -> Tree<'static> {
        match self {
            OpenBranch::Map(entries) => Tree::Map(entries),
            OpenBranch::List(items) => Tree::List(items),
            OpenBranch::Val(value) => Tree::Val(value),
        }
    }
}

impl Maker {
    fn put(&mut self, name: Cow<'static, str>, tree: Tree<'static>) {
        match (self.open.last_mut(), tree) {
            (Some((_, OpenBranch::Map(entries))), tree) => entries.push((name, tree)),
            (Some((_, OpenBranch::List(items))), tree) => items.push(tree),
            (Some((_, OpenBranch::Val(slot))), Tree::Val(value)) => *slot = value,
            _ => {}
        }
    }
}

impl Walk for Maker {
    fn enter(&mut self, group: &Group<'_>) -> Result<Step, Halt> {
        let name = match &group.name {
            Seg::Field(name) => Seg::Field(name),
            Seg::Index(index) => Seg::Index(*index),
            Seg::Key(key) => Seg::Key(key.clone().into_owned().into()),
        };
        let open = match group.shape {
            Shape::Record => OpenBranch::Map(Vec::new()),
            Shape::List => OpenBranch::List(Vec::new()),
            Shape::Value => OpenBranch::Val(Val::None),
        };
        self.open.push((name, open));
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, value: Val<'_>) -> Walked {
        self.put(Cow::Borrowed(field.name), Tree::Val(value.into_owned()));
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        let Some((name, open)) = self.open.pop() else { return Ok(()) };
        let name = match name {
            Seg::Field(name) => Cow::Borrowed(name),
            Seg::Index(index) => Cow::Owned(index.to_string()),
            Seg::Key(key) => key,
        };
        self.put(name, open.close());
        Ok(())
    }
}
