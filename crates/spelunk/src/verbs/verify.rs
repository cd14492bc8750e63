//! Reads everything, checks everything, reports every finding.

use super::{
    FileName,
    input::Input,
    output::{Outcome, Output},
    report::{self, CodeCount, Counts, FindingsReport, ReportFormat, SarifLog},
    request::{FileList, Shown},
    run::Run,
    session::{Session, reading},
};
use crate::{
    Collect, Error, Opened, Result, Source, WriteOptions,
    check::coverage::Coverage,
    check::lint,
    check::roundtrip::{self, Outcome as Written},
    containers::archives,
    core::folder::Links,
    open::changes::FieldDifference,
    open::json::{Diagnostic, StoredAt},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{path::PathBuf, sync::Arc};

/// Read everything, check everything, report every finding
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The files.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub files: FileList,
    /// Also write each file again, to nowhere, and compare every byte
    #[cfg_attr(feature = "clap", arg(long))]
    pub roundtrip: bool,
    /// Also compare each pakdata.dat with the SpellForce archives in DIR: what is gone, new, or another one now
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR"))]
    pub against: Option<FileName>,
    /// Also count the bytes that are understood, padding, or opaque
    #[cfg_attr(feature = "clap", arg(long))]
    pub coverage: bool,
    /// List so many findings of one code in a file at the most; 0 lists all [default: 20, all with -v]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub max: Option<u64>,
    /// Form of a single document for all files, instead of lines
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORM", conflicts_with = "coverage"))]
    pub format: Option<ReportFormat>,
    /// Options for how they are shown.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub shown: Shown,
}

/// A row of the verb: a file, or what an option asks for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Row<'a> {
    /// A file.
    File(Box<FileRow<'a>>),
    /// With `format`: all findings in one document.
    Document(SarifLog),
}

/// A file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FileRow<'a> {
    /// The file.
    pub file: &'a str,
    /// Whether there are no errors.
    pub ok: bool,
    /// Findings; of a code that is found often, the first ones.
    pub findings: Vec<Diagnostic>,
    /// Numbers of findings, by severity.
    pub counts: Counts,
    /// How often each code was found, errors first.
    pub codes: Vec<CodeCount>,
    /// Number of findings about what engines do not load of a sound file; none where it could not be opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<u64>,
    /// Outcome of writing it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roundtrip: Option<Roundtrip>,
    /// Numbers of its bytes, by whether they are understood.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
}

/// Outcome of writing a file again.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Roundtrip {
    /// Whether every byte is the same.
    pub identical: bool,
    /// The first byte that is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// The path of its field, empty where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The size of what was written, where the shorter one is the beginning of the longer one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// Why it could not be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The fields that are others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangedField>,
}

/// A field that is another one.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChangedField {
    /// Path of the field.
    pub path: String,
    /// Why it is another one.
    pub why: &'static str,
    /// Place where it was.
    pub old: Option<StoredAt>,
    /// Place where it is.
    pub new: Option<StoredAt>,
}

impl From<&FieldDifference> for ChangedField {
    fn from(change: &FieldDifference) -> ChangedField {
        let FieldDifference { path, why, old, new, .. } = change;
        let [old, new] = [old, new].map(|span| span.map(StoredAt::from));
        ChangedField { path: path.clone(), why: why.text(), old, new }
    }
}

impl Roundtrip {
    fn of(written: &Result<Written>, changes: &[FieldDifference]) -> Roundtrip {
        let changes = changes.iter().map(ChangedField::from).collect();
        let differs = Roundtrip { changes, ..Roundtrip::default() };
        match written {
            Ok(Written::Identical) => Roundtrip { identical: true, ..differs },
            Ok(Written::Differs { offset, path }) => {
                Roundtrip { offset: Some(*offset), path: Some(path.clone()), ..differs }
            }
            Ok(Written::Length { len }) => Roundtrip { length: Some(*len), ..differs },
            Err(error) => Roundtrip { message: Some(error.to_string()), ..differs },
        }
    }
}

/// Hands out a row for each file, or one document of all.
///
/// # Errors
/// Those of the output, and of what the request names beside the files.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("verify", session, out);
    run.show(&request.shown)?;
    let inputs = run.expand(&request.files, Links::ToFiles)?;
    let inputs = run.apart(inputs);
    let mut report = FindingsReport::new(request.format, false);
    let work = |run: &mut Run<'_>, input: &Input| match run.try_open(input)? {
        Ok(mut file) => {
            let checked = check(file.held.get()?, request, run)?;
            let name = file.name.clone();
            run.recycle(file);
            Ok(Some((name, Ok(Box::new(checked)))))
        }
        Err(error) if run.refused(input, &error)? => Ok(None),
        Err(error) => Ok(Some((run.name(&input.file)?, Err(error)))),
    };
    run.each_file(&inputs, &work, &mut |run, checked| match checked {
        Some((name, Ok(checked))) => hand_out(&name, *checked, request.max, &mut report, run),
        Some((name, Err(error))) => unopened(&name, &error, &mut report, run),
        None => Ok(()),
    })?;
    report.finish(None, &mut run)?;
    run.finish()
}

