//! Objects that come and go: what stays refers to what it referred to, and nothing else changes.

use crate::common::told;

use crate::common::{current, open};
use spelunk_core::{Bytes, Edit, Error, Node, Task, Val};
use spelunk_fixtures::{corpus, samples};
use std::collections::{BTreeMap, BTreeSet};
use test_support::{
    entries::{find_damaged, write},
    findings::errors,
    task::with_task,
};
use told::{Object, Told, assert_kept, edited, file, objects};

/// Files in which objects can come and go: made for tests, and real ones.
fn each(mut test: impl FnMut(&str, &[u8])) {
    for sample in current() {
        test(sample.name, &sample.fixture.bytes);
    }
    test("legacy 7", &samples::legacy(7).build().bytes);
    for real in corpus::files("virtools", &["nmo", "cmo", "nms"]).unwrap_or_default() {
        test(&real.name, &real.bytes);
    }
}

fn nodes(bytes: &[u8], path: &str) -> Node {
    let [node] = find_damaged(&*open(bytes).0.unwrap(), path)[..] else { panic!("{path}") };
    node
}

/// Positions that are worth a try: of the ends, the middle, a member of a group, and the first of some classes.
fn choices(bytes: &[u8], before: &BTreeMap<i32, Object>) -> BTreeSet<usize> {
    let opened = open(bytes).0.unwrap();
    let table = &file(&*opened).table().objects;
    let last = table.len().saturating_sub(1);
    let mut choices = BTreeSet::from([0, last / 2, last]);
    for class in [8, 9, 21, 32, 41, 45] {
        choices.extend(table.iter().position(|object| object.class_id == class));
    }
    let groups = before.values().filter(|object| object.class_id == 23);
    let mut members = groups.flat_map(|object| &object.fields).flat_map(|(_, values)| values);
    let member = members.find_map(|told| match told {
        Told::Object(id) => table.iter().position(|object| object.id == *id),
        _ => None,
    });
    choices.extend(member);
    choices
}

fn remove(node: Node) -> impl FnOnce(&mut dyn Edit, &mut Task<'_>) -> Result<(), Error> {
    move |edit, task| edit.remove(&[node], false, task)
}

fn remove_lossy(node: Node) -> impl FnOnce(&mut dyn Edit, &mut Task<'_>) -> Result<(), Error> {
    move |edit, task| edit.remove(&[node], true, task)
}

#[test]
fn what_is_left_refers_to_what_it_referred_to() {
    let (mut removed, mut references, mut refused) = (0, 0, Vec::new());
    each(|name, bytes| {
        let opened = open(bytes).0.unwrap();
        let before = objects(&*opened);
        let table = &file(&*opened).table().objects;
        for index in choices(bytes, &before) {
            let what = format!("{name} without #{index}");
            let id = table[index].id;
            let node = nodes(bytes, &format!("#{index}"));
            let written = match edited(bytes, remove(node)) {
                Ok((written, ())) => written,
                Err(error) => {
                    assert_eq!(error.code().id, "VT084", "{what}: {error}");
                    refused.push(format!("{what}: {error}"));
                    edited(bytes, remove_lossy(node)).unwrap().0
                }
            };
            let after = objects(&*open(&written).0.unwrap());
            let gone = BTreeSet::from([id]);
            assert_eq!(after.len() + 1, before.len(), "{what}");
            assert!(!after.contains_key(&id), "{what}");
            for (id, new) in &after {
                let old = &before[id];
                let what = format!("{what}: {} ({id})", old.name.escape_ascii());
                assert_eq!((new.class_id, &new.name), (old.class_id, &old.name), "{what}");
                references += assert_kept(&old.fields, &new.fields, &gone, &what);
                let refers = |told: &Told| {
                    // Positions before the one that went are the same.
                    let moved = |id: &i32| table[index..].iter().any(|object| object.id == *id);
                    matches!(told, Told::Object(id) if gone.contains(id) || moved(id))
                };
                if !old.fields.iter().any(|(_, values)| values.iter().any(refers)) {
                    assert!(new.chunk == old.chunk, "{what}: nothing in it has changed");
                }
            }
            removed += 1;
        }
    });
    assert!(removed > 0 && references > 0, "{removed} removed, {references} references");
    // In three of the real files a plugin's manager is in the way.
    assert!(refused.len() * 10 < removed, "{refused:#?}");
}

