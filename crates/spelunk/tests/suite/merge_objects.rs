//! Merging Virtools files: objects are those of the base on both sides, whatever they are called and wherever they stand.

use crate::common;

use crate::common::{
    find,
    merges::{merged, told},
    open, sample, written,
};
use spelunk::{
    Bytes, Edit, Task, Val, WriteOptions,
    compare::diff::{self, Change, diff},
    compare::merge::{Merging, OnConflict, Report},
};
use spelunk_fixtures::corpus;
use virtools::File;

fn edited(
    bytes: &[u8],
    change: impl FnOnce(&mut dyn Edit, &mut Task<'_>) -> spelunk::Result<()>,
) -> Vec<u8> {
    let mut opened = open("edited", bytes);
    opened.edit(change).unwrap().unwrap();
    written(&mut opened, &WriteOptions::default())
}

/// The file with other values in fields.
fn set(bytes: &[u8], changes: &[(&str, &str, &str)]) -> Vec<u8> {
    let pages = open("pages", bytes).code_pages();
    changes.iter().fold(bytes.to_vec(), |bytes, (path, field, value)| {
        let node = find(&bytes, path);
        edited(&bytes, |edit, task| edit.set(node, field, Val::from(*value), &pages, task))
    })
}

fn renamed(bytes: &[u8], path: &str, name: &str) -> Vec<u8> {
    let node = find(bytes, path);
    edited(bytes, |edit, task| edit.rename(node, name.as_bytes(), task))
}

fn without(bytes: &[u8], path: &str) -> Vec<u8> {
    let node = find(bytes, path);
    edited(bytes, |edit, task| edit.remove(&[node], true, task))
}

/// The file with an empty group.
fn with_group(bytes: &[u8], name: &str) -> Vec<u8> {
    edited(bytes, |edit, task| {
        let file = edit.model_mut::<File>().unwrap();
        file.add_object_as(23, name.as_bytes(), Bytes::new(), &mut task.budget).map(drop)
    })
}

/// What became of the entries of the base.
fn changes(old: &[u8], new: &[u8]) -> Vec<String> {
    let found = diff(&mut open("old", old), &mut open("new", new), &diff::Options::default());
    let name = |item: &diff::ComparedEntry| {
        format!(
            "{}/{}",
            item.kind,
            String::from_utf8_lossy(item.name.as_deref().unwrap_or_default())
        )
    };
    let told = found.unwrap().changes.into_iter().map(|change| match change {
        Change::Added(item) => format!("+ {}", name(&item)),
        Change::Removed(item) => format!("- {}", name(&item)),
        Change::Renamed { old, new, fields } => {
            format!("> {} {} {}", name(&old), name(&new), fields.len())
        }
        Change::Changed { old, fields, .. } => format!("~ {} {}", name(&old), fields.len()),
    });
    told.collect()
}

fn lists(report: &Report) -> [Vec<String>; 4] {
    let told = |it: &Merging| format!("{} {}", it.path, it.change.unwrap_or("?"));
    [&report.from_ours, &report.from_theirs, &report.both, &report.merged]
        .map(|list| list.iter().map(told).collect())
}

#[test]
fn what_each_side_did_is_in_the_result() {
    let base = sample("level.nmo");
    let ours = set(
        &base,
        &[
            ("CKMaterial/Wood", "material.diffuse", "0xff00ff00"),
            ("CKMaterial/Wood", "material.specular_power", "20"),
        ],
    );
    // The objects behind it stand in other places then, and what it is called there is not known here.
    let ours = without(&renamed(&ours, "CK3dObject/Cube", "Box"), "CKParameterLocal/Floor");
    let ours = with_group(&with_group(&ours, "Mine"), "Of both");
    let theirs = set(
        &base,
        &[
            ("CKMaterial/Wood", "material.specular_power", "20"),
            ("CKMaterial/Wood", "material.emissive", "0xff111111"),
            ("CK3dObject/Cube", "entity.position[1]", "2.5"),
            ("CKParameterLocal/Message", "parameter.value", "7"),
        ],
    );
    let theirs = with_group(&with_group(&theirs, "Of both"), "Yours");
    let (made, report, _) = merged([&base, &ours, &theirs], OnConflict::Refuse);
    assert_eq!(told(&report.conflicts), [""; 0]);
    let made = made.unwrap();
    assert_eq!(
        changes(&base, &made),
        [
            "~ CKMaterial/Wood 3",
            // Its place, and what referred to the parameter that is gone.
            "> CK3dObject/Cube CK3dObject/Box 2",
            "- CKParameterLocal/Floor",
            "~ CKParameterLocal/Message 1",
            "+ CKGroup/Mine",
            "+ CKGroup/Of both",
            "+ CKGroup/Yours",
        ]
    );
    let of_ours = ["CKParameterLocal/Floor removed", "CKGroup/Mine added"];
    let of_theirs = ["CKParameterLocal/Message changed", "CKGroup/Yours added"];
    let united = ["CKMaterial/Wood changed", "CK3dObject/Cube changed"];
    let both = ["CKGroup/Of both added"];
    let [of_ours, of_theirs, both, united] =
        [of_ours.as_slice(), &of_theirs, &both, &united].map(|list| list.to_vec());
    assert_eq!(lists(&report), [of_ours, of_theirs, both, united]);
    // Whose file the changes are made to is no matter but for the order of what is new.
    let (swapped, ..) = merged([&base, &theirs, &ours], OnConflict::Theirs);
    let mut back = changes(&made, &swapped.unwrap());
    back.sort();
    assert_eq!(back, [""; 0]);
}

#[test]
fn conflicts_are_told_and_decided() {
    let base = sample("level.nmo");
    let ours = set(
        &base,
        &[
            ("CKMaterial/Wood", "material.specular_power", "20"),
            ("CKMaterial/Wood", "material.diffuse", "0xff00ff00"),
        ],
    );
    let ours = without(&ours, "CKParameterLocal/Message");
    let theirs = set(
        &base,
        &[
            ("CKMaterial/Wood", "material.specular_power", "30"),
            ("CKMaterial/Wood", "material.emissive", "0xff111111"),
            ("CKParameterLocal/Message", "parameter.value", "7"),
        ],
    );
    let sides = [&*base, &ours, &theirs];
    let (made, report, _) = merged(sides, OnConflict::Refuse);
    assert_eq!(made, None);
    let conflicts = [
        "CKMaterial/Wood material.specular_power: 20.0 or 30.0",
        "CKParameterLocal/Message all: removed or changed",
    ];
    assert_eq!(told(&report.conflicts), conflicts);
    let (made, _, findings) = merged(sides, OnConflict::Ours);
    assert_eq!(changes(&ours, &made.unwrap()), ["~ CKMaterial/Wood 1"]);
    assert_eq!(findings.len(), 2);
    let (made, report, _) = merged(sides, OnConflict::Theirs);
    assert_eq!(told(&report.conflicts), conflicts);
    assert_eq!(changes(&theirs, &made.unwrap()), ["~ CKMaterial/Wood 1"]);
}

/// The file with a group of these members.
fn with_members(bytes: &[u8], name: &str, members: &str) -> Vec<u8> {
    let path = format!("CKGroup/{name}");
    let bytes = with_group(bytes, name);
    set(&bytes, &[(&path, "group.members", members)])
}

#[test]
fn new_objects_are_known_by_what_they_are() {
    let base = sample("level.nmo");
    let refers = |bytes: &[u8], name: &str| {
        set(
            bytes,
            &[("CKGroup/Phys_Floors", "group.members", &format!("CK3dObject/Cube,CKGroup/{name}"))],
        )
    };
    // Each is the first new object of its file.
    let ours = refers(&with_group(&base, "Ours"), "Ours");
    let theirs = refers(&with_group(&base, "Theirs"), "Theirs");
    let (_, report, _) = merged([&base, &ours, &theirs], OnConflict::Refuse);
    let found = told(&report.conflicts);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("CKGroup/Ours") && found[0].contains("CKGroup/Theirs"), "{found:?}");
    // One is the first, the same one the second.
    let ours = refers(&with_group(&base, "Both"), "Both");
    let theirs = refers(&with_group(&with_group(&base, "More"), "Both"), "Both");
    let (made, report, _) = merged([&base, &ours, &theirs], OnConflict::Refuse);
    assert_eq!(told(&report.conflicts), [""; 0]);
    assert_eq!(changes(&ours, &made.unwrap()), ["+ CKGroup/More"]);
    // One name is no identity.
    let ours = with_members(&base, "Lamps", "CK3dObject/Cube");
    let theirs = with_members(&base, "Lamps", "CKMesh/Cube_Mesh");
    let (made, report, findings) = merged([&base, &ours, &theirs], OnConflict::Refuse);
    assert_eq!(changes(&ours, &made.unwrap()), ["+ CKGroup/Lamps"]);
    assert_eq!(report.collisions.len(), 1);
    assert!(findings[0].contains("SP095"), "{findings:?}");
}

