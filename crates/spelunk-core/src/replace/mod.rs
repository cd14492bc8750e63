//! Atomic replacement of files: the old content or the new one, never a part.

mod kept;
mod lock;

pub use lock::{FileIdentity, Lock, is_temporary};

use crate::{
    codes,
    error::{Error, Result},
    finding::{Finding, Severity},
    source::{self, Mapping, Source},
    unfinished::{Undo, Unfinished},
};
use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::Path,
    sync::Arc,
};
use tempfile::{NamedTempFile, TempPath};

/// Treatment of an output that exists.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Existing {
    /// Existing output is an error.
    #[default]
    Refuse,
    /// Existing output is replaced.
    Replace,
    /// Existing output is kept under its name with this suffix, and replaced. A file of that name is never replaced.
    Backup(OsString),
}

/// A new file beside its target, which takes the target's place when it is complete.
///
/// Writing to it never touches the target. When it is dropped without [`Replacement::commit`], for
/// example because writing failed, the target is as it was and the new file is gone. Others that write to the same target
/// wait meanwhile ([`Lock`]).
///
/// The new file keeps the mode, the owner and the extended attributes of the old one, as far as the system lets it.
///
/// A mapped file cannot be replaced on Windows: let go of every byte of the old file before
/// [`Replacement::commit`].
#[derive(Debug)]
pub struct Replacement {
    file: BufWriter<File>,
    lock: Lock,
    existing: Existing,
    /// Whether the target was read under the lock, so that it has to be the same at the end.
    is_edit: bool,
}

impl Replacement {
    /// Begins a new file for `target`. Where that is a link, it is the link that is replaced.
    ///
    /// # Errors
    /// [`codes::EXISTS`] when the target exists and must not be replaced, [`codes::BAD_TARGET`] when it is no
    /// file, [`codes::BUSY`], [`codes::IO`].
    pub fn begin(target: &Path, existing: Existing) -> Result<Replacement> {
        check(target, target.symlink_metadata(), &existing)?;
        Replacement::new(Lock::take_name(target)?, existing, false)
    }

    /// Begins a new file for what `target` names: a link is followed, and stays.
    ///
    /// # Errors
    /// Those of [`Replacement::begin`].
    pub fn follow(target: &Path, existing: Existing) -> Result<Replacement> {
        check(target, target.metadata(), &existing)?;
        Replacement::new(Lock::take(target)?, existing, false)
    }

    /// Begins a new file for one that was read since its lock was taken.
    ///
    /// # Errors
    /// Those of [`Replacement::begin`].
    pub fn edit(lock: Lock, existing: Existing) -> Result<Replacement> {
        check(&lock.named, lock.target.symlink_metadata(), &existing)?;
        Replacement::new(lock, existing, true)
    }

    fn new(lock: Lock, existing: Existing, is_edit: bool) -> Result<Replacement> {
        let file = lock.file().and_then(File::try_clone);
        let file = file.map_err(|error| Error::io_of(&lock.named, error))?;
        Ok(Replacement { file: BufWriter::with_capacity(1 << 18, file), lock, existing, is_edit })
    }

    /// Path of the new file until then: for code that writes to files by their paths.
    pub fn path(&self) -> &Path {
        self.lock.path()
    }

    /// What was written until now, to be read. Let go of it before [`Replacement::commit`].
    ///
    /// # Errors
    /// [`codes::IO`].
    pub fn written(&mut self) -> Result<Arc<dyn Source>> {
        let named = &self.lock.named;
        self.file.flush().map_err(|error| Error::io_of(named, error))?;
        source::open(self.lock.path(), Mapping::Never)
    }

    /// Makes the new file durable and lets it take the place of the target. What the old file had and the new one could
    /// not be given is reported as findings.
    ///
    /// # Errors
    /// [`codes::IO`]; [`codes::EXISTS`] when the target appeared meanwhile and must not be replaced; [`codes::CHANGED`] when
    /// it was edited and is not what was read. The target is untouched then.
    pub fn commit(self) -> Result<Vec<Finding>> {
        self.put(true)
    }

