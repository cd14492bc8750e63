//! Writing a container to where it is to go.

use super::{
    Create, FileName, FileRef, NewFile, Turn,
    destination::Destination,
    handle::Handle,
    keeping::{self, Asked, KeepOptions},
    request::OutputOptions,
    run::{OpenFile, Run},
};
use crate::{
    Class, Error, Opened, Result, Severity, WriteOptions,
    check::lint,
    core::replace::Existing,
    open::codes,
    open::files::Nowhere,
    open::json::{self, Diagnostic},
};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Seek, Write};

/// Destination of an output, with how it takes its place.
pub(super) struct OutputDestination {
    pub(super) name: FileName,
    existing: Existing,
    follow_links: bool,
    /// The folder below which those on the way to the output are made.
    below: Option<FileName>,
    /// The turn to write to the input itself, from before it was read.
    turn: Option<Box<dyn Turn>>,
    /// The file of the session that is the input itself, and is what is written then.
    kept: Option<Handle>,
    /// Whether the history of the file is to have the edit, as far as there is one.
    step: Option<Asked>,
}

/// Way in which what is made of a file takes its place.
#[derive(Clone, Copy)]
pub(super) struct Onto<'a> {
    /// The output, where one is named.
    pub(super) output: Option<&'a FileName>,
    /// Whether the file itself is replaced.
    pub(super) in_place: bool,
    /// What is kept of the file that is replaced.
    pub(super) keep: &'a KeepOptions,
    pub(super) out: OutputOptions,
}

impl<'a> From<&'a Destination> for Onto<'a> {
    fn from(to: &'a Destination) -> Onto<'a> {
        let output = to.output.as_ref();
        Onto { output, in_place: to.in_place, keep: &to.keep, out: to.out }
    }
}

impl OutputDestination {
    /// An output that is no input.
    pub(super) fn new(name: FileName, out: &OutputOptions) -> OutputDestination {
        let (existing, follow_links) = (out.existing(), out.follow_links);
        OutputDestination {
            name,
            existing,
            follow_links,
            below: None,
            turn: None,
            kept: None,
            step: None,
        }
    }

    /// The same in this folder, in which the folders on the way are made.
    pub(super) fn below(self, folder: &FileName) -> OutputDestination {
        OutputDestination { below: Some(folder.clone()), ..self }
    }

    /// The same where it may not be there yet, whatever was asked for.
    pub(super) fn refusing(self) -> OutputDestination {
        OutputDestination { existing: Existing::Refuse, ..self }
    }

    /// Returns where a changed file goes; `Some(None)` where it is kept open and not written. `None` where the output cannot
    /// take its place, which is reported and counted.
    ///
    /// # Errors
    /// A handle that the session does not know.
    pub(super) fn of(
        to: &Destination,
        run: &mut Run<'_>,
    ) -> Result<Option<Option<OutputDestination>>> {
        let is_kept = matches!(to.file, FileRef::Open(_));
        if is_kept && to.output.is_none() && !to.in_place {
            return Ok(Some(None));
        }
        Ok(OutputDestination::over(&to.file, to.into(), run)?.map(Some))
    }

    /// An output for `input`, or `input` itself where that is to be changed in place. Then nobody else writes to it from now on,
    /// so this comes before reading. `None` where the output cannot take its place, which is reported and counted.
    ///
    /// # Errors
    /// A handle that the session does not know.
    pub(super) fn over(
        input: &FileRef,
        onto: Onto<'_>,
        run: &mut Run<'_>,
    ) -> Result<Option<OutputDestination>> {
        let Onto { output, in_place, keep, out } = onto;
        if output.is_some() && in_place {
            return Err(Error::new(&codes::BAD_REQUEST)
                .expected("one of `output` and `in_place`")
                .found("both"));
        }
        let kept = match input {
            FileRef::Open(handle) if in_place => Some(*handle),
            _ => None,
        };
        let input = run.file_name(input)?;
        let name = output.unwrap_or(&input);
        if !is_apart(&input, name, in_place, run) {
            return Ok(None);
        }
        let existing = match &keep.backup {
            Some(suffix) if in_place || out.force => Existing::Backup(suffix.into()),
            _ if in_place || out.force => Existing::Replace,
            _ => Existing::Refuse,
        };
        let turn = match in_place {
            true => run.files().turn(&input, out.force),
            false => Ok(None),
        };
        // Nobody else writes to it now.
        let turn = turn.and_then(|turn| match kept {
            Some(handle) if !run.session.is_as_read(handle) => {
                Err(Error::new(&codes::core::CHANGED).found(name.to_string()))
            }
            _ => Ok(turn),
        });
        match turn {
            Ok(turn) => Ok(Some(OutputDestination {
                existing,
                turn,
                kept,
                step: match (in_place, keep.history) {
                    (true, true) => Some(Asked::Now),
                    // Once a file has a history, that goes on.
                    (true, false) => Some(Asked::Before),
                    (false, _) => None,
                },
                ..OutputDestination::new(name.clone(), &out)
            })),
            Err(error) => {
                run.failed(&name.to_string(), error);
                Ok(None)
            }
        }
    }

