//! Image files put together by hand, each with the picture that it shows: no encoder has a part in them.

#![allow(dead_code)]

use virtools::chunk::bitmap::{Rgba, image::ImageFormat};

/// An image file and what it shows.
pub struct Handmade {
    pub name: &'static str,
    pub format: ImageFormat,
    pub bytes: Vec<u8>,
    pub picture: Rgba,
    /// Where width and height stand, and the rows of a strip, for tests that claim more.
    pub size_at: &'static [usize],
    /// Whether they stand there as 2 or 4 bytes.
    pub size_len: usize,
}

type Colour = [u8; 3];

const RED: Colour = [255, 0, 0];
const GREEN: Colour = [0, 255, 0];
const BLUE: Colour = [0, 0, 255];
const WHITE: Colour = [255; 3];
const BLACK: Colour = [0; 3];
const OTHER: Colour = [10, 20, 30];

/// Three pixels by two, top row first, as indices into a palette.
const PALETTE: [Colour; 6] = [RED, GREEN, BLUE, WHITE, BLACK, OTHER];
const TOP: [u8; 3] = [0, 1, 2];
const BOTTOM: [u8; 3] = [3, 4, 5];

fn shown(width: u32, colours: &[Colour]) -> Rgba {
    let pixels: Vec<u8> = colours.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]).collect();
    Rgba::new(width, colours.len() as u32 / width, pixels).unwrap()
}

fn bgr(colours: &[Colour]) -> Vec<u8> {
    colours.iter().flat_map(|[r, g, b]| [*b, *g, *r]).collect()
}

fn tga(
    name: &'static str,
    start: [u8; 8],
    bits: [u8; 2],
    content: &[&[u8]],
    picture: Rgba,
) -> Handmade {
    let mut bytes = start.to_vec();
    bytes.extend([0; 4]);
    bytes.extend([picture.width() as u8, 0, picture.height() as u8, 0]);
    bytes.extend(bits);
    bytes.extend(content.concat());
    let size_at = &[12, 14];
    Handmade { name, format: ImageFormat::Tga, bytes, picture, size_at, size_len: 2 }
}

fn tga_files() -> Vec<Handmade> {
    let plain = |kind| [0, 0, kind, 0, 0, 0, 0, 0];
    let mapped = |kind| [0, 1, kind, 0, 0, 6, 0, 24];
    let colours = || shown(3, &PALETTE);
    let greys = || shown(2, &[[7; 3], [9; 3], [7; 3], [7; 3]]);
    let palette = bgr(&PALETTE);
    let (top, bottom) = (bgr(&PALETTE[..3]), bgr(&PALETTE[3..]));
    let alpha = Rgba::new(2, 1, vec![255, 0, 0, 128, 0, 0, 255, 0]).unwrap();
    let runs: Vec<Colour> = [vec![BLUE; 130], vec![RED, GREEN], vec![OTHER; 3]].concat();
    let packed = [&[0xFF, 255, 0, 0, 0x81, 255, 0, 0], &[1][..], &bgr(&[RED, GREEN])].concat();
    vec![
        tga("tga1", mapped(1), [8, 0], &[&palette, &BOTTOM, &TOP], colours()),
        tga("tga2", plain(2), [24, 0], &[&bottom, &top], colours()),
        tga("tga2 top row first", plain(2), [24, 0x20], &[&top, &bottom], colours()),
        tga("tga2 with alpha", plain(2), [32, 8], &[&[0, 0, 255, 128, 255, 0, 0, 0]], alpha),
        tga(
            "tga2 of 16 bits",
            plain(2),
            [16, 1],
            &[&0x7C00_u16.to_le_bytes(), &0x03E0_u16.to_le_bytes(), &0x801F_u16.to_le_bytes()],
            shown(3, &[RED, GREEN, BLUE]),
        ),
        tga(
            "tga2 with a name",
            [4, 0, 2, 0, 0, 0, 0, 0],
            [24, 0],
            &[b"name", &bottom, &top],
            colours(),
        ),
        tga("tga3", plain(3), [8, 0], &[&[7, 7, 7, 9]], greys()),
        tga("tga9", mapped(9), [8, 0], &[&palette, &[2, 3, 4, 5, 0x80, 0, 1, 1, 2]], colours()),
        tga("tga10", plain(10), [24, 0], &[&packed, &[0x82], &bgr(&[OTHER])], shown(135, &runs)),
        tga("tga11", plain(11), [8, 0], &[&[0x82, 7, 0, 9]], greys()),
    ]
}

