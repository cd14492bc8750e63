//! Maps as pictures, meshes and tables; layers out and in. The maps are made by our writer: no real one is at hand. What is drawn
//! is left beside the tests, to be looked at.

use crate::common::open;
use serde_json::{Value, json};
use spellforce::{
    cff::ChunkFile,
    map::{
        Building, Cell, CoopParameters, InteractiveObject, Lake, Map, Object, Portal, Spawn, Unit,
    },
};
use spelunk::{
    Bytes, Limits, Opened, Options, Result, WriteOptions,
    models::export::gltf,
    models::maps::{
        self, Grid, GridLayer, Land,
        picture::{self, Picture, View},
    },
};
use spelunk_core::{
    Task,
    scalar::{I16, U16},
};
use spelunk_fixtures::{judged, mutate::mutate, random::Random, samples};
use std::{fs, path::Path, sync::Arc};
use test_support::task::{unlimited, with_limits};
use zerocopy::FromZeros;

fn written(mut opened: Opened) -> Vec<u8> {
    let mut out = Vec::new();
    let options = WriteOptions::default();
    opened.run(|container, task| container.write(&mut out, &options, task)).unwrap();
    out
}

fn file(map: &Map) -> Vec<u8> {
    let source = with_limits(Limits::unlimited(), |task| map.to_source(task)).0.unwrap();
    let mut bytes = vec![0; source.len() as usize];
    source.read_at(0, &mut bytes).unwrap();
    bytes
}

/// A land with a mountain in the middle, a valley with water, a hole with lava, and some of everything.
fn land(size: u16) -> Map {
    let mut map = Map::new(size, &mut unlimited()).unwrap();
    let side = usize::from(size);
    let mut random = Random(u64::from(size));
    let mut tiles = Vec::new();
    for (y, x) in (0..side).flat_map(|y| (0..side).map(move |x| (y, x))) {
        let [u, v] = [x, y].map(|at| at as f32 / side as f32 * 2.0 - 1.0);
        let mountain = 9000.0 * (-6.0 * (u * u + v * v)).exp();
        let hills = 500.0 * ((u * 9.0).sin() + (v * 11.0 + u * 4.0).cos());
        let valley = -4000.0 * (-30.0 * (u - 0.55).powi(2)).exp();
        let hole = -3500.0 * (-90.0 * ((u + 0.6).powi(2) + (v + 0.6).powi(2))).exp();
        let height = 6000.0 + mountain + hills + valley + hole;
        map.heights[y * side + x] = height as u16;
        tiles.push(1 + (height as u32 / 900 % 28) as u8);
    }
    map.tiles = tiles.into();
    let place = |u: f32| I16::new((u * f32::from(size)) as i16);
    let lake = |x, y, depth, kind| Lake { x: place(x), y: place(y), depth: I16::new(depth), kind };
    map.lakes = vec![lake(0.775, 0.5, 1500, 0), lake(0.2, 0.2, 1200, 2)];
    let anywhere = |random: &mut Random| I16::new(random.below(side) as i16);
    let mut decoration = vec![0; 1 << 20];
    for _ in 0..side * 4 {
        let (x, y) = (random.below(side), random.below(side));
        decoration[x * 1024 + y] = 1 + (random.below(9) as u8);
        let (x, y) = (I16::new((x / 2) as i16), I16::new((y / 3) as i16));
        map.movement_flags.push(Cell { x, y });
    }
    map.movement_flags.sort_by_key(|cell| (cell.y.get(), cell.x.get()));
    map.movement_flags.dedup();
    map.vision_flags = map.movement_flags.iter().step_by(2).copied().collect();
    map.decoration = decoration.into();
    for n in 0..60 {
        let (x, y) = (anywhere(&mut random), anywhere(&mut random));
        map.units.push(Unit { x, y, unit_id: I16::new(100 + n), ..Unit::new_zeroed() });
        let (x, y) = (anywhere(&mut random), anywhere(&mut random));
        map.objects.push(Object { x, y, object_id: I16::new(n), ..Object::new_zeroed() });
    }
    for n in 0..8 {
        let (x, y) = (anywhere(&mut random), anywhere(&mut random));
        map.buildings.push(Building { x, y, building_id: n, level: 1, ..Building::new_zeroed() });
    }
    let (x, y) = (place(0.4), place(0.8));
    map.spawns.push(Spawn { x, y, text_id: U16::new(7), ..Spawn::new_zeroed() });
    let object_id = I16::new(769);
    map.interactive.push(InteractiveObject { x, y, object_id, ..InteractiveObject::new_zeroed() });
    let (x, y) = (place(0.1), place(0.9));
    map.portals.push(Portal { x, y, portal_id: I16::new(3), ..Portal::new_zeroed() });
    map.coop = vec![CoopParameters::new_zeroed(); 3];
    map
}

