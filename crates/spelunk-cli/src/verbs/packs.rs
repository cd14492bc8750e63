//! `append`, `compact`, `repair`, `rollback`: containers that grow, shrink, are mended and go back.

use super::door::{RowPrinter, Verb, call};
use crate::output::{CommandSession, human};
use serde_json::Value;
use spelunk::Result;

pub fn run<R>(verb: Verb<R>, request: &R, session: &mut CommandSession) -> Result<()> {
    call(verb, request, &mut Remade, session)
}

/// Outcome for a pack, in a sentence.
struct Remade;

impl RowPrinter for Remade {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        if let Some(count) = row["assets"].as_u64() {
            session.say(&appended(row, count));
        }
        Ok(())
    }

    fn speaks(&self) -> bool {
        true
    }

    fn beside(&mut self, row: &Value, session: &mut CommandSession) {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let count = |key: &str| row[key].as_u64().unwrap_or_default();
        if row.get("assets").is_some() {
            return;
        }
        let Some(output) = row["output"].as_str() else {
            return session.say(&format!("{}: nothing is wrong", text("file")));
        };
        let less = || human(count("size_before").saturating_sub(count("size")));
        let what = match (&row["repaired"], &row["dropped"]) {
            (Value::Bool(true), _) => {
                let mended = row["mended"].as_array().into_iter().flatten();
                let mended: Vec<&str> = mended.filter_map(Value::as_str).collect();
                match mended.as_slice() {
                    [] => "made anew of what can be read, with nothing to mend in that".to_owned(),
                    mended => format!("mended: {}", mended.join("; ")),
                }
            }
            (Value::Bool(false), _) => "nothing is wrong with it".to_owned(),
            (_, Value::Null) => {
                format!("as it was in generation {}, {} less", count("generation"), less())
            }
            (_, dropped) => format!("{} less{}", less(), left(dropped)),
        };
        let verb = if row["dry_run"] == true { "would be written" } else { "written" };
        session.say(&format!("{output}: {} {verb}, {what}", human(count("size"))));
    }
}

/// Returns what a new pack lacks, in words.
fn left(dropped: &Value) -> String {
    let counted = [
        ("generations", "older generation", "older generations"),
        ("strings", "unused string", "unused strings"),
        ("bulk", "bulk payload of no asset", "bulk payloads of no asset"),
    ];
    let count = |(key, one, many): (&str, &str, &str)| match dropped[key].as_u64() {
        None | Some(0) => None,
        Some(1) => Some(format!("1 {one}")),
        Some(count) => Some(format!("{count} {many}")),
    };
    let mut parts: Vec<String> = counted.into_iter().filter_map(count).collect();
    if dropped["type_table"] == true {
        parts.push("the type table".to_owned());
    }
    if parts.is_empty() { String::new() } else { format!("; left behind: {}", parts.join(", ")) }
}

/// Returns what was added to a pack, in words.
fn appended(row: &Value, count: u64) -> String {
    let file = row["file"].as_str().unwrap_or_default();
    let size = |key: &str| row[key].as_u64().unwrap_or_default();
    let (assets, is_dry_run) =
        (if count == 1 { "1 asset" } else { &format!("{count} assets") }, row["dry_run"] == true);
    match (size("size").saturating_sub(size("size_before")), is_dry_run) {
        (0, true) => format!("{file}: 0 assets of {count} are new, nothing would be written"),
        (0, false) => format!("{file}: 0 assets of {count} are new, nothing was written"),
        (grown, true) => format!("{file}: {assets} would be appended, {} more", human(grown)),
        (grown, false) => format!("{file}: {assets} appended, {} more", human(grown)),
    }
}
