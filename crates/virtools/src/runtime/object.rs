//! Objects, and what their chunks refer to.

use super::flags;
use crate::{
    chunk::{LAST_VERSION, buffer::Header},
    class::Value,
    codec::Saved,
};
use spelunk_core::{Bytes, Result, scalar::Guid};
use std::sync::Arc;

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    pub(super) class_id: u32,
    /// Time of creation; no other object of the context has the same number, whatever its id is.
    pub(super) born: u64,
    pub(super) name: Option<Arc<[u8]>>,
    /// Time at which the object got its name.
    pub(super) named: u64,
    pub(super) flags: u32,
    /// Time at which the object became dynamic.
    pub(super) dynamic: Option<u64>,
    /// Whether it stands for one that no file held yet.
    pub(super) is_awaited: bool,
    pub(super) app_data: Option<Bytes>,
    /// Index in the sets of [`Memberships`](super::Memberships), as a group or as a scene.
    pub(super) index: Option<u32>,
    pub(super) state: Option<SavedState>,
}

/// State that an object saved, with its references.
#[derive(Clone, Debug, Default)]
pub struct SavedState {
    pub(super) chunk: Bytes,
    pub(super) links: Arc<Links>,
}

/// An object, whoever else may get its id later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Handle {
    pub(super) id: u32,
    pub(super) born: u64,
}

/// Meanings of the references of chunks. One table serves all objects of a file, so objects that are gone are null for all of
/// them at once, and no chunk changes because of it.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// The objects by the positions that chunks in file mode hold.
    pub(super) positions: Vec<Option<Handle>>,
    /// Positions by the ids that other chunks hold, from the smallest id on.
    pub(super) ids: Vec<(u32, u32)>,
}

impl Links {
    /// The object at a position.
    pub(super) fn at(&self, position: u32) -> Option<Handle> {
        self.positions.get(position as usize).copied().flatten()
    }

    /// The object that had an id when it was saved.
    pub(super) fn of_id(&self, id: u32) -> Option<Handle> {
        let found = self.ids.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        self.ids.get(found).and_then(|(_, position)| self.at(*position))
    }
}

impl Object {
    /// Class of the object.
    pub const fn class_id(&self) -> u32 {
        self.class_id
    }

    /// Name as bytes in the code page of the author; `None` where the object has none.
    pub fn name(&self) -> Option<&[u8]> {
        self.name.as_deref()
    }

    /// [Flags](flags) of the object.
    pub const fn flags(&self) -> u32 {
        self.flags
    }

    /// Data that the application left with the object.
    pub const fn app_data(&self) -> Option<&Bytes> {
        self.app_data.as_ref()
    }

    /// Whether it is only there for a while.
    pub const fn is_dynamic(&self) -> bool {
        self.dynamic.is_some()
    }

    /// Whether it is to be destroyed with the next step.
    pub const fn is_to_be_deleted(&self) -> bool {
        self.flags & flags::TO_BE_DELETED != 0
    }

    /// Whether it stands for one that no file held yet.
    pub const fn is_reference(&self) -> bool {
        self.flags & flags::ONLY_FOR_FILE_REFERENCE != 0
    }

    /// Whether it has a state: what a file held of it, or what was given to it.
    pub const fn has_state(&self) -> bool {
        self.state.is_some()
    }
}

/// The state of a manager that a file is to hold: what a file held of it first, with the changes of it; `None` where there
/// was no such file, and `is_empty`.
pub(super) fn stored(
    saved: Option<&Saved<Value>>,
    guid: Guid,
    is_empty: bool,
    change: impl FnOnce(&mut Value),
) -> Result<Option<SavedState>> {
    if saved.is_none() && is_empty {
        return Ok(None);
    }
    let new = || {
        let header = Header { file_mode: true, ..Header::new(0, 0, LAST_VERSION) };
        Saved::new(header, Value::of_manager(guid))
    };
    let mut saved = saved.cloned().unwrap_or_else(new);
    change(&mut saved.value);
    Ok(Some(SavedState { chunk: saved.write()?.to_bytes()?.into(), links: Arc::default() }))
}
