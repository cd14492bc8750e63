//! Something that is mounted, and what is said of it.

use spelunk::{
    Error, Finding,
    open::codes,
    verbs::{FileName, Session},
};
use spelunk_mount::{Mount, Prepared, Said, Settings};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};
use tempfile::TempDir;
use test_support::fuse;

/// What is said of files.
#[derive(Clone, Default)]
pub struct Heard(pub Arc<Mutex<Vec<String>>>);

impl Heard {
    /// What was said since this was asked for before.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Said for Heard {
    fn found(&self, file: &str, finding: &Finding) {
        self.0.lock().unwrap().push(format!("{file}: {}", finding.error));
    }

    fn failed(&self, file: &str, error: &Error) {
        self.0.lock().unwrap().push(format!("{file}: {error}"));
    }
}

/// A mount at a folder of its own.
pub struct Mounted {
    pub mount: Option<Mount>,
    pub point: PathBuf,
    pub heard: Heard,
    // It goes last: what is mounted in it cannot be removed.
    _dir: TempDir,
}

impl Drop for Mounted {
    fn drop(&mut self) {
        drop(self.mount.take());
    }
}

/// Mounts something; `None` where this machine mounts nothing.
pub fn mount(session: Session, subject: impl Into<FileName>) -> Option<Mounted> {
    if !fuse::is_usable() {
        return None;
    }
    let dir = tempfile::tempdir().unwrap();
    let point = dir.path().to_owned();
    let heard = Heard::default();
    let mount = mount_at(session, subject, &point, &heard)?;
    Some(Mounted { mount: Some(mount), point, heard, _dir: dir })
}

/// The same at this folder.
pub fn mount_at(
    session: Session,
    subject: impl Into<FileName>,
    point: &Path,
    heard: &Heard,
) -> Option<Mount> {
    let settings = Settings { subject: subject.into(), point: point.to_owned() };
    match Prepared::new(session, &settings, heard.clone()).unwrap().mount() {
        Ok(mount) => Some(mount),
        Err(error) => {
            assert_eq!(error.code().id, codes::MOUNT_REFUSED.id, "{error}");
            fuse::was_refused(error);
            None
        }
    }
}

/// All files below a folder with their sizes, by their paths.
pub fn sizes(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let mut sizes = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let entry = entry.unwrap();
            let meta = entry.metadata().unwrap();
            assert_eq!(meta.is_dir(), entry.file_type().unwrap().is_dir());
            match meta.is_dir() {
                true => folders.push(entry.path()),
                false => {
                    let path = entry.path().strip_prefix(folder).unwrap().to_owned();
                    sizes.insert(path, meta.len());
                }
            }
        }
    }
    sizes
}
