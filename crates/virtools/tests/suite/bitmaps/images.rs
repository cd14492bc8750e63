//! Image files in bitmaps: decoded, made, refused.

use super::*;
use spelunk_core::{Class, Result};
use spelunk_fixtures::mutate;
use virtools::chunk::bitmap::{
    READERS,
    image::{self, Encoding},
    tag_of,
};

const LOSSLESS: [Encoding; 7] = [
    Encoding::Tga { run_lengths: false },
    Encoding::Tga { run_lengths: true },
    Encoding::Bmp,
    Encoding::Png,
    Encoding::Tiff,
    Encoding::Gif,
    Encoding::Pcx,
];

/// A soft picture that is different at each corner and in each channel.
fn soft(width: u32, height: u32) -> Rgba {
    let pixel = |x: u32, y: u32| {
        let (x, y) = (x * 200 / width, y * 200 / height);
        [x as u8 + 20, y as u8 + 40, ((x + y) / 2) as u8, 255]
    };
    let pixels = (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y)));
    Rgba::new(width, height, pixels.collect()).unwrap()
}

fn difference(one: &Rgba, other: &Rgba) -> u8 {
    assert_eq!((one.width(), one.height()), (other.width(), other.height()));
    let pairs = one.pixels().iter().zip(other.pixels());
    pairs.map(|(one, other)| one.abs_diff(*other)).max().unwrap()
}

#[test]
fn handmade_files_show_what_they_were_made_of() {
    for file in files::all() {
        let mut budget = budget(0);
        let before = budget.left().memory;
        let picture = image::decode(&file.bytes, file.format, &mut budget);
        let picture = picture.unwrap_or_else(|error| panic!("{}: {error}", file.name));
        assert_eq!(picture.pixels(), file.picture.pixels(), "{}", file.name);
        assert_eq!(picture, file.picture, "{}", file.name);
        let held = before - budget.left().memory;
        assert_eq!(held, picture.pixels().len() as u64, "{}", file.name);
        let told = ImageFormat::sniff(&file.bytes);
        let silent = matches!(file.format, ImageFormat::Tga | ImageFormat::Dib);
        assert_eq!(told, (!silent).then_some(file.format), "{}", file.name);
    }
}

#[test]
fn bitmaps_show_their_files() {
    for file in files::all() {
        let tag = tag_of(file.format).unwrap();
        let content = [tag.as_slice(), &file.bytes].concat();
        let stored = [words(&[content.len() as u32]), buffer(&content)].concat();
        reread!(TaggedBitmap, stored, |bitmap| {
            let shown = bitmap.decode(&mut budget(0)).unwrap().unwrap();
            assert_eq!(shown, file.picture, "{}", file.name);
        });
        let extension = match file.format {
            ImageFormat::Dib => b"DIB\0",
            _ => b"tga\0",
        };
        let head = [words(&[2]), extension.to_vec(), words(&[1, 2])].concat();
        let alpha = [words(&[1, 0x1_0000_0080_u64 as u32])].concat();
        let stored = [head, buffer(&file.bytes), alpha].concat();
        reread!(ReaderBitmap, stored, |bitmap| {
            let mut expected = file.picture.clone();
            expected.set_alpha(std::iter::repeat(0x80));
            assert_eq!(bitmap.decode(&mut budget(0)).unwrap(), Some(expected), "{}", file.name);
        });
    }
}

#[test]
fn alpha_stored_apart_is_top_row_first() {
    let bmp = files::all().into_iter().find(|file| file.name == "bmp24").unwrap();
    let head = [words(&[2]), b"bmp\0".to_vec(), words(&[0x614A_243F, 0x437B_3343])].concat();
    let with = |alpha: &[u8]| {
        [head.clone(), buffer(&bmp.bytes), words(&[alpha.len() as u32]), buffer(alpha)].concat()
    };
    reread!(ReaderBitmap, with(&[10, 20, 30, 40, 50, 60]), |bitmap| {
        let shown = bitmap.decode(&mut budget(0)).unwrap().unwrap();
        let rows: Vec<Vec<u8>> =
            shown.rows().map(|row| row.iter().skip(3).step_by(4).copied().collect()).collect();
        assert_eq!(rows, [[10, 20, 30], [40, 50, 60]]);
        let mut opaque = shown;
        opaque.set_alpha([255; 6]);
        assert_eq!(opaque, bmp.picture);
    });
    reread!(ReaderBitmap, with(&[10, 20]), |bitmap| {
        let mut budget = budget(0);
        let before = budget.left().memory;
        let error = bitmap.decode(&mut budget).unwrap_err();
        assert_eq!((error.code().id, error.path().as_str()), ("VT060", "alpha"));
        assert_eq!(budget.left().memory, before, "nothing is held");
    });
}

