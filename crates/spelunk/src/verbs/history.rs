//! The edits of a file that its history has.

use super::{
    FileRef,
    keeping::{history_beside, plain},
    output::{Outcome, Output},
    run::Run,
    session::Session,
};
use crate::{Error, Result, compare::history::History, open::codes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a file has no history.
pub(super) const UNKEPT: &str = "no edit is kept; edits in place keep theirs with --history, or always where SPELUNK_HISTORY=1 is set";

/// Edits that can be taken back
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file
    #[cfg_attr(feature = "clap", arg(value_name = "FILE"))]
    pub file: FileRef,
    /// Print the patch of this step, counted from 1, in place of the list; `patch` takes it. With --json the row of the step has it
    #[cfg_attr(feature = "clap", arg(long, value_name = "STEP"))]
    pub patch: Option<usize>,
}

/// Where a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StepState {
    /// It is in the file, and `undo` takes it back.
    Done,
    /// It was taken back, and `redo` makes it again.
    Undone,
}

/// A step.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Row<'a> {
    /// The file.
    pub file: &'a str,
    /// Number of the step, counted from 1, which is the oldest one that is kept.
    pub step: usize,
    /// Where it stands.
    pub state: StepState,
    /// Time of the edit in UTC, as RFC 3339 has it; null where there was no clock.
    pub time: Option<&'a str>,
    /// What was asked for.
    pub label: &'a str,
    /// Size of the file before it in bytes.
    pub old_size: u64,
    /// Size of the file after it in bytes.
    pub new_size: u64,
    /// The patch from the file before it to the one after it, where it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub patch: Option<&'a serde_json::value::RawValue>,
}

/// Hands out a row for each step of the history of a file, the oldest first.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("history", session, out);
    let file = run.name(&request.file)?;
    if let Err(error) = list(&file, request, &mut run) {
        if !run.is_taken() {
            return Err(error);
        }
        run.unopened(&file, error);
    }
    run.finish()
}

fn list(file: &str, request: &Request, run: &mut Run<'_>) -> Result<()> {
    let history = kept(&request.file, run)?;
    run.begin(file, false, &[])?;
    for (nth, step) in history.steps().enumerate() {
        let number = nth.saturating_add(1);
        if request.patch.is_some_and(|wanted| wanted != number) {
            continue;
        }
        let state = if nth < history.done() { StepState::Done } else { StepState::Undone };
        run.row(&Row {
            file,
            step: number,
            state,
            time: step.time.as_deref(),
            label: &step.label,
            old_size: step.old.size,
            new_size: step.new.size,
            patch: request.patch.map(|_| step.patch_text()),
        })?;
    }
    run.end()?;
    let known = history.steps().len();
    if let Some(step) = request.patch.filter(|step| *step == 0 || *step > known) {
        return Err(Error::new(&codes::NO_STEP).expected(format!("a step of {known}")).found(step));
    }
    if known == 0 {
        run.note(&format!("{file}: {UNKEPT}"));
        return Ok(());
    }
    let now = run.source(&super::input::Input::named(&request.file))?;
    if !history.fits(&*now)? {
        run.note(&format!(
            "{file}: something else changed the file since, so these edits cannot be taken back or made again"
        ));
    }
    Ok(())
}

/// The history of a file, which is empty where there is none.
pub(super) fn kept(file: &FileRef, run: &Run<'_>) -> Result<History> {
    match file {
        FileRef::Open(handle) => run.session.with_history(*handle, |history| Ok(history.clone())),
        FileRef::Name(name) => {
            let history = history_beside(name, run.files(), &plain(run.session))?;
            Ok(history.unwrap_or_default())
        }
    }
}
