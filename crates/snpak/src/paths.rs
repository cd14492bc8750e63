//! Paths of assets and bulk chunks, and the way back.
//!
//! An asset's path is its name, `name@variant` where it has a variant, and `#POSITION` where it has no
//! name or a later asset hides it, as one with the same id does. `#SEMANTIC/SUB` behind it names a bulk
//! chunk, `#SEMANTIC/SUB@N` the one at position `N` among those of the asset. Asset ids are accepted
//! wherever a path is.

use crate::{
    AssetId,
    index::BulkEntry,
    lookup::{AssetIdIndex, Which},
    pack::{Pack, not_found},
};
use spelunk_core::{Budget, Node, Result, Task, text::CodePages};
use std::{borrow::Cow, collections::HashMap, fmt::Write};

/// Meaning of a node of a pack: an asset, or a bulk chunk of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Id {
    /// Position of the asset in the active index.
    pub(crate) row: usize,
    /// Position of the bulk chunk among those of the asset; `None` for the asset itself.
    pub(crate) bulk: Option<usize>,
}

impl Id {
    pub(crate) const fn asset(row: usize) -> Id {
        Id { row, bulk: None }
    }

    pub(crate) const fn bulk(row: usize, nth: usize) -> Id {
        Id { row, bulk: Some(nth) }
    }

    /// Returns the node. Both positions are below 2^32: the low half is the asset, the high half counts its bulk chunks from 1.
    pub(crate) fn node(self) -> Node {
        let high = self.bulk.map_or(0, |nth| (nth as u64).saturating_add(1));
        Node((high << 32) | self.row as u64)
    }

    pub(crate) fn of(node: Node) -> Option<Id> {
        let row = usize::try_from(node.0 & u64::from(u32::MAX)).ok()?;
        let bulk = usize::try_from(node.0 >> 32).ok()?.checked_sub(1);
        Some(Id { row, bulk })
    }
}

/// Appends the path that people know an asset by: its name, and its variant behind an `@`
/// (`docs/formats/snpak.md`, section 4.2).
pub fn push_name(name: &[u8], variant: Option<&[u8]>, pages: &CodePages, out: &mut String) {
    pages.path(name, out);
    if let Some(variant) = variant {
        out.push('@');
        pages.path(variant, out);
    }
}

/// Appends the path of the asset at `row`.
fn push_asset(pack: &Pack, ids: &AssetIdIndex, row: usize, pages: &CodePages, out: &mut String) {
    let start = out.len();
    let entry = pack.entry(row).filter(|_| !ids.is_shadowed(row));
    if let Some((entry, name)) = entry.and_then(|entry| Some((entry, pack.name(entry)?))) {
        push_name(name, pack.variant(entry), pages, out);
    }
    if out.len() == start {
        // Writing to a string cannot fail.
        let _ = write!(out, "#{row}");
    }
}

/// The path of an asset, made again and again in one buffer. It stays charged for the longest.
#[derive(Default)]
pub(crate) struct PathText {
    text: String,
    charged: u64,
}

impl PathText {
    /// Makes the path of the asset at `row`.
    ///
    /// # Errors
    /// Limits: entries may share long names, so that a small file can list without end.
    pub(crate) fn set(
        &mut self,
        pack: &Pack,
        ids: &AssetIdIndex,
        row: usize,
        pages: &CodePages,
        budget: &mut Budget,
    ) -> Result<&mut String> {
        let entry = pack.entry(row);
        let len = |string: Option<&[u8]>| string.map_or(0, <[u8]>::len) as u64;
        let name = len(entry.and_then(|entry| pack.name(entry)));
        let variant = len(entry.and_then(|entry| pack.variant(entry)));
        let stored = name.saturating_add(variant);
        budget.touch(stored)?;
        // A stored byte is three bytes at the most, decoded and then escaped; the positions come on top.
        let most = stored.saturating_mul(6).saturating_add(64);
        budget.memory(most.saturating_sub(self.charged))?;
        self.charged = self.charged.max(most);
        self.text.clear();
        push_asset(pack, ids, row, pages, &mut self.text);
        Ok(&mut self.text)
    }

    /// Gives its memory back to the budget that it was taken from.
    pub(crate) fn release(self, budget: &mut Budget) {
        budget.release(self.charged);
    }
}

