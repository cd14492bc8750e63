//! The tables of the data set. One description makes the schema of the Parquet files and the page `docs/catalog.md`.

/// Version of the data set. A catalogue of another one is made anew.
pub const VERSION: &str = "3";

/// Number of files that have their rows in one part, about.
pub(crate) const PER_PART: usize = 256;

use ColumnKind::{Bool, Integer, Json, Text, Time};
use spelunk::tables::column::{Column, ColumnKind};

/// The physical and the logical type of a column in the Parquet schema language. The logical type of JSON is that of text, which
/// every reader knows.
const fn parquet(kind: ColumnKind) -> (&'static str, &'static str) {
    match kind {
        Integer => ("INT64", ""),
        Bool => ("BOOLEAN", ""),
        Time => ("INT64", " (TIMESTAMP(MICROS,true))"),
        // No table of a catalogue has numbers that are not whole.
        _ => ("BYTE_ARRAY", " (STRING)"),
    }
}

/// The type as the page shows it.
const fn name(kind: ColumnKind) -> &'static str {
    match kind {
        Json => "JSON text",
        Integer => "int64",
        Bool => "boolean",
        Time => "timestamp (UTC, microseconds)",
        _ => "text",
    }
}

const fn required(name: &'static str, kind: ColumnKind, doc: &'static str) -> Column {
    Column::new(name, kind, doc).required()
}

const fn optional(name: &'static str, kind: ColumnKind, doc: &'static str) -> Column {
    Column::new(name, kind, doc)
}

/// A table. Its first column is the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    /// Name of the table, and of the folder of its parts.
    pub name: &'static str,
    /// A sentence on its rows.
    pub doc: &'static str,
    /// Columns in their order.
    pub columns: &'static [Column],
}

impl Table {
    /// The place of the column of this name.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The schema in the Parquet schema language.
    pub fn message(&self) -> String {
        let mut message = format!("message {} {{\n", self.name);
        for column in self.columns {
            let (physical, logical) = parquet(column.kind);
            let repetition = if column.required { "REQUIRED" } else { "OPTIONAL" };
            message.push_str(&format!("  {repetition} {physical} {}{logical};\n", column.name));
        }
        message.push('}');
        message
    }
}

const FILE: Column = required("file", Text, "The file, as `files` names it.");

/// A row for each file.
pub const FILES: Table = Table {
    name: "files",
    doc: "A row for each file that was named or found, whatever it is. Files that are no container of a known format have no \
          `format` and no `ok`; `error_message` says what they look like.",
    columns: &[
        required(
            "file",
            Text,
            "Its path, as it was named or found, with `/` between folders on every system. What is no UTF-8 in it is \
             escaped, as `\\xNN`.",
        ),
        optional("size", Integer, "Bytes; nothing where the file cannot be read."),
        optional("modified", Time, "Time of the last change, as the file system reports it."),
        optional("hash", Text, "XXH3-128 of all its bytes, 32 hexadecimal digits."),
        optional(
            "format",
            Text,
            "The format as `info --json` names it, also of a file that is too damaged to be opened.",
        ),
        optional("dialect", Text, "The dialect, where the file is not in the usual form."),
        optional("version", Text, "The version of the format, as the file states it."),
        required("entries", Integer, "How many rows of `entries` it has."),
        required("objects", Integer, "How many rows of `objects` it has."),
        required(
            "errors",
            Integer,
            "How many findings are errors. All are counted, also those of which `findings` leaves out the repetitions.",
        ),
        required("warnings", Integer, "How many findings are warnings."),
        required("notes", Integer, "How many findings are notes."),
        optional("ok", Bool, "Whether no finding is an error, as `verify` says it."),
        optional("error_code", Text, "The code of what ended the opening or the reading."),
        optional("error_message", Text, "What that error says."),
        optional("details", Json, "The `details` of `info --json`."),
    ],
};

