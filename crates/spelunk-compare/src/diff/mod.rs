//! Differences of two containers of one format, in the format's own terms.
//!
//! Entries are matched first, then compared field by field. Where paths are stable (chunks, members) the path
//! says which entries belong together. Assets of packs go by their ids, which is what programs ask for: one with another
//! name or variant is one renamed entry, and its bulk payloads go with it, each by semantic and sub-index. Assets whose id
//! only one pack has belong together where they have one path and kind, so that an asset that was given another id is one
//! changed entry; of several with one id the last, which counts, goes with the last, and the hidden ones by their order. The
//! paths of Virtools objects are positions, so there it is kind and name,
//! and among the many objects of one name equal content first, then the order of the table: an object that was put in
//! between changes nothing but that. References are equal where they mean entries that belong together, whatever
//! their numbers are.
//!
//! These are no differences:
//!
//! - what follows from the rest: positions, offsets, counts, stored sizes, checksums that are right
//!   (the [profile](spelunk_core::Profile) of the format names it);
//! - the order of the entries;
//! - the stream that a packed part is stored as, where the format has no field for how it is packed.
//!
//! An entry that is gone and one of its kind that is new are one renamed entry where nothing but the name differs, and where
//! both files number their entries alike and these have one id.

mod align;
mod both;
mod change;
mod content;
mod digest;
mod fields;
pub mod json;
mod matching;
mod rows;
pub mod stat;
mod tables;
mod tree;

pub(crate) use align::operations;
use both::{Both, ComparedContainer, both};
pub use change::{Change, ComparedEntry, Diff, FieldChange, ListItem, Options};
pub use content::stretch;
use fields::{Comparer, Meanings};
use matching::Pair;
use rows::Row;
use spelunk_core::{
    Class, Error, Field, Result, Ty, Val,
    profile::{Comparison, NameFilter},
    walk::finish,
};
use spelunk_open::{Opened, codes};
use tree::{Collector, FieldTree};

/// Names may differ behind the first NUL, which is where they end for those who read them.
static NAME: Field = Field::new("name", Ty::Text, "The name as it is stored.");

/// Compares two containers.
///
/// # Errors
/// [`codes::OTHER_FORMAT`] where they have different formats; input and output; limits. Damaged entries are reported as
/// findings of their container.
pub fn diff(old: &mut Opened, new: &mut Opened, options: &Options) -> Result<Diff> {
    let comparison = comparison(old, new)?;
    if old.is_same(new)? {
        return Ok(Diff::default());
    }
    let summary = compare_summaries(old, new, options)?;
    let only =
        both([old, new], |both| both.old.container.differing(both.new.container, both.old.task))?;
    let [in_old, in_new] =
        only.as_ref().map_or([None, None], |[old, new]| [Some(&**old), Some(&**new)]);
    let a = rows::gather(old, comparison, in_old)?;
    let b = rows::gather(new, comparison, in_new)?;
    let plan = matching::EntryMatching::of(&a, &b);
    let meanings = Meanings::of([&a, &b], [&plan.old_tokens, &plan.new_tokens]);
    let same_tables = plan.same_tables;
    let pairs =
        Pairs { comparison, same_tables, comparer: Comparer { meanings: &meanings, options } };
    let mut found = Vec::new();
    let mut renumbered = 0_u64;
    let mut partner = plan.pairs.iter().peekable();
    for (index, row) in a.iter().enumerate() {
        let pair = partner.next_if(|pair| pair.old == index);
        let Some((pair, other)) = pair.and_then(|pair| Some((pair, b.get(pair.new)?))) else {
            found.push(EntryDifference::Alone([Some(index), None]));
            continue;
        };
        renumbered += u64::from(row.id != other.id);
        pairs.compare(pair, [row, other], [old, new], &mut found)?;
    }
    drop(meanings);
    let added = plan.is_new.iter().enumerate().filter(|(_, new)| **new);
    found.extend(added.map(|(index, _)| EntryDifference::Alone([None, Some(index)])));
    let items = |rows: Vec<Row>| rows.into_iter().map(|row| Some(row.item)).collect();
    let mut items = Items([items(a), items(b)]);
    let mut changes = Vec::new();
    found.into_iter().for_each(|found| items.put(found, &mut changes));
    Ok(Diff { summary, changes, renumbered })
}

