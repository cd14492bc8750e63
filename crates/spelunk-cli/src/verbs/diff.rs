//! `diff`: what changed between two files.

use super::{open_one, writing};
use crate::{
    args::Diff as Args,
    columns::Cell,
    inputs::Input,
    output::{FAINT, LABEL, Session, TITLE, human, value},
};
use anstyle::{AnsiColor, Style};
use spelunk::{
    Error, Field, Opened, Result, Val, codes,
    diff::{
        self, Change, Diff, FieldChange, Item, ListItem, Options,
        json::{Pages, lines, shown_name},
        stat::Stat,
    },
    pack::Origin,
    patch::AnyPatch,
    text::CodePages,
};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::Path,
};

const OLD: Style = AnsiColor::Red.on_default();
const NEW: Style = AnsiColor::Green.on_default();
const OTHER: Style = AnsiColor::Yellow.on_default();

/// How many fields of an entry people are shown; JSON has all of them.
const SHOWN_FIELDS: usize = 40;

/// How many bytes people are shown.
const SHOWN_BYTES: usize = 32;

pub fn run(args: &Args, session: &mut Session) -> Result<()> {
    if let Some(block) = args.blocks {
        return super::blocks::run(args, block, session);
    }
    // Both are told where neither can be opened.
    session.revision = args.old_generation;
    let old = open_one(&args.old, session)?;
    session.revision = args.new_generation;
    let new = open_one(&args.new, session)?;
    let (Some((old_file, mut old)), Some((new_file, mut new))) = (old, new) else { return Ok(()) };
    let options = Options { max_items: args.max_items };
    let compared = diff::diff(&mut old, &mut new, &options);
    session.settle(&old_file, old.findings());
    session.settle(&new_file, new.findings());
    let found = match compared {
        Ok(found) => found,
        Err(error) => {
            session.failed(&new_file, &error);
            return Ok(());
        }
    };
    let patch_only = args.patch.as_deref().is_some_and(writing::is_stdout);
    match (patch_only, args.stat) {
        (true, _) => {}
        (_, true) => stat(&found, session)?,
        _ => print(&found, [&old, &new], session)?,
    }
    let is_empty = found.is_empty();
    // Making a patch opens both files again and has all of the memory for that.
    drop((found, old, new));
    if let Some(target) = &args.patch {
        write_patch(args, target, session)?;
    }
    if !is_empty {
        session.exit.findings();
    } else if args.old != args.new && !same_bytes(&args.old, &args.new).unwrap_or(true) {
        session.say("the same content; how it is stored differs");
    }
    Ok(())
}

/// Prints how much changed.
fn stat(found: &Diff, session: &mut Session) -> Result<()> {
    let (types, sum) = diff::stat::stats(found);
    let rows = types.iter().map(|(ty, stat)| (Some(*ty), stat)).chain([(None, &sum)]);
    if session.common.json {
        return rows.into_iter().try_for_each(|(ty, stat)| session.json(&stat.json(ty)));
    }
    if found.is_empty() {
        return Ok(());
    }
    let heads =
        ["type", "added", "removed", "changed", "renamed", "fields", "old size", "new size"];
    let mut columns = session.columns().headed(heads);
    for (ty, stat) in rows {
        let Stat { added, removed, changed, renamed, fields, old_size, new_size } = stat;
        let counts = [added, removed, changed, renamed, fields].map(u64::to_string);
        let sizes = [old_size, new_size].map(|size| human(*size));
        let numbers = counts.into_iter().chain(sizes).map(Cell::number);
        let row = std::iter::once(Cell::text(ty.unwrap_or("all"))).chain(numbers);
        columns.add(row.collect(), session.out())?;
    }
    columns.end(session.out())
}

