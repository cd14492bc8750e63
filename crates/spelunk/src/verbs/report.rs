//! Findings of many files as one document, and without those that are known: what the verbs share that judge files.

use super::{
    FileName,
    request::OutputOptions,
    run::Run,
    writing::{self, OutputDestination},
};
use crate::{
    Code, Collect, Error, Result, Seg, Severity,
    check::sarif::Log,
    check::suppress::{Baseline, Suppressed, Suppressions},
    open::json::{self, Diagnostic},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{borrow::Cow, cmp::Reverse};

/// Documents of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum ReportFormat {
    /// SARIF 2.1.0, which build servers and editors read
    Sarif,
}

/// A SARIF log of all files.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct SarifLog(pub Value);

impl JsonSchema for SarifLog {
    fn schema_name() -> Cow<'static, str> {
        "SarifLog".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": "A SARIF log, whose own schema `$schema` names.",
            "required": ["$schema", "version", "runs"],
            "properties": {
                "$schema": { "type": "string" },
                "version": { "const": "2.1.0" },
                "runs": { "type": "array" },
            },
        })
    }
}

/// Numbers of the findings of a file, by severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counts {
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
    /// Notes.
    pub notes: u64,
}

impl Counts {
    /// The findings, and so many errors more.
    pub(super) fn of(findings: &Collect, more: usize) -> Counts {
        let mut counts = Counts { errors: more as u64, ..Counts::default() };
        for (_, severity, count) in findings.counts() {
            let place = match severity {
                Severity::Error => &mut counts.errors,
                Severity::Warning => &mut counts.warnings,
                Severity::Info => &mut counts.notes,
            };
            *place = place.saturating_add(*count);
        }
        counts
    }
}

/// Findings of one code in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CodeCount {
    /// The code.
    pub code: &'static str,
    /// Severity of these findings.
    pub severity: &'static str,
    /// What the code means.
    pub title: &'static str,
    /// Number of the findings, listed or not.
    pub count: u64,
}

/// How often each code was found, errors first: of the findings, and of these errors.
pub(super) fn codes(findings: &Collect, more: &[&Error]) -> Vec<CodeCount> {
    let mut codes: Vec<(Severity, &'static Code, u64)> = Vec::new();
    let found = findings.counts().iter().map(|(code, severity, count)| (*severity, *code, *count));
    for (severity, code, count) in
        found.chain(more.iter().map(|error| (Severity::Error, error.code(), 1)))
    {
        match codes.iter_mut().find(|(known, other, _)| (*known, *other) == (severity, code)) {
            Some((.., sum)) => *sum = sum.saturating_add(count),
            None => codes.push((severity, code, count)),
        }
    }
    codes.sort_by_key(|(severity, code, _)| (Reverse(*severity), code.id));
    let row = |(severity, code, count): (Severity, &'static Code, u64)| CodeCount {
        code: code.id,
        severity: severity.name(),
        title: code.title,
        count,
    };
    codes.into_iter().map(row).collect()
}

/// Report of the findings of a run.
#[derive(Default)]
pub(super) struct FindingsReport {
    log: Option<Log>,
    suppressions: Option<(String, Suppressions)>,
    baseline: Option<Baseline>,
}

impl FindingsReport {
    /// As `format` says. With `lint` a document has all rules.
    pub(super) fn new(format: Option<ReportFormat>, lint: bool) -> FindingsReport {
        let log = format.map(|ReportFormat::Sarif| Log::new(lint));
        FindingsReport { log, ..FindingsReport::default() }
    }

    /// Passes over what the file says from now on.
    pub(super) fn suppress(&mut self, file: Option<&FileName>, run: &Run<'_>) -> Result<()> {
        let Some(file) = file else { return Ok(()) };
        let name = file.to_string();
        let within = |error: Error| error.within(Seg::Key(name.clone().into()));
        let text = run.read(file).map_err(within)?;
        let known = Suppressions::parse(&String::from_utf8_lossy(&text)).map_err(within)?;
        self.suppressions = Some((name, known));
        Ok(())
    }

    /// Notes everything that is found from now on as known.
    pub(super) fn note(&mut self) {
        self.baseline = Some(Baseline::default());
    }

    /// Whether one document is made of all files.
    pub(super) const fn is_document(&self) -> bool {
        self.log.is_some()
    }

    /// Takes out of the findings of a file what is known, here or of the version of before, and puts the rest and `more` errors into
    /// the document; gives how many were taken, where any may be.
    pub(super) fn file(
        &mut self,
        file: &str,
        findings: &mut Collect,
        more: &[&Error],
        before: Option<Suppressions>,
    ) -> Option<u64> {
        let mut taken = None;
        let mut suppressed = Vec::new();
        if let Some(mut before) = before {
            let (list, count) = before.apply(file, findings);
            (suppressed, taken) = (list, Some(count));
        }
        if let Some((_, known)) = &mut self.suppressions {
            let (list, count) = known.apply(file, findings);
            suppressed.extend(list);
            taken = Some(taken.unwrap_or(0).saturating_add(count));
        }
        if let Some(baseline) = &mut self.baseline {
            baseline.add(file, findings);
            let (list, count) = findings.take(|_| true, |_| true);
            let list = list.into_iter();
            suppressed.extend(list.map(|finding| Suppressed { finding, reason: None }));
            taken = Some(taken.unwrap_or(0).saturating_add(count));
        }
        if let Some(log) = &mut self.log {
            let found = findings.findings.iter();
            found.for_each(|finding| log.add(file, finding.severity, &finding.error));
            more.iter().for_each(|error| log.add(file, Severity::Error, error));
            suppressed.iter().for_each(|known| log.add_suppressed(file, known));
        }
        taken
    }

    /// Hands out the document, writes what was noted, and reports suppressions that nothing was found for.
    pub(super) fn finish(
        self,
        noted: Option<(&FileName, &OutputOptions)>,
        run: &mut Run<'_>,
    ) -> Result<()> {
        if let Some(log) = self.log {
            run.row(&SarifLog(log.finish()))?;
        }
        if let Some((file, known)) = &self.suppressions {
            for (line, text) in known.unmatched() {
                run.note(&format!("{file}:{line}: nothing was found for `{text}`"));
            }
        }
        let (Some(baseline), Some((name, out))) = (self.baseline, noted) else { return Ok(()) };
        let (text, count) = baseline.finish();
        let target = OutputDestination::new(name.clone(), out);
        let made =
            writing::make(target, out.dry_run, run, |place| Ok(place.write_all(text.as_bytes())?));
        match writing::committed(made, run) {
            Ok(()) => run.note(&format!("{name}: {count} findings noted as known")),
            Err(error) => run.failed(&name.to_string(), error),
        }
        Ok(())
    }
}

/// Puts findings in order, errors first and those of one code together, and takes out all but so many of each code.
pub(super) fn arrange(findings: &mut Collect, max: Option<u64>) {
    findings.findings.sort_by_key(|finding| (Reverse(finding.severity), finding.error.code().id));
    let Some(max) = max.filter(|max| *max > 0) else { return };
    let (mut last, mut count) = (None, 0_u64);
    findings.findings.retain(|finding| {
        let group = Some((finding.severity, finding.error.code()));
        count = if group == last { count.saturating_add(1) } else { 1 };
        last = group;
        count <= max
    });
}

/// Findings and errors as JSON has them.
pub(super) fn listed(findings: &Collect, more: &[&Error]) -> Vec<Diagnostic> {
    let found = findings.findings.iter().map(json::finding);
    found.chain(more.iter().map(|error| json::diagnostic(Severity::Error, error))).collect()
}
