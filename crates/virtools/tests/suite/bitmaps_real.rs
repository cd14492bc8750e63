//! The raw bitmaps of real textures, beside what an independent decoder made of them.

use spelunk_core::{Budget, Bytes, Limits, Span, Strict, Task};
use spelunk_fixtures::corpus;
use test_support::json::truth;
use virtools::{
    File,
    chunk::bitmap::{AlphaPlane, PlaneCoding, RawBitmap},
};

const CK_TEXTURE: u32 = 31;
const RAW_BITMAPS: u32 = 0x20000;

fn dword(data: &[u8], index: usize) -> u32 {
    u32::from_le_bytes(data[index * 4..][..4].try_into().unwrap())
}

/// What follows an identifier of a chunk, up to the next one: offset in the chunk, and bytes.
fn section(chunk: &[u8], wanted: u32) -> Option<(usize, &[u8])> {
    let data = &chunk[8..][..dword(chunk, 1) as usize * 4];
    let mut index = 0;
    loop {
        let next = dword(data, index + 1) as usize;
        let end = if next == 0 { data.len() } else { next * 4 };
        if dword(data, index) == wanted {
            let start = index * 4 + 8;
            return Some((8 + start, &data[start..end]));
        }
        if next == 0 {
            return None;
        }
        index = next;
    }
}

/// CRC-32 as the truth files have it.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| sum >> 1 ^ (0xEDB8_8320 * (sum & 1)))
    })
}

#[test]
fn every_raw_bitmap_of_real_textures_is_exact() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let (mut textures, mut pictures, mut empty) = (0, 0, 0);
    for real in files {
        let truth = truth(corpus::text(&format!("truth/virtools/{}.json", real.name))).unwrap();
        let told = truth["textures"].as_array().unwrap();
        let mut sink = Strict;
        let limits = Limits::for_len(real.bytes.len() as u64);
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let file = File::read_from(&Bytes::from(real.bytes), &mut task).unwrap();
        let records = file.records(&mut task.budget).unwrap();
        for (index, (object, record)) in
            file.table().objects.iter().zip(&records.objects).enumerate()
        {
            if object.class_id != CK_TEXTURE || record.chunk.is_empty() {
                continue;
            }
            let chunk = record.chunk.of(records.plain());
            let name = format!("{}, object {index}", real.name);
            let told = told.iter().find(|told| told["index"] == index).expect("a told texture");
            textures += 1;
            let Some((start, section)) = section(chunk, RAW_BITMAPS) else {
                assert!(told["embedded"].is_null(), "{name}");
                continue;
            };
            let told = told["embedded"].as_array().unwrap();
            assert_eq!(dword(section, 0) as usize, told.len(), "{name}");
            let mut rest = &section[4..];
            let mut written = Vec::new();
            for told in told {
                let offset = start + section.len() - rest.len();
                let at = Span::file(offset as u64, rest.len() as u64);
                let (bitmap, consumed) = RawBitmap::read(rest, at, &mut task.budget).unwrap();
                bitmap.write(&mut written);
                rest = &rest[consumed..];
                let picture = bitmap.decode(&mut task.budget).unwrap();
                let Some(picture) = picture else {
                    assert!(told.is_null(), "{name}");
                    empty += 1;
                    continue;
                };
                pictures += 1;
                let head = bitmap.image.as_ref().unwrap().head;
                assert_eq!(head.width.get(), told["w"].as_u64().unwrap() as u32);
                assert_eq!(head.height.get(), told["h"].as_u64().unwrap() as u32);
                assert_eq!(head.bits_per_pixel.get(), told["bpp"].as_u64().unwrap() as u32);
                assert_eq!(head.compression.get(), 0, "{name}");
                let sum = u32::from_str_radix(told["rgba_topdown_crc32"].as_str().unwrap(), 16);
                assert_eq!(crc32(picture.pixels()), sum.unwrap(), "{name}");
                // Made anew from the picture it is the same bitmap, word for word.
                let alpha = AlphaPlane::Always;
                let made = RawBitmap::from_rgba(&picture, PlaneCoding::Plain, alpha).unwrap();
                assert_eq!(made, bitmap, "{name}");
            }
            assert!(rest.is_empty(), "{name}: {} bytes left", rest.len());
            assert_eq!(written, section[4..], "{name}");
        }
    }
    eprintln!("{textures} textures, {pictures} pictures, {empty} slots without one");
    assert!(textures >= pictures + empty);
    assert!(pictures >= 24 && empty >= 99, "{pictures} pictures, {empty} slots without one");
}