/// Writes what makes each of the files of the other.
fn write_patch(args: &Args, target: &Path, session: &mut Session) -> Result<()> {
    let options = session.options()?;
    let source = |path| {
        let input = Input::named(path);
        if input.is_stdin() {
            let error = Error::new(&codes::core::BAD_TARGET);
            return Err(error.expected("files, where a patch is made").found("standard input"));
        }
        input.source(&options)
    };
    let made = source(&args.old).and_then(|old| {
        let new = source(&args.new)?;
        let [old, new] = [&old, &new].map(|source| Origin { source, options: &options });
        AnyPatch::between(&old, &new)?.text()
    });
    match made {
        Ok(text) => {
            let written = writing::put(target, &args.out, text.as_bytes());
            writing::told(target, &args.out, written, 1, session);
        }
        Err(error) => session.failed(&Input::named(&args.new).name(), &error),
    }
    Ok(())
}

/// Whether both files have the same bytes.
fn same_bytes(old: &Path, new: &Path) -> io::Result<bool> {
    let (mut old, mut new) = (BufReader::new(File::open(old)?), BufReader::new(File::open(new)?));
    loop {
        let (a, b) = (old.fill_buf()?, new.fill_buf()?);
        let len = a.len().min(b.len());
        if len == 0 || a.get(..len) != b.get(..len) {
            return Ok(a.is_empty() && b.is_empty());
        }
        old.consume(len);
        new.consume(len);
    }
}

fn print(found: &Diff, opened: [&Opened; 2], session: &mut Session) -> Result<()> {
    let [old, new] = opened.map(Opened::code_pages);
    let pages = [&old, &new];
    if session.common.json {
        return lines(found, pages).try_for_each(|line| session.json(&line));
    }
    if found.is_empty() {
        return Ok(());
    }
    let mut print = Print { out: session.out(), pages };
    if !found.summary.is_empty() {
        writeln!(print.out, "{OTHER}~{OTHER:#} {TITLE}file{TITLE:#}")?;
        print.fields(&found.summary, 4)?;
    }
    for change in &found.changes {
        print.change(change)?;
    }
    let count = |is: fn(&Change) -> bool| found.changes.iter().filter(|c| is(c)).count() as u64;
    let counts = [
        (count(|c| matches!(c, Change::Changed { .. })), "changed"),
        (count(|c| matches!(c, Change::Renamed { .. })), "renamed"),
        (count(|c| matches!(c, Change::Added(_))), "added"),
        (count(|c| matches!(c, Change::Removed(_))), "removed"),
        (found.renumbered, "with another id"),
    ];
    let told = counts.iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told.map(|(count, what)| format!("{count} {what}")).collect();
    if !told.is_empty() {
        writeln!(session.out(), "{}", told.join(", "))?;
    }
    Ok(())
}

struct Print<'p> {
    out: &'p mut dyn Write,
    pages: Pages<'p>,
}

