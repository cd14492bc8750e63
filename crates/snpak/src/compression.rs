//! Compression: ids, level bytes, decoding into a buffer that is used again and again; packing is in
//! [`encode`].
//!
//! See `docs/formats/snpak.md`, section 5.

pub mod encode;

use crate::codes;
pub use encode::{Codec, Encoder, Preset, reproduces};
use spelunk_core::{BitField, Error, Result, Span, Task, limits::Budget};

/// Names of the compression ids.
pub const VALUES: &[(i64, &str)] =
    &[(0, "none"), (1, "lz4"), (2, "zstd"), (3, "lz4hc"), (4, "zstd-fast")];
/// Names of the level bytes.
pub const LEVELS: &[(i64, &str)] = &[(0, "default"), (1, "fast"), (2, "high"), (3, "max")];

/// The parts of a level that is stored in two bytes.
pub(crate) const LEVEL: &[BitField] = &[
    BitField::new("level", 0, 8, "The level at which the payload was packed.").values(LEVELS),
    BitField::new("reserved", 8, 8, "Reserved; 0."),
];

/// LZ4 expands a byte to no more than this.
const LZ4_MAX_RATIO: u64 = 255;
/// The smallest zstd block that repeats a byte has 4 bytes and stands for 128 KiB.
const ZSTD_MAX_RATIO: u64 = 1 << 15;

/// A compression id. The set is open: unknown ids are kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Compression(pub u8);

impl Compression {
    /// The plain bytes.
    pub const NONE: Compression = Compression(0);
    /// An LZ4 block.
    pub const LZ4: Compression = Compression(1);
    /// A zstd frame.
    pub const ZSTD: Compression = Compression(2);
    /// An LZ4 block that the high-compression packer made.
    pub const LZ4_HC: Compression = Compression(3);
    /// A zstd frame of a negative level.
    pub const ZSTD_FAST: Compression = Compression(4);

    /// The name of the id; `unknown` for ids that are not described.
    pub fn name(self) -> &'static str {
        let known = VALUES.iter().find(|(id, _)| *id == i64::from(self.0));
        known.map_or("unknown", |(_, name)| *name)
    }
}

/// Decodes one payload after the other into one buffer.
#[derive(Default)]
pub struct Decoder {
    plain: Vec<u8>,
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder").field("capacity", &self.plain.capacity()).finish_non_exhaustive()
    }
}

impl Decoder {
    /// Runs `work` with a decoder that decodes into the scratch buffer of the task.
    pub fn with_scratch<T>(
        task: &mut Task<'_>,
        work: impl FnOnce(&mut Decoder, &mut Task<'_>) -> T,
    ) -> T {
        let mut decoder = Decoder::default();
        std::mem::swap(&mut decoder.plain, &mut task.scratch);
        let result = work(&mut decoder, task);
        task.scratch = decoder.plain;
        result
    }

    /// Decodes `stored`, which lies at `at`, to exactly `plain_len` bytes. Bytes that are not packed are
    /// lent, not copied. The buffer stays charged for as long as the decoder has it.
    ///
    /// # Errors
    /// [`codes::COMPRESSION_UNKNOWN`]; [`codes::DECODE`] when the bytes are damaged or of another size;
    /// [`codes::PLAIN_SIZE`] when no stored bytes of this number can hold that much;
    /// [`EXPANSION`](spelunk_core::codes::EXPANSION) beyond the ratio that the limits allow, where that is
    /// below what the codec can reach; [`MEMORY`](spelunk_core::codes::MEMORY),
    /// [`STEPS`](spelunk_core::codes::STEPS).
    pub fn decode<'a>(
        &'a mut self,
        compression: Compression,
        stored: &'a [u8],
        plain_len: u64,
        at: Span,
        budget: &mut Budget,
    ) -> Result<&'a [u8]> {
        check_size(compression, stored.len() as u64, plain_len, at)?;
        if compression == Compression::NONE || stored.is_empty() && plain_len == 0 {
            return Ok(stored);
        }
        // Before there is room made for it.
        budget.expand(stored.len() as u64, plain_len, at)?;
        budget.grow(&mut self.plain, plain_len).map_err(|error| error.at(at))?;
        let len = usize::try_from(plain_len).unwrap_or(usize::MAX);
        let plain = self.plain.get_mut(..len).unwrap_or_default();
        unpack(compression, stored, plain, at, budget)?;
        Ok(plain)
    }

    /// Gives the memory of the buffer back to the budget that it was taken from.
    pub fn release(self, budget: &mut Budget) {
        budget.release(self.plain.len() as u64);
    }

    /// The first `len` bytes of the buffer, which is as long where nothing larger was decoded; it stays
    /// charged.
    pub(crate) fn into_plain(self, len: u64) -> Vec<u8> {
        let mut plain = self.plain;
        plain.truncate(usize::try_from(len).unwrap_or(usize::MAX));
        plain
    }
}

/// Unpacks `stored`, which lies at `at` and is packed, to exactly as many bytes as `plain` has. The budget allowed the expansion.
///
/// # Errors
/// [`codes::DECODE`]; limits.
pub(crate) fn unpack(
    compression: Compression,
    stored: &[u8],
    plain: &mut [u8],
    at: Span,
    budget: &mut Budget,
) -> Result<()> {
    #[cfg(feature = "c-codecs")]
    let _ = budget;
    let len = plain.len();
    let found = match compression {
        Compression::LZ4 | Compression::LZ4_HC => lz4(stored, plain),
        _ => {
            #[cfg(feature = "c-codecs")]
            let found = zstd_frame(stored, plain);
            #[cfg(not(feature = "c-codecs"))]
            let found = zstd_frame(stored, plain, budget)?;
            found
        }
    };
    let found = match found {
        Some(found) if found == len => return Ok(()),
        Some(found) => format!("{found} bytes"),
        None => "damaged data, or more bytes".to_owned(),
    };
    Err(Error::new(&codes::DECODE).at(at).expected(format!("{len} bytes")).found(found))
}

