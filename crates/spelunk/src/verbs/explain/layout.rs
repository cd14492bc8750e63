//! A file as its fields in the order of their bytes, and as bytes.

use super::request::Request;
use crate::{
    Error, Opened, Record, Result, Source, Space, Span, Val,
    core::text::CodePages,
    explain::{self, LayoutSink, Placed, SpanSelection},
    open::codes,
    open::json::{FieldRow, StoredAt},
    verbs::run::Run,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt::{self, Write},
    sync::Arc,
};

/// Bytes of a long run that rows have, and that people see before the rest of it is folded.
const SHOWN: u64 = 64;
/// Letters of a value that people see at the most.
const MOST_LETTERS: usize = 100;
/// Bytes of a line for people.
const WIDTH: u64 = 16;
/// Bytes that are read at a time.
const PIECE: u64 = 4096;

/// The bytes of the file, and of the inflated spaces.
type Sources = BTreeMap<Space, Arc<dyn Source>>;

/// Hands out the map or the bytes of a part.
pub(super) fn show(
    request: &Request,
    file: &str,
    opened: &mut Opened,
    source: Arc<dyn Source>,
    run: &mut Run<'_>,
) -> Result<()> {
    let pages = opened.code_pages();
    let place = request.place.as_deref();
    let part = opened.run(|container, task| match (&request.entry, place) {
        (Some(path), _) => SpanSelection::entry(container, path, &pages, task),
        (None, Some(place)) => SpanSelection::parse(container, place, request.len, &pages, task),
        (None, None) => Ok(SpanSelection::all()),
    });
    let part = match part {
        Ok(part) => part,
        Err(error) => {
            run.failed(file, error);
            return Ok(());
        }
    };
    if request.for_people {
        let spaces = opened.container().spaces();
        let spaces = spaces.iter().map(|span| (span.space.to_string(), span.len)).collect();
        run.row(&HeadRow { file, size: opened.container().size(), spaces })?;
    }
    let bytes = match request.hex {
        true => sources(opened, &part, source),
        false => Sources::new(),
    };
    let in_full = !request.within && (request.full || request.len.is_some());
    let within = request.within;
    run.begin(file, false, &[])?;
    let shown = opened.run(|container, task| {
        // The other half is for what the walk takes.
        let room = task.budget.left().memory / 2;
        let mut rows =
            LayoutRows { file, pages: &pages, in_full, within, bytes: &bytes, room, run };
        match (request.for_people, request.hex) {
            (false, _) => explain::layout(container, &part, task, &mut rows),
            (true, false) => explain::layout(container, &part, task, &mut LayoutTree(rows)),
            (true, true) => explain::layout(container, &part, task, &mut Dump(rows)),
        }
    });
    run.end()?;
    run.settle(file, &opened.take_findings());
    match shown {
        Err(error) if !run.is_taken() => Err(error),
        Err(error) => {
            run.failed(file, error);
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

/// A field, in the order of their bytes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LaidOutRow<'a> {
    /// The file.
    pub file: &'a str,
    /// The field.
    #[serde(flatten)]
    pub field: FieldRow<'a>,
    /// With `hex`: its stored bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "^([0-9a-f]{2})*$"))]
    pub bytes: Option<String>,
    /// With `within`: offset of the first of `bytes` in its space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_offset: Option<u64>,
    /// Whether `value` and `bytes` are the beginning alone; `full` shows all. There only where it is true.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// The file for people, and the spaces that it inflates to.
#[derive(Debug, Serialize, JsonSchema)]
pub struct HeadRow<'a> {
    /// The file.
    pub file: &'a str,
    /// Size of the file in bytes.
    pub size: u64,
    /// The sizes of the spaces that it inflates to, by their names.
    pub spaces: BTreeMap<String, u64>,
}

/// The bytes of the file and of the inflated spaces that a part lies in. Spaces that cannot be inflated have none, which
/// the walk reports.
fn sources(opened: &mut Opened, part: &SpanSelection, file: Arc<dyn Source>) -> Sources {
    let mut bytes = Sources::from([(Space::FILE, file)]);
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

/// Hands bytes to `see` piece by piece, with their places.
fn in_pieces(
    source: &dyn Source,
    at: Span,
    mut see: impl FnMut(u64, &[u8]) -> Result<()>,
) -> Result<()> {
    let mut buffer = [0; PIECE as usize];
    let mut start = at.start;
    while start < at.end() {
        let len = at.end().saturating_sub(start).min(PIECE);
        let piece = buffer.get_mut(..len as usize).unwrap_or_default();
        source.read_at(start, piece)?;
        see(start, piece)?;
        start = start.saturating_add(len);
    }
    Ok(())
}

/// A row for each field.
struct LayoutRows<'r, 'a> {
    file: &'r str,
    pages: &'r CodePages,
    /// Long runs of bytes are not folded.
    in_full: bool,
    /// Bytes are those of the wanted range alone.
    within: bool,
    bytes: &'r Sources,
    /// Memory that a row may take.
    room: u64,
    run: &'r mut Run<'a>,
}

impl LayoutRows<'_, '_> {
    fn row(&mut self, row: &impl Serialize) -> Result<()> {
        self.run.row(row)
    }

    /// Whether there is room for a row with so many bytes of the field.
    fn affords(&self, field: &Placed<'_>, len: u64) -> Result<()> {
        let within = |error: Error| error.at(field.at).field(field.field.name);
        field.value.check_shown_size(self.room).map_err(within)?;
        // Bytes are copied; they become digits as the value, and as what is stored.
        let has_digits = matches!(field.value, Val::Bytes(_)) || !self.bytes.is_empty();
        let taken = if has_digits { len.saturating_mul(5) } else { 0 };
        if taken <= self.room {
            return Ok(());
        }
        let error = Error::new(&codes::core::MEMORY);
        let error = error.expected(format!("at most {} bytes", self.room));
        Err(within(error.found(format!("{len} bytes that take {taken}"))))
    }

    /// A row with the first bytes of the value, and those that are stored in `part`.
    fn field_row(&mut self, field: &Placed<'_>, most: u64, part: Span) -> Result<()> {
        let most_bytes = usize::try_from(most).unwrap_or(usize::MAX);
        self.affords(field, field.at.len.min(most).max(part.len))?;
        let flat = field.to_flat(most_bytes);
        let mut stored = None;
        let mut is_cut = matches!(field.value, Val::Bytes(bytes) if bytes.len() > most_bytes);
        if let Some(source) = self.bytes.get(&field.at.space) {
            let mut digits = String::with_capacity((part.len as usize).saturating_mul(2));
            in_pieces(&**source, part, |_, bytes| {
                push_digits(&mut digits, bytes);
                Ok(())
            })?;
            stored = Some(digits);
            is_cut |= part.len < field.at.len;
        }
        self.row(&LaidOutRow {
            file: self.file,
            field: FieldRow::of(&flat, self.pages),
            bytes: stored,
            bytes_offset: self.within.then_some(part.start),
            cut: is_cut,
        })
    }
}

impl LayoutSink for LayoutRows<'_, '_> {
    fn group(&mut self, _: usize, _: &str, _: &'static Record, _: Option<Span>) -> Result<()> {
        Ok(())
    }

    fn field(&mut self, field: &Placed<'_>, parts: &mut dyn Iterator<Item = Span>) -> Result<()> {
        let most = if self.in_full { u64::MAX } else { SHOWN };
        match self.within {
            true => {
                for part in parts {
                    self.field_row(field, most, part)?;
                }
                Ok(())
            }
            false => self.field_row(field, most, Span { len: field.at.len.min(most), ..field.at }),
        }
    }
}

/// A group or a field for people.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BranchRow<'a> {
    /// Number of groups above it.
    pub depth: usize,
    /// The path of a group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<&'a str>,
    /// Part of the path of a field behind that of its group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<&'a str>,
    /// Place where it is stored.
    #[serde(flatten)]
    pub at: Option<StoredAt>,
    /// Description of the group, or the first 100 letters of the value of the field.
    pub shown: &'a str,
}

/// Groups, with their fields below them.
struct LayoutTree<'r, 'a>(LayoutRows<'r, 'a>);

impl LayoutSink for LayoutTree<'_, '_> {
    fn group(
        &mut self,
        depth: usize,
        path: &str,
        record: &'static Record,
        at: Option<Span>,
    ) -> Result<()> {
        let (group, at) = (Some(path), at.map(StoredAt::from));
        self.0.row(&BranchRow { depth, group, step: None, at, shown: record.doc })
    }

    fn field(&mut self, field: &Placed<'_>, _: &mut dyn Iterator<Item = Span>) -> Result<()> {
        let shown = beginning(field, self.0.pages);
        let (step, at) = (Some(field.step()), Some(StoredAt::from(field.at)));
        self.0.row(&BranchRow { depth: field.depth, group: None, step, at, shown: &shown })
    }
}

/// The beginning of the value of a field, which may be as long as the file.
fn beginning(field: &Placed<'_>, pages: &CodePages) -> String {
    // No letter takes more bytes in any code page.
    let text = match field.value {
        Val::Text(bytes) => bytes.get(..MOST_LETTERS * 4).map(|bytes| Val::Text(bytes.into())),
        _ => None,
    };
    let mut cut = Cut { text: String::new(), left: MOST_LETTERS };
    // What does not take more ends it.
    let _ = write!(cut, "{}", field.field.print(text.as_ref().unwrap_or(field.value), pages));
    cut.text
}

/// Takes so many letters, and `...` for all others.
struct Cut {
    text: String,
    left: usize,
}

impl Write for Cut {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match text.char_indices().nth(self.left) {
            Some((at, _)) => {
                self.text.push_str(text.get(..at).unwrap_or_default());
                self.text.push_str("...");
                Err(fmt::Error)
            }
            None => {
                self.left -= text.chars().count();
                self.text.push_str(text);
                Ok(())
            }
        }
    }
}

/// A field that begins here, or goes on behind what is not shown.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LabelRow<'a> {
    /// The path of its group.
    pub group: &'a str,
    /// Part of its path behind that of its group.
    pub step: &'a str,
    /// Distance from its beginning in bytes.
    pub inside: u64,
    /// `file`, or the name of an inflated section.
    pub space: String,
    /// Offset in the space, in bytes.
    pub offset: u64,
}

