//! The summary of a file: the fields of `info`, in the contract's order.

use crate::{
    class,
    file::{
        File,
        header::{FOR_VIEWER, Part0, Part1},
        included, leaf, plugins, table,
    },
};
use spelunk_core::{
    Budget, Class, Field, Group, Record, Result, Span, Task, Ty, Val, Walk, Walked,
    field::Described,
};
use std::{borrow::Cow, mem::offset_of};
use zerocopy::IntoBytes;

/// Places of the header parts.
const PART0: Span = Span::file(0, 32);
const PART1: Span = Span::file(32, 32);

/// Walks one word of the header part `$part` that lies at `$start`, as the part's record `$record` describes it.
macro_rules! word {
    ($walk:ident, $part:ident: $record:ty, $start:expr, $name:ident) => {{
        static FIELD: Field = <$record>::RECORD.field(stringify!($name));
        let at = $start.part(offset_of!($record, $name) as u64, 0);
        leaf(&FIELD, at, $part.$name.as_bytes(), $walk)
    }};
}

static FILE_VERSION: Field = Part0::RECORD.field("file_version");
static PRODUCT_VERSION: Field = Part1::RECORD.field("product_version");
static PRODUCT_BUILD: Field = Part1::RECORD.field("product_build");
pub(crate) static OBJECT_COUNT: Field = Part1::RECORD.field("object_count");
pub(crate) static MANAGER_COUNT: Field = Part1::RECORD.field("manager_count");
pub(crate) static MAX_ID: Field = Part1::RECORD.field("max_id");
pub(crate) static PRODUCT: Field =
    Field::new("product", Ty::Str, "ProductBuild as people write it, the highest part first.");
pub(crate) static KIND: Field = Field::new(
    "kind",
    Ty::Str,
    "level: holds a CKLevel; scripts: holds nothing but scripts; objects: anything else.",
);

static CHECKSUM: Record =
    Record::group("checksum", "docs/formats/virtools.md#3-checksum", "The checksum.");
pub(crate) static STORED: Field = Part0::RECORD.field("crc").named("stored");
static OK: Field = Field::new(
    "ok",
    Ty::Bool,
    "Whether the recipe gives the stored checksum; nothing where that was not checked.",
);
static RECIPE: Field = Field::new(
    "recipe",
    Ty::Str,
    "What the checksum covers: full, data-only, legacy; none where the FileVersion has no checksum; where it is \
     wrong, what it should cover.",
);
static CHECKED: Field = Field::new(
    "checked",
    Ty::Bool,
    "Whether the checksum was checked: not where a file of a server was read as far as its headers.",
);

static PACKING: Record =
    Record::group("packing", "docs/formats/virtools.md#7-packing", "How sections are stored.");
static HEADER1: Field = Field::new("header1", Ty::Str, "Header1: zlib or stored.");
static DATA: Field = Field::new("data", Ty::Str, "The Data section: zlib or stored.");

pub(crate) static STORED_SIZE: Field =
    Field::new("stored_size", Ty::U64, "Headers and both sections, as far as the file holds them.")
        .unit("bytes");
pub(crate) static UNPACKED_SIZE: Field =
    Field::new("unpacked_size", Ty::U64, "Headers and both sections if nothing were packed.")
        .unit("bytes");
pub(crate) static TAIL_SIZE: Field =
    Field::new("tail_size", Ty::U64, "What follows the Data section.").unit("bytes");

pub(crate) static CLASSES: Record =
    Record::group("classes", "docs/formats/virtools.md#10-class-ids", "Objects of each class.");
static COUNT: Field = Field::new("count", Ty::U64, "Objects of this class.");

pub(crate) static PLUGINS: Record = Record::group(
    "plugins",
    "docs/formats/virtools.md#43-plugin-dependencies",
    "Plugins that the objects need, by category.",
);

