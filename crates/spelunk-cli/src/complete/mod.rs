//! Completion of what is typed in a shell: verbs, options, and what is inside of the file that stands in the line.
//!
//! The script of a shell (`spelunk completions SHELL`) runs `spelunk __complete` with the line so far. The parser knows which
//! argument the last word is of, the name of the value in its help tells what it is ([`subject::Subject`]), and the file knows the
//! rest. Nothing is ever reported here: what cannot be opened offers nothing.

mod entries;
mod fields;
mod held;
mod line;
mod names;
mod offers;
mod shells;
mod statement;
mod subject;

pub use shells::script;

use clap::{Arg, Command};
use entries::Form;
use held::View;
use line::{Line, Place, Typed};
use offers::{FileNames, Offers};
use shells::Asked;
use spelunk::File;
use std::{
    ffi::OsString,
    io::{self, Write},
};
use subject::Subject;

/// First word of the command line by which scripts ask.
pub const ASKED: &str = "__complete";

/// Answers a script. Shells show nothing where it fails.
pub fn run(args: &[OsString]) -> io::Result<()> {
    let args: Vec<String> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let Some(asked) = Asked::read(&args) else { return Ok(()) };
    let mut out = io::BufWriter::new(io::stdout().lock());
    asked.write(&offers(&asked.words, &asked.typed), &mut out)?;
    out.flush()
}

/// What is offered for a word behind others.
fn offers(words: &[String], typed: &str) -> Offers {
    let (line, typed) = Line::read(words, typed);
    let mut offers = Offers::default();
    match &line.place {
        Place::Nothing => {}
        Place::Verb => {
            names::verbs(typed.value, &mut offers);
            if offers.list.is_empty() {
                offers.files = FileNames::Any;
            }
        }
        Place::Option => options(&line.verb, typed.value, &mut offers),
        Place::Value(arg) => offers = values(&line, arg, &typed),
    }
    offers.after(typed.before)
}

/// Options of the verb, then those of every verb.
fn options(verb: &Command, typed: &str, offers: &mut Offers) {
    for is_common in [false, true] {
        for arg in verb.get_arguments().filter(|arg| arg.is_global_set() == is_common) {
            let about = arg.get_help().map(ToString::to_string).unwrap_or_default();
            if let Some(long) = arg.get_long().filter(|_| !arg.is_hide_set()) {
                offers.word(typed, &format!("--{long}"), &about);
            }
        }
    }
}

/// Values of an argument.
fn values(line: &Line, arg: &Arg, typed: &Typed<'_>) -> Offers {
    let mut offers = Offers::default();
    let (found, typed) = (&mut offers, typed.value);
    let subject = Subject::of(line.verb.get_name(), arg);
    match &subject {
        Subject::Nothing => {}
        Subject::Files => found.files = FileNames::Any,
        Subject::Folders => found.files = FileNames::Folders,
        Subject::Names(known) => {
            known.iter().for_each(|(name, about)| found.word(typed, name, about))
        }
        Subject::Rules => names::rules(typed, found),
        Subject::Verbs => {
            names::verbs(typed, found);
            if line.verb.get_name() == "help" {
                found.word(typed, "jobs", "Commands by what one wants to do");
            }
        }
        Subject::Editions => names::editions(typed, found),
        Subject::FileOrCode => {
            if !typed.is_empty() {
                names::codes(typed, found);
            }
            found.files = FileNames::Any;
        }
        Subject::Statement => {
            let files: Vec<&str> = line.positional().collect();
            statement::offer(&files, typed, found);
        }
        _ => {
            found.is_foreign = true;
            of_file(line, &subject, typed, found);
        }
    }
    offers
}

/// What the file of the line has.
fn of_file(line: &Line, subject: &Subject, typed: &str, offers: &mut Offers) {
    let view = View {
        generation: line.given("generation").last(),
        encoding: line.given("encoding").last(),
    };
    let name = line.given("into").last().or_else(|| line.positional().next());
    let file: Option<File> = name.and_then(|name| held::open(name, &view));
    if *subject == Subject::Languages {
        return names::languages(file.as_ref(), typed, offers);
    }
    let Some(file) = file else { return };
    match subject {
        Subject::Entries => entries::offer(&file, typed, Form::Path, offers),
        Subject::Globs => entries::offer(&file, typed, Form::Glob, offers),
        Subject::NewEntry => entries::offer_kinds(&file, typed, offers),
        Subject::Change if typed.contains('=') => fields::offer_values(&file, typed, offers),
        Subject::Change => {
            fields::offer(&file, typed, offers);
            entries::offer(&file, typed, Form::WithField, offers);
        }
        Subject::Place => {
            names::spaces(&file, typed, offers);
            entries::offer(&file, typed, Form::Path, offers);
        }
        Subject::Columns { many } => names::columns(&file, typed, *many, offers),
        Subject::Generations { has_merged } => {
            names::generations(&file, typed, *has_merged, offers);
        }
        _ => {}
    }
}
