//! An opened chunk file, whatever it is asked for.

use super::{
    chunk::{Chunk, ChunkFile, not_found},
    detect::Kind,
    header::FileHeader,
};
use crate::{
    codes,
    gamedata::{self, Category, GameData, TableLookups},
    map2::RecordStarts,
    save::Nest,
};
use spelunk_core::{Error, Result, Span, Task};

/// An opened chunk file.
#[derive(Debug)]
pub struct Chunks {
    pub(super) file: ChunkFile,
    pub(super) kind: Kind,
    /// In GameData.
    pub(super) tables: Option<TableLookups>,
    /// In saves.
    pub(super) nest: Option<Nest>,
    /// In maps of SpellForce 2; nothing in others.
    pub(super) starts: RecordStarts,
}

impl Chunks {
    /// Opens a chunk file: finds its kind, and what its chunks hold.
    ///
    /// # Errors
    /// When they cannot be read; limits; what the sink makes of a finding.
    pub fn of(file: ChunkFile, task: &mut Task<'_>) -> Result<Chunks> {
        let kind = Kind::of(&file, task)?;
        match kind {
            Kind::GameData => gamedata::note_data_types(&file, task)?,
            Kind::Unknown if !file.chunks().is_empty() => {
                let at = Span::file(FileHeader::LEN, 0);
                task.note(Error::new(&codes::CHUNKS_UNKNOWN).at(at))?;
            }
            _ => {}
        }
        let tables = match kind.has_tables() {
            true => Some(TableLookups::new(&file, task)?),
            false => None,
        };
        let nest = match kind {
            Kind::Save => Some(Nest::of(&file, task)?),
            _ => None,
        };
        let starts = match kind {
            Kind::SpellForce2Map => RecordStarts::new(file.chunks().len(), task)?,
            _ => RecordStarts::default(),
        };
        Ok(Chunks { file, kind, tables, nest, starts })
    }

    /// The chunks.
    pub const fn file(&self) -> &ChunkFile {
        &self.file
    }

    /// Kind of the file: GameData, map or save.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The tables, where it is a GameData. Which categories they may be of is for its form to say ([`GameData::schema`]).
    pub fn gamedata(&self) -> Option<GameData<'_>> {
        self.tables().ok()
    }

    pub(super) fn category(&self, chunk: &Chunk) -> Option<&'static Category> {
        let is_table = self.kind.has_tables() && !chunk.is_damaged();
        gamedata::category_of(self.file.form().schema(), chunk).filter(|_| is_table)
    }

    pub(super) fn name(&self, id: i16) -> Option<&'static str> {
        self.kind.chunk_name(id)
    }

    /// The tables.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND) where it is no GameData.
    pub(super) fn tables(&self) -> Result<GameData<'_>> {
        let tables = self.tables.as_ref().ok_or_else(not_found)?;
        Ok(GameData::new(&self.file, tables))
    }
}
