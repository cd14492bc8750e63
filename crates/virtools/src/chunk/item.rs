//! Items in the data of a chunk, by its identifiers and lists (`docs/formats/virtools.md#114-items`).

use super::{Chunk, list::ListTarget, section::Sections};
use spelunk_core::{Budget, Result, scalar::Guid};
use std::ops::Range;
use zerocopy::{FromBytes, IntoBytes, little_endian::U32};

/// Sub-chunks in sub-chunks that are followed; real files nest three deep.
pub const MAX_DEPTH: usize = 16;

/// A stretch of data.
#[derive(Clone, Debug)]
pub struct Item<'a> {
    /// The indexes of its dwords in the data.
    pub range: Range<usize>,
    /// Kind and content of the item.
    pub what: What<'a>,
}

impl<'a> Item<'a> {
    /// The sub-chunks of which it consists, without null ones, each with the index of its size in the data.
    pub fn sub_chunks(&self) -> impl Iterator<Item = (usize, Chunk<'a>)> + use<'a> {
        let (mut single, mut sequence) = match &self.what {
            What::SubChunk(chunk) => (Some((self.range.start, **chunk)), None),
            What::SubChunks(chunks) => (None, Some(SubChunks::clone(chunks))),
            _ => (None, None),
        };
        std::iter::from_fn(move || {
            if let Some(single) = single.take() {
                return Some(single);
            }
            let sequence = sequence.as_mut()?;
            loop {
                let index = sequence.index();
                if let Some(chunk) = sequence.next()?.ok()? {
                    return Some((index, chunk));
                }
            }
        })
    }
}

/// Kind and content of a stretch of data.
#[derive(Clone, Debug)]
pub enum What<'a> {
    /// An identifier and the index of the next one.
    Identifier(u32),
    /// Dwords that neither the chain nor the lists explain.
    Words,
    /// The raw id of an object (IDS).
    Object(u32),
    /// A count and that many raw ids (IDS).
    Objects(&'a [U32]),
    /// A sub-chunk (CHN); never a null one, which no list names.
    SubChunk(Box<Chunk<'a>>),
    /// A count and that many sub-chunks, null ones among them (CHN).
    SubChunks(Box<SubChunks<'a>>),
    /// The GUID of a manager and one of its numbers (MAN).
    Manager(Guid, u32),
    /// A count, the GUID of a manager, and that many of its numbers (MAN).
    Managers(Guid, &'a [U32]),
}

/// The sub-chunks of a sequence.
#[derive(Clone, Debug)]
pub struct SubChunks<'a> {
    parent: Chunk<'a>,
    next: usize,
    left: u32,
}

impl SubChunks<'_> {
    /// Number of elements, null ones included.
    pub const fn len(&self) -> u32 {
        self.left
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.left == 0
    }

    /// The index behind those that were taken.
    pub const fn index(&self) -> usize {
        self.next
    }
}

impl<'a> Iterator for SubChunks<'a> {
    type Item = Result<Option<Chunk<'a>>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        match self.parent.sub_chunk(self.next) {
            Ok((chunk, next)) => {
                self.next = next;
                Some(Ok(chunk))
            }
            Err(error) => {
                self.left = 0;
                Some(Err(error))
            }
        }
    }
}

