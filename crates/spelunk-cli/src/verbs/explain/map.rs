//! A file as a tree of its fields in the order of their bytes.

use super::head::{ExplainedFile, number, text};
use crate::{
    output::{CommandSession, FAINT, LABEL, TITLE},
    verbs::door::RowPrinter,
};
use serde_json::Value;
use spelunk::Result;

/// Groups as headings, with their fields below them.
#[derive(Default)]
pub struct LayoutPrinter {
    head: ExplainedFile,
    space: String,
    digits: usize,
}

impl RowPrinter for LayoutPrinter {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let out = session.out();
        if row.get("spaces").is_some() {
            self.head = ExplainedFile(row.clone());
            self.digits = self.head.digits() + 2;
            return Ok(());
        }
        // A heading where another space begins.
        if let Some(space) = row["space"].as_str().filter(|space| *space != self.space) {
            space.clone_into(&mut self.space);
            writeln!(out, "{}", self.head.heading(space))?;
        }
        let digits = self.digits;
        let (place, len) = match row["offset"].as_u64() {
            Some(offset) => (format!("{offset:#x}"), number(row, "size").to_string()),
            None => (String::new(), String::new()),
        };
        let indent = usize::try_from(number(row, "depth")).unwrap_or_default() * 2;
        let Some(path) = row["group"].as_str() else {
            let width = 28_usize.saturating_sub(indent);
            let (step, value) = (text(row, "step"), text(row, "shown"));
            let name = format!("{LABEL}{step:<width$}{LABEL:#}");
            return Ok(writeln!(
                out,
                "  {place:>digits$} {len:>8}  {:indent$}{name}  {value}",
                ""
            )?);
        };
        // What the items of a list are is said above the first of them.
        let about = match path.ends_with(']') && !path.ends_with("[0]") {
            true => String::new(),
            false => format!("  {FAINT}{}{FAINT:#}", first_sentence(text(row, "shown"))),
        };
        writeln!(
            out,
            "  {FAINT}{place:>digits$} {len:>8}{FAINT:#}  {:indent$}{TITLE}{path}{TITLE:#}{about}",
            ""
        )?;
        Ok(())
    }
}

/// The first sentence of a description.
fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.')
}
