//! Changes of a pack: of a draft, through the trait, and of a plain list of assets.

use crate::common::model::{asset, bulk, codec, need};
use proptest::{collection::vec, option, prelude::*};
use snpak::{
    Codec, Pack,
    build::{Asset, Payload, name_id},
    codes,
    edit::Draft,
};
use spelunk_core::{
    Bytes, Container, Edit, Error, Result, Task, Val, scalar::Uuid, text::CodePages,
};
use spelunk_fixtures::snpak as made;
use std::collections::{BTreeSet, HashSet};
use test_support::task::unlimited;

/// A change of the asset at a position, counted round and round, or of the whole pack.
#[derive(Clone, Debug)]
pub enum Change {
    Add(made::Asset),
    Put(made::Asset),
    /// An asset without bytes, by its name alone.
    Insert(Vec<u8>),
    Remove(Vec<u8>),
    Name(u8, Vec<u8>),
    Variant(u8, Option<Vec<u8>>),
    Kind(u8, [u8; 16]),
    Type(u8, [u8; 16]),
    Schema(u8, u32),
    Id(u8, [u8; 16]),
    Needs(u8, Vec<made::Dependency>),
    Bytes(u8, Vec<u8>),
    Pack(u8, made::Codec),
    AddBulk(u8, made::Bulk),
    RemoveBulk(u8, u8),
    SetBulk(u8, u8, made::Bulk),
}

fn any_id() -> impl Strategy<Value = [u8; 16]> {
    (0_u8..7).prop_map(|n| [n; 16])
}

fn any_name() -> impl Strategy<Value = Vec<u8>> {
    let odd: [&[u8]; 9] = [
        b"",
        b"a",
        b"levels/forest",
        "t\u{e4}st\u{2713}".as_bytes(),
        b"\xff\xfe",
        b"a@b",
        b"a#1/0",
        b"../x",
        b"#0",
    ];
    prop_oneof![
        3 => prop::sample::select(odd.to_vec()).prop_map(<[u8]>::to_vec),
        1 => vec(1_u8.., 0..40),
    ]
}

fn any_variant() -> impl Strategy<Value = Option<Vec<u8>>> {
    option::of(any_name().prop_filter("one that can be stored", |name| !name.is_empty()))
}

fn any_codec() -> impl Strategy<Value = made::Codec> {
    (0_u8..5, 0_u8..4).prop_map(|(id, level)| made::Codec { id, level })
}

fn any_data() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(Vec::new()),
        vec(any::<u8>(), 1..80),
        (any::<u8>(), 1_usize..400)
            .prop_map(|(byte, len)| (0..len).map(|n| byte ^ (n / 9) as u8).collect()),
    ]
}

fn any_bulk() -> impl Strategy<Value = made::Bulk> {
    let semantic = prop::sample::select(vec![0_u32, 1, 2, 0x1_0000, u32::MAX]);
    (semantic, 0_u32..4, any_codec(), any_data()).prop_map(|(semantic, sub_index, codec, data)| {
        made::Bulk { semantic, sub_index, codec, data }
    })
}

fn any_need() -> impl Strategy<Value = made::Dependency> {
    (any_id(), option::of(any_name()), 0_u8..3).prop_map(|(asset, name, kind)| made::Dependency {
        asset,
        name,
        kind,
    })
}

pub fn any_asset() -> impl Strategy<Value = made::Asset> {
    let head = (any_id(), any_id(), any_id(), 0_u32..3, any_name(), any_variant());
    (head, any_codec(), any_data(), vec(any_bulk(), 0..3), vec(any_need(), 0..3)).prop_map(
        |((id, kind, payload_type, schema, name, variant), codec, data, bulk, dependencies)| {
            made::Asset {
                id,
                kind,
                payload_type,
                schema,
                name,
                variant,
                codec,
                data,
                bulk,
                dependencies,
            }
        },
    )
}

pub fn any_changes() -> impl Strategy<Value = Vec<Change>> {
    use Change::*;
    let at = || any::<u8>();
    let change = prop_oneof![
        2 => any_asset().prop_map(Add),
        2 => any_asset().prop_map(Put),
        1 => any_name().prop_map(Insert),
        1 => vec(at(), 0..3).prop_map(Remove),
        1 => (at(), any_name()).prop_map(|(n, name)| Name(n, name)),
        1 => (at(), any_variant()).prop_map(|(n, name)| Variant(n, name)),
        1 => (at(), any_id()).prop_map(|(n, id)| Kind(n, id)),
        1 => (at(), any_id()).prop_map(|(n, id)| Type(n, id)),
        1 => (at(), any::<u32>()).prop_map(|(n, schema)| Schema(n, schema)),
        1 => (at(), any_id()).prop_map(|(n, id)| Id(n, id)),
        1 => (at(), vec(any_need(), 0..3)).prop_map(|(n, needs)| Needs(n, needs)),
        1 => (at(), any_data()).prop_map(|(n, data)| Bytes(n, data)),
        1 => (at(), any_codec()).prop_map(|(n, codec)| Pack(n, codec)),
        1 => (at(), any_bulk()).prop_map(|(n, bulk)| AddBulk(n, bulk)),
        1 => (at(), at()).prop_map(|(n, nth)| RemoveBulk(n, nth)),
        1 => (at(), at(), any_bulk()).prop_map(|(n, nth, bulk)| SetBulk(n, nth, bulk)),
    ];
    vec(change, 0..4)
}

