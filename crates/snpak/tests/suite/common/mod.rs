//! What the tests of this crate share.

#![allow(dead_code, reason = "every test file uses another part")]

pub mod damaged;
pub mod judgements;
pub mod limits;

pub mod model;

use snpak::{
    Codec, Compression, Pack,
    build::{Asset, Bulk, Options, Payload, name_id},
    edit::Draft,
};
use spelunk_core::{
    Budget, Bytes, Class, Collect, Container, Limits, Node, Of, Result, Revision, Severity, Space,
    Task, WriteOptions,
    text::CodePages,
    walk::{Coverage, Flat, finish},
};
use spelunk_fixtures::workload;
use std::{io::Cursor, num::NonZeroUsize, sync::Arc};

/// Runs `work` with the usual limits of a file of `len` bytes, and gives what it found.
pub fn with_task<T>(len: usize, work: impl FnOnce(&mut Task<'_>) -> T) -> (T, Collect) {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::for_len(len as u64)), &mut sink);
    let result = work(&mut task);
    (result, sink)
}

/// Opens a pack in memory.
pub fn open(bytes: &[u8]) -> (Result<Pack>, Collect) {
    let source = Arc::new(Bytes::copy_from_slice(bytes));
    with_task(bytes.len(), |task| Pack::read_from(source, task))
}

/// Opens a pack that has to open without a finding of severity error.
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
    result?;
    Ok(sink.findings.iter().map(|found| (found.error.code().id, found.severity)).collect())
}

/// The findings of severity error.
pub fn errors(bytes: &[u8]) -> Result<Vec<&'static str>> {
    let all = findings(bytes)?;
    let wrong = all.into_iter().filter(|(_, severity)| *severity == Severity::Error);
    Ok(wrong.map(|(id, _)| id).collect())
}

/// The pack, written.
pub fn written(pack: &Pack, recompress: bool) -> (Vec<u8>, Collect) {
    let mut out = Vec::new();
    let options = WriteOptions { recompress, ..WriteOptions::default() };
    let (result, sink) =
        with_task(pack.len() as usize, |task| pack.write(&mut out, &options, task));
    result.expect("a pack that is written");
    (out, sink)
}

/// Asserts that the layout covers every byte exactly once.
pub fn assert_covered(pack: &Pack) {
    let mut coverage = Coverage::default();
    let (walked, _) = with_task(pack.len() as usize, |task| pack.layout(task, &mut coverage));
    finish(walked).expect("a layout");
    assert_eq!(coverage.check(Space::FILE, pack.len()), []);
    assert_eq!(coverage.spaces().collect::<Vec<_>>(), [Space::FILE]);
}

/// The entries that a path names.
pub fn find(pack: &Pack, path: &str, pages: &CodePages) -> Vec<Node> {
    with_task(pack.len() as usize, |task| pack.find(path, pages, task)).0.expect("enough memory")
}

/// Nodes and paths of the entries of `of`, and what listing them finds.
pub fn listed(pack: &Pack, of: Of, pages: &CodePages) -> (Vec<(Node, String)>, Collect) {
    let mut listed = Vec::new();
    let (walked, sink) = with_task(pack.len() as usize, |task| {
        pack.children(of, pages, task, &mut |entry, _| {
            listed.push((entry.node, entry.path.to_owned()));
            Ok(())
        })
    });
    finish(walked).expect("a listing");
    (listed, sink)
}

/// The fields of the summary as `path` and text.
pub fn info(pack: &Pack) -> Vec<(String, String)> {
    let mut flat = Flat::default();
    let (walked, _) = with_task(pack.len() as usize, |task| pack.info(task, &mut flat));
    finish(walked).expect("a summary");
    flat.fields.into_iter().map(|field| (field.path, field.value.to_string())).collect()
}

/// Calls everything that a tool calls, on whatever these bytes are. Only panics count.
pub fn exercise(bytes: &[u8]) -> bool {
    let source = Arc::new(Bytes::copy_from_slice(bytes));
    let opened = with_task(bytes.len(), |task| Pack::read_from(source, task)).0;
    let Ok(pack) = opened else { return false };
    let pages = pack.code_pages();
    let _ = with_task(bytes.len(), |task| {
        let mut flat = Flat::default();
        let _ = pack.info(task, &mut flat);
        let _ = pack.layout(task, &mut Coverage::default());
        let mut nodes = Vec::new();
        let _ = pack.children(Of::Listing, &pages, task, &mut |entry, task| {
            nodes.push((entry.node, entry.path.to_owned()));
            entry.details.walk(task, &mut flat)
        });
        for (node, path) in nodes.iter().take(50) {
            match pack.find(path, &pages, task) {
                Ok(found) => assert!(found.contains(node), "{path}"),
                Err(error) => assert_eq!(error.code().class, Class::Limit, "{path}: {error}"),
            }
            let _ = pack.bytes(*node, task);
            let _ = Container::walk(&pack, *node, task, &mut flat);
            let _ = pack.refs(&[*node], task, &mut |_, _, _| Ok(()));
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
    let _ = with_task(bytes.len(), |task| pack.verify(task));
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
        });
    }
    let _ = with_task(bytes.len(), |task| {
        snpak::lint::lint(&pack, &snpak::lint::Selection::default(), &pages, task)
    });
    for recompress in [false, true] {
        let mut out = Vec::new();
        let options = WriteOptions { recompress, ..WriteOptions::default() };
        let (result, _) = with_task(bytes.len(), |task| pack.write(&mut out, &options, task));
        if result.is_ok() {
            assert!(out == bytes, "written bytes differ");
        }
    }
    true
}

/// A budget without limits.
pub fn unlimited() -> Budget {
    Budget::new(Limits::unlimited())
}

/// Runs `work` on this many threads.
pub fn on_threads<T>(
    count: usize,
    limits: Limits,
    work: impl FnOnce(&mut Task<'_>) -> T,
) -> (T, Collect) {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(limits), &mut sink);
    task.threads = NonZeroUsize::new(count);
    let result = work(&mut task);
    (result, sink)
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
