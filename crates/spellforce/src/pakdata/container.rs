//! The cache as a container.

use super::{Cache, CacheEntry, CacheHeader, CachedPak, EntryView, PakNumbers, Text};
use crate::{
    fields::{fields, fields_of},
    pak::shown,
    profile::{CACHE_FILES, PAKDATA},
    spec::{self, pakdata::SpecPaks},
};
use spelunk_core::{
    Bytes, Container, Entry, Error, Field, Format, Group, Node, Of, Probe, Profile, Record, Result,
    Source, Space, Span, Task, Val, Walk, Walked, WriteOptions,
    container::{Each, PROBE_LEN},
    cursor::Cursor,
    field::Described,
    signature::FileType,
    text::CodePages,
};
use std::{io, sync::Arc};
use zerocopy::IntoBytes;

/// The cache as a format.
#[derive(Clone, Copy, Debug)]
pub struct PakData;

/// More archives than anyone has; a larger count is no cache.
const MOST_PAKS: i32 = 4096;

/// A longer key or path is no cache.
const LONGEST_PATH: usize = 1024;

impl Format for PakData {
    fn profile(&self) -> &'static Profile {
        &PAKDATA
    }

    fn file_types(&self) -> &'static [FileType] {
        &CACHE_FILES
    }

    /// There is no magic: the first archive has to look like one.
    fn probe(&self, head: &[u8], len: u64) -> Probe {
        let is_ours = looks_like(head, len).unwrap_or(false);
        if is_ours || spec::pakdata::looks_like(head, len) { Probe::Yes } else { Probe::No }
    }

    fn open(&self, source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<Box<dyn Container>> {
        let head = source.read(0..source.len().min(PROBE_LEN), &mut task.budget)?;
        let is_ours = looks_like(&head, source.len()).unwrap_or(false);
        if !is_ours && spec::pakdata::looks_like(&head, source.len()) {
            return Ok(Box::new(SpecPaks::open(&source, task)?));
        }
        Ok(Box::new(Paks { cache: Cache::open(&*source, task)? }))
    }
}

/// Whether the first archive is plausible: its key is the last step of its path or ends in `.pak`, and
/// its numbers fit into the file.
fn looks_like(head: &[u8], len: u64) -> Result<bool> {
    let mut cursor = Cursor::new(head, Space::FILE, 0);
    let count = cursor.record::<CacheHeader>()?.pak_count.get();
    let key = Text::read(&mut cursor, "key")?.text;
    let path = Text::read(&mut cursor, "path")?.text;
    let numbers = cursor.record::<PakNumbers>()?;
    let last = path.rsplit(|byte| matches!(byte, b'\\' | b'/')).next();
    let named = last == Some(key) || key.to_ascii_lowercase().ends_with(b".pak");
    let short = !key.is_empty() && key.len() <= LONGEST_PATH && path.len() <= LONGEST_PATH;
    let entries = u64::try_from(numbers.entry_count.get()).unwrap_or(u64::MAX);
    let fit = entries.saturating_mul(super::SMALLEST_ENTRY) <= len
        && numbers.data_start.get() >= 0
        && numbers.file_size.get() >= 0;
    Ok((1..=MOST_PAKS).contains(&count) && named && short && fit)
}

fields_of! {
    PAK_ENTRY_COUNT: PakNumbers "entry_count";
    DATA_START: PakNumbers "data_start";
    FILE_SIZE: PakNumbers "file_size";
    OFFSET: CacheEntry "data_offset" as "offset";
}

fields! {
    PAK_COUNT: "pak_count" U64 "Number of archives that can be read.";
    ENTRY_COUNT: "entry_count" U64 "Number of entries of all of them.";
    KEY: "key" Text "File name of the archive.";
    PATH: "path" Text "Where the archive was when the cache was made.";
    TRAILING_SIZE: "trailing_size" U64 "Bytes behind the last archive." "bytes";
    PAK: "pak" Text "File name of the archive that holds the file.";
    KEY_LENGTH: "key_length" Bytes "Length of the key, in groups of seven bits.";
    PATH_LENGTH: "path_length" Bytes "Length of the path, in groups of seven bits.";
    NAME_LENGTH: "name_length" Bytes "Length of the name, in groups of seven bits.";
    DIRECTORY_LENGTH: "directory_length" Bytes "Length of the directory, in groups of seven bits.";
    NAME: "name" Text "File name.";
    DIRECTORY: "directory" Text "Directory, with backslashes.";
    TRAILING: "trailing" Bytes "What a longer, older cache left behind.";
}

