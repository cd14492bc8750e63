//! Values of parameters as text.

use crate::{
    class::{
        parameter::{Content, Value},
        parameter_type,
    },
    codec::names::Names,
};
use spelunk_core::{Field, Target, Ty, Val, text::CodePages, text::until_nul};

/// A value as people read it.
#[derive(Clone, PartialEq, Debug)]
pub enum ValueText {
    /// Numbers and names of our own.
    Plain(String),
    /// Text of the file, in its code page.
    Text(Vec<u8>),
    /// An object, a message or an attribute.
    Named {
        /// The position in the object table, or the number of the manager.
        index: u64,
        /// Its class, or what kind of thing it is.
        kind: String,
        /// Its name as stored.
        name: Vec<u8>,
    },
}

impl ValueText {
    pub(crate) fn of(content: &Content, names: &dyn Names) -> ValueText {
        let plain = |text: &str| ValueText::Plain(text.to_owned());
        match &content.value {
            Value::Absent | Value::None => plain("none"),
            Value::Chunk(None) => plain("null"),
            Value::Chunk(Some(chunk)) => {
                let value = &chunk.value;
                let count = |count: usize, what: &str| ValueText::Plain(format!("{count} {what}"));
                match () {
                    () if value.no_dependencies => plain("no dependencies"),
                    () if value.all_dependencies => plain("all dependencies"),
                    () if value.dependencies.is_some() => plain("custom dependencies"),
                    () => match (&value.curve, &value.objects, &value.members) {
                        (Some(Some(curve)), ..) => {
                            let points =
                                curve.value.curve.as_ref().map_or(0, |data| data.points.len());
                            count(points, "points")
                        }
                        (_, Some(objects), _) => count(objects.len(), "objects"),
                        (_, _, Some(members)) => count(members.len(), "members"),
                        _ => plain("sub-chunk"),
                    },
                }
            }
            Value::Buffer(bytes) => {
                buffer(parameter_type::field(content.parameter_type), &bytes.items)
            }
            Value::Type([d1, d2]) => ValueText::Plain(Val::Guid(*d1, *d2).to_string()),
            Value::Object(object) => match names.object(object.get(true)) {
                Some((index, target)) => named(index, target),
                None => plain("none"),
            },
            Value::Manager(number) => match names.manager_int(number.manager, number.value) {
                Some(target) => named(number.value.into(), target),
                None => ValueText::Plain(number.value.to_string()),
            },
        }
    }

    /// The value for people.
    pub fn show(&self, pages: &CodePages) -> String {
        match self {
            ValueText::Plain(text) => text.clone(),
            ValueText::Text(bytes) => format!("\"{}\"", pages.show(bytes)),
            ValueText::Named { kind, name, .. } if kind.starts_with("CK") => {
                format!("{kind}/{}", pages.show(name))
            }
            ValueText::Named { name, .. } => pages.show(name).into_owned(),
        }
    }
}

fn named(index: u64, target: Target<'_>) -> ValueText {
    let name = until_nul(&target.name).to_vec();
    ValueText::Named { index, kind: target.kind.into_owned(), name }
}

/// Bytes of a type.
fn buffer(field: &'static Field, bytes: &[u8]) -> ValueText {
    let item = match field.ty {
        Ty::Array(item, _) => *item,
        Ty::Text => return ValueText::Text(until_nul(bytes).to_vec()),
        ty => ty,
    };
    let size = item.size().map_or(0, |size| size as usize);
    if size == 0 || bytes.len().checked_rem(size) != Some(0) || bytes.len() > 64 {
        let first = bytes.get(..16).unwrap_or(bytes);
        let more = if first.len() < bytes.len() { "..." } else { "" };
        return ValueText::Plain(format!("{}{more}", Val::Bytes(first.into())));
    }
    let texts = bytes.chunks_exact(size).map(|bytes| {
        let value = item.decode(bytes);
        field.meaning(&value).map_or_else(|| value.to_string(), |name| name.into_owned())
    });
    let mut text = texts.collect::<Vec<_>>().join(", ");
    if !field.unit.is_empty() {
        text.push(' ');
        text.push_str(field.unit);
    }
    ValueText::Plain(text)
}
