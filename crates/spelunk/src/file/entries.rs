//! Entries as they are listed.

use super::{
    account::Charge,
    fields::{self, Fields, FileValue},
    shared::SharedFile,
};
use crate::{
    Budget, Bytes, Container, Entry, Error, Node, Of, Result, Task,
    core::text::until_nul,
    core::walk::finish,
    models::{arrays, export::textures},
    open::{
        codes,
        entries::select::Select,
        files::{Disk, FileName},
    },
};
use std::{
    borrow::Cow,
    fmt,
    ops::{ControlFlow, Range},
    path::PathBuf,
    sync::Arc,
};

/// Entries of a file, read at once.
#[derive(Clone)]
pub struct Entries {
    list: Arc<EntryTable>,
}

/// An entry of a file: an object, an asset, a row, a member.
///
/// It stands for itself, so it can be kept, sent to other threads, and outlive the [`File`](super::File) that it is of. When that
/// is edited, it shows what it was, and reads nothing more ([`codes::STALE`]).
#[derive(Clone)]
pub struct FileEntry {
    list: Arc<EntryTable>,
    nth: usize,
}

/// All texts in one piece, and what is said of each entry.
pub(super) struct EntryTable {
    shared: Arc<SharedFile>,
    generation: u64,
    text: Vec<u8>,
    rows: Vec<Row>,
    charge: Charge,
}

struct Row {
    node: Node,
    size: u64,
    stored_size: Option<u64>,
    /// Offset of the path in the text; the name follows it.
    start: usize,
    path: u32,
    name: u32,
    kind: usize,
    kind_len: u32,
}

/// Gathers a listing.
#[derive(Default)]
pub(super) struct Gathered {
    text: Vec<u8>,
    rows: Vec<Row>,
}

impl Gathered {
    /// Adds an entry.
    pub(super) fn put(
        &mut self,
        entry: &Entry<'_>,
        shared: &SharedFile,
        budget: &mut Budget,
    ) -> Result<()> {
        let name = match (entry.label, entry.name) {
            (Some(label), _) => Cow::Borrowed(label),
            (None, Some(name)) => shared.pages.show(until_nul(name)),
            (None, None) => Cow::Borrowed(""),
        };
        let (path, kind) = (entry.path.as_bytes(), entry.kind.as_bytes());
        let known =
            self.rows.last().map(|row| row.kind..row.kind.saturating_add(row.kind_len as usize));
        let known = known.filter(|known| self.text.get(known.clone()) == Some(kind));
        let len = |text: &[u8]| {
            u32::try_from(text.len()).map_err(|_| Error::new(&codes::core::TOO_LARGE))
        };
        let more = path.len().saturating_add(name.len()).saturating_add(kind.len());
        budget.room(&mut self.text, more)?;
        budget.room(&mut self.rows, 1)?;
        let start = self.text.len();
        self.text.extend_from_slice(path);
        self.text.extend_from_slice(name.as_bytes());
        let (at, kind_len) = (known.map(|known| known.start), len(kind)?);
        let kind_at = at.unwrap_or_else(|| {
            let start = self.text.len();
            self.text.extend_from_slice(kind);
            start
        });
        self.rows.push(Row {
            node: entry.node,
            size: entry.size,
            stored_size: entry.stored_size,
            start,
            path: len(path)?,
            name: len(name.as_bytes())?,
            kind: kind_at,
            kind_len,
        });
        Ok(())
    }

    /// Bytes of memory that it takes.
    pub(super) fn held(&self) -> u64 {
        let rows = self.rows.capacity().saturating_mul(size_of::<Row>());
        rows.saturating_add(self.text.capacity()) as u64
    }

    pub(super) fn listing(
        self,
        shared: Arc<SharedFile>,
        generation: u64,
        charge: Charge,
    ) -> Entries {
        let Gathered { text, rows } = self;
        Entries { list: Arc::new(EntryTable { shared, generation, text, rows, charge }) }
    }
}

impl EntryTable {
    fn row(&self, nth: usize) -> Option<&Row> {
        self.rows.get(nth)
    }

    fn text(&self, range: Range<usize>) -> &str {
        let text = self.text.get(range).unwrap_or_default();
        // It was text when it was put there.
        std::str::from_utf8(text).unwrap_or_default()
    }
}

/// Lists what `of` names.
pub(super) fn list(shared: &Arc<SharedFile>, generation: u64, of: Of) -> Result<Entries> {
    list_chosen(shared, generation, of, None)
}

