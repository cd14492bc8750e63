//! What refers to what, packs that are mounted together, and blocks of two versions of a file.

use crate::common::{
    facts::{self, facts},
    open, sample,
};
use proptest::prelude::*;
use spelunk::{
    Budget, Bytes, Collect, Limits, Node, Of, Opened, Options, Source,
    compare::blocks::{self, Count, Fate},
    containers::overlay::Overlay,
    containers::sets::Layer,
    core::walk::finish,
    entries::refs::{Needs, References},
    entries::select::Select,
};
use spelunk_fixtures::{corpus, mutate, samples, snpak as made};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use virtools::{File, file::data::Owner};

fn references(name: &str, bytes: &[u8], others: Vec<Layer>) -> References {
    References::new(name, open(name, bytes), others, &Options::default()).unwrap()
}

fn node(name: &str, bytes: &[u8], path: &str) -> Node {
    let mut opened = open(name, bytes);
    let pages = opened.code_pages();
    opened.run(|container, task| container.find(path, &pages, task)).unwrap()[0]
}

fn object(index: usize) -> Node {
    File::node(Owner::Object(index as u32))
}

/// Positions of objects from paths such as `#17`.
fn position(path: &str) -> usize {
    path.strip_prefix('#').expect("a position").parse().expect("a position")
}

/// References both ways, and everything that is reached, of some objects, against what a reader of its own says.
fn compare(name: &str, bytes: &[u8], step: usize) -> usize {
    let all = facts(&facts::open(bytes));
    let mut found = references(name, bytes, Vec::new());
    assert!(found.has_refs());
    let mut compared = 0;
    for at in (0..all.len()).step_by(step) {
        let related = found.of(object(at)).unwrap();
        let to: BTreeSet<(&str, usize)> = (related.to.iter())
            .filter_map(|link| Some((link.field, position(&link.to.as_ref()?.path))))
            .collect();
        let expected = |at: usize| -> BTreeSet<(&str, usize)> {
            all[at]
                .references
                .iter()
                .filter_map(|(field, target)| Some((*field, (*target)?)))
                .collect()
        };
        assert_eq!(to, expected(at), "{name} #{at}");
        let by = related.by.iter().filter(|link| link.from.path.starts_with('#'));
        let by: BTreeSet<(&str, usize)> =
            by.map(|link| (link.field, position(&link.from.path))).collect();
        let users = (0..all.len()).flat_map(|user| {
            let own = expected(user).into_iter().filter(|(_, target)| *target == at);
            own.map(move |(field, _)| (field, user)).collect::<Vec<_>>()
        });
        assert_eq!(by, users.collect(), "{name} #{at}");
        let closed = found.closure(&[object(at)], Needs::default()).unwrap();
        let reached: BTreeSet<usize> =
            closed.items.iter().map(|item| position(&item.path)).collect();
        let (mut known, mut work) = (BTreeSet::new(), vec![at]);
        while let Some(next) = work.pop() {
            if known.insert(next) {
                work.extend(expected(next).into_iter().map(|(_, target)| target));
            }
        }
        assert_eq!(reached, known, "{name} #{at}");
        compared += to.len() + by.len();
    }
    compared
}

#[test]
fn objects_refer_to_what_their_values_hold() {
    let compared = compare("level.nmo", &sample("level.nmo"), 1);
    assert!(compared > 10, "{compared}");
    let Some(files) = corpus::files("virtools", &["nmo", "cmo"]) else { return };
    let small = files.iter().filter(|file| file.bytes.len() < 300_000);
    let compared: usize = small
        .map(|file| {
            let objects = facts::open(&file.bytes).table().objects.len();
            compare(&file.name, &file.bytes, (objects / 12).max(1))
        })
        .sum();
    assert!(compared > 300, "{compared}");
}

