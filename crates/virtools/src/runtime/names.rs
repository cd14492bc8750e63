//! Names of objects by their classes, and names that no other object of a class has
//! (`docs/formats/virtools-runtime.md#4-names`).

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Bound,
    sync::Arc,
};

/// Objects by class and name.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectsByName(HashMap<u32, OfClass>);

/// The names of a class.
#[derive(Clone, Debug, Default)]
struct OfClass {
    ids: HashMap<Arc<[u8]>, NameHistory>,
    /// The names in order, once it was asked which of them start alike.
    ordered: Option<BTreeSet<Arc<[u8]>>>,
    /// For names that were given numbers the largest one that is there.
    largest: HashMap<Arc<[u8]>, Option<i32>>,
    /// Lengths of those names: a start of another length is none of them.
    lengths: BTreeSet<usize>,
}

/// The objects of one name, by the time when they got it.
#[derive(Clone, Debug)]
enum NameHistory {
    One(u64, u32),
    Many(BTreeMap<u64, u32>),
}

impl NameHistory {
    /// The objects that got the name after a time, with when they did.
    fn after(&self, time: u64) -> impl Iterator<Item = (u64, u32)> + '_ {
        let (one, many) = match self {
            NameHistory::One(when, id) => {
                (Some((*when, *id)).filter(|(when, _)| *when > time), None)
            }
            NameHistory::Many(ids) => (None, Some(ids)),
        };
        let later = (Bound::Excluded(time), Bound::Unbounded);
        let many = many.into_iter().flat_map(move |ids| ids.range(later));
        one.into_iter().chain(many.map(|(when, id)| (*when, *id)))
    }
}

impl ObjectsByName {
    /// The object of a class that was the first to get a name.
    pub(super) fn find(&self, class_id: u32, name: &[u8]) -> Option<u32> {
        self.find_all(class_id, name).next()
    }

    /// All objects of a class with a name, in the order in which they got it.
    pub(super) fn find_all(&self, class_id: u32, name: &[u8]) -> impl Iterator<Item = u32> + '_ {
        self.find_after(class_id, name, 0).map(|(_, id)| id)
    }

    /// Objects that got the name after a time, with the times.
    pub(super) fn find_after(
        &self,
        class_id: u32,
        name: &[u8],
        time: u64,
    ) -> impl Iterator<Item = (u64, u32)> + '_ {
        let ids = self.0.get(&class_id).and_then(|names| names.ids.get(name));
        ids.into_iter().flat_map(move |ids| ids.after(time))
    }

    /// An object got a name.
    pub(super) fn add(&mut self, class_id: u32, name: &Arc<[u8]>, when: u64, id: u32) {
        let names = self.0.entry(class_id).or_default();
        match names.ids.get_mut(name) {
            Some(NameHistory::Many(ids)) => drop(ids.insert(when, id)),
            Some(ids) => {
                if let NameHistory::One(first, one) = *ids {
                    *ids = NameHistory::Many(BTreeMap::from([(first, one), (when, id)]));
                }
            }
            None => {
                names.ids.insert(name.clone(), NameHistory::One(when, id));
                if let Some(ordered) = &mut names.ordered {
                    ordered.insert(name.clone());
                }
            }
        }
        // Each start of the name may be one that is given numbers.
        for &end in names.lengths.range(..name.len()) {
            let (start, rest) = name.split_at(end);
            if let Some(largest) = names.largest.get_mut(start) {
                *largest = (*largest).max(Some(number(rest)));
            }
        }
    }

    /// An object lost a name.
    pub(super) fn remove(&mut self, class_id: u32, name: &Arc<[u8]>, when: u64) {
        let Some(names) = self.0.get_mut(&class_id) else { return };
        match names.ids.get_mut(name) {
            Some(NameHistory::Many(ids)) => drop(ids.remove(&when)),
            Some(NameHistory::One(first, _)) if *first == when => drop(names.ids.remove(name)),
            _ => {}
        }
        if let Some(NameHistory::Many(ids)) = names.ids.get(name) {
            match (ids.len(), ids.first_key_value()) {
                (1, Some((first, id))) => {
                    let one = NameHistory::One(*first, *id);
                    names.ids.insert(name.clone(), one);
                }
                _ => return,
            }
        }
        if !names.ids.contains_key(name) {
            if let Some(ordered) = &mut names.ordered {
                ordered.remove(name);
            }
            // It may have had the largest number, which is looked for when it is asked for again.
            for &end in names.lengths.range(..name.len()) {
                let (start, rest) = name.split_at(end);
                if names.largest.get(start) == Some(&Some(number(rest))) {
                    names.largest.remove(start);
                }
            }
        }
    }

    /// A name with three digits behind it: one more than the largest number behind the name among the objects of the class;
    /// `000` where there is none.
    pub(super) fn secure(&mut self, class_id: u32, name: &[u8]) -> Vec<u8> {
        let OfClass { ids, ordered, largest, lengths } = self.0.entry(class_id).or_default();
        let known = largest.get(name).copied();
        let last = known.unwrap_or_else(|| {
            let ordered = ordered.get_or_insert_with(|| ids.keys().cloned().collect());
            let from = ordered.range::<[u8], _>((Bound::Excluded(name), Bound::Unbounded));
            let behind = from.map_while(|other| other.strip_prefix(name));
            let last = behind.map(number).max();
            largest.insert(name.into(), last);
            lengths.insert(name.len());
            last
        });
        let next = last.map_or(0, |last| last.saturating_add(1));
        let mut secure = name.to_vec();
        secure.extend(format!("{next:03}").bytes());
        secure
    }
}

