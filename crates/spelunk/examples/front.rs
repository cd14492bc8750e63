//! What the front of the library and those of the format crates can do, as `docs/guides/library.md` shows it.
//!
//! `cargo run -p spelunk --example front -- FOLDER` works in a folder with a `level.nmo`, an `a.snpak`, a `GameData.cff` and `assets`.

/// Lists a file, and reads a material.
pub fn read() -> spelunk::Result<()> {
    use spelunk::File;
    let file = File::open("level.nmo")?;
    for entry in file.entries()? {
        println!("{} {} {}", entry.path(), entry.kind(), entry.name());
    }
    let wood = file.entry("CKMaterial/Wood")?;
    println!("{}", wood.value("material.diffuse")?);
    for field in wood.fields()? {
        println!("{} = {}", field.path(), field.value());
    }
    let stored = wood.bytes()?;
    assert_eq!(stored.len() as u64, wood.size());
    Ok(())
}

/// Changes a level, saves it beside the old one, and then over it.
pub fn change() -> spelunk::Result<()> {
    use spelunk::File;
    let mut file = File::open("level.nmo")?;
    file.edit()
        .set("CKMaterial/Wood", "material.diffuse", 0xffff_0000_u32)
        .rename("CKGroup/A", "B")
        .remove("CKMesh/Old")
        .apply()?;
    file.save("red.nmo")?;
    let file = file.save_over()?;
    assert_eq!(
        file.entry("CKMaterial/Wood")?.value("material.diffuse")?.as_u64(),
        Some(0xffff_0000)
    );
    Ok(())
}

/// Counts the vertices of a mesh.
pub fn mesh() -> virtools::Result<usize> {
    let file = virtools::File::open("level.nmo")?;
    let mesh = file.get::<virtools::Mesh>("Cube_Mesh")?;
    let positions = mesh.positions();
    Ok(positions.len())
}

/// Loads an asset of one pack, and makes another one of a folder.
pub fn packs() -> snpak::Result<()> {
    let bytes = snpak::Pack::open("a.snpak")?.load_by_name("sounds/wind")?;
    println!("{} bytes", bytes.len());
    snpak::Builder::from_folder("assets")?.write("assets.snpak")?;
    Ok(())
}

/// Gives an item another price.
pub fn game() -> spellforce::Result<()> {
    let mut game = spellforce::GameData::open("GameData.cff")?;
    game.update::<spellforce::Item>(22, |item| item.buy_value = 100.into())?;
    game.save("GameData-new.cff")?;
    Ok(())
}

fn main() -> spelunk::Result<()> {
    let folder = std::env::args_os().nth(1).expect("usage: front FOLDER");
    std::env::set_current_dir(folder)?;
    read()?;
    change()?;
    println!("{} vertices", mesh()?);
    packs()?;
    game()
}
