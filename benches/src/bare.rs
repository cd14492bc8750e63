//! The bare loops: what has to be done to the bytes of a file whoever reads it, and nothing else. They find their
//! way with the fewest reads that the layout allows and trust what they find.

use std::hint::black_box;

/// Output buffers and codec state that are kept from round to round.
#[derive(Default)]
pub struct Buffers {
    plain: Vec<u8>,
    copy: Vec<u8>,
    inflate: Option<libdeflater::Decompressor>,
    zstd: Option<zstd::bulk::Decompressor<'static>>,
}

impl Buffers {
    fn inflate(&mut self, stored: &[u8], plain_len: usize) {
        if self.plain.len() < plain_len {
            self.plain.resize(plain_len, 0);
        }
        let codec = self.inflate.get_or_insert_with(libdeflater::Decompressor::new);
        codec.zlib_decompress(stored, &mut self.plain[..plain_len]).expect("a sound stream");
        black_box(&self.plain);
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"))
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize
}

fn u64_at(bytes: &[u8], at: usize) -> usize {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes")) as usize
}

/// Adler-32 over the stored sections, and inflating them where they are packed.
pub fn virtools(bytes: &[u8], buffers: &mut Buffers) {
    let header1 = &bytes[64..][..u32_at(bytes, 0x1c)];
    let data = &bytes[64 + header1.len()..][..u32_at(bytes, 0x20)];
    let mut sum = simd_adler32::Adler32::from_checksum(0);
    sum.write(&bytes[..64]);
    sum.write(header1);
    sum.write(data);
    black_box(sum.finish());
    inflate(bytes, buffers);
}

/// Inflating the sections of a Virtools file where they are packed.
pub fn inflate(bytes: &[u8], buffers: &mut Buffers) {
    let header1 = &bytes[64..][..u32_at(bytes, 0x1c)];
    let data = &bytes[64 + header1.len()..][..u32_at(bytes, 0x20)];
    let plain = u32_at(bytes, 0x3c);
    if plain != header1.len() {
        buffers.inflate(header1, plain);
    }
    if u32_at(bytes, 0x18) & 9 != 0 {
        buffers.inflate(data, u32_at(bytes, 0x24));
    }
}

/// Inflating the sections of a Virtools file where they are packed, and copying the records once.
pub fn inflate_and_copy(bytes: &[u8], buffers: &mut Buffers) {
    inflate(bytes, buffers);
    let start = 64 + u32_at(bytes, 0x1c);
    let packed = u32_at(bytes, 0x18) & 9 != 0;
    let records = if packed {
        &buffers.plain[..u32_at(bytes, 0x24)]
    } else {
        &bytes[start..][..u32_at(bytes, 0x20)]
    };
    if buffers.copy.len() < records.len() {
        buffers.copy.resize(records.len(), 0);
    }
    buffers.copy[..records.len()].copy_from_slice(records);
    black_box(&buffers.copy);
}

/// Decompressing and hashing every chunk of the current index, and hashing the tables.
pub fn snpak(bytes: &[u8], buffers: &mut Buffers) {
    use twox_hash::XxHash3_128;
    let index = &bytes[u64_at(bytes, 28)..][..u64_at(bytes, 36)];
    let strings = &bytes[u64_at(bytes, 44)..][..u64_at(bytes, 52)];
    let [assets, bulk] = [u32_at(index, 16), u32_at(index, 20)];
    black_box(XxHash3_128::oneshot(index));
    black_box(XxHash3_128::oneshot(&index[88..]));
    black_box(XxHash3_128::oneshot(&strings[40 + 4 * u32_at(strings, 16)..]));
    let chunks = (0..assets)
        .map(|nth| u64_at(index, 88 + 128 * nth + 76))
        .chain((0..bulk).map(|nth| u64_at(index, 88 + 128 * assets + 56 * nth + 8)));
    for at in chunks {
        let chunk = &bytes[at..];
        let [stored_len, plain_len] = [u64_at(chunk, 48), u64_at(chunk, 56)];
        let stored = &chunk[80..][..stored_len];
        if buffers.plain.len() < plain_len {
            buffers.plain.resize(plain_len, 0);
        }
        let plain = &mut buffers.plain[..plain_len];
        let plain = match chunk[44] {
            _ if plain_len == 0 => stored,
            0 => stored,
            1 | 3 => {
                lzzzz::lz4::decompress(stored, plain).expect("a sound block");
                plain
            }
            _ => {
                let codec = buffers
                    .zstd
                    .get_or_insert_with(|| zstd::bulk::Decompressor::new().expect("a codec"));
                codec.decompress_to_buffer(stored, plain).expect("a sound frame");
                plain
            }
        };
        black_box(XxHash3_128::oneshot(plain));
    }
}

/// Walking the chunk headers, inflating what is packed, and stepping through the rows that vary in length.
pub fn chunk_file(bytes: &[u8], buffers: &mut Buffers) {
    let mut at = 20;
    while at < bytes.len() {
        let packed = u16_at(bytes, at + 4) != 0;
        let len = u32_at(bytes, at + 6);
        let start = at + if packed { 16 } else { 12 };
        if packed {
            buffers.inflate(&bytes[start..start + len], u32_at(bytes, at + 12));
        } else if matches!(u16_at(bytes, at), 2030 | 2057) {
            let mut row = start;
            while row < start + len {
                row += 5 + 4 * usize::from(bytes[row + 4]);
            }
            black_box(row);
        }
        at = start + len;
    }
    black_box(at);
}

/// CRC-32 over header, entries and names, and the hash of every path.
pub fn pak(bytes: &[u8], _buffers: &mut Buffers) {
    let [entries, data] = [u32_at(bytes, 76), u32_at(bytes, 84)];
    black_box(crc32(&bytes[..data]));
    let names = 92 + 16 * entries;
    for nth in 0..entries {
        let entry = 92 + 16 * nth;
        let text = |at: usize| {
            bytes[at..].iter().position(|byte| *byte == 0).map(|end| &bytes[at..at + end])
        };
        let name = text(names + (u32_at(bytes, entry + 8) & 0xff_ffff) + 2).expect("a name");
        let folder = text(names + (u32_at(bytes, entry + 12) & 0xff_ffff)).expect("a folder");
        let path = folder.iter().rev().chain(b"\\").chain(name.iter().rev());
        let hash = path.fold(0_u16, |hash, byte| {
            hash.wrapping_mul(31).wrapping_add_signed(i16::from(*byte as i8))
        });
        black_box(hash);
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    libdeflater::crc32(bytes)
}

/// Stepping through every entry and checking that its texts are UTF-8.
pub fn pakdata(bytes: &[u8], _buffers: &mut Buffers) {
    let mut at = 4;
    for _ in 0..u32_at(bytes, 0) {
        text(bytes, &mut at);
        text(bytes, &mut at);
        let entries = u32_at(bytes, at);
        at += 12;
        for _ in 0..entries {
            at += 8;
            text(bytes, &mut at);
            text(bytes, &mut at);
        }
        at += 8;
    }
    black_box(at);
}

fn text(bytes: &[u8], at: &mut usize) {
    let mut len = 0;
    for shift in (0..35).step_by(7) {
        let byte = bytes[*at];
        *at += 1;
        len |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    black_box(std::str::from_utf8(&bytes[*at..*at + len]).expect("UTF-8"));
    *at += len;
}
