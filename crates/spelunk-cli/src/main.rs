//! The command `spelunk`.
//!
//! One file per verb under [`verbs`]; no format knowledge here. Data goes to standard output, everything
//! else to standard error. Exit codes are the contract's: 0 clean, 1 findings, 2 usage, 3 cannot be opened,
//! 4 input or output, 5 not supported.

#![forbid(unsafe_code)]

mod args;
mod columns;
mod complete;
mod interrupts;
mod network;
mod output;
mod progress;
mod styles;
mod verbs;

use args::{Cli, Verb};
use clap::error::{ContextKind, ErrorKind};
use spelunk::verbs as library;
use std::{
    env,
    ffi::{OsStr, OsString},
    io::{self, Write},
    path::Path,
    process::{self, ExitCode},
};

/// Text for people who type nothing but the name of the command.
const START: &str = "\
spelunk opens the containers that games ship their assets in. To begin with:

  spelunk FILE...               what files are
  spelunk ls FILE               what is in one; `spelunk show FILE PATH` shows all of an entry
  spelunk extract FILE -C DIR   everything out of it; `spelunk pack DIR -o FILE` puts it back

`spelunk --help` lists all verbs, `spelunk help VERB` describes one, with examples, and `spelunk help jobs` lists commands
by what one wants to do.";

/// Reads the command line. Where a file stands in the place of a verb, it is `info` that is meant.
fn parsed() -> Cli {
    let mut args: Vec<OsString> = env::args_os().collect();
    let error = match Cli::parse(&args) {
        Ok(cli) => return cli,
        Err(error) => error,
    };
    let verb = error.get(ContextKind::InvalidSubcommand).map(ToString::to_string);
    let place = args.iter().position(|arg| {
        verb.as_deref().is_some_and(|verb| OsStr::new(verb) == arg) && is_file_name(arg)
    });
    match place {
        Some(place) if error.kind() == ErrorKind::InvalidSubcommand => {
            args.insert(place, "info".into());
            Cli::parse(&args).unwrap_or_else(|error| quit(&error))
        }
        _ => quit(&error),
    }
}

/// Ends with what the parser says: help, or what is wrong with the command line. Help that cannot be written is an error.
fn quit(message: &clap::Error) -> ! {
    let is_verb = message.kind() == ErrorKind::InvalidSubcommand;
    let printed = message.print().and_then(|()| io::stdout().flush());
    if is_verb {
        anstream::eprintln!("`spelunk help jobs` lists commands by what one wants to do.");
    }
    let code = match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let _ = writeln!(anstream::stderr(), "error: {}", output::of_stdout(&error));
            4
        }
        _ => message.exit_code(),
    };
    process::exit(code)
}

/// Whether something is called so, or it looks like the name of a file that is not there.
fn is_file_name(arg: &OsStr) -> bool {
    let is_url = library::FileName::from(arg).as_url().is_some();
    is_url || Path::new(arg).exists() || Path::new(arg).extension().is_some()
}

fn main() -> ExitCode {
    interrupts::watch();
    if env::args_os().len() == 1 {
        anstream::eprintln!("{START}");
        return ExitCode::from(2);
    }
    if let [_, asked, rest @ ..] = env::args_os().collect::<Vec<_>>().as_slice()
        && asked == complete::ASKED
    {
        // Nobody reads what went wrong.
        return complete::run(rest).map_or(ExitCode::from(4), |()| ExitCode::SUCCESS);
    }
    let cli = parsed();
    cli.common.color.write_global();
    output::show_in_bytes(cli.common.bytes);
    let mut session = output::CommandSession::new(cli.name, cli.common);
    let result = match &cli.verb {
        Verb::Info(args) => verbs::info::run(args, &mut session),
        Verb::Ls(args) => verbs::ls::run(args, &mut session),
        Verb::Tree(args) => verbs::tree::run(args, &mut session),
        Verb::Show(args) => verbs::show::run(args, &mut session),
        Verb::Cat(args) => verbs::cat::run(args, &mut session),
        Verb::Extract(args) => verbs::extract::run(args, &mut session),
        Verb::Verify(args) => verbs::verify::run(args, &mut session),
        Verb::Refs(args) => verbs::refs::run(args, &mut session),
        Verb::Find(args) => verbs::find::run(args, &mut session),
        Verb::Overlay(args) => verbs::overlay::run(args, &mut session),
        Verb::Lint(args) => verbs::lint::run(args, &mut session),
        Verb::Rewrite(args) => verbs::edit::run(library::rewrite::run, args, &mut session),
        Verb::Diff(args) => verbs::diff::run(args, &mut session),
        Verb::Patch(args) => verbs::edit::run(library::patch::run, args, &mut session),
        Verb::Set(args) => verbs::edit::run(library::set::run, args, &mut session),
        Verb::Rm(args) => verbs::edit::run(library::rm::run, args, &mut session),
        Verb::Mv(args) => verbs::edit::run(library::mv::run, args, &mut session),
        Verb::Undo(args) => verbs::edit::run(library::undo::run, args, &mut session),
        Verb::Redo(args) => verbs::edit::run(library::undo::redo, args, &mut session),
        Verb::History(args) => verbs::history::run(args, &mut session),
        Verb::Add(args) => verbs::edit::run(library::add::run, args, &mut session),
        Verb::Replace(args) => verbs::edit::run(library::replace::run, args, &mut session),
        Verb::Export(args) => verbs::export::run(args, &mut session),
        Verb::Import(args) => verbs::import::run(args, &mut session),
        Verb::Query(args) => verbs::query::run(args, &mut session),
        Verb::Join(args) => verbs::join::run(args, &mut session),
        Verb::Merge(args) => verbs::merge::run(args, &mut session),
        Verb::Subset(args) => verbs::edit::run(library::subset::run, args, &mut session),
        Verb::Pack(args) => verbs::pack::run(args, &mut session),
        Verb::Append(args) => verbs::packs::run(library::append::run, args, &mut session),
        Verb::Compact(args) => verbs::packs::run(library::compact::run, args, &mut session),
        Verb::Repair(args) => verbs::packs::run(library::repair::run, args, &mut session),
        Verb::Rollback(args) => verbs::packs::run(library::rollback::run, args, &mut session),
        Verb::Upgrade(args) => verbs::edit::run(library::upgrade::run, args, &mut session),
        Verb::Catalog(args) => verbs::catalog::run(args, &mut session),
        Verb::Explain(args) => verbs::explain::run(args, &mut session),
        Verb::View(args) => verbs::view::run(args, &mut session),
        Verb::Mount(args) => verbs::mount::run(args, &mut session),
        Verb::Completions(args) => verbs::setup::completions(args, &mut session),
        Verb::Man(args) => verbs::setup::man(args, &mut session),
        Verb::Schema(args) => verbs::schema::run(args, &mut session),
        Verb::Help(args) => verbs::help::run(args, &mut session),
    };
    session.finish(result)
}