    /// Begins the output; on a dry run it goes nowhere, and what cannot be written is refused as it would be.
    fn begin(self, is_dry_run: bool, run: &Run<'_>) -> Result<Box<dyn NewFile>> {
        let OutputDestination { name, existing, follow_links, below, turn, .. } = self;
        match turn {
            Some(turn) => {
                let new = turn.begin(existing)?;
                Ok(if is_dry_run { Box::new(Nowhere::default()) } else { new })
            }
            None => {
                let how = Create { existing, follow_links, below, is_dry_run };
                run.files().create(&name, how)
            }
        }
    }
}

/// Whether an output can take its place: not in place, and not when it would be the input. That is reported and counted.
pub(super) fn is_apart(
    input: &FileName,
    target: &FileName,
    in_place: bool,
    run: &mut Run<'_>,
) -> bool {
    let stdin = in_place && input.is_stream();
    if !stdin && (in_place || !run.files().is_same(input, target)) {
        return true;
    }
    let [expected, found] =
        if stdin { ["a file", "standard input"] } else { ["--in-place", "the input"] };
    let error = Error::new(&codes::core::BAD_TARGET).expected(expected).found(found);
    run.failed(&target.to_string(), error);
    false
}

/// Destination of a container that is written in any order.
pub(super) trait SeekableOutput: Write + Seek {}

impl<T: Write + Seek> SeekableOutput for T {}

/// An output that waits to take its place; nothing on a dry run.
pub(super) struct Waiting {
    name: FileName,
    new: Option<Box<dyn NewFile>>,
    kept: Option<Handle>,
    step: Option<Asked>,
}

impl Waiting {
    /// Lets it take its place, and reports what of the old file it could not keep. Let go of every byte of that before: a mapped
    /// file cannot be replaced on every system.
    pub(super) fn commit(self, run: &mut Run<'_>) -> Result<()> {
        let Waiting { name, new, kept, step } = self;
        let Some(mut new) = new else { return Ok(()) };
        let history = match step {
            Some(asked) => keeping::recorded(&name, &mut *new, asked, run)?,
            None => None,
        };
        Waiting { name, new: Some(new), kept, step }.commit_with(history, run)
    }

    /// The same with the history that the file has then, which takes its place behind it: where the one is not reached, a history that
    /// does not fit the file says so.
    pub(super) fn commit_with(
        self,
        history: Option<Box<dyn NewFile>>,
        run: &mut Run<'_>,
    ) -> Result<()> {
        let Some(new) = self.new else { return Ok(()) };
        let mut lost = new.commit()?;
        let name = self.name.to_string();
        if let Some(history) = history {
            lost.extend(history.commit()?);
        }
        run.report(&name, &lost);
        // What is open of it is what was written from now on, whatever became of it on the way.
        if let Some(Err(error)) = self.kept.map(|handle| run.session.reopen(handle)) {
            run.failed(&name, error);
        }
        Ok(())
    }
}

/// Makes an output of what `work` writes, in any order; nowhere on a dry run. It waits to take its place then.
pub(super) fn make<T>(
    target: OutputDestination,
    dry_run: bool,
    run: &Run<'_>,
    work: impl FnOnce(&mut dyn SeekableOutput) -> Result<T>,
) -> Result<(T, Waiting)> {
    let (name, kept, step) = (target.name.clone(), target.kept, target.step);
    let mut new = target.begin(dry_run, run)?;
    let value = work(&mut new)?;
    Ok((value, Waiting { name, new: Some(new).filter(|_| !dry_run), kept, step }))
}

/// Settings for writing a container.
pub(super) struct Writing {
    pub(super) target: OutputDestination,
    pub(super) options: WriteOptions,
    pub(super) dry_run: bool,
}

/// A file that was written.
pub(super) struct WrittenFile {
    pub(super) file: String,
    pub(super) output: FileName,
    pub(super) size: u64,
    /// Findings of the work, as JSON has them.
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) dry_run: bool,
}

