//! What `diff` tells of two files: exactly what was changed, whatever that moved.

use crate::common::{find, open, sample, written};
use spelunk::{
    Edit, Opened, Result, Task, Val, WriteOptions,
    compare::diff::{Change, Diff, FieldChange, Options, diff, json},
    core::text::CodePages,
};
use spelunk_fixtures::{corpus, samples};

fn plain(pages: &CodePages) -> json::DifferenceForm<'_> {
    json::DifferenceForm { pages: [pages, pages], file: None, for_people: false }
}

fn compare(old: &[u8], new: &[u8]) -> Diff {
    compare_with(old, new, &Options::default())
}

fn compare_with(old: &[u8], new: &[u8], options: &Options) -> Diff {
    diff(&mut open("old", old), &mut open("new", new), options).unwrap()
}

/// The file as it is after a change.
fn edited(
    bytes: &[u8],
    change: impl FnOnce(&mut dyn Edit, &mut Task<'_>) -> Result<()>,
) -> Vec<u8> {
    let mut opened = open("edited", bytes);
    opened.edit(change).unwrap().unwrap();
    written(&mut opened, &WriteOptions::default())
}

/// The changes in short: `- PATH`, `+ PATH`, `PATH > PATH`, `PATH: FIELD OLD -> NEW`.
fn told(diff: &Diff) -> Vec<String> {
    let mut told = Vec::new();
    fields("file", &diff.summary, &mut told);
    for change in &diff.changes {
        match change {
            Change::Added(item) => told.push(format!("+ {}", item.path)),
            Change::Removed(item) => told.push(format!("- {}", item.path)),
            Change::Renamed { old, new, fields: changed } => {
                told.push(format!("{} > {}", name(old), name(new)));
                fields(&new.path, changed, &mut told);
            }
            Change::Changed { new, fields: changed, .. } => fields(&new.path, changed, &mut told),
        }
    }
    told
}

fn name(item: &spelunk::compare::diff::ComparedEntry) -> String {
    String::from_utf8_lossy(item.name.as_deref().unwrap_or_default()).into_owned()
}

fn fields(entry: &str, changes: &[FieldChange], told: &mut Vec<String>) {
    for change in changes {
        match change {
            FieldChange::Value { path, old, new, .. } => {
                let text = |value: &Option<Val<'_>>| match value {
                    Some(value) => value.to_string(),
                    None => "no field".into(),
                };
                told.push(format!("{entry}: {path} {} -> {}", text(old), text(new)));
            }
            FieldChange::List { path, changed, added, removed, items, .. } => {
                told.push(format!("{entry}: {path} ~{changed} +{added} -{removed}"));
                items.iter().for_each(|item| fields(entry, &item.fields, told));
            }
            FieldChange::Group { path, is_new, count, .. } => {
                told.push(format!("{entry}: {path} {is_new} {count}"));
            }
            FieldChange::Content { start, old_len, new_len, .. } => {
                told.push(format!("{entry}: content {start} {old_len} -> {new_len}"));
            }
        }
    }
}

#[test]
fn a_file_differs_from_itself_in_nothing() {
    let mut looked_at = 0;
    for sample in samples().into_iter().filter(|sample| !sample.name.contains("-spec.")) {
        let bytes = &sample.fixture.bytes;
        let found = compare(bytes, bytes);
        assert!(found.is_empty(), "{}: {:?}", sample.name, told(&found));
        // That equal bytes end a comparison is not known of a file that may have been changed.
        let mut touched = open("touched", bytes);
        let Some(edited) = touched.edit(|_, _| Ok::<_, spelunk::Error>(())) else { continue };
        edited.unwrap();
        assert_eq!(touched.has_bytes_of(&open("new", bytes)).unwrap(), None, "{}", sample.name);
        let found = diff(&mut touched, &mut open("new", bytes), &Options::default()).unwrap();
        assert!(found.is_empty(), "{}: {:?}", sample.name, told(&found));
        looked_at += 1;
    }
    assert!(looked_at > 10, "{looked_at}");
}

