//! The assets of new packs: from folders, lists of files and manifests.

use super::{
    content::{has_hash, read},
    folder::{places, unknown},
    manifest::{self, Manifest, bad},
    rules::{Rules, uuid},
};
use crate::{
    Bytes, Error, Limits, Options, Result,
    containers::extract::MANIFEST,
    core::folder::{Links, name_below},
    core::text::CodePages,
    open::codes,
    open::files::{
        FileName, Files, FolderItem,
        content::{Changed, io_error, size},
    },
};
use serde::Deserialize;
use snpak::{
    Codec,
    build::{Asset, Bulk, Content, Need, name_id},
    compression,
    index::Dependency,
    profile::PROFILE,
};
use spelunk_core::{Budget, Described, Val, codes as core};
use std::{
    collections::{BTreeSet, HashMap},
    path::{Component, Path},
    sync::Arc,
};

/// Assets that are to be stored, with the files that they are made of.
#[derive(Debug, Default)]
pub struct Assets {
    /// The assets, in the order in which they are stored.
    pub assets: Vec<Asset>,
    /// Files in the folder that are left out, sorted.
    pub unknown: Vec<String>,
    /// Links in the folder that were not followed.
    pub links: Vec<String>,
    /// Files that are not what was extracted, as far as that is known; complete when the payloads have been read.
    pub changed: Changed,
}

/// Makes assets of files.
#[derive(Clone, Copy)]
pub struct Build<'b> {
    /// The files to read from.
    pub files: &'b Arc<dyn Files>,
    /// Rules by which files become assets.
    pub rules: &'b Rules,
    /// Options, with the limits, for reading manifests.
    pub options: &'b Options,
}

impl std::fmt::Debug for Build<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Build").field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// The files below a folder.
#[derive(Default)]
pub(super) struct Collected {
    /// By their paths in it, sorted as bytes.
    pub(super) files: Vec<(String, FileName)>,
    /// Links that were not followed.
    pub(super) links: Vec<String>,
}

impl Collected {
    /// Goes through a folder.
    pub(super) fn of(files: &dyn Files, dir: &FileName, follow_links: bool) -> Result<Collected> {
        let mut collected = Collected::default();
        for listed in files.list(dir, usize::MAX, Links::followed(follow_links)) {
            match listed {
                FolderItem::File(name, within) => {
                    let path = name_below(Path::new(""), within.as_path())?;
                    collected.files.push((path, name));
                }
                FolderItem::Link(link) => collected.links.push(link.to_string()),
                FolderItem::Unreadable(name, error) => return Err(io_error(name.as_path(), error)),
            }
        }
        Ok(collected)
    }
}

impl Build<'_> {
    /// The files of a folder and of the folders in it, each an asset that is called by its path, with `/`. Links count where
    /// `follow_links` says so; the order is that of the names.
    ///
    /// # Errors
    /// Reading errors; [`BAD_PATH`](core::BAD_PATH) for names of files that are no text.
    pub fn of_folder(&self, dir: &FileName, follow_links: bool) -> Result<Assets> {
        let Collected { files, links, .. } = Collected::of(&**self.files, dir, follow_links)?;
        let assets = files.into_iter().map(|(path, name)| self.of_file(&path, name));
        Ok(Assets { assets: assets.collect::<Result<_>>()?, links, ..Assets::default() })
    }

    fn of_file(&self, path: &str, name: FileName) -> Result<Asset> {
        let len = size(&**self.files, &name)?;
        let files = self.files.clone();
        let content = Content::later(Some(len), move || whole(&*files, &name));
        let payload = self.rules.payload(path, None, content);
        let mut asset = Asset::new(self.rules.asset_id(path.as_bytes(), None)?, path, payload);
        asset.kind = self.rules.kind_of(path).unwrap_or(asset.kind);
        asset.payload_type = self.rules.type_of(path).unwrap_or(asset.payload_type);
        Ok(asset)
    }

    /// A file as an asset of this name, or of the name that its path gives ([`name_of`]).
    ///
    /// # Errors
    /// Reading errors; [`BAD_LIST`](codes::BAD_LIST) where the path gives none.
    pub fn of_path(&self, file: &FileName, name: Option<&str>) -> Result<Assets> {
        let name = name.map_or_else(|| name_of(file.as_path()), str::to_owned);
        if name.is_empty() {
            return Err(Error::new(&codes::BAD_LIST).found(file.to_string()));
        }
        let assets = vec![self.of_file(&name, file.clone())?];
        Ok(Assets { assets, ..Assets::default() })
    }

    /// The files of a list: a path a line, whose asset is called as [`name_of`] says, or a path, a tab and a name.
    ///
    /// # Errors
    /// Reading errors; [`BAD_LIST`](codes::BAD_LIST).
    pub fn of_list(&self, list: &str) -> Result<Assets> {
        let mut all = Assets::default();
        let list = list.strip_prefix('\u{feff}').unwrap_or(list);
        for line in list.lines().filter(|line| !line.is_empty()) {
            let (path, name) = match line.split_once('\t') {
                Some((path, name)) => (path, Some(name)),
                None => (line, None),
            };
            if path.is_empty() {
                let found = format!("`{}`", line.escape_debug());
                return Err(Error::new(&codes::BAD_LIST).found(found));
            }
            all.assets.extend(self.of_path(&FileName::from(path), name)?.assets);
        }
        Ok(all)
    }

    /// The assets of a manifest, as `extract` writes it or a build does; its files lie in the folder of the manifest. Ids that
    /// are missing are made of name and variant, codecs that are missing come from the rules, which also count for those that
    /// are there.
    ///
    /// # Errors
    /// [`BAD_MANIFEST`](codes::BAD_MANIFEST), [`MISSING_FILES`](codes::MISSING_FILES); reading errors; limits.
    pub fn of_manifest(&self, name: &FileName) -> Result<Assets> {
        let on = &**self.files;
        let Manifest { head, entries } = manifest::read::<Row>(on, name, self.options)?;
        if let Some(format) = head.format.filter(|format| format != PROFILE.name) {
            return Err(bad(format!("the format {format}")).expected(PROFILE.name));
        }
        let pages = match &head.encoding {
            Some(encoding) => CodePages::from_labels(encoding)?,
            None => CodePages::utf8(),
        };
        let dir = FileName::from(name.as_path().parent().unwrap_or(Path::new("")));
        let rows = || entries.iter().filter(|row| row.semantic.is_none());
        let files: Vec<&str> = rows().flat_map(Row::files).collect();
        let places = files.iter().copied().zip(places(on, &dir, &files, self.options)?).collect();
        let builder = AssetBuilder { build: *self, pages, places, changed: Changed::default() };
        let assets = rows().map(|row| builder.asset(row)).collect::<Result<Vec<_>>>()?;
        let known: BTreeSet<&str> = files.into_iter().collect();
        let unknown = if name.as_path().file_name().is_some_and(|name| name == MANIFEST) {
            unknown(on, &dir, &known, self.options)?
        } else {
            Vec::new()
        };
        Ok(Assets { assets, unknown, links: Vec::new(), changed: builder.changed })
    }
}

