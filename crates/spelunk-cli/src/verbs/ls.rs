//! `ls`: the entries of files.

use crate::{
    args::{Ls, Sort},
    inputs::{self, Input},
    output::{FAINT, Session, TITLE, human},
};
use serde_json::{Map, Value};
use spelunk::{
    Container, Each, Entry, Node, Of, Opened, Result, Task, archives, codes, json, languages,
    scripts::Inventory,
    select::Select,
    text::{CodePages, until_nul},
    walk::finish,
};
use std::borrow::Cow;

pub fn run(args: &Ls, session: &mut Session) -> Result<()> {
    session.show_at(&args.at)?;
    let select = Select::new(&args.globs, &args.exclude)?;
    let mut files = Vec::new();
    // The archives of a game are one tree.
    let many = args.file.is_dir() && (args.recursive || !archives::is_game(&args.file));
    if many {
        inputs::folder(&args.file, args.recursive, &mut files);
    } else {
        files.push(Input::named(&args.file));
    }
    if args.blocks {
        return blocks(files, session);
    }
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

/// Lists the building blocks of all files together. In a folder, files without scripts are passed over.
fn blocks(files: Vec<Input>, session: &mut Session) -> Result<()> {
    let mut inventory = Inventory::default();
    let many = files.len() > 1;
    let mut pages = CodePages::cp1252();
    for input in files {
        let Some(mut opened) = session.open(&input)? else { continue };
        pages = opened.code_pages();
        match inventory.add(&input.name(), &mut opened) {
            Err(error) if !(many && error.code().id == codes::NO_SCRIPTS.id) => {
                session.failed(&input.name(), &error);
            }
            _ => session.tell(&input.name(), &opened.findings().findings),
        }
    }
    for line in inventory.lines(&pages) {
        if session.common.json {
            session.json(&line)?;
            continue;
        }
        let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
        let name = line["names"][0].as_str().unwrap_or_default();
        let files = match line["files"].as_array().map_or(0, Vec::len) {
            1 => "1 file".to_owned(),
            files => format!("{files} files"),
        };
        let (guid, version) = (text("prototype"), text("version"));
        let count = &line["count"];
        writeln!(session.out(), "{count:>6}  {guid}  {version}  {name}  {FAINT}{files}{FAINT:#}")?;
    }
    Ok(())
}

/// What `--sort` compares; rows with equal keys stay in the file's order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Text(String),
    Largest(std::cmp::Reverse<u64>),
}

/// Hands every selected entry to `each`, sorted where that is asked for: then keys are sorted, and the entries
/// are made one by one afterwards. Globs that match no row, but name an entry and end with `/*` or
/// `/**`, select what lies below it.
fn entries(
    container: &dyn Container,
    task: &mut Task<'_>,
    args: &Ls,
    select: &Select,
    pages: &CodePages,
    each: Each<'_>,
) -> Result<()> {
    let mut rows = 0_u64;
    let mut counted = |entry: &Entry<'_>, task: &mut Task<'_>| {
        rows += 1;
        each(entry, task)
    };
    if let Some(language) = &args.language {
        return texts(container, language, task, args, pages, &mut counted);
    }
    list(container, Of::Listing, task, args, select, pages, &mut counted)?;
    if rows > 0 || args.globs.is_empty() {
        return Ok(());
    }
    let rest = Select::new(&[] as &[String], &args.exclude)?;
    for glob in &args.globs {
        let deep = glob.strip_suffix("/**");
        let Some(path) = deep.or_else(|| glob.strip_suffix("/*")) else { continue };
        for node in container.find(path, pages, task)? {
            below(container, node, (deep.is_some(), MAX_DEPTH), task, args, &rest, pages, each)?;
        }
    }
    Ok(())
}

/// Hands out the texts of one language that lie below the entries that are named, or all of them.
fn texts(
    container: &dyn Container,
    language: &str,
    task: &mut Task<'_>,
    args: &Ls,
    pages: &CodePages,
    each: Each<'_>,
) -> Result<()> {
    let slot = languages::slot(container, language, task)?;
    let rest = Select::new(&[] as &[String], &args.exclude)?;
    let all = [languages::TEXTS.to_owned()];
    let named = if args.globs.is_empty() { &all[..] } else { &args.globs };
    let mut in_language = |entry: &Entry<'_>, task: &mut Task<'_>| match languages::is_in(
        container, entry.node, slot, task,
    )? {
        true => each(entry, task),
        false => Ok(()),
    };
    for path in named {
        for node in container.find(path.strip_suffix("/*").unwrap_or(path), pages, task)? {
            list(container, Of::Node(node), task, args, &rest, pages, &mut in_language)?;
        }
    }
    Ok(())
}

/// Deeper hierarchies than this come from damaged files only.
const MAX_DEPTH: usize = 64;

/// Hands out what lies below an entry and what its bytes consist of, and what lies below that where the listing
/// goes `deep`.
#[expect(clippy::too_many_arguments, reason = "the listing's own, handed down")]
fn below(
    container: &dyn Container,
    node: Node,
    (deep, left): (bool, usize),
    task: &mut Task<'_>,
    args: &Ls,
    select: &Select,
    pages: &CodePages,
    each: Each<'_>,
) -> Result<()> {
    for of in [Of::Node(node), Of::Parts(node)] {
        let mut inner = Vec::new();
        let mut seen = |entry: &Entry<'_>, task: &mut Task<'_>| {
            task.budget.memory(8)?;
            inner.push(entry.node);
            each(entry, task)
        };
        list(container, of, task, args, select, pages, &mut seen)?;
        if deep && left > 0 {
            for node in inner {
                below(container, node, (deep, left - 1), task, args, select, pages, each)?;
            }
        }
    }
    Ok(())
}

