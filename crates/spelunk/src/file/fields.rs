//! Fields of entries, and their values.

use super::{
    account::Charge,
    shared::{SharedFile, Snapshot},
};
use crate::{
    Class, Error, Field, Halt, Node, Result, Shape, Span, Step, Val, Walk, Walked,
    core::text::{CodePages, until_nul},
    core::value::PartValue,
    core::walk::{Flat, FlatField, Group, Trail, finish},
    entries::near_fields::with_near_fields,
    open::codes,
};
use spelunk_core::error::dotted;
use std::{
    borrow::Cow,
    fmt,
    ops::Range,
    sync::{Arc, OnceLock},
};

/// The fields of an entry, read at once.
#[derive(Clone)]
pub struct Fields {
    list: Arc<FieldList>,
}

/// A field of an entry.
#[derive(Clone)]
pub struct FileField {
    list: Arc<FieldList>,
    nth: usize,
}

/// A value of a field. It is shown as people read it: with its unit, and with what it means.
#[derive(Clone)]
pub struct FileValue {
    field: FileField,
    /// Text in a form that can be lent.
    text: OnceLock<Option<String>>,
}

struct FieldList {
    fields: Vec<FlatField>,
    shared: Arc<SharedFile>,
    _charge: Charge,
}

/// Bytes that a text takes when it is shown: four times what is stored at the most.
fn shown_len(value: &Val<'_>) -> u64 {
    match value {
        Val::Text(bytes) => (bytes.len() as u64).saturating_mul(4),
        _ => 0,
    }
}

pub(super) fn fields(shared: &Arc<SharedFile>, state: &Snapshot, node: Node) -> Result<Fields> {
    let (fields, charge) = shared.run(state, |container, task| {
        let mut flat = Flat::within(task.budget.left().memory / 2);
        let walked = finish(container.walk(node, task, &mut flat));
        if let Err(error) = walked {
            // What stands before damage can be used.
            if flat.fields.is_empty() || error.code().class != Class::Malformed {
                return Err(error);
            }
            task.error(error)?;
        }
        let shown = flat.fields.iter().map(|field| shown_len(&field.value));
        let held = flat.held().saturating_add(shown.fold(0, u64::saturating_add));
        task.budget.memory(held)?;
        Ok((flat.fields, held))
    })?;
    let list = Arc::new(FieldList { fields, shared: shared.clone(), _charge: charge });
    Ok(Fields { list })
}

pub(super) fn value(
    shared: &Arc<SharedFile>,
    state: &Snapshot,
    node: Node,
    path: &str,
) -> Result<FileValue> {
    let (field, charge) = shared.run(state, |container, task| {
        let most = task.budget.left().memory / 2;
        let mut find = Find { path, trail: Trail::default(), most, found: None };
        finish(container.walk(node, task, &mut find))?;
        let Some(field) = find.found else {
            let error = Error::new(&codes::NO_SUCH_FIELD);
            return Err(with_near_fields(error, container, node, path, task));
        };
        let held = held_by(path, &field.value);
        task.budget.memory(held)?;
        Ok((vec![field], held))
    })?;
    let list = Arc::new(FieldList { fields: field, shared: shared.clone(), _charge: charge });
    Ok(FileField { list, nth: 0 }.value())
}

/// The memory that a field of this path and value takes, with its text as it is shown.
fn held_by(path: &str, value: &Val<'_>) -> u64 {
    let own = path.len().saturating_add(value.held()).saturating_add(size_of::<FlatField>());
    (own as u64).saturating_add(shown_len(value))
}

/// Finds the field at a path, or the part of a packed word. Groups that cannot hold it are passed over.
struct Find<'p> {
    path: &'p str,
    trail: Trail,
    /// Memory that the field may take.
    most: u64,
    found: Option<FlatField>,
}

impl Walk for Find<'_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        self.trail.enter(group);
        if self.path.starts_with(&dotted(self.trail.open().map(|(name, _)| name))) {
            return Ok(Step::Into);
        }
        self.trail.leave();
        Ok(Step::Over)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        let path = self.trail.path(field);
        let (field, value) = match self.path.strip_prefix(&path).map(|rest| rest.strip_prefix('.'))
        {
            Some(None) if path == self.path => {
                let held = held_by(&path, &value);
                if held > self.most {
                    let error = Error::new(&codes::core::MEMORY);
                    let error = error.expected(format!("at most {} bytes", self.most));
                    return Err(error.found(format!("a value that takes {held}")).into());
                }
                (field, value.into_owned())
            }
            Some(Some(name)) => {
                let Some(part) = field.part_of(&value, name) else { return Ok(()) };
                (part.field, part.value)
            }
            _ => return Ok(()),
        };
        let (path, record) = (self.path.to_owned(), self.trail.record());
        self.found = Some(FlatField { path, field, record, at, value });
        Err(Halt::Stop)
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.trail.leave();
        Ok(())
    }
}

impl Fields {
    /// Number of fields.
    pub fn len(&self) -> usize {
        self.list.fields.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.fields.is_empty()
    }

    /// The field at this position.
    pub fn get(&self, nth: usize) -> Option<FileField> {
        (nth < self.len()).then(|| FileField { list: self.list.clone(), nth })
    }

    /// All of them, in the order of the walk.
    pub fn iter(&self) -> FieldsIter {
        FieldsIter { list: self.list.clone(), range: 0..self.len() }
    }
}

