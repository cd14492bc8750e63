//! Entries to files, with a manifest.

use super::{
    FileName, FileRef,
    output::{Outcome, Output},
    request::{OutputOptions, Shown},
    run::Run,
    session::Session,
};
use crate::{
    Result,
    containers::extract::{self, Plan},
    containers::pack::Origin,
    entries::select::Select,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Entries to files, with a manifest
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file, - for standard input, or a folder of SpellForce archives
    #[cfg_attr(feature = "clap", arg(value_name = "FILE|DIR"))]
    pub file: FileRef,
    /// Only entries that match one of these
    #[cfg_attr(feature = "clap", arg(value_name = "GLOB"))]
    pub globs: Vec<String>,
    /// The folder to write to; made where it is missing
    #[cfg_attr(feature = "clap", arg(short = 'C', long = "directory", value_name = "DIR"))]
    pub directory: FileName,
    /// No entries that match this; repeatable
    #[cfg_attr(feature = "clap", arg(long, value_name = "GLOB"))]
    pub exclude: Vec<String>,
    /// Only the files that a Virtools file carries along, right below DIR
    #[cfg_attr(feature = "clap", arg(long))]
    pub included: bool,
    /// The files and the manifest alone, where the container need not come back byte for byte
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_skeleton: bool,
    /// Options for how the file is shown.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub shown: Shown,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Row<'a> {
    /// The container.
    pub file: &'a str,
    /// The path of the entry.
    pub path: &'a str,
    /// The file below the folder.
    pub output: &'a str,
    /// Size of the file in bytes.
    pub size: u64,
    /// Whether nothing was written.
    pub dry_run: bool,
}

/// Writes entries to files, and hands out a row for each.
///
/// # Errors
/// Those of the output, and of what the request names beside the file.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("extract", session, out);
    run.show(&request.shown)?;
    let select = Select::new(&request.globs, &request.exclude)?;
    let file = run.name(&request.file)?;
    let Some((mut opened, source)) = run.open_bytes(&request.file)? else {
        return run.finish();
    };
    let pages = opened.code_pages();
    let OutputOptions { force, follow_links, dry_run } = request.out;
    let options = run.options.clone();
    // Folders are no files that could come back.
    let source = source.as_ref().filter(|_| !request.no_skeleton);
    let plan = Plan {
        target: request.directory.as_path(),
        select: &select,
        included: request.included,
        origin: source.map(|source| Origin { source, options: &options }),
        force,
        follow_links,
        dry_run,
    };
    let files = run.shared_files();
    let to = files.sink();
    let done = opened.run(|container, task| {
        let mut each = |done, all| run.at(done, all);
        extract::extract_to(&*to, container, &pages, &plan, task, &mut each)
    });
    let findings = opened.take_findings();
    run.settle(&file, &findings);
    let done = match done {
        Ok(done) => done,
        Err(error) => {
            run.failed(&file, error);
            return run.finish();
        }
    };
    run.begin(&file, false, &[])?;
    for extract::ExtractedFile { path, output, size } in &done.files {
        run.row(&Row { file: &file, path, output, size: *size, dry_run })?;
    }
    // One damage is behind many entries, and findings report it already.
    let reported: Vec<String> =
        findings.findings.iter().map(|finding| finding.error.to_string()).collect();
    let mut unread = done.failed_alike;
    for (path, error) in done.failed {
        if reported.contains(&error.to_string()) {
            unread = unread.saturating_add(1);
            run.count_failure(&error);
        } else {
            run.failed(&format!("{file}: {path}"), error);
        }
    }
    if unread > 0 {
        let noun = if unread == 1 { "entry" } else { "entries" };
        run.note(&format!("{file}: {unread} {noun} not written, see the damage above"));
    }
    run.end()?;
    run.finish()
}
