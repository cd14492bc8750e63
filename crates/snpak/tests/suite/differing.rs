//! Which assets of two packs a comparison has to look at, against a plain look at all of them.

use crate::common::{open, open_sound};
use crate::naive::{asset, chance};
use proptest::prelude::*;
use spelunk_fixtures::snpak as made;
use std::collections::BTreeMap;
use test_support::task::with_task;

/// What becomes of an asset of the old pack.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Kept,
    Gone,
    Data,
    Name,
    Bulk,
    Need,
    Later,
    Twice,
}

fn fate() -> impl Strategy<Value = Fate> {
    use Fate::*;
    prop_oneof![
        12 => Just(Kept),
        1 => prop::sample::select(vec![Gone, Data, Name, Bulk, Need, Later, Twice]),
    ]
}

fn made_of(old: &[made::Asset], fates: &[Fate]) -> Vec<made::Asset> {
    let (mut new, mut later) = (Vec::new(), Vec::new());
    for (asset, fate) in old.iter().zip(fates) {
        let mut asset = asset.clone();
        match fate {
            Fate::Kept => {}
            Fate::Gone => continue,
            Fate::Data => asset.data.push(7),
            Fate::Name => asset.name.push(b'z'),
            Fate::Bulk => {
                let (codec, data) = (asset.codec, vec![9]);
                asset.bulk.push(made::Bulk { semantic: 1, sub_index: 0, codec, data });
            }
            Fate::Need => {
                let (asset_id, name) = (asset.id, None);
                asset.dependencies.push(made::Dependency { asset: asset_id, name, kind: 1 });
            }
            Fate::Later => {
                later.push(asset);
                continue;
            }
            Fate::Twice => later.push(asset.clone()),
        }
        new.push(asset);
    }
    new.extend(later);
    new
}

fn built(assets: &[made::Asset]) -> Vec<u8> {
    made::Pack { assets: assets.to_vec(), ..made::Pack::default() }.build().bytes
}

/// All assets of each id, in order.
fn by_id(assets: &[made::Asset]) -> BTreeMap<[u8; 16], Vec<&made::Asset>> {
    let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
    assets.iter().for_each(|asset| all.entry(asset.id).or_default().push(asset));
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(chance(256)))]

    #[test]
    fn what_is_left_out_is_the_same_in_both(
        ids in prop::collection::vec(0_u8..60, 0..60),
        fates in prop::collection::vec(fate(), 60),
    ) {
        let old: Vec<_> = ids.iter().map(|n| asset(*n, &format!("a/{n}"))).collect();
        let new = made_of(&old, &fates);
        let packs = [&old, &new].map(|assets| open_sound(&built(assets)));
        let found = with_task(1 << 20, |task| packs[0].differing(&packs[1], task)).0.unwrap();
        let (of_old, of_new) = (by_id(&old), by_id(&new));
        for (assets, rows) in [(&old, &found.old), (&new, &found.new)] {
            prop_assert!(rows.is_sorted());
            for (row, asset) in (0_u32..).zip(assets) {
                let is_same = of_old.get(&asset.id) == of_new.get(&asset.id);
                let is_once = of_old.get(&asset.id).is_none_or(|all| all.len() == 1);
                let is_told = rows.contains(&row);
                // Where several have one id, more may be told than differs.
                prop_assert!(is_told || is_same, "{asset:?} differs");
                prop_assert!(!is_told || !is_same || !is_once, "{asset:?} is the same");
            }
        }
    }
}

#[test]
fn a_byte_that_no_table_tells_of_counts() {
    let old = built(&[asset(1, "a"), asset(2, "b")]);
    let pack = open_sound(&old);
    let at = pack.entry(1).unwrap().payload_chunk_offset.get() + 80;
    let mut new = old.clone();
    new[at as usize] ^= 1;
    let new = open(&new).0.unwrap();
    let found = with_task(1 << 20, |task| pack.differing(&new, task)).0.unwrap();
    assert_eq!((found.old, found.new), (vec![1], vec![1]));
}