#[test]
fn what_is_removed_here_and_used_there_is_told_on_either_side() {
    let base = sample("level.nmo");
    let gone = without(&base, "CKMaterial/Wood");
    let used = with_members(&base, "Woods", "CKMaterial/Wood,CK3dObject/Cube");
    for sides in [[&*base, &gone, &used], [&base, &used, &gone]] {
        let (made, report, _) = merged(sides, OnConflict::Refuse);
        assert_eq!((made, report.conflicts.len()), (None, 1));
    }
    // Where it stays, all that referred to it does.
    let (made, ..) = merged([&base, &used, &gone], OnConflict::Ours);
    assert_eq!(changes(&used, &made.unwrap()), [""; 0]);
    let (made, ..) = merged([&base, &gone, &used], OnConflict::Theirs);
    assert_eq!(changes(&used, &made.unwrap()), [""; 0]);
    // Where it goes, the rest of what used it is there.
    let (made, ..) = merged([&base, &gone, &used], OnConflict::Ours);
    let made = made.unwrap();
    assert_eq!(changes(&gone, &made), ["+ CKGroup/Woods"]);
    let rows = common::rows(&mut open("made", &made));
    let size = rows.iter().find(|row| row["path"] == "#8").map(|row| row["size"].clone());
    assert!(size.is_some_and(|size| size.as_u64() > Some(0)), "{rows:?}");
    assert_eq!(common::errors(&mut open("made", &made)), [""; 0]);
}