fn list(
    container: &dyn Container,
    of: Of,
    task: &mut Task<'_>,
    args: &Ls,
    select: &Select,
    pages: &CodePages,
    each: Each<'_>,
) -> Result<()> {
    let mut sorted: Vec<(Key, Node)> = Vec::new();
    finish(container.children(of, pages, task, &mut |entry, task| {
        let name = pages.show(until_nul(entry.name.unwrap_or_default()));
        let name = entry.label.map_or(name, Cow::Borrowed);
        if !select.matches(entry.path, entry.kind, &name) {
            return Ok(());
        }
        let key = match args.sort {
            None => return each(entry, task),
            Some(Sort::Path) => Key::Text(entry.path.to_owned()),
            Some(Sort::Name) => Key::Text(name.into_owned()),
            Some(Sort::Type) => Key::Text(entry.kind.to_owned()),
            Some(Sort::Size) => Key::Largest(std::cmp::Reverse(entry.size)),
        };
        let text = if let Key::Text(text) = &key { text.len() as u64 } else { 0 };
        task.budget.memory(text.saturating_add(64))?;
        sorted.push((key, entry.node));
        Ok(())
    }))?;
    sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
    sorted.iter().try_for_each(|(_, node)| finish(container.entry(*node, pages, task, each)))
}

fn as_json(
    file: &str,
    opened: &mut Opened,
    args: &Ls,
    select: &Select,
    session: &mut Session,
) -> Result<()> {
    let pages = opened.code_pages();
    let mut rows = 0_u64;
    let mut print = |entry: &Entry<'_>, task: &mut Task<'_>| {
        let mut row = Map::new();
        row.insert("file".into(), file.into());
        row.insert("path".into(), entry.path.into());
        row.insert("size".into(), entry.size.into());
        if let Some(label) = entry.label {
            row.insert("label".into(), label.into());
        }
        let (details, result) = json::object(&pages, |walk| entry.details.walk(task, walk));
        row.extend(details);
        result?;
        rows += 1;
        Ok(session.json(&Value::Object(row))?)
    };
    opened.run(|container, task| entries(container, task, args, select, &pages, &mut print))?;
    nothing(rows, args, session);
    Ok(())
}

/// Says that the globs match nothing.
fn nothing(rows: u64, args: &Ls, session: &mut Session) {
    if rows == 0 && !args.globs.is_empty() {
        session.say("no entry matches");
    }
}

/// What fits into a line of a long text.
pub fn first_line(text: &str) -> String {
    const LONGEST: usize = 100;
    let line = text.lines().next().unwrap_or_default();
    let mut shown: String = line.chars().take(LONGEST).collect();
    if shown.len() < text.len() {
        shown.push_str(" ...");
    }
    shown
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
    let make = |entry: &Entry<'_>| {
        // A name that the path already tells is not told twice.
        let name = pages.show(until_nul(entry.name.unwrap_or_default()));
        let name = match entry.label {
            Some(label) => first_line(label),
            None if entry.path.starts_with('#') => name.into_owned(),
            None => String::new(),
        };
        Row {
            size: show(entry.size),
            stored: entry.stored_size.map(show).unwrap_or_default(),
            kind: entry.kind.to_owned(),
            path: entry.path.to_owned(),
            name,
        }
    };
    // Widths first, rows second: a million rows are not held for the sake of their alignment.
    let mut widths = [0_usize; 4];
    let mut measure = |entry: &Entry<'_>, _: &mut Task<'_>| {
        let row = make(entry);
        let lens = [&row.size, &row.stored, &row.kind, &row.path].map(|text| text.chars().count());
        for (width, len) in widths.iter_mut().zip(lens) {
            *width = (*width).max(len.min(60));
        }
        Ok(())
    };
    // The order does not change the widths.
    let unsorted = Ls { sort: None, ..args.clone() };
    opened.run_silent(|container, task| {
        entries(container, task, &unsorted, select, &pages, &mut measure)
    })?;
    let [size, stored, kind, path] = widths;
    let mut rows = 0_u64;
    let mut print = |entry: &Entry<'_>, _: &mut Task<'_>| {
        rows += 1;
        let row = make(entry);
        let mut line = format!("{:>size$}", row.size);
        if stored > 0 {
            line.push_str(&format!("  {FAINT}{:>stored$}{FAINT:#}", row.stored));
        }
        if kind > 0 {
            line.push_str(&format!("  {:<kind$}", row.kind));
        }
        if row.name.is_empty() {
            line.push_str(&format!("  {}", row.path));
        } else {
            line.push_str(&format!("  {:<path$}  {}", row.path, row.name));
        }
        Ok(writeln!(session.out(), "{line}").map_err(spelunk::Error::io)?)
    };
    opened.run(|container, task| entries(container, task, args, select, &pages, &mut print))?;
    nothing(rows, args, session);
    Ok(())
}
