//! Walks as people read them.

use crate::codes;
use serde::Serialize;
use spelunk_core::{
    Error, Field, Halt, Result, Seg, Shape, Span, Step, Val, Walk, Walked, text::CodePages,
    walk::Group,
};

/// A line of a walk as people read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Line {
    /// Number of groups that the line lies in.
    pub depth: usize,
    /// The name of the field or group; `-` for an item of a list.
    pub name: String,
    /// Value of the field; nothing for a group, whose lines follow.
    pub text: String,
}

/// The lines that `walked` pushes, of lists the first `items`, with so many bytes of memory at the most. An item of a list is one
/// line, whatever it holds.
///
/// # Errors
/// [`MEMORY`](codes::core::MEMORY) beyond that; the error that ended the walk. What came before it is there.
pub fn lines(
    pages: &CodePages,
    items: u64,
    most: u64,
    walked: impl FnOnce(&mut dyn Walk) -> Result<()>,
) -> (Vec<Line>, Result<()>) {
    let mut lines = Lines { pages, items, left: most, open: Vec::new(), lines: Vec::new() };
    let result = walked(&mut lines);
    (lines.lines, result)
}

/// Gathers a walk as lines.
struct Lines<'a> {
    pages: &'a CodePages,
    items: u64,
    /// The memory that is left for more of them.
    left: u64,
    open: Vec<ShownGroup>,
    lines: Vec<Line>,
}

/// An open group.
struct ShownGroup {
    name: String,
    shape: Shape,
    /// Items and fields so far.
    count: u64,
    /// The text of a group that becomes one line.
    line: Option<String>,
}

impl Lines<'_> {
    fn line(&mut self, name: &str, text: &str) -> Walked {
        let held = size_of::<Line>().saturating_mul(2).saturating_add(name.len() + text.len());
        self.left = self.left.checked_sub(held as u64).ok_or_else(|| {
            Halt::Failed(
                Error::new(&codes::core::MEMORY).found("more lines than there is room for"),
            )
        })?;
        let depth = self.open.iter().filter(|open| open.shape != Shape::Value).count();
        self.lines.push(Line { depth, name: name.to_owned(), text: text.to_owned() });
        Ok(())
    }

    /// Counts an item of a list; false where the list is long enough.
    fn count(&mut self) -> bool {
        let items = self.items;
        self.open.last_mut().is_none_or(|open| {
            open.count = open.count.saturating_add(1);
            open.shape != Shape::List || open.count <= items
        })
    }

    /// Adds `name text` to the line that is being gathered; false where none is.
    fn gather(&mut self, name: &str, text: &str) -> bool {
        let Some(ShownGroup { line: Some(line), shape, .. }) = self.open.last_mut() else {
            return false;
        };
        if !line.is_empty() {
            line.push_str(", ");
        }
        if *shape != Shape::List && !name.is_empty() {
            line.push_str(name);
            line.push(' ');
        }
        line.push_str(text);
        true
    }

    /// Puts the name of the innermost list before its first item.
    fn list_heading(&mut self, first: bool) -> Walked {
        if !first {
            return Ok(());
        }
        let Some(list) = self.open.pop() else { return Ok(()) };
        let put = self.line(&list.name, "");
        self.open.push(list);
        put
    }
}

impl Walk for Lines<'_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        if !self.count() {
            return Ok(Step::Over);
        }
        let name = match &group.name {
            Seg::Field(name) => (*name).to_owned(),
            Seg::Index(_) => "-".to_owned(),
            Seg::Key(key) => key.clone().into_owned(),
        };
        let in_line = self.open.last().is_some_and(|open| open.line.is_some());
        let one_line = in_line || matches!(group.name, Seg::Index(_));
        if !one_line && group.shape == Shape::Record {
            self.line(&name, "")?;
        }
        let line = one_line.then(String::new);
        self.open.push(ShownGroup { name, shape: group.shape, count: 0, line });
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, _at: Option<Span>, val: Val<'_>) -> Walked {
        let first = self.open.last().is_some_and(|open| open.count == 0);
        if !self.count() {
            return Ok(());
        }
        let text = field.print(&val, self.pages).to_string();
        if self.gather(field.name, &text) {
            return Ok(());
        }
        match self.open.last() {
            // The key of a map stands where the name of its one field would.
            Some(ShownGroup { shape: Shape::Value, name, .. }) => {
                let name = name.clone();
                self.line(&name, &text)
            }
            Some(ShownGroup { shape: Shape::List, .. }) => {
                self.list_heading(first)?;
                self.line("-", &text)
            }
            _ => self.line(field.name, &text),
        }
    }

    fn leave(&mut self, shape: Shape) -> Walked {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let more = open.count.saturating_sub(self.items);
        if let Some(line) = open.line {
            let line = match more {
                _ if shape != Shape::List => line,
                0 => format!("[{line}]"),
                more => format!("[{line}, {more} more]"),
            };
            if self.gather(&open.name, &line) {
                return Ok(());
            }
            let first = self.open.last().is_some_and(|open| open.count == 1);
            self.list_heading(first)?;
            return self.line("-", &line);
        }
        if shape == Shape::List && open.count == 0 {
            return self.line(&open.name, "none");
        }
        if shape == Shape::List && more > 0 {
            self.open.push(ShownGroup { line: None, ..open });
            self.line("...", &format!("{more} more"))?;
            self.open.pop();
        }
        Ok(())
    }
}
