//! Matching of entries that belong together.

use super::{
    align::align,
    digest,
    rows::{EntryIdentity, Row},
};
use std::{
    collections::{HashMap, VecDeque},
    hash::Hash,
};

/// Entries that belong together, by their positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pair {
    pub(super) old: usize,
    pub(super) new: usize,
    pub(super) renamed: bool,
}

/// Matching of the entries of two containers.
#[derive(Debug)]
pub(super) struct EntryMatching {
    /// In the order of the old entries.
    pub(super) pairs: Vec<Pair>,
    /// Whether each of the new entries belongs to none.
    pub(super) is_new: Vec<bool>,
    /// Whether both list the same entries in one order, so that positions mean the same.
    pub(super) same_tables: bool,
    /// Token for a reference to an entry: equal tokens mean entries that belong together, or entries that cannot be
    /// distinguished.
    pub(super) old_tokens: Vec<u32>,
    pub(super) new_tokens: Vec<u32>,
}

impl EntryMatching {
    /// Matches entries that are the same whatever they are called; those with one id where both files number alike; then
    /// by name, content and what is around, from far
    /// to near; then by name; then renamed entries by content, and by id where that means the same.
    /// Parts of entries go with these.
    pub(super) fn of<'r>(old: &'r [Row], new: &'r [Row]) -> EntryMatching {
        let [old_names, new_names] = number([old, new]);
        let same_tables = old_names == new_names;
        let whole = |names: &[u32], rows: &[Row]| -> Vec<_> {
            let rows = names.iter().zip(rows);
            rows.map(|(name, row)| (!is_part(row)).then_some((*name, row.content))).collect()
        };
        let (old_whole, new_whole) = (whole(&old_names, old), whole(&new_names, new));
        let mut matcher = Matcher::new(old.len(), new.len());
        matcher.take(&identities(old), &identities(new), false);
        let ids = |names: &[u32], rows: &[Row]| -> Vec<_> {
            names.iter().zip(rows).map(|(name, row)| Some((*name, row.id?))).collect()
        };
        let (old_ids, new_ids) = (ids(&old_names, old), ids(&new_names, new));
        let alike = number_alike([&old_ids, &new_ids]);
        if alike {
            matcher.take(&old_ids, &new_ids, false);
        }
        // Of many that look alike, those in places that look alike belong together.
        for (old, new) in around(&old_whole, old).iter().zip(&around(&new_whole, new)).rev() {
            matcher.take(old, new, false);
        }
        matcher.take(&old_whole, &new_whole, false);
        let names = |names: &[u32], rows: &[Row]| -> Vec<_> {
            names.iter().zip(rows).map(|(name, row)| (!is_part(row)).then_some(*name)).collect()
        };
        matcher.take(&names(&old_names, old), &names(&new_names, new), false);
        let loose = |rows| -> Vec<_> {
            let key = |row: &'r Row| Some((row.item.kind.as_str(), row.loose?));
            Iterator::map(<[Row]>::iter(rows), key).collect()
        };
        matcher.take(&loose(old), &loose(new), true);
        if alike {
            let numbered = |rows| -> Vec<_> {
                let key = |row: &'r Row| Some((row.item.kind.as_str(), row.id?));
                Iterator::map(<[Row]>::iter(rows), key).collect()
            };
            matcher.take(&numbered(old), &numbered(new), true);
        }
        let owners: Vec<_> = matcher.partners.clone();
        let partner = |owner| owners.get(owner).copied().flatten().map(|(new, _)| new);
        matcher.take(&parts(old, partner), &parts(new, Some), false);
        let Matcher { partners, is_new, .. } = matcher;
        let [old_alike, new_alike] = tokens(&old_whole, &new_whole);
        let token = |(index, partner): (usize, &Option<(usize, bool)>)| {
            let alike = match partner {
                Some((partner, _)) => new_alike.get(*partner),
                None => old_alike.get(index),
            };
            alike.copied().unwrap_or(u32::MAX)
        };
        let old_tokens = partners.iter().enumerate().map(token).collect();
        let pairs = partners
            .iter()
            .enumerate()
            .filter_map(|(old, partner)| partner.map(|(new, renamed)| Pair { old, new, renamed }))
            .map(|pair| Pair { renamed: pair.renamed || is_renamed(old, new, pair), ..pair });
        let pairs = pairs.collect();
        EntryMatching { pairs, is_new, same_tables, old_tokens, new_tokens: new_alike }
    }
}

