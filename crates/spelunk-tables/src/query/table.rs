//! Description of a table: its name, its columns, and the source of its rows. The database, the list that `--tables` prints and
//! the page of the documentation are made of this alone.

use super::{out::RowSink, sql::quoted};
use crate::{
    cell::Cell,
    column::{Column, ColumnKind},
};
use spellforce::gamedata::{Category, Schema};
use spelunk_core::{Container, Result, Source, Task, text::CodePages};
use std::{borrow::Cow, sync::Arc};

/// The last column of every table.
pub(super) const FILE: Column = text("file", "The file that the row is of, as it was named.");

pub(super) const fn integer(name: &'static str, doc: &'static str) -> Column {
    Column::new(name, ColumnKind::Integer, doc)
}

pub(super) const fn real(name: &'static str, doc: &'static str) -> Column {
    Column::new(name, ColumnKind::Real, doc)
}

pub(super) const fn text(name: &'static str, doc: &'static str) -> Column {
    Column::new(name, ColumnKind::Text, doc)
}

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    /// The schemas that have it: `main` for those of all formats, else what the formats are called here.
    pub schemas: Cow<'static, [&'static str]>,
    /// Name of the table.
    pub name: Cow<'static, str>,
    /// A sentence on its rows.
    pub doc: Cow<'static, str>,
    /// Columns, without the last one, `file`.
    pub columns: Cow<'static, [Column]>,
    pub(super) fill: Fill,
}

impl Table {
    pub(super) const fn new(
        schemas: &'static [&'static str],
        name: &'static str,
        doc: &'static str,
        columns: &'static [Column],
        fill: Fill,
    ) -> Table {
        Table {
            schemas: Cow::Borrowed(schemas),
            name: Cow::Borrowed(name),
            doc: Cow::Borrowed(doc),
            columns: Cow::Borrowed(columns),
            fill,
        }
    }

    /// All of its columns.
    pub fn all_columns(&self) -> impl Iterator<Item = &Column> {
        let has_own = self.columns.iter().any(|column| column.name == FILE.name);
        self.columns.iter().chain((!has_own).then_some(&FILE))
    }

    /// The columns as a statement of SQL declares them.
    pub(super) fn declared(&self) -> String {
        let declared = |column: &Column| format!("{} {}", quoted(column.name), column.kind.sql());
        self.all_columns().map(declared).collect::<Vec<_>>().join(", ")
    }
}

/// Source of the rows of a table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fill {
    /// A function that hands them out.
    Rows(fn(&RowSource<'_>, &mut RowSink<'_>, &mut Task<'_>) -> Result<()>),
    /// The entries of a listing with their details.
    Listing(From),
    /// The items of a list that a listing has of each of its entries.
    Lists(&'static str),
    /// Everything that is wrong with the file.
    Findings,
    /// A category of GameData.
    Category(&'static Category),
    /// A list of maps of a form, by the id of its chunk.
    List(Schema, i16),
    /// Other tables: it is a view.
    View,
}

/// Entries that a table lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum From {
    /// The entries of the listing.
    Listing,
    /// The top of the hierarchy.
    Root,
    /// The entries below the entry of this path, where there is one.
    Below(&'static str),
}

/// The file that rows are of.
#[derive(Clone, Copy)]
pub(super) struct RowSource<'f> {
    pub(super) container: &'f dyn Container,
    pub(super) pages: &'f CodePages,
    /// The bytes of the file, as long as it was not changed.
    pub(super) bytes: Option<&'f Arc<dyn Source>>,
}

impl RowSource<'_> {
    /// A name as it is shown.
    pub(super) fn show<'n>(&self, name: &'n [u8]) -> Cell<'n> {
        Cell::Text(self.pages.show(spelunk_core::text::until_nul(name)))
    }
}
