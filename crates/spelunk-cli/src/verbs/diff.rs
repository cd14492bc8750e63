//! `diff`: what changed between two files.

use super::open_one;
use crate::{
    args::Diff as Args,
    output::{FAINT, LABEL, Session, TITLE, human, value},
};
use anstyle::{AnsiColor, Style};
use spelunk::{
    Field, Opened, Result, Val,
    diff::{
        self, Change, Diff, FieldChange, Item, ListItem, Options,
        json::{Pages, lines, shown_name},
    },
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

pub fn run(args: &Args, session: &mut Session) -> Result<()> {
    // Both are told where neither can be opened.
    let old = open_one(&args.old, session)?;
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
    print(&found, [&old, &new], session)?;
    if !found.is_empty() {
        session.exit.findings();
    } else if args.old != args.new && !same_bytes(&args.old, &args.new).unwrap_or(true) {
        session.say("the same content; how it is stored differs");
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
                let (name, size) = (title(item, new_pages), human(item.size));
                writeln!(self.out, "{NEW}+ {name}{NEW:#}  {FAINT}{size}{FAINT:#}")?;
                Ok(())
            }
            Change::Removed(item) => {
                let (name, size) = (title(item, old_pages), human(item.size));
                writeln!(self.out, "{OLD}- {name}{OLD:#}  {FAINT}{size}{FAINT:#}")?;
                Ok(())
            }
            Change::Renamed { old, new, fields } => {
                let (from, to) = (title(old, old_pages), title(new, new_pages));
                writeln!(self.out, "{OTHER}>{OTHER:#} {OLD}{from}{OLD:#} -> {NEW}{to}{NEW:#}")?;
                self.fields(fields, 4)
            }
            Change::Changed { old, new, fields } => {
                let name = title(new, new_pages);
                let was = if old.path == new.path {
                    String::new()
                } else {
                    format!("  {FAINT}was {}{FAINT:#}", old.path)
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
                    // Names that differ behind the NUL where they end.
                    (Some(a), Some(b)) if a == b => {
                        let stored = [old, new].map(|val| val.as_ref().map(stored));
                        let [old, new] = stored.map(Option::unwrap_or_default);
                        writeln!(
                            self.out,
                            "{a}, stored as {OLD}{old}{OLD:#} -> {NEW}{new}{NEW:#}"
                        )?;
                    }
                    (Some(a), Some(b)) => match stretch(old.as_ref(), new.as_ref()) {
                        Some(told) => writeln!(self.out, "{told}")?,
                        None => writeln!(self.out, "{OLD}{a}{OLD:#} -> {NEW}{b}{NEW:#}")?,
                    },
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
            [FieldChange::Value { path: own, .. }] if own.starts_with(path) => {
                self.fields(&item.fields, indent)
            }
            fields => {
                writeln!(self.out, "{pad}{style}{mark} {path}[{index}]{style:#}")?;
                self.fields(fields, indent.saturating_add(4))
            }
        }
    }
}

/// An entry as people know it.
fn title(item: &Item, pages: &CodePages) -> String {
    if !item.path.starts_with('#') {
        return format!("{} {}", item.kind, item.path);
    }
    match shown_name(item, pages) {
        name if name.is_empty() => format!("{} {}", item.kind, item.path),
        name => format!("{}/{name} {}", item.kind, item.path),
    }
}

fn shown(field: &Field, val: &Val<'_>, pages: &CodePages) -> String {
    value(field, val, pages)
}

/// The bytes of a text, for what is shown alike.
fn stored(val: &Val<'_>) -> String {
    match val {
        Val::Text(bytes) => Val::Bytes(bytes.as_ref().into()).to_string(),
        other => format!("{other:?}"),
    }
}

/// Where long bytes differ.
fn stretch(old: Option<&Val<'_>>, new: Option<&Val<'_>>) -> Option<String> {
    let (Some(Val::Bytes(old)), Some(Val::Bytes(new))) = (old, new) else { return None };
    if old.len().max(new.len()) <= 32 {
        return None;
    }
    match diff::stretch(old, new) {
        FieldChange::Content { old, new, start, old_len, new_len } => {
            Some(told_stretch(old, new, start, old_len, new_len))
        }
        _ => None,
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
