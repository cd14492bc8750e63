//! `completions` and `man`: what fits the command into a system, made of its own arguments.

use crate::{
    args::{Cli, Completions, Man},
    complete,
    output::CommandSession,
};
use clap::{Command, error::ErrorKind};
use spelunk::Result;

pub fn completions(args: &Completions, session: &mut CommandSession) -> Result<()> {
    if let Some(script) = complete::script(args.shell) {
        return Ok(session.out().write_all(script.as_bytes())?);
    }
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "spelunk", &mut script);
    Ok(session.out().write_all(&script)?)
}

pub fn man(args: &Man, session: &mut CommandSession) -> Result<()> {
    let page = page(args.verb.as_deref());
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    Ok(session.out().write_all(&text)?)
}

/// The command, or one of its verbs with all that belongs to it. Where there is none of this name, the program ends.
pub fn page(verb: Option<&str>) -> Command {
    let mut command = Cli::command();
    command.build();
    let Some(verb) = verb else { return command };
    let found = command.find_subcommand(verb).cloned();
    found.unwrap_or_else(|| {
        let message = format!(
            "there is no verb `{}`; `spelunk help jobs` lists commands by what one wants to do",
            verb.escape_debug()
        );
        Cli::command().error(ErrorKind::InvalidSubcommand, message).exit()
    })
}
