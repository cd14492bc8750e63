//! Models and pictures into objects; documents and tables, which are whole files; features of a map.

use super::{content::ImportedFile, maps, request::Request, row::ImportedRow, translations};
use crate::{
    Bytes, Error, Result,
    document::{self, Imported},
    models::import::{self, is_source},
    models::maps::{is_features, put_features},
    open::codes,
    tables,
    verbs::{FileRef, input::Input, run::Run},
};

/// Makes the file. `None` where that cannot be done, which is reported and counted.
pub(super) fn make(request: &Request, run: &mut Run<'_>) -> Result<Option<ImportedFile>> {
    let file = request.source.to_string();
    let mut made = match content(request, &file, run) {
        Ok(ImportContent::File(made)) => *made,
        Ok(ImportContent::Features(text)) => {
            return maps::put(request, run, |map| put_features(map, &text));
        }
        Err(error) => {
            if !is_about_into(request, run)? {
                run.unopened(&file, error);
            }
            return Ok(None);
        }
    };
    made.findings = made.opened.take_findings();
    run.settle(&file, &made.findings);
    Ok(Some(made))
}

/// Whether it is the file of `into` that cannot be opened, which is reported and counted then.
fn is_about_into(request: &Request, run: &mut Run<'_>) -> Result<bool> {
    let Some(FileRef::Name(into)) = &request.into else { return Ok(false) };
    if into.is_stream() {
        return Ok(false);
    }
    let input = Input::named(&into.as_os_str().into());
    match run.try_open(&input)? {
        Ok(_) => Ok(false),
        Err(error) => run.refused(&input, &error).map(|_| true),
    }
}

/// Content of a source.
enum ImportContent {
    /// The file that it makes, alone or with that of `into`.
    File(Box<ImportedFile>),
    /// The text of features, which go into the map of `into`.
    Features(Bytes),
}

fn content(request: &Request, file: &str, run: &Run<'_>) -> Result<ImportContent> {
    let opening = &run.options;
    let files = run.files();
    let made = |made: ImportedFile| ImportContent::File(Box::new(made));
    let whole = |Imported { opened, options }: Imported| {
        made(ImportedFile {
            file: file.to_owned(),
            opened,
            options,
            findings: Default::default(),
            row: ImportedRow::default(),
            textures: Vec::new(),
        })
    };
    if files.is_folder(&request.source) {
        is_whole(request)?;
        if tables::csv::is_for(files, &request.source) {
            return tables::csv::import_from(files, &request.source, opening).map(whole);
        }
        let document = document::folder::read_from(files, &request.source)?;
        return document::import(&document, opening).map(whole);
    }
    let source = run.source(&Input::named(&request.source.as_os_str().into()))?;
    #[cfg(feature = "sql")]
    if is_database(&*source)? {
        is_whole(request)?;
        no_log(&request.source, run)?;
        return tables::sql::import(&*source, opening).map(whole);
    }
    let len = source.len();
    let bytes = source.read(0..len, &mut opening.budget(len))?;
    if !is_source(&bytes, file) {
        if !bytes.trim_ascii_start().starts_with(b"{") {
            let error = Error::new(&codes::IMPORT_KIND).found(format!("`{file}`"));
            return Err(match translations::is_for(&bytes) {
                true => error.expected("--language with that of the translations"),
                false => error,
            });
        }
        if is_features(&bytes) {
            is_for_map(request)?;
            return Ok(ImportContent::Features(bytes));
        }
        is_whole(request)?;
        if tables::json::is_for(&bytes) {
            return tables::json::import(&bytes, opening).map(whole);
        }
        return document::import(&document::parse(&bytes)?, opening).map(whole);
    }
    let into = match &request.into {
        Some(into) => Some(run.source(&Input::named(into))?),
        None => None,
    };
    let options = request.options(run);
    let import::Imported { opened, options, report, textures } =
        import::import(&bytes, file, into, &options, opening)?;
    let row = ImportedRow { objects: Some(report.into()), ..ImportedRow::default() };
    let findings = Default::default();
    Ok(made(ImportedFile { file: file.to_owned(), opened, options, findings, row, textures }))
}

/// Whether a request has options that are for models and pictures alone.
fn is_for_models(request: &Request) -> bool {
    let asks = request.split || request.sectors.is_some() || request.replace.is_some();
    let chooses = !request.on_conflict.is_empty() || !request.texture_save.is_empty();
    asks || chooses || request.textures.is_some()
}

/// Refuses requests that are about a part of the source, or about another file: a document is a whole file.
fn is_whole(request: &Request) -> Result<()> {
    if request.into.is_none() && !is_for_models(request) {
        return Ok(());
    }
    let error = Error::new(&codes::IMPORT_KIND).expected("a model or an image");
    Err(error.found("what is a whole file"))
}

/// Refuses requests that name no map to put features into, or are about models.
fn is_for_map(request: &Request) -> Result<()> {
    let found = "the features of a map";
    if is_for_models(request) {
        let error = Error::new(&codes::IMPORT_KIND).expected("a model or an image");
        return Err(error.found(found));
    }
    if request.into.is_none() {
        let error =
            Error::new(&codes::IMPORT_KIND).expected("--into with the map that they are of");
        return Err(error.found(found));
    }
    Ok(())
}

/// Whether a file is a database, by its start.
#[cfg(feature = "sql")]
fn is_database(source: &dyn crate::Source) -> Result<bool> {
    let len = usize::try_from(source.len()).unwrap_or(usize::MAX);
    let mut start = [0; 16];
    let start = start.get_mut(..len.min(16)).unwrap_or_default();
    source.read_at(0, start)?;
    Ok(tables::sql::is_for(start))
}

/// Refuses a database beside which a program keeps changes that are not in it yet.
#[cfg(feature = "sql")]
fn no_log(database: &crate::verbs::FileName, run: &Run<'_>) -> Result<()> {
    for end in ["-wal", "-journal"] {
        let mut log = database.as_os_str().to_owned();
        log.push(end);
        let log = crate::verbs::FileName::from(log);
        if run.files().len(&log).is_some_and(|len| len > 0) {
            return Err(Error::new(&codes::BAD_TABLES)
                .expected("a database that no program has open")
                .found(format!("changes that wait in `{log}`")));
        }
    }
    Ok(())
}
