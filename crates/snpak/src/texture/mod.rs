//! Textures: what they say of themselves, and their mips (`docs/formats/snpak.md`, section 11).
//!
//! A texture is an asset whose main payload states size and format, and whose mips are bulk chunks of semantic 1 with the number
//! of the mip as their sub-index. The pixels are not touched here: a mip is found, checked by its size, and loaded as it is.
//!
//! ```
//! use snpak::{Pack, texture::Texture};
//! # use spelunk_core::{Budget, Bytes, Collect, Limits, Task};
//! # use std::sync::Arc;
//! # fn main() -> spelunk_core::Result<()> {
//! # let file = Bytes::from(spelunk_fixtures::samples::pack().build().bytes);
//! # let mut sink = Collect::default();
//! # let mut task = Task::new(Budget::new(Limits::for_len(file.len() as u64)), &mut sink);
//! # let pack = Pack::read_from(Arc::new(file), &mut task)?;
//! let row = pack.by_name(b"textures/bark", &mut task.budget)?[0];
//! let bark = Texture::read(&pack, row, &mut task)?.expect("a texture");
//! assert_eq!((bark.width, bark.height, bark.mips.len()), (16, 16, 5));
//! for mip in bark.smallest_first() {
//!     let pixels = bark.load(&pack, mip.level, &mut task)?;
//!     assert_eq!(pixels.len() as u64, mip.len);
//! }
//! # Ok(())
//! # }
//! ```

pub mod format;
mod info;

use crate::{
    codes,
    index::RowError,
    located::Located,
    pack::{Pack, not_found},
    types,
};
use bytes::Bytes;
pub use format::PixelFormat;
pub(crate) use info::show;
pub use info::{CompressedHead, CompressedRequest, CompressedTail, Info, ListedMip, TextureInfo};
use spelunk_core::{Error, Result, Task};
use std::{fmt, str::FromStr};

/// The semantic of bulk chunks that are mips.
pub const SEMANTIC: u32 = 1;

/// A texture whose size and format are sound.
#[derive(Clone, PartialEq, Debug)]
pub struct Texture {
    /// Position of the asset.
    pub row: usize,
    /// Width of the largest mip in pixels.
    pub width: u32,
    /// Height of the largest mip in pixels.
    pub height: u32,
    /// Format of its pixels.
    pub format: PixelFormat,
    /// Whether colours are sRGB, where the texture says so.
    pub srgb: Option<bool>,
    /// Channels of the picture that was compressed, where the texture says so.
    pub channels: Option<u32>,
    /// Mips of the texture, the largest first: as many as it states, there or not.
    pub mips: Vec<Mip>,
}

/// A mip of a texture. What it takes follows from the size and the format of the texture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mip {
    /// Number of the mip: 0 is the largest.
    pub level: u32,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Bytes that it takes.
    pub len: u64,
    /// Position among the bulk chunks of the asset; `None` where it is missing or has the wrong size.
    pub bulk: Option<usize>,
}

/// Size and format of a texture, where its payload does not state them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextureShape {
    /// Width of the largest mip in pixels.
    pub width: u32,
    /// Height of the largest mip in pixels.
    pub height: u32,
    /// Format of its pixels.
    pub format: PixelFormat,
}

impl fmt::Display for TextureShape {
    /// As it is read again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TextureShape { width, height, format } = self;
        write!(f, "{}:{width}x{height}", format.name().to_ascii_lowercase())
    }
}

impl FromStr for TextureShape {
    type Err = Error;

    /// Reads `FORMAT:WIDTHxHEIGHT`, as in `rgba8:128x128`.
    fn from_str(text: &str) -> Result<TextureShape> {
        let parse = || {
            let (format, size) = text.rsplit_once(':')?;
            let (width, height) = size.split_once('x')?;
            let (width, height) = (width.parse().ok()?, height.parse().ok()?);
            Some(TextureShape { width, height, format: PixelFormat::named(format)? })
        };
        parse().ok_or_else(|| {
            Error::new(&codes::TEXTURE_SHAPE)
                .expected("a format, a colon, width, x, height, as in rgba8:128x128")
                .found(format!("`{text}`"))
        })
    }
}

impl Texture {
    /// Whether the asset at this position has the payload of a texture, by its type.
    pub fn is_texture(pack: &Pack, row: usize) -> bool {
        pack.entry(row).is_some_and(|entry| {
            [types::TEXTURE_INFO, types::COMPRESSED_TEXTURE_INFO]
                .contains(&entry.cooked_payload_type.0)
        })
    }

