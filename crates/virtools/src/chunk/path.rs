//! Identifiers and sub-chunks as parts that have a path (`docs/formats/virtools.md#115-sub-chunks`).
//!
//! | step | part |
//! |---|---|
//! | `0x20000` | the identifier of this number, in hexadecimal digits |
//! | `0x20000.1` | its second occurrence |
//! | `2` | the third sub-chunk below the identifier, null ones not counted |
//!
//! `0x80000000/0/0x20000/2` thus names a sub-chunk of a sub-chunk. Sub-chunks that lie below no identifier,
//! as those in plain words, are counted in the chunk itself.

use super::{
    Chunk,
    describe::{Occurrences, numbered},
    item::{Item, MAX_DEPTH},
    section::Section,
};
use spelunk_core::{Budget, Halt, Result, Span, Walk, Walked, walk::finish};
use std::ops::Range;
use zerocopy::IntoBytes;

/// Kind of the part that a [`PartPosition`] leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChunkPartKind {
    /// An identifier with what belongs to it.
    Section,
    /// A sub-chunk.
    SubChunk,
}

/// A part of a chunk, or of one of its sub-chunks at any depth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PartPosition {
    /// Index of the identifier or of the size dword, counted in dwords from the start of the outermost chunk.
    pub index: u32,
    /// Kind of the part.
    pub kind: ChunkPartKind,
}

/// A part that a [`PartPosition`] names.
#[derive(Clone, Debug)]
pub struct ChunkPart<'a> {
    /// The sub-chunk, or the chunk that the identifier lies in.
    pub chunk: Chunk<'a>,
    /// The identifier, where the part is one.
    pub section: Option<Section>,
    /// All of it: the identifier, or the size of the sub-chunk, comes first.
    pub bytes: &'a [u8],
    /// Bytes of the part.
    pub at: Span,
    /// Sub-chunks around its chunk, that included.
    depth: usize,
}

impl<'a> ChunkPart<'a> {
    /// A chunk that stands for itself.
    const fn whole(chunk: Chunk<'a>) -> ChunkPart<'a> {
        ChunkPart { chunk, section: None, bytes: &[], at: chunk.at, depth: 0 }
    }

    /// Walks every byte of the part exactly once, as fields of the group that is open.
    ///
    /// # Errors
    /// As [`Chunk::walk`].
    pub fn walk(&self, budget: &mut Budget, walk: &mut dyn Walk) -> Walked {
        match &self.section {
            Some(section) => self.chunk.walk_section(section, budget, walk),
            None => self.chunk.walk(budget, walk),
        }
    }
}

/// A part as [`Chunk::children`] lists it.
#[derive(Clone, Debug)]
pub struct Child {
    /// Step of the path that leads to the part.
    pub step: String,
    /// Place of the part.
    pub place: PartPosition,
    /// Bytes that it takes.
    pub len: u64,
}

impl<'a> Chunk<'a> {
    /// The place that a path below this chunk names; `None` where there is none.
    ///
    /// # Errors
    /// Limits.
    pub fn find(&self, path: &str, budget: &mut Budget) -> Result<Option<PartPosition>> {
        let (mut chunk, mut depth) = (*self, 0_usize);
        let mut section = None;
        let mut place = None;
        for step in path.split('/') {
            budget.touch(chunk.at.len)?;
            if step.starts_with("0x") {
                // Identifiers lie in chunks, never in each other.
                section = chunk.section_at_step(step).filter(|_| section.is_none());
                let Some(section) = section else { return Ok(None) };
                place = self.place(&chunk, section.index, ChunkPartKind::Section);
            } else {
                let Some(nth) = number(step, 10).filter(|_| depth < MAX_DEPTH) else {
                    return Ok(None);
                };
                let inside = chunk.inside(section.take());
                let mut left = nth;
                let found = chunk.each_sub_chunk(&inside, budget, |index, sub| {
                    let found = (left == 0).then_some((index, sub));
                    left = left.saturating_sub(1);
                    found
                })?;
                let Some((index, sub)) = found else { return Ok(None) };
                place = self.place(&chunk, index, ChunkPartKind::SubChunk);
                chunk = sub;
                depth = depth.saturating_add(1);
            }
        }
        Ok(place)
    }

