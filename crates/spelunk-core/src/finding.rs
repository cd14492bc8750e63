//! Findings, and the sink that decides what damage means.
//!
//! Strict and tolerant reading are one code path: whatever is not fatal goes to the sink of the
//! [`Task`], and the sink either ends the reading ([`Strict`]) or collects ([`Collect`]).

use crate::{
    error::{Code, Error, Result},
    limits::Budget,
    zlib::{self, KnownPacking},
};
use bytes::Bytes;
use std::{
    collections::HashSet,
    fmt,
    hash::{DefaultHasher, Hash, Hasher},
    num::NonZeroUsize,
    thread,
};

/// Severity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Info,
    /// Unusual, or disliked by some program; the content is complete.
    Warning,
    /// Content is damaged or missing.
    Error,
}

impl Severity {
    /// The severity as one lower-case word.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Something noticed while reading: an [`Error`] that need not end it, and how bad it is.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Severity of the finding.
    pub severity: Severity,
    /// Code, place, path, expectation and finding.
    pub error: Error,
}

impl Finding {
    /// A number for all that this finding says.
    fn print(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.to_string().hash(&mut hasher);
        hasher.finish()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.severity.name(), self.error)
    }
}

/// Receives findings. An `Err` ends the reading.
pub trait Sink {
    /// Takes one finding.
    ///
    /// # Errors
    /// The finding's own error, when the sink wants the reading to end.
    fn report(&mut self, finding: Finding) -> Result<()>;
}

/// Ends the reading at the first finding of severity error; drops the others.
#[derive(Debug, Default)]
pub struct Strict;

impl Sink for Strict {
    fn report(&mut self, finding: Finding) -> Result<()> {
        if finding.severity == Severity::Error { Err(finding.error) } else { Ok(()) }
    }
}

/// Keeps every finding, for whoever reports them in another place.
impl Sink for Vec<Finding> {
    fn report(&mut self, finding: Finding) -> Result<()> {
        self.push(finding);
        Ok(())
    }
}

/// Collects findings. One that repeats a kept one is dropped; the others are counted, and the first [`Collect::PER_CODE`] of each code and
/// severity are kept.
#[derive(Debug, Default)]
pub struct Collect {
    /// The kept findings, in the order they came.
    pub findings: Vec<Finding>,
    /// Hashes of the kept findings: comparing each new one with all of them would take long.
    prints: HashSet<u64>,
    counts: Vec<(&'static Code, Severity, u64)>,
}

impl Collect {
    /// Most findings of one code and severity that are kept.
    pub const PER_CODE: u64 = 1000;