#[test]
fn every_sample_tells_its_references_or_that_it_has_none() {
    let mut opens = 0;
    for sample in samples() {
        let (name, bytes) = (sample.name, sample.fixture.bytes);
        let source = Arc::new(Bytes::from(bytes));
        // Forms that only the specification has do not open.
        let Ok(mut opened) = Opened::open(source, &Options::default()) else { continue };
        opens += 1;
        let pages = opened.code_pages();
        let mut nodes = Vec::new();
        opened
            .run(|container, task| {
                finish(container.children(Of::Listing, &pages, task, &mut |entry, _| {
                    nodes.push(entry.node);
                    Ok(())
                }))
            })
            .unwrap();
        let container = opened.container();
        let is_gamedata =
            container.format() == "spellforce-cff" && container.dialect() != Some("unknown");
        let mut found = References::new(name, opened, Vec::new(), &Options::default()).unwrap();
        let (mut to, mut by) = (0, 0);
        for node in nodes {
            let related = found.of(node).unwrap();
            to += related.to.iter().filter(|link| link.to.is_some()).count();
            by += related.by.len();
        }
        let has_refs = ["virtools", "snpak"].contains(&found.format()) || is_gamedata;
        assert_eq!(found.has_refs(), has_refs, "{name}");
        // Managers are no rows of the listing.
        assert!(by >= to || is_gamedata, "{name}: {by} and {to}");
        assert!(has_refs || (by == 0 && found.missing(Needs::default()).unwrap().is_empty()));
    }
    assert!(opens > 10, "{opens}");
}

#[test]
fn packs_find_what_they_need_in_others() {
    let forest = sample("forest.snpak");
    let level = node("forest.snpak", &forest, "levels/forest");
    let mut alone = references("forest", &forest, Vec::new());
    let missing = alone.missing(Needs::default()).unwrap();
    assert_eq!(missing.len(), 1);
    assert!(!missing[0].is_there && missing[0].to.is_none());
    assert_eq!(missing[0].name.as_deref(), Some("textures/moss"));
    let closed = alone.closure(&[level], Needs::default()).unwrap();
    assert_eq!((closed.items.len(), closed.missing.len(), closed.asked), (4, 1, 1));
    let moss = samples::appended_pack().build().bytes;
    let other = || Layer::new("moss", open("moss", &moss)).at("dlc");
    let mut both = references("forest", &forest, vec![other()]);
    assert!(both.missing(Needs::default()).unwrap().is_empty());
    let closed = both.closure(&[level], Needs::default()).unwrap();
    let found: BTreeMap<&str, &str> =
        closed.items.iter().map(|item| (item.path.as_str(), item.file.as_str())).collect();
    assert_eq!(found.len(), 5);
    assert_eq!((found["dlc/textures/moss"], found["levels/forest"]), ("moss", "forest"));
    // The same level in the other pack is hidden, so it uses nothing.
    let related = both.of(level).unwrap();
    assert!(related.to.iter().all(|link| link.is_there));
    let oak = related.to[0].to.as_ref().unwrap().path.clone();
    let used = both.of(node("forest.snpak", &forest, &oak)).unwrap();
    assert_eq!(used.by.len(), 1);
    assert_eq!(used.by[0].from.file, "forest");
    let nothing = References::new(
        "level.nmo",
        open("", &sample("level.nmo")),
        vec![other()],
        &Options::default(),
    );
    assert_eq!(nothing.unwrap_err().code().id, "SP090");
}

fn overlay(layers: Vec<Layer>) -> Overlay {
    Overlay::new(layers, &Options::default()).unwrap()
}

