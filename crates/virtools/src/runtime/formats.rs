//! Readers and writers of files, by the extensions of their names (`docs/formats/virtools-runtime.md#readers-and-writers`).

use super::{
    Hooks,
    context::{Activity, Context},
    load::{Attempt, Load, Report},
    save::{Save, SaveOutput, SaveTarget},
};
use crate::{codes, file::File};
use spelunk_core::{Bytes, Error, Result, Source, Task};
use std::{fmt, io::Write, sync::Arc};

/// Reads files of one format into a context. [`Formats`] sees to it that a load that fails has not happened.
pub trait FileReader: fmt::Debug + Send + Sync {
    /// The extensions of its files, without a dot. The case of ASCII letters does not count.
    fn extensions(&self) -> &[&str];

    /// Loads a file.
    ///
    /// # Errors
    /// Any.
    fn load(
        &self,
        context: &mut Context,
        source: &dyn Source,
        load: &Load,
        hooks: &mut dyn Hooks,
        task: &mut Task<'_>,
    ) -> Result<Report>;
}

/// Writes files of one format. [`Formats`] sees to it that a saving that fails leaves the context as it was.
pub trait FileWriter: fmt::Debug + Send + Sync {
    /// The extensions of its files, without a dot. The case of ASCII letters does not count.
    fn extensions(&self) -> &[&str];

    /// Saves objects; returns those that the file names, in its order. [`SaveTarget::fill`] writes to a target of any kind.
    ///
    /// # Errors
    /// Any.
    fn save(
        &self,
        context: &mut Context,
        ids: &[u32],
        save: Save,
        target: SaveTarget<'_>,
        hooks: &mut dyn Hooks,
        task: &mut Task<'_>,
    ) -> Result<Vec<u32>>;
}

/// Virtools files: .nmo, .cmo, .vmo and .nms, which differ in nothing but their names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VirtoolsFiles;

const VIRTOOLS: &[&str] = &["nmo", "cmo", "vmo", "nms"];

impl FileReader for VirtoolsFiles {
    fn extensions(&self) -> &[&str] {
        VIRTOOLS
    }

    fn load(
        &self,
        context: &mut Context,
        source: &dyn Source,
        load: &Load,
        hooks: &mut dyn Hooks,
        task: &mut Task<'_>,
    ) -> Result<Report> {
        context.load(&File::read_from(source, task)?, load, hooks, task)
    }
}

impl FileWriter for VirtoolsFiles {
    fn extensions(&self) -> &[&str] {
        VIRTOOLS
    }

    fn save(
        &self,
        context: &mut Context,
        ids: &[u32],
        save: Save,
        target: SaveTarget<'_>,
        hooks: &mut dyn Hooks,
        task: &mut Task<'_>,
    ) -> Result<Vec<u32>> {
        let ended = context.save(ids.iter().copied(), save, target, hooks, task)?;
        Ok(ended.objects)
    }
}

/// The formats that a program knows: at first those of Virtools. A copy shares its readers and writers.
///
/// ```
/// use spelunk_core::{Budget, Bytes, Limits, Strict, Task};
/// use virtools::runtime::{Context, Load, Quiet, formats::Formats};
/// # let bytes = Bytes::from(spelunk_fixtures::samples::level().build().bytes);
///
/// let (formats, mut context, mut sink) = (Formats::default(), Context::new(), Strict);
/// let mut task = Task::new(Budget::new(Limits::for_len(bytes.len() as u64)), &mut sink);
/// let name = r"D:\Maps\Level_01.CMO";
/// formats.load_source(&mut context, name, &bytes, &Load::default(), &mut Quiet, &mut task)?;
/// assert_eq!(context.last_loaded(), Some(name));
/// assert!(formats.reader("Level_01.3ds").is_none());
/// # Ok::<(), spelunk_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Formats {
    readers: Vec<Arc<dyn FileReader>>,
    writers: Vec<Arc<dyn FileWriter>>,
}

impl Default for Formats {
    fn default() -> Formats {
        Formats { readers: vec![Arc::new(VirtoolsFiles)], writers: vec![Arc::new(VirtoolsFiles)] }
    }
}

impl Formats {
    /// Adds a reader. It is asked before those that are there.
    pub fn register_reader(&mut self, reader: impl FileReader + 'static) {
        self.readers.push(Arc::new(reader));
    }

    /// Adds a writer. It is asked before those that are there.
    pub fn register_writer(&mut self, writer: impl FileWriter + 'static) {
        self.writers.push(Arc::new(writer));
    }

    /// The reader for a file of this name: of those that have its [extension] the one that was registered last.
    pub fn reader(&self, name: &str) -> Option<&dyn FileReader> {
        let wanted = extension(name);
        let mut readers = self.readers.iter().rev().map(|reader| &**reader);
        readers.find(|reader| has(reader.extensions(), wanted))
    }

    /// The writer for a file of this name: of those that have its [extension] the one that was registered last.
    pub fn writer(&self, name: &str) -> Option<&dyn FileWriter> {
        let wanted = extension(name);
        let mut writers = self.writers.iter().rev().map(|writer| &**writer);
        writers.find(|writer| has(writer.extensions(), wanted))
    }