/// Keeps a picture for those who want to look at it, and leaves a model to be checked by others.
pub fn keep(name: &str, bytes: &[u8]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("maps");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), bytes).unwrap();
    if name.ends_with(".glb") {
        judged::leave(judged::MODELS, name, bytes);
    }
}

fn draw(map: &dyn Land, view: View, scale: Option<u32>) -> Picture {
    with_limits(Limits::unlimited(), |task| picture::draw(map, view, scale, task)).0.unwrap()
}

fn png(grid: &Grid) -> Vec<u8> {
    let mut bytes = Vec::new();
    maps::write_png(grid, &mut bytes).unwrap();
    bytes
}

#[test]
fn layers_go_out_and_come_back() {
    for size in [1, 64, 256] {
        let map = land(size);
        for layer in GridLayer::FIRST {
            let grid = map.grid(layer).unwrap();
            let bytes = png(&grid);
            keep(&format!("{}-{size}.png", layer.name()), &bytes);
            assert_eq!(maps::read_png(&bytes, layer, 1 << 24).unwrap(), grid);
            assert_eq!(Grid::from_csv(grid.csv().as_bytes(), layer).unwrap(), grid);
            // Into the map that it is of, and into an empty one.
            let bytes = file(&map);
            let again = maps::put(&mut open("a map", &bytes), &grid).unwrap();
            let again = Opened::open(again, &Options::default()).unwrap();
            assert!(written(again) == bytes, "{} of {size}", layer.name());
            let empty = Map::new(size, &mut unlimited()).unwrap();
            let new = maps::put(&mut open("a map", &file(&empty)), &grid).unwrap();
            let new = maps::read(&mut Opened::open(new, &Options::default()).unwrap()).unwrap();
            assert_eq!(new.grid(layer).unwrap(), grid);
            for other in GridLayer::ALL.into_iter().filter(|other| *other != layer) {
                assert_eq!(new.grid(other), empty.grid(other));
            }
        }
    }
}

#[test]
fn pictures_that_other_programs_wrote_are_read() {
    let map = land(64);
    for layer in [GridLayer::Tiles, GridLayer::Decoration, GridLayer::Vision] {
        let grid = map.grid(layer).unwrap();
        let image = image::load_from_memory(&png(&grid)).unwrap();
        for image in [image.to_rgb8().into(), image::DynamicImage::from(image.to_rgba8())] {
            let mut bytes = std::io::Cursor::new(Vec::new());
            image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
            assert_eq!(maps::read_png(bytes.get_ref(), layer, 1 << 24).unwrap(), grid);
        }
    }
    let heights = map.grid(GridLayer::Heights).unwrap();
    let image = image::load_from_memory(&png(&heights)).unwrap();
    assert_eq!(image.as_luma16().unwrap().as_raw(), &heights.values);
}

