//! The entries of a file: their ids, paths and rows.
//!
//! | path | entry |
//! |---|---|
//! | `#17` | the object at position 17 of the object table |
//! | `#17/0x20000`, `#17/0x20000/0` | an identifier of its chunk, the first sub-chunk below it |
//! | `CKMesh` | the class, with its objects |
//! | `CKMesh/NAME` | the objects of a class that have this display name |
//! | `header1`, `data` | the plain sections |
//! | `plugins`, `plugins/4` | the plugin dependencies, those of a category |
//! | `managers`, `managers/3d242466-00000000` | what managers saved, by GUID; a name is taken for a GUID, too |
//! | `included`, `included/NAME` | the files behind the Data section |
//!
//! What lies in a chunk has a path below every path of the object or manager
//! ([`chunk::path`](crate::chunk::path)).

use crate::{
    chunk::path::{Child, ChunkPartKind, PartPosition as Part},
    class,
    file::{
        File,
        data::{self, Manager, Owner, Records},
        included::{self, Included},
        plugins::{self, PluginGroup},
        table::{self, Object},
    },
};
use spelunk_core::{
    Budget, Entry, Error, Field, Node, Of, Result, Task, Ty, Val, Walk, Walked, codes,
    container::{Details, kind},
    text::{CodePages, until_nul},
    walk::finish,
};
use std::borrow::Cow;

/// Path of the folder of included files.
pub(crate) const INCLUDED: &str = "included";

static INDEX: Field = Field::new(
    "index",
    Ty::U64,
    "Position in the object table, which is what chunks store as a reference.",
);
/// Name of a class.
pub(crate) static CLASS: Field =
    Field::new("class", Ty::Str, "Name of the class, or CKCID_ and its id.");
static STORED_SIZE: Field =
    Field::new("stored_size", Ty::U64, "Bytes of an object that is packed on its own.")
        .unit("bytes");
/// Name of a manager.
pub(crate) static MANAGER: Field = Field::new("manager", Ty::Str, "What the manager is called.");

/// Something that has a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PathTarget {
    /// Plain Header1.
    Header1,
    /// Plain Data.
    Data,
    /// All plugin dependencies.
    Plugins,
    /// All managers.
    Managers,
    /// All included files.
    IncludedFiles,
    /// The objects of the class with this id.
    Class(u32),
    /// The plugin group at this position.
    PluginGroup(u32),
    /// The manager at this position.
    Manager(u32),
    /// The object at this position.
    Object(u32),
    /// The included file at this position.
    Included(u32),
    /// A part of a chunk. It has an id where the position of its owner has 24 bits.
    Part(Owner, Part),
}

/// Positions of owners whose parts have ids of their own.
pub(crate) const OWNERS: u32 = 1 << 24;

impl PathTarget {
    /// Whether what lies below it was read from the Data section.
    pub(crate) fn holds_records(self) -> bool {
        matches!(self, PathTarget::Managers | PathTarget::Class(_))
    }

    /// Whether the Data section is needed to list it.
    pub(crate) fn needs_records(self) -> bool {
        self.holds_records()
            || matches!(self, PathTarget::Manager(_) | PathTarget::Object(_) | PathTarget::Part(..))
    }

    /// Whether entry and row of it come from the Data section, beside the sizes of objects.
    pub(crate) fn needs_data(self) -> bool {
        matches!(self, PathTarget::Managers | PathTarget::Manager(_) | PathTarget::Part(..))
    }

    /// The place as an id: its kind in the lowest byte, its position above.
    pub(crate) fn node(self) -> Node {
        let (kind, index) = match self {
            PathTarget::Header1 => (0, 0),
            PathTarget::Data => (1, 0),
            PathTarget::Plugins => (2, 0),
            PathTarget::Managers => (3, 0),
            PathTarget::IncludedFiles => (4, 0),
            PathTarget::Class(id) => (5, id),
            PathTarget::PluginGroup(index) => (6, index),
            PathTarget::Manager(index) => (7, index),
            PathTarget::Object(index) => (8, index),
            PathTarget::Included(index) => (9, index),
            PathTarget::Part(owner, part) => {
                let (kind, index) = match owner {
                    Owner::Object(index) => (10, index),
                    Owner::Manager(index) => (11, index),
                };
                let kind = match part.kind {
                    ChunkPartKind::Section => kind,
                    ChunkPartKind::SubChunk => kind | 4,
                };
                let owner = (u64::from(index % OWNERS) << 8) | kind;
                return Node((u64::from(part.index) << 32) | owner);
            }
        };
        Node((u64::from(index) << 8) | kind)
    }

