//! The entries of a container, with hashes of what they hold.

use super::{
    Item,
    digest::{self, Digest, Hash, Shared},
    profile::{Names, Profile},
    tree::{Collector, Tree},
};
use crate::{
    Class, Container, Entry, Node, Of, Opened, Result, Span, Task, Val, codes,
    text::{CodePages, until_nul},
    walk::finish,
};
use std::collections::{HashMap, HashSet};

/// An entry.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) item: Item,
    /// What it is known by, besides its kind: its name or its path.
    pub(super) known_by: Vec<u8>,
    /// Hash of what of its row in the listing is compared ([`details`]).
    pub(super) details: u128,
    /// What it is known by whatever it is called, where there is such a thing.
    pub(super) identity: Option<Identity>,
    /// The id that it was saved with, where that means nothing.
    pub(super) id: Option<u64>,
    /// Size of its rows, where it has rows of one size.
    pub(super) row_size: Option<u64>,
    /// Where they start in it.
    pub(super) rows_start: u64,
    /// Hash of all that is compared; references count as kind and name.
    pub(super) content: u128,
    /// Hash of what has to be equal for a renamed entry; `None` where nothing is to be told from it.
    pub(super) loose: Option<u128>,
    /// Hash of its bytes.
    pub(super) bytes: u128,
    /// Numbers of what it refers to.
    pub(super) references: Vec<u32>,
}

/// What an entry is known by whatever it is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Identity {
    /// Its id. Of several with one id those that a later one hides have a position, counted from 1.
    Id([u8; 16], u32),
    /// The position of the entry that it is a part of, and two numbers that need not be unique.
    Part(usize, [u64; 2]),
}

/// Deeper hierarchies than this come from damaged files only.
const MAX_DEPTH: usize = 64;

/// The entries of a container: those of the listing first, in its order, so that their positions are the numbers
/// that references have.
pub(super) fn gather(opened: &mut Opened, profile: &Profile) -> Result<Vec<Row>> {
    let pages = opened.code_pages();
    let mut rows = opened.run(|container, task| {
        let mut rows = Vec::new();
        list(container, Of::Listing, &pages, profile, task, &mut rows)?;
        if profile.below {
            for index in 0..rows.len() {
                let Some(node) = rows.get(index).map(|row| row.item.node) else { break };
                let first = rows.len();
                list(container, Of::Node(node), &pages, profile, task, &mut rows)?;
                for row in rows.get_mut(first..).unwrap_or_default() {
                    if let Some(Identity::Part(owner, _)) = &mut row.identity {
                        *owner = index;
                    }
                }
            }
        }
        count_hidden(&mut rows);
        if profile.root {
            let listed: HashSet<Node> = rows.iter().map(|row| row.item.node).collect();
            let mut seek = Seek { container, pages: &pages, profile, listed };
            seek.below(Of::Root, 0, task, &mut rows)?;
        }
        Ok::<_, crate::Error>(rows)
    })?;
    let kinds: Vec<u128> =
        rows.iter().map(|row| digest::of_bytes(row.item.kind.as_bytes())).collect();
    opened.run(|container, task| {
        rows.iter_mut().try_for_each(|row| hash(container, row, &kinds, profile, task))
    })?;
    Ok(rows)
}

/// Tells entries apart that later ones with their id hide.
fn count_hidden(rows: &mut [Row]) {
    let mut counts: HashMap<[u8; 16], u32> = HashMap::new();
    for row in rows {
        if let Some(Identity::Id(id, nth @ 1)) = &mut row.identity {
            let count = counts.entry(*id).or_default();
            *count = count.saturating_add(1);
            *nth = *count;
        }
    }
}

fn list(
    container: &dyn Container,
    of: Of,
    pages: &CodePages,
    profile: &Profile,
    task: &mut Task<'_>,
    rows: &mut Vec<Row>,
) -> Result<()> {
    let mut shared = Shared::new();
    finish(container.children(of, pages, task, &mut |entry, task| {
        rows.push(row(container.format(), entry, profile, &mut shared, task)?);
        Ok(())
    }))
}

/// Looks for the entries that the listing has not.
struct Seek<'s> {
    container: &'s dyn Container,
    pages: &'s CodePages,
    profile: &'s Profile,
    listed: HashSet<Node>,
}

impl Seek<'_> {
    fn below(
        &mut self,
        of: Of,
        depth: usize,
        task: &mut Task<'_>,
        rows: &mut Vec<Row>,
    ) -> Result<()> {
        let mut folders = Vec::new();
        let (format, profile, listed) = (self.container.format(), self.profile, &self.listed);
        let mut shared = Shared::new();
        finish(self.container.children(of, self.pages, task, &mut |entry, task| {
            match entry.kind {
                // Their content has entries of its own.
                "section" | "class" => {}
                "folder" => folders.push(entry.node),
                _ if listed.contains(&entry.node) => {}
                _ => rows.push(row(format, entry, profile, &mut shared, task)?),
            }
            Ok(())
        }))?;
        for folder in folders.into_iter().filter(|_| depth < MAX_DEPTH) {
            self.below(Of::Node(folder), depth.saturating_add(1), task, rows)?;
        }
        Ok(())
    }
}

