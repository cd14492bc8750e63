//! `CKTexture` (`docs/formats/classes/textures.md#cktexture`).

use super::{
    be_object::BeObject,
    bitmap::{self, Bitmap, GLOBAL_SETTING, Properties, RawImage, ReaderImages, SAVE_OPTIONS},
    fresh::{Fresh, Host},
    renew::{Old, Renew, Renewed},
};
use crate::{
    chunk::bitmap::Rgba,
    codec::{Buffer, Codec, Coded, Layout, Text, field, group},
};
use spelunk_core::{BitField, Result, Ty, field::ARGB};

const PAGE: &str = "docs/formats/classes/textures.md#cktexture";

/// The bit of [`TextureData::flags`] that says that one colour is transparent.
pub const TRANSPARENT: u32 = 0x100;
/// The bit of [`TextureData::flags`] that says that there is a video format.
pub const HAS_VIDEO_FORMAT: u32 = 0x200;
/// The bit of [`TextureData::flags`] that says that the slots are the sides of a cube.
pub const CUBE_MAP: u32 = 0x400;

const FLAGS: &[(u32, &str)] =
    &[(TRANSPARENT, "transparent"), (HAS_VIDEO_FORMAT, "video format"), (CUBE_MAP, "cube map")];

/// Number of smaller pictures that are made of a texture.
const MIP_LEVELS: BitField =
    BitField::new("mip_levels", 0, 8, "How many smaller pictures are made of it.");
/// Way in which the pictures of a texture are to be saved.
const SAVE_OPTION: BitField =
    BitField::new("save_option", 16, 8, "How its pictures are to be saved.").values(SAVE_OPTIONS);

/// The one of [`VIDEO_FORMATS`] that loses nothing.
pub const ARGB_8888: u32 = 1;

/// Pixel formats in video memory.
pub const VIDEO_FORMATS: &[(i64, &str)] = &[
    (0, "unknown"),
    (1, "ARGB 8888"),
    (2, "RGB 888 in 32 bits"),
    (3, "RGB 888"),
    (4, "RGB 565"),
    (5, "RGB 555"),
    (6, "ARGB 1555"),
    (7, "ARGB 4444"),
    (8, "RGB 332"),
    (9, "ARGB 2222"),
    (10, "ABGR 8888"),
    (11, "RGBA 8888"),
    (12, "BGRA 8888"),
    (13, "BGR 888 in 32 bits"),
    (14, "BGR 888"),
    (15, "BGR 565"),
    (16, "BGR 555"),
    (17, "ABGR 1555"),
    (18, "ABGR 4444"),
    (19, "DXT1"),
    (20, "DXT2"),
    (21, "DXT3"),
    (22, "DXT4"),
    (23, "DXT5"),
    (24, "V8U8"),
    (25, "V16U16"),
    (26, "L6V5U5"),
    (27, "X8L8V8U8"),
];

/// A texture.
#[derive(Clone, Debug, Default)]
pub struct Texture {
    /// State of the base class.
    pub be_object: BeObject,
    /// Pictures, or where they are.
    pub bitmap: Bitmap,
    /// Up to which alpha a pixel is passed over when somebody points at it; from data version 5 on.
    pub pick_threshold: Option<i32>,
    /// Flags and formats, as files of 2.1 have them; from data version 5 on, as the next two.
    pub texture: Option<TextureData>,
    /// Flags and formats, as later files have them.
    pub later_texture: Option<TextureData>,
    /// Settings for making an image file of the texture. Engines use it from data version 7 on.
    pub save_format: Option<Properties>,
    /// From data version 5 on: smaller pictures that the author made.
    pub mip_maps: Option<Vec<Option<Box<RawImage>>>>,
    /// Below data version 5: the transparent colour as ARGB, and whether it is used.
    pub old_color: Option<[u32; 2]>,
    /// Below data version 5: the slot that is shown.
    pub old_slot: Option<i32>,
    /// Below data version 5: mip levels and the format in video memory.
    pub old_mip: Option<OldMip>,
    /// Below data version 5: how it is to be saved.
    pub old_save: Option<SaveOption>,
}

