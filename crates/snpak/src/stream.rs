//! Payloads block by block, for those that are too large to be in memory as a whole.

use crate::{
    chunk::{Chunk, with_bytes},
    codes,
    compression::{Compression, Decoder, check_size},
    options::Checks,
    payload,
};
use bytes::Bytes;
use spelunk_core::{Budget, Error, Result, Source, Span, Task};
use std::io::{self, BufRead, Read};
use twox_hash::XxHash3_128;

/// Bytes of a block at the most, and bytes that are read at a time.
pub const BLOCK: usize = 1 << 20;

/// Sees the blocks of a payload, one after the other.
pub type EachBlock<'e> = &'e mut dyn FnMut(&[u8], &mut Task<'_>) -> Result<()>;

/// Hands the plain payload of a chunk to `each`, and compares its size and hash at the end.
pub(crate) fn blocks(
    source: &dyn Source,
    chunk: &Chunk,
    checks: Checks,
    task: &mut Task<'_>,
    each: EachBlock<'_>,
) -> Result<()> {
    let (at, plain_len) = (chunk.payload_at(), chunk.header.size_uncompressed.get());
    check_size(chunk.compression(), at.len, plain_len, at)?;
    let mut out = BlockReceiver { at, plain_len, done: 0, hash: XxHash3_128::new(), each };
    match chunk.compression() {
        Compression::NONE => stored(source, at, &mut out, task)?,
        _ if at.len == 0 => {}
        Compression::ZSTD | Compression::ZSTD_FAST => {
            let window = with_bytes(source, at.part(0, at.len.min(HEAD)), task, |head, _| {
                Ok::<_, Error>(window_size(head))
            })?;
            match window {
                Some(window) => unpack(source, at, window, &mut out, task)?,
                None => whole(source, chunk, &mut out, task)?,
            }
        }
        _ => whole(source, chunk, &mut out, task)?,
    }
    if out.done != plain_len {
        return Err(out.wrong(format!("{} bytes", out.done)));
    }
    match checks {
        Checks::All => payload::compare_hash(chunk, out.hash.finish_128()),
        Checks::IndexOnly => Ok(()),
    }
}

/// Receiver of the blocks.
struct BlockReceiver<'e> {
    at: Span,
    plain_len: u64,
    done: u64,
    hash: XxHash3_128,
    each: EachBlock<'e>,
}

impl BlockReceiver<'_> {
    fn push(&mut self, block: &[u8], task: &mut Task<'_>) -> Result<()> {
        self.done = self.done.saturating_add(block.len() as u64);
        if self.done > self.plain_len {
            return Err(self.wrong("damaged data, or more bytes".to_owned()));
        }
        task.budget.touch(block.len() as u64)?;
        self.hash.write(block);
        (self.each)(block, task)
    }

    fn wrong(&self, found: String) -> Error {
        let expected = format!("{} bytes", self.plain_len);
        Error::new(&codes::DECODE).at(self.at).expected(expected).found(found)
    }
}

fn stored(
    source: &dyn Source,
    at: Span,
    out: &mut BlockReceiver<'_>,
    task: &mut Task<'_>,
) -> Result<()> {
    let mut done = 0;
    while done < at.len {
        let part = at.part(done, at.len.saturating_sub(done).min(BLOCK as u64));
        with_bytes(source, part, task, |block, task| out.push(block, task))?;
        done = done.saturating_add(part.len);
    }
    Ok(())
}

/// Decodes a payload that cannot be decoded block by block.
fn whole(
    source: &dyn Source,
    chunk: &Chunk,
    out: &mut BlockReceiver<'_>,
    task: &mut Task<'_>,
) -> Result<()> {
    let at = chunk.payload_at();
    let mut decoder = Decoder::default();
    let result = with_bytes(source, at, task, |stored, task| {
        let len = chunk.header.size_uncompressed.get();
        let plain = decoder.decode(chunk.compression(), stored, len, at, &mut task.budget)?;
        plain.chunks(BLOCK).try_for_each(|block| out.push(block, task))
    });
    decoder.release(&mut task.budget);
    result
}

/// Decodes zstd frames as they are read.
fn unpack(
    source: &dyn Source,
    at: Span,
    window: u64,
    out: &mut BlockReceiver<'_>,
    task: &mut Task<'_>,
) -> Result<()> {
    task.budget.expand(at.len, out.plain_len, at)?;
    // Decoders hold the window twice at the most, and beside it a stored and a plain block; both kinds of blocks
    // are ours, too.
    let memory = window.saturating_mul(2).saturating_add((BLOCK as u64).saturating_mul(4));
    task.budget.memory(memory).map_err(|error| error.at(at))?;
    let mut input = SpanReader { source, at, buffer: Bytes::new(), failed: None };
    let mut block = vec![0; BLOCK];
    let result = frames(&mut input, window, &mut block, &mut |block| out.push(block, task));
    task.budget.release(memory);
    match (result, input.failed) {
        (_, Some(error)) => Err(error),
        (Some(result), None) => result,
        (None, None) => Err(out.wrong("damaged data, or more bytes".to_owned())),
    }
}