/// A row for each entry.
pub const ENTRIES: Table = Table {
    name: "entries",
    doc: "A row for each entry that a file stores, as `ls` lists them: objects of Virtools files, assets of packs, chunks of \
          SpellForce's chunk files, members of archives.",
    columns: &[
        FILE,
        required(
            "entry",
            Integer,
            "Its number in the file, from 0, in the order of the file's own table.",
        ),
        required("path", Text, "Its path in the file, which `show`, `cat` and `extract` take."),
        required("kind", Text, "Its kind, as `ls` shows it: a class, a kind of assets, `file`."),
        optional("name", Text, "Its name, where it has one."),
        optional(
            "label",
            Text,
            "What people call it, where that is stored elsewhere than in its name.",
        ),
        required("size", Integer, "Plain bytes."),
        optional("stored_size", Integer, "Stored bytes, where it is packed on its own."),
        optional(
            "byte_offset",
            Integer,
            "Where its bytes begin in the file, of formats that say so of each entry.",
        ),
        optional(
            "hash",
            Text,
            "XXH3-128 of its plain bytes, 32 hexadecimal digits; of an asset the one that the pack stores. Nothing where the file does not hold the bytes, or they cannot be read.",
        ),
        required("details", Json, "Everything else that `ls --json` reports."),
    ],
};

/// A row for each object.
pub const OBJECTS: Table = Table {
    name: "objects",
    doc: "A row for each thing that has an identity of its own, by which others refer to it: objects of Virtools files, assets \
          of packs, rows of the categories of a GameData, and what else the chunks of chunk files hold one by one. Entries of \
          archives are files and nothing more, and have no rows here.",
    columns: &[
        FILE,
        required("object", Integer, "Its number in the file, from 0."),
        required(
            "entry",
            Integer,
            "The entry that stores it: the one it is, or the chunk that it is in.",
        ),
        required("path", Text, "Its path in the file."),
        required("kind", Text, "Its class, kind or table: `CKMesh`, `items`."),
        optional(
            "kind_id",
            Text,
            "That kind as the format states it: the number of a class or a category, a UUID.",
        ),
        required(
            "id",
            Text,
            "The key by which others refer to it: the id of an object, the UUID of an asset, the key of a row.",
        ),
        optional(
            "name",
            Text,
            "Its name, or what people call it: of a row the text that it refers to.",
        ),
        optional("variant", Text, "The variant of an asset."),
        optional("payload_type", Text, "The type of the payload of an asset, a UUID."),
        required("size", Integer, "Plain bytes."),
    ],
};

/// A row for each reference.
pub const REFERENCES: Table = Table {
    name: "references",
    doc: "A row for each reference of an entry or object, in formats whose entries refer to each other: of objects of Virtools files, of \
          assets of packs, of rows of a GameData.",
    columns: &[
        FILE,
        required("reference", Integer, "Its number in the file, from 0."),
        optional("path", Text, "The path of what refers; nothing where no listing has it."),
        required("field", Text, "The field that refers."),
        required("key", Text, "The value by which it refers: an id, a position, the key of a row."),
        optional("target", Text, "The path of what it means, where the file has that."),
        optional("target_name", Text, "The name that is stored with the reference."),
        optional(
            "need",
            Text,
            "How much it is needed, in formats that say so: `required`, `optional`, `auxiliary`.",
        ),
        required("missing", Bool, "Whether what is meant is not there."),
    ],
};

/// A row for each content.
pub const HASHES: Table = Table {
    name: "hashes",
    doc: "A row for each file, and for each entry whose plain bytes can be read, so that the same content is found wherever it is, packed or \
          not.",
    columns: &[
        FILE,
        optional("entry", Integer, "The number of the entry; nothing for the file itself."),
        optional("path", Text, "Its path in the file; nothing for the file itself."),
        required("size", Integer, "Plain bytes."),
        required("xxh3", Text, "XXH3-128 of the plain bytes, 32 hexadecimal digits."),
        required("sha256", Text, "SHA-256 of the plain bytes, 64 hexadecimal digits."),
    ],
};

/// A row for each finding.
pub const FINDINGS: Table = Table {
    name: "findings",
    doc: "A row for each finding, as `verify` reports them. A file that cannot be opened has one, which says why.",
    columns: &[
        FILE,
        required("finding", Integer, "Its number in the file, from 0."),
        required("severity", Text, "`error`, `warning` or `info`."),
        required("code", Text, "Its code, which `spelunk explain CODE` describes."),
        optional("space", Text, "The space that it lies in: `file`, or an inflated section."),
        optional("byte_offset", Integer, "Where in that space."),
        optional("path", Text, "The path of the field."),
        required("message", Text, "What is wrong, what was expected and what was found."),
    ],
};

/// Number of tables.
pub const TABLE_COUNT: usize = 6;

/// All tables.
pub const TABLES: [&Table; TABLE_COUNT] =
    [&FILES, &ENTRIES, &OBJECTS, &REFERENCES, &HASHES, &FINDINGS];

