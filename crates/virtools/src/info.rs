//! The summary of a file: the fields of `info`, in the contract's order.

use crate::{
    class,
    file::{
        File, described,
        header::{Head, Part0, slot},
        included, table,
    },
};
use spelunk_core::{Field, Group, Record, Task, Ty, Val, Walk, Walked, field::Described};
use std::borrow::Cow;

static PRODUCT: Field =
    Field::new("product", Ty::Str, "ProductBuild as people write it, the highest part first.");
static KIND: Field = Field::new(
    "kind",
    Ty::Str,
    "level: holds a CKLevel; scripts: holds nothing but scripts; objects: anything else.",
);

static CHECKSUM: Record =
    Record::group("checksum", "docs/formats/virtools.md#3-checksum", "The checksum.");
static STORED: Field = Field::new("stored", Ty::Word, "The checksum of Part0.");
static OK: Field = Field::new("ok", Ty::Bool, "Whether the recipe gives the stored checksum.");
static RECIPE: Field = Field::new(
    "recipe",
    Ty::Str,
    "What the checksum covers: full, data-only; where it is wrong, what it should cover.",
);

static PACKING: Record =
    Record::group("packing", "docs/formats/virtools.md#7-packing", "How sections are stored.");
static HEADER1: Field = Field::new("header1", Ty::Str, "Header1: zlib or stored.");
static DATA: Field = Field::new("data", Ty::Str, "The Data section: zlib or stored.");

static STORED_SIZE: Field =
    Field::new("stored_size", Ty::U64, "Headers and both sections as they lie in the file.")
        .unit("bytes");
static UNPACKED_SIZE: Field =
    Field::new("unpacked_size", Ty::U64, "Headers and both sections if nothing were packed.")
        .unit("bytes");
static TAIL_SIZE: Field =
    Field::new("tail_size", Ty::U64, "What follows the Data section.").unit("bytes");

static CLASSES: Record =
    Record::group("classes", "docs/formats/virtools.md#10-class-ids", "Objects of each class.");
static COUNT: Field = Field::new("count", Ty::U64, "Objects of this class.");

static PLUGINS: Record = Record::group(
    "plugins",
    "docs/formats/virtools.md#43-plugin-dependencies",
    "Plugins that the objects need, by category.",
);
static NAME: Field = Field::new("name", Ty::Str, "What the category is called.");

static INCLUDED: Record = Record::group(
    "included_files",
    "docs/formats/virtools.md#6-trailing-records",
    "Files that follow the Data section.",
);
static SIZE: Field = Field::new("size", Ty::U64, "Size of the file.").unit("bytes");
static INCLUDED_COUNT: Field = Field::new(
    "included_count",
    Ty::U64,
    "Included files that Header1 counts; 0 in real files, also where there are some.",
);

impl File {
    /// Walks the summary. Nothing is inflated for it.
    pub(crate) fn walk_info(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let Head { part0, part1 } = self.head();
        word(part0, 0, "file_version", walk)?;
        word(part0, 0, "ck_version", walk)?;
        word(part1, 32, "product_version", walk)?;
        word(part1, 32, "product_build", walk)?;
        walk.field(&PRODUCT, None, self.product().into())?;
        walk.field(&KIND, None, self.kind().into())?;
        word(part0, 0, "write_mode", walk)?;
        word(part1, 32, "object_count", walk)?;
        word(part1, 32, "manager_count", walk)?;
        word(part1, 32, "max_id", walk)?;
        self.walk_checksum(walk)?;
        walk.group(&Group::record("packing", &PACKING, None), |walk| {
            walk.field(&HEADER1, None, self.header1().packing().name().into())?;
            walk.field(&DATA, None, self.data().packing().name().into())
        })?;
        let sum = |header1: u32, data: u32| {
            Val::U(Head::LEN.saturating_add(header1.into()).saturating_add(data.into()))
        };
        let stored = sum(part0.hdr1_pack_size.get(), part1.data_pack_size.get());
        walk.field(&STORED_SIZE, None, stored)?;
        let plain = sum(part1.hdr1_unpack_size.get(), part1.data_unpack_size.get());
        walk.field(&UNPACKED_SIZE, None, plain)?;
        walk.field(&TAIL_SIZE, None, self.tail().at.len.into())?;
        self.walk_classes(task, walk)?;
        self.walk_plugins(walk)?;
        self.walk_included(walk)?;
        walk.field(&INCLUDED_COUNT, None, self.table().included_count().into())
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

    fn walk_checksum(&self, walk: &mut dyn Walk) -> Walked {
        let checksum = self.checksum();
        walk.group(&Group::record("checksum", &CHECKSUM, None), |walk| {
            let at = slot::<Part0>("crc", 0).map(|(_, at)| at);
            walk.field(&STORED, at, Val::Word(checksum.stored))?;
            walk.field(&OK, None, checksum.ok.into())?;
            walk.field(&RECIPE, None, checksum.recipe.name().into())
        })
    }

    fn walk_classes(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let order = self.by_class(&mut task.budget)?;
        walk.group(&Group::record("classes", &CLASSES, None), |walk| {
            for same in order.chunk_by(|a, b| self.class_of(*a) == self.class_of(*b)) {
                let Some(id) = same.first().and_then(|index| self.class_of(*index)) else {
                    continue;
                };
                let name = class::name(id, self.head().part1.product_build.get());
                walk.keyed(&name, &CLASSES, &COUNT, None, same.len().into())?;
            }
            Ok(())
        })
    }

    fn walk_plugins(&self, walk: &mut dyn Walk) -> Walked {
        walk.group(&Group::list("plugins", &PLUGINS, None), |walk| {
            let groups = self.table().plugins.iter().flat_map(|plugins| &plugins.groups);
            for (index, group) in groups.enumerate() {
                walk.group(&Group::item(index, table::PluginGroupHead::RECORD, None), |walk| {
                    let at = group.span(self.header1().plain_at()).part(0, 4);
                    let category = group.category.into();
                    described::<table::PluginGroupHead>("category", Some(at), category, walk)?;
                    walk.field(&NAME, None, group.name().into())?;
                    let guids = at.part(8, group.guids.len() as u64);
                    group.walk_guids(Some(guids), walk)
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
                    walk.field(&SIZE, None, file.content.len().into())
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

/// Walks one word of a header part that starts at `start`.
fn word<T: Described>(part: &T, start: u64, name: &str, walk: &mut dyn Walk) -> Walked {
    let Some((field, at)) = slot::<T>(name, start) else { return Ok(()) };
    let bytes = at.start.checked_sub(start).zip(Some(at.len)).and_then(|(offset, len)| {
        part.as_bytes().get(offset as usize..offset.saturating_add(len) as usize)
    });
    walk.field(field, Some(at), field.ty.decode(bytes.unwrap_or_default()))
}
