//! Fields, compared.

use super::{
    align,
    change::{FieldChange, ListItem, Options},
    digest::Hash,
    rows::Row,
    tree::{Branch, FieldTree},
};
use similar::DiffOp;
use spelunk_core::{Field, Seg, Shape, Target, Val, error::dotted, text::until_nul};
use std::collections::HashMap;

/// Targets of references, on both sides.
#[derive(Debug, Default)]
pub(super) struct Meanings<'m> {
    rows: [&'m [Row]; 2],
    tokens: [&'m [u32]; 2],
    /// Positions by the ids that entries were saved with.
    ids: [HashMap<u64, u32>; 2],
}

/// Fields that hold ids of entries where nothing more is known of them: those of sub-chunks that no layout describes.
const RAW_IDS: [&str; 2] = ["object", "ids"];

/// Side of a comparison: the old or the new container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Old,
    New,
}

impl<'m> Meanings<'m> {
    /// Returns the targets of references between these entries, which were matched.
    pub(super) fn of(rows: [&'m [Row]; 2], tokens: [&'m [u32]; 2]) -> Meanings<'m> {
        let ids =
            rows.map(|rows| (0..).zip(rows).filter_map(|(n, row)| Some((row.id?, n))).collect());
        Meanings { rows, tokens, ids }
    }

    /// Returns the token of the entry whose id a field holds.
    fn by_id(&self, side: Side, field: &Field, value: &Val<'_>) -> Option<u32> {
        let Val::U(id) = value else { return None };
        if !RAW_IDS.contains(&field.name) {
            return None;
        }
        let ([old_ids, new_ids], [old_tokens, new_tokens]) = (&self.ids, self.tokens);
        let (ids, tokens) = match side {
            Side::Old => (old_ids, old_tokens),
            Side::New => (new_ids, new_tokens),
        };
        tokens.get(*ids.get(id)? as usize).copied()
    }

    /// Returns the token of the entry of the listing that a reference means. Other numbers mean something else.
    fn token(&self, side: Side, number: u64, target: &Target<'_>) -> Option<u32> {
        let [old, new] = self.rows;
        let [old_tokens, new_tokens] = self.tokens;
        let (rows, tokens) = match side {
            Side::Old => (old, old_tokens),
            Side::New => (new, new_tokens),
        };
        let index = usize::try_from(number).ok()?;
        let item = &rows.get(index)?.item;
        let name = item.name.as_deref().map(until_nul);
        if item.kind != target.kind || name != Some(until_nul(&target.name)) {
            return None;
        }
        tokens.get(index).copied()
    }

    /// Whether the references of two entries mean entries that belong together.
    pub(super) fn same_references(&self, old: &Row, new: &Row) -> bool {
        let [old_tokens, new_tokens] = self.tokens;
        let token = |tokens: &[u32], number: &u32| tokens.get(*number as usize).copied();
        old.references.len() == new.references.len()
            && old
                .references
                .iter()
                .zip(&new.references)
                .all(|(a, b)| token(old_tokens, a) == token(new_tokens, b))
    }

    fn hash(&self, side: Side, tree: &FieldTree) -> u128 {
        let mut hash = Hash::new();
        hash_tree(tree, &mut hash, &|hash, field, value| {
            let token = match value {
                Val::Ref(number, Some(target)) => self.token(side, *number, target),
                _ => self.by_id(side, field, value),
            };
            match token {
                Some(token) => hash.number(token.into()),
                None => hash_value(hash, value),
            }
        });
        hash.finish()
    }

    fn same(&self, field: &Field, old: &Val<'_>, new: &Val<'_>) -> bool {
        match (old, new) {
            (Val::U(_), Val::U(_)) => {
                let tokens =
                    self.by_id(Side::Old, field, old).zip(self.by_id(Side::New, field, new));
                tokens.map_or(old == new, |(a, b)| a == b)
            }
            (Val::F(a), Val::F(b)) => a.to_bits() == b.to_bits(),
            (Val::Ref(a, Some(old)), Val::Ref(b, Some(new))) => {
                match (self.token(Side::Old, *a, old), self.token(Side::New, *b, new)) {
                    (None, None) => old == new,
                    (a, b) => a == b,
                }
            }
            _ => old == new,
        }
    }
}

