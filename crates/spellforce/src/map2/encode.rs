//! Structures as the fields that they have, and the bytes that such fields make again.

use super::{
    codes,
    layout::{Part, Structure},
    records::walk_record,
};
use spelunk_core::{
    Error, Field, Group, Result, Span, Task, Ty, Val, Walk, Walked,
    walk::{Halt, Shape, Step, Trail, finish},
};
use std::ops::Range;

/// A field of a structure.
#[derive(Clone, PartialEq, Debug)]
pub struct StructureField {
    /// Path of the field in the structure, as `components[0].tag.tag`.
    pub path: String,
    /// Description of the field; of one value where that is one of several.
    pub field: Field,
    /// Place of the field in the bytes of the structure.
    pub at: Range<usize>,
}

/// Collects fields. The lengths of texts follow from these.
#[derive(Default)]
struct FieldCollector {
    trail: Trail,
    fields: Vec<StructureField>,
    held: u64,
    most: u64,
}

/// The description of a field that takes so many bytes: that of one value of several, where it is one.
pub(crate) fn of_one_value(field: &Field, len: usize) -> Field {
    let item = field.item();
    if item.ty.size() == u32::try_from(len).ok() { item } else { *field }
}

/// Whether a field is the length of a text, which is the next one.
pub(crate) fn is_length_of(length: &Field, text: &Field) -> bool {
    length.name.strip_suffix("_length").is_some_and(|name| name == text.name)
}

impl Walk for FieldCollector {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        self.trail.enter(group);
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, _: Val<'_>) -> Walked {
        let path = self.trail.path(field);
        let Some(at) = at else { return Ok(()) };
        let [start, end] = [at.start, at.end()].map(|at| usize::try_from(at).unwrap_or(usize::MAX));
        if field.ty == Ty::Text
            && self.fields.last().is_some_and(|last| is_length_of(&last.field, field))
        {
            self.fields.pop();
        }
        let each = size_of::<StructureField>().saturating_mul(2).saturating_add(path.len());
        self.held = self.held.saturating_add(each as u64);
        if self.held > self.most {
            return Err(Error::new(&spelunk_core::codes::MEMORY).found(self.held).into());
        }
        let field = of_one_value(field, end.saturating_sub(start));
        self.fields.push(StructureField { path, field, at: start..end });
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.trail.leave();
        Ok(())
    }
}

/// Bytes of a field with this path.
type Stored<'s> = &'s mut dyn FnMut(&str, &Field) -> Result<Vec<u8>>;

impl Structure {
    /// Returns the fields of the bytes of such a structure, without the lengths of its texts.
    ///
    /// # Errors
    /// Limits.
    pub fn fields(&'static self, bytes: &[u8], task: &mut Task<'_>) -> Result<Vec<StructureField>> {
        let at = Span::file(0, bytes.len() as u64);
        let most = task.budget.left().memory;
        let mut collector = FieldCollector { most, ..FieldCollector::default() };
        finish(walk_record(self, bytes, at, task, &mut collector))?;
        Ok(collector.fields)
    }

    /// Returns the bytes of the structure with these fields; texts get their lengths.
    ///
    /// # Errors
    /// Those of `stored`; [`LAYOUT`](codes::LAYOUT) for bytes that do not fit, and for what cannot be made of fields.
    pub fn encode(&self, stored: Stored<'_>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        encode(self.parts, ("", &mut 0), stored, &mut bytes)?;
        Ok(bytes)
    }

    /// Whether all of it can be made of its fields: it has no grids.
    pub fn is_made_of_fields(&self) -> bool {
        fn is(parts: &[Part]) -> bool {
            parts.iter().all(|part| match part {
                Part::Grid(_) => false,
                Part::When(_, parts) | Part::Parts(parts) => is(parts),
                Part::List(_, _, inner) | Part::Group(_, inner) => is(inner.parts),
                Part::Fixed(_) | Part::Value(_) | Part::Key(..) | Part::Text(..) => true,
            })
        }
        is(self.parts)
    }
}

/// Adds the bytes of a field, which has a fixed size.
fn put(
    (path, field, size): (&str, &Field, usize),
    stored: Stored<'_>,
    bytes: &mut Vec<u8>,
) -> Result<i64> {
    let new = stored(path, field)?;
    if new.len() != size {
        let error = Error::new(&codes::LAYOUT).expected(format!("{size} bytes for {path}"));
        return Err(error.found(format!("{} bytes", new.len())));
    }
    bytes.extend_from_slice(&new);
    Ok(match field.ty.decode(&new) {
        Val::U(number) => i64::try_from(number).unwrap_or(i64::MAX),
        Val::I(number) => number,
        _ => 0,
    })
}

/// Adds the bytes of parts, the fields of which have this prefix to their names.
fn encode(
    parts: &[Part],
    (prefix, key): (&str, &mut i64),
    stored: Stored<'_>,
    bytes: &mut Vec<u8>,
) -> Result<()> {
    let path = |name: &str| format!("{prefix}{name}");
    let size = |field: &Field| field.ty.size().unwrap_or_default() as usize;
    let unknown = |path: &str| Error::new(&codes::LAYOUT).found(path.to_owned());
    for part in parts {
        match part {
            Part::Fixed(record) => {
                for slot in record.fields {
                    let (name, field) = (path(slot.field.name), slot.field.item());
                    match slot.field.ty {
                        Ty::Array(_, count) => (0..count).try_for_each(|nth| {
                            let place = (&*format!("{name}[{nth}]"), &field, size(&field));
                            put(place, stored, bytes).map(drop)
                        })?,
                        _ => drop(put((&name, &field, slot.size as usize), stored, bytes)?),
                    }
                }
            }
            Part::Value(field) => {
                put((&path(field.name), field, size(field)), stored, bytes)?;
            }
            Part::Key(field, known) => {
                *key = put((&path(field.name), field, size(field)), stored, bytes)?;
                if !known.contains(key) {
                    return Err(unknown(&path(field.name)));
                }
            }
            Part::When(keys, parts) if keys.contains(key) => {
                encode(parts, (prefix, key), stored, bytes)?;
            }
            Part::When(..) => {}
            Part::Parts(parts) => encode(parts, (prefix, key), stored, bytes)?,
            Part::Text(length, field) => {
                let text = stored(&path(field.name), field)?;
                let len = length.encode(&Val::U(text.len() as u64), &[])?;
                bytes.extend(len.into_iter().chain(text));
            }
            Part::List(count, name, item) => {
                let count = put((&path(count.name), count, size(count)), stored, bytes)?;
                for nth in 0..count {
                    let name = format!("{prefix}{name}[{nth}]");
                    match item.parts {
                        [Part::Value(field)] => {
                            put((&name, field, size(field)), stored, bytes)?;
                        }
                        parts => encode(parts, (&format!("{name}."), &mut 0), stored, bytes)?,
                    }
                }
            }
            Part::Group(name, structure) => {
                encode(structure.parts, (&path(&format!("{name}.")), &mut 0), stored, bytes)?;
            }
            Part::Grid(grid) => return Err(unknown(&path(grid.row.name))),
        }
    }
    Ok(())
}
