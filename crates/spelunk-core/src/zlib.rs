//! The zlib codec: inflate fast, deflate as the original programs did, find the level again.
//!
//! The streams in real files were made by stock zlib (window 15 bits, memory level 8). Only the same
//! code gives the same bytes, so packing again uses stock zlib and reading uses libdeflate, which is
//! about twice as fast. Without the `c-codecs` feature both are `miniz_oxide`: every stream is read, but
//! packing again gives other (valid) bytes and no level is ever recognised.

use crate::{
    codes,
    error::{Error, Result},
    limits::Budget,
    place::Span,
};
use bytes::Bytes;

/// Inflated bytes that one stored byte can stand for at the most.
pub const MAX_RATIO: u64 = 1032;

/// Inflates the zlib stream `stored`, which lies at `at`, to exactly `plain_len` bytes.
///
/// # Errors
/// [`codes::RATIO`] when no stream of this size can hold that much, a limit of `budget`, or
/// [`codes::INFLATE`] when the stream is damaged or of another size.
pub fn inflate(stored: &[u8], plain_len: u64, at: Span, budget: &mut Budget) -> Result<Vec<u8>> {
    let mut plain = Vec::new();
    match inflate_reusing(stored, plain_len, at, budget, &mut plain) {
        // A new buffer is exactly as long as was asked for.
        Ok(_) => Ok(plain),
        Err(error) => {
            budget.release(plain.len() as u64);
            Err(error)
        }
    }
}

/// Like [`inflate`], into a buffer that is kept for the next stream; only its growth is charged.
///
/// # Errors
/// Those of [`inflate`]. The buffer stays charged.
pub fn inflate_reusing<'b>(
    stored: &[u8],
    plain_len: u64,
    at: Span,
    budget: &mut Budget,
    buffer: &'b mut Vec<u8>,
) -> Result<&'b [u8]> {
    if plain_len > (stored.len() as u64).saturating_mul(MAX_RATIO) {
        return Err(Error::new(&codes::RATIO)
            .at(at)
            .expected(format!("at most {MAX_RATIO} times {} bytes", stored.len()))
            .found(format!("{plain_len} bytes")));
    }
    budget.expand(stored.len() as u64, plain_len, at)?;
    budget.grow(buffer, plain_len).map_err(|error| error.at(at))?;
    let len = usize::try_from(plain_len).unwrap_or(usize::MAX);
    let plain = buffer.get_mut(..len).unwrap_or_default();
    match inflate_into(stored, plain) {
        Some(found) if found == len => Ok(plain),
        found => Err(Error::new(&codes::INFLATE)
            .at(at)
            .expected(format!("{plain_len} bytes"))
            .found(match found {
                Some(found) => format!("{found} bytes"),
                None => "a damaged stream, or more bytes".to_owned(),
            })),
    }
}

/// Inflates as much of a damaged or cut stream as comes out before its damage is noticed: at most `plain_len` bytes,
/// none where the stream is no zlib stream. Bytes behind a flipped one may be wrong before anything is noticed, which
/// nothing but the content itself can show.
///
/// # Errors
/// Limits of `budget`. What no stream of this size can hold is not asked for.
pub fn inflate_damaged(
    stored: &[u8],
    plain_len: u64,
    at: Span,
    budget: &mut Budget,
) -> Result<Vec<u8>> {
    use miniz_oxide::inflate::core::{
        DecompressorOxide, decompress,
        inflate_flags::{TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF},
    };
    let len = plain_len.min((stored.len() as u64).saturating_mul(MAX_RATIO));
    budget.expand(stored.len() as u64, len, at)?;
    let mut plain = Vec::new();
    budget.grow(&mut plain, len).map_err(|error| error.at(at))?;
    let flags = TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let mut state = Box::<DecompressorOxide>::default();
    let (_, _, written) = decompress(&mut state, stored, &mut plain, 0, flags);
    plain.truncate(written);
    plain.shrink_to_fit();
    budget.release(len.saturating_sub(written as u64));
    Ok(plain)
}

