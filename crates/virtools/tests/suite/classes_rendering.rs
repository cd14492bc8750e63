//! What materials, textures, 2D entities and sprites save, on chunks that were put together by hand.

use crate::common::class;

use class::{decode, fields, typed};
use spelunk_core::{Budget, Code, Limits};
use spelunk_fixtures::chunk::Chunk;
use virtools::{
    chunk::buffer::Header,
    class::{Value, bitmap::Bitmap, entity_2d::Entity2d, material, sprite, texture},
    codec::{Reference, Saved},
    codes,
};

fn material(sample: &Chunk) -> material::Material {
    let Value::Material(value) = typed(30, sample) else { panic!() };
    *value
}

fn texture(sample: &Chunk) -> texture::Texture {
    let Value::Texture(value) = typed(31, sample) else { panic!() };
    *value
}

fn entity(sample: &Chunk) -> Entity2d {
    let Value::Entity2d(value) = typed(27, sample) else { panic!() };
    *value
}

/// Pixels of a slot, as red, green, blue, alpha.
fn pixels(bitmap: &Bitmap, slot: usize) -> Option<Vec<u8>> {
    let mut budget = Budget::new(Limits::for_len(1 << 20));
    bitmap.rgba(slot, &mut budget).unwrap().map(|picture| picture.into_pixels())
}

#[test]
fn modes_and_flags_of_materials_are_taken_apart() {
    let sample = Chunk::object(30)
        .identifier(0x1000)
        .words(&[0xFF80_4020, 1, 2, 3])
        .floats(&[20.0])
        .object_ref(Some(7))
        .words(&[0x0102_0304, 0x1326_5321, 0x8007_0415])
        .identifier(0x2000)
        .object_ref(Some(1))
        .object_ref(None)
        .object_ref(Some(3))
        .identifier(0x4000)
        .word(4);
    let value = material(&sample);
    let data = value.data.unwrap();
    assert_eq!(material::rgba(data.diffuse), [0x80, 0x40, 0x20, 0xFF]);
    assert_eq!([data.ambient, data.specular, data.emissive], [1, 2, 3]);
    assert_eq!((data.specular_power, data.border_color), (20.0, 0x0102_0304));
    assert_eq!(data.texture, Reference::index(7));
    let modes = [data.texture_blend(), data.min_filter(), data.mag_filter()];
    assert_eq!(modes, [1, 2, 3]);
    assert_eq!((data.source_blend(), data.destination_blend()), (5, 6));
    assert_eq!((data.shade(), data.fill(), data.address()), (2, 3, 1));
    let compared = (data.z_function(), data.alpha_function(), data.alpha_reference());
    assert_eq!(compared, (4, 7, 0x80));
    assert!(data.has(0x01) && !data.has(0x02) && data.has(0x04) && data.has(0x10));
    assert_eq!(value.textures.unwrap()[1], Reference::null(true));
    assert_eq!(value.effect(), 4);
    let told = fields(30, &sample);
    assert!(told.iter().any(|(path, value)| path == "material.flags" && value == "0x80070415"));
}

#[test]
fn the_parameter_of_an_effect_stands_with_it() {
    let sample = Chunk::object(30).identifier(0x10000).object_ref(Some(9)).word(2);
    let value = material(&sample);
    assert_eq!(value.effect_parameter.unwrap().parameter, Reference::index(9));
    assert_eq!(value.effect(), 2);
}

#[test]
fn old_materials_have_a_number_for_each_channel() {
    let colors: Vec<f32> = (0_u8..16).map(f32::from).collect();
    // In the oldest chunks fixed dwords stand before references.
    for (data_version, chunk_version) in [(4, 7), (3, 5), (1, 3)] {
        for framed in [true, false] {
            let mut sample = Chunk::object(30).data_version(data_version).version(chunk_version);
            sample = sample.identifier(0x1000);
            for color in colors.chunks(4) {
                // Engines write the length of each colour.
                sample = if framed { sample.word(16) } else { sample };
                sample = sample.floats(color);
            }
            let sample = sample.floats(&[5.5]).object_ref(Some(2));
            let sample = sample.words(&[7, 4, 2, 1, 5, 6, 2, 3, 1, 0xFF00_00FF, 4]);
            old_material(&sample, framed);
        }
    }
    // A length that is no such.
    let sample = Chunk::object(30).data_version(4).identifier(0x1000).word(16).floats(&[1.0; 32]);
    assert_eq!(misfit(30, &sample), &codes::LAYOUT);
}

