//! The JSON form of walks and findings.
//!
//! Groups become objects, lists arrays; values are what [`Field::to_json`] makes of them. A text of the file that is not, byte
//! for byte, what is shown has its stored bytes beside it: `name` and `name_bytes`.

use crate::codes;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use spelunk_core::{
    Error, Field, Finding, Halt, Result, Seg, Severity, Shape, Span, Step, Val, Walk, Walked,
    text::CodePages,
    value::{Json, PartValue},
    walk::{FlatField, Group, finish},
};
use std::{borrow::Cow, path::Path};

/// The name of a file on disk. What is no UTF-8 in it is escaped, as `\xNN`.
pub fn path(path: &Path) -> String {
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| name.push_str(&format!("\\x{byte:02X}")));
    }
    name
}

/// The fields that `walked` pushes, as an object.
///
/// # Errors
/// The error that ended the walk, with what came before it.
pub fn object(
    pages: &CodePages,
    walked: impl FnOnce(&mut dyn Walk) -> Walked,
) -> (Map<String, Value>, Result<()>) {
    let (map, _, result) = object_within(pages, u64::MAX, walked);
    (map, result)
}

/// As [`object`], with so many bytes of memory at the most; and the memory that the object takes.
///
/// # Errors
/// [`MEMORY`](codes::core::MEMORY) beyond that; the error that ended the walk. What came before it is there.
pub fn object_within(
    pages: &CodePages,
    most: u64,
    walked: impl FnOnce(&mut dyn Walk) -> Walked,
) -> (Map<String, Value>, u64, Result<()>) {
    let open = vec![(String::new(), Node::Object(Map::new()))];
    let mut tree = JsonBuilder { pages, open, held: 0, most };
    let result = finish(walked(&mut tree));
    while tree.open.len() > 1 {
        tree.close();
    }
    match tree.open.pop() {
        Some((_, Node::Object(map))) => (map, tree.held, result),
        _ => (Map::new(), tree.held, result),
    }
}

/// Memory of a text beside its characters, in bytes.
const TEXT: u64 = 16;
/// Memory of an entry of an object beside its texts, in bytes, while there is room for twice as many beside the old ones.
pub const ENTRY: u64 = 3 * size_of::<(usize, String, Value)>() as u64 + 24;
/// Memory of an item of a list, in bytes, while there is room for twice as many beside the old ones.
const GROWING: u64 = 3 * size_of::<Value>() as u64;
/// A text so short is nothing that has to be agreed to.
const LEAST: u64 = 4096;
/// Memory of an empty object or list, in bytes.
const EMPTY: u64 = 64;

/// The memory that a value takes, about.
pub fn held(value: &Value) -> u64 {
    let inner = match value {
        Value::String(text) => (text.len() as u64).saturating_add(TEXT),
        Value::Array(items) => items.iter().map(held).fold(0, u64::saturating_add),
        Value::Object(map) => held_by(map),
        _ => 0,
    };
    inner.saturating_add(size_of::<Value>() as u64)
}

/// The memory that the entries of an object take, about.
pub fn held_by(map: &Map<String, Value>) -> u64 {
    let entry = |(key, value): (&String, &Value)| {
        held(value).saturating_add((key.len() as u64).saturating_add(ENTRY))
    };
    map.iter().map(entry).fold(EMPTY, u64::saturating_add)
}

/// Appends the fields that `walked` pushes to the text of an object that is open: what [`object`] makes, without a value
/// for each of them. The names of fields are taken to be different; those that are `known` already are
/// passed over. The text may take `most` bytes of memory while it grows.
///
/// # Errors
/// [`MEMORY`](codes::core::MEMORY) beyond that; the error that ended the walk. What came before it is there.
pub fn append(
    pages: &CodePages,
    out: &mut Vec<u8>,
    most: u64,
    known: &[&str],
    walked: impl FnOnce(&mut dyn Walk) -> Walked,
) -> Result<()> {
    let mut text = JsonWriter { pages, out, most, known, open: vec![Shape::Record] };
    let result = finish(walked(&mut text));
    while text.open.len() > 1 {
        text.close();
    }
    result
}

