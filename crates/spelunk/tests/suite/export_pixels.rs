//! Textures of packs as PNG, DDS and KTX2, read by other libraries.

#![cfg(feature = "images")]

use spelunk::{
    Bytes, Opened, Options, Result, Severity, TypeNames,
    models::export::{
        self, OutputFile,
        pixels::{self, TextureFileFormat},
        textures,
    },
};
use spelunk_fixtures::{
    corpus,
    samples::{
        self,
        textures::{FORMATS, SIZE, TextureFormat, mip_sizes, pixels as stored, quarter, texture},
    },
    snpak as fixture,
};
use std::sync::Arc;
use test_support::findings::codes;

fn open(bytes: Vec<u8>) -> Opened {
    Opened::open(Arc::new(Bytes::from(bytes)), &Options::default()).expect("a pack")
}

fn export(opened: &mut Opened, kind: TextureFileFormat, paths: &[&str]) -> Result<Vec<OutputFile>> {
    let options = export::Options {
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        ..export::Options::default()
    };
    with(opened, kind, &options)
}

fn with(
    opened: &mut Opened,
    kind: TextureFileFormat,
    options: &export::Options,
) -> Result<Vec<OutputFile>> {
    let mut made = Vec::new();
    let count = pixels::export(opened, options, kind, &mut |file| {
        made.push(file);
        Ok(())
    })?;
    assert_eq!(count, made.len());
    Ok(made)
}

fn sample() -> Opened {
    open(samples::textures::textures_pack().build().bytes)
}

fn format_of(made: &OutputFile) -> &'static TextureFormat {
    let name = made.name.strip_prefix("textures/").and_then(|name| name.split('.').next());
    FORMATS.iter().find(|format| Some(format.name) == name).expect("a format")
}

/// The mips that a file has to hold: `rgb8` lacks the fourth, and ends before it.
fn mips(format: &TextureFormat) -> Vec<(u32, u32)> {
    let mut sizes = mip_sizes(SIZE);
    if format.name == "rgb8" {
        sizes.truncate(3);
    }
    sizes
}

/// The colour that a picture has at a pixel, without the channels that the format lacks.
fn wanted(format: &TextureFormat, at: (u32, u32)) -> [u8; 3] {
    let (wide, high) = format.block;
    let centre = (at.0 / wide * wide + wide / 2, at.1 / high * high + high / 2);
    let [r, g, b] = quarter(centre, SIZE);
    // The first pixel of a block is black in those that are made of two colours.
    let dotted = ["bc1", "bc3", "bc4", "bc5", "bc7"].contains(&format.name);
    let dot = dotted && at.0.is_multiple_of(wide) && at.1.is_multiple_of(high);
    match format.name {
        _ if dot => [0; 3],
        "r8" | "bc4" => [r, r, r],
        "rg8" | "bc5" => [r, g, 0],
        _ => [r, g, b],
    }
}

#[test]
fn pictures_are_decoded_pixel_by_pixel() {
    let mut opened = sample();
    let made = export(&mut opened, TextureFileFormat::Png, &[]).unwrap();
    assert_eq!(made.len(), FORMATS.len());
    for file in &made {
        let picture = image::load_from_memory(&file.content).expect("a PNG file").to_rgba8();
        assert_eq!(picture.dimensions(), SIZE);
        let format = format_of(file);
        for (x, y, pixel) in picture.enumerate_pixels() {
            let wanted = wanted(format, (x, y));
            let near = pixel.0.iter().zip(wanted).all(|(is, wanted)| is.abs_diff(wanted) <= 1);
            assert!(near, "{} at {x}, {y}: {pixel:?}, not {wanted:?}", file.name);
        }
    }
    let codes = codes(opened.findings());
    assert_eq!(codes, ["SN124", "SP102"], "a mip is missing, and BC6H is cut to white");
}

