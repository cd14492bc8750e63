//! Files that names in files lead to: below a folder, and nowhere else.
//!
//! Names in files are not trusted. A step of a path is taken only where it is safe on every system, and folders and
//! files only where they are plain: no links, no devices.

use std::{
    fs, io,
    path::{Path, PathBuf},
};
use unicode_normalization::UnicodeNormalization;

/// Whether a step of a path is safe on every system: no `..`, no drive, no device, no character that some system gives
/// a meaning to.
pub fn is_harmless(step: &str) -> bool {
    harmless(step) == step
}

/// Returns a step of a path with everything dangerous escaped, however long it is. A step that is safe on every system stays as
/// it is.
pub fn harmless(step: &str) -> String {
    // Most steps are.
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let ends = step.ends_with('.') || step.is_empty();
    if !ends && step.as_bytes().iter().all(plain) && !is_device(step) {
        return step.to_owned();
    }
    let mut safe = String::with_capacity(step.len());
    for c in step.chars() {
        match c {
            '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => escape(c, &mut safe),
            c if c.is_control() => escape(c, &mut safe),
            c => safe.push(c),
        }
    }
    // Windows drops trailing dots and spaces, so `a.` and `a` would be one file; `.` and `..` are caught
    // by the same rule.
    if let Some(last @ ('.' | ' ')) = safe.chars().next_back() {
        safe.pop();
        escape(last, &mut safe);
    }
    if safe.starts_with(' ') {
        safe.replace_range(..1, "%20");
    }
    if is_device(&safe)
        && let Some(first) = safe.chars().next()
    {
        let mut renamed = String::new();
        escape(first, &mut renamed);
        renamed.push_str(safe.get(first.len_utf8()..).unwrap_or_default());
        safe = renamed;
    }
    if safe.is_empty() {
        safe.push('%');
    }
    safe
}

fn escape(c: char, out: &mut String) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        out.push_str(&format!("%{byte:02X}"));
    }
}