#[test]
fn how_a_file_is_packed_is_told_where_it_has_a_field_for_it() {
    let level = sample("level.nmo");
    let convert = |level, mode| spelunk::Convert { level, mode, ..Default::default() };
    let options = |convert| WriteOptions { convert, ..WriteOptions::default() };
    let other = written(&mut open("level", &level), &options(convert(Some(1), None)));
    assert_ne!(level, other);
    assert!(compare(&level, &other).is_empty());
    let plain = written(&mut open("level", &level), &options(convert(None, Some(0))));
    assert_eq!(
        told(&compare(&level, &plain)),
        [
            "file: write_mode 0x00000008 -> 0x00000000",
            "file: packing.header1 zlib -> stored",
            "file: packing.data zlib -> stored",
        ]
    );
}

#[test]
fn a_removed_object_changes_what_referred_to_it_and_nothing_else() {
    let level = sample("level.nmo");
    for (path, expected) in [
        (
            "CKMaterial/Wood",
            ["- #1".to_owned(), "#1: materials.slots[1].material 1 -> nothing".to_owned()],
        ),
        (
            "CKParameterLocal/Floor",
            ["#3: attributes.parameters[0] 4 -> nothing".to_owned(), "- #4".to_owned()],
        ),
    ] {
        let node = find(&level, path);
        let without = edited(&level, |edit, task| edit.remove(&[node], false, task));
        let diff = compare(&level, &without);
        let lines = told(&diff).into_iter().filter(|line| !line.contains(" ~"));
        assert_eq!(lines.collect::<Vec<_>>(), expected);
        assert_eq!(diff.renumbered, 0);
        // The other way round it is new.
        let back = compare(&without, &level);
        assert_eq!(back.changes.len(), 2);
        assert!(
            matches!(&back.changes[1], Change::Added(item) if item.kind == path.split('/').next().unwrap())
        );
    }
}

#[test]
fn an_added_object_is_all_that_is_new() {
    let level = sample("level.nmo");
    let more = edited(&level, |edit, task| {
        let table = edit.table("CKGroup").unwrap();
        edit.insert(table, &[Val::Bytes(b"Lamps".as_slice().into())], task).map(|_| ())
    });
    assert_eq!(told(&compare(&level, &more)), ["+ #9"]);
    assert_eq!(told(&compare(&more, &level)), ["- #9"]);
}

#[test]
fn a_renamed_object_is_no_change_of_what_refers_to_it() {
    let level = sample("level.nmo");
    for (path, from) in
        [("CKTexture/Wood_Texture", "Wood_Texture"), ("CKMesh/Cube_Mesh", "Cube_Mesh")]
    {
        let node = find(&level, path);
        let other = edited(&level, |edit, task| edit.rename(node, b"Other", task));
        assert_eq!(told(&compare(&level, &other)), [format!("{from} > Other")]);
    }
}

#[test]
fn a_name_that_ends_alike_is_changed_and_not_another() {
    let level = sample("level.nmo");
    let node = find(&level, "CKMesh/Cube_Mesh");
    let other = edited(&level, |edit, task| edit.rename(node, b"Cube_Mesh\0\0", task));
    assert_eq!(
        told(&compare(&level, &other)),
        ["#2: name \"Cube_Mesh\" -> \"Cube_Mesh\\x00\\x00\""]
    );
}

#[test]
fn a_value_that_was_set_is_told_with_both_values() {
    let level = sample("level.nmo");
    let node = find(&level, "CKParameterLocal/Floor");
    let pages = open("level", &level).code_pages();
    let other = edited(&level, |edit, task| {
        edit.set(node, "parameter.value", Val::Str("8".into()), &pages, task)
    });
    let diff = compare(&level, &other);
    assert_eq!(told(&diff), ["#4: parameter.value 7 -> 8"]);
    let lines: Vec<_> = json::lines(&diff, plain(&pages))
        .map(|line| serde_json::to_string(&line).unwrap())
        .collect();
    assert_eq!(
        lines,
        [concat!(
            r##"{"change":"changed","old":{"path":"#4","type":"CKParameterLocal","name":"Floor","size":36},"##,
            r##""new":{"path":"#4","type":"CKParameterLocal","name":"Floor","size":36},"##,
            r##""fields":[{"path":"parameter.value","type":"i32","old":7,"new":8}]}"##
        )]
    );
}

