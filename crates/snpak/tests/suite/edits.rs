//! Edits of all kinds in any order, appended or written as a whole or rolled back, against a plain list of assets.

#[path = "edits/changes.rs"]
mod changes;
#[path = "edits/kept.rs"]
mod kept;

use crate::common::{model::*, open, open_sound};
use changes::{Change, any_changes};
use proptest::prelude::*;
use snpak::{Pack, build::Options, codes, edit::rollback};
use spelunk_core::{Container, Revision, Severity, Val};
use spelunk_fixtures::snpak::{self as made, Generation};
use std::collections::{HashMap, HashSet};
use test_support::{
    entries::{find_with, write},
    findings::graded,
    laws::assert_covered_despite_damage,
    task::{unlimited, with_task},
};

/// What is done with a pack at once.
#[derive(Clone, Debug)]
enum Step {
    /// Changes of a draft, appended.
    Append(Vec<Change>),
    /// Changes through the trait, each shown at once; then written.
    Edit(Vec<Change>),
    /// Changes of a draft, written as a whole.
    Fresh(Vec<Change>),
    /// Back to one of the generations, in a file of its own.
    Rollback(u8),
    /// One of the generations becomes the current one once more, behind all others.
    Revert(u8),
    /// What an append that did not come to its end leaves.
    Junk(u8),
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => any_changes().prop_map(Step::Append),
        4 => any_changes().prop_map(Step::Edit),
        2 => any_changes().prop_map(Step::Fresh),
        1 => any::<u8>().prop_map(Step::Rollback),
        1 => any::<u8>().prop_map(Step::Revert),
        1 => (1_u8..60).prop_map(Step::Junk),
    ]
}

/// A pack, what it should hold, and each state that it went through.
struct Run {
    bytes: Vec<u8>,
    assets: Vec<made::Asset>,
    /// Every generation: its assets, and the pack when it was the current one.
    history: Vec<(Vec<made::Asset>, Vec<u8>)>,
    /// Whether bytes lie behind the end of the pack.
    trailing: bool,
    /// Whether some bytes belong to nothing.
    junk: bool,
}

impl Run {
    fn new(assets: Vec<made::Asset>) -> Run {
        let bytes = fresh(new_draft(&assets), Options::default());
        let history = vec![(assets.clone(), bytes.clone())];
        let run = Run { bytes, assets, history, trailing: false, junk: false };
        run.check();
        run
    }

    fn step(&mut self, step: &Step) {
        let before = std::mem::take(&mut self.bytes);
        let count = self.history.len();
        let nth = |nth: &u8| usize::from(*nth) % count;
        let mut touched = HashSet::new();
        match step {
            Step::Append(changes) => {
                let mut draft = draft(open(&before).0.expect("a pack"));
                for change in changes {
                    change.draft(&mut draft, &mut self.assets, &mut touched);
                }
                collapse(&mut self.assets);
                let (bytes, appended) = append_draft(&before, draft, Options::default());
                assert_eq!(appended.expect("an append").size, bytes.len() as u64);
                self.appended(&before, bytes);
            }
            Step::Edit(changes) => {
                let mut pack = open(&before).0.expect("a pack");
                for change in changes {
                    change.edit(&mut pack, &mut self.assets, &mut touched);
                    assert_eq!(state(&pack), self.assets, "{change:?}");
                }
                let bytes = write(&pack, false).0;
                assert_sound(&bytes, if self.trailing { &[TRAILING] } else { &[] });
                self.appended(&before, bytes);
            }
            Step::Revert(to) => {
                let pack = open(&before).0.expect("a pack");
                let which = Revision::Nth(nth(to) as u32 + 1);
                let view = with_task(before.len(), |task| pack.generation(which, task)).0;
                self.assets = self.history[nth(to)].0.clone();
                collapse(&mut self.assets);
                let (bytes, appended) =
                    append_draft(&before, draft(view.expect("a generation")), Options::default());
                appended.expect("an append");
                touched.extend(self.assets.iter().map(|asset| asset.id));
                self.appended(&before, bytes);
            }
            Step::Fresh(changes) => {
                let mut draft = draft(open(&before).0.expect("a pack"));
                for change in changes {
                    change.draft(&mut draft, &mut self.assets, &mut touched);
                }
                self.bytes = fresh(draft, Options::default());
                self.history = vec![(self.assets.clone(), self.bytes.clone())];
                (self.trailing, self.junk) = (false, false);
            }
            Step::Rollback(to) => {
                let pack = open(&before).0.expect("a pack");
                let which = Revision::Nth(nth(to) as u32 + 1);
                let view = with_task(before.len(), |task| pack.generation(which, task)).0;
                let view = view.expect("a generation");
                let size = with_task(before.len(), |task| rollback(&view, &mut self.bytes, task)).0;
                assert_eq!(size.expect("a pack"), self.bytes.len() as u64);
                self.history.truncate(nth(to) + 1);
                let (assets, bytes) = self.history[nth(to)].clone();
                assert!(self.bytes == bytes, "the pack of that time, byte for byte");
                (self.assets, self.trailing) = (assets, false);
            }
            Step::Junk(len) => {
                self.bytes = before.clone();
                self.bytes.extend((0..*len).map(|byte| byte ^ 0x5a));
                (self.trailing, self.junk) = (true, true);
            }
        }
        self.check();
        if !matches!(step, Step::Rollback(_)) {
            let copied = matches!(step, Step::Fresh(_));
            untouched(&before, &self.bytes, &touched, copied);
        }
    }

