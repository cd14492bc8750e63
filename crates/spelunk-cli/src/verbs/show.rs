//! `show`: every known field of one entry.

use super::{find_one, open_one};
use crate::{
    args::EntryOf,
    output::{FAINT, LABEL, SHOWN_ITEMS, Session, TITLE, human, value},
};
use serde_json::{Map, Value};
use spelunk::{
    Entry, Result, Task, Val, json,
    text::CodePages,
    walk::{Flat, finish},
};

pub fn run(args: &EntryOf, session: &mut Session) -> Result<()> {
    session.show_at(&args.at)?;
    let Some((file, mut opened)) = open_one(&args.file, session)? else { return Ok(()) };
    let pages = opened.code_pages();
    let Some(node) = find_one(&file, &mut opened, &args.path, session) else { return Ok(()) };
    let mut head = (String::new(), String::new(), 0);
    let mut each = |entry: &Entry<'_>, _: &mut Task<'_>| {
        head = (entry.path.to_owned(), entry.kind.to_owned(), entry.size);
        Ok(())
    };
    opened.run_silent(|container, task| finish(container.entry(node, &pages, task, &mut each)))?;
    let (path, kind, size) = head;
    let mut flat = Flat::default();
    let is_json = session.common.json;
    let result = opened.run(|container, task| {
        task.keeping(|task, most| {
            // Beside the fields there are the lines for people, or a value in hexadecimal.
            flat = Flat::within(if is_json { most / 3 * 2 } else { most / 2 });
            (finish(container.walk(node, task, &mut flat)), most)
        })
    });
    if let (Err(error), true) = (&result, flat.fields.is_empty()) {
        session.settle(&file, opened.findings());
        session.failed(&file, error);
        return Ok(());
    }
    if is_json {
        let mut line = Map::new();
        line.insert("file".into(), file.as_str().into());
        line.insert("path".into(), path.into());
        line.insert("type".into(), kind.into());
        line.insert("size".into(), size.into());
        let line = Value::Object(line).to_string();
        // Field by field: as JSON they take several times what they are.
        let out = session.out();
        write!(out, "{},\"fields\":[", line.trim_end_matches('}'))?;
        for (nth, field) in flat.fields.iter().enumerate() {
            let comma = if nth > 0 { "," } else { "" };
            write!(out, "{comma}{}", json::flat_field(field, &pages))?;
        }
        writeln!(out, "]}}")?;
    } else {
        let out = session.out();
        writeln!(out, "{TITLE}{path}{TITLE:#}  {kind}, {}", human(size))?;
        let lines = lines(&flat, &pages);
        let wide = lines.iter().map(|line| line.place.len()).max().unwrap_or(0);
        let names = lines.iter().map(|line| line.path.len()).max().unwrap_or(0).min(40);
        for Line { place, path, text } in &lines {
            writeln!(
                out,
                "  {FAINT}{place:<wide$}{FAINT:#}  {LABEL}{path:<names$}{LABEL:#}  {text}"
            )?;
        }
    }
    session.settle(&file, opened.findings());
    if let Err(error) = result {
        session.failed(&file, &error);
    }
    Ok(())
}

/// A line for people.
struct Line {
    place: String,
    path: String,
    text: String,
}

/// The fields, a line each. Values of one list stand on one line, and of long lists the first items alone; JSON has
/// all of them.
fn lines(flat: &Flat, pages: &CodePages) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    // The list whose values the last line holds, and the one of which items are left out.
    let mut listed = String::new();
    let mut hidden = String::new();
    for field in &flat.fields {
        if let Some(list) = beyond(&field.path) {
            if list != hidden {
                let text = "... (--json has all)".to_owned();
                lines.push(Line { place: String::new(), path: list.to_owned(), text });
                list.clone_into(&mut hidden);
            }
            continue;
        }
        let text = value(field.field, &field.value, pages);
        let list = field.path.strip_suffix(']').and_then(|path| path.rsplit_once('['));
        let short = !matches!(field.value, Val::Bytes(_) | Val::Text(_) | Val::Ref(..));
        if let (Some((list, _)), true, Some(last)) = (list, short, lines.last_mut())
            && listed == list
        {
            last.path = list.to_owned();
            last.text.push_str(&format!(", {text}"));
            continue;
        }
        listed = list.filter(|_| short).map(|(list, _)| list.to_owned()).unwrap_or_default();
        let place = field.at.map(|at| at.to_string()).unwrap_or_default();
        lines.push(Line { place, path: field.path.clone(), text });
    }
    lines
}

/// The outermost list of which people are not shown the item that a path leads to.
fn beyond(path: &str) -> Option<&str> {
    path.match_indices('[').find_map(|(start, _)| {
        let (list, index) = path.split_at(start);
        let index = index.get(1..)?.split(']').next()?.parse::<u64>().ok()?;
        (index >= SHOWN_ITEMS).then_some(list)
    })
}
