//! Files of the content of others.

mod maps;
mod translations;
mod whole;

use super::{
    FileName, FileRef,
    output::{Outcome, Output},
    outputs::Outputs,
    policy::{Named, PolicyFor},
    request::OutputOptions,
    run::{OpenFile, Run},
    session::{Held, Session},
    writing::{self, Onto, OpenRow, Target, Writing, is_apart},
};
use crate::{
    Collect, Error, Opened, Result, WriteOptions,
    entries::select::Select,
    models::export::Made,
    models::import::{Options, Policies, Policy, Report, Save, SourceFolder},
    open::codes,
    open::json,
    tables::translations::{Report as TextReport, Wish},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{borrow::Cow, fmt, str::FromStr};

/// A file of the content of others
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(group(clap::ArgGroup::new("destination").required(true).args(["output", "in_place"]))))]
#[serde(default)]
pub struct Request {
    /// A model (.glb .gltf .obj), an image, what `export --to json|folder|sqlite|csv` wrote, or with --language a table of
    /// translations (.po .csv); - for standard input
    #[cfg_attr(feature = "clap", arg(value_name = "SRC"))]
    pub source: FileName,
    /// The file to write, or - for standard output
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "OUT"))]
    pub output: Option<FileName>,
    /// Add to this file instead of making a new one
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub into: Option<FileRef>,
    /// Replace the file of --into itself, atomically
    #[cfg_attr(feature = "clap", arg(long, requires = "into"))]
    pub in_place: bool,
    /// Keep the replaced file under its name with this suffix; with --in-place or --force
    #[cfg_attr(feature = "clap", arg(long, value_name = "SUFFIX", value_parser = super::edit::suffix, num_args = 0..=1, default_missing_value = ".bak", require_equals = true))]
    pub backup: Option<String>,
    /// Policy for objects whose names are there already: rename, replace or keep, for all types or for one (object,
    /// mesh, material, texture, group); repeatable [default: rename, texture=keep, group=keep]
    #[cfg_attr(feature = "clap", arg(long, value_name = "[TYPE=]POLICY"))]
    pub on_conflict: Vec<PolicyFor<Family, Policy>>,
    /// Storage of pictures: raw (pixels), external (a file name), original (an image file that is carried along) or
    /// embedded (an image file within the texture), for all textures or for those that a glob means; repeatable
    /// [default: as exported, else raw]
    #[cfg_attr(feature = "clap", arg(long, value_name = "[GLOB=]OPTION"))]
    pub texture_save: Vec<TextureSave>,
    /// Write the image files of external textures to this folder
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR"))]
    pub textures: Option<FileName>,
    /// Make several meshes of one with more than 65,535 vertices
    #[cfg_attr(feature = "clap", arg(long))]
    pub split: bool,
    /// Make sure that there are the groups Sector_01 to this one
    #[cfg_attr(feature = "clap", arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=999)))]
    #[schemars(range(min = 1, max = 999))]
    pub sectors: Option<u32>,
    /// Put the mesh or picture of SRC in the place of this one, and change nothing else
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATH", requires = "into"))]
    pub replace: Option<String>,
    /// The name of the mesh or texture of SRC, where it holds several
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", requires = "replace"))]
    pub from: Option<String>,
    /// SRC is a .png or .csv of this layer of the map of --into: heights, tiles, decoration, movement or vision
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "LAYER", requires = "into", conflicts_with = "language")
    )]
    pub layer: Option<String>,
    /// SRC is a table of translations to this language: slot, code or name
    #[cfg_attr(feature = "clap", arg(long, value_name = "LANG", requires = "into"))]
    pub language: Option<String>,
    /// The language that they were translated from [default: de, which is slot 0]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LANG", requires = "language"))]
    pub source_language: Option<String>,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

/// Objects that have a policy of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Entities: objects, cameras, lights, curves.
    Object,
    /// Meshes.
    Mesh,
    /// Materials.
    Material,
    /// Textures.
    Texture,
    /// Groups.
    Group,
}

impl Named for Family {
    const ALL: &'static [(&'static str, Family)] = &[
        ("object", Family::Object),
        ("mesh", Family::Mesh),
        ("material", Family::Material),
        ("texture", Family::Texture),
        ("group", Family::Group),
    ];
}

impl Named for Policy {
    const ALL: &'static [(&'static str, Policy)] =
        &[("rename", Policy::Rename), ("replace", Policy::Replace), ("keep", Policy::Keep)];
}

impl Named for Save {
    const ALL: &'static [(&'static str, Save)] = &[
        ("raw", Save::Raw),
        ("external", Save::External),
        ("original", Save::Original),
        ("embedded", Save::Embedded),
    ];
}

/// Storage of the pictures of some textures: `[GLOB=]OPTION`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureSave {
    /// A glob of their names.
    pub glob: String,
    /// Storage of their pictures.
    pub save: Save,
}

impl FromStr for TextureSave {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<TextureSave, String> {
        let (glob, save) = text.rsplit_once('=').unwrap_or(("*", text));
        let save = Save::named(save)?;
        Select::new(&[glob], &[]).map_err(|error| error.to_string())?;
        Ok(TextureSave { glob: glob.to_owned(), save })
    }
}

