//! Comparison of files that hide each other.

use super::{LayerPosition, Set};
use spelunk_core::{Result, Task};

/// The files of one path.
#[derive(Clone, Debug)]
pub struct Copies<'a> {
    /// The path in small letters, with backslashes.
    pub path: &'a [u8],
    /// The files, the one that wins first.
    pub places: &'a [LayerPosition],
    /// The difference between the copies.
    pub differ: Differ,
}

/// Difference between files of one path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Differ {
    /// Same content.
    Not,
    /// Different sizes.
    Size,
    /// One size and different content.
    Content,
}

impl Differ {
    /// As one word; nothing where they are the same.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Differ::Not => None,
            Differ::Size => Some("size"),
            Differ::Content => Some("content"),
        }
    }
}

/// Hands every path that more than one file has to `each`, with how they differ. Files of different sizes are not read.
///
/// # Errors
/// What `each` returns; reading errors; limits.
pub fn compare(
    set: &Set,
    task: &mut Task<'_>,
    mut each: impl FnMut(&Copies<'_>, &mut Task<'_>) -> Result<()>,
) -> Result<()> {
    let view = set.view(task)?;
    for group in view.groups() {
        let places = view.places(group);
        let [first, rest @ ..] = places else { continue };
        if rest.is_empty() {
            continue;
        }
        let differ = differ(set, *first, rest, task)?;
        each(&Copies { path: view.path(group), places, differ }, task)?;
    }
    Ok(())
}

fn differ(
    set: &Set,
    first: LayerPosition,
    rest: &[LayerPosition],
    task: &mut Task<'_>,
) -> Result<Differ> {
    if rest.iter().any(|other| set.size(*other) != set.size(first)) {
        return Ok(Differ::Size);
    }
    task.transient(|task| {
        let bytes = set.bytes(first, task)?;
        for other in rest {
            task.budget.touch(bytes.len() as u64)?;
            if set.bytes(*other, task)? != bytes {
                return Ok(Differ::Content);
            }
        }
        Ok(Differ::Not)
    })
}
