//! `verify`: reads everything, checks everything, reports every finding.

use super::door::{RowPrinter, SHOWN_FINDINGS, call};
use crate::output::{CommandSession, TITLE};
use anstyle::AnsiColor;
use serde_json::Value;
use spelunk::{Result, verbs::verify};

pub fn run(request: &verify::Request, session: &mut CommandSession) -> Result<()> {
    let is_document = request.format.is_some();
    let mut verdicts = Verdicts { is_document, max: request.max, ..Verdicts::default() };
    call(verify::run, request, &mut verdicts, session)?;
    let Verdicts { judged, counted, bytes, .. } = verdicts;
    let shares = if counted > 1 { format!("; {}", shares(bytes)) } else { String::new() };
    judged.end(&shares, session)
}

/// Numbers of the files that were judged.
#[derive(Default)]
pub struct JudgedFiles {
    ok: u64,
    with_errors: u64,
    unopened: u64,
}

impl JudgedFiles {
    /// Counts a file.
    pub fn count(&mut self, is_ok: bool, is_opened: bool) {
        let place = match (is_opened, is_ok) {
            (false, _) => &mut self.unopened,
            (true, true) => &mut self.ok,
            (true, false) => &mut self.with_errors,
        };
        *place = place.saturating_add(1);
    }

    /// Prints the numbers, where there were several files, with more behind them.
    pub fn end(&self, more: &str, session: &mut CommandSession) -> Result<()> {
        let JudgedFiles { ok, with_errors, unopened } = *self;
        let all = ok.saturating_add(with_errors).saturating_add(unopened);
        if all < 2 || session.common.json {
            return Ok(());
        }
        let mut text = format!("{ok} ok");
        for (count, what) in [(with_errors, "with errors"), (unopened, "not opened")] {
            if count > 0 {
                text.push_str(&format!(", {count} {what}"));
            }
        }
        Ok(writeln!(session.out(), "{TITLE}{all} files{TITLE:#}: {text}{more}")?)
    }
}

/// A line for each file.
#[derive(Default)]
struct Verdicts {
    /// Whether one document is made of all files.
    is_document: bool,
    /// Number of findings of one code that are listed, where it was chosen.
    max: Option<u64>,
    judged: JudgedFiles,
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

    fn most(&self) -> Option<usize> {
        most(self.max)
    }

    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        if self.is_document {
            return session.json(row);
        }
        let file = row["file"].as_str().unwrap_or_default();
        let lost = row["lost"].as_u64();
        self.judged.count(row["ok"] == true, lost.is_some());
        let Some(lost) = lost else {
            return verdict(file, false, "not opened", session);
        };
        let mut text = summary(row, self.max, session);
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

/// Returns the number of findings of one code that are listed; `None` for all.
pub fn most(max: Option<u64>) -> Option<usize> {
    match max {
        None => Some(SHOWN_FINDINGS),
        Some(0) => None,
        Some(max) => usize::try_from(max).ok(),
    }
}

/// Returns the numbers of findings, in words, and of each code where there are several or not all are listed.
pub fn summary(row: &Value, max: Option<u64>, session: &CommandSession) -> String {
    let named = |key: &str, one: &str, many: &str| match row["counts"][key].as_u64() {
        None | Some(0) => None,
        Some(1) => Some(format!("1 {one}")),
        Some(count) => Some(format!("{count} {many}")),
    };
    let parts = [
        named("errors", "error", "errors"),
        named("warnings", "warning", "warnings"),
        named("notes", "note", "notes"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return "no findings".to_owned();
    }
    let codes = row["codes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let all: u64 = codes.iter().filter_map(|code| code["count"].as_u64()).sum();
    let mut text = parts.join(", ");
    if codes.len() > 1 && all > codes.len() as u64 {
        let each = codes.iter().map(|code| {
            format!("{} of {}", code["count"], code["code"].as_str().unwrap_or_default())
        });
        text.push_str(&format!(" ({})", each.collect::<Vec<_>>().join(", ")));
    }
    let listed = most(max).filter(|_| !session.common.verbose).map(|most| most as u64);
    if let Some(most) = listed
        && codes.iter().any(|code| {
            code["severity"] != "info" && code["count"].as_u64().is_some_and(|count| count > most)
        })
    {
        text.push_str(&format!("; the first {most} of each code are listed (--max 0 lists all)"));
    }
    text
}

/// Prints the line of a file.
pub fn verdict(file: &str, ok: bool, text: &str, session: &mut CommandSession) -> Result<()> {
    let (color, word) = if ok { (AnsiColor::Green, "ok") } else { (AnsiColor::Red, "FAILED") };
    let style = color.on_default().bold();
    Ok(writeln!(session.out(), "{TITLE}{file}{TITLE:#}: {style}{word}{style:#}, {text}")?)
}
