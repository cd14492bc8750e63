//! Sections that go on behind the fields of their class: the fields are read, and what follows stays.

use crate::common::class::{Nothing, decode, fields};
use spelunk_core::{
    Budget, Bytes, Collect, Container, Limits, Severity, Span, Task, Val,
    walk::{Flat, finish},
};
use spelunk_fixtures::{
    chunk::Chunk as Sample,
    corpus,
    virtools::{ObjectEntry, VirtoolsFile},
};
use std::collections::{BTreeMap, BTreeSet};
use virtools::{
    File,
    chunk::{Chunk, buffer::ChunkBuf},
    class::Value,
    codec::{read::Reader, tree::Tree, walk::Detail},
    codes,
    file::data::Owner,
};
use zerocopy::little_endian::U32;

/// A link: delays, source and destination.
fn link(chunk: Sample) -> Sample {
    chunk.identifier(0x20).word(3).object_ref(Some(1)).object_ref(Some(2))
}

#[test]
fn fields_are_read_and_the_rest_is_kept() {
    for tail in [&[9][..], &[1, 2, 3], &[0; 40]] {
        let sample = link(Sample::object(6)).words(tail);
        let (saved, faults) = decode(6, &sample);
        assert!(faults.is_empty(), "{faults:?}");
        let rest = &saved.extras.as_ref().unwrap().rests[0];
        assert!(rest.content.data.iter().map(|word| word.get()).eq(tail.iter().copied()));
        let mut with = fields(6, &sample);
        let (path, _) = with.pop().unwrap();
        assert!(path.ends_with(".rest"), "{path}");
        assert_eq!(with, fields(6, &link(Sample::object(6))));
    }
    // One that is shorter than its fields is kept as a whole.
    let short = Sample::object(6).identifier(0x20).word(3).object_ref(Some(1));
    let (saved, faults) = decode(6, &short);
    assert_eq!(faults[0].code(), &codes::SECTION_END);
    assert_eq!(saved.extras.unwrap().unknown[0].identifier, 0x20);
}

/// Sections that say something by being there say it too.
#[test]
fn flags_may_have_a_rest() {
    let sample = Sample::object(1).identifier(4).words(&[7, 8]);
    let (mut saved, faults) = decode(1, &sample);
    assert!(faults.is_empty(), "{faults:?}");
    let Value::Object(object) = &saved.value else { panic!() };
    assert!(object.hidden);
    assert_eq!(saved.extras.as_ref().unwrap().rests[0].content.data.len(), 2);
    // Switched off, it takes its rest along.
    saved.fill(Tree::at("hidden", Val::Bool(false)), &Nothing).unwrap();
    assert_eq!(saved.write().unwrap().data.len(), 0);
}

/// The ids and sub-chunks that lists tell of in a rest are told of when it is written again, and changed with the others.
#[test]
fn what_lists_tell_of_a_rest_stays() {
    let mut raw = Sample::object(6);
    raw.file_mode = false;
    let sample = link(raw).word(5).object_ref(Some(77)).sub_chunk(&Sample::sub(9).identifier(3));
    let (mut saved, faults) = decode(6, &sample);
    assert!(faults.is_empty(), "{faults:?}");
    let rest = &saved.extras.as_ref().unwrap().rests[0].content;
    let list = |list: &Option<Vec<U32>>| list.iter().flatten().map(|n| n.get()).collect::<Vec<_>>();
    assert_eq!((list(&rest.ids), list(&rest.chunks)), (vec![1], vec![2]));

    struct Renumber;
    impl virtools::codec::visit::Refs for Renumber {
        fn object(
            &mut self,
            _: &'static spelunk_core::Field,
            _: bool,
            _: &mut virtools::codec::Reference,
        ) -> spelunk_core::Result<()> {
            Ok(())
        }
        fn objects(
            &mut self,
            _: &'static spelunk_core::Field,
            _: bool,
            _: &mut virtools::codec::Array<U32>,
            _: bool,
        ) -> spelunk_core::Result<()> {
            Ok(())
        }
        fn opaque(&mut self, chunk: &mut ChunkBuf) -> spelunk_core::Result<()> {
            chunk.data[1] = U32::new(78);
            Ok(())
        }
    }
    saved.visit(&mut Renumber).unwrap();
    let mut raw = Sample::object(6);
    raw.file_mode = false;
    let sub = Sample::sub(9).identifier(3);
    let other = link(raw).word(5).object_ref(Some(78)).sub_chunk(&sub).build();
    assert_eq!(saved.write().unwrap().to_bytes().unwrap(), other.bytes);
}