/// Flags and formats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextureData {
    /// Mip levels in byte 0, save option in byte 2, and [`TRANSPARENT`], [`HAS_VIDEO_FORMAT`], [`CUBE_MAP`].
    pub flags: u32,
    /// The colour that is transparent, as ARGB.
    pub transparent_color: Option<u32>,
    /// The slot that is shown.
    pub current_slot: Option<i32>,
    /// Format in video memory that is wished for, one of [`VIDEO_FORMATS`].
    pub video_format: Option<u32>,
}

impl TextureData {
    /// Mip levels, 0 to 255.
    pub const fn mip_levels(&self) -> u32 {
        MIP_LEVELS.of(self.flags)
    }

    /// Way in which the pictures are to be saved, one of [`SAVE_OPTIONS`].
    pub const fn save_option(&self) -> u32 {
        SAVE_OPTION.of(self.flags)
    }

    /// Sets the save option, of which there are 8 bits.
    pub const fn set_save_option(&mut self, option: u32) {
        self.flags = SAVE_OPTION.put(self.flags, option);
    }
}

/// Mip levels below data version 5.
#[derive(Clone, Debug, Default)]
pub struct OldMip {
    /// Number of levels.
    pub levels: i32,
    /// Description of an image in the format of the video memory, where it is there.
    pub description: Option<Buffer>,
}

/// Way in which pictures are to be saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SaveOption {
    /// Save option, one of [`SAVE_OPTIONS`].
    pub option: u32,
    /// The properties of the bitmap reader.
    pub properties: Properties,
}

/// Part of a picture that is stored in the chunk of its texture.
#[derive(Debug)]
pub enum Picture<'p> {
    /// Nothing: it is in a file.
    None,
    /// Bytes that are stored already.
    Kept,
    /// Pixels of the picture.
    Raw(&'p Rgba),
    /// An image file.
    File(ReaderImages),
}

impl Texture {
    /// Puts one picture in the place of all that there are: what is stored of it, the name of its file, or both, and one
    /// of [`SAVE_OPTIONS`]. Format in video memory, transparent colour and mip levels stay as they are.
    ///
    /// # Errors
    /// Those of [`RawImage::of`].
    pub fn set_picture(
        &mut self,
        picture: Picture<'_>,
        file_name: Option<&[u8]>,
        save_option: u32,
    ) -> Result<()> {
        let is_kept = matches!(picture, Picture::Kept);
        let (raw, reader) = match picture {
            Picture::None | Picture::Kept => (None, None),
            Picture::Raw(pixels) => (Some(vec![RawImage::of(pixels)?.map(Box::new)]), None),
            Picture::File(images) => (None, Some(images)),
        };
        let same_name = match (self.bitmap.file_names.as_deref(), file_name) {
            (Some([old]), Some(name)) => old.text() == name,
            (old, None) => old.is_none(),
            _ => false,
        };
        let same_pixels = match (&self.bitmap.raw, &raw) {
            _ if is_kept => true,
            (Some(old), Some(raw)) => self.bitmap.reader.is_none() && old == raw,
            _ => raw.is_none() && reader.is_none() && !self.bitmap.has_picture(0),
        };
        if !same_name || !same_pixels {
            let file_names = file_name.map(|name| vec![Text::new(name)]);
            if is_kept {
                self.bitmap.file_names = file_names;
            } else {
                self.bitmap = Bitmap { raw, reader, file_names, ..Bitmap::default() };
            }
            // Sizes and reader are those of the image file that there was.
            (self.save_format, self.mip_maps, self.old_slot) = (None, None, None);
            if let Some(data) = self.data_mut() {
                data.flags &= !CUBE_MAP;
            }
        }
        if let Some(old) = &mut self.old_save {
            *old = SaveOption { option: save_option, ..SaveOption::default() };
        }
        if self.data().is_none() {
            self.texture = Some(TextureData {
                flags: HAS_VIDEO_FORMAT,
                transparent_color: Some(0),
                current_slot: None,
                video_format: Some(ARGB_8888),
            });
        }
        let Some(data) = self.data_mut() else { return Ok(()) };
        data.flags = data.flags & !(0xFF << 16) | (save_option & 0xFF) << 16;
        data.current_slot = data.current_slot.map(|_| 0);
        Ok(())
    }

