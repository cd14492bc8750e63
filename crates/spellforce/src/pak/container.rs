//! Archives as containers.

use super::{
    archive::{Archive, halvings, not_found},
    entry::PakEntry,
    folders::{Folder, Sorted},
    form::{Form, PathNumbers},
    header::{MAGIC_START, PakHeader},
    index::{MAGIC_SPEC, PATH, PathEntry, SpecHeader},
    wanted::Wanted,
};
use crate::{
    bytes::tolerate,
    fields::{fields, fields_of},
    profile::{ARCHIVE_FILES, PAK},
    spec,
};
use spelunk_core::{
    Budget, Bytes, Container, Edit, Entry, Error, Field, Format, Group, Node, Of, Probe, Profile,
    Record, Result, Source, Span, Task, Val, Walk, Walked, WriteOptions, container::Each,
    field::Described, signature::FileType, text::CodePages,
};
use std::{
    borrow::Cow,
    cmp::Ordering,
    io,
    ops::Range,
    sync::{Arc, OnceLock},
};
use zerocopy::IntoBytes;

/// The archive as a format.
#[derive(Clone, Copy, Debug)]
pub struct Pak;

impl Format for Pak {
    fn profile(&self) -> &'static Profile {
        &PAK
    }

    fn file_types(&self) -> &'static [FileType] {
        &ARCHIVE_FILES
    }

    fn probe(&self, head: &[u8], len: u64) -> Probe {
        if head.get(4..).is_some_and(|magic| magic.starts_with(MAGIC_START)) {
            return Probe::Yes;
        }
        // The specification's archive: an index offset inside the file stands in for a longer magic.
        let index = head.get(12..).and_then(<[u8]>::first_chunk);
        match index.map(|index| u64::from(u32::from_le_bytes(*index))) {
            Some(index) if head.starts_with(MAGIC_SPEC) && (16..=len).contains(&index) => {
                Probe::Yes
            }
            _ => Probe::No,
        }
    }

    fn open(&self, source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<Box<dyn Container>> {
        Ok(Box::new(Members::new(Archive::open_any(source, task)?)))
    }
}

fields_of! {
    VERSION: PakHeader "version";
    ENTRY_COUNT: PakHeader "entry_count";
    DATA_START: PakHeader "data_start";
    STORED: PakHeader "checksum" as "stored";
    ROOT_INDEX: PakHeader "root_index";
    FILE_SIZE: PakHeader "file_size";
    SPEC_VERSION: SpecHeader "version";
    SPEC_ENTRY_COUNT: SpecHeader "entry_count";
    INDEX_OFFSET: SpecHeader "index_offset";
    SPEC_OFFSET: PathNumbers "offset";
    COMPRESSION: PathNumbers "compression";
}

fields! {
    OK: "ok" Bool "Whether it is the one that a third-party packer computes.";
    DATA_SIZE: "data_size" U64 "Sum of the sizes of all files." "bytes";
    PADDING_SIZE: "padding_size" U64 "Bytes behind the last file." "bytes";
    EVIDENCE: "evidence" Str "What the reader was checked on: `synthetic`, as no real archive was \
        available. Entries, order and the length of the names agree with a real `pakdata.dat`.";
    OFFSET: "offset" U64 "Where the file starts in the archive." "bytes";
    DIRECTORY: "directory" Text "The directory, with backslashes.";
    NAME: "name" Text "The name of the file.";
    DATA: "data" Bytes "The content of the file." "bytes";
    PACKED_COUNT: "packed_count" U64 "Number of files that are stored as zlib streams.";
    SUM_OF_STORED: "stored_size" U64 "Sum of the stored sizes of all files." "bytes";
    TRAILING_SIZE: "trailing_size" U64 "Bytes behind the index." "bytes";
}

static CHECKSUM: Record = Record::group(
    "checksum",
    "docs/formats/pak.md#6-checksum",
    "The checksum over header, entries and names.",
);

/// Meaning of a node: the entry at this position, or a folder of [`Members::by_path`].
pub(super) enum Item {
    Entry(u32),
    Folder(Folder),
}

impl Item {
    pub(super) fn of(node: Node) -> Item {
        Folder::of(node).map_or(Item::Entry(node.0 as u32), Item::Folder)
    }

    pub(super) fn node(self) -> Node {
        match self {
            Item::Entry(n) => Node(n.into()),
            Item::Folder(folder) => folder.node(),
        }
    }
}

/// The entries of an archive by their paths.
pub(super) struct ByPath<'m> {
    members: &'m Members,
    positions: &'m [u32],
}

