//! The public walk over ids, numbers of managers and sub-chunks (`docs/formats/virtools.md#116-visiting`).

use super::{
    Chunk,
    buffer::ChunkBuf,
    item::{MAX_DEPTH, What},
    list::ListKind,
    section::Sections,
};
use crate::codes;
use spelunk_core::{Budget, Error, Limits, Result, Span, scalar::Guid};
use zerocopy::little_endian::U32;

/// Sees what the lists of a chunk and of all of its sub-chunks name. Every place is an index in dwords from
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
    /// Shows what the lists name, in the order of the data: ids, numbers of managers, and sub-chunks with all
    /// that is theirs. In chunks of versions below 4 ids are found by the fixed dwords before them, those of
    /// sub-chunks among them, and come first. Entries that point outside the data, into an identifier or into
    /// something else are passed over, and so are sub-chunks whose sizes do not fit; [`Chunk::verify`] reports
    /// them. Positions in the object table, which references of chunks in file mode are, are no ids.
    ///
    /// # Errors
    /// [`codes::NESTING`], limits, and what the visitor returns.
    pub fn visit<V: Visit + ?Sized>(&self, visitor: &mut V, budget: &mut Budget) -> Result<()> {
        Level { chunk: self, start: self.header_len(), depth: 0, shown: false, is_whole: true }
            .visit(visitor, budget)
    }
}

/// The outermost chunk, or a sub-chunk.
struct Level<'c, 'a> {
    chunk: &'c Chunk<'a>,
    /// Start of the data, in dwords from the start of the outermost chunk.
    start: usize,
    depth: usize,
    /// Whether the marked ids in it were shown with those of the chunk around it.
    shown: bool,
    /// Whether its data are all of a chunk, and not one section of it.
    is_whole: bool,
}

impl Level<'_, '_> {
    fn visit<V: Visit + ?Sized>(&self, visitor: &mut V, budget: &mut Budget) -> Result<()> {
        let chunk = self.chunk;
        budget.touch(chunk.at.len)?;
        let marked = chunk.is_marked();
        if marked && !self.shown {
            budget.steps(chunk.data.len() as u64)?;
            for range in chunk.marked_ids() {
                let ids = chunk.data.get(range.clone()).unwrap_or_default();
                self.ids(range.start, ids, visitor)?;
            }
        }
        if ListKind::ALL.iter().all(|kind| chunk.list(*kind).words().is_empty()) {
            return Ok(());
        }
        let before = budget.left().memory;
        let sections = if self.is_whole { chunk.sections() } else { Sections::of(&[]) };
        let items = chunk.items_along(sections, budget)?;
        let taken = before.saturating_sub(budget.left().memory);
        for item in &items {
            let start = item.range.start;
            match &item.what {
                What::Object(_) | What::Objects(_) if marked || chunk.file_mode => {}
                What::Object(id) => self.ids(start, &[U32::new(*id)], visitor)?,
                What::Objects(ids) => self.ids(start.saturating_add(1), ids, visitor)?,
                What::Manager(guid, value) => {
                    self.ints(start.saturating_add(2), *guid, &[U32::new(*value)], visitor)?;
                }
                What::Managers(guid, values) => {
                    self.ints(start.saturating_add(3), *guid, values, visitor)?;
                }
                What::SubChunk(_) | What::SubChunks(_) => {
                    for (index, sub) in item.sub_chunks() {
                        self.sub_chunk(index, &sub, visitor, budget)?;
                    }
                }
                What::Identifier(_) | What::Words => {}
            }
        }
        budget.release(taken);
        Ok(())
    }

    fn ids<V: Visit + ?Sized>(&self, index: usize, ids: &[U32], visitor: &mut V) -> Result<()> {
        let places = self.start.saturating_add(index)..;
        places.zip(ids).try_for_each(|(at, id)| visitor.object(at, id.get()))
    }

    fn ints<V: Visit + ?Sized>(
        &self,
        index: usize,
        guid: Guid,
        values: &[U32],
        visitor: &mut V,
    ) -> Result<()> {
        let places = self.start.saturating_add(index)..;
        places.zip(values).try_for_each(|(at, value)| visitor.manager_int(at, guid, value.get()))
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
        Level { chunk, start, depth, shown, is_whole: true }.visit(visitor, budget)?;
        visitor.leave(at, chunk)
    }
}

impl ChunkBuf {
    /// Shows what the lists name, as [`Chunk::visit`] does, where the data may be those of one section: their first
    /// dwords are no identifier then.
    ///
    /// # Errors
    /// Those of [`Chunk::visit`].
    pub(crate) fn visit_part<V: Visit + ?Sized>(
        &self,
        visitor: &mut V,
        budget: &mut Budget,
    ) -> Result<()> {
        let chunk = &self.view(Span::file(0, 0));
        Level { chunk, start: chunk.header_len(), depth: 0, shown: false, is_whole: false }
            .visit(visitor, budget)
    }

    /// Replaces the ids that the lists name by others, where `new` has one; returns how many. The data may be those of one
    /// section.
    ///
    /// # Errors
    /// Where the lists lead nowhere; nothing is changed then.
    pub(crate) fn replace_ids(&mut self, new: impl Fn(u32) -> Option<u32>) -> Result<u64> {
        let start = self.view(Span::file(0, 0)).header_len();
        let mut found = Replaced { new, places: Vec::new() };
        self.visit_part(&mut found, &mut Budget::new(Limits::for_len(0)))?;
        let mut count = 0_u64;
        for (place, id) in found.places {
            if let Some(word) = self.data.get_mut(place.saturating_sub(start)) {
                word.set(id);
                count = count.saturating_add(1);
            }
        }
        Ok(count)
    }
}

