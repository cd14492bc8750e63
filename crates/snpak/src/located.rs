//! Payloads in two steps: the place, which the index alone gives, and the content.
//!
//! A caller with remote storage locates what it is going to need, fetches all of it together
//! ([`Source::prefetch`](spelunk_core::Source::prefetch), or requests of its own) and decodes then.

use crate::{
    chunk::{Chunk, HEADER_SIZE, with_bytes},
    codes,
    compression::{Compression, check_size, unpack},
    options::Checks,
    pack::{Pack, not_found},
    payload::{self, Claim},
    stream,
};
use bytes::Bytes;
use spelunk_core::{
    Budget, Collect, Error, Node, Result, Span, Task, codes as core, scalar::Hash128, source,
};
use std::ops::Range;

/// Place of a chunk, and what its row says of it. Nothing of the chunk was read: sizes, compression and hash are what the index
/// says, and they are compared with the chunk when it is decoded.
#[derive(Clone, Copy, Debug)]
pub struct Located {
    claim: Claim,
}

impl Located {
    /// Returns the place of the whole chunk, its header of 80 bytes included.
    pub const fn at(&self) -> Span {
        Span::file(self.claim.offset, self.claim.stored)
    }

    /// The bytes of the file that have to be there to decode it.
    pub const fn range(&self) -> Range<u64> {
        self.claim.offset..self.at().end()
    }

    /// Size of the stored payload in bytes, without the header of the chunk.
    pub const fn stored_len(&self) -> u64 {
        self.claim.stored.saturating_sub(HEADER_SIZE)
    }

    /// Size of the plain payload in bytes.
    pub const fn plain_len(&self) -> u64 {
        self.claim.plain
    }

    /// Returns the compression of the payload.
    pub const fn compression(&self) -> Compression {
        self.claim.compression
    }

    /// Checks whether the stored bytes can unpack to as many as the index says: to be asked before there is made room for them.
    ///
    /// # Errors
    /// [`codes::COMPRESSION_UNKNOWN`], [`codes::PLAIN_SIZE`], [`codes::DECODE`].
    pub fn check_size(&self) -> Result<()> {
        let checked =
            check_size(self.compression(), self.stored_len(), self.plain_len(), self.at());
        checked.map_err(|error| self.claim.locate(error))
    }

    /// Hash of the plain payload.
    pub const fn hash(&self) -> Hash128 {
        self.claim.hash()
    }
}

impl Pack {
    /// Locates the main chunk of the asset at this position.
    ///
    /// # Errors
    /// [`NOT_FOUND`](core::NOT_FOUND) for a position without an asset; [`codes::STORED_SIZE`] and
    /// [`codes::CHUNK_RANGE`] where the row cannot be right.
    pub fn locate(&self, row: usize) -> Result<Located> {
        let entry = self.entry(row).ok_or_else(not_found)?;
        self.located(Claim::of_entry(entry, row))
    }

    /// Locates the bulk chunk at position `nth` among those of the asset at `row`.
    ///
    /// # Errors
    /// Those of [`Pack::locate`].
    pub fn locate_bulk(&self, row: usize, nth: usize) -> Result<Located> {
        let entry = self.entry(row).ok_or_else(not_found)?;
        let bulk = self.bulk(entry).get(nth).ok_or_else(not_found)?;
        let bulk_row = self.bulk_rows(entry).start.saturating_add(nth);
        self.located(Claim::of_bulk(bulk, Some(entry), bulk_row))
    }

    fn located(&self, claim: Claim) -> Result<Located> {
        let located = Located { claim };
        let size = self.header().file_size.get();
        if claim.stored < HEADER_SIZE {
            let error = claim.error(&codes::STORED_SIZE, "size_compressed");
            return Err(error
                .expected(format!("at least {HEADER_SIZE} bytes"))
                .found(claim.stored));
        }
        if claim.offset.checked_add(claim.stored).is_none_or(|end| end > size) {
            let error = Error::new(&codes::CHUNK_RANGE)
                .expected(format!("an end at {size:#x} or before"))
                .found(format!("{} bytes from {:#x}", claim.stored, claim.offset));
            return Err(claim.locate(error));
        }
        Ok(located)
    }

