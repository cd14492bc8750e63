//! The entries of a container, with hashes of what they hold.

use super::{
    change::ComparedEntry,
    digest::{self, Digest, Hash, ListHashes},
    tree::{Collector, FieldTree},
};
use spelunk_core::{
    Container, Entry, Field, Halt, Node, Of, Result, Shape, Span, Step, Task, Val, Walk, Walked,
    container::kind,
    entries::{At, Order, Traversal, Visit},
    profile::{Comparison, Keys},
    text::{CodePages, until_nul},
    walk::{Group, finish},
};
use spelunk_open::{Opened, codes};
use std::collections::{HashMap, HashSet};

/// An entry.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) item: ComparedEntry,
    /// Key besides its kind: its name or its path.
    pub(super) known_by: Vec<u8>,
    /// Hash of what of its row in the listing is compared ([`details`]).
    pub(super) details: u128,
    /// Identity, which does not depend on its name, where it has one.
    pub(super) identity: Option<EntryIdentity>,
    /// The id that it was saved with, where that means nothing.
    pub(super) id: Option<u64>,
    /// Size of its rows, where it has rows of one size.
    pub(super) row_size: Option<u64>,
    /// Offset of the first row in it.
    pub(super) rows_start: u64,
    /// Hash of all that is compared; references count as kind and name.
    pub(super) content: u128,
    /// Hash of what has to be equal for a renamed entry; `None` where nothing follows from it.
    pub(super) loose: Option<u128>,
    /// Hash of its bytes.
    pub(super) bytes: u128,
    /// Numbers of what it refers to.
    pub(super) references: Vec<u32>,
}

/// Identity of an entry, which does not depend on its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum EntryIdentity {
    /// Id of the entry. Of several with one id those that a later one hides have a position, counted from 1.
    Id([u8; 16], u32),
    /// The position of the entry that it is a part of, and two numbers that need not be unique.
    Part(usize, [u64; 2]),
}

/// The entries of a container: those of the listing first, in its order, so that their positions are the numbers
/// that references have.
///
/// Where it is known which entries of the listing are to be compared, it is these, with what lies below them.
pub(super) fn gather(
    opened: &mut Opened,
    comparison: &Comparison,
    only: Option<&[Node]>,
) -> Result<Vec<Row>> {
    let pages = opened.code_pages();
    let mut rows = opened.run(|container, task| {
        let mut listing = EntryGatherer::new(comparison);
        let entries = Traversal::new(&pages);
        let levels = entries.order(Order::Levels).depth(comparison.has_below.into());
        match only {
            Some(nodes) => levels.visit_nodes(container, nodes, task, &mut listing)?,
            None => levels.visit(container, &[Of::Listing], task, &mut listing)?,
        }
        let mut rows = listing.rows;
        count_hidden(&mut rows);
        if comparison.has_more && only.is_none() {
            let listed: HashSet<Node> = rows.iter().map(|row| row.item.node).collect();
            let mut rest = UnlistedEntries {
                listing: EntryGatherer { rows, ..EntryGatherer::new(comparison) },
                listed,
            };
            entries.order(Order::Siblings).visit(container, &[Of::Root], task, &mut rest)?;
            rows = rest.listing.rows;
        }
        Ok::<_, spelunk_core::Error>(rows)
    })?;
    let kinds: Vec<u128> =
        rows.iter().map(|row| digest::of_bytes(row.item.kind.as_bytes())).collect();
    opened.run(|container, task| {
        rows.iter_mut().try_for_each(|row| hash(container, row, &kinds, comparison, task))
    })?;
    Ok(rows)
}

/// Gathers the entries of the listing, and those right below them.
struct EntryGatherer<'c> {
    comparison: &'c Comparison,
    rows: Vec<Row>,
    shared: ListHashes,
    /// Number of lists of entries that are done: that of the file, then those below each of its entries.
    levels: usize,
}