#[test]
fn what_is_added_changes_nothing_else() {
    each(|name, bytes| {
        let before = objects(&*open(bytes).0.unwrap());
        let (id, like) = before.iter().find(|(_, object)| !object.chunk.is_empty()).unwrap();
        let add = |edit: &mut dyn Edit, task: &mut Task<'_>| {
            let kind = format!("CKCID_{}", like.class_id);
            let table = edit.table(&kind).unwrap();
            let key = Val::Bytes(b"One more".as_slice().into());
            edit.insert_as(table, &[key], told::chunk(&like.chunk), task).map(drop)
        };
        let (written, ()) = edited(bytes, add).unwrap();
        let mut after = objects(&*open(&written).0.unwrap());
        let (_, new) = after.pop_last().unwrap();
        assert_eq!(new.name, b"One more", "{name}");
        assert_eq!(new.chunk, like.chunk, "{name}: as that of {id}");
        for (id, old) in &before {
            assert!(after.remove(id).as_ref() == Some(old), "{name}: {id}");
        }
        assert!(after.is_empty(), "{name}");
        // It goes again without a trace.
        let index = before.len();
        let (back, ()) = edited(&written, remove(nodes(&written, &format!("#{index}")))).unwrap();
        assert_eq!(objects(&*open(&back).0.unwrap()), before, "{name}");
    });
}

/// Plain content of a section.
fn plain(bytes: &[u8], section: &str) -> Vec<u8> {
    let opened = open(bytes).0.unwrap();
    let [node] = find_damaged(&*opened, section)[..] else { panic!("{section}") };
    with_task(bytes.len(), |task| opened.bytes(node, task)).0.unwrap().to_vec()
}

/// Where two byte strings of one length differ: the first byte, and the one behind the last.
fn difference(old: &[u8], new: &[u8]) -> Option<(usize, usize)> {
    assert_eq!(old.len(), new.len());
    let first = old.iter().zip(new).position(|(old, new)| old != new)?;
    let last = old.iter().zip(new).rposition(|(old, new)| old != new)?;
    Some((first, last + 1))
}

#[test]
fn other_bytes_of_a_chunk_are_all_that_changes() {
    each(|name, bytes| {
        let opened = open(bytes).0.unwrap();
        let before = objects(&*opened);
        for index in choices(bytes, &before) {
            let object = &before[&file(&*opened).table().objects[index].id];
            let mut chunk = object.chunk.clone();
            // The last dword of the data, or of a list: a number like any other.
            let Some(last) = chunk.last_mut() else { continue };
            *last ^= 0x40;
            let node = nodes(bytes, &format!("#{index}"));
            let mut opened = open(bytes).0.unwrap();
            let (set, _) = with_task(bytes.len(), |task| {
                opened.edit().unwrap().set_bytes(node, told::chunk(&chunk), task)
            });
            set.unwrap();
            let written = write(&*opened, false).0;
            let what = format!("{name}#{index}");
            assert!(plain(&written, "header1") == plain(bytes, "header1"), "{what}: Header1");
            let (old, new) = (plain(bytes, "data"), plain(&written, "data"));
            let (first, end) = difference(&old, &new).unwrap();
            assert_eq!(first + 1, end, "{what}: one byte");
            // Back to what it was, the file is what it was.
            let mut opened = open(&written).0.unwrap();
            let chunk = told::chunk(&object.chunk);
            let (set, _) =
                with_task(bytes.len(), |task| opened.edit().unwrap().set_bytes(node, chunk, task));
            set.unwrap();
            let back = write(&*opened, false).0;
            assert!(plain(&back, "data") == old, "{what}");
        }
    });
}

