//! Building block of a behaviour (`docs/formats/virtools.md#126-behaviours`).

use super::{Chunk, read::Reader};
use spelunk_core::scalar::Guid;

/// Identifier of the prototype in the oldest chunks of behaviours.
pub const OLD_PROTOTYPE: u32 = 0x0004_0000;
/// Identifier of flags and prototype in the chunks of behaviours.
pub const NEW_DATA: u32 = 0x20;
/// Flag of behaviours that are building blocks, made from a prototype, rather than graphs.
pub const BUILDING_BLOCK: u32 = 0x8000;

/// The GUID of the prototype of a building block, from the chunk of a CKBehavior; `None` for a graph, and where
/// the chunk does not say. Below data version 5 the GUID stands before the flags; such chunks, and the older
/// ones with an identifier for it, are known from code only.
pub fn prototype(chunk: &Chunk<'_>) -> Option<Guid> {
    if let Some(mut old) = Reader::find(*chunk, OLD_PROTOTYPE) {
        return old.guid("prototype").ok();
    }
    let (guid, flags) = new_data(chunk)?;
    guid.filter(|_| flags & BUILDING_BLOCK != 0)
}

/// The flags of a behaviour, from its chunk; `None` where it does not hold them.
pub fn flags(chunk: &Chunk<'_>) -> Option<u32> {
    new_data(chunk).map(|(_, flags)| flags)
}

/// GUID that may be the prototype, and the flags, which decide whether it is one.
fn new_data(chunk: &Chunk<'_>) -> Option<(Option<Guid>, u32)> {
    let mut reader = Reader::find(*chunk, NEW_DATA)?;
    if chunk.data_version() < 5 {
        let guid = reader.guid("prototype").ok()?;
        return Some((Some(guid), reader.dword("flags").ok()?));
    }
    let flags = reader.dword("flags").ok()?;
    Some((reader.guid("prototype").ok(), flags))
}
