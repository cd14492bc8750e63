//! `pack`: a container from the folder that `extract` wrote, or a new pack of files.

use super::{
    packs::read_list,
    writing::{self, Onto, Sink, Writing},
};
use crate::{
    args::Pack,
    output::{Session, human},
};
use serde_json::json;
use spelunk::{
    Collect, Error, Result, archives, codes, json,
    pack::{
        self, Filled, Kind, Packed,
        archives::ArchiveFiles,
        build::{self, Assets},
        rules::Rules,
    },
    packs,
    verbs::ReaderOptions,
};
use std::path::Path;

/// How many files that are passed over are named.
const NAMED: usize = 5;

pub fn run(args: &Pack, session: &mut Session) -> Result<()> {
    let output = args.output.display().to_string();
    let list = args.files_from.as_deref();
    let source = list.or(args.source.as_deref()).unwrap_or(Path::new("-"));
    let name = source.display().to_string();
    let is_cache = Kind::of(&args.output) == Kind::Cache;
    if !is_cache && pack::lies_in(source, &args.output) {
        let error = Error::new(&codes::core::BAD_TARGET)
            .expected("a place outside of the folder")
            .found("a file of it");
        session.failed(&output, &error);
        return Ok(());
    }
    if is_cache && source.is_dir() {
        return cache(args, source, session);
    }
    // For other readers than the usual ones a pack is made anew, too.
    let usual = args.readers == ReaderOptions::default();
    let rules = args.rules.rules()?.or_else(|| (!usual).then(Rules::default));
    let options = session.options()?;
    let how = (Kind::of(&args.output), args.out.follow_links);
    let packed = if list.is_some() || writing::is_stdout(source) {
        let rules = rules.unwrap_or_default();
        read_list(source).and_then(|list| build::of_list(&list, &rules)).map(Packed::New)
    } else {
        pack::pack_as(source, rules.as_ref(), how, &options)
    };
    match packed {
        Ok(Packed::Filled(filled)) => refill(args, &name, *filled, session),
        Ok(Packed::New(assets)) => new(args, &name, assets, session),
        Ok(Packed::Archive(files)) => archive(args, &name, &files, session),
        Err(error) => {
            session.unopened(&name, &error);
            Ok(())
        }
    }
}

/// Writes a new pack.
fn new(args: &Pack, source: &str, assets: Assets, session: &mut Session) -> Result<()> {
    left_out(source, &assets.unknown, session);
    assets.links.iter().for_each(|link| session.pass_link(link));
    let (count, changed) = (assets.assets.len(), assets.changed.clone());
    let mut findings = Collect::default();
    let onto = Onto::new(&args.out);
    let options = session.building(&args.readers);
    let written = writing::stream_to(&args.output, onto, args.out.dry_run, |out| {
        packs::build(assets, &mut { out }, options, &mut findings)
    });
    session.settle(source, &findings);
    let output = args.output.display().to_string();
    match written.and_then(Sink::commit) {
        Ok(written) if session.common.json && !writing::is_stdout(&args.output) => {
            let diagnostics: Vec<_> = findings.findings.iter().map(json::finding).collect();
            session.json(&json!({
                "file": source,
                "output": output,
                "size": written.size,
                "assets": count,
                "diagnostics": diagnostics,
                "changed": changed.sorted(),
                "dry_run": args.out.dry_run,
            }))
        }
        Ok(written) => {
            let verb = if args.out.dry_run { "would be written" } else { "written" };
            let noun = if count == 1 { "asset" } else { "assets" };
            session.say(&format!("{output}: {} {verb}, {count} {noun}", human(written.size)));
            tell_changed(&changed.sorted(), session);
            Ok(())
        }
        Err(error) => {
            writing::refused(source, &output, &error, session);
            Ok(())
        }
    }
}

