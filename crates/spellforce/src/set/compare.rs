//! Comparison of files that hide each other.

use super::{LayerPosition, Set};
use crate::bytes::tolerate;
use spelunk_core::{Bytes, Result, Seg, Task};

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

/// Hands every path that more than one file has to `each`, with how they differ. Files of different sizes are not read; one that is
/// damaged counts as another content, and is reported.
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
    let size = set.size(first, task)?;
    for other in rest {
        if set.size(*other, task)? != size {
            return Ok(Differ::Size);
        }
    }
    task.transient(|task| {
        let Some(bytes) = read(set, first, task)? else { return Ok(Differ::Content) };
        for other in rest {
            task.budget.touch(bytes.len() as u64)?;
            if read(set, *other, task)?.is_none_or(|other| other != bytes) {
                return Ok(Differ::Content);
            }
        }
        Ok(Differ::Not)
    })
}

/// The content of a file; `None` where it is damaged, which is reported.
fn read(set: &Set, place: LayerPosition, task: &mut Task<'_>) -> Result<Option<Bytes>> {
    match set.bytes(place, task) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.ends_work() => Err(error),
        Err(error) => {
            let archive = Seg::Key(set.layer(place.layer).to_owned().into());
            tolerate(error.within(archive), task).map(|()| None)
        }
    }
}
