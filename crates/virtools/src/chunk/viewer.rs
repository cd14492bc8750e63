//! Interface data: what only the editor needs (`docs/formats/virtools.md#126-behaviours`).

use super::{Chunk, buffer::ChunkBuf, read::Reader};
use spelunk_core::{Budget, Result};

/// Identifier of the interface data in the chunk of a CKBehavior.
pub const INTERFACE: u32 = 0x10;
/// Class of the sub-chunk that holds them.
pub const INTERFACE_CLASS: u32 = u32::MAX;

/// The chunk of a CKBehavior without its interface data, as files for the viewer have it; `None` where it has
/// none. The sub-chunk may be a null one; anything else under that identifier is not touched.
///
/// # Errors
/// [`IDENTIFIER`](crate::codes::IDENTIFIER) where the chain of identifiers is broken; limits.
pub fn without_interface(chunk: &Chunk<'_>, budget: &mut Budget) -> Result<Option<ChunkBuf>> {
    let Some(mut reader) = Reader::find(*chunk, INTERFACE) else { return Ok(None) };
    let holds = match reader.sub_chunk("interface") {
        Ok(sub) => sub.is_none_or(|sub| sub.class_id == INTERFACE_CLASS) && reader.remaining() == 0,
        Err(_) => false,
    };
    if !holds {
        return Ok(None);
    }
    let mut chunk = ChunkBuf::copy(chunk, budget)?;
    chunk.remove_section(INTERFACE)?;
    Ok(Some(chunk))
}