impl fmt::Display for TextureSave {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.glob, self.save.name())
    }
}

impl Serialize for TextureSave {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TextureSave {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<TextureSave, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for TextureSave {
    fn schema_name() -> Cow<'static, str> {
        "TextureSave".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// Further fields of the row about the content, behind those that every verb has for a file that it wrote.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct ImportedRow {
    /// Numbers of objects, where a model or a picture was imported.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub objects: Option<ObjectCounts>,
    /// Numbers of texts, where translations were.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub texts: Option<TextCounts>,
    /// The image files that were written, with `textures`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub textures: Option<Vec<TextureFile>>,
}

/// Numbers of the objects of a model, by what became of them.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ObjectCounts {
    /// Objects that are new.
    pub created: usize,
    /// Objects that were replaced.
    pub replaced: usize,
    /// Objects that are used as they are.
    pub kept: usize,
    /// Objects that are new under another name.
    pub renamed: usize,
}

/// Numbers of texts, by what became of them.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct TextCounts {
    /// Texts that changed.
    pub changed: u64,
    /// Texts that are new.
    pub added: u64,
    /// Texts that are the same.
    pub same: u64,
    /// Texts without a translation.
    pub untranslated: u64,
    /// Texts whose translation is marked as uncertain.
    pub fuzzy: u64,
    /// Texts whose source changed since.
    pub stale: u64,
    /// Texts that could not be taken.
    pub refused: u64,
}

/// An image file of a texture that the file only names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TextureFile {
    /// The file that was written.
    pub output: String,
    /// Size of the file in bytes.
    pub size: u64,
}

impl From<Report> for ObjectCounts {
    fn from(report: Report) -> ObjectCounts {
        let Report { created, replaced, kept, renamed } = report;
        ObjectCounts { created, replaced, kept, renamed }
    }
}

impl From<TextReport> for TextCounts {
    fn from(report: TextReport) -> TextCounts {
        let TextReport { changed, added, same, untranslated, fuzzy, stale, refused } = report;
        TextCounts { changed, added, same, untranslated, fuzzy, stale, refused }
    }
}

impl Request {
    /// The policies that are asked for, the later ones over the earlier.
    fn policies(&self) -> Policies {
        let mut all = Policies::default();
        for PolicyFor { of, policy } in &self.on_conflict {
            *match of {
                None => {
                    all = Policies::all(*policy);
                    continue;
                }
                Some(Family::Object) => &mut all.object,
                Some(Family::Mesh) => &mut all.mesh,
                Some(Family::Material) => &mut all.material,
                Some(Family::Texture) => &mut all.texture,
                Some(Family::Group) => &mut all.group,
            } = *policy;
        }
        all
    }

    /// Returns the options for importing a model. Files that it names lie in its folder.
    fn options(&self, run: &Run<'_>) -> Options {
        let folder = (!self.source.is_stream()).then(|| {
            let [folder, _] = run.files().around(&self.source);
            SourceFolder::new(run.shared_files(), folder)
        });
        Options {
            policies: self.policies(),
            saves: self.texture_save.iter().map(|it| (it.glob.clone(), it.save)).collect(),
            write_textures: self.textures.is_some(),
            split: self.split,
            sectors: self.sectors,
            replace: self.replace.clone(),
            from: self.from.clone(),
            folder,
        }
    }

    /// The languages of a table of translations.
    fn wish(&self) -> Option<Wish> {
        let language = self.language.clone()?;
        Some(Wish { language, from: self.source_language.clone() })
    }

    /// Checks what the arguments of the command cannot say otherwise.
    fn check(&self) -> Result<()> {
        let bad = |expected: &'static str, found: &'static str| {
            Err(Error::new(&codes::BAD_REQUEST).expected(expected).found(found))
        };
        if self.sectors.is_some_and(|count| !(1..=999).contains(&count)) {
            return bad("1 to 999 `sectors`", "another number");
        }
        if self.into.is_none() {
            let asked = [
                (self.in_place, "`in_place`"),
                (self.replace.is_some(), "`replace`"),
                (self.layer.is_some(), "`layer`"),
                (self.language.is_some(), "`language`"),
            ];
            if let Some((_, found)) = asked.into_iter().find(|(is_asked, _)| *is_asked) {
                return bad("`into` beside it", found);
            }
            if self.output.is_none() {
                return bad("`output`, or `into` with a file that is open", "neither");
            }
        }
        Ok(())
    }
}

/// Makes a file of the content of another one, or puts it into a file, and hands out a row of that.
///
/// # Errors
/// Those of the output; [`BAD_REQUEST`](codes::BAD_REQUEST) for parts of the request that do not go together.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("import", session, out);
    request.check()?;
    import(request, &mut run)?;
    run.finish()
}

