//! The walk over every byte of a chunk (`docs/formats/virtools.md#114-items`).

use super::{
    Chunk, Form,
    header::SubHeader,
    item::{Item, MAX_DEPTH, SubChunks, What},
    list::ListKind,
    section::{HEADER_LEN, Section},
};
use crate::file::leaf;
use spelunk_core::{
    Budget, Field, Group, Record, Result, Span, Ty, Val, Walk, Walked, field::Described, record,
    walk::Shape,
};
use std::collections::BTreeMap;
use zerocopy::{IntoBytes, little_endian::U32};

record! {
    /// An identifier; what belongs to it follows.
    pub struct Identifier: "identifier", "docs/formats/virtools.md#112-identifiers", 8 {
        /// Number of the part of the saved state that follows.
        identifier: Word,
        /// Index in the data of the next identifier; 0 for the last.
        next: U32,
    }
}

const ITEMS: &str = "docs/formats/virtools.md#114-items";

static DATA: Record = Record::group(
    "data",
    ITEMS,
    "The data: identifiers with what belongs to them, or plain words where there is no identifier.",
);
static WORDS: Field = Field::new(
    "words",
    Ty::Bytes,
    "Dwords of which no list tells anything. References of a chunk in file mode are among them.",
);
static OBJECT: Field = Field::new("object", Ty::U32, "Raw id of an object; 0 for none.");
static OBJECTS: Record = Record::group("objects", ITEMS, "A sequence of raw ids of objects.");
static COUNT: Field = Field::new("count", Ty::U32, "How many follow.");
static MANAGER_INT: Record = Record::group("manager_int", ITEMS, "A number of a manager.");
static MANAGER_INTS: Record =
    Record::group("manager_ints", ITEMS, "A sequence of numbers of one manager.");
static GUID: Field =
    Field::new("guid", Ty::Guid, "The manager.").guids(&crate::registered::MANAGER_NAMES);
static VALUE: Field = Field::new("value", Ty::U32, "The number.");
static SUB_CHUNKS: Record =
    Record::group("sub_chunks", ITEMS, "A sequence of sub-chunks, null ones among them.");
const SUB_CHUNK: &str = SubHeader::RECORD.name;
static NULL: Field = Field::new("size", Ty::U32, "0: a null sub-chunk.").unit("dwords");
static DEEP: Field =
    Field::new("deep", Ty::Bytes, "A sub-chunk that is nested too deeply to be looked into.");
static REST: Field =
    Field::new("rest", Ty::Bytes, "Bytes behind the lists; nothing is known about them.");

static LIST: Record = Record::group(
    "list",
    "docs/formats/virtools.md#113-lists",
    "Indexes in the data. A negative one tells that the next is that of a sequence.",
);
static ENTRY: Field = Field::new("entry", Ty::I32, "An index in the data, or the sentinel.")
    .values(&[(-1, "a sequence follows")]);

/// The length of a list, as [`Form::C`] stores it before the list.
fn list_count(kind: ListKind) -> &'static Field {
    static IDS: Field = Field::new("ids_count", Ty::U32, "Length of the IDS list.").unit("dwords");
    static CHUNKS: Field =
        Field::new("chunks_count", Ty::U32, "Length of the CHN list.").unit("dwords");
    static MANAGERS: Field =
        Field::new("managers_count", Ty::U32, "Length of the MAN list.").unit("dwords");
    match kind {
        ListKind::Ids => &IDS,
        ListKind::Chunks => &CHUNKS,
        ListKind::Managers => &MANAGERS,
    }
}

/// Counts keys, so that each is shown once: `0x20000`, then `0x20000.1`.
#[derive(Default)]
pub(super) struct Occurrences<K>(BTreeMap<K, usize>);

impl<K: Ord> Occurrences<K> {
    /// Memory that a kept key takes, with room for the nodes of the tree.
    const COST: u64 = (2 * size_of::<(K, usize)>()) as u64;