/// The number that digits at the start of a text are, as C's `atoi` reads it: spaces and a sign may stand before them; 0
/// without digits.
fn number(text: &[u8]) -> i32 {
    let text = text.trim_ascii_start();
    let (is_negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
    let number = digits.fold(0_i32, |number, digit| {
        number.saturating_mul(10).saturating_add(i32::from(digit.saturating_sub(b'0')))
    });
    if is_negative { number.saturating_neg() } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::MESH;

    fn names(all: &[&str]) -> ObjectsByName {
        let mut names = ObjectsByName::default();
        for (name, id) in all.iter().zip(1..) {
            names.add(MESH, &Arc::from(name.as_bytes()), id.into(), id);
        }
        names
    }

    #[test]
    fn numbers_go_on_behind_the_largest_one() {
        let secure =
            |others: &[&str]| String::from_utf8(names(others).secure(MESH, b"Ball")).unwrap();
        assert_eq!(secure(&["Ball"]), "Ball000");
        assert_eq!(secure(&["Ball", "Ball000"]), "Ball001");
        assert_eq!(secure(&["Ball041", "Ball7"]), "Ball042");
        assert_eq!(secure(&["Ball1234"]), "Ball1235");
        // What is no number counts as 0.
        assert_eq!(secure(&["Ball_Wood", "Bal999"]), "Ball001");
        assert_eq!(secure(&["Ball-5"]), "Ball-04");
        assert_eq!(secure(&["Ball 12x"]), "Ball013");
    }

    #[test]
    fn what_was_found_once_is_kept_up_to_date() {
        let mut names = ObjectsByName::default();
        assert_eq!(names.secure(MESH, b"A"), b"A000");
        names.add(MESH, &Arc::from(&b"A000"[..]), 1, 1);
        assert_eq!(names.secure(MESH, b"A"), b"A001");
        let last = Arc::from(&b"A77"[..]);
        names.add(MESH, &last, 2, 2);
        assert_eq!(names.secure(MESH, b"A"), b"A078");
        names.remove(MESH, &last, 2);
        assert_eq!(names.secure(MESH, b"A"), b"A001");
        assert_eq!(names.find(MESH, b"A77"), None);
        // One that is not the largest, and one of two that are.
        for (name, when) in [("A5", 3), ("A9", 4), ("A09", 5)] {
            names.add(MESH, &Arc::from(name.as_bytes()), when, when as u32);
        }
        names.remove(MESH, &Arc::from(&b"A5"[..]), 3);
        assert_eq!(names.secure(MESH, b"A"), b"A010");
        names.remove(MESH, &Arc::from(&b"A9"[..]), 4);
        assert_eq!(names.secure(MESH, b"A"), b"A010");
        names.remove(MESH, &Arc::from(&b"A09"[..]), 5);
        assert_eq!(names.secure(MESH, b"A"), b"A001");
    }
}