/// Semantics and sub-indexes of an asset's bulk chunks, sorted.
pub(crate) struct Repeats(Vec<(u32, u32)>);

impl Repeats {
    /// Sorts them. They stay charged until they are released.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn new(bulk: &[BulkEntry], budget: &mut Budget) -> Result<Repeats> {
        budget.steps(bulk.len() as u64)?;
        let mut keys = budget.vec(bulk.len() as u64)?;
        keys.extend(bulk.iter().map(key));
        keys.sort_unstable();
        Ok(Repeats(keys))
    }

    /// Gives their memory back to the budget that it was taken from.
    pub(crate) fn release(self, budget: &mut Budget) {
        budget.release((self.0.len() as u64).saturating_mul(size_of::<(u32, u32)>() as u64));
    }

    /// Whether another bulk chunk of the asset has the same ones.
    fn has(&self, bulk: &BulkEntry) -> bool {
        let key = key(bulk);
        let first = self.0.partition_point(|known| *known < key);
        self.0.get(first.saturating_add(1)) == Some(&key)
    }
}

fn key(bulk: &BulkEntry) -> (u32, u32) {
    (bulk.semantic.get(), bulk.sub_index.get())
}

/// Appends what names a bulk chunk, the one at position `nth` of its asset, behind the asset's path.
pub(crate) fn push_bulk(bulk: &BulkEntry, nth: usize, repeats: &Repeats, out: &mut String) {
    let _ = write!(out, "#{}/{}", bulk.semantic.get(), bulk.sub_index.get());
    if repeats.has(bulk) {
        let _ = write!(out, "@{nth}");
    }
}

/// The entries that a path names. They stay charged.
///
/// # Errors
/// Limits.
pub(crate) fn find(
    pack: &Pack,
    path: &str,
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<Vec<Node>> {
    let base = Base::of(path);
    // The pack keeps these tables, so they are charged outside of what is given back.
    if let Base::Named(..) = base {
        if *pages == CodePages::utf8() {
            pack.names(Which::All, &mut task.budget)?;
        }
        pack.ids(&mut task.budget)?;
    }
    let nodes = task.transient(|task| nodes(pack, base, pages, &mut task.budget))?;
    task.budget.memory((nodes.len() as u64).saturating_mul(size_of::<Node>() as u64))?;
    Ok(nodes)
}

/// The entries that each of the paths names. Where paths have to be compared, all of them are in one go over the assets.
///
/// # Errors
/// Limits.
pub(crate) fn find_all(
    pack: &Pack,
    paths: &[&str],
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<Vec<Vec<Node>>> {
    let named: HashMap<&str, Vec<usize>> = match *pages == CodePages::utf8() {
        true => HashMap::new(),
        false => {
            let ids = pack.ids(&mut task.budget)?;
            let size = size_of::<(&str, Vec<usize>)>().saturating_mul(2) as u64;
            let size = size.saturating_mul(paths.len() as u64);
            // Agreed on while it is there.
            task.budget.memory(size)?;
            task.budget.release(size);
            let names = paths.iter().filter_map(|path| match Base::of(path) {
                Base::Named(name, _) => Some((name, Vec::new())),
                Base::Row(..) => None,
            });
            let mut named: HashMap<&str, Vec<usize>> = names.collect();
            by_text(pack, ids, pages, &mut task.budget, |path, row| {
                named.get_mut(path).map(|rows| rows.push(row)).is_some()
            })?;
            named
        }
    };
    let one = |path: &&str| match Base::of(path) {
        Base::Named(name, bulk) if !named.is_empty() => {
            let nodes = task.transient(|task| {
                let rows = named.get(name).cloned().unwrap_or_default();
                let rows = or_by_id(pack, name, rows, &mut task.budget)?;
                below(pack, rows, bulk, &mut task.budget)
            })?;
            task.budget.memory((nodes.len() as u64).saturating_mul(size_of::<Node>() as u64))?;
            Ok(nodes)
        }
        _ => find(pack, path, pages, task),
    };
    let found: Vec<Vec<Node>> = paths.iter().map(one).collect::<Result<_>>()?;
    // They are few enough for each path, and not kept.
    let nodes = found.iter().map(Vec::len).fold(0, usize::saturating_add);
    task.budget.release((nodes as u64).saturating_mul(size_of::<Node>() as u64));
    Ok(found)
}

/// The part of a path that names assets, and the part behind it that names bulk chunks. They part at the
/// first `#`: names hold it only in its escaped form.
#[derive(Clone, Copy)]
enum Base<'t> {
    Row(&'t str, Option<&'t str>),
    Named(&'t str, Option<&'t str>),
}

impl Base<'_> {
    fn of(path: &str) -> Base<'_> {
        let split = |path| match str::split_once(path, '#') {
            Some((base, bulk)) => (base, Some(bulk)),
            None => (path, None),
        };
        if let Some(rest) = path.strip_prefix('#') {
            let (row, bulk) = split(rest);
            return Base::Row(row, bulk);
        }
        let (name, bulk) = split(path);
        Base::Named(name, bulk)
    }
}

