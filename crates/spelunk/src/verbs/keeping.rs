//! What is kept of a file that is replaced or changed: a copy of it, or a history of edits that can be taken back.

use super::{
    FileName, FileRef, Files, NewFile,
    handle::Handle,
    run::Run,
    session::{Session, reading},
};
use crate::{
    Error, Finding, Opened, Options, Result, Severity, Source,
    compare::history::{History, MAX_SIZE, Recorded},
    core::{replace::Existing, text::human},
    open::{codes, files::Create, skeleton::Origin},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{io::Write, sync::Arc};

/// What stands behind the name of a file in that of its history.
const SUFFIX: &str = ".history";

// To the command, a documentation comment here would be what the verb is about.
#[cfg_attr(not(feature = "clap"), doc = "What is kept of a file that is changed in place.")]
#[cfg_attr(feature = "clap", allow(missing_docs))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct KeepOptions {
    /// Keep the replaced file under its name with this suffix; with --in-place or --force
    #[cfg_attr(feature = "clap", arg(long, value_name = "SUFFIX", value_parser = suffix, num_args = 0..=1, default_missing_value = ".bak", require_equals = true))]
    pub backup: Option<String>,
    /// Keep the edit in a file beside it (FILE.history), so that `undo` takes it back, and those after it; with --in-place
    #[cfg_attr(feature = "clap", arg(long, env = "SPELUNK_HISTORY", hide_env_values = true, value_parser = clap::builder::BoolishValueParser::new()))]
    pub history: bool,
}

/// Reads the suffix of a backup.
#[cfg(feature = "clap")]
fn suffix(text: &str) -> std::result::Result<String, String> {
    if text.is_empty() || text.contains(['/', '\\']) {
        return Err("a suffix such as .bak, without a folder".to_owned());
    }
    Ok(text.to_owned())
}

/// The name of the history of a file.
pub(super) fn history_name(file: &FileName) -> FileName {
    let mut name = file.as_os_str().to_owned();
    name.push(SUFFIX);
    name.into()
}

/// The history that lies beside a file; `None` where there is none. Web servers take none, and are not asked.
pub(super) fn history_beside(
    file: &FileName,
    files: &dyn Files,
    options: &Options,
) -> Result<Option<History>> {
    let name = history_name(file);
    if is_elsewhere(file) {
        return Ok(None);
    }
    let Some(len) = files.len(&name) else { return Ok(None) };
    if len > MAX_SIZE.saturating_mul(2) {
        return Err(Error::new(&codes::BAD_HISTORY).found(human(len)));
    }
    let text = files.read(&name, reading(options), &mut options.budget(len))?;
    History::parse(&text).map(Some)
}

/// A history that waits to take its place beside the file that it is of.
pub(super) fn waiting(
    file: &FileName,
    history: &History,
    files: &dyn Files,
) -> Result<Box<dyn NewFile>> {
    let name = history_name(file);
    let mut new = match files.turn(&name, true)? {
        Some(turn) => turn.begin(Existing::Replace)?,
        None => files.create(&name, Create::default())?,
    };
    new.write_all(&history.text()?)?;
    Ok(new)
}

/// When it was asked for that the edits of a file are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// With this edit.
    Now,
    /// With one before it, if there is a history.
    Before,
}

/// Keeps the edit that makes `new` of a file, before that takes its place; gives the history that waits for its own. `None` where
/// nothing was changed, and where no history is wanted. A history that was there before and cannot go on is a warning.
pub(super) fn recorded(
    file: &FileName,
    new: &mut dyn NewFile,
    asked: Asked,
    run: &mut Run<'_>,
) -> Result<Option<Box<dyn NewFile>>> {
    if asked == Asked::Now {
        return continued(file, new, run);
    }
    if !has_history(file, run.files()) {
        return Ok(None);
    }
    match continued(file, new, run) {
        Err(error) if !error.ends_work() => {
            run.report(&file.to_string(), &[Finding { severity: Severity::Warning, error }]);
            Ok(None)
        }
        kept => kept,
    }
}

