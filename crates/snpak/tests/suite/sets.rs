//! Several packs as a game mounts them, against a plain model of them.

#[cfg(feature = "fs")]
#[path = "sets/reloading.rs"]
mod reloading;

use crate::common::{errors, model, open, open_sound};
use crate::naive::{self, Layer, Model, asset, chance, id, layers};
use proptest::prelude::*;
use snpak::{
    AssetId, Pack,
    build::Options,
    codes,
    set::{Follow, Mount, Provider, Set, Trouble},
};
use spelunk_core::{Bytes, Class, Limits, Severity};
use spelunk_fixtures::{corpus, mutate, samples, snpak as made};
use std::{collections::BTreeSet, io::Cursor, sync::Arc};
use test_support::{
    json::truth,
    task::{unlimited, with_task},
};

/// Mounts packs, the first one first.
fn mounted(packs: &[made::Pack]) -> Set {
    let mut set = Set::default();
    for (nth, pack) in packs.iter().enumerate() {
        set.mount(Mount::new(nth.to_string(), open_sound(&pack.build().bytes)));
    }
    set
}

fn pack(assets: Vec<made::Asset>) -> made::Pack {
    made::Pack { assets, ..made::Pack::default() }
}

/// The label of its mount and its row.
fn told(set: &Set, of: Provider) -> (String, usize) {
    (set.get(of.mount).expect("a mount").label.clone(), of.row)
}

fn all_told(set: &Set, of: &[Provider]) -> Vec<(String, usize)> {
    of.iter().map(|of| told(set, *of)).collect()
}

fn at(label: &str, row: usize) -> (String, usize) {
    (label.to_owned(), row)
}

/// Writes the part of a set, which has to be sound.
fn subset(set: &Set, assets: &[Provider], follow: Follow) -> (Pack, Vec<(String, Severity)>) {
    let mut out = Cursor::new(Vec::new());
    let (result, sink) = with_task(1 << 20, |task| {
        set.subset(assets.iter().copied(), follow, task)?.write(&mut out, Options::default(), task)
    });
    result.expect("a subset");
    let bytes = out.into_inner();
    assert!(errors(&bytes).expect("a pack").is_empty());
    let told = |found: &spelunk_core::Finding| {
        assert_eq!(found.error.code().id, codes::NEED_MISSING.id);
        (found.error.found_value().to_string(), found.severity)
    };
    (open_sound(&bytes), sink.findings.iter().map(told).collect())
}

#[test]
fn later_mounts_win_and_priority_wins_over_that() {
    let forest = || samples::pack();
    let mut set = mounted(&[forest(), forest()]);
    let first = Mount::new("first", open_sound(&forest().build().bytes)).priority(1);
    let first = set.mount(first);
    let last = set.mount(Mount::new("last", open_sound(&forest().build().bytes)));
    let mut budget = unlimited();
    let wind = set.get(first).unwrap().pack.entry(1).unwrap().asset_id.0;
    let order = |set: &Set, budget: &mut _| {
        let found = set.providers(&wind, budget).unwrap();
        found.iter().map(|it| set.get(it.mount).unwrap().label.clone()).collect::<Vec<_>>()
    };
    assert_eq!(order(&set, &mut budget), ["first", "last", "1", "0"]);
    let gone = set.unmount(first).unwrap();
    assert_eq!((gone.label.as_str(), set.unmount(first).is_none()), ("first", true));
    assert_eq!(order(&set, &mut budget), ["last", "1", "0"]);
    assert!(set.replace(first, gone.pack.clone()).is_none());
    let old = set.replace(last, Arc::new(open_sound(&pack(vec![]).build().bytes))).unwrap();
    assert!(!old.is_empty());
    assert_eq!(order(&set, &mut budget), ["1", "0"]);
    assert_eq!(set.provider(&[0xEE; 16], &mut budget).unwrap(), None);
}

