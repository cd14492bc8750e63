//! What opening checks, and what it refuses.

use crate::common::open_sound;
use snpak::{Checks, FormatLimits, OpenOptions, Pack, codes};
use spelunk_core::{Bytes, Result};
use spelunk_fixtures::{Fixture, samples};
use std::sync::Arc;
use test_support::{findings::codes, task::with_task};

fn open_with(file: &Fixture, options: OpenOptions) -> (Result<Pack>, Vec<&'static str>) {
    let source = Arc::new(Bytes::from(file.bytes.clone()));
    let (pack, sink) = with_task(file.bytes.len(), |task| Pack::open_with(source, &options, task));
    (pack, codes(&sink))
}

const INDEX_ONLY: OpenOptions =
    OpenOptions { checks: Checks::IndexOnly, limits: FormatLimits::CURRENT, longer_headers: false };

/// Code of the error of the first payload, if it is one.
fn payload_error(file: &Fixture, options: OpenOptions) -> Option<&'static str> {
    let pack = open_with(file, options).0.expect("a pack");
    let (payload, _) = with_task(file.bytes.len(), |task| pack.payload(0, task));
    payload.err().map(|error| error.code().id)
}

#[test]
fn payloads_are_checked_unless_only_the_index_is_to_be() {
    let mut stored = samples::pack();
    stored.assets[0].codec = spelunk_fixtures::snpak::Codec::NONE;
    for pack in [samples::pack(), stored] {
        for (part, code) in [
            ("chunks[0].hash_hi", codes::ENTRY_HASH.id),
            ("chunks[0].asset_id", codes::ASSET_ID.id),
        ] {
            let mut file = pack.build();
            file.poke(part, &[0xee; 8]);
            assert_eq!(payload_error(&file, OpenOptions::default()), Some(code));
            assert_eq!(payload_error(&file, INDEX_ONLY), None, "{part}");
            // Verifying always looks.
            let pack = open_with(&file, INDEX_ONLY).0.expect("a pack");
            let (verified, sink) = with_task(file.bytes.len(), |task| snpak::verify(&pack, task));
            verified.expect("verified");
            assert!(sink.findings.iter().any(|found| found.error.code().id == code));
        }
    }
    // What a payload cannot be read without is looked at in any case.
    let mut file = samples::pack().build();
    file.poke("chunks[0].magic", b"XXXX");
    assert_eq!(payload_error(&file, INDEX_ONLY), Some(codes::CHUNK_MAGIC.id));
}

#[test]
fn tables_are_checked_in_any_case() {
    for (part, code) in
        [("strings[0].hash_hi", codes::STRINGS_HASH.id), ("header.hash_hi", codes::INDEX_HASH.id)]
    {
        let mut file = samples::pack().build();
        file.poke(part, &[0; 8]);
        assert_eq!(open_with(&file, INDEX_ONLY).1, [code]);
    }
}

#[test]
fn every_limit_can_be_set() {
    let file = samples::pack().build();
    let index = open_sound(&file.bytes);
    let (header, strings) = (index.index().header(), index.strings().count());
    let exact = FormatLimits {
        string_count: strings,
        entry_count: header.entry_count.get(),
        bulk_entry_count: header.bulk_entry_count.get(),
        owner_count: header.owner_count.get(),
        dependency_count: header.dependency_count.get(),
        ..FormatLimits::CURRENT
    };
    let open = |limits| open_with(&file, OpenOptions { limits, ..OpenOptions::default() });
    open(exact).0.expect("nothing is beyond its limit");
    let code = codes::INDEX_COUNT.id;
    for (limits, code) in [
        (FormatLimits { string_count: strings - 1, ..exact }, codes::STRING_COUNT.id),
        (FormatLimits { entry_count: exact.entry_count - 1, ..exact }, code),
        (FormatLimits { bulk_entry_count: exact.bulk_entry_count - 1, ..exact }, code),
        (FormatLimits { owner_count: exact.owner_count - 1, ..exact }, code),
        (FormatLimits { dependency_count: exact.dependency_count - 1, ..exact }, code),
    ] {
        assert_eq!(open(limits).0.unwrap_err().code().id, code);
    }
    let small = FormatLimits { block_size: 8, ..FormatLimits::CURRENT };
    let options = OpenOptions { limits: small, ..OpenOptions::default() };
    assert_eq!(payload_error(&file, options), Some(codes::CHUNK_LIMIT.id));
}

#[test]
fn the_first_generation_loads_smaller_chunks() {
    for (len, code) in [
        (1_000_000_000_u64, codes::CHUNK_RANGE.id),
        (1_000_000_001, codes::CHUNK_LIMIT.id),
        (8 << 30, codes::CHUNK_LIMIT.id),
    ] {
        let mut file = samples::pack().build();
        file.poke("chunks[0].size_compressed", &len.to_le_bytes());
        let seed = OpenOptions { limits: FormatLimits::SEED, ..OpenOptions::default() };
        assert_eq!(payload_error(&file, seed), Some(code), "{len}");
        assert_eq!(payload_error(&file, OpenOptions::default()), Some(codes::CHUNK_RANGE.id));
    }
}