/// Whether ids that the files give to entries mean the same in both: whether nearly all entries whose name is the only
/// one of its kind in both have one id. Programs number anew when they save.
fn number_alike(ids: [&[Option<(u32, u64)>]; 2]) -> bool {
    let [old, new] = ids.map(|ids| {
        let mut by_name: HashMap<u32, Option<u64>> = HashMap::new();
        for (name, id) in ids.iter().flatten() {
            by_name.entry(*name).and_modify(|id| *id = None).or_insert(Some(*id));
        }
        by_name
    });
    let only = old.iter().filter_map(|(name, id)| Some(((*id)?, (*new.get(name)?)?)));
    let (same, all) = only.fold((0_u64, 0_u64), |(same, all), (old, new)| {
        (same.saturating_add(u64::from(old == new)), all.saturating_add(1))
    });
    all > 0 && same.saturating_mul(10) >= all.saturating_mul(9)
}

/// Number of references around an entry that are followed to distinguish it from others.
const ROUNDS: usize = 3;

/// Returns hashes of entries with those around them, one reference farther in each round: the entries that they refer to, in
/// order, and those that refer to them.
fn around(keys: &[Option<(u32, u128)>], rows: &[Row]) -> Vec<Vec<Option<u128>>> {
    let mut rounds: Vec<Vec<Option<u128>>> = Vec::new();
    if rows.iter().all(|row| row.references.is_empty()) {
        return rounds;
    }
    let first = keys.iter().map(|key| {
        let (name, content) = key.unwrap_or_default();
        digest::of_numbers(&[name.into(), content])
    });
    let mut now: Vec<u128> = first.collect();
    for _ in 0..ROUNDS {
        let mut referrers = vec![0_u128; rows.len()];
        for (row, hash) in rows.iter().zip(&now) {
            for (nth, index) in row.references.iter().enumerate() {
                if let Some(sum) = referrers.get_mut(*index as usize) {
                    *sum = sum.wrapping_add(digest::of_numbers(&[nth as u128, *hash]));
                }
            }
        }
        let next = rows.iter().zip(&now).zip(&referrers).map(|((row, hash), referrers)| {
            let meant = row.references.iter().filter_map(|index| now.get(*index as usize));
            let numbers: Vec<u128> = [hash, referrers].into_iter().chain(meant).copied().collect();
            digest::of_numbers(&numbers)
        });
        now = next.collect();
        rounds.push(now.iter().copied().map(Some).collect());
    }
    rounds
}

fn is_part(row: &Row) -> bool {
    matches!(row.identity, Some(EntryIdentity::Part(..)))
}

/// Returns the identities of entries, which do not depend on their names.
fn identities(rows: &[Row]) -> Vec<Option<EntryIdentity>> {
    rows.iter().map(|row| row.identity.filter(|_| !is_part(row))).collect()
}

/// Returns the identities of parts of entries: the number of the new entry that they are parts of, and their own.
fn parts(rows: &[Row], owner: impl Fn(usize) -> Option<usize>) -> Vec<Option<(usize, [u64; 2])>> {
    let part = |row: &Row| match row.identity {
        Some(EntryIdentity::Part(of, key)) => Some((owner(of)?, key)),
        _ => None,
    };
    rows.iter().map(part).collect()
}

/// Whether two entries that are the same have different names. What parts are called follows.
fn is_renamed(old: &[Row], new: &[Row], pair: Pair) -> bool {
    let both = old.get(pair.old).zip(new.get(pair.new));
    both.is_some_and(|(old, new)| {
        matches!(old.identity, Some(EntryIdentity::Id(..))) && old.known_by != new.known_by
    })
}

