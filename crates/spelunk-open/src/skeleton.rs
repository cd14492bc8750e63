//! The skeleton of a file: the file without the content of some of its entries, from which, with their content put back, the very
//! file comes again. Extracted folders and documents keep one for all that no file and no row holds.

use crate::{Opened, Options, codes, files::content::hash, model::Model, roundtrip};
use serde_json::{Value, json};
use spellforce::pak::{Archive, is_tight};
use spelunk_core::{
    Bytes, Change, Class, Collect, Container, Convert, Edit, Error, Limits, Node, Refused, Result,
    Source, Task, WriteOptions, text::CodePages, zlib::KnownPacking,
};
use std::sync::Arc;

/// Name of the skeleton in the folder.
pub const SKELETON: &str = "spelunk-skeleton.bin";

/// Source of a skeleton.
#[derive(Clone, Copy)]
pub struct Origin<'a> {
    /// The bytes of the container.
    pub source: &'a Arc<dyn Source>,
    /// Options that it was opened with.
    pub options: &'a Options,
}

impl std::fmt::Debug for Origin<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Origin").field("size", &self.source.len()).finish_non_exhaustive()
    }
}

/// A container without the content of its extracted entries.
#[derive(Debug)]
pub struct Skeleton {
    /// The file without that content.
    pub bytes: Bytes,
    /// For each entry, whether its content was taken out.
    pub emptied: Vec<bool>,
}

impl Skeleton {
    /// Returns the entry of the manifest for it.
    pub fn row(&self) -> Value {
        json!({ "file": SKELETON, "size": self.bytes.len(), "xxh3": hash(&self.bytes) })
    }
}

/// Level at which a container is packed, and what it takes to pack the same bytes again.
#[derive(Clone, Debug, Default)]
pub struct PackedLevel {
    /// The level of all packed parts, where there is such a level.
    pub level: Option<u8>,
    known: Vec<KnownPacking>,
}

impl PackedLevel {
    /// Finds the level by packing everything once.
    ///
    /// # Errors
    /// Those of [`Container::level`].
    pub fn of(container: &dyn Container, task: &mut Task<'_>) -> Result<PackedLevel> {
        Ok(PackedLevel { level: container.level(task)?, known: container.packings() })
    }
}

/// The skeleton of a container whose entries `nodes` were extracted; `None` where the format has no editing side.
/// `content` gives their bytes again; `whole` says that all of them could be read. The limits of `origin` are for what is
/// opened and made here, beside the container that `content` reads.
///
/// # Errors
/// Reading errors.
pub fn skeleton(
    origin: &Origin<'_>,
    nodes: &[Node],
    whole: bool,
    packed: &PackedLevel,
    content: &mut dyn FnMut(Node) -> Result<Bytes>,
) -> Result<Option<Skeleton>> {
    let options = Options { strict: false, ..origin.options.clone() };
    let mut opened = match Opened::open(origin.source.clone(), &options) {
        Err(error) if error.code().class == Class::Limit => {
            return unchanged(origin, nodes.len()).map(Some);
        }
        opened => opened?,
    };
    match Model::of(opened.container()) {
        Model::Pack(_) => return of_pack(&mut opened, origin, nodes.len(), whole),
        // Archives of the dialect `spec` are emptied as other files are.
        Model::Archive(members) if !members.archive().form().is_spec() => {
            return of_archive(origin, nodes, whole).map(Some);
        }
        _ => {}
    }
    let emptied = opened.edit(|edit, task| empty(edit, nodes, task));
    let Some(emptied) = emptied else { return Ok(None) };
    match emptied.and_then(|emptied| proven(opened, origin, nodes, emptied, packed, content)) {
        Ok(Some(skeleton)) => return Ok(Some(skeleton)),
        Err(error) if error.code().class == Class::Io => return Err(error),
        // What cannot be emptied and filled within the limits stays as it is.
        Ok(None) | Err(_) => {}
    }
    unchanged(origin, nodes.len()).map(Some)
}

/// The unchanged container as a skeleton.
fn unchanged(origin: &Origin<'_>, entries: usize) -> Result<Skeleton> {
    let len = origin.source.len();
    let bytes = origin.source.read(0..len, &mut origin.options.budget(len))?;
    Ok(Skeleton { bytes, emptied: vec![false; entries] })
}

/// Options for what is opened beside a container that leaves so many bytes of memory.
pub fn beside(options: &Options, left: u64) -> Options {
    Options { max_memory: Some(left), ..options.clone() }
}

/// Number of entries that may stay full of a container whose others are emptied.
const FULL: usize = 16;

/// Takes the content of entries away, and returns for each whether it was emptied.
fn empty(edit: &mut dyn Edit, nodes: &[Node], task: &mut Task<'_>) -> Result<Vec<bool>> {
    task.budget.memory(nodes.len() as u64)?;
    let mut emptied = vec![true; nodes.len()];
    for _ in 0..FULL {
        let chosen = nodes.iter().enumerate().filter(|(nth, _)| emptied.get(*nth) == Some(&true));
        let (places, changes): (Vec<usize>, Vec<_>) = chosen
            .map(|(nth, node)| (nth, Change::SetBytes { node: *node, bytes: Bytes::new() }))
            .unzip();
        match edit.apply(&changes, &CodePages::utf8(), task) {
            Ok(_) => return Ok(emptied),
            Err(Refused { change: Some(nth), .. }) => {
                let full = places.get(nth).and_then(|nth| emptied.get_mut(*nth));
                full.into_iter().for_each(|emptied| *emptied = false);
            }
            Err(Refused { change: None, error }) => return Err(error),
        }
    }
    Ok(vec![false; nodes.len()])
}

