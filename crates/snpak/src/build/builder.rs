//! Packs of files and bytes, with everything that writing them needs.

use super::{Asset, Content, Options, Payload, name_id};
use crate::edit::Draft;
use bytes::Bytes;
use spelunk_core::{Budget, Collect, Limits, Result, Task};
use std::io::{Seek, Write};

/// A pack on its way.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # std::fs::create_dir(folder.path().join("sounds")).unwrap();
/// # std::fs::write(folder.path().join("sounds/wind.ogg"), "wind").unwrap();
/// # let pack = folder.path().join("../assets.snpak");
/// # let (assets, pack) = (folder.path(), folder.path().with_extension("snpak"));
/// snpak::Builder::from_folder(assets)?.write(&pack)?;
/// assert_eq!(snpak::Pack::open(&pack)?.load_by_name("sounds/wind.ogg")?, &b"wind"[..]);
/// # std::fs::remove_file(pack).unwrap();
/// # Ok::<(), snpak::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Builder {
    assets: Vec<Asset>,
    options: Options,
}

impl Builder {
    /// A pack without assets.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// A pack of the files in a folder and in the folders in it, in the order of their names. Each is called by its path, with `/`
    /// and its extension, and packed as its extension recommends. Files are read when the pack is written; links are passed
    /// over.
    ///
    /// # Errors
    /// Reading errors; [`BAD_PATH`](spelunk_core::codes::BAD_PATH) for names of files that are no text.
    #[cfg(feature = "fs")]
    pub fn from_folder(folder: impl AsRef<std::path::Path>) -> Result<Builder> {
        use spelunk_core::{
            Error,
            folder::{Below, Links, list, name_below},
        };
        let folder = folder.as_ref();
        let mut builder = Builder::new();
        let meta = folder.metadata().map_err(|error| Error::io_of(folder, error))?;
        if !meta.is_dir() {
            let error = std::io::Error::from(std::io::ErrorKind::NotADirectory);
            return Err(Error::io_of(folder, error));
        }
        for below in list(folder, usize::MAX, Links::Passed) {
            match below {
                Below::File(path) => {
                    let name = name_below(folder, &path)?;
                    let len = path.metadata().map_err(|error| Error::io_of(&path, error))?.len();
                    builder = builder.add(&name, Content::file(path, Some(len)));
                }
                Below::Link(_) => {}
                Below::Unreadable(path, error) => return Err(Error::io_of(&path, error)),
            }
        }
        Ok(builder)
    }

    /// Adds an asset of this name, with the id that belongs to that, packed as the extension recommends.
    #[must_use]
    pub fn add(self, name: &str, content: impl Into<Content>) -> Builder {
        let payload = Payload::recommended(name, content);
        self.asset(Asset::new(name_id(name.as_bytes(), None), name, payload))
    }

    /// Adds an asset with all that can be said of it.
    #[must_use]
    pub fn asset(mut self, asset: Asset) -> Builder {
        self.assets.push(asset);
        self
    }

    /// Sets the options by which the pack is written.
    #[must_use]
    pub fn options(self, options: Options) -> Builder {
        Builder { options, ..self }
    }

    /// Number of assets.
    pub fn len(&self) -> usize {
        self.assets.len()
    }

    /// Whether there are no assets.
    pub fn is_empty(&self) -> bool {
        self.assets.is_empty()
    }

    /// Writes the pack to `path`: it is there when it is complete, or not at all, and what was there is replaced.
    ///
    /// # Errors
    /// Two assets with one id; what a pack cannot hold; reading and writing errors.
    #[cfg(feature = "fs")]
    pub fn write(self, path: impl AsRef<std::path::Path>) -> Result<()> {
        use spelunk_core::replace::{Existing, Replacement};
        let mut new = Replacement::begin(path.as_ref(), Existing::Replace)?;
        let mut sink = Collect::default();
        self.write_with(&mut new, &mut task(&mut sink))?;
        new.commit().map(drop)
    }

    /// The bytes of the pack.
    ///
    /// # Errors
    /// Those of [`Builder::write`].
    pub fn to_bytes(self) -> Result<Bytes> {
        let mut out = std::io::Cursor::new(Vec::new());
        let mut sink = Collect::default();
        self.write_with(&mut out, &mut task(&mut sink))?;
        Ok(out.into_inner().into())
    }

    /// Writes the pack to `out`, with the budget and the findings of a task.
    ///
    /// # Errors
    /// Those of [`Builder::write`]; limits.
    pub fn write_with(self, out: &mut (impl Write + Seek), task: &mut Task<'_>) -> Result<()> {
        let mut draft = Draft::default();
        for asset in self.assets {
            draft.add(asset)?;
        }
        draft.write(out, self.options, task).map(drop)
    }
}

/// Returns a task without a limit on the size of what is packed, which is the caller's own.
fn task(sink: &mut Collect) -> Task<'_> {
    Task::new(Budget::new(Limits::unlimited()), sink)
}
