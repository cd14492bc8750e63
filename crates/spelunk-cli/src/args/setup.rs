//! Arguments of the verbs that fit the command into a system.

use clap::Args;
use clap_complete::Shell;

// Arguments of `completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    pub shell: Shell,
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
