//! Folders of SpellForce archives, beside reading their tables and copying the files that are in them.
//!
//! Real archives are not at hand, so the ones that are measured have the paths, sizes and order of the 23 archives that the
//! corpus's `pakdata.dat` lists (without it as many made-up ones), and other content. All of it takes 10 GB; in a quick run files
//! have an eighth of their sizes.

use crate::{
    clock::{Measured, Reading, measured},
    line::{Case, Line},
    made::with_task,
    work::{Work, on},
};
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
use std::{
    fs,
    hint::black_box,
    io::{self, BufWriter, Read, Write},
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

/// A folder as one set.
pub const CASES: &[Case] = &[
    Case {
        sides: &[
            "open, look up",
            "open, look up nothing",
            "open, check",
            "open, list",
            "read the tables into one buffer",
            "read the tables, keep them",
        ],
        lines: &[
            Line::ratio("archives-find", "open 23 archives, look a file up", KEPT)
                .by(|t, _| t[0] / t[5])
                .at_most(1.5),
            Line::ratio("archives-miss", "the same for a path that no archive has", KEPT)
                .by(|t, _| t[1] / t[5])
                .at_most(1.5),
            Line::ratio("archives-check", "open, check names, places, hashes, order", KEPT)
                .by(|t, _| t[2] / t[5])
                .at_most(5.0),
            Line::ratio("archives-list", "open, everything by path, with what hides what", KEPT)
                .by(|t, _| t[3] / t[5]),
            Line::ratio("archives-find-reused", "open 23 archives, look a file up", REUSED)
                .by(|t, _| t[0] / t[4]),
            Line::ratio("archives-miss-reused", "the same for a path that no archive has", REUSED)
                .by(|t, _| t[1] / t[4]),
            Line::ratio(
                "archives-check-reused",
                "open, check names, places, hashes, order",
                REUSED,
            )
            .by(|t, _| t[2] / t[4]),
            Line::ratio(
                "archives-list-reused",
                "open, everything by path, with what hides what",
                REUSED,
            )
            .by(|t, _| t[3] / t[4]),
        ],
        measure: open,
    },
    Case {
        sides: &["extract, 1 thread", "extract, 2 threads", "cp -r"],
        lines: &[
            Line::ratio("archives-extract", "extract all files that win, 1 thread", "`cp -r`")
                .by(|t, _| t[0] / t[2])
                .at_most(1.0),
            Line::ratio("archives-extract-2", "the same, 2 threads", "`cp -r`")
                .by(|t, _| t[1] / t[2])
                .at_most(0.6)
                .on_the_wall(),
        ],
        measure: extraction,
    },
];

const KEPT: &str = "read their tables with one read each, and keep them";
const REUSED: &str = "read their tables into one buffer";

/// The folder with the archives, which are made where they are not there.
fn game(work: &Work) -> io::Result<(PathBuf, Vec<PathBuf>)> {
    let game = work.folder("archives")?.join("game");
    if !game.exists() {
        make(work, &game)?;
    }
    let paths = archives::find(&game);
    Ok((game, paths))
}

/// Opening all archives and looking one file up, and checking everything, beside one read of each archive's tables.
fn open(work: &Work) -> io::Result<Measured> {
    let (game, paths) = game(work)?;
    let options = Options::default();
    let set = || with_task(1, |task| archives::set(&game, &paths, &options, task)).expect("a set");
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
    let lookup = |set: &Set, path| with_task(1, |task| set.lookup(path, task)).expect("looked up");
    let mut found = || assert!(lookup(&set(), &wanted).is_some());
    let mut missed = || assert!(lookup(&set(), &nothing).is_none());
    let mut checked = || {
        let set = set();
        with_task(1, |task| {
            set.archives().iter().try_for_each(|mounted| mounted.archive.check_tables(task))
        })
        .expect("checked");
    };
    let mut listed = || {
        let set = set();
        black_box(
            with_task(1, |task| set.view(task).map(|view| view.groups().len())).expect("listed"),
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
    let sides: [&mut dyn FnMut(); 6] =
        [&mut found, &mut missed, &mut checked, &mut listed, &mut reused, &mut kept];
    Measured::of(work.rounds, sides).with(format!("{} archives, {entries} entries", paths.len()))
}

/// Extracting all files that win, beside copying them.
fn extraction(work: &Work) -> io::Result<Measured> {
    let (game, _) = game(work)?;
    let folder = work.folder("archives")?;
    let [target, tree] = ["extracted.tmp", "tree.tmp"].map(|name| folder.join(name));
    for left in [&target, &tree] {
        if left.exists() {
            fs::remove_dir_all(left)?;
        }
    }
    run(&game, &tree, 1);
    let timed = |work: &dyn Fn()| -> Reading {
        let time = measured(work);
        fs::remove_dir_all(&target).expect("removed");
        time
    };
    let mut one = || timed(&|| run(&game, &target, 1));
    let mut two = || timed(&|| run(&game, &target, 2));
    let mut copy = || {
        timed(&|| {
            let status = Command::new("cp").arg("-r").arg(&tree).arg(&target).status();
            assert!(status.expect("cp").success());
        })
    };
    let measured = Measured::timed(work.rounds, [&mut one, &mut two, &mut copy]);
    fs::remove_dir_all(&tree)?;
    measured.with("23 archives")
}

fn run(game: &Path, target: &Path, threads: usize) {
    let mut opened = archives::open(game, &on(threads)).expect("opened").expect("archives");
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
fn wanted(work: &Work) -> io::Result<Vec<(String, Vec<Wanted>)>> {
    let real = work.file("pakdata.dat")?;
    let Some(path) = real.filter(|_| work.is_real()) else {
        let file =
            |n: u64| (format!("texture/terrain{}/stone_{n}.tga", n % 40), n * 7919 % 400_000);
        let archive =
            |n: u64| (format!("sf{n}.pak"), (n * 1000..n * 1000 + 2600).map(file).collect());
        return Ok((0..23).map(archive).collect());
    };
    let source: Arc<dyn Source> = Arc::new(Bytes::from(fs::read(path)?));
    let cache = with_task(1, |task| Cache::open(&*source, task)).map_err(io::Error::other)?;
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
fn make(work: &Work, game: &Path) -> io::Result<()> {
    fs::create_dir_all(game.join("pak"))?;
    for (name, files) in wanted(work)? {
        let mut draft = Draft::default();
        for (nth, (path, size)) in files.into_iter().enumerate() {
            let path = MemberPath::from_text(&path).map_err(io::Error::other)?;
            draft.add(path, Arc::new(Bytes::from(vec![nth as u8; work.count(size as usize)])));
        }
        let mut out = BufWriter::new(fs::File::create(game.join("pak").join(name))?);
        with_task(1, |task| draft.write(&mut out, task)).map_err(io::Error::other)?;
        out.flush()?;
    }
    Ok(())
}
