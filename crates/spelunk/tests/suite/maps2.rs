//! Maps of SpellForce 2 as pictures, meshes and data: the fixture, and real ones. What is drawn is left beside the tests, to be
//! looked at.

use crate::{
    common::{info, open},
    maps::keep,
};
use serde_json::{Value, json};
use spelunk::{
    Limits, Opened,
    models::export::gltf,
    models::maps::{
        self, GridLayer, Land, Place,
        picture::{self, Picture, View},
    },
};
use spelunk_fixtures::{
    corpus::{self, RealFile},
    mutate::mutate,
    samples,
};
use test_support::task::{unlimited, with_limits};

/// Length of a cell.
const CELL: f32 = 1.4;

/// What overview pictures show where there is water.
const WATER: [u8; 3] = [18, 37, 49];

fn fixture() -> Opened {
    open("a map", &samples::spellforce2_map().build().bytes)
}

fn draw(land: &dyn Land, view: View) -> Picture {
    with_limits(Limits::unlimited(), |task| picture::draw(land, view, None, task)).0.unwrap()
}

fn at(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    picture.pixels[(y * picture.width + x) as usize]
}

fn features(opened: &mut Opened) -> Value {
    let land = maps::read(opened).unwrap();
    let pages = opened.code_pages();
    opened.run(|_, task| maps::features(&*land, &pages, task)).unwrap()
}

#[test]
fn layers_have_the_northern_row_first() {
    let map = maps::read(&mut fixture()).unwrap();
    let values = |layer| map.grid(layer).unwrap().values;
    let cell = |column: usize, row: usize| (15 - row) * 16 + column;
    let heights = map.grid(GridLayer::Heights).unwrap();
    assert_eq!((heights.width, heights.height), (16, 16));
    assert_eq!(heights.heights[cell(5, 5)], 8.0);
    assert_eq!(heights.values[cell(5, 5)], (8 + 128) * 128);
    assert_eq!(heights.values[cell(5, 6)], (10 + 128) * 128);
    assert_eq!(
        heights.csv().lines().nth(10).unwrap(),
        "10,10,10,10,10,8,10,10,10,10,10,10,10,10,10,10"
    );
    assert_eq!(values(GridLayer::Flight), [(12 + 128) * 128; 256]);
    // Rock is the southern row.
    let tiles = values(GridLayer::Tiles);
    assert!(tiles[..240].iter().all(|tile| *tile == 0) && tiles[240..] == [1; 16]);
    assert_eq!(values(GridLayer::Grass)[239..241], [1, 0]);
    let lake: Vec<usize> = [(4, 5), (5, 5), (4, 4), (5, 4)].map(|(x, y)| cell(x, y)).into();
    let of = |layer, wanted| {
        let values = values(layer).into_iter().enumerate();
        values.filter(|(_, value)| *value == wanted).map(|(cell, _)| cell).collect::<Vec<_>>()
    };
    assert_eq!(of(GridLayer::Marks, 3), lake);
    assert_eq!(of(GridLayer::Lakes, 1), lake);
    let blocked: Vec<usize> = lake.iter().copied().chain(240..256).collect();
    assert_eq!(of(GridLayer::Movement, 1), blocked);
    for layer in [GridLayer::Decoration, GridLayer::Vision] {
        assert_eq!(map.grid(layer), None);
    }
    let mut bytes = Vec::new();
    maps::write_png(&heights, &mut bytes).unwrap();
    let image = image::load_from_memory(&bytes).unwrap();
    assert_eq!(image.as_luma16().unwrap().as_raw(), &heights.values);
}

