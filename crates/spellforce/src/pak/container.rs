//! Archives as containers.

use super::{
    archive::{Archive, not_found},
    details::{
        DATA, DATA_SIZE, DATA_START, DIRECTORY, ENTRY_COUNT, EVIDENCE, FILE_SIZE, INDEX_OFFSET,
        NAME, OK, PACKED_COUNT, PADDING_SIZE, ROOT_INDEX, SPEC_ENTRY_COUNT, SPEC_VERSION, STORED,
        SUM_OF_STORED, TRAILING_SIZE, VERSION,
    },
    entry::PakEntry,
    folders::Folder,
    header::MAGIC_START,
    index::MAGIC_SPEC,
    members::{Members, PakNode, forward},
    wanted::MemberLookup,
};
use crate::{
    bytes::tolerate,
    profile::{ARCHIVE_FILES, PAK},
    spec,
};
use spelunk_core::{
    Bytes, Container, Edit, Error, Field, Format, Group, Node, Of, Probe, Profile, Record, Result,
    Source, Span, Task, Val, Walk, Walked, WriteOptions, container::Each, field::Described,
    signature::FileType, text::CodePages,
};
use std::{io, sync::Arc};
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

static CHECKSUM: Record = Record::group(
    "checksum",
    "docs/formats/pak.md#6-checksum",
    "The checksum over header, entries and names.",
);

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
                if let PakNode::Folder(folder) = PakNode::of(node) {
                    let list = self.by_path(&mut task.budget)?;
                    folder.give_below(&list, pages, task, each)?;
                }
            }
        }
        Ok(())
    }

    fn entry(&self, node: Node, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        match PakNode::of(node) {
            PakNode::Entry(n) => self.give_entry(n, pages, task, each),
            PakNode::Folder(folder) => {
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
        MemberLookup::of(paths, task)?.find(self, pages, task)
    }

    fn bytes(&self, node: Node, task: &mut Task<'_>) -> Result<Bytes> {
        let PakNode::Entry(n) = PakNode::of(node) else {
            return Err(Error::new(&spelunk_core::codes::NO_SUCH_OPERATION));
        };
        self.archive.bytes(n, task)
    }

    fn walk(&self, node: Node, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let PakNode::Entry(n) = PakNode::of(node) else {
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