#[test]
fn numbers_of_objects_are_carried_where_they_mean_the_same() {
    let Some(files) = corpus::files("virtools", &["nmo"]) else { return };
    let file = |name: &str| &*files.iter().find(|file| file.name == name).unwrap().bytes;
    let (base, theirs) = (file("balls_v3.5.nmo"), file("balls_tuned_a_v3.5.nmo"));
    // Theirs has its objects in other places, which words of its interface chunks tell.
    let ours = renamed(base, "CK3dObject/Ball_Wood", "Renamed");
    let (made, report, _) = merged([base, &ours, theirs], OnConflict::Refuse);
    let found = told(&report.conflicts);
    let is_told = |it: &&String| it.contains("interface.chunk.words: objects with other numbers");
    assert!(made.is_none() && found.iter().filter(is_told).count() > 10, "{found:?}");
}

#[test]
fn included_files_of_one_name_are_one() {
    let base = sample("menu.cmo");
    let with = |content: &'static [u8]| {
        edited(&base, |edit, _| {
            let file = edit.model_mut::<File>().unwrap();
            file.add_included(b"readme.txt", Bytes::from_static(content)).map(drop)
        })
    };
    let (made, report, _) = merged([&base, &with(b"a"), &with(b"b")], OnConflict::Refuse);
    assert_eq!((made, told(&report.conflicts).len()), (None, 1));
    let (made, report, _) = merged([&base, &with(b"a"), &with(b"a")], OnConflict::Refuse);
    assert!(made.unwrap() == with(b"a"));
    assert_eq!(lists(&report)[2], ["included file/readme.txt added"]);
}

#[test]
fn what_belongs_to_no_object_is_told() {
    let base = sample("level.nmo");
    let theirs = sample("second-version.nmo");
    let ours = renamed(&base, "CKParameterLocal/Floor", "Ground");
    let (_, _, findings) = merged([&base, &ours, &theirs], OnConflict::Ours);
    assert!(findings.iter().any(|it| it.contains("SP123")), "{findings:?}");
}

#[test]
fn one_side_alone_counts_in_real_files() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo"]) else { return };
    let file = |name: &str| files.iter().find(|file| file.name == name).unwrap();
    for [base, other] in [
        ["balls_v3.5.nmo", "balls_tuned_a_v3.5.nmo"],
        ["balls_tuned_a_v3.5.nmo", "balls_tuned_b_v3.5.nmo"],
        ["testmap_a_v3.5.nmo", "testmap_b_v3.5.nmo"],
    ] {
        let [base, other] = [base, other].map(|name| &*file(name).bytes);
        for sides in [[base, other, base], [base, other, other]] {
            let (made, report, findings) = merged(sides, OnConflict::Refuse);
            assert!(made.unwrap() == other);
            assert_eq!((told(&report.conflicts), findings), (vec![], vec![]));
        }
    }
}

#[test]
fn real_files_take_the_changes_of_both_sides() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo"]) else { return };
    let base = &*files.iter().find(|file| file.name == "testmap_a_v3.5.nmo").unwrap().bytes;
    let theirs = &*files.iter().find(|file| file.name == "testmap_b_v3.5.nmo").unwrap().bytes;
    let ours = renamed(base, "CK3dObject/A01_Floor_03.Copy.Copy003", "Renamed");
    let ours = set(&ours, &[("CK3dObject/PC_TwoFlames_04", "entity.position[0]", "1.5")]);
    let (made, report, _) = merged([base, &ours, theirs], OnConflict::Refuse);
    assert_eq!(told(&report.conflicts), [""; 0]);
    let made = made.unwrap();
    let of_ours: Vec<String> =
        changes(theirs, &made).into_iter().filter(|it| it.contains("CK3dObject")).collect();
    let wanted = [
        "~ CK3dObject/PC_TwoFlames_04 1",
        "> CK3dObject/A01_Floor_03.Copy.Copy003 CK3dObject/Renamed 0",
    ];
    assert_eq!(of_ours, wanted);
}