#[test]
fn pictures_have_the_north_above() {
    let map = maps::read(&mut fixture()).unwrap();
    let relief = draw(&*map, View::Relief);
    assert_eq!((relief.width, relief.height), (16, 16));
    let is_blue = |[r, g, b]: [u8; 3]| b > r && b > g;
    for (x, y) in [(4, 10), (5, 10), (4, 11), (5, 11)] {
        assert!(is_blue(at(&relief, x, y)));
    }
    assert!(!is_blue(at(&relief, 4, 9)) && !is_blue(at(&relief, 4, 4)));
    // The picture that the map holds is as it is stored.
    let minimap = draw(&*map, View::Minimap);
    assert_eq!(at(&minimap, 0, 0), [60, 90, 40]);
    assert_eq!((at(&minimap, 0, 14), at(&minimap, 0, 15)), ([80, 82, 84], [0; 3]));
    assert_eq!(at(&minimap, 4, 9), WATER);
    // Textures have the colours that they have there; water is not one of them.
    let colors = map.colors();
    assert_eq!(colors[..2], [[60, 90, 40], [80, 82, 84]]);
    // Rock is dark among the flags, deep water blue.
    let flags = draw(&*map, View::Flags);
    assert!(at(&flags, 0, 15)[0] < at(&flags, 0, 14)[0] / 2 + 10);
    assert!(is_blue(at(&flags, 4, 10)));
    // A start point at column 2 and row 13 of 16.
    let entities = draw(&*map, View::Entities);
    assert_eq!(at(&entities, 2 * 64, (16 - 13) * 64), [255; 3]);
    keep("second-entities.png", &{
        let mut bytes = Vec::new();
        entities.write_png(&mut bytes).unwrap();
        bytes
    });
}

#[test]
fn features_have_all_records_with_a_place() {
    let mut opened = fixture();
    let features = features(&mut opened);
    assert_eq!(features["map"], json!({ "width": 16, "height": 16, "cell": CELL }));
    let all = features["features"].as_array().unwrap();
    let of = |kind: &str| -> Vec<&Value> {
        all.iter().filter(|it| it["properties"]["kind"] == kind).collect()
    };
    let counts = ["units", "buildings", "objects", "plants", "start_points", "zones", "circles"];
    assert_eq!(counts.map(|kind| of(kind).len()), [3, 1, 3, 1, 2, 1, 1]);
    let hero = of("units")[0];
    // East, north and up.
    assert_eq!(hero["geometry"]["coordinates"], json!([4.2_f32, 12.6_f32, 10.0]));
    let properties = &hero["properties"];
    assert_eq!(properties["tag"], "hero");
    assert_eq!((&properties["record_kind"], &properties["team"]), (&json!(70), &json!(4)));
    assert_eq!((&properties["height"], &properties["rotation"][1]), (&json!(10.0), &json!(1.5)));
    assert_eq!(properties["components"].as_array().unwrap().len(), 8);
    assert_eq!(properties.get("place"), None);
    let lake = of("lakes")[0];
    assert_eq!(
        (&lake["properties"]["cells"], &lake["properties"]["level"]),
        (&json!(4), &json!(9.0))
    );
}

/// The corners of the ground of a mesh, and its faces.
fn ground(document: &::gltf::Document, blob: Option<&[u8]>) -> (Vec<[f32; 3]>, usize) {
    let (mut corners, mut triangles) = (Vec::new(), 0);
    for mesh in document.meshes() {
        let is_ground = mesh.name().unwrap().starts_with("ground");
        for primitive in mesh.primitives() {
            let reader = primitive.reader(|_| blob);
            let indices: Vec<_> = reader.read_indices().unwrap().into_u32().collect();
            let positions: Vec<_> = reader.read_positions().unwrap().collect();
            // Faces look up.
            for face in indices.chunks(3) {
                let [a, b, c] = [0, 1, 2].map(|n| positions[face[n] as usize]);
                let (u, v) = ([b[0] - a[0], b[2] - a[2]], [c[0] - a[0], c[2] - a[2]]);
                assert!(u[1] * v[0] - u[0] * v[1] > 0.0);
            }
            if is_ground {
                triangles += indices.len() / 3;
                corners.extend(positions);
            }
        }
    }
    (corners, triangles)
}

