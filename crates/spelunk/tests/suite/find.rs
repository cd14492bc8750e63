//! Finding names, texts and values.

use crate::common::{open, rows, sample};
use spelunk::{
    Bytes, Collect, Container, Each, Entry, Error, Field, Limits, Node, Of, Opened, Profile, Task,
    Ty, Val, Walk, Walked,
    core::text::CodePages,
    entries::find::{Options, Pattern, find},
};
use spelunk_core::Budget;
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

/// One entry with one text.
struct Text(Vec<u8>);

static TEXT: Field = Field::new("text", Ty::Text, "A text.");

impl Container for Text {
    fn profile(&self) -> &'static Profile {
        static PROFILE: Profile = Profile::new("text", "Texts");
        &PROFILE
    }

    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn children(&self, of: Of, _: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| {
            walk.field(&TEXT, None, Val::Text(self.0.as_slice().into()))
        };
        match of {
            Of::Listing | Of::Root => each(&Entry::new(Node(0), "a", "text", 0, &details), task),
            Of::Node(_) | Of::Parts(_) => Ok(()),
        }
    }

    fn bytes(&self, _: Node, _: &mut Task<'_>) -> Result<Bytes, Error> {
        Ok(Bytes::new())
    }

    fn layout(&self, _: &mut Task<'_>, _: &mut dyn Walk) -> Walked {
        Ok(())
    }
}

#[test]
fn texts_are_shown_as_far_as_memory_goes() {
    let pattern = Pattern::new("EE", false).unwrap();
    let hits = |byte: u8, memory: u64| {
        let container = Text(vec![byte; 1 << 20]);
        let limits = Limits { memory, ..Limits::for_len(0) };
        let (mut sink, mut count) = (Collect::default(), 0);
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let pages = CodePages::cp1252();
        let found = find(&container, &pattern, Options::default(), &pages, &mut task, &mut |_| {
            count += 1;
            Ok(())
        });
        assert!(sink.findings.is_empty(), "a limit is no damage");
        found.map(|()| count).map_err(|error| error.code().id)
    };
    assert_eq!(hits(b'e', 5 << 20), Ok(1));
    assert_eq!(hits(b'e', 3 << 20), Err("SP010"));
    // Each of these is three bytes as it is shown.
    assert_eq!(hits(0x80, 5 << 20), Err("SP010"));
    assert_eq!(hits(0x80, 27 << 20), Ok(0));
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
