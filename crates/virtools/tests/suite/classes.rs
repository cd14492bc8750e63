//! What objects and managers of real files saved, decoded and encoded again.

use crate::common::class::{Nothing, twice};
use spelunk_core::{
    Budget, Bytes, Error, Limits, Space, Span, Strict, Task, Val,
    walk::{Coverage, finish},
};
use spelunk_fixtures::corpus;
use std::collections::BTreeMap;
use virtools::{
    File,
    chunk::Chunk,
    class::{self, Value},
    codec::{
        Saved,
        read::Reader,
        tree::{self, Tree},
        walk::Detail,
    },
    file::data::Owner,
};

/// How much of the objects of a class is known.
#[derive(Default)]
struct Known {
    objects: usize,
    typed: usize,
}

/// Decodes and encodes all chunks of all real files; all are typed, to the last dword, and come back the same.
#[test]
fn every_chunk_is_typed_and_comes_back() {
    let mut table: BTreeMap<String, Known> = BTreeMap::new();
    let mut wrong = Vec::new();
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    for real in files {
        let mut sink = Strict;
        let limits = Limits::for_len(real.bytes.len() as u64);
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let file = File::read_from(&Bytes::from(real.bytes), &mut task).unwrap();
        let mut budget = Budget::new(Limits::for_len(1 << 26));
        let records = file.records(&mut budget).unwrap();
        let managers = (0..records.managers.len() as u32).map(Owner::Manager);
        let objects = (0..records.objects.len() as u32).map(Owner::Object);
        for owner in managers.chain(objects) {
            let key = key(&file, owner, &mut budget);
            let mut faults = Vec::new();
            let Some(mut value) = file.value(owner, &mut faults, &mut budget).unwrap() else {
                continue;
            };
            let known = table.entry(key.clone()).or_default();
            known.objects += 1;
            let stored = records.chunk(owner, &mut budget).unwrap();
            if value.write().unwrap().to_bytes().unwrap() != stored {
                wrong.push(format!("{} {owner:?} {key}: other bytes", real.name));
            }
            covered(&mut value, stored, &mut budget);
            if let Err(error) = told(&file, owner, &mut value, stored, &mut budget) {
                wrong.push(format!("{} {owner:?} {key}: {error}", real.name));
            }
            let extras = value.extras.as_deref();
            let opaque =
                extras.is_some_and(|extras| !extras.unknown.is_empty() || !extras.rests.is_empty());
            wrong.extend(faults.iter().map(|fault| format!("{} {key}: {fault}", real.name)));
            known.typed += usize::from(!opaque);
            if opaque && matches!(owner, Owner::Object(_)) {
                wrong.push(format!("{} {owner:?} {key}: not all of it is known", real.name));
            }
        }
    }
    println!("{:<32} {:>8} {:>8}", "class", "objects", "typed");
    for (class, known) in &table {
        println!("{class:<32} {:>8} {:>8}", known.objects, known.typed);
    }
    assert_eq!(wrong.len(), 0, "{:#?}", &wrong[..wrong.len().min(20)]);
}

/// The walk over every byte of a chunk tells each exactly once.
fn covered(value: &mut Saved<Value>, stored: &[u8], budget: &mut Budget) {
    let len = stored.len() as u64;
    let chunk = Chunk::read(stored, Span::file(0, len)).unwrap();
    let mut coverage = Coverage::default();
    finish(value.walk(chunk, Detail::Bytes, &(), budget, &mut coverage)).unwrap();
    assert_eq!(coverage.check(Space::FILE, len), []);
    finish(value.walk(chunk, Detail::Values, &(), budget, &mut coverage)).unwrap();
}

/// What is at a path, and nothing else.
fn part<'t>(tree: &Tree<'t>, path: &[&str]) -> Option<Tree<'t>> {
    let Some((step, rest)) = path.split_first() else { return Some(tree.clone()) };
    let Tree::Map(entries) = tree else { return None };
    let (name, inside) = entries.iter().find(|(name, _)| name == step)?;
    Some(Tree::Map(vec![(name.clone(), part(inside, rest)?)]))
}

/// All that is told of a value makes the same chunk again, but for what fills dwords up.
fn told(
    file: &File,
    owner: Owner,
    value: &mut Saved<Value>,
    stored: &[u8],
    budget: &mut Budget,
) -> Result<(), Error> {
    let chunk = Chunk::read(stored, Span::file(0, stored.len() as u64))?;
    let tree = tree::of(|walk| value.walk(chunk, Detail::Complete, &(), budget, walk))?;
    if let Some(name) = twice(&tree) {
        return Err(Error::new(&spelunk_core::codes::UNREADABLE).found(format!("`{name}` twice")));
    }
    let mut made = file.empty_value(owner, budget)?;
    made.fill(tree.clone(), &Nothing)?;
    let made = made.write()?;
    let canonical = value.write()?;
    let mut same = made == canonical;
    if !same && made.data.len() == canonical.data.len() {
        // Padding, and zeros that are listed.
        let again = Bytes::from(made.to_bytes()?);
        let chunk = Chunk::read(&again, Span::file(0, again.len() as u64))?;
        let mut faults = Vec::new();
        let empty = file.empty_value(owner, budget)?.value;
        let mut read = Reader::read(empty, chunk, &again, &mut faults, budget)?;
        let told = tree::of(|walk| read.walk(chunk, Detail::Complete, &(), budget, walk))?;
        same = faults.is_empty() && told == tree;
    }
    // Words of a chunk of which nothing is known, put in their own place, leave its header and its lists as they are.
    if let Some(words) = part(&tree, &["interface", "chunk", "words"]) {
        value.fill(words, &Nothing)?;
        same &= value.write()? == canonical;
    }
    if same {
        Ok(())
    } else {
        Err(Error::new(&spelunk_core::codes::UNREADABLE).found("another chunk"))
    }
}

fn key(file: &File, owner: Owner, budget: &mut Budget) -> String {
    match owner {
        Owner::Manager(index) => {
            let guid = file.records(budget).unwrap().managers[index as usize].guid;
            format!("manager {}", Val::Guid(guid.d1.get(), guid.d2.get()))
        }
        Owner::Object(index) => {
            class::name(file.table().objects[index as usize].class_id, u32::MAX).into()
        }
    }
}
