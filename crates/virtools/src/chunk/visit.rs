//! The public walk over ids, numbers of managers and sub-chunks (`docs/formats/virtools.md#116-visiting`).

use super::{Chunk, item::MAX_DEPTH, list::Entry};
use crate::codes;
use spelunk_core::{Budget, Error, Result, scalar::Guid};
use zerocopy::little_endian::U32;

/// Sees what the lists of a chunk and of all of its sub-chunks tell of. Every place is an index in dwords from
/// the start of the outermost chunk.
pub trait Visit {
    /// A raw id of an object, 0 for none, at `at`.
    ///
    /// # Errors
    /// Any, to end the walk.
    fn object(&mut self, at: usize, id: u32) -> Result<()> {
        let _ = (at, id);
        Ok(())
    }

    /// A number of the manager `guid`, at `at`.
    ///
    /// # Errors
    /// Any, to end the walk.
    fn manager_int(&mut self, at: usize, guid: Guid, value: u32) -> Result<()> {
        let _ = (at, guid, value);
        Ok(())
    }

    /// A sub-chunk begins, whose size is the dword at `at`. Null ones are passed over.
    ///
    /// # Errors
    /// Any, to end the walk.
    fn enter(&mut self, at: usize, chunk: &Chunk<'_>) -> Result<()> {
        let _ = (at, chunk);
        Ok(())
    }

    /// The innermost sub-chunk that was entered ends.
    ///
    /// # Errors
    /// Any, to end the walk.
    fn leave(&mut self, at: usize, chunk: &Chunk<'_>) -> Result<()> {
        let _ = (at, chunk);
        Ok(())
    }
}

impl Chunk<'_> {
    /// Shows what the lists tell of: the ids of this chunk, then its numbers of managers, then its sub-chunks
    /// with all that is theirs, each in the order of its list. In chunks of versions below 4 ids are found by
    /// the fixed dwords before them, in the order of the data, those of sub-chunks among them. Entries that point outside the data are passed
    /// over, and so are sub-chunks whose sizes do not fit; [`Chunk::verify`] reports them.
    ///
    /// # Errors
    /// [`codes::NESTING`], limits, and what the visitor returns.
    pub fn visit<V: Visit + ?Sized>(&self, visitor: &mut V, budget: &mut Budget) -> Result<()> {
        Level { chunk: self, start: self.header_len(), depth: 0, shown: false }
            .visit(visitor, budget)
    }
}

/// The outermost chunk, or a sub-chunk.
struct Level<'c, 'a> {
    chunk: &'c Chunk<'a>,
    /// Where its data starts, in dwords from the start of the outermost chunk.
    start: usize,
    depth: usize,
    /// Whether the marked ids in it were shown with those of the chunk around it.
    shown: bool,
}

impl Level<'_, '_> {
    fn visit<V: Visit + ?Sized>(&self, visitor: &mut V, budget: &mut Budget) -> Result<()> {
        budget.touch(self.chunk.at.len)?;
        match (self.chunk.is_marked(), self.shown) {
            (false, _) => self.listed_ids(visitor, budget)?,
            (true, false) => self.marked_ids(visitor, budget)?,
            (true, true) => {}
        }
        self.manager_ints(visitor, budget)?;
        self.sub_chunks(visitor, budget)
    }

    fn listed_ids<V: Visit + ?Sized>(&self, visitor: &mut V, budget: &mut Budget) -> Result<()> {
        for entry in self.chunk.ids.entries() {
            let Some(ids) = self.chunk.objects(entry) else { continue };
            let (index, before) = match entry {
                Entry::Single(index) => (index, 0),
                Entry::Sequence(index) => (index, 1),
                Entry::Cut => continue,
            };
            // Entries may point at the same ids, so these are paid for anew.
            budget.steps(ids.len() as u64)?;
            self.ids((index as usize).saturating_add(before), ids, visitor)?;
        }
        Ok(())
    }

    fn ids<V: Visit + ?Sized>(&self, index: usize, ids: &[U32], visitor: &mut V) -> Result<()> {
        for (at, id) in (self.start.saturating_add(index)..).zip(ids) {
            visitor.object(at, id.get())?;
        }
        Ok(())
    }

