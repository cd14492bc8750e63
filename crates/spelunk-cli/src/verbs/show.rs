//! `show`: every known field of one entry.

use super::{find_one, open_one};
use crate::{
    args::EntryOf,
    output::{FAINT, LABEL, Session, TITLE, human, value},
};
use serde_json::{Map, Value};
use spelunk::{
    Entry, Result, Task, json,
    walk::{Flat, finish},
};

pub fn run(args: &EntryOf, session: &mut Session) -> Result<()> {
    let Some((file, mut opened)) = open_one(&args.file, session)? else { return Ok(()) };
    let pages = opened.code_pages();
    let Some(node) = find_one(&file, &mut opened, &args.path, session)? else { return Ok(()) };
    let mut head = (String::new(), String::new(), 0);
    let mut each = |entry: &Entry<'_>, _: &mut Task<'_>| {
        head = (entry.path.to_owned(), entry.kind.to_owned(), entry.size);
        Ok(())
    };
    opened.run_silent(|container, task| finish(container.entry(node, &pages, task, &mut each)))?;
    let (path, kind, size) = head;
    let mut flat = Flat::default();
    let result = opened.run(|container, task| finish(container.walk(node, task, &mut flat)));
    if let (Err(error), true) = (&result, flat.fields.is_empty()) {
        session.settle(&file, opened.findings());
        session.failed(&file, error);
        return Ok(());
    }
    if session.common.json {
        let fields: Vec<Value> =
            flat.fields.iter().map(|field| json::flat_field(field, &pages)).collect();
        let mut line = Map::new();
        line.insert("file".into(), file.as_str().into());
        line.insert("path".into(), path.into());
        line.insert("type".into(), kind.into());
        line.insert("size".into(), size.into());
        line.insert("fields".into(), fields.into());
        session.json(&Value::Object(line))?;
    } else {
        let out = session.out();
        writeln!(out, "{TITLE}{path}{TITLE:#}  {kind}, {}", human(size))?;
        let places: Vec<String> = flat
            .fields
            .iter()
            .map(|field| field.at.map(|at| at.to_string()).unwrap_or_default())
            .collect();
        let wide = places.iter().map(String::len).max().unwrap_or(0);
        let names = flat.fields.iter().map(|field| field.path.len()).max().unwrap_or(0).min(40);
        for (field, place) in flat.fields.iter().zip(&places) {
            let text = value(field.field, &field.value, &pages);
            writeln!(
                out,
                "  {FAINT}{place:<wide$}{FAINT:#}  {LABEL}{:<names$}{LABEL:#}  {text}",
                field.path
            )?;
        }
    }
    session.settle(&file, opened.findings());
    if let Err(error) = result {
        session.failed(&file, &error);
    }
    Ok(())
}
