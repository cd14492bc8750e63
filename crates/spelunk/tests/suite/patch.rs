//! Patches make the very file that they were made for, both ways; made to other files they change what they are about
//! and nothing else, and what does not fit is told.

use crate::common::{find, open, sample, written};
use spelunk::{
    Bytes, Container, Edit, Options, Source, Task, Val, WriteOptions,
    compare::patch::{self, Applied, Patch},
    containers::pack::Origin,
    open::codes,
};
use spelunk_fixtures::{corpus, mutate::mutate, samples::virtools_matrix};
use std::sync::Arc;

fn between(old: &[u8], new: &[u8]) -> Patch {
    let [old, new] = [old, new].map(source);
    let options = Options::default();
    let origin = |source| Origin { source, options: &options };
    patch::between(&origin(&old), &origin(&new)).unwrap_or_else(|error| panic!("{error}"))
}

/// The file with another value in a field.
fn set(bytes: &[u8], path: &str, field: &str, value: &str) -> Vec<u8> {
    let node = find(bytes, path);
    let mut opened = open("set", bytes);
    let (pages, value) = (opened.code_pages(), Val::Str(value.into()));
    opened.edit(|edit, task| edit.set(node, field, value, &pages, task)).unwrap().unwrap();
    written(&mut opened, &WriteOptions::default())
}

fn source(bytes: &[u8]) -> Arc<dyn Source> {
    Arc::new(Bytes::copy_from_slice(bytes))
}

fn apply(patch: &Patch, bytes: &[u8]) -> (Vec<u8>, Applied) {
    let options = Options::default();
    let origin = Origin { source: &source(bytes), options: &options };
    let mut applied = patch::apply(patch, &origin).unwrap_or_else(|error| panic!("{error}"));
    let (mut bytes, options) = (Vec::new(), applied.options);
    let written = applied.opened.run(|container, task| container.write(&mut bytes, &options, task));
    written.unwrap_or_else(|error| panic!("{error}"));
    (bytes, applied)
}

fn text(patch: &Patch) -> Vec<u8> {
    let mut text = Vec::new();
    patch.write(&mut text).unwrap();
    text
}

/// Both ways, and through text.
fn makes_each_of_the_other(name: &str, old: &[u8], new: &[u8]) -> Patch {
    let patch = between(old, new);
    let text = text(&patch);
    let read = Patch::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(read == patch, "{name}: the text tells another patch");
    let (made, applied) = apply(&read, old);
    assert!(applied.conflicts.is_empty(), "{name}: {:?}", applied.conflicts);
    assert!(made == new, "{name}: not the new file");
    let back = read.reversed();
    let (made, applied) = apply(&back, new);
    assert!(applied.conflicts.is_empty(), "{name}: {:?}", applied.conflicts);
    assert!(made == old, "{name}: not the old file");
    assert!(back.reversed() == patch, "{name}: twice reversed");
    patch
}

fn real(name: &str) -> Option<Vec<u8>> {
    let files = corpus::files("virtools", &["nmo", "cmo", "nms"])?;
    Some(files.into_iter().find(|file| file.name == name).unwrap_or_else(|| panic!("{name}")).bytes)
}

#[test]
fn real_files_become_each_other_byte_for_byte() {
    let pairs = [
        ["balls_tuned_a_v3.5.nmo", "balls_tuned_b_v3.5.nmo"],
        ["balls_v3.5.nmo", "balls_tuned_a_v3.5.nmo"],
        ["levelinit_a_v3.5.cmo", "levelinit_b_v3.5.cmo"],
        ["testmap_a_v3.5.nmo", "testmap_b_v3.5.nmo"],
        ["balls.nmo", "balls_v3.5.nmo"],
        ["ph_p_modul_01.nmo", "ph_p_modul_01_v3.5.nmo"],
        ["ball_sticky_v2.5.nmo", "p_ball_sticky_v2.5.nmo"],
        ["ph_pe_balloon.nmo", "ph_pe_balloon_v3.5.nmo"],
        ["camera.nmo", "ph_p_box.nmo"],
    ];
    for pair in pairs {
        let [Some(old), Some(new)] = pair.map(real) else { return };
        makes_each_of_the_other(&pair.join(" "), &old, &new);
    }
}

#[test]
fn the_tuned_balls_take_no_more_than_what_was_tuned() {
    let [Some(old), Some(new)] = ["balls_tuned_a_v3.5.nmo", "balls_tuned_b_v3.5.nmo"].map(real)
    else {
        return;
    };
    let patch = between(&old, &new);
    assert!(patch.frame.is_none());
    let edits: Vec<_> = patch.changes[0].edits.iter().map(|edit| edit.at.as_str()).collect();
    let values = edits.iter().filter(|at| at.starts_with("/value"));
    let tuned = [0, 1, 2].map(|row| format!("/value/data/rows/{row}/cells/7/value"));
    assert!(values.eq(&tuned), "{edits:?}");
    assert_eq!(patch.changes.len(), 2);
    // Made to a file in which something else was changed, it changes the same.
    let mine = set(&old, "CKDataArray/Physicalize_GameBall", "data.rows[0].cells[1].value", "0.75");
    let (made, applied) = apply(&patch, &mine);
    assert_eq!((applied.made, applied.same_file), (2, false));
    let expected =
        set(&new, "CKDataArray/Physicalize_GameBall", "data.rows[0].cells[1].value", "0.75");
    assert!(made == expected);
    // Once more it finds nothing to do.
    let (again, applied) = apply(&patch, &made);
    assert_eq!((applied.made, applied.made_before, applied.conflicts.len()), (0, 2, 0));
    assert!(again == made);
}

