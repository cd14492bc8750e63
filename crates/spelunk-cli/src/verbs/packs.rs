//! `append`, `compact`, `repair`, `rollback`: containers that grow, shrink, are mended and go back.

use super::writing::{self, Onto, Sink};
use crate::{
    args::{Append, Compact, Destination, Repair, Rollback},
    inputs::Input,
    output::{Session, human},
};
use serde_json::{Map, Value, json};
use spelunk::{
    Collect, Error, Opened, Options, Result, Revision, codes, json,
    pack::{self, Kind, Packed, build, build::Assets, rules::Rules},
    packs::{self, Dropped},
};
use std::{fs, io::Read, path::Path};

pub fn append(args: &Append, session: &mut Session) -> Result<()> {
    let options = session.options()?;
    let file = args.file.display().to_string();
    let gathered = gather(args, &options);
    let assets = match gathered {
        Ok(assets) => assets,
        Err(error) => {
            session.failed(&file, &error);
            return Ok(());
        }
    };
    let count = assets.assets.len();
    assets.links.iter().for_each(|link| session.pass_link(link));
    if args.dry_run {
        session.say(&format!("{file}: {} would be appended", assets_of(count)));
        return Ok(());
    }
    let mut findings = Collect::default();
    let building = session.building(&args.readers);
    let appended = packs::append(&args.file, assets, building, &options, &mut findings);
    session.settle(&file, &findings);
    match appended {
        Ok(appended) if session.common.json => session.json(&json!({
            "file": file,
            "assets": count,
            "size_before": appended.before,
            "size": appended.size,
            "diagnostics": diagnostics(&findings),
        })),
        Ok(appended) => {
            session.say(&match appended.size.saturating_sub(appended.before) {
                0 => format!("{file}: {} of {count} are new, nothing was written", assets_of(0)),
                grown => format!("{file}: {} appended, {} more", assets_of(count), human(grown)),
            });
            Ok(())
        }
        Err(error) => {
            session.failed(&file, &error);
            Ok(())
        }
    }
}

fn assets_of(count: usize) -> String {
    if count == 1 { "1 asset".to_owned() } else { format!("{count} assets") }
}

/// The assets that the arguments mean, in their order.
fn gather(args: &Append, options: &Options) -> Result<Assets> {
    let rules = args.rules.rules()?;
    let usual = Rules::default();
    let given = rules.as_ref().unwrap_or(&usual);
    let mut all = Assets::default();
    if args.name.is_some() && !matches!(&args.sources[..], [one] if !one.is_dir()) {
        let error = Error::new(&codes::core::BAD_PATH).expected("one file beside --as");
        return Err(error.found(format!("{} files and folders", args.sources.len())));
    }
    for source in &args.sources {
        let assets = if source.is_dir() {
            let how = (Kind::Pack, args.follow_links);
            match pack::pack_as(source, rules.as_ref().or(Some(&usual)), how, options)? {
                Packed::New(assets) => assets,
                Packed::Filled(_) | Packed::Archive(_) => {
                    return Err(Error::new(&codes::ONLY_PACKS));
                }
            }
        } else {
            build::of_path(source, args.name.as_deref(), given)?
        };
        all.assets.extend(assets.assets);
        all.links.extend(assets.links);
    }
    if let Some(manifest) = &args.manifest {
        all.assets.extend(build::of_manifest(manifest, given, options)?.assets);
    }
    if let Some(list) = &args.files_from {
        all.assets.extend(build::of_list(&read_list(list)?, given)?.assets);
    }
    Ok(all)
}

/// A list of files, from a file or standard input.
pub fn read_list(list: &Path) -> Result<String> {
    let named = |error: std::io::Error| {
        Error::io(std::io::Error::new(error.kind(), format!("{}: {error}", list.display())))
    };
    if !writing::is_stdout(list) {
        return fs::read_to_string(list).map_err(named);
    }
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text).map_err(named)?;
    Ok(text)
}

pub fn compact(args: &Compact, session: &mut Session) -> Result<()> {
    let Some((file, mut opened, onto)) = open(&args.to, None, session)? else { return Ok(()) };
    let before = opened.container().size();
    let options = session.building(&args.readers);
    let written =
        writing::stream(&args.to, onto, |out| packs::compact(&mut opened, &mut { out }, options));
    let findings = opened.take_findings();
    drop(opened);
    let written = written.and_then(Sink::commit);
    told(&file, &args.to, &findings, session, written, |written, line| {
        let saved = before.saturating_sub(written.size);
        line.insert("size_before".into(), before.into());
        line.insert("dropped".into(), dropped(&written.dropped));
        (Some(written.size), format!("{} less{}", human(saved), left(&written.dropped)))
    })
}

/// What a new pack lacks, as JSON.
fn dropped(dropped: &Dropped) -> Value {
    json!({
        "generations": dropped.generations,
        "strings": dropped.strings,
        "bulk": dropped.bulk,
        "type_table": dropped.type_table,
        "dependencies": dropped.dependencies,
    })
}

