//! What the targets of SnPAK packs share.
#![allow(dead_code)] // Each of them uses a part of it.

use snpak::{Pack, edit::append::Medium};
use spelunk_core::{Budget, Bytes, Collect, Limits, Result, Severity, Task};
use std::{collections::BTreeSet, io, num::NonZeroUsize, sync::Arc};

/// Runs `work` with the usual limits of a file of this length, and gives what it found.
pub fn with_task<T>(len: usize, work: impl FnOnce(&mut Task<'_>) -> T) -> (T, Collect) {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::for_len(len as u64)), &mut sink);
    // What threads leave to be cleaned up when they end is a leak to sanitisers.
    task.threads = NonZeroUsize::new(1);
    let result = work(&mut task);
    (result, sink)
}

/// Opens a pack in memory.
pub fn open(bytes: &[u8]) -> Result<Pack> {
    let source = Arc::new(Bytes::copy_from_slice(bytes));
    with_task(bytes.len(), |task| Pack::read_from(source, task)).0
}

/// Codes of what opening and verifying find from this severity on; `None` where limits keep it from being found.
pub fn found(bytes: &[u8], from: Severity) -> Option<BTreeSet<&'static str>> {
    let source = Arc::new(Bytes::copy_from_slice(bytes));
    let (result, sink) = with_task(bytes.len(), |task| {
        let pack = Pack::read_from(source, task)?;
        snpak::verify(&pack, task)
    });
    result.ok()?;
    let counts = sink.counts().iter().filter(|(_, severity, _)| *severity >= from);
    Some(counts.map(|(code, ..)| code.id).collect())
}

/// Loads every payload of what a pack shows. What is damaged is an error.
pub fn load(pack: &Pack) {
    let len = pack.len() as usize;
    for row in 0..pack.index().entries().len().min(64) {
        let Some(entry) = pack.entry(row) else { return };
        let plain = entry.payload_chunk_size_uncompressed.get();
        if let (Ok(bytes), _) = with_task(len, |task| pack.payload(row, task)) {
            assert_eq!(bytes.len() as u64, plain);
        }
        for (nth, bulk) in pack.bulk(entry).iter().enumerate().take(16) {
            if let (Ok(bytes), _) = with_task(len, |task| pack.bulk_payload(row, nth, task)) {
                assert_eq!(bytes.len() as u64, bulk.size_uncompressed.get());
            }
        }
    }
}

/// A file in memory.
pub struct Memory(pub Vec<u8>);

impl Medium for Memory {
    fn size(&mut self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn put(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let at = offset as usize;
        self.0.resize(self.0.len().max(at + bytes.len()), 0);
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn cut(&mut self, size: u64) -> io::Result<()> {
        self.0.truncate(size as usize);
        Ok(())
    }
}

/// The hashes of the active tables, made right, so that what lies behind them is reached as well.
pub fn rehash(bytes: &mut [u8]) -> Option<()> {
    let word = |bytes: &[u8], at: usize| -> Option<usize> {
        let word = u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
        usize::try_from(word).ok()
    };
    let put = |bytes: &mut [u8], at: usize, hash: spelunk_core::scalar::Hash128| -> Option<()> {
        let halves = [hash.high.get().to_le_bytes(), hash.low.get().to_le_bytes()].concat();
        bytes.get_mut(at..at.checked_add(16)?)?.copy_from_slice(&halves);
        Some(())
    };
    let (strings, strings_len) = (word(bytes, 44)?, word(bytes, 52)?);
    let (index, index_len) = (word(bytes, 28)?, word(bytes, 36)?);
    let (strings_end, index_end) =
        (strings.checked_add(strings_len)?, index.checked_add(index_len)?);
    let count = u32::from_le_bytes(*bytes.get(strings.checked_add(16)?..)?.first_chunk()?) as usize;
    let data = strings.checked_add(40)?.checked_add(count.checked_mul(4)?)?;
    let hash = snpak::hash::hash128(bytes.get(data..strings_end)?);
    put(bytes, strings.checked_add(24)?, hash)?;
    let hash = snpak::hash::hash128(bytes.get(index.checked_add(88)?..index_end)?);
    put(bytes, index.checked_add(24)?, hash)?;
    let hash = snpak::hash::hash128(bytes.get(index..index_end)?);
    put(bytes, 76, hash)
}
