//! Sessions, which runs of verbs share: options, files, and files that stay open.

use super::{
    FileName, FileStamp, Files, Reading,
    handle::Handle,
    output::{Outcome, Output},
    request::Shown,
};
use crate::{
    Buffers, Cancel, Container, Error, File, Opened, Options, Result, Seg, Source, Task, TypeNames,
    compare::history::History,
    core::{source, text::CodePages},
    open::{
        codes,
        files::{Apart, StreamOutput},
    },
};
use schemars::Schema;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A verb as data calls it: requests are JSON.
pub trait Verb: Send + Sync {
    /// Returns the name of the verb.
    fn name(&self) -> &'static str;

    /// The JSON Schema of its requests.
    fn request_schema(&self) -> Schema;

    /// The JSON Schema of its rows; `None` where it hands out none.
    fn row_schema(&self) -> Option<Schema>;

    /// Runs it.
    ///
    /// # Errors
    /// [`BAD_REQUEST`](codes::BAD_REQUEST) for a request that does not fit the schema; what ends the whole run, such as an error
    /// of the output. What is wrong with a file goes to the output.
    fn call(&self, session: &Session, request: Value, out: &mut dyn Output) -> Result<Outcome>;
}

impl fmt::Debug for dyn Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// State that runs of verbs share: options, files, verbs of others, and files that stay open.
pub struct Session {
    files: Arc<dyn Files>,
    pub(super) options: Options,
    cancel: Cancel,
    /// Verbs beside the library's. The library's are not here: a program that calls verbs as functions has no need of what reads
    /// their requests and describes them, and is smaller without it.
    pub(super) registered: Vec<&'static dyn Verb>,
    kept: Arc<Mutex<HandleTable>>,
}

#[derive(Default)]
struct HandleTable {
    /// The number of the file that was kept last.
    last: u64,
    files: BTreeMap<Handle, KeptFile>,
}

impl HandleTable {
    /// Takes a file up under a new handle.
    fn keep(&mut self, file: KeptFile) -> Handle {
        // From 1 on: 0 is what many programs have where they have nothing.
        self.last = self.last.saturating_add(1);
        let handle = Handle(self.last);
        self.files.insert(handle, file);
        handle
    }
}

/// A file that is kept open.
struct KeptFile {
    name: FileName,
    /// State of the file on disk when it was read.
    seen: Option<FileStamp>,
    /// Nothing while a verb works on it.
    opened: Option<Opened>,
    /// The edits of it that are not written, as far as they are kept.
    history: History,
}

