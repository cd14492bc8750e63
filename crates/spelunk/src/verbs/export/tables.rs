//! Tables to databases, CSV and JSON.

use super::{
    ending::exported,
    request::{Kind, Request},
};
use crate::{
    Error, Opened, Result,
    open::codes,
    tables,
    verbs::{
        outputs::Outputs,
        run::{OpenFile, Run},
    },
};
use std::io;

/// Whether tables are what goes to this kind of file.
pub(super) fn is_for(kind: Kind, opened: &Opened) -> bool {
    matches!(kind, Kind::Sqlite | Kind::Csv | Kind::Json) && tables::is_for(opened)
}

/// Writes the tables of a file.
pub(super) fn export(
    request: &Request,
    kind: Kind,
    mut file: OpenFile<'_>,
    run: &mut Run<'_>,
) -> Result<()> {
    if !request.paths.is_empty() {
        let error = Error::new(&codes::core::BAD_PATH).expected("no path: all tables are written");
        run.failed(&file.name, error);
        return Ok(());
    }
    let mut count = 1;
    let opened = file.held.get()?;
    let written = match kind {
        Kind::Csv => csv(request, opened, &mut count, run),
        Kind::Json => one(request, run, |out| tables::json::export(opened, out)),
        _ => one(request, run, |out| database(opened, out)),
    };
    run.settle(&file.name, &opened.take_findings());
    match written {
        Err(error) if error.code().id == codes::ONE_FILE.id => {
            run.failed(&file.name, error);
            Ok(())
        }
        written => exported(&file.name, request, written, count, run),
    }
}

/// A database, which is made by its path.
#[cfg(feature = "sql")]
fn database(opened: &mut Opened, out: &mut dyn io::Write) -> Result<()> {
    let mut new = crate::core::replace::Scratch::new()?;
    tables::sql::export(opened, new.path())?;
    io::copy(new.file(), out)?;
    Ok(())
}

/// Refuses to write a database: this build has no SQLite.
#[cfg(not(feature = "sql"))]
fn database(_: &mut Opened, _: &mut dyn io::Write) -> Result<()> {
    let error = Error::new(&codes::EXPORT_KIND).expected("csv or json: no SQLite is built in");
    Err(error.found("sqlite"))
}

/// Writes one file with what `write` makes; returns its size in bytes.
fn one(
    request: &Request,
    run: &mut Run<'_>,
    write: impl FnOnce(&mut dyn io::Write) -> Result<()>,
) -> Result<u64> {
    let mut outputs = Outputs::new(&request.output, request.out);
    outputs.add(request.output.clone(), run, write)?;
    outputs.commit(run)
}

/// A folder of files, all of them or none.
fn csv(
    request: &Request,
    opened: &mut Opened,
    count: &mut usize,
    run: &mut Run<'_>,
) -> Result<u64> {
    let (out, files) = (&request.output, run.shared_files());
    let is_file = files.len(out).is_some() && !files.is_folder(out);
    let is_named_so = out.as_path().extension().is_some_and(|end| end == "csv");
    if out.is_stream() || is_file || is_named_so {
        let error = Error::new(&codes::ONE_FILE).expected("a folder");
        return Err(error.found(out.to_string()));
    }
    let mut outputs = Outputs::new(out, request.out);
    let mut names = Vec::new();
    tables::csv::export(opened, &mut |made| {
        outputs.add(out.join(&made.name), run, |out| Ok(out.write_all(&made.content)?))?;
        names.push(made.name);
        Ok(())
    })?;
    *count = names.len();
    // Tables of another file would be taken for some of this one.
    let left_over = tables::csv::others(&names).map(|name| out.join(name));
    let left_over: Vec<_> = left_over.filter(|name| files.len(name).is_some()).collect();
    if let (Some(name), false) = (left_over.first(), request.out.force) {
        return Err(Error::new(&codes::core::EXISTS).found(name.to_string()));
    }
    let size = outputs.commit(run)?;
    if !request.out.dry_run {
        left_over.iter().try_for_each(|name| files.remove(name))?;
    }
    Ok(size)
}
