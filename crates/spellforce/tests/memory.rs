//! No file takes more memory than the limit says, whatever it declares.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

#[path = "suite/common/mod.rs"]
mod common;

use common::format;
use peak_alloc::PeakAlloc;
use spelunk_core::{
    Bytes, Collect, Halt, Of, Source, Task, WriteOptions,
    walk::{Locate, finish},
};
use spelunk_fixtures::{
    cff::{CffChunk, CffFile, blob},
    mutate::mutate,
};
use std::{io, sync::Arc};
use test_support::{memory, task::budget};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Opens, lists, checks and writes; tells whether it opened and the peak of memory above the start.
fn peak(bytes: &[u8]) -> (bool, usize) {
    let Some(format) = format(bytes) else { return (false, 0) };
    let source: Arc<dyn Source> = Arc::new(Bytes::copy_from_slice(bytes));
    memory::peak(&MEMORY, || {
        let mut sink = Collect::default();
        let mut task = Task::new(budget(bytes.len()), &mut sink);
        let Ok(container) = format.open(source, &mut task) else { return false };
        let pages = container.code_pages();
        for of in [Of::Listing, Of::Root] {
            finish(container.children(of, &pages, &mut task, &mut |_, _| Ok(()))).unwrap();
        }
        // Looks at every field, as no byte lies there.
        let mut nowhere = Locate::new(spelunk_core::Space::section("nowhere"), 0);
        let _ = container.info(&mut task, &mut nowhere);
        match container.layout(&mut task, &mut nowhere) {
            Ok(()) | Err(Halt::Failed(_)) => {}
            Err(Halt::Stop) => panic!("nothing lies nowhere"),
        }
        let _ = container.verify(&mut task);
        for recompress in [false, true] {
            let _ = container.write(
                &mut io::sink(),
                &WriteOptions { recompress, ..WriteOptions::default() },
                &mut task,
            );
        }
        true
    })
}

fn allowed(bytes: &[u8]) -> usize {
    // What deflating itself needs is added once.
    (64 << 20) + 8 * bytes.len() + (1 << 20)
}

/// The only test here, as the counter sees the whole process.
#[test]
fn peaks_stay_below_the_limit() {
    let zeros = vec![0; 50 << 20];
    let bomb = CffChunk::packed(2016, 3, blob(&zeros));
    let chunks = vec![bomb; 8];
    let bombs = CffFile { chunks, ..CffFile::default() }.build().bytes;
    drop(zeros);
    let (opened, most) = peak(&bombs);
    assert!(opened && most <= allowed(&bombs), "{most}");

    let mut crowd = CffFile::map().build().bytes;
    let header: Vec<u8> = [6_i16, 0, 0, 0, 0, 6].into_iter().flat_map(i16::to_le_bytes).collect();
    crowd.extend(header.repeat(1 << 20));
    let (opened, most) = peak(&crowd);
    assert!(opened && most <= allowed(&crowd), "{most}");

    for sample in spelunk_fixtures::samples() {
        if !sample.format.starts_with("spellforce") {
            continue;
        }
        for seed in 0..100 {
            let bytes = mutate(&sample.fixture.bytes, seed);
            let (_, most) = peak(&bytes);
            assert!(most <= allowed(&bytes), "{} {seed}: {most}", sample.name);
        }
    }
}
