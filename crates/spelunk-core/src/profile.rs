//! Facts about a format that tools need besides the descriptions of its fields. Each format has it as data, at one place.

use crate::{error::Code, field::Field, lint::Rules};

/// A format as tools see it.
///
/// Names of fields in it are taken from the descriptions of the fields (`SIZE.name`), so that they cannot drift apart.
#[derive(Debug)]
pub struct Profile {
    /// Name of the format, one of the contract's (`virtools`, `snpak`, `spellforce-cff`, ...).
    pub name: &'static str,
    /// Name of files of the format for people, in the heads of tables.
    pub title: &'static str,
    /// Extensions of files of the format, in lower case and without a dot.
    pub extensions: &'static [&'static str],
    /// Verbs that have nothing to do with files of the format, with what to do instead.
    pub without: &'static [Remark],
    /// Verbs that do less for older files of the format, with what holds for them.
    pub limits: &'static [Remark],
    /// Dialects: forms that only some files of the format have.
    pub dialects: &'static [Dialect],
    /// Comparison of the entries of two files.
    pub comparison: Comparison,
    /// Extraction of entries as files.
    pub extraction: Extraction,
    /// What can be made visible of files of the format, besides entries, fields and bytes.
    pub aspects: &'static [Aspect],
    /// Whether what lies below an entry shows all that is in it: searches look at its own fields only where nothing lies below
    /// it.
    pub is_shown_by_parts: bool,
    /// Names of the lists in a [section](crate::container::kind::SECTION) whose items are entries, and looked at as such.
    pub listed_in_sections: &'static [&'static str],
    /// Names of the facts about a file that matter most, where one line is all there is room for.
    pub headline: &'static [&'static str],
    /// Schema of the tables that queries see of files of the format, beside those that all formats have.
    pub schema: Option<&'static str>,
    /// Rules about sound files of the format.
    pub rules: Option<&'static Rules>,
    /// The code by which edits say that an entry has no such field, where fields are changed under the paths by which they are
    /// shown.
    pub no_field: Option<&'static Code>,
}

/// A form that only some files of a format have, with what holds for them alone.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// Name of the dialect, as [`Container::dialect`](crate::Container::dialect) has it.
    pub name: &'static str,
    /// Name of its files for people, in the heads of tables.
    pub title: &'static str,
    /// Verbs that have nothing to do with its files though they do something for others of the format, with the way out.
    pub without: &'static [Remark],
    /// Verbs that do less for its files, with what holds for them.
    pub limits: &'static [Remark],
}

/// A way to look at what is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// Shapes in space.
    Scene,
    /// Pictures.
    Textures,
    /// Rows of one kind each.
    Tables,
    /// Entries that are tables with columns of their own.
    Arrays,
    /// Graphs of building blocks.
    Scripts,
    /// Ground from above, in layers.
    Map,
    /// Files of other kinds that are carried along.
    Included,
}

impl Aspect {
    /// Name of the aspect in rows of `info`.
    pub const fn name(self) -> &'static str {
        match self {
            Aspect::Scene => "scene",
            Aspect::Textures => "textures",
            Aspect::Tables => "tables",
            Aspect::Arrays => "arrays",
            Aspect::Scripts => "scripts",
            Aspect::Map => "map",
            Aspect::Included => "included",
        }
    }
}

/// A remark about verbs.
#[derive(Clone, Copy, Debug)]
pub struct Remark {
    /// Names of the verbs.
    pub verbs: &'static [&'static str],
    /// A sentence, or part of one, without a capital letter and without a full stop.
    pub text: &'static str,
}

impl Remark {
    /// A remark about these verbs.
    pub const fn new(verbs: &'static [&'static str], text: &'static str) -> Remark {
        Remark { verbs, text }
    }
}

/// A format whose files hold nothing twice.
pub const STORED_ONCE: Remark = Remark::new(
    &["repair"],
    "nothing in it is stored twice, so what is damaged is lost: `verify` tells what, `extract` writes all that can be read",
);
/// A format whose files hold one state.
pub const ONE_STATE: Remark = Remark::new(
    &["rollback"],
    "it holds one state: `undo` takes edits back that `--history` kept, `--backup` keeps the former file",
);
/// A format whose files nobody needs in a newer form.
pub const ONE_FORM: Remark = Remark::new(
    &["upgrade"],
    "there is one form of it that games read, so there is nothing to upgrade; `rewrite` writes it as it is",
);
/// A format whose files are no larger after edits than they have to be.
pub const NOTHING_LEFT: Remark =
    Remark::new(&["compact"], "edits leave nothing behind that could go");