#[test]
fn the_last_pack_provides_what_it_has() {
    let layers = || {
        vec![
            Layer::new("base", open("", &sample("forest.snpak"))),
            Layer::new("patch", open("", &samples::appended_pack().build().bytes)),
        ]
    };
    let all = Select::new::<&str>(&[], &[]).unwrap();
    let mut rows = Vec::new();
    let mut mounted = overlay(layers());
    mounted
        .assets(&all, &mut |row| {
            rows.push((row.item.path.clone(), row.item.file.clone(), row.shadows.clone()));
            Ok(())
        })
        .unwrap();
    let names: BTreeSet<&str> = rows.iter().map(|(path, ..)| path.as_str()).collect();
    assert_eq!(names.len(), rows.len());
    for (path, file, shadows) in &rows {
        let is_new = ["textures/moss", "sounds/rain"].contains(&path.as_str());
        assert_eq!((file.as_str(), shadows.is_empty()), ("patch", is_new), "{path}");
    }
    let mut clashes = Vec::new();
    mounted
        .conflicts(&all, &mut |clash| {
            let paths = clash.assets.iter().map(|(item, _)| item.path.clone());
            clashes.push((clash.trouble.name(), paths.collect::<Vec<_>>()));
            Ok(())
        })
        .unwrap();
    assert_eq!(clashes.len(), 1, "{clashes:?}");
    assert_eq!((clashes[0].0, clashes[0].1[0].as_str()), ("content", "sounds/wind"));
    let some = Select::new(&["levels/*"], &[]).unwrap();
    mounted.conflicts(&some, &mut |_| panic!("not selected")).unwrap();
    let mut choices = Vec::new();
    let wanted = [Some(b"hd".to_vec()), None];
    mounted
        .choices(&wanted, &all, &mut |choice| {
            choices.push(choice.name.clone());
            Ok(())
        })
        .unwrap();
    let names: BTreeSet<&str> = choices.iter().map(String::as_str).collect();
    assert_eq!(names.len(), choices.len(), "each name once");
    let refused =
        Overlay::new(vec![Layer::new("", open("", &sample("level.nmo")))], &Options::default());
    assert_eq!(refused.unwrap_err().code().id, "SP090");
}

#[test]
fn damaged_packs_do_no_harm() {
    let sound = samples::appended_pack().build().bytes;
    let all = Select::new::<&str>(&[], &[]).unwrap();
    let mut opens = 0;
    for seed in 0..300 {
        let bytes = Bytes::from(mutate::mutate(&sound, seed));
        let options = Options::default();
        let again = || Opened::open(Arc::new(bytes.clone()), &options);
        let Ok(opened) = again() else { continue };
        opens += 1;
        let other = Layer::new("sound", open("", &sound)).at("dlc");
        let mut found = References::new("", opened, vec![other], &options).unwrap();
        let nodes: Vec<Node> = (0..9).map(Node).collect();
        let _ = found.missing(Needs::default());
        let _ = found.closure(&nodes, Needs::default());
        nodes.iter().for_each(|node| drop(found.of(*node)));
        let layers = vec![Layer::new("", again().unwrap()), Layer::new("sound", open("", &sound))];
        let mut mounted = overlay(layers);
        let _ = mounted.assets(&all, &mut |_| Ok(()));
        let _ = mounted.choices(&[None], &all, &mut |_| Ok(()));
        let _ = mounted.conflicts(&all, &mut |_| Ok(()));
        let source: Arc<dyn Source> = Arc::new(bytes);
        let old = Arc::new(Bytes::from(sound.clone()));
        let _ = blocks::assets(old, source, &options, &mut Collect::default());
    }
    assert!(opens > 50, "{opens}");
}

/// A source that lends nothing and counts what is read at once.
struct Ranged(Bytes);

