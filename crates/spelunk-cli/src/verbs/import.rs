//! `import`: a file of the content of others.

use super::writing::{self, Writing};
use crate::{args::Import, inputs::Input, output::Session};
use spelunk::{
    Result,
    document::{self, Imported},
};
use std::{
    fs,
    io::{self, Read},
};

pub fn run(args: &Import, session: &mut Session) -> Result<()> {
    let options = session.options()?;
    let input = Input::named(&args.source);
    let file = input.name();
    let document = if args.source.is_dir() {
        document::folder::read(&args.source)
    } else if input.is_stdin() {
        let mut text = Vec::new();
        io::stdin().lock().read_to_end(&mut text)?;
        document::parse(&text)
    } else {
        fs::read(&args.source).map_err(Into::into).and_then(|text| document::parse(&text))
    };
    let imported = document.and_then(|document| document::import(&document, &options));
    let Imported { opened, options } = match imported {
        Ok(imported) => imported,
        Err(error) => {
            session.unopened(&file, &error);
            return Ok(());
        }
    };
    let writing = Writing {
        target: &args.output,
        options,
        existing: writing::existing(&args.out),
        make_folders: false,
        dry_run: args.out.dry_run,
    };
    let written = writing::write(&file, opened, &writing, session)?;
    if let Some(written) = &written
        && session.common.json
        && !writing::is_stdout(&args.output)
    {
        session.json(&writing::line(&file, written, &writing))?;
    }
    Ok(())
}
