//! `tree`: the entries of a file as a hierarchy.

use super::door::{RowPrinter, call};
use crate::output::{CommandSession, FAINT, TITLE, human};
use serde_json::Value;
use spelunk::{Result, verbs::tree};

pub fn run(request: &tree::Request, session: &mut CommandSession) -> Result<()> {
    let mut request = request.clone();
    request.flat |= !session.common.json;
    call(tree::run, &request, &mut Branches::default(), session)
}

/// A line for each branch, behind lines that lead to it.
#[derive(Default)]
struct Branches {
    /// Text in front of branches of each depth.
    indents: Vec<&'static str>,
}

impl RowPrinter for Branches {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let [label, kind, note] =
            ["label", "type", "note"].map(|key| row[key].as_str().unwrap_or_default());
        let Some(above) = row["depth"].as_u64().filter(|depth| *depth > 0) else {
            return Ok(writeln!(session.out(), "{TITLE}{label}{TITLE:#}")?);
        };
        let (mark, deeper) =
            if row["is_last"] == true { ("└── ", "    ") } else { ("├── ", "│   ") };
        self.indents.truncate(above as usize - 1);
        let indent: String = self.indents.concat();
        self.indents.push(deeper);
        let note = match row["size"].as_u64() {
            None => note.to_owned(),
            Some(size) => {
                let mut parts = vec![kind.to_owned(), human(size)];
                parts.extend(
                    row["stored_size"].as_u64().map(|size| format!("stored {}", human(size))),
                );
                parts.retain(|part| !part.is_empty());
                parts.join(", ")
            }
        };
        let gap = if note.is_empty() { "" } else { "  " };
        let out = session.out();
        Ok(writeln!(out, "{FAINT}{indent}{mark}{FAINT:#}{label}{FAINT}{gap}{note}{FAINT:#}")?)
    }
}
