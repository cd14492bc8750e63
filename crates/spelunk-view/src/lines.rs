//! What comes of a verb as lines of JSON: `{"row": ..}`, `{"diagnostic": .., "file": ..}`, `{"note": ..}`, `{"body": LENGTH}` with so many
//! bytes behind its line, and `{"code": N}` at the end.

use axum::body::Bytes;
use serde_json::{Value, json};
use spelunk::{
    Error, Finding, Result, Severity,
    open::json as diagnostics,
    verbs::{Outcome, Output, Row, RowForm},
};
use std::{
    io,
    time::{Duration, Instant},
};
use tokio::sync::mpsc::Sender;

/// Number of bytes that are sent together at the most, but for a row or a body that is larger.
const BATCH: usize = 64 << 10;

/// Time that rows wait for others at the most, looked at when the next one comes.
const PATIENCE: Duration = Duration::from_millis(50);

/// Sends what comes of a verb, from the thread that it runs on.
#[derive(Debug)]
pub struct Lines {
    to: Sender<Bytes>,
    batch: Vec<u8>,
    sent: Instant,
}

impl Lines {
    /// Lines to whoever has the other end.
    pub fn new(to: Sender<Bytes>) -> Lines {
        Lines { to, batch: Vec::new(), sent: Instant::now() }
    }

    fn line(&mut self, line: &Value) {
        self.batch.extend_from_slice(line.to_string().as_bytes());
        self.batch.push(b'\n');
    }

    fn send_when_due(&mut self) -> Result<()> {
        match self.batch.len() >= BATCH || self.sent.elapsed() >= PATIENCE {
            true => self.send(),
            false => Ok(()),
        }
    }

    fn send(&mut self) -> Result<()> {
        self.sent = Instant::now();
        let batch = std::mem::take(&mut self.batch);
        self.to.blocking_send(batch.into()).map_err(|_| left())
    }

    fn diagnose(&mut self, file: &str, diagnostic: diagnostics::Diagnostic) {
        self.line(&json!({ "file": file, "diagnostic": diagnostic }));
    }

    /// Ends the lines with the exit code that the command would have.
    pub fn end(mut self, outcome: &Outcome) {
        self.line(&json!({ "code": outcome.code() }));
        // Whoever left does not miss it.
        drop(self.send());
    }
}

/// The caller does not listen any more.
fn left() -> Error {
    Error::io(io::ErrorKind::BrokenPipe.into())
}

impl Output for Lines {
    fn row(&mut self, row: &dyn Row) -> Result<()> {
        self.batch.extend_from_slice(b"{\"row\":");
        row.write(&mut self.batch)?;
        self.batch.extend_from_slice(b"}\n");
        self.send_when_due()
    }

    fn body(&mut self, _: &str, bytes: &[u8]) -> Result<()> {
        self.line(&json!({ "body": bytes.len() }));
        for part in bytes.chunks(BATCH) {
            self.batch.extend_from_slice(part);
            self.send_when_due()?;
        }
        Ok(())
    }

    fn diagnostic(&mut self, file: &str, finding: &Finding) {
        self.diagnose(file, diagnostics::finding(finding));
    }

    fn failed(&mut self, file: &str, error: &Error) {
        self.diagnose(file, diagnostics::diagnostic(Severity::Error, error));
    }

    fn note(&mut self, text: &str) {
        self.line(&json!({ "note": text }));
    }

    fn form(&self) -> RowForm {
        RowForm::Json
    }
}
