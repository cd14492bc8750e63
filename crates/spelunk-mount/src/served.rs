//! The answers to the kernel.

use crate::{
    container::lock,
    space::{Answer, Facts, Ino, OpenFile, Refused, Space},
};
use fuser::{
    Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation, INodeNo, InitFlags,
    KernelConfig, LockOwner, OpenFlags, ReplyAttr, ReplyData, ReplyDirectory, ReplyDirectoryPlus,
    ReplyEmpty, ReplyEntry, ReplyOpen, ReplyStatfs, Request,
};
use nix::unistd::{getgid, getuid};
use std::{
    collections::HashMap,
    ffi::OsStr,
    fmt, io,
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// For so long the kernel need not ask again: nothing changes while it is mounted.
const UNCHANGED: Duration = Duration::from_secs(24 * 60 * 60);
/// Bytes of a block, in which sizes of whole systems are told.
const BLOCK: u32 = 4096;
/// Entries of a folder that are not its own: itself, and the one above.
const DOTS: u64 = 2;

/// Called when nothing is asked any more.
pub(crate) type Ended = Box<dyn FnOnce() + Send>;

/// What is mounted, as the kernel asks for it.
pub(crate) struct Served {
    space: Space,
    /// Open files by the numbers of their handles.
    open: RwLock<HashMap<u64, Arc<OpenFile>>>,
    next: AtomicU64,
    /// Whom everything belongs to.
    owner: (u32, u32),
    ended: Mutex<Option<Ended>>,
}

impl fmt::Debug for Served {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Served").field("space", &self.space).finish_non_exhaustive()
    }
}

impl Served {
    /// Answers for what is mounted, and calls `ended` when nothing is asked any more.
    pub(crate) fn new(space: Space, ended: Ended) -> Served {
        Served {
            space,
            open: RwLock::default(),
            next: AtomicU64::new(1),
            owner: (getuid().as_raw(), getgid().as_raw()),
            ended: Mutex::new(Some(ended)),
        }
    }

    fn attr(&self, facts: &Facts) -> FileAttr {
        // As extraction makes them: a copy of all can be changed and removed. The mount itself is read-only.
        let (kind, perm, nlink) = match facts.is_folder {
            true => (FileType::Directory, 0o755, 2),
            false => (FileType::RegularFile, 0o644, 1),
        };
        let (uid, gid) = self.owner;
        FileAttr {
            ino: INodeNo(facts.ino.0),
            size: facts.size,
            blocks: facts.size.div_ceil(512),
            atime: facts.modified,
            mtime: facts.modified,
            ctime: facts.modified,
            crtime: facts.modified,
            kind,
            perm,
            nlink,
            uid,
            gid,
            rdev: 0,
            blksize: BLOCK,
            flags: 0,
        }
    }

    /// Hands out what lies in a folder from an offset on: the offset of the next one, the name, and what it is.
    fn list(
        &self,
        folder: Ino,
        offset: u64,
        each: &mut dyn FnMut(u64, &OsStr, &FileAttr) -> bool,
    ) -> Answer<()> {
        let dots = [(".", folder), ("..", self.space.parent(folder)?)];
        for (nth, (name, ino)) in (1..).zip(dots) {
            let facts = self.space.facts(ino)?;
            if nth > offset && each(nth, OsStr::new(name), &self.attr(&facts)) {
                return Ok(());
            }
        }
        let from = usize::try_from(offset.saturating_sub(DOTS)).unwrap_or(usize::MAX);
        self.space.each(folder, from, &mut |nth, name, facts| {
            each((nth as u64).saturating_add(DOTS + 1), name, &self.attr(&facts))
        })
    }

    fn opened(&self, handle: FileHandle) -> Option<Arc<OpenFile>> {
        self.open.read().unwrap_or_else(PoisonError::into_inner).get(&handle.0).cloned()
    }
}