#[test]
fn the_ground_is_a_mesh_with_the_north_behind() {
    let mut glb = Vec::new();
    gltf::terrain(&mut fixture(), None).unwrap().write_glb(&mut glb).unwrap();
    keep("second.glb", &glb);
    let ::gltf::Gltf { document, blob } = ::gltf::Gltf::from_slice(&glb).unwrap();
    let (corners, triangles) = ground(&document, blob.as_deref());
    assert_eq!((corners.len(), triangles), (256, 15 * 15 * 2));
    let lowest = corners.iter().min_by(|a, b| a[1].total_cmp(&b[1])).unwrap();
    assert_eq!(*lowest, [5.0 * CELL, 8.0, -5.0 * CELL]);
    let node = |name: &str| {
        let node = document.nodes().find(|node| node.name() == Some(name));
        node.unwrap_or_else(|| panic!("{name}")).transform().decomposed()
    };
    let (place, rotation, scale) = node("units[0] 70 hero");
    assert_eq!((place, scale), ([4.2, 10.0, -12.6], [1.0; 3]));
    // A turn about the second axis, from east to north.
    let close = |a: f32, b: f32| (a - b).abs() < 1e-6;
    assert!(close(rotation[1], 0.75_f32.sin()) && close(rotation[3], 0.75_f32.cos()));
    assert_eq!(node("plants[0] 6").2, [1.25; 3]);
    assert_eq!(node("objects[2] 42").0, [7.0, 10.5, -14.0]);
    let names: Vec<_> = document.nodes().filter_map(|node| node.name()).collect();
    assert!(names.contains(&"portals") && names.contains(&"lakes[0]"));
    // Higher ground, and everything on it.
    let mut glb = Vec::new();
    gltf::terrain(&mut fixture(), Some(2.0)).unwrap().write_glb(&mut glb).unwrap();
    let ::gltf::Gltf { document, .. } = ::gltf::Gltf::from_slice(&glb).unwrap();
    let hero = document.nodes().find(|node| node.name() == Some("units[0] 70 hero")).unwrap();
    assert_eq!(hero.transform().decomposed().0, [4.2, 20.0, -12.6]);
}

#[test]
fn what_has_no_ground_is_not_drawn() {
    let mut file = samples::spellforce2_map();
    file.chunks.retain(|chunk| chunk.id != 1000);
    if let Ok(mut opened) = crate::common::opened(&file.build().bytes)
        && maps::is_for(&opened)
    {
        assert_eq!(maps::read(&mut opened).unwrap_err().code().id, "SP150");
    }
    let bytes = samples::spellforce2_map().build().bytes;
    for seed in 0..200 {
        let Ok(mut opened) = crate::common::opened(&mutate(&bytes, seed)) else { continue };
        if let Ok(map) = maps::read(&mut opened) {
            let pages = opened.code_pages();
            for view in View::ALL {
                let _ = opened.run(|_, task| picture::draw(&*map, view, Some(1), task));
            }
            let _ = opened.run(|_, task| maps::features(&*map, &pages, task));
            let _ = GridLayer::ALL.map(|layer| map.grid(layer));
            let _ = gltf::terrain(&mut opened, None);
        }
    }
}