impl Sorted for ByPath<'_> {
    fn path(&self, place: usize) -> Option<Cow<'_, [u8]>> {
        let path = self.members.path_bytes(*self.positions.get(place)?)?;
        Some(Cow::Owned(path.collect()))
    }

    fn below(&self, first: usize, prefix: &[u8], budget: &mut Budget) -> Result<Range<usize>> {
        let rest = self.positions.get(first..).unwrap_or_default();
        budget.touch((prefix.len() as u64).saturating_mul(halvings(rest.len() as u64)))?;
        let len = rest.partition_point(|n| {
            let start = self.members.path_bytes(*n).into_iter().flatten().take(prefix.len());
            start.cmp(prefix.iter().copied()) != Ordering::Greater
        });
        Ok(first..first.saturating_add(len))
    }

    fn size(&self, place: usize) -> u64 {
        self.positions.get(place).map_or(0, |n| self.members.archive.stored_size(*n))
    }

    fn give(&self, place: usize, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let n = *self.positions.get(place).ok_or_else(not_found)?;
        self.members.give_entry(n, pages, task, each)
    }
}

/// An opened archive.
#[derive(Clone)]
pub struct Members {
    archive: Archive,
    /// Positions of the entries with a readable path, by path; once folders were asked for.
    sorted: OnceLock<Vec<u32>>,
}

impl std::fmt::Debug for Members {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Members").field("archive", &self.archive).finish_non_exhaustive()
    }
}

impl Members {
    pub(super) const fn new(archive: Archive) -> Members {
        Members { archive, sorted: OnceLock::new() }
    }

    /// Bytes of memory that an edited archive takes, with what was made of it.
    pub(super) fn held(&self) -> u64 {
        let sorted = self.sorted.get().map_or(0, Vec::len);
        let sorted = sorted.saturating_mul(size_of::<u32>()) as u64;
        self.archive.held().saturating_add(sorted)
    }

    /// The archive, where it is a real one.
    pub fn real(&self) -> Option<&Archive> {
        Some(&self.archive).filter(|archive| !archive.form().is_spec())
    }

    /// The archive.
    pub const fn archive(&self) -> &Archive {
        &self.archive
    }

    /// The node of the entry at this position.
    pub fn node(position: u32) -> Node {
        Item::Entry(position).node()
    }

    /// The position of the entry that a node stands for; `None` for folders.
    pub fn position(node: Node) -> Option<u32> {
        match Item::of(node) {
            Item::Entry(n) => Some(n),
            Item::Folder(..) => None,
        }
    }

    /// The positions of the entries in a folder.
    pub(super) fn entries_in(&self, folder: Folder, task: &mut Task<'_>) -> Result<Vec<u32>> {
        let list = self.by_path(&mut task.budget)?;
        let places = folder.places(&list, &mut task.budget)?;
        let mut entries = task.budget.vec(places.len() as u64)?;
        entries.extend_from_slice(list.positions.get(places).unwrap_or_default());
        Ok(entries)
    }