#[test]
fn what_no_layer_can_hold_says_where() {
    let error = |result: Result<Grid>, code: &str, told: &str| {
        let error = result.unwrap_err();
        assert_eq!(error.code().id, code, "{error}");
        assert!(error.to_string().contains(told), "{told}: {error}");
    };
    let csv = |text: &str, layer| Grid::from_csv(text.as_bytes(), layer);
    error(csv("1,2\n3\n", GridLayer::Tiles), "SP151", "2 lines, 3 values");
    error(csv("1,2\n3,256\n", GridLayer::Tiles), "SP152", "line 2 > column 2");
    error(csv("1,x\n3,4\n", GridLayer::Heights), "SP152", "`x`");
    let read = |image: image::DynamicImage, layer| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        maps::read_png(bytes.get_ref(), layer, 1 << 20)
    };
    let grey = image::GrayImage::new(4, 4);
    error(read(grey.clone().into(), GridLayer::Heights), "SP152", "16 bits");
    error(read(grey.into(), GridLayer::Tiles), "SP152", "palette");
    error(read(image::RgbImage::new(4, 3).into(), GridLayer::Tiles), "SP151", "4 by 3");
    let red = image::RgbImage::from_pixel(4, 4, image::Rgb([1, 2, 3]));
    error(read(red.into(), GridLayer::Tiles), "SP152", "pixel 0,0: ");
    error(read(image::RgbImage::new(2000, 2000).into(), GridLayer::Tiles), "SP010", "");
    let wide = Grid::new(GridLayer::Tiles, 2, 2, vec![0; 4]);
    let map = file(&land(64));
    let marks = Grid::new(GridLayer::Marks, 64, 64, vec![0; 4096]);
    assert_eq!(maps::put(&mut open("a map", &map), &marks).err().unwrap().code().id, "SP153");
    assert_eq!(maps::put(&mut open("a map", &map), &wide).err().unwrap().code().id, "SP151");
    let gamedata = samples::gamedata().build().bytes;
    assert_eq!(maps::read(&mut open("a map", &gamedata)).unwrap_err().code().id, "SP150");
}

#[test]
fn what_is_drawn_shows_what_is_there() {
    for size in [64, 256, 512, 1024] {
        let map = land(size);
        for view in View::ALL {
            // The large ones take long without optimisation.
            if view == View::Minimap || (size > 256 && view != View::Entities) {
                continue;
            }
            let drawn = draw(&map, view, None);
            let mut bytes = Vec::new();
            drawn.write_png(&mut bytes).unwrap();
            keep(&format!("{}-{size}.png", view.name()), &bytes);
            let image = image::load_from_memory(&bytes).unwrap().to_rgb8();
            assert_eq!(image.dimensions(), (drawn.width, drawn.height));
            assert_eq!(image.as_raw(), drawn.pixels.as_flattened());
        }
        let at = |picture: &Picture, u: f32, v: f32| {
            let [x, y] = [u, v].map(|at| (at * f32::from(size)) as usize);
            picture.pixels[y * picture.width as usize + x]
        };
        let relief = draw(&map, View::Relief, None);
        assert_eq!((relief.width, relief.height), (size.into(), size.into()));
        let [r, g, b] = at(&relief, 0.775, 0.5);
        assert!(b > r && b > g, "water is blue");
        let [r, g, b] = at(&relief, 0.2, 0.2);
        assert!(r > g && g > b, "lava is red");
        // The light comes from the upper left.
        let light = |[r, g, b]: [u8; 3]| u32::from(r) + u32::from(g) + u32::from(b);
        let bare = Map { lakes: Vec::new(), ..map.clone() };
        let textures = draw(&bare, View::Flags, None);
        assert!(light(at(&textures, 0.4, 0.4)) > light(at(&textures, 0.6, 0.6)));
        let entities = draw(&map, View::Entities, None);
        assert!(entities.width > 1024 && entities.height >= 1024);
        let scale = 1024 / u32::from(size);
        let spawn = map.spawns[0];
        let [x, y] = [spawn.x, spawn.y].map(|at| at.get() as u32 * scale + scale / 2);
        assert_eq!(entities.pixels[(y * entities.width + x) as usize], [255; 3]);
    }
}

#[test]
fn the_minimap_is_the_one_that_is_stored() {
    let mut opened = open("a map", &samples::multiplayer_map().build().bytes);
    let map = maps::read(&mut opened).unwrap();
    let drawn = draw(&*map, View::Minimap, None);
    assert_eq!((drawn.width, drawn.height), (8, 8));
    // The first stored pixels, blue first, are the last row.
    assert_eq!(drawn.pixels[56..59], [[0, 0, 0], [3, 2, 1], [6, 4, 2]]);
    let none = with_limits(Limits::unlimited(), |task| {
        picture::draw(&land(64), View::Minimap, None, task)
    })
    .0;
    assert_eq!(none.unwrap_err().code().id, "SP150");
    let large = with_limits(Limits::unlimited(), |task| {
        picture::draw(&land(64), View::Relief, Some(300), task)
    })
    .0;
    assert_eq!(large.unwrap_err().code().id, "SP151");
}

