//! Differences as JSON: one object for each.
//!
//! `change` is `summary`, `renumbered`, `added`, `removed`, `renamed` or `changed`. `old` and `new` of an entry are
//! `{path, type, name, size}`. A field has `path`, `type`, and `old` and `new`, which are missing where the field is
//! not there; `old_meaning`, `new_meaning`, `old_bytes`, `new_bytes` and `unit` as in `show`. A list has its lengths
//! `old_count` and `new_count`, `changed`, `added` and `removed`, and its first `items`, each with `old_index`,
//! `new_index` and `fields`. A group of many fields that only one side has is written with `old_count` and `new_count`, one of
//! them 0, and its first `fields`. Bytes that no field describes (`content`), and those of fields with more
//! than 64, have `old_size`, `new_size`, and the stretch that differs:
//! `start`, `old_length`, `new_length`.

use super::{Change, ComparedEntry, Diff, FieldChange, ListItem, stretch};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use serde_json::Value;
use spelunk_core::{
    Field, Val,
    text::{CodePages, until_nul},
    value::{PartValue, to_hex},
};
use spelunk_open::json::ENTRY;
use std::borrow::Cow;

/// Bytes of fields that are longer are written as the stretch that differs.
const LONG: usize = 64;

/// The same for people, who see the bytes of stretches that are no longer.
const LONG_FOR_PEOPLE: usize = 32;

/// The code pages of the old and the new container.
pub type Pages<'p> = [&'p CodePages; 2];

/// Form of written differences.
#[derive(Clone, Copy, Debug)]
pub struct DifferenceForm<'p> {
    /// The code pages of both sides.
    pub pages: Pages<'p>,
    /// Of two folders: path of the file in them.
    pub file: Option<&'p str>,
    /// Whether there is more in them, for people: values as they read them, `old_shown` and `new_shown`, `bits` that were set
    /// (`+name`) and cleared (`-name`), the bytes of both texts that are shown alike, and of short stretches in bytes
    /// `old_part` and `new_part`.
    pub for_people: bool,
}

/// Something that differs: the file as a whole, or an entry.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum ChangeRow<'d> {
    /// Fields of the file as a whole.
    Summary {
        /// Of two folders: path of the file in them.
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<&'d str>,
        /// The fields that differ.
        fields: FieldRows<'d>,
    },
    /// Entries that have another id, and are the same otherwise.
    Renumbered {
        /// Of two folders: path of the file in them.
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<&'d str>,
        /// Number of entries.
        count: u64,
    },
    /// An entry that only the new file has.
    Added {
        /// Of two folders: path of the file in them.
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<&'d str>,
        /// The entry.
        new: EntryRow,
    },
    /// An entry that only the old file has.
    Removed {
        /// Of two folders: path of the file in them.
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<&'d str>,
        /// The entry.
        old: EntryRow,
    },
    /// An entry with another name.
    Renamed {
        /// Of two folders: path of the file in them.
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<&'d str>,
        /// The entry in the old file.
        old: EntryRow,
        /// The entry in the new file.
        new: EntryRow,
        /// Changes of the entry.
        fields: FieldRows<'d>,
    },
    /// An entry with other content.
    Changed {
        /// Of two folders: path of the file in them.
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<&'d str>,
        /// The entry in the old file.
        old: EntryRow,
        /// The entry in the new file.
        new: EntryRow,
        /// Changes of the entry.
        fields: FieldRows<'d>,
    },
}

/// An entry of one of the files.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EntryRow {
    /// Path of the entry, as every verb takes it.
    pub path: String,
    /// Type of the entry.
    #[serde(rename = "type")]
    pub kind: String,
    /// Name of the entry, where it has one.
    pub name: Option<String>,
    /// The stored bytes of the name, where they are not exactly what is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_bytes: Option<String>,
    /// Size in bytes.
    pub size: u64,
}

