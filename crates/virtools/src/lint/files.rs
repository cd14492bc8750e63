//! Rules about files that objects need.

use super::{codes, facts::Facts, out::FileLintSink};
use crate::file::included::file_name;
use spelunk_core::{Error, Result, Severity};
use std::collections::BTreeMap;

/// Returns whether there is a file of this name, stored as it is; folders in it do not count.
pub type IsThere<'a> = &'a mut dyn FnMut(&[u8]) -> bool;

/// Files that are not there. Those that the file carries along are.
pub(super) fn missing(
    facts: &Facts<'_>,
    is_there: IsThere<'_>,
    out: &mut FileLintSink<'_, '_>,
) -> Result<()> {
    if !out.selection.has(&codes::MISSING_FILE) {
        return Ok(());
    }
    let mut known: BTreeMap<Vec<u8>, bool> = BTreeMap::new();
    for external in &facts.externals {
        let name = file_name(&external.name).to_ascii_lowercase();
        let there = *known
            .entry(name)
            .or_insert_with_key(|name| facts.included.contains(name) || is_there(&external.name));
        if !there {
            let name = out.show(&external.name);
            let error = Error::new(&codes::MISSING_FILE).expected(format!("`{name}`"));
            out.report_error(Severity::Warning, external.index, external.field, error)?;
        }
    }
    Ok(())
}
