//! Names of objects by their classes, and names that no other object of a class has
//! (`docs/formats/virtools-runtime.md#4-names`).

use std::collections::BTreeMap;

/// Which objects of a class have which name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// Ids by their names, in the order in which they got them.
    ids: BTreeMap<Vec<u8>, Vec<u32>>,
    /// For names that were given numbers the largest one that is there.
    largest: BTreeMap<Vec<u8>, Option<i32>>,
}

impl Names {
    /// The first object that got a name.
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        self.ids.get(name)?.first().copied()
    }

    /// An object got a name.
    pub fn add(&mut self, name: &[u8], id: u32) {
        self.ids.entry(name.to_vec()).or_default().push(id);
        // Each start of the name may be one that is given numbers.
        for end in 0..name.len() {
            let (start, rest) = name.split_at(end);
            if let Some(largest) = self.largest.get_mut(start) {
                *largest = (*largest).max(Some(number(rest)));
            }
        }
    }

    /// An object lost a name.
    pub fn remove(&mut self, name: &[u8], id: u32) {
        let Some(ids) = self.ids.get_mut(name) else { return };
        ids.retain(|other| *other != id);
        if ids.is_empty() {
            self.ids.remove(name);
            // It may have had the largest number.
            self.largest.clear();
        }
    }

    /// A name with three digits behind it: one more than the largest number behind the name among the objects of the class;
    /// `000` where there is none.
    pub fn secure(&mut self, name: &[u8]) -> Vec<u8> {
        let ids = &self.ids;
        let largest = self.largest.entry(name.to_vec()).or_insert_with(|| {
            let from = ids.range(name.to_vec()..).map(|(other, _)| other.strip_prefix(name));
            let behind = from.map_while(|rest| rest).filter(|rest| !rest.is_empty());
            behind.map(number).max()
        });
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

    #[test]
    fn numbers_go_on_behind_the_largest_one() {
        let secure = |others: &[&str]| {
            let mut names = Names::default();
            others.iter().zip(1..).for_each(|(name, id)| names.add(name.as_bytes(), id));
            String::from_utf8(names.secure(b"Ball")).unwrap()
        };
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
        assert_eq!(names.secure(b"A"), b"A000");
        names.add(b"A000", 1);
        assert_eq!(names.secure(b"A"), b"A001");
        names.add(b"A77", 2);
        assert_eq!(names.secure(b"A"), b"A078");
        names.remove(b"A77", 2);
        assert_eq!(names.secure(b"A"), b"A001");
        assert_eq!(names.find(b"A77"), None);
    }
}