/// Hands what the frames hold to `push` until that returns an error; `None` for what is no frame, or has a larger
/// window than the first one.
#[cfg(feature = "c-codecs")]
fn frames(
    input: &mut SpanReader<'_>,
    window: u64,
    block: &mut [u8],
    push: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Option<Result<()>> {
    let mut decoder = zstd::stream::read::Decoder::with_buffer(input).ok()?;
    let log = window.max(1 << 10).checked_next_power_of_two()?.ilog2();
    decoder.window_log_max(log).ok()?;
    loop {
        let len = decoder.read(block).ok()?;
        if len == 0 {
            return Some(Ok(()));
        }
        if let Err(error) = push(block.get(..len)?) {
            return Some(Err(error));
        }
    }
}

/// Hands what the frames hold to `push` until that returns an error; `None` for what is no frame, or has a larger
/// window than the first one.
#[cfg(not(feature = "c-codecs"))]
fn frames(
    input: &mut SpanReader<'_>,
    window: u64,
    block: &mut [u8],
    push: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Option<Result<()>> {
    use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(window.max(1 << 10));
    while !input.fill_buf().ok()?.is_empty() {
        decoder.init(&mut *input).ok()?;
        while !decoder.is_finished() || decoder.can_collect() > 0 {
            if decoder.can_collect() == 0 {
                decoder.decode_blocks(&mut *input, BlockDecodingStrategy::UptoBlocks(1)).ok()?;
            }
            // Nothing while the window is filling.
            let len = decoder.read(block).ok()?;
            if len > 0
                && let Err(error) = push(block.get(..len)?)
            {
                return Some(Err(error));
            }
        }
    }
    Some(Ok(()))
}

/// Number of bytes of a frame that state its window, at the most.
const HEAD: u64 = 14;

/// The window of the frame that starts so: how far back it refers, in bytes. `None` for what is no frame.
fn window_size(head: &[u8]) -> Option<u64> {
    let rest = head.strip_prefix(&[0x28, 0xb5, 0x2f, 0xfd])?;
    let (descriptor, rest) = rest.split_first()?;
    if descriptor & 0x20 == 0 {
        let window = rest.first()?;
        let base = 1_u64.checked_shl(u32::from(window >> 3).saturating_add(10))?;
        return Some(base.saturating_add((base >> 3).saturating_mul(u64::from(window & 7))));
    }
    // A single segment: the window is the content, whose size stands behind the dictionary id.
    let dictionary = [0, 1, 2, 4].get(usize::from(descriptor & 3))?;
    let size = rest.get(*dictionary..)?;
    match descriptor >> 6 {
        0 => size.first().map(|size| (*size).into()),
        1 => {
            size.first_chunk().map(|size| u64::from(u16::from_le_bytes(*size)).saturating_add(256))
        }
        2 => size.first_chunk().map(|size| u32::from_le_bytes(*size).into()),
        _ => size.first_chunk().map(|size| u64::from_le_bytes(*size)),
    }
}

/// The stored bytes as they are read, a block at a time.
struct SpanReader<'s> {
    source: &'s dyn Source,
    /// Bytes that were not read yet.
    at: Span,
    buffer: Bytes,
    /// Why reading ended.
    failed: Option<Error>,
}

impl BufRead for SpanReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.buffer.is_empty() && self.at.len > 0 {
            let len = self.at.len.min(BLOCK as u64);
            // Charged with the decoder.
            let mut budget = Budget::new(spelunk_core::Limits::for_len(0));
            match self.source.read(self.at.start..self.at.start.saturating_add(len), &mut budget) {
                Ok(bytes) => self.buffer = bytes,
                Err(error) => {
                    self.failed = Some(error);
                    return Err(io::ErrorKind::Other.into());
                }
            }
            self.at = self.at.part(len, self.at.len.saturating_sub(len));
        }
        Ok(&self.buffer)
    }

    fn consume(&mut self, count: usize) {
        let count = count.min(self.buffer.len());
        bytes::Buf::advance(&mut self.buffer, count);
    }
}

impl Read for SpanReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(out)?;
        self.consume(len);
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_read_from_every_form_of_frame_header() {
        let frame = |rest: &[u8]| [&[0x28, 0xb5, 0x2f, 0xfd], rest].concat();
        for (rest, window) in [
            (&[0x00, 0x00][..], 1 << 10),
            (&[0x00, 0x59], (1 << 21) + (1 << 18)),
            (&[0x20, 0x07], 7),
            (&[0x23, 9, 9, 9, 9, 0x07], 7),
            (&[0x60, 0x00, 0x01], 512),
            (&[0xa0, 0, 0, 1, 0], 1 << 16),
            (&[0xe0, 0, 0, 0, 0, 1, 0, 0, 0], 1 << 32),
        ] {
            assert_eq!(window_size(&frame(rest)), Some(window), "{rest:?}");
        }
        for head in [
            &b""[..],
            b"\x28\xb5\x2f\xfd",
            b"\x50\x2a\x4d\x18\0\0\0\0",
            b"\x28\xb5\x2f\xfd\xe0\x01",
        ] {
            assert_eq!(window_size(head), None);
        }
    }
}
