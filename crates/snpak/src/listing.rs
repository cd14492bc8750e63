//! Assets and bulk chunks as they are listed and shown.

use crate::{
    chunk::{ChunkHeader, HEADER_SIZE},
    compression::Compression,
    index::{BulkEntry, Dependency, IndexEntry},
    lookup::AssetIdIndex,
    pack::Pack,
    paths::{self, Id, PathText, Repeats},
    texture,
};
use spelunk_core::{
    Described, Each, Entry, Field, Group, Record, Task, Ty, Val, Walk, Walked,
    scalar::{Hash128, Uuid},
    text::CodePages,
};
use std::{borrow::Cow, ops::Range};
use zerocopy::IntoBytes;

const ENTRY: &str = "docs/formats/snpak.md#42-index-entry";
const BULK: &str = "docs/formats/snpak.md#43-bulk-entry";
const TYPE_PAGE: &str = "docs/formats/snpak.md#11-known-types";
const DEPENDENCIES: &str = "docs/formats/snpak.md#44-dependencies";

static INDEX: Field = Field::new("index", Ty::U32, "Position of the asset in the active index.");
pub(crate) static ASSET_ID: Field = IndexEntry::RECORD.field("asset_id");
pub(crate) static KIND: Field = IndexEntry::RECORD.field("asset_kind").named("kind");
pub(crate) static PAYLOAD_TYPE: Field =
    IndexEntry::RECORD.field("cooked_payload_type").named("payload_type");
static KIND_NAME: Field = Field::new("kind_name", Ty::Str, "Name of the kind, where it is known.");
static PAYLOAD_TYPE_NAME: Field =
    Field::new("payload_type_name", Ty::Str, "Name of the payload type, where it is known.");
pub(crate) static SCHEMA_VERSION: Field =
    IndexEntry::RECORD.field("cooked_schema_version").named("schema_version");
static NAME: Field = Field::new("name", Ty::Text, "Name of the asset.");
static VARIANT: Field = Field::new("variant", Ty::Text, "Variant of the asset, where it has one.");
static STORED_SIZE: Field = ChunkHeader::RECORD.field("size_compressed").named("stored_size");
static SIZE: Field = BulkEntry::RECORD.field("size_uncompressed").named("size");
/// Listings show the name of the id.
pub(crate) static COMPRESSION: Field =
    Field { ty: Ty::Str, values: &[], ..IndexEntry::RECORD.field("compression") };
pub(crate) static LEVEL: Field = BulkEntry::RECORD.field("level");
static HASH: Field = IndexEntry::RECORD.field("payload_hash").named("hash");
pub(crate) static FLAGS: Field = IndexEntry::RECORD.field("flags");
pub(crate) static SHADOWED: Field =
    Field::new("shadowed", Ty::Bool, "Whether a later entry has the same asset id.");
pub(crate) static SEMANTIC: Field = BulkEntry::RECORD.field("semantic");
pub(crate) static SUB_INDEX: Field = BulkEntry::RECORD.field("sub_index");
static DEPENDENCY_KIND: Field = Dependency::RECORD.field("kind");
/// The asset that another one needs.
pub(crate) static NEEDED: Field = Dependency::RECORD.field("asset_id");
static NEEDED_NAME: Field =
    Field::new("name", Ty::Text, "Name of the asset that is needed, where it is known.");

static BULK_ROWS: Record = Record::group("bulk", BULK, "The bulk chunks of an asset.");
pub(crate) static DEPENDENCY_ROWS: Record =
    Record::group("dependencies", DEPENDENCIES, "What an asset needs.");
static TYPES: Record =
    Record::group("types", TYPE_PAGE, "Names of the kind and the payload type of an asset.");
static STRINGS: Record = Record::group("strings", ENTRY, "Name and variant of an asset.");

/// Hands assets and bulk chunks to a callback; the texts are made in buffers that are used again.
pub(crate) struct Lister<'p> {
    pack: &'p Pack,
    ids: &'p AssetIdIndex,
    pages: &'p CodePages,
    path: PathText,
    /// The kind of the last asset, and its text: neighbours often share it.
    kind: (Option<Uuid>, String),
}

