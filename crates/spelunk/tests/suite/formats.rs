//! The fronts of the format crates, beside each other: budgets inside, names that are wrong told with what there is.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::sample;
use snpak::{Builder, Pack};
use spellforce::{GameData, Item, RowKey, TextRow};
use spelunk::{Bytes, File, edit::batch::EntryContent};
use spelunk_fixtures::{corpus, samples, virtools::ObjectEntry};
use std::{borrow::Cow, fs};
use virtools::{Entity, Group, Material, Mesh, Texture};

fn code<T>(result: spelunk::Result<T>) -> &'static str {
    result.err().map_or("done", |error| error.code().id)
}

#[test]
fn objects_are_found_by_class_and_name() {
    let file = virtools::File::from_bytes(sample("level.nmo")).unwrap();
    let mesh = file.get::<Mesh>("Cube_Mesh").unwrap();
    assert_eq!(mesh.positions().len(), 8);
    assert_eq!(mesh.positions_raw().len(), 8);
    for (position, raw) in mesh.positions().iter().zip(mesh.positions_raw()) {
        assert_eq!(*position, raw.map(|number| number.get()));
    }
    assert!(file.get::<Material>("Wood").is_ok());
    assert_eq!(code(file.get::<Mesh>("Wood")), "SP022", "it is a material");
    assert_eq!(code(file.get::<Texture>("no such")), "SP022");
    assert_eq!(code(file.get::<Group>("no such")), "SP022");
    let meshes = file.positions_of::<Mesh>().unwrap();
    assert!(file.get_at::<Mesh>(meshes[0]).is_ok());
    assert_eq!(code(file.get_at::<Mesh>(u32::MAX)), "SP022");
    for entity in file.positions_of::<Entity>().unwrap() {
        file.get_at::<Entity>(entity).unwrap();
    }
}

#[test]
fn positions_are_borrowed_where_they_are_aligned() {
    let file = virtools::File::from_bytes(sample("level.nmo")).unwrap();
    let mut mesh = file.get::<Mesh>("Cube_Mesh").unwrap();
    let aligned = mesh.positions_raw().as_ptr().addr().is_multiple_of(4);
    assert_eq!(matches!(mesh.positions(), Cow::Borrowed(_)), aligned);
    // Values of its own may lie anywhere, and are the same.
    let before = mesh.positions().into_owned();
    mesh.vertices.as_mut().unwrap().positions.to_mut();
    assert_eq!(*mesh.positions(), before);
}

#[test]
fn a_name_that_several_have_is_told_with_all_of_them() {
    let mut made = samples::level();
    let mesh = made.objects.iter().find(|object| object.name == b"Cube_Mesh").unwrap().clone();
    made.objects.push(ObjectEntry { id: 77, ..mesh });
    let file = virtools::File::from_bytes(made.build().bytes).unwrap();
    let error = file.get::<Mesh>("Cube_Mesh").unwrap_err();
    assert_eq!(error.code().id, "SP023");
    assert!(error.to_string().contains("one of #2, #9"), "{error}");
}

#[test]
fn assets_are_loaded_by_name_and_packs_are_made_of_folders() {
    let pack = Pack::from_bytes(sample("forest.snpak")).unwrap();
    let wind = pack.load_by_name("sounds/wind").unwrap();
    let file = File::from_bytes(sample("forest.snpak")).unwrap();
    assert_eq!(wind, file.entry("sounds/wind").unwrap().bytes().unwrap());
    assert_eq!(code(pack.load_by_name("sounds/storm")), "SP022");
    let doubles = Pack::from_bytes(sample("duplicates.snpak")).unwrap();
    for entry in File::from_bytes(sample("duplicates.snpak")).unwrap().entries().unwrap() {
        let loaded = code(doubles.load_by_name(entry.name()));
        assert!(["done", "SP023"].contains(&loaded), "{}: {loaded}", entry.name());
    }

    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("a/b")).unwrap();
    fs::write(folder.path().join("a/b/wind.ogg"), vec![7; 1000]).unwrap();
    fs::write(folder.path().join("a.txt"), "text").unwrap();
    let ours = Builder::from_folder(folder.path()).unwrap();
    assert_eq!(ours.len(), 2);
    let ours = ours.to_bytes().unwrap();
    // The same as the command makes.
    let spelunk::containers::pack::PackedContainer::New(assets) =
        spelunk::containers::pack::pack(folder.path(), None, &Default::default()).unwrap()
    else {
        panic!("a folder becomes a pack")
    };
    let mut out = std::io::Cursor::new(Vec::new());
    spelunk::containers::packs::build(
        assets,
        &mut out,
        Default::default(),
        &Default::default(),
        &mut Default::default(),
    )
    .unwrap();
    assert_eq!(ours, out.into_inner());
    let pack = Pack::from_bytes(ours).unwrap();
    assert_eq!(pack.load_by_name("a/b/wind.ogg").unwrap(), vec![7; 1000]);
    assert_eq!(code(Builder::from_folder(folder.path().join("a.txt"))), "SP020");
    let twice = Builder::new().add("a", "1").add("a", "2").to_bytes();
    assert!(twice.is_err(), "two assets with one id");
}

