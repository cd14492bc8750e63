//! Sorting of positions by their paths.
//!
//! Archives do not have their paths in one piece, so to put one together costs more than to compare it. That is done a few
//! bytes at a time, for all paths, and these bytes are sorted as numbers. Only paths with long beginnings in common, and the
//! last few of a run, are compared byte by byte.

use spelunk_core::{Budget, Result};

/// Bytes of a path that are sorted at a time. Beside them stands how many of them the path has.
const STEP: usize = 7;
/// So often bytes are sorted as numbers. Paths that are the same up to there are compared.
const STEPS: usize = 16;
/// Paths that are so few are compared.
const FEW: usize = 12;

/// Bytes of a path, and the position that has the path.
type Keyed = (u64, u32);

/// Sorts positions by their paths, and those with the same path by position. The order is that of the bytes.
///
/// # Errors
/// Limits.
pub(super) fn sort_by_path<P: Iterator<Item = u8>>(
    positions: &mut [u32],
    path: &impl Fn(u32) -> P,
    budget: &mut Budget,
) -> Result<()> {
    let count = positions.len() as u64;
    let mut keyed = budget.vec::<Keyed>(count)?;
    keyed.extend(positions.iter().map(|position| (0, *position)));
    sort(&mut keyed, 0, path);
    for (slot, (_, position)) in positions.iter_mut().zip(&keyed) {
        *slot = *position;
    }
    drop(keyed);
    budget.release(count.saturating_mul(size_of::<Keyed>() as u64));
    Ok(())
}

/// Sorts paths that are the same in all bytes before a step.
fn sort<P: Iterator<Item = u8>>(keyed: &mut [Keyed], step: usize, path: &impl Fn(u32) -> P) {
    if keyed.len() <= FEW || step >= STEPS {
        keyed.sort_unstable_by(|(_, a), (_, b)| path(*a).cmp(path(*b)).then(a.cmp(b)));
        return;
    }
    for (key, position) in keyed.iter_mut() {
        *key = key_of(path(*position).skip(step.saturating_mul(STEP)));
    }
    let first = keyed.first().map(|(key, _)| *key);
    if keyed.iter().any(|(key, _)| Some(*key) != first) || first.is_some_and(is_last) {
        keyed.sort_unstable();
    }
    for run in keyed.chunk_by_mut(|(a, _), (b, _)| a == b) {
        if run.len() > 1 && !run.first().is_some_and(|(key, _)| is_last(*key)) {
            sort(run, step.saturating_add(1), path);
        }
    }
}

/// The next bytes of a path as a number: a path that ends comes before those that go on with a NUL.
fn key_of(path: impl Iterator<Item = u8>) -> u64 {
    let mut bytes = [0; STEP + 1];
    let mut len = 0_u8;
    for (slot, byte) in bytes.iter_mut().take(STEP).zip(path) {
        *slot = byte;
        len = len.saturating_add(1);
    }
    if let Some(slot) = bytes.last_mut() {
        *slot = len;
    }
    u64::from_be_bytes(bytes)
}

/// Whether the path ends with these bytes.
const fn is_last(key: u64) -> bool {
    key & 0xff < STEP as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::Limits;

    #[test]
    fn paths_are_in_the_order_of_their_bytes() {
        // Short paths, NULs, paths that begin others, the same path twice, and long beginnings in common.
        let mut seed = 1_u64;
        let mut next = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let starts = [vec![], b"texture\\".to_vec(), b"texture\\terrain".repeat(20)];
        let paths: Vec<Vec<u8>> = (0..3000)
            .map(|_| {
                let mut path = starts[next(3) as usize].clone();
                path.truncate(path.len() - next(3).min(path.len() as u64) as usize);
                path.extend((0..next(12)).map(|_| [0, b'a', b'b', b'\\', 0xfc][next(5) as usize]));
                path
            })
            .collect();
        let mut expected: Vec<u32> = (0..3000).collect();
        expected.sort_by_key(|n| (&paths[*n as usize], *n));
        let mut sorted: Vec<u32> = (0..3000).rev().collect();
        let mut budget = Budget::new(Limits::for_len(0));
        let left = budget.left().memory;
        sort_by_path(&mut sorted, &|n| paths[n as usize].iter().copied(), &mut budget).unwrap();
        assert_eq!(sorted, expected);
        assert_eq!(budget.left().memory, left);
        let mut scarce = Budget::new(Limits { memory: 100, ..Limits::for_len(0) });
        let path = |n: u32| paths[n as usize].iter().copied();
        assert!(sort_by_path(&mut sorted, &path, &mut scarce).is_err());
    }
}