impl<'c> EntryGatherer<'c> {
    fn new(comparison: &'c Comparison) -> EntryGatherer<'c> {
        EntryGatherer { comparison, rows: Vec::new(), shared: ListHashes::new(), levels: 0 }
    }
}

impl Visit for EntryGatherer<'_> {
    fn entry(
        &mut self,
        entry: &Entry<'_>,
        _: At,
        task: &mut Task<'_>,
    ) -> std::result::Result<Step, Halt> {
        let mut row = row(entry, self.comparison, &mut self.shared, task)?;
        if let Some(EntryIdentity::Part(owner, _)) = &mut row.identity {
            *owner = self.levels.saturating_sub(1);
        }
        self.rows.push(row);
        Ok(Step::Into)
    }

    fn level(&mut self, _: &mut [Node], _: &mut Task<'_>) -> Walked {
        self.shared = ListHashes::new();
        self.levels = self.levels.saturating_add(1);
        Ok(())
    }
}

/// Gathers the entries that the listing has not.
struct UnlistedEntries<'c> {
    listing: EntryGatherer<'c>,
    listed: HashSet<Node>,
}

impl Visit for UnlistedEntries<'_> {
    fn entry(
        &mut self,
        entry: &Entry<'_>,
        at: At,
        task: &mut Task<'_>,
    ) -> std::result::Result<Step, Halt> {
        match entry.kind {
            // Their content has entries of its own.
            kind::SECTION | kind::CLASS => {}
            kind::FOLDER => return Ok(Step::Into),
            _ if self.listed.contains(&entry.node) => {}
            _ => drop(self.listing.entry(entry, at, task)?),
        }
        Ok(Step::Over)
    }

    fn level(&mut self, inner: &mut [Node], task: &mut Task<'_>) -> Walked {
        self.listing.level(inner, task)
    }
}

/// Numbers the entries that later ones with their id hide.
fn count_hidden(rows: &mut [Row]) {
    let mut counts: HashMap<[u8; 16], u32> = HashMap::new();
    for row in rows {
        if let Some(EntryIdentity::Id(id, nth @ 1)) = &mut row.identity {
            let count = counts.entry(*id).or_default();
            *count = count.saturating_add(1);
            *nth = *count;
        }
    }
}

fn row(
    entry: &Entry<'_>,
    comparison: &Comparison,
    shared: &mut ListHashes,
    task: &mut Task<'_>,
) -> Result<Row> {
    // Names and paths are there a second time to be known by.
    let texts = entry.path.len().saturating_add(entry.name.map_or(0, <[u8]>::len));
    let texts = texts.saturating_mul(2).saturating_add(entry.kind.len());
    let known = 2 * size_of::<(Span, [u128; 2])>();
    task.budget.memory((size_of::<Row>().saturating_add(known).saturating_add(texts)) as u64)?;
    task.budget.touch(texts as u64)?;
    let mut digest = Digest::sharing(comparison.listed, shared);
    finish(entry.details.walk(task, &mut digest))?;
    let (details, _) = digest.finish();
    let mut keys = Values { keys: &comparison.keys, values: Vec::new() };
    finish(entry.details.walk(task, &mut keys))?;
    let number = |wanted: Option<&'static Field>| match keys.value(wanted?)? {
        Val::U(number) => Some(*number),
        Val::I(number) => Some(number.cast_unsigned()),
        _ => None,
    };
    let id = comparison.keys.id.and_then(|key| Some((keys.value(key.id)?, key.is_hidden)));
    let part = comparison.keys.part.map(|part| part.map(|field| number(Some(field))));
    let identity = match (id, part) {
        (Some((Val::Uuid(id), is_hidden)), _) => {
            let is_hidden = keys.value(is_hidden) == Some(&Val::Bool(true));
            Some(EntryIdentity::Id(*id, is_hidden.into()))
        }
        (_, Some([Some(first), Some(second)])) => Some(EntryIdentity::Part(0, [first, second])),
        _ => None,
    };
    let by_position = entry.path.starts_with('#');
    let known_by = match (entry.name, comparison.first_of_many) {
        (Some(name), _) if by_position => until_nul(name).to_vec(),
        // The first of several entries of one id has a number where others follow.
        (None, Some(first)) => entry.path.strip_suffix(first).unwrap_or(entry.path).into(),
        _ if by_position => Vec::new(),
        _ => entry.path.into(),
    };
    let item = ComparedEntry {
        node: entry.node,
        path: entry.path.to_owned(),
        kind: entry.kind.to_owned(),
        name: entry.name.map(<[u8]>::to_vec),
        size: entry.size,
    };
    Ok(Row {
        item,
        known_by,
        details,
        identity,
        id: number(comparison.keys.number).filter(|_| by_position),
        row_size: number(comparison.keys.row_size).filter(|size| *size > 0),
        rows_start: number(comparison.keys.rows_start).unwrap_or_default(),
        content: 0,
        loose: None,
        bytes: 0,
        references: Vec::new(),
    })
}

