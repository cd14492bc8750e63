//! The cache as a container.

use super::{
    cache::{Cache, CachedPak},
    details::{
        COMPRESSION, DATA_START, ENTRY_COUNT, FILE_SIZE, OFFSET, PAK, PAK_COUNT, PAK_ENTRY_COUNT,
        SPEC_OFFSET, STORED_PATH, TRAILING, TRAILING_SIZE, VERSION,
    },
    form::{
        CachedPakHeader, EntryView, KEY, LOCATION, NAME, Numbers, header_len, of_bytes, outline,
        walk_header,
    },
    records::PakNumbers,
};
use crate::{
    profile::{CACHE_FILES, PAKDATA},
    spec,
};
use spelunk_core::{
    Bytes, Container, Entry, Error, Field, Format, Group, Node, Of, Probe, Profile, Result, Source,
    Span, Task, Val, Walk, Walked, WriteOptions, container::Each, field::Described,
    signature::FileType, text::CodePages,
};
use std::{io, sync::Arc};

/// The cache as a format.
#[derive(Clone, Copy, Debug)]
pub struct PakData;

impl Format for PakData {
    fn profile(&self) -> &'static Profile {
        &PAKDATA
    }

    fn file_types(&self) -> &'static [FileType] {
        &CACHE_FILES
    }

    /// Looks at the first archive: there is no magic, so that has to look like one.
    fn probe(&self, head: &[u8], len: u64) -> Probe {
        if of_bytes(head, len).is_some() { Probe::Yes } else { Probe::No }
    }

    fn open(&self, source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<Box<dyn Container>> {
        Ok(Box::new(Paks { cache: Cache::open(&*source, task)? }))
    }
}

/// Meaning of a node: the entry at this position among all entries, or the archive at this one.
enum PakDataNode {
    Entry(usize),
    Pak(usize),
}

const PAK_BIT: u64 = 1 << 63;

impl PakDataNode {
    fn of(node: Node) -> PakDataNode {
        let position = usize::try_from(node.0 & !PAK_BIT).unwrap_or(usize::MAX);
        if node.0 & PAK_BIT == 0 {
            PakDataNode::Entry(position)
        } else {
            PakDataNode::Pak(position)
        }
    }

    fn node(self) -> Node {
        Node(match self {
            PakDataNode::Entry(n) => n as u64,
            PakDataNode::Pak(n) => PAK_BIT | n as u64,
        })
    }
}

/// An opened cache.
#[derive(Debug)]
pub struct Paks {
    cache: Cache,
}

fn not_found() -> Error {
    Error::new(&spelunk_core::codes::NOT_FOUND)
}

impl Paks {
    /// The cache.
    pub const fn cache(&self) -> &Cache {
        &self.cache
    }

    const fn is_spec(&self) -> bool {
        self.cache.form().is_spec()
    }

    fn pak(&self, n: usize) -> Result<(&CachedPak, CachedPakHeader<'_>)> {
        let pak = self.cache.paks().get(n).ok_or_else(not_found)?;
        Ok((pak, self.cache.head(pak)?))
    }

    fn entry_path(&self, key: &[u8], entry: &EntryView<'_>, pages: &CodePages) -> String {
        let mut path = String::new();
        pages.path_step(key, &mut path);
        for part in [entry.directory.text, entry.name.text] {
            if !part.is_empty() {
                path.push('/');
                path.push_str(&self.cache.form().shown(part, pages));
            }
        }
        path
    }

    fn give_pak(&self, n: usize, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let (pak, head) = self.pak(n)?;
        let mut shown = String::new();
        pages.path_step(head.key.text, &mut shown);
        // Where no size of the archive is stored, it is that of its files.
        let size = if self.is_spec() {
            task.budget.touch(pak.end().saturating_sub(pak.start))?;
            let sizes = pak.entries.clone().filter_map(|n| self.cache.entry(n));
            sizes.fold(0_u64, |sum, entry| sum.saturating_add(entry.size()))
        } else {
            u64::try_from(pak.numbers.file_size.get()).unwrap_or_default()
        };
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| self.pak_details(pak, &head, walk);
        each(
            &Entry {
                node: PakDataNode::Pak(n).node(),
                path: &shown,
                kind: "archive",
                name: Some(head.key.text),
                size,
                label: None,
                stored_size: None,
                details: &details,
            },
            task,
        )
    }

