//! `subset`: some entries with all that they need.

use super::{open_mounted, writing};
use crate::{
    args::Subset as Args,
    inputs::Input,
    output::{Session, human, is_closed_pipe},
};
use serde_json::json;
use spelunk::{
    Collect, Result, json,
    subset::{Depth, Part, subset},
};

pub fn run(args: &Args, session: &mut Session) -> Result<()> {
    let input = Input::named(&args.file);
    let (file, target) = (input.name(), args.output.as_path());
    for path in [&args.file].into_iter().chain(args.with.iter().map(|pack| &pack.path)) {
        if !writing::is_apart(path, target, false, session) {
            return Ok(());
        }
    }
    let Some(opened) = session.open(&input)? else { return Ok(()) };
    let Some(with) = open_mounted(&args.with, session)? else { return Ok(()) };
    let part = Part {
        paths: args.paths.clone(),
        depth: if args.references { Depth::References } else { Depth::All },
        children: args.children,
        lossy: args.lossy,
        needs: args.following.needs(),
        with,
    };
    let mut findings = Collect::default();
    let made = subset(&file, opened, part, &session.options()?, &mut findings);
    session.settle(&file, &findings);
    let made = match made {
        Ok(made) => made,
        Err(error) => {
            session.failed(&file, &error);
            return Ok(());
        }
    };
    let (noun, asked, needed, referred) = (made.noun, made.asked, made.needed, made.referred);
    let mut later = Collect::default();
    let existing = writing::existing(&args.out);
    let written = writing::stream_to(target, existing, args.out.dry_run, |out| {
        made.write(&mut { out }, &mut later)
    });
    session.settle(&file, &later);
    let name = target.display().to_string();
    let size = match written.and_then(writing::Sink::commit) {
        Ok(size) => size,
        Err(error) if is_closed_pipe(&error) => return Err(error),
        Err(error) => {
            writing::refused(&file, &name, &error, session);
            return Ok(());
        }
    };
    let verb = if args.out.dry_run { "would be written" } else { "written" };
    session.say(&format!("{name}: {} {verb}", human(size)));
    session.say(&told(noun, asked, needed, referred));
    if session.common.json && !writing::is_stdout(target) {
        let all = findings.findings.iter().chain(&later.findings);
        session.json(&json!({
            "file": file,
            "output": name,
            "size": size,
            "diagnostics": all.map(json::finding).collect::<Vec<_>>(),
            "dry_run": args.out.dry_run,
            "asked": asked,
            "needed": needed,
            "referred": referred,
        }))?;
    }
    Ok(())
}

/// How many entries there are, and why.
fn told(noun: &str, asked: usize, needed: usize, referred: usize) -> String {
    let plural = if asked == 1 { "" } else { "s" };
    let mut text = format!("{asked} {noun}{plural} asked for");
    for (count, what) in [(needed, "more that are needed"), (referred, "only referred to")] {
        if count > 0 {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    text
}
