//! SnPAK files: the signature is given, the rest is the fuzzer's.
#![no_main]

#[path = "common.rs"]
mod common;
#[path = "mutate.rs"]
mod mutate;

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, _max: usize, seed: u32| {
    mutate::mutate(0, b"SNPAK\0\0\0", data, size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    common::exercise(&[b"SNPAK\0\0\0".as_slice(), data].concat());
});
