//! The house rules that can be checked by reading the sources: the direction of the arrows, the pages that
//! code cites, what is made from the code, the size of files.

mod book;

use book::{Book, root};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// What stands on opened files uses.
const OPENED: &[&str] = &["spelunk_core", "virtools", "snpak", "spellforce", "spelunk_open"];

/// Crates of the house, lowest first, and the crates of the house that each may use.
const ARROWS: &[(&str, &[&str])] = &[
    ("spelunk-core", &[]),
    ("virtools", &["spelunk_core"]),
    ("snpak", &["spelunk_core"]),
    ("spellforce", &["spelunk_core"]),
    ("spelunk-open", &["spelunk_core", "virtools", "snpak", "spellforce"]),
    ("spelunk-compare", OPENED),
    ("spelunk-models", OPENED),
    ("spelunk-tables", OPENED),
    (
        "spelunk",
        &[
            "spelunk_core",
            "virtools",
            "snpak",
            "spellforce",
            "spelunk_open",
            "spelunk_compare",
            "spelunk_models",
            "spelunk_tables",
        ],
    ),
    ("spelunk-wasm", &["spelunk"]),
    ("spelunk-capi", &["snpak", "spelunk", "spelunk_catalog"]),
    ("spelunk-catalog", &["spelunk"]),
    ("spelunk-mount", &["spelunk"]),
    ("spelunk-view", &["spelunk"]),
    ("spelunk-remote", &["spelunk_core", "spelunk_open"]),
    (
        "spelunk-cli",
        &["spelunk", "spelunk_catalog", "spelunk_mount", "spelunk_remote", "spelunk_view"],
    ),
];

#[test]
fn arrows_point_one_way() {
    let names: Vec<String> = ARROWS.iter().map(|(name, _)| name.replace('-', "_")).collect();
    for (krate, allowed) in ARROWS {
        let folder = root().join("crates").join(krate);
        let own = krate.replace('-', "_");
        for path in sources(&folder.join("src")) {
            let text = fs::read_to_string(&path).unwrap();
            let code = |line: &&str| !line.trim_start().starts_with("//");
            for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| code(line)) {
                for name in &names {
                    let used = line.match_indices(&format!("{name}::")).any(|(at, _)| {
                        !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
                    });
                    let fine = *name == own || allowed.contains(&name.as_str());
                    assert!(!used || fine, "{}, line {number} uses {name}", path.display());
                }
            }
        }
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let (dependencies, _) =
            manifest.split_once("[dev-dependencies]").unwrap_or((&manifest, ""));
        for (other, _) in ARROWS {
            let line = |line: &str| {
                line.starts_with(&format!("{other}.")) || line.starts_with(&format!("{other} "))
            };
            let fine = other == krate || allowed.contains(&other.replace('-', "_").as_str());
            assert!(fine || !dependencies.lines().any(line), "{krate} depends on {other}");
        }
    }
}

#[test]
fn fixtures_know_no_layout_code() {
    let manifest = fs::read_to_string(root().join("fixtures/Cargo.toml")).unwrap();
    for (name, _) in ARROWS {
        assert!(
            !manifest.lines().any(|line| line.starts_with(&format!("{name}."))
                || line.starts_with(&format!("{name} "))),
            "fixtures depend on {name}"
        );
    }
}

/// The anchors of the headings of a page.
fn anchors(page: &str) -> BTreeSet<String> {
    let anchor = |heading: &str| -> String {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    page.lines().filter(|line| line.starts_with('#')).map(anchor).collect()
}

#[test]
fn cited_pages_and_sections_exist() {
    let book = Book::new();
    let headings: BTreeMap<&str, BTreeSet<String>> =
        book.pages.iter().map(|(path, text)| (path.as_str(), anchors(text))).collect();
    let mut cited = 0;
    for path in sources(&root().join("crates")) {
        let text = fs::read_to_string(&path).unwrap();
        for (at, _) in text.match_indices("docs/") {
            let citation: String = text[at..]
                .chars()
                .take_while(|c| c.is_alphanumeric() || matches!(c, '/' | '.' | '#' | '-' | '_'))
                .collect();
            let citation = citation.trim_end_matches('.');
            let (page, section) = citation.split_once('#').unwrap_or((citation, ""));
            if !page.ends_with(".md") {
                continue;
            }
            let known = headings.get(page);
            let known = known.unwrap_or_else(|| panic!("{} cites {page}", path.display()));
            assert!(
                section.is_empty() || known.contains(section),
                "{} cites {citation}, which has no such section",
                path.display()
            );
            cited += 1;
        }
    }
    assert!(cited > 50, "only {cited} citations were found: has their form changed?");
}

#[test]
fn links_between_pages_lead_somewhere() {
    let book = Book::new();
    let mut pages = book.pages.clone();
    for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        pages.insert(page.to_owned(), book::read(page));
    }
    let mut links = 0;
    for (path, text) in &pages {
        for (target, section) in book::links(path, text) {
            let known = pages.get(&target);
            // What is in the tree and no page of the book. Descriptions in the code cite pages.
            let other = root().join(&target);
            let is_there = other.is_file() || other.is_dir() && !book.made.contains(path);
            assert!(
                known.is_some() || is_there && !book::is_ignored(&target),
                "{path}: the link to {target} leads nowhere"
            );
            assert!(
                section.is_empty() || known.is_some_and(|text| anchors(text).contains(section)),
                "{path}: {target} has no section {section}"
            );
            links += 1;
        }
    }
    assert!(links > 1000, "only {links} links were found: has their form changed?");
}

