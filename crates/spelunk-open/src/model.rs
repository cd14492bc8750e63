//! Models of containers: the one place above the format crates that asks a container what it is, for what only one format has.

use snpak::Pack;
use spellforce::{
    cff::Chunks,
    gamedata::GameData,
    pak::{Archive, Members},
    pakdata::{Cache, Paks},
    set::Set,
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

/// Returns the chunk file of the map that a container is.
///
/// # Errors
/// `code` for other files.
pub fn map<'c>(container: &'c dyn Container, code: &'static Code) -> Result<&'c Chunks> {
    Model::of(container).map().ok_or_else(|| other(container, code))
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

/// Error that a container is of another format, which it names.
pub fn other(container: &dyn Container, code: &'static Code) -> Error {
    Error::new(code).found(container.format())
}

/// Error that a container is of another format or dialect: it names the dialect, where there is one.
pub fn other_dialect(container: &dyn Container, code: &'static Code) -> Error {
    Error::new(code).found(container.dialect().unwrap_or(container.format()))
}
