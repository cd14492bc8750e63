//! Arguments of the verbs that fit the command into a system.

use clap::{Args, value_parser};
use clap_complete::Shell;
use spelunk::verbs::{FileName, Shown};
use std::path::PathBuf;

// Arguments of `completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

// Arguments of `mount`.
#[derive(Args, Debug)]
pub struct Mount {
    /// The container, a folder with containers, or one with the archives of a game
    #[arg(value_name = "FILE|DIR")]
    pub subject: FileName,
    /// An empty folder, in which it can be read from then on
    #[arg(value_name = "POINT")]
    pub point: PathBuf,
    #[command(flatten)]
    pub shown: Shown,
}

// Arguments of `view`.
#[derive(Args, Debug)]
pub struct View {
    /// The file or the folder to look at
    #[arg(value_name = "FILE|DIR")]
    pub subject: PathBuf,
    /// Port of 127.0.0.1; any that is free without it
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// Print the address without opening a browser
    #[arg(long)]
    pub no_open: bool,
    /// Write nothing but temporary files: changes can be made, looked at and downloaded
    #[arg(long)]
    pub read_only: bool,
    /// End after so many minutes in which no page asked for anything; without it, when you end it (Ctrl-C)
    #[arg(long, value_name = "MIN", value_parser = value_parser!(u64).range(1..))]
    pub idle: Option<u64>,
}

// Arguments of `man`.
#[derive(Args, Debug)]
pub struct Man {
    /// The verb; without it the page of the command itself
    pub verb: Option<String>,
}

// `schema`.
#[derive(Args, Debug)]
pub struct Schema {
    /// The verb whose JSON is described; without it all verbs, their requests and rows, and all codes
    #[arg(value_name = "VERB")]
    pub verb: Option<String>,
    /// The requests that programs make through the library, instead of what the verb prints
    #[arg(long, requires = "verb")]
    pub request: bool,
}

// `help`.
#[derive(Args, Debug)]
pub struct Help {
    /// The verb, or `jobs`; without it all verbs are listed
    #[arg(value_name = "VERB|jobs")]
    pub topic: Option<String>,
}
