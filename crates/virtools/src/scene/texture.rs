//! The pictures on surfaces (`docs/formats/classes/textures.md#cktexture`).

use crate::{
    chunk::bitmap::Rgba,
    class::{
        self,
        bitmap::Bitmap,
        material::rgba,
        texture::{CUBE_MAP, TRANSPARENT},
    },
};
use spelunk_core::{Budget, Result};

/// A texture. Pictures are decoded when they are asked for.
#[derive(Clone, Debug, Default)]
pub struct Texture {
    /// The slot that is shown.
    pub current_slot: usize,
    /// The colour that is transparent: red, green, blue.
    pub transparent_color: Option<[u8; 3]>,
    /// Whether the slots are the sides of a cube.
    pub is_cube: bool,
    /// Mip levels, flags and save option as stored.
    pub flags: u32,
    /// Format in video memory that is wished for, one of [`VIDEO_FORMATS`](class::texture::VIDEO_FORMATS).
    pub video_format: Option<u32>,
    bitmap: Bitmap,
}

impl Texture {
    /// The texture that was saved.
    pub(super) fn of(saved: class::texture::Texture) -> Texture {
        let data = saved.data().copied().unwrap_or_default();
        let old = saved.old_color.filter(|[_, used]| *used != 0).map(|[color, _]| color);
        let color = data.transparent_color.filter(|_| data.flags & TRANSPARENT != 0).or(old);
        let slot = data.current_slot.or(saved.old_slot).unwrap_or_default();
        let last = saved.bitmap.slots().saturating_sub(1);
        Texture {
            current_slot: usize::try_from(slot).unwrap_or_default().min(last),
            transparent_color: color.map(|color| {
                let [red, green, blue, _] = rgba(color);
                [red, green, blue]
            }),
            is_cube: data.flags & CUBE_MAP != 0,
            flags: data.flags,
            video_format: data.video_format,
            bitmap: saved.bitmap,
        }
    }

    /// Number of slots.
    pub fn slots(&self) -> usize {
        self.bitmap.slots()
    }

    /// The name of the file of a slot as stored, without what is behind a NUL; `None` where none is named.
    pub fn file_name(&self, slot: usize) -> Option<&[u8]> {
        let name = self.bitmap.file_names.as_ref()?.get(slot)?.text();
        Some(name).filter(|name| !name.is_empty())
    }

    /// The name of the movie that is played in place of pictures.
    pub fn movie(&self) -> Option<&[u8]> {
        self.bitmap.movie.as_ref().map(|movie| movie.text())
    }

    /// The picture of a slot that is stored in the file, top row first, with alpha 0 where it has the transparent
    /// colour; `None` where none is stored.
    ///
    /// # Errors
    /// Where it cannot be decoded; limits.
    pub fn picture(&self, slot: usize, budget: &mut Budget) -> Result<Option<Rgba>> {
        let mut picture =
            self.bitmap.rgba(slot, budget)?.filter(|picture| !picture.pixels().is_empty());
        picture.iter_mut().for_each(|picture| self.make_transparent(picture));
        Ok(picture)
    }

    /// Sets alpha to 0 where a picture has the transparent colour, if there is one.
    pub fn make_transparent(&self, picture: &mut Rgba) {
        let Some(key) = self.transparent_color else { return };
        for pixel in picture.pixels_mut().chunks_exact_mut(4) {
            if let [red, green, blue, alpha] = pixel
                && [*red, *green, *blue] == key
            {
                *alpha = 0;
            }
        }
    }
}
