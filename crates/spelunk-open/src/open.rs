//! Opened files: a container, what was noticed while opening it, and what is left of its budget.

use crate::{codes, detect::Formats, model::Model, mounting::Mounting};
use snpak::TypeNames;
use spellforce::gamedata::Asked;
use spelunk_core::{
    Budget, Bytes, Cancel, Collect, Collector, Container, Edit, Error, Format, Limits, Result,
    Revision, Sink, Source, Task, WriteOptions, source::Mapping, text::CodePages,
};
use std::{io, num::NonZeroUsize, path::Path, sync::Arc};

/// The profile of files that follow the written specification where real ones do otherwise.
const SPECIFICATION: &str = "spec";

/// The bytes of a file as it would be written. They take half of the memory that is left at the most, and stay charged.
///
/// # Errors
/// Those of writing it; limits.
pub fn written(
    container: &dyn Container,
    options: &WriteOptions,
    task: &mut Task<'_>,
) -> Result<Bytes> {
    task.keeping(|task, most| {
        let mut room = Room { bytes: Vec::new(), most, is_refused: false };
        // A file that little was changed in needs no more, and need not be moved while it grows.
        let size = container.size();
        if let Ok(size) = usize::try_from(size.min(most)) {
            room.is_refused = room.bytes.try_reserve_exact(size).is_err();
        }
        let written = container.write(&mut room, options, task);
        let held = room.bytes.capacity() as u64;
        match written {
            Err(_) if room.is_refused => (Err(room.error()), 0),
            Err(error) => (Err(error), 0),
            Ok(()) => (Ok(Bytes::from(room.bytes)), held),
        }
    })
}

/// Takes what is written, and so much memory at the most.
struct Room {
    bytes: Vec<u8>,
    most: u64,
    is_refused: bool,
}

impl Room {
    fn error(&self) -> Error {
        let error = Error::new(&codes::core::MEMORY);
        error.expected(format!("a new file of at most {} bytes", self.most)).found("a longer one")
    }
}

