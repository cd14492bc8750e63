//! Finding names, texts, ids and values in the entries of a container.

mod pattern;

pub use pattern::Pattern;

use crate::{
    Container, Error, Field, Record, Result, Step, Task, Ty, Val,
    core::text::{CodePages, until_nul},
    entries::everything::{Look, Met, NamedEntry, everything},
    open::codes,
};
use pattern::FieldNames;

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
    let names = FieldNames::new(pattern);
    let mut search = Search { pattern, names, pages, most, left: most, each };
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
    names: FieldNames<'s>,
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

    /// Whether one of these values of a field is what is looked for.
    fn is_among<'v>(
        &mut self,
        field: &'static Field,
        ty: Ty,
        mut values: impl Iterator<Item = &'v [u8]>,
    ) -> bool {
        self.names.may_match(field)
            || self.pattern.may_match(ty)
                && values.any(|value| self.pattern.matches_value(&ty.decode(value), self.pages))
    }
}

/// Bytes of values that are compared with a step.
const BYTES: u64 = 64;

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
        let is_found = self.pattern.matches_value(&value, self.pages)
            || self.names.may_match(field) && self.pattern.matches_meaning(field, &value);
        // The name was found already.
        let is_name = |value: &Val<'_>| match value {
            Val::Text(bytes) => self.pages.show(until_nul(bytes)) == entry.name,
            Val::Str(text) => *text == entry.name,
            _ => false,
        };
        if !is_found || is_name(&value) {
            trail.pass();
            return Ok(());
        }
        let found = (trail.path(field), field, value.into_owned());
        let NamedEntry { path, kind, name, .. } = entry;
        self.report(&Hit { path, kind, name, field: Some(found) })
    }

    fn values(&mut self, field: &'static Field, item: Ty, bytes: &[u8]) -> Result<Step> {
        self.spend(bytes.len() as u64 / BYTES)?;
        let Some(size) = item.size().filter(|size| *size > 0) else { return Ok(Step::Into) };
        let values = bytes.chunks_exact(size as usize);
        Ok(if self.is_among(field, item, values) { Step::Into } else { Step::Over })
    }

    fn rows(&mut self, record: &'static Record, bytes: &[u8]) -> Result<Step> {
        self.spend(bytes.len() as u64 / BYTES)?;
        let rows = bytes.chunks_exact(record.size.max(1) as usize);
        for slot in record.fields {
            let stored = rows.clone().map(|row| row.get(slot.range()).unwrap_or_default());
            let item = slot.field.item().ty;
            let is_among = match (slot.field.ty, item.size()) {
                (Ty::Array(..), Some(size)) => {
                    let items = stored.flat_map(|row| row.chunks_exact(size.max(1) as usize));
                    self.is_among(&slot.field, item, items)
                }
                (Ty::Array(..) | Ty::Rest(_), _) => true,
                (ty, _) => self.is_among(&slot.field, ty, stored),
            };
            if is_among {
                return Ok(Step::Into);
            }
        }
        Ok(Step::Over)
    }
}
