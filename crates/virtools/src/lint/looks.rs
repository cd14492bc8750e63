//! Rules of the maps of Ballance about what makes up their looks: textures, lights and cameras.

use super::{codes, facts::Facts, out::FileLintSink};
use crate::{
    class::{
        bitmap::{GLOBAL_SETTING, SAVE_OPTIONS},
        texture::Texture,
    },
    scene::entity::EntityKind,
};
use spelunk_core::{Error, Result, Severity};

/// Textures that are not saved as those of the game.
pub(super) fn textures(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    for (index, pictures) in &facts.pictures {
        if let Some((field, option)) = pictures.own_option() {
            let known = SAVE_OPTIONS.iter().find(|(value, _)| *value == i64::from(option));
            let meaning = known.map_or("unknown", |(_, meaning)| meaning);
            let found = format!("{option}: {meaning}");
            out.report(Severity::Info, &codes::SAVE_OPTION, *index, field, found)?;
        }
    }
    Ok(())
}

/// Textures without anything to draw. Where no map of the game is, scripts often make the picture.
pub(super) fn missing_pictures(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    let is_map = facts.is_ballance_map();
    let severity = if is_map { Severity::Warning } else { Severity::Info };
    for (index, _) in facts.pictures.iter().filter(|(_, pictures)| pictures.is_missing) {
        out.report_error(severity, *index, "file_names", Error::new(&codes::NO_PICTURE))?;
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
pub(super) fn lights_and_cameras(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    for (index, entity) in &facts.scene.entities {
        match &entity.kind {
            EntityKind::Light { light, .. } if light.is_active() => {
                let found = "active".to_owned();
                out.report(Severity::Warning, &codes::LIGHT, *index, "light", found)?;
            }
            EntityKind::Light { .. } => {
                let found = "not active".to_owned();
                out.report(Severity::Info, &codes::LIGHT, *index, "light", found)?;
            }
            EntityKind::Camera { .. } => {
                let error = Error::new(&codes::CAMERA);
                out.report_error(Severity::Info, *index, "projection", error)?;
            }
            _ => {}
        }
    }
    Ok(())
}