/// A BMP of rows as they are stored, bottom row first unless `height` is negative.
fn bmp(
    name: &'static str,
    (width, height): (i32, i32),
    (bits, compression): (u16, u32),
    palette: &[Colour],
    rows: &[&[u8]],
    colours: &[Colour],
) -> Handmade {
    let start = 54 + palette.len() * 4;
    let mut content = Vec::new();
    for row in rows {
        content.extend_from_slice(row);
        if compression == 0 {
            content.resize(content.len().next_multiple_of(4), 0xEE);
        }
    }
    let mut bytes = b"BM".to_vec();
    for word in [(start + content.len()) as u32, 0, start as u32, 40, width as u32, height as u32] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(1_u16.to_le_bytes());
    bytes.extend(bits.to_le_bytes());
    for word in [compression, content.len() as u32, 2835, 2835, palette.len() as u32, 0] {
        bytes.extend(word.to_le_bytes());
    }
    for [red, green, blue] in palette {
        bytes.extend([*blue, *green, *red, 0]);
    }
    bytes.extend(content);
    let picture = shown(width as u32, colours);
    Handmade { name, format: ImageFormat::Bmp, bytes, picture, size_at: &[18, 22], size_len: 4 }
}

fn bmp_files() -> Vec<Handmade> {
    let two = [OTHER, WHITE];
    let size = (3, 2);
    let (top, bottom) = (bgr(&PALETTE[..3]), bgr(&PALETTE[3..]));
    let words = |row: [u16; 3]| row.map(u16::to_le_bytes).concat();
    let with_zero =
        |row: &[Colour]| row.iter().flat_map(|[r, g, b]| [*b, *g, *r, 0]).collect::<Vec<u8>>();
    let run = [OTHER, OTHER, OTHER, OTHER];
    vec![
        bmp(
            "bmp1",
            size,
            (1, 0),
            &two,
            &[&[0b1010_0000], &[0b0110_0000]],
            &[OTHER, WHITE, WHITE, WHITE, OTHER, WHITE],
        ),
        bmp("bmp4", size, (4, 0), &PALETTE, &[&[0x34, 0x50], &[0x01, 0x20]], &PALETTE),
        bmp("bmp8", size, (8, 0), &PALETTE, &[&BOTTOM, &TOP], &PALETTE),
        bmp("bmp8 top row first", (3, -2), (8, 0), &PALETTE, &[&TOP, &BOTTOM], &PALETTE),
        bmp(
            "bmp16",
            size,
            (16, 0),
            &[],
            &[&words([0x7FFF, 0, 0x7FFF]), &words([0x7C00, 0x03E0, 0x001F])],
            &[RED, GREEN, BLUE, WHITE, BLACK, WHITE],
        ),
        bmp("bmp24", size, (24, 0), &[], &[&bottom, &top], &PALETTE),
        bmp(
            "bmp32",
            size,
            (32, 0),
            &[],
            &[&with_zero(&PALETTE[3..]), &with_zero(&PALETTE[..3])],
            &PALETTE,
        ),
        // A run of four; then a stretch of three with its padding byte and a run of one.
        bmp(
            "bmp rle8",
            (4, 2),
            (8, 1),
            &PALETTE,
            &[&[4, 5, 0, 0], &[0, 3, 0, 1, 2, 0, 1, 3, 0, 1]],
            &[&[RED, GREEN, BLUE, WHITE], run.as_slice()].concat(),
        ),
        // A run alternates between two colours; the stretch of three takes two bytes.
        bmp(
            "bmp rle4",
            (4, 2),
            (4, 2),
            &PALETTE,
            &[&[4, 0x35, 0, 0], &[0, 3, 0x01, 0x20, 1, 0x30, 0, 1]],
            &[RED, GREEN, BLUE, WHITE, WHITE, OTHER, WHITE, OTHER],
        ),
    ]
}

/// The same without the file header.
fn dib(bmp: &Handmade) -> Handmade {
    Handmade {
        name: "dib",
        format: ImageFormat::Dib,
        bytes: bmp.bytes[14..].to_vec(),
        picture: bmp.picture.clone(),
        size_at: &[4, 8],
        size_len: 4,
    }
}

fn pcx(
    name: &'static str,
    (bits, planes, line): (u8, u8, u8),
    palette: &[Colour],
    content: &[&[u8]],
    picture: Rgba,
) -> Handmade {
    let mut bytes = vec![10, 5, 1, bits, 0, 0, 0, 0];
    bytes.extend([picture.width() as u8 - 1, 0, picture.height() as u8 - 1, 0, 72, 0, 72, 0]);
    bytes.extend(palette.concat());
    bytes.resize(65, 0);
    bytes.extend([planes, line, 0, 1, 0]);
    bytes.resize(128, 0);
    bytes.extend(content.concat());
    let size_at = &[8, 10];
    Handmade { name, format: ImageFormat::Pcx, bytes, picture, size_at, size_len: 2 }
}

