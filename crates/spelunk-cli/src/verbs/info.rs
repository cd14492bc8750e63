//! `info`: what files are.

use crate::{
    args::Info,
    inputs::{self, Input},
    output::{FAINT, Lines, Session, TITLE, human, is_closed_pipe},
};
use serde_json::{Map, Value, json};
use spelunk::{
    Finding, Opened, Result, Severity, detect, json,
    maps::{self, World},
    plugins::{self, Missing, Needs},
    walk,
};
use std::path::Path;

pub fn run(args: &Info, session: &mut Session) -> Result<()> {
    session.show_at(&args.at)?;
    let mut registry = None;
    if let Some(path) = &args.registry {
        let input = Input::named(path);
        let options = session.options()?;
        match input.bytes(&options).and_then(|text| plugins::registry(&text)) {
            Ok(read) => registry = Some(read),
            Err(error) => {
                session.unopened(&input.name(), &error);
                return Ok(());
            }
        }
    } else if args.missing_plugins {
        session
            .say("no --registry: nothing is known to be there, so all that files need is listed");
    }
    let world = match &args.gamedata {
        Some(path) => match session.world(path)? {
            Some(world) => Some(world),
            None => return Ok(()),
        },
        None => None,
    };
    let world = world.as_ref();
    let mut first = true;
    for input in inputs::expand(&args.files)? {
        let file = input.name();
        match input.open(&session.options()?) {
            Ok(mut opened) => {
                let misleading = detect::misleading(Path::new(&file), opened.container())
                    .map(|error| Finding { severity: Severity::Info, error });
                let mut more: Vec<Finding> = misleading.into_iter().collect();
                let mut needs = None;
                if args.missing_plugins {
                    match plugins::needs(&mut opened, registry.as_ref()) {
                        Ok(found) => needs = Some(found),
                        // What was found in a folder need not be of the format that has plugins.
                        Err(error) if input.found && plugins::is_other_format(&error) => {}
                        Err(error) => {
                            session.failed(&file, &error);
                            more.push(Finding { severity: Severity::Error, error });
                        }
                    }
                }
                if session.common.json {
                    let needs = args.missing_plugins.then_some(needs);
                    as_json(&file, &mut opened, &more, (needs, world), session)?;
                } else if args.missing_plugins {
                    if let Some(needs) = needs {
                        missing(&file, &needs, registry.is_some(), session)?;
                    }
                    session.tell_from(Severity::Info, &file, &opened.findings().findings);
                } else {
                    if !first {
                        writeln!(session.out())?;
                    }
                    as_lines(&file, &mut opened, &more, world, session)?;
                }
                first = false;
            }
            Err(error) => {
                let options = session.options()?;
                session.refused(&input, &options, &error);
                if session.common.json && !(input.found && detect::is_foreign(&error)) {
                    // Standard input is gone.
                    let source = if input.is_stdin() { None } else { input.source(&options).ok() };
                    session.json(&json!({
                        "file": file,
                        "format": source.as_ref().and_then(|source| detect::claimed(&**source)),
                        "dialect": null,
                        "size": source.map(|source| source.len()),
                        "diagnostics": [json::diagnostic(Severity::Error, &error)],
                        "details": {},
                    }))?;
                }
            }
        }
    }
    Ok(())
}

fn as_json(
    file: &str,
    opened: &mut Opened,
    more: &[Finding],
    (needs, world): (Option<Option<Needs>>, Option<&World>),
    session: &mut Session,
) -> Result<()> {
    let pages = opened.code_pages();
    let (details, result) = opened.run(|container, task| {
        json::object(&pages, |walk| {
            container.info(task, walk)?;
            world.map_or(Ok(()), |world| Ok(maps::describe(container, file, world, task, walk)?))
        })
    });
    let mut diagnostics: Vec<Value> =
        opened.findings().findings.iter().chain(more).map(json::finding).collect();
    if let Err(error) = result {
        diagnostics.push(json::diagnostic(Severity::Error, &error));
    }
    let mut line = Map::new();
    line.insert("file".into(), file.into());
    line.insert("format".into(), opened.container().format().into());
    line.insert("dialect".into(), opened.container().dialect().into());
    line.insert("size".into(), opened.container().size().into());
    line.insert("diagnostics".into(), diagnostics.into());
    line.insert("details".into(), details.into());
    if let Some(needs) = needs {
        let list = |needs: Needs| needs.missing.iter().map(Missing::json).collect();
        line.insert("missing_plugins".into(), needs.map_or(Value::Null, list));
    }
    session.json(&Value::Object(line))
}

fn as_lines(
    file: &str,
    opened: &mut Opened,
    more: &[Finding],
    world: Option<&World>,
    session: &mut Session,
) -> Result<()> {
    let container = opened.container();
    let format = container.format();
    let dialect = container.dialect().map(|name| format!(", dialect {name}")).unwrap_or_default();
    let size = human(container.size());
    writeln!(session.out(), "{TITLE}{file}{TITLE:#}: {format}{dialect}, {size}")?;
    let pages = opened.code_pages();
    let out = session.out();
    let result = opened.run(|container, task| {
        let mut lines = Lines::new(out, &pages);
        walk::finish(container.info(task, &mut lines))?;
        world.map_or(Ok(()), |world| maps::describe(container, file, world, task, &mut lines))
    });
    // What is odd about a file is what `info` is asked for: notes too.
    session.tell_from(Severity::Info, file, &opened.findings().findings);
    session.tell_from(Severity::Info, file, more);
    if let Err(error) = result {
        if is_closed_pipe(&error) {
            return Err(error);
        }
        // Damage that was met on the way: said, and no failure of `info`.
        session.tell(file, &[Finding { severity: Severity::Error, error }]);
    }
    Ok(())
}

/// Lists what is missing: a line each, with what it is called and how many behaviours need it where that is known.
/// Without a registry that is all that the file needs.
fn missing(file: &str, needs: &Needs, is_known: bool, session: &mut Session) -> Result<()> {
    let verdict = match (needs.count, needs.missing.len()) {
        (0, _) => "needs no plugins".to_owned(),
        (1, _) if !is_known => "needs 1 plugin or building block".to_owned(),
        (count, _) if !is_known => format!("needs {count} plugins and building blocks"),
        (count, 0) => format!("none of {count} plugins and building blocks missing"),
        (count, missing) => format!("{missing} of {count} plugins and building blocks missing"),
    };
    let out = session.out();
    writeln!(out, "{TITLE}{file}{TITLE:#}: {verdict}")?;
    let category = |it: &Missing| match it.category_name() {
        Some(name) => name.to_owned(),
        None => format!("category {}", it.category),
    };
    let width = needs.missing.iter().map(|it| category(it).len()).max().unwrap_or_default();
    for it in &needs.missing {
        write!(out, "  {:width$}  {}", category(it), it.guid())?;
        if let Some(name) = &it.name {
            write!(out, "  {name}")?;
        }
        match it.behaviors {
            0 => {}
            1 => write!(out, "  {FAINT}1 behaviour{FAINT:#}")?,
            many => write!(out, "  {FAINT}{many} behaviours{FAINT:#}")?,
        }
        writeln!(out)?;
    }
    Ok(())
}