#[test]
fn many_changed_items_are_counted_and_the_first_are_told() {
    let level = sample("level.nmo");
    let node = find(&level, "CKMesh/Cube_Mesh");
    let pages = open("level", &level).code_pages();
    let other = edited(&level, |edit, task| {
        (0..8).try_for_each(|nth| {
            let path = format!("vertices.positions[{nth}][0]");
            edit.set(node, &path, Val::Str(format!("{}", 100 + nth).into()), &pages, task)
        })
    });
    let few = compare_with(&level, &other, &Options { max_items: 3 });
    let lists: Vec<_> = told(&few).into_iter().filter(|line| line.contains('~')).collect();
    assert!(lists[0].contains("~8 +0 -0"), "{lists:?}");
    let [Change::Changed { fields, .. }] = few.changes.as_slice() else { panic!("{few:?}") };
    let FieldChange::List { items, old: 8, new: 8, .. } = &fields[0] else { panic!("{fields:?}") };
    assert_eq!(items.len(), 3);
}

#[test]
fn assets_chunks_and_members_go_by_their_paths() {
    let lines = told(&compare(&sample("forest.snpak"), &sample("forest-appended.snpak")));
    assert!(lines.contains(&"sounds/wind: content 0 900 -> 500".to_owned()), "{lines:?}");
    assert!(lines.contains(&"+ textures/moss".to_owned()), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("meshes/oak_trunk")), "{lines:?}");

    let plain = sample("GameData.cff");
    let lines = told(&compare(&plain, &sample("GameData-packed.cff")));
    assert!(lines.iter().all(|line| line.ends_with("packed false -> true")), "{lines:?}");
}

#[test]
fn rows_are_told_by_their_keys() {
    let plain = sample("GameData.cff");
    let mut opened = open("GameData", &plain);
    let node = find(&plain, "2016[1]");
    let row = opened.run(|container, task| container.bytes(node, task)).unwrap();
    let start = plain.windows(row.len()).position(|bytes| bytes == row).unwrap();
    let mut other = plain.clone();
    other[start + row.len() - 1] ^= 1;
    let lines = told(&compare(&plain, &other));
    assert!(
        lines.len() == 1 && lines[0].starts_with("2016/1/1: content.tail  -> 0000"),
        "{lines:?}"
    );
}

#[test]
fn files_of_different_formats_are_not_compared() {
    let (level, pack) = (sample("level.nmo"), sample("forest.snpak"));
    let refused = diff(&mut open("a", &level), &mut open("b", &pack), &Options::default());
    assert_eq!(refused.unwrap_err().code().id, "SP061");
}

fn real(name: &str) -> Option<Vec<u8>> {
    let files = corpus::files("virtools", &["nmo", "cmo", "nms"])?;
    let found = files.into_iter().find(|file| file.name == name);
    Some(found.unwrap_or_else(|| panic!("{name}")).bytes)
}

#[test]
fn tuned_balls_differ_in_three_cells_and_a_manager() {
    let Some(old) = real("balls_tuned_a_v3.5.nmo") else { return };
    let new = real("balls_tuned_b_v3.5.nmo").unwrap();
    let diff = compare(&old, &new);
    let lines = told(&diff);
    let cells: Vec<_> = lines.iter().filter(|line| line.contains("cells[7].value")).collect();
    assert_eq!(
        cells,
        [
            "#232: data.rows[0].cells[7].value 0.13 -> 0.325",
            "#232: data.rows[1].cells[7].value 1.84 -> 4.6",
            "#232: data.rows[2].cells[7].value 0.86 -> 2.15",
        ]
    );
    assert_eq!((diff.changes.len(), diff.renumbered), (2, 0));
    let Change::Changed { fields, new, .. } = &diff.changes[1] else { panic!("{lines:?}") };
    assert_eq!(new.path, "managers/98cc3cc9-00000000");
    // All variables are equal; what differs is the filling behind a text.
    let [FieldChange::Content { old_len: 3, new_len: 3, .. }] = fields.as_slice() else {
        panic!("{fields:?}")
    };
}

