//! The next state of an archive: files that stay, files with other content or another path, new ones.
//!
//! The data of files that stay is never read: it is a stretch of the old archive. As long as no path changes, the order of
//! the entries and the name table stay as they are stored, and as long as no size does, everything else stays too. What has
//! to be made anew is laid out as the games' own archives are ([`super::build`]): back to back, without gaps.

use super::{
    archive::{Archive, BLOCK, Region, RegionKind, not_found},
    build::{ArchiveTables, Spec},
    entry::PakEntry,
    path::MemberPath,
};
use crate::{bytes::in_pieces, codes};
use spelunk_core::{
    Bytes, Error, Result, Source, Task,
    pieces::{Piece, Pieces},
    scalar::U32,
};
use std::{io, ops::Range, sync::Arc};
use zerocopy::IntoBytes;

/// Content of a file that is to be written.
#[derive(Clone)]
enum MemberContent {
    /// Content of the entry at this position of the old archive.
    Kept(u32),
    /// Other bytes.
    New(Arc<dyn Source>),
}

/// Name of a file that is to be written.
#[derive(Clone)]
enum Name {
    /// Name of the entry at this position.
    Kept(u32),
    /// Something else.
    New(MemberPath),
}

#[derive(Clone)]
struct DraftMember {
    name: Name,
    content: MemberContent,
}

/// The next state of an archive.
#[derive(Clone, Default)]
pub struct Draft {
    base: Option<Archive>,
    /// The files in the order of their data; `None` where one was taken out.
    members: Vec<Option<DraftMember>>,
    /// Positions of the entries of the old archive among them.
    places: Vec<u32>,
    /// Whether the files are those of the old archive under their old paths.
    same_paths: bool,
}

impl std::fmt::Debug for Draft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Draft").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// A draft, laid out.
struct PakLayout {
    tables: ArchiveTables,
    /// Zeros behind the data.
    padding: u64,
}

impl Draft {
    /// An archive as it is.
    ///
    /// # Errors
    /// Limits.
    pub fn of(base: &Archive, task: &mut Task<'_>) -> Result<Draft> {
        let count = base.entries().len() as u64;
        task.budget.steps(count)?;
        let mut order = task.budget.vec::<(u32, bool, u32)>(count)?;
        order.extend(
            (0..)
                .zip(base.entries())
                .map(|(n, entry)| (entry.data_offset.get(), entry.size.get() > 0, n)),
        );
        order.sort_unstable();
        let mut members = task.budget.vec(count)?;
        let mut places = task.budget.vec(count)?;
        places.resize(order.len(), 0);
        for (place, (.., n)) in (0_u32..).zip(&order) {
            members
                .push(Some(DraftMember { name: Name::Kept(*n), content: MemberContent::Kept(*n) }));
            if let Some(at) = places.get_mut(*n as usize) {
                *at = place;
            }
        }
        Ok(Draft { base: Some(base.clone()), members, places, same_paths: true })
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.members.iter().flatten().count()
    }

    /// Whether it has no file.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether nothing differs from the old archive.
    fn is_same(&self) -> bool {
        let is_kept = |member: &Option<DraftMember>| {
            member.as_ref().is_some_and(|member| matches!(member.content, MemberContent::Kept(_)))
        };
        self.same_paths && self.members.iter().all(is_kept)
    }

    fn member(&mut self, n: u32) -> Result<&mut Option<DraftMember>> {
        let place = self.places.get(n as usize).ok_or_else(not_found)?;
        let member = self.members.get_mut(*place as usize).ok_or_else(not_found)?;
        if member.is_some() { Ok(member) } else { Err(not_found()) }
    }

    /// Gives the entry at this position of the old archive other content.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND).
    pub fn set(&mut self, n: u32, content: Arc<dyn Source>) -> Result<()> {
        if let Some(member) = self.member(n)? {
            member.content = MemberContent::New(content);
        }
        Ok(())
    }

    /// Gives the entry at this position of the old archive another path.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND).
    pub fn rename(&mut self, n: u32, path: MemberPath) -> Result<()> {
        if let Some(member) = self.member(n)? {
            member.name = Name::New(path);
        }
        self.same_paths = false;
        Ok(())
    }

    /// Takes the entry at this position of the old archive out.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND).
    pub fn remove(&mut self, n: u32) -> Result<()> {
        *self.member(n)? = None;
        self.same_paths = false;
        Ok(())
    }

