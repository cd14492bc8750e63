//! Rules about files that objects need.

use super::{IsThere, Out, codes, facts::Facts};
use crate::file::File;
use spelunk_core::{Error, Result, Severity};
use std::collections::{BTreeMap, BTreeSet};

/// Files that are not there. Those that the file carries along are.
pub(super) fn missing(
    facts: &Facts<'_>,
    is_there: IsThere<'_>,
    out: &mut Out<'_, '_>,
) -> Result<()> {
    if !out.selection.has(&codes::MISSING_FILE) {
        return Ok(());
    }
    let mut known: BTreeMap<Vec<u8>, bool> = BTreeMap::new();
    for external in &facts.externals {
        let name = bare(&external.name).to_ascii_lowercase();
        let there = *known
            .entry(name)
            .or_insert_with_key(|name| facts.included.contains(name) || is_there(&external.name));
        if !there {
            let name = out.show(&external.name);
            let error = Error::new(&codes::MISSING_FILE).expected(format!("`{name}`"));
            out.tell_error(Severity::Warning, external.index, external.field, error)?;
        }
    }
    Ok(())
}

/// The names of files that the file carries along, without folders, in lower case.
pub(super) fn included(file: &File) -> BTreeSet<Vec<u8>> {
    let included = file.tail().included.iter();
    included.map(|file| bare(&file.name).to_ascii_lowercase()).collect()
}

/// The last step of a path.
pub(super) fn bare(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or_default()
}