/// Numbers for what rows are known by, equal where it is equal.
fn number(rows: [&[Row]; 2]) -> [Vec<u32>; 2] {
    fn key(row: &Row) -> (&str, &[u8]) {
        (&row.item.kind, &row.known_by)
    }
    let [old, new] = rows.map(|rows| rows.iter().map(key).collect::<Vec<_>>());
    tokens(&old, &new)
}

fn tokens<K: Hash + Eq>(old: &[K], new: &[K]) -> [Vec<u32>; 2] {
    let mut numbers = HashMap::new();
    [old, new].map(|keys| {
        let mut number = |key| {
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        };
        keys.iter().map(&mut number).collect()
    })
}

struct Matcher {
    /// For each old entry the new one, and whether it was renamed.
    partners: Vec<Option<(usize, bool)>>,
    is_new: Vec<bool>,
}

impl Matcher {
    fn new(old: usize, new: usize) -> Matcher {
        Matcher { partners: vec![None; old], is_new: vec![true; new] }
    }

    /// Matches what is left and has equal keys: first in one order, then whatever the order.
    fn take<K: Hash + Eq>(&mut self, old: &[Option<K>], new: &[Option<K>], renamed: bool) {
        let [old_keys, new_keys] = tokens(old, new);
        let left = |keys: &[u32], has: &dyn Fn(usize) -> bool| -> Vec<(usize, u32)> {
            keys.iter().copied().enumerate().filter(|(index, _)| has(*index)).collect()
        };
        let old_has = |index: usize| {
            self.partners.get(index) == Some(&None) && old.get(index).is_some_and(Option::is_some)
        };
        let new_has = |index: usize| {
            self.is_new.get(index) == Some(&true) && new.get(index).is_some_and(Option::is_some)
        };
        let (old, new) = (left(&old_keys, &old_has), left(&new_keys, &new_has));
        let mut waiting: HashMap<u32, VecDeque<usize>> = HashMap::new();
        // What the other has not cannot be aligned.
        let common = |of: &[(usize, u32)], other: &[(usize, u32)]| -> Vec<(usize, u32)> {
            let keys: std::collections::HashSet<u32> = other.iter().map(|(_, key)| *key).collect();
            of.iter().copied().filter(|(_, key)| keys.contains(key)).collect()
        };
        let (old, new) = (common(&old, &new), common(&new, &old));
        let keys = |of: &[(usize, u32)]| -> Vec<u32> { of.iter().map(|(_, key)| *key).collect() };
        for (a, b) in align(&keys(&old), &keys(&new)) {
            if let (Some((a, _)), Some((b, _))) = (old.get(a), new.get(b)) {
                self.pair(*a, *b, renamed);
            }
        }
        for (index, key) in &new {
            if self.is_new.get(*index) == Some(&true) {
                waiting.entry(*key).or_default().push_back(*index);
            }
        }
        for (index, key) in &old {
            if self.partners.get(*index) == Some(&None)
                && let Some(other) = waiting.get_mut(key).and_then(VecDeque::pop_front)
            {
                self.pair(*index, other, renamed);
            }
        }
    }

    fn pair(&mut self, old: usize, new: usize, renamed: bool) {
        if let (Some(partner), Some(is_new)) =
            (self.partners.get_mut(old), self.is_new.get_mut(new))
        {
            *partner = Some((new, renamed));
            *is_new = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_are_paired_in_order_then_wherever_they_are() {
        let keys = |text: &str| text.chars().map(Some).collect::<Vec<_>>();
        let mut matcher = Matcher::new(5, 6);
        matcher.take(&keys("aabcd"), &keys("daxabc"), false);
        let partners: Vec<_> =
            matcher.partners.iter().map(|partner| partner.map(|(new, _)| new)).collect();
        assert_eq!(partners, [Some(1), Some(3), Some(4), Some(5), Some(0)]);
        assert_eq!(matcher.is_new, [false, false, true, false, false, false]);
    }

    #[test]
    fn what_has_no_key_is_not_paired() {
        let mut matcher = Matcher::new(1, 1);
        matcher.take::<u8>(&[None], &[None], true);
        assert_eq!(matcher.partners, [None]);
    }
}
