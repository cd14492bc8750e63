//! What is exported of real files, against what an independent decoder says of them.

use crate::common::{
    open,
    scene::{bounds, extras, glb, point, positions, walk},
    truth,
};
use gltf::Gltf;
use serde_json::Value;
use spelunk::{models::export, open::codes};
use spelunk_fixtures::corpus;
use std::collections::BTreeMap;
use test_support::json::number;
use virtools::{File, class::Value as Saved, file::data::Owner};

/// The positions of a mesh as they are saved.
fn saved_positions(opened: &mut spelunk::Opened, index: u32) -> Vec<[f64; 3]> {
    opened.run(|container, task| {
        let file = container.model::<File>().unwrap();
        let saved = file.value(Owner::Object(index), &mut Vec::new(), &mut task.budget).unwrap();
        let Saved::Mesh(mesh) = saved.unwrap().value else { panic!("#{index} is no mesh") };
        let vertices = mesh.vertices.unwrap_or_default();
        vertices.positions.iter().map(|position| position.map(|value| value.get().into())).collect()
    })
}

#[test]
fn every_file_with_space_becomes_gltf_with_the_same_boxes() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let (mut exported, mut boxes, mut sheared) = (0, 0, 0);
    for file in &files {
        let name = file.name.as_str();
        let truth = truth(&format!("truth/virtools/{name}.json"));
        let entities = truth["entities"].as_array().unwrap();
        let mut opened = open(name, &file.bytes);
        let glb = match glb(&mut opened, &export::Options::default()) {
            Ok(glb) => glb,
            Err(error) => {
                assert_eq!(error.code().id, codes::NOTHING.id, "{name}: {error}");
                let placed = entities.iter().any(|entity| !entity["mesh"].is_null());
                assert!(!placed, "{name}: {error}");
                continue;
            }
        };
        exported += 1;
        assert!(!opened.findings().has_errors(), "{name}");
        let gltf = Gltf::from_slice(&glb).unwrap_or_else(|error| panic!("{name}: {error}"));
        let meshes: BTreeMap<&str, Vec<&Value>> =
            truth["meshes"].as_array().unwrap().iter().fold(BTreeMap::new(), |mut all, mesh| {
                all.entry(mesh["name"].as_str().unwrap()).or_insert_with(Vec::new).push(mesh);
                all
            });
        let mut seen = 0;
        walk(&gltf, &mut |node, world| {
            let extras = extras(node);
            let index = number(&extras["virtools"], "index");
            sheared += usize::from(extras["virtools"]["shear"].is_array());
            let Some(entity) = entities.iter().find(|entity| entity["index"] == index) else {
                return;
            };
            seen += 1;
            assert_eq!(node.name(), entity["name"].as_str(), "{name}");
            let hidden = entity["visible"] == false || entity["hierarchical_hide"] == true;
            assert!(!hidden || extras["hidden"] == true, "{name}: {index}");
            let Some(mesh) = node.mesh() else { return };
            assert_eq!(mesh.name(), entity["mesh"].as_str(), "{name}");
            let known = &meshes[mesh.name().unwrap()];
            let faces: usize = mesh
                .primitives()
                .filter_map(|primitive| Some(primitive.indices()?.count() / 3))
                .sum();
            assert!(known.iter().any(|known| known["faces"] == faces), "{name}: {faces} faces");
            // The box, on the side of Virtools and on that of glTF.
            let details: Value =
                serde_json::from_str(mesh.extras().as_ref().unwrap().get()).unwrap();
            let saved = saved_positions(&mut opened, number(&details["virtools"], "index") as u32);
            let rows: [[f64; 4]; 4] =
                serde_json::from_value(entity["world_matrix_rows"].clone()).unwrap();
            let theirs = bounds(saved.into_iter().map(|at| {
                let [x, y, z] = point(at, &rows);
                [x, y, -z]
            }));
            let ours = bounds(positions(&gltf, &mesh).into_iter().map(|at| point(at, world)));
            let size = theirs.iter().flatten().fold(1.0, |size: f64, at| size.max(at.abs()));
            for (ours, theirs) in ours.iter().flatten().zip(theirs.iter().flatten()) {
                let off = (ours - theirs).abs();
                assert!(off < 1e-5 * size, "{name}: #{index} {:?}: {off} of {size}", node.name());
            }
            boxes += 1;
        });
        let known = entities.iter().filter(|entity| entity["class"] != "CKPlace").count();
        assert_eq!(seen, known, "{name}: nodes");
    }
    assert!(exported >= 35, "{exported} files");
    assert!(boxes > 1000 && sheared >= 2, "{boxes} boxes, {sheared} sheared");
}

