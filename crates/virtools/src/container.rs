//! The format behind the traits that every tool is written against.

use crate::{
    class::BEHAVIOR,
    codec::walk::Detail,
    entries::{CLASS, ListingContext, MANAGER, PartRow, PathTarget},
    file::{
        File,
        data::{Owner, Records},
        header::{NEMO, SIGNATURE},
        leaf,
        table::ObjectHead,
    },
    headers::Headers,
    names::FileNames,
    paths::Finder,
    profile::{FAMILIES, FILE_TYPES, PROFILE},
    script::Scripts,
};
use spelunk_core::{
    Budget, Bytes, Class, Container, EachRef, Edit, Error, Field, Format, Group, Halt, Node, Of,
    Outline, Packing, Probe, Profile, Record, Result, Section, Source, Space, Span, Task, Ty, Val,
    Walk, Walked, WriteOptions, codes,
    container::Each,
    container::View,
    field::{Described, Role},
    profile::CodeFamily,
    signature::FileType,
    source,
    text::CodePages,
    zlib::KnownPacking,
};
use std::{borrow::Cow, io, sync::Arc};

/// Virtools files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Virtools;

/// Virtools files, as the list of all formats holds them.
pub static FORMAT: &dyn Format = &Virtools;

impl Format for Virtools {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn file_types(&self) -> &'static [FileType] {
        &FILE_TYPES
    }

    fn families(&self) -> &'static [CodeFamily] {
        &FAMILIES
    }

    /// The whole signature is enough. Where its first four bytes match alone, the FileVersion has to be
    /// one that exists, since texts may begin like that.
    fn probe(&self, head: &[u8], _len: u64) -> Probe {
        if head.starts_with(&SIGNATURE) {
            return Probe::Yes;
        }
        if !head.starts_with(&NEMO) {
            return Probe::No;
        }
        let version = head.get(16..20).and_then(|bytes| bytes.first_chunk().copied());
        match version.map(u32::from_le_bytes) {
            Some(0..=9) => Probe::Yes,
            _ => Probe::LooksLike(
                "it starts with `Nemo` as Virtools files do, but neither the rest of the signature \
                 nor the version are theirs",
            ),
        }
    }

    fn open(&self, source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<Box<dyn Container>> {
        if task.headers_suffice
            && source.is_remote()
            && let Some(file) = File::headers_from(&*source, task)?
        {
            return Ok(Box::new(Headers::of(file, source)));
        }
        Ok(Box::new(File::read_from(&*source, task)?))
    }
}

const HEADER1_PAGE: &str = "docs/formats/virtools.md#4-header1";
const DATA_PAGE: &str = "docs/formats/virtools.md#5-data-section";

static HEADER1: Record =
    Record::group("header1", HEADER1_PAGE, "Objects, plugin dependencies, included-file stub.");
static DATA: Record = Record::group("data", DATA_PAGE, "The records of managers and objects.");
static TAIL: Record = Record::group(
    "tail",
    "docs/formats/virtools.md#6-trailing-records",
    "What follows the Data section.",
);
static TABLE: Record =
    Record::group("table", HEADER1_PAGE, "The object table of FileVersion 7, never packed.");
static PACKED_HEADER1: Record = Record::group(
    "header1",
    HEADER1_PAGE,
    "A zlib stream, and what it inflates to: objects, plugin dependencies, included-file stub.",
);
static PACKED_DATA: Record = Record::group(
    "data",
    DATA_PAGE,
    "A zlib stream, and what it inflates to: the records of managers and objects.",
);
static STORED: Field = Field::new("stored", Ty::Bytes, "The section as it lies in the file.");
static STREAM: Field = STORED.role(Role::Packed);

/// Walks the plain content of a section, which lies at the given place.
type SectionWalker<'c> = &'c mut dyn FnMut(Span, &mut dyn Walk) -> Walked;

