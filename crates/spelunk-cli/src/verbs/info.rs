//! `info`: what files are.

use crate::{
    args::Files,
    inputs,
    output::{Lines, Session, TITLE, human, is_closed_pipe},
};
use serde_json::{Map, Value, json};
use spelunk::{Finding, Opened, Result, Severity, detect, json, walk};
use std::path::Path;

pub fn run(args: &Files, session: &mut Session) -> Result<()> {
    let mut first = true;
    for input in inputs::expand(args)? {
        let file = input.name();
        match input.open(&session.options()?) {
            Ok(mut opened) => {
                let misleading = detect::misleading(Path::new(&file), opened.container())
                    .map(|error| Finding { severity: Severity::Info, error });
                if session.common.json {
                    as_json(&file, &mut opened, misleading, session)?;
                } else {
                    if !first {
                        writeln!(session.out())?;
                    }
                    as_lines(&file, &mut opened, misleading, session)?;
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
    more: Option<Finding>,
    session: &mut Session,
) -> Result<()> {
    let pages = opened.code_pages();
    let (details, result) =
        opened.run(|container, task| json::object(&pages, |walk| container.info(task, walk)));
    let mut diagnostics: Vec<Value> =
        opened.findings().findings.iter().chain(&more).map(json::finding).collect();
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
    session.json(&Value::Object(line))
}

fn as_lines(
    file: &str,
    opened: &mut Opened,
    more: Option<Finding>,
    session: &mut Session,
) -> Result<()> {
    let container = opened.container();
    let format = container.format();
    let dialect = container.dialect().map(|name| format!(", dialect {name}")).unwrap_or_default();
    let size = human(container.size());
    writeln!(session.out(), "{TITLE}{file}{TITLE:#}: {format}{dialect}, {size}")?;
    let pages = opened.code_pages();
    let out = session.out();
    let result = opened
        .run(|container, task| walk::finish(container.info(task, &mut Lines::new(out, &pages))));
    // What is odd about a file is what `info` is asked for: notes too.
    session.tell_from(Severity::Info, file, &opened.findings().findings);
    session.tell_from(Severity::Info, file, more.as_slice());
    if let Err(error) = result {
        if is_closed_pipe(&error) {
            return Err(error);
        }
        // Damage that was met on the way: said, and no failure of `info`.
        session.tell(file, &[Finding { severity: Severity::Error, error }]);
    }
    Ok(())
}