pub(crate) static INCLUDED: Record = Record::group(
    "included_files",
    "docs/formats/virtools.md#6-trailing-records",
    "Files that follow the Data section.",
);
pub(crate) static SIZE: Field = included::FILE_SIZE.named("size");

pub(crate) static EVIDENCE: Field = Field::new(
    "evidence",
    Ty::Str,
    "What the reader of this FileVersion was checked on: `real files`, or `synthetic` where no real file of \
     this kind was available; then it was tested with files built from the documented layout.",
);

impl File {
    /// Walks the summary. From FileVersion 8 on nothing is inflated for it.
    pub(crate) fn walk_info(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let head = self.head();
        let part0 = &head.part0;
        walk.field(&FILE_VERSION, Some(PART0.part(16, 4)), head.version().into())?;
        word!(walk, part0: Part0, PART0, ck_version)?;
        let word = |offset: usize| head.part1.map(|_| PART1.part(offset as u64, 4));
        let edition = Val::from(head.product_version());
        walk.field(&PRODUCT_VERSION, word(offset_of!(Part1, product_version)), edition)?;
        let build = Val::Word(head.product_build());
        walk.field(&PRODUCT_BUILD, word(offset_of!(Part1, product_build)), build)?;
        walk.field(&PRODUCT, None, self.product().into())?;
        walk.field(&KIND, None, self.kind().into())?;
        word!(walk, part0: Part0, PART0, write_mode)?;
        // Below FileVersion 8 the words before the records count, which Part1 may contradict.
        let prefix = self.read_records().and_then(|records| records.prefix);
        let at = |in_data: u64, in_part1: usize| match prefix {
            Some(_) => Some(self.data().plain_at().part(in_data, 4)),
            None => word(in_part1),
        };
        let count = self.table().objects.len().into();
        walk.field(&OBJECT_COUNT, at(4, offset_of!(Part1, object_count)), count)?;
        let managers = if head.version() < 6 { 0 } else { head.manager_count() };
        walk.field(&MANAGER_COUNT, word(offset_of!(Part1, manager_count)), managers.into())?;
        let stored = head.part1.map_or(0, |part1| part1.max_id.get());
        let max_id = prefix.map_or(stored, |prefix| prefix.save_id_max.get());
        walk.field(&MAX_ID, at(0, offset_of!(Part1, max_id)), max_id.into())?;
        self.walk_checksum(walk)?;
        walk.group(&Group::record("packing", &PACKING, None), |walk| {
            walk.field(&HEADER1, None, self.header1().packing().name().into())?;
            walk.field(&DATA, None, self.data().packing().name().into())
        })?;
        let sum = |header1: u64, data: u64| {
            Val::U(head.end().saturating_add(header1).saturating_add(data))
        };
        let stored = sum(self.header1().at().len, self.data().at().len);
        walk.field(&STORED_SIZE, None, stored)?;
        let plain = match head.part1 {
            Some(_) if head.version() >= 8 => sum(head.header1_plain_len(), head.data_plain_len()),
            _ => sum(self.header1().plain_len(), self.data().plain_len()),
        };
        walk.field(&UNPACKED_SIZE, None, plain)?;
        walk.field(&TAIL_SIZE, None, self.tail().at.len.into())?;
        self.walk_classes(task, walk)?;
        self.walk_plugins(task, walk)?;
        self.walk_included(walk)?;
        walk.field(&table::INCLUDED, None, self.table().included_count().into())?;
        let evidence = self.evidence(&mut task.budget)?;
        walk.field(&EVIDENCE, None, evidence.into())
    }

    /// ProductBuild as `2.1.0.14`.
    pub fn product(&self) -> String {
        let [major, minor, patch, build] = self.head().product();
        format!("{major}.{minor}.{patch}.{build}")
    }

