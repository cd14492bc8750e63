//! `find`: names, texts, ids and values in files and folders.

use super::door::{RowPrinter, call};
use crate::output::{CommandSession, FAINT, TITLE, human};
use serde::Deserialize;
use serde_json::Value;
use spelunk::{Result, verbs::find};
use std::{borrow::Cow, io};

pub fn run(request: &find::Request, session: &mut CommandSession) -> Result<()> {
    if request.duplicates {
        return call(find::run, request, &mut Copies::default(), session);
    }
    call(find::run, request, &mut Hits, session)
}

/// What is stored more than once: a heading for each content, and its places below.
#[derive(Default)]
struct Copies {
    last: Option<String>,
}

impl RowPrinter for Copies {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let (copies, sha256) = (&row["copies"], text("sha256"));
        let size = human(row["size"].as_u64().unwrap_or_default());
        let out = session.out();
        let is_file = text("path").is_empty();
        let of = format!("{} {sha256}", if is_file { "file" } else { "entry" });
        if self.last.as_ref() != Some(&of) {
            let noun = if is_file { "the same file" } else { "the same bytes" };
            // All of the hash is for programs.
            let hash = sha256.get(..16).unwrap_or(sha256);
            writeln!(out, "{TITLE}{copies} times {noun}{TITLE:#}, {size}  {FAINT}{hash}{FAINT:#}")?;
            self.last = Some(of);
        }
        write!(out, "  {}", text("file"))?;
        if !is_file {
            write!(out, ": {}", text("path"))?;
            if !text("path").ends_with(text("name")) {
                write!(out, " {}", text("name"))?;
            }
            write!(out, " {FAINT}{}{FAINT:#}", text("kind"))?;
        }
        Ok(writeln!(out)?)
    }
}

/// A row, as far as people see it.
#[derive(Deserialize)]
struct Hit<'a> {
    #[serde(borrow)]
    file: Cow<'a, str>,
    #[serde(borrow)]
    path: Cow<'a, str>,
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    field: Option<Cow<'a, str>>,
    #[serde(default)]
    value: Value,
    #[serde(borrow)]
    meaning: Option<Cow<'a, str>>,
}

/// Places where the pattern was found, a line each.
struct Hits;

impl RowPrinter for Hits {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        self.json(row.to_string().as_bytes(), session)
    }

    fn reads_json(&self) -> bool {
        true
    }

    fn json(&mut self, row: &[u8], session: &mut CommandSession) -> Result<()> {
        let row: Hit<'_> = serde_json::from_slice(row).map_err(io::Error::from)?;
        let Hit { file, path, kind, name, field, value, meaning } = row;
        let out = session.out();
        write!(out, "{TITLE}{file}{TITLE:#}: {path}")?;
        if !path.ends_with(&*name) {
            write!(out, " {name}")?;
        }
        write!(out, " {FAINT}{kind}{FAINT:#}")?;
        if let Some(field) = field {
            match value {
                Value::String(text) => write!(out, "  {field} = {}", text.escape_debug())?,
                other => write!(out, "  {field} = {other}")?,
            }
            if let Some(meaning) = meaning {
                write!(out, " ({meaning})")?;
            }
        }
        Ok(writeln!(out)?)
    }
}
