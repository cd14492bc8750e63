//! Assets and bulk chunks as they are listed and shown.

use crate::{
    chunk::{Chunk, HEADER_SIZE},
    compression::Compression,
    index::{BulkEntry, Dependency, IndexEntry},
    lookup::Ids,
    pack::Pack,
    paths::{self, Id, PathText, Repeats},
};
use spelunk_core::{
    Budget, Described, Entry, Field, Group, Record, Task, Ty, Val, Walk, Walked,
    scalar::{Hash128, Uuid},
    text::CodePages,
};
use std::{borrow::Cow, cell::RefCell, ops::Range};
use zerocopy::IntoBytes;

const ENTRY: &str = "docs/formats/snpak.md#42-index-entry";
const BULK: &str = "docs/formats/snpak.md#43-bulk-entry";
const DEPENDENCIES: &str = "docs/formats/snpak.md#44-dependencies";

static INDEX: Field = Field::new("index", Ty::U32, "Position of the asset in the active index.");
static ASSET_ID: Field = Field::new("asset_id", Ty::Uuid, "The asset's key.");
static KIND: Field = Field::new("kind", Ty::Uuid, "Which loader the asset is for.");
static PAYLOAD_TYPE: Field = Field::new("payload_type", Ty::Uuid, "Type of the main payload.");
static SCHEMA_VERSION: Field =
    Field::new("schema_version", Ty::U32, "Version of the payload's own format.");
static NAME: Field = Field::new("name", Ty::Text, "Name of the asset.");
static VARIANT: Field = Field::new("variant", Ty::Text, "Variant of the asset, where it has one.");
static STORED_SIZE: Field = Field {
    unit: "bytes",
    ..Field::new("stored_size", Ty::U64, "Stored size of the payload, without the chunk's header.")
};
static SIZE: Field =
    Field { unit: "bytes", ..Field::new("size", Ty::U64, "Plain size of the payload.") };
static COMPRESSION: Field = Field::new("compression", Ty::Str, "How the payload is stored.");
static LEVEL: Field = Field::new("level", Ty::U8, "The level byte with which it was packed.")
    .values(crate::compression::LEVELS);
static HASH: Field = Field::new("hash", Ty::Hash128, "XXH3-128 of the plain payload.");
static FLAGS: Field = Field::new("flags", Ty::U8, "Flags of the entry; 1: it has bulk entries.");
static SHADOWED: Field =
    Field::new("shadowed", Ty::Bool, "Whether a later entry has the same asset id.");
static SEMANTIC: Field =
    Field::new("semantic", Ty::U32, "What the bulk chunk is for; 0x10000 and above are custom.")
        .values(&[(0, "unknown"), (1, "level"), (2, "auxiliary")]);
static SUB_INDEX: Field =
    Field::new("sub_index", Ty::U32, "Level or number within the semantic; level 0 is the finest.");
static DEPENDENCY_KIND: Field = Field::new("kind", Ty::U8, "How much the asset is needed.")
    .values(&[(0, "required"), (1, "optional"), (2, "auxiliary")]);
/// The asset that another one needs.
pub(crate) static NEEDED: Field = Field::new("asset_id", Ty::Uuid, "The asset that is needed.");
static NEEDED_NAME: Field =
    Field::new("name", Ty::Text, "Name of the asset that is needed, where it is known.");

static BULK_ROWS: Record = Record::group("bulk", BULK, "The bulk chunks of an asset.");
static DEPENDENCY_ROWS: Record =
    Record::group("dependencies", DEPENDENCIES, "What an asset needs.");
static STRINGS: Record = Record::group("strings", ENTRY, "Name and variant of an asset.");

/// Hands assets and bulk chunks to a callback; the texts are made in buffers that are used again.
pub(crate) struct Lister<'p> {
    pack: &'p Pack,
    ids: &'p Ids,
    pages: &'p CodePages,
    path: PathText,
    /// The kind of the last asset, and its text: neighbours often share it.
    kind: (Option<Uuid>, String),
}

