//! `set`, `rm`, `mv`, `add` and `replace` of Virtools files: what is written, what is refused, exit codes.

use crate::common::{samples, spelunk};
use std::{fs, path::Path};

/// Runs a command that has to succeed; gives what it prints.
fn ok(dir: &Path, args: &[&str]) -> String {
    let output = spelunk(dir, args);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command that has to be refused with these code and exit code, and to write nothing.
fn refused(dir: &Path, args: &[&str], exit: i32, code: &str) {
    let output = spelunk(dir, args);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains(code), "{args:?}: {stderr}");
    assert_eq!(output.status.code(), Some(exit), "{args:?}: {stderr}");
    assert!(!dir.join("out.nmo").exists(), "{args:?}");
}

/// The value of a field as `show` prints it.
fn value(dir: &Path, file: &str, entry: &str, field: &str) -> String {
    let shown = ok(dir, &["show", file, entry]);
    let line = shown.lines().find(|line| line.contains(field));
    let line = line.unwrap_or_else(|| panic!("{field}: {shown}"));
    line.split_once(field).unwrap().1.trim().to_owned()
}

#[test]
fn several_fields_are_set_at_once() {
    let dir = samples();
    let dir = dir.path();
    let changes = [
        "#1/material.specular_power=2.5",
        "CKMaterial/Wood/material.texture=none",
        "CK3dObject/Cube/entity.position=1,2,3",
        "CK3dObject/Cube/entity.position[1]=7",
        "CKGroup/Phys_Floors/group.members[1]=CKMesh/Cube_Mesh",
        "CKParameterLocal/Message/parameter.value.value=OnClick",
        "managers/466a0fac-00000000/messages.messages[1].name=Miss = hit",
    ];
    let args = ["set", "level.nmo", "-o", "out.nmo"];
    ok(dir, &[&args[..], &changes].concat());
    ok(dir, &["verify", "--strict", "out.nmo"]);
    for (entry, field, expected) in [
        ("#1", "material.specular_power", "2.5"),
        ("#1", "material.texture", "-"),
        ("#3", "entity.position", "1, 7, 3"),
        ("#8", "group.members[1]", "2 (CKMesh/Cube_Mesh)"),
        ("#5", "parameter.value.value", "0 (message/OnClick)"),
        ("managers/466a0fac-00000000", "messages.messages[1].name", "\"Miss = hit\""),
    ] {
        assert_eq!(value(dir, "out.nmo", entry, field), expected, "{entry}/{field}");
    }
    // What was not named is what it was.
    for entry in ["#0", "#2", "#4", "#6", "#7"] {
        let bytes = |file| spelunk(dir, &["cat", file, entry]).stdout;
        assert_eq!(bytes("out.nmo"), bytes("level.nmo"), "{entry}");
    }
}

