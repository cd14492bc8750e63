//! The examples of the front do what they print.

macro_rules! examples {
    ($($name:ident $path:literal),*) => {
        $(#[allow(dead_code, reason = "its `main`")]
        #[path = $path]
        mod $name;)*
    };
}
examples!(
    front "../examples/front.rs",
    list "../examples/list.rs",
    change_field "../examples/change_field.rs",
    mesh_positions "../examples/mesh_positions.rs",
    pack_folder "../examples/pack_folder.rs",
    price "../examples/price.rs"
);

use spelunk::{Bytes, File, edit::batch::EntryContent};
use spelunk_fixtures::write_samples;
use std::fs;

/// One test: the program works in the current folder, which is one for all of the process.
#[test]
fn the_programs_run_as_printed() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    write_samples(dir.path()).unwrap();
    fs::rename(at("forest.snpak"), at("a.snpak")).unwrap();
    // What the program names and the samples lack.
    let mut level = File::open(at("level.nmo")).unwrap();
    level
        .edit()
        .add("CKGroup", "A", EntryContent::New)
        .add("CKMesh", "Old", EntryContent::New)
        .apply()
        .unwrap();
    level.save_over().unwrap();
    let mut game = File::open(at("GameData.cff")).unwrap();
    game.edit().add("items", "22", EntryContent::New).apply().unwrap();
    game.save_over().unwrap();
    fs::create_dir_all(at("assets/sounds")).unwrap();
    fs::write(at("assets/sounds/wind.ogg"), "wind").unwrap();
    fs::write(at("assets/readme.txt"), "read me").unwrap();

    list::list(&at("level.nmo")).unwrap();
    let wood = ["CKMaterial/Wood", "material.specular_power", "20"];
    change_field::change_field(&at("level.nmo"), &at("shiny.nmo"), wood).unwrap();
    let shiny = File::open(at("shiny.nmo")).unwrap();
    let power = shiny.entry(wood[0]).unwrap().value(wood[1]).unwrap();
    assert_eq!(power.as_f64(), Some(20.0));
    mesh_positions::mesh_positions(&at("level.nmo"), "Cube_Mesh").unwrap();
    pack_folder::pack_folder(&at("assets"), &at("folder.snpak")).unwrap();
    let pack = snpak::Pack::open(at("folder.snpak")).unwrap();
    assert_eq!(pack.load_by_name("readme.txt").unwrap(), &b"read me"[..]);
    price::price(&at("GameData.cff"), &at("dear.cff"), 22, 4711).unwrap();
    let dear = spellforce::GameData::open(at("dear.cff")).unwrap();
    assert_eq!(dear.row::<spellforce::Item>(22).unwrap().buy_value, 4711);

    std::env::set_current_dir(dir.path()).unwrap();
    front::read().unwrap();
    front::change().unwrap();
    let red = File::open("red.nmo").unwrap();
    assert!(red.entry("CKGroup/B").is_ok());
    assert_eq!(red.entry("CKMesh/Old").unwrap_err().code().id, "SP022");
    assert_eq!(fs::read("red.nmo").unwrap(), fs::read("level.nmo").unwrap());
    assert_eq!(front::mesh().unwrap(), 8);
    front::packs().unwrap();
    let made = snpak::Pack::open("assets.snpak").unwrap();
    assert_eq!(made.load_by_name("sounds/wind.ogg").unwrap(), Bytes::from("wind"));
    front::game().unwrap();
    let new = spellforce::GameData::open("GameData-new.cff").unwrap();
    assert_eq!(new.row::<spellforce::Item>(22).unwrap().buy_value, 100);
    // Elsewhere, so that the folder can go.
    std::env::set_current_dir(std::env::temp_dir()).unwrap();
}
