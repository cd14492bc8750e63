//! Packs whose header is longer than any that is known: read where that is asked for, and kept whatever is done with them.

use crate::common::open;
use snpak::{
    OpenOptions, Pack, codes,
    edit::{self, Draft, append::Growing},
};
use spelunk_core::{
    Bytes, Container, Result, Revision, Severity, Source, Task,
    source::Mapping,
    walk::{Flat, finish},
};
use spelunk_fixtures::{Fixture, samples, snpak::rehash};
use std::{
    io::{self, Cursor},
    sync::{Arc, Mutex},
};
use test_support::{
    entries::write, findings::graded, laws::assert_covered_despite_damage, task::with_task,
};

/// Size of the header.
const SIZE: usize = 212;

fn extended() -> Fixture {
    let file = samples::extended_pack().build();
    assert_eq!(file.u32_of("header.header_size") as usize, SIZE);
    assert_eq!(file.range_of("strings[0]").start, SIZE);
    file
}

/// Opens a pack with a task that passes over extensions.
fn lenient(bytes: &[u8]) -> Pack {
    let source = Arc::new(Bytes::copy_from_slice(bytes));
    let (pack, sink) = with_task(bytes.len(), |task| {
        task.is_lenient = true;
        Pack::read_from(source, task)
    });
    assert_eq!(graded(&sink), [(codes::HEADER_LONG.id, Severity::Warning)]);
    pack.expect("a pack")
}

/// Asserts that a pack has the header of the fixture and what the fixture has behind the known fields.
fn assert_extended(bytes: &[u8], file: &Fixture) {
    assert_eq!(&bytes[12..16], &file.bytes[12..16]);
    assert_eq!(&bytes[180..SIZE], file.slice_of("extension"));
}

#[test]
fn longer_headers_are_refused_unless_they_are_asked_for() {
    let file = extended();
    let error = open(&file.bytes).0.expect_err("refused");
    assert_eq!(error.code().id, codes::HEADER_LONG.id);
    assert!(error.to_string().contains("--lenient"), "{error}");
    assert_eq!(error.place().map(|at| (at.start, at.len)), Some((12, 4)));
    let options = OpenOptions { longer_headers: true, ..OpenOptions::default() };
    let source = Arc::new(Bytes::from(file.bytes.clone()));
    let (pack, sink) = with_task(file.bytes.len(), |task| Pack::open_with(source, &options, task));
    assert_eq!(pack.expect("a pack").header().extension().len, 32);
    assert_eq!(graded(&sink), [(codes::HEADER_LONG.id, Severity::Warning)]);
    // A size that reaches into the tables, or behind the end, is damage.
    let strings = file.u64_of("header.strings_offset").min(file.u64_of("header.index_offset"));
    for size in [strings as u32 + 1, file.bytes.len() as u32 + 1, u32::MAX] {
        let mut damaged = extended();
        damaged.poke("header.header_size", &size.to_le_bytes());
        let source = Arc::new(Bytes::from(damaged.bytes));
        let (pack, _) = with_task(file.bytes.len(), |task| Pack::open_with(source, &options, task));
        let error = pack.expect_err("damage");
        assert_eq!(error.code().id, codes::HEADER_LONG.id);
        assert!(!error.to_string().contains("--lenient"), "{error}");
    }
    // So is a size where a block begins behind the known fields.
    let mut damaged = samples::appended_pack().build();
    damaged.poke("header.header_size", &[188]);
    let source = Arc::new(Bytes::from(damaged.bytes));
    let (pack, _) = with_task(file.bytes.len(), |task| Pack::open_with(source, &options, task));
    assert!(!pack.expect_err("damage").to_string().contains("--lenient"));
}

#[test]
fn an_extension_is_bytes_that_come_back() {
    let file = extended();
    let pack = lenient(&file.bytes);
    assert_covered_despite_damage(&pack, "a pack with a longer header");
    assert_eq!(write(&pack, false).0, file.bytes);
    let mut flat = Flat::default();
    finish(with_task(file.bytes.len(), |task| pack.layout(task, &mut flat)).0).expect("a layout");
    let is_extension = |field: &&spelunk_core::walk::FlatField| {
        field.at.is_some_and(|at| (at.start, at.len) == (180, 32))
    };
    let field = flat.fields.iter().find(is_extension).expect("the extension");
    assert_eq!(field.path, "blocks[1].bytes");
    // The other entries, names and generations are those of the pack with the usual header.
    let usual = open(&samples::appended_pack().build().bytes).0.expect("a pack");
    for row in 0..usual.index().entries().len() {
        let payload = |pack: &Pack| with_task(file.bytes.len(), |task| pack.payload(row, task)).0;
        assert_eq!(payload(&pack).expect("a payload"), payload(&usual).expect("a payload"));
    }
    let (older, sink) = with_task(file.bytes.len(), |task| pack.generation(Revision::Nth(1), task));
    let older = older.expect("the generation before");
    assert!(!sink.has_errors() && older.strings().at().start == SIZE as u64);
    let (verified, sink) = with_task(file.bytes.len(), |task| snpak::verify(&pack, task));
    verified.expect("verified");
    assert_eq!(graded(&sink), []);
}