impl Print<'_> {
    fn change(&mut self, change: &Change) -> Result<()> {
        let [old_pages, new_pages] = self.pages;
        match change {
            Change::Added(item) => {
                let (name, note) = (title(item, new_pages), note(item));
                writeln!(self.out, "{NEW}+ {name}{NEW:#}  {FAINT}{note}{FAINT:#}")?;
                Ok(())
            }
            Change::Removed(item) => {
                let (name, note) = (title(item, old_pages), note(item));
                writeln!(self.out, "{OLD}- {name}{OLD:#}  {FAINT}{note}{FAINT:#}")?;
                Ok(())
            }
            Change::Renamed { old, new, fields } => {
                let (from, to) = (title(old, old_pages), title(new, new_pages));
                writeln!(self.out, "{OTHER}>{OTHER:#} {OLD}{from}{OLD:#} -> {NEW}{to}{NEW:#}")?;
                self.fields(fields, 4)
            }
            Change::Changed { old, new, fields } => {
                let name = title(new, new_pages);
                let was = if old.path != new.path {
                    format!("  {FAINT}was {}{FAINT:#}", old.path)
                } else if by_position(new) {
                    String::new()
                } else {
                    format!("  {FAINT}{}{FAINT:#}", new.kind)
                };
                writeln!(self.out, "{OTHER}~{OTHER:#} {TITLE}{name}{TITLE:#}{was}")?;
                self.fields(fields, 4)
            }
        }
    }

    fn fields(&mut self, changes: &[FieldChange], indent: usize) -> Result<()> {
        let mut left = changes.iter();
        left.by_ref().take(SHOWN_FIELDS).try_for_each(|change| self.field(change, indent))?;
        self.more(left.len() as u64, "fields", indent)
    }

    fn more(&mut self, more: u64, what: &str, indent: usize) -> Result<()> {
        if more > 0 {
            writeln!(self.out, "{:indent$}{FAINT}... {more} more {what}{FAINT:#}", "")?;
        }
        Ok(())
    }

    fn field(&mut self, change: &FieldChange, indent: usize) -> Result<()> {
        let [old_pages, new_pages] = self.pages;
        let pad = " ".repeat(indent);
        match change {
            FieldChange::Value { path, field, old, new } => {
                let text = |value: &Option<Val<'static>>, pages: &CodePages| {
                    value.as_ref().map(|value| shown(field, value, pages))
                };
                write!(self.out, "{pad}{LABEL}{path}{LABEL:#}  ")?;
                match (text(old, old_pages), text(new, new_pages)) {
                    (Some(a), Some(b)) => {
                        let told = match (old, new) {
                            (Some(Val::Bytes(old)), Some(Val::Bytes(new))) => stretch(old, new),
                            // Names may differ behind the NUL where they end.
                            (Some(Val::Text(old)), Some(Val::Text(new))) if a == b => {
                                let (old, new) = (Val::Bytes(old.clone()), Val::Bytes(new.clone()));
                                Some(format!(
                                    "{a}, stored as {OLD}{old}{OLD:#} -> {NEW}{new}{NEW:#}"
                                ))
                            }
                            _ => bits(field, old.as_ref(), new.as_ref()),
                        };
                        let told =
                            told.unwrap_or_else(|| format!("{OLD}{a}{OLD:#} -> {NEW}{b}{NEW:#}"));
                        writeln!(self.out, "{told}")?;
                    }
                    (Some(a), None) => writeln!(self.out, "{OLD}- {a}{OLD:#}")?,
                    (None, Some(b)) => writeln!(self.out, "{NEW}+ {b}{NEW:#}")?,
                    (None, None) => writeln!(self.out)?,
                }
                Ok(())
            }
            FieldChange::List { path, old, new, changed, added, removed, items } => {
                let all = changed.saturating_add(*added).saturating_add(*removed);
                // All that changed in place is told by its fields alone.
                if *changed != all || all > items.len() as u64 {
                    let counts = [(*changed, "changed"), (*added, "added"), (*removed, "removed")];
                    let counts = counts.iter().filter(|(count, _)| *count > 0);
                    let counts: Vec<_> =
                        counts.map(|(count, what)| format!("{count} {what}")).collect();
                    let of = if old == new { format!("{old}") } else { format!("{old} -> {new}") };
                    let counts = counts.join(", ");
                    writeln!(self.out, "{pad}{LABEL}{path}{LABEL:#}  {counts}; {of} items")?;
                }
                items.iter().try_for_each(|item| self.item(item, path, indent))?;
                self.more(all.saturating_sub(items.len() as u64), "items", indent)
            }
            FieldChange::Group { path, is_new, count, fields } => {
                let (mark, style) = if *is_new { ("+", NEW) } else { ("-", OLD) };
                writeln!(self.out, "{pad}{style}{mark} {path}{style:#}  {count} fields")?;
                self.fields(fields, indent.saturating_add(4))?;
                let more = count.saturating_sub(fields.len() as u64);
                self.more(more, "fields", indent.saturating_add(4))
            }
            FieldChange::Content { old, new, start, old_len, new_len } => {
                let told = told_stretch(*old, *new, *start, *old_len, *new_len);
                writeln!(self.out, "{pad}{LABEL}content{LABEL:#}  {told}")?;
                Ok(())
            }
        }
    }

    fn item(&mut self, item: &ListItem, path: &str, indent: usize) -> Result<()> {
        let pad = " ".repeat(indent);
        let (mark, style, index) = match (item.old, item.new) {
            (Some(_), Some(new)) => ("~", OTHER, new),
            (Some(old), None) => ("-", OLD, old),
            (None, Some(new)) => ("+", NEW, new),
            (None, None) => return Ok(()),
        };
        match item.fields.as_slice() {
            // It says itself which item it is.
            [
                FieldChange::Value { path: own, .. }
                | FieldChange::List { path: own, .. }
                | FieldChange::Group { path: own, .. },
            ] if own.starts_with(path) => self.fields(&item.fields, indent),
            fields => {
                writeln!(self.out, "{pad}{style}{mark} {path}[{index}]{style:#}")?;
                self.fields(fields, indent.saturating_add(4))
            }
        }
    }
}

