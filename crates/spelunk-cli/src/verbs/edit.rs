//! `set`, `rm`, `mv`, `add`, `replace`: a container with some of its entries changed.

use super::{
    find_one,
    writing::{self, Onto, Writing},
};
use crate::{
    args::{Add, Destination, Mv, Replace, Rm, Set},
    inputs::Input,
    output::Session,
};
use serde_json::{Map, Value};
use spelunk::{
    Bytes, Edit, Error, Opened, Result, Task, Val, WriteOptions, codes,
    removal::{self, Referrer, Referrers},
};
use std::{fs, path::Path};

pub fn set(args: &Set, session: &mut Session) -> Result<()> {
    with_file(&args.to, session, |file, opened, session, _| {
        let pages = opened.code_pages();
        for change in &args.changes {
            let Some((path, value)) = change.split_once('=') else {
                return usage(file, "PATH=VALUE", change, session);
            };
            let Some((entry, field)) = path.rsplit_once('/') else {
                return usage(
                    file,
                    "the path of an entry, a slash and the path of a field",
                    path,
                    session,
                );
            };
            let Some(node) = find_one(file, opened, entry, session)? else { return Ok(false) };
            let value = Val::Str(value.into());
            let (mut moved, mut behind) = (0, 0);
            let set = |edit: &mut dyn Edit, task: &mut Task<'_>| {
                if args.with_children {
                    moved = edit.set_with_children(node, field, value, &pages, task)?;
                    return Ok(());
                }
                edit.set(node, field, value, &pages, task)?;
                behind = edit.left_behind(node, field, task)?;
                Ok(())
            };
            if !edited(file, opened, set, session) {
                return Ok(false);
            }
            if moved > 0 {
                session.say(&format!("{file}: {entry}: {} moved along", below(moved)));
            }
            if behind > 0 {
                session.say(&format!(
                    "{file}: {entry}: {} stay where they are (--with-children moves them along)",
                    below(behind)
                ));
            }
        }
        Ok(true)
    })
}

pub fn rm(args: &Rm, session: &mut Session) -> Result<()> {
    with_file(&args.to, session, |file, opened, session, told| {
        let mut nodes = Vec::new();
        for path in &args.paths {
            let Some(node) = find_one(file, opened, path, session)? else { return Ok(false) };
            nodes.push(node);
        }
        // Looked for before they go.
        let found =
            opened.run_silent(|container, task| removal::referrers(container, &nodes, task));
        let referrers = match found {
            Ok(referrers) => referrers,
            Err(error) => {
                session.failed(file, &error);
                return Ok(false);
            }
        };
        let remove =
            |edit: &mut dyn Edit, task: &mut Task<'_>| edit.remove(&nodes, args.lossy, task);
        if !edited(file, opened, remove, session) {
            return Ok(false);
        }
        report_referrers(file, &referrers, session);
        let fields: Vec<Value> = referrers.fields.iter().map(Referrer::json).collect();
        told.insert("referrers".to_owned(), fields.into());
        told.insert("referrer_count".to_owned(), referrers.count.into());
        Ok(true)
    })
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

/// Entries below another one, as a message counts them.
fn below(count: u64) -> String {
    match count {
        1 => "1 entry below".to_owned(),
        count => format!("{count} entries below"),
    }
}

pub fn mv(args: &Mv, session: &mut Session) -> Result<()> {
    with_file(&args.to, session, |file, opened, session, _| {
        let Some(node) = find_one(file, opened, &args.path, session)? else { return Ok(false) };
        let Some(name) = stored(&args.name, file, opened, session) else { return Ok(false) };
        let rename = |edit: &mut dyn Edit, task: &mut Task<'_>| edit.rename(node, &name, task);
        Ok(edited(file, opened, rename, session))
    })
}

pub fn add(args: &Add, session: &mut Session) -> Result<()> {
    with_file(&args.to, session, |file, opened, session, _| {
        let Some((table, name)) = args.path.split_once('/') else {
            return usage(file, "CLASS/NAME or included/NAME", &args.path, session);
        };
        let Some(name) = stored(name, file, opened, session) else { return Ok(false) };
        let content = match (&args.from, &args.like) {
            (Some(from), _) => match read(from, session) {
                Some(bytes) => Some(bytes),
                None => return Ok(false),
            },
            (None, Some(like)) => {
                let Some(node) = find_one(file, opened, like, session)? else { return Ok(false) };
                match opened.run(|container, task| container.bytes(node, task)) {
                    Ok(bytes) => Some(bytes),
                    Err(error) => {
                        session.failed(file, &error);
                        return Ok(false);
                    }
                }
            }
            (None, None) => None,
        };
        let insert = |edit: &mut dyn Edit, task: &mut Task<'_>| {
            let table = edit.table(table).ok_or_else(|| {
                Error::new(&codes::core::NOT_FOUND)
                    .expected("the name of a class, or `included`")
                    .found(format!("`{table}`"))
            })?;
            let key = [Val::Bytes(name.into())];
            let inserted = match content {
                Some(bytes) => {
                    if !args.raw {
                        edit.check_bytes(table, &bytes, task)?;
                    }
                    edit.insert_as(table, &key, bytes, task)
                }
                None => edit.insert(table, &key, task),
            };
            inserted.map(drop)
        };
        Ok(edited(file, opened, insert, session))
    })
}

pub fn replace(args: &Replace, session: &mut Session) -> Result<()> {
    with_file(&args.to, session, |file, opened, session, _| {
        let Some(node) = find_one(file, opened, &args.path, session)? else { return Ok(false) };
        let Some(bytes) = read(&args.source, session) else { return Ok(false) };
        let replace = |edit: &mut dyn Edit, task: &mut Task<'_>| {
            if !args.raw {
                edit.check_bytes(node, &bytes, task)?;
            }
            edit.set_bytes(node, bytes, task)
        };
        Ok(edited(file, opened, replace, session))
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

/// Changes the container; tells and counts what goes wrong.
fn edited(
    file: &str,
    opened: &mut Opened,
    change: impl FnOnce(&mut dyn Edit, &mut Task<'_>) -> Result<()>,
    session: &mut Session,
) -> bool {
    let format = opened.container().format();
    let changed =
        opened.edit(change).unwrap_or_else(|| Err(Error::new(&codes::NO_EDITING).found(format)));
    session.settle(file, &opened.take_findings());
    changed.map_err(|error| session.failed(file, &error)).is_ok()
}

/// A name as the file stores it.
fn stored(name: &str, file: &str, opened: &Opened, session: &mut Session) -> Option<Vec<u8>> {
    let stored = opened.code_pages().encode(name);
    if stored.is_none() {
        let pages = opened.code_pages();
        let lacks = |c: &char| pages.encode(c.encode_utf8(&mut [0; 4])).is_none();
        let found = match name.chars().find(lacks) {
            Some(lacking) => format!("`{lacking}` in `{name}`"),
            None => format!("`{name}`"),
        };
        session.failed(file, &Error::new(&codes::core::NOT_ENCODED).found(found));
    }
    stored
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
