//! `subset`: some entries with all that they need.

use super::writing::{self, Writing};
use crate::{args::Subset as Args, inputs::Input, output::Session};
use spelunk::{
    Result, WriteOptions, json,
    subset::{Depth, Part, Subset, subset},
};

pub fn run(args: &Args, session: &mut Session) -> Result<()> {
    let input = Input::named(&args.file);
    let (file, target) = (input.name(), args.output.as_path());
    if !writing::is_apart(&args.file, target, false, session) {
        return Ok(());
    }
    let Some(mut opened) = session.open(&input)? else { return Ok(()) };
    if !writing::check(&file, &mut opened, session) {
        return Ok(());
    }
    let part = Part {
        paths: args.paths.clone(),
        depth: if args.references { Depth::References } else { Depth::All },
        children: args.children,
        lossy: args.lossy,
    };
    let made = subset(&mut opened, &part, &session.options()?);
    let findings = opened.take_findings();
    session.settle(&file, &findings);
    let Subset { opened: made, asked, needed, referred } = match made {
        Ok(made) => made,
        Err(error) => {
            session.failed(&file, &error);
            return Ok(());
        }
    };
    let writing = Writing {
        target,
        options: WriteOptions::default(),
        existing: writing::existing(&args.out),
        make_folders: false,
        dry_run: args.out.dry_run,
    };
    // What a mapped file still holds is not needed any more.
    drop(opened);
    let Some(mut written) = writing::write(&file, made, &writing, session)? else {
        return Ok(());
    };
    session.say(&told(asked, needed, referred));
    if session.common.json && !writing::is_stdout(target) {
        written.diagnostics.splice(0..0, findings.findings.iter().map(json::finding));
        let mut line = writing::line(&file, &written, &writing);
        if let Some(line) = line.as_object_mut() {
            for (key, count) in [("asked", asked), ("needed", needed), ("referred", referred)] {
                line.insert(key.to_owned(), count.into());
            }
        }
        session.json(&line)?;
    }
    Ok(())
}

/// How many objects there are, and why.
fn told(asked: usize, needed: usize, referred: usize) -> String {
    let objects = if asked == 1 { "object" } else { "objects" };
    let mut text = format!("{asked} {objects} asked for");
    for (count, what) in [(needed, "more that are needed"), (referred, "only referred to")] {
        if count > 0 {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    text
}
