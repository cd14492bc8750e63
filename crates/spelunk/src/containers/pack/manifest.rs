//! The manifest: what [`extract`](crate::containers::extract) says of a container and of each file that it wrote, or what
//! somebody says of a pack that is to be built. Nothing in it is trusted.

use super::{
    content::{has_hash, read as read_file},
    target::Dialect,
};
use crate::{
    Error, Options, Result,
    open::codes,
    open::files::{FileName, Files, content::size},
};
use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeOwned, DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
    },
};
use snpak::profile::PROFILE;
use spellforce::{pak::ArchiveForm, profile};
use std::{fmt, marker::PhantomData};

/// A manifest whose entries are read as far as `R` goes.
pub(super) struct Manifest<R> {
    pub(super) head: ManifestHeader,
    pub(super) entries: Vec<R>,
}

/// The head of a manifest: facts about the container.
#[derive(Debug, Default)]
pub(super) struct ManifestHeader {
    version: Option<u64>,
    pub(super) format: Option<String>,
    pub(super) dialect: Option<String>,
    pub(super) encoding: Option<String>,
    /// The level that it was packed at.
    pub(super) level: Option<u64>,
    pub(super) skeleton: Skeleton,
}

/// Value of `skeleton` in a manifest.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
pub(super) enum Skeleton {
    /// The container needs none, or can have none.
    #[default]
    None,
    /// `false`: none was wanted.
    Wanted(bool),
    /// The file of the skeleton.
    File(SkeletonFile),
    /// Something else.
    Other(IgnoredAny),
}

/// The file of a skeleton.
#[derive(Debug, Deserialize)]
pub(super) struct SkeletonFile {
    pub(super) file: String,
    pub(super) size: u64,
    pub(super) xxh3: String,
}

impl ManifestHeader {
    pub(super) fn is_pack(&self) -> bool {
        self.format.as_deref() == Some(PROFILE.name)
    }

    /// The form of the archive, or of the archives, that were extracted; `None` for other formats.
    pub(super) fn archive_form(&self) -> Option<ArchiveForm> {
        self.format.as_deref().filter(|format| is_archive(format))?;
        Some(match self.is_of(Dialect::Spec) {
            true => ArchiveForm::Spec,
            false => ArchiveForm::Real,
        })
    }

    /// Whether the container is of this dialect.
    pub(super) fn is_of(&self, dialect: Dialect) -> bool {
        self.dialect.as_deref() == Some(dialect.name())
    }

    pub(super) const fn has_skeleton(&self) -> bool {
        matches!(self.skeleton, Skeleton::File(_))
    }
}

/// Whether a manifest of this format is that of an archive, or of a set of them.
fn is_archive(format: &str) -> bool {
    [&profile::PAK, &profile::SET].iter().any(|it| it.name == format)
}

/// Something that may be of another type, where that makes no difference.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Lenient<T> {
    Is(T),
    Other(IgnoredAny),
}

impl<T> Default for Lenient<T> {
    fn default() -> Lenient<T> {
        Lenient::Other(IgnoredAny)
    }
}

impl<T> Lenient<T> {
    pub(super) const fn get(&self) -> Option<&T> {
        match self {
            Lenient::Is(value) => Some(value),
            Lenient::Other(_) => None,
        }
    }
}

/// A file that was extracted.
#[derive(Debug, Deserialize)]
pub(super) struct Extracted {
    pub(super) path: String,
    pub(super) file: String,
    /// Node in the skeleton; this and `emptied` are there where a skeleton is.
    #[serde(default)]
    pub(super) node: Option<u64>,
    #[serde(default)]
    pub(super) emptied: Option<bool>,
    /// Offset that the data of a file of an archive had, in bytes.
    #[serde(default)]
    pub(super) offset: Lenient<u64>,
    /// Path that a file of an archive of the dialect `spec` was stored with, and its bytes in hexadecimal digits where the text
    /// is not exactly them.
    #[serde(default)]
    pub(super) stored_path: Lenient<String>,
    #[serde(default)]
    pub(super) stored_path_bytes: Lenient<String>,
    /// 1 for a file that was stored as a zlib stream.
    #[serde(default)]
    pub(super) compression: Lenient<u64>,
    #[serde(default)]
    pub(super) xxh3: Option<String>,
    /// Hash that packs have instead of `xxh3`.
    #[serde(default)]
    hash: Lenient<String>,
}

impl Extracted {
    /// Whether these bytes are what was extracted.
    ///
    /// # Errors
    /// [`codes::BAD_MANIFEST`] where the manifest has no hash of them.
    pub(super) fn is_as_extracted(&self, bytes: &[u8]) -> Result<bool> {
        let known = self.xxh3.as_ref().or(self.hash.get());
        let known =
            known.ok_or_else(|| bad(format!("no `xxh3` of {}", self.file.escape_debug())))?;
        Ok(has_hash(bytes, known))
    }
}