/// All bytes of a file, which are the caller's own.
fn whole(files: &dyn Files, name: &FileName) -> Result<Bytes> {
    read(files, name, &mut Budget::new(Limits::unlimited()))
}

/// Returns the name of the asset that is made of the file at `path`: the path with `/`, without drives, roots, `.` and `..`.
pub fn name_of(path: &Path) -> String {
    let steps = path.components().filter_map(|step| match step {
        Component::Normal(step) => Some(step.to_string_lossy()),
        _ => None,
    });
    steps.collect::<Vec<_>>().join("/")
}

/// An asset of a manifest. Rows of bulk payloads alone are passed over: their assets list them too.
#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    asset_id: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    name_bytes: Option<String>,
    #[serde(default)]
    variant: Option<String>,
    #[serde(default)]
    variant_bytes: Option<String>,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    payload_type: Option<String>,
    #[serde(default)]
    schema_version: u32,
    #[serde(flatten)]
    stored: PayloadPacking,
    #[serde(default)]
    bulk: Vec<BulkRow>,
    #[serde(default)]
    dependencies: Vec<NeedRow>,
    #[serde(default)]
    semantic: Option<u32>,
}

impl Row {
    /// The files of its payloads.
    fn files(&self) -> impl Iterator<Item = &str> {
        let bulk = self.bulk.iter().filter_map(|bulk| bulk.file.as_deref());
        self.file.as_deref().into_iter().chain(bulk)
    }
}

/// Packing of a payload, with the hash of its bytes when they were extracted.
#[derive(Deserialize)]
struct PayloadPacking {
    #[serde(default)]
    compression: Option<String>,
    #[serde(default)]
    level: u8,
    /// XXH3 of the extracted bytes; packs have the hash that they store instead.
    #[serde(default)]
    xxh3: Option<String>,
    #[serde(default)]
    hash: Option<String>,
}

#[derive(Deserialize)]
struct BulkRow {
    #[serde(default)]
    file: Option<String>,
    semantic: u32,
    sub_index: u32,
    #[serde(flatten)]
    stored: PayloadPacking,
}

#[derive(Deserialize)]
struct NeedRow {
    #[serde(default)]
    asset_id: Option<String>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    name_bytes: Option<String>,
    #[serde(default)]
    kind: DependencyKind,
}

/// The kind of a dependency, as a number or by its name.
#[derive(Deserialize)]
#[serde(untagged)]
enum DependencyKind {
    Number(u8),
    Name(String),
}

impl Default for DependencyKind {
    fn default() -> DependencyKind {
        DependencyKind::Number(0)
    }
}

/// Makes assets of the rows of a manifest.
struct AssetBuilder<'b> {
    build: Build<'b>,
    pages: CodePages,
    /// Names of the files by their paths in the manifest.
    places: HashMap<&'b str, FileName>,
    changed: Changed,
}

