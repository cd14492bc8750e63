//! Findings of `verify` in a chunk file, beside those of opening it.

use super::{chunk::Chunk, chunks::Chunks, detect::Kind, within::WithinChunk};
use crate::{
    bytes::tolerate,
    codes,
    gamedata::{self, lint::Selection},
    map, spec,
};
use spelunk_core::{Error, Result, Task, zlib};

impl Chunks {
    /// Reports all that opening did not.
    ///
    /// # Errors
    /// Reading errors; limits; what the sink makes of a finding.
    pub(super) fn verify_all(&self, task: &mut Task<'_>) -> Result<()> {
        for (n, chunk) in (0..).zip(self.file.chunks()) {
            task.budget.steps(1)?;
            self.verify_chunk(n, chunk, task)?;
            if self.is_map2() {
                self.verify_map2_chunk(n, task)?;
            }
        }
        if self.kind == Kind::Spec(spec::HeaderType::GameData) {
            gamedata::note_data_types(&self.file, task)?;
        }
        self.verify_nested(task)?;
        if let Some(gamedata) = self.gamedata() {
            return gamedata::lint::lint(gamedata, &Selection::default(), task);
        }
        match self.map(task)? {
            Some(map) => map::lint::lint(&self.file, &map, None, &Selection::default(), task),
            None => Ok(()),
        }
    }

    /// Reports bytes behind a stream, rows that are not whole, content that does not fit its layout, and unknown ids.
    fn verify_chunk(&self, n: u32, chunk: &Chunk, task: &mut Task<'_>) -> Result<()> {
        if chunk.is_damaged() {
            // Opening reported that.
            return Ok(());
        }
        let (category, at) = (self.category(chunk), chunk.data_at());
        let mut rows = None;
        if chunk.is_packed() || category.is_some() {
            let seen = self.file.with_stored(n, task, |stored, plain| {
                let followed = chunk.is_packed() && zlib::is_followed(stored, plain);
                (category.map(|category| gamedata::whole_rows(category, plain)), followed)
            });
            match seen {
                Ok((seen, followed)) => {
                    rows = seen;
                    if followed {
                        let error = Error::new(&spelunk_core::codes::TRAILING_STREAM).at(at);
                        task.warn(error.within_chunk(n as usize))?;
                    }
                }
                Err(error) => return tolerate(error, task),
            }
        }
        let is_spec = self.file.form().is_spec();
        if let Some((rows, rest)) = rows.filter(|(_, rest)| *rest > 0) {
            let behind = chunk.plain_len().saturating_sub(rest as u64);
            let at = if is_spec { self.file.plain_at(n).part(behind, rest as u64) } else { at };
            let error = Error::new(&codes::CATEGORY_REMAINDER)
                .at(at)
                .expected("whole rows")
                .found(format!("{rest} bytes behind row {rows}"));
            task.error(error.within_chunk(n as usize))?;
        }
        if is_spec && let Some(section) = self.section(chunk) {
            spec::check(&self.file, n, section, task)?;
        }
        let is_listed = matches!(
            self.kind,
            Kind::GameData
                | Kind::Map
                | Kind::Spec(spec::HeaderType::GameData | spec::HeaderType::Map)
        );
        if is_listed && self.name(chunk.id()).is_none() {
            let error =
                Error::new(&codes::CHUNK_ID).at(chunk.at().part(0, 2)).found(i32::from(chunk.id()));
            task.note(error.field("id").within_chunk(n as usize))?;
        }
        Ok(())
    }
}