/// Writes JSON as it is walked.
struct JsonWriter<'p, 'o> {
    pages: &'p CodePages,
    out: &'o mut Vec<u8>,
    most: u64,
    known: &'o [&'o str],
    /// The groups that are open, the innermost last.
    open: Vec<Shape>,
}

impl JsonWriter<'_, '_> {
    /// Agrees to so many bytes more. A text grows to twice its length beside the old one.
    fn hold(&self, more: usize) -> Result<()> {
        let len = (self.out.len() as u64).saturating_add(more as u64);
        if len.saturating_mul(3) <= self.most.max(LEAST) {
            return Ok(());
        }
        let error = Error::new(&codes::core::MEMORY);
        Err(error.expected(format!("at most {} bytes", self.most)).found("more values"))
    }

    /// Begins a value of the innermost group.
    fn begin(&mut self, name: &str) {
        let shape = self.open.last().copied().unwrap_or(Shape::Record);
        if shape == Shape::Value {
            return;
        }
        if !matches!(self.out.last(), None | Some(b'{' | b'[')) {
            self.out.push(b',');
        }
        if shape == Shape::Record {
            self.value(name);
            self.out.push(b':');
        }
    }

    fn value(&mut self, value: &(impl serde::Serialize + ?Sized)) {
        // Memory takes everything, and plain values have a form in JSON.
        let _ = serde_json::to_writer(&mut *self.out, value);
    }

    fn close(&mut self) {
        match self.open.pop() {
            Some(Shape::Record) => self.out.push(b'}'),
            Some(Shape::List) => self.out.push(b']'),
            // One that stayed empty.
            Some(Shape::Value) if matches!(self.out.last(), Some(b':' | b'[' | b',')) => {
                self.out.extend_from_slice(b"null");
            }
            Some(Shape::Value) | None => {}
        }
    }
}

impl Walk for JsonWriter<'_, '_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        let name = match &group.name {
            Seg::Field(name) => Cow::Borrowed(*name),
            Seg::Key(key) => Cow::Borrowed(&**key),
            Seg::Index(index) => Cow::Owned(index.to_string()),
        };
        self.hold(texts_of_name(&name))?;
        self.begin(&name);
        match group.shape {
            Shape::Record => self.out.push(b'{'),
            Shape::List => self.out.push(b'['),
            Shape::Value => {}
        }
        self.open.push(group.shape);
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, _at: Option<Span>, value: Val<'_>) -> Walked {
        if self.open.len() == 1 && self.known.contains(&field.name) {
            return Ok(());
        }
        self.hold(texts_of(&value).saturating_add(texts_of_name(field.name)))?;
        self.begin(field.name);
        self.value(&Json(&value, self.pages));
        let named = self.open.last() == Some(&Shape::Record);
        if let Some(stored) = value.stored_text(self.pages).filter(|_| named) {
            self.begin(&format!("{}_bytes", field.name));
            self.value(&stored);
        }
        Ok(())
    }

    fn leave(&mut self, _shape: Shape) -> Walked {
        self.close();
        Ok(())
    }
}

enum Node {
    Object(Map<String, Value>),
    List(Vec<Value>),
    Value(Value),
}

struct JsonBuilder<'p> {
    pages: &'p CodePages,
    open: Vec<(String, Node)>,
    /// Memory that all of it takes, and how much it may.
    held: u64,
    most: u64,
}

