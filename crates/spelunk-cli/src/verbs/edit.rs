//! `set`, `rm`, `mv`, `add`, `replace`, `patch`, `rewrite`, `upgrade`: a container that is written again.

use super::door::{RowPrinter, Verb, call};
use crate::output::{CommandSession, human};
use serde_json::Value;
use spelunk::Result;

pub fn run<R>(verb: Verb<R>, request: &R, session: &mut CommandSession) -> Result<()> {
    call(verb, request, &mut EditSummary, session)
}

/// The file that was written, in a sentence.
struct EditSummary;

impl RowPrinter for EditSummary {
    fn row(&mut self, _: &Value, _: &mut CommandSession) -> Result<()> {
        Ok(())
    }

    fn speaks(&self) -> bool {
        true
    }

    fn beside(&mut self, row: &Value, session: &mut CommandSession) {
        // A note says why nothing was written.
        if !row["output"].is_null() {
            said(row, session);
        }
    }
}

/// Says what was written.
pub fn said(row: &Value, session: &mut CommandSession) {
    said_of(row, row["dry_run"] == true, session);
}

/// Says which file was written.
pub fn said_of(file: &Value, is_dry_run: bool, session: &mut CommandSession) {
    let output = file["output"].as_str().unwrap_or_default();
    let size = human(file["size"].as_u64().unwrap_or_default());
    let verb = if is_dry_run { "would be written" } else { "written" };
    session.say(&format!("{output}: {size} {verb}"));
}
