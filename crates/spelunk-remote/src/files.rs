//! Files of servers in front of others.

use crate::{
    RemoteOptions, Traffic,
    address::{Address, Place, encoded, folder_of},
    listing,
    source::RemoteSource,
    stores::Stores,
};
use spelunk_core::{Error, Finding, Result, Source, folder::Links, safe_path::is_harmless};
use spelunk_open::{
    Opened, Options, codes,
    detect::Formats,
    files::{
        Create, ExtractionFolder, FileName, FileSink, FileStamp, Files, FolderItem, InPlace,
        Listing, NewFile, Reading, Turn,
    },
};
use std::{
    collections::HashMap,
    fmt,
    io::{self, Write},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant, SystemTime},
};

/// Number of files that were only looked at and whose first bytes are kept until they are opened.
const LOOKED_AT: usize = 64;

/// Time for which what a look at a file gave is as good as another one.
const FRESH: Duration = Duration::from_secs(30);

/// Number of sizes that are kept of listings.
const SIZES: usize = 1 << 20;

/// Files of which those with URLs as names are read from servers, and all others are the files below. Nothing is written to
/// servers.
///
/// A name is a folder where its path ends with `/`, and only object stores list folders.
pub struct Remote<F> {
    below: F,
    stores: Arc<Stores>,
    looks: Mutex<Looks>,
}

/// What is known of files that were not opened yet.
#[derive(Default)]
struct Looks {
    opened: Vec<(FileName, Instant, Arc<RemoteSource>)>,
    /// Sizes that listings told.
    sizes: HashMap<FileName, u64>,
}

impl<F> fmt::Debug for Remote<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("traffic", &self.stores.traffic).finish_non_exhaustive()
    }
}

impl<F: Files> Remote<F> {
    /// Puts files of servers in front of these.
    pub fn new(below: F, options: RemoteOptions) -> Remote<F> {
        Remote { below, stores: Arc::new(Stores::new(options)), looks: Mutex::default() }
    }

    /// Returns the counts of what went over the network.
    pub fn traffic(&self) -> Arc<Traffic> {
        self.stores.traffic.clone()
    }

    fn looks(&self) -> MutexGuard<'_, Looks> {
        self.looks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a look at a file gave a moment ago.
    fn looked(&self, name: &FileName) -> Option<Arc<RemoteSource>> {
        let mut looks = self.looks();
        looks.opened.retain(|(_, at, _)| at.elapsed() < FRESH);
        let found = looks.opened.iter().find(|(known, ..)| known == name);
        found.map(|(.., source)| source.clone())
    }

    /// Looks at a file; whoever opens it next needs no request for that.
    fn look(&self, name: &FileName, address: &Address) -> Option<Arc<RemoteSource>> {
        if address.is_folder {
            return None;
        }
        if let Some(source) = self.looked(name) {
            return Some(source);
        }
        let object = self.stores.object(address, self.stores.options.whole).ok()?;
        let source = Arc::new(RemoteSource::open(self.stores.clone(), object).ok()?);
        let mut looks = self.looks();
        if looks.opened.len() == LOOKED_AT {
            looks.opened.remove(0);
        }
        looks.opened.push((name.clone(), Instant::now(), source.clone()));
        Some(source)
    }

    fn open_remote(
        &self,
        name: &FileName,
        address: &Address,
        how: Reading,
    ) -> Result<Arc<dyn Source>> {
        if address.is_folder && !address.is_web() {
            let folder = io::Error::from(io::ErrorKind::IsADirectory);
            return Err(Error::io(folder));
        }
        if let Some(source) = self.looked(name) {
            self.looks().opened.retain(|(known, ..)| known != name);
            return Ok(source);
        }
        let most = self.stores.options.whole.min(how.most);
        let object = self.stores.object(address, most)?;
        Ok(Arc::new(RemoteSource::open(self.stores.clone(), object)?))
    }

