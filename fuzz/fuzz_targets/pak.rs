//! SpellForce PAK archives: version and signature are given, the rest is the fuzzer's.
#![no_main]

#[path = "common.rs"]
mod common;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    common::exercise(&[b"\x04\0\0\0MASSIVE PAKFILE V 4.0\r\n\0".as_slice(), data].concat());
});