/// A field that differs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum FieldChangeRow<'d> {
    /// A field with another value, or one that only one side has.
    Value(Box<ValueChangeRow>),
    /// A list with other items.
    List(ListChangeRow<'d>),
    /// A group of many fields that only one side has.
    Group(GroupChangeRow<'d>),
    /// Bytes that no field describes, and those of long fields.
    Bytes(BytesChangeRow),
}

/// A field with another value, or one that only one side has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ValueChangeRow {
    /// Path of the field.
    pub path: String,
    /// Type of the field.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The old value; missing where there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Value>,
    /// Stored bytes of the old text, where they are not exactly what is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_bytes: Option<String>,
    /// Meaning of the old value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_meaning: Option<String>,
    /// The new value; missing where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Value>,
    /// Stored bytes of the new text, where they are not exactly what is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_bytes: Option<String>,
    /// Meaning of the new value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_meaning: Option<String>,
    /// For people: the old value as people read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_shown: Option<String>,
    /// For people: the new value as people read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_shown: Option<String>,
    /// For people: flags that were set (`+name`) and cleared (`-name`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bits: Option<Vec<String>>,
    /// Unit of the values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
}

/// A list with other items.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ListChangeRow<'d> {
    /// Path of the list.
    pub path: String,
    /// `list`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "list"))]
    pub kind: &'static str,
    /// Items of the old list.
    pub old_count: u64,
    /// Items of the new list.
    pub new_count: u64,
    /// Changed items.
    pub changed: u64,
    /// Items that are new.
    pub added: u64,
    /// Items that are gone.
    pub removed: u64,
    /// The first items that differ.
    pub items: ItemRows<'d>,
}

/// An item of a list that differs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ItemChangeRow<'d> {
    /// Place of the item in the old list.
    pub old_index: Option<u64>,
    /// Place of the item in the new list.
    pub new_index: Option<u64>,
    /// Changes of the item.
    pub fields: FieldRows<'d>,
}

/// A group of many fields that only one side has.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GroupChangeRow<'d> {
    /// Path of the group.
    pub path: String,
    /// `group`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "group"))]
    pub kind: &'static str,
    /// Fields of the old group.
    pub old_count: u64,
    /// Fields of the new group.
    pub new_count: u64,
    /// The first fields of the group.
    pub fields: FieldRows<'d>,
}

/// Bytes that differ.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BytesChangeRow {
    /// Path of the field; `content` where no field describes the bytes.
    pub path: String,
    /// `bytes`.
    #[serde(rename = "type")]
    #[schemars(extend("const" = "bytes"))]
    pub kind: &'static str,
    /// Bytes of the old content.
    pub old_size: u64,
    /// Bytes of the new content.
    pub new_size: u64,
    /// Offset of the first byte that differs.
    pub start: u64,
    /// Bytes of the old content that differ.
    pub old_length: u64,
    /// Bytes of the new content that differ.
    pub new_length: u64,
    /// For people: the old bytes that differ, where they are few.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_part: Option<String>,
    /// For people: the new bytes that differ, where they are few.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_part: Option<String>,
}

/// Fields that differ, of which each is made when it is written: a comparison may have very many.
#[derive(Clone, Copy, Debug)]
pub struct FieldRows<'d> {
    changes: &'d [FieldChange],
    how: DifferenceForm<'d>,
}

impl Serialize for FieldRows<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.changes.iter().map(|change| field(change, self.how)))
    }
}

impl JsonSchema for FieldRows<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "FieldRows".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<FieldChangeRow<'static>>::json_schema(generator)
    }
}

/// Items of a list that differ, of which each is made when it is written.
#[derive(Clone, Copy, Debug)]
pub struct ItemRows<'d> {
    items: &'d [ListItem],
    how: DifferenceForm<'d>,
}

impl Serialize for ItemRows<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let how = self.how;
        to.collect_seq(self.items.iter().map(|item| ItemChangeRow {
            old_index: item.old,
            new_index: item.new,
            fields: FieldRows { changes: &item.fields, how },
        }))
    }
}

impl JsonSchema for ItemRows<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ItemRows".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<ItemChangeRow<'static>>::json_schema(generator)
    }
}

