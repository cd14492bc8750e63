//! The place of a mount: an empty folder, and whether something of ours is mounted there.

use nix::{
    errno::Errno,
    sys::stat::{major, minor},
};
use spelunk::{
    Error, Result,
    open::codes,
    verbs::{FileName, Files},
};
use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// The whole path of a folder at which something is going to be mounted.
///
/// # Errors
/// [`BAD_POINT`](codes::BAD_POINT) for what is no empty folder, and for one that lies in what is mounted.
pub(crate) fn checked(point: &Path, subject: &FileName, files: &dyn Files) -> Result<PathBuf> {
    let bad = |found: &str| {
        let found = format!("{}, {found}", point.display());
        Err(Error::new(&codes::BAD_POINT).found(found))
    };
    // The folder itself may still be known where nobody answers any more.
    let looked_at = || -> io::Result<_> {
        let is_folder = fs::metadata(point)?.is_dir();
        let is_empty = is_folder && fs::read_dir(point)?.next().transpose()?.is_none();
        Ok((is_folder, is_empty, fs::canonicalize(point)?))
    };
    let whole = match looked_at() {
        Ok((true, true, whole)) => whole,
        Ok((true, false, _)) => return bad("which is not empty"),
        Ok((false, ..)) => return bad("which is no folder"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return bad("which is not there"),
        Err(error) if error.raw_os_error() == Some(Errno::ENOTCONN as i32) => {
            return bad("at which a mount is left whose process was killed");
        }
        Err(error) => return Err(Error::io_of(point, error)),
    };
    let name = FileName::from(whole.as_os_str());
    let is_folder = files.is_folder(subject) && files.disk_path(subject).is_some();
    match is_folder && (files.lies_in(&name, subject) || files.is_same(&name, subject)) {
        true => bad("which lies in the folder that is mounted"),
        false => Ok(whole),
    }
}

/// The file system at a path, as `major:minor`; `None` where that cannot be found out.
pub(crate) fn device(path: &Path) -> Option<String> {
    let device = fs::metadata(path).ok()?.dev();
    Some(format!("{}:{}", major(device), minor(device)))
}

/// Whether a file system is mounted anywhere that this process sees.
pub(crate) fn is_mounted(device: &str) -> bool {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    mounts.lines().any(|line| line.split(' ').nth(2) == Some(device))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk::verbs::Disk;

    fn refused(point: &Path, subject: &Path) -> String {
        checked(point, &subject.into(), &Disk).unwrap_err().to_string()
    }

    #[test]
    fn a_point_is_an_empty_folder_outside_of_what_is_mounted() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        for folder in ["empty", "full", "full/below"] {
            fs::create_dir(path(folder)).unwrap();
        }
        fs::write(path("file"), "").unwrap();
        let whole = checked(&path("full/../empty"), &path("file").into(), &Disk).unwrap();
        assert_eq!(whole, fs::canonicalize(path("empty")).unwrap());
        for (point, subject, why) in [
            ("missing", "file", "is not there"),
            ("file", "full", "is no folder"),
            ("full", "file", "is not empty"),
            ("full/below", "full", "lies in the folder"),
            ("empty", "empty", "lies in the folder"),
        ] {
            let text = refused(&path(point), &path(subject));
            assert!(text.contains(why) && text.contains("SP211"), "{point}: {text}");
        }
    }

    #[test]
    fn the_system_of_a_path_is_mounted() {
        // Some systems of files have one number for themselves and another one for what is in them.
        assert!(is_mounted(&device(Path::new("/proc")).unwrap()));
        assert!(!is_mounted("9999:9999"));
    }
}