/// The position that a number means.
fn pick(n: u8, len: usize) -> Option<usize> {
    (len > 0).then(|| usize::from(n) % len.max(1))
}

type Assets = Vec<made::Asset>;
type Touched = HashSet<[u8; 16]>;

impl Change {
    /// Does the same to a draft and to the list.
    pub fn draft(&self, draft: &mut Draft, assets: &mut Assets, touched: &mut Touched) {
        let len = assets.len();
        let at = |n: &u8| pick(*n, len);
        match self {
            Change::Add(plain) => {
                let added = draft.add(asset(plain));
                let known = assets.iter().any(|other| other.id == plain.id);
                assert_eq!(added.is_err(), known);
                if !known {
                    touched.insert(plain.id);
                    assets.push(plain.clone());
                }
            }
            Change::Put(plain) => {
                let position =
                    draft.put(asset(plain), &mut unlimited()).expect("an asset that is put");
                touched.insert(plain.id);
                match assets.iter().rposition(|other| other.id == plain.id) {
                    Some(at) => {
                        let old = std::mem::replace(&mut assets[at], plain.clone());
                        if plain.bulk.is_empty() {
                            assets[at].bulk = old.bulk;
                        }
                        assert_eq!(position, at);
                    }
                    None => assets.push(plain.clone()),
                }
            }
            Change::Insert(name) => {
                let payload = Payload::new(Vec::new(), Codec::default());
                let added = draft.add(Asset::new(name_id(name, None), name.clone(), payload));
                insert(name, added.map(drop), assets, touched);
            }
            Change::Remove(which) => {
                let gone: BTreeSet<usize> = which.iter().filter_map(at).collect();
                draft.remove(&gone);
                remove(&gone, assets, touched);
            }
            Change::Name(n, name) => {
                let Some(n) = at(n) else { return };
                draft.asset_mut(n, &mut unlimited()).expect("an asset").name = name.clone();
                assets[n].name = name.clone();
            }
            Change::Variant(n, variant) => {
                let Some(n) = at(n) else { return };
                draft.asset_mut(n, &mut unlimited()).expect("an asset").variant = variant.clone();
                assets[n].variant = variant.clone();
            }
            Change::Kind(n, kind) => {
                let Some(n) = at(n) else { return };
                draft.asset_mut(n, &mut unlimited()).expect("an asset").kind = Uuid(*kind);
                assets[n].kind = *kind;
            }
            Change::Type(n, id) => {
                let Some(n) = at(n) else { return };
                draft.asset_mut(n, &mut unlimited()).expect("an asset").payload_type = Uuid(*id);
                touched.insert(assets[n].id);
                assets[n].payload_type = *id;
            }
            Change::Schema(n, schema) => {
                let Some(n) = at(n) else { return };
                draft.asset_mut(n, &mut unlimited()).expect("an asset").schema_version = *schema;
                touched.insert(assets[n].id);
                assets[n].schema = *schema;
            }
            Change::Id(n, id) => {
                let Some(n) = at(n) else { return };
                draft.asset_mut(n, &mut unlimited()).expect("an asset").id = Uuid(*id);
                touched.extend([assets[n].id, *id]);
                assets[n].id = *id;
            }
            Change::Needs(n, needs) => {
                let Some(n) = at(n) else { return };
                draft.asset_mut(n, &mut unlimited()).expect("an asset").dependencies =
                    needs.iter().map(need).collect();
                assets[n].dependencies = needs.clone();
            }
            Change::Bytes(n, data) => {
                let Some(n) = at(n) else { return };
                let place = &mut draft.asset_mut(n, &mut unlimited()).expect("an asset").payload;
                *place = Payload::new(data.clone(), place.codec());
                touched.insert(assets[n].id);
                assets[n].data = data.clone();
            }
            Change::Pack(n, plain) => {
                let Some(n) = at(n) else { return };
                let payload = Payload::new(assets[n].data.clone(), codec(*plain));
                draft.asset_mut(n, &mut unlimited()).expect("an asset").payload = payload;
                touched.insert(assets[n].id);
                assets[n].codec = *plain;
            }
            Change::AddBulk(n, plain) => {
                let Some(n) = at(n) else { return };
                draft.asset_mut(n, &mut unlimited()).expect("an asset").bulk.push(bulk(plain));
                touched.insert(assets[n].id);
                assets[n].bulk.push(plain.clone());
            }
            Change::RemoveBulk(n, nth) => {
                let Some((n, nth)) = at_bulk(assets, *n, *nth) else { return };
                draft.asset_mut(n, &mut unlimited()).expect("an asset").bulk.remove(nth);
                touched.insert(assets[n].id);
                assets[n].bulk.remove(nth);
            }
            Change::SetBulk(n, nth, plain) => {
                let Some((n, nth)) = at_bulk(assets, *n, *nth) else { return };
                draft.asset_mut(n, &mut unlimited()).expect("an asset").bulk[nth] = bulk(plain);
                touched.insert(assets[n].id);
                assets[n].bulk[nth] = plain.clone();
            }
        }
        let ids = (0..draft.len()).filter_map(|at| draft.id(at));
        assert!(ids.map(|id| id.0).eq(assets.iter().map(|asset| asset.id)), "{self:?}");
    }

