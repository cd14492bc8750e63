//! Rules about content whose bytes are sound: what a program would not like of it. Each format has a table of its own.

use crate::{error::Code, finding::Severity};

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Code of the rule.
    pub code: &'static Code,
    /// The most that its findings are.
    pub severity: Severity,
    /// Change that mending makes, if any.
    pub fix: Option<&'static str>,
}

impl Rule {
    /// A rule that is reported and not mended.
    pub const fn reported(code: &'static Code, severity: Severity) -> Rule {
        Rule { code, severity, fix: None }
    }

    /// A rule that is mended in the way that `fix` says.
    pub const fn mended(code: &'static Code, severity: Severity, fix: &'static str) -> Rule {
        Rule { code, severity, fix: Some(fix) }
    }
}

/// The rules of one format.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Subject of the rules.
    pub about: &'static str,
    /// The rules, by their codes.
    pub rules: &'static [Rule],
    /// The first and the last code of those that `verify` reports too.
    pub verified: Option<[&'static str; 2]>,
    /// Whether what these say is lost for who loads the file, although it is sound byte for byte.
    pub is_lost: bool,
}

impl Rules {
    /// Whether `verify` reports this rule too.
    pub fn is_verified(&self, code: &Code) -> bool {
        self.verified.is_some_and(|[first, last]| (first..=last).contains(&code.id))
    }
}

/// Rules that count.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Rules that alone count; all where there are none.
    pub only: Vec<&'static Code>,
    /// Not these.
    pub allowed: Vec<&'static Code>,
}

impl Selection {
    /// Whether a rule counts.
    pub fn has(&self, code: &Code) -> bool {
        let is_in = |list: &[&Code]| list.iter().any(|known| known.id == code.id);
        (self.only.is_empty() || is_in(&self.only)) && !is_in(&self.allowed)
    }
}
