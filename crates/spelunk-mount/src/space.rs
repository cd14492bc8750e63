//! All of what is mounted: folders, and containers that are opened when somebody enters them.
//!
//! Folders and containers are places, each with a number; what lies in one has a position there. Both together are the number by which
//! the kernel knows a file, and stay what they are for as long as the mount is there: a container that is closed meanwhile is laid out
//! alike when it is opened again.

use crate::{
    container::{Container, OpenEntry, lock},
    folder::{self, EntryKind, FolderEntry},
    said::Said,
    tree::Tree,
};
use spelunk::{
    Bytes, Error, Result, Source,
    open::codes,
    verbs::{FileName, FileStamp, Session},
};
use std::{
    collections::HashSet,
    ffi::OsStr,
    fmt,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::SystemTime,
};

/// Containers that are open at the same time, beside those of which a file is open. The others are closed.
const OPEN: usize = 16;
/// Findings that are known to have been said.
const FOUND: usize = 1 << 12;
/// Bits of a number that are a position.
const BITS: u32 = 40;

/// A file or a folder, as the kernel knows it; the first place has the number 1, as the kernel expects of the folder of all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ino(pub(crate) u64);

impl Ino {
    fn new(place: usize, at: usize) -> Ino {
        Ino(((place as u64) << BITS) | (at as u64).saturating_add(1))
    }

    /// The place, and the position there.
    fn parts(self) -> (usize, usize) {
        let at = (self.0 & ((1 << BITS) - 1)).saturating_sub(1);
        ((self.0 >> BITS) as usize, at as usize)
    }
}

/// What is said of a file or a folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    pub(crate) ino: Ino,
    pub(crate) is_folder: bool,
    /// Size in bytes; 0 of folders.
    pub(crate) size: u64,
    pub(crate) modified: SystemTime,
}

/// Why something cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refused {
    /// There is no such file.
    Missing,
    /// It is a folder.
    Folder,
    /// It is none.
    NoFolder,
    /// It is damaged, or cannot be read, which was said.
    Unreadable,
}

/// What came of a question.
pub(crate) type Answer<T> = std::result::Result<T, Refused>;

/// A folder, or a container.
struct Place {
    number: usize,
    /// The place that it lies in.
    parent: usize,
    file: FileName,
    modified: SystemTime,
    is_container: bool,
    /// When it was asked for last, in questions since the start.
    used: AtomicU64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    content: Option<Content>,
    /// What the container was when it was opened first.
    seen: Option<FileStamp>,
    /// That it cannot be opened was said.
    is_unusable: bool,
}

/// What lies in a place.
#[derive(Clone)]
enum Content {
    Folder(Arc<Listed>),
    Container(Arc<Container>),
}

/// A folder that was listed.
struct Listed {
    entries: Vec<FolderEntry>,
    /// For each of the entries that are folders or containers the number of its place, in their order.
    places: Vec<Option<usize>>,
}

/// A file that somebody has open.
#[derive(Debug)]
pub(crate) enum OpenFile {
    /// Of a container.
    Entry(Arc<OpenEntry>),
    /// Of a folder, as it is.
    Plain(PlainFile),
}

/// A file of a folder that is no container.
pub(crate) struct PlainFile {
    name: FileName,
    source: Arc<dyn Source>,
}

impl fmt::Debug for PlainFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PlainFile").field(&self.name).finish()
    }
}

/// All of what is mounted.
pub(crate) struct Space {
    session: Session,
    said: Box<dyn Said>,
    places: RwLock<Vec<Arc<Place>>>,
    /// Containers that are open.
    open: Mutex<Vec<Arc<Place>>>,
    clock: AtomicU64,
    /// Findings that were said.
    found: Mutex<HashSet<u64>>,
    started: SystemTime,
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Space").field("session", &self.session).finish_non_exhaustive()
    }
}

