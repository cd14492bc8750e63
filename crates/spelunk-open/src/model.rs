//! Models of containers: the one place above the format crates that asks a container what it is, for what only one format has.

use crate::codes;
use snpak::Pack;
use spellforce::{
    cff::{Chunks, Kind},
    gamedata::{GameData, Schema},
    pak::{Archive, Members},
    pakdata::{Cache, Paks},
    set::Set,
    spec::HeaderType,
};
use spelunk_core::{Code, Container, Edit, Error, Result};
use virtools::File;

/// Model of a container.
#[derive(Clone, Copy, Debug)]
pub enum Model<'c> {
    /// Virtools file.
    Virtools(&'c File),
    /// SnPAK pack.
    Pack(&'c Pack),
    /// Chunk file of SpellForce: GameData, a map, a save.
    Chunks(&'c Chunks),
    /// SpellForce archive.
    Archive(&'c Members),
    /// `pakdata.dat`.
    Cache(&'c Paks),
    /// Folder of SpellForce archives.
    Archives(&'c Set),
    /// Container of a format that is known to its own crate alone.
    Other,
}

impl<'c> Model<'c> {
    /// Model of a container.
    pub fn of(container: &'c dyn Container) -> Model<'c> {
        if let Some(file) = container.model() {
            return Model::Virtools(file);
        }
        if let Some(pack) = container.model() {
            return Model::Pack(pack);
        }
        match spellforce::Model::of(container) {
            Some(spellforce::Model::Chunks(chunks)) => Model::Chunks(chunks),
            Some(spellforce::Model::Archive(members)) => Model::Archive(members),
            Some(spellforce::Model::Cache(paks)) => Model::Cache(paks),
            Some(spellforce::Model::Set(set)) => Model::Archives(set),
            None => Model::Other,
        }
    }

    /// Tables, where it is a GameData.
    pub fn gamedata(self) -> Option<GameData<'c>> {
        match self {
            Model::Chunks(chunks) => chunks.gamedata(),
            _ => None,
        }
    }

    /// Chunk file, where it is a map of SpellForce 1.
    pub fn map(self) -> Option<&'c Chunks> {
        match self {
            Model::Chunks(chunks) if chunks.is_map() => Some(chunks),
            _ => None,
        }
    }

    /// Chunk file, where it is a map of SpellForce 2.
    pub fn map2(self) -> Option<&'c Chunks> {
        match self {
            Model::Chunks(chunks) if chunks.is_map2() => Some(chunks),
            _ => None,
        }
    }

    /// Chunk file, where it is a map of the dialect `spec`.
    pub fn spec_map(self) -> Option<&'c Chunks> {
        match self {
            Model::Chunks(chunks) if chunks.kind() == Kind::Spec(HeaderType::Map) => Some(chunks),
            _ => None,
        }
    }

    /// Archive, where it is one, of whichever dialect.
    pub fn archive(self) -> Option<&'c Archive> {
        match self {
            Model::Archive(members) => Some(members.archive()),
            _ => None,
        }
    }

    /// Cache, where it is one.
    pub fn cache(self) -> Option<&'c Cache> {
        match self {
            Model::Cache(paks) => Some(paks.cache()),
            _ => None,
        }
    }
}

/// Returns the Virtools file that a container is.
///
/// # Errors
/// `code` for other formats.
pub fn virtools<'c>(container: &'c dyn Container, code: &'static Code) -> Result<&'c File> {
    match Model::of(container) {
        Model::Virtools(file) => Ok(file),
        _ => Err(other(container, code)),
    }
}

/// Returns the pack that a container is.
///
/// # Errors
/// `code` for other formats.
pub fn pack<'c>(container: &'c dyn Container, code: &'static Code) -> Result<&'c Pack> {
    match Model::of(container) {
        Model::Pack(pack) => Ok(pack),
        _ => Err(other(container, code)),
    }
}

/// Returns the chunk file of the map of SpellForce 1 that a container is.
///
/// # Errors
/// `code` for other files; it names the dialect, as maps of one are no such maps.
pub fn map<'c>(container: &'c dyn Container, code: &'static Code) -> Result<&'c Chunks> {
    Model::of(container).map().ok_or_else(|| other_dialect(container, code))
}

/// Returns the set of archives that a container is.
///
/// # Errors
/// `code` for other formats.
pub fn archives<'c>(container: &'c dyn Container, code: &'static Code) -> Result<&'c Set> {
    match Model::of(container) {
        Model::Archives(set) => Ok(set),
        _ => Err(other(container, code)),
    }
}

/// Returns the Virtools file that is edited; `None` for other formats.
pub fn virtools_mut(edit: &mut dyn Edit) -> Option<&mut File> {
    edit.model_mut()
}

/// What stands between format and dialect in the errors of [`other_dialect`].
pub(crate) const DIALECT: &str = ", dialect ";

/// Error that a container is of another format, which it names.
pub fn other(container: &dyn Container, code: &'static Code) -> Error {
    Error::new(code).found(container.format())
}

/// Refuses two chunk files of which one alone is of the dialect `spec`.
///
/// # Errors
/// [`OTHER_FORMAT`](codes::OTHER_FORMAT), which names the dialect and why the two do not mix.
pub fn one_dialect(one: &dyn Container, other: &dyn Container) -> Result<()> {
    let schema = |container| match Model::of(container) {
        Model::Chunks(chunks) => Some(chunks.file().form().schema()),
        _ => None,
    };
    match (schema(one), schema(other)) {
        (Some(a), Some(b)) if a != b => Err(mixed(a, b)),
        _ => Ok(()),
    }
}

/// Error that the second of two chunk files is of another dialect than the first.
pub fn mixed(one: Schema, other: Schema) -> Error {
    let name = |schema| match schema {
        Schema::Real => "a real one",
        Schema::Spec => {
            "one of the dialect `spec`, whose chunk headers and rows have another layout"
        }
    };
    Error::new(&codes::OTHER_FORMAT).expected(name(one)).found(name(other))
}

/// Error that a container is of another format or dialect: it names both, where it is of a dialect.
pub fn other_dialect(container: &dyn Container, code: &'static Code) -> Error {
    let format = container.format();
    let error = Error::new(code);
    match container.dialect() {
        Some(dialect) => error.found(format!("{format}{DIALECT}{dialect}")),
        None => error.found(format),
    }
}
