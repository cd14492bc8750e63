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
            let path = folder.join(file).with_extension("rs");
            let text =
                fs::read_to_string(&path).unwrap_or_else(|_| panic!("no {}", path.display()));
            let there = test == "*" || text.contains(&format!("fn {test}("));
            assert!(there && text.contains("#[test]"), "{file}::{test}");
        }
    }
    // A head for each table, then a row for each of the eight and eight points.
    assert!(rows == 18 && named > 30, "{rows} {named}");
}
