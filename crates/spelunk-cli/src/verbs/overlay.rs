//! `overlay`: several packs as a game mounts them.

use super::{open_mounted, open_one};
use crate::{
    args::Overlay as Args,
    inputs::Input,
    output::{FAINT, Session, TITLE},
};
use serde_json::json;
use spelunk::{
    Error, Result, Seg, archives, codes,
    overlay::{Choice, Clash, Overlay, Row},
    select::Select,
};
use std::{io::Write, path::Path};

pub fn run(args: &Args, session: &mut Session) -> Result<()> {
    session.show_at(&args.at)?;
    let select = Select::new(&args.only, &[])?;
    if let [only] = args.packs.as_slice()
        && only.path.is_dir()
    {
        return folder(args, &only.path, &select, session);
    }
    if let Some(list) = &args.missing {
        let error = Error::new(&codes::ONLY_ARCHIVES).found("packs");
        session.failed(&list.display().to_string(), &error);
        return Ok(());
    }
    let Some(layers) = open_mounted(&args.packs, session)? else { return Ok(()) };
    let width = layers.iter().map(|layer| layer.label.chars().count()).max().unwrap_or_default();
    let mut overlay = Overlay::new(layers, &session.options()?)?;
    let mut rows = 0_u64;
    let is_json = session.common.json;
    let told = if let Some(variants) = &args.prefer {
        let wanted = preferences(variants);
        overlay.choices(&wanted, &select, &mut |choice| {
            rows += 1;
            if is_json { session.json(&choice.json()) } else { tell(choice, width, session.out()) }
        })
    } else if args.conflicts {
        overlay.conflicts(&select, &mut |clash| {
            rows += 1;
            if is_json { session.json(&clash.json()) } else { contradict(clash, session.out()) }
        })
    } else {
        overlay.assets(&select, &mut |row| {
            rows += 1;
            if is_json { session.json(&row.json()) } else { line(row, width, session.out()) }
        })
    };
    if args.conflicts && rows > 0 {
        session.exit.findings();
    }
    if rows == 0 {
        session.say(if args.conflicts { "no conflicts" } else { "no asset matches" });
    }
    session.settle("overlay", overlay.findings());
    told
}

/// The SpellForce archives of a folder: which one provides each path, and which ones it hides.
fn folder(args: &Args, dir: &Path, select: &Select, session: &mut Session) -> Result<()> {
    let Some((file, mut opened)) = open_one(dir, session)? else { return Ok(()) };
    let is_json = session.common.json;
    let mut rows = 0_u64;
    let told = if let Some(list) = &args.missing {
        let options = session.options()?;
        let input = Input::named(list);
        let list =
            input.source(&options).map_err(|error| error.within(Seg::Key(input.name().into())))?;
        archives::missing(&mut opened, list, &options, &mut |path| {
            rows += 1;
            match is_json {
                true => session.json(&json!({ "missing": path })),
                false => Ok(writeln!(session.out(), "{path}")?),
            }
        })
    } else {
        let wanted = |path: &str| select.matches(path, "file", "");
        archives::rows(&mut opened, args.conflicts, wanted, &mut |row| {
            rows += 1;
            if is_json { session.json(&row.json()) } else { files(row, session.out()) }
        })
    };
    if (args.conflicts || args.missing.is_some()) && rows > 0 {
        session.exit.findings();
    }
    session.settle(&file, opened.findings());
    if let Err(error) = told {
        if error.io_error().is_some() {
            return Err(error);
        }
        session.failed(&file, &error);
    } else if rows == 0 {
        session.say(match (args.conflicts, &args.missing) {
            (true, _) => "no conflicts",
            (_, Some(_)) => "nothing is missing",
            _ => "no file matches",
        });
    }
    Ok(())
}

fn files(row: &archives::Row, out: &mut dyn Write) -> Result<()> {
    let Some(((winner, _), hidden)) = row.files.split_first() else { return Ok(()) };
    let hidden: Vec<&str> = hidden.iter().map(|(archive, _)| archive.as_str()).collect();
    let hidden = match hidden.as_slice() {
        [] => String::new(),
        hidden => format!("  {FAINT}over {}{FAINT:#}", hidden.join(", ")),
    };
    let differ = row.differ.map(|differ| format!("  other {differ}")).unwrap_or_default();
    Ok(writeln!(out, "{winner:<10}  {}{hidden}{differ}", row.path)?)
}

/// The variants in their order; an empty one is none, and comes last where it is not named.
fn preferences(variants: &[String]) -> Vec<Option<Vec<u8>>> {
    let some = |text: &String| (!text.is_empty()).then(|| text.as_bytes().to_vec());
    let mut wanted: Vec<_> = variants.iter().map(some).collect();
    if !wanted.contains(&None) {
        wanted.push(None);
    }
    wanted
}

fn line(row: &Row, width: usize, out: &mut dyn Write) -> Result<()> {
    let hidden = match row.shadows.as_slice() {
        [] => String::new(),
        hidden => format!("  {FAINT}over {}{FAINT:#}", hidden.join(", ")),
    };
    Ok(writeln!(out, "{:<width$}  {}{hidden}", row.item.file, row.item.path)?)
}

fn tell(choice: &Choice, width: usize, out: &mut dyn Write) -> Result<()> {
    match &choice.found {
        Some((row, _)) => {
            let (pack, path) = (&row.item.file, &row.item.path);
            let id = row.id;
            Ok(writeln!(out, "{pack:<width$}  {} -> {path}  {FAINT}{id}{FAINT:#}", choice.name)?)
        }
        None => Ok(writeln!(out, "{:<width$}  {} -> nothing", "", choice.name)?),
    }
}

fn contradict(clash: &Clash, out: &mut dyn Write) -> Result<()> {
    let Some((first, id)) = clash.assets.first() else { return Ok(()) };
    let what = match clash.fields() {
        fields if !fields.is_empty() => format!("other {}", fields.join(", ")),
        _ if clash.assets.iter().all(|(_, other)| other == id) => "other names".to_owned(),
        _ => "other ids".to_owned(),
    };
    writeln!(out, "{TITLE}{}{TITLE:#}  {what}", first.path)?;
    for (item, id) in &clash.assets {
        writeln!(out, "    {}  {}  {FAINT}{id}{FAINT:#}", item.file, item.path)?;
    }
    Ok(())
}
