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
pub use content::stretch;
use fields::{Comparer, Meanings};
use matching::Pair;
use rows::Row;
use spelunk_core::{
    Class, Container, Error, Field, Node, Result, Task, Ty, Val,
    profile::{Comparison, Names},
    text::CodePages,
    walk::finish,
};
use spelunk_open::{Opened, codes};
use tree::{Collector, Tree};

/// Names may differ behind the first NUL, which is where they end for those who read them.
static NAME: Field = Field::new("name", Ty::Text, "The name as it is stored.");

/// Extent of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Number of changed items of one list, and of fields of a group that only one side has, that are kept; all of them are
    /// counted.
    pub max_items: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { max_items: 10 }
    }
}

/// Differences of two containers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Diff {
    /// Fields of the summary, as `info` shows it.
    pub summary: Vec<FieldChange>,
    /// Entries, those of the old container in its order before those that are new.
    pub changes: Vec<Change>,
    /// Entries that only have another id, which the saving program gave them.
    pub renumbered: u64,
}

impl Diff {
    /// Whether there is no difference.
    pub fn is_empty(&self) -> bool {
        self.summary.is_empty() && self.changes.is_empty() && self.renumbered == 0
    }
}

/// An entry of one of the containers.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// Id in its container.
    pub node: Node,
    /// Path in its container.
    pub path: String,
    /// Kind: a class, a kind of assets, the name of a chunk.
    pub kind: String,
    /// Name as stored, where it has one.
    pub name: Option<Vec<u8>>,
    /// Plain size in bytes.
    pub size: u64,
}

/// Change of an entry.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// Only the new container has it.
    Added(Item),
    /// Only the old container has it.
    Removed(Item),
    /// An entry with another name.
    Renamed {
        /// The entry in the old container.
        old: Item,
        /// The entry in the new one.
        new: Item,
        /// Changes that follow from the name.
        fields: Vec<FieldChange>,
    },
    /// An entry with another content.
    Changed {
        /// The entry in the old container.
        old: Item,
        /// The entry in the new one.
        new: Item,
        /// Changes of its fields; never empty.
        fields: Vec<FieldChange>,
    },
}

/// Change of a field.
#[derive(Clone, PartialEq, Debug)]
pub enum FieldChange {
    /// Another value; `None` where the field is not there.
    Value {
        /// Path in the entry.
        path: String,
        /// Description of the field.
        field: &'static Field,
        /// The old value.
        old: Option<Val<'static>>,
        /// The new value.
        new: Option<Val<'static>>,
    },
    /// Items of a list.
    List {
        /// Path of the list in the entry.
        path: String,
        /// Number of items before.
        old: u64,
        /// Number of items now.
        new: u64,
        /// Number of items with other fields.
        changed: u64,
        /// Number of new items.
        added: u64,
        /// Number of items that are gone.
        removed: u64,
        /// The first of them, in order.
        items: Vec<ListItem>,
    },
    /// A group of fields that only one of the containers has, with more of them than are kept of a list.
    Group {
        /// Path in the entry.
        path: String,
        /// Whether it is the new container that has it.
        is_new: bool,
        /// Number of its fields and lists.
        count: u64,
        /// The first of them.
        fields: Vec<FieldChange>,
    },
    /// Bytes that no field describes. What is before and behind the stretch is the same.
    Content {
        /// Size before, in bytes.
        old: u64,
        /// Size now, in bytes.
        new: u64,
        /// Offset of the first byte that differs.
        start: u64,
        /// Length of the stretch that differs, as it was.
        old_len: u64,
        /// Length of the stretch that differs, as it is.
        new_len: u64,
    },
}

/// Change of an item of a list.
#[derive(Clone, PartialEq, Debug)]
pub struct ListItem {
    /// Position in the old list, where it was there.
    pub old: Option<u64>,
    /// Position in the new list, where it is there.
    pub new: Option<u64>,
    /// Fields that differ, or all.
    pub fields: Vec<FieldChange>,
}

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
    let plan = matching::Plan::of(&a, &b);
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
            found.push(Found::Alone([Some(index), None]));
            continue;
        };
        renumbered += u64::from(row.id != other.id);
        pairs.compare(pair, [row, other], [old, new], &mut found)?;
    }
    drop(meanings);
    let added = plan.is_new.iter().enumerate().filter(|(_, new)| **new);
    found.extend(added.map(|(index, _)| Found::Alone([None, Some(index)])));
    let items = |rows: Vec<Row>| rows.into_iter().map(|row| Some(row.item)).collect();
    let mut items = Items([items(a), items(b)]);
    let mut changes = Vec::new();
    found.into_iter().for_each(|found| items.put(found, &mut changes));
    Ok(Diff { summary, changes, renumbered })
}

/// Result of a comparison, by the positions of the entries.
enum Found {
    /// An entry that only one of the containers has.
    Alone([Option<usize>; 2]),
    /// A pair that has one thing or another different.
    Pair(Pair, Vec<FieldChange>),
    /// Changes of the rows of a table.
    Rows(Vec<Change>),
}

/// The entries of both containers, which go into the changes.
struct Items([Vec<Option<Item>>; 2]);

