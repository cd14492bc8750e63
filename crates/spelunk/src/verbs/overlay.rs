//! Several packs or archives, or the archives of a folder, as a game mounts them.

use super::{
    FileName, FileRef,
    input::Input,
    mounted::Mounted,
    output::{Outcome, Output},
    request::Shown,
    run::Run,
    session::{Session, reading},
};
use crate::{
    Error, Opened, Result, Seg,
    containers::archives,
    containers::overlay::{self, Choice, Clash, Overlay},
    entries::select::Select,
    open::codes,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Several packs or archives, or the archives of a folder, as a game mounts them: which one provides each entry
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The packs in the order in which they are mounted, the later ones over the earlier; or SpellForce archives, or one
    /// folder of them, of which those with higher numbers in their names are over the others
    #[cfg_attr(feature = "clap", arg(value_name = "[PREFIX=]PACK|DIR", required = true))]
    pub packs: Vec<Mounted>,
    /// Only assets that match this; repeatable
    #[cfg_attr(feature = "clap", arg(long, value_name = "GLOB"))]
    pub only: Vec<String>,
    /// Show what each name means to a game that prefers these variants, in this order
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "VARIANT,...", value_delimiter = ',', conflicts_with = "conflicts")
    )]
    pub prefer: Option<Vec<String>>,
    /// Only what contradicts: one id with different content or names, one name with different ids, one path with files
    /// that differ
    #[cfg_attr(feature = "clap", arg(long))]
    pub conflicts: bool,
    /// Only the paths of LIST, a pakdata.dat or a text with a path a line, that no archive of the folder has, nor a loose file
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST", conflicts_with_all = ["only", "prefer", "conflicts"]))]
    pub missing: Option<FileName>,
    /// Options for how the files are shown.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub shown: Shown,
}

/// A row about packs or archives that are mounted together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Row<'a> {
    /// An asset.
    Asset(AssetRow<'a>),
    /// With `prefer`: what a name means.
    Choice(ChoiceRow<'a>),
    /// With `conflicts`: assets that contradict each other.
    Conflict(ConflictRow<'a>),
    /// A file of a folder of archives.
    File(FileRow<'a>),
    /// With `missing`: a path that nothing has.
    Missing(MissingRow<'a>),
}

/// An asset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AssetRow<'a> {
    /// Path of the asset, as every verb takes it.
    pub path: &'a str,
    /// Id of the asset.
    #[schemars(extend("format" = "uuid"))]
    pub asset_id: String,
    /// Id of the loader that it is for.
    #[schemars(extend("format" = "uuid"))]
    pub kind: String,
    /// Name of the kind, where it is known.
    pub kind_name: Option<&'a str>,
    /// Size of the payload in bytes.
    pub size: u64,
    /// The pack that provides it.
    pub pack: &'a str,
    /// Packs whose assets it hides.
    pub shadows: &'a [String],
}

/// The asset that a name means to a game that prefers some variants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChoiceRow<'a> {
    /// The name, behind the prefix of its mount.
    pub name: &'a str,
    /// The variant that counts; null for the asset without one.
    pub variant: Option<&'a str>,
    /// Path of the asset; null where there is none of the wanted variants.
    pub path: Option<&'a str>,
    /// Id of the asset.
    #[schemars(extend("format" = "uuid"))]
    pub asset_id: Option<String>,
    /// The pack that provides it.
    pub pack: Option<&'a str>,
}

/// Assets that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConflictRow<'a> {
    /// In what way they contradict each other.
    pub conflict: &'static str,
    /// The fields that differ.
    pub fields: Vec<&'static str>,
    /// The asset that counts, then those that it hides.
    pub assets: Vec<ConflictingAsset<'a>>,
}

/// An asset that contradicts others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConflictingAsset<'a> {
    /// The pack.
    pub pack: &'a str,
    /// Path of the asset.
    pub path: &'a str,
    /// Id of the asset.
    #[schemars(extend("format" = "uuid"))]
    pub asset_id: String,
}

/// A file of a folder of archives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileRow<'a> {
    /// Path of the file.
    pub path: &'a str,
    /// The archive or folder that provides it.
    pub archive: Option<&'a str>,
    /// Size in bytes.
    pub size: Option<u64>,
    /// Files that it hides.
    pub shadows: Vec<ShadowedFile<'a>>,
    /// In what they differ; null where they do not, or that was not looked at.
    #[schemars(extend("enum" = ["size", "content", null]))]
    pub differ: Option<&'static str>,
}

/// A file that another one hides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ShadowedFile<'a> {
    /// The archive.
    pub archive: &'a str,
    /// Size in bytes.
    pub size: u64,
}

/// A path that nothing has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MissingRow<'a> {
    /// The path.
    pub missing: &'a str,
}

