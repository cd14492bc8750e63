//! A pack with its next state behind it, in memory.

use super::draft::Draft;
use crate::{
    build::{Options, lay::Blocks},
    header::{HEADER_SIZE, Header},
    pack::{Pack, not_found},
};
use bytes::Bytes;
use spelunk_core::{Collect, Result, Source, Task, source::part};
use std::{num::NonZeroUsize, ops::Range, sync::Arc};
use zerocopy::IntoBytes;

/// The bytes of a pack with another header, and blocks behind them.
pub(super) struct Overlay {
    header: Bytes,
    base: Arc<dyn Source>,
    /// Where each block starts.
    blocks: Vec<(u64, Bytes)>,
    len: u64,
}

/// Blocks that are kept.
struct Behind {
    blocks: Vec<(u64, Bytes)>,
    at: u64,
}

impl Blocks for Behind {
    fn put(&mut self, bytes: Bytes) -> Result<()> {
        if !bytes.is_empty() {
            let at = self.at;
            self.at = at.saturating_add(bytes.len() as u64);
            self.blocks.push((at, bytes));
        }
        Ok(())
    }

    fn keeps(&self) -> bool {
        true
    }
}

impl Draft {
    /// The pack that the draft was made of, as it is when the draft has been appended to it. All that is new is in memory;
    /// [`write`](crate::write()) writes the bytes.
    ///
    /// # Errors
    /// What a pack cannot hold; limits; reading errors.
    pub fn shown(mut self, task: &mut Task<'_>) -> Result<Pack> {
        let base = self.base.clone().ok_or_else(not_found)?;
        self.show(&base, task)
    }

    pub(super) fn show(&mut self, base: &Pack, task: &mut Task<'_>) -> Result<Pack> {
        let Some(overlay) = Overlay::of(base, self, task)? else { return Ok(base.share()) };
        // What is to be told of the old tables was told when they were opened.
        let mut sink = Collect::default();
        let mut quiet = Task::new(task.budget.clone(), &mut sink);
        let pack = Pack::open_with(Arc::new(overlay), &base.file.options, &mut quiet)?;
        task.budget = quiet.budget;
        Ok(pack)
    }
}

impl Overlay {
    /// The pack as it is when the draft has been appended to it; `None` where nothing is new.
    ///
    /// # Errors
    /// What a pack cannot hold; limits; reading errors.
    pub(super) fn of(
        base: &Pack,
        draft: &mut Draft,
        task: &mut Task<'_>,
    ) -> Result<Option<Overlay>> {
        let start = base.len();
        let mut behind = Behind { blocks: Vec::new(), at: start };
        // Payloads of changes are packed at once, so that nothing is left for other threads.
        let options = Options { threads: Some(NonZeroUsize::MIN), ..Options::default() };
        let header = draft.put_behind(start, &mut behind, options, task)?;
        let Some(header): Option<Header> = header else { return Ok(None) };
        Ok(Some(Overlay {
            header: Bytes::copy_from_slice(header.as_bytes()),
            base: base.shared_source(),
            blocks: behind.blocks,
            len: behind.at,
        }))
    }

    /// The part that holds a byte, where it starts, and where it ends.
    fn part_at(&self, offset: u64) -> (Part<'_>, u64, u64) {
        let header = u64::from(HEADER_SIZE);
        if offset < header {
            return (Part::Memory(&self.header), 0, header);
        }
        let base_end = self.blocks.first().map_or(self.len, |(start, _)| *start);
        if offset < base_end {
            return (Part::Base, header, base_end);
        }
        let nth = self.blocks.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
        match self.blocks.get(nth) {
            Some((start, bytes)) => {
                (Part::Memory(bytes), *start, start.saturating_add(bytes.len() as u64))
            }
            None => (Part::Base, header, self.len),
        }
    }
}

enum Part<'o> {
    Base,
    Memory(&'o Bytes),
}

impl Source for Overlay {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let (mut at, mut rest) = (offset, buffer);
        while !rest.is_empty() {
            let (part, start, end) = self.part_at(at);
            let len = usize::try_from(end.saturating_sub(at)).unwrap_or(usize::MAX).min(rest.len());
            let (now, later) = rest.split_at_mut_checked(len.max(1)).unwrap_or_default();
            match part {
                Part::Base => self.base.read_at(at, now)?,
                Part::Memory(bytes) => bytes.read_at(at.saturating_sub(start), now)?,
            }
            at = at.saturating_add(now.len() as u64);
            rest = later;
        }
        Ok(())
    }

    fn lend(&self, range: Range<u64>) -> Option<Bytes> {
        let (of, start, end) = self.part_at(range.start);
        if range.end > end {
            return None;
        }
        match of {
            Part::Base => self.base.lend(range),
            Part::Memory(bytes) => {
                part(bytes, range.start.checked_sub(start)?..range.end.checked_sub(start)?)
            }
        }
    }

    fn prefetch(&self, ranges: &[Range<u64>]) {
        self.base.prefetch(ranges);
    }
}
