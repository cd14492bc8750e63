//! The report of a run.

use crate::{
    look::{Facts, FileError},
    sent,
};
use serde::{Deserialize, Serialize};
use spelunk::Code;

/// A file that could not be opened or read to its end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bad {
    /// Name of the file.
    pub file: String,
    /// Code of the error that ended it.
    #[serde(with = "sent::code")]
    pub code: &'static Code,
    /// Message of the error.
    pub message: String,
    /// Whether it is a file of no known format, rather than a damaged one.
    pub is_foreign: bool,
}

/// Report of a run, and counts of the catalogue after it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Files, and those of them that are of a known format.
    pub files: usize,
    /// See `files`.
    pub containers: usize,
    /// Rows of the tables. All findings are counted, repetitions too. Without those of files that a dry run would look at.
    pub entries: u64,
    /// See `entries`.
    pub objects: u64,
    /// See `entries`.
    pub findings: u64,
    /// Files that the catalogue did not know.
    pub new: usize,
    /// Files with other bytes than the catalogue knew.
    pub changed: usize,
    /// Files with another time and the same bytes.
    pub touched: usize,
    /// Files that are as the catalogue knew them.
    pub unchanged: usize,
    /// Files that the catalogue knew and that are not there any more.
    pub gone: usize,
    /// Files with findings that are errors, which could be opened.
    pub damaged: usize,
    /// Parquet files that were written.
    pub written: usize,
    /// Files that could not be opened, in their order.
    pub bad: Vec<Bad>,
}

impl Summary {
    /// Counts a file.
    pub(crate) fn count(&mut self, name: &str, facts: &Facts) {
        self.containers = self.containers.saturating_add(usize::from(facts.is_container));
        self.entries = self.entries.saturating_add(facts.entries);
        self.objects = self.objects.saturating_add(facts.objects);
        self.findings = self.findings.saturating_add(facts.findings);
        match &facts.error {
            Some(FileError { code, message }) => self.bad.push(Bad {
                file: name.to_owned(),
                code,
                message: message.clone(),
                is_foreign: facts.ok.is_none(),
            }),
            None => {
                self.damaged = self.damaged.saturating_add(usize::from(facts.ok == Some(false)))
            }
        }
    }

    /// Adds what a part has.
    pub(crate) fn add(&mut self, part: Summary) {
        self.containers = self.containers.saturating_add(part.containers);
        self.entries = self.entries.saturating_add(part.entries);
        self.objects = self.objects.saturating_add(part.objects);
        self.findings = self.findings.saturating_add(part.findings);
        self.damaged = self.damaged.saturating_add(part.damaged);
        self.written = self.written.saturating_add(part.written);
        self.bad.extend(part.bad);
    }

    /// Puts the files that could not be opened in order.
    pub(crate) fn sorted(mut self) -> Summary {
        self.bad.sort_by(|a, b| a.file.cmp(&b.file));
        self
    }
}
