//! Profiles of SpellForce's files, for tools: chunk files (GameData, maps, saved games), archives, the cache of archives, and
//! folders of archives.

use crate::{
    cff::{
        MAGIC, MAGIC_2003, MAGIC_SPEC,
        details::{self as chunks, LANGUAGES},
    },
    codes, gamedata, map, map2,
    pak::{self, details as members},
    pakdata::{self, details as paks},
    set::details as set,
    spec,
};
use spelunk_core::{
    Profile,
    lint::{Rule, Rules},
    profile::{
        Aspect, CodeFamily, Comparison, Dialect, Extraction, Keys, NOTHING_LEFT, NameFilter,
        ONE_FORM, ONE_STATE, Remark, STORED_ONCE,
    },
    signature::{FileType, Test},
};

/// A file that is read and carried along.
const STATES: Remark = Remark::new(
    &["set", "rm", "mv", "add", "replace", "pack", "append", "import"],
    "little is known of what the chunks of a saved game mean, so none are changed: `show` and `cat` tell what is there",
);
/// A file that is made anew and not edited.
const LISTS: Remark = Remark::new(
    &["set", "rm", "mv", "add", "replace", "append", "import", "undo", "redo"],
    "it lists what archives hold: change those, then `pack DIR -o pakdata.dat` writes it anew",
);
const ONE_GAME: Remark = Remark::new(
    &["merge", "join"],
    "a saved game is the state of one game: two of them cannot be one",
);
const ROWS_ARE_ADDED: Remark = Remark::new(&["append"], "`add` makes rows and records");
const NO_FILES: Remark = Remark::new(
    &["subset"],
    "its parts are no file of their own: `extract FILE GLOB -C DIR` writes them",
);
const ONE_AT_A_TIME: Remark =
    Remark::new(&["overlay"], "the game reads one at a time: `diff` compares two");
const UNKNOWN_NEEDS: Remark = Remark::new(
    &["refs"],
    "files of an archive do not tell which others they need; `overlay DIR --missing LIST` tells which of a list are not there",
);

/// The written specification's own layout, whose files do what real ones do.
const SPEC: Dialect =
    Dialect { name: spec::DIALECT, title: "dialect `spec`", without: &[], limits: &[] };

/// Maps of that layout.
const SPEC_MAP: Dialect = Dialect {
    limits: &[
        Remark::new(
            &["export"],
            "of maps of the dialect `spec` heights and things with a place are known, and only squares are drawn",
        ),
        Remark::new(
            &["import"],
            "into maps of the dialect `spec` heights of squares come in, and no other layer: `set`, `add` and `rm` change records",
        ),
    ],
    ..SPEC
};
/// Maps of the second game.
const SECOND_GAME: Dialect = Dialect {
    name: map2::DIALECT,
    title: "SpellForce 2 maps",
    without: &[Remark::new(
        &["import"],
        "layers and features come into maps of the first game alone: `set` changes fields and cells, `add` and `rm` let records come and go",
    )],
    limits: &[],
};

/// Entries without a name go by their paths.
const COMPARISON: Comparison = Comparison { first_of_many: Some(".0"), ..Comparison::BYTES };

/// Chunk files.
const CHUNKS: Comparison = Comparison {
    listed: NameFilter::Only(&[chunks::DATA_TYPE.name, chunks::PACKED.name]),
    summary: NameFilter::Nowhere(&[
        chunks::CHECKSUM.name,
        chunks::CHUNK_COUNT.name,
        chunks::PACKED_COUNT.name,
        chunks::ROWS.name,
        LANGUAGES.name,
        chunks::EDITION.name,
        chunks::MAP_SIZE.name,
        chunks::MAP.name,
        chunks::STORED_SIZE.name,
        chunks::UNPACKED_SIZE.name,
        chunks::EVIDENCE.name,
    ]),
    keys: Keys {
        row_size: Some(&chunks::ROW_SIZE),
        rows_start: Some(&chunks::ROWS_START),
        ..Keys::NONE
    },
    ..COMPARISON
};

/// GameData, and other chunk files that nothing is known of.
pub static GAMEDATA: Profile = Profile {
    extensions: &["cff"],
    without: &[
        Remark::new(&["join"], "`merge BASE A B` takes the rows of both"),
        Remark::new(
            &["subset"],
            "rows stand for themselves: `rm` leaves the others, `merge --part` keeps those that a mod changed",
        ),
        ROWS_ARE_ADDED,
        NOTHING_LEFT,
        STORED_ONCE,
        ONE_STATE,
        ONE_FORM,
        Remark::new(&["overlay"], "the game reads one: `merge` unites the rows of several"),
    ],
    limits: &[],
    dialects: &[SPEC],
    comparison: CHUNKS,
    is_shown_by_parts: true,
    headline: &[chunks::EDITION.name, chunks::CHUNK_COUNT.name, chunks::ROWS.name],
    schema: Some("cff"),
    rules: Some(&GAMEDATA_RULES),
    no_field: Some(&gamedata::codes::NO_FIELD),
    aspects: &[Aspect::Tables],
    ..Profile::new("spellforce-cff", "GameData")
};