    /// Reads what the asset at this position says of itself and finds its mips; `None` where it is no texture, by its
    /// payload type. Mips that are missing are warnings, and mips that have the wrong size are errors of the sink:
    /// neither can be loaded then, and all others can. What is kept stays charged.
    ///
    /// # Errors
    /// Those of [`Info::read`]; [`codes::TEXTURE_INFO`] for an impossible size or number of mips;
    /// [`codes::TEXTURE_FORMAT`]; what the sink makes of findings; limits.
    pub fn read(pack: &Pack, row: usize, task: &mut Task<'_>) -> Result<Option<Texture>> {
        let Some(info) = Info::read(pack, row, task)? else { return Ok(None) };
        let located = |error: Error| error.item("entries", row).at(info::place(pack, row));
        let (width, height, count) = match &info {
            Info::Plain(info) => (info.width, info.height, info.mip_count),
            Info::Compressed { head, .. } => (head.width, head.height, head.mip_count),
        };
        let (width, height, count) = (width.get(), height.get(), count.get());
        let format = format_of(&info).ok_or_else(|| {
            let number = match &info {
                Info::Plain(info) => info.format,
                Info::Compressed { head, .. } => head.format,
            };
            located(Error::new(&codes::TEXTURE_FORMAT).field("format").found(number.get()))
        })?;
        let halves = most_mips(width, height);
        if halves == 0 {
            let error = Error::new(&codes::TEXTURE_INFO).expected("at least one pixel");
            return Err(located(error.found(format!("{width} x {height}"))));
        }
        if count == 0 || count > halves {
            let error = Error::new(&codes::TEXTURE_INFO).field("mip_count");
            return Err(located(error.expected(format!("1 to {halves} mips")).found(count)));
        }
        let shape = TextureShape { width, height, format };
        let mut texture = Texture::find(pack, row, shape, count, task)?;
        if let Info::Compressed { tail, mips: listed, .. } = &info {
            texture.srgb = Some(tail.srgb != 0);
            texture.channels = Some(tail.channels.get());
            texture.compare(listed, task).map_err(located)?;
        }
        Ok(Some(texture))
    }

    /// An asset as a texture of a shape that the caller knows: for payloads of types that are not known here. It has
    /// as many mips as its bulk chunks of semantic 1 number, from 0 on.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND) for a position without an asset; [`codes::TEXTURE_INFO`] for a
    /// shape without a pixel; what the sink makes of findings; limits.
    pub fn of_shape(
        pack: &Pack,
        row: usize,
        shape: TextureShape,
        task: &mut Task<'_>,
    ) -> Result<Texture> {
        let entry = pack.entry(row).ok_or_else(not_found)?;
        let most = most_mips(shape.width, shape.height);
        if most == 0 {
            let error = Error::new(&codes::TEXTURE_INFO).expected("at least one pixel");
            return Err(error.found(format!("{} x {}", shape.width, shape.height)));
        }
        let bulk = pack.bulk(entry);
        task.budget.steps(bulk.len() as u64)?;
        let levels = bulk.iter().filter(|bulk| bulk.semantic.get() == SEMANTIC);
        let last = levels.map(|bulk| bulk.sub_index.get()).filter(|level| *level < most).max();
        let count = last.map_or(0, |last| last.saturating_add(1));
        Texture::find(pack, row, shape, count, task)
    }

    /// Finds the mips.
    fn find(
        pack: &Pack,
        row: usize,
        shape: TextureShape,
        count: u32,
        task: &mut Task<'_>,
    ) -> Result<Texture> {
        let TextureShape { width, height, format } = shape;
        let entry = pack.entry(row).ok_or_else(not_found)?;
        let bulk = pack.bulk(entry);
        let mut mips = task.budget.vec(count.into())?;
        let mut missing = Vec::new();
        for level in 0..count {
            let [width, height] = [width, height].map(|side| half(side, level));
            let len = format.len(width, height);
            task.budget.steps(bulk.len().saturating_add(1) as u64)?;
            let mut nth = pack.bulk_by(row, SEMANTIC, level).next();
            match nth.and_then(|nth| bulk.get(nth)) {
                None => missing.push(level.to_string()),
                Some(stored) if stored.size_uncompressed.get() != len => {
                    let error = Error::new(&codes::MIP_SIZE)
                        .field("size_uncompressed")
                        .item("entries", row)
                        .expected(format!("{len} bytes of {width} x {height} {}", format.name()))
                        .found(stored.size_uncompressed.get());
                    let at = nth.map(|nth| pack.bulk_rows(entry).start.saturating_add(nth));
                    nth = None;
                    task.error(match at {
                        Some(at) => error.at(pack.index().place(1, at)),
                        None => error,
                    })?;
                }
                Some(_) => {}
            }
            mips.push(Mip { level, width, height, len, bulk: nth });
        }
        if !missing.is_empty() {
            let error = Error::new(&codes::MIP_MISSING).at(pack.index().place(0, row));
            let expected = format!("{count} mips");
            let noun = if missing.len() == 1 { "mip" } else { "mips" };
            let found = format!("no {noun} {}", missing.join(", "));
            task.warn(error.item("entries", row).expected(expected).found(found))?;
        }
        Ok(Texture { row, width, height, format, srgb: None, channels: None, mips })
    }

