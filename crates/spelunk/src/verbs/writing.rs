//! Writing a container to where it is to go.

use super::{
    edit::Destination,
    files::{Create, FileName, FileRef, NewFile, Turn},
    run::{OpenFile, Run},
};
use crate::{
    Class, Collect, Error, Opened, Result, Severity, WriteOptions, codes, json, lint,
    replace::Existing,
};
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{self, Write};

/// Where an output goes, and how it takes its place.
pub(super) struct Target {
    pub(super) name: FileName,
    existing: Existing,
    follow_links: bool,
    /// The turn to write to the input itself, from before it was read.
    turn: Option<Box<dyn Turn>>,
}

impl Target {
    /// Where a changed file goes; `Some(None)` where it is kept open and not to be written. `None` where the output cannot take
    /// its place, which is told and counted.
    ///
    /// # Errors
    /// A handle that the session does not know.
    pub(super) fn of(to: &Destination, run: &mut Run<'_>) -> Result<Option<Option<Target>>> {
        let input = match &to.file {
            FileRef::Name(name) => name.clone(),
            FileRef::Open(handle) => run.session.name_of(*handle)?,
        };
        let is_kept = matches!(to.file, FileRef::Open(_));
        if is_kept && to.output.is_none() && !to.in_place {
            return Ok(Some(None));
        }
        let name = to.output.clone().unwrap_or_else(|| input.clone());
        if let Err(error) = apart(&input, &name, to.in_place, run) {
            run.failed(&name.to_string(), error);
            return Ok(None);
        }
        let existing = match &to.backup {
            Some(suffix) if to.in_place || to.out.force => Existing::Backup(suffix.into()),
            _ if to.in_place || to.out.force => Existing::Replace,
            _ => Existing::Refuse,
        };
        let turn = match to.in_place {
            true => run.session.files().turn(&input, to.out.force),
            false => Ok(None),
        };
        match turn {
            Ok(turn) => {
                Ok(Some(Some(Target { name, existing, follow_links: to.out.follow_links, turn })))
            }
            Err(error) => {
                run.failed(&name.to_string(), error);
                Ok(None)
            }
        }
    }

    /// Begins the output.
    fn begin(&mut self, run: &Run<'_>) -> Result<Box<dyn NewFile>> {
        let existing = self.existing.clone();
        match self.turn.take() {
            Some(turn) => turn.begin(existing),
            None => {
                let create = Create { existing, follow_links: self.follow_links };
                run.session.files().create(&self.name, create)
            }
        }
    }
}

/// Whether an output can take its place: not in place, and not when it would be the input.
fn apart(input: &FileName, target: &FileName, in_place: bool, run: &Run<'_>) -> Result<()> {
    let stdin = in_place && input.is_stream();
    if !stdin && (in_place || !run.session.files().is_same(input, target)) {
        return Ok(());
    }
    let [expected, found] =
        if stdin { ["a file", "standard input"] } else { ["--in-place", "the input"] };
    Err(Error::new(&codes::core::BAD_TARGET).expected(expected).found(found))
}

/// How a container is written.
pub(super) struct Writing {
    pub(super) target: Target,
    pub(super) options: WriteOptions,
    pub(super) dry_run: bool,
}

/// What was written.
pub(super) struct Written {
    pub(super) size: u64,
    /// What was noticed meanwhile, as JSON has it.
    pub(super) diagnostics: Vec<Value>,
}

/// The row of a verb that wrote one file.
#[derive(Serialize)]
pub(super) struct Row<'a> {
    pub(super) file: &'a str,
    pub(super) output: &'a str,
    pub(super) size: u64,
    pub(super) diagnostics: Vec<Value>,
    pub(super) dry_run: bool,
    #[serde(flatten)]
    pub(super) more: Map<String, Value>,
}

/// Reads and checks everything before it is written. What is damaged is carried through, and said; what games may not
/// like of sound content is not, which is for `lint`. Tells whether there is anything to write.
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

/// Writes a container. `None` where that failed, which is told and counted.
///
/// # Errors
/// That the reader of standard output went away.
pub(super) fn write(
    file: OpenFile<'_>,
    mut writing: Writing,
    run: &mut Run<'_>,
) -> Result<Option<Written>> {
    let (name, target) = (file.name.clone(), writing.target.name.to_string());
    let mut findings = Collect::default();
    let written = put(file, &mut writing, &mut findings, run);
    run.settle(&name, &findings);
    match written {
        Ok(size) => {
            let diagnostics = findings.findings.iter().map(json::finding).collect();
            Ok(Some(Written { size, diagnostics }))
        }
        Err(error) if is_closed_pipe(&error) => Err(error),
        Err(error) => {
            let outputs = [codes::core::EXISTS.id, codes::core::BAD_TARGET.id];
            let about_output =
                error.code().class == Class::Io || outputs.contains(&error.code().id);
            run.failed(if about_output { &target } else { &name }, error);
            Ok(None)
        }
    }
}

/// Whether an error is that the reader of standard output went away.
fn is_closed_pipe(error: &Error) -> bool {
    error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Writes the file to its target, or nowhere on a dry run; tells how many bytes that are.
fn put(
    mut file: OpenFile<'_>,
    writing: &mut Writing,
    findings: &mut Collect,
    run: &mut Run<'_>,
) -> Result<u64> {
    // On a dry run too: what cannot be written is refused then as well. Dropping it leaves nothing.
    let mut new = writing.target.begin(run)?;
    let mut counted = Counted { out: None, bytes: 0 };
    if !writing.dry_run {
        counted.out = Some(&mut *new);
    }
    let opened = file.held.get()?;
    let written =
        opened.run(|container, task| container.write(&mut counted, &writing.options, task));
    let bytes = counted.bytes;
    *findings = opened.take_findings();
    // A mapped file cannot be replaced on every system: let go of it first.
    file.held.release();
    written?;
    if !writing.dry_run {
        let lost = new.commit()?;
        run.tell("", &lost);
    }
    Ok(bytes)
}

/// Counts the bytes that are written through it, to somewhere or nowhere.
struct Counted<'a> {
    out: Option<&'a mut dyn NewFile>,
    bytes: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.out {
            Some(out) => out.write(bytes)?,
            None => bytes.len(),
        };
        self.bytes = self.bytes.saturating_add(written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), |out| out.flush())
    }
}
