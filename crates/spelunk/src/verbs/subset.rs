//! Some entries with all that they need, as a file of their own.

use super::{
    FileName, FileRef,
    input::Input,
    mounted::Mounted,
    output::{Outcome, Output},
    request::{Following, OutputOptions},
    run::Run,
    session::Session,
    writing::{self, OutputDestination, WrittenFile},
};
use crate::{
    Collect, Result,
    edit::subset::{Depth, Subset, SubsetSelection, subset},
    open::json,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Some entries with all that they need, as a file of their own
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file to read, or - for standard input
    #[cfg_attr(feature = "clap", arg(value_name = "FILE"))]
    pub file: FileRef,
    /// Paths of entries, as `ls` prints them, and globs
    #[cfg_attr(feature = "clap", arg(value_name = "PATH", required = true))]
    pub paths: Vec<String>,
    /// The file to write, or - for standard output
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "OUT"))]
    pub output: FileName,
    /// Virtools files: only refer to the parameters that loaders look up by class, name and type, for a program that has
    /// them already; all else that is needed comes along
    #[cfg_attr(feature = "clap", arg(long))]
    pub references: bool,
    /// Virtools files: take along the entities below the entities too
    #[cfg_attr(feature = "clap", arg(long))]
    pub children: bool,
    /// Virtools files: go on where references cannot be followed, and report it, instead of refusing
    #[cfg_attr(feature = "clap", arg(long))]
    pub lossy: bool,
    /// Packs: another one in which assets find what they need; repeatable
    #[cfg_attr(feature = "clap", arg(long, value_name = "[PREFIX=]PACK"))]
    pub with: Vec<Mounted>,
    /// Choice of the dependencies of packs that are followed.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub following: Following,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

/// Numbers of entries of a part, by why they are in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SubsetRow {
    /// Entries that were asked for.
    pub asked: usize,
    /// Entries that those need.
    pub needed: usize,
    /// Entries that are only referred to.
    pub referred: usize,
    /// Objects to which the file could only refer and that no loader would find; references to them are null.
    pub lost: usize,
}

/// Writes a part of a file.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("subset", session, out);
    part(request, &mut run)?;
    run.finish()
}

fn part(request: &Request, run: &mut Run<'_>) -> Result<()> {
    let Some(file) = run.open(&Input::named(&request.file))? else { return Ok(()) };
    // One that the session keeps open may be among the others, too.
    let (name, opened) = (file.name, file.held.into_own()?);
    let Some(with) = run.mount(&request.with)? else { return Ok(()) };
    let part = SubsetSelection {
        paths: request.paths.clone(),
        depth: if request.references { Depth::References } else { Depth::All },
        children: request.children,
        lossy: request.lossy,
        needs: request.following.needs(),
        with,
    };
    let mut findings = Collect::default();
    let made = subset(&name, opened, part, &run.options, &mut findings);
    run.settle(&name, &findings);
    let made = match made {
        Ok(made) => made,
        Err(error) => {
            run.failed(&name, error);
            return Ok(());
        }
    };
    let summary = summary(&made);
    let more = SubsetRow {
        asked: made.asked,
        needed: made.needed,
        referred: made.referred,
        lost: made.lost,
    };
    let (output, dry_run) = (request.output.clone(), request.out.dry_run);
    let mut later = Collect::default();
    let target = OutputDestination::new(output.clone(), &request.out);
    let written = writing::make(target, dry_run, run, |mut out| made.write(&mut out, &mut later));
    run.settle(&name, &later);
    let size = match writing::committed(written, run) {
        Ok(size) => size,
        Err(error) => return writing::refused(&name, &output, error, run),
    };
    let all = findings.findings.iter().chain(&later.findings);
    let diagnostics = all.map(json::finding).collect();
    WrittenFile { file: name, output, size, diagnostics, dry_run }.report(more, run)?;
    run.note(&summary);
    Ok(())
}

/// Returns the numbers of entries of a part, by why they are in it, in words.
fn summary(made: &Subset) -> String {
    let plural = if made.asked == 1 { "" } else { "s" };
    let mut text = format!("{} {}{plural} asked for", made.asked, made.noun);
    for (count, what) in [
        (made.needed, "more that are needed"),
        (made.referred, "only referred to"),
        (made.lost, "left out whose references are null, for no loader would find them"),
    ] {
        if count > 0 {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    text
}
