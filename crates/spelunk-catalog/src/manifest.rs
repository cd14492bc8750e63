//! The manifest: which files are the parts of a catalogue, and what it was made with.

use crate::schema::{TABLES, VERSION};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The file that marks a folder as a catalogue.
pub(crate) const MANIFEST: &str = "spelunk-catalog.json";

/// A catalogue as its manifest has it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// Version of the data set.
    catalog: String,
    /// Settings that the rows depend on, beside the files.
    pub(crate) settings: Value,
    /// The parts of each table, in the order of their numbers.
    tables: BTreeMap<String, Vec<PartFile>>,
}

/// A part of a table: a Parquet file.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct PartFile {
    /// Its path below the folder of the catalogue, with `/`.
    pub(crate) path: String,
    /// Bytes.
    pub(crate) size: u64,
    /// Number of its rows.
    pub(crate) rows: u64,
    /// XXH3-128 of its bytes, 32 hexadecimal digits.
    pub(crate) xxh3: String,
}

impl PartFile {
    /// Whether both have the same bytes.
    pub(crate) fn is_same(&self, other: &PartFile) -> bool {
        (self.size, &self.xxh3) == (other.size, &other.xxh3)
    }
}

impl Default for Manifest {
    /// The manifest of a catalogue without parts.
    fn default() -> Manifest {
        Manifest::new(Value::Null)
    }
}

impl Manifest {
    /// A manifest without parts.
    pub(crate) fn new(settings: Value) -> Manifest {
        let tables = TABLES.iter().map(|table| (table.name.to_owned(), Vec::new()));
        Manifest { catalog: VERSION.to_owned(), settings, tables: tables.collect() }
    }

    /// Reads a manifest; `None` for one of another version, and one whose tables have different numbers of parts.
    pub(crate) fn parse(text: &[u8]) -> Option<Manifest> {
        let manifest: Manifest = serde_json::from_slice(text).ok()?;
        let parts = manifest.part_count();
        let is_sound = manifest.catalog == VERSION
            && manifest.tables.len() == TABLES.len()
            && TABLES.iter().all(|table| manifest.table(table.name).len() == parts);
        is_sound.then_some(manifest)
    }

    /// The manifest as it is written.
    pub(crate) fn text(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec_pretty(self).unwrap_or_default();
        text.push(b'\n');
        text
    }

    /// Number of parts of each table.
    pub(crate) fn part_count(&self) -> usize {
        self.table(TABLES[0].name).len()
    }

    /// The parts of a table.
    pub(crate) fn table(&self, name: &str) -> &[PartFile] {
        self.tables.get(name).map_or(&[], |parts| parts)
    }

    /// Adds a part to a table, which comes behind those that it has.
    pub(crate) fn push(&mut self, table: &str, part: PartFile) {
        self.tables.entry(table.to_owned()).or_default().push(part);
    }

    /// All parts of all tables.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &PartFile> {
        self.tables.values().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_that_do_not_hold_together_are_none() {
        let mut manifest = Manifest::new(Value::Null);
        assert_eq!(Manifest::parse(&manifest.text()), Some(manifest.clone()));
        let part = PartFile { path: "x".to_owned(), size: 1, rows: 1, xxh3: String::new() };
        manifest.push("hashes", part.clone());
        assert_eq!(Manifest::parse(&manifest.text()), None, "the other tables have no part");
        TABLES.iter().filter(|table| table.name != "hashes").for_each(|table| {
            manifest.push(table.name, part.clone());
        });
        assert_eq!(Manifest::parse(&manifest.text()), Some(manifest.clone()));
        manifest.push("others", part);
        assert_eq!(Manifest::parse(&manifest.text()), None, "another table");
        for text in [&b"{}"[..], b"", br#"{"catalog": "1", "parts": 4, "settings": {}}"#] {
            assert_eq!(Manifest::parse(text), None);
        }
    }
}
