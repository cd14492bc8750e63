//! Calls of verbs of the library, and the printing of what comes of them.

use crate::{
    network,
    output::{CommandSession, StandardOutput, is_closed_pipe},
    progress::Progress,
};
use serde_json::Value;
use spelunk::{
    Class, Error, Finding, Result, Severity,
    verbs::{self, Heading, Outcome, Output, Row, RowForm},
};
use std::io::{self, Write};

/// Number of findings of one code that people are shown of a file, unless they ask for all of them.
pub const SHOWN_FINDINGS: usize = 20;

/// Form of rows for people. Data of programs are printed as they come.
pub trait RowPrinter {
    /// Begins the rows of a file.
    fn begin(&mut self, heading: &Heading<'_>, session: &mut CommandSession) -> Result<()> {
        let _ = (heading, session);
        Ok(())
    }

    /// Prints a row.
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()>;

    /// Whether rows are printed from their JSON, which for millions of them takes a fraction of the time.
    fn reads_json(&self) -> bool {
        false
    }

    /// Prints a row from its JSON.
    fn json(&mut self, row: &[u8], session: &mut CommandSession) -> Result<()> {
        let row = serde_json::from_slice(row).map_err(io::Error::from)?;
        self.row(&row, session)
    }

    /// Returns the least severity of findings that are shown where nothing else is asked for; `None` where the rows have all of
    /// them.
    fn least(&self, json: bool) -> Option<Severity> {
        let _ = json;
        Some(Severity::Warning)
    }

    /// Whether findings are what was asked for, and stand among the rows, which say how many there are.
    fn reports(&self) -> bool {
        false
    }

    /// Number of findings of one code that are shown of a file, unless all are asked for; `None` for all of them.
    fn most(&self) -> Option<usize> {
        Some(SHOWN_FINDINGS)
    }

    /// Whether something is said of rows.
    fn speaks(&self) -> bool {
        false
    }

    /// Says what is said of a row on standard error, whether or not it is printed as data.
    fn beside(&mut self, row: &Value, session: &mut CommandSession) {
        let _ = (row, session);
    }

    /// Says what is said at the end of the rows of a file, whether or not they are printed as data.
    fn beside_all(&mut self, session: &mut CommandSession) {
        let _ = session;
    }

    /// Ends the rows of a file.
    fn end(&mut self, session: &mut CommandSession) -> Result<()> {
        let _ = session;
        Ok(())
    }
}

/// A verb of the library.
pub type Verb<R> = fn(&verbs::Session, &R, &mut dyn Output) -> Result<Outcome>;

/// Runs a verb of the library and prints what comes of it.
pub fn call<R>(
    verb: Verb<R>,
    request: &R,
    text: &mut dyn RowPrinter,
    session: &mut CommandSession,
) -> Result<()> {
    let (own, network) = network::session(&session.common);
    let own = own.with_options(session.options()?).lenient(session.common.lenient);
    let (file, counts) = (String::new(), Vec::new());
    let mut printer =
        Printer { session, text, file, counts, progress: None, repeated: None, buffer: Vec::new() };
    let outcome = verb(&own, request, &mut printer);
    printer.end_findings();
    printer.end_repeated();
    drop(printer.progress.take());
    network.report(session);
    session.take(outcome?);
    Ok(())
}

/// Prints what comes of a verb.
struct Printer<'a> {
    session: &'a mut CommandSession,
    text: &'a mut dyn RowPrinter,
    /// The file whose findings come, and how many there were of each code.
    file: String,
    counts: Vec<(&'static str, usize)>,
    progress: Option<Progress>,
    /// The error that was told last, with its file, and how often it came again.
    repeated: Option<(String, u64)>,
    /// The JSON of a row.
    buffer: Vec<u8>,
}