static PAKS: Record = Record::group(
    "paks",
    "docs/formats/pak.md#7-pakdatadat",
    "The archives, in the order of a directory listing.",
);
static ENTRIES: Record = Record::group(
    "entries",
    "docs/formats/pak.md#7-pakdatadat",
    "The entries in the order of the archive.",
);

/// What a node stands for: the entry at this position among all entries, or the archive at this one.
enum Item {
    Entry(usize),
    Pak(usize),
}

const PAK_BIT: u64 = 1 << 63;

impl Item {
    fn of(node: Node) -> Item {
        let position = usize::try_from(node.0 & !PAK_BIT).unwrap_or(usize::MAX);
        if node.0 & PAK_BIT == 0 { Item::Entry(position) } else { Item::Pak(position) }
    }

    fn node(self) -> Node {
        Node(match self {
            Item::Entry(n) => n as u64,
            Item::Pak(n) => PAK_BIT | n as u64,
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

    fn pak(&self, n: usize) -> Result<(&CachedPak, Text<'_>, Text<'_>)> {
        let pak = self.cache.paks().get(n).ok_or_else(not_found)?;
        let (key, path) = self.cache.strings(pak)?;
        Ok((pak, key, path))
    }

    fn entry_path(&self, key: &[u8], entry: &EntryView<'_>, pages: &CodePages) -> String {
        let mut path = String::new();
        pages.path_step(key, &mut path);
        for part in [entry.directory.text, entry.name.text] {
            if !part.is_empty() {
                path.push('/');
                path.push_str(&shown(part, pages));
            }
        }
        path
    }

    fn give_pak(&self, n: usize, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let (pak, key, path) = self.pak(n)?;
        let mut shown = String::new();
        pages.path_step(key.text, &mut shown);
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| pak_details(pak, &path, walk);
        each(
            &Entry {
                node: Item::Pak(n).node(),
                path: &shown,
                kind: "archive",
                name: Some(key.text),
                size: u64::try_from(pak.numbers.file_size.get()).unwrap_or_default(),
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
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| {
            walk.field(&NAME, None, Val::Text(entry.name.text.into()))?;
            walk.field(&PAK, None, Val::Text(key.into()))?;
            walk.field(&OFFSET, None, Val::I(entry.numbers.data_offset.get().into()))
        };
        each(
            &Entry {
                node: Item::Entry(n).node(),
                path: &self.entry_path(key, &entry, pages),
                kind: "file",
                name: Some(entry.name.text),
                size: entry.size(),
                label: None,
                stored_size: None,
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
        let (pak, key, _) = self.pak(n)?;
        pak.entries.clone().try_for_each(|n| self.give_entry(n, key.text, pages, task, each))
    }
}

fn pak_details(pak: &CachedPak, path: &Text<'_>, walk: &mut dyn Walk) -> Walked {
    walk.field(&PATH, None, Val::Text(path.text.into()))?;
    let numbers = &pak.numbers;
    walk.field(&PAK_ENTRY_COUNT, None, Val::I(numbers.entry_count.get().into()))?;
    walk.field(&DATA_START, None, Val::I(numbers.data_start.get().into()))?;
    walk.field(&FILE_SIZE, None, Val::I(numbers.file_size.get().into()))
}

/// Walks a string: the bytes of its length, and its text.
fn walk_text(
    length: &'static Field,
    field: &'static Field,
    text: &Text<'_>,
    walk: &mut dyn Walk,
) -> Walked {
    walk.field(length, Some(text.length_at()), Val::Bytes(text.length.into()))?;
    walk.field(field, Some(text.text_at()), Val::Text(text.text.into()))
}

fn walk_entry(entry: &EntryView<'_>, walk: &mut dyn Walk) -> Walked {
    CacheEntry::RECORD.walk(entry.numbers.as_bytes(), entry.at(), walk)?;
    walk_text(&NAME_LENGTH, &NAME, &entry.name, walk)?;
    walk_text(&DIRECTORY_LENGTH, &DIRECTORY, &entry.directory, walk)
}

impl Container for Paks {
    fn profile(&self) -> &'static Profile {
        &PAKDATA
    }

    fn size(&self) -> u64 {
        self.cache.trailing().end()
    }

    fn code_pages(&self) -> CodePages {
        CodePages::utf8()
    }

    fn info(&self, _task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        walk.field(&PAK_COUNT, None, self.cache.paks().len().into())?;
        walk.field(&ENTRY_COUNT, None, self.cache.entry_count().into())?;
        walk.group(&Group::list("paks", &PAKS, None), |walk| {
            for n in 0..self.cache.paks().len() {
                let (pak, key, path) = self.pak(n)?;
                walk.group(&Group::item(n, PakNumbers::RECORD, None), |walk| {
                    walk.field(&KEY, None, Val::Text(key.text.into()))?;
                    pak_details(pak, &path, walk)
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
            Of::Node(node) => match Item::of(node) {
                Item::Pak(n) => self.give_entries_of(n, pages, task, each),
                Item::Entry(_) => Ok(()),
            },
        }
    }

    fn entry(&self, node: Node, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        match Item::of(node) {
            Item::Pak(n) => self.give_pak(n, pages, task, each),
            Item::Entry(n) => {
                let (_, key, _) = self.pak(self.cache.pak_of(n))?;
                self.give_entry(n, key.text, pages, task, each)
            }
        }
    }

    fn find(&self, path: &str, pages: &CodePages, task: &mut Task<'_>) -> Result<Vec<Node>> {
        if let Some(position) = path.strip_prefix('#') {
            let position = position.parse().ok().filter(|n| *n < self.cache.entry_count());
            return Ok(position.map(|n| Item::Entry(n).node()).into_iter().collect());
        }
        let lower = path.to_lowercase();
        let (mut exact, mut alike) = (Vec::new(), Vec::new());
        for n in 0..self.cache.paks().len() {
            let (pak, key, _) = self.pak(n)?;
            let mut shown = String::new();
            pages.path_step(key.text, &mut shown);
            // Only archives whose key the path starts with are searched.
            let Some(rest) = lower.strip_prefix(&shown.to_lowercase()) else { continue };
            if rest.is_empty() {
                exact.push(Item::Pak(n).node());
            }
            for entry in pak.entries.clone().filter(|_| rest.starts_with('/')) {
                let Some(view) = self.cache.entry(entry) else { continue };
                task.budget.touch(view.at().len.saturating_add(key.text.len() as u64))?;
                let other = self.entry_path(key.text, &view, pages);
                if other == path {
                    exact.push(Item::Entry(entry).node());
                } else if other.to_lowercase() == lower {
                    alike.push(Item::Entry(entry).node());
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
        match Item::of(node) {
            Item::Entry(n) => walk_entry(&self.cache.entry(n).ok_or_else(not_found)?, walk),
            Item::Pak(n) => {
                let (_, key, path) = self.pak(n)?;
                self.walk_pak_head(n, &key, &path, walk)
            }
        }
    }

    fn layout(&self, _task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        walk.record("header", &self.cache.header, Span::file(0, 0))?;
        let trailing = self.cache.trailing();
        let start = size_of::<CacheHeader>() as u64;
        let at = Span::file(start, trailing.start.saturating_sub(start));
        walk.group(&Group::list("paks", &PAKS, Some(at)), |walk| {
            for n in 0..self.cache.paks().len() {
                let (pak, key, path) = self.pak(n)?;
                let at = Span::file(pak.start, pak.end().saturating_sub(pak.start));
                walk.group(&Group::item(n, PakNumbers::RECORD, Some(at)), |walk| {
                    self.walk_pak(n, pak, &key, &path, walk)
                })?;
            }
            Ok(())
        })?;
        if trailing.len == 0 {
            return Ok(());
        }
        walk.field(&TRAILING, Some(trailing), Val::Bytes(self.cache.slice(trailing).into()))
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
    fn walk_pak_head(
        &self,
        n: usize,
        key: &Text<'_>,
        path: &Text<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let (pak, ..) = self.pak(n)?;
        walk_text(&KEY_LENGTH, &KEY, key, walk)?;
        walk_text(&PATH_LENGTH, &PATH, path, walk)?;
        let numbers_at = Span::file(path.text_at().end(), size_of::<PakNumbers>() as u64);
        PakNumbers::RECORD.walk(pak.numbers.as_bytes(), numbers_at, walk)
    }

    fn walk_pak(
        &self,
        n: usize,
        pak: &CachedPak,
        key: &Text<'_>,
        path: &Text<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        self.walk_pak_head(n, key, path, walk)?;
        let len = pak.repeats_start.saturating_sub(pak.entries_start);
        let at = Span::file(pak.entries_start, len);
        walk.group(&Group::list("entries", &ENTRIES, Some(at)), |walk| {
            let views = pak.entries.clone().filter_map(|n| self.cache.entry(n));
            for (nth, entry) in views.enumerate() {
                walk.group(&Group::item(nth, CacheEntry::RECORD, Some(entry.at())), |walk| {
                    walk_entry(&entry, walk)
                })?;
            }
            Ok(())
        })?;
        walk.record("repeats", &pak.repeats, Span::file(pak.repeats_start, 0))
    }
}
