//! `lint`: what a game would not like, and mending what is safe.

use super::{
    explain,
    reporting::Reporting,
    verify::{summary, verdict},
    writing::{self, Onto, Writing},
};
use crate::{
    args::Lint,
    inputs::{self, Input},
    output::{Session, TITLE},
    progress::Progress,
};
use serde_json::{Map, Value, json};
use spelunk::{
    Error, Finding, Opened, Result, Severity, WriteOptions, codes, detect, json,
    lint::{self, Mended, Mending, Missing, Reason, Selection},
    maps::World,
    verbs::Disk,
};
use std::sync::Arc;

pub fn run(args: &Lint, session: &mut Session) -> Result<()> {
    session.revision = args.generation;
    if args.list_rules {
        return explain::rules(session);
    }
    let codes = |ids: &[String]| ids.iter().map(|id| lint::rule(id)).collect::<Result<Vec<_>>>();
    let selection = Selection { only: codes(&args.rule)?, allowed: codes(&args.allow)? };
    let inputs = inputs::apart(inputs::expand(&args.files)?);
    if inputs.len() > 1
        && let Some(output) = &args.output
    {
        let error = Error::new(&codes::ONE_FILE).found(format!("{} files", inputs.len()));
        session.failed(&output.display().to_string(), &error);
        return Ok(());
    }
    let world = match &args.gamedata {
        Some(path) => match session.world(path)? {
            Some(world) => Some(world),
            None => return Ok(()),
        },
        None => None,
    };
    let mut reporting = Reporting::new(args.format, true);
    reporting.suppress(args.suppressions.as_deref(), session)?;
    if args.write_suppressions.is_some() {
        reporting.note();
    }
    let mut missing = Missing::new();
    let mut progress = Progress::over(&inputs, session);
    for (nth, input) in inputs.iter().enumerate() {
        progress.file(nth);
        let mut about =
            About { world: world.as_ref(), missing: &mut missing, reporting: &mut reporting };
        one(args, &selection, input, &mut about, session)?;
    }
    drop(progress);
    let noted = args.write_suppressions.as_deref().map(|target| (target, &args.out));
    reporting.finish(noted, session)?;
    if args.missing_report { report(&missing, session) } else { Ok(()) }
}

/// What is known while files are looked at, and where it is told.
struct About<'a> {
    world: Option<&'a World>,
    missing: &'a mut Missing,
    reporting: &'a mut Reporting,
}

/// Each file that was not found, with those that need it.
fn report(missing: &Missing, session: &mut Session) -> Result<()> {
    for (name, needed_by) in missing {
        if session.common.json {
            session.json(&json!({ "missing": name, "needed_by": needed_by }))?;
        } else {
            let needed_by: Vec<&str> = needed_by.iter().map(String::as_str).collect();
            let needed_by = needed_by.join(", ");
            writeln!(session.out(), "{TITLE}{name}{TITLE:#}: missing, needed by {needed_by}")?;
        }
    }
    Ok(())
}

fn one(
    args: &Lint,
    selection: &Selection,
    input: &Input,
    about: &mut About<'_>,
    session: &mut Session,
) -> Result<()> {
    let options = session.options()?;
    let file = input.name();
    let target = args.output.as_deref().unwrap_or(&input.path);
    let mut onto = None;
    if args.fix {
        let how = (args.in_place, args.backup.as_deref());
        onto = Onto::over(&input.path, target, &args.out, how, session);
        if onto.is_none() {
            return Ok(());
        }
    }
    let mut opened = match input.open(&options) {
        Ok(opened) => opened,
        Err(error) => {
            session.refused(input, &options, &error);
            if input.found && detect::is_foreign(&error) {
                return Ok(());
            }
            return tell(&file, &mut Map::new(), &[&error], None, about.reporting, session);
        }
    };
    let mut line = Map::new();
    let mut fixed = None;
    if args.fix {
        let mending = Mending {
            selection: selection.clone(),
            merge_names: args.merge_names,
            remove_unused: args.remove_unused,
        };
        // What is damaged is carried through, and said.
        let mended = lint::can_fix(opened.container())
            .and_then(|()| opened.run(|container, task| container.verify(task)))
            .and_then(|()| lint::fix(&mut opened, &mending));
        match mended {
            Ok(mended) => fixed = Some(mended),
            Err(error) => {
                session.failed(&file, &error);
                return tell(
                    &file,
                    &mut line,
                    &[&error],
                    Some(&mut opened),
                    about.reporting,
                    session,
                );
            }
        }
    }
    let path = Some(input.path.clone().into()).filter(|_| !input.is_stdin());
    let named: Vec<_> = args.search.iter().map(|folder| folder.clone().into()).collect();
    let folders = lint::folders(Arc::new(Disk), path.as_ref(), &named);
    let linted = lint::lint(&mut opened, &file, selection, &folders, about.world, about.missing);
    if let Err(error) = linted {
        session.failed(&file, &error);
        return tell(&file, &mut line, &[&error], Some(&mut opened), about.reporting, session);
    }
    let (Some(fixed), Some(onto)) = (fixed, onto) else {
        return tell(&file, &mut line, &[], Some(&mut opened), about.reporting, session);
    };
    told_mended(&fixed, &mut line);
    let mut findings = opened.take_findings();
    // What verifying warned of before the file was mended, the rules tell as errors of what it is now.
    let is_old = |it: &Finding| it.severity == Severity::Warning && lint::is_lost(it.error.code());
    findings.take(is_old, |_| false);
    let (options, dry_run) = (WriteOptions::default(), args.out.dry_run);
    let mut writing = Writing { target, options, onto, make_folders: false, dry_run };
    if !writing::is_stdout(target) {
        tell_all(&file, &mut line, &[], &mut findings, about.reporting, session)?;
    }
    // A file that is as it should be is not touched.
    if !(args.in_place && fixed.fixed.is_empty()) {
        writing::write(&file, opened, &mut writing, session)?;
    }
    Ok(())
}