impl<'p> Lister<'p> {
    pub(crate) fn new(pack: &'p Pack, ids: &'p Ids, pages: &'p CodePages) -> Lister<'p> {
        Lister { pack, ids, pages, path: PathText::default(), kind: (None, String::new()) }
    }

    /// Hands out the asset at `row`, if there is one.
    pub(crate) fn asset(
        &mut self,
        row: usize,
        budget: &mut Budget,
        each: &mut dyn FnMut(&Entry<'_>) -> Walked,
    ) -> Walked {
        let pack = self.pack;
        let Some(entry) = pack.entry(row) else { return Ok(()) };
        let path = self.path.set(pack, row, self.pages, budget)?;
        if self.kind.0 != Some(entry.asset_kind) {
            self.kind = (Some(entry.asset_kind), Val::Uuid(entry.asset_kind.0).to_string());
        }
        // Details are made when they are asked for, and charged then.
        let budget = RefCell::new(budget);
        let shadowed = self.ids.is_shadowed(row);
        let details = |walk: &mut dyn Walk| -> Walked {
            asset_details(pack, row, entry, shadowed, &budget, walk)
        };
        each(&Entry {
            node: Id::asset(row).node(),
            path,
            kind: &self.kind.1,
            name: pack.name(entry),
            size: entry.payload_chunk_size_uncompressed.get(),
            stored_size: Some(without_header(entry.payload_chunk_size_compressed.get())),
            details: &details,
        })
    }

    /// Hands out the bulk chunks of an asset, from `range` of their positions.
    pub(crate) fn bulk(
        &mut self,
        row: usize,
        range: Range<usize>,
        budget: &mut Budget,
        each: &mut dyn FnMut(&Entry<'_>) -> Walked,
    ) -> Walked {
        let Some(entry) = self.pack.entry(row) else { return Ok(()) };
        let all = self.pack.bulk(entry);
        let repeats = Repeats::new(all, budget)?;
        let path = self.path.set(self.pack, row, self.pages, budget)?;
        let asset = path.len();
        let listed = all.get(range.clone()).unwrap_or_default();
        for (nth, bulk) in range.zip(listed) {
            // The path of the asset is copied or looked at for each of them.
            budget.touch(asset as u64)?;
            path.truncate(asset);
            paths::push_bulk(bulk, nth, &repeats, path);
            Lister::bulk_entry(row, nth, bulk, path, each)?;
        }
        Ok(())
    }

    fn bulk_entry(
        row: usize,
        nth: usize,
        bulk: &BulkEntry,
        path: &str,
        each: &mut dyn FnMut(&Entry<'_>) -> Walked,
    ) -> Walked {
        let semantic = SEMANTIC.meaning(&Val::U(bulk.semantic.get().into())).unwrap_or("custom");
        each(&Entry {
            node: Id::bulk(row, nth).node(),
            path,
            kind: semantic,
            name: None,
            size: bulk.size_uncompressed.get(),
            stored_size: Some(without_header(bulk.size_compressed.get())),
            details: &|walk: &mut dyn Walk| -> Walked {
                walk.field(&SEMANTIC, None, bulk.semantic.get().into())?;
                walk.field(&SUB_INDEX, None, bulk.sub_index.get().into())?;
                stored(bulk.size_compressed.get(), bulk.compression, walk)?;
                walk.field(&LEVEL, None, u32::from(bulk.level).into())?;
                walk.field(&HASH, None, hash(bulk.hash))
            },
        })
    }
}

/// The row of an asset, all but path and size. Entries may share bulk entries and dependencies, so each
/// of them is charged.
fn asset_details(
    pack: &Pack,
    row: usize,
    entry: &IndexEntry,
    shadowed: bool,
    budget: &RefCell<&mut Budget>,
    walk: &mut dyn Walk,
) -> Walked {
    let string =
        |string: Option<&[u8]>| budget.borrow_mut().touch(string.map_or(0, <[u8]>::len) as u64);
    let [level, _] = entry.level.get().to_le_bytes();
    walk.field(&INDEX, None, row.into())?;
    walk.field(&ASSET_ID, None, Val::Uuid(entry.asset_id.0))?;
    walk.field(&KIND, None, Val::Uuid(entry.asset_kind.0))?;
    walk.field(&PAYLOAD_TYPE, None, Val::Uuid(entry.cooked_payload_type.0))?;
    walk.field(&SCHEMA_VERSION, None, entry.cooked_schema_version.get().into())?;
    string(pack.name(entry))?;
    walk.field(&NAME, None, text(pack.name(entry)))?;
    string(pack.variant(entry))?;
    walk.field(&VARIANT, None, text(pack.variant(entry)))?;
    stored(entry.payload_chunk_size_compressed.get(), entry.compression, walk)?;
    walk.field(&LEVEL, None, u32::from(level).into())?;
    walk.field(&HASH, None, hash(entry.payload_hash))?;
    walk.field(&FLAGS, None, u32::from(entry.flags).into())?;
    walk.field(&SHADOWED, None, shadowed.into())?;
    walk.group(&Group::list("bulk", &BULK_ROWS, None), |walk| {
        for (nth, bulk) in pack.bulk(entry).iter().enumerate() {
            budget.borrow_mut().steps(1)?;
            walk.group(&Group::item(nth, &BULK_ROWS, None), |walk| bulk_details(bulk, walk))?;
        }
        Ok(())
    })?;
    walk.group(&Group::list("dependencies", &DEPENDENCY_ROWS, None), |walk| {
        for (nth, needs) in pack.dependencies(row).iter().enumerate() {
            budget.borrow_mut().steps(1)?;
            walk.group(&Group::item(nth, &DEPENDENCY_ROWS, None), |walk| {
                walk.field(&NEEDED, None, Val::Uuid(needs.asset_id.0))?;
                let name = pack.strings().get(needs.name_string_id.get());
                string(name)?;
                walk.field(&NEEDED_NAME, None, text(name))?;
                walk.field(&DEPENDENCY_KIND, None, u32::from(needs.kind).into())
            })?;
        }
        Ok(())
    })
}

/// A bulk chunk as part of its asset's row.
fn bulk_details(bulk: &BulkEntry, walk: &mut dyn Walk) -> Walked {
    walk.field(&SEMANTIC, None, bulk.semantic.get().into())?;
    walk.field(&SUB_INDEX, None, bulk.sub_index.get().into())?;
    walk.field(&SIZE, None, bulk.size_uncompressed.get().into())?;
    stored(bulk.size_compressed.get(), bulk.compression, walk)?;
    walk.field(&HASH, None, hash(bulk.hash))
}

fn stored(size: u64, compression: u8, walk: &mut dyn Walk) -> Walked {
    walk.field(&STORED_SIZE, None, without_header(size).into())?;
    walk.field(&COMPRESSION, None, Compression(compression).name().into())
}

/// A chunk's stored size without its header. Sizes below 80 are damaged and count as nothing stored.
const fn without_header(size: u64) -> u64 {
    size.saturating_sub(HEADER_SIZE)
}

fn text(bytes: Option<&[u8]>) -> Val<'_> {
    bytes.map_or(Val::None, |bytes| Val::Text(Cow::Borrowed(bytes)))
}

fn hash(hash: Hash128) -> Val<'static> {
    Val::Hash(hash.high.get(), hash.low.get())
}

/// Walks everything that is known of an asset: its entry, its strings, its chunk, its bulk entries with
/// their chunks and its dependencies.
pub(crate) fn show_asset(
    pack: &Pack,
    row: usize,
    entry: &IndexEntry,
    task: &mut Task<'_>,
    walk: &mut dyn Walk,
) -> Walked {
    let index = pack.index();
    walk.record("entry", entry, index.place(0, row))?;
    walk.group(&Group::record("strings", &STRINGS, None), |walk| {
        walk.field(&NAME, None, text(pack.name(entry)))?;
        walk.field(&VARIANT, None, text(pack.variant(entry)))
    })?;
    show_chunk(pack, entry.payload_chunk_offset.get(), task, walk)?;
    let bulk_rows = pack.bulk_rows(entry);
    walk.group(&Group::list("bulk", BulkEntry::RECORD, None), |walk| {
        for (nth, (bulk_row, bulk)) in bulk_rows.clone().zip(pack.bulk(entry)).enumerate() {
            task.budget.steps(1)?;
            let place = index.place(1, bulk_row);
            walk.group(&Group::item(nth, BulkEntry::RECORD, Some(place)), |walk| {
                BulkEntry::RECORD.walk(bulk.as_bytes(), place, walk)
            })?;
        }
        Ok(())
    })?;
    walk.group(&Group::list("dependencies", Dependency::RECORD, None), |walk| {
        for (nth, position) in index.dependency_range(row).enumerate() {
            task.budget.steps(1)?;
            let Some(needs) = index.dependencies().get(position) else { return Ok(()) };
            let place = index.place(3, position);
            walk.group(&Group::item(nth, Dependency::RECORD, Some(place)), |walk| {
                Dependency::RECORD.walk(needs.as_bytes(), place, walk)?;
                let name = pack.strings().get(needs.name_string_id.get());
                task.budget.touch(name.map_or(0, <[u8]>::len) as u64)?;
                walk.field(&NEEDED_NAME, None, text(name))
            })?;
        }
        Ok(())
    })
}

/// Walks a bulk entry and its chunk.
pub(crate) fn show_bulk(
    pack: &Pack,
    bulk: &BulkEntry,
    bulk_row: usize,
    task: &mut Task<'_>,
    walk: &mut dyn Walk,
) -> Walked {
    walk.record("entry", bulk, pack.index().place(1, bulk_row))?;
    show_chunk(pack, bulk.chunk_offset.get(), task, walk)
}

fn show_chunk(pack: &Pack, offset: u64, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
    let chunk = Chunk::read(pack.source(), offset, pack.header().file_size.get(), task)?;
    walk.record("chunk", &chunk.header, chunk.at)
}
