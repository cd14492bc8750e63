//! Merging as the command does it.

use super::{errors, open, written};
use spelunk::{
    Options, WriteOptions,
    compare::merge::{Conflict, Merged, OnConflict, Report, merge},
};

/// What comes of a merge: the file, where it is not refused, the report, and what is told of it. The file has no errors.
pub fn merged(
    sides: [&[u8]; 3],
    on_conflict: OnConflict,
) -> (Option<Vec<u8>>, Report, Vec<String>) {
    let opened = sides.map(|bytes| open("side", bytes));
    let merged = merge([&opened[0], &opened[1], &opened[2]], on_conflict, &Options::default());
    let Merged { opened, report } = merged.unwrap_or_else(|error| panic!("{error}"));
    let mut told = Vec::new();
    let bytes = opened.map(|mut opened| {
        told.extend(opened.findings().findings.iter().map(|found| found.error.to_string()));
        written(&mut opened, &WriteOptions::default())
    });
    if let Some(bytes) = &bytes {
        assert_eq!(errors(&mut open("merged", bytes)), [""; 0]);
    }
    (bytes, report, told)
}

/// Conflicts in short: `ENTRY FIELD: OURS or THEIRS`.
pub fn told(conflicts: &[Conflict]) -> Vec<String> {
    let told = |it: &Conflict| {
        let field = it.field.as_deref().unwrap_or("all");
        format!("{} {field}: {} or {}", it.entry.path, it.ours, it.theirs)
    };
    conflicts.iter().map(told).collect()
}
