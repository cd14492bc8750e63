//! `diff --blocks`: how much a store has to send of a new version.

use crate::{
    args::Diff as Args,
    inputs::Input,
    output::{FAINT, LABEL, Session, TITLE, human},
};
use serde_json::{Map, Value};
use spelunk::{
    Budget, Collect, Result,
    blocks::{self, Asset, Assets, Count, Fate, Report},
};
use std::io::Write;

pub fn run(args: &Args, block: u64, session: &mut Session) -> Result<()> {
    let options = session.options()?;
    let mut sources = Vec::new();
    for path in [&args.old, &args.new] {
        let input = Input::named(path);
        match input.source(&options) {
            Ok(source) => sources.push(source),
            // Both are told where neither can be read.
            Err(error) => session.unopened(&input.name(), &error),
        }
    }
    let [old, new] = sources.as_slice() else { return Ok(()) };
    let file = Input::named(&args.new).name();
    let mut budget = Budget::new(options.limits(old.len().saturating_add(new.len())));
    let report = match blocks::compare(&**old, &**new, block, &mut budget) {
        Ok(report) => report,
        Err(error) => {
            session.failed(&file, &error);
            return Ok(());
        }
    };
    let mut findings = Collect::default();
    let assets = blocks::assets(old.clone(), new.clone(), &options, &mut findings);
    session.settle(&file, &findings);
    let assets = assets.unwrap_or_else(|error| {
        session.failed(&file, &error);
        None
    });
    if !report.is_same() {
        session.exit.findings();
    }
    let names = [Input::named(&args.old).name(), file];
    if session.common.json {
        as_json(names, &report, assets.as_ref(), session)
    } else {
        as_text(&report, assets.as_ref(), session)
    }
}

fn as_json(
    [old, new]: [String; 2],
    report: &Report,
    assets: Option<&Assets>,
    session: &mut Session,
) -> Result<()> {
    let mut line = Map::new();
    line.insert("old".into(), old.into());
    line.insert("new".into(), new.into());
    for more in [Some(report.json()), assets.map(Assets::json)].into_iter().flatten() {
        if let Value::Object(fields) = more {
            line.extend(fields);
        }
    }
    session.json(&Value::Object(line))?;
    let mut rows = assets.iter().flat_map(|assets| &assets.assets);
    rows.try_for_each(|asset| session.json(&asset.json()))
}

fn as_text(report: &Report, assets: Option<&Assets>, session: &mut Session) -> Result<()> {
    let out = session.out();
    let (old, new) = (human(report.old_size), human(report.new_size));
    writeln!(out, "{TITLE}{old} -> {new}{TITLE:#}, in blocks of {}", human(report.block))?;
    let counts = [
        (report.same, "are the same in their place"),
        (report.moved, "are the same elsewhere, at a multiple of the size"),
        (report.new, "are new: what is to be sent at the worst"),
    ];
    for (Count { count, bytes }, what) in counts {
        writeln!(out, "{count:>8}  {:>10}  {what}", human(bytes))?;
    }
    let Some(assets) = assets else { return Ok(()) };
    writeln!(out, "{TITLE}chunks{TITLE:#}")?;
    let chunks = &assets.chunks;
    let counts = [
        (chunks.same, "are the same in their place"),
        (chunks.moved, "are the same elsewhere"),
        (chunks.changed, "are changed"),
        (chunks.added, "are added"),
        (chunks.removed, "are removed"),
    ];
    for (Count { count, bytes }, what) in counts {
        writeln!(out, "{count:>8}  {:>10}  {what}", human(bytes))?;
    }
    assets.assets.iter().try_for_each(|asset| line(asset, out))
}

fn line(asset: &Asset, out: &mut dyn Write) -> Result<()> {
    let chunks = &asset.chunks;
    let fields = match &asset.fate {
        Fate::Changed(fields) => fields.names().collect::<Vec<_>>().join(", "),
        _ => String::new(),
    };
    let fields = if fields.is_empty() { fields } else { format!("  {FAINT}{fields}{FAINT:#}") };
    let (mark, bytes) = match asset.fate {
        Fate::Added => ('+', chunks.added.bytes),
        Fate::Removed => ('-', chunks.removed.bytes),
        Fate::Changed(_) => ('~', chunks.changed.bytes.saturating_add(chunks.added.bytes)),
        Fate::Moved => ('>', chunks.moved.bytes),
    };
    let bytes = human(bytes);
    Ok(writeln!(out, "{LABEL}{mark}{LABEL:#} {bytes:>10}  {}{fields}", asset.path)?)
}
