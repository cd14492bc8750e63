//! Findings that games would not like, and mending what is safe to mend.

use super::{
    FileName, FileRef,
    explain::{self, CodeRow},
    input::Input,
    keeping::KeepOptions,
    output::{Outcome, Output},
    report::{self, CodeCount, Counts, FindingsReport, ReportFormat, SarifLog},
    request::{FileList, OutputOptions, as_text},
    run::{OpenFile, Run},
    session::{Held, Session},
    writing::{self, Onto, OutputDestination, Writing},
};
use crate::{
    Collect, Error, Finding, Result, Revision, Severity, WriteOptions,
    check::lint::{self, Mended, Mending, Missing, Selection},
    check::suppress::{Baseline, Suppressions},
    core::folder::Links,
    models::maps::World,
    open::codes,
    open::entries::search::Search,
    open::json::Diagnostic,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
};

/// Findings that a game would not like, although the bytes are sound
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(group(clap::ArgGroup::new("mended").args(["output", "in_place"]))))]
#[cfg_attr(feature = "clap", command(mut_arg("files", |files| files.required_unless_present("list_rules"))))]
#[serde(default)]
pub struct Request {
    /// The files.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub files: FileList,
    /// Look at the file at this generation, counted from 1 (the oldest), or all of them merged
    #[cfg_attr(feature = "clap", arg(long, value_name = "N|merged", conflicts_with = "fix"))]
    #[serde(with = "as_text", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub generation: Option<Revision>,
    /// Apply this rule alone; repeatable
    #[cfg_attr(feature = "clap", arg(long, value_name = "CODE"))]
    pub rule: Vec<String>,
    /// Do not apply this rule; repeatable
    #[cfg_attr(feature = "clap", arg(long, value_name = "CODE"))]
    pub allow: Vec<String>,
    /// Look for the files of textures and sounds in this folder first; repeatable
    #[cfg_attr(feature = "clap", arg(long, visible_alias = "textures", value_name = "DIR"))]
    pub search: Vec<FileName>,
    /// Look up the ids of SpellForce's maps in this GameData
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub gamedata: Option<FileName>,
    /// Behind the files, list each file that was not found with the files that need it
    #[cfg_attr(feature = "clap", arg(long))]
    pub missing_report: bool,
    /// Pass over findings that this file lists: lines of `CODE [GLOB of files [PATH]]`; they are counted
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub suppressions: Option<FileName>,
    /// Pass over what BASE has too, an older version of the file, or a folder of older versions under the same names; it is counted
    #[cfg_attr(feature = "clap", arg(long, value_name = "BASE", conflicts_with = "fix"))]
    pub since: Option<FileName>,
    /// Write what is found to FILE, for --suppressions; none of it is a failure now
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", conflicts_with = "fix"))]
    pub write_suppressions: Option<FileName>,
    /// List so many findings of one code in a file at the most; 0 lists all [default: 20, all with -v]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub max: Option<u64>,
    /// Form of a single document for all files, instead of lines
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORM", conflicts_with_all = ["fix", "missing_report"]))]
    pub format: Option<ReportFormat>,
    /// List the rules
    #[cfg_attr(feature = "clap", arg(long))]
    pub list_rules: bool,
    /// Mend what is safe to mend, and list what is left
    #[cfg_attr(feature = "clap", arg(long, requires = "mended"))]
    pub fix: bool,
    /// With --fix, let equal objects whose names differ become one too; names are lost
    #[cfg_attr(feature = "clap", arg(long, requires = "fix"))]
    pub merge_names: bool,
    /// With --fix, remove meshes, materials and textures that nothing uses, with their names
    #[cfg_attr(feature = "clap", arg(long, requires = "fix"))]
    pub remove_unused: bool,
    /// The file to write, or - for standard output
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "OUT", requires = "fix"))]
    pub output: Option<FileName>,
    /// Replace the files themselves, atomically
    #[cfg_attr(feature = "clap", arg(long, requires = "fix"))]
    pub in_place: bool,
    /// What is kept of a file that is changed in place.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub keep: KeepOptions,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

