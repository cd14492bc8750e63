//! Fields that are set: what they become, and that nothing else does.

use crate::common::open;
use spelunk_core::{
    Container, Error, Val,
    text::CodePages,
    walk::{Flat, finish},
};
use spelunk_fixtures::{chunk::Chunk, samples, virtools::ObjectEntry};
use std::collections::BTreeMap;
use test_support::{
    entries::{find_damaged, write},
    findings::errors,
    task::with_task,
};

/// Sets a field; gives the file that is written then. What is refused changes nothing.
fn set_in(
    bytes: &[u8],
    pages: &str,
    entry: &str,
    field: &str,
    value: Val<'_>,
) -> Result<Vec<u8>, Error> {
    let mut opened = open(bytes).0.unwrap();
    let [node] = find_damaged(&*opened, entry)[..] else { panic!("{entry}") };
    let pages = CodePages::from_labels(pages).unwrap();
    let edit = opened.edit().unwrap();
    let (set, _) = with_task(bytes.len(), |task| edit.set(node, field, value, &pages, task));
    let written = write(&*opened, false).0;
    match set {
        Ok(()) => assert_sound(&written),
        Err(_) => assert!(written == bytes, "{entry}/{field} was refused and changed something"),
    }
    set.map(|()| written)
}

fn set(bytes: &[u8], entry: &str, field: &str, value: &str) -> Result<Vec<u8>, Error> {
    set_in(bytes, "cp1252", entry, field, Val::Str(value.into()))
}

fn assert_sound(bytes: &[u8]) {
    let (opened, mut findings) = open(bytes);
    let (verified, more) = with_task(bytes.len(), |task| opened.unwrap().verify(task));
    verified.unwrap();
    findings.findings.extend(more.findings);
    assert!(errors(&findings).is_empty(), "{findings:?}");
}

/// The fields of an entry by their paths, as `show` prints them.
fn fields(bytes: &[u8], entry: &str) -> BTreeMap<String, Val<'static>> {
    let opened = open(bytes).0.unwrap();
    let [node] = find_damaged(&*opened, entry)[..] else { panic!("{entry}") };
    let mut flat = Flat::default();
    let (walked, _) = with_task(bytes.len(), |task| opened.walk(node, task, &mut flat));
    finish(walked).unwrap();
    flat.fields.into_iter().map(|field| (field.path, field.value)).collect()
}

/// Every field of the file that differs, but for those that are made anew from the rest.
fn differences(old: &[u8], new: &[u8]) -> Vec<String> {
    let all = |bytes: &[u8]| {
        let opened: Box<dyn Container> = open(bytes).0.unwrap();
        let mut flat = Flat::default();
        let (walked, _) = with_task(bytes.len(), |task| opened.layout(task, &mut flat));
        finish(walked).unwrap();
        let fields = flat.fields.into_iter().map(|field| (field.path, field.value));
        fields.collect::<BTreeMap<_, _>>()
    };
    let (old, new) = (all(old), all(new));
    let derived = |path: &str| {
        path.ends_with(".file_index")
            || path.ends_with(".stored")
            || ["part0.checksum", "part0.crc"].contains(&path)
            || path.starts_with("part") && path.ends_with("_size")
    };
    let differs = |path: &&String| old.get(*path) != new.get(*path) && !derived(path);
    let mut paths: Vec<_> = old.keys().chain(new.keys()).filter(differs).cloned().collect();
    paths.sort();
    paths.dedup();
    paths
}

/// Sets a field, and checks what it is then and that no other one of the file has changed.
fn becomes(bytes: &[u8], entry: &str, field: &str, value: &str, expected: &str) -> Vec<u8> {
    let what = format!("{entry}/{field}={value}");
    let written = set(bytes, entry, field, value).unwrap_or_else(|error| panic!("{what}: {error}"));
    let told = fields(&written, entry);
    let told = told.get(field).unwrap_or_else(|| panic!("{what}: is not told"));
    assert_eq!(told.to_string(), expected, "{what}");
    let changed = differences(bytes, &written);
    assert!(
        changed.iter().all(|path| path.starts_with("data.records[") && path.contains(field)),
        "{what}: {changed:?}"
    );
    assert!(changed.len() <= 1, "{what}: {changed:?}");
    written
}