impl Space {
    /// A file, or a folder, of the files of a session, which is looked into.
    ///
    /// # Errors
    /// When it is not there; those of opening a container.
    pub(crate) fn new(session: Session, subject: &FileName, said: Box<dyn Said>) -> Result<Space> {
        let files = session.files();
        let is_folder = files.is_folder(subject);
        let is_container = !is_folder || files.is_container(subject, &session.options().formats);
        let modified = files.modified(subject);
        let (places, open, found) = (RwLock::default(), Mutex::default(), Mutex::default());
        let (clock, started) = (AtomicU64::new(0), SystemTime::now());
        let space = Space { session, said, places, open, clock, found, started };
        let root = space.add(0, subject.clone(), modified, is_container);
        let mut state = lock(&root.state);
        let content = space.look_into(&root, &mut state.seen)?;
        state.content = Some(content);
        drop(state);
        Ok(space)
    }

    /// Numbers of the files that are known from the start, and of bytes in them: those of the container, or the containers and other
    /// files right in the folder.
    pub(crate) fn totals(&self) -> (u64, u64) {
        match self.content(0) {
            Ok((_, Content::Container(container))) => {
                (container.tree.files(), container.tree.size())
            }
            Ok((_, Content::Folder(listed))) => {
                let is_file = |entry: &&FolderEntry| entry.kind != EntryKind::Folder;
                let sizes = listed.entries.iter().filter(is_file).map(|entry| entry.size);
                sizes.fold((0, 0), |(count, sum): (u64, u64), size| {
                    (count.saturating_add(1), sum.saturating_add(size))
                })
            }
            Err(_) => (0, 0),
        }
    }

    /// What is said of a file or folder.
    pub(crate) fn facts(&self, ino: Ino) -> Answer<Facts> {
        let (place, at) = ino.parts();
        if at == 0 {
            return Ok(self.place(place)?.facts());
        }
        let (place, content) = self.content(place)?;
        content.facts(&place, at).ok_or(Refused::Missing)
    }

    /// What is called so in a folder.
    pub(crate) fn find(&self, folder: Ino, name: &OsStr) -> Answer<Facts> {
        let (place, at) = folder.parts();
        let (place, content) = self.content(place)?;
        match &content {
            Content::Folder(listed) => {
                let nth = folder::find(&listed.entries, name).ok_or(Refused::Missing)?;
                self.listed(&place, &content, nth)
            }
            Content::Container(container) => {
                let name = name.to_str().ok_or(Refused::Missing)?;
                let found = container.tree.find(at, name).ok_or(Refused::Missing)?;
                content.facts(&place, found).ok_or(Refused::Missing)
            }
        }
    }

    /// The folder that something lies in; that of all others lies in itself.
    pub(crate) fn parent(&self, ino: Ino) -> Answer<Ino> {
        let (place, at) = ino.parts();
        if at == 0 {
            return Ok(Ino::new(self.place(place)?.parent, 0));
        }
        match self.content(place)?.1 {
            Content::Folder(_) => Ok(Ino::new(place, 0)),
            Content::Container(container) => Ok(Ino::new(place, container.tree.parent(at))),
        }
    }

