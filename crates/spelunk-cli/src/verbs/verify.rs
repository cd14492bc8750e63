//! `verify`: reads everything, checks everything, reports every finding.

use super::reporting::Reporting;
use crate::{
    args::Verify,
    inputs,
    output::{Session, TITLE},
    progress::Progress,
};
use anstyle::AnsiColor;
use serde_json::{Map, Value, json};
use spelunk::{
    Buffers, Collect, Error, Opened, Options, Result, Severity, Source, Span, WriteOptions,
    archives,
    changes::Change,
    coverage::Coverage,
    detect, json, lint,
    roundtrip::{self, Outcome},
};
use std::sync::Arc;

/// What verifying one file gave.
struct Report {
    findings: Collect,
    /// Why reading ended before its end.
    fatal: Option<Error>,
    roundtrip: Option<Result<Outcome>>,
    /// The fields that are others when the file is written again.
    changes: Vec<Change>,
    coverage: Option<Result<Coverage>>,
    size: u64,
}

pub fn run(args: &Verify, session: &mut Session) -> Result<()> {
    session.show_at(&args.at)?;
    let inputs = inputs::apart(inputs::expand(&args.files)?);
    let options = session.options()?;
    let mut progress = Progress::over(&inputs, session);
    let mut reporting = Reporting::new(args.format, false);
    let mut buffers = Buffers::default();
    let (mut total, mut counted) = (Coverage::default(), 0_u64);
    for (nth, input) in inputs.iter().enumerate() {
        progress.file(nth);
        let file = input.name();
        let reused = std::mem::take(&mut buffers);
        let opened = input.source(&options).and_then(|source| {
            Ok((Opened::open_reusing(source.clone(), &options, reused)?, source))
        });
        match opened {
            Ok((mut opened, source)) => {
                let report = check(&mut opened, &source, args, &options);
                if let Some(Ok(coverage)) = &report.coverage {
                    total.add(coverage);
                    counted += 1;
                }
                tell(&file, report, &mut reporting, session)?;
                buffers = opened.into_buffers();
            }
            Err(error) => {
                session.refused(input, &options, &error);
                if input.found && detect::is_foreign(&error) {
                    continue;
                }
                reporting.file(&file, &mut Collect::default(), &[&error]);
                if reporting.is_document() {
                    continue;
                }
                if session.common.json {
                    let finding = json::diagnostic(Severity::Error, &error);
                    session.json(&json!({ "file": file, "ok": false, "findings": [finding] }))?;
                } else {
                    verdict(&file, false, "not opened", session)?;
                }
            }
        }
    }
    drop(progress);
    reporting.finish(None, session)?;
    if counted > 1 && !session.common.json {
        writeln!(session.out(), "{TITLE}{counted} files{TITLE:#}: {}", shares(&total))?;
    }
    Ok(())
}

fn check(
    opened: &mut Opened,
    source: &Arc<dyn Source>,
    args: &Verify,
    options: &Options,
) -> Report {
    let mut fatal = opened.run(|container, task| container.verify(task)).err();
    if let Some(dir) = &args.against
        && fatal.is_none()
    {
        fatal = archives::check(opened, dir, options).err();
    }
    let coverage = args.coverage.then(|| opened.run_silent(Coverage::of));
    let roundtrip = args.roundtrip.then(|| {
        opened.run(|container, task| {
            roundtrip::check(container, source.as_ref(), &WriteOptions::default(), task)
        })
    });
    let changes = match &roundtrip {
        // Where they cannot be told, the first difference still is.
        Some(Ok(Outcome::Differs { .. } | Outcome::Length { .. })) => opened
            .run_silent(|container, task| {
                roundtrip::changes(container, source, &WriteOptions::default(), task)
            })
            .unwrap_or_default(),
        _ => Vec::new(),
    };
    let findings = opened.take_findings();
    Report { findings, fatal, roundtrip, changes, coverage, size: source.len() }
}

