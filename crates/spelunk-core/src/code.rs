//! Entries of the code registry.

/// Origin of an error; decides the exit code of the command.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Class {
    /// The bytes contradict their format.
    Malformed,
    /// Sound as far as can be seen, but of a kind this release does not read or write.
    Unsupported,
    /// A limit (memory, items, depth, ratio, steps) would have been passed.
    Limit,
    /// Reading or writing failed.
    Io,
    /// The caller asked for something that does not exist or makes no sense.
    Usage,
    /// A rule about well-formed content: legal bytes that the original program would not like.
    Rule,
}

impl Class {
    /// The class as one lower-case word.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Malformed => "malformed",
            Class::Unsupported => "unsupported",
            Class::Limit => "limit",
            Class::Io => "input/output",
            Class::Usage => "usage",
            Class::Rule => "rule",
        }
    }
}

/// An entry of the code registry: errors, findings and lint rules all carry one.
///
/// Each crate lists its own with [`codes!`](crate::codes!); ids are stable and never reused.
#[derive(PartialEq, Eq, Debug)]
pub struct Code {
    /// Stable id, two letters and three digits, for example `VT012`.
    pub id: &'static str,
    /// Origin of the error.
    pub class: Class,
    /// Title of one line without a full stop.
    pub title: &'static str,
    /// Explanation: the meaning, and what can be done about it.
    pub help: &'static str,
    /// Name and number of the same condition in the format's own software, for example
    /// `("CKERR_INVALIDFILE", -22)`.
    pub native: Option<(&'static str, i32)>,
}
