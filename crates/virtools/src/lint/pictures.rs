//! The pictures of a texture.

use crate::{
    class::{
        bitmap::{GLOBAL_SETTING, IMAGE_FORMAT, ORIGINAL_FILE, RAW_DATA},
        texture::Texture,
    },
    file::included::file_name,
};
use std::collections::BTreeSet;

/// Place of the pictures of a texture, and the place in which they are to be saved.
#[derive(Debug)]
pub(super) struct Pictures {
    /// The field of the save option, and the option.
    option: Option<(&'static str, u32)>,
    /// Whether one is in the file.
    is_stored: bool,
    /// Whether there is none, and no file that has one.
    pub(super) is_missing: bool,
    /// The first file that is named.
    file: Option<Vec<u8>>,
}

impl Pictures {
    /// Pictures of a texture in a file that carries files of these names along.
    pub(super) fn of(texture: &Texture, included: &BTreeSet<Vec<u8>>) -> Pictures {
        let bitmap = &texture.bitmap;
        let names = || bitmap.file_names.iter().flatten().map(|name| name.text());
        let has_picture = (0..bitmap.slots()).any(|slot| bitmap.has_picture(slot));
        let has_name =
            names().chain(bitmap.movie.iter().map(|name| name.text())).any(|name| !name.is_empty());
        let is_included = |name: &[u8]| included.contains(&file_name(name).to_ascii_lowercase());
        let old = texture.old_save.as_ref();
        let option = match (&texture.texture, &texture.later_texture) {
            (Some(data), _) => Some(("texture.flags", data.save_option())),
            (None, Some(data)) => Some(("later_texture.flags", data.save_option())),
            (None, None) => old.map(|save| ("old_save.save_option", save.option)),
        };
        Pictures {
            option,
            is_stored: has_picture || names().any(is_included),
            is_missing: !has_picture && !has_name,
            file: names().find(|name| !name.is_empty()).map(<[u8]>::to_vec),
        }
    }

    /// The first file that the texture names, as it is stored.
    pub(super) fn file(&self) -> Option<&[u8]> {
        self.file.as_deref()
    }

    /// The save option with its field, where it is neither the global one nor one that keeps a picture in the file.
    pub(super) fn own_option(&self) -> Option<(&'static str, u32)> {
        let keeps = |option| matches!(option, RAW_DATA | IMAGE_FORMAT | ORIGINAL_FILE);
        let is_told = |option| option != GLOBAL_SETTING && !(self.is_stored && keeps(option));
        self.option.filter(|(_, option)| is_told(*option))
    }
}
