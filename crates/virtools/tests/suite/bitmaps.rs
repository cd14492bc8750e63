//! Bitmaps of chunks: each layout is written back as it was read, pictures are exact, damage is an error.

#[cfg(feature = "images")]
#[path = "bitmaps/files.rs"]
mod files;

use proptest::prelude::*;
use spelunk_core::{Budget, Limits, Space, Span};
use test_support::task::budget;
use virtools::chunk::bitmap::{
    AlphaPlane, Buffer, PlaneCoding, RawBitmap, ReaderAlpha, ReaderBitmap, Rgba, TaggedBitmap,
    image::ImageFormat,
};

fn at(bytes: &[u8]) -> Span {
    Span::new(Space::section("data"), 64, bytes.len() as u64)
}

fn words(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A buffer whose padding is garbage.
fn buffer(bytes: &[u8]) -> Vec<u8> {
    let mut out = words(&[bytes.len() as u32]);
    out.extend_from_slice(bytes);
    while !out.len().is_multiple_of(4) {
        out.push(0xA5);
    }
    out
}

/// Reads a bitmap with something behind it, and checks that it is written back.
macro_rules! reread {
    ($layout:ident, $bytes:expr, |$bitmap:ident| $check:expr) => {{
        let stored: Vec<u8> = $bytes;
        let more = [stored.as_slice(), b"more"].concat();
        let ($bitmap, consumed) = $layout::read(&more, at(&more), &mut budget(0)).unwrap();
        assert_eq!(consumed, stored.len());
        let mut written = Vec::new();
        $bitmap.write(&mut written);
        assert_eq!(written, stored);
        for len in (0..stored.len()).step_by(stored.len() / 64 + 1) {
            let error = $layout::read(&stored[..len], at(&stored), &mut budget(0)).unwrap_err();
            assert_eq!(error.code().id, "SP001", "{len}");
            assert_eq!(error.place().unwrap().space, Space::section("data"));
        }
        $check
    }};
}

/// Three pixels by two, a value for each plane and pixel: bottom row first.
fn raw(compression: u32, alpha: &[u8]) -> Vec<u8> {
    let head = [32, 3, 2, 0xFF00_0000, 0x00FF_0000, 0x0000_FF00, 0x0000_00FF, compression];
    let planes = [
        buffer(&[11, 12, 13, 1, 2, 3]),
        buffer(&[31, 32, 33, 21, 22, 23]),
        buffer(&[51, 52, 53, 41, 42, 43]),
        buffer(alpha),
    ];
    [words(&head), planes.concat()].concat()
}

#[test]
fn raw_planes_are_bottom_row_first_and_in_the_order_blue_green_red() {
    let expected = |alpha: [u8; 6]| {
        let colours =
            [[41, 21, 1], [42, 22, 2], [43, 23, 3], [51, 31, 11], [52, 32, 12], [53, 33, 13]];
        let pixels = colours.into_iter().zip(alpha).flat_map(|([r, g, b], a)| [r, g, b, a]);
        Some(Rgba::new(3, 2, pixels.collect()).unwrap())
    };
    // The high bits of the compression word mean nothing that is known.
    for compression in [0, 0x30] {
        reread!(RawBitmap, raw(compression, &[4, 5, 6, 1, 2, 3]), |bitmap| {
            assert_eq!(bitmap.decode(&mut budget(0)).unwrap(), expected([1, 2, 3, 4, 5, 6]));
        });
    }
    reread!(RawBitmap, raw(0, &[]), |bitmap| {
        assert_eq!(bitmap.decode(&mut budget(0)).unwrap(), expected([255; 6]));
    });
    reread!(RawBitmap, words(&[0]), |bitmap| {
        assert_eq!(bitmap.decode(&mut budget(0)).unwrap(), None);
    });
}

/// Bits for each pixel and masks tell about the picture in memory.
#[test]
fn raw_planes_are_read_whatever_the_masks_say() {
    let plain = raw(0, &[]);
    let (bitmap, _) = RawBitmap::read(&plain, at(&plain), &mut budget(0)).unwrap();
    let mut sixteen = plain.clone();
    sixteen[0] = 16;
    sixteen[12..28].copy_from_slice(&words(&[0x8000, 0x7C00, 0x03E0, 0x001F]));
    reread!(RawBitmap, sixteen, |other| {
        let pictures = [other, bitmap].map(|bitmap| bitmap.decode(&mut budget(0)).unwrap());
        assert_eq!(pictures[0], pictures[1]);
    });
}

#[test]
fn raw_planes_of_a_wrong_size_are_an_error_and_are_kept() {
    reread!(RawBitmap, raw(0, &[1, 2, 3]), |bitmap| {
        let error = bitmap.decode(&mut budget(0)).unwrap_err();
        assert_eq!((error.code().id, error.path().as_str()), ("VT060", "alpha"));
    });
    let mut large = raw(0, &[]);
    large[4..12].fill(0xFF);
    reread!(RawBitmap, large, |bitmap| {
        let error = bitmap.decode(&mut budget(0)).unwrap_err();
        assert_eq!((error.code().id, error.path().as_str()), ("VT060", "red"));
    });
    // With a compression that engines do not know there are no colours.
    let unknown = [words(&[32, 3, 2, 0, 0, 0, 0, 2]), buffer(&[1, 2, 3, 4, 5, 6])].concat();
    reread!(RawBitmap, unknown, |bitmap| {
        assert_eq!(bitmap.decode(&mut budget(0)).unwrap_err().code().id, "VT062");
    });
    let mut empty = raw(0, &[]);
    empty[4] = 0;
    reread!(RawBitmap, empty, |bitmap| {
        assert_eq!(bitmap.decode(&mut budget(0)).unwrap_err().code().id, "VT060");
    });
    let nothing = [words(&[32, 0, 9, 0, 0, 0, 0, 0]), words(&[0; 4])].concat();
    reread!(RawBitmap, nothing, |bitmap| {
        let picture = bitmap.decode(&mut budget(0)).unwrap().unwrap();
        assert_eq!((picture.width(), picture.height(), picture.pixels().len()), (0, 9, 0));
    });
}

#[test]
fn an_opaque_alpha_plane_can_be_left_out() {
    let opaque = Rgba::new(1, 2, vec![1, 2, 3, 255, 4, 5, 6, 255]).unwrap();
    let mut clear = opaque.clone();
    clear.pixels_mut()[3] = 254;
    for (picture, alpha, len) in [
        (&opaque, AlphaPlane::UnlessOpaque, 0),
        (&opaque, AlphaPlane::Always, 2),
        (&clear, AlphaPlane::UnlessOpaque, 2),
    ] {
        let bitmap = RawBitmap::from_rgba(picture, PlaneCoding::Plain, alpha).unwrap();
        assert_eq!(bitmap.image.as_ref().unwrap().alpha.bytes().len(), len);
        assert_eq!(bitmap.decode(&mut budget(0)).unwrap().as_ref(), Some(picture));
    }
}

#[test]
fn reader_bitmaps_keep_everything_whatever_their_kind() {
    let head = |kind| {
        let mut head = words(&[kind]);
        head.extend(b"tga\x7F");
        head.extend(words(&[0xBCA9_7223, 0x4857_8BCA]));
        head
    };
    let file = buffer(b"no image");
    reread!(ReaderBitmap, words(&[0]), |bitmap| assert!(bitmap.image.is_none()));
    reread!(ReaderBitmap, [head(1), file.clone()].concat(), |bitmap| {
        assert_eq!(bitmap.image.unwrap().alpha, ReaderAlpha::InFile);
    });
    let same = [head(2), file.clone(), words(&[1, 0xFFFF_FF80])].concat();
    reread!(ReaderBitmap, same, |bitmap| {
        assert_eq!(bitmap.image.unwrap().alpha, ReaderAlpha::Same(0xFFFF_FF80));
    });
    for distinct in [0, 2, u32::MAX] {
        let plane = [head(2), file.clone(), words(&[distinct]), buffer(b"seventh")].concat();
        reread!(ReaderBitmap, plane, |bitmap| {
            let ReaderAlpha::Plane { distinct: read, plane } = bitmap.image.unwrap().alpha else {
                panic!("no plane");
            };
            assert_eq!((read, plane.bytes()), (distinct, b"seventh".as_slice()));
        });
    }
    let unknown = [head(3), file].concat();
    let error = ReaderBitmap::read(&unknown, at(&unknown), &mut budget(0)).unwrap_err();
    assert_eq!((error.code().id, error.place()), ("VT061", Some(at(&unknown[..4]))));
}

#[test]
fn tagged_bitmaps_keep_both_sizes_and_know_their_tags() {
    reread!(TaggedBitmap, words(&[0, 0]), |bitmap| assert_eq!(bitmap.file(), None));
    let stored = |content: &[u8]| [words(&[77]), buffer(content)].concat();
    for (content, format, file) in [
        (b"CKJPGx".as_slice(), ImageFormat::Jpeg, b"x".as_slice()),
        (b"ckTgAxy", ImageFormat::Tga, b"xy"),
        (b"CKDIB(", ImageFormat::Dib, b"("),
        (b"CKDIBBM", ImageFormat::Bmp, b"BM"),
        (b"CKBMP", ImageFormat::Bmp, b""),
        (b"CKTIFF", ImageFormat::Tiff, b"F"),
        (b"CKGIF89", ImageFormat::Gif, b"89"),
        (b"ckpcx", ImageFormat::Pcx, b""),
        (b"CKXYZ", ImageFormat::Tga, b"CKXYZ"),
        (b"\0\0", ImageFormat::Tga, b"\0\0"),
    ] {
        reread!(TaggedBitmap, stored(content), |bitmap| {
            assert_eq!(bitmap.size, 77);
            assert_eq!(bitmap.file(), Some((format, file)));
        });
    }
}

#[cfg(not(feature = "images"))]
#[test]
fn without_the_feature_files_are_kept_and_not_decoded() {
    let stored = [words(&[6]), buffer(b"CKBMPx")].concat();
    reread!(TaggedBitmap, stored, |bitmap| {
        let error = bitmap.decode(&mut budget(0)).unwrap_err();
        assert_eq!((error.code().id, error.path().as_str()), ("VT065", "content"));
    });
}

#[path = "bitmaps/planes.rs"]
mod planes;

#[cfg(feature = "images")]
#[path = "bitmaps/images.rs"]
mod images;

proptest! {
    #[test]
    fn plain_planes_are_exact(
        (width, height, pixels) in (0_u32..20, 0_u32..20).prop_flat_map(|(width, height)| {
            let len = (width * height * 4) as usize;
            (Just(width), Just(height), prop::collection::vec(any::<u8>(), len))
        }),
        padding in any::<u8>(),
    ) {
        let picture = Rgba::new(width, height, pixels).unwrap();
        for alpha in [AlphaPlane::Always, AlphaPlane::UnlessOpaque] {
            let bitmap = RawBitmap::from_rgba(&picture, PlaneCoding::Plain, alpha).unwrap();
            assert_eq!(bitmap.decode(&mut budget(0)).unwrap().as_ref(), Some(&picture));
            let mut stored = Vec::new();
            bitmap.write(&mut stored);
            prop_assert_eq!(stored.len() % 4, 0);
            // The last plane ends with padding; in place of one of alpha may be the value that all of it has.
            let is_opaque = picture.pixels().iter().skip(3).step_by(4).all(|alpha| *alpha == 255);
            let has_alpha = alpha == AlphaPlane::Always || !is_opaque;
            if has_alpha && !(width * height).is_multiple_of(4) {
                *stored.last_mut().unwrap() = padding;
            }
            reread!(RawBitmap, stored, |read| {
                prop_assert_eq!(read.decode(&mut budget(0)).unwrap(), Some(picture.clone()));
            });
        }
    }

    /// Reading takes nothing but views, so any bytes will do; what is read is written back.
    #[test]
    fn no_dwords_do_harm(mut bytes in prop::collection::vec(any::<u8>(), 0..300), kind in 0_u8..4) {
        for first in [0, 1, 2, 4] {
            // Small numbers where sizes stand, so that more than the first of them is reached.
            for byte in bytes.iter_mut().skip(first).step_by(4) {
                *byte &= kind;
            }
            let mut written = Vec::new();
            let mut budget = Budget::new(Limits { memory: 1 << 16, ..Limits::for_len(0) });
            if let Ok((bitmap, len)) = RawBitmap::read(&bytes, at(&bytes), &mut budget) {
                bitmap.write(&mut written);
                prop_assert_eq!(&written, &bytes[..len]);
                let _ = bitmap.decode(&mut budget);
            }
            written.clear();
            if let Ok((bitmap, len)) = ReaderBitmap::read(&bytes, at(&bytes), &mut budget) {
                bitmap.write(&mut written);
                prop_assert_eq!(&written, &bytes[..len]);
                let _ = bitmap.decode(&mut budget);
            }
            written.clear();
            if let Ok((bitmap, len)) = TaggedBitmap::read(&bytes, at(&bytes), &mut budget) {
                bitmap.write(&mut written);
                prop_assert_eq!(&written, &bytes[..len]);
                let _ = bitmap.decode(&mut budget);
            }
        }
    }
}

#[test]
fn buffers_of_two_gibibytes_do_not_exist() {
    // Zeroed memory that is never touched costs nothing.
    let error = Buffer::new(vec![0; 1 << 31]).unwrap_err();
    assert_eq!(error.code().id, "SP002");
}
