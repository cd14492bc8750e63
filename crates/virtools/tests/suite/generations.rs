//! Every FileVersion, write mode and chunk generation, from files that were assembled apart. No real files of
//! these kinds are known but those of FileVersion 8.

use crate::common::open;
use spelunk_core::{
    Budget, Bytes, Collect, Convert, Error, Severity, WriteOptions, limits::Limits,
};
use spelunk_fixtures::{
    legacy,
    samples::{VirtoolsSample, virtools_matrix},
};
use test_support::{
    entries::write,
    findings::{codes, codes_of, errors},
    laws::assert_covered_despite_damage,
    task::with_task,
};
use virtools::{File, file::data::Owner};

/// Opens a sample as a model.
fn model(sample: &VirtoolsSample) -> (File, Collect) {
    let bytes = Bytes::from(sample.file.build().bytes);
    let (file, findings) = with_task(bytes.len(), |task| File::read_from(&bytes, task));
    (file.unwrap_or_else(|error| panic!("{}: {error:?}", sample.name)), findings)
}

#[test]
fn every_file_is_read_to_the_stated_model() {
    for sample in virtools_matrix() {
        let (file, findings) = model(&sample);
        let name = &sample.name;
        assert_eq!(errors(&findings), [""; 0], "{name}");
        assert_eq!(file.head().version(), sample.file.layout_version(), "{name}");
        let mut budget = Budget::new(Limits::for_len(1 << 20));
        let records = file.records(&mut budget).unwrap();
        assert!(records.fault.is_none(), "{name}");
        let expected = sample.file.expected_objects();
        assert_eq!(file.table().objects.len(), expected.len(), "{name}");
        for ((object, expected), index) in file.table().objects.iter().zip(&expected).zip(0..) {
            let place = format!("{name}, object {index}");
            assert_eq!(object.id.cast_unsigned(), expected.id, "{place}");
            assert_eq!(object.class_id, expected.class_id, "{place}");
            assert_eq!(file.table().name(object), expected.name, "{place}");
            let chunk = records.chunk(Owner::Object(index), &mut budget).unwrap();
            assert_eq!(chunk, expected.chunk, "{place}");
        }
        let managers = sample.file.expected_managers();
        assert_eq!(records.managers.len(), managers.len(), "{name}");
        for ((manager, (guid, chunk)), index) in records.managers.iter().zip(&managers).zip(0..) {
            assert_eq!((manager.guid.d1.get(), manager.guid.d2.get()), *guid, "{name}");
            assert_eq!(records.chunk(Owner::Manager(index), &mut budget).unwrap(), chunk, "{name}");
        }
        let included: Vec<_> = file
            .tail()
            .included
            .iter()
            .map(|file| (file.name.to_vec(), file.content.to_vec()))
            .collect();
        let stated: Vec<_> =
            sample.file.records.iter().map(|file| (file.name.clone(), file.data.clone())).collect();
        assert_eq!(included, stated, "{name}");
        assert_eq!(file.tail().rest, sample.file.tail, "{name}");
    }
}

#[test]
fn every_file_is_written_back_byte_for_byte() {
    for sample in virtools_matrix() {
        let bytes = sample.file.build().bytes;
        let file = open(&bytes).0.unwrap();
        for recompress in [false, true] {
            let (written, _) = write(&*file, recompress);
            assert!(written == bytes, "{}, packed anew: {recompress}", sample.name);
        }
        assert_covered_despite_damage(&*file, &sample.name);
    }
}

fn convert(file: &File, convert: Convert) -> (Result<Vec<u8>, Error>, Collect) {
    with_task(file.size() as usize, |task| {
        let mut out = Vec::new();
        let options = WriteOptions { convert, ..WriteOptions::default() };
        file.write(&mut out, &options, task).map(|()| out)
    })
}

/// Id, class, name and chunk of an object.
type Content = (i32, u32, Vec<u8>, Vec<u8>);

