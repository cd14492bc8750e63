//! Content to files of other kinds.

mod ending;
mod maps;
mod names;
mod request;
mod tables;

pub use ending::Row;
pub use request::{Kind, Request};

use super::{
    Create, FileName,
    input::Input,
    listing::ManyFiles,
    output::{Outcome, Output},
    outputs::{OutputContent, OutputFiles, Outputs, below, put},
    request::OutputOptions,
    run::{OpenFile, Run},
    session::Session,
};
use crate::{
    Class, Error, Opened, Result,
    containers::pack::Origin,
    document,
    models::export::{self, OutputFile, csv, gltf, obj, pixels, textures},
    models::scripts,
    open::codes,
    tables::translations::{self, Sheet, Wish, csv as sheet, po},
};
use ending::{done, exported};
use names::{apart, last, with_extension};
use std::{collections::BTreeSet, io};

/// Writes content of a file to files of another kind, and hands out a row of that.
///
/// # Errors
/// Those of the output, and of what the request names beside the file.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("export", session, out);
    run.show(&request.shown)?;
    let output = request.output.to_string();
    let Some(kind) = request.to.or_else(|| kind_of(&request.output)) else {
        run.failed(&output, unknown_kind(&output));
        return run.finish();
    };
    let many = ManyFiles {
        is_recursive: request.recursive,
        from: request.files_from.as_ref(),
        links: request.out.links(),
        is_to_folder: true,
    };
    let Some(inputs) = run.many(&request.file, &many)? else {
        one(request, kind, &Input::named(&request.file), &mut run)?;
        return run.finish();
    };
    let mut paths = request.paths.clone();
    if request.files_from.is_some() {
        // Where files are listed, the first argument is a path as well.
        let first = run.name(&request.file)?;
        paths.splice(0..0, Some(first).filter(|first| !first.is_empty()));
    }
    run.passes_unmatched = true;
    run.below = Some(request.output.clone());
    run.plan(&inputs);
    let mut taken = BTreeSet::new();
    for input in &inputs {
        let output = output_of(&request.output, input, kind, &mut taken);
        let (file, paths) = (input.file.clone(), paths.clone());
        one(&Request { file, paths, output, ..request.clone() }, kind, input, &mut run)?;
        run.advance();
    }
    run.finish()
}

/// The output for one of many files: in the place that the file has in its folder, with the extension of the kind, or the name of
/// the file where several become the same one or it is a folder of files.
fn output_of(
    folder: &FileName,
    input: &Input,
    kind: Kind,
    taken: &mut BTreeSet<FileName>,
) -> FileName {
    let own = folder.join(input.within.as_os_str());
    let extension = EXTENSIONS.iter().find(|(_, known)| *known == kind);
    let extension = extension.map(|(extension, _)| *extension).filter(|_| kind.is_one_file());
    let Some(extension) = extension else { return own };
    let output = with_extension(&own, extension);
    if taken.insert(output.clone()) {
        return output;
    }
    let mut name = own.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    let output = FileName::from(name);
    taken.insert(output.clone());
    output
}

/// Exports one file.
fn one(request: &Request, kind: Kind, input: &Input, run: &mut Run<'_>) -> Result<()> {
    let name = run.file_name(&request.file)?;
    if request.language.is_some() || kind == Kind::Po {
        texts(request, kind, input, run)
    } else if matches!(kind, Kind::Json | Kind::Folder) && !request.scripts {
        whole(request, kind, input, run)
    } else if let Some(file) = run.open(input)? {
        content(request, kind, &name, file, run)
    } else {
        Ok(())
    }
}

/// Extensions, and the kinds of files that they stand for. The first one of a kind is the one that people know.
const EXTENSIONS: &[(&str, Kind)] = &[
    ("glb", Kind::Glb),
    ("gltf", Kind::Gltf),
    ("obj", Kind::Obj),
    ("png", Kind::Png),
    ("dds", Kind::Dds),
    ("ktx2", Kind::Ktx2),
    ("csv", Kind::Csv),
    ("sqlite", Kind::Sqlite),
    ("sqlite3", Kind::Sqlite),
    ("db", Kind::Sqlite),
    ("po", Kind::Po),
    ("pot", Kind::Po),
    ("dot", Kind::Dot),
    ("gv", Kind::Dot),
    ("json", Kind::Json),
];

/// The kind of file that an extension stands for.
fn kind_of(name: &FileName) -> Option<Kind> {
    let extension = name.as_path().extension()?.to_str()?;
    let known = EXTENSIONS.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known));
    known.map(|(_, kind)| *kind)
}

/// The error that neither the name of the output nor the request says its kind.
fn unknown_kind(output: &str) -> Error {
    let extensions: Vec<String> =
        EXTENSIONS.iter().map(|(extension, _)| format!(".{extension}")).collect();
    let expected = format!("{} or a folder with --to", extensions.join(" "));
    Error::new(&codes::EXPORT_KIND).expected(expected).found(format!("`{output}`"))
}