#[test]
fn files_that_are_made_from_the_code_are_current() {
    for (path, text) in makers::kept(&root()).unwrap() {
        assert!(book::read(&path) == text, "{path} is old: run `cargo xtask docs`");
    }
}

/// What is to be known of a format stands in its crate, in its profile: above it no code goes by the name of one.
#[test]
fn no_format_is_named_above_the_format_crates() {
    let built_in = spelunk::open::detect::built_in().map(|profile| profile.name);
    let names: Vec<String> =
        built_in.chain(["spellforce-set"]).map(|name| format!("\"{name}\"")).collect();
    assert!(names.len() > 7, "{names:?}");
    let above = [
        "spelunk-open",
        "spelunk-compare",
        "spelunk-models",
        "spelunk-tables",
        "spelunk",
        "spelunk-catalog",
        "spelunk-mount",
        "spelunk-remote",
        "spelunk-cli",
    ];
    let folders = above.map(|krate| root().join("crates").join(krate).join("src"));
    for path in folders.iter().flat_map(|folder| sources(folder)) {
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for (number, line) in (1..).zip(code.lines()) {
            let is_comment = line.trim_start().starts_with("//");
            let named = names.iter().find(|name| line.contains(name.as_str()));
            if let Some(name) = named.filter(|_| !is_comment) {
                panic!("{}, line {number} names the format {name}", path.display());
            }
        }
    }
}

#[test]
fn the_library_has_few_modules_at_the_top() {
    let text = fs::read_to_string(root().join("crates/spelunk/src/lib.rs")).unwrap();
    let alias = |line: &&str| line.starts_with("pub use ") && line.contains(" as ");
    let modules = text.lines().filter(|line| line.starts_with("pub mod ") || alias(line));
    assert!((5..=15).contains(&modules.clone().count()), "{:?}", modules.collect::<Vec<_>>());
}

#[test]
fn files_stay_small_enough_to_be_read() {
    let folders = ["crates", "fixtures", "test-support", "xtask", "benches", "fuzz/fuzz_targets"];
    for path in folders.iter().flat_map(|folder| sources(&root().join(folder))) {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 600, "{} has {lines} lines: split it by meaning", path.display());
    }
}

/// The name of the function that begins on a line, with its indentation.
fn function(line: &str) -> Option<(&str, &str)> {
    let code = line.trim_start();
    let indentation = &line[..line.len() - code.len()];
    let modifiers = ["pub ", "pub(crate) ", "pub(super) ", "const ", "unsafe "];
    let code = modifiers.iter().fold(code, |code, word| code.strip_prefix(word).unwrap_or(code));
    let name = code.strip_prefix("fn ")?;
    Some((indentation, name.split(['(', '<']).next()?))
}

#[test]
fn functions_stay_short_enough_to_be_read_at_once() {
    let mut long = Vec::new();
    for path in sources(&root().join("crates")) {
        if path.components().any(|part| part.as_os_str() == "tests") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (start, line) in lines.iter().enumerate() {
            let Some((indentation, name)) = function(line) else { continue };
            let of_this = &lines[start..];
            // One without a body ends where its signature does; the formatter puts the last brace below the first word.
            let declared = of_this.iter().position(|line| line.ends_with(['{', ';', '}']));
            let has_body = declared.is_some_and(|at| of_this[at].ends_with('{'));
            let closing = format!("{indentation}}}");
            let end = of_this.iter().position(|line| *line == closing);
            if let Some(end) = end.filter(|_| has_body)
                && end >= 80
            {
                long.push(format!("{}: {name} has {} lines", path.display(), end + 1));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn unsafe_code_stays_in_the_modules_that_need_it() {
    for path in sources(&root().join("crates")) {
        // Files are mapped, tables are declared to SQLite, and C hands over pointers.
        let allowed = [
            "spelunk-core/src/map.rs",
            "spelunk-tables/src/query/categories.rs",
            "spelunk-capi/src/boundary.rs",
            "spelunk-capi/src/functions.rs",
        ];
        if allowed.iter().any(|allowed| path.ends_with(allowed)) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            for word in ["unsafe {", "unsafe fn", "unsafe impl", "allow(unsafe_code)"] {
                assert!(!line.contains(word), "{}: {line}", path.display());
            }
        }
    }
}

#[test]
fn crates_that_are_there_twice_are_explained() {
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let names: Vec<&str> = lock.lines().filter_map(|line| line.strip_prefix("name = ")).collect();
    let twice: BTreeSet<&str> = names
        .windows(2)
        .filter(|pair| pair[0] == pair[1])
        .map(|pair| pair[0].trim_matches('"'))
        .collect();
    let deny = fs::read_to_string(root().join("deny.toml")).unwrap();
    let skipped =
        deny.lines().filter_map(|line| line.trim().strip_prefix("{ crate = \"")?.split_once(':'));
    let explained = skipped.filter(|(_, rest)| rest.contains("reason = "));
    assert_eq!(explained.map(|(name, _)| name).collect::<BTreeSet<_>>(), twice);
}

#[test]
fn the_two_commands_of_the_readme_are_what_ci_runs() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, section) = readme.split_once("## Two commands").expect("the section");
    let (section, _) = section.split_once("\n## ").expect("another section");
    let commands: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    let [demo, tests] = commands[..] else { panic!("two commands, not {commands:?}") };
    let ci = fs::read_to_string(root().join(".ci/run")).unwrap();
    for (stage, command) in [("demo", demo), ("tests", tests)] {
        let line = format!("stage \"{stage}\" {command}");
        assert!(ci.lines().any(|found| found == line), ".ci/run has no line `{line}`");
    }
}