    /// The place of an id; `None` for an id of another format.
    pub(crate) fn of(node: Node) -> Option<PathTarget> {
        let kind = node.0 & 0xFF;
        if let 10 | 11 | 14 | 15 = kind {
            let index = ((node.0 >> 8) as u32) % OWNERS;
            let owner = if kind & 1 == 0 { Owner::Object(index) } else { Owner::Manager(index) };
            let kind = if kind & 4 == 0 { ChunkPartKind::Section } else { ChunkPartKind::SubChunk };
            return Some(PathTarget::Part(owner, Part { index: (node.0 >> 32) as u32, kind }));
        }
        let index = u32::try_from(node.0 >> 8).ok()?;
        Some(match kind {
            0 => PathTarget::Header1,
            1 => PathTarget::Data,
            2 => PathTarget::Plugins,
            3 => PathTarget::Managers,
            4 => PathTarget::IncludedFiles,
            5 => PathTarget::Class(index),
            6 => PathTarget::PluginGroup(index),
            7 => PathTarget::Manager(index),
            8 => PathTarget::Object(index),
            9 => PathTarget::Included(index),
            _ => return None,
        })
    }
}

/// Sees entries. Listing them takes no task; whoever asks for it lends theirs along.
pub(crate) type EachEntry<'e> = &'e mut dyn FnMut(&Entry<'_>) -> Walked;

/// File and tables that entries are listed from.
pub(crate) struct ListingContext<'f> {
    pub(crate) file: &'f File,
    /// The records; `None` where the Data section cannot be read. Sizes are 0 then.
    pub(crate) records: Option<&'f Records>,
    /// Positions of the objects, by class.
    pub(crate) order: &'f [u32],
    pub(crate) pages: &'f CodePages,
}

/// Positions of a list, as ids count them.
fn positions<T>(items: &[T]) -> impl Iterator<Item = u32> + use<T> {
    0..u32::try_from(items.len()).unwrap_or(u32::MAX)
}

pub(crate) fn at<T>(items: &[T], index: u32) -> Option<&T> {
    items.get(index as usize)
}

impl File {
    /// The plugin groups; none where they are damaged.
    pub(crate) fn plugin_groups(&self) -> &[PluginGroup] {
        self.table().plugins.as_ref().map_or(&[], |plugins| &plugins.groups)
    }

    /// Name of a class in this file.
    pub(crate) fn class_name(&self, id: u32) -> Cow<'static, str> {
        class::name(id, self.head().product_build())
    }

    /// The id of the class with this name, where the file has objects of it.
    pub(crate) fn class_id(&self, name: &str, budget: &mut Budget) -> Result<Option<u32>> {
        let order = self.by_class(budget)?;
        budget.steps(order.len() as u64)?;
        let mut ids = self.classes(order);
        Ok(ids.find(|id| self.class_name(*id) == name))
    }

    /// The classes of the objects, by ascending id, from their positions [by class](File::by_class).
    pub(crate) fn classes<'o>(&'o self, order: &'o [u32]) -> impl Iterator<Item = u32> + 'o {
        order
            .chunk_by(|a, b| self.class_of(*a) == self.class_of(*b))
            .filter_map(|same| self.class_of(*same.first()?))
    }

    /// The positions of the objects of a class, from those of all [by class](File::by_class).
    pub(crate) fn of_class<'o>(&self, order: &'o [u32], id: u32) -> &'o [u32] {
        let start = order.partition_point(|index| self.class_of(*index) < Some(id));
        let end = order.partition_point(|index| self.class_of(*index) <= Some(id));
        order.get(start..end).unwrap_or_default()
    }
}

/// The display name as a step of a path.
pub(crate) fn step(name: &[u8], pages: &CodePages) -> String {
    let mut out = String::new();
    pages.path_step(until_nul(name), &mut out);
    out
}

/// The GUID of a manager as paths have it.
pub(crate) fn guid(manager: &Manager) -> String {
    guid_value(manager).to_string()
}

fn guid_value(manager: &Manager) -> Val<'static> {
    Val::Guid(manager.guid.d1.get(), manager.guid.d2.get())
}

