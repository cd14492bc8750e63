//! The book: its list of pages is complete, what it shows of a shell and of code is run, and what is shown is current.

mod book;

use book::{Book, files, read};
use std::collections::{BTreeMap, BTreeSet};

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
    let book = Book::new();
    let summary = read("docs/SUMMARY.md");
    let mut named: BTreeMap<String, usize> = BTreeMap::new();
    for part in summary.split("](").skip(1) {
        let (page, _) = part.split_once(')').expect("the end of a link");
        *named.entry(format!("docs/{page}")).or_default() += 1;
    }
    for page in book.pages.keys() {
        let expected = if page == "docs/SUMMARY.md" { None } else { Some(1) };
        let found = named.remove(page);
        assert_eq!(found, expected, "how often docs/SUMMARY.md names {page}");
    }
    assert!(named.is_empty(), "docs/SUMMARY.md names what is not there: {named:?}");
}

#[test]
fn git_ignores_made_pages_and_no_others() {
    let book = Book::new();
    let folders: BTreeSet<String> =
        makers::FOLDERS.iter().map(|folder| format!("{folder}/")).collect();
    let single = book.made.iter().filter(|page| !folders.iter().any(|of| page.starts_with(of)));
    let wanted: BTreeSet<String> = single.chain(&folders).cloned().collect();
    let ignored = book::ignored().into_iter().filter(|line| line.starts_with("docs/"));
    assert_eq!(ignored.collect::<BTreeSet<_>>(), wanted);
    assert!(book.made.len() > 15, "{:?}", book.made);
    for (path, _) in makers::kept(&book::root()).unwrap() {
        assert!(!book::is_ignored(&path), "{path} is kept");
    }
}

/// On a fresh checkout links to made pages lead nowhere yet.
#[test]
fn pages_that_link_to_made_ones_say_how_to_get_them() {
    let book = Book::new();
    let own = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(str::to_owned);
    let kept = book.pages.keys().filter(|path| !book.made.contains(*path)).chain(&own);
    // Nothing but the list of pages may stand in that one.
    for path in kept.filter(|path| *path != "docs/SUMMARY.md") {
        let page = read(path);
        let links = book::links(path, &page);
        if let Some((made, _)) = links.iter().find(|(target, _)| book.made.contains(target)) {
            assert!(page.contains("`cargo xtask docs`"), "{path} links to {made}");
        }
    }
}

/// What columns with the meaning of fields, codes and tables are called.
const MEANINGS: [&str; 3] = ["about", "meaning", "what is reported"];

#[test]
fn made_tables_say_what_everything_means() {
    let mut rows = 0;
    for (path, page) in makers::pages() {
        let mut column = None;
        for line in page.lines() {
            // Bars in texts are escaped.
            let cells: Vec<&str> = line.split(" |").map(str::trim).collect();
            let meaning = |cell: &&str| MEANINGS.contains(cell);
            if !line.starts_with('|') {
                column = None;
            } else if line.starts_with("|---") {
                assert!(column.is_some(), "{path}: a table without meanings");
            } else if let Some(column) = column {
                let told: Option<&&str> = cells.get::<usize>(column);
                assert!(told.is_some_and(|told| !told.is_empty()), "{path} has no meaning: {line}");
                rows += 1;
            } else {
                column = cells.iter().position(meaning);
            }
        }
    }
    assert!(rows > 2500, "only {rows} rows were found: has their form changed?");
}

/// `crates/spelunk-cli/tests/cmd.rs` runs pages of these folders.
const RUN: [&str; 2] = ["docs/*.md", "docs/guides/*.md"];

#[test]
fn what_a_shell_shows_in_the_book_is_run() {
    let test = read("crates/spelunk-cli/tests/cmd.rs");
    for glob in RUN {
        assert!(test.contains(&format!(".case(here.join(\"../../{glob}\")")), "{glob} is not run");
    }
    let book = Book::new();
    let mut run = 0;
    for (path, page) in &book.pages {
        let (folder, _) = path.rsplit_once('/').unwrap();
        // Made pages need not be there.
        let is_run = RUN.contains(&format!("{folder}/*.md").as_str()) && !book.made.contains(path);
        for (language, block) in blocks(page) {
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
    let folders = crates.map(|name| format!("crates/{name}/examples"));
    let examples: Vec<String> =
        folders.iter().flat_map(|folder| files(folder, "rs")).map(|path| read(&path)).collect();
    let mut quoted = 0;
    for path in files("docs/guides", "md") {
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
