//! SnPAK packs: the chain, every generation and all of them as one, with every payload that they name.
#![no_main]

#[path = "mutate.rs"]
mod mutate;
#[path = "packs.rs"]
mod packs;

use packs::{load, open, with_task};
use spelunk_core::Revision;

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, _max: usize, seed: u32| {
    mutate::mutate(0, b"SNPAK\0\0\0", data, size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let bytes = [b"SNPAK\0\0\0".as_slice(), data].concat();
    let Ok(pack) = open(&bytes) else { return };
    let len = bytes.len();
    load(&pack);
    let Ok(all) = with_task(len, |task| pack.generations(task)).0 else { return };
    assert!(all.len() <= pack.links().len());
    let numbers = all.iter().map(|generation| Revision::Nth(generation.number));
    for which in numbers.take(8).chain([Revision::Merged, Revision::Nth(0), Revision::Nth(99)]) {
        let (view, _) = with_task(len, |task| pack.generation(which, task));
        let Ok(view) = view else { continue };
        load(&view);
        let _ = with_task(len, |task| snpak::verify(&view, task));
        let mut out = Vec::new();
        if let (Ok(size), _) = with_task(len, |task| snpak::edit::rollback(&view, &mut out, task)) {
            assert_eq!(size, out.len() as u64);
            let back = open(&out).expect("a pack that was rolled back");
            assert_eq!(back.index().block(), view.index().block());
        }
    }
});
