//! Atomic replacement of files: the old content or the new one, never a part.

use crate::{
    codes,
    error::{Error, Result},
};
use std::{
    ffi::OsString,
    fs,
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

/// What may happen to an output that exists.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Existing {
    /// It is an error.
    #[default]
    Refuse,
    /// It is replaced.
    Replace,
    /// It is kept under its name with this suffix, and replaced. A file of that name is never replaced.
    Backup(OsString),
}

/// A new file beside its target, which takes the target's place when it is complete.
///
/// Writing to it never touches the target. When it is dropped without [`Replacement::commit`], for
/// example because writing failed, the target is as it was and the new file is gone.
///
/// A mapped file cannot be replaced on Windows: let go of every byte of the old file before
/// [`Replacement::commit`].
#[derive(Debug)]
pub struct Replacement {
    file: BufWriter<NamedTempFile>,
    target: PathBuf,
    /// The target as the caller names it, for errors: Windows tells real paths in a form that nobody types.
    named: PathBuf,
    existing: Existing,
}

impl Replacement {
    /// Begins a new file for `target`.
    ///
    /// # Errors
    /// [`codes::EXISTS`] when the target exists and must not be replaced, [`codes::BAD_TARGET`] when it is no
    /// file, [`codes::IO`].
    pub fn begin(target: &Path, existing: Existing) -> Result<Replacement> {
        // A link is followed, so that the file it names is replaced and the link stays.
        let named = target.to_owned();
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let dir = match target.parent() {
            Some(dir) if !dir.as_os_str().is_empty() => dir,
            _ => Path::new("."),
        };
        let meta = target.symlink_metadata();
        if meta.as_ref().is_ok_and(|meta| !meta.is_file()) {
            return Err(Error::new(&codes::BAD_TARGET)
                .expected("a file")
                .found(named.display().to_string()));
        }
        let exists = meta.is_ok();
        if exists && existing == Existing::Refuse {
            return Err(refused(&named));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".spelunk-");
        // A temporary file is private by default; the output is to have the rights of the old one or of
        // any new file.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&target).map_or(0o666, |meta| meta.permissions().mode());
            builder.permissions(fs::Permissions::from_mode(mode));
        }
        let file = builder.tempfile_in(dir)?;
        #[cfg(unix)]
        if let Ok(meta) = fs::metadata(&target) {
            file.as_file().set_permissions(meta.permissions())?;
        }
        Ok(Replacement { file: BufWriter::with_capacity(1 << 18, file), target, named, existing })
    }

    /// Where the new file lies until then: for what writes to files by their paths.
    pub fn path(&self) -> &Path {
        self.file.get_ref().path()
    }

    /// Makes the new file durable and lets it take the place of the target.
    ///
    /// # Errors
    /// [`codes::IO`]; [`codes::EXISTS`] when the target appeared meanwhile and must not be replaced. The
    /// target is untouched then.
    pub fn commit(self) -> Result<()> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        match &self.existing {
            Existing::Refuse => {
                file.persist_noclobber(&self.target).map_err(|error| match error.error.kind() {
                    io::ErrorKind::AlreadyExists => refused(&self.named),
                    _ => Error::io(error.error),
                })?;
            }
            Existing::Replace => {
                file.persist(&self.target).map_err(|error| Error::io(error.error))?;
            }
            Existing::Backup(suffix) => {
                let mut backup = self.target.clone().into_os_string();
                backup.push(suffix);
                if self.target.exists() {
                    keep(&self.target, Path::new(&backup))?;
                }
                file.persist(&self.target).map_err(|error| Error::io(error.error))?;
            }
        }
        // The rename itself is durable only when the folder is.
        #[cfg(unix)]
        if let Some(dir) = self.target.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            fs::File::open(dir)?.sync_all()?;
        }
        Ok(())
    }
}

/// Copies the old file to `backup`, completely or not at all. An older backup is never replaced.
fn keep(old: &Path, backup: &Path) -> Result<()> {
    let mut copy = Replacement::begin(backup, Existing::Refuse)?;
    io::copy(&mut fs::File::open(old)?, &mut copy)?;
    copy.file.get_ref().as_file().set_permissions(fs::metadata(old)?.permissions())?;
    copy.commit()
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
}