impl<'a> AssetRow<'a> {
    fn of(row: &'a overlay::Row) -> AssetRow<'a> {
        let kind = row.kind.to_string();
        AssetRow {
            path: &row.item.path,
            asset_id: row.id.to_string(),
            kind_name: Some(row.item.kind.as_str()).filter(|name| *name != kind),
            kind,
            size: row.size,
            pack: &row.item.file,
            shadows: &row.shadows,
        }
    }
}

impl<'a> ChoiceRow<'a> {
    fn of(choice: &'a Choice) -> ChoiceRow<'a> {
        let found = choice.found.as_ref();
        ChoiceRow {
            name: &choice.name,
            variant: found.and_then(|(_, variant)| variant.as_deref()),
            path: found.map(|(row, _)| row.item.path.as_str()),
            asset_id: found.map(|(row, _)| row.id.to_string()),
            pack: found.map(|(row, _)| row.item.file.as_str()),
        }
    }
}

impl<'a> ConflictRow<'a> {
    fn of(clash: &'a Clash) -> ConflictRow<'a> {
        let assets = clash.assets.iter().map(|(item, id)| ConflictingAsset {
            pack: &item.file,
            path: &item.path,
            asset_id: id.to_string(),
        });
        let (conflict, fields) = (clash.trouble.name(), clash.fields());
        ConflictRow { conflict, fields, assets: assets.collect() }
    }
}

impl<'a> FileRow<'a> {
    fn of(row: &'a archives::Row) -> FileRow<'a> {
        let mut files =
            row.files.iter().map(|(archive, size)| ShadowedFile { archive, size: *size });
        let first = files.next();
        FileRow {
            path: &row.path,
            archive: first.as_ref().map(|file| file.archive),
            size: first.map(|file| file.size),
            shadows: files.collect(),
            differ: row.differ,
        }
    }
}

/// Hands out a row for each entry that counts, what each name means, what contradicts, or what is missing.
///
/// # Errors
/// Those of the output, and of what the request names beside the packs; [`ONLY_PACKS`](codes::ONLY_PACKS).
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("overlay", session, out);
    run.show(&request.shown)?;
    let select = Select::new(&request.only, &[])?;
    if let [only] = request.packs.as_slice() {
        let (_, file) = only.parts(session.files());
        let name = match &file {
            FileRef::Name(name) => name.clone(),
            FileRef::Open(handle) => session.name_of(*handle)?,
        };
        if session.files().is_folder(&name) {
            let Some(mut file) = run.open(&Input::named(&file))? else { return run.finish() };
            archived(&file.name, file.held.get()?, request, &select, &mut run)?;
            return run.finish();
        }
    }
    let Some(layers) = run.mount(&request.packs)? else { return run.finish() };
    if let Some(mut united) = archives::united(&layers, &run.options)? {
        archived("overlay", &mut united, request, &select, &mut run)?;
        return run.finish();
    }
    if let Some(list) = &request.missing {
        run.failed(&list.to_string(), Error::new(&codes::ONLY_ARCHIVES).found("packs"));
        return run.finish();
    }
    let has_archives = layers.iter().any(|layer| archives::is_archive(layer.opened.container()));
    let overlay = Overlay::new(layers, &run.options);
    let mut overlay = overlay.map_err(|error| match has_archives {
        true => error.expected("packs, or SpellForce archives without prefixes"),
        false => error,
    })?;
    let mut rows = 0_u64;
    let mut count = || rows = rows.saturating_add(1);
    let listed = if let Some(variants) = &request.prefer {
        overlay.choices(&preferences(variants), &select, &mut |choice| {
            count();
            run.row(&ChoiceRow::of(choice))
        })
    } else if request.conflicts {
        overlay.conflicts(&select, &mut |clash| {
            count();
            run.row(&ConflictRow::of(clash))
        })
    } else {
        overlay.assets(&select, &mut |row| {
            count();
            run.row(&AssetRow::of(row))
        })
    };
    match (rows, request.conflicts) {
        (0, true) => run.note("no conflicts"),
        (0, false) => run.note("no asset matches"),
        (_, true) => run.found(),
        _ => {}
    }
    run.settle("overlay", overlay.findings());
    listed?;
    run.finish()
}

/// Archives as one tree: which one provides each path, and which ones it hides.
fn archived(
    name: &str,
    opened: &mut Opened,
    request: &Request,
    select: &Select,
    run: &mut Run<'_>,
) -> Result<()> {
    let mut rows = 0_u64;
    let mut count = || rows = rows.saturating_add(1);
    let listed = if let Some(list) = &request.missing {
        let options = run.options.clone();
        let source = run.files().open(list, reading(&options));
        let source = source.map_err(|error| error.within(Seg::Key(list.to_string().into())))?;
        archives::missing(opened, source, &options, &mut |path| {
            count();
            run.row(&MissingRow { missing: path })
        })
    } else {
        let wanted = |path: &str| select.matches(path, "file", "");
        archives::rows(opened, request.conflicts, wanted, &mut |row| {
            count();
            run.row(&FileRow::of(row))
        })
    };
    if (request.conflicts || request.missing.is_some()) && rows > 0 {
        run.found();
    }
    run.settle(name, &opened.take_findings());
    if let Err(error) = listed {
        if error.io_error().is_some() {
            return Err(error);
        }
        run.failed(name, error);
    } else if rows == 0 {
        run.note(match (request.conflicts, &request.missing) {
            (true, _) => "no conflicts",
            (_, Some(_)) => "nothing is missing",
            _ => "no file matches",
        });
    }
    Ok(())
}

/// The variants in their order; an empty one is none, and comes last where it is not named.
fn preferences(variants: &[String]) -> Vec<Option<Vec<u8>>> {
    let some = |text: &String| (!text.is_empty()).then(|| text.as_bytes().to_vec());
    let mut wanted: Vec<_> = variants.iter().map(some).collect();
    if !wanted.contains(&None) {
        wanted.push(None);
    }
    wanted
}
