//! `set`, `rm`, `mv`, `add`, `replace`, `patch`, `rewrite`, `upgrade`: a container that is written again.

use super::door::{Text, Verb, call};
use crate::output::{Session, human};
use serde_json::Value;
use spelunk::Result;

pub fn run<R>(verb: Verb<R>, request: &R, session: &mut Session) -> Result<()> {
    call(verb, request, &mut Written, session)
}

/// What was written, in a sentence.
struct Written;

impl Text for Written {
    fn row(&mut self, _: &Value, _: &mut Session) -> Result<()> {
        Ok(())
    }

    fn speaks(&self) -> bool {
        true
    }

    fn beside(&mut self, row: &Value, session: &mut Session) {
        said(row, session);
    }
}

/// Says what was written.
pub fn said(row: &Value, session: &mut Session) {
    let output = row["output"].as_str().unwrap_or_default();
    let size = human(row["size"].as_u64().unwrap_or_default());
    let verb = if row["dry_run"] == true { "would be written" } else { "written" };
    session.say(&format!("{output}: {size} {verb}"));
}
