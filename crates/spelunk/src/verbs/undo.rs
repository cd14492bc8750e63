//! Edits of a history, taken back and made again.

use super::{
    FileRef,
    handle::Handle,
    history::{UNKEPT, kept},
    input::Input,
    keeping::{KeepOptions, plain, waiting},
    output::{Outcome, Output},
    request::OutputOptions,
    run::Run,
    session::Session,
    writing::{self, ChangedRow, Onto, OpenRow, OutputDestination, WrittenRow},
};
use crate::{
    Error, Opened, Result, Source,
    compare::history::{History, Way},
    open::{codes, hashes::read_all, skeleton::Origin},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{num::NonZeroUsize, sync::Arc};

/// Take edits in place back
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file, which is replaced
    #[cfg_attr(feature = "clap", arg(value_name = "FILE"))]
    pub file: FileRef,
    /// Number of edits
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value = "1"))]
    pub steps: NonZeroUsize,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

impl Default for Request {
    fn default() -> Request {
        let (file, out) = (FileRef::default(), OutputOptions::default());
        Request { file, steps: NonZeroUsize::MIN, out }
    }
}

/// Edits that were taken back, or made again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StepsRow {
    /// What was asked for in these edits, in the order in which they were taken back or made again.
    pub labels: Vec<String>,
    /// Number of edits that can be taken back now.
    pub done: usize,
    /// Number of edits that can be made again now.
    pub undone: usize,
}

/// Takes the last edits of a file back. A file that the session keeps open stays open, as it was before them.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    walk(Way::Undo, Run::new("undo", session, out), request)
}

/// Makes edits again that were taken back.
///
/// # Errors
/// Those of the output.
pub fn redo(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    walk(Way::Redo, Run::new("redo", session, out), request)
}

fn walk(way: Way, mut run: Run<'_>, request: &Request) -> Result<Outcome> {
    let file = run.name(&request.file)?;
    let walked = match &request.file {
        FileRef::Open(handle) => open(way, *handle, request, &mut run),
        FileRef::Name(_) => replaced(way, request, &mut run),
    };
    match walked {
        Ok(Some(row)) => {
            let (ChangedRow::Written(WrittenRow { more, .. })
            | ChangedRow::Open(OpenRow { more, .. })) = &row;
            let what = if way == Way::Undo { "taken back" } else { "made again" };
            more.labels.iter().for_each(|label| run.note(&format!("{what}: {label}")));
            run.row(&row)?;
        }
        Ok(None) => {}
        Err(error) => {
            let is_unkept = error.code() == &codes::NO_STEP
                && kept(&request.file, &run).is_ok_and(|history| history.steps().len() == 0);
            run.failed(&file, error);
            if is_unkept {
                unkept(&file, request, &mut run)?;
            }
        }
    }
    run.finish()
}

/// Says why a file has no history: no verb edits files of its format in place, or none was asked to keep one.
fn unkept(file: &str, request: &Request, run: &mut Run<'_>) -> Result<()> {
    let opened = run.try_open(&Input::named(&request.file))?;
    let profile = match opened {
        Ok(mut opened) => Some(opened.held.get()?.container().profile()),
        Err(_) => None,
    };
    match profile.filter(|profile| profile.instead("undo").is_some()) {
        Some(profile) => run.instead(profile),
        None => run.note(&format!("{file}: {UNKEPT}")),
    }
    Ok(())
}

/// A file that steps lead to, with the history as it is then.
struct Walked {
    source: Arc<dyn Source>,
    history: History,
    row: StepsRow,
}

/// Goes so many steps from a file, in memory.
fn steps(way: Way, request: &Request, run: &Run<'_>) -> Result<Walked> {
    let mut history = kept(&request.file, run)?;
    let mut source = run.source(&Input::named(&request.file))?;
    let options = plain(run.session);
    let mut labels = Vec::new();
    for nth in 0..request.steps.get() {
        let Some(step) = history.next(way) else {
            let counted = |count: usize| {
                if count == 1 { "1 edit".to_owned() } else { format!("{count} edits") }
            };
            // Where the file is another one, that is why.
            if labels.is_empty() && !history.fits(&*source)? {
                return Err(Error::new(&codes::HISTORY_CHANGED));
            }
            let (wanted, known) = (counted(request.steps.get()), counted(nth));
            return Err(Error::new(&codes::NO_STEP).expected(wanted).found(known));
        };
        labels.push(step.label.clone());
        let origin = Origin { source: &source, options: &options };
        source = history.made(way, &origin)?.unwrap_or(source);
        history.go(way);
    }
    let row = StepsRow { labels, done: history.done(), undone: history.undone() };
    Ok(Walked { source, history, row })
}

/// A file that the session keeps open.
fn open(
    way: Way,
    handle: Handle,
    request: &Request,
    run: &mut Run<'_>,
) -> Result<Option<ChangedRow<StepsRow>>> {
    let Walked { source, history, row: more } = steps(way, request, run)?;
    let file = run.name(&request.file)?;
    if !request.out.dry_run {
        let mut held = run.session.lend(handle)?;
        let opened = held.get()?;
        *opened = Opened::open(source, &opened.options().clone())?;
        run.session.with_history(handle, |kept| {
            *kept = history;
            Ok(())
        })?;
    }
    Ok(Some(ChangedRow::Open(OpenRow { file, more })))
}

/// A file that is replaced. `None` where it cannot be, which is reported and counted.
fn replaced(
    way: Way,
    request: &Request,
    run: &mut Run<'_>,
) -> Result<Option<ChangedRow<StepsRow>>> {
    let (keep, out) = (KeepOptions::default(), request.out);
    let onto = Onto { output: None, in_place: true, keep: &keep, out };
    let Some(target) = OutputDestination::over(&request.file, onto, run)? else { return Ok(None) };
    let (name, dry_run) = (target.name.clone(), request.out.dry_run);
    let Walked { source, history, row: more } = steps(way, request, run)?;
    let (size, new) = writing::make(target, dry_run, run, |out| {
        let mut written = Ok(());
        read_all(&*source, run.options.cancel.as_ref(), &mut |part| {
            if written.is_ok() {
                written = out.write_all(part);
            }
        })?;
        written?;
        Ok(source.len())
    })?;
    // Nothing of the old file is held when the new one takes its place.
    drop(source);
    if !dry_run {
        let history = waiting(&name, &history, run.files())?;
        new.commit_with(Some(history), run)?;
    }
    let (file, diagnostics) = (name.to_string(), Vec::new());
    let output = file.clone();
    Ok(Some(ChangedRow::Written(WrittenRow { file, output, size, diagnostics, dry_run, more })))
}
