//! `upgrade`: old file generations to the current one.

use super::writing::{self, Onto, Writing, same_file};
use crate::{
    args::Upgrade,
    inputs::{self, Input},
    output::Session,
};
use spelunk::{Convert, Error, Result, WriteOptions, codes, upgrade};
use std::{collections::BTreeSet, path::Path};

pub fn run(args: &Upgrade, session: &mut Session) -> Result<()> {
    let mut written = BTreeSet::new();
    for input in inputs::found(&args.files, args.out.follow_links, session)? {
        // Standard input has no name to go by.
        let name = if input.is_stdin() { Path::new("stdin") } else { &input.relative };
        let target = args.directory.join(name);
        // What this run wrote is not replaced by another file of the same name, not even with --force.
        let onto = match written.contains(&target) {
            true => Onto::new(&args.out).refusing(),
            false => Onto::new(&args.out),
        };
        if one(args, &input, &target, onto, session)? {
            written.insert(target);
        }
    }
    Ok(())
}

/// Upgrades one file; tells whether it was written.
fn one(
    args: &Upgrade,
    input: &Input,
    target: &Path,
    onto: Onto,
    session: &mut Session,
) -> Result<bool> {
    let file = input.name();
    let Some(mut opened) = session.open(input)? else { return Ok(false) };
    let form = match upgrade::form(&mut opened, args.file_version) {
        Ok(Some(form)) => Convert { lossy: args.lossy, ..form },
        Ok(None) => {
            session.say(&format!("{file}: current already, nothing written"));
            return Ok(false);
        }
        Err(error) => {
            session.failed(&file, &error);
            return Ok(false);
        }
    };
    if same_file(&input.path, target) {
        let error = Error::new(&codes::core::BAD_TARGET).found("the input");
        session.failed(&target.display().to_string(), &error);
        return Ok(false);
    }
    if let Err(error) = writing::refuse_links(&args.directory, target, &args.out) {
        session.failed(&target.display().to_string(), &error);
        return Ok(false);
    }
    if !writing::check(&file, &mut opened, session) {
        return Ok(false);
    }
    let options = WriteOptions { convert: form, ..WriteOptions::default() };
    let mut writing =
        Writing { target, options, onto, make_folders: true, dry_run: args.out.dry_run };
    let written = writing::write(&file, opened, &mut writing, session)?;
    if let Some(written) = &written
        && session.common.json
    {
        session.json(&writing::line(&file, written, &writing))?;
    }
    Ok(written.is_some())
}
