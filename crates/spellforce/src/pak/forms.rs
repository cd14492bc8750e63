//! The files of an archive by their positions, whatever its form, and how those of the dialect `spec` are read, checked and
//! written.

use super::{
    archive::{Archive, DATA, GAP, Region, RegionKind, not_found},
    form::ArchiveForm,
    index::{MAGIC_SPEC, PathEntry, SpecHeader, SpecIndex},
};
use crate::{
    bytes::{in_pieces, tolerate, with_range},
    cff::USUAL_LEVEL,
    codes,
};
use spelunk_core::{
    Bytes, Error, Group, Record, Result, ResultExt, Section, Seg, Source, Space, Span, Task, Walk,
    Walked, WriteOptions, zlib,
};
use std::{io, ops::Range, sync::Arc};
use zerocopy::IntoBytes;

static SPEC_FILES: Record = Record::group(
    "data",
    "docs/formats/spec.md#4-archives",
    "The data of the files in the order in which it lies.",
);

impl Archive {
    /// Opens an archive in the form that it has: its magic says which.
    ///
    /// # Errors
    /// Those of [`Archive::open`], or in the dialect `spec` [`codes::SPEC_INDEX`] for an index outside the file or without a
    /// readable entry; an index that ends early, data that is not there and unknown compressions are findings.
    pub fn open_any(source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<Archive> {
        let archive = Archive::read_any(source, task)?;
        task.budget.touch(archive.name_bytes().len() as u64)?;
        archive.check(task)?;
        Ok(archive)
    }

    /// Reads the tables of an archive in the form that it has, without looking at them.
    ///
    /// # Errors
    /// Those of [`Archive::read`], or in the dialect `spec` [`codes::SPEC_INDEX`] as for [`Archive::open_any`].
    pub fn read_any(source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<Archive> {
        let mut magic = [0; MAGIC_SPEC.len()];
        if source.len() >= magic.len() as u64 {
            source.read_at(0, &mut magic)?;
        }
        if magic != *MAGIC_SPEC {
            return Archive::read(source, task);
        }
        let index = SpecIndex::read(&*source, task)?;
        Ok(Archive::of_spec(source, index))
    }

    /// The form.
    pub fn form(&self) -> ArchiveForm {
        if self.index().is_some() { ArchiveForm::Spec } else { ArchiveForm::Real }
    }

    /// Number of its files.
    pub fn len(&self) -> usize {
        self.index().map_or_else(|| self.entries().len(), SpecIndex::len)
    }

    /// Whether it has no file.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The header in the dialect `spec`.
    pub fn spec_header(&self) -> Option<&SpecHeader> {
        self.index().map(|index| &index.header)
    }

    /// The entries in the dialect `spec`, in the order of the index; none of a real archive.
    pub fn spec_entries(&self) -> impl Iterator<Item = PathEntry<'_>> {
        self.index().into_iter().flat_map(SpecIndex::entries)
    }

    /// The entry at this position in the dialect `spec`.
    pub(crate) fn spec_entry(&self, n: u32) -> Option<PathEntry<'_>> {
        self.index()?.entry(n as usize)
    }

    /// Bytes behind the index in the dialect `spec`.
    pub(super) fn trailing(&self) -> Span {
        self.index().map_or(Span::file(self.size(), 0), SpecIndex::trailing)
    }

