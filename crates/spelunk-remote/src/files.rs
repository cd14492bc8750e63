//! Files of servers in front of others.

use crate::{
    RemoteOptions, Traffic,
    address::{Address, Place, folder_of},
    listing,
    source::RemoteSource,
    stores::Stores,
    upload::{Condition, Target},
};
use object_store::ObjectStoreExt;
use spelunk_core::{
    Error, Finding, Result, Source, codes::BAD_TARGET, codes::EXISTS, folder::Links,
    replace::Existing, safe_path::is_harmless,
};
use spelunk_open::{
    Opened, Options, codes,
    detect::Formats,
    files::{
        Create, ExtractionFolder, FileName, FileSink, FileStamp, Files, FolderItem, InPlace,
        Listing, NewFile, Nowhere, Reading, Spool, Turn,
    },
};
use std::{
    collections::{HashMap, HashSet},
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

/// Number of files that are kept of listings.
const LISTED: usize = 1 << 20;

/// Files of which those with URLs as names are those of servers, and all others are the files below. Object stores are written
/// to, web servers are not.
///
/// A name is a folder where its path ends with `/`, and only object stores list folders.
pub struct Remote<F> {
    below: F,
    stores: Arc<Stores>,
    looks: Arc<Mutex<Looks>>,
}

/// What is known of files that were not opened yet.
#[derive(Default)]
struct Looks {
    opened: Vec<(FileName, Instant, Arc<RemoteSource>)>,
    /// Size and time of the last change, as listings told them.
    listed: HashMap<FileName, (u64, SystemTime)>,
}

impl Looks {
    /// Forgets what was seen of a file that is about to be another one.
    fn forget(&mut self, address: &Address) {
        let name = address.sibling(address.key.as_ref());
        self.opened.clear();
        self.listed.remove(&name);
    }
}

impl<F> fmt::Debug for Remote<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").field("traffic", &self.stores.traffic).finish_non_exhaustive()
    }
}

impl<F: Files> Remote<F> {
    /// Puts files of servers in front of these.
    pub fn new(below: F, options: RemoteOptions) -> Remote<F> {
        Remote { below, stores: Arc::new(Stores::new(options)), looks: Arc::default() }
    }

    /// Returns the counts of what went over the network.
    pub fn traffic(&self) -> Arc<Traffic> {
        self.stores.traffic.clone()
    }

    fn looks(&self) -> MutexGuard<'_, Looks> {
        locked(&self.looks)
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

    fn target(&self, address: Address, existing: &Existing) -> Target {
        let condition = match existing {
            Existing::Refuse => Condition::Free,
            Existing::Replace | Existing::Backup(_) => Condition::None,
        };
        Target { stores: self.stores.clone(), address, condition }
    }

    fn list_remote(&self, name: &FileName, address: &Address, depth: usize) -> Vec<FolderItem> {
        if address.is_web() {
            return vec![listing::unlisted(name)];
        }
        match listing::files(&self.stores, address, depth) {
            Ok(files) if files.is_empty() => vec![listing::empty(name)],
            Ok(files) => {
                let known = &mut self.looks().listed;
                let item = |file: listing::Listed| {
                    if known.len() < LISTED {
                        known.insert(file.name.clone(), (file.size, file.modified));
                    }
                    FolderItem::File(file.name, file.within.into())
                };
                files.into_iter().map(item).collect()
            }
            Err(error) => vec![listing::unreadable(name, &error)],
        }
    }
}

fn locked(looks: &Mutex<Looks>) -> MutexGuard<'_, Looks> {
    looks.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The error of what is not written to a server.
fn unwritten(name: &FileName, expected: &'static str) -> Error {
    Error::new(&codes::REMOTE_WRITING).expected(expected).found(name.to_string())
}

/// Refuses servers that take no files.
fn writable(name: &FileName, address: &Address) -> Result<()> {
    match address.is_web() {
        true => Err(unwritten(name, "a file of the disk or of an object store")),
        false => Ok(()),
    }
}

/// Begins a file that goes to an object store when it is complete.
fn begin(target: Target, existing: Existing, looks: Arc<Mutex<Looks>>) -> Result<Box<dyn NewFile>> {
    let spool = Spool::new(move |file| {
        if let Existing::Backup(suffix) = existing {
            let kept = target.keep(&suffix.to_string_lossy())?;
            locked(&looks).forget(&kept);
        }
        // What was seen of files until now says nothing of them any more.
        locked(&looks).forget(&target.address);
        target.put(file)?;
        Ok(Vec::new())
    })?;
    Ok(Box::new(spool))
}

/// The turn to replace the very file that was read from an object store.
struct Edit {
    target: Target,
    looks: Arc<Mutex<Looks>>,
}

