//! Printing: data to standard output, everything else to standard error.

pub use crate::styles::{FAINT, LABEL, TITLE};

use crate::{args::Common, columns::Columns};
use anstream::{AutoStream, ColorChoice, StripStream};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use spelunk::{
    Error, Finding, Options, Result, Severity,
    core::source::Mapping,
    core::text::{self, CodePages},
    open::detect::Formats,
    tables::languages::Asked,
    verbs::Outcome,
};
use std::{
    fmt::Display,
    io::{self, BufWriter, Write},
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
};

/// Size in bytes of the buffer in front of standard output.
const BUFFER: usize = 1 << 16;

/// State that one run of the command shares.
pub struct CommandSession {
    /// Name of the verb.
    verb: String,
    pub common: Common,
    /// Outcome of the verb so far.
    outcome: Outcome,
    out: BufWriter<Box<dyn Write>>,
}

impl CommandSession {
    /// A run with these options.
    pub fn new(verb: String, common: Common) -> CommandSession {
        let stdout = io::stdout();
        let out: Box<dyn Write> = match AutoStream::choice(&stdout) {
            // What takes colours out writes piece by piece.
            ColorChoice::Never => {
                let pieces: Box<dyn Write> = Box::new(BufWriter::with_capacity(BUFFER, stdout));
                Box::new(StripStream::new(pieces))
            }
            choice => Box::new(AutoStream::new(stdout, choice)),
        };
        let out: Box<dyn Write> = Box::new(StandardOutput(out));
        let out = BufWriter::with_capacity(BUFFER, out);
        CommandSession { verb, common, outcome: Outcome::default(), out }
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

    /// Returns the options for opening files.
    pub fn options(&self) -> Result<Options> {
        Ok(Options {
            formats: Formats::default(),
            max_memory: self.common.max_memory,
            max_ratio: self.common.max_ratio,
            strict: self.common.strict,
            pages: self.common.encoding.as_deref().map(CodePages::from_labels).transpose()?,
            mapping: if self.common.no_map { Mapping::Never } else { Mapping::Large },
            threads: self.common.threads,
            languages: Asked {
                slots: self.common.slot_encoding.clone(),
                profile: self.common.profile,
                pages: None,
            },
            ..Options::default()
        })
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

    /// Says something about the work on standard error, unless that is to be quiet.
    pub fn say(&mut self, text: &str) {
        if !self.common.quiet {
            let _ = self.out.flush();
            let _ = writeln!(anstream::stderr(), "{text}");
        }
    }

    /// Prints something about a file to standard error.
    pub fn complain(&mut self, severity: Severity, file: &str, error: &dyn Display) {
        // What was printed before belongs above.
        let _ = self.out.flush();
        complain(severity, file, error);
    }

    /// Says what to do instead.
    pub fn print_alternative(&mut self, why: &str) {
        let _ = self.out.flush();
        let _ = writeln!(anstream::stderr(), "{LABEL}instead{LABEL:#}: {why}");
    }

    /// Takes up what came of a verb of the library.
    pub fn take(&mut self, outcome: Outcome) {
        self.outcome.and(outcome);
    }

    /// Ends the run. A reader that went away is a success.
    pub fn finish(mut self, result: Result<()>) -> ExitCode {
        let result = result.and_then(|()| Ok(self.out.flush()?));
        let names = std::mem::take(&mut self.outcome.passed_over);
        if self.common.verbose {
            names
                .iter()
                .for_each(|name| self.say(&format!("{name}: passed over, no known container")));
        } else if !names.is_empty() {
            let (count, noun) = (names.len(), if names.len() == 1 { "file" } else { "files" });
            self.say(&format!("{count} {noun} passed over, no known container (-v names them)"));
        }
        if let Err(error) = result
            && !is_closed_pipe(&error)
        {
            let style = AnsiColor::Red.on_default().bold();
            let _ = writeln!(anstream::stderr(), "{style}error{style:#}: {error}");
            if let Some(why) = Formats::default().way_out(&error, &self.verb, None) {
                self.print_alternative(why);
            }
            self.outcome.failed(&error);
        }
        ExitCode::from(self.outcome.code())
    }
}

/// Prints something about a file to standard error, from any thread.
pub fn complain(severity: Severity, file: &str, error: &dyn Display) {
    let style = style(severity);
    let _ = writeln!(anstream::stderr(), "{style}{}{style:#}: {file}: {error}", severity.name());
}

/// Standard output, whose errors say that they are about it.
pub struct StandardOutput<W>(pub W);

impl<W: Write> Write for StandardOutput<W> {
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

/// Whether sizes are shown in bytes.
static IN_BYTES: AtomicBool = AtomicBool::new(false);

/// Makes the whole process show sizes in bytes, or as people read them.
pub fn show_in_bytes(wanted: bool) {
    IN_BYTES.store(wanted, Ordering::Relaxed);
}

/// Bytes as people read them: `6.4 KiB`.
pub fn human(bytes: u64) -> String {
    if IN_BYTES.load(Ordering::Relaxed) {
        return bytes.to_string();
    }
    text::human(bytes)
}

/// Number of items of a list that people are shown; JSON has all of them.
pub const SHOWN_ITEMS: u64 = 20;

/// Returns the style of the name of a severity.
const fn style(severity: Severity) -> Style {
    let color = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Info => AnsiColor::Blue,
    };
    color.on_default().bold()
}