impl JsonBuilder<'_> {
    /// Takes the memory of a value with these texts, in what is open. A list grows to twice its length beside the old one, and
    /// gives the room back that it did not need.
    fn hold(&mut self, name: &str, texts: usize) -> Result<()> {
        let slot = match self.open.last() {
            Some((_, Node::List(_))) => GROWING,
            Some((_, Node::Object(_))) => ENTRY.saturating_add(name.len() as u64),
            _ => 0,
        };
        self.held = self.held.saturating_add(slot.saturating_add(texts as u64));
        if self.held > self.most {
            let error = Error::new(&codes::core::MEMORY);
            return Err(error
                .expected(format!("at most {} bytes", self.most))
                .found("more values"));
        }
        Ok(())
    }

    fn put(&mut self, name: &str, value: Value) {
        match self.open.last_mut() {
            Some((_, Node::Object(map))) => drop(map.insert(name.to_owned(), value)),
            Some((_, Node::List(list))) => list.push(value),
            Some((_, Node::Value(slot))) => *slot = value,
            None => {}
        }
    }

    fn close(&mut self) {
        let Some((name, node)) = self.open.pop() else { return };
        let value = match node {
            Node::Object(map) => Value::Object(map),
            Node::List(mut list) => {
                list.shrink_to_fit();
                let spare = GROWING - size_of::<Value>() as u64;
                self.held = self.held.saturating_sub(spare.saturating_mul(list.len() as u64));
                Value::Array(list)
            }
            Node::Value(value) => value,
        };
        self.put(&name, value);
    }
}

impl Walk for JsonBuilder<'_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        let name = match &group.name {
            Seg::Field(name) => (*name).to_owned(),
            Seg::Key(key) => key.clone().into_owned(),
            // Items of lists have no names there.
            Seg::Index(_) if matches!(self.open.last(), Some((_, Node::List(_)))) => String::new(),
            Seg::Index(index) => index.to_string(),
        };
        let node = match group.shape {
            Shape::Record => Node::Object(Map::new()),
            Shape::List => Node::List(Vec::new()),
            Shape::Value => Node::Value(Value::Null),
        };
        self.hold(&name, EMPTY as usize)?;
        self.open.push((name, node));
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, _at: Option<Span>, value: Val<'_>) -> Walked {
        self.hold(field.name, texts_of(&value))?;
        let stored = value.stored_text(self.pages);
        self.put(field.name, field.to_json(&value, self.pages));
        if let (Some(stored), Some((_, Node::Object(map)))) = (stored, self.open.last_mut()) {
            map.insert(format!("{}_bytes", field.name), stored.into());
        }
        Ok(())
    }

    fn leave(&mut self, _shape: Shape) -> Walked {
        self.close();
        Ok(())
    }
}

/// Returns the bytes that a name takes in a text: any of its characters may be one that is escaped.
const fn texts_of_name(name: &str) -> usize {
    const ESCAPED: usize = 6;
    const MARKS: usize = 8;
    name.len().saturating_mul(ESCAPED).saturating_add(MARKS)
}

/// Returns the bytes that the JSON of a value takes at the most beside the value itself.
fn texts_of(value: &Val<'_>) -> usize {
    let entry = ENTRY as usize;
    match value {
        // What is shown may take three times what is stored, which stands beside it in hexadecimal.
        Val::Text(bytes) => bytes.len().saturating_mul(5).saturating_add(entry),
        Val::Bytes(bytes) => bytes.len().saturating_mul(2).saturating_add(TEXT as usize),
        Val::Str(text) => text.len().saturating_add(TEXT as usize),
        Val::F(number) if !number.is_finite() => entry.saturating_add(EMPTY as usize),
        Val::None | Val::Bool(_) | Val::U(_) | Val::I(_) | Val::F(_) | Val::Ref(..) => 0,
        Val::List(items) => {
            let item = |item| texts_of(item).saturating_add(size_of::<Value>());
            items.iter().map(item).fold(EMPTY as usize, usize::saturating_add)
        }
        Val::Word(_) | Val::Word64(_) | Val::Guid(..) | Val::Uuid(_) | Val::Hash(..) => 56,
    }
}

