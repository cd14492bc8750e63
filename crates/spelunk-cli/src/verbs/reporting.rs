//! Findings of many files as one document, and without those that are known.

use super::writing;
use crate::{
    args::{Output, Report},
    inputs::Input,
    output::Session,
};
use spelunk::{
    Collect, Error, Result, Severity,
    sarif::Log,
    suppress::{Baseline, Suppressions},
};
use std::path::Path;

/// How the findings of a run are told.
#[derive(Default)]
pub struct Reporting {
    log: Option<Log>,
    suppressions: Option<(String, Suppressions)>,
    baseline: Option<Baseline>,
}

impl Reporting {
    /// As `format` says. With `lint` a document has all rules.
    pub fn new(format: Option<Report>, lint: bool) -> Reporting {
        let log = (format == Some(Report::Sarif)).then(|| Log::new(lint));
        Reporting { log, ..Reporting::default() }
    }

    /// Passes over what the file says from now on.
    pub fn suppress(&mut self, file: Option<&Path>, session: &Session) -> Result<()> {
        let Some(file) = file else { return Ok(()) };
        let input = Input::named(file);
        let text = input.bytes(&session.options()?)?;
        let text = String::from_utf8_lossy(&text);
        let named = |error: Error| error.within(spelunk::Seg::Key(input.name().into()));
        let known = Suppressions::parse(&text).map_err(named)?;
        self.suppressions = Some((input.name(), known));
        Ok(())
    }

    /// Notes everything that is found from now on as known.
    pub fn note(&mut self) {
        self.baseline = Some(Baseline::default());
    }

    /// Whether one document is made of all files.
    pub const fn is_document(&self) -> bool {
        self.log.is_some()
    }

    /// Takes out of the findings of a file what is known, and puts the rest and `more` errors into the document; tells how
    /// many were taken, where any may be.
    pub fn file(&mut self, file: &str, findings: &mut Collect, more: &[&Error]) -> Option<u64> {
        let mut taken = None;
        let mut suppressed = Vec::new();
        if let Some((_, known)) = &mut self.suppressions {
            let (list, count) = known.apply(file, findings);
            (suppressed, taken) = (list, Some(count));
        }
        if let Some(baseline) = &mut self.baseline {
            baseline.add(file, findings);
            let (list, count) = findings.take(|_| true, |_| true);
            let list = list.into_iter();
            suppressed.extend(
                list.map(|finding| spelunk::suppress::Suppressed { finding, reason: None }),
            );
            taken = Some(taken.unwrap_or(0) + count);
        }
        if let Some(log) = &mut self.log {
            let found = findings.findings.iter();
            found.for_each(|finding| log.add(file, finding.severity, &finding.error));
            more.iter().for_each(|error| log.add(file, Severity::Error, error));
            suppressed.iter().for_each(|known| log.add_suppressed(file, known));
        }
        taken
    }

    /// Prints the document, writes what was noted, and tells suppressions that nothing was found for.
    pub fn finish(self, noted: Option<(&Path, &Output)>, session: &mut Session) -> Result<()> {
        if let Some(log) = self.log {
            session.json(&log.finish())?;
        }
        if let Some((file, known)) = &self.suppressions {
            for (line, text) in known.unmatched() {
                session.say(&format!("{file}:{line}: nothing was found for `{text}`"));
            }
        }
        let (Some(baseline), Some((target, output))) = (self.baseline, noted) else {
            return Ok(());
        };
        let (text, count) = baseline.finish();
        let name = target.display().to_string();
        match writing::put(target, output, text.as_bytes()) {
            Ok(_) => session.say(&format!("{name}: {count} findings noted as known")),
            Err(error) => session.failed(&name, &error),
        }
        Ok(())
    }
}