/// Writes what is in a file.
fn content(
    request: &Request,
    kind: Kind,
    input: &FileName,
    mut file: OpenFile<'_>,
    run: &mut Run<'_>,
) -> Result<()> {
    let opened = file.held.get()?;
    if maps::is_for(kind, opened) {
        return maps::export(request, kind, file, run);
    }
    if let Some(layer) = &request.layer {
        let error = Error::new(&codes::NOT_FOR_FORMAT).expected("a map");
        run.failed(&file.name, error.found(format!("--layer {layer}")));
        return Ok(());
    }
    if tables::is_for(kind, opened) {
        return tables::export(request, kind, file, run);
    }
    if let Some(kind) = pixels_of(kind, opened) {
        return from_pack(request, kind, file, run);
    }
    let made = make(request, kind, input, opened, run);
    done(request, file, made, run)
}

/// Makes what is to be written.
fn make(
    request: &Request,
    kind: Kind,
    input: &FileName,
    opened: &mut Opened,
    run: &Run<'_>,
) -> Result<OutputFiles<'static>> {
    let out = &request.output;
    let beside = Some(input).filter(|name| !name.is_stream());
    let options = export::Options {
        paths: request.paths.clone(),
        no_hidden: request.no_hidden,
        slot: request.slot,
        textures: textures::folders(run.shared_files(), beside, &request.textures),
        ..export::Options::default()
    };
    let one = |content| vec![(out.clone(), OutputContent::Bytes(content))];
    match kind {
        Kind::Glb => {
            let model = gltf::export(opened, &options)?;
            Ok(vec![(out.clone(), OutputContent::Glb(Box::new(model)))])
        }
        Kind::Gltf => {
            apart(out)?;
            let bin = with_extension(out, "bin");
            let (text, numbers) = gltf::export(opened, &options)?.into_files(&last(&bin))?;
            let mut files = one(text);
            if !numbers.is_empty() {
                files.push((bin, OutputContent::Bytes(numbers)));
            }
            Ok(files)
        }
        Kind::Obj => {
            apart(out)?;
            let mtl = with_extension(out, "mtl");
            let folder = format!("{}_textures", last(&with_extension(out, "")));
            let folder = FileName::from(out.as_path().with_file_name(folder));
            let made = obj::export(opened, &options, &last(&mtl), &last(&folder))?;
            let mut files = one(made.obj.into_bytes());
            files.push((mtl, OutputContent::Bytes(made.mtl.into_bytes())));
            files.extend(below(&folder, made.textures));
            Ok(files)
        }
        Kind::Dds | Kind::Ktx2 | Kind::Sqlite | Kind::Po => {
            Err(Error::new(&codes::NOT_EXPORTED).found(opened.container().format()))
        }
        Kind::Png => single(request, textures::export(opened, &options)?),
        Kind::Csv => single(request, csv::export(opened, &options)?),
        Kind::Dot => match request.paths.as_slice() {
            [] => scripts::dot(opened, None),
            [path] => scripts::dot(opened, Some(path)),
            paths => Err(Error::new(&codes::ONE_FILE).found(format!("{} paths", paths.len()))),
        }
        .map(|text| one(text.into_bytes())),
        Kind::Json | Kind::Folder => {
            let value = scripts::json(opened)?;
            Ok(one(document::text::of(&value).into_bytes()))
        }
    }
}

/// Returns the form in which textures of a pack are written; `None` for other kinds, and for files that are no packs.
fn pixels_of(kind: Kind, opened: &Opened) -> Option<pixels::TextureFileFormat> {
    let kind = match kind {
        Kind::Png => pixels::TextureFileFormat::Png,
        Kind::Dds => pixels::TextureFileFormat::Dds,
        Kind::Ktx2 => pixels::TextureFileFormat::Ktx2,
        _ => return None,
    };
    pixels::is_for(opened).then_some(kind)
}

/// Writes the textures of a pack, one after the other: a pack has more of them than fit in memory.
fn from_pack(
    request: &Request,
    kind: pixels::TextureFileFormat,
    mut file: OpenFile<'_>,
    run: &mut Run<'_>,
) -> Result<()> {
    let options = export::Options {
        paths: request.paths.clone(),
        mips: request.mips,
        shape: request.shape,
        ..export::Options::default()
    };
    let out = &request.output;
    let is_one = out.is_stream() || kind_of(out).is_some();
    let mut outputs = Outputs::new(out, request.out);
    // The only file is written when it is known to be the only one.
    let mut only = None;
    let opened = file.held.get()?;
    let made = pixels::export(opened, &options, kind, &mut |made| {
        if !is_one {
            let write = |out: &mut dyn io::Write| Ok(out.write_all(&made.content)?);
            return outputs.add(out.join(&made.name), run, write);
        }
        match only.replace(made.content) {
            None => Ok(()),
            Some(_) => Err(Error::new(&codes::ONE_FILE).found("more than one")),
        }
    });
    run.settle(&file.name, &opened.take_findings());
    file.held.release();
    match made {
        Ok(count) => {
            let written = match only {
                Some(content) => {
                    put(out, request.out, &vec![(out.clone(), OutputContent::Bytes(content))], run)
                }
                None => outputs.commit(run),
            };
            exported(&file.name, request, written, count, run)
        }
        Err(error) => {
            run.failed(&file.name, error);
            Ok(())
        }
    }
}