/// A field of an entry.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FieldRow<'f> {
    /// Path of the field inside the entry.
    pub path: &'f str,
    /// Type of the field: u8, i32, f32, word, guid, text, bytes ...
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Place in the file.
    #[serde(flatten)]
    pub at: Option<StoredAt>,
    /// The value. Versions, flags, hashes and GUIDs are text; numbers that JSON lacks are objects with their bits.
    pub value: Value,
    /// The stored bytes of a text, where they are not exactly what is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "^([0-9a-f]{2})*$"))]
    pub value_bytes: Option<String>,
    /// Meaning of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meaning: Option<Cow<'f, str>>,
    /// The parts of a packed word.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartRow>,
    /// Unit of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
}

/// A part of a packed word.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PartRow {
    /// Name of the part.
    pub name: &'static str,
    /// Value of the part: a flag is true or false.
    pub value: Value,
    /// Meaning of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meaning: Option<String>,
    /// Unit of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
}

impl PartRow {
    fn of(part: &PartValue, pages: &CodePages) -> PartRow {
        PartRow {
            name: part.name,
            value: part.value.to_json(pages),
            meaning: part.meaning().map(Into::into),
            unit: Some(part.field.unit).filter(|unit| !unit.is_empty()),
        }
    }
}

/// A field of an entry for people.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ShownFieldRow<'f> {
    /// Path of the field inside the entry.
    pub path: &'f str,
    /// Type of the field: u8, i32, f32, word, guid, text, bytes ...
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Place in the file.
    #[serde(flatten)]
    pub at: Option<StoredAt>,
    /// The value as people read it, with its unit and what it stands for.
    pub shown: String,
    /// Whether the value stands for something.
    pub has_meaning: bool,
}

/// A field of an entry with its description, for whoever changes it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DescribedFieldRow<'f> {
    /// The field, with its value.
    #[serde(flatten)]
    pub field: FieldRow<'f>,
    /// Description of the field, in a sentence or two.
    pub doc: &'static str,
    /// Names of known values, any of which may stand for the number. Others are legal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<&'static str>,
    /// The same for the parts of a packed word, those with names alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub part_choices: Vec<PartChoices>,
    /// Whether it refers to an entry, which a value names by its path.
    pub refers: bool,
}

/// Names of known values of a part of a packed word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PartChoices {
    /// Name of the part.
    pub name: &'static str,
    /// Names of its values.
    pub choices: Vec<&'static str>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StoredAt {
    /// `file`, or the name of an inflated section.
    pub space: String,
    /// Offset in the space, in bytes.
    pub offset: u64,
    /// Stored size in bytes.
    pub size: u64,
}

impl From<Span> for StoredAt {
    fn from(at: Span) -> StoredAt {
        StoredAt { space: at.space.to_string(), offset: at.start, size: at.len }
    }
}

impl<'f> FieldRow<'f> {
    /// A field, with its value as data.
    pub fn of(field: &'f FlatField, pages: &CodePages) -> FieldRow<'f> {
        let described = field.field;
        FieldRow {
            path: &field.path,
            kind: described.ty.name(),
            at: field.at.map(StoredAt::from),
            value: described.to_json(&field.value, pages),
            value_bytes: field.value.stored_text(pages),
            meaning: described.meaning_in(&field.value, pages),
            parts: described.parts_of(&field.value).map(|part| PartRow::of(&part, pages)).collect(),
            unit: Some(described.unit).filter(|unit| !unit.is_empty()),
        }
    }
}

impl<'f> DescribedFieldRow<'f> {
    /// A field, with its value as data and its description.
    pub fn of(field: &'f FlatField, pages: &CodePages) -> DescribedFieldRow<'f> {
        let described = field.field;
        let names = |values: &'static [(i64, &'static str)]| -> Vec<&'static str> {
            values.iter().map(|(_, name)| *name).collect()
        };
        let parts = described.parts.iter().filter(|part| !part.field.values.is_empty());
        let part_choices = parts
            .map(|part| PartChoices { name: part.field.name, choices: names(part.field.values) })
            .collect();
        DescribedFieldRow {
            field: FieldRow::of(field, pages),
            doc: described.doc,
            choices: names(described.values),
            part_choices,
            refers: described.refers.is_some() || matches!(field.value, Val::Ref(..)),
        }
    }
}

