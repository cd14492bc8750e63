//! Payloads packed on all cores and handed on in their order, with a bound on what is worked on at once.

use super::asset::{New, PackedBytes, Payload, PayloadOrigin};
use crate::{
    compression::{Codec, Encoder},
    hash,
};
use bytes::Bytes;
use spelunk_core::{
    Error, Result,
    finding::thread_count,
    parallel::{Job, Share, ordered},
};
use std::num::NonZeroUsize;

/// Number of plain bytes that each thread may have in its hands or behind it, waiting to be written.
const IN_FLIGHT: u64 = 32 << 20;
/// Number of copies of a payload at a time, at the most: plain, and packed.
const TWICE: u64 = 2;
/// Size that a payload of unknown size counts as.
const UNKNOWN: u64 = 8 << 20;

impl New {
    /// Reads and packs the bytes.
    ///
    /// # Errors
    /// Reading errors; those of [`Encoder::encode`].
    pub(crate) fn pack(self, encoder: &mut Encoder) -> Result<PackedBytes> {
        let plain = self.content.read()?;
        let mut codec = self.codec;
        let mut stored = encoder.encode(codec, &plain)?;
        if self.only_if_smaller && stored.as_ref().is_some_and(|packed| packed.len() >= plain.len())
        {
            (codec, stored) = (Codec::NONE, None);
        }
        let (len, hash) = (plain.len() as u64, hash::hash128(&plain));
        let stored = stored.map_or(plain, Bytes::from);
        Ok(PackedBytes { stored, plain: len, codec, hash })
    }
}

/// A payload that went through: packed, or the kept one that it is.
pub(crate) type PackingResult = std::result::Result<PackedBytes, super::asset::StoredChunk>;

/// The memory that is set aside while payloads are in the works, of what is left: not more than half of it.
pub(crate) fn memory_for(threads: Option<NonZeroUsize>, left: u64) -> u64 {
    let wanted = IN_FLIGHT.saturating_mul(TWICE).saturating_mul(thread_count(threads) as u64);
    wanted.min(left / 2)
}

/// Packs payloads and hands each to `each`, with what came along with it, in the order in which they come, with so much
/// memory for what is in the works; a payload that needs more is alone there. What comes out is the same for any number of
/// threads.
///
/// # Errors
/// The first one, of a payload or of `each`; what is in the works is let go then.
pub(crate) fn run<T: Send>(
    payloads: &mut dyn Iterator<Item = (T, Payload)>,
    threads: Option<NonZeroUsize>,
    memory: u64,
    each: &mut dyn FnMut(T, PackingResult) -> Result<()>,
    locate: &dyn Fn(&T, Error) -> Error,
) -> Result<()> {
    let threads = thread_count(threads);
    let share = Share { threads, weight: memory / TWICE };
    let mut jobs = payloads.map(|(with, payload)| {
        let weight = payload.in_flight();
        let job = match payload.0 {
            PayloadOrigin::New(new) => Job::Do((with, new)),
            PayloadOrigin::Packed(packed) => Job::Done((with, Ok(Ok(packed)))),
            PayloadOrigin::Kept(kept) => Job::Done((with, Ok(Err(kept)))),
        };
        (weight, job)
    });
    ordered(
        share,
        &mut jobs,
        &Encoder::default,
        &|encoder, (with, new): (T, New)| (with, new.pack(encoder).map(Ok)),
        &mut |(with, done): (T, Result<PackingResult>)| {
            let done = done.map_err(|error| locate(&with, error))?;
            each(with, done)
        },
    )
}

impl Payload {
    /// Returns the number of bytes that the payload counts as while it is in the works.
    fn in_flight(&self) -> u64 {
        match &self.0 {
            // A few bytes too: a million empty payloads are not nothing.
            PayloadOrigin::New(new) => new.content.len.unwrap_or(UNKNOWN).saturating_add(256),
            PayloadOrigin::Packed(packed) => (packed.stored.len() as u64).saturating_add(256),
            PayloadOrigin::Kept(_) => 256,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Compression, build::asset::Content};

    fn run_all(count: u32, threads: usize, fail_at: Option<u32>) -> Result<Vec<(u32, Vec<u8>)>> {
        let mut payloads = (0..count).map(|n| {
            let len = (n as usize * 7919) % 50_000;
            let plain: Vec<u8> = (0..len).map(|i| (i % (n as usize % 13 + 1)) as u8).collect();
            let content = Content::reader(None, move || match fail_at {
                Some(at) if at == n => Err(std::io::Error::other("no such payload")),
                _ => Ok(Box::new(std::io::Cursor::new(plain))),
            });
            (n, Payload::new(content, Codec::new(Compression(n as u8 % 2))))
        });
        let mut out = Vec::new();
        let threads = NonZeroUsize::new(threads);
        let each = &mut |n, done: PackingResult| {
            out.push((n, done.unwrap().stored.to_vec()));
            Ok(())
        };
        run(&mut payloads, threads, memory_for(threads, u64::MAX), each, &|n, error| {
            error.field("payload").found(*n)
        })?;
        Ok(out)
    }

    #[test]
    fn order_and_bytes_are_the_same_for_any_number_of_threads() {
        let one = run_all(300, 1, None).unwrap();
        assert!(one.iter().map(|(n, _)| *n).eq(0..300));
        for threads in [2, 3, 8] {
            assert_eq!(run_all(300, threads, None).unwrap(), one);
        }
    }

    #[test]
    fn the_first_failure_ends_it() {
        for threads in [1, 2, 5] {
            let error = run_all(300, threads, Some(123)).unwrap_err();
            assert!(error.to_string().contains("123"), "{error}");
        }
    }
}