/// What people know an entry by.
fn title(item: &Item, pages: &CodePages) -> String {
    if !by_position(item) {
        return item.path.clone();
    }
    match shown_name(item, pages) {
        name if name.is_empty() => format!("{} {}", item.kind, item.path),
        name => format!("{}/{name} {}", item.kind, item.path),
    }
}

/// Whether the path tells nothing but a position.
fn by_position(item: &Item) -> bool {
    item.path.starts_with('#')
}

/// What else is worth telling of an entry that only one file has.
fn note(item: &Item) -> String {
    let size = human(item.size);
    if by_position(item) { size } else { format!("{}, {size}", item.kind) }
}

fn shown(field: &Field, val: &Val<'_>, pages: &CodePages) -> String {
    value(field, val, pages)
}

/// Two bit sets, with the bits that were set and cleared; `None` for what is none.
fn bits(field: &Field, old: Option<&Val<'_>>, new: Option<&Val<'_>>) -> Option<String> {
    let set = |value: Option<&Val<'_>>| match value? {
        Val::U(number) => u32::try_from(*number).ok(),
        Val::Word(number) => Some(*number),
        _ => None,
    };
    let (a, b) = (set(old)?, set(new)?);
    let named = |bits: u32, mark: char| {
        let known = field.bits.iter().filter(move |(mask, _)| *mask != 0 && bits & mask == *mask);
        known.map(move |(_, name)| format!("{mark}{name}"))
    };
    let told: Vec<String> = named(a & !b, '-').chain(named(b & !a, '+')).collect();
    if told.is_empty() {
        return None;
    }
    let (old, new) = (old?, new?);
    Some(format!("{OLD}{old}{OLD:#} -> {NEW}{new}{NEW:#} ({})", told.join(", ")))
}

/// Where long bytes differ; `None` for short ones.
fn stretch(old: &[u8], new: &[u8]) -> Option<String> {
    if old.len().max(new.len()) <= SHOWN_BYTES {
        return None;
    }
    let FieldChange::Content { old: a, new: b, start, old_len, new_len } = diff::stretch(old, new)
    else {
        return None;
    };
    let told = told_stretch(a, b, start, old_len, new_len);
    let part = |bytes: &[u8], len: u64| {
        let range = usize::try_from(start).ok()?..usize::try_from(start.checked_add(len)?).ok()?;
        let part = bytes.get(range).filter(|part| part.len() <= SHOWN_BYTES)?;
        Some(Val::Bytes(part.into()).to_string())
    };
    match part(old, old_len).zip(part(new, new_len)) {
        Some((a, b)) => Some(format!("{told}: {OLD}{a}{OLD:#} -> {NEW}{b}{NEW:#}")),
        None => Some(told),
    }
}

fn told_stretch(old: u64, new: u64, start: u64, old_len: u64, new_len: u64) -> String {
    let sizes = if old == new { format!("{old} bytes") } else { format!("{old} -> {new} bytes") };
    match (old_len, new_len) {
        (0, added) => format!("{sizes}, {added} more at {start:#x}"),
        (removed, 0) => format!("{sizes}, {removed} less at {start:#x}"),
        (a, b) if a == b => format!("{sizes}, others in the {a} from {start:#x}"),
        (a, b) => format!("{sizes}, {b} for the {a} from {start:#x}"),
    }
}
