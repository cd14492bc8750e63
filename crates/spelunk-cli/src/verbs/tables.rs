//! Tables to databases, CSV and JSON: the part of `export` that is for them.

use super::{
    export::{Content, Put},
    writing::{self, Onto},
};
use crate::{
    args::{Export, ExportKind},
    output::Session,
};
use spelunk::{Error, Opened, Result, codes, replace::Scratch, tables};
use std::{fs, io};

/// Whether tables are what goes to this kind of file.
pub fn is_for(kind: ExportKind, opened: &Opened) -> bool {
    matches!(kind, ExportKind::Sqlite | ExportKind::Csv | ExportKind::Json)
        && tables::is_for(opened)
}

/// Writes the tables of a file.
pub fn export(
    args: &Export,
    kind: ExportKind,
    file: &str,
    mut opened: Opened,
    session: &mut Session,
) -> Result<()> {
    if !args.paths.is_empty() {
        let error = Error::new(&codes::core::BAD_PATH).expected("no path: all tables are written");
        session.failed(file, &error);
        return Ok(());
    }
    let mut count = 1;
    let written = match kind {
        ExportKind::Csv => csv(args, &mut opened, &mut count),
        ExportKind::Json => json(args, &mut opened),
        _ => sqlite(args, &mut opened),
    };
    session.settle(file, opened.findings());
    match written {
        Err(error) if error.code().id == codes::ONE_FILE.id => {
            session.failed(file, &error);
            Ok(())
        }
        written => writing::exported(file, args, written, count, session),
    }
}

/// A database, which is made by its path.
fn sqlite(args: &Export, opened: &mut Opened) -> Result<u64> {
    if writing::is_stdout(&args.output) {
        let mut new = Scratch::new()?;
        tables::sql::export(opened, new.path())?;
        return match args.out.dry_run {
            true => Ok(fs::metadata(new.path())?.len()),
            false => Ok(io::copy(new.file(), &mut io::stdout().lock())?),
        };
    }
    let new = Onto::new(&args.out).begin(&args.output)?;
    tables::sql::export(opened, new.path())?;
    let size = fs::metadata(new.path())?.len();
    if !args.out.dry_run {
        writing::commit(new)?;
    }
    Ok(size)
}

fn json(args: &Export, opened: &mut Opened) -> Result<u64> {
    writing::streamed(&args.output, &args.out, |out| tables::json::export(opened, out))
}

/// A folder of files, all of them or none.
fn csv(args: &Export, opened: &mut Opened, count: &mut usize) -> Result<u64> {
    let out = &args.output;
    if writing::is_stdout(out) || out.is_file() || out.extension().is_some_and(|end| end == "csv") {
        return Err(Error::new(&codes::ONE_FILE)
            .expected("a folder")
            .found(out.display().to_string()));
    }
    let mut put = Put::new(args);
    let mut names = Vec::new();
    tables::csv::export(opened, &mut |made| {
        put.add(&out.join(&made.name), &Content::Bytes(made.content))?;
        names.push(made.name);
        Ok(())
    })?;
    *count = names.len();
    // Tables of another file would be taken for some of this one.
    let left_over = tables::csv::left_over(out, &names);
    if let (Some(path), false) = (left_over.first(), args.out.force) {
        return Err(Error::new(&codes::core::EXISTS).found(path.display().to_string()));
    }
    let size = put.commit()?;
    for path in left_over.iter().filter(|_| !args.out.dry_run) {
        fs::remove_file(path)?;
    }
    Ok(size)
}