/// A file in memory that grows in place.
#[derive(Debug, Clone)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl edit::append::InPlace for Shared {
    fn source(&self, _: Mapping) -> Result<Arc<dyn Source>> {
        Ok(Arc::new(Bytes::from(self.0.lock().unwrap().clone())))
    }

    fn begin(self: Box<Self>) -> Result<Box<dyn edit::append::Medium>> {
        Ok(self)
    }
}

impl edit::append::Medium for Shared {
    fn size(&mut self) -> io::Result<u64> {
        Ok(self.0.lock().unwrap().len() as u64)
    }

    fn put(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut all = self.0.lock().unwrap();
        let end = offset as usize + bytes.len();
        let len = all.len().max(end);
        all.resize(len, 0);
        all[offset as usize..end].copy_from_slice(bytes);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn cut(&mut self, size: u64) -> io::Result<()> {
        self.0.lock().unwrap().truncate(size as usize);
        Ok(())
    }
}

#[test]
fn whatever_changes_a_pack_keeps_the_extension() {
    let file = extended();
    let len = file.bytes.len();
    let pack = Arc::new(lenient(&file.bytes));
    // Its own state, as a pack of its own.
    let mut out = Cursor::new(Vec::new());
    let (written, _) =
        with_task(len, |task| edit::compact(&pack, &mut out, Default::default(), task));
    let compact = out.into_inner();
    assert_eq!(written.expect("written").size, compact.len() as u64);
    assert_extended(&compact, &file);
    assert_eq!(lenient(&compact).index().entries().len(), pack.index().entries().len());
    // A state of before.
    let (older, _) = with_task(len, |task| pack.generation(Revision::Nth(1), task));
    let mut out = Vec::new();
    with_task(len, |task| edit::rollback(&older.unwrap(), &mut out, task)).0.expect("rolled back");
    assert_extended(&out, &file);
    lenient(&out);
    // A change that is shown, and one in place.
    let changed = |pack: &Arc<Pack>, task: &mut Task<'_>| -> Result<Draft> {
        let mut draft = Draft::of(pack.clone(), &mut task.budget)?;
        draft.asset_mut(0, &mut task.budget)?.name = b"another name".to_vec();
        Ok(draft)
    };
    let (shown, sink) = with_task(len, |task| changed(&pack, task)?.shown(task));
    assert!(sink.findings.is_empty());
    let (bytes, _) = write(&shown.expect("the next state"), false);
    assert_extended(&bytes, &file);
    assert_eq!(lenient(&bytes).links().len(), 3);
    let shared = Shared(Arc::new(Mutex::new(file.bytes.clone())));
    let grow = |is_lenient: bool| {
        with_task(len, |task| {
            task.is_lenient = is_lenient;
            let growing = Growing::of(Box::new(shared.clone()), Mapping::default(), task)?;
            let draft = changed(growing.pack(), task)?;
            growing.append(draft, Default::default(), task)
        })
    };
    assert_eq!(grow(false).0.expect_err("refused").code().id, codes::HEADER_LONG.id);
    assert_eq!(*shared.0.lock().unwrap(), file.bytes);
    grow(true).0.expect("appended");
    assert_eq!(*shared.0.lock().unwrap(), bytes);
}

#[test]
fn an_extension_is_no_damage_to_be_repaired() {
    let repair = |bytes: &[u8], is_lenient: bool| {
        let source = Arc::new(Bytes::copy_from_slice(bytes));
        let mut out = Cursor::new(Vec::new());
        let (repaired, _) = with_task(bytes.len(), |task| {
            task.is_lenient = is_lenient;
            edit::repair(source, &mut out, Default::default(), task)
        });
        (repaired, out.into_inner())
    };
    let mut file = extended();
    let (refused, out) = repair(&file.bytes, false);
    assert_eq!(refused.expect_err("refused").code().id, codes::HEADER_LONG.id);
    assert!(out.is_empty());
    assert_eq!(repair(&file.bytes, true).0.expect("sound"), None);
    // Where something is damaged, the rest stays.
    file.poke("index[1].tables.entries[0].name_hash", &[1; 8]);
    rehash(&mut file);
    let (repaired, out) = repair(&file.bytes, true);
    assert!(repaired.expect("repaired").is_some());
    assert_extended(&out, &file);
    lenient(&out);
}
