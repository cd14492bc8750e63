//! A plain model of mounted packs: lists that are gone through from end to end.

use proptest::prelude::*;
use snpak::set::Follow;
use spelunk_fixtures::snpak as made;
use std::collections::{BTreeMap, BTreeSet};

/// A mounted pack.
#[derive(Clone, Debug)]
pub struct Layer {
    pub label: String,
    pub prefix: &'static str,
    pub priority: i32,
    pub assets: Vec<made::Asset>,
}

/// An asset: the label of its pack and its row.
pub type At = (String, usize);

pub fn id(n: u8) -> made::Uuid {
    let mut id = [0x11; 16];
    id[0] = n;
    id
}

/// An asset whose bytes tell which one it is.
pub fn asset(n: u8, name: &str) -> made::Asset {
    made::Asset {
        id: id(n),
        name: name.as_bytes().to_vec(),
        data: format!("{n}").into_bytes(),
        ..made::Asset::default()
    }
}

pub fn chance(cases: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(cases)
}

pub fn follow(bits: u8) -> Follow {
    Follow { required: bits & 1 != 0, optional: bits & 2 != 0, auxiliary: bits & 4 != 0 }
}

/// Names and variants that may be there.
pub fn names() -> Vec<(String, Option<&'static [u8]>)> {
    let all = ["a", "b", "dlc/a", "dlc/b", "dlc/dlc/a", "c", ""];
    let with = |name: &str| [None, Some(&b"hd"[..])].map(|variant| (name.to_owned(), variant));
    all.into_iter().flat_map(with).collect()
}

fn any_asset() -> impl Strategy<Value = made::Asset> {
    let name = prop::sample::select(vec!["a", "b", "dlc/a", ""]);
    let need = (0_u8..9, 0_u8..3).prop_map(|(n, kind)| made::Dependency {
        asset: id(n),
        name: (n % 2 == 0).then(|| b"needed".to_vec()),
        kind,
    });
    let needs = prop::collection::vec(need, 0..4);
    (0_u8..8, name, any::<bool>(), needs).prop_map(|(n, name, hd, dependencies)| made::Asset {
        variant: hd.then(|| b"hd".to_vec()),
        dependencies,
        ..asset(n, name)
    })
}

pub fn layers() -> impl Strategy<Value = Vec<Layer>> {
    let layer = (
        prop::sample::select(vec!["", "", "dlc/"]),
        -1_i32..2,
        prop::collection::vec(any_asset(), 0..6),
    );
    prop::collection::vec(layer, 0..4).prop_map(|all| {
        let named = |(nth, (prefix, priority, assets)): (usize, _)| Layer {
            label: nth.to_string(),
            prefix,
            priority,
            assets,
        };
        all.into_iter().enumerate().map(named).collect()
    })
}

pub struct Model<'l> {
    pub layers: &'l [Layer],
}