impl Items {
    fn put(&mut self, found: Found, changes: &mut Vec<Change>) {
        let Items([a, b]) = self;
        let take = |items: &mut Vec<Option<Item>>, at: usize| items.get_mut(at)?.take();
        changes.extend(match found {
            Found::Rows(rows) => return changes.extend(rows),
            Found::Alone([old, new]) => {
                let removed = old.and_then(|at| take(a, at)).map(Change::Removed);
                removed.or_else(|| new.and_then(|at| take(b, at)).map(Change::Added))
            }
            Found::Pair(pair, fields) => {
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
        found: &mut Vec<Found>,
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
                found.push(Found::Pair(Pair { renamed: false, ..*pair }, fields));
            }
            found.push(Found::Rows(changes));
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
            found.push(Found::Pair(*pair, fields));
        }
        Ok(())
    }
}

/// Takes the memory of the changes of an entry.
fn keep(fields: &[FieldChange], opened: &mut Opened) -> Result<()> {
    opened.charge(fields.iter().map(FieldChange::size).fold(0, u64::saturating_add))
}

impl Change {
    /// Returns the memory that the change takes beside itself, and in a list of all changes that grows, in bytes.
    fn size(&self) -> u64 {
        let (items, fields) = match self {
            Change::Added(item) | Change::Removed(item) => ([Some(item), None], &[][..]),
            Change::Renamed { old, new, fields } | Change::Changed { old, new, fields } => {
                ([Some(old), Some(new)], &fields[..])
            }
        };
        let texts = |item: &Item| {
            let name = item.name.as_ref().map_or(0, Vec::len);
            item.path.len().saturating_add(item.kind.len()).saturating_add(name)
        };
        let items = items.into_iter().flatten().map(texts).fold(0, usize::saturating_add);
        let grown = size_of::<Change>().saturating_mul(2);
        let fields = fields.iter().map(FieldChange::size).fold(0, u64::saturating_add);
        fields.saturating_add(grown.saturating_add(items) as u64)
    }
}

impl FieldChange {
    /// The memory that it takes.
    fn size(&self) -> u64 {
        let all = |fields: &[FieldChange]| {
            fields.iter().map(FieldChange::size).fold(0, u64::saturating_add)
        };
        let val = |val: &Option<Val<'_>>| val.as_ref().map_or(0, Val::held) as u64;
        let (path, more) = match self {
            FieldChange::Value { path, old, new, .. } => {
                (path.len(), val(old).saturating_add(val(new)))
            }
            FieldChange::List { path, items, .. } => {
                (path.len(), items.iter().map(ListItem::size).fold(0, u64::saturating_add))
            }
            FieldChange::Group { path, fields, .. } => (path.len(), all(fields)),
            FieldChange::Content { .. } => (0, 0),
        };
        more.saturating_add(path.saturating_add(size_of::<FieldChange>()) as u64)
    }
}

impl ListItem {
    /// The memory that it takes.
    fn size(&self) -> u64 {
        let fields = self.fields.iter().map(FieldChange::size).fold(0, u64::saturating_add);
        fields.saturating_add(size_of::<ListItem>() as u64)
    }
}

/// The entries of two containers, and which of them belong together, by their positions.
pub(crate) struct Matched {
    pub(crate) old: Vec<Item>,
    pub(crate) new: Vec<Item>,
    pub(crate) pairs: Vec<(usize, usize)>,
}

/// Matches the entries of two containers of one format.
///
/// # Errors
/// Those of [`diff`].
pub(crate) fn matched(old: &mut Opened, new: &mut Opened) -> Result<Matched> {
    let comparison = comparison(old, new)?;
    let (old, new) = (rows::gather(old, comparison, None)?, rows::gather(new, comparison, None)?);
    let plan = matching::Plan::of(&old, &new);
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

/// A container of a comparison, with its task.
struct Side<'s, 't> {
    container: &'s dyn Container,
    task: &'s mut Task<'t>,
    pages: &'s CodePages,
}

/// The two containers of a comparison.
struct Both<'s, 't, 'u> {
    old: Side<'s, 't>,
    new: Side<'s, 'u>,
}

/// Compares the rows of tables; `None` where the entries are none.
fn compare_tables(rows: [&Row; 2], opened: [&mut Opened; 2]) -> Result<Option<Vec<Change>>> {
    let ([a, b], [old, new]) = (rows, opened);
    old.run_silent(|container, task| {
        let old = tables::Side { container, node: a.item.node, task };
        new.run_silent(|container, task| {
            let new = tables::Side { container, node: b.item.node, task };
            tables::changes(old, new)
        })
    })
}

/// Works on both containers.
fn both<T>(
    opened: [&mut Opened; 2],
    work: impl FnOnce(Both<'_, '_, '_>) -> Result<T>,
) -> Result<T> {
    let [old, new] = opened;
    let (old_pages, new_pages) = (old.code_pages(), new.code_pages());
    old.run_silent(|container, task| {
        let old = Side { container, task, pages: &old_pages };
        new.run_silent(|container, task| {
            let new = Side { container, task, pages: &new_pages };
            work(Both { old, new })
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
        let details = |side: &mut Side<'_, '_>, row| {
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
    fn trees(&mut self, rows: [&Row; 2], walked: Names) -> Result<Option<[Vec<Tree>; 2]>> {
        let [a, b] = rows;
        let a = tree::of(self.old.container, a.item.node, walked, self.old.task)?;
        let b = tree::of(self.new.container, b.item.node, walked, self.new.task)?;
        Ok(a.zip(b).map(|(a, b)| [a, b]))
    }
}
