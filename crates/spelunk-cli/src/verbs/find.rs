//! `find`: names, texts, ids and values in files and folders.

use super::door::{Text, call};
use crate::output::{FAINT, Session, TITLE};
use serde_json::Value;
use spelunk::{Result, verbs::find};

pub fn run(request: &find::Request, session: &mut Session) -> Result<()> {
    call(find::run, request, &mut Hits, session)
}

/// Places where the pattern was found, a line each.
struct Hits;

impl Text for Hits {
    fn row(&mut self, row: &Value, session: &mut Session) -> Result<()> {
        let [file, path, kind, name] =
            ["file", "path", "kind", "name"].map(|key| row[key].as_str().unwrap_or_default());
        let out = session.out();
        write!(out, "{TITLE}{file}{TITLE:#}: {path}")?;
        if !path.ends_with(name) {
            write!(out, " {name}")?;
        }
        write!(out, " {FAINT}{kind}{FAINT:#}")?;
        if let Some(field) = row["field"].as_str() {
            let shown = match &row["value"] {
                Value::String(text) => text.escape_debug().to_string(),
                other => other.to_string(),
            };
            write!(out, "  {field} = {shown}")?;
            if let Some(meaning) = row["meaning"].as_str() {
                write!(out, " ({meaning})")?;
            }
        }
        Ok(writeln!(out)?)
    }
}
