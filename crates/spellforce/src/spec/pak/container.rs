//! Archives of the specification as containers.

use super::{Archive, PakHeader};
use crate::{
    bytes::tolerate,
    fields::{fields, fields_of},
    pak::PathNumbers,
    profile::PAK,
    spec::{
        DIALECT, EVIDENCE, EVIDENCE_FIELD, Matches,
        entry::{PATH, PathEntry},
        not_found,
    },
};
use spelunk_core::{
    Bytes, Container, Entry, Field, Node, Of, Profile, Result, Source, Task, Val, Walk, Walked,
    WriteOptions, container::Each, text::CodePages,
};
use std::{io, sync::Arc};

fields_of! {
    VERSION: PakHeader "version";
    ENTRY_COUNT: PakHeader "entry_count";
    INDEX_OFFSET: PakHeader "index_offset";
    OFFSET: PathNumbers "offset";
    COMPRESSION: PathNumbers "compression";
}

fields! {
    PACKED_COUNT: "packed_count" U64 "Number of files that are stored as zlib streams.";
    DATA_SIZE: "stored_size" U64 "Sum of the stored sizes of all files." "bytes";
    TRAILING_SIZE: "trailing_size" U64 "Bytes behind the index." "bytes";
    DATA: "data" Bytes "The plain content of the file." "bytes";
}

/// An opened archive.
#[derive(Debug)]
pub struct SpecMembers {
    archive: Archive,
}

impl SpecMembers {
    /// Opens an archive.
    ///
    /// # Errors
    /// Those of [`Archive::open`].
    pub fn open(source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<SpecMembers> {
        Ok(SpecMembers { archive: Archive::open(source, task)? })
    }

    /// The archive.
    pub const fn archive(&self) -> &Archive {
        &self.archive
    }

    fn member(&self, node: Node) -> Result<(usize, PathEntry<'_>)> {
        let n = usize::try_from(node.0).unwrap_or(usize::MAX);
        Ok((n, self.archive.entry(n).ok_or_else(not_found)?))
    }

    fn give(
        &self,
        (n, entry): (usize, PathEntry<'_>),
        pages: &CodePages,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        task.budget.touch(entry.at().len)?;
        let size = match self.archive.plain_size(&entry, task) {
            Ok(size) => size,
            Err(error) => tolerate(error, task).map(|()| entry.size())?,
        };
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| {
            walk.field(&PATH, None, Val::Text(entry.path.into()))?;
            walk.field(&OFFSET, None, entry.numbers.offset.get().into())?;
            walk.field(&COMPRESSION, None, u32::from(entry.numbers.compression).into())
        };
        each(
            &Entry {
                node: Node(n as u64),
                path: &entry.shown(n, pages),
                kind: "file",
                name: Some(entry.name()),
                label: None,
                size,
                stored_size: entry.is_packed().then(|| entry.size()),
                details: &details,
            },
            task,
        )
    }
}

impl Container for SpecMembers {
    fn profile(&self) -> &'static Profile {
        &PAK
    }

    fn dialect(&self) -> Option<&'static str> {
        Some(DIALECT)
    }

    fn size(&self) -> u64 {
        self.archive.size()
    }

    fn info(&self, _task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let header = self.archive.header();
        walk.field(&VERSION, None, header.version.get().into())?;
        walk.field(&ENTRY_COUNT, None, header.entry_count.get().into())?;
        walk.field(&INDEX_OFFSET, None, header.index_offset.get().into())?;
        let packed = self.archive.entries().filter(PathEntry::is_packed).count();
        walk.field(&PACKED_COUNT, None, packed.into())?;
        let sizes = self.archive.entries().map(|entry| entry.size());
        walk.field(&DATA_SIZE, None, sizes.fold(0, u64::saturating_add).into())?;
        walk.field(&TRAILING_SIZE, None, self.archive.trailing().len.into())?;
        walk.field(&EVIDENCE_FIELD, None, EVIDENCE.into())
    }

    /// Paths are listed as the index has them; no folders are made of them.
    fn children(&self, of: Of, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        if let Of::Node(_) | Of::Parts(_) = of {
            return Ok(());
        }
        let mut entries = self.archive.entries().enumerate();
        entries.try_for_each(|entry| self.give(entry, pages, task, each))
    }

    fn entry(&self, node: Node, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        self.give(self.member(node)?, pages, task, each)
    }

    fn find(&self, path: &str, pages: &CodePages, task: &mut Task<'_>) -> Result<Vec<Node>> {
        if let Some(position) = path.strip_prefix('#') {
            let position = position.parse().ok().filter(|n| *n < self.archive.len() as u64);
            return Ok(position.map(Node).into_iter().collect());
        }
        let mut matches = Matches::of(path);
        for (n, entry) in self.archive.entries().enumerate() {
            task.budget.touch(entry.at().len)?;
            matches.see(&entry.shown(n, pages), Node(n as u64));
        }
        Ok(matches.found())
    }

    fn find_all(
        &self,
        paths: &[&str],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Vec<Node>>> {
        spelunk_core::entries::find_each(self, paths, pages, task)
    }

    fn bytes(&self, node: Node, task: &mut Task<'_>) -> Result<Bytes> {
        self.archive.bytes(usize::try_from(node.0).unwrap_or(usize::MAX), task)
    }

    fn walk(&self, node: Node, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let (n, entry) = self.member(node)?;
        entry.walk(walk)?;
        match self.archive.bytes(n, task) {
            Ok(bytes) => {
                let at = self.archive.data_at(&entry).filter(|_| !entry.is_packed());
                walk.field(&DATA, at, Val::Bytes(bytes.as_ref().into()))
            }
            Err(error) => {
                tolerate(error, task)?;
                walk.field(&DATA, None, Val::None)
            }
        }
    }

    fn layout(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        self.archive.layout(task, walk)
    }

    fn is_derived(&self, field: &Field) -> bool {
        matches!(field.name, "entry_count" | "index_offset" | "offset" | "size")
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
        self.archive.write(out, options, task)
    }
}
