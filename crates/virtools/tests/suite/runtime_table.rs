//! `RUNTIME.md` names tests that there are.

use std::{fs, path::Path};

#[test]
fn every_test_that_the_table_names_is_there() {
    let page = include_str!("../../RUNTIME.md");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let (mut named, mut rows) = (0, 0);
    let tables = page.split_once("## The guide's tests").unwrap().1;
    for row in tables.lines().filter(|line| line.starts_with("| ")) {
        rows += 1;
        let names = row.split('`').filter_map(|name| name.split_once("::"));
        for (file, test) in names {
            named += 1;
            // What measures memory is a program of its own; all else is the suite.
            let places = [folder.join("suite").join(file), folder.join(file)];
            let mut places = places.map(|path| path.with_extension("rs")).into_iter();
            let path = places.find(|path| path.exists()).unwrap_or_else(|| panic!("no {file}"));
            let text = fs::read_to_string(path).unwrap();
            let there = test == "*" || text.contains(&format!("fn {test}("));
            assert!(there && text.contains("#[test]"), "{file}::{test}");
        }
    }
    // A head for each table, then a row for each of the eight and eight points.
    assert!(rows == 18 && named > 30, "{rows} {named}");
}