impl AssetBuilder<'_> {
    fn asset(&self, row: &Row) -> Result<Asset> {
        let name = self.text(row.name.as_deref(), row.name_bytes.as_deref())?;
        let name = name.ok_or_else(|| bad("an asset without a `name`"))?;
        let variant = self.text(row.variant.as_deref(), row.variant_bytes.as_deref())?;
        let shown = self.pages.show(&name).into_owned();
        let locate = |error: Error| error.within(spelunk_core::Seg::Key(shown.clone().into()));
        let id = match &row.asset_id {
            Some(id) => uuid(id).map_err(locate)?,
            None => self.build.rules.asset_id(&name, variant.as_deref())?,
        };
        let payload = self.payload(&shown, row.file.as_deref(), &row.stored).map_err(locate)?;
        let mut asset = Asset::new(id, name, payload);
        asset.variant = variant;
        let type_id = |id: &str| self.build.rules.type_id(id);
        let given = |id: &Option<String>| id.as_deref().map(type_id).transpose().map_err(locate);
        asset.kind =
            given(&row.kind)?.or_else(|| self.build.rules.kind_of(&shown)).unwrap_or(asset.kind);
        let payload_type = given(&row.payload_type)?.or_else(|| self.build.rules.type_of(&shown));
        asset.payload_type = payload_type.unwrap_or(asset.payload_type);
        asset.schema_version = row.schema_version;
        for bulk in &row.bulk {
            let name = format!("{shown}#{}/{}", bulk.semantic, bulk.sub_index);
            let payload =
                self.payload(&name, bulk.file.as_deref(), &bulk.stored).map_err(locate)?;
            asset.bulk.push(Bulk::new(bulk.semantic, bulk.sub_index, payload));
        }
        for need in &row.dependencies {
            asset.dependencies.push(self.need(need).map_err(locate)?);
        }
        Ok(asset)
    }

    fn payload(
        &self,
        name: &str,
        file: Option<&str>,
        stored: &PayloadPacking,
    ) -> Result<snpak::build::Payload> {
        let file = file.ok_or_else(|| bad(format!("no `file` for {}", name.escape_debug())))?;
        let place = self.places.get(file).ok_or_else(|| bad("a file in no place"))?;
        let files = self.build.files.clone();
        let len = size(&*files, place)?;
        let place = place.clone();
        let codec =
            stored.compression.as_deref().map(|name| codec(name, stored.level)).transpose()?;
        let content = match stored.xxh3.as_ref().or(stored.hash.as_ref()) {
            None => Content::later(Some(len), move || whole(&*files, &place)),
            Some(known) => {
                // It is compared with what was extracted while it is read.
                let (file, known, changed) = (file.to_owned(), known.clone(), self.changed.clone());
                Content::later(Some(len), move || {
                    let bytes = whole(&*files, &place)?;
                    if !has_hash(&bytes, &known) {
                        changed.add(&file);
                    }
                    Ok(bytes)
                })
            }
        };
        Ok(self.build.rules.payload(name, codec, content))
    }

    fn need(&self, row: &NeedRow) -> Result<Need> {
        let name = self.text(row.name.as_deref(), row.name_bytes.as_deref())?;
        let id = match (&row.asset_id, &name) {
            (Some(id), _) => uuid(id)?,
            (None, Some(name)) => name_id(name, None),
            (None, None) => return Err(bad("a dependency with neither `asset_id` nor `name`")),
        };
        let kind = match &row.kind {
            DependencyKind::Number(kind) => *kind,
            DependencyKind::Name(name) => {
                let stored =
                    Dependency::RECORD.field("kind").encode(&Val::from(name.as_str()), &[]);
                let byte = stored.ok().and_then(|bytes| bytes.first().copied());
                byte.ok_or_else(|| bad(format!("a dependency of kind {}", name.escape_debug())))?
            }
        };
        Ok(Need::new(id, name, kind))
    }

    /// Text as it is stored: its bytes, where they are given.
    fn text(&self, text: Option<&str>, bytes: Option<&str>) -> Result<Option<Vec<u8>>> {
        match (bytes, text) {
            (Some(digits), _) => {
                let bytes = crate::core::value::hex(digits).map(Some);
                bytes.ok_or_else(|| bad("bytes of a name that are no pairs of digits"))
            }
            (None, Some(text)) => match self.pages.encode(text) {
                Some(bytes) => Ok(Some(bytes)),
                None => {
                    Err(Error::new(&core::NOT_ENCODED).found(format!("`{}`", text.escape_debug())))
                }
            },
            (None, None) => Ok(None),
        }
    }
}

/// The codec with these names.
fn codec(name: &str, level: u8) -> Result<Codec> {
    let codec: Codec = name.parse()?;
    let known = compression::LEVELS.iter().any(|(known, _)| *known == i64::from(level));
    // A level that is written behind the name counts; what nobody knows is carried along where nothing is packed.
    match (codec.level, known || codec.compression == snpak::Compression::NONE) {
        (0, true) => Ok(Codec { level, ..codec }),
        (_, true) => Ok(codec),
        (_, false) => Err(bad(format!("the level {level}"))),
    }
}
