//! Sessions, and the files that they keep open.

use crate::failure::{Failure, Outcome};
use serde_json::{Map, Value};
use spelunk::{
    Bytes, Container, Error, Options, Result, Task,
    core::text::CodePages,
    entries::lookup,
    models::{arrays, export::textures},
    open::{codes, files::FileName},
    verbs::{self, Disk, Handle, SessionOptions},
};
use std::{
    io,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A session.
pub(crate) struct Session {
    session: verbs::Session,
    /// The part of it for the calls that were begun since all of them were ended last.
    calls: Mutex<verbs::Session>,
}

impl Session {
    /// A session on the files of the disk, with these options in JSON.
    pub(crate) fn new(options: Option<&str>) -> Outcome<Session> {
        let wrong_pages = |error: Error| Failure::bad_argument("options", error.to_string());
        let wrong = |error: serde_json::Error| Failure::bad_argument("options", error.to_string());
        // Of an object alone: a list would be taken in the order of the fields.
        let options: Map<String, Value> =
            serde_json::from_str(options.unwrap_or("{}")).map_err(wrong)?;
        let options: SessionOptions = serde_json::from_value(options.into()).map_err(wrong)?;
        let session = verbs::Session::new(Disk);
        #[cfg(feature = "catalog")]
        let session = session.register(spelunk_catalog::VERB);
        let session = session.with_options(options.try_into().map_err(wrong_pages)?);
        let calls = Mutex::new(session.part());
        Ok(Session { session, calls })
    }

    fn calls(&self) -> MutexGuard<'_, verbs::Session> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A session for one call.
    pub(crate) fn part(&self) -> verbs::Session {
        self.calls().part()
    }

    /// Options for opening files.
    pub(crate) fn options(&self) -> &Options {
        self.session.options()
    }

    /// A session for what writes nothing: standard output and standard input are the program's.
    fn reading(&self) -> verbs::Session {
        self.calls().part_with_output(Arc::new(|_| Ok(())))
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
        let named = |error: Error| match error.io_error() {
            Some(cause) => {
                Error::io_of(Path::new(path), io::Error::new(cause.kind(), cause.to_string()))
            }
            None => error,
        };
        let handle = session.reading().open(path).map_err(named)?;
        Ok(OpenFile { session, handle, path: Some(path.into()) })
    }

    /// Opens a file whose bytes these are, under a name.
    pub(crate) fn of_bytes(session: Arc<Session>, name: &str, bytes: &[u8]) -> Outcome<OpenFile> {
        let most = session.options().limits(bytes.len() as u64).memory;
        let mut copy = Vec::new();
        if bytes.len() as u64 > most || copy.try_reserve_exact(bytes.len()).is_err() {
            let error = Error::new(&codes::core::MEMORY).expected(format!("at most {most} bytes"));
            return Err(error.found(format!("{} bytes", bytes.len())).into());
        }
        copy.extend_from_slice(bytes);
        let handle = session.reading().open_source(name, Arc::new(Bytes::from(copy)))?;
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