/// A pack is made anew from its payloads and the manifest, so it needs a skeleton only where that gives other bytes: where it
/// has a history, or was packed by other codecs. All of it is the skeleton then.
fn of_pack(
    opened: &mut Opened,
    origin: &Origin<'_>,
    entries: usize,
    whole: bool,
) -> Result<Option<Skeleton>> {
    let rebuilds: Result<bool> = opened.run_silent(|container, task| {
        let Model::Pack(pack) = Model::of(container) else { return Ok(false) };
        // Of another generation than the current one a pack of its own is made.
        if pack.view().is_some() {
            return Ok(true);
        }
        snpak::edit::rebuilds(pack, whole, Default::default(), task)
    });
    match rebuilds {
        Ok(true) => Ok(None),
        Err(error) if error.code().class != Class::Limit => Err(error),
        Ok(false) | Err(_) => unchanged(origin, entries).map(Some),
    }
}

/// Writes the emptied container and fills it again; `None` where that does not give the bytes of the origin.
fn proven(
    mut opened: Opened,
    origin: &Origin<'_>,
    nodes: &[Node],
    emptied: Vec<bool>,
    packed: &PackedLevel,
    content: &mut dyn FnMut(Node) -> Result<Bytes>,
) -> Result<Option<Skeleton>> {
    let len = origin.source.len();
    let bytes: Result<Bytes> = opened.run(|container, task| {
        let mut bytes = task.budget.vec(len)?;
        container.write(&mut bytes, &WriteOptions::default(), task)?;
        Ok(bytes.into())
    });
    let bytes = bytes?;
    drop(opened);
    let options = roomy(origin.options, len);
    let mut filled = Opened::open(Arc::new(bytes.clone()), &options)?;
    // The limits are for all that is here at a time.
    filled.run(|_, task| task.budget.memory(bytes.len() as u64))?;
    let mut contents = Vec::new();
    let mut longest = 0;
    for node in nodes {
        let change = differing(&mut filled, *node, content(*node)?)?;
        if let Some(Change::SetBytes { bytes, .. }) = &change {
            filled.run(|_, task| task.budget.memory(bytes.len() as u64))?;
            longest = longest.max(bytes.len() as u64);
        }
        contents.extend(change);
    }
    fill(&mut filled, &contents).map_err(Error::from)?;
    // One of them is packed again, beside what packs it.
    filled.run(|_, task| task.budget.afford(longest.saturating_mul(3)))?;
    let options = write_options(packed.level, &emptied);
    let source = origin.source.as_ref();
    let same = filled.run(|container, task| {
        // What the origin was packed to is known, as its level was found so.
        task.packings.clone_from(&packed.known);
        roundtrip::gives(container, source, &options, task)
    })?;
    Ok(same.then_some(Skeleton { bytes, emptied }))
}

/// Limits for a container that becomes `len` bytes large, however small it is now.
pub fn roomy(options: &Options, len: u64) -> Options {
    let memory = options.max_memory.unwrap_or(Limits::for_len(len).memory);
    Options { max_memory: Some(memory), strict: false, ..options.clone() }
}

/// The bytes that an entry is to have, where it has others.
pub fn differing(opened: &mut Opened, node: Node, bytes: Bytes) -> Result<Option<Change<'static>>> {
    let has = opened.run_silent(|container, task| container.bytes(node, task))? == bytes;
    Ok((!has).then_some(Change::SetBytes { node, bytes }))
}

/// Puts all contents into a container.
pub fn fill(opened: &mut Opened, contents: &[Change<'_>]) -> std::result::Result<(), Refused> {
    if contents.is_empty() {
        return Ok(());
    }
    let filled = opened.edit(|edit, task| edit.apply(contents, &CodePages::utf8(), task));
    match filled {
        Some(filled) => filled.map(drop),
        None => Err(Error::new(&codes::NO_SKELETON).into()),
    }
}

/// An emptied container packs too little to show its level, so the level that the whole one had is asked for.
pub fn write_options(level: Option<u8>, emptied: &[bool]) -> WriteOptions {
    let level = level.filter(|_| emptied.contains(&true));
    WriteOptions { convert: Convert { level, ..Convert::default() }, ..WriteOptions::default() }
}

/// The skeleton of an archive of which all entries were extracted: its head where that and the files are all of it, else the
/// whole.
fn of_archive(origin: &Origin<'_>, nodes: &[Node], whole: bool) -> Result<Skeleton> {
    let mut sink = Collect::default();
    let len = origin.source.len();
    let mut task = Task::new(origin.options.budget(len), &mut sink);
    let archive = Archive::read(origin.source.clone(), &mut task)?;
    let emptied = whole && nodes.len() == archive.entries().len() && is_tight(&archive, &mut task)?;
    let end = if emptied { archive.header().data_start.get().into() } else { len };
    let bytes = origin.source.read(0..end, &mut task.budget)?;
    Ok(Skeleton { bytes, emptied: vec![emptied; nodes.len()] })
}
