//! `completions` and `man`: what fits the command into a system, made of its own arguments.

use crate::{
    args::{Cli, Completions, Man},
    output::CommandSession,
};
use clap::error::ErrorKind;
use spelunk::Result;

pub fn completions(args: &Completions, session: &mut CommandSession) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "spelunk", &mut script);
    Ok(session.out().write_all(&script)?)
}

pub fn man(args: &Man, session: &mut CommandSession) -> Result<()> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let page = match &args.verb {
        None => command,
        Some(verb) => {
            let found = command.find_subcommand(verb).cloned();
            found.unwrap_or_else(|| {
                let message = format!("there is no verb `{}`", verb.escape_debug());
                Cli::command().error(ErrorKind::InvalidSubcommand, message).exit()
            })
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    Ok(session.out().write_all(&text)?)
}
