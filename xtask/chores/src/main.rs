//! Chores that build and run things: fuzzing, attacks, release archives, other targets. `cargo xtask NAME` runs them.

#![forbid(unsafe_code)]

#[cfg(unix)]
mod attack;
mod dist;
mod fuzz;
mod page;
mod progress;
mod wasm;
mod wine;

use std::{env, io, process::ExitCode};
use xtask::tools;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        ["dist", targets @ ..] => dist::run(targets),
        ["fuzz", args @ ..] => fuzz::run(args),
        #[cfg(unix)]
        ["attack", args @ ..] => attack::run(args),
        #[cfg(unix)]
        ["attack-one", args @ ..] => attack::one(args),
        ["page", args @ ..] => page::run(args),
        ["wasm", args @ ..] => wasm::run(args),
        ["wine"] => wine::run(),
        ["wine", "--check"] => match wine::check() {
            Ok(code) => return code,
            Err(error) => Err(error),
        },
        _ => Err(io::Error::other("no such chore: `cargo xtask` lists them")),
    };
    tools::exit_code(result)
}
