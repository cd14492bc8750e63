//! The rules, by their codes.

use super::codes;
use spelunk_core::{Severity, lint::Rule};

/// All rules, by their codes.
pub const RULES: &[Rule] = &[
    Rule::reported(&codes::OUTSIDE, Severity::Warning),
    Rule::reported(&codes::WEATHER, Severity::Warning),
    Rule::reported(&codes::NO_BINDSTONE, Severity::Warning),
    Rule::reported(&codes::NPC_REPEATED, Severity::Warning),
    Rule::reported(&codes::PORTAL_OBJECT, Severity::Warning),
    Rule::reported(&codes::TILE, Severity::Warning),
    Rule::reported(&codes::TEXTURE, Severity::Warning),
    Rule::reported(&codes::NO_ID, Severity::Warning),
    Rule::reported(&codes::LAKE, Severity::Warning),
    Rule::reported(&codes::UNIT_GROUPS, Severity::Info),
    Rule::reported(&codes::NO_SPAWNS, Severity::Warning),
    Rule::reported(&codes::NO_SPAWN, Severity::Warning),
    Rule::reported(&codes::SECOND, Severity::Warning),
    Rule::reported(&codes::CELL_REPEATED, Severity::Info),
    Rule::reported(&codes::DUMMY, Severity::Info),
    Rule::reported(&codes::CAMP, Severity::Info),
    Rule::reported(&codes::TEAMS_KIND, Severity::Warning),
    Rule::reported(&codes::DECORATION, Severity::Info),
    Rule::reported(&codes::DANGLING, Severity::Warning),
    Rule::reported(&codes::NO_ROW, Severity::Warning),
];
