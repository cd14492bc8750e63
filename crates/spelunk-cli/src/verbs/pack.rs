//! `pack`: a container from the folder that `extract` wrote, or a new pack of files.

use super::{
    door::{RowPrinter, call},
    edit::said,
};
use crate::output::{CommandSession, human};
use serde_json::Value;
use spelunk::{Result, verbs::pack};

pub fn run(request: &pack::Request, session: &mut CommandSession) -> Result<()> {
    call(pack::run, request, &mut PackSummary, session)
}

/// The container that was written, and the files that are not as they were extracted.
struct PackSummary;

impl PackSummary {
    /// Whether a folder became again what it was extracted from.
    fn is_refilled(row: &Value) -> bool {
        ["archives", "assets", "entries"].iter().all(|count| row.get(count).is_none())
    }
}

impl RowPrinter for PackSummary {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let output = row["output"].as_str().unwrap_or_default();
        let verb = if row["dry_run"] == true { "would be written" } else { "written" };
        if let Some(count) = row["archives"].as_u64() {
            session.say(&format!("{output}: {verb}, {count} archives"));
            return Ok(());
        }
        for (key, one, many) in [("assets", "asset", "assets"), ("entries", "file", "files")] {
            if let Some(count) = row[key].as_u64() {
                let size = human(row["size"].as_u64().unwrap_or_default());
                let noun = if count == 1 { one } else { many };
                session.say(&format!("{output}: {size} {verb}, {count} {noun}"));
            }
        }
        let changed: Vec<&Value> = row["changed"].as_array().into_iter().flatten().collect();
        match changed.as_slice() {
            [] if PackSummary::is_refilled(row) => session.say("no file was changed"),
            [] => {}
            [one] => {
                let one = one.as_str().unwrap_or_default();
                session.say(&format!("1 file was changed: {one}"));
            }
            many => session.say(&format!("{} files were changed", many.len())),
        }
        Ok(())
    }

    fn speaks(&self) -> bool {
        true
    }

    fn beside(&mut self, row: &Value, session: &mut CommandSession) {
        if PackSummary::is_refilled(row) {
            said(row, session);
        }
    }
}
