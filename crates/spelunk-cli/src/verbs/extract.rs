//! `extract`: entries to files, with a manifest.

use super::door::{RowPrinter, call};
use crate::output::{CommandSession, human};
use serde_json::Value;
use spelunk::{Result, verbs::extract};

pub fn run(request: &extract::Request, session: &mut CommandSession) -> Result<()> {
    let mut printer = ExtractionPrinter { request, is_ended: false, count: 0, bytes: 0 };
    call(extract::run, request, &mut printer, session)?;
    let ExtractionPrinter { is_ended, count, bytes, .. } = printer;
    if is_ended {
        let verb = if request.out.dry_run { "would be written" } else { "written" };
        let noun = if count == 1 { "file" } else { "files" };
        let target = &request.directory;
        session.say(&format!("{count} {noun}, {} {verb} to {target}", human(bytes)));
    }
    Ok(())
}

/// The files that would be written, and how many there were.
struct ExtractionPrinter<'r> {
    request: &'r extract::Request,
    /// Whether a container was gone through.
    is_ended: bool,
    count: u64,
    bytes: u64,
}

impl RowPrinter for ExtractionPrinter<'_> {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        if self.request.out.dry_run {
            let size = human(row["size"].as_u64().unwrap_or_default());
            let output = row["output"].as_str().unwrap_or_default();
            writeln!(session.out(), "{size:>10}  {output}")?;
        }
        Ok(())
    }

    fn speaks(&self) -> bool {
        true
    }

    fn beside(&mut self, row: &Value, _: &mut CommandSession) {
        self.count += 1;
        self.bytes += row["size"].as_u64().unwrap_or_default();
    }

    fn beside_all(&mut self, _: &mut CommandSession) {
        self.is_ended = true;
    }
}
