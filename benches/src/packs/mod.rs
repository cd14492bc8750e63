//! Packs of very many and of large assets, beside the loops that nobody can do without: hash, LZ4, zstd, copy, and
//! creating, writing and closing files.

mod append;
mod bare;
mod extract;
mod load;
mod open;
mod pack;
mod peak;
mod verify;

use snpak::{
    Codec, Compression, Pack,
    build::{Asset, Content, Options, Payload, name_id},
    edit::Draft,
};
use spelunk::core::source::Mapping;
use spelunk_core::{Budget, Bytes, Limits, Task, finding::Collect};
use std::{
    ffi::OsString,
    fs,
    io::{self, BufWriter, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Codecs of the packs of mixed assets, and their names.
const CODECS: [(&str, Codec); 3] = [
    ("stored", Codec::NONE),
    ("lz4", Codec::new(Compression::LZ4)),
    ("zstd", Codec::new(Compression::ZSTD)),
];

/// A benchmark.
type Measure = fn(&Work) -> io::Result<()>;

/// All benchmarks by their names.
const LINES: &[(&str, Measure)] = &[
    ("verify", verify::measure),
    ("pack", pack::measure),
    ("load", load::measure),
    ("open", open::measure),
    ("append", append::measure),
    ("extract", extract::measure),
];

/// Names and places of files.
type Tree = Vec<(String, PathBuf)>;

/// What is measured with.
struct Work {
    folder: PathBuf,
}

/// Measures with the assets in `folder`; only the `lines` that are named, if any are.
pub fn measure(folder: &Path, lines: &[OsString]) -> io::Result<()> {
    let work = Work { folder: folder.to_owned() };
    println!("{} on {}", folder.display(), file_system(folder)?);
    for (name, measure) in LINES {
        if lines.is_empty() || lines.iter().any(|line| *line == **name) {
            measure(&work)?;
        }
    }
    Ok(())
}

/// The kind of file system that a folder is on, where that can be told.
fn file_system(folder: &Path) -> io::Result<String> {
    let folder = fs::canonicalize(folder)?;
    let mounts = fs::read_to_string("/proc/mounts").unwrap_or_default();
    let fields = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(1);
        Some((fields.next()?, fields.next()?))
    });
    let holding = fields.filter(|(place, _)| folder.starts_with(place));
    let nearest = holding.max_by_key(|(place, _)| place.len());
    Ok(nearest.map_or("a file system of unknown kind", |(_, kind)| kind).to_owned())
}

impl Work {
    /// The files of the mixed assets, with their names, in the order of their numbers.
    fn tree(&self) -> io::Result<Tree> {
        let root = self.folder.join("mixed");
        let mut files = Vec::new();
        for kind in fs::read_dir(&root)? {
            for folder in fs::read_dir(kind?.path())? {
                for file in fs::read_dir(folder?.path())? {
                    let path = file?.path();
                    let name = path.strip_prefix(&root).map_err(io::Error::other)?;
                    files.push((name.to_string_lossy().into_owned(), path));
                }
            }
        }
        files.sort_by_cached_key(|(name, _)| name.rsplit('_').next().map(str::to_owned));
        Ok(files)
    }

    /// Packs the mixed assets, which are read when it is their turn.
    fn pack(tree: &Tree, codec: Codec, threads: usize, path: &Path) -> io::Result<u64> {
        let mut draft = Draft::default();
        for (name, file) in tree {
            let size = Some(spelunk_fixtures::workload::MIXED_SIZE as u64);
            let content = Content::file(file.clone(), size);
            let payload = Payload::new(content, codec);
            let asset = Asset::new(name_id(name.as_bytes(), None), name.as_bytes(), payload);
            draft.add(asset).map_err(io::Error::other)?;
        }
        let options = Options { threads: NonZeroUsize::new(threads), ..Options::default() };
        let mut out = BufWriter::new(fs::File::create(path)?);
        let written = with_task(threads, |task| draft.write(&mut out, options, task));
        out.flush()?;
        Ok(written.map_err(io::Error::other)?.size)
    }

    /// The packs of the mixed assets, mapped and read once; they are made where they are not there.
    fn mixed(&self) -> io::Result<Vec<(&'static str, Bytes)>> {
        let mut packs = Vec::new();
        for (name, codec) in CODECS {
            let path = self.folder.join(format!("mixed-{name}.snpak"));
            if !path.exists() {
                Work::pack(&self.tree()?, codec, 2, &path)?;
            }
            packs.push((name, resident(&path)?));
        }
        Ok(packs)
    }
}

/// A file, mapped, with all of its pages there.
fn resident(path: &Path) -> io::Result<Bytes> {
    let source = spelunk::core::source::open(path, Mapping::Large).map_err(io::Error::other)?;
    let bytes = source.lend(0..source.len()).ok_or_else(|| io::Error::other("a small pack"))?;
    std::hint::black_box(twox_hash::XxHash3_64::oneshot(&bytes));
    Ok(bytes)
}

/// Runs work without limits on this many threads.
fn with_task<T>(threads: usize, work: impl FnOnce(&mut Task<'_>) -> T) -> T {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::unlimited()), &mut sink);
    task.threads = NonZeroUsize::new(threads);
    let result = work(&mut task);
    assert!(!sink.has_errors());
    result
}

fn opened(bytes: &Bytes, task: &mut Task<'_>) -> Pack {
    Pack::read_from(Arc::new(bytes.clone()), task).expect("a sound pack")
}