    /// Number of times that the key came before.
    pub(super) fn before(&mut self, key: K, budget: &mut Budget) -> Result<usize> {
        budget.memory(Self::COST)?;
        let known = self.0.len();
        let count = self.0.entry(key).or_default();
        let before = *count;
        *count = before.saturating_add(1);
        if self.0.len() == known {
            budget.release(Self::COST);
        }
        Ok(before)
    }

    /// Gives the memory back.
    pub(super) fn release(self, budget: &mut Budget) {
        budget.release(Self::COST.saturating_mul(self.0.len() as u64));
    }
}

/// A key, and from its second occurrence on which one it is.
pub(super) fn numbered(key: impl std::fmt::Display, before: usize) -> String {
    if before == 0 { key.to_string() } else { format!("{key}.{before}") }
}

impl<'a> Chunk<'a> {
    /// Walks every byte of the chunk exactly once, in order, as fields of the group that is open: header,
    /// data, lists, rest. What identifiers and lists say of the data is walked as groups; where a name comes
    /// again in one group, `.1`, `.2` and so on follow it.
    ///
    /// # Errors
    /// Limits, and what the walker returns.
    pub fn walk(&self, budget: &mut Budget, walk: &mut dyn Walk) -> Walked {
        self.walk_level(0, budget, walk)
    }

    /// Walks an identifier of this chunk with what belongs to it, as fields of the group that is open.
    ///
    /// # Errors
    /// As [`Chunk::walk`].
    pub fn walk_section(
        &self,
        section: &Section,
        budget: &mut Budget,
        walk: &mut dyn Walk,
    ) -> Walked {
        self.with_items(budget, |items, budget| {
            let (_, from) = split(items, section.index);
            let (inside, _) = split(from, section.end);
            self.section(section, inside, 0, budget, walk)
        })
    }

    fn walk_level(&self, depth: usize, budget: &mut Budget, walk: &mut dyn Walk) -> Walked {
        budget.touch(self.at.len)?;
        self.walk_header(walk)?;
        if !self.is_opaque() {
            let at = self.data_at(0, self.data.len());
            walk.group(&Group::record("data", &DATA, Some(at)), |walk| {
                self.with_items(budget, |items, budget| self.data(items, depth, budget, walk))
            })?;
        }
        self.walk_behind(walk)
    }

    /// Walks what stands before the data.
    pub(crate) fn walk_header(&self, walk: &mut dyn Walk) -> Walked {
        let Some(record) = self.form.record() else { return Ok(()) };
        let header = self.header();
        let header = header.get(..self.header_len()).unwrap_or_default();
        record.walk(header.as_bytes(), self.at.part(0, size_of_val(header) as u64), walk)
    }

    /// Walks what stands behind the data.
    pub(crate) fn walk_behind(&self, walk: &mut dyn Walk) -> Walked {
        if !self.is_opaque() {
            for kind in ListKind::ALL {
                self.walk_list(kind, walk)?;
            }
        }
        if self.rest.is_empty() {
            return Ok(());
        }
        let start = self.at.len.saturating_sub(self.rest.len() as u64);
        leaf(&REST, self.at.part(start, 0), self.rest, walk)
    }