/// Lists what `of` names, but for what is not chosen.
pub(super) fn list_chosen(
    shared: &Arc<SharedFile>,
    generation: u64,
    of: Of,
    chosen: Option<&Select>,
) -> Result<Entries> {
    let state = shared.at(generation)?;
    let (gathered, charge) = shared.run(&state, |container, task| {
        let mut gathered = Gathered::default();
        finish(container.children(of, &shared.pages, task, &mut |entry, task| {
            if let Some(chosen) = chosen
                && !chosen.wants(entry, &shared.pages, &mut task.budget)?
            {
                return Ok(());
            }
            Ok(gathered.put(entry, shared, &mut task.budget)?)
        }))?;
        let held = gathered.held();
        Ok((gathered, held))
    })?;
    Ok(gathered.listing(shared.clone(), generation, charge))
}

/// Answer of a visitor of entries: nothing, a [`Result`], or whether to go on.
pub trait Visited {
    /// Whether to go on.
    ///
    /// # Errors
    /// The visitor's.
    fn onward(self) -> Result<ControlFlow<()>>;
}

impl Visited for () {
    fn onward(self) -> Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }
}

impl Visited for Result<()> {
    fn onward(self) -> Result<ControlFlow<()>> {
        self.map(ControlFlow::Continue)
    }
}

impl Visited for ControlFlow<()> {
    fn onward(self) -> Result<ControlFlow<()>> {
        Ok(self)
    }
}

/// Hands out one entry after the other, each in the place of the one before it unless that is kept.
pub(super) struct Stream {
    shared: Arc<SharedFile>,
    generation: u64,
    last: Option<FileEntry>,
}

impl Stream {
    pub(super) fn new(shared: &Arc<SharedFile>, generation: u64) -> Stream {
        Stream { shared: shared.clone(), generation, last: None }
    }

    /// The entry as one that can be kept.
    pub(super) fn next(&mut self, entry: &Entry<'_>, budget: &mut Budget) -> Result<&FileEntry> {
        let reused = self.last.take().and_then(|last| Arc::try_unwrap(last.list).ok());
        let (mut gathered, mut charge) = match reused {
            Some(EntryTable { mut text, mut rows, charge, .. }) => {
                text.clear();
                rows.clear();
                (Gathered { text, rows }, charge)
            }
            None => (Gathered::default(), self.shared.account.charge(0)),
        };
        let before = gathered.held();
        gathered.put(entry, &self.shared, budget)?;
        let more = gathered.held().saturating_sub(before);
        charge.grow(more);
        // It goes back when the entry goes, whatever comes of the call.
        budget.stay(more);
        let list = gathered.listing(self.shared.clone(), self.generation, charge).list;
        Ok(self.last.insert(FileEntry { list, nth: 0 }))
    }
}

impl Entries {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.list.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.rows.is_empty()
    }

    /// The entry at this position.
    pub fn get(&self, nth: usize) -> Option<FileEntry> {
        (nth < self.len()).then(|| FileEntry { list: self.list.clone(), nth })
    }

    /// All of them, in the order of the file.
    pub fn iter(&self) -> EntriesIter {
        EntriesIter { list: self.list.clone(), range: 0..self.len() }
    }
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entries").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl IntoIterator for Entries {
    type Item = FileEntry;
    type IntoIter = EntriesIter;

    fn into_iter(self) -> EntriesIter {
        self.iter()
    }
}

impl IntoIterator for &Entries {
    type Item = FileEntry;
    type IntoIter = EntriesIter;

    fn into_iter(self) -> EntriesIter {
        self.iter()
    }
}

/// Goes through [`Entries`].
#[derive(Clone)]
pub struct EntriesIter {
    list: Arc<EntryTable>,
    range: Range<usize>,
}

impl EntriesIter {
    fn entry(&self, nth: usize) -> FileEntry {
        FileEntry { list: self.list.clone(), nth }
    }
}

impl fmt::Debug for EntriesIter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntriesIter").field("range", &self.range).finish_non_exhaustive()
    }
}

impl Iterator for EntriesIter {
    type Item = FileEntry;

