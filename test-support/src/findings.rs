//! Codes of findings.

use spelunk_core::{Collect, Severity};
use std::collections::BTreeMap;

/// The codes of all findings, in order.
pub fn codes(sink: &Collect) -> Vec<&'static str> {
    sink.findings.iter().map(|finding| finding.error.code().id).collect()
}

/// The codes of the findings of one severity, in order.
pub fn codes_of(sink: &Collect, severity: Severity) -> Vec<&'static str> {
    let of = sink.findings.iter().filter(|finding| finding.severity == severity);
    of.map(|finding| finding.error.code().id).collect()
}

/// The codes of the findings of severity error, in order.
pub fn errors(sink: &Collect) -> Vec<&'static str> {
    codes_of(sink, Severity::Error)
}

/// Codes and severities of all findings, in order.
pub fn graded(sink: &Collect) -> Vec<(&'static str, Severity)> {
    sink.findings.iter().map(|finding| (finding.error.code().id, finding.severity)).collect()
}

/// The number of findings of each code.
pub fn tally(sink: &Collect) -> BTreeMap<&'static str, usize> {
    let mut tally = BTreeMap::new();
    for code in codes(sink) {
        *tally.entry(code).or_default() += 1;
    }
    tally
}

/// Asserts that nothing was found.
///
/// # Panics
/// Where something was.
pub fn assert_none(sink: &Collect) {
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
}
