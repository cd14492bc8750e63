//! `explain`: which field a byte belongs to, the whole of a file as a map or as bytes, or what a code means.

mod code;
mod head;
mod hex;
mod map;

use super::door::{RowPrinter, call};
use crate::output::{CommandSession, LABEL, TITLE};
use head::{number, text};
use serde_json::Value;
use spelunk::{Result, verbs::explain};

pub use code::CodeList;

pub fn run(request: &explain::Request, session: &mut CommandSession) -> Result<()> {
    let mut request = request.clone();
    request.for_people = !session.common.json;
    let is_laid_out = request.map || request.hex || request.entry.is_some();
    let text: &mut dyn RowPrinter = match (request.codes, is_laid_out, request.hex) {
        (true, ..) => &mut code::CodeList,
        (_, true, true) => &mut hex::Dump::default(),
        (_, true, false) => &mut map::LayoutPrinter::default(),
        _ if request.place.is_some() => &mut Byte,
        _ => &mut code::Meaning,
    };
    call(explain::run, &request, text, session)
}

/// The field of a byte.
struct Byte;

impl RowPrinter for Byte {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let out = session.out();
        let (asked, offset) = (text(&row["asked"], "space"), number(&row["asked"], "offset"));
        writeln!(out, "{TITLE}{}{TITLE:#}  {asked}:{offset:#x} ({offset})", text(row, "file"))?;
        let mut line = |label: &str, text: &str| -> Result<()> {
            Ok(writeln!(out, "  {LABEL}{label:<8}{LABEL:#} {text}")?)
        };
        line("field", text(row, "path"))?;
        line("value", text(row, "shown"))?;
        let (start, size) = match row.get("offset") {
            Some(_) => (number(row, "offset"), number(row, "size")),
            None => (offset, 1),
        };
        let (ty, space) = (text(row, "type"), row["space"].as_str().unwrap_or(asked));
        let nth = offset - start;
        line(
            "type",
            &format!("{ty}, {size} bytes at {space}:{start:#x}, this is byte {nth} of it"),
        )?;
        if !text(row, "doc").is_empty() {
            line("about", text(row, "doc"))?;
        }
        for group in row["groups"].as_array().into_iter().flatten() {
            line("in", &format!("{}: {}", text(group, "name"), text(group, "doc")))?;
        }
        match row["page"].as_str() {
            Some(page) => line("see", page),
            None => Ok(()),
        }
    }
}