/// A row of the verb: a file, or what an option asks for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Row<'a> {
    /// A file.
    File(Box<FileRow<'a>>),
    /// With `missing_report`: a file that was not found.
    Missing(MissingRow<'a>),
    /// With `list_rules`: a rule.
    Rule(CodeRow),
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
    /// True where it could not be opened.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unopened: bool,
    /// Number of findings that are known and passed over, where suppressions are named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<u64>,
    /// Mending, where that was asked for.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub mended: Option<MendedRow>,
    /// Output, where one was written.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub written: Option<WrittenRow>,
}

/// Mending of a file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MendedRow {
    /// Number of times that each rule was applied, by its code.
    #[schemars(with = "BTreeMap<String, u64>")]
    pub fixed: Map<String, Value>,
    /// Rules that could have mended more, and did not on purpose.
    pub left: Vec<LeftRow>,
}

/// A rule that did not mend everything on purpose.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LeftRow {
    /// The code of the rule.
    pub code: &'static str,
    /// Number of further times that it could have been applied.
    pub count: u64,
    /// Reason why it was not.
    pub reason: &'static str,
}

/// The file that was written.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WrittenRow {
    /// Name of the file.
    pub output: String,
    /// Size of the file in bytes.
    pub size: u64,
    /// Whether it was not written after all.
    pub dry_run: bool,
}

/// A file that was not found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MissingRow<'a> {
    /// Name of the file.
    pub missing: &'a str,
    /// The files that need it.
    pub needed_by: &'a BTreeSet<String>,
}

impl From<&Mended> for MendedRow {
    fn from(mended: &Mended) -> MendedRow {
        let fixed = mended.fixed.iter().map(|(code, count)| (code.id.to_owned(), (*count).into()));
        let left = mended.left.iter().map(|left| LeftRow {
            code: left.code.id,
            count: left.count,
            reason: left.reason.name(),
        });
        MendedRow { fixed: fixed.collect(), left: left.collect() }
    }
}

/// Hands out a row for each file, or one document of all; the rules instead where those are asked for.
///
/// # Errors
/// Those of the output, and of what the request names beside the files; [`NO_RULE`](codes::NO_RULE).
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::editing("lint", request, session, out);
    run.options.revision = request.generation;
    if request.list_rules {
        explain::rules(&mut run)?;
        return run.finish();
    }
    let codes = |ids: &[String]| ids.iter().map(|id| lint::rule(id)).collect::<Result<Vec<_>>>();
    let selection = Selection { only: codes(&request.rule)?, allowed: codes(&request.allow)? };
    let inputs = run.expand(&request.files, Links::ToFiles)?;
    let inputs = run.apart(inputs);
    if inputs.len() > 1
        && let Some(output) = &request.output
    {
        let error = Error::new(&codes::ONE_FILE).found(format!("{} files", inputs.len()));
        run.failed(&output.to_string(), error);
        return run.finish();
    }
    let mut world = None;
    if let Some(name) = &request.gamedata {
        world = run.world(name)?;
        if world.is_none() {
            return run.finish();
        }
    }
    let mut report = FindingsReport::new(request.format, true);
    report.suppress(request.suppressions.as_ref(), &run)?;
    if request.write_suppressions.is_some() {
        report.note();
    }
    let judge = Judge { request, selection, world, searched: Mutex::default() };
    let work = |run: &mut Run<'_>, input: &Input| judge.file(input, run);
    let mut missing = Missing::new();
    let mut end = |run: &mut Run<'_>, judged: Option<Judged>| match judged {
        Some(judged) => judged.hand_out(request.max, &mut missing, &mut report, run),
        None => Ok(()),
    };
    match request.fix {
        true => run.each_in_turn(&inputs, &work, &mut end)?,
        false => run.each_file(&inputs, &work, &mut end)?,
    }
    let noted = request.write_suppressions.as_ref().map(|target| (target, &request.out));
    report.finish(noted, &mut run)?;
    if request.missing_report {
        for (missing, needed_by) in &missing {
            run.row(&MissingRow { missing, needed_by })?;
        }
    }
    run.finish()
}