/// What of the row of an entry tells which one it is, and where and how large its rows are.
const NUMBERS: [&str; 7] =
    ["id", "row_size", "rows_start", "asset_id", "shadowed", "semantic", "sub_index"];

fn row(
    format: &str,
    entry: &Entry<'_>,
    profile: &Profile,
    shared: &mut Shared,
    task: &mut Task<'_>,
) -> Result<Row> {
    // Names and paths are there a second time to be known by.
    let texts = entry.path.len().saturating_add(entry.name.map_or(0, <[u8]>::len));
    let texts = texts.saturating_mul(2).saturating_add(entry.kind.len());
    let known = 2 * size_of::<(Span, [u128; 2])>();
    task.budget.memory((size_of::<Row>().saturating_add(known).saturating_add(texts)) as u64)?;
    task.budget.touch(texts as u64)?;
    let mut digest = Digest::sharing(profile.details, shared);
    finish(entry.details.walk(task, &mut digest))?;
    let (details, _) = digest.finish();
    let mut numbers = Collector::new(Names::Only(&NUMBERS));
    finish(entry.details.walk(task, &mut numbers))?;
    let numbers = numbers.finish();
    let value = |wanted: &str| {
        numbers.iter().find_map(|tree| match tree {
            Tree::Field(field, value) if field.name == wanted => Some(value),
            _ => None,
        })
    };
    let number = |wanted: &str| match value(wanted)? {
        Val::U(number) => Some(*number),
        Val::I(number) => Some(number.cast_unsigned()),
        _ => None,
    };
    let identity = match value("asset_id") {
        Some(Val::Uuid(id)) => {
            let hidden = value("shadowed") == Some(&Val::Bool(true));
            Some(Identity::Id(*id, hidden.into()))
        }
        _ => number("semantic")
            .zip(number("sub_index"))
            .map(|(semantic, sub)| Identity::Part(0, [semantic, sub])),
    };
    let by_position = entry.path.starts_with('#');
    let known_by = match entry.name {
        Some(name) if by_position => until_nul(name).to_vec(),
        // The first of several chunks of one id has a number where others follow.
        _ if format.starts_with("spellforce-") && entry.name.is_none() => {
            entry.path.strip_suffix(".0").unwrap_or(entry.path).into()
        }
        _ if by_position => Vec::new(),
        _ => entry.path.into(),
    };
    let item = Item {
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
        id: number("id").filter(|_| by_position),
        row_size: number("row_size").filter(|size| *size > 0),
        rows_start: number("rows_start").unwrap_or_default(),
        content: 0,
        loose: None,
        bytes: 0,
        references: Vec::new(),
    })
}

/// What of the row of an entry in the listing is compared. Rows may share what they list, so nobody keeps it.
pub(super) fn details(
    container: &dyn Container,
    row: &Row,
    pages: &CodePages,
    profile: &Profile,
    task: &mut Task<'_>,
) -> Result<Vec<Tree>> {
    task.transient(|task| {
        task.keeping(|task, most| {
            let mut collector = Collector::within(profile.details, most);
            let walked = finish(container.entry(row.item.node, pages, task, &mut |entry, task| {
                entry.details.walk(task, &mut collector)
            }));
            (walked.map(|()| collector.finish()), most)
        })
    })
}

/// Hashes what an entry holds. What is damaged counts by its bytes, or by its size where there are none; the damage
/// is told.
fn hash(
    container: &dyn Container,
    row: &mut Row,
    kinds: &[u128],
    profile: &Profile,
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
        Err(error) => match error.code().class {
            Class::Io | Class::Limit => return Err(error),
            _ => {
                task.error(error)?;
                sized.finish()
            }
        },
    };
    let mut all = Hash::new();
    all.number((row.details >> 64) as u64);
    all.number(row.details as u64);
    let (high, low) = ((row.bytes >> 64) as u64, row.bytes as u64);
    let mut loose = row.bytes;
    if profile.walk {
        // Sections that were inflated stay; what the walk took is free again.
        let (walked, mut digest) = task.transient(|task| {
            task.keeping(|task, most| {
                let mut digest = Digest::new(profile.walked, kinds, most);
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
            Err(error) if matches!(error.code().class, Class::Io | Class::Limit) => {
                return Err(error);
            }
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
    let renamed = row.item.name.is_some() && (profile.walk || row.item.size > 0);
    row.loose = renamed.then_some(loose);
    Ok(())
}