/// The Adler-32 of zlib, which starts at 1.
#[cfg(feature = "c-codecs")]
pub fn adler32(bytes: &[u8]) -> u32 {
    libdeflater::adler32(bytes)
}

/// The Adler-32 of zlib, which starts at 1.
#[cfg(not(feature = "c-codecs"))]
pub fn adler32(bytes: &[u8]) -> u32 {
    simd_adler32::adler32(&bytes)
}

/// Whether the stream `stored`, which holds `plain`, is followed by bytes that are not part of it: a stream
/// ends with the Adler-32 of its content.
pub fn is_followed(stored: &[u8], plain: &[u8]) -> bool {
    let sum = adler32(plain);
    stored.last_chunk::<4>() != Some(&sum.to_be_bytes())
}

/// Number of bytes that the zlib stream `stored`, which lies at `at`, inflates to, for formats that do not store it. The stream
/// is inflated piece by piece and nothing of it is kept.
///
/// # Errors
/// [`codes::INFLATE`] when the stream is damaged or ends early, [`codes::EXPANSION`] beyond the chosen ratio, and
/// other limits of `budget`.
pub fn measure(stored: &[u8], at: Span, budget: &mut Budget) -> Result<u64> {
    use miniz_oxide::{
        DataFormat, MZFlush, MZStatus,
        inflate::stream::{InflateState, inflate},
    };
    let needed = (size_of::<InflateState>() as u64).saturating_add(PIECE as u64);
    budget.memory(needed).map_err(|error| error.at(at))?;
    let mut state = InflateState::new_boxed(DataFormat::Zlib);
    let (mut piece, mut rest, mut total) = (vec![0; PIECE], stored, 0_u64);
    let measured = loop {
        let step = inflate(&mut state, rest, &mut piece, MZFlush::None);
        rest = rest.get(step.bytes_consumed..).unwrap_or_default();
        total = total.saturating_add(step.bytes_written as u64);
        let agreed = budget.touch(step.bytes_written as u64).map_err(|error| error.at(at));
        match (agreed, step.status) {
            (Err(error), _) => break Err(error),
            (Ok(()), Ok(MZStatus::StreamEnd)) => {
                break budget.expand(stored.len() as u64, total, at).map(|()| total);
            }
            (Ok(()), Ok(_)) if step.bytes_written > 0 || step.bytes_consumed > 0 => {}
            _ => {
                break Err(Error::new(&codes::INFLATE)
                    .at(at)
                    .expected("a whole stream")
                    .found(format!("damage behind {total} inflated bytes")));
            }
        }
    };
    budget.release(needed);
    measured
}

/// Bytes that [`measure`] inflates at a time.
const PIECE: usize = 1 << 14;

/// Inflates `stored` into `plain` and returns how many bytes came; `None` when the stream is damaged or
/// holds more than fits.
#[cfg(feature = "c-codecs")]
pub fn inflate_into(stored: &[u8], plain: &mut [u8]) -> Option<usize> {
    use std::cell::RefCell;
    thread_local! {
        static INFLATE: RefCell<libdeflater::Decompressor> =
            RefCell::new(libdeflater::Decompressor::new());
    }
    INFLATE.with_borrow_mut(|inflate| inflate.zlib_decompress(stored, plain).ok())
}

/// Inflates `stored` into `plain` and returns how many bytes came; `None` when the stream is damaged or
/// holds more than fits.
#[cfg(not(feature = "c-codecs"))]
pub fn inflate_into(stored: &[u8], plain: &mut [u8]) -> Option<usize> {
    miniz_oxide::inflate::decompress_slice_iter_to_slice(
        plain,
        std::iter::once(stored),
        true,
        false,
    )
    .ok()
}

/// The most bytes that stock zlib makes of so many.
fn bound(len: usize) -> usize {
    [len >> 12, len >> 14, len >> 25, 13].into_iter().fold(len, usize::saturating_add)
}