    /// Flags and formats, under whichever identifier they are stored, to be changed.
    pub fn data_mut(&mut self) -> Option<&mut TextureData> {
        self.texture.as_mut().or(self.later_texture.as_mut())
    }

    /// Flags and formats, under whichever identifier they are stored.
    pub const fn data(&self) -> Option<&TextureData> {
        match &self.texture {
            Some(data) => Some(data),
            None => self.later_texture.as_ref(),
        }
    }
}

impl Layout for Texture {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.be_object.layout(c)?;
        self.bitmap.layout(c, &bitmap::TEXTURE)?;
        let old = c.version() < 5;
        if c.when(!old, "data version 5 and later") {
            self.modern(c)?;
        }
        if c.when(old, "data version below 5") {
            self.old(c)?;
        }
        Ok(())
    }
}

impl Texture {
    /// The sections from data version 5 on.
    fn modern<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        let record = group!("pick_threshold", "When somebody points at it.");
        c.section(0x20_0000, record, &mut self.pick_threshold, |c, threshold| {
            let field = field!("threshold", Ty::I32, "Up to which alpha pixels are passed over.");
            c.item(field, threshold)
        })?;
        let slots = self.bitmap.loaded_slots();
        let record = group!("texture", "Flags and formats, as files of 2.1 have them.");
        c.section(0x2F_F000, record, &mut self.texture, |c, value| data(c, slots, value))?;
        let record = group!("later_texture", "Flags and formats, as later files have them.");
        c.section(0xFF_F000, record, &mut self.later_texture, |c, value| data(c, slots, value))?;
        let record = group!("save_format", "How an image file of it is to be made.");
        c.section(0x8_0000, record, &mut self.save_format, bitmap::properties)?;
        let record = group!("mip_maps", "Smaller pictures that the author made.");
        c.section(0x40_0000, record, &mut self.mip_maps, |c, images| {
            c.counted(
                field!("count", Ty::U32, "How many follow."),
                group!("images", "One for each level."),
                images,
                bitmap::raw_image,
            )
        })
    }

    /// The sections below data version 5.
    fn old<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        let record = group!("old_color", "The transparent colour.");
        c.section(0x8000, record, &mut self.old_color, |c, [color, transparent]| {
            c.item(field!("transparent_color", Ty::Word, "ARGB.", unit(ARGB)), color)?;
            c.item(field!("transparent", Ty::U32, "1 where it is used."), transparent)
        })?;
        let record = group!("old_slot", "The slot that is shown.");
        c.section(0x2000, record, &mut self.old_slot, slot)?;
        let record = group!("old_mip", "Mip levels and the format in video memory.");
        c.section(0x4_0000, record, &mut self.old_mip, |c, OldMip { levels, description }| {
            c.item(field!("levels", Ty::I32, "Mip levels."), levels)?;
            let more = c.detect("description", description.is_some(), |words| !words.is_empty());
            if c.when(more, "not at the end of the section") {
                let field = field!("description", Ty::Bytes, "Description of an image.");
                c.buffer(field, description.get_or_insert_default())?;
            }
            Ok(())
        })?;
        let record = group!("old_save", "How it is to be saved.");
        c.section(0x8_0000, record, &mut self.old_save, save_option)
    }
}

/// Reads or writes the way in which pictures are to be saved.
pub(super) fn save_option<C: Codec>(c: &mut C, value: &mut SaveOption) -> Coded<C> {
    let field = field!("save_option", Ty::U32, "How to save it.", values(SAVE_OPTIONS));
    c.item(field, &mut value.option)?;
    bitmap::properties(c, &mut value.properties)
}