fn tell(
    file: &str,
    report: Report,
    reporting: &mut Reporting,
    session: &mut Session,
) -> Result<()> {
    let Report { mut findings, fatal, roundtrip, changes, coverage, size } = report;
    let differs = match &roundtrip {
        Some(Ok(outcome)) => roundtrip::finding(outcome, size),
        _ => None,
    };
    let failed = match &roundtrip {
        Some(Err(error)) => Some(error),
        _ => None,
    };
    let uncounted = match &coverage {
        Some(Err(error)) if fatal.is_none() => Some(error),
        _ => None,
    };
    let more: Vec<&Error> = fatal.iter().chain(&differs).chain(failed).chain(uncounted).collect();
    reporting.file(file, &mut findings, &more);
    let ok = !findings.has_errors() && more.is_empty();
    if session.common.json && !reporting.is_document() {
        let mut list: Vec<Value> = findings.findings.iter().map(json::finding).collect();
        list.extend(more.iter().map(|error| json::diagnostic(Severity::Error, error)));
        let mut line = Map::new();
        line.insert("file".into(), file.into());
        line.insert("ok".into(), ok.into());
        line.insert("findings".into(), list.into());
        line.insert("lost".into(), lint::lost(&findings).into());
        if let Some(roundtrip) = &roundtrip {
            line.insert("roundtrip".into(), roundtrip_json(roundtrip, &changes));
        }
        if let Some(Ok(coverage)) = &coverage {
            line.insert("coverage".into(), coverage_json(coverage));
        }
        session.json(&Value::Object(line))?;
    }
    let is_apart = session.common.json || reporting.is_document();
    session.report(file, &findings.findings, is_apart)?;
    for error in &more {
        session.failed(file, error);
    }
    if findings.has_errors() && !session.common.lenient {
        session.exit.findings();
    }
    if !session.common.json && !reporting.is_document() {
        let mut text = summary(&findings, more.len() as u64);
        match lint::lost(&findings) {
            0 => {}
            1 => text.push_str(", 1 thing lost when engines load it"),
            lost => text.push_str(&format!(", {lost} things lost when engines load it")),
        }
        match &roundtrip {
            Some(Ok(Outcome::Identical)) => text.push_str(", identical when written again"),
            Some(Ok(_)) => {
                text.push_str(", differs when written again");
                text.push_str(&reasons(&changes));
            }
            Some(Err(_)) => text.push_str(", cannot be written again"),
            None => {}
        }
        if let Some(Ok(coverage)) = &coverage {
            text.push_str(&format!("; {}", shares(coverage)));
        }
        verdict(file, ok, &text, session)?;
    }
    Ok(())
}

/// How much is understood, in words.
fn shares(coverage: &Coverage) -> String {
    let Coverage { bytes, understood, padding, opaque, unaccounted } = *coverage;
    let share = |part: u64| match bytes {
        0 => 0.0,
        _ => part as f64 / bytes as f64 * 100.0,
    };
    let mut text = format!("{bytes} bytes: {:.1} % understood", share(understood));
    for (part, name) in [(padding, "padding"), (opaque, "opaque"), (unaccounted, "unaccounted for")]
    {
        if part > 0 {
            text.push_str(&format!(", {:.1} % {name}", share(part)));
        }
    }
    text
}

fn coverage_json(coverage: &Coverage) -> Value {
    let Coverage { bytes, understood, padding, opaque, unaccounted } = *coverage;
    json!({
        "bytes": bytes,
        "understood": understood,
        "padding": padding,
        "opaque": opaque,
        "unaccounted": unaccounted,
    })
}

/// The first of the fields that are others, and why.
fn reasons(changes: &[Change]) -> String {
    const SHOWN: usize = 8;
    let told = changes.iter().take(SHOWN).map(|change| format!("{} ({})", change.path, change.why));
    let mut told: Vec<String> = told.collect();
    let more = changes.len().saturating_sub(SHOWN);
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    if told.is_empty() { String::new() } else { format!(": {}", told.join(", ")) }
}

fn change_json(change: &Change) -> Value {
    let place = |span: Option<Span>| {
        span.map(|at| json!({ "space": at.space.to_string(), "offset": at.start, "size": at.len }))
    };
    json!({
        "path": change.path,
        "why": change.why.text(),
        "old": place(change.old),
        "new": place(change.new),
    })
}

fn roundtrip_json(result: &Result<Outcome>, changes: &[Change]) -> Value {
    let mut line = outcome_json(result);
    if !changes.is_empty() {
        line["changes"] = changes.iter().map(change_json).collect();
    }
    line
}

fn outcome_json(result: &Result<Outcome>) -> Value {
    match result {
        Ok(Outcome::Identical) => json!({ "identical": true }),
        Ok(Outcome::Differs { offset, path }) => {
            json!({ "identical": false, "offset": offset, "path": path })
        }
        Ok(Outcome::Length { len }) => json!({ "identical": false, "length": len }),
        Err(error) => json!({ "identical": false, "message": error.to_string() }),
    }
}

/// How many findings there are, in words.
pub fn summary(findings: &Collect, more: u64) -> String {
    let count = |wanted: Severity| -> u64 {
        findings.counts().iter().filter(|(_, s, _)| *s == wanted).map(|(_, _, count)| count).sum()
    };
    let named = |count: u64, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {many}")),
    };
    let parts: Vec<String> = [
        named(count(Severity::Error) + more, "error", "errors"),
        named(count(Severity::Warning), "warning", "warnings"),
        named(count(Severity::Info), "note", "notes"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() { "no findings".to_owned() } else { parts.join(", ") }
}

/// Prints the line of a file.
pub fn verdict(file: &str, ok: bool, text: &str, session: &mut Session) -> Result<()> {
    let (color, word) = if ok { (AnsiColor::Green, "ok") } else { (AnsiColor::Red, "FAILED") };
    let style = color.on_default().bold();
    Ok(writeln!(session.out(), "{TITLE}{file}{TITLE:#}: {style}{word}{style:#}, {text}")?)
}
