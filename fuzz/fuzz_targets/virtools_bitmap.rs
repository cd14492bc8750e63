//! Bitmaps of Virtools chunks: written back as they were read, decoded within the budget.
#![no_main]

use peak_alloc::PeakAlloc;
use spelunk_core::{Budget, Limits, Result, Span};
use virtools::chunk::bitmap::{
    AlphaPlane, PlaneCoding, RawBitmap, ReaderBitmap, Rgba, TaggedBitmap,
    image::{self, Encoding, ImageFormat},
};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Small, so that what does not ask is soon above it.
const LIMITS: Limits = Limits { memory: 2 << 20, ..Limits::for_len(8192) };

/// What decoders hold whatever the picture is: palettes, code tables, windows of zlib.
const TABLES: usize = 256 << 10;

const FORMATS: [ImageFormat; 8] = [
    ImageFormat::Tga,
    ImageFormat::Bmp,
    ImageFormat::Dib,
    ImageFormat::Jpeg,
    ImageFormat::Png,
    ImageFormat::Tiff,
    ImageFormat::Gif,
    ImageFormat::Pcx,
];

const LOSSLESS: [Encoding; 7] = [
    Encoding::Tga { run_lengths: false },
    Encoding::Tga { run_lengths: true },
    Encoding::Bmp,
    Encoding::Png,
    Encoding::Tiff,
    Encoding::Gif,
    Encoding::Pcx,
];

/// Reads a bitmap of a layout, writes it, and decodes it.
macro_rules! layout {
    ($layout:ident, $bytes:expr) => {{
        let at = Span::file(0, $bytes.len() as u64);
        if let Ok((bitmap, len)) = $layout::read($bytes, at, &mut Budget::new(LIMITS)) {
            let mut written = Vec::new();
            bitmap.write(&mut written);
            assert_eq!(written, &$bytes[..len]);
            decoded(|budget| bitmap.decode(budget));
        }
    }};
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    // The first byte says what the others are: a layout, or an image file of a format.
    let Some((what, bytes)) = data.split_first() else { return };
    let picture = match what % 11 {
        8 => return layout!(RawBitmap, bytes),
        9 => return layout!(ReaderBitmap, bytes),
        10 => return layout!(TaggedBitmap, bytes),
        format => {
            let format = FORMATS[usize::from(format)];
            decoded(|budget| image::decode(bytes, format, budget).map(Some))
        }
    };
    if let Some(picture) = picture.filter(|picture| picture.pixels().len() <= 1 << 14) {
        encoded(&picture, LOSSLESS[usize::from(what / 11 % 7)]);
    }
});

/// Decodes a picture. What it takes meanwhile is within the limits, and what stays charged is the picture.
fn decoded(decode: impl FnOnce(&mut Budget) -> Result<Option<Rgba>>) -> Option<Rgba> {
    let mut budget = Budget::new(LIMITS);
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let decoded = decode(&mut budget);
    let taken = ALLOCATOR.peak_usage().saturating_sub(before);
    assert!(taken <= LIMITS.memory as usize + TABLES, "{taken} bytes for {decoded:?}");
    let picture = decoded.ok().flatten();
    let kept = picture.as_ref().map_or(0, |picture| picture.pixels().len() as u64);
    assert_eq!(LIMITS.memory - budget.left().memory, kept, "{picture:?}");
    picture
}

/// A picture that can be encoded is the same one when it is decoded again.
fn encoded(picture: &Rgba, encoding: Encoding) {
    if let Ok(file) = image::encode(picture, encoding) {
        let again = decoded(|budget| image::decode(&file, encoding.format(), budget).map(Some));
        assert!(again.as_ref() == Some(picture), "{encoding:?}: {again:?} of {picture:?}");
    }
    let raw = RawBitmap::from_rgba(picture, PlaneCoding::Plain, AlphaPlane::UnlessOpaque).unwrap();
    let again = decoded(|budget| raw.decode(budget));
    assert!(again.as_ref() == Some(picture), "{again:?} of {picture:?}");
    let coding = PlaneCoding::Dct { quality: 85 };
    match RawBitmap::from_rgba(picture, coding, AlphaPlane::UnlessOpaque) {
        Ok(raw) => assert!(decoded(|budget| raw.decode(budget)).is_some(), "{picture:?}"),
        Err(_) => assert!(picture.pixels().is_empty(), "{picture:?}"),
    }
}