fn old_material(sample: &Chunk, framed: bool) {
    let value = material(sample);
    assert!(value.data.is_none());
    let old = value.old_data.unwrap();
    assert_eq!(old.framed, framed);
    assert_eq!(old.diffuse, [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(old.emissive, [12.0, 13.0, 14.0, 15.0]);
    assert_eq!((old.specular_power, old.texture), (5.5, Reference::index(2)));
    assert_eq!((old.flags, old.texture_blend, old.min_filter, old.mag_filter), (7, 4, 2, 1));
    assert_eq!((old.source_blend, old.destination_blend, old.shade), (5, 6, 2));
    assert_eq!((old.fill, old.address), (3, 1));
    assert_eq!((old.border_color, old.z_function), (0xFF00_00FF, 4));
}

/// A raw image of two rows of one pixel: the lower one blue 1, green 2, red 3, alpha 4.
fn raw(sample: Chunk) -> Chunk {
    sample
        .words(&[32, 1, 2, 0xFF00_0000, 0xFF_0000, 0xFF00, 0xFF, 0])
        .padded_buffer(&[1, 11], 0x6E)
        .buffer(&[2, 12])
        .buffer(&[3, 13])
        .buffer(&[4, 14])
}

const RAW: [u8; 8] = [13, 12, 11, 14, 3, 2, 1, 4];

#[test]
fn raw_images_are_stored_bottom_row_first() {
    let sample = Chunk::object(31).identifier(0x20000).word(2).word(0);
    let sample = raw(sample).identifier(0x10000).word(2).string(b"a.bmp").null_string();
    let value = texture(&sample);
    assert_eq!(value.bitmap.slots(), 2);
    assert_eq!(pixels(&value.bitmap, 0), None);
    assert_eq!(pixels(&value.bitmap, 1).unwrap(), RAW);
    assert_eq!(pixels(&value.bitmap, 2), None);
    let names = value.bitmap.file_names.unwrap();
    assert_eq!(names[0].text(), b"a.bmp");
    assert!(names[1].is_null());
}

#[test]
fn a_plane_of_another_size_is_an_error_and_no_panic() {
    let sample = Chunk::object(31)
        .identifier(0x20000)
        .word(1)
        .words(&[32, 1000, 2, 0, 0, 0, 0, 0])
        .buffer(&[1])
        .buffer(&[])
        .buffer(&[])
        .buffer(&[]);
    let value = texture(&sample);
    let mut budget = Budget::new(Limits::for_len(1 << 20));
    assert_eq!(value.bitmap.rgba(0, &mut budget).unwrap_err().code(), &codes::PLANE);
}

/// A TGA file of one pixel of 24 bits: blue 1, green 2, red 3.
const TGA: [u8; 21] = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 1, 2, 3];
const EXTENSION: u32 = u32::from_le_bytes(*b"tga\0");

fn reader(sample: Chunk, kind: u32) -> Chunk {
    sample.words(&[kind, EXTENSION]).guid((0xBCA9_7223, 0x4857_8BCA)).buffer(&TGA)
}

#[test]
fn image_files_may_have_alpha_apart() {
    let sample = Chunk::object(31).identifier(0x100000).words(&[4, 1, 1, 24]);
    let sample = reader(sample, 1).word(0);
    let sample = reader(sample, 2).words(&[1, 0x55]);
    let sample = reader(sample, 2).word(9).padded_buffer(&[0x66], 0x6E);
    let value = texture(&sample);
    let reader = value.bitmap.reader.as_ref().unwrap();
    assert_eq!((reader.width, reader.height, reader.bits_per_pixel), (1, 1, 24));
    assert_eq!(reader.images[3].as_ref().unwrap().alpha.as_ref().unwrap().distinct, 9);
    if cfg!(feature = "images") {
        assert_eq!(pixels(&value.bitmap, 0).unwrap(), [3, 2, 1, 255]);
        assert_eq!(pixels(&value.bitmap, 1), None);
        assert_eq!(pixels(&value.bitmap, 2).unwrap(), [3, 2, 1, 0x55]);
        assert_eq!(pixels(&value.bitmap, 3).unwrap(), [3, 2, 1, 0x66]);
    }
}

#[test]
fn old_images_stand_behind_a_tag() {
    let tagged = [b"ckTGA".as_slice(), &TGA].concat();
    let sample = Chunk::object(31)
        .identifier(0x1000)
        .string(b"film.avi")
        .identifier(0x4000)
        .words(&[2, tagged.len() as u32])
        .buffer(&tagged)
        .words(&[0, 0]);
    let value = texture(&sample);
    assert_eq!(value.bitmap.movie.as_ref().unwrap().text(), b"film.avi");
    if cfg!(feature = "images") {
        assert_eq!(pixels(&value.bitmap, 0).unwrap(), [3, 2, 1, 255]);
    }
    assert_eq!(pixels(&value.bitmap, 1), None);
}

/// A texture with so many named slots, and the words behind its flags.
fn flagged(slots: u32, flags: u32, words: &[u32]) -> texture::TextureData {
    let mut sample = Chunk::object(31).identifier(0x10000).word(slots);
    for _ in 0..slots {
        sample = sample.null_string();
    }
    for identifier in [0x2F_F000, 0xFF_F000] {
        let sample = sample.clone().identifier(identifier).word(flags).words(words);
        let value = texture(&sample);
        assert_eq!(value.texture.is_some(), identifier == 0x2F_F000);
        if identifier == 0xFF_F000 {
            return *value.data().unwrap();
        }
    }
    unreachable!()
}

#[test]
fn textures_leave_out_what_they_do_not_need() {
    let parts = |slots, flags, words: &[u32]| {
        let data = flagged(slots, flags, words);
        (data.transparent_color, data.current_slot, data.video_format)
    };
    let (color, slot, format) = (Some(7), Some(7), Some(7));
    assert_eq!(parts(1, 0, &[7, 7, 7]), (color, slot, format));
    assert_eq!(parts(2, 0x200, &[7, 7, 7]), (color, slot, format));
    assert_eq!(parts(1, 0x200, &[7, 7]), (color, None, format));
    assert_eq!(parts(2, 0x200, &[7, 7]), (None, slot, format));
    assert_eq!(parts(2, 0, &[7, 7]), (color, slot, None));
    assert_eq!(parts(1, 0x200, &[7]), (None, None, format));
    assert_eq!(parts(1, 0, &[7]), (color, None, None));
    assert_eq!(parts(2, 0, &[7]), (None, slot, None));
    assert_eq!(parts(1, 0, &[]), (None, None, None));
    let data = flagged(1, 0x0003_0305, &[0, 0, 0]);
    assert_eq!((data.mip_levels(), data.save_option()), (5, 3));
}

/// A record of reader properties.
fn properties(extension: &[u8; 4], more: &[u8]) -> Vec<u8> {
    let mut bytes = (72 + more.len() as u32).to_le_bytes().to_vec();
    bytes.extend([0xAA; 8]);
    bytes.extend(extension);
    bytes.extend([52_u32, 0, 64, 32].iter().flat_map(|word| word.to_le_bytes()));
    bytes.resize(72, 0x6E);
    bytes.extend(more);
    bytes
}

#[test]
fn properties_of_readers_tell_the_original_size() {
    let of = |bytes: &[u8]| {
        let sample = Chunk::object(31).identifier(0x80000).padded_buffer(bytes, 0x6E);
        texture(&sample).save_format.unwrap()
    };
    let format = of(&properties(b"bmp\0", &[24, 0, 0]));
    let head = format.head.as_ref().unwrap();
    assert_eq!((head.width.get(), head.height.get()), (64, 32));
    assert_eq!(format.extension(), b"bmp");
    assert_eq!(*format.options.items, [24, 0, 0]);
    // Longer records have the extension again, and some only there.
    let mut more = [0; 76];
    more[..4].copy_from_slice(b"tga\0");
    assert_eq!(of(&properties(&[0; 4], &more)).extension(), b"tga");
    // Too short for its head.
    let short = of(&[1, 2, 3, 4, 5]);
    assert!(short.head.is_none() && short.extension().is_empty());
    assert_eq!(*short.options.items, [1, 2, 3, 4, 5]);
    assert!(of(&[]).head.is_none());
}

#[test]
fn textures_may_hold_smaller_pictures() {
    let sample = Chunk::object(31).identifier(0x200000).word(3).identifier(0x400000).word(1);
    let value = texture(&raw(sample));
    assert_eq!(value.pick_threshold, Some(3));
    let mut budget = Budget::new(Limits::for_len(1 << 20));
    let levels = value.mip_maps.unwrap();
    let picture = levels[0].as_ref().unwrap().rgba(&mut budget).unwrap();
    assert_eq!(picture.pixels(), RAW);
}

#[test]
fn old_textures_have_sections_of_their_own() {
    let sample = Chunk::object(31)
        .data_version(4)
        .identifier(0x8000)
        .words(&[0xFF00FF, 1])
        .identifier(0x2000)
        .word(1)
        .identifier(0x40000)
        .word(3)
        .identifier(0x80000)
        .word(2)
        .buffer(&properties(b"bmp\0", &[]));
    let value = texture(&sample);
    assert!(value.save_format.is_none());
    assert_eq!(value.old_color, Some([0xFF00FF, 1]));
    assert_eq!(value.old_slot, Some(1));
    let mip = value.old_mip.unwrap();
    assert!(mip.levels == 3 && mip.description.is_none());
    let save = value.old_save.unwrap();
    assert_eq!((save.option, save.properties.extension()), (2, b"bmp".as_slice()));
    let sample = Chunk::object(31).data_version(4).identifier(0x40000).word(1).buffer(&[1, 2]);
    let description = texture(&sample).old_mip.unwrap().description.unwrap();
    assert_eq!(*description.items, [1, 2]);
    // What these identifiers mean from data version 5 on.
    for identifier in [0x200000, 0x400000, 0x800000] {
        let sample = Chunk::object(31).data_version(4).identifier(identifier).word(3);
        assert_eq!(decode(31, &sample).0.extras.unwrap().unknown.len(), 1);
    }
}

/// Engines take a longer section for one that has all of its numbers.
#[test]
fn flags_of_textures_may_be_followed_by_more_than_is_known() {
    let sample = Chunk::object(31).identifier(0x2F_F000).words(&[0x200, 0xFF00FF, 2, 6, 7, 8]);
    let (saved, _) = decode(31, &sample);
    let Value::Texture(value) = saved.value else { panic!() };
    let data = value.texture.unwrap();
    assert_eq!((data.transparent_color, data.current_slot), (Some(0xFF00FF), Some(2)));
    assert_eq!(data.video_format, Some(6));
    assert_eq!(saved.extras.unwrap().rests.len(), 1);
}

/// The number of names is that of the slots, whatever the number of pictures is.
#[test]
fn pictures_and_file_names_may_differ_in_number() {
    let sample = raw(Chunk::object(31).identifier(0x20000).word(1)).identifier(0x10000).word(3);
    let value = texture(&sample.string(b"a.bmp").null_string().null_string());
    assert_eq!((value.bitmap.slots(), value.bitmap.loaded_slots()), (3, 3));
    assert_eq!(pixels(&value.bitmap, 0).unwrap(), RAW);
    let sample = Chunk::object(31).identifier(0x20000).words(&[2, 0, 0]);
    let value = texture(&sample.identifier(0x10000).word(1).null_string());
    assert_eq!((value.bitmap.slots(), value.bitmap.loaded_slots()), (2, 1));
}

#[test]
fn flags_of_2d_entities_tell_what_follows() {
    let rectangle = [0.25, 0.5, 0.75, 1.0];
    let all = Chunk::object(27)
        .identifier(0x10F000)
        .word(0x7_0200)
        .floats(&rectangle)
        .floats(&[0.0, 0.0, 1.0, 0.5])
        .word(-2_i32 as u32)
        .object_ref(Some(4))
        .identifier(0x200000)
        .object_ref(Some(5));
    let value = entity(&all);
    let data = value.data.unwrap();
    assert_eq!((data.flags, data.rectangle), (0x7_0200, rectangle));
    assert_eq!(data.source, Some([0.0, 0.0, 1.0, 0.5]));
    assert_eq!((data.z_order, data.parent), (Some(-2), Some(Reference::index(4))));
    assert_eq!(value.material, Some(Reference::index(5)));
    let none = Chunk::object(27).identifier(0x10F000).word(0x200).floats(&rectangle);
    let data = entity(&none).data.unwrap();
    assert_eq!((data.source, data.z_order, data.parent), (None, None, None));
}

#[test]
fn old_2d_entities_have_a_section_for_each_number() {
    let sample = Chunk::object(27)
        .data_version(4)
        .identifier(0x4000)
        .word(0x48)
        .identifier(0x8000)
        .words(&[10, 20])
        .identifier(0x2000)
        .words(&[30, 40])
        .identifier(0x1000)
        .words(&[50, 60, 70, 80])
        .identifier(0x100000)
        .word(3);
    let value = entity(&sample);
    assert_eq!(value.old_flags, Some(0x48));
    assert_eq!((value.old_position, value.old_size), (Some([10, 20]), Some([30, 40])));
    assert_eq!((value.old_source_size, value.old_z_order), (Some([50, 60, 70, 80]), Some(3)));
    let told = |flags: u32| {
        let sample = Chunk::object(27).data_version(4).identifier(0x4000).word(flags);
        fields(27, &sample.identifier(0x8000).floats(&[0.5, 0.25])).pop().unwrap()
    };
    // With flag 0x200 places are parts of the screen, else pixels.
    assert_eq!(told(0x200), ("old_position.position[1]".into(), "0.25".into()));
    assert_eq!(told(0), ("old_position.position[1]".into(), 0.25_f32.to_bits().to_string()));
    // The material of 2D entities came with data version 5.
    let material = Chunk::object(27).data_version(4).identifier(0x20_0000).object_ref(Some(5));
    assert_eq!(decode(27, &material).0.extras.unwrap().unknown[0].identifier, 0x20_0000);
}

/// A sprite with every section.
fn sprite(class_id: u32) -> Chunk {
    let sample = Chunk::object(class_id)
        .identifier(0x10F000)
        .word(0x2_0000)
        .floats(&[0.0; 4])
        .word(1)
        .identifier(0x80000)
        .object_ref(Some(6))
        .identifier(0x200000)
        .string(b"film.avi")
        .identifier(0x10000000)
        .words(&[1, 1, 1, 24]);
    let sample = reader(sample, 1).identifier(0x800000).word(1);
    raw(sample)
        .identifier(0x40000)
        .words(&[1, 0, 0])
        .identifier(0x400000)
        .word(1)
        .string(b"a.tga")
        .identifier(0x20000)
        .words(&[0xFF00FF, 1])
        .identifier(0x10000)
        .word(0)
        .identifier(0x20000000)
        .word(2)
        .buffer(&properties(b"tga\0", &[]))
        .identifier(0x40000000)
        .word(7)
}

fn has_all(value: &sprite::Sprite) {
    assert_eq!(value.entity_2d.data.unwrap().z_order, Some(1));
    assert_eq!(value.entity_2d.material, None);
    assert_eq!(value.source, Some(Reference::index(6)));
    let bitmap = &value.bitmap;
    assert_eq!(bitmap.movie.as_ref().unwrap().text(), b"film.avi");
    assert!(bitmap.reader.as_ref().unwrap().images[0].is_some());
    assert!(bitmap.raw.as_ref().unwrap()[0].is_some());
    assert!(bitmap.old.as_ref().unwrap()[0].content.items.is_empty());
    assert_eq!(bitmap.file_names.as_ref().unwrap()[0].text(), b"a.tga");
    assert_eq!((value.color, value.current_slot), (Some([0xFF00FF, 1]), Some(0)));
    let save = value.save.as_ref().unwrap();
    assert_eq!((save.option, save.properties.extension()), (2, b"tga".as_slice()));
    assert_eq!(value.video_format, Some(7));
}

#[test]
fn sprites_have_pictures_under_identifiers_of_their_own() {
    let Value::Sprite(value) = typed(28, &sprite(28)) else { panic!() };
    has_all(&value);
}

#[test]
fn texts_are_sprites_with_letters() {
    let sample = sprite(29)
        .identifier(0x1000000)
        .string(b"Hello")
        .identifier(0x2000000)
        .string(b"Arial")
        .words(&[0, 1, 700, 12])
        .identifier(0x4000000)
        .words(&[0xFFFFFFFF, 0xFF000000]);
    let Value::SpriteText(value) = typed(29, &sample) else { panic!() };
    has_all(&value.sprite);
    assert_eq!(value.text.unwrap().text(), b"Hello");
    let font = value.font.unwrap();
    assert_eq!((font.name.text(), font.size, font.weight), (b"Arial".as_slice(), 12, 700));
    assert_eq!((font.italic, font.underline), (1, 0));
    let colors = value.colors.unwrap();
    assert_eq!((colors.font, colors.background), (0xFFFF_FFFF, 0xFF00_0000));
}

/// Where a weight stands tells which of two orders the numbers of a font have.
#[test]
fn fonts_are_underlined_first_unless_a_weight_tells_otherwise() {
    let font = |numbers: &[u32]| {
        let sample = Chunk::object(29).identifier(0x2000000).string(b"Arial").words(numbers);
        let told = fields(29, &sample);
        let told = ["size", "weight", "italic", "underline"].map(|name| {
            let path = format!("font.{name}");
            told.iter().find(|(told, _)| *told == path).unwrap().1.parse::<i32>().unwrap()
        });
        let Value::SpriteText(value) = typed(29, &sample) else { panic!() };
        let font = value.font.unwrap();
        assert_eq!([font.size, font.weight, font.italic, font.underline], told);
        (told, font.size_first)
    };
    assert_eq!(font(&[1, 0, 400, 12]), ([12, 400, 0, 1], false));
    assert_eq!(font(&[12, 400, 0, 1]), ([12, 400, 0, 1], true));
    assert_eq!(font(&[12, 1000, 1, 0]), ([12, 1000, 1, 0], true));
    // No weight that fonts have, or nothing that says yes or no behind it.
    for numbers in [[0, 1, 700, 200], [12, 99, 0, 1], [12, 1001, 0, 1], [0, 400, 2, 12], [0; 4]] {
        let [underline, italic, weight, size] = numbers.map(|number: u32| number as i32);
        assert_eq!(font(&numbers), ([size, weight, italic, underline], false));
    }
}

/// A section that is kept as it is, and what is wrong with it.
fn misfit(class_id: u32, sample: &Chunk) -> &'static Code {
    let (saved, faults) = decode(class_id, sample);
    assert_eq!(saved.extras.unwrap().unknown.len(), 1);
    let [fault] = faults.as_slice() else { panic!("{faults:?}") };
    fault.code()
}

