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
    Rule::reported(&codes::SPEC_TRAILING, Severity::Warning),
];

/// Applies the rules to an archive. Findings go to the sink of the task. Entries that cannot be read are passed over:
/// [`verify`](spelunk_core::Container::verify) reports those. Rules about letters, directories and alignment are for the form of
/// real files.
///
/// # Errors
/// Limits; reading errors; what the sink makes of a finding.
pub fn lint(archive: &Archive, selection: &Selection, task: &mut Task<'_>) -> Result<()> {
    checked(archive, selection, task)?;
    if archive.form().is_spec() {
        return duplicates(archive, selection, task);
    }
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
    if archive.form().is_spec() {
        // Bytes behind the index are found when it is read.
        archive.check(&mut inner)?;
    }
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
    let count = archive.len() as u64;
    task.budget.steps(count.saturating_mul(halvings(count)))?;
    let path = |n: u32| archive.path_bytes(n).into_iter().flatten().map(lower);
    let mut order = task.budget.vec::<(u16, u32)>(count)?;
    let readable = (0_u32..).take(archive.len()).filter(|n| archive.path_bytes(*n).is_some());
    order.extend(readable.map(|n| (super::path_hash(path(n)), n)));
    order.sort_unstable_by(|(a, first), (b, second)| {
        a.cmp(b).then_with(|| path(*first).cmp(path(*second))).then(first.cmp(second))
    });
    for pair in order.windows(2) {
        let [(a, first), (b, second)] = pair else { continue };
        if a == b && path(*first).eq(path(*second)) {
            let found: Vec<u8> = archive.path_bytes(*second).into_iter().flatten().collect();
            let found = CodePages::cp1252().show(&found).into_owned();
            let error =
                Error::new(&codes::PAK_DUPLICATE).at(archive.place_of(*second)).found(found);
            task.warn(error.within(Seg::Index((*second).into())).field("entries"))?;
        }
    }
    task.budget.release(count.saturating_mul(8));
    Ok(())
}
