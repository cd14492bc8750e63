//! Explanations of bytes: the field that a byte belongs to, and the bytes that a field, an entry or a part of a file has.

mod layout;
mod part;
mod place;

pub use layout::{LayoutSink, Placed, layout};
pub use part::SpanSelection;
pub use place::place;

use crate::{
    Container, Result, Space, Task,
    core::walk::{Locate, Located, finish},
};

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