    /// The part that a place of this chunk names; `None` where there is none.
    ///
    /// # Errors
    /// Limits.
    pub fn part(&self, place: PartPosition, budget: &mut Budget) -> Result<Option<ChunkPart<'a>>> {
        let (mut chunk, mut depth) = (*self, 0_usize);
        loop {
            budget.touch(chunk.at.len)?;
            let Some(index) = (place.index as usize).checked_sub(self.data_start(&chunk)) else {
                return Ok(None);
            };
            if place.kind == ChunkPartKind::Section
                && let Some(section) = chunk.sections().find(|section| section.index == index)
            {
                let range = index..section.end;
                return Ok(Some(chunk.cut(range, chunk, Some(section), depth)));
            }
            if depth == MAX_DEPTH {
                return Ok(None);
            }
            depth = depth.saturating_add(1);
            let found = chunk.each_sub_chunk(&(0..chunk.data.len()), budget, |start, sub| {
                let range = start..start.saturating_add((sub.at.len >> 2) as usize);
                range.contains(&index).then_some((range, sub))
            })?;
            let Some((range, sub)) = found else { return Ok(None) };
            if range.start == index && place.kind == ChunkPartKind::SubChunk {
                return Ok(Some(chunk.cut(range, sub, None, depth)));
            }
            chunk = sub;
        }
    }

    /// The parts right below a part of this chunk, or below the chunk itself: of a chunk its identifiers and
    /// the sub-chunks that lie below none, of an identifier its sub-chunks.
    ///
    /// # Errors
    /// Limits, and what `each` returns.
    pub fn children(
        &self,
        of: Option<PartPosition>,
        budget: &mut Budget,
        each: &mut dyn FnMut(Child) -> Walked,
    ) -> Walked {
        let part = match of {
            Some(place) => self.part(place, budget)?,
            None => Some(ChunkPart::whole(*self)),
        };
        let Some(part) = part else { return Ok(()) };
        let mut child = |step, index, kind, dwords: u64| {
            let Some(place) = self.place(&part.chunk, index, kind) else { return Ok(()) };
            each(Child { step, place, len: dwords.saturating_mul(4) })
        };
        if part.section.is_none() {
            budget.touch(part.chunk.at.len)?;
            let mut occurrences = Occurrences::default();
            for section in part.chunk.sections() {
                let before = occurrences.before(section.identifier, budget)?;
                let step = numbered(format_args!("{:#x}", section.identifier), before);
                let dwords = section.end.saturating_sub(section.index) as u64;
                child(step, section.index, ChunkPartKind::Section, dwords)?;
            }
            occurrences.release(budget);
        }
        if part.depth == MAX_DEPTH {
            return Ok(());
        }
        let inside = part.chunk.inside(part.section);
        let mut nth = 0_usize;
        let halted = part.chunk.each_sub_chunk(&inside, budget, |index, sub| {
            let walked = child(nth.to_string(), index, ChunkPartKind::SubChunk, sub.at.len >> 2);
            nth = nth.saturating_add(1);
            walked.err()
        })?;
        halted.map_or(Ok(()), Err)
    }

    /// The path of a place of this chunk, which [`Chunk::find`] leads back; `None` where there is no such part.
    ///
    /// # Errors
    /// Limits.
    pub fn path(&self, place: PartPosition, budget: &mut Budget) -> Result<Option<String>> {
        let mut path = String::new();
        let mut above = None;
        loop {
            let mut around = None;
            finish(self.children(above, budget, &mut |child| {
                let start = child.place.index;
                let end = u64::from(start).saturating_add(child.len >> 2);
                if start <= place.index && u64::from(place.index) < end {
                    around = Some(child);
                    return Err(Halt::Stop);
                }
                Ok(())
            }))?;
            let Some(child) = around else { return Ok(None) };
            if !path.is_empty() {
                path.push('/');
            }
            path.push_str(&child.step);
            if child.place == place {
                return Ok(Some(path));
            }
            above = Some(child.place);
        }
    }

