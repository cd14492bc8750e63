//! Alignment of two lists, without a clock: the work is bounded by the pairs of items that are looked at.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::{collections::HashMap, hash::Hash};

/// The most pairs of items of all stretches together that are looked at.
const PAIRS: usize = 1 << 28;

/// The most pairs of items of one stretch.
const PAIRS_OF_A_STRETCH: usize = 1 << 25;

/// Positions with equal keys, in one order.
pub(crate) fn align<K: Hash + Eq + Ord>(old: &[K], new: &[K]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for op in operations(old, new) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            pairs.extend((old_index..).zip(new_index..).take(len));
        }
    }
    pairs
}

/// Returns the operations that make the one list the other. Where that is little work they are as few as can be. Longer lists
/// are cut where items stand that each has once, and stretches between them that are too long to be looked at are replaced whole.
pub(crate) fn operations<K: Hash + Eq + Ord>(old: &[K], new: &[K]) -> Vec<DiffOp> {
    let same = |(a, b): &(&K, &K)| a == b;
    let head = old.iter().zip(new).take_while(same).count();
    let rest = |all: &[K]| all.len().saturating_sub(head);
    let most = rest(old).min(rest(new));
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
    let ends = [old.len().saturating_sub(tail), new.len().saturating_sub(tail)];

    let mut work = Operations { done: Vec::new(), at: [0, 0], left: PAIRS };
    work.equal([0, 0], head);
    let [old_end, new_end] = ends;
    let stretch = [head..old_end, head..new_end];
    if pairs_of(&stretch) <= PAIRS_OF_A_STRETCH {
        work.stretch(old, new, ends);
    } else {
        for anchor in anchors(old, new, &stretch) {
            work.stretch(old, new, anchor);
            work.equal(anchor, 1);
        }
        work.stretch(old, new, ends);
    }
    work.equal(ends, tail);
    work.done
}

fn pairs_of([old, new]: &[std::ops::Range<usize>; 2]) -> usize {
    old.len().saturating_mul(new.len())
}

/// Operations up to a position of both lists.
struct Operations {
    done: Vec<DiffOp>,
    at: [usize; 2],
    /// Pairs that may still be looked at.
    left: usize,
}

impl Operations {
    /// Goes over `len` equal items.
    fn equal(&mut self, [old, new]: [usize; 2], len: usize) {
        self.at = [old.saturating_add(len), new.saturating_add(len)];
        if len == 0 {
            return;
        }
        if let Some(DiffOp::Equal { len: before, .. }) = self.done.last_mut() {
            *before = before.saturating_add(len);
            return;
        }
        self.done.push(DiffOp::Equal { old_index: old, new_index: new, len });
    }

    /// Goes on to these positions.
    fn stretch<K: Hash + Eq + Ord>(&mut self, old: &[K], new: &[K], to: [usize; 2]) {
        let [old_at, new_at] = self.at;
        let [old_end, new_end] = to;
        let ranges = [old_at..old_end, new_at..new_end];
        let pairs = pairs_of(&ranges);
        let [old_range, new_range] = ranges;
        let (old_len, new_len) = (old_range.len(), new_range.len());
        self.at = to;
        let (Some(old), Some(new)) = (old.get(old_range), new.get(new_range)) else { return };
        if pairs > PAIRS_OF_A_STRETCH.min(self.left) {
            let (old_index, new_index) = (old_at, new_at);
            self.done.push(DiffOp::Replace { old_index, old_len, new_index, new_len });
            return;
        }
        self.left = self.left.saturating_sub(pairs);
        for op in capture_diff_slices(Algorithm::Myers, old, new) {
            let [old_index, new_index] = [
                old_at.saturating_add(op.old_range().start),
                new_at.saturating_add(op.new_range().start),
            ];
            match op {
                DiffOp::Equal { len, .. } => self.equal([old_index, new_index], len),
                DiffOp::Delete { old_len, .. } => {
                    self.done.push(DiffOp::Delete { old_index, old_len, new_index });
                }
                DiffOp::Insert { new_len, .. } => {
                    self.done.push(DiffOp::Insert { old_index, new_index, new_len });
                }
                DiffOp::Replace { old_len, new_len, .. } => {
                    self.done.push(DiffOp::Replace { old_index, old_len, new_index, new_len });
                }
            }
        }
        self.at = to;
    }
}

