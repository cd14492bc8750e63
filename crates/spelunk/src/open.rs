//! Opened files: a container, what was noticed while opening it, and what is left of its budget.

use crate::{Collect, Container, Limits, Result, Severity, Source, Task, detect, text::CodePages};
use spelunk_core::{Budget, Finding, Sink, source::Mapping};
use std::{path::Path, sync::Arc};

/// How files are opened and read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Memory limit in bytes; by default 64 MiB and eight times the file.
    pub max_memory: Option<u64>,
    /// Expansion limit for each packed section, as a factor; by default what its codec can reach.
    pub max_ratio: Option<u32>,
    /// End at the first finding of severity error instead of collecting it.
    pub strict: bool,
    /// Code pages for names, instead of the format's own.
    pub pages: Option<CodePages>,
    /// Whether large files may be mapped.
    pub mapping: Mapping,
}

impl Options {
    /// The limits for a file of `len` bytes.
    pub fn limits(&self, len: u64) -> Limits {
        let mut limits = Limits::for_len(len);
        if let Some(memory) = self.max_memory {
            limits = limits.with_memory(memory);
        }
        if let Some(ratio) = self.max_ratio {
            limits.ratio = ratio;
        }
        limits
    }
}

/// An opened file.
pub struct Opened {
    container: Box<dyn Container>,
    findings: Collect,
    budget: Budget,
    scratch: Vec<u8>,
    options: Options,
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened").field("format", &self.container.format()).finish_non_exhaustive()
    }
}

impl Opened {
    /// Opens what `source` holds.
    ///
    /// # Errors
    /// When it is no known format or so damaged that nothing of it can be read.
    pub fn open(source: Arc<dyn Source>, options: &Options) -> Result<Opened> {
        Opened::open_reusing(source, options, Vec::new())
    }

    /// Opens what `source` holds with the buffer of a file that was worked on before
    /// ([`Opened::into_scratch`]): worth it where one file follows another.
    ///
    /// # Errors
    /// Those of [`Opened::open`].
    pub fn open_reusing(
        source: Arc<dyn Source>,
        options: &Options,
        scratch: Vec<u8>,
    ) -> Result<Opened> {
        let mut budget = Budget::new(options.limits(source.len()));
        let fits = budget.memory(scratch.len() as u64).is_ok();
        let mut sink = Ending { findings: Collect::default(), strict: options.strict };
        let mut task = Task::new(budget, &mut sink);
        task.scratch = if fits { scratch } else { Vec::new() };
        let container = detect::open(source, &mut task)?;
        let Task { budget, scratch, .. } = task;
        Ok(Opened { container, findings: sink.findings, budget, scratch, options: options.clone() })
    }

    /// Opens the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read; those of [`Opened::open`].
    pub fn open_path(path: &Path, options: &Options) -> Result<Opened> {
        Opened::open(spelunk_core::source::open(path, options.mapping)?, options)
    }

    /// Ends the work on the file and gives its buffer for the next one.
    pub fn into_scratch(self) -> Vec<u8> {
        self.scratch
    }

    /// The container.
    pub fn container(&self) -> &dyn Container {
        self.container.as_ref()
    }

    /// What was noticed so far, while opening and in every [`Opened::run`].
    pub fn findings(&self) -> &Collect {
        &self.findings
    }

    /// The findings, which are gone from here then.
    pub fn take_findings(&mut self) -> Collect {
        std::mem::take(&mut self.findings)
    }

    /// What is left of the limits.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The code pages that names are shown in.
    pub fn code_pages(&self) -> CodePages {
        self.options.pages.clone().unwrap_or_else(|| self.container.code_pages())
    }

    /// Works on the container with the memory that is left and all steps; findings are kept.
    pub fn run<T>(&mut self, work: impl FnOnce(&dyn Container, &mut Task<'_>) -> T) -> T {
        let findings = std::mem::take(&mut self.findings);
        let mut sink = Ending { findings, strict: self.options.strict };
        let result = self.with_sink(&mut sink, work);
        self.findings = sink.findings;
        result
    }

    /// Like [`Opened::run`] without keeping findings: for work whose findings another run tells.
    pub fn run_silent<T>(&mut self, work: impl FnOnce(&dyn Container, &mut Task<'_>) -> T) -> T {
        let mut sink = Ending { findings: Collect::default(), strict: self.options.strict };
        self.with_sink(&mut sink, work)
    }

    fn with_sink<T>(
        &mut self,
        sink: &mut dyn Sink,
        work: impl FnOnce(&dyn Container, &mut Task<'_>) -> T,
    ) -> T {
        let mut task = Task::new(self.budget.clone().for_next_operation(), sink);
        task.scratch = std::mem::take(&mut self.scratch);
        let result = work(self.container.as_ref(), &mut task);
        let Task { budget, scratch, .. } = task;
        (self.budget, self.scratch) = (budget, scratch);
        result
    }
}

/// Collects, and ends at the first error when it is to be strict.
struct Ending {
    findings: Collect,
    strict: bool,
}

impl Sink for Ending {
    fn report(&mut self, finding: Finding) -> Result<()> {
        if self.strict && finding.severity == Severity::Error {
            return Err(finding.error);
        }
        self.findings.report(finding)
    }
}