/// A format whose files are looked at and not changed.
const READ_ONLY: &[Remark] = &[
    Remark::new(
        &[
            "set", "rm", "mv", "add", "replace", "patch", "merge", "append", "import", "undo",
            "redo",
        ],
        "files of this format are looked at and not changed: `extract FILE -C DIR` writes what is in them",
    ),
    Remark::new(
        &["join", "subset", "pack", "overlay"],
        "files of this format are looked at and not made: `extract FILE -C DIR` writes what is in them",
    ),
    Remark::new(
        &["export"],
        "no other program has a form for it: `show --json` tells its fields, `extract` writes its entries",
    ),
    Remark::new(&["refs"], "its entries do not refer to each other"),
    Remark::new(&["lint"], "no rules are known for it: `verify` checks the file itself"),
    STORED_ONCE,
    Remark::new(&["rollback"], "it holds one state, and is not changed"),
    Remark::new(&["compact"], "it is not changed, so nothing was left behind in it"),
    ONE_FORM,
];

impl Profile {
    /// A format of this name that is looked at and not changed. Entries are compared by their bytes, and nothing about its
    /// files is remarkable.
    pub const fn new(name: &'static str, title: &'static str) -> Profile {
        Profile {
            name,
            title,
            extensions: &[],
            without: READ_ONLY,
            limits: &[],
            dialects: &[],
            comparison: Comparison::BYTES,
            extraction: Extraction::PLAIN,
            aspects: &[],
            is_shown_by_parts: false,
            listed_in_sections: &[],
            headline: &[],
            schema: None,
            rules: None,
            no_field: None,
        }
    }

    /// Schema of the tables of the format; empty where there is none.
    pub const fn schema_name(&self) -> &'static str {
        match self.schema {
            Some(schema) => schema,
            None => "",
        }
    }

    /// Whether this is that format.
    pub fn is(&self, other: &Profile) -> bool {
        self.name == other.name
    }

    /// Advice in place of a verb that has nothing to do with files of the format; `None` where it does something.
    pub fn instead(&self, verb: &str) -> Option<&'static str> {
        remark(self.without, verb)
    }

    /// Limit of the verb on older files of the format, where it does less for them.
    pub fn limit(&self, verb: &str) -> Option<&'static str> {
        remark(self.limits, verb)
    }

    /// The dialect of this name; `None` where the format has none of it.
    pub fn dialect(&self, name: &str) -> Option<&'static Dialect> {
        self.dialects.iter().find(|dialect| dialect.name == name)
    }
}

impl Dialect {
    /// Advice in place of a verb that does something for other files of the format, and nothing for those of the dialect.
    pub fn instead(&self, verb: &str) -> Option<&'static str> {
        remark(self.without, verb)
    }

    /// Limit of the verb on files of the dialect, where it does less for them.
    pub fn limit(&self, verb: &str) -> Option<&'static str> {
        remark(self.limits, verb)
    }
}

fn remark(remarks: &[Remark], verb: &str) -> Option<&'static str> {
    remarks.iter().find(|remark| remark.verbs.contains(&verb)).map(|remark| remark.text)
}

/// Comparison of the entries of two files.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// Fields of their rows in listings that are theirs alone.
    pub listed: NameFilter,
    /// Fields of [`Container::walk`](crate::Container::walk) that are compared; `None` where bytes say more than fields.
    pub walked: Option<NameFilter>,
    /// Fields of the summary that are no count, size or checksum that follows from the entries, nor shown by them.
    pub summary: NameFilter,
    /// Whether entries of the listing have entries below them.
    pub has_below: bool,
    /// Whether the hierarchy holds entries besides those of the listing.
    pub has_more: bool,
    /// Fields of the listing by which entries of both files are known to belong together.
    pub keys: Keys,
    /// Text behind the id in the path of the first of several entries of one id, where others follow.
    pub first_of_many: Option<&'static str>,
}

