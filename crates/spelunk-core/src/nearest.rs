//! The names nearest to one that does not exist, for errors.

use std::collections::HashSet;

/// Most names that an error lists.
pub const MOST: usize = 3;
/// Names further away than this share of their letters are not meant.
const FURTHEST: f64 = 0.45;
/// Longer names are compared by their ends.
const LONGEST: usize = 96;
/// Most pairs of letters that are compared, so that a million names take no more than a blink.
const WORK: usize = 1 << 26;

/// Gathers the names nearest to a wanted one.
#[derive(Debug)]
pub struct Nearest {
    wanted: String,
    /// The last step of what is wanted.
    wanted_last: String,
    /// Distance of each name, the nearest first.
    found: Vec<(f64, String)>,
    known: HashSet<String>,
    work: usize,
}

impl Nearest {
    /// Looks for names near `wanted`.
    pub fn to(wanted: &str) -> Nearest {
        let wanted = end(wanted).to_lowercase();
        let wanted_last = last(&wanted).to_owned();
        Nearest { wanted, wanted_last, found: Vec::new(), known: HashSet::new(), work: WORK }
    }

    /// Looks for names near `wanted` among these, until enough was looked at.
    pub fn among<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> Nearest {
        let mut nearest = Nearest::to(wanted);
        let _ = names.into_iter().all(|name| nearest.offer(name));
        nearest
    }

    /// Looks at a name. It is near where all of it is, or its last step; gives `false` when enough was looked at.
    pub fn offer(&mut self, name: &str) -> bool {
        let short = end(name).to_lowercase();
        let whole = self.distance(&short, &self.wanted);
        // What has the wanted name in another place comes behind what has a like name in its place.
        let step = self.distance(last(&short), &self.wanted_last) * 0.9 + 0.05;
        let far = whole.min(step);
        let cost = short.len().saturating_mul(self.wanted.len().max(1));
        let left = self.work.checked_sub(cost);
        self.work = left.unwrap_or(0);
        let place = self.found.partition_point(|(other, _)| *other <= far);
        if far < FURTHEST && place < MOST && !self.known.contains(name) {
            self.found.insert(place, (far, name.to_owned()));
            self.known = self.found.iter().take(MOST).map(|(_, name)| name.clone()).collect();
            self.found.truncate(MOST);
        }
        left.is_some()
    }

    /// Distance of two names, as a share of their letters; 1 where their lengths alone keep them apart.
    fn distance(&self, name: &str, wanted: &str) -> f64 {
        let (longer, shorter) = (name.len().max(wanted.len()), name.len().min(wanted.len()));
        let worst = match self.found.get(MOST.saturating_sub(1)) {
            Some((far, _)) => *far,
            None => FURTHEST,
        };
        if longer == 0 || (longer.saturating_sub(shorter)) as f64 > worst * longer as f64 * 1.2 {
            return 1.0;
        }
        1.0 - strsim::normalized_damerau_levenshtein(name, wanted)
    }

    /// The names, the nearest first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.found.iter().map(|(_, name)| name.as_str())
    }

    /// The names that are there, as a sentence continues with them: `` `Wood`, `Wool` ``; `None` where nothing is near.
    pub fn suggestion(&self, mut is_there: impl FnMut(&str) -> bool) -> Option<String> {
        let names: Vec<&str> = self.names().filter(|name| is_there(name)).collect();
        quoted(&names)
    }
}

/// What was found instead of a name, with the names near it among those that there are: `` `wod` (near it: `Wood`) ``.
pub fn with_near<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    near_it(&format!("`{wanted}`"), Nearest::among(wanted, names).suggestion(|_| true))
}

/// What was found, with the names near it as [`quoted`] has them.
pub fn near_it(found: &str, near: Option<String>) -> String {
    match near {
        Some(near) => format!("{found} (near it: {near})"),
        None => found.to_owned(),
    }
}

/// Names as a sentence continues with them; `None` where there are none.
pub fn quoted<N: std::fmt::Display>(names: &[N]) -> Option<String> {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The last step of a path of entries or fields.
fn last(path: &str) -> &str {
    path.rsplit(['/', '.']).next().unwrap_or(path)
}

/// The end of a name that is too long to be compared as a whole.
fn end(name: &str) -> &str {
    let over = name.char_indices().rev().nth(LONGEST);
    over.and_then(|(at, _)| name.get(at..)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(wanted: &str, names: &[&str]) -> Option<String> {
        let mut nearest = Nearest::to(wanted);
        for name in names {
            assert!(nearest.offer(name));
        }
        nearest.suggestion(|_| true)
    }

    #[test]
    fn slips_of_the_pen_and_names_in_other_places_are_near() {
        let names = ["CKMaterial/Wood", "CKMesh/Cube_Mesh", "CKTexture/Wall", "CKGroup/All"];
        assert_eq!(near("CKMaterial/wod", &names).as_deref(), Some("`CKMaterial/Wood`"));
        assert_eq!(near("Wood", &names).as_deref(), Some("`CKMaterial/Wood`"));
        assert_eq!(near("ckmesh/cube_mesh", &names).as_deref(), Some("`CKMesh/Cube_Mesh`"));
        assert_eq!(near("no-such-entry", &names), None);
        assert_eq!(near("", &names), None);
        assert_eq!(near("Wood", &[]), None);
    }

    #[test]
    fn three_are_told_each_once_the_nearest_first() {
        let names = ["a/stone4", "a/stone1", "a/stone", "a/stone", "a/stone2", "a/stone3"];
        assert_eq!(near("a/stone", &names).as_deref(), Some("`a/stone`, `a/stone4`, `a/stone1`"));
    }

    #[test]
    fn work_is_bounded() {
        let mut nearest = Nearest::to(&"x".repeat(1000));
        let name = "y".repeat(10_000);
        let looked_at = (0..1_000_000).take_while(|_| nearest.offer(&name)).count();
        assert!(looked_at < 10_000, "{looked_at}");
    }
}