#[test]
fn scalars_flags_and_references() {
    let bytes = samples::level().build().bytes;
    for (entry, field, value, expected) in [
        ("#1", "material.specular_power", "2.5", "2.5"),
        ("#1", "material.diffuse", "0xff112233", "0xff112233"),
        ("#1", "material.diffuse", "7", "0x00000007"),
        ("CKMaterial/Wood", "material.texture", "#3", "3"),
        ("CKMaterial/Wood", "material.texture", "CKTexture/Wood_Texture", "0"),
        ("CKMaterial/Wood", "material.texture", "none", "nothing"),
        ("#1", "material.flags", "two sided | z write", "0x00000003"),
        ("#1", "material.flags", "z write", "0x00000002"),
        ("#3", "entity.position[1]", "-0.5", "-0.5"),
        ("#3", "meshes.all[0]", "none", "nothing"),
        ("#3", "meshes.current", "CKMesh/Cube_Mesh", "2"),
        ("#2", "faces.faces[3].a", "6", "6"),
        ("#2", "materials.slots[0].material", "CKMaterial/Wood", "1"),
        ("#4", "parameter.value", "-7", "-7"),
        ("#5", "parameter.value.value", "OnClick", "0"),
        ("#5", "parameter.value.value", "1", "1"),
        ("#6", "parameter.value.objects.objects[2]", "#8", "8"),
        ("#8", "group.members[1]", "CKMesh/Cube_Mesh", "2"),
        ("#8", "single_activity.scene_flags", "active|start leave", "0x00000028"),
    ] {
        let written = becomes(&bytes, entry, field, value, expected);
        // What is set to what it was is the file that it was.
        let old = &fields(&bytes, entry)[field];
        let old = match old {
            Val::None => "none".to_owned(),
            Val::Ref(index, Some(target)) if !target.kind.starts_with("CK") => index.to_string(),
            Val::Ref(index, _) => format!("#{index}"),
            old => old.to_string(),
        };
        let back = set(&written, entry, field, &old).unwrap();
        assert!(back == bytes, "{entry}/{field}={old}");
    }
}

#[test]
fn whole_lists() {
    let bytes = samples::level().build().bytes;
    let written = set(&bytes, "#3", "entity.position", "1, 2.5,-3").unwrap();
    let told = fields(&written, "#3");
    assert_eq!(told["entity.position[0]"], Val::F(1.0));
    assert_eq!(told["entity.position[1]"], Val::F(2.5));
    assert_eq!(told["entity.position[2]"], Val::F(-3.0));
    let written = set(&bytes, "#8", "group.members", "#1,CKMesh/Cube_Mesh none #3").unwrap();
    let told = fields(&written, "#8");
    let members: Vec<_> =
        (0..4).map(|nth| told[&format!("group.members[{nth}]")].to_string()).collect();
    assert_eq!(members, ["1", "2", "nothing", "3"]);
    assert_eq!(
        differences(&bytes, &written).iter().filter(|path| !path.contains("records[8]")).count(),
        0
    );
    // Dwords behind it have moved; that nothing else is another one was seen above.
    let written = set(&bytes, "#8", "group.members", "").unwrap();
    assert!(!fields(&written, "#8").keys().any(|path| path.starts_with("group.members[")));
}

#[test]
fn sections_come_and_go() {
    let bytes = samples::level().build().bytes;
    let without = set_in(&bytes, "cp1252", "#8", "single_activity", Val::None).unwrap();
    assert!(!fields(&without, "#8").keys().any(|path| path.starts_with("single_activity")));
    let with = set(&without, "#8", "single_activity.scene_flags", "0x49").unwrap();
    assert_eq!(fields(&with, "#8"), fields(&with, "#8"));
    assert_eq!(fields(&with, "#8")["single_activity.scene_flags"], Val::Word(0x49));
    // One that there never was.
    let with = set(&bytes, "#8", "priority.priority", "5").unwrap();
    assert_eq!(fields(&with, "#8")["priority.priority"].to_string(), "5");
    assert_eq!(fields(&with, "#8")["group.members[0]"].to_string(), "3");
    let again = set_in(&with, "cp1252", "#8", "priority", Val::None).unwrap();
    assert!(again == bytes);
}