#[test]
fn another_name_is_all_that_changes() {
    each(|name, bytes| {
        let opened = open(bytes).0.unwrap();
        let before = objects(&*opened);
        let last = before.len() - 1;
        for (index, new_name) in
            [(0, b"x".as_slice()), (last, b"A name \xFC and no other"), (0, b"")]
        {
            let id = file(&*opened).table().objects[index].id;
            let node = nodes(bytes, &format!("#{index}"));
            let rename =
                |edit: &mut dyn Edit, task: &mut Task<'_>| edit.rename(node, new_name, task);
            let (written, ()) = edited(bytes, rename).unwrap();
            let what = format!("{name}#{index}");
            assert!(plain(&written, "data") == plain(bytes, "data"), "{what}: Data");
            let grown =
                plain(&written, "header1").len() as i64 - plain(bytes, "header1").len() as i64;
            assert_eq!(grown, new_name.len() as i64 - before[&id].name.len() as i64, "{what}");
            let mut after = objects(&*open(&written).0.unwrap());
            let renamed = after.get_mut(&id).unwrap();
            assert_eq!(renamed.name, new_name, "{what}");
            for (id, new) in &after {
                let old = &before[id];
                assert!(new.chunk == old.chunk && new.class_id == old.class_id, "{what}: {id}");
            }
            // Under its old name the file is what it was, but for what packs its sections.
            let old_name = before[&id].name.clone();
            let back =
                |edit: &mut dyn Edit, task: &mut Task<'_>| edit.rename(node, &old_name, task);
            let (back, ()) = edited(&written, back).unwrap();
            assert!(plain(&back, "header1") == plain(bytes, "header1"), "{what}: Header1 again");
        }
    });
}

#[test]
fn before_there_was_a_table_objects_have_names_and_stay() {
    for version in [0, 2, 4, 5, 6] {
        let bytes = samples::legacy(version).build().bytes;
        let before = objects(&*open(&bytes).0.unwrap());
        let node = nodes(&bytes, "#1");
        let rename = |edit: &mut dyn Edit, task: &mut Task<'_>| edit.rename(node, b"Deux", task);
        let (written, ()) = edited(&bytes, rename).unwrap();
        let after = objects(&*open(&written).0.unwrap());
        assert_eq!(after[&11].name, b"Deux", "version {version}");
        for id in [10, 12] {
            assert_eq!(after[&id], before[&id], "version {version}");
        }
        // Objects go, and what refers to them by their ids is null then.
        let (written, ()) = edited(&bytes, remove(node)).unwrap();
        let after = objects(&*open(&written).0.unwrap());
        assert_eq!(after.keys().copied().collect::<Vec<_>>(), [10, 12], "version {version}");
        for (id, new) in &after {
            let gone = BTreeSet::from([11]);
            assert_kept(&before[id].fields, &new.fields, &gone, &format!("{version}: {id}"));
        }
        // Objects come, with class and name in their chunks.
        for (class_id, kind) in [(23, "CKGroup"), (33, "CK3dEntity"), (41, "CK3dObject")] {
            let add = |edit: &mut dyn Edit, task: &mut Task<'_>| {
                let table = edit.table(kind).unwrap();
                edit.insert(table, &[Val::Str("New".into())], task)
            };
            let (written, _) = edited(&bytes, add).unwrap();
            let opened = open(&written).0.unwrap();
            let after = objects(&*opened);
            let (id, new) = after.last_key_value().unwrap();
            assert_eq!(
                (*id, new.class_id, &new.name[..]),
                (13, class_id, &b"New"[..]),
                "{version}"
            );
            for (id, old) in &before {
                assert_eq!(&after[id], old, "version {version}");
            }
            let (_, findings) = with_task(written.len(), |task| opened.verify(task));
            assert_eq!(errors(&findings), [""; 0], "{version}: {kind}");
            let [last] = find_damaged(&*opened, "#3")[..] else { panic!("{kind}") };
            let (back, ()) = edited(&written, remove(last)).unwrap();
            assert!(plain(&back, "data") == plain(&bytes, "data"), "{version}: {kind}");
        }
        // Without a chunk there would be neither.
        let empty = |edit: &mut dyn Edit, task: &mut Task<'_>| {
            let table = edit.table("CKGroup").unwrap();
            edit.insert_as(table, &[Val::Str("New".into())], Bytes::new(), task)
        };
        let error = edited(&bytes, empty).unwrap_err();
        assert_eq!(error.code().id, "VT070", "version {version}: {error}");
    }
}

