//! What targets ask of the files that they write.
#![allow(dead_code)] // Each of them uses a part of it.

use spelunk::{Bytes, Class, Opened, Options, Result, WriteOptions};
use std::sync::Arc;

/// Opens a file.
pub fn open(bytes: &[u8]) -> Result<Opened> {
    Opened::open(Arc::new(Bytes::copy_from_slice(bytes)), &Options::default())
}

/// Writes a container. What is written opens, and is written again as it is; damage that is carried along is not judged.
pub fn check(opened: &mut Opened) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let options = WriteOptions::default();
    opened.run(|container, task| container.write(&mut bytes, &options, task)).ok()?;
    let mut again = match open(&bytes) {
        Ok(again) => again,
        Err(error) => {
            assert_eq!(error.code().class, Class::Limit, "what was written does not open: {error}");
            return None;
        }
    };
    let mut twice = Vec::new();
    match again.run(|container, task| container.write(&mut twice, &options, task)) {
        Ok(()) => assert!(twice == bytes, "what was written is not written again as it is"),
        Err(error) => assert_eq!(error.code().class, Class::Limit, "{error}"),
    }
    Some(bytes)
}