/// The values of keys, as far as the listing of an entry has them.
struct Values<'k> {
    keys: &'k Keys,
    values: Vec<(&'static Field, Val<'static>)>,
}

impl Values<'_> {
    fn value(&self, field: &Field) -> Option<&Val<'static>> {
        let mut values = self.values.iter();
        values.find(|(known, _)| known.name == field.name).map(|(_, value)| value)
    }
}

impl Walk for Values<'_> {
    fn enter(&mut self, _: &Group<'_>) -> std::result::Result<Step, Halt> {
        Ok(Step::Over)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, value: Val<'_>) -> Walked {
        if self.keys.has(field.name) {
            self.values.push((field, value.into_owned()));
        }
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}

/// Collects the part of the row of an entry in the listing that is compared. Rows may share what they list, so nobody keeps it.
pub(super) fn details(
    container: &dyn Container,
    row: &Row,
    pages: &CodePages,
    comparison: &Comparison,
    task: &mut Task<'_>,
) -> Result<Vec<FieldTree>> {
    task.transient(|task| {
        task.keeping(|task, most| {
            let mut collector = Collector::within(comparison.listed, most);
            let walked = finish(container.entry(row.item.node, pages, task, &mut |entry, task| {
                entry.details.walk(task, &mut collector)
            }));
            (walked.map(|()| collector.finish()), most)
        })
    })
}

/// Hashes what an entry holds. What is damaged counts by its bytes, or by its size where there are none; the damage
/// is reported.
fn hash(
    container: &dyn Container,
    row: &mut Row,
    kinds: &[u128],
    comparison: &Comparison,
    task: &mut Task<'_>,
) -> Result<()> {
    let mut sized = Hash::new();
    sized.number(row.item.size);
    row.bytes = match container.bytes(row.item.node, task) {
        Ok(bytes) => {
            task.budget.touch(bytes.len() as u64)?;
            if bytes.is_unique() {
                task.budget.release(bytes.len() as u64);
            }
            digest::of_bytes(&bytes)
        }
        Err(error) if error.code().id == codes::core::NO_SUCH_OPERATION.id => sized.finish(),
        Err(error) if error.ends_work() => return Err(error),
        Err(error) => {
            task.error(error)?;
            sized.finish()
        }
    };
    let mut all = Hash::new();
    all.number((row.details >> 64) as u64);
    all.number(row.details as u64);
    let (high, low) = ((row.bytes >> 64) as u64, row.bytes as u64);
    let mut loose = row.bytes;
    if let Some(walked) = comparison.walked {
        // Sections that were inflated stay; what the walk took is free again.
        let (walked, mut digest) = task.transient(|task| {
            task.keeping(|task, most| {
                let mut digest = Digest::new(walked, kinds, most);
                ((finish(container.walk(row.item.node, task, &mut digest)), digest), most)
            })
        });
        match walked {
            Ok(()) => {
                let (content, without_names) = digest.finish();
                all.number((content >> 64) as u64);
                all.number(content as u64);
                loose = without_names;
            }
            Err(error) if error.ends_work() => return Err(error),
            Err(error) => {
                task.error(error)?;
                all.number(high);
                all.number(low);
            }
        }
        row.references = std::mem::take(&mut digest.references);
        row.references.shrink_to_fit();
        task.budget.memory((row.references.len().saturating_mul(4)) as u64)?;
    } else {
        all.number(high);
        all.number(low);
    }
    row.content = all.finish();
    // Nothing is known of entries without a name or without bytes.
    let renamed = row.item.name.is_some() && (comparison.walked.is_some() || row.item.size > 0);
    row.loose = renamed.then_some(loose);
    Ok(())
}
