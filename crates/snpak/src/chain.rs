//! The chain of indexes that appends leave behind, and the string tables of the older ones.
//!
//! The chain runs through the index headers. An older index does not say which string table it used;
//! `docs/formats/snpak.md`, section 7, has the rule by which it is found.

use crate::{
    codes, hash,
    header::Header,
    index::{HEADER_SIZE, Index, IndexHeader},
    options::FormatLimits,
    strings::{self, StringTable, StringsHeader},
};
use spelunk_core::{Error, Result, Source, Span, Task, cursor::Cursor, place::Space};

/// An index of the chain: where it lies and whether it has dependencies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChainLink {
    /// Place of the index.
    pub at: Span,
    /// Whether it has dependency tables, which only the newest generation writes.
    pub dependencies: bool,
}

impl ChainLink {
    pub(crate) fn new(at: Span, header: &IndexHeader) -> ChainLink {
        let count = header.owner_count.get() | header.dependency_count.get();
        ChainLink { at, dependencies: count != 0 }
    }
}

/// Walks the chain from the active index on, which comes first. Every append lies behind what it was
/// appended to, so each step has to lead towards the start of the file; this also ends cycles. What is
/// wrong with a link is a warning, and the chain ends there.
///
/// # Errors
/// What the sink makes of the warnings; limits; reading errors.
pub fn walk(
    source: &dyn Source,
    header: &Header,
    active: &Index,
    limits: &FormatLimits,
    task: &mut Task<'_>,
) -> Result<Vec<ChainLink>> {
    let named = (header.previous_index_offset.get(), header.previous_index_size.get());
    let own = active.header();
    let kept = (own.previous_index_offset.get(), own.previous_index_size.get());
    if named != kept {
        task.warn(
            Error::new(&codes::CHAIN_HEADER)
                .at(Span::file(100, 16))
                .field("previous_index_offset")
                .expected(format!("{} bytes at {:#x}, as the index says", kept.1, kept.0))
                .found(format!("{} bytes at {:#x}", named.1, named.0)),
        )?;
    }
    let mut links = vec![ChainLink::new(active.at(), own)];
    let mut later = active.at();
    let mut next = own.previous();
    while let Some(at) = next {
        task.budget.steps(1)?;
        task.budget.memory(size_of::<ChainLink>() as u64)?;
        match read_link(source, at, later, limits, task) {
            Ok(header) => {
                links.push(ChainLink::new(at, &header));
                later = at;
                next = header.previous();
            }
            Err(error) if is_damage(&error) => {
                let place = later.part(40, 16);
                task.warn(
                    Error::new(&codes::CHAIN_LINK)
                        .at(place)
                        .field("previous_index_offset")
                        .expected("an index before this one")
                        .found(format!("{} bytes at {:#x}: {error}", at.len, at.start)),
                )?;
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(links)
}

fn read_link(
    source: &dyn Source,
    at: Span,
    later: Span,
    limits: &FormatLimits,
    task: &mut Task<'_>,
) -> Result<IndexHeader> {
    let end = at.start.checked_add(at.len);
    if at.len < HEADER_SIZE || end.is_none_or(|end| end > later.start) {
        return Err(Error::new(&codes::CHAIN_LINK).at(at).expected(format!(
            "at least {HEADER_SIZE} bytes that end at {:#x} or before",
            later.start
        )));
    }
    let bytes = source.read(at.start..at.start.saturating_add(HEADER_SIZE), &mut task.budget)?;
    IndexHeader::read_within(&bytes, at, limits)
}

/// Whether an error is about the file itself, not about a limit or the machine.
pub(crate) fn is_damage(error: &Error) -> bool {
    !error.ends_work()
}

/// Damage that leaves the tables readable is a finding; limits and reading errors stay errors.
pub(crate) fn damage(error: Error, task: &mut Task<'_>) -> Result<()> {
    if is_damage(&error) { task.error(error) } else { Err(error) }
}

/// A state that the pack once had: an older index, and the string table that its ids count in, where
/// one was found.
#[derive(Clone, Debug)]
pub struct Revision {
    /// The index.
    pub index: Index,
    /// String table of the revision.
    pub strings: Option<StringTable>,
}

/// The older indexes of a pack, newest first, and what is wrong with them.
#[derive(Debug, Default)]
pub struct History {
    /// The readable ones.
    pub revisions: Vec<Revision>,
    /// Errors for what cannot be read. The rest of the pack does not depend on it.
    pub problems: Vec<Error>,
}

/// Way in which an index came behind the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Append {
    /// An index with everything that is to be seen from then on.
    Complete,
    /// An index with what was appended alone, which hides what came before.
    Delta,
}

impl Append {
    /// Finds the kind of an append by the place of the index's string table. A delta append writes its table behind the index
    /// before and its chunks, if it has any, between table and index. A complete one writes it right before the index, or goes on
    /// using an older one. `None` for an index that was not appended, and where its table is lost.
    pub fn of(index: &Index, strings: Option<&StringTable>) -> Option<Append> {
        let (previous, table) = (index.header().previous()?, strings?.at());
        let own = table.start >= previous.end() && table.end() <= index.at().start;
        let touching = table.end() == index.at().start && !index.entries().is_empty();
        Some(if own && !touching { Append::Delta } else { Append::Complete })
    }
}

/// Reads the older indexes among `links`, whose first is the active one, and finds their string tables. Blocks begin at
/// `blocks_from`, behind the header.
///
/// # Errors
/// Limits; reading errors.
pub fn history(
    source: &dyn Source,
    blocks_from: u64,
    links: &[ChainLink],
    active: &StringTable,
    limits: &FormatLimits,
    task: &mut Task<'_>,
) -> Result<History> {
    let mut history = History::default();
    for (nth, link) in links.iter().enumerate().skip(1) {
        task.budget.memory(size_of::<Revision>() as u64)?;
        match Index::read_within(source, link.at, None, limits, task) {
            Ok(index) => {
                let previous = links.get(nth.saturating_add(1)).map(|link| link.at.end());
                let first = previous.unwrap_or(blocks_from);
                let strings = own_strings(source, &index, first, limits, task)?;
                history.revisions.push(Revision { index, strings });
            }
            Err(error) if is_damage(&error) => history.problems.push(error),
            Err(error) => return Err(error),
        }
    }
    // An append without a new string goes on using the table of the index before it. And as complete appends
    // never remove a string, the newest table has all the ids of older ones.
    let mut older: Option<StringTable> = None;
    for revision in history.revisions.iter_mut().rev() {
        for table in older.iter().chain([active]) {
            if revision.strings.is_none() && names_match(&revision.index, table, task)? {
                revision.strings = Some(table.clone());
            }
        }
        older = revision.strings.clone().or(older);
    }
    let nameless = history.revisions.iter().filter(|revision| revision.strings.is_none());
    let lost = nameless.map(|revision| Error::new(&codes::CHAIN_STRINGS).at(revision.index.at()));
    history.problems.extend(lost);
    Ok(history)
}

/// The string table that was written together with an index, where there is one.
fn own_strings(
    source: &dyn Source,
    index: &Index,
    first: u64,
    limits: &FormatLimits,
    task: &mut Task<'_>,
) -> Result<Option<StringTable>> {
    let end = index.at().start;
    // The table starts at `first`, behind the header, in a fresh pack, and behind the index before it in a delta append.
    let at = starting_at(source, first, end, task)?;
    if let Some(table) = accept(source, at, index, limits, task)? {
        return Ok(Some(table));
    }
    // In a complete append it ends where the index starts.
    let at = strings::ending_at(source, first, end, task)?;
    accept(source, at, index, limits, task)
}

/// Returns the place of a string table that starts at `start` and does not pass `end`.
fn starting_at(
    source: &dyn Source,
    start: u64,
    end: u64,
    task: &mut Task<'_>,
) -> Result<Option<Span>> {
    let head = start.saturating_add(strings::BLOCK_HEADER_SIZE);
    if head > end {
        return Ok(None);
    }
    let bytes = source.read(start..head, &mut task.budget)?;
    let header: &StringsHeader = Cursor::new(&bytes, Space::FILE, start).record()?;
    let at = Span::file(start, header.block_size.get());
    let inside = start.checked_add(at.len).is_some_and(|last| last <= end);
    Ok((header.magic.0 == strings::MAGIC && inside).then_some(at))
}

/// The table at `at`, where it is sound and has the names of the index.
fn accept(
    source: &dyn Source,
    at: Option<Span>,
    index: &Index,
    limits: &FormatLimits,
    task: &mut Task<'_>,
) -> Result<Option<StringTable>> {
    let Some(at) = at else { return Ok(None) };
    let read = StringTable::read_within(source, at, limits, task)
        .and_then(|table| table.check_hash(task).map(|()| table));
    match read {
        Ok(table) => Ok(names_match(index, &table, task)?.then_some(table)),
        Err(error) if is_damage(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether a table is that of an index: it has the names of its entries and those of its dependencies.
fn names_match(index: &Index, strings: &StringTable, task: &mut Task<'_>) -> Result<bool> {
    task.budget.steps(index.dependencies().len() as u64)?;
    let mut needs = index.dependencies().iter().map(|need| need.name_string_id.get());
    if needs.any(|id| id != strings::NO_STRING && id >= strings.count()) {
        return Ok(false);
    }
    entries_match(index, strings, task)
}

/// Whether every name that the table gives for an entry has the hash that the entry stores.
///
/// # Errors
/// Limits.
pub(crate) fn entries_match(
    index: &Index,
    strings: &StringTable,
    task: &mut Task<'_>,
) -> Result<bool> {
    for entry in index.entries() {
        let Some(name) = strings.get(entry.name_string_id.get()) else { return Ok(false) };
        task.budget.touch(name.len() as u64)?;
        if hash::hash64(name) != entry.name_hash64.get() {
            return Ok(false);
        }
    }
    Ok(true)
}