impl Comparison {
    /// Entries are their bytes.
    pub const BYTES: Comparison = Comparison {
        listed: NameFilter::Only(&[]),
        walked: None,
        summary: NameFilter::Nowhere(&[]),
        has_below: false,
        has_more: false,
        keys: Keys::NONE,
        first_of_many: None,
    };
}

/// Fields of the listing that identify the same entry in another file.
#[derive(Clone, Copy, Debug)]
pub struct Keys {
    /// The id of an entry, whatever it is called, and whether a later entry of that id hides it.
    pub id: Option<Hidden>,
    /// Two numbers of an entry below another one, which need not be unique.
    pub part: Option<[&'static Field; 2]>,
    /// A number that entries were saved with, which means nothing to those who read the file.
    pub number: Option<&'static Field>,
    /// The size of the rows that an entry consists of.
    pub row_size: Option<&'static Field>,
    /// Field with the start of these rows in the entry.
    pub rows_start: Option<&'static Field>,
}

impl Keys {
    /// Entries have their paths and names alone.
    pub const NONE: Keys =
        Keys { id: None, part: None, number: None, row_size: None, rows_start: None };

    /// Whether a field of this name is one of the keys.
    pub fn has(&self, name: &str) -> bool {
        let id = self.id.map(|Hidden { id, is_hidden }| [id, is_hidden]);
        let others = [self.number, self.row_size, self.rows_start];
        let all = id.into_iter().flatten().chain(self.part.into_iter().flatten());
        all.chain(others.into_iter().flatten()).any(|field| field.name == name)
    }
}

/// An id that several entries may have.
#[derive(Clone, Copy, Debug)]
pub struct Hidden {
    /// The id, a UUID.
    pub id: &'static Field,
    /// Whether a later entry has the same one.
    pub is_hidden: &'static Field,
}

/// Names of groups and fields that count.
#[derive(Clone, Copy, Debug)]
pub enum NameFilter {
    /// All but these at the top.
    Not(&'static [&'static str]),
    /// Fields at the top with these names alone.
    Only(&'static [&'static str]),
    /// All but these, wherever they are.
    Nowhere(&'static [&'static str]),
}

impl NameFilter {
    /// Whether a group or field of this name counts that lies below `depth` groups.
    pub fn has(self, name: &str, depth: usize) -> bool {
        match self {
            NameFilter::Not(names) => depth > 0 || !names.contains(&name),
            NameFilter::Only(names) => depth > 0 || names.contains(&name),
            NameFilter::Nowhere(names) => !names.contains(&name),
        }
    }
}

/// Extraction of entries as files.
#[derive(Clone, Copy, Debug)]
pub struct Extraction {
    /// Whether the listing has every entry that becomes a file, with what lies below it.
    pub listing_is_whole: bool,
    /// Whether entries lie in the bytes of others, however deep: these become files of their own where they are named.
    pub is_nested: bool,
    /// Path of the folder of files that a container carries along without needing them.
    pub included: Option<&'static str>,
    /// Whether the listing has hashes of what entries hold.
    pub has_hashes: bool,
    /// Whether some of the entries are put into a container that is there, so that they need nothing of the rest.
    pub parts_are_added: bool,
    /// Whether extracting leaves a skeleton for files of the format, so that a manifest without one says that none was wanted:
    /// `false` is there in its place, and null for formats that never have one.
    pub lacks_skeleton: bool,
}

impl Extraction {
    /// Entries of the listing, and what else the hierarchy holds, as files.
    pub const PLAIN: Extraction = Extraction {
        listing_is_whole: false,
        is_nested: false,
        included: None,
        has_hashes: false,
        parts_are_added: false,
        lacks_skeleton: false,
    };
}

/// Codes of one part of the program, which have a page of their own.
#[derive(Clone, Copy, Debug)]
pub struct CodeFamily {
    /// Subject of the codes.
    pub about: &'static str,
    /// Path of the page, below the root of the repository.
    pub page: &'static str,
    /// The codes.
    pub lists: &'static [&'static &'static [&'static Code]],
}

impl CodeFamily {
    /// The codes.
    pub fn codes(&self) -> impl Iterator<Item = &'static Code> + use<> {
        self.lists.iter().flat_map(|list| list.iter().copied())
    }
}