impl fmt::Debug for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.list.fields.iter().map(|field| &field.path)).finish()
    }
}

impl IntoIterator for Fields {
    type Item = FileField;
    type IntoIter = FieldsIter;

    fn into_iter(self) -> FieldsIter {
        self.iter()
    }
}

impl IntoIterator for &Fields {
    type Item = FileField;
    type IntoIter = FieldsIter;

    fn into_iter(self) -> FieldsIter {
        self.iter()
    }
}

/// Goes through [`Fields`].
#[derive(Clone)]
pub struct FieldsIter {
    list: Arc<FieldList>,
    range: Range<usize>,
}

impl fmt::Debug for FieldsIter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldsIter").field("range", &self.range).finish_non_exhaustive()
    }
}

impl Iterator for FieldsIter {
    type Item = FileField;

    fn next(&mut self) -> Option<FileField> {
        let nth = self.range.next()?;
        Some(FileField { list: self.list.clone(), nth })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl DoubleEndedIterator for FieldsIter {
    fn next_back(&mut self) -> Option<FileField> {
        let nth = self.range.next_back()?;
        Some(FileField { list: self.list.clone(), nth })
    }
}

impl ExactSizeIterator for FieldsIter {}

static NOTHING: Val<'static> = Val::None;
static NO_FIELD: Field = Field::new("", crate::Ty::Bytes, "Nothing.");

impl FileField {
    fn flat(&self) -> Option<&FlatField> {
        self.list.fields.get(self.nth)
    }

    /// Returns the path in the entry: `material.diffuse`, `faces[17].a`.
    pub fn path(&self) -> &str {
        self.flat().map_or("", |flat| &flat.path)
    }

    /// Returns the value.
    pub fn value(&self) -> FileValue {
        FileValue { field: self.clone(), text: OnceLock::new() }
    }

    /// Returns the description: type, unit, names of values, documentation.
    pub fn description(&self) -> &'static Field {
        self.flat().map_or(&NO_FIELD, |flat| flat.field)
    }

    /// The bytes that it is, where it lies in the file.
    pub fn place(&self) -> Option<Span> {
        self.flat().and_then(|flat| flat.at)
    }

    fn val(&self) -> &Val<'static> {
        self.flat().map_or(&NOTHING, |flat| &flat.value)
    }

    fn pages(&self) -> &CodePages {
        &self.list.shared.pages
    }
}

impl fmt::Debug for FileField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.path(), self.value())
    }
}

impl FileValue {
    /// The description of the field, or of the part of one, that has it.
    pub fn description(&self) -> &'static Field {
        self.field.description()
    }

    /// The value as walks hand it out.
    pub fn val(&self) -> &Val<'static> {
        self.field.val()
    }

    /// The number, where it is a whole one from 0 on: a count, flags, a colour, the number of what is referred to.
    pub fn as_u64(&self) -> Option<u64> {
        match self.val() {
            Val::Bool(value) => Some((*value).into()),
            Val::U(value) | Val::Word64(value) | Val::Ref(value, _) => Some(*value),
            Val::I(value) => u64::try_from(*value).ok(),
            Val::Word(value) => Some((*value).into()),
            _ => None,
        }
    }

    /// Whether it is so, where it is yes or no: a flag of a packed word, say.
    pub fn as_bool(&self) -> Option<bool> {
        match self.val() {
            Val::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The parts of a packed word, in the order of its description, flags first; none of other values.
    pub fn parts(&self) -> impl Iterator<Item = PartValue> + use<> {
        self.field.description().parts_of(self.val())
    }

    /// The number, where it is a whole one.
    pub fn as_i64(&self) -> Option<i64> {
        match self.val() {
            Val::I(value) => Some(*value),
            _ => self.as_u64().and_then(|value| i64::try_from(value).ok()),
        }
    }

    /// The number, whole or not; the nearest one where it is a whole one of more than 53 bits.
    pub fn as_f64(&self) -> Option<f64> {
        match self.val() {
            Val::F(value) => Some((*value).into()),
            Val::I(value) => Some(*value as f64),
            _ => self.as_u64().map(|value| value as f64),
        }
    }

    /// The text, where it is one: in the code pages of the file, up to the NUL that ends it.
    pub fn as_str(&self) -> Option<&str> {
        let text = self.text.get_or_init(|| match self.val() {
            Val::Text(bytes) => Some(self.field.pages().show(until_nul(bytes)).into_owned()),
            Val::Str(text) => Some(text.clone().into_owned()),
            _ => None,
        });
        text.as_deref()
    }

    /// The bytes as stored, where it is text or bytes.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self.val() {
            Val::Text(bytes) | Val::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns what the value stands for: its name, names of bits, a colour as `#rrggbb`, the entry that is referred to.
    pub fn meaning(&self) -> Option<Cow<'_, str>> {
        self.field.description().meaning_in(self.val(), self.field.pages())
    }

    /// The unit, where it has one.
    pub fn unit(&self) -> Option<&'static str> {
        Some(self.field.description().unit).filter(|unit| !unit.is_empty())
    }
}

impl fmt::Display for FileValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.field.description().print(self.val(), self.field.pages()).fmt(f)
    }
}

impl fmt::Debug for FileValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileValue({self})")
    }
}