impl<'p> Lister<'p> {
    /// Runs `work` with a lister. Its buffers are given back to the budget; what the callback takes stays
    /// charged.
    pub(crate) fn with(
        pack: &'p Pack,
        ids: &'p AssetIdIndex,
        pages: &'p CodePages,
        task: &mut Task<'_>,
        work: impl FnOnce(&mut Lister<'p>, &mut Task<'_>) -> Walked,
    ) -> Walked {
        let (path, kind) = (PathText::default(), (None, String::new()));
        let mut lister = Lister { pack, ids, pages, path, kind };
        let result = work(&mut lister, task);
        lister.path.release(&mut task.budget);
        result
    }

    /// Hands out the asset at `row`, if there is one.
    pub(crate) fn asset(&mut self, row: usize, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let pack = self.pack;
        let Some(entry) = pack.entry(row) else { return Ok(()) };
        let path = self.path.set(pack, self.ids, row, self.pages, &mut task.budget)?;
        if self.kind.0 != Some(entry.asset_kind) {
            self.kind = (Some(entry.asset_kind), type_text(pack, entry.asset_kind));
        }
        let shadowed = self.ids.is_shadowed(row);
        let entry = Entry {
            node: Id::asset(row).node(),
            path,
            kind: &self.kind.1,
            name: pack.name(entry),
            size: entry.payload_chunk_size_uncompressed.get(),
            label: None,
            stored_size: Some(without_header(entry.payload_chunk_size_compressed.get())),
            details: &|task: &mut Task<'_>, walk: &mut dyn Walk| -> Walked {
                asset_details(pack, row, entry, shadowed, task, walk)
            },
        };
        each(&entry, task)
    }

    /// Hands out the bulk chunks of an asset, from `range` of their positions.
    pub(crate) fn bulk(
        &mut self,
        row: usize,
        range: Range<usize>,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        let Some(entry) = self.pack.entry(row) else { return Ok(()) };
        let all = self.pack.bulk(entry);
        if range.is_empty() {
            return Ok(());
        }
        let path = self.path.set(self.pack, self.ids, row, self.pages, &mut task.budget)?;
        let asset = path.len();
        let listed = all.get(range.clone()).unwrap_or_default();
        let repeats = Repeats::new(all, &mut task.budget)?;
        let result = range.zip(listed).try_for_each(|(nth, bulk)| {
            // The path of the asset is copied or looked at for each of them.
            task.budget.touch(asset as u64)?;
            path.truncate(asset);
            paths::push_bulk(bulk, nth, &repeats, path);
            Lister::bulk_entry(row, nth, bulk, path, task, each)
        });
        repeats.release(&mut task.budget);
        result
    }

    fn bulk_entry(
        row: usize,
        nth: usize,
        bulk: &BulkEntry,
        path: &str,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        let semantic = SEMANTIC.meaning(&Val::U(bulk.semantic.get().into()));
        let entry = Entry {
            node: Id::bulk(row, nth).node(),
            path,
            kind: semantic.as_deref().unwrap_or("custom"),
            name: None,
            size: bulk.size_uncompressed.get(),
            label: None,
            stored_size: Some(without_header(bulk.size_compressed.get())),
            details: &|_: &mut Task<'_>, walk: &mut dyn Walk| -> Walked {
                bulk_details(bulk, walk)
            },
        };
        each(&entry, task)
    }
}

