//! A texture of a pack: its mips, and its name for people.

use snpak::{
    Pack,
    texture::{Mip, Texture},
};
use spelunk_core::{Error, Result, Task};
use spelunk_open::codes;

/// Appends the pixels of a mip.
pub(super) fn append(
    pack: &Pack,
    texture: &Texture,
    mip: &Mip,
    out: &mut Vec<u8>,
    task: &mut Task<'_>,
) -> Result<()> {
    let before = task.budget.left().memory;
    let pixels = texture.load(pack, mip.level, task)?;
    out.extend_from_slice(&pixels);
    drop(pixels);
    task.budget.release(before.saturating_sub(task.budget.left().memory));
    Ok(())
}

/// The error for a format that has no place in a kind of files.
pub(super) fn no_place(pack: &Pack, texture: &Texture, kind: &str) -> Error {
    Error::new(&codes::NO_FORMAT).expected(format!("a format of {kind}")).found(format!(
        "`{}`: {}",
        shown(pack, texture),
        texture.format.name()
    ))
}

/// The name of a texture for people.
pub(super) fn shown(pack: &Pack, texture: &Texture) -> String {
    let name = pack.entry(texture.row).and_then(|entry| pack.name(entry)).unwrap_or_default();
    name.escape_ascii().to_string()
}
