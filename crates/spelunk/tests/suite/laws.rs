//! Laws that hold for every format: what opens is written back byte for byte, and the walk covers every byte
//! of the file and of every inflated section exactly once.

use crate::common::open;
use spelunk::{
    Space, WriteOptions,
    check::roundtrip::{Outcome, check},
    core::walk::{Coverage, Locate, finish},
};
use spelunk_fixtures::{corpus, samples};

/// Every fixture that the code can open, and every real file where there are some.
fn files() -> Vec<(String, Vec<u8>)> {
    let real = corpus::all().into_iter().map(|file| (file.name, file.bytes));
    common_samples().into_iter().chain(real).collect()
}

fn common_samples() -> Vec<(String, Vec<u8>)> {
    samples()
        .into_iter()
        .filter(|sample| supported(sample.name))
        .map(|sample| (sample.name.to_owned(), sample.fixture.bytes))
        .collect()
}

/// Whether this release opens the sample: the layouts that only the written specification has are refused, which
/// `refusals.rs` checks.
fn supported(name: &str) -> bool {
    !name.contains("-spec.")
}

#[test]
fn rewriting_gives_the_same_bytes() {
    for (name, bytes) in files() {
        for recompress in [false, true] {
            if recompress && bytes.len() > 16 << 20 {
                continue; // Nothing in the large files is packed.
            }
            let mut opened = open(&name, &bytes);
            let source = spelunk::Bytes::from(bytes.clone());
            let options = WriteOptions { recompress, ..WriteOptions::default() };
            let outcome = opened
                .run(|container, task| check(container, &source, &options, task))
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(outcome, Outcome::Identical, "{name}, recompress {recompress}");
            let kept = opened
                .findings()
                .counts()
                .iter()
                .filter(|(code, ..)| code.id == spelunk::open::codes::core::NO_LEVEL.id)
                .map(|(_, _, count)| count)
                .sum::<u64>();
            // LZ4 and zstd streams are only reproduced by the version that made them.
            if opened.container().format() != "snpak" {
                assert_eq!(kept, 0, "{name}: streams that no level reproduces");
            }
        }
    }
}

#[test]
fn the_walk_covers_every_byte_exactly_once() {
    for (name, bytes) in files() {
        let mut opened = open(&name, &bytes);
        let mut coverage = Coverage::default();
        opened
            .run(|container, task| finish(container.layout(task, &mut coverage)))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(coverage.check(Space::FILE, bytes.len() as u64), [], "{name}");
        let spaces = opened.container().spaces();
        for span in &spaces {
            assert_eq!(coverage.check(span.space, span.len), [], "{name}, {}", span.space);
        }
        for space in coverage.spaces() {
            let known = space == Space::FILE || spaces.iter().any(|span| span.space == space);
            assert!(known, "{name}: {space} is walked and not listed");
        }
    }
}

#[test]
fn explain_answers_for_every_byte_of_a_small_file_of_each_format() {
    let mut formats = std::collections::BTreeSet::new();
    for (name, bytes) in common_samples() {
        let mut opened = open(&name, &bytes);
        if !formats.insert(opened.container().format()) {
            continue;
        }
        let mut places: Vec<(Space, u64)> =
            (0..bytes.len() as u64).map(|offset| (Space::FILE, offset)).collect();
        for span in opened.container().spaces() {
            // Planes of a map are a million bytes of one field.
            let step = (span.len / 2_000).max(1) as usize;
            places.extend((0..span.len).step_by(step).map(|offset| (span.space, offset)));
        }
        for (space, offset) in places {
            let mut locate = Locate::new(space, offset);
            opened.run(|container, task| finish(container.layout(task, &mut locate))).unwrap();
            let found = locate.found.unwrap_or_else(|| panic!("{name}: {space}:{offset:#x}"));
            assert!(found.field.at.unwrap().contains(space, offset));
            assert!(!found.field.field.doc.is_empty(), "{name}: {}", found.field.path);
        }
    }
    assert_eq!(formats.len(), 7, "{formats:?}");
}