#[test]
fn a_preferred_variant_wins_over_a_preferred_mount() {
    let variants = |all: &[(u8, Option<&str>)]| {
        let of = |(n, variant): &(u8, Option<&str>)| made::Asset {
            variant: variant.map(|it| it.as_bytes().to_vec()),
            ..asset(*n, "text")
        };
        pack(all.iter().map(of).collect())
    };
    let mut set = Set::default();
    let base = variants(&[(1, None), (2, Some("de")), (3, Some("en"))]);
    let patch = variants(&[(4, None), (5, Some("en"))]);
    for (label, made) in [("base", base), ("patch", patch)] {
        set.mount(Mount::new(label, open_sound(&made.build().bytes)).at("dlc/"));
    }
    let mut budget = unlimited();
    let mut resolve = |name: &str, wanted: &[Option<&[u8]>]| {
        let found = set.resolve(name.as_bytes(), wanted, &mut budget).unwrap()?;
        Some((told(&set, found.asset), found.preference))
    };
    let (de, en): (Option<&[u8]>, Option<&[u8]>) = (Some(b"de"), Some(b"en"));
    assert_eq!(resolve("dlc/text", &[de, en, None]), Some((at("base", 1), 0)));
    assert_eq!(resolve("dlc/text", &[Some(b"fr"), en]), Some((at("patch", 1), 1)));
    assert_eq!(resolve("dlc/text", &[None]), Some((at("patch", 0), 0)));
    assert_eq!(resolve("dlc/text", &[]), None);
    for absent in ["text", "dlc/", "dlc", "", "dlc/tex"] {
        assert_eq!(resolve(absent, &[de, en, None]), None, "{absent}");
    }
}

#[test]
fn conflicts_are_told_by_what_differs() {
    let mut louder = asset(1, "a");
    louder.data = b"louder".to_vec();
    let renamed = asset(2, "b2");
    let same = asset(3, "c");
    let clash = asset(9, "d");
    let set = mounted(&[
        pack(vec![asset(1, "a"), asset(2, "b"), asset(3, "c"), asset(4, "d")]),
        pack(vec![louder, renamed, same, clash]),
    ]);
    let mut found = Vec::new();
    let (result, _) = with_task(1 << 20, |task| {
        set.conflicts(task, &mut |conflict, _| {
            let fields = match conflict.trouble {
                Trouble::Content(fields) => fields.names().collect(),
                _ => vec![],
            };
            found.push((conflict.trouble.name(), fields, all_told(&set, conflict.assets)));
            Ok(())
        })
    });
    result.unwrap();
    let both = |row| vec![at("1", row), at("0", row)];
    assert_eq!(
        found,
        [
            ("content", vec!["payload"], both(0)),
            ("renamed", vec![], both(1)),
            ("same_name", vec![], both(3)),
        ]
    );
}

#[test]
fn corpus_dependencies_are_followed_as_the_truth_has_them() {
    let Some(files) = corpus::files("snpak", &["snpak"]) else { return };
    let file = files.iter().find(|file| file.name == "13_deps.snpak").expect("13");
    let mut set = Set::default();
    let mount = set.mount(Mount::new("13", open_sound(&file.bytes)));
    let truth = truth(corpus::text("snpak/13_deps.json")).expect("truth");
    let mut needs = 0;
    for (row, says) in truth["assets"].as_array().unwrap().iter().enumerate() {
        let all = set.dependencies(Provider { mount, row });
        let deps = says["deps"].as_array().unwrap();
        assert_eq!(all.len(), deps.len());
        for (need, says) in all.iter().zip(deps) {
            assert_eq!(AssetId::from(need.asset_id).to_string(), says["id"].as_str().unwrap());
            assert_eq!(u64::from(need.kind), says["kind"].as_u64().unwrap());
            needs += 1;
        }
    }
    assert_eq!(needs, 5);
    let level = Provider { mount, row: 0 };
    let close = |follow| {
        let (closure, _) = with_task(1 << 20, |task| set.closure([level], follow, task));
        closure.unwrap()
    };
    let all = close(Follow::ALL);
    assert_eq!(all_told(&set, all.assets()), [at("13", 0), at("13", 1), at("13", 2)]);
    let missing: Vec<usize> = all.missing.iter().map(|missing| missing.nth).collect();
    assert_eq!(missing, [2, 3]);
    assert_eq!(set.dependency_name(all.missing[0]), Some(&b"Only/Name"[..]));
    // The HUD needs the level that has it.
    let circles = all.cycles(&mut unlimited()).unwrap();
    assert_eq!(
        circles.iter().map(|it| all_told(&set, it)).collect::<Vec<_>>(),
        [[at("13", 0), at("13", 2)]]
    );
    let required = close(Follow::REQUIRED);
    assert_eq!(all_told(&set, required.assets()), [at("13", 0), at("13", 1)]);
    assert!(required.cycles(&mut unlimited()).unwrap().is_empty());
    let (part, told) = subset(&set, &[level], Follow::REQUIRED);
    assert_eq!(part.index().entries().len(), 2);
    assert_eq!(told.len(), 1);
    assert!(told[0].0.ends_with("000000000063, required") && told[0].1 == Severity::Warning);
}

