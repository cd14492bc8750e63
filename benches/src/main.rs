//! Opening and fully checking the largest file of each format, and all Virtools files, beside the bare loops that
//! no reader can do without: inflate, decompress, hash, copy. And exporting, beside decoding and writing.
//!
//! `cargo run --release -p benches [FOLDER]` measures the real files in FOLDER or in `SPELUNK_CORPUS`, and
//! generated ones where there are none. Both sides work on the same resident bytes, interleaved, with warm
//! buffers; the ratio is the median over the rounds. A ratio of 0.90 means that the bare loop needs 0.90 of our
//! time. The first opening from disk has a line of its own.
//!
//! `cargo run --release -p benches packs FOLDER [LINE...]` measures packs of the assets that
//! `cargo xtask workload FOLDER` makes.
//!
//! `cargo run --release -p benches archives FOLDER` measures a folder of SpellForce archives, which it makes there.
//!
//! `cargo run --release -p benches tables FILE.cff` measures what a GameData takes to become a database, `gamedata FILE.cff
//! OTHER.cff` what reading, writing and comparing it takes. `maps` reads generated maps of every size, `catalog` makes a catalogue
//! of generated files and brings it up to date.
//!
//! `cargo run --release -p benches cancel FILE OTHER` measures how long verbs on FILE go on after they were cancelled.
//!
//! `cargo run --release -p benches start SPELUNK` measures what the command takes to tell of a small file.

#![forbid(unsafe_code)]

mod archives;
mod bare;
mod cancel;
mod catalog;
mod export;
mod gamedata;
mod maps;
mod packs;
mod runtime;
mod start;
mod tables;
mod timing;
mod virtools;

use spelunk::{Bytes, Opened, Options, WriteOptions, core::source};
use std::{
    env, fs,
    hint::black_box,
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};
use timing::{line, time};

/// What is allocated, and what was at the most.
#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// A bare loop over a file of one format.
type Bare = fn(&[u8], &mut bare::Buffers);

/// Formats, the endings of their files, and what has to be done to every file of theirs at the least.
const CASES: &[(&str, &[&str], &str, Bare)] = &[
    ("virtools", &["nmo", "cmo", "nms"], "Adler-32 + inflate", bare::virtools),
    ("snpak", &["snpak"], "decompress + XXH3-128", bare::snpak),
    ("spellforce-cff", &["cff"], "step through headers and rows", bare::chunk_file),
    ("spellforce-map", &["map"], "inflate", bare::chunk_file),
    ("spellforce-pak", &["pak"], "CRC-32 + path hashes", bare::pak),
    ("spellforce-pakdata", &["dat"], "UTF-8 of every text", bare::pakdata),
];

