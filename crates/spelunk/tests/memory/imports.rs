//! Small models that ask for much: memory stays below what they may have, and what many of one thing need is not the
//! square of how many there are.

use crate::{
    ALLOCATOR,
    common::{
        self,
        everything::{binary, everything, glb},
    },
};
use serde_json::{Value, json};
use spelunk::{
    Bytes, Options, Source,
    models::import::{self, Policies, Policy, import},
};
use std::sync::Arc;
use test_support::memory::{self, ALONE};

/// What an import may have here.
const ROOM: u64 = 128 << 20;

/// Imports a source; gives the peak of memory, what was made or the code of the error, and the file.
fn peak(source: &[u8], name: &str, into: Option<&[u8]>, policy: Policy) -> (u64, String, Vec<u8>) {
    let policies = Policies::all(policy);
    let options = import::Options { split: true, policies, ..Default::default() };
    let opening = Options { max_memory: Some(ROOM), ..Options::default() };
    let source = Bytes::copy_from_slice(source);
    let into = into.map(|into| Arc::new(Bytes::copy_from_slice(into)) as Arc<dyn Source>);
    let (imported, peak) =
        memory::peak(&ALLOCATOR, || import(&source, name, into, &options, &opening));
    let peak = peak as u64;
    match imported {
        Err(error) => (peak, error.code().id.to_owned(), Vec::new()),
        Ok(mut imported) => {
            let file = common::written(&mut imported.opened, &imported.options);
            (peak, format!("{:?}", imported.report), file)
        }
    }
}

/// The document of this much of something.
fn document(fields: Value) -> Vec<u8> {
    let mut document = json!({"asset": {"version": "2.0"}});
    document.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    glb(&serde_json::to_vec(&document).unwrap(), &binary())
}

/// Accessors of positions that are all 0, of no bytes, and what is needed to name them.
fn zeros(count: u64, accessors: usize) -> Value {
    let mut document = everything();
    let zeros = json!({"componentType": 5126, "count": count, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0],
        "sparse": document["accessors"][5]["sparse"]});
    let mut pairs = zeros.clone();
    pairs["type"] = "VEC2".into();
    let mut all = vec![zeros; accessors];
    all.push(pairs);
    all.push(document["accessors"][0].clone());
    let [buffers, views] = ["buffers", "bufferViews"].map(|key| document[key].take());
    json!({"buffers": buffers, "bufferViews": views, "accessors": all})
}

fn with(mut fields: Value, key: &str, value: Value) -> Value {
    fields[key] = value;
    fields
}