/// Packs `plain` at `level` (0 to 9; larger counts as 9), with memory from `budget`: while it is packed that of as many bytes
/// as there may be, later of those that there are.
///
/// # Errors
/// [`codes::MEMORY`].
pub fn deflate_within(plain: &[u8], level: u8, budget: &mut Budget) -> Result<Vec<u8>> {
    let most = bound(plain.len()) as u64;
    budget.memory(most)?;
    let mut out = deflate(plain, level);
    out.shrink_to_fit();
    budget.release(most.saturating_sub(out.len() as u64));
    Ok(out)
}

/// Packs `plain` at `level` (0 to 9; larger counts as 9).
#[cfg(feature = "c-codecs")]
pub fn deflate(plain: &[u8], level: u8) -> Vec<u8> {
    let most = bound(plain.len());
    // Blocks of level 0 depend on the room, which stock programs have for the bound. Others are the same with any room, and what
    // inflates to a lot needs little of it.
    let room = if level == 0 { most } else { most.min((plain.len() / 4).saturating_add(4096)) };
    let mut out = Vec::with_capacity(room);
    let mut codec = compressor(level);
    while !matches!(
        codec.compress_vec(consumed(plain, &codec), &mut out, flate2::FlushCompress::Finish),
        Ok(flate2::Status::StreamEnd)
    ) {
        let held = out.capacity();
        let twice = held.saturating_mul(2).max(64);
        // Beyond the bound only where that is wrong.
        let wanted = if held < most { twice.min(most) } else { twice };
        out.reserve_exact(wanted.saturating_sub(out.len()));
    }
    out
}

/// Packs `plain` at `level` (0 to 9; larger counts as 9).
#[cfg(not(feature = "c-codecs"))]
pub fn deflate(plain: &[u8], level: u8) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(plain, level.min(9))
}

/// Plain bytes with what a level packs them to, which was found out by packing them.
#[derive(Clone, Debug)]
pub struct KnownPacking {
    /// The plain bytes.
    pub plain: Bytes,
    /// The level.
    pub level: u8,
    /// The stream that it makes of them.
    pub stored: Bytes,
}

/// The level at which [`deflate`] gives exactly `stored` for `plain`.
///
/// Only the levels that the stream's own header allows are tried, the most usual first. Where several
/// levels give these bytes, the first of them is returned.
pub fn infer_level(stored: &[u8], plain: &[u8]) -> Option<u8> {
    candidates(stored).iter().copied().find(|level| gives(plain, *level, stored))
}

/// Levels that stock zlib marks with the FLEVEL bits of this stream, the most usual first.
fn candidates(stored: &[u8]) -> &'static [u8] {
    match stored.get(1).map(|flags| flags >> 6) {
        Some(0) => &[1, 0],
        Some(1) => &[4, 2, 5, 3],
        Some(2) => &[6],
        Some(_) => &[9, 7, 8],
        None => &[],
    }
}

#[cfg(feature = "c-codecs")]
fn compressor(level: u8) -> flate2::Compress {
    flate2::Compress::new(flate2::Compression::new(u32::from(level.min(9))), true)
}

#[cfg(feature = "c-codecs")]
fn consumed<'a>(plain: &'a [u8], codec: &flate2::Compress) -> &'a [u8] {
    usize::try_from(codec.total_in()).ok().and_then(|at| plain.get(at..)).unwrap_or_default()
}

/// Whether packing `plain` at `level` gives `stored`; stops at the first difference.
#[cfg(feature = "c-codecs")]
fn gives(plain: &[u8], level: u8, stored: &[u8]) -> bool {
    if level == 0 {
        // Stored blocks depend on the room for output, so they need the one-call form.
        return deflate(plain, level) == stored;
    }
    let mut codec = compressor(level);
    let mut buffer = vec![0; 1 << 15];
    let mut rest = stored;
    loop {
        let before = codec.total_out();
        let input = consumed(plain, &codec);
        let status = codec.compress(input, &mut buffer, flate2::FlushCompress::Finish);
        let written = usize::try_from(codec.total_out().saturating_sub(before)).unwrap_or(0);
        let Some(same) = buffer.get(..written).and_then(|new| rest.strip_prefix(new)) else {
            return false;
        };
        rest = same;
        match status {
            Ok(flate2::Status::StreamEnd) => return rest.is_empty(),
            Ok(_) if written > 0 => {}
            _ => return false,
        }
    }
}

