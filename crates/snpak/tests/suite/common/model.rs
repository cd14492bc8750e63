//! Packs as plain lists of assets, and what has to hold of every pack that is written.

use super::{findings, open_sound};
use snpak::{
    Codec, Compression, Pack,
    build::{Asset, Bulk, Need, Options, Payload},
    edit::{
        Draft,
        append::{Appended, Medium},
    },
};
use spelunk_core::{Result, Severity, scalar::Uuid};
use spelunk_fixtures::{judged, snpak as made};
use std::{
    io::{self, Cursor},
    sync::Arc,
};
use test_support::task::with_task;

/// All assets of a pack with everything that is stored of them, in order.
pub fn state(pack: &Pack) -> Vec<made::Asset> {
    let len = pack.len() as usize;
    let string = |id: u32| pack.strings().get(id).map(<[u8]>::to_vec);
    let rows = pack.index().entries().iter().enumerate();
    rows.map(|(row, entry)| made::Asset {
        id: entry.asset_id.0,
        kind: entry.asset_kind.0,
        payload_type: entry.cooked_payload_type.0,
        schema: entry.cooked_schema_version.get(),
        name: pack.name(entry).expect("a name").to_vec(),
        variant: pack.variant(entry).map(<[u8]>::to_vec),
        codec: made::Codec { id: entry.compression, level: entry.level_bytes()[0] },
        data: with_task(len, |task| pack.payload(row, task)).0.expect("a payload").to_vec(),
        bulk: (pack.bulk(entry).iter().enumerate())
            .map(|(nth, bulk)| made::Bulk {
                semantic: bulk.semantic.get(),
                sub_index: bulk.sub_index.get(),
                codec: made::Codec { id: bulk.compression, level: bulk.level },
                data: (with_task(len, |task| pack.bulk_payload(row, nth, task)).0)
                    .expect("a bulk payload")
                    .to_vec(),
            })
            .collect(),
        dependencies: (pack.dependencies(row).iter())
            .map(|need| made::Dependency {
                asset: need.asset_id.0,
                name: string(need.name_string_id.get()),
                kind: need.kind,
            })
            .collect(),
    })
    .collect()
}

pub fn codec(plain: made::Codec) -> Codec {
    Codec { compression: Compression(plain.id), level: plain.level }
}

pub fn bulk(plain: &made::Bulk) -> Bulk {
    let payload = Payload::new(plain.data.clone(), codec(plain.codec));
    Bulk::new(plain.semantic, plain.sub_index, payload)
}

pub fn need(plain: &made::Dependency) -> Need {
    Need::new(Uuid(plain.asset), plain.name.clone(), plain.kind)
}

/// The asset as it is described to be stored.
pub fn asset(plain: &made::Asset) -> Asset {
    let payload = Payload::new(plain.data.clone(), codec(plain.codec));
    let mut asset = Asset::new(Uuid(plain.id), plain.name.clone(), payload);
    (asset.kind, asset.payload_type) = (Uuid(plain.kind), Uuid(plain.payload_type));
    (asset.schema_version, asset.variant) = (plain.schema, plain.variant.clone());
    asset.bulk = plain.bulk.iter().map(bulk).collect();
    asset.dependencies = plain.dependencies.iter().map(need).collect();
    asset
}

/// A file in memory.
#[derive(Debug)]
pub struct Memory(pub Vec<u8>);

impl Medium for Memory {
    fn size(&mut self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn put(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let at = offset as usize;
        self.0.resize(self.0.len().max(at + bytes.len()), 0);
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn cut(&mut self, size: u64) -> io::Result<()> {
        self.0.truncate(size as usize);
        Ok(())
    }
}

/// A draft of what a pack shows.
pub fn draft(pack: Pack) -> Draft {
    let len = pack.len() as usize;
    with_task(len, |task| Draft::of(Arc::new(pack), &mut task.budget)).0.expect("a draft")
}

/// The pack after an append of what `change` makes of it.
pub fn append(bytes: &[u8], change: impl FnOnce(&mut Draft)) -> (Vec<u8>, Result<Appended>) {
    let mut draft = draft(open_sound(bytes));
    change(&mut draft);
    append_draft(bytes, draft, Options::default())
}

/// The pack after a draft of it was appended.
pub fn append_draft(bytes: &[u8], draft: Draft, options: Options) -> (Vec<u8>, Result<Appended>) {
    let mut file = Memory(bytes.to_vec());
    let (result, _) = with_task(bytes.len(), |task| draft.append(&mut file, options, task));
    (file.0, result)
}

/// The pack that a draft makes, written as a whole.
pub fn fresh(draft: Draft, options: Options) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    let (written, _) = with_task(1 << 24, |task| draft.write(&mut out, options, task));
    assert_eq!(written.expect("a written pack").size, out.get_ref().len() as u64);
    out.into_inner()
}

/// A draft of these assets, of no pack.
pub fn new_draft(assets: &[made::Asset]) -> Draft {
    let mut draft = Draft::default();
    for plain in assets {
        draft.add(asset(plain)).expect("an asset with an id of its own");
    }
    draft
}

/// Asserts that the pack opens and that verifying it finds nothing above info but what is `known`.
pub fn assert_sound(bytes: &[u8], known: &[&str]) {
    let found = findings(bytes).expect("a pack that opens");
    let bad =
        |(id, severity): &&(&str, Severity)| *severity > Severity::Info && !known.contains(id);
    let bad: Vec<_> = found.iter().filter(bad).collect();
    assert!(bad.is_empty(), "{bad:?}");
}

/// Leaves a pack for other checkers (`spelunk_fixtures::judged`). A name with `junk` in it says that some of its bytes belong
/// to nothing, on purpose.
pub fn keep(name: &str, bytes: &[u8]) {
    // Bulk payloads that outlived the type of their asset are sound, and the other checker does not know them.
    let types = snpak::codes::BULK_TYPE.id;
    if findings(bytes).is_ok_and(|found| found.iter().all(|(id, _)| *id != types)) {
        judged::leave(judged::PACKS, &format!("{name}.snpak"), bytes);
    }
}
