//! `export`: content to files of other kinds.

use super::{
    maps, open_one, tables, translations,
    writing::{self, Counted, Onto},
};
use crate::{
    args::{Export, ExportKind},
    inputs::Input,
    output::Session,
};
use spelunk::verbs::{Disk, FileName};
use spelunk::{
    Class, Error, Opened, Result, codes, document,
    export::{self, Made, csv, gltf, obj, pixels, textures},
    pack::Origin,
    replace::Replacement,
    scripts,
};
use std::sync::Arc;
use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

pub fn run(args: &Export, session: &mut Session) -> Result<()> {
    session.show_at(&args.at)?;
    let Some(kind) = args.to.or_else(|| kind_of(&args.output)) else {
        let target = args.output.display().to_string();
        session.failed(&target, &Error::new(&codes::EXPORT_KIND).found(target.clone()));
        return Ok(());
    };
    if !writing::is_apart(&args.file, &args.output, false, session) {
        return Ok(());
    }
    if args.language.is_some() || kind == ExportKind::Po {
        return translations::export(args, kind, session);
    }
    if matches!(kind, ExportKind::Json | ExportKind::Folder) && !args.scripts {
        return whole(args, kind, session);
    }
    let Some((file, mut opened)) = open_one(&args.file, session)? else { return Ok(()) };
    if maps::is_for(kind, &opened) {
        return maps::export(args, kind, &file, opened, session);
    }
    if let Some(layer) = &args.layer {
        let error = Error::new(&codes::NOT_FOR_FORMAT).expected("a map");
        session.failed(&file, &error.found(format!("--layer {layer}")));
        return Ok(());
    }
    if tables::is_for(kind, &opened) {
        return tables::export(args, kind, &file, opened, session);
    }
    if let Some(kind) = pixels_of(kind, &opened) {
        return from_pack(args, kind, &file, opened, session);
    }
    let made = make(args, kind, &mut opened);
    session.settle(&file, opened.findings());
    // A mapped file cannot be replaced on every system: let go of it first.
    drop(opened);
    match made {
        Ok(files) => writing::exported(&file, args, put(args, &files), files.len(), session),
        Err(error) => {
            session.failed(&file, &error);
            Ok(())
        }
    }
}

/// The kind of file that an extension stands for.
fn kind_of(path: &Path) -> Option<ExportKind> {
    Some(match path.extension()?.to_ascii_lowercase().to_str()? {
        "glb" => ExportKind::Glb,
        "gltf" => ExportKind::Gltf,
        "obj" => ExportKind::Obj,
        "png" => ExportKind::Png,
        "dds" => ExportKind::Dds,
        "ktx2" => ExportKind::Ktx2,
        "csv" => ExportKind::Csv,
        "sqlite" | "sqlite3" | "db" => ExportKind::Sqlite,
        "po" | "pot" => ExportKind::Po,
        "dot" | "gv" => ExportKind::Dot,
        "json" => ExportKind::Json,
        _ => return None,
    })
}

/// Files and their content. The first one is that which was asked for.
type Files = Vec<(PathBuf, Content<'static>)>;

/// What goes into a file.
pub(super) enum Content<'c> {
    Bytes(Vec<u8>),
    /// Written part by part.
    Document(Origin<'c>),
    /// Written as it is: no copy of all vertices is made.
    Glb(Box<gltf::Gltf>),
}

impl Content<'_> {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        match self {
            Content::Bytes(bytes) => Ok(out.write_all(bytes)?),
            Content::Document(origin) => document::write(origin, out),
            Content::Glb(model) => model.write_glb(out),
        }
    }
}

