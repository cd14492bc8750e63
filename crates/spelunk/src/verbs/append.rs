//! Packs that grow in place.

use super::{
    FileName, FileRef, Files, Memory,
    building::{ReaderOptions, RuleOptions, list_text},
    input::Input,
    output::{Outcome, Output},
    run::Run,
    session::Session,
};
use crate::{
    Collect, Error, Opened, Result, Source,
    containers::pack::{
        self, PackTarget, PackedContainer,
        build::{Assets, Build},
        rules::Rules,
    },
    containers::packs::{self, InPlace, Medium},
    core::source::Mapping,
    open::codes,
    open::json::{self, Diagnostic},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, io, sync::Arc};

/// Add assets to a SnPAK pack in place, or put others in their place
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The pack that grows
    #[cfg_attr(feature = "clap", arg(value_name = "FILE"))]
    pub file: FileRef,
    /// Files, which are called by their paths without roots and `..`, and folders, whose files are called by their paths
    /// in them; what `extract` wrote goes back under its ids
    #[cfg_attr(feature = "clap", arg(value_name = "SOURCE", required_unless_present_any = ["files_from", "manifest"]))]
    pub sources: Vec<FileName>,
    /// The files of LIST, one a line (- for standard input); a tab and a name behind a file name it
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST"))]
    pub files_from: Option<FileName>,
    /// The assets of a manifest, as `extract` writes it
    #[cfg_attr(feature = "clap", arg(long, value_name = "MANIFEST"))]
    pub manifest: Option<FileName>,
    /// Rules by which files become assets.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub rules: RuleOptions,
    /// Readers that the pack is for.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub readers: ReaderOptions,
    /// Name of the asset that SOURCE becomes, which is one file
    #[cfg_attr(feature = "clap", arg(long = "as", value_name = "NAME", conflicts_with_all = ["files_from", "manifest"]))]
    #[serde(rename = "as")]
    pub name: Option<String>,
    /// Append to a file that is read-only, which it stays
    #[cfg_attr(feature = "clap", arg(long))]
    pub force: bool,
    /// Report what would be appended and write nothing
    #[cfg_attr(feature = "clap", arg(long))]
    pub dry_run: bool,
    /// Take the files that links in folders name
    #[cfg_attr(feature = "clap", arg(long))]
    pub follow_links: bool,
}

/// Outcome of adding assets to a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Row<'a> {
    /// The pack.
    pub file: &'a str,
    /// Assets that were added.
    pub assets: usize,
    /// Size of the pack before, in bytes.
    pub size_before: u64,
    /// Size of the pack now, in bytes; on a dry run the size that it would have.
    pub size: u64,
    /// Findings: errors, warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
    /// Nothing was written; there on a dry run only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
}

/// Appends assets to a pack. One that the session keeps open stays changed, and is not written.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("append", session, out);
    append(request, &mut run)?;
    run.finish()
}

fn append(request: &Request, run: &mut Run<'_>) -> Result<()> {
    let (building, options) = (request.readers.options(run)?, run.options.clone());
    let file = run.name(&request.file)?;
    let assets = match gather(request, run) {
        Ok(assets) => assets,
        Err(error) => {
            run.failed(&file, error);
            return Ok(());
        }
    };
    let count = assets.assets.len();
    assets.links.iter().for_each(|link| run.pass_link(link));
    let mut findings = Collect::default();
    let appended = open(request, run).and_then(|(growing, kept)| {
        let appended = packs::append_to(growing, assets, building, &options, &mut findings)?;
        if let Some(bytes) = kept.and_then(|kept| kept.get(KEPT))
            && let FileRef::Open(handle) = request.file
        {
            *run.session.lend(handle)?.get()? = Opened::open(Arc::new(bytes), &options)?;
        }
        Ok(appended)
    });
    run.settle(&file, &findings);
    match appended {
        Ok(appended) => run.row(&Row {
            file: &file,
            assets: count,
            size_before: appended.before,
            size: appended.size,
            diagnostics: findings.findings.iter().map(json::finding).collect(),
            dry_run: request.dry_run,
        }),
        Err(error) => {
            run.failed(&file, error);
            Ok(())
        }
    }
}

/// The name under which a pack grows in memory that the session keeps open.
const KEPT: &str = "pack";

/// Opens the pack to grow: where it is, or beside it in memory.
fn open(request: &Request, run: &Run<'_>) -> Result<(Box<dyn InPlace>, Option<Memory>)> {
    if request.dry_run {
        if let FileRef::Name(name) = &request.file {
            // What cannot grow is reported, as it would be.
            drop(run.files().grow(name, request.force)?);
        }
        let source = run.source(&Input::named(&request.file))?;
        return Ok((Box::new(Pretended { source }), None));
    }
    match &request.file {
        FileRef::Name(name) => Ok((run.files().grow(name, request.force)?, None)),
        FileRef::Open(_) => {
            let source = run.source(&Input::named(&request.file))?;
            let len = source.len();
            let kept = Memory::new();
            kept.put(KEPT, source.read(0..len, &mut run.options.budget(len))?);
            Ok((kept.grow(&KEPT.into(), false)?, Some(kept)))
        }
    }
}

/// The assets that are meant, in their order.
fn gather(request: &Request, run: &Run<'_>) -> Result<Assets> {
    let rules = request.rules.rules(run)?;
    let usual = Rules::default();
    let files = run.shared_files();
    let given = rules.as_ref().unwrap_or(&usual);
    let build = Build { files: &files, rules: given, options: &run.options };
    let mut all = Assets::default();
    if request.name.is_some() && !matches!(&request.sources[..], [one] if !files.is_folder(one)) {
        let error = Error::new(&codes::core::BAD_PATH).expected("one file beside --as");
        return Err(error.found(format!("{} files and folders", request.sources.len())));
    }
    for source in &request.sources {
        let assets = if files.is_folder(source) {
            let target = PackTarget { follow_links: request.follow_links, ..PackTarget::default() };
            match pack::pack_as(&files, source, Some(given), target, &run.options)? {
                PackedContainer::New(assets) => assets,
                PackedContainer::Filled(_) | PackedContainer::Archive(_) => {
                    return Err(Error::new(&codes::ONLY_PACKS));
                }
            }
        } else {
            build.of_path(source, request.name.as_deref())?
        };
        all.assets.extend(assets.assets);
        all.links.extend(assets.links);
    }
    if let Some(manifest) = &request.manifest {
        all.assets.extend(build.of_manifest(manifest)?.assets);
    }
    if let Some(list) = &request.files_from {
        all.assets.extend(build.of_list(&list_text(list, run)?)?.assets);
    }
    Ok(all)
}

/// A file that only seems to grow.
struct Pretended {
    source: Arc<dyn Source>,
}

impl fmt::Debug for Pretended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pretended").field("size", &self.source.len()).finish()
    }
}

impl InPlace for Pretended {
    fn source(&self, _: Mapping) -> Result<Arc<dyn Source>> {
        Ok(self.source.clone())
    }

    fn begin(self: Box<Self>) -> Result<Box<dyn Medium>> {
        Ok(Box::new(Pretending { size: self.source.len() }))
    }
}

/// A medium that takes nothing, and counts how long the file would be.
struct Pretending {
    size: u64,
}

impl Medium for Pretending {
    fn size(&mut self) -> io::Result<u64> {
        Ok(self.size)
    }

    fn put(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.size = self.size.max(offset.saturating_add(bytes.len() as u64));
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn cut(&mut self, size: u64) -> io::Result<()> {
        self.size = size;
        Ok(())
    }
}
