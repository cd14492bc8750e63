//! `export`: content to files of other kinds.

use super::{open_one, writing};
use crate::{
    args::{Export, ExportKind},
    inputs::Input,
    output::Session,
};
use spelunk::{Error, Result, codes, document, pack::Origin, scripts};

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
        Ok(content) => writing::told(
            &args.output,
            &args.out,
            writing::put(&args.output, &args.out, content.as_bytes()),
            session,
        ),
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
        _ => {
            let text = document::text::of(&document);
            writing::put(&args.output, &args.out, text.as_bytes())
        }
    };
    writing::told(&args.output, &args.out, written, session);
    Ok(())
}
