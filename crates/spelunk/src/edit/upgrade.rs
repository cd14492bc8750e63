//! Old file generations and the current one.

use crate::{
    Convert, Opened, Result,
    open::{codes::core as codes, model},
};

/// The FileVersion that the last engines write (`docs/formats/virtools.md#1-part0`).
const VIRTOOLS: u32 = 8;

/// The form in which a file is written to become one of FileVersion `version`, 8 or 9, with its chunks in the current
/// layouts; `None` where it is of that form already. Without a version, one of FileVersion 9 stays so and all others become
/// files of FileVersion 8.
///
/// # Errors
/// [`ONE_FORM`](codes::ONE_FORM) for formats that have one generation only; those of reading the records of the file.
pub fn form(opened: &mut Opened, version: Option<u32>) -> Result<Option<Convert>> {
    opened.run_silent(|container, task| {
        let file = model::virtools(container, &codes::ONE_FORM)?;
        let from = file.head().version();
        let to = version.unwrap_or(from.max(VIRTOOLS));
        let chunks = file.has_old_chunks(&mut task.budget)?;
        let form = Convert { version: (from != to).then_some(to), chunks, ..Convert::default() };
        Ok(form.is_wanted().then_some(form))
    })
}