/// Positions of items that each list has once within the stretch, the most that stand in one order in both.
fn anchors<K: Hash + Eq>(
    old: &[K],
    new: &[K],
    [old_range, new_range]: &[std::ops::Range<usize>; 2],
) -> Vec<[usize; 2]> {
    // What an item is in both lists: how often it is there, and where.
    let mut items: HashMap<&K, [(usize, usize); 2]> = HashMap::new();
    for (side, list, range) in [(0, old, old_range), (1, new, new_range)] {
        for (item, at) in list.get(range.clone()).into_iter().flatten().zip(range.start..) {
            if let Some((count, place)) = items.entry(item).or_default().get_mut(side) {
                *count = count.saturating_add(1);
                *place = at;
            }
        }
    }
    let once = items.into_values().filter_map(|of| match of {
        [(1, old), (1, new)] => Some([old, new]),
        _ => None,
    });
    let mut once: Vec<[usize; 2]> = once.collect();
    once.sort_unstable();
    longest_ascending(&once)
}

/// The longest list of pairs of which the second parts ascend, where the first parts do.
fn longest_ascending(pairs: &[[usize; 2]]) -> Vec<[usize; 2]> {
    // For each length the pair that ends such a list with the least second part; each pair knows the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let second = |nth: usize| pairs.get(nth).map(|[_, new]| *new);
    for (nth, [_, new]) in pairs.iter().enumerate() {
        let len = ends.partition_point(|end| second(*end) < Some(*new));
        before.push(len.checked_sub(1).and_then(|len| ends.get(len)).copied());
        match ends.get_mut(len) {
            Some(end) => *end = nth,
            None => ends.push(nth),
        }
    }
    let mut longest = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(nth) = at {
        longest.extend(pairs.get(nth));
        at = before.get(nth).copied().flatten();
    }
    longest.reverse();
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the list that the operations make of the old one.
    fn made(old: &[u32], new: &[u32], ops: &[DiffOp]) -> Vec<u32> {
        let mut made = Vec::new();
        let mut at = 0;
        for op in ops {
            assert_eq!(op.old_range().start, at, "no gap and no overlap");
            at = op.old_range().end;
            match op {
                DiffOp::Equal { old_index, len, .. } => {
                    made.extend(&old[*old_index..*old_index + *len])
                }
                DiffOp::Delete { .. } => {}
                DiffOp::Insert { new_index, new_len, .. }
                | DiffOp::Replace { new_index, new_len, .. } => {
                    made.extend(&new[*new_index..*new_index + *new_len]);
                }
            }
        }
        assert_eq!(at, old.len());
        made
    }

    #[test]
    fn operations_make_the_new_list_of_the_old_one() {
        let long: Vec<u32> = (0..20_000).collect();
        let turned: Vec<u32> = (10_000..20_000).chain(0..10_000).collect();
        let few: Vec<u32> = (0..9_000).map(|nth| nth % 2).collect();
        let others: Vec<u32> = (0..9_000).map(|nth| nth % 3).collect();
        let mut changed = long.clone();
        changed.splice(5_000..5_010, [70_000, 70_001]);
        changed.remove(100);
        for (old, new) in [
            (&[][..], &[1, 2][..]),
            (&[1, 2], &[]),
            (&[1, 2, 3], &[1, 3, 4]),
            (&long, &changed),
            (&long, &turned),
            (&few, &others),
        ] {
            let ops = operations(old, new);
            assert_eq!(made(old, new, &ops), new);
        }
    }

    #[test]
    fn long_lists_are_aligned_by_what_each_has_once() {
        let old: Vec<u32> = (0..20_000).collect();
        let mut new = old.clone();
        new.splice(5_000..5_010, [70_000, 70_001]);
        new.insert(15_000, 70_002);
        assert_eq!(align(&old, &new).len(), old.len() - 10);
        let turned: Vec<u32> = (12_000..20_000).chain(0..12_000).collect();
        assert_eq!(align(&old, &turned).len(), 12_000, "the longer part stays");
    }
}
