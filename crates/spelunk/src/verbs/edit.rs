//! A file that is changed, and where the changed one goes: what the verbs that change entries share.

use super::{
    FileName, FileRef,
    destination::Destination,
    input::Input,
    keeping::BeforeEdit,
    listing::ManyFiles,
    run::Run,
    session::Held,
    writing::{self, OpenRow, OutputDestination, Writing},
};
use crate::{
    Bytes, Error, Opened, Result, WriteOptions,
    edit::batch::{Batch, Outcome},
    entries::lookup,
    open::codes,
};
use serde::Serialize;
use std::io;

/// Opens the file, changes it, and writes it to where it is to go. A file that the session keeps open stays changed; where no
/// output is named for one it is not written. `change` reports and counts what goes wrong; it returns the further fields of the
/// row, or `None` where there is nothing to write.
pub(super) fn with_file<M: Serialize>(
    to: &Destination,
    run: &mut Run<'_>,
    mut change: impl FnMut(&str, &mut Opened, &mut Run<'_>) -> Result<Option<M>>,
) -> Result<()> {
    with_input(to, None, &Input::named(&to.file), run, &mut change)
}

/// The same with many files, where a folder is to be gone through or a list names them.
pub(super) fn with_files<M: Serialize>(
    to: &Destination,
    many: &ManyFiles<'_>,
    run: &mut Run<'_>,
    mut change: impl FnMut(&str, &mut Opened, &mut Run<'_>) -> Result<Option<M>>,
) -> Result<()> {
    let Some(inputs) = run.many(&to.file, many)? else {
        return with_file(to, run, change);
    };
    run.passes_unmatched = true;
    let mut is_changed = false;
    run.plan(&inputs);
    for input in &inputs {
        let output = to.output.as_ref().map(|folder| folder.join(input.within.as_os_str()));
        let own = Destination { file: input.file.clone(), output, ..to.clone() };
        let mut change = |file: &str, opened: &mut Opened, run: &mut Run<'_>| {
            let changed = change(file, opened, run)?;
            is_changed |= changed.is_some();
            Ok(changed)
        };
        with_input(&own, to.output.as_ref(), input, run, &mut change)?;
        run.advance();
    }
    if !is_changed {
        run.note("no file has anything of what is named, so none is changed");
    }
    Ok(())
}

/// Changes one file. Where it is written below a folder, folders on the way are made.
fn with_input<M: Serialize>(
    to: &Destination,
    folder: Option<&FileName>,
    input: &Input,
    run: &mut Run<'_>,
    change: &mut impl FnMut(&str, &mut Opened, &mut Run<'_>) -> Result<Option<M>>,
) -> Result<()> {
    let Some(target) = OutputDestination::of(to, run)? else { return Ok(()) };
    let Some(mut file) = run.open(input)? else { return Ok(()) };
    if to.out.dry_run && matches!(to.file, FileRef::Open(_)) {
        // Nothing of it stays with the file that is open.
        file.held = Held::own(file.held.get()?.fork()?);
    }
    let opened = file.held.get()?;
    if !writing::check(&file.name, opened, run) {
        return Ok(());
    }
    let before = match to.out.dry_run || target.is_some() {
        true => None,
        false => BeforeEdit::of(&to.file, &to.keep, opened)?,
    };
    let Some(more) = change(&file.name, opened, run)? else { return Ok(()) };
    if let Some(before) = before
        && let Err(error) = before.record(opened, run)
    {
        run.failed(&file.name, error);
        return Ok(());
    }
    let Some(target) = target else { return run.row(&OpenRow { file: file.name, more }) };
    let target = match folder {
        Some(folder) => target.below(folder),
        None => target,
    };
    let writing = Writing { target, options: WriteOptions::default(), dry_run: to.out.dry_run };
    match writing::write(file, writing, run)? {
        Some(written) => written.report(more, run),
        None => Ok(()),
    }
}

/// A line of a list, with the list and its number there.
pub(super) struct ListLine {
    pub(super) of: String,
    pub(super) text: String,
}

/// The lines of a list of changes or paths, where one is named. `None` where it cannot be read, which is reported and counted.
pub(super) fn lines(
    from: Option<&FileName>,
    to: &Destination,
    run: &mut Run<'_>,
) -> Option<Vec<ListLine>> {
    let Some(from) = from else { return Some(Vec::new()) };
    match text(from, to, run) {
        Ok(text) => {
            let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty());
            let line = |(nth, line): (usize, &str)| ListLine {
                of: format!("{from}:{}", nth.saturating_add(1)),
                text: line.to_owned(),
            };
            Some(lines.map(line).collect())
        }
        Err(error) => {
            run.failed(&from.to_string(), error);
            None
        }
    }
}

fn text(from: &FileName, to: &Destination, run: &Run<'_>) -> Result<String> {
    let text = String::from_utf8(read_beside(from, to, run)?.to_vec());
    text.map_err(|error| Error::io(io::Error::new(io::ErrorKind::InvalidData, error)))
}

/// The bytes of a file that is read beside the one to change. Only one of them can be standard input.
fn read_beside(from: &FileName, to: &Destination, run: &Run<'_>) -> Result<Bytes> {
    if from.is_stream() && to.file == from.as_os_str().into() {
        return Err(Error::new(&codes::core::BAD_TARGET)
            .expected("standard input for one of FILE and --from")
            .found("standard input for both"));
    }
    run.read(from)
}

/// The bytes of a file that goes into another one. `None` where it cannot be read, which is reported and counted.
pub(super) fn content(name: &FileName, to: &Destination, run: &mut Run<'_>) -> Option<Bytes> {
    match read_beside(name, to, run) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            run.failed(&name.to_string(), error);
            None
        }
    }
}

/// The paths of the entries that a path or a glob means, and says how many a glob is. `None` where they cannot be looked for, which
/// is reported and counted.
pub(super) fn matching(
    file: &str,
    opened: &mut Opened,
    path: &str,
    run: &mut Run<'_>,
) -> Option<Vec<String>> {
    match lookup::matching(opened, path) {
        Ok(entries) => {
            if entries.len() > 1 {
                run.note(&format!("{file}: `{path}` matches {} entries", entries.len()));
            }
            Some(entries)
        }
        Err(error) => {
            run.failed(file, error);
            None
        }
    }
}

/// Makes all changes to the container; reports and counts what goes wrong.
pub(super) fn edited(
    file: &str,
    opened: &mut Opened,
    batch: &Batch,
    run: &mut Run<'_>,
) -> Option<Outcome> {
    let outcome = batch.apply(opened);
    run.settle(file, &opened.take_findings());
    match outcome {
        Ok(outcome) => Some(outcome),
        // Not every file of many has what is changed.
        Err(error) if run.passes_unmatched && error.code() == &codes::core::NOT_FOUND => None,
        Err(error) => {
            run.failed(file, lookup::listed_by(file, error));
            None
        }
    }
}