    fn data(
        &self,
        items: &[Item<'a>],
        depth: usize,
        budget: &mut Budget,
        walk: &mut dyn Walk,
    ) -> Walked {
        let mut items = items;
        let mut occurrences = Occurrences::default();
        for section in self.sections() {
            let (inside, behind) = split(items, section.end);
            items = behind;
            let before = occurrences.before(section.identifier, budget)?;
            let key = numbered(format_args!("{:#x}", section.identifier), before);
            let at = self.data_at(section.index, section.end.saturating_sub(section.index));
            walk.group(&Group::keyed(&key, Identifier::RECORD, Some(at)), |walk| {
                self.section(&section, inside, depth, budget, walk)
            })?;
        }
        occurrences.release(budget);
        self.items_of(items, depth, budget, walk)
    }

    fn section(
        &self,
        section: &Section,
        items: &[Item<'a>],
        depth: usize,
        budget: &mut Budget,
        walk: &mut dyn Walk,
    ) -> Walked {
        let payload = section.payload().start;
        let head = self.data.get(section.index..payload).unwrap_or_default();
        Identifier::RECORD.walk(head.as_bytes(), self.data_at(section.index, HEADER_LEN), walk)?;
        self.items_of(split(items, payload).1, depth, budget, walk)
    }

    fn items_of(
        &self,
        items: &[Item<'a>],
        depth: usize,
        budget: &mut Budget,
        walk: &mut dyn Walk,
    ) -> Walked {
        let mut occurrences = Occurrences::default();
        let mut sub_chunks = 0_usize;
        for item in items {
            let (name, shape, record) = match &item.what {
                What::Identifier(_) => continue,
                What::Words => (WORDS.name, Shape::Value, &DATA),
                What::Object(_) => (OBJECT.name, Shape::Value, &DATA),
                What::Objects(_) => (OBJECTS.name, Shape::Record, &OBJECTS),
                What::SubChunk(chunk) => (SUB_CHUNK, Shape::Record, sub_record(chunk.form)),
                What::SubChunks(_) => (SUB_CHUNKS.name, Shape::Record, &SUB_CHUNKS),
                What::Manager(..) => (MANAGER_INT.name, Shape::Record, &MANAGER_INT),
                What::Managers(..) => (MANAGER_INTS.name, Shape::Record, &MANAGER_INTS),
            };
            // A sub-chunk has the number that its path has, for which those of sequences count too.
            let before = match name {
                SUB_CHUNK => sub_chunks,
                name => occurrences.before(name, budget)?,
            };
            sub_chunks = sub_chunks.saturating_add(item.sub_chunks().count());
            let key = numbered(name, before);
            let at = self.data_at(item.range.start, item.range.len());
            let group = Group { shape, ..Group::keyed(&key, record, Some(at)) };
            walk.group(&group, |walk| self.item(item, at, depth, budget, walk))?;
        }
        occurrences.release(budget);
        Ok(())
    }

    fn item(
        &self,
        item: &Item<'a>,
        at: Span,
        depth: usize,
        budget: &mut Budget,
        walk: &mut dyn Walk,
    ) -> Walked {
        let words = self.data.get(item.range.clone()).unwrap_or_default();
        let count = words.get(..1).unwrap_or_default();
        match &item.what {
            What::Identifier(_) => Ok(()),
            What::Words => leaf(&WORDS, at, words.as_bytes(), walk),
            What::Object(_) => leaf(&OBJECT, at, words.as_bytes(), walk),
            What::Objects(ids) => {
                leaf(&COUNT, at, count.as_bytes(), walk)?;
                list("ids", &OBJECTS, &OBJECT, ids, at.part(4, 0), walk)
            }
            What::Manager(guid, value) => {
                leaf(&GUID, at, guid.as_bytes(), walk)?;
                walk.field(&VALUE, Some(at.part(8, 4)), Val::U((*value).into()))
            }
            What::Managers(guid, values) => {
                leaf(&COUNT, at, count.as_bytes(), walk)?;
                leaf(&GUID, at.part(4, 0), guid.as_bytes(), walk)?;
                list("values", &MANAGER_INTS, &VALUE, values, at.part(12, 0), walk)
            }
            What::SubChunk(chunk) => self.sub(chunk, depth, budget, walk),
            What::SubChunks(chunks) => {
                leaf(&COUNT, at, count.as_bytes(), walk)?;
                let at = at.part(4, at.len.saturating_sub(4));
                walk.group(&Group::list("items", &SUB_CHUNKS, Some(at)), |walk| {
                    self.sequence(SubChunks::clone(chunks), depth, budget, walk)
                })
            }
        }
    }

    fn sequence(
        &self,
        mut chunks: SubChunks<'a>,
        depth: usize,
        budget: &mut Budget,
        walk: &mut dyn Walk,
    ) -> Walked {
        let mut nth = 0_usize;
        loop {
            let start = chunks.index();
            let Some(chunk) = chunks.next() else { return Ok(()) };
            let at = self.data_at(start, chunks.index().saturating_sub(start));
            let record = sub_record(Form::of_parent(self.chunk_version()));
            walk.group(&Group::item(nth, record, Some(at)), |walk| match chunk? {
                Some(chunk) => self.sub(&chunk, depth, budget, walk),
                None => walk.field(&NULL, Some(at), Val::U(0)),
            })?;
            nth = nth.saturating_add(1);
        }
    }

    /// Walks a sub-chunk of this chunk.
    fn sub(
        &self,
        chunk: &Chunk<'a>,
        depth: usize,
        budget: &mut Budget,
        walk: &mut dyn Walk,
    ) -> Walked {
        let depth = depth.saturating_add(1);
        if depth <= MAX_DEPTH {
            return chunk.walk_level(depth, budget, walk);
        }
        let start = chunk.at.start.saturating_sub(self.data_at(0, 0).start) >> 2;
        let end = start.saturating_add(chunk.at.len >> 2);
        let words = self.data.get(start as usize..end as usize).unwrap_or_default();
        leaf(&DEEP, chunk.at, words.as_bytes(), walk)
    }

    fn walk_list(&self, kind: ListKind, walk: &mut dyn Walk) -> Walked {
        let words = self.list(kind).words();
        let at = self.list_at(kind, 0, words.len());
        if self.form == Form::C && self.list(kind).is_stored() {
            let start = at.start.saturating_sub(4);
            let count = Span { start, len: 4, ..at };
            walk.field(list_count(kind), Some(count), Val::U(words.len() as u64))?;
        }
        if words.is_empty() {
            return Ok(());
        }
        list(kind.name(), &LIST, &ENTRY, words, at, walk)
    }
}

/// The description of a sub-chunk.
fn sub_record(form: Form) -> &'static Record {
    form.record().unwrap_or(SubHeader::RECORD)
}

/// Splits items into those that start before an index, and the others.
fn split<'i, 'a>(items: &'i [Item<'a>], index: usize) -> (&'i [Item<'a>], &'i [Item<'a>]) {
    let count = items.partition_point(|item| item.range.start < index);
    items.split_at_checked(count).unwrap_or((items, &[]))
}