    fn by_path(&self, budget: &mut Budget) -> Result<ByPath<'_>> {
        Ok(ByPath { members: self, positions: self.sorted(budget)? })
    }

    /// The stored bytes of an entry's path, first byte first.
    pub(super) fn path_bytes(&self, n: u32) -> Option<impl Iterator<Item = u8> + '_> {
        self.archive.path_bytes(n)
    }

    /// The shown path of an entry; its position where names cannot be read.
    pub(super) fn path(&self, n: u32, pages: &CodePages) -> String {
        match self.path_bytes(n) {
            Some(bytes) => shown(&bytes.collect::<Vec<_>>(), pages),
            None => format!("#{n}"),
        }
    }

    /// Length of an entry's path; 0 where names cannot be read.
    pub(super) fn path_len(&self, n: u32) -> u64 {
        self.archive.path_len(n)
    }

    pub(super) fn positions(&self) -> impl Iterator<Item = u32> {
        0..self.archive.len() as u32
    }

    /// Positions of the entries with a readable path, by path, sorted now if they were not before.
    pub(super) fn sorted(&self, budget: &mut Budget) -> Result<&[u32]> {
        if let Some(sorted) = self.sorted.get() {
            return Ok(sorted);
        }
        let lengths = self.positions().map(|n| self.path_len(n)).fold(0, u64::saturating_add);
        let count = self.archive.len() as u64;
        budget.touch(lengths.saturating_mul(halvings(count)))?;
        let mark = budget.mark();
        let mut sorted = budget.vec(count)?;
        sorted.extend(self.positions().filter(|n| self.path_bytes(*n).is_some()));
        sorted.sort_unstable_by(|a, b| {
            let path = |n: &u32| self.path_bytes(*n).into_iter().flatten();
            path(a).cmp(path(b)).then(a.cmp(b))
        });
        Ok(budget.keep(mark, &self.sorted, sorted).as_slice())
    }

    fn give_entry(&self, n: u32, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let spec = self.archive.spec_entry(n);
        let entry = self.archive.entry(n);
        if spec.is_none() && entry.is_none() {
            return Err(not_found().into());
        }
        task.budget.touch(self.path_len(n))?;
        let size = match self.archive.plain_size(n, task) {
            Ok(size) => size,
            Err(error) => tolerate(error, task).map(|()| self.archive.stored_size(n))?,
        };
        let name = match spec {
            Some(entry) => Some(Form::Spec.name(entry.path).0.to_vec()),
            None => entry.and_then(|entry| self.archive.names().reversed_name(entry)).map(forward),
        };
        let details = |task: &mut Task<'_>, walk: &mut dyn Walk| match (spec, entry) {
            (Some(entry), _) => {
                walk.field(&PATH, None, Val::Text(entry.path.into()))?;
                walk.field(&SPEC_OFFSET, None, entry.numbers.offset.get().into())?;
                walk.field(&COMPRESSION, None, u32::from(entry.numbers.compression).into())
            }
            (None, Some(entry)) => {
                let text = |text: Option<Vec<u8>>| text.map_or(Val::None, |t| Val::Text(t.into()));
                walk.field(&NAME, None, text(name.clone()))?;
                walk.field(&OFFSET, None, self.archive.data_start_of(entry).start.into())?;
                let directory = self.archive.names().reversed_directory(entry);
                task.budget.touch(directory.map_or(0, |text| text.len() as u64))?;
                walk.field(&DIRECTORY, None, text(directory.map(forward)))
            }
            (None, None) => Ok(()),
        };
        each(
            &Entry {
                node: Item::Entry(n).node(),
                path: &self.path(n, pages),
                kind: "file",
                name: name.as_deref(),
                size,
                label: None,
                stored_size: spec.filter(PathEntry::is_packed).map(|entry| entry.size()),
                details: &details,
            },
            task,
        )
    }
}

/// A text that is stored last byte first.
fn forward(text: &[u8]) -> Vec<u8> {
    text.iter().rev().copied().collect()
}

/// A stored path as it is shown: `/` between its steps, each of them escaped.
pub fn shown(path: &[u8], pages: &CodePages) -> String {
    Form::Real.shown(path, pages)
}