#[test]
fn texts_in_the_code_page_that_is_asked_for() {
    let bytes = samples::level().build().bytes;
    let manager = "managers/466a0fac-00000000";
    let field = "messages.messages[0].name";
    for (pages, text, stored) in [
        ("cp1252", "T\u{FC}r", &b"T\xFCr"[..]),
        ("cp1251", "\u{414}\u{430}", b"\xC4\xE0"),
        ("gbk", "\u{95E8}", b"\xC3\xC5"),
        ("cp1252,gbk", "\u{95E8}", b"\xC3\xC5"),
        ("cp1252", "", b""),
    ] {
        let written = set_in(&bytes, pages, manager, field, Val::Str(text.into())).unwrap();
        let with_nul = [stored, b"\0"].concat();
        assert_eq!(fields(&written, manager)[field], Val::Text(with_nul.into()), "{pages}");
        // A number of the manager has the new name at once.
        let told = fields(&set(&written, "#5", "parameter.value.value", "0").unwrap(), "#5");
        let Val::Ref(0, Some(target)) = &told["parameter.value.value"] else { panic!("{told:?}") };
        assert_eq!(target.name, stored);
    }
    let error = set(&bytes, manager, field, "\u{95E8}").unwrap_err();
    assert_eq!(error.code().id, "SP033", "{error}");
    // Words with names are named in the pages that are asked for.
    let gate = Val::Str("\u{95E8}".into());
    let written = set_in(&bytes, "gbk", manager, field, gate.clone()).unwrap();
    let written = set_in(&written, "gbk", "#5", "parameter.value.value", gate).unwrap();
    assert_eq!(fields(&written, "#5")["parameter.value.value"].to_string(), "0");
}

