//! `explain`: which field a byte belongs to, the whole of a file as a map or as bytes, or what a code means.

mod code;
mod hex;
mod map;

use crate::{
    args::Explain,
    inputs::Input,
    output::{LABEL, Session, TITLE, is_closed_pipe, value},
};
use serde_json::{Map, Value, json};
use spelunk::{
    Error, Opened, Result, Seg, Source, Space, codes,
    explain::{self, Part, Tell},
    json, registry,
    walk::Located,
};
use std::{collections::BTreeMap, path::Path, sync::Arc};

pub fn run(args: &Explain, session: &mut Session) -> Result<()> {
    session.show_at(&args.at)?;
    if args.codes {
        return code::all(session);
    }
    let subject = args.subject.as_deref().unwrap_or_default();
    let whole = args.map || args.hex;
    if args.place.is_none() && !whole && args.entry.is_none() {
        return code::tell(subject, session);
    }
    let input = Input::named(Path::new(subject));
    let Some((mut opened, source)) = open(&input, session)? else { return Ok(()) };
    let file = input.name();
    if whole || args.entry.is_some() {
        return lay_out(args, &file, &mut opened, source, session);
    }
    let place = args.place.as_deref().unwrap_or_default();
    match explain::place(opened.container(), place) {
        Ok((space, offset)) => byte(&file, &mut opened, (space, offset), session),
        Err(error) => {
            session.failed(&file, &error);
            Ok(())
        }
    }
}

/// Lists the rules of `lint`.
pub fn rules(session: &mut Session) -> Result<()> {
    code::list(registry::all().filter(|known| known.rule.is_some()), session)
}

/// Opens a file, and keeps its bytes at hand; a folder of archives has none, which is told.
fn open(input: &Input, session: &mut Session) -> Result<Option<(Opened, Arc<dyn Source>)>> {
    if input.path.is_dir() && session.open(input)?.is_some() {
        let error = Error::new(&codes::core::NO_SUCH_OPERATION);
        let error = error.expected("one of its archives").found("a folder of archives");
        session.failed(&input.name(), &error);
        return Ok(None);
    }
    if input.path.is_dir() {
        return Ok(None);
    }
    let options = session.options()?;
    let source = match input.source(&options) {
        Ok(source) => source,
        Err(error) => {
            session.unopened(&input.name(), &error);
            return Ok(None);
        }
    };
    match Opened::open(source.clone(), &options) {
        Ok(opened) => Ok(Some((opened, source))),
        Err(error) => {
            session.refused(input, &options, &error);
            Ok(None)
        }
    }
}

/// Prints the map or the bytes of a part.
fn lay_out(
    args: &Explain,
    file: &str,
    opened: &mut Opened,
    source: Arc<dyn Source>,
    session: &mut Session,
) -> Result<()> {
    let pages = opened.code_pages();
    let place = args.place.as_deref();
    let part = opened.run(|container, task| match (&args.entry, place) {
        (Some(path), _) => Part::entry(container, path, &pages, task),
        (None, Some(place)) => Part::parse(container, place, args.len, &pages, task),
        (None, None) => Ok(Part::all()),
    });
    let part = match part {
        Ok(part) => part,
        Err(error) => {
            session.failed(file, &error);
            return Ok(());
        }
    };
    let spaces = opened.container().spaces();
    let sizes: BTreeMap<Space, u64> = spaces.iter().map(|span| (span.space, span.len)).collect();
    let in_full = args.full || args.len.is_some();
    let shown = Shown { file, pages: &pages, size: opened.container().size(), sizes, in_full };
    let bytes = match args.hex {
        true => hex::sources(opened, &part, source),
        false => BTreeMap::new(),
    };
    let is_json = session.common.json;
    let out = session.out();
    let told = opened.run(|container, task| {
        let mut layout = |tell: &mut dyn Tell| explain::layout(container, &part, task, tell);
        if is_json {
            layout(&mut map::Json::new(&shown, &bytes, out))
        } else if args.hex {
            let mut dump = hex::Dump::new(&shown, &bytes, out);
            // What came before damage is shown.
            let told = layout(&mut dump);
            dump.finish().and(told)
        } else {
            layout(&mut map::Tree::new(&shown, out))
        }
    });
    session.settle(file, opened.findings());
    match told {
        Err(error) if is_closed_pipe(&error) => Err(error),
        Err(error) => {
            session.failed(file, &error);
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

/// What the forms of a layout have in common.
struct Shown<'a> {
    file: &'a str,
    pages: &'a spelunk::text::CodePages,
    /// Size of the file, and of what it inflates to.
    size: u64,
    sizes: BTreeMap<Space, u64>,
    /// Long runs of bytes are not folded.
    in_full: bool,
}

impl Shown<'_> {
    /// The heading over what lies in a space.
    fn heading(&self, space: Space) -> String {
        match self.sizes.get(&space) {
            Some(len) => format!("{TITLE}{space}{TITLE:#}, {len} bytes inflated"),
            None => format!("{TITLE}{}{TITLE:#}, {} bytes", self.file, self.size),
        }
    }

    /// Digits of the largest place.
    fn digits(&self) -> usize {
        let largest = self.sizes.values().copied().max().unwrap_or(0).max(self.size);
        format!("{largest:x}").len()
    }
}

/// Tells of one byte.
fn byte(
    file: &str,
    opened: &mut Opened,
    (space, offset): (Space, u64),
    session: &mut Session,
) -> Result<()> {
    let pages = opened.code_pages();
    let found = opened.run(|container, task| explain::locate(container, space, offset, task));
    session.settle(file, opened.findings());
    let located = match found {
        Ok(Some(located)) => located,
        Ok(None) => {
            // The walk covers every byte; what it does not reach lies behind damage.
            let place = spelunk::Span::new(space, offset, 1);
            let error = Error::new(&codes::core::UNREADABLE).at(place);
            session.failed(file, &error);
            return Ok(());
        }
        Err(error) => {
            session.failed(file, &error);
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