    /// Adds a file behind the others.
    pub fn add(&mut self, path: MemberPath, content: Arc<dyn Source>) {
        self.same_paths = false;
        self.members.push(Some(DraftMember {
            name: Name::New(path),
            content: MemberContent::New(content),
        }));
    }

    /// Bytes of a file.
    fn size(&self, content: &MemberContent) -> Result<u64> {
        match content {
            MemberContent::New(source) => Ok(source.len()),
            MemberContent::Kept(n) => {
                let range = self.kept(*n)?;
                Ok(range.end.saturating_sub(range.start))
            }
        }
    }

    /// Returns the range of the data of an entry of the old archive.
    fn kept(&self, n: u32) -> Result<Range<u64>> {
        let base = self.base.as_ref().ok_or_else(not_found)?;
        base.data_of(base.entry(n).ok_or_else(not_found)?)
    }

    /// Header, entries and names.
    ///
    /// # Errors
    /// Those of [`ArchiveTables::of`]; [`codes::PAK_NAME`] and [`codes::PAK_EXTENT`] where an entry of the old archive that has to
    /// move cannot be read.
    pub fn tables(&self, task: &mut Task<'_>) -> Result<ArchiveTables> {
        Ok(self.plan(task)?.tables)
    }

    fn plan(&self, task: &mut Task<'_>) -> Result<PakLayout> {
        let tables = match &self.base {
            Some(base) if self.same_paths => self.same_tables(base, task)?,
            _ => self.new_tables(task)?,
        };
        let header = &tables.header;
        let mut end = u64::from(header.data_start.get());
        for member in self.members.iter().flatten() {
            end = end.saturating_add(self.size(&member.content)?);
        }
        let padding = u64::from(header.file_size.get()).saturating_sub(end);
        Ok(PakLayout { tables, padding })
    }

    /// The tables where no path changed: order and names stay.
    fn same_tables(&self, base: &Archive, task: &mut Task<'_>) -> Result<ArchiveTables> {
        task.budget.memory((base.name_bytes().len() as u64).saturating_add(1))?;
        let mut entries = task.budget.vec::<PakEntry>(base.entries().len() as u64)?;
        entries.extend_from_slice(base.entries());
        let mut end = 0_u64;
        let too_large = |_| Error::new(&codes::PAK_TOO_LARGE).field("data");
        for (member, n) in self.members.iter().zip(self.order()) {
            let (Some(member), Some(entry)) = (member, entries.get_mut(n as usize)) else {
                continue;
            };
            let size = self.size(&member.content)?;
            entry.size = U32::new(u32::try_from(size).map_err(too_large)?);
            entry.data_offset = U32::new(u32::try_from(end).map_err(too_large)?);
            end = end.saturating_add(size);
        }
        let same = entries.as_bytes() == base.entry_bytes();
        let mut tables =
            ArchiveTables { header: *base.header(), entries, names: base.name_bytes().to_vec() };
        tables.seal(end)?;
        if same && tables.header.file_size == base.header().file_size {
            // What it covers did not change, so the stored one is as good as before.
            tables.header.checksum = base.header().checksum;
        }
        Ok(tables)
    }

    /// Positions of the entries of the old archive, in the order of the data.
    fn order(&self) -> Vec<u32> {
        let mut order = vec![0; self.places.len()];
        for (n, place) in (0..).zip(&self.places) {
            if let Some(at) = order.get_mut(*place as usize) {
                *at = n;
            }
        }
        order
    }

    /// The tables of other paths.
    fn new_tables(&self, task: &mut Task<'_>) -> Result<ArchiveTables> {
        let mut specs = task.budget.vec::<Spec<'_>>(self.members.len() as u64)?;
        for member in self.members.iter().flatten() {
            specs.push(self.spec(member)?);
        }
        let mut tables = ArchiveTables::of(&specs, &mut task.budget)?;
        let Some(base) = &self.base else { return Ok(tables) };
        let usual = tables.header.root_index;
        tables.header = super::PakHeader {
            version: base.header().version,
            leftover: base.header().leftover,
            ..tables.header
        };
        tables.header.root_index = self.root(base, &tables, task)?.map_or(usual, U32::new);
        tables.seal(specs.iter().map(|spec| spec.size).fold(0, u64::saturating_add))?;
        Ok(tables)
    }

