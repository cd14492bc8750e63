//! The form of patches of chunk files.

use crate::patch::form::{Print, parsed};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use spelunk_core::Result;
use spelunk_open::document;
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// Patch of a chunk file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TablePatch {
    /// 1.
    pub spelunk_patch: u32,
    /// `spellforce-cff`, `spellforce-map` or `spellforce-save`.
    pub format: String,
    /// `spec`, for files of that dialect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// The file that it was made from.
    pub old: Print,
    /// The file that it makes.
    pub new: Print,
    /// The code pages of the texts of GameData.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub code_pages: Both<Pages>,
    /// Changes of rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableChange>,
    /// Changes of data that is no rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chunks: Vec<ChunkChange>,
    /// Frame of the chunks, where that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<Both<ChunkFileFrame>>,
}

/// Something of both files.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Both<T> {
    /// In the old one.
    pub old: T,
    /// In the new one.
    pub new: T,
}

impl<T> Both<T> {
    fn reversed(self) -> Both<T> {
        Both { old: self.new, new: self.old }
    }
}

fn is_empty(pages: &Both<Pages>) -> bool {
    pages.old.is_empty() && pages.new.is_empty()
}

/// Code pages by slot.
pub type Pages = BTreeMap<u8, String>;

/// Changes of the rows of a chunk.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableChange {
    /// The path of the chunk.
    pub chunk: String,
    /// The name of its category or list, for people.
    pub table: String,
    /// Changes of its rows.
    pub rows: Vec<RowChange>,
    /// In which order they end up, where that does not follow from their keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Both<Vec<[u32; 2]>>>,
}

/// Change of a row: one of the three.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowChange {
    /// Key of the row; the position of a record.
    pub key: Vec<u32>,
    /// Number among the rows with this key.
    #[serde(default, skip_serializing_if = "is_first")]
    pub nth: u32,
    /// Fields that change: what was there, what is to be there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<BTreeMap<String, [Value; 2]>>,
    /// Fields of a record that stay, by which it is found in other files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<Map<String, Value>>,
    /// The fields of a new row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add: Option<Map<String, Value>>,
    /// The fields of a row that goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove: Option<Map<String, Value>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
const fn is_first(nth: &u32) -> bool {
    *nth == 0
}

/// Change of the plain data of a chunk that is no table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkChange {
    /// Path of the chunk.
    pub chunk: String,
    /// Data before, in base64; nothing where it is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// Data now, in base64; nothing where it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// Stretches that differ, where these are all that is written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<ByteEdit>,
}

/// Bytes in the place of as many other ones.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByteEdit {
    /// Offset in the plain data.
    pub at: u64,
    /// Bytes before, in base64.
    pub old: String,
    /// Bytes now, in base64.
    pub new: String,
}

/// The header of a file, and the chunks in their order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkFileFrame {
    /// Format, type and version of the header, and its checksum.
    pub header: [u32; 4],
    /// Whether raw chunks have an unpacked length too.
    pub wide_headers: bool,
    /// What headers are like in the dialect `spec`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spec: Option<SpecFrame>,
    /// The chunks.
    pub chunks: Vec<ChunkPlacement>,
    /// Bytes behind the last chunk, in base64.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tail: String,
}

/// Headers of a file of the dialect `spec`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecFrame {
    /// The magic of the file.
    pub magic: u32,
    /// Size of a chunk header in bytes: 11 as the table has it, 10 as the dump.
    pub header_size: u64,
}

/// A chunk of a [`ChunkFileFrame`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkPlacement {
    /// Path of the chunk.
    pub chunk: String,
    /// Id of the chunk.
    pub id: i16,
    /// Number among those of one id.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub occurrence: i16,
    /// Version of its layout.
    pub data_type: i16,
    /// The packed word.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub packed: i16,
    /// The level that it is packed at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Stream in base64, where no level gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<String>,
    /// The unpacked length that its header has although it is not packed, where that is another one than its length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unpacked_length: Option<i32>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
const fn is_zero(number: &i16) -> bool {
    *number == 0
}

impl TableChange {
    pub(super) fn reversed(self) -> TableChange {
        TableChange {
            rows: self.rows.into_iter().map(RowChange::reversed).collect(),
            order: self.order.map(Both::reversed),
            ..self
        }
    }

