//! New parts beside the old ones, and how they take their places: all of them, or none.
//!
//! New parts wait in a folder of their own. A journal there says when they are complete, and the next run finishes what it names. A
//! run holds the lock from before it reads the catalogue, so that its plan stays true.

use crate::{
    plan::{part_number, part_path},
    schema::TABLES,
};
use serde_json::{Value, json};
use spelunk::{
    Error, Result,
    core::replace::{Existing, Lock, Replacement, is_temporary},
    core::unfinished::{Undo, Unfinished},
    open::codes,
};
use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
};

/// The file that marks a folder as a catalogue, and contains its version and settings.
pub(crate) const MARKER: &str = "spelunk-catalog.json";
/// Holds new parts until they take their places.
pub(crate) const STAGE: &str = ".spelunk-stage";
/// In the stage: what takes its place, and what goes. When it is there, the new parts are complete.
const JOURNAL: &str = "commit.json";
/// In the stage: what runs take turns at. There is no file of this name.
const LOCK: &str = "lock";

/// Staging area of a run: new files, which replace the old ones when all are complete.
pub(crate) struct Stage {
    dir: PathBuf,
    /// Held as long as the run lasts.
    _lock: Lock,
    unfinished: Unfinished,
    put: Vec<String>,
    remove: Vec<String>,
    is_complete: bool,
}

impl Stage {
    /// Begins a stage in the folder of a catalogue, which is made where it is missing. A run that was interrupted while its
    /// parts took their places is finished. What is read of the catalogue from here on stays as it is.
    ///
    /// # Errors
    /// [`CATALOGUE_BUSY`](codes::CATALOGUE_BUSY) when another run writes there, [`BAD_CATALOGUE`](codes::BAD_CATALOGUE); input
    /// and output.
    pub(crate) fn begin(dir: &Path, follow_links: bool) -> Result<Stage> {
        let stage = dir.join(STAGE);
        for folder in TABLES.iter().map(|table| dir.join(table.name)).chain([stage.clone()]) {
            let made = match folder.is_symlink() && !follow_links {
                true => Err(io::Error::new(io::ErrorKind::NotADirectory, "a link, not a folder")),
                false => fs::create_dir_all(&folder),
            };
            made.map_err(|error| Error::io_of(&folder, error))?;
        }
        let Some(lock) = Lock::try_take(&stage.join(LOCK))? else {
            return Err(Error::new(&codes::CATALOGUE_BUSY).found(stage.display().to_string()));
        };
        settle(dir)?;
        let (put, remove) = (Vec::new(), Vec::new());
        let undone = dir.to_owned();
        let ((), unfinished) = Unfinished::begin(|| {
            let undo: Undo = Box::new(move || {
                let _ = settle(&undone);
            });
            Result::Ok(((), undo))
        })?;
        let dir = dir.to_owned();
        Ok(Stage { dir, _lock: lock, unfinished, put, remove, is_complete: false })
    }

    /// Returns the path for writing the file that will lie at `target`, below the folder of the catalogue.
    pub(crate) fn path(&self, target: &str) -> PathBuf {
        staged(&self.dir, target)
    }

    /// Does something short in which the process does not end: whatever makes or removes files of the stage.
    pub(crate) fn step<T>(&self, work: impl FnOnce() -> T) -> T {
        self.unfinished.step(work)
    }

    /// Takes in a file that was written; one that is the same as the old one is removed. Returns whether it takes a place.
    pub(crate) fn put(&mut self, target: &str) -> Result<bool> {
        let new = self.path(target);
        if is_same(&new, &self.dir.join(target))? {
            self.step(|| fs::remove_file(new))?;
            return Ok(false);
        }
        self.put.push(target.to_owned());
        Ok(true)
    }

    /// The parts from `parts` on go.
    pub(crate) fn remove_from(&mut self, parts: usize) -> Result<()> {
        for table in TABLES {
            let folder = self.dir.join(table.name);
            let entries = fs::read_dir(&folder).map_err(|error| Error::io_of(&folder, error))?;
            for entry in entries.flatten() {
                let number = entry.file_name().to_str().and_then(part_number);
                if let Some(number) = number.filter(|number| *number >= parts) {
                    self.remove.push(part_path(table, number));
                }
            }
        }
        self.remove.sort();
        Ok(())
    }

    /// Lets everything take its place.
    pub(crate) fn commit(mut self) -> Result<()> {
        if !self.put.is_empty() || !self.remove.is_empty() {
            let journal = json!({ "put": self.put, "remove": self.remove });
            let path = self.dir.join(STAGE).join(JOURNAL);
            let mut out = Replacement::begin(&path, Existing::Replace)?;
            writeln!(out, "{journal}")?;
            out.commit()?;
            self.is_complete = true;
            self.unfinished.step(|| roll_forward(&self.dir))?;
        }
        Ok(())
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let stage = self.dir.join(STAGE);
        // What could not be put into its place is for the next run.
        if self.is_complete && stage.join(JOURNAL).exists() {
            return;
        }
        let _ = clear(&stage);
    }
}