/// Whether a file has a history beside it. Servers are not asked whether there is one.
pub(super) fn has_history(file: &FileName, files: &dyn Files) -> bool {
    let is_here = !file.is_stream() && file.as_url().is_none();
    is_here && files.len(&history_name(file)).is_some()
}

/// Whether nothing can be put beside a file.
fn is_elsewhere(file: &FileName) -> bool {
    file.is_stream() || file.as_url().is_some_and(|url| url.starts_with("http"))
}

fn continued(
    file: &FileName,
    new: &mut dyn NewFile,
    run: &mut Run<'_>,
) -> Result<Option<Box<dyn NewFile>>> {
    let options = plain(run.session);
    let files = run.shared_files();
    let (old, new) = (files.open(file, reading(&options))?, new.written()?);
    let mut history = history_beside(file, &*files, &options)?.unwrap_or_default();
    let recorded = record(&mut history, &old, &new, &options, run)?;
    match recorded {
        Recorded::Nothing => Ok(None),
        _ => waiting(file, &history, &*files).map(Some),
    }
}

/// Takes an edit up, and says what of the history goes for it.
fn record(
    history: &mut History,
    old: &Arc<dyn Source>,
    new: &Arc<dyn Source>,
    options: &Options,
    run: &mut Run<'_>,
) -> Result<Recorded> {
    let time = run.files().now().map(|now| humantime::format_rfc3339_seconds(now).to_string());
    let [old, new] = [old, new].map(|source| Origin { source, options });
    let recorded = history.record(run.label(), time, &old, &new)?;
    match recorded {
        Recorded::Anew => run.note(
            "the history begins anew: the file is not the one that the last edit of its history made",
        ),
        Recorded::TooLarge => run.note(&format!(
            "this edit cannot be taken back: a history has {} at the most, and begins anew",
            human(MAX_SIZE)
        )),
        Recorded::Step { dropped: 0 } | Recorded::Nothing => {}
        Recorded::Step { dropped } => {
            run.note(&format!("the oldest steps of the history went for this one: {dropped}"));
        }
    }
    Ok(recorded)
}

/// The options by which a file is opened as it is, whatever else is asked for.
pub(super) fn plain(session: &Session) -> Options {
    Options { revision: None, ..session.options().clone() }
}

/// A file that the session keeps open, as it was before an edit that its history is to have.
pub(super) struct BeforeEdit {
    handle: Handle,
    source: Arc<dyn Source>,
}

impl BeforeEdit {
    /// Takes note of the file; `None` where no history is kept of it.
    pub(super) fn of(
        file: &FileRef,
        keep: &KeepOptions,
        opened: &mut Opened,
    ) -> Result<Option<BeforeEdit>> {
        Ok(match file {
            FileRef::Open(handle) if keep.history => {
                Some(BeforeEdit { handle: *handle, source: opened.bytes_now()? })
            }
            _ => None,
        })
    }

    /// Keeps the edit. Where that cannot be done, there was none.
    pub(super) fn record(self, opened: &mut Opened, run: &mut Run<'_>) -> Result<()> {
        let options = plain(run.session);
        let kept = opened.bytes_now().and_then(|new| {
            let session = run.session;
            session.with_history(self.handle, |history| {
                record(history, &self.source, &new, &options, run)
            })
        });
        if let Err(error) = kept {
            *opened = Opened::open(self.source, &opened.options().clone())?;
            return Err(error);
        }
        Ok(())
    }
}

/// Puts another state in the place of a file that the session keeps open, and keeps that in its history where that is asked for.
pub(super) fn put_open(
    handle: Handle,
    new: Opened,
    keep: &KeepOptions,
    run: &mut Run<'_>,
) -> Result<()> {
    let mut held = run.session.lend(handle)?;
    let opened = held.get()?;
    let before = BeforeEdit::of(&FileRef::Open(handle), keep, opened)?;
    *opened = new;
    before.map_or(Ok(()), |before| before.record(opened, run))
}
