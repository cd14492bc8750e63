//! `catalog`: the contents of many files as a Parquet data set.

use super::door::{RowPrinter, call};
use crate::output::{CommandSession, TITLE};
use serde_json::Value;
use spelunk::Result;
use spelunk_catalog::verb;

pub fn run(request: &verb::Request, session: &mut CommandSession) -> Result<()> {
    call(verb::run, request, &mut Catalogue { is_dry_run: request.dry_run }, session)
}

/// Summary of the work, in two or three lines.
struct Catalogue {
    is_dry_run: bool,
}

impl RowPrinter for Catalogue {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let count = |key: &str, one: &str, many: &str| match row[key].as_u64().unwrap_or_default() {
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        };
        let number = |key: &str| row[key].as_u64().unwrap_or_default();
        let (dir, files) =
            (row["catalog"].as_str().unwrap_or_default(), count("files", "file", "files"));
        let [new, changed, touched, unchanged, gone] =
            ["new", "changed", "touched", "unchanged", "gone"].map(number);
        let out = session.out();
        write!(out, "{TITLE}{dir}{TITLE:#}: {files}: {new} new, {changed} changed, ")?;
        if touched > 0 {
            write!(out, "{touched} touched, ")?;
        }
        writeln!(out, "{unchanged} unchanged, {gone} gone")?;
        if self.is_dry_run {
            return Ok(());
        }
        let [containers, entries, objects, findings] = [
            count("containers", "container", "containers"),
            count("entries", "entry", "entries"),
            count("objects", "object", "objects"),
            count("findings", "finding", "findings"),
        ];
        let [damaged, unopened] = ["damaged", "unopened"].map(number);
        writeln!(
            out,
            "  {containers}, {entries}, {objects}, {findings}; {damaged} damaged, {unopened} not opened"
        )?;
        match number("written") {
            0 => writeln!(out, "  nothing was written")?,
            _ => writeln!(out, "  {} written", count("written", "Parquet file", "Parquet files"))?,
        }
        Ok(())
    }
}