fn main() -> io::Result<()> {
    let args: Vec<_> = env::args_os().skip(1).collect();
    if let [verb, folder, lines @ ..] = args.as_slice()
        && verb == "packs"
    {
        return packs::measure(Path::new(folder), lines);
    }
    match args.as_slice() {
        [verb, file] if verb == start::BARE => return start::bare(Path::new(file)),
        [verb, _] if verb == "nothing" => return Ok(()),
        [verb] if verb == "catalog" => return catalog::measure(),
        [verb, spelunk] if verb == "start" => return start::measure(Path::new(spelunk)),
        _ => {}
    }
    if let [verb] = args.as_slice()
        && verb == "maps"
    {
        maps::measure();
        return Ok(());
    }
    if let [verb, folder] = args.as_slice()
        && verb == "archives"
    {
        return archives::measure(Path::new(folder));
    }
    if let [verb, file, other] = args.as_slice()
        && verb == "gamedata"
    {
        return gamedata::measure(Path::new(file), Path::new(other));
    }
    if let [verb, file, other] = args.as_slice()
        && verb == "cancel"
    {
        return cancel::measure(Path::new(file), Path::new(other));
    }
    if let [verb, file] = args.as_slice()
        && verb == "tables"
    {
        return tables::measure(Path::new(file));
    }
    let folder = env::args_os().nth(1).or_else(|| env::var_os("SPELUNK_CORPUS")).map(PathBuf::from);
    let unpacked = env::temp_dir().join(format!("spelunk-bench-{}", std::process::id()));
    let mut files = match &folder {
        Some(folder) => candidates(folder, &unpacked)?,
        None => {
            fs::create_dir_all(&unpacked)?;
            spelunk_fixtures::write_samples(&unpacked)?
        }
    };
    // No real archive is larger than a few kilobytes here, so one with as many entries as the games' is made.
    fs::create_dir_all(&unpacked)?;
    let made = unpacked.join("made-5000-entries.pak");
    fs::write(&made, archive(5_000))?;
    files.push(made);
    println!("{:<56} {:>10} {:>11} {:>11} {:>6}", "", "size", "ours", "bare", "ratio");
    virtools::measure(&files)?;
    export::measure(&files)?;
    runtime::measure(&files)?;
    for (format, endings, what, bare) in CASES {
        for file in largest(&files, format, endings) {
            measure(&file, format, what, *bare)?;
        }
    }
    fs::remove_dir_all(&unpacked)
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

/// Every file below `folder`; those stored as `.zst` are unpacked first.
fn candidates(folder: &Path, unpacked: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(candidates(&path, unpacked)?);
        } else if path.extension().is_some_and(|ending| ending == "zst") {
            fs::create_dir_all(unpacked)?;
            let plain = unpacked.join(path.file_stem().unwrap_or_default());
            zstd::stream::copy_decode(fs::File::open(&path)?, fs::File::create(&plain)?)?;
            files.push(plain);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

/// The largest stored and the largest packed file of a format.
fn largest(files: &[PathBuf], format: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut found: Vec<(u64, bool, &PathBuf)> = Vec::new();
    for path in files {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if !endings.contains(&ending) {
            continue;
        }
        let Ok(opened) = Opened::open_path(path, &Options::default()) else { continue };
        if opened.container().format() == format {
            let packed = !opened.container().spaces().is_empty();
            found.push((opened.container().size(), packed, path));
        }
    }
    found.sort();
    [false, true]
        .into_iter()
        .filter_map(|wanted| found.iter().rfind(|(_, packed, _)| *packed == wanted))
        .map(|(_, _, path)| (*path).clone())
        .collect()
}

fn measure(path: &Path, format: &str, what: &str, bare: Bare) -> io::Result<()> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    // The first opening of this process: nothing of the file is mapped or cached by it.
    let started = Instant::now();
    black_box(Opened::open_path(path, &Options::default()).map_err(io::Error::other)?);
    let first = started.elapsed();

    let bytes = Bytes::from(fs::read(path)?);
    let len = bytes.len();
    let mut buffers = bare::Buffers::default();
    println!("{format}: {name}");
    println!("{:<56} {len:>10} {:>11}", "  first opening, from disk", time(first));
    let mut reused = spelunk::Buffers::default();
    let verify = || {
        let source: Arc<dyn source::Source> = Arc::new(bytes.clone());
        let before = std::mem::take(&mut reused);
        let mut opened =
            Opened::open_reusing(source, &Options::default(), before).expect("opened before");
        opened.run(|container, task| container.verify(task)).expect("collected, not failed");
        reused = opened.into_buffers();
    };
    line(&format!("  open + verify / {what}"), len, verify, || bare(&bytes, &mut buffers));

    let mut opened =
        Opened::open(Arc::new(bytes.clone()), &Options::default()).map_err(io::Error::other)?;
    let mut out: Vec<u8> = Vec::with_capacity(len);
    let mut copy: Vec<u8> = Vec::with_capacity(len);
    let write = || {
        out.clear();
        opened
            .run(|container, task| {
                // Every round has the whole budget.
                task.budget = spelunk::Budget::new(spelunk::Limits::for_len(len as u64));
                container.write(&mut out, &WriteOptions::default(), task)
            })
            .expect("written");
        assert_eq!(out.len(), len);
        black_box(&out);
    };
    line("  write / copy", len, write, || {
        copy.clear();
        copy.extend_from_slice(&bytes);
        black_box(&copy);
    });
    Ok(())
}
