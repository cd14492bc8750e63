//! The rules about caches, each on a cache that breaks it alone.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::opened;
use spellforce::pakdata::{
    Paks,
    lint::{RULES, Selection, lint},
};
use spelunk_core::{Collect, Task};
use spelunk_fixtures::{
    Fixture,
    pakdata::{CachedPak, PakData},
    samples,
};
use test_support::task::budget;

/// The findings, as text.
fn told(bytes: &[u8]) -> Vec<String> {
    let (container, _) = opened(bytes);
    let paks = container.model::<Paks>().expect("a cache");
    let mut sink = Collect::default();
    let all = Selection::default();
    lint(paks.cache(), &all, &mut Task::new(budget(bytes.len()), &mut sink)).unwrap();
    for finding in &sink.findings {
        assert!(RULES.iter().any(|rule| rule.code.id == finding.error.code().id));
    }
    sink.findings.iter().map(|finding| finding.error.to_string()).collect()
}

fn cache(keys: &[&str]) -> Fixture {
    let pak = |key: &&str| CachedPak {
        key: (*key).to_owned(),
        path: format!("C:\\Game\\pak\\{key}"),
        pak: samples::pak(),
    };
    PakData { paks: keys.iter().map(pak).collect(), trailing: Vec::new() }.build()
}

#[test]
fn a_cache_as_the_editor_writes_it_passes() {
    assert_eq!(told(&cache(&["sf0.pak", "sf1.pak"]).bytes), [""; 0]);
}

#[test]
fn an_archive_that_is_listed_twice_is_told() {
    let told = told(&cache(&["sf0.pak", "sf1.pak", "SF0.PAK"]).bytes);
    assert!(
        told.len() == 1 && told[0].ends_with("[PD011]") && told[0].contains("SF0.PAK"),
        "{told:?}"
    );
}

#[test]
fn a_file_that_reaches_past_its_archive_is_told() {
    let cache = cache(&["sf0.pak"]);
    let mut bytes = cache.bytes.clone();
    bytes[cache.range_of("paks[0].entries[0].size")].copy_from_slice(&i32::MAX.to_le_bytes());
    let told = told(&bytes);
    assert!(told.len() == 1 && told[0].ends_with("[PD012]"), "{told:?}");
    assert!(told[0].contains("at most"), "{told:?}");
}
