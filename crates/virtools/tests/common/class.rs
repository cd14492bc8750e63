//! Values of chunks that were put together for a test.

#![allow(dead_code)]

use spelunk_core::{
    Budget, Bytes, Error, Limits, Space, Span,
    walk::{Coverage, Flat, finish},
};
use spelunk_fixtures::chunk::Chunk as Sample;
use virtools::{
    chunk::Chunk,
    class::Value,
    codec::{Saved, read::Reader, walk::Detail},
};

/// Decodes the chunk of an object of a class. It has to come back byte for byte, and a walk has to tell every byte
/// once.
pub fn decode(class_id: u32, sample: &Sample) -> (Saved<Value>, Vec<Error>) {
    let bytes = Bytes::from(sample.build().bytes);
    let len = bytes.len() as u64;
    let mut budget = Budget::new(Limits::for_len(len));
    let chunk = Chunk::read(&bytes, Span::file(0, len)).unwrap();
    let mut faults = Vec::new();
    let empty = Value::of_class(class_id);
    let mut saved = Reader::read(empty, chunk, &bytes, &mut faults, &mut budget).unwrap();
    assert_eq!(saved.write().unwrap().to_bytes().unwrap(), bytes, "written");
    let mut coverage = Coverage::default();
    finish(saved.walk(chunk, Detail::Bytes, &(), &mut budget, &mut coverage)).unwrap();
    assert_eq!(coverage.check(Space::FILE, len), [], "walked");
    (saved, faults)
}

/// As [`decode`], where every section is known to its last dword.
pub fn typed(class_id: u32, sample: &Sample) -> Value {
    let (saved, faults) = decode(class_id, sample);
    assert!(faults.is_empty(), "{faults:?}");
    if let Some(extras) = &saved.extras {
        assert!(extras.unknown.is_empty() && extras.rests.is_empty(), "{extras:?}");
    }
    saved.value
}

/// Paths and values of the fields, as `show` prints them.
pub fn fields(class_id: u32, sample: &Sample) -> Vec<(String, String)> {
    let bytes = Bytes::from(sample.build().bytes);
    let mut budget = Budget::new(Limits::for_len(bytes.len() as u64));
    let chunk = Chunk::read(&bytes, Span::file(0, bytes.len() as u64)).unwrap();
    let (mut saved, _) = decode(class_id, sample);
    let mut flat = Flat::default();
    finish(saved.walk(chunk, Detail::Values, &(), &mut budget, &mut flat)).unwrap();
    flat.fields.into_iter().map(|field| (field.path, field.value.to_string())).collect()
}
