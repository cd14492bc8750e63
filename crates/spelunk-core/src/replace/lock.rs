//! Writers of one file take turns.
//!
//! A writer makes the new file first, beside the target, under a name that follows from the name of the target. The file
//! that holds what is written is the lock, too: whoever has it locked is the one who may write. When it takes the place of
//! the target, or is removed, the next writer makes its own, and reads what is there then. A writer that was killed leaves
//! a file that nobody has locked, which the next one removes.
//!
//! Windows refuses to read what is locked, and to rename what is open, so there a second file is the lock, which the system
//! removes when its owner ends.

use crate::{
    codes,
    error::{Error, Result},
    safe_path::mark,
    unfinished::{Undo, Unfinished},
};
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant, SystemTime},
};

/// Time that a writer waits for its turn.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time between two looks at the lock.
const PAUSE: Duration = Duration::from_millis(5);
/// Beginning and end of the names of files that are there while something is written.
const NAME: (&str, &str) = (".spelunk-", ".tmp");

/// Whether a file of this name is one that is there only while another one is written.
pub fn is_temporary(name: &str) -> bool {
    name.strip_prefix(NAME.0).is_some_and(|rest| rest.ends_with(NAME.1))
}

/// The turn to write a file. Others that want to write it wait until this is dropped.
///
/// Take it before the file is read, so that nobody changes it between reading and writing. Reading needs no turn.
#[derive(Debug)]
pub struct Lock {
    /// Target of the new file: behind links, where they are followed.
    pub(super) target: PathBuf,
    /// The target as the caller names it, for errors: Windows gives real paths in a form that nobody types.
    pub(super) named: PathBuf,
    /// Identity of the target when the turn came.
    found: Option<FileIdentity>,
    /// Gone when the new file took its place.
    temporary: Option<Temporary>,
}

/// The new file.
#[derive(Debug)]
struct Temporary {
    file: File,
    path: PathBuf,
    unfinished: Unfinished,
    #[cfg(windows)]
    _turn: File,
}

impl Lock {
    /// Waits for the turn to write to the file that `target` names, behind a link where it is one.
    ///
    /// # Errors
    /// [`codes::BUSY`] when the turn does not come for some seconds; [`codes::IO`].
    pub fn take(target: &Path) -> Result<Lock> {
        let real = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        Lock::of(target, real, PATIENCE)?.ok_or_else(|| busy(target))
    }

    /// The same for the name itself: a link is what gets replaced then.
    ///
    /// # Errors
    /// Those of [`Lock::take`].
    pub(super) fn take_name(target: &Path) -> Result<Lock> {
        Lock::of(target, target.to_owned(), PATIENCE)?.ok_or_else(|| busy(target))
    }

    /// The turn, where nobody else has it.
    ///
    /// # Errors
    /// [`codes::IO`].
    pub fn try_take(target: &Path) -> Result<Option<Lock>> {
        Lock::of(target, target.to_owned(), Duration::ZERO)
    }

    fn of(named: &Path, target: PathBuf, patience: Duration) -> Result<Option<Lock>> {
        let path = beside(&target);
        // Systems without files have no clock either, and do not get so far as to wait.
        let mut until = None;
        let temporary = loop {
            let made = Unfinished::begin(|| match make(&path, target.exists())? {
                Some(made) => Ok((made, undo(path.clone()))),
                None => Err(io::Error::from(io::ErrorKind::WouldBlock)),
            });
            match made {
                Ok((made, unfinished)) => break made.kept(path, unfinished),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(Error::io_of(named, error)),
            }
            let until = *until.get_or_insert_with(|| Instant::now().checked_add(patience));
            if until.is_none_or(|until| Instant::now() >= until) {
                return Ok(None);
            }
            thread::sleep(PAUSE);
        };
        let found = FileIdentity::of(&target).ok();
        let temporary = Some(temporary);
        Ok(Some(Lock { target, named: named.to_owned(), found, temporary }))
    }

    /// The new file.
    pub(super) fn file(&self) -> io::Result<&File> {
        let gone = || io::Error::from(io::ErrorKind::NotFound);
        Ok(&self.temporary.as_ref().ok_or_else(gone)?.file)
    }