    /// The same without waiting for the disk: for files that are made again where they are lost with the power.
    ///
    /// # Errors
    /// Those of [`Replacement::commit`].
    pub fn commit_soon(self) -> Result<Vec<Finding>> {
        self.put(false)
    }

    fn put(self, is_durable: bool) -> Result<Vec<Finding>> {
        let Replacement { file, mut lock, existing, is_edit } = self;
        let named = lock.named.clone();
        let io_error = |error| Error::io_of(&named, error);
        let file = file.into_inner().map_err(|error| io_error(error.into_error()))?;
        let target = lock.target.clone();
        let is_file = target.symlink_metadata().is_ok_and(|meta| meta.is_file());
        let lost = if is_file { kept::keep(&target, &file) } else { Vec::new() };
        if is_durable {
            file.sync_all().map_err(io_error)?;
        }
        drop(file);
        if let Existing::Backup(suffix) = &existing
            && is_file
        {
            let mut backup = target.clone().into_os_string();
            backup.push(suffix);
            keep(&target, Path::new(&backup))?;
        }
        if is_edit {
            lock.check()?;
        }
        let put = match existing {
            Existing::Refuse => lock.put(|new| {
                let new = TempPath::try_from_path(new)?;
                new.persist_noclobber(&target).map_err(|error| error.error)
            }),
            Existing::Replace | Existing::Backup(_) => lock.put(|new| {
                allow(&target);
                fs::rename(new, &target)
            }),
        };
        put.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => refused(&named),
            _ => io_error(error),
        })?;
        // The rename itself is durable only when the folder is.
        #[cfg(unix)]
        if is_durable {
            File::open(folder(&target)).and_then(|folder| folder.sync_all()).map_err(io_error)?;
        }
        let finding = |what: &&str| {
            let found = format!("the {what} of {}", named.display());
            let error = Error::new(&codes::NOT_KEPT).found(found);
            Finding { severity: Severity::Warning, error }
        };
        Ok(lost.iter().map(finding).collect())
    }
}

/// A file for what needs one while it works, which is gone when this is dropped or the process has to end.
#[derive(Debug)]
pub struct Scratch {
    file: NamedTempFile,
    _unfinished: Unfinished,
}

impl Scratch {
    /// Makes an empty file.
    ///
    /// # Errors
    /// [`codes::IO`].
    pub fn new() -> Result<Scratch> {
        let (file, unfinished) = Unfinished::begin(|| {
            let file = tempfile::Builder::new().prefix(".spelunk-").tempfile()?;
            let path = file.path().to_owned();
            let undo: Undo = Box::new(move || {
                let _ = fs::remove_file(path);
            });
            io::Result::Ok((file, undo))
        })?;
        Ok(Scratch { file, _unfinished: unfinished })
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The file.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }
}

/// Refuses targets that exist, or are no files.
fn check(named: &Path, meta: io::Result<fs::Metadata>, existing: &Existing) -> Result<()> {
    // A name that leads nowhere is a link all the same.
    let Ok(meta) = meta.or_else(|_| named.symlink_metadata()) else { return Ok(()) };
    if !meta.is_file() && !meta.is_symlink() {
        return Err(Error::new(&codes::BAD_TARGET)
            .expected("a file")
            .found(named.display().to_string()));
    }
    if *existing == Existing::Refuse { Err(refused(named)) } else { Ok(()) }
}

