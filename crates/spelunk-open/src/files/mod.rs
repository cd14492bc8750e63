//! Files, as verbs know them: names, bytes, and how new ones take their places.

use crate::{Opened, Options, detect::Formats, json};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
pub use snpak::edit::append::InPlace;
use spelunk_core::{
    Budget, Bytes, Error, Finding, Result, Source, codes,
    folder::Links,
    replace::{Existing, FileIdentity},
    source::{self, Mapping},
};
use std::{
    borrow::Cow,
    ffi::{OsStr, OsString},
    fmt, io,
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

mod apart;
pub mod content;
mod disk;
mod held;
mod memory;
mod sink;
mod spool;
mod url;

pub use apart::{Apart, StreamOutput};
pub use content::FileContent;
pub use disk::Disk;
pub use held::HeldContent;
pub use memory::Memory;
pub use sink::{ExtractionFolder, FileSink};
pub use spool::Spool;

/// A file that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputFile {
    /// Name of the file, safe on every system.
    pub name: String,
    /// Content of the file.
    pub content: Vec<u8>,
}

/// The name of a file, which the [`Files`] of a session understand: a path on the disk, a key of a store. It need not be
/// UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileName(OsString);

impl FileName {
    /// Standard input, or standard output.
    pub const STREAM: &'static str = "-";

    /// The name as the system has it.
    pub fn as_os_str(&self) -> &OsStr {
        &self.0
    }

    /// The name as a path.
    pub fn as_path(&self) -> &Path {
        Path::new(&self.0)
    }

    /// A file in the folder of this name.
    #[must_use]
    pub fn join(&self, name: impl AsRef<Path>) -> FileName {
        match (self.as_url(), name.as_ref().to_str()) {
            (Some(url), Some(name)) => url::joined(url, name).into(),
            _ => self.as_path().join(name).into(),
        }
    }

    /// Returns the name where it is a URL of a kind that files are read by; whether certain [`Files`] read it is another question.
    pub fn as_url(&self) -> Option<&str> {
        self.0.to_str().filter(|name| url::is_url(name))
    }

    /// Returns the last part of the name, without folders; of a URL without what follows the path.
    #[must_use]
    pub fn last_part(&self) -> FileName {
        match self.as_url() {
            Some(url) => url::last_part(url).into(),
            None => self.as_path().file_name().unwrap_or(&self.0).into(),
        }
    }

    /// Whether it means standard input or output.
    pub fn is_stream(&self) -> bool {
        self.0 == FileName::STREAM
    }
}

impl<T: Into<OsString>> From<T> for FileName {
    fn from(name: T) -> FileName {
        FileName(name.into())
    }
}

impl fmt::Display for FileName {
    /// Writes the name; what is no UTF-8 is escaped, as `\xNN`. Of a URL that is all but the parts that may let somebody in:
    /// name and password, and what follows the path.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_url() {
            Some(url) => f.write_str(&url::without_secrets(url)),
            None => f.write_str(&json::path(self.as_path())),
        }
    }
}

impl Serialize for FileName {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for FileName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<FileName, D::Error> {
        String::deserialize(from).map(FileName::from)
    }
}

impl JsonSchema for FileName {
    fn schema_name() -> Cow<'static, str> {
        "FileName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// Options for reading a file.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Whether large files may be mapped.
    pub mapping: Mapping,
    /// Number of bytes that are read of a stream without a length, at the most.
    pub most: u64,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading { mapping: Mapping::default(), most: source::STREAM_LIMIT }
    }
}

/// Something that a folder has.
#[derive(Debug)]
pub enum FolderItem {
    /// A file, and its name within the folder.
    File(FileName, FileName),
    /// A link that is not followed.
    Link(FileName),
    /// An entry that cannot be listed.
    Unreadable(FileName, io::Error),
}

/// Contents of a folder, which are found out on the way. Where the work was cancelled it ends.
pub type Listing<'l> = Box<dyn Iterator<Item = FolderItem> + 'l>;

/// Options for a new file.
#[derive(Clone, Debug, Default)]
pub struct Create {
    /// Treatment of an existing file of that name.
    pub existing: Existing,
    /// Whether a link is followed, so that what it names is written.
    pub follow_links: bool,
    /// The folder in which it is to be, where that matters: folders on the way from there are made where they are missing, and
    /// are no links unless those are followed.
    pub below: Option<FileName>,
    /// Whether nothing is going to be written: no folder is made, and what is begun goes [nowhere](Nowhere). What would be
    /// refused is refused.
    pub is_dry_run: bool,
}

