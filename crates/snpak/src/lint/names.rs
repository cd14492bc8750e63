//! Rules about names and variants.

use super::{
    codes,
    out::{PackLintSink, shown},
};
use crate::{hash, index::IndexEntry, strings::StringTable};
use spelunk_core::{
    Code, Error, Result, Severity, Task,
    safe_path::{compose, fold, is_harmless},
};

/// Growth of a text at the most, as a multiple, when it is composed and its letters are made large.
const MAX_GROWTH: u64 = 9;

/// Facts about a string of the table.
#[derive(Clone, Copy, Default)]
struct StringFacts {
    /// Hash of the string.
    exact: u64,
    /// The hash of what remains where neither case nor composition of characters counts.
    folded: u64,
    is_utf8: bool,
    is_path: bool,
}

/// Every string once: entries may share them.
struct Texts {
    all: Vec<StringFacts>,
    /// Starts of the strings, sorted.
    starts: Vec<u32>,
}

impl Texts {
    fn of(strings: &StringTable, task: &mut Task<'_>) -> Result<Texts> {
        let count = u64::from(strings.count());
        let mut all = task.budget.vec::<StringFacts>(count)?;
        for id in 0..strings.count() {
            let string = strings.get(id).unwrap_or_default();
            let len = string.len() as u64;
            // Hashed, composed, made large, looked at step by step.
            task.budget.touch(len.saturating_mul(4))?;
            let room = len.saturating_mul(MAX_GROWTH);
            task.budget.memory(room)?;
            all.push(StringFacts::of(string));
            task.budget.release(room);
        }
        let mut starts = task.budget.vec::<u32>(count)?;
        starts.extend(strings.offsets().iter().map(|offset| offset.get()));
        starts.sort_unstable();
        Ok(Texts { all, starts })
    }

    fn get(&self, id: u32) -> Option<StringFacts> {
        self.all.get(id as usize).copied()
    }

    /// Returns the number of bytes of a string behind a NUL in it. Its hash, which covers them, keeps it apart from one that ends
    /// there.
    fn behind_nul(
        &self,
        strings: &StringTable,
        id: u32,
        hash: u64,
        task: &mut Task<'_>,
    ) -> Result<Option<usize>> {
        let known = self.get(id).filter(|text| text.exact != hash);
        let (Some(_), Some(offset)) = (known, strings.offsets().get(id as usize)) else {
            return Ok(None);
        };
        let start = offset.get();
        let next = self.starts.get(self.starts.partition_point(|known| *known <= start));
        let data = strings.data();
        let end = next.map_or(data.len(), |next| *next as usize).saturating_sub(1);
        let whole = data.get(start as usize..end).unwrap_or_default();
        task.budget.touch(whole.len() as u64)?;
        let read = strings.get(id).map_or(0, <[u8]>::len);
        let is_longer = whole.len() > read && hash::hash64(whole) == hash;
        Ok(is_longer.then(|| whole.len().saturating_sub(read).saturating_sub(1)))
    }
}

impl StringFacts {
    fn of(string: &[u8]) -> StringFacts {
        let exact = hash::hash64(string);
        match std::str::from_utf8(string) {
            Ok(text) => StringFacts {
                exact,
                folded: hash::hash64(fold(text).as_bytes()),
                is_utf8: true,
                is_path: text.split('/').all(is_harmless),
            },
            // What is no text has neither case nor composition, and is reported as that.
            Err(_) => StringFacts { exact, folded: exact, is_utf8: false, is_path: true },
        }
    }
}

/// A name and a variant by their hashes, folded and as they are, and whose they are.
type NameHashes = ((u64, u64), (u64, u64), u32);

/// Names that collide, that are no text, and that are no paths.
pub(super) fn names(out: &mut PackLintSink<'_, '_, '_>) -> Result<()> {
    let rules: [&Code; 5] = [
        &codes::SAME_NAME,
        &codes::CASE,
        &codes::NORMALISATION,
        &codes::NOT_TEXT,
        &codes::NOT_A_PATH,
    ];
    if !out.wants(&rules) {
        return Ok(());
    }
    let (index, strings) = (out.pack.index(), out.pack.strings());
    let texts = Texts::of(strings, out.task)?;
    let entries = index.entries();
    let mut keys = out.task.budget.vec::<NameHashes>(entries.len() as u64)?;
    for (row, entry) in (0_u32..).zip(entries) {
        out.task.budget.steps(1)?;
        faults(&texts, row as usize, entry, out)?;
        let Some(name) = texts.get(entry.name_string_id.get()) else { continue };
        if !out.ids.is_shadowed(row as usize) {
            let variant = texts.get(entry.variant_string_id.get()).unwrap_or_default();
            keys.push(((name.folded, variant.folded), (name.exact, variant.exact), row));
        }
    }
    keys.sort_unstable();
    for alike in keys.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        collisions(alike, out)?;
    }
    Ok(())
}

