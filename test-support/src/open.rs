//! Formats on bytes in memory.

use crate::task::with_task;
use spelunk_core::{Bytes, Collect, Container, Format, Probe, Result, Source};
use std::sync::Arc;

/// The first of the formats that recognises the bytes.
pub fn recognised<'f>(formats: &[&'f dyn Format], bytes: &[u8]) -> Option<&'f dyn Format> {
    let head = bytes.get(..4096).unwrap_or(bytes);
    let len = bytes.len() as u64;
    formats.iter().copied().find(|format| format.probe(head, len) == Probe::Yes)
}

/// The bytes as a container of this format, and what opening found.
pub fn open(format: &dyn Format, bytes: &[u8]) -> (Result<Box<dyn Container>>, Collect) {
    let source = Arc::new(Bytes::copy_from_slice(bytes));
    with_task(bytes.len(), |task| format.open(source, task))
}

/// A source that lends nothing, as a file that is read range by range.
#[derive(Debug, Clone)]
pub struct Ranged(pub Vec<u8>);

impl Source for Ranged {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        Bytes::copy_from_slice(&self.0).read_at(offset, buffer)
    }
}
