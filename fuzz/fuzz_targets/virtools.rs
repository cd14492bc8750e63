//! Virtools files: the signature is given, the rest is the fuzzer's.
#![no_main]

#[path = "common.rs"]
mod common;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    common::exercise(&[b"Nemo Fi\0".as_slice(), data].concat());
});
