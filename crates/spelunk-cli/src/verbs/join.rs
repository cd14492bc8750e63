//! `join`: several files as one.

use super::writing::{self, Writing};
use crate::{args::Join as Args, inputs::Input, output::Session};
use serde_json::{Map, Value};
use spelunk::{
    Result, WriteOptions,
    join::{Counts, Join},
    json,
};

pub fn run(args: &Args, session: &mut Session) -> Result<()> {
    let target = args.output.as_path();
    let mut is_sound = true;
    for path in &args.files {
        is_sound &= writing::is_apart(path, target, false, session);
    }
    if !is_sound {
        return Ok(());
    }
    let mut join = Join::new(args.policies());
    let (mut files, mut diagnostics) = (Vec::new(), Vec::<Value>::new());
    for path in &args.files {
        let input = Input::named(path);
        let file = input.name();
        let Some(mut opened) = session.open(&input)? else {
            // All that cannot be opened are told.
            is_sound = false;
            continue;
        };
        if !writing::check(&file, &mut opened, session) {
            is_sound = false;
            continue;
        }
        let added = join.add(&mut opened);
        let findings = opened.take_findings();
        session.settle(&file, &findings);
        diagnostics.extend(findings.findings.iter().map(json::finding));
        match added {
            Ok(counts) => files.push((file, counts)),
            Err(error) => {
                session.failed(&file, &error);
                is_sound = false;
            }
        }
    }
    if !is_sound {
        return Ok(());
    }
    let name = target.display().to_string();
    let opened = match join.end(args.lossy, &session.options()?) {
        Ok(opened) => opened,
        Err(error) => {
            session.failed(&name, &error);
            return Ok(());
        }
    };
    let mut writing = Writing {
        target,
        options: WriteOptions::default(),
        onto: writing::Onto::new(&args.out),
        make_folders: false,
        dry_run: args.out.dry_run,
    };
    let Some(mut written) = writing::write(&name, opened, &mut writing, session)? else {
        return Ok(());
    };
    for (file, counts) in &files {
        session.say(&format!("{file}: {}", told(counts)));
    }
    if session.common.json && !writing::is_stdout(target) {
        written.diagnostics.splice(0..0, diagnostics);
        let first = files.first().map_or(&*name, |(file, _)| file);
        let mut line = writing::line(first, &written, &writing);
        if let Some(line) = line.as_object_mut() {
            line.insert("files".to_owned(), files.iter().map(row).collect());
        }
        session.json(&line)?;
    }
    Ok(())
}

/// What became of the objects of a file, as JSON.
fn row((file, counts): &(String, Counts)) -> Value {
    let mut row = Map::new();
    row.insert("file".to_owned(), file.as_str().into());
    row.extend(counts.named().map(|(name, count)| (name.to_owned(), count.into())));
    row.into()
}

/// What became of the objects of a file.
fn told(counts: &Counts) -> String {
    let total: usize = counts.named().iter().map(|(_, count)| count).sum();
    let some = counts.named().into_iter().filter(|(_, count)| *count > 0);
    let some: Vec<String> = some.map(|(name, count)| format!("{count} {name}")).collect();
    match some.as_slice() {
        [] => "no objects".to_owned(),
        some => format!("{total} objects: {}", some.join(", ")),
    }
}
