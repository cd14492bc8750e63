//! `import`: a file of the content of others.

use super::{
    maps, translations,
    writing::{self, Onto, Writing},
};
use crate::{args::Import, inputs::Input, output::Session};
use spelunk::{
    Collect, Error, Opened, Result, WriteOptions, codes,
    document::{self, Imported},
    export::Made,
    import::{self, Options, Report},
    json,
    replace::Scratch,
    tables,
};
use std::{fs, io::Write, path::Path};

/// What is written, and what is said of it.
struct Content {
    opened: Opened,
    options: WriteOptions,
    report: Option<Report>,
    textures: Vec<Made>,
}

pub fn run(args: &Import, session: &mut Session) -> Result<()> {
    let input = Input::named(&args.source);
    let file = input.name();
    let target = match (&args.output, &args.into) {
        (Some(output), _) => output,
        (None, Some(into)) => into,
        // The command line asks for one of them.
        (None, None) => return Ok(()),
    };
    if !writing::is_apart(&args.source, target, false, session) {
        return Ok(());
    }
    let how = (args.in_place, args.backup.as_deref());
    let onto = match &args.into {
        Some(into) => Onto::over(into, target, &args.out, how, session),
        None => Onto::over(&args.source, target, &args.out, (false, how.1), session),
    };
    let Some(onto) = onto else { return Ok(()) };
    if args.language.is_some() {
        return translations::import(args, (target, onto), session);
    }
    if args.layer.is_some() {
        return maps::import(args, (target, onto), session);
    }
    let mut made = match make(args, &input, session) {
        Ok(made) => made,
        Err(error) => {
            if !is_about_into(args, session)? {
                session.unopened(&file, &error);
            }
            return Ok(());
        }
    };
    let findings = made.opened.take_findings();
    session.settle(&file, &findings);
    let mut writing = Writing {
        target,
        options: made.options,
        onto,
        make_folders: false,
        dry_run: args.out.dry_run,
    };
    if let Some(folder) = &args.textures {
        let files = [Some(&args.source), args.into.as_ref(), Some(target)];
        let paths = made.textures.iter().map(|file| folder.join(&file.name));
        for path in paths {
            // A name out of a model is not to replace what it is made of.
            if files.iter().flatten().any(|file| writing::same_file(file, &path)) {
                let error = Error::new(&codes::core::BAD_TARGET).expected("another folder");
                session.failed(&path.display().to_string(), &error);
                return Ok(());
            }
        }
    }
    let Some(written) = writing::write(&file, made.opened, &mut writing, session)? else {
        return Ok(());
    };
    if let Some(folder) = &args.textures
        && !textures(folder, &made.textures, args, session)?
    {
        return Ok(());
    }
    if let Some(report) = &made.report {
        session.say(&told(report));
    }
    if session.common.json && !writing::is_stdout(target) {
        let mut written = written;
        written.diagnostics.splice(0..0, findings.findings.iter().map(json::finding));
        let mut line = writing::line(&file, &written, &writing);
        if let (Some(report), Some(line)) = (made.report, line.as_object_mut()) {
            let Report { created, replaced, kept, renamed } = report;
            for (key, count) in
                [("created", created), ("replaced", replaced), ("kept", kept), ("renamed", renamed)]
            {
                line.insert(key.to_owned(), count.into());
            }
        }
        session.json(&line)?;
    }
    Ok(())
}

/// Writes the file of `--into` as it is now, and tells what was `counted` meanwhile.
pub(super) fn changed<'c>(
    args: &Import,
    (file, target, onto): (&str, &Path, Onto),
    opened: Opened,
    findings: &Collect,
    counted: impl Iterator<Item = (&'c str, u64)>,
    session: &mut Session,
) -> Result<()> {
    let mut writing = Writing {
        target,
        options: WriteOptions::default(),
        onto,
        make_folders: false,
        dry_run: args.out.dry_run,
    };
    let Some(mut written) = writing::write(file, opened, &mut writing, session)? else {
        return Ok(());
    };
    if session.common.json && !writing::is_stdout(target) {
        written.diagnostics.splice(0..0, findings.findings.iter().map(json::finding));
        let mut line = writing::line(file, &written, &writing);
        if let Some(line) = line.as_object_mut() {
            line.extend(counted.map(|(key, count)| (key.to_owned(), count.into())));
        }
        session.json(&line)?;
    }
    Ok(())
}