#[test]
fn what_cannot_be_set_writes_nothing() {
    let dir = samples();
    let dir = dir.path();
    let set = |change: &str, exit, code| {
        refused(dir, &["set", "level.nmo", change, "-o", "out.nmo"], exit, code);
    };
    set("#1/material.nothing=1", 2, "VT082");
    set("#1/material.specular_power=much", 2, "SP043");
    set("#1/material.texture=CKTexture/Stone", 2, "VT081");
    set("#3/entity.position=1,2", 2, "SP043");
    set("#99/material.specular_power=1", 2, "SP022");
    set("#1", 2, "SP");
    set("material.specular_power=1", 2, "SP");
    // The first change would do; with the second nothing is written.
    let args = ["set", "level.nmo", "#1/material.specular_power=1", "#1/x=1", "-o", "out.nmo"];
    refused(dir, &args, 2, "VT082");
    let before = fs::read(dir.join("level.nmo")).unwrap();
    let output = spelunk(dir, &["set", "level.nmo", "#1/x=1", "--in-place"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read(dir.join("level.nmo")).unwrap(), before);
    refused(dir, &["set", "forest.snpak", "#0/size=1", "-o", "out.snpak"], 2, "SN093");
    refused(dir, &["set", "sf22.pak", "mesh/tower.msb/name=x", "-o", "out.pak"], 2, "SP024");
}

#[test]
fn texts_are_in_the_code_page_that_is_asked_for() {
    let dir = samples();
    let dir = dir.path();
    let change = "managers/466a0fac-00000000/messages.messages[0].name=\u{95E8}";
    refused(dir, &["set", "level.nmo", change, "-o", "out.nmo"], 2, "SP033");
    ok(dir, &["set", "--encoding", "cp1252,gbk", "level.nmo", change, "-o", "out.nmo"]);
    let shown = ok(dir, &["show", "--encoding", "gbk", "out.nmo", "managers/466a0fac-00000000"]);
    assert!(shown.contains('\u{95E8}'), "{shown}");
}

#[test]
fn objects_are_removed_with_the_references_to_them() {
    let dir = samples();
    let dir = dir.path();
    ok(dir, &["rm", "level.nmo", "CK3dObject/Cube", "#0", "-o", "out.nmo"]);
    ok(dir, &["verify", "--strict", "out.nmo"]);
    assert_eq!(ok(dir, &["ls", "out.nmo"]).lines().filter(|line| line.contains("CK")).count(), 7);
    assert_eq!(value(dir, "out.nmo", "CKMaterial/Wood", "material.texture"), "-");
    let slot = value(dir, "out.nmo", "CKMesh/Cube_Mesh", "materials.slots[1].material");
    assert_eq!(slot, "0 (CKMaterial/Wood)");
    assert_eq!(value(dir, "out.nmo", "CKGroup/Phys_Floors", "group.members[0]"), "-");
    fs::remove_file(dir.join("out.nmo")).unwrap();
    refused(dir, &["rm", "level.nmo", "#17", "-o", "out.nmo"], 2, "SP022");
    refused(dir, &["rm", "level.nmo", "#0", "#17", "-o", "out.nmo"], 2, "SP022");
    // Files below FileVersion 7 have no object table: classes and names are in the chunks.
    ok(dir, &["rm", "version6.nmo", "#0", "-o", "six.nmo"]);
    ok(dir, &["add", "version4.nmo", "CKGroup/New", "-o", "four.nmo"]);
    ok(dir, &["verify", "six.nmo", "four.nmo"]);
    assert!(ok(dir, &["ls", "four.nmo"]).contains("CKGroup"));
}

#[test]
fn objects_are_added_renamed_and_replaced() {
    let dir = samples();
    let dir = dir.path();
    ok(dir, &["add", "level.nmo", "CKMaterial/Oak", "--like", "#1", "-o", "one.nmo"]);
    assert_eq!(
        value(dir, "one.nmo", "CKMaterial/Oak", "material.texture"),
        "0 (CKTexture/Wood_Texture)"
    );
    ok(dir, &["mv", "one.nmo", "CKMaterial/Oak", "Gr\u{FC}n", "-o", "two.nmo"]);
    ok(dir, &["set", "two.nmo", "#3/entry.name=W\u{FC}rfel", "-o", "three.nmo"]);
    assert!(ok(dir, &["show", "three.nmo", "CKMaterial/Gr\u{FC}n"]).contains("#9"));
    assert!(ok(dir, &["show", "three.nmo", "CK3dObject/W\u{FC}rfel"]).contains("#3"));
    let chunk = spelunk(dir, &["cat", "level.nmo", "#1"]).stdout;
    fs::write(dir.join("chunk"), &chunk).unwrap();
    ok(dir, &["set", "three.nmo", "#9/material.texture=none", "-o", "four.nmo"]);
    ok(dir, &["replace", "four.nmo", "#9", "chunk", "-o", "five.nmo"]);
    let same = fs::read(dir.join("five.nmo")).unwrap() == fs::read(dir.join("three.nmo")).unwrap();
    assert!(same, "what is put back gives the file that it was");
    for file in ["one.nmo", "two.nmo", "three.nmo", "four.nmo", "five.nmo"] {
        ok(dir, &["verify", "--strict", "--roundtrip", file]);
    }
    refused(dir, &["mv", "level.nmo", "#1", "\u{95E8}", "-o", "out.nmo"], 2, "SP");
    refused(dir, &["add", "level.nmo", "NoClass/x", "-o", "out.nmo"], 2, "NoClass");
    ok(dir, &["mv", "version4.nmo", "#1", "Deux", "-o", "old.nmo"]);
    ok(dir, &["verify", "old.nmo"]);
    assert!(ok(dir, &["ls", "old.nmo"]).contains("Deux"));
}
