//! `join`: several files as one.

use super::{
    door::{RowPrinter, call},
    edit::said,
};
use crate::output::CommandSession;
use serde_json::Value;
use spelunk::{Result, verbs::join};

pub fn run(request: &join::Request, session: &mut CommandSession) -> Result<()> {
    call(join::run, request, &mut JoinPrinter, session)
}

/// Numbers of the objects of each file, by what became of them.
struct JoinPrinter;

impl RowPrinter for JoinPrinter {
    fn row(&mut self, _: &Value, _: &mut CommandSession) -> Result<()> {
        Ok(())
    }

    fn speaks(&self) -> bool {
        true
    }

    fn beside(&mut self, row: &Value, session: &mut CommandSession) {
        said(row, session);
        for file in row["files"].as_array().into_iter().flatten() {
            let counts = file.as_object().into_iter().flatten();
            let counts = counts.filter_map(|(name, count)| Some((name, count.as_u64()?)));
            let counts: Vec<(&String, u64)> = counts.filter(|(_, count)| *count > 0).collect();
            let total: u64 = counts.iter().map(|(_, count)| count).sum();
            let some: Vec<String> =
                counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
            let counted = match some.as_slice() {
                [] => "no objects".to_owned(),
                some => format!("{total} objects: {}", some.join(", ")),
            };
            session.say(&format!("{}: {counted}", file["file"].as_str().unwrap_or_default()));
        }
    }
}
