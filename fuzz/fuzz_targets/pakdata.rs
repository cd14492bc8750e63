//! pakdata.dat: one archive is announced, the rest is the fuzzer's.
#![no_main]

#[path = "common.rs"]
mod common;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    common::exercise(&[b"\x01\0\0\0\x07sf0.pak".as_slice(), data].concat());
});
