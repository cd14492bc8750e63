//! New objects are saved as engines save them, included files are counted, and bytes that are no chunk are refused.

use crate::common::told;

use crate::common::open;
use spelunk_core::{Bytes, Edit, Task, Val};
use spelunk_fixtures::{
    corpus, samples,
    virtools::{IncludedFile, VirtoolsFile},
};
use test_support::{
    entries::find_damaged, fields::info_damaged, findings::errors, task::with_task,
};
use told::{edited, file};
use virtools::{
    class::{self, CLASSES, Value},
    file::data::Owner,
    scene::save::entity_of,
};

/// Classes of which no object can be added, from the facts about class ids.
const NONE: [u32; 7] = [1, 11, 12, 19, 24, 47, 55];

/// A file with a new object of a class behind the others.
fn with_new(bytes: &[u8], class_id: u32) -> Vec<u8> {
    let add = |edit: &mut dyn Edit, task: &mut Task<'_>| {
        let table = edit.table(&format!("CKCID_{class_id}")).unwrap();
        edit.insert(table, &[Val::Bytes(b"New".as_slice().into())], task)
    };
    edited(bytes, add).unwrap_or_else(|error| panic!("{class_id}: {error}")).0
}

/// Files with and without a level, of products that store things in their own ways.
fn each(mut test: impl FnMut(&str, &[u8])) {
    test("level", &samples::level().build().bytes);
    test("menu", &samples::menu().build().bytes);
    test("script", &samples::script().build().bytes);
    let small = |len: usize| len < 40_000;
    let real = corpus::files("virtools", &["nmo", "cmo", "nms"]).unwrap_or_default();
    for real in real.iter().filter(|real| small(real.bytes.len())).step_by(7) {
        test(&real.name, &real.bytes);
    }
}

#[test]
fn a_new_object_of_every_class_has_a_whole_chunk() {
    each(|name, bytes| {
        let count = file(&*open(bytes).0.unwrap()).table().objects.len() as u32;
        for class in CLASSES.iter().filter(|class| !NONE.contains(&class.id)) {
            let what = format!("{name}: {}", class.name);
            let written = with_new(bytes, class.id);
            let opened = open(&written).0.unwrap();
            let file = file(&*opened);
            let (checked, findings) = with_task(written.len(), |task| {
                let owner = Owner::Object(count);
                let chunk = file.records(&mut task.budget)?.chunk(owner, &mut task.budget)?;
                // 33 is what real chunks of this class say.
                let own = if class.id == 41 { 33 } else { class.id };
                assert_eq!(chunk[..4], [10, own as u8, 7, chunk[3]], "{what}");
                assert_ne!(chunk[3] & 8, 0, "{what}: file mode");
                // Nothing but what the class lays out, and no reference to anything that is not there.
                let chunk = Bytes::copy_from_slice(chunk);
                file.check_chunk_bytes(owner, &chunk, task)?;
                let mut faults = Vec::new();
                let mut value = file.value(owner, &mut faults, &mut task.budget)?.unwrap();
                assert!(faults.is_empty() && value.extras.is_none(), "{what}: {faults:?}");
                assert_eq!(value.write()?.to_bytes()?, &chunk[..], "{what}");
                if let Some(entity) = entity_of(&mut value.value) {
                    let data = entity.data.as_ref().unwrap();
                    let axes = [data.x_axis, data.y_axis, data.z_axis];
                    assert_eq!(axes, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], "{what}");
                }
                file.verify(task)
            });
            checked.unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(errors(&findings), [""; 0], "{what}");
        }
    });
}

#[test]
fn no_object_of_a_base_class_is_added() {
    let bytes = samples::level().build().bytes;
    for id in NONE.into_iter().chain([80, 82, 9999]) {
        let add = |edit: &mut dyn Edit, task: &mut Task<'_>| {
            let table = edit.table(&format!("CKCID_{id}")).unwrap();
            edit.insert(table, &[Val::Str("New".into())], task)
        };
        let error = edited(&bytes, add).unwrap_err();
        let expected = if matches!(id, 55 | 9999) { "VT121" } else { "VT120" };
        assert_eq!(error.code().id, expected, "{id}: {error}");
    }
}

