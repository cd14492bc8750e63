//! Outputs, which take the rows, bytes and findings of verbs.

use crate::{Class, Error, Finding, Result, Severity, open::codes, open::json};
use serde::Serialize;
use serde_json::Value;
use std::{
    borrow::Cow,
    io::{self, Write},
};

/// A row of a verb. Every type that `serde` serializes is one.
pub trait Row {
    /// Writes it as JSON, without a line break.
    ///
    /// # Errors
    /// Those of `out`.
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Returns the row as a value of JSON, which it may be already.
    fn value(&self) -> Cow<'_, Value>;
}

impl<T: Serialize> Row for T {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(out, self).map_err(io::Error::from)
    }

    fn value(&self) -> Cow<'_, Value> {
        Cow::Owned(json_value(self))
    }
}

fn json_value(row: &impl Serialize) -> Value {
    // Rows have no keys but texts.
    serde_json::to_value(row).unwrap_or_default()
}

/// The form in which an output takes rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowForm {
    /// With [`Row::write`].
    Json,
    /// With [`Row::value`], or either.
    #[default]
    Value,
}

/// Heading of the rows that follow.
#[derive(Clone, Copy, Debug)]
pub struct Heading<'a> {
    /// The file that they are of.
    pub file: &'a str,
    /// Whether rows of other files may follow.
    pub is_one_of_many: bool,
    /// The columns that were asked for; none where rows have all of theirs.
    pub columns: &'a [String],
}

/// Progress of the work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of the files that are done.
    pub done: u64,
    /// Bytes of all files.
    pub total: u64,
    /// Number of the file that is worked on, counted from 1.
    pub file: usize,
    /// Number of all files.
    pub files: usize,
}

/// Takes what comes of a verb, on the thread that called it and in the order of the files. An error that it returns ends the
/// verb.
pub trait Output {
    /// Begins the rows of a file.
    ///
    /// # Errors
    /// When the output cannot take more.
    fn begin(&mut self, heading: &Heading<'_>) -> Result<()> {
        let _ = heading;
        Ok(())
    }

    /// Takes a row.
    ///
    /// # Errors
    /// When the output cannot take more.
    fn row(&mut self, row: &dyn Row) -> Result<()>;

    /// Ends the rows of a file.
    ///
    /// # Errors
    /// When the output cannot take more.
    fn end(&mut self) -> Result<()> {
        Ok(())
    }

    /// Takes bytes that were asked for: an entry, a document.
    ///
    /// # Errors
    /// When the output cannot take more.
    fn body(&mut self, name: &str, bytes: &[u8]) -> Result<()>;

    /// Takes what was noticed of a file.
    fn diagnostic(&mut self, file: &str, finding: &Finding);

    /// Takes why something could not be done with a file.
    fn failed(&mut self, file: &str, error: &Error);

    /// Takes a sentence about the work for whoever asked for it.
    fn note(&mut self, text: &str) {
        let _ = text;
    }

    /// Takes what else would do what this verb cannot do with a format.
    fn instead(&mut self, text: &'static str) {
        self.note(text);
    }

    /// The form in which rows are taken. Where several threads work on files, they make it.
    fn form(&self) -> RowForm {
        RowForm::default()
    }

    /// Takes how much of the work is done.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }
}

/// Keeps everything: for tests, and for doors that answer with all of it.
#[derive(Debug, Default)]
pub struct CollectedOutput {
    /// The rows.
    pub rows: Vec<Value>,
    /// Bytes, with their names.
    pub bodies: Vec<(String, Vec<u8>)>,
    /// Findings as JSON has them, with the files that they are about.
    pub diagnostics: Vec<(String, Value)>,
    /// Sentences about the work.
    pub notes: Vec<String>,
}

impl Output for CollectedOutput {
    fn row(&mut self, row: &dyn Row) -> Result<()> {
        self.rows.push(row.value().into_owned());
        Ok(())
    }

    fn body(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.bodies.push((name.to_owned(), bytes.to_vec()));
        Ok(())
    }

    fn diagnostic(&mut self, file: &str, finding: &Finding) {
        self.diagnostics.push((file.to_owned(), json_value(&json::finding(finding))));
    }

    fn failed(&mut self, file: &str, error: &Error) {
        self.diagnostics
            .push((file.to_owned(), json_value(&json::diagnostic(Severity::Error, error))));
    }

    fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }
}

/// End of a run: clean, or with the worst of what went wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    code: u8,
    /// Files found in folders that are no containers.
    pub passed_over: Vec<String>,
}

impl Outcome {
    /// Whether nothing went wrong and nothing was found that is worth an exit code.
    pub fn is_clean(&self) -> bool {
        self.code == 0
    }

    /// The exit code of the command: 0 clean, 1 error findings or differences, 2 usage, 3 cannot be opened, 4 input or output,
    /// 5 not supported; the highest of those that were met.
    pub fn code(&self) -> u8 {
        self.code
    }

    /// Notes error findings, differences or conflicts.
    pub fn findings(&mut self) {
        self.raise(1);
    }

    /// Notes that a file could not be opened.
    pub fn unopened(&mut self, error: &Error) {
        self.raise(match error.code().class {
            Class::Malformed | Class::Limit | Class::Rule => 3,
            Class::Io => 4,
            Class::Unsupported => 5,
            Class::Usage => 2,
        });
    }

    /// Notes that something went wrong with a file that could be opened.
    pub fn failed(&mut self, error: &Error) {
        // A verb that ran out of memory or work says nothing of what it compared or changed.
        let ended = [&codes::core::MEMORY, &codes::core::STEPS].map(|code| code.id);
        self.raise(match error.code().class {
            Class::Limit if ended.contains(&error.code().id) => 3,
            Class::Malformed | Class::Limit | Class::Rule => 1,
            Class::Io => 4,
            Class::Unsupported => 5,
            Class::Usage => 2,
        });
    }

    /// Takes up what came of other work of the same run.
    pub fn and(&mut self, other: Outcome) {
        self.raise(other.code);
        self.passed_over.extend(other.passed_over);
    }

    fn raise(&mut self, code: u8) {
        self.code = self.code.max(code);
    }
}
