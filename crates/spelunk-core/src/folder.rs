//! The files below a folder, in the order of their names.

use crate::{
    codes,
    error::{Error, Result},
    replace::is_temporary,
};
use std::{
    io,
    path::{Path, PathBuf},
};
use walkdir::{DirEntry, WalkDir};

/// Links in a folder that are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Links {
    /// No links.
    Passed,
    /// Links to files, as reading them needs.
    ToFiles,
    /// All of them, but those that lead back to a folder that they lie in.
    Followed,
}

impl Links {
    /// The policy of what makes files of files: links are followed where that is wanted.
    pub fn followed(wanted: bool) -> Links {
        if wanted { Links::Followed } else { Links::Passed }
    }
}

/// Something below a folder.
#[derive(Debug)]
pub enum Below {
    /// A file, or a link to one that is followed.
    File(PathBuf),
    /// A link that is not followed.
    Link(PathBuf),
    /// A folder or file that cannot be listed.
    Unreadable(PathBuf, io::Error),
}

/// Lists what lies in a folder, and in the folders in it down to `depth` (1 is the folder alone). What another process is
/// writing there is left out.
pub fn list(dir: &Path, depth: usize, links: Links) -> impl Iterator<Item = Below> + use<> {
    let walk = WalkDir::new(dir).min_depth(1).max_depth(depth).sort_by_file_name();
    let dir = dir.to_owned();
    walk.follow_links(links == Links::Followed).into_iter().filter_map(move |entry| match entry {
        Ok(entry) => below(entry, links),
        Err(error) => {
            let path = error.path().unwrap_or(&dir).to_owned();
            Some(match error.loop_ancestor() {
                Some(_) => Below::Link(path),
                None => Below::Unreadable(path, error.into()),
            })
        }
    })
}

fn below(entry: DirEntry, links: Links) -> Option<Below> {
    if entry.file_name().to_str().is_some_and(is_temporary) {
        return None;
    }
    let is_file = entry.path().is_file();
    match links {
        Links::Followed => is_file.then(|| Below::File(entry.into_path())),
        Links::ToFiles if is_file => Some(Below::File(entry.into_path())),
        _ if entry.path_is_symlink() => Some(Below::Link(entry.into_path())),
        _ => is_file.then(|| Below::File(entry.into_path())),
    }
}

/// The path of a file in a folder, with `/`.
///
/// # Errors
/// [`codes::BAD_PATH`] for names that are no text.
pub fn name_below(folder: &Path, path: &Path) -> Result<String> {
    let mut name = String::new();
    for part in path.strip_prefix(folder).unwrap_or(path).components() {
        let part = part.as_os_str();
        let text = part.to_str().ok_or_else(|| {
            let expected = "the name of a file in UTF-8, as entries are called by it";
            let found = format!("`{}`", part.to_string_lossy());
            Error::new(&codes::BAD_PATH).expected(expected).found(found)
        })?;
        if !name.is_empty() {
            name.push('/');
        }
        name.push_str(text);
    }
    Ok(name)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    #[test]
    fn a_name_that_is_no_utf_8_is_no_matter_of_code_pages() {
        let name = |bytes: &[u8]| name_below(Path::new("a"), Path::new(OsStr::from_bytes(bytes)));
        assert_eq!(name(b"a/b/c.txt").unwrap(), "b/c.txt");
        let error = name(b"a/b/c\xff.txt").unwrap_err();
        assert_eq!(error.code().id, codes::BAD_PATH.id);
        assert!(error.to_string().contains("UTF-8"), "{error}");
    }
}
