//! `rm`, `mv`, `add`, `replace`: a container with some of its entries changed.

use super::{
    listed_by,
    writing::{self, Onto, Writing},
};
use crate::{
    args::{Add, Destination, Mv, Replace, Rm},
    inputs::Input,
    output::Session,
};
use serde_json::{Map, Value};
use spelunk::{
    Bytes, Error, Opened, Result, WriteOptions,
    batch::{Batch, Content, Outcome},
    codes,
    removal::{Referrer, Referrers},
};
use std::{
    fs,
    io::{self, Read},
    path::Path,
};

pub fn rm(args: &Rm, session: &mut Session) -> Result<()> {
    let Some(paths) = listed(&args.paths, args.from.as_deref(), &args.to, session) else {
        return Ok(());
    };
    with_file(&args.to, session, |file, opened, session, told| {
        let paths = paths.iter().map(String::as_str);
        let batch = match args.lossy {
            true => Batch::new().remove_lossy(paths),
            false => Batch::new().remove(paths),
        };
        let Some(outcome) = edited(file, opened, &batch, session) else { return Ok(false) };
        let referrers = outcome.referrers;
        report_referrers(file, &referrers, session);
        let fields: Vec<Value> = referrers.fields.iter().map(Referrer::json).collect();
        told.insert("referrers".to_owned(), fields.into());
        told.insert("referrer_count".to_owned(), referrers.count.into());
        Ok(true)
    })
}

/// What was given as arguments and in a file of lines. `None` where that cannot be read, which is told and counted.
fn listed(
    given: &[String],
    from: Option<&Path>,
    to: &Destination,
    session: &mut Session,
) -> Option<Vec<String>> {
    let mut all = given.to_vec();
    let Some(from) = from else { return Some(all) };
    let input = Input::named(from);
    let name = input.name();
    let read = if !input.is_stdin() {
        fs::read(from)
    } else if Input::named(&to.file).is_stdin() {
        let error = Error::new(&codes::core::BAD_TARGET);
        let error = error.expected("standard input for one of FILE and --from");
        session.failed(&name, &error.found("standard input for both"));
        return None;
    } else {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    };
    let text = read.and_then(|bytes| {
        String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    });
    let text = text.map_err(|error| session.failed(&name, &Error::io(error))).ok()?;
    all.extend(text.lines().filter(|line| !line.is_empty()).map(str::to_owned));
    Some(all)
}

/// How many fields that referred to removed entries are printed one by one.
const PRINTED: usize = 20;

/// Says which fields of other entries referred to what is removed, and what became of them.
fn report_referrers(file: &str, referrers: &Referrers, session: &mut Session) {
    for referrer in referrers.fields.iter().take(PRINTED) {
        let Referrer { path, kind, name, field, references, target, becomes } = referrer;
        let name = if name.is_empty() { String::new() } else { format!(" {name}") };
        let times = if *references > 1 { format!(" ({references} times)") } else { String::new() };
        session.say(&format!(
            "{file}: {path} {kind}{name} > {}: referred to {target}{times}, {}",
            field.replace('_', " "),
            becomes.phrase()
        ));
    }
    let more = referrers.count.saturating_sub(PRINTED as u64);
    if more > 0 {
        session.say(&format!(
            "{file}: {more} more fields referred to what was removed (--json lists them)"
        ));
    }
}

pub fn mv(args: &Mv, session: &mut Session) -> Result<()> {
    with_file(&args.to, session, |file, opened, session, _| {
        let batch = Batch::new().rename(&args.path, &args.name);
        Ok(edited(file, opened, &batch, session).is_some())
    })
}

pub fn add(args: &Add, session: &mut Session) -> Result<()> {
    with_file(&args.to, session, |file, opened, session, _| {
        let Some((kind, name)) = args.path.split_once('/') else {
            return usage(file, "CLASS/NAME or included/NAME", &args.path, session);
        };
        let content = match (&args.from, &args.like) {
            (Some(from), _) => match read(from, session) {
                Some(bytes) if args.raw => Content::Raw(bytes),
                Some(bytes) => Content::Bytes(bytes),
                None => return Ok(false),
            },
            (None, Some(like)) => Content::Like(like.clone()),
            (None, None) => Content::New,
        };
        let batch = Batch::new().add(kind, name, content);
        Ok(edited(file, opened, &batch, session).is_some())
    })
}

pub fn replace(args: &Replace, session: &mut Session) -> Result<()> {
    with_file(&args.to, session, |file, opened, session, _| {
        let Some(bytes) = read(&args.source, session) else { return Ok(false) };
        let batch = Batch::new().replace(&args.path, bytes, args.raw);
        Ok(edited(file, opened, &batch, session).is_some())
    })
}

/// Opens the file, changes it, and writes it to where it is to go. `change` reports and counts what goes wrong, returns
/// whether there is something to write, and adds fields to the line of --json.
fn with_file(
    to: &Destination,
    session: &mut Session,
    change: impl FnOnce(&str, &mut Opened, &mut Session, &mut Map<String, Value>) -> Result<bool>,
) -> Result<()> {
    let input = Input::named(&to.file);
    let file = input.name();
    let target = to.output.as_deref().unwrap_or(&to.file);
    let how = (to.in_place, to.backup.as_deref());
    let Some(onto) = Onto::over(&to.file, target, &to.out, how, session) else { return Ok(()) };
    let Some(mut opened) = session.open(&input)? else { return Ok(()) };
    let mut told = Map::new();
    if !writing::check(&file, &mut opened, session)
        || !change(&file, &mut opened, session, &mut told)?
    {
        return Ok(());
    }
    let options = WriteOptions::default();
    let mut writing =
        Writing { target, options, onto, make_folders: false, dry_run: to.out.dry_run };
    let written = writing::write(&file, opened, &mut writing, session)?;
    if let Some(written) = &written
        && session.common.json
        && !writing::is_stdout(target)
    {
        let mut line = writing::line(&file, written, &writing);
        if let Some(line) = line.as_object_mut() {
            line.extend(told);
        }
        session.json(&line)?;
    }
    Ok(())
}

/// Makes all changes to the container; tells and counts what goes wrong.
fn edited(
    file: &str,
    opened: &mut Opened,
    batch: &Batch,
    session: &mut Session,
) -> Option<Outcome> {
    let outcome = batch.apply(opened);
    session.settle(file, &opened.take_findings());
    outcome.map_err(|error| session.failed(file, &listed_by(file, error))).ok()
}

fn read(path: &Path, session: &mut Session) -> Option<Bytes> {
    let bytes = fs::read(path).map_err(Error::io);
    bytes.map(Bytes::from).map_err(|error| session.failed(&path.display().to_string(), &error)).ok()
}

fn usage(file: &str, expected: &'static str, found: &str, session: &mut Session) -> Result<bool> {
    let error = Error::new(&codes::core::BAD_PATH).expected(expected).found(format!("`{found}`"));
    session.failed(file, &error);
    Ok(false)
}
