//! The tables of all formats, made of what every container gives.

use super::{
    out::RowSink,
    table::{Fill, RowSource, Table, integer, text},
};
use crate::{
    cell::Cell,
    column::{Column, ColumnKind},
};
use spelunk_core::{
    Collect, Entry, Node, Of, Result, Task, Val,
    text::{CodePages, until_nul},
    walk::finish,
};
use spelunk_open::{
    entries::everything::{Look, Met, NamedEntry, everything},
    hashes::ContentHashes,
    json,
};

/// The schema of these tables.
pub(super) const MAIN: &str = "main";

pub(super) static TABLES: &[Table] = &[
    Table::new(&[MAIN], "files", "The files.", FILES, Fill::Rows(files)),
    Table::new(
        &[MAIN],
        "entries",
        "The entries, as `ls` lists them: objects, assets, chunks, members.",
        ENTRIES,
        Fill::Rows(entries),
    ),
    Table::new(
        &[MAIN],
        "fields",
        "Every field that is known of every entry: what `show` prints, row by row. Entries of hierarchies that no listing \
         shows are among them, as the rows of GameData and the managers of Virtools files. Large files have millions.",
        FIELDS,
        Fill::Rows(fields),
    ),
    Table::new(
        &[MAIN],
        "refs",
        "What refers to what, in formats whose entries do: objects of Virtools, assets, rows of GameData.",
        REFS,
        Fill::Rows(refs),
    ),
    Table::new(
        &[MAIN],
        "findings",
        "What `verify` finds in the files; up to 1000 of each code and severity.",
        FINDINGS,
        Fill::Findings,
    ),
];

const PATH: Column = text("path", "Path of the entry, as every verb takes it.");

const FILES: &[Column] = &[
    text("file", "The file, as it was named."),
    text("format", "Its format: `virtools`, `snpak`, `spellforce-cff`, ..."),
    text("dialect", "Its dialect, where it is not in the format's usual form."),
    integer("size", "Its size.").unit("bytes"),
    text(
        "details",
        "The details of `info`, as JSON: `details ->> '$.file_version'` is one field of it.",
    ),
    text("sha256", "SHA-256 of its bytes, by which other programs know them."),
    text("xxh3", "XXH3-128 of the same bytes."),
];

const ENTRIES: &[Column] = &[
    PATH,
    text("name", "Its name."),
    text("label", "What people call it, where that is stored elsewhere than in its name."),
    text("kind", "Its kind: a class, a kind, the name of a chunk."),
    integer("size", "Its plain size.").unit("bytes"),
    integer("stored_size", "Its stored size, where it is packed on its own.").unit("bytes"),
    text("details", "The other details of `ls`, as JSON."),
    text("sha256", "SHA-256 of its bytes, unpacked, by which other programs know them."),
    text("xxh3", "XXH3-128 of the same bytes."),
];

const FIELDS: &[Column] = &[
    text("entry", "Path of the entry.").entry(""),
    text("entry_kind", "What the entry is."),
    text("entry_name", "Name of the entry."),
    text(
        "field",
        "Path of the field in the entry, as `set` takes it: `materials.slots[1].material`.",
    ),
    text("name", "Name of the field alone: `material`."),
    text("type", "Its type: `u32`, `text`, ..."),
    text("value", "Its value as text; of bytes the first 256 as hexadecimal digits.")
        .sets("{field}"),
    Column {
        kind: ColumnKind::Number,
        ..text("number", "Its value where it is a number, yes (1) or no (0).").sets("{field}")
    },
    text("meaning", "What the value stands for: its name, or what a reference leads to."),
    text("unit", "Unit of the value."),
    text("space", "Where its bytes lie: `file`, or an inflated section."),
    integer("offset", "Where its bytes start there.").unit("bytes"),
    integer("size", "How many bytes it has.").unit("bytes"),
];

const REFS: &[Column] = &[
    text("path", "Path of the entry that refers."),
    text("field", "The field that refers."),
    text("target", "Path of the entry that is meant, where the file has one."),
    text("target_kind", "What that entry is."),
    text("target_name", "Its name, or the one that is stored with the reference."),
    text("key", "How the field says what it means: an id, a position."),
    text("kind", "How much it is needed, in formats that say so."),
    integer("missing", "Whether the file does not hold what is meant."),
];

const FINDINGS: &[Column] = &[
    text("severity", "`error`, `warning` or `info`."),
    text("code", "The code, which `spelunk explain CODE` describes."),
    text("space", "Where it is: `file`, or an inflated section."),
    integer("offset", "Where it starts there.").unit("bytes"),
    text("path", "Path of the field."),
    text("message", "What is wrong."),
];

fn files(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    let container = source.container;
    let details = match out.wants("details") {
        true => {
            // It is let go with the row, and charged as far as that.
            let (object, described) = task.keeping(|task, most| {
                let walked = |walk: &mut dyn spelunk_core::Walk| container.info(task, walk);
                let (object, _, described) = json::object_within(source.pages, most / 2, walked);
                ((object, described), 0)
            });
            described?;
            Some(serde_json::Value::Object(object).to_string())
        }
        false => None,
    };
    let (format, dialect) = (container.format(), container.dialect());
    let file = out.file();
    let hashes = match source.bytes {
        Some(bytes) if wants_hashes(out) => Some(ContentHashes::of_source(&**bytes, None)?),
        _ => None,
    };
    let (sha256, xxh3) = hashes.map(|hashes| (hashes.sha256, hashes.xxh3)).unzip();
    out.row(&[
        file.into(),
        format.into(),
        dialect.into(),
        container.size().into(),
        details.into(),
        sha256.into(),
        xxh3.into(),
    ])
}

