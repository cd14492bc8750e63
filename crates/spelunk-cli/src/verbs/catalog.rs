//! `catalog`: the contents of many files as a Parquet data set.

use crate::{
    args::Catalog,
    inputs,
    output::{Session, TITLE},
    progress::Progress,
};
use serde_json::json;
use spelunk::{Error, Result, Seg, select::Select};
use spelunk_catalog::{Input, Options, Summary, catalog};
use std::fs;

pub fn run(args: &Catalog, session: &mut Session) -> Result<()> {
    // Where nothing is there that was named, the catalogue would be emptied.
    let mut missing = Vec::new();
    for tree in &args.trees {
        missing.extend(fs::symlink_metadata(tree).err().map(|error| (tree, error)));
    }
    if missing.len() == args.trees.len()
        && let Some((tree, error)) = missing.pop()
    {
        return Err(Error::io(error).within(Seg::Key(tree.display().to_string().into())));
    }
    let select = Select::new(&[], &args.exclude)?;
    let mut inputs = Vec::new();
    for input in inputs::found(&args.files(), args.follow_links, session)? {
        let name = input.name();
        let last = input.path.file_name().unwrap_or_default().to_string_lossy();
        if select.matches(&name, "", &last) {
            inputs.push(Input { path: input.path, name });
        }
    }
    let options = Options {
        open: session.options()?,
        full: args.full,
        force: args.force,
        dry_run: args.dry_run,
        follow_links: args.follow_links,
    };
    let mut progress = Progress::new(session);
    let done = catalog(&inputs, &args.output, &options, &mut |done, len| progress.set(done, len));
    drop(progress);
    tell(&done?, args, session)
}

fn tell(summary: &Summary, args: &Catalog, session: &mut Session) -> Result<()> {
    for bad in &summary.bad {
        match bad.is_foreign {
            true => session.pass_over(bad.file.clone()),
            false => session.known_bad(&bad.file, bad.code, &bad.message),
        }
    }
    let dir = args.output.display();
    let Summary { files, containers, entries, objects, findings, damaged, written, .. } = summary;
    let Summary { new, changed, touched, unchanged, gone, bad, .. } = summary;
    let unopened = bad.iter().filter(|bad| !bad.is_foreign).count();
    if session.common.json {
        return session.json(&json!({
            "catalog": dir.to_string(),
            "files": files,
            "containers": containers,
            "entries": entries,
            "objects": objects,
            "findings": findings,
            "damaged": damaged,
            "unopened": unopened,
            "new": new,
            "changed": changed,
            "touched": touched,
            "unchanged": unchanged,
            "gone": gone,
            "written": written,
        }));
    }
    let out = session.out();
    let count = |count: u64, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    };
    let files = count(*files as u64, "file", "files");
    write!(out, "{TITLE}{dir}{TITLE:#}: {files}: {new} new, {changed} changed, ")?;
    if *touched > 0 {
        write!(out, "{touched} touched, ")?;
    }
    writeln!(out, "{unchanged} unchanged, {gone} gone")?;
    if args.dry_run {
        return Ok(());
    }
    let containers = count(*containers as u64, "container", "containers");
    let entries = count(*entries, "entry", "entries");
    let objects = count(*objects, "object", "objects");
    let findings = count(*findings, "finding", "findings");
    writeln!(
        out,
        "  {containers}, {entries}, {objects}, {findings}; {damaged} damaged, {unopened} not opened"
    )?;
    match written {
        0 => writeln!(out, "  nothing was written")?,
        _ => {
            writeln!(out, "  {} written", count(*written as u64, "Parquet file", "Parquet files"))?
        }
    }
    Ok(())
}
