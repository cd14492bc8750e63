//! A run of a verb: the files that it opens, and what is said and counted on the way.

use super::{
    FileName, FileRef, Files,
    handle::Handle,
    input::Input,
    label,
    output::{Heading, Outcome, Output, Progress, Row, RowForm},
    request::Shown,
    session::{Held, Session, reading, show, type_names},
};
use crate::{
    Buffers, Bytes, Cancel, Class, Collect, Error, Finding, Node, Opened, Options, Profile, Result,
    Source, TypeNames,
    containers::archives::{self, Mounting},
    core::finding::thread_count,
    entries::lookup,
    models::maps::World,
    open::codes,
    open::detect,
    open::files::Apart,
};
use serde::Serialize;
use std::{borrow::Cow, io, num::NonZeroUsize, sync::Arc};

/// A file of a verb that is open, with its name in messages and rows.
pub(super) struct OpenFile<'s> {
    pub(super) name: String,
    pub(super) held: Held<'s>,
}

/// An opened file and its bytes, where it has any of its own.
pub(super) type Sourced = (Opened, Option<Arc<dyn Source>>);

/// What runs of a verb on several threads begin with.
pub(super) struct RunSeed<'a> {
    verb: &'static str,
    session: &'a Session,
    files: Arc<Apart>,
    options: Options,
    form: RowForm,
}

impl<'a> RunSeed<'a> {
    /// A run with this output.
    pub(super) fn run<'r>(&self, out: &'r mut dyn Output, buffers: Buffers) -> Run<'r>
    where
        'a: 'r,
    {
        Run {
            verb: self.verb,
            asked: String::new(),
            session: self.session,
            files: self.files.clone(),
            options: self.options.clone(),
            out,
            outcome: Outcome::default(),
            format: None,
            is_taken: true,
            passes_unmatched: false,
            below: None,
            said: Vec::new(),
            sizes: Vec::new(),
            progress: Progress::default(),
            buffers,
        }
    }

    /// The form in which the output takes rows.
    pub(super) const fn form(&self) -> RowForm {
        self.form
    }

    /// Ends the work of these runs.
    pub(super) fn stop(&self) {
        self.options.cancel.iter().for_each(Cancel::cancel);
    }
}

/// A run of a verb.
pub(super) struct Run<'a> {
    verb: &'static str,
    /// What was asked for, as a history calls it; nothing where no edit is made.
    asked: String,
    pub(super) session: &'a Session,
    /// The files of the session, of which none that this run reads is created by it.
    files: Arc<Apart>,
    pub(super) options: Options,
    out: &'a mut dyn Output,
    outcome: Outcome,
    /// The format of the file that was opened last.
    format: Option<&'static Profile>,
    /// Whether the output took all rows so far.
    is_taken: bool,
    /// Whether a change that has nothing to do with a file is passed over: not every file of many has what is changed.
    pub(super) passes_unmatched: bool,
    #[cfg_attr(
        not(all(feature = "csv", feature = "gltf", feature = "images")),
        allow(dead_code, reason = "exports alone go by it")
    )]
    /// Folder below which folders on the way to outputs are made: where many files are exported to it.
    pub(super) below: Option<FileName>,
    /// Advice that was given already, so that it is given once.
    said: Vec<&'static str>,
    /// Sizes in bytes of the files that are gone through; `progress` is how far that is.
    sizes: Vec<u64>,
    progress: Progress,
    /// Buffers of the file before, for the next one.
    buffers: Buffers,
}

impl<'a> Run<'a> {
    pub(super) fn new(verb: &'static str, session: &'a Session, out: &'a mut dyn Output) -> Self {
        let files = Arc::new(Apart::new(session.shared_files(), session.cancel().clone()));
        let seed =
            RunSeed { verb, session, files, options: session.options.clone(), form: out.form() };
        seed.run(out, Buffers::default())
    }

    /// A run of a verb that edits files.
    pub(super) fn editing<R: Serialize + Default>(
        verb: &'static str,
        request: &R,
        session: &'a Session,
        out: &'a mut dyn Output,
    ) -> Self {
        Run { asked: label::label(verb, request), ..Run::new(verb, session, out) }
    }

    /// What an edit of this run is called in a history.
    pub(super) fn label(&self) -> &str {
        if self.asked.is_empty() { self.verb } else { &self.asked }
    }

