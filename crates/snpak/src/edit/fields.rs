//! Changing an opened pack entry by entry.
//!
//! A changed pack is the old one with a new state behind it, in memory: whatever reads packs reads it, and writing it
//! writes what an append would have made.

use super::draft::{Draft, no_such_table};
use crate::{
    AssetId,
    build::{Asset, Bulk, Need, Payload, asset::Kept, name_id},
    codes,
    compression::{Codec, Encoder},
    index::{BulkEntry, Dependency, IndexEntry},
    pack::{Pack, not_found},
    paths::{self, Id},
};
use bytes::Bytes;
use spelunk_core::{
    Budget, Described, Edit, Error, Field, Node, Result, Task, Val, scalar::Uuid, text::CodePages,
};
use std::{any::Any, collections::BTreeSet, sync::Arc};

/// The table of assets.
const ASSETS: Node = Node(u64::MAX);
/// The table of bulk payloads.
const BULK: Node = Node(u64::MAX.wrapping_sub(1));

/// What is done to a pack that was opened.
#[derive(Debug)]
pub(crate) struct Editing {
    /// The pack as it was opened.
    base: Arc<Pack>,
    draft: Draft,
    /// Memory that the state takes; the next one takes its place.
    held: u64,
}

impl Pack {
    /// Changes the next state of the pack and shows it. Where that fails nothing is changed.
    fn change<T>(
        &mut self,
        task: &mut Task<'_>,
        change: impl FnOnce(&mut Draft, &mut Task<'_>) -> Result<T>,
    ) -> Result<T> {
        let before = task.budget.left().memory;
        let changed = self.changed(task, change);
        let held = before.saturating_sub(task.budget.left().memory);
        let (result, mut pack) = changed.inspect_err(|_| task.budget.release(held))?;
        if let Some(editing) = &mut pack.editing {
            editing.held = held;
        }
        let old = std::mem::replace(self, pack);
        task.budget.release(old.editing.map_or(0, |editing| editing.held));
        Ok(result)
    }

    fn changed<T>(
        &self,
        task: &mut Task<'_>,
        change: impl FnOnce(&mut Draft, &mut Task<'_>) -> Result<T>,
    ) -> Result<(T, Pack)> {
        let (base, mut draft) = match &self.editing {
            Some(editing) => (editing.base.clone(), editing.draft.duplicate(task)?),
            None => {
                let base = Arc::new(self.share());
                let draft = Draft::of(base.clone(), &mut task.budget)?;
                (base, draft)
            }
        };
        let result = change(&mut draft, task)?;
        let mut pack = draft.show(&base, task)?;
        pack.editing = Some(Box::new(Editing { base, draft, held: 0 }));
        Ok((result, pack))
    }

    /// What a node is, where the pack has it.
    fn known(&self, node: Node) -> Result<Id> {
        crate::container::known(self, node)
    }
}

impl Edit for Pack {
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn set(
        &mut self,
        node: Node,
        path: &str,
        value: Val<'_>,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let id = self.known(node)?;
        let codec = Repack::of(self, id, path, &value, task)?;
        let needs = match (id.bulk, path) {
            (None, "dependencies") => Some(self.needs(&value, pages, task)?),
            _ => None,
        };
        self.change(task, |draft, task| {
            if let (None, "asset_id" | "entry.asset_id") = (id.bulk, path) {
                return draft.set_id(id.row, &value, path, &mut task.budget);
            }
            let asset = draft.asset_mut(id.row, &mut task.budget)?;
            match (codec, needs, id.bulk) {
                (Some(repack), _, _) => repack.put(asset),
                (_, Some(needs), _) => asset.dependencies = needs,
                (_, _, Some(nth)) => {
                    let bulk = asset.bulk.get_mut(nth).ok_or_else(not_found)?;
                    let path = path.strip_prefix("entry.").unwrap_or(path);
                    bulk.set_field(path, &value)?;
                }
                (_, _, None) => asset.set_field(path, &value, pages)?,
            }
            Ok(())
        })
    }

    fn table(&self, kind: &str) -> Option<Node> {
        match kind {
            "asset" => Some(ASSETS),
            "bulk" => Some(BULK),
            _ => None,
        }
    }

    fn set_bytes(&mut self, node: Node, bytes: Bytes, task: &mut Task<'_>) -> Result<()> {
        let id = self.known(node)?;
        let payload = packed(bytes, self.codec(id)?)?;
        self.change(task, |draft, task| {
            *draft.asset_mut(id.row, &mut task.budget)?.payload_mut(id.bulk)? = payload;
            Ok(())
        })
    }

    fn rename(&mut self, node: Node, name: &[u8], task: &mut Task<'_>) -> Result<()> {
        let id = self.known(node)?;
        if id.bulk.is_some() {
            let error = Error::new(&codes::NO_FIELD).expected("an asset");
            return Err(error.found("a bulk payload, which has no name"));
        }
        self.change(task, |draft, task| {
            draft.asset_mut(id.row, &mut task.budget)?.name = name.to_vec();
            Ok(())
        })
    }

    /// Assets have their names as keys, and get the ids that belong to them; bulk payloads have
    /// `ASSET#SEMANTIC/SUB`.
    fn insert(&mut self, table: Node, key: &[Val<'_>], task: &mut Task<'_>) -> Result<Node> {
        let [Val::Bytes(key) | Val::Text(key)] = key else { return Err(no_such_table()) };
        match table {
            ASSETS => {
                let name = key.to_vec();
                let asset =
                    Asset::new(name_id(&name, None), name, packed(Bytes::new(), Codec::default())?);
                let row = self.change(task, |draft, _| draft.add(asset))?;
                Ok(Id::asset(row).node())
            }
            BULK => {
                let text = std::str::from_utf8(key).map_err(|_| no_such_table())?;
                let (row, semantic, sub_index) = paths::new_bulk(self, text, task)?;
                let payload = packed(Bytes::new(), self.codec(Id::asset(row))?)?;
                let nth = self.change(task, |draft, task| {
                    let bulk = &mut draft.asset_mut(row, &mut task.budget)?.bulk;
                    bulk.push(Bulk::new(semantic, sub_index, payload));
                    Ok(bulk.len().saturating_sub(1))
                })?;
                Ok(Id::bulk(row, nth).node())
            }
            _ => Err(no_such_table()),
        }
    }

    /// What needs an asset that goes is told: it may be meant to come from another pack.
    fn remove(&mut self, nodes: &[Node], _lossy: bool, task: &mut Task<'_>) -> Result<()> {
        let ids = nodes.iter().map(|node| self.known(*node)).collect::<Result<Vec<Id>>>()?;
        let rows: BTreeSet<usize> =
            ids.iter().filter(|id| id.bulk.is_none()).map(|id| id.row).collect();
        let mut bulk: BTreeSet<(usize, usize)> = BTreeSet::new();
        bulk.extend(ids.iter().filter_map(|id| Some((id.row, id.bulk?))));
        let still_needed = still_needed(self, &rows, task)?;
        self.change(task, |draft, task| {
            // From the last on, so that the positions of the others stay.
            for (row, nth) in bulk.iter().rev().filter(|(row, _)| !rows.contains(row)) {
                let bulk = &mut draft.asset_mut(*row, &mut task.budget)?.bulk;
                if *nth < bulk.len() {
                    bulk.remove(*nth);
                }
            }
            draft.remove(&rows);
            Ok(())
        })?;
        still_needed.into_iter().try_for_each(|error| task.warn(error))
    }
}

/// What other assets say of those that go: they need them.
fn still_needed(pack: &Pack, rows: &BTreeSet<usize>, task: &mut Task<'_>) -> Result<Vec<Error>> {
    let mut told = Vec::new();
    for owner in pack.index().owners() {
        let row = owner.asset_index.get() as usize;
        for needs in pack.dependencies(row).iter().filter(|_| !rows.contains(&row)) {
            task.budget.steps(1)?;
            let gone = pack.by_id(&needs.asset_id.0, &mut task.budget)?;
            if gone.is_some_and(|gone| rows.contains(&gone)) {
                let name = |row| {
                    let name = pack.entry(row).and_then(|entry| pack.name(entry));
                    String::from_utf8_lossy(name.unwrap_or_default()).into_owned()
                };
                let error = Error::new(&codes::STILL_NEEDED).found(format!(
                    "`{}`, which `{}` needs",
                    gone.map(name).unwrap_or_default(),
                    name(row)
                ));
                told.push(error);
            }
        }
    }
    Ok(told)
}

/// A payload that is packed at once, so that the state with it can be shown.
fn packed(bytes: Bytes, codec: Codec) -> Result<Payload> {
    Payload::new(bytes, codec).at_once(&mut Encoder::default())
}

/// A payload that is packed in another way.
struct Repack {
    bulk: Option<usize>,
    payload: Payload,
}

impl Repack {
    /// What setting `path` packs anew, if it does.
    fn of(
        pack: &Pack,
        id: Id,
        path: &str,
        value: &Val<'_>,
        task: &mut Task<'_>,
    ) -> Result<Option<Repack>> {
        let (bulk, field) = match (id.bulk, bulk_path(path)) {
            (None, Some((nth, field))) => (Some(nth), field),
            (bulk, _) => (bulk, path.strip_prefix("entry.").unwrap_or(path)),
        };
        let mut codec = match field {
            "compression" | "level" => pack.codec(Id { bulk, ..id })?,
            _ => return Ok(None),
        };
        match (field, value) {
            ("compression", Val::Str(text)) => codec = text.parse()?,
            ("compression", value) => {
                codec.compression.0 = byte(&IndexEntry::RECORD.field("compression"), value)?;
            }
            (_, value) => codec.level = byte(&BulkEntry::RECORD.field("level"), value)?,
        }
        let plain = match bulk {
            None => pack.payload(id.row, task)?,
            Some(nth) => pack.bulk_payload(id.row, nth, task)?,
        };
        Ok(Some(Repack { bulk, payload: packed(plain, codec)? }))
    }

    fn put(self, asset: &mut Asset) {
        if let Ok(place) = asset.payload_mut(self.bulk) {
            *place = self.payload;
        }
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
    /// How a payload is packed.
    fn codec(&self, id: Id) -> Result<Codec> {
        let entry = self.entry(id.row).ok_or_else(not_found)?;
        let kept = match id.bulk {
            None => Kept::of_entry(entry),
            Some(nth) => {
                let bulk = self.bulk(entry).get(nth).ok_or_else(not_found)?;
                Kept::of_bulk(bulk, entry)
            }
        };
        // A level that nobody knows is none to pack with.
        let known = kept.codec.is_known();
        Ok(if known { kept.codec } else { Codec::new(kept.codec.compression) })
    }

    /// Dependencies as they are written: paths or ids with commas between them, and `:optional` or `:auxiliary` behind
    /// those that are not required.
    fn needs(&self, value: &Val<'_>, pages: &CodePages, task: &mut Task<'_>) -> Result<Vec<Need>> {
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
    /// Gives an asset another id, which no other one has.
    fn set_id(
        &mut self,
        row: usize,
        value: &Val<'_>,
        path: &str,
        budget: &mut Budget,
    ) -> Result<()> {
        let id = uuid(value, path)?;
        if self.position(id).is_some_and(|other| other != row) {
            return Err(Error::new(&codes::SAME_ID).found(Val::Uuid(id.0).to_string()));
        }
        self.asset_mut(row, budget)?.id = id;
        Ok(())
    }
}

impl Asset {
    fn payload_mut(&mut self, bulk: Option<usize>) -> Result<&mut Payload> {
        match bulk {
            None => Ok(&mut self.payload),
            Some(nth) => self.bulk.get_mut(nth).map(|bulk| &mut bulk.payload).ok_or_else(not_found),
        }
    }

    /// Sets a field, as `show` and the listing call it.
    fn set_field(&mut self, path: &str, value: &Val<'_>, pages: &CodePages) -> Result<()> {
        if let Some((nth, field)) = bulk_path(path) {
            return self.bulk.get_mut(nth).ok_or_else(|| bad(path))?.set_field(field, value);
        }
        if let Some((nth, field)) = item_path(path, "dependencies[") {
            let need = self.dependencies.get_mut(nth).ok_or_else(|| bad(path))?;
            return need.set_field(field, value, pages);
        }
        match path {
            "kind" | "entry.asset_kind" => self.kind = uuid(value, path)?,
            "payload_type" | "entry.cooked_payload_type" => self.payload_type = uuid(value, path)?,
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
    fn set_field(&mut self, field: &str, value: &Val<'_>) -> Result<()> {
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
            "asset_id" => self.asset_id = uuid(value, field)?,
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

fn number(field: &Field, value: &Val<'_>) -> Result<u32> {
    let bytes = field.encode(value).ok_or_else(|| wrong(field.name, value))?;
    let bytes: [u8; 4] = bytes.try_into().map_err(|_| wrong(field.name, value))?;
    Ok(u32::from_le_bytes(bytes))
}

fn byte(field: &Field, value: &Val<'_>) -> Result<u8> {
    let bytes = field.encode(value).ok_or_else(|| wrong(field.name, value))?;
    bytes.first().copied().ok_or_else(|| wrong(field.name, value))
}

fn uuid(value: &Val<'_>, path: &str) -> Result<Uuid> {
    let id = match value {
        Val::Uuid(id) => Some(*id),
        Val::Str(text) => AssetId::parse(text.trim()).map(|id| id.0),
        _ => None,
    };
    id.map(Uuid).ok_or_else(|| wrong(path, value).expected("32 hexadecimal digits"))
}

fn text(value: &Val<'_>, path: &str, pages: &CodePages) -> Result<Vec<u8>> {
    match value {
        Val::Bytes(bytes) | Val::Text(bytes) => Ok(bytes.to_vec()),
        Val::Str(text) => pages.encode(text).ok_or_else(|| wrong(path, value)),
        _ => Err(wrong(path, value)),
    }
}
