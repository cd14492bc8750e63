//! Which verb of the command does something for which format, and what to do instead where it makes no sense.

/// The formats, as people call them, in the order of tables.
pub const FORMATS: [(&str, &str); 7] = [
    ("virtools", "Virtools"),
    ("snpak", "SnPAK"),
    ("spellforce-cff", "GameData"),
    ("spellforce-map", "maps"),
    ("spellforce-save", "saves"),
    ("spellforce-pak", "PAK"),
    ("spellforce-pakdata", "pakdata.dat"),
];

/// A verb that looks at files or changes them.
#[derive(Debug)]
pub struct Verb {
    /// Its name.
    pub name: &'static str,
    /// Formats that it has nothing to do with, and the way out of each.
    pub without: &'static [(&'static [&'static str], &'static str)],
}

const VIRTOOLS: &str = "virtools";
const SNPAK: &str = "snpak";
const CFF: &str = "spellforce-cff";
const MAP: &str = "spellforce-map";
const SAVE: &str = "spellforce-save";
const PAK: &str = "spellforce-pak";
const PAKDATA: &str = "spellforce-pakdata";

/// What is said of files that are made anew and not edited.
const LISTS: (&[&str], &str) = (
    &[PAKDATA],
    "it lists what archives hold: change those, then `pack DIR -o pakdata.dat` writes it anew",
);
/// What is said of files that are read and carried along.
const STATES: (&[&str], &str) = (
    &[SAVE],
    "little is known of what the chunks of a saved game mean, so none are changed: `show` and `cat` tell what is there",
);

const fn all(name: &'static str) -> Verb {
    Verb { name, without: &[] }
}

/// The verbs, in the order of the contract.
pub const VERBS: &[Verb] = &[
    all("info"),
    all("ls"),
    all("tree"),
    all("show"),
    Verb {
        name: "cat",
        without: &[(&[PAKDATA], "the files are in the archives that it lists: `cat ARCHIVE PATH`")],
    },
    Verb {
        name: "extract",
        without: &[(
            &[PAKDATA],
            "the files are in the archives that it lists: `extract ARCHIVE -C DIR`",
        )],
    },
    all("verify"),
    all("rewrite"),
    all("diff"),
    all("patch"),
    Verb {
        name: "merge",
        without: &[
            (&[SAVE], "a saved game is the state of one game: two of them cannot be one"),
            (&[PAKDATA], "merge the archives, then `pack DIR -o pakdata.dat` lists what they hold"),
        ],
    },
    Verb {
        name: "join",
        without: &[
            (
                &[SNPAK],
                "`append FILE DIR` adds what was extracted of another pack, `merge` unites what two sides made of one, \
                 `overlay` shows several as a game mounts them",
            ),
            (&[CFF], "`merge BASE A B` takes the rows of both"),
            (
                &[MAP],
                "a map is one place of one size: `export` and `import --layer` carry its parts",
            ),
            (&[SAVE], "a saved game is the state of one game: two of them cannot be one"),
            (
                &[PAK],
                "`extract` both into one folder and `pack` that; `overlay DIR` shows all archives of a game as one",
            ),
            (&[PAKDATA], "`pack DIR -o pakdata.dat` lists all archives of a folder"),
        ],
    },
    Verb {
        name: "subset",
        without: &[
            (
                &[CFF],
                "rows stand for themselves: `rm` leaves the others, `merge --part` keeps those that a mod changed",
            ),
            (
                &[MAP, SAVE],
                "its parts are no file of their own: `extract FILE GLOB -C DIR` writes them",
            ),
            (&[PAK], "`extract FILE GLOB -C DIR`, then `pack DIR -o OUT.pak`"),
            (
                &[PAKDATA],
                "`pack DIR -o pakdata.dat` lists the archives of a folder with those that are wanted",
            ),
        ],
    },
    Verb {
        name: "set",
        without: &[
            STATES,
            (
                &[PAK],
                "the files of an archive have no fields: `replace` puts another file in the place of one",
            ),
            LISTS,
        ],
    },
    Verb { name: "rm", without: &[STATES, LISTS] },
    Verb {
        name: "mv",
        without: &[
            (&[MAP], "records have no names: `set` gives them another place"),
            STATES,
            LISTS,
        ],
    },
    Verb { name: "add", without: &[STATES, LISTS] },
    Verb { name: "replace", without: &[STATES, LISTS] },
    Verb { name: "pack", without: &[STATES] },
    Verb {
        name: "append",
        without: &[
            (
                &[VIRTOOLS],
                "`add` makes objects, `import --into` and `join` take them from other files",
            ),
            (&[CFF, MAP], "`add` makes rows and records"),
            STATES,
            (&[PAK], "`add FILE file/PATH --from SOURCE` adds files"),
            LISTS,
        ],
    },
    Verb {
        name: "compact",
        without: &[
            (
                &[VIRTOOLS],
                "edits leave nothing behind; `lint --fix --remove-unused` removes what nothing uses, `rewrite --level 9` packs tighter",
            ),
            (&[CFF, MAP, SAVE, PAK, PAKDATA], "edits leave nothing behind that could go"),
        ],
    },
    Verb {
        name: "repair",
        without: &[(
            &[VIRTOOLS, CFF, MAP, SAVE, PAK, PAKDATA],
            "nothing in it is stored twice, so what is damaged is lost: `verify` tells what, `extract` writes all that can be read",
        )],
    },
    Verb {
        name: "rollback",
        without: &[(
            &[VIRTOOLS, CFF, MAP, SAVE, PAK, PAKDATA],
            "it holds one state: `--backup` keeps the former one, `patch --reverse` takes changes back",
        )],
    },
    Verb {
        name: "upgrade",
        without: &[(
            &[SNPAK, CFF, MAP, SAVE, PAK, PAKDATA],
            "there is one form of it that games read, so there is nothing to upgrade; `rewrite` writes it as it is",
        )],
    },
    Verb {
        name: "export",
        without: &[
            (
                &[SAVE],
                "no other program has a form for it: `show --json` tells its fields, `extract` writes its chunks",
            ),
            (&[PAK], "`extract` writes its files as they are; `query --csv` its list"),
            (&[PAKDATA], "`query --csv` and `ls --json` write its list"),
        ],
    },
    Verb {
        name: "import",
        without: &[
            (&[SNPAK], "`pack` makes a pack of files, `append` and `replace` put files into one"),
            STATES,
            (&[PAK], "`pack` makes an archive of files, `add` and `replace` put files into one"),
            LISTS,
        ],
    },
    Verb {
        name: "refs",
        without: &[
            (
                &[MAP],
                "its ids mean rows of a GameData: `info --gamedata FILE` and `lint --gamedata FILE` look them up",
            ),
            (&[SAVE], "nothing is known of references in saved games"),
            (
                &[PAK, PAKDATA],
                "files of an archive do not tell which others they need; `overlay DIR --missing LIST` tells which of a list are not there",
            ),
        ],
    },
    Verb {
        name: "overlay",
        without: &[
            (&[VIRTOOLS], "games load files one by one: `join` unites several"),
            (&[CFF], "the game reads one: `merge` unites the rows of several"),
            (&[MAP, SAVE], "the game reads one at a time: `diff` compares two"),
            (
                &[PAKDATA],
                "`overlay DIR` shows the archives themselves, `verify --against DIR` what the list has of them",
            ),
        ],
    },
    all("find"),
    Verb {
        name: "lint",
        without: &[(
            &[SAVE],
            "no rules are known for saved games: `verify` checks the file itself",
        )],
    },
    all("explain"),
    all("query"),
    all("catalog"),
];