    /// `level` with a `CKLevel`, `scripts` with nothing but scripts, else `objects`.
    pub fn kind(&self) -> &'static str {
        let objects = &self.table().objects;
        if objects.iter().any(|object| object.class_id == class::LEVEL) {
            "level"
        } else if !objects.is_empty()
            && objects.iter().all(|object| class::SCRIPTS.contains(&object.class_id))
        {
            "scripts"
        } else {
            "objects"
        }
    }

    /// Evidence for the reader on files like this one, by versions alone, without a look into chunks but for theirs. Where Data
    /// were not read, there are real files of the product, and their chunks are the current ones.
    fn evidence(&self, budget: &mut Budget) -> Result<&'static str> {
        let head = self.head();
        let real = head.version() == 8
            && head.write_mode() & FOR_VIEWER == 0
            && self.table().included_count() == 0
            && !self.table().objects.iter().any(|it| it.is_reference() || it.has_bit_23());
        let old = match real {
            true => self.has_old_chunks(budget),
            false => Ok(false),
        };
        match old {
            Ok(old) => Ok(if real && !old { "real files" } else { "synthetic" }),
            // Damage of Data is for others to report.
            Err(error) if error.code().class == Class::Malformed => Ok("real files"),
            Err(error) => Err(error),
        }
    }

    fn walk_checksum(&self, walk: &mut dyn Walk) -> Walked {
        let checksum = self.checksum();
        walk.group(&Group::record("checksum", &CHECKSUM, None), |walk| {
            let at = PART0.part(offset_of!(Part0, crc) as u64, 4);
            walk.field(&STORED, Some(at), Val::Word(checksum.stored))?;
            let ok = checksum.checked.then_some(checksum.ok);
            walk.field(&OK, None, ok.map_or(Val::None, Val::from))?;
            walk.field(&RECIPE, None, checksum.recipe.name().into())?;
            walk.field(&CHECKED, None, checksum.checked.into())
        })
    }

    fn walk_classes(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let order = self.by_class(&mut task.budget)?;
        walk.group(&Group::record("classes", &CLASSES, None), |walk| {
            for same in order.chunk_by(|a, b| self.class_of(*a) == self.class_of(*b)) {
                let Some(id) = same.first().and_then(|index| self.class_of(*index)) else {
                    continue;
                };
                let name = self.class_name(id);
                walk.keyed(&name, &CLASSES, &COUNT, None, same.len().into())?;
            }
            Ok(())
        })
    }

    /// Below FileVersion 8 the plugins are those that the objects name; they have no place of their own.
    fn walk_plugins(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let has_place = self.head().version() >= 8;
        let plugins = self.plugin_dependencies(&mut task.budget)?;
        walk.group(&Group::list("plugins", &PLUGINS, None), |walk| {
            for (index, group) in plugins.groups.iter().enumerate() {
                walk.group(&Group::item(index, plugins::PluginGroupHead::RECORD, None), |walk| {
                    let at = group.span(self.header1().plain_at());
                    let category = has_place.then(|| at.part(0, 4));
                    walk.field(&plugins::CATEGORY, category, group.category.into())?;
                    walk.field(&plugins::CATEGORY_NAME, None, group.name().into())?;
                    let guids = has_place.then(|| at.part(8, group.guids.len() as u64));
                    group.walk_guids(guids, walk)
                })?;
            }
            Ok(())
        })
    }

    fn walk_included(&self, walk: &mut dyn Walk) -> Walked {
        walk.group(&Group::list("included_files", &INCLUDED, None), |walk| {
            for (index, file) in self.tail().included.iter().enumerate() {
                walk.group(&Group::item(index, &INCLUDED, Some(file.span())), |walk| {
                    let name = Val::Text(Cow::Borrowed(&file.name));
                    walk.field(&included::NAME, None, name)?;
                    walk.field(&SIZE, None, file.content.len().into())?;
                    walk.field(&included::COUNTED, None, file.counted.into())
                })?;
            }
            Ok(())
        })
    }

    /// Class id of the object at a position.
    pub(crate) fn class_of(&self, index: u32) -> Option<u32> {
        self.table().objects.get(index as usize).map(|object| object.class_id)
    }
}
