//! Facts about Virtools files that tools need.

use crate::{
    codes, entries,
    file::{
        data::walk::{MANAGERS, RECORDS},
        header::{NEMO, SIGNATURE},
        included, plugins,
        table::{self, OBJECTS, ObjectHead},
    },
    info, lint,
};
use spelunk_core::{
    Described, Profile,
    lint::Rules,
    profile::{
        Aspect, CodeFamily, Comparison, Extraction, Keys, NameFilter, ONE_STATE, Remark,
        STORED_ONCE,
    },
    signature::{FileType, Test},
};

/// Virtools files.
pub static PROFILE: Profile = Profile {
    extensions: &["nmo", "cmo", "vmo", "nms"],
    without: &[
        Remark::new(
            &["append"],
            "`add` makes objects, `import --into` and `join` take them from other files",
        ),
        Remark::new(
            &["compact"],
            "edits leave nothing behind; `lint --fix --remove-unused` removes what nothing uses, `rewrite --level 9` packs tighter",
        ),
        STORED_ONCE,
        ONE_STATE,
        Remark::new(&["overlay"], "games load files one by one: `join` unites several"),
    ],
    limits: &[Remark::new(
        &["add", "rm"],
        "below FileVersion 7 class and name of an object are in its chunk: objects come and go as in newer files, but \
         none without a chunk can be added",
    )],
    comparison: COMPARISON,
    extraction: Extraction {
        included: Some(entries::INCLUDED),
        lacks_skeleton: true,
        ..Extraction::PLAIN
    },
    aspects: &[Aspect::Scene, Aspect::Textures, Aspect::Arrays, Aspect::Scripts, Aspect::Included],
    listed_in_sections: &[OBJECTS.name, MANAGERS.name, RECORDS.name],
    headline: &[
        info::PRODUCT.name,
        info::KIND.name,
        info::OBJECT_COUNT.name,
        info::MANAGER_COUNT.name,
    ],
    schema: Some("virtools"),
    rules: Some(&RULES),
    no_field: Some(&codes::NO_FIELD),
    ..Profile::new("virtools", "Virtools")
};

/// Class, names and positions identify an object; `entry` is the row of the object table. The id is counted.
const COMPARISON: Comparison = Comparison {
    walked: Some(NameFilter::Not(&[
        entries::CLASS.name,
        ObjectHead::RECORD.name,
        plugins::CATEGORY.name,
        plugins::GUID_COUNT.name,
        included::NAME_LENGTH.name,
        included::NAME.name,
        included::FILE_SIZE.name,
        info::SIZE.name,
    ])),
    summary: NameFilter::Nowhere(&[
        info::PRODUCT.name,
        info::KIND.name,
        info::OBJECT_COUNT.name,
        info::MANAGER_COUNT.name,
        info::MAX_ID.name,
        info::STORED.name,
        info::STORED_SIZE.name,
        info::UNPACKED_SIZE.name,
        info::TAIL_SIZE.name,
        info::CLASSES.name,
        info::PLUGINS.name,
        info::INCLUDED.name,
        table::INCLUDED.name,
        info::EVIDENCE.name,
    ]),
    has_more: true,
    keys: Keys { number: Some(&table::ID), ..Keys::NONE },
    ..Comparison::BYTES
};

static RULES: Rules = Rules {
    about: "Virtools files",
    rules: lint::RULES,
    verified: Some(["VT165", "VT169"]),
    is_lost: true,
};

/// File types by which other programs recognise them. Files with the first half of the signature alone are of a FileVersion that
/// exists: 0 to 7, 8 and 9.
pub(crate) static FILE_TYPES: [FileType; 1] = [FileType {
    mime: "application/x-virtools",
    name: "Virtools file",
    format: PROFILE.name,
    globs: &["*.nmo", "*.cmo", "*.vmo", "*.nms"],
    priority: 80,
    signatures: &[
        &[Test::Bytes(0, &SIGNATURE)],
        &[Test::Bytes(0, &NEMO), Test::Word(16, !7, 0)],
        &[Test::Bytes(0, &NEMO), Test::Word(16, !1, 8)],
    ],
}];

pub(crate) static FAMILIES: [CodeFamily; 1] = [CodeFamily {
    about: "Virtools files",
    page: "docs/codes/virtools.md",
    lists: &[&codes::CODES, &lint::codes::CODES],
}];