/// Where a verb does not do all of what it does for newer files of a format: verbs, the format, and what holds.
const OLDER: &[(&[&str], &str, &str)] = &[(
    &["add", "rm"],
    VIRTOOLS,
    "below FileVersion 7 class and name of an object are in its chunk: objects come and go as in newer files, but \
     none without a chunk can be added",
)];

/// What holds for older files of a format, where a verb does something for it.
fn older(verb: &str, format: &str) -> Option<&'static str> {
    let found = OLDER.iter().find(|(verbs, of, _)| *of == format && verbs.contains(&verb));
    found.map(|(_, _, what)| *what)
}

/// Why a verb has nothing to do with a format, and what to do instead; nothing where it does.
pub fn instead(verb: &str, format: &str) -> Option<&'static str> {
    let verb = VERBS.iter().find(|known| known.name == verb)?;
    let about = verb.without.iter().find(|(formats, _)| formats.contains(&format));
    about.map(|(_, why)| *why)
}

/// The table of verbs and formats, and below it what is said where there is nothing to do.
pub fn table() -> String {
    let heads = FORMATS.map(|(_, name)| name).join(" | ");
    let mut page = format!("| | {heads} |\n|---|{}\n", "---|".repeat(FORMATS.len()));
    let mut notes: Vec<&str> = Vec::new();
    for verb in VERBS {
        page.push_str(&format!("| `{}` |", verb.name));
        for (format, _) in FORMATS {
            let mut nth = |note| {
                let known = notes.iter().position(|known| *known == note);
                let nth = known.unwrap_or_else(|| {
                    notes.push(note);
                    notes.len() - 1
                });
                nth + 1
            };
            let cell = match (instead(verb.name, format), older(verb.name, format)) {
                (Some(why), _) => format!("{}", nth(why)),
                (None, Some(what)) => format!("yes ({})", nth(what)),
                (None, None) => "yes".to_owned(),
            };
            page.push_str(&format!(" {cell} |"));
        }
        page.push('\n');
    }
    page.push('\n');
    for (nth, note) in notes.iter().enumerate() {
        page.push_str(&format!("{}. {note}\n", nth + 1));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_empty_for_one_reason() {
        for verb in VERBS {
            for (format, _) in FORMATS {
                let told = verb.without.iter().filter(|(formats, _)| formats.contains(&format));
                assert!(told.count() <= 1, "{} {format}", verb.name);
            }
            let all = verb.without.iter().flat_map(|(formats, _)| *formats);
            for format in all {
                assert!(FORMATS.iter().any(|(known, _)| known == format), "{format}");
            }
        }
        for (verbs, format, _) in OLDER {
            for verb in *verbs {
                assert!(VERBS.iter().any(|known| known.name == *verb), "{verb}");
                assert_eq!(instead(verb, format), None, "{verb}");
            }
        }
        assert_eq!(instead("info", "snpak"), None);
        assert!(instead("join", "snpak").is_some_and(|why| why.contains("`append")));
    }
}
