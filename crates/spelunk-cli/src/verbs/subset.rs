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
    verbs::{Disk, FileRef},
};

pub fn run(args: &Args, session: &mut Session) -> Result<()> {
    let input = Input::named(&args.file);
    let (file, target) = (input.name(), args.output.as_path());
    let with = args.with.iter().filter_map(|pack| match pack.parts(&Disk).1 {
        FileRef::Name(name) => Some(name.as_path().to_owned()),
        FileRef::Open(_) => None,
    });
    for path in [args.file.clone()].into_iter().chain(with) {
        if !writing::is_apart(&path, target, false, session) {
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
    let counts =
        Counts { asked: made.asked, needed: made.needed, referred: made.referred, lost: made.lost };
    let noun = made.noun;
    let mut later = Collect::default();
    let onto = writing::Onto::new(&args.out);
    let written = writing::stream_to(target, onto, args.out.dry_run, |out| {
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
    session.say(&counts.sentence(noun));
    if session.common.json && !writing::is_stdout(target) {
        let all = findings.findings.iter().chain(&later.findings);
        session.json(&json!({
            "file": file,
            "output": name,
            "size": size,
            "diagnostics": all.map(json::finding).collect::<Vec<_>>(),
            "dry_run": args.out.dry_run,
            "asked": counts.asked,
            "needed": counts.needed,
            "referred": counts.referred,
            "lost": counts.lost,
        }))?;
    }
    Ok(())
}

/// How many entries the part has, and why; see [`spelunk::subset::Subset`].
struct Counts {
    asked: usize,
    needed: usize,
    referred: usize,
    lost: usize,
}

impl Counts {
    fn sentence(&self, noun: &str) -> String {
        let plural = if self.asked == 1 { "" } else { "s" };
        let mut text = format!("{} {noun}{plural} asked for", self.asked);
        for (count, what) in [
            (self.needed, "more that are needed"),
            (self.referred, "only referred to"),
            (self.lost, "left out whose references are null, for no loader would find them"),
        ] {
            if count > 0 {
                text.push_str(&format!(", {count} {what}"));
            }
        }
        text
    }
}
