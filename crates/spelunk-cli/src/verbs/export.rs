//! `export`: content to files of other kinds.

use super::{open_one, writing};
use crate::{
    args::{Export, ExportKind},
    output::{Session, human},
};
use spelunk::{Error, Result, codes, replace::Replacement, scripts};
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
    let Some((file, mut opened)) = open_one(&args.file, session)? else { return Ok(()) };
    let content = match kind {
        ExportKind::Dot => scripts::dot(&mut opened, args.path.as_deref()),
        ExportKind::Json => scripts::json(&mut opened).map(|value| format!("{value:#}\n")),
    };
    session.settle(&file, opened.findings());
    let content = match content {
        Ok(content) => content,
        Err(error) => {
            session.failed(&file, &error);
            return Ok(());
        }
    };
    if writing::is_stdout(&args.output) {
        if !args.out.dry_run {
            io::stdout().lock().write_all(content.as_bytes())?;
        }
        return Ok(());
    }
    let target = args.output.display().to_string();
    if let Err(error) = put(args, content.as_bytes()) {
        session.failed(&target, &error);
        return Ok(());
    }
    let verb = if args.out.dry_run { "would be written" } else { "written" };
    session.say(&format!("{target}: {} {verb}", human(content.len() as u64)));
    Ok(())
}

fn put(args: &Export, content: &[u8]) -> Result<()> {
    let mut new = Replacement::begin(&args.output, writing::existing(&args.out))?;
    if args.out.dry_run {
        return Ok(());
    }
    new.write_all(content)?;
    new.commit()
}