impl io::Write for Room {
    fn write(&mut self, new: &[u8]) -> io::Result<usize> {
        let (len, held) = (self.bytes.len(), self.bytes.capacity());
        let wanted = len.saturating_add(new.len());
        if wanted > held {
            let grown = wanted.max(held.saturating_add(held / 8));
            // Both places are there while it moves.
            self.is_refused = grown.saturating_add(held) as u64 > self.most
                || self.bytes.try_reserve_exact(grown.saturating_sub(len)).is_err();
            if self.is_refused {
                return Err(io::ErrorKind::OutOfMemory.into());
            }
        }
        self.bytes.extend_from_slice(new);
        Ok(new.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Options for opening and reading files.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Memory limit in bytes; by default 64 MiB and eight times the file.
    pub max_memory: Option<u64>,
    /// Expansion limit for each packed section and for all that is extracted, as a factor; by default what the codec of a section
    /// can reach, and 100 for what is extracted, from 1 GiB on.
    pub max_ratio: Option<u32>,
    /// End at the first finding of severity error instead of collecting it.
    pub strict: bool,
    /// Pass over extensions of a format that are not known, with a warning, instead of refusing the file.
    pub lenient: bool,
    /// Nothing but headers, and lists of what there is, will be asked for: remote files are read as far as that takes.
    pub headers_suffice: bool,
    /// Code pages for names, instead of the format's own.
    pub pages: Option<CodePages>,
    /// Whether large files may be mapped.
    pub mapping: Mapping,
    /// Number of threads that may share the work; by default as many as there are cores.
    pub threads: Option<NonZeroUsize>,
    /// The state to show, of those that the file went through; by default the current one.
    pub revision: Option<Revision>,
    /// Names of asset kinds and payload types of packs, beside those that are known.
    pub types: Option<Arc<TypeNames>>,
    /// Languages of the texts of a GameData, where they are known better than from its bytes.
    pub languages: Asked,
    /// Options for opening folders of archives.
    pub mounting: Mounting,
    /// Ends the work, where it can be ended from another thread.
    pub cancel: Option<Cancel>,
    /// Formats that files are opened as.
    pub formats: Formats,
}

impl Options {
    /// Opens files of this format too.
    #[must_use]
    pub fn with_format(mut self, format: &'static dyn Format) -> Options {
        self.formats.register(format);
        self
    }

    /// The limits for a file of `len` bytes.
    pub fn limits(&self, len: u64) -> Limits {
        let mut limits = Limits::for_len(len);
        if let Some(memory) = self.max_memory {
            limits = limits.with_memory(memory);
        }
        if let Some(ratio) = self.max_ratio {
            // The largest one is what counts where nothing is asked for.
            limits.ratio = ratio.min(limits.ratio.saturating_sub(1));
        }
        limits
    }

    /// The budget for a file of `len` bytes.
    pub fn budget(&self, len: u64) -> Budget {
        self.cancellable(self.limits(len))
    }

    /// Ends the work where it was cancelled, for work that takes no steps.
    ///
    /// # Errors
    /// [`CANCELLED`](spelunk_core::codes::CANCELLED).
    pub fn check_cancelled(&self) -> Result<()> {
        self.cancel.as_ref().map_or(Ok(()), Cancel::check)
    }

    /// A budget with these limits, which ends where the work was cancelled.
    pub fn cancellable(&self, limits: Limits) -> Budget {
        let budget = Budget::new(limits);
        match &self.cancel {
            Some(cancel) => budget.with_cancel(cancel.clone()),
            None => budget,
        }
    }
}

/// An opened file.
pub struct Opened {
    container: Box<dyn Container>,
    findings: Collect,
    budget: Budget,
    buffers: Buffers,
    options: Options,
    /// The source that it was opened from; `None` once it was changed, or where it was made of several files.
    source: Option<Arc<dyn Source>>,
    /// Memory that work on it took and did not give back, in bytes, without what the container keeps for next time.
    loose: u64,
}

/// Buffers that go from one opened file to the next.
#[derive(Debug, Default)]
pub struct Buffers {
    scratch: Vec<u8>,
    spare: Vec<Vec<u8>>,
}

impl Buffers {
    /// A file has two sections that are inflated.
    const SPARE: usize = 2;

    /// Lets go of what is too much to be kept beside work with a memory limit of `limit` bytes: nobody has to do with less
    /// because of a file that is gone. All together they take an eighth of the limit at most.
    fn trim(&mut self, limit: u64) {
        let mut left = usize::try_from(limit / 8).unwrap_or(usize::MAX);
        let mut keeps = |buffer: &Vec<u8>| match left.checked_sub(buffer.capacity()) {
            Some(rest) => {
                left = rest;
                true
            }
            None => false,
        };
        if !keeps(&self.scratch) {
            self.scratch = Vec::new();
        }
        // The last ones were put back last and are taken first.
        self.spare.reverse();
        self.spare.retain(keeps);
        self.spare.truncate(Buffers::SPARE);
        self.spare.reverse();
    }
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
    /// When it is no known format or so damaged that nothing of it can be read; when it has no such state as the
    /// options ask for.
    pub fn open(source: Arc<dyn Source>, options: &Options) -> Result<Opened> {
        Opened::open_reusing(source, options, Buffers::default())
    }

    /// Opens what `source` holds with the buffers of a file that was worked on before
    /// ([`Opened::into_buffers`]): worth it where one file follows another.
    ///
    /// # Errors
    /// Those of [`Opened::open`].
    pub fn open_reusing(
        source: Arc<dyn Source>,
        options: &Options,
        mut buffers: Buffers,
    ) -> Result<Opened> {
        let limits = options.limits(source.len());
        buffers.trim(limits.memory);
        let mut budget = options.cancellable(limits);
        budget.memory(buffers.scratch.len() as u64)?;
        let mut sink = Collector { findings: Collect::default(), is_strict: options.strict };
        let mut task = Task::new(budget, &mut sink);
        (task.threads, task.is_lenient) = (options.threads, options.lenient);
        (task.scratch, task.spare) = (buffers.scratch, buffers.spare);
        let is_spec =
            options.languages.profile.is_some_and(|profile| profile.name == SPECIFICATION);
        task.headers_suffice = options.headers_suffice && !is_spec;
        let mut container = options.formats.open(source.clone(), &mut task)?;
        if let Some(which) = options.revision {
            container = container.revision(which, &mut task)?;
        }
        if let (Some(types), Model::Pack(pack)) = (&options.types, Model::of(&*container)) {
            container = Box::new(pack.with_types(types.clone()));
        }
        if is_spec && let Model::Virtools(file) = Model::of(&*container) {
            container = Box::new(file.clone().with_references_by_bit_23());
        }
        if let Some(gamedata) = Model::of(&*container).gamedata() {
            gamedata.ask(Asked { pages: options.pages.clone(), ..options.languages.clone() });
        }
        let Task { budget, scratch, spare, .. } = task;
        let buffers = Buffers { scratch, spare };
        let (findings, options, source) = (sink.findings, options.clone(), Some(source));
        Ok(Opened { container, findings, budget, buffers, options, source, loose: 0 })
    }

    /// The bytes that were opened; none where it was made, or is a folder.
    pub fn source(&self) -> Option<Arc<dyn Source>> {
        self.source.clone()
    }

    /// A container that was made rather than opened.
    pub fn of(container: Box<dyn Container>, options: &Options) -> Opened {
        let budget = options.budget(container.size());
        Opened::resumed(container, budget, options)
    }

    /// A container that was taken out of another one, with what is left of its limits.
    pub fn resumed(container: Box<dyn Container>, budget: Budget, options: &Options) -> Opened {
        let (findings, buffers) = (Collect::default(), Buffers::default());
        Opened {
            container,
            findings,
            budget,
            buffers,
            options: options.clone(),
            source: None,
            loose: 0,
        }
    }

    /// The same file once more, with limits of its own: what is changed in one is not changed in the other.
    ///
    /// # Errors
    /// [`NO_EDITING`](codes::NO_EDITING); limits.
    pub fn fork(&mut self) -> Result<Opened> {
        let forked = self.run(|container, task| {
            let format = container.format();
            let fork = container.fork(task)?;
            fork.ok_or_else(|| Error::new(&codes::NO_EDITING).found(format))
        })?;
        Ok(Opened::resumed(forked, self.budget.clone(), &self.options))
    }

    /// Takes it apart.
    pub fn into_parts(self) -> (Box<dyn Container>, Collect, Budget, Options) {
        let Opened { container, findings, mut budget, buffers, options, .. } = self;
        // They go, and were charged.
        budget.release(buffers.scratch.len() as u64);
        (container, findings, budget, options)
    }

    /// A container that is made of others, which are `len` bytes large; findings are kept.
    pub fn made(
        len: u64,
        options: &Options,
        make: impl FnOnce(&mut Task<'_>) -> Result<Box<dyn Container>>,
    ) -> Result<Opened> {
        let mut sink = Collector { findings: Collect::default(), is_strict: options.strict };
        let mut task = Task::new(options.budget(len), &mut sink);
        (task.threads, task.is_lenient) = (options.threads, options.lenient);
        let container = make(&mut task)?;
        let Task { budget, .. } = task;
        Ok(Opened { findings: sink.findings, ..Opened::resumed(container, budget, options) })
    }

    /// Opens the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read; those of [`Opened::open`].
    pub fn open_path(path: &Path, options: &Options) -> Result<Opened> {
        Opened::open(spelunk_core::source::open(path, options.mapping)?, options)
    }

    /// Ends the work on the file and gives its buffers for the next one.
    pub fn into_buffers(mut self) -> Buffers {
        self.container.recycle(&mut self.buffers.spare);
        self.buffers
    }

    /// The container.
    pub fn container(&self) -> &dyn Container {
        self.container.as_ref()
    }

    /// Returns the findings so far, of opening and of every [`Opened::run`].
    pub fn findings(&self) -> &Collect {
        &self.findings
    }

    /// The findings, which are gone from here then.
    pub fn take_findings(&mut self) -> Collect {
        std::mem::take(&mut self.findings)
    }

    /// Adds what was noticed elsewhere.
    pub fn absorb(&mut self, findings: Collect) {
        self.findings.absorb(findings);
    }

    /// Returns the options that it was opened with.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Puts another flag in the place of the one that ends work on it.
    pub fn end_with(&mut self, cancel: Cancel) {
        self.options.cancel = Some(cancel.clone());
        self.budget.end_with(cancel);
    }

    /// Returns what is left of the limits.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Whether both were opened from the same bytes, show one state of them, and were not changed.
    pub fn is_same(&self, other: &Opened) -> Result<bool> {
        let is_one_state = self.options.revision == other.options.revision;
        Ok(is_one_state && self.has_bytes_of(other)? == Some(true))
    }

    /// Whether both were opened from the same bytes; `None` where one of them was changed since, or made of several files.
    pub fn has_bytes_of(&self, other: &Opened) -> Result<Option<bool>> {
        let (Some(source), Some(others)) = (&self.source, &other.source) else { return Ok(None) };
        Ok(Some(Arc::ptr_eq(source, others) || same_bytes(&**source, &**others)?))
    }

    /// The bytes that it was opened from; those that would be written where it was changed since.
    ///
    /// # Errors
    /// Those of writing it; limits.
    pub fn bytes_now(&mut self) -> Result<Arc<dyn Source>> {
        if let Some(source) = &self.source {
            return Ok(source.clone());
        }
        self.written(&WriteOptions::default())
    }

    /// The bytes of the file as it would be written. There has to be memory for them; whoever holds them accounts for them.
    ///
    /// # Errors
    /// Those of writing it; limits.
    pub fn written(&mut self, options: &WriteOptions) -> Result<Arc<dyn Source>> {
        let written = self.run(|container, task| self::written(container, options, task))?;
        self.budget.afford(written.len() as u64)?;
        Ok(Arc::new(written))
    }

    /// Takes memory for what is kept beside the container.
    ///
    /// # Errors
    /// [`MEMORY`](spelunk_core::codes::MEMORY).
    pub fn charge(&mut self, bytes: u64) -> Result<()> {
        self.budget.memory(bytes)?;
        self.loose = self.loose.saturating_add(bytes);
        Ok(())
    }

    /// Gives memory back that was freed.
    pub fn release(&mut self, bytes: u64) {
        self.budget.release(bytes);
        self.loose = self.loose.saturating_sub(bytes);
    }

    /// Works on the file, and gives back what looking at it took meanwhile. What the container keeps for next time stays charged, and
    /// so does what changing it took.
    pub fn transient<T>(&mut self, work: impl FnOnce(&mut Opened) -> T) -> T {
        let before = self.loose;
        let result = work(self);
        self.release(self.loose.saturating_sub(before));
        result
    }

    /// Gives back what looking at the file took, when nothing is held any more of what came of it. What the container keeps for next
    /// time stays charged, and so does what changing it took.
    pub fn let_go(&mut self) {
        self.release(self.loose);
    }

    /// The code pages that names are shown in.
    pub fn code_pages(&self) -> CodePages {
        self.options.pages.clone().unwrap_or_else(|| self.container.code_pages())
    }

    /// Works on the container with the memory that is left and all steps; findings are kept.
    pub fn run<T>(&mut self, work: impl FnOnce(&dyn Container, &mut Task<'_>) -> T) -> T {
        let findings = std::mem::take(&mut self.findings);
        let mut sink = Collector { findings, is_strict: self.options.strict };
        let result = self.look(&mut sink, work);
        self.findings = sink.findings;
        result
    }

    /// Changes the container as a whole or, where that fails, not at all; `None` where its format has no editing side. Findings are
    /// kept.
    pub fn edit_whole<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Edit, &mut Task<'_>) -> Result<T>,
    ) -> Option<Result<T>> {
        let source = self.source.clone();
        let edited = self.edit(work);
        if edited.as_ref().is_some_and(Result::is_err) {
            self.source = source;
        }
        edited
    }

    /// Changes the container; `None` where its format has no editing side. Findings are kept.
    pub fn edit<T>(&mut self, work: impl FnOnce(&mut dyn Edit, &mut Task<'_>) -> T) -> Option<T> {
        let findings = std::mem::take(&mut self.findings);
        let mut sink = Collector { findings, is_strict: self.options.strict };
        let result = self
            .with_sink(&mut sink, |container, task| container.edit().map(|edit| work(edit, task)));
        self.findings = sink.findings;
        if result.is_some() {
            self.source = None;
        }
        result
    }

    /// Like [`Opened::run`] without keeping findings: for work whose findings another run reports.
    pub fn run_silent<T>(&mut self, work: impl FnOnce(&dyn Container, &mut Task<'_>) -> T) -> T {
        let mut sink = Collector { findings: Collect::default(), is_strict: self.options.strict };
        self.look(&mut sink, work)
    }

    /// Works on the container without changing it, and notes what that took.
    fn look<T>(
        &mut self,
        sink: &mut dyn Sink,
        work: impl FnOnce(&dyn Container, &mut Task<'_>) -> T,
    ) -> T {
        // The buffer is charged and stays.
        let free = |opened: &Opened| {
            let buffer = opened.buffers.scratch.len() as u64;
            opened.budget.left().memory.saturating_add(buffer)
        };
        let (before, mark) = (free(self), self.budget.mark());
        let result = self.with_sink(sink, |container, task| work(container, task));
        let after = free(self).saturating_add(self.budget.kept_since(mark));
        self.loose = self.loose.saturating_add(before).saturating_sub(after);
        result
    }

    fn with_sink<T>(
        &mut self,
        sink: &mut dyn Sink,
        work: impl FnOnce(&mut dyn Container, &mut Task<'_>) -> T,
    ) -> T {
        let mut task = Task::new(self.budget.clone().for_next_operation(), sink);
        (task.threads, task.is_lenient) = (self.options.threads, self.options.lenient);
        let Buffers { scratch, spare } = std::mem::take(&mut self.buffers);
        (task.scratch, task.spare) = (scratch, spare);
        let result = work(self.container.as_mut(), &mut task);
        let Task { budget, scratch, spare, .. } = task;
        (self.budget, self.buffers) = (budget, Buffers { scratch, spare });
        result
    }
}

/// Whether two files have the same bytes.
///
/// # Errors
/// Those of reading them.
pub fn same_bytes(one: &dyn Source, other: &dyn Source) -> Result<bool> {
    const WINDOW: u64 = 1 << 20;
    let len = one.len();
    if len != other.len() {
        return Ok(false);
    }
    let mut start = 0;
    while start < len {
        let end = start.saturating_add(WINDOW).min(len);
        let mut window = Budget::new(Limits::for_len(0));
        let ours = one.read(start..end, &mut window)?;
        if ours != other.read(start..end, &mut window)? {
            return Ok(false);
        }
        start = end;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_fixtures::samples;

    fn sizes(buffers: &Buffers) -> usize {
        let spare = buffers.spare.iter().map(Vec::capacity);
        spare.fold(buffers.scratch.capacity(), usize::saturating_add)
    }

    /// However many files follow each other, each has its own limit, and what is kept between them does not grow.
    #[test]
    fn buffers_that_are_kept_are_bounded_and_charged_to_nobody() {
        let files = [samples::level(), samples::script(), samples::menu()]
            .map(|sample| Bytes::from(sample.build().bytes));
        let open = |file: &Bytes, limit: u64, buffers: Buffers| {
            let options = Options { max_memory: Some(limit), ..Options::default() };
            let mut opened = Opened::open_reusing(Arc::new(file.clone()), &options, buffers)?;
            opened.run(|container, task| container.verify(task))?;
            Ok::<_, spelunk_core::Error>(opened.into_buffers())
        };
        // The least that each needs when it is alone, to a sixteenth.
        let least = files.each_ref().map(|file| {
            let steps = (10..26).flat_map(|bits| (0..16).map(move |part| (16 + part) << bits >> 4));
            let mut limits = steps.map(|limit: u64| limit);
            limits
                .find(|limit| open(file, *limit, Buffers::default()).is_ok())
                .expect("some limit will do")
        });
        let mut buffers = Buffers::default();
        for round in 0..1000 {
            for (file, limit) in files.iter().zip(least) {
                buffers = open(file, limit, buffers)
                    .expect("what is enough alone is enough after others");
                let kept = sizes(&buffers);
                assert!(kept as u64 <= 2 * limit, "{round}: {kept} of {limit}");
                buffers.trim(limit);
                assert!(sizes(&buffers) as u64 <= limit / 8, "{round}");
            }
        }
    }
}