#[test]
fn files_of_all_generations_become_each_other() {
    let files: Vec<(String, Vec<u8>)> =
        virtools_matrix().into_iter().map(|file| (file.name, file.file.build().bytes)).collect();
    for pair in files.windows(2) {
        let [(old_name, old), (new_name, new)] = pair else { continue };
        makes_each_of_the_other(&format!("{old_name} {new_name}"), old, new);
    }
}

#[test]
fn what_edits_do_patches_do() {
    let level = sample("level.nmo");
    let edited = |change: &dyn Fn(&mut dyn Edit, &mut Task<'_>) -> spelunk::Result<()>| {
        let mut opened = open("level.nmo", &level);
        opened.edit(|edit, task| change(edit, task)).unwrap().unwrap();
        written(&mut opened, &WriteOptions::default())
    };
    let wood = find(&level, "CKMaterial/Wood");
    let renamed = edited(&|edit, task| edit.rename(wood, b"Oak", task));
    let patch = makes_each_of_the_other("renamed", &level, &renamed);
    assert!(patch.frame.is_none(), "{patch:?}");
    assert_eq!(patch.changes.len(), 1);
    assert_eq!(patch.changes[0].edits[0].at, "/name");

    let removed = edited(&|edit, task| edit.remove(&[wood], false, task));
    makes_each_of_the_other("removed", &level, &removed);
    let added = edited(&|edit, task| {
        let table = edit.table("CKGroup").unwrap();
        edit.insert(table, &[Val::Bytes(b"Lamps".as_slice().into())], task).map(drop)
    });
    let patch = makes_each_of_the_other("added", &level, &added);
    let included = edited(&|edit, task| {
        let table = edit.table("included").unwrap();
        let node = edit.insert(table, &[Val::Bytes(b"a.txt".as_slice().into())], task)?;
        edit.set_bytes(node, Bytes::from_static(b"content"), task)
    });
    makes_each_of_the_other("included", &level, &included);

    // Made to another file: the one without the wood gets the group, and is otherwise what it was.
    let (made, applied) = apply(&patch, &removed);
    assert_eq!((applied.made, applied.conflicts.len()), (1, 0));
    let (back, _) = apply(&patch.reversed(), &made);
    assert!(back == removed);
    // What goes has to be what it was.
    let moved = set(&level, "CKMaterial/Wood", "material.diffuse", "0xff00ff00");
    let (made, applied) = apply(&between(&level, &removed), &moved);
    assert!(applied.conflicts.iter().any(|conflict| conflict.code().id == codes::CONFLICT.id));
    assert_eq!(find(&made, "CKMaterial/Wood"), wood, "it stays");
}

#[test]
fn references_go_by_what_they_mean() {
    let level = sample("level.nmo");
    let without = set(&level, "CK3dObject/Cube", "meshes.current", "none");
    let patch = between(&without, &level);
    let texture = find(&level, "CKTexture/Wood_Texture");
    let moved = |bytes: &[u8]| {
        let mut opened = open("moved", bytes);
        opened.edit(|edit, task| edit.remove(&[texture], false, task)).unwrap().unwrap();
        written(&mut opened, &WriteOptions::default())
    };
    // All positions are other ones there.
    let (made, applied) = apply(&patch, &moved(&without));
    assert_eq!((applied.made, applied.same_file, applied.conflicts.len()), (1, false, 0));
    assert!(made == moved(&level));
}

#[test]
fn damaged_patches_are_refused_or_do_something_else_but_never_harm() {
    let level = sample("level.nmo");
    let changed = set(&level, "CKMaterial/Wood", "material.diffuse", "0xff00ff00");
    let text = text(&between(&level, &changed));
    let mut refused = 0;
    for seed in 0..2_000 {
        let damaged = mutate(&text, seed);
        let Ok(patch) = Patch::parse(&damaged) else {
            refused += 1;
            continue;
        };
        for patch in [patch.clone().reversed(), patch] {
            let options = Options::default();
            let origin = Origin { source: &source(&level), options: &options };
            if let Ok(mut applied) = patch::apply(&patch, &origin) {
                let options = applied.options;
                let write = |container: &dyn Container, task: &mut Task<'_>| {
                    container.write(&mut Vec::new(), &options, task)
                };
                let _ = applied.opened.run(write);
            }
        }
    }
    assert!((500..2_000).contains(&refused), "{refused}");
}

#[test]
fn other_formats_have_none() {
    let data = sample("GameData.cff");
    let options = Options::default();
    let source = source(&data);
    let origin = Origin { source: &source, options: &options };
    let error = patch::between(&origin, &origin).unwrap_err();
    assert_eq!(error.code().id, codes::NO_PATCH.id);
    let level = sample("level.nmo");
    let error = patch::apply(&between(&level, &level), &origin).unwrap_err();
    assert_eq!(error.code().id, codes::OTHER_FORMAT.id);
}