/// A file that is being written. When it is dropped without [`NewFile::commit`] there is none.
pub trait NewFile: Write + Seek + Send {
    /// What was written until now, to be read. Let go of it before [`NewFile::commit`].
    ///
    /// # Errors
    /// When it cannot be read again.
    fn written(&mut self) -> Result<Arc<dyn Source>>;

    /// Lets it take its place; gives what of the old file it could not keep.
    ///
    /// # Errors
    /// When it cannot. The old file is as it was then.
    fn commit(self: Box<Self>) -> Result<Vec<Finding>>;
}

/// A file that is not written: it takes everything, keeps nothing, and knows how much it was.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere {
    at: u64,
}

impl Write for Nowhere {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.at = self.at.saturating_add(bytes.len() as u64);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Nowhere {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Start(at) => self.at = at,
            SeekFrom::Current(by) => self.at = self.at.saturating_add_signed(by),
            SeekFrom::End(_) => return Err(io::ErrorKind::Unsupported.into()),
        }
        Ok(self.at)
    }
}

impl NewFile for Nowhere {
    fn written(&mut self) -> Result<Arc<dyn Source>> {
        Err(Error::io(io::ErrorKind::Unsupported.into()))
    }

    fn commit(self: Box<Self>) -> Result<Vec<Finding>> {
        Ok(Vec::new())
    }
}

/// A file as it was at some time, to notice whether somebody wrote to it since.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileStamp {
    /// On a disk.
    OnDisk(FileIdentity),
    /// The content of a file that lies on no disk.
    Content(HeldContent),
    /// What a server says of the state of a file, such as its tag.
    Tag(String),
}

/// The turn to write to a file in place, which nobody else has meanwhile. It is taken before the file is read.
pub trait Turn {
    /// Begins the file that takes the place of what was read.
    ///
    /// # Errors
    /// When it cannot be made.
    fn begin(self: Box<Self>, existing: Existing) -> Result<Box<dyn NewFile>>;
}

impl dyn Files + '_ {
    /// Returns all bytes of a file. What is not lent is taken from the budget.
    ///
    /// # Errors
    /// Those of [`open`](Files::open) and of reading; [`MEMORY`](crate::codes::core::MEMORY).
    pub fn read(&self, name: &FileName, how: Reading, budget: &mut Budget) -> Result<Bytes> {
        let source = self.open(name, how)?;
        source.read(0..source.len(), budget)
    }
}

/// The place where verbs open, list and write files.
pub trait Files: Send + Sync {
    /// Opens a file for reading.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    fn open(&self, name: &FileName, how: Reading) -> Result<Arc<dyn Source>>;

    /// Returns the size of a file in bytes, where that is known before it is read.
    fn len(&self, name: &FileName) -> Option<u64>;

    /// Returns the time of the last change of a file, where that is known.
    fn modified(&self, name: &FileName) -> Option<SystemTime> {
        let _ = name;
        None
    }

    /// Returns the time of now, where there is a clock.
    fn now(&self) -> Option<SystemTime> {
        None
    }

    /// Returns the present state of a file, where the store can show whether somebody wrote to it since.
    fn seen(&self, name: &FileName) -> Option<FileStamp> {
        let _ = name;
        None
    }

    /// Returns the place of a file or folder of this name on a disk, whether or not it is there; `None` for files that lie on
    /// none.
    fn disk_path(&self, name: &FileName) -> Option<PathBuf> {
        let _ = name;
        None
    }

    /// Whether it is a folder.
    fn is_folder(&self, name: &FileName) -> bool;

    /// Opens a folder as one container, where it is one: the archives of a game.
    ///
    /// # Errors
    /// Those of opening its parts.
    fn open_folder(&self, name: &FileName, options: &Options) -> Result<Option<Opened>> {
        let _ = (name, options);
        Ok(None)
    }

    /// Whether a folder is one container, and holds none of these formats beside what it consists of.
    fn is_container(&self, name: &FileName, formats: &Formats) -> bool {
        let _ = (name, formats);
        false
    }

