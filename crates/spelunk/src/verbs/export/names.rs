//! Names of the files that an export writes.

use crate::{Error, Result, open::codes, verbs::FileName};

/// The last step of a name as text.
pub(super) fn last(name: &FileName) -> String {
    name.last_part().as_os_str().to_string_lossy().into_owned()
}

pub(super) fn with_extension(name: &FileName, extension: &str) -> FileName {
    name.as_path().with_extension(extension).into()
}

/// Refuses standard output for what takes several files.
pub(super) fn apart(out: &FileName) -> Result<()> {
    if out.is_stream() {
        return Err(Error::new(&codes::ONE_FILE).found("standard output"));
    }
    Ok(())
}
