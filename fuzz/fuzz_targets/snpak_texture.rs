//! Textures: what assets say of themselves, and their mips as PNG, DDS and KTX2 files. Some packs are the fuzzer's bytes,
//! others are made of what it says of a texture.
#![no_main]

#[path = "mutate.rs"]
mod mutate;
#[path = "packs.rs"]
mod packs;

use packs::{open, rehash, with_task};
use snpak::{
    Codec, Compression, Pack,
    build::{Asset, Bulk, Options as Building, Payload},
    edit::Draft,
    texture::{PixelFormat, SEMANTIC, Texture, TextureShape},
    types,
};
use spelunk::{
    Bytes, Class, Opened, Options,
    models::export::{
        self,
        pixels::{self, TextureFileFormat},
    },
};
use spelunk_core::scalar::Uuid;
use std::{io::Cursor, sync::Arc};

/// How the rest is taken.
type Script = [u8; 12];

/// Bytes of all mips of a pack that is made.
const MOST: u64 = 64 << 10;

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, _max: usize, seed: u32| {
    mutate::mutate(12, b"", data, size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((script, data)) = data.split_first_chunk::<12>() else { return };
    let bytes = match script[0] & 3 {
        0 => data.to_vec(),
        1 => {
            let mut bytes = data.to_vec();
            rehash(&mut bytes);
            bytes
        }
        _ => match made(script, data) {
            Some(bytes) => bytes,
            None => return,
        },
    };
    let Ok(pack) = open(&bytes) else { return };
    for row in 0..pack.index().entries().len().min(16) {
        if let (Ok(Some(texture)), _) =
            with_task(bytes.len(), |task| Texture::read(&pack, row, task))
        {
            read(&pack, &texture);
        }
        let shape = shape(script);
        let (texture, _) =
            with_task(bytes.len(), |task| Texture::of_shape(&pack, row, shape, task));
        if let Ok(texture) = texture {
            read(&pack, &texture);
        }
    }
    for kind in [TextureFileFormat::Png, TextureFileFormat::Dds, TextureFileFormat::Ktx2] {
        export(&bytes, script, kind);
    }
});

/// A shape of the fuzzer's.
fn shape(script: &Script) -> TextureShape {
    let side = |at: usize| u32::from(u16::from_le_bytes([script[at], script[at + 1] & 1]));
    let format = PixelFormat::ALL[usize::from(script[1]) % PixelFormat::ALL.len()];
    TextureShape { width: side(2), height: side(4), format }
}

/// A pack of one texture that says of itself what `data` does, with mips of its shape; some have a byte too many, some
/// are missing.
fn made(script: &Script, data: &[u8]) -> Option<Vec<u8>> {
    let shape = shape(script);
    let (told, pixels) = data.split_at_checked(usize::from(script[6]))?;
    let codec = Codec { compression: Compression(script[7] % 3), level: 0 };
    let mut asset = Asset::new(Uuid([7; 16]), "t", Payload::new(told.to_vec(), codec));
    asset.schema_version = u32::from(script[8] & 3);
    asset.payload_type = match shape.format.is_compressed() {
        true => Uuid(types::COMPRESSED_TEXTURE_INFO),
        false => Uuid(types::TEXTURE_INFO),
    };
    let mut left = MOST;
    for level in 0..u32::from(script[9] & 15) {
        let [width, height] = [shape.width, shape.height].map(|side| (side >> level).max(1));
        left = left.checked_sub(shape.format.len(width, height))?;
        if script[10] == level as u8 {
            continue;
        }
        let len = shape.format.len(width, height) + u64::from(script[11] == level as u8);
        let pixels = pixels.iter().copied().chain([level as u8]).cycle().take(len as usize);
        let payload = Payload::new(pixels.collect::<Vec<u8>>(), codec);
        asset.bulk.push(Bulk::new(SEMANTIC, level, payload));
    }
    let mut out = Cursor::new(Vec::new());
    let written = with_task(MOST as usize, |task| {
        let mut draft = Draft::default();
        draft.put(asset, &mut task.budget)?;
        draft.write(&mut out, Building::default(), task)
    });
    written.0.expect("a pack that is written");
    Some(out.into_inner())
}

/// Every mip that is there has the bytes that its size takes.
fn read(pack: &Pack, texture: &Texture) {
    assert!(texture.chain().iter().all(|mip| mip.bulk.is_some()));
    for mip in &texture.mips {
        assert_eq!(mip.len, texture.format.len(mip.width, mip.height));
        let (loaded, _) =
            with_task(pack.len() as usize, |task| texture.load(pack, mip.level, task));
        match loaded {
            Ok(pixels) => assert_eq!(pixels.len() as u64, mip.len),
            Err(error) => assert!(mip.bulk.is_some() || error.code().class == Class::Usage),
        }
    }
}

/// Files of textures are as long as they say.
fn export(bytes: &[u8], script: &Script, kind: TextureFileFormat) {
    let source = Arc::new(Bytes::copy_from_slice(bytes));
    let Ok(mut opened) = Opened::open(source, &Options::default()) else { return };
    let shape = (script[0] & 4 == 4).then(|| shape(script));
    let options = export::Options { mips: script[0] & 8 == 8, shape, ..Default::default() };
    let _ = pixels::export(&mut opened, &options, kind, &mut |made| {
        let content = &made.content;
        let word = |at: usize| u32::from_le_bytes(*content[at..].first_chunk().expect("a word"));
        let long = |at: usize| u64::from_le_bytes(*content[at..].first_chunk().expect("a word"));
        match kind {
            TextureFileFormat::Png => assert!(content.starts_with(b"\x89PNG")),
            TextureFileFormat::Dds => {
                assert_eq!((&content[..4], word(4)), (b"DDS ".as_slice(), 124));
                assert!(word(28) > 0 && content.len() > 128);
            }
            TextureFileFormat::Ktx2 => {
                let levels = word(40) as usize;
                assert!(levels > 0);
                for level in 0..levels {
                    let [start, len] = [0, 8].map(|field| long(80 + 24 * level + field));
                    assert!(start + len <= content.len() as u64);
                    assert!(level > 0 || start + len == content.len() as u64);
                }
            }
        }
        Ok(())
    });
}
