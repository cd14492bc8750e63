//! Containers built of files.

use super::{
    FileName,
    building::{ReaderOptions, RuleOptions, list_text},
    output::{Outcome, Output},
    request::OutputOptions,
    run::{OpenFile, Run},
    session::{Held, Session},
    verify::archives_of,
    writing::{self, OutputDestination, Writing, has_row},
};
use crate::{
    Collect, Error, Result,
    containers::archives,
    containers::pack::{
        self, ContainerKind, Dialect, Filled, PackTarget, PackedContainer,
        archives::ArchiveFiles,
        build::{Assets, Build},
        chunks::ChunkFolder,
        rules::Rules,
    },
    containers::packs,
    open::codes,
    open::json::{self, Diagnostic},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A container from the folder that `extract` wrote, byte for byte, or a new pack of files
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// A folder, a manifest as `extract` writes it, or - for a list of files on standard input
    #[cfg_attr(
        feature = "clap",
        arg(value_name = "DIR|MANIFEST", required_unless_present = "files_from")
    )]
    pub source: Option<FileName>,
    /// The files of LIST, one a line; a tab and a name behind a file give it another name than its path
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST", conflicts_with = "source"))]
    pub files_from: Option<FileName>,
    /// The file to write, or - for standard output
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "OUT"))]
    pub output: FileName,
    /// The dialect that is written: `spec`, the written specification's own layout [default: that of what was extracted, or of
    /// the archives that a pakdata.dat lists; else that of real files]
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIALECT"))]
    pub dialect: Option<String>,
    /// Rules by which files become assets.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub rules: RuleOptions,
    /// Readers that packs are for.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub readers: ReaderOptions,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Row<'a> {
    /// A container of files.
    Container(ContainerRow<'a>),
    /// A `pakdata.dat`.
    Cache(CacheRow<'a>),
}

/// A container that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ContainerRow<'a> {
    /// The folder or list.
    pub file: &'a str,
    /// The file that was written.
    pub output: &'a str,
    /// Size of the file in bytes.
    pub size: u64,
    /// Assets of a new pack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assets: Option<usize>,
    /// Files of an archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<usize>,
    /// Findings: errors, warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
    /// Files that are not as they were extracted.
    pub changed: Vec<String>,
    /// Whether nothing was written.
    pub dry_run: bool,
}

/// A `pakdata.dat` that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CacheRow<'a> {
    /// The folder.
    pub file: &'a str,
    /// The file that was written.
    pub output: &'a str,
    /// Archives that are listed.
    pub archives: usize,
    /// Whether nothing was written.
    pub dry_run: bool,
}

/// Number of files that are named of those that are passed over, at the most.
const NAMED: usize = 5;

/// Writes the container that a folder was extracted from, or a new one of files.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("pack", session, out);
    packed(request, &mut run)?;
    run.finish()
}

fn packed(request: &Request, run: &mut Run<'_>) -> Result<()> {
    let building = request.readers.options(run)?;
    let list = request.files_from.as_ref();
    let stream = FileName::from(FileName::STREAM);
    let source = list.or(request.source.as_ref()).unwrap_or(&stream);
    let (name, files) = (source.to_string(), run.shared_files());
    let kind = ContainerKind::of(request.output.as_path());
    let dialect = request.dialect.as_deref().map(str::parse::<Dialect>).transpose();
    let dialect = match dialect {
        Ok(dialect) => dialect,
        Err(error) => {
            run.failed(&name, error);
            return Ok(());
        }
    };
    let target = PackTarget { kind, dialect, follow_links: request.out.follow_links };
    if kind != ContainerKind::Cache && files.lies_in(&request.output, source) {
        let error = Error::new(&codes::core::BAD_TARGET)
            .expected("a place outside of the folder")
            .found("a file of it");
        run.failed(&request.output.to_string(), error);
        return Ok(());
    }
    if kind == ContainerKind::Cache && files.is_folder(source) {
        return cache(request, source, target, run);
    }
    // For other readers than the usual ones a pack is made anew, too.
    let is_usual = request.readers == ReaderOptions::default();
    let made = request.rules.rules(run).and_then(|rules| {
        let rules = rules.or_else(|| (!is_usual).then(Rules::default));
        if target.makes_chunks(&request.output) && files.is_folder(source) {
            let links = request.out.follow_links;
            let folder = ChunkFolder { dir: source, output: &request.output, links };
            if let Some(filled) = folder.packed(&*files, &run.options)? {
                return Ok(PackedContainer::Filled(Box::new(filled)));
            }
        }
        if list.is_none() && !source.is_stream() {
            return pack::pack_as(&files, source, rules.as_ref(), target, &run.options);
        }
        target.refuse_list()?;
        let rules = rules.unwrap_or_default();
        let build = Build { files: &files, rules: &rules, options: &run.options };
        build.of_list(&list_text(source, run)?).map(PackedContainer::New)
    });
    match made {
        Ok(PackedContainer::Filled(filled)) => refill(request, &name, *filled, run),
        Ok(PackedContainer::New(assets)) => new(request, &name, assets, building, run),
        Ok(PackedContainer::Archive(files)) => archive(request, &name, &files, run),
        Err(error) => {
            run.unopened(&name, error);
            Ok(())
        }
    }
}