    /// Loads a file of the disk. The context remembers its path as that of what was [loaded last](Context::last_loaded).
    /// When the load fails the context is as it was before.
    ///
    /// # Errors
    /// [`codes::NO_READER`]; [`IO`](spelunk_core::codes::IO); [`codes::BUSY`]; those of the reader.
    #[cfg(feature = "fs")]
    pub fn load_path(
        &self,
        context: &mut Context,
        path: &std::path::Path,
        load: &Load,
        hooks: &mut dyn Hooks,
        task: &mut Task<'_>,
    ) -> Result<Report> {
        let name = path.to_string_lossy();
        // What nobody can read is not even opened.
        let reader = self.reader(&name).ok_or_else(|| no_reader(&name))?;
        // Objects keep their bytes for as long as they live: a map would keep the file from being replaced on some systems.
        let source = Bytes::from(std::fs::read(path)?);
        run(reader, context, Some(&name), &source, load, (hooks, task))
    }

    /// Loads a file that is somewhere else under a name, which the context remembers as that of what was
    /// [loaded last](Context::last_loaded). When the load fails the context is as it was before.
    ///
    /// # Errors
    /// [`codes::NO_READER`]; [`codes::BUSY`]; those of the reader.
    pub fn load_source(
        &self,
        context: &mut Context,
        name: &str,
        source: &dyn Source,
        load: &Load,
        hooks: &mut dyn Hooks,
        task: &mut Task<'_>,
    ) -> Result<Report> {
        let reader = self.reader(name).ok_or_else(|| no_reader(name))?;
        run(reader, context, Some(name), source, load, (hooks, task))
    }

    /// Loads a file without a name: what reads .nmo files reads it. When the load fails the context is as it was before.
    ///
    /// # Errors
    /// [`codes::BUSY`]; those of the reader.
    pub fn load_bytes(
        &self,
        context: &mut Context,
        bytes: &Bytes,
        load: &Load,
        hooks: &mut dyn Hooks,
        task: &mut Task<'_>,
    ) -> Result<Report> {
        let reader = self.reader(".nmo").unwrap_or(&VirtoolsFiles);
        run(reader, context, None, bytes, load, (hooks, task))
    }

    /// Saves objects into a file of the disk, which is replaced when all is written; returns those that the file names, in
    /// its order. When that fails both the context and the file are as they were before.
    ///
    /// # Errors
    /// [`codes::NO_WRITER`]; [`codes::BUSY`]; those of the writer.
    #[cfg(feature = "fs")]
    pub fn save_path(
        &self,
        context: &mut Context,
        path: &std::path::Path,
        ids: &[u32],
        save: Save,
        hooks: &mut dyn Hooks,
        task: &mut Task<'_>,
    ) -> Result<Vec<u32>> {
        let name = path.to_string_lossy();
        let writer = self.writer(&name).ok_or_else(|| {
            Error::new(&codes::NO_WRITER).found(format!("`.{}`", extension(&name)))
        })?;
        let attempt = Attempt::begin(context, Activity::Idle)?;
        let objects =
            writer.save(&mut *attempt.context, ids, save, SaveTarget::Path(path), hooks, task)?;
        attempt.succeed();
        Ok(objects)
    }
}

/// The extension of a name: what stands behind the last dot of what stands behind the last `/` or `\`; empty where there is
/// no dot. So `.nmo` and `a.b.nmo` have the same one, and `maps.old/level` has none.
pub fn extension(name: &str) -> &str {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn has(extensions: &[&str], wanted: &str) -> bool {
    extensions.iter().any(|extension| extension.eq_ignore_ascii_case(wanted))
}

fn no_reader(name: &str) -> Error {
    Error::new(&codes::NO_READER).found(format!("`.{}`", extension(name)))
}

/// Has a reader load something, or nothing happen.
fn run(
    reader: &dyn FileReader,
    context: &mut Context,
    name: Option<&str>,
    source: &dyn Source,
    load: &Load,
    (hooks, task): (&mut dyn Hooks, &mut Task<'_>),
) -> Result<Report> {
    let attempt = Attempt::begin(context, Activity::Idle)?;
    let report = reader.load(&mut *attempt.context, source, load, hooks, task)?;
    if let Some(name) = name {
        attempt.context.rest.last_loaded = Some(name.into());
    }
    attempt.succeed();
    Ok(report)
}

impl SaveTarget<'_> {
    /// Writes to the target what `write` gives, as savings do: a file is replaced when all is written, and stays as it was
    /// when that fails.
    ///
    /// # Errors
    /// Where the target cannot be written; those of `write`.
    pub fn fill(self, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
        match SaveOutput::begin(self)? {
            SaveOutput::Model => write(&mut std::io::sink()),
            SaveOutput::Writer(out) => {
                write(out)?;
                Ok(out.flush()?)
            }
            #[cfg(feature = "fs")]
            SaveOutput::File(mut out) => {
                write(&mut *out)?;
                out.commit().map(drop)
            }
        }
    }
}