/// Result of a comparison, by the positions of the entries.
enum EntryDifference {
    /// An entry that only one of the containers has.
    Alone([Option<usize>; 2]),
    /// A pair that has one thing or another different.
    Pair(Pair, Vec<FieldChange>),
    /// Changes of the rows of a table.
    Rows(Vec<Change>),
}

/// The entries of both containers, which go into the changes.
struct Items([Vec<Option<ComparedEntry>>; 2]);

impl Items {
    fn put(&mut self, found: EntryDifference, changes: &mut Vec<Change>) {
        let Items([a, b]) = self;
        let take = |items: &mut Vec<Option<ComparedEntry>>, at: usize| items.get_mut(at)?.take();
        changes.extend(match found {
            EntryDifference::Rows(rows) => return changes.extend(rows),
            EntryDifference::Alone([old, new]) => {
                let removed = old.and_then(|at| take(a, at)).map(Change::Removed);
                removed.or_else(|| new.and_then(|at| take(b, at)).map(Change::Added))
            }
            EntryDifference::Pair(pair, fields) => {
                take(a, pair.old).zip(take(b, pair.new)).map(|(old, new)| match pair.renamed {
                    true => Change::Renamed { old, new, fields },
                    false => Change::Changed { old, new, fields },
                })
            }
        });
    }
}

/// Compares entries that belong together.
struct Pairs<'p> {
    comparison: &'static Comparison,
    same_tables: bool,
    comparer: Comparer<'p>,
}

impl Pairs<'_> {
    fn compare(
        &self,
        pair: &Pair,
        rows: [&Row; 2],
        opened: [&mut Opened; 2],
        found: &mut Vec<EntryDifference>,
    ) -> Result<()> {
        let ([row, other], [old, new]) = (rows, opened);
        let same =
            row.content == other.content && self.comparer.meanings.same_references(row, other);
        if row.bytes != other.bytes
            && let Some(changes) = compare_tables(rows, [old, new])?
        {
            let fields = both([old, new], |mut both| both.details(rows, self))?;
            if !fields.is_empty() {
                keep(&fields, old)?;
                found.push(EntryDifference::Pair(Pair { renamed: false, ..*pair }, fields));
            }
            found.push(EntryDifference::Rows(changes));
            return Ok(());
        }
        let mut fields = match same && (!self.same_tables || row.bytes == other.bytes) {
            true => Vec::new(),
            false => both([old, new], |both| both.compare(rows, self))?,
        };
        let names = [&row.item.name, &other.item.name];
        if names[0] != names[1] && !pair.renamed {
            let [old, new] = names.map(|name| Some(Val::Text(name.clone()?.into())));
            fields.insert(0, FieldChange::Value { path: NAME.name.into(), field: &NAME, old, new });
        }
        if pair.renamed || !fields.is_empty() {
            keep(&fields, old)?;
            found.push(EntryDifference::Pair(*pair, fields));
        }
        Ok(())
    }
}

/// Takes the memory of the changes of an entry.
fn keep(fields: &[FieldChange], opened: &mut Opened) -> Result<()> {
    opened.charge(fields.iter().map(FieldChange::size).fold(0, u64::saturating_add))
}

/// The entries of two containers, and which of them belong together, by their positions.
pub(crate) struct Matched {
    pub(crate) old: Vec<ComparedEntry>,
    pub(crate) new: Vec<ComparedEntry>,
    pub(crate) pairs: Vec<(usize, usize)>,
}

