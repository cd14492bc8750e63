//! Fields of assets and bulk payloads, set as people write them.

use super::draft::Draft;
use crate::{
    AssetId,
    build::{Asset, Bulk, Need, Payload, asset::StoredChunk},
    codes,
    compression::{Codec, Encoder},
    index::{BulkEntry, Dependency, IndexEntry},
    pack::{Pack, not_found},
    paths::{self, Id},
};
use bytes::Bytes;
use spelunk_core::{
    Budget, Described, Error, Field, Result, Task, Val, scalar::Uuid, text::CodePages,
};
use std::collections::BTreeSet;

/// A payload that is packed at once, so that the state with it can be shown.
pub(super) fn packed(bytes: Bytes, codec: Codec) -> Result<Payload> {
    Payload::new(bytes, codec).at_once(&mut Encoder::default())
}

/// A payload that is to be packed in another way.
pub(super) struct Repack {
    pub(super) id: Id,
    pub(super) codec: Codec,
}

impl Repack {
    /// Returns what setting `path` packs anew, if it does, of payloads that are packed as `codec` says.
    pub(super) fn of(
        id: Id,
        path: &str,
        value: &Val<'_>,
        codec: impl FnOnce(Id) -> Result<Codec>,
    ) -> Result<Option<Repack>> {
        let (bulk, field) = match (id.bulk, bulk_path(path)) {
            (None, Some((nth, field))) => (Some(nth), field),
            (bulk, _) => (bulk, path.strip_prefix("entry.").unwrap_or(path)),
        };
        let id = Id { bulk, ..id };
        let mut codec = match field {
            "compression" | "level" => codec(id)?,
            _ => return Ok(None),
        };
        match (field, value) {
            ("compression", Val::Str(text)) => codec = text.parse()?,
            ("compression", value) => {
                codec.compression.0 = byte(&IndexEntry::RECORD.field("compression"), value)?;
            }
            (_, value) => codec.level = byte(&BulkEntry::RECORD.field("level"), value)?,
        }
        Ok(Some(Repack { id, codec }))
    }
}

/// Position and field of `bulk[2].semantic`.
fn bulk_path(path: &str) -> Option<(usize, &str)> {
    item_path(path, "bulk[")
}

fn item_path<'p>(path: &'p str, list: &str) -> Option<(usize, &'p str)> {
    let (nth, field) = path.strip_prefix(list)?.split_once("].")?;
    Some((nth.parse().ok()?, field))
}

impl Pack {
    /// Returns the codec by which a payload is packed.
    pub(super) fn codec(&self, id: Id) -> Result<Codec> {
        let entry = self.entry(id.row).ok_or_else(not_found)?;
        let kept = match id.bulk {
            None => StoredChunk::of_entry(entry),
            Some(nth) => {
                let bulk = self.bulk(entry).get(nth).ok_or_else(not_found)?;
                StoredChunk::of_bulk(bulk, entry)
            }
        };
        // A level that nobody knows is none to pack with.
        let known = kept.codec.is_known();
        Ok(if known { kept.codec } else { Codec::new(kept.codec.compression) })
    }

    /// Dependencies as they are written: paths or ids with commas between them, and `:optional` or `:auxiliary` behind
    /// those that are not required.
    pub(super) fn needs(
        &self,
        value: &Val<'_>,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Need>> {
        let Val::Str(text) = value else { return Err(wrong("dependencies", value)) };
        let mut needs = Vec::new();
        for item in
            text.split(',').map(str::trim).filter(|item| !item.is_empty() && *item != "none")
        {
            let (path, kind) = match item.rsplit_once(':') {
                Some((path, kind)) => {
                    (path, byte(&Dependency::RECORD.field("kind"), &Val::from(kind))?)
                }
                None => (item, 0),
            };
            let found = paths::find(self, path, pages, task)?;
            let row = match (found.as_slice(), AssetId::parse(path)) {
                ([node], _) => Id::of(*node).filter(|id| id.bulk.is_none()).map(|id| id.row),
                (_, Some(id)) => {
                    needs.push(Need::new(Uuid(id.0), None, kind));
                    continue;
                }
                _ => None,
            };
            let entry = row.and_then(|row| self.entry(row)).ok_or_else(|| {
                not_found().expected("the path of one asset, or any id").found(format!("`{path}`"))
            })?;
            needs.push(Need::new(entry.asset_id, self.name(entry).map(<[u8]>::to_vec), kind));
        }
        Ok(needs)
    }
}

