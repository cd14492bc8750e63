//! The layers of a set: its archives, and the loose files beside them.

use super::{
    kinds::{FilePurpose, Preference},
    place::LayerPosition,
    view::View,
};
use crate::{
    bytes::tolerate,
    pak::{Archive, MemberPath, lower},
};
use spelunk_core::{Bytes, Error, Result, Source, Task, codes};
use std::sync::{Arc, OnceLock};

/// An archive of a set.
#[derive(Debug)]
pub struct Mounted {
    /// File name of the archive, such as `sf22.pak`.
    pub name: String,
    /// The archive.
    pub archive: Archive,
}

impl Mounted {
    /// The number in its name, by which it wins over those with smaller ones.
    pub fn number(&self) -> Option<u64> {
        number(&self.name)
    }
}

/// The first number in the name of a file.
pub fn number(name: &str) -> Option<u64> {
    let start = name.find(|c: char| c.is_ascii_digit())?;
    let digits = name.get(start..)?;
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits.get(..end)?.parse().ok()
}

/// A file that lies beside the archives and wins over them.
pub struct Loose {
    /// Path of the file.
    pub path: MemberPath,
    /// Content of the file.
    pub content: Arc<dyn Source>,
}

impl std::fmt::Debug for Loose {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loose").field("path", &self.path).finish_non_exhaustive()
    }
}

/// An archive that could not be opened.
#[derive(Debug)]
pub struct UnreadArchive {
    /// File name of the archive.
    pub name: String,
    /// Why it could not be opened.
    pub error: Error,
}

/// Archives that are looked at together, and what lies beside them.
#[derive(Debug, Default)]
pub struct Set {
    /// By their numbers, the highest first.
    pub(super) archives: Vec<Mounted>,
    pub(super) loose: Vec<Loose>,
    unread: Vec<UnreadArchive>,
    preference: Preference,
    pub(super) view: OnceLock<View>,
}

impl Set {
    /// Puts archives and loose files together. Archives with higher numbers win over those with lower ones, those without a
    /// number come last.
    pub fn new(mut archives: Vec<Mounted>, mut loose: Vec<Loose>, preference: Preference) -> Set {
        let key = |mounted: &Mounted| (mounted.number(), mounted.name.to_lowercase());
        archives.sort_by_cached_key(|mounted| std::cmp::Reverse(key(mounted)));
        loose.sort_by(|a, b| a.path.cmp(&b.path));
        Set { archives, loose, unread: Vec::new(), preference, view: OnceLock::new() }
    }

    /// The archives, by their numbers, the highest first.
    pub fn archives(&self) -> &[Mounted] {
        &self.archives
    }

    /// The same set without these archives, which could not be opened.
    #[must_use]
    pub fn with_unread(self, unread: Vec<UnreadArchive>) -> Set {
        Set { unread, ..self }
    }

    /// Archives that are no part of the set, as they could not be opened.
    pub fn unread(&self) -> &[UnreadArchive] {
        &self.unread
    }

    /// The loose files.
    pub fn loose(&self) -> &[Loose] {
        &self.loose
    }

    /// Returns the name of a layer for people: that of the archive.
    pub fn layer(&self, layer: u32) -> &str {
        let mounted = self.archives.get(layer as usize);
        mounted.map_or("loose file", |mounted| &mounted.name)
    }

    const fn loose_layer(&self) -> u32 {
        self.archives.len() as u32
    }