/// Files of 2.1.0.14 and later that have no level tell how their objects start.
#[test]
fn scene_flags_are_those_of_files_without_a_level() {
    let flags = |bytes: &[u8]| {
        let written = with_new(bytes, class::GROUP);
        let opened = open(&written).0.unwrap();
        let file = file(&*opened);
        let last = file.table().objects.len() as u32 - 1;
        let value = |task: &mut Task<'_>| {
            file.value(Owner::Object(last), &mut Vec::new(), &mut task.budget)
        };
        match with_task(written.len(), value).0.unwrap().unwrap().value {
            Value::Group(group) => group.be_object.scene_flags,
            other => panic!("{other:?}"),
        }
    };
    let of = |product_build: u32, objects: VirtoolsFile| {
        flags(&VirtoolsFile { product_build, ..objects }.build().bytes)
    };
    assert_eq!(of(0x0201_0001, samples::level()), None);
    assert_eq!(of(0x0201_000E, samples::level()), Some(0x49));
    // The menu has a level.
    assert_eq!(of(0x0305_0018, samples::menu()), None);
}

/// An object without a chunk gets a whole one with its first field.
#[test]
fn a_field_of_an_object_that_saved_nothing_makes_a_whole_chunk() {
    let bytes = samples::menu().build().bytes;
    let opened = open(&bytes).0.unwrap();
    let pages = opened.code_pages();
    let found = |task: &mut Task<'_>| opened.find("CK3dEntity/Removed", &pages, task);
    let node = with_task(bytes.len(), found).0.unwrap()[0];
    let set = |edit: &mut dyn Edit, task: &mut Task<'_>| {
        edit.set(node, "entity.position", Val::Str("1 2 3".into()), &pages, task)
    };
    let (written, ()) = edited(&bytes, set).unwrap();
    let opened = open(&written).0.unwrap();
    let file = file(&*opened);
    let owner = Owner::Object(file.object_index(node).unwrap());
    let value = |task: &mut Task<'_>| file.value(owner, &mut Vec::new(), &mut task.budget);
    let mut value = with_task(written.len(), value).0.unwrap().unwrap();
    let data = entity_of(&mut value.value).unwrap().data.clone().unwrap();
    assert_eq!((data.x_axis, data.position), ([1.0, 0.0, 0.0], [1.0, 2.0, 3.0]));
}

fn included(name: &[u8], content: &[u8]) -> IncludedFile {
    IncludedFile { name: name.to_vec(), data: content.to_vec() }
}

/// What `info` says of included files: their names, whether they are counted, and how many the stub counts.
fn told(bytes: &[u8]) -> (Vec<(String, bool)>, u64) {
    let info = info_damaged(&*open(bytes).0.unwrap());
    let mut files = Vec::new();
    while let Some(name) = info.find(&format!("included_files[{}].name", files.len())) {
        let name = name.to_string();
        let counted = info.get(&format!("included_files[{}].counted", files.len()));
        files.push((name, *counted == Val::Bool(true)));
    }
    (files, info.number("included_count"))
}

#[test]
fn added_files_are_counted_and_stand_before_those_that_are_not() {
    let thumbnail = || included(b"vtthumbnail.jpg", b"picture");
    for (count, records) in
        [(Some(0), vec![thumbnail()]), (None, vec![thumbnail()]), (Some(0), vec![]), (None, vec![])]
    {
        let tail: Vec<u8> = records.iter().flat_map(record).collect();
        let sample = VirtoolsFile { included_count: count, records, ..samples::level() };
        let bytes = sample.build().bytes;
        let add = |edit: &mut dyn Edit, task: &mut Task<'_>| {
            let table = edit.table("included").unwrap();
            edit.insert_as(table, &[Val::Str("a.txt".into())], Bytes::from("first"), task)?;
            edit.insert_as(table, &[Val::Str("b.txt".into())], Bytes::from("second"), task)
        };
        let (written, _) = edited(&bytes, add).unwrap();
        // Counted records, and the uncounted one as it was.
        let new = [included(b"a.txt", b"first"), included(b"b.txt", b"second")];
        let expected: Vec<u8> = new.iter().flat_map(record).chain(tail.iter().copied()).collect();
        assert!(written.ends_with(&expected), "{count:?}");
        let whole = VirtoolsFile {
            included_count: Some(2),
            records: new.into_iter().chain(sample.records).collect(),
            ..samples::level()
        };
        assert!(written == whole.build().bytes || !cfg!(feature = "c-codecs"), "{count:?}");
        let (files, counted) = told(&written);
        assert_eq!(counted, 2);
        let are_counted: Vec<bool> = files.iter().map(|(_, counted)| *counted).collect();
        assert_eq!(
            are_counted,
            [vec![true, true], vec![false; usize::from(!tail.is_empty())]].concat()
        );
        // Taken away again.
        let [a, b] = ["included/a.txt", "included/b.txt"].map(|path| {
            let [node] = find_damaged(&*open(&written).0.unwrap(), path)[..] else {
                panic!("{path}")
            };
            node
        });
        let (back, ()) = edited(&written, |edit, task| edit.remove(&[a, b], false, task)).unwrap();
        assert!(back.ends_with(&tail));
        assert_eq!(told(&back).1, 0);
    }
}

