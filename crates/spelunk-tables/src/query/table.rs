//! What a table is: its name, its columns, and where its rows come from. The database, the list that `--tables` prints and
//! the page of the documentation are made of this alone.

use super::{database::Out, value::Value};
use spellforce::gamedata::Category;
use spelunk_core::{Container, Field, Result, Task, Ty, text::CodePages};
use std::borrow::Cow;

/// What a column holds, as SQLite calls it. Any column may hold NULL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Whole numbers; 0 and 1 for no and yes.
    Integer,
    /// Numbers in double precision.
    Real,
    /// Texts.
    Text,
    /// Whole numbers and others.
    Number,
}

impl Kind {
    /// Its name in SQL.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Integer => "INTEGER",
            Kind::Real => "REAL",
            Kind::Text => "TEXT",
            Kind::Number => "NUMERIC",
        }
    }
}

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Unit of its values, or empty.
    pub unit: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// What listings call it, where its name here is another one.
    pub(super) told: &'static str,
}

/// The last column of every table.
pub(super) const FILE: Column = text("file", "The file that the row is of, as it was named.");

pub(super) const fn integer(name: &'static str, doc: &'static str) -> Column {
    Column { name, kind: Kind::Integer, unit: "", doc, told: name }
}

pub(super) const fn real(name: &'static str, doc: &'static str) -> Column {
    Column { kind: Kind::Real, ..integer(name, doc) }
}

pub(super) const fn text(name: &'static str, doc: &'static str) -> Column {
    Column { kind: Kind::Text, ..integer(name, doc) }
}

impl Column {
    /// The column of a field that is described elsewhere.
    pub(super) const fn of(field: &Field) -> Column {
        let kind = match field.ty {
            Ty::U8 | Ty::I8 | Ty::U16 | Ty::I16 | Ty::U32 | Ty::I32 | Ty::U64 | Ty::Bool => {
                Kind::Integer
            }
            Ty::F32 => Kind::Real,
            _ => Kind::Text,
        };
        Column { kind, unit: field.unit, ..integer(field.name, field.doc) }
    }

    /// The column with this unit.
    pub(super) const fn unit(self, unit: &'static str) -> Column {
        Column { unit, ..self }
    }

    /// The column, which listings call so.
    pub(super) const fn told(self, told: &'static str) -> Column {
        Column { told, ..self }
    }
}

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    /// The schemas that have it: `main` for those of all formats, else what the formats are called here.
    pub schemas: Cow<'static, [&'static str]>,
    /// Its name.
    pub name: Cow<'static, str>,
    /// What a row of it is.
    pub doc: Cow<'static, str>,
    /// Its columns, without the last one, `file`.
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
}

/// Where the rows of a table come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fill {
    /// What hands them out.
    Rows(fn(&Source<'_>, &mut Out<'_>, &mut Task<'_>) -> Result<()>),
    /// What a listing tells of its entries.
    Listing(From),
    /// The items of a list that a listing tells of each of its entries.
    Lists(&'static str),
    /// Everything that is wrong with the file.
    Findings,
    /// A category of GameData.
    Category(&'static Category),
    /// A list of maps, by the id of its chunk.
    List(i16),
    /// Other tables: it is a view.
    View,
}

/// Which entries are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum From {
    /// Those of the listing.
    Listing,
    /// The top of the hierarchy.
    Root,
    /// What lies below the entry of this path, where there is one.
    Below(&'static str),
}

/// The file that rows are of.
#[derive(Clone, Copy)]
pub(super) struct Source<'f> {
    pub(super) container: &'f dyn Container,
    pub(super) pages: &'f CodePages,
}

impl Source<'_> {
    /// A name as it is shown.
    pub(super) fn show<'n>(&self, name: &'n [u8]) -> Value<'n> {
        Value::Text(self.pages.show(spelunk_core::text::until_nul(name)))
    }
}