    /// Layers in the order in which files of this kind are looked for.
    fn layers(&self, kind: FilePurpose) -> impl Iterator<Item = u32> + '_ {
        let mut layers: Vec<u32> = (0..self.loose_layer()).collect();
        layers.sort_by_key(|layer| self.rank(*layer, kind));
        std::iter::once(self.loose_layer()).chain(layers)
    }

    /// Returns the rank of a layer for files of a kind: the higher it is, the later it is looked at.
    pub(super) fn rank(&self, layer: u32, kind: FilePurpose) -> (usize, u32) {
        match self.archives.get(layer as usize) {
            None => (0, 0),
            Some(mounted) => {
                let number = mounted.number();
                (self.preference.rank(kind, number).saturating_add(1), layer)
            }
        }
    }

    /// The files with this path, the one that wins first.
    ///
    /// # Errors
    /// Limits.
    pub fn lookup_all(&self, path: &MemberPath, task: &mut Task<'_>) -> Result<Vec<LayerPosition>> {
        let mut found = Vec::new();
        for layer in self.layers(FilePurpose::of(path)) {
            let position = match self.archives.get(layer as usize) {
                Some(mounted) => mounted.archive.lookup(path, task)?,
                None => self.lookup_loose(path),
            };
            found.extend(position.map(|position| LayerPosition { layer, position }));
        }
        Ok(found)
    }

    /// The file that wins of those with this path.
    ///
    /// # Errors
    /// Limits.
    pub fn lookup(&self, path: &MemberPath, task: &mut Task<'_>) -> Result<Option<LayerPosition>> {
        for layer in self.layers(FilePurpose::of(path)) {
            let position = match self.archives.get(layer as usize) {
                Some(mounted) => mounted.archive.lookup(path, task)?,
                None => self.lookup_loose(path),
            };
            if let Some(position) = position {
                return Ok(Some(LayerPosition { layer, position }));
            }
        }
        Ok(None)
    }

    fn lookup_loose(&self, path: &MemberPath) -> Option<u32> {
        let found = self.loose.binary_search_by(|loose| loose.path.cmp(path));
        found.ok().and_then(|at| u32::try_from(at).ok())
    }

    /// The path of a file in small letters, last byte first; `None` where it cannot be read.
    pub(super) fn reversed_path(
        &self,
        place: LayerPosition,
    ) -> Option<impl DoubleEndedIterator<Item = u8> + Clone + '_> {
        let (loose, archived) = match self.archives.get(place.layer as usize) {
            None => (self.loose.get(place.position as usize)?.path.reversed(), None),
            Some(mounted) => (&[][..], Some(mounted.archive.path_bytes(place.position)?.rev())),
        };
        Some(loose.iter().copied().chain(archived.into_iter().flatten()).map(lower))
    }

    /// Bytes that a file takes where it lies.
    pub fn stored_size(&self, place: LayerPosition) -> u64 {
        match self.archives.get(place.layer as usize) {
            Some(mounted) => mounted.archive.stored_size(place.position),
            None => self.loose.get(place.position as usize).map_or(0, |loose| loose.content.len()),
        }
    }

    /// Bytes of a file, for which a packed one is inflated and let go. One that is damaged is reported, and has the size that
    /// its entry states.
    ///
    /// # Errors
    /// Limits; what the sink makes of the damage.
    pub fn size(&self, place: LayerPosition, task: &mut Task<'_>) -> Result<u64> {
        let size = self
            .archives
            .get(place.layer as usize)
            .map(|mounted| mounted.archive.plain_size(place.position, task));
        match size {
            None => Ok(self.stored_size(place)),
            Some(Ok(size)) => Ok(size),
            Some(Err(error)) => tolerate(error, task).map(|()| self.stored_size(place)),
        }
    }

    /// Whether a file is stored packed.
    pub(super) fn is_packed(&self, place: LayerPosition) -> bool {
        let mounted = self.archives.get(place.layer as usize);
        let entry = mounted.and_then(|mounted| mounted.archive.spec_entry(place.position));
        entry.is_some_and(|entry| entry.is_packed())
    }

    /// The content of a file.
    ///
    /// # Errors
    /// [`NOT_FOUND`](codes::NOT_FOUND); reading errors; limits.
    pub fn bytes(&self, place: LayerPosition, task: &mut Task<'_>) -> Result<Bytes> {
        match self.archives.get(place.layer as usize) {
            Some(mounted) => mounted.archive.bytes(place.position, task),
            None => {
                let loose = self.loose.get(place.position as usize);
                let loose = loose.ok_or_else(|| Error::new(&codes::NOT_FOUND))?;
                let range = 0..loose.content.len();
                loose.content.read(range, &mut task.budget)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_numbered_by_their_names() {
        for (name, expected) in [
            ("sf0.pak", Some(0)),
            ("SF36.PAK", Some(36)),
            ("sf007x9.pak", Some(7)),
            ("mods.pak", None),
            ("sf99999999999999999999999.pak", None),
        ] {
            assert_eq!(number(name), expected, "{name}");
        }
    }
}