/// Makes what is to be written.
fn make(args: &Export, kind: ExportKind, opened: &mut Opened) -> Result<Files> {
    let out = &args.output;
    let input = Some(FileName::from(&args.file)).filter(|file| !file.is_stream());
    let named: Vec<FileName> = args.textures.iter().map(FileName::from).collect();
    let options = export::Options {
        paths: args.paths.clone(),
        no_hidden: args.no_hidden,
        textures: textures::folders(Arc::new(Disk), input.as_ref(), &named),
        ..export::Options::default()
    };
    let one = |content| vec![(out.clone(), Content::Bytes(content))];
    match kind {
        ExportKind::Glb => {
            let model = gltf::export(opened, &options)?;
            Ok(vec![(out.clone(), Content::Glb(Box::new(model)))])
        }
        ExportKind::Gltf => {
            apart(out)?;
            let bin = out.with_extension("bin");
            let (text, numbers) = gltf::export(opened, &options)?.into_files(&name(&bin))?;
            let mut files = one(text);
            if !numbers.is_empty() {
                files.push((bin, Content::Bytes(numbers)));
            }
            Ok(files)
        }
        ExportKind::Obj => {
            apart(out)?;
            let mtl = out.with_extension("mtl");
            let folder = out.with_file_name(format!("{}_textures", name(&out.with_extension(""))));
            let made = obj::export(opened, &options, &name(&mtl), &name(&folder))?;
            let mut files = one(made.obj.into_bytes());
            files.push((mtl, Content::Bytes(made.mtl.into_bytes())));
            files.extend(below(&folder, made.textures));
            Ok(files)
        }
        ExportKind::Dds | ExportKind::Ktx2 | ExportKind::Sqlite | ExportKind::Po => {
            Err(Error::new(&codes::NOT_EXPORTED).found(opened.container().format()))
        }
        ExportKind::Png => single(args, textures::export(opened, &options)?),
        ExportKind::Csv => single(args, csv::export(opened, &options)?),
        ExportKind::Dot => match args.paths.as_slice() {
            [] => scripts::dot(opened, None),
            [path] => scripts::dot(opened, Some(path)),
            _ => Err(Error::new(&codes::ONE_FILE).found(format!("{} paths", args.paths.len()))),
        }
        .map(|text| one(text.into_bytes())),
        ExportKind::Json | ExportKind::Folder => {
            let value = scripts::json(opened)?;
            Ok(one(document::text::of(&value).into_bytes()))
        }
    }
}

/// How textures are written where they are those of a pack.
fn pixels_of(kind: ExportKind, opened: &Opened) -> Option<pixels::Kind> {
    let kind = match kind {
        ExportKind::Png => pixels::Kind::Png,
        ExportKind::Dds => pixels::Kind::Dds,
        ExportKind::Ktx2 => pixels::Kind::Ktx2,
        _ => return None,
    };
    pixels::is_for(opened).then_some(kind)
}

/// Writes the textures of a pack, one after the other: a pack has more of them than fit in memory.
fn from_pack(
    args: &Export,
    kind: pixels::Kind,
    file: &str,
    mut opened: Opened,
    session: &mut Session,
) -> Result<()> {
    let options = export::Options {
        paths: args.paths.clone(),
        mips: args.mips,
        shape: args.shape,
        ..export::Options::default()
    };
    let out = &args.output;
    let is_one = writing::is_stdout(out) || kind_of(out).is_some();
    let mut put = Put::new(args);
    // The only file is written when it is known to be the only one.
    let mut only = None;
    let made = pixels::export(&mut opened, &options, kind, &mut |made| {
        if !is_one {
            return put.add(&out.join(made.name), &Content::Bytes(made.content));
        }
        match only.replace(made.content) {
            None => Ok(()),
            Some(_) => Err(Error::new(&codes::ONE_FILE).found("more than one")),
        }
    });
    session.settle(file, opened.findings());
    drop(opened);
    match made {
        Ok(count) => {
            let written = match only {
                Some(content) => self::put(args, &[(out.clone(), Content::Bytes(content))]),
                None => put.commit(),
            };
            writing::exported(file, args, written, count, session)
        }
        Err(error) => {
            session.failed(file, &error);
            Ok(())
        }
    }
}

/// The last step of a path as text.
pub(super) fn name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Refuses standard output for what takes several files.
pub(super) fn apart(out: &Path) -> Result<()> {
    if writing::is_stdout(out) {
        return Err(Error::new(&codes::ONE_FILE).found("standard output"));
    }
    Ok(())
}

/// Files in a folder.
fn below(folder: &Path, made: Vec<Made>) -> Files {
    made.into_iter().map(|file| (folder.join(file.name), Content::Bytes(file.content))).collect()
}

