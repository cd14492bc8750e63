//! No bytes do harm: damaged headers and content, and little memory.

use crate::common::{current, open};
use spelunk_core::{Budget, Bytes, Class, Format, Of, Strict, Task, limits::Limits, walk::Flat};
use spelunk_fixtures::{Sample, mutate, samples};
use std::sync::Arc;
use test_support::{
    entries::{find_damaged, list_damaged, write},
    fields::info_damaged,
    laws::assert_covered_despite_damage,
    task::with_task,
};
use virtools::Virtools;

#[test]
fn no_header_word_can_do_harm() {
    for sample in [samples::level(), samples::menu(), samples::script()] {
        let fixture = sample.build();
        let len = fixture.bytes.len() as u32;
        for word in 0..16 {
            let old = fixture.bytes[word * 4..][..4].try_into().unwrap();
            let old = u32::from_le_bytes(old);
            let flips = (0..32).map(|bit| old ^ (1 << bit));
            let values = [0, 1, 7, 8, 9, len, len - 1, len + 1, 1 << 31, u32::MAX, u32::MAX - 15];
            for value in values.into_iter().chain(flips) {
                let mut bytes = fixture.bytes.clone();
                bytes[word * 4..][..4].copy_from_slice(&value.to_le_bytes());
                exercise(&bytes);
            }
        }
    }
}

/// Opens and uses every part of the container; what opens has to be written back.
fn exercise(bytes: &[u8]) {
    let (Ok(file), _) = open(bytes) else { return };
    info_damaged(&*file);
    let _ = list_damaged(&*file, Of::Listing);
    let (top, _) = list_damaged(&*file, Of::Root);
    for row in top {
        let (below, _) = list_damaged(&*file, Of::Node(row.node));
        for row in below.into_iter().take(20).chain([row]) {
            let _ = with_task(bytes.len(), |task| file.bytes(row.node, task));
            let mut flat = Flat::default();
            let _ = with_task(bytes.len(), |task| file.walk(row.node, task, &mut flat));
            find_damaged(&*file, &row.path);
        }
    }
    let _ = with_task(bytes.len(), |task| file.verify(task));
    assert_covered_despite_damage(&*file, "mutated");
    for recompress in [false, true] {
        assert!(write(&*file, recompress).0 == bytes);
    }
}

#[test]
fn no_mutation_panics() {
    for Sample { fixture, .. } in current() {
        for seed in 0..400 {
            exercise(&mutate::mutate(&fixture.bytes, seed));
            exercise(&mutate::mutate_header(&fixture.bytes, seed));
        }
        for len in 0..fixture.bytes.len() {
            exercise(&fixture.bytes[..len]);
        }
    }
}

/// Damage inside the packed sections, which mutations of the file hardly reach.
#[test]
fn no_mutation_of_packed_content_panics() {
    let sample = samples::level();
    let (header1, data) = (sample.header1_section().bytes, sample.data_section().bytes);
    for seed in 0..400 {
        let header1 = mutate::mutate(&header1, seed);
        let data = mutate::mutate(&data, seed);
        let packed = [&header1, &data].map(|plain| spelunk_fixtures::virtools::zlib(plain, 4));
        let mut bytes = sample.build().bytes[..64].to_vec();
        for (at, value) in
            [(28, packed[0].len()), (32, packed[1].len()), (36, data.len()), (60, header1.len())]
        {
            bytes[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes());
        }
        bytes.extend(packed.concat());
        exercise(&bytes);
    }
}

#[test]
fn little_memory_is_an_error_and_no_harm() {
    let fixture = samples::level().build();
    let everything = |memory: u64| {
        let mut sink = Strict;
        let limits = Limits { memory, ..Limits::for_len(0) };
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let bytes = Arc::new(Bytes::copy_from_slice(&fixture.bytes));
        let file = Virtools.open(bytes, &mut task)?;
        file.verify(&mut task)?;
        file.write(&mut Vec::new(), &Default::default(), &mut task)
    };
    for memory in (0..4000).step_by(97) {
        match everything(memory) {
            Ok(()) => assert!(memory > 1000, "{memory}"),
            Err(error) => assert_eq!(error.code().class, Class::Limit),
        }
    }
    everything(20_000).unwrap();
}
