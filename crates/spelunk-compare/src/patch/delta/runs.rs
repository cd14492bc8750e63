//! The bytes of a file as runs: stretches of another one, and blocks.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Serialize};
use spelunk_core::{Budget, Result};
use std::collections::HashMap;
use twox_hash::XxHash3_128;

/// Stretches that are shorter than this are not looked for: a run for them takes as much.
const WINDOW: usize = 32;

/// Memory of an entry of a table at the most, in bytes.
const ROOM: u64 = 64;

/// Bytes that follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Run {
    /// A stretch of the other file: where it starts, and how long it is.
    Copy([u64; 2]),
    /// The number of a block.
    Block(u32),
}

/// Blocks of a patch, each of them once.
#[derive(Default)]
pub(in crate::patch) struct BlockPool {
    pub(in crate::patch) texts: Vec<String>,
    known: HashMap<u128, u32>,
}

impl BlockPool {
    /// The number of these bytes.
    pub(in crate::patch) fn add(&mut self, bytes: &[u8], budget: &mut Budget) -> Result<u32> {
        let hash = XxHash3_128::oneshot(bytes);
        if let Some(number) = self.known.get(&hash) {
            return Ok(*number);
        }
        budget.memory((bytes.len() as u64).saturating_mul(2).saturating_add(ROOM))?;
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(BASE64_STANDARD.encode(bytes));
        self.known.insert(hash, number);
        Ok(number)
    }
}

/// A file whose parts are looked for in another one.
pub(in crate::patch) struct MatchIndex<'f> {
    bytes: &'f [u8],
    /// Offsets of whole parts by their hash.
    whole: HashMap<u128, usize>,
    /// Offsets of stretches of tables by their rolling hash.
    windows: HashMap<u64, usize>,
}

impl<'f> MatchIndex<'f> {
    pub(in crate::patch) fn new(bytes: &'f [u8]) -> MatchIndex<'f> {
        MatchIndex { bytes, whole: HashMap::new(), windows: HashMap::new() }
    }

    /// Has a part found as a whole.
    pub(in crate::patch) fn add_whole(
        &mut self,
        start: usize,
        len: usize,
        budget: &mut Budget,
    ) -> Result<()> {
        budget.memory(ROOM)?;
        budget.touch(len as u64)?;
        let part = self.bytes.get(start..start.saturating_add(len)).unwrap_or_default();
        self.whole.entry(XxHash3_128::oneshot(part)).or_insert(start);
        Ok(())
    }

    /// Has a part found wherever a stretch of it is.
    pub(in crate::patch) fn add_table(
        &mut self,
        start: usize,
        len: usize,
        budget: &mut Budget,
    ) -> Result<()> {
        budget.memory((len as u64 / WINDOW as u64).saturating_mul(ROOM))?;
        budget.touch(len as u64)?;
        let part = self.bytes.get(start..start.saturating_add(len)).unwrap_or_default();
        for (nth, window) in part.chunks_exact(WINDOW).enumerate() {
            let at = start.saturating_add(nth.saturating_mul(WINDOW));
            self.windows.entry(Rolling::of(window).0).or_insert(at);
        }
        Ok(())
    }

    /// Returns the offset at which these bytes lie as a whole part.
    pub(in crate::patch) fn find(&self, bytes: &[u8]) -> Option<usize> {
        let at = *self.whole.get(&XxHash3_128::oneshot(bytes))?;
        self.is_at(at, bytes).then_some(at)
    }

    fn is_at(&self, at: usize, bytes: &[u8]) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(bytes))
    }

    /// Writes bytes as stretches of the tables, and those that are in none of them as they are.
    pub(in crate::patch) fn write(
        &self,
        bytes: &[u8],
        out: &mut RunWriter<'_>,
        budget: &mut Budget,
    ) -> Result<()> {
        budget.steps(bytes.len() as u64 / 8)?;
        let mut rest = bytes;
        let mut at = 0_usize;
        let mut rolling = Rolling::of(bytes.get(..WINDOW).unwrap_or_default());
        while let Some(window) = rest.get(at..at.saturating_add(WINDOW)) {
            let known = self.windows.get(&rolling.0).filter(|from| self.is_at(**from, window));
            let Some(from) = known else {
                let next = at.saturating_add(WINDOW);
                if let Some((out, into)) = rest.get(at).zip(rest.get(next)) {
                    rolling.roll(*out, *into);
                }
                at = at.saturating_add(1);
                continue;
            };
            let (literal, behind) = rest.split_at_checked(at).unwrap_or_default();
            let before = self.bytes.get(..*from).unwrap_or_default();
            let back = same(literal.iter().rev(), before.iter().rev());
            let len = same(behind.iter(), self.bytes.get(*from..).unwrap_or_default().iter());
            let own = literal.len().saturating_sub(back);
            out.literal(literal.get(..own).unwrap_or_default());
            out.copy(from.saturating_sub(back), back.saturating_add(len), budget)?;
            rest = behind.get(len..).unwrap_or_default();
            at = 0;
            rolling = Rolling::of(rest.get(..WINDOW).unwrap_or_default());
        }
        out.literal(rest);
        Ok(())
    }
}