impl Turn for Edit {
    fn begin(self: Box<Self>, existing: Existing) -> Result<Box<dyn NewFile>> {
        begin(self.target, existing, self.looks)
    }
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
                let known = self.looks().listed.get(name).map(|(size, _)| *size);
                known.or_else(|| self.look(name, &address).map(|source| source.len()))
            }
        }
    }

    fn now(&self) -> Option<SystemTime> {
        self.below.now()
    }

    fn modified(&self, name: &FileName) -> Option<SystemTime> {
        match Place::of(name).ok()? {
            Place::Below(name) => self.below.modified(&name),
            Place::Remote(address) => {
                let known = self.looks().listed.get(name).map(|(_, modified)| *modified);
                known.or_else(|| self.look(name, &address)?.modified())
            }
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
            Place::Remote(address) => Some(address.name(name)),
        }
    }

    fn is_same(&self, a: &FileName, b: &FileName) -> bool {
        match (below(a), below(b)) {
            (Some(a), Some(b)) => self.below.is_same(&a, &b),
            (None, None) => self.place(a) == self.place(b),
            _ => false,
        }
    }

    fn create(&self, name: &FileName, how: Create) -> Result<Box<dyn NewFile>> {
        let address = match Place::of(name)? {
            Place::Below(name) => return self.below.create(&name, how),
            Place::Remote(address) => *address,
        };
        writable(name, &address)?;
        if address.is_folder {
            return Err(Error::new(&BAD_TARGET).expected("a file").found(name.to_string()));
        }
        let target = self.target(address, &how.existing);
        // Before the work is done that would be in vain.
        target.check()?;
        match how.is_dry_run {
            true => Ok(Box::new(Nowhere::default())),
            false => begin(target, how.existing, self.looks.clone()),
        }
    }

    fn sink(&self) -> Box<dyn FileSink + '_> {
        Box::new(Sink { files: self, below: self.below.sink() })
    }

    fn remove(&self, name: &FileName) -> Result<()> {
        let address = match Place::of(name)? {
            Place::Below(name) => return self.below.remove(&name),
            Place::Remote(address) => *address,
        };
        writable(name, &address)?;
        let store = self.stores.store(&address)?;
        let key = address.key.clone();
        let removed = self.stores.worker.wait(async move { store.delete(&key).await })?;
        self.looks().forget(&address);
        removed.map_err(|_| self.stores.failed("that the file was removed"))
    }

    fn turn(&self, name: &FileName, force: bool) -> Result<Option<Box<dyn Turn>>> {
        let address = match Place::of(name)? {
            Place::Below(name) => return self.below.turn(&name, force),
            Place::Remote(address) => *address,
        };
        writable(name, &address)?;
        // Whoever reads the file now reads what is seen here.
        let Some(source) = self.look(name, &address) else { return Ok(None) };
        let condition = Condition::AsRead(source.state_read().clone());
        let target = Target { stores: self.stores.clone(), address, condition };
        Ok(Some(Box::new(Edit { target, looks: self.looks.clone() })))
    }

    fn grow(&self, name: &FileName, force: bool) -> Result<Box<dyn InPlace>> {
        match Place::of(name)? {
            Place::Below(name) => self.below.grow(&name, force),
            Place::Remote(_) => Err(unwritten(name, "a file of the disk, which grows in place")),
        }
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
            Some(uri) => FileName::from(format!("{}{}", address.store, uri.path())).join(path),
            None => address.sibling(&address.key_in(path)),
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

/// The files of an extraction.
struct Sink<'a, F> {
    files: &'a Remote<F>,
    below: Box<dyn FileSink + 'a>,
}

impl<F: Files> FileSink for Sink<'_, F> {
    fn refuse_existing(
        &self,
        to: &ExtractionFolder<'_>,
        outputs: &mut dyn Iterator<Item = &str>,
    ) -> Result<()> {
        let folder = to.folder.into();
        let address = match Place::of(&folder)? {
            Place::Below(name) => {
                let to = ExtractionFolder { folder: name.as_path(), ..*to };
                return self.below.refuse_existing(&to, outputs);
            }
            Place::Remote(address) => address,
        };
        writable(&folder, &address)?;
        let there = listing::files(&self.files.stores, &address, usize::MAX)?;
        let there: HashSet<String> = there.into_iter().map(|file| file.within).collect();
        let mut taken = outputs.filter(|output| there.contains(*output));
        match taken.next() {
            Some(output) => Err(Error::new(&EXISTS).found(folder.join(output).to_string())),
            None => Ok(()),
        }
    }

    fn write(
        &self,
        to: &ExtractionFolder<'_>,
        output: &str,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Vec<Finding>> {
        let folder = to.folder.into();
        let address = match Place::of(&folder)? {
            Place::Below(name) => {
                let to = ExtractionFolder { folder: name.as_path(), ..*to };
                return self.below.write(&to, output, fill);
            }
            Place::Remote(address) => address,
        };
        writable(&folder, &address)?;
        let existing = if to.force { Existing::Replace } else { Existing::Refuse };
        let target = self.files.target(address.with_key(&address.key_in(output))?, &existing);
        let mut new = begin(target, existing, self.files.looks.clone())?;
        fill(&mut new)?;
        new.commit()
    }
}
