//! Old file generations and the current one.

use crate::{Convert, Error, Opened, Result, json};
use spelunk_core::codes;

/// The FileVersion that the last engines write (`docs/formats/virtools.md#1-part0`).
const VIRTOOLS: u32 = 8;

/// The form in which a file of an old generation is written to become one of the current generation; `None`
/// where it is of that or a later one already.
///
/// # Errors
/// [`codes::ONE_FORM`] for formats that have one generation only; those of reading the file's summary.
pub fn form(opened: &mut Opened) -> Result<Option<Convert>> {
    if opened.container().format() != "virtools" {
        return Err(Error::new(&codes::ONE_FORM).found(opened.container().format()));
    }
    let pages = opened.code_pages();
    let (details, result) = opened
        .run_silent(|container, task| json::object(&pages, |walk| container.info(task, walk)));
    result?;
    let version = details.get("file_version").and_then(|version| version.as_u64());
    let old = version.is_some_and(|version| version < u64::from(VIRTOOLS));
    Ok(old.then(|| Convert { version: Some(VIRTOOLS), ..Convert::default() }))
}
