//! The entries of files.

use super::{
    FileRef,
    input::Input,
    output::{Outcome, Output},
    request::Shown,
    run::{OpenFile, Run},
    session::Session,
};
use crate::{
    Container, Each, Entry, Error, Halt, Node, Of, Opened, Result, Step, Task, Walk, Walked,
    core::folder::Links,
    core::text::{CodePages, until_nul},
    core::walk::finish,
    entries::{near::near, select::Select},
    models::scripts::{BlockRow, Inventory},
    open::codes,
    open::json,
    tables::languages,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use spelunk_core::{
    entries::{At, MAX_DEPTH, Order, Traversal, Visit},
    nearest::with_near,
};
use std::{borrow::Cow, cmp::Reverse, collections::BTreeSet};

/// The entries of a file or of all files in a folder
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// A file, a folder, or - for standard input; the SpellForce archives of a folder are one tree, without -r
    #[cfg_attr(feature = "clap", arg(value_name = "FILE|DIR"))]
    pub file: FileRef,
    /// Only entries that match one of these
    #[cfg_attr(feature = "clap", arg(value_name = "GLOB"))]
    pub globs: Vec<String>,
    /// No entries that match this; repeatable
    #[cfg_attr(feature = "clap", arg(long, value_name = "GLOB"))]
    pub exclude: Vec<String>,
    /// Search the folders in a folder too
    #[cfg_attr(feature = "clap", arg(short, long))]
    pub recursive: bool,
    /// Order of the entries: size (the largest first), path, name, type or another field, as --json calls it [default: the
    /// file's own]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FIELD"))]
    pub sort: Option<String>,
    /// The other way round
    #[cfg_attr(feature = "clap", arg(long))]
    pub reverse: bool,
    /// Columns to print, in this order: size, stored_size, type, path, name, title (the name of an entry where its path does
    /// not contain it), or other fields, as --json calls them
    #[cfg_attr(feature = "clap", arg(long, value_name = "FIELD,...", value_delimiter = ','))]
    pub columns: Vec<String>,
    /// Leave out so many entries at the beginning
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", default_value_t, hide_default_value = true)
    )]
    pub offset: u64,
    /// So many entries at the most
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub limit: Option<u64>,
    /// The building blocks that the scripts use, those used most first, instead of entries
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["globs", "exclude", "sort", "columns", "offset", "limit"]))]
    pub blocks: bool,
    /// Only texts of this language, by slot, code or name (`spelunk info` lists them); entries that are named are listed
    /// row by row then [default entry: 2016]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LANGUAGE", conflicts_with = "blocks"))]
    pub language: Option<String>,
    /// Exit code 1 where no entry is listed
    #[cfg_attr(feature = "clap", arg(long))]
    pub require_match: bool,
    /// Options for how the file is shown.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub shown: Shown,
}

/// A row of the listing.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Row {
    /// An entry.
    Entry(EntryRow),
    /// With `blocks`: a building block.
    Block(BlockRow),
    /// With `columns`: these fields of an entry.
    Columns(Map<String, Value>),
}

/// An entry.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EntryRow {
    /// The file.
    pub file: String,
    /// The path of the entry.
    pub path: String,
    /// Size of the entry in bytes.
    pub size: u64,
    /// Content in few words, where the format has such a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Further facts of the format about the entry.
    #[serde(flatten)]
    pub details: Map<String, Value>,
}

/// Columns that take no look at the details; where an entry lacks them they are empty.
const PLAIN: [&str; 5] = ["size", "stored_size", "type", "path", "title"];

