//! A set as a container: one tree of folders and of the files that win.

use super::{
    LayerPosition, Set,
    details::{
        ARCHIVE, ARCHIVE_COUNT, ARCHIVES, DATA, DIRECTORY, ENTRIES, ENTRY_COUNT, EVIDENCE,
        FILE_NAME, FILE_SIZE, FORM, LOOSE_COUNT, NAME, PATH_COUNT, SHADOWED_COUNT, SHADOWS,
    },
    view::{Group, View},
};
use crate::{
    pak::{
        ArchiveForm, MemberPath,
        folders::{Folder, Sorted},
        shown,
    },
    profile::SET,
    spec,
};
use spelunk_core::{
    Budget, Bytes, Container, Entry, Error, Group as Fields, Node, Of, Profile, Record, Result,
    Seg, Task, Val, Walk, Walked, WriteOptions, codes, container::Each, text::CodePages,
};
use std::{borrow::Cow, io, ops::Range};

static ARCHIVE_RECORD: Record =
    Record::group("archive", "docs/formats/pak.md#8-sets-of-archives", "An archive of the set.");

/// Meaning of a node.
enum SetNode {
    File(LayerPosition),
    /// A folder of the paths of the view.
    Folder(Folder),
}

impl SetNode {
    fn of(node: Node) -> SetNode {
        let file = LayerPosition { layer: (node.0 >> 32) as u32, position: node.0 as u32 };
        Folder::of(node).map_or(SetNode::File(file), SetNode::Folder)
    }

    fn node(self) -> Node {
        match self {
            SetNode::File(place) => Node(u64::from(place.layer) << 32 | u64::from(place.position)),
            SetNode::Folder(folder) => folder.node(),
        }
    }
}

/// The paths of a set in their order.
struct ByPath<'s> {
    set: &'s Set,
    view: &'s View,
}

impl Sorted for ByPath<'_> {
    fn path(&self, place: usize) -> Option<Cow<'_, [u8]>> {
        self.view.groups().get(place).map(|group| Cow::Borrowed(self.view.path(group)))
    }

    fn below(&self, first: usize, prefix: &[u8], _: &mut Budget) -> Result<Range<usize>> {
        Ok(self.view.below(first, prefix))
    }

    fn size(&self, place: usize) -> u64 {
        let group = self.view.groups().get(place);
        let winner = group.and_then(|group| self.view.places(group).first());
        winner.map_or(0, |place| self.set.stored_size(*place))
    }

    fn give(&self, place: usize, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let group = self.view.groups().get(place).ok_or_else(not_found)?;
        self.set.give_group(group, pages, task, each)
    }
}

fn not_found() -> Error {
    Error::new(&codes::NOT_FOUND)
}

/// Details of a file in a listing: the path, and the files that it hides.
struct SetFileDetails<'s> {
    path: &'s [u8],
    place: LayerPosition,
    hidden: &'s [LayerPosition],
}

impl Set {
    fn archives_of(&self, places: &[LayerPosition]) -> String {
        let names: Vec<&str> = places.iter().map(|place| self.layer(place.layer)).collect();
        names.join(", ")
    }

    fn give(
        &self,
        file: &SetFileDetails<'_>,
        pages: &CodePages,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        let SetFileDetails { path, place, hidden } = file;
        task.budget.touch(path.len() as u64)?;
        let at = path.iter().rposition(|byte| *byte == b'\\');
        let (directory, name) = match at.and_then(|at| path.split_at_checked(at)) {
            Some((directory, name)) => (directory, name.get(1..).unwrap_or_default()),
            None => (&b""[..], *path),
        };
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| {
            walk.field(&NAME, None, Val::Text(name.into()))?;
            walk.field(&DIRECTORY, None, Val::Text(directory.into()))?;
            walk.field(&ARCHIVE, None, Val::Str(self.layer(place.layer).into()))?;
            let shadows = match hidden {
                [] => Val::None,
                hidden => Val::Str(self.archives_of(hidden).into()),
            };
            walk.field(&SHADOWS, None, shadows)
        };
        let size = self.size(*place, task)?;
        each(
            &Entry {
                node: SetNode::File(*place).node(),
                path: &shown(path, pages),
                kind: "file",
                name: Some(name),
                size,
                label: None,
                stored_size: self.is_packed(*place).then(|| self.stored_size(*place)),
                details: &details,
            },
            task,
        )
    }

