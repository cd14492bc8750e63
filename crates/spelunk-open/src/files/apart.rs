//! Files of which none that was read is written: what a verb makes never takes the place of what it is made of.

use super::{
    Create, ExtractionFolder, FileName, FileSink, Files, InPlace, Listed, NewFile, Reading, Turn,
};
use crate::{Opened, Options};
use spelunk_core::{Error, Finding, Result, Source, codes, folder::Links, replace::Existing};
use std::{
    collections::HashSet,
    fmt,
    io::{self, Write},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

/// Other files, with a note of what was opened: those are not created again. Taking a [turn](Files::turn) at one of them is
/// how it is changed in place.
pub struct Apart {
    files: Arc<dyn Files>,
    read: Mutex<Read>,
    /// Standard input, which is there once.
    stream: Mutex<Option<Arc<dyn Source>>>,
}

/// What was opened.
#[derive(Default)]
struct Read {
    /// As it was called, until something is created.
    names: Vec<FileName>,
    places: HashSet<FileName>,
}

impl fmt::Debug for Apart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Apart").finish_non_exhaustive()
    }
}

impl Apart {
    /// These files, of which none was opened yet.
    pub fn new(files: Arc<dyn Files>) -> Apart {
        Apart { files, read: Mutex::default(), stream: Mutex::default() }
    }

    /// Notes a file that is read by another way.
    pub fn note(&self, name: &FileName) {
        if !name.is_stream() {
            self.read().names.push(name.clone());
        }
    }

    fn read(&self) -> MutexGuard<'_, Read> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses a name that leads to a file that was read.
    fn refuse(&self, name: &FileName) -> Result<()> {
        let Some(place) = self.files.place(name).filter(|_| !name.is_stream()) else {
            return Ok(());
        };
        let mut read = self.read();
        let Read { names, places } = &mut *read;
        places.extend(names.drain(..).filter_map(|name| self.files.place(&name)));
        match places.contains(&place) {
            true => Err(Error::new(&codes::BAD_TARGET)
                .expected("a file that is not read")
                .found("an input")),
            false => Ok(()),
        }
    }
}

impl Files for Apart {
    fn open(&self, name: &FileName, how: Reading) -> Result<Arc<dyn Source>> {
        self.note(name);
        if !name.is_stream() {
            return self.files.open(name, how);
        }
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        if stream.is_none() {
            *stream = Some(self.files.open(name, how)?);
        }
        stream.clone().ok_or_else(|| Error::new(&codes::BAD_TARGET))
    }

    fn len(&self, name: &FileName) -> Option<u64> {
        self.files.len(name)
    }

    fn modified(&self, name: &FileName) -> Option<SystemTime> {
        self.files.modified(name)
    }

    fn disk_path(&self, name: &FileName) -> Option<PathBuf> {
        self.files.disk_path(name)
    }

    fn is_folder(&self, name: &FileName) -> bool {
        self.files.is_folder(name)
    }

    fn open_folder(&self, name: &FileName, options: &Options) -> Result<Option<Opened>> {
        let opened = self.files.open_folder(name, options)?;
        if opened.is_some() {
            self.files.parts(name).iter().for_each(|part| self.note(part));
        }
        Ok(opened)
    }

    fn is_container(&self, name: &FileName) -> bool {
        self.files.is_container(name)
    }

    fn parts(&self, name: &FileName) -> Vec<FileName> {
        self.files.parts(name)
    }

    fn whole(&self, name: &FileName) -> Result<FileName> {
        self.files.whole(name)
    }

    fn folders(&self, name: &FileName) -> Vec<FileName> {
        self.files.folders(name)
    }

    fn around(&self, name: &FileName) -> [FileName; 2] {
        self.files.around(name)
    }

    fn list(&self, name: &FileName, depth: usize, links: Links) -> Vec<Listed> {
        self.files.list(name, depth, links)
    }

    fn place(&self, name: &FileName) -> Option<FileName> {
        self.files.place(name)
    }

    fn create(&self, name: &FileName, how: Create) -> Result<Box<dyn NewFile>> {
        // Another error says that what is there is not replaced.
        if how.existing != Existing::Refuse {
            self.refuse(name)?;
        }
        self.files.create(name, how)
    }

    fn sink(&self) -> Box<dyn FileSink + '_> {
        Box::new(ApartSink { sink: self.files.sink(), files: self })
    }

    fn remove(&self, name: &FileName) -> Result<()> {
        self.files.remove(name)
    }

    fn turn(&self, name: &FileName, force: bool) -> Result<Option<Box<dyn Turn>>> {
        self.files.turn(name, force)
    }

    fn grow(&self, name: &FileName, force: bool) -> Result<Box<dyn InPlace>> {
        self.files.grow(name, force)
    }

    fn locate(&self, folder: &FileName, path: &str) -> io::Result<FileName> {
        self.files.locate(folder, path)
    }

    fn lies_in(&self, name: &FileName, folder: &FileName) -> bool {
        self.files.lies_in(name, folder)
    }
}

/// The files of an extraction, none of which takes the place of what was read.
struct ApartSink<'a> {
    sink: Box<dyn FileSink + 'a>,
    files: &'a Apart,
}

impl FileSink for ApartSink<'_> {
    fn refuse_existing(
        &self,
        to: &ExtractionFolder<'_>,
        outputs: &mut dyn Iterator<Item = &str>,
    ) -> Result<()> {
        self.sink.refuse_existing(to, outputs)
    }

    fn write(
        &self,
        to: &ExtractionFolder<'_>,
        output: &str,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Vec<Finding>> {
        if to.force {
            self.files.refuse(&to.folder.join(output).into())?;
        }
        self.sink.write(to, output, fill)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Memory;

    #[test]
    fn what_was_read_is_not_created() {
        let memory = Memory::new();
        memory.put("in", &b"old"[..]);
        memory.put("other", &b"old"[..]);
        let files = Apart::new(Arc::new(memory.clone()));
        let replace = || Create { existing: Existing::Replace, ..Create::default() };
        let code =
            |name: &str, how| files.create(&name.into(), how).map_err(|error| error.code().id);
        assert!(code("in", replace()).is_ok());
        files.open(&"in".into(), Reading::default()).unwrap();
        assert_eq!(code("in", replace()).err(), Some(codes::BAD_TARGET.id));
        assert_eq!(code("in", Create::default()).err(), Some(codes::EXISTS.id));
        assert!(code("other", replace()).is_ok() && code("new", replace()).is_ok());

        let folder = ExtractionFolder { folder: "".as_ref(), force: true, follow_links: false };
        let mut fill = |out: &mut dyn Write| out.write_all(b"new");
        let sink = files.sink();
        assert_eq!(sink.write(&folder, "in", &mut fill).unwrap_err().code(), &codes::BAD_TARGET);
        sink.write(&folder, "other", &mut fill).unwrap();
        assert_eq!(memory.get("in").as_deref(), Some(&b"old"[..]));
        assert_eq!(memory.get("other").as_deref(), Some(&b"new"[..]));
    }
}