/// What a new pack lacks, in words.
fn left(dropped: &Dropped) -> String {
    let counted = [
        (dropped.generations, "older generation"),
        (dropped.strings, "unused string"),
        (dropped.bulk, "bulk payload of no asset"),
    ];
    let count = |(count, noun): &(u64, &str)| match count {
        1 => format!("1 {noun}"),
        count if noun.ends_with("asset") => format!("{count} bulk payloads of no asset"),
        count => format!("{count} {noun}s"),
    };
    let mut parts: Vec<String> =
        counted.iter().filter(|(count, _)| *count > 0).map(count).collect();
    if dropped.type_table {
        parts.push("the type table".to_owned());
    }
    if parts.is_empty() { String::new() } else { format!("; left behind: {}", parts.join(", ")) }
}

pub fn repair(args: &Repair, session: &mut Session) -> Result<()> {
    let input = Input::named(&args.to.file);
    let file = input.name();
    let Some(onto) = onto(&args.to, session) else { return Ok(()) };
    let options = session.options()?;
    let source = match input.source(&options) {
        Ok(source) => source,
        Err(error) => {
            session.unopened(&file, &error);
            return Ok(());
        }
    };
    let size = source.len();
    let mut findings = Collect::default();
    let building = session.building(&args.readers);
    let repaired = writing::stream(&args.to, onto, |out| {
        packs::repair(source.clone(), &mut { out }, building, &options, &mut findings)
    });
    drop(source);
    let done = packs::mended(&findings);
    let sound = repaired.as_ref().is_ok_and(|sink| sink.value.is_none());
    if sound && args.to.in_place {
        session.say(&format!("{file}: nothing is wrong"));
        let line = json!({ "file": file, "repaired": false });
        return if session.common.json { session.json(&line) } else { Ok(()) };
    }
    let repaired = repaired.and_then(Sink::commit);
    told(&file, &args.to, &findings, session, repaired, |written, line| {
        line.insert("repaired".into(), (!sound).into());
        line.insert("mended".into(), done.clone().into());
        let size = written.map_or(size, |written| written.size);
        let told = format!("mended: {}", done.join("; "));
        (Some(size), if sound { "nothing is wrong with it".to_owned() } else { told })
    })
}

pub fn rollback(args: &Rollback, session: &mut Session) -> Result<()> {
    let revision = Some(Revision::Nth(args.generation));
    let Some((file, mut opened, onto)) = open(&args.to, revision, session)? else { return Ok(()) };
    let before = opened.container().size();
    let written = writing::stream(&args.to, onto, |out| packs::rollback(&mut opened, out));
    let findings = opened.take_findings();
    drop(opened);
    let written = written.and_then(Sink::commit);
    told(&file, &args.to, &findings, session, written, |size, line| {
        line.insert("size_before".into(), before.into());
        line.insert("generation".into(), args.generation.into());
        let less = human(before.saturating_sub(size));
        (Some(size), format!("as it was in generation {}, {less} less", args.generation))
    })
}

/// How what is made of a file takes its place.
fn onto(to: &Destination, session: &mut Session) -> Option<Onto> {
    let how = (to.in_place, to.backup.as_deref());
    Onto::over(&to.file, to.target(), &to.out, how, session)
}

/// Opens the file of a verb that makes another one of it.
fn open(
    to: &Destination,
    revision: Option<Revision>,
    session: &mut Session,
) -> Result<Option<(String, Opened, Onto)>> {
    let input = Input::named(&to.file);
    let Some(onto) = onto(to, session) else { return Ok(None) };
    let options = Options { revision, ..session.options()? };
    match input.open(&options) {
        Ok(opened) => Ok(Some((input.name(), opened, onto))),
        Err(error) => {
            session.refused(&input, &options, &error);
            Ok(None)
        }
    }
}

fn diagnostics(findings: &Collect) -> Vec<Value> {
    findings.findings.iter().map(json::finding).collect()
}

/// Tells what came of writing: findings, size, and what `more` says.
fn told<T>(
    file: &str,
    to: &Destination,
    findings: &Collect,
    session: &mut Session,
    written: Result<T>,
    more: impl FnOnce(T, &mut Map<String, Value>) -> (Option<u64>, String),
) -> Result<()> {
    session.settle(file, findings);
    let target = to.target();
    let name = target.display().to_string();
    match written {
        Ok(written) => {
            let mut line = Map::new();
            line.insert("file".into(), file.into());
            line.insert("output".into(), name.as_str().into());
            let (size, text) = more(written, &mut line);
            line.insert("size".into(), size.into());
            line.insert("diagnostics".into(), diagnostics(findings).into());
            line.insert("dry_run".into(), to.out.dry_run.into());
            let verb = if to.out.dry_run { "would be written" } else { "written" };
            session.say(&format!("{name}: {} {verb}, {text}", human(size.unwrap_or_default())));
            if session.common.json && !writing::is_stdout(target) {
                session.json(&Value::Object(line))?;
            }
            Ok(())
        }
        Err(error) => {
            writing::refused(file, &name, &error, session);
            Ok(())
        }
    }
}
