//! `export`: content to files of other kinds.

use super::door::{RowPrinter, call};
use crate::output::{CommandSession, human};
use serde_json::Value;
use spelunk::{Result, verbs::export};

pub fn run(request: &export::Request, session: &mut CommandSession) -> Result<()> {
    call(export::run, request, &mut ExportSummary, session)
}

/// The files that were written, in a sentence: they are no data.
struct ExportSummary;

impl RowPrinter for ExportSummary {
    fn row(&mut self, _: &Value, _: &mut CommandSession) -> Result<()> {
        Ok(())
    }

    fn speaks(&self) -> bool {
        true
    }

    fn beside(&mut self, row: &Value, session: &mut CommandSession) {
        let output = row["output"].as_str().unwrap_or_default();
        let size = human(row["size"].as_u64().unwrap_or_default());
        let verb = if row["dry_run"] == true { "would be written" } else { "written" };
        let files = match row["files"].as_u64().unwrap_or_default() {
            1 => String::new(),
            count => format!(" in {count} files"),
        };
        session.say(&format!("{output}: {size}{files} {verb}"));
    }
}
