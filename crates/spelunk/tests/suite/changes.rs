//! What an edit changes is told by fields, with the reason.

use spelunk::{
    Bytes, Edit, Opened, Options, Source, Task, Val, WriteOptions,
    check::roundtrip,
    compare::changes::{FieldDifference, Why},
    open::detect::Formats,
};
use spelunk_fixtures::{
    samples,
    virtools::{Packing, VirtoolsFile},
};
use std::sync::Arc;

/// What differs once the file is written, after an edit of the entry at `path`.
fn after(
    bytes: &[u8],
    path: &str,
    edit: impl FnOnce(&mut dyn Edit, spelunk::Node, &mut Task<'_>) -> spelunk::Result<()>,
) -> Vec<FieldDifference> {
    let source: Arc<dyn Source> = Arc::new(Bytes::copy_from_slice(bytes));
    let mut opened = Opened::open(source.clone(), &Options::default()).unwrap();
    let pages = opened.code_pages();
    let found = opened.run(|container, task| container.find(path, &pages, task)).unwrap();
    opened.edit(|container, task| edit(container, found[0], task)).unwrap().unwrap();
    let options = WriteOptions::default();
    opened
        .run(|container, task| {
            roundtrip::changes(container, &source, &Formats::default(), &options, task)
        })
        .unwrap()
}

fn told(changes: &[FieldDifference]) -> Vec<(Why, &str)> {
    changes.iter().map(|change| (change.why, change.path.as_str())).collect()
}

#[test]
fn a_field_the_checksum_and_the_streams() {
    for packed in [false, true] {
        let file = samples::level();
        let packing = if packed { file.packing } else { Packing::Stored };
        let bytes = VirtoolsFile { packing, ..file }.build().bytes;
        let pages = spelunk::core::text::CodePages::cp1252();
        let changes = after(&bytes, "#1", |edit, node, task| {
            edit.set(node, "material.specular_power", Val::F(2.5), &pages, task)
        });
        let edited: Vec<_> = changes.iter().filter(|change| change.why == Why::Edited).collect();
        let [change] = edited[..] else { panic!("{changes:?}") };
        assert_eq!(change.path, "data.records[1].chunk.material.specular_power");
        assert_eq!(change.old, change.new);
        let derived = ["part0.crc", "part1.data_pack_size"];
        for (why, path) in told(&changes) {
            match why {
                Why::Edited => {}
                Why::Derived => assert!(derived.contains(&path), "{path}"),
                Why::Packed => assert!(packed && path == "data.stored", "{path}"),
            }
        }
        assert!(told(&changes).contains(&(Why::Derived, "part0.crc")));
        assert_eq!(told(&changes).contains(&(Why::Packed, "data.stored")), packed);
    }
}

#[test]
fn a_name_moves_the_records_and_changes_none() {
    let bytes = VirtoolsFile { packing: Packing::Stored, ..samples::level() }.build().bytes;
    let changes = after(&bytes, "#1", |edit, node, task| edit.rename(node, b"Birch", task));
    let edited: Vec<_> = changes.iter().filter(|change| change.why == Why::Edited).collect();
    let [change] = edited[..] else { panic!("{changes:?}") };
    assert_eq!(change.path, "header1.objects[1].name");
    let places = changes.iter().filter(|change| change.path.ends_with(".file_index"));
    assert_eq!(places.count(), 9, "one for each object");
    assert!(changes.iter().all(|change| change.why != Why::Packed));
}

#[test]
fn nothing_is_told_where_nothing_was_changed() {
    for sample in spelunk_fixtures::samples() {
        if sample.dialect == Some("spec") {
            continue;
        }
        let source: Arc<dyn Source> = Arc::new(Bytes::copy_from_slice(&sample.fixture.bytes));
        let mut opened = Opened::open(source.clone(), &Options::default()).unwrap();
        let options = WriteOptions::default();
        let changes = opened.run(|container, task| {
            roundtrip::changes(container, &source, &Formats::default(), &options, task)
        });
        assert_eq!(changes.unwrap(), [], "{}", sample.name);
    }
}
