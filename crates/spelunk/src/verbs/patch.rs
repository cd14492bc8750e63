//! The changes of a patch, made or taken back.

use super::{
    FileName, FileRef,
    destination::Destination,
    input::Input,
    keeping::put_open,
    output::{Outcome, Output},
    run::{OpenFile, Run},
    session::{Held, Session},
    writing::{self, OpenRow, OutputDestination, RefusedRow, Writing, WrittenRow},
};
use crate::{
    Opened, Result,
    compare::patch::{AnyPatch, Applied},
    containers::pack::Origin,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Make the changes of a patch, or take them back
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file to change, and where the changed one goes.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub to: Destination,
    /// The patch, as `diff --patch` writes it
    #[cfg_attr(feature = "clap", arg(value_name = "PATCH"))]
    pub patch: FileName,
    /// Take the patch back: from the new file to the old one
    #[cfg_attr(feature = "clap", arg(short, long))]
    pub reverse: bool,
    /// Write what fits where not all of it does, and report the rest
    #[cfg_attr(feature = "clap", arg(long))]
    pub partial: bool,
}

/// Numbers of the changes of a patch, by what became of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PatchedRow {
    /// Whether it is the file that the patch is for.
    pub same_file: bool,
    /// Changes that were made.
    pub made: u64,
    /// Changes that the file has already.
    pub made_before: u64,
    /// Changes that could not be made.
    pub conflicts: usize,
}

/// Outcome of a patch.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Row {
    /// The file was changed and written.
    Written(WrittenRow<PatchedRow>),
    /// The file was changed, and stays open in the session.
    Open(OpenRow<PatchedRow>),
    /// Conflicts stopped it.
    Refused(RefusedRow<PatchedRow>),
}

/// Makes the changes of a patch to a file, and writes it to where it is to go. A file that the session keeps open stays changed;
/// where no output is named for one it is not written.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::editing("patch", request, session, out);
    patch(request, &mut run)?;
    run.finish()
}

fn patch(request: &Request, run: &mut Run<'_>) -> Result<()> {
    let to = &request.to;
    let Some(target) = OutputDestination::of(to, run)? else { return Ok(()) };
    let patch = match read(request, run) {
        Ok(patch) => patch,
        Err(error) => {
            run.unopened(&request.patch.to_string(), error);
            return Ok(());
        }
    };
    let (input, name) = (Input::named(&to.file), run.name(&to.file)?);
    let mut applied = match apply(&patch, &input, run) {
        Ok(applied) => applied,
        Err(error) => {
            run.refused(&input, &error)?;
            return Ok(());
        }
    };
    let conflicts = std::mem::take(&mut applied.conflicts);
    let count = conflicts.len();
    conflicts.into_iter().for_each(|conflict| run.failed(&name, conflict));
    run.note(&summary(&applied, count));
    let Applied { same_file, made, made_before, .. } = applied;
    let more = PatchedRow { same_file, made, made_before, conflicts: count };
    if count > 0 && !request.partial {
        run.note("nothing is written; --partial writes what fits");
        return run.row(&RefusedRow { file: name, output: None, more });
    }
    let Applied { mut opened, options, .. } = applied;
    if let (FileRef::Open(handle), false) = (&to.file, to.out.dry_run) {
        let source = opened.written(&options)?;
        put_open(*handle, Opened::open(source, &run.options)?, &to.keep, run)?;
    }
    let Some(target) = target else { return run.row(&OpenRow { file: name, more }) };
    let file = OpenFile { name, held: Held::own(opened) };
    let writing = Writing { target, options, dry_run: to.out.dry_run };
    match writing::write(file, writing, run)? {
        Some(written) => written.report(more, run),
        None => Ok(()),
    }
}

fn read(request: &Request, run: &Run<'_>) -> Result<AnyPatch> {
    let patch = AnyPatch::parse(&run.read(&request.patch)?)?;
    Ok(if request.reverse { patch.reversed() } else { patch })
}

fn apply(patch: &AnyPatch, input: &Input, run: &mut Run<'_>) -> Result<Applied> {
    let source = run.source(input)?;
    patch.apply(&Origin { source: &source, options: &run.options })
}

/// Returns the numbers of changes, by what became of them, in words.
fn summary(applied: &Applied, conflicts: usize) -> String {
    let counts = [
        (applied.made, "changed"),
        (applied.made_before, "as they are to be already"),
        (conflicts as u64, "in conflict"),
    ];
    let some = counts.iter().filter(|(count, _)| *count > 0);
    let some: Vec<String> = some.map(|(count, what)| format!("{count} {what}")).collect();
    let whose = if applied.same_file { "the file that the patch is for" } else { "another file" };
    let counts = if some.is_empty() { "no entry changed".to_owned() } else { some.join(", ") };
    format!("{whose}: {counts}")
}