#[test]
fn the_ground_is_a_mesh() {
    for size in [1, 2, 64, 300] {
        let map = land(size);
        let model = gltf::terrain(&mut open("a map", &file(&map)), None).unwrap();
        let mut glb = Vec::new();
        model.write_glb(&mut glb).unwrap();
        keep(&format!("land-{size}.glb"), &glb);
        let ::gltf::Gltf { document, blob } = ::gltf::Gltf::from_slice(&glb).unwrap();
        let mut corners = 0;
        let mut triangles = 0;
        for mesh in document.meshes().filter(|mesh| mesh.name().unwrap().starts_with("ground")) {
            for primitive in mesh.primitives() {
                let reader = primitive.reader(|_| blob.as_deref());
                let indices: Vec<_> = reader.read_indices().unwrap().into_u32().collect();
                let positions: Vec<_> = reader.read_positions().unwrap().collect();
                let normals: Vec<_> = reader.read_normals().unwrap().collect();
                corners += positions.len();
                triangles += indices.len() / 3;
                for [x, height, y] in &positions {
                    let cell = map.cell(*x as i16, *y as i16).unwrap();
                    assert!((height - f32::from(map.heights[cell]) * 0.01).abs() < 1e-3);
                }
                // Faces look up, as their normals do.
                for face in indices.chunks(3) {
                    let [a, b, c] = [0, 1, 2].map(|n| positions[face[n] as usize]);
                    let (u, v) = ([b[0] - a[0], b[2] - a[2]], [c[0] - a[0], c[2] - a[2]]);
                    assert!(u[1] * v[0] - u[0] * v[1] > 0.0);
                }
                assert!(normals.iter().all(|[_, up, _]| *up > 0.0));
            }
        }
        let cells = usize::from(size) - 1;
        assert_eq!(triangles, cells * cells * 2, "of {size}");
        assert!(corners >= usize::from(size).pow(2) || size == 1);
        let names: Vec<_> = document.nodes().filter_map(|node| node.name()).collect();
        assert!(size == 1 || names.contains(&"units[0] 100") && names.contains(&"lakes[0]"));
    }
}

#[test]
fn features_tell_what_stands_where() {
    let map = land(64);
    let mut opened = open("a map", &file(&map));
    let pages = opened.code_pages();
    let features = opened.run(|_, task| maps::features(&map, &pages, task)).unwrap();
    assert_eq!(features["type"], "FeatureCollection");
    assert_eq!(features["map"]["size"], 64);
    let all = features["features"].as_array().unwrap();
    let of = |kind: &str| all.iter().filter(|it| it["properties"]["kind"] == kind).count();
    assert_eq!(
        ["units", "objects", "interactive", "buildings", "portals", "spawns", "lakes"].map(of),
        [60, 60, 1, 8, 1, 1, 2]
    );
    // A record with a field of that name has it under another one.
    let interactive = all.iter().find(|it| it["properties"]["kind"] == "interactive").unwrap();
    assert_eq!(interactive["properties"]["record_kind"], 0);
    let unit = &all[0];
    assert_eq!(unit["geometry"]["coordinates"][0], map.units[0].x.get());
    assert_eq!(unit["properties"]["unit_id"], 100);
    let lake = all.iter().find(|it| it["properties"]["kind"] == "lakes").unwrap();
    assert_eq!(lake["properties"]["filled_with"], "water");
    assert!(lake["properties"]["cells"].as_u64().unwrap() > 20);
    let flags = all.iter().find(|it| it["properties"]["kind"] == "vision_flags").unwrap();
    assert_eq!(flags["geometry"]["coordinates"].as_array().unwrap().len(), map.vision_flags.len());
}