    /// Does the same to an opened pack, through the trait, and to the list. What only a draft can do is not done.
    pub fn edit(&self, pack: &mut Pack, assets: &mut Assets, touched: &mut Touched) {
        let len = assets.len();
        let at = |n: &u8| pick(*n, len);
        match self {
            Change::Add(_) | Change::Put(_) => {}
            Change::Insert(name) => {
                let added = run(pack, |edit, task| {
                    let table = edit.table("asset").expect("a table of assets");
                    edit.insert(table, &[Val::Bytes(name.as_slice().into())], task)
                });
                insert(name, added.map(drop), assets, touched);
            }
            Change::Remove(which) => {
                let gone: BTreeSet<usize> = which.iter().filter_map(at).collect();
                let nodes: Vec<_> = gone.iter().map(|n| node(pack, &format!("#{n}"))).collect();
                run(pack, |edit, task| edit.remove(&nodes, false, task)).expect("a removal");
                remove(&gone, assets, touched);
            }
            Change::Name(n, name) => {
                let Some(n) = at(n) else { return };
                let node = node(pack, &format!("#{n}"));
                run(pack, |edit, task| edit.rename(node, name, task)).expect("a new name");
                assets[n].name = name.clone();
            }
            Change::Variant(n, variant) => {
                let Some(n) = at(n) else { return };
                let text = variant.as_deref().unwrap_or_default();
                set(pack, n, "variant", Val::Bytes(text.into())).expect("a variant");
                assets[n].variant = variant.clone();
            }
            Change::Kind(n, kind) => {
                let Some(n) = at(n) else { return };
                set(pack, n, "kind", Val::Uuid(*kind)).expect("a kind");
                assets[n].kind = *kind;
            }
            Change::Type(n, id) => {
                let Some(n) = at(n) else { return };
                let text = Val::Uuid(*id).to_string();
                set(pack, n, "payload_type", Val::from(text.as_str())).expect("a type");
                touched.insert(assets[n].id);
                assets[n].payload_type = *id;
            }
            Change::Schema(n, schema) => {
                let Some(n) = at(n) else { return };
                set(pack, n, "schema_version", Val::U((*schema).into())).expect("a version");
                touched.insert(assets[n].id);
                assets[n].schema = *schema;
            }
            Change::Id(n, id) => {
                let Some(n) = at(n) else { return };
                // An asset that a later one with its id hides may not keep it either.
                let other = assets.iter().rposition(|other| other.id == *id);
                let done = set(pack, n, "asset_id", Val::Uuid(*id));
                assert_eq!(done.is_err(), other.is_some_and(|other| other != n), "{done:?}");
                if done.is_ok() {
                    touched.extend([assets[n].id, *id]);
                    assets[n].id = *id;
                }
            }
            Change::Needs(n, needs) => {
                let Some(n) = at(n) else { return };
                let kinds = ["", ":optional", ":auxiliary"];
                let text = |need: &made::Dependency| {
                    format!("{}{}", Val::Uuid(need.asset), kinds[usize::from(need.kind)])
                };
                let text = needs.iter().map(text).collect::<Vec<_>>().join(", ");
                set(pack, n, "dependencies", Val::from(text.as_str())).expect("dependencies");
                // The name is that of the asset that is meant.
                let named = needs.iter().map(|need| made::Dependency {
                    name: (assets.iter().rfind(|asset| asset.id == need.asset))
                        .map(|asset| asset.name.clone()),
                    ..need.clone()
                });
                assets[n].dependencies = named.collect();
            }
            Change::Bytes(n, data) => {
                let Some(n) = at(n) else { return };
                let node = node(pack, &format!("#{n}"));
                let bytes = Bytes::from(data.clone());
                run(pack, |edit, task| edit.set_bytes(node, bytes, task)).expect("other bytes");
                touched.insert(assets[n].id);
                assets[n].data = data.clone();
            }
            Change::Pack(n, plain) => {
                let Some(n) = at(n) else { return };
                let name = codec(*plain).compression.name();
                set(pack, n, "compression", Val::from(name)).expect("a compression");
                set(pack, n, "level", Val::U(plain.level.into())).expect("a level");
                touched.insert(assets[n].id);
                assets[n].codec = *plain;
            }
            Change::AddBulk(n, plain) => {
                let Some(n) = at(n) else { return };
                let key = format!("#{n}#{}/{}", plain.semantic, plain.sub_index);
                let added = run(pack, |edit, task| {
                    let table = edit.table("bulk").expect("a table of bulk payloads");
                    let node = edit.insert(table, &[Val::Bytes(key.as_bytes().into())], task)?;
                    edit.set_bytes(node, Bytes::from(plain.data.clone()), task)
                });
                added.expect("a bulk payload");
                touched.insert(assets[n].id);
                // It is packed as the main payload is.
                let codec = assets[n].codec;
                assets[n].bulk.push(made::Bulk { codec, ..plain.clone() });
            }
            Change::RemoveBulk(n, nth) => {
                let Some((n, nth)) = at_bulk(assets, *n, *nth) else { return };
                let node = bulk_node(pack, assets, n, nth);
                run(pack, |edit, task| edit.remove(&[node], false, task)).expect("a removal");
                touched.insert(assets[n].id);
                assets[n].bulk.remove(nth);
            }
            Change::SetBulk(n, nth, plain) => {
                let Some((n, nth)) = at_bulk(assets, *n, *nth) else { return };
                let node = bulk_node(pack, assets, n, nth);
                let text = codec(plain.codec).to_string();
                let of = |field| format!("bulk[{nth}].{field}");
                set(pack, n, &of("semantic"), Val::U(plain.semantic.into())).expect("a semantic");
                set(pack, n, &of("sub_index"), Val::U(plain.sub_index.into())).expect("a number");
                set(pack, n, &of("compression"), Val::from(text.as_str())).expect("a compression");
                run(pack, |edit, task| edit.set_bytes(node, Bytes::from(plain.data.clone()), task))
                    .expect("other bytes");
                touched.insert(assets[n].id);
                assets[n].bulk[nth] = plain.clone();
            }
        }
    }
}