#[cfg(not(feature = "c-codecs"))]
fn gives(plain: &[u8], level: u8, stored: &[u8]) -> bool {
    deflate(plain, level) == stored
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use proptest::prelude::*;

    fn text() -> Vec<u8> {
        (0..40_000_u32).flat_map(|n| format!("{} ", n * n % 977).into_bytes()).collect()
    }

    #[test]
    fn sizes_are_proved_before_anything_is_allocated() {
        let mut budget = Budget::new(Limits::for_len(0));
        let at = Span::file(0, 0);
        let stored = deflate(&text(), 4);
        let impossible = inflate(&stored, u64::MAX, at, &mut budget).unwrap_err();
        assert_eq!(impossible.code().id, "SP004");
        let len = text().len() as u64;
        for wrong in [len - 1, len + 1] {
            let error = inflate(&stored, wrong, at, &mut budget).unwrap_err();
            assert_eq!(error.code().id, "SP003");
        }
        assert_eq!(budget.left().memory, Limits::for_len(0).memory, "failures give back");
        assert_eq!(inflate(&stored, len, at, &mut budget).unwrap(), text());
    }

    /// Wherever a stream is cut, what comes out is what went in, and as much of it as stock zlib gives.
    #[test]
    fn of_a_cut_stream_all_comes_out_that_is_there() {
        let at = Span::file(0, 0);
        for level in [0, 1, 6, 9] {
            let stored = deflate(&text(), level);
            let mut last = 0;
            for cut in (0..stored.len()).step_by(97).chain([1, 2, 3, stored.len()]) {
                let mut budget = Budget::new(Limits::for_len(0));
                let cut = &stored[..cut];
                let plain = inflate_damaged(cut, text().len() as u64, at, &mut budget).unwrap();
                assert!(text().starts_with(&plain), "{} of {}", cut.len(), stored.len());
                let taken = Limits::for_len(0).memory - budget.left().memory;
                assert_eq!(taken, plain.len() as u64, "what is not there is given back");
                #[cfg(feature = "c-codecs")]
                {
                    let mut codec = flate2::Decompress::new(true);
                    let mut other = Vec::with_capacity(text().len());
                    let _ = codec.decompress_vec(cut, &mut other, flate2::FlushDecompress::None);
                    assert!(plain.len() >= other.len(), "{} of {}", plain.len(), other.len());
                }
                last = last.max(plain.len());
            }
            assert_eq!(last, text().len());
        }
    }

    #[test]
    fn of_a_stream_with_a_flipped_bit_what_comes_before_it_is_right() {
        let at = Span::file(0, 0);
        let stored = deflate(&text(), 4);
        for flipped in (2..stored.len()).step_by(211) {
            let mut damaged = stored.clone();
            damaged[flipped] ^= 0x10;
            // What stands before the flipped byte comes out of the cut stream, too.
            let mut budget = Budget::new(Limits::for_len(0));
            let len = text().len() as u64;
            let before = inflate_damaged(&stored[..flipped], len, at, &mut budget).unwrap();
            let plain = inflate_damaged(&damaged, len, at, &mut budget).unwrap();
            let sure = before.len().saturating_sub(258);
            assert!(plain.len() >= sure && plain[..sure] == text()[..sure]);
        }
        let nothing = |stored: &[u8], len| {
            let mut budget = Budget::new(Limits { memory: 1 << 20, ..Limits::for_len(0) });
            inflate_damaged(stored, len, at, &mut budget).map(|plain| plain.len()).ok()
        };
        assert_eq!(nothing(b"no stream at all", 1000), Some(0));
        assert_eq!(nothing(&[], u64::MAX), Some(0));
        assert_eq!(nothing(&stored, u64::MAX), None, "the budget decides first");
    }

    #[test]
    fn streams_without_a_stated_size_are_measured_and_nothing_is_kept() {
        let at = Span::file(3, 9);
        for plain in [Vec::new(), vec![7], text(), vec![0; 1 << 18]] {
            for level in [0, 1, 6, 9] {
                let mut stored = deflate(&plain, level);
                let mut budget = Budget::new(Limits { ratio: 2000, ..Limits::for_len(0) });
                let found = measure(&stored, at, &mut budget).unwrap();
                assert_eq!(found, plain.len() as u64);
                assert_eq!(budget.left().memory, Limits::for_len(0).memory);
                assert!(budget.steps_taken() > plain.len() as u64 / 64);
                stored.extend(b"more");
                assert_eq!(measure(&stored, at, &mut budget).unwrap(), plain.len() as u64);
                stored.truncate(stored.len() - 6);
                let error = measure(&stored, at, &mut budget).unwrap_err();
                assert_eq!((error.code().id, error.place()), ("SP003", Some(at)));
            }
        }
        let bomb = deflate(&vec![0; 1 << 20], 9);
        let refused = |limits| {
            let error = measure(&bomb, at, &mut Budget::new(limits)).unwrap_err();
            (error.code().id, error.place())
        };
        let limits = Limits::for_len(0);
        assert_eq!(refused(Limits { ratio: 10, ..limits }), ("SP013", Some(at)));
        assert_eq!(refused(Limits { steps: 100, ..limits }), ("SP011", Some(at)));
        assert_eq!(refused(Limits { memory: 100, ..limits }), ("SP010", Some(at)));
    }

    #[test]
    #[cfg(feature = "c-codecs")]
    fn every_level_is_found_again() {
        for level in 0..=9 {
            let stored = deflate(&text(), level);
            let found = infer_level(&stored, &text()).expect("stock zlib made it");
            assert_eq!(deflate(&text(), found), stored);
        }
    }

    /// Length and CRC-32 of what stock zlib gives at each level, computed with another program's copy of it.
    /// Another deflater behind the same door would be noticed here and not in a user's file.
    #[test]
    #[cfg(feature = "c-codecs")]
    fn the_deflater_is_stock_zlib() {
        let plain: Vec<u8> =
            (0..400_u32).flat_map(|n| format!("{} ", n * n % 977).into_bytes()).collect();
        for (level, len, crc) in [
            (1, 774, 0x396a_e9f4),
            (4, 769, 0x8347_ab03),
            (6, 769, 0xb2ea_c6be),
            (9, 769, 0xc284_0565),
        ] {
            let stored = deflate(&plain, level);
            let mut sum = flate2::Crc::new();
            sum.update(&stored);
            assert_eq!((stored.len(), sum.sum()), (len, crc), "level {level}");
        }
    }

    #[test]
    fn foreign_streams_have_no_level() {
        let mut stored = deflate(&text(), 6);
        let last = stored.len() - 1;
        stored[last] ^= 1;
        assert_eq!(infer_level(&stored, &text()), None);
        assert_eq!(infer_level(&[], &[]), None);
    }

    #[test]
    fn bytes_behind_a_stream_are_noticed() {
        let mut stored = deflate(&text(), 6);
        assert!(!is_followed(&stored, &text()));
        stored.extend_from_slice(b"more");
        let mut budget = Budget::new(Limits::for_len(0));
        let plain = inflate(&stored, text().len() as u64, Span::file(0, 0), &mut budget).unwrap();
        assert!(is_followed(&stored, &plain));
    }

    proptest! {
        #[test]
        fn inflating_a_deflated_text_gives_it_back(
            plain in proptest::collection::vec(any::<u8>(), 0..5000), level in 0_u8..=9,
        ) {
            let stored = deflate(&plain, level);
            let mut budget = Budget::new(Limits::for_len(0));
            let again = inflate(&stored, plain.len() as u64, Span::file(0, 0), &mut budget)?;
            prop_assert_eq!(again, plain);
        }
    }
}