#[test]
fn each_mip_is_a_picture_where_that_is_asked_for() {
    let paths = vec!["textures/rgb8".to_owned(), "*/BC7".to_owned()];
    let options = export::Options { paths, mips: true, ..export::Options::default() };
    let made = with(&mut sample(), TextureFileFormat::Png, &options).unwrap();
    let names: Vec<&str> = made.iter().map(|file| file.name.as_str()).collect();
    let bc7 = (0..6).map(|level| format!("textures/bc7.mip{level}.png"));
    let rgb8 = [0, 1, 2, 4, 5].map(|level| format!("textures/rgb8.mip{level}.png"));
    assert_eq!(names, rgb8.into_iter().chain(bc7).collect::<Vec<_>>());
    let size =
        |file: &OutputFile| image::load_from_memory(&file.content).unwrap().to_rgba8().dimensions();
    assert_eq!(size(&made[3]), (3, 2));
}

#[test]
fn the_exporter_of_textures_takes_packs_too() {
    let options = export::Options { paths: vec!["textures/r8".into()], ..Default::default() };
    let made = textures::export(&mut sample(), &options).unwrap();
    assert_eq!(made, export(&mut sample(), TextureFileFormat::Png, &["textures/r8"]).unwrap());
}

#[test]
fn dds_files_are_read_by_another_library() {
    let mut opened = sample();
    let made = export(&mut opened, TextureFileFormat::Dds, &[]).unwrap();
    assert_eq!(made.len(), FORMATS.len() - 9, "all but ASTC");
    let refused = opened.findings().findings.iter().filter(|it| it.severity == Severity::Error);
    assert_eq!(refused.filter(|it| it.error.code().id == "SP100").count(), 9);
    for file in &made {
        let format = format_of(file);
        let dds = ddsfile::Dds::read(file.content.as_slice()).expect("a DDS file");
        assert_eq!((dds.get_width(), dds.get_height()), SIZE);
        let sizes = mips(format);
        assert_eq!(dds.get_num_mipmap_levels(), sizes.len() as u32, "{}", file.name);
        let data: Vec<u8> = sizes.iter().flat_map(|size| stored(format, *size)).collect();
        assert_eq!(dds.data, data, "{}", file.name);
        let told = (dds.get_d3d_format(), dds.get_dxgi_format());
        use ddsfile::{D3DFormat, DxgiFormat};
        match format.name {
            "rgba8" => assert_eq!(told.0, Some(D3DFormat::A8B8G8R8)),
            "rgb8" => {
                let masks = &dds.header.spf;
                let masks = [masks.r_bit_mask, masks.g_bit_mask, masks.b_bit_mask];
                assert_eq!(masks, [Some(0xFF), Some(0xFF00), Some(0xFF_0000)]);
            }
            "r8" => {
                let told = &dds.header.spf;
                assert!(told.flags.contains(ddsfile::PixelFormatFlags::LUMINANCE));
                assert_eq!(told.rgb_bit_count, Some(8));
                assert_eq!(
                    file.content[92..96],
                    [0xFF, 0, 0, 0],
                    "the mask, which it does not read"
                );
            }
            "rg8" => assert_eq!(told.1, Some(DxgiFormat::R8G8_UNorm)),
            "bc1" => assert_eq!(told.0, Some(D3DFormat::DXT1)),
            "bc3" => assert_eq!(told.0, Some(D3DFormat::DXT5)),
            "bc4" => assert_eq!(told.1, Some(DxgiFormat::BC4_UNorm)),
            "bc5" => assert_eq!(told.1, Some(DxgiFormat::BC5_UNorm)),
            "bc6h" => assert_eq!(told.1, Some(DxgiFormat::BC6H_UF16)),
            "bc7" => assert_eq!(told.1, Some(DxgiFormat::BC7_UNorm_sRGB)),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn ktx2_files_are_read_by_another_library() {
    let made = export(&mut sample(), TextureFileFormat::Ktx2, &[]).unwrap();
    assert_eq!(made.len(), FORMATS.len());
    for file in &made {
        let format = format_of(file);
        let reader = ktx2::Reader::new(&file.content).expect("a KTX2 file");
        let header = reader.header();
        assert_eq!((header.pixel_width, header.pixel_height), SIZE);
        let levels: Vec<_> = reader.levels().collect();
        let sizes = mips(format);
        assert_eq!(levels.len(), sizes.len(), "{}", file.name);
        for (level, size) in levels.iter().zip(&sizes) {
            assert_eq!(level.data, stored(format, *size), "{} {size:?}", file.name);
        }
        // Levels lie from the smallest to the largest, each at a multiple of its blocks and of four.
        let index = file.content[80..80 + 24 * levels.len()].chunks(24);
        let places: Vec<u64> =
            index.map(|level| u64::from_le_bytes(level[..8].try_into().unwrap())).collect();
        assert!(places.windows(2).all(|pair| pair[0] > pair[1]), "{}", file.name);
        let block = stored(format, (1, 1)).len() as u64;
        assert!(places.iter().all(|at| at % block == 0 && at % 4 == 0), "{}", file.name);
        assert_eq!(reader.writer(), Some("spelunk\0"), "texts end with a NUL");
        let [wide, high] = [format.block.0, format.block.1];
        let wanted = match format.name {
            "rgba8" => "R8G8B8A8_UNORM".to_owned(),
            "rgb8" => "R8G8B8_UNORM".to_owned(),
            "r8" => "R8_UNORM".to_owned(),
            "rg8" => "R8G8_UNORM".to_owned(),
            "bc1" => "BC1_RGBA_UNORM_BLOCK".to_owned(),
            "bc6h" => "BC6H_UFLOAT_BLOCK".to_owned(),
            "bc7" => "BC7_SRGB_BLOCK".to_owned(),
            bc if bc.starts_with("bc") => format!("{}_UNORM_BLOCK", bc.to_uppercase()),
            hdr if hdr.starts_with("astchdr") => format!("ASTC_{wide}x{high}_SFLOAT_BLOCK"),
            _ => format!("ASTC_{wide}x{high}_UNORM_BLOCK"),
        };
        let stated = header.format.expect("a format");
        assert_eq!(format!("{stated:?}"), wanted, "{}", file.name);
        // That library makes descriptors of its own.
        let (basic, type_size) = ktx2::dfd::Basic::from_format(stated).expect("a descriptor");
        assert_eq!(reader.basic_dfd(), Some(&basic), "{}", file.name);
        assert_eq!(header.type_size, type_size);
    }
}

#[test]
fn mips_that_claim_more_bytes_than_there_are_numbers_are_refused() {
    let mut asset = texture(0, FORMATS.iter().find(|it| it.name == "rgba8").unwrap());
    asset.data[..8].copy_from_slice(&[255; 8]);
    let mut file = fixture::Pack { assets: vec![asset], ..fixture::Pack::default() }.build();
    for level in 0..3 {
        let side = u64::from(u32::MAX >> level);
        let len = side.saturating_mul(side).saturating_mul(4);
        file.poke(&format!("index[0].tables.bulk[{level}].plain_size"), &len.to_le_bytes());
    }
    fixture::rehash(&mut file);
    // A picture is one mip, whose chunk tells another size; files of all mips are not even begun.
    let refused = |kind| export(&mut open(file.bytes.clone()), kind, &[]).unwrap_err().code().class;
    assert_eq!(refused(TextureFileFormat::Png), spelunk::Class::Malformed);
    assert_eq!(refused(TextureFileFormat::Dds), spelunk::Class::Limit);
    assert_eq!(refused(TextureFileFormat::Ktx2), spelunk::Class::Limit);
}

#[test]
fn what_cannot_be_exported_is_told() {
    let code = |result: Result<Vec<OutputFile>>| result.expect_err("an error").code().id;
    assert_eq!(code(export(&mut sample(), TextureFileFormat::Dds, &["textures/astc4x4"])), "SP100");
    let several =
        export(&mut sample(), TextureFileFormat::Dds, &["textures/astc4x4", "textures/astc5x5"]);
    assert_eq!(several.unwrap_err().found_value().to_string(), "no texture can be exported");
    let absent = spelunk::open::codes::core::NOT_FOUND.id;
    assert_eq!(code(export(&mut sample(), TextureFileFormat::Png, &["textures/none"])), absent);
    let forest = || open(samples::pack().build().bytes);
    assert_eq!(code(export(&mut forest(), TextureFileFormat::Png, &["levels/*"])), "SP071");
    let level = || open(samples::level().build().bytes);
    assert_eq!(code(export(&mut level(), TextureFileFormat::Dds, &[])), "SP070");

    // ASTC of the HDR profile is not decoded: the picture is magenta, and that is told.
    let mut hdr = texture(0, FORMATS.iter().find(|it| it.name == "astchdr4x4").unwrap());
    hdr.bulk[0].data[1] |= 2;
    let pack = fixture::Pack { assets: vec![hdr], ..fixture::Pack::default() };
    let mut opened = open(pack.build().bytes);
    let made = export(&mut opened, TextureFileFormat::Png, &[]).unwrap();
    let picture = image::load_from_memory(&made[0].content).unwrap().to_rgba8();
    assert_eq!(picture.get_pixel(0, 0).0, [255, 0, 255, 255]);
    assert_eq!(picture.get_pixel(4, 0).0, [255, 0, 0, 255]);
    assert_eq!(opened.findings().findings[0].error.code().id, "SP101");
}

#[test]
fn damage_of_one_texture_leaves_the_others() {
    let mut pack = samples::textures::textures_pack();
    pack.assets[4].data[0] = 0;
    let mut opened = open(pack.build().bytes);
    let made = export(&mut opened, TextureFileFormat::Ktx2, &[]).unwrap();
    assert_eq!(made.len(), FORMATS.len() - 1);
    assert!(opened.findings().findings.iter().any(|it| it.error.code().id == "SN121"));
}

/// Blocks that make no sense are decoded to something, and never end the work.
#[test]
fn noise_is_a_picture() {
    let mut noise = 0x9E37_79B9_u32;
    let mut next = || {
        noise ^= noise << 13;
        noise ^= noise >> 17;
        noise ^= noise << 5;
        noise as u8
    };
    let mut pack = samples::textures::textures_pack();
    for asset in &mut pack.assets {
        asset.bulk.iter_mut().flat_map(|bulk| &mut bulk.data).for_each(|byte| *byte = next());
    }
    let options = export::Options { mips: true, ..export::Options::default() };
    let made = with(&mut open(pack.build().bytes), TextureFileFormat::Png, &options).unwrap();
    assert_eq!(made.len(), FORMATS.len() * 6 - 1);
}

#[test]
fn textures_of_types_of_ones_own_are_exported_by_their_shape_and_chosen_by_their_kind() {
    let Some(files) = corpus::files("snpak", &["snpak"]) else { return };
    let file =
        files.into_iter().find(|file| file.name.starts_with("20_textures")).expect("pack 20");
    let names = "7e070000-0000-0000-0000-000000000001 GameTexture\n";
    let mut budget = spelunk::Budget::new(spelunk::Limits::unlimited());
    let types = Some(Arc::new(TypeNames::parse(names.as_bytes(), &mut budget).unwrap()));
    let options = Options { types, ..Options::default() };
    let source = Arc::new(Bytes::from(file.bytes.to_vec()));
    let mut opened = Opened::open(source, &options).unwrap();
    let paths = vec!["gametexture/*t[0-3]".to_owned()];
    let shape = Some("rgba8:128x128".parse().unwrap());
    let options = export::Options { paths, shape, ..export::Options::default() };
    for kind in [TextureFileFormat::Png, TextureFileFormat::Dds, TextureFileFormat::Ktx2] {
        let made = with(&mut opened, kind, &options).unwrap();
        assert_eq!(made.len(), 4);
        if kind == TextureFileFormat::Png {
            let picture = image::load_from_memory(&made[0].content).unwrap().to_rgba8();
            // Smooth gradients: neighbours hardly differ but at few edges.
            let rough = picture.rows().flat_map(|row| {
                let row: Vec<_> = row.map(|pixel| pixel.0[0]).collect();
                row.windows(2).map(|pair| pair[0].abs_diff(pair[1])).collect::<Vec<_>>()
            });
            let (rough, all) = rough.fold((0, 0), |(n, all), d| (n + u32::from(d > 8), all + 1));
            assert!(rough * 20 < all, "{rough} of {all}");
        }
    }
    assert!(opened.findings().findings.is_empty());
}
