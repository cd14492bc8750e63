//! `extract`: entries to files, with a manifest.

use super::door::{RowPrinter, call};
use crate::output::{CommandSession, human};
use serde_json::Value;
use spelunk::{Result, verbs::extract};

pub fn run(request: &extract::Request, session: &mut CommandSession) -> Result<()> {
    call(extract::run, request, &mut ExtractionPrinter { request, count: 0, bytes: 0 }, session)
}

/// The files that would be written, and how many there were.
struct ExtractionPrinter<'r> {
    request: &'r extract::Request,
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

    fn beside_all(&mut self, session: &mut CommandSession) {
        let ExtractionPrinter { request, count, bytes } = self;
        let verb = if request.out.dry_run { "would be written" } else { "written" };
        let noun = if *count == 1 { "file" } else { "files" };
        let target = &request.directory;
        session.say(&format!("{count} {noun}, {} {verb} to {target}", human(*bytes)));
    }
}