/// The row of an asset, all but path and size. Entries may share bulk entries and dependencies, so each
/// of them is charged.
fn asset_details(
    pack: &Pack,
    row: usize,
    entry: &IndexEntry,
    shadowed: bool,
    task: &mut Task<'_>,
    walk: &mut dyn Walk,
) -> Walked {
    let [level, _] = entry.level_bytes();
    walk.field(&INDEX, None, row.into())?;
    walk.field(&ASSET_ID, None, Val::Uuid(entry.asset_id.0))?;
    walk.field(&KIND, None, Val::Uuid(entry.asset_kind.0))?;
    type_name(&KIND_NAME, pack, entry.asset_kind, walk)?;
    walk.field(&PAYLOAD_TYPE, None, Val::Uuid(entry.cooked_payload_type.0))?;
    type_name(&PAYLOAD_TYPE_NAME, pack, entry.cooked_payload_type, walk)?;
    walk.field(&SCHEMA_VERSION, None, entry.cooked_schema_version.get().into())?;
    string(&NAME, pack.name(entry), task, walk)?;
    string(&VARIANT, pack.variant(entry), task, walk)?;
    let size = entry.payload_chunk_size_compressed.get();
    stored(size, entry.compression, level, entry.payload_hash, walk)?;
    walk.field(&FLAGS, None, u32::from(entry.flags).into())?;
    walk.field(&SHADOWED, None, shadowed.into())?;
    walk.group(&Group::list("bulk", &BULK_ROWS, None), |walk| {
        for (nth, bulk) in pack.bulk(entry).iter().enumerate() {
            task.budget.steps(1)?;
            walk.group(&Group::item(nth, &BULK_ROWS, None), |walk| bulk_details(bulk, walk))?;
        }
        Ok(())
    })?;
    let range = pack.index().dependency_range(row);
    let at = pack.index().places(3, range);
    walk.group(&Group::list("dependencies", &DEPENDENCY_ROWS, at), |walk| {
        for (nth, needs) in pack.dependencies(row).iter().enumerate() {
            task.budget.steps(1)?;
            walk.group(&Group::item(nth, &DEPENDENCY_ROWS, None), |walk| {
                walk.field(&NEEDED, None, Val::Uuid(needs.asset_id.0))?;
                let name = pack.strings().get(needs.name_string_id.get());
                string(&NEEDED_NAME, name, task, walk)?;
                walk.field(&DEPENDENCY_KIND, None, u32::from(needs.kind).into())
            })?;
        }
        Ok(())
    })
}

/// The row of a bulk chunk, on its own and as part of its asset's.
fn bulk_details(bulk: &BulkEntry, walk: &mut dyn Walk) -> Walked {
    walk.field(&SEMANTIC, None, bulk.semantic.get().into())?;
    walk.field(&SUB_INDEX, None, bulk.sub_index.get().into())?;
    walk.field(&SIZE, None, bulk.size_uncompressed.get().into())?;
    stored(bulk.size_compressed.get(), bulk.compression, bulk.level, bulk.hash, walk)
}

/// Walks the size, the codec and the hash of a payload.
fn stored(size: u64, compression: u8, level: u8, hash: Hash128, walk: &mut dyn Walk) -> Walked {
    walk.field(&STORED_SIZE, None, without_header(size).into())?;
    walk.field(&COMPRESSION, None, Compression(compression).name().into())?;
    walk.field(&LEVEL, None, u32::from(level).into())?;
    walk.field(&HASH, None, Val::Hash(hash.high.get(), hash.low.get()))
}

/// A string of the pool. Rows may share long ones, so each is charged.
fn string(
    field: &'static Field,
    bytes: Option<&[u8]>,
    task: &mut Task<'_>,
    walk: &mut dyn Walk,
) -> Walked {
    task.budget.touch(bytes.map_or(0, <[u8]>::len) as u64)?;
    walk.field(field, None, bytes.map_or(Val::None, |bytes| Val::Text(Cow::Borrowed(bytes))))
}

/// A chunk's stored size without its header. Sizes below 80 are damaged and count as nothing stored.
const fn without_header(size: u64) -> u64 {
    size.saturating_sub(HEADER_SIZE)
}

/// The name of a type, or its id where it has none.
pub(crate) fn type_text(pack: &Pack, id: Uuid) -> String {
    pack.type_name(&id.0).map_or_else(|| Val::Uuid(id.0).to_string(), str::to_owned)
}

fn type_name(field: &'static Field, pack: &Pack, id: Uuid, walk: &mut dyn Walk) -> Walked {
    walk.field(field, None, pack.type_name(&id.0).map_or(Val::None, Val::from))
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
        string(&NAME, pack.name(entry), task, walk)?;
        string(&VARIANT, pack.variant(entry), task, walk)
    })?;
    walk.group(&Group::record("types", &TYPES, None), |walk| {
        type_name(&KIND_NAME, pack, entry.asset_kind, walk)?;
        type_name(&PAYLOAD_TYPE_NAME, pack, entry.cooked_payload_type, walk)
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
                string(&NEEDED_NAME, name, task, walk)
            })?;
        }
        Ok(())
    })?;
    texture::show(pack, row, task, walk)
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
    let chunk = pack.chunk(offset, task)?;
    walk.record("chunk", &chunk.header, chunk.at)
}