    /// Path of the new file until it takes its place.
    pub(super) fn path(&self) -> &Path {
        self.temporary.as_ref().map_or(&self.target, |temporary| &temporary.path)
    }

    /// Refuses a file that is not to be written to.
    ///
    /// # Errors
    /// [`codes::READ_ONLY`].
    pub fn refuse_read_only(&self) -> Result<()> {
        let is_denied = |error: io::Error| error.kind() == io::ErrorKind::PermissionDenied;
        let Ok(meta) = fs::metadata(&self.target) else { return Ok(()) };
        let denied = || File::options().write(true).open(&self.target).is_err_and(is_denied);
        match meta.permissions().readonly() || denied() {
            true => Err(Error::new(&codes::READ_ONLY).found(self.named.display().to_string())),
            false => Ok(()),
        }
    }

    /// Opens the target for reading and writing. With `force` a read-only file is opened too, and stays read-only.
    ///
    /// # Errors
    /// [`codes::READ_ONLY`] without `force`; [`codes::IO`].
    pub fn open(&self, force: bool) -> Result<File> {
        let open = || File::options().read(true).write(true).open(&self.target);
        let opened = match (self.refuse_read_only(), &self.temporary) {
            // Nothing ends the process before the file is read-only again.
            (Err(_), Some(temporary)) if force => {
                temporary.unfinished.step(|| while_writable(&self.target, open))
            }
            (refused, _) => {
                refused?;
                open()
            }
        };
        opened.map_err(|error| Error::io_of(&self.named, error))
    }

    /// Refuses to go on when the target is not what it was when it was read, before the turn came.
    ///
    /// # Errors
    /// [`codes::CHANGED`].
    pub fn check_since(&self, read: &FileIdentity) -> Result<()> {
        match self.found.as_ref() == Some(read) {
            true => Ok(()),
            false => Err(Error::new(&codes::CHANGED).found(self.named.display().to_string())),
        }
    }

    /// Refuses to go on when the target is not what it was when the turn came: programs that know nothing of turns write
    /// too.
    ///
    /// # Errors
    /// [`codes::CHANGED`].
    pub fn check(&self) -> Result<()> {
        match FileIdentity::of(&self.target).ok() == self.found {
            true => Ok(()),
            false => Err(Error::new(&codes::CHANGED).found(self.named.display().to_string())),
        }
    }

    /// Lets the new file take its place by what `put` does with its path. Others have their turn when this is dropped.
    pub(super) fn put<T>(&mut self, put: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
        let Some(temporary) = self.temporary.take() else {
            return Err(io::ErrorKind::NotFound.into());
        };
        // Renaming files that are open is not for every system. Nobody else makes one meanwhile: either the file is locked
        // until it has its new name, or there is another lock.
        let Temporary { file, path, unfinished, .. } = temporary;
        #[cfg(windows)]
        drop(file);
        unfinished.finish(|| {
            let put = put(&path);
            if put.is_err() {
                let _ = fs::remove_file(&path);
            }
            #[cfg(not(windows))]
            drop(file);
            put
        })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(Temporary { file, path, unfinished, .. }) = self.temporary.take() {
            #[cfg(windows)]
            drop(file);
            unfinished.finish(|| {
                let _ = fs::remove_file(&path);
                #[cfg(not(windows))]
                drop(file);
            });
        }
    }
}

/// Does something with a read-only file while its owner may write to it.
fn while_writable<T>(path: &Path, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let rights = fs::metadata(path)?.permissions();
    fs::set_permissions(path, writable(rights.clone()))?;
    let done = work();
    fs::set_permissions(path, rights)?;
    done
}

/// The rights of a file that its owner may write to.
#[cfg(unix)]
fn writable(mut rights: fs::Permissions) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    rights.set_mode(rights.mode() | 0o200);
    rights
}

/// The rights of a file that may be written to.
#[cfg(not(unix))]
#[expect(clippy::permissions_set_readonly_false, reason = "other systems have no modes")]
pub(super) fn writable(mut rights: fs::Permissions) -> fs::Permissions {
    rights.set_readonly(false);
    rights
}

fn busy(target: &Path) -> Error {
    Error::new(&codes::BUSY).found(target.display().to_string())
}

/// Path at which the new file for a target is made.
fn beside(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().as_encoded_bytes();
    target.with_file_name(format!("{}{:016x}{}", NAME.0, mark(name), NAME.1))
}

