//! Findings in an archive: entries that cannot be reached, hashes, order, overlaps, gaps, padding, the checksum.

use super::{
    archive::{Archive, BLOCK, RegionKind},
    entry::{MASK, PakEntry},
    hash::{Hashed, MAX_NAME, joined_hash},
};
use crate::{bytes::in_pieces, codes};
use spelunk_core::{Error, Result, Seg, Span, Task, Val};

impl Archive {
    /// Reports entries whose name or data cannot be reached, and another file size than the stated one.
    ///
    /// # Errors
    /// What the task's sink makes of the findings; limits.
    pub fn check(&self, task: &mut Task<'_>) -> Result<()> {
        if let Some(index) = self.index() {
            return index.check(task);
        }
        self.check_size(task)?;
        self.each_entry(task, |entry, task| self.check_entry(entry, task))
    }

    /// Reports what [`Archive::check`] does, hashes that are not those of the paths, and entries that are out of order, in one
    /// pass.
    ///
    /// # Errors
    /// As those.
    pub fn check_tables(&self, task: &mut Task<'_>) -> Result<()> {
        if let Some(index) = self.index() {
            return index.check(task);
        }
        self.check_size(task)?;
        let mut order = OrderCheck::default();
        self.each_entry(task, |entry, task| {
            self.check_entry(entry, task)?;
            order.next(self, entry, task)
        })
    }

    /// Reports what [`Archive::check`] and [`Archive::verify`] do.
    ///
    /// # Errors
    /// As those.
    pub fn check_all(&self, task: &mut Task<'_>) -> Result<()> {
        self.check_tables(task)?;
        if let Some(index) = self.index() {
            return self.verify_spec(index, task);
        }
        self.verify_checksum(task)?;
        self.verify_data(task)
    }

    fn check_size(&self, task: &mut Task<'_>) -> Result<()> {
        let stated = u64::from(self.header().file_size.get());
        if stated == self.size() {
            return Ok(());
        }
        let error = Error::new(&codes::PAK_FILE_SIZE).at(Span::file(88, 4)).field("file_size");
        task.error(error.expected(self.size()).found(stated))
    }