/// Writes a `pakdata.dat` of the archives of a folder.
fn cache(args: &Pack, dir: &Path, session: &mut Session) -> Result<()> {
    let options = session.options()?;
    let (output, name) = (args.output.display().to_string(), dir.display().to_string());
    let onto = Onto::new(&args.out);
    let written = writing::stream_to(&args.output, onto, args.out.dry_run, |out| {
        archives::write_cache(dir, &options, &mut { out })
    });
    match written.and_then(Sink::commit) {
        Ok(count) if session.common.json && !writing::is_stdout(&args.output) => {
            session.json(&json!({
                "file": name,
                "output": output,
                "archives": count,
                "dry_run": args.out.dry_run,
            }))
        }
        Ok(count) => {
            let verb = if args.out.dry_run { "would be written" } else { "written" };
            session.say(&format!("{output}: {verb}, {count} archives"));
            Ok(())
        }
        Err(error) => {
            writing::refused(&name, &output, &error, session);
            Ok(())
        }
    }
}

/// Writes a SpellForce archive.
fn archive(args: &Pack, source: &str, files: &ArchiveFiles, session: &mut Session) -> Result<()> {
    left_out(source, &files.unknown, session);
    files.links.iter().for_each(|link| session.pass_link(link));
    let count = files.draft.len();
    let mut findings = Collect::default();
    let onto = Onto::new(&args.out);
    let written = writing::stream_to(&args.output, onto, args.out.dry_run, |out| {
        files.write(&mut { out }, &mut findings)
    });
    session.settle(source, &findings);
    let output = args.output.display().to_string();
    let changed = files.changed.sorted();
    match written.and_then(Sink::commit) {
        Ok(size) if session.common.json && !writing::is_stdout(&args.output) => {
            let diagnostics: Vec<_> = findings.findings.iter().map(json::finding).collect();
            session.json(&json!({
                "file": source,
                "output": output,
                "size": size,
                "entries": count,
                "diagnostics": diagnostics,
                "changed": changed,
                "dry_run": args.out.dry_run,
            }))
        }
        Ok(size) => {
            let verb = if args.out.dry_run { "would be written" } else { "written" };
            let noun = if count == 1 { "file" } else { "files" };
            session.say(&format!("{output}: {} {verb}, {count} {noun}", human(size)));
            tell_changed(&changed, session);
            Ok(())
        }
        Err(error) => {
            writing::refused(source, &output, &error, session);
            Ok(())
        }
    }
}

/// Says which files were changed since they were extracted.
fn tell_changed(changed: &[String], session: &mut Session) {
    match changed {
        [] => {}
        [one] => session.say(&format!("1 file was changed: {one}")),
        many => session.say(&format!("{} files were changed", many.len())),
    }
}

/// Says which files of a folder are left out.
fn left_out(dir: &str, unknown: &[String], session: &mut Session) {
    if !unknown.is_empty() {
        let count = unknown.len();
        let names: Vec<&str> = unknown.iter().take(NAMED).map(String::as_str).collect();
        let more = if count > NAMED { ", ..." } else { "" };
        let noun = if count == 1 { "file" } else { "files" };
        let names = names.join(", ");
        session.say(&format!("{dir}: {count} {noun} not in the manifest, left out: {names}{more}"));
    }
}

/// Writes the container that a folder was extracted from.
fn refill(args: &Pack, dir: &str, packed: Filled, session: &mut Session) -> Result<()> {
    left_out(dir, &packed.unknown, session);
    let output = args.output.display().to_string();
    let mut writing = Writing {
        target: &args.output,
        options: packed.options,
        onto: Onto::new(&args.out),
        make_folders: false,
        dry_run: args.out.dry_run,
    };
    let Some(written) = writing::write(dir, packed.opened, &mut writing, session)? else {
        return Ok(());
    };
    if session.common.json && !writing::is_stdout(&args.output) {
        session.json(&json!({
            "file": dir,
            "output": output,
            "size": written.size,
            "diagnostics": written.diagnostics,
            "changed": packed.changed,
            "dry_run": args.out.dry_run,
        }))?;
    } else {
        match packed.changed.as_slice() {
            [] => session.say("no file was changed"),
            changed => tell_changed(changed, session),
        }
    }
    Ok(())
}
