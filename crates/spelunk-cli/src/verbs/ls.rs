//! `ls`: the entries of files.

use crate::{
    args::Ls,
    columns::Cell,
    inputs::{self, Input},
    output::{FAINT, Session, TITLE, human},
};
use anstyle::Style;
use serde_json::{Map, Value};
use spelunk::{
    Container, Each, Entry, Error, Node, Of, Opened, Result, Task, archives, codes, json,
    languages,
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
    let mut rows = Vec::new();
    for line in inventory.lines(&pages) {
        if session.common.json {
            session.json(&line)?;
            continue;
        }
        let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
        let usual = || line["names"][0].as_str().unwrap_or_default().to_owned();
        let name = line["name"].as_str().map_or_else(usual, str::to_owned);
        let files = match line["files"].as_array().map_or(0, Vec::len) {
            1 => "1 file".to_owned(),
            files => format!("{files} files"),
        };
        let key = [line["count"].to_string(), text("prototype"), text("version")];
        rows.push((key, name, text("category"), files));
    }
    let longest = |texts: &mut dyn Iterator<Item = &str>| {
        texts.map(|text| text.chars().count()).max().unwrap_or_default()
    };
    let width = longest(&mut rows.iter().map(|row| row.1.as_str()));
    let wide = longest(&mut rows.iter().map(|row| row.2.as_str()));
    for ([count, guid, version], name, category, files) in &rows {
        writeln!(
            session.out(),
            "{count:>6}  {guid}  {version}  {name:<width$}  {category:<wide$}  {FAINT}{files}{FAINT:#}"
        )?;
    }
    Ok(())
}

/// What `--sort` compares; rows with equal keys stay in the file's order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Largest(std::cmp::Reverse<u64>),
    Number(i128),
    Text(String),
    Missing,
}

impl Key {
    fn of(value: Option<Value>) -> Key {
        match value {
            None | Some(Value::Null) => Key::Missing,
            Some(Value::String(text)) => Key::Text(text),
            Some(other) => {
                match other.as_i64().map(i128::from).or(other.as_u64().map(i128::from)) {
                    Some(number) => Key::Number(number),
                    None => Key::Text(other.to_string()),
                }
            }
        }
    }
}

/// Hands every selected entry to `each`, sorted where that is asked for: then keys are sorted, and the entries
/// are made one by one afterwards. Globs that match no row, but name an entry, select what lies below it: with `/**` behind
/// them all of it, with `/*` or nothing the next level. An entry that nothing lies below is listed itself.
fn entries(
    container: &dyn Container,
    task: &mut Task<'_>,
    args: &Ls,
    select: &Select,
    pages: &CodePages,
    each: Each<'_>,
) -> Result<()> {
    if let Some(language) = &args.language {
        return texts(container, language, task, args, pages, each);
    }
    // Globs that no row has matched so far.
    let mut left: Vec<(&String, Select)> = Vec::new();
    for glob in &args.globs {
        left.push((glob, Select::new(&[glob], &[])?));
    }
    let mut seen = |entry: &Entry<'_>, task: &mut Task<'_>| {
        left.retain(|(_, glob)| !glob.matches(entry.path, entry.kind, &name(entry, pages)));
        each(entry, task)
    };
    list(container, Of::Listing, task, args, select, pages, &mut seen)?;
    let rest = Select::new(&[] as &[String], &args.exclude)?;
    for (glob, _) in left {
        let deep = glob.strip_suffix("/**");
        if let Some(path) = deep.or_else(|| glob.strip_suffix("/*")) {
            for node in container.find(path, pages, task)? {
                let depth = (deep.is_some(), MAX_DEPTH);
                below(container, node, depth, task, args, &rest, pages, each)?;
            }
            continue;
        }
        for node in container.find(glob, pages, task)? {
            let mut inside = 0_u64;
            let mut counted = |entry: &Entry<'_>, task: &mut Task<'_>| {
                inside += 1;
                each(entry, task)
            };
            list(container, Of::Node(node), task, args, &rest, pages, &mut counted)?;
            if inside == 0 {
                finish(container.entry(node, pages, task, each))?;
            }
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

/// What an entry is called.
fn name<'e>(entry: &Entry<'e>, pages: &CodePages) -> Cow<'e, str> {
    let name = pages.show(until_nul(entry.name.unwrap_or_default()));
    entry.label.map_or(name, Cow::Borrowed)
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
        let name = name(entry, pages);
        if !select.matches(entry.path, entry.kind, &name) {
            return Ok(());
        }
        let Some(sort) = &args.sort else {
            if args.reverse {
                task.budget.memory(64)?;
                sorted.push((Key::Missing, entry.node));
                return Ok(());
            }
            return each(entry, task);
        };
        let key = match &**sort {
            "path" => Key::Text(entry.path.to_owned()),
            "name" => Key::Text(name.into_owned()),
            "type" => Key::Text(entry.kind.to_owned()),
            "size" => Key::Largest(std::cmp::Reverse(entry.size)),
            field => {
                let mut row = Map::new();
                fields(entry, pages, task, &mut row)?;
                Key::of(row.remove(field))
            }
        };
        let text = if let Key::Text(text) = &key { text.len() as u64 } else { 0 };
        task.budget.memory(text.saturating_add(64))?;
        sorted.push((key, entry.node));
        Ok(())
    }))?;
    sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
    if args.reverse {
        sorted.reverse();
    }
    let no_row_has_it = sorted.iter().all(|(key, _)| *key == Key::Missing);
    if let Some(sort) = args.sort.as_ref().filter(|_| !sorted.is_empty() && no_row_has_it) {
        return Err(unknown(sort));
    }
    sorted.iter().try_for_each(|(_, node)| finish(container.entry(*node, pages, task, each)))
}

