//! Decoding takes no more memory than its budget, whatever the image file claims. A test of its own, since
//! it measures what the whole process holds.
#![cfg(feature = "images")]

#[path = "bitmaps/files.rs"]
mod files;

use peak_alloc::PeakAlloc;
use spelunk_core::{Budget, Limits};
use spelunk_fixtures::mutate;
use virtools::chunk::bitmap::{
    Rgba,
    image::{self, Encoding},
};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// What decoders hold whatever the picture is: palettes, code tables, windows of zlib.
const TABLES: usize = 256 << 10;

#[test]
fn no_file_takes_more_memory_than_its_budget() {
    let picture = Rgba::new(20, 10, [1, 2, 3, 255, 9, 8, 7, 255].repeat(100)).unwrap();
    let encoded = [Encoding::Jpeg { quality: 80 }, Encoding::Png, Encoding::Gif, Encoding::Tiff];
    let encoded =
        encoded.map(|encoding| (encoding.format(), image::encode(&picture, encoding).unwrap()));
    let handmade = files::all().into_iter().map(|file| (file.format, file.bytes));
    // A frame larger than the screen that takes what is left and more.
    let mut frame = files::all().into_iter().find(|file| file.name == "gif").unwrap();
    frame.bytes[30..34].copy_from_slice(&[0xC8, 2, 0xBC, 2]);
    let frame = (frame.format, frame.bytes);
    let limits = Limits { memory: 2 << 20, ..Limits::for_len(0) };
    let mut most = 0;
    for (format, bytes) in handmade.chain(encoded).chain([frame]) {
        for seed in 0..800 {
            for damaged in [mutate::mutate(&bytes, seed), mutate::mutate_header(&bytes, seed)] {
                let before = ALLOCATOR.current_usage();
                ALLOCATOR.reset_peak_usage();
                let decoded = image::decode(&damaged, format, &mut Budget::new(limits));
                let taken = ALLOCATOR.peak_usage().saturating_sub(before);
                let allowed = limits.memory as usize + TABLES;
                assert!(taken <= allowed, "{format:?}, seed {seed}: {taken} bytes, {decoded:?}");
                most = most.max(taken);
            }
        }
    }
    // Some of them do come near the limit, so it is a limit that is measured.
    assert!(most > 1 << 20, "{most} bytes at the most");
}
