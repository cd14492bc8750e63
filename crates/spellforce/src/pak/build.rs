//! The tables of an archive, made of the paths and sizes of its files: every rule that a packer has to keep.
//!
//! * Entries ascend by the hash of their path, then by the reversed path (`docs/formats/pak.md#5-order-and-hash`).
//! * Every file has a string of its own, its hash in front; a directory that is a prefix of another one points into it
//!   (`docs/formats/pak.md#3-name-table`).
//! * The data lies back to back in the order in which the files are given, filled up with zeros to a multiple of 4096
//!   (`docs/formats/pak.md#4-data-and-padding`).
//! * The checksum goes over header, entries and names (`docs/formats/pak.md#6-checksum`).

use super::{
    archive::{BLOCK, halvings, names_start},
    checksum::checksum,
    entry::{MASK, PakEntry},
    hash::reversed_path_hash,
    header::{MAGIC, PakHeader},
    names::NameTable,
};
use crate::codes;
use spelunk_core::{
    Budget, Error, Result,
    scalar::{Chars, U32, Word},
    text::CodePages,
};
use std::{cmp::Ordering, collections::HashMap};
use zerocopy::IntoBytes;

/// A file that is to be in an archive: its path and its size.
#[derive(Clone, Copy, Debug)]
pub struct Spec<'a> {
    /// The name, last byte first.
    pub name: &'a [u8],
    /// The directory, last byte first.
    pub directory: &'a [u8],
    /// Bytes of the file.
    pub size: u64,
    /// The top bytes of name and directory offset, which nothing looks at.
    pub top: [u8; 2],
}

impl<'a> Spec<'a> {
    fn separator(&self) -> &'static [u8] {
        if self.directory.is_empty() { b"" } else { b"\\" }
    }

    /// The path, last byte first.
    fn reversed(&self) -> impl DoubleEndedIterator<Item = u8> + Clone + use<'a> {
        self.name.iter().chain(self.separator()).chain(self.directory).copied()
    }

    fn hash(&self) -> u16 {
        reversed_path_hash(self.name, self.directory)
    }

    /// The path as people read it.
    fn shown(&self) -> String {
        let path: Vec<u8> = self.reversed().rev().collect();
        CodePages::cp1252().show(&path).into_owned()
    }
}

/// Header, entries and name table of an archive.
#[derive(Clone, Debug)]
pub struct ArchiveTables {
    /// The header.
    pub header: PakHeader,
    /// The entries in their order.
    pub entries: Vec<PakEntry>,
    /// The name table.
    pub names: Vec<u8>,
}

impl ArchiveTables {
    /// The tables of an archive of these files, whose data lies in their order.
    ///
    /// # Errors
    /// [`codes::PAK_PATH_TAKEN`] where two files have one path; [`codes::PAK_TOO_LARGE`] for what offsets of 24 bits and
    /// sizes of 32 cannot express; limits.
    pub fn of(files: &[Spec<'_>], budget: &mut Budget) -> Result<ArchiveTables> {
        let count = u32::try_from(files.len()).map_err(|_| too_large("entries", files.len()))?;
        let order = sorted(files, budget)?;
        let (names, places) = names(files, &order, budget)?;
        let mut offsets = budget.vec::<u32>(count.into())?;
        let mut end = 0_u64;
        for file in files {
            offsets.push(u32::try_from(end).map_err(|_| too_large("data", end))?);
            end = end.saturating_add(file.size);
        }
        let mut entries = budget.vec::<PakEntry>(count.into())?;
        for ((n, _), [name, directory]) in order.iter().zip(places) {
            let at = *n as usize;
            let (Some(file), Some(offset)) = (files.get(at), offsets.get(at)) else { continue };
            let size = u32::try_from(file.size).map_err(|_| too_large("size", file.size))?;
            let [name_top, directory_top] = file.top.map(|top| u32::from(top) << 24);
            entries.push(PakEntry {
                size: U32::new(size),
                data_offset: U32::new(*offset),
                name_offset: U32::new(name | name_top),
                directory_offset: U32::new(directory | directory_top),
            });
        }
        let list = |(n, _): &(u32, u16)| {
            let file = files.get(*n as usize);
            file.is_some_and(|file| file.name == b"txt.sehsem" && file.directory == b"hsem")
        };
        let list = order.iter().position(list).map(|n| n as u32);
        let header = PakHeader {
            version: U32::new(4),
            magic: Chars(*MAGIC),
            leftover: [0; 44],
            checksum: Word::new(0),
            entry_count: U32::new(count),
            root_index: U32::new(list.unwrap_or(usual_root(count))),
            data_start: U32::new(0),
            file_size: U32::new(0),
        };
        let mut tables = ArchiveTables { header, entries, names };
        tables.seal(end)?;
        Ok(tables)
    }

    pub(super) fn names(&self) -> NameTable<'_> {
        NameTable::new(&self.names, self.names.len())
    }

    /// Makes the words of the header anew that follow from the rest; there are so many bytes of data.
    ///
    /// # Errors
    /// [`codes::PAK_TOO_LARGE`].
    pub(super) fn seal(&mut self, data: u64) -> Result<()> {
        let start = names_start(self.header.entry_count.get());
        let start = start.saturating_add(self.names.len() as u64);
        let size = start.saturating_add(data).checked_next_multiple_of(BLOCK).unwrap_or(u64::MAX);
        let fit = |value: u64| u32::try_from(value).map_err(|_| too_large("file_size", value));
        self.header.file_size = U32::new(fit(size)?);
        self.header.data_start = U32::new(fit(start)?);
        self.header.checksum =
            Word::new(checksum(&self.header, self.entries.as_bytes(), &self.names));
        Ok(())
    }
}

