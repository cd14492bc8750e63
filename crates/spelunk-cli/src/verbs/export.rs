//! `export`: content to files of other kinds.

use super::{open_one, writing};
use crate::{
    args::{Export, ExportKind},
    inputs::Input,
    output::{Session, human},
};
use spelunk::{
    Error, Result, codes, document,
    pack::Origin,
    replace::{Existing, Replacement},
    scripts,
};
use std::io::{self, Write};

pub fn run(args: &Export, session: &mut Session) -> Result<()> {
    let extension = args.output.extension().map(|extension| extension.to_ascii_lowercase());
    let kind = match (args.to, extension.as_ref().and_then(|extension| extension.to_str())) {
        (Some(kind), _) => kind,
        (None, Some("dot" | "gv")) => ExportKind::Dot,
        (None, Some("json")) => ExportKind::Json,
        _ => {
            let error = Error::new(&codes::EXPORT_KIND).found(args.output.display().to_string());
            session.failed(&args.output.display().to_string(), &error);
            return Ok(());
        }
    };
    if matches!(kind, ExportKind::Json | ExportKind::Folder) && !args.scripts {
        return whole(args, kind, session);
    }
    let Some((file, mut opened)) = open_one(&args.file, session)? else { return Ok(()) };
    let content = match kind {
        ExportKind::Dot => scripts::dot(&mut opened, args.path.as_deref()),
        _ => scripts::json(&mut opened).map(|value| document::text::of(&value)),
    };
    session.settle(&file, opened.findings());
    match content {
        Ok(content) => told(args, put(args, content.as_bytes()), session),
        Err(error) => session.failed(&file, &error),
    }
    Ok(())
}

/// The whole file as a document.
fn whole(args: &Export, kind: ExportKind, session: &mut Session) -> Result<()> {
    let options = session.options()?;
    let input = Input::named(&args.file);
    let file = input.name();
    if args.path.is_some() {
        let error = Error::new(&codes::core::BAD_PATH).expected("no path: a document holds all");
        session.failed(&file, &error);
        return Ok(());
    }
    let document = input
        .source(&options)
        .and_then(|source| document::export(&Origin { source: &source, options: &options }));
    let document = match document {
        Ok(document) => document,
        Err(error) => {
            session.refused(&input, &options, &error);
            return Ok(());
        }
    };
    let written = match kind {
        ExportKind::Folder if args.out.dry_run => Ok(document::text::of(&document).len() as u64),
        ExportKind::Folder => {
            document::folder::write(&document, &args.output, &writing::existing(&args.out))
        }
        _ => put(args, document::text::of(&document).as_bytes()),
    };
    told(args, written, session);
    Ok(())
}

fn told(args: &Export, written: Result<u64>, session: &mut Session) {
    let target = args.output.display().to_string();
    match written {
        Ok(_) if writing::is_stdout(&args.output) => {}
        Ok(size) => {
            let verb = if args.out.dry_run { "would be written" } else { "written" };
            session.say(&format!("{target}: {} {verb}", human(size)));
        }
        Err(error) => session.failed(&target, &error),
    }
}

fn put(args: &Export, content: &[u8]) -> Result<u64> {
    let size = content.len() as u64;
    if writing::is_stdout(&args.output) {
        if !args.out.dry_run {
            io::stdout().lock().write_all(content)?;
        }
        return Ok(size);
    }
    let existing: Existing = writing::existing(&args.out);
    let mut new = Replacement::begin(&args.output, existing)?;
    if !args.out.dry_run {
        new.write_all(content)?;
        new.commit()?;
    }
    Ok(size)
}
