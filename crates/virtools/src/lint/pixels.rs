//! The pixel formats of textures in maps of Ballance: those that the game's own levels have.

use super::{codes, facts::Facts, out::FileLintSink};
use crate::{
    class::texture::{ARGB_1555, ARGB_8888, VIDEO_FORMATS},
    file::included::file_name,
};
use spelunk_core::{Error, Result, Severity};

/// Textures of the game without transparent parts, all of them `.bmp`.
const OPAQUE: [&str; 64] = [
    "atari",
    "ball_lightningsphere1",
    "ball_lightningsphere2",
    "ball_lightningsphere3",
    "ball_paper",
    "ball_stone",
    "ball_wood",
    "brick",
    "column_beige",
    "column_blue",
    "dome",
    "domeenvironment",
    "e_holzbeschlag",
    "extraball",
    "extraparticle",
    "floor_side",
    "floor_top_border",
    "floor_top_borderless",
    "floor_top_checkpoint",
    "floor_top_flat",
    "floor_top_profil",
    "floor_top_profilflat",
    "floorglow",
    "gravitylogo_intro",
    "hardshadow",
    "laterne_glas",
    "logo",
    "metal_stained",
    "misc_ufo",
    "misc_ufo_flash",
    "modul03_floor",
    "modul03_wall",
    "modul11_13_wood",
    "modul11_wood",
    "modul15",
    "modul16",
    "modul18",
    "modul30_d_seiten",
    "p_extra_life_oil",
    "p_extra_life_particle",
    "p_extra_life_shadow",
    "particle_flames",
    "particle_smoke",
    "pe_bal_balloons",
    "pe_bal_platform",
    "pe_ufo_env",
    "rail_environment",
    "sandsack",
    "sky_vortex",
    "skylayer",
    "stick_stripes",
    "target",
    "tower_roof",
    "trafo_environment",
    "trafo_flashfield",
    "wood_metal",
    "wood_metalstripes",
    "wood_misc",
    "wood_nailed",
    "wood_old",
    "wood_panel",
    "wood_plain",
    "wood_plain2",
    "wood_raft",
];

/// Textures of the game with transparent parts, all of them `.tga`.
const TRANSPARENT: [&str; 16] = [
    "button01_deselect",
    "button01_select",
    "button01_special",
    "column_beige_fade",
    "cursor",
    "domeshadow",
    "font_1",
    "laterne_schatten",
    "laterne_verlauf",
    "modul18_gitter",
    "pfeil",
    "stick_bottom",
    "trafo_shadow_big",
    "tut_pfeil01",
    "tut_pfeil_hoch",
    "wolken_intro",
];

/// The pixel format that a texture of the game has in the game's levels.
fn known_format(file: &[u8]) -> Option<u32> {
    let file = file_name(file).to_ascii_lowercase();
    let is_in = |names: &[&str], extension: &[u8]| {
        file.strip_suffix(extension)
            .is_some_and(|stem| names.iter().any(|name| name.as_bytes() == stem))
    };
    if is_in(&OPAQUE, b".bmp") {
        Some(ARGB_1555)
    } else if is_in(&TRANSPARENT, b".tga") {
        Some(ARGB_8888)
    } else {
        None
    }
}

/// Textures whose pixel format is not the one of the game's levels.
pub(super) fn formats(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    let name = |format: u32| {
        let known = VIDEO_FORMATS.iter().find(|(value, _)| *value == i64::from(format));
        known.map_or_else(|| format.to_string(), |(_, name)| (*name).to_owned())
    };
    for (index, texture) in &facts.scene.textures {
        let Some(format) = texture.video_format else { continue };
        let known = facts.pictures.get(index).and_then(|pictures| known_format(pictures.file()?));
        let expected = match known {
            Some(known) if known != format => name(known),
            None if ![ARGB_1555, ARGB_8888].contains(&format) => {
                format!("{} or, with transparent parts, {}", name(ARGB_1555), name(ARGB_8888))
            }
            _ => continue,
        };
        let error = Error::new(&codes::PIXEL_FORMAT).expected(expected).found(name(format));
        out.report_error(Severity::Info, *index, "texture.video_format", error)?;
    }
    Ok(())
}
