//! Writing a container to where it is to go: what `rewrite`, `upgrade` and `pack` share.

use crate::{
    args::Output,
    inputs::Input,
    output::{Session, human, is_closed_pipe, warn},
};
use serde_json::{Value, json as object};
use spelunk::{
    Class, Collect, Error, Opened, Result, WriteOptions, codes, json,
    replace::{Existing, Lock, Replacement},
};
use std::{
    fs,
    io::{self, Write},
    path::Path,
};

/// Where a container goes, and how it is written.
pub struct Writing<'a> {
    pub target: &'a Path,
    pub options: WriteOptions,
    pub onto: Onto,
    /// Whether the folders on the way to the target are made.
    pub make_folders: bool,
    pub dry_run: bool,
}

/// How an output takes its place.
pub struct Onto {
    pub existing: Existing,
    follow_links: bool,
    /// The turn to write to the input itself, from before it was read.
    lock: Option<Lock>,
}

impl Onto {
    /// An output that is no input.
    pub fn new(output: &Output) -> Onto {
        let existing = if output.force { Existing::Replace } else { Existing::Refuse };
        Onto { existing, follow_links: output.follow_links, lock: None }
    }

    /// An output for `input`, or `input` itself where that is to be changed in place. Then nobody else writes to it from now
    /// on, so this comes before reading. `None` where the output cannot take its place, which is told and counted.
    pub fn over(
        input: &Path,
        target: &Path,
        output: &Output,
        (in_place, backup): (bool, Option<&str>),
        session: &mut Session,
    ) -> Option<Onto> {
        if !is_apart(input, target, in_place, session) {
            return None;
        }
        let mut onto = Onto::new(output);
        if let Some(suffix) = backup.filter(|_| in_place || output.force) {
            onto.existing = Existing::Backup(suffix.into());
        } else if in_place {
            onto.existing = Existing::Replace;
        }
        // What is not there, or is no file, is for whoever reads it to tell.
        if in_place && input.is_file() {
            let lock = Lock::take(input).and_then(|lock| {
                let allowed = if output.force { Ok(()) } else { lock.refuse_read_only() };
                allowed.map(|()| lock)
            });
            match lock {
                Ok(lock) => onto.lock = Some(lock),
                Err(error) => {
                    session.failed(&target.display().to_string(), &error);
                    return None;
                }
            }
        }
        Some(onto)
    }

    /// Begins the output.
    pub fn begin(&mut self, target: &Path) -> Result<Replacement> {
        let existing = self.existing.clone();
        match self.lock.take() {
            Some(lock) => Replacement::edit(lock, existing),
            None if self.follow_links => Replacement::follow(target, existing),
            None => Replacement::begin(target, existing),
        }
    }
}

/// Lets a new file take its place, and says what of the old one could not be kept.
pub fn commit(new: Replacement) -> Result<()> {
    new.commit()?.iter().for_each(warn);
    Ok(())
}

/// Whether an output can take its place. Not in place, and not when it would be the input: that is told and counted.
pub fn is_apart(input: &Path, target: &Path, in_place: bool, session: &mut Session) -> bool {
    let stdin = in_place && Input::named(input).is_stdin();
    if !stdin && (in_place || !same_file(input, target)) {
        return true;
    }
    let [expected, found] =
        if stdin { ["a file", "standard input"] } else { ["--in-place", "the input"] };
    let error = Error::new(&codes::core::BAD_TARGET).expected(expected).found(found);
    session.failed(&target.display().to_string(), &error);
    false
}

/// What was written.
pub struct Written {
    pub size: u64,
    /// What was noticed meanwhile, as JSON has it.
    pub diagnostics: Vec<Value>,
}

/// The JSON line of a verb that wrote one file.
pub fn line(file: &str, written: &Written, writing: &Writing<'_>) -> Value {
    object!({
        "file": file,
        "output": writing.target.display().to_string(),
        "size": written.size,
        "diagnostics": written.diagnostics,
        "dry_run": writing.dry_run,
    })
}

/// Writes a container and says so. `None` where that failed, which is told and counted.
pub fn write(
    file: &str,
    opened: Opened,
    writing: &mut Writing<'_>,
    session: &mut Session,
) -> Result<Option<Written>> {
    let mut findings = Collect::default();
    let written = put_container(opened, writing, &mut findings);
    session.settle(file, &findings);
    let target = writing.target.display().to_string();
    match written {
        Ok(bytes) => {
            let verb = if writing.dry_run { "would be written" } else { "written" };
            session.say(&format!("{target}: {} {verb}", human(bytes)));
            let diagnostics = findings.findings.iter().map(json::finding).collect();
            Ok(Some(Written { size: bytes, diagnostics }))
        }
        Err(error) if is_closed_pipe(&error) => Err(error),
        Err(error) => {
            refused(file, &target, &error, session);
            Ok(None)
        }
    }
}