/// A number that distinguishes a name from others (FNV-1a).
pub fn mark(name: &[u8]) -> u64 {
    name.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A path with its characters composed, as one file system stores it and another takes it for the same.
pub fn compose(path: &str) -> String {
    path.nfc().collect()
}

/// A path as a file system sees it that ignores case and composition of characters.
pub fn fold(path: &str) -> String {
    if path.is_ascii() {
        return path.to_ascii_uppercase();
    }
    path.nfc().flat_map(char::to_uppercase).collect()
}

/// Names that Windows gives to devices, with any ending.
fn is_device(step: &str) -> bool {
    let stem = step.split('.').next().unwrap_or_default().trim_end();
    if !(3..=7).contains(&stem.len()) {
        return false;
    }
    let stem = stem.to_ascii_uppercase();
    let port = |prefix: &str| {
        stem.strip_prefix(prefix).is_some_and(|number| {
            matches!(number, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9")
                || matches!(number, "\u{b9}" | "\u{b2}" | "\u{b3}")
        })
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
        || port("COM")
        || port("LPT")
}

/// The file at `relative` below `root`, for a path that is not trusted: a plain file, reached through plain
/// folders. Steps that [`harmless`] gave are always accepted.
///
/// # Errors
/// `InvalidInput` when the path is not safe on every system or leads over a link, a device or anything else that
/// is no plain file or folder; `NotFound` and others of the operating system.
pub fn locate(root: &Path, relative: &str) -> io::Result<PathBuf> {
    let refused = |why: &str| {
        io::Error::new(io::ErrorKind::InvalidInput, format!("`{}` {why}", relative.escape_debug()))
    };
    if !relative.split('/').all(is_harmless) {
        return Err(refused("is not a plain relative path"));
    }
    let mut path = root.to_owned();
    let mut steps = relative.split('/').peekable();
    while let Some(step) = steps.next() {
        path.push(step);
        let meta = fs::symlink_metadata(&path)?;
        let plain = if steps.peek().is_some() { meta.is_dir() } else { meta.is_file() };
        if !plain {
            return Err(refused("leads over something that is no plain file or folder"));
        }
    }
    Ok(path)
}

/// Like [`locate`] where the case of letters does not count, as on Windows. A step that is there letter by letter is
/// preferred; of several others the first one by name. `None` where no plain file is there, and for paths that are not
/// safe.
pub fn locate_any_case(root: &Path, relative: &str) -> Option<PathBuf> {
    let steps: Vec<&str> = relative.split('/').collect();
    if !steps.iter().all(|step| is_harmless(step)) {
        return None;
    }
    descend(root, &steps)
}

fn descend(folder: &Path, steps: &[&str]) -> Option<PathBuf> {
    let (step, below) = steps.split_first()?;
    let go_on = |path: PathBuf| match fs::symlink_metadata(&path) {
        Ok(meta) if below.is_empty() => meta.is_file().then_some(path),
        Ok(meta) if meta.is_dir() => descend(&path, below),
        _ => None,
    };
    go_on(folder.join(step)).or_else(|| {
        let wanted = step.to_lowercase();
        let is_wanted = |name: &str| name != *step && name.to_lowercase() == wanted;
        let names = fs::read_dir(folder)
            .ok()?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| is_wanted(name)).collect();
        names.sort();
        names.into_iter().find_map(|name| go_on(folder.join(name)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_files_below_the_folder_are_found() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("folder")).unwrap();
        fs::write(dir.path().join("folder/file"), "").unwrap();
        assert!(locate(dir.path(), "folder/file").is_ok());
        for path in ["", "/etc/passwd", "..", "folder/../folder/file", "./folder", "a\\b", "C:x"] {
            let refused = locate(dir.path(), path).unwrap_err();
            assert_eq!(refused.kind(), io::ErrorKind::InvalidInput, "{path}");
        }
        let none = locate(dir.path(), "folder/none").unwrap_err();
        assert_eq!(none.kind(), io::ErrorKind::NotFound);
        assert!(locate(dir.path(), "folder").is_err());
    }

    #[test]
    fn the_case_of_letters_does_not_count() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for (folder, file) in [("Textures", "Wood.bmp"), ("Sounds", "T\u{fc}r.wav")] {
            fs::create_dir(root.join(folder)).unwrap();
            fs::write(root.join(folder).join(file), "").unwrap();
        }
        let wood = root.join("Textures").join("Wood.bmp");
        for path in ["Textures/Wood.bmp", "textures/wood.BMP", "TEXTURES/WOOD.BMP"] {
            let found = locate_any_case(root, path).unwrap();
            // A disk that ignores case gives the path as it was asked for.
            assert_eq!(found.canonicalize().unwrap(), wood.canonicalize().unwrap(), "{path}");
        }
        assert!(locate_any_case(root, "sounds/t\u{dc}r.wav").is_some());
        for path in ["textures", "wood.bmp", "../Textures/Wood.bmp", "textures\\wood.bmp", ""] {
            assert_eq!(locate_any_case(root, path), None, "{path}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn exact_names_come_first_and_every_folder_is_tried() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for folder in ["A", "a"] {
            fs::create_dir(root.join(folder)).unwrap();
        }
        fs::write(root.join("A/x"), "").unwrap();
        fs::write(root.join("a/Y"), "").unwrap();
        fs::write(root.join("a/y"), "").unwrap();
        assert_eq!(locate_any_case(root, "a/y"), Some(root.join("a/y")));
        assert_eq!(locate_any_case(root, "A/y"), Some(root.join("a/y")));
        assert_eq!(locate_any_case(root, "a/X"), Some(root.join("A/x")));
    }

    #[test]
    #[cfg(unix)]
    fn links_are_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("file"), "").unwrap();
        std::os::unix::fs::symlink(outside.path(), dir.path().join("link")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("file"), dir.path().join("file")).unwrap();
        for path in ["link/file", "file"] {
            assert!(locate(dir.path(), path).is_err(), "{path}");
            assert_eq!(locate_any_case(dir.path(), path), None, "{path}");
        }
        assert_eq!(locate_any_case(dir.path(), "LINK/FILE"), None);
    }
}
