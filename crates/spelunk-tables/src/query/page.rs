//! The page of the documentation that lists the tables, `docs/query.md`.

use super::{Table, every, gamedata, snpak, spellforce, tables_of_formats, virtools};
use crate::column::Column;
use ::spellforce::gamedata::CATEGORIES;
use std::fmt::Write;

/// The page up to the tables.
const HEAD: &str = include_str!("page.md");

/// The schemas, and what they are for.
const SCHEMAS: &[(&str, &str, &str)] = &[
    (every::MAIN, "All formats", "These need no schema before their names."),
    (virtools::VIRTOOLS, "Virtools", "Objects are named by their positions in the object table."),
    (
        snpak::SNPAK,
        "SnPAK",
        "Of a pack that was appended to, these show its current state, or that of `--generation`.",
    ),
    (
        spellforce::CFF,
        "GameData",
        "Each category that is there is a table, too, with `row`, the place of the row, and a column for each field, which can be set. \
         [gamedata.md](formats/gamedata.md) describes the fields; [tables.md](tables.md) `dangling`, the views of texts and the \
         views of ids.",
    ),
    (
        spellforce::MAP,
        "Maps of SpellForce 1",
        "Columns are the fields of the newest layout; what older ones lack is NULL.",
    ),
    (spellforce::SAVE, "Saves of SpellForce 1", "What is in the chunks of saves is in `fields`."),
    (spellforce::PAK, "Archives of SpellForce", ""),
    (spellforce::PAKDATA, "pakdata.dat", ""),
    (spellforce::ARCHIVES, "Folders of archives of SpellForce", ""),
];

/// The page: every table with its columns, and what they mean.
pub fn page() -> String {
    let mut page = HEAD.to_owned();
    for (schema, title, about) in SCHEMAS {
        let _ = write!(page, "\n## {title}: `{schema}`\n");
        if !about.is_empty() {
            let _ = write!(page, "\n{about}\n");
        }
        let all = every::TABLES.iter().cloned().chain(tables_of_formats());
        for table in all.chain(gamedata::fixed()).filter(|table| table.schemas.contains(schema)) {
            describe(&table, &mut page);
        }
        if *schema == spellforce::CFF {
            let tables = CATEGORIES.iter().map(|category| format!("`{}`", category.table));
            let tables = tables.collect::<Vec<_>>().join(", ");
            let _ = write!(page, "\n### The categories\n\n{tables}.\n");
        }
    }
    page
}

/// Writes the description of a table.
fn describe(table: &Table, page: &mut String) {
    let _ = write!(page, "\n### {}\n\n{}\n\n", table.name, table.doc);
    page.push_str("| column | type | meaning |\n|---|---|---|\n");
    for column @ Column { name, kind, unit, doc, .. } in table.all_columns() {
        let kind = kind.sql().to_lowercase();
        let unit = if unit.is_empty() { String::new() } else { format!(", in {unit}") };
        let doc = doc.replace('|', "\\|");
        let mark = if column.is_settable() { " Can be set." } else { "" };
        let _ = writeln!(page, "| `{name}` | {kind}{unit} | {doc}{mark} |");
    }
}
