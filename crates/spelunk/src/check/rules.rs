//! Rules of all formats, by the codes that they are called by.

use crate::{Code, Error, Result, open::codes, open::detect};
use spelunk_core::{lint::Rules, nearest::with_near};

/// The rules of each format.
pub fn rules() -> impl Iterator<Item = &'static Rules> {
    detect::built_in().filter_map(|format| format.rules)
}

/// The code of a rule.
///
/// # Errors
/// [`NO_RULE`](codes::NO_RULE).
pub fn rule(id: &str) -> Result<&'static Code> {
    let known = rules().flat_map(|of| of.rules).find(|rule| rule.code.id.eq_ignore_ascii_case(id));
    known.map(|rule| rule.code).ok_or_else(|| {
        let ids = rules().flat_map(|of| of.rules).map(|rule| rule.code.id);
        Error::new(&codes::NO_RULE)
            .expected("a rule that `spelunk lint --list-rules` lists")
            .found(with_near(id, ids))
    })
}

/// Whether a code stands for something that is sound, byte for byte, and lost for whoever loads the file
/// (`docs/formats/virtools.md#14-what-engines-do-not-load`).
pub fn is_lost(code: &Code) -> bool {
    rules().any(|rules| rules.is_lost && rules.is_verified(code))
}
