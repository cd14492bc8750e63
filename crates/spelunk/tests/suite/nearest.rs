//! Paths that name nothing are told with those that are near them.

use crate::common::{open, rows};
use spelunk::entries::lookup;
use spelunk_fixtures::samples;

/// A path with a slip of the pen: its last letter but one is gone, where it is long enough.
fn slipped(path: &str) -> Option<String> {
    let letters: Vec<char> = path.chars().collect();
    let gone = letters.len().checked_sub(2)?;
    let is_plain =
        letters.iter().all(|letter| letter.is_ascii_alphanumeric() || "_/".contains(*letter));
    (letters.len() > 8 && is_plain).then(|| {
        letters.iter().enumerate().filter(|(nth, _)| *nth != gone).map(|(_, it)| it).collect()
    })
}

#[test]
fn a_slip_of_the_pen_is_told_with_what_was_meant() {
    let mut tried = 0;
    for sample in samples() {
        let listed = rows(&mut open(sample.name, &sample.fixture.bytes));
        for row in listed.iter().take(40) {
            let text = |key: &str| row[key].as_str().unwrap_or_default();
            let path = match text("path") {
                path if path.starts_with('#') => format!("{}/{}", text("class"), text("name")),
                path => path.to_owned(),
            };
            let Some(wrong) = slipped(&path) else { continue };
            let mut opened = open(sample.name, &sample.fixture.bytes);
            // What names one of several is told with them.
            let Err(error) = lookup::find_one(&mut opened, &wrong) else { continue };
            if lookup::find_one(&mut opened, &path).is_err() {
                continue;
            }
            let told = error.to_string();
            assert!(told.contains(&format!("`{path}`")), "{}: {wrong}: {told}", sample.name);
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn a_kind_with_a_slip_of_the_pen_is_told_with_the_one_that_was_meant() {
    let cases = [
        ("level.nmo", "CKMatrial/Wood", "CKMaterial/Wood"),
        ("level.nmo", "wood", "CKMaterial/Wood"),
        ("GameData.cff", "item/1", "items/1"),
    ];
    for (name, wrong, meant) in cases {
        let sample = samples().into_iter().find(|sample| sample.name == name).unwrap();
        let mut opened = open(name, &sample.fixture.bytes);
        let told = lookup::find_one(&mut opened, wrong).unwrap_err().to_string();
        assert!(told.contains(&format!("`{meant}`")), "{wrong}: {told}");
    }
}

#[test]
fn globs_mean_what_they_match_and_paths_without_them_one_entry_in_any_case() {
    let sample = samples().into_iter().find(|sample| sample.name == "level.nmo").unwrap();
    let mut opened = open("level.nmo", &sample.fixture.bytes);
    let mut matching = |path: &str| lookup::matching(&mut opened, path).unwrap();
    let all = matching("*");
    assert!(all.len() > 5 && all.iter().all(|path| path.starts_with('#')), "{all:?}");
    assert_eq!(matching("ckmaterial/*"), matching("CKMaterial/W*"));
    assert_eq!(matching("ckmaterial/WOOD"), matching("CKMaterial/*"));
    // What names something is itself, and so is what matches nothing.
    assert_eq!(matching("CKMaterial/Wood"), ["CKMaterial/Wood"]);
    assert_eq!(matching("CKMaterial/Steel"), ["CKMaterial/Steel"]);
    assert_eq!(matching("Wood"), ["Wood"], "a name alone is no path");
}