/// A map with features of every kind, and those that are written for it.
fn with_features() -> (Vec<u8>, Value) {
    let map = land(64);
    let bytes = file(&map);
    let mut opened = open("a map", &bytes);
    let pages = opened.code_pages();
    let features = opened.run(|_, task| maps::features(&map, &pages, task)).unwrap();
    (bytes, features)
}

/// The map with other features.
fn imported(map: &[u8], features: &Value) -> Result<Vec<u8>> {
    let source = maps::put_features(&mut open("a map", map), features.to_string().as_bytes())?;
    Ok(written(Opened::open(source, &Options::default()).unwrap()))
}

/// The position of the first feature of a kind.
fn first(features: &Value, kind: &str) -> usize {
    let mut all = features["features"].as_array().unwrap().iter();
    all.position(|it| it["properties"]["kind"] == kind).unwrap()
}

#[test]
fn features_come_in_again() {
    let (bytes, features) = with_features();
    assert!(imported(&bytes, &features).unwrap() == bytes);
    let read_map = |bytes: &[u8]| {
        let source = Arc::new(Bytes::copy_from_slice(bytes));
        let read = |task: &mut Task<'_>| Map::read(&ChunkFile::open(source, task)?, task);
        with_limits(Limits::unlimited(), read).0.unwrap()
    };
    let before = read_map(&bytes);
    let read = |features: &Value| read_map(&imported(&bytes, features).unwrap());
    // One unit elsewhere, with the height that it had: nothing else is another one.
    let mut moved = features.clone();
    let unit = first(&moved, "units") + 3;
    moved["features"][unit]["geometry"]["coordinates"] = json!([5, 60.0]);
    let mut wanted = before.clone();
    [wanted.units[3].x, wanted.units[3].y] = [I16::new(5), I16::new(60)];
    assert_eq!(read(&moved), wanted);
    // Values, weather, a record that goes, one that comes, cells in another order, lakes by the names of what fills them.
    let mut changed = features.clone();
    let lake = first(&changed, "lakes");
    changed["features"][lake]["properties"]["filled_with"] = "ice".into();
    changed["features"][lake]["properties"]["index"] = 0.0.into();
    let interactive = first(&changed, "interactive");
    changed["features"][interactive]["properties"]["record_kind"] = 5.into();
    changed["map"]["weather"]["storm"] = 30.into();
    let flags = first(&changed, "vision_flags");
    changed["features"][flags]["geometry"]["coordinates"] = json!([[9, 8], [-3, 70]]);
    let all = changed["features"].as_array_mut().unwrap();
    all.push(json!({
        "type": "Feature", "id": 7, "bbox": [0, 0, 0, 0],
        "geometry": { "type": "Point", "coordinates": [1, 2] },
        "properties": { "kind": "buildings", "building_id": 9, "level": 2, "depth": null },
    }));
    all.remove(unit);
    let mut wanted = before.clone();
    wanted.units.remove(3);
    wanted.lakes[0].kind = 3;
    wanted.interactive[0].kind = 5;
    wanted.weather[2] = 30;
    let cell = |x, y| Cell { x: I16::new(x), y: I16::new(y) };
    wanted.vision_flags = vec![cell(9, 8), cell(-3, 70)];
    let [x, y] = [I16::new(1), I16::new(2)];
    let new = Building { x, y, building_id: 9, level: 2, ..Building::new_zeroed() };
    wanted.buildings.push(new);
    assert_eq!(read(&changed), wanted);
    // Without features and without a map nothing but the ground is left.
    let none = read(&json!({ "type": "FeatureCollection", "features": [] }));
    assert_eq!(none.heights, before.heights);
    assert!(none.units.is_empty() && none.lakes.is_empty() && none.movement_flags.is_empty());
}