/// Reports what is wrong with the name and the variant of an asset on their own.
fn faults(
    texts: &Texts,
    row: usize,
    entry: &IndexEntry,
    out: &mut PackLintSink<'_, '_, '_>,
) -> Result<()> {
    let (index, strings) = (out.pack.index(), out.pack.strings());
    for (id, hash, at, field) in [
        (entry.name_string_id.get(), entry.name_hash64.get(), 52, "name_string_id"),
        (entry.variant_string_id.get(), entry.variant_hash64.get(), 64, "variant_string_id"),
    ] {
        let (Some(text), Some(string)) = (texts.get(id), strings.get(id)) else { continue };
        let behind = texts.behind_nul(strings, id, hash, out.task)?;
        if text.is_utf8 && text.is_path && behind.is_none() {
            continue;
        }
        out.task.budget.touch(string.len() as u64)?;
        let error = |code| Error::new(code).at(index.place(0, row).part(at, 4)).field(field);
        if !text.is_utf8 {
            let error = error(&codes::NOT_TEXT).expected("UTF-8").found(shown(string));
            out.report_asset(Severity::Info, row, error)?;
        }
        if let Some(behind) = behind {
            let found = format!("{}, a NUL and {behind} more bytes", shown(string));
            let error = error(&codes::NOT_TEXT).expected("no NUL").found(found);
            out.report_asset(Severity::Info, row, error)?;
        }
        if !text.is_path {
            let steps = String::from_utf8_lossy(string);
            let step = steps.split('/').find(|step| !is_harmless(step)).unwrap_or_default();
            let found =
                if step.is_empty() { "an empty step".to_owned() } else { shown(step.as_bytes()) };
            let error = error(&codes::NOT_A_PATH).expected("steps that are safe everywhere");
            out.report_asset(Severity::Info, row, error.found(found))?;
        }
    }
    Ok(())
}

/// Reports assets whose names are alike, in the order of their names and then of their positions: those of the same name against
/// the first one that has it, the first of each name against the first of all.
fn collisions(alike: &[NameHashes], out: &mut PackLintSink<'_, '_, '_>) -> Result<()> {
    let mut names = alike.chunk_by(|a, b| a.1 == b.1).filter_map(<[NameHashes]>::split_first);
    let Some(((_, _, first), same)) = names.next() else { return Ok(()) };
    report_same(*first, same, out)?;
    for ((_, _, other), same) in names {
        report_alike(*first, *other, out)?;
        report_same(*other, same, out)?;
    }
    Ok(())
}

fn report_same(first: u32, same: &[NameHashes], out: &mut PackLintSink<'_, '_, '_>) -> Result<()> {
    for (_, _, row) in same {
        report(&codes::SAME_NAME, format!("asset #{first} has it too"), *row, out)?;
    }
    Ok(())
}

fn report_alike(first: u32, other: u32, out: &mut PackLintSink<'_, '_, '_>) -> Result<()> {
    let path = out.asset(first as usize)?;
    let (Some(a), Some(b)) = (composed(first, out)?, composed(other, out)?) else {
        return Ok(());
    };
    let code: &'static Code = if a == b { &codes::NORMALISATION } else { &codes::CASE };
    report(code, format!("`{path}`"), other, out)
}

/// Name and variant of an asset, composed.
fn composed(row: u32, out: &mut PackLintSink<'_, '_, '_>) -> Result<Option<(String, String)>> {
    let Some(entry) = out.pack.entry(row as usize) else { return Ok(None) };
    let name = out.pack.name(entry).unwrap_or_default();
    let variant = out.pack.variant(entry).unwrap_or_default();
    let len = (name.len() as u64).saturating_add(variant.len() as u64);
    out.task.budget.touch(len)?;
    let room = len.saturating_mul(MAX_GROWTH);
    out.task.budget.memory(room)?;
    out.task.budget.release(room);
    let text = |string| std::str::from_utf8(string).ok().map(compose);
    Ok(text(name).zip(text(variant)))
}

fn report(
    code: &'static Code,
    found: String,
    row: u32,
    out: &mut PackLintSink<'_, '_, '_>,
) -> Result<()> {
    let at = out.pack.index().place(0, row as usize).part(52, 4);
    let error = Error::new(code).at(at).found(found).field("name_string_id");
    out.report_asset(Severity::Warning, row as usize, error)
}
