//! Rows out of listings: the details of entries in `ls --json`, by the names of the fields.

use super::{
    out::RowSink,
    table::{From, RowSource},
};
use crate::{cell::Cell, column::Column};
use spelunk_core::{
    Entry, Field, Halt, Of, Result, Seg, Shape, Span, Step, Task, Val, Walk, Walked,
    text::{CodePages, until_nul},
    walk::{Group, finish},
};
use std::borrow::Cow;

/// Fills a table with a row for each of these entries.
pub(super) fn entries(
    source: &RowSource<'_>,
    from: From,
    columns: &[Column],
    out: &mut RowSink<'_>,
    task: &mut Task<'_>,
) -> Result<()> {
    let wanted = wanted(columns, out);
    let mut each = |entry: &Entry<'_>, task: &mut Task<'_>| {
        let mut row = Row::new(columns.len(), &wanted, source.pages);
        row.put("path", || entry.path.into());
        row.put("kind", || entry.kind.into());
        row.put("size", || entry.size.into());
        row.put("stored_size", || entry.stored_size.into());
        row.put("name", || entry.name.map(|name| source.pages.show(until_nul(name))).into());
        entry.details.walk(task, &mut row)?;
        let values = row.values;
        Ok(out.row(&values)?)
    };
    let of = match from {
        From::Listing => Of::Listing,
        From::Root => Of::Root,
        From::Below(path) => match source.container.find(path, source.pages, task)?.as_slice() {
            [node] => Of::Node(*node),
            _ => return Ok(()),
        },
    };
    finish(source.container.children(of, source.pages, task, &mut each))
}

/// Fills a table with a row for each item of the list of this name that the listing has of its entries.
pub(super) fn lists(
    source: &RowSource<'_>,
    list: &str,
    columns: &[Column],
    out: &mut RowSink<'_>,
    task: &mut Task<'_>,
) -> Result<()> {
    let wanted = wanted(columns, out);
    let mut each = |entry: &Entry<'_>, task: &mut Task<'_>| {
        let row = Row::new(columns.len(), &wanted, source.pages);
        let mut items = Items { row, list, path: entry.path, depth: 0, in_list: false, out };
        entry.details.walk(task, &mut items)
    };
    finish(source.container.children(Of::Listing, source.pages, task, &mut each))
}

/// The columns that the statement reads: their places, and what listings call them.
fn wanted(columns: &[Column], out: &RowSink<'_>) -> Vec<(usize, &'static str)> {
    let all = columns.iter().enumerate();
    let wanted = all.filter(|(_, column)| out.wants(column.name));
    wanted.map(|(place, column)| (place, column.listed)).collect()
}

/// The values of a row, by the names of the fields in listings.
struct Row<'t> {
    pages: &'t CodePages,
    wanted: &'t [(usize, &'static str)],
    values: Vec<Cell<'static>>,
}

impl<'t> Row<'t> {
    fn new(len: usize, wanted: &'t [(usize, &'static str)], pages: &'t CodePages) -> Row<'t> {
        Row { pages, wanted, values: vec![Cell::Null; len] }
    }

    /// Takes a value, if there is a column for it that is read.
    fn put<'v>(&mut self, field: &str, value: impl FnOnce() -> Cell<'v>) {
        let place = self.wanted.iter().find(|(_, known)| *known == field);
        if let Some(slot) = place.and_then(|(place, _)| self.values.get_mut(*place)) {
            *slot = value().into_owned();
        }
    }
}

impl Walk for Row<'_> {
    fn enter(&mut self, _: &Group<'_>) -> std::result::Result<Step, Halt> {
        Ok(Step::Over)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, value: Val<'_>) -> Walked {
        let pages = self.pages;
        self.put(field.name, || match &value {
            Val::Text(bytes) => Cell::Text(Cow::Owned(pages.show(until_nul(bytes)).into_owned())),
            value => Cell::of(value, pages).into_owned(),
        });
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}

/// The items of a list, each of which is a row.
struct Items<'t, 'o, 'c> {
    row: Row<'t>,
    list: &'t str,
    path: &'t str,
    depth: u32,
    in_list: bool,
    out: &'o mut RowSink<'c>,
}

impl Walk for Items<'_, '_, '_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        let is_ours = matches!(group.name, Seg::Field(name) if name == self.list);
        match self.in_list {
            false if !is_ours => return Ok(Step::Over),
            false => self.in_list = true,
            true if self.depth > 1 => return Ok(Step::Over),
            true => {
                self.row.values.fill(Cell::Null);
                let path = self.path;
                self.row.put("path", || path.into());
            }
        }
        self.depth = self.depth.saturating_add(1);
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        if self.depth == 2 { self.row.field(field, at, value) } else { Ok(()) }
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.depth = self.depth.saturating_sub(1);
        match self.depth {
            0 => self.in_list = false,
            _ => self.out.row(&self.row.values)?,
        }
        Ok(())
    }
}
