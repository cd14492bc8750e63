//! Packing payloads: what id and level byte stand for, and whether that gives stored bytes again.

use super::{Compression, LEVELS};
use crate::codes;
use spelunk_core::{Error, Result, limits::Budget};
use std::{fmt, str::FromStr};

/// A way of packing a payload: a compression id and a level byte, as chunks have them.
///
/// As text it is the name of the id, and the level behind a colon where it is not the default: `none`,
/// `zstd`, `lz4hc:max`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Codec {
    /// The id.
    pub compression: Compression,
    /// 0 default, 1 fast, 2 high, 3 max.
    pub level: u8,
}

impl Codec {
    /// The plain bytes.
    pub const NONE: Codec = Codec::new(Compression::NONE);

    /// An id at its default level.
    pub const fn new(compression: Compression) -> Codec {
        Codec { compression, level: 0 }
    }
}

impl Codec {
    /// Whether payloads can be packed so: id and level are described.
    pub fn is_known(self) -> bool {
        (self.compression == Compression::NONE && self.level <= 3) || Effort::usual(self).is_some()
    }

    /// Whether packing takes tables of several times the payload.
    pub(crate) fn is_strongest(self) -> bool {
        matches!(Effort::usual(self), Some(Effort::Zstd(level)) if level > STRONG)
    }

    /// Returns the memory that a payload takes while it is packed, as a multiple of its length: itself, its packed form, and
    /// tables.
    pub(crate) fn packing_times(self) -> u64 {
        if self.is_strongest() { STRONGEST_TABLES.saturating_add(2) } else { 2 }
    }
}

/// zstd levels up to this one have tables of a few MiB.
const STRONG: i32 = 8;
/// Size of the tables of the strongest levels at the most, as a multiple of the payload's length.
const STRONGEST_TABLES: u64 = 16;

/// zstd at its default level: packs textures, text and sound well and unpacks at over a gigabyte a second.
impl Default for Codec {
    fn default() -> Codec {
        Codec::new(Compression::ZSTD)
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.compression.name())?;
        let level = LEVELS.iter().find(|(level, _)| *level == i64::from(self.level));
        match (self.level, level) {
            (0, _) => Ok(()),
            (_, Some((_, name))) => write!(f, ":{name}"),
            (level, None) => write!(f, ":{level}"),
        }
    }
}

impl FromStr for Codec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Codec> {
        let (name, level) = text.split_once(':').unwrap_or((text, "default"));
        let id = |names: &[(i64, &str)], wanted: &str| {
            let found = names.iter().find(|(_, name)| name.eq_ignore_ascii_case(wanted));
            found.and_then(|(id, _)| u8::try_from(*id).ok())
        };
        let codec = id(super::VALUES, name).zip(id(LEVELS, level));
        let (id, level) = codec.ok_or_else(|| {
            Error::new(&codes::CODEC)
                .expected("none, lz4, zstd, lz4hc or zstd-fast, and :fast, :high or :max behind it")
                .found(format!("`{}`", text.escape_debug()))
        })?;
        Ok(Codec { compression: Compression(id), level })
    }
}

/// A kind of data, by which packing is recommended (`docs/formats/snpak.md`, section 5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preset {
    /// Pixels that are not packed: zstd.
    Texture,
    /// Vertices and indices: LZ4, which unpacks fastest.
    Mesh,
    /// Samples that are not packed: zstd.
    Audio,
    /// Data that is packed already (JPEG, PNG, BC7, Ogg): none.
    Packed,
    /// Data that the game waits for: LZ4.
    Critical,
}

impl Preset {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Preset); 5] = [
        ("texture", Preset::Texture),
        ("mesh", Preset::Mesh),
        ("audio", Preset::Audio),
        ("packed", Preset::Packed),
        ("critical", Preset::Critical),
    ];

    /// Returns the codec for such data.
    pub const fn codec(self) -> Codec {
        Codec::new(match self {
            Preset::Texture | Preset::Audio => Compression::ZSTD,
            Preset::Mesh | Preset::Critical => Compression::LZ4,
            Preset::Packed => Compression::NONE,
        })
    }

    /// Returns the kind of data that files with this extension (lower case, without a dot) usually hold, where that is known.
    pub fn of_extension(extension: &str) -> Option<Preset> {
        Some(match extension {
            "bmp" | "tga" | "tif" | "tiff" | "raw" | "hdr" | "exr" | "psd" => Preset::Texture,
            "obj" | "fbx" | "glb" | "gltf" | "ply" | "stl" | "dae" | "mesh" => Preset::Mesh,
            "wav" | "aif" | "aiff" | "pcm" => Preset::Audio,
            "png" | "jpg" | "jpeg" | "gif" | "webp" | "dds" | "ktx2" | "basis" | "astc" | "ogg"
            | "opus" | "mp3" | "flac" | "m4a" | "mp4" | "webm" | "zip" | "gz" | "zst" | "7z" => {
                Preset::Packed
            }
            _ => return None,
        })
    }
}

