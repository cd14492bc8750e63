//! `explain`: which field a byte belongs to, or what a code means.

use super::open_one;
use crate::{
    args::Explain,
    output::{LABEL, Session, TITLE, value},
};
use serde_json::{Map, Value, json};
use spelunk::{Code, Error, Result, Seg, codes, explain, json, walk::Located};

pub fn run(args: &Explain, session: &mut Session) -> Result<()> {
    session.show_at(&args.at)?;
    let Some(place) = &args.place else {
        let code = codes::find(&args.subject).ok_or_else(|| {
            Error::new(&codes::core::NOT_FOUND)
                .expected("a code such as VT012, or a file and an offset")
                .found(format!("`{}`", args.subject))
        })?;
        return tell_code(code, session);
    };
    let Some((file, mut opened)) = open_one(args.subject.as_ref(), session)? else {
        return Ok(());
    };
    let pages = opened.code_pages();
    let (space, offset) = match explain::place(opened.container(), place) {
        Ok(found) => found,
        Err(error) => {
            session.failed(&file, &error);
            return Ok(());
        }
    };
    let found = opened.run(|container, task| explain::locate(container, space, offset, task));
    session.settle(&file, opened.findings());
    let located = match found {
        Ok(Some(located)) => located,
        Ok(None) => {
            // The walk covers every byte; what it does not reach lies behind damage.
            let place = spelunk::Span::new(space, offset, 1);
            let error = Error::new(&codes::core::UNREADABLE).at(place);
            session.failed(&file, &error);
            return Ok(());
        }
        Err(error) => {
            session.failed(&file, &error);
            return Ok(());
        }
    };
    let Located { field, groups } = located;
    if session.common.json {
        let mut line = Map::new();
        line.insert("file".into(), file.into());
        line.insert("asked".into(), json!({ "space": space.to_string(), "offset": offset }));
        if let Value::Object(fields) = json::flat_field(&field, &pages) {
            line.extend(fields);
        }
        line.insert("doc".into(), field.field.doc.into());
        line.insert("page".into(), field.record.map(|record| record.page).into());
        return session.json(&Value::Object(line));
    }
    let out = session.out();
    let at = field.at.unwrap_or(spelunk::Span::new(space, offset, 1));
    writeln!(out, "{TITLE}{file}{TITLE:#}  {space}:{offset:#x} ({offset})")?;
    let mut line = |label: &str, text: &str| -> Result<()> {
        Ok(writeln!(out, "  {LABEL}{label:<8}{LABEL:#} {text}")?)
    };
    line("field", &field.path)?;
    line("value", &value(field.field, &field.value, &pages))?;
    let nth = offset - at.start;
    let ty = field.field.ty.name();
    line("type", &format!("{ty}, {} bytes at {at}, this is byte {nth} of it", at.len))?;
    if !field.field.doc.is_empty() {
        line("about", field.field.doc)?;
    }
    for (name, record) in &groups {
        let name = match name {
            Seg::Field(name) => (*name).to_owned(),
            Seg::Index(index) => format!("[{index}]"),
            Seg::Key(key) => key.clone().into_owned(),
        };
        line("in", &format!("{name}: {}", record.doc))?;
    }
    if let Some(record) = field.record {
        line("see", record.page)?;
    }
    Ok(())
}

fn tell_code(code: &Code, session: &mut Session) -> Result<()> {
    if session.common.json {
        return session.json(&json!({
            "code": code.id,
            "class": code.class.name(),
            "title": code.title,
            "help": code.help,
            "native": code.native.map(|(name, number)| json!({ "name": name, "number": number })),
        }));
    }
    let out = session.out();
    writeln!(out, "{TITLE}{}{TITLE:#}: {} ({})", code.id, code.title, code.class.name())?;
    writeln!(out, "  {}", code.help)?;
    if let Some((name, number)) = code.native {
        writeln!(out, "  The original software calls it {name} ({number}).")?;
    }
    Ok(())
}