fn sum(sizes: impl Iterator<Item = u64>) -> u64 {
    sizes.fold(0, u64::saturating_add)
}

impl ListingContext<'_> {
    /// Number of objects that have to be looked at for the entries of `of`.
    pub(crate) fn len(&self, of: Of) -> u64 {
        let all = self.order.len() as u64;
        match of {
            Of::Listing | Of::Root => all,
            // What lies in a chunk is paid for where it is looked for.
            Of::Parts(_) => 0,
            Of::Node(node) => match PathTarget::of(node) {
                Some(PathTarget::Class(id)) => self.file.of_class(self.order, id).len() as u64,
                Some(PathTarget::Managers) => self.managers().len() as u64,
                Some(PathTarget::IncludedFiles) => self.file.tail().included.len() as u64,
                Some(PathTarget::Plugins) => self.file.plugin_groups().len() as u64,
                _ => 0,
            },
        }
    }

    /// Hands out the entries of `of`.
    pub(crate) fn children(&self, of: Of, each: EachEntry<'_>) -> Walked {
        match of {
            Of::Listing => positions(&self.file.table().objects)
                .try_for_each(|index| self.entry(PathTarget::Object(index), each)),
            Of::Root => self.root(each),
            // They are looked for in advance, see `parts`.
            Of::Parts(_) => Ok(()),
            Of::Node(node) => match PathTarget::of(node) {
                Some(PathTarget::Plugins) => positions(self.file.plugin_groups())
                    .try_for_each(|index| self.entry(PathTarget::PluginGroup(index), each)),
                Some(PathTarget::Managers) => positions(self.managers())
                    .try_for_each(|index| self.entry(PathTarget::Manager(index), each)),
                Some(PathTarget::IncludedFiles) => positions(&self.file.tail().included)
                    .try_for_each(|index| self.entry(PathTarget::Included(index), each)),
                Some(PathTarget::Class(id)) => self
                    .file
                    .of_class(self.order, id)
                    .iter()
                    .try_for_each(|index| self.entry(PathTarget::Object(*index), each)),
                _ => Ok(()),
            },
        }
    }

    fn root(&self, each: EachEntry<'_>) -> Walked {
        self.entry(PathTarget::Header1, each)?;
        self.entry(PathTarget::Data, each)?;
        if !self.file.plugin_groups().is_empty() {
            self.entry(PathTarget::Plugins, each)?;
        }
        if !self.managers().is_empty() {
            self.entry(PathTarget::Managers, each)?;
        }
        for id in self.file.classes(self.order) {
            self.entry(PathTarget::Class(id), each)?;
        }
        if !self.file.tail().included.is_empty() {
            self.entry(PathTarget::IncludedFiles, each)?;
        }
        Ok(())
    }

    /// Whether the size of this entry is not known because the records are damaged.
    pub(crate) fn lacks(&self, place: PathTarget) -> bool {
        let known = self.records.map_or(0, |records| records.objects.len());
        match place {
            PathTarget::Object(index) | PathTarget::Part(Owner::Object(index), _) => {
                index as usize >= known
            }
            PathTarget::Class(id) => {
                let last = self.file.of_class(self.order, id).last();
                last.is_some_and(|index| *index as usize >= known)
            }
            PathTarget::Managers
            | PathTarget::Manager(_)
            | PathTarget::Part(Owner::Manager(_), _) => {
                let fault = self.records.map(|records| records.fault);
                fault.is_none_or(|fault| fault.is_some_and(|fault| fault.kind == "manager"))
            }
            _ => false,
        }
    }

    fn managers(&self) -> &[Manager] {
        self.records.map_or(&[], |records| &records.managers)
    }

    /// Plain size of an object's chunk.
    fn object_size(&self, index: u32) -> u64 {
        self.records.map_or(0, |records| records.chunk_len(Owner::Object(index)))
    }

    /// Parts of the chunk, or of the part of one, with this id. They cannot be handed out while they are looked for, since
    /// both need the budget.
    pub(crate) fn parts(&self, node: Node, budget: &mut Budget) -> Result<Vec<PartRow>> {
        let Some((records, owner, above)) = self.owner_of(node) else { return Ok(Vec::new()) };
        let Some(chunk) = records.view(owner, self.file.data().plain_at(), budget)? else {
            return Ok(Vec::new());
        };
        let path = self.owner_path(owner);
        let path = match above {
            Some(part) => match chunk.path(part, budget)? {
                Some(below) => format!("{path}/{below}"),
                None => return Ok(Vec::new()),
            },
            None => path,
        };
        let mut rows = Vec::new();
        // The budget is lent out until all are found, so what is left of it is watched from here.
        let left = budget.left().memory;
        let mut held = 0_u64;
        finish(chunk.children(above, budget, &mut |child: Child| {
            let path = format!("{path}/{}", child.step);
            held = held.saturating_add(PartRow::cost(&path));
            if held > left {
                return Err(Error::new(&codes::MEMORY).found(held).into());
            }
            let place = PathTarget::Part(owner, child.place);
            rows.push(PartRow { place, path, len: child.len });
            Ok(())
        }))?;
        budget.memory(held)?;
        Ok(rows)
    }

    /// Part of a chunk; `None` where there is no such part.
    pub(crate) fn part(&self, node: Node, budget: &mut Budget) -> Result<Option<PartRow>> {
        let Some((records, owner, Some(part))) = self.owner_of(node) else { return Ok(None) };
        let Some(chunk) = records.view(owner, self.file.data().plain_at(), budget)? else {
            return Ok(None);
        };
        let (Some(path), Some(found)) = (chunk.path(part, budget)?, chunk.part(part, budget)?)
        else {
            return Ok(None);
        };
        let path = format!("{}/{path}", self.owner_path(owner));
        Ok(Some(PartRow { place: PathTarget::Part(owner, part), path, len: found.at.len }))
    }

    /// Owner of the chunk that an id leads into, and the part of it.
    fn owner_of(&self, node: Node) -> Option<(&Records, Owner, Option<Part>)> {
        let (owner, part) = match PathTarget::of(node)? {
            PathTarget::Object(index) => (Owner::Object(index), None),
            PathTarget::Manager(index) => (Owner::Manager(index), None),
            PathTarget::Part(owner, part) => (owner, Some(part)),
            _ => return None,
        };
        // The positions of others do not fit into ids.
        let (Owner::Object(index) | Owner::Manager(index)) = owner;
        Some((self.records?, owner, part)).filter(|_| index < OWNERS)
    }

    fn owner_path(&self, owner: Owner) -> String {
        match owner {
            Owner::Object(index) => format!("#{index}"),
            Owner::Manager(index) => {
                let guid = at(self.managers(), index).map(guid).unwrap_or_default();
                format!("managers/{guid}")
            }
        }
    }

    /// Hands out one entry; nothing for a position that does not exist.
    pub(crate) fn entry(&self, place: PathTarget, each: EachEntry<'_>) -> Walked {
        let folder = |path: &str, kind: &str, size: u64, each: EachEntry<'_>| {
            let details = |_: &mut Task<'_>, _: &mut dyn Walk| Ok(());
            each(&row(place, path, kind, None, size, &details))
        };
        let file = self.file;
        match place {
            PathTarget::Header1 => {
                folder("header1", kind::SECTION, file.header1().plain_len(), each)
            }
            PathTarget::Data => folder("data", kind::SECTION, file.data().plain_len(), each),
            PathTarget::Plugins => {
                let size = sum(file.plugin_groups().iter().map(|group| group.guids.len() as u64));
                folder("plugins", kind::FOLDER, size, each)
            }
            PathTarget::Managers => {
                let size = sum(self.managers().iter().map(|manager| manager.chunk.len.into()));
                folder("managers", kind::FOLDER, size, each)
            }
            PathTarget::IncludedFiles => {
                let size = sum(file.tail().included.iter().map(|file| file.content.len() as u64));
                folder(INCLUDED, kind::FOLDER, size, each)
            }
            PathTarget::Class(id) => {
                let same = file.of_class(self.order, id).iter();
                let size = sum(same.map(|index| self.object_size(*index)));
                folder(&file.class_name(id), kind::CLASS, size, each)
            }
            PathTarget::PluginGroup(index) => at(file.plugin_groups(), index)
                .map_or(Ok(()), |group| plugin_row(place, group, each)),
            PathTarget::Manager(index) => at(self.managers(), index)
                .map_or(Ok(()), |manager| manager_row(place, manager, each)),
            PathTarget::Object(index) => at(&file.table().objects, index)
                .map_or(Ok(()), |object| self.object_row(index, object, each)),
            PathTarget::Included(index) => at(&file.tail().included, index)
                .map_or(Ok(()), |file| included_row(place, file, self.pages, each)),
            // Parts of chunks are looked for in advance, see `part`.
            PathTarget::Part(..) => Ok(()),
        }
    }

    fn object_row(&self, index: u32, object: &Object, each: EachEntry<'_>) -> Walked {
        let class = self.file.class_name(object.class_id);
        let name = self.file.table().name(object);
        let stored_size = self.records.and_then(|records| records.stored_size(index));
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| {
            walk.field(&INDEX, None, index.into())?;
            walk.field(&table::ID, None, object.id.into())?;
            walk.field(&table::CLASS_ID, None, object.class_id.into())?;
            walk.field(&CLASS, None, Val::Str(Cow::Borrowed(&class)))?;
            walk.field(&table::NAME, None, Val::Text(Cow::Borrowed(name)))?;
            match stored_size {
                Some(size) => walk.field(&STORED_SIZE, None, size.into()),
                None => Ok(()),
            }
        };
        let size = self.object_size(index);
        let path = format!("#{index}");
        let row = row(PathTarget::Object(index), &path, &class, Some(name), size, &details);
        each(&Entry { stored_size, ..row })
    }
}