/// The most bytes that one LZ4 block can be made of.
pub const LZ4_MAX_INPUT: u64 = 0x7e00_0000;

/// Packs one payload after the other; its tables are used again.
#[derive(Default)]
pub struct Encoder {
    #[cfg(feature = "c-codecs")]
    zstd: Option<zstd::bulk::Compressor<'static>>,
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder").finish_non_exhaustive()
    }
}

impl Encoder {
    /// Packs `plain` as the newest writers do it. No bytes are packed as no bytes; those that do not
    /// shrink grow. `None` stands for the plain bytes themselves.
    ///
    /// # Errors
    /// [`codes::CODEC`] for ids and levels that are not described; [`codes::NO_ENCODER`] where this build
    /// cannot pack so; [`codes::ENCODE`] where the codec refuses, as LZ4 does beyond [`LZ4_MAX_INPUT`].
    pub fn encode(&mut self, codec: Codec, plain: &[u8]) -> Result<Option<Vec<u8>>> {
        let unknown = || {
            let error = Error::new(&codes::CODEC);
            error.expected("a compression id up to 4 and a level up to 3").found(codec.to_string())
        };
        let known =
            |names: &[(i64, &str)], id: u8| names.iter().any(|(name, _)| *name == i64::from(id));
        // What is not packed is marked with its id and level all the same.
        if !known(super::VALUES, codec.compression.0) || !known(LEVELS, codec.level) {
            return Err(unknown());
        }
        if plain.is_empty() || codec.compression == Compression::NONE {
            return Ok(None);
        }
        let effort = Effort::usual(codec).ok_or_else(unknown)?;
        self.pack(effort, plain).map(Some)
    }

    fn pack(&mut self, effort: Effort, plain: &[u8]) -> Result<Vec<u8>> {
        let refused = |why: String| {
            Error::new(&codes::ENCODE)
                .expected(format!("at most {LZ4_MAX_INPUT} bytes in an LZ4 block"))
                .found(format!("{} bytes: {why}", plain.len()))
        };
        match effort {
            Effort::Lz4(_) | Effort::Lz4Hc(_) if plain.len() as u64 > LZ4_MAX_INPUT => {
                Err(refused("too many".to_owned()))
            }
            #[cfg(feature = "c-codecs")]
            Effort::Lz4(acceleration) => {
                let mut out = Vec::new();
                let packed = lzzzz::lz4::compress_to_vec(plain, &mut out, acceleration);
                packed.map_err(|error| refused(error.to_string()))?;
                Ok(out)
            }
            #[cfg(feature = "c-codecs")]
            Effort::Lz4Hc(level) => {
                let mut out = Vec::new();
                let packed = lzzzz::lz4_hc::compress_to_vec(plain, &mut out, level);
                packed.map_err(|error| refused(error.to_string()))?;
                Ok(out)
            }
            #[cfg(feature = "c-codecs")]
            Effort::Zstd(level) => {
                let compressor = match &mut self.zstd {
                    Some(compressor) => compressor,
                    none => none.insert(zstd::bulk::Compressor::new(level)?),
                };
                compressor.set_compression_level(level)?;
                Ok(compressor.compress(plain)?)
            }
            #[cfg(not(feature = "c-codecs"))]
            Effort::Lz4(_) => Ok(lz4_flex::block::compress(plain)),
            #[cfg(not(feature = "c-codecs"))]
            Effort::Lz4Hc(_) | Effort::Zstd(_) => Err(Error::new(&codes::NO_ENCODER)),
        }
    }
}

/// A way of packing that a writer of the format uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effort {
    /// LZ4 with this acceleration.
    Lz4(i32),
    /// LZ4 high compression at this level.
    Lz4Hc(i32),
    /// zstd at this level.
    Zstd(i32),
}