/// The documentation page: `docs/catalog.md`.
pub fn page() -> String {
    let mut page = format!(
        "# Catalogues\n\n\
`spelunk catalog TREE... -o DIR` looks into all files of folders and writes what it finds as one data set: tables as \
[Parquet](https://parquet.apache.org) files, which DuckDB, Polars, Spark and pandas read. Generated by `cargo xtask docs` from \
the description that the files are written by.\n\n\
```text\n\
DIR/files/part-00000-RUN.parquet       a row for each file\n\
DIR/entries/part-00000-RUN.parquet     a row for each entry\n\
DIR/objects/part-00000-RUN.parquet     a row for each object\n\
DIR/references/part-00000-RUN.parquet  a row for each reference\n\
DIR/hashes/part-00000-RUN.parquet      a row for each file and entry, by its content\n\
DIR/findings/part-00000-RUN.parquet    a row for each finding\n\
DIR/spelunk-catalog.json               which parts the catalogue has, and what it was made with\n\
```\n\n\
```sql\n\
-- The largest contents that are stored more than once, as files or in them\n\
SELECT sha256, size, count(*) AS copies, min(concat_ws(': ', file, path)) AS first\n\
FROM 'DIR/hashes/*.parquet' WHERE size > 0 GROUP BY sha256, size HAVING copies > 1 ORDER BY size DESC;\n\
-- What refers to something that is not there\n\
SELECT file, path, field, key FROM 'DIR/references/*.parquet' WHERE missing;\n\
-- What is damaged, and how\n\
SELECT format, code, count(*) FROM 'DIR/findings/*.parquet' JOIN 'DIR/files/*.parquet' USING (file)\n\
WHERE severity = 'error' GROUP BY ALL;\n\
-- A value that only the details hold\n\
SELECT file, details->>'product' FROM 'DIR/files/*.parquet' WHERE format = 'virtools';\n\
```\n\n\
## What a second run does\n\n\
A file whose size and time are those of the catalogue is not opened. Where only the time differs, or is unknown, its bytes \
are hashed, and when they are the same nothing but the time is written. Files are spread over parts by the hash of their names, about \
{PER_PART} to a part, so that a change rewrites one part of each table; rows of files that did not change are copied from the \
old part. A run over a tree that did not change writes nothing. However a catalogue came about, one of the same files, with their \
times, has parts with the same bytes, on any number of threads.\n\n\
A part never changes. A run writes parts under names that no other run takes (`RUN` is a number of its own), and at its end the manifest \
`spelunk-catalog.json`, only where that is still the one that it began with: so a catalogue is always all of what one run left, and who \
comes second is refused (`SP172`). On a disk a run has the turn to write the manifest from its beginning on, and new parts have hidden names until \
the manifest is written, so that `DIR/files/*.parquet` are the parts of the catalogue. Where a catalogue lies elsewhere, parts of a run \
that goes on, or was killed, lie beside those of the catalogue: there, the manifest says which are which:\n\n\
```sql\n\
SET VARIABLE parts = (SELECT list('DIR/' || part.path) FROM (SELECT unnest(tables.files) AS part FROM 'DIR/spelunk-catalog.json'));\n\
SELECT format, count(*) FROM read_parquet(getvariable('parts')) GROUP BY format;\n\
```\n\n\
It has the path of each part below `DIR`, its size, the number of its rows, and the XXH3-128 of its bytes. Old parts are removed when the manifest is \
written. A run that ends early removes what it wrote; what one that was killed left is removed by the next that writes. A dry run writes nothing. \
Another version of the command, and other options that change what is read (`--encoding`, `--strict`, limits), make the catalogue anew, as \
`--full` does.\n\n\
A file that cannot be read or opened is a row with `error_code`, and one finding. Files that are no container are rows without \
`format`. The catalogue's own files are left out where it lies in the tree; other files in its folder are files as any. Two files \
whose names become the same when what is no UTF-8 is escaped are refused.\n\n\
The Parquet files are packed with zstd. Their metadata holds `spelunk.catalog`, the version of the data set ({VERSION}).\n"
    );
    for table in TABLES {
        page.push_str(&format!("\n## {}\n\n{}\n\n", table.name, table.doc));
        page.push_str("| column | type | | meaning |\n|---|---|---|---|\n");
        for column in table.columns {
            let null = if column.required { "" } else { "or null" };
            let (Column { name, doc, .. }, kind) = (column, self::name(column.kind));
            page.push_str(&format!("| `{name}` | {kind} | {null} | {doc} |\n"));
        }
    }
    page
}
