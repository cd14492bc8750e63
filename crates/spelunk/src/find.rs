//! Finding names, texts, ids and values in the entries of a container.

use crate::{
    Container, Entry, Error, Field, Halt, Node, Of, Result, Seg, Shape, Span, Step, Task, Val,
    Walk, Walked, codes,
    text::{CodePages, until_nul},
    walk::{Group, Trail, finish},
};
use globset::{GlobBuilder, GlobMatcher};
use std::{borrow::Cow, collections::HashSet};

/// What is looked for: a part of a text, a glob that has to match the whole of it, or a number.
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
            number: number(text),
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
            Val::None | Val::Bool(_) | Val::Bytes(_) => false,
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
        found || field.meaning(value).is_some_and(|meaning| self.matches(&meaning))
    }
}

fn number(text: &str) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let number: u64 = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    i128::from(number).checked_mul(sign)
}

/// Where a pattern was found.
#[derive(Debug)]
pub struct Hit<'h> {
    /// The path of the entry.
    pub path: &'h str,
    /// What it is.
    pub kind: &'h str,
    /// Its name as shown; empty where it has none.
    pub name: &'h str,
    /// The field that holds it; `None` where it is the path, the name or the kind of the entry.
    pub field: Option<(String, &'static Field, Val<'static>)>,
}

/// What is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Paths, names and kinds of entries alone.
    pub names: bool,
}

/// What sections of Virtools files list: these are entries, and looked at as such.
const ENTRIES: [&str; 3] = ["objects", "managers", "records"];

/// Deeper hierarchies than this come from damaged files only.
const MAX_DEPTH: usize = 64;

/// Hands every place where the pattern is found to `each`: entries in the order of the hierarchy, and their fields in order.
/// What is damaged is told and passed over.
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
    // What lies below an entry of these tells what is in it; objects of Virtools tell their own, whatever is below them.
    let in_parts = container.format().starts_with("spellforce-");
    let mut search =
        Search { container, pattern, options, pages, in_parts, seen: HashSet::new(), each };
    search.below(Of::Root, 0, task)?;
    // What the hierarchy does not show.
    search.below(Of::Listing, MAX_DEPTH, task).map(drop)
}

struct Search<'s> {
    container: &'s dyn Container,
    pattern: &'s Pattern,
    options: Options,
    pages: &'s CodePages,
    in_parts: bool,
    seen: HashSet<Node>,
    each: &'s mut dyn FnMut(&Hit<'_>) -> Result<()>,
}

/// An entry that was listed, and what is told of it.
struct Found {
    node: Node,
    path: String,
    kind: String,
    name: String,
}

impl Search<'_> {
    /// Looks at the entries there, and below them. Tells whether there are any.
    fn below(&mut self, of: Of, depth: usize, task: &mut Task<'_>) -> Result<bool> {
        let mut entries = Vec::new();
        let mut any = false;
        let pages = self.pages;
        finish(self.container.children(of, pages, task, &mut |entry, task| {
            any = true;
            if !self.seen.contains(&entry.node) {
                entries.push(found(entry, pages, task)?);
            }
            Ok(())
        }))?;
        for entry in entries {
            if !self.seen.insert(entry.node) {
                continue;
            }
            let Found { path, kind, name, node } = &entry;
            if [path, kind, name].iter().any(|text| self.pattern.matches(text)) {
                (self.each)(&Hit { path, kind, name, field: None })?;
            }
            let any_below =
                depth < MAX_DEPTH && self.below(Of::Node(*node), depth.saturating_add(1), task)?;
            if !(self.options.names || self.in_parts && any_below) {
                self.fields(&entry, task)?;
            }
        }
        Ok(any)
    }

    /// Looks at the fields of an entry.
    fn fields(&mut self, entry: &Found, task: &mut Task<'_>) -> Result<()> {
        let mut walk = Fields {
            pattern: self.pattern,
            pages: self.pages,
            entry,
            trail: Trail::default(),
            each: self.each,
            failed: false,
        };
        let walked = finish(self.container.walk(entry.node, task, &mut walk));
        let failed = walk.failed;
        match walked {
            Err(error) if failed || error.code().class == crate::Class::Io => Err(error),
            Err(error) if error.code().class == crate::Class::Limit => Err(error),
            Err(error) if error.code().id == codes::core::NO_SUCH_OPERATION.id => Ok(()),
            Err(error) => task.error(error),
            Ok(()) => Ok(()),
        }
    }
}

fn found(entry: &Entry<'_>, pages: &CodePages, task: &mut Task<'_>) -> Result<Found> {
    let name = pages.show(until_nul(entry.name.unwrap_or_default()));
    let name = entry.label.map_or(name, Cow::Borrowed);
    let len = entry.path.len().saturating_add(entry.kind.len()).saturating_add(name.len());
    task.budget.memory(size_of::<Found>().saturating_add(len) as u64)?;
    let (path, kind) = (entry.path.to_owned(), entry.kind.to_owned());
    Ok(Found { node: entry.node, path, kind, name: name.into_owned() })
}

/// Compares the fields of an entry.
struct Fields<'w, 's> {
    pattern: &'s Pattern,
    pages: &'s CodePages,
    entry: &'w Found,
    trail: Trail,
    each: &'w mut dyn FnMut(&Hit<'_>) -> Result<()>,
    /// Whether it was `each` that ended the walk.
    failed: bool,
}

impl Walk for Fields<'_, '_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        if self.entry.kind == "section"
            && matches!(group.name, Seg::Field(name) if ENTRIES.contains(&name))
        {
            return Ok(Step::Over);
        }
        self.trail.enter(group);
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, value: Val<'_>) -> Walked {
        // The name was found already.
        let is_name = match &value {
            Val::Text(bytes) => self.pages.show(until_nul(bytes)) == self.entry.name,
            Val::Str(text) => *text == self.entry.name,
            _ => false,
        };
        if is_name || !self.pattern.matches_value(field, &value, self.pages) {
            self.trail.pass();
            return Ok(());
        }
        let found = (self.trail.path(field), field, value.into_owned());
        let Found { path, kind, name, .. } = self.entry;
        let told = (self.each)(&Hit { path, kind, name, field: Some(found) });
        self.failed = told.is_err();
        Ok(told?)
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.trail.leave();
        Ok(())
    }
}