/// Walks a section: its stored bytes if it is packed, then its content where that can be read. Fields of the
/// content have the same path in both cases.
fn walk_section(
    [plain, packed]: [&'static Record; 2],
    section: &Section,
    content: Option<SectionWalker<'_>>,
    walk: &mut dyn Walk,
) -> Walked {
    let record = if section.packing() == Packing::Stored { plain } else { packed };
    let at = section.at();
    walk.group(&Group::record(record.name, record, Some(at)), |walk| {
        match content {
            None => leaf(&STORED, at, section.stored_bytes(), walk)?,
            Some(_) if section.packing() == Packing::Stored => {}
            Some(_) => leaf(&STREAM, at, section.stored_bytes(), walk)?,
        }
        content.map_or(Ok(()), |content| content(section.plain_at(), walk))
    })
}

fn not_found() -> Error {
    Error::new(&codes::NOT_FOUND)
}

impl Container for File {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// Any objects may lie in an `.nmo`; the other extensions promise a level or scripts alone.
    fn extensions(&self) -> &'static [&'static str] {
        match self.kind() {
            "level" => &["nmo", "cmo", "vmo"],
            "scripts" => &["nmo", "nms"],
            _ => &["nmo"],
        }
    }

    fn size(&self) -> u64 {
        File::size(self)
    }

    /// Opening has inflated all that is needed for it: Header1, and below FileVersion 8 everything.
    fn info(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        self.walk_info(task, walk)
    }

    /// Inflates the Data section, for the sizes; they are 0 where it is damaged.
    fn children(&self, of: Of, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let below = match of {
            Of::Listing | Of::Root => None,
            Of::Node(node) | Of::Parts(node) => match PathTarget::of(node) {
                Some(place) => Some(place),
                None => return Ok(()),
            },
        };
        let needed = match of {
            Of::Parts(_) => below.is_some_and(PathTarget::needs_records),
            _ => below.is_none_or(PathTarget::holds_records),
        };
        let (listing, damage) = self.listing(pages, needed, task)?;
        if let Some(damage) = damage
            && below.is_none_or(|place| listing.lacks(place))
        {
            task.error(damage)?;
        }
        if let Of::Parts(node) = of {
            let parts = listing.parts(node, &mut task.budget)?;
            let walked =
                parts.iter().try_for_each(|part| part.hand_out(&mut |entry| each(entry, task)));
            PartRow::release(parts, &mut task.budget);
            return walked;
        }
        task.budget.steps(listing.len(of))?;
        listing.children(of, &mut |entry| each(entry, task))
    }

    fn entry(&self, node: Node, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let place = PathTarget::of(node).ok_or_else(not_found)?;
        let mut found = false;
        let (listing, damage) = self.listing(pages, place.needs_records(), task)?;
        if let Some(damage) = damage
            && listing.lacks(place)
        {
            task.error(damage)?;
        }
        if let Some(part) = listing.part(node, &mut task.budget)? {
            return part.hand_out(&mut |entry| each(entry, task));
        }
        listing.entry(place, &mut |entry| {
            found = true;
            each(entry, task)
        })?;
        if found { Ok(()) } else { Err(not_found().into()) }
    }

    /// `scripts`, with what they consist of, and `scene`, entities by their parents; and a behaviour.
    fn outline(
        &self,
        of: View<'_>,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Outline>> {
        // What is shown of a damaged file is not all that there was.
        let fault = self.records(&mut task.budget)?.fault;
        if let Some(fault) = fault.filter(|fault| !self.was_reported(fault)) {
            task.error(fault.error())?;
        }
        let budget = &mut task.budget;
        match of {
            View::All("scene") => self.scene_outline(pages, budget),
            View::All("scripts") => Ok(Scripts::of(self, budget)?.outline(pages)),
            View::Of(node) => match PathTarget::of(node) {
                Some(PathTarget::Object(index)) if self.class_of(index) == Some(BEHAVIOR) => {
                    Ok(vec![Scripts::of(self, budget)?.behavior_outline(index, pages)])
                }
                _ => Ok(Vec::new()),
            },
            View::All(_) => Ok(Vec::new()),
        }
    }

    fn find(&self, path: &str, pages: &CodePages, task: &mut Task<'_>) -> Result<Vec<Node>> {
        self.named(path, pages, &mut task.budget)
    }

    fn find_all(
        &self,
        paths: &[&str],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Vec<Node>>> {
        let mut finder = match paths.len() {
            0 | 1 => return paths.iter().map(|path| self.find(path, pages, task)).collect(),
            _ => Finder::of_many(self, pages),
        };
        let budget = &mut task.budget;
        let found = paths.iter().map(|path| finder.find(path, budget)).collect();
        finder.release(budget);
        found
    }

    fn bytes(&self, node: Node, task: &mut Task<'_>) -> Result<Bytes> {
        let place = PathTarget::of(node).ok_or_else(not_found)?;
        let bytes = match place {
            PathTarget::Header1 => Some(self.header1().plain(&mut task.budget)?.clone()),
            PathTarget::Data => Some(self.plain_data(&mut task.budget)?.clone()),
            PathTarget::PluginGroup(index) => {
                self.plugin_groups().get(index as usize).map(|group| group.guids.clone())
            }
            PathTarget::Included(index) => {
                self.tail().included.get(index as usize).map(|file| file.content.clone())
            }
            PathTarget::Manager(index) => {
                let records = self.records(&mut task.budget)?;
                match records.managers.get(index as usize) {
                    Some(_) => Some(records.chunk_bytes(Owner::Manager(index), &mut task.budget)?),
                    None => None,
                }
            }
            PathTarget::Object(index) => {
                let records = self.records(&mut task.budget)?;
                match &records.fault {
                    _ if records.has_object(index) => {
                        Some(records.chunk_bytes(Owner::Object(index), &mut task.budget)?)
                    }
                    Some(fault) if self.class_of(index).is_some() => return Err(fault.error()),
                    _ => None,
                }
            }
            PathTarget::Part(owner, part) => {
                let Some(chunk) = self.chunk(owner, &mut task.budget)? else {
                    return Err(not_found());
                };
                let part = chunk.part(part, &mut task.budget)?.ok_or_else(not_found)?;
                let start = part.at.start.saturating_sub(chunk.at.start);
                let range = start..start.saturating_add(part.at.len);
                let records = self.records(&mut task.budget)?;
                source::part(&records.chunk_bytes(owner, &mut task.budget)?, range)
            }
            PathTarget::Plugins
            | PathTarget::Managers
            | PathTarget::IncludedFiles
            | PathTarget::Class(_) => {
                return Err(Error::new(&codes::NO_SUCH_OPERATION));
            }
        };
        bytes.ok_or_else(not_found)
    }

    fn has_refs(&self) -> bool {
        true
    }

    fn refs(&self, nodes: &[Node], task: &mut Task<'_>, each: EachRef<'_, usize>) -> Result<()> {
        self.references(nodes, task, each)
    }

    fn all_refs(&self, task: &mut Task<'_>, each: EachRef<'_, Node>) -> Result<()> {
        self.all_references(task, each)
    }

    fn walk(&self, node: Node, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let header1_at = self.header1().plain_at();
        let data_at = self.data().plain_at();
        let place = PathTarget::of(node).ok_or_else(not_found)?;
        match place {
            PathTarget::Header1 => match self.header1_damage() {
                Some(damage) => Err(damage.error().into()),
                None => self.table().walk(header1_at, walk),
            },
            PathTarget::Data => {
                let budget = &mut task.budget;
                let names = FileNames::of(self, budget)?;
                let chunk = |owner, budget: &mut Budget, walk: &mut dyn Walk| {
                    self.walk_chunk(owner, &names, budget, walk)
                };
                let records = self.records(budget)?;
                if let Some(fault) = records.fault.filter(|fault| fault.is_of_section()) {
                    return Err(fault.error().into());
                }
                records.walk(data_at, &chunk, budget, walk)
            }
            PathTarget::PluginGroup(index) => {
                let group = self.plugin_groups().get(index as usize).ok_or_else(not_found)?;
                group.walk(header1_at, walk)
            }
            PathTarget::Included(index) => {
                self.tail().included.get(index as usize).ok_or_else(not_found)?.walk(walk)
            }
            PathTarget::Manager(index) => {
                let records = self.records(&mut task.budget)?;
                let manager = records.managers.get(index as usize).ok_or_else(not_found)?;
                if let Some(name) = manager.name() {
                    walk.field(&MANAGER, None, name.into())?;
                }
                let names = FileNames::of(self, &mut task.budget)?;
                let owner = Owner::Manager(index);
                self.walk_value(owner, Detail::Values, &names, &mut task.budget, walk)
            }
            PathTarget::Object(index) => {
                let objects = &self.table().objects;
                let object = objects.get(index as usize).ok_or_else(not_found)?;
                let class = self.class_name(object.class_id);
                walk.field(&CLASS, None, Val::Str(Cow::Borrowed(&class)))?;
                if self.head().version() >= 7 {
                    let span = Some(object.span(header1_at));
                    walk.group(&Group::record("entry", ObjectHead::RECORD, span), |walk| {
                        object.walk(self.table().plain(), header1_at, walk)
                    })?;
                }
                let records = self.records(&mut task.budget)?;
                if !records.has_object(index) {
                    let error = records.fault.map_or_else(not_found, |fault| fault.error());
                    return Err(Halt::Failed(error));
                }
                let names = FileNames::of(self, &mut task.budget)?;
                let owner = Owner::Object(index);
                self.walk_value(owner, Detail::Values, &names, &mut task.budget, walk)
            }
            PathTarget::Part(owner, part) => {
                let chunk = self.chunk(owner, &mut task.budget)?.ok_or_else(not_found)?;
                let part = chunk.part(part, &mut task.budget)?.ok_or_else(not_found)?;
                part.walk(&mut task.budget, walk)
            }
            PathTarget::Plugins
            | PathTarget::Managers
            | PathTarget::IncludedFiles
            | PathTarget::Class(_) => Err(Error::new(&codes::NO_SUCH_OPERATION).into()),
        }
    }

    fn spaces(&self) -> Vec<Span> {
        self.packed_sections().map(Section::plain_at).collect()
    }

    fn space_bytes(&self, space: Space, task: &mut Task<'_>) -> Result<Bytes> {
        match self.packed_sections().find(|section| section.plain_at().space == space) {
            Some(section) => section.plain(&mut task.budget).cloned(),
            None => Err(Error::new(&codes::BAD_PLACE).found(space.to_string())),
        }
    }

    /// Checksum, sizes and counts of the headers, and where records lie; with the sizes of what they count.
    fn is_derived(&self, field: &Field) -> bool {
        const DERIVED: [&str; 15] = [
            "crc",
            "hdr1_pack_size",
            "hdr1_unpack_size",
            "data_pack_size",
            "data_unpack_size",
            "manager_count",
            "object_count",
            "max_id",
            "save_id_max",
            "file_index",
            "name_length",
            "size",
            "data_size",
            "length",
            "next",
        ];
        DERIVED.contains(&field.name)
    }

    fn layout(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        walk.record("part0", &self.head().part0, Span::file(0, 32))?;
        if let Some(part1) = &self.head().part1 {
            walk.record("part1", part1, Span::file(32, 32))?;
        }
        let table = |at: Span, walk: &mut dyn Walk| self.table().walk(at, walk);
        match self.head().version() {
            8.. => {
                let records = [&HEADER1, &PACKED_HEADER1];
                match self.header1_damage() {
                    None => walk_section(records, self.header1(), Some(&mut { table }), walk)?,
                    Some(_) => walk_section(records, self.header1(), None, walk)?,
                }
            }
            7 => walk_section([&TABLE, &TABLE], self.header1(), Some(&mut { table }), walk)?,
            _ => {}
        }
        match self.records(&mut task.budget) {
            // A section of which a part can be read has bytes that nothing explains.
            Ok(Records { fault: Some(fault), .. }) if fault.is_of_section() => {
                task.error(fault.error())?;
                walk_section([&DATA, &PACKED_DATA], self.data(), None, walk)?;
            }
            Ok(records) => {
                let budget = &mut task.budget;
                let names = FileNames::of(self, budget)?;
                let chunk = |owner, budget: &mut Budget, walk: &mut dyn Walk| {
                    self.walk_chunk(owner, &names, budget, walk)
                };
                let mut content =
                    |at: Span, walk: &mut dyn Walk| records.walk(at, &chunk, budget, walk);
                walk_section([&DATA, &PACKED_DATA], self.data(), Some(&mut content), walk)?;
            }
            Err(error) => {
                task.error(error)?;
                walk_section([&DATA, &PACKED_DATA], self.data(), None, walk)?;
            }
        }
        let tail = self.tail();
        walk.group(&Group::record("tail", &TAIL, Some(tail.at)), |walk| tail.walk(walk))
    }

    fn verify(&self, task: &mut Task<'_>) -> Result<()> {
        File::verify(self, task)
    }

    fn write(
        &self,
        out: &mut dyn io::Write,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<()> {
        File::write(self, out, options, task)
    }

    fn level(&self, task: &mut Task<'_>) -> Result<Option<u8>> {
        File::level(self, &mut task.budget)
    }

    fn packings(&self) -> Vec<KnownPacking> {
        self.packed_sections().filter_map(Section::known_packing).collect()
    }

    fn recycle(self: Box<Self>, spare: &mut Vec<Vec<u8>>) {
        File::recycle(*self, spare);
    }

    fn fork(&self, task: &mut Task<'_>) -> Result<Option<Box<dyn Container>>> {
        task.budget.memory(self.copied_len())?;
        Ok(Some(Box::new(self.clone())))
    }

    fn edit(&mut self) -> Option<&mut dyn Edit> {
        Some(self)
    }
}

impl File {
    /// `header1` and `data`, where they are packed, and records that are packed each on its own.
    fn packed_sections(&self) -> impl Iterator<Item = &Section> {
        let old = self.read_records().map_or(&[][..], |records| &records.old);
        let sections = [self.header1(), self.data()].into_iter();
        sections
            .chain(old.iter().map(|old| &old.data))
            .filter(|section| section.packing() == Packing::Zlib)
    }

    /// Listing, with the faults of the records where those are `needed`.
    fn listing<'f>(
        &'f self,
        pages: &'f CodePages,
        needed: bool,
        task: &mut Task<'_>,
    ) -> Result<(ListingContext<'f>, Option<Error>)> {
        let (records, damage) = match needed.then(|| self.records(&mut task.budget)) {
            Some(Ok(records)) => (Some(records), records.fault.map(|fault| fault.error())),
            Some(Err(error)) if error.code().class == Class::Malformed => (None, Some(error)),
            Some(Err(error)) => return Err(error),
            None => (None, None),
        };
        let order = self.by_class(&mut task.budget)?;
        Ok((ListingContext { file: self, records, order, pages }, damage))
    }
}
