//! `lint`: what a game would not like, and mending what is safe.

use super::{
    door::{RowPrinter, call},
    explain,
    verify::{JudgedFiles, most, summary, verdict},
};
use crate::output::{CommandSession, TITLE, human};
use serde_json::Value;
use spelunk::{Result, check::lint::Reason, verbs::lint};

pub fn run(request: &lint::Request, session: &mut CommandSession) -> Result<()> {
    if request.list_rules {
        return call(lint::run, request, &mut explain::CodeList, session);
    }
    let is_document = request.format.is_some();
    let is_container = request.output.as_ref().is_some_and(|output| output.is_stream());
    let max = request.max;
    let judged = JudgedFiles::default();
    let mut verdicts = Verdicts { is_document, is_container, max, judged };
    call(lint::run, request, &mut verdicts, session)?;
    verdicts.judged.end("", session)
}

/// A line for each file.
struct Verdicts {
    /// Whether one document is made of all files.
    is_document: bool,
    /// Whether standard output takes the mended file, and nothing else.
    is_container: bool,
    /// Number of findings of one code that are listed, where it was chosen.
    max: Option<u64>,
    judged: JudgedFiles,
}

/// Why findings were left, and what would mend them all the same.
fn why(reason: &str) -> &'static str {
    if reason == Reason::Names.name() {
        "names differ: --merge-names"
    } else if reason == Reason::Unused.name() {
        "nothing uses them: --remove-unused"
    } else {
        "cells, parameters, scripts or texts refer to them"
    }
}

impl RowPrinter for Verdicts {
    fn reports(&self) -> bool {
        !self.is_document && !self.is_container
    }

    fn most(&self) -> Option<usize> {
        most(self.max)
    }

    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        if self.is_document {
            return session.json(row);
        }
        if let Some(name) = row["missing"].as_str() {
            let needed_by = row["needed_by"].as_array().into_iter().flatten();
            let needed_by: Vec<&str> = needed_by.filter_map(Value::as_str).collect();
            let needed_by = needed_by.join(", ");
            writeln!(session.out(), "{TITLE}{name}{TITLE:#}: missing, needed by {needed_by}")?;
            return Ok(());
        }
        self.judged.count(row["ok"] == true, row["unopened"] != true);
        let mut text = summary(row, self.max, session);
        if let Some(count) = row["suppressed"].as_u64().filter(|count| *count > 0) {
            text.push_str(&format!(", {count} suppressed"));
        }
        if let Some(fixed) = row["fixed"].as_object() {
            let counts: Vec<String> =
                fixed.iter().map(|(code, count)| format!("{count} of {code}")).collect();
            let counts = if counts.is_empty() { "nothing".to_owned() } else { counts.join(", ") };
            text.push_str(&format!("; mended: {counts}"));
        }
        if let Some(left) = row["left"].as_array().filter(|left| !left.is_empty()) {
            let left = left.iter().map(|left| {
                let [code, reason] = ["code", "reason"].map(|key| left[key].as_str().unwrap_or(""));
                format!("{} of {code} ({})", left["count"], why(reason))
            });
            text.push_str(&format!("; left: {}", left.collect::<Vec<_>>().join(", ")));
        }
        verdict(row["file"].as_str().unwrap_or_default(), row["ok"] == true, &text, session)?;
        if let Some(output) = row["output"].as_str() {
            let size = human(row["size"].as_u64().unwrap_or_default());
            let verb = if row["dry_run"] == true { "would be written" } else { "written" };
            session.say(&format!("{output}: {size} {verb}"));
        }
        Ok(())
    }
}