fn nodes(pack: &Pack, base: Base<'_>, pages: &CodePages, budget: &mut Budget) -> Result<Vec<Node>> {
    let (rows, bulk) = match base {
        Base::Row(row, bulk) => {
            let row = row.parse().ok().filter(|row| pack.entry(*row).is_some());
            (row.into_iter().collect(), bulk)
        }
        Base::Named(name, bulk) => (assets(pack, name, pages, budget)?, bulk),
    };
    below(pack, rows, bulk, budget)
}

/// The assets at these positions, or their bulk chunks that a path names.
fn below(
    pack: &Pack,
    rows: Vec<usize>,
    bulk: Option<&str>,
    budget: &mut Budget,
) -> Result<Vec<Node>> {
    let Some(bulk) = bulk else {
        let mut nodes = budget.vec(rows.len() as u64)?;
        nodes.extend(rows.into_iter().map(|row| Id::asset(row).node()));
        return Ok(nodes);
    };
    let Some(wanted) = BulkSelector::parse(bulk) else { return Ok(Vec::new()) };
    let mut nodes = Vec::new();
    for row in rows {
        let bulk = pack.entry(row).map(|entry| pack.bulk(entry)).unwrap_or_default();
        budget.steps(bulk.len() as u64)?;
        let same = || bulk.iter().enumerate().filter(|(nth, bulk)| wanted.is(*nth, bulk));
        budget.memory((same().count() as u64).saturating_mul(size_of::<Node>() as u64))?;
        nodes.extend(same().map(|(nth, _)| Id::bulk(row, nth).node()));
    }
    Ok(nodes)
}

/// The asset, semantic and sub-index of a bulk chunk that is to be, as `ASSET#SEMANTIC/SUB`.
///
/// # Errors
/// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND); limits.
pub(crate) fn new_bulk(pack: &Pack, path: &str, task: &mut Task<'_>) -> Result<(usize, u32, u32)> {
    let missing = || {
        let error =
            crate::pack::not_found().expected("the path of one asset, and #SEMANTIC/SUB behind it");
        error.found(format!("`{path}`"))
    };
    let (asset, bulk) = path.rsplit_once('#').ok_or_else(missing)?;
    let wanted =
        BulkSelector::parse(bulk).filter(|wanted| wanted.nth.is_none()).ok_or_else(missing)?;
    let found = find(pack, asset, &CodePages::utf8(), task)?;
    let [node] = found.as_slice() else { return Err(missing()) };
    let row = Id::of(*node).filter(|id| id.bulk.is_none()).ok_or_else(missing)?.row;
    Ok((row, wanted.key.0, wanted.key.1))
}

/// Part of a path that names a bulk chunk.
struct BulkSelector {
    key: (u32, u32),
    nth: Option<usize>,
}

impl BulkSelector {
    fn parse(text: &str) -> Option<BulkSelector> {
        let (key, nth) = match text.split_once('@') {
            Some((key, nth)) => (key, Some(nth.parse().ok()?)),
            None => (text, None),
        };
        let (semantic, sub_index) = key.split_once('/')?;
        Some(BulkSelector { key: (semantic.parse().ok()?, sub_index.parse().ok()?), nth })
    }

    fn is(&self, nth: usize, bulk: &BulkEntry) -> bool {
        key(bulk) == self.key && self.nth.is_none_or(|wanted| wanted == nth)
    }
}

