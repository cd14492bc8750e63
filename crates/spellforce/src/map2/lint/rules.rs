//! The rules, by their codes.

use super::codes;
use spelunk_core::{Severity, lint::Rule};

/// All rules, by their codes.
pub const RULES: &[Rule] = &[
    Rule::reported(&codes::TEAM, Severity::Warning),
    Rule::reported(&codes::KIT, Severity::Warning),
    Rule::reported(&codes::MEMBER, Severity::Warning),
    Rule::reported(&codes::OUTSIDE, Severity::Warning),
    Rule::reported(&codes::PYRAMID, Severity::Warning),
    Rule::reported(&codes::BLOCKED, Severity::Info),
];