/// Whether it is the file of `--into` that cannot be opened: that is told of it then, and not of the source.
fn is_about_into(args: &Import, session: &mut Session) -> Result<bool> {
    let into = args.into.as_deref().map(Input::named).filter(|into| !into.is_stdin());
    let Some(into) = into else { return Ok(false) };
    let options = session.options()?;
    let opened = into.source(&options).and_then(|source| Opened::open(source, &options));
    Ok(opened.map_err(|error| session.refused(&into, &options, &error)).is_err())
}

/// Makes the file.
fn make(args: &Import, input: &Input, session: &Session) -> Result<Content> {
    let opening = session.options()?;
    let whole = |imported: Imported| Content {
        opened: imported.opened,
        options: imported.options,
        report: None,
        textures: Vec::new(),
    };
    // A document is a whole file: nothing of it can be left out, or go into another one.
    let is_model = || {
        let asks = args.into.is_some() || args.split || args.sectors.is_some();
        let chooses = !args.on_conflict.is_empty() || !args.texture_save.is_empty();
        if !asks && !chooses && args.textures.is_none() {
            return Ok(());
        }
        let error = Error::new(&codes::IMPORT_KIND).expected("a model or an image");
        Err(error.found("what is a whole file"))
    };
    if args.source.is_dir() {
        is_model()?;
        if tables::csv::is_for(&args.source) {
            return tables::csv::import(&args.source, &opening).map(whole);
        }
        let document = document::folder::read(&args.source)?;
        return document::import(&document, &opening).map(whole);
    }
    let bytes = input.bytes(&opening)?;
    let name = input.name();
    if tables::sql::is_for(&bytes) {
        is_model()?;
        // Databases are read by their paths.
        if !input.is_stdin() {
            return tables::sql::import(&args.source, &opening).map(whole);
        }
        let mut file = Scratch::new()?;
        file.file().write_all(&bytes)?;
        return tables::sql::import(file.path(), &opening).map(whole);
    }
    if !import::is_source(&bytes, &name) {
        if !bytes.trim_ascii_start().starts_with(b"{") {
            let error = Error::new(&codes::IMPORT_KIND).found(format!("`{name}`"));
            return Err(match translations::is_for(&bytes) {
                true => error.expected("--language with that of the translations"),
                false => error,
            });
        }
        is_model()?;
        if tables::json::is_for(&bytes) {
            return tables::json::import(&bytes, &opening).map(whole);
        }
        return document::import(&document::parse(&bytes)?, &opening).map(whole);
    }
    let folder = args.source.parent().filter(|_| !input.is_stdin());
    let options = Options {
        policies: args.policies(),
        saves: args.texture_save.clone(),
        write_textures: args.textures.is_some(),
        split: args.split,
        sectors: args.sectors,
        replace: args.replace.clone(),
        from: args.from.clone(),
        folder: folder.map(|folder| match folder.as_os_str().is_empty() {
            true => ".".into(),
            false => folder.to_owned(),
        }),
    };
    let into = match &args.into {
        Some(into) => Some(Input::named(into).source(&opening)?),
        None => None,
    };
    let import::Imported { opened, options, report, textures } =
        import::import(&bytes, &name, into, &options, &opening)?;
    Ok(Content { opened, options, report: Some(report), textures })
}

/// Writes image files of textures to a folder; tells whether all of them could be.
fn textures(folder: &Path, files: &[Made], args: &Import, session: &mut Session) -> Result<bool> {
    if !args.out.dry_run && !files.is_empty() {
        fs::create_dir_all(folder)?;
    }
    for file in files {
        let path = folder.join(&file.name);
        let written = match args.out.dry_run && !folder.exists() {
            true => Ok(file.content.len() as u64),
            false => writing::put(&path, &args.out, &file.content),
        };
        let failed = written.is_err();
        writing::told(&path, &args.out, written, 1, session);
        if failed {
            return Ok(false);
        }
    }
    Ok(true)
}

fn told(report: &Report) -> String {
    let Report { created, replaced, kept, renamed } = report;
    let mut text = format!("{created} new objects");
    for (count, what) in [(replaced, "replaced"), (kept, "used as they are"), (renamed, "renamed")]
    {
        if *count > 0 {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    text
}