/// The version of a file, and its objects.
fn content(bytes: &[u8]) -> (u32, Vec<Content>) {
    let bytes = Bytes::copy_from_slice(bytes);
    let (file, findings) = with_task(bytes.len(), |task| File::read_from(&bytes, task));
    assert_eq!(errors(&findings), [""; 0]);
    let file = file.unwrap();
    let (checked, findings) = with_task(bytes.len(), |task| file.verify(task));
    checked.unwrap();
    // A FileIndex, a size or a count that was not made anew would be found here.
    assert!(!codes(&findings).contains(&"VT024"), "{findings:?}");
    assert_eq!(errors(&findings), [""; 0], "{findings:?}");
    let mut budget = Budget::new(Limits::for_len(1 << 20));
    let records = file.records(&mut budget).unwrap();
    let objects = file.table().objects.iter().zip(0..).map(|(object, index)| {
        let chunk = records.chunk(Owner::Object(index), &mut budget).unwrap().to_vec();
        (object.id, object.class_id, file.table().name(object).to_vec(), chunk)
    });
    (file.head().version(), objects.collect())
}

/// Upgrades keep every id, class, name and chunk. Data of FileVersion 0 to 3 get the header of generation A.
#[test]
fn every_version_is_upgraded_to_8() {
    for sample in virtools_matrix() {
        let (file, _) = model(&sample);
        let (written, findings) =
            convert(&file, Convert { version: Some(8), ..Convert::default() });
        let written = written.unwrap_or_else(|error| panic!("{}: {error:?}", sample.name));
        let (version, objects) = content(&written);
        assert_eq!(version, 8);
        let old = sample.file.layout_version();
        let expected = sample.file.expected_objects();
        assert_eq!(objects.len(), expected.len(), "{}", sample.name);
        for ((id, class_id, name, chunk), expected) in objects.iter().zip(&expected) {
            let place = format!("{}, object {id}", sample.name);
            assert_eq!(
                (id.cast_unsigned(), *class_id),
                (expected.id, expected.class_id),
                "{place}"
            );
            assert_eq!(name, &expected.name, "{place}");
            if old < 4 && !expected.chunk.is_empty() {
                let words = expected.chunk.len() as u32 / 4;
                let header = [0, expected.class_id, words, 0, 0, 0].map(u32::to_le_bytes);
                assert_eq!(chunk[..24], header.concat(), "{place}");
                assert_eq!(chunk[24..], expected.chunk, "{place}");
            } else {
                assert_eq!(chunk, &expected.chunk, "{place}");
            }
        }
        let unknown =
            codes_of(&findings, Severity::Info).iter().filter(|code| **code == "VT076").count();
        assert_eq!(unknown > 0, old < 5, "{}: the product is not known", sample.name);
        let included = Bytes::from(written);
        let (again, _) = with_task(included.len(), |task| File::read_from(&included, task));
        let again = again.unwrap();
        let names = |file: &File| {
            file.tail().included.iter().map(|file| file.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&again), names(&file), "{}", sample.name);
    }
}

