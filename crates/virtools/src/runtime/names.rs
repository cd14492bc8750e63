//! Names of objects by their classes, and names that no other object of a class has
//! (`docs/formats/virtools-runtime.md#4-names`).

use rpds::RedBlackTreeMapSync;
use std::sync::Arc;

/// Which objects of which class have which name.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// Ids by class, name, and the time when they got it.
    ids: RedBlackTreeMapSync<(u32, Arc<[u8]>, u64), u32>,
    /// For names that were given numbers the largest one that is there.
    largest: RedBlackTreeMapSync<(u32, Arc<[u8]>), Option<i32>>,
}

impl Names {
    /// The object of a class that was the first to get a name.
    pub(super) fn find(&self, class_id: u32, name: &[u8]) -> Option<u32> {
        let (key, id) = self.ids.range((class_id, Arc::from(name), 0)..).next()?;
        (key.0 == class_id && &*key.1 == name).then_some(*id)
    }

    /// All objects of a class with a name, in the order in which they got it.
    pub(super) fn find_all<'n>(
        &'n self,
        class_id: u32,
        name: &'n [u8],
    ) -> impl Iterator<Item = u32> + 'n {
        let from = self.ids.range((class_id, Arc::from(name), 0)..);
        let same = from.take_while(move |(key, _)| key.0 == class_id && &*key.1 == name);
        same.map(|(_, id)| *id)
    }

    /// An object got a name.
    pub(super) fn add(&mut self, class_id: u32, name: &Arc<[u8]>, when: u64, id: u32) {
        self.ids.insert_mut((class_id, name.clone(), when), id);
        if self.largest.is_empty() {
            return;
        }
        // Each start of the name may be one that is given numbers.
        for end in 0..name.len() {
            let (start, rest) = name.split_at(end);
            let key = (class_id, Arc::from(start));
            if let Some(largest) = self.largest.get(&key).copied() {
                self.largest.insert_mut(key, largest.max(Some(number(rest))));
            }
        }
    }

    /// An object lost a name.
    pub(super) fn remove(&mut self, class_id: u32, name: &Arc<[u8]>, when: u64) {
        self.ids.remove_mut(&(class_id, name.clone(), when));
        // It may have had the largest number.
        self.largest = RedBlackTreeMapSync::default();
    }

    /// A name with three digits behind it: one more than the largest number behind the name among the objects of the class;
    /// `000` where there is none.
    pub(super) fn secure(&mut self, class_id: u32, name: &[u8]) -> Vec<u8> {
        let key = (class_id, Arc::from(name));
        let largest = self.largest.get(&key).copied().unwrap_or_else(|| {
            let from = self.ids.range((class_id, Arc::from(name), 0)..);
            let starts = |key: &(u32, Arc<[u8]>, u64)| key.0 == class_id && key.1.starts_with(name);
            let behind = from.map(|(key, _)| key).take_while(|key| starts(key));
            let behind = behind.filter_map(|key| key.1.get(name.len()..));
            behind.filter(|rest| !rest.is_empty()).map(number).max()
        });
        self.largest.insert_mut(key, largest);
        let next = largest.map_or(0, |largest| largest.saturating_add(1));
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

    fn names(all: &[&str]) -> Names {
        let mut names = Names::default();
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
        let mut names = Names::default();
        assert_eq!(names.secure(MESH, b"A"), b"A000");
        names.add(MESH, &Arc::from(&b"A000"[..]), 1, 1);
        assert_eq!(names.secure(MESH, b"A"), b"A001");
        let last = Arc::from(&b"A77"[..]);
        names.add(MESH, &last, 2, 2);
        assert_eq!(names.secure(MESH, b"A"), b"A078");
        names.remove(MESH, &last, 2);
        assert_eq!(names.secure(MESH, b"A"), b"A001");
        assert_eq!(names.find(MESH, b"A77"), None);
    }
}
