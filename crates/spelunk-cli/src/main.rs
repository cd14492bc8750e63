//! The command `spelunk`.
//!
//! One file per verb under [`verbs`]; no format knowledge here. Data goes to standard output, everything
//! else to standard error. Exit codes are the contract's: 0 clean, 1 findings, 2 usage, 3 cannot be opened,
//! 4 input or output, 5 not supported.

#![forbid(unsafe_code)]

mod args;
mod exit;
mod inputs;
mod output;
mod progress;
mod verbs;

use args::{Cli, Verb};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.common.color.write_global();
    let mut session = output::Session::new(cli.common);
    let result = match &cli.verb {
        Verb::Info(args) => verbs::info::run(args, &mut session),
        Verb::Ls(args) => verbs::ls::run(args, &mut session),
        Verb::Tree(args) => verbs::tree::run(args, &mut session),
        Verb::Show(args) => verbs::show::run(args, &mut session),
        Verb::Cat(args) => verbs::cat::run(args, &mut session),
        Verb::Extract(args) => verbs::extract::run(args, &mut session),
        Verb::Verify(args) => verbs::verify::run(args, &mut session),
        Verb::Refs(args) => verbs::refs::run(args, &mut session),
        Verb::Overlay(args) => verbs::overlay::run(args, &mut session),
        Verb::Lint(args) => verbs::lint::run(args, &mut session),
        Verb::Rewrite(args) => verbs::rewrite::run(args, &mut session),
        Verb::Diff(args) => verbs::diff::run(args, &mut session),
        Verb::Patch(args) => verbs::patch::run(args, &mut session),
        Verb::Set(args) => verbs::edit::set(args, &mut session),
        Verb::Rm(args) => verbs::edit::rm(args, &mut session),
        Verb::Mv(args) => verbs::edit::mv(args, &mut session),
        Verb::Add(args) => verbs::edit::add(args, &mut session),
        Verb::Replace(args) => verbs::edit::replace(args, &mut session),
        Verb::Export(args) => verbs::export::run(args, &mut session),
        Verb::Import(args) => verbs::import::run(args, &mut session),
        Verb::Query(args) => verbs::query::run(args, &mut session),
        Verb::Join(args) => verbs::join::run(args, &mut session),
        Verb::Merge(args) => verbs::merge::run(args, &mut session),
        Verb::Subset(args) => verbs::subset::run(args, &mut session),
        Verb::Pack(args) => verbs::pack::run(args, &mut session),
        Verb::Append(args) => verbs::packs::append(args, &mut session),
        Verb::Compact(args) => verbs::packs::compact(args, &mut session),
        Verb::Repair(args) => verbs::packs::repair(args, &mut session),
        Verb::Rollback(args) => verbs::packs::rollback(args, &mut session),
        Verb::Upgrade(args) => verbs::upgrade::run(args, &mut session),
        Verb::Explain(args) => verbs::explain::run(args, &mut session),
    };
    session.finish(result)
}
