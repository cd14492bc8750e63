//! Files and samples of this crate. Each test uses a part of it.

#![allow(dead_code, reason = "every test program uses another part")]

pub mod class;
pub mod runtime;
pub mod told;

use spelunk_core::{Collect, Container, Result};
use spelunk_fixtures::{Fixture, Sample};
use virtools::Virtools;

/// The bytes as a file, as tools open it, and what opening found.
pub fn open(bytes: &[u8]) -> (Result<Box<dyn Container>>, Collect) {
    test_support::open::open(&Virtools, bytes)
}

/// A file that opens.
pub fn opened(fixture: &Fixture) -> Box<dyn Container> {
    open(&fixture.bytes).0.unwrap()
}

/// The samples of FileVersion 8 and 9.
pub fn current() -> Vec<Sample> {
    let all = spelunk_fixtures::samples().into_iter();
    all.filter(|sample| {
        sample.format == "virtools"
            && matches!(sample.fixture.u32_of("part0.file_version"), 8 | 9)
            && sample.fixture.u32_of("part0.file_version2") == 0
    })
    .collect()
}