    /// Takes what an append or an edit made of the pack.
    fn appended(&mut self, before: &[u8], bytes: Vec<u8>) {
        assert!(bytes[180..].starts_with(&before[180..]), "what was there stays");
        if bytes.len() > before.len() {
            self.history.push((self.assets.clone(), bytes.clone()));
            self.trailing = false;
        } else {
            assert!(bytes == before, "an append of nothing changes nothing");
        }
        self.bytes = bytes;
    }

    fn check(&self) {
        assert_sound(&self.bytes, if self.trailing { &[TRAILING] } else { &[] });
        let pack = open(&self.bytes).0.expect("a pack");
        assert_eq!(state(&pack), self.assets);
        assert_covered_despite_damage(&pack, "a pack");
        assert_eq!(pack.links().len(), self.history.len());
        for (nth, (assets, _)) in (1..).zip(&self.history) {
            let view =
                with_task(self.bytes.len(), |task| pack.generation(Revision::Nth(nth), task));
            assert_eq!(&state(&view.0.expect("a generation")), assets, "generation {nth}");
        }
        keep(if self.junk { "edits-junk" } else { "edits" }, &self.bytes);
    }
}

const TRAILING: &str = codes::TRAILING.id;

/// Of several assets with one id the content of the last, in the place of the first.
fn collapse(assets: &mut Vec<made::Asset>) {
    let mut first = HashMap::new();
    let mut left: Vec<made::Asset> = Vec::new();
    for asset in assets.drain(..) {
        match first.get(&asset.id) {
            Some(place) => left[*place] = asset,
            None => {
                first.insert(asset.id, left.len());
                left.push(asset);
            }
        }
    }
    *assets = left;
}

/// Chunks of assets that nothing was done to are where they were, or the same bytes elsewhere.
fn untouched(before: &[u8], after: &[u8], touched: &HashSet<[u8; 16]>, copied: bool) {
    type Chunk = (u64, Vec<u8>);
    type Chunks = HashMap<[u8; 16], Vec<Chunk>>;
    let chunks = |bytes: &[u8]| -> Chunks {
        let pack = open(bytes).0.expect("a pack");
        let mut chunks = Chunks::new();
        for entry in pack.index().entries() {
            let main = (entry.payload_chunk_offset, entry.payload_chunk_size_compressed);
            let bulk =
                pack.bulk(entry).iter().map(|bulk| (bulk.chunk_offset, bulk.size_compressed));
            let all = std::iter::once(main).chain(bulk).map(|(start, len)| {
                let (start, len) = (start.get() as usize, len.get() as usize);
                (start as u64, bytes[start..start + len].to_vec())
            });
            chunks.insert(entry.asset_id.0, all.collect());
        }
        chunks
    };
    let mut old = chunks(before);
    for (id, new) in chunks(after) {
        let Some(old) = old.remove(&id).filter(|_| !touched.contains(&id)) else { continue };
        let same = |(a, b): (&Chunk, &Chunk)| a.1 == b.1 && (copied || a.0 == b.0);
        assert!(old.len() == new.len() && old.iter().zip(&new).all(same), "chunks of {id:?}");
    }
}

