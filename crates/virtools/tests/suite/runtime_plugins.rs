//! What files need of an engine, and what a registry has.

use spelunk_core::{Budget, Bytes, Limits, Strict, Task};
use spelunk_fixtures::{
    corpus, samples,
    virtools::{PluginGroup, VirtoolsFile},
};
use std::collections::BTreeMap;
use test_support::{json::truth, task::budget};
use virtools::{
    File, codes,
    runtime::plugins::{self, Component, Registry},
};

const MANAGER: [u32; 2] = [0x4F24_3100, 0x28AB_3F51];
const BLOCK: [u32; 2] = [0x0123_4567, 0x89AB_CDEF];

fn open(bytes: Vec<u8>) -> File {
    let mut sink = Strict;
    let mut task = Task::new(Budget::new(Limits::for_len(bytes.len() as u64)), &mut sink);
    File::read_from(&Bytes::from(bytes), &mut task).unwrap()
}

/// The GUIDs that are missing, with their categories.
fn missing(file: &File, registry: &Registry) -> Vec<(u32, [u32; 2])> {
    let checked = registry.check(file, &mut budget(1 << 20)).unwrap();
    checked.iter().flat_map(|group| group.missing().map(|guid| (group.category, guid))).collect()
}

#[test]
fn plugins_are_found_by_category_and_prototypes_among_behaviours() {
    let mut registry = Registry::new();
    registry.add_plugin(3, MANAGER, Some("Sectors"));
    registry.add_plugin(5, MANAGER, None);
    registry.add_prototype(BLOCK, Some("Wait"));
    let found = |guid, category| registry.find(guid, category).map(|it| (it.category, it.name));
    assert_eq!(found(MANAGER, Some(3)), Some((3, Some("Sectors"))));
    assert_eq!(found(MANAGER, Some(5)), Some((5, None)));
    assert_eq!(found(MANAGER, Some(4)), None);
    assert_eq!(found(MANAGER, None), Some((3, Some("Sectors"))), "the lowest category first");
    assert_eq!(found(BLOCK, Some(4)), Some((4, Some("Wait"))));
    assert_eq!(found(BLOCK, Some(3)), None, "a prototype is no manager");
    assert_eq!(found(BLOCK, None), Some((4, Some("Wait"))));
    // A plugin comes before the prototype of its GUID.
    registry.add_plugin(4, BLOCK, Some("Blocks.dll"));
    let plugin = Component { category: 4, name: Some("Blocks.dll") };
    assert_eq!(registry.find(BLOCK, Some(4)), Some(plugin));
}

#[test]
fn zeros_are_never_missing_and_repeats_are_told_once() {
    let level = samples::level();
    let mut repeated = level.clone();
    repeated.plugins[1].guids.extend([(BLOCK[0], BLOCK[1]), (7, 0), (BLOCK[0], BLOCK[1])]);
    let file = open(repeated.build().bytes);
    assert_eq!(missing(&file, &Registry::new()), [(3, MANAGER), (4, BLOCK), (4, [7, 0])]);
    let mut registry = Registry::new();
    registry.add_prototype(BLOCK, None);
    let checked = registry.check(&file, &mut budget(1 << 20)).unwrap();
    assert_eq!(checked[0].guids, [(MANAGER, false)]);
    let blocks = [
        (BLOCK, true),
        ([0, 0], true),
        ([0, 0], true),
        (BLOCK, true),
        ([7, 0], false),
        (BLOCK, true),
    ];
    assert_eq!(checked[1].guids, blocks, "the list stays as it is");

    let fault = plugins::fault(&file, &checked).unwrap();
    assert_eq!(fault.code().id, codes::PLUGINS_MISSING.id);
    assert_eq!(
        (fault.path().as_str(), fault.found_value().to_string().as_str()),
        ("plugins", "2 of them")
    );
    // Where the groups lie in Header1, and how long they are.
    let place = fault.place().unwrap();
    assert_eq!((place.space.to_string().as_str(), place.len), ("header1", 8 + 8 + 8 + 6 * 8));

    registry.add_plugin(3, MANAGER, None);
    registry.add_plugin(4, [7, 0], None);
    let checked = registry.check(&file, &mut budget(1 << 20)).unwrap();
    assert!(plugins::fault(&file, &checked).is_none());
}

