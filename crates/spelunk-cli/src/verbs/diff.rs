//! `diff`: what changed between two files, or between the files of two folders.

use super::door::{RowPrinter, call};
use crate::{
    columns::{Columns, TextCell},
    output::{CommandSession, FAINT, LABEL, TITLE, human},
};
use anstyle::{AnsiColor, Style};
use serde_json::Value;
use spelunk::{Result, verbs::Heading, verbs::diff};
use std::io::Write;

const OLD: Style = AnsiColor::Red.on_default();
const NEW: Style = AnsiColor::Green.on_default();
const OTHER: Style = AnsiColor::Yellow.on_default();

/// Number of fields of an entry that people are shown; JSON has all of them.
const SHOWN_FIELDS: usize = 40;

pub fn run(request: &diff::Request, session: &mut CommandSession) -> Result<()> {
    let mut request = request.clone();
    request.for_people = !session.common.json;
    let writes = request.patch.is_some();
    if request.blocks.is_some() {
        return call(diff::run, &request, &mut TransferSummary, session);
    }
    match request.stat {
        true => call(diff::run, &request, &mut Stats { writes, columns: None }, session),
        false => call(diff::run, &request, &mut Changes { writes, counts: [0; 5] }, session),
    }
}

fn text<'r>(row: &'r Value, key: &str) -> &'r str {
    row[key].as_str().unwrap_or_default()
}

fn number(row: &Value, key: &str) -> u64 {
    row[key].as_u64().unwrap_or_default()
}

fn list<'r>(row: &'r Value, key: &str) -> &'r [Value] {
    row[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Says that a patch was written.
fn written(row: &Value, session: &mut CommandSession) {
    if row["change"] == "patch" {
        let verb = if row["dry_run"] == true { "would be written" } else { "written" };
        let size = human(number(row, "size"));
        session.say(&format!("{}: {size} {verb}", text(row, "output")));
    }
}

/// Numbers of changes, in columns.
struct Stats {
    writes: bool,
    columns: Option<Columns>,
}

impl RowPrinter for Stats {
    fn begin(&mut self, heading: &Heading<'_>, session: &mut CommandSession) -> Result<()> {
        if heading.is_one_of_many {
            writeln!(session.out(), "{TITLE}{}{TITLE:#}", heading.file)?;
        }
        let heads =
            ["type", "added", "removed", "changed", "renamed", "fields", "old size", "new size"];
        self.columns = Some(session.columns().headed(heads));
        Ok(())
    }

    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let counts =
            ["added", "removed", "changed", "renamed", "fields"].map(|key| number(row, key));
        if row["change"].as_str().is_some_and(|change| change.starts_with("file_")) {
            return file_row(row, session.out());
        }
        let Some(columns) = self.columns.as_mut().filter(|_| row["change"] == "stat") else {
            return Ok(());
        };
        if row["type"].is_null() && counts == [0; 5] {
            self.columns = None;
            return Ok(());
        }
        let sizes = ["old_size", "new_size"].map(|key| human(number(row, key)));
        let numbers = counts.iter().map(u64::to_string).chain(sizes).map(TextCell::number);
        let row =
            std::iter::once(TextCell::text(row["type"].as_str().unwrap_or("all"))).chain(numbers);
        columns.add(row.collect(), session.out())
    }

    fn speaks(&self) -> bool {
        self.writes
    }

    fn beside(&mut self, row: &Value, session: &mut CommandSession) {
        written(row, session);
    }

    fn end(&mut self, session: &mut CommandSession) -> Result<()> {
        match self.columns.take() {
            Some(mut columns) => columns.end(session.out()),
            None => Ok(()),
        }
    }
}

/// Changes, entry by entry.
struct Changes {
    writes: bool,
    /// Numbers of entries that were changed, renamed, added, removed, and have another id.
    counts: [u64; 5],
}