/// Writes a new pack.
fn new(
    request: &Request,
    source: &str,
    assets: Assets,
    building: packs::Options,
    run: &mut Run<'_>,
) -> Result<()> {
    left_out(source, &assets.unknown, run);
    assets.links.iter().for_each(|link| run.pass_link(link));
    let (count, changed) = (assets.assets.len(), assets.changed.clone());
    let mut findings = Collect::default();
    let target = OutputDestination::new(request.output.clone(), &request.out);
    let made = writing::make(target, request.out.dry_run, run, |mut out| {
        packs::build(assets, &mut out, building, &run.options, &mut findings)
    });
    let made = writing::committed(made, run);
    run.settle(source, &findings);
    match made {
        Ok(written) => hand_out(request, source, written.size, Some(count), None, run, || {
            (findings.findings.iter().map(json::finding).collect(), changed.sorted())
        }),
        Err(error) => writing::refused(source, &request.output, error, run),
    }
}

/// Writes a SpellForce archive.
fn archive(request: &Request, source: &str, files: &ArchiveFiles, run: &mut Run<'_>) -> Result<()> {
    left_out(source, &files.unknown, run);
    files.links.iter().for_each(|link| run.pass_link(link));
    let mut findings = Collect::default();
    let target = OutputDestination::new(request.output.clone(), &request.out);
    let made = writing::make(target, request.out.dry_run, run, |mut out| {
        files.write(&mut out, &run.options, &mut findings)
    });
    let made = writing::committed(made, run);
    run.settle(source, &findings);
    match made {
        Ok(size) => hand_out(request, source, size, None, Some(files.draft.len()), run, || {
            (findings.findings.iter().map(json::finding).collect(), files.changed.sorted())
        }),
        Err(error) => writing::refused(source, &request.output, error, run),
    }
}

/// Writes the container that a folder was extracted from.
fn refill(request: &Request, source: &str, filled: Filled, run: &mut Run<'_>) -> Result<()> {
    let Filled { opened, options, changed, unknown } = filled;
    left_out(source, &unknown, run);
    let target = OutputDestination::new(request.output.clone(), &request.out);
    let writing = Writing { target, options, dry_run: request.out.dry_run };
    let file = OpenFile { name: source.to_owned(), held: Held::own(opened) };
    let Some(written) = writing::write(file, writing, run)? else { return Ok(()) };
    hand_out(request, source, written.size, None, None, run, || (written.diagnostics, changed))
}

/// Hands out the row of a container that was written.
fn hand_out(
    request: &Request,
    file: &str,
    size: u64,
    assets: Option<usize>,
    entries: Option<usize>,
    run: &mut Run<'_>,
    rest: impl FnOnce() -> (Vec<Diagnostic>, Vec<String>),
) -> Result<()> {
    if !has_row(&request.output, request.out.dry_run) {
        return Ok(());
    }
    let (diagnostics, changed) = rest();
    let (output, dry_run) = (&request.output.to_string(), request.out.dry_run);
    let row = ContainerRow { file, output, size, assets, entries, diagnostics, changed, dry_run };
    run.row(&Row::Container(row))
}

/// Writes a `pakdata.dat` of the archives of a folder.
fn cache(
    request: &Request,
    folder: &FileName,
    target: PackTarget,
    run: &mut Run<'_>,
) -> Result<()> {
    let form = target.archive_form();
    let (name, dry_run) = (folder.to_string(), request.out.dry_run);
    let present = match archives_of(folder, run) {
        Ok(present) => present,
        Err(error) => return writing::refused(&name, &request.output, error, run),
    };
    let target = OutputDestination::new(request.output.clone(), &request.out);
    let made = writing::make(target, dry_run, run, |mut out| {
        archives::write_cache(&present, form, &mut out)
    });
    match writing::committed(made, run) {
        Ok(_) if !has_row(&request.output, dry_run) => Ok(()),
        Ok(archives) => {
            let output = &request.output.to_string();
            run.row(&Row::Cache(CacheRow { file: &name, output, archives, dry_run }))
        }
        Err(error) => writing::refused(&name, &request.output, error, run),
    }
}

/// Says which files of a folder are left out.
fn left_out(folder: &str, unknown: &[String], run: &mut Run<'_>) {
    if !unknown.is_empty() {
        let count = unknown.len();
        let names: Vec<&str> = unknown.iter().take(NAMED).map(String::as_str).collect();
        let more = if count > NAMED { ", ..." } else { "" };
        let noun = if count == 1 { "file" } else { "files" };
        let names = names.join(", ");
        run.note(&format!("{folder}: {count} {noun} not in the manifest, left out: {names}{more}"));
    }
}
