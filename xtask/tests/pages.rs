//! The book: its list of pages is complete, what it shows of a shell and of code is run, and what is shown is current.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files below a folder that have this ending, from `root` on with `/`.
fn files(folder: &Path, ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|found| found == ending) {
            let path = path.strip_prefix(root()).unwrap();
            found.push(path.to_str().unwrap().replace('\\', "/"));
        }
    }
    found.sort();
    found
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap().replace("\r\n", "\n")
}

/// The blocks of a page: what stands behind the opening fence, and the lines between.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else { continue };
        let inside: Vec<&str> =
            lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        blocks.push((language.to_owned(), inside.join("\n")));
    }
    blocks
}

#[test]
fn the_summary_names_every_page_once() {
    let summary = read("docs/SUMMARY.md");
    let mut named: BTreeMap<String, usize> = BTreeMap::new();
    for part in summary.split("](").skip(1) {
        let (page, _) = part.split_once(')').expect("the end of a link");
        *named.entry(format!("docs/{page}")).or_default() += 1;
    }
    for page in files(&root().join("docs"), "md") {
        let expected = if page == "docs/SUMMARY.md" { None } else { Some(1) };
        let found = named.remove(&page);
        assert_eq!(found, expected, "how often docs/SUMMARY.md names {page}");
    }
    assert!(named.is_empty(), "docs/SUMMARY.md names what is not there: {named:?}");
}

/// `crates/spelunk-cli/tests/cmd.rs` runs pages of these folders.
const RUN: [&str; 2] = ["docs/*.md", "docs/guides/*.md"];

#[test]
fn what_a_shell_shows_in_the_book_is_run() {
    let test = read("crates/spelunk-cli/tests/cmd.rs");
    for glob in RUN {
        assert!(test.contains(&format!(".case(here.join(\"../../{glob}\")")), "{glob} is not run");
    }
    let mut run = 0;
    for path in files(&root().join("docs"), "md") {
        let (folder, _) = path.rsplit_once('/').unwrap();
        let is_run = RUN.contains(&format!("{folder}/*.md").as_str());
        for (language, block) in blocks(&read(&path)) {
            let has_prompts = block.lines().any(|line| line.starts_with("$ "));
            let console = language == "console";
            // What has no language would be run too.
            assert!(!is_run || !language.is_empty(), "{path}: no language:\n{block}");
            assert!(!has_prompts || console, "{path}: what a shell shows is `console`:\n{block}");
            assert!(!console || is_run, "{path}: nothing runs this:\n{block}");
            // What cmd.rs passes over.
            let spelunk = |line: &str| line.starts_with("$ spelunk ");
            let mut commands = block.lines().filter(|line| line.starts_with("$ "));
            assert!(!console || commands.all(spelunk), "{path}: only spelunk is run:\n{block}");
            run += usize::from(console);
        }
    }
    assert!(run > 50, "only {run} blocks were found: has their form changed?");
}

#[test]
fn code_in_guides_is_that_of_examples() {
    let crates = ["spelunk", "snpak"];
    let folders = crates.map(|name| root().join("crates").join(name).join("examples"));
    let examples: Vec<String> =
        folders.iter().flat_map(|folder| files(folder, "rs")).map(|path| read(&path)).collect();
    let mut quoted = 0;
    for path in files(&root().join("docs/guides"), "md") {
        for (language, block) in blocks(&read(&path)) {
            if language == "rust" {
                let is_there = examples.iter().any(|example| example.contains(&block));
                assert!(is_there, "{path}: no example has these lines:\n{block}");
                quoted += 1;
            }
        }
    }
    assert!(quoted > 5, "only {quoted} blocks were found: has their form changed?");
}