/// Matches the entries of two containers of one format.
///
/// # Errors
/// Those of [`diff`].
pub(crate) fn matched(old: &mut Opened, new: &mut Opened) -> Result<Matched> {
    let comparison = comparison(old, new)?;
    let (old, new) = (rows::gather(old, comparison, None)?, rows::gather(new, comparison, None)?);
    let plan = matching::EntryMatching::of(&old, &new);
    let items = |rows: Vec<Row>| rows.into_iter().map(|row| row.item).collect();
    let pairs = plan.pairs.iter().map(|pair| (pair.old, pair.new)).collect();
    Ok(Matched { old: items(old), new: items(new), pairs })
}

fn comparison(old: &Opened, new: &Opened) -> Result<&'static Comparison> {
    let [expected, found] = [old, new].map(|opened| opened.container().format());
    if expected != found {
        return Err(Error::new(&codes::OTHER_FORMAT).expected(expected).found(found));
    }
    Ok(&old.container().profile().comparison)
}

fn compare_summaries(
    old: &mut Opened,
    new: &mut Opened,
    options: &Options,
) -> Result<Vec<FieldChange>> {
    let summary = |opened: &mut Opened| {
        opened.run_silent(|container, task| {
            let mut collector = Collector::new(container.profile().comparison.summary);
            finish(container.info(task, &mut collector))?;
            Ok::<_, Error>(collector.finish())
        })
    };
    let meanings = Meanings::default();
    Ok(Comparer { meanings: &meanings, options }.compare(&summary(old)?, &summary(new)?))
}

/// Compares the rows of tables; `None` where the entries are none.
fn compare_tables(rows: [&Row; 2], opened: [&mut Opened; 2]) -> Result<Option<Vec<Change>>> {
    let ([a, b], [old, new]) = (rows, opened);
    old.run_silent(|container, task| {
        let old = tables::ComparedChunk { container, node: a.item.node, task };
        new.run_silent(|container, task| {
            let new = tables::ComparedChunk { container, node: b.item.node, task };
            tables::changes(old, new)
        })
    })
}

impl Both<'_, '_, '_> {
    /// Compares the details of two entries in the listings.
    fn details(&mut self, rows: [&Row; 2], pairs: &Pairs<'_>) -> Result<Vec<FieldChange>> {
        let [a, b] = rows;
        // Entries may share what they list: what is the same is not walked for each of them.
        if a.details == b.details && pairs.comparison.walked.is_none() {
            return Ok(Vec::new());
        }
        let details = |side: &mut ComparedContainer<'_, '_>, row| {
            rows::details(side.container, row, side.pages, pairs.comparison, side.task)
        };
        let (a, b) = (details(&mut self.old, a)?, details(&mut self.new, b)?);
        Ok(pairs.comparer.compare(&a, &b))
    }

    fn compare(mut self, rows: [&Row; 2], pairs: &Pairs<'_>) -> Result<Vec<FieldChange>> {
        let [a, b] = rows;
        let Pairs { comparison, same_tables, comparer } = pairs;
        let mut fields = self.details(rows, pairs)?;
        if let Some(walked) = comparison.walked {
            match self.trees(rows, walked) {
                Ok(Some([a, b])) => fields.extend(comparer.compare(&a, &b)),
                // What cannot be walked, or is too large for it, is compared as bytes.
                Ok(None) => {}
                Err(error) if error.code().class == Class::Limit => {}
                Err(error) => return Err(error),
            }
            // Bytes may differ by the numbers of references alone where those are positions in other tables.
            let explained = !fields.is_empty();
            if explained || !(*same_tables || a.item.size != b.item.size) {
                return Ok(fields);
            }
        }
        if a.bytes != b.bytes {
            fields.extend(content::compare(&mut self, rows, comparer)?);
        }
        Ok(fields)
    }

    /// The fields of both; `None` where one is damaged.
    fn trees(
        &mut self,
        rows: [&Row; 2],
        walked: NameFilter,
    ) -> Result<Option<[Vec<FieldTree>; 2]>> {
        let [a, b] = rows;
        let a = tree::of(self.old.container, a.item.node, walked, self.old.task)?;
        let b = tree::of(self.new.container, b.item.node, walked, self.new.task)?;
        Ok(a.zip(b).map(|(a, b)| [a, b]))
    }
}
