//! `merge`: what two sides made of one file, as one.

use super::{
    door::{RowPrinter, call},
    edit::said,
};
use crate::output::CommandSession;
use serde_json::Value;
use spelunk::{Result, verbs::merge};

pub fn run(request: &merge::Request, session: &mut CommandSession) -> Result<()> {
    call(merge::run, request, &mut MergePrinter, session)
}

/// Numbers of entries, by the sides that they came from.
struct MergePrinter;

impl RowPrinter for MergePrinter {
    fn row(&mut self, _: &Value, _: &mut CommandSession) -> Result<()> {
        Ok(())
    }

    fn speaks(&self) -> bool {
        true
    }

    fn beside(&mut self, row: &Value, session: &mut CommandSession) {
        let is_written = !row["output"].is_null();
        if is_written {
            said(row, session);
        }
        let counts = [
            ("from_ours", "from ours"),
            ("from_theirs", "from theirs"),
            ("both", "from both alike"),
            ("merged", "merged"),
            ("conflicts", "in conflict"),
        ];
        let counts = counts.map(|(key, what)| (row[key].as_array().map_or(0, Vec::len), what));
        let some = counts.iter().filter(|(count, _)| *count > 0);
        let some: Vec<String> = some.map(|(count, what)| format!("{count} {what}")).collect();
        session.say(&if some.is_empty() { "no changes".to_owned() } else { some.join(", ") });
        if !is_written {
            session.say("nothing is written; --on-conflict ours or theirs decides");
        }
    }
}