/// Facts of a real map, as another reader found them: width and height, the height at column 100 and row 50, that for flyers at column 30
/// and row 200, blocked cells, cells with water, the texture at column 90 and row 60.
type Facts = (&'static str, [u32; 2], f32, f32, [usize; 3]);

const FACTS: [Facts; 15] = [
    ("addon1_campaign_p401_winterlight_peak", [256, 256], 41.3469, 21.541_037, [33112, 0, 18]),
    ("addon1_campaign_p404_ghostwatch", [512, 512], 15.664_919, 0.0, [27099, 0, 24]),
    ("addon1_campaign_p406_the_citadel", [512, 512], 10.0, 11.071_428, [1618, 0, 14]),
    ("addon1_coop_p350_ironheart_foothills", [256, 256], 14.479_602, 46.628_834, [31058, 3200, 3]),
    ("base_coop_p350_ironheart_foothills", [256, 256], 14.479_602, 46.628_834, [31038, 3159, 3]),
    ("base_coop_p361_the_sunken_city", [256, 256], 4.000_000_5, 26.691_116, [34739, 5147, 21]),
    ("base_pvp_p321_ironheart_foothills", [256, 256], 17.0, 46.628_834, [29524, 275, 3]),
    ("base_pvp_p328_the_sunken_city", [256, 256], 20.0, 10.319_326, [13022, 0, 3]),
    ("dotp_dom_howler_pass", [512, 256], 12.496_733, 37.445_335, [41312, 0, 7]),
    ("dotp_p342_the_icefangs", [512, 512], 0.0, 0.0, [37667, 771, 8]),
    ("dotp_p349_underhall", [512, 512], 61.574_96, 112.493_22, [156_532, 21603, 12]),
    ("dotp_p351_windtalker_gash", [256, 256], 9.000_169, 8.351_432, [19372, 0, 14]),
    ("dotp_p356_the_needle", [512, 512], 0.0, 0.303_787_8, [123_323, 4902, 0]),
    ("dotp_p362_crystal_forest", [512, 512], 11.000_257, 0.0, [64113, 12294, 26]),
    ("dotp_p465_arena", [256, 256], 19.355_14, 3.613_313_4, [1252, 0, 5]),
];

#[test]
fn real_maps_have_the_values_that_another_reader_found() {
    let Some(files) = corpus::maps2() else { return };
    for (name, size, height, flight, [blocked, water, texture]) in FACTS {
        let file = of_name(&files, name);
        let map = maps::read(&mut open(name, &file.bytes)).unwrap();
        let grid = |layer| map.grid(layer).unwrap();
        let cell = |column: u32, row: u32| ((size[1] - 1 - row) * size[0] + column) as usize;
        let heights = grid(GridLayer::Heights);
        assert_eq!([heights.width, heights.height], size, "{name}");
        assert_eq!(heights.heights[cell(100, 50)], height, "{name}");
        assert_eq!(grid(GridLayer::Flight).heights[cell(30, 200)], flight, "{name}");
        let count = |layer, is: fn(&u16) -> bool| grid(layer).values.into_iter().filter(is).count();
        assert_eq!(count(GridLayer::Movement, |it| *it == 1), blocked, "{name}");
        assert_eq!(count(GridLayer::Marks, |it| *it & 1 == 1), water, "{name}");
        assert_eq!(usize::from(grid(GridLayer::Tiles).values[cell(90, 60)]), texture, "{name}");
    }
}

fn of_name<'f>(files: &'f [RealFile], name: &str) -> &'f RealFile {
    files.iter().find(|file| file.name.starts_with(name)).unwrap_or_else(|| panic!("{name}"))
}

#[test]
fn real_maps_lie_as_in_their_overview_pictures() {
    let Some(files) = corpus::maps2() else { return };
    let mut with_water = 0;
    for file in &files {
        let name = file.name.trim_end_matches(".map");
        let mut opened = open(name, &file.bytes);
        let counts = info(name, &mut opened)["map"].take();
        let map = maps::read(&mut opened).unwrap();
        let frame = map.frame();
        let size = (frame.width, frame.height);
        let minimap = draw(&*map, View::Minimap);
        assert_eq!((minimap.width, minimap.height), size, "{name}");
        let waters = map.waters(&mut unlimited()).unwrap();
        // Water is where it is drawn there, to the pixel: the picture lacks the northern row of cells, and its last row is empty.
        let marks = map.grid(GridLayer::Marks).unwrap().values;
        let (northern, others) = marks.split_at(size.0 as usize);
        let water = others.iter().map(|mark| mark & 1 == 1).chain(northern.iter().map(|_| false));
        assert!(minimap.pixels.iter().map(|pixel| *pixel == WATER).eq(water), "{name}");
        with_water += usize::from(marks.iter().any(|mark| mark & 1 == 1));
        // Numbers are those of `info`, and units stand on the ground.
        let entities = map.entities(&mut unlimited()).unwrap();
        let list = |list: &str| entities.iter().filter(|entity| entity.list == list).count();
        for kind in ["units", "buildings", "objects"] {
            assert_eq!(
                json!(list(kind)),
                counts[kind].as_u64().unwrap_or_default(),
                "{name}: {kind}"
            );
        }
        let units = entities.iter().filter(|entity| entity.list == "units");
        let stands = |place: &Place| match (place, map.ground_at(place).as_f64()) {
            (Place::Point { position: [_, y, _], .. }, Some(ground)) => {
                (f64::from(*y) - ground).abs() < 0.1
            }
            _ => false,
        };
        let grounded = units.filter(|unit| stands(&unit.place)).count();
        // The others fly.
        assert!(grounded * 100 >= list("units") * 75, "{name}: {grounded}");
        let features = features(&mut open(name, &file.bytes));
        let all = features["features"].as_array().unwrap().len();
        assert_eq!(all, entities.len() + waters.len(), "{name}");
    }
    assert_eq!(with_water, 8);
}

