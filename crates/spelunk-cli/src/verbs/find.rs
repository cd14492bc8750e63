//! `find`: names, texts, ids and values in files and folders.

use crate::{
    args::Find,
    inputs::{self, Input},
    output::{FAINT, Session, TITLE},
    progress::Progress,
};
use serde_json::{Map, Value};
use spelunk::{
    Opened, Result,
    find::{self, Hit, Pattern},
    json,
    text::CodePages,
};

pub fn run(args: &Find, session: &mut Session) -> Result<()> {
    session.revision = args.generation;
    let pattern = Pattern::new(&args.pattern, args.whole)?;
    let mut inputs = Vec::new();
    for path in &args.files {
        match path.is_dir() {
            true => inputs::folder(path, true, &mut inputs),
            false => inputs.push(Input::named(path)),
        }
    }
    let mut progress = Progress::over(&inputs, session);
    let mut count = 0_u64;
    for (nth, input) in inputs.iter().enumerate() {
        progress.file(nth);
        let Some(mut opened) = session.open(input)? else { continue };
        count += one(&input.name(), &mut opened, &pattern, args, session)?;
    }
    drop(progress);
    if count == 0 {
        session.say("nothing found");
    }
    Ok(())
}

/// Searches one file. Tells how often the pattern was found.
fn one(
    file: &str,
    opened: &mut Opened,
    pattern: &Pattern,
    args: &Find,
    session: &mut Session,
) -> Result<u64> {
    let pages = opened.code_pages();
    let options = find::Options { names: args.names };
    let (mut count, mut is_told) = (0, true);
    let found = opened.run(|container, task| {
        find::find(container, pattern, options, &pages, task, &mut |hit| {
            count += 1;
            let told = tell(file, hit, &pages, session);
            is_told = told.is_ok();
            told
        })
    });
    session.tell(file, &opened.findings().findings);
    match found {
        Err(error) if !is_told => return Err(error),
        Err(error) => session.failed(file, &error),
        Ok(()) => {}
    }
    Ok(count)
}

fn tell(file: &str, hit: &Hit<'_>, pages: &CodePages, session: &mut Session) -> Result<()> {
    let Hit { path, kind, name, field } = hit;
    if session.common.json {
        let texts = [("file", file), ("path", path), ("kind", kind), ("name", name)];
        let mut line: Map<String, Value> =
            texts.map(|(key, text)| (key.to_owned(), text.into())).into_iter().collect();
        if let Some((path, field, value)) = field {
            line.insert("field".to_owned(), path.as_str().into());
            line.insert("type".to_owned(), field.ty.name().into());
            line.insert("value".to_owned(), json::scalar(value, pages));
            if let Some(meaning) = json::meaning(field, value, pages) {
                line.insert("meaning".to_owned(), meaning.into());
            }
        }
        return session.json(&Value::Object(line));
    }
    let out = session.out();
    write!(out, "{TITLE}{file}{TITLE:#}: {path}")?;
    if !path.ends_with(name) {
        write!(out, " {name}")?;
    }
    write!(out, " {FAINT}{kind}{FAINT:#}")?;
    if let Some((path, field, value)) = field {
        let shown = match json::scalar(value, pages) {
            Value::String(text) => text.escape_debug().to_string(),
            other => other.to_string(),
        };
        write!(out, "  {path} = {shown}")?;
        if let Some(meaning) = json::meaning(field, value, pages) {
            write!(out, " ({meaning})")?;
        }
    }
    Ok(writeln!(out)?)
}
