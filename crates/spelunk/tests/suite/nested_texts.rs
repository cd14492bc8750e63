//! Texts of chunk files that lie in saved games: they are in the code pages that are asked for, as all others.

use serde_json::{Value, json};
use spelunk::{
    Options,
    core::text::CodePages,
    verbs::{self, CollectedOutput, Memory, Session},
};
use spelunk_fixtures::{assembler::Asm, cff::CffChunk, samples};

/// A saved campaign with a whole GameData in a chunk, whose texts of slot 5 are Russian.
fn save() -> Vec<u8> {
    let mut state = Asm::new();
    state.bytes("head", b"!").nest("gamedata", &samples::gamedata().build());
    let mut file = samples::campaign();
    file.chunks[1] = CffChunk::packed(5, 2, state.finish());
    file.build().bytes
}

fn rows(pages: Option<&str>, verb: &str, request: &Value) -> Vec<Value> {
    let files = Memory::new();
    files.put("campaign.sav", save());
    let pages = pages.map(|pages| CodePages::from_labels(pages).unwrap());
    let session = Session::new(files).with_options(Options { pages, ..Options::default() });
    let mut out = CollectedOutput::default();
    verbs::call(&session, verb, &request.to_string(), &mut out).unwrap();
    assert!(out.diagnostics.is_empty(), "{:?}", out.diagnostics);
    out.rows
}

/// The text of the row of slot 5, as `show` has it.
fn text(pages: Option<&str>) -> Value {
    let shown = rows(pages, "show", &json!({ "file": "campaign.sav", "path": "5/@1/texts" }));
    let fields = shown[0]["fields"].as_array().unwrap();
    let is_russian = |field: &&Value| {
        field["path"].as_str().is_some_and(|path| path.ends_with(".language_id"))
            && field["value"] == 5
    };
    let row = fields.iter().find(is_russian).unwrap()["path"].as_str().unwrap();
    let path = row.replace(".language_id", ".content");
    fields.iter().find(|field| field["path"] == *path).unwrap()["value"].clone()
}

#[test]
fn nested_texts_are_in_the_pages_that_are_asked_for() {
    assert_eq!(text(Some("cp1251")), "Страж");
    assert_eq!(text(Some("cp1252")), "Ñòðàæ");
    // Nobody knows the pages of a save, so they are the usual ones until others are asked for.
    assert_eq!(text(None), "Ñòðàæ");
    let found = |pages: Option<&str>, text: &str| {
        rows(pages, "find", &json!({ "pattern": text, "files": ["campaign.sav"] }))
    };
    let hits = found(Some("cp1251"), "Страж");
    assert_eq!(hits.len(), 1, "{hits:?}");
    assert_eq!(hits[0]["path"], "5/@1/2016");
    assert_eq!(found(None, "Страж"), [] as [Value; 0]);
}
