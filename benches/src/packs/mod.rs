//! Packs of very many and of large assets, beside the loops that nobody can do without: hash, LZ4, zstd, copy, and
//! creating, writing and closing files.

mod append;
mod bare;
mod extract;
mod load;
mod open;
mod pack;
mod peak;
mod streaming;
mod verify;

pub use pack::{PEAK_OF_PACKING, peak_of_packing};
pub use streaming::CASES as STREAMING;

use crate::{
    line::Case,
    made::with_task,
    work::{Work, resident},
};
use snpak::{
    Codec, Compression, Pack,
    build::{Asset, Content, Options, Payload, name_id},
    edit::Draft,
};
use spelunk_core::{Bytes, Task};
use std::{
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

/// Lines of all kinds.
pub const CASES: &[Case] = &[
    verify::STORED,
    verify::LZ4,
    verify::ZSTD,
    pack::CASE,
    pack::PEAK,
    load::STORED,
    load::LZ4,
    load::ZSTD,
    open::CASE,
    open::FIRST,
    open::LOOK_UPS,
    append::CASE,
    extract::CASE,
];

/// Names and places of files.
type Tree = Vec<(String, PathBuf)>;

/// The workload.
struct Workload {
    folder: PathBuf,
}

impl Workload {
    fn of(work: &Work) -> io::Result<Workload> {
        Ok(Workload { folder: work.workload()? })
    }

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

    /// The pack of the mixed assets with a codec, mapped and read once; it is made where it is not there.
    fn mixed(&self, nth: usize) -> io::Result<Bytes> {
        let (name, codec) = CODECS[nth];
        let path = self.folder.join(format!("mixed-{name}.snpak"));
        if !path.exists() {
            Workload::pack(&self.tree()?, codec, 2, &path)?;
        }
        resident(&path)
    }
}

fn opened(bytes: &Bytes, task: &mut Task<'_>) -> Pack {
    Pack::read_from(Arc::new(bytes.clone()), task).expect("a sound pack")
}
