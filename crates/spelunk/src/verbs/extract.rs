//! Entries to files, with a manifest.

use super::{
    FileName, FileRef,
    input::Input,
    listing::ManyFiles,
    ls::unmatched,
    output::{Outcome, Output},
    request::{OutputOptions, Shown},
    run::Run,
    session::Session,
};
use crate::{
    Collect, Halt, Of, Opened, Result,
    containers::extract::{self, Plan},
    containers::pack::Origin,
    core::walk,
    entries::select::Select,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Entries to files, with a manifest
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file, - for standard input, or a folder of SpellForce archives; with -r a folder, each container of which goes to a
    /// folder of its own
    #[cfg_attr(
        feature = "clap",
        arg(
            value_name = "FILE|DIR",
            default_value = "",
            hide_default_value = true,
            required_unless_present = "files_from"
        )
    )]
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
    /// Extract all containers of a folder, and of the folders in it
    #[cfg_attr(feature = "clap", arg(short, long))]
    pub recursive: bool,
    /// Extract every file that LIST names, one a line (- for standard input); all arguments are globs then
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST", conflicts_with = "recursive"))]
    pub files_from: Option<FileName>,
    /// Exit code 1 where no entry matches
    #[cfg_attr(feature = "clap", arg(long))]
    pub require_match: bool,
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

/// Writes entries to files, and hands out a row for each. Of many containers each goes to a folder of its own.
///
/// # Errors
/// Those of the output, and of what the request names beside the file.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("extract", session, out);
    run.show(&request.shown)?;
    let mut globs = request.globs.clone();
    if request.files_from.is_some() {
        // Where files are listed, the first argument is a glob as well.
        let first = run.name(&request.file)?;
        globs.splice(0..0, Some(first).filter(|first| !first.is_empty()));
    }
    let select = Select::new(&globs, &request.exclude)?;
    let many = ManyFiles {
        is_recursive: request.recursive,
        from: request.files_from.as_ref(),
        links: request.out.links(),
        is_to_folder: true,
    };
    let many = run.many(&request.file, &many)?;
    let is_many = many.is_some();
    let inputs = many.unwrap_or_else(|| vec![Input::named(&request.file)]);
    let (mut count, mut is_silent) = (0_usize, false);
    if is_many {
        run.plan(&inputs);
    }
    for input in &inputs {
        let directory = match is_many {
            true => request.directory.join(input.within.as_os_str()),
            false => request.directory.clone(),
        };
        let extraction = Extraction { request, globs: &globs, select: &select, directory };
        match extraction.run(input, is_many, &mut run)? {
            Some(written) => count = count.saturating_add(written),
            None => is_silent = true,
        }
        if is_many {
            run.advance();
        }
    }
    if count == 0 && !is_silent && !globs.is_empty() {
        if is_many {
            run.note("no entry matches");
        }
        if request.require_match {
            run.found();
        }
    }
    run.finish()
}

/// Extraction of one container.
struct Extraction<'r> {
    request: &'r Request,
    globs: &'r [String],
    select: &'r Select,
    directory: FileName,
}

impl Extraction<'_> {
    /// Writes the entries; gives how many. `None` where it is reported why not all were.
    fn run(&self, input: &Input, is_one_of_many: bool, run: &mut Run<'_>) -> Result<Option<usize>> {
        let Extraction { request, globs, select, directory } = self;
        let file = run.name(&input.file)?;
        let Some((mut opened, source)) = run.open_bytes(input)? else { return Ok(None) };
        let pages = opened.code_pages();
        let OutputOptions { force, follow_links, dry_run } = request.out;
        let options = run.options.clone();
        // Folders are no files that could come back.
        let source = source.as_ref().filter(|_| !request.no_skeleton);
        let plan = Plan {
            target: directory.as_path(),
            select,
            included: request.included,
            origin: source.map(|source| Origin { source, options: &options }),
            force,
            follow_links,
            dry_run,
        };
        let files = run.shared_files();
        let to = files.sink();
        // A container of many without anything that is wanted leaves no folder.
        if is_one_of_many && !globs.is_empty() && !self.wants_any(&mut opened)? {
            return Ok(Some(0));
        }
        let done = opened.run(|container, task| {
            let mut each = |done, all| {
                if !is_one_of_many {
                    run.at(done, all);
                }
            };
            extract::extract_to(&*to, container, &pages, &plan, task, &mut each)
        });
        let findings = opened.take_findings();
        run.settle(&file, &findings);
        let done = match done {
            Ok(done) => done,
            Err(error) => {
                run.failed(&file, error);
                return Ok(None);
            }
        };
        run.begin(&file, is_one_of_many, &[])?;
        for extract::ExtractedFile { path, output, size } in &done.files {
            run.row(&Row { file: &file, path, output, size: *size, dry_run })?;
        }
        let written = done.files.len();
        let is_whole = report_unread(&file, done, &findings, run);
        if written == 0 && is_whole && !globs.is_empty() {
            let unmatched = unmatched(&mut opened, globs);
            run.note(&unmatched);
        }
        run.end()?;
        Ok(Some(written).filter(|_| is_whole))
    }

    /// Whether any entry of the container is wanted.
    fn wants_any(&self, opened: &mut Opened) -> Result<bool> {
        let pages = opened.code_pages();
        opened.run_silent(|container, task| {
            let mut wants = false;
            walk::finish(container.children(Of::Listing, &pages, task, &mut |entry, task| {
                wants = self.select.wants(entry, &pages, &mut task.budget)?;
                if wants { Err(Halt::Stop) } else { Ok(()) }
            }))?;
            Ok(wants)
        })
    }
}

/// Reports the entries that could not be read; gives whether all could.
fn report_unread(
    file: &str,
    done: extract::ExtractionOutcome,
    findings: &Collect,
    run: &mut Run<'_>,
) -> bool {
    // One damage is behind many entries, and findings report it already.
    let reported: Vec<String> =
        findings.findings.iter().map(|finding| finding.error.to_string()).collect();
    let is_whole = done.failed.is_empty() && done.failed_alike == 0;
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
    is_whole
}
