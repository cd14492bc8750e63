//! What is printed, and where: data to standard output, everything else to standard error.

use crate::{args::Common, columns::Columns, exit::Exit, inputs::Input};
use anstream::{AutoStream, ColorChoice, StripStream};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use spelunk::{
    Class, Code, Collect, Error, Finding, Opened, Options, Profile, Result, Revision, Severity,
    TypeNames,
    archives::Mounting,
    detect::{self, Formats},
    languages::Asked,
    source::Mapping,
    text::{self, CodePages},
    verbs::Outcome,
};
use std::{
    fmt::Display,
    io::{self, BufWriter, Write},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// How many findings of one code people are shown of a file, unless they ask for all of them.
const SHOWN_FINDINGS: usize = 20;

/// What is printed at once, in bytes.
const BUFFER: usize = 1 << 16;

/// Names of fields and places.
pub const LABEL: Style = AnsiColor::Cyan.on_default();
/// Headings.
pub const TITLE: Style = Style::new().bold();
/// What matters less.
pub const FAINT: Style = Style::new().dimmed();

/// What one run of the command shares.
pub struct Session {
    /// What the verb is called.
    verb: String,
    /// The format of the file that was opened last.
    format: Option<&'static Profile>,
    /// What was said to do instead.
    told: Vec<&'static str>,
    pub common: Common,
    pub exit: Exit,
    /// The generation that files are opened at; the current one where nothing else is asked for.
    pub revision: Option<Revision>,
    /// How folders of archives are opened.
    pub mounting: Mounting,
    /// Names of types that a file gives.
    types: Option<Arc<TypeNames>>,
    out: BufWriter<Box<dyn Write>>,
    /// Files found in folders that are no containers.
    passed_over: Vec<String>,
}

impl Session {
    /// A run with these options.
    pub fn new(verb: String, common: Common) -> Session {
        let stdout = io::stdout();
        let out: Box<dyn Write> = match AutoStream::choice(&stdout) {
            // What takes colours out writes piece by piece.
            ColorChoice::Never => {
                let pieces: Box<dyn Write> = Box::new(BufWriter::with_capacity(BUFFER, stdout));
                Box::new(StripStream::new(pieces))
            }
            choice => Box::new(AutoStream::new(stdout, choice)),
        };
        let out: Box<dyn Write> = Box::new(Named(out));
        let out = BufWriter::with_capacity(BUFFER, out);
        let exit = Exit::default();
        Session {
            verb,
            format: None,
            told: Vec::new(),
            common,
            exit,
            revision: None,
            mounting: Mounting::default(),
            types: None,
            out,
            passed_over: Vec::new(),
        }
    }

    /// Standard output, buffered.
    pub fn out(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// Rows in columns on standard output, as wide as its terminal, where it is one.
    pub fn columns(&self) -> Columns {
        Columns::new(terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0.into()))
    }

    /// Prints one JSON object on a line of its own.
    pub fn json(&mut self, value: &impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut self.out, value).map_err(io::Error::from)?;
        Ok(writeln!(self.out)?)
    }

    /// How files are opened.
    pub fn options(&self) -> Result<Options> {
        Ok(Options {
            formats: Formats::default(),
            max_memory: self.common.max_memory,
            max_ratio: self.common.max_ratio,
            strict: self.common.strict,
            pages: self.common.encoding.as_deref().map(CodePages::from_labels).transpose()?,
            mapping: if self.common.no_map { Mapping::Never } else { Mapping::Large },
            threads: self.common.threads,
            revision: self.revision,
            types: self.types.clone(),
            mounting: self.mounting,
            languages: Asked {
                slots: self.common.slot_encoding.clone(),
                profile: self.common.profile,
                pages: None,
            },
            cancel: None,
        })
    }

    /// Opens a file. One that cannot be opened is told and counted, and is `None`; one that was only found
    /// in a folder and is no container is passed over.
    pub fn open(&mut self, input: &Input) -> Result<Option<Opened>> {
        let options = self.options()?;
        match input.open(&options) {
            Ok(opened) => {
                self.meet(&opened);
                Ok(Some(opened))
            }
            Err(error) => {
                self.refused(input, &options, &error);
                Ok(None)
            }
        }
    }

    /// Takes note of the format of a file that was opened.
    pub fn meet(&mut self, opened: &Opened) {
        self.format = Some(opened.container().profile());
    }

    /// Tells and counts why a file was not opened: passed over as foreign, stopped by `--strict`, or not to be
    /// opened at all.
    pub fn refused(&mut self, input: &Input, options: &Options, error: &Error) {
        let tolerant = Options { strict: false, ..options.clone() };
        if input.found && detect::is_foreign(error) {
            self.passed_over.push(input.name());
        } else if options.strict && input.open(&tolerant).is_ok() {
            self.failed(&input.name(), error);
        } else {
            self.unopened(&input.name(), error);
        }
    }

    /// Counts a file that was found and is no container.
    pub fn pass_over(&mut self, file: String) {
        self.passed_over.push(file);
    }

    /// Names a link that is not followed.
    pub fn pass_link(&self, name: &str) {
        if !self.common.quiet {
            let (style, kind) = (style(Severity::Warning), Severity::Warning.name());
            let text = "a link, passed over (--follow-links follows it)";
            let _ = writeln!(anstream::stderr(), "{style}{kind}{style:#}: {name}: {text}");
        }
    }

    /// Tells and counts a file of which is known that it could not be opened.
    pub fn known_bad(&mut self, file: &str, code: &'static Code, message: &str) {
        self.complain(Severity::Error, file, &format!("{message} [{}]", code.id));
        self.exit.unopened(&Error::new(code));
    }

    /// Tells and counts a file that could not be opened.
    pub fn unopened(&mut self, file: &str, error: &Error) {
        self.complain(Severity::Error, file, error);
        self.way_out(error);
        self.exit.unopened(error);
    }

    /// Tells and counts what went wrong with a file that could be opened.
    pub fn failed(&mut self, file: &str, error: &Error) {
        self.complain(Severity::Error, file, error);
        self.way_out(error);
        self.count_failure(error);
    }

    /// Counts what went wrong with a file, where a finding has told it.
    pub fn count_failure(&mut self, error: &Error) {
        if !(self.common.lenient && error.code().class == Class::Malformed) {
            self.exit.failed(error);
        }
    }

    /// Tells findings on standard error, as far as they are wanted there.
    pub fn tell(&mut self, file: &str, findings: &[Finding]) {
        let usual = if self.common.verbose { Severity::Info } else { Severity::Warning };
        self.tell_from(usual, file, findings);
    }

    /// Tells findings of this severity and above; errors alone where it is to be quiet.
    pub fn tell_from(&mut self, severity: Severity, file: &str, findings: &[Finding]) {
        let (shown, more) = self.shown(severity, file, findings.iter());
        shown.iter().for_each(|finding| self.complain(finding.severity, file, &finding.error));
        more.iter().for_each(|more| self.say(more));
    }

    /// Prints a finding, which is what was asked for, on standard output.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub fn report(&mut self, file: &str, finding: &Finding) -> Result<()> {
        let style = style(finding.severity);
        let (name, error) = (finding.severity.name(), &finding.error);
        Ok(writeln!(self.out(), "{style}{name}{style:#}: {file}: {error}")?)
    }

    /// The findings of this severity and above that are shown, and what is said of the others.
    fn shown<'f>(
        &self,
        severity: Severity,
        file: &str,
        findings: impl Iterator<Item = &'f Finding>,
    ) -> (Vec<&'f Finding>, Vec<String>) {
        let from = if self.common.quiet { Severity::Error } else { severity };
        let mut counts: Vec<(&str, usize)> = Vec::new();
        let mut shown = Vec::new();
        for finding in findings.filter(|finding| finding.severity >= from) {
            let id = finding.error.code().id;
            let place = counts.iter().position(|(known, _)| *known == id).unwrap_or_else(|| {
                counts.push((id, 0));
                counts.len() - 1
            });
            counts[place].1 += 1;
            if counts[place].1 <= SHOWN_FINDINGS || self.common.verbose {
                shown.push(finding);
            }
        }
        let more = counts.iter().filter(|(_, count)| *count > SHOWN_FINDINGS);
        let more = more.filter(|_| !self.common.verbose).map(|(id, count)| {
            format!("{file}: {} more of {id} (-v shows all of them)", count - SHOWN_FINDINGS)
        });
        (shown, more.collect())
    }

    /// Tells what was found in a file, and counts errors among it.
    pub fn settle(&mut self, file: &str, findings: &Collect) {
        self.tell(file, &findings.findings);
        if findings.has_errors() && !self.common.lenient {
            self.exit.findings();
        }
    }

    /// Says something about the work on standard error, unless that is to be quiet.
    pub fn say(&mut self, text: &str) {
        if !self.common.quiet {
            let _ = self.out.flush();
            let _ = writeln!(anstream::stderr(), "{text}");
        }
    }

    /// Tells something about a file on standard error.
    pub fn complain(&mut self, severity: Severity, file: &str, error: &dyn Display) {
        // What was printed before belongs above.
        let _ = self.out.flush();
        let style = style(severity);
        let _ =
            writeln!(anstream::stderr(), "{style}{}{style:#}: {file}: {error}", severity.name());
    }

    /// Says what to do instead where an error is about a format that the verb has nothing to do with.
    fn way_out(&mut self, error: &Error) {
        if !matches!(error.code().class, Class::Unsupported | Class::Usage) {
            return;
        }
        let found = error.found_value().to_string();
        if let Some(format) = Formats::default().named_by(&found).or(self.format) {
            self.instead(format);
        }
    }

    /// Says what to do instead where the verb has nothing to do with the format.
    fn instead(&mut self, format: &Profile) {
        if let Some(why) = format.instead(&self.verb)
            && !self.told.contains(&why)
        {
            self.told.push(why);
            self.tell_instead(why);
        }
    }

    /// Says what to do instead.
    pub fn tell_instead(&mut self, why: &str) {
        let _ = self.out.flush();
        let _ = writeln!(anstream::stderr(), "{LABEL}instead{LABEL:#}: {why}");
    }

    /// Takes up what came of a verb of the library.
    pub fn take(&mut self, outcome: Outcome) {
        self.exit.raise(outcome.code());
        self.passed_over.extend(outcome.passed_over);
    }

    /// Ends the run. A reader that went away is a success.
    pub fn finish(mut self, result: Result<()>) -> ExitCode {
        let result = result.and_then(|()| Ok(self.out.flush()?));
        let names = std::mem::take(&mut self.passed_over);
        if self.common.verbose {
            names
                .iter()
                .for_each(|name| self.say(&format!("{name}: passed over, no known container")));
        } else if !names.is_empty() {
            let (count, noun) = (names.len(), if names.len() == 1 { "file" } else { "files" });
            self.say(&format!("{count} {noun} passed over, no known container (-v names them)"));
        }
        match result {
            Ok(()) => self.exit.code(),
            Err(error) if is_closed_pipe(&error) => self.exit.code(),
            Err(error) => {
                let style = AnsiColor::Red.on_default().bold();
                let _ = writeln!(anstream::stderr(), "{style}error{style:#}: {error}");
                self.way_out(&error);
                self.exit.failed(&error);
                self.exit.code()
            }
        }
    }
}

