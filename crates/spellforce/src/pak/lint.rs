//! Rules about archives that can be read (`spelunk lint`): what the game may not find, and what real archives do not have.

use super::{
    Archive, NameTable, PakEntry,
    archive::{BLOCK, halvings},
    path::lower,
};
use crate::codes;
pub use spelunk_core::lint::{Rule, Selection};
use spelunk_core::{Error, Finding, Result, Seg, Severity, Sink, Span, Task, text::CodePages};

/// All rules, by their codes. Those up to PK014 are reported by `verify`, too.
pub const RULES: &[Rule] = &[
    Rule::reported(&codes::PAK_CHECKSUM, Severity::Info),
    Rule::reported(&codes::PAK_HASH, Severity::Warning),
    Rule::reported(&codes::PAK_ORDER, Severity::Warning),
    Rule::reported(&codes::PAK_OVERLAP, Severity::Warning),
    Rule::reported(&codes::PAK_PADDING, Severity::Warning),
    Rule::reported(&codes::PAK_GAP, Severity::Warning),
    Rule::reported(&codes::PAK_LONG_NAME, Severity::Warning),
    Rule::reported(&codes::PAK_UPPER_CASE, Severity::Warning),
    Rule::reported(&codes::PAK_DUPLICATE, Severity::Warning),
    Rule::reported(&codes::PAK_ROOT, Severity::Warning),
    Rule::reported(&codes::PAK_UNALIGNED, Severity::Warning),
    Rule::reported(&codes::PAK_ALIGNED_DATA, Severity::Info),
];

/// Applies the rules to an archive. Findings go to the sink of the task. Entries that cannot be read are passed over:
/// [`verify`](spelunk_core::Container::verify) reports those.
///
/// # Errors
/// Limits; reading errors; what the sink makes of a finding.
pub fn lint(archive: &Archive, selection: &Selection, task: &mut Task<'_>) -> Result<()> {
    checked(archive, selection, task)?;
    names(archive, selection, task)?;
    duplicates(archive, selection, task)?;
    if !archive.size().is_multiple_of(BLOCK) && selection.has(&codes::PAK_UNALIGNED) {
        let error = Error::new(&codes::PAK_UNALIGNED).at(Span::file(0, archive.size()));
        task.warn(error.found(archive.size()))?;
    }
    let is_aligned = |entry: &PakEntry| entry.data_offset.get().is_multiple_of(4);
    let mut entries = archive.entries().iter();
    if archive.entries().len() > ALIGNED
        && entries.all(is_aligned)
        && selection.has(&codes::PAK_ALIGNED_DATA)
    {
        task.note(Error::new(&codes::PAK_ALIGNED_DATA).found(archive.entries().len()))?;
    }
    Ok(())
}

/// From so many files on it is no chance that all start at multiples of four.
const ALIGNED: usize = 16;

/// Passes on the findings of rules that count.
struct Chosen<'s, 't> {
    selection: &'s Selection,
    task: &'s mut Task<'t>,
}

impl Sink for Chosen<'_, '_> {
    fn report(&mut self, finding: Finding) -> Result<()> {
        let code = finding.error.code();
        let is_rule = RULES.iter().any(|rule| rule.code.id == code.id);
        match is_rule && self.selection.has(code) {
            true => self.task.report(finding.severity, finding.error),
            false => Ok(()),
        }
    }
}

/// Reports what opening and verifying find.
fn checked(archive: &Archive, selection: &Selection, task: &mut Task<'_>) -> Result<()> {
    let budget = task.budget.clone();
    let mut sink = Chosen { selection, task };
    let mut inner = Task::new(budget, &mut sink);
    archive.verify(&mut inner)?;
    let budget = inner.budget;
    task.budget = budget;
    Ok(())
}

fn shown(names: NameTable<'_>, entry: &PakEntry) -> String {
    let path: Vec<u8> = names.reversed_path(entry).into_iter().flatten().rev().collect();
    CodePages::cp1252().show(&path).into_owned()
}

/// Case and directories.
fn names(archive: &Archive, selection: &Selection, task: &mut Task<'_>) -> Result<()> {
    let names = archive.names();
    for (n, entry) in (0_u32..).zip(archive.entries()) {
        let both = names.reversed_name(entry).zip(names.reversed_directory(entry));
        let Some((name, directory)) = both else { continue };
        task.budget.touch((name.len() as u64).saturating_add(directory.len() as u64))?;
        let is_large = name.iter().chain(directory).any(|byte| lower(*byte) != *byte);
        for (is_found, code) in
            [(is_large, &codes::PAK_UPPER_CASE), (directory.is_empty(), &codes::PAK_ROOT)]
        {
            if is_found && selection.has(code) {
                let error = Error::new(code).at(archive.entry_at(n)).found(shown(names, entry));
                task.warn(error.within(Seg::Index(n.into())).field("entries"))?;
            }
        }
    }
    Ok(())
}

/// Entries of one path, whatever the case of its letters.
fn duplicates(archive: &Archive, selection: &Selection, task: &mut Task<'_>) -> Result<()> {
    if !selection.has(&codes::PAK_DUPLICATE) {
        return Ok(());
    }
    let names = archive.names();
    let count = archive.entries().len() as u64;
    task.budget.steps(count.saturating_mul(halvings(count)))?;
    let path = |n: u32| {
        let entry = archive.entry(n).and_then(|entry| names.reversed_path(entry));
        entry.into_iter().flatten().map(lower).rev()
    };
    let mut order = task.budget.vec::<(u16, u32)>(count)?;
    let readable = |(_, entry): &(u32, &PakEntry)| names.reversed_path(entry).is_some();
    let all = (0_u32..).zip(archive.entries()).filter(readable);
    order.extend(all.map(|(n, _)| (super::path_hash(path(n)), n)));
    order.sort_unstable_by(|(a, first), (b, second)| {
        a.cmp(b).then_with(|| path(*first).cmp(path(*second))).then(first.cmp(second))
    });
    for pair in order.windows(2) {
        let [(a, first), (b, second)] = pair else { continue };
        if a == b && path(*first).eq(path(*second)) {
            let path = archive.entry(*second).map(|entry| shown(names, entry)).unwrap_or_default();
            let error = Error::new(&codes::PAK_DUPLICATE).at(archive.entry_at(*second)).found(path);
            task.warn(error.within(Seg::Index((*second).into())).field("entries"))?;
        }
    }
    task.budget.release(count.saturating_mul(8));
    Ok(())
}
