//! The command line so far: which verb it has, what was given to it, and what the last word is to be.

use crate::args::Cli;
use clap::{Arg, ArgAction, Command};

/// A command line that is typed.
#[derive(Debug)]
pub struct Line {
    /// The verb with its arguments, and those of every verb.
    pub verb: Command,
    /// Values that were given, with the arguments that they are of.
    given: Vec<(String, String)>,
    pub place: Place,
}

/// What the last word is.
#[derive(Debug)]
pub enum Place {
    /// A verb.
    Verb,
    /// An option.
    Option,
    /// A value of an argument.
    Value(Box<Arg>),
    /// More than the verb takes.
    Nothing,
}

/// The last word: what stands before the value in it, and the value so far.
#[derive(Debug, PartialEq, Eq)]
pub struct Typed<'w> {
    pub before: &'w str,
    pub value: &'w str,
}

impl Line {
    /// Reads the words behind the name of the command, of which the last one is typed.
    pub fn read<'w>(words: &'w [String], typed: &'w str) -> (Line, Typed<'w>) {
        let all = Typed { before: "", value: typed };
        let root = Cli::command_of(None);
        let mut reader =
            Reader { command: &root, given: Vec::new(), wants: None, is_escaped: false, nth: 1 };
        let mut rest = words.iter();
        let first = rest.by_ref().find(|word| reader.is_verb(word));
        let Some(first) = first else {
            let (place, typed) = match reader.wants.take() {
                Some(arg) => (Place::Value(Box::new(arg)), all),
                None => reader.place(typed, true),
            };
            return (Line { verb: root, given: Vec::new(), place }, typed);
        };
        // A file in the place of a verb means `info`.
        let is_verb = root.find_subcommand(first).is_some();
        let command = Cli::command_of(Some(if is_verb { first } else { "info" }));
        let verb = command.get_subcommands().next().unwrap_or(&command).clone();
        let mut reader =
            Reader { command: &verb, given: Vec::new(), wants: None, is_escaped: false, nth: 1 };
        let file = (!is_verb).then_some(first);
        file.into_iter().chain(rest).for_each(|word| reader.take(word));
        let (place, typed) = match reader.wants.take() {
            Some(arg) => (Place::Value(Box::new(arg)), all),
            None => reader.place(typed, false),
        };
        let given = reader.given;
        (Line { verb, given, place }, typed)
    }

    /// The values that an argument was given, in their order.
    pub fn given<'l>(&'l self, id: &'l str) -> impl Iterator<Item = &'l str> {
        self.given.iter().filter(move |(of, _)| of == id).map(|(_, value)| value.as_str())
    }

    /// The values that arguments without an option were given.
    pub fn positional(&self) -> impl Iterator<Item = &str> {
        let is_positional = |id: &str| self.verb.get_positionals().any(|arg| arg.get_id() == id);
        self.given.iter().filter(move |(id, _)| is_positional(id)).map(|(_, value)| value.as_str())
    }
}

/// Reads words one by one.
struct Reader<'c> {
    command: &'c Command,
    given: Vec<(String, String)>,
    /// The option whose value comes next.
    wants: Option<Arg>,
    is_escaped: bool,
    /// Number of the next argument without an option, from 1.
    nth: usize,
}