impl Draft {
    /// Gives an asset another id, which no other one has but those that go.
    pub(super) fn set_id(
        &mut self,
        row: usize,
        value: &Val<'_>,
        go: &BTreeSet<usize>,
        budget: &mut Budget,
    ) -> Result<()> {
        let id = uuid(&IndexEntry::RECORD.field("asset_id"), value)?;
        let has = self.position(id);
        if has.is_some_and(|other| other != row && !go.contains(&other)) {
            return Err(Error::new(&codes::SAME_ID).found(Val::Uuid(id.0).to_string()));
        }
        self.change_id(row, id, budget)
    }
}

impl Asset {
    pub(super) fn payload_mut(&mut self, bulk: Option<usize>) -> Result<&mut Payload> {
        match bulk {
            None => Ok(&mut self.payload),
            Some(nth) => self.bulk.get_mut(nth).map(|bulk| &mut bulk.payload).ok_or_else(not_found),
        }
    }

    /// Sets a field, as `show` and the listing call it.
    pub(super) fn set_field(
        &mut self,
        path: &str,
        value: &Val<'_>,
        pages: &CodePages,
    ) -> Result<()> {
        if let Some((nth, field)) = bulk_path(path) {
            return self.bulk.get_mut(nth).ok_or_else(|| bad(path))?.set_field(field, value);
        }
        if let Some((nth, field)) = item_path(path, "dependencies[") {
            let need = self.dependencies.get_mut(nth).ok_or_else(|| bad(path))?;
            return need.set_field(field, value, pages);
        }
        match path {
            "kind" | "entry.asset_kind" => {
                self.kind = uuid(&IndexEntry::RECORD.field("asset_kind"), value)?;
            }
            "payload_type" | "entry.cooked_payload_type" => {
                self.payload_type = uuid(&IndexEntry::RECORD.field("cooked_payload_type"), value)?;
            }
            "schema_version" | "entry.cooked_schema_version" => {
                self.schema_version =
                    number(&IndexEntry::RECORD.field("cooked_schema_version"), value)?;
            }
            "name" | "strings.name" => self.name = text(value, path, pages)?,
            "variant" | "strings.variant" => {
                self.variant =
                    Some(text(value, path, pages)?).filter(|variant| !variant.is_empty());
            }
            _ => return Err(bad(path)),
        }
        Ok(())
    }
}

impl Bulk {
    pub(super) fn set_field(&mut self, field: &str, value: &Val<'_>) -> Result<()> {
        match field {
            "semantic" => self.semantic = number(&BulkEntry::RECORD.field("semantic"), value)?,
            "sub_index" => self.sub_index = number(&BulkEntry::RECORD.field("sub_index"), value)?,
            _ => return Err(bad(field)),
        }
        Ok(())
    }
}

impl Need {
    fn set_field(&mut self, field: &str, value: &Val<'_>, pages: &CodePages) -> Result<()> {
        match field {
            "asset_id" => self.asset_id = uuid(&Dependency::RECORD.field("asset_id"), value)?,
            "kind" => self.kind = byte(&Dependency::RECORD.field("kind"), value)?,
            "name" => self.name = Some(text(value, field, pages)?).filter(|name| !name.is_empty()),
            _ => return Err(bad(field)),
        }
        Ok(())
    }
}

fn bad(path: &str) -> Error {
    Error::new(&codes::NO_FIELD)
        .expected(
            "a field of the asset that can be changed, such as kind, name or bulk[0].semantic",
        )
        .found(format!("`{path}`"))
}

fn wrong(path: &str, value: &Val<'_>) -> Error {
    Error::new(&codes::VALUE).found(format!("`{value}` for `{path}`"))
}

fn encode<const N: usize>(field: &Field, value: &Val<'_>) -> Result<[u8; N]> {
    let bytes = field.encode(value, &[]).map_err(|error| error.field(field.name))?;
    bytes.try_into().map_err(|_| field.misfit(value).field(field.name))
}

fn number(field: &Field, value: &Val<'_>) -> Result<u32> {
    encode(field, value).map(u32::from_le_bytes)
}

fn byte(field: &Field, value: &Val<'_>) -> Result<u8> {
    encode(field, value).map(|[byte]| byte)
}

fn uuid(field: &Field, value: &Val<'_>) -> Result<Uuid> {
    encode(field, value).map(Uuid)
}

fn text(value: &Val<'_>, path: &str, pages: &CodePages) -> Result<Vec<u8>> {
    match value {
        Val::Bytes(bytes) | Val::Text(bytes) => Ok(bytes.to_vec()),
        Val::Str(text) => pages.encode(text).ok_or_else(|| wrong(path, value)),
        _ => Err(wrong(path, value)),
    }
}
