//! Search paths, where files that objects name are looked for (`docs/formats/virtools-runtime.md#search-paths`).

use spelunk_core::{
    safe_path,
    text::{CodePages, until_nul},
};
use std::path::{Path, PathBuf};

/// A kind of files with search paths of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Category(usize);

impl Category {
    /// Pictures of textures and sprites.
    pub const BITMAPS: Category = Category(0);
    /// Files of any other kind.
    pub const DATA: Category = Category(1);
    /// Sounds.
    pub const SOUNDS: Category = Category(2);

    /// Number of the category: 0, 1 and 2 for those that every engine has, the next ones for those that were added.
    pub const fn number(self) -> usize {
        self.0
    }
}

/// Names of the categories that every engine has.
const NAMES: [&str; 3] = ["bitmaps", "data", "sounds"];

/// More steps of a name than the last ones of this number are not looked at.
const MAX_STEPS: usize = 32;

#[derive(Clone, PartialEq, Eq, Debug)]
struct Paths {
    name: String,
    paths: Vec<PathBuf>,
}

/// Search paths of each category, in the order in which they are tried.
///
/// What files call each other leads nowhere but below these folders: drives, `..` and the folders above it in a name do
/// not count, and links are not followed.
///
/// ```
/// use virtools::runtime::path_manager::{Category, PathManager};
///
/// # let dir = tempfile::tempdir()?;
/// # let game = dir.path();
/// std::fs::create_dir(game.join("Textures"))?;
/// std::fs::write(game.join("Textures").join("Wood.bmp"), "")?;
///
/// let mut manager = PathManager::new();
/// manager.add(Category::BITMAPS, game.join("Textures"));
/// let found = manager.resolve(Category::BITMAPS, b"C:\\Work\\Ball\\Textures\\Wood.bmp");
/// assert_eq!(found, Some(game.join("Textures").join("Wood.bmp")));
/// assert_eq!(manager.resolve(Category::SOUNDS, b"Wood.bmp"), None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathManager {
    categories: Vec<Paths>,
    pages: CodePages,
}

impl Default for PathManager {
    fn default() -> PathManager {
        PathManager::new()
    }
}

impl PathManager {
    /// Without search paths; names are read in Windows-1252.
    pub fn new() -> PathManager {
        let category = |name: &str| Paths { name: name.to_owned(), paths: Vec::new() };
        PathManager {
            categories: NAMES.iter().map(|name| category(name)).collect(),
            pages: CodePages::cp1252(),
        }
    }

    /// Reads names in other code pages.
    #[must_use]
    pub fn with_code_pages(self, pages: CodePages) -> PathManager {
        PathManager { pages, ..self }
    }

    /// The category of this name, which is added where there is none.
    pub fn add_category(&mut self, name: &str) -> Category {
        self.category(name).unwrap_or_else(|| {
            self.categories.push(Paths { name: name.to_owned(), paths: Vec::new() });
            Category(self.categories.len().saturating_sub(1))
        })
    }

    /// The category of this name; case does not count.
    pub fn category(&self, name: &str) -> Option<Category> {
        let same = |paths: &Paths| paths.name.eq_ignore_ascii_case(name);
        self.categories.iter().position(same).map(Category)
    }

    /// All categories with their names.
    pub fn categories(&self) -> impl Iterator<Item = (Category, &str)> {
        let named = |(number, paths)| {
            let paths: &Paths = paths;
            (Category(number), paths.name.as_str())
        };
        self.categories.iter().enumerate().map(named)
    }

    /// Adds a search path behind the others of a category; returns whether it is new there. A category of another manager
    /// that this one lacks has no paths.
    pub fn add(&mut self, category: Category, path: impl Into<PathBuf>) -> bool {
        let path = path.into();
        let Some(Paths { paths, .. }) = self.categories.get_mut(category.0) else { return false };
        let is_new = !paths.contains(&path);
        if is_new {
            paths.push(path);
        }
        is_new
    }

    /// Removes a search path of a category; returns whether it was there.
    pub fn remove(&mut self, category: Category, path: &Path) -> bool {
        let Some(Paths { paths, .. }) = self.categories.get_mut(category.0) else { return false };
        let before = paths.len();
        paths.retain(|known| known != path);
        paths.len() < before
    }

    /// The search paths of a category, in the order in which they are tried.
    pub fn paths(&self, category: Category) -> &[PathBuf] {
        self.categories.get(category.0).map_or(&[], |known| &known.paths)
    }

    /// A name as files hold it; `None` where the code page lacks a letter of it.
    pub fn encode(&self, name: &str) -> Option<Vec<u8>> {
        self.pages.encode(name)
    }

    /// The file that a file calls so, in bytes in the code page of the author: up to the first NUL, with `\` or `/`
    /// between its steps, with or without the drive and the folders of the author's machine. Case does not count. The first
    /// search path in which the name or the end of it is found wins; there the longest end.
    pub fn resolve(&self, category: Category, name: &[u8]) -> Option<PathBuf> {
        self.resolve_text(category, &self.pages.decode(until_nul(name))?)
    }

    /// As [`PathManager::resolve`], for a name that is text already.
    pub fn resolve_text(&self, category: Category, name: &str) -> Option<PathBuf> {
        let steps = steps(name);
        let ends = (0..steps.len()).filter_map(|first| Some(steps.get(first..)?.join("/")));
        let ends: Vec<String> = ends.collect();
        self.paths(category)
            .iter()
            .find_map(|path| ends.iter().find_map(|end| safe_path::locate_any_case(path, end)))
    }
}