    /// The ids of a chunk of a version below 4, those in its sub-chunks included.
    fn marked_ids<V: Visit + ?Sized>(&self, visitor: &mut V, budget: &mut Budget) -> Result<()> {
        budget.steps(self.chunk.data.len() as u64)?;
        for range in self.chunk.marked_ids() {
            let ids = self.chunk.data.get(range.clone()).unwrap_or_default();
            self.ids(range.start, ids, visitor)?;
        }
        Ok(())
    }

    fn manager_ints<V: Visit + ?Sized>(&self, visitor: &mut V, budget: &mut Budget) -> Result<()> {
        for entry in self.chunk.managers.entries() {
            let Some((guid, values)) = self.chunk.manager_ints(entry) else { continue };
            let (index, before) = match entry {
                Entry::Single(index) => (index, 2),
                Entry::Sequence(index) => (index, 3),
                Entry::Cut => continue,
            };
            budget.steps(values.len() as u64)?;
            let index = self.start.saturating_add(index as usize).saturating_add(before);
            for (at, value) in (index..).zip(values) {
                visitor.manager_int(at, guid, value.get())?;
            }
        }
        Ok(())
    }

    fn sub_chunks<V: Visit + ?Sized>(&self, visitor: &mut V, budget: &mut Budget) -> Result<()> {
        for entry in self.chunk.chunks.entries() {
            match entry {
                Entry::Single(index) => {
                    if let Ok((Some(chunk), _)) = self.chunk.sub_chunk(index as usize) {
                        self.sub_chunk(index as usize, &chunk, visitor, budget)?;
                    }
                }
                Entry::Sequence(index) => {
                    let Some(mut chunks) = self.chunk.sub_chunks(index as usize) else { continue };
                    budget.steps(chunks.len().into())?;
                    loop {
                        let index = chunks.index();
                        match chunks.next() {
                            Some(Ok(Some(chunk))) => {
                                self.sub_chunk(index, &chunk, visitor, budget)?;
                            }
                            Some(_) => {}
                            None => break,
                        }
                    }
                }
                Entry::Cut => {}
            }
        }
        Ok(())
    }

