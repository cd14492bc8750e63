//! Maps: read to values of their own, and written from them.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::opened;
use spellforce::{
    cff::{ChunkFile, Chunks},
    map::{BINDSTONE, GameMode, Lake, Map, PORTAL},
};
use spelunk_core::{Budget, Bytes, Collect, Finding, Limits, Severity, Task, scalar::I16};
use spelunk_fixtures::{cff::CffChunk, corpus, mutate::mutate, samples};
use std::sync::Arc;
use test_support::{
    json::truth,
    task::{budget, limits},
};

/// Reads a map, and tells what is reported.
fn read(bytes: &[u8]) -> (Map, Collect) {
    let mut sink = Collect::default();
    let mut task = Task::new(budget(bytes.len()), &mut sink);
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
    let manifest = truth(corpus::text("spellforce/synthetic/manifest.json")).unwrap();
    assert_eq!(files.len(), 3);
    for file in files {
        let (container, _) = opened(&file.bytes);
        let chunks: &Chunks = container.model().unwrap();
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
        let kind = GameMode::of(chunks.file());
        let told = file.name.contains(match kind {
            GameMode::Campaign => "campaign",
            GameMode::Multiplayer => "multi",
            GameMode::Cooperative => "coop",
        });
        assert!(told, "{kind:?}");
        assert_eq!(map.coop.is_empty(), kind != GameMode::Cooperative);
        assert_eq!(map.flag_cells.is_empty(), kind != GameMode::Campaign);
        assert_eq!(map.minimap.is_some(), kind != GameMode::Campaign);
        assert_eq!(map.teams.is_some(), kind != GameMode::Campaign);
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

/// A map of 5 by 5 cells with these heights.
fn ground(heights: [[u16; 5]; 5]) -> Map {
    let mut map = Map::new(5, &mut budget(0)).unwrap();
    map.heights = heights.as_flattened().to_vec();
    map
}

fn cells(map: &Map, x: i16, y: i16, depth: i16) -> Vec<u32> {
    let lake = Lake { x: I16::new(x), y: I16::new(y), depth: I16::new(depth), kind: 0 };
    let mut cells = map.lake_cells(&lake, &mut budget(0)).unwrap();
    cells.sort_unstable();
    cells
}

#[test]
fn lakes_fill_what_is_below_their_surface_and_connected_by_sides() {
    let map = ground([
        [9, 9, 9, 9, 9],
        [9, 3, 3, 9, 9],
        [9, 9, 4, 9, 3],
        [9, 9, 9, 3, 9],
        [3, 9, 9, 9, 9],
    ]);
    assert_eq!(cells(&map, 1, 1, 2), [6, 7, 12], "not across corners");
    assert_eq!(cells(&map, 1, 1, 1), [6, 7], "the surface is above the ground, not at it");
    assert_eq!(cells(&map, 1, 1, 0), [0; 0]);
    assert_eq!(cells(&map, 1, 1, -1), [0; 0]);
    assert_eq!(cells(&map, 0, 4, 5), [20], "not around the edge");
    assert_eq!(cells(&map, 4, 2, 5), [14]);
    assert_eq!(cells(&map, 1, 1, 7).len(), 25);
    for (x, y) in [(-1, 0), (0, -1), (5, 0), (0, 5), (i16::MIN, i16::MAX)] {
        assert_eq!(cells(&map, x, y, 50), [0; 0]);
        assert_eq!(map.cell(x, y), None);
    }
    let flat = Map::new(300, &mut budget(0)).unwrap();
    assert_eq!(cells(&flat, 150, 2, i16::MAX).len(), 300 * 300);
    // What it costs is charged before it is done.
    let lake = Lake { x: I16::new(0), y: I16::new(0), depth: I16::new(1), kind: 0 };
    let poor = Limits { steps: 1000, ..limits(0) };
    assert_eq!(flat.lake_cells(&lake, &mut Budget::new(poor)).unwrap_err().code().id, "SP011");
    let poor = Limits { memory: 200_000, ..limits(0) };
    assert_eq!(flat.lake_cells(&lake, &mut Budget::new(poor)).unwrap_err().code().id, "SP010");
}

/// Changes the first chunk of an id, reads the map, and tells the findings: code, place, and the ids with their chunks.
fn damaged(id: i16, change: impl FnOnce(&mut CffChunk)) -> (Map, Vec<(String, String)>) {
    let mut file = samples::multiplayer_map();
    change(file.chunks.iter_mut().find(|chunk| chunk.id == id).unwrap());
    let (map, sink) = read(&file.build().bytes);
    let told = |finding: &Finding| {
        assert_eq!(finding.severity, Severity::Error);
        let place = finding.error.place().unwrap();
        let place = format!("{}:{}+{}", place.space, place.start, place.len);
        (finding.error.code().id.to_owned(), place)
    };
    (map, sink.findings.iter().map(told).collect())
}

#[test]
fn damage_of_a_chunk_is_told_with_its_place_and_the_rest_is_read() {
    let sound = read_sound(&samples::multiplayer_map().build().bytes);
    let position = |id: i16| {
        samples::multiplayer_map().chunks.iter().position(|chunk| chunk.id == id).unwrap()
    };
    let check =
        |id: i16, change: &dyn Fn(&mut CffChunk), code: &str, at: &str, fix: &dyn Fn(&mut Map)| {
            let (mut map, found) = damaged(id, change);
            let at = at.replace("{}", &format!("chunk{}", position(id)));
            assert_eq!(found.len(), 1, "{id} {found:?}");
            assert_eq!((found[0].0.as_str(), &*found[0].1), (code, &*at), "{id}");
            fix(&mut map);
            assert_eq!(map, sound, "{id}");
        };
    let push = |chunk: &mut CffChunk| chunk.payload.bytes.extend([1, 2, 3]);
    let pop = |chunk: &mut CffChunk| {
        chunk.payload.bytes.pop();
    };
    check(12, &push, "MP030", "{}:14+3", &|_| {});
    check(29, &pop, "MP030", "{}:16+15", &|map| map.objects = sound.objects.clone());
    check(40, &push, "MP031", "{}:8+3", &|_| {});
    check(55, &pop, "MP031", "{}:12+7", &|map| map.spawns = sound.spawns.clone());
    check(3, &push, "MP031", "{}:3570+3", &|_| {});
    check(31, &pop, "MP032", "{}:0+1048575", &|map| map.decoration = sound.decoration.clone());
    check(2, &pop, "MP032", "{}:3+255", &|map| map.tiles = sound.tiles.clone());
    check(53, &push, "MP030", "{}:228+3", &|_| {});
    let negative = |chunk: &mut CffChunk| chunk.payload.bytes[3] = 0xff;
    check(53, &negative, "MP037", "{}:0+4", &|map| {
        (map.teams, map.minimap) = (sound.teams.clone(), sound.minimap.clone());
    });
    check(53, &pop, "MP037", "{}:28+8", &|map| map.minimap = sound.minimap.clone());
}

#[test]
fn rows_of_heights_that_are_damaged_are_zeros() {
    let sound = read_sound(&samples::map().build().bytes);
    let broken = |change: &dyn Fn(&mut Vec<CffChunk>), codes: &[&str], zeros: &[usize]| {
        let mut file = samples::map();
        change(&mut file.chunks);
        let (map, sink) = read(&file.build().bytes);
        let found: Vec<_> = sink.findings.iter().map(|of| of.error.code().id).collect();
        assert_eq!(found, codes);
        let mut wanted = sound.clone();
        for y in zeros {
            wanted.heights[y * 16..(y + 1) * 16].fill(0);
        }
        assert_eq!(map, wanted);
    };
    let row = |chunks: &[CffChunk], y: i16| -> usize {
        chunks.iter().position(|chunk| (chunk.id, chunk.occurrence) == (6, y)).unwrap()
    };
    broken(
        &|chunks| {
            let y = row(chunks, 4);
            chunks.remove(y);
        },
        &["MP034"],
        &[4],
    );
    broken(
        &|chunks| {
            let y = row(chunks, 15);
            chunks.remove(y);
        },
        &["MP034"],
        &[15],
    );
    broken(
        &|chunks| {
            let y = row(chunks, 3);
            chunks[y].payload.bytes.pop();
        },
        &["MP032"],
        &[3],
    );
    broken(
        &|chunks| {
            let y = row(chunks, 3);
            chunks[y].occurrence = 99;
        },
        &["MP034", "MP035"],
        &[3],
    );
    broken(
        &|chunks| {
            let y = row(chunks, 0);
            chunks[y].occurrence = -1;
        },
        &["MP035", "MP034"],
        &[0],
    );
    // Without chunk 2 there is no size but the number of rows.
    let mut file = samples::map();
    file.chunks.remove(0);
    let (map, sink) = read(&file.build().bytes);
    assert_eq!(sink.findings[0].error.code().id, "MP033");
    assert_eq!((map.size, map.tiles.len()), (16, 0));
    assert_eq!(map.heights, sound.heights);
}

#[test]
fn mutated_maps_do_no_harm() {
    let file = samples::multiplayer_map().build().bytes;
    for seed in 0..400 {
        let bytes = mutate(&file, seed);
        let mut sink = Collect::default();
        let mut task = Task::new(budget(bytes.len()), &mut sink);
        let source = Arc::new(Bytes::from(bytes));
        let Ok(file) = ChunkFile::open(source, &mut task) else { continue };
        let Ok(map) = Map::read(&file, &mut task) else { continue };
        for lake in &map.lakes {
            let _ = map.lake_cells(lake, &mut task.budget);
        }
        let _ = map.to_draft(&mut task).and_then(|draft| draft.source(&mut task));
        let _ = map.to_draft_of(&file, &mut task).and_then(|draft| draft.source(&mut task));
    }
}