#[test]
fn saved_ids_in_sub_chunks_keep_their_meaning() {
    let bytes = samples::menu().build().bytes;
    let ids = |bytes: &[u8]| -> Vec<Told> {
        let level = &objects(&*open(bytes).0.unwrap())[&40];
        let is_object = |told: &&Told| !matches!(told, Told::Other(_));
        level.fields.iter().flat_map(|(_, values)| values).filter(is_object).cloned().collect()
    };
    let of = |ids: &[i32]| -> Vec<Told> {
        let told = |id: &i32| if *id == 0 { Told::Null } else { Told::Object(*id) };
        ids.iter().map(told).collect()
    };
    let old = ids(&bytes);
    let wanted = of(&[40, 43, 44]);
    assert!(wanted.iter().all(|told| old.contains(told)), "{old:?}");
    // A texture in front of the members: positions change, ids do not.
    let (written, ()) =
        edited(&bytes, remove(nodes(&bytes, "CKTexture/Men\u{FC}_Hintergrund"))).unwrap();
    assert_eq!(ids(&written), old);
    assert_eq!(
        objects(&*open(&written).0.unwrap())[&40].chunk,
        objects(&*open(&bytes).0.unwrap())[&40].chunk
    );
    // A member: null, since flags and values of the scene stand beside it.
    let (written, ()) = edited(&bytes, remove(nodes(&bytes, "#2"))).unwrap();
    let expected = old.iter().map(|told| match told {
        Told::Object(43) => Told::Null,
        told => told.clone(),
    });
    assert_eq!(ids(&written), expected.collect::<Vec<_>>());
}

#[test]
fn several_objects_go_at_once() {
    let bytes = samples::level().build().bytes;
    let before = objects(&*open(&bytes).0.unwrap());
    let all = ["#0", "#4", "#7"].map(|path| nodes(&bytes, path));
    let (written, ()) = edited(&bytes, |edit, task| edit.remove(&all, false, task)).unwrap();
    let after = objects(&*open(&written).0.unwrap());
    let gone = BTreeSet::from([1, 6, 11]);
    for (id, new) in &after {
        assert_kept(&before[id].fields, &new.fields, &gone, &format!("{id}"));
    }
    assert_eq!(after.len() + 3, before.len());

    // A chunk that was changed before follows its object.
    let mut opened = open(&bytes).0.unwrap();
    with_task(bytes.len(), |task| {
        let cube = find_damaged(&*opened, "CKMesh/Cube_Mesh")[0];
        let texture = find_damaged(&*opened, "#0")[0];
        let edit = opened.edit().unwrap();
        edit.set_bytes(cube, Bytes::new(), task).unwrap();
        edit.remove(&[texture], false, task).unwrap();
        let table = edit.table("CKGroup").unwrap();
        edit.insert(table, &[Val::Str("More".into())], task).unwrap();
        let last = edit.insert(table, &[Val::Str("Most".into())], task).unwrap();
        edit.remove(&[last], false, task).unwrap();
    });
    let written = write(&*opened, false).0;
    let after = objects(&*open(&written).0.unwrap());
    assert!(after[&3].chunk.is_empty() && !after.contains_key(&1));
    assert_eq!(after.last_key_value().unwrap().1.name, b"More");
    assert_kept(&before[&4].fields, &after[&4].fields, &BTreeSet::new(), "Cube");
}

#[test]
fn what_is_not_there_cannot_go_and_nothing_goes_then() {
    let bytes = samples::level().build().bytes;
    let last = nodes(&bytes, "#8");
    let first = nodes(&bytes, "#0");
    let foreign = nodes(&samples::menu().build().bytes, "included/vtthumbnail.jpg");
    for nodes in [[last, Node(last.0 + 1)], [first, foreign]] {
        let error = edited(&bytes, |edit, task| edit.remove(&nodes, false, task)).unwrap_err();
        assert_eq!(error.code().id, "SP022", "{error}");
    }
    let error = edited(&bytes, |edit, task| edit.rename(Node(last.0 + 1), b"x", task));
    assert_eq!(error.unwrap_err().code().id, "SP022");
}