    fn list_remote(&self, name: &FileName, address: &Address, depth: usize) -> Vec<FolderItem> {
        if address.is_web() {
            return vec![listing::unlisted(name)];
        }
        match listing::files(&self.stores, address, depth) {
            Ok(files) if files.is_empty() => vec![listing::empty(name)],
            Ok(files) => {
                let sizes = &mut self.looks().sizes;
                let item = |file: listing::Listed| {
                    if sizes.len() < SIZES {
                        sizes.insert(file.name.clone(), file.size);
                    }
                    FolderItem::File(file.name, file.within.into())
                };
                files.into_iter().map(item).collect()
            }
            Err(error) => vec![listing::unreadable(name, &error)],
        }
    }
}

/// The error of writing to a server.
fn unwritten(name: &FileName) -> Error {
    Error::new(&codes::REMOTE_WRITING).found(name.to_string())
}

/// The address in a name of a remote file that can be understood.
fn remote(name: &FileName) -> Option<Address> {
    match Place::of(name) {
        Ok(Place::Remote(address)) => Some(*address),
        _ => None,
    }
}

/// The name that the files below know, where it is one of theirs; what cannot be understood is nobody's.
fn below(name: &FileName) -> Option<FileName> {
    match Place::of(name) {
        Ok(Place::Below(name)) => Some(name),
        _ => None,
    }
}

/// The name that the files below write by.
fn written(name: &FileName) -> Result<FileName> {
    match Place::of(name)? {
        Place::Below(name) => Ok(name),
        Place::Remote(_) => Err(unwritten(name)),
    }
}

impl<F: Files> Files for Remote<F> {
    fn open(&self, name: &FileName, how: Reading) -> Result<Arc<dyn Source>> {
        match Place::of(name)? {
            Place::Below(name) => self.below.open(&name, how),
            Place::Remote(address) => self.open_remote(name, &address, how),
        }
    }

    fn len(&self, name: &FileName) -> Option<u64> {
        match Place::of(name).ok()? {
            Place::Below(name) => self.below.len(&name),
            Place::Remote(address) => {
                let known = self.looks().sizes.get(name).copied();
                known.or_else(|| self.look(name, &address).map(|source| source.len()))
            }
        }
    }

    fn modified(&self, name: &FileName) -> Option<SystemTime> {
        match Place::of(name).ok()? {
            Place::Below(name) => self.below.modified(&name),
            Place::Remote(address) => self.look(name, &address)?.modified(),
        }
    }

    fn seen(&self, name: &FileName) -> Option<FileStamp> {
        match Place::of(name).ok()? {
            Place::Below(name) => self.below.seen(&name),
            Place::Remote(address) => Some(FileStamp::Tag(self.look(name, &address)?.stamp())),
        }
    }

    fn disk_path(&self, name: &FileName) -> Option<PathBuf> {
        self.below.disk_path(&below(name)?)
    }

    fn is_folder(&self, name: &FileName) -> bool {
        match Place::of(name) {
            Ok(Place::Below(name)) => self.below.is_folder(&name),
            Ok(Place::Remote(address)) => address.is_folder,
            Err(_) => false,
        }
    }

    fn open_folder(&self, name: &FileName, options: &Options) -> Result<Option<Opened>> {
        below(name).map_or(Ok(None), |name| self.below.open_folder(&name, options))
    }

    fn is_container(&self, name: &FileName, formats: &Formats) -> bool {
        below(name).is_some_and(|name| self.below.is_container(&name, formats))
    }

    fn parts(&self, name: &FileName) -> Vec<FileName> {
        below(name).map_or_else(Vec::new, |name| self.below.parts(&name))
    }

    fn whole(&self, name: &FileName) -> Result<FileName> {
        below(name).map_or_else(|| Ok(name.clone()), |name| self.below.whole(&name))
    }

