//! Every verb for every format: where it does something there is a case in which it does, and where it has nothing to do
//! there is one in which the way out is told (`spelunk::verbs::parity`).

use spelunk::verbs::parity::{dialects, formats, instead, verbs};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Endings of the names that the cases have for files of each format.
const ENDINGS: [(&str, &[&str]); 7] = [
    ("virtools", &[".nmo", ".cmo", ".vmo", ".nms"]),
    ("snpak", &[".snpak"]),
    ("spellforce-cff", &[".cff"]),
    ("spellforce-map", &[".map"]),
    ("spellforce-save", &[".sav"]),
    // The folder of a game is one of archives.
    ("spellforce-pak", &[".pak", "game"]),
    ("spellforce-pakdata", &[".dat"]),
];

/// What the names that the cases have for files of a dialect contain.
const DIALECTS: [(&str, &str); 2] = [("spec", "-spec."), ("spellforce2", "tower")];

/// A command, its exit code, and what it printed.
struct Case {
    command: String,
    code: i32,
    printed: String,
}

fn cases() -> Vec<Case> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases = fs::read_dir(here.join("tests/cmd")).unwrap().map(|file| file.unwrap().path());
    let shown = ["../../README.md", "../../docs/guides/tour.md"].map(|page| here.join(page));
    let pages: Vec<PathBuf> = cases.chain(shown).collect();
    let mut found = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page).unwrap().replace("\r\n", "\n");
        for block in text.split("\n```").skip(1).step_by(2) {
            for case in block.split("\n$ ").skip(1) {
                let (command, printed) = case.split_once('\n').unwrap_or((case, ""));
                let code = printed.strip_prefix("? ").and_then(|rest| rest.lines().next());
                found.push(Case {
                    command: command.to_owned(),
                    code: code.map_or(0, |code| code.parse().unwrap_or(1)),
                    printed: printed.to_owned(),
                });
            }
        }
    }
    found
}

impl Case {
    /// Whether the command is about this verb and a file of this format, and of this dialect where one is named.
    fn is_of(&self, verb: &str, format: &str, dialect: Option<&str>) -> bool {
        let mut words = self.command.split_whitespace();
        let is_verb = words.next() == Some("spelunk") && words.any(|word| word == verb);
        let (_, endings) = ENDINGS.iter().find(|(known, _)| *known == format).unwrap();
        let part = dialect.map(|name| DIALECTS.iter().find(|(known, _)| *known == name).unwrap().1);
        let is_file = |word: &str| {
            let word = word.trim_matches(['\'', '"']);
            endings.iter().any(|ending| word.ends_with(ending))
                && part.is_none_or(|part| word.contains(part))
        };
        is_verb && self.command.split_whitespace().any(is_file)
    }
}

#[test]
fn every_verb_has_a_case_for_every_format_and_dialect() {
    let cases = cases();
    assert!(cases.len() > 400, "only {} cases were found", cases.len());
    let of_dialects = || dialects().into_iter().map(Some);
    let mut wrong = Vec::new();
    for verb in verbs() {
        for format in formats() {
            let has =
                |dialect: &Option<&str>| dialect.is_none_or(|name| format.dialect(name).is_some());
            for dialect in std::iter::once(None).chain(of_dialects()).filter(has) {
                let of = cases.iter().filter(|case| case.is_of(verb, format.name, dialect));
                let way_out = instead(format, dialect, verb);
                let is_there = match way_out {
                    None => of.into_iter().any(|case| matches!(case.code, 0 | 1)),
                    Some(why) => {
                        let told = format!("instead: {why}");
                        of.into_iter().any(|case| case.printed.contains(&told))
                    }
                };
                if !is_there {
                    let what = if way_out.is_some() { "the way out" } else { "it" };
                    let dialect = dialect.unwrap_or("usual");
                    wrong.push(format!("{verb} {} ({dialect}): no case shows {what}", format.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
