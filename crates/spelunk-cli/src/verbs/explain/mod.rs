//! `explain`: which field a byte belongs to, the whole of a file as a map or as bytes, or what a code means.

mod code;
mod hex;
mod map;

use super::door::{Text, call};
use crate::output::{LABEL, Session, TITLE};
use serde_json::Value;
use spelunk::{Result, verbs::explain};

pub use code::List;

pub fn run(request: &explain::Request, session: &mut Session) -> Result<()> {
    let mut request = request.clone();
    request.for_people = !session.common.json;
    let is_laid_out = request.map || request.hex || request.entry.is_some();
    let text: &mut dyn Text = match (request.codes, is_laid_out, request.hex) {
        (true, ..) => &mut code::List,
        (_, true, true) => &mut hex::Dump::default(),
        (_, true, false) => &mut map::Tree::default(),
        _ if request.place.is_some() => &mut Byte,
        _ => &mut code::Meaning,
    };
    call(explain::run, &request, text, session)
}

fn text<'r>(row: &'r Value, key: &str) -> &'r str {
    row[key].as_str().unwrap_or_default()
}

fn number(row: &Value, key: &str) -> u64 {
    row[key].as_u64().unwrap_or_default()
}

/// A file, and the spaces that it inflates to.
#[derive(Default)]
struct Head(Value);

impl Head {
    /// The heading over what lies in a space.
    fn heading(&self, space: &str) -> String {
        match self.0["spaces"][space].as_u64() {
            Some(len) => format!("{TITLE}{space}{TITLE:#}, {len} bytes inflated"),
            None => {
                let (file, size) = (text(&self.0, "file"), number(&self.0, "size"));
                format!("{TITLE}{file}{TITLE:#}, {size} bytes")
            }
        }
    }

    /// Digits of the largest place.
    fn digits(&self) -> usize {
        let spaces = self.0["spaces"].as_object().into_iter().flat_map(serde_json::Map::values);
        let sizes = spaces.filter_map(Value::as_u64).chain([number(&self.0, "size")]);
        format!("{:x}", sizes.max().unwrap_or_default()).len()
    }
}

/// The field of a byte.
struct Byte;

impl Text for Byte {
    fn row(&mut self, row: &Value, session: &mut Session) -> Result<()> {
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
