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

/// A step of a page that a shell shows: its command, its exit code where that is written below it, and what the page says to
/// people before it and around it.
struct Step {
    command: String,
    exit: Option<String>,
    /// The text of its section, up to the next headline.
    section: String,
    /// The text of the page before it.
    before: String,
}

/// The steps of a page.
fn steps(page: &str) -> Vec<Step> {
    let (mut steps, mut section_start) = (Vec::<Step>::new(), 0);
    let (mut before, mut section) = (String::new(), String::new());
    let mut is_inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            is_inside = !is_inside;
        } else if !is_inside {
            if line.starts_with('#') {
                steps[section_start..]
                    .iter_mut()
                    .for_each(|step| step.section.clone_from(&section));
                (section_start, section) = (steps.len(), String::new());
            }
            // A sentence may go on in the next line.
            for text in [&mut before, &mut section] {
                *text += &format!("{line} ");
            }
        } else if let Some(command) = line.strip_prefix("$ ") {
            let (command, before) = (command.to_owned(), before.clone());
            steps.push(Step { command, exit: None, section: String::new(), before });
        } else if let Some(exit) = line.strip_prefix("? ") {
            let step = steps.last_mut().expect("a command before its exit code");
            step.exit.get_or_insert_with(|| exit.to_owned());
        }
    }
    steps[section_start..].iter_mut().for_each(|step| step.section.clone_from(&section));
    steps
}

/// The steps of a page that end with another exit code than 0, of which the page does not say that this is meant: in the section of
/// the step, or of `diff`, where it says that files differ, anywhere before. An exit code below a command alone says nothing to
/// people, and stands there after `TRYCMD=overwrite` whatever went wrong.
fn failing_unannounced(page: &str) -> Vec<String> {
    let is_unannounced = |step: &Step| {
        let Some(exit) = &step.exit else { return false };
        // It may begin a sentence.
        let announced = format!("xit code {exit}");
        let is_answer = step.command.starts_with("spelunk diff ") && exit == "1";
        let text = if is_answer { &step.before } else { &step.section };
        let said = text.match_indices(&announced).map(|(at, _)| &text[at + announced.len()..]);
        let mut said = said.map(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        said.all(|is_longer| is_longer)
    };
    let failing = steps(page).into_iter().filter(is_unannounced);
    failing.map(|step| format!("`{}` ends with {}", step.command, step.exit.unwrap())).collect()
}

/// `cmd.rs` sees to it that a step without an exit code below it ends with 0.
#[test]
fn pages_say_which_of_their_steps_fail() {
    let mut failing = 0;
    for (path, page) in &Book::new().pages {
        if path.starts_with("docs/guides/") || path.matches('/').count() == 1 {
            assert_eq!(
                failing_unannounced(page),
                [""; 0],
                "{path} does not say `exit code` and which"
            );
            failing += steps(page).iter().filter(|step| step.exit.is_some()).count();
        }
    }
    assert_eq!(failing_unannounced(&read("README.md")), [""; 0], "README.md does not say it");
    assert!(failing > 10, "only {failing} steps were found: has their form changed?");
    // Steps that fail are found.
    let step = |text: &str, command: &str, exit: &str| {
        failing_unannounced(&format!(
            "# A\n{text}\n```console\n$ {command}\n{exit}\nerror\n```\n# B\n"
        ))
    };
    let patch = "spelunk patch a.nmo b.json -o c.nmo";
    assert_eq!(step("Then patch.", patch, "? 2"), [format!("`{patch}` ends with 2")]);
    assert_eq!(step("Exit code 1, or exit code 22.", patch, "? 2").len(), 1);
    assert_eq!(step("That ends with exit code 2.", patch, "? 2"), [""; 0]);
    assert_eq!(step("Look.", "spelunk diff a b", "? 1").len(), 1);
    assert_eq!(step("exit code 1: they differ", "spelunk diff a b", "? 1"), [""; 0]);
}

/// All of these run in one folder, where an output that is there already is refused.
#[test]
fn no_two_pages_write_the_same_file() {
    let mut written: BTreeMap<String, String> = BTreeMap::new();
    let pages = Book::new().pages;
    let own = ("README.md".to_owned(), read("README.md"));
    for (path, page) in pages.into_iter().chain([own]) {
        for step in steps(&page) {
            let words: Vec<&str> = step.command.split(' ').collect();
            for pair in words.windows(2).filter(|pair| ["-o", "--patch", "-C"].contains(&pair[0])) {
                let other = written.entry(pair[1].to_owned()).or_insert_with(|| path.clone());
                assert_eq!(*other, path, "both pages write {}", pair[1]);
            }
        }
    }
    assert!(written.len() > 50, "only {} outputs were found", written.len());
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