#[test]
fn pictures_inside_files_come_out_pixel_by_pixel() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let mut compared = 0;
    for file in &files {
        let truth = truth(&format!("truth/virtools/{}.json", file.name));
        let stored: Vec<&Value> = truth["textures"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|texture| texture["embedded"].as_array().is_some_and(|all| !all[0].is_null()))
            .collect();
        let made =
            export::textures::export(&mut open(&file.name, &file.bytes), &Default::default());
        if stored.is_empty() {
            assert_eq!(made.unwrap_err().code().id, codes::NOTHING.id, "{}", file.name);
            continue;
        }
        let made = made.unwrap();
        assert_eq!(made.len(), stored.len(), "{}", file.name);
        for (texture, made) in stored.iter().zip(&made) {
            let embedded = &texture["embedded"][0];
            let picture = image::load_from_memory(&made.content).unwrap().to_rgba8();
            assert_eq!(u64::from(picture.width()), number(embedded, "w"));
            assert_eq!(u64::from(picture.height()), number(embedded, "h"));
            let crc = format!("{:08x}", crc32fast::hash(picture.as_raw()));
            assert_eq!(crc, embedded["rgba_topdown_crc32"], "{} {}", file.name, made.name);
            compared += 1;
        }
    }
    assert!(compared >= 24, "{compared} pictures");
}

#[test]
fn the_first_keys_of_animations_are_where_entities_stand() {
    let Some(files) = corpus::files("virtools", &["nmo"]) else { return };
    let mut compared = 0;
    for file in files.iter().filter(|file| file.name.starts_with("ph_pe_balloon")) {
        let glb = glb(&mut open(&file.name, &file.bytes), &export::Options::default()).unwrap();
        let gltf = Gltf::from_slice(&glb).unwrap();
        let blob = gltf.blob.as_deref().unwrap();
        for animation in gltf.animations() {
            for channel in animation.channels() {
                let node = channel.target().node();
                let (translation, rotation, _) = node.transform().decomposed();
                let off = match channel.reader(|_| Some(blob)).read_outputs().unwrap() {
                    gltf::animation::util::ReadOutputs::Translations(mut keys) => {
                        let key = keys.next().unwrap();
                        (0..3).map(|nth| (key[nth] - translation[nth]).abs()).fold(0.0, f32::max)
                    }
                    gltf::animation::util::ReadOutputs::Rotations(keys) => {
                        let key = keys.into_f32().next().unwrap();
                        let dot: f32 = (0..4).map(|nth| key[nth] * rotation[nth]).sum();
                        1.0 - dot.abs()
                    }
                    _ => continue,
                };
                assert!(off < 1e-3, "{}: {:?} {off}", file.name, node.name());
                compared += 1;
            }
        }
    }
    assert!(compared >= 16, "{compared} channels");
}

#[test]
fn data_arrays_become_tables_of_their_size() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let mut compared = 0;
    for file in &files {
        let truth = truth(&format!("truth/virtools/{}.json", file.name));
        let arrays = truth["data_arrays"].as_array().unwrap();
        let made = export::csv::export(&mut open(&file.name, &file.bytes), &Default::default());
        if arrays.is_empty() {
            assert_eq!(made.unwrap_err().code().id, codes::NOTHING.id);
            continue;
        }
        let made = made.unwrap();
        assert_eq!(made.len(), arrays.len(), "{}", file.name);
        for (array, made) in arrays.iter().zip(&made) {
            let columns = array["columns"].as_array().unwrap();
            let mut reader = csv::Reader::from_reader(made.content.as_slice());
            let names: Vec<_> =
                reader.headers().unwrap().iter().map(|name| Value::from(name.to_owned())).collect();
            let known: Vec<_> = columns.iter().map(|column| column["name"].clone()).collect();
            assert_eq!(names, known, "{} {}", file.name, made.name);
            assert_eq!(array["rows"], reader.records().count(), "{} {}", file.name, made.name);
            compared += 1;
        }
    }
    assert!(compared >= 30, "{compared} tables");
}