/// The slot that is shown.
pub(super) fn slot<C: Codec>(c: &mut C, value: &mut i32) -> Coded<C> {
    c.item(field!("current_slot", Ty::I32, "The slot that is shown."), value)
}

fn data<C: Codec>(c: &mut C, slots: usize, value: &mut TextureData) -> Coded<C> {
    let TextureData { flags, transparent_color, current_slot, video_format } = value;
    let field = field!(
        "flags",
        Ty::Word,
        "What it has, and how it is saved.",
        bits(FLAGS),
        parts(&[MIP_LEVELS, SAVE_OPTION])
    );
    c.item(field, flags)?;
    // Real files store all three; shorter sections leave out what is not needed.
    let video = *flags & HAS_VIDEO_FORMAT != 0;
    let many = slots > 1;
    let has_color =
        c.detect("transparent_color", transparent_color.is_some(), |words| match words.len() {
            0 => false,
            1 => !video && !many,
            2 => !video || !many,
            _ => true,
        });
    let has_slot = c.detect("current_slot", current_slot.is_some(), |words| match words.len() {
        0 => false,
        1 => !video && many,
        2 => many,
        _ => true,
    });
    let has_format = c.detect("video_format", video_format.is_some(), |words| match words.len() {
        0 => false,
        1 | 2 => video,
        _ => true,
    });
    if c.when(has_color, "in full, or needed") {
        let field =
            field!("transparent_color", Ty::Word, "ARGB of the transparent colour.", unit(ARGB));
        c.item(field, transparent_color.get_or_insert_default())?;
    }
    if c.when(has_slot, "in full, or several slots") {
        slot(c, current_slot.get_or_insert_default())?;
    }
    if c.when(has_format, "in full, or flagged") {
        let field = field!("video_format", Ty::U32, "Wished for.", values(VIDEO_FORMATS));
        c.item(field, video_format.get_or_insert_default())?;
    }
    Ok(())
}

/// The one of [`VIDEO_FORMATS`] that most textures of real files have.
pub const ARGB_1555: u32 = 6;

/// The first product that saves flags and formats as [`Texture::later_texture`].
const LATER: u32 = 0x0205_0000;

impl Fresh for Texture {
    fn fresh(host: &Host) -> Texture {
        let data = Some(TextureData {
            flags: HAS_VIDEO_FORMAT | GLOBAL_SETTING << 16,
            transparent_color: Some(0),
            current_slot: None,
            video_format: Some(ARGB_1555),
        });
        let (texture, later_texture) =
            if host.product_build < LATER { (data, None) } else { (None, data) };
        let be_object = Fresh::fresh(host);
        Texture { be_object, texture, later_texture, ..Texture::default() }
    }
}

impl Renew for Texture {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.be_object.renew(old)?;
        let all = (
            self.old_color.take(),
            self.old_slot.take(),
            self.old_mip.take(),
            self.old_save.take(),
        );
        if self.data().is_some() || matches!(all, (None, None, None, None)) {
            return Ok(());
        }
        let (color, slot, mip, save) = all;
        if mip.as_ref().is_some_and(|mip| mip.description.is_some()) && !old.lossy {
            return Err("the description of its format in video memory is not known");
        }
        let mip_levels = mip.map_or(0, |mip| mip.levels);
        let Ok(mip_levels) = u8::try_from(mip_levels) else {
            return Err("its number of mip levels has more than 8 bits");
        };
        // Engines pass over the properties that old files have of how an image file is made.
        let option = save.map_or(GLOBAL_SETTING, |save| save.option);
        let Ok(option) = u8::try_from(option) else { return Err("its save option is not known") };
        let [color, transparent] = color.unwrap_or_default();
        let transparent = if transparent == 0 { 0 } else { TRANSPARENT };
        self.texture = Some(TextureData {
            flags: u32::from(mip_levels) | u32::from(option) << 16 | transparent,
            transparent_color: Some(color),
            current_slot: Some(slot.unwrap_or_default()),
            video_format: Some(0),
        });
        Ok(())
    }
}
