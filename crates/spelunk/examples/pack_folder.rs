//! Makes a pack of the files in a folder.
//!
//! `cargo run -p spelunk --example pack_folder -- FOLDER NEW`

use snpak::{Builder, Result};
use std::path::Path;

/// Packs a folder. Assets are called by the paths of their files, with their extensions.
pub fn pack_folder(folder: &Path, new: &Path) -> Result<()> {
    Builder::from_folder(folder)?.write(new)
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let [_, folder, new] = args.as_slice() else { panic!("usage: pack_folder FOLDER NEW") };
    pack_folder(folder.as_ref(), new.as_ref())
}