fn hash_value(hash: &mut Hash, value: &Val<'_>) {
    hash.value(value, |hash, _, target| {
        hash.text(target.kind.as_bytes());
        hash.text(&target.name);
    });
}

fn hash_tree(tree: &FieldTree, hash: &mut Hash, each: &dyn Fn(&mut Hash, &Field, &Val<'_>)) {
    match tree {
        FieldTree::Field(field, value) => {
            hash.number(2);
            hash.text(field.name.as_bytes());
            each(hash, field, value);
        }
        FieldTree::Group(branch) => {
            hash.number(1);
            hash.step(&branch.name);
            branch.items.iter().for_each(|item| hash_tree(item, hash, each));
            hash.number(3);
        }
    }
}

/// Compares fields.
#[derive(Debug)]
pub(super) struct Comparer<'c> {
    pub(super) meanings: &'c Meanings<'c>,
    pub(super) options: &'c Options,
}

impl Comparer<'_> {
    /// Compares two walks, and returns the changes.
    pub(super) fn compare(&self, old: &[FieldTree], new: &[FieldTree]) -> Vec<FieldChange> {
        let mut changes = Vec::new();
        self.records(old, new, &mut Vec::new(), &mut changes);
        changes
    }

    /// Fields by their names, and where several have one name by their order.
    fn records(
        &self,
        old: &[FieldTree],
        new: &[FieldTree],
        path: &mut Vec<Seg<'static>>,
        changes: &mut Vec<FieldChange>,
    ) {
        let mut others: HashMap<(String, usize), &FieldTree> = HashMap::new();
        let keyed = |trees: &[FieldTree]| -> Vec<(String, usize)> {
            let mut seen: HashMap<String, usize> = HashMap::new();
            let key = |tree: &FieldTree| {
                let name = dotted([tree.step()].iter());
                let nth = seen.entry(name.clone()).or_default();
                *nth = nth.saturating_add(1);
                (name, *nth)
            };
            trees.iter().map(key).collect()
        };
        let new_keys = keyed(new);
        others.extend(new_keys.iter().cloned().zip(new));
        for (key, tree) in keyed(old).iter().zip(old) {
            match others.remove(key) {
                Some(other) => self.trees(tree, other, path, changes),
                None => self.alone(Side::Old, tree, path, changes),
            }
        }
        for (key, tree) in new_keys.iter().zip(new) {
            if others.contains_key(key) {
                self.alone(Side::New, tree, path, changes);
            }
        }
    }

    fn trees(
        &self,
        old: &FieldTree,
        new: &FieldTree,
        path: &mut Vec<Seg<'static>>,
        changes: &mut Vec<FieldChange>,
    ) {
        match (old, new) {
            (FieldTree::Field(_, a), FieldTree::Field(field, b))
                if self.meanings.same(field, a, b) => {}
            (FieldTree::Field(_, a), FieldTree::Field(field, b)) => {
                changes.push(FieldChange::Value {
                    path: self.path(path, Some(Seg::Field(field.name))),
                    field,
                    old: Some(a.clone()),
                    new: Some(b.clone()),
                })
            }
            (FieldTree::Group(a), FieldTree::Group(b)) => {
                path.push(b.name.clone());
                match (a.shape, b.shape) {
                    (Shape::List, Shape::List) => self.lists(&a.items, &b.items, path, changes),
                    (Shape::Value, Shape::Value) => match (a.items.first(), b.items.first()) {
                        (Some(a), Some(b)) => self.values(a, b, path, changes),
                        _ => self.records(&a.items, &b.items, path, changes),
                    },
                    _ => self.records(&a.items, &b.items, path, changes),
                }
                path.pop();
            }
            _ => {
                self.alone(Side::Old, old, path, changes);
                self.alone(Side::New, new, path, changes);
            }
        }
    }

    /// Items of a list or a map, which have no names of their own: their path is the one that is open.
    fn values(
        &self,
        old: &FieldTree,
        new: &FieldTree,
        path: &mut Vec<Seg<'static>>,
        changes: &mut Vec<FieldChange>,
    ) {
        match (old, new) {
            (FieldTree::Field(_, a), FieldTree::Field(field, b)) => {
                if !self.meanings.same(field, a, b) {
                    changes.push(FieldChange::Value {
                        path: self.path(path, None),
                        field,
                        old: Some(a.clone()),
                        new: Some(b.clone()),
                    });
                }
            }
            (FieldTree::Group(a), FieldTree::Group(b)) => match (a.shape, b.shape) {
                (Shape::List, Shape::List) => self.lists(&a.items, &b.items, path, changes),
                _ => self.records(&a.items, &b.items, path, changes),
            },
            _ => {
                self.inside(Side::Old, old, path, changes);
                self.inside(Side::New, new, path, changes);
            }
        }
    }

    /// A field or group that only one side has.
    fn alone(
        &self,
        side: Side,
        tree: &FieldTree,
        path: &mut Vec<Seg<'static>>,
        changes: &mut Vec<FieldChange>,
    ) {
        path.push(tree.step());
        self.inside(side, tree, path, changes);
        path.pop();
    }

    fn inside(
        &self,
        side: Side,
        tree: &FieldTree,
        path: &mut Vec<Seg<'static>>,
        changes: &mut Vec<FieldChange>,
    ) {
        match tree {
            FieldTree::Field(field, value) => {
                let path = self.path(path, None);
                let value = Some(value.clone());
                changes.push(match side {
                    Side::Old => FieldChange::Value { path, field, old: value, new: None },
                    Side::New => FieldChange::Value { path, field, old: None, new: value },
                });
            }
            FieldTree::Group(Branch { shape: Shape::List, items, .. }) => match side {
                Side::Old => self.lists(items, &[], path, changes),
                Side::New => self.lists(&[], items, path, changes),
            },
            FieldTree::Group(Branch { shape: Shape::Value, items, .. }) => {
                items.iter().for_each(|item| self.inside(side, item, path, changes));
            }
            FieldTree::Group(branch) => {
                let mut fields = Vec::new();
                branch.items.iter().for_each(|item| self.alone(side, item, path, &mut fields));
                if fields.len() <= self.options.max_items {
                    changes.append(&mut fields);
                    return;
                }
                let (path, count) = (self.path(path, None), fields.len() as u64);
                fields.truncate(self.options.max_items);
                let is_new = side == Side::New;
                changes.push(FieldChange::Group { path, is_new, count, fields });
            }
        }
    }

    fn lists(
        &self,
        old: &[FieldTree],
        new: &[FieldTree],
        path: &mut Vec<Seg<'static>>,
        changes: &mut Vec<FieldChange>,
    ) {
        let hashes = |side, items: &[FieldTree]| -> Vec<u128> {
            items.iter().map(|item| self.meanings.hash(side, item)).collect()
        };
        let keep = self.options.max_items;
        let script = Script::of(&hashes(Side::Old, old), &hashes(Side::New, new), keep);
        if script.len() == 0 {
            return;
        }
        let Script { edits, changed, added, removed } = script;
        let mut items = Vec::new();
        for (a, b) in edits {
            let mut fields = Vec::new();
            let index = b.or(a).unwrap_or_default();
            path.push(Seg::Index(index as u64));
            let item = |items: &[FieldTree], index: Option<usize>| {
                index.and_then(|index| items.get(index).cloned())
            };
            match (item(old, a), item(new, b)) {
                (Some(a), Some(b)) => self.values(&a, &b, path, &mut fields),
                (Some(a), None) => self.inside(Side::Old, &a, path, &mut fields),
                (None, Some(b)) => self.inside(Side::New, &b, path, &mut fields),
                (None, None) => {}
            }
            path.pop();
            let position = |index: Option<usize>| index.map(|index| index as u64);
            items.push(ListItem { old: position(a), new: position(b), fields });
        }
        let path = self.path(path, None);
        let (old, new) = (old.len() as u64, new.len() as u64);
        changes.push(FieldChange::List { path, old, new, changed, added, removed, items });
    }

    fn path(&self, path: &[Seg<'static>], last: Option<Seg<'static>>) -> String {
        dotted(path.iter().chain(&last))
    }
}

