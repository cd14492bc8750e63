//! The formats of this crate, on bytes.
#![allow(dead_code, reason = "every test program uses another part")]

use spelunk_core::{Collect, Container, Format, Node, Result};
use test_support::{findings::assert_none, laws, open as opening};

/// The format that recognises the bytes.
pub fn format(bytes: &[u8]) -> Option<&'static dyn Format> {
    opening::recognised(spellforce::FORMATS, bytes)
}

/// The bytes as a container of the format that recognises them, and what opening found.
pub fn open(bytes: &[u8]) -> (Result<Box<dyn Container>>, Collect) {
    opening::open(format(bytes).expect("a format recognises the file"), bytes)
}

/// A sound file, or one whose damage is a finding.
pub fn opened(bytes: &[u8]) -> (Box<dyn Container>, Collect) {
    let (container, sink) = open(bytes);
    (container.unwrap(), sink)
}

/// Asserts that the container is written back alike, plainly and packed again. Only the C codecs find each level again.
pub fn assert_round_trip(container: &dyn Container, bytes: &[u8]) {
    let found = laws::assert_round_trip(container, bytes);
    if cfg!(feature = "c-codecs") {
        assert_none(&found);
    }
}

/// Does everything that can be done with a file, damaged or not, and tells whether it opens. Nothing may panic, and what
/// opens is written back alike.
pub fn exercise(format: &dyn Format, bytes: &[u8]) -> bool {
    let Ok(container) = opening::open(format, bytes).0 else { return false };
    let nodes = [Node(u64::MAX), Node(1 << 40), Node(7 << 32)];
    let paths = ["2016[3]", "6.1", "6", "#0", "texture/", "a", "2030[1]"];
    let done = laws::exercise(container.as_ref(), bytes, &nodes, &paths);
    assert!(done.is_listed);
    assert_eq!(done.faults, []);
    // Packing again keeps what no level reproduces, so both ways give the old bytes.
    assert!(done.is_written[0], "writing from memory does not fail");
    true
}
