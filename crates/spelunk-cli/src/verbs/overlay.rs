//! `overlay`: several packs as a game mounts them.

use super::door::{RowPrinter, call};
use crate::output::{CommandSession, FAINT, TITLE};
use serde_json::Value;
use spelunk::{
    Result,
    verbs::{Disk, FileRef, overlay},
};

pub fn run(request: &overlay::Request, session: &mut CommandSession) -> Result<()> {
    let name = |file: FileRef| match file {
        FileRef::Name(name) => name.to_string().chars().count(),
        FileRef::Open(_) => 0,
    };
    let widths = request.packs.iter().map(|pack| name(pack.parts(&Disk).1));
    call(overlay::run, request, &mut Lines { width: widths.max().unwrap_or_default() }, session)
}

/// A line for each row, of what contradicts one for each asset.
struct Lines {
    /// Of the longest name of a pack.
    width: usize,
}

impl RowPrinter for Lines {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let out = session.out();
        let Lines { width } = *self;
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        if row.get("conflict").is_some() {
            return contradict(row, session);
        }
        if let Some(path) = row.get("missing") {
            return Ok(writeln!(out, "{}", path.as_str().unwrap_or_default())?);
        }
        if let Some(archive) = row.get("archive") {
            let archive = archive.as_str().unwrap_or_default();
            let hidden = over(&row["shadows"], |shadow| &shadow["archive"]);
            let differ = row["differ"].as_str().map(|differ| format!("  other {differ}"));
            let differ = differ.unwrap_or_default();
            return Ok(writeln!(out, "{archive:<10}  {}{hidden}{differ}", text("path"))?);
        }
        let (pack, path) = (text("pack"), text("path"));
        match row.get("variant") {
            None => {
                let hidden = over(&row["shadows"], |shadow| shadow);
                writeln!(out, "{pack:<width$}  {path}{hidden}")?;
            }
            Some(_) if row["path"].is_null() => {
                writeln!(out, "{:<width$}  {} -> nothing", "", text("name"))?;
            }
            Some(_) => {
                let (name, id) = (text("name"), text("asset_id"));
                writeln!(out, "{pack:<width$}  {name} -> {path}  {FAINT}{id}{FAINT:#}")?;
            }
        }
        Ok(())
    }
}

/// Returns the names of what an entry hides, as the end of its line.
fn over<'v>(shadows: &'v Value, name: impl Fn(&'v Value) -> &'v Value) -> String {
    let names = shadows.as_array().into_iter().flatten().filter_map(|shadow| name(shadow).as_str());
    match names.collect::<Vec<_>>().as_slice() {
        [] => String::new(),
        names => format!("  {FAINT}over {}{FAINT:#}", names.join(", ")),
    }
}

fn contradict(row: &Value, session: &mut CommandSession) -> Result<()> {
    let assets = row["assets"].as_array().map(Vec::as_slice).unwrap_or_default();
    let Some(first) = assets.first() else { return Ok(()) };
    let text = |asset: &Value, key: &str| asset[key].as_str().unwrap_or_default().to_owned();
    let fields = row["fields"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let what = match fields.collect::<Vec<_>>().as_slice() {
        [] if assets.iter().all(|asset| asset["asset_id"] == first["asset_id"]) => {
            "other names".to_owned()
        }
        [] => "other ids".to_owned(),
        fields => format!("other {}", fields.join(", ")),
    };
    let out = session.out();
    writeln!(out, "{TITLE}{}{TITLE:#}  {what}", text(first, "path"))?;
    for asset in assets {
        let [pack, path, id] = ["pack", "path", "asset_id"].map(|key| text(asset, key));
        writeln!(out, "    {pack}  {path}  {FAINT}{id}{FAINT:#}")?;
    }
    Ok(())
}
