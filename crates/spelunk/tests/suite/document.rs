//! Virtools files go to documents and back without losing a byte; what is edited in a document changes, and
//! nothing else does; what is damaged is refused.

use serde_json::{Value, json};
use spelunk::{
    Bytes, Options, Source,
    containers::pack::Origin,
    core::replace::Existing,
    document::{self, folder, text},
    open::codes,
};
use spelunk_fixtures::{
    corpus,
    samples::{self, virtools_matrix},
};
use std::sync::Arc;

/// Every Virtools file there is.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = spelunk_fixtures::samples()
        .into_iter()
        .filter(|sample| sample.format == "virtools")
        .map(|sample| (sample.name.to_owned(), sample.fixture.bytes))
        .collect();
    files.extend(virtools_matrix().into_iter().map(|file| (file.name, file.file.build().bytes)));
    for file in corpus::files("virtools", &["nmo", "cmo", "nms"]).into_iter().flatten() {
        files.push((file.name, file.bytes));
    }
    files
}

fn exported(name: &str, bytes: &[u8]) -> Value {
    let source: Arc<dyn Source> = Arc::new(Bytes::copy_from_slice(bytes));
    document::export(&Origin { source: &source, options: &Options::default() })
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn imported(document: &Value) -> spelunk::Result<Vec<u8>> {
    let mut imported = document::import(document, &Options::default())?;
    let mut bytes = Vec::new();
    let options = imported.options;
    imported.opened.run(|container, task| container.write(&mut bytes, &options, task))?;
    Ok(bytes)
}

/// The document of what a document makes.
fn again(document: &Value) -> Value {
    exported("what was imported", &imported(document).unwrap_or_else(|error| panic!("{error}")))
}

fn level() -> Value {
    exported("level.nmo", &samples::level().build().bytes)
}

/// The first place where two values differ.
fn difference(path: &str, a: &Value, b: &Value, found: &mut Vec<String>) {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            for (key, value) in a {
                difference(&format!("{path}/{key}"), value, &b[key], found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (nth, (a, b)) in a.iter().zip(b).enumerate() {
                difference(&format!("{path}/{nth}"), a, b, found);
            }
        }
        _ if a == b => {}
        _ => found.push(path.to_owned()),
    }
}

/// Paths of all that differs.
fn differences(a: &Value, b: &Value) -> Vec<String> {
    let mut found = Vec::new();
    difference("", a, b, &mut found);
    found
}

/// The text of a document, written part by part.
fn written(bytes: &[u8]) -> String {
    let source: Arc<dyn Source> = Arc::new(Bytes::copy_from_slice(bytes));
    let mut text = Vec::new();
    let origin = Origin { source: &source, options: &Options::default() };
    document::write(&origin, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn every_file_comes_back_byte_for_byte_through_text() {
    let mut valued = 0;
    for (name, bytes) in files() {
        let text = text::of(&exported(&name, &bytes));
        assert!(written(&bytes) == text, "{name}: part by part it is another text");
        let document = document::parse(text.as_bytes()).unwrap();
        let rows = document["objects"].as_array().unwrap();
        valued += rows.iter().filter(|row| row.get("value").is_some()).count();
        let back = imported(&document).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(back == bytes, "{name} is another file");
    }
    assert!(valued > 20, "only {valued} objects have values");
}

#[test]
fn folders_hold_the_same_as_documents() {
    for sample in [samples::level(), samples::gameplay()] {
        let bytes = sample.build().bytes;
        let document = exported("sample", &bytes);
        let dir = tempfile::tempdir().unwrap();
        folder::write(&document, dir.path(), &Existing::Refuse, false).unwrap();
        let read = folder::read(dir.path()).unwrap();
        assert_eq!(differences(&document["objects"], &read["objects"]), [""; 0]);
        assert!(imported(&read).unwrap() == bytes);
        assert!(folder::write(&document, dir.path(), &Existing::Refuse, false).is_err());
        let source: Arc<dyn Source> = Arc::new(Bytes::copy_from_slice(&bytes));
        let origin = Origin { source: &source, options: &Options::default() };
        let other = tempfile::tempdir().unwrap();
        folder::export(&origin, other.path(), &Existing::Refuse, false).unwrap();
        assert_eq!(folder::read(other.path()).unwrap(), read);

        let mut fewer = document.clone();
        fewer["objects"].as_array_mut().unwrap().pop();
        folder::write(&fewer, dir.path(), &Existing::Replace, false).unwrap();
        let read = folder::read(dir.path()).unwrap();
        assert_eq!(read["objects"].as_array(), fewer["objects"].as_array());
    }
}

#[test]
fn an_edited_value_changes_and_nothing_else_does() {
    let document = level();
    for (path, new) in [
        ("/objects/1/value/material/specular_power", json!(20.0)),
        ("/objects/3/value/entity/position/1", json!(5.5)),
        ("/objects/3/name", json!("Box")),
        ("/managers/2/value/limits/max_iterations", json!(9000)),
    ] {
        let mut edited = document.clone();
        *edited.pointer_mut(path).unwrap_or_else(|| panic!("{path} in {document:#}")) = new.clone();
        let after = again(&edited);
        let changed = differences(&document, &after);
        // The name of an object is in the skeleton, too.
        let changed: Vec<_> = changed.iter().filter(|path| *path != "/skeleton").collect();
        assert_eq!(changed, [path]);
        assert_eq!(after.pointer(path), Some(&new));
    }
}

#[test]
fn objects_that_are_taken_out_are_removed() {
    let mut document = level();
    let objects = document["objects"].as_array_mut().unwrap();
    let gone = objects.remove(3);
    assert_eq!(gone["name"], "Cube");
    let after = again(&document);
    let names = |document: &Value| -> Vec<Value> {
        let objects = document["objects"].as_array().unwrap();
        objects.iter().map(|row| row["name"].clone()).collect()
    };
    assert_eq!(names(&after), names(&document));
    // The material goes on to mean its texture, the group has lost its member.
    assert_eq!(after["objects"][1]["value"], document["objects"][1]["value"]);
    assert_ne!(after["objects"][7]["value"], document["objects"][7]["value"]);
}

#[test]
fn objects_without_an_index_are_added() {
    let mut document = level();
    let mut new = document["objects"][1].clone();
    new.as_object_mut().unwrap().remove("index");
    new["name"] = json!("Wood 2");
    let value = new["value"].clone();
    document["objects"].as_array_mut().unwrap().push(new);
    let after = again(&document);
    let objects = after["objects"].as_array().unwrap();
    assert_eq!(objects.len(), 10);
    assert_eq!(
        (&objects[9]["name"], &objects[9]["class"]),
        (&json!("Wood 2"), &json!("CKMaterial"))
    );
    assert_eq!(objects[9]["value"], value);
    assert_eq!(differences(&level()["objects"][3], &objects[3]), [""; 0]);
}

/// What a document is refused with.
fn refusal(document: &Value) -> String {
    let error = imported(document).expect_err("a refusal");
    assert!(error.to_string().len() > 8, "{error}");
    error.code().id.to_owned()
}

#[test]
fn damaged_documents_are_refused() {
    let document = level();
    let bad = codes::BAD_DOCUMENT.id;
    assert_eq!(bad, "SP060");
    assert_eq!(document::parse(b"{\"objects\": [").unwrap_err().code().id, bad);
    assert_eq!(document::parse(&[0xFF, 0xFE]).unwrap_err().code().id, bad);
    for key in ["spelunk_document", "format", "objects", "managers", "skeleton"] {
        let mut damaged = document.clone();
        damaged.as_object_mut().unwrap().shift_remove(key);
        assert_eq!(refusal(&damaged), bad, "without {key}");
        for wrong in [json!(null), json!(7), json!("zz"), json!({"a": 1})] {
            damaged[key] = wrong.clone();
            assert_eq!(refusal(&damaged), bad, "{key}: {wrong}");
        }
    }
    for (path, wrong) in [
        ("/objects/0/index", json!(9)),
        ("/objects/0/index", json!(u64::MAX)),
        ("/objects/0/index", json!(u64::from(u32::MAX) + 1)),
        ("/objects/0/name", json!(1)),
        ("/objects/0/exact/bytes", json!("0")),
        ("/objects/0", json!("an object")),
    ] {
        let mut damaged = document.clone();
        *damaged.pointer_mut(path).unwrap_or_else(|| panic!("{path} in {document:#}")) =
            wrong.clone();
        assert_eq!(refusal(&damaged), bad, "{path}: {wrong}");
    }
    for wrong in [json!([]), json!(null), json!("text"), json!(1)] {
        assert_eq!(refusal(&wrong), bad, "{wrong}");
    }
}

/// Replaces every value of a document in turn by others; none of it panics, and what is refused says why.
#[test]
fn no_change_of_a_document_makes_a_panic() {
    let document = exported("gameplay.nmo", &samples::gameplay().build().bytes);
    let mut paths = Vec::new();
    every_path(String::new(), &document, &mut paths);
    let wrong = [
        json!(null),
        json!(-1),
        json!(u64::MAX),
        json!(1e300),
        json!("?"),
        json!([[[]]]),
        json!({"": {}}),
    ];
    let (mut refused, mut taken) = (0, 0);
    for path in &paths {
        for wrong in &wrong {
            let mut damaged = document.clone();
            *damaged.pointer_mut(path).unwrap() = wrong.clone();
            match imported(&damaged) {
                Ok(_) => taken += 1,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                }
            }
        }
        let (parent, key) = path.rsplit_once('/').unwrap_or_default();
        let mut damaged = document.clone();
        if let Some(Value::Object(parent)) = damaged.pointer_mut(parent) {
            parent.shift_remove(key);
            let _ = imported(&damaged);
        }
    }
    assert!(refused > 100 && taken > 0, "{refused} refused, {taken} taken");
}

fn every_path(path: String, value: &Value, paths: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                every_path(format!("{path}/{key}"), value, paths);
            }
        }
        Value::Array(items) => {
            for (nth, value) in items.iter().enumerate() {
                every_path(format!("{path}/{nth}"), value, paths);
            }
        }
        _ => {}
    }
    paths.push(path);
}
