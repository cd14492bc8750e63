//! Sessions, and the files that they keep open.

use crate::failure::{Failure, Outcome};
use serde::Deserialize;
use serde_json::{Map, Value};
use spelunk::{
    Bytes, Container, Error, File, Options, Result, Task,
    core::text::CodePages,
    entries::lookup,
    file::FileOptions,
    models::{arrays, export::textures},
    open::{
        codes,
        files::{FileName, StreamOutput},
    },
    verbs::{self, Disk, Handle},
};
use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Options of a session, as a program writes them.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Settings {
    strict: bool,
    lenient: bool,
    max_memory: Option<u64>,
    max_ratio: Option<u32>,
    code_pages: Option<String>,
    generation: Option<String>,
    threads: Option<NonZeroUsize>,
}

impl Settings {
    fn options(self) -> Outcome<Options> {
        let pages = self.code_pages.as_deref().map(CodePages::from_labels).transpose()?;
        let revision = self.generation.as_deref().map(str::parse).transpose();
        let revision = revision.map_err(|error: String| Failure::bad_argument("options", error))?;
        Ok(Options {
            strict: self.strict,
            lenient: self.lenient,
            max_memory: self.max_memory,
            max_ratio: self.max_ratio,
            pages,
            revision,
            threads: self.threads,
            ..Options::default()
        })
    }
}

/// A session.
pub(crate) struct Session {
    session: verbs::Session,
    /// The part of it for the calls that were begun since all of them were ended last.
    calls: Mutex<verbs::Session>,
}

impl Session {
    /// A session on the files of the disk, with these options in JSON.
    pub(crate) fn new(options: Option<&str>) -> Outcome<Session> {
        let wrong = |error: serde_json::Error| Failure::bad_argument("options", error.to_string());
        // Of an object alone: a list would be taken in the order of the fields.
        let options: Map<String, Value> =
            serde_json::from_str(options.unwrap_or("{}")).map_err(wrong)?;
        let settings: Settings = serde_json::from_value(options.into()).map_err(wrong)?;
        let session = verbs::Session::new(Disk);
        #[cfg(feature = "catalog")]
        let session = session.register(spelunk_catalog::VERB);
        let session = session.with_options(settings.options()?);
        let calls = Mutex::new(session.part());
        Ok(Session { session, calls })
    }

    fn calls(&self) -> MutexGuard<'_, verbs::Session> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A session for one call, whose standard output is this: that of the program is the program's.
    pub(crate) fn part(&self, output: StreamOutput) -> verbs::Session {
        self.calls().part_with_output(output)
    }

    /// A session for what writes nothing.
    fn reading(&self) -> verbs::Session {
        self.part(Arc::new(|_| Ok(())))
    }

    /// Ends all calls that run. Those that begin after it go on.
    pub(crate) fn cancel(&self) {
        let ended = std::mem::replace(&mut *self.calls(), self.session.part());
        ended.cancel().cancel();
    }
}

/// A file that a session keeps open.
pub(crate) struct OpenFile {
    pub(crate) session: Arc<Session>,
    handle: Handle,
    /// Its name, where it is one of the disk.
    path: Option<FileName>,
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        self.session.session.close(self.handle);
    }
}

impl OpenFile {
    /// Opens the file, or the folder that is one container, at a path.
    pub(crate) fn at_path(session: Arc<Session>, path: &str) -> Outcome<OpenFile> {
        let handle = session.reading().open(path)?;
        Ok(OpenFile { session, handle, path: Some(path.into()) })
    }

    /// Opens a file whose bytes these are, under a name.
    pub(crate) fn of_bytes(session: Arc<Session>, name: &str, bytes: &[u8]) -> Outcome<OpenFile> {
        let options = FileOptions::from(session.session.options().clone());
        let file: File = options.from_bytes(Bytes::copy_from_slice(bytes))?;
        let handle = session.session.keep(name, &file)?;
        Ok(OpenFile { session, handle, path: None })
    }

    /// The number that stands for the file in requests.
    pub(crate) fn number(&self) -> u64 {
        let number = serde_json::to_value(self.handle).ok();
        number.and_then(|number| number.as_u64()).unwrap_or(u64::MAX)
    }

    /// Looks at the entry at a path.
    pub(crate) fn look<T>(
        &self,
        path: &str,
        work: impl FnOnce(Looked<'_>, &mut Task<'_>) -> Result<T>,
    ) -> Outcome<T> {
        let looked = self.session.reading().look(self.handle, |container, pages, task| {
            let found = lookup::resolve(container, &[path], pages, task)?;
            let node = found.first().copied();
            let gone = || Error::new(&codes::core::NOT_FOUND).found(path.to_owned());
            let node = node.ok_or_else(gone)?;
            work(Looked { container, pages, node }, task)
        })?;
        Ok(looked)
    }

    /// Looks at the whole file.
    pub(crate) fn look_at_all<T>(
        &self,
        work: impl FnOnce(&dyn Container, &mut Task<'_>) -> Result<T>,
    ) -> Outcome<T> {
        Ok(self.session.reading().look(self.handle, |container, _, task| work(container, task))?)
    }

    /// The picture in a slot of a texture, which may be in a file beside this one.
    pub(crate) fn picture(&self, path: &str, slot: usize) -> Outcome<arrays::Picture> {
        let search = textures::folders(Arc::new(Disk), self.path.as_ref(), &[]);
        self.look(path, |looked, task| {
            let Looked { container, pages, node } = looked;
            arrays::picture(container, node, slot, &search, pages, task)
        })
    }
}

/// An entry that is looked at.
pub(crate) struct Looked<'c> {
    pub(crate) container: &'c dyn Container,
    pub(crate) pages: &'c CodePages,
    pub(crate) node: spelunk::Node,
}
