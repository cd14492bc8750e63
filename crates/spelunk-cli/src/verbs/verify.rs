//! `verify`: reads everything, checks everything, reports every finding.

use super::door::{RowPrinter, call};
use crate::output::{CommandSession, TITLE};
use anstyle::AnsiColor;
use serde_json::Value;
use spelunk::{Result, verbs::verify};

pub fn run(request: &verify::Request, session: &mut CommandSession) -> Result<()> {
    let mut verdicts = Verdicts { is_document: request.format.is_some(), ..Verdicts::default() };
    call(verify::run, request, &mut verdicts, session)?;
    let Verdicts { counted, bytes, .. } = verdicts;
    if counted > 1 && !session.common.json {
        writeln!(session.out(), "{TITLE}{counted} files{TITLE:#}: {}", shares(bytes))?;
    }
    Ok(())
}

/// A line for each file.
#[derive(Default)]
struct Verdicts {
    /// Whether one document is made of all files.
    is_document: bool,
    /// Number of files whose bytes were counted; `bytes` are the sums of their kinds.
    counted: u64,
    bytes: [u64; 5],
}

/// Kinds of bytes, and what those are called of which there may be none.
const KINDS: [(&str, &str); 5] = [
    ("bytes", ""),
    ("understood", ""),
    ("padding", "padding"),
    ("opaque", "opaque"),
    ("unaccounted", "unaccounted for"),
];

impl RowPrinter for Verdicts {
    fn reports(&self) -> bool {
        !self.is_document
    }

    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        if self.is_document {
            return session.json(row);
        }
        let file = row["file"].as_str().unwrap_or_default();
        let Some(lost) = row["lost"].as_u64() else {
            return verdict(file, false, "not opened", session);
        };
        let mut text = summary(&row["counts"]);
        match lost {
            0 => {}
            1 => text.push_str(", 1 thing lost when engines load it"),
            lost => text.push_str(&format!(", {lost} things lost when engines load it")),
        }
        if let Value::Object(written) = &row["roundtrip"] {
            if written["identical"] == true {
                text.push_str(", identical when written again");
            } else if written.contains_key("message") {
                text.push_str(", cannot be written again");
            } else {
                text.push_str(", differs when written again");
                text.push_str(&reasons(written.get("changes")));
            }
        }
        if let Value::Object(coverage) = &row["coverage"] {
            let bytes = KINDS.map(|(key, _)| coverage[key].as_u64().unwrap_or_default());
            text.push_str(&format!("; {}", shares(bytes)));
            self.counted += 1;
            for (sum, count) in self.bytes.iter_mut().zip(bytes) {
                *sum = sum.saturating_add(count);
            }
        }
        verdict(file, row["ok"] == true, &text, session)
    }
}

/// Returns how much is understood, in words.
fn shares(counts: [u64; 5]) -> String {
    let [bytes, understood, ..] = counts;
    let share = |part: u64| match bytes {
        0 => 0.0,
        _ => part as f64 / bytes as f64 * 100.0,
    };
    let mut text = format!("{bytes} bytes: {:.1} % understood", share(understood));
    for ((_, name), part) in KINDS.iter().zip(counts).skip(2) {
        if part > 0 {
            text.push_str(&format!(", {:.1} % {name}", share(part)));
        }
    }
    text
}

/// The first of the fields that are others, and why.
fn reasons(changes: Option<&Value>) -> String {
    const SHOWN: usize = 8;
    let changes = changes.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let text = |change: &Value| {
        let [path, why] = ["path", "why"].map(|key| change[key].as_str().unwrap_or_default());
        format!("{path} ({why})")
    };
    let mut shown: Vec<String> = changes.iter().take(SHOWN).map(text).collect();
    let more = changes.len().saturating_sub(SHOWN);
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    if shown.is_empty() { String::new() } else { format!(": {}", shown.join(", ")) }
}

/// Returns the numbers of findings, in words.
pub fn summary(counts: &Value) -> String {
    let named = |key: &str, one: &str, many: &str| match counts[key].as_u64().unwrap_or_default() {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {many}")),
    };
    let parts = [
        named("errors", "error", "errors"),
        named("warnings", "warning", "warnings"),
        named("notes", "note", "notes"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "no findings".to_owned() } else { parts.join(", ") }
}

/// Prints the line of a file.
pub fn verdict(file: &str, ok: bool, text: &str, session: &mut CommandSession) -> Result<()> {
    let (color, word) = if ok { (AnsiColor::Green, "ok") } else { (AnsiColor::Red, "FAILED") };
    let style = color.on_default().bold();
    Ok(writeln!(session.out(), "{TITLE}{file}{TITLE:#}: {style}{word}{style:#}, {text}")?)
}