impl<'a> Chunk<'a> {
    /// The raw ids that an IDS entry points at, one or those of a sequence; `None` where it points outside
    /// the data.
    #[inline]
    pub fn objects(&self, entry: ListTarget) -> Option<&'a [U32]> {
        match entry {
            ListTarget::Single(index) => {
                let index = index as usize;
                self.data.get(index..index.checked_add(1)?)
            }
            ListTarget::Sequence(index) => {
                let (count, rest) = self.data.get(index as usize..)?.split_first()?;
                rest.get(..count.get() as usize)
            }
            ListTarget::Cut => None,
        }
    }

    /// The GUID and the numbers that a MAN entry points at; `None` where it points outside the data.
    #[inline]
    pub fn manager_ints(&self, entry: ListTarget) -> Option<(Guid, &'a [U32])> {
        let (guid, values) = match entry {
            ListTarget::Single(index) => {
                let words = self.data.get(index as usize..)?;
                (words.get(..2)?, words.get(2..3)?)
            }
            ListTarget::Sequence(index) => {
                let (count, rest) = self.data.get(index as usize..)?.split_first()?;
                (rest.get(..2)?, rest.get(2..)?.get(..count.get() as usize)?)
            }
            ListTarget::Cut => return None,
        };
        Some((Guid::read_from_bytes(guid.as_bytes()).ok()?, values))
    }

    /// The sub-chunks of the sequence whose count is the dword at `index`; `None` outside the data, and where
    /// so many cannot follow.
    pub fn sub_chunks(&self, index: usize) -> Option<SubChunks<'a>> {
        let (count, rest) = self.data.get(index..)?.split_first()?;
        let left = count.get();
        let next = index.saturating_add(1);
        (left as usize <= rest.len()).then_some(SubChunks { parent: *self, next, left })
    }

    /// The data in order, as the chain of identifiers and the lists divide it. Every dword belongs to exactly
    /// one item. Entries of lists that point outside the data, into an identifier or into another item are
    /// passed over, as is a chain from where it is broken: their dwords are [`What::Words`].
    ///
    /// # Errors
    /// Limits.
    pub fn items(&self, budget: &mut Budget) -> Result<Vec<Item<'a>>> {
        self.items_along(self.sections(), budget)
    }

    /// The same where `sections` is the chain of identifiers.
    pub(super) fn items_along(
        &self,
        sections: Sections<'a>,
        budget: &mut Budget,
    ) -> Result<Vec<Item<'a>>> {
        let words = [self.ids, self.chunks, self.managers].map(|list| list.words().len());
        let most = words.iter().fold(0_u64, |sum, len| sum.saturating_add(*len as u64));
        budget.steps(most.saturating_add(1))?;
        let mut marks = budget.vec::<Item<'a>>(most)?;
        for entry in self.ids.entries() {
            marks.extend(self.object_item(entry));
        }
        for entry in self.chunks.entries() {
            marks.extend(self.sub_chunk_item(entry, budget)?);
        }
        for entry in self.managers.entries() {
            marks.extend(self.manager_item(entry));
        }
        marks.sort_by_key(|item| item.range.start);
        let count = sections.clone().count() as u64;
        budget.steps(count)?;
        let room = count.saturating_add(marks.len() as u64).saturating_mul(2).saturating_add(1);
        let mut items = budget.vec(room)?;
        let mut marks = marks.into_iter().peekable();
        let mut at = 0;
        for part in sections {
            items.push(Item {
                range: part.index..part.payload().start,
                what: What::Identifier(part.identifier),
            });
            at = fill(&mut items, &mut marks, part.payload());
        }
        // What a broken chain left out, or all of the data where there is no chain.
        fill(&mut items, &mut marks, at..self.data.len());
        budget.release(most.saturating_mul(size_of::<Item<'_>>() as u64));
        Ok(items)
    }

    /// Lends the items to `work`, and gives their memory back to the budget.
    pub(super) fn with_items<E: From<spelunk_core::Error>, T>(
        &self,
        budget: &mut Budget,
        work: impl FnOnce(&[Item<'a>], &mut Budget) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let before = budget.left().memory;
        let items = self.items(budget);
        let taken = before.saturating_sub(budget.left().memory);
        let result = items.map_err(E::from).and_then(|items| work(&items, budget));
        budget.release(taken);
        result
    }

    fn object_item(&self, entry: ListTarget) -> Option<Item<'a>> {
        let ids = self.objects(entry)?;
        Some(match entry {
            ListTarget::Single(index) => item(index, 1, What::Object(ids.first()?.get())),
            ListTarget::Sequence(index) => {
                item(index, ids.len().checked_add(1)?, What::Objects(ids))
            }
            ListTarget::Cut => return None,
        })
    }

    fn sub_chunk_item(&self, entry: ListTarget, budget: &mut Budget) -> Result<Option<Item<'a>>> {
        Ok(match entry {
            ListTarget::Single(index) => match self.sub_chunk(index as usize) {
                Ok((Some(chunk), end)) => {
                    budget.memory(size_of::<Chunk<'_>>() as u64)?;
                    let what = What::SubChunk(Box::new(chunk));
                    Some(Item { range: index as usize..end, what })
                }
                _ => None,
            },
            ListTarget::Sequence(index) => self.sub_chunk_sequence(index as usize, budget)?,
            ListTarget::Cut => None,
        })
    }

    /// A sequence all of whose sub-chunks can be read.
    fn sub_chunk_sequence(&self, index: usize, budget: &mut Budget) -> Result<Option<Item<'a>>> {
        let Some(chunks) = self.sub_chunks(index) else { return Ok(None) };
        budget.steps(chunks.len().into())?;
        let mut ahead = chunks.clone();
        if !ahead.by_ref().all(|chunk| chunk.is_ok()) {
            return Ok(None);
        }
        budget.memory(size_of::<SubChunks<'_>>() as u64)?;
        let what = What::SubChunks(Box::new(chunks));
        Ok(Some(Item { range: index..ahead.index(), what }))
    }

    fn manager_item(&self, entry: ListTarget) -> Option<Item<'a>> {
        let (guid, values) = self.manager_ints(entry)?;
        Some(match entry {
            ListTarget::Single(index) => item(index, 3, What::Manager(guid, values.first()?.get())),
            ListTarget::Sequence(index) => {
                item(index, values.len().checked_add(3)?, What::Managers(guid, values))
            }
            ListTarget::Cut => return None,
        })
    }
}

