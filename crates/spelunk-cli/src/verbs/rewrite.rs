//! `rewrite`: reads everything and writes it again.

use crate::{
    args::Rewrite,
    inputs::Input,
    output::{Session, human},
};
use serde_json::json;
use spelunk::{
    Result, WriteOptions,
    replace::{Existing, Replacement},
};
use std::io::{self, Write};

pub fn run(args: &Rewrite, session: &mut Session) -> Result<()> {
    let input = Input::named(&args.input);
    let file = input.name();
    let Some(mut opened) = session.open(&input)? else { return Ok(()) };
    let options = WriteOptions { recompress: args.recompress };
    let target = match &args.output {
        Some(output) if !args.in_place => output.clone(),
        _ => args.input.clone(),
    };
    let mut counted = Counted::default();
    if args.dry_run {
        let result = opened.run(|container, task| container.write(&mut counted, &options, task));
        session.tell(&file, &opened.findings().findings);
        if let Err(error) = result {
            session.failed(&file, &error);
            return Ok(());
        }
        return report(args, &file, &target.display().to_string(), counted.bytes, session);
    }
    if target.as_os_str() == "-" {
        let mut out = io::stdout().lock();
        let result = opened.run(|container, task| container.write(&mut out, &options, task));
        session.tell(&file, &opened.findings().findings);
        if let Err(error) = result {
            session.failed(&file, &error);
        }
        return Ok(out.flush()?);
    }
    let existing = match (&args.backup, args.in_place || args.force) {
        (Some(suffix), _) => Existing::Backup(suffix.into()),
        (None, true) => Existing::Replace,
        (None, false) => Existing::Refuse,
    };
    let mut new = Replacement::begin(&target, existing)?;
    let result = opened.run(|container, task| {
        let mut tee = Tee { out: &mut new, counted: &mut counted };
        container.write(&mut tee, &options, task)
    });
    session.tell(&file, &opened.findings().findings);
    if let Err(error) = result {
        session.failed(&file, &error);
        return Ok(());
    }
    // A mapped file cannot be replaced on every system: let go of it first.
    drop(opened);
    new.commit()?;
    report(args, &file, &target.display().to_string(), counted.bytes, session)
}

fn report(
    args: &Rewrite,
    file: &str,
    target: &str,
    bytes: u64,
    session: &mut Session,
) -> Result<()> {
    if session.common.json {
        let line =
            json!({ "file": file, "output": target, "size": bytes, "dry_run": args.dry_run });
        return session.json(&line);
    }
    if session.common.quiet {
        return Ok(());
    }
    let verb = if args.dry_run { "would be written" } else { "written" };
    let line = format!("{target}: {} {verb}", human(bytes));
    Ok(writeln!(session.out(), "{line}")?)
}

/// Counts bytes and keeps none.
#[derive(Default)]
struct Counted {
    bytes: u64,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Tee<'a> {
    out: &'a mut Replacement,
    counted: &'a mut Counted,
}

impl Write for Tee<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.counted.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
