//! Chunks of Virtools objects: read, checked, walked, copied, taken apart and built again, found by path.
#![no_main]

#[path = "chunks.rs"]
mod chunks;

use chunks::{budget, limited};
use spelunk_core::{
    Collect, Space, Span, Task, Walk, Walked,
    walk::{Coverage, Fault, finish},
};
use virtools::chunk::{
    Chunk, buffer::ChunkBuf, decoded::Decoded, is_surely_sound, path::PartPosition,
};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    surely_sound(data);
    chunks::each(data, |chunk, bytes| {
        let mut sink = Collect::default();
        limited(chunk.verify(&mut Task::new(budget(bytes), &mut sink)));
        covered(chunk.at, |walk| chunk.walk(&mut budget(bytes), walk));
        if let Some(copy) = limited(ChunkBuf::copy(chunk, &mut budget(bytes))) {
            assert_eq!(copy.to_bytes().unwrap(), bytes);
        }
        if let Ok(decoded) = Decoded::of(chunk, &mut budget(bytes)) {
            assert_eq!(decoded.build().unwrap().to_bytes().unwrap(), bytes);
        }
        paths(chunk, bytes);
    });
});

/// A chunk that need not be looked at is one in which nothing is found.
fn surely_sound(data: &[u8]) {
    if is_surely_sound(data) {
        let chunk = Chunk::read(data, Span::file(0, data.len() as u64)).unwrap();
        let mut sink = Collect::default();
        chunk.verify(&mut Task::new(budget(data), &mut sink)).unwrap();
        assert!(sink.findings.is_empty(), "{:?}", sink.findings);
        assert!(chunk.rest.is_empty());
    }
}

/// A walk covers every byte of `at` once, and no other.
fn covered(at: Span, walk: impl FnOnce(&mut dyn Walk) -> Walked) {
    let mut coverage = Coverage::default();
    if limited(finish(walk(&mut coverage))).is_some() {
        let faults = coverage.check(Space::FILE, at.end());
        let before = Fault::Gap(Span::file(0, at.start));
        assert!(faults.iter().all(|fault| *fault == before), "{at}: {faults:?}");
    }
}

/// What is listed is found by its path, and its place leads back to its path and to its bytes.
fn paths(chunk: &Chunk<'_>, bytes: &[u8]) {
    const MOST: usize = 48;
    let mut found: Vec<(String, Option<PartPosition>)> = vec![(String::new(), None)];
    let mut next = 0;
    while let Some((above, of)) = found.get(next).cloned() {
        next += 1;
        limited(finish(chunk.children(of, &mut budget(bytes), &mut |child| {
            if found.len() <= MOST {
                let glue = if above.is_empty() { "" } else { "/" };
                found.push((format!("{above}{glue}{}", child.step), Some(child.place)));
            }
            Ok(())
        })));
    }
    for (path, place) in found {
        let Some(place) = place else { continue };
        if let Some(named) = limited(chunk.find(&path, &mut budget(bytes))) {
            assert_eq!(named, Some(place), "{path}");
        }
        if let Some(back) = limited(chunk.path(place, &mut budget(bytes))) {
            assert_eq!(back, Some(path));
        }
        if let Some(part) = limited(chunk.part(place, &mut budget(bytes))) {
            let part = part.unwrap();
            let start = (part.at.start - chunk.at.start) as usize;
            assert_eq!(start, place.index as usize * 4);
            assert_eq!(part.bytes, &bytes[start..start + part.at.len as usize]);
            covered(part.at, |walk| part.walk(&mut budget(bytes), walk));
        }
    }
}
