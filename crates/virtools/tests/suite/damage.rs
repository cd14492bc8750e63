//! Files that are cut, or of which a byte is another one: what comes before the damage is there, the damage is one finding,
//! and nothing is written that was not read.

use crate::common::open;
use spelunk_core::{Bytes, Collect, Container, Edit, Error, Format, Of, Packing, Severity, Task};
use spelunk_fixtures::{corpus, samples, virtools::unzlib};
use std::{collections::BTreeSet, sync::Arc};
use test_support::{
    entries::{list_damaged, write},
    task::with_task,
};
use virtools::{File, Virtools, file::data::Owner};

/// A sound file, and what its sections hold.
struct Sound {
    name: String,
    bytes: Vec<u8>,
    opened: Box<dyn Container>,
}

impl Sound {
    fn new(name: &str, bytes: Vec<u8>) -> Option<Sound> {
        let opened = open(&bytes).0.ok()?;
        let sound = Sound { name: name.to_owned(), bytes, opened };
        let packed = |section: &spelunk_core::Section| section.packing() == Packing::Zlib;
        (packed(sound.file().header1()) && packed(sound.file().data())).then_some(sound)
    }

    fn file(&self) -> &File {
        self.opened.model().unwrap()
    }

    /// In how many places a section is damaged: large files take long without optimisation.
    fn places(&self, usual: u64) -> u64 {
        if self.bytes.len() < 150_000 { usual } else { 2 }
    }
}

/// Samples and real files with packed sections.
fn sound_files() -> Vec<Sound> {
    let made = [samples::level(), samples::menu(), samples::script(), samples::gameplay()];
    let made = made.into_iter().map(|sample| ("sample".to_owned(), sample.build().bytes));
    let real = corpus::files("virtools", &["nmo", "cmo", "nms"]).unwrap_or_default();
    let real = real.into_iter().map(|real| (real.name, real.bytes));
    made.chain(real).filter_map(|(name, bytes)| Sound::new(&name, bytes)).collect()
}

/// How many bytes at the start are those of the sound section.
fn same(plain: &[u8], stored: &[u8]) -> usize {
    let damaged = unzlib(stored, plain.len());
    plain.iter().zip(&damaged).take_while(|(a, b)| a == b).count()
}

fn errors(findings: &Collect) -> BTreeSet<String> {
    let errors = findings.findings.iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| finding.error.to_string()).collect()
}

/// What a file shows of damage when everything in it is asked for.
struct Shown {
    opened: Option<Box<dyn Container>>,
    /// Texts of all errors, whether they were findings or not.
    errors: BTreeSet<String>,
}

impl Shown {
    fn of(bytes: &[u8]) -> Shown {
        let (opened, findings) = open(bytes);
        let mut errors = errors(&findings);
        let opened = match opened {
            Ok(opened) => opened,
            Err(error) => {
                errors.insert(error.to_string());
                return Shown { opened: None, errors };
            }
        };
        let (listed, found) = list_damaged(&*opened, Of::Listing);
        errors.extend(self::errors(&found.unwrap()));
        for row in &listed {
            let (bytes, _) = with_task(bytes.len(), |task| opened.bytes(row.node, task));
            errors.extend(bytes.err().map(|error| error.to_string()));
        }
        let (_, found) = with_task(bytes.len(), |task| opened.verify(task).unwrap());
        errors.extend(self::errors(&found));
        Shown { opened: Some(opened), errors }
    }
}

/// Compares a damaged file with the sound one; gives how many objects were whole, and how many were read.
fn compare(sound: &Sound, damaged: &[u8], what: &str) -> (usize, usize) {
    let what = format!("{}: {what}", sound.name);
    let file = sound.file();
    let part = |section: &spelunk_core::Section| {
        let range = section.at().start as usize..section.at().end() as usize;
        let end = range.end.min(damaged.len());
        damaged[range.start.min(end)..end].to_vec()
    };
    let plain = |section: &spelunk_core::Section| {
        with_task(sound.bytes.len(), |task| section.plain(&mut task.budget).unwrap().clone()).0
    };
    let (header1, data) = (plain(file.header1()), plain(file.data()));
    let entries_end = same(&header1, &part(file.header1()));
    let records_end = same(&data, &part(file.data()));
    let records = with_task(sound.bytes.len(), |task| {
        file.records(&mut task.budget).unwrap().objects.clone()
    });
    let whole = |(index, object): &(usize, &virtools::file::table::Object)| {
        let entry_end = object.name.at as usize + object.name.len as usize;
        let chunk = records.0[*index].chunk;
        (entry_end <= entries_end).then_some((chunk.at + chunk.len) as usize <= records_end)
    };
    let table = file.table();
    let entries: Vec<_> = table.objects.iter().enumerate().map_while(|it| whole(&it)).collect();
    let wanted = entries.iter().take_while(|has_record| **has_record).count();

    let shown = Shown::of(damaged);
    let Some(opened) = shown.opened else {
        assert_eq!(entries.len(), 0, "{what}: {:?}", shown.errors);
        return (0, 0);
    };
    let found: &File = opened.model().unwrap();
    assert!(found.table().objects.len() >= entries.len(), "{what}");
    let read = with_task(sound.bytes.len() + damaged.len(), |task| {
        for (index, object) in table.objects.iter().enumerate().take(entries.len()) {
            let other = &found.table().objects[index];
            assert_eq!((object.id, object.class_id), (other.id, other.class_id), "{what}");
            assert_eq!(table.name(object), found.table().name(other), "{what}");
            if index < wanted {
                let owner = Owner::Object(index as u32);
                let expected = file.records(&mut task.budget).unwrap();
                let expected = expected.chunk(owner, &mut task.budget).unwrap();
                let records = found.records(&mut task.budget).unwrap();
                assert!(index < records.objects.len(), "{what}: {index} of {wanted}");
                let chunk = records.chunk(owner, &mut task.budget).unwrap();
                assert!(chunk == expected, "{what}: object {index}");
            }
        }
        found.records(&mut task.budget).unwrap().objects.len()
    });
    // The damage is told once, not once for each object. Beside it there may be the checksum and the end of the file.
    let streams = shown.errors.iter().filter(|text| text.contains("objects whole")).count();
    assert!(streams <= 2, "{what}: {:#?}", shown.errors);
    assert!(shown.errors.len() <= 5, "{what}: {:#?}", shown.errors);
    if records_end < data.len() {
        assert!(!shown.errors.is_empty(), "{what}");
    }
    // Nothing was changed, so nothing is.
    assert!(write(&*opened, false).0 == damaged, "{what}");
    assert!(write(&*opened, true).0 == damaged, "{what}");
    (wanted, read.0)
}