#[test]
fn objects_are_found_again_in_a_file_that_numbers_them_anew() {
    let Some(old) = real("balls_v3.5.nmo") else { return };
    let diff = compare(&old, &real("balls_tuned_a_v3.5.nmo").unwrap());
    let alone = diff.changes.iter().filter_map(|change| match change {
        Change::Added(item) | Change::Removed(item) => Some(item.path.as_str()),
        _ => None,
    });
    let alone: Vec<_> = alone.collect();
    assert_eq!(alone, ["#0", "managers/98cc3cc9-00000000", "managers/89ce7b32-00000000"]);
    assert_eq!(diff.renumbered, 2266);
}

#[test]
fn among_thousands_of_objects_of_one_name_only_the_removed_one_is_missing() {
    let Some(old) = real("gameplay.nmo") else { return };
    let node = find(&old, "#2000");
    let new = edited(&old, |edit, task| edit.remove(&[node], false, task));
    let lines = told(&compare(&old, &new));
    assert_eq!(
        lines,
        [
            "- #2000",
            "#2006: behavior.inputs ~0 +0 -1",
            "#2006: behavior.inputs[0] 2000 -> no field",
            "#2141: link.destination 2000 -> nothing",
            "#2142: link.destination 2000 -> nothing",
        ]
    );
}

/// The same file where the ids of all objects are other ones, as another program numbers them.
fn numbered_anew(bytes: &[u8]) -> Vec<u8> {
    let convert = spelunk::Convert { mode: Some(0), ..Default::default() };
    let options = WriteOptions { convert, ..WriteOptions::default() };
    let mut plain = written(&mut open("plain", bytes), &options);
    let word = |bytes: &[u8], at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
    let count = word(&plain, 0x2c);
    let mut at = 64;
    for nth in 0..count {
        let id = word(&plain, at) + 777 + nth % 3;
        plain[at..at + 4].copy_from_slice(&id.to_le_bytes());
        at += 16 + word(&plain, at + 12) as usize;
    }
    plain
}

#[test]
fn where_ids_tell_nothing_what_is_around_tells_objects_of_one_name_apart() {
    let Some(old) = real("gameplay.nmo") else { return };
    let node = find(&old, "#2000");
    let new = numbered_anew(&edited(&old, |edit, task| edit.remove(&[node], false, task)));
    let diff = compare(&old, &new);
    let entries: Vec<_> =
        told(&diff).into_iter().filter(|line| !line.starts_with("file")).collect();
    assert_eq!(
        entries,
        [
            "- #2000",
            "#2006: behavior.inputs ~0 +0 -1",
            "#2006: behavior.inputs[0] 2000 -> no field",
            "#2141: link.destination 2000 -> nothing",
            "#2142: link.destination 2000 -> nothing",
        ]
    );
    assert_eq!(diff.renumbered, 10730);
}

