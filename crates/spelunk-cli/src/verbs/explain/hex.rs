//! A file as bytes, beside them the fields that begin in each line.

use super::head::{ExplainedFile, number, text};
use crate::{
    output::{CommandSession, FAINT, TITLE},
    verbs::door::RowPrinter,
};
use anstyle::{AnsiColor, Style};
use serde_json::Value;
use spelunk::Result;
use std::io::Write;

/// Bytes of a line.
const WIDTH: u64 = 16;

/// The colours of fields, one after the other.
const COLORS: [Style; 4] = [
    AnsiColor::Cyan.on_default(),
    AnsiColor::Yellow.on_default(),
    AnsiColor::Green.on_default(),
    AnsiColor::Magenta.on_default(),
];

/// A field that begins in a line.
struct Label {
    group: String,
    step: String,
    /// The last of several items of a list that stand together.
    last: Option<String>,
    color: Style,
}

/// Lines of bytes.
#[derive(Default)]
pub struct Dump {
    head: ExplainedFile,
    space: String,
    /// Offset of the first byte of the line that is collected.
    start: u64,
    line: [Option<(u8, Style)>; WIDTH as usize],
    labels: Vec<Label>,
    /// Number of fields so far; `color` is that of the last one.
    fields: usize,
    color: Style,
    digits: usize,
}

impl RowPrinter for Dump {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let out = session.out();
        if row.get("spaces").is_some() {
            self.head = ExplainedFile(row.clone());
            self.digits = self.head.digits().max(4);
            return Ok(());
        }
        if row.get("folded").is_some() {
            self.flush(out)?;
            let (more, path) = (number(row, "folded"), text(row, "path"));
            return Ok(writeln!(
                out,
                "{FAINT}*{FAINT:#}  {more} more bytes of {TITLE}{path}{TITLE:#}"
            )?);
        }
        let offset = number(row, "offset");
        let Some(digits) = row["bytes"].as_str() else {
            if self.space != text(row, "space") {
                self.flush(out)?;
                text(row, "space").clone_into(&mut self.space);
                writeln!(out, "{}", self.head.heading(&self.space))?;
                self.start = offset - offset % WIDTH;
            }
            self.go_to(offset, out)?;
            self.label(row);
            return Ok(());
        };
        for (at, digits) in (offset..).zip(digits.as_bytes().chunks(2)) {
            let digits = std::str::from_utf8(digits).unwrap_or_default();
            let byte = u8::from_str_radix(digits, 16).unwrap_or_default();
            self.go_to(at, out)?;
            self.line[(at % WIDTH) as usize] = Some((byte, self.color));
        }
        Ok(())
    }

    fn end(&mut self, session: &mut CommandSession) -> Result<()> {
        self.flush(session.out())
    }
}

impl Dump {
    /// Goes to a place; what is there belongs to another line, or to the same one.
    fn go_to(&mut self, at: u64, out: &mut dyn Write) -> Result<()> {
        let start = at - at % WIDTH;
        if start != self.start {
            self.flush(out)?;
        }
        self.start = start;
        Ok(())
    }

    /// Notes that a field begins here, or goes on behind what is not shown.
    fn label(&mut self, row: &Value) {
        self.color = COLORS[self.fields % COLORS.len()];
        self.fields += 1;
        let (group, mut step) = (text(row, "group").to_owned(), text(row, "step").to_owned());
        let inside = number(row, "inside");
        if inside > 0 {
            step.push_str(&format!("+{inside:#x}"));
        } else if step.starts_with('[')
            && let Some(before) = self.labels.last_mut()
            && before.group == group
            && before.step.starts_with('[')
        {
            before.last = Some(step);
            return;
        }
        self.labels.push(Label { group, step, last: None, color: self.color });
    }

    /// Prints the line that is collected.
    fn flush(&mut self, out: &mut dyn Write) -> Result<()> {
        let labels = std::mem::take(&mut self.labels);
        if self.line.iter().all(Option::is_none) && labels.is_empty() {
            return Ok(());
        }
        let line = std::mem::replace(&mut self.line, [None; WIDTH as usize]);
        let digits = self.digits;
        write!(out, "{FAINT}{:0digits$x}{FAINT:#} ", self.start)?;
        for (nth, byte) in line.iter().enumerate() {
            let gap = if nth % 8 == 0 { "  " } else { " " };
            match byte {
                Some((byte, color)) => write!(out, "{gap}{color}{byte:02x}{color:#}")?,
                None => write!(out, "{gap}  ")?,
            }
        }
        write!(out, "  |")?;
        for byte in &line {
            match byte {
                Some((byte, color)) if byte.is_ascii_graphic() || *byte == b' ' => {
                    write!(out, "{color}{}{color:#}", char::from(*byte))?;
                }
                Some((_, color)) => write!(out, "{color}.{color:#}")?,
                None => write!(out, " ")?,
            }
        }
        write!(out, "|")?;
        let mut group = None;
        for (nth, label) in labels.iter().enumerate() {
            let Label { step, color, last, .. } = label;
            let gap = if nth == 0 { "  " } else { ", " };
            // Fields of one group have its name once.
            let name = match (group == Some(&label.group), step.starts_with('[')) {
                (true, false) if !label.group.is_empty() => format!(".{step}"),
                (true, _) => step.clone(),
                (false, true) => format!("{}{step}", label.group),
                (false, false) if label.group.is_empty() => step.clone(),
                (false, false) => format!("{}.{step}", label.group),
            };
            let last = last.as_ref().map(|last| format!("..{last}")).unwrap_or_default();
            write!(out, "{gap}{color}{name}{last}{color:#}")?;
            group = Some(&label.group);
        }
        Ok(writeln!(out)?)
    }
}
