//! Values of parameters as text.

use crate::{
    class::{
        parameter::{TypedValue, Value},
        parameter_out::ParameterOut,
        parameter_type::{self, ParameterType},
    },
    codec::{Saved, names::TargetResolver},
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
        /// Class of the target, or another kind of thing.
        kind: String,
        /// Name as stored.
        name: Vec<u8>,
    },
    /// The members of a structure, with their names where those are known.
    Members(Vec<(Option<&'static str>, ValueText)>),
}

impl ValueText {
    pub(crate) fn of(content: &TypedValue, names: &dyn TargetResolver) -> ValueText {
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
                        (_, _, Some(members)) => {
                            ValueText::members(content.parameter_type, members, names)
                        }
                        _ => plain("sub-chunk"),
                    },
                }
            }
            Value::Buffer(bytes) => {
                buffer(parameter_type::field(content.parameter_type), &bytes.items)
            }
            Value::Type([d1, d2]) => match parameter_type::label([*d1, *d2]) {
                Some(label) => plain(label),
                None => ValueText::Plain(Val::Guid(*d1, *d2).to_string()),
            },
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

    /// The members of a structure, each a parameter of its own.
    fn members(
        structure: [u32; 2],
        members: &[Option<Box<Saved<ParameterOut>>>],
        names: &dyn TargetResolver,
    ) -> ValueText {
        let known = parameter_type::find(structure).map(ParameterType::members);
        let mut known = known.into_iter().flatten();
        let member = |member: &Option<Box<Saved<ParameterOut>>>| {
            let content = member.as_ref().and_then(|own| own.value.parameter.parameter.as_ref());
            let none = || ValueText::Plain("null".into());
            let value = content.map_or_else(none, |content| ValueText::of(content, names));
            (known.next().map(|known| known.name), value)
        };
        ValueText::Members(members.iter().map(member).collect())
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
            ValueText::Members(members) => {
                let member = |(name, value): &(Option<&str>, ValueText)| match name {
                    Some(name) => format!("{name}: {}", value.show(pages)),
                    None => value.show(pages),
                };
                let members: Vec<_> = members.iter().map(member).collect();
                format!("{{{}}}", members.join("; "))
            }
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
