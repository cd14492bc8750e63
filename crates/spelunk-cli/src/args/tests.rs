//! Tests of the command line as a whole.

use super::*;

#[test]
fn the_command_line_is_sound() {
    Cli::command().debug_assert();
}

/// Verbs that print no rows: bytes, or what the command is about.
const WITHOUT_ROWS: [&str; 7] = ["cat", "completions", "help", "man", "mount", "schema", "view"];

/// An option that is another form of what is printed.
const WITHOUT_JSON: [(&str, &str); 1] = [("query", "csv")];

/// A verb and the options that a command line has.
type Tried<'t> = (&'t str, Vec<&'t str>);

/// `tests/commands.txt` is run by `tests/suite/schemas.rs`, which wants rows of every line: so every option of every verb prints
/// rows with `--json`.
#[test]
fn every_option_of_every_verb_is_tried_with_json() {
    let text = include_str!("../../tests/commands.txt");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let tried: Vec<Tried<'_>> = lines
        .map(|line| {
            let mut words = line.split(' ');
            let verb = words.next().unwrap_or_default();
            (verb, words.map(|word| word.split('=').next().unwrap_or_default()).collect())
        })
        .collect();
    let is_tried = |verb: Option<&str>, arg: &clap::Arg| {
        let long = arg.get_long().map(|name| format!("--{name}"));
        let short = arg.get_short().map(|name| format!("-{name}"));
        let names: Vec<String> = long.into_iter().chain(short).collect();
        let mut lines = tried.iter().filter(|(tried, _)| verb.is_none_or(|verb| verb == *tried));
        lines.any(|(_, words)| words.iter().any(|word| names.iter().any(|name| name == word)))
    };
    // The arguments of verbs are made when they are asked for.
    let mut command = Cli::command();
    command.build();
    let mut missing = Vec::new();
    for verb in command.get_subcommands().filter(|it| !WITHOUT_ROWS.contains(&it.get_name())) {
        let name = verb.get_name();
        for arg in verb.get_arguments().filter(|arg| !arg.is_positional()) {
            let long = arg.get_long().unwrap_or_default();
            let is_other =
                ["help", "version"].contains(&long) || WITHOUT_JSON.contains(&(name, long));
            if !is_other && !arg.is_global_set() && !is_tried(Some(name), arg) {
                missing.push(format!("{name} --{long}"));
            }
        }
        assert!(tried.iter().any(|(tried, _)| *tried == name), "{name} is not tried");
    }
    for arg in command.get_arguments().filter(|arg| arg.is_global_set()) {
        let long = arg.get_long().unwrap_or_default();
        if long != "json" && !is_tried(None, arg) {
            missing.push(format!("--{long}"));
        }
    }
    assert!(missing.is_empty(), "no line of tests/commands.txt has {}", missing.join(", "));
}

/// The command has the verbs of the library and those that are registered, and no other that works on files.
#[test]
fn the_command_has_the_verbs_of_its_sessions() {
    use spelunk::verbs::{Disk, Session};
    let session = Session::new(Disk).register(spelunk_catalog::VERB);
    let command = Cli::command();
    let mut verbs: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    verbs.retain(|name| !["completions", "man", "mount", "schema", "view", "help"].contains(name));
    verbs.sort_unstable();
    let mut known: Vec<&str> = session.verbs().iter().map(|verb| verb.name()).collect();
    known.sort_unstable();
    assert_eq!(verbs, known);
}

#[test]
fn every_verb_is_in_a_group_of_help() {
    for verb in Cli::command().get_subcommands() {
        assert!(help::is_grouped(verb.get_name()), "{}", verb.get_name());
    }
}
