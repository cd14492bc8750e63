//! Parts of a file that came already.

use bytes::Bytes;
use std::{collections::BTreeMap, ops::Range};

/// Parts by their offsets, none of which overlap. Those that were not read for longest go first.
#[derive(Debug, Default)]
pub(crate) struct Segments {
    parts: BTreeMap<u64, Segment>,
    held: u64,
    clock: u64,
}

#[derive(Debug)]
struct Segment {
    bytes: Bytes,
    /// Time of the last reading, as a count.
    used: u64,
}

impl Segment {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }
}

impl Segments {
    /// The parts of a range that are not there.
    pub(crate) fn missing(&self, range: &Range<u64>) -> Vec<Range<u64>> {
        let mut gaps = Vec::new();
        let mut at = range.start;
        for (start, part) in self.overlapping(range) {
            if *start > at {
                gaps.push(at..*start);
            }
            at = at.max(start.saturating_add(part.len()));
        }
        if at < range.end {
            gaps.push(at..range.end);
        }
        gaps
    }

    fn overlapping(&self, range: &Range<u64>) -> impl Iterator<Item = (&u64, &Segment)> {
        let before = self.parts.range(..range.start).next_back();
        let first = before
            .filter(|(start, part)| start.saturating_add(part.len()) > range.start)
            .map_or(range.start, |(start, _)| *start);
        self.parts.range(first..range.end.max(first))
    }

    /// Takes up a part. What is there already stays.
    pub(crate) fn insert(&mut self, start: u64, bytes: &Bytes) {
        self.clock += 1;
        for gap in self.missing(&(start..start.saturating_add(bytes.len() as u64))) {
            let within = |at: u64| usize::try_from(at.saturating_sub(start)).unwrap_or(usize::MAX);
            let bytes = bytes.slice(within(gap.start)..within(gap.end));
            self.held = self.held.saturating_add(bytes.len() as u64);
            self.parts.insert(gap.start, Segment { bytes, used: self.clock });
        }
    }

    /// Copies a range that is there as a whole; otherwise nothing is said of the buffer.
    pub(crate) fn copy(&mut self, offset: u64, buffer: &mut [u8]) -> bool {
        let range = offset..offset.saturating_add(buffer.len() as u64);
        if !self.missing(&range).is_empty() {
            return false;
        }
        self.clock += 1;
        let starts: Vec<u64> = self.overlapping(&range).map(|(start, _)| *start).collect();
        for start in starts {
            let Some(part) = self.parts.get_mut(&start) else { return false };
            part.used = self.clock;
            let (from, to) =
                (range.start.max(start), range.end.min(start.saturating_add(part.len())));
            let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
            let source = part.bytes.get(index(from - start)..index(to - start));
            let target = buffer.get_mut(index(from - offset)..index(to - offset));
            let (Some(source), Some(target)) = (source, target) else { return false };
            target.copy_from_slice(source);
        }
        true
    }

    /// Lets go of what was not read for longest, until no more than `most` bytes are held. What is `pinned` stays.
    pub(crate) fn shrink(&mut self, most: u64, pinned: &[Range<u64>]) {
        while self.held > most {
            let free = self.parts.iter().filter(|(start, part)| {
                let end = start.saturating_add(part.len());
                pinned.iter().all(|pin| pin.end <= **start || pin.start >= end)
            });
            let Some(oldest) = free.min_by_key(|(_, part)| part.used).map(|(start, _)| *start)
            else {
                return;
            };
            if let Some(gone) = self.parts.remove(&oldest) {
                self.held = self.held.saturating_sub(gone.len());
            }
        }
    }

    #[cfg(test)]
    pub(crate) const fn held(&self) -> u64 {
        self.held
    }
}

/// Ranges in order, those with less than `gap` bytes between them as one.
pub(crate) fn merged(mut ranges: Vec<Range<u64>>, gap: u64) -> Vec<Range<u64>> {
    ranges.retain(|range| range.start < range.end);
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end.saturating_add(gap) => {
                last.end = last.end.max(range.end);
            }
            _ => merged.push(range),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_is_there_and_nothing_else() {
        let content: Vec<u8> = (0..200).collect();
        let part = |range: Range<usize>| Bytes::copy_from_slice(&content[range]);
        let mut segments = Segments::default();
        segments.insert(50, &part(50..100));
        segments.insert(120, &part(120..130));
        assert_eq!(segments.missing(&(40..140)), [40..50, 100..120, 130..140]);
        assert!(segments.missing(&(60..90)).is_empty());
        assert!(!segments.copy(90, &mut [0; 40]));
        // Over what is there.
        segments.insert(0, &part(0..200));
        let mut read = [0; 100];
        assert!(segments.copy(37, &mut read));
        assert_eq!(read, content[37..137]);
        assert_eq!(segments.held(), 200);
    }

    #[test]
    fn what_was_not_read_for_longest_goes_first() {
        let mut segments = Segments::default();
        for start in [0, 10, 20, 30] {
            segments.insert(start, &Bytes::from_static(&[1; 10]));
        }
        assert!(segments.copy(0, &mut [0; 10]));
        segments.shrink(20, &[15..17, 16..18]);
        assert_eq!(segments.missing(&(0..40)).first(), Some(&(20..40)));
        segments.shrink(0, &[0..20, 20..40]);
        assert_eq!(segments.held(), 20);
    }

    #[test]
    fn near_ranges_are_one() {
        assert_eq!(merged(vec![90..100, 0..10, 12..20, 5..8, 50..50], 2), [0..20, 90..100]);
        assert_eq!(merged(vec![0..10, 10..20, 21..30], 0), [0..20, 21..30]);
    }
}
