//! Rules about caches that can be read (`spelunk lint`): what the editor would read wrongly. Whether a cache is true of the
//! archives beside it is for [`check`](super::check()) to find.

use super::{Cache, Cached};
use crate::codes;
pub use spelunk_core::lint::{Rule, Selection};
use spelunk_core::{Error, Result, Seg, Severity, Task};
use std::borrow::Cow;

/// All rules, by their codes.
pub const RULES: &[Rule] = &[
    Rule::reported(&codes::PAKDATA_TWICE, Severity::Warning),
    Rule::reported(&codes::PAKDATA_OUTSIDE, Severity::Warning),
];

/// Applies the rules to a cache. Findings go to the sink of the task.
///
/// # Errors
/// Limits; what the sink makes of a finding.
pub fn lint(cache: &Cache, selection: &Selection, task: &mut Task<'_>) -> Result<()> {
    if selection.has(&codes::PAKDATA_TWICE) {
        twice(cache, task)?;
    }
    // In the dialect `spec` no size of an archive is stored.
    if selection.has(&codes::PAKDATA_OUTSIDE) && !cache.form().is_spec() {
        cache.archives().try_for_each(|archive| outside(&archive, task))?;
    }
    Ok(())
}

/// Archives whose names differ in the case of their letters at most.
fn twice(cache: &Cache, task: &mut Task<'_>) -> Result<()> {
    let lower = |archive: &Cached<'_>| archive.key.to_ascii_lowercase();
    let mut seen = std::collections::BTreeSet::new();
    for archive in cache.archives() {
        task.budget.memory((archive.key.len() as u64).saturating_add(64))?;
        if !seen.insert(lower(&archive)) {
            let error = Error::new(&codes::PAKDATA_TWICE).at(archive.at());
            task.warn(error.within(Seg::Key(shown(archive.key).into_owned().into())))?;
        }
    }
    Ok(())
}

/// Files that reach past the end of their archive, as the cache has both.
fn outside(archive: &Cached<'_>, task: &mut Task<'_>) -> Result<()> {
    let numbers = archive.numbers();
    let start = i64::from(numbers.data_start.get());
    let size = i64::from(numbers.file_size.get());
    for (nth, file) in archive.entries().enumerate() {
        task.budget.steps(1)?;
        let end = start.saturating_add(file.offset).saturating_add(file.size);
        if end > size {
            let error = Error::new(&codes::PAKDATA_OUTSIDE)
                .at(file.at)
                .expected(format!("at most {size}, the size of the archive"))
                .found(format!("the end at {end} of `{}`", shown(file.name)));
            let error = error.within(Seg::Index(nth as u64)).field("entries");
            task.warn(error.within(Seg::Key(shown(archive.key).into_owned().into())))?;
        }
    }
    Ok(())
}

/// The cache has its texts in UTF-8.
fn shown(text: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(text)
}
