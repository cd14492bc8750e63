//! The pages of the book as they are, whether or not `cargo xtask docs` was run: those of the tree from the disk, those that are
//! made from the code as it makes them now.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Text of a file of the tree, with the line ends of all others.
pub fn read(path: &str) -> String {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    text.replace("\r\n", "\n")
}

/// The files below a folder that have this ending, from the root on with `/`.
pub fn files(folder: &str, ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join(folder)).unwrap_or_else(|e| panic!("{folder}: {e}")) {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            found.extend(files(&path, ending));
        } else if entry.path().extension().is_some_and(|found| found == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Pages by their paths from the root on.
pub struct Book {
    pub pages: BTreeMap<String, String>,
    /// Those that are made and not kept in the tree.
    pub made: BTreeSet<String>,
}

impl Book {
    pub fn new() -> Book {
        let made: BTreeMap<String, String> = makers::pages().into_iter().collect();
        let mut pages = made.clone();
        for path in files("docs", "md").into_iter().filter(|path| !is_ignored(path)) {
            let text = read(&path);
            assert!(pages.insert(path.clone(), text).is_none(), "{path} is made and kept");
        }
        Book { pages, made: made.into_keys().collect() }
    }
}

/// The lines of `.gitignore` about the book, without the `/` that they begin with.
pub fn ignored() -> Vec<String> {
    let lines = read(".gitignore");
    lines.lines().filter_map(|line| line.strip_prefix('/')).map(str::to_owned).collect()
}

/// Whether `.gitignore` has this page or the folder that it is in.
pub fn is_ignored(path: &str) -> bool {
    ignored().iter().any(|line| path == line || line.ends_with('/') && path.starts_with(line))
}

/// Where the links of a page lead, but for those to other sites: paths from the root on, and sections.
pub fn links<'a>(path: &str, page: &'a str) -> Vec<(String, &'a str)> {
    let links = page.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let own = links.map(|(link, _)| link).filter(|link| !link.contains("://"));
    own.map(|link| {
        let (page, section) = link.split_once('#').unwrap_or((link, ""));
        (if page.is_empty() { path.to_owned() } else { target(path, page) }, section)
    })
    .collect()
}

fn target(path: &str, link: &str) -> String {
    let mut steps: Vec<&str> = path.split('/').collect();
    steps.pop();
    for step in link.split('/') {
        match step {
            ".." => _ = steps.pop(),
            "." | "" => {}
            step => steps.push(step),
        }
    }
    steps.join("/")
}
