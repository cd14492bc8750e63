//! `rewrite`: reads everything and writes it again.

use super::writing::{self, Onto, Writing};
use crate::{
    args::{Form, Rewrite},
    inputs::Input,
    output::Session,
};
use spelunk::{Convert, Result, WriteOptions};

pub fn run(args: &Rewrite, session: &mut Session) -> Result<()> {
    let input = Input::named(&args.input);
    let target = match &args.output {
        Some(output) if !args.in_place => output.as_path(),
        _ => args.input.as_path(),
    };
    let how = (args.in_place, args.backup.as_deref());
    let Some(onto) = Onto::over(&args.input, target, &args.out, how, session) else {
        return Ok(());
    };
    let Some(mut opened) = session.open(&input)? else { return Ok(()) };
    let file = input.name();
    if !writing::check(&file, &mut opened, session) {
        return Ok(());
    }
    let options = WriteOptions { recompress: args.recompress, convert: convert(&args.form) };
    let mut writing =
        Writing { target, options, onto, make_folders: false, dry_run: args.out.dry_run };
    let written = writing::write(&file, opened, &mut writing, session)?;
    if let Some(written) = &written
        && session.common.json
        && !writing::is_stdout(target)
    {
        session.json(&writing::line(&file, written, &writing))?;
    }
    Ok(())
}

/// The form that the options ask for.
fn convert(form: &Form) -> Convert {
    Convert {
        version: form.file_version,
        mode: form.write_mode,
        level: form.level,
        strip_included: form.strip_included,
        chunks: false,
        lossy: form.lossy,
    }
}