#[test]
fn a_file_of_unknown_format_is_told() {
    let head = [words(&[1]), b"dds\0".to_vec(), words(&[1, 2])].concat();
    reread!(ReaderBitmap, [head, buffer(b"DDS ")].concat(), |bitmap| {
        assert_eq!(bitmap.decode(&mut budget(0)).unwrap_err().code().id, "VT063");
    });
}

#[test]
fn small_files_that_claim_much_meet_the_limit() {
    let mut seen = 0;
    for mut file in files::all() {
        let side = 60_000_u32.to_le_bytes();
        for at in file.size_at.iter().copied() {
            let side: Vec<u8> = match file.name {
                "tiff, big-endian" => vec![side[1], side[0]],
                _ => side[..file.size_len].to_vec(),
            };
            file.bytes[at..at + file.size_len].copy_from_slice(&side);
        }
        if file.format == ImageFormat::Pcx {
            file.bytes[66..68].copy_from_slice(&60_002_u16.to_le_bytes());
        }
        let error = image::decode(&file.bytes, file.format, &mut budget(0)).unwrap_err();
        assert_eq!(error.code().class, Class::Limit, "{}: {error}", file.name);
        seen += 1;
    }
    let picture = soft(8, 8);
    let mut jpeg = image::encode(&picture, Encoding::Jpeg { quality: 85 }).unwrap();
    let frame = jpeg.windows(2).position(|marker| marker == [0xFF, 0xC0]).unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0xEA, 0x60, 0xEA, 0x60]);
    let error = image::decode(&jpeg, ImageFormat::Jpeg, &mut budget(0)).unwrap_err();
    assert_eq!(error.code().class, Class::Limit, "{error}");
    assert_eq!(seen, files::all().len());
}

/// Texts of a TIFF directory are as large as it says, and the decoder makes room for them at once.
#[test]
fn a_tiff_directory_cannot_ask_for_more_than_the_file() {
    let mut tiff = files::all().into_iter().find(|file| file.name == "tiff").unwrap().bytes;
    tiff[12..18].copy_from_slice(&[2, 0, 0, 0, 0, 15]);
    let error = image::decode(&tiff, ImageFormat::Tiff, &mut budget(0)).unwrap_err();
    assert_eq!(error.code().id, "VT064");
    assert_eq!(error.found_value().to_string(), "251658240 bytes of them");
    tiff[2] = 43;
    let error = image::decode(&tiff, ImageFormat::Tiff, &mut budget(0)).unwrap_err();
    assert_eq!(error.code().id, "VT063");
}

#[test]
fn jpegs_are_near() {
    let picture = soft(45, 31);
    for (quality, tolerance) in [(100, 4), (85, 10)] {
        let file = image::encode(&picture, Encoding::Jpeg { quality }).unwrap();
        let decoded = image::decode(&file, ImageFormat::Jpeg, &mut budget(0)).unwrap();
        let difference = difference(&decoded, &picture);
        assert!(difference <= tolerance, "{difference} at {quality}");
    }
}

#[test]
fn what_a_format_cannot_hold_is_refused() {
    let clear = Rgba::new(1, 1, vec![1, 2, 3, 4]).unwrap();
    let empty = Rgba::new(0, 5, Vec::new()).unwrap();
    let wide = Rgba::new(70_000, 1, vec![255; 280_000]).unwrap();
    let colourful = (0..257).flat_map(|n: u32| [n as u8, (n >> 8) as u8, 7, 255]).collect();
    let colourful = Rgba::new(257, 1, colourful).unwrap();
    let code = |picture: &Rgba, encoding| {
        image::encode(picture, encoding).map_err(|error| error.code().id).map(|_| ())
    };
    for encoding in LOSSLESS.into_iter().chain([Encoding::Jpeg { quality: 85 }]) {
        let kept = if encoding.holds_alpha() { Ok(()) } else { Err("VT066") };
        assert_eq!(code(&clear, encoding), kept, "{encoding:?}");
        assert_eq!(code(&empty, encoding), Err("VT066"), "{encoding:?}");
        let any_size = matches!(encoding, Encoding::Bmp | Encoding::Png | Encoding::Tiff);
        let kept = if any_size { Ok(()) } else { Err("VT066") };
        assert_eq!(code(&wide, encoding), kept, "{encoding:?}");
    }
    assert_eq!(code(&colourful, Encoding::Gif), Err("VT066"));
    assert_eq!(Rgba::new(2, 2, vec![0; 15]).unwrap_err().code().id, "VT067");
    let (bmp, png) = (&READERS[0], Encoding::Png);
    assert_eq!(ReaderBitmap::from_rgba(&clear, bmp, png).unwrap_err().code().id, "VT066");
    assert_eq!(TaggedBitmap::from_rgba(&clear, png).unwrap_err().code().id, "VT066");
}