impl Source for Ranged {
    fn len(&self) -> u64 {
        Source::len(&self.0)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> spelunk::Result<()> {
        assert!(buffer.len() <= 1 << 18, "read piece by piece");
        self.0.read_at(offset, buffer)
    }
}

fn naive(old: &[u8], new: &[u8], block: usize) -> [u64; 3] {
    let known: Vec<&[u8]> = old.chunks(block).collect();
    let mut counts = [0; 3];
    for (nth, bytes) in new.chunks(block).enumerate() {
        let place = match (known.get(nth) == Some(&bytes), known.contains(&bytes)) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
        counts[place] += bytes.len() as u64;
    }
    counts
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn blocks_are_counted_as_a_plain_model_does(
        old in prop::collection::vec(0_u8..4, 0..12),
        new in prop::collection::vec(0_u8..4, 0..12),
        cut in 0_usize..512,
        block in prop::sample::select(vec![512_usize, 600, 1024]),
    ) {
        let file = |blocks: &[u8]| {
            let mut bytes: Vec<u8> = blocks.iter().flat_map(|n| [*n; 512]).collect();
            bytes.truncate(bytes.len().saturating_sub(cut));
            bytes
        };
        let (old, new) = (file(&old), file(&new));
        let sources = [&old, &new].map(|bytes| Ranged(Bytes::from(bytes.clone())));
        let mut budget = Budget::new(Limits::for_len(0));
        let found = blocks::compare(&sources[0], &sources[1], block as u64, &mut budget).unwrap();
        let bytes = [found.same, found.moved, found.new].map(|count| count.bytes);
        prop_assert_eq!(bytes, naive(&old, &new, block));
        prop_assert_eq!(found.is_same(), old == new);
        prop_assert_eq!(budget.left().memory, Limits::for_len(0).memory);
    }
}

#[test]
fn large_blocks_are_read_piece_by_piece() {
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|n| (n / 7) as u8).collect();
    let source = Ranged(Bytes::from(bytes.clone()));
    let mut moved = bytes;
    moved.rotate_left(1 << 20);
    let mut budget = Budget::new(Limits { memory: 1 << 19, ..Limits::for_len(0) });
    let block = blocks::STORE_BLOCK;
    let found = blocks::compare(&source, &Ranged(moved.into()), block, &mut budget).unwrap();
    assert_eq!((found.same.count, found.moved.count, found.new.count), (0, 1, 2));
    let error = blocks::compare(&source, &source, 511, &mut budget).unwrap_err();
    assert_eq!(error.code().id, "SP122");
}

#[test]
fn an_append_moves_nothing_and_a_new_pack_moves_all() {
    let source =
        |pack: &made::Pack| -> Arc<dyn Source> { Arc::new(Bytes::from(pack.build().bytes)) };
    let compared = |old: &made::Pack, new: &made::Pack| {
        let mut findings = Collect::default();
        let options = Options::default();
        blocks::assets(source(old), source(new), &options, &mut findings).unwrap().unwrap()
    };
    let (base, appended) = (samples::pack(), samples::appended_pack());
    let found = compared(&base, &appended);
    let fates: Vec<(&str, &str)> =
        found.assets.iter().map(|asset| (asset.path.as_str(), asset.fate.name())).collect();
    let expected =
        [("sounds/wind", "changed"), ("textures/moss", "added"), ("sounds/rain", "added")];
    assert_eq!(fates, expected);
    assert_eq!((found.same, found.chunks.moved), (base.assets.len() as u64 - 1, Count::default()));
    let back = compared(&appended, &base);
    assert_eq!(back.chunks.removed, found.chunks.added);
    // One asset less before all others.
    let short = made::Pack { assets: base.assets[1..].to_vec(), ..made::Pack::default() };
    let found = compared(&base, &short);
    assert_eq!((found.same, found.chunks.same.count), (0, 0));
    let moved = |asset: &&blocks::Asset| asset.fate == Fate::Moved;
    assert_eq!(found.assets.iter().filter(moved).count(), base.assets.len() - 1);
    assert_eq!(found.assets.last().unwrap().fate, Fate::Removed);
    // Packed in another way, the payload is the same and the chunk is another one.
    let mut other = base.clone();
    other.assets[0].codec = made::Codec::NONE;
    let found = compared(&base, &other);
    let first = &found.assets[0];
    assert!(matches!(first.fate, Fate::Changed(fields) if fields.is_empty()));
    assert_eq!(first.chunks.changed.count, 1);
    let none = blocks::assets(
        source(&base),
        Arc::new(Bytes::from(sample("level.nmo"))),
        &Options::default(),
        &mut Collect::default(),
    );
    assert!(none.unwrap().is_none());
}