    /// The path of the file at this position, first byte first, with backslashes between its steps; `None` where names cannot
    /// be read or there is none.
    pub fn path_bytes(&self, n: u32) -> Option<impl DoubleEndedIterator<Item = u8> + Clone + '_> {
        let (forward, reversed) = match self.index() {
            Some(index) => (index.entry(n as usize)?.path, None),
            None => (&[][..], Some(self.names().reversed_path(self.entry(n)?)?)),
        };
        if forward.is_empty() && reversed.is_none() {
            return None;
        }
        let separator = |byte: &u8| if ArchiveForm::Spec.parts(*byte) { b'\\' } else { *byte };
        Some(forward.iter().map(separator).chain(reversed.into_iter().flatten().rev()))
    }

    /// Length of the path of the file at this position; 0 where names cannot be read.
    pub(super) fn path_len(&self, n: u32) -> u64 {
        if let Some(index) = self.index() {
            return index.entry(n as usize).map_or(0, |entry| entry.path.len() as u64);
        }
        let names = self.names();
        let len = |text: Option<&[u8]>| text.map_or(0, |text| text.len() as u64);
        self.entry(n).map_or(0, |entry| {
            len(names.reversed_name(entry)).saturating_add(len(names.reversed_directory(entry)))
        })
    }

    /// The place of the entry at this position in the tables.
    pub fn place_of(&self, n: u32) -> Span {
        let entry = self.spec_entry(n).map(|entry| entry.at());
        entry.unwrap_or_else(|| self.entry_at(n))
    }

    /// Bytes that the file at this position takes in the archive.
    pub fn stored_size(&self, n: u32) -> u64 {
        match self.index() {
            Some(index) => index.entry(n as usize).map_or(0, |entry| entry.size()),
            None => self.entry(n).map_or(0, |entry| entry.size.get().into()),
        }
    }

    /// The place of the data of the file at this position; `None` where it is not there.
    pub fn range(&self, n: u32) -> Option<Range<u64>> {
        match self.index() {
            Some(index) => {
                let at = index.data_at(&index.entry(n as usize)?)?;
                Some(at.start..at.end())
            }
            None => self.data_at(self.entry(n)?),
        }
    }

    /// The region of the files and of what is between them.
    pub fn data_region(&self) -> Range<u64> {
        match self.index() {
            Some(index) => SpecHeader::LEN..index.at().start,
            None => u64::from(self.header().data_start.get())..self.size(),
        }
    }

    /// The data of a file of the dialect `spec` as a section that is inflated when it is asked for.
    fn section(&self, index: &SpecIndex, n: u32, task: &mut Task<'_>) -> Result<Section> {
        let entry = index.entry(n as usize).ok_or_else(not_found)?;
        let at = index.data_at(&entry).ok_or_else(|| {
            Error::new(&codes::PAK_EXTENT)
                .at(entry.data_at())
                .expected(format!("data before {:#x}", index.at().start))
        })?;
        let stored = self.source().read(at.start..at.end(), &mut task.budget)?;
        if !entry.is_packed() {
            return Ok(Section::stored(at, stored));
        }
        let len = zlib::measure(&stored, at, &mut task.budget)?;
        Ok(Section::zlib(at, stored, Space::section("member"), len))
    }

    /// The plain bytes of the file at this position. What is packed in an unknown way is given as it is stored.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND); [`codes::PAK_EXTENT`]; a damaged stream; reading errors; limits.
    pub fn bytes(&self, n: u32, task: &mut Task<'_>) -> Result<Bytes> {
        let Some(index) = self.index() else {
            let entry = self.entry(n).ok_or_else(not_found)?;
            return self.source().read(self.data_of(entry)?, &mut task.budget);
        };
        index.entry(n as usize).ok_or_else(not_found)?;
        let plain = self.section(index, n, task);
        plain.and_then(|of| of.into_plain(&mut task.budget)).item("entries", n as usize)
    }

    /// Plain size of the file at this position, for which a packed one is inflated and let go.
    ///
    /// # Errors
    /// A damaged stream; reading errors; limits.
    pub fn plain_size(&self, n: u32, task: &mut Task<'_>) -> Result<u64> {
        let packed = self.spec_entry(n).filter(PathEntry::is_packed);
        match packed.and_then(|_| self.range(n)) {
            Some(range) => {
                let at = Span::file(range.start, range.end.saturating_sub(range.start));
                with_range(self.source(), range, task, |stored, task| {
                    zlib::measure(stored, at, &mut task.budget)
                })?
            }
            None => Ok(self.stored_size(n)),
        }
    }

    /// The level at which a file of the dialect `spec` is packed, where one gives its stream.
    pub(super) fn level(&self, n: u32, task: &mut Task<'_>) -> Result<Option<u8>> {
        let index = self.index().ok_or_else(not_found)?;
        let section = self.section(index, n, task)?;
        section.level(&mut task.budget)
    }

    /// Walks an archive of the dialect `spec` in the order of its bytes.
    pub(super) fn layout_spec(
        &self,
        index: &SpecIndex,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        walk.record("header", &index.header, Span::file(0, 0))?;
        self.walk_data(&SPEC_FILES, task, walk)?;
        index.walk(task, walk)
    }

    /// Walks the data of the files and what is between them.
    pub(super) fn walk_data(
        &self,
        record: &'static Record,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let Range { start, end } = self.data_region();
        let at = Span::file(start, end.saturating_sub(start));
        walk.group(&Group::list("data", record, Some(at)), |walk| {
            self.regions(task, |region, task| {
                let field = match region.kind {
                    RegionKind::Entry(_) => &DATA,
                    RegionKind::Gap => &GAP,
                    RegionKind::Padding => &super::archive::PADDING,
                };
                let at = Span::file(region.start, region.end.saturating_sub(region.start));
                with_range(self.source(), region.start..region.end, task, |bytes, _| {
                    walk.field(field, Some(at), spelunk_core::Val::Bytes(bytes.into()))
                })?
            })
        })
    }

    /// Inflates every packed file of the dialect `spec` and reports what opening did not: damaged streams, bytes behind them,
    /// gaps, and files that share bytes.
    pub(super) fn verify_spec(&self, index: &SpecIndex, task: &mut Task<'_>) -> Result<()> {
        for (n, entry) in (0_u32..).zip(index.entries()) {
            task.budget.touch(entry.at().len)?;
            let at = index.data_at(&entry).filter(|_| entry.is_packed());
            let Some(at) = at else { continue };
            let mark = task.budget.mark();
            let followed = self.section(index, n, task).and_then(|section| {
                let plain = section.plain(&mut task.budget)?;
                Ok(zlib::is_followed(section.stored_bytes(), plain))
            });
            // Nothing of it is kept.
            task.budget.forget(mark);
            task.budget.release(task.budget.loose_since(mark));
            match followed.item("entries", n as usize) {
                Ok(true) => {
                    let error = Error::new(&spelunk_core::codes::TRAILING_STREAM).at(at);
                    task.warn(error.within(Seg::Index(n.into())).field("entries"))?;
                }
                Ok(false) => {}
                Err(error) => tolerate(error, task)?,
            }
        }
        let each = |region: Region, task: &mut Task<'_>| -> Walked {
            let at = Span::file(region.start, region.end.saturating_sub(region.start));
            let entry = match region.kind {
                RegionKind::Entry(n) => index.entry(n as usize),
                RegionKind::Gap | RegionKind::Padding => {
                    return Ok(task.warn(Error::new(&codes::PAK_GAP).at(at))?);
                }
            };
            match entry.filter(|entry| entry.data_at().start < region.start) {
                Some(entry) => Ok(task.warn(Error::new(&codes::PAK_OVERLAP).at(entry.at()))?),
                None => Ok(()),
            }
        };
        spelunk_core::walk::finish(self.regions(task, each))
    }

    /// Lays an archive of the dialect `spec` out and writes it: header, data with its gaps, index, and what follows it. What is
    /// packed once more keeps its place, so streams of another length stay as they are.
    pub(super) fn write_spec(
        &self,
        index: &SpecIndex,
        out: &mut dyn io::Write,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<()> {
        out.write_all(index.header.as_bytes())?;
        let each = |region: Region, task: &mut Task<'_>| -> Walked {
            let range = region.start..region.end;
            if let RegionKind::Entry(n) = region.kind
                && options.recompress
                && self.range(n).as_ref() == Some(&range)
                && self.spec_entry(n).is_some_and(|entry| entry.is_packed())
                && let Some(packed) = self.packed_again(index, n, task)?
                && packed.len() as u64 == range.end.saturating_sub(range.start)
            {
                return Ok(out.write_all(&packed).map_err(Error::from)?);
            }
            in_pieces(self.source(), range, &mut task.budget, |bytes| out.write_all(bytes))?;
            Ok(())
        };
        spelunk_core::walk::finish(self.regions(task, each))?;
        Ok(out.write_all(&index.bytes)?)
    }

    /// The data of a packed file, packed once more. Damaged data keeps its bytes, which is reported.
    fn packed_again(
        &self,
        index: &SpecIndex,
        n: u32,
        task: &mut Task<'_>,
    ) -> Result<Option<Bytes>> {
        let mark = task.budget.mark();
        let packed = self.section(index, n, task).and_then(|section| {
            let plain = section.plain(&mut task.budget)?;
            section.pack(plain, USUAL_LEVEL, true, task)
        });
        // The section is gone.
        task.budget.forget(mark);
        match packed {
            Ok(packed) => Ok(Some(packed)),
            Err(error) => tolerate(error, task).map(|()| None),
        }
    }
}
