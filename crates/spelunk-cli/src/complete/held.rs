//! The file of a command line that is typed, opened so that nobody waits for it and nobody hears of it.

use spelunk::{
    Cancel, Container, File, Options, Result, Revision, Task, core::text::CodePages,
    file::FileOptions, verbs::FileName,
};
use std::{env, fs, path::PathBuf, thread, time::Duration};

/// The longest that a file is worked on: what was found until then is what there is.
const LONGEST: Duration = Duration::from_millis(400);

/// Options that change what a file shows.
#[derive(Debug, Default)]
pub struct View<'v> {
    pub generation: Option<&'v str>,
    pub encoding: Option<&'v str>,
}

/// A path as a shell would hand it on, where it begins with the folder of the user.
fn expanded(name: &str) -> PathBuf {
    let home = name.strip_prefix("~/").and_then(|rest| Some((env::home_dir()?, rest)));
    home.map_or_else(|| PathBuf::from(name), |(home, rest)| home.join(rest))
}

/// The path of a file or a folder on this disk; `None` for anything else: opening pipes, say, waits for somebody who writes.
pub fn path(name: &str) -> Option<PathBuf> {
    if FileName::from(name).as_url().is_some() {
        return None;
    }
    let path = expanded(name);
    let kind = fs::metadata(&path).ok()?;
    (kind.is_file() || kind.is_dir()).then_some(path)
}

/// Opens a file or a folder of archives; `None` where it is none.
pub fn open(name: &str, view: &View<'_>) -> Option<File> {
    let path = path(name)?;
    let options = Options {
        lenient: true,
        pages: view.encoding.and_then(|pages| CodePages::from_labels(pages).ok()),
        revision: view.generation.and_then(|number| number.parse::<Revision>().ok()),
        cancel: Some(timed()),
        ..Options::default()
    };
    FileOptions::from(options).open(path).ok()
}

/// A flag that ends work when it took too long.
fn timed() -> Cancel {
    let cancel = Cancel::default();
    let flag = cancel.clone();
    thread::spawn(move || {
        thread::sleep(LONGEST);
        flag.cancel();
    });
    cancel
}

/// Works on the container, as far as that goes: errors are for the verb to report.
pub fn look(file: &File, work: impl FnOnce(&dyn Container, &mut Task<'_>) -> Result<()>) {
    let _ = file.with_container(work);
    drop(file.take_findings());
}