fn cases(usual: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig {
        cases: asked.unwrap_or(usual),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn packs_hold_what_was_put_into_them(
        assets in prop::collection::vec(changes::any_asset(), 0..5),
        steps in prop::collection::vec(any_step(), 1..8),
    ) {
        let mut assets = assets;
        collapse(&mut assets);
        let mut run = Run::new(assets);
        for step in &steps {
            run.step(step);
        }
    }

    #[test]
    fn appends_are_those_of_the_newest_writers(
        assets in prop::collection::vec(changes::any_asset(), 0..5),
        runs in prop::collection::vec(prop::collection::vec(changes::any_asset(), 1..5), 1..4),
        junk in 0_usize..2,
    ) {
        let mut assets = assets;
        collapse(&mut assets);
        // Bulk payloads that stay get the type of their asset here, and keep an older one there.
        let one_type = |asset: &mut made::Asset| asset.payload_type = asset.id;
        assets.iter_mut().for_each(one_type);
        let mut pack = made::Pack { assets, ..made::Pack::default() };
        let mut bytes = fresh(new_draft(&pack.assets), Options::default());
        prop_assert!(bytes == pack.build().bytes, "a whole pack");
        let mut known: Vec<[u8; 16]> = pack.assets.iter().map(|asset| asset.id).collect();
        for (nth, mut run) in runs.into_iter().enumerate() {
            collapse(&mut run);
            run.iter_mut().for_each(one_type);
            // Chunks and strings lie in the order of the index here, in the order of the calls there.
            let place = |asset: &made::Asset| {
                known.iter().position(|id| *id == asset.id).unwrap_or(usize::MAX)
            };
            run.sort_by_key(place);
            // What is stored already is not stored again here.
            for (place, asset) in run.iter_mut().enumerate() {
                let data = asset.bulk.iter_mut().map(|bulk| &mut bulk.data).chain([&mut asset.data]);
                data.enumerate().for_each(|(at, data)| data.extend([nth as u8, place as u8, at as u8]));
            }
            // With a string of its own, so that a table is written.
            let last = run.last_mut().expect("an asset");
            last.name = format!("append {nth}").into_bytes();
            known.extend(run.iter().map(|asset| asset.id).filter(|id| !known.contains(id)).collect::<Vec<_>>());
            bytes.resize(bytes.len() + junk * 7, 0xa5);
            let mut draft = draft(open(&bytes).0.expect("a pack"));
            for plain in &run {
                draft.put(asset(plain), &mut unlimited()).expect("an asset that is put");
            }
            let (after, appended) = append_draft(&bytes, draft, Options::default());
            prop_assert_eq!(appended.expect("an append").size, after.len() as u64);
            let generation = Generation::Newest;
            pack.appends.push(made::Append { generation, assets: run, junk_before: vec![0xa5; junk * 7] });
            prop_assert!(after == pack.build().bytes, "append {}", nth);
            bytes = after;
        }
        keep(if junk > 0 { "appends-junk" } else { "appends" }, &bytes);
    }
}

#[test]
fn removing_what_others_need_is_told_once_and_not_by_verify() {
    let mut pack = open_sound(&spelunk_fixtures::samples::pack().build().bytes);
    let len = pack.len() as usize;
    let node = find_with(&pack, "meshes/oak_trunk", &pack.code_pages());
    let edit = pack.edit().expect("packs can be changed");
    let (removed, sink) = with_task(len, |task| edit.remove(&node, false, task));
    removed.expect("a removal");
    let told: Vec<_> = graded(&sink);
    assert_eq!(told, [(codes::STILL_NEEDED.id, Severity::Warning)]);
    let bytes = write(&pack, false).0;
    assert_sound(&bytes, &[]);
    assert_eq!(open_sound(&bytes).dependencies(4).len(), 4);
    keep("removed", &bytes);
}

#[test]
fn another_payload_type_is_that_of_the_bulk_payloads_too() {
    let before = spelunk_fixtures::samples::pack().build().bytes;
    let mut pack = open_sound(&before);
    let pages = pack.code_pages();
    let node = find_with(&pack, "textures/bark", &pages)[0];
    let bulk = pack.bulk(pack.index().entries().first().expect("the texture")).len();
    assert!(bulk > 1);
    let edit = pack.edit().expect("packs can be changed");
    let id = "0f0e0d0c0b0a09080706050403020100";
    let (set, _) =
        with_task(before.len(), |task| edit.set(node, "payload_type", Val::from(id), &pages, task));
    set.expect("another type");
    let bytes = write(&pack, false).0;
    assert_sound(&bytes, &[]);
    let after = open_sound(&bytes);
    let offsets = |pack: &Pack| -> Vec<u64> {
        let bulk = pack.bulk(pack.index().entries().first().expect("the texture"));
        bulk.iter().map(|bulk| bulk.chunk_offset.get()).collect()
    };
    assert!(offsets(&after).iter().all(|offset| *offset > before.len() as u64));
    keep("typed", &bytes);
}
