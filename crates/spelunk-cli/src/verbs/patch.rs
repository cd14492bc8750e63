//! `patch`: the changes of a patch, made or taken back.

use super::writing::{self, Onto, Writing};
use crate::{args::Patch as Args, inputs::Input, output::Session};
use serde_json::Value;
use spelunk::{
    Error, Options, Result,
    pack::Origin,
    patch::{AnyPatch, Applied},
};
use std::fs;

pub fn run(args: &Args, session: &mut Session) -> Result<()> {
    let options = session.options()?;
    let input = Input::named(&args.to.file);
    let file = input.name();
    let target = args.to.output.as_deref().unwrap_or(&args.to.file);
    let how = (args.to.in_place, args.to.backup.as_deref());
    let onto = Onto::over(&args.to.file, target, &args.to.out, how, session);
    let Some(onto) = onto else { return Ok(()) };
    let patch = match read(args) {
        Ok(patch) => patch,
        Err(error) => {
            session.unopened(&args.patch.display().to_string(), &error);
            return Ok(());
        }
    };
    let applied = match apply(&patch, &input, &options) {
        Ok(applied) => applied,
        Err(error) => {
            session.refused(&input, &options, &error);
            return Ok(());
        }
    };
    for conflict in &applied.conflicts {
        session.failed(&file, conflict);
    }
    say(&applied, session);
    if !applied.conflicts.is_empty() && !args.partial {
        session.say("nothing is written; --partial writes what fits");
        return Ok(());
    }
    let told = [
        ("same_file", applied.same_file.into()),
        ("made", applied.made.into()),
        ("made_before", applied.made_before.into()),
        ("conflicts", applied.conflicts.len().into()),
    ];
    let dry_run = args.to.out.dry_run;
    let mut writing =
        Writing { target, options: applied.options, onto, make_folders: false, dry_run };
    let written = writing::write(&file, applied.opened, &mut writing, session)?;
    if let Some(written) = &written
        && session.common.json
        && !writing::is_stdout(target)
    {
        let mut line = writing::line(&file, written, &writing);
        if let Value::Object(line) = &mut line {
            line.extend(told.map(|(key, value): (&str, Value)| (key.to_owned(), value)));
        }
        session.json(&line)?;
    }
    Ok(())
}

fn read(args: &Args) -> Result<AnyPatch> {
    let patch = AnyPatch::parse(&fs::read(&args.patch).map_err(Error::io)?)?;
    Ok(if args.reverse { patch.reversed() } else { patch })
}

fn apply(patch: &AnyPatch, input: &Input, options: &Options) -> Result<Applied> {
    let source = input.source(options)?;
    patch.apply(&Origin { source: &source, options })
}

fn say(applied: &Applied, session: &mut Session) {
    let counts = [
        (applied.made, "changed"),
        (applied.made_before, "as they are to be already"),
        (applied.conflicts.len() as u64, "in conflict"),
    ];
    let told = counts.iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told.map(|(count, what)| format!("{count} {what}")).collect();
    let whose = if applied.same_file { "the file that the patch is for" } else { "another file" };
    let told = if told.is_empty() { "no entry changed".to_owned() } else { told.join(", ") };
    session.say(&format!("{whose}: {told}"));
}