/// Hands out a row for each entry; with `columns` these fields alone, and with `blocks` a row for each building block.
///
/// # Errors
/// Those of the output; globs that are none; what the request names beside the file.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("ls", session, out);
    run.show(&request.shown)?;
    run.options.headers_suffice = !request.blocks;
    let select = Select::new(&request.globs, &request.exclude)?;
    let files = session.files();
    let folder = match &request.file {
        // The archives of a game are one tree.
        FileRef::Name(name) if files.is_folder(name) => {
            let formats = &run.options.formats;
            Some(name).filter(|name| request.recursive || !files.is_container(name, formats))
        }
        _ => None,
    };
    let inputs = match folder {
        Some(name) => {
            run.list(name, if request.recursive { usize::MAX } else { 1 }, Links::ToFiles)
        }
        None => vec![Input::named(&request.file)],
    };
    if request.blocks {
        blocks(&inputs, &mut run)?;
        return run.finish();
    }
    let work = |run: &mut Run<'_>, input: &Input| {
        let Some(mut file) = run.open(input)? else { return Ok(0) };
        run.begin(&file.name, folder.is_some(), &request.columns)?;
        let listed = rows(&mut file, request, &select, run);
        let findings = file.held.get()?.take_findings();
        run.report(&file.name, &findings.findings);
        match listed {
            Ok(0) if !request.globs.is_empty() && folder.is_none() => {
                let unmatched = unmatched(file.held.get()?, &request.globs);
                run.note(&unmatched);
                Ok(0)
            }
            Ok(count) => Ok(count),
            Err(error) if !run.is_taken() => Err(error),
            Err(error) => {
                run.failed(&file.name, error);
                Ok(0)
            }
        }
    };
    let mut count = 0_u64;
    run.each_file(&inputs, &work, &mut |_, listed: u64| {
        count = count.saturating_add(listed);
        Ok(())
    })?;
    if count == 0 && folder.is_some() && !request.globs.is_empty() {
        run.note("no entry matches");
    }
    if count == 0 && request.require_match {
        run.found();
    }
    run.finish()
}

/// The sentence that globs match nothing in a file, with the paths nearest to them.
pub(super) fn unmatched(opened: &mut Opened, globs: &[String]) -> String {
    let pages = opened.code_pages();
    let near = |glob: &String| {
        let near = opened.run_silent(|container, task| near(container, glob, &pages, task));
        near.found(glob)
    };
    format!("no entry matches {}", globs.iter().map(near).collect::<Vec<_>>().join(", "))
}

/// Lists the building blocks of all files together. In a folder, files without scripts are passed over.
fn blocks(inputs: &[Input], run: &mut Run<'_>) -> Result<()> {
    let mut inventory = Inventory::default();
    let many = inputs.len() > 1;
    let mut pages = CodePages::cp1252();
    for input in inputs {
        let Some(mut file) = run.open(input)? else { continue };
        let opened = file.held.get()?;
        pages = opened.code_pages();
        match inventory.add(&file.name, opened) {
            Err(error) if !(many && error.code().id == codes::NO_SCRIPTS.id) => {
                run.failed(&file.name, error);
            }
            _ => run.report(&file.name, &opened.take_findings().findings),
        }
    }
    run.begin("", false, &[])?;
    inventory.rows(&pages).iter().try_for_each(|block| run.row(block))?;
    run.end()
}