    fn folders(&self, name: &FileName) -> Vec<FileName> {
        match Place::of(name) {
            Ok(Place::Below(name)) => self.below.folders(&name),
            Ok(Place::Remote(address)) if !address.is_web() => {
                listing::folders(&self.stores, &address).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    fn around(&self, name: &FileName) -> [FileName; 2] {
        match below(name) {
            Some(name) => self.below.around(&name),
            None => {
                let beside = folder_of(name);
                let above = folder_of(&beside);
                [beside, above]
            }
        }
    }

    fn list(&self, name: &FileName, depth: usize, links: Links) -> Listing<'_> {
        match Place::of(name) {
            Ok(Place::Below(name)) => self.below.list(&name, depth, links),
            Ok(Place::Remote(address)) => {
                Box::new(self.list_remote(name, &address, depth).into_iter())
            }
            Err(error) => Box::new(std::iter::once(listing::unreadable(name, &error))),
        }
    }

    fn place(&self, name: &FileName) -> Option<FileName> {
        match Place::of(name).ok()? {
            Place::Below(name) => self.below.place(&name),
            Place::Remote(_) => Some(name.clone()),
        }
    }

    fn is_same(&self, a: &FileName, b: &FileName) -> bool {
        match (below(a), below(b)) {
            (Some(a), Some(b)) => self.below.is_same(&a, &b),
            (None, None) => a == b,
            _ => false,
        }
    }

    fn create(&self, name: &FileName, how: Create) -> Result<Box<dyn NewFile>> {
        self.below.create(&written(name)?, how)
    }

    fn sink(&self) -> Box<dyn FileSink + '_> {
        Box::new(Sink(self.below.sink()))
    }

    fn remove(&self, name: &FileName) -> Result<()> {
        self.below.remove(&written(name)?)
    }

    fn turn(&self, name: &FileName, force: bool) -> Result<Option<Box<dyn Turn>>> {
        self.below.turn(&written(name)?, force)
    }

    fn grow(&self, name: &FileName, force: bool) -> Result<Box<dyn InPlace>> {
        self.below.grow(&written(name)?, force)
    }

    fn locate(&self, folder: &FileName, path: &str) -> io::Result<FileName> {
        let Some(address) = remote(folder) else {
            let below = below(folder).ok_or(io::ErrorKind::InvalidInput)?;
            return self.below.locate(&below, path);
        };
        if !path.split('/').all(is_harmless) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let name = match &address.uri {
            Some(uri) => {
                let folder = uri.path().trim_end_matches('/');
                format!("{}{folder}/{}", address.store, encoded(path)).into()
            }
            None if address.key.as_ref().is_empty() => address.sibling(path),
            None => address.sibling(&format!("{}/{path}", address.key)),
        };
        let found = self.len(&name).map(|_| name);
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn lies_in(&self, name: &FileName, folder: &FileName) -> bool {
        match (below(name), below(folder)) {
            (Some(name), Some(folder)) => self.below.lies_in(&name, &folder),
            (None, None) => {
                let folder = format!("{}/", folder.to_string().trim_end_matches('/'));
                name.to_string().starts_with(&folder)
            }
            _ => false,
        }
    }
}

/// The files of an extraction, which are written below a folder of the files below.
struct Sink<'a>(Box<dyn FileSink + 'a>);

impl Sink<'_> {
    /// Does something with the folder that the files below know.
    fn with<T>(
        to: &ExtractionFolder<'_>,
        then: impl FnOnce(&ExtractionFolder<'_>) -> Result<T>,
    ) -> Result<T> {
        let folder = written(&to.folder.into())?;
        then(&ExtractionFolder { folder: folder.as_path(), ..*to })
    }
}

impl FileSink for Sink<'_> {
    fn refuse_existing(
        &self,
        to: &ExtractionFolder<'_>,
        outputs: &mut dyn Iterator<Item = &str>,
    ) -> Result<()> {
        Sink::with(to, |to| self.0.refuse_existing(to, outputs))
    }

    fn write(
        &self,
        to: &ExtractionFolder<'_>,
        output: &str,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Vec<Finding>> {
        Sink::with(to, |to| self.0.write(to, output, fill))
    }
}