    fn give_entry(
        &self,
        n: usize,
        key: &[u8],
        pages: &CodePages,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        let entry = self.cache.entry(n).ok_or_else(not_found)?;
        task.budget.touch(entry.at().len.saturating_add(key.len() as u64))?;
        let [_, offset] = entry.place();
        let name = Val::Text(entry.name.text.into());
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| match entry.numbers {
            Numbers::Real(_) => {
                walk.field(&NAME, None, name.clone())?;
                walk.field(&PAK, None, Val::Text(key.into()))?;
                walk.field(&OFFSET, None, Val::I(offset))
            }
            Numbers::Spec(numbers) => {
                walk.field(&STORED_PATH, None, name.clone())?;
                walk.field(&PAK, None, Val::Text(key.into()))?;
                walk.field(&SPEC_OFFSET, None, numbers.offset.get().into())?;
                walk.field(&COMPRESSION, None, u32::from(numbers.compression).into())
            }
        };
        let (name, _) = entry.parts();
        // What a packed file inflates to is not in the cache.
        let is_packed = entry.compression() == Some(1);
        each(
            &Entry {
                node: PakDataNode::Entry(n).node(),
                path: &self.entry_path(key, &entry, pages),
                kind: "file",
                name: Some(name),
                size: entry.size(),
                label: None,
                stored_size: is_packed.then(|| entry.size()),
                details: &details,
            },
            task,
        )
    }

    fn give_entries_of(
        &self,
        n: usize,
        pages: &CodePages,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        let (pak, head) = self.pak(n)?;
        pak.entries.clone().try_for_each(|n| self.give_entry(n, head.key.text, pages, task, each))
    }

    fn pak_details(
        &self,
        pak: &CachedPak,
        head: &CachedPakHeader<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let numbers = &pak.numbers;
        let count = Val::I(numbers.entry_count.get().into());
        if self.is_spec() {
            return walk.field(&PAK_ENTRY_COUNT, None, count);
        }
        walk.field(&LOCATION, None, Val::Text(head.path.text.into()))?;
        walk.field(&PAK_ENTRY_COUNT, None, count)?;
        walk.field(&DATA_START, None, Val::I(numbers.data_start.get().into()))?;
        walk.field(&FILE_SIZE, None, Val::I(numbers.file_size.get().into()))
    }
}