impl Reader<'_> {
    /// Whether a word is neither an option nor the value of one.
    fn is_verb(&mut self, word: &str) -> bool {
        let before = self.nth;
        self.take(word);
        self.nth > before
    }

    fn take(&mut self, word: &str) {
        if let Some(arg) = self.wants.take() {
            self.given.push((arg.get_id().to_string(), word.to_owned()));
            return;
        }
        if !self.is_escaped && word == "--" {
            self.is_escaped = true;
        } else if !self.is_escaped && word.starts_with("--") {
            let (name, value) = named(word);
            let arg = self.command.get_arguments().find(|arg| arg.get_long() == Some(name));
            self.option(arg.cloned(), value);
        } else if !self.is_escaped && word.len() > 1 && word.starts_with('-') {
            let mut letters = word.char_indices().skip(1);
            let takes = letters.find_map(|(at, letter)| {
                let arg = self.command.get_arguments().find(|arg| arg.get_short() == Some(letter));
                let arg = arg.filter(|arg| takes_value(arg))?;
                Some((arg.clone(), at.saturating_add(letter.len_utf8())))
            });
            if let Some((arg, end)) = takes {
                let value = word.get(end..).filter(|value| !value.is_empty());
                self.option(Some(arg), value);
            }
        } else {
            if let Some(arg) = self.positional() {
                self.given.push((arg.get_id().to_string(), word.to_owned()));
            }
            self.nth = self.nth.saturating_add(1);
        }
    }

    fn option(&mut self, arg: Option<Arg>, value: Option<&str>) {
        let Some(arg) = arg.filter(takes_value) else { return };
        match value {
            Some(value) => self.given.push((arg.get_id().to_string(), value.to_owned())),
            None if arg.is_require_equals_set() => {}
            None => self.wants = Some(arg),
        }
    }

    /// The argument without an option whose turn it is: the last one takes all that come.
    fn positional(&self) -> Option<&Arg> {
        let mut left = self.nth;
        for arg in self.command.get_positionals() {
            let most = arg.get_num_args().map_or(1, |range| range.max_values());
            let takes_more = matches!(arg.get_action(), ArgAction::Append) || most > 1;
            if takes_more || left <= 1 {
                return Some(arg);
            }
            left = left.saturating_sub(1);
        }
        None
    }

    /// What a word is that is typed now.
    fn place<'w>(&self, typed: &'w str, wants_verb: bool) -> (Place, Typed<'w>) {
        let all = Typed { before: "", value: typed };
        if !self.is_escaped && typed.starts_with('-') {
            let (name, value) = named(typed);
            let Some(value) = value else { return (Place::Option, all) };
            let arg = self.command.get_arguments().find(|arg| arg.get_long() == Some(name));
            let before = typed.get(..typed.len().saturating_sub(value.len())).unwrap_or_default();
            return match arg.filter(|arg| takes_value(arg)) {
                Some(arg) => (Place::Value(Box::new(arg.clone())), Typed { before, value }),
                None => (Place::Nothing, all),
            };
        }
        let place = match self.positional() {
            _ if wants_verb => Place::Verb,
            Some(arg) => Place::Value(Box::new(arg.clone())),
            None => Place::Nothing,
        };
        (place, all)
    }
}

/// Name and value of `--name=value`.
fn named(word: &str) -> (&str, Option<&str>) {
    let name = word.trim_start_matches('-');
    match name.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (name, None),
    }
}

fn takes_value(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append) && !arg.is_positional()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The argument that the last word is a value of, by its name, and what stands before it.
    fn read(line: &str) -> (String, String) {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let typed = words.pop().unwrap();
        let (line, typed) = Line::read(&words, &typed);
        let place = match line.place {
            Place::Value(arg) => arg.get_id().to_string(),
            place => format!("{place:?}"),
        };
        (place, typed.before.to_owned())
    }

    #[test]
    fn the_last_word_is_of_the_argument_whose_turn_it_is() {
        let of = |line| read(line).0;
        assert_eq!(of(""), "Verb");
        assert_eq!(of("--json sh"), "Verb");
        assert_eq!(of("--profile "), "profile");
        assert_eq!(of("show "), "file");
        assert_eq!(of("show level.nmo "), "path");
        assert_eq!(of("--threads 2 show level.nmo --limit 3 "), "path");
        assert_eq!(of("show level.nmo #3 "), "Nothing");
        assert_eq!(of("show level.nmo --lim"), "Option");
        assert_eq!(of("extract level.nmo -C "), "directory");
        assert_eq!(of("set level.nmo --backup "), "changes");
        assert_eq!(of("set level.nmo a=b c=d "), "changes");
        assert_eq!(of("level.nmo "), "files");
        assert_eq!(read("ls level.nmo --sort=si"), ("sort".to_owned(), "--sort=".to_owned()));
    }

    #[test]
    fn what_was_given_is_known() {
        let words = ["show", "-q", "level.nmo", "--limit=3"].map(str::to_owned);
        let (line, _) = Line::read(&words, "");
        assert_eq!(line.given("limit").collect::<Vec<_>>(), ["3"]);
        assert_eq!(line.positional().collect::<Vec<_>>(), ["level.nmo"]);
    }
}
