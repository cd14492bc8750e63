//! What the tests share: opening bytes, and the laws that hold for every file.
#![allow(dead_code, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use spelunk_core::{
    Budget, Bytes, Collect, Container, Format, Limits, Node, Of, Probe, Result, Space, Task, Val,
    Walk, WriteOptions,
    walk::{Coverage, Flat, FlatField, finish},
};
use std::{collections::BTreeSet, sync::Arc};

pub fn limits(bytes: &[u8]) -> Limits {
    Limits::for_len(bytes.len() as u64)
}

pub fn budget(bytes: &[u8]) -> Budget {
    Budget::new(limits(bytes))
}

/// Opens with the format that recognises the bytes.
pub fn open(bytes: &[u8], sink: &mut Collect) -> Result<Box<dyn Container>> {
    let format = format(bytes).expect("a format recognises the file");
    open_as(format, bytes, sink)
}

/// Opens a sound file, or one whose damage is a finding.
pub fn opened(bytes: &[u8]) -> (Box<dyn Container>, Collect) {
    let mut sink = Collect::default();
    let container = open(bytes, &mut sink).unwrap();
    (container, sink)
}

pub fn format(bytes: &[u8]) -> Option<&'static dyn Format> {
    let head = &bytes[..bytes.len().min(4096)];
    let len = bytes.len() as u64;
    spellforce::FORMATS.iter().copied().find(|format| format.probe(head, len) == Probe::Yes)
}

pub fn open_as(
    format: &dyn Format,
    bytes: &[u8],
    sink: &mut Collect,
) -> Result<Box<dyn Container>> {
    let mut task = Task::new(budget(bytes), sink);
    format.open(Arc::new(Bytes::copy_from_slice(bytes)), &mut task)
}

pub fn info(container: &dyn Container, bytes: &[u8]) -> Vec<FlatField> {
    let mut sink = Collect::default();
    let mut flat = Flat::default();
    finish(container.info(&mut Task::new(budget(bytes), &mut sink), &mut flat)).unwrap();
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    flat.fields
}

pub fn value(fields: &[FlatField], path: &str) -> Val<'static> {
    let field = fields.iter().find(|field| field.path == path);
    field.unwrap_or_else(|| panic!("no {path}")).value.clone()
}

#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub node: Node,
    pub path: String,
    pub kind: String,
    pub name: Option<Vec<u8>>,
    pub size: u64,
    pub details: Vec<(&'static str, Val<'static>)>,
}

impl Row {
    pub fn get(&self, name: &str) -> &Val<'static> {
        let detail = self.details.iter().find(|(known, _)| *known == name);
        &detail.unwrap_or_else(|| panic!("no {name}")).1
    }
}

/// Lists a sound container.
pub fn list(container: &dyn Container, of: Of) -> Vec<Row> {
    let (rows, sink) = list_damaged(container, of);
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    rows
}

/// What a container lists, and what it reports meanwhile.
pub fn list_damaged(container: &dyn Container, of: Of) -> (Vec<Row>, Collect) {
    let mut rows = Vec::new();
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::for_len(container.size())), &mut sink);
    let walked = container.children(of, &container.code_pages(), &mut task, &mut |entry, task| {
        let mut flat = Flat::default();
        entry.details.walk(task, &mut flat)?;
        rows.push(Row {
            node: entry.node,
            path: entry.path.to_owned(),
            kind: entry.kind.to_owned(),
            name: entry.name.map(<[u8]>::to_vec),
            size: entry.size,
            details: flat.fields.into_iter().map(|f| (f.field.name, f.value)).collect(),
        });
        Ok(())
    });
    finish(walked).unwrap();
    (rows, sink)
}

pub fn find(container: &dyn Container, path: &str) -> Vec<Node> {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::for_len(container.size())), &mut sink);
    let found = container.find(path, &container.code_pages(), &mut task).unwrap();
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    found
}

pub fn bytes_of(container: &dyn Container, node: Node, file: &[u8]) -> Result<Bytes> {
    let mut sink = Collect::default();
    container.bytes(node, &mut Task::new(budget(file), &mut sink))
}

pub fn verify(container: &dyn Container, bytes: &[u8]) -> Collect {
    let mut sink = Collect::default();
    container.verify(&mut Task::new(budget(bytes), &mut sink)).unwrap();
    sink
}

pub fn codes(sink: &Collect) -> Vec<&'static str> {
    sink.findings.iter().map(|finding| finding.error.code().id).collect()
}

pub fn written(container: &dyn Container, bytes: &[u8], recompress: bool) -> (Vec<u8>, Collect) {
    let mut sink = Collect::default();
    let mut out = Vec::new();
    let mut task = Task::new(budget(bytes), &mut sink);
    container
        .write(&mut out, &WriteOptions { recompress, ..WriteOptions::default() }, &mut task)
        .unwrap();
    (out, sink)
}