    /// Decodes and checks a chunk whose bytes, those of [`Located::range`], the caller has. A payload that is not
    /// packed is a part of `bytes`; no other is charged.
    ///
    /// # Errors
    /// [`TRUNCATED`](core::TRUNCATED) where `bytes` are not as many as the chunk has; those of [`Pack::payload`].
    pub fn decode(&self, located: &Located, bytes: &Bytes, task: &mut Task<'_>) -> Result<Bytes> {
        let claim = &located.claim;
        let short = || {
            let error = Error::new(&core::TRUNCATED).at(located.at());
            error.expected(format!("{} bytes", claim.stored)).found(format!("{}", bytes.len()))
        };
        if bytes.len() as u64 != claim.stored {
            return Err(short());
        }
        task.budget.steps(1)?;
        let place = located.at().part(0, HEADER_SIZE);
        let size = self.header().file_size.get();
        let chunk = Chunk::parse(bytes, place, size, &self.options().limits);
        let chunk = self.compared(claim, chunk)?;
        let payload = HEADER_SIZE..HEADER_SIZE.saturating_add(chunk.header.size_compressed.get());
        let stored = source::part(bytes, payload).ok_or_else(short)?;
        let checks = self.options().checks;
        payload::unpack(&chunk, stored, checks, task).map_err(|error| claim.locate(error))
    }

    /// Reads, decodes and checks a payload.
    ///
    /// # Errors
    /// Those of [`Pack::payload`].
    pub fn load(&self, located: &Located, task: &mut Task<'_>) -> Result<Bytes> {
        self.read_claim(&located.claim, task)
    }

    /// Reads, decodes and checks a payload into a buffer of the caller's, whose content is replaced. What the buffer
    /// has to grow by is charged and stays so. After an error it is empty.
    ///
    /// # Errors
    /// Those of [`Pack::payload`].
    pub fn payload_into(
        &self,
        located: &Located,
        buffer: &mut Vec<u8>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        self.announce(&located.claim);
        let result = self.unpack_to(located, buffer, task);
        if result.is_err() {
            buffer.clear();
        }
        result
    }

    fn unpack_to(
        &self,
        located: &Located,
        buffer: &mut Vec<u8>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let chunk = self.read_located(located, task)?;
        let mut fill = || {
            let plain_len = plain_len(&chunk, &mut task.budget)?;
            make_room(buffer, plain_len, &mut task.budget)?;
            self.fill(&chunk, buffer, task)
        };
        fill().map_err(|error| located.claim.locate(error))
    }

    /// Reads, decodes and checks a payload into memory of the caller's, which is exactly as long as
    /// [`Located::plain_len`] says. Where the source has its bytes in memory nothing is allocated, but what a thread
    /// keeps for all frames of zstd that it unpacks. After an error the content of `plain` is undefined.
    ///
    /// # Errors
    /// [`MEMORY`](core::MEMORY) where `plain` is of another length; those of [`Pack::payload`].
    pub fn payload_to(
        &self,
        located: &Located,
        plain: &mut [u8],
        task: &mut Task<'_>,
    ) -> Result<()> {
        self.announce(&located.claim);
        let chunk = self.read_located(located, task)?;
        let mut fill = || {
            let (plain_len, len) = (plain_len(&chunk, &mut task.budget)?, plain.len() as u64);
            if plain_len != len {
                let error = Error::new(&core::MEMORY).expected(format!("{len} bytes"));
                return Err(error.found(format!("{plain_len} bytes")));
            }
            self.fill(&chunk, plain, task)
        };
        fill().map_err(|error| located.claim.locate(error))
    }

    /// Loads the payload that a node stands for into the beginning of a buffer of the caller's, as [`Pack::payload_to`] does with what the
    /// budget allows. Returns its plain size in bytes; where that is more than the buffer has, nothing was loaded.
    ///
    /// # Errors
    /// Those of [`Pack::locate_node`], [`Located::check_size`] and [`Pack::payload`].
    // A door that is built to be small is not to take it in: here it is built to be fast.
    #[inline(never)]
    pub fn load_to(&self, node: Node, buffer: &mut [u8], budget: Budget) -> Result<u64> {
        let located = self.locate_node(node)?;
        let len = located.plain_len();
        match usize::try_from(len).ok().and_then(|len| buffer.get_mut(..len)) {
            Some(plain) => {
                let mut sink = Collect::default();
                self.payload_to(&located, plain, &mut Task::new(budget, &mut sink))?;
            }
            // Loading checks it, too; who is told a size makes room for it.
            None => located.check_size()?,
        }
        Ok(len)
    }

    /// Fills `plain`, which is as long as the payload.
    fn fill(&self, chunk: &Chunk, plain: &mut [u8], task: &mut Task<'_>) -> Result<()> {
        let (at, compression) = (chunk.payload_at(), chunk.compression());
        if compression != Compression::NONE {
            with_bytes(self.source(), at, task, |stored, task| match stored {
                [] if plain.is_empty() => Ok(()),
                _ => unpack(compression, stored, plain, at, &mut task.budget),
            })?;
        } else {
            match self.source().lend(at.start..at.end()) {
                Some(stored) => plain.copy_from_slice(&stored),
                None => self.source().read_at(at.start, plain)?,
            }
        }
        match self.options().checks {
            Checks::All => payload::check_hash(chunk, plain, task),
            Checks::IndexOnly => Ok(()),
        }
    }

