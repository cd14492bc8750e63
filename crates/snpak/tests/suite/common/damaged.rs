//! The damaged packs of the corpus.

use serde_json::Value;
use spelunk_fixtures::corpus;
use std::collections::BTreeMap;
use test_support::json::truth;

/// A damaged pack and the one that it was made of.
pub struct Damaged {
    pub name: String,
    pub base: Vec<u8>,
    pub bytes: Vec<u8>,
}

/// All of them; `None` without a corpus.
pub fn all() -> Option<Vec<Damaged>> {
    let files = corpus::files("snpak", &["snpak"])?;
    let files: BTreeMap<_, _> = files.into_iter().map(|file| (file.name, file.bytes)).collect();
    let cases = truth(corpus::text("snpak/corrupt_variants.json")).expect("the cases");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let made = |case: &Value| {
        let base = files[&text(&case["base"])].to_vec();
        let mut bytes = base.clone();
        for patch in case["patches"].as_array().expect("patches") {
            let (at, new) = (patch[0].as_u64().expect("a place") as usize, unhex(&text(&patch[1])));
            bytes[at..at + new.len()].copy_from_slice(&new);
        }
        if let Some(len) = case["truncate_to"].as_u64() {
            bytes.truncate(len as usize);
        }
        bytes.extend(case["append_hex"].as_str().map(unhex).unwrap_or_default());
        Damaged { name: text(&case["name"]), base, bytes }
    };
    Some(cases["cases"].as_array().expect("cases").iter().map(made).collect())
}

fn unhex(text: &str) -> Vec<u8> {
    let digit = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal digits");
    (0..text.len()).step_by(2).map(digit).collect()
}