/// The folder that a file lies in.
#[cfg(unix)]
fn folder(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Windows replaces no file that is only to be read.
#[cfg(windows)]
fn allow(target: &Path) {
    let rights = fs::metadata(target).map(|meta| meta.permissions());
    if let Some(rights) = rights.ok().filter(fs::Permissions::readonly) {
        let _ = fs::set_permissions(target, lock::writable(rights));
    }
}

#[cfg(not(windows))]
const fn allow(_: &Path) {}

/// Copies the old file to `backup`, completely or not at all. An older backup is never replaced.
fn keep(old: &Path, backup: &Path) -> Result<()> {
    let mut copy = Replacement::begin(backup, Existing::Refuse)?;
    io::copy(&mut File::open(old)?, &mut copy).map_err(|error| Error::io_of(backup, error))?;
    kept::keep(old, copy.file.get_ref());
    copy.commit().map(drop)
}

fn refused(target: &Path) -> Error {
    Error::new(&codes::EXISTS).found(target.display().to_string())
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Replacement {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_write_that_does_not_end_leaves_the_old_file_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("level.nmo");
        fs::write(&path, "old").unwrap();
        let mut new = Replacement::begin(&path, Existing::Replace).unwrap();
        new.write_all(b"half of the ne").unwrap();
        drop(new);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(dir.path()), ["level.nmo"]);
    }

    #[test]
    fn existing_files_are_refused_replaced_or_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("level.nmo");
        fs::write(&path, "old").unwrap();
        let refused = Replacement::begin(&path, Existing::Refuse).unwrap_err();
        assert_eq!(refused.code().id, "SP021");
        for (existing, content) in
            [(Existing::Replace, "one"), (Existing::Backup(".bak".into()), "two")]
        {
            let mut new = Replacement::begin(&path, existing).unwrap();
            new.write_all(content.as_bytes()).unwrap();
            new.commit().unwrap();
            assert_eq!(fs::read(&path).unwrap(), content.as_bytes());
        }
        assert_eq!(fs::read(dir.path().join("level.nmo.bak")).unwrap(), b"one");
        assert_eq!(names(dir.path()), ["level.nmo", "level.nmo.bak"]);
        let again = Replacement::begin(&path, Existing::Backup(".bak".into())).unwrap();
        assert_eq!(again.commit().unwrap_err().code().id, "SP021", "the first backup stays");
        assert_eq!(fs::read(dir.path().join("level.nmo.bak")).unwrap(), b"one");
        assert_eq!(fs::read(&path).unwrap(), b"two");
    }

    #[test]
    fn folders_and_devices_are_never_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let refused = Replacement::begin(dir.path(), Existing::Replace).unwrap_err();
        assert_eq!(refused.code().id, "SP029");
    }

    #[test]
    fn a_target_that_appears_meanwhile_is_not_clobbered() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("level.nmo");
        let mut new = Replacement::begin(&path, Existing::Refuse).unwrap();
        new.write_all(b"new").unwrap();
        fs::write(&path, "theirs").unwrap();
        assert_eq!(new.commit().unwrap_err().code().id, "SP021");
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
    }

    #[test]
    fn an_edit_has_its_turn_alone_and_what_it_read_has_to_be_there_at_the_end() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("level.nmo");
        fs::write(&path, "old").unwrap();
        for (meanwhile, code) in [(None, None), (Some("theirs"), Some("SP037"))] {
            let lock = Lock::take(&path).unwrap();
            assert!(Lock::try_take(&path).unwrap().is_none());
            if let Some(text) = meanwhile {
                fs::write(&path, text).unwrap();
            }
            let mut new = Replacement::edit(lock, Existing::Replace).unwrap();
            new.write_all(b"new").unwrap();
            assert_eq!(new.commit().err().map(|error| error.code().id), code);
            assert_eq!(fs::read_to_string(&path).unwrap(), meanwhile.unwrap_or("new"));
            assert_eq!(names(dir.path()), ["level.nmo"]);
        }
        drop(Lock::try_take(&path).unwrap().expect("nobody has it"));
    }

    #[test]
    fn what_a_killed_writer_left_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("level.nmo");
        let left = Replacement::begin(&path, Existing::Refuse).unwrap().path().to_owned();
        fs::write(&left, "half of the ne").unwrap();
        let mut new = Replacement::begin(&path, Existing::Refuse).unwrap();
        assert_eq!(new.path(), left);
        new.write_all(b"new").unwrap();
        new.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(dir.path()), ["level.nmo"]);
    }
}
