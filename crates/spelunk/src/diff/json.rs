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
    json::{meant, scalar, stored_text},
    shown::Shown,
    text::CodePages,
};
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

/// The lines of a comparison: its summary, then one for each entry.
pub fn lines<'d>(diff: &'d Diff, how: Telling<'d>) -> impl Iterator<Item = Value> + 'd {
    let summary = (!diff.summary.is_empty())
        .then(|| json!({ "change": "summary", "fields": fields(&diff.summary, how) }));
    let renumbered =
        (diff.renumbered > 0).then(|| json!({ "change": "renumbered", "count": diff.renumbered }));
    summary.into_iter().chain(renumbered).chain(diff.changes.iter().map(move |c| change(c, how)))
}

/// One changed entry.
pub fn change(change: &Change, how: Telling<'_>) -> Value {
    let [old_pages, new_pages] = how.pages;
    match change {
        Change::Added(new) => json!({ "change": "added", "new": item(new, new_pages) }),
        Change::Removed(old) => json!({ "change": "removed", "old": item(old, old_pages) }),
        Change::Renamed { old, new, fields: changed } => json!({
            "change": "renamed",
            "old": item(old, old_pages),
            "new": item(new, new_pages),
            "fields": fields(changed, how),
        }),
        Change::Changed { old, new, fields: changed } => json!({
            "change": "changed",
            "old": item(old, old_pages),
            "new": item(new, new_pages),
            "fields": fields(changed, how),
        }),
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

fn fields(changes: &[FieldChange], how: Telling<'_>) -> Vec<Value> {
    changes.iter().map(|change| field(change, how)).collect()
}

fn field(change: &FieldChange, how: Telling<'_>) -> Value {
    let longest = if how.details { LONG_FOR_PEOPLE } else { LONG };
    match change {
        FieldChange::Value {
            path, old: Some(Val::Bytes(old)), new: Some(Val::Bytes(new)), ..
        } if old.len().max(new.len()) > longest => match stretch(old, new) {
            FieldChange::Content { old: a, new: b, start, old_len, new_len } => {
                let mut told = bytes(path, [a, b], start, [old_len, new_len]);
                let parts = [part(old, start, old_len), part(new, start, new_len)];
                if let ([Some(a), Some(b)], true) = (parts, how.details)
                    && let Some(told) = told.as_object_mut()
                {
                    told.insert("old_part".to_owned(), a.into());
                    told.insert("new_part".to_owned(), b.into());
                }
                told
            }
            other => field(&other, how),
        },
        FieldChange::Value { path, field, old, new } => {
            let mut map = Map::new();
            map.insert("path".into(), path.as_str().into());
            map.insert("type".into(), field.ty.name().into());
            let [old_pages, new_pages] = how.pages;
            side(&mut map, "old", field, old.as_ref(), old_pages);
            side(&mut map, "new", field, new.as_ref(), new_pages);
            if how.details {
                details(&mut map, field, [old.as_ref(), new.as_ref()], how.pages);
            }
            if !field.unit.is_empty() {
                map.insert("unit".into(), field.unit.into());
            }
            Value::Object(map)
        }
        FieldChange::List { path, old, new, changed, added, removed, items } => json!({
            "path": path,
            "type": "list",
            "old_count": old,
            "new_count": new,
            "changed": changed,
            "added": added,
            "removed": removed,
            "items": items.iter().map(|item| list_item(item, how)).collect::<Vec<_>>(),
        }),
        FieldChange::Group { path, is_new, count, fields: first } => json!({
            "path": path,
            "type": "group",
            "old_count": if *is_new { 0 } else { *count },
            "new_count": if *is_new { *count } else { 0 },
            "fields": fields(first, how),
        }),
        FieldChange::Content { old, new, start, old_len, new_len } => {
            bytes("content", [*old, *new], *start, [*old_len, *new_len])
        }
    }
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

fn list_item(item: &ListItem, how: Telling<'_>) -> Value {
    json!({
        "old_index": item.old,
        "new_index": item.new,
        "fields": fields(&item.fields, how),
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