/// Edit script of a list.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Script {
    /// Positions of the first of what differs: in both, in the old list alone, in the new one alone.
    pub(super) edits: Vec<(Option<usize>, Option<usize>)>,
    pub(super) changed: u64,
    pub(super) added: u64,
    pub(super) removed: u64,
}

impl Script {
    /// Compares item by item where the lists are equally long, and by what is equal in one order where that shows
    /// less. Where items stand in for others, as many as there are of both count as changed. `keep` of the positions are kept.
    pub(super) fn of(old: &[u128], new: &[u128], keep: usize) -> Script {
        match Script::in_place(old, new, keep) {
            (script, true) => script,
            (script, false) => Script::aligned(old, new, keep, script),
        }
    }

    /// Compares item by item, where the lists are equally long; and whether that shows little enough.
    pub(super) fn in_place(old: &[u128], new: &[u128], keep: usize) -> (Script, bool) {
        let mut script = Script::default();
        if old.len() != new.len() {
            return (script, false);
        }
        let pairs = old.iter().zip(new).enumerate().filter(|(_, (a, b))| a != b);
        pairs.for_each(|(index, _)| script.push(Some(index), Some(index), keep));
        let enough = script.len() <= old.len() as u64 / 2 || script.len() <= 4;
        (script, enough)
    }