    /// A range of a payload that is stored as it is, without reading the rest of it. The hash is that of the whole
    /// payload, so these bytes are **not** checked by it.
    ///
    /// # Errors
    /// [`NO_SUCH_OPERATION`](core::NO_SUCH_OPERATION) for a packed payload; [`TRUNCATED`](core::TRUNCATED) for a
    /// range that passes its end; those of [`Pack::payload`] about the header of the chunk.
    pub fn read_range(
        &self,
        located: &Located,
        range: Range<u64>,
        task: &mut Task<'_>,
    ) -> Result<Bytes> {
        let claim = &located.claim;
        let chunk = self.read_located(located, task)?;
        if chunk.compression() != Compression::NONE {
            let error =
                Error::new(&core::NO_SUCH_OPERATION).expected("a payload that is not packed");
            return Err(claim.locate(error.found(chunk.compression().name())));
        }
        let at = chunk.payload_at();
        let plain_len = chunk.header.size_uncompressed.get();
        check_size(Compression::NONE, at.len, plain_len, at)
            .map_err(|error| claim.locate(error))?;
        if range.start > range.end || range.end > at.len {
            let error = Error::new(&core::TRUNCATED).at(at);
            let found = format!("{} to {}", range.start, range.end);
            return Err(
                claim.locate(error.expected(format!("a range of {} bytes", at.len)).found(found))
            );
        }
        let [start, end] = [range.start, range.end].map(|place| at.start.saturating_add(place));
        self.source().read(start..end, &mut task.budget)
    }

    /// Hands a payload to `each` block by block, in its order; blocks are [`BLOCK`](stream::BLOCK) bytes at the most.
    /// Of payloads that are not packed and of zstd frames no more than a few blocks and the window of the frame are
    /// in memory at a time. An LZ4 block has to be decoded as a whole.
    ///
    /// The hash is that of all blocks, so it is compared behind the last one: blocks are not to be trusted before
    /// this returns without an error.
    ///
    /// # Errors
    /// Those of [`Pack::payload`]; what `each` returns.
    pub fn stream(
        &self,
        located: &Located,
        task: &mut Task<'_>,
        each: stream::EachBlock<'_>,
    ) -> Result<()> {
        self.announce(&located.claim);
        let chunk = self.read_located(located, task)?;
        stream::blocks(self.source(), &chunk, self.options().checks, task, each)
            .map_err(|error| located.claim.locate(error))
    }

    /// Announces a chunk of which header and payload are about to be read: from afar they come together.
    pub(crate) fn announce(&self, claim: &Claim) {
        let end = claim.offset.saturating_add(claim.stored);
        self.source().prefetch(std::slice::from_ref(&(claim.offset..end)));
    }

    /// The header of the chunk, compared with its row.
    fn read_located(&self, located: &Located, task: &mut Task<'_>) -> Result<Chunk> {
        let chunk = self.chunk(located.claim.offset, task);
        self.compared(&located.claim, chunk)
    }

    /// The chunk, where it is what its row says it is or that is not to be checked.
    pub(crate) fn compared(&self, claim: &Claim, chunk: Result<Chunk>) -> Result<Chunk> {
        let chunk = chunk.map_err(|error| claim.locate(error))?;
        if self.options().checks == Checks::All && !claim.agrees(&chunk) {
            claim.check(&chunk)?;
        }
        Ok(chunk)
    }
}

/// The plain size of a chunk, where its stored bytes can hold as much and the budget allows it.
fn plain_len(chunk: &Chunk, budget: &mut Budget) -> Result<u64> {
    let (at, plain_len) = (chunk.payload_at(), chunk.header.size_uncompressed.get());
    check_size(chunk.compression(), at.len, plain_len, at)?;
    if chunk.compression() != Compression::NONE && at.len > 0 {
        budget.expand(at.len, plain_len, at)?;
    }
    Ok(plain_len)
}

/// Makes a buffer exactly `len` bytes long; only what it grows by is charged.
fn make_room(buffer: &mut Vec<u8>, len: u64, budget: &mut Budget) -> Result<()> {
    let refused = || Error::new(&core::MEMORY).found(len);
    let len = usize::try_from(len).map_err(|_| refused())?;
    let more = len.saturating_sub(buffer.capacity()) as u64;
    if more > 0 {
        budget.memory(more)?;
        // The old content is of no use, so it need not be moved.
        buffer.clear();
        if buffer.try_reserve_exact(len).is_err() {
            budget.release(more);
            return Err(refused());
        }
    }
    buffer.resize(len, 0);
    Ok(())
}