#[test]
fn sections_that_do_not_fit_are_kept() {
    let short = Chunk::object(30).identifier(0x1000).words(&[1, 2, 3]);
    assert_eq!(misfit(30, &short), &codes::SECTION_END);
    let many = Chunk::object(31).identifier(0x10000).word(1_000_000).word(0);
    assert_eq!(misfit(31, &many), &codes::SECTION_END);
    let kind = Chunk::object(31).identifier(0x100000).words(&[1, 1, 1, 24, 3, 0, 0]);
    assert_eq!(misfit(31, &kind), &codes::BITMAP_KIND);
    let plane = Chunk::object(31).identifier(0x20000).words(&[1, 32, 1, 1, 0, 0, 0, 0, 0, 4]);
    assert_eq!(misfit(31, &plane), &codes::SECTION_END);
    let flagged = Chunk::object(27).identifier(0x10F000).word(0x1_0000).floats(&[0.0; 4]);
    assert_eq!(misfit(27, &flagged), &codes::SECTION_END);
    let font = Chunk::object(29).identifier(0x2000000).string(b"Arial").word(1);
    assert_eq!(misfit(29, &font), &codes::SECTION_END);
}

/// Identifiers of the sections of a chunk in a buffer, in their order.
fn identifiers(bytes: &[u8]) -> Vec<u32> {
    let words: Vec<u32> =
        bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    let (mut at, mut all) = (0, Vec::new());
    loop {
        all.push(words[2 + at]);
        match words[3 + at] as usize {
            0 => return all,
            next => at = next,
        }
    }
}

