//! Going over the entries of a container, with what lies below them: the one way in which tools do it.
//!
//! Entries are handed out as the container has them, one at a time. Nothing of them is kept here, but for the ids of those
//! that are gone into later where the order asks for that.
//!
//! ```
//! use spelunk_core::{
//!     Container, Entry, Of, Result, Step, Task,
//!     entries::{At, Traversal, Visit},
//!     text::CodePages,
//!     walk::Halt,
//! };
//!
//! /// Counts the entries of a hierarchy that are no folders.
//! struct Count(u64);
//!
//! impl Visit for Count {
//!     fn entry(
//!         &mut self,
//!         entry: &Entry<'_>,
//!         _: At,
//!         _: &mut Task<'_>,
//!     ) -> std::result::Result<Step, Halt> {
//!         self.0 += u64::from(entry.kind != spelunk_core::container::kind::FOLDER);
//!         Ok(Step::Into)
//!     }
//! }
//!
//! fn count(container: &dyn Container, pages: &CodePages, task: &mut Task<'_>) -> Result<u64> {
//!     let mut count = Count(0);
//!     Traversal::new(pages).visit(container, &[Of::Root], task, &mut count)?;
//!     Ok(count.0)
//! }
//! ```

use crate::{
    container::Container,
    entry::{Entry, Node, Of},
    error::Result,
    finding::Task,
    text::CodePages,
    walk::{Halt, Step, Walked, finish},
};

/// The entries of each path, path by path, for the [`find_all`](Container::find_all) of containers where one path costs little.
///
/// # Errors
/// Those of [`Container::find`].
pub fn find_each<C: Container + ?Sized>(
    container: &C,
    paths: &[&str],
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<Vec<Vec<Node>>> {
    paths.iter().map(|path| container.find(path, pages, task)).collect()
}

/// Levels below the first at the most: deeper hierarchies come from damaged files only.
pub const MAX_DEPTH: usize = 64;

/// The order in which entries are handed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// An entry, what lies below it, then the next one beside it.
    #[default]
    Nested,
    /// All entries beside each other, then what lies below the first of them, with what lies below that.
    Siblings,
    /// All entries of a level, then all of the next one.
    Levels,
}

/// Place at which an entry was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// List that the entry is in.
    pub of: Of,
    /// Number of entries above it, counted from where the traversal began.
    pub depth: usize,
    /// The position among those beside it.
    pub nth: usize,
}

/// Sees entries.
pub trait Visit {
    /// An entry. Says whether to go into it, which [`Visit::leave`] follows.
    ///
    /// # Errors
    /// [`Halt`], to end the traversal.
    fn entry(
        &mut self,
        entry: &Entry<'_>,
        at: At,
        task: &mut Task<'_>,
    ) -> std::result::Result<Step, Halt>;

    /// All that lies below an entry that was gone into was handed out, or is too deep for that; in the order
    /// [`Order::Nested`] alone.
    ///
    /// # Errors
    /// [`Halt`], to end the traversal.
    fn leave(&mut self, entry: &Entry<'_>, task: &mut Task<'_>) -> Walked {
        let _ = (entry, task);
        Ok(())
    }

    /// All entries beside each other were handed out, and these of them are gone into next, in an order that may be changed;
    /// in the orders [`Order::Siblings`] and [`Order::Levels`] alone.
    ///
    /// # Errors
    /// [`Halt`], to end the traversal.
    fn level(&mut self, inner: &mut [Node], task: &mut Task<'_>) -> Walked {
        let _ = (inner, task);
        Ok(())
    }
}

/// Traversal of entries: depth, order and bounds.
#[derive(Clone, Copy, Debug)]
pub struct Traversal<'p> {
    pages: &'p CodePages,
    depth: usize,
    has_parts: bool,
    order: Order,
}

impl<'p> Traversal<'p> {
    /// All levels, each entry before what lies below it. Names are in these code pages.
    pub const fn new(pages: &'p CodePages) -> Traversal<'p> {
        Traversal { pages, depth: MAX_DEPTH, has_parts: false, order: Order::Nested }
    }

    /// Goes so many levels below the first, [`MAX_DEPTH`] at the most.
    #[must_use]
    pub fn depth(self, depth: usize) -> Traversal<'p> {
        Traversal { depth: depth.min(MAX_DEPTH), ..self }
    }