/// Whether a statement reads hashes. They cost the unpacking of everything.
fn wants_hashes(out: &RowSink<'_>) -> bool {
    out.wants("sha256") || out.wants("xxh3")
}

fn entries(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    let pages = source.pages;
    let (with_details, with_hashes) = (out.wants("details"), wants_hashes(out));
    let mut text = Vec::new();
    let mut each = |entry: &Entry<'_>, task: &mut Task<'_>| {
        let details = match with_details {
            true => {
                text.clear();
                text.push(b'{');
                // It is let go with the row, and charged as far as that.
                task.keeping(|task, most| {
                    let walked = |walk: &mut dyn spelunk_core::Walk| entry.details.walk(task, walk);
                    (json::append(pages, &mut text, most, &[], walked), 0)
                })?;
                text.push(b'}');
                std::str::from_utf8(&text).ok()
            }
            false => None,
        };
        let hashes = match with_hashes {
            true => ContentHashes::of_entry(source.container, entry.node, task)?,
            false => None,
        };
        let (sha256, xxh3) = hashes.map(|(_, hashes)| (hashes.sha256, hashes.xxh3)).unzip();
        Ok(out.row(&[
            entry.path.into(),
            entry.name.map(|name| pages.show(until_nul(name))).into(),
            entry.label.into(),
            entry.kind.into(),
            entry.size.into(),
            entry.stored_size.into(),
            details.into(),
            sha256.into(),
            xxh3.into(),
        ])?)
    };
    finish(source.container.children(Of::Listing, pages, task, &mut each))
}

fn fields(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    let with_path = out.wants("field");
    let mut rows = FieldRows { pages: source.pages, out, with_path };
    everything(source.container, true, source.pages, task, &mut rows)
}

struct FieldRows<'r, 'c> {
    pages: &'r CodePages,
    out: &'r mut RowSink<'c>,
    with_path: bool,
}

impl Look for FieldRows<'_, '_> {
    fn entry(&mut self, _: &NamedEntry<'_>) -> Result<()> {
        Ok(())
    }

    fn field(&mut self, entry: &NamedEntry<'_>, met: Met<'_>) -> Result<()> {
        let Met { field, at, value, trail } = met;
        let path = match self.with_path {
            true => Cell::from(trail.path(field)),
            false => {
                trail.pass();
                Cell::Null
            }
        };
        let shown = Cell::of(&value, self.pages);
        let number = match (&value, &shown) {
            (Val::Word(word), _) => Cell::from(*word),
            (Val::Word64(word), _) => Cell::from(*word),
            (_, Cell::Integer(_) | Cell::Real(_)) => shown.clone(),
            _ => Cell::Null,
        };
        self.out.row(&[
            entry.path.into(),
            entry.kind.into(),
            Some(&*entry.name).filter(|name| !name.is_empty()).into(),
            path,
            field.name.into(),
            field.ty.name().into(),
            shown,
            number,
            field.meaning_in(&value, self.pages).into(),
            Some(field.unit).filter(|unit| !unit.is_empty()).into(),
            at.map(|at| at.space.to_string()).into(),
            at.map(|at| at.start).into(),
            at.map(|at| at.len).into(),
        ])
    }
}

fn refs(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    let RowSource { container, pages, .. } = *source;
    if !container.has_refs() {
        return Ok(());
    }
    let with_target = ["target", "target_kind", "target_name"].iter().any(|name| out.wants(name));
    let described = |node: Node, task: &mut Task<'_>| {
        let mut named = None;
        finish(container.entry(node, pages, task, &mut |entry, _| {
            let name = entry.name.map(|name| pages.show(until_nul(name)).into_owned());
            named = Some((entry.path.to_owned(), entry.kind.to_owned(), name));
            Ok(())
        }))?;
        Ok::<_, spelunk_core::Error>(named)
    };
    // References of one entry come one after the other.
    let mut last: Option<(Node, String)> = None;
    container.all_refs(task, &mut |node, reference, task| {
        if last.as_ref().is_none_or(|(known, _)| *known != node) {
            let path = described(node, task)?.map(|(path, ..)| path).unwrap_or_default();
            last = Some((node, path));
        }
        let target = match reference.node.filter(|_| with_target) {
            Some(node) => described(node, task)?,
            None => None,
        };
        let (target, kind, name) = match &target {
            Some((path, kind, name)) => (Some(path.as_str()), Some(kind.as_str()), name.as_deref()),
            None => (None, None, None),
        };
        let stored = reference.name.map(|name| pages.show(until_nul(name)));
        let name = name.map(std::borrow::Cow::Borrowed).or(stored);
        let key = reference.key.to_string();
        out.row(&[
            last.as_ref().map(|(_, path)| path.as_str()).into(),
            reference.field.name.into(),
            target.into(),
            kind.into(),
            name.into(),
            key.into(),
            reference.kind.into(),
            (!reference.is_there).into(),
        ])
    })
}

/// Fills the table of findings.
pub(super) fn findings(found: &Collect, out: &mut RowSink<'_>) -> Result<()> {
    found.findings.iter().try_for_each(|finding| {
        let (error, place) = (&finding.error, finding.error.place());
        out.row(&[
            finding.severity.name().into(),
            error.code().id.into(),
            place.map(|at| at.space.to_string()).into(),
            place.map(|at| at.start).into(),
            Some(error.path()).filter(|path| !path.is_empty()).into(),
            error.message().into(),
        ])
    })
}