/// Engines write material, effect, and then the other textures, whether or not the effect has a parameter.
#[test]
fn materials_are_written_in_the_order_of_engines() {
    let data = material::MaterialData::default();
    let textures = Some([Reference::index(1), Reference::index(2), Reference::index(u32::MAX)]);
    let with = material::EffectParameter { parameter: Reference::index(3), effect: 2 };
    for (effect, effect_parameter, second) in
        [(Some(4), None, 0x4000), (None, Some(with), 0x1_0000)]
    {
        let made = material::Material {
            data: Some(data),
            effect,
            effect_parameter,
            textures,
            ..material::Material::default()
        };
        let value = Value::Material(Box::new(made));
        let mut saved = Saved::new(Header::object(30), value);
        let bytes = saved.write().unwrap().to_bytes().unwrap();
        assert_eq!(identifiers(&bytes), [0x1000, second, 0x2000]);
        // What is written so is read so, and another order that a file has stays.
        let sample = Chunk::object(30).identifier(0x2000).words(&[1, 2, !0]);
        let sample = match second {
            0x4000 => sample.identifier(second).word(4),
            _ => sample.identifier(second).words(&[3, 2]),
        };
        let sample = sample.identifier(0x1000).words(&[0; 5]).words(&[!0, 0, 0, 0]);
        assert_eq!(identifiers(&sample.build().bytes), [0x2000, second, 0x1000]);
        let read = material(&sample);
        assert_eq!((read.effect(), read.textures.is_some()), (effect.unwrap_or(2), true));
    }
}
