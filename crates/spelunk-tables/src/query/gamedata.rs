//! The tables of GameData: its categories, languages, and views over them.

use super::{
    category::{chunk, table},
    database::Database,
    out::RowSink,
    spellforce::CFF,
    sql::quoted,
    statement::Statement,
    table::{Fill, RowSource, Table, integer, text},
};
use crate::{
    ROW,
    cell::{self, Cell},
    column::{CategoryColumn, Column, ColumnKind, columns},
    sql::schema,
};
use spellforce::gamedata::{
    Category, Language, Languages, Schema, TEXTS, category, schema::TextRow,
};
use spelunk_core::{Result, Task};
use spelunk_open::{Opened, languages::gamedata, model};
use std::borrow::Cow;

/// A view of the texts of a language.
#[derive(Debug)]
struct TextView {
    name: String,
    /// The code of the language, which the one view has in its name that is listed.
    code: String,
    /// The rows of the table of languages that it shows the texts of.
    condition: String,
}

impl TextView {
    fn all(languages: &Languages) -> Vec<TextView> {
        let codes = schema::codes(languages);
        let view = |(language, called): (&Language, String)| {
            let code = codes.iter().find(|(other, _)| other.slot == language.slot);
            let code = code.map(|(_, code)| code.clone()).unwrap_or_default();
            let condition = match called == code {
                true => format!("l.code = '{code}'"),
                false => format!("l.slot = {}", language.slot),
            };
            TextView { name: Self::called(&called), code, condition }
        };
        schema::names(languages).into_iter().map(view).collect()
    }

    fn called(name: &str) -> String {
        format!("texts_{name}")
    }

    fn is_listed(&self) -> bool {
        self.name == Self::called(&self.code)
    }
}

/// The categories and languages of the GameData files among those that were met.
#[derive(Debug, Default)]
pub(super) struct GameDataSummary {
    /// Categories of the files, in the order in which they were met, and the number of rows that the size of the first one means.
    categories: Vec<(&'static Category, u64)>,
    /// The views of the texts of their languages.
    texts: Vec<TextView>,
    /// The categories that the files may have.
    schema: Option<Schema>,
}

impl GameDataSummary {
    /// Takes note of a file, if it is a GameData. The codes of its languages are found out where they are asked for: for that
    /// all texts are read.
    pub(super) fn meet(&mut self, opened: &mut Opened, with_languages: bool) -> Result<()> {
        if gamedata(opened.container()).is_err() {
            return Ok(());
        }
        opened.run(|container, task| {
            let data = gamedata(container)?;
            let (schema, new) = (&mut self.schema, data.schema());
            let schema = *schema.get_or_insert(new);
            if schema != new {
                return Err(model::mixed(schema, new));
            }
            for (n, category) in data.categories() {
                if self.categories.iter().all(|(known, _)| known.id != category.id) {
                    let len = data.file().chunk(n).map_or(0, |chunk| chunk.plain_len());
                    let size = category.row_size().unwrap_or(usize::MAX) as u64;
                    let rows = len.checked_div(size).unwrap_or_default();
                    self.categories.push((category, rows));
                }
            }
            if with_languages {
                for view in TextView::all(data.languages(&mut task.budget)?) {
                    if self.texts.iter().all(|known| known.name != view.name) {
                        self.texts.push(view);
                    }
                }
            }
            Ok(())
        })
    }

    fn categories(&self) -> Vec<&'static Category> {
        self.categories.iter().map(|(category, _)| *category).collect()
    }

    /// The number of rows of a category, as far as its size says it.
    pub(super) fn rows(&self, category: &Category) -> u64 {
        let mut categories = self.categories.iter();
        categories.find(|(known, _)| known.id == category.id).map_or(0, |(_, rows)| *rows)
    }

    /// The tables and views.
    pub(super) fn tables(&self) -> Vec<Table> {
        if self.categories.is_empty() {
            return Vec::new();
        }
        let categories = self.categories();
        let mut tables: Vec<Table> = categories.iter().map(|category| table(category)).collect();
        tables.extend(fixed());
        tables.extend(schema::targets(&categories).into_iter().map(|category| Table {
            name: format!("{}_ids", category.table).into(),
            doc: format!("The distinct ids of `{}`.", category.table).into(),
            ..IDS
        }));
        let has_texts = categories.iter().any(|category| category.id == TEXTS);
        let texts = category(TEXTS).filter(|_| has_texts).map(table);
        tables.extend(texts.iter().flat_map(|texts| {
            let shown = texts.columns.iter().filter(|column| column.name != language_column());
            let shown: Vec<Column> = shown.copied().collect();
            self.texts.iter().filter(|view| view.is_listed()).map(move |view| Table {
                schemas: Cow::Borrowed(&[CFF]),
                name: view.name.clone().into(),
                doc: format!("The texts of the language `{}`.", view.code).into(),
                columns: shown.clone().into(),
                fill: Fill::View,
            })
        }));
        tables
    }