/// Maps.
pub static MAP: Profile = Profile {
    extensions: &["map"],
    without: &[
        Remark::new(
            &["join"],
            "a map is one place of one size: `export` and `import --layer` carry its parts",
        ),
        NO_FILES,
        Remark::new(&["mv"], "records have no names: `set` gives them another place"),
        ROWS_ARE_ADDED,
        NOTHING_LEFT,
        STORED_ONCE,
        ONE_STATE,
        ONE_FORM,
        Remark::new(
            &["refs"],
            "its ids mean rows of a GameData: `info --gamedata FILE` and `lint --gamedata FILE` look them up",
        ),
        ONE_AT_A_TIME,
    ],
    limits: &[],
    dialects: &[SPEC_MAP, SECOND_GAME],
    comparison: CHUNKS,
    is_shown_by_parts: true,
    headline: &[chunks::MAP_SIZE.name, chunks::CHUNK_COUNT.name],
    schema: Some("map"),
    rules: Some(&MAP_RULES),
    no_field: Some(&gamedata::codes::NO_FIELD),
    aspects: &[Aspect::Scene, Aspect::Map],
    ..Profile::new("spellforce-map", "maps")
};

/// Saved games. Chunk files in them hold chunks that hold chunk files.
pub static SAVE: Profile = Profile {
    extensions: &["sav"],
    without: &[
        ONE_GAME,
        NO_FILES,
        STATES,
        NOTHING_LEFT,
        STORED_ONCE,
        ONE_STATE,
        ONE_FORM,
        Remark::new(
            &["export"],
            "no other program has a form for it: `show --json` tells its fields, `extract` writes its chunks",
        ),
        Remark::new(&["refs"], "nothing is known of references in saved games"),
        ONE_AT_A_TIME,
        Remark::new(
            &["lint"],
            "no rules are known for saved games: `verify` checks the file itself",
        ),
    ],
    limits: &[],
    comparison: CHUNKS,
    extraction: Extraction { is_nested: true, ..Extraction::PLAIN },
    is_shown_by_parts: true,
    headline: &[chunks::CHUNK_COUNT.name],
    schema: Some("save"),
    ..Profile::new("spellforce-save", "saves")
};

/// Archives.
pub static PAK: Profile = Profile {
    extensions: &["pak"],
    without: &[
        Remark::new(
            &["join"],
            "`extract` both into one folder and `pack` that; `overlay DIR` shows all archives of a game as one",
        ),
        Remark::new(&["subset"], "`extract FILE GLOB -C DIR`, then `pack DIR -o OUT.pak`"),
        Remark::new(
            &["set"],
            "the files of an archive have no fields: `replace` puts another file in the place of one",
        ),
        Remark::new(&["append"], "`add FILE file/PATH --from SOURCE` adds files"),
        NOTHING_LEFT,
        STORED_ONCE,
        ONE_STATE,
        ONE_FORM,
        Remark::new(&["export"], "`extract` writes its files as they are; `query --csv` its list"),
        Remark::new(
            &["import"],
            "`pack` makes an archive of files, `add` and `replace` put files into one",
        ),
        UNKNOWN_NEEDS,
    ],
    limits: &[],
    dialects: &[SPEC],
    comparison: Comparison {
        summary: NameFilter::Nowhere(&[
            members::ENTRY_COUNT.name,
            members::DATA_START.name,
            members::STORED.name,
            members::ROOT_INDEX.name,
            members::DATA_SIZE.name,
            members::FILE_SIZE.name,
            members::PADDING_SIZE.name,
            members::EVIDENCE.name,
        ]),
        ..COMPARISON
    },
    extraction: Extraction { listing_is_whole: true, parts_are_added: true, ..Extraction::PLAIN },
    is_shown_by_parts: true,
    headline: &[members::ENTRY_COUNT.name, members::DATA_SIZE.name],
    schema: Some("pak"),
    rules: Some(&PAK_RULES),
    ..Profile::new("spellforce-pak", "PAK")
};

/// The cache of archives. Its fields say where a file lies in its archive.
pub static PAKDATA: Profile = Profile {
    extensions: &["dat"],
    without: &[
        Remark::new(&["cat"], "the files are in the archives that it lists: `cat ARCHIVE PATH`"),
        Remark::new(
            &["extract"],
            "the files are in the archives that it lists: `extract ARCHIVE -C DIR`",
        ),
        Remark::new(
            &["merge"],
            "merge the archives, then `pack DIR -o pakdata.dat` lists what they hold",
        ),
        Remark::new(&["join"], "`pack DIR -o pakdata.dat` lists all archives of a folder"),
        Remark::new(
            &["subset"],
            "`pack DIR -o pakdata.dat` lists the archives of a folder with those that are wanted",
        ),
        LISTS,
        NOTHING_LEFT,
        STORED_ONCE,
        ONE_STATE,
        ONE_FORM,
        Remark::new(&["export"], "`query --csv` and `ls --json` write its list"),
        UNKNOWN_NEEDS,
        Remark::new(
            &["overlay"],
            "`overlay DIR` shows the archives themselves, `verify --against DIR` what the list has of them",
        ),
    ],
    limits: &[],
    dialects: &[SPEC],
    comparison: Comparison {
        listed: NameFilter::Only(&[paks::OFFSET.name]),
        summary: NameFilter::Nowhere(&[paks::PAK_COUNT.name, paks::ENTRY_COUNT.name]),
        ..COMPARISON
    },
    is_shown_by_parts: true,
    headline: &[paks::PAK_COUNT.name, paks::ENTRY_COUNT.name],
    schema: Some("pakdata"),
    rules: Some(&PAKDATA_RULES),
    ..Profile::new("spellforce-pakdata", "pakdata.dat")
};

