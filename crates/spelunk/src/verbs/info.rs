//! Facts about files.

use super::{
    FileName, FileRef, history,
    input::Input,
    keeping::has_history,
    output::{Outcome, Output},
    request::{FileList, Shown},
    run::{OpenFile, Run},
    session::{Session, reading},
};
use crate::{
    Error, Finding, Result, Severity, Span,
    check::plugins::{self, Missing, Needs, Registry},
    core::{folder::Links, walk::finish},
    models::maps::{self, World},
    open::json::{self, Diagnostic},
    open::shown::{self, Line},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::Path;

/// Facts about files: format, versions, sizes, counts, checksum, oddities
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The files.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub files: FileList,
    /// Options for how they are shown.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub shown: Shown,
    /// The plugins and building blocks that Virtools files need and --registry lacks, instead of the rest; with --json
    /// beside it
    #[cfg_attr(feature = "clap", arg(long))]
    pub missing_plugins: bool,
    /// The plugins and building blocks that are there, as JSON [default: none]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", requires = "missing_plugins"))]
    pub registry: Option<FileName>,
    /// Maps of SpellForce: what this GameData knows of them too (title, portals, players' places)
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", conflicts_with = "missing_plugins")
    )]
    pub gamedata: Option<FileName>,
    /// The facts that matter most alone: a line for each file
    #[cfg_attr(feature = "clap", arg(short = 's', long, conflicts_with = "missing_plugins"))]
    pub short: bool,
    /// Rows for people: `lines`, texts that they read, in place of details
    #[cfg_attr(feature = "clap", arg(skip))]
    pub for_people: bool,
    /// In `lines`, so many items of each list at the most
    #[cfg_attr(feature = "clap", arg(skip))]
    pub max_items: Option<u64>,
}

/// A file.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Row<'a> {
    /// The file.
    pub file: &'a str,
    /// Format of the file; where it cannot be opened, the one that it seems to have.
    pub format: Option<&'static str>,
    /// The dialect of the format, where there are several.
    pub dialect: Option<&'static str>,
    /// Size of the file in bytes.
    pub size: Option<u64>,
    /// Findings: errors, warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
    /// Facts that the file states about itself, by their names.
    pub details: Map<String, Value>,
    /// Plugins and building blocks that it needs of an engine and that are missing there, where that was asked for; null for
    /// formats without plugins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing_plugins: Option<Option<Vec<MissingPlugin>>>,
    /// For people: how many plugins and building blocks it needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed_plugins: Option<usize>,
    /// For people: ways to look at the file besides entries, fields and bytes: `scene`, `textures`, `tables`, `arrays`,
    /// `scripts`, `map`, `included`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aspects: Option<Vec<&'static str>>,
    /// For people: what it inflates to, in the order of the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spaces: Vec<SpaceRow>,
    /// For people: layers of a map, which `export` draws.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<&'static str>,
    /// For people: what the file says of itself, as they read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<Line>>,
    /// Edits that are kept of it; nothing where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<HistoryCounts>,
}

/// Edits of a file that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HistoryCounts {
    /// Number of edits that can be taken back.
    pub done: usize,
    /// Number of edits that can be made again.
    pub undone: usize,
}

impl HistoryCounts {
    /// `None` where no edits of the file are kept; people get a line of it. A history that cannot be read is a finding.
    fn of(
        file: &FileRef,
        lines: Option<&mut Vec<Line>>,
        more: &mut Vec<Finding>,
        run: &Run<'_>,
    ) -> Option<HistoryCounts> {
        if let FileRef::Name(name) = file
            && !has_history(name, run.files())
        {
            return None;
        }
        let history = match history::kept(file, run) {
            Ok(history) if history.steps().len() == 0 => return None,
            Ok(history) => history,
            Err(error) => {
                more.push(Finding { severity: Severity::Warning, error });
                return None;
            }
        };
        let counts = HistoryCounts { done: history.done(), undone: history.undone() };
        lines.into_iter().for_each(|lines| lines.push(counts.line()));
        Some(counts)
    }

    /// The line of it for people.
    fn line(self) -> Line {
        let text = match self.undone {
            0 => format!("{} to undo", self.done),
            undone => format!("{} to undo, {undone} to redo", self.done),
        };
        Line { depth: 0, name: "history".to_owned(), text }
    }
}

/// A space that a packed section inflates to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SpaceRow {
    /// Name of the space, as places have it before a colon.
    pub space: String,
    /// Size of the space in bytes.
    pub size: u64,
}

/// A plugin or building block that is not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MissingPlugin {
    /// Category of plugins: 4 are building blocks.
    pub category: u32,
    /// Name of the category, where it is known.
    pub category_name: Option<&'static str>,
    /// GUID of the plugin or building block.
    pub guid: String,
    /// Name of the plugin or building block, where it is known.
    pub name: Option<String>,
    /// Behaviours of the file that need it.
    pub behaviors: u64,
}

impl MissingPlugin {
    fn of(missing: &Missing) -> MissingPlugin {
        MissingPlugin {
            category: missing.category,
            category_name: missing.category_name(),
            guid: missing.guid(),
            name: missing.name.clone(),
            behaviors: missing.behaviors,
        }
    }
}

/// Registry and GameData in which all files are looked up.
struct LookupSources {
    registry: Option<Registry>,
    world: Option<World>,
}

