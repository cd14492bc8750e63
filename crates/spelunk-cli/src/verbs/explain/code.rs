//! Meanings of codes.

use super::head::text;
use crate::{
    output::{CommandSession, LABEL, TITLE},
    verbs::door::RowPrinter,
};
use serde_json::Value;
use spelunk::Result;

/// All that is known of a code, or of an error number.
pub struct Meaning;

impl RowPrinter for Meaning {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let out = session.out();
        if let Some(codes) = row["codes"].as_array() {
            writeln!(out, "{TITLE}{}{TITLE:#}", text(row, "shown"))?;
            writeln!(out, "  {}", text(row, "help"))?;
            for (code, title) in codes.iter().zip(row["titles"].as_array().into_iter().flatten()) {
                let [code, title] = [code, title].map(|text| text.as_str().unwrap_or_default());
                writeln!(out, "  {LABEL}{code}{LABEL:#}    {title}")?;
            }
            return Ok(writeln!(out, "  {LABEL}see     {LABEL:#} {}", text(row, "page"))?);
        }
        let class = text(row, "class");
        writeln!(out, "{TITLE}{}{TITLE:#}: {} ({class})", text(row, "code"), text(row, "title"))?;
        writeln!(out, "  {}", text(row, "help"))?;
        let mut line = |label: &str, text: &str| -> Result<()> {
            Ok(writeln!(out, "  {LABEL}{label:<8}{LABEL:#} {text}")?)
        };
        line("class", &format!("{class}: {}", text(row, "class_meaning")))?;
        if let Some(about) = row["about"].as_str() {
            line("rule", &format!("about {about}; {}", text(row, "at_most")))?;
        }
        line("shown by", text(row, "told_by"))?;
        if let Some(fix) = row["fix"].as_str() {
            line("--fix", fix)?;
        }
        if let (Some(name), number) = (row["native"]["name"].as_str(), &row["native"]["number"]) {
            line("native", &format!("{name} ({number}) in the original software"))?;
        }
        line("see", text(row, "page"))
    }
}

/// Codes, a line each.
pub struct CodeList;

impl RowPrinter for CodeList {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let kind = row["severity"].as_str().unwrap_or_else(|| text(row, "class"));
        let fix = if row["fix"].is_null() { "" } else { "  (--fix)" };
        let (code, title) = (text(row, "code"), text(row, "title"));
        Ok(writeln!(session.out(), "{LABEL}{code}{LABEL:#}  {kind:<12}  {title}{fix}")?)
    }
}