    /// What runs of the same verb on other threads begin with. They work with one thread each.
    pub(super) fn seed(&self) -> RunSeed<'a> {
        let cancel = self.session.cancel().below();
        let options = Options {
            threads: Some(NonZeroUsize::MIN),
            cancel: Some(cancel),
            ..self.options.clone()
        };
        let Run { verb, session, .. } = *self;
        RunSeed { verb, session, files: self.files.clone(), options, form: self.out.form() }
    }

    /// What came of a run that has ended, and the buffers of its last file.
    pub(super) fn into_parts(self) -> (Outcome, Buffers) {
        (self.outcome, self.buffers)
    }

    /// Takes up what came of a run on another thread.
    pub(super) fn take(&mut self, outcome: Outcome) {
        self.outcome.and(outcome);
    }

    /// The number of threads that share the work.
    pub(super) fn thread_count(&self) -> usize {
        thread_count(self.options.threads)
    }

    /// The size in bytes of the file of this number, counted from 0; 0 where it is not known.
    pub(super) fn size(&self, nth: usize) -> u64 {
        self.sizes.get(nth).copied().unwrap_or_default()
    }

    /// Forgets the format of the file before.
    pub(super) const fn forget_format(&mut self) {
        self.format = None;
    }

    /// Opens files from now on as a request asks for.
    pub(super) fn show(&mut self, shown: &Shown) -> Result<()> {
        show(&mut self.options, shown, &*self.files)
    }

    /// The names of types in a file.
    pub(super) fn type_names(&self, file: &FileName) -> Result<TypeNames> {
        type_names(file, &*self.files, &self.options)
    }

    /// The files, none of which takes the place of one that was read.
    pub(super) fn files(&self) -> &dyn Files {
        &*self.files
    }

    /// The files, shared.
    pub(super) fn shared_files(&self) -> Arc<dyn Files> {
        self.files.clone()
    }

    /// All bytes of a file that is read beside those that are opened.
    pub(super) fn read(&self, name: &FileName) -> Result<Bytes> {
        let source = self.files().open(name, reading(&self.options))?;
        let len = source.len();
        source.read(0..len, &mut self.options.budget(len))
    }

    /// The name of a file.
    pub(super) fn file_name(&self, file: &FileRef) -> Result<FileName> {
        match file {
            FileRef::Name(name) => Ok(name.clone()),
            FileRef::Open(handle) => self.session.name_of(*handle),
        }
    }

    /// The name of a file in messages and rows.
    pub(super) fn name(&self, file: &FileRef) -> Result<String> {
        Ok(self.file_name(file)?.to_string())
    }

    /// Begins to go through these files.
    pub(super) fn plan<'i>(&mut self, inputs: impl IntoIterator<Item = &'i Input>) {
        let files = self.shared_files();
        let size = |input: &Input| match &input.file {
            FileRef::Name(name) => files.len(name).unwrap_or_default(),
            FileRef::Open(_) => 0,
        };
        self.sizes = inputs.into_iter().map(size).collect();
        let total = self.sizes.iter().fold(0, |sum: u64, size| sum.saturating_add(*size));
        self.progress = Progress { done: 0, total, file: 1, files: self.sizes.len() };
        self.out.progress(&self.progress);
    }

    /// So many bytes of so many of one file are done.
    pub(super) fn at(&mut self, done: u64, total: u64) {
        self.out.progress(&Progress { done, total, file: 1, files: 1 });
    }

    /// Notes that one of the files is done.
    pub(super) fn advance(&mut self) {
        let size = self.sizes.get(self.progress.file.saturating_sub(1)).copied();
        self.progress.done = self.progress.done.saturating_add(size.unwrap_or_default());
        let next = self.progress.file.saturating_add(1);
        self.progress.file = next;
        // Behind the last one nothing is worked on.
        self.out.progress(&Progress { file: next.min(self.progress.files), ..self.progress });
    }

    /// Opens a file. One that cannot be opened is reported and counted, and is `None`; one that was only found in a folder and is
    /// no container is passed over.
    pub(super) fn open(&mut self, input: &Input) -> Result<Option<OpenFile<'a>>> {
        match self.try_open(input)? {
            Ok(file) => Ok(Some(file)),
            Err(error) => {
                self.refused(input, &error)?;
                Ok(None)
            }
        }
    }

    /// Opens a file; gives the error, which is not reported, where that cannot be done.
    pub(super) fn try_open(
        &mut self,
        input: &Input,
    ) -> Result<std::result::Result<OpenFile<'a>, Error>> {
        self.check()?;
        let name = self.name(&input.file)?;
        let buffers = std::mem::take(&mut self.buffers);
        Ok(match self.opened(input, &self.options, buffers) {
            Ok(mut held) => {
                self.met(held.get()?);
                Ok(OpenFile { name, held })
            }
            Err(error) => Err(error),
        })
    }

    /// Opens a file, and keeps its bytes at hand; a folder that is one container has none. One that the session keeps open is
    /// opened as it would be written. `None` where it cannot be opened, which is reported and counted.
    pub(super) fn open_bytes(&mut self, input: &Input) -> Result<Option<Sourced>> {
        self.session.cancel().check()?;
        let source = match &input.file {
            FileRef::Name(name) if self.files().is_folder(name) => {
                let Some(file) = self.open(input)? else { return Ok(None) };
                return Ok(Some((file.held.into_own()?, None)));
            }
            FileRef::Name(name) => self.files().open(name, reading(&self.options)),
            FileRef::Open(handle) => self.session.lend(*handle)?.get()?.bytes_now(),
        };
        let opened = source.and_then(|source| {
            let opened = Opened::open(source.clone(), &self.options)?;
            Ok((opened, source))
        });
        match opened {
            Ok((opened, source)) => {
                self.met(&opened);
                Ok(Some((opened, Some(source))))
            }
            Err(error) => {
                self.refused(input, &error)?;
                Ok(None)
            }
        }
    }

    /// Takes note of the format of a file that was opened, and counts the archives of a folder that were not.
    pub(super) fn met(&mut self, opened: &Opened) {
        self.format = Some(opened.container().profile());
        for unread in archives::unread(opened.container()) {
            self.outcome.unopened(&unread.error);
        }
    }

    /// Reports and counts why a file was not opened: passed over as foreign, stopped because reading is strict, or not to be
    /// opened at all. Gives whether it was passed over.
    pub(super) fn refused(&mut self, input: &Input, error: &Error) -> Result<bool> {
        let name = self.name(&input.file)?;
        let tolerant = Options { strict: false, ..self.options.clone() };
        if input.is_found && detect::is_foreign(error) {
            self.outcome.passed_over.push(name);
            return Ok(true);
        }
        if self.options.strict && self.opened(input, &tolerant, Buffers::default()).is_ok() {
            self.count_failure(error);
        } else {
            self.outcome.unopened(error);
        }
        self.complain(&name, error);
        Ok(false)
    }

    /// Opens the GameData that maps are looked up in. `None` where it cannot be opened, which is reported and counted.
    pub(super) fn world(&mut self, name: &FileName) -> Result<Option<World>> {
        let input = Input::named(&FileRef::Name(name.clone()));
        let Some(file) = self.open(&input)? else { return Ok(None) };
        match file.held.into_own().and_then(World::new) {
            Ok(world) => Ok(Some(world)),
            Err(error) => {
                self.unopened(&file.name, error);
                Ok(None)
            }
        }
    }

    /// Lets go of a file, and keeps its buffers for the next one.
    pub(super) fn recycle(&mut self, file: OpenFile<'a>) {
        if let Some(opened) = file.held.into_unshared() {
            self.buffers = opened.into_buffers();
        }
    }

    /// The bytes of a file; of one that the session keeps open those that it would be written as.
    pub(super) fn source(&self, input: &Input) -> Result<Arc<dyn Source>> {
        match &input.file {
            FileRef::Name(name) => self.files().open(name, reading(&self.options)),
            FileRef::Open(handle) => self.session.lend(*handle)?.get()?.bytes_now(),
        }
    }

    fn opened(&self, input: &Input, options: &Options, buffers: Buffers) -> Result<Held<'a>> {
        if let Some(error) = &input.unreadable {
            return Err(Error::io(io::Error::new(error.kind(), error.to_string())));
        }
        match &input.file {
            FileRef::Open(handle) => self.lent(*handle, options),
            FileRef::Name(name) => {
                self.session.open_reusing(self.files(), name, options, buffers).map(Held::own)
            }
        }
    }

    /// A file that the session keeps open. Where another state of it is asked for, or it is to be shown in another way, that is opened
    /// of what would be written of it.
    fn lent(&self, handle: Handle, options: &Options) -> Result<Held<'a>> {
        let name = self.session.name_of(handle)?;
        self.files.note(&name);
        let mut held = self.session.lend(handle)?;
        let kept = held.get()?.options();
        let asks_for_types = match (&options.types, &kept.types) {
            (Some(types), Some(known)) => !Arc::ptr_eq(types, known),
            (types, _) => types.is_some(),
        };
        let is_mounted =
            options.mounting == Mounting::default() || options.mounting == kept.mounting;
        let asks_for_state = options.revision.is_some() && options.revision != kept.revision;
        if !asks_for_types && !asks_for_state && is_mounted {
            return Ok(held);
        }
        if self.files.is_folder(&name) {
            return self.session.open_now(&name, options).map(Held::own);
        }
        let source = held.get()?.bytes_now()?;
        held.release();
        Opened::open(source, options).map(Held::own)
    }

    /// The one entry that `path` names. That there is none, or more than one, is reported and counted.
    pub(super) fn find_one(&mut self, file: &str, opened: &mut Opened, path: &str) -> Option<Node> {
        match lookup::find_one(opened, path) {
            Ok(node) => Some(node),
            Err(error) => {
                self.failed(file, lookup::listed_by(file, error));
                None
            }
        }
    }

    /// Begins the rows of a file.
    pub(super) fn begin(
        &mut self,
        file: &str,
        is_one_of_many: bool,
        columns: &[String],
    ) -> Result<()> {
        self.out.begin(&Heading { file, is_one_of_many, columns })
    }

    /// Ends the work where it was cancelled.
    fn check(&self) -> Result<()> {
        self.options.cancel.as_ref().map_or(Ok(()), Cancel::check)
    }

    /// Hands out a row.
    pub(super) fn row(&mut self, row: &dyn Row) -> Result<()> {
        self.check()?;
        let taken = self.out.row(row);
        self.is_taken &= taken.is_ok();
        taken
    }

    /// Whether the output took all rows that it was given: where it did not, that ends the verb, and what went wrong is no fault of
    /// a file.
    pub(super) const fn is_taken(&self) -> bool {
        self.is_taken
    }

    /// Ends the rows of a file.
    pub(super) fn end(&mut self) -> Result<()> {
        self.out.end()
    }

    /// Hands out bytes.
    pub(super) fn body(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.out.body(name, bytes)
    }

    /// Says something about the work.
    pub(super) fn note(&mut self, text: &str) {
        self.out.note(text);
    }

    /// Reports findings.
    pub(super) fn report(&mut self, file: &str, findings: &[Finding]) {
        findings.iter().for_each(|finding| self.out.diagnostic(file, finding));
    }

    /// Reports what was found in a file, and counts errors among it.
    pub(super) fn settle(&mut self, file: &str, findings: &Collect) {
        self.report(file, &findings.findings);
        if findings.has_errors() && !self.session.options.lenient {
            self.outcome.findings();
        }
    }

    /// Counts that something was found that is worth an exit code: differences, conflicts, what is missing.
    pub(super) fn found(&mut self) {
        self.outcome.findings();
    }

    /// Reports and counts a file that could not be opened.
    pub(super) fn unopened(&mut self, file: &str, error: Error) {
        self.outcome.unopened(&error);
        self.complain(file, &error);
    }

    /// Reports and counts what went wrong with a file that could be opened.
    pub(super) fn failed(&mut self, file: &str, error: Error) {
        if self.passes_unmatched && error.code().class == Class::Unsupported {
            return self.note(&format!("{file}: passed over: {error}"));
        }
        self.count_failure(&error);
        self.complain(file, &error);
    }

    /// Counts what went wrong with a file, where a finding reports it.
    pub(super) fn count_failure(&mut self, error: &Error) {
        if !(self.session.options.lenient && error.code().class == Class::Malformed) {
            self.outcome.failed(error);
        }
    }

    /// Reports why something could not be done with a file, and what else would do.
    pub(super) fn complain(&mut self, file: &str, error: &Error) {
        // The run ends with it.
        if error.code() == &codes::core::CANCELLED {
            return;
        }
        self.print_error(file, error);
        if let Some(why) = self.way_out(error) {
            self.say_instead(why);
        }
    }

    /// Hands out why something could not be done with a file.
    pub(super) fn print_error(&mut self, file: &str, error: &Error) {
        self.out.failed(file, error);
    }

    /// Says what would do with files of this format what the verb does not, where something would.
    pub(super) fn instead(&mut self, format: &Profile) {
        if let Some(why) = format.instead(self.verb) {
            self.say_instead(why);
        }
    }

    pub(super) fn say_instead(&mut self, why: &'static str) {
        if !self.said.contains(&why) {
            self.said.push(why);
            self.out.instead(why);
        }
    }

    /// Returns what to do instead where an error is about a format that the verb has nothing to do with.
    fn way_out(&self, error: &Error) -> Option<&'static str> {
        self.options.formats.way_out(error, self.verb, self.format)
    }

    /// Ends the run.
    ///
    /// # Errors
    /// [`CANCELLED`](codes::core::CANCELLED), whatever was reported of files meanwhile.
    pub(super) fn finish(self) -> Result<Outcome> {
        self.session.cancel().check()?;
        Ok(self.outcome)
    }
}

/// A change or a path that is no such thing.
pub(super) fn bad_path(expected: impl Into<Cow<'static, str>>, found: &str) -> Error {
    Error::new(&codes::core::BAD_PATH)
        .expected(expected.into().into_owned())
        .found(format!("`{found}`"))
}
