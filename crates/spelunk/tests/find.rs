//! Finding names, texts and values.

mod common;

use common::{open, rows, sample};
use spelunk::{
    Error, Opened,
    core::text::CodePages,
    entries::find::{Options, Pattern, find},
};
use spelunk_fixtures::{corpus, mutate::mutate, samples};

/// Paths, and where a field holds what was found, the field.
fn try_found(
    opened: &mut Opened,
    text: &str,
    whole: bool,
) -> Result<Vec<(String, Option<String>)>, Error> {
    let pattern = Pattern::new(text, whole)?;
    let pages: CodePages = opened.code_pages();
    let mut hits = Vec::new();
    opened.run(|container, task| {
        find(container, &pattern, Options::default(), &pages, task, &mut |hit| {
            hits.push((hit.path.to_owned(), hit.field.as_ref().map(|(path, ..)| path.clone())));
            Ok(())
        })
    })?;
    Ok(hits)
}

fn found(name: &str, bytes: &[u8], text: &str) -> Vec<(String, Option<String>)> {
    try_found(&mut open(name, bytes), text, false).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_entry_that_is_listed_is_found_by_its_name() {
    let mut tried = 0;
    for sample in samples() {
        let bytes = &sample.fixture.bytes;
        for row in rows(&mut open(sample.name, bytes)) {
            let (path, name) = (row["path"].as_str().unwrap(), row["name"].as_str());
            let Some(name) =
                name.filter(|name| !name.is_empty() && !name.contains(['*', '?', '[']))
            else {
                continue;
            };
            let hits = try_found(&mut open(sample.name, bytes), name, true).unwrap();
            let here = hits.iter().any(|(found, field)| found == path && field.is_none());
            // Listings tell what a chunk is beside its kind, which is shown as one word.
            assert!(
                here || hits.is_empty() || row["id"].is_i64(),
                "{}: {path} {name}: {hits:?}",
                sample.name
            );
            tried += usize::from(here);
        }
    }
    assert!(tried > 40, "{tried}");
}

#[test]
fn numbers_and_texts_are_found_in_rows() {
    let bytes = sample("GameData.cff");
    let hits = found("GameData.cff", &bytes, "iron sword");
    assert!(hits.contains(&("2016/1/1".to_owned(), None)), "{hits:?}");
    let number = found("GameData.cff", &bytes, "100");
    assert!(number.contains(&("2003/1".to_owned(), Some("buy_value".to_owned()))), "{number:?}");
    assert_eq!(number, found("GameData.cff", &bytes, "0x64"));
    // No row is told twice: the chunk that holds it is not searched beside it.
    assert!(number.iter().all(|(path, _)| path.contains('/')), "{number:?}");
}

#[test]
fn the_parameters_that_hold_a_message_are_found_by_its_name() {
    let Some(files) = corpus::files("virtools", &["nmo"]) else { return };
    let file = files.iter().find(|file| file.name.ends_with("gameplay.nmo")).unwrap();
    let hits = found(&file.name, &file.bytes, "Level_Finish");
    let wanted = |path: &str, field: &str| (path.to_owned(), Some(field.to_owned()));
    let manager = "managers/466a0fac-00000000";
    assert_eq!(
        hits,
        [
            wanted(manager, "messages.messages[11].name"),
            wanted("#5310", "parameter.value.value"),
            wanted("#5479", "parameter.value.value"),
        ]
    );
}

#[test]
fn damage_is_told_and_passed_over() {
    for sample in samples() {
        for seed in 0..20 {
            let bytes = mutate(&sample.fixture.bytes, seed);
            let source = std::sync::Arc::new(spelunk::Bytes::from(bytes));
            if let Ok(mut opened) = Opened::open(source, &spelunk::Options::default()) {
                drop(try_found(&mut opened, "a", false));
            }
        }
    }
}
