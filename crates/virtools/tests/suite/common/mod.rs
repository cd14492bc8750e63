//! What the tests of this crate share. Each of them uses a part of it.

#![allow(dead_code)]

pub mod class;
pub mod runtime;
pub mod told;

use spelunk_core::{
    Budget, Bytes, Container, Error, Finding, Format, Of, Severity, Task, Val, WriteOptions,
    finding::Collect,
    limits::Limits,
    walk::{Coverage, Flat, finish},
};
use spelunk_fixtures::Sample;
use std::sync::Arc;
use virtools::Virtools;

/// Opens bytes as tools do, and tells the findings.
pub fn open(bytes: &[u8]) -> (Result<Box<dyn Container>, Error>, Vec<Finding>) {
    with_task(bytes.len(), |task| Virtools.open(Arc::new(Bytes::copy_from_slice(bytes)), task))
}

/// Runs work with the usual limits for a file of `len` bytes.
pub fn with_task<T>(len: usize, work: impl FnOnce(&mut Task<'_>) -> T) -> (T, Vec<Finding>) {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::for_len(len as u64)), &mut sink);
    let result = work(&mut task);
    (result, sink.findings)
}

/// The codes of findings of one severity.
pub fn codes(findings: &[Finding], severity: Severity) -> Vec<&'static str> {
    let of = findings.iter().filter(|finding| finding.severity == severity);
    of.map(|finding| finding.error.code().id).collect()
}

/// The codes of all findings.
pub fn all_codes(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.error.code().id).collect()
}

/// The fields of `info`.
pub struct Info(pub Flat);

impl Info {
    pub fn of(file: &dyn Container) -> Info {
        let mut flat = Flat::default();
        let (walked, _) = with_task(file.size() as usize, |task| file.info(task, &mut flat));
        finish(walked).unwrap();
        Info(flat)
    }

    pub fn get(&self, path: &str) -> &Val<'static> {
        self.find(path).unwrap_or_else(|| panic!("no field {path}"))
    }

    pub fn find(&self, path: &str) -> Option<&Val<'static>> {
        self.0.fields.iter().find(|field| field.path == path).map(|field| &field.value)
    }

    pub fn text(&self, path: &str) -> String {
        self.get(path).to_string()
    }

    pub fn number(&self, path: &str) -> u64 {
        match self.get(path) {
            Val::U(number) => *number,
            other => panic!("{path}: {other:?}"),
        }
    }
}

/// The file as written.
pub fn write(file: &dyn Container, recompress: bool) -> (Result<Vec<u8>, Error>, Vec<Finding>) {
    with_task(file.size() as usize, |task| {
        let mut out = Vec::new();
        file.write(&mut out, &WriteOptions { recompress, ..WriteOptions::default() }, task)
            .map(|()| out)
    })
}

/// Checks that every byte of the file and of every inflated space belongs to exactly one field. A space whose
/// section is damaged has no bytes, and the damage is told.
pub fn assert_covered(file: &dyn Container, name: &str) {
    let mut coverage = Coverage::default();
    let (walked, findings) =
        with_task(file.size() as usize, |task| file.layout(task, &mut coverage));
    finish(walked).unwrap();
    let spaces = file.spaces();
    let seen: Vec<_> = coverage.spaces().collect();
    for space in seen.iter().filter(|space| **space != spelunk_core::Space::FILE) {
        assert!(spaces.iter().any(|span| span.space == *space), "{name}: {space}");
    }
    assert_eq!(coverage.check(spelunk_core::Space::FILE, file.size()), [], "{name}");
    let damaged = !codes(&findings, Severity::Error).is_empty();
    for span in spaces {
        if damaged && !seen.contains(&span.space) {
            continue;
        }
        assert_eq!(coverage.check(span.space, span.len), [], "{name}: {}", span.space);
    }
}

/// An entry as listed.
#[derive(Debug, PartialEq, Clone)]
pub struct Row {
    pub node: spelunk_core::Node,
    pub path: String,
    pub kind: String,
    pub name: Option<Vec<u8>>,
    pub size: u64,
    pub details: Vec<(String, Val<'static>)>,
}

/// The rows, and the damage that was met while listing them.
pub fn rows(file: &dyn Container, of: Of) -> (Vec<Row>, Result<Vec<Finding>, Error>) {
    let mut rows = Vec::new();
    let pages = file.code_pages();
    let (walked, findings) = with_task(file.size() as usize, |task| {
        file.children(of, &pages, task, &mut |entry, task| {
            let mut flat = Flat::default();
            entry.details.walk(task, &mut flat)?;
            rows.push(Row {
                node: entry.node,
                path: entry.path.to_owned(),
                kind: entry.kind.to_owned(),
                name: entry.name.map(<[u8]>::to_vec),
                size: entry.size,
                details: flat.fields.into_iter().map(|field| (field.path, field.value)).collect(),
            });
            Ok(())
        })
    });
    (rows, finish(walked).map(|()| findings))
}

/// The entries that a path names.
pub fn find(file: &dyn Container, path: &str) -> Vec<spelunk_core::Node> {
    let pages = file.code_pages();
    with_task(file.size() as usize, |task| file.find(path, &pages, task)).0.unwrap()
}

/// The samples of FileVersion 8 and 9.
pub fn current() -> Vec<Sample> {
    let all = spelunk_fixtures::samples().into_iter();
    all.filter(|sample| {
        sample.format == "virtools"
            && matches!(sample.fixture.u32_of("part0.file_version"), 8 | 9)
            && sample.fixture.u32_of("part0.file_version2") == 0
    })
    .collect()
}
