//! Tables and columns for the last word of a statement of SQL.

use super::{
    held::path,
    offers::{FileNames, Offers, behind},
};
use spelunk::verbs::{CollectedOutput, Disk, FileList, Session, query};
use std::path::PathBuf;

/// Words that a statement begins with.
const FIRST: [&str; 2] = ["SELECT", "WITH"];

/// Words behind which no table comes any more.
const OTHERS: [&str; 9] =
    ["SELECT", "WHERE", "ON", "GROUP", "ORDER", "BY", "HAVING", "LIMIT", "USING"];

/// Words that a table stands behind.
const BEFORE_TABLES: [&str; 2] = ["FROM", "JOIN"];

/// Offers what may come next in a statement on these files, or names of files where it is none.
pub fn offer(files: &[&str], typed: &str, offers: &mut Offers) {
    if !is_statement(typed) {
        if !files.is_empty() && !typed.is_empty() && behind("SELECT", typed).is_some() {
            offers.open(typed, "SELECT ", "");
        }
        offers.files = FileNames::Any;
        return;
    }
    offers.is_foreign = true;
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let start = typed.trim_end_matches(is_name).len();
    let (before, last) = typed.split_at(start);
    let tables = tables(files);
    let mut names = Offers::default();
    if wants_table(before) {
        tables.iter().for_each(|table| names.word(last, &table.name, &table.doc));
    } else {
        let words: Vec<&str> = typed.split(|letter| !is_name(letter)).collect();
        let is_meant =
            |table: &&Table| words.iter().any(|word| word.eq_ignore_ascii_case(&table.name));
        let meant: Vec<&Table> = tables.iter().filter(is_meant).collect();
        let all = || tables.iter().collect();
        for table in if meant.is_empty() { all() } else { meant } {
            table.columns.iter().for_each(|(name, doc)| names.word(last, name, doc));
        }
    }
    for name in names.after(before).list {
        offers.open("", &name.text, &name.about);
    }
}

fn is_statement(typed: &str) -> bool {
    let first = typed.split_whitespace().next().unwrap_or_default();
    let has_more = typed.len() > first.len();
    has_more && FIRST.iter().any(|word| word.eq_ignore_ascii_case(first))
}

/// Whether a table comes behind this part of a statement.
fn wants_table(before: &str) -> bool {
    let spaced = before.replace(',', " , ").replace(['(', ')'], " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let is_one_of = |word: &str, of: &[&str]| of.iter().any(|one| one.eq_ignore_ascii_case(word));
    let known =
        words.iter().rev().find(|word| is_one_of(word, &BEFORE_TABLES) || is_one_of(word, &OTHERS));
    let is_open = known.is_some_and(|word| is_one_of(word, &BEFORE_TABLES));
    is_open && words.last().is_some_and(|last| *last == "," || is_one_of(last, &BEFORE_TABLES))
}

struct Table {
    name: String,
    doc: String,
    /// Names and descriptions.
    columns: Vec<(String, String)>,
}

/// The tables of files, as `query --tables` lists them.
fn tables(files: &[&str]) -> Vec<Table> {
    let files: Vec<PathBuf> = files.iter().filter_map(|file| path(file)).collect();
    let files = files.into_iter().map(|file| file.into_os_string().into());
    let files = FileList { files: files.collect(), ..FileList::default() };
    let request = query::Request { files, tables: true, ..query::Request::default() };
    let mut rows = CollectedOutput::default();
    let _ = query::run(&Session::new(Disk), &request, &mut rows);
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let columns = |row: &serde_json::Value| {
        let columns = row["columns"].as_array().into_iter().flatten();
        columns.map(|column| (text(&column["name"]), text(&column["doc"]))).collect()
    };
    let table = |row: &serde_json::Value| Table {
        name: text(&row["table"]),
        doc: text(&row["doc"]),
        columns: columns(row),
    };
    rows.rows.iter().map(table).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_come_behind_from_and_join() {
        for before in ["SELECT * FROM ", "select a from x join ", "SELECT 1 FROM a, "] {
            assert!(wants_table(before), "{before}");
        }
        for before in ["SELECT ", "SELECT a FROM t WHERE ", "SELECT a, ", "SELECT a FROM t "] {
            assert!(!wants_table(before), "{before}");
        }
        assert!(is_statement("select *") && !is_statement("select") && !is_statement("a b.nmo"));
    }
}