/// Folders of archives.
pub static SET: Profile = Profile {
    without: &[],
    comparison: Comparison {
        summary: NameFilter::Nowhere(&[
            set::ARCHIVE_COUNT.name,
            set::LOOSE_COUNT.name,
            set::ENTRY_COUNT.name,
            set::PATH_COUNT.name,
            set::SHADOWED_COUNT.name,
            set::ARCHIVES.name,
            set::EVIDENCE.name,
        ]),
        ..COMPARISON
    },
    extraction: Extraction { listing_is_whole: true, ..Extraction::PLAIN },
    is_shown_by_parts: true,
    headline: &[set::ARCHIVE_COUNT.name, set::ENTRY_COUNT.name, set::PATH_COUNT.name],
    schema: Some("archives"),
    ..Profile::new("spellforce-set", "folders of archives")
};

static GAMEDATA_RULES: Rules = Rules {
    about: "GameData of SpellForce",
    rules: gamedata::lint::RULES,
    verified: Some(["", "GD999"]),
    is_lost: false,
};
/// The rules of maps of both games.
static ALL_MAP_RULES: [Rule; map::lint::RULES.len() + map2::lint::RULES.len()] =
    both(map::lint::RULES, map2::lint::RULES);

/// Two lists as one.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "const evaluation")]
const fn both<const N: usize>(first: &[Rule], second: &[Rule]) -> [Rule; N] {
    let mut all = [first[0]; N];
    let mut nth = 0;
    while nth < N {
        all[nth] = if nth < first.len() { first[nth] } else { second[nth - first.len()] };
        nth += 1;
    }
    all
}

static MAP_RULES: Rules = Rules {
    about: "Maps of SpellForce",
    rules: &ALL_MAP_RULES,
    verified: Some(["", "MP018"]),
    is_lost: false,
};
static PAK_RULES: Rules = Rules {
    about: "SpellForce archives",
    rules: pak::lint::RULES,
    verified: Some(["", "PK014"]),
    is_lost: false,
};
static PAKDATA_RULES: Rules =
    Rules { about: "pakdata.dat", rules: pakdata::lint::RULES, verified: None, is_lost: false };

/// Maps are named `*.map` as well, but so are far too many other files.
pub(crate) static CHUNK_FILES: [FileType; 1] = [FileType {
    mime: "application/x-spellforce-cff",
    name: "SpellForce chunk file (GameData, map or saved game)",
    format: GAMEDATA.name,
    globs: &["*.cff", "*.sav"],
    priority: 80,
    signatures: &[
        &[Test::Word(0, !0, MAGIC)],
        &[Test::Word(0, !0, MAGIC_2003)],
        &[Test::Word(0, !0, MAGIC_SPEC)],
    ],
}];

pub(crate) static ARCHIVE_FILES: [FileType; 1] = [FileType {
    mime: "application/x-spellforce-pak",
    name: "SpellForce archive",
    format: PAK.name,
    globs: &["*.pak"],
    priority: 80,
    signatures: &[&[Test::Bytes(4, pak::MAGIC_START)], &[Test::Bytes(0, pak::MAGIC_SPEC)]],
}];

/// File types of the cache, which has no magic: fewer archives than anyone has, and the name of the first.
pub(crate) static CACHE_FILES: [FileType; 1] = [FileType {
    mime: "application/x-spellforce-pakdata",
    name: "index of SpellForce archives",
    format: PAKDATA.name,
    globs: &["pakdata.dat"],
    priority: 30,
    signatures: &[
        &[Test::Word(0, !0xfff, 0), Test::Within(5, 64, b".pak")],
        &[Test::Word(0, !0xfff, 0), Test::Within(5, 64, b".PAK")],
    ],
}];

pub(crate) static FAMILIES: [CodeFamily; 3] = [
    CodeFamily {
        about: "chunk files, archives and caches of SpellForce",
        page: "docs/codes/spellforce.md",
        lists: &[&codes::CODES],
    },
    CodeFamily {
        about: "GameData of SpellForce",
        page: "docs/codes/gamedata.md",
        lists: &[&gamedata::codes::CODES, &gamedata::lint::codes::CODES],
    },
    CodeFamily {
        about: "maps of SpellForce",
        page: "docs/codes/maps.md",
        lists: &[
            &map::lint::codes::CODES,
            &map::codes::CODES,
            &map2::lint::codes::CODES,
            &map2::codes::CODES,
        ],
    },
];
