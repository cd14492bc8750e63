//! Rules of the maps of Ballance about what makes up their looks: textures, lights and cameras.

use super::{Out, codes, facts::Facts, files::bare};
use crate::{
    class::{
        bitmap::{GLOBAL_SETTING, IMAGE_FORMAT, ORIGINAL_FILE, RAW_DATA, SAVE_OPTIONS},
        texture::Texture,
    },
    scene::entity::Kind,
};
use spelunk_core::{Error, Result, Severity};
use std::collections::BTreeSet;

/// Where the pictures of a texture are, and where they are to be saved.
#[derive(Debug)]
pub(super) struct Pictures {
    /// The field of the save option, and the option.
    option: Option<(&'static str, u32)>,
    /// Whether one is in the file.
    is_stored: bool,
    /// Whether there is none, and no file that has one.
    is_missing: bool,
    /// The first file that is named.
    file: Option<Vec<u8>>,
}

impl Pictures {
    /// Those of a texture in a file that carries files of these names along.
    pub(super) fn of(texture: &Texture, included: &BTreeSet<Vec<u8>>) -> Pictures {
        let bitmap = &texture.bitmap;
        let names = || bitmap.file_names.iter().flatten().map(|name| name.text());
        let has_picture = (0..bitmap.slots()).any(|slot| bitmap.has_picture(slot));
        let has_name =
            names().chain(bitmap.movie.iter().map(|name| name.text())).any(|name| !name.is_empty());
        let is_included = |name: &[u8]| included.contains(&bare(name).to_ascii_lowercase());
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

/// Textures that are not saved as those of the game.
pub(super) fn textures(facts: &Facts<'_>, out: &mut Out<'_, '_>) -> Result<()> {
    for (index, pictures) in &facts.pictures {
        if let Some((field, option)) = pictures.own_option() {
            let known = SAVE_OPTIONS.iter().find(|(value, _)| *value == i64::from(option));
            let meaning = known.map_or("unknown", |(_, meaning)| meaning);
            let found = format!("{option}: {meaning}");
            out.tell(Severity::Info, &codes::SAVE_OPTION, *index, field, found)?;
        }
    }
    Ok(())
}

/// Textures without anything to draw. Where no map of the game is, scripts often make the picture.
pub(super) fn missing_pictures(facts: &Facts<'_>, out: &mut Out<'_, '_>) -> Result<()> {
    let is_map = facts.is_ballance_map();
    let severity = if is_map { Severity::Warning } else { Severity::Info };
    for (index, _) in facts.pictures.iter().filter(|(_, pictures)| pictures.is_missing) {
        out.tell_error(severity, *index, "file_names", Error::new(&codes::NO_PICTURE))?;
    }
    Ok(())
}

/// Lets a texture follow the global save option.
pub(super) fn mend(texture: &mut Texture) {
    let data = [&mut texture.texture, &mut texture.later_texture];
    for data in data.into_iter().flatten() {
        data.set_save_option(GLOBAL_SETTING);
    }
    if let Some(save) = &mut texture.old_save {
        save.option = GLOBAL_SETTING;
    }
}

/// Lights and cameras beside those of the game.
pub(super) fn lights_and_cameras(facts: &Facts<'_>, out: &mut Out<'_, '_>) -> Result<()> {
    for (index, entity) in &facts.scene.entities {
        match &entity.kind {
            Kind::Light { light, .. } if light.is_active() => {
                let found = "active".to_owned();
                out.tell(Severity::Warning, &codes::LIGHT, *index, "light", found)?;
            }
            Kind::Light { .. } => {
                let found = "not active".to_owned();
                out.tell(Severity::Info, &codes::LIGHT, *index, "light", found)?;
            }
            Kind::Camera { .. } => {
                let error = Error::new(&codes::CAMERA);
                out.tell_error(Severity::Info, *index, "projection", error)?;
            }
            _ => {}
        }
    }
    Ok(())
}
