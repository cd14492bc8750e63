//! A file as bytes, beside them the fields that begin in each line.

use super::Shown;
use crate::output::{FAINT, TITLE};
use anstyle::{AnsiColor, Style};
use spelunk::{
    Opened, Record, Result, Source, Space, Span,
    explain::{Part, Placed, Tell},
};
use std::{collections::BTreeMap, fmt::Write as _, io::Write, sync::Arc};

/// Bytes of a line.
const WIDTH: u64 = 16;
/// Bytes of a long run that are shown before the rest of it is folded.
const SHOWN: u64 = 64;
/// Bytes that are read at a time.
const PIECE: u64 = 4096;

/// The colours of fields, one after the other.
const COLORS: [Style; 4] = [
    AnsiColor::Cyan.on_default(),
    AnsiColor::Yellow.on_default(),
    AnsiColor::Green.on_default(),
    AnsiColor::Magenta.on_default(),
];

/// The bytes of the file and of the inflated spaces that a part lies in. Spaces that cannot be inflated have none, which
/// the walk tells.
pub fn sources(
    opened: &mut Opened,
    part: &Part,
    file: Arc<dyn Source>,
) -> BTreeMap<Space, Arc<dyn Source>> {
    let mut bytes: BTreeMap<Space, Arc<dyn Source>> = BTreeMap::from([(Space::FILE, file)]);
    for span in opened.container().spaces() {
        let is_wanted = part.of(span).next().is_some();
        let inflated = is_wanted
            .then(|| opened.run_silent(|container, task| container.space_bytes(span.space, task)));
        if let Some(Ok(inflated)) = inflated {
            bytes.insert(span.space, Arc::new(inflated));
        }
    }
    bytes
}

/// Bytes of a source as hexadecimal digits.
pub fn digits(source: &dyn Source, start: u64, len: u64) -> Result<String> {
    let mut text = String::new();
    in_pieces(source, start, len, |_, bytes| {
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        Ok(())
    })?;
    Ok(text)
}

/// Hands bytes to `see` piece by piece, with their places.
fn in_pieces(
    source: &dyn Source,
    start: u64,
    len: u64,
    mut see: impl FnMut(u64, &[u8]) -> Result<()>,
) -> Result<()> {
    let mut buffer = [0; PIECE as usize];
    let mut at = start;
    let end = start.saturating_add(len);
    while at < end {
        let piece = &mut buffer[..(end - at).min(PIECE) as usize];
        source.read_at(at, piece)?;
        see(at, piece)?;
        at += piece.len() as u64;
    }
    Ok(())
}

/// A field that begins in a line.
struct Label {
    group: String,
    step: String,
    /// The last of several items of a list that stand together.
    last: Option<String>,
    color: Style,
}

/// Prints lines of bytes.
pub struct Dump<'a> {
    shown: &'a Shown<'a>,
    bytes: &'a BTreeMap<Space, Arc<dyn Source>>,
    out: &'a mut dyn Write,
    space: Option<Space>,
    /// Where the line that is collected begins, and its bytes.
    start: u64,
    line: [Option<(u8, Style)>; WIDTH as usize],
    labels: Vec<Label>,
    /// Where the last byte was, and how many fields were before.
    end: u64,
    fields: usize,
    digits: usize,
}