/// Hands out the rows of one file. Returns the number of its entries that match.
fn rows(
    file: &mut OpenFile<'_>,
    request: &Request,
    select: &Select,
    run: &mut Run<'_>,
) -> Result<u64> {
    let name = file.name.clone();
    let opened = file.held.get()?;
    let pages = opened.code_pages();
    let listing = ListingSelection { request, select, pages: &pages };
    let columns = &request.columns;
    let needs_details =
        columns.is_empty() || columns.iter().any(|name| !PLAIN.contains(&name.as_str()));
    let limit = request.limit.unwrap_or(u64::MAX);
    let mut count = 0_u64;
    let mut known: BTreeSet<String> = PLAIN.iter().map(|name| (*name).to_owned()).collect();
    // Fields that no row had so far.
    let mut unmet: Vec<&String> =
        columns.iter().filter(|name| !PLAIN.contains(&name.as_str())).collect();
    let mut each = |entry: &Entry<'_>, task: &mut Task<'_>| {
        count = count.saturating_add(1);
        let nth = count.saturating_sub(request.offset);
        if count <= request.offset || nth > limit {
            return Ok(());
        }
        if columns.is_empty() {
            let (row, held) = listing.row(&name, entry, task)?;
            let handed = run.row(&row);
            task.budget.release(held);
            return Ok(handed?);
        }
        let mut fields = listing.plain(entry);
        let mut held = 0;
        if needs_details {
            let (row, taken) = listing.row(&name, entry, task)?;
            held = taken;
            let EntryRow { file, path, size, label, details } = row;
            fields.extend(label.map(|label| ("label".to_owned(), label.into())));
            fields.extend(details);
            fields.extend([
                ("file".to_owned(), file.into()),
                ("path".to_owned(), path.into()),
                ("size".to_owned(), size.into()),
                ("type".to_owned(), entry.kind.into()),
            ]);
        }
        unmet.retain(|name| !fields.contains_key(*name));
        if !unmet.is_empty() {
            known.extend(fields.keys().cloned());
        }
        let some = columns.iter();
        let some = some.map(|name| (name.clone(), fields.remove(name).unwrap_or_default()));
        let handed = run.row(&some.collect::<Map<String, Value>>());
        task.budget.release(held);
        Ok(handed?)
    };
    let listed = opened.run(|container, task| listing.entries(container, task, &mut each));
    let shown = count.saturating_sub(request.offset);
    if let Some(name) = unmet.first().filter(|_| listed.is_ok() && shown > 0 && limit > 0) {
        return Err(unknown(name, known.iter().map(String::as_str)));
    }
    run.end()?;
    listed?;
    match shown.saturating_sub(limit) {
        0 => {}
        more => run.note(&format!("{more} more")),
    }
    Ok(count)
}

/// Key that `--sort` compares; rows with equal keys stay in the file's order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum SortKey {
    Largest(Reverse<u64>),
    Number(i128),
    Text(String),
    Missing,
}

impl SortKey {
    fn of(value: Option<Value>) -> SortKey {
        match value {
            None | Some(Value::Null) => SortKey::Missing,
            Some(Value::String(text)) => SortKey::Text(text),
            Some(other) => {
                match other.as_i64().map(i128::from).or(other.as_u64().map(i128::from)) {
                    Some(number) => SortKey::Number(number),
                    None => SortKey::Text(other.to_string()),
                }
            }
        }
    }
}

/// Choice of what is listed of a file.
struct ListingSelection<'a> {
    request: &'a Request,
    select: &'a Select,
    pages: &'a CodePages,
}

