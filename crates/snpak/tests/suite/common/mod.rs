//! Packs in memory, and what is found in them.

#![allow(dead_code, reason = "every test program uses another part")]

pub mod damaged;
pub mod model;

use snpak::{
    Codec, Compression, Pack,
    build::{Asset, Bulk, Options, Payload, name_id},
    edit::Draft,
};
use spelunk_core::{Bytes, Class, Collect, Container, Of, Result, Revision, Severity, walk::Flat};
use spelunk_fixtures::workload;
use std::{io::Cursor, sync::Arc};
use test_support::{findings::graded, laws, task::with_task};

/// A pack in memory, and what opening it found.
pub fn open(bytes: &[u8]) -> (Result<Pack>, Collect) {
    let source = Arc::new(Bytes::copy_from_slice(bytes));
    with_task(bytes.len(), |task| Pack::read_from(source, task))
}

/// A pack that has to open without a finding of severity error.
pub fn open_sound(bytes: &[u8]) -> Pack {
    let (pack, sink) = open(bytes);
    assert!(!sink.has_errors(), "{:?}", sink.findings);
    pack.expect("a pack that opens")
}

/// Ids and severities of what opening and verifying find, in order.
pub fn findings(bytes: &[u8]) -> Result<Vec<(&'static str, Severity)>> {
    let source = Arc::new(Bytes::copy_from_slice(bytes));
    let (result, sink) = with_task(bytes.len(), |task| {
        let pack = Pack::read_from(source, task)?;
        Container::verify(&pack, task)
    });
    result.map(|()| graded(&sink))
}

/// The findings of severity error.
pub fn errors(bytes: &[u8]) -> Result<Vec<&'static str>> {
    let all = findings(bytes)?;
    let wrong = all.into_iter().filter(|(_, severity)| *severity == Severity::Error);
    Ok(wrong.map(|(id, _)| id).collect())
}

/// Calls everything that a tool calls, on whatever these bytes are. Only panics count.
pub fn exercise(bytes: &[u8]) -> bool {
    let Ok(pack) = open(bytes).0 else { return false };
    laws::exercise(&pack, bytes, &[], &[]);
    exercise_paths(&pack);
    let pages = pack.code_pages();
    for which in [Revision::Nth(1), Revision::Merged] {
        let view = with_task(bytes.len(), |task| pack.generation(which, task)).0;
        let Ok(view) = view else { continue };
        let _ = with_task(bytes.len(), |task| {
            let mut flat = Flat::default();
            let _ = view.info(task, &mut flat);
            let _ = view.children(Of::Listing, &pages, task, &mut |entry, task| {
                entry.details.walk(task, &mut flat)
            });
        });
        let _ = with_task(bytes.len(), |task| view.verify(task));
    }
    let mut buffer = Vec::new();
    for row in 0..pack.index().entries().len().min(50) {
        let Ok(located) = pack.locate(row) else { continue };
        let _ = with_task(bytes.len(), |task| {
            let whole = pack.payload(row, task).ok();
            let mut blocks = Vec::new();
            let streamed = pack.stream(&located, task, &mut |block, _| {
                blocks.extend_from_slice(block);
                Ok(())
            });
            assert_eq!(streamed.ok().map(|()| &blocks[..]), whole.as_deref());
            let filled = pack.payload_into(&located, &mut buffer, task);
            assert_eq!(filled.ok().map(|()| &buffer[..]), whole.as_deref());
            // No longer than what comes of the stored bytes at the most, whatever the row says.
            if let Some(whole) = &whole {
                let mut memory = vec![0xAB; whole.len()];
                let filled = pack.payload_to(&located, &mut memory, task);
                assert_eq!(filled.ok().map(|()| &memory[..]), Some(&whole[..]));
            } else if located.plain_len() < 1 << 20 {
                let mut memory = vec![0xAB; located.plain_len() as usize];
                assert!(pack.payload_to(&located, &mut memory, task).is_err());
            }
        });
    }
    let _ = with_task(bytes.len(), |task| {
        snpak::lint::lint(&pack, &snpak::lint::Selection::default(), &pages, task)
    });
    true
}

/// Asserts that paths of assets, and of their bulk chunks, lead back to them or to a limit.
fn exercise_paths(pack: &Pack) {
    let pages = pack.code_pages();
    let _ = with_task(pack.len() as usize, |task| {
        let mut nodes = Vec::new();
        let _ = pack.children(Of::Listing, &pages, task, &mut |entry, _| {
            nodes.push((entry.node, entry.path.to_owned()));
            Ok(())
        });
        for (node, path) in nodes.iter().take(50) {
            match pack.find(path, &pages, task) {
                Ok(found) => assert!(found.contains(node), "{path}"),
                Err(error) => assert_eq!(error.code().class, Class::Limit, "{path}: {error}"),
            }
            let mut bulk = Vec::new();
            let _ = pack.children(Of::Node(*node), &pages, task, &mut |entry, _| {
                bulk.push((entry.node, entry.path.to_owned()));
                Ok(())
            });
            for (node, path) in bulk.iter().take(5) {
                if let Ok(found) = pack.find(path, &pages, task) {
                    assert!(found.contains(node), "{path}");
                }
            }
        }
    });
}

/// A pack of many assets, of all codecs, with bulk payloads.
pub fn many(count: usize) -> Vec<u8> {
    let mut draft = Draft::default();
    let mut bytes = Vec::new();
    for nth in 0..count {
        workload::tiny(1, nth, &mut bytes);
        let codec = Codec::new(Compression((nth % 5) as u8));
        let name = workload::tiny_name(nth);
        let payload = Payload::new(bytes.clone(), codec);
        let mut asset = Asset::new(name_id(name.as_bytes(), None), name, payload);
        for sub in 0..(nth % 3) as u32 {
            asset.bulk.push(Bulk::new(1, sub, Payload::new(vec![nth as u8; 50], codec)));
        }
        draft.add(asset).unwrap();
    }
    let mut out = Cursor::new(Vec::new());
    let (written, _) = with_task(1 << 30, |task| draft.write(&mut out, Options::default(), task));
    written.unwrap();
    out.into_inner()
}
