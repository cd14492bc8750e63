//! Finding names, texts, ids and values in the entries of a container.

use crate::{
    Container, Error, Field, Result, Task, Val,
    core::text::{CodePages, until_nul},
    core::value::{self, PartValue},
    entries::everything::{Look, Met, NamedEntry, everything},
    open::codes,
};
use globset::{GlobBuilder, GlobMatcher};

/// A pattern: a part of a text, a glob that has to match the whole of it, or a number.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// In small letters.
    text: String,
    glob: Option<GlobMatcher>,
    number: Option<i128>,
    whole: bool,
}

impl Pattern {
    /// Reads a pattern. `*`, `?` and `[` make it a glob; what is written as a number, decimal or with `0x`, is looked for as
    /// one too. Case makes no difference. With `whole` a text has to be the pattern and nothing more.
    ///
    /// # Errors
    /// [`BAD_PATTERN`](codes::core::BAD_PATTERN) for a glob that makes no sense, or an empty pattern.
    pub fn new(text: &str, whole: bool) -> Result<Pattern> {
        let bad = |why: String| Error::new(&codes::core::BAD_PATTERN).found(why);
        if text.is_empty() {
            return Err(bad("an empty pattern".to_owned()));
        }
        let glob = text.contains(['*', '?', '[']).then(|| {
            let mut glob = GlobBuilder::new(text);
            let glob = glob.case_insensitive(true).literal_separator(false).build();
            glob.map(|glob| glob.compile_matcher())
        });
        Ok(Pattern {
            text: text.to_lowercase(),
            glob: glob.transpose().map_err(|error| bad(error.to_string()))?,
            number: value::integer(text),
            whole,
        })
    }

    fn matches(&self, text: &str) -> bool {
        match &self.glob {
            Some(glob) => glob.is_match(text),
            None if self.whole => text.to_lowercase() == self.text,
            None => text.to_lowercase().contains(&self.text),
        }
    }

    fn matches_value(&self, field: &Field, value: &Val<'_>, pages: &CodePages) -> bool {
        let is_number = |number: i128| self.number == Some(number);
        let found = match value {
            Val::None | Val::Bool(_) | Val::Bytes(_) | Val::List(_) => false,
            Val::U(number) | Val::Word64(number) => is_number((*number).into()),
            Val::I(number) => is_number((*number).into()),
            Val::Word(number) => is_number((*number).into()),
            Val::F(number) => self.text.parse() == Ok(*number),
            Val::Ref(number, target) => {
                is_number((*number).into())
                    || target
                        .as_ref()
                        .is_some_and(|target| self.matches(&pages.show(until_nul(&target.name))))
            }
            Val::Text(bytes) => self.matches(&pages.show(until_nul(bytes))),
            Val::Str(text) => self.matches(text),
            Val::Guid(..) | Val::Uuid(_) | Val::Hash(..) => self.matches(&value.to_string()),
        };
        found
            || field.meaning(value).is_some_and(|meaning| self.matches(&meaning))
            || field.parts_of(value).filter(PartValue::is_set).any(|part| self.matches_part(&part))
    }

    /// Whether it is the name of a part of a packed word, that of its value, or both (`kind: spot`).
    fn matches_part(&self, part: &PartValue) -> bool {
        self.matches(part.name)
            || part.meaning().is_some_and(|meaning| self.matches(&meaning))
            || self.matches(&part.to_string())
    }
}

/// A place where a pattern was found.
#[derive(Debug)]
pub struct Hit<'h> {
    /// The path of the entry.
    pub path: &'h str,
    /// Kind of the entry.
    pub kind: &'h str,
    /// Name of the entry as shown; empty where it has none.
    pub name: &'h str,
    /// The field that holds it; `None` where it is the path, the name or the kind of the entry.
    pub field: Option<(String, &'static Field, Val<'static>)>,
}

/// Settings of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Paths, names and kinds of entries alone.
    pub names: bool,
}

/// Hands every place where the pattern is found to `each`: entries in the order of the hierarchy, and their fields in order.
/// Damage is reported and passed over.
///
/// # Errors
/// What `each` returns; input and output; limits.
pub fn find(
    container: &dyn Container,
    pattern: &Pattern,
    options: Options,
    pages: &CodePages,
    task: &mut Task<'_>,
    each: &mut dyn FnMut(&Hit<'_>) -> Result<()>,
) -> Result<()> {
    let most = task.budget.left().steps;
    let mut search = Search { pattern, pages, most, left: most, each };
    everything(container, !options.names, pages, task, &mut search)
}

/// Steps of work for comparing an entry or a field with the pattern, beside those of going through it.
const COMPARED: u64 = 2;
/// Steps of work for reporting a match, beside those for its texts.
const REPORTED: u64 = 8;
/// Letters of its texts that are reported with a step.
const LETTERS: u64 = 16;

struct Search<'s> {
    pattern: &'s Pattern,
    pages: &'s CodePages,
    /// Steps that comparing and reporting may take; `left` is how many of them remain.
    most: u64,
    left: u64,
    each: &'s mut dyn FnMut(&Hit<'_>) -> Result<()>,
}

impl Search<'_> {
    fn spend(&mut self, steps: u64) -> Result<()> {
        let left = self.left.checked_sub(steps);
        self.left = left.ok_or_else(|| {
            let steps = format!("at most {} steps for comparing and reporting matches", self.most);
            Error::new(&codes::core::STEPS).expected(steps)
        })?;
        Ok(())
    }

    fn report(&mut self, hit: &Hit<'_>) -> Result<()> {
        let texts = [hit.path, hit.kind, hit.name].map(str::len);
        let field = hit.field.as_ref().map_or(0, |(path, _, value)| path.len() + value.held());
        let letters = texts.iter().sum::<usize>().saturating_add(field) as u64;
        self.spend(REPORTED.saturating_add(letters / LETTERS))?;
        (self.each)(hit)
    }
}

impl Look for Search<'_> {
    fn entry(&mut self, entry: &NamedEntry<'_>) -> Result<()> {
        self.spend(COMPARED)?;
        let NamedEntry { path, kind, name, .. } = entry;
        match [*path, *kind, &**name].iter().any(|text| self.pattern.matches(text)) {
            true => self.report(&Hit { path, kind, name, field: None }),
            false => Ok(()),
        }
    }

    fn field(&mut self, entry: &NamedEntry<'_>, met: Met<'_>) -> Result<()> {
        self.spend(COMPARED)?;
        let Met { field, value, trail, .. } = met;
        // The name was found already.
        let is_name = match &value {
            Val::Text(bytes) => self.pages.show(until_nul(bytes)) == entry.name,
            Val::Str(text) => *text == entry.name,
            _ => false,
        };
        if is_name || !self.pattern.matches_value(field, &value, self.pages) {
            trail.pass();
            return Ok(());
        }
        let found = (trail.path(field), field, value.into_owned());
        let NamedEntry { path, kind, name, .. } = entry;
        self.report(&Hit { path, kind, name, field: Some(found) })
    }
}