#[test]
fn rows_are_read_and_changed_as_structs() {
    let bytes = sample("GameData.cff");
    let mut game = GameData::from_bytes(bytes.clone()).unwrap();
    let mut same = Vec::new();
    game.write(&mut same).unwrap();
    assert_eq!(same, bytes);
    let item: Item = game.row(2).unwrap();
    assert_eq!(item.item_id, 2);
    assert_eq!(game.rows::<Item>().unwrap().len(), 2);
    game.update::<Item>(2, |item| item.buy_value = 100.into()).unwrap();
    assert_eq!(game.row::<Item>(2_u16).unwrap().buy_value, 100);
    // What the walk tells is the same.
    let mut written = Vec::new();
    game.write(&mut written).unwrap();
    let file = File::from_bytes(written.clone()).unwrap();
    assert_eq!(file.entry("items/2").unwrap().value("buy_value").unwrap().as_u64(), Some(100));
    // A row with another key goes to its place.
    game.update::<Item>(2, |item| item.item_id = 9.into()).unwrap();
    assert_eq!(code(game.row::<Item>(2)), "SP022");
    assert_eq!(game.row::<Item>(9).unwrap().buy_value, 100);
    let taken = game.update::<Item>(9, |item| item.item_id = 1.into());
    assert!(taken.is_err());
    assert_eq!(game.row::<Item>(9).unwrap().buy_value, 100, "nothing happened");

    let texts = game.rows::<TextRow>().unwrap();
    let first = texts[0];
    let many = texts.iter().filter(|text| text.text_id == first.text_id).count();
    let by_id = game.row::<TextRow>(u32::from(first.text_id.get()));
    assert_eq!(code(by_id), if many > 1 { "SP023" } else { "done" });
    assert_eq!(RowKey::from((1, 2, 3)).values(), [1, 2, 3]);
    assert_eq!(code(game.row::<Item>(-1)), "SP022");
    assert_eq!(code(GameData::from_bytes(sample("liannon.map"))), "SP030");
    // Many changes cost the memory of one.
    for price in 0..200_u32 {
        game.update::<Item>(9, |item| item.sell_value = price.into()).unwrap();
    }
}

#[test]
fn files_are_opened_and_saved_by_paths() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("game.cff"), sample("GameData.cff")).unwrap();
    fs::write(at("level.nmo"), sample("level.nmo")).unwrap();
    let mut game = GameData::open(at("game.cff")).unwrap();
    game.update::<Item>(1, |item| item.buy_value = 1.into()).unwrap();
    game.save(at("game.cff")).unwrap();
    assert_eq!(GameData::open(at("game.cff")).unwrap().row::<Item>(1).unwrap().buy_value, 1);
    assert!(virtools::File::open(at("level.nmo")).is_ok());
    assert_eq!(code(Pack::open(at("none"))), "SP020");
    let mut file = File::open(at("game.cff")).unwrap();
    file.edit().add("items", "22", EntryContent::New).apply().unwrap();
    let file = file.save_over().unwrap();
    assert_eq!(file.entry("items/22").unwrap().bytes().unwrap().len(), 22);
    let bytes = Bytes::from(fs::read(at("game.cff")).unwrap());
    assert_eq!(GameData::from_bytes(bytes).unwrap().row::<Item>(22).unwrap().item_id, 22);
}

#[test]
fn meshes_of_real_files_have_their_positions() {
    for real in corpus::files("virtools", &["nmo", "cmo", "nms"]).into_iter().flatten() {
        let file = virtools::File::from_bytes(real.bytes).unwrap();
        for index in file.positions_of::<Mesh>().unwrap() {
            let mesh = file.get_at::<Mesh>(index).unwrap();
            let raw = mesh
                .positions_raw()
                .iter()
                .map(|position| position.map(|number| number.get().to_bits()));
            let ours = mesh
                .positions()
                .iter()
                .map(|position| position.map(f32::to_bits))
                .collect::<Vec<_>>();
            assert_eq!(raw.collect::<Vec<_>>(), ours, "{} #{index}", real.name);
        }
    }
}