    /// The views of texts that a statement may mean, listed or not.
    pub(super) fn text_tables(&self, sql: &Statement) -> Vec<Table> {
        self.text_views(sql).into_iter().map(|(_, table)| table).collect()
    }

    fn text_views(&self, sql: &Statement) -> Vec<(&TextView, Table)> {
        let tables = self.tables();
        let views = self.texts.iter().filter(|view| sql.may_mean(&view.name));
        let with_table = views.filter_map(|view| {
            let listed = TextView::called(&view.code);
            let table = tables.iter().find(|table| table.name == listed)?.clone();
            Some((view, Table { name: view.name.clone().into(), ..table }))
        });
        with_table.collect()
    }

    /// Makes the views that a statement may mean.
    pub(super) fn make_views(&self, database: &Database, sql: &Statement) -> Result<()> {
        let categories = self.categories();
        if sql.may_mean("_ids") {
            database.run(&schema::id_views(&categories, CFF))?;
        }
        if sql.may_mean(&DANGLING.name) && !categories.is_empty() {
            database.run(&schema::dangling(&categories, Some(CFF)))?;
        }
        for (view, table) in self.text_views(sql) {
            let names: Vec<String> =
                table.all_columns().map(|column| quoted(column.name)).collect();
            database.run(&format!(
                "CREATE VIEW {CFF}.{} AS SELECT {} FROM texts AS t WHERE EXISTS (SELECT 1 FROM languages AS l WHERE \
                 {} AND l.slot = t.{} AND l.file = t.file)",
                quoted(&view.name),
                names.join(", "),
                view.condition,
                quoted(language_column()),
            ))?;
        }
        Ok(())
    }
}

/// The column of the language of a text.
fn language_column() -> &'static str {
    let columns = category(TEXTS).map(columns).unwrap_or_default();
    let column = columns.iter().find(|column| column.field == TextRow::LANGUAGE_ID);
    column.map_or("", |column| column.name)
}

pub(super) static LANGUAGES: Table = Table::new(
    &[CFF],
    "languages",
    "The languages of the texts, by slot.",
    &[
        integer("slot", "The language id of the texts."),
        text(
            "code",
            "Its code, as in the name of the view of its texts, which its slot and its name stand for as well.",
        ),
        text("name", "The language."),
        text("code_page", "The code page of its texts."),
        integer("texts", "Number of texts that have the language."),
        integer("missing", "Number of texts that only other slots have."),
    ],
    Fill::Rows(languages),
);

pub(super) static DANGLING: Table = Table::new(
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

/// Fills a table with the rows of a category, if the file has it.
pub(super) fn rows(
    source: &RowSource<'_>,
    category: &'static Category,
    out: &mut RowSink<'_>,
    task: &mut Task<'_>,
) -> Result<()> {
    let Ok(data) = gamedata(source.container) else { return Ok(()) };
    if data.chunks_of(category.id).next().is_none() {
        return Ok(());
    }
    let table = data.table(chunk(data, category.id, &mut task.budget)?, &mut task.budget)?;
    let columns: Vec<_> =
        columns(category).into_iter().map(|column| (out.wants(column.name), column)).collect();
    let has_text =
        |(is_read, column): &(bool, CategoryColumn)| *is_read && column.kind == ColumnKind::Text;
    let languages = match columns.iter().any(has_text) {
        true => Some(data.languages(&mut task.budget)?),
        false => None,
    };
    let mut cells = Vec::with_capacity(columns.len().saturating_add(1));
    for (nth, row) in (0..).zip(table.rows()) {
        task.budget.touch(row.bytes().len() as u64)?;
        cells.clear();
        cells.push(Cell::Integer(nth));
        cells.extend(columns.iter().map(|(is_read, column)| match (column.kind, languages) {
            _ if !is_read => Cell::Null,
            (ColumnKind::Text, Some(languages)) => {
                let pages = languages.pages(row.slot(column.field));
                Cell::Text(cell::decoded(row.field(column.field), pages))
            }
            _ => cell::of(&row, column, source.pages).0,
        }));
        out.row(&cells)?;
    }
    Ok(())
}

/// The statement that makes the index of the keys of a category.
pub(super) fn index(category: &Category) -> String {
    schema::index(category, Some(CFF))
}

fn languages(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    let Ok(gamedata) = gamedata(source.container) else { return Ok(()) };
    let languages: &Languages = gamedata.languages(&mut task.budget)?;
    for (language, code) in schema::codes(languages) {
        out.row(&[
            Cell::Integer(language.slot.into()),
            code.into(),
            language.name.into(),
            language.pages.to_string().into(),
            language.texts.into(),
            language.missing.into(),
        ])?;
    }
    Ok(())
}
