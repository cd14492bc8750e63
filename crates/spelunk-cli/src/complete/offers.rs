//! Words that a shell may put in the place of the one that is typed.

use std::collections::HashSet;

/// The most words that are offered: nobody reads more, and shells ask before they show so many.
const MOST: usize = 500;

/// A word that can be typed.
#[derive(Debug, PartialEq, Eq)]
pub struct Offer {
    pub text: String,
    /// A few words about it, for shells that show them.
    pub about: String,
    /// Whether more of the same word follows, so that no blank comes behind it.
    pub is_open: bool,
}

/// Names of files that the shell adds by itself, for it knows best how they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileNames {
    #[default]
    None,
    Any,
    Folders,
}

/// What is offered for a word.
#[derive(Debug, Default)]
pub struct Offers {
    pub list: Vec<Offer>,
    pub files: FileNames,
    /// Whether the words come out of a file, and may hold what means something to a shell.
    pub is_foreign: bool,
    seen: HashSet<String>,
}

impl Offers {
    /// Whether no more are taken.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MOST
    }

    /// Offers a word where it begins with what is typed, whatever the case of its letters.
    pub fn word(&mut self, typed: &str, text: &str, about: &str) {
        if behind(text, typed).is_some() {
            self.put(text, about, false);
        }
    }

    /// Offers the path of an entry where it begins with what is typed: as far as the next `/`, where there is one.
    pub fn path(&mut self, typed: &str, path: &str, about: &str) {
        let Some(at) = behind(path, typed) else { return };
        let step = path.get(at..).and_then(|rest| rest.find('/'));
        let end = step.map_or(path.len(), |step| at.saturating_add(step).saturating_add(1));
        let about = if end == path.len() { about } else { "" };
        match step {
            Some(_) => self.put(path.get(..end).unwrap_or_default(), about, true),
            // One that is typed already has nothing more to say.
            None if path.ends_with('/') => {}
            None => self.put(path, about, false),
        }
    }

    /// Offers a word that goes on, where it begins with what is typed and is more.
    pub fn open(&mut self, typed: &str, text: &str, about: &str) {
        if behind(text, typed).is_some_and(|at| at < text.len()) {
            self.put(text, about, true);
        }
    }

    fn put(&mut self, text: &str, about: &str, is_open: bool) {
        if !self.is_full() && self.seen.insert(text.to_owned()) {
            self.list.push(Offer { text: text.to_owned(), about: about.to_owned(), is_open });
        }
    }

    /// Leaves out what is offered with a `/` behind it too.
    pub fn without_doubles(&mut self) {
        let seen = std::mem::take(&mut self.seen);
        self.list.retain(|offer| !seen.contains(&format!("{}/", offer.text)));
        self.seen = seen;
    }

    /// Puts a text before all of them: what stands in the word already.
    #[must_use]
    pub fn after(mut self, before: &str) -> Offers {
        if !before.is_empty() {
            self.list.iter_mut().for_each(|offer| offer.text.insert_str(0, before));
        }
        self
    }
}

/// Where a text goes on behind what is typed; `None` where it does not begin with it. Case makes no difference.
pub fn behind(text: &str, typed: &str) -> Option<usize> {
    let mut chars = text.char_indices();
    for wanted in typed.chars() {
        let (_, found) = chars.next()?;
        if found != wanted && !found.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    Some(chars.next().map_or(text.len(), |(at, _)| at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_offered_step_by_step_and_once() {
        let mut offers = Offers::default();
        for path in ["textures/bark", "textures/moss", "Text", "sounds/wind"] {
            offers.path("te", path, "");
        }
        let texts: Vec<(&str, bool)> =
            offers.list.iter().map(|offer| (offer.text.as_str(), offer.is_open)).collect();
        assert_eq!(texts, [("textures/", true), ("Text", false)]);
        assert_eq!(behind("Tür", "TÜ"), Some(3));
        assert_eq!(behind("Tür", "Türe"), None);
    }

    #[test]
    fn their_number_is_bounded() {
        let mut offers = Offers::default();
        (0..2 * MOST).for_each(|nth| offers.word("", &nth.to_string(), ""));
        assert!(offers.is_full());
        assert_eq!(offers.list.len(), MOST);
    }
}