impl Container for Paks {
    fn profile(&self) -> &'static Profile {
        &PAKDATA
    }

    fn dialect(&self) -> Option<&'static str> {
        self.is_spec().then_some(spec::DIALECT)
    }

    fn size(&self) -> u64 {
        self.cache.trailing().end()
    }

    fn code_pages(&self) -> CodePages {
        if self.is_spec() { CodePages::cp1252() } else { CodePages::utf8() }
    }

    fn info(&self, _task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        if let Some(version) = self.cache.version() {
            walk.field(&VERSION, None, version.into())?;
        }
        walk.field(&PAK_COUNT, None, self.cache.paks().len().into())?;
        walk.field(&ENTRY_COUNT, None, self.cache.entry_count().into())?;
        if self.is_spec() {
            walk.field(&TRAILING_SIZE, None, self.cache.trailing().len.into())?;
            return walk.field(&spec::EVIDENCE_FIELD, None, spec::EVIDENCE.into());
        }
        walk.group(&Group::list("paks", &outline(self.cache.form()).paks, None), |walk| {
            for n in 0..self.cache.paks().len() {
                let (pak, head) = self.pak(n)?;
                walk.group(&Group::item(n, PakNumbers::RECORD, None), |walk| {
                    walk.field(&KEY, None, Val::Text(head.key.text.into()))?;
                    self.pak_details(pak, &head, walk)
                })?;
            }
            Ok(())
        })?;
        walk.field(&TRAILING_SIZE, None, self.cache.trailing().len.into())
    }

    fn children(&self, of: Of, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let mut paks = 0..self.cache.paks().len();
        match of {
            Of::Listing => paks.try_for_each(|n| self.give_entries_of(n, pages, task, each)),
            // No entry has parts of its own here.
            Of::Parts(_) => Ok(()),
            Of::Root => paks.try_for_each(|n| self.give_pak(n, pages, task, each)),
            Of::Node(node) => match PakDataNode::of(node) {
                PakDataNode::Pak(n) => self.give_entries_of(n, pages, task, each),
                PakDataNode::Entry(_) => Ok(()),
            },
        }
    }

    fn entry(&self, node: Node, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        match PakDataNode::of(node) {
            PakDataNode::Pak(n) => self.give_pak(n, pages, task, each),
            PakDataNode::Entry(n) => {
                let (_, head) = self.pak(self.cache.pak_of(n))?;
                self.give_entry(n, head.key.text, pages, task, each)
            }
        }
    }

    fn find(&self, path: &str, pages: &CodePages, task: &mut Task<'_>) -> Result<Vec<Node>> {
        if let Some(position) = path.strip_prefix('#') {
            let position = position.parse().ok().filter(|n| *n < self.cache.entry_count());
            return Ok(position.map(|n| PakDataNode::Entry(n).node()).into_iter().collect());
        }
        let lower = path.to_lowercase();
        let (mut exact, mut alike) = (Vec::new(), Vec::new());
        for n in 0..self.cache.paks().len() {
            let (pak, CachedPakHeader { key, .. }) = self.pak(n)?;
            let mut shown = String::new();
            pages.path_step(key.text, &mut shown);
            // Only archives whose key the path starts with are searched.
            let Some(rest) = lower.strip_prefix(&shown.to_lowercase()) else { continue };
            if rest.is_empty() {
                exact.push(PakDataNode::Pak(n).node());
            }
            let may_hold = rest.starts_with('/') || (self.is_spec() && rest.is_empty());
            for entry in pak.entries.clone().filter(|_| may_hold) {
                let Some(view) = self.cache.entry(entry) else { continue };
                task.budget.touch(view.at().len.saturating_add(key.text.len() as u64))?;
                let other = self.entry_path(key.text, &view, pages);
                if other == path {
                    exact.push(PakDataNode::Entry(entry).node());
                } else if other.to_lowercase() == lower {
                    alike.push(PakDataNode::Entry(entry).node());
                }
            }
        }
        Ok(if exact.is_empty() { alike } else { exact })
    }

    fn find_all(
        &self,
        paths: &[&str],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Vec<Node>>> {
        spelunk_core::entries::find_each(self, paths, pages, task)
    }

    fn bytes(&self, _node: Node, _task: &mut Task<'_>) -> Result<Bytes> {
        Err(Error::new(&spelunk_core::codes::NO_SUCH_OPERATION))
    }

    fn walk(&self, node: Node, _task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        match PakDataNode::of(node) {
            PakDataNode::Entry(n) => self.cache.entry(n).ok_or_else(not_found)?.walk(walk),
            PakDataNode::Pak(n) => self.cache.walk_head(self.pak(n)?.0, walk),
        }
    }

    fn layout(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let (form, trailing) = (self.cache.form(), self.cache.trailing());
        task.budget.touch(trailing.end())?;
        let start = header_len(form);
        walk_header(form, self.cache.slice(Span::file(0, start)), walk)?;
        let outline = outline(form);
        let at = Span::file(start, trailing.start.saturating_sub(start));
        walk.group(&Group::list("paks", &outline.paks, Some(at)), |walk| {
            for (n, pak) in self.cache.paks().iter().enumerate() {
                let at = Span::file(pak.start, pak.end().saturating_sub(pak.start));
                walk.group(&Group::item(n, outline.pak, Some(at)), |walk| {
                    self.walk_pak(pak, walk)
                })?;
            }
            Ok(())
        })?;
        if trailing.len == 0 {
            return Ok(());
        }
        walk.field(&TRAILING, Some(trailing), Val::Bytes(self.cache.slice(trailing).into()))
    }

    /// Names the fields of the dialect `spec` that follow from others.
    fn is_derived(&self, field: &Field) -> bool {
        self.is_spec() && matches!(field.name, "pak_count" | "entry_count")
    }

    /// Opening reads everything and reports all there is to find.
    fn verify(&self, _task: &mut Task<'_>) -> Result<()> {
        Ok(())
    }

    fn write(
        &self,
        out: &mut dyn io::Write,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<()> {
        options.convert.refuse()?;
        self.cache.write(out, task)
    }
}

impl Paks {
    fn walk_pak(&self, pak: &CachedPak, walk: &mut dyn Walk) -> Walked {
        self.cache.walk_head(pak, walk)?;
        let outline = outline(self.cache.form());
        let len = pak.entries_end.saturating_sub(pak.entries_start);
        let at = Span::file(pak.entries_start, len);
        walk.group(&Group::list("entries", &outline.entries, Some(at)), |walk| {
            let views = pak.entries.clone().filter_map(|n| self.cache.entry(n));
            for (nth, entry) in views.enumerate() {
                walk.group(&Group::item(nth, outline.entry, Some(entry.at())), |walk| {
                    entry.walk(walk)
                })?;
            }
            Ok(())
        })?;
        match &pak.repeats {
            Some(repeats) => walk.record("repeats", repeats, Span::file(pak.entries_end, 0)),
            None => Ok(()),
        }
    }
}
