//! The profile of SnPAK packs, for tools.

use crate::{
    codes,
    header::MAGIC,
    lint,
    listing::{self, DEPENDENCY_ROWS},
    summary,
};
use spelunk_core::{
    Profile,
    lint::Rules,
    profile::{
        Aspect, CodeFamily, Comparison, Extraction, Hidden, Keys, NameFilter, ONE_FORM, Remark,
    },
    signature::{FileType, Test},
};

/// SnPAK packs.
pub static PROFILE: Profile = Profile {
    extensions: &["snpak"],
    without: &[
        Remark::new(
            &["join"],
            "`append FILE DIR` adds what was extracted of another pack, `merge` unites what two sides made of one, \
             `overlay` shows several as a game mounts them",
        ),
        ONE_FORM,
        Remark::new(
            &["import"],
            "`pack` makes a pack of files, `append` and `replace` put files into one",
        ),
    ],
    limits: &[],
    comparison: COMPARISON,
    extraction: Extraction {
        listing_is_whole: true,
        has_hashes: true,
        parts_are_added: true,
        lacks_skeleton: true,
        ..Extraction::PLAIN
    },
    aspects: &[Aspect::Textures],
    headline: &[
        summary::GENERATION.name,
        summary::ASSET_COUNT.name,
        summary::BULK_COUNT.name,
        summary::INDEX_CHAIN.name,
    ],
    schema: Some("snpak"),
    rules: Some(&RULES),
    ..Profile::new("snpak", "SnPAK")
};

/// Assets go by their ids, bulk chunks, which are entries of their own, by their asset. Hashes and sizes follow from the
/// payload. How a pack came to its current state is no part of it: the chain of its indexes, the flag that an append sets, and
/// bytes that nothing uses are others after an append and after compacting, and whoever reads the assets sees no difference.
const COMPARISON: Comparison = Comparison {
    listed: NameFilter::Only(&[
        listing::ASSET_ID.name,
        listing::KIND.name,
        listing::PAYLOAD_TYPE.name,
        listing::SCHEMA_VERSION.name,
        listing::COMPRESSION.name,
        listing::LEVEL.name,
        listing::FLAGS.name,
        DEPENDENCY_ROWS.name,
    ]),
    summary: NameFilter::Nowhere(&[
        summary::GENERATION.name,
        summary::GENERATIONS.name,
        summary::INDEX_CHAIN.name,
        summary::FLAGS.name,
        summary::TRAILING_SIZE.name,
        summary::VIEW.name,
        summary::ASSET_COUNT.name,
        summary::BULK_COUNT.name,
        summary::STRING_COUNT.name,
        summary::COMPRESSION.name,
        summary::KINDS.name,
        summary::STORED_SIZE.name,
        summary::UNPACKED_SIZE.name,
        summary::WASTED_SIZE.name,
        summary::OWNER_COUNT.name,
        summary::DEPENDENCY_COUNT.name,
    ]),
    has_below: true,
    keys: Keys {
        id: Some(Hidden { id: &listing::ASSET_ID, is_hidden: &listing::SHADOWED }),
        part: Some([&listing::SEMANTIC, &listing::SUB_INDEX]),
        ..Keys::NONE
    },
    ..Comparison::BYTES
};

static RULES: Rules =
    Rules { about: "SnPAK packs", rules: lint::RULES, verified: None, is_lost: false };

pub(crate) static FILE_TYPES: [FileType; 1] = [FileType {
    mime: "application/x-snpak",
    name: "SnPAK asset pack",
    format: PROFILE.name,
    globs: &["*.snpak"],
    priority: 80,
    signatures: &[&[Test::Bytes(0, &MAGIC)]],
}];

pub(crate) static FAMILIES: [CodeFamily; 1] = [CodeFamily {
    about: "SnPAK packs",
    page: "docs/codes/snpak.md",
    lists: &[&codes::CODES, &lint::codes::CODES],
}];