/// A version that holds the content gives it back when the file is brought to 8 again; one that does not
/// refuses it with a list, or leaves it out where that is wanted, and tells what.
#[test]
fn versions_hold_what_they_have_a_place_for() {
    let (mut held, mut refused, mut left_out, mut empty) = (0, 0, 0, 0);
    for sample in virtools_matrix() {
        let (file, _) = model(&sample);
        let chunks = sample.file.expected_objects();
        let chunks = chunks.iter().filter(|object| !object.chunk.is_empty()).count();
        for version in 2..=9 {
            let place = format!("{} as {version}", sample.name);
            let wanted = Convert { version: Some(version), ..Convert::default() };
            let (written, findings) = convert(&file, wanted);
            match written {
                Ok(written) => {
                    assert_eq!(errors(&findings), [""; 0], "{place}");
                    assert_eq!(content(&written).0, version, "{place}");
                    held += 1;
                }
                Err(error) => {
                    assert_eq!(error.code().id, "VT070", "{place}: {error:?}");
                    let told = errors(&findings);
                    assert!(
                        !told.is_empty() && told.iter().all(|code| *code == "VT070"),
                        "{place}"
                    );
                    refused += 1;
                    let (written, findings) = convert(&file, Convert { lossy: true, ..wanted });
                    // A file of names alone is not written.
                    if written.as_ref().is_err_and(|error| error.code().id == "VT193") {
                        let texts = findings.findings.iter().map(|it| it.error.to_string());
                        let dropped = texts.filter(|text| text.contains("a chunk "));
                        assert!(version < 4 && dropped.count() >= chunks, "{place}");
                        empty += 1;
                        continue;
                    }
                    let written = written.unwrap_or_else(|error| panic!("{place}: {error:?}"));
                    assert_eq!(content(&written).0, version, "{place}");
                    let gone = codes_of(&findings, Severity::Warning);
                    let gone = gone.iter().filter(|code| **code == "VT079").count();
                    assert_eq!(gone, told.len(), "{place}");
                    left_out += 1;
                }
            }
        }
        for version in [0, 1, 10, 77] {
            let wanted = Convert { version: Some(version), ..Convert::default() };
            assert_eq!(convert(&file, wanted).0.unwrap_err().code().id, "VT071");
        }
    }
    println!("{held} held, {refused} refused, {left_out} with parts left out");
    assert!(held > 200 && refused > 100 && left_out > 50 && empty > 50, "{empty}");
}

/// Packed and stored forms of one file hold the same, at every level.
#[test]
fn write_modes_and_levels_change_the_form_alone() {
    for sample in virtools_matrix() {
        let (file, _) = model(&sample);
        let old = sample.file.layout_version();
        let (_, objects) = content(&sample.file.build().bytes);
        let packed = if old < 4 { 1 } else { 8 };
        for (mode, level) in [(0, None), (packed, None), (packed, Some(1)), (packed, Some(9))] {
            let place = format!("{}: mode {mode}, level {level:?}", sample.name);
            let wanted = Convert { mode: Some(mode), level, ..Convert::default() };
            let (written, _) = convert(&file, wanted);
            let prehistoric = sample.file.file_version2 != 0;
            if (old == 4 || prehistoric) && mode != 0 {
                assert_eq!(written.unwrap_err().code().id, "VT072", "{place}");
                continue;
            }
            let written = written.unwrap_or_else(|error| panic!("{place}: {error:?}"));
            assert_eq!(content(&written).1, objects, "{place}");
            let bytes = Bytes::from(written.clone());
            let again = with_task(bytes.len(), |task| File::read_from(&bytes, task)).0.unwrap();
            assert_eq!(again.head().write_mode(), mode, "{place}");
            if let Some(level) = level.filter(|_| old >= 5 && cfg!(feature = "c-codecs")) {
                let mut budget = Budget::new(Limits::for_len(1 << 20));
                assert!(again.data().is_level(level, &mut budget).unwrap(), "{place}");
            }
            let (same, _) = convert(&again, Convert::default());
            assert!(same.unwrap() == written, "{place}");
        }
    }
}