    /// Numbers of findings that came, kept or not: code, severity, count, in order of first appearance.
    pub fn counts(&self) -> &[(&'static Code, Severity, u64)] {
        &self.counts
    }

    /// Takes out the findings for which `is_taken`, and gives them with the number of all that are gone: those of a code
    /// that were counted and not kept go where `whole` says so of the code.
    pub fn take(
        &mut self,
        is_taken: impl Fn(&Finding) -> bool,
        whole: impl Fn(&Code) -> bool,
    ) -> (Vec<Finding>, u64) {
        let all = std::mem::take(&mut self.findings);
        let (taken, left): (Vec<Finding>, Vec<Finding>) = all.into_iter().partition(is_taken);
        self.findings = left;
        let mut gone = 0_u64;
        for (code, severity, count) in &mut self.counts {
            let is_of = |finding: &&Finding| {
                finding.error.code().id == code.id && finding.severity == *severity
            };
            let of = taken.iter().filter(is_of).count() as u64;
            let of = if whole(code) { *count } else { of };
            *count = count.saturating_sub(of);
            gone = gone.saturating_add(of);
        }
        self.counts.retain(|(_, _, count)| *count > 0);
        (taken, gone)
    }

    /// Whether a finding of severity error came.
    pub fn has_errors(&self) -> bool {
        self.counts.iter().any(|(_, severity, _)| *severity == Severity::Error)
    }
}

impl Sink for Collect {
    fn report(&mut self, finding: Finding) -> Result<()> {
        // Work that reads the same part again meets the same damage again.
        let print = finding.print();
        if self.prints.contains(&print) {
            return Ok(());
        }
        let code = finding.error.code();
        let known = self
            .counts
            .iter_mut()
            .find(|(known, severity, _)| known.id == code.id && *severity == finding.severity);
        let count = match known {
            Some((_, _, count)) => {
                *count = count.saturating_add(1);
                *count
            }
            None => {
                self.counts.push((code, finding.severity, 1));
                1
            }
        };
        if count <= Collect::PER_CODE {
            self.prints.insert(print);
            self.findings.push(finding);
        }
        Ok(())
    }
}

impl Collect {
    /// Takes what another one collected, also what it only counted.
    pub fn absorb(&mut self, other: Collect) {
        let Collect { findings, mut counts, .. } = other;
        for (code, severity, count) in &mut counts {
            let is_of = |finding: &&Finding| {
                finding.error.code().id == code.id && finding.severity == *severity
            };
            *count = count.saturating_sub(findings.iter().filter(is_of).count() as u64);
        }
        for finding in findings {
            // It refuses none.
            let _ = self.report(finding);
        }
        for (code, severity, more) in counts.into_iter().filter(|(_, _, more)| *more > 0) {
            let mut known = self.counts.iter_mut();
            match known.find(|known| known.0.id == code.id && known.1 == severity) {
                Some((_, _, count)) => *count = count.saturating_add(more),
                None => self.counts.push((code, severity, more)),
            }
        }
    }
}

/// Collects findings, and ends the reading at the first error where that is to be strict.
#[derive(Debug, Default)]
pub struct Collector {
    /// Findings that were collected.
    pub findings: Collect,
    /// Whether errors end the reading.
    pub is_strict: bool,
}

impl Sink for Collector {
    fn report(&mut self, finding: Finding) -> Result<()> {
        if self.is_strict && finding.severity == Severity::Error {
            return Err(finding.error);
        }
        self.findings.report(finding)
    }
}

/// Budget and sink of one piece of work. Work done in parallel has one each; results are merged in the order of the entries.
pub struct Task<'s> {
    /// Drawn down before every allocation and repetition.
    pub budget: Budget,
    /// A buffer for bytes that are looked at and let go. Whoever needs it takes it out, grows it with
    /// [`Budget::grow`], and puts it back.
    pub scratch: Vec<u8>,
    /// Buffers of sections that are gone ([`Section::recycle`](crate::Section::recycle)), for those to come. While they lie
    /// here, nobody's memory is charged with them.
    pub spare: Vec<Vec<u8>>,
    /// Packings that were found out before ([`Container::packings`](crate::Container::packings)), for who packs the same bytes
    /// again.
    pub packings: Vec<KnownPacking>,
    /// Number of threads that may share the work; by default as many as there are cores. What comes of the work is the same for
    /// any number.
    pub threads: Option<NonZeroUsize>,
    /// Whether extensions of a format that are not known are passed over, with a warning, instead of ending the work.
    pub is_lenient: bool,
    /// Whether nothing but headers, and lists of what there is, will be asked for, so that a
    /// [remote](crate::Source::is_remote) file need not be read whole.
    pub headers_suffice: bool,
    sink: &'s mut dyn Sink,
}

/// The number of threads that is wanted, or that of the cores.
pub fn thread_count(wanted: Option<NonZeroUsize>) -> usize {
    wanted.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

impl<'s> Task<'s> {
    /// Work with this budget whose findings go to `sink`.
    pub fn new(budget: Budget, sink: &'s mut dyn Sink) -> Task<'s> {
        let (scratch, spare, packings) = (Vec::new(), Vec::new(), Vec::new());
        Task {
            budget,
            scratch,
            spare,
            packings,
            threads: None,
            is_lenient: false,
            headers_suffice: false,
            sink,
        }
    }

    /// Packs plain bytes, unless it is [known](Task::packings) what comes of that.
    ///
    /// # Errors
    /// Limits.
    pub fn deflate(&mut self, plain: &Bytes, level: u8) -> Result<Bytes> {
        let is_same = |known: &&KnownPacking| known.level == level && known.plain == plain;
        match self.packings.iter().find(is_same) {
            Some(known) => Ok(known.stored.clone()),
            None => Ok(zlib::deflate_within(plain, level, &mut self.budget)?.into()),
        }
    }

    /// The number of threads that share the work.
    pub fn thread_count(&self) -> usize {
        thread_count(self.threads)
    }

    /// Runs `work` and gives the memory back that it took and did not keep in [`scratch`](Task::scratch). What has to stay
    /// charged is made before.
    pub fn transient<T>(&mut self, work: impl FnOnce(&mut Task<'s>) -> T) -> T {
        let free =
            |task: &Task<'_>| task.budget.left().memory.saturating_add(task.scratch.len() as u64);
        let (before, mark) = (free(self), self.budget.mark());
        let result = work(self);
        let after = free(self);
        self.budget.forget(mark);
        self.budget.release(before.saturating_sub(after));
        result
    }

    /// Runs `work`, which keeps something: half of the memory that is left at the most, and it has the other half for what it
    /// needs on the way. `work` gives what it keeps, and how much that takes, which stays taken.
    pub fn keeping<T>(&mut self, work: impl FnOnce(&mut Task<'s>, u64) -> (T, u64)) -> T {
        let most = self.budget.left().memory / 2;
        // Half of what is left is there.
        let taken = self.budget.memory(most).map_or(0, |()| most);
        let (kept, held) = work(self, taken);
        self.budget.release(taken.saturating_sub(held));
        kept
    }

    /// Reports a finding of this severity.
    ///
    /// # Errors
    /// `error` itself, when the sink wants the reading to end, and where it says that the work was cancelled: no file is to
    /// blame for that.
    pub fn report(&mut self, severity: Severity, error: Error) -> Result<()> {
        if error.is_cancelled() {
            return Err(error);
        }
        self.sink.report(Finding { severity, error })
    }

    /// Reports damage.
    ///
    /// # Errors
    /// `error` itself, when the sink is strict.
    pub fn error(&mut self, error: Error) -> Result<()> {
        self.report(Severity::Error, error)
    }

    /// Reports something unusual.
    ///
    /// # Errors
    /// `error` itself, when the sink refuses warnings.
    pub fn warn(&mut self, error: Error) -> Result<()> {
        self.report(Severity::Warning, error)
    }

    /// Reports something worth knowing.
    ///
    /// # Errors
    /// `error` itself, when the sink refuses notes.
    pub fn note(&mut self, error: Error) -> Result<()> {
        self.report(Severity::Info, error)
    }
}

impl fmt::Debug for Task<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").field("budget", &self.budget).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, codes, place::Span};

    fn finding(offset: u64) -> Finding {
        let error = Error::new(&codes::TRUNCATED).at(Span::file(offset, 1));
        Finding { severity: Severity::Warning, error }
    }

    #[test]
    fn what_is_kept_and_what_keeps_it_share_the_memory() {
        let mut sink = Strict;
        let limits = Limits { memory: 100, ..Limits::for_len(0) };
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let (most, left) = task.keeping(|task, most| ((most, task.budget.left().memory), 20));
        assert_eq!((most, left, task.budget.left().memory), (50, 50, 80));
    }

    #[test]
    fn errors_are_told_behind_many_warnings_wherever_they_were_collected() {
        let mut call = Collector::default();
        for offset in 0..1500 {
            call.report(finding(offset)).unwrap();
        }
        let error = || Error::new(&codes::INFLATE).at(Span::file(0, 1));
        call.report(Finding { severity: Severity::Error, error: error() }).unwrap();
        let mut all = Collect::default();
        all.report(finding(0)).unwrap();
        all.absorb(call.findings);
        assert!(all.has_errors());
        assert_eq!(all.findings.len(), 1001);
        let counts: Vec<u64> = all.counts().iter().map(|(_, _, count)| *count).collect();
        assert_eq!(counts, [1500, 1]);
        let mut strict = Collector { is_strict: true, ..Collector::default() };
        strict.report(finding(0)).unwrap();
        assert!(strict.report(Finding { severity: Severity::Error, error: error() }).is_err());
    }

    #[test]
    fn findings_are_capped_counted_and_told_once() {
        let mut sink = Collect::default();
        for offset in 0..1500 {
            sink.report(finding(offset)).unwrap();
        }
        sink.report(finding(7)).unwrap();
        assert_eq!(sink.findings.len() as u64, Collect::PER_CODE);
        assert_eq!(sink.counts()[0].2, 1500);
        assert!(!sink.has_errors());
    }

    #[test]
    fn findings_are_taken_out_with_those_that_were_only_counted() {
        let mut sink = Collect::default();
        for offset in 0..1500 {
            sink.report(finding(offset)).unwrap();
        }
        let is_low = |finding: &Finding| finding.error.place().is_some_and(|at| at.start < 10);
        let (taken, gone) = sink.take(is_low, |_| false);
        assert_eq!((taken.len(), gone, sink.counts()[0].2), (10, 10, 1490));
        let (taken, gone) = sink.take(|_| true, |code| code.id == "SP001");
        assert_eq!((taken.len(), gone), (990, 1490));
        assert!(sink.counts().is_empty());
    }

    #[test]
    fn strict_ends_at_errors_alone() {
        let mut sink = Strict;
        sink.report(finding(0)).unwrap();
        let error = Finding { severity: Severity::Error, ..finding(0) };
        assert_eq!(sink.report(error).unwrap_err().code().id, "SP001");
    }
}