impl ChangeRow<'_> {
    /// Returns how much memory the row takes at the most as a value of JSON, in bytes.
    pub fn held(&self) -> u64 {
        let (fields, entries) = match self {
            ChangeRow::Renumbered { .. } => (None, [None, None]),
            ChangeRow::Summary { fields, .. } => (Some(fields), [None, None]),
            ChangeRow::Added { new: entry, .. } | ChangeRow::Removed { old: entry, .. } => {
                (None, [Some(entry), None])
            }
            ChangeRow::Renamed { old, new, fields, .. }
            | ChangeRow::Changed { old, new, fields, .. } => (Some(fields), [Some(old), Some(new)]),
        };
        let texts = |entry: &EntryRow| {
            let name = entry.name.as_ref().map_or(0, String::len).saturating_mul(TIMES);
            entry.path.len().saturating_add(entry.kind.len()).saturating_add(name) as u64
        };
        let entries = entries.into_iter().flatten();
        let entries =
            entries.map(|entry| texts(entry).saturating_add(ENTRIES.saturating_mul(ENTRY)));
        let fields = fields.map_or(0, |fields| held_by_fields(fields.changes));
        entries.fold(fields, u64::saturating_add)
    }
}

/// Number of entries that the object of a field or an entry has at the most.
const ENTRIES: u64 = 11;
/// Factor of the memory of a text to its bytes: as it is shown, with its bytes, and for people.
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

/// The rows of a comparison: its summary, then one for each entry.
pub fn lines<'d>(diff: &'d Diff, how: DifferenceForm<'d>) -> impl Iterator<Item = ChangeRow<'d>> {
    let file = how.file;
    let summary = (!diff.summary.is_empty())
        .then(|| ChangeRow::Summary { file, fields: FieldRows { changes: &diff.summary, how } });
    let renumbered =
        (diff.renumbered > 0).then_some(ChangeRow::Renumbered { file, count: diff.renumbered });
    summary.into_iter().chain(renumbered).chain(diff.changes.iter().map(move |c| change(c, how)))
}

/// Makes the row of a changed entry.
pub fn change<'d>(change: &'d Change, how: DifferenceForm<'d>) -> ChangeRow<'d> {
    let DifferenceForm { pages: [old_pages, new_pages], file, .. } = how;
    match change {
        Change::Added(new) => ChangeRow::Added { file, new: item(new, new_pages) },
        Change::Removed(old) => ChangeRow::Removed { file, old: item(old, old_pages) },
        Change::Renamed { old, new, fields: changed } => ChangeRow::Renamed {
            file,
            old: item(old, old_pages),
            new: item(new, new_pages),
            fields: FieldRows { changes: changed, how },
        },
        Change::Changed { old, new, fields: changed } => ChangeRow::Changed {
            file,
            old: item(old, old_pages),
            new: item(new, new_pages),
            fields: FieldRows { changes: changed, how },
        },
    }
}

fn item(item: &ComparedEntry, pages: &CodePages) -> EntryRow {
    let name = item.name.as_deref();
    let stored = name.map(|name| Val::Text(name.into()));
    EntryRow {
        path: item.path.clone(),
        kind: item.kind.clone(),
        name: name.map(|name| pages.show(until_nul(name)).into_owned()),
        name_bytes: stored.and_then(|name| name.stored_text(pages)),
        size: item.size,
    }
}

fn field<'d>(change: &'d FieldChange, how: DifferenceForm<'d>) -> FieldChangeRow<'d> {
    let longest = if how.for_people { LONG_FOR_PEOPLE } else { LONG };
    match change {
        FieldChange::Value {
            path, old: Some(Val::Bytes(old)), new: Some(Val::Bytes(new)), ..
        } if old.len().max(new.len()) > longest => {
            FieldChangeRow::Bytes(long_bytes(path, old, new, how))
        }
        FieldChange::Value { path, field, old, new } => {
            let [old_pages, new_pages] = how.pages;
            let [a, b] = [(old, old_pages), (new, new_pages)].map(|(value, pages)| {
                value
                    .as_ref()
                    .map_or_else(SideValue::default, |value| SideValue::of(field, value, pages))
            });
            let mut row = ValueChangeRow {
                path: path.clone(),
                kind: field.ty.name(),
                old: a.value,
                old_bytes: a.bytes,
                old_meaning: a.meaning,
                new: b.value,
                new_bytes: b.bytes,
                new_meaning: b.meaning,
                unit: Some(field.unit).filter(|unit| !unit.is_empty()),
                ..ValueChangeRow::default()
            };
            if how.for_people {
                details(&mut row, field, [old.as_ref(), new.as_ref()], how.pages);
            }
            FieldChangeRow::Value(Box::new(row))
        }
        FieldChange::List { path, old, new, changed, added, removed, items } => {
            FieldChangeRow::List(ListChangeRow {
                path: path.clone(),
                kind: "list",
                old_count: *old,
                new_count: *new,
                changed: *changed,
                added: *added,
                removed: *removed,
                items: ItemRows { items, how },
            })
        }
        FieldChange::Group { path, is_new, count, fields: first } => {
            FieldChangeRow::Group(GroupChangeRow {
                path: path.clone(),
                kind: "group",
                old_count: if *is_new { 0 } else { *count },
                new_count: if *is_new { *count } else { 0 },
                fields: FieldRows { changes: first, how },
            })
        }
        FieldChange::Content { old, new, start, old_len, new_len } => {
            FieldChangeRow::Bytes(bytes("content", [*old, *new], *start, [*old_len, *new_len]))
        }
    }
}

