//! Which field a byte belongs to.

use crate::{
    Container, Error, Result, Space, Task,
    walk::{Locate, Located, finish},
};
use spelunk_core::codes;

/// A place as people write it: `[SPACE:]OFFSET`, decimal or `0x` hexadecimal.
///
/// # Errors
/// [`codes::BAD_PLACE`] when it is no number, no such space exists in the container, or the offset lies
/// outside of it.
pub fn place(container: &dyn Container, text: &str) -> Result<(Space, u64)> {
    let bad = || Error::new(&codes::BAD_PLACE).found(format!("`{text}`"));
    let (space, number) = match text.rsplit_once(':') {
        Some((space, number)) => (Some(space), number),
        None => (None, text),
    };
    let (space, len) = match space {
        None | Some("file") => (Space::FILE, container.size()),
        Some(name) => container
            .spaces()
            .into_iter()
            .find(|span| span.space.to_string() == name)
            .map(|span| (span.space, span.len))
            .ok_or_else(|| bad().expected(spaces(container)))?,
    };
    let offset = match number.strip_prefix("0x").or_else(|| number.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => number.parse(),
    }
    .map_err(|_| bad())?;
    if offset >= len {
        return Err(bad().expected(format!("less than {len} ({len:#x})")));
    }
    Ok((space, offset))
}

fn spaces(container: &dyn Container) -> String {
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

/// The field that holds the byte at `offset` of `space`.
///
/// # Errors
/// When the part of the file that holds it cannot be read.
pub fn locate(
    container: &dyn Container,
    space: Space,
    offset: u64,
    task: &mut Task<'_>,
) -> Result<Option<Located>> {
    let mut locate = Locate::new(space, offset);
    finish(container.layout(task, &mut locate))?;
    Ok(locate.found)
}
