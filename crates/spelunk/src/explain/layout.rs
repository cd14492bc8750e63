//! Layout of a file, from its first byte to its last.

use super::part::SpanSelection;
use crate::{
    Container, Field, Halt, Record, Result, Shape, Span, Step, Task, Val, Walk, Walked,
    core::walk::{FlatField, Group, Trail, finish},
};
use spelunk_core::error::dotted;

/// Takes the layout of a file, group by group and field by field.
pub trait LayoutSink {
    /// A group of which fields follow, inside as many others as `depth` says.
    ///
    /// # Errors
    /// Whatever ends the layout.
    fn group(
        &mut self,
        depth: usize,
        path: &str,
        record: &'static Record,
        at: Option<Span>,
    ) -> Result<()>;

    /// A field, of which `parts` are meant: more than one where several stretches of it are.
    ///
    /// # Errors
    /// Whatever ends the layout.
    fn field(&mut self, field: &Placed<'_>, parts: &mut dyn Iterator<Item = Span>) -> Result<()>;
}

/// A field and its place.
#[derive(Debug)]
pub struct Placed<'a> {
    /// Number of groups around it that were handed out.
    pub depth: usize,
    /// The path of the group that it is in, and nothing at the top.
    pub group: &'a str,
    /// Path of the field: that of the group and one step.
    pub path: &'a str,
    /// Description of the field.
    pub field: &'static Field,
    /// The record that it belongs to.
    pub record: Option<&'static Record>,
    /// Bytes of the field.
    pub at: Span,
    /// Value of the field.
    pub value: &'a Val<'a>,
}

impl Placed<'_> {
    /// Returns the part of its path behind that of its group.
    pub fn step(&self) -> &str {
        let step = self.path.strip_prefix(self.group).unwrap_or(self.path);
        step.strip_prefix('.').unwrap_or(step)
    }

    /// The field with values of its own. Of bytes beyond the first `most` the copy has none.
    pub fn to_flat(&self, most: usize) -> FlatField {
        let value = match self.value {
            Val::Bytes(bytes) => Val::Bytes(bytes.get(..most).unwrap_or(bytes).to_owned().into()),
            other => other.clone().into_owned(),
        };
        FlatField {
            path: self.path.to_owned(),
            field: self.field,
            record: self.record,
            at: Some(self.at),
            value,
        }
    }
}

/// Hands out the fields of a part in the order of their bytes, each once, and what each inflated space holds behind the
/// stored bytes that it is made of.
///
/// # Errors
/// What `sink` returns; reading errors; limits.
pub fn layout(
    container: &dyn Container,
    part: &SpanSelection,
    task: &mut Task<'_>,
    sink: &mut dyn LayoutSink,
) -> Result<()> {
    let mut laying = Laying { part, sink, trail: Trail::default(), open: Vec::new(), shown: 0 };
    finish(container.layout(task, &mut laying))
}

/// An open group.
struct OpenGroup {
    shape: Shape,
    at: Option<Span>,
    /// Made when the group is handed out.
    path: String,
}

struct Laying<'t> {
    part: &'t SpanSelection,
    sink: &'t mut dyn LayoutSink,
    trail: Trail,
    open: Vec<OpenGroup>,
    /// Number of the open groups that were handed out.
    shown: usize,
}

impl Laying<'_> {
    /// Hands out the open groups that were not handed out before.
    fn groups(&mut self) -> Result<()> {
        let names: Vec<_> = self.trail.open().collect();
        let open = self.open.iter_mut().enumerate().zip(&names).skip(self.shown);
        for ((depth, open), (_, record)) in open {
            open.path = dotted(names.iter().take(depth.saturating_add(1)).map(|(name, _)| *name));
            // The key of a map is the name of its one field.
            if open.shape != Shape::Value {
                self.sink.group(depth, &open.path, record, open.at)?;
            }
        }
        self.shown = self.open.len();
        Ok(())
    }
}

impl Walk for Laying<'_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        if group.at.is_some_and(|at| self.part.is_apart(at)) {
            return Ok(Step::Over);
        }
        self.trail.enter(group);
        self.open.push(OpenGroup { shape: group.shape, at: group.at, path: String::new() });
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        let Some(at) = at else {
            self.trail.pass();
            return Ok(());
        };
        let mut parts = self.part.of(at).peekable();
        if parts.peek().is_none() {
            self.trail.pass();
            return if self.part.is_behind(at) { Err(Halt::Stop) } else { Ok(()) };
        }
        let path = self.trail.path(field);
        let record = self.trail.record();
        self.groups()?;
        let named = self.open.iter().rev().find(|open| open.shape != Shape::Value);
        let depth = self.open.iter().filter(|open| open.shape != Shape::Value).count();
        let group = named.map_or("", |open| &open.path);
        let placed = Placed { depth, group, path: &path, field, record, at, value: &value };
        Ok(self.sink.field(&placed, &mut parts)?)
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.trail.leave();
        self.open.pop();
        self.shown = self.shown.min(self.open.len());
        Ok(())
    }
}