#[test]
fn damaged_files_are_compared_as_far_as_they_go() {
    let mut compared = 0_u32;
    for sample in samples().into_iter().filter(|sample| !sample.name.contains("-spec.")) {
        let good = sample.fixture.bytes;
        for seed in 0..60 {
            let damaged = spelunk_fixtures::mutate::mutate(&good, seed);
            let again = || {
                let source = std::sync::Arc::new(spelunk::Bytes::copy_from_slice(&damaged));
                Opened::open(source, &spelunk::Options::default()).ok()
            };
            let (Some(mut a), Some(mut b)) = (again(), again()) else { continue };
            if let Ok(found) = diff(&mut a, &mut b, &Options::default()) {
                assert!(found.is_empty(), "{} {seed}: {:?}", sample.name, told(&found));
            }
            let pages = a.code_pages();
            if let Ok(found) = diff(&mut open("good", &good), &mut b, &Options::default()) {
                json::lines(&found, plain(&pages)).for_each(drop);
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn an_object_with_another_name_and_other_values_is_one_object_where_ids_say_so() {
    let old = sample("level.nmo");
    let new = edited(&old, |edit, task| {
        let wood = find(&old, "CKMaterial/Wood");
        let pages = spelunk::core::text::CodePages::cp1252();
        edit.set(wood, "material.specular_power", Val::Str("20".into()), &pages, task)?;
        edit.rename(wood, b"Oak", task)
    });
    let found = told(&compare(&old, &new));
    assert_eq!(found, ["Wood > Oak", "#1: material.specular_power 10 -> 20"]);
}

#[test]
fn assets_go_by_their_ids_whatever_they_are_called() {
    let forest = sample("forest.snpak");
    let set = |bytes: &[u8], path: &str, field: &str, value: &str| {
        let node = find(bytes, path);
        edited(bytes, |edit, task| {
            edit.set(
                node,
                field,
                Val::Str(value.into()),
                &spelunk::core::text::CodePages::utf8(),
                task,
            )
        })
    };
    // One rename, whatever hangs on it; a variant is part of the name.
    let renamed = set(&forest, "textures/bark", "name", "textures/oak");
    let lines = told(&compare(&forest, &renamed));
    assert_eq!(lines, ["textures/bark > textures/oak"]);
    let renamed = set(&forest, "textures/bark@mobile", "variant", "tablet");
    let found = compare(&forest, &renamed);
    let [Change::Renamed { old, new, fields }] = found.changes.as_slice() else { panic!() };
    assert_eq!([&*old.path, &*new.path], ["textures/bark@mobile", "textures/bark@tablet"]);
    assert_eq!(fields.as_slice(), []);
    // With what else changed, of the asset and of its bulk payloads.
    let node = find(&renamed, "textures/bark@tablet#1/1");
    let changed =
        edited(&renamed, |edit, task| edit.set_bytes(node, b"pixels".to_vec().into(), task));
    let changed = set(&changed, "textures/bark@tablet", "schema_version", "2");
    let lines = told(&compare(&forest, &changed));
    let expected = [
        "textures/bark > textures/bark",
        "textures/bark@tablet: schema_version 1 -> 2",
        "textures/bark@tablet#1/1: content 0 16 -> 6",
    ];
    assert_eq!(lines, expected);
    // Names that change hands.
    let swapped = set(&forest, "sounds/wind", "name", "sounds/x");
    let swapped = set(&swapped, "sounds/silence", "name", "sounds/wind");
    let lines = told(&compare(&forest, &swapped));
    assert_eq!(lines, ["sounds/wind > sounds/x", "sounds/silence > sounds/wind"]);
    // Another id is a change of the asset that has the path.
    let other = set(&forest, "textures/bark", "asset_id", "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa");
    let lines = told(&compare(&forest, &other));
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with("textures/bark: asset_id "), "{lines:?}");
}

#[test]
fn of_assets_with_one_id_the_last_goes_with_the_last() {
    use spelunk_fixtures::snpak::{Asset, Pack};
    let asset = |data: &[u8]| Asset { name: b"a".into(), data: data.to_vec(), ..Asset::default() };
    let pack = |all: &[&[u8]]| {
        let assets = all.iter().map(|data| asset(data)).collect();
        Pack { assets, ..Pack::default() }.build().bytes
    };
    let old = pack(&[b"first", b"second"]);
    assert_eq!(told(&compare(&old, &pack(&[b"other", b"second"]))).len(), 1);
    let lines = told(&compare(&old, &pack(&[b"first", b"middle", b"second"])));
    assert_eq!(lines, ["+ #1"]);
    let lines = told(&compare(&old, &pack(&[b"second"])));
    assert_eq!(lines, ["- #0"]);
}

#[test]
fn how_a_pack_came_to_its_state_is_no_difference() {
    let appended = sample("forest-appended.snpak");
    let mut out = std::io::Cursor::new(Vec::new());
    let options = spelunk::containers::packs::Options::default();
    spelunk::containers::packs::compact(&mut open("a", &appended), &mut out, options).unwrap();
    assert!(out.get_ref().len() < appended.len());
    assert!(compare(&appended, out.get_ref()).is_empty());
    assert!(compare(&sample("forest.snpak"), &sample("forest-trailing.snpak")).is_empty());
}
