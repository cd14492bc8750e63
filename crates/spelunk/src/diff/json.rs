//! Differences as JSON: one object for each.
//!
//! `change` is `summary`, `renumbered`, `added`, `removed`, `renamed` or `changed`. `old` and `new` of an entry are
//! `{path, type, name, size}`. A field has `path`, `type`, and `old` and `new`, which are missing where the field is
//! not there; `old_meaning`, `new_meaning`, `old_bytes`, `new_bytes` and `unit` as in `show`. A list has its lengths
//! `old_count` and `new_count`, `changed`, `added` and `removed`, and its first `items`, each with `old_index`,
//! `new_index` and `fields`. A group of many fields that only one side has is told with `old_count` and `new_count`, one of
//! them 0, and its first `fields`. Bytes that no field describes (`content`), and those of fields with more
//! than 64, have `old_size`, `new_size`, and the stretch that differs:
//! `start`, `old_length`, `new_length`.

use super::{Change, Diff, FieldChange, Item, ListItem, stretch};
use crate::{
    Field, Val,
    json::{ENTRY, meant, scalar, stored_text},
    shown::Shown,
    text::CodePages,
};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Map, Value, json};

/// Bytes of fields that are longer are told as the stretch that differs.
const LONG: usize = 64;

/// The same for people, who see the bytes of stretches that are no longer.
const LONG_FOR_PEOPLE: usize = 32;

/// The code pages of the old and the new container.
pub type Pages<'p> = [&'p CodePages; 2];

/// How differences are told.
#[derive(Clone, Copy, Debug)]
pub struct Telling<'p> {
    /// The code pages of both sides.
    pub pages: Pages<'p>,
    /// Whether there is more in them, for people: values as they read them, `old_shown` and `new_shown`, `bits` that were set
    /// (`+name`) and cleared (`-name`), the bytes of both texts that are shown alike, and of short stretches in bytes
    /// `old_part` and `new_part`.
    pub details: bool,
}

/// A line of a comparison. It is written piece by piece, since the lists in it may be long.
#[derive(Clone, Copy, Debug)]
pub struct Line<'d> {
    content: LineContent<'d>,
    how: Telling<'d>,
}

#[derive(Clone, Copy, Debug)]
enum LineContent<'d> {
    Summary(&'d [FieldChange]),
    Renumbered(u64),
    Change(&'d Change),
}

/// Returns the lines of a comparison: its summary, then one for each entry.
pub fn lines<'d>(diff: &'d Diff, how: Telling<'d>) -> impl Iterator<Item = Line<'d>> {
    let summary = (!diff.summary.is_empty()).then_some(LineContent::Summary(&diff.summary));
    let renumbered = (diff.renumbered > 0).then_some(LineContent::Renumbered(diff.renumbered));
    let changes = diff.changes.iter().map(LineContent::Change);
    let all = summary.into_iter().chain(renumbered).chain(changes);
    all.map(move |content| Line { content, how })
}

impl Line<'_> {
    /// Returns how much memory the line takes at the most as a value of JSON, in bytes.
    pub fn held(&self) -> u64 {
        let (fields, items) = match self.content {
            LineContent::Renumbered(_) => (&[][..], [None, None]),
            LineContent::Summary(fields) => (fields, [None, None]),
            LineContent::Change(Change::Added(item) | Change::Removed(item)) => {
                (&[][..], [Some(item), None])
            }
            LineContent::Change(
                Change::Renamed { old, new, fields } | Change::Changed { old, new, fields },
            ) => (&fields[..], [Some(old), Some(new)]),
        };
        let texts = |item: &Item| {
            let name = item.name.as_ref().map_or(0, Vec::len).saturating_mul(TIMES);
            item.path.len().saturating_add(item.kind.len()).saturating_add(name) as u64
        };
        let items = items.into_iter().flatten();
        let items = items.map(|item| texts(item).saturating_add(ENTRIES.saturating_mul(ENTRY)));
        items.fold(held_by_fields(fields), u64::saturating_add)
    }
}

/// How many entries the object of a field or an entry has at the most.
const ENTRIES: u64 = 11;
/// How many times its bytes a text takes with all that is told of it: as it is shown, with its bytes, and for people.
const TIMES: usize = 8;