fn import(request: &Request, run: &mut Run<'_>) -> Result<()> {
    let Some(place) = Place::of(request, run)? else { return Ok(()) };
    let made = match (request.wish(), request.layer.as_deref()) {
        (Some(wish), _) => translations::make(request, &wish, run)?,
        (None, Some(layer)) => maps::make(request, layer, run)?,
        (None, None) => whole::make(request, run)?,
    };
    match made {
        Some(made) => made.put(request, place, run),
        None => Ok(()),
    }
}

/// Destination of the file that is made.
enum Place {
    /// To a file.
    File(Target),
    /// Nowhere: it stays open in the session, and is not written.
    Open,
}

impl Place {
    /// `None` where it cannot go there, which is reported and counted.
    fn of(request: &Request, run: &mut Run<'_>) -> Result<Option<Place>> {
        let Request { output, into, in_place, .. } = request;
        if matches!(into, Some(FileRef::Open(_))) && output.is_none() && !in_place {
            return Ok(Some(Place::Open));
        }
        let source = FileRef::Name(request.source.clone());
        let input = into.as_ref().unwrap_or(&source);
        let name = match output {
            Some(output) => output.clone(),
            None => run.file_name(input)?,
        };
        if !is_apart(&request.source, &name, false, run) {
            return Ok(None);
        }
        let (in_place, out) = (*in_place && output.is_none(), request.out);
        let backup = request.backup.as_deref();
        let onto = Onto { output: output.as_ref(), in_place, backup, out };
        Ok(Target::over(input, onto, run)?.map(Place::File))
    }
}

/// A file that was made of content.
struct Content {
    /// The file that messages and rows are about.
    file: String,
    opened: Opened,
    options: WriteOptions,
    /// Findings of the work, which are reported already.
    findings: Collect,
    row: ImportedRow,
    /// Image files that go to the folder of textures.
    textures: Vec<Made>,
}

impl Content {
    /// Puts it where it goes.
    fn put(self, request: &Request, place: Place, run: &mut Run<'_>) -> Result<()> {
        let Content { file, opened, options, findings, mut row, textures } = self;
        let dry_run = request.out.dry_run;
        let Some(staged) = staged(request, &textures, &place, run)? else { return Ok(()) };
        let (images, listed) = staged;
        row.textures = request.textures.as_ref().map(|_| listed);
        let said = row.objects;
        match place {
            Place::Open => {
                committed(images, run)?;
                if let (false, Some(FileRef::Open(handle))) = (dry_run, &request.into) {
                    *run.session.lend(*handle)?.get()? = opened;
                }
                run.row(&OpenRow { file, more: row })?;
            }
            Place::File(target) => {
                let writing = Writing { target, options, dry_run };
                let open = OpenFile { name: file, held: Held::own(opened) };
                let Some(mut written) = writing::write(open, writing, run)? else { return Ok(()) };
                committed(images, run)?;
                let before = findings.findings.iter().map(json::finding);
                written.diagnostics.splice(0..0, before);
                written.report(row, run)?;
            }
        }
        if let Some(counts) = said {
            run.note(&objects(&counts));
        }
        Ok(())
    }
}

/// Image files that wait to take their places, and what is said of them. `None` where one of them cannot be written, which is
/// reported and counted: then nothing else is.
fn staged<'r>(
    request: &'r Request,
    files: &[Made],
    place: &Place,
    run: &mut Run<'_>,
) -> Result<Option<(Option<Outputs<'r>>, Vec<TextureFile>)>> {
    let Some(folder) = &request.textures else { return Ok(Some((None, Vec::new()))) };
    let into = request.into.as_ref().map(|into| run.file_name(into)).transpose()?;
    let target = match place {
        Place::File(target) => Some(&target.name),
        Place::Open => None,
    };
    let others = [Some(&request.source), into.as_ref(), target];
    let (mut outputs, mut listed) = (Outputs::new(folder, request.out), Vec::new());
    for Made { name, content } in files {
        let name = folder.join(name);
        // A name out of a model is not to replace a file that it is made of.
        let is_other = |other: &&FileName| **other == name || run.files().is_same(other, &name);
        let added = match others.iter().flatten().any(is_other) {
            true => Err(Error::new(&codes::core::BAD_TARGET).expected("another folder")),
            false => outputs.add(name.clone(), run, |out| Ok(out.write_all(content)?)),
        };
        let output = name.to_string();
        if let Err(error) = added {
            run.failed(&output, error);
            return Ok(None);
        }
        listed.push(TextureFile { output, size: content.len() as u64 });
    }
    Ok(Some((Some(outputs), listed)))
}

fn committed(images: Option<Outputs<'_>>, run: &mut Run<'_>) -> Result<()> {
    images.map_or(Ok(0), |images| images.commit(run)).map(drop)
}

/// Returns the numbers of the objects of a model, by what became of them, in words.
fn objects(counts: &ObjectCounts) -> String {
    let ObjectCounts { created, replaced, kept, renamed } = *counts;
    let mut text = match created {
        1 => "1 new object".to_owned(),
        count => format!("{count} new objects"),
    };
    for (count, what) in [(replaced, "replaced"), (kept, "used as they are"), (renamed, "renamed")]
    {
        if count > 0 {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    text
}
