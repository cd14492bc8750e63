//! Chunks: what those of real files hold, and that no words do harm.

use proptest::{collection::vec, prelude::*};
use spelunk_core::{
    Bytes, Error, Result, Space, Span,
    scalar::Guid,
    walk::{Coverage, Flat, finish},
};
use spelunk_fixtures::{chunk::Chunk as Sample, corpus, mutate};
use std::collections::{BTreeMap, BTreeSet};
use test_support::task::with_task;
use virtools::{
    File,
    chunk::{Chunk, path::PartPosition, visit::Visit},
};

/// A chunk of a real file: of a manager, or of an object of a class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Owner {
    Manager,
    Object(u32),
}

/// Every chunk of every real file, with the ids of the objects of its file.
fn each(mut test: impl FnMut(&str, &BTreeSet<u32>, Owner, &Chunk<'_>)) -> bool {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return false };
    for real in files {
        let bytes = Bytes::from(real.bytes);
        let (file, _) = with_task(bytes.len(), |task| File::read_from(&bytes, task));
        let file = file.unwrap();
        let (records, _) = with_task(bytes.len(), |task| file.records(&mut task.budget).cloned());
        let records = records.unwrap();
        let objects = &file.table().objects;
        let ids = objects.iter().map(|object| object.id.cast_unsigned()).collect();
        let managers = records.managers.iter().map(|manager| (Owner::Manager, manager.chunk));
        let of_objects = records.objects.iter().zip(objects);
        let of_objects =
            of_objects.map(|(record, object)| (Owner::Object(object.class_id), record.chunk));
        for (owner, part) in managers.chain(of_objects) {
            // The space of a chunk of its own makes places easy to compare.
            let stored = part.of(records.plain());
            let chunk = Chunk::read(stored, Span::file(0, stored.len() as u64)).unwrap();
            test(&real.name, &ids, owner, &chunk);
        }
    }
    true
}

/// Counts what lists tell of.
#[derive(Default)]
struct Census {
    ids: Vec<u32>,
    manager_ints: usize,
    sub_chunks: BTreeMap<u32, usize>,
    depth: usize,
    deepest: usize,
}

impl Visit for Census {
    fn object(&mut self, _at: usize, id: u32) -> Result<()> {
        self.ids.push(id);
        Ok(())
    }

    fn manager_int(&mut self, _at: usize, _guid: Guid, _value: u32) -> Result<()> {
        self.manager_ints += 1;
        Ok(())
    }

    fn enter(&mut self, _at: usize, chunk: &Chunk<'_>) -> Result<()> {
        assert!(!chunk.file_mode && chunk.extra == 0 && chunk.rest.is_empty());
        *self.sub_chunks.entry(chunk.class_id).or_default() += 1;
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        Ok(())
    }

    fn leave(&mut self, _at: usize, _chunk: &Chunk<'_>) -> Result<()> {
        self.depth -= 1;
        Ok(())
    }
}

#[test]
fn real_chunks_hold_what_the_page_says() {
    let mut census = Census::default();
    let mut kinds = BTreeMap::<_, usize>::new();
    let mut dangling = BTreeMap::<_, usize>::new();
    let mut interfaces = 0;
    let ran = each(|name, ids, owner, chunk| {
        let is_object = owner != Owner::Manager;
        *kinds.entry((is_object, chunk.options())).or_default() += 1;
        let data_version = if is_object { 10 } else { 0 };
        assert_eq!((chunk.data_version(), chunk.chunk_version()), (data_version, 7), "{name}");
        match owner {
            // A chunk has the class of the last part that saved itself.
            Owner::Object(41) => assert_eq!(chunk.class_id, 33, "{name}"),
            Owner::Object(class) => assert_eq!(chunk.class_id, class & 0xFF, "{name}"),
            Owner::Manager => {}
        }
        interfaces += usize::from(owner == Owner::Object(48));
        assert!(chunk.rest.is_empty() && chunk.sections().broken().is_none(), "{name}");
        let first = census.ids.len();
        with_task(0, |task| chunk.visit(&mut census, &mut task.budget)).0.unwrap();
        for id in &census.ids[first..] {
            if *id != 0 && !ids.contains(id) {
                *dangling.entry(owner).or_default() += 1;
            }
        }
    });
    if !ran {
        return;
    }
    let expected = [
        ((false, 0x08), 54),
        ((false, 0x18), 81),
        ((true, 0x08), 64_551),
        ((true, 0x0A), 349),
        ((true, 0x0C), 1_848),
    ];
    assert_eq!(kinds, BTreeMap::from(expected));
    assert_eq!(interfaces, 58);
    let expected = [
        (0, 45),
        (1, 65),
        (3, 14),
        (10, 10),
        (14, 106),
        (30, 13),
        (33, 7),
        (35, 2),
        (39, 2),
        (52, 10),
        (80, 11),
        (u32::MAX, 1_675),
    ];
    assert_eq!(census.sub_chunks, BTreeMap::from(expected));
    assert_eq!((census.deepest, census.depth), (3, 0));
    assert_eq!((census.ids.len(), census.manager_ints), (32_784, 353));
    assert_eq!(census.ids.iter().filter(|id| **id == 0).count(), 1_515);
    // The editor's layouts of scripts, and interface objects.
    assert_eq!(dangling, BTreeMap::from([(Owner::Object(8), 298), (Owner::Object(48), 10)]));
}

#[test]
fn real_chunks_are_sound_and_every_byte_has_one_field() {
    each(|name, _, owner, chunk| {
        let ((), findings) = with_task(0, |task| chunk.verify(task).unwrap());
        assert!(findings.findings.is_empty(), "{name}: {owner:?}: {findings:?}");
        assert_covered(chunk);
    });
}

#[test]
fn parts_of_real_chunks_lead_back() {
    each(|name, _, _, chunk| {
        // Where a chunk has no sub-chunks, identifiers alone are found, as fixtures test.
        if !chunk.chunks.words().is_empty() {
            assert!(check_parts(chunk, None, "") > 0, "{name}");
        }
    });
}

/// Every byte of the chunk belongs to one field.
fn assert_covered(chunk: &Chunk<'_>) {
    let mut coverage = Coverage::default();
    let (walked, _) = with_task(0, |task| chunk.walk(&mut task.budget, &mut coverage));
    finish(walked).unwrap();
    assert_eq!(coverage.check(Space::FILE, chunk.at.len), []);
}

/// What is listed below a place is found by its path and by its place. Tells how many parts there are.
fn check_parts(chunk: &Chunk<'_>, of: Option<PartPosition>, path: &str) -> usize {
    let mut all = Vec::new();
    let (listed, _) = with_task(0, |task| {
        chunk.children(of, &mut task.budget, &mut |child| {
            all.push(child);
            Ok(())
        })
    });
    finish(listed).unwrap();
    let below = all.iter().map(|child| {
        let step = &child.step;
        let path = if path.is_empty() { step.clone() } else { format!("{path}/{step}") };
        with_task(0, |task| {
            assert_eq!(chunk.find(&path, &mut task.budget).unwrap(), Some(child.place), "{path}");
            let part = chunk.part(child.place, &mut task.budget).unwrap().unwrap();
            assert_eq!((part.bytes.len() as u64, part.at.len), (child.len, child.len), "{path}");
        });
        check_parts(chunk, Some(child.place), &path)
    });
    below.sum::<usize>() + all.len()
}

/// Uses everything that a chunk offers. Work may end at a limit, and at nothing else.
fn exercise(bytes: &[u8], bare: bool) {
    let at = Span::file(0, bytes.len() as u64);
    let chunk = if bare { Ok(Chunk::bare(1, bytes, at)) } else { Chunk::read(bytes, at) };
    let Ok(chunk) = chunk else { return };
    let only_limits = |error: &Error| assert_eq!(error.code().class, spelunk_core::Class::Limit);
    with_task(bytes.len(), |task| chunk.verify(task).inspect_err(only_limits).ok());
    with_task(bytes.len(), |task| {
        struct Places(usize);
        impl Visit for Places {
            fn object(&mut self, at: usize, _id: u32) -> Result<()> {
                assert!(at < self.0);
                Ok(())
            }

            fn manager_int(&mut self, at: usize, _guid: Guid, _value: u32) -> Result<()> {
                assert!(at < self.0);
                Ok(())
            }
        }
        let mut places = Places(bytes.len() / 4);
        chunk.visit(&mut places, &mut task.budget).inspect_err(only_limits).ok();
    });
    assert_covered(&chunk);
    let mut flat = Flat::default();
    finish(with_task(0, |task| chunk.walk(&mut task.budget, &mut flat)).0).unwrap();
    let paths: BTreeSet<_> = flat.fields.iter().map(|field| &field.path).collect();
    assert_eq!(paths.len(), flat.fields.len(), "paths are unique");
    check_parts(&chunk, None, "");
}

/// A chunk in which everything occurs, in sub-chunks too.
fn rich(version: u8) -> Sample {
    let level = |sub: &Sample| {
        Sample::sub(80)
            .version(version)
            .identifier(0x50)
            .object_ref(Some(7))
            .sub_chunk_sequence(&[None, Some(sub.clone())])
            .manager_int((1, 2), 3)
            .identifier(0x51)
            .object_sequence(&[Some(1), None])
            .sub_chunk(sub)
            .manager_sequence((1, 2), &[3, 4])
    };
    level(&level(&Sample::sub(1).version(version).words(&[2, 3, 9])))
}

#[test]
fn no_mutation_of_a_chunk_does_harm() {
    for version in [0, 4, 5, 6, 7] {
        let whole = rich(version).build().bytes;
        for bytes in (0..500)
            .flat_map(|seed| [mutate::mutate(&whole, seed), mutate::mutate_header(&whole, seed)])
        {
            exercise(&bytes, false);
            exercise(&bytes, true);
        }
        for len in 0..whole.len() {
            exercise(&whole[..len], false);
        }
    }
}

/// Dwords as chunks have them: small numbers, sentinels, few large ones.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![6 => 0..12_u32, 2 => 0..60_u32, 1 => Just(u32::MAX), 1 => any::<u32>()]
}

fn list() -> impl Strategy<Value = Vec<i32>> {
    vec(prop_oneof![4 => 0..40_i32, 1 => Just(-1), 1 => any::<i32>()], 0..6)
}

proptest! {
    #[test]
    fn no_words_do_harm(
        version in 0..9_u8,
        words in vec(word(), 0..48),
        lists in (list(), list(), list()),
        behind in vec(any::<u8>(), 0..9),
    ) {
        let mut sample = Sample::sub(1).version(version).words(&words);
        (sample.ids, sample.chunks, sample.managers) = lists;
        let mut bytes = sample.build().bytes;
        bytes.extend(behind);
        exercise(&bytes, false);
        exercise(&bytes, true);
    }
}
