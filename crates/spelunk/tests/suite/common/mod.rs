//! Opening, listing and checking as the command does it.

#![allow(dead_code, reason = "every test file uses another part")]

pub mod everything;
pub mod facts;
pub mod linted;
pub mod merges;
pub mod model;
pub mod packing;
pub mod patches;
pub mod scene;
pub mod square;

use serde_json::{Map, Value};
use spelunk::{
    Bytes, Node, Of, Opened, Options, Result, WriteOptions, core::walk::finish, open::json,
};
use spelunk_fixtures::{corpus, samples};
use std::sync::Arc;
use test_support::{findings, json::truth as json_truth};

/// Opens these bytes.
pub fn open(name: &str, bytes: &[u8]) -> Opened {
    opened(bytes).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Opens these bytes, unless they are refused.
pub fn opened(bytes: &[u8]) -> Result<Opened> {
    Opened::open(Arc::new(Bytes::copy_from_slice(bytes)), &Options::default())
}

/// A truth file of the corpus.
pub fn truth(relative: &str) -> Value {
    json_truth(corpus::text(relative)).unwrap()
}

/// The `details` of `info`.
pub fn info(name: &str, opened: &mut Opened) -> Value {
    let pages = opened.code_pages();
    let (details, result) =
        opened.run(|container, task| json::object(&pages, |walk| container.info(task, walk)));
    result.unwrap_or_else(|error| panic!("{name}: {error}"));
    Value::Object(details)
}

/// The rows of `ls`.
pub fn rows(opened: &mut Opened) -> Vec<Value> {
    let pages = opened.code_pages();
    let mut rows = Vec::new();
    let mut each = |entry: &spelunk::Entry<'_>, task: &mut spelunk::Task<'_>| {
        let mut row = Map::new();
        row.insert("path".into(), entry.path.into());
        row.insert("size".into(), entry.size.into());
        let (details, result) = json::object(&pages, |walk| entry.details.walk(task, walk));
        result?;
        row.extend(details);
        rows.push(Value::Object(row));
        Ok(())
    };
    opened
        .run(|container, task| finish(container.children(Of::Listing, &pages, task, &mut each)))
        .unwrap();
    rows
}

/// What `verify` finds: the codes of all error findings.
pub fn errors(opened: &mut Opened) -> Vec<&'static str> {
    let result = opened.run(|container, task| container.verify(task));
    let mut codes = findings::errors(opened.findings());
    codes.extend(result.err().map(|error| error.code().id));
    codes
}

/// The bytes of the generated file with this name.
pub fn sample(name: &str) -> Vec<u8> {
    let found = samples().into_iter().find(|sample| sample.name == name);
    found.unwrap_or_else(|| panic!("{name}")).fixture.bytes
}

/// What is written of a container.
pub fn written(opened: &mut Opened, options: &WriteOptions) -> Vec<u8> {
    let mut bytes = Vec::new();
    opened.run(|container, task| container.write(&mut bytes, options, task)).unwrap();
    bytes
}

/// The one entry with this path.
pub fn find(bytes: &[u8], path: &str) -> Node {
    let mut opened = open("found", bytes);
    let pages = opened.code_pages();
    let found = opened.run(|container, task| container.find(path, &pages, task)).unwrap();
    let [node] = found.as_slice() else { panic!("{path}: {found:?}") };
    *node
}

/// The files of a folder with their content, the manifest aside.
pub fn tree(dir: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![(dir.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
            if entry.file_type().unwrap().is_dir() {
                folders.push((entry.path(), format!("{name}/")));
            } else if name != spelunk::containers::extract::MANIFEST {
                files.push((name, std::fs::read(entry.path()).unwrap()));
            }
        }
    }
    files.sort();
    files
}
