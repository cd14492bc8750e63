//! What `spelunk info` of a small file costs beside a process that does nothing but call the library and print.

use crate::timing::{ROUNDS, Rounds};
use spelunk::{Opened, Options, core::source, open::json};
use std::{
    env, fs, io,
    path::Path,
    process::{Command, Stdio},
};

/// The verb that makes this program the bare process.
pub const BARE: &str = "bare-info";

/// The library call: the file is opened, and what it tells is printed.
pub fn bare(file: &Path) -> io::Result<()> {
    let options = Options::default();
    let opened = source::open(file, options.mapping).and_then(|it| Opened::open(it, &options));
    let mut opened = opened.map_err(io::Error::other)?;
    let pages = opened.code_pages();
    let (details, told) =
        opened.run(|container, task| json::object(&pages, |walk| container.info(task, walk)));
    told.map_err(io::Error::other)?;
    println!("{}", serde_json::Value::Object(details));
    Ok(())
}

/// Starts both, interleaved.
pub fn measure(spelunk: &Path) -> io::Result<()> {
    let dir = tempfile::tempdir()?;
    spelunk_fixtures::write_samples(dir.path())?;
    let this = env::current_exe()?;
    println!("{:<24} {:>11} {:>11} {:>11} {:>6}", "", "spelunk", "bare", "nothing", "ratio");
    for name in ["level.nmo", "forest.snpak", "GameData.cff", "sf22.pak"] {
        let file = dir.path().join(name);
        let start = |program: &Path, args: &[&str]| {
            let mut command = Command::new(program);
            command.args(args).arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
            let done = command.status().expect("it starts");
            assert!(done.success(), "{program:?} {args:?}");
        };
        let rounds = Rounds::run(
            ROUNDS * 3,
            [
                &mut || start(spelunk, &["info", "--json"]),
                &mut || start(&this, &[BARE]),
                &mut || start(&this, &["nothing"]),
            ],
        );
        let [ours, bare, nothing] = rounds.medians().map(|seconds| seconds * 1e3);
        let ratio = rounds.median(|[ours, bare, _]| ours / bare);
        println!("{name:<24} {ours:>8.2} ms {bare:>8.2} ms {nothing:>8.2} ms {ratio:>6.2}");
    }
    let size = fs::metadata(spelunk)?.len();
    println!("{} takes {size} bytes", spelunk.display());
    Ok(())
}
