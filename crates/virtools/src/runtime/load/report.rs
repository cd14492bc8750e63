//! Report of a load.

use spelunk_core::{Code, Error, Result, Severity, Task};

/// Report of a load.
#[derive(Debug, Default)]
pub struct Report {
    /// Outcome of each entry of the object table.
    pub entries: Vec<EntryReport>,
    /// The objects that a load gives its caller: those with behaviour, animations, top behaviours and scripts, and what
    /// the editor shows of scripts.
    pub objects: Vec<u32>,
    /// The character that was made because of [`AS_CHARACTER`](super::flags::AS_CHARACTER), or was there.
    pub character: Option<u32>,
    /// Conditions that were noticed. The sink of the task has received them already.
    pub diagnostics: Vec<Diagnostic>,
}

/// Outcome of an entry of the object table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryReport {
    /// The id that it had when it was saved.
    pub saved_id: u32,
    /// Class of the object.
    pub class_id: u32,
    /// Name in the file.
    pub name: Vec<u8>,
    /// Size in bytes of its chunk as it is loaded, before packing; 0 where it has none.
    pub size: u32,
    /// Size in bytes of its record's data as stored: less than [`EntryReport::size`] only below FileVersion 4, whose objects are
    /// packed one by one.
    pub packed_size: u32,
    /// The flags with which it was saved, which select the saved parts; only records below FileVersion 4 have them.
    pub save_flags: Option<u32>,
    /// The object that it is now.
    pub id: Option<u32>,
    /// Way in which the object was found or created, or the reason that there is none.
    pub outcome: Outcome,
}

/// Way in which an entry became an object, or the reason that it did not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// A new object with its name.
    Created,
    /// A new object with another name.
    Renamed,
    /// An object that was there, which got the state of the entry.
    Replaced,
    /// An object that stood for it, because files referred to it before any held it.
    Awaited,
    /// An object that was there and stays as it is.
    Used,
    /// An object that was there, to which the file only refers.
    Resolved,
    /// No object.
    Skipped(Skipped),
}

/// Why an entry became no object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Skipped {
    /// The entry has no chunk.
    NoChunk,
    /// The entry is a render context, of which each program has its own.
    RenderContext,
    /// The file only refers to it, and it is not there.
    Unresolved,
    /// The flags leave it out.
    Filtered,
    /// Only behaviours are loaded, and it is none.
    NoBehavior,
}

/// Something that was noticed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Severity of the condition.
    pub severity: Severity,
    /// Code of the condition.
    pub code: &'static Code,
    /// Condition as a sentence.
    pub text: String,
}

impl EntryReport {
    /// Whether the chunk of the entry is the state of the object.
    pub const fn is_applied(&self) -> bool {
        matches!(
            self.outcome,
            Outcome::Created | Outcome::Renamed | Outcome::Replaced | Outcome::Awaited
        )
    }
}

impl Report {
    /// Number of entries with this outcome.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.entries.iter().filter(|entry| entry.outcome == outcome).count()
    }

    /// Notes something, and passes it to the sink at once.
    pub(super) fn report(
        &mut self,
        severity: Severity,
        error: Error,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let diagnostic = Diagnostic { severity, code: error.code(), text: error.to_string() };
        self.diagnostics.push(diagnostic);
        match severity {
            Severity::Error => task.error(error),
            Severity::Warning => task.warn(error),
            Severity::Info => task.note(error),
        }
    }
}
