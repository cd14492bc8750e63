//! Extracting a pack of plainly stored assets, beside copying the tree that it was made of.

use super::Workload;
use crate::{
    clock::{Measured, Reading, measured},
    line::{Case, Line},
    work::{Work, on},
};
use spelunk::{
    Bytes, Opened, Source,
    containers::extract::{Plan, extract},
    containers::pack::Origin,
    entries::select::Select,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    thread,
};

pub const CASE: Case = Case {
    sides: &[
        "extract, 1 thread",
        "extract, 2 threads",
        "cp -r",
        "create, write, close",
        "create, write, close, 2 threads",
    ],
    lines: &[
        Line::ratio("packs-extract", "extract, stored, 1 thread", "`cp -r`")
            .by(|t, _| t[0] / t[2])
            .at_most(1.0),
        Line::ratio("packs-extract-2", "extract, stored, 2 threads", "`cp -r`")
            .by(|t, _| t[1] / t[2])
            .at_most(0.6)
            .on_the_wall(),
        Line::ratio("packs-extract-least", "create, write and close the files", "`cp -r`")
            .by(|t, _| t[3] / t[2]),
        Line::ratio("packs-extract-least-2", "create, write and close, 2 threads", "`cp -r`")
            .by(|t, _| t[4] / t[2])
            .on_the_wall(),
    ],
    measure,
};

fn measure(work: &Work) -> io::Result<Measured> {
    let workload = Workload::of(work)?;
    let pack = workload.mixed(0)?;
    let target = workload.folder.join("extracted.tmp");
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    let timed = |run: &dyn Fn()| -> Reading {
        let time = measured(run);
        fs::remove_dir_all(&target).expect("removed");
        time
    };
    let mut one = || timed(&|| run(&pack, &target, 1));
    let mut two = || timed(&|| run(&pack, &target, 2));
    let mut copy = || {
        timed(&|| {
            let tree = workload.folder.join("mixed");
            let status = Command::new("cp").arg("-r").arg(tree).arg(&target).status();
            assert!(status.expect("cp").success());
        })
    };
    let tree = workload.tree()?;
    let mut create = || timed(&|| write_all(&tree, &target));
    let halves = tree.split_at(tree.len() / 2);
    let mut create_both = || {
        timed(&|| {
            thread::scope(|scope| {
                scope.spawn(|| write_all(halves.0, &target));
                write_all(halves.1, &target);
            });
        })
    };
    Measured::timed(work.rounds, [&mut one, &mut two, &mut copy, &mut create, &mut create_both])
        .with(format!("{} files", tree.len()))
}

fn run(pack: &Bytes, target: &Path, threads: usize) {
    let options = on(threads);
    let source: Arc<dyn Source> = Arc::new(pack.clone());
    let mut opened = Opened::open(source.clone(), &options).expect("a pack");
    let pages = opened.code_pages();
    let select = Select::new::<&str>(&[], &[]).expect("no globs");
    let plan = Plan {
        target,
        select: &select,
        included: false,
        origin: Some(Origin { source: &source, options: &options }),
        follow_links: false,
        force: false,
        dry_run: false,
    };
    let done =
        opened.run(|container, task| extract(container, &pages, &plan, task, &mut |_, _| {}));
    assert!(done.expect("extracted").failed.is_empty());
}

/// Creates, writes and closes the same files in folders that are there.
fn write_all(tree: &[(String, PathBuf)], target: &Path) {
    let bytes = vec![1; spelunk_fixtures::workload::MIXED_SIZE];
    let mut last = PathBuf::new();
    for (name, _) in tree {
        let path = target.join(name);
        let folder = path.parent().expect("a folder");
        if last != folder {
            fs::create_dir_all(folder).expect("a folder");
            last = folder.to_owned();
        }
        fs::write(path, &bytes).expect("written");
    }
}
