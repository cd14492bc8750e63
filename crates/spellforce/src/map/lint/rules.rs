//! The rules, by their codes.

use super::codes;
use spelunk_core::{Severity, lint::Rule};

/// All rules, by their codes.
pub const RULES: &[Rule] = &[
    Rule::told(&codes::OUTSIDE, Severity::Warning),
    Rule::told(&codes::WEATHER, Severity::Warning),
    Rule::told(&codes::NO_BINDSTONE, Severity::Warning),
    Rule::told(&codes::NPC_REPEATED, Severity::Warning),
    Rule::told(&codes::PORTAL_OBJECT, Severity::Warning),
    Rule::told(&codes::TILE, Severity::Warning),
    Rule::told(&codes::TEXTURE, Severity::Warning),
    Rule::told(&codes::NO_ID, Severity::Warning),
    Rule::told(&codes::LAKE, Severity::Warning),
    Rule::told(&codes::UNIT_GROUPS, Severity::Info),
    Rule::told(&codes::NO_SPAWNS, Severity::Warning),
    Rule::told(&codes::NO_SPAWN, Severity::Warning),
    Rule::told(&codes::SECOND, Severity::Warning),
    Rule::told(&codes::CELL_REPEATED, Severity::Info),
    Rule::told(&codes::DUMMY, Severity::Info),
    Rule::told(&codes::CAMP, Severity::Info),
    Rule::told(&codes::TEAMS_KIND, Severity::Warning),
    Rule::told(&codes::DECORATION, Severity::Info),
    Rule::told(&codes::DANGLING, Severity::Warning),
    Rule::told(&codes::NO_ROW, Severity::Warning),
];