impl RowPrinter for Changes {
    fn begin(&mut self, heading: &Heading<'_>, session: &mut CommandSession) -> Result<()> {
        match heading.is_one_of_many {
            true => Ok(writeln!(session.out(), "{TITLE}{}{TITLE:#}", heading.file)?),
            false => Ok(()),
        }
    }

    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let mut print = Print { out: session.out() };
        let (old, new) = (&row["old"], &row["new"]);
        let nth = match text(row, "change") {
            "summary" => {
                writeln!(print.out, "{OTHER}~{OTHER:#} {TITLE}file{TITLE:#}")?;
                return print.fields(list(row, "fields"), 4);
            }
            "changed" => {
                let path = text(old, "path");
                let was = if path != text(new, "path") {
                    format!("  {FAINT}was {path}{FAINT:#}")
                } else if by_position(new) {
                    String::new()
                } else {
                    format!("  {FAINT}{}{FAINT:#}", text(new, "type"))
                };
                writeln!(print.out, "{OTHER}~{OTHER:#} {TITLE}{}{TITLE:#}{was}", title(new))?;
                print.fields(list(row, "fields"), 4)?;
                0
            }
            "renamed" => {
                let (from, to) = (title(old), title(new));
                writeln!(print.out, "{OTHER}>{OTHER:#} {OLD}{from}{OLD:#} -> {NEW}{to}{NEW:#}")?;
                print.fields(list(row, "fields"), 4)?;
                1
            }
            "added" => {
                let (name, note) = (title(new), note(new));
                writeln!(print.out, "{NEW}+ {name}{NEW:#}  {FAINT}{note}{FAINT:#}")?;
                2
            }
            "removed" => {
                let (name, note) = (title(old), note(old));
                writeln!(print.out, "{OLD}- {name}{OLD:#}  {FAINT}{note}{FAINT:#}")?;
                3
            }
            "renumbered" => {
                self.counts[4] = number(row, "count");
                return Ok(());
            }
            _ => return file_row(row, print.out),
        };
        self.counts[nth] += 1;
        Ok(())
    }

    fn speaks(&self) -> bool {
        self.writes
    }

    fn beside(&mut self, row: &Value, session: &mut CommandSession) {
        written(row, session);
    }

    fn end(&mut self, session: &mut CommandSession) -> Result<()> {
        let names = ["changed", "renamed", "added", "removed", "with another id"];
        let text = counted(std::mem::take(&mut self.counts).into_iter().zip(names));
        match text.is_empty() {
            true => Ok(()),
            false => Ok(writeln!(session.out(), "{text}")?),
        }
    }
}

/// Prints a file of a folder that has come, gone or changed as a whole.
fn file_row(row: &Value, out: &mut dyn Write) -> Result<()> {
    let file = text(row, "file");
    let [old, new] = ["old_size", "new_size"].map(|key| row[key].as_u64().map(human));
    match (old, new) {
        (Some(old), Some(new)) => writeln!(
            out,
            "{OTHER}~{OTHER:#} {TITLE}{file}{TITLE:#}  {FAINT}other bytes, {old} -> {new}{FAINT:#}"
        )?,
        (None, Some(size)) => writeln!(out, "{NEW}+ {file}{NEW:#}  {FAINT}{size}{FAINT:#}")?,
        (Some(size), None) => writeln!(out, "{OLD}- {file}{OLD:#}  {FAINT}{size}{FAINT:#}")?,
        (None, None) => {}
    }
    Ok(())
}

/// Counts of which there are some, with what they count.
fn counted<'n>(counts: impl IntoIterator<Item = (u64, &'n str)>) -> String {
    let some = counts.into_iter().filter(|(count, _)| *count > 0);
    some.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>().join(", ")
}

struct Print<'p> {
    out: &'p mut dyn Write,
}