/// Adds what was mended, and what was left on purpose, to the line of the file.
fn told_mended(mended: &Mended, line: &mut Map<String, Value>) {
    let counts = mended.fixed.iter().map(|(code, count)| (code.id.to_owned(), (*count).into()));
    line.insert("fixed".into(), Value::Object(counts.collect()));
    let left = mended.left.iter().map(
        |left| json!({ "code": left.code.id, "count": left.count, "reason": left.reason.name() }),
    );
    line.insert("left".into(), Value::Array(left.collect()));
}

/// Why findings were left, and what would mend them all the same.
fn why(reason: &str) -> &'static str {
    if reason == Reason::Names.name() {
        "names differ: --merge-names"
    } else if reason == Reason::Unused.name() {
        "nothing uses them: --remove-unused"
    } else {
        "cells, parameters, scripts or texts refer to them"
    }
}

fn tell(
    file: &str,
    line: &mut Map<String, Value>,
    more: &[&Error],
    opened: Option<&mut Opened>,
    reporting: &mut Reporting,
    session: &mut Session,
) -> Result<()> {
    let mut findings = opened.map(Opened::take_findings).unwrap_or_default();
    tell_all(file, line, more, &mut findings, reporting, session)
}

/// Tells findings, and `more` errors that were counted before.
fn tell_all(
    file: &str,
    line: &mut Map<String, Value>,
    more: &[&Error],
    findings: &mut spelunk::Collect,
    reporting: &mut Reporting,
    session: &mut Session,
) -> Result<()> {
    let suppressed = reporting.file(file, findings, more);
    let ok = !findings.has_errors() && more.is_empty();
    let is_apart = session.common.json || reporting.is_document();
    session.report_all(file, &findings.findings, is_apart)?;
    if findings.has_errors() && !session.common.lenient {
        session.exit.findings();
    }
    if reporting.is_document() {
        return Ok(());
    }
    if session.common.json {
        let mut list: Vec<Value> = findings.findings.iter().map(json::finding).collect();
        list.extend(more.iter().map(|error| json::diagnostic(Severity::Error, error)));
        let mut all = Map::new();
        all.insert("file".into(), file.into());
        all.insert("ok".into(), ok.into());
        all.insert("findings".into(), list.into());
        if let Some(count) = suppressed {
            all.insert("suppressed".into(), count.into());
        }
        all.append(line);
        return session.json(&Value::Object(all));
    }
    let count = |wanted: Severity| {
        let counts = findings.counts().iter().filter(|(_, severity, _)| *severity == wanted);
        counts.map(|(.., count)| *count).sum::<u64>()
    };
    let counts = json!({
        "errors": count(Severity::Error) + more.len() as u64,
        "warnings": count(Severity::Warning),
        "notes": count(Severity::Info),
    });
    let mut text = summary(&counts);
    if let Some(count) = suppressed.filter(|count| *count > 0) {
        text.push_str(&format!(", {count} suppressed"));
    }
    if let Some(Value::Object(fixed)) = line.get("fixed") {
        let counts: Vec<String> =
            fixed.iter().map(|(code, count)| format!("{count} of {code}")).collect();
        let counts = if counts.is_empty() { "nothing".to_owned() } else { counts.join(", ") };
        text.push_str(&format!("; mended: {counts}"));
    }
    if let Some(Value::Array(left)) = line.get("left").filter(|left| **left != json!([])) {
        let left: Vec<String> = left
            .iter()
            .map(|left| {
                let [code, reason] = ["code", "reason"].map(|key| left[key].as_str().unwrap_or(""));
                format!("{} of {code} ({})", left["count"], why(reason))
            })
            .collect();
        text.push_str(&format!("; left: {}", left.join(", ")));
    }
    verdict(file, ok, &text, session)
}
