//! `history`: edits that can be taken back.

use super::door::{RowPrinter, call};
use crate::output::{CommandSession, FAINT};
use serde_json::Value;
use spelunk::{Result, verbs::history};

pub fn run(request: &history::Request, session: &mut CommandSession) -> Result<()> {
    call(history::run, request, &mut Steps, session)
}

/// Steps, a line each.
struct Steps;

impl RowPrinter for Steps {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        if let Some(patch) = row.get("patch") {
            let text = serde_json::to_string_pretty(patch).map_err(std::io::Error::from)?;
            return Ok(writeln!(session.out(), "{text}")?);
        }
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let step = row["step"].as_u64().unwrap_or_default();
        let time = text("time");
        let taken_back = if text("state") == "undone" { "  (taken back)" } else { "" };
        let out = session.out();
        let label = text("label");
        Ok(writeln!(
            out,
            "{step:>4}  {FAINT}{time:20}{FAINT:#}  {label}{FAINT}{taken_back}{FAINT:#}"
        )?)
    }
}
