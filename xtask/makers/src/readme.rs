//! The table of verbs and formats in the README.

use std::{fs, io, path::Path};

const BEGIN: &str = "<!-- verbs: made by `cargo xtask docs` -->\n";
const END: &str = "<!-- /verbs -->";

/// Path and text of the README, with the table as it should be.
///
/// # Errors
/// Where it cannot be read, or has no place for the table.
pub fn page(root: &Path) -> io::Result<(String, String)> {
    let path = "README.md";
    let text = fs::read_to_string(root.join(path))?.replace("\r\n", "\n");
    let parts = text.split_once(BEGIN);
    let parts = parts.and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, behind) =
        parts.ok_or_else(|| io::Error::other("README.md has no place for the table of verbs"))?;
    let table = spelunk::verbs::parity::table();
    Ok((path.to_owned(), format!("{before}{BEGIN}\n{table}\n{END}{behind}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_verbs_is_current() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let (path, text) = page(&root).unwrap();
        let written = fs::read_to_string(root.join(&path)).unwrap();
        assert!(written.replace("\r\n", "\n") == text, "{path} is old: run `cargo xtask docs`");
    }
}