    /// Hands all entries with their names to `each`, in their order.
    fn each_entry<'a>(
        &'a self,
        task: &mut Task<'_>,
        mut each: impl FnMut(&HashedEntry<'a>, &mut Task<'_>) -> Result<()>,
    ) -> Result<()> {
        let names = self.names();
        // Entries in the order of their hashes name the same few directories again and again.
        let mut directories = [(u32::MAX, None); 256];
        for (n, entry) in (0_u32..).zip(self.entries()) {
            let name = names.hashed_name(entry);
            let offset = entry.directory_offset.get() & MASK;
            let slot = directories.get_mut((offset & 0xff) as usize);
            let directory = match slot {
                Some((known, directory)) if *known == offset => *directory,
                slot => {
                    let directory = names.hashed_directory(entry);
                    if let Some(slot) = slot {
                        *slot = (offset, directory);
                    }
                    directory
                }
            };
            let len = |part: Option<Hashed<'_>>| part.map_or(0, |part| part.text.len());
            task.budget.touch(len(name).saturating_add(len(directory)) as u64)?;
            each(&HashedEntry { n, entry, name, directory }, task)?;
        }
        Ok(())
    }

    fn check_entry(&self, named: &HashedEntry<'_>, task: &mut Task<'_>) -> Result<()> {
        let HashedEntry { n, entry, name, directory } = *named;
        let usual = |part: Option<Hashed<'_>>| part.is_some_and(|it| it.text.len() <= MAX_NAME);
        if !(usual(name) && usual(directory)) {
            self.report_names(named, task)?;
        }
        if self.data_at(entry).is_none() {
            let error = Error::new(&codes::PAK_EXTENT)
                .at(self.entry_at(n))
                .expected(format!("an end at most at {:#x}", self.size()))
                .found(format!("{:#x}", self.data_start_of(entry).end()));
            task.error(within_entry(error.field("size"), n))?;
        }
        Ok(())
    }

    #[cold]
    fn report_names(&self, named: &HashedEntry<'_>, task: &mut Task<'_>) -> Result<()> {
        let HashedEntry { n, entry, name, directory } = *named;
        for (part, offset, field) in [
            (name, entry.name_at(), "name_offset"),
            (directory, entry.directory_at(), "directory_offset"),
        ] {
            match part.map(|part| part.text) {
                None => {
                    let expected =
                        format!("a text in the {} bytes of the names", self.name_bytes().len());
                    let error = Error::new(&codes::PAK_NAME)
                        .at(self.entry_at(n))
                        .expected(expected)
                        .found(format!("offset {offset}"));
                    task.error(within_entry(error.field(field), n))?;
                }
                Some(text) if text.len() > MAX_NAME => {
                    let error = Error::new(&codes::PAK_LONG_NAME)
                        .at(self.entry_at(n))
                        .expected(format!("at most {MAX_NAME} bytes"))
                        .found(format!("{} bytes", text.len()));
                    task.warn(within_entry(error.field(field), n))?;
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Reports what opening did not: checksum, hashes, order, overlaps, gaps, padding.
    ///
    /// # Errors
    /// Reading errors, limits, and what the task's sink makes of the findings.
    pub fn verify(&self, task: &mut Task<'_>) -> Result<()> {
        if let Some(index) = self.index() {
            return self.verify_spec(index, task);
        }
        self.verify_checksum(task)?;
        self.verify_order(task)?;
        self.verify_data(task)
    }

    fn verify_checksum(&self, task: &mut Task<'_>) -> Result<()> {
        let (stored, computed) = (self.header().checksum.get(), self.checksum());
        if stored == computed {
            return Ok(());
        }
        let error = Error::new(&codes::PAK_CHECKSUM).at(Span::file(72, 4)).field("checksum");
        task.note(error.expected(Val::Word(computed)).found(Val::Word(stored)))
    }

    /// Reports hashes that are not those of the paths, and entries that are out of order.
    ///
    /// # Errors
    /// Limits, and what the task's sink makes of the findings.
    fn verify_order(&self, task: &mut Task<'_>) -> Result<()> {
        let mut order = OrderCheck::default();
        self.each_entry(task, |entry, task| order.next(self, entry, task))
    }

    fn verify_data(&self, task: &mut Task<'_>) -> Result<()> {
        self.in_order(task, |extents, task| {
            let mut at = 0;
            for (n, range) in extents.iter().filter_map(|extent| self.extent(*extent)) {
                if range.start < at {
                    let error = Error::new(&codes::PAK_OVERLAP).at(self.entry_at(n));
                    task.warn(within_entry(error, n))?;
                }
                at = at.max(range.end);
            }
            for region in self.cut(extents) {
                let at = Span::file(region.start, region.end.saturating_sub(region.start));
                match region.kind {
                    RegionKind::Entry(_) => {}
                    RegionKind::Gap => {
                        task.warn(Error::new(&codes::PAK_GAP).at(at).found(at.len))?;
                    }
                    RegionKind::Padding => self.verify_padding(at, task)?,
                }
            }
            Ok(())
        })?
    }

    fn verify_padding(&self, at: Span, task: &mut Task<'_>) -> Result<()> {
        let mut zero = true;
        in_pieces(self.source(), at.start..at.end(), &mut task.budget, |bytes| {
            zero &= bytes.iter().all(|byte| *byte == 0);
            Ok(())
        })?;
        if zero && at.len < BLOCK {
            return Ok(());
        }
        let found = format!("{} bytes{}", at.len, if zero { "" } else { ", not all zero" });
        let error = Error::new(&codes::PAK_PADDING).at(at);
        task.warn(error.expected(format!("less than {BLOCK} zeros")).found(found))
    }
}

/// An entry with its name and its directory, where they can be read.
struct HashedEntry<'a> {
    n: u32,
    entry: &'a PakEntry,
    name: Option<Hashed<'a>>,
    directory: Option<Hashed<'a>>,
}

/// The entry that was seen last, and the hash of its path.
#[derive(Default)]
struct OrderCheck<'a> {
    before: Option<(u16, &'a PakEntry)>,
}

impl<'a> OrderCheck<'a> {
    /// Looks at the next entry.
    fn next(
        &mut self,
        archive: &Archive,
        named: &HashedEntry<'a>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let HashedEntry { n, entry, name: Some(name), directory: Some(directory) } = *named else {
            return Ok(());
        };
        let names = archive.names();
        let hash = joined_hash(name, directory);
        if let Some(stored) = names.hash(entry).filter(|stored| *stored != hash) {
            let error = Error::new(&codes::PAK_HASH)
                .at(archive.entry_at(n))
                .expected(format!("{hash:#06x}"))
                .found(format!("{stored:#06x}"));
            task.warn(within_entry(error, n))?;
        }
        let in_order = self.before.is_none_or(|(hash_before, before)| {
            let path = |entry| names.reversed_path(entry).into_iter().flatten();
            let ties = || path(before).le(path(entry));
            hash_before < hash || (hash_before == hash && ties())
        });
        if !in_order {
            let error = Error::new(&codes::PAK_ORDER).at(archive.entry_at(n));
            task.warn(within_entry(error, n))?;
        }
        self.before = Some((hash, entry));
        Ok(())
    }
}

fn within_entry(error: Error, position: u32) -> Error {
    error.within(Seg::Index(position.into())).field("entries")
}
