//! SpellForce chunk files: the magic is given, the rest is the fuzzer's.
#![no_main]

#[path = "common.rs"]
mod common;
#[path = "mutate.rs"]
mod mutate;

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, _max: usize, seed: u32| {
    mutate::mutate(0, &[0x12, 0xdd, 0x72, 0xdd], data, size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    common::exercise(&[[0x12, 0xdd, 0x72, 0xdd].as_slice(), data].concat());
});
