//! `pack`: a container from the folder that `extract` wrote.

use super::writing::{self, Writing};
use crate::{args::Pack, output::Session};
use serde_json::json;
use spelunk::{Error, Result, codes, pack};

/// How many files that are passed over are named.
const NAMED: usize = 5;

pub fn run(args: &Pack, session: &mut Session) -> Result<()> {
    let dir = args.directory.display().to_string();
    let output = args.output.display().to_string();
    if pack::lies_in(&args.directory, &args.output) {
        let error = Error::new(&codes::core::BAD_TARGET)
            .expected("a place outside of the folder")
            .found("a file of it");
        session.failed(&output, &error);
        return Ok(());
    }
    let packed = match pack::pack(&args.directory, &session.options()?) {
        Ok(packed) => packed,
        Err(error) => {
            session.unopened(&dir, &error);
            return Ok(());
        }
    };
    if !packed.unknown.is_empty() {
        let count = packed.unknown.len();
        let names: Vec<&str> = packed.unknown.iter().take(NAMED).map(String::as_str).collect();
        let more = if count > NAMED { ", ..." } else { "" };
        let noun = if count == 1 { "file" } else { "files" };
        let names = names.join(", ");
        session.say(&format!("{dir}: {count} {noun} not in the manifest, left out: {names}{more}"));
    }
    let writing = Writing {
        target: &args.output,
        options: packed.options,
        existing: writing::existing(&args.out),
        make_folders: false,
        dry_run: args.out.dry_run,
    };
    let Some(written) = writing::write(&dir, packed.opened, &writing, session)? else {
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
        session.say(&match packed.changed.len() {
            0 => "no file was changed".to_owned(),
            1 => format!("1 file was changed: {}", packed.changed.concat()),
            count => format!("{count} files were changed"),
        });
    }
    Ok(())
}