fn at_bulk(assets: &Assets, n: u8, nth: u8) -> Option<(usize, usize)> {
    let n = pick(n, assets.len())?;
    Some((n, pick(nth, assets[n].bulk.len())?))
}

fn insert(name: &[u8], added: Result<()>, assets: &mut Assets, touched: &mut Touched) {
    let id = name_id(name, None).0;
    let known = assets.iter().any(|other| other.id == id);
    match added {
        Ok(()) => {
            assert!(!known);
            touched.insert(id);
            let (name, codec) = (name.to_vec(), made::Codec::ZSTD);
            assets.push(made::Asset { id, name, codec, ..made::Asset::default() });
        }
        Err(error) => assert!(known && error.code().id == codes::SAME_ID.id, "{error}"),
    }
}

fn remove(gone: &BTreeSet<usize>, assets: &mut Assets, touched: &mut Touched) {
    for n in gone.iter().rev() {
        touched.insert(assets.remove(*n).id);
    }
}

/// The entry that a path names.
fn node(pack: &Pack, path: &str) -> spelunk_core::Node {
    let found = test_support::entries::find(pack, path);
    assert_eq!(found.len(), 1, "{path}");
    found[0]
}

fn bulk_node(pack: &Pack, assets: &Assets, n: usize, nth: usize) -> spelunk_core::Node {
    let bulk = &assets[n].bulk[nth];
    node(pack, &format!("#{n}#{}/{}@{nth}", bulk.semantic, bulk.sub_index))
}

pub fn set(pack: &mut Pack, n: usize, path: &str, value: Val<'_>) -> Result<()> {
    let node = node(pack, &format!("#{n}"));
    run(pack, |edit, task| edit.set(node, path, value, &CodePages::utf8(), task))
}

pub fn run<T>(
    pack: &mut Pack,
    work: impl FnOnce(&mut dyn Edit, &mut Task<'_>) -> Result<T>,
) -> std::result::Result<T, Error> {
    let len = pack.len() as usize;
    let edit = pack.edit().expect("packs can be changed");
    super::with_task(len, |task| work(edit, task)).0
}