/// A part of a chunk, found in advance.
pub(crate) struct PartRow {
    place: PathTarget,
    path: String,
    len: u64,
}

impl PartRow {
    /// Memory that a row takes, with what lists of rows have in reserve.
    fn cost(path: &str) -> u64 {
        (path.len() as u64).saturating_add((size_of::<PartRow>() as u64).saturating_mul(3))
    }

    /// Gives the memory of rows back.
    pub(crate) fn release(rows: Vec<PartRow>, budget: &mut Budget) {
        let held = rows.iter().map(|row| PartRow::cost(&row.path));
        budget.release(held.fold(0, u64::saturating_add));
    }

    /// Hands the part out.
    pub(crate) fn hand_out(&self, each: EachEntry<'_>) -> Walked {
        let kind = match self.place {
            PathTarget::Part(_, Part { kind: ChunkPartKind::Section, .. }) => "identifier",
            _ => "sub-chunk",
        };
        let details = |_: &mut Task<'_>, _: &mut dyn Walk| Ok(());
        each(&row(self.place, &self.path, kind, None, self.len, &details))
    }
}

fn plugin_row(place: PathTarget, group: &PluginGroup, each: EachEntry<'_>) -> Walked {
    let details = |_: &mut Task<'_>, walk: &mut dyn Walk| {
        walk.field(&plugins::CATEGORY, None, group.category.into())?;
        walk.field(&plugins::CATEGORY_NAME, None, group.name().into())
    };
    let path = format!("plugins/{}", group.category);
    each(&row(place, &path, "plugin group", None, group.guids.len() as u64, &details))
}

