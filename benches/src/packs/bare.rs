//! What has to be done to the chunks of a pack whoever reads it. Chunks are found by their places; nothing is checked.

use snpak::{Compression, Pack};
use std::{
    hint::black_box,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};
use twox_hash::XxHash3_128;

/// A payload: where it lies, how large it is stored and plain, and how it is packed.
#[derive(Clone, Copy)]
pub struct Place {
    pub start: usize,
    pub stored: usize,
    pub plain: usize,
    pub compression: Compression,
}

/// The payloads of a pack in the order of its index.
pub fn places(pack: &Pack) -> Vec<Place> {
    let place = |row| {
        let located = pack.locate(row).expect("an asset");
        Place {
            start: located.range().start as usize + 80,
            stored: located.stored_len() as usize,
            plain: located.plain_len() as usize,
            compression: located.compression(),
        }
    };
    (0..pack.index().entries().len()).map(place).collect()
}

/// A buffer and the state of a codec, which are kept.
#[derive(Default)]
pub struct Worker {
    plain: Vec<u8>,
    zstd: Option<zstd::bulk::Decompressor<'static>>,
}

impl Worker {
    /// Decompresses and hashes a payload.
    pub fn check(&mut self, bytes: &[u8], place: Place) -> u128 {
        let stored = &bytes[place.start..][..place.stored];
        if place.compression == Compression::NONE {
            return XxHash3_128::oneshot(stored);
        }
        if self.plain.len() < place.plain {
            self.plain.resize(place.plain, 0);
        }
        let plain = &mut self.plain[..place.plain];
        if place.compression == Compression::LZ4 {
            lzzzz::lz4::decompress(stored, plain).expect("a sound block");
        } else {
            let new = || zstd::bulk::Decompressor::new().expect("a codec");
            let codec = self.zstd.get_or_insert_with(new);
            codec.decompress_to_buffer(stored, plain).expect("a sound frame");
        }
        XxHash3_128::oneshot(plain)
    }
}

/// Decompresses and hashes all payloads, some at a time on each thread.
pub fn check_all(bytes: &[u8], places: &[Place], workers: &mut [Worker]) {
    const BATCH: usize = 64;
    let next = AtomicUsize::new(0);
    let work = |worker: &mut Worker| {
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            if start >= places.len() {
                return;
            }
            for place in &places[start..places.len().min(start + BATCH)] {
                black_box(worker.check(bytes, *place));
            }
        }
    };
    match workers {
        [one] => work(one),
        all => thread::scope(|scope| {
            for worker in all {
                scope.spawn(|| work(worker));
            }
        }),
    }
}
