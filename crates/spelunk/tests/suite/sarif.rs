//! SARIF documents: they are as `docs/schemas/sarif.json` says, and tell what was found where.

use crate::common::{open, sample};
use serde_json::Value;
use spelunk::{
    Bytes, Opened, Options,
    check::lint::{self, Missing, Selection},
    check::sarif::Log,
    check::suppress::Suppressions,
};
use spelunk_fixtures::{mutate::mutate, samples};
use std::{fs, path::Path, sync::Arc};

/// Panics where a document is not as the schema says.
fn check(document: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas/sarif.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    let faults: Vec<String> = schema
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{faults:?}");
    let rules = document["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for result in document["runs"][0]["results"].as_array().unwrap() {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
}

/// Lints and verifies; what is found goes into the log.
fn add(log: &mut Log, known: &mut Suppressions, name: &str, mut opened: Opened) {
    let all = Selection::default();
    // Formats without rules have none to tell.
    let _ = lint::lint(
        &mut opened,
        name,
        &all,
        &spelunk::entries::search::Search::default(),
        None,
        &mut Missing::new(),
    );
    let verified = opened.run(|container, task| container.verify(task));
    let mut findings = opened.take_findings();
    let (suppressed, _) = known.apply(name, &mut findings);
    findings.findings.iter().for_each(|found| log.add(name, found.severity, &found.error));
    suppressed.iter().for_each(|known| log.add_suppressed(name, known));
    if let Err(error) = verified {
        log.add(name, spelunk::Severity::Error, &error);
    }
}

#[test]
fn findings_of_all_formats_make_one_document() {
    let mut log = Log::new(true);
    let mut known = Suppressions::parse("# No matter here.\nVL003 *.nmo\n").unwrap();
    for sample in samples() {
        let bytes = sample.fixture.bytes;
        for seed in 0..8 {
            let changed = if seed == 0 { bytes.clone() } else { mutate(&bytes, seed) };
            match Opened::open(Arc::new(Bytes::from(changed)), &Options::default()) {
                Ok(opened) => add(&mut log, &mut known, sample.name, opened),
                Err(error) => log.add(sample.name, spelunk::Severity::Error, &error),
            }
        }
    }
    let document = log.finish();
    check(&document);
    let results = document["runs"][0]["results"].as_array().unwrap();
    assert!(results.len() > 50, "{} results", results.len());
    let suppressed = results.iter().filter(|result| !result["suppressions"].is_null());
    let reasons: Vec<&Value> =
        suppressed.map(|result| &result["suppressions"][0]["justification"]).collect();
    assert!(!reasons.is_empty() && reasons.iter().all(|reason| **reason == "No matter here."));
}

#[test]
fn places_are_regions_of_the_file_or_told_as_properties() {
    let mut bytes = sample("level.nmo");
    // The stored checksum.
    bytes[8] ^= 1;
    let mut log = Log::new(false);
    add(&mut log, &mut Suppressions::default(), "maps/level 1.nmo", open("level", &bytes));
    let document = log.finish();
    check(&document);
    let results = document["runs"][0]["results"].as_array().unwrap();
    let of = |id: &str| results.iter().find(|result| result["ruleId"] == id).unwrap();
    let checksum = &of("VT005")["locations"][0]["physicalLocation"];
    assert_eq!(checksum["artifactLocation"]["uri"], "maps/level%201.nmo");
    assert_eq!(checksum["region"]["byteOffset"], 8);
    let texture = of("VL003");
    assert_eq!(texture["level"], "warning");
    assert_eq!(texture["properties"]["space"], "header1");
    assert!(texture["locations"][0]["physicalLocation"]["region"].is_null());
    let path = &texture["locations"][0]["logicalLocations"][0]["fullyQualifiedName"];
    assert_eq!(path, "#0 CKTexture/Wood_Texture.file_names");
    // Without the rules of `lint` there are those that were found.
    let rules = document["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.len() < 5);
}