/// Whether `stored` bytes can hold a payload of `plain` bytes.
///
/// # Errors
/// [`codes::COMPRESSION_UNKNOWN`], [`codes::PLAIN_SIZE`]; [`codes::DECODE`] where bytes that are not packed are of
/// another number.
pub(crate) fn check_size(
    compression: Compression,
    stored: u64,
    plain: u64,
    at: Span,
) -> Result<()> {
    let ratio = match compression {
        Compression::NONE => 1,
        Compression::LZ4 | Compression::LZ4_HC => LZ4_MAX_RATIO,
        Compression::ZSTD | Compression::ZSTD_FAST => ZSTD_MAX_RATIO,
        Compression(id) => {
            let error = Error::new(&codes::COMPRESSION_UNKNOWN).at(at);
            return Err(error.expected("0 to 4").found(u32::from(id)));
        }
    };
    if plain > stored.saturating_mul(ratio) {
        return Err(Error::new(&codes::PLAIN_SIZE)
            .at(at)
            .expected(format!("at most {ratio} times {stored} bytes"))
            .found(format!("{plain} bytes")));
    }
    if compression == Compression::NONE && stored != plain {
        let error = Error::new(&codes::DECODE).at(at);
        return Err(error.expected(format!("{plain} bytes")).found(format!("{stored} bytes")));
    }
    Ok(())
}

fn lz4(stored: &[u8], plain: &mut [u8]) -> Option<usize> {
    // Decoders disagree about an empty buffer; the block of no bytes is the byte 0.
    if plain.is_empty() {
        return (stored == [0]).then_some(0);
    }
    #[cfg(feature = "c-codecs")]
    let found = lzzzz::lz4::decompress(stored, plain).ok();
    #[cfg(not(feature = "c-codecs"))]
    let found = lz4_flex::block::decompress_into(stored, plain).ok();
    found
}

#[cfg(feature = "c-codecs")]
fn zstd_frame(stored: &[u8], plain: &mut [u8]) -> Option<usize> {
    use std::cell::RefCell;
    thread_local! {
        /// To make one takes longer than to unpack a small payload.
        static CONTEXT: RefCell<Option<zstd::bulk::Decompressor<'static>>> = const { RefCell::new(None) };
    }
    CONTEXT.with_borrow_mut(|context| {
        if context.is_none() {
            *context = zstd::bulk::Decompressor::new().ok();
        }
        context.as_mut()?.decompress_to_buffer(stored, plain).ok()
    })
}

#[cfg(not(feature = "c-codecs"))]
fn zstd_frame(stored: &[u8], plain: &mut [u8], budget: &mut Budget) -> Result<Option<usize>> {
    // The window is the only memory that a frame decides; no frame of this content needs a larger one.
    let window = (plain.len() as u64).saturating_mul(2).max(1 << 20);
    budget.memory(window.saturating_mul(2))?;
    let mut decoder = ruzstd::decoding::FrameDecoder::new();
    decoder.set_max_window_size(window);
    let found = decoder.decode_all(stored, plain).ok();
    budget.release(window.saturating_mul(2));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::Limits;

    fn decode(id: u8, stored: &[u8], len: u64) -> Result<Vec<u8>> {
        let mut budget = Budget::new(Limits::for_len(stored.len() as u64));
        let mut decoder = Decoder::default();
        let at = Span::file(0, stored.len() as u64);
        decoder.decode(Compression(id), stored, len, at, &mut budget).map(<[u8]>::to_vec)
    }

    #[test]
    fn empty_data_is_accepted_in_every_form() {
        for id in 0..=4 {
            assert_eq!(decode(id, b"", 0).unwrap(), b"", "id {id}");
            assert_eq!(decode(id, b"", 1).unwrap_err().code().id, codes::PLAIN_SIZE.id);
        }
        for id in [1, 3] {
            assert_eq!(decode(id, &[0], 0).unwrap(), b"");
        }
        let empty_frame = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x00, 0x01, 0x00, 0x00];
        for id in [2, 4] {
            assert_eq!(decode(id, &empty_frame, 0).unwrap(), b"");
        }
    }

    #[test]
    fn sizes_are_exact_and_ids_are_known() {
        let lz4 = [0x50, b'h', b'e', b'l', b'l', b'o'];
        assert_eq!(decode(1, &lz4, 5).unwrap(), b"hello");
        for (id, stored, len) in [(0, &lz4[..], 5), (0, &lz4, 7), (1, &lz4, 4), (3, &lz4, 6)] {
            let code = decode(id, stored, len).unwrap_err().code().id;
            assert!([codes::DECODE.id, codes::PLAIN_SIZE.id].contains(&code));
        }
        assert_eq!(decode(9, &lz4, 5).unwrap_err().code().id, codes::COMPRESSION_UNKNOWN.id);
        assert_eq!(decode(1, &lz4, u64::MAX - 7).unwrap_err().code().id, codes::PLAIN_SIZE.id);
    }

    #[test]
    fn the_buffer_is_charged_once_and_given_back() {
        let lz4 = [0x50, b'h', b'e', b'l', b'l', b'o'];
        let mut budget = Budget::new(Limits::for_len(0));
        let before = budget.left().memory;
        let mut decoder = Decoder::default();
        for _ in 0..3 {
            decoder.decode(Compression::LZ4, &lz4, 5, Span::file(0, 6), &mut budget).unwrap();
            assert_eq!(budget.left().memory, before - 5);
        }
        decoder.release(&mut budget);
        assert_eq!(budget.left().memory, before);
    }
}