impl Print<'_> {
    fn fields(&mut self, changes: &[Value], indent: usize) -> Result<()> {
        let mut left = changes.iter();
        left.by_ref().take(SHOWN_FIELDS).try_for_each(|change| self.field(change, indent))?;
        self.more(left.len() as u64, "fields", indent)
    }

    fn more(&mut self, more: u64, what: &str, indent: usize) -> Result<()> {
        if more > 0 {
            writeln!(self.out, "{:indent$}{FAINT}... {more} more {what}{FAINT:#}", "")?;
        }
        Ok(())
    }

    fn field(&mut self, field: &Value, indent: usize) -> Result<()> {
        let pad = " ".repeat(indent);
        let path = text(field, "path");
        match text(field, "type") {
            "list" => self.list(field, indent),
            "group" => {
                let [was, is] = ["old_count", "new_count"].map(|key| number(field, key));
                let (mark, style) = if was == 0 { ("+", NEW) } else { ("-", OLD) };
                let count = was.max(is);
                writeln!(self.out, "{pad}{style}{mark} {path}{style:#}  {count} fields")?;
                let fields = list(field, "fields");
                self.fields(fields, indent + 4)?;
                self.more(count.saturating_sub(fields.len() as u64), "fields", indent + 4)
            }
            _ => {
                let shown = match field.get("start") {
                    Some(_) => stretch(field),
                    None => change(field),
                };
                Ok(writeln!(self.out, "{pad}{LABEL}{path}{LABEL:#}  {shown}")?)
            }
        }
    }

    fn list(&mut self, field: &Value, indent: usize) -> Result<()> {
        let pad = " ".repeat(indent);
        let path = text(field, "path");
        let counts = ["changed", "added", "removed"].map(|key| (number(field, key), key));
        let all = counts.iter().map(|(count, _)| *count).fold(0, u64::saturating_add);
        let items = list(field, "items");
        // All that changed in place is shown by its fields alone.
        if counts[0].0 != all || all > items.len() as u64 {
            let [old, new] = ["old_count", "new_count"].map(|key| number(field, key));
            let of = if old == new { format!("{old}") } else { format!("{old} -> {new}") };
            writeln!(self.out, "{pad}{LABEL}{path}{LABEL:#}  {}; {of} items", counted(counts))?;
        }
        items.iter().try_for_each(|item| self.item(item, path, indent))?;
        self.more(all.saturating_sub(items.len() as u64), "items", indent)
    }

    fn item(&mut self, item: &Value, path: &str, indent: usize) -> Result<()> {
        let pad = " ".repeat(indent);
        let (mark, style, index) = match (item["old_index"].as_u64(), item["new_index"].as_u64()) {
            (Some(_), Some(new)) => ("~", OTHER, new),
            (Some(old), None) => ("-", OLD, old),
            (None, Some(new)) => ("+", NEW, new),
            (None, None) => return Ok(()),
        };
        match list(item, "fields") {
            // It says itself which item it is.
            [own] if text(own, "path").starts_with(path) => {
                self.fields(std::slice::from_ref(own), indent)
            }
            fields => {
                writeln!(self.out, "{pad}{style}{mark} {path}[{index}]{style:#}")?;
                self.fields(fields, indent + 4)
            }
        }
    }
}

/// Returns both values of a field, or the one that it has, in words.
fn change(field: &Value) -> String {
    let [old, new] = ["old_shown", "new_shown"].map(|side| field[side].as_str());
    match (old, new) {
        (Some(a), Some(b)) => match list(field, "bits") {
            [] if field["type"] == "text" && a == b => {
                let [old, new] = ["old_bytes", "new_bytes"].map(|key| text(field, key));
                format!("{a}, stored as {OLD}{old}{OLD:#} -> {NEW}{new}{NEW:#}")
            }
            [] => format!("{OLD}{a}{OLD:#} -> {NEW}{b}{NEW:#}"),
            bits => {
                let bits: Vec<&str> = bits.iter().filter_map(Value::as_str).collect();
                let [old, new] = ["old", "new"].map(|side| match &field[side] {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                });
                format!("{OLD}{old}{OLD:#} -> {NEW}{new}{NEW:#} ({})", bits.join(", "))
            }
        },
        (Some(a), None) => format!("{OLD}- {a}{OLD:#}"),
        (None, Some(b)) => format!("{NEW}+ {b}{NEW:#}"),
        (None, None) => String::new(),
    }
}