fn record(file: &IncludedFile) -> Vec<u8> {
    let len = |bytes: &[u8]| (bytes.len() as u32).to_le_bytes();
    [&len(&file.name)[..], &file.name, &len(&file.data)[..], &file.data].concat()
}

#[test]
fn another_name_counts_a_file_and_other_content_does_not() {
    let sample = VirtoolsFile {
        included_count: Some(1),
        records: vec![included(b"a.txt", b"a"), included(b"vtthumbnail.jpg", b"picture")],
        ..samples::level()
    };
    let bytes = sample.build().bytes;
    let [picture] = find_damaged(&*open(&bytes).0.unwrap(), "included/vtthumbnail.jpg")[..] else {
        panic!("it is there")
    };
    let (other, ()) =
        edited(&bytes, |edit, task| edit.set_bytes(picture, Bytes::from("other"), task)).unwrap();
    assert_eq!(told(&other).1, 1);
    let (named, ()) = edited(&bytes, |edit, task| edit.rename(picture, b"x.jpg", task)).unwrap();
    let (files, counted) = told(&named);
    assert_eq!(counted, 2);
    assert!(files.iter().all(|(_, counted)| *counted), "{files:?}");
    let old = samples::legacy(7).build().bytes;
    let add = |edit: &mut dyn Edit, task: &mut Task<'_>| {
        let table = edit.table("included").unwrap();
        edit.insert(table, &[Val::Str("a.txt".into())], task)
    };
    assert_eq!(edited(&old, add).unwrap_err().code().id, "VT070");
}

/// Each object's own chunk is taken, that of another class and what is no chunk are not.
#[test]
fn bytes_that_are_no_chunk_of_the_class_are_refused() {
    let real = corpus::files("virtools", &["nmo"]).unwrap_or_default();
    let real = real.iter().filter(|real| real.bytes.len() < 20_000).map(|real| real.bytes.clone());
    for bytes in [samples::level().build().bytes].into_iter().chain(real) {
        let opened = open(&bytes).0.unwrap();
        let file = file(&*opened);
        let check = |owner, chunk: &Bytes| {
            with_task(bytes.len(), |task| file.check_chunk_bytes(owner, chunk, task)).0
        };
        for (index, object) in (0..).zip(&file.table().objects) {
            let owner = Owner::Object(index);
            let chunk = with_task(bytes.len(), |task| {
                let records = file.records(&mut task.budget).unwrap();
                Bytes::copy_from_slice(records.chunk(owner, &mut task.budget).unwrap())
            });
            let chunk = chunk.0;
            if chunk.is_empty() {
                continue;
            }
            check(owner, &chunk).unwrap_or_else(|error| panic!("{index}: {error}"));
            // Cut short, with something behind it, of another class.
            let mut other = chunk.to_vec();
            other[1] ^= 0x80;
            let longer = [&chunk[..], &[0; 4]].concat();
            let bad = [chunk.slice(..chunk.len() - 4), other.into(), longer.into()];
            let words = [Bytes::from("hello"), Bytes::from("\u{89}PNG\r\n\u{1A}\n"), Bytes::new()];
            for bad in bad.iter().chain(&words) {
                let error = check(owner, bad).unwrap_err();
                assert_eq!(error.code().id, "VT122", "{}: {error}", object.class_id);
            }
        }
    }
}

/// A reference to an object that there is not.
#[test]
fn a_chunk_with_a_reference_past_the_table_is_refused() {
    let bytes = samples::level().build().bytes;
    let opened = open(&bytes).0.unwrap();
    let file = file(&*opened);
    let group = |members: &[u32]| -> Bytes {
        let words = [&[0xF_FFFF, 0, members.len() as u32], members].concat();
        let head = [0x0807_170A_u32, words.len() as u32];
        head.iter().chain(&words).flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>().into()
    };
    let index = file.table().objects.iter().position(|object| object.class_id == 23).unwrap();
    let check = |chunk: &Bytes| {
        let owner = Owner::Object(index as u32);
        with_task(bytes.len(), |task| file.check_chunk_bytes(owner, chunk, task)).0
    };
    let count = file.table().objects.len() as u32;
    check(&group(&[0, count - 1, u32::MAX])).unwrap();
    assert_eq!(check(&group(&[count])).unwrap_err().code().id, "VT122");
}
