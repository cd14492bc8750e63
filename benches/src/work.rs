//! What is measured with: real files where there are any, made ones where there are none, and the folder for what is made.

use crate::made::with_task;
use snpak::{
    Codec,
    build::{Asset, Options, Payload, name_id},
    edit::Draft,
};
use spelunk::{Bytes, Opened, core::source};
use spelunk_core::{Budget, Limits, Task, finding::Collect};
use spelunk_fixtures::workload;
use std::{
    cell::OnceCell,
    fs,
    hint::black_box,
    io::{self, BufWriter, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

/// Everybody measures the same bytes.
const SEED: u64 = 8;
/// Files of the workload of packs, and assets of its other pack.
const MIXED: usize = 20_000;
const TINY: usize = 1_000_000;
/// Rounds of a line, unless arguments say otherwise.
pub const ROUNDS: usize = 11;
/// Size from which a Virtools file counts as a level.
const LEVEL: usize = 1_300_000;
/// Number of parts of a level that is made.
const PARTS: u32 = 2600;

/// A file and its bytes.
pub type Named = (String, Bytes);

/// A file that opened: its format, whether sections of it are packed, its size and its path.
type Sorted = (&'static str, bool, u64, PathBuf);

/// What is measured with.
pub struct Work {
    /// Folder for what is made, which is on the file system that is measured.
    pub dir: PathBuf,
    /// Rounds of a line.
    pub rounds: usize,
    /// Whether less is made, so that a run takes a fraction of the time.
    pub is_quick: bool,
    /// The command, where one is named.
    pub program: Option<PathBuf>,
    real: Option<PathBuf>,
    files: OnceCell<Vec<PathBuf>>,
    sorted: OnceCell<Vec<Sorted>>,
    virtools: OnceCell<Vec<Named>>,
}

impl Work {
    /// Work in `dir` with the real files in a folder, if one is named.
    pub fn new(dir: PathBuf, real: Option<PathBuf>) -> Work {
        let (files, sorted, virtools) = Default::default();
        let (rounds, is_quick, program) = (ROUNDS, false, None);
        Work { dir, rounds, is_quick, program, real, files, sorted, virtools }
    }

    /// Returns whether there are real files.
    pub fn is_real(&self) -> bool {
        self.real.is_some()
    }

    /// Returns a count, or an eighth of it in a quick run.
    pub fn count(&self, whole: usize) -> usize {
        if self.is_quick { whole / 8 } else { whole }
    }

    /// Returns a folder for what is made, which is there then.
    pub fn folder(&self, name: &str) -> io::Result<PathBuf> {
        let folder = self.dir.join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Returns all files: those of the folder of real ones, unpacked where they are stored as `.zst`, or samples.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn files(&self) -> io::Result<&[PathBuf]> {
        if let Some(files) = self.files.get() {
            return Ok(files);
        }
        let folder = self.folder("files")?;
        let mut files = Vec::new();
        match &self.real {
            Some(real) => candidates(real, &folder, &mut files)?,
            None => {
                files = spelunk_fixtures::write_samples(&folder)?;
                let level = folder.join("made-level.nmo");
                fs::write(&level, spelunk_fixtures::samples::large_level(PARTS).build().bytes)?;
                files.push(level);
            }
        }
        // No real archive is larger than a few kilobytes, so one with as many entries as the games' is made.
        let archive_file = folder.join("made-5000-entries.pak");
        fs::write(&archive_file, archive(5_000))?;
        files.push(archive_file);
        files.sort();
        Ok(self.files.get_or_init(|| files))
    }

    /// Returns the file of this name.
    pub fn file(&self, name: &str) -> io::Result<Option<&Path>> {
        let named = |path: &&PathBuf| path.file_name().is_some_and(|found| found == name);
        Ok(self.files()?.iter().find(named).map(PathBuf::as_path))
    }

    /// Returns the largest file of a format whose sections are packed, or are not.
    pub fn largest(&self, format: &str, is_packed: bool) -> io::Result<Option<&Path>> {
        if self.sorted.get().is_none() {
            let mut sorted = Vec::new();
            for path in self.files()? {
                let Ok(opened) = Opened::open_path(path, &spelunk::Options::default()) else {
                    continue;
                };
                let container = opened.container();
                let packed = !container.spaces().is_empty();
                sorted.push((container.format(), packed, container.size(), path.clone()));
            }
            sorted.sort_by_key(|(.., size, _)| *size);
            self.sorted.get_or_init(|| sorted);
        }
        let sorted = self.sorted.get().into_iter().flatten();
        let mut of_kind =
            sorted.filter(|(found, packed, ..)| *found == format && *packed == is_packed);
        Ok(of_kind.next_back().map(|(.., path)| path.as_path()))
    }

    /// Returns the Virtools files of FileVersion 8 that can be read, in memory.
    pub fn virtools(&self) -> io::Result<&[Named]> {
        if let Some(files) = self.virtools.get() {
            return Ok(files);
        }
        let mut all = Vec::new();
        for path in self.files()? {
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            if !["nmo", "cmo", "nms"].contains(&ending) {
                continue;
            }
            let bytes = Bytes::from(fs::read(path)?);
            let mut sink = Collect::default();
            let limits = Limits::for_len(bytes.len() as u64);
            let mut task = Task::new(Budget::new(limits), &mut sink);
            let opened = virtools::File::read_from(&bytes, &mut task);
            if opened.is_ok_and(|file| file.head().version() == 8) {
                all.push((name_of(path), bytes));
            }
        }
        Ok(self.virtools.get_or_init(|| all))
    }

    /// Returns the levels among the Virtools files, the smallest first: files of 1.3 MB and more. There is one at least.
    pub fn levels(&self) -> io::Result<Vec<Named>> {
        let mut files = self.virtools()?.to_vec();
        files.sort_by_key(|(_, bytes)| bytes.len());
        let largest = files.last().cloned();
        files.retain(|(_, bytes)| bytes.len() >= LEVEL);
        if files.is_empty() {
            files.extend(largest);
        }
        match files.is_empty() {
            true => Err(io::Error::other("no Virtools file can be read")),
            false => Ok(files),
        }
    }

    /// Returns the folder with the workload of packs: files of mixed assets, and a pack of very many tiny ones. Both are made
    /// where they are not there.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn workload(&self) -> io::Result<PathBuf> {
        let folder = self.folder("packs")?;
        let (mixed, tiny) = (folder.join("mixed"), folder.join("tiny.snpak"));
        if !mixed.exists() {
            workload::write_mixed(&mixed, SEED, self.count(MIXED))?;
        }
        if !tiny.exists() {
            pack_tiny(&tiny, self.count(TINY)).map_err(io::Error::other)?;
        }
        Ok(folder)
    }
}

/// Writes a pack of tiny assets that are stored plainly.
fn pack_tiny(path: &Path, count: usize) -> spelunk_core::Result<()> {
    let mut draft = Draft::default();
    let mut bytes = Vec::new();
    for nth in 0..count {
        workload::tiny(SEED, nth, &mut bytes);
        let name = workload::tiny_name(nth);
        let payload = Payload::new(bytes.clone(), Codec::NONE);
        draft.add(Asset::new(name_id(name.as_bytes(), None), name, payload))?;
    }
    let mut out = BufWriter::new(fs::File::create(path)?);
    with_task(1, |task| draft.write(&mut out, Options::default(), task))?;
    Ok(out.flush()?)
}

/// An archive of small files.
fn archive(entries: usize) -> Vec<u8> {
    use spelunk_fixtures::pak::{Pak, PakFile};
    let file = |nth: usize| {
        let folder = format!("texture\\terrain\\{}", nth % 40);
        PakFile::new(folder.as_bytes(), format!("stone_{nth}.tga").as_bytes(), &[nth as u8; 1000])
    };
    Pak { files: (0..entries).map(file).collect(), ..Pak::default() }.build().bytes
}

/// Adds every file below `folder`; those stored as `.zst` are unpacked first.
fn candidates(folder: &Path, unpacked: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            candidates(&path, unpacked, files)?;
        } else if path.extension().is_some_and(|ending| ending == "zst") {
            let plain = unpacked.join(path.file_stem().unwrap_or_default());
            zstd::stream::copy_decode(fs::File::open(&path)?, fs::File::create(&plain)?)?;
            files.push(plain);
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// The name of a file, without its folders.
pub fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A file, mapped, with all of its pages there.
pub fn resident(path: &Path) -> io::Result<Bytes> {
    let source = source::open(path, source::Mapping::Large).map_err(io::Error::other)?;
    let bytes = source.lend(0..source.len()).ok_or_else(|| io::Error::other("a small pack"))?;
    black_box(twox_hash::XxHash3_64::oneshot(&bytes));
    Ok(bytes)
}

/// Options of opened files on this many threads.
pub fn on(threads: usize) -> spelunk::Options {
    spelunk::Options { threads: NonZeroUsize::new(threads), ..spelunk::Options::default() }
}
