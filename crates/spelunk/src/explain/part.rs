//! Parts of a file: the bytes that are meant.

use super::place::{bad, place, quoted, space_called, spaces};
use crate::{
    Container, Error, Field, Halt, Result, Shape, Span, Step, Task, Val, Walk, Walked,
    core::text::CodePages,
    core::walk::{Group, finish},
};
use spelunk_core::codes;

/// Stretches of bytes, or all there are.
#[derive(Clone, Debug, Default)]
pub struct SpanSelection {
    /// Sorted and apart in each space; `None` for everything.
    spans: Option<Vec<Span>>,
}

impl SpanSelection {
    /// The whole file with all that it inflates to.
    pub fn all() -> SpanSelection {
        SpanSelection::default()
    }

    /// Parses `text`: `SPACE:` is a whole space, `[SPACE:]OFFSET` everything from that byte on, or `len` bytes where
    /// that is given, and anything else the path of an entry.
    ///
    /// # Errors
    /// [`codes::BAD_PLACE`] when it is none of these; those of [`SpanSelection::entry`].
    pub fn parse(
        container: &dyn Container,
        text: &str,
        len: Option<u64>,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<SpanSelection> {
        if let Some(name) = text.strip_suffix(':') {
            let whole = space_called(container, Some(name));
            let whole = whole.ok_or_else(|| bad(text, spaces(container)))?;
            return Ok(SpanSelection {
                spans: Some(vec![Span { len: whole.len.min(len.unwrap_or(u64::MAX)), ..whole }]),
            });
        }
        match place(container, text) {
            Ok((space, start)) => {
                let whole = space_called(container, Some(&space.to_string()));
                let left = whole.map_or(0, |whole| whole.len.saturating_sub(start));
                let len = left.min(len.unwrap_or(u64::MAX));
                Ok(SpanSelection { spans: Some(vec![Span::new(space, start, len)]) })
            }
            Err(error) => match container.find(text, pages, task) {
                Ok(nodes) if !nodes.is_empty() => {
                    SpanSelection::entry(container, text, pages, task)
                }
                _ => Err(error),
            },
        }
    }

    /// The bytes of the entry that has this path: all that its groups and fields lie in.
    ///
    /// # Errors
    /// When there is no such entry, or more than one; when it cannot be read; limits.
    pub fn entry(
        container: &dyn Container,
        path: &str,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<SpanSelection> {
        let node = match container.find(path, pages, task)?.as_slice() {
            [node] => *node,
            [] => return Err(Error::new(&codes::NOT_FOUND).found(quoted(path))),
            many => {
                let found = format!("`{path}`, which {} entries have", many.len());
                return Err(Error::new(&codes::AMBIGUOUS).found(found));
            }
        };
        let mut extent = Extent::default();
        finish(container.walk(node, task, &mut extent))?;
        let mut spans = extent.spans;
        task.budget.memory((spans.len() as u64).saturating_mul(size_of::<Span>() as u64))?;
        spans.sort_by_key(|span| (span.space, span.start));
        spans.dedup_by(|next, before| {
            let meets = next.space == before.space && next.start <= before.end();
            if meets {
                before.len = before.end().max(next.end()).saturating_sub(before.start);
            }
            meets
        });
        Ok(SpanSelection { spans: Some(spans) })
    }

    /// Whether it is everything.
    pub const fn is_all(&self) -> bool {
        self.spans.is_none()
    }

    /// The stretches, in order; none where it is everything.
    pub fn spans(&self) -> &[Span] {
        self.spans.as_deref().unwrap_or_default()
    }

    /// Stretches of `at` that belong to it. A place between two bytes belongs to what is around it.
    pub fn of(&self, at: Span) -> impl Iterator<Item = Span> + '_ {
        let all = self.spans.is_none().then_some(at);
        let parts = self.spans().iter().filter_map(move |span| {
            let (start, end) = (span.start.max(at.start), span.end().min(at.end()));
            let is_between = at.len == 0 && span.contains(at.space, at.start);
            let is_in = span.space == at.space && (start < end || is_between);
            is_in.then(|| Span::new(at.space, start, end.saturating_sub(start)))
        });
        all.into_iter().chain(parts)
    }

    /// Whether nothing of it lies in a group at this place, and in the groups in that.
    pub(super) fn is_apart(&self, group: Span) -> bool {
        // What a group holds may lie in other spaces.
        let in_space = self.spans().iter().all(|span| span.space == group.space);
        !self.is_all() && in_space && self.of(group).next().is_none()
    }

    /// Whether a walk that has come to `at` has passed all of it.
    pub(super) fn is_behind(&self, at: Span) -> bool {
        !self.is_all()
            && self.spans().iter().all(|span| span.space == at.space && span.end() <= at.start)
    }
}

/// Collects where fields and groups lie; neighbours are one stretch.
#[derive(Default)]
struct Extent {
    spans: Vec<Span>,
}

impl Extent {
    fn add(&mut self, at: Option<Span>) {
        let Some(at) = at.filter(|at| at.len > 0) else { return };
        match self.spans.last_mut() {
            Some(last) if last.space == at.space && last.end() == at.start => {
                last.len = last.len.saturating_add(at.len);
            }
            // Fields lie in the groups that hold them.
            Some(last) if last.contains(at.space, at.start) && at.end() <= last.end() => {}
            _ => self.spans.push(at),
        }
    }
}

impl Walk for Extent {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        self.add(group.at);
        Ok(Step::Into)
    }

    fn field(&mut self, _: &'static Field, at: Option<Span>, _: Val<'_>) -> Walked {
        self.add(at);
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}