/// Walks dwords that start where `at` does as a list of fields.
fn list(
    name: &'static str,
    record: &'static Record,
    field: &'static Field,
    words: &[U32],
    at: Span,
    walk: &mut dyn Walk,
) -> Walked {
    let at = Span { len: size_of_val(words) as u64, ..at };
    walk.group(&Group::list(name, record, Some(at)), |walk| {
        let mut at = at.part(0, 4);
        for word in words {
            walk.field(field, Some(at), field.ty.decode(word.as_bytes()))?;
            at = at.part(4, 4);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{
        header::HeaderC,
        tests::{everything, view},
    };
    use spelunk_core::{
        Space,
        limits::Limits,
        walk::{Coverage, Flat, finish},
    };
    use spelunk_fixtures::chunk::Chunk as Sample;

    fn paths(chunk: &Chunk<'_>) -> Vec<(String, String)> {
        let mut budget = Budget::new(Limits::for_len(0));
        let before = budget.left().memory;
        let (mut flat, mut coverage) = (Flat::default(), Coverage::default());
        finish(chunk.walk(&mut budget, &mut flat)).unwrap();
        finish(chunk.walk(&mut budget, &mut coverage)).unwrap();
        assert_eq!(coverage.check(Space::FILE, chunk.at.len), []);
        assert_eq!(budget.left().memory, before, "all memory came back");
        let each = flat.fields.into_iter().map(|field| (field.path, field.value.to_string()));
        each.collect()
    }

    #[test]
    fn every_byte_of_every_generation_has_one_field() {
        for version in 0..=7 {
            let mut bytes = everything(version).build().bytes;
            let walked = paths(&view(&bytes));
            let mut names: Vec<_> = walked.iter().map(|(path, _)| path).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), walked.len(), "paths are unique in version {version}");
            bytes.extend([1, 2, 3, 4, 5]);
            let rest = paths(&view(&bytes)).pop().unwrap();
            assert_eq!(rest, ("rest".into(), "0102030405".into()));
        }
        let opaque = [0, 2, 9, 0, 1, 2, 3];
        assert_eq!(paths(&view(&opaque)).len(), 5);
        let bare = Chunk::bare(1, &opaque, Span::file(0, 7));
        let names: Vec<_> = paths(&bare).into_iter().map(|(path, _)| path).collect();
        assert_eq!(names, ["data.words", "rest"]);
    }

    #[test]
    fn paths_speak_the_terms_of_the_format() {
        let bytes = everything(7).build().bytes;
        let walked = paths(&view(&bytes));
        let value = |path: &str| {
            let found = walked.iter().find(|(known, _)| known == path);
            found.map(|(_, value)| value.as_str()).unwrap_or_else(|| panic!("{path}: {walked:#?}"))
        };
        for (path, expected) in [
            ("data_version", "10"),
            ("chunk_version", "7"),
            ("options", "7"),
            ("data.0x40.identifier", "0x00000040"),
            ("data.0x40.next", "8"),
            ("data.0x40.object", "144"),
            ("data.0x40.objects.count", "3"),
            ("data.0x40.objects.ids[2]", "3"),
            ("data.0x20000.sub_chunk.class_id", "81"),
            ("data.0x20000.sub_chunk.data.0x51.sub_chunk.data.0x50.object", "7"),
            ("data.0x20000.sub_chunk.data.0x51.sub_chunk.ids[0]", "2"),
            ("data.0x20000.sub_chunks.count", "3"),
            ("data.0x20000.sub_chunks.items[0].size", "0"),
            ("data.0x20000.sub_chunks.items[1].data.0x50.object", "7"),
            ("data.0x20000.manager_int.guid", "466a0fac-00000000"),
            ("data.0x20000.manager_int.value", "3"),
            ("data.0x20000.manager_ints.values[1]", "5"),
            ("ids_count", "3"),
            ("ids[0]", "2"),
            ("ids[1]", "-1"),
            ("chunks_count", "3"),
            ("managers[1]", "-1"),
        ] {
            assert_eq!(value(path), expected, "{path}");
        }
        assert_eq!(HeaderC::RECORD.field("options").meaning(&Val::U(9)).unwrap(), "IDS | FILE");
    }

    #[test]
    fn what_comes_again_is_numbered() {
        let sub = Sample::sub(80);
        let sample = Sample::object(2)
            .identifier(5)
            .sub_chunk_sequence(&[None, Some(sub.clone())])
            .word(1)
            .sub_chunk(&sub)
            .word(2)
            .identifier(6)
            .identifier(5);
        let bytes = sample.build().bytes;
        let walked = paths(&view(&bytes));
        let has = |path: &str| walked.iter().any(|(known, _)| known == path);
        assert!(has("data.0x5.words") && has("data.0x5.words.1") && has("data.0x5.1.next"));
        assert!(has("data.0x5.sub_chunk.1.size"), "the sub-chunk with the path 0x5/1");
        assert!(!has("data.0x5.sub_chunk.size"));
    }

    #[test]
    fn what_lies_too_deep_is_bytes() {
        let mut deep = Sample::sub(1).word(5);
        for _ in 0..MAX_DEPTH {
            deep = Sample::sub(1).sub_chunk(&deep);
        }
        let bytes = Sample::object(2).sub_chunk(&deep).build().bytes;
        let walked = paths(&view(&bytes));
        let found = walked.iter().filter(|(path, _)| path.ends_with("sub_chunk.deep"));
        assert_eq!(found.count(), 1);
    }
}