impl Effort {
    /// All of an id, by the level byte that stands for them with the newest writers.
    const fn all(compression: Compression) -> &'static [Effort] {
        use Effort::{Lz4, Lz4Hc, Zstd};
        match compression {
            // First-generation writers made id 1 with the high-compression packer.
            Compression::LZ4 => &[Lz4(1), Lz4(8), Lz4Hc(9), Lz4Hc(12)],
            Compression::LZ4_HC => &[Lz4Hc(9), Lz4Hc(3), Lz4Hc(11), Lz4Hc(12)],
            Compression::ZSTD => &[Zstd(3), Zstd(1), Zstd(8), Zstd(22)],
            Compression::ZSTD_FAST => &[Zstd(-3), Zstd(-5), Zstd(-2), Zstd(-1)],
            _ => &[],
        }
    }

    /// Returns the position in [`Effort::all`] of the effort that the newest writers use.
    fn position(codec: Codec) -> usize {
        match (codec.compression, codec.level) {
            // LZ4 knows only two efforts: its levels high and max are the default.
            (Compression::LZ4, 2 | 3) => 0,
            (_, level) => level.into(),
        }
    }

    /// Returns the effort of the newest writers; `None` for what is not described.
    fn usual(codec: Codec) -> Option<Effort> {
        Effort::all(codec.compression).get(Effort::position(codec)).copied()
    }

    /// Returns the efforts to try: the usual one first, then the others of the id.
    #[cfg(feature = "c-codecs")]
    fn candidates(codec: Codec) -> impl Iterator<Item = Effort> {
        let usual = Effort::usual(codec);
        let others = Effort::all(codec.compression).iter().copied();
        usual.into_iter().chain(others.filter(move |effort| Some(*effort) != usual))
    }
}

/// Packs `plain` again with everything that writers of the format did for this id and level byte; the
/// usual first. `true` when one of them gives exactly `stored`. Without the stock codecs nothing can be
/// packed again into the same bytes.
///
/// # Errors
/// [`MEMORY`](spelunk_core::codes::MEMORY), [`STEPS`](spelunk_core::codes::STEPS).
pub fn reproduces(codec: Codec, plain: &[u8], stored: &[u8], budget: &mut Budget) -> Result<bool> {
    if plain.is_empty() && stored.is_empty() {
        return Ok(true);
    }
    #[cfg(feature = "c-codecs")]
    {
        let mut encoder = Encoder::default();
        for effort in Effort::candidates(codec) {
            // The strongest levels keep tables of several times the content beside the output.
            let len = plain.len() as u64;
            let memory = len.saturating_mul(STRONGEST_TABLES).saturating_add(1 << 20);
            budget.touch(len.saturating_mul(STRONGEST_TABLES))?;
            budget.memory(memory)?;
            let packed = encoder.pack(effort, plain);
            budget.release(memory);
            if packed.is_ok_and(|packed| packed == stored) {
                return Ok(true);
            }
        }
    }
    #[cfg(not(feature = "c-codecs"))]
    let _ = budget;
    Ok(codec.compression == Compression::NONE && plain == stored)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compression::Decoder;
    use spelunk_core::{Limits, Span};

    fn unpacked(codec: Codec, stored: &[u8], len: usize) -> Vec<u8> {
        let mut budget = Budget::new(Limits::unlimited());
        let (mut decoder, at) = (Decoder::default(), Span::file(0, stored.len() as u64));
        let plain = decoder.decode(codec.compression, stored, len as u64, at, &mut budget);
        plain.unwrap().to_vec()
    }

    #[test]
    #[cfg(feature = "c-codecs")]
    fn every_effort_is_found_again() {
        let plain = b"oak oak birch oak fir ".repeat(200);
        let mut budget = Budget::new(Limits::unlimited());
        let mut encoder = Encoder::default();
        for id in 1..=4 {
            for level in 0..=3 {
                let codec = Codec { compression: Compression(id), level };
                let stored = encoder.encode(codec, &plain).unwrap().unwrap();
                for codec in [codec, Codec::new(codec.compression)] {
                    assert!(reproduces(codec, &plain, &stored, &mut budget).unwrap(), "{codec}");
                }
                assert_eq!(unpacked(codec, &stored, plain.len()), plain);
            }
        }
    }

    #[test]
    fn what_cannot_be_packed_is_refused() {
        let mut encoder = Encoder::default();
        let code = |codec: Codec, encoder: &mut Encoder| {
            encoder.encode(codec, b"oak oak").map_err(|error| error.code().id)
        };
        assert_eq!(code(Codec::NONE, &mut encoder), Ok(None));
        for (id, level) in [(5, 0), (9, 0), (2, 4)] {
            let codec = Codec { compression: Compression(id), level };
            assert_eq!(code(codec, &mut encoder), Err(codes::CODEC.id));
        }
        assert_eq!(encoder.encode(Codec::default(), b"").unwrap(), None);
    }

    #[test]
    fn codecs_have_names() {
        for text in ["none", "lz4", "zstd:max", "lz4hc:high", "zstd-fast:fast"] {
            assert_eq!(text.parse::<Codec>().unwrap().to_string(), text);
        }
        assert_eq!("ZSTD:default".parse::<Codec>().unwrap(), Codec::default());
        for text in ["", "gzip", "zstd:", "zstd:9", "zstd:max:max"] {
            assert_eq!(text.parse::<Codec>().unwrap_err().code().id, codes::CODEC.id);
        }
        assert_eq!(Preset::of_extension("png").map(Preset::codec), Some(Codec::NONE));
    }
}