#[test]
fn features_that_do_not_fit_say_where() {
    let (bytes, features) = with_features();
    let unit = first(&features, "units");
    let refused = |change: &dyn Fn(&mut Value), code: &str, place: &str, message: &str| {
        let mut features = features.clone();
        change(&mut features);
        let error = imported(&bytes, &features).unwrap_err();
        assert_eq!((error.code().id, &*error.path()), (code, place), "{error}");
        assert!(error.to_string().contains(message), "{message}: {error}");
    };
    let property = |name: &'static str, value: Value| {
        move |features: &mut Value| features["features"][unit]["properties"][name] = value.clone()
    };
    let at = |name: &str| format!("features[{unit}].properties.{name}");
    let id = property("unit_id", 40_000.into());
    refused(&id, "SP043", &at("unit_id"), "from -32768 to 32767, found `40000`");
    refused(&property("group", "many".into()), "SP043", &at("group"), "`many`");
    refused(&property("flags", json!([1])), "SP043", &at("flags"), "an object");
    refused(&property("index", 60.into()), "SP159", &at("index"), "below 60");
    refused(&property("index", 1.into()), "SP159", "features[1].properties.index", "no other");
    refused(&property("kind", "unit".into()), "SP159", &at("kind"), "units, buildings");
    refused(&property("height", 1.into()), "SP159", &at("height"), "follows from other values");
    let properties = format!("features[{unit}].properties");
    refused(&property("unit_di", 1.into()), "SP159", &properties, "near it: `unit_id`");
    let coordinates = |value: Value| {
        move |features: &mut Value| {
            features["features"][unit]["geometry"]["coordinates"] = value.clone();
        }
    };
    let place = format!("features[{unit}].geometry.coordinates");
    refused(&coordinates(json!([1, 2, 3])), "SP159", &place, "two numbers");
    refused(&coordinates(json!([[1, 2]])), "SP159", &place, "two numbers");
    let second = format!("{place}[1]");
    refused(&coordinates(json!([1, 2.5])), "SP159", &second, "whole number");
    refused(&coordinates(json!([1, 70_000])), "SP159", &second, "70000");
    let flags = first(&features, "movement_flags");
    let points = |features: &mut Value| {
        features["features"][flags]["geometry"]["coordinates"][1] = json!([1]);
    };
    let place = format!("features[{flags}].geometry.coordinates[1]");
    refused(&points, "SP159", &format!("{place}[0]"), "no two numbers");
    let twice = |features: &mut Value| {
        let copy = features["features"][flags].clone();
        features["features"].as_array_mut().unwrap().push(copy);
    };
    let last = features["features"].as_array().unwrap().len();
    refused(&twice, "SP159", &format!("features[{last}].properties.kind"), "one feature");
    let size = |features: &mut Value| features["map"]["size"] = 65.into();
    refused(&size, "SP159", "map.size", "64");
    let weather = |features: &mut Value| features["map"]["weather"]["clear"] = 256.into();
    refused(&weather, "SP043", "map.weather.clear", "from 0 to 255");
    let fog = |features: &mut Value| features["map"]["weather"]["fog"] = 2.into();
    refused(&fog, "SP159", "map.weather", "`fog`");
    let none = |features: &mut Value| features["features"] = Value::Null;
    refused(&none, "SP159", "", "line 1");
    let other = maps::put_features(&mut open("a map", &bytes), b"{\"type\": \"Feature\"}");
    assert_eq!(other.err().unwrap().code().id, "SP159");
    let gamedata = samples::gamedata().build().bytes;
    assert_eq!(imported(&gamedata, &features).unwrap_err().code().id, "SP150");
}

#[test]
fn damage_ends_in_an_error_and_not_in_a_panic() {
    let grid = png(&land(16).grid(GridLayer::Tiles).unwrap());
    let map = file(&land(16));
    let (of_features, features) = with_features();
    let features = features.to_string().into_bytes();
    for seed in 0..150 {
        let features = mutate(&features, seed);
        let _ = maps::put_features(&mut open("a map", &of_features), &features);
        let _ = maps::read_png(&mutate(&grid, seed), GridLayer::Tiles, 1 << 20);
        let Ok(mut opened) =
            Opened::open(Arc::new(Bytes::from(mutate(&map, seed))), &Options::default())
        else {
            continue;
        };
        if let Ok(read) = maps::read(&mut opened) {
            let pages = opened.code_pages();
            for view in View::ALL {
                let _ = opened.run(|_, task| picture::draw(&*read, view, Some(1), task));
            }
            let _ = opened.run(|_, task| maps::features(&*read, &pages, task));
            let _ = gltf::terrain(&mut opened, None);
        }
    }
}