/// What only the oldest files hold goes from one of them to another, and is told where it is lost.
#[test]
fn save_flags_are_kept_among_the_oldest_versions() {
    let mut flagged = 0;
    for sample in virtools_matrix().into_iter().filter(|sample| sample.file.save_flags != 0) {
        let (file, _) = model(&sample);
        flagged += 1;
        for version in [2, 3, 8] {
            let wanted = Convert { version: Some(version), ..Convert::default() };
            let (written, findings) = convert(&file, wanted);
            let bytes = Bytes::from(written.unwrap());
            let again = with_task(bytes.len(), |task| File::read_from(&bytes, task)).0.unwrap();
            let mut budget = Budget::new(Limits::for_len(1 << 20));
            let flags = |file: &File, budget: &mut Budget| {
                let old = &file.records(budget).unwrap().old;
                old.iter().map(|old| old.save_flags).collect::<Vec<_>>()
            };
            let lost = codes_of(&findings, Severity::Warning).contains(&"VT077");
            assert_eq!(lost, version == 8, "{}", sample.name);
            if version < 4 {
                assert_eq!(
                    flags(&again, &mut budget),
                    flags(&file, &mut budget),
                    "{}",
                    sample.name
                );
            }
        }
    }
    assert!(flagged > 0);
}

/// SaveFlags, which only records below FileVersion 4 have, stay in those.
#[test]
fn old_records_keep_their_flags() {
    let flags = |file: &File| {
        let mut budget = Budget::new(Limits::for_len(1 << 20));
        let old = &file.records(&mut budget).unwrap().old;
        old.iter().map(|old| (old.class_id, old.save_flags)).collect::<Vec<_>>()
    };
    let mut flagged = 0;
    for sample in virtools_matrix().into_iter().filter(|sample| sample.file.layout_version() < 4) {
        let (file, _) = model(&sample);
        let expected = flags(&file);
        flagged += expected.iter().filter(|(_, flags)| *flags != 0).count();
        for version in [2, 3] {
            let wanted = Convert { version: Some(version), ..Convert::default() };
            let written = Bytes::from(convert(&file, wanted).0.unwrap());
            let again = with_task(written.len(), |task| File::read_from(&written, task)).0.unwrap();
            assert_eq!(flags(&again), expected, "{} as {version}", sample.name);
        }
    }
    assert!(flagged > 10);
}

/// A damaged record can have a class and no data. The class is only kept where something else than a chunk tells
/// it.
#[test]
fn the_class_of_an_object_without_data_is_not_lost_in_silence() {
    let sample = virtools_matrix().into_iter().find(|sample| sample.name == "v2.nmo").unwrap();
    let mut fixture = sample.file.build();
    let data = fixture.range_of("data.objects[0].data");
    fixture.poke("data.objects[0].data_size", &[0; 4]);
    fixture.bytes.drain(data);
    legacy::rechecksum(&mut fixture);
    let bytes = Bytes::from(fixture.bytes);
    let file = with_task(bytes.len(), |task| File::read_from(&bytes, task)).0.unwrap();
    let class = file.table().objects[0].class_id;
    assert_eq!(class, sample.file.objects[0].class_id);
    for version in 2..=9 {
        let wanted = Convert { version: Some(version), ..Convert::default() };
        let (written, _) = convert(&file, wanted);
        if !(4..7).contains(&version) {
            assert_eq!(content(&written.unwrap()).1[0].1, class, "{version}");
        } else {
            assert_eq!(written.unwrap_err().code().id, "VT070", "{version}");
        }
    }
}

/// Where nothing is packed, the plain size of old data says nothing; where something can be, another size than that
/// of the data says that they are.
#[test]
fn a_wrong_plain_size_does_not_make_data_packed_ones() {
    let sample = virtools_matrix().into_iter().find(|sample| sample.name == "v2.nmo").unwrap();
    let mut fixture = sample.file.build();
    let (_, objects) = content(&fixture.bytes);
    let size = fixture.u32_of("data.objects[0].size");
    fixture.poke("data.objects[0].size", &(size + 4).to_le_bytes());
    legacy::rechecksum(&mut fixture);
    let bytes = Bytes::from(fixture.bytes);
    let file = with_task(bytes.len(), |task| File::read_from(&bytes, task)).0.unwrap();
    for level in [None, Some(0), Some(9)] {
        let (written, _) = convert(&file, Convert { mode: Some(1), level, ..Convert::default() });
        assert_eq!(content(&written.unwrap()).1, objects, "{level:?}");
    }
}
