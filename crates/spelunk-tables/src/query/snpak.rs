//! The tables of SnPAK packs.

use super::{
    out::RowSink,
    table::{Fill, From, RowSource, Table, integer, text},
};
use crate::column::Column;
use snpak::{
    index::{BulkEntry, Dependency, IndexEntry},
    layout::{Layout, PackBlockKind},
    profile::PROFILE,
};
use spelunk_core::{Described, Field, Result, Task};
use spelunk_open::Model;

/// The schema of these tables.
pub(super) const SNPAK: &str = PROFILE.schema_name();
const ONLY: &[&str] = &[SNPAK];

static SCHEMA_VERSION: Field = IndexEntry::RECORD.field("cooked_schema_version");
static FLAGS: Field = IndexEntry::RECORD.field("flags");
static SEMANTIC: Field = BulkEntry::RECORD.field("semantic");
static SUB_INDEX: Field = BulkEntry::RECORD.field("sub_index");
static NEED: Field = Dependency::RECORD.field("kind");

const STORED_SIZE: Column = integer("stored_size", "Size as it is stored.").unit("bytes");
const SIZE: Column = integer("size", "Plain size.").unit("bytes");
const COMPRESSION: Column = text("compression", "How it is packed: `none`, `lz4`, `zstd`.");
const LEVEL: Column = integer("level", "The level at which it was packed.");
const HASH: Column = text("hash", "Hash of the plain bytes: 32 digits, the high half first.");
const ASSET: Column = text("asset", "Path of the asset.").listed_as("path");

pub(super) static TABLES: &[Table] = &[
    Table::new(
        ONLY,
        "assets",
        "The assets of the index, payload included.",
        &[
            integer("position", "Position of the asset in the index.").listed_as("index"),
            text("path", "Path of the asset: its name, `name@variant` where it has a variant.")
                .entry(""),
            text("asset_id", "Its id.").sets("asset_id"),
            text("kind", "Id of its kind.").sets("kind"),
            text("kind_name", "Name of its kind, where it is known."),
            text("payload_type", "Id of the type of its payload.").sets("payload_type"),
            text("payload_type_name", "Name of that type, where it is known."),
            integer("schema_version", SCHEMA_VERSION.doc).sets("schema_version"),
            text("name", "Its name.").sets("name"),
            text("variant", "Its variant, where it has one.").sets("variant"),
            SIZE,
            STORED_SIZE,
            COMPRESSION.sets("compression"),
            LEVEL.sets("level"),
            HASH,
            integer("flags", FLAGS.doc),
            integer("shadowed", "Whether a later entry has the same asset id."),
        ],
        Fill::Listing(From::Listing),
    ),
    Table::new(
        ONLY,
        "bulk",
        "The bulk chunks of assets, such as the mip levels of textures.",
        &[
            ASSET,
            integer("semantic", SEMANTIC.doc),
            integer("sub_index", SUB_INDEX.doc),
            SIZE,
            STORED_SIZE,
            COMPRESSION,
            LEVEL,
            HASH,
        ],
        Fill::Lists("bulk"),
    ),
    Table::new(
        ONLY,
        "dependencies",
        "What assets need: `asset_id` is that of the asset that is needed.",
        &[
            ASSET,
            text("asset_id", "Id of the asset that is needed."),
            text("name", "Name of that asset, where it is stored."),
            integer("kind", NEED.doc),
        ],
        Fill::Lists("dependencies"),
    ),
    Table::new(
        ONLY,
        "generations",
        "The states that the pack went through.",
        &[
            integer("generation", "Number of the state, counted from 1, the oldest."),
            integer("assets", "Number of assets."),
            integer("bulk", "Number of bulk chunks."),
            integer("offset", "Where its index starts in the file.").unit("bytes"),
            integer("size", "Size of its index.").unit("bytes"),
        ],
        Fill::Rows(generations),
    ),
    Table::new(
        ONLY,
        "blocks",
        "What the file consists of, in the order of the bytes.",
        &[
            integer("offset", "Where it starts.").unit("bytes"),
            integer("size", "How long it is.").unit("bytes"),
            text(
                "kind",
                "`header`, `strings`, `index`, `chunk`, `gap` (bytes that nothing names) or `tail`.",
            ),
        ],
        Fill::Rows(blocks),
    ),
];

fn generations(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    let Model::Pack(pack) = Model::of(source.container) else { return Ok(()) };
    task.transient(|task| {
        pack.generations(task)?.iter().try_for_each(|generation| {
            out.row(&[
                generation.number.into(),
                generation.assets.into(),
                generation.bulk.into(),
                generation.at.start.into(),
                generation.at.len.into(),
            ])
        })
    })
}

fn blocks(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    let Model::Pack(pack) = Model::of(source.container) else { return Ok(()) };
    task.transient(|task| {
        Layout::new(pack, task)?.blocks.iter().try_for_each(|block| {
            let kind = match block.part {
                PackBlockKind::Header => "header",
                PackBlockKind::Extension => "header extension",
                PackBlockKind::Strings(_) => "strings",
                PackBlockKind::Index(_) => "index",
                PackBlockKind::Chunk => "chunk",
                PackBlockKind::Gap => "gap",
                PackBlockKind::Tail => "tail",
            };
            out.row(&[block.start.into(), block.len.into(), kind.into()])
        })
    })
}