    /// Warns where the list of a compressed texture says something else than its size and format do.
    fn compare(&self, listed: &[ListedMip], task: &mut Task<'_>) -> Result<()> {
        if listed.len() != self.mips.len() {
            let error = Error::new(&codes::MIP_LIST).item("entries", self.row);
            let expected = format!("{} mips", self.mips.len());
            return task.warn(error.expected(expected).found(listed.len()));
        }
        let odd = self.mips.iter().zip(listed).find(|(mip, listed)| {
            let stored = (listed.width.get(), listed.height.get(), u64::from(listed.size.get()));
            stored != (mip.width, mip.height, mip.len)
        });
        let Some((mip, listed)) = odd else { return Ok(()) };
        let text = |width, height, len| format!("{width} x {height}, {len} bytes");
        let error = Error::new(&codes::MIP_LIST).item("entries", self.row);
        let (width, height) = (listed.width.get(), listed.height.get());
        task.warn(error.expected(text(mip.width, mip.height, mip.len)).found(format!(
            "mip {}: {}",
            mip.level,
            text(width, height, listed.size.get().into())
        )))
    }

    /// The mips that are there, the smallest first: the order in which a game streams them.
    pub fn smallest_first(&self) -> impl Iterator<Item = &Mip> {
        self.mips.iter().rev().filter(|mip| mip.bulk.is_some())
    }

    /// The largest mip that is there and those below it, up to the first that is missing: what can be shown together.
    pub fn chain(&self) -> &[Mip] {
        let first = self.mips.iter().position(|mip| mip.bulk.is_some());
        let rest = first.and_then(|first| self.mips.get(first..)).unwrap_or_default();
        let end = rest.iter().position(|mip| mip.bulk.is_none()).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    }

    /// Locates the chunk of a mip.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND) for a mip that is not there; those of [`Pack::locate_bulk`].
    pub fn locate(&self, pack: &Pack, level: u32) -> Result<Located> {
        let mip = self.mips.iter().find(|mip| mip.level == level);
        pack.locate_bulk(self.row, mip.and_then(|mip| mip.bulk).ok_or_else(not_found)?)
    }

    /// The pixels of a mip, checked against their hash and of exactly as many bytes as it takes.
    ///
    /// # Errors
    /// Those of [`Texture::locate`] and [`Pack::payload`].
    pub fn load(&self, pack: &Pack, level: u32, task: &mut Task<'_>) -> Result<Bytes> {
        let located = self.locate(pack, level)?;
        let pixels = pack.load(&located, task)?;
        let wanted = self.mips.iter().find(|mip| mip.level == level).map_or(0, |mip| mip.len);
        if pixels.len() as u64 == wanted {
            return Ok(pixels);
        }
        // Packs that are opened with fewer checks let rows differ from their chunks.
        let error = Error::new(&codes::MIP_SIZE).item("entries", self.row).at(located.at());
        Err(error.expected(format!("{wanted} bytes")).found(pixels.len()))
    }
}

/// The format of a texture, where its number is known.
fn format_of(info: &Info) -> Option<PixelFormat> {
    match info {
        Info::Plain(info) => PixelFormat::plain(info.format.get()),
        Info::Compressed { head, .. } => PixelFormat::compressed(head.format.get()),
    }
}

/// The side of a mip.
fn half(side: u32, level: u32) -> u32 {
    side.checked_shr(level).unwrap_or(0).max(1)
}

/// Returns the number of mips that a picture can have: until both sides are one pixel. None where a side has no pixels.
fn most_mips(width: u32, height: u32) -> u32 {
    match width.min(height) {
        0 => 0,
        _ => u32::BITS.saturating_sub(width.max(height).leading_zeros()),
    }
}