    fn sub_chunk<V: Visit + ?Sized>(
        &self,
        index: usize,
        chunk: &Chunk<'_>,
        visitor: &mut V,
        budget: &mut Budget,
    ) -> Result<()> {
        let depth = self.depth.saturating_add(1);
        if depth > MAX_DEPTH {
            return Err(Error::new(&codes::NESTING)
                .at(chunk.at)
                .expected(format!("at most {MAX_DEPTH} levels")));
        }
        let at = self.start.saturating_add(index);
        visitor.enter(at, chunk)?;
        let start = at.saturating_add(chunk.header_len());
        // Below version 4 the whole data were looked through.
        let shown = self.chunk.is_marked();
        Level { chunk, start, depth, shown }.visit(visitor, budget)?;
        visitor.leave(at, chunk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::tests::{MANAGER, everything, view};
    use spelunk_core::{Span, limits::Limits};
    use spelunk_fixtures::chunk::Chunk as Sample;

    #[derive(Default, Debug, PartialEq)]
    struct Seen(Vec<(&'static str, usize, u32)>);

    impl Visit for Seen {
        fn object(&mut self, at: usize, id: u32) -> Result<()> {
            self.0.push(("object", at, id));
            Ok(())
        }

        fn manager_int(&mut self, at: usize, guid: Guid, value: u32) -> Result<()> {
            assert_eq!((guid.d1.get(), guid.d2.get()), MANAGER);
            self.0.push(("manager", at, value));
            Ok(())
        }

        fn enter(&mut self, at: usize, chunk: &Chunk<'_>) -> Result<()> {
            self.0.push(("enter", at, chunk.class_id));
            Ok(())
        }

        fn leave(&mut self, at: usize, chunk: &Chunk<'_>) -> Result<()> {
            self.0.push(("leave", at, chunk.class_id));
            Ok(())
        }
    }

    fn budget() -> Budget {
        Budget::new(Limits::for_len(0))
    }

    fn seen(chunk: &Chunk<'_>) -> Vec<(&'static str, usize, u32)> {
        let mut seen = Seen::default();
        chunk.visit(&mut seen, &mut budget()).unwrap();
        seen.0
    }

    /// The places are those of the dwords in the chunk as stored.
    #[test]
    fn everything_is_seen_in_every_generation() {
        for version in [4, 5, 6, 7] {
            let bytes = everything(version).build().bytes;
            let seen = seen(&view(&bytes));
            for (what, at, value) in &seen {
                // The class stands behind the size.
                let index = if matches!(*what, "enter" | "leave") { at + 1 } else { *at };
                let stored = bytes[index * 4..][..4].try_into().unwrap();
                assert_eq!(u32::from_le_bytes(stored), *value, "{what} in version {version}");
            }
            let told: Vec<_> = seen.iter().map(|(what, _, value)| (*what, *value)).collect();
            let managers = [("manager", 3), ("manager", 4), ("manager", 5)];
            let expected = [
                &[("object", 144), ("object", 1), ("object", 0), ("object", 3)][..],
                if version > 4 { &managers } else { &[] },
                &[("enter", 81), ("enter", 80), ("object", 7), ("leave", 80), ("leave", 81)],
                &[("enter", 80), ("object", 7), ("leave", 80), ("enter", 82), ("leave", 82)],
            ];
            assert_eq!(told, expected.concat());
        }
    }

    #[test]
    fn ids_of_old_chunks_are_found_by_what_stands_before_them() {
        use spelunk_fixtures::chunk::{OBJECT_ARRAY_MAGIC as SEQUENCE, OBJECT_MAGIC as SINGLE};
        let sub = Sample::sub(9).words(&SINGLE).word(77);
        let sample = Sample::sub(1)
            .version(3)
            .identifier(1)
            .words(&SINGLE)
            .word(11)
            .word(SINGLE[0])
            .sub_chunk(&sub)
            .words(&SEQUENCE)
            .words(&[2, 21, 22])
            .words(&SEQUENCE)
            // More than there are, and a mark that is cut.
            .words(&[9, 31])
            .words(&SINGLE);
        let bytes = sample.build().bytes;
        // 6 dwords of header, 2 of the identifier; the sub-chunk lies at 13 and has 4 dwords of header.
        let expected = [
            ("object", 11, 11),
            ("object", 20, 77),
            ("object", 27, 21),
            ("object", 28, 22),
            ("enter", 13, 9),
            ("leave", 13, 9),
        ];
        assert_eq!(seen(&view(&bytes)), expected, "the one in the sub-chunk once");
        let data = &bytes[24..bytes.len() - 4];
        let bare = Chunk::bare(1, data, Span::file(0, data.len() as u64));
        let ids: Vec<_> = seen(&bare).iter().map(|(_, _, id)| *id).collect();
        assert_eq!(ids, [11, 77, 21, 22], "no list tells of the sub-chunk");
    }

    #[test]
    fn damaged_entries_are_passed_over() {
        let mut sample = Sample::object(2).object_ref(Some(5)).word(5);
        sample.ids = vec![9, -1, 1, -1, 7, 0, -1];
        sample.managers = vec![0, -1, 0, -1];
        sample.chunks = vec![0, 1, 2, -1, 0, -1, 9, -1];
        let bytes = sample.build().bytes;
        assert_eq!(seen(&view(&bytes)), [("object", 2, 5)]);
    }

    #[test]
    fn nesting_and_sharing_have_limits() {
        let mut deep = Sample::sub(1).word(5);
        for _ in 0..MAX_DEPTH {
            deep = Sample::sub(1).sub_chunk(&deep);
        }
        let bytes = Sample::object(2).sub_chunk(&deep).build().bytes;
        let error = view(&bytes).visit(&mut Seen::default(), &mut budget()).unwrap_err();
        assert_eq!(error.code().id, "VT045");

        let mut shared = Sample::object(2).word(1000).words(&[7; 1000]);
        shared.ids = [-1, 0].repeat(100_000);
        let bytes = shared.build().bytes;
        struct Nothing;
        impl Visit for Nothing {}
        let error = view(&bytes).visit(&mut Nothing, &mut budget()).unwrap_err();
        assert_eq!(error.code().id, "SP011");
    }
}
