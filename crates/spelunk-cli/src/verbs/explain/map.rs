//! A file as a tree of its fields in the order of their bytes, and as lines of JSON.

use super::{Shown, hex};
use crate::output::{FAINT, LABEL, TITLE, value};
use serde_json::{Map, Value};
use spelunk::{
    Record, Result, Source, Space, Span,
    explain::{Placed, Tell},
    json,
};
use std::{collections::BTreeMap, io::Write, sync::Arc};

/// How many letters of a value are shown.
const MOST_LETTERS: usize = 100;
/// How many bytes of a long run JSON has.
const MOST_BYTES: usize = 64;

/// Groups as headings, with their fields below them.
pub struct Tree<'a> {
    shown: &'a Shown<'a>,
    out: &'a mut dyn Write,
    space: Option<Space>,
    digits: usize,
}

impl<'a> Tree<'a> {
    pub fn new(shown: &'a Shown<'a>, out: &'a mut dyn Write) -> Tree<'a> {
        Tree { shown, out, space: None, digits: shown.digits().saturating_add(2) }
    }

    /// A heading where another space begins.
    fn enter(&mut self, space: Space) -> Result<()> {
        if self.space.replace(space) == Some(space) {
            return Ok(());
        }
        Ok(writeln!(self.out, "{}", self.shown.heading(space))?)
    }
}

impl Tell for Tree<'_> {
    fn group(
        &mut self,
        depth: usize,
        path: &str,
        record: &'static Record,
        at: Option<Span>,
    ) -> Result<()> {
        if let Some(at) = at {
            self.enter(at.space)?;
        }
        let digits = self.digits;
        let place = at.map(|at| format!("{:#x}", at.start)).unwrap_or_default();
        let len = at.map(|at| at.len.to_string()).unwrap_or_default();
        let indent = depth.saturating_mul(2);
        // What the items of a list are is said above the first of them.
        let about = match path.ends_with(']') && !path.ends_with("[0]") {
            true => String::new(),
            false => format!("  {FAINT}{}{FAINT:#}", first_sentence(record.doc)),
        };
        writeln!(
            self.out,
            "  {FAINT}{place:>digits$} {len:>8}{FAINT:#}  {:indent$}{TITLE}{path}{TITLE:#}{about}",
            ""
        )?;
        Ok(())
    }

    fn field(&mut self, field: &Placed<'_>, _: &mut dyn Iterator<Item = Span>) -> Result<()> {
        self.enter(field.at.space)?;
        let digits = self.digits;
        let place = format!("{:#x}", field.at.start);
        let indent = field.depth.saturating_mul(2);
        let text = cut(value(field.field, field.value, self.shown.pages));
        let width = 28_usize.saturating_sub(indent);
        writeln!(
            self.out,
            "  {place:>digits$} {:>8}  {:indent$}{LABEL}{:<width$}{LABEL:#}  {text}",
            field.at.len,
            "",
            field.step()
        )?;
        Ok(())
    }
}

/// The first sentence of a description.
fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.')
}

/// A value as far as it fits a line.
fn cut(text: String) -> String {
    match text.char_indices().nth(MOST_LETTERS) {
        Some((at, _)) => format!("{}...", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

/// A line for each field.
pub struct Json<'a> {
    shown: &'a Shown<'a>,
    bytes: &'a BTreeMap<Space, Arc<dyn Source>>,
    out: &'a mut dyn Write,
}

impl<'a> Json<'a> {
    /// With `bytes` each field has its own, too.
    pub fn new(
        shown: &'a Shown<'a>,
        bytes: &'a BTreeMap<Space, Arc<dyn Source>>,
        out: &'a mut dyn Write,
    ) -> Json<'a> {
        Json { shown, bytes, out }
    }
}

impl Tell for Json<'_> {
    fn group(&mut self, _: usize, _: &str, _: &'static Record, _: Option<Span>) -> Result<()> {
        Ok(())
    }

    fn field(&mut self, field: &Placed<'_>, _: &mut dyn Iterator<Item = Span>) -> Result<()> {
        let most = if self.shown.in_full { usize::MAX } else { MOST_BYTES };
        let flat = field.to_flat(most);
        let mut line = Map::new();
        line.insert("file".into(), self.shown.file.into());
        if let Value::Object(fields) = json::flat_field(&flat, self.shown.pages) {
            line.extend(fields);
        }
        let mut is_cut = matches!(field.value, spelunk::Val::Bytes(bytes) if bytes.len() > most);
        if let Some(source) = self.bytes.get(&field.at.space) {
            let len = field.at.len.min(most as u64);
            line.insert("bytes".into(), hex::digits(source.as_ref(), field.at.start, len)?.into());
            is_cut |= len < field.at.len;
        }
        if is_cut {
            line.insert("cut".into(), true.into());
        }
        Ok(writeln!(self.out, "{}", Value::Object(line))?)
    }
}
