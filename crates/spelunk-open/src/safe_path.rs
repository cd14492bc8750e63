//! Paths that are safe on every system, for names that come out of a file.
//!
//! Names in containers are not trusted: `..`, absolute paths, drive letters, backslashes, device names,
//! trailing dots and names that collide where case does not count all become harmless, by escaping what
//! is dangerous as `%XX` ([`harmless`]). The name as stored goes to the manifest.

pub use spelunk_core::safe_path::locate;

use spelunk_core::{
    Entry,
    safe_path::{fold, harmless, mark},
    text::{CodePages, until_nul},
};
use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
};

/// Longest step of a path in bytes; file systems end at 255, and a suffix may follow.
const MAX_STEP: usize = 200;

/// More folders inside each other than this become part of the last name.
const MAX_FOLDERS: usize = 32;

/// Makes paths safe and different from each other.
#[derive(Debug, Default)]
pub struct SafePaths {
    /// Every path and folder given so far, folded as file systems do that ignore case.
    taken: HashMap<String, Taken>,
}

/// Uses of a folded path.
#[derive(Debug, Default)]
struct Taken {
    file: bool,
    folder: bool,
    /// The last number that a path wanted here got.
    number: u32,
}

impl SafePaths {
    /// A relative path with `/` between its steps, close to `path`, that leads out of no folder, names no
    /// device, and was not given before (case and composition of characters do not count).
    pub fn claim(&mut self, path: &str) -> String {
        let steps: Vec<String> = path.splitn(MAX_FOLDERS, '/').map(step).collect();
        let wanted = steps.join("/");
        let start = fold(&wanted);
        let mut candidate = wanted.clone();
        let mut folded = start.clone();
        while !self.is_free(&folded) {
            let taken = self.taken.entry(start.clone()).or_default();
            taken.number = taken.number.saturating_add(1).max(2);
            candidate = numbered(&wanted, taken.number);
            folded = fold(&candidate);
        }
        for (at, _) in folded.match_indices('/') {
            let folder = folded.get(..at).unwrap_or_default();
            match self.taken.get_mut(folder) {
                Some(taken) => taken.folder = true,
                None => self.taken.entry(folder.to_owned()).or_default().folder = true,
            }
        }
        self.taken.entry(folded).or_default().file = true;
        candidate
    }

    fn is_free(&self, folded: &str) -> bool {
        let file = |path: &str| self.taken.get(path).is_some_and(|taken| taken.file);
        let own = self.taken.get(folded).is_some_and(|taken| taken.file || taken.folder);
        !own && !folded.match_indices('/').any(|(at, _)| file(folded.get(..at).unwrap_or_default()))
    }
}

/// `path` with `~number` before the ending of its last step; where a folder of the path is taken by a
/// file, that is avoided too because the first step carries the number.
fn numbered(path: &str, number: u32) -> String {
    match path.split_once('/') {
        Some((first, rest)) => format!("{first}~{number}/{rest}"),
        None => match path.rsplit_once('.') {
            Some((stem, ending)) if !stem.is_empty() => format!("{stem}~{number}.{ending}"),
            _ => format!("{path}~{number}"),
        },
    }
}

/// Makes one step of a path safe on every system.
fn step(step: &str) -> String {
    shorten(harmless(step))
}

/// Cuts a step that file systems refuse, and keeps its ending and a mark of what was cut.
fn shorten(step: String) -> String {
    if step.len() <= MAX_STEP {
        return step;
    }
    let mark = mark(step.as_bytes());
    let ending =
        step.rsplit_once('.').map(|(_, ending)| ending).filter(|ending| ending.len() <= 10);
    let mut end = MAX_STEP.saturating_sub(40);
    while !step.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    let stem = step.get(..end).unwrap_or_default();
    match ending {
        Some(ending) => format!("{stem}~{mark:016x}.{ending}"),
        None => format!("{stem}~{mark:016x}"),
    }
}

/// Makes the folders of `relative` below `root` and gives the full path. A link on the way is refused: it
/// could lead out of `root`.
///
/// # Errors
/// When a folder cannot be made, or a step is a link or a file.
pub fn prepare(root: &Path, relative: &str) -> io::Result<PathBuf> {
    let mut path = root.to_owned();
    let mut steps = relative.split('/').peekable();
    while let Some(step) = steps.next() {
        path.push(step);
        if steps.peek().is_none() {
            break;
        }
        let mut meta = fs::symlink_metadata(&path);
        if meta.is_err() {
            match fs::create_dir(&path) {
                Ok(()) => continue,
                // Another thread was faster.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    meta = fs::symlink_metadata(&path);
                }
                Err(error) => return Err(error),
            }
        }
        if !meta?.is_dir() {
            let text = format!("{} is a link or a file, not a folder", path.display());
            return Err(io::Error::new(io::ErrorKind::NotADirectory, text));
        }
    }
    Ok(path)
}

