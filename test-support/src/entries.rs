//! Entries of containers: listed, found, read and written.

use crate::{findings::assert_none, task::with_task};
use spelunk_core::{
    Bytes, Collect, Container, Node, Of, Result, Val, WriteOptions,
    text::CodePages,
    walk::{Flat, finish},
};

/// An entry as listed.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The entry.
    pub node: Node,
    /// The path that leads to it.
    pub path: String,
    /// The kind of entry.
    pub kind: String,
    /// The name as it is stored.
    pub name: Option<Vec<u8>>,
    /// The length of the content.
    pub size: u64,
    /// Paths and values of its details.
    pub details: Vec<(String, Val<'static>)>,
}

impl Row {
    /// The detail with this path.
    ///
    /// # Panics
    /// Where there is none.
    pub fn get(&self, path: &str) -> &Val<'static> {
        let detail = self.details.iter().find(|(known, _)| known == path);
        &detail.unwrap_or_else(|| panic!("no {path}")).1
    }
}

/// The rows of a container, and the damage that was met while listing them.
pub fn list_damaged(container: &dyn Container, of: Of) -> (Vec<Row>, Result<Collect>) {
    let mut rows = Vec::new();
    let pages = container.code_pages();
    let (walked, sink) = with_task(container.size() as usize, |task| {
        container.children(of, &pages, task, &mut |entry, task| {
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
    (rows, finish(walked).map(|()| sink))
}

/// Nodes and paths of the entries of `of` in these code pages, and what listing them finds.
///
/// # Panics
/// Where that fails.
pub fn listed(
    container: &dyn Container,
    of: Of,
    pages: &CodePages,
) -> (Vec<(Node, String)>, Collect) {
    let mut listed = Vec::new();
    let (walked, sink) = with_task(container.size() as usize, |task| {
        container.children(of, pages, task, &mut |entry, _| {
            listed.push((entry.node, entry.path.to_owned()));
            Ok(())
        })
    });
    finish(walked).expect("a listing");
    (listed, sink)
}

/// The rows of a container without damage.
///
/// # Panics
/// Where listing fails or finds anything.
pub fn list(container: &dyn Container, of: Of) -> Vec<Row> {
    let (rows, damage) = list_damaged(container, of);
    assert_none(&damage.expect("a listing"));
    rows
}

/// The entries that a path names.
///
/// # Panics
/// Where looking for them fails or finds anything.
pub fn find(container: &dyn Container, path: &str) -> Vec<Node> {
    let pages = container.code_pages();
    let (found, sink) =
        with_task(container.size() as usize, |task| container.find(path, &pages, task));
    assert_none(&sink);
    found.unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The entries that a path names in a container that may be damaged.
///
/// # Panics
/// Where looking for them fails.
pub fn find_damaged(container: &dyn Container, path: &str) -> Vec<Node> {
    find_with(container, path, &container.code_pages())
}

/// The entries that a path names in these code pages, damaged or not.
///
/// # Panics
/// Where looking for them fails.
pub fn find_with(container: &dyn Container, path: &str, pages: &CodePages) -> Vec<Node> {
    let (found, _) = with_task(container.size() as usize, |task| container.find(path, pages, task));
    found.unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The bytes of an entry.
///
/// # Errors
/// As [`Container::bytes`].
pub fn bytes_of(container: &dyn Container, node: Node) -> Result<Bytes> {
    with_task(container.size() as usize, |task| container.bytes(node, task)).0
}

/// The findings of verifying.
///
/// # Panics
/// Where it fails.
pub fn verify(container: &dyn Container) -> Collect {
    let (verified, sink) = with_task(container.size() as usize, |task| container.verify(task));
    verified.expect("findings only");
    sink
}

/// The container as written, and what writing found.
///
/// # Panics
/// Where it fails.
pub fn write(container: &dyn Container, recompress: bool) -> (Vec<u8>, Collect) {
    let mut out = Vec::new();
    let options = WriteOptions { recompress, ..WriteOptions::default() };
    let (written, sink) =
        with_task(container.size() as usize, |task| container.write(&mut out, &options, task));
    written.expect("a container that is written");
    (out, sink)
}
