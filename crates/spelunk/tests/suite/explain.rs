//! The map of a file: every byte of every space once, in order, and the same for parts of it.

use crate::common::{open, sample};
use spelunk::{
    Bytes, Opened, Options, Record, Result, Space, Span, Val,
    core::text::CodePages,
    explain::{LayoutSink, Placed, SpanSelection, layout},
};
use spelunk_fixtures::{corpus, samples};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Files of every format; of real ones those that are small.
fn files() -> Vec<(String, Vec<u8>)> {
    let samples = samples().into_iter();
    // Some samples are refused, which `refusals.rs` checks.
    let opens = |bytes: &Vec<u8>| {
        Opened::open(Arc::new(Bytes::copy_from_slice(bytes)), &Options::default()).is_ok()
    };
    let mut files: Vec<(String, Vec<u8>)> =
        samples.map(|sample| (sample.name.to_owned(), sample.fixture.bytes)).collect();
    files.retain(|(_, bytes)| opens(bytes));
    let small = corpus::all().into_iter().filter(|file| file.bytes.len() <= 1 << 20);
    files.extend(small.map(|file| (file.name, file.bytes)));
    files
}

/// Adds up what it is told.
#[derive(Default)]
struct Sums {
    lengths: BTreeMap<Space, u64>,
    ends: BTreeMap<Space, u64>,
    paths: Vec<String>,
    groups: Vec<String>,
}

impl LayoutSink for Sums {
    fn group(
        &mut self,
        depth: usize,
        path: &str,
        _: &'static Record,
        _: Option<Span>,
    ) -> Result<()> {
        assert!(depth <= self.groups.len());
        self.groups.truncate(depth);
        self.groups.push(path.to_owned());
        Ok(())
    }

    fn field(&mut self, field: &Placed<'_>, parts: &mut dyn Iterator<Item = Span>) -> Result<()> {
        assert!(field.path.starts_with(field.group), "{} in {}", field.path, field.group);
        assert!(!field.step().is_empty(), "{}", field.path);
        let end = self.ends.entry(field.at.space).or_default();
        assert!(field.at.start >= *end, "{} lies before what was told", field.path);
        *end = field.at.end();
        let told: u64 = parts.map(|part| part.len).sum();
        *self.lengths.entry(field.at.space).or_default() += told;
        if self.paths.len() < 4 {
            self.paths.push(field.path.to_owned());
        }
        Ok(())
    }
}

fn sums(opened: &mut Opened, part: &SpanSelection) -> Sums {
    let mut sums = Sums::default();
    opened.run(|container, task| layout(container, part, task, &mut sums)).unwrap();
    sums
}

fn parse(opened: &mut Opened, text: &str, len: Option<u64>) -> Result<SpanSelection> {
    let pages = opened.code_pages();
    opened.run(|container, task| SpanSelection::parse(container, text, len, &pages, task))
}

#[test]
fn the_map_tells_every_byte_of_every_space_once_and_in_order() {
    let mut formats = BTreeSet::new();
    for (name, bytes) in files() {
        let mut opened = open(&name, &bytes);
        formats.insert(opened.container().format());
        let mut expected = BTreeMap::from([(Space::FILE, bytes.len() as u64)]);
        let spaces = opened.container().spaces();
        expected.extend(spaces.iter().map(|span| (span.space, span.len)));
        expected.retain(|_, len| *len > 0);
        let mut found = sums(&mut opened, &SpanSelection::all()).lengths;
        found.retain(|_, len| *len > 0);
        assert_eq!(found, expected, "{name}");
        for span in spaces {
            let plain = opened.run(|container, task| container.space_bytes(span.space, task));
            assert_eq!(plain.unwrap().len() as u64, span.len, "{name}, {}", span.space);
        }
    }
    assert_eq!(formats.len(), 7, "{formats:?}");
}

#[test]
fn spaces_hold_the_bytes_of_their_fields() {
    for (name, bytes) in files() {
        let mut opened = open(&name, &bytes);
        for span in opened.container().spaces() {
            let plain = opened.run(|container, task| container.space_bytes(span.space, task));
            let plain = plain.unwrap();
            let part = parse(&mut opened, &format!("{}:", span.space), None).unwrap();
            let mut values = Values { plain: &plain, seen: 0 };
            opened.run(|container, task| layout(container, &part, task, &mut values)).unwrap();
            assert!(values.seen > 0 || span.len == 0, "{name}, {}", span.space);
        }
    }
}

/// Compares values with the bytes at their places.
struct Values<'a> {
    plain: &'a [u8],
    seen: usize,
}

impl LayoutSink for Values<'_> {
    fn group(&mut self, _: usize, _: &str, _: &'static Record, _: Option<Span>) -> Result<()> {
        Ok(())
    }

    fn field(&mut self, field: &Placed<'_>, _: &mut dyn Iterator<Item = Span>) -> Result<()> {
        let at = field.at;
        let stored = &self.plain[at.start as usize..at.end() as usize];
        let decoded = field.field.ty.decode(stored).to_string();
        // Ids are told with what they mean, which may be nothing.
        let is_plain = !matches!(field.value, Val::Ref(..) | Val::None);
        if field.field.ty.size().map(u64::from) == Some(at.len) && is_plain {
            assert_eq!(decoded, field.value.to_string(), "{}", field.path);
        }
        self.seen += 1;
        Ok(())
    }
}

#[test]
fn parts_are_told_alone() {
    let mut opened = open("level.nmo", &sample("level.nmo"));
    let header1 = opened.container().spaces()[0];
    let part = parse(&mut opened, "header1:", None).unwrap();
    assert_eq!(sums(&mut opened, &part).lengths, BTreeMap::from([(header1.space, header1.len)]));
    let part = parse(&mut opened, "0x22", Some(8)).unwrap();
    let told = sums(&mut opened, &part);
    assert_eq!(told.lengths, BTreeMap::from([(Space::FILE, 8)]));
    assert_eq!(told.groups, ["part1"]);
    // An entry lies in the object table and among the data.
    let part = parse(&mut opened, "CKMesh/Cube_Mesh", None).unwrap();
    let told = sums(&mut opened, &part).lengths;
    assert!(told.len() == 2 && told.values().all(|len| *len > 0), "{told:?}");
    let pages = CodePages::cp1252();
    let same = opened
        .run(|container, task| SpanSelection::entry(container, "CKMesh/Cube_Mesh", &pages, task));
    assert_eq!(same.unwrap().spans(), part.spans());
    assert_eq!(parse(&mut opened, "nothing", None).unwrap_err().code().id, "SP025");
    assert_eq!(parse(&mut opened, "nowhere:", None).unwrap_err().code().id, "SP025");
    let end = sample("level.nmo").len().to_string();
    assert_eq!(parse(&mut opened, &end, None).unwrap_err().code().id, "SP025");
}