/// Returns where an entry goes in a folder: its path, or class, position and name where its path is a mere position.
pub fn file_name(entry: &Entry<'_>, pages: &CodePages) -> String {
    let Some(position) = entry.path.strip_prefix('#') else {
        // Paths escape what means something in them. In names of files it does not.
        return entry.path.replace("%23", "#").replace("%25", "%");
    };
    let mut file = String::new();
    if !entry.kind.is_empty() {
        pages.path_step(entry.kind.as_bytes(), &mut file);
        file.push('/');
    }
    file.push_str(position);
    let name = until_nul(entry.name.unwrap_or_default());
    if !name.is_empty() {
        file.push('_');
        pages.path_step(name, &mut file);
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::safe_path::is_harmless;

    #[test]
    fn dangerous_names_become_harmless() {
        for (name, safe) in [
            ("textures/bark", "textures/bark"),
            ("../../etc/passwd", ".%2E/.%2E/etc/passwd"),
            ("/etc/passwd", "%/etc/passwd"),
            ("C:\\Windows\\a.txt", "C%3A%5CWindows%5Ca.txt"),
            ("con", "%63on"),
            ("Aux.txt", "%41ux.txt"),
            ("com1.tar.gz", "%63om1.tar.gz"),
            ("console", "console"),
            ("dots...", "dots..%2E"),
            ("space ", "space%20"),
            ("a\u{7}b", "a%07b"),
            ("", "%"),
        ] {
            assert_eq!(SafePaths::default().claim(name), safe);
        }
    }

    #[test]
    fn names_that_differ_in_case_alone_do_not_collide() {
        let mut paths = SafePaths::default();
        assert_eq!(paths.claim("Wood.tga"), "Wood.tga");
        assert_eq!(paths.claim("wood.TGA"), "wood~2.TGA");
        assert_eq!(paths.claim("WOOD.tga"), "WOOD~3.tga");
    }

    #[test]
    fn composed_and_decomposed_names_do_not_collide() {
        let mut paths = SafePaths::default();
        assert_eq!(paths.claim("t\u{fc}r"), "t\u{fc}r");
        assert_eq!(paths.claim("tu\u{308}r"), "tu\u{308}r~2");
    }

    #[test]
    fn many_equal_names_and_many_folders_stay_cheap() {
        let mut paths = SafePaths::default();
        for nth in 1..20_000 {
            let claimed = paths.claim("wood.tga");
            assert!(nth == 1 || claimed == format!("wood~{nth}.tga"), "{claimed}");
        }
        let deep = paths.claim(&"x/".repeat(40_000));
        assert!(deep.matches('/').count() < MAX_FOLDERS && deep.len() < 10_000);
    }

    #[test]
    fn a_file_is_no_folder() {
        let mut paths = SafePaths::default();
        assert_eq!(paths.claim("a"), "a");
        assert_eq!(paths.claim("a/b"), "a~2/b");
        assert_eq!(paths.claim("c/d"), "c/d");
        assert_eq!(paths.claim("C"), "C~2");
    }

    #[test]
    fn long_names_are_cut_and_stay_different() {
        let mut paths = SafePaths::default();
        let one = paths.claim(&format!("{}1.tga", "x".repeat(1500)));
        let two = paths.claim(&format!("{}2.tga", "x".repeat(1500)));
        assert!(one.len() <= 255 && one.ends_with(".tga") && one != two);
    }

    #[test]
    fn claimed_paths_can_be_found_again() {
        let mut paths = SafePaths::default();
        for name in ["../x", "con", "a. ", "", "C:\\x", &"x".repeat(999), "a//b"] {
            for claimed in [paths.claim(name), paths.claim(name)] {
                assert!(claimed.split('/').all(is_harmless), "{claimed}");
            }
        }
    }

    #[test]
    #[cfg(unix)]
    fn links_are_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), dir.path().join("link")).unwrap();
        assert!(prepare(dir.path(), "link/file").is_err());
        assert!(prepare(dir.path(), "folder/file").is_ok());
    }
}
