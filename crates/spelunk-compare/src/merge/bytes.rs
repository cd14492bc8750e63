//! Numbers in a row, and data whose fields are not known: merged where the sides changed other places of it.

use crate::patch::differing;
use std::ops::Range;

/// Bytes that are nearer to each other than this may be of one value.
const APART: usize = 8;

/// Data of both sides in one.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Merged {
    pub bytes: Vec<u8>,
    /// Offset of the first stretch that both changed, each in another way, and how many more there are. There the favoured side
    /// counts.
    pub collisions: Option<(usize, usize)>,
}

/// Merges the bytes of two sides that were made of `base`: those of the favoured side, with the changes of the other one where
/// this one changed nothing; `None` where one is longer than the others. Each of `numbers`, given by the offset of the first and
/// the bytes of each, is a place; of other data it is what lies near to each other.
pub(super) fn merged(
    [base, favoured, other]: [&[u8]; 3],
    numbers: Option<(usize, usize)>,
) -> Option<Merged> {
    if [favoured, other].iter().any(|side| side.len() != base.len()) {
        return None;
    }
    let mut merged = Merged { bytes: favoured.to_vec(), collisions: None };
    let mut settle = |changed: Range<usize>, near: Range<usize>| {
        let (made, place) = (other.get(changed.clone())?, merged.bytes.get_mut(changed.clone())?);
        if made == place || base.get(changed.clone()) == Some(made) {
            return Some(());
        }
        if base.get(near.clone())? == favoured.get(near)? {
            place.copy_from_slice(made);
        } else {
            let (first, more) =
                merged.collisions.map_or((changed.start, 0), |(first, more): (usize, usize)| {
                    (first, more.saturating_add(1))
                });
            merged.collisions = Some((first, more));
        }
        Some(())
    };
    match numbers.filter(|(_, size)| *size > 0) {
        Some((start, size)) => {
            let start = start.min(base.len());
            settle(0..start, 0..start)?;
            for at in (start..base.len()).step_by(size) {
                let number = at..at.saturating_add(size).min(base.len());
                settle(number.clone(), number)?;
            }
        }
        None => {
            for run in differing(base, other, APART) {
                let near =
                    run.start.saturating_sub(APART)..run.end.saturating_add(APART).min(base.len());
                settle(run, near)?;
            }
        }
    }
    Some(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Zeros with these bytes in them.
    fn data(changes: &[(usize, u8)]) -> Vec<u8> {
        let mut bytes = vec![0; 64];
        for (at, byte) in changes {
            bytes[*at] = *byte;
        }
        bytes
    }

    fn merge(ours: &[(usize, u8)], theirs: &[(usize, u8)]) -> Merged {
        merged([&data(&[]), &data(ours), &data(theirs)], None).unwrap()
    }

    #[test]
    fn other_places_are_united() {
        let made = merge(&[(3, 1)], &[(40, 2), (63, 3)]);
        assert_eq!(made.bytes, data(&[(3, 1), (40, 2), (63, 3)]));
        assert_eq!(made.collisions, None);
    }

    #[test]
    fn one_value_is_one_place() {
        // Two bytes of one word that each side changed one of make a word that nobody wrote.
        let made = merge(&[(4, 1)], &[(5, 2), (40, 3)]);
        assert_eq!((made.bytes, made.collisions), (data(&[(4, 1), (40, 3)]), Some((5, 0))));
        let made = merge(&[(4, 1)], &[(4, 1), (5, 2)]);
        assert_eq!((made.bytes, made.collisions), (data(&[(4, 1)]), Some((4, 0))));
    }

    #[test]
    fn numbers_are_places_of_their_own() {
        let sides = [&[0_u8; 7], &[0, 9, 0, 0, 0, 0, 9], &[0, 0, 0, 8, 0, 0, 8]];
        let made = merged(sides.map(|side| side.as_slice()), Some((1, 2))).unwrap();
        assert_eq!((made.bytes, made.collisions), (vec![0, 9, 0, 8, 0, 0, 9], Some((5, 0))));
    }

    #[test]
    fn what_both_made_is_no_collision() {
        let made = merge(&[(4, 1), (5, 2)], &[(4, 1), (5, 2)]);
        assert_eq!((made.bytes, made.collisions), (data(&[(4, 1), (5, 2)]), None));
        assert_eq!(merged([&[0], &[0], &[0, 0]], None), None);
    }
}