impl Container for Members {
    fn profile(&self) -> &'static Profile {
        &PAK
    }

    fn dialect(&self) -> Option<&'static str> {
        self.archive.form().is_spec().then_some(spec::DIALECT)
    }

    fn size(&self) -> u64 {
        self.archive.size()
    }

    fn info(&self, _task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        if let Some(header) = self.archive.spec_header() {
            walk.field(&SPEC_VERSION, None, header.version.get().into())?;
            walk.field(&SPEC_ENTRY_COUNT, None, header.entry_count.get().into())?;
            walk.field(&INDEX_OFFSET, None, header.index_offset.get().into())?;
            let packed = self.archive.spec_entries().filter(|entry| entry.is_packed());
            walk.field(&PACKED_COUNT, None, packed.count().into())?;
            let sizes = self.archive.spec_entries().map(|entry| entry.size());
            walk.field(&SUM_OF_STORED, None, sizes.fold(0, u64::saturating_add).into())?;
            walk.field(&TRAILING_SIZE, None, self.archive.trailing().len.into())?;
            return walk.field(&spec::EVIDENCE_FIELD, None, spec::EVIDENCE.into());
        }
        let header = self.archive.header();
        walk.field(&VERSION, None, header.version.get().into())?;
        walk.field(&ENTRY_COUNT, None, header.entry_count.get().into())?;
        walk.field(&DATA_START, None, header.data_start.get().into())?;
        walk.group(&Group::record("checksum", &CHECKSUM, None), |walk| {
            let stored = header.checksum.get();
            walk.field(&STORED, None, Val::Word(stored))?;
            walk.field(&OK, None, (stored == self.archive.checksum()).into())
        })?;
        walk.field(&ROOT_INDEX, None, header.root_index.get().into())?;
        let sizes = self.archive.entries().iter().map(|entry| u64::from(entry.size.get()));
        walk.field(&DATA_SIZE, None, sizes.fold(0, u64::saturating_add).into())?;
        walk.field(&FILE_SIZE, None, header.file_size.get().into())?;
        walk.field(&PADDING_SIZE, None, self.archive.padding().into())?;
        walk.field(&EVIDENCE, None, "synthetic".into())
    }

    fn children(&self, of: Of, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        match of {
            Of::Listing => {
                for n in self.positions() {
                    self.give_entry(n, pages, task, each)?;
                }
            }
            // No entry has parts of its own here.
            Of::Parts(_) => {}
            Of::Root => {
                let list = self.by_path(&mut task.budget)?;
                Folder::ROOT.give_below(&list, pages, task, each)?;
                for n in self.positions().filter(|n| self.path_bytes(*n).is_none()) {
                    self.give_entry(n, pages, task, each)?;
                }
            }
            Of::Node(node) => {
                if let Item::Folder(folder) = Item::of(node) {
                    let list = self.by_path(&mut task.budget)?;
                    folder.give_below(&list, pages, task, each)?;
                }
            }
        }
        Ok(())
    }

    fn entry(&self, node: Node, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        match Item::of(node) {
            Item::Entry(n) => self.give_entry(n, pages, task, each),
            Item::Folder(folder) => {
                let list = self.by_path(&mut task.budget)?;
                folder.give(&list, pages, task, each)
            }
        }
    }

    fn find(&self, path: &str, pages: &CodePages, task: &mut Task<'_>) -> Result<Vec<Node>> {
        let found = self.find_all(&[path], pages, task)?;
        Ok(found.into_iter().next().unwrap_or_default())
    }

    /// Paths are compared as they are shown, then without regard to case, then as those of folders.
    fn find_all(
        &self,
        paths: &[&str],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Vec<Node>>> {
        Wanted::of(paths, task)?.find(self, pages, task)
    }

    fn bytes(&self, node: Node, task: &mut Task<'_>) -> Result<Bytes> {
        let Item::Entry(n) = Item::of(node) else {
            return Err(Error::new(&spelunk_core::codes::NO_SUCH_OPERATION));
        };
        self.archive.bytes(n, task)
    }

    fn walk(&self, node: Node, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let Item::Entry(n) = Item::of(node) else {
            return Err(Error::new(&spelunk_core::codes::NO_SUCH_OPERATION).into());
        };
        if let Some(entry) = self.archive.spec_entry(n) {
            entry.walk(walk)?;
            return match self.archive.bytes(n, task) {
                Ok(bytes) => {
                    let at = self.archive.range(n).filter(|_| !entry.is_packed());
                    let at = at.map(|at| Span::file(at.start, at.end.saturating_sub(at.start)));
                    walk.field(&DATA, at, Val::Bytes(bytes.as_ref().into()))
                }
                Err(error) => {
                    tolerate(error, task)?;
                    walk.field(&DATA, None, Val::None)
                }
            };
        }
        let entry = self.archive.entry(n).ok_or_else(not_found)?;
        PakEntry::RECORD.walk(entry.as_bytes(), self.archive.entry_at(n), walk)?;
        let names = self.archive.names();
        let texts =
            [(&NAME, names.reversed_name(entry)), (&DIRECTORY, names.reversed_directory(entry))];
        for (field, text) in texts {
            let text = text.map(forward);
            walk.field(field, None, text.map_or(Val::None, |text| Val::Text(text.into())))?;
        }
        match self.archive.data_at(entry) {
            None => walk.field(&DATA, None, Val::None),
            Some(range) => {
                let at = Span::file(range.start, range.end.saturating_sub(range.start));
                let bytes = self.archive.source().read(range, &mut task.budget)?;
                walk.field(&DATA, Some(at), Val::Bytes(bytes.as_ref().into()))
            }
        }
    }

    fn layout(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        self.archive.layout(task, walk)
    }

    /// Names the fields of the dialect `spec` that follow from others.
    fn is_derived(&self, field: &Field) -> bool {
        let names = ["entry_count", "index_offset", "offset", "size"];
        self.archive.form().is_spec() && names.contains(&field.name)
    }

    fn verify(&self, task: &mut Task<'_>) -> Result<()> {
        self.archive.verify(task)
    }

    fn write(
        &self,
        out: &mut dyn io::Write,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<()> {
        self.archive.write_with(out, options, task)
    }

    fn fork(&self, task: &mut Task<'_>) -> Result<Option<Box<dyn Container>>> {
        let sorted = self.sorted.get().map_or(0, Vec::len);
        task.budget.memory(sorted.saturating_mul(size_of::<u32>()) as u64)?;
        Ok(Some(Box::new(self.clone())))
    }

    fn edit(&mut self) -> Option<&mut dyn Edit> {
        Some(self)
    }
}