#[test]
fn names_of_objects_are_fields() {
    let bytes = samples::level().build().bytes;
    let written = set(&bytes, "#1", "entry.name", "H\u{F6}lzern").unwrap();
    assert_eq!(fields(&written, "#1")["entry.name"], Val::Text(b"H\xF6lzern"[..].into()));
    let error = set(&bytes, "#1", "entry.name", "\u{95E8}").unwrap_err();
    assert_eq!(error.code().id, "SP033", "{error}");
    for derived in ["entry.id", "entry.file_index", "entry.name_length", "class"] {
        let error = set(&bytes, "#1", derived, "3").unwrap_err();
        assert_eq!(error.code().id, "VT082", "{derived}: {error}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let bytes = samples::level().build().bytes;
    for (entry, field, value, code) in [
        ("#1", "material.nothing", "1", "VT082"),
        ("#1", "nothing", "1", "VT082"),
        ("#1", "material.diffuse.red", "1", "SP044"),
        ("#1", "material", "1", "VT081"),
        ("#1", "", "1", "VT081"),
        ("#1", "material.specular_power", "much", "SP043"),
        ("#1", "material.specular_power", "", "SP043"),
        ("#1", "material.diffuse", "0x1ffffffff", "SP043"),
        ("#1", "material.diffuse", "-1", "SP043"),
        ("#1", "material.flags", "two sided | three sided", "SP043"),
        ("#1", "material.texture", "#9", "VT081"),
        ("#1", "material.texture", "CKTexture/Stone", "VT081"),
        ("#1", "material.texture", "CKTexture", "VT081"),
        ("#1", "material.texture", "17", "VT081"),
        ("#1", "material.texture", "included/x", "VT081"),
        ("#2", "faces.faces[12].a", "1", "VT082"),
        ("#2", "faces.faces[x].a", "1", "VT082"),
        ("#2", "faces.faces[0].a", "65536", "SP043"),
        ("#3", "entity.position", "1,2", "SP043"),
        ("#3", "entity.position", "1,2,3,4", "SP043"),
        ("#3", "entity.position[3]", "1", "VT082"),
        ("#5", "parameter.value.value", "NoSuchMessage", "VT081"),
        ("#8", "group.members[2]", "#1", "VT082"),
        ("#8", "group.members[-1]", "#1", "VT082"),
    ] {
        match set(&bytes, entry, field, value) {
            Ok(_) => panic!("{entry}/{field}={value} was taken"),
            Err(error) => assert_eq!(error.code().id, code, "{entry}/{field}={value}: {error}"),
        }
    }
    for value in [Val::Bool(true), Val::Guid(1, 2), Val::F(0.5)] {
        let error = set_in(&bytes, "cp1252", "#1", "material.diffuse", value.clone());
        let taken = matches!(value, Val::Bool(_));
        assert_eq!(error.is_ok(), taken, "{value:?}");
    }
    // Entries that hold no values.
    let menu = samples::menu().build().bytes;
    for entry in ["included/vtthumbnail.jpg", "header1", "CKLevel"] {
        let error = set(&menu, entry, "name", "x").unwrap_err();
        assert_eq!(error.code().id, "SP024", "{entry}: {error}");
    }
}

#[test]
fn fields_of_the_scene_of_a_level() {
    let bytes = samples::menu().build().bytes;
    // Outside file mode references are ids, and are still set as positions and names.
    let field = "scene.scene.objects.objects[1]";
    let written = becomes(&bytes, "#0", field, "CKTexture/Men\u{FC}_Hintergrund", "1");
    assert_eq!(set(&written, "#0", field, "#3").unwrap(), bytes);
    becomes(&bytes, "#0", "scene.scene.objects.flags[1]", "active", "0x00000008");
    let error = set(&bytes, "#0", "scene.scene.objects.values[0].entity.flags", "1").unwrap_err();
    assert_eq!(error.code().id, "VT082", "{error}");
}

/// A table whose cells are of the types of its columns, and objects that saved nothing so far.
#[test]
fn cells_of_tables_and_objects_without_chunks() {
    let columns = Chunk::object(52).identifier(0x1000).word(3);
    let columns = columns.string(b"name").word(3).string(b"count").word(1);
    let columns = columns.string(b"weight").word(2);
    let rows = columns.identifier(0x2000).word(2).string(b"a").word(1).floats(&[0.5]);
    let rows = rows.string(b"b").word(2).floats(&[1.5]);
    let mut sample = samples::level();
    sample.objects.push(ObjectEntry::new(12, 52, b"Table", rows));
    sample.objects.push(ObjectEntry::null(13, 23, b"Empty"));
    let bytes = sample.build().bytes;
    becomes(&bytes, "#9", "data.rows[1].cells[2].value", "2.5", "2.5");
    becomes(&bytes, "#9", "data.rows[0].cells[1].value", "7", "7");
    let written = set(&bytes, "#9", "data.rows[1].cells[0].value", "longer").unwrap();
    assert_eq!(fields(&written, "#9")["data.rows[1].cells[2].value"], Val::F(1.5));
    let written = set(&bytes, "#10", "group.members", "#3,none").unwrap();
    assert_eq!(fields(&written, "#10")["group.members[0]"].to_string(), "3");
}

/// What nothing is known of is changed where it is, added and taken away.
#[test]
fn sections_that_nothing_is_known_of() {
    let content = Chunk::object(23).identifier(0x77).word(1).word(2);
    let mut sample = samples::level();
    sample.objects.push(ObjectEntry::new(12, 23, b"Strange", content));
    let bytes = sample.build().bytes;
    let sections = |bytes: &[u8]| {
        let fields = fields(bytes, "#9").into_iter().filter(|(path, _)| path.ends_with(".words"));
        fields.map(|(path, value)| format!("{path} {value}")).collect::<Vec<_>>()
    };
    assert_eq!(sections(&bytes), ["0x77.words 0100000002000000"]);
    let changed = set(&bytes, "#9", "0x77.words", "0100000003000000").unwrap();
    assert_eq!(sections(&changed), ["0x77.words 0100000003000000"]);
    let added = set(&bytes, "#9", "0x78.words", "05000000").unwrap();
    assert_eq!(sections(&added), ["0x77.words 0100000002000000", "0x78.words 05000000"]);
    let [gone, back] =
        ["0x77", "0x78"].map(|section| set_in(&added, "cp1252", "#9", section, Val::None).unwrap());
    assert_eq!(sections(&gone), ["0x78.words 05000000"]);
    assert!(back == bytes);
    assert_eq!(set(&bytes, "#9", "0x77.words", "01").unwrap_err().code().id, "SP043");
}
