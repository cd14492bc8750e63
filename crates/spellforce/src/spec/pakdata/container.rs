//! The cache of the specification as a container.

use super::{Cache, CacheHeader, CachedPak, PakCount};
use crate::{
    fields::{fields, fields_of},
    profile::PAKDATA,
    spec::{
        DIALECT, EVIDENCE, EVIDENCE_FIELD, Matches, PathNumbers,
        entry::{PATH, PathEntry},
        not_found,
    },
};
use spelunk_core::{
    Bytes, Container, Entry, Error, Field, Node, Of, Profile, Result, Source, Task, Val, Walk,
    Walked, WriteOptions, container::Each, text::CodePages,
};
use std::{io, sync::Arc};

fields_of! {
    VERSION: CacheHeader "version";
    PAK_ENTRY_COUNT: PakCount "entry_count";
    OFFSET: PathNumbers "offset";
    COMPRESSION: PathNumbers "compression";
}

fields! {
    PAK_COUNT: "pak_count" U64 "Number of archives that can be read.";
    ENTRY_COUNT: "entry_count" U64 "Number of files of all of them.";
    TRAILING_SIZE: "trailing_size" U64 "Bytes behind the last archive." "bytes";
    PAK: "pak" Text "File name of the archive that holds the file.";
}

const PAK_BIT: u64 = 1 << 63;

/// What a node stands for: the entry at this position among all entries, or the archive at this one.
enum Item {
    Entry(usize),
    Pak(usize),
}

impl Item {
    fn of(node: Node) -> Item {
        let position = usize::try_from(node.0 & !PAK_BIT).unwrap_or(usize::MAX);
        if node.0 & PAK_BIT == 0 { Item::Entry(position) } else { Item::Pak(position) }
    }
}

/// An opened cache.
#[derive(Debug)]
pub struct SpecPaks {
    cache: Cache,
}

impl SpecPaks {
    /// Opens a cache.
    ///
    /// # Errors
    /// Those of [`Cache::open`].
    pub fn open(source: &Arc<dyn Source>, task: &mut Task<'_>) -> Result<SpecPaks> {
        Ok(SpecPaks { cache: Cache::open(&**source, task)? })
    }

    /// The cache.
    pub const fn cache(&self) -> &Cache {
        &self.cache
    }

    fn pak(&self, n: usize) -> Result<&CachedPak> {
        self.cache.paks.get(n).ok_or_else(not_found)
    }

    fn entry_of(&self, n: usize) -> Result<(PathEntry<'_>, &[u8])> {
        let entry = self.cache.entry(n).ok_or_else(not_found)?;
        Ok((entry, self.cache.key(self.pak(self.cache.pak_of(n))?)))
    }

    fn pak_path(&self, pak: &CachedPak, pages: &CodePages) -> String {
        let mut path = String::new();
        pages.path_step(self.cache.key(pak), &mut path);
        path
    }

    fn path(&self, n: usize, pages: &CodePages) -> Result<String> {
        let (entry, _) = self.entry_of(n)?;
        let mut path = self.pak_path(self.pak(self.cache.pak_of(n))?, pages);
        if !entry.path.is_empty() {
            path.push('/');
            path.push_str(&entry.shown(n, pages));
        }
        Ok(path)
    }

    fn give_pak(&self, n: usize, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let pak = self.pak(n)?;
        task.budget.touch(pak.end.saturating_sub(pak.start))?;
        let sizes = pak.entries.clone().filter_map(|n| self.cache.entry(n)).map(|e| e.size());
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| {
            walk.field(&PAK_ENTRY_COUNT, None, pak.entries.len().into())
        };
        each(
            &Entry {
                node: Node(PAK_BIT | n as u64),
                path: &self.pak_path(pak, pages),
                kind: "archive",
                name: Some(self.cache.key(pak)),
                label: None,
                size: sizes.fold(0, u64::saturating_add),
                stored_size: None,
                details: &details,
            },
            task,
        )
    }