/// Bytes of the field that began last.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BytesRow<'a> {
    /// Offset of the first of them in the space, in bytes.
    pub offset: u64,
    /// The bytes as hexadecimal digits.
    pub bytes: &'a str,
}

/// More of its bytes, which are folded.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FoldedRow<'a> {
    /// Number of bytes that are folded.
    pub folded: u64,
    /// The path of the field.
    pub path: &'a str,
}

/// Fields, and behind each its bytes.
struct Dump<'r, 'a>(LayoutRows<'r, 'a>);

impl Dump<'_, '_> {
    fn bytes(&mut self, source: &dyn Source, at: Span) -> Result<()> {
        let mut digits = String::new();
        in_pieces(source, at, |offset, bytes| {
            digits.clear();
            push_digits(&mut digits, bytes);
            self.0.row(&BytesRow { offset, bytes: &digits })
        })
    }
}

impl LayoutSink for Dump<'_, '_> {
    fn group(&mut self, _: usize, _: &str, _: &'static Record, _: Option<Span>) -> Result<()> {
        Ok(())
    }

    fn field(&mut self, field: &Placed<'_>, parts: &mut dyn Iterator<Item = Span>) -> Result<()> {
        let Some(source) = self.0.bytes.get(&field.at.space).cloned() else { return Ok(()) };
        for part in parts.filter(|part| part.len > 0) {
            let (space, offset) = (part.space.to_string(), part.start);
            let inside = offset.saturating_sub(field.at.start);
            self.0.row(&LabelRow {
                group: field.group,
                step: field.step(),
                inside,
                space,
                offset,
            })?;
            // The last line is shown whole, so that what is behind it has its place.
            let first = part.start.saturating_add(SHOWN).next_multiple_of(WIDTH);
            let last = part.end().saturating_sub(1) / WIDTH * WIDTH;
            if self.0.in_full || last <= first.saturating_add(SHOWN) {
                self.bytes(&*source, part)?;
                continue;
            }
            self.bytes(&*source, Span { len: first.saturating_sub(part.start), ..part })?;
            self.0.row(&FoldedRow { folded: last.saturating_sub(first), path: field.path })?;
            let rest = part.end().saturating_sub(last);
            self.bytes(&*source, Span::new(part.space, last, rest))?;
        }
        Ok(())
    }
}

fn push_digits(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        // A text takes everything.
        let _ = write!(text, "{byte:02x}");
    }
}
