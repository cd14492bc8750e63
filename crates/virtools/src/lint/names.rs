//! Rules about names.

use super::{codes, facts, out::FileLintSink};
use crate::class;
use spelunk_core::{Result, Severity, text::until_nul};
use std::collections::BTreeMap;

/// Names that are no text, or those of other objects.
pub(super) fn names(out: &mut FileLintSink<'_, '_>) -> Result<()> {
    let file = out.file;
    let table = file.table();
    // Those that are found by their names: with other objects names are a comfort.
    let mut known: BTreeMap<(u32, Vec<u8>), Vec<u32>> = BTreeMap::new();
    for (index, object) in (0..).zip(&table.objects) {
        let stored = table.name(object);
        let name = until_nul(stored);
        out.task.budget.steps(1)?;
        let behind = stored.get(name.len()..).unwrap_or_default();
        if behind.iter().any(|byte| *byte != 0) {
            let found = format!("a NUL and {} more bytes", behind.len().saturating_sub(1));
            out.report(Severity::Warning, &codes::CONTROL_BYTES, index, "name", found)?;
        }
        match out.pages.decode(name) {
            Some(text) if !text.chars().any(char::is_control) => {}
            Some(text) => {
                let ascii = text.chars().find(|c| c.is_control()).is_some_and(|c| c.is_ascii());
                // What a code page has no character for is decoded as a control character of the same number.
                let code = if ascii { &codes::CONTROL_BYTES } else { &codes::NOT_IN_CODE_PAGE };
                let shown = out.show(name);
                out.report(Severity::Warning, code, index, "name", format!("`{shown}`"))?;
            }
            None => {
                let code = &codes::NOT_IN_CODE_PAGE;
                let shown = out.show(name);
                out.report(Severity::Warning, code, index, "name", format!("`{shown}`"))?;
            }
        }
        if class::is_a(object.class_id, class::BE_OBJECT) && !name.is_empty() {
            out.task.budget.memory((name.len() as u64).saturating_add(64))?;
            let key = (object.class_id, name.to_ascii_lowercase());
            known.entry(key).or_default().push(index);
        }
    }
    for same in known.values() {
        let Some((first, others)) = same.split_first() else { continue };
        for index in others {
            let exactly = facts::name(file, *index) == facts::name(file, *first);
            let severity = if exactly { Severity::Warning } else { Severity::Info };
            let path = out.path(*first);
            out.report(severity, &codes::SAME_NAME, *index, "name", path)?;
        }
    }
    Ok(())
}
