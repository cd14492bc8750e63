//! What the values of an argument are, told by what its help calls them.

use clap::Arg;
use spelunk::{
    edit::join::Mode,
    models::import::Policy,
    verbs::{ConflictFamily, NamedChoice},
};

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    Nothing,
    Files,
    Folders,
    /// Names that are known without a file.
    Names(Vec<(String, String)>),
    /// Names of fields of a listing, and whether they stand behind each other with commas between them.
    Columns {
        many: bool,
    },
    Entries,
    /// Entries by globs, in which brackets mean something.
    Globs,
    /// A kind and a name.
    NewEntry,
    /// An entry, a field and its value.
    Change,
    /// Files, and the codes that are known.
    FileOrCode,
    /// A space and an offset, or an entry.
    Place,
    Statement,
    Rules,
    Verbs,
    Languages,
    Editions,
    Generations {
        has_merged: bool,
    },
}

impl Subject {
    /// The subject of an argument of a verb.
    pub fn of(verb: &str, arg: &Arg) -> Subject {
        let known = arg.get_possible_values();
        if !known.is_empty() {
            let about = |help: Option<&clap::builder::StyledStr>| {
                help.map(ToString::to_string).unwrap_or_default()
            };
            let names = known.iter().filter(|value| !value.is_hide_set());
            let names = names.map(|it| (it.get_name().to_owned(), about(it.get_help())));
            return Subject::Names(names.collect());
        }
        let name = arg.get_value_names().and_then(|names| names.first());
        match (verb, arg.get_id().as_str(), name.map_or("", |name| name.as_str())) {
            (_, _, "PATH=VALUE") => Subject::Change,
            (_, _, "PATH" | "PATH|GLOB") => Subject::Entries,
            ("catalog", _, "GLOB") => Subject::Nothing,
            (_, _, "GLOB") => Subject::Globs,
            (_, _, "KIND/NAME") => Subject::NewEntry,
            (_, _, "FILE|CODE") => Subject::FileOrCode,
            (_, _, "FILE|SQL") => Subject::Statement,
            (_, _, "[SPACE:]OFFSET") => Subject::Place,
            (_, _, "CODE") => Subject::Rules,
            (_, _, "VERB" | "VERB|jobs") => Subject::Verbs,
            (_, _, "FIELD") => Subject::Columns { many: false },
            (_, _, "FIELD,...") => Subject::Columns { many: true },
            (_, _, "LANG" | "LANGUAGE") => Subject::Languages,
            (_, _, "EDITION") => Subject::Editions,
            (_, _, "N|merged") => Subject::Generations { has_merged: true },
            (_, "generation", _) => Subject::Generations { has_merged: false },
            ("join", "on_conflict", _) => policies::<ConflictFamily, Mode>(),
            (_, "on_conflict", _) => policies::<ConflictFamily, Policy>(),
            (_, _, "DIR") => Subject::Folders,
            (_, _, name) if FILES.contains(&name) => Subject::Files,
            _ => Subject::Nothing,
        }
    }
}

/// What help calls values that are names of files.
const FILES: [&str; 18] = [
    "FILE",
    "FILE|DIR",
    "IN",
    "OUT",
    "A",
    "B",
    "BASE",
    "OURS",
    "THEIRS",
    "PATCH",
    "LIST",
    "SOURCE",
    "SRC",
    "MANIFEST",
    "TREE",
    "DIR|MANIFEST",
    "[PREFIX=]PACK",
    "[PREFIX=]PACK|DIR",
];

/// Policies, and policies for one type of objects.
fn policies<T: NamedChoice, P: NamedChoice>() -> Subject {
    let plain = P::ALL.iter().map(|(policy, _)| (*policy).to_owned());
    let of = |(family, _): &(&str, T)| {
        let family = (*family).to_owned();
        P::ALL.iter().map(move |(policy, _)| format!("{family}={policy}"))
    };
    let names = plain.chain(T::ALL.iter().flat_map(of));
    Subject::Names(names.map(|name| (name, String::new())).collect())
}
