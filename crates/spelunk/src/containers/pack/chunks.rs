//! Chunk files of the dialect `spec` that are built of the files of a folder (`docs/formats/spec.md#1-chunk-files`).
//!
//! A file that is called by an id is the plain data of a chunk: `2015`, `2016.1` for another occurrence, either with `.bin` behind
//! it. They are stored as they are, in the order of their ids. A manifest beside them may list them in another order, with
//! data types of their own and to be packed.

use super::{
    Filled,
    build::Collected,
    content::read,
    folder::places,
    manifest::{self, Manifest, bad},
};
use crate::{
    Error, Options, Result, Seg, WriteOptions,
    containers::extract::MANIFEST,
    open::{
        Opened, codes,
        files::{FileName, Files, content::io_error},
        skeleton::{SKELETON, roomy},
    },
};
use serde::Deserialize;
use spellforce::{
    cff::{Content, NewChunk},
    spec::{DIALECT, HeaderType},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
};

/// The level at which chunks are packed that a manifest has to be packed.
const LEVEL: u8 = 6;

/// A folder that becomes a chunk file.
#[derive(Clone, Copy, Debug)]
pub struct ChunkFolder<'r> {
    /// The folder.
    pub dir: &'r FileName,
    /// Name of the file that is written: it is a map where it ends in `.map`, and else a GameData.
    pub output: &'r FileName,
    /// Whether links to files count as files.
    pub links: bool,
}

/// A chunk as a manifest lists it. Rows of what lies in chunks have no data type.
#[derive(Deserialize)]
struct ChunkRow {
    file: String,
    #[serde(default)]
    id: Option<i16>,
    #[serde(default)]
    occurrence: i16,
    #[serde(default)]
    data_type: Option<i16>,
    #[serde(default)]
    packed: bool,
}

impl ChunkFolder<'_> {
    /// The chunk file of the folder, to be written; `None` where the folder was extracted with a skeleton, which is to be filled.
    ///
    /// # Errors
    /// [`OTHER_FORMAT`](codes::OTHER_FORMAT) where the folder was extracted from
    /// something else; [`codes::BAD_MANIFEST`], also where no file is a chunk; [`codes::MISSING_FILES`]; reading errors; limits.
    pub fn packed(&self, files: &dyn Files, options: &Options) -> Result<Option<Filled>> {
        let kind = match self.output.as_path().extension() {
            Some(extension) if extension.eq_ignore_ascii_case("map") => HeaderType::Map,
            _ => HeaderType::GameData,
        };
        let collected = Collected::of(files, self.dir, self.links)?;
        let mut found: BTreeMap<(i16, i16), String> = BTreeMap::new();
        for (path, _) in &collected.files {
            let Some(name) = name(path) else { continue };
            if let Some(other) = found.insert(name, path.clone()) {
                let error = bad(format!("two files of chunk {}.{}", name.0, name.1));
                return Err(error.within(Seg::Key(other.into())));
            }
        }
        let rows = match files.locate(self.dir, MANIFEST) {
            Ok(manifest) => match self.listed(files, &manifest, options)? {
                Some(rows) => rows,
                None => return Ok(None),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let row = |((id, occurrence), file)| ChunkRow {
                    file,
                    id: Some(id),
                    occurrence,
                    data_type: None,
                    packed: false,
                };
                found.into_iter().map(row).collect()
            }
            Err(error) => return Err(io_error(&self.dir.as_path().join(MANIFEST), error)),
        };
        if rows.is_empty() {
            let expected = "files that are called by the ids of chunks, as 2015 or 2016.1";
            return Err(bad("none").expected(expected));
        }
        let known: BTreeSet<&str> = rows.iter().map(|row| row.file.as_str()).collect();
        let is_ours = |path: &str| known.contains(path) || [MANIFEST, SKELETON].contains(&path);
        let unknown = collected.files.iter().map(|(path, _)| path.clone());
        let unknown = unknown.filter(|path| !is_ours(path)).collect();
        let opened = self.built(kind, &rows, files, options)?;
        Ok(Some(Filled { opened, options: WriteOptions::default(), changed: Vec::new(), unknown }))
    }

    /// The chunks that a manifest lists; `None` where it has a skeleton.
    fn listed(
        &self,
        files: &dyn Files,
        manifest: &FileName,
        options: &Options,
    ) -> Result<Option<Vec<ChunkRow>>> {
        let Manifest { head, entries } = manifest::read::<ChunkRow>(files, manifest, options)?;
        if head.format.is_some() && head.dialect.as_deref() != Some(DIALECT) {
            let error = Error::new(&codes::OTHER_FORMAT);
            let expected = format!(
                "a folder of a file of the dialect `{DIALECT}`, whose rows have a layout of their own"
            );
            return Err(error.expected(expected).found(head.format.unwrap_or_default()));
        }
        let rows = entries.into_iter().filter(|row| row.id.is_some()).collect();
        Ok(Some(rows).filter(|_| !head.has_skeleton()))
    }

    fn built(
        &self,
        kind: HeaderType,
        rows: &[ChunkRow],
        files: &dyn Files,
        options: &Options,
    ) -> Result<Opened> {
        let wanted: Vec<&str> = rows.iter().map(|row| row.file.as_str()).collect();
        let places = places(files, self.dir, &wanted, options)?;
        let mut total = 0_u64;
        for place in &places {
            total = total.saturating_add(crate::open::files::content::size(files, place)?);
        }
        let options = roomy(options, total.saturating_mul(2));
        let mut budget = options.budget(total);
        let mut draft = kind.draft().ok_or_else(|| bad("a type that is not listed"))?;
        for (row, place) in rows.iter().zip(&places) {
            options.check_cancelled()?;
            let id = row.id.unwrap_or_default();
            let data_type = row.data_type.or_else(|| kind.data_type(id)).ok_or_else(|| {
                let error = bad(format!("chunk {id}, of which no data type is known"));
                let expected =
                    format!("a category of the dialect, or its `data_type` in {MANIFEST}");
                error.expected(expected).within(Seg::Key(row.file.clone().into()))
            })?;
            let plain = read(files, place, &mut budget)?;
            let (packed, content) = match row.packed {
                true => (1, Content::Packed(plain, LEVEL)),
                false => (0, Content::Raw(plain)),
            };
            let occurrence = row.occurrence;
            let chunk = NewChunk { id, occurrence, data_type, packed, content };
            draft.insert(usize::MAX, chunk);
        }
        let mut findings = crate::Collect::default();
        let source = draft.source(&mut crate::Task::new(budget, &mut findings))?;
        Opened::open(source, &options)
    }
}

/// Id and occurrence of the chunk that a file of this name is.
fn name(path: &str) -> Option<(i16, i16)> {
    let name = path.strip_suffix(".bin").unwrap_or(path);
    match name.split_once('.') {
        Some((id, occurrence)) => Some((id.parse().ok()?, occurrence.parse().ok()?)),
        None => Some((name.parse().ok()?, 0)),
    }
}