    /// The files that a folder consists of, where it is one container.
    fn parts(&self, name: &FileName) -> Vec<FileName> {
        let _ = name;
        Vec::new()
    }

    /// The name of a file from the root of all files on.
    ///
    /// # Errors
    /// When that cannot be found out.
    fn whole(&self, name: &FileName) -> Result<FileName> {
        Ok(name.clone())
    }

    /// The folders in a folder, in the order of their names.
    fn folders(&self, name: &FileName) -> Vec<FileName>;

    /// The folder that a file lies in, and the one above.
    fn around(&self, name: &FileName) -> [FileName; 2];

    /// The files of a folder and of the folders in it down to `depth` (1 is the folder alone), in the order of their names.
    fn list(&self, name: &FileName, depth: usize, links: Links) -> Listing<'_>;

    /// The one name of a file that is there, whatever other names lead to it; `None` where there is no file.
    fn place(&self, name: &FileName) -> Option<FileName> {
        self.len(name).map(|_| name.clone())
    }

    /// Whether both names lead to one file.
    fn is_same(&self, a: &FileName, b: &FileName) -> bool {
        matches!((self.place(a), self.place(b)), (Some(a), Some(b)) if a == b)
    }

    /// Begins a new file.
    ///
    /// # Errors
    /// [`EXISTS`](spelunk_core::codes::EXISTS), [`BAD_TARGET`](spelunk_core::codes::BAD_TARGET), [`BUSY`](spelunk_core::codes::BUSY);
    /// input and output.
    fn create(&self, name: &FileName, how: Create) -> Result<Box<dyn NewFile>>;

    /// Returns the sink for the files of an extraction. Many files may be made faster together than one by one.
    fn sink(&self) -> Box<dyn FileSink + '_> {
        Box::new(Created(self))
    }

    /// Removes a file.
    ///
    /// # Errors
    /// When there is none, or it cannot be removed.
    fn remove(&self, name: &FileName) -> Result<()>;

    /// The turn to write to a file in place; `None` where there is no such file, which reading it reports. With `force`
    /// read-only files are replaced too.
    ///
    /// # Errors
    /// [`BUSY`](spelunk_core::codes::BUSY), [`READ_ONLY`](spelunk_core::codes::READ_ONLY).
    fn turn(&self, name: &FileName, force: bool) -> Result<Option<Box<dyn Turn>>>;

    /// The turn to write into a file, without another one that takes its place: for what grows. With `force` read-only files
    /// grow too, and stay read-only.
    ///
    /// # Errors
    /// When there is no such file; those of [`turn`](Files::turn).
    fn grow(&self, name: &FileName, force: bool) -> Result<Box<dyn InPlace>>;

    /// A plain file in a folder by a path that is not trusted, with `/`.
    ///
    /// # Errors
    /// `InvalidInput` for a path that is not safe on every system, and one that leads over a link; `NotFound`, and what else
    /// is in the way.
    fn locate(&self, folder: &FileName, path: &str) -> io::Result<FileName>;

    /// Whether a file that is there lies in a folder, whatever their names are.
    fn lies_in(&self, name: &FileName, folder: &FileName) -> bool;
}

/// Files that are made one by one.
struct Created<'f, F: ?Sized>(&'f F);

impl<F: Files + ?Sized> FileSink for Created<'_, F> {
    fn refuse_existing(
        &self,
        to: &ExtractionFolder<'_>,
        outputs: &mut dyn Iterator<Item = &str>,
    ) -> Result<()> {
        let name = |output: &str| FileName::from(to.folder.join(output));
        match outputs.map(name).find(|name| self.0.len(name).is_some()) {
            Some(name) => Err(Error::new(&codes::EXISTS).found(name.to_string())),
            None => Ok(()),
        }
    }

    fn write(
        &self,
        to: &ExtractionFolder<'_>,
        output: &str,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Vec<Finding>> {
        let existing = if to.force { Existing::Replace } else { Existing::Refuse };
        let below = Some(to.folder.into());
        let follow_links = to.follow_links;
        let how = Create { existing, follow_links, below, is_dry_run: false };
        let mut new = self.0.create(&to.folder.join(output).into(), how)?;
        fill(&mut new)?;
        new.commit()
    }
}
