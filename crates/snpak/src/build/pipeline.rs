//! Payloads packed on all cores and handed on in their order, with a bound on what is worked on at once.

use super::asset::{Form, New, Packed, Payload};
use crate::{
    compression::{Codec, Encoder},
    hash,
};
use bytes::Bytes;
use spelunk_core::{Error, Result};
use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    sync::{Mutex, PoisonError, mpsc},
    thread,
};

/// How many plain bytes each thread may have in its hands or behind it, waiting to be written.
const IN_FLIGHT: u64 = 32 << 20;
/// What a payload of unknown size counts as.
const UNKNOWN: u64 = 8 << 20;

impl New {
    /// Reads and packs the bytes.
    ///
    /// # Errors
    /// Reading errors; those of [`Encoder::encode`].
    pub(crate) fn pack(self, encoder: &mut Encoder) -> Result<Packed> {
        let plain = self.content.read()?;
        let mut codec = self.codec;
        let mut stored = encoder.encode(codec, &plain)?;
        if self.only_if_smaller && stored.as_ref().is_some_and(|packed| packed.len() >= plain.len())
        {
            (codec, stored) = (Codec::NONE, None);
        }
        let (len, hash) = (plain.len() as u64, hash::hash128(&plain));
        let stored = stored.map_or(plain, Bytes::from);
        Ok(Packed { stored, plain: len, codec, hash })
    }
}

/// A payload that went through: packed, or the kept one that it is.
pub(crate) type Done = std::result::Result<Packed, super::asset::Kept>;

/// Packs payloads and hands each to `each`, with what came along with it, in the order in which they come. What comes out
/// is the same for any number of threads.
///
/// # Errors
/// The first one, of a payload or of `each`; what is in the works is let go then.
pub(crate) fn run<T>(
    payloads: &mut dyn Iterator<Item = (T, Payload)>,
    threads: Option<NonZeroUsize>,
    each: &mut dyn FnMut(T, Done) -> Result<()>,
    locate: &dyn Fn(&T, Error) -> Error,
) -> Result<()> {
    let threads =
        threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    if threads == 1 {
        let mut encoder = Encoder::default();
        for (with, payload) in payloads {
            let done = match payload.0 {
                Form::New(new) => {
                    Ok(new.pack(&mut encoder).map_err(|error| locate(&with, error))?)
                }
                Form::Packed(packed) => Ok(packed),
                Form::Kept(kept) => Err(kept),
            };
            each(with, done)?;
        }
        return Ok(());
    }
    let (give, take) = mpsc::channel::<(u64, New)>();
    let take = Mutex::new(take);
    thread::scope(|scope| {
        // Gone at the end of this closure, so that the threads end.
        let give = give;
        let (done, results) = mpsc::channel::<(u64, Result<Packed>)>();
        for _ in 0..threads {
            let (take, done) = (&take, done.clone());
            scope.spawn(move || {
                let mut encoder = Encoder::default();
                loop {
                    let next = take.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    // Either side hangs up when it is done, or has failed.
                    let Ok((number, new)) = next else { return };
                    if done.send((number, new.pack(&mut encoder))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        let limit = IN_FLIGHT.saturating_mul(threads as u64);
        let mut queue = Queue { waiting: BTreeMap::new(), next: 0, in_flight: 0 };
        let mut number = 0_u64;
        let mut result = Ok(());
        for (with, payload) in payloads {
            let size = payload.in_flight();
            while queue.in_flight > 0 && queue.in_flight.saturating_add(size) > limit {
                result = queue.wait(&results, each, locate);
                if result.is_err() {
                    break;
                }
            }
            if result.is_err() {
                break;
            }
            queue.in_flight = queue.in_flight.saturating_add(size);
            let made = match payload.0 {
                Form::New(new) => {
                    // The threads take until this side hangs up.
                    let _ = give.send((number, new));
                    None
                }
                Form::Packed(packed) => Some(Ok(packed)),
                Form::Kept(kept) => Some(Err(kept)),
            };
            queue.waiting.insert(number, (with, size, made));
            number = number.saturating_add(1);
            result = queue.flush(each);
            if result.is_err() {
                break;
            }
        }
        drop(give);
        while result.is_ok() && !queue.waiting.is_empty() {
            result = queue.wait(&results, each, locate);
        }
        result
    })
}

impl Payload {
    /// What it counts as while it is in the works.
    fn in_flight(&self) -> u64 {
        match &self.0 {
            // A few bytes too: a million empty payloads are not nothing.
            Form::New(new) => new.content.len.unwrap_or(UNKNOWN).saturating_add(256),
            Form::Packed(packed) => (packed.stored.len() as u64).saturating_add(256),
            Form::Kept(_) => 256,
        }
    }
}

/// Payloads in the works and those that are done and wait for their turn.
struct Queue<T> {
    waiting: BTreeMap<u64, (T, u64, Option<Done>)>,
    next: u64,
    in_flight: u64,
}

impl<T> Queue<T> {
    /// Waits for one payload to be packed, and hands on what is ready.
    fn wait(
        &mut self,
        results: &mpsc::Receiver<(u64, Result<Packed>)>,
        each: &mut dyn FnMut(T, Done) -> Result<()>,
        locate: &dyn Fn(&T, Error) -> Error,
    ) -> Result<()> {
        let Ok((number, packed)) = results.recv() else {
            let ended = std::io::Error::other("the packing threads have ended");
            return Err(Error::io(ended));
        };
        if let Some((with, _, made)) = self.waiting.get_mut(&number) {
            *made = Some(Ok(packed.map_err(|error| locate(with, error))?));
        }
        self.flush(each)
    }

    fn flush(&mut self, each: &mut dyn FnMut(T, Done) -> Result<()>) -> Result<()> {
        while let Some(entry) = self.waiting.first_entry() {
            if *entry.key() != self.next || entry.get().2.is_none() {
                break;
            }
            let (with, size, made) = entry.remove();
            self.next = self.next.saturating_add(1);
            if let Some(made) = made {
                each(with, made)?;
            }
            self.in_flight = self.in_flight.saturating_sub(size);
        }
        Ok(())
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
        let each = &mut |n, done: Done| {
            out.push((n, done.unwrap().stored.to_vec()));
            Ok(())
        };
        run(&mut payloads, threads, each, &|n, error| error.field("payload").found(*n))?;
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