fn pcx_files() -> Vec<Handmade> {
    let colours = || shown(3, &PALETTE);
    let mut palette = vec![12];
    palette.extend(PALETTE.concat());
    palette.resize(769, 0);
    // Bytes from 192 on are counts, so 255 is written as a run of one.
    let plane_rows: [&[u8]; 6] = [
        &[0xC1, 255, 0, 0, 0],
        &[0, 0xC1, 255, 0, 0],
        &[0, 0, 0xC1, 255, 0],
        &[0xC1, 255, 0, 10, 0],
        &[0xC1, 255, 0, 20, 0],
        &[0xC1, 255, 0, 30, 0],
    ];
    vec![
        pcx("pcx24", (8, 3, 4), &[], &plane_rows, colours()),
        pcx("pcx8", (8, 1, 4), &[], &[&TOP, &[0], &BOTTOM, &[0], &palette], colours()),
        pcx("pcx8 with runs", (8, 1, 4), &[], &[&[0xC4, 5, 0xC3, 1, 2], &palette], {
            shown(4, &[OTHER, OTHER, OTHER, OTHER, GREEN, GREEN, GREEN, BLUE])
        }),
        pcx("pcx4", (4, 1, 2), &PALETTE, &[&[0x01, 0x20, 0x34, 0x50]], colours()),
        pcx("pcx2", (2, 1, 2), &PALETTE, &[&[0b0001_1000, 0]], shown(3, &[RED, GREEN, BLUE])),
        pcx("pcx1", (1, 1, 2), &[], &[&[0b0100_0000, 0]], shown(3, &[BLACK, WHITE, BLACK])),
        // The lowest bits of the indices first.
        pcx(
            "pcx of four planes",
            (1, 4, 2),
            &PALETTE,
            &[
                &[0b0100_0000, 0, 0b0010_0000, 0, 0, 0, 0, 0],
                &[0b1010_0000, 0, 0b1000_0000, 0, 0b0110_0000, 0, 0, 0],
            ],
            colours(),
        ),
    ]
}

/// GIF of 4 colours. A clear code after every two pixels keeps all codes 3 bits long.
fn gif() -> Handmade {
    let palette = [RED, GREEN, BLUE, WHITE];
    let codes = [4, 0, 1, 4, 2, 3, 4, 1, 0, 5];
    let mut bits = 0_u32;
    for (nth, code) in codes.into_iter().enumerate() {
        bits |= code << (3 * nth);
    }
    let mut bytes = b"GIF89a\x03\0\x02\0\x81\0\0".to_vec();
    bytes.extend(palette.concat());
    bytes.extend(b",\0\0\0\0\x03\0\x02\0\0\x02\x04");
    bytes.extend(bits.to_le_bytes());
    bytes.extend([0, b';']);
    let picture = shown(3, &[RED, GREEN, BLUE, WHITE, GREEN, RED]);
    let size_at = &[6, 8];
    Handmade { name: "gif", format: ImageFormat::Gif, bytes, picture, size_at, size_len: 2 }
}

/// TIFF of one strip behind its directory.
fn tiff(name: &'static str, big_endian: bool) -> Handmade {
    let half = |value: u16| if big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
    let word = |value: u32| if big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
    // Tag, value; all of them single halves, which stand at the start of the four bytes, but for the depth,
    // whose three halves stand behind the directory.
    let tags = [
        (256, 3),
        (257, 2),
        (258, 0),
        (259, 1),
        (262, 2),
        (273, 134),
        (277, 3),
        (278, 2),
        (279, 18),
        (284, 1),
    ];
    let mut bytes = if big_endian { b"MM\0*".to_vec() } else { b"II*\0".to_vec() };
    bytes.extend(word(8));
    bytes.extend(half(tags.len() as u16));
    for (tag, value) in tags {
        bytes.extend(half(tag));
        bytes.extend(half(3));
        if tag == 258 {
            bytes.extend(word(3));
            bytes.extend(word(128));
        } else {
            bytes.extend(word(1));
            bytes.extend(half(value));
            bytes.extend(half(0));
        }
    }
    bytes.extend(word(0));
    bytes.resize(128, 0);
    bytes.extend([half(8); 3].concat());
    bytes.extend(PALETTE.concat());
    let size_at = &[18, 30, 102];
    let picture = shown(3, &PALETTE);
    Handmade { name, format: ImageFormat::Tiff, bytes, picture, size_at, size_len: 2 }
}

/// All of them.
pub fn all() -> Vec<Handmade> {
    let mut all = tga_files();
    all.extend(bmp_files());
    all.extend(bmp_files().iter().map(dib));
    all.extend(pcx_files());
    all.extend([gif(), tiff("tiff", false), tiff("tiff, big-endian", true)]);
    all
}
