//! Files of which none that was read is written: the output of a verb never takes the place of its inputs.

use super::{
    Create, ExtractionFolder, FileName, FileSink, FileStamp, Files, InPlace, Listing, NewFile,
    Reading, Spool, Turn,
};
use crate::{Opened, Options, detect::Formats};
use spelunk_core::{Cancel, Error, Finding, Result, Source, codes, folder::Links};
use std::{
    collections::HashSet,
    fmt,
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

/// Other files, with a note of what was opened: those are not created again. Taking a [turn](Files::turn) at one of them is
/// how it is changed in place. Where the work was cancelled nothing is opened any more, and nothing new takes its place.
pub struct Apart {
    noted: Arc<Noted>,
    /// Standard input, which is there once.
    stream: Mutex<Option<Arc<dyn Source>>>,
    /// What stands in the place of standard output, where there are no standard streams.
    output: Option<StreamOutput>,
}

/// Takes what is written to standard output, part by part.
pub type StreamOutput = Arc<dyn Fn(&[u8]) -> Result<()> + Send + Sync>;

/// Files, and which of them were read.
struct Noted {
    files: Arc<dyn Files>,
    read: Mutex<OpenedInputs>,
    cancel: Cancel,
}

/// Files that were opened.
#[derive(Default)]
struct OpenedInputs {
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
    /// Makes the guard of these files, of which none was opened yet.
    pub fn new(files: Arc<dyn Files>, cancel: Cancel) -> Apart {
        let noted = Arc::new(Noted { files, read: Mutex::default(), cancel });
        Apart { noted, stream: Mutex::default(), output: None }
    }

    /// The same for a program that has its standard streams for itself: this takes what is written to standard output when it is
    /// complete, and there is no standard input.
    #[must_use]
    pub fn with_output(self, output: StreamOutput) -> Apart {
        Apart { output: Some(output), ..self }
    }

    /// Notes a file that is read, for what was opened by another way.
    pub fn note(&self, name: &FileName) {
        if !name.is_stream() {
            self.noted.read().names.push(name.clone());
        }
    }
}

impl Noted {
    fn read(&self) -> MutexGuard<'_, OpenedInputs> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses a name that leads to a file that was read, and all names where the work was cancelled: what is written then may be
    /// a part of what was to be written.
    fn refuse(&self, name: &FileName) -> Result<()> {
        self.cancel.check()?;
        let Some(place) = self.files.place(name).filter(|_| !name.is_stream()) else {
            return Ok(());
        };
        let mut read = self.read();
        let OpenedInputs { names, places } = &mut *read;
        places.extend(names.drain(..).filter_map(|name| self.files.place(&name)));
        match places.contains(&place) {
            true => Err(Error::new(&codes::BAD_TARGET)
                .expected("a file that is not read")
                .found("an input")),
            false => Ok(()),
        }
    }
}

/// Hands a complete file out, part by part.
fn hand_out(mut file: File, output: &dyn Fn(&[u8]) -> Result<()>) -> Result<Vec<Finding>> {
    let mut part = vec![0; 1 << 18];
    loop {
        match file.read(&mut part)? {
            0 => return Ok(Vec::new()),
            len => output(part.get(..len).unwrap_or_default())?,
        }
    }
}

impl Files for Apart {
    fn open(&self, name: &FileName, how: Reading) -> Result<Arc<dyn Source>> {
        self.noted.cancel.check()?;
        if name.as_path().as_os_str().is_empty() {
            // What a request says nothing of.
            return Err(Error::new(&crate::codes::BAD_REQUEST).expected("the name of a file"));
        }
        self.note(name);
        if !name.is_stream() {
            return self.noted.files.open(name, how);
        }
        if self.output.is_some() {
            return Err(Error::new(&crate::codes::NO_STREAM).expected("the name of a file"));
        }
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stream) = &*stream {
            return Ok(stream.clone());
        }
        let opened = self.noted.files.open(name, how)?;
        *stream = Some(opened.clone());
        Ok(opened)
    }

    fn len(&self, name: &FileName) -> Option<u64> {
        self.noted.files.len(name)
    }

    fn modified(&self, name: &FileName) -> Option<SystemTime> {
        self.noted.files.modified(name)
    }

    fn now(&self) -> Option<SystemTime> {
        self.noted.files.now()
    }

    fn seen(&self, name: &FileName) -> Option<FileStamp> {
        self.noted.files.seen(name)
    }

    fn disk_path(&self, name: &FileName) -> Option<PathBuf> {
        self.noted.files.disk_path(name)
    }

    fn is_folder(&self, name: &FileName) -> bool {
        self.noted.files.is_folder(name)
    }

    fn open_folder(&self, name: &FileName, options: &Options) -> Result<Option<Opened>> {
        let opened = self.noted.files.open_folder(name, options)?;
        if opened.is_some() {
            self.noted.files.parts(name).iter().for_each(|part| self.note(part));
        }
        Ok(opened)
    }

    fn is_container(&self, name: &FileName, formats: &Formats) -> bool {
        self.noted.files.is_container(name, formats)
    }

    fn parts(&self, name: &FileName) -> Vec<FileName> {
        self.noted.files.parts(name)
    }

    fn whole(&self, name: &FileName) -> Result<FileName> {
        self.noted.files.whole(name)
    }

    fn folders(&self, name: &FileName) -> Vec<FileName> {
        self.noted.files.folders(name)
    }

    fn around(&self, name: &FileName) -> [FileName; 2] {
        self.noted.files.around(name)
    }

    fn list(&self, name: &FileName, depth: usize, links: Links) -> Listing<'_> {
        let listing = self.noted.files.list(name, depth, links);
        Box::new(listing.take_while(|_| self.noted.cancel.check().is_ok()))
    }

    fn place(&self, name: &FileName) -> Option<FileName> {
        self.noted.files.place(name)
    }

    fn create(&self, name: &FileName, how: Create) -> Result<Box<dyn NewFile>> {
        // Before it is said that --force would replace it.
        self.noted.refuse(name)?;
        let new: Box<dyn NewFile> = match &self.output {
            Some(output) if name.is_stream() => {
                let output = output.clone();
                Box::new(Spool::new(move |file| hand_out(file, &*output))?)
            }
            _ => self.noted.files.create(name, how)?,
        };
        Ok(Box::new(ApartFile { new, name: name.clone(), noted: self.noted.clone() }))
    }

    fn sink(&self) -> Box<dyn FileSink + '_> {
        let sink = self.noted.files.sink();
        Box::new(ApartSink { sink, noted: &self.noted })
    }

    fn remove(&self, name: &FileName) -> Result<()> {
        self.noted.files.remove(name)
    }

    fn turn(&self, name: &FileName, force: bool) -> Result<Option<Box<dyn Turn>>> {
        self.noted.files.turn(name, force)
    }

    fn grow(&self, name: &FileName, force: bool) -> Result<Box<dyn InPlace>> {
        self.noted.files.grow(name, force)
    }

    fn locate(&self, folder: &FileName, path: &str) -> io::Result<FileName> {
        self.noted.files.locate(folder, path)
    }

    fn lies_in(&self, name: &FileName, folder: &FileName) -> bool {
        self.noted.files.lies_in(name, folder)
    }
}