impl WrittenFile {
    /// Hands out the row of a verb that wrote one file, with more fields at its end. What went to standard output has none,
    /// where it would be in the way.
    pub(super) fn report<M: Serialize>(self, more: M, run: &mut Run<'_>) -> Result<()> {
        let WrittenFile { file, output, size, diagnostics, dry_run } = self;
        if !has_row(&output, dry_run) {
            return Ok(());
        }
        run.row(&WrittenRow { file, output: output.to_string(), size, diagnostics, dry_run, more })
    }
}

/// Whether there is a row of an output: where it went to standard output, the row would be in the way.
pub(super) fn has_row(output: &FileName, dry_run: bool) -> bool {
    dry_run || !output.is_stream()
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WrittenRow<M> {
    /// The file that was read.
    pub file: String,
    /// The file that was written.
    pub output: String,
    /// Size of the file in bytes.
    pub size: u64,
    /// Findings: errors, warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether nothing was written.
    pub dry_run: bool,
    /// Further fields of the verb.
    #[serde(flatten)]
    pub more: M,
}

/// A file of which nothing was written.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RefusedRow<M> {
    /// The file that was read.
    pub file: String,
    /// Null: nothing was written.
    pub output: Option<()>,
    /// Further fields of the verb.
    #[serde(flatten)]
    pub more: M,
}

/// A file that stays open in the session: it is changed, and not written.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OpenRow<M> {
    /// The file.
    pub file: String,
    /// Further fields of the verb.
    #[serde(flatten)]
    pub more: M,
}

/// A file that a verb changed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ChangedRow<M> {
    /// The file was written.
    Written(WrittenRow<M>),
    /// The file stays open in the session.
    Open(OpenRow<M>),
}

/// Nothing beside what every verb says of a file that it wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NoMore {}

/// Reads and checks everything before it is written. What is damaged is carried through, and said; what games may not
/// like of sound content is not, which is for `lint`. Returns whether there is anything to write.
pub(super) fn check(file: &str, opened: &mut Opened, run: &mut Run<'_>) -> bool {
    let checked = opened.run(|container, task| container.verify(task));
    let mut findings = opened.take_findings();
    findings.findings.retain(|finding| {
        let code = finding.error.code();
        let is_rule = lint::rule(code.id).is_ok() && !lint::is_lost(code);
        finding.severity == Severity::Error || !is_rule
    });
    run.settle(file, &findings);
    match checked {
        Ok(()) => true,
        Err(error) => {
            run.failed(file, error);
            false
        }
    }
}

/// Writes a container. `None` where that failed, which is reported and counted.
///
/// # Errors
/// That the reader of standard output went away.
pub(super) fn write(
    mut file: OpenFile<'_>,
    writing: Writing,
    run: &mut Run<'_>,
) -> Result<Option<WrittenFile>> {
    let Writing { target, options, dry_run } = writing;
    let output = target.name.clone();
    let opened = file.held.get()?;
    let made = make(target, dry_run, run, |mut out| {
        opened.run(|container, task| container.write(&mut out, &options, task))?;
        Ok(out.stream_position()?)
    });
    let findings = opened.take_findings();
    let OpenFile { name: file, held } = file;
    held.release();
    let size = committed(made, run);
    run.settle(&file, &findings);
    match size {
        Ok(size) => {
            let diagnostics = findings.findings.iter().map(json::finding).collect();
            Ok(Some(WrittenFile { file, output, size, diagnostics, dry_run }))
        }
        Err(error) => refused(&file, &output, error, run).map(|()| None),
    }
}

/// Lets what was made take its place; gives what came of making it.
pub(super) fn committed<T>(made: Result<(T, Waiting)>, run: &mut Run<'_>) -> Result<T> {
    let (value, waiting) = made?;
    waiting.commit(run)?;
    Ok(value)
}

/// Reports and counts why a file could not be written, of the input or the output, whichever it is about.
///
/// # Errors
/// That the reader of standard output went away, which ends the verb.
pub(super) fn refused(
    file: &str,
    output: &FileName,
    error: Error,
    run: &mut Run<'_>,
) -> Result<()> {
    if error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        return Err(error);
    }
    let outputs = [codes::core::EXISTS.id, codes::core::BAD_TARGET.id];
    match error.code().class == Class::Io || outputs.contains(&error.code().id) {
        true => run.failed(&output.to_string(), error),
        false => run.failed(file, error),
    }
    Ok(())
}
