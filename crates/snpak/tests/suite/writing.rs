//! Packs that are written: the bytes of the reference, the same for any number of threads, and appended to.

use crate::common::{errors, model, open_sound};
use snpak::{
    Codec, Compression, Pack,
    build::{Asset, Bulk, Content, Need, Options, Payload},
    edit::Draft,
};
use spelunk_core::{Collect, Container, scalar::Uuid};
use spelunk_fixtures::corpus;
use std::{io::Cursor, num::NonZeroUsize};
use test_support::{findings::assert_none, task::with_task};

/// All assets of a pack, read with their payloads and described anew.
fn described(pack: &Pack, len: usize) -> Vec<Asset> {
    let (assets, _) = with_task(len, |task| {
        (0..pack.index().entries().len())
            .map(|row| {
                let entry = Pack::entry(pack, row).unwrap();
                let codec =
                    |compression, level| Codec { compression: Compression(compression), level };
                let main = pack.payload(row, task).unwrap();
                let payload = Payload::new(main, codec(entry.compression, entry.level_bytes()[0]));
                let name = pack.name(entry).unwrap();
                let mut asset = Asset::new(entry.asset_id, name, payload);
                asset.kind = entry.asset_kind;
                asset.payload_type = entry.cooked_payload_type;
                asset.schema_version = entry.cooked_schema_version.get();
                asset.variant = pack.variant(entry).map(<[u8]>::to_vec);
                for (nth, bulk) in pack.bulk(entry).iter().enumerate() {
                    let plain = pack.bulk_payload(row, nth, task).unwrap();
                    let payload = Payload::new(plain, codec(bulk.compression, bulk.level));
                    asset.bulk.push(Bulk::new(bulk.semantic.get(), bulk.sub_index.get(), payload));
                }
                asset.dependencies = pack
                    .dependencies(row)
                    .iter()
                    .map(|need| {
                        let name = pack.strings().get(need.name_string_id.get());
                        Need::new(need.asset_id, name.map(<[u8]>::to_vec), need.kind)
                    })
                    .collect();
                asset
            })
            .collect()
    });
    assets
}

fn packed(assets: Vec<Asset>, options: Options) -> (Vec<u8>, Collect) {
    let mut out = Cursor::new(Vec::new());
    let (result, sink) = with_task(1 << 20, |task| {
        let mut draft = Draft::default();
        assets.into_iter().try_for_each(|asset| draft.add(asset).map(drop))?;
        draft.write(&mut out, options, task)
    });
    assert_eq!(result.unwrap().size, out.get_ref().len() as u64);
    model::keep("writing", out.get_ref());
    (out.into_inner(), sink)
}

fn threads(count: usize) -> Options {
    Options { threads: NonZeroUsize::new(count), ..Options::default() }
}

/// What is stored of an asset, without where it lies.
fn content(pack: &Pack) -> Vec<String> {
    described(pack, 1 << 30).iter().map(|asset| format!("{asset:?}")).collect()
}

#[test]
fn packs_of_the_reference_are_written_again_byte_for_byte() {
    let Some(files) = corpus::files("snpak", &["snpak"]) else { return };
    let (mut same, mut fresh) = (0, 0);
    for file in files {
        let pack = open_sound(&file.bytes);
        if pack.links().len() > 1 || pack.len() != pack.header().file_size.get() {
            continue;
        }
        fresh += 1;
        let (ours, _) = packed(described(&pack, file.bytes.len()), Options::default());
        let zstd = |id: u8| id == 2 || id == 4;
        let any = pack.index().entries().iter().any(|entry| zstd(entry.compression))
            || pack.index().bulk().iter().any(|bulk| zstd(bulk.compression));
        // The first writers made id 1 with another packer.
        let old_lz4 = file.name == "old_01_lz4.snpak";
        let (rebuilds, _) = with_task(file.bytes.len(), |task| {
            // Whether payloads are read again makes no difference to packs that are sound.
            let read = snpak::edit::rebuilds(&pack, false, Options::default(), task)?;
            assert_eq!(snpak::edit::rebuilds(&pack, true, Options::default(), task)?, read);
            Ok::<bool, spelunk_core::Error>(read)
        });
        assert_eq!(rebuilds.unwrap(), ours == file.bytes, "{}", file.name);
        if ours == file.bytes {
            same += 1;
        } else {
            assert!(any || old_lz4, "{}", file.name);
        }
        // Other versions of zstd make other bytes of the same content.
        assert_eq!(content(&open_sound(&ours)), content(&pack), "{}", file.name);
        assert_eq!(errors(&ours).unwrap(), [""; 0], "{}", file.name);
    }
    assert!(same >= 11 && fresh >= 13, "{same} of {fresh} packs without a history");
}

#[test]
fn the_bytes_are_the_same_for_any_number_of_threads() {
    let make = |count| {
        let assets = (0..200_u8).map(|n| {
            let plain: Vec<u8> = (0..usize::from(n) * 97).map(|i| (i % 251) as u8 ^ n).collect();
            let len = (n % 2 == 0).then_some(plain.len() as u64);
            let content = Content::reader(len, move || Ok(Box::new(Cursor::new(plain))));
            let codec = Codec { compression: Compression(n % 5), level: n % 4 };
            let mut asset =
                Asset::new(Uuid([n; 16]), format!("a/{n}"), Payload::new(content, codec));
            asset.bulk.push(Bulk::new(1, 0, Payload::new(vec![n; 100], Codec::default())));
            asset
        });
        packed(assets.collect(), threads(count)).0
    };
    let one = make(1);
    let pack = open_sound(&one);
    let (verified, sink) = with_task(one.len(), |task| pack.verify(task));
    verified.unwrap();
    assert_none(&sink);
    for count in [2, 3, 7] {
        assert_eq!(make(count), one, "{count} threads");
    }
}