    /// The root index: what it means is not known, so it goes on to stand for the entry that it stood for, unless it was the one
    /// that packers compute.
    fn root(
        &self,
        base: &Archive,
        tables: &ArchiveTables,
        task: &mut Task<'_>,
    ) -> Result<Option<u32>> {
        let old = base.header().root_index.get();
        let Some(entry) = base.entry(old) else { return Ok(None) };
        let mut specs = task.budget.vec::<Spec<'_>>(base.entries().len() as u64)?;
        for n in (0..).zip(base.entries()).map(|(n, _)| n) {
            match self.kept_name(n) {
                Ok((name, directory)) => {
                    specs.push(Spec { name, directory, size: 0, top: [0; 2] });
                }
                Err(_) => return Ok(None),
            }
        }
        let computed =
            ArchiveTables::of(&specs, &mut task.budget).map(|of| of.header.root_index.get());
        if computed.is_ok_and(|computed| computed == old) {
            return Ok(None);
        }
        let (names, wanted) = (tables.names(), base.names());
        let same = |other: &PakEntry| {
            names.reversed_name(other) == wanted.reversed_name(entry)
                && names.reversed_directory(other) == wanted.reversed_directory(entry)
        };
        Ok(tables.entries.iter().position(same).and_then(|n| u32::try_from(n).ok()))
    }

    fn spec<'s>(&'s self, member: &'s DraftMember) -> Result<Spec<'s>> {
        let (name, directory, top) = match &member.name {
            Name::New(path) => (path.reversed_name(), path.reversed_directory(), [0; 2]),
            Name::Kept(n) => {
                let (name, directory) = self.kept_name(*n)?;
                let entry = self.base.as_ref().and_then(|base| base.entry(*n));
                let top = entry.map_or([0; 2], PakEntry::top_bytes);
                (name, directory, top)
            }
        };
        Ok(Spec { name, directory, size: self.size(&member.content)?, top })
    }

    fn kept_name(&self, n: u32) -> Result<(&[u8], &[u8])> {
        let base = self.base.as_ref().ok_or_else(not_found)?;
        let entry = base.entry(n).ok_or_else(not_found)?;
        let names = base.names();
        let both = names.reversed_name(entry).zip(names.reversed_directory(entry));
        both.ok_or_else(|| Error::new(&codes::PAK_NAME).at(base.entry_at(n)))
    }

    /// The archive with other content where every size stayed: the old one with those stretches exchanged. `None` where sizes
    /// changed, or bytes of a changed file are those of another one too.
    fn patched(&self, base: &Archive, task: &mut Task<'_>) -> Result<Option<Vec<Piece>>> {
        let mut changed = task.budget.vec::<Option<&Arc<dyn Source>>>(self.places.len() as u64)?;
        changed.resize(self.places.len(), None);
        for (member, n) in self.members.iter().zip(self.order()) {
            let Some(DraftMember { content: MemberContent::New(source), .. }) = member else {
                continue;
            };
            let entry = base.entry(n).ok_or_else(not_found)?;
            let fits = source.len() == u64::from(entry.size.get());
            match changed.get_mut(n as usize).filter(|_| fits) {
                Some(place) => *place = Some(source),
                None => return Ok(None),
            }
        }
        let mut pieces = vec![Piece::Kept(0..u64::from(base.header().data_start.get()))];
        let mut put = 0_usize;
        let mut shared = false;
        base.in_order(task, |extents, task| {
            for region in base.cut(extents) {
                let Region { kind, start, end } = region;
                let RegionKind::Entry(n) = kind else {
                    pieces.push(Piece::Kept(start..end));
                    continue;
                };
                match changed.get(n as usize).copied().flatten() {
                    Some(source)
                        if base.entry(n).and_then(|entry| base.data_at(entry))
                            == Some(start..end) =>
                    {
                        put = put.saturating_add(1);
                        pieces.push(Piece::New(source.read(0..source.len(), &mut task.budget)?));
                    }
                    Some(_) => shared = true,
                    None => pieces.push(Piece::Kept(start..end)),
                }
            }
            Ok::<(), Error>(())
        })??;
        let wanted = changed.iter().flatten().filter(|source| !source.is_empty()).count();
        Ok((!shared && put == wanted && !base.overlaps(task)?).then_some(pieces))
    }

