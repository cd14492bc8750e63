//! Mutations that reach what lies behind checksums and in zlib streams.

use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};
use libfuzzer_sys::fuzzer_mutate;
use std::io::{Read, Write};

/// The most plain bytes of a stream that is changed.
const PLAIN: u64 = 1 << 16;

/// Makes the first `size` bytes of `data` something else and gives the new size: `script` bytes, and behind them a file
/// without the bytes `start`, which the target puts before. In three of four the checksums are right afterwards, in one of
/// them what changed was the content of a zlib stream.
pub fn mutate(script: usize, start: &[u8], data: &mut [u8], size: usize, seed: u32) -> usize {
    if seed % 4 == 0 {
        return fuzzer_mutate(data, size, data.len());
    }
    let size = if seed % 4 == 1 { size } else { fuzzer_mutate(data, size, data.len()) };
    let Some(rest) = data.get(script..size) else { return size };
    let mut file = [start, rest].concat();
    if seed % 4 == 1 && repacked(&mut file, seed >> 2).is_none() {
        return fuzzer_mutate(data, size, data.len());
    }
    spelunk_fixtures::mend::mend(&mut file);
    let Some(rest) = file.get(start.len()..) else { return size };
    match data.get_mut(script..).and_then(|data| data.get_mut(..rest.len())) {
        Some(place) => {
            place.copy_from_slice(rest);
            script + rest.len()
        }
        None => size,
    }
}

/// Changes what one of the zlib streams of a file holds. Words with its sizes, at the start of the file and before the stream,
/// follow.
fn repacked(file: &mut Vec<u8>, seed: u32) -> Option<()> {
    let is_start = |pair: &[u8]| pair[0] == 0x78 && [0x01, 0x5E, 0x9C, 0xDA].contains(&pair[1]);
    let starts: Vec<usize> =
        (0..file.len().saturating_sub(1)).filter(|at| is_start(&file[*at..*at + 2])).collect();
    let at = *starts.get(seed as usize % starts.len().max(1))?;
    let mut stream = ZlibDecoder::new(&file[at..]);
    let mut plain = Vec::new();
    stream.by_ref().take(PLAIN + 1).read_to_end(&mut plain).ok()?;
    let (packed_len, plain_len) = (stream.total_in() as usize, plain.len());
    if plain_len as u64 > PLAIN {
        return None;
    }
    plain.resize(plain_len + 64, 0);
    let new_len = fuzzer_mutate(&mut plain, plain_len, plain_len + 64);
    plain.truncate(new_len);
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&plain).ok()?;
    let packed = packed.finish().ok()?;
    let sizes = [(packed_len, packed.len()), (plain_len, new_len)];
    let words = (0..16).map(|nth| nth * 4).chain((1..=8).filter_map(|nth| at.checked_sub(nth * 4)));
    for word in words.filter(|word| *word < at) {
        let Some(bytes) = file.get_mut(word..word + 4) else { continue };
        let value = u32::from_le_bytes(bytes.try_into().ok()?) as usize;
        if let Some((_, new)) = sizes.iter().find(|(old, _)| *old == value) {
            bytes.copy_from_slice(&u32::try_from(*new).ok()?.to_le_bytes());
        }
    }
    file.splice(at..at + packed_len, packed);
    Some(())
}
