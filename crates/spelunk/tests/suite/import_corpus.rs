//! Real files out to glTF and in again: what comes back, and what stays as it was.

use crate::common::{
    errors,
    linted::counted,
    model::{differences, imported, resolved},
    open,
    scene::glb,
};
use serde_json::Value;
use spelunk::{
    entries::search::Search,
    models::export,
    models::import::{Options, Policies, Policy},
    verbs::Disk,
};
use spelunk_fixtures::corpus;
use std::{path::Path, sync::Arc};
use virtools::chunk::bitmap::{
    Rgba,
    image::{Encoding, encode},
};

/// How far numbers of the second document may be from those of the first, in relation to themselves or to 1. All but
/// normals are the same to the last bit.
const TOLERANCE: f64 = 1e-6;

/// Takes out what is another one in another file: positions in the object table, members of groups that are no
/// entities, what is around everything.
fn comparable(document: &mut Value) {
    fn indexes(value: &mut Value) {
        match value {
            Value::Object(map) => {
                for key in ["index", "others", "points", "root"] {
                    map.remove(key);
                }
                map.values_mut().for_each(indexes);
            }
            Value::Array(items) => items.iter_mut().for_each(indexes),
            _ => {}
        }
    }
    indexes(document);
    for scene in document["scenes"].as_array_mut().unwrap() {
        scene.as_object_mut().unwrap().remove("extras");
    }
}

#[test]
fn what_goes_out_comes_back() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let mut there_and_back = 0;
    for file in &files {
        let name = file.name.as_str();
        let mut original = open(name, &file.bytes);
        let all = export::Options::default();
        let Ok(first) = glb(&mut original, &all) else { continue };

        // Into a new file, which is sound, and says no more to map makers than the old one.
        let (made, _) = imported(&first, "first.glb", None, &Options::default());
        assert_eq!(errors(&mut open(name, &made)), Vec::<&str>::new(), "{name}");
        let rules = counted(&file.bytes);
        for (code, count) in counted(&made) {
            assert!(count <= rules.get(code).copied().unwrap_or_default(), "{name}: {code}");
        }

        // Out again: the same hierarchy, geometry, materials, textures, groups.
        let second = glb(&mut open(name, &made), &all).unwrap();
        let [mut a, mut b] = [&first, &second].map(|glb| resolved(glb));
        comparable(&mut a);
        comparable(&mut b);
        let found = differences(&a, &b, TOLERANCE);
        assert!(found.is_empty(), "{name}: {} {:#?}", found.len(), &found[..found.len().min(9)]);

        // And in again: to the same bytes.
        let (again, _) = imported(&second, "second.glb", None, &Options::default());
        assert!(made == again, "{name}: other bytes the second time");
        there_and_back += 1;
    }
    assert!(there_and_back >= 30, "{there_and_back}");
}

/// A file with the content of a model that was made of it.
fn replaced(model: &[u8], bytes: &[u8]) -> Vec<u8> {
    let policies = Policies::all(Policy::Replace);
    let options = Options { policies, ..Options::default() };
    imported(model, "model.glb", Some(bytes), &options).0
}

/// Image files for all names that a document says were not found.
fn pictures(document: &Value, folder: &Path) {
    let images = document["images"].as_array().into_iter().flatten();
    let told = images.map(|image| &image["extras"]["virtools"]);
    for file in told.filter_map(|told| told["missing"].as_bool().and(told["file"].as_str())) {
        let seed = file.bytes().fold(7_u8, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte));
        let pixels =
            (0..16_u8).flat_map(|at| [seed, seed ^ (3 * at), seed ^ (7 * at), u8::MAX]).collect();
        let tga = file.to_lowercase().ends_with("tga");
        let encoding = if tga { Encoding::Tga { run_lengths: true } } else { Encoding::Bmp };
        let picture = encode(&Rgba::new(4, 4, pixels).unwrap(), encoding).unwrap();
        std::fs::write(folder.join(file), picture).unwrap();
    }
}

#[test]
fn what_was_not_changed_stays_byte_for_byte() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let (mut silent, mut found) = (Vec::new(), 0);
    for file in &files {
        let name = file.name.as_str();
        let mut original = open(name, &file.bytes);
        let Ok(bare) = glb(&mut original, &export::Options::default()) else {
            silent.push(name);
            continue;
        };
        assert!(
            replaced(&bare, &file.bytes) == file.bytes,
            "{name}: changed by what it told itself"
        );
        // The same with pictures that were found.
        let folder = tempfile::tempdir().unwrap();
        pictures(&resolved(&bare), folder.path());
        let textures = Search::new(Arc::new(Disk), vec![folder.path().into()]);
        let full = glb(&mut original, &export::Options { textures, ..Default::default() }).unwrap();
        found += usize::from(full != bare);
        assert!(replaced(&full, &file.bytes) == file.bytes, "{name}: changed by its pictures");
    }
    assert!(found >= 25 && silent.len() <= 8, "{found}, nothing in space: {silent:?}");
}