impl<'f> ShownFieldRow<'f> {
    /// A field, with its value as people read it.
    pub fn of(field: &'f FlatField, pages: &CodePages) -> ShownFieldRow<'f> {
        ShownFieldRow {
            path: &field.path,
            kind: field.field.ty.name(),
            at: field.at.map(StoredAt::from),
            shown: field.field.print(&field.value, pages).to_string(),
            has_meaning: field.field.meaning_in(&field.value, pages).is_some(),
        }
    }
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Diagnostic {
    /// An error makes `verify` fail; warnings and notes do not.
    #[schemars(extend("enum" = ["error", "warning", "info"]))]
    pub severity: &'static str,
    /// Code of the registry; `spelunk explain CODE` describes it.
    #[schemars(regex(pattern = "^[A-Z]{2}[0-9]{3}$"))]
    pub code: &'static str,
    /// Name of the space: `file`, an inflated section, or the `statement` of a query.
    pub space: Option<String>,
    /// Offset in the space, in bytes.
    pub offset: Option<u64>,
    /// Path of the field; empty where it is about no field.
    pub path: String,
    /// Message: what is wrong, what was expected and what was found.
    pub message: String,
}

/// A finding as the contract's diagnostic.
pub fn finding(finding: &Finding) -> Diagnostic {
    diagnostic(finding.severity, &finding.error)
}

/// An error as a diagnostic.
pub fn diagnostic(severity: Severity, error: &Error) -> Diagnostic {
    let place = error.place();
    Diagnostic {
        severity: severity.name(),
        code: error.code().id,
        space: place.map(|at| at.space.to_string()),
        offset: place.map(|at| at.start),
        path: error.path(),
        message: error.message(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::{Record, Ty};

    static GROUP: Record = Record::group("group", "docs/formats/README.md", "A group.");
    static NAME: Field = Field::new("name", Ty::Text, "A name.");
    static SCALE: Field = Field::new("scale", Ty::F32, "A factor.");
    static COUNT: Field = Field::new("count", Ty::U32, "A count.");

    #[test]
    fn groups_lists_maps_and_stored_bytes() {
        let (object, result) = object(&CodePages::cp1252(), |walk| {
            walk.field(&NAME, None, Val::Text(b"T\xfcr\0".as_slice().into()))?;
            walk.field(&SCALE, None, Val::F(f32::NAN))?;
            walk.group(&Group::list("rows", &GROUP, None), |walk| {
                walk.field(&COUNT, None, Val::U(1))?;
                walk.field(&COUNT, None, Val::Word(2))
            })?;
            walk.group(&Group::record("classes", &GROUP, None), |walk| {
                walk.keyed("CKMesh", &GROUP, &COUNT, None, Val::U(3))
            })?;
            walk.enter(&Group::record("cut short", &GROUP, None))?;
            Err(Halt::Failed(Error::new(&spelunk_core::codes::TRUNCATED)))
        });
        assert!(result.is_err());
        assert_eq!(
            Value::Object(object).to_string(),
            r#"{"name":"Tür","name_bytes":"54fc7200","scale":{"bits":"0x7fc00000"},"rows":[1,"0x00000002"],"classes":{"CKMesh":3},"cut short":{}}"#
        );
    }

    #[test]
    fn a_name_that_does_not_fit_is_not_written() {
        let key = "k".repeat(LEAST as usize);
        let written = |name: Seg<'_>| {
            let (pages, mut out) = (CodePages::cp1252(), vec![b'{']);
            let group = Group { name, ..Group::record("group", &GROUP, None) };
            let result = append(&pages, &mut out, 0, &[], |walk| {
                walk.enter(&group)?;
                walk.leave(Shape::Record)
            });
            (String::from_utf8(out).unwrap(), result.map_err(|error| error.code().id))
        };
        assert_eq!(written(Seg::Key("k".into())), (r#"{"k":{}"#.to_owned(), Ok(())));
        assert_eq!(written(Seg::Key(key.as_str().into())), ("{".to_owned(), Err("SP010")));
    }
}