/// Hands out the row of a file that could not be opened.
fn unopened(
    file: &str,
    error: &Error,
    report: &mut FindingsReport,
    run: &mut Run<'_>,
) -> Result<()> {
    report.file(file, &mut Collect::default(), &[error], None);
    if report.is_document() {
        return Ok(());
    }
    let findings = report::listed(&Collect::default(), &[error]);
    let counts = Counts::of(&Collect::default(), 1);
    let codes = report::codes(&Collect::default(), &[error]);
    let (ok, lost, roundtrip, coverage) = (false, None, None, None);
    run.row(&FileRow { file, ok, findings, counts, codes, lost, roundtrip, coverage })
}

/// Results of verifying one file.
struct Checked {
    findings: Collect,
    /// Why reading ended before its end.
    fatal: Option<Error>,
    roundtrip: Option<Result<Written>>,
    /// The fields that are others when the file is written again.
    changes: Vec<FieldDifference>,
    coverage: Option<Result<Coverage>>,
    size: u64,
}

fn check(opened: &mut Opened, request: &Request, run: &Run<'_>) -> Result<Checked> {
    let mut fatal = opened.run(|container, task| container.verify(task)).err();
    if let Some(folder) = &request.against
        && fatal.is_none()
    {
        let present = archives_of(folder, run);
        fatal = present.and_then(|present| archives::check(opened, &present)).err();
    }
    let coverage = request.coverage.then(|| opened.run_silent(Coverage::of));
    let written = request.roundtrip.then(|| written(opened, run));
    let (roundtrip, changes, size) = match written {
        Some(Ok((written, changes, size))) => (Some(written), changes, size),
        Some(Err(error)) => (Some(Err(error)), Vec::new(), 0),
        None => (None, Vec::new(), 0),
    };
    let findings = opened.take_findings();
    Ok(Checked { findings, fatal, roundtrip, changes, coverage, size })
}

/// Outcome of writing a file again, the fields that are others then, and the size in bytes that it has.
type Rewritten = (Result<Written>, Vec<FieldDifference>, u64);

/// Writes a file again. Of one that was changed since it was opened that is what it would be written as, which is read for that.
fn written(opened: &mut Opened, run: &Run<'_>) -> Result<Rewritten> {
    let (options, formats) = (WriteOptions::default(), &run.options.formats);
    let is_changed = opened.source().is_none();
    let source = opened.bytes_now()?;
    let mut read = None;
    let subject = match is_changed {
        true => read.insert(Opened::open(source.clone(), opened.options())?),
        false => opened,
    };
    let written =
        subject.run(|container, task| roundtrip::check(container, source.as_ref(), &options, task));
    let changes = match &written {
        // Where they cannot be found, the first difference still can.
        Ok(Written::Differs { .. } | Written::Length { .. }) => subject
            .run_silent(|container, task| {
                roundtrip::changes(container, &source, formats, &options, task)
            })
            .unwrap_or_default(),
        _ => Vec::new(),
    };
    Ok((written, changes, source.len()))
}

/// The archives of a folder, with their whole names.
pub(super) fn archives_of(
    folder: &FileName,
    run: &Run<'_>,
) -> Result<Vec<(PathBuf, Arc<dyn Source>)>> {
    let files = run.shared_files();
    let parts = files.parts(folder);
    if parts.is_empty() {
        return Err(archives::none_in(&folder.to_string()));
    }
    let open = |name: FileName| {
        let source = files.open(&name, reading(&run.options))?;
        Ok((files.whole(&name)?.as_path().to_owned(), source))
    };
    parts.into_iter().map(open).collect()
}

fn hand_out(
    file: &str,
    checked: Checked,
    max: Option<u64>,
    report: &mut FindingsReport,
    run: &mut Run<'_>,
) -> Result<()> {
    let Checked { mut findings, fatal, roundtrip, changes, coverage, size } = checked;
    let differs = match &roundtrip {
        Some(Ok(written)) => roundtrip::finding(written, size),
        _ => None,
    };
    let written = roundtrip.as_ref().map(|written| Roundtrip::of(written, &changes));
    let failed = roundtrip.and_then(Result::err);
    let (coverage, uncounted) = match coverage {
        Some(Ok(coverage)) => (Some(coverage), None),
        Some(Err(error)) if fatal.is_none() => (None, Some(error)),
        _ => (None, None),
    };
    let more: Vec<Error> = [fatal, differs, failed, uncounted].into_iter().flatten().collect();
    let errors: Vec<&Error> = more.iter().collect();
    report.file(file, &mut findings, &errors, None);
    report::arrange(&mut findings, max);
    let row = FileRow {
        file,
        ok: !findings.has_errors() && more.is_empty(),
        findings: report::listed(&findings, &errors),
        counts: Counts::of(&findings, more.len()),
        codes: report::codes(&findings, &errors),
        lost: Some(lint::lost(&findings)),
        roundtrip: written,
        coverage,
    };
    run.settle(file, &findings);
    more.into_iter().for_each(|error| run.failed(file, error));
    if report.is_document() { Ok(()) } else { run.row(&row) }
}