/// What files are judged by.
struct Judge<'r> {
    request: &'r Request,
    selection: Selection,
    world: Option<World>,
    /// The folders around the file before, and the search in them: files come folder by folder, and a folder is listed once.
    searched: Mutex<Option<(Option<[FileName; 2]>, Search)>>,
}

/// Findings of a file, what was done with it, and the error that ended the work, which is counted elsewhere.
struct Judged {
    file: String,
    findings: Collect,
    error: Option<Error>,
    unopened: bool,
    handled: Handled,
    missing: Missing,
    /// What the version of before has.
    known: Option<Suppressions>,
}

/// Results of mending a file, beside its findings.
#[derive(Default)]
struct Handled {
    mended: Option<MendedRow>,
    written: Option<WrittenRow>,
    /// Whether the file itself goes where rows would.
    is_stream: bool,
}

impl Judge<'_> {
    /// Judges a file; `None` where it was passed over, or could not be begun.
    fn file(&self, input: &Input, run: &mut Run<'_>) -> Result<Option<Judged>> {
        let request = self.request;
        let mut target = None;
        if request.fix {
            let onto = Onto {
                output: request.output.as_ref(),
                in_place: request.in_place,
                keep: &request.keep,
                out: request.out,
            };
            target = OutputDestination::over(&input.file, onto, run)?;
            if target.is_none() {
                return Ok(None);
            }
        }
        let mut file = match run.try_open(input)? {
            Ok(file) => file,
            Err(error) => {
                if run.refused(input, &error)? {
                    return Ok(None);
                }
                let judged = Judged::new(run.name(&input.file)?, Collect::default());
                return Ok(Some(Judged { error: Some(error), unopened: true, ..judged }));
            }
        };
        let opened = file.held.get()?;
        let is_kept = matches!(input.file, FileRef::Open(_));
        if request.fix && is_kept && lint::can_fix(opened.container()).is_ok() {
            // One that is open stays as it is until all is done.
            let findings = opened.take_findings();
            match opened.fork() {
                Ok(mut fork) => {
                    fork.absorb(findings);
                    file.held = Held::own(fork);
                }
                Err(error) => {
                    run.failed(&file.name, error);
                    return Ok(None);
                }
            }
        }
        let known = self.known_before(input, run)?;
        let mut missing = Missing::new();
        let judged = match self.look(&mut file, input, &mut missing, run) {
            Ok(mended) => self.settle(file, (input, target), mended.as_ref(), run)?,
            Err(error) => {
                let findings = file.held.get()?.take_findings();
                run.count_failure(&error);
                run.complain(&file.name, &error);
                Judged { error: Some(error), ..Judged::new(file.name, findings) }
            }
        };
        Ok(Some(Judged { missing, known, ..judged }))
    }

    /// What the version of before has of a file; `None` where there is none, or it cannot be opened, which is reported.
    fn known_before(&self, input: &Input, run: &mut Run<'_>) -> Result<Option<Suppressions>> {
        let Some(base) = &self.request.since else { return Ok(None) };
        let name = match run.files().is_folder(base) {
            true => base.join(input.within.as_os_str()),
            false => base.clone(),
        };
        // A file that is new has no version of before.
        if &name != base && run.files().len(&name).is_none() {
            return Ok(None);
        }
        let before = Input::named(&FileRef::Name(name));
        let Some(mut file) = run.open(&before)? else { return Ok(None) };
        let looked = self.look(&mut file, &before, &mut Missing::new(), run);
        let findings = file.held.get()?.take_findings();
        if let Err(error) = looked {
            run.failed(&file.name, error);
        }
        run.recycle(file);
        let mut baseline = Baseline::default();
        baseline.add("", &findings);
        Suppressions::parse(&baseline.finish().0).map(Some)
    }

    /// Mends a file, where that is asked for, and applies the rules.
    fn look(
        &self,
        file: &mut OpenFile<'_>,
        input: &Input,
        missing: &mut Missing,
        run: &Run<'_>,
    ) -> Result<Option<Mended>> {
        let Judge { request, selection, world, .. } = self;
        let opened = file.held.get()?;
        let mut mended = None;
        if request.fix {
            let mending = Mending {
                selection: selection.clone(),
                merge_names: request.merge_names,
                remove_unused: request.remove_unused,
            };
            // What is damaged is carried through, and said.
            lint::can_fix(opened.container())?;
            opened.run(|container, task| container.verify(task))?;
            mended = Some(lint::fix(opened, &mending)?);
        }
        let place = match &input.file {
            FileRef::Name(name) => Some(name.clone()),
            FileRef::Open(handle) => Some(run.session.name_of(*handle)?),
        };
        let place = place.filter(|name| !name.is_stream());
        let search = self.search(place.as_ref(), run);
        lint::lint(opened, &file.name, selection, &search, world.as_ref(), missing)?;
        Ok(mended)
    }

    /// The search for what a file needs.
    fn search(&self, place: Option<&FileName>, run: &Run<'_>) -> Search {
        let around = place.map(|name| run.files().around(name));
        let mut searched = self.searched.lock().unwrap_or_else(PoisonError::into_inner);
        match &*searched {
            Some((known, search)) if *known == around => search.clone(),
            _ => {
                let search = lint::folders(run.shared_files(), place, &self.request.search);
                *searched = Some((around, search.clone()));
                search
            }
        }
    }

    /// Reports what was found, and writes what was mended.
    fn settle<'a>(
        &self,
        mut file: OpenFile<'a>,
        (input, target): (&Input, Option<OutputDestination>),
        mended: Option<&Mended>,
        run: &mut Run<'a>,
    ) -> Result<Judged> {
        let mut findings = file.held.get()?.take_findings();
        let name = file.name.clone();
        let (Some(mended), Some(target)) = (mended, target) else {
            run.recycle(file);
            return Ok(Judged::new(name, findings));
        };
        // Where verifying warned before the file was mended, the rules report errors of the mended file.
        let is_old =
            |it: &Finding| it.severity == Severity::Warning && lint::is_lost(it.error.code());
        findings.take(is_old, |_| false);
        let is_stream = target.name.is_stream();
        let mut handled = Handled { mended: Some(mended.into()), written: None, is_stream };
        // A file that is as it should be is not touched.
        if !(self.request.in_place && mended.fixed.is_empty()) {
            let output = target.name.to_string();
            let (options, dry_run) = (WriteOptions::default(), self.request.out.dry_run);
            let mut before = None;
            if let (FileRef::Open(handle), false) = (&input.file, dry_run) {
                let mended = file.held.into_own()?;
                file.held = run.session.lend(*handle)?;
                before = Some((*handle, std::mem::replace(file.held.get()?, mended)));
            }
            let written = writing::write(file, Writing { target, options, dry_run }, run);
            if let (Ok(None) | Err(_), Some((handle, before))) = (&written, before) {
                *run.session.lend(handle)?.get()? = before;
            }
            handled.written =
                written?.map(|written| WrittenRow { output, size: written.size, dry_run });
        }
        Ok(Judged { handled, ..Judged::new(name, findings) })
    }
}