/// TGA files as old readers expect them: bottom row first, packets that end with their row.
#[test]
fn tga_files_are_made_like_this() {
    let row = [[9, 9, 9, 255], [9, 9, 9, 255], [1, 2, 3, 255]].concat();
    let picture = Rgba::new(3, 2, [row.clone(), row].concat()).unwrap();
    let expected = |kind, row: &[u8]| {
        let head = [0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 2, 0, 24, 0];
        [head.as_slice(), row, row].concat()
    };
    let plain = image::encode(&picture, Encoding::Tga { run_lengths: false }).unwrap();
    assert_eq!(plain, expected(2, &[9, 9, 9, 9, 9, 9, 3, 2, 1]));
    let packed = image::encode(&picture, Encoding::Tga { run_lengths: true }).unwrap();
    assert_eq!(packed, expected(10, &[0x81, 9, 9, 9, 0, 3, 2, 1]));
}

#[test]
fn no_mutation_panics_or_takes_more_than_its_budget() {
    let picture = soft(19, 13);
    let encoded = LOSSLESS.into_iter().chain([Encoding::Jpeg { quality: 60 }]);
    // 247 pixels, so that GIF takes it, too.
    let encoded =
        encoded.map(|encoding| (encoding.format(), image::encode(&picture, encoding).unwrap()));
    let all = files::all().into_iter().map(|file| (file.format, file.bytes)).chain(encoded);
    let limits = Limits::for_len(0).with_memory(4 << 20);
    let (mut shown, mut refused) = (0, 0);
    for (format, bytes) in all {
        for seed in 0..1500 {
            for damaged in [mutate::mutate(&bytes, seed), mutate::mutate_header(&bytes, seed)] {
                let mut budget = Budget::new(limits);
                match image::decode(&damaged, format, &mut budget) {
                    Ok(picture) => {
                        shown += 1;
                        let held = picture.pixels().len() as u64;
                        assert_eq!(limits.memory - budget.left().memory, held);
                    }
                    Err(_) => {
                        refused += 1;
                        assert_eq!(limits.memory, budget.left().memory);
                    }
                }
            }
        }
    }
    assert!(shown > 30_000 && refused > 30_000, "{shown} shown, {refused} refused");
}

fn pictures(opaque: bool) -> impl Strategy<Value = Rgba> {
    // Few colours, so that there are runs and GIF takes them.
    (1_u32..200, 1_u32..6, prop::collection::vec(any::<[u8; 4]>(), 1..9)).prop_flat_map(
        move |(width, height, colours)| {
            let count = (width * height) as usize;
            let run = (0..colours.len(), 1_usize..40);
            prop::collection::vec(run, count).prop_map(move |runs| {
                let runs = runs.iter().flat_map(|(nth, len)| vec![colours[*nth]; *len]);
                let solid = |mut pixel: [u8; 4]| {
                    pixel[3] |= if opaque { 255 } else { 0 };
                    pixel
                };
                let pixels = runs.take(count).flat_map(solid).collect();
                Rgba::new(width, height, pixels).unwrap()
            })
        },
    )
}

fn exact(picture: &Rgba, encoding: Encoding) -> Result<()> {
    let file = image::encode(picture, encoding)?;
    let decoded = image::decode(&file, encoding.format(), &mut budget(0))?;
    assert_eq!(decoded.pixels(), picture.pixels(), "{encoding:?}");
    assert_eq!(&decoded, picture, "{encoding:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn lossless_files_are_exact(solid in pictures(true), clear in pictures(false)) {
        for encoding in LOSSLESS {
            exact(&solid, encoding).unwrap();
            if encoding.holds_alpha() {
                exact(&clear, encoding).unwrap();
            }
            let tagged = TaggedBitmap::from_rgba(&solid, encoding);
            prop_assert_eq!(tagged.is_ok(), encoding != Encoding::Png);
            if let Ok(tagged) = tagged {
                prop_assert_eq!(tagged.size as usize, tagged.content.bytes().len());
                assert_eq!(tagged.decode(&mut budget(0)).unwrap().as_ref(), Some(&solid));
            }
            for reader in READERS.iter().filter(|reader| reader.format == encoding.format()) {
                let bitmap = ReaderBitmap::from_rgba(&clear, reader, encoding).unwrap();
                assert_eq!(bitmap.decode(&mut budget(0)).unwrap().as_ref(), Some(&clear));
                let mut stored = Vec::new();
                bitmap.write(&mut stored);
                reread!(ReaderBitmap, stored, |read| prop_assert_eq!(read, bitmap));
            }
        }
    }
}