    /// Hands out what lies in a folder, from the entry of this number on, in the order of the names, until `each` has enough.
    pub(crate) fn each(
        &self,
        folder: Ino,
        from: usize,
        each: &mut dyn FnMut(usize, &OsStr, Facts) -> bool,
    ) -> Answer<()> {
        let (place, at) = folder.parts();
        let (place, content) = self.content(place)?;
        match &content {
            Content::Folder(listed) => {
                for (nth, entry) in listed.entries.iter().enumerate().skip(from) {
                    if each(nth, &entry.name, self.listed(&place, &content, nth)?) {
                        break;
                    }
                }
            }
            Content::Container(container) => {
                if container.tree.entry(at).is_some() {
                    return Err(Refused::NoFolder);
                }
                for (nth, at) in container.tree.within(at).iter().enumerate().skip(from) {
                    let facts = content.facts(&place, *at).ok_or(Refused::Missing)?;
                    if each(nth, OsStr::new(container.tree.name(*at)), facts) {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Opens a file. Of a container nothing is read for it.
    pub(crate) fn open(&self, ino: Ino) -> Answer<OpenFile> {
        let (place, at) = ino.parts();
        if at == 0 {
            return Err(Refused::Folder);
        }
        match self.content(place)?.1 {
            Content::Container(container) => {
                let entry = container.open_entry(at);
                entry.map(OpenFile::Entry).ok_or(Refused::Folder)
            }
            Content::Folder(listed) => {
                let entry = listed.entries.get(at.saturating_sub(1)).ok_or(Refused::Missing)?;
                let source = folder::open(self.session.files(), &entry.file);
                let source = source.map_err(|error| self.fail(&entry.file.to_string(), &error))?;
                Ok(OpenFile::Plain(PlainFile { name: entry.file.clone(), source }))
            }
        }
    }

    /// Reads a part of an open file, which ends where the file does.
    pub(crate) fn read(&self, file: &OpenFile, offset: u64, len: u32) -> Answer<Bytes> {
        match file {
            OpenFile::Entry(entry) => {
                let bytes = entry.kept().map_or_else(|| self.bytes(entry), Ok)?;
                let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
                let end = start.saturating_add(len as usize).min(bytes.len());
                Ok(bytes.slice(start..end))
            }
            OpenFile::Plain(PlainFile { name, source }) => {
                let start = offset.min(source.len());
                let end = start.saturating_add(len.into()).min(source.len());
                let read = source.read(start..end, &mut self.session.options().budget(0));
                read.map_err(|error| self.fail(&name.to_string(), &error))
            }
        }
    }

    /// Reads a file of a container, and says what is wrong with it.
    fn bytes(&self, entry: &OpenEntry) -> Answer<Bytes> {
        let container = &entry.container;
        let read = entry.bytes();
        self.report(container);
        read.map_err(|error| {
            if let Some(error) = error {
                let path = container.tree.path(entry.place);
                self.said.failed(&format!("{}: {path}", container.name), &error);
            }
            Refused::Unreadable
        })
    }

    /// Says what is wrong with a file.
    fn fail(&self, file: &str, error: &Error) -> Refused {
        self.said.failed(file, error);
        Refused::Unreadable
    }

    /// Says what was noticed of a container, each finding once.
    fn report(&self, container: &Container) {
        let findings = container.take_findings().findings;
        if findings.is_empty() {
            return;
        }
        let mut found = lock(&self.found);
        for finding in findings {
            let mut hasher = DefaultHasher::new();
            (&container.name, finding.error.to_string()).hash(&mut hasher);
            if found.len() >= FOUND {
                found.clear();
            }
            if found.insert(hasher.finish()) {
                self.said.found(&container.name, &finding);
            }
        }
    }

    /// Adds a place, which is not looked into yet.
    fn add(
        &self,
        parent: usize,
        file: FileName,
        modified: Option<SystemTime>,
        is_container: bool,
    ) -> Arc<Place> {
        let mut places = self.places.write().unwrap_or_else(PoisonError::into_inner);
        let place = Arc::new(Place {
            number: places.len(),
            parent,
            file,
            modified: modified.unwrap_or(self.started),
            is_container,
            used: AtomicU64::new(0),
            state: Mutex::default(),
        });
        places.push(place.clone());
        place
    }

    fn place(&self, number: usize) -> Answer<Arc<Place>> {
        let places = self.places.read().unwrap_or_else(PoisonError::into_inner);
        places.get(number).cloned().ok_or(Refused::Missing)
    }

    /// What lies in a place, which is looked into where nobody did so before. Others who want the same wait meanwhile.
    fn content(&self, number: usize) -> Answer<(Arc<Place>, Content)> {
        let place = self.place(number)?;
        place.used.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        let mut state = lock(&place.state);
        if let Some(content) = &state.content {
            let content = content.clone();
            drop(state);
            return Ok((place, content));
        }
        if state.is_unusable {
            return Err(Refused::Unreadable);
        }
        match self.look_into(&place, &mut state.seen) {
            Ok(content) => {
                state.content = Some(content.clone());
                drop(state);
                if place.is_container {
                    self.opened(place.clone());
                }
                Ok((place, content))
            }
            Err(error) => {
                // What the machine or a limit refused may be there the next time.
                state.is_unusable = !error.ends_work();
                Err(self.fail(&place.file.to_string(), &error))
            }
        }
    }

    /// Looks into a place. A container that was seen before has to be what it was.
    fn look_into(&self, place: &Place, seen: &mut Option<FileStamp>) -> Result<Content> {
        let files = self.session.files();
        if !place.is_container {
            let formats = &self.session.options().formats;
            let (entries, unlisted) = folder::list(files, formats, &place.file);
            for (file, error) in unlisted {
                self.said.failed(&file.to_string(), &error);
            }
            let add = |entry: &FolderEntry| match entry.kind {
                EntryKind::Plain => None,
                kind => {
                    let is_container = kind == EntryKind::Container;
                    let file = entry.file.clone();
                    Some(self.add(place.number, file, entry.modified, is_container).number)
                }
            };
            let places = entries.iter().map(add).collect();
            return Ok(Content::Folder(Arc::new(Listed { entries, places })));
        }
        let now = files.seen(&place.file);
        if seen.is_some() && *seen != now {
            return Err(Error::new(&codes::MOUNTED_CHANGED));
        }
        let container = Arc::new(Container::open(&self.session, &place.file)?);
        *seen = now;
        self.report(&container);
        Ok(Content::Container(container))
    }

    /// Takes note of a container that was opened, and closes the one that nobody asked for for longest, where there are many.
    fn opened(&self, place: Arc<Place>) {
        let mut open = lock(&self.open);
        open.push(place);
        if open.len() <= OPEN {
            return;
        }
        let used = |place: &Arc<Place>| place.used.load(Ordering::Relaxed);
        let oldest = (0..open.len()).min_by_key(|nth| open.get(*nth).map(used));
        if let Some(oldest) = oldest {
            let oldest = open.swap_remove(oldest);
            drop(open);
            lock(&oldest.state).content = None;
        }
    }

    /// What is said of an entry of a folder.
    fn listed(&self, place: &Place, content: &Content, nth: usize) -> Answer<Facts> {
        if let Content::Folder(listed) = content
            && let Some(number) = listed.places.get(nth).copied().flatten()
        {
            return Ok(self.place(number)?.facts());
        }
        content.facts(place, nth.saturating_add(1)).ok_or(Refused::Missing)
    }
}

impl Place {
    /// What is said of the folder that it is.
    fn facts(&self) -> Facts {
        let ino = Ino::new(self.number, Tree::ROOT);
        Facts { ino, is_folder: true, size: 0, modified: self.modified }
    }
}

impl Content {
    /// What is said of what is at a position; `None` where there is nothing.
    fn facts(&self, place: &Place, at: usize) -> Option<Facts> {
        let (ino, modified) = (Ino::new(place.number, at), place.modified);
        match self {
            Content::Container(container) => {
                let entry = container.tree.entry(at);
                let size = entry.map_or(0, |entry| entry.size);
                let facts = Facts { ino, is_folder: entry.is_none(), size, modified };
                container.tree.has(at).then_some(facts)
            }
            Content::Folder(listed) => {
                let entry = listed.entries.get(at.checked_sub(1)?)?;
                let modified = entry.modified.unwrap_or(modified);
                let facts = Facts { ino, is_folder: false, size: entry.size, modified };
                (entry.kind == EntryKind::Plain).then_some(facts)
            }
        }
    }
}
