//! `append`, `compact`, `repair`, `rollback`: containers that grow, shrink, are mended and go back.

use super::{
    door::{Text, Verb, call},
    writing,
};
use crate::{
    args::Append,
    output::{Session, human},
};
use serde_json::{Value, json};
use spelunk::{
    Collect, Error, Options, Result, codes, json,
    pack::{self, Kind, Packed, build, build::Assets, rules::Rules},
    packs,
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

pub fn run<R>(verb: Verb<R>, request: &R, session: &mut Session) -> Result<()> {
    call(verb, request, &mut Remade, session)
}

/// What became of a pack, in a sentence.
struct Remade;

impl Text for Remade {
    fn row(&mut self, _: &Value, _: &mut Session) -> Result<()> {
        Ok(())
    }

    fn speaks(&self) -> bool {
        true
    }

    fn beside(&mut self, row: &Value, session: &mut Session) {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let count = |key: &str| row[key].as_u64().unwrap_or_default();
        let Some(output) = row["output"].as_str() else {
            return session.say(&format!("{}: nothing is wrong", text("file")));
        };
        let less = || human(count("size_before").saturating_sub(count("size")));
        let what = match (&row["repaired"], &row["dropped"]) {
            (Value::Bool(true), _) => {
                let mended = row["mended"].as_array().into_iter().flatten();
                let mended: Vec<&str> = mended.filter_map(Value::as_str).collect();
                format!("mended: {}", mended.join("; "))
            }
            (Value::Bool(false), _) => "nothing is wrong with it".to_owned(),
            (_, Value::Null) => {
                format!("as it was in generation {}, {} less", count("generation"), less())
            }
            (_, dropped) => format!("{} less{}", less(), left(dropped)),
        };
        let verb = if row["dry_run"] == true { "would be written" } else { "written" };
        session.say(&format!("{output}: {} {verb}, {what}", human(count("size"))));
    }
}

/// What a new pack lacks, in words.
fn left(dropped: &Value) -> String {
    let counted = [
        ("generations", "older generation", "older generations"),
        ("strings", "unused string", "unused strings"),
        ("bulk", "bulk payload of no asset", "bulk payloads of no asset"),
    ];
    let count = |(key, one, many): (&str, &str, &str)| match dropped[key].as_u64() {
        None | Some(0) => None,
        Some(1) => Some(format!("1 {one}")),
        Some(count) => Some(format!("{count} {many}")),
    };
    let mut parts: Vec<String> = counted.into_iter().filter_map(count).collect();
    if dropped["type_table"] == true {
        parts.push("the type table".to_owned());
    }
    if parts.is_empty() { String::new() } else { format!("; left behind: {}", parts.join(", ")) }
}

fn diagnostics(findings: &Collect) -> Vec<Value> {
    findings.findings.iter().map(json::finding).collect()
}