/// The number of the system for what was refused.
fn errno(refused: Refused) -> Errno {
    match refused {
        Refused::Missing => Errno::ENOENT,
        Refused::Folder => Errno::EISDIR,
        Refused::NoFolder => Errno::ENOTDIR,
        Refused::Unreadable => Errno::EIO,
    }
}

impl Filesystem for Served {
    fn init(&mut self, _: &Request, config: &mut KernelConfig) -> io::Result<()> {
        for wanted in [
            InitFlags::FUSE_DO_READDIRPLUS,
            InitFlags::FUSE_READDIRPLUS_AUTO,
            InitFlags::FUSE_PARALLEL_DIROPS,
        ] {
            // Older kernels do without.
            let _ = config.add_capabilities(wanted);
        }
        Ok(())
    }

    fn destroy(&mut self) {
        if let Some(ended) = lock(&self.ended).take() {
            ended();
        }
    }

    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        match self.space.find(Ino(parent.0), name) {
            Ok(facts) => reply.entry(&UNCHANGED, &self.attr(&facts), Generation(0)),
            Err(refused) => reply.error(errno(refused)),
        }
    }

    fn getattr(&self, _: &Request, ino: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        match self.space.facts(Ino(ino.0)) {
            Ok(facts) => reply.attr(&UNCHANGED, &self.attr(&facts)),
            Err(refused) => reply.error(errno(refused)),
        }
    }

    fn open(&self, _: &Request, ino: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        match self.space.open(Ino(ino.0)) {
            Ok(file) => {
                let handle = self.next.fetch_add(1, Ordering::Relaxed);
                let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
                open.insert(handle, Arc::new(file));
                drop(open);
                // What the kernel has of it from before is still true.
                reply.opened(FileHandle(handle), FopenFlags::FOPEN_KEEP_CACHE);
            }
            Err(refused) => reply.error(errno(refused)),
        }
    }

    fn read(
        &self,
        _: &Request,
        _: INodeNo,
        handle: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let Some(file) = self.opened(handle) else { return reply.error(Errno::EBADF) };
        match self.space.read(&file, offset, size) {
            Ok(bytes) => reply.data(&bytes),
            Err(refused) => reply.error(errno(refused)),
        }
    }

    fn release(
        &self,
        _: &Request,
        _: INodeNo,
        handle: FileHandle,
        _: OpenFlags,
        _: Option<LockOwner>,
        _: bool,
        reply: ReplyEmpty,
    ) {
        let closed = self.open.write().unwrap_or_else(PoisonError::into_inner).remove(&handle.0);
        // Its bytes go when the table is free for others.
        drop(closed);
        reply.ok();
    }

    fn opendir(&self, _: &Request, _: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        let kept = FopenFlags::FOPEN_CACHE_DIR | FopenFlags::FOPEN_KEEP_CACHE;
        reply.opened(FileHandle(0), kept);
    }

    fn readdir(
        &self,
        _: &Request,
        ino: INodeNo,
        _: FileHandle,
        offset: u64,
        mut reply: ReplyDirectory,
    ) {
        let listed = self.list(Ino(ino.0), offset, &mut |next, name, attr| {
            reply.add(attr.ino, next, attr.kind, name)
        });
        match listed {
            Ok(()) => reply.ok(),
            Err(refused) => reply.error(errno(refused)),
        }
    }

    fn readdirplus(
        &self,
        _: &Request,
        ino: INodeNo,
        _: FileHandle,
        offset: u64,
        mut reply: ReplyDirectoryPlus,
    ) {
        let listed = self.list(Ino(ino.0), offset, &mut |next, name, attr| {
            reply.add(attr.ino, next, name, &UNCHANGED, attr, Generation(0))
        });
        match listed {
            Ok(()) => reply.ok(),
            Err(refused) => reply.error(errno(refused)),
        }
    }

    fn statfs(&self, _: &Request, _: INodeNo, reply: ReplyStatfs) {
        let (files, size) = self.space.totals();
        let blocks = size.div_ceil(BLOCK.into());
        reply.statfs(blocks, 0, 0, files, 0, BLOCK, 255, BLOCK);
    }
}
