//! Folders of SpellForce archives, beside reading their tables and copying the files that are in them.
//!
//! Real archives are not at hand, so the ones that are measured have the paths, sizes and order of the 23 archives that the
//! corpus's `pakdata.dat` lists (without it as many made-up ones), and other content. All of it takes 10 GB on a tmpfs.

use crate::timing::{Rounds, seconds};
use spellforce::{
    pak::{Draft, MemberPath},
    pakdata::Cache,
    set::Set,
};
use spelunk::{
    Bytes, Options, Source,
    containers::archives,
    containers::extract::{Plan, extract},
    entries::select::Select,
};
use spelunk_core::{Budget, Limits, Task, finding::Collect};
use std::{
    env, fs,
    hint::black_box,
    io::{self, BufWriter, Read, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

/// Measures with the archives in `folder`, which are made where they are not there.
pub fn measure(folder: &Path) -> io::Result<()> {
    let game = folder.join("game");
    if !game.exists() {
        make(&game)?;
    }
    let paths = archives::find(&game);
    let size: u64 = paths.iter().filter_map(|path| fs::metadata(path).ok()).map(|m| m.len()).sum();
    println!("{}: {} archives, {} MiB", folder.display(), paths.len(), size >> 20);
    open(&game, &paths)?;
    extraction(folder, &game)
}

fn with_task<T>(work: impl FnOnce(&mut Task<'_>) -> T) -> T {
    let mut sink = Collect::default();
    let result = work(&mut Task::new(Budget::new(Limits::unlimited()), &mut sink));
    assert!(!sink.has_errors());
    result
}

/// Opening all archives and looking one file up, and checking everything, beside one read of each archive's tables.
fn open(game: &Path, paths: &[PathBuf]) -> io::Result<()> {
    let options = Options::default();
    let set = || with_task(|task| archives::set(game, paths, &options, task)).expect("a set");
    let made = set();
    let entries: usize = made.archives().iter().map(|a| a.archive.entries().len()).sum();
    let tables: Vec<(&PathBuf, usize)> = paths
        .iter()
        .map(|path| {
            let known = made.archives().iter().find(|a| path.ends_with(&a.name)).expect("there");
            (path, known.archive.header().data_start.get() as usize)
        })
        .collect();
    // A file of the archive that is asked last.
    let last = made.archives().last().expect("an archive");
    let entry = &last.archive.entries()[last.archive.entries().len() / 2];
    let path: Vec<u8> = last.archive.names().reversed_path(entry).expect("a path").rev().collect();
    let wanted = MemberPath::from_bytes(&path).expect("a path");
    let nothing = MemberPath::from_bytes(b"texture\\nothing.tga").expect("a path");
    let lookup = |set: &Set, path| with_task(|task| set.lookup(path, task)).expect("looked up");
    let mut found = || assert!(lookup(&set(), &wanted).is_some());
    let mut missed = || assert!(lookup(&set(), &nothing).is_none());
    let mut checked = || {
        let set = set();
        with_task(|task| {
            set.archives().iter().try_for_each(|mounted| mounted.archive.check_tables(task))
        })
        .expect("checked");
    };
    let mut listed = || {
        let set = set();
        black_box(
            with_task(|task| set.view(task).map(|view| view.groups().len())).expect("listed"),
        );
    };
    let read = |path: &Path, buffer: &mut [u8]| {
        fs::File::open(path).and_then(|mut file| file.read_exact(buffer)).expect("read");
    };
    let most = tables.iter().map(|(_, len)| *len).max().unwrap_or_default();
    let mut buffer = vec![0; most];
    let mut reused = || {
        for (path, len) in &tables {
            read(path, &mut buffer[..*len]);
            black_box(&buffer);
        }
    };
    // A set keeps what it reads, too.
    let mut kept = || {
        let mut buffers: Vec<Vec<u8>> = tables.iter().map(|(_, len)| vec![0; *len]).collect();
        tables.iter().zip(&mut buffers).for_each(|((path, _), buffer)| read(path, buffer));
        black_box(&buffers);
    };
    let rounds = Rounds::run(
        15,
        [&mut found, &mut missed, &mut checked, &mut listed, &mut reused, &mut kept],
    );
    let [found, missed, checked, listed, reused, kept] = rounds.medians().map(seconds);
    println!(
        "read the tables of {entries} entries, one read an archive, into one buffer: {reused}"
    );
    println!("the same, kept in a buffer each: {kept}");
    for (what, time, nth, most) in [
        ("open, first look-up", found, 0, "1.5"),
        ("open, first look-up of nothing", missed, 1, "1.5"),
        ("open, check names, places, hashes, order", checked, 2, "5"),
        ("open, list everything by path", listed, 3, "-"),
    ] {
        let of = |peer: usize| rounds.median(|times| times[nth] / times[peer]);
        println!("{what}: {time}, {:.2} of that, {:.2} of keeping (at most {most})", of(4), of(5));
    }
    Ok(())
}

/// Extracting all files that win, beside copying them.
fn extraction(folder: &Path, game: &Path) -> io::Result<()> {
    let [target, tree] = ["extracted.tmp", "tree.tmp"].map(|name| folder.join(name));
    if tree.exists() {
        fs::remove_dir_all(&tree)?;
    }
    run(game, &tree, 1);
    let timed = |work: &dyn Fn()| -> Duration {
        let started = Instant::now();
        work();
        let time = started.elapsed();
        fs::remove_dir_all(&target).expect("removed");
        time
    };
    let mut one = || timed(&|| run(game, &target, 1));
    let mut two = || timed(&|| run(game, &target, 2));
    let mut copy = || {
        timed(&|| {
            let status = Command::new("cp").arg("-r").arg(&tree).arg(&target).status();
            assert!(status.expect("cp").success());
        })
    };
    let rounds = Rounds::timed(11, [&mut one, &mut two, &mut copy]);
    let [one, two, copy] = rounds.medians().map(seconds);
    println!(
        "extract: {one}, {:.3} of cp -r (at most 0.75); 2 threads {two}, {:.3}; cp -r {copy}",
        rounds.median(|[one, _, copy]| one / copy),
        rounds.median(|[_, two, copy]| two / copy),
    );
    fs::remove_dir_all(&tree)
}

fn run(game: &Path, target: &Path, threads: usize) {
    let options = Options { threads: NonZeroUsize::new(threads), ..Options::default() };
    let mut opened = archives::open(game, &options).expect("opened").expect("archives");
    let pages = opened.code_pages();
    let select = Select::new::<&str>(&[], &[]).expect("no globs");
    let (force, dry_run) = (false, false);
    let plan = Plan {
        target,
        select: &select,
        included: false,
        origin: None,
        force,
        follow_links: false,
        dry_run,
    };
    let done =
        opened.run(|container, task| extract(container, &pages, &plan, task, &mut |_, _| {}));
    assert!(done.expect("extracted").failed.is_empty());
}

/// A file of an archive that is to be made: its path and its size.
type Wanted = (String, u64);

/// The archives by name, with their files in the order of their data.
fn wanted() -> io::Result<Vec<(String, Vec<Wanted>)>> {
    let corpus = env::var_os("SPELUNK_CORPUS").map(PathBuf::from);
    let cache = corpus.map(|corpus| corpus.join("spellforce/pakdata.dat.zst"));
    let Some(path) = cache.filter(|path| path.exists()) else {
        let file =
            |n: u64| (format!("texture/terrain{}/stone_{n}.tga", n % 40), n * 7919 % 400_000);
        let archive =
            |n: u64| (format!("sf{n}.pak"), (n * 1000..n * 1000 + 2600).map(file).collect());
        return Ok((0..23).map(archive).collect());
    };
    let source: Arc<dyn Source> = Arc::new(Bytes::from(zstd::decode_all(fs::File::open(path)?)?));
    let cache = with_task(|task| Cache::open(&*source, task)).map_err(io::Error::other)?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let archive = |cached: spellforce::pakdata::Cached<'_>| {
        let mut files: Vec<_> = cached.entries().collect();
        files.sort_by_key(|file| (file.offset, file.size));
        let file = |file: spellforce::pakdata::CachedFile<'_>| {
            let path = format!("{}\\{}", text(file.directory), text(file.name));
            (path, file.size.unsigned_abs())
        };
        (text(cached.key), files.into_iter().map(file).collect())
    };
    Ok(cache.archives().map(archive).collect())
}

/// Writes the archives.
fn make(game: &Path) -> io::Result<()> {
    fs::create_dir_all(game.join("pak"))?;
    for (name, files) in wanted()? {
        let mut draft = Draft::default();
        for (nth, (path, size)) in files.into_iter().enumerate() {
            let path = MemberPath::from_text(&path).map_err(io::Error::other)?;
            draft.add(path, Arc::new(Bytes::from(vec![nth as u8; size as usize])));
        }
        let mut out = BufWriter::new(fs::File::create(game.join("pak").join(name))?);
        with_task(|task| draft.write(&mut out, task)).map_err(io::Error::other)?;
        out.flush()?;
    }
    Ok(())
}