fn undo(path: PathBuf) -> Undo {
    Box::new(move || {
        let _ = fs::remove_file(path);
    })
}

/// A new file that is locked.
struct NewLockedFile {
    file: File,
    #[cfg(windows)]
    turn: File,
}

impl NewLockedFile {
    fn kept(self, path: PathBuf, unfinished: Unfinished) -> Temporary {
        Temporary {
            file: self.file,
            path,
            unfinished,
            #[cfg(windows)]
            _turn: self.turn,
        }
    }
}

/// Makes the new file and locks it. `None` where another process has it.
#[cfg(unix)]
fn make(path: &Path, replaces: bool) -> io::Result<Option<NewLockedFile>> {
    use std::{
        fs::TryLockError,
        os::unix::fs::{MetadataExt, OpenOptionsExt},
    };
    // The file may be removed between opening and locking, and another one made.
    let lock = |file: &File| -> io::Result<bool> {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(false),
            // Some network disks know no locks. A file that is new is the own one there, too.
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
                return Err(error);
            }
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let (open, there) = (file.metadata()?, fs::symlink_metadata(path));
        Ok(there.is_ok_and(|there| (there.dev(), there.ino()) == (open.dev(), open.ino())))
    };
    // What replaces another file gets the rights of that one in the end, and nobody else sees it before.
    let mode = if replaces { 0o600 } else { 0o666 };
    loop {
        match File::options().read(true).write(true).create_new(true).mode(mode).open(path) {
            Ok(file) => return Ok(lock(&file)?.then_some(NewLockedFile { file })),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        match File::open(path) {
            // Whoever made it was killed.
            Ok(file) if file.try_lock().is_ok() && lock(&file)? => fs::remove_file(path)?,
            _ => return Ok(None),
        }
    }
}

/// Makes the new file beside one that is locked, and that goes when nobody has it open. `None` where another process has it.
#[cfg(windows)]
fn make(path: &Path, _replaces: bool) -> io::Result<Option<NewLockedFile>> {
    use std::os::windows::fs::OpenOptionsExt;
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    const ACCESS_DENIED: i32 = 5;
    const SHARING_VIOLATION: i32 = 32;
    let turn = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .share_mode(0)
        .custom_flags(DELETE_ON_CLOSE)
        .open(path.with_extension("lock.tmp"));
    let turn = match turn {
        Ok(turn) => turn,
        // One that is about to go denies access.
        Err(error)
            if [ACCESS_DENIED, SHARING_VIOLATION].map(Some).contains(&error.raw_os_error()) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
    Ok(Some(NewLockedFile { file, turn }))
}

/// Systems without files.
#[cfg(not(any(unix, windows)))]
fn make(_: &Path, _replaces: bool) -> io::Result<Option<NewLockedFile>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Identity of a file: its place on the device, and the marks that change when somebody writes to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileIdentity {
    /// The device and the number of the file on it.
    place: (u64, u64),
    size: u64,
    modified: Option<SystemTime>,
}

impl FileIdentity {
    /// Returns the identity of the file at `path` now.
    ///
    /// # Errors
    /// When there is none, or it cannot be looked at.
    pub fn of(path: &Path) -> io::Result<FileIdentity> {
        let meta = fs::metadata(path)?;
        let place = place(path, &meta)?;
        Ok(FileIdentity { place, size: meta.len(), modified: meta.modified().ok() })
    }

    /// Whether both are one file, whatever was written to it.
    pub fn is_same_file(&self, other: &FileIdentity) -> bool {
        self.place == other.place
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have to open the file")]
fn place(_: &Path, meta: &fs::Metadata) -> io::Result<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Ok((meta.dev(), meta.ino()))
}

#[cfg(windows)]
fn place(path: &Path, _: &fs::Metadata) -> io::Result<(u64, u64)> {
    let handle = winapi_util::Handle::from_path_any(path)?;
    let information = winapi_util::file::information(&handle)?;
    Ok((information.volume_serial_number(), information.file_index()))
}

#[cfg(not(any(unix, windows)))]
fn place(_: &Path, _: &fs::Metadata) -> io::Result<(u64, u64)> {
    Err(io::ErrorKind::Unsupported.into())
}
