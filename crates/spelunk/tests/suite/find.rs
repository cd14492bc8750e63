//! Finding names, texts and values.

use crate::common::{open, rows, sample};
use globset::{GlobBuilder, GlobMatcher};
use spelunk::{
    Bytes, Collect, Container, Each, Entry, Error, Field, Limits, Node, Of, Opened, Profile, Task,
    Ty, Val, Walk, Walked,
    core::{
        text::{CodePages, until_nul},
        value::integer,
    },
    entries::{
        everything::{Look, Met, NamedEntry, everything},
        find::{Options, Pattern, find},
    },
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

/// Patterns of every kind: words, parts of words, globs, numbers, GUIDs, names of values and flags, texts in several scripts.
const PATTERNS: [&str; 44] = [
    "wood",
    "e",
    "Level",
    "P_Modul",
    "sound\\",
    ".bmp",
    "none",
    "spot",
    "active",
    "visible",
    "CKMesh",
    "kind",
    "message",
    "sword",
    "Schwert",
    "\u{fc}",
    "\u{c4}",
    "\u{43c}\u{435}\u{447}",
    "\u{41c}\u{415}\u{427}",
    "\u{df}",
    "\\x",
    "*",
    "*ball*",
    "Ball?",
    "[A-C]*",
    "*: *",
    "#*",
    "0",
    "1",
    "-1",
    "100",
    "0x64",
    "0x1234",
    "65535",
    "0xffffffff",
    "1.5",
    "0.1",
    "nan",
    "deadbeef",
    "face",
    "466a0fac",
    "466a0fac-00000000",
    "3d242466-00000000",
    "00000000-0000-0000-0000-000000000000",
];

/// A pattern as it is looked for without any preparation: the longest and surest way.
struct Plainly {
    text: String,
    glob: Option<GlobMatcher>,
    number: Option<i128>,
    whole: bool,
}

impl Plainly {
    fn of(text: &str, whole: bool) -> Plainly {
        let glob = text.contains(['*', '?', '[']).then(|| {
            let glob = GlobBuilder::new(text).case_insensitive(true).build();
            glob.unwrap().compile_matcher()
        });
        Plainly { text: text.to_lowercase(), glob, number: integer(text), whole }
    }

    fn text(&self, text: &str) -> bool {
        match &self.glob {
            Some(glob) => glob.is_match(text),
            None if self.whole => text.to_lowercase() == self.text,
            None => text.to_lowercase().contains(&self.text),
        }
    }

    fn number(&self, number: impl Into<i128>) -> bool {
        self.number == Some(number.into())
    }

    fn value(&self, field: &Field, value: &Val<'_>, pages: &CodePages) -> bool {
        let stored = |bytes: &[u8]| self.text(&pages.show(until_nul(bytes)));
        let is_value = match value {
            Val::None | Val::Bool(_) | Val::Bytes(_) | Val::List(_) => false,
            Val::U(number) | Val::Word64(number) => self.number(*number),
            Val::I(number) => self.number(*number),
            Val::Word(number) => self.number(*number),
            Val::F(number) => self.text.parse() == Ok(*number),
            Val::Ref(number, target) => {
                self.number(*number) || target.as_ref().is_some_and(|target| stored(&target.name))
            }
            Val::Text(bytes) => stored(bytes),
            Val::Str(text) => self.text(text),
            Val::Guid(..) | Val::Uuid(_) | Val::Hash(..) => self.text(&value.to_string()),
        };
        let is_part = || {
            field.parts_of(value).filter(|part| part.is_set()).any(|part| {
                let meaning = part.meaning();
                let texts = [Some(part.name.into()), meaning, Some(part.to_string().into())];
                texts.into_iter().flatten().any(|text| self.text(&text))
            })
        };
        is_value || field.meaning(value).is_some_and(|text| self.text(&text)) || is_part()
    }
}

type Hits = Vec<(String, Option<String>)>;

/// Looks for all patterns at once, each [plainly](Plainly).
struct AllPlainly<'s> {
    patterns: Vec<(Plainly, Hits)>,
    pages: &'s CodePages,
}

impl Look for AllPlainly<'_> {
    fn entry(&mut self, entry: &NamedEntry<'_>) -> Result<(), Error> {
        for (pattern, hits) in &mut self.patterns {
            if [entry.path, entry.kind, &*entry.name].iter().any(|text| pattern.text(text)) {
                hits.push((entry.path.to_owned(), None));
            }
        }
        Ok(())
    }

    fn field(&mut self, entry: &NamedEntry<'_>, met: Met<'_>) -> Result<(), Error> {
        let Met { field, value, trail, .. } = met;
        let path = trail.path(field);
        let is_name = match &value {
            Val::Text(bytes) => self.pages.show(until_nul(bytes)) == entry.name,
            Val::Str(text) => *text == entry.name,
            _ => false,
        };
        for (pattern, hits) in &mut self.patterns {
            if !is_name && pattern.value(field, &value, self.pages) {
                hits.push((entry.path.to_owned(), Some(path.clone())));
            }
        }
        Ok(())
    }
}

/// Asserts that the search finds the same as looking at each value plainly does, in the same order.
fn assert_found_as_plainly(name: &str, bytes: &[u8], patterns: &[&str]) {
    let mut opened = open(name, bytes);
    let pages = opened.code_pages();
    let both = patterns.iter().enumerate().flat_map(|(nth, text)| {
        // As the whole of a text some of them will do.
        let whole = Some((*text, true)).filter(|_| nth % 3 == 0);
        [Some((*text, false)), whole].into_iter().flatten()
    });
    let patterns = both.clone().map(|(text, whole)| (Plainly::of(text, whole), Vec::new()));
    let mut all = AllPlainly { patterns: patterns.collect(), pages: &pages };
    let seen = opened.run(|container, task| everything(container, true, &pages, task, &mut all));
    seen.unwrap_or_else(|error| panic!("{name}: {error}"));
    for ((text, whole), (_, plainly)) in both.zip(all.patterns) {
        let hits = try_found(&mut opened, text, whole);
        let hits = hits.unwrap_or_else(|error| panic!("{name} {text}: {error}"));
        assert_eq!(hits, plainly, "{name}: `{text}` {whole}");
    }
}

#[test]
fn what_is_found_is_what_looking_at_each_value_plainly_finds() {
    for sample in samples() {
        assert_found_as_plainly(sample.name, &sample.fixture.bytes, &PATTERNS);
    }
    // Every value is looked at for each pattern, so that the smaller files will do.
    for file in corpus::all().iter().filter(|file| file.bytes.len() < 64 << 10) {
        assert_found_as_plainly(&file.name, &file.bytes, &PATTERNS);
    }
}