/// Long bytes, as the stretch of them that differs.
fn long_bytes(path: &str, old: &[u8], new: &[u8], how: DifferenceForm<'_>) -> BytesChangeRow {
    let FieldChange::Content { old: a, new: b, start, old_len, new_len } = stretch(old, new) else {
        let sizes = [old.len() as u64, new.len() as u64];
        return bytes(path, sizes, 0, sizes);
    };
    let mut row = bytes(path, [a, b], start, [old_len, new_len]);
    let parts = [part(old, start, old_len), part(new, start, new_len)];
    if let ([Some(a), Some(b)], true) = (parts, how.for_people) {
        (row.old_part, row.new_part) = (Some(a), Some(b));
    }
    row
}

fn bytes(
    path: &str,
    [old_size, new_size]: [u64; 2],
    start: u64,
    [old_length, new_length]: [u64; 2],
) -> BytesChangeRow {
    let (path, kind) = (path.to_owned(), "bytes");
    let (old_part, new_part) = (None, None);
    BytesChangeRow {
        path,
        kind,
        old_size,
        new_size,
        start,
        old_length,
        new_length,
        old_part,
        new_part,
    }
}

/// The value of a field on one side.
#[derive(Default)]
struct SideValue {
    value: Option<Value>,
    bytes: Option<String>,
    meaning: Option<String>,
}

impl SideValue {
    fn of(field: &Field, value: &Val<'_>, pages: &CodePages) -> SideValue {
        SideValue {
            value: Some(field.to_json(value, pages)),
            bytes: value.stored_text(pages),
            meaning: field.meaning_in(value, pages).map(Cow::into_owned),
        }
    }
}

/// Adds the details for people beside both values.
fn details(
    row: &mut ValueChangeRow,
    field: &Field,
    sides: [Option<&Val<'_>>; 2],
    [old_pages, new_pages]: Pages<'_>,
) {
    let shown = |value: Option<&Val<'_>>, pages: &CodePages| {
        value.map(|value| field.print(value, pages).to_string())
    };
    let [old, new] = sides;
    (row.old_shown, row.new_shown) = (shown(old, old_pages), shown(new, new_pages));
    if let [Some(Val::Text(old)), Some(Val::Text(new))] = sides
        && row.old_shown == row.new_shown
    {
        // Names may differ behind the NUL where they end.
        (row.old_bytes, row.new_bytes) = (Some(to_hex(old)), Some(to_hex(new)));
    }
    let [Some(old), Some(new)] = sides else { return };
    let parts = field.parts_of(old).zip(field.parts_of(new)).filter(|(old, new)| old != new);
    let changed: Vec<String> = parts.map(|(old, new)| changed_part(&old, &new)).collect();
    row.bits = (!changed.is_empty()).then_some(changed);
}

/// A flag that was set or cleared, as `+name` or `-name`; a number as `name: old -> new`.
fn changed_part(old: &PartValue, new: &PartValue) -> String {
    let text = |part: &PartValue| part.meaning().map_or(part.value.to_string(), String::from);
    match new.value {
        Val::Bool(true) => format!("+{}", new.name),
        Val::Bool(false) => format!("-{}", new.name),
        _ => format!("{}: {} -> {}", new.name, text(old), text(new)),
    }
}

/// The bytes of a stretch as hexadecimal digits, where they are few.
fn part(bytes: &[u8], start: u64, len: u64) -> Option<String> {
    let range = usize::try_from(start).ok()?..usize::try_from(start.checked_add(len)?).ok()?;
    let part = bytes.get(range).filter(|part| part.len() <= LONG_FOR_PEOPLE)?;
    Some(to_hex(part))
}