impl Judged {
    /// A file with these findings, with which nothing was done.
    fn new(file: String, findings: Collect) -> Judged {
        let (error, handled, missing) = (None, Handled::default(), Missing::new());
        Judged { file, findings, error, unopened: false, handled, missing, known: None }
    }

    /// Reports the findings.
    fn hand_out(
        self,
        max: Option<u64>,
        missing: &mut Missing,
        report: &mut FindingsReport,
        run: &mut Run<'_>,
    ) -> Result<()> {
        let Judged { file, mut findings, error, unopened, handled, missing: more_missing, known } =
            self;
        for (name, needed_by) in more_missing {
            missing.entry(name).or_default().extend(needed_by);
        }
        let more: Vec<&Error> = error.iter().collect();
        let suppressed = report.file(&file, &mut findings, &more, known);
        report::arrange(&mut findings, max);
        let Handled { mended, written, is_stream } = handled;
        let row = FileRow {
            file: &file,
            ok: !findings.has_errors() && more.is_empty(),
            findings: report::listed(&findings, &more),
            counts: Counts::of(&findings, more.len()),
            codes: report::codes(&findings, &more),
            unopened,
            suppressed,
            mended,
            written,
        };
        run.settle(&file, &findings);
        if report.is_document() || is_stream { Ok(()) } else { run.row(&row) }
    }
}
