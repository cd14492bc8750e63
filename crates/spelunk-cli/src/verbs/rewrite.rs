//! `rewrite`: reads everything and writes it again.

use crate::{
    args::Rewrite,
    inputs::Input,
    output::{Session, human, is_closed_pipe},
};
use serde_json::json;
use spelunk::{
    Collect, Error, Opened, Result, WriteOptions, codes,
    replace::{Existing, Replacement},
};
use std::{
    fs,
    io::{self, Write},
    path::Path,
};

pub fn run(args: &Rewrite, session: &mut Session) -> Result<()> {
    let input = Input::named(&args.input);
    let target = match &args.output {
        Some(output) if !args.in_place => output.as_path(),
        _ => args.input.as_path(),
    };
    if !args.in_place && same_file(&args.input, target) {
        let error = Error::new(&codes::core::BAD_TARGET).expected("--in-place").found("the input");
        session.failed(&target.display().to_string(), &error);
        return Ok(());
    }
    let Some(mut opened) = session.open(&input)? else { return Ok(()) };
    // Everything is read and checked first. What is damaged is carried through, and said.
    let checked = opened.run(|container, task| container.verify(task));
    session.settle(&input.name(), &opened.take_findings());
    let mut findings = Collect::default();
    let written = checked.and_then(|()| write(args, opened, target, &mut findings));
    session.settle(&input.name(), &findings);
    match written {
        Ok(bytes) => report(args, &input.name(), target, bytes, session),
        Err(error) if is_closed_pipe(&error) => Err(error),
        Err(error) => {
            let name =
                if error.place().is_some() { input.name() } else { target.display().to_string() };
            session.failed(&name, &error);
            Ok(())
        }
    }
}

/// Whether both paths lead to one file.
fn same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// Writes the file to its target, or nowhere on a dry run; tells how many bytes that are.
fn write(args: &Rewrite, mut opened: Opened, target: &Path, findings: &mut Collect) -> Result<u64> {
    let options = WriteOptions { recompress: args.recompress, ..WriteOptions::default() };
    let mut counted = Counted { out: None, bytes: 0 };
    if target.as_os_str() == "-" {
        let mut out = io::stdout().lock();
        if !args.dry_run {
            counted.out = Some(&mut out);
        }
        let written = opened.run(|container, task| container.write(&mut counted, &options, task));
        *findings = opened.take_findings();
        counted.flush()?;
        return written.map(|()| counted.bytes);
    }
    let existing = match (&args.backup, args.in_place || args.force) {
        (_, false) => Existing::Refuse,
        (Some(suffix), true) => Existing::Backup(suffix.into()),
        (None, true) => Existing::Replace,
    };
    // On a dry run too: what cannot be written is refused then as well. Dropping it leaves nothing.
    let mut new = Replacement::begin(target, existing)?;
    if !args.dry_run {
        counted.out = Some(&mut new);
    }
    let written = opened.run(|container, task| container.write(&mut counted, &options, task));
    let bytes = counted.bytes;
    *findings = opened.take_findings();
    // A mapped file cannot be replaced on every system: let go of it first.
    drop(opened);
    written?;
    if !args.dry_run {
        new.commit()?;
    }
    Ok(bytes)
}

fn report(
    args: &Rewrite,
    file: &str,
    target: &Path,
    bytes: u64,
    session: &mut Session,
) -> Result<()> {
    let target = target.display().to_string();
    if session.common.json && target != "-" {
        let line =
            json!({ "file": file, "output": target, "size": bytes, "dry_run": args.dry_run });
        session.json(&line)?;
    }
    let verb = if args.dry_run { "would be written" } else { "written" };
    session.say(&format!("{target}: {} {verb}", human(bytes)));
    Ok(())
}

/// Counts the bytes that are written through it, to somewhere or nowhere.
struct Counted<'a> {
    out: Option<&'a mut dyn Write>,
    bytes: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.out {
            Some(out) => out.write(bytes)?,
            None => bytes.len(),
        };
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), |out| out.flush())
    }
}