/// An error about a manifest.
pub(super) fn bad(found: impl Into<String>) -> Error {
    Error::new(&codes::BAD_MANIFEST).found(found.into())
}

/// Reads the head of a manifest alone. One that cannot be read is an empty head; whoever needs more of it reports why.
///
/// # Errors
/// Reading errors; limits; that the work was cancelled.
pub(super) fn head(
    files: &dyn Files,
    name: &FileName,
    options: &Options,
) -> Result<ManifestHeader> {
    match read::<IgnoredAny>(files, name, options) {
        Ok(manifest) => Ok(manifest.head),
        Err(error) if error.code().id == codes::BAD_MANIFEST.id => Ok(ManifestHeader::default()),
        Err(error) => Err(error),
    }
}

/// Reads a manifest that `extract` wrote.
///
/// # Errors
/// As [`read`]; [`codes::BAD_MANIFEST`] for other versions.
pub(super) fn extracted(
    files: &dyn Files,
    name: &FileName,
    options: &Options,
) -> Result<Manifest<Extracted>> {
    let manifest = read::<Extracted>(files, name, options)?;
    match manifest.head.version {
        Some(1) => Ok(manifest),
        _ => Err(bad("no `spelunk_manifest` of version 1")),
    }
}

/// Reads a manifest.
///
/// # Errors
/// [`codes::BAD_MANIFEST`]; reading errors; limits; that the work was cancelled.
pub(super) fn read<R: DeserializeOwned>(
    files: &dyn Files,
    name: &FileName,
    options: &Options,
) -> Result<Manifest<R>> {
    let mut budget = options.budget(size(files, name)?);
    let bytes = read_file(files, name, &mut budget)?;
    // Parsed, it takes a multiple of its size, which is agreed on before: a row for each object, and what `serde` keeps of
    // each value until it knows where it belongs.
    let count = |of: &[u8]| bytes.iter().filter(|byte| of.contains(byte)).count() as u64;
    let rows = count(b"{").saturating_mul(size_of::<R>() as u64);
    budget.memory(rows.saturating_add(count(b"[,").saturating_mul(32)))?;
    let mut json = serde_json::Deserializer::from_slice(&bytes);
    let whole = Whole { options, rows: PhantomData };
    let manifest = json.deserialize_map(whole);
    match manifest.and_then(|manifest| json.end().map(|()| manifest)) {
        Ok(manifest) => Ok(manifest),
        Err(error) => {
            options.check_cancelled()?;
            Err(bad(format!("JSON that does not fit: {error}")))
        }
    }
}

/// The object that is all of it.
struct Whole<'o, R> {
    options: &'o Options,
    rows: PhantomData<R>,
}

impl<'de, R: Deserialize<'de>> Visitor<'de> for Whole<'_, R> {
    type Value = Manifest<R>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<Manifest<R>, A::Error> {
        let mut head = ManifestHeader::default();
        let mut entries = None;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "spelunk_manifest" => head.version = map.next_value()?,
                "format" => head.format = map.next_value()?,
                "dialect" => head.dialect = map.next_value()?,
                "encoding" => head.encoding = map.next_value()?,
                "level" => head.level = map.next_value()?,
                "skeleton" => head.skeleton = map.next_value()?,
                "entries" => {
                    entries = Some(map.next_value_seed(EntryListSeed {
                        options: self.options,
                        rows: self.rows,
                    })?);
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let entries = entries.ok_or_else(|| A::Error::custom("no entries"))?;
        Ok(Manifest { head, entries })
    }
}

/// The list of entries, of which there may be a million.
struct EntryListSeed<'o, R> {
    options: &'o Options,
    rows: PhantomData<R>,
}

impl<'de, R: Deserialize<'de>> DeserializeSeed<'de> for EntryListSeed<'_, R> {
    type Value = Vec<R>;

    fn deserialize<D: Deserializer<'de>>(self, list: D) -> std::result::Result<Vec<R>, D::Error> {
        list.deserialize_seq(self)
    }
}

impl<'de, R: Deserialize<'de>> Visitor<'de> for EntryListSeed<'_, R> {
    type Value = Vec<R>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of entries")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<Vec<R>, A::Error> {
        let mut rows = Vec::new();
        while let Some(row) = list.next_element()? {
            rows.push(row);
            self.options.check_cancelled().map_err(A::Error::custom)?;
        }
        Ok(rows)
    }
}