fn held_by_fields(fields: &[FieldChange]) -> u64 {
    let texts = |value: &Option<Val<'_>>| {
        value.as_ref().map_or(0, |value| value.held().saturating_mul(TIMES) as u64)
    };
    let held = |field: &FieldChange| {
        let (path, inner) = match field {
            FieldChange::Value { path, old, new, .. } => {
                (path.len(), texts(old).saturating_add(texts(new)))
            }
            FieldChange::Group { path, fields, .. } => (path.len(), held_by_fields(fields)),
            FieldChange::List { path, items, .. } => {
                let item = |item: &ListItem| {
                    held_by_fields(&item.fields).saturating_add(ENTRY.saturating_mul(4))
                };
                (path.len(), items.iter().map(item).fold(0, u64::saturating_add))
            }
            FieldChange::Content { .. } => (0, 0),
        };
        inner.saturating_add(path as u64).saturating_add(ENTRIES.saturating_mul(ENTRY))
    };
    fields.iter().map(held).fold(0, u64::saturating_add)
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let how = self.how;
        let [old_pages, new_pages] = how.pages;
        let mut map = to.serialize_map(None)?;
        match self.content {
            LineContent::Summary(fields) => {
                map.serialize_entry("change", "summary")?;
                map.serialize_entry("fields", &Fields(fields, how))?;
            }
            LineContent::Renumbered(count) => {
                map.serialize_entry("change", "renumbered")?;
                map.serialize_entry("count", &count)?;
            }
            LineContent::Change(Change::Added(new)) => {
                map.serialize_entry("change", "added")?;
                map.serialize_entry("new", &item(new, new_pages))?;
            }
            LineContent::Change(Change::Removed(old)) => {
                map.serialize_entry("change", "removed")?;
                map.serialize_entry("old", &item(old, old_pages))?;
            }
            LineContent::Change(change @ Change::Renamed { old, new, fields })
            | LineContent::Change(change @ Change::Changed { old, new, fields }) => {
                let is_renamed = matches!(change, Change::Renamed { .. });
                map.serialize_entry("change", if is_renamed { "renamed" } else { "changed" })?;
                map.serialize_entry("old", &item(old, old_pages))?;
                map.serialize_entry("new", &item(new, new_pages))?;
                map.serialize_entry("fields", &Fields(fields, how))?;
            }
        }
        map.end()
    }
}

/// Fields that differ.
struct Fields<'d>(&'d [FieldChange], Telling<'d>);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(|change| ChangedField(change, self.1)))
    }
}

/// A field that differs.
struct ChangedField<'d>(&'d FieldChange, Telling<'d>);

impl Serialize for ChangedField<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let ChangedField(change, how) = *self;
        match change {
            FieldChange::List { path, old, new, changed, added, removed, items } => {
                let mut map = to.serialize_map(Some(8))?;
                map.serialize_entry("path", path)?;
                map.serialize_entry("type", "list")?;
                map.serialize_entry("old_count", old)?;
                map.serialize_entry("new_count", new)?;
                map.serialize_entry("changed", changed)?;
                map.serialize_entry("added", added)?;
                map.serialize_entry("removed", removed)?;
                map.serialize_entry("items", &Items(items, how))?;
                map.end()
            }
            FieldChange::Group { path, is_new, count, fields } => {
                let mut map = to.serialize_map(Some(5))?;
                map.serialize_entry("path", path)?;
                map.serialize_entry("type", "group")?;
                map.serialize_entry("old_count", if *is_new { &0 } else { count })?;
                map.serialize_entry("new_count", if *is_new { count } else { &0 })?;
                map.serialize_entry("fields", &Fields(fields, how))?;
                map.end()
            }
            FieldChange::Value { path, field, old, new } => {
                value(path, field, [old.as_ref(), new.as_ref()], how).serialize(to)
            }
            FieldChange::Content { old, new, start, old_len, new_len } => {
                bytes("content", [*old, *new], *start, [*old_len, *new_len]).serialize(to)
            }
        }
    }
}

/// Items of a list that differ.
struct Items<'d>(&'d [ListItem], Telling<'d>);

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(|item| ChangedItem(item, self.1)))
    }
}

/// An item of a list that differs.
struct ChangedItem<'d>(&'d ListItem, Telling<'d>);

impl Serialize for ChangedItem<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let ChangedItem(item, how) = *self;
        let mut map = to.serialize_map(Some(3))?;
        map.serialize_entry("old_index", &item.old)?;
        map.serialize_entry("new_index", &item.new)?;
        map.serialize_entry("fields", &Fields(&item.fields, how))?;
        map.end()
    }
}

fn item(item: &Item, pages: &CodePages) -> Value {
    let mut map = Map::new();
    map.insert("path".into(), item.path.as_str().into());
    map.insert("type".into(), item.kind.as_str().into());
    let name = item.name.as_deref().map(|name| Val::Text(name.into()));
    map.insert("name".into(), name.as_ref().map_or(Value::Null, |name| scalar(name, pages)));
    if let Some(stored) = name.as_ref().and_then(|name| stored_text(name, pages)) {
        map.insert("name_bytes".into(), stored.into());
    }
    map.insert("size".into(), item.size.into());
    Value::Object(map)
}

