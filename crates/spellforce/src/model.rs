//! Models of the containers of this crate: the one place that asks a container which of them it is.

use crate::{cff::Chunks, pak::Members, pakdata::Paks, set::Set};
use spelunk_core::Container;

/// Model of a container of this crate.
#[derive(Clone, Copy, Debug)]
pub enum Model<'c> {
    /// Chunk file: GameData, a map, a save.
    Chunks(&'c Chunks),
    /// PAK archive.
    Archive(&'c Members),
    /// `pakdata.dat`.
    Cache(&'c Paks),
    /// Several archives as one tree.
    Set(&'c Set),
}

impl<'c> Model<'c> {
    /// Model of a container; `None` for those of other crates.
    pub fn of(container: &'c dyn Container) -> Option<Model<'c>> {
        let chunks = container.model().map(Model::Chunks);
        chunks
            .or_else(|| container.model().map(Model::Archive))
            .or_else(|| container.model().map(Model::Cache))
            .or_else(|| container.model().map(Model::Set))
    }
}
