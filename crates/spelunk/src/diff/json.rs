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
    text::{CodePages, until_nul},
};
use serde_json::{Map, Value, json};

/// Bytes of fields that are longer are told as the stretch that differs.
const LONG: usize = 64;

/// The code pages of the old and the new container.
pub type Pages<'p> = [&'p CodePages; 2];

/// The lines of a comparison: its summary, then one for each entry.
pub fn lines<'d>(diff: &'d Diff, pages: Pages<'d>) -> impl Iterator<Item = Value> + 'd {
    let summary = (!diff.summary.is_empty())
        .then(|| json!({ "change": "summary", "fields": fields(&diff.summary, pages) }));
    let renumbered =
        (diff.renumbered > 0).then(|| json!({ "change": "renumbered", "count": diff.renumbered }));
    summary.into_iter().chain(renumbered).chain(diff.changes.iter().map(move |c| change(c, pages)))
}

/// One changed entry.
pub fn change(change: &Change, pages: Pages<'_>) -> Value {
    let [old_pages, new_pages] = pages;
    match change {
        Change::Added(new) => json!({ "change": "added", "new": item(new, new_pages) }),
        Change::Removed(old) => json!({ "change": "removed", "old": item(old, old_pages) }),
        Change::Renamed { old, new, fields: changed } => json!({
            "change": "renamed",
            "old": item(old, old_pages),
            "new": item(new, new_pages),
            "fields": fields(changed, pages),
        }),
        Change::Changed { old, new, fields: changed } => json!({
            "change": "changed",
            "old": item(old, old_pages),
            "new": item(new, new_pages),
            "fields": fields(changed, pages),
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

fn fields(changes: &[FieldChange], pages: Pages<'_>) -> Vec<Value> {
    changes.iter().map(|change| field(change, pages)).collect()
}

fn field(change: &FieldChange, pages: Pages<'_>) -> Value {
    match change {
        FieldChange::Value {
            path, old: Some(Val::Bytes(old)), new: Some(Val::Bytes(new)), ..
        } if old.len().max(new.len()) > LONG => match stretch(old, new) {
            FieldChange::Content { old, new, start, old_len, new_len } => {
                bytes(path, [old, new], start, [old_len, new_len])
            }
            other => field(&other, pages),
        },
        FieldChange::Value { path, field, old, new } => {
            let mut map = Map::new();
            map.insert("path".into(), path.as_str().into());
            map.insert("type".into(), field.ty.name().into());
            let [old_pages, new_pages] = pages;
            side(&mut map, "old", field, old.as_ref(), old_pages);
            side(&mut map, "new", field, new.as_ref(), new_pages);
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
            "items": items.iter().map(|item| list_item(item, pages)).collect::<Vec<_>>(),
        }),
        FieldChange::Group { path, is_new, count, fields: first } => json!({
            "path": path,
            "type": "group",
            "old_count": if *is_new { 0 } else { *count },
            "new_count": if *is_new { *count } else { 0 },
            "fields": fields(first, pages),
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

fn list_item(item: &ListItem, pages: Pages<'_>) -> Value {
    json!({
        "old_index": item.old,
        "new_index": item.new,
        "fields": fields(&item.fields, pages),
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

/// A name as it is shown.
pub fn shown_name<'i>(item: &'i Item, pages: &CodePages) -> std::borrow::Cow<'i, str> {
    item.name.as_deref().map_or("".into(), |name| pages.show(until_nul(name)))
}
