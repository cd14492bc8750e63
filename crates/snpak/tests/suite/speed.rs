//! What makes packs fast without making them others: threads that change nothing of what comes out, and tables that stay
//! small. Time itself is measured by the benchmarks.

use crate::common::{many, model::Memory, open_sound};
use snpak::{
    Codec, Compression, Pack,
    build::{Asset, Bulk, Options, Payload, name_id},
    edit::Draft,
};
use spelunk_core::{Bytes, Limits, Severity};
use spelunk_fixtures::{corpus, mutate, samples, snpak::rehash};
use std::{io::Cursor, sync::Arc};
use test_support::{
    findings::assert_none,
    task::{on_threads, with_task},
};

/// What opening and verifying say, each finding whole, in order.
fn said(bytes: &[u8], threads: usize, limits: Limits) -> (Option<String>, Vec<(Severity, String)>) {
    let source = Arc::new(Bytes::copy_from_slice(bytes));
    let (result, sink) = on_threads(threads, limits, |task| {
        let pack = Pack::read_from(source, task)?;
        snpak::verify(&pack, task)
    });
    let found = sink.findings.iter().map(|it| (it.severity, it.error.to_string()));
    (result.err().map(|error| error.to_string()), found.collect())
}

#[test]
fn threads_find_what_one_finds() {
    let whole = many(3000);
    let mut with_findings = 0;
    let samples = [samples::pack(), samples::appended_pack(), samples::duplicate_pack()];
    let samples = samples.map(|sample| sample.build().bytes);
    for seed in 0..120 {
        let base = if seed % 4 == 0 { &whole } else { &samples[seed as usize % 3] };
        let bytes = mutate::mutate(base, seed);
        let limits = Limits::for_len(bytes.len() as u64);
        let one = said(&bytes, 1, limits);
        for threads in [2, 5] {
            assert_eq!(said(&bytes, threads, limits), one, "seed {seed}, {threads} threads");
        }
        with_findings += usize::from(!one.1.is_empty());
    }
    assert!(with_findings > 30, "{with_findings}");
    for file in corpus::files("snpak", &["snpak"]).into_iter().flatten() {
        let limits = Limits::for_len(file.bytes.len() as u64);
        assert_eq!(said(&file.bytes, 3, limits), said(&file.bytes, 1, limits), "{}", file.name);
    }
}

#[test]
fn what_a_thread_may_not_hold_is_checked_with_all_of_the_memory() {
    // One payload takes nearly all of the memory that is left when the tables are made.
    let mut draft = Draft::default();
    for nth in 0..40_u8 {
        let payload = Payload::new(vec![nth; 10], Codec::new(Compression::ZSTD));
        draft.add(Asset::new(name_id(&[nth], None), vec![b'a', nth + 65], payload)).unwrap();
    }
    let large = Payload::new(vec![7; 3 << 20], Codec::new(Compression::ZSTD));
    draft.add(Asset::new(name_id(b"large", None), "large", large)).unwrap();
    let mut out = Cursor::new(Vec::new());
    with_task(1 << 30, |task| draft.write(&mut out, Options::default(), task)).0.unwrap();
    let bytes = out.into_inner();
    for memory in [2 << 20, 4 << 20, 64 << 20] {
        let limits = Limits { memory, ..Limits::for_len(1 << 20) };
        let one = said(&bytes, 1, limits);
        assert_eq!(one.1.is_empty(), memory > 3 << 20, "{one:?}");
        for threads in [2, 4] {
            assert_eq!(said(&bytes, threads, limits), one, "{memory} bytes, {threads} threads");
        }
    }
}

#[test]
fn an_append_to_many_assets_takes_over_the_rows_that_stay() {
    let bytes = many(5000);
    let pack = Arc::new(open_sound(&bytes));
    // The number of bulk payloads stays, falls, and grows: rows behind can be taken over in the first case alone.
    for (row, bulk) in [(2501, 2), (2501, 0), (2500, 3), (0, 1), (4999, 4)] {
        let mut results = Vec::new();
        for threads in [1, 2] {
            let mut file = Memory(bytes.clone());
            let (appended, _) = on_threads(threads, Limits::unlimited(), |task| {
                let mut draft = Draft::of(pack.clone(), &mut task.budget)?;
                let asset = draft.asset_mut(row, &mut task.budget)?;
                asset.payload = Payload::new(&b"another payload"[..], Codec::NONE);
                asset.bulk = (0..bulk)
                    .map(|sub| Bulk::new(1, sub, Payload::new(vec![sub as u8; 9], Codec::NONE)))
                    .collect();
                draft.append(&mut file, Options::default(), task)
            });
            appended.unwrap();
            results.push(file.0);
        }
        let [one, two] = results.try_into().unwrap();
        assert!(one == two, "row {row}: other bytes on two threads");
        assert!(one[180..bytes.len()] == bytes[180..], "row {row}: what was there");
        let after = open_sound(&one);
        let (verified, sink) = with_task(one.len(), |task| snpak::verify(&after, task));
        verified.unwrap();
        assert_none(&sink);
        // The rows say of the other assets what they said before, but for where the bulk entries begin.
        for (nth, (old, new)) in
            pack.index().entries().iter().zip(after.index().entries()).enumerate()
        {
            if nth != row {
                let mut moved = *new;
                moved.bulk_first_index = old.bulk_first_index;
                assert!(moved == *old, "row {nth}");
                assert_eq!(pack.bulk(old), after.bulk(new), "row {nth}");
            }
        }
        assert_eq!(after.bulk(&after.index().entries()[row]).len(), bulk as usize);
    }
}

#[test]
fn names_that_state_other_hashes_are_found() {
    let mut file = samples::pack().build();
    let pack = open_sound(&file.bytes);
    let row =
        with_task(1 << 20, |task| pack.by_name(b"textures/bark", &mut task.budget)).0.unwrap();
    let name = pack.name(pack.entry(row[0]).unwrap()).unwrap().to_vec();
    for row in &row {
        let at = pack.index().place(0, *row).start as usize + 56;
        file.bytes[at] ^= 1;
    }
    rehash(&mut file);
    let odd = open_sound(&file.bytes);
    let (found, _) = with_task(1 << 20, |task| odd.by_name(&name, &mut task.budget));
    assert_eq!(found.unwrap(), row);
    let (none, _) = with_task(1 << 20, |task| odd.by_name(b"textures/oak", &mut task.budget));
    assert!(none.unwrap().is_empty());
}
