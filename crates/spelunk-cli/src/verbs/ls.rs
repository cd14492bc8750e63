//! `ls`: the entries of files.

use crate::{
    args::{Ls, Sort},
    inputs::{self, Input},
    output::{FAINT, Session, TITLE, human},
};
use serde_json::{Map, Value};
use spelunk::{
    Container, Halt, Of, Opened, Result, Task, json,
    select::Select,
    text::{CodePages, until_nul},
    walk::finish,
};

pub fn run(args: &Ls, session: &mut Session) -> Result<()> {
    let select = Select::new(&args.globs, &args.exclude)?;
    let mut files = Vec::new();
    if args.file.is_dir() {
        inputs::folder(&args.file, args.recursive, &mut files)?;
    } else {
        files.push(Input::named(&args.file));
    }
    let many = args.file.is_dir();
    for input in files {
        let Some(mut opened) = session.open(&input)? else { continue };
        let file = input.name();
        if many && !session.common.json {
            writeln!(session.out(), "{TITLE}{file}{TITLE:#}")?;
        }
        let listed = if session.common.json {
            as_json(&file, &mut opened, args, &select, session)
        } else {
            as_table(&mut opened, args, &select, session)
        };
        session.tell(&file, &opened.findings().findings);
        if let Err(error) = listed {
            if error.io_error().is_some() {
                return Err(error);
            }
            session.failed(&file, &error);
        }
    }
    Ok(())
}

/// What `--sort` compares; rows with equal keys stay in the file's order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Text(String),
    Largest(std::cmp::Reverse<u64>),
}

/// Hands every selected row to `each`, sorted where that is asked for.
fn rows<T>(
    container: &dyn Container,
    task: &mut Task<'_>,
    args: &Ls,
    select: &Select,
    pages: &CodePages,
    make: &dyn Fn(&spelunk::Entry<'_>) -> Result<T>,
    each: &mut dyn FnMut(T) -> Result<()>,
) -> Result<()> {
    let mut sorted: Vec<(Key, T)> = Vec::new();
    finish(container.children(Of::Listing, pages, task, &mut |entry| {
        let name = pages.show(until_nul(entry.name.unwrap_or_default()));
        if !select.matches(entry.path, &name) {
            return Ok(());
        }
        let row = make(entry).map_err(Halt::Failed)?;
        let key = match args.sort {
            None => return each(row).map_err(Halt::Failed),
            Some(Sort::Path) => Key::Text(entry.path.to_owned()),
            Some(Sort::Name) => Key::Text(name.into_owned()),
            Some(Sort::Type) => Key::Text(entry.kind.to_owned()),
            Some(Sort::Size) => Key::Largest(std::cmp::Reverse(entry.size)),
        };
        sorted.push((key, row));
        Ok(())
    }))?;
    sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
    sorted.into_iter().try_for_each(|(_, row)| each(row))
}

fn as_json(
    file: &str,
    opened: &mut Opened,
    args: &Ls,
    select: &Select,
    session: &mut Session,
) -> Result<()> {
    let pages = opened.code_pages();
    let make = |entry: &spelunk::Entry<'_>| {
        let mut row = Map::new();
        row.insert("file".into(), file.into());
        row.insert("path".into(), entry.path.into());
        row.insert("size".into(), entry.size.into());
        let (details, result) = json::object(&pages, |walk| entry.details.walk(walk));
        row.extend(details);
        result.map(|()| Value::Object(row))
    };
    opened.run(|container, task| {
        rows(container, task, args, select, &pages, &make, &mut |row| session.json(&row))
    })
}

/// The columns of a row.
struct Row {
    size: String,
    stored: String,
    kind: String,
    path: String,
    name: String,
}

fn as_table(opened: &mut Opened, args: &Ls, select: &Select, session: &mut Session) -> Result<()> {
    let pages = opened.code_pages();
    let show = |bytes: u64| if args.bytes { bytes.to_string() } else { human(bytes) };
    let make = |entry: &spelunk::Entry<'_>| {
        // A name that the path already tells is not told twice.
        let name = pages.show(until_nul(entry.name.unwrap_or_default()));
        let name = if entry.path.starts_with('#') { name.into_owned() } else { String::new() };
        Ok(Row {
            size: show(entry.size),
            stored: entry.stored_size.map(show).unwrap_or_default(),
            kind: entry.kind.to_owned(),
            path: entry.path.to_owned(),
            name,
        })
    };
    // Widths first, rows second: a million rows are not held for the sake of their alignment.
    let mut widths = [0_usize; 4];
    let mut measure = |row: Row| {
        let lens = [&row.size, &row.stored, &row.kind, &row.path].map(|text| text.chars().count());
        for (width, len) in widths.iter_mut().zip(lens) {
            *width = (*width).max(len.min(60));
        }
        Ok(())
    };
    opened.run_silent(|container, task| {
        rows(container, task, args, select, &pages, &make, &mut measure)
    })?;
    let [size, stored, kind, path] = widths;
    let mut print = |row: Row| {
        let out = session.out();
        write!(out, "{:>size$}", row.size)?;
        if stored > 0 {
            write!(out, "  {FAINT}{:>stored$}{FAINT:#}", row.stored)?;
        }
        if kind > 0 {
            write!(out, "  {:<kind$}", row.kind)?;
        }
        if row.name.is_empty() {
            writeln!(out, "  {}", row.path)?;
        } else {
            writeln!(out, "  {:<path$}  {}", row.path, row.name)?;
        }
        Ok(())
    };
    opened.run(|container, task| rows(container, task, args, select, &pages, &make, &mut print))
}