/// Returns where bytes differ, in words.
fn stretch(field: &Value) -> String {
    let [old, new, start] = ["old_size", "new_size", "start"].map(|key| number(field, key));
    let sizes = if old == new { format!("{old} bytes") } else { format!("{old} -> {new} bytes") };
    let place = match (number(field, "old_length"), number(field, "new_length")) {
        (0, added) => format!("{sizes}, {added} more at {start:#x}"),
        (removed, 0) => format!("{sizes}, {removed} less at {start:#x}"),
        (a, b) if a == b => format!("{sizes}, others in the {a} from {start:#x}"),
        (a, b) => format!("{sizes}, {b} for the {a} from {start:#x}"),
    };
    match ["old_part", "new_part"].map(|key| field[key].as_str()) {
        [Some(a), Some(b)] => format!("{place}: {OLD}{a}{OLD:#} -> {NEW}{b}{NEW:#}"),
        _ => place,
    }
}

/// Returns the name by which people know an entry.
fn title(item: &Value) -> String {
    let path = text(item, "path");
    if !by_position(item) {
        return path.to_owned();
    }
    match (text(item, "type"), text(item, "name")) {
        (kind, "") => format!("{kind} {path}"),
        (kind, name) => format!("{kind}/{name} {path}"),
    }
}

/// Whether the path shows nothing but a position.
fn by_position(item: &Value) -> bool {
    text(item, "path").starts_with('#')
}

/// Returns further facts about an entry that only one file has.
fn note(item: &Value) -> String {
    let size = human(number(item, "size"));
    if by_position(item) { size } else { format!("{}, {size}", text(item, "type")) }
}

/// Bytes that a store has to send of a new version.
struct TransferSummary;

impl RowPrinter for TransferSummary {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let out = session.out();
        if row.get("block_size").is_none() {
            return asset(row, out);
        }
        let [old, new, block] =
            ["old_size", "new_size", "block_size"].map(|key| human(number(row, key)));
        writeln!(out, "{TITLE}{old} -> {new}{TITLE:#}, in blocks of {block}")?;
        count(&row["same_blocks"], "are the same in their place", out)?;
        let moved = "are the same elsewhere, at a multiple of the size";
        count(&row["moved_blocks"], moved, out)?;
        count(&row["new_blocks"], "are new: what is to be sent at the worst", out)?;
        let Some(chunks) = row.get("chunks") else { return Ok(()) };
        writeln!(out, "{TITLE}chunks{TITLE:#}")?;
        for (key, what) in [
            ("same", "are the same in their place"),
            ("moved", "are the same elsewhere"),
            ("changed", "are changed"),
            ("added", "are added"),
            ("removed", "are removed"),
        ] {
            count(&chunks[key], what, out)?;
        }
        Ok(())
    }
}

fn count(of: &Value, what: &str, out: &mut dyn Write) -> Result<()> {
    let (count, bytes) = (number(of, "count"), human(number(of, "bytes")));
    Ok(writeln!(out, "{count:>8}  {bytes:>10}  {what}")?)
}

/// Prints what became of an asset.
fn asset(row: &Value, out: &mut dyn Write) -> Result<()> {
    let bytes = |key: &str| number(&row["chunks"][key], "bytes");
    let fields: Vec<&str> = list(row, "fields").iter().filter_map(Value::as_str).collect();
    let fields = match fields.as_slice() {
        [] => String::new(),
        fields => format!("  {FAINT}{}{FAINT:#}", fields.join(", ")),
    };
    let (mark, bytes) = match text(row, "change") {
        "added" => ('+', bytes("added")),
        "removed" => ('-', bytes("removed")),
        "changed" => ('~', bytes("changed").saturating_add(bytes("added"))),
        _ => ('>', bytes("moved")),
    };
    let (bytes, path) = (human(bytes), text(row, "path"));
    Ok(writeln!(out, "{LABEL}{mark}{LABEL:#} {bytes:>10}  {path}{fields}")?)
}
