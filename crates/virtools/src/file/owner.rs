//! Owners of chunks.

/// Owner of a chunk: a manager or an object, by position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Owner {
    /// The manager at this position of [`Records::managers`](super::data::Records::managers).
    Manager(u32),
    /// The object at this position of the object table.
    Object(u32),
}
