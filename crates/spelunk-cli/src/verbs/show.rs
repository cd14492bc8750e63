//! `show`: every known field of one entry.

use super::door::{RowPrinter, call};
use crate::output::{CommandSession, FAINT, LABEL, SHOWN_ITEMS, TITLE, human};
use serde_json::Value;
use spelunk::{Result, verbs::show};

pub fn run(request: &show::Request, session: &mut CommandSession) -> Result<()> {
    let mut request = request.clone();
    if !session.common.json {
        // One more, so that it is known whether there are more.
        (request.for_people, request.max_items) = (true, Some(SHOWN_ITEMS + 1));
    }
    call(show::run, &request, &mut EntryPrinter, session)
}

/// An entry with its fields, a line each.
struct EntryPrinter;

impl RowPrinter for EntryPrinter {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let [path, kind] = ["path", "type"].map(|key| row[key].as_str().unwrap_or_default());
        let size = human(row["size"].as_u64().unwrap_or_default());
        let out = session.out();
        writeln!(out, "{TITLE}{path}{TITLE:#}  {kind}, {size}")?;
        let lines = lines(row["fields"].as_array().map(Vec::as_slice).unwrap_or_default());
        let wide = lines.iter().map(|line| line.place.len()).max().unwrap_or(0);
        let names = lines.iter().map(|line| line.path.len()).max().unwrap_or(0).min(40);
        for FieldLine { place, path, text } in &lines {
            writeln!(
                out,
                "  {FAINT}{place:<wide$}{FAINT:#}  {LABEL}{path:<names$}{LABEL:#}  {text}"
            )?;
        }
        Ok(())
    }
}

/// A line for people.
struct FieldLine {
    place: String,
    path: String,
    text: String,
}

/// The fields, a line each. Values of one list stand on one line, and of long lists the first items alone; JSON has
/// all of them.
fn lines(fields: &[Value]) -> Vec<FieldLine> {
    let mut lines: Vec<FieldLine> = Vec::new();
    // The list whose values the last line holds, and the one of which items are left out.
    let mut listed = String::new();
    let mut hidden = String::new();
    for field in fields {
        let path = field["path"].as_str().unwrap_or_default();
        if let Some(list) = beyond(path) {
            if list != hidden {
                let text = "... (--json has all)".to_owned();
                lines.push(FieldLine { place: String::new(), path: list.to_owned(), text });
                list.clone_into(&mut hidden);
            }
            continue;
        }
        let text = field["shown"].as_str().unwrap_or_default();
        let list = path.strip_suffix(']').and_then(|path| path.rsplit_once('['));
        // Texts and bytes are long, and so is what references and names of values stand for.
        let is_long = matches!(field["type"].as_str(), Some("bytes" | "text"));
        let short = !is_long && field["has_meaning"] != true;
        if let (Some((list, _)), true, Some(last)) = (list, short, lines.last_mut())
            && listed == list
        {
            last.path = list.to_owned();
            last.text.push_str(&format!(", {text}"));
            continue;
        }
        listed = list.filter(|_| short).map(|(list, _)| list.to_owned()).unwrap_or_default();
        let place = match (&field["space"], field["offset"].as_u64()) {
            (Value::String(space), Some(offset)) => format!("{space}:{offset:#x}"),
            _ => String::new(),
        };
        lines.push(FieldLine { place, path: path.to_owned(), text: text.to_owned() });
    }
    lines
}

/// The outermost list of which people are not shown the item that a path leads to.
fn beyond(path: &str) -> Option<&str> {
    path.match_indices('[').find_map(|(start, _)| {
        let (list, index) = path.split_at(start);
        let index = index.get(1..)?.split(']').next()?.parse::<u64>().ok()?;
        (index >= SHOWN_ITEMS).then_some(list)
    })
}
