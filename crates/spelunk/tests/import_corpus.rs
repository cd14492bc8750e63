//! Real files out to glTF and in again: what comes back, and what stays as it was.

mod common;

use common::{
    errors,
    model::{differences, imported, resolved},
    open,
    scene::glb,
    written,
};
use serde_json::Value;
use spelunk::{
    WriteOptions, export,
    import::{Options, Policies, Policy},
    lint,
};
use spelunk_fixtures::corpus;
use std::{collections::BTreeMap, path::PathBuf};

/// How far numbers of the second document may be from those of the first, in relation to themselves or to 1. All but
/// normals are the same to the last bit.
const TOLERANCE: f64 = 1e-6;

/// How often each rule says something.
fn told(bytes: &[u8]) -> BTreeMap<&'static str, usize> {
    let mut opened = open("a file", bytes);
    let (nowhere, mut missing) = (Vec::<PathBuf>::new(), lint::Missing::new());
    let all = lint::Selection::default();
    lint::lint(&mut opened, "a file", &all, &nowhere, None, &mut missing).unwrap();
    let mut codes = BTreeMap::new();
    for finding in opened.take_findings().findings {
        *codes.entry(finding.error.code().id).or_default() += 1;
    }
    codes
}

/// Takes out what is another one in another file: positions in the object table, members of groups that are no
/// entities, what is around everything. Entities with shear have that in their vertices for good.
fn comparable(document: &mut Value) {
    fn indexes(value: &mut Value) {
        match value {
            Value::Object(map) => {
                let is_sheared = map.remove("sheared").is_some();
                for key in ["index", "others", "points", "root"]
                    .into_iter()
                    .chain(is_sheared.then_some("matrix"))
                {
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
    let (mut there_and_back, mut in_place) = (0, 0);
    for file in &files {
        let name = file.name.as_str();
        let mut original = open(name, &file.bytes);
        let all = export::Options::default();
        let Ok(first) = glb(&mut original, &all) else { continue };

        // Into a new file, which is sound, and says no more to map makers than the old one.
        let (made, _) = imported(&first, "first.glb", None, &Options::default());
        assert_eq!(errors(&mut open(name, &made)), Vec::<&str>::new(), "{name}");
        let rules = told(&file.bytes);
        for (code, count) in told(&made) {
            assert!(count <= rules.get(code).copied().unwrap_or_default(), "{name}: {code}");
        }

        // Out again: the same hierarchy, geometry, materials, textures, groups.
        let second = glb(&mut open(name, &made), &all).unwrap();
        let [mut a, mut b] = [&first, &second].map(|glb| resolved(glb));
        let sheared = a["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .any(|node| node["extras"]["virtools"]["sheared"] == true);
        comparable(&mut a);
        comparable(&mut b);
        if sheared {
            // The second document tells other matrices of what the first one called sheared.
            for nodes in [&mut a["nodes"], &mut b["nodes"]] {
                for node in nodes.as_array_mut().unwrap() {
                    node["extras"]["virtools"].as_object_mut().unwrap().remove("matrix");
                }
            }
        }
        let found = differences(&a, &b, TOLERANCE);
        assert!(found.is_empty(), "{name}: {} {:#?}", found.len(), &found[..found.len().min(9)]);

        // And in again: to the same bytes.
        let (again, _) = imported(&second, "second.glb", None, &Options::default());
        assert!(made == again, "{name}: other bytes the second time");
        there_and_back += 1;

        // Into the file that it came from nothing changes.
        let policies = Policies::all(Policy::Replace);
        let options = Options { policies, ..Options::default() };
        let (same, _) = imported(&first, "first.glb", Some(&file.bytes), &options);
        if !sheared {
            let untouched = written(&mut original, &WriteOptions::default());
            assert!(same == untouched, "{name}: changed by what it told itself");
            in_place += 1;
        }
    }
    assert!(there_and_back >= 30 && in_place >= 30, "{there_and_back}, {in_place}");
}
