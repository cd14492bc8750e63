//! The tables of GameData: its categories, languages, and views over them.

use super::{
    database::{Database, Out, quoted},
    spellforce::CFF,
    table::{Column, Fill, Source, Table, integer, text},
    value::Value,
};
use crate::{
    ROW,
    cell::Cell,
    column::{self, columns},
    read::Tables,
    sql::schema,
};
use spellforce::gamedata::{Category, Languages, TEXTS, category, schema::TextRow};
use spelunk_core::{Result, Task};
use spelunk_open::{Opened, languages::gamedata};
use std::borrow::Cow;

/// What is known of the GameData among the files, before they are read.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Their categories, in the order in which they were met.
    categories: Vec<&'static Category>,
    /// The codes of the languages of their texts.
    codes: Vec<String>,
}

impl Known {
    /// Takes note of a file, if it is a GameData.
    pub(super) fn meet(&mut self, opened: &mut Opened) -> Result<()> {
        if gamedata(opened.container()).is_err() {
            return Ok(());
        }
        opened.run(|container, task| {
            let tables = Tables::of_rows(container, task)?;
            for category in tables.categories() {
                if self.categories.iter().all(|known| known.id != category.id) {
                    self.categories.push(category);
                }
            }
            for (_, code) in schema::codes(tables.languages) {
                if !self.codes.contains(&code) {
                    self.codes.push(code);
                }
            }
            Ok(())
        })
    }

    /// The tables and views.
    pub(super) fn tables(&self) -> Vec<Table> {
        if self.categories.is_empty() {
            return Vec::new();
        }
        let mut tables: Vec<Table> =
            self.categories.iter().map(|category| table(category)).collect();
        tables.extend(fixed());
        tables.extend(schema::targets(&self.categories).into_iter().map(|category| Table {
            name: format!("{}_ids", category.table).into(),
            doc: format!("The distinct ids of `{}`.", category.table).into(),
            ..IDS
        }));
        let has_texts = self.categories.iter().any(|category| category.id == TEXTS);
        let texts = category(TEXTS).filter(|_| has_texts).map(table);
        tables.extend(texts.iter().flat_map(|texts| {
            let shown = texts.columns.iter().filter(|column| column.name != language_column());
            let shown: Vec<Column> = shown.copied().collect();
            self.codes.iter().map(move |code| Table {
                schemas: Cow::Borrowed(&[CFF]),
                name: format!("texts_{code}").into(),
                doc: format!("The texts of the language `{code}`.").into(),
                columns: shown.clone().into(),
                fill: Fill::View,
            })
        }));
        tables
    }

    /// Makes the views.
    pub(super) fn make_views(&self, database: &Database) -> Result<()> {
        if self.categories.is_empty() {
            return Ok(());
        }
        database.run(&schema::id_views(&self.categories, CFF))?;
        database.run(&schema::dangling(&self.categories, Some(CFF)))?;
        for view in self.tables().iter().filter(|table| table.name.starts_with("texts_")) {
            let Some(code) = view.name.strip_prefix("texts_") else { continue };
            // The ids of texts have such a name too.
            if !self.codes.iter().any(|known| known == code) {
                continue;
            }
            let names: Vec<String> = view.all_columns().map(|column| quoted(column.name)).collect();
            database.run(&format!(
                "CREATE VIEW {CFF}.{} AS SELECT {} FROM texts AS t WHERE EXISTS (SELECT 1 FROM languages AS l WHERE \
                 l.code = '{code}' AND l.slot = t.{} AND l.file = t.file)",
                quoted(&view.name),
                names.join(", "),
                quoted(language_column()),
            ))?;
        }
        Ok(())
    }
}

/// The column of texts that tells their language.
fn language_column() -> &'static str {
    let columns = category(TEXTS).map(columns).unwrap_or_default();
    let column = columns.iter().find(|column| column.field == TextRow::LANGUAGE_ID);
    column.map_or("", |column| column.name)
}

static LANGUAGES: Table = Table::new(
    &[CFF],
    "languages",
    "The languages of the texts, by slot.",
    &[
        integer("slot", "The language id of the texts."),
        text("code", "Its code, as in the name of the view of its texts."),
        text("name", "The language; `local` is the edition's own one."),
        text("code_page", "The code page of its texts."),
        integer("texts", "Number of texts that have the language."),
        integer("missing", "Number of texts that only other slots have."),
    ],
    Fill::Rows(languages),
);

static DANGLING: Table = Table::new(
    &[CFF],
    "dangling",
    "References that lead nowhere.",
    &[
        text("table", "The table that refers."),
        integer(ROW, "The row that refers."),
        text("column", "The column that refers."),
        integer("value", "What it refers to."),
    ],
    Fill::View,
);

/// The tables that are made of no category.
pub(super) fn fixed() -> [Table; 2] {
    [LANGUAGES.clone(), DANGLING.clone()]
}

const IDS: Table = Table::new(
    &[CFF],
    "ids",
    "The distinct ids of a table.",
    &[integer("id", "The id.")],
    Fill::View,
);

/// The table of a category.
pub(super) fn table(category: &'static Category) -> Table {
    let row = integer(ROW, "Place of the row in its category, from 0 on.");
    let fields = category.fields();
    let columns = columns(category).into_iter().map(|column| {
        let field = fields.get(column.field).map(|slot| slot.field);
        match (column.kind, field) {
            (column::Kind::Corners, _) | (_, None) => {
                text(column.name, "The corners of the polygon, as JSON: `[[x,y],...]`.")
            }
            (_, Some(field)) => Column::of(&field),
        }
    });
    Table {
        schemas: Cow::Borrowed(&[CFF]),
        name: Cow::Borrowed(category.table),
        doc: category.record.doc.into(),
        columns: std::iter::once(row).chain(columns).collect(),
        fill: Fill::Category(category),
    }
}

/// Fills a table with the rows of a category, if the file has it.
pub(super) fn rows(
    source: &Source<'_>,
    category: &'static Category,
    out: &mut Out<'_>,
    task: &mut Task<'_>,
) -> Result<()> {
    if gamedata(source.container).is_err() {
        return Ok(());
    }
    let mut tables = Tables::of_rows(source.container, task)?;
    if tables.categories().iter().all(|known| known.id != category.id) {
        return Ok(());
    }
    tables.rows(category, task, &mut |place, cells| {
        let cells = cells.iter().map(|cell| match cell {
            Cell::None => Value::Null,
            Cell::Number(number) => Value::Integer(*number),
            Cell::Text(text) => text.as_ref().into(),
        });
        let values: Vec<Value<'_>> = std::iter::once(Value::Integer(place)).chain(cells).collect();
        out.row(&values)
    })
}

/// The statement that makes the index of the keys of a category.
pub(super) fn index(category: &Category) -> String {
    schema::index(category, Some(CFF))
}

fn languages(source: &Source<'_>, out: &mut Out<'_>, task: &mut Task<'_>) -> Result<()> {
    let Ok(gamedata) = gamedata(source.container) else { return Ok(()) };
    let languages: &Languages = gamedata.languages(&mut task.budget)?;
    for (language, code) in schema::codes(languages) {
        out.row(&[
            Value::Integer(language.slot.into()),
            code.into(),
            language.name.into(),
            language.pages.to_string().into(),
            language.texts.into(),
            language.missing.into(),
        ])?;
    }
    Ok(())
}