/// The last steps of a name, as far as they are safe.
fn steps(name: &str) -> Vec<&str> {
    let name = match name.as_bytes() {
        [letter, b':', ..] if letter.is_ascii_alphabetic() => name.get(2..).unwrap_or_default(),
        _ => name,
    };
    let mut steps = Vec::new();
    for step in name.split(['/', '\\']).filter(|step| !step.is_empty() && *step != ".") {
        if safe_path::is_harmless(step) {
            steps.push(step);
        } else {
            steps.clear();
        }
    }
    steps.split_off(steps.len().saturating_sub(MAX_STEPS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn ends_of_names_that_are_safe() {
        for (name, safe) in [
            ("wood.bmp", &["wood.bmp"][..]),
            ("Textures\\wood.bmp", &["Textures", "wood.bmp"]),
            ("C:\\a\\.\\b/wood.bmp", &["a", "b", "wood.bmp"]),
            ("C:wood.bmp", &["wood.bmp"]),
            ("\\\\server\\share\\wood.bmp", &["server", "share", "wood.bmp"]),
            ("/etc/passwd", &["etc", "passwd"]),
            ("..\\..\\wood.bmp", &["wood.bmp"]),
            ("a\\..\\b\\wood.bmp", &["b", "wood.bmp"]),
            ("http://a/wood.bmp", &["a", "wood.bmp"]),
            ("a\\..", &[]),
            ("wood.bmp:stream", &[]),
            ("con", &[]),
            ("", &[]),
        ] {
            assert_eq!(steps(name), safe, "{name}");
        }
        assert_eq!(steps(&"x\\".repeat(500)).len(), MAX_STEPS);
    }

    #[test]
    fn the_first_search_path_wins_and_there_the_longest_end() {
        let dir = tempfile::tempdir().unwrap();
        let (one, two) = (dir.path().join("one"), dir.path().join("two"));
        for folder in [&one, &two] {
            fs::create_dir_all(folder.join("Wall")).unwrap();
            fs::write(folder.join("Brick.bmp"), "").unwrap();
        }
        fs::write(two.join("Wall/Brick.bmp"), "").unwrap();
        let mut manager = PathManager::new();
        assert!(manager.add(Category::BITMAPS, &one));
        assert!(manager.add(Category::BITMAPS, &two));
        assert!(!manager.add(Category::BITMAPS, &one), "it is there");
        let found = |manager: &PathManager| {
            let found = manager.resolve(Category::BITMAPS, b"D:\\Game\\Wall\\Brick.bmp\0rest");
            found.map(|path| path.canonicalize().unwrap())
        };
        assert_eq!(found(&manager), Some(one.join("Brick.bmp").canonicalize().unwrap()));
        assert!(manager.remove(Category::BITMAPS, &one));
        assert!(!manager.remove(Category::BITMAPS, &one));
        assert_eq!(found(&manager), Some(two.join("Wall/Brick.bmp").canonicalize().unwrap()));
        assert_eq!(manager.paths(Category::BITMAPS), std::slice::from_ref(&two));
        assert_eq!(manager.paths(Category::DATA), &[] as &[PathBuf]);
    }

    #[test]
    fn names_lead_nowhere_but_below_the_search_paths() {
        let dir = tempfile::tempdir().unwrap();
        let inside = dir.path().join("inside");
        fs::create_dir(&inside).unwrap();
        let secret = dir.path().join("secret");
        fs::write(&secret, "").unwrap();
        let mut manager = PathManager::new();
        manager.add(Category::DATA, &inside);
        let absolute = secret.to_str().unwrap();
        for name in ["../secret", "..\\secret", "inside/../../secret", absolute] {
            assert_eq!(manager.resolve_text(Category::DATA, name), None, "{name}");
        }
        fs::write(inside.join("secret"), "").unwrap();
        for name in ["../secret", absolute] {
            let found = manager.resolve_text(Category::DATA, name);
            assert_eq!(found, Some(inside.join("secret")), "{name}");
        }
    }

    #[test]
    fn names_are_read_in_their_code_page() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("T\u{fc}r.wav"), "").unwrap();
        fs::write(dir.path().join("\u{6728}.wav"), "").unwrap();
        let mut manager = PathManager::new();
        manager.add(Category::SOUNDS, dir.path());
        assert!(manager.resolve(Category::SOUNDS, b"T\xFCr.wav").is_some());
        let gbk = CodePages::from_labels("gbk").unwrap();
        assert_eq!(manager.resolve(Category::SOUNDS, b"\xC4\xBE.wav"), None);
        let manager = manager.with_code_pages(gbk);
        assert!(manager.resolve(Category::SOUNDS, b"\xC4\xBE.wav").is_some());
    }

    #[test]
    fn categories_are_added_once() {
        let mut manager = PathManager::new();
        let movies = manager.add_category("movies");
        assert_eq!((movies.number(), manager.add_category("Movies")), (3, movies));
        assert_eq!(manager.category("sounds"), Some(Category::SOUNDS));
        assert!(manager.add(movies, "somewhere"));
        let names: Vec<&str> = manager.categories().map(|(_, name)| name).collect();
        assert_eq!(names, ["bitmaps", "data", "sounds", "movies"]);
        assert!(!PathManager::new().add(movies, "somewhere"), "another manager lacks it");
    }
}
