//! Laws of every container.

use crate::{
    entries::{find, list, write},
    findings::assert_none,
    task::with_task,
};
use spelunk_core::{
    Collect, Container, Node, Of, Space, WriteOptions,
    walk::{Coverage, Fault, Flat, finish},
};
use std::collections::BTreeSet;

/// Asserts that every byte of the file and of every inflated space belongs to exactly one field, and that nothing is
/// found meanwhile.
///
/// # Panics
/// Where that is not so.
pub fn assert_covered(container: &dyn Container, bytes: &[u8]) {
    assert_none(&covered(container, bytes.len() as u64, container.format()));
}

/// Asserts that every byte of the file and of every inflated space belongs to exactly one field. A space whose section
/// is damaged has no bytes, and the damage is told.
///
/// # Panics
/// Where that is not so.
pub fn assert_covered_despite_damage(container: &dyn Container, name: &str) {
    covered(container, container.size(), name);
}

fn covered(container: &dyn Container, len: u64, name: &str) -> Collect {
    let mut coverage = Coverage::default();
    let (walked, sink) = with_task(len as usize, |task| container.layout(task, &mut coverage));
    finish(walked).expect("a layout");
    let spaces = container.spaces();
    let seen: Vec<_> = coverage.spaces().collect();
    for space in seen.iter().filter(|space| **space != Space::FILE) {
        assert!(spaces.iter().any(|span| span.space == *space), "{name}: {space}");
    }
    assert_eq!(coverage.check(Space::FILE, len), [], "{name}");
    for span in spaces {
        if sink.has_errors() && !seen.contains(&span.space) {
            continue;
        }
        assert_eq!(coverage.check(span.space, span.len), [], "{name}: {}", span.space);
    }
    sink
}

/// Asserts that the container is written back alike, plainly and packed again, and gives what both found.
///
/// # Panics
/// Where that is not so.
pub fn assert_round_trip(container: &dyn Container, bytes: &[u8]) -> Collect {
    let mut found = Collect::default();
    for recompress in [false, true] {
        let (out, sink) = write(container, recompress);
        assert!(out == bytes, "recompress {recompress}");
        found.absorb(sink);
    }
    found
}

/// Asserts that every path of the listing and of the tree leads back to its entry.
///
/// # Panics
/// Where that is not so.
pub fn assert_paths_lead_back(container: &dyn Container) {
    let rows = list(container, Of::Listing);
    for (n, row) in rows.iter().enumerate() {
        assert!(find(container, &row.path).contains(&row.node), "{}", row.path);
        assert_eq!(find(container, &format!("#{n}")), [row.node]);
    }
    let mut open = list(container, Of::Root);
    let listed: BTreeSet<_> = rows.iter().map(|row| row.node).collect();
    let mut seen = BTreeSet::new();
    let pages = container.code_pages();
    while let Some(row) = open.pop() {
        assert!(find(container, &row.path).contains(&row.node), "{}", row.path);
        let mut same = Vec::new();
        let (walked, sink) = with_task(container.size() as usize, |task| {
            container.entry(row.node, &pages, task, &mut |entry, _| {
                same.push((entry.node, entry.path.to_owned(), entry.size));
                Ok(())
            })
        });
        finish(walked).expect("an entry");
        assert_none(&sink);
        assert_eq!(same, [(row.node, row.path.clone(), row.size)]);
        seen.extend(Some(row.node).filter(|node| listed.contains(node)));
        open.extend(list(container, Of::Node(row.node)));
    }
    assert!(seen == listed, "the tree holds what the listing holds");
}

/// Outcome of calling everything.
#[derive(Debug)]
pub struct Exercised {
    /// True where the listing and the root went to their ends.
    pub is_listed: bool,
    /// Bytes of the file that the layout covers not once; none where it did not go to its end.
    pub faults: Vec<Fault>,
    /// True where it was written: plainly, and packed again.
    pub is_written: [bool; 2],
}

/// Calls everything that tools call of a container, damaged or not: on its first entries and on `nodes`, which may be
/// none of its own, with the `paths` besides.
///
/// # Panics
/// Where what is written is not what was read.
pub fn exercise(
    container: &dyn Container,
    bytes: &[u8],
    nodes: &[Node],
    paths: &[&str],
) -> Exercised {
    let len = bytes.len();
    let pages = container.code_pages();
    let _ = with_task(len, |task| container.info(task, &mut Flat::default()));
    let mut is_listed = true;
    let mut seen = Vec::new();
    for of in [Of::Listing, Of::Root] {
        let (walked, _) = with_task(len, |task| {
            container.children(of, &pages, task, &mut |entry, task| {
                seen.push(entry.node);
                entry.details.walk(task, &mut Flat::default())
            })
        });
        is_listed &= walked.is_ok();
    }
    for node in seen.into_iter().take(50).chain(nodes.iter().copied()) {
        let _ = with_task(len, |task| {
            let _ = container.children(Of::Node(node), &pages, task, &mut |_, _| Ok(()));
            let _ = container.entry(node, &pages, task, &mut |_, _| Ok(()));
            let _ = container.bytes(node, task);
            let _ = container.walk(node, task, &mut Flat::default());
            let _ = container.refs(&[node], task, &mut |_, _, _| Ok(()));
        });
    }
    for path in paths {
        let _ = with_task(len, |task| container.find(path, &pages, task));
    }
    let mut coverage = Coverage::default();
    let (walked, _) = with_task(len, |task| container.layout(task, &mut coverage));
    let faults = if walked.is_ok() { coverage.check(Space::FILE, len as u64) } else { Vec::new() };
    let _ = with_task(len, |task| container.verify(task));
    let is_written = [false, true].map(|recompress| {
        let mut out = Vec::new();
        let options = WriteOptions { recompress, ..WriteOptions::default() };
        let (written, _) = with_task(len, |task| container.write(&mut out, &options, task));
        assert!(written.is_err() || out == bytes, "written bytes differ");
        written.is_ok()
    });
    Exercised { is_listed, faults, is_written }
}