/// Tells and counts why a file could not be written, of the input or the output, whichever it is about.
pub fn refused(file: &str, target: &str, error: &Error, session: &mut Session) {
    let outputs = [codes::core::EXISTS.id, codes::core::BAD_TARGET.id];
    let about_output = error.code().class == Class::Io || outputs.contains(&error.code().id);
    session.failed(if about_output { target } else { file }, error);
}

/// Whether both paths lead to one file.
pub fn same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// Whether data go to standard output, where JSON would be in their way.
pub fn is_stdout(target: &Path) -> bool {
    Input::named(target).is_stdin()
}

/// Writes the file to its target, or nowhere on a dry run; tells how many bytes that are.
fn put_container(
    mut opened: Opened,
    writing: &mut Writing<'_>,
    findings: &mut Collect,
) -> Result<u64> {
    let mut counted = Counted { out: None, bytes: 0 };
    if is_stdout(writing.target) {
        let mut out = io::stdout().lock();
        if !writing.dry_run {
            counted.out = Some(&mut out);
        }
        let written =
            opened.run(|container, task| container.write(&mut counted, &writing.options, task));
        *findings = opened.take_findings();
        counted.flush()?;
        return written.map(|()| counted.bytes);
    }
    let missing = writing.target.parent().filter(|folder| writing.make_folders && !folder.exists());
    if let Some(folder) = missing.filter(|_| !writing.dry_run) {
        fs::create_dir_all(folder)?;
    }
    // On a dry run too: what cannot be written is refused then as well. Dropping it leaves nothing.
    let mut new = match missing {
        Some(_) if writing.dry_run => None,
        _ => Some(writing.onto.begin(writing.target)?),
    };
    if let Some(new) = new.as_mut().filter(|_| !writing.dry_run) {
        counted.out = Some(new);
    }
    let written =
        opened.run(|container, task| container.write(&mut counted, &writing.options, task));
    let bytes = counted.bytes;
    *findings = opened.take_findings();
    // A mapped file cannot be replaced on every system: let go of it first.
    drop(opened);
    written?;
    if let Some(new) = new.filter(|_| !writing.dry_run) {
        commit(new)?;
    }
    Ok(bytes)
}

/// Writes content to an output; tells how many bytes that are.
pub fn put(target: &Path, output: &Output, content: &[u8]) -> Result<u64> {
    streamed(target, output, |out| Ok(out.write_all(content)?))
}

/// Writes to an output what `write` makes; tells how many bytes that are.
pub fn streamed(
    target: &Path,
    output: &Output,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<u64> {
    let mut stdout = None;
    let mut new = None;
    let out: &mut dyn Write = match is_stdout(target) {
        true => stdout.insert(io::BufWriter::new(io::stdout().lock())),
        false => new.insert(Onto::new(output).begin(target)?),
    };
    let mut counted = Counted::new(Some(out).filter(|_| !output.dry_run));
    write(&mut counted)?;
    counted.flush()?;
    let size = counted.bytes();
    if let Some(new) = new.filter(|_| !output.dry_run) {
        commit(new)?;
    }
    Ok(size)
}

/// Says what was written to an output, in how many files, or why nothing was.
pub fn told(
    target: &Path,
    output: &Output,
    written: Result<u64>,
    count: usize,
    session: &mut Session,
) {
    let name = target.display().to_string();
    match written {
        Ok(_) if is_stdout(target) => {}
        // Who read it has enough.
        Err(error) if is_stdout(target) && is_closed_pipe(&error) => {}
        Ok(size) => {
            let verb = if output.dry_run { "would be written" } else { "written" };
            let files = if count == 1 { String::new() } else { format!(" in {count} files") };
            session.say(&format!("{name}: {}{files} {verb}", human(size)));
        }
        Err(error) => session.failed(&name, &error),
    }
}

/// Counts the bytes that are written through it, to somewhere or nowhere.
pub struct Counted<'a> {
    out: Option<&'a mut dyn Write>,
    bytes: u64,
}

impl<'a> Counted<'a> {
    /// Counts what goes to `out`, or nowhere.
    pub fn new(out: Option<&'a mut dyn Write>) -> Counted<'a> {
        Counted { out, bytes: 0 }
    }

    /// Bytes so far.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
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
