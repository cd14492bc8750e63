//! Telling GameData, maps, saves and other games apart:
//! `docs/formats/cff.md#5-telling-gamedata-maps-saves-and-other-games-apart`.

use super::chunk::ChunkFile;
use crate::{
    gamedata::{self, Schema},
    map::{self, Section},
    map2, profile, save,
    spec::{self, HeaderType},
};
use spelunk_core::{Profile, Result, Task};

/// The kind of a chunk file. The ids of its chunks decide; no word of the header does, but in the dialect `spec`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Tables of SpellForce 1: any category at all.
    GameData,
    /// A map of SpellForce 1: container version 3 with chunk 2 or chunks 6.
    Map,
    /// A map of SpellForce 2: a chunk from 1000 to 1024 with 3000, 9000 or 9010.
    SpellForce2Map,
    /// A saved game of SpellForce 1: its chunk 0, or whole chunk files inside chunks.
    Save,
    /// Chunks that none of the above explains.
    Unknown,
    /// A file of the dialect `spec`, whose header does say what it holds.
    Spec(HeaderType),
}

impl Kind {
    /// Decides what `file` is. Only what no id explains is inflated, to see whether it is a save.
    ///
    /// # Errors
    /// Reading errors.
    pub fn of(file: &ChunkFile, task: &mut Task<'_>) -> Result<Kind> {
        if file.form().is_spec() {
            return Ok(Kind::Spec(HeaderType::of(file.header().file_type.get())));
        }
        let by_ids =
            Kind::by_ids(file.header().format_version.get(), |id| !file.with_id(id).is_empty());
        Ok(match by_ids {
            Some(kind) => kind,
            None if save::is_save(file, task)? => Kind::Save,
            None => Kind::Unknown,
        })
    }

    /// Returns the kind of a chunk file of this container version; `None` where the ids of its chunks do not decide.
    pub(crate) fn by_ids(format_version: u32, has: impl Fn(i16) -> bool) -> Option<Kind> {
        if gamedata::CATEGORIES.iter().any(|category| has(category.id)) {
            Some(Kind::GameData)
        } else if (1000..=1024).any(&has) && [3000, 9000, 9010].into_iter().any(&has) {
            Some(Kind::SpellForce2Map)
        } else if format_version == 3 && (has(2) || has(6)) {
            Some(Kind::Map)
        } else {
            None
        }
    }

    /// Whether some of its chunks are tables.
    pub(super) const fn has_tables(self) -> bool {
        matches!(self, Kind::GameData | Kind::Spec(HeaderType::GameData))
    }

    /// The categories that its tables may be of.
    const fn schema(self) -> Schema {
        if matches!(self, Kind::Spec(_)) { Schema::Spec } else { Schema::Real }
    }

    /// The chunks of maps that are described, in the order in which they are written.
    pub(super) fn sections(self) -> &'static [&'static Section] {
        match self {
            Kind::Map => map::SECTIONS,
            Kind::Spec(kind) => kind.sections(),
            Kind::GameData | Kind::SpellForce2Map | Kind::Save | Kind::Unknown => &[],
        }
    }

    /// Whether rows of its chunks are records, which have no keys.
    pub(super) fn has_records(self) -> bool {
        !self.sections().is_empty()
    }

    /// The description of chunks of this id, where the file is a map.
    pub(super) fn section(self, id: i16) -> Option<&'static Section> {
        self.sections().iter().find(|section| section.id == id).copied()
    }

    /// The name that people know the chunk of this id by.
    pub(super) fn chunk_name(self, id: i16) -> Option<&'static str> {
        match self {
            Kind::GameData => gamedata::category(id).map(|category| category.name),
            Kind::Map => map::chunk_name(id),
            Kind::Spec(kind) => kind.name(id),
            Kind::SpellForce2Map => map2::section(id).map(|section| section.title),
            Kind::Save | Kind::Unknown => None,
        }
    }

    /// The id of the chunks that paths call so.
    pub(super) fn id_named(self, name: &str) -> Option<i16> {
        if self.has_tables() {
            return self.schema().category_named(name).map(|category| category.id);
        }
        if self == Kind::SpellForce2Map {
            return map2::section_named(name).map(|section| section.id);
        }
        let mut sections = self.sections().iter();
        let section = sections.find(|section| section.name.eq_ignore_ascii_case(name));
        section.map(|section| section.id)
    }

    /// Name of the format.
    pub fn format(self) -> &'static str {
        self.profile().name
    }

    /// Returns the profile of the format, for tools.
    pub fn profile(self) -> &'static Profile {
        match self {
            Kind::GameData
            | Kind::Unknown
            | Kind::Spec(HeaderType::GameData | HeaderType::Other) => &profile::GAMEDATA,
            Kind::Map | Kind::SpellForce2Map | Kind::Spec(HeaderType::Map) => &profile::MAP,
            Kind::Save | Kind::Spec(HeaderType::Save) => &profile::SAVE,
        }
    }

    /// Name of the dialect, where the file is not of SpellForce 1.
    pub const fn dialect(self) -> Option<&'static str> {
        match self {
            Kind::GameData | Kind::Map | Kind::Save => None,
            Kind::SpellForce2Map => Some(map2::DIALECT),
            Kind::Unknown => Some("unknown"),
            Kind::Spec(_) => Some(spec::DIALECT),
        }
    }
}