/// Written back alike, plainly and packed again.
pub fn assert_round_trip(container: &dyn Container, bytes: &[u8]) {
    for recompress in [false, true] {
        let (out, sink) = written(container, bytes, recompress);
        assert!(out == bytes, "recompress {recompress}");
        if cfg!(feature = "c-codecs") {
            assert!(sink.findings.is_empty(), "{:?}", sink.findings);
        }
    }
}

/// Every byte of every space is covered by exactly one field.
pub fn assert_covered(container: &dyn Container, bytes: &[u8]) {
    let mut sink = Collect::default();
    let mut coverage = Coverage::default();
    let walk: &mut dyn Walk = &mut coverage;
    finish(container.layout(&mut Task::new(budget(bytes), &mut sink), walk)).unwrap();
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    assert_eq!(coverage.check(Space::FILE, bytes.len() as u64), []);
    let mut known = vec![Space::FILE];
    for space in container.spaces() {
        assert_eq!(coverage.check(space.space, space.len), []);
        known.push(space.space);
    }
    assert!(coverage.spaces().all(|space| known.contains(&space)));
}

/// Every path of the listing and of the tree leads back to its entry.
pub fn assert_paths_lead_back(container: &dyn Container) {
    let rows = list(container, Of::Listing);
    for (n, row) in rows.iter().enumerate() {
        assert!(find(container, &row.path).contains(&row.node), "{}", row.path);
        assert_eq!(find(container, &format!("#{n}")), [row.node]);
    }
    let mut open = list(container, Of::Root);
    let listed: BTreeSet<_> = rows.iter().map(|row| row.node).collect();
    let mut seen = BTreeSet::new();
    while let Some(row) = open.pop() {
        assert!(find(container, &row.path).contains(&row.node), "{}", row.path);
        let mut same = Vec::new();
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(container.size())), &mut sink);
        let walked =
            container.entry(row.node, &container.code_pages(), &mut task, &mut |entry, _| {
                same.push((entry.node, entry.path.to_owned(), entry.size));
                Ok(())
            });
        finish(walked).unwrap();
        assert!(sink.findings.is_empty(), "{:?}", sink.findings);
        assert_eq!(same, [(row.node, row.path.clone(), row.size)]);
        seen.extend(Some(row.node).filter(|node| listed.contains(node)));
        open.extend(list(container, Of::Node(row.node)));
    }
    assert!(seen == listed, "the tree holds what the listing holds");
}

/// A source that lends nothing, as a file that is read range by range.
pub struct Ranged(pub Vec<u8>);

impl spelunk_core::Source for Ranged {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        Bytes::copy_from_slice(&self.0).read_at(offset, buffer)
    }
}

/// Does everything that can be done with a file, damaged or not. Nothing may panic, and what opens is
/// written back alike.
pub fn exercise(format: &dyn Format, bytes: &[u8]) -> bool {
    let mut sink = Collect::default();
    let Ok(container) = open_as(format, bytes, &mut sink) else { return false };
    let container = container.as_ref();
    let pages = container.code_pages();
    let mut task = Task::new(budget(bytes), &mut sink);
    let mut flat = Flat::default();
    let _ = container.info(&mut task, &mut flat);
    let mut nodes = Vec::new();
    for of in [Of::Listing, Of::Root] {
        let mut task = Task::new(budget(bytes), &mut sink);
        let walked = container.children(of, &pages, &mut task, &mut |entry, task| {
            let mut flat = Flat::default();
            entry.details.walk(task, &mut flat)?;
            nodes.push(entry.node);
            Ok(())
        });
        assert!(walked.is_ok());
    }
    for node in nodes.into_iter().take(50).chain([Node(u64::MAX), Node(1 << 40), Node(7 << 32)]) {
        let mut task = Task::new(budget(bytes), &mut sink);
        let _ = container.children(Of::Node(node), &pages, &mut task, &mut |_, _| Ok(()));
        let _ = container.entry(node, &pages, &mut task, &mut |_, _| Ok(()));
        let _ = container.bytes(node, &mut task);
        let _ = container.walk(node, &mut task, &mut Flat::default());
    }
    for path in ["2016[3]", "6.1", "6", "#0", "texture/", "a", "2030[1]"] {
        let mut task = Task::new(budget(bytes), &mut sink);
        let _ = container.find(path, &pages, &mut task);
    }
    let mut task = Task::new(budget(bytes), &mut sink);
    let mut coverage = Coverage::default();
    if container.layout(&mut task, &mut coverage).is_ok() {
        assert_eq!(coverage.check(Space::FILE, bytes.len() as u64), []);
    }
    let _ = container.verify(&mut Task::new(budget(bytes), &mut sink));
    for recompress in [false, true] {
        let mut out = Vec::new();
        let mut task = Task::new(budget(bytes), &mut sink);
        // Packing again keeps what no level reproduces, so both ways give the old bytes.
        if container
            .write(&mut out, &WriteOptions { recompress, ..WriteOptions::default() }, &mut task)
            .is_ok()
        {
            assert!(out == bytes);
        } else {
            assert!(recompress, "writing from memory does not fail");
        }
    }
    true
}
