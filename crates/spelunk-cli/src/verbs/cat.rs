//! `cat`: the bytes of one entry.

use super::{find_one, open_one};
use crate::{
    args::EntryOf,
    output::{Named, Session},
};
use spelunk::Result;
use std::io::{self, Write};

pub fn run(args: &EntryOf, session: &mut Session) -> Result<()> {
    session.show_at(&args.at)?;
    let Some((file, mut opened)) = open_one(&args.file, session)? else { return Ok(()) };
    let Some(node) = find_one(&file, &mut opened, &args.path, session) else { return Ok(()) };
    match opened.run(|container, task| container.bytes(node, task)) {
        // Straight to standard output: these bytes are not text, and no colour code is looked for in them.
        Ok(bytes) => {
            session.settle(&file, opened.findings());
            let mut out = Named(io::stdout().lock());
            out.write_all(&bytes)?;
            out.flush()?;
        }
        Err(error) => {
            session.settle(&file, opened.findings());
            session.failed(&file, &error);
        }
    }
    Ok(())
}