    /// The same archive as a draft of its own next state, whatever of the old one stays: gaps and odd padding too where no size
    /// changed. Content is read into memory.
    ///
    /// # Errors
    /// Those of [`Draft::source`].
    pub fn settled(&self, task: &mut Task<'_>) -> Result<Draft> {
        Draft::of(&Archive::read(self.source(task)?, task)?, task)
    }

    /// The bytes of the archive. Files that stay are stretches of the old one, others are read into memory.
    ///
    /// # Errors
    /// Those of [`Draft::tables`]; reading errors; limits.
    pub fn source(&self, task: &mut Task<'_>) -> Result<Arc<dyn Source>> {
        let base = self.base.as_ref();
        let shared =
            base.map_or_else(|| Arc::new(Bytes::new()) as Arc<dyn Source>, Archive::shared_source);
        if let Some(base) = base.filter(|_| self.same_paths)
            && let Some(pieces) = self.patched(base, task)?
        {
            return Ok(Arc::new(Pieces::new(shared, pieces)));
        }
        let PakLayout { tables, padding } = self.plan(task)?;
        let mut pieces = task.budget.vec::<Piece>((self.members.len() as u64).saturating_add(2))?;
        let head = [tables.header.as_bytes(), tables.entries.as_bytes(), &tables.names].concat();
        pieces.push(Piece::New(head.into()));
        for member in self.members.iter().flatten() {
            pieces.push(match &member.content {
                MemberContent::Kept(n) => Piece::Kept(self.kept(*n)?),
                MemberContent::New(source) => {
                    Piece::New(source.read(0..source.len(), &mut task.budget)?)
                }
            });
        }
        let zeros = usize::try_from(padding.min(BLOCK)).unwrap_or_default();
        pieces.push(Piece::New(vec![0; zeros].into()));
        Ok(Arc::new(Pieces::new(shared, pieces)))
    }

    /// Writes the archive; no file is held in memory as a whole. Gives its size.
    ///
    /// # Errors
    /// Those of [`Draft::tables`]; reading and writing errors.
    pub fn write(&self, out: &mut dyn io::Write, task: &mut Task<'_>) -> Result<u64> {
        if let Some(base) = self.base.as_ref().filter(|_| self.is_same()) {
            base.write(out, task)?;
            return Ok(base.size());
        }
        let PakLayout { tables, padding } = self.plan(task)?;
        out.write_all(tables.header.as_bytes())?;
        out.write_all(tables.entries.as_bytes())?;
        out.write_all(&tables.names)?;
        for member in self.members.iter().flatten() {
            let (source, range) = match (&member.content, &self.base) {
                (MemberContent::New(source), _) => (&**source, 0..source.len()),
                (MemberContent::Kept(n), Some(base)) => (base.source(), self.kept(*n)?),
                (MemberContent::Kept(_), None) => return Err(not_found()),
            };
            in_pieces(source, range, &mut task.budget, |bytes| out.write_all(bytes))?;
        }
        let zeros = [0; BLOCK as usize];
        let padding = usize::try_from(padding).unwrap_or_default();
        out.write_all(zeros.get(..padding).unwrap_or_default())?;
        Ok(tables.header.file_size.get().into())
    }
}

/// Whether an archive is laid out as a draft of the same files is: data back to back in the order of its offsets, the usual
/// padding, a file size that is right. Its tables and its files are all of it then.
///
/// # Errors
/// Reading errors; limits.
pub fn is_tight(archive: &Archive, task: &mut Task<'_>) -> Result<bool> {
    let draft = Draft::of(archive, task)?;
    let all_there = archive.entries().iter().all(|entry| archive.data_at(entry).is_some());
    if !all_there || u64::from(archive.header().file_size.get()) != archive.size() {
        return Ok(false);
    }
    let PakLayout { tables, padding } = match draft.plan(task) {
        Err(error) if error.code().id == codes::PAK_TOO_LARGE.id => return Ok(false),
        plan => plan?,
    };
    if tables.entries.as_bytes() != archive.entry_bytes() || tables.header != *archive.header() {
        return Ok(false);
    }
    let mut zero = true;
    let end = archive.size();
    in_pieces(archive.source(), end.saturating_sub(padding)..end, &mut task.budget, |bytes| {
        zero &= bytes.iter().all(|byte| *byte == 0);
        Ok(())
    })?;
    Ok(zero)
}