#[test]
fn small_models_cannot_ask_for_much() {
    let _alone = ALONE.lock();
    let meshes = |primitives: Vec<Value>, extras: Value| json!([{"primitives": primitives, "extras": extras}]);
    let of = |position: usize| json!({"attributes": {"POSITION": position}});
    let channels =
        |count: usize| json!({"virtools": {"channels": vec![json!({"texcoord": 1}); count]}});
    let with_pairs =
        |position: usize| json!({"attributes": {"POSITION": position, "TEXCOORD_1": 1}});
    let faces = |count: usize, line: &str| {
        ["v 0 0 0\n".to_owned(), line.repeat(count)].concat().into_bytes()
    };
    for (what, source) in [
        (
            "many vertices",
            document(with(zeros(1 << 30, 1), "meshes", meshes(vec![of(0)], json!({})))),
        ),
        (
            "some vertices, often",
            document(with(
                zeros(60_000, 1),
                "meshes",
                json!(vec![json!({"primitives": [of(0)]}); 2_000]),
            )),
        ),
        (
            "vertices that have channels later",
            document(with(
                zeros(60_000, 1),
                "meshes",
                meshes(vec![of(0), with_pairs(2)], channels(3_000)),
            )),
        ),
        (
            "channels of many parts",
            document(with(
                zeros(3, 2_000),
                "meshes",
                meshes((0..2_000).map(of).collect(), channels(20_000)),
            )),
        ),
        ("faces", faces(60_000, "f 1 1 1\n")),
        ("a face", ["v 0 0 0\nf".to_owned(), " 1".repeat(120_000)].concat().into_bytes()),
        ("points", faces(60_000, "f 1\n")),
        ("parts", faces(30_000, "g\nf 1 1 1\n")),
        ("parts of one vertex", faces(30_000, "o a\nf 1 1 1\no b\nf 1 1 1\n")),
        ("vertices", faces(60_000, "v 0 0 0 1 1 1\n")),
        (
            "corners of their own",
            (1..10_000)
                .step_by(3)
                .fold(String::new(), |text, at| {
                    let vertex = "v 0 0 0 1 1 1\nvn 1 0 0\nvt 0 0\n".repeat(3);
                    let corners: Vec<String> =
                        (at..at + 3).map(|at| format!("{at}/{at}/{at}")).collect();
                    text + &vertex + &format!("f {}\n", corners.join(" "))
                })
                .into_bytes(),
        ),
        (
            "vertices that are all used",
            (1..20_000)
                .fold(String::new(), |text, at| text + &format!("v 0 0 0\nf {at} {at} {at}\n"))
                .into_bytes(),
        ),
    ] {
        let name = if source.starts_with(b"glTF") { "a.glb" } else { "a.obj" };
        let (peak, outcome, _) = peak(&source, name, None, Policy::Rename);
        println!("{what}: {} KB ask, {} KB are taken: {outcome}", source.len() >> 10, peak >> 10);
        assert!(peak <= ROOM, "{what}: {peak} bytes");
    }
    // Many of one thing, which go by their names: into a new file, and once more into what came of it.
    let many = |text: &str| {
        let item: Value = serde_json::from_str(text).unwrap();
        json!(vec![item; 4_000])
    };
    let nodes = |text: &str| document(json!({"nodes": many(text)}));
    let meshes = |more: u32| {
        let mesh = |nth: u32| {
            let color = json!({"virtools": {"color": format!("{:08x}", nth + more)}});
            json!({"name": "a", "primitives": [{"attributes": {"POSITION": 2}}], "extras": color})
        };
        document(with(zeros(3, 1), "meshes", (0..500).map(mesh).collect()))
    };
    for (what, source) in [
        ("nodes of one name", nodes("{\"name\": \"a\"}")),
        ("nodes that look at one", nodes("{\"extras\": {\"virtools\": {\"target\": \"b\"}}}")),
        ("nodes of one group", nodes("{\"extras\": {\"groups\": [\"a\"]}}")),
        (
            "nodes with meshes that are not drawn",
            nodes("{\"extras\": {\"virtools\": {\"mesh\": \"b\"}}}"),
        ),
        (
            "materials",
            document(
                json!({"materials": many("{\"extras\": {\"virtools\": {\"textures\": [\"b\", \"c\"]}}}")}),
            ),
        ),
        ("meshes", meshes(0)),
        (
            "groups",
            document(
                json!({"nodes": many("{}"), "extras": {"groups": many("{\"name\": \"a\", \"nodes\": [1, 1]}")}}),
            ),
        ),
    ] {
        let (first, made, file) = peak(&source, "a.glb", None, Policy::Rename);
        println!("{what}: {} KB, {} KB: {made}", source.len() >> 10, first >> 10);
        for policy in [Policy::Rename, Policy::Replace, Policy::Keep] {
            let (more, again, _) = peak(&source, "a.glb", Some(&file), policy);
            println!("  {policy:?}: {} KB: {again}", more >> 10);
            assert!(first.max(more) <= ROOM, "{what}: {first} {more}");
            assert!(
                made.starts_with("Report") && again.starts_with("Report"),
                "{what}: {made} {again}"
            );
        }
    }
    // Each is held against all others of its name.
    let (_, _, file) = peak(&meshes(0), "a.glb", None, Policy::Rename);
    let (more, outcome, _) = peak(&meshes(500), "a.glb", Some(&file), Policy::Rename);
    println!("meshes like others: {} KB: {outcome}", more >> 10);
    assert!(more <= ROOM && outcome.contains("created: 500"), "{outcome}");
}
