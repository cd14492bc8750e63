//! `extract`: entries to files, with a manifest.

use crate::{
    args::Extract,
    inputs::Input,
    output::{Session, human},
    progress::Progress,
};
use serde_json::json;
use spelunk::{Error, Opened, Result, extract, pack::Origin, select::Select};

pub fn run(args: &Extract, session: &mut Session) -> Result<()> {
    session.show_at(&args.at)?;
    let select = Select::new(&args.globs, &args.exclude)?;
    let input = Input::named(&args.file);
    let file = input.name();
    let options = session.options()?;
    let opened = if input.path.is_dir() {
        // Folders are no files that could come back.
        input.open(&options).map(|opened| (opened, None))
    } else {
        let source = input.source(&options);
        source.and_then(|source| Ok((Opened::open(source.clone(), &options)?, Some(source))))
    };
    let (mut opened, source) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            session.refused(&input, &options, &error);
            return Ok(());
        }
    };
    session.meet(&opened);
    let pages = opened.code_pages();
    let plan = extract::Plan {
        target: &args.directory,
        select: &select,
        included: args.included,
        origin: source
            .as_ref()
            .filter(|_| !args.no_skeleton)
            .map(|source| Origin { source, options: &options }),
        force: args.out.force,
        follow_links: args.out.follow_links,
        dry_run: args.out.dry_run,
    };
    let mut progress = Progress::new(session);
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
                "dry_run": args.out.dry_run,
            }))?;
        } else if args.out.dry_run {
            writeln!(session.out(), "{:>10}  {}", human(written.size), written.output)?;
        }
    }
    // One damage is behind many entries, and findings tell it already.
    let is_told = |error: &Error| {
        let told = opened.findings().findings.iter();
        told.map(|finding| finding.error.to_string()).any(|text| text == error.to_string())
    };
    let mut unread = done.failed_alike;
    for (path, error) in &done.failed {
        if is_told(error) {
            unread += 1;
            session.count_failure(error);
        } else {
            session.failed(&format!("{file}: {path}"), error);
        }
    }
    if unread > 0 {
        let noun = if unread == 1 { "entry" } else { "entries" };
        session.say(&format!("{file}: {unread} {noun} not written, see the damage above"));
    }
    let bytes: u64 = done.files.iter().map(|written| written.size).sum();
    let verb = if args.out.dry_run { "would be written" } else { "written" };
    let noun = if done.files.len() == 1 { "file" } else { "files" };
    let target = args.directory.display();
    session.say(&format!("{} {noun}, {} {verb} to {target}", done.files.len(), human(bytes)));
    Ok(())
}
