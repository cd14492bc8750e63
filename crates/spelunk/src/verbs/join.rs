//! Several files as one.

use super::{
    FileName, FileRef,
    input::Input,
    output::{Outcome, Output},
    policy::{ConflictFamily, NamedChoice, PolicyFor},
    request::OutputOptions,
    run::{OpenFile, Run},
    session::{Held, Session},
    writing::{self, OutputDestination, Writing},
};
use crate::{
    Result, WriteOptions,
    edit::join::{Join, JoinCounts, Mode, Modes, Only, Policies},
    open::json::{self, Diagnostic},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Several files as one
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The files, in the order in which they are to be united; - for standard input
    #[cfg_attr(feature = "clap", arg(value_name = "FILE", required = true, num_args = 2..))]
    pub files: Vec<FileRef>,
    /// The file to write, or - for standard output
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "OUT"))]
    pub output: FileName,
    /// Policy for objects whose names are there already: rename, replace, use-current (the one that is there) or keep-both
    /// (of one name), for all types or for one (object, mesh, material, texture, group, other); repeatable [default:
    /// rename; textures go with materials and groups with other, unless they are named]
    #[cfg_attr(feature = "clap", arg(long, value_name = "[TYPE=]POLICY"))]
    pub on_conflict: Vec<PolicyFor<ConflictFamily, Mode>>,
    /// Take of the files behind the first one only this: geometry, which is all but animations; animations, which then move
    /// what is there under the names of what they moved; or behaviors, with no reference but to each other
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHAT"))]
    pub only: Option<Only>,
    /// Make a character of this name of the body parts and animations of each file behind the first one that has none
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", conflicts_with = "only"))]
    pub as_character: Option<String>,
    /// Load the files as engines do: names are compared with those of the same file too, only the first level of a file gets
    /// what it saved, and entries are left out for which engines create nothing
    #[cfg_attr(feature = "clap", arg(long))]
    pub as_engines: bool,
    /// Go on where references cannot be followed, and report it, instead of refusing
    #[cfg_attr(feature = "clap", arg(long))]
    pub lossy: bool,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

impl NamedChoice for Mode {
    const ALL: &'static [(&'static str, Mode)] = &[
        ("rename", Mode::Rename),
        ("replace", Mode::Replace),
        ("use-current", Mode::UseCurrent),
        ("keep-both", Mode::Keep),
    ];
    const ALIASES: &'static [(&'static str, Mode)] =
        &[("keep", Mode::Keep), ("theirs", Mode::Replace), ("ours", Mode::UseCurrent)];
}

impl Request {
    /// The policies that are asked for, the later ones over the earlier. Without any, nothing is lost and all names stay apart.
    fn policies(&self) -> Policies {
        let mut modes = Modes::all(Mode::Rename);
        for PolicyFor { of, policy } in &self.on_conflict {
            let mode = match of {
                None => {
                    modes = Modes::all(*policy);
                    continue;
                }
                Some(ConflictFamily::Object) => &mut modes.entities_3d,
                Some(ConflictFamily::Mesh) => &mut modes.meshes,
                Some(ConflictFamily::Material) => &mut modes.materials,
                Some(ConflictFamily::Texture) => &mut modes.textures,
                Some(ConflictFamily::Group) => &mut modes.groups,
                Some(ConflictFamily::Other) => &mut modes.general,
            };
            *mode = Some(*policy);
        }
        let character = self.as_character.clone();
        Policies { modes, only: self.only, character, as_engines: self.as_engines }
    }
}

/// Writes several files as one.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("join", session, out);
    join(request, &mut run)?;
    run.finish()
}

fn join(request: &Request, run: &mut Run<'_>) -> Result<()> {
    let (mut join, mut is_sound) = (Join::new(request.policies()), true);
    let (mut files, mut diagnostics) = (Vec::new(), Vec::<Diagnostic>::new());
    let inputs: Vec<Input> = request.files.iter().map(Input::named).collect();
    run.plan(&inputs);
    for input in &inputs {
        let opened = run.open(input)?;
        run.advance();
        let Some(mut file) = opened else {
            // All that cannot be opened are reported.
            is_sound = false;
            continue;
        };
        let opened = file.held.get()?;
        if !writing::check(&file.name, opened, run) {
            is_sound = false;
            continue;
        }
        let added = join.add(opened);
        let findings = opened.take_findings();
        run.settle(&file.name, &findings);
        diagnostics.extend(findings.findings.iter().map(json::finding));
        match added {
            Ok(counts) => {
                let groups = match counts.renamed_groups {
                    0 => None,
                    1 => Some(("1 group has another name".to_owned(), "it")),
                    count => Some((format!("{count} groups have other names"), "them")),
                };
                if let Some((groups, these)) = groups {
                    run.note(&format!(
                        "{}: {groups} now, under which games do not find {these} (--on-conflict group=use-current keeps the \
                         groups that were there, without the new objects)",
                        file.name
                    ));
                }
                files.push((file.name, counts));
            }
            Err(error) => {
                run.failed(&file.name, error);
                is_sound = false;
            }
        }
    }
    if !is_sound {
        return Ok(());
    }
    let name = request.output.to_string();
    let opened = match join.end(request.lossy, &run.options) {
        Ok(opened) => opened,
        Err(error) => {
            run.failed(&name, error);
            return Ok(());
        }
    };
    let target = OutputDestination::new(request.output.clone(), &request.out);
    let options = WriteOptions::default();
    let writing = Writing { target, options, dry_run: request.out.dry_run };
    let written = writing::write(OpenFile { name, held: Held::own(opened) }, writing, run)?;
    let Some(mut written) = written else { return Ok(()) };
    written.diagnostics.splice(0..0, diagnostics);
    if let Some((first, _)) = files.first() {
        first.clone_into(&mut written.file);
    }
    written.report(JoinedRow { files: files.into_iter().map(JoinedFile::of).collect() }, run)
}

/// Numbers of the objects of all files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct JoinedRow {
    /// Numbers of the objects of each file, by what became of them.
    pub files: Vec<JoinedFile>,
}

/// Numbers of the objects of a file, by what became of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct JoinedFile {
    /// The file.
    pub file: String,
    /// Objects that were added.
    pub created: usize,
    /// Objects that were added under another name.
    pub renamed: usize,
    /// Objects that took the place of others.
    pub replaced: usize,
    /// Objects for which those that were there are used.
    pub used: usize,
    /// References by name that found their objects.
    pub resolved: usize,
    /// Objects that were left out.
    pub skipped: usize,
}

impl JoinedFile {
    fn of((file, counts): (String, JoinCounts)) -> JoinedFile {
        let JoinCounts { created, renamed, replaced, used, resolved, skipped, .. } = counts;
        JoinedFile { file, created, renamed, replaced, used, resolved, skipped }
    }
}