#[test]
fn old_files_tell_by_their_building_blocks() {
    let new = open(samples::gameplay().build().bytes);
    let listed = missing(&new, &Registry::new());
    assert_eq!(listed.len(), 2);
    for file_version in [4, 7] {
        let old = VirtoolsFile { file_version, plugins: Vec::new(), ..samples::gameplay() };
        let old = open(old.build().bytes);
        assert_eq!(missing(&old, &Registry::new()), listed, "FileVersion {file_version}");
        let checked = Registry::new().check(&old, &mut budget(1 << 20)).unwrap();
        assert!(plugins::fault(&old, &checked).unwrap().place().is_none(), "no table, no place");
        let uses = plugins::uses(&old, &mut budget(1 << 20)).unwrap();
        // Below FileVersion 7 names stand in the chunks, and these have none.
        let name = |name: &[u8]| if file_version < 7 { Vec::new() } else { name.to_vec() };
        let names: Vec<_> = uses.values().flat_map(|uses| uses.names.iter()).collect();
        assert_eq!(names, [(&name(b"Wait"), &1), (&name(b"Send Message"), &1)], "{file_version}");
        let guids: Vec<_> = uses.keys().copied().collect();
        let mut expected: Vec<_> = listed.iter().map(|(_, guid)| *guid).collect();
        expected.sort_unstable();
        assert_eq!(guids, expected);
    }
}

#[test]
fn a_file_that_needs_nothing_has_nothing_to_miss() {
    let none = VirtoolsFile { plugins: Vec::new(), ..samples::level() };
    assert_eq!(missing(&open(none.build().bytes), &Registry::new()), []);
    let zero = PluginGroup { category: 4, guids: vec![(0, 0)] };
    let zeros = VirtoolsFile { plugins: vec![zero], ..samples::level() };
    assert_eq!(missing(&open(zeros.build().bytes), &Registry::new()), []);
}

/// Against an empty registry, real files lack all that they name but zeros and repeats.
#[test]
fn real_files_miss_what_they_name() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let (mut with_zeros, mut with_repeats) = (0, 0);
    for real in files {
        let truth = truth(corpus::text(&format!("truth/virtools/{}.json", real.name))).unwrap();
        let categories = &truth["header"]["plugin_categories"];
        let categories: BTreeMap<u32, usize> =
            serde_json::from_value::<BTreeMap<String, usize>>(categories.clone())
                .unwrap()
                .into_iter()
                .map(|(category, count)| (category.parse().unwrap(), count))
                .collect();
        let file = open(real.bytes.to_vec());
        let mut budget = Budget::new(Limits::for_len(real.bytes.len() as u64));
        let checked = Registry::new().check(&file, &mut budget).unwrap();
        let counts: BTreeMap<u32, usize> =
            checked.iter().map(|group| (group.category, group.guids.len())).collect();
        assert_eq!(counts, categories, "{}", real.name);
        for group in &checked {
            let mut guids: Vec<[u32; 2]> = group.guids.iter().map(|(guid, _)| *guid).collect();
            let zeros = guids.iter().filter(|guid| **guid == [0, 0]).count();
            with_zeros += usize::from(zeros > 0);
            guids.retain(|guid| *guid != [0, 0]);
            let all = guids.len();
            guids.sort_unstable();
            guids.dedup();
            with_repeats += usize::from(guids.len() < all);
            let mut missing: Vec<[u32; 2]> = group.missing().collect();
            missing.sort_unstable();
            assert_eq!(missing, guids, "{}", real.name);
        }
        let uses = plugins::uses(&file, &mut budget).unwrap();
        let blocks = truth["behaviors"]["building_blocks"].as_u64().unwrap_or_default();
        assert_eq!(uses.values().map(|uses| uses.count).sum::<u64>(), blocks, "{}", real.name);
    }
    assert_eq!((with_zeros, with_repeats), (8, 1));
}