/// The assets with this path; where there is none, the asset with this id.
fn assets(pack: &Pack, path: &str, pages: &CodePages, budget: &mut Budget) -> Result<Vec<usize>> {
    let ids = pack.ids(budget)?;
    let mut named = Vec::new();
    if *pages == CodePages::utf8() {
        named = by_bytes(pack, ids, path, budget)?;
    } else {
        by_text(pack, ids, pages, budget, |other, row| {
            let same = other == path;
            if same {
                named.push(row);
            }
            same
        })?;
    }
    or_by_id(pack, path, named, budget)
}

/// The assets with a path; where there is none, the asset with this id.
fn or_by_id(pack: &Pack, path: &str, named: Vec<usize>, budget: &mut Budget) -> Result<Vec<usize>> {
    match AssetId::parse(path) {
        Some(id) if named.is_empty() => Ok(pack.by_id(&id.0, budget)?.into_iter().collect()),
        _ => Ok(named),
    }
}

/// With UTF-8 a path has exactly one stored form, so names are looked up.
fn by_bytes(
    pack: &Pack,
    ids: &AssetIdIndex,
    path: &str,
    budget: &mut Budget,
) -> Result<Vec<usize>> {
    let stored = unescape(path);
    let mut rows = Vec::new();
    if stored.is_empty() {
        return Ok(rows);
    }
    let mut add = |name: &[u8], variant: Option<&[u8]>| -> Result<()> {
        for row in pack.all_by_name(name, budget)? {
            let own = pack.entry(row).and_then(|entry| pack.variant(entry));
            budget.touch(own.map_or(0, <[u8]>::len) as u64)?;
            if own == variant && !ids.is_shadowed(row) {
                budget.memory(size_of::<usize>() as u64)?;
                rows.push(row);
            }
        }
        Ok(())
    };
    add(&stored, None)?;
    for (at, _) in stored.iter().enumerate().filter(|(_, byte)| **byte == b'@') {
        let (name, rest) = stored.split_at_checked(at).unwrap_or_default();
        add(name, rest.get(1..))?;
    }
    rows.sort_unstable();
    Ok(rows)
}

/// Passes the path of every asset to `take`, which returns whether it keeps its row. In other code pages several byte strings may
/// have the same path, so all paths are compared.
fn by_text(
    pack: &Pack,
    ids: &AssetIdIndex,
    pages: &CodePages,
    budget: &mut Budget,
    mut take: impl FnMut(&str, usize) -> bool,
) -> Result<()> {
    let mut own = PathText::default();
    for row in 0..pack.index().entries().len() {
        if take(own.set(pack, ids, row, pages, budget)?, row) {
            budget.memory(size_of::<usize>() as u64)?;
        }
    }
    Ok(())
}

/// The bytes that an escaped path stands for. A `%` without two digits stands for itself.
fn unescape(path: &str) -> Cow<'_, [u8]> {
    if !path.contains('%') {
        return Cow::Borrowed(path.as_bytes());
    }
    let mut out = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digits =
            behind.first_chunk::<2>().filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let byte = digits
            .filter(|_| *first == b'%')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte {
            Some(byte) => {
                out.push(byte);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                out.push(*first);
                rest = behind;
            }
        }
    }
    Cow::Owned(out)
}

/// Returns the asset or bulk chunk of a node, where the pack has it.
pub(crate) fn known(pack: &Pack, node: Node) -> Result<Id> {
    let id = Id::of(node).ok_or_else(not_found)?;
    let entry = pack.entry(id.row).ok_or_else(not_found)?;
    match id.bulk {
        Some(nth) if nth >= pack.bulk(entry).len() => Err(not_found()),
        _ => Ok(id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_unescape_to_the_bytes_they_came_from() {
        assert_eq!(*unescape("a%2Fb%FF"), *b"a/b\xff");
        assert_eq!(*unescape("100%"), *b"100%");
        assert_eq!(*unescape("%zz%4"), *b"%zz%4");
    }

    #[test]
    fn nodes_keep_asset_and_bulk_chunk() {
        for id in [Id::asset(0), Id::asset(9_999_999), Id::bulk(3, 0), Id::bulk(0, 99_999_999)] {
            assert_eq!(Id::of(id.node()), Some(id));
        }
    }
}
