//! `extract`: entries to files, with a manifest.

use super::open_one;
use crate::{
    args::Extract,
    output::{Session, human},
    progress::Progress,
};
use serde_json::json;
use spelunk::{Result, extract, select::Select};

pub fn run(args: &Extract, session: &mut Session) -> Result<()> {
    let select = Select::new(&args.globs, &args.exclude)?;
    let Some((file, mut opened)) = open_one(&args.file, session)? else { return Ok(()) };
    let pages = opened.code_pages();
    let plan = extract::Plan {
        target: &args.directory,
        select: &select,
        force: args.force,
        dry_run: args.dry_run,
    };
    let mut progress = Progress::new(0, "entries", !session.common.quiet);
    let done = opened.run(|container, task| {
        extract::extract(container, &pages, &plan, task, &mut |done, all| progress.set(done, all))
    });
    drop(progress);
    session.tell(&file, &opened.findings().findings);
    let done = match done {
        Ok(done) => done,
        Err(error) => {
            session.failed(&file, &error);
            return Ok(());
        }
    };
    for (path, size) in &done.files {
        if session.common.json {
            session.json(&json!({ "file": path, "size": size }))?;
        } else if args.dry_run {
            writeln!(session.out(), "{:>10}  {path}", human(*size))?;
        }
    }
    for (path, error) in &done.failed {
        session.failed(&format!("{file}: {path}"), error);
    }
    if !session.common.json {
        let bytes: u64 = done.files.iter().map(|(_, size)| size).sum();
        let verb = if args.dry_run { "would be written" } else { "written" };
        let count = done.files.len();
        let target = args.directory.display();
        let noun = if count == 1 { "file" } else { "files" };
        writeln!(session.out(), "{count} {noun}, {} {verb} to {target}", human(bytes))?;
    }
    Ok(())
}