#[test]
fn of_a_cut_file_all_objects_before_the_cut_are_there() {
    for sound in sound_files() {
        let (header1, data) = (sound.file().header1().at(), sound.file().data().at());
        let within = |at: spelunk_core::Span, parts: u64| {
            (0..parts).map(move |nth| at.start + at.len * nth / parts)
        };
        let cuts: BTreeSet<u64> = within(header1, sound.places(6))
            .chain(within(data, sound.places(8)))
            .chain([data.end() - 1])
            .collect();
        let mut best = 0;
        for cut in cuts {
            let (whole, _) =
                compare(&sound, &sound.bytes[..cut as usize], &format!("cut at {cut}"));
            best = best.max(whole);
        }
        let objects = sound.file().table().objects.len();
        assert!(objects == 0 || best > 0, "{}: some cut leaves objects", sound.name);
    }
}

#[test]
fn of_a_file_with_a_flipped_bit_all_objects_before_it_are_there() {
    for sound in sound_files() {
        for section in [sound.file().header1(), sound.file().data()] {
            let at = section.at();
            let places = sound.places(6);
            for nth in 0..places {
                let place = (at.start + at.len * nth / places) as usize;
                let mut damaged = sound.bytes.clone();
                damaged[place] ^= 1 << (nth % 8);
                compare(&sound, &damaged, &format!("flipped at {place}"));
            }
        }
    }
}

fn refused(made: Result<(), Error>) {
    assert_eq!(made.unwrap_err().code().id, virtools::codes::DAMAGED.id);
}

/// A change that is tried.
type Change = dyn Fn(&mut File, &mut Task<'_>) -> Result<(), Error>;

/// Of what cannot be read nothing can be said, so such a file is not changed.
#[test]
fn damaged_files_are_not_changed() {
    let fixture = samples::level().build();
    let (header1, data) = (fixture.range_of("header1"), fixture.range_of("data"));
    for (flipped, within_header1) in [(data.end - 40, false), (header1.end - 6, true)] {
        let mut bytes = fixture.bytes.clone();
        bytes[flipped] ^= 0x55;
        let changes: [&Change; 6] = [
            &|file, task| file.set_chunk(Owner::Object(0), Bytes::new(), &mut task.budget),
            &|file, task| File::rename(file, 0, b"other", &mut task.budget),
            &|file, task| file.add_object(32, b"new", &mut task.budget).map(drop),
            &|file, task| file.remove_objects(&[0].into(), true, task).map(drop),
            &|file, task| {
                let node = File::node(Owner::Object(0));
                Edit::remove(file, &[node], false, task)
            },
            &|file, _| file.add_included(b"a.txt", Bytes::new()).map(drop),
        ];
        for (nth, change) in changes.iter().enumerate() {
            with_task(bytes.len(), |task| {
                let mut file = File::read_from(&Bytes::from(bytes.clone()), task).unwrap();
                assert_eq!(file.header1_damage().is_some(), within_header1);
                let fault = file.records(&mut task.budget).unwrap().fault.unwrap();
                assert!(fault.is_of_section());
                let change = change(&mut file, task);
                assert!(change.is_err(), "{nth}");
                refused(change);
                let mut out = Vec::new();
                file.write(&mut out, &Default::default(), task).unwrap();
                assert!(out == bytes, "{nth}");
            });
        }
    }
}

/// What a stream declares and cannot hold is not made room for.
#[test]
fn a_cut_stream_takes_no_more_than_it_can_hold() {
    let fixture = samples::level().build();
    let mut bytes = fixture.bytes.clone();
    let at = fixture.offset_of("part1.data_unpack_size");
    bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    bytes.truncate(fixture.range_of("data").start + 20);
    let (_, findings) = with_task(bytes.len(), |task| {
        let file = Virtools.open(Arc::new(Bytes::from(bytes.clone())), task).unwrap();
        let file: &File = file.model().unwrap();
        let before = task.budget.left().memory;
        let objects = file.records(&mut task.budget).unwrap().objects.len();
        assert!(objects < file.table().objects.len());
        assert!(before - task.budget.left().memory < 64 << 10);
    });
    assert!(!findings.findings.is_empty());
}