    /// Hands out what the bytes of entries consist of too, behind what lies below them.
    #[must_use]
    pub const fn parts(self, has_parts: bool) -> Traversal<'p> {
        Traversal { has_parts, ..self }
    }

    /// Hands entries out in this order.
    #[must_use]
    pub const fn order(self, order: Order) -> Traversal<'p> {
        Traversal { order, ..self }
    }

    /// Goes over the entries of `from` and what lies below them.
    ///
    /// # Errors
    /// Those of the visitor and of [`Container::children`].
    pub fn visit<C: Container + ?Sized>(
        &self,
        container: &C,
        from: &[Of],
        task: &mut Task<'_>,
        visitor: &mut dyn Visit,
    ) -> Result<()> {
        finish(match self.order {
            Order::Nested => {
                from.iter().try_for_each(|of| self.nested(container, *of, 0, task, visitor))
            }
            Order::Siblings => {
                from.iter().try_for_each(|of| self.siblings(container, *of, 0, task, visitor))
            }
            Order::Levels => self.levels(container, from, task, visitor),
        })
    }

    /// Goes over these entries and what lies below them, level by level.
    ///
    /// # Errors
    /// Those of the visitor, of [`Container::entry`] and [`Container::children`].
    pub fn visit_nodes<C: Container + ?Sized>(
        &self,
        container: &C,
        nodes: &[Node],
        task: &mut Task<'_>,
        visitor: &mut dyn Visit,
    ) -> Result<()> {
        let mut inner = Vec::new();
        for (nth, node) in nodes.iter().enumerate() {
            let at = At { of: Of::Listing, depth: 0, nth };
            finish(container.entry(*node, self.pages, task, &mut |entry, task| {
                if let Step::Into = visitor.entry(entry, at, task)?
                    && self.depth > 0
                {
                    task.budget.room(&mut inner, 1)?;
                    inner.push(entry.node);
                }
                Ok(())
            }))?;
        }
        finish(visitor.level(&mut inner, task))?;
        finish(self.below(container, inner, task, visitor))
    }

    /// Lists below an entry that are gone over.
    fn inside(&self, node: Node) -> impl Iterator<Item = Of> + use<> {
        let parts = self.has_parts.then_some(Of::Parts(node));
        [Some(Of::Node(node)), parts].into_iter().flatten()
    }

    fn nested<C: Container + ?Sized>(
        &self,
        container: &C,
        of: Of,
        depth: usize,
        task: &mut Task<'_>,
        visitor: &mut dyn Visit,
    ) -> Walked {
        let mut nth = 0_usize;
        container.children(of, self.pages, task, &mut |entry, task| {
            let at = At { of, depth, nth };
            nth = nth.saturating_add(1);
            if let Step::Over = visitor.entry(entry, at, task)? {
                return Ok(());
            }
            if depth < self.depth {
                let below = depth.saturating_add(1);
                self.inside(entry.node)
                    .try_for_each(|of| self.nested(container, of, below, task, visitor))?;
            }
            visitor.leave(entry, task)
        })
    }

    /// Hands out the entries beside each other, and adds those that are to be gone into to `inner`.
    fn level<C: Container + ?Sized>(
        &self,
        container: &C,
        (of, depth): (Of, usize),
        inner: &mut Vec<Node>,
        task: &mut Task<'_>,
        visitor: &mut dyn Visit,
    ) -> Walked {
        let (before, mut nth) = (inner.len(), 0_usize);
        container.children(of, self.pages, task, &mut |entry, task| {
            let at = At { of, depth, nth };
            nth = nth.saturating_add(1);
            if let Step::Into = visitor.entry(entry, at, task)?
                && depth < self.depth
            {
                task.budget.room(inner, 1)?;
                inner.push(entry.node);
            }
            Ok(())
        })?;
        visitor.level(inner.get_mut(before..).unwrap_or_default(), task)
    }

    fn siblings<C: Container + ?Sized>(
        &self,
        container: &C,
        of: Of,
        depth: usize,
        task: &mut Task<'_>,
        visitor: &mut dyn Visit,
    ) -> Walked {
        let mut inner = Vec::new();
        self.level(container, (of, depth), &mut inner, task, visitor)?;
        let below = depth.saturating_add(1);
        let mut all = inner.iter().flat_map(|node| self.inside(*node));
        all.try_for_each(|of| self.siblings(container, of, below, task, visitor))?;
        drop(all);
        release(inner, task);
        Ok(())
    }

    fn levels<C: Container + ?Sized>(
        &self,
        container: &C,
        from: &[Of],
        task: &mut Task<'_>,
        visitor: &mut dyn Visit,
    ) -> Walked {
        let mut level = Vec::new();
        for of in from {
            self.level(container, (*of, 0), &mut level, task, visitor)?;
        }
        self.below(container, level, task, visitor)
    }

    /// Hands out what lies below the entries of the first level, level by level.
    fn below<C: Container + ?Sized>(
        &self,
        container: &C,
        mut level: Vec<Node>,
        task: &mut Task<'_>,
        visitor: &mut dyn Visit,
    ) -> Walked {
        let mut depth = 0_usize;
        while !level.is_empty() {
            depth = depth.saturating_add(1);
            let mut next = Vec::new();
            for of in level.iter().flat_map(|node| self.inside(*node)) {
                self.level(container, (of, depth), &mut next, task, visitor)?;
            }
            release(level, task);
            level = next;
        }
        Ok(())
    }
}

/// Gives the memory of a list of entries back, which goes.
fn release(nodes: Vec<Node>, task: &mut Task<'_>) {
    task.budget.release((nodes.capacity() as u64).saturating_mul(size_of::<Node>() as u64));
}
