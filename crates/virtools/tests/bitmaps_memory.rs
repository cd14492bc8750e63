//! Decoding takes no more memory than its budget, whatever the image file claims. A test of its own, since
//! it measures what the whole process holds.
#![cfg(feature = "images")]

#[path = "suite/bitmaps/files.rs"]
mod files;

use peak_alloc::PeakAlloc;
use spelunk_core::{Budget, Limits};
use spelunk_fixtures::mutate;
use test_support::memory::{ALONE, peak};
use virtools::chunk::bitmap::{
    Rgba,
    image::{self, Encoding, ImageFormat},
};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// What decoders hold whatever the picture is: palettes, code tables, windows of zlib.
const TABLES: usize = 256 << 10;

#[test]
fn no_file_takes_more_memory_than_its_budget() {
    let _alone = ALONE.lock();
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
                let (decoded, taken) =
                    peak(&ALLOCATOR, || image::decode(&damaged, format, &mut Budget::new(limits)));
                let allowed = limits.memory as usize + TABLES;
                assert!(taken <= allowed, "{format:?}, seed {seed}: {taken} bytes, {decoded:?}");
                most = most.max(taken);
            }
        }
    }
    // Some of them do come near the limit, so it is a limit that is measured.
    assert!(most > 1 << 20, "{most} bytes at the most");
}

/// The decoder holds rows of blocks, which are much where a picture is one row of pixels, and more where components
/// have different sizes. Some such files, with scans for single components, it cannot decode.
#[test]
fn jpeg_files_are_charged_for_what_their_components_take() {
    let _alone = ALONE.lock();
    let picture = Rgba::new(20, 10, [1, 2, 3, 255, 9, 8, 7, 255].repeat(100)).unwrap();
    let sound = image::encode(&picture, Encoding::Jpeg { quality: 80 }).unwrap();
    let find = |marker| sound.windows(2).position(|word| word == [0xFF, marker]).unwrap();
    let (frame, scan) = (find(0xC0), find(0xDA));
    let factors = [0x11, 0x12, 0x14, 0x21, 0x22, 0x41, 0x43, 0x44];
    let limits = |memory| Limits { memory, ..Limits::for_len(0) };
    let mut measured = 0;
    for (kind, apart) in [(0xC0, false), (0xC0, true), (0xC2, false), (0xC2, true)] {
        for code in 0..factors.len().pow(3) {
            let mut file = sound.clone();
            file[frame + 1] = kind;
            file[frame + 5..frame + 9].copy_from_slice(&[0, 1, 0x0B, 0xB8]);
            for (at, digit) in [(11, 1), (14, 8), (17, 64)] {
                file[frame + at] = factors[code / digit % 8];
            }
            if apart {
                // The first scan has one component of the three.
                let first = [0xFF, 0xDA, 0, 8, 1, file[scan + 5], file[scan + 6], 0, 63, 0];
                file.splice(scan..scan + 14, first);
            }
            let (decoded, taken) = peak(&ALLOCATOR, || {
                image::decode(&file, ImageFormat::Jpeg, &mut Budget::new(limits(1 << 30)))
            });
            let place = format!("{kind:x}, {apart}, {code:o}: {taken} bytes, {decoded:?}");
            if taken > TABLES {
                let less = limits((taken - TABLES) as u64);
                let refused = image::decode(&file, ImageFormat::Jpeg, &mut Budget::new(less));
                assert_eq!(refused.unwrap_err().code().id, "SP010", "{place}");
                measured += 1;
            }
        }
    }
    assert!(measured > 1000, "{measured} files");
}