    /// Range in which sub-chunks are counted: below an identifier, or in the chunk outside all of them.
    fn inside(&self, section: Option<Section>) -> Range<usize> {
        match section {
            Some(section) => section.payload(),
            None => self.sections().last().map_or(0, |last| last.end)..self.data.len(),
        }
    }

    /// The section that a step as `0x20000.1` names.
    fn section_at_step(&self, step: &str) -> Option<Section> {
        let (identifier, nth) = match step.split_once('.') {
            Some((identifier, nth)) => (identifier, number(nth, 10).filter(|nth| *nth > 0)?),
            None => (step, 0),
        };
        let identifier = number(identifier.strip_prefix("0x")?, 16)?;
        let mut same = self.sections().filter(|section| section.identifier == identifier);
        same.nth(nth as usize)
    }

    /// Dwords from the start of this chunk to the data of a chunk in it.
    fn data_start(&self, chunk: &Chunk<'_>) -> usize {
        (chunk.data_at(0, 0).start.saturating_sub(self.at.start) >> 2) as usize
    }

    fn place(&self, chunk: &Chunk<'_>, index: usize, kind: ChunkPartKind) -> Option<PartPosition> {
        let index = self.data_start(chunk).saturating_add(index);
        Some(PartPosition { index: u32::try_from(index).ok()?, kind })
    }

    fn cut(
        &self,
        range: Range<usize>,
        chunk: Chunk<'a>,
        section: Option<Section>,
        depth: usize,
    ) -> ChunkPart<'a> {
        let at = self.data_at(range.start, range.len());
        let bytes = self.data.get(range).unwrap_or_default().as_bytes();
        ChunkPart { chunk, section, bytes, at, depth }
    }

    /// The first result that `look` has for the sub-chunks that start in a range of the data.
    fn each_sub_chunk<T>(
        &self,
        inside: &Range<usize>,
        budget: &mut Budget,
        mut look: impl FnMut(usize, Chunk<'a>) -> Option<T>,
    ) -> Result<Option<T>> {
        if self.chunks.words().is_empty() {
            return Ok(None);
        }
        self.with_items(budget, |items, _| {
            let items = items.iter().filter(|item| inside.contains(&item.range.start));
            let mut subs = items.flat_map(Item::sub_chunks);
            Ok(subs.find_map(|(index, sub)| look(index, sub)))
        })
    }
}