/// Standard output, whose errors say that they are about it.
pub struct Named<W>(pub W);

impl<W: Write> Write for Named<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| of_stdout(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| of_stdout(&error))
    }
}

/// An error of standard output that says so.
pub fn of_stdout(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("standard output: {error}"))
}

/// Whether an error is that the reader of standard output went away.
pub fn is_closed_pipe(error: &Error) -> bool {
    error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Whether sizes are told in bytes.
static IN_BYTES: AtomicBool = AtomicBool::new(false);

/// Makes the whole process tell sizes in bytes, or as people read them.
pub fn tell_in_bytes(wanted: bool) {
    IN_BYTES.store(wanted, Ordering::Relaxed);
}

/// Whether warnings are not wanted.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Makes the whole process say less.
pub fn be_quiet(wanted: bool) {
    IS_QUIET.store(wanted, Ordering::Relaxed);
}

/// Tells a finding about what was written.
pub fn warn(finding: &Finding) {
    if !IS_QUIET.load(Ordering::Relaxed) {
        let (style, name) = (style(finding.severity), finding.severity.name());
        let _ = writeln!(anstream::stderr(), "{style}{name}{style:#}: {}", finding.error);
    }
}

/// Bytes as people read them: `6.4 KiB`.
pub fn human(bytes: u64) -> String {
    if IN_BYTES.load(Ordering::Relaxed) {
        return bytes.to_string();
    }
    text::human(bytes)
}

/// How many items of a list people are shown; JSON has all of them.
pub const SHOWN_ITEMS: u64 = 20;

/// How the name of a severity is shown.
const fn style(severity: Severity) -> Style {
    let color = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Info => AnsiColor::Blue,
    };
    color.on_default().bold()
}