impl<'a> Dump<'a> {
    pub fn new(
        shown: &'a Shown<'a>,
        bytes: &'a BTreeMap<Space, Arc<dyn Source>>,
        out: &'a mut dyn Write,
    ) -> Dump<'a> {
        Dump {
            shown,
            bytes,
            out,
            space: None,
            start: 0,
            line: [None; WIDTH as usize],
            labels: Vec::new(),
            end: 0,
            fields: 0,
            digits: shown.digits().max(4),
        }
    }

    /// Prints what is left.
    pub fn finish(mut self) -> Result<()> {
        self.flush()
    }

    /// Goes to a place; what is there belongs to another line, or to the same one.
    fn go_to(&mut self, space: Space, at: u64) -> Result<()> {
        let start = at - at % WIDTH;
        if self.space != Some(space) {
            self.flush()?;
            writeln!(self.out, "{}", self.shown.heading(space))?;
            self.space = Some(space);
        } else if start != self.start {
            self.flush()?;
        }
        self.start = start;
        Ok(())
    }

    fn put(&mut self, space: Space, at: u64, byte: u8, color: Style) -> Result<()> {
        self.go_to(space, at)?;
        self.line[(at % WIDTH) as usize] = Some((byte, color));
        self.end = at + 1;
        Ok(())
    }

    /// Prints bytes of a field.
    fn bytes(&mut self, source: &dyn Source, at: Span, color: Style) -> Result<()> {
        in_pieces(source, at.start, at.len, |start, bytes| {
            (start..)
                .zip(bytes)
                .try_for_each(|(place, byte)| self.put(at.space, place, *byte, color))
        })
    }

    /// Prints the line that is collected.
    fn flush(&mut self) -> Result<()> {
        let labels = std::mem::take(&mut self.labels);
        if self.line.iter().all(Option::is_none) && labels.is_empty() {
            return Ok(());
        }
        let line = std::mem::replace(&mut self.line, [None; WIDTH as usize]);
        let digits = self.digits;
        write!(self.out, "{FAINT}{:0digits$x}{FAINT:#} ", self.start)?;
        for (nth, byte) in line.iter().enumerate() {
            let gap = if nth % 8 == 0 { "  " } else { " " };
            match byte {
                Some((byte, color)) => write!(self.out, "{gap}{color}{byte:02x}{color:#}")?,
                None => write!(self.out, "{gap}  ")?,
            }
        }
        write!(self.out, "  |")?;
        for byte in &line {
            match byte {
                Some((byte, color)) if byte.is_ascii_graphic() || *byte == b' ' => {
                    write!(self.out, "{color}{}{color:#}", char::from(*byte))?;
                }
                Some((_, color)) => write!(self.out, "{color}.{color:#}")?,
                None => write!(self.out, " ")?,
            }
        }
        write!(self.out, "|")?;
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
            write!(self.out, "{gap}{color}{name}{last}{color:#}")?;
            group = Some(&label.group);
        }
        writeln!(self.out)?;
        Ok(())
    }

    /// Notes that a field begins here, or goes on behind what is not shown.
    fn label(&mut self, field: &Placed<'_>, start: u64, color: Style) {
        let offset = start.saturating_sub(field.at.start);
        let mut step = field.step().to_owned();
        if offset > 0 {
            step.push_str(&format!("+{offset:#x}"));
        } else if step.starts_with('[')
            && let Some(before) = self.labels.last_mut()
            && before.group == field.group
            && before.step.starts_with('[')
        {
            before.last = Some(step);
            return;
        }
        self.labels.push(Label { group: field.group.to_owned(), step, last: None, color });
    }
}

impl Tell for Dump<'_> {
    fn group(&mut self, _: usize, _: &str, _: &'static Record, _: Option<Span>) -> Result<()> {
        Ok(())
    }

    fn field(&mut self, field: &Placed<'_>, parts: &mut dyn Iterator<Item = Span>) -> Result<()> {
        let Some(source) = self.bytes.get(&field.at.space).cloned() else { return Ok(()) };
        let source = source.as_ref();
        for part in parts.filter(|part| part.len > 0) {
            let color = COLORS[self.fields % COLORS.len()];
            self.fields += 1;
            self.go_to(part.space, part.start)?;
            self.label(field, part.start, color);
            // The last line is shown whole, so that what is behind it has its place.
            let first = (part.start + SHOWN).next_multiple_of(WIDTH);
            let last = (part.end() - 1) / WIDTH * WIDTH;
            if self.shown.in_full || last <= first + SHOWN {
                self.bytes(source, part, color)?;
                continue;
            }
            self.bytes(source, Span { len: first - part.start, ..part }, color)?;
            self.flush()?;
            let more = last - first;
            writeln!(
                self.out,
                "{FAINT}*{FAINT:#}  {more} more bytes of {TITLE}{}{TITLE:#}",
                field.path
            )?;
            self.bytes(source, Span::new(part.space, last, part.end() - last), color)?;
        }
        Ok(())
    }
}