fn item(index: u32, len: usize, what: What<'_>) -> Item<'_> {
    let start = index as usize;
    Item { range: start..start.saturating_add(len), what }
}

/// Adds the items of `range` with the words between them; gives the end of the range.
fn fill<'a>(
    items: &mut Vec<Item<'a>>,
    marks: &mut std::iter::Peekable<impl Iterator<Item = Item<'a>>>,
    range: Range<usize>,
) -> usize {
    let mut at = range.start;
    let words = |items: &mut Vec<Item<'a>>, range: Range<usize>| {
        if !range.is_empty() {
            items.push(Item { range, what: What::Words });
        }
    };
    while let Some(mark) = marks.next_if(|mark| mark.range.start < range.end) {
        if mark.range.start >= at && mark.range.end <= range.end {
            words(items, at..mark.range.start);
            at = mark.range.end;
            items.push(mark);
        }
    }
    words(items, at..range.end);
    range.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::tests::{MANAGER, everything, view};
    use spelunk_core::{Class, limits::Limits};
    use spelunk_fixtures::chunk::Chunk as Sample;
    use test_support::task::budget;

    fn shape(chunk: &Chunk<'_>) -> Vec<(Range<usize>, String)> {
        let items = chunk.items(&mut budget(0)).unwrap();
        let mut at = 0;
        let each = items.into_iter().map(|item| {
            assert_eq!(item.range.start, at, "no gap, no overlap");
            at = item.range.end;
            let subs: Vec<_> = item.sub_chunks().map(|(at, sub)| (at, sub.class_id)).collect();
            let what = match item.what {
                What::Identifier(number) => format!("{number:#x}"),
                What::Words => "words".into(),
                What::Object(id) => format!("object {id}"),
                What::Objects(ids) => {
                    format!("objects {:?}", ids.iter().map(|id| id.get()).collect::<Vec<_>>())
                }
                What::SubChunk(_) => format!("sub-chunk {subs:?}"),
                What::SubChunks(all) => format!("{} sub-chunks {subs:?}", all.len()),
                What::Manager(guid, value) => format!("{:x} {value}", guid.d1),
                What::Managers(guid, values) => {
                    format!(
                        "{:x} {:?}",
                        guid.d1,
                        values.iter().map(|value| value.get()).collect::<Vec<_>>()
                    )
                }
            };
            (item.range, what)
        });
        let each = each.collect();
        assert_eq!(at, chunk.data.len());
        each
    }

    fn told(sample: &Sample) -> Vec<String> {
        shape(&view(&sample.build().bytes)).into_iter().map(|(_, what)| what).collect()
    }

    #[test]
    fn every_item_is_found_in_every_generation() {
        for version in [4, 5, 6, 7] {
            let bytes = everything(version).build().bytes;
            let chunk = view(&bytes);
            let whats: Vec<_> = shape(&chunk).into_iter().map(|(_, what)| what).collect();
            let expected = [
                "0x40",
                "object 144",
                "words",
                "objects [1, 0, 3]",
                "0x20000",
                "sub-chunk [(10, 81)]",
                "words",
                "3 sub-chunks",
                "466a0fac 3",
                "466a0fac [4, 5]",
            ];
            if version == 4 {
                assert_eq!(whats[8..], ["words"], "no MAN list");
            }
            for (what, expected) in
                whats.iter().zip(expected).take(if version == 4 { 8 } else { 10 })
            {
                assert!(what.starts_with(expected), "{what}, {expected}");
            }
            assert!(whats[7].contains(", 80), (") && whats[7].ends_with(", 82)]"), "{}", whats[7]);
        }
    }

    #[test]
    fn entries_that_point_astray_are_words() {
        let sample = Sample::sub(1).identifier(1).words(&[7; 6]).identifier(2).word(7);
        for entries in [
            &[20][..],
            &[11],
            &[-1],
            &[-1, 11],
            // A count of 7 reaches past the data.
            &[-1, 3],
            // Into an identifier, and across the next one.
            &[0],
            &[9],
            &[-1, 0],
        ] {
            let mut damaged = sample.clone();
            damaged.ids = entries.to_vec();
            assert_eq!(told(&damaged), ["0x1", "words", "0x2", "words"], "{entries:?}");
        }
        let mut twice = sample.clone();
        (twice.ids, twice.managers) = (vec![4, 4, 3], vec![3]);
        assert_eq!(told(&twice)[..4], ["0x1", "words", "object 7", "object 7"]);
        let mut sizes = sample;
        sizes.chunks = vec![2, -1, 3];
        assert_eq!(told(&sizes), ["0x1", "words", "0x2", "words"], "7 dwords do not fit");
    }

    #[test]
    fn a_broken_chain_leaves_words_behind() {
        let mut sample = Sample::sub(1).identifier(1).word(7).identifier(2).object_ref(Some(9));
        sample.words[4] = 1;
        assert_eq!(told(&sample), ["0x1", "words", "words", "object 9"]);
        let outer = Sample::object(2).sub_chunk(&sample);
        let bytes = outer.build().bytes;
        let sub = view(&bytes).sub_chunk(0).unwrap().0.unwrap();
        let whats: Vec<_> = shape(&sub).into_iter().map(|(_, what)| what).collect();
        assert_eq!(whats, ["words", "object 9"], "plain words of a sub-chunk have no identifiers");
    }

    #[test]
    fn a_sequence_with_a_damaged_sub_chunk_is_words() {
        let sub = Sample::sub(80).identifier(1);
        let mut sample = Sample::object(2).identifier(1).sub_chunk_sequence(&[Some(sub), None]);
        assert_eq!(told(&sample).len(), 2);
        sample.words[3] = 6;
        assert_eq!(told(&sample), ["0x1", "words"]);
        sample.words[2] = u32::MAX;
        assert_eq!(told(&sample), ["0x1", "words"]);
    }

    #[test]
    fn numbers_of_managers_end_inside_the_data() {
        let sample = Sample::object(2).manager_int(MANAGER, 3).manager_sequence(MANAGER, &[4]);
        let bytes = sample.build().bytes;
        let chunk = view(&bytes);
        let values = |entry| chunk.manager_ints(entry).map(|(_, values)| values.len());
        assert_eq!(values(ListTarget::Single(0)), Some(1));
        assert_eq!(values(ListTarget::Sequence(3)), Some(1));
        for entry in [
            ListTarget::Single(5),
            ListTarget::Sequence(4),
            ListTarget::Sequence(7),
            ListTarget::Cut,
        ] {
            assert_eq!(values(entry), None, "{entry:?}");
        }
        assert!(values(ListTarget::Single(u32::MAX)).is_none());
    }

    #[test]
    fn memory_comes_back_and_is_limited() {
        let bytes = everything(7).build().bytes;
        let chunk = view(&bytes);
        let mut budget = budget(0);
        let before = budget.left().memory;
        let count =
            chunk.with_items(&mut budget, |items, _| Ok::<_, spelunk_core::Error>(items.len()));
        assert_eq!((count.unwrap(), budget.left().memory), (10, before));
        let mut little = Budget::new(Limits { memory: 64, ..Limits::for_len(0) });
        assert_eq!(chunk.items(&mut little).unwrap_err().code().class, Class::Limit);
    }
}