/// Ends what was begun: from the journal on everything takes its place; without one, what is in the stage goes.
fn settle(dir: &Path) -> Result<()> {
    let stage = dir.join(STAGE);
    if stage.join(JOURNAL).is_file() {
        roll_forward(dir)?;
    }
    clear(&stage)
}

/// Removes all but what is the lock meanwhile.
fn clear(stage: &Path) -> Result<()> {
    for entry in fs::read_dir(stage).map_err(|error| Error::io_of(stage, error))? {
        let entry = entry?;
        if !entry.file_name().to_str().is_some_and(is_temporary) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn staged(dir: &Path, target: &str) -> PathBuf {
    dir.join(STAGE).join(target.replace('/', "-"))
}

/// Whether there is an old file, with the bytes of the new one.
fn is_same(new: &Path, old: &Path) -> Result<bool> {
    let old = match File::open(old) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        old => old?,
    };
    let new = File::open(new)?;
    if new.metadata()?.len() != old.metadata()?.len() {
        return Ok(false);
    }
    let [mut new, mut old] = [new, old].map(|file| BufReader::with_capacity(1 << 16, file));
    loop {
        let (left, right) = (new.fill_buf()?, old.fill_buf()?);
        let len = left.len().min(right.len());
        if left.get(..len) != right.get(..len) {
            return Ok(false);
        }
        if len == 0 {
            return Ok(left.len() == right.len());
        }
        new.consume(len);
        old.consume(len);
    }
}

/// Does what the journal says, as far as it was not done before, and removes it.
fn roll_forward(dir: &Path) -> Result<()> {
    let journal = dir.join(STAGE).join(JOURNAL);
    let bad = || Error::new(&codes::BAD_CATALOGUE).found(journal.display().to_string());
    let text: Value = serde_json::from_slice(&fs::read(&journal)?).map_err(|_| bad())?;
    let list = |key: &str| -> Result<Vec<&str>> {
        let list = text.get(key).and_then(Value::as_array).ok_or_else(bad)?;
        list.iter().map(|it| it.as_str().filter(|it| is_ours(it)).ok_or_else(bad)).collect()
    };
    let (put, remove) = (list("put")?, list("remove")?);
    for target in put {
        let new = staged(dir, target);
        if new.exists() {
            fs::rename(new, dir.join(target))?;
        }
    }
    for target in remove.into_iter().map(|target| dir.join(target)).filter(|it| it.exists()) {
        fs::remove_file(target)?;
    }
    #[cfg(unix)]
    for folder in TABLES.iter().map(|table| dir.join(table.name)).chain([dir.to_owned()]) {
        let synced = File::open(&folder).and_then(|folder| folder.sync_all());
        synced.map_err(|error| Error::io_of(&folder, error))?;
    }
    Ok(fs::remove_file(journal)?)
}

/// Whether a path below the folder of a catalogue is one of those that runs write.
pub(crate) fn is_own(path: &Path) -> bool {
    let steps: Option<Vec<&str>> = path.iter().map(|step| step.to_str()).collect();
    path.starts_with(STAGE) || steps.is_some_and(|steps| is_ours(&steps.join("/")))
}

/// Whether a path is one of those that take their places.
fn is_ours(target: &str) -> bool {
    let is_part = || {
        let (table, name) = target.split_once('/')?;
        let is_table = TABLES.iter().any(|known| known.name == table);
        part_number(name).filter(|_| is_table)
    };
    target == MARKER || is_part().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_the_same_when_all_their_bytes_are() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let bytes: Vec<u8> = (0..200_000_u32).map(|nth| nth as u8).collect();
        fs::write(path("old"), &bytes).unwrap();
        let is_same = |new: &[u8], old: &str| {
            fs::write(path("new"), new).unwrap();
            is_same(&path("new"), &path(old)).unwrap()
        };
        assert!(is_same(&bytes, "old") && !is_same(&bytes, "missing"));
        assert!(!is_same(&bytes[1..], "old"));
        for at in [0, 65_535, 65_536, 199_999] {
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert!(!is_same(&other, "old"), "{at}");
        }
    }

    /// The moment between the journal and the first part that takes its place.
    #[test]
    fn what_is_interrupted_when_all_is_written_is_ended() {
        let dir = tempfile::tempdir().unwrap();
        let mut stage = Stage::begin(dir.path(), false).unwrap();
        let target = part_path(TABLES[0], 0);
        fs::write(stage.path(&target), "new").unwrap();
        assert!(stage.put(&target).unwrap());
        let journal = json!({ "put": stage.put, "remove": stage.remove });
        fs::write(dir.path().join(STAGE).join(JOURNAL), journal.to_string()).unwrap();
        settle(dir.path()).unwrap();
        assert_eq!(fs::read(dir.path().join(&target)).unwrap(), b"new");
        assert!(!dir.path().join(STAGE).join(JOURNAL).exists());
    }
}