impl Printer<'_> {
    /// Says how many findings were not shown.
    fn end_findings(&mut self) {
        let most = self.most();
        for (id, count) in std::mem::take(&mut self.counts) {
            if count > most && !self.is_report() {
                let more = count - most;
                let text = format!("{}: {more} more of {id} (-v shows all of them)", self.file);
                self.session.say(&text);
            }
        }
        self.file.clear();
    }

    /// Says how often the error that was told last came again.
    fn end_repeated(&mut self) {
        match self.repeated.take() {
            None | Some((_, 0)) => {}
            Some((_, 1)) => self.session.say("the same once more"),
            Some((_, count)) => self.session.say(&format!("the same {count} times more")),
        }
    }

    /// Number of findings of one code that are shown.
    fn most(&self) -> usize {
        let all = self.session.common.verbose.then_some(usize::MAX);
        all.or(self.text.most()).unwrap_or(usize::MAX)
    }

    /// Whether findings go to standard output.
    fn is_report(&self) -> bool {
        self.text.reports() && !self.session.common.json
    }
}

impl Output for Printer<'_> {
    fn begin(&mut self, heading: &Heading<'_>) -> Result<()> {
        match self.session.common.json {
            true => Ok(()),
            false => self.text.begin(heading, self.session),
        }
    }

    fn row(&mut self, row: &dyn Row) -> Result<()> {
        if self.text.reports() {
            self.end_findings();
        }
        if !self.session.common.json && self.text.reads_json() {
            self.buffer.clear();
            row.write(&mut self.buffer)?;
            return self.text.json(&self.buffer, self.session);
        }
        if !self.session.common.json {
            let row = row.value();
            self.text.beside(&row, self.session);
            return self.text.row(&row, self.session);
        }
        if self.text.speaks() {
            self.text.beside(&row.value(), self.session);
        }
        let out = self.session.out();
        row.write(out)?;
        Ok(out.write_all(b"\n")?)
    }

    fn end(&mut self) -> Result<()> {
        if !self.session.common.json {
            self.text.end(self.session)?;
        }
        self.text.beside_all(self.session);
        Ok(())
    }

    /// Straight to standard output: these bytes are not text, and no colour code is looked for in them.
    fn body(&mut self, _: &str, bytes: &[u8]) -> Result<()> {
        self.session.out().flush()?;
        let mut out = StandardOutput(io::stdout().lock());
        out.write_all(bytes)?;
        Ok(out.flush()?)
    }

    fn diagnostic(&mut self, file: &str, finding: &Finding) {
        let common = &self.session.common;
        let from = match (self.text.least(common.json), common.quiet, common.verbose) {
            (None, ..) => return,
            (_, true, _) => Severity::Error,
            (_, _, true) => Severity::Info,
            (Some(least), ..) => least,
        };
        if finding.severity < from {
            return;
        }
        if self.file != file {
            self.end_findings();
            file.clone_into(&mut self.file);
        }
        let id = finding.error.code().id;
        let place = self.counts.iter().position(|(known, _)| *known == id);
        let place = place.unwrap_or_else(|| {
            self.counts.push((id, 0));
            self.counts.len() - 1
        });
        self.counts[place].1 += 1;
        if self.counts[place].1 > self.most() {
            return;
        }
        match self.is_report() {
            // What cannot be printed ends the verb with the row that follows.
            true => drop(self.session.report(file, finding)),
            false => self.session.complain(finding.severity, file, &finding.error),
        }
    }

    fn failed(&mut self, file: &str, error: &Error) {
        self.end_findings();
        // Who read standard output has enough.
        if error.code().class == Class::Io && is_closed_pipe(error) {
            return;
        }
        let told = format!("{file}: {error}");
        if let Some((_, count)) = self.repeated.as_mut().filter(|(last, _)| *last == told) {
            *count = count.saturating_add(1);
            return;
        }
        self.end_repeated();
        self.session.complain(Severity::Error, file, error);
        self.repeated = Some((told, 0));
    }

    fn note(&mut self, text: &str) {
        self.session.say(text);
    }

    fn form(&self) -> RowForm {
        if self.session.common.json || self.text.reads_json() {
            RowForm::Json
        } else {
            RowForm::Value
        }
    }

    fn progress(&mut self, done: &verbs::Progress) {
        let progress = self.progress.get_or_insert_with(|| Progress::new(self.session));
        progress.at(done);
    }

    fn instead(&mut self, text: &'static str) {
        self.session.print_alternative(text);
    }
}
