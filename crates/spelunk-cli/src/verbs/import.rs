//! `import`: a file of the content of others.

use super::{
    door::{RowPrinter, call},
    edit,
};
use crate::output::CommandSession;
use serde_json::Value;
use spelunk::{Result, verbs::import};

pub fn run(request: &import::Request, session: &mut CommandSession) -> Result<()> {
    call(import::run, request, &mut Imported, session)
}

/// The files that were written: the container, and image files of textures.
struct Imported;

impl RowPrinter for Imported {
    fn row(&mut self, _: &Value, _: &mut CommandSession) -> Result<()> {
        Ok(())
    }

    fn speaks(&self) -> bool {
        true
    }

    fn beside(&mut self, row: &Value, session: &mut CommandSession) {
        edit::said(row, session);
        for texture in row["textures"].as_array().into_iter().flatten() {
            edit::said_of(texture, row["dry_run"] == true, session);
        }
    }
}