    fn next(&mut self) -> Option<FileEntry> {
        let nth = self.range.next()?;
        Some(self.entry(nth))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl DoubleEndedIterator for EntriesIter {
    fn next_back(&mut self) -> Option<FileEntry> {
        let nth = self.range.next_back()?;
        Some(self.entry(nth))
    }
}

impl ExactSizeIterator for EntriesIter {}

impl FileEntry {
    fn row(&self) -> Option<&Row> {
        self.list.row(self.nth)
    }

    fn text(&self, range: impl FnOnce(&Row) -> (usize, u32)) -> &str {
        let (start, len) = self.row().map(range).unwrap_or_default();
        self.list.text(start..start.saturating_add(len as usize))
    }

    /// Returns the path, as `spelunk ls` prints it.
    pub fn path(&self) -> &str {
        self.text(|row| (row.start, row.path))
    }

    /// Returns the class, the kind or the table of the entry.
    pub fn kind(&self) -> &str {
        self.text(|row| (row.kind, row.kind_len))
    }

    /// Returns the name as shown, or what people call it; empty where it has neither.
    pub fn name(&self) -> &str {
        self.text(|row| (row.start.saturating_add(row.path as usize), row.name))
    }

    /// Plain size in bytes.
    pub fn size(&self) -> u64 {
        self.row().map_or(0, |row| row.size)
    }

    /// Stored size in bytes, where it is packed on its own.
    pub fn stored_size(&self) -> Option<u64> {
        self.row().and_then(|row| row.stored_size)
    }

    /// Returns the node by which the [`Container`](crate::Container) knows the entry.
    pub fn node(&self) -> Node {
        self.row().map_or(Node(u64::MAX), |row| row.node)
    }

    /// The value at the path of a field.
    ///
    /// # Errors
    /// [`codes::NO_SUCH_FIELD`], which names the fields nearest to it; [`codes::STALE`]; reading errors; limits.
    pub fn value(&self, field: &str) -> Result<FileValue> {
        let state = self.list.shared.at(self.list.generation)?;
        fields::value(&self.list.shared, &state, self.node(), field)
            .map_err(|error| error.within(crate::Seg::Key(self.path().to_owned().into())))
    }

    /// All fields that are known of it. Where it is damaged, those before the damage, which is a finding of the file then.
    ///
    /// # Errors
    /// Damage where no field can be read, or the file was opened to be strict; [`codes::STALE`]; reading errors; limits.
    pub fn fields(&self) -> Result<Fields> {
        let state = self.list.shared.at(self.list.generation)?;
        fields::fields(&self.list.shared, &state, self.node())
    }

    /// The plain bytes. Their memory is the file's as long as they are there.
    ///
    /// # Errors
    /// When they are damaged or cannot be read; [`codes::STALE`]; limits.
    pub fn bytes(&self) -> Result<Bytes> {
        let state = self.list.shared.at(self.list.generation)?;
        self.list.shared.bytes(&state, self.node())
    }

    /// The mesh that it is, or that it is drawn with, as arrays.
    ///
    /// # Errors
    /// [`codes::NOT_EXPORTED`] for entries that are neither; [`codes::STALE`]; reading errors; limits.
    pub fn mesh(&self) -> Result<arrays::Mesh> {
        let node = self.node();
        self.read(|container, task| arrays::mesh(container, node, task))
    }

    /// The picture that it holds, in a slot that counts for textures of Virtools files, or that the file holds which it names:
    /// that is looked for in the folders, and where export looks for it.
    ///
    /// # Errors
    /// Those of [`arrays::picture`]; [`codes::STALE`].
    pub fn picture(&self, slot: usize, folders: &[PathBuf]) -> Result<arrays::Picture> {
        let (node, shared) = (self.node(), &self.list.shared);
        let file = shared.origin.as_ref().map(|origin| FileName::from(&origin.path));
        let named: Vec<FileName> = folders.iter().map(FileName::from).collect();
        let search = textures::folders(Arc::new(Disk), file.as_ref(), &named);
        self.read(|container, task| {
            arrays::picture(container, node, slot, &search, &shared.pages, task)
        })
    }

    /// The entry of the same file that a node is.
    ///
    /// # Errors
    /// [`NOT_FOUND`](codes::core::NOT_FOUND) where it is none; [`codes::STALE`]; reading errors; limits.
    pub fn of_same_file(&self, node: Node) -> Result<FileEntry> {
        let shared = &self.list.shared;
        let state = shared.at(self.list.generation)?;
        let (gathered, charge) = shared.run(&state, |container, task| {
            let mut gathered = Gathered::default();
            finish(container.entry(node, &shared.pages, task, &mut |entry, task| {
                Ok(gathered.put(entry, shared, &mut task.budget)?)
            }))?;
            let held = gathered.held();
            Ok((gathered, held))
        })?;
        let found = gathered.listing(shared.clone(), self.list.generation, charge).get(0);
        found.ok_or_else(|| Error::new(&codes::core::NOT_FOUND))
    }

    /// Works on the container while it is in the state that the entry is of. What is made is the caller's, and charged to nobody.
    fn read<T>(&self, work: impl FnMut(&dyn Container, &mut Task<'_>) -> Result<T>) -> Result<T> {
        let state = self.list.shared.at(self.list.generation)?;
        let mut work = work;
        let done = self.list.shared.run(&state, |container, task| Ok((work(container, task)?, 0)));
        done.map(|(made, _)| made)
    }

    /// The entries right below it.
    ///
    /// # Errors
    /// [`codes::STALE`]; reading errors; limits.
    pub fn below(&self) -> Result<Entries> {
        list(&self.list.shared, self.list.generation, Of::Node(self.node()))
    }
}

impl fmt::Debug for FileEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileEntry")
            .field("path", &self.path())
            .field("kind", &self.kind())
            .field("size", &self.size())
            .finish_non_exhaustive()
    }
}
