//! Maps: read to values of their own, and written from them.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod common;

use common::*;
use spellforce::{
    cff::{ChunkFile, Chunks},
    map::{BINDSTONE, Kind, Map, PORTAL},
};
use spelunk_core::{Bytes, Collect, Task};
use spelunk_fixtures::{corpus, samples};
use std::sync::Arc;

/// Reads a map, and tells what is reported.
fn read(bytes: &[u8]) -> (Map, Collect) {
    let mut sink = Collect::default();
    let mut task = Task::new(budget(bytes), &mut sink);
    let file = ChunkFile::open(Arc::new(Bytes::copy_from_slice(bytes)), &mut task).unwrap();
    let map = Map::read(&file, &mut task).unwrap();
    (map, sink)
}

fn read_sound(bytes: &[u8]) -> Map {
    let (map, sink) = read(bytes);
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    map
}

#[test]
fn the_synthetic_maps_of_the_corpus_are_what_their_manifest_says() {
    let Some(files) = corpus::files("spellforce/synthetic", &["map"]) else { return };
    let manifest = corpus::text("spellforce/synthetic/manifest.json").unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(files.len(), 3);
    for file in files {
        let (container, _) = opened(&file.bytes);
        let chunks: &Chunks = container.as_any().downcast_ref().unwrap();
        let known = &manifest[&file.name];
        assert_eq!(known["size"], file.bytes.len());
        assert_eq!(known["chunks"], chunks.file().chunks().len());
        let ids = known["ids"].as_array().unwrap().iter().map(|id| id.as_i64().unwrap());
        let has: std::collections::BTreeSet<_> =
            chunks.file().chunks().iter().map(|chunk| i64::from(chunk.id())).collect();
        assert!(ids.eq(has), "{}", file.name);

        let map = read_sound(&file.bytes);
        assert_eq!((map.size, map.zero), (64, 0));
        assert_eq!((map.tiles.len(), map.heights.len()), (64 * 64, 64 * 64));
        assert_eq!(map.heights[0], 1000);
        let lists =
            [map.tile_definitions.len(), map.texture_ids.len(), map.decoration_groups.len()];
        assert_eq!(lists, [255, 63, 255]);
        assert_eq!((map.movement_flags.len(), map.vision_flags.len()), (3, 2));
        assert_eq!((map.buildings.len(), map.units.len(), map.objects.len()), (1, 2, 6));
        assert_eq!((map.interactive.len(), map.portals.len(), map.lakes.len()), (3, 1, 2));
        assert_eq!((map.spawns.len(), map.weather.len(), map.unit_groups.len()), (2, 8, 2));
        assert_eq!(map.spawns[1].x.get(), 52);
        assert_eq!(map.units[1].npc_id.get(), 1234);
        assert_eq!(map.interactive[0].object_id.get(), BINDSTONE);
        assert!(map.objects.iter().all(|object| object.object_id.get() != PORTAL));
        let kind = Kind::of(chunks.file());
        let told = file.name.contains(match kind {
            Kind::Campaign => "campaign",
            Kind::Multiplayer => "multi",
            Kind::Cooperative => "coop",
        });
        assert!(told, "{kind:?}");
        assert_eq!(map.coop.is_empty(), kind != Kind::Cooperative);
        assert_eq!(map.flag_cells.is_empty(), kind != Kind::Campaign);
        assert_eq!(map.minimap.is_some(), kind != Kind::Campaign);
        assert_eq!(map.teams.is_some(), kind != Kind::Campaign);
    }
}

#[test]
fn fixtures_are_read() {
    for file in [samples::map(), samples::multiplayer_map()] {
        let map = read_sound(&file.build().bytes);
        assert_eq!((map.size, map.heights[16 + 2]), (16, 2 * 40 + 3));
        assert_eq!(map.decoration_at(5, 9), 1);
        assert_eq!(map.lakes[0].depth.get(), 55);
    }
}