impl Model<'_> {
    /// The layers, the one that wins first.
    fn order(&self) -> Vec<&Layer> {
        let mut all: Vec<(i32, usize, &Layer)> =
            self.layers.iter().enumerate().map(|(nth, it)| (it.priority, nth, it)).collect();
        all.sort_by_key(|(priority, nth, _)| (-*priority, usize::MAX - nth));
        all.into_iter().map(|(_, _, layer)| layer).collect()
    }

    pub fn asset(&self, at: &At) -> &made::Asset {
        let layer = self.layers.iter().find(|layer| layer.label == at.0).unwrap();
        &layer.assets[at.1]
    }

    /// Everything that no later one of its pack hides, the one that wins first.
    fn live(&self) -> Vec<(At, String, &made::Asset)> {
        let mut all = Vec::new();
        for layer in self.order() {
            for (row, asset) in layer.assets.iter().enumerate() {
                if layer.assets[row + 1..].iter().all(|later| later.id != asset.id) {
                    let name = String::from_utf8(asset.name.clone()).unwrap();
                    let prefix = if name.is_empty() { "" } else { layer.prefix };
                    all.push(((layer.label.clone(), row), format!("{prefix}{name}"), asset));
                }
            }
        }
        all
    }

    fn of_id(&self, wanted: made::Uuid) -> Vec<At> {
        let live = self.live().into_iter();
        live.filter(|(_, _, asset)| asset.id == wanted).map(|(at, _, _)| at).collect()
    }

    pub fn providers(&self, n: u8) -> Vec<At> {
        self.of_id(id(n))
    }

    pub fn by_name(&self, wanted: &str, variant: Option<&[u8]>) -> Vec<At> {
        let live = self.live().into_iter().filter(|(_, name, asset)| {
            !name.is_empty() && name == wanted && asset.variant.as_deref() == variant
        });
        live.map(|(at, _, _)| at).collect()
    }

    pub fn resolve(&self, wanted: &str, variants: &[Option<&[u8]>]) -> Option<(At, usize)> {
        variants.iter().enumerate().find_map(|(nth, variant)| {
            self.by_name(wanted, *variant).into_iter().next().map(|at| (at, nth))
        })
    }

    pub fn groups(&self) -> BTreeSet<Vec<At>> {
        self.live().into_iter().map(|(_, _, asset)| self.of_id(asset.id)).collect()
    }

    pub fn clashes(&self) -> BTreeSet<Vec<At>> {
        let mut named: BTreeMap<_, Vec<(At, made::Uuid)>> = BTreeMap::new();
        for (at, name, asset) in self.live() {
            if !name.is_empty() {
                let key = (name, asset.variant.clone());
                named.entry(key).or_default().push((at, asset.id));
            }
        }
        let clash = named.into_values().filter(|all| all.iter().any(|(_, id)| *id != all[0].1));
        clash.map(|all| all.into_iter().map(|(at, _)| at).collect()).collect()
    }

    /// What counts.
    fn counting(&self) -> BTreeSet<At> {
        self.groups().into_iter().map(|group| group[0].clone()).collect()
    }

    fn needs(&self, at: &At, follow: Follow) -> Vec<(usize, made::Uuid)> {
        let takes = |kind| [follow.required, follow.optional, follow.auxiliary][usize::from(kind)];
        let all = self.asset(at).dependencies.iter().enumerate();
        all.filter(|(_, need)| takes(need.kind)).map(|(nth, need)| (nth, need.asset)).collect()
    }

    fn targets(&self, at: &At, follow: Follow) -> BTreeSet<At> {
        let needs = self.needs(at, follow).into_iter();
        needs.filter_map(|(_, id)| self.of_id(id).into_iter().next()).collect()
    }

    fn missing_of(&self, at: &At, follow: Follow) -> BTreeSet<(At, usize)> {
        let needs = self.needs(at, follow).into_iter();
        let absent = needs.filter(|(_, id)| self.of_id(*id).is_empty());
        absent.map(|(nth, _)| (at.clone(), nth)).collect()
    }

    fn reach(&self, roots: &BTreeSet<At>, follow: Follow) -> BTreeSet<At> {
        let mut all = roots.clone();
        loop {
            let more: BTreeSet<At> = all.iter().flat_map(|at| self.targets(at, follow)).collect();
            let before = all.len();
            all.extend(more);
            if all.len() == before {
                return all;
            }
        }
    }

    #[allow(clippy::type_complexity)]
    pub fn closure(
        &self,
        roots: &[At],
        follow: Follow,
    ) -> (BTreeSet<At>, BTreeSet<(At, usize)>, BTreeSet<BTreeSet<At>>) {
        let reached = self.reach(&roots.iter().cloned().collect(), follow);
        let missing = reached.iter().flat_map(|at| self.missing_of(at, follow)).collect();
        let mut circles = BTreeSet::new();
        for at in &reached {
            let below = self.reach(&self.targets(at, follow), follow);
            if below.contains(at) {
                let back =
                    |other: &&At| self.reach(&self.targets(other, follow), follow).contains(at);
                circles.insert(below.iter().filter(back).cloned().collect());
            }
        }
        (reached, missing, circles)
    }

    pub fn users(&self, n: u8) -> BTreeSet<(At, usize)> {
        let mut users = BTreeSet::new();
        for at in self.counting() {
            let needs = self.needs(&at, Follow::ALL).into_iter();
            users.extend(needs.filter(|(_, it)| *it == id(n)).map(|(nth, _)| (at.clone(), nth)));
        }
        users
    }

    pub fn missing(&self, follow: Follow) -> BTreeSet<(At, usize)> {
        self.counting().iter().flat_map(|at| self.missing_of(at, follow)).collect()
    }
}
