//! Files that are begun rather than opened.

use super::{
    Agreed, DATA, File, HEADER1,
    checksum::{Checksum, Recipe},
    data::{Manager, Owner, record::ObjectRecord},
    form::FileForm,
    header::{Head, PACKED, Part0, Part1, SIGNATURE, WHOLE_COMPRESSED},
    included::{Included, Tail},
    open::opened,
    part::PlainSpan,
    plugins::{PluginGroup, Plugins},
    store::{Store, USUAL_LEVEL},
    table::{Object, ObjectHead, ObjectTable, Stub},
};
use spelunk_core::{
    Budget, Bytes, Result, Section, Span,
    scalar::{Guid, Word, fit},
};
use std::sync::Arc;
use zerocopy::FromZeros;

/// CkVersion of files that Virtools 2.1 writes: 13 February 2002.
const CK_VERSION: u32 = 0x1302_2002;
/// ProductBuild of Virtools 2.1.0.14.
const PRODUCT_BUILD: u32 = 0x0201_000E;

impl File {
    /// A file without objects, in the form in which Virtools 2.1.0.14 writes them: FileVersion 8, both sections packed.
    pub fn new() -> File {
        let mut part0 = Part0::new_zeroed();
        part0.signature.0 = SIGNATURE;
        part0.ck_version = Word::new(CK_VERSION);
        part0.file_version = 8.into();
        part0.write_mode = Word::new(WHOLE_COMPRESSED);
        let mut part1 = Part1::new_zeroed();
        part1.product_build = Word::new(PRODUCT_BUILD);
        let mut table = ObjectTable::default();
        table.plugins = Some(Plugins { at: 0, groups: Vec::new() });
        table.stub = Some(Stub { at: 0, count: Some(0), extra: Bytes::new() });
        let nothing = |space| Section::stored(Span::new(space, 0, 0), Bytes::new());
        let head = Head { part0, part1: Some(part1) };
        let checksum = Checksum { stored: 0, recipe: Recipe::Full, ok: true, checked: true };
        let tail = Tail { at: Span::file(Head::LEN, 0), included: Vec::new(), rest: Bytes::new() };
        File {
            agreed: Agreed::ALL,
            store: Store::Zlib(USUAL_LEVEL),
            ..opened(head, checksum, [nothing(HEADER1), nothing(DATA)], table, tail)
        }
    }
}

/// An object of a file that is made of its parts.
#[derive(Clone, Debug)]
pub(crate) struct NewObject {
    /// As it is stored: negative where the file only refers to it.
    pub(crate) id: i32,
    pub(crate) class_id: u32,
    pub(crate) name: Option<Arc<[u8]>>,
    /// Empty for none.
    pub(crate) chunk: Bytes,
}

/// Parts of a file.
#[derive(Clone, Debug)]
pub(crate) struct FileParts {
    pub(crate) form: FileForm,
    pub(crate) managers: Vec<(Guid, Bytes)>,
    pub(crate) objects: Vec<NewObject>,
    pub(crate) groups: Vec<PluginGroup>,
    pub(crate) included: Vec<Included>,
    /// Bytes behind all that.
    pub(crate) rest: Bytes,
}

impl File {
    /// A file of these parts, of the current generation.
    ///
    /// # Errors
    /// When something is too large; limits.
    pub(crate) fn of_parts(parts: FileParts, budget: &mut Budget) -> Result<File> {
        let FileParts { form, managers, objects, groups, mut included, rest } = parts;
        let mut file = File::new();
        file.head.part0.ck_version = Word::new(form.ck_version);
        file.head.part0.write_mode = Word::new(form.write_mode);
        if let Some(part1) = &mut file.head.part1 {
            part1.product_version = form.product_version.into();
            part1.product_build = Word::new(form.product_build);
        }
        file.store = match form.write_mode & PACKED {
            0 => Store::Plain,
            _ => Store::Zlib(form.level.map_or(USUAL_LEVEL, |level| level.clamp(1, 9))),
        };
        let mut entries = budget.vec(objects.len() as u64)?;
        let mut names = Vec::new();
        for object in &objects {
            let name = object.name.as_deref().unwrap_or_default();
            // Names are parts of one buffer, in which their entries stand before them.
            let len = size_of::<ObjectHead>().saturating_add(name.len());
            budget.memory(len as u64)?;
            names.resize(names.len().saturating_add(size_of::<ObjectHead>()), 0);
            let at = fit::<u32>(names.len() as u64, "name")?;
            let len = fit::<u32>(name.len() as u64, "name_length")?;
            names.extend_from_slice(name);
            let (id, class_id) = (object.id, object.class_id);
            entries.push(Object { id, class_id, file_index: 0, name: PlainSpan { at, len } });
        }
        let records = file.records_mut(budget)?;
        for ((guid, chunk), index) in managers.into_iter().zip(0..) {
            fit::<u32>(chunk.len() as u64, "size")?;
            records.managers.push(Manager { guid, chunk: PlainSpan::default() });
            records.edits.insert(Owner::Manager(index), chunk);
        }
        for (object, index) in objects.into_iter().zip(0..) {
            fit::<u32>(object.chunk.len() as u64, "size")?;
            records.objects.push(ObjectRecord { chunk: PlainSpan::default() });
            records.edits.insert(Owner::Object(index), object.chunk);
        }
        file.table.set_objects(entries, names.into());
        file.table.plugins = Some(Plugins { at: 0, groups });
        if let Some(stub) = &mut file.table.stub {
            included.sort_by_key(|file| !file.counted);
            stub.count = u32::try_from(included.iter().filter(|file| file.counted).count()).ok();
        }
        (file.tail.included, file.tail.rest) = (included, rest);
        Ok(file)
    }
}

impl Default for File {
    fn default() -> File {
        File::new()
    }
}
