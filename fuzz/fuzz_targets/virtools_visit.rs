//! The visit of a Virtools chunk and of its sub-chunks: places tell the truth, and agree with those that are
//! remapped.
#![no_main]

#[path = "chunks.rs"]
mod chunks;

use chunks::{budget, limited};
use spelunk_core::{Result, scalar::Guid};
use std::collections::BTreeSet;
use virtools::chunk::{
    Chunk,
    decoded::Decoded,
    remap::{self, DwordKind},
    visit::Visit,
};

libfuzzer_sys::fuzz_target!(|data: &[u8]| chunks::each(data, |chunk, bytes| {
    let mut seen = Seen { bytes, places: BTreeSet::new(), around: Vec::new() };
    seen.around.push((0, ids_are_raw(chunk)));
    let Some(visited) = nested(chunk.visit(&mut seen, &mut budget(bytes))) else { return };
    let Some(places) = nested(remap::places(chunk, &mut budget(bytes))) else { return };
    let (Some(()), Some(places)) = (visited, places) else {
        assert!(visited.is_none(), "nothing is followed deeper than the visit goes");
        return;
    };
    assert_eq!(seen.around.len(), 1, "everything that is entered is left");
    let unique: BTreeSet<_> = places.iter().map(|(index, kind)| key(*index, *kind)).collect();
    assert_eq!(unique.len(), places.len(), "every place is told once");
    assert!(unique.is_subset(&seen.places), "{:?}", unique.difference(&seen.places));
    // Damaged entries are shown and not remapped; a chunk that is built again from its items has none.
    if Decoded::of(chunk, &mut budget(bytes)).is_ok() {
        assert_eq!(unique, seen.places);
    }
}));

/// An id or a number of a manager: the index of its dword, and the manager.
type Key = (usize, Option<[u32; 2]>);

fn key(index: usize, kind: DwordKind) -> Key {
    match kind {
        DwordKind::Object => (index, None),
        DwordKind::Manager(guid) => (index, Some([guid.d1.get(), guid.d2.get()])),
    }
}

/// Whether ids that are found in a chunk are those of objects.
fn ids_are_raw(chunk: &Chunk<'_>) -> bool {
    chunk.is_marked() || !chunk.file_mode
}

/// The result of what is refused at limits and where sub-chunks nest too deeply: `None` at a limit, `Some(None)`
/// where they do.
fn nested<T>(result: Result<T>) -> Option<Option<T>> {
    match result {
        Err(error) if error.code().id == virtools::codes::NESTING.id => Some(None),
        result => limited(result).map(Some),
    }
}

struct Seen<'b> {
    bytes: &'b [u8],
    places: BTreeSet<Key>,
    /// Where the chunks around begin, outermost first, and whether their ids are raw.
    around: Vec<(usize, bool)>,
}

impl Seen<'_> {
    fn word(&self, index: usize) -> u32 {
        let word = self.bytes[index * 4..].first_chunk().unwrap();
        u32::from_le_bytes(*word)
    }
}

impl Visit for Seen<'_> {
    fn object(&mut self, at: usize, id: u32) -> Result<()> {
        assert_eq!(self.word(at), id);
        if self.around.last().is_some_and(|(_, raw)| *raw) {
            self.places.insert(key(at, DwordKind::Object));
        }
        Ok(())
    }

    fn manager_int(&mut self, at: usize, guid: Guid, value: u32) -> Result<()> {
        assert_eq!(self.word(at), value);
        self.places.insert(key(at, DwordKind::Manager(guid)));
        Ok(())
    }

    fn enter(&mut self, at: usize, chunk: &Chunk<'_>) -> Result<()> {
        assert_eq!(u64::from(self.word(at)) * 4 + 4, chunk.at.len);
        self.around.push((at, ids_are_raw(chunk)));
        Ok(())
    }

    fn leave(&mut self, at: usize, _: &Chunk<'_>) -> Result<()> {
        assert_eq!(self.around.pop().map(|(entered, _)| entered), Some(at));
        Ok(())
    }
}