/// A value that differs, on both sides.
fn value(path: &str, field: &Field, sides: [Option<&Val<'_>>; 2], how: Telling<'_>) -> Value {
    let longest = if how.details { LONG_FOR_PEOPLE } else { LONG };
    if let [Some(Val::Bytes(old)), Some(Val::Bytes(new))] = sides
        && old.len().max(new.len()) > longest
        && let FieldChange::Content { old: a, new: b, start, old_len, new_len } = stretch(old, new)
    {
        let mut told = bytes(path, [a, b], start, [old_len, new_len]);
        let parts = [part(old, start, old_len), part(new, start, new_len)];
        if let ([Some(a), Some(b)], true) = (parts, how.details)
            && let Some(told) = told.as_object_mut()
        {
            told.insert("old_part".to_owned(), a.into());
            told.insert("new_part".to_owned(), b.into());
        }
        return told;
    }
    let mut map = Map::new();
    map.insert("path".into(), path.into());
    map.insert("type".into(), field.ty.name().into());
    for ((key, value), pages) in ["old", "new"].into_iter().zip(sides).zip(how.pages) {
        side(&mut map, key, field, value, pages);
    }
    if how.details {
        details(&mut map, field, sides, how.pages);
    }
    if !field.unit.is_empty() {
        map.insert("unit".into(), field.unit.into());
    }
    Value::Object(map)
}

fn bytes(path: &str, [old, new]: [u64; 2], start: u64, [old_len, new_len]: [u64; 2]) -> Value {
    json!({
        "path": path,
        "type": "bytes",
        "old_size": old,
        "new_size": new,
        "start": start,
        "old_length": old_len,
        "new_length": new_len,
    })
}

fn side(
    map: &mut Map<String, Value>,
    key: &str,
    field: &Field,
    value: Option<&Val<'_>>,
    pages: &CodePages,
) {
    let Some(value) = value else { return };
    map.insert(key.into(), scalar(value, pages));
    if let Some(stored) = stored_text(value, pages) {
        map.insert(format!("{key}_bytes"), stored.into());
    }
    if let Some(meaning) = meaning(field, value, pages) {
        map.insert(format!("{key}_meaning"), meaning.into());
    }
}

fn meaning(field: &Field, value: &Val<'_>, pages: &CodePages) -> Option<String> {
    match value {
        Val::Ref(_, Some(target)) => Some(meant(target, pages)),
        _ => field.meaning(value).map(std::borrow::Cow::into_owned),
    }
}

/// What people want to know beside both values.
fn details(
    map: &mut Map<String, Value>,
    field: &Field,
    sides: [Option<&Val<'_>>; 2],
    pages: Pages<'_>,
) {
    for ((key, value), pages) in ["old_shown", "new_shown"].into_iter().zip(sides).zip(pages) {
        if let Some(value) = value {
            map.insert(key.into(), Shown::new(field, value, pages).to_string().into());
        }
    }
    if let [Some(Val::Text(old)), Some(Val::Text(new))] = sides
        && map["old_shown"] == map["new_shown"]
    {
        // Names may differ behind the NUL where they end.
        for (key, bytes) in [("old_bytes", old), ("new_bytes", new)] {
            map.insert(key.into(), Val::Bytes(bytes.clone()).to_string().into());
        }
    }
    let bits = |value: Option<&Val<'_>>| match value? {
        Val::U(number) => u32::try_from(*number).ok(),
        Val::Word(number) => Some(*number),
        _ => None,
    };
    let [Some(old), Some(new)] = sides.map(bits) else { return };
    let named = |bits: u32, mark: char| {
        let known = field.bits.iter().filter(move |(mask, _)| *mask != 0 && bits & mask == *mask);
        known.map(move |(_, name)| format!("{mark}{name}"))
    };
    let told: Vec<String> = named(old & !new, '-').chain(named(new & !old, '+')).collect();
    if !told.is_empty() {
        map.insert("bits".into(), told.into());
    }
}

/// The bytes of a stretch as hexadecimal digits, where they are few.
fn part(bytes: &[u8], start: u64, len: u64) -> Option<String> {
    let range = usize::try_from(start).ok()?..usize::try_from(start.checked_add(len)?).ok()?;
    let part = bytes.get(range).filter(|part| part.len() <= LONG_FOR_PEOPLE)?;
    Some(Val::Bytes(part.into()).to_string())
}