/// A file that is written. What is read meanwhile is an input, too.
struct ApartFile {
    new: Box<dyn NewFile>,
    name: FileName,
    noted: Arc<Noted>,
}

impl Write for ApartFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.new.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.new.flush()
    }
}

impl Seek for ApartFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.new.seek(to)
    }
}

impl NewFile for ApartFile {
    fn written(&mut self) -> Result<Arc<dyn Source>> {
        self.new.written()
    }

    fn commit(self: Box<Self>) -> Result<Vec<Finding>> {
        self.noted.refuse(&self.name)?;
        self.new.commit()
    }
}

/// The files of an extraction, none of which takes the place of what was read.
struct ApartSink<'a> {
    sink: Box<dyn FileSink + 'a>,
    noted: &'a Noted,
}

impl FileSink for ApartSink<'_> {
    fn refuse_existing(
        &self,
        to: &ExtractionFolder<'_>,
        outputs: &mut dyn Iterator<Item = &str>,
    ) -> Result<()> {
        let mut looked_at = outputs.take_while(|_| self.noted.cancel.check().is_ok());
        self.sink.refuse_existing(to, &mut looked_at)?;
        self.noted.cancel.check()
    }

    fn write(
        &self,
        to: &ExtractionFolder<'_>,
        output: &str,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Vec<Finding>> {
        if to.force {
            self.noted.refuse(&to.folder.join(output).into())?;
        }
        self.sink.write(to, output, fill)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Memory;
    use spelunk_core::replace::Existing;

    #[test]
    fn what_was_read_is_not_created() {
        let memory = Memory::new();
        memory.put("in", &b"old"[..]);
        memory.put("other", &b"old"[..]);
        let files = Apart::new(Arc::new(memory.clone()), Cancel::default());
        let replace = || Create { existing: Existing::Replace, ..Create::default() };
        let code =
            |name: &str, how| files.create(&name.into(), how).map_err(|error| error.code().id);
        assert!(code("in", replace()).is_ok());
        files.open(&"in".into(), Reading::default()).unwrap();
        assert_eq!(code("in", replace()).err(), Some(codes::BAD_TARGET.id));
        assert_eq!(code("in", Create::default()).err(), Some(codes::BAD_TARGET.id));
        assert_eq!(code("other", Create::default()).err(), Some(codes::EXISTS.id));
        // What is read while it is written.
        let late = files.create(&"late".into(), replace()).unwrap();
        memory.put("late", &b"old"[..]);
        files.open(&"late".into(), Reading::default()).unwrap();
        assert_eq!(late.commit().unwrap_err().code(), &codes::BAD_TARGET);
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