impl ListingSelection<'_> {
    /// Hands every selected entry to `each`, sorted where that is asked for: then keys are sorted, and the entries are made one
    /// by one afterwards. Globs that match no row, but name an entry, select what lies below it: with `/**` behind them all of
    /// it, with `/*` or nothing the next level. An entry that nothing lies below is listed itself.
    fn entries(
        &self,
        container: &dyn Container,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Result<()> {
        let ListingSelection { request, pages, .. } = *self;
        if let Some(language) = &request.language {
            return self.texts(container, language, task, each);
        }
        // Globs that no row has matched so far.
        let mut left: Vec<(&String, Select)> = Vec::new();
        for glob in &request.globs {
            left.push((glob, Select::new(&[glob], &[])?));
        }
        let mut seen = |entry: &Entry<'_>, task: &mut Task<'_>| {
            // What an entry is called by lists what lies below it, too.
            left.retain(|(text, glob)| {
                entry.label.is_some_and(|label| label.eq_ignore_ascii_case(text))
                    || !glob.matches(entry.path, entry.kind, &self.name(entry))
            });
            each(entry, task)
        };
        self.list(container, Of::Listing, task, &mut seen)?;
        let select = &Select::new(&[] as &[String], &request.exclude)?;
        let inside = ListingSelection { select, ..*self };
        for (glob, _) in left {
            let deep = glob.strip_suffix("/**");
            if let Some(path) = deep.or_else(|| glob.strip_suffix("/*")) {
                let depth = if deep.is_some() { MAX_DEPTH } else { 0 };
                for node in container.find(path, pages, task)? {
                    inside.below(container, node, depth, task, each)?;
                }
                continue;
            }
            for node in container.find(glob, pages, task)? {
                let mut count = 0_u64;
                let mut counted = |entry: &Entry<'_>, task: &mut Task<'_>| {
                    count = count.saturating_add(1);
                    each(entry, task)
                };
                inside.list(container, Of::Node(node), task, &mut counted)?;
                if count == 0 {
                    finish(container.entry(node, pages, task, each))?;
                }
            }
        }
        Ok(())
    }

    /// Hands out the texts of one language that lie below the entries that are named, or all of them.
    fn texts(
        &self,
        container: &dyn Container,
        language: &str,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Result<()> {
        let slot = languages::slot(container, language, task)?;
        let select = &Select::new(&[] as &[String], &self.request.exclude)?;
        let inside = ListingSelection { select, ..*self };
        let all = [languages::TEXTS.to_owned()];
        let named = if self.request.globs.is_empty() { &all[..] } else { &self.request.globs };
        let mut in_language = |entry: &Entry<'_>, task: &mut Task<'_>| match languages::is_in(
            container, entry.node, slot, task,
        )? {
            true => each(entry, task),
            false => Ok(()),
        };
        for path in named {
            let path = path.strip_suffix("/*").unwrap_or(path);
            for node in container.find(path, self.pages, task)? {
                inside.list(container, Of::Node(node), task, &mut in_language)?;
            }
        }
        Ok(())
    }

    /// Hands out what lies below an entry and what its bytes consist of, and what lies below that for so many more levels.
    fn below(
        &self,
        container: &dyn Container,
        node: Node,
        levels: usize,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Result<()> {
        let entries = Traversal::new(self.pages).order(Order::Siblings).depth(levels).parts(true);
        self.visit(container, entries, &[Of::Node(node), Of::Parts(node)], task, each)
    }

    /// Hands out the entries of `of`, and nothing below them.
    fn list(
        &self,
        container: &dyn Container,
        of: Of,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Result<()> {
        let entries = Traversal::new(self.pages).order(Order::Siblings).depth(0);
        self.visit(container, entries, &[of], task, each)
    }

    fn visit(
        &self,
        container: &dyn Container,
        entries: Traversal<'_>,
        from: &[Of],
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Result<()> {
        let mut listed =
            EntrySorter { listing: self, container, each, sorted: Vec::new(), known: Vec::new() };
        entries.visit(container, from, task, &mut listed)
    }

    /// Returns the label of an entry, or else its name.
    fn name<'e>(&self, entry: &Entry<'e>) -> Cow<'e, str> {
        let name = self.pages.show(until_nul(entry.name.unwrap_or_default()));
        entry.label.map_or(name, Cow::Borrowed)
    }

    /// The row of an entry, and the memory that it is charged with until it is handed out: for itself, and for the text of it.
    fn row(&self, file: &str, entry: &Entry<'_>, task: &mut Task<'_>) -> Result<(EntryRow, u64)> {
        let (details, held) = task.keeping(|task, most| {
            let walked = |walk: &mut dyn Walk| entry.details.walk(task, walk);
            let (details, held, result) = json::object_within(self.pages, most / 2, walked);
            match result {
                Ok(()) => {
                    let held = held.saturating_mul(2);
                    (Ok((details, held)), held)
                }
                Err(error) => (Err(error), 0),
            }
        })?;
        let row = EntryRow {
            file: file.to_owned(),
            path: entry.path.to_owned(),
            size: entry.size,
            label: entry.label.map(str::to_owned),
            details,
        };
        Ok((row, held))
    }

    /// Fields that take no look at the details. The title is the label, or else the name of an entry whose path is a position.
    fn plain(&self, entry: &Entry<'_>) -> Map<String, Value> {
        let title = match entry.label {
            Some(label) => label.into(),
            None if entry.path.starts_with('#') => self.name(entry),
            None => Cow::default(),
        };
        let mut fields = Map::new();
        fields.insert("size".to_owned(), entry.size.into());
        fields.insert("stored_size".to_owned(), entry.stored_size.into());
        fields.insert("type".to_owned(), entry.kind.into());
        fields.insert("path".to_owned(), entry.path.into());
        fields.insert("title".to_owned(), title.into_owned().into());
        fields
    }
}

/// Hands selected entries out, or gathers them to be sorted first.
struct EntrySorter<'l, 'e> {
    listing: &'l ListingSelection<'l>,
    container: &'l dyn Container,
    each: Each<'e>,
    /// Entries beside each other, with their keys.
    sorted: Vec<(SortKey, Node)>,
    /// The fields of the first of them.
    known: Vec<String>,
}

impl Visit for EntrySorter<'_, '_> {
    fn entry(
        &mut self,
        entry: &Entry<'_>,
        _: At,
        task: &mut Task<'_>,
    ) -> std::result::Result<Step, Halt> {
        let ListingSelection { request, select, .. } = *self.listing;
        task.budget.afford(entry.name.map_or(0, <[u8]>::len) as u64)?;
        let name = self.listing.name(entry);
        if !select.wants_named([entry.path, entry.kind, &name], &mut task.budget)? {
            return Ok(Step::Over);
        }
        let key = match request.sort.as_deref() {
            None if !request.reverse => {
                (self.each)(entry, task)?;
                return Ok(Step::Into);
            }
            None => SortKey::Missing,
            Some("path") => SortKey::Text(entry.path.to_owned()),
            Some("name") => SortKey::Text(name.into_owned()),
            Some("type") => SortKey::Text(entry.kind.to_owned()),
            Some("size") => SortKey::Largest(Reverse(entry.size)),
            Some(field) => {
                let (mut row, held) = self.listing.row("", entry, task)?;
                if self.sorted.is_empty() {
                    self.known = row.details.keys().cloned().collect();
                }
                let key = SortKey::of(row.details.remove(field));
                drop(row);
                task.budget.release(held);
                key
            }
        };
        let text = if let SortKey::Text(text) = &key { text.len() as u64 } else { 0 };
        task.budget.memory(text.saturating_add(64))?;
        self.sorted.push((key, entry.node));
        Ok(Step::Into)
    }

    fn level(&mut self, inner: &mut [Node], task: &mut Task<'_>) -> Walked {
        let ListingSelection { request, pages, .. } = *self.listing;
        let mut sorted = std::mem::take(&mut self.sorted);
        sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
        if request.reverse {
            sorted.reverse();
        }
        let no_row_has_it = sorted.iter().all(|(key, _)| *key == SortKey::Missing);
        if let Some(sort) = request.sort.as_ref().filter(|_| !sorted.is_empty() && no_row_has_it) {
            let known = self.known.iter().map(String::as_str);
            return Err(unknown(sort, known.chain(["path", "name", "type", "size"])).into());
        }
        for (_, node) in &sorted {
            finish(self.container.entry(*node, pages, task, self.each))?;
        }
        // They are gone into in the order in which they are listed.
        for (place, (_, node)) in inner.iter_mut().zip(sorted) {
            *place = node;
        }
        Ok(())
    }
}

/// The error about a field that no entry has, with those that are near it.
fn unknown<'n>(field: &str, known: impl IntoIterator<Item = &'n str>) -> Error {
    Error::new(&codes::core::NOT_FOUND)
        .expected("a field that `spelunk ls --json` prints of these entries")
        .found(with_near(field, known))
}