/// The root index that one packer writes where there is no `mesh\meshes.txt`.
const fn usual_root(count: u32) -> u32 {
    count.saturating_sub(1) / 2
}

/// Makes the error for a value that no word of an archive can express.
fn too_large(field: &'static str, found: impl Into<spelunk_core::Val<'static>>) -> Error {
    Error::new(&codes::PAK_TOO_LARGE).field(field).found(found)
}

/// Positions of the files in the order of their entries, with the hashes of their paths.
fn sorted(files: &[Spec<'_>], budget: &mut Budget) -> Result<Vec<(u32, u16)>> {
    let bytes = files.iter().map(|file| file.name.len().saturating_add(file.directory.len()));
    budget.touch((bytes.sum::<usize>() as u64).saturating_mul(2))?;
    budget.steps((files.len() as u64).saturating_mul(halvings(files.len() as u64)))?;
    let mut order = budget.vec::<(u32, u16)>(files.len() as u64)?;
    order.extend((0..).zip(files).map(|(n, file)| (n, file.hash())));
    let path = |n: u32| files.get(n as usize).into_iter().flat_map(Spec::reversed);
    order.sort_by(|(a, first), (b, second)| first.cmp(second).then_with(|| path(*a).cmp(path(*b))));
    let same = order.windows(2).find_map(|pair| match pair {
        [(a, first), (b, second)] if first == second && path(*a).eq(path(*b)) => {
            files.get(*a as usize)
        }
        _ => None,
    });
    match same {
        Some(file) => Err(Error::new(&codes::PAK_PATH_TAKEN).found(format!("`{}`", file.shown()))),
        None => Ok(order),
    }
}

/// The name table, and for each entry where its name and its directory start.
fn names(
    files: &[Spec<'_>],
    order: &[(u32, u16)],
    budget: &mut Budget,
) -> Result<(Vec<u8>, Vec<[u32; 2]>)> {
    let mut hosts = Hosts::of(files, budget)?;
    let mut table = Vec::new();
    let mut at = budget.vec::<[u32; 2]>(order.len() as u64)?;
    for (n, hash) in order {
        let Some(file) = files.get(*n as usize) else { continue };
        budget.memory((file.name.len() as u64).saturating_add(3))?;
        let name = place(&table)?;
        table.extend_from_slice(&hash.to_be_bytes());
        table.extend_from_slice(file.name);
        table.push(0);
        hosts.place(file.directory, &mut table, budget)?;
        at.push([name, 0]);
    }
    for ((n, _), at) in order.iter().zip(&mut at) {
        let Some(file) = files.get(*n as usize) else { continue };
        at[1] = hosts.find(file.directory)?;
    }
    Ok((table, at))
}

/// Returns the start of the next string.
fn place(table: &[u8]) -> Result<u32> {
    let at = u32::try_from(table.len()).ok().filter(|at| *at <= MASK);
    at.ok_or_else(|| too_large("names", table.len()))
}

/// The directories that are stored, and those whose ends the others are.
struct Hosts<'a> {
    /// For each directory the one in whose reversed path it ends; itself where it is stored.
    of: HashMap<&'a [u8], &'a [u8]>,
    /// Starts of the stored ones in the table.
    starts: HashMap<&'a [u8], u32>,
}

impl<'a> Hosts<'a> {
    fn of(files: &[Spec<'a>], budget: &mut Budget) -> Result<Hosts<'a>> {
        budget.memory((files.len() as u64).saturating_mul(64))?;
        let mut all: Vec<&[u8]> = files.iter().map(|file| file.directory).collect();
        // Neighbours are mostly of one directory.
        all.dedup();
        let bytes = all.iter().map(|directory| directory.len()).sum::<usize>() as u64;
        budget.touch(bytes.saturating_mul(halvings(all.len() as u64)))?;
        all.sort_unstable_by(|a, b| forward(a, b));
        all.dedup();
        // What a directory is a prefix of stands right behind it.
        let mut of = HashMap::with_capacity(all.len());
        let mut host: &[u8] = &[];
        for directory in all.iter().rev() {
            if of.is_empty() || !host.ends_with(directory) {
                host = directory;
            }
            of.insert(*directory, host);
        }
        Ok(Hosts { of, starts: HashMap::new() })
    }

    /// Stores a directory that ends in no other one, if it is not there yet.
    fn place(
        &mut self,
        directory: &'a [u8],
        table: &mut Vec<u8>,
        budget: &mut Budget,
    ) -> Result<()> {
        if self.of.get(directory) != Some(&directory) || self.starts.contains_key(directory) {
            return Ok(());
        }
        budget.memory((directory.len() as u64).saturating_add(64))?;
        self.starts.insert(directory, place(table)?);
        table.extend_from_slice(directory);
        table.push(0);
        Ok(())
    }

    /// Returns the start of a directory.
    fn find(&self, directory: &[u8]) -> Result<u32> {
        let host = self.of.get(directory).copied().unwrap_or_default();
        let start = self.starts.get(host).copied().unwrap_or_default() as usize;
        let at = start.saturating_add(host.len().saturating_sub(directory.len()));
        u32::try_from(at).ok().filter(|at| *at <= MASK).ok_or_else(|| too_large("names", at))
    }
}

/// Compares two reversed texts as they are read.
fn forward(a: &[u8], b: &[u8]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}
