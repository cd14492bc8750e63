//! An opened container, and its entries that somebody has open.

use crate::tree::Tree;
use spelunk::{
    Bytes, Collect, Error, File, Node, Result,
    containers::extract,
    entries::select::Select,
    open::codes,
    verbs::{FileName, Session, parity},
};
use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    thread,
    time::Duration,
};

/// How often, and after which time, memory is asked for again that other open files have.
const TRIES: usize = 20;
const PAUSE: Duration = Duration::from_millis(20);

/// A lock that a thread which failed gives back too.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An opened container.
pub(crate) struct Container {
    /// What it is called in messages.
    pub(crate) name: String,
    file: File,
    /// The files in it. Their memory is charged to `file`.
    pub(crate) tree: Tree,
    /// Entries that somebody has open, by their positions in the tree.
    open: Mutex<HashMap<usize, Weak<OpenEntry>>>,
}

impl fmt::Debug for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Container").field("file", &self.file).finish_non_exhaustive()
    }
}

impl Container {
    /// Opens a file, or a folder that is one container. What its entries hold is not read.
    ///
    /// # Errors
    /// Those of [`Session::file`]; [`NOTHING_TO_MOUNT`](codes::NOTHING_TO_MOUNT).
    pub(crate) fn open(session: &Session, name: &FileName) -> Result<Container> {
        let file = session.file(name)?;
        let every = Select::new::<&str>(&[], &[])?;
        let pages = file.code_pages().clone();
        let tree = file.with_container(|container, task| {
            let (profile, dialect) = (container.profile(), container.dialect());
            if parity::instead(profile, dialect, "extract").is_some() {
                return Err(Error::new(&codes::NOTHING_TO_MOUNT).found(profile.name));
            }
            let items = extract::items(container, &pages, &every, false, task)?;
            task.budget.memory(Tree::held(items.len()))?;
            Ok(Tree::of(items))
        })?;
        Ok(Container { name: name.to_string(), file, tree, open: Mutex::default() })
    }

    /// What was noticed since this was asked for before.
    pub(crate) fn take_findings(&self) -> Collect {
        self.file.take_findings()
    }

    /// Opens the file at a position of the tree; `None` where there is none. Whoever opens it meanwhile shares it.
    pub(crate) fn open_entry(self: &Arc<Container>, place: usize) -> Option<Arc<OpenEntry>> {
        let node = self.tree.entry(place)?.node;
        let mut open = lock(&self.open);
        if let Some(entry) = open.get(&place).and_then(Weak::upgrade) {
            return Some(entry);
        }
        let content = Mutex::new(Content::Unread);
        let entry = Arc::new(OpenEntry { container: self.clone(), place, node, content });
        open.insert(place, Arc::downgrade(&entry));
        Some(entry)
    }

    /// Lets go of the bytes of open files, but for this one: they are read again when they are asked for. Whether others are open.
    fn let_go_but_for(&self, wanted: &OpenEntry) -> bool {
        // The last handle of one takes the lock when it goes.
        let mut open: Vec<Arc<OpenEntry>> =
            lock(&self.open).values().filter_map(Weak::upgrade).collect();
        open.retain(|other| other.place != wanted.place);
        for other in &open {
            // One that is locked is being read.
            if let Ok(mut content) = other.content.try_lock()
                && matches!(*content, Content::Read(_))
            {
                *content = Content::Unread;
            }
        }
        !open.is_empty()
    }
}

/// A file of a container that somebody has open.
pub(crate) struct OpenEntry {
    pub(crate) container: Arc<Container>,
    pub(crate) place: usize,
    node: Node,
    content: Mutex<Content>,
}

/// What is known of the bytes of an open file.
enum Content {
    Unread,
    /// They are charged to the container.
    Read(Bytes),
    /// They are damaged, which was said.
    Unreadable,
}

impl fmt::Debug for OpenEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenEntry").field("place", &self.place).finish_non_exhaustive()
    }
}

impl OpenEntry {
    /// The plain bytes, where they were read before.
    pub(crate) fn kept(&self) -> Option<Bytes> {
        match &*lock(&self.content) {
            Content::Read(bytes) => Some(bytes.clone()),
            _ => None,
        }
    }

    /// The plain bytes, which are read and unpacked when they are asked for first, and kept from then on. Where there is no memory for
    /// them, other open files of the container lose theirs.
    ///
    /// # Errors
    /// Those of [`File::bytes_of`], of damage once; `None` where that was said before.
    pub(crate) fn bytes(&self) -> std::result::Result<Bytes, Option<Error>> {
        let mut content = lock(&self.content);
        match &*content {
            Content::Read(bytes) => return Ok(bytes.clone()),
            Content::Unreadable => return Err(None),
            Content::Unread => {}
        }
        let mut read = self.container.file.bytes_of(self.node);
        let lacks_memory = |error: &Error| error.code().id == codes::core::MEMORY.id;
        for _ in 0..TRIES {
            if !read.as_ref().is_err_and(lacks_memory) || !self.container.let_go_but_for(self) {
                break;
            }
            read = self.container.file.bytes_of(self.node);
            if read.is_err() {
                // Others hold theirs for as long as it takes to hand them out.
                thread::sleep(PAUSE);
            }
        }
        match read {
            Ok(bytes) => {
                *content = Content::Read(bytes.clone());
                Ok(bytes)
            }
            Err(error) => {
                // What the machine or a limit refused may be there the next time.
                if !error.ends_work() {
                    *content = Content::Unreadable;
                }
                Err(Some(error))
            }
        }
    }
}

impl Drop for OpenEntry {
    fn drop(&mut self) {
        let mut open = lock(&self.container.open);
        if open.get(&self.place).is_some_and(|entry| entry.strong_count() == 0) {
            open.remove(&self.place);
        }
    }
}