    /// Compares by what is equal in one order, where that shows less than `in_place`.
    pub(super) fn aligned(old: &[u128], new: &[u128], keep: usize, in_place: Script) -> Script {
        let mut aligned = Script::default();
        for op in align::operations(old, new) {
            let (a, b) = (op.old_range(), op.new_range());
            if let DiffOp::Equal { .. } = op {
                continue;
            }
            let both = a.len().min(b.len());
            let pairs = a.clone().zip(b.clone());
            pairs.for_each(|(a, b)| aligned.push(Some(a), Some(b), keep));
            a.skip(both).for_each(|a| aligned.push(Some(a), None, keep));
            b.skip(both).for_each(|b| aligned.push(None, Some(b), keep));
        }
        let shorter = aligned.len() < in_place.len();
        if shorter || old.len() != new.len() { aligned } else { in_place }
    }

    /// Returns the number of items that differ.
    pub(super) fn len(&self) -> u64 {
        self.changed.saturating_add(self.added).saturating_add(self.removed)
    }

    fn push(&mut self, old: Option<usize>, new: Option<usize>, keep: usize) {
        let count = match (old, new) {
            (Some(_), Some(_)) => &mut self.changed,
            (Some(_), None) => &mut self.removed,
            _ => &mut self.added,
        };
        *count = count.saturating_add(1);
        if self.edits.len() < keep {
            self.edits.push((old, new));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_that_was_put_in_between_changes_no_other() {
        let script = Script::of(&[1, 2, 3], &[1, 9, 2, 3], 9);
        assert_eq!((script.changed, script.added, script.removed), (0, 1, 0));
        assert_eq!(script.edits, [(None, Some(1))]);
    }

    #[test]
    fn lists_of_one_length_are_compared_by_position_where_that_shows_less() {
        let script = Script::of(&[1, 2, 3], &[1, 9, 3], 9);
        assert_eq!(script.edits, [(Some(1), Some(1))]);
        let (old, new): (Vec<u128>, Vec<u128>) = ((0..20).collect(), (1..21).collect());
        let script = Script::of(&old, &new, 1);
        assert_eq!((script.changed, script.added, script.removed), (0, 1, 1));
        assert_eq!(script.edits.len(), 1, "no more than are kept");
    }
}