/// Finds ids that become others.
struct Replaced<F> {
    new: F,
    places: Vec<(usize, u32)>,
}

impl<F: Fn(u32) -> Option<u32>> Visit for Replaced<F> {
    fn object(&mut self, at: usize, id: u32) -> Result<()> {
        self.places.extend((self.new)(id).map(|new| (at, new)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{
        buffer::Header,
        tests::{MANAGER, everything, view},
    };
    use spelunk_core::Span;
    use spelunk_fixtures::chunk::Chunk as Sample;
    use test_support::task::budget;

    #[derive(Default, Debug, PartialEq)]
    struct VisitLog(Vec<(&'static str, usize, u32)>);

    impl Visit for VisitLog {
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

    fn seen(chunk: &Chunk<'_>) -> Vec<(&'static str, usize, u32)> {
        let mut seen = VisitLog::default();
        chunk.visit(&mut seen, &mut budget(0)).unwrap();
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
            let pairs: Vec<_> = seen.iter().map(|(what, _, value)| (*what, *value)).collect();
            let managers = [("manager", 3), ("manager", 4), ("manager", 5)];
            let expected = [
                &[("object", 144), ("object", 1), ("object", 0), ("object", 3)][..],
                &[("enter", 81), ("enter", 80), ("object", 7), ("leave", 80), ("leave", 81)],
                &[("enter", 80), ("object", 7), ("leave", 80), ("enter", 82), ("leave", 82)],
                if version > 4 { &managers } else { &[] },
            ];
            assert_eq!(pairs, expected.concat());
        }
    }

    /// The first dwords of a section are what it holds, and no identifier with the index of the next one.
    #[test]
    fn sections_tell_all_that_their_chunk_does() {
        for version in [4, 5, 6, 7] {
            let bytes = everything(version).build().bytes;
            let chunk = view(&bytes);
            let pairs = |seen: Vec<(&'static str, usize, u32)>| {
                seen.into_iter().map(|(what, _, value)| (what, value)).collect::<Vec<_>>()
            };
            let (mut parts, mut count) = (Vec::new(), 0);
            for section in chunk.sections() {
                let part = ChunkBuf::copy_part(&chunk, section.payload(), &mut budget(0));
                let mut part = part.unwrap();
                let mut seen = VisitLog::default();
                part.visit_part(&mut seen, &mut budget(0)).unwrap();
                parts.extend(pairs(seen.0));
                count += part.replace_ids(|id| (id != 0).then_some(id + 1)).unwrap();
            }
            let whole = pairs(seen(&chunk));
            assert_eq!(parts, whole, "version {version}");
            let ids = whole.iter().filter(|(what, id)| *what == "object" && *id != 0).count();
            assert_eq!(count, ids as u64, "version {version}");
        }
        let header = Header { file_mode: false, ..Header::object(1) };
        let mut first = ChunkBuf::new(header);
        first.data = [5, 6, 7].map(U32::new).to_vec();
        first.ids = Some(vec![U32::new(0)]);
        assert_eq!(first.replace_ids(|id| Some(id + 1)).unwrap(), 1);
        assert_eq!(first.data, [6, 6, 7]);
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
        let mut sample = Sample::sub(2).object_ref(Some(5)).word(5);
        sample.ids = vec![9, -1, 1, -1, 7, 0, -1];
        sample.managers = vec![0, -1, 0, -1];
        sample.chunks = vec![0, 1, 2, -1, 0, -1, 9, -1];
        let bytes = sample.build().bytes;
        assert_eq!(seen(&view(&bytes)), [("object", 2, 5)]);
        // The link of an identifier is no id, whatever a list says of it.
        let mut sample = Sample::sub(2).identifier(7).word(9).identifier(8);
        sample.ids = vec![1, 2];
        let bytes = sample.build().bytes;
        assert_eq!(seen(&view(&bytes)), [("object", 4, 9)]);
    }

    #[test]
    fn positions_in_the_object_table_are_no_ids() {
        let mut sample = Sample::object(2).identifier(7).word(5);
        sample.ids = vec![2];
        assert!(sample.file_mode);
        assert_eq!(seen(&view(&sample.build().bytes)), []);
    }

    #[test]
    fn nesting_and_sharing_have_limits() {
        let mut deep = Sample::sub(1).word(5);
        for _ in 0..MAX_DEPTH {
            deep = Sample::sub(1).sub_chunk(&deep);
        }
        let bytes = Sample::object(2).sub_chunk(&deep).build().bytes;
        let error = view(&bytes).visit(&mut VisitLog::default(), &mut budget(0)).unwrap_err();
        assert_eq!(error.code().id, "VT045");

        let mut shared = Sample::sub(2).identifier(1).word(1000).words(&[7; 1000]);
        shared.ids = [-1, 2].repeat(1_000);
        let bytes = shared.build().bytes;
        assert_eq!(seen(&view(&bytes)).len(), 1000, "each once, however often it is listed");
    }
}