    fn give_entry(
        &self,
        n: usize,
        pages: &CodePages,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        let (entry, key) = self.entry_of(n)?;
        task.budget.touch(entry.at().len.saturating_add(key.len() as u64))?;
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| {
            walk.field(&PATH, None, Val::Text(entry.path.into()))?;
            walk.field(&PAK, None, Val::Text(key.into()))?;
            walk.field(&OFFSET, None, entry.numbers.offset.get().into())?;
            walk.field(&COMPRESSION, None, u32::from(entry.numbers.compression).into())
        };
        each(
            &Entry {
                node: Node(n as u64),
                path: &self.path(n, pages)?,
                kind: "file",
                name: Some(entry.name()),
                label: None,
                // What a packed file inflates to is not in the cache.
                size: entry.size(),
                stored_size: entry.is_packed().then(|| entry.size()),
                details: &details,
            },
            task,
        )
    }
}

impl Container for SpecPaks {
    fn profile(&self) -> &'static Profile {
        &PAKDATA
    }

    fn dialect(&self) -> Option<&'static str> {
        Some(DIALECT)
    }

    fn size(&self) -> u64 {
        self.cache.trailing().end()
    }

    fn info(&self, _task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        walk.field(&VERSION, None, self.cache.header().version.get().into())?;
        walk.field(&PAK_COUNT, None, self.cache.paks.len().into())?;
        walk.field(&ENTRY_COUNT, None, self.cache.entry_count().into())?;
        walk.field(&TRAILING_SIZE, None, self.cache.trailing().len.into())?;
        walk.field(&EVIDENCE_FIELD, None, EVIDENCE.into())
    }

    fn children(&self, of: Of, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let mut entries = match of {
            Of::Listing => 0..self.cache.entry_count(),
            Of::Root => {
                let mut paks = 0..self.cache.paks.len();
                return paks.try_for_each(|n| self.give_pak(n, pages, task, each));
            }
            Of::Node(node) => match Item::of(node) {
                Item::Pak(n) => self.pak(n)?.entries.clone(),
                Item::Entry(_) => return Ok(()),
            },
            Of::Parts(_) => return Ok(()),
        };
        entries.try_for_each(|n| self.give_entry(n, pages, task, each))
    }

    fn entry(&self, node: Node, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        match Item::of(node) {
            Item::Pak(n) => self.give_pak(n, pages, task, each),
            Item::Entry(n) => self.give_entry(n, pages, task, each),
        }
    }

    fn find(&self, path: &str, pages: &CodePages, task: &mut Task<'_>) -> Result<Vec<Node>> {
        if let Some(position) = path.strip_prefix('#') {
            let position = position.parse().ok().filter(|n| *n < self.cache.entry_count() as u64);
            return Ok(position.map(Node).into_iter().collect());
        }
        let mut matches = Matches::of(path);
        for (n, pak) in self.cache.paks.iter().enumerate() {
            matches.see(&self.pak_path(pak, pages), Node(PAK_BIT | n as u64));
            for n in pak.entries.clone() {
                let shown = self.path(n, pages)?;
                task.budget.touch(shown.len() as u64)?;
                matches.see(&shown, Node(n as u64));
            }
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

    fn bytes(&self, _node: Node, _task: &mut Task<'_>) -> Result<Bytes> {
        Err(Error::new(&spelunk_core::codes::NO_SUCH_OPERATION))
    }

    fn walk(&self, node: Node, _task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        match Item::of(node) {
            Item::Entry(n) => self.cache.entry(n).ok_or_else(not_found)?.walk(walk),
            Item::Pak(n) => self.cache.walk_head(self.pak(n)?, walk),
        }
    }

    fn layout(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        self.cache.layout(task, walk)
    }

    fn is_derived(&self, field: &Field) -> bool {
        matches!(field.name, "pak_count" | "entry_count")
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
