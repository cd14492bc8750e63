//! Values of chunks that were put together for a test.

#![allow(dead_code)]

use spelunk_core::{
    Budget, Bytes, Error, Limits, Space, Span,
    walk::{Coverage, Flat, finish},
};
use spelunk_fixtures::chunk::Chunk as Sample;
use virtools::{
    chunk::{Chunk, buffer::Header},
    class::Value,
    codec::{
        Saved,
        fill::Resolve,
        read::Reader,
        tree::{self, Tree},
        walk::Detail,
    },
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
    told(class_id, &mut saved, chunk, &mut budget);
    (saved, faults)
}

/// No two fields of a group have one name, and what is told makes the chunk again.
fn told(class_id: u32, saved: &mut Saved<Value>, chunk: Chunk<'_>, budget: &mut Budget) {
    let tree = tree::of(|walk| saved.walk(chunk, Detail::Complete, &(), budget, walk)).unwrap();
    assert_eq!(twice(&tree), None, "told twice");
    let header = Header { form: saved.header.form, ..Header::object(class_id) };
    let mut made = Saved::new(header, Value::of_class(class_id));
    made.fill(tree.clone(), &Nothing).unwrap();
    let made = Bytes::from(made.write().unwrap().to_bytes().unwrap());
    // What fills dwords up is not told, so what the two tell is compared.
    let again = Chunk::read(&made, Span::file(0, made.len() as u64)).unwrap();
    let empty = Value::of_class(class_id);
    let mut read = Reader::read(empty, again, &made, &mut Vec::new(), budget).unwrap();
    let told = tree::of(|walk| read.walk(again, Detail::Complete, &(), budget, walk)).unwrap();
    // As text, in which numbers that are none are equal.
    assert_eq!(format!("{told:?}"), format!("{tree:?}"), "made of what is told");
}

/// A name that two fields of one group have.
pub fn twice<'t>(tree: &'t Tree<'_>) -> Option<&'t str> {
    match tree {
        Tree::Map(entries) => {
            let mut names: Vec<&str> = entries.iter().map(|(name, _)| &**name).collect();
            names.sort_unstable();
            let same = names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
            same.or_else(|| entries.iter().find_map(|(_, tree)| twice(tree)))
        }
        Tree::List(items) => items.iter().find_map(twice),
        Tree::Val(_) => None,
    }
}

/// Numbers are told as they are stored, so no name has to be known.
pub struct Nothing;

impl Resolve for Nothing {
    fn object(&self, _: &str, _: bool) -> Option<u32> {
        None
    }

    fn manager_int(&self, _: [u32; 2], _: &str) -> Option<u32> {
        None
    }

    fn text(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
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