/// The only file, where the output is one; else all in a folder.
fn single(args: &Export, mut made: Vec<Made>) -> Result<Files> {
    let out = &args.output;
    if !writing::is_stdout(out) && kind_of(out).is_none() {
        return Ok(below(out, made));
    }
    match made.pop() {
        Some(file) if made.is_empty() => Ok(vec![(out.clone(), Content::Bytes(file.content))]),
        _ => Err(Error::new(&codes::ONE_FILE).found(format!("{} files", made.len() + 1))),
    }
}

/// The whole file as a document.
fn whole(args: &Export, kind: ExportKind, session: &mut Session) -> Result<()> {
    let options = session.options()?;
    let input = Input::named(&args.file);
    let file = input.name();
    if !args.paths.is_empty() {
        let error = Error::new(&codes::core::BAD_PATH).expected("no path: a document holds all");
        session.failed(&file, &error);
        return Ok(());
    }
    let opened = input.source(&options).and_then(|source| {
        let opened = Opened::open(source.clone(), &options)?;
        Ok((source, opened))
    });
    let (source, opened) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            session.refused(&input, &options, &error);
            return Ok(());
        }
    };
    if maps::is_for(kind, &opened) {
        return maps::export(args, kind, &file, opened, session);
    }
    if tables::is_for(kind, &opened) {
        return tables::export(args, kind, &file, opened, session);
    }
    drop(opened);
    let origin = Origin { source: &source, options: &options };
    let written = match kind {
        ExportKind::Folder if args.out.dry_run => {
            let mut counted = Counted::new(None);
            document::write(&origin, &mut counted).map(|()| counted.bytes())
        }
        ExportKind::Folder => {
            let existing = Onto::new(&args.out).existing;
            document::folder::export(&origin, &args.output, &existing, args.out.follow_links)
        }
        _ => put(args, &[(args.output.clone(), Content::Document(origin))]),
    };
    match written {
        // What the file is to blame for, and not what is written.
        Err(error) if error.code().class != Class::Io && error.code().class != Class::Usage => {
            session.refused(&input, &options, &error);
            Ok(())
        }
        written => writing::exported(&file, args, written, 1, session),
    }
}

/// Writes files, all of them or none; tells how many bytes they are.
pub(super) fn put(args: &Export, files: &[(PathBuf, Content<'_>)]) -> Result<u64> {
    if let [(target, content)] = files
        && writing::is_stdout(target)
    {
        let mut out = io::stdout().lock();
        let out: Option<&mut dyn Write> = if args.out.dry_run { None } else { Some(&mut out) };
        let mut counted = Counted::new(out);
        content.write(&mut counted)?;
        return Ok(counted.bytes());
    }
    let mut put = Put::new(args);
    files.iter().try_for_each(|(target, content)| put.add(target, content))?;
    put.commit()
}

/// Files that are written beside their targets, and take their places together.
pub(super) struct Put<'a> {
    args: &'a Export,
    begun: Vec<Replacement>,
    size: u64,
}

impl<'a> Put<'a> {
    pub(super) const fn new(args: &'a Export) -> Put<'a> {
        Put { args, begun: Vec::new(), size: 0 }
    }

    /// Writes a file. What is written to a folder of its own makes it.
    pub(super) fn add(&mut self, target: &Path, content: &Content<'_>) -> Result<()> {
        let (args, dry_run) = (self.args, self.args.out.dry_run);
        let folder = target.parent().filter(|_| target != args.output);
        if folder.is_some() {
            writing::refuse_links(&args.output, target, &args.out)?;
        }
        let missing = folder.filter(|folder| *folder != Path::new("") && !folder.exists());
        if let Some(folder) = missing.filter(|_| !dry_run) {
            fs::create_dir_all(folder)?;
        }
        let mut new = match missing {
            Some(_) if dry_run => None,
            _ => Some(Onto::new(&args.out).begin(target)?),
        };
        let out = new.as_mut().filter(|_| !dry_run);
        let mut counted = Counted::new(out.map(|new| new as &mut dyn Write));
        content.write(&mut counted)?;
        self.size += counted.bytes();
        self.begun.extend(new.filter(|_| !dry_run));
        Ok(())
    }

    /// Puts all files in their places; tells how many bytes they are.
    pub(super) fn commit(self) -> Result<u64> {
        self.begun.into_iter().try_for_each(writing::commit)?;
        Ok(self.size)
    }
}
