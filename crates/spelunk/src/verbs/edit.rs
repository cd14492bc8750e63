//! A file that is changed, and where the changed one goes: what the verbs that change entries share.

use super::{
    FileName, FileRef,
    destination::Destination,
    input::Input,
    run::{Run, listed_by},
    session::Held,
    writing::{self, OpenRow, OutputDestination, Writing},
};
use crate::{
    Bytes, Error, Opened, Result, WriteOptions,
    edit::batch::{Batch, Outcome},
    open::codes,
};
use serde::Serialize;
use std::io;

/// Opens the file, changes it, and writes it to where it is to go. A file that the session keeps open stays changed; where no
/// output is named for one it is not written. `change` reports and counts what goes wrong; it returns the further fields of
/// the row, or `None` where there is nothing to write.
pub(super) fn with_file<M: Serialize>(
    to: &Destination,
    run: &mut Run<'_>,
    change: impl FnOnce(&str, &mut Opened, &mut Run<'_>) -> Result<Option<M>>,
) -> Result<()> {
    let Some(target) = OutputDestination::of(to, run)? else { return Ok(()) };
    let Some(mut file) = run.open(&Input::named(&to.file))? else { return Ok(()) };
    if to.out.dry_run && matches!(to.file, FileRef::Open(_)) {
        // Nothing of it stays with the file that is open.
        file.held = Held::own(file.held.get()?.fork()?);
    }
    let opened = file.held.get()?;
    if !writing::check(&file.name, opened, run) {
        return Ok(());
    }
    let Some(more) = change(&file.name, opened, run)? else { return Ok(()) };
    let Some(target) = target else { return run.row(&OpenRow { file: file.name, more }) };
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
        Err(error) => {
            run.failed(file, listed_by(file, error));
            None
        }
    }
}
