//! Remapping inside Virtools chunks: nothing but the listed dwords changes, and the way back leads back.
#![no_main]

#[path = "chunks.rs"]
mod chunks;

use chunks::{budget, limited};
use spelunk_core::{Result, Span, scalar::Guid};
use virtools::chunk::{
    Chunk, Form,
    decoded::Decoded,
    remap::{self, DwordKind, Unmapped},
};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    // The map is the fuzzer's, too.
    let Some((seed, data)) = data.split_first_chunk::<4>() else { return };
    let seed = u32::from_le_bytes(*seed);
    chunks::each(data, |chunk, bytes| {
        let Ok(places) = remap::places(chunk, &mut budget(bytes)) else { return };
        // Entries that lie in each other may point elsewhere when the ids that they lie in are others.
        let sound = Decoded::of(chunk, &mut budget(bytes)).is_ok();
        objects(chunk, bytes, &places, seed, sound);
        managers(chunk, bytes, &places, seed, sound);
        parameters(chunk, bytes, seed);
    });
});

type Places = [(usize, DwordKind)];

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word))
}

/// What a remapping gives: checked to be other bytes of the same length, or those that were given.
fn changed(result: Result<Option<Vec<u8>>>, bytes: &[u8]) -> Option<Vec<u8>> {
    let new = limited(result)?;
    if let Some(new) = &new {
        assert_eq!(new.len(), bytes.len());
        assert_ne!(new, bytes, "no change is none");
    }
    Some(new.unwrap_or_else(|| bytes.to_vec()))
}

/// Every dword that is at one of the places and of this kind is mapped, all other bytes are what they were.
fn check(old: &[u8], new: &[u8], places: &Places, map: impl Fn(DwordKind, u32) -> u32) {
    let mut expected = old.to_vec();
    for (index, kind) in places {
        let slot = expected[index * 4..].first_chunk_mut::<4>().unwrap();
        let value = u32::from_le_bytes(*old[index * 4..].first_chunk().unwrap());
        *slot = map(*kind, value).to_le_bytes();
    }
    assert_eq!(new, expected);
}

/// The chunk that a remapping gave, which has the form of the one it was made from.
fn again<'a>(chunk: &Chunk<'_>, bytes: &'a [u8]) -> Chunk<'a> {
    let at = Span::file(0, bytes.len() as u64);
    match chunk.form {
        Form::Bare => Chunk::bare(chunk.class_id, bytes, at),
        _ => Chunk::read(bytes, at).unwrap(),
    }
}

fn objects(chunk: &Chunk<'_>, bytes: &[u8], places: &Places, seed: u32, sound: bool) {
    // Leads back when it is applied twice, and leaves 0 out on both sides.
    let swap = |id: u32| if id == seed { id } else { id ^ seed };
    let map = |id| Some(swap(id));
    let swapped = remap::objects(chunk, bytes, &map, Unmapped::Null, &mut budget(bytes));
    let Some(swapped) = changed(swapped, bytes) else { return };
    check(bytes, &swapped, places, |kind, id| match kind {
        DwordKind::Object if id != 0 => swap(id),
        _ => id,
    });
    let none = |id: u32| (id & 1 == 0).then(|| id.rotate_left(1));
    for (unmapped, keep) in [(Unmapped::Keep, true), (Unmapped::Null, false)] {
        let new = remap::objects(chunk, bytes, &none, unmapped, &mut budget(bytes));
        let Some(new) = changed(new, bytes) else { return };
        check(bytes, &new, places, |kind, id| match kind {
            DwordKind::Object => none(id).unwrap_or(if keep { id } else { 0 }),
            DwordKind::Manager(_) => id,
        });
    }
    if sound && !chunk.form.is_sub() {
        let mapped = again(chunk, &swapped);
        let back = remap::objects(&mapped, &swapped, &map, Unmapped::Null, &mut budget(bytes));
        assert!(changed(back, &swapped).is_none_or(|back| back == bytes));
    }
}

fn managers(chunk: &Chunk<'_>, bytes: &[u8], places: &Places, seed: u32, sound: bool) {
    let manager = places.iter().find_map(|(_, kind)| match kind {
        DwordKind::Manager(guid) => Some(*guid),
        DwordKind::Object => None,
    });
    let Some(manager) = manager else { return };
    // Turns a table of up to 64 numbers, and back.
    let len = seed % 64 + 1;
    let by = (seed >> 8) % len;
    let there: Vec<u32> = (0..len).map(|number| (number + by) % len).collect();
    let back: Vec<u32> = (0..len).map(|number| (number + len - by) % len).collect();
    let turned = remap::manager_ints(chunk, bytes, manager, &there, &mut budget(bytes));
    let Some(turned) = changed(turned, bytes) else { return };
    check(bytes, &turned, places, |kind, number| {
        let mapped = there.get(number as usize).filter(|_| kind == DwordKind::Manager(manager));
        mapped.copied().unwrap_or(number)
    });
    if sound && !chunk.form.is_sub() {
        let mapped = again(chunk, &turned);
        let back = remap::manager_ints(&mapped, &turned, manager, &back, &mut budget(bytes));
        assert!(changed(back, &turned).is_none_or(|back| back == bytes));
    }
}

fn parameters(chunk: &Chunk<'_>, bytes: &[u8], seed: u32) {
    // The type of the parameter, where there is one: what follows its identifier.
    let section = chunk.sections().find(|section| section.identifier == 0x40);
    let words_of = |index| chunk.data.get(index).copied().unwrap_or_default();
    let start = section.map_or(0, |section| section.payload().start);
    let parameter_type = Guid { d1: words_of(start), d2: words_of(start + 1) };
    let map = |value: u32| Some(value ^ seed);
    let new = remap::parameter(chunk, bytes, parameter_type, &map, &mut budget(bytes));
    let Some(new) = changed(new, bytes) else { return };
    for (old, new) in words(bytes).zip(words(&new)) {
        assert!(old == new || old ^ seed == new);
    }
    // In a sub-chunk the value may be part of what tells where the next one is.
    if chunk.chunks.words().is_empty() && !chunk.form.is_sub() {
        let mapped = again(chunk, &new);
        let back = remap::parameter(&mapped, &new, parameter_type, &map, &mut budget(bytes));
        assert!(changed(back, &new).is_none_or(|back| back == bytes));
    }
}