/// The only file, where the output is one; else all in a folder.
fn single(request: &Request, mut made: Vec<OutputFile>) -> Result<OutputFiles<'static>> {
    let out = &request.output;
    if !out.is_stream() && kind_of(out).is_none() {
        return Ok(below(out, made));
    }
    match made.pop() {
        Some(file) if made.is_empty() => {
            Ok(vec![(out.clone(), OutputContent::Bytes(file.content))])
        }
        _ => {
            let found = format!("{} files", made.len().saturating_add(1));
            Err(Error::new(&codes::ONE_FILE).found(found))
        }
    }
}

/// The whole file as a document.
fn whole(request: &Request, kind: Kind, input: &Input, run: &mut Run<'_>) -> Result<()> {
    let name = run.name(&request.file)?;
    if !request.paths.is_empty() {
        let error = Error::new(&codes::core::BAD_PATH).expected("no path: a document holds all");
        run.failed(&name, error);
        return Ok(());
    }
    let Some((opened, source)) = run.open_bytes(input)? else { return Ok(()) };
    let is_map = maps::is_for(kind, &opened);
    if is_map || tables::is_for(kind, &opened) {
        let file = OpenFile { name, held: super::session::Held::own(opened) };
        return match is_map {
            true => maps::export(request, kind, file, run),
            false => tables::export(request, kind, file, run),
        };
    }
    let Some(source) = source else {
        run.failed(&name, Error::new(&codes::NO_DOCUMENT).found(opened.container().format()));
        return Ok(());
    };
    drop(opened);
    let options = run.options.clone();
    let origin = Origin { source: &source, options: &options };
    let (out, mut count) = (&request.output, 1);
    let written = match kind {
        Kind::Folder => {
            let OutputOptions { follow_links, dry_run: is_dry_run, .. } = request.out;
            let how = Create {
                existing: request.out.existing(),
                follow_links,
                is_dry_run,
                ..Create::default()
            };
            let made = document::folder::export_to(run.files(), &origin, out, how);
            made.map(|made| {
                count = made.files;
                made.bytes
            })
        }
        _ => put(out, request.out, &vec![(out.clone(), OutputContent::Document(origin))], run),
    };
    match written {
        // What the file is to blame for, and not what is written.
        Err(error) if error.code().class != Class::Io && error.code().class != Class::Usage => {
            run.refused(input, &error).map(drop)
        }
        written => exported(&name, request, written, count, run),
    }
}

/// Writes the texts of a GameData for translators.
fn texts(request: &Request, kind: Kind, input: &Input, run: &mut Run<'_>) -> Result<()> {
    let target = request.output.to_string();
    let write = match kind {
        Kind::Po => po::write,
        Kind::Csv => sheet::write,
        _ => {
            let error = Error::new(&codes::EXPORT_KIND).expected("po or csv, with --language");
            run.failed(&target, error);
            return Ok(());
        }
    };
    // Where none is asked for, the error names those that there are.
    let language = request.language.clone().unwrap_or_default();
    let wish = Wish { language, from: request.source_language.clone() };
    let Some(mut file) = run.open(input)? else { return Ok(()) };
    let opened = file.held.get()?;
    let made = match request.paths.is_empty() {
        true => translations::sheet(opened, &wish),
        false => Err(Error::new(&codes::core::BAD_PATH).expected("no path: all texts are written")),
    };
    run.settle(&file.name, &opened.take_findings());
    file.held.release();
    let made: Sheet = match made {
        Ok(made) => made,
        Err(error) => {
            run.failed(&file.name, error);
            return Ok(());
        }
    };
    let mut outputs = Outputs::new(&request.output, request.out);
    let written =
        outputs.add(request.output.clone(), run, |out| write(&made, request.untranslated, out));
    let written = written.and_then(|()| outputs.commit(run));
    let is_written = written.is_ok();
    exported(&file.name, request, written, 1, run)?;
    if is_written {
        let Sheet { from, to, texts, .. } = &made;
        let (missing, all) = (made.untranslated(), texts.len());
        run.note(&format!("{from} to {to}: {missing} of {all} texts have no translation"));
    }
    Ok(())
}
