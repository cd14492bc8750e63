//! Extracting a pack of plainly stored assets, beside copying the tree that it was made of.

use super::Work;
use crate::timing::{Rounds, seconds};
use spelunk::{
    Bytes, Opened, Options, Source,
    containers::extract::{Plan, extract},
    containers::pack::Origin,
    entries::select::Select,
};
use std::{
    fs, io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

pub fn measure(work: &Work) -> io::Result<()> {
    let mixed = work.mixed()?;
    let (_, pack) = mixed.first().ok_or_else(|| io::Error::other("no pack"))?;
    let target = work.folder.join("extracted.tmp");
    let timed = |run: &dyn Fn()| -> Duration {
        let started = Instant::now();
        run();
        let time = started.elapsed();
        fs::remove_dir_all(&target).expect("removed");
        time
    };
    let mut one = || timed(&|| run(pack, &target, 1));
    let mut two = || timed(&|| run(pack, &target, 2));
    let mut copy = || {
        timed(&|| {
            let tree = work.folder.join("mixed");
            let status = Command::new("cp").arg("-r").arg(tree).arg(&target).status();
            assert!(status.expect("cp").success());
        })
    };
    let tree = work.tree()?;
    let mut create = || timed(&|| write_all(&tree, &target));
    let rounds = Rounds::timed(11, [&mut one, &mut two, &mut copy, &mut create]);
    let [one, two, copy, create] = rounds.medians().map(seconds);
    println!(
        "extract: {one}, {:.3} of cp -r (at most 0.75); 2 threads {two}, {:.3} (at most 0.5); cp -r {copy}; create, write, close {create}, {:.3}",
        rounds.median(|[one, _, copy, _]| one / copy),
        rounds.median(|[_, two, copy, _]| two / copy),
        rounds.median(|[_, _, copy, create]| create / copy),
    );
    Ok(())
}

fn run(pack: &Bytes, target: &Path, threads: usize) {
    let options = Options { threads: NonZeroUsize::new(threads), ..Options::default() };
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
