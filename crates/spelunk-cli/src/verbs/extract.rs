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
    session.settle(&file, opened.findings());
    let done = match done {
        Ok(done) => done,
        Err(error) => {
            session.failed(&file, &error);
            return Ok(());
        }
    };
    for written in &done.files {
        if session.common.json {
            session.json(&json!({
                "file": file,
                "path": written.path,
                "output": written.output,
                "size": written.size,
                "dry_run": args.dry_run,
            }))?;
        } else if args.dry_run {
            writeln!(session.out(), "{:>10}  {}", human(written.size), written.output)?;
        }
    }
    for (path, error) in &done.failed {
        session.failed(&format!("{file}: {path}"), error);
    }
    let bytes: u64 = done.files.iter().map(|written| written.size).sum();
    let verb = if args.dry_run { "would be written" } else { "written" };
    let noun = if done.files.len() == 1 { "file" } else { "files" };
    let target = args.directory.display();
    session.say(&format!("{} {noun}, {} {verb} to {target}", done.files.len(), human(bytes)));
    Ok(())
}