    /// Writes the change, a row a line.
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        // All of them: none that comes is forgotten here.
        let TableChange { chunk, table, rows, order } = self;
        out.write_all(b"{\"chunk\":")?;
        serde_json::to_writer(&mut *out, chunk)?;
        out.write_all(b",\"table\":")?;
        serde_json::to_writer(&mut *out, table)?;
        out.write_all(b",\"rows\": ")?;
        in_lines(rows, "   ", out, |row, out| Ok(serde_json::to_writer(out, row)?))?;
        if let Some(order) = order {
            out.write_all(b",\"order\":")?;
            serde_json::to_writer(&mut *out, order)?;
        }
        out.write_all(b"}")
    }
}

/// Writes a list, an item a line, each of which begins with `indent`; the list ends one letter before that.
fn in_lines<T>(
    items: &[T],
    indent: &str,
    out: &mut dyn Write,
    mut write: impl FnMut(&T, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    for (nth, item) in items.iter().enumerate() {
        out.write_all(if nth == 0 { b"[\n" } else { b",\n" })?;
        out.write_all(indent.as_bytes())?;
        write(item, out)?;
    }
    match items {
        [] => out.write_all(b"[]"),
        _ => write!(out, "\n{}]", indent.get(1..).unwrap_or_default()),
    }
}

impl RowChange {
    fn reversed(self) -> RowChange {
        let set = self
            .set
            .map(|set| set.into_iter().map(|(name, [old, new])| (name, [new, old])).collect());
        RowChange { set, add: self.remove, remove: self.add, ..self }
    }
}

impl TablePatch {
    /// Reads a patch from its text.
    ///
    /// # Errors
    /// [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH).
    pub fn parse(text: &[u8]) -> Result<TablePatch> {
        parsed(text, |patch: &TablePatch| patch.spelunk_patch)
    }

    /// Writes the text of the patch, a row or chunk a line: its content may be as long as the files are.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        // All of them: none that comes is forgotten here.
        let TablePatch {
            spelunk_patch,
            format,
            dialect,
            old,
            new,
            code_pages,
            tables,
            chunks,
            frame,
        } = self;
        write!(out, "{{\n \"spelunk_patch\": {}", spelunk_patch)?;
        let mut field = |name: &str, value: &Value| {
            write!(out, ",\n \"{name}\": ")?;
            document::text::write(value, 1, out)
        };
        field("format", &serde_json::to_value(format)?)?;
        if let Some(dialect) = dialect {
            field("dialect", &dialect.as_str().into())?;
        }
        field("old", &serde_json::to_value(old)?)?;
        field("new", &serde_json::to_value(new)?)?;
        if !is_empty(code_pages) {
            field("code_pages", &serde_json::to_value(code_pages)?)?;
        }
        if !tables.is_empty() {
            out.write_all(b",\n \"tables\": ")?;
            in_lines(tables, "  ", out, TableChange::write)?;
        }
        if !chunks.is_empty() {
            out.write_all(b",\n \"chunks\": ")?;
            in_lines(chunks, "  ", out, |chunk, out| Ok(serde_json::to_writer(out, chunk)?))?;
        }
        if let Some(frame) = frame {
            out.write_all(b",\n \"frame\": ")?;
            document::text::write(&serde_json::to_value(frame)?, 1, out)?;
        }
        out.write_all(b"\n}\n")
    }

    /// The patch that takes this one back.
    #[must_use]
    pub fn reversed(self) -> TablePatch {
        let edit = |edit: ByteEdit| ByteEdit { old: edit.new, new: edit.old, ..edit };
        let chunk = |chunk: ChunkChange| ChunkChange {
            old: chunk.new,
            new: chunk.old,
            edits: chunk.edits.into_iter().map(edit).collect(),
            ..chunk
        };
        TablePatch {
            old: self.new,
            new: self.old,
            code_pages: self.code_pages.reversed(),
            tables: self.tables.into_iter().map(TableChange::reversed).collect(),
            chunks: self.chunks.into_iter().map(chunk).collect(),
            frame: self.frame.map(Both::reversed),
            ..self
        }
    }

    /// Returns the number of changes.
    pub fn len(&self) -> usize {
        let rows = self.tables.iter().map(|table| table.rows.len());
        rows.chain([self.chunks.len()]).fold(0, usize::saturating_add)
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0 && self.frame.is_none()
    }
}
