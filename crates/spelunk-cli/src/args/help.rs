//! How help is laid out: verbs by what they are for, their own options first, and examples in the short form.

use super::common::Common;
use crate::styles::TITLE;
use clap::{Args, Command, builder::StyledStr};
use std::env;
use unicode_width::UnicodeWidthStr;

/// The verbs by what they are for. One that is not here stands at the end.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Look", &["info", "ls", "tree", "show", "cat", "find", "refs", "query", "explain", "view"]),
    ("Check", &["verify", "lint", "diff"]),
    ("Change", &["set", "rm", "mv", "add", "replace", "patch", "undo", "redo", "history"]),
    ("Convert", &["export", "import", "extract", "rewrite", "upgrade"]),
    ("Build", &["pack", "append", "compact", "repair", "rollback"]),
    ("Combine", &["join", "merge", "subset", "overlay"]),
    ("Tools", &["catalog", "mount", "completions", "man", "schema", "help"]),
];

/// The widest line of help.
const WIDEST: usize = 100;

/// Title above examples.
const EXAMPLES: &str = "Examples:\n";

/// The command with the options of every verb out of the short help.
pub fn root(command: Command) -> Command {
    command.mut_args(|arg| match arg.is_global_set() {
        true => arg.hide_short_help(true),
        false => arg,
    })
}

/// A verb whose short help ends with its examples, and says what is left out.
pub fn verb(verb: Command) -> Command {
    let Some(text) = verb.get_after_help().map(ToString::to_string) else { return verb };
    let width = width();
    let lines: Vec<String> = text.lines().map(|line| broken(line, width)).collect();
    let text = lines.join("\n");
    let examples = text.split("\n\n").filter(|part| part.starts_with(EXAMPLES));
    let examples: Vec<&str> = examples.collect();
    let common = Common::augment_args(Command::new("")).get_arguments().count();
    let more = format!("--help says more, and lists {common} options of every verb.");
    let short = format!("{}\n\n{more}", examples.join("\n\n"));
    verb.after_help(short).after_long_help(text)
}

/// The command with a list of its verbs in groups.
pub fn grouped(command: Command) -> Command {
    let verbs: Vec<(String, String)> = command
        .get_subcommands()
        .map(|verb| {
            let about = verb.get_about().map(ToString::to_string);
            (verb.get_name().to_owned(), about.unwrap_or_default())
        })
        .collect();
    let names = verbs.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let (mut list, width) = (String::new(), width());
    let others: Vec<&str> =
        verbs.iter().map(|(name, _)| name.as_str()).filter(|name| !is_grouped(name)).collect();
    for (title, group) in GROUPS.into_iter().chain([("Others", others.as_slice())]) {
        let known = group.iter().filter_map(|name| verbs.iter().find(|(known, _)| known == name));
        let lines: String = known.map(|(name, about)| item(name, about, names, width)).collect();
        if !lines.is_empty() {
            list.push_str(&format!("{TITLE}{title}:{TITLE:#}\n{lines}\n"));
        }
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{TITLE}Options of every verb:{TITLE:#}\n{{options}}{{after-help}}"
    );
    command.help_template(StyledStr::from(template))
}

/// A line that stands for a command, which begins with blanks, in lines that are no wider and that shells take for one: with a
/// backslash at their ends. Whatever stands in quotes stays together.
pub fn broken(line: &str, width: usize) -> String {
    /// Blanks that the other lines of a command begin with beside those of the first one.
    const MORE: usize = 4;
    let indent = line.len().saturating_sub(line.trim_start().len());
    if indent == 0 || line.width() <= width {
        return line.to_owned();
    }
    let mut quote = None;
    let words = line.trim_start().split_inclusive(|letter: char| {
        quote = match (quote, letter) {
            (None, '\'' | '"') => Some(letter),
            (Some(open), letter) if open == letter => None,
            (quote, _) => quote,
        };
        letter == ' ' && quote.is_none()
    });
    // What stands behind an option may be its value.
    let mut parts: Vec<String> = Vec::new();
    for word in words {
        match parts.last_mut() {
            Some(last) if is_option(last) && !is_option(word) => last.push_str(word),
            _ => parts.push(word.to_owned()),
        }
    }
    let (mut lines, mut used) = (" ".repeat(indent), indent);
    for (nth, part) in parts.iter().enumerate() {
        let end = used.saturating_add(part.trim_end().width()).saturating_add(2);
        if nth > 0 && end > width {
            let blanks = indent.saturating_add(MORE);
            lines.push_str(&format!("\\\n{:blanks$}", ""));
            used = blanks;
        }
        lines.push_str(part);
        used = used.saturating_add(part.width());
    }
    lines
}

/// Whether a part of a command is an option and nothing else.
fn is_option(part: &str) -> bool {
    part.starts_with('-') && !part.trim_end().contains(' ')
}

/// The width of help, as the parser has it.
pub fn width() -> usize {
    let terminal = terminal_size::terminal_size().map(|(width, _)| width.0.into());
    let asked = || env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    terminal.or_else(asked).unwrap_or(WIDEST).min(WIDEST)
}

/// Whether a verb stands in one of the groups.
pub fn is_grouped(name: &str) -> bool {
    GROUPS.iter().any(|(_, names)| names.contains(&name))
}

/// A name and what is said of it, whose lines stand below each other.
fn item(name: &str, about: &str, names: usize, width: usize) -> String {
    let indent = names.saturating_add(4);
    let mut lines = format!("  {name:names$}  ");
    let mut used = indent;
    for (nth, word) in about.split(' ').enumerate() {
        let is_first = nth == 0;
        let needed = word.width().saturating_add(usize::from(!is_first));
        if !is_first && used.saturating_add(needed) > width {
            lines.push_str(&format!("\n{:indent$}{word}", ""));
            used = indent.saturating_add(word.width());
        } else {
            lines.push_str(if is_first { "" } else { " " });
            lines.push_str(word);
            used = used.saturating_add(needed);
        }
    }
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_commands_go_on_behind_a_backslash() {
        assert_eq!(broken("  ls one two", 12), "  ls one two");
        assert_eq!(broken("  ls 'one two' 3", 14), "  ls \\\n      'one two' \\\n      3");
        assert_eq!(broken("  ls a -o b --c", 12), "  ls a \\\n      -o b \\\n      --c");
        assert_eq!(broken("a sentence that is long", 5), "a sentence that is long");
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(item("ls", "one two three", 4, 16), "  ls    one two\n        three\n");
    }
}