#[test]
fn lakes_of_real_maps_are_those_of_their_lake_maps() {
    let Some(files) = corpus::maps2() else { return };
    let mut lakes = 0;
    for file in &files {
        let mut opened = open(&file.name, &file.bytes);
        let map = maps::read(&mut opened).unwrap();
        let frame = map.frame();
        let numbers = map.grid(GridLayer::Lakes).unwrap().values;
        if numbers.iter().all(|number| *number == 0) {
            continue;
        }
        for water in map.waters(&mut unlimited()).unwrap() {
            let number = |cell: &u32| {
                let row = frame.turned(cell / frame.width);
                numbers[(row * frame.width + cell % frame.width) as usize]
            };
            let of_lake: Vec<u16> = water.cells.iter().map(number).collect();
            let all = numbers.iter().filter(|it| Some(*it) == of_lake.first()).count();
            assert!(of_lake.iter().all(|it| *it == of_lake[0]) && all == of_lake.len());
            lakes += 1;
        }
    }
    assert_eq!(lakes, 83);
}

#[test]
fn real_maps_are_pictures_and_meshes_on_which_units_stand() {
    let Some(files) = corpus::maps2() else { return };
    for (name, flying_and_standing) in
        [("base_coop_p350_ironheart_foothills", [15, 114]), ("dotp_dom_howler_pass", [0, 0])]
    {
        let file = of_name(&files, name);
        let mut opened = open(name, &file.bytes);
        let map = maps::read(&mut opened).unwrap();
        let frame = map.frame();
        for view in View::ALL {
            let drawn = draw(&*map, view);
            let mut bytes = Vec::new();
            drawn.write_png(&mut bytes).unwrap();
            keep(&format!("{}-{name}.png", view.name()), &bytes);
            let scale = if view == View::Entities { 1024 / frame.width } else { 1 };
            assert!(drawn.width >= frame.width * scale && drawn.height == frame.height * scale);
        }
        let mut glb = Vec::new();
        gltf::terrain(&mut opened, None).unwrap().write_glb(&mut glb).unwrap();
        keep(&format!("{name}.glb"), &glb);
        let ::gltf::Gltf { document, blob } = ::gltf::Gltf::from_slice(&glb).unwrap();
        let (corners, triangles) = ground(&document, blob.as_deref());
        let cells = (frame.width - 1) as usize * (frame.height - 1) as usize;
        assert_eq!(triangles, cells * 2, "{name}");
        // The four corners around a unit are not all above it, and not all below.
        let mut heights = std::collections::BTreeMap::new();
        for [x, y, z] in corners {
            heights.insert([x, z].map(|at| (at / CELL).round() as i32), y);
        }
        let mut units = [0; 2];
        for node in document.nodes().filter(|node| node.name().unwrap().starts_with("units[")) {
            let ([x, y, z], ..) = node.transform().decomposed();
            let [column, row] = [x, z].map(|at| (at / CELL).floor() as i32);
            let around = [(0, 0), (1, 0), (0, 1), (1, 1)]
                .map(|(dx, dz)| heights.get(&[column + dx, row + dz]).copied().unwrap_or(f32::NAN));
            let [low, high] =
                [f32::min, f32::max].map(|of| around.into_iter().reduce(of).unwrap_or_default());
            // Those that fly are seven above what is the ground for them.
            assert!(
                low - 0.1 <= y && (y <= high + 0.1 || y > high + 3.0),
                "{name}: {y} {low} {high}"
            );
            units[usize::from(y <= high + 0.1)] += 1;
        }
        assert_eq!(units, flying_and_standing, "{name}");
    }
}