/// A number of digits alone.
fn number(digits: &str, radix: u32) -> Option<u32> {
    let plain = digits.bytes().all(|byte| char::from(byte).is_digit(radix));
    u32::from_str_radix(digits, radix).ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::tests::{everything, view};
    use spelunk_core::{
        Space,
        walk::{Coverage, finish},
    };
    use spelunk_fixtures::chunk::Chunk as Sample;
    use test_support::task::budget;

    /// Every part, with its whole path, outermost first.
    fn all(chunk: &Chunk<'_>) -> Vec<(String, Child)> {
        let mut found = Vec::new();
        let mut left = vec![(String::new(), None)];
        while let Some((path, place)) = left.pop() {
            let mut here = Vec::new();
            let listed = chunk.children(place, &mut budget(0), &mut |child| {
                let step = &child.step;
                let path = if path.is_empty() { step.clone() } else { format!("{path}/{step}") };
                here.push((path, child));
                Ok(())
            });
            finish(listed).unwrap();
            left.extend(here.iter().map(|(path, child)| (path.clone(), Some(child.place))));
            found.extend(here);
        }
        found.sort_by_key(|(path, _)| path.clone());
        found
    }

    /// Asserts that every part listed is found by its path, and that its place leads back to its bytes.
    fn assert_listed(chunk: &Chunk<'_>, bytes: &[u8]) -> Vec<String> {
        let all = all(chunk);
        for (path, child) in &all {
            assert_eq!(chunk.find(path, &mut budget(0)).unwrap(), Some(child.place), "{path}");
            let back = chunk.path(child.place, &mut budget(0)).unwrap();
            assert_eq!(back.as_ref(), Some(path));
            let part = chunk.part(child.place, &mut budget(0)).unwrap().unwrap();
            assert_eq!(part.at.start, u64::from(child.place.index) * 4);
            assert_eq!((part.at.len, part.bytes.len() as u64), (child.len, child.len), "{path}");
            assert_eq!(part.bytes, &bytes[part.at.start as usize..part.at.end() as usize]);
            let mut coverage = Coverage::default();
            finish(part.walk(&mut budget(0), &mut coverage)).unwrap();
            // What the walk covers and the bytes before and behind it make up the whole.
            let faults = coverage.check(Space::FILE, chunk.at.len);
            let gaps = [(0, part.at.start), (part.at.end(), chunk.at.len)];
            let gaps = gaps.into_iter().filter(|(start, end)| start < end);
            let gaps = gaps
                .map(|(start, end)| spelunk_core::walk::Fault::Gap(Span::file(start, end - start)));
            assert!(faults.iter().copied().eq(gaps), "{path}: {faults:?}");
        }
        all.into_iter().map(|(path, _)| path).collect()
    }

    #[test]
    fn every_part_is_found_and_leads_back() {
        for version in [4, 5, 6, 7] {
            let bytes = everything(version).build().bytes;
            let paths = assert_listed(&view(&bytes), &bytes);
            let expected = [
                "0x20000",
                "0x20000/0",
                "0x20000/0/0x51",
                "0x20000/0/0x51/0",
                "0x20000/0/0x51/0/0x50",
                "0x20000/1",
                "0x20000/1/0x50",
                "0x20000/2",
                "0x40",
            ];
            assert_eq!(paths, expected);
        }
    }

    #[test]
    fn sub_chunks_in_plain_words_are_counted_in_the_chunk() {
        let inner = Sample::sub(3).identifier(0x10).word(4);
        let plain = Sample::sub(1).words(&[2, 3, 9]).sub_chunk(&inner);
        let sample = Sample::object(48).identifier(5).sub_chunk(&plain).identifier(5);
        let bytes = sample.build().bytes;
        let paths = assert_listed(&view(&bytes), &bytes);
        assert_eq!(paths, ["0x5", "0x5.1", "0x5/0", "0x5/0/0", "0x5/0/0/0x10"]);
    }

    #[test]
    fn what_no_path_names_is_not_found() {
        let bytes = everything(7).build().bytes;
        let chunk = view(&bytes);
        for path in [
            "",
            "/",
            "0",
            "0x",
            "0x41",
            "40",
            "0x+40",
            "+0",
            "0x40/0",
            "0x40/0x20000",
            "0x40.1",
            "0x40.0",
            "0x40.",
            "0x20000/3",
            "0x20000/0/",
            "0x20000/-1",
            "0x100000040",
        ] {
            assert_eq!(chunk.find(path, &mut budget(0)).unwrap(), None, "{path}");
        }
        let section = chunk.find("0x40", &mut budget(0)).unwrap().unwrap();
        for index in (0..bytes.len() as u32 + 9).chain([u32::MAX]) {
            for kind in [ChunkPartKind::Section, ChunkPartKind::SubChunk] {
                let place = PartPosition { index, kind };
                let part = chunk.part(place, &mut budget(0)).unwrap();
                let listed = all(&chunk).iter().any(|(_, child)| child.place == place);
                assert_eq!(part.is_some(), listed, "{place:?}");
                let path = chunk.path(place, &mut budget(0)).unwrap();
                assert_eq!(path.is_some(), listed, "{place:?}");
            }
        }
        let astray = PartPosition { kind: ChunkPartKind::SubChunk, ..section };
        finish(chunk.children(Some(astray), &mut budget(0), &mut |_| panic!("no part"))).unwrap();
    }

    #[test]
    fn depth_is_limited_alike_everywhere() {
        let mut deep = Sample::sub(1).word(5);
        for _ in 0..MAX_DEPTH {
            deep = Sample::sub(1).sub_chunk(&deep);
        }
        let bytes = Sample::object(2).sub_chunk(&deep).build().bytes;
        let paths = assert_listed(&view(&bytes), &bytes);
        assert_eq!(paths.len(), MAX_DEPTH, "one more is there");
    }
}