#[test]
fn parts_of_corpus_packs_are_what_they_are_parts_of() {
    let Some(files) = corpus::files("snpak", &["snpak"]) else { return };
    let mut compared = 0;
    for file in &files {
        let whole = Arc::new(open_sound(&file.bytes));
        let mut set = Set::default();
        let mount = set.mount(Mount::new("whole", whole.clone()));
        let (rows, _) = with_task(1 << 20, |task| set.counting(Some(mount), task));
        // Every second one, backwards.
        let asked: Vec<Provider> = rows.unwrap().into_iter().rev().step_by(2).collect();
        let follow = Follow { required: false, optional: false, auxiliary: false };
        let (part, _) = subset(&set, &asked, follow);
        let (all, found) = (model::state(&whole), model::state(&part));
        let mut kept: Vec<usize> = asked.iter().map(|asset| asset.row).collect();
        kept.sort_unstable();
        assert_eq!(found, kept.iter().map(|row| all[*row].clone()).collect::<Vec<_>>());
        compared += found.len();
        // The chunks are those that were stored.
        for (new, old) in kept.iter().enumerate() {
            let chunk = |pack: &Pack, row| {
                let range = pack.locate(row).unwrap().range();
                pack.source().read(range, &mut unlimited()).unwrap()
            };
            assert!(chunk(&part, new) == chunk(&whole, *old), "{}", file.name);
        }
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn a_part_of_several_packs_has_the_names_that_the_set_gives() {
    let need = |of: u8, name: &str, kind| made::Dependency {
        asset: id(of),
        name: Some(name.as_bytes().to_vec()),
        kind,
    };
    let mut level = asset(1, "level");
    level.dependencies = vec![need(2, "tree", 0), need(3, "bush", 1), need(7, "gone", 2)];
    let mut tree = asset(2, "tree");
    tree.variant = Some(b"hd".to_vec());
    tree.bulk = samples::pack().assets[0].bulk.clone();
    let packs = [pack(vec![level, asset(3, "bush")]), pack(vec![asset(5, "x"), tree])];
    let mut set = Set::default();
    let base = set.mount(Mount::new("base", open_sound(&packs[0].build().bytes)));
    set.mount(Mount::new("dlc", open_sound(&packs[1].build().bytes)).at("dlc/").priority(-1));
    let asked = [Provider { mount: base, row: 0 }];
    let (part, told) = subset(&set, &asked, Follow::ALL);
    let found = model::state(&part);
    let names: Vec<&[u8]> = found.iter().map(|it| it.name.as_slice()).collect();
    assert_eq!(names, [&b"level"[..], b"bush", b"dlc/tree"]);
    assert_eq!(found[0], packs[0].assets[0]);
    assert_eq!(found[2], made::Asset { name: b"dlc/tree".to_vec(), ..packs[1].assets[1].clone() });
    assert!(told[0].0.contains("`gone`") && told[0].1 == Severity::Info);
    // What has a prefix itself names what it needs by the names that are there now.
    set.mount(Mount::new("all", open_sound(&packs[0].build().bytes)).at("all/"));
    let (found, _) = with_task(1 << 20, |task| set.counting(None, task));
    let (part, _) = subset(&set, &found.unwrap(), Follow::ALL);
    let found = model::state(&part);
    let names: Vec<&[u8]> = found.iter().map(|it| it.name.as_slice()).collect();
    assert_eq!(names, [&b"all/level"[..], b"all/bush", b"dlc/x", b"dlc/tree"]);
    let needs = found[0].dependencies.iter().map(|it| it.name.clone().unwrap());
    assert_eq!(needs.collect::<Vec<_>>(), [&b"dlc/tree"[..], b"all/bush", b"gone"]);
}

#[test]
fn of_one_id_a_part_has_one_asset() {
    let twice = || pack(vec![asset(1, "old"), asset(1, "new"), asset(2, "x")]);
    let mut set = Set::default();
    let mount = set.mount(Mount::new("", open_sound(&twice().build().bytes)));
    let rows =
        |rows: &[usize]| rows.iter().map(|row| Provider { mount, row: *row }).collect::<Vec<_>>();
    let names = |asked: &[usize]| {
        let (part, _) = subset(&set, &rows(asked), Follow::ALL);
        model::state(&part).into_iter().map(|it| it.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&[2, 0, 1]), [&b"new"[..], b"x"]);
    assert_eq!(names(&[0]), [b"old"]);
    assert_eq!(names(&[]), Vec::<Vec<u8>>::new());

    // Those of one id count once among those that were asked for, whatever more they need.
    let mut user = asset(3, "user");
    user.dependencies = vec![made::Dependency { asset: naive::id(2), name: None, kind: 0 }];
    let all = pack(vec![user.clone(), user, asset(2, "x")]);
    let set = mounted(&[all]);
    let mount = set.mounts().next().unwrap().0;
    let asked = [0, 1].map(|row| Provider { mount, row });
    let (part, _) = with_task(1 << 20, |task| set.subset(asked, Follow::ALL, task));
    let part = part.unwrap();
    assert_eq!((part.asked, part.needed, part.len()), (1, 1, 2));
}

#[test]
fn shared_dependencies_do_not_run_away() {
    // Every asset needs all others; then all owners share one range that is all of the table.
    let count = 60_u8;
    let all = (0..count).map(|n| made::Asset {
        dependencies: (0..count)
            .map(|to| made::Dependency { asset: id(to), name: None, kind: 0 })
            .collect(),
        ..asset(n, &n.to_string())
    });
    let mut file = pack(all.collect()).build();
    let total = u32::from(count) * u32::from(count);
    for owner in 0..count {
        file.poke(&format!("index[0].tables.owners[{owner}].first"), &0_u32.to_le_bytes());
        file.poke(&format!("index[0].tables.owners[{owner}].count"), &total.to_le_bytes());
    }
    let opened = open(&file.bytes).0.expect("a pack whose hash is wrong");
    let mut set = Set::default();
    let mount = set.mount(Mount::new("", opened));
    let rows = (0..usize::from(count)).map(|row| Provider { mount, row });
    let run = |steps| {
        let mut sink = spelunk_core::Collect::default();
        let limits = Limits { steps, ..Limits::for_len(1 << 20) };
        let mut task = spelunk_core::Task::new(spelunk_core::Budget::new(limits), &mut sink);
        let closure = set.closure(rows.clone(), Follow::ALL, &mut task)?;
        closure.cycles(&mut task.budget)
    };
    assert_eq!(run(u64::MAX).unwrap()[0].len(), usize::from(count));
    assert_eq!(run(10_000).unwrap_err().code().class, Class::Limit);
}

#[test]
fn damaged_packs_are_mounted_without_harm() {
    let sound = Arc::new(open_sound(&samples::appended_pack().build().bytes));
    let mut mounted = 0;
    for seed in 0..600 {
        let bytes = match seed % 2 {
            0 => mutate::mutate(&samples::appended_pack().build().bytes, seed),
            _ => mutate::mutate(&samples::duplicate_pack().build().bytes, seed),
        };
        let source = Arc::new(Bytes::from(bytes.clone()));
        let Ok(pack) = with_task(bytes.len(), |task| Pack::read_from(source, task)).0 else {
            continue;
        };
        mounted += 1;
        let mut set = Set::default();
        set.mount(Mount::new("sound", sound.clone()));
        set.mount(Mount::new("damaged", pack).at(if seed % 3 == 0 { "dlc/" } else { "" }));
        let _ = with_task(bytes.len(), |task| {
            set.conflicts(task, &mut |_, _| Ok(()))?;
            let all = set.counting(None, task)?;
            let closure = set.closure(all.iter().copied(), Follow::ALL, task)?;
            closure.cycles(&mut task.budget)?;
            set.missing(Follow::ALL, task, &mut |_, _| Ok(()))?;
            for asset in &all {
                let name = set.name(*asset).unwrap_or_default();
                let variant = set.variant(*asset);
                let found = set.by_name(&name, variant, &mut task.budget)?;
                assert!(name.is_empty() || found.contains(asset));
                let id = set.entry(*asset).unwrap().asset_id.0;
                set.users(&id, task, &mut |_, _| Ok(()))?;
            }
            let part = set.subset(all, Follow::ALL, task)?;
            part.write(&mut Cursor::new(Vec::new()), Options::default(), task)
        });
    }
    assert!(mounted > 100, "{mounted}");
}

fn check(layers: &[Layer], wanted: &[(u8, u8)]) {
    let model = Model { layers };
    let mut set = Set::default();
    for layer in layers {
        let opened = open_sound(&pack(layer.assets.clone()).build().bytes);
        let mount = Mount::new(layer.label.clone(), opened).at(layer.prefix.as_bytes());
        set.mount(mount.priority(layer.priority));
    }
    let mut budget = unlimited();
    let tell = |of: &[Provider]| all_told(&set, of);
    for n in 0..8 {
        let found = set.providers(&id(n), &mut budget).unwrap();
        assert_eq!(tell(&found), model.providers(n), "{n}");
        let first = set.provider(&id(n), &mut budget).unwrap();
        assert_eq!(first, found.first().copied());
    }
    for (name, variant) in naive::names() {
        let found = set.by_name(name.as_bytes(), variant, &mut budget).unwrap();
        assert_eq!(tell(&found), model.by_name(&name, variant), "{name} {variant:?}");
        let preferences = [variant, None, Some(&b"hd"[..])];
        let found = set.resolve(name.as_bytes(), &preferences, &mut budget).unwrap();
        let found = found.map(|found| (told(&set, found.asset), found.preference));
        assert_eq!(found, model.resolve(&name, &preferences));
    }
    let ((), _) = with_task(1 << 20, |task| {
        let (mut groups, mut clashes) = (BTreeSet::new(), BTreeSet::new());
        set.assets(task, &mut |assets, _| {
            assert!(groups.insert(tell(assets)));
            Ok(())
        })
        .unwrap();
        assert_eq!(groups, model.groups());
        set.conflicts(task, &mut |conflict, _| {
            if conflict.trouble == Trouble::SameName {
                assert!(clashes.insert(tell(conflict.assets)));
            }
            Ok(())
        })
        .unwrap();
        assert_eq!(clashes, model.clashes());
        let roots: Vec<Provider> = (wanted.iter())
            .filter_map(|(n, _)| set.provider(&id(*n), &mut task.budget).unwrap())
            .collect();
        let follow = naive::follow(wanted.first().map_or(7, |(_, bits)| *bits));
        let closure = set.closure(roots.iter().copied(), follow, task).unwrap();
        let found: BTreeSet<_> = tell(closure.assets()).into_iter().collect();
        assert_eq!(found.len(), closure.assets().len(), "each once");
        let (reached, missing, circles) = model.closure(&tell(&roots), follow);
        assert_eq!(found, reached);
        let is = |user: &snpak::set::User| (told(&set, user.asset), user.nth);
        assert_eq!(closure.missing.iter().map(is).collect::<BTreeSet<_>>(), missing);
        let found = closure.cycles(&mut task.budget).unwrap();
        let found = found.iter().map(|circle| tell(circle).into_iter().collect());
        assert_eq!(found.collect::<BTreeSet<BTreeSet<_>>>(), circles);
        for n in 0..9 {
            let mut users = BTreeSet::new();
            set.users(&id(n), task, &mut |user, _| {
                assert!(users.insert(is(&user)));
                Ok(())
            })
            .unwrap();
            assert_eq!(users, model.users(n));
        }
        let mut all = BTreeSet::new();
        set.missing(follow, task, &mut |missing, _| {
            assert!(all.insert(is(&missing)));
            Ok(())
        })
        .unwrap();
        assert_eq!(all, model.missing(follow));
        let (part, _) = subset(&set, &roots, follow);
        let ids: BTreeSet<_> = part.index().entries().iter().map(|it| it.asset_id.0).collect();
        assert_eq!(ids, reached.iter().map(|at| model.asset(at).id).collect());
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: chance(96), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sets_are_what_the_model_is(
        layers in layers(),
        wanted in prop::collection::vec((0_u8..8, 0_u8..8), 1..4),
    ) {
        check(&layers, &wanted);
    }
}
