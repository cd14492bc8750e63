//! `help`: verbs as their `--help` describes them, and commands by what one wants to do.

use super::setup::page;
use crate::{
    args::{Help, help},
    output::CommandSession,
    styles::TITLE,
};
use spelunk::Result;

/// What is called for by this name besides the verbs.
const JOBS: &str = "jobs";

/// What one wants to do, and a command that does it. Headings stand at the beginning of a line, wishes behind two blanks, commands
/// behind six. Every command is run by `tests/suite/examples.rs`.
const TEXT: &str = include_str!("jobs.txt");

pub fn run(args: &Help, session: &mut CommandSession) -> Result<()> {
    if args.topic.as_deref() == Some(JOBS) {
        let width = help::width();
        for line in TEXT.lines() {
            match line.starts_with(|first: char| first.is_alphabetic()) {
                true => writeln!(session.out(), "{TITLE}{line}{TITLE:#}")?,
                false => writeln!(session.out(), "{}", help::broken(line, width))?,
            }
        }
        return Ok(());
    }
    let help = page(args.topic.as_deref()).render_long_help();
    Ok(write!(session.out(), "{}", help.ansi())?)
}