/// A field that no entry has.
fn unknown(field: &str) -> Error {
    Error::new(&codes::core::NOT_FOUND)
        .expected("a field that `spelunk ls --json` prints of these entries")
        .found(format!("`{field}`"))
}

/// Adds the fields of an entry to a row, as JSON has them.
fn fields(
    entry: &Entry<'_>,
    pages: &CodePages,
    task: &mut Task<'_>,
    row: &mut Map<String, Value>,
) -> Result<()> {
    row.insert("path".into(), entry.path.into());
    row.insert("size".into(), entry.size.into());
    if let Some(label) = entry.label {
        row.insert("label".into(), label.into());
    }
    let (details, result) = json::object(pages, |walk| entry.details.walk(task, walk));
    row.extend(details);
    result
}

/// Counts rows up to the limit, and knows which of the wanted fields they have.
struct Rows {
    count: u64,
    limit: u64,
    /// Fields that no row had so far.
    unmet: Vec<String>,
}

impl Rows {
    fn new(args: &Ls) -> Rows {
        let (limit, unmet) = (args.limit.unwrap_or(u64::MAX), args.columns.clone());
        Rows { count: 0, limit, unmet }
    }

    /// Takes note of the fields of a row.
    fn meet(&mut self, fields: &Map<String, Value>) {
        self.unmet.retain(|name| !fields.contains_key(name));
    }

    /// Refuses fields that no row had.
    fn known(&self) -> Result<()> {
        match self.unmet.first() {
            Some(name) if self.count > 0 => Err(unknown(name)),
            _ => Ok(()),
        }
    }

    /// Whether the next row is still one of them.
    fn next(&mut self) -> bool {
        self.count += 1;
        self.count <= self.limit
    }

    /// Says how many more there are, or that the globs match nothing.
    fn end(&self, args: &Ls, session: &mut Session) {
        match self.count.saturating_sub(self.limit) {
            0 if self.count == 0 && !args.globs.is_empty() => session.say("no entry matches"),
            0 => {}
            more => session.say(&format!("{more} more")),
        }
    }
}

fn as_json(
    file: &str,
    opened: &mut Opened,
    args: &Ls,
    select: &Select,
    session: &mut Session,
) -> Result<()> {
    let pages = opened.code_pages();
    let mut rows = Rows::new(args);
    let mut print = |entry: &Entry<'_>, task: &mut Task<'_>| {
        if !rows.next() {
            return Ok(());
        }
        let mut row = Map::new();
        row.insert("file".into(), file.into());
        fields(entry, &pages, task, &mut row)?;
        if !args.columns.is_empty() {
            row.insert("type".into(), entry.kind.into());
            rows.meet(&row);
            let wanted = args.columns.iter();
            let some = wanted.map(|name| (name.clone(), row.remove(name).unwrap_or_default()));
            row = some.collect();
        }
        Ok(session.json(&Value::Object(row))?)
    };
    opened.run(|container, task| entries(container, task, args, select, &pages, &mut print))?;
    rows.end(args, session);
    rows.known()
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

/// The columns of a table that nobody chose.
const USUAL: [&str; 5] = ["size", "stored_size", "type", "path", "name"];

fn as_table(opened: &mut Opened, args: &Ls, select: &Select, session: &mut Session) -> Result<()> {
    let pages = opened.code_pages();
    let usual = args.columns.is_empty();
    let names =
        || args.columns.iter().map(String::as_str).chain(USUAL.into_iter().filter(|_| usual));
    let style = |name| if name == "stored_size" { FAINT } else { Style::new() };
    let styles: Vec<Style> = names().map(style).collect();
    let mut columns = session.columns().styled(styles);
    if !usual {
        columns = columns.headed(names());
    }
    let mut rows = Rows::new(args);
    let mut print = |entry: &Entry<'_>, task: &mut Task<'_>| {
        if !rows.next() {
            return Ok(());
        }
        if usual {
            let cells = USUAL.map(|name| cell(entry, name, &pages).unwrap_or(Cell::text("")));
            return Ok(columns.add(cells.into(), session.out())?);
        }
        let mut row = Map::new();
        fields(entry, &pages, task, &mut row)?;
        row.insert("type".into(), entry.kind.into());
        rows.meet(&row);
        let cells = args.columns.iter().map(|name| match row.remove(name) {
            // The name as it is, also where the path tells it.
            Some(Value::String(text)) => Cell::text(text),
            Some(Value::Number(_)) if ["size", "stored_size"].contains(&name.as_str()) => {
                cell(entry, name, &pages).unwrap_or(Cell::text(""))
            }
            Some(Value::Number(number)) => Cell::number(number.to_string()),
            None | Some(Value::Null) => Cell::text(""),
            Some(other) => Cell::text(other.to_string()),
        });
        Ok(columns.add(cells.collect(), session.out())?)
    };
    opened.run(|container, task| entries(container, task, args, select, &pages, &mut print))?;
    rows.known()?;
    columns.end(session.out())?;
    rows.end(args, session);
    Ok(())
}

/// What an entry has in one of the usual columns.
fn cell(entry: &Entry<'_>, column: &str, pages: &CodePages) -> Option<Cell> {
    Some(match column {
        "size" => Cell::number(human(entry.size)),
        "stored_size" => Cell::number(entry.stored_size.map(human).unwrap_or_default()),
        "type" => Cell::text(entry.kind),
        "path" => Cell::text(entry.path),
        // A name that the path already tells is not told twice.
        "name" => Cell::text(match entry.label {
            Some(label) => first_line(label),
            None if entry.path.starts_with('#') => {
                pages.show(until_nul(entry.name.unwrap_or_default())).into_owned()
            }
            None => String::new(),
        }),
        _ => return None,
    })
}