    fn give_group(
        &self,
        group: &Group,
        pages: &CodePages,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        let view = self.view(task)?;
        let [place, hidden @ ..] = view.places(group) else { return Ok(()) };
        self.give(
            &SetFileDetails { path: view.path(group), place: *place, hidden },
            pages,
            task,
            each,
        )
    }

    fn by_path(&self, task: &mut Task<'_>) -> Result<ByPath<'_>> {
        Ok(ByPath { set: self, view: self.view(task)? })
    }
}

/// A shown path as bytes of cp1252 or of the pages that were asked for; `None` where it cannot be one.
fn stored(path: &str, pages: &CodePages) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for (nth, part) in path.split('%').enumerate() {
        let (digits, rest) = part.split_at_checked(if nth == 0 { 0 } else { 2 })?;
        if !digits.is_empty() {
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
        }
        bytes.extend(pages.encode(&rest.to_lowercase())?);
    }
    Some(bytes)
}

impl Container for Set {
    fn profile(&self) -> &'static Profile {
        &SET
    }

    /// The dialect `spec` where all archives are of it.
    fn dialect(&self) -> Option<&'static str> {
        let mut archives = self.archives().iter();
        let is_spec = archives.all(|mounted| mounted.archive.form().is_spec());
        (is_spec && !self.archives().is_empty()).then_some(spec::DIALECT)
    }

    /// Of all archives together.
    fn size(&self) -> u64 {
        self.archives().iter().map(|mounted| mounted.archive.size()).fold(0, u64::saturating_add)
    }

    fn info(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let view = self.view(task)?;
        let all = view.groups().iter().map(|group| view.places(group).len()).sum::<usize>();
        let entries = self.archives().iter().map(|mounted| mounted.archive.len());
        walk.field(&ARCHIVE_COUNT, None, self.archives().len().into())?;
        walk.field(&LOOSE_COUNT, None, self.loose().len().into())?;
        walk.field(&ENTRY_COUNT, None, entries.sum::<usize>().into())?;
        walk.field(&PATH_COUNT, None, view.groups().len().into())?;
        walk.field(&SHADOWED_COUNT, None, all.saturating_sub(view.groups().len()).into())?;
        walk.group(&Fields::list("archives", &ARCHIVES, None), |walk| {
            for (n, mounted) in self.archives().iter().enumerate() {
                walk.group(&Fields::item(n, &ARCHIVE_RECORD, None), |walk| {
                    walk.field(&FILE_NAME, None, Val::Str(mounted.name.as_str().into()))?;
                    walk.field(&ENTRIES, None, mounted.archive.len().into())?;
                    walk.field(&FILE_SIZE, None, mounted.archive.size().into())?;
                    match mounted.archive.form() {
                        ArchiveForm::Real => Ok(()),
                        ArchiveForm::Spec => walk.field(&FORM, None, spec::DIALECT.into()),
                    }
                })?;
            }
            Ok(())
        })?;
        walk.field(&EVIDENCE, None, "synthetic".into())
    }

    fn children(&self, of: Of, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        match of {
            Of::Listing => {
                let groups = self.view(task)?.groups();
                groups.iter().try_for_each(|group| self.give_group(group, pages, task, each))
            }
            Of::Parts(_) => Ok(()),
            Of::Root => Folder::ROOT.give_below(&self.by_path(task)?, pages, task, each),
            Of::Node(node) => match SetNode::of(node) {
                SetNode::File(_) => Ok(()),
                SetNode::Folder(folder) => {
                    folder.give_below(&self.by_path(task)?, pages, task, each)
                }
            },
        }
    }

    fn entry(&self, node: Node, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        match SetNode::of(node) {
            SetNode::Folder(folder) => folder.give(&self.by_path(task)?, pages, task, each),
            SetNode::File(place) => {
                let path: Vec<u8> =
                    self.reversed_path(place).ok_or_else(not_found)?.rev().collect();
                // Whoever listed the set has its files by path already.
                let mut hidden = match (self.view.get(), MemberPath::from_bytes(&path)) {
                    (Some(view), _) => view.find(&path).to_vec(),
                    (None, Ok(wanted)) => self.lookup_all(&wanted, task)?,
                    (None, Err(_)) => Vec::new(),
                };
                hidden.retain(|other| *other != place);
                self.give(
                    &SetFileDetails { path: &path, place, hidden: &hidden },
                    pages,
                    task,
                    each,
                )
            }
        }
    }

    /// The file that wins, or a folder. Case does not count. Nothing is sorted for a file that is there.
    fn find(&self, path: &str, pages: &CodePages, task: &mut Task<'_>) -> Result<Vec<Node>> {
        let Some(stored) = stored(path, pages) else { return Ok(Vec::new()) };
        if let Ok(wanted) = MemberPath::from_bytes(&stored)
            && let Some(place) = self.lookup(&wanted, task)?
        {
            return Ok(vec![SetNode::File(place).node()]);
        }
        let small = |byte: u8| if byte == b'/' { b'\\' } else { crate::pak::lower(byte) };
        let mut prefix: Vec<u8> = stored.into_iter().map(small).collect();
        let view = self.view(task)?;
        let at = view.below(0, &prefix).start;
        if view.groups().get(at).is_some_and(|group| view.path(group) == prefix) {
            // A file that no path of an archive can name: one without a directory.
            let place = view.groups().get(at).and_then(|group| view.places(group).first());
            return Ok(place.map(|place| SetNode::File(*place).node()).into_iter().collect());
        }
        prefix.push(b'\\');
        let below = view.below(0, &prefix);
        if below.is_empty() || path.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![Folder::new(below.start, prefix.len()).node()])
    }

    fn find_all(
        &self,
        paths: &[&str],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Vec<Node>>> {
        spelunk_core::entries::find_each(self, paths, pages, task)
    }

    fn bytes(&self, node: Node, task: &mut Task<'_>) -> Result<Bytes> {
        match SetNode::of(node) {
            SetNode::File(place) => Set::bytes(self, place, task),
            SetNode::Folder(..) => Err(Error::new(&codes::NO_SUCH_OPERATION)),
        }
    }

    fn walk(&self, node: Node, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let pages = self.code_pages();
        let mut details = |entry: &Entry<'_>, task: &mut Task<'_>| entry.details.walk(task, walk);
        self.entry(node, &pages, task, &mut details)?;
        match SetNode::of(node) {
            SetNode::Folder(..) => Ok(()),
            SetNode::File(place) => {
                let bytes = Set::bytes(self, place, task)?;
                walk.field(&DATA, None, Val::Bytes(bytes.as_ref().into()))
            }
        }
    }

    /// A set is no file, so there is nothing to lay out.
    fn layout(&self, _task: &mut Task<'_>, _walk: &mut dyn Walk) -> Walked {
        Err(Error::new(&codes::NO_SUCH_OPERATION).into())
    }

    fn verify(&self, task: &mut Task<'_>) -> Result<()> {
        self.archives().iter().try_for_each(|mounted| {
            let checked = mounted.archive.check_all(task);
            checked.map_err(|error| error.within(Seg::Key(mounted.name.clone().into())))
        })
    }

    fn write(&self, _: &mut dyn io::Write, _: &WriteOptions, _: &mut Task<'_>) -> Result<()> {
        Err(Error::new(&codes::NO_SUCH_OPERATION))
    }
}