fn manager_row(place: PathTarget, manager: &Manager, each: EachEntry<'_>) -> Walked {
    let details = |_: &mut Task<'_>, walk: &mut dyn Walk| {
        walk.field(&data::GUID, None, guid_value(manager))?;
        walk.field(&MANAGER, None, manager.name().into())
    };
    let path = format!("managers/{}", guid(manager));
    let row = row(place, &path, "manager", None, manager.chunk.len.into(), &details);
    each(&Entry { label: manager.name(), ..row })
}

fn included_row(
    place: PathTarget,
    file: &Included,
    pages: &CodePages,
    each: EachEntry<'_>,
) -> Walked {
    let details = |_: &mut Task<'_>, walk: &mut dyn Walk| {
        walk.field(&included::NAME, None, Val::Text(Cow::Borrowed(&file.name)))?;
        walk.field(&included::COUNTED, None, file.counted.into())
    };
    let path = format!("included/{}", step(&file.name, pages));
    let size = file.content.len() as u64;
    each(&row(place, &path, "included file", Some(&file.name), size, &details))
}

fn row<'a>(
    place: PathTarget,
    path: &'a str,
    kind: &'a str,
    name: Option<&'a [u8]>,
    size: u64,
    details: &'a dyn Details,
) -> Entry<'a> {
    Entry { node: place.node(), path, kind, name, label: None, size, stored_size: None, details }
}
