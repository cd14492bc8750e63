//! What is made from the descriptions in the code: the pages of the book that are not kept in the tree, and files that are.

#![forbid(unsafe_code)]

mod api;
mod csharp;
mod details;
mod figures;
mod reference;
mod verbs;

use std::{fs, io, path::Path};

/// Folders below the root of the workspace that hold made pages and nothing else.
pub const FOLDERS: [&str; 2] = ["docs/codes", "docs/reference"];

/// Path and text of the pages that `cargo xtask docs` makes and git ignores.
pub fn pages() -> Vec<(String, String)> {
    let made = spelunk::docs::pages().into_iter().chain(spelunk_catalog::pages());
    made.chain(reference::pages()).collect()
}

/// Path and text of files in the tree that are made, in whole or in part. Tests compare them with what is there.
///
/// # Errors
/// Where one that is made in part cannot be read, or where programs that go by `api.json` would break.
pub fn kept(root: &Path) -> io::Result<Vec<(String, String)>> {
    let made = spelunk::docs::files().into_iter();
    let api = api::page(root)?;
    let described = serde_json::from_str(&api.1)?;
    let classes = csharp::file(&described);
    let made = made.chain([api, verbs::page(root)?, classes]);
    Ok(made.chain(figures::page(root)?).collect())
}

/// Makes the tables of the page on performance of the run that is kept, which `run` takes the place of where there is one.
///
/// # Errors
/// Where `run` is none, or what is needed cannot be read or written.
pub fn write_figures(root: &Path, run: Option<&Path>) -> io::Result<()> {
    if let Some(run) = run {
        figures::keep(root, run)?;
    }
    match figures::page(root)? {
        Some((path, text)) => fs::write(root.join(path), text),
        None => Err(io::Error::other("no run is kept: name the file of one")),
    }
}

/// Writes all of that, where it is not there as it should be, and removes pages that are no longer made.
///
/// # Errors
/// As [`kept`], and where files cannot be written.
pub fn write(root: &Path) -> io::Result<()> {
    let pages = pages();
    for folder in FOLDERS {
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten();
        for path in entries.map(|entry| entry.map(|entry| entry.path())) {
            let path = path?;
            if !pages.iter().any(|(made, _)| root.join(made) == path) {
                fs::remove_file(path)?;
            }
        }
    }
    for (path, text) in pages.into_iter().chain(kept(root)?) {
        let path = root.join(path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        // A file that stays as it is keeps its time, so that nothing is built again for it.
        if fs::read(&path).ok().as_deref() != Some(text.as_bytes()) {
            fs::write(&path, text)?;
        }
        println!("{}", path.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_take_the_place_of_those_before() {
        let root = std::env::temp_dir().join(format!("spelunk-makers-{}", std::process::id()));
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let run = [figures::FILE, figures::RUN].into_iter().filter(|path| own.join(path).exists());
        for path in [verbs::FILE, api::FILE].into_iter().chain(run) {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::copy(own.join(path), root.join(path)).unwrap();
        }
        let old = root.join(FOLDERS[0]).join("no-longer.md");
        fs::create_dir_all(root.join(FOLDERS[0])).unwrap();
        fs::write(&old, "# Codes of nothing\n").unwrap();
        write(&root).unwrap();
        assert!(!old.exists());
        for (path, text) in pages() {
            assert_eq!(fs::read_to_string(root.join(&path)).unwrap(), text, "{path}");
        }
        fs::remove_dir_all(root).unwrap();
    }
}