impl KeptFile {
    /// A file that was opened now, without a file on disk that would be watched.
    fn new(name: FileName, opened: Opened) -> KeptFile {
        KeptFile { name, seen: None, opened: Some(opened), history: History::default() }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Session {
    /// A session with these files and the usual options.
    pub fn new(files: impl Files + 'static) -> Session {
        let (cancel, kept) = (Cancel::default(), Arc::default());
        let options = Options { cancel: Some(cancel.clone()), ..Options::default() };
        let (files, registered) = (Arc::new(files), Vec::new());
        Session { files, options, cancel, registered, kept }
    }

    /// The same with one more verb, which takes the place of one of the same name.
    #[must_use]
    pub fn register(mut self, verb: &'static dyn Verb) -> Session {
        self.registered.retain(|known| known.name() != verb.name());
        self.registered.push(verb);
        self
    }

    /// Returns the options for opening files.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The same with other options. Where these have no flag that cancels the work, it keeps its own.
    #[must_use]
    pub fn with_options(self, options: Options) -> Session {
        let cancel = options.cancel.clone().unwrap_or(self.cancel);
        let options = Options { cancel: Some(cancel.clone()), ..options };
        Session { options, cancel, ..self }
    }

    /// The flag that ends what verbs of this session do, from any thread: they give
    /// [`CANCELLED`](codes::core::CANCELLED) then, until it is [reset](Cancel::reset).
    pub const fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// The same session for a part of its work that is ended alone: it has the same files, and the same ones are open. Its flag is
    /// [below](Cancel::below) that of this one.
    #[must_use]
    pub fn part(&self) -> Session {
        let Session { files, registered, kept, .. } = self;
        let cancel = self.cancel.below();
        let options = Options { cancel: Some(cancel.clone()), ..self.options.clone() };
        let (files, registered, kept) = (files.clone(), registered.clone(), kept.clone());
        Session { files, options, cancel, registered, kept }
    }

    /// The same as [`Session::part`] for a program that has its standard streams for itself: this takes what verbs write to `-`.
    #[must_use]
    pub fn part_with_output(&self, output: StreamOutput) -> Session {
        let part = self.part();
        let files = Apart::new(part.files.clone(), part.cancel.clone()).with_output(output);
        Session { files: Arc::new(files), ..part }
    }

    /// The same where errors in files that can be read are no failures, and extensions of a format that are not known are
    /// passed over.
    #[must_use]
    pub fn lenient(mut self, is_lenient: bool) -> Session {
        self.options.lenient = is_lenient;
        self
    }

    /// Returns the files by which verbs open, list and write.
    pub fn files(&self) -> &dyn Files {
        self.files.as_ref()
    }

    /// Returns the same files, shared.
    pub(super) fn shared_files(&self) -> Arc<dyn Files> {
        self.files.clone()
    }

    fn kept(&self) -> MutexGuard<'_, HandleTable> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a file, and keeps it open: verbs that are given the handle see what others changed in it.
    ///
    /// # Errors
    /// Those of [`Opened::open`], and of the files.
    pub fn open(&self, name: impl Into<FileName>) -> Result<Handle> {
        let name = name.into();
        // Before it is read: what is written meanwhile is noticed, too.
        let seen = self.files.seen(&name);
        let opened = self.open_now(&name, &self.options)?;
        Ok(self.kept().keep(KeptFile { seen, ..KeptFile::new(name, opened) }))
    }

    /// Opens a file that others have in memory or read in their own way, and keeps it open under this name, which need not be one of the
    /// files of the session.
    ///
    /// # Errors
    /// Those of [`Opened::open`].
    pub fn open_source(
        &self,
        name: impl Into<FileName>,
        source: Arc<dyn Source>,
    ) -> Result<Handle> {
        let opened = Opened::open(source, &self.options)?;
        Ok(self.kept().keep(KeptFile::new(name.into(), opened)))
    }

    /// Keeps a copy of a file of the front as it is now, under this name, which need not be one of the files of the session.
    ///
    /// # Errors
    /// Those of writing it, for formats that are not changed; limits.
    pub fn keep(&self, name: impl Into<FileName>, file: &File) -> Result<Handle> {
        let opened = file.opened(Some(self.cancel.clone()))?;
        Ok(self.kept().keep(KeptFile::new(name.into(), opened)))
    }

    /// Closes a file. What was changed in it and not saved is gone.
    pub fn close(&self, handle: Handle) {
        self.kept().files.remove(&handle);
    }

    /// The same where files are opened as a request asks for.
    ///
    /// # Errors
    /// When the file with names of types cannot be read.
    pub fn showing(mut self, shown: &Shown) -> Result<Session> {
        show(&mut self.options, shown, self.files.as_ref())?;
        Ok(self)
    }

    /// Opens a file of the front, or a folder that is one container, by the files and options of the session, which does not keep it.
    ///
    /// # Errors
    /// Those of [`Opened::open`], and of the files.
    pub fn file(&self, name: &FileName) -> Result<File> {
        self.open_now(name, &self.options).map(File::of)
    }

    /// Opens a file, or a folder that is one container.
    pub(super) fn open_now(&self, name: &FileName, options: &Options) -> Result<Opened> {
        self.open_reusing(self.files(), name, options, Buffers::default())
    }

    /// The same, of these files, with the buffers of a file that was worked on before.
    pub(super) fn open_reusing(
        &self,
        files: &dyn Files,
        name: &FileName,
        options: &Options,
        buffers: Buffers,
    ) -> Result<Opened> {
        if files.is_folder(name)
            && let Some(opened) = files.open_folder(name, options)?
        {
            return Ok(opened);
        }
        Opened::open_reusing(files.open(name, reading(options))?, options, buffers)
    }

    /// The name that a file was opened by.
    pub(super) fn name_of(&self, handle: Handle) -> Result<FileName> {
        let kept = self.kept();
        kept.files.get(&handle).map(|file| file.name.clone()).ok_or_else(|| closed(handle))
    }

    /// Looks at an open file as it is now, with what was changed in it. Nobody else can use it meanwhile. Findings of it are not kept:
    /// verbs report them.
    ///
    /// # Errors
    /// [`NO_SUCH_HANDLE`](codes::NO_SUCH_HANDLE), [`HANDLE_IN_USE`](codes::HANDLE_IN_USE); those of `work`.
    pub fn look<T>(
        &self,
        handle: Handle,
        work: impl FnOnce(&dyn Container, &CodePages, &mut Task<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut held = self.lend(handle)?;
        let opened = held.get()?;
        let pages = opened.code_pages();
        opened.run_silent(|container, task| work(container, &pages, task))
    }

    /// Keeps a copy of an open file as it is now, with what was changed in it: what is changed in one is not changed in the other.
    ///
    /// # Errors
    /// [`NO_SUCH_HANDLE`](codes::NO_SUCH_HANDLE), [`HANDLE_IN_USE`](codes::HANDLE_IN_USE); [`NO_EDITING`](codes::NO_EDITING) for a
    /// format that is not changed; limits.
    pub fn fork(&self, handle: Handle) -> Result<Handle> {
        let fork = self.lend(handle)?.get()?.fork()?;
        let mut kept = self.kept();
        let file = kept.files.get(&handle).ok_or_else(|| closed(handle))?;
        let fork = KeptFile {
            name: file.name.clone(),
            seen: file.seen.clone(),
            opened: Some(fork),
            history: file.history.clone(),
        };
        Ok(kept.keep(fork))
    }

    /// Whether nobody wrote to a file since it was read; also where that cannot be found out, or no such file is open.
    pub fn is_as_read(&self, handle: Handle) -> bool {
        let kept = self.kept();
        let Some(KeptFile { name, seen: Some(seen), .. }) = kept.files.get(&handle) else {
            return true;
        };
        let (name, seen) = (name.clone(), seen.clone());
        drop(kept);
        self.files.seen(&name) == Some(seen)
    }

    /// Reads a file again that was written, in place of what was open of it.
    ///
    /// # Errors
    /// When it cannot be opened; [`HANDLE_IN_USE`](codes::HANDLE_IN_USE).
    pub(super) fn reopen(&self, handle: Handle) -> Result<()> {
        let name = self.name_of(handle)?;
        let mut held = self.lend(handle)?;
        let options = held.get()?.options().clone();
        let seen = self.files.seen(&name);
        let mut opened = self.open_now(&name, &options)?;
        // What is wrong with it was reported when it was written.
        drop(opened.take_findings());
        *held.get()? = opened;
        drop(held);
        if let Some(file) = self.kept().files.get_mut(&handle) {
            file.seen = seen;
        }
        Ok(())
    }

    /// Works on the history of an open file.
    pub(super) fn with_history<T>(
        &self,
        handle: Handle,
        work: impl FnOnce(&mut History) -> Result<T>,
    ) -> Result<T> {
        let taken =
            self.kept().files.get_mut(&handle).map(|file| std::mem::take(&mut file.history));
        let mut history = taken.ok_or_else(|| closed(handle))?;
        let done = work(&mut history);
        if let Some(file) = self.kept().files.get_mut(&handle) {
            file.history = history;
        }
        done
    }

    /// Takes a file to work on it; it comes back when that is dropped.
    pub(super) fn lend(&self, handle: Handle) -> Result<Held<'_>> {
        let mut kept = self.kept();
        let file = kept.files.get_mut(&handle).ok_or_else(|| closed(handle))?;
        let mut opened = file
            .opened
            .take()
            .ok_or_else(|| Error::new(&codes::HANDLE_IN_USE).found(file.name.to_string()))?;
        // Whoever works on it ends that work, and not who opened it.
        opened.end_with(self.cancel.clone());
        Ok(Held { opened: Some(opened), home: Some((self, handle)) })
    }
}

/// Makes options those for opening files as a request asks for.
///
/// # Errors
/// Those of [`type_names`].
pub(super) fn show(options: &mut Options, shown: &Shown, files: &dyn Files) -> Result<()> {
    options.revision = shown.generation;
    options.mounting = shown.mounting();
    let Some(name) = &shown.types else { return Ok(()) };
    options.types = Some(Arc::new(type_names(name, files, options)?));
    Ok(())
}

/// The names of types in a file.
///
/// # Errors
/// When it cannot be read, or is no list of names.
pub(super) fn type_names(
    file: &FileName,
    files: &dyn Files,
    options: &Options,
) -> Result<TypeNames> {
    let read = || {
        let source = files.open(file, reading(options))?;
        let len = source.len();
        let text = source.read(0..len, &mut options.budget(len))?;
        TypeNames::parse(&text, &mut options.budget(1 << 20))
    };
    read().map_err(|error| error.within(Seg::Key(file.to_string().into())))
}

/// Returns the settings for reading the bytes of a file.
pub(super) fn reading(options: &Options) -> Reading {
    let most = options.max_memory.unwrap_or(source::STREAM_LIMIT);
    Reading { mapping: options.mapping, most }
}

fn closed(handle: Handle) -> Error {
    Error::new(&codes::NO_SUCH_HANDLE).found(format!("file {}", handle.0))
}

/// An opened file that a verb works on: one of its own, or one of the session's.
pub(super) struct Held<'s> {
    /// The opened file, which is there until this is dropped.
    opened: Option<Opened>,
    home: Option<(&'s Session, Handle)>,
}

impl Held<'_> {
    /// A file that goes with the work.
    pub(super) fn own(opened: Opened) -> Held<'static> {
        Held { opened: Some(opened), home: None }
    }

    /// The file.
    pub(super) fn get(&mut self) -> Result<&mut Opened> {
        self.opened.as_mut().ok_or_else(|| Error::new(&codes::NO_SUCH_HANDLE))
    }

    /// The file as one of the work's own: a copy of one that the session keeps.
    pub(super) fn into_own(mut self) -> Result<Opened> {
        match self.home {
            Some(_) => self.get()?.fork(),
            None => self.opened.take().ok_or_else(|| Error::new(&codes::NO_SUCH_HANDLE)),
        }
    }

    /// The file itself, where it is no file that the session keeps.
    pub(super) fn into_unshared(mut self) -> Option<Opened> {
        if self.home.is_some() { None } else { self.opened.take() }
    }

    /// Lets go of it.
    pub(super) fn release(self) {}
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if let (Some((session, handle)), Some(mut opened)) = (self.home, self.opened.take())
            && let Some(home) = session.kept().files.get_mut(&handle)
        {
            // Nothing is held any more of what the work made of it.
            opened.let_go();
            home.opened = Some(opened);
        }
    }
}
