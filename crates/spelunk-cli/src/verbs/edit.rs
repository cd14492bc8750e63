//! `set`, `rm`, `mv`, `add`, `replace`, `patch`, `rewrite`, `upgrade`: a container that is written again.

use super::door::{Text, Verb, call};
use crate::output::{Session, human};
use serde_json::Value;
use spelunk::Result;

pub fn run<R>(verb: Verb<R>, request: &R, session: &mut Session) -> Result<()> {
    call(verb, request, &mut Written, session)
}

/// The file that was written, in a sentence.
struct Written;

impl Text for Written {
    fn row(&mut self, _: &Value, _: &mut Session) -> Result<()> {
        Ok(())
    }

    fn speaks(&self) -> bool {
        true
    }

    fn beside(&mut self, row: &Value, session: &mut Session) {
        // A note says why nothing was written.
        if !row["output"].is_null() {
            said(row, session);
        }
    }
}

/// Says what was written.
pub fn said(row: &Value, session: &mut Session) {
    said_of(row, row["dry_run"] == true, session);
}

/// Says which file was written.
pub fn said_of(file: &Value, is_dry_run: bool, session: &mut Session) {
    let output = file["output"].as_str().unwrap_or_default();
    let size = human(file["size"].as_u64().unwrap_or_default());
    let verb = if is_dry_run { "would be written" } else { "written" };
    session.say(&format!("{output}: {size} {verb}"));
}