#[test]
fn verify_tells_the_length_of_a_rest() {
    let inner = Sample::sub(6).data_version(10);
    let inner = inner.identifier(0x20).word(3).object_ref(None).object_ref(None).words(&[1; 5]);
    let mut scene = Sample::object(10).identifier(0x2_0000).object_ref(None).word(1);
    scene = scene.object_sequence(&[Some(0)]).sub_chunk_sequence(&[Some(inner), None]);
    scene = scene.word(0x49);
    let file = VirtoolsFile {
        objects: vec![
            ObjectEntry::new(1, 6, b"link", link(Sample::object(6)).words(&[4, 5, 6])),
            ObjectEntry::new(2, 10, b"scene", scene),
            ObjectEntry::new(3, 6, b"plain", link(Sample::object(6))),
        ],
        ..VirtoolsFile::default()
    };
    let mut sink = Collect::default();
    let bytes = Bytes::from(file.build().bytes);
    let mut task = Task::new(Budget::new(Limits::for_len(bytes.len() as u64)), &mut sink);
    Container::verify(&File::read_from(&bytes, &mut task).unwrap(), &mut task).unwrap();
    drop(task);
    let told = sink.findings.iter().map(|finding| {
        let error = &finding.error;
        assert_eq!((finding.severity, error.code()), (Severity::Info, &codes::SECTION_REST));
        (error.path(), error.found_value().to_string())
    });
    let told: Vec<_> = told.collect();
    let expected = [
        ("object[0].link", "3 dwords more"),
        ("object[1].objects.values[0].link", "5 dwords more"),
    ];
    assert_eq!(told, expected.map(|(path, found)| (path.to_owned(), found.to_owned())));
}

/// What every section of real chunks says is said with something behind it too. Left out are sections that read to their end,
/// and those of which nothing but their length tells what they hold.
#[test]
fn sections_of_real_files_may_go_on() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let mut seen: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut lost = BTreeSet::new();
    for real in files {
        let mut sink = Collect::default();
        let limits = Limits::for_len(real.bytes.len() as u64);
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let file = File::read_from(&Bytes::from(real.bytes), &mut task).unwrap();
        let mut budget = Budget::new(Limits::for_len(1 << 28));
        for (index, object) in (0..).zip(&file.table().objects) {
            let class = object.class_id;
            let Some(chunk) = file.chunk(Owner::Object(index), &mut budget).unwrap() else {
                continue;
            };
            for section in chunk.sections() {
                let count = seen.entry((class, section.identifier)).or_default();
                *count += 1;
                if *count <= 3 && !goes_on(&chunk, class, section.identifier, &mut budget) {
                    lost.insert((class, section.identifier));
                }
            }
        }
    }
    println!("{} sections of classes", seen.len());
    // Textures leave out dwords at the end of these, and the number of dwords tells which; that of a rate tells which of
    // two forms it has, and engines pass over another one.
    assert_eq!(lost, BTreeSet::from([(18, 0x10), (31, 0x2F_F000), (31, 0xFF_F000)]));
}

/// Whether a section with something behind it says what it said before.
fn goes_on(chunk: &Chunk<'_>, class: u32, identifier: u32, budget: &mut Budget) -> bool {
    let mut values = |chunk: &Chunk<'_>, bytes: &Bytes| {
        let mut faults = Vec::new();
        let empty = Value::of_class(class);
        let mut saved = Reader::read(empty, *chunk, bytes, &mut faults, budget).unwrap();
        assert_eq!(saved.write().unwrap().to_bytes().unwrap(), *bytes);
        let mut flat = Flat::default();
        finish(saved.walk(*chunk, Detail::Values, &(), budget, &mut flat)).unwrap();
        let fields = flat.fields.into_iter().map(|field| (field.path, field.value.to_string()));
        (fields.collect::<Vec<_>>(), faults.len())
    };
    let mut buf = ChunkBuf::copy(chunk, &mut Budget::new(Limits::for_len(1 << 28))).unwrap();
    let plain = Bytes::from(buf.to_bytes().unwrap());
    let span = Span::file(0, plain.len() as u64);
    let (before, _) = values(&Chunk::read(&plain, span).unwrap(), &plain);
    let section = chunk.sections().find(|section| section.identifier == identifier).unwrap();
    let mut payload = ChunkBuf::new(buf.header);
    payload.data = chunk.data[section.payload()].to_vec();
    payload.data.extend([0xABCD_EF01, 0x2345_6789].map(U32::new));
    let range = section.payload();
    payload.ids = inside(&buf.ids, &range);
    payload.chunks = inside(&buf.chunks, &range);
    payload.managers = inside(&buf.managers, &range);
    buf.set_section(identifier, &payload).unwrap();
    let longer = Bytes::from(buf.to_bytes().unwrap());
    let span = Span::file(0, longer.len() as u64);
    let (mut after, faults) = values(&Chunk::read(&longer, span).unwrap(), &longer);
    let all = after.len();
    after.retain(|(path, _)| !path.ends_with(".rest"));
    faults == 0 && all == after.len() + 1 && after == before
}

/// The entries of a list that point into a range, from whose beginning they count then.
fn inside(list: &Option<Vec<U32>>, range: &std::ops::Range<usize>) -> Option<Vec<U32>> {
    let mut words = list.iter().flatten().map(|word| word.get());
    let mut entries = Vec::new();
    while let Some(word) = words.next() {
        let index = if word == u32::MAX { words.next().unwrap() } else { word };
        if range.contains(&(index as usize)) {
            entries.extend((word == u32::MAX).then_some(U32::new(word)));
            entries.push(U32::new(index - range.start as u32));
        }
    }
    (!entries.is_empty()).then_some(entries)
}
