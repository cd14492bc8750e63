//! Places in a file, as people write them.

use crate::{Container, Error, Result, Space, Span, core::value::integer};
use spelunk_core::codes;

/// A place as people write it: `[SPACE:]OFFSET`, decimal or `0x` hexadecimal.
///
/// # Errors
/// [`codes::BAD_PLACE`] when it is no number, no such space exists in the container, or the offset lies
/// outside of it.
pub fn place(container: &dyn Container, text: &str) -> Result<(Space, u64)> {
    let (space, number) = match text.rsplit_once(':') {
        Some((space, number)) => (Some(space), number),
        None => (None, text),
    };
    let whole = space_called(container, space).ok_or_else(|| bad(text, spaces(container)))?;
    let offset = integer(number).and_then(|number| u64::try_from(number).ok());
    let offset = offset.ok_or_else(|| Error::new(&codes::BAD_PLACE).found(quoted(text)))?;
    if offset >= whole.len {
        return Err(bad(text, format!("less than {0} ({0:#x})", whole.len)));
    }
    Ok((whole.space, offset))
}

pub(super) fn bad(text: &str, expected: String) -> Error {
    Error::new(&codes::BAD_PLACE).expected(expected).found(quoted(text))
}

pub(super) fn quoted(text: &str) -> String {
    format!("`{text}`")
}

/// The whole of the space of this name; of the file where none is named.
pub(super) fn space_called(container: &dyn Container, name: Option<&str>) -> Option<Span> {
    match name {
        None | Some("file") => Some(Span::file(0, container.size())),
        Some(name) => container.spaces().into_iter().find(|span| span.space.to_string() == name),
    }
}

pub(super) fn spaces(container: &dyn Container) -> String {
    let names: Vec<_> = container.spaces().iter().map(|span| span.space.to_string()).collect();
    match names.len() {
        0 => "no space but `file`: nothing in this file is packed as a whole".to_owned(),
        1..=8 => format!("one of file, {}", names.join(", ")),
        _ => format!(
            "one of file, {} ... {}",
            names.first().map_or("", String::as_str),
            names.last().map_or("", String::as_str)
        ),
    }
}
