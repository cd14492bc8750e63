//! `info`: what files are.

use super::door::{RowPrinter, call};
use crate::output::{CommandSession, FAINT, LABEL, SHOWN_ITEMS, TITLE, human};
use serde_json::Value;
use spelunk::{Result, Severity, verbs::info};

pub fn run(request: &info::Request, session: &mut CommandSession) -> Result<()> {
    let mut request = request.clone();
    if !session.common.json {
        (request.for_people, request.max_items) = (true, Some(SHOWN_ITEMS));
    }
    let is_registered = request.registry.is_some();
    let is_short = request.short;
    call(info::run, &request, &mut About { is_registered, is_short, is_first: true }, session)
}

/// Facts about files, in lines.
struct About {
    /// Whether it is known what is there, so that what is listed is missing.
    is_registered: bool,
    /// Whether each file is one line.
    is_short: bool,
    is_first: bool,
}

impl RowPrinter for About {
    /// Returns the least severity that is shown: oddities are what is asked for, so notes too. With JSON they are in the rows.
    fn least(&self, json: bool) -> Option<Severity> {
        if json { None } else { Some(Severity::Info) }
    }

    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let file = row["file"].as_str().unwrap_or_default();
        if let Some(missing) = row["missing_plugins"].as_array() {
            let needed = row["needed_plugins"].as_u64().unwrap_or_default();
            return self.missing(file, missing, needed, session);
        }
        let Some(lines) = row["lines"].as_array() else { return Ok(()) };
        let out = session.out();
        if !std::mem::take(&mut self.is_first) && !self.is_short {
            writeln!(out)?;
        }
        let format = row["format"].as_str().unwrap_or_default();
        let dialect = row["dialect"].as_str().map(|name| format!(", dialect {name}"));
        let (dialect, size) =
            (dialect.unwrap_or_default(), human(row["size"].as_u64().unwrap_or_default()));
        if self.is_short {
            write!(out, "{TITLE}{file}{TITLE:#}: {format}{dialect}, {size}")?;
            for line in lines {
                let [name, text] =
                    ["name", "text"].map(|key| line[key].as_str().unwrap_or_default());
                // What is not known of the file.
                if text != "-" {
                    write!(out, ", {} {text}", name.replace('_', " "))?;
                }
            }
            return Ok(writeln!(out)?);
        }
        writeln!(out, "{TITLE}{file}{TITLE:#}: {format}{dialect}, {size}")?;
        for line in lines {
            let depth = line["depth"].as_u64().unwrap_or_default() as usize;
            let [name, text] = ["name", "text"].map(|key| line[key].as_str().unwrap_or_default());
            // Headings and items of a list have nothing to align.
            let is_alone = text.is_empty() || name == "-";
            let width = if is_alone { 0 } else { 20_usize.saturating_sub(depth * 2) };
            let gap = if text.is_empty() { "" } else { " " };
            let indent = depth * 2 + 2;
            writeln!(out, "{:indent$}{LABEL}{name:<width$}{LABEL:#}{gap}{text}", "")?;
        }
        Ok(())
    }
}

impl About {
    /// Lists what is missing: a line each, with its name and how many behaviours need it where that is known.
    /// Without a registry that is all that the file needs.
    fn missing(
        &self,
        file: &str,
        missing: &[Value],
        needed: u64,
        session: &mut CommandSession,
    ) -> Result<()> {
        let verdict = match (needed, missing.len()) {
            (0, _) => "needs no plugins".to_owned(),
            (1, _) if !self.is_registered => "needs 1 plugin or building block".to_owned(),
            (count, _) if !self.is_registered => {
                format!("needs {count} plugins and building blocks")
            }
            (count, 0) => format!("none of {count} plugins and building blocks missing"),
            (count, missing) => format!("{missing} of {count} plugins and building blocks missing"),
        };
        let out = session.out();
        writeln!(out, "{TITLE}{file}{TITLE:#}: {verdict}")?;
        let category = |it: &Value| match it["category_name"].as_str() {
            Some(name) => name.to_owned(),
            None => format!("category {}", it["category"]),
        };
        let width = missing.iter().map(|it| category(it).len()).max().unwrap_or_default();
        for it in missing {
            write!(out, "  {:width$}  {}", category(it), it["guid"].as_str().unwrap_or_default())?;
            if let Some(name) = it["name"].as_str() {
                write!(out, "  {name}")?;
            }
            match it["behaviors"].as_u64().unwrap_or_default() {
                0 => {}
                1 => write!(out, "  {FAINT}1 behaviour{FAINT:#}")?,
                many => write!(out, "  {FAINT}{many} behaviours{FAINT:#}")?,
            }
            writeln!(out)?;
        }
        Ok(())
    }
}