/// Hands out a row for each file.
///
/// # Errors
/// Those of the output, and of what the request names beside the files.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("info", session, out);
    run.show(&request.shown)?;
    run.options.headers_suffice = !request.missing_plugins;
    let mut known = LookupSources { registry: None, world: None };
    if let Some(name) = &request.registry {
        match run.read(name).and_then(|text| plugins::registry(&text)) {
            Ok(registry) => known.registry = Some(registry),
            Err(error) => {
                run.unopened(&name.to_string(), error);
                return run.finish();
            }
        }
    } else if request.missing_plugins {
        run.note("no --registry: nothing is known to be there, so all that files need is listed");
    }
    if let Some(name) = &request.gamedata {
        known.world = run.world(name)?;
        if known.world.is_none() {
            return run.finish();
        }
    }
    let inputs = run.expand(&request.files, Links::ToFiles)?;
    let work = |run: &mut Run<'_>, input: &Input| match run.try_open(input)? {
        Ok(file) => one(file, input, request, &known, run),
        Err(error) if run.refused(input, &error)? => Ok(()),
        Err(error) => unopened(input, &error, run),
    };
    run.each_file(&inputs, &work, &mut |_, ()| Ok(()))?;
    run.finish()
}

/// A file that cannot be opened: what it seems to be, and why not.
fn unopened(input: &Input, error: &Error, run: &mut Run<'_>) -> Result<()> {
    // What was standard input is gone.
    let source = match &input.file {
        FileRef::Name(name) if !name.is_stream() && input.unreadable.is_none() => {
            run.files().open(name, reading(&run.options)).ok()
        }
        _ => None,
    };
    let name = run.name(&input.file)?;
    run.row(&Row {
        file: &name,
        format: source
            .as_ref()
            .and_then(|source| run.options.formats.claimed(&**source))
            .map(|profile| profile.name),
        size: source.map(|source| source.len()),
        diagnostics: vec![json::diagnostic(Severity::Error, error)],
        ..Row::default()
    })
}

fn one(
    mut file: OpenFile<'_>,
    input: &Input,
    request: &Request,
    known: &LookupSources,
    run: &mut Run<'_>,
) -> Result<()> {
    let name = file.name;
    let opened = file.held.get()?;
    let misleading = run.options.formats.misleading(Path::new(&name), opened.container());
    let mut more: Vec<Finding> =
        misleading.into_iter().map(|error| Finding { severity: Severity::Info, error }).collect();
    let mut diagnostics = Vec::new();
    let mut needs = None;
    if request.missing_plugins {
        match plugins::needs(opened, known.registry.as_ref()) {
            Ok(found) => needs = Some(found),
            // What was found in a folder need not be of the format that has plugins.
            Err(error) if input.is_found && plugins::is_other_format(&error) => {}
            Err(error) => {
                diagnostics.push(json::diagnostic(Severity::Error, &error));
                run.failed(&name, error);
            }
        }
    }
    let pages = opened.code_pages();
    let world = known.world.as_ref();
    let describe = |task: &mut crate::Task<'_>,
                    walk: &mut dyn crate::Walk,
                    container: &dyn crate::Container| {
        finish(container.info(task, walk))?;
        world.map_or(Ok(()), |world| maps::describe(container, &name, world, task, walk))
    };
    let (mut details, mut lines) = (Map::new(), None);
    let described = opened.run(|container, task| {
        task.keeping(|task, most| match request.for_people {
            true if request.missing_plugins => (Ok(()), 0),
            true => {
                let items = request.max_items.unwrap_or(u64::MAX);
                let walked = |walk: &mut dyn crate::Walk| describe(task, walk, container);
                let (list, result) = shown::lines(&pages, items, most / 2, walked);
                lines = Some(list);
                (result, most)
            }
            false => {
                let walked = |walk: &mut dyn crate::Walk| Ok(describe(task, walk, container)?);
                let (map, held, result) = json::object_within(&pages, most / 2, walked);
                details = map;
                (result, held.saturating_mul(2))
            }
        })
    });
    let history = HistoryCounts::of(&input.file, lines.as_mut(), &mut more, run);
    let headline = request.short.then(|| opened.container().profile().headline);
    shorten(&mut details, lines.as_mut(), headline);
    let findings = opened.take_findings();
    if let Err(error) = described {
        // Damage that was met on the way: said, and no failure here.
        more.push(Finding { severity: Severity::Error, error });
    }
    diagnostics.splice(0..0, findings.findings.iter().chain(&more).map(json::finding));
    let container = opened.container();
    let list = |needs: &Needs| needs.missing.iter().map(MissingPlugin::of).collect();
    run.row(&Row {
        file: &name,
        format: Some(container.format()),
        dialect: container.dialect(),
        size: Some(container.size()),
        diagnostics,
        details,
        missing_plugins: request.missing_plugins.then(|| needs.as_ref().map(list)),
        needed_plugins: needs.as_ref().map(|needs| needs.count).filter(|_| request.for_people),
        lines,
        history,
        ..if request.for_people { looks(container) } else { Row::default() }
    })?;
    run.report(&name, &findings.findings);
    run.report(&name, &more);
    Ok(())
}

/// Leaves the facts that matter most, where these alone are asked for.
fn shorten(
    details: &mut Map<String, Value>,
    lines: Option<&mut Vec<Line>>,
    headline: Option<&[&'static str]>,
) {
    let Some(headline) = headline else { return };
    details.retain(|name, _| headline.contains(&name.as_str()));
    if let Some(lines) = lines {
        lines.retain(|line| line.depth == 0 && headline.contains(&line.name.as_str()));
    }
}

/// The part of a row on what can be looked at.
fn looks(container: &dyn crate::Container) -> Row<'static> {
    let aspects = container.profile().aspects;
    let spaces = container.spaces();
    let named = |span: &Span| SpaceRow { space: span.space.to_string(), size: span.len };
    Row {
        aspects: Some(aspects.iter().map(|aspect| aspect.name()).collect()),
        spaces: spaces.iter().map(named).collect(),
        layers: crate::models::maps::layers(container).collect(),
        ..Row::default()
    }
}
