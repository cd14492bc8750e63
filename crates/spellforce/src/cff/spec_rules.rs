//! Rules about maps of the dialect `spec`: `docs/formats/spec.md#3-maps`. Of those for real maps the ones hold whose fields it has.

use super::chunks::Chunks;
use crate::{
    bytes::tolerate,
    gamedata::{GameData, schema},
    map::lint::{Selection, codes},
};
use spelunk_core::{Error, Result, Seg, Task};

/// The lists whose ids are those of rows, by the ids of their chunks, with the ids of the categories.
const REFERENCES: [(i16, i16); 2] = [(4, schema::UNITS), (5, schema::BUILDINGS)];

impl Chunks {
    /// Applies the rules to a map of the dialect: its units and buildings are rows of a GameData of the dialect, if one is given.
    /// Tables that it lacks are not searched. Findings go to the sink of the task.
    ///
    /// # Errors
    /// Limits; reading errors; what the sink makes of a finding.
    pub fn lint_spec_map(
        &self,
        world: Option<GameData<'_>>,
        selection: &Selection,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let Some(gamedata) = world.filter(|_| selection.has(&codes::DANGLING)) else {
            return Ok(());
        };
        for (list, table) in REFERENCES {
            let known: Vec<u32> = gamedata.chunks_of(table).collect();
            let chunks = self.file.with_id(list).iter().filter(|_| !known.is_empty());
            for chunk in chunks {
                let name = gamedata.schema().category(table).map_or("", |known| known.table);
                if let Err(error) = self.dangling(*chunk, (gamedata, &known, name), task) {
                    tolerate(error, task)?;
                }
            }
        }
        Ok(())
    }

    fn dangling(
        &self,
        chunk: u32,
        (gamedata, tables, table): (GameData<'_>, &[u32], &str),
        task: &mut Task<'_>,
    ) -> Result<()> {
        let at = self.file.plain_at(chunk);
        let path = self.file.chunk(chunk).map(|chunk| self.file.path(chunk)).unwrap_or_default();
        for (nth, range) in (0_usize..).zip(self.record_ranges(chunk, task)?) {
            task.budget.steps(1)?;
            let plain = self.file.plain(chunk, &mut task.budget)?;
            let record = plain.get(range.clone()).and_then(<[u8]>::first_chunk);
            let Some(id) = record.copied().map(u16::from_le_bytes) else { continue };
            let mut is_there = false;
            for chunk in tables {
                is_there |= !gamedata.find(*chunk, &[id.into()], &mut task.budget)?.is_empty();
            }
            if !is_there {
                let error = Error::new(&codes::DANGLING)
                    .at(at.part(range.start as u64, size_of::<u16>() as u64))
                    .expected(format!("a row of {table}"))
                    .found(id);
                let error = error.field("id").within(Seg::Key(format!("{path}[{nth}]").into()));
                task.warn(error)?;
            }
        }
        Ok(())
    }
}