/// Returns the number of bytes that are the same, one by one.
fn same<'b>(a: impl Iterator<Item = &'b u8>, b: impl Iterator<Item = &'b u8>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

/// A hash of a window that moves byte by byte.
#[derive(Clone, Copy)]
struct Rolling(u64);

impl Rolling {
    /// Odd, so that no byte gets lost.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    /// The factor of the first byte of a window.
    const FIRST: u64 = Rolling::FACTOR.wrapping_pow(WINDOW as u32 - 1);

    fn of(window: &[u8]) -> Rolling {
        let next = |hash: u64, byte: &u8| {
            hash.wrapping_mul(Rolling::FACTOR).wrapping_add(u64::from(*byte).wrapping_add(1))
        };
        Rolling(window.iter().fold(0, next))
    }

    fn roll(&mut self, out: u8, into: u8) {
        let first = u64::from(out).wrapping_add(1).wrapping_mul(Rolling::FIRST);
        let rest = self.0.wrapping_sub(first).wrapping_mul(Rolling::FACTOR);
        self.0 = rest.wrapping_add(u64::from(into).wrapping_add(1));
    }
}

/// The runs of a file, as they are written.
pub(in crate::patch) struct RunWriter<'b> {
    runs: Vec<Run>,
    /// Bytes that are in no run yet.
    literal: Vec<u8>,
    blocks: &'b mut BlockPool,
}

impl<'b> RunWriter<'b> {
    pub(in crate::patch) fn new(blocks: &'b mut BlockPool) -> RunWriter<'b> {
        RunWriter { runs: Vec::new(), literal: Vec::new(), blocks }
    }

    pub(in crate::patch) fn literal(&mut self, bytes: &[u8]) {
        self.literal.extend_from_slice(bytes);
    }

    pub(in crate::patch) fn copy(
        &mut self,
        from: usize,
        len: usize,
        budget: &mut Budget,
    ) -> Result<()> {
        if len == 0 {
            return Ok(());
        }
        self.settle(budget)?;
        let (from, len) = (from as u64, len as u64);
        match self.runs.last_mut() {
            Some(Run::Copy([start, known])) if start.checked_add(*known) == Some(from) => {
                *known = known.saturating_add(len);
            }
            _ => self.runs.push(Run::Copy([from, len])),
        }
        Ok(())
    }

    /// Bytes that are a block of their own.
    pub(in crate::patch) fn block(&mut self, bytes: &[u8], budget: &mut Budget) -> Result<()> {
        self.settle(budget)?;
        if !bytes.is_empty() {
            let number = self.blocks.add(bytes, budget)?;
            self.runs.push(Run::Block(number));
        }
        Ok(())
    }

    fn settle(&mut self, budget: &mut Budget) -> Result<()> {
        let literal = std::mem::take(&mut self.literal);
        if literal.is_empty() { Ok(()) } else { self.block(&literal, budget) }
    }

    pub(in crate::patch) fn finish(mut self, budget: &mut Budget) -> Result<Vec<Run>> {
        self.settle(budget)?;
        Ok(self.runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::Limits;

    fn written(old: &[u8], new: &[u8]) -> (Vec<Run>, Vec<String>) {
        let mut budget = Budget::new(Limits::unlimited());
        let mut parts = MatchIndex::new(old);
        parts.add_table(0, old.len(), &mut budget).unwrap();
        let mut blocks = BlockPool::default();
        let mut writer = RunWriter::new(&mut blocks);
        parts.write(new, &mut writer, &mut budget).unwrap();
        (writer.finish(&mut budget).unwrap(), blocks.texts)
    }

    #[test]
    fn stretches_are_found_wherever_they_went() {
        let old: Vec<u8> = (0..=255).collect();
        let new = [b"new", &old[5..105], b"!", &old[200..]].concat();
        let (runs, blocks) = written(&old, &new);
        let expected = [Run::Block(0), Run::Copy([5, 100]), Run::Block(1), Run::Copy([200, 56])];
        assert_eq!(runs, expected);
        assert_eq!(blocks, ["bmV3", "IQ=="]);
        assert_eq!(written(&old, &old).0, [Run::Copy([0, 256])]);
        assert_eq!(written(&old, b"short").0, [Run::Block(0)]);
    }

    #[test]
    fn a_window_that_rolls_has_the_hash_of_where_it_is() {
        let bytes: Vec<u8> = (0..100_u32).map(|n| (n * n % 251) as u8).collect();
        let mut rolling = Rolling::of(&bytes[..WINDOW]);
        for at in 1..=bytes.len() - WINDOW {
            rolling.roll(bytes[at - 1], bytes[at - 1 + WINDOW]);
            assert_eq!(rolling.0, Rolling::of(&bytes[at..at + WINDOW]).0);
        }
    }
}
