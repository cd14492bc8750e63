//! The fields of an entry that are near one that it does not have, for messages.

use crate::{
    Collect, Container, Error, Field, Halt, Node, Shape, Span, Step, Task, Val, Walk, Walked,
    core::{
        nearest::{Nearest, near_it},
        walk::{Group, Trail, finish},
    },
};

/// Most fields that a message lists.
const LISTED: usize = 12;

/// Says of an error about a field that the entry does not have which ones it has: those near the path, or else the first of all.
/// An error about one that it has stays as it is.
pub fn with_near_fields(
    error: Error,
    container: &dyn Container,
    node: Node,
    path: &str,
    task: &mut Task<'_>,
) -> Error {
    let mut search = FieldSearch {
        wanted: path.split('[').next().unwrap_or_default(),
        nearest: Nearest::to(path),
        trail: Trail::default(),
        first: Vec::new(),
        count: 0,
        is_there: false,
    };
    // Findings of this look are not asked for, and damage is no answer to the question.
    let mut sink = Collect::default();
    let mut quiet = Task::new(task.budget.clone(), &mut sink);
    let _ = finish(container.walk(node, &mut quiet, &mut search));
    task.budget = quiet.budget;
    let FieldSearch { nearest, first, count, is_there, .. } = search;
    if is_there {
        return error;
    }
    if let Some(near) = nearest.suggestion(|_| true) {
        return error.found(near_it(&format!("`{path}`"), Some(near)));
    }
    let more = match count.saturating_sub(first.len()) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let listed: Vec<String> = first.iter().map(|path| format!("`{path}`")).collect();
    let error = error.found(format!("`{path}`"));
    // What holds lists has parts that are entries of their own.
    match listed.is_empty() || listed.iter().any(|path| path.contains('[')) {
        true => error,
        false => error.expected(format!("one of {}{more}", listed.join(", "))),
    }
}

/// Looks at the paths of all fields.
struct FieldSearch<'p> {
    /// The path that is wanted, without the position of an item.
    wanted: &'p str,
    nearest: Nearest,
    trail: Trail,
    first: Vec<String>,
    count: usize,
    is_there: bool,
}

impl Walk for FieldSearch<'_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        self.trail.enter(group);
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, _: Val<'_>) -> Walked {
        let path = self.trail.path(field);
        let rest = self.wanted.strip_prefix(&path);
        // Parts of a packed word stand behind a dot.
        if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) {
            self.is_there = true;
            return Err(Halt::Stop);
        }
        let goes_on = self.nearest.offer(&path);
        self.count = self.count.saturating_add(1);
        if self.first.len() < LISTED {
            self.first.push(path);
        }
        if goes_on { Ok(()) } else { Err(Halt::Stop) }
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.trail.leave();
        Ok(())
    }
}
