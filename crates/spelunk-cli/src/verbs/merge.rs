//! `merge`: what two sides made of one file, as one.

use super::writing::{self, Onto, Writing};
use crate::{args::Merge as Args, inputs::Input, output::Session};
use serde_json::{Map, Value};
use spelunk::{
    Result, WriteOptions,
    merge::{self, Merged, Report},
};

pub fn run(args: &Args, session: &mut Session) -> Result<()> {
    let target = args.target();
    let (mut opened, mut is_sound) = (Vec::new(), true);
    let how = (args.in_place, args.backup.as_deref());
    let onto = Onto::over(&args.ours, target, &args.out, how, session);
    let theirs = args.theirs.iter().map(|path| (path, false));
    for (path, is_ours) in [(&args.base, false), (&args.ours, true)].into_iter().chain(theirs) {
        is_sound &= is_ours || writing::is_apart(path, target, false, session);
        let input = Input::named(path);
        // All that cannot be opened are told.
        let Some(mut file) = session.open(&input)? else {
            is_sound = false;
            continue;
        };
        let findings = file.take_findings();
        session.settle(&input.name(), &findings);
        opened.push(file);
    }
    let mut opened = opened.into_iter();
    let (Some(base), Some(mut ours), true) = (opened.next(), opened.next(), is_sound) else {
        return Ok(());
    };
    let Some(onto) = onto else { return Ok(()) };
    let file = Input::named(&args.ours).name();
    let mut report: Option<Report> = None;
    for (theirs, path) in opened.zip(&args.theirs) {
        if report.is_some() {
            // What was decided of the one before, which the next one knows nothing of.
            let findings = ours.take_findings();
            session.settle(&file, &findings);
        }
        let merged = merge::merge([&base, &ours, &theirs], args.policy(), &session.options()?);
        let Merged { opened: merged, report: more } = match merged {
            Ok(merged) => merged,
            Err(error) => {
                session.failed(&file, &error);
                return Ok(());
            }
        };
        let all = match report.take() {
            Some(before) => before.and(more),
            None => more,
        };
        let Some(merged) = merged else {
            let whose =
                if args.theirs.len() > 1 { Input::named(path).name() } else { file.clone() };
            for conflict in &all.conflicts {
                session.failed(&whose, &merge::told_conflict(conflict));
            }
            session.say(&told(&all));
            session.say("nothing is written; --on-conflict ours or theirs decides");
            return line(&file, None, &all, session);
        };
        report = Some(all);
        ours = merged;
    }
    let report = report.unwrap_or_default();
    if args.part {
        let mut findings = ours.take_findings();
        ours = match merge::part(&base, &ours, &session.options()?) {
            Ok(part) => part,
            Err(error) => {
                session.failed(&file, &error);
                return Ok(());
            }
        };
        session.settle(&file, &std::mem::take(&mut findings));
    }
    // A file that is mapped cannot be replaced on every system; what is merged has it still.
    drop(base);
    let merged = ours;
    let dry_run = args.out.dry_run;
    let options = WriteOptions::default();
    let mut writing = Writing { target, options, onto, make_folders: false, dry_run };
    let Some(written) = writing::write(&file, merged, &mut writing, session)? else {
        return Ok(());
    };
    session.say(&told(&report));
    if writing::is_stdout(target) {
        return Ok(());
    }
    line(&file, Some(writing::line(&file, &written, &writing)), &report, session)
}

/// What became of the assets, with what was written, where something was.
fn line(file: &str, written: Option<Value>, report: &Report, session: &mut Session) -> Result<()> {
    if !session.common.json {
        return Ok(());
    }
    let mut line = match written {
        Some(Value::Object(line)) => line,
        _ => Map::from_iter([
            ("file".to_owned(), Value::from(file)),
            ("output".to_owned(), Value::Null),
        ]),
    };
    line.extend(merge::report(report));
    session.json(&Value::Object(line))
}

fn told(report: &Report) -> String {
    let counts = [
        (report.from_ours.len(), "from ours"),
        (report.from_theirs.len(), "from theirs"),
        (report.both.len(), "from both alike"),
        (report.merged.len(), "merged"),
        (report.conflicts.len(), "in conflict"),
    ];
    let told = counts.iter().filter(|(count, _)| *count > 0);
    let told: Vec<String> = told.map(|(count, what)| format!("{count} {what}")).collect();
    if told.is_empty() { "no changes".to_owned() } else { told.join(", ") }
}
