//! The scripts of the shells, how they hand over a command line, and how they take what is offered.

use super::offers::{FileNames, Offers, behind};
use clap_complete::Shell;
use std::io::{self, Write};

/// What a word that is offered for nothing but its beginning ends with.
const MORE: &str = "...";

/// The script by which a shell completes; `None` for one that completes verbs and options alone.
pub fn script(shell: Shell) -> Option<&'static str> {
    match shell {
        Shell::Bash => Some(include_str!("scripts/bash.sh")),
        Shell::Zsh => Some(include_str!("scripts/zsh.zsh")),
        Shell::Fish => Some(include_str!("scripts/fish.fish")),
        Shell::PowerShell => Some(include_str!("scripts/powershell.ps1")),
        _ => None,
    }
}

/// A command line as a shell hands it over.
#[derive(Debug)]
pub struct Asked {
    shell: Shell,
    /// The words behind the name of the command, without the last one.
    pub words: Vec<String>,
    /// The last one, as far as it is typed.
    pub typed: String,
    /// Bytes of it that the shell keeps and does not want again.
    kept: usize,
    /// Whether it stands in quotes that are open.
    is_quoted: bool,
}

impl Asked {
    /// Reads what stands behind `__complete`.
    pub fn read(args: &[String]) -> Option<Asked> {
        let (shell, args) = args.split_first()?;
        let shell = shell.parse().ok()?;
        if shell == Shell::Bash {
            let [line, word] = args else { return None };
            let (mut words, is_quoted) = unquoted(line);
            let typed = words.pop()?;
            let kept = kept(&typed, word);
            words.drain(..words.len().min(1));
            return Some(Asked { shell, words, typed, kept, is_quoted });
        }
        let mut words: Vec<String> =
            args.iter().skip_while(|arg| *arg != "--").skip(1).cloned().collect();
        if shell == Shell::PowerShell {
            // Some hand over no empty words.
            words =
                words.iter().filter_map(|word| word.strip_prefix(':').map(str::to_owned)).collect();
        }
        let mut typed = words.pop()?;
        if shell == Shell::Fish {
            typed = unquoted(&typed).0.pop().unwrap_or_default();
        }
        words.drain(..words.len().min(1));
        Some(Asked { shell, words, typed, kept: 0, is_quoted: false })
    }

    /// Writes what is offered, as the script of the shell reads it.
    pub fn write(&self, offers: &Offers, out: &mut dyn Write) -> io::Result<()> {
        let files = match offers.files {
            FileNames::None => "words",
            FileNames::Any => "files",
            FileNames::Folders => "folders",
        };
        let foreign = if offers.is_foreign { " foreign" } else { "" };
        let open = if offers.list.iter().any(|offer| offer.is_open) { " open" } else { "" };
        writeln!(out, "{files}{foreign}{open}")?;
        for offer in &offers.list {
            // One that breaks a line cannot be handed over.
            if offer.text.contains(char::is_control) {
                continue;
            }
            let about = offer.about.replace(char::is_control, " ");
            let at = behind(&offer.text, self.typed.get(..self.kept).unwrap_or_default());
            let text = offer.text.get(at.unwrap_or_default()..).unwrap_or_default();
            match self.shell {
                Shell::Bash => writeln!(out, "{text}")?,
                Shell::Zsh => {
                    let open = if offer.is_open { "open" } else { "closed" };
                    writeln!(out, "{open}\t{text}\t{about}")?;
                }
                _ => writeln!(out, "{text}\t{about}")?,
            }
            if self.closes(offers) {
                writeln!(out, "{text}{MORE}")?;
            }
        }
        Ok(())
    }

    /// Whether the shell would end the word behind the only one that is offered, though more of it follows: bash closes quotes, and
    /// fish knows few signs behind which a word goes on. Behind what two words begin with neither does.
    fn closes(&self, offers: &Offers) -> bool {
        let [only] = offers.list.as_slice() else { return false };
        let ends = match self.shell {
            Shell::Bash => self.is_quoted,
            Shell::Fish => only.text.ends_with('['),
            _ => false,
        };
        ends && only.is_open
    }
}

/// Bytes at the beginning of a word that do not stand in what bash takes for the word: it begins a new one behind `=` and `:`.
fn kept(typed: &str, word: &str) -> usize {
    let plain = unquoted(word).0.pop().unwrap_or_default();
    let rest = [word, plain.as_str()].into_iter().find_map(|word| typed.strip_suffix(word));
    rest.map_or(0, str::len)
}

/// The words of a line without the quotes around them, and whether the last one stands in quotes that are open. It is there when
/// nothing of it is typed, too.
fn unquoted(line: &str) -> (Vec<String>, bool) {
    let mut words = vec![String::new()];
    let (mut quote, mut is_begun) = (None, false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_blank = letter.is_whitespace() && quote.is_none();
        if is_blank {
            if is_begun {
                words.push(String::new());
            }
            is_begun = false;
            continue;
        }
        is_begun = true;
        let Some(word) = words.last_mut() else { continue };
        match (letter, quote) {
            (letter, Some(open)) if letter == open => quote = None,
            ('\'' | '"', None) => quote = Some(letter),
            ('\\', None) => word.extend(letters.next()),
            ('\\', Some('"')) => match letters.next_if(|next| "\\\"$`".contains(*next)) {
                Some(next) => word.push(next),
                None => word.push(letter),
            },
            _ => word.push(letter),
        }
    }
    (words, quote.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_apart_as_shells_do() {
        assert_eq!(
            unquoted("spelunk show  'a b' c\\ d \"e \\\" f").0,
            ["spelunk", "show", "a b", "c d", "e \" f"]
        );
        assert_eq!(unquoted("spelunk ").0, ["spelunk", ""]);
        assert_eq!(unquoted("").0, [""]);
        assert!(unquoted("spelunk 'a").1 && !unquoted("spelunk 'a'").1);
    }

    #[test]
    fn what_bash_keeps_is_not_written_again() {
        assert_eq!(kept("#1/a=two", "two"), 5);
        assert_eq!(kept("a b/c", "a\\ b/c"), 0);
        assert_eq!(kept("a b/c", "a b/c"), 0);
    }
}
