//! The table of verbs and formats, which is a part of a page that is kept.

use std::{fs, io, path::Path};

/// The page.
pub(crate) const FILE: &str = "docs/verbs.md";

const BEGIN: &str = "<!-- verbs: made by `cargo xtask docs` -->\n";
const END: &str = "<!-- /verbs -->";

/// Path and text of the page, with the table as it should be.
///
/// # Errors
/// Where it cannot be read, or has no place for the table.
pub fn page(root: &Path) -> io::Result<(String, String)> {
    let text = fs::read_to_string(root.join(FILE))?.replace("\r\n", "\n");
    let parts = text.split_once(BEGIN);
    let parts = parts.and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, behind) =
        parts.ok_or_else(|| io::Error::other(format!("{FILE} has no place for the table")))?;
    let table = spelunk::verbs::parity::table();
    Ok((FILE.to_owned(), format!("{before}{BEGIN}\n{table}\n{END}{behind}")))
}
