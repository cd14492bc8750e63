//! FileVersions: what each of them has a place for (`docs/formats/virtools.md#8-versions-and-products`).

use super::conversion::Conversion;
use crate::{
    chunk::{Form, buffer::ChunkBuf, build::Builder, edit::Position},
    class::object::NAME,
    codes,
    file::{
        data::{Owner, Prefix, record::OldRecord},
        header::{CHUNK_COMPRESSED_OLD, Part1},
        old_table,
        table::Stub,
    },
};
use spelunk_core::{Bytes, Class, Error, Result, scalar::Word};

/// ProductBuild for files that never stored theirs: 2.1.0.14, whose engine is the one that most games have.
const USUAL_BUILD: u32 = 0x0201_000E;

impl Conversion<'_, '_> {
    /// Sets the FileVersion, and takes along what the versions hold in different places.
    pub(super) fn set_version(&mut self) -> Result<()> {
        let prehistoric = self.file.head.is_prehistoric();
        self.file.head.part0.file_version = self.to.into();
        self.file.head.part0.file_version2 = 0.into();
        if self.from == self.to && !prehistoric {
            return Ok(());
        }
        self.set_headers()?;
        self.set_tables()?;
        self.set_managers()?;
        self.set_objects()
    }

    fn set_headers(&mut self) -> Result<()> {
        let head = &mut self.file.head;
        if self.to < 8 {
            head.part0.hdr1_pack_size = 0.into();
            head.part1.iter_mut().for_each(|part1| part1.hdr1_unpack_size = 0.into());
        }
        match (head.part1, self.to) {
            (Some(part1), ..5) => {
                head.part1 = None;
                let product = [part1.product_version.get(), part1.product_build.get()];
                if product != [0, 0] { self.misfit("words of the product", 2) } else { Ok(()) }
            }
            (None, 5..) => {
                head.part1 = Some(Part1 {
                    data_pack_size: 0.into(),
                    data_unpack_size: 0.into(),
                    manager_count: 0.into(),
                    object_count: 0.into(),
                    max_id: 0.into(),
                    product_version: 0.into(),
                    product_build: Word::new(USUAL_BUILD),
                    hdr1_unpack_size: 0.into(),
                });
                self.unknown("the product that saved the file; 2.1.0.14 is written")
            }
            _ => Ok(()),
        }
    }

    /// Reports what the old version alone can hold.
    fn lost(&mut self, what: String) -> Result<()> {
        self.task.warn(Error::new(&codes::LOST).found(what))
    }

    /// Reports what an upgrade cannot know.
    fn unknown(&mut self, what: impl Into<String>) -> Result<()> {
        self.task.note(Error::new(&codes::UNKNOWN).found(what.into()))
    }

    /// Plugin dependencies, the stub and included files, which exist from FileVersion 8 on.
    fn set_tables(&mut self) -> Result<()> {
        if self.to < 8 && self.from >= 8 {
            let table = &mut self.file.table;
            let groups = table.plugins.take().map_or(0, |plugins| plugins.groups.len());
            let included = self.file.tail.included.len();
            let stub = table.stub.take();
            let counted = stub.as_ref().and_then(|stub| stub.count).unwrap_or(0) as usize;
            let extra = stub.map_or(0, |stub| stub.extra.len());
            let rest = std::mem::take(&mut table.rest).len as usize;
            let tail = self.file.tail.rest.len();
            self.file.tail.included.clear();
            self.file.tail.rest = Bytes::new();
            for (what, count) in [
                ("groups of plugin dependencies", groups),
                ("bytes behind the count of the stub", extra),
                ("bytes behind the stub", rest),
                ("included files", included),
                ("included files that are counted and missing", counted.saturating_sub(included)),
                ("bytes behind the Data section", tail),
            ] {
                if count > 0 {
                    self.misfit(what, count)?;
                }
            }
        }
        if self.to >= 8 && self.from < 8 {
            let count = u32::try_from(self.file.tail.included.len()).ok();
            let plugins = self.file.plugin_dependencies(&mut self.task.budget)?.into_owned();
            self.file.table.plugins = Some(plugins);
            self.file.table.stub = Some(Stub { at: 0, count, extra: Bytes::new() });
        }
        Ok(())
    }

    /// Managers, which exist from FileVersion 6 on.
    fn set_managers(&mut self) -> Result<()> {
        let records = self.file.records_mut(&mut self.task.budget)?;
        records.prefix =
            (self.to < 8).then(|| Prefix { save_id_max: 0.into(), object_count: 0.into() });
        // Where nothing gives the size of Data, bytes behind the records are not a part of it.
        let rest = if self.to < 5 { std::mem::take(&mut records.rest).len as usize } else { 0 };
        let managers = if self.to < 6 { records.remove_managers() } else { 0 };
        if rest > 0 {
            self.misfit("bytes behind the records", rest)?;
        }
        if managers > 0 { self.misfit("managers", managers) } else { Ok(()) }
    }

    fn set_objects(&mut self) -> Result<()> {
        let (from, to) = (self.from, self.to);
        if from < 4 && to < 4 {
            self.file.records_mut(&mut self.task.budget)?.renumber(to);
            return Ok(());
        }
        if from >= 4 && to >= 4 && (from < 7 || to >= 7) {
            // The chunks are the same ones.
            self.file.records_mut(&mut self.task.budget)?.set_version(to, Vec::new(), Vec::new());
            return Ok(());
        }
        let mut old = self.task.budget.vec(if to < 4 { self.count().into() } else { 0 })?;
        let mut flags = 0_usize;
        let packed = self.file.head.write_mode() & CHUNK_COMPRESSED_OLD != 0;
        let level = packed.then_some(self.level);
        let mut edits = Vec::new();
        let (mut held, mut dropped) = (0_u64, 0_u64);
        for index in 0..self.count() {
            let owner = Owner::Object(index);
            let class_id = self.file.class_of(index).unwrap_or(0);
            let before = self.task.budget.left().memory;
            if from < 4 {
                let records = self.file.records(&mut self.task.budget)?;
                let odd = |old: &OldRecord| old.save_flags != 0;
                flags =
                    flags.saturating_add(records.old.get(index as usize).is_some_and(odd).into());
            }
            let chunk = match self.chunk(owner) {
                Ok(Some(chunk)) => {
                    let chunk = self.fitting(index, class_id, chunk)?;
                    held = held.saturating_add(1);
                    dropped = dropped.saturating_add(chunk.is_none().into());
                    chunk
                }
                Ok(None) => {
                    let named = self.file.table.objects.get(index as usize);
                    let named = named.is_some_and(|object| !object.name.is_empty());
                    if to < 7 && (named || class_id != 0) {
                        self.misfit_of(
                            index,
                            "class and name of an object without a chunk".into(),
                        )?;
                    }
                    None
                }
                Err(error) if error.code().class == Class::Malformed => {
                    self.misfit_of(index, format!("a chunk that cannot be read ({error})"))?;
                    None
                }
                Err(error) => return Err(error),
            };
            let bytes = match chunk {
                Some(chunk) => Bytes::from(chunk.to_bytes()?),
                None => Bytes::new(),
            };
            // The copies that were worked on are gone.
            self.task.budget.release(before.saturating_sub(self.task.budget.left().memory));
            self.task.budget.memory(bytes.len() as u64)?;
            if to < 4 {
                old.push(OldRecord::new(class_id, bytes, index, level)?);
            } else {
                edits.push((owner, bytes));
            }
        }
        if self.lossy && held > 0 && dropped == held {
            return Err(Error::new(&codes::NOTHING_LEFT)
                .expected(format!("chunks that FileVersion {to} can hold"))
                .found(format!("{dropped} of other generations")));
        }
        if flags > 0 {
            self.lost(format!("SaveFlags of {flags} objects"))?;
        }
        self.file.records_mut(&mut self.task.budget)?.set_version(to, old, edits);
        Ok(())
    }

    /// The chunk as the wanted version holds it; `None` where it does not.
    fn fitting(&mut self, index: u32, class_id: u32, chunk: ChunkBuf) -> Result<Option<ChunkBuf>> {
        let mut chunk = chunk;
        if self.from < 4 && self.to >= 4 {
            chunk = chunk.to_form_a()?;
        }
        if self.to < 7 && self.from >= 7 {
            if chunk.view(self.file.data.plain_at()).is_opaque() {
                self.misfit_of(index, "class and name of a chunk of an unknown version".into())?;
                return Ok((self.to >= 4).then_some(chunk));
            }
            if chunk.header.form == Form::C && class_id > u8::MAX.into() {
                self.misfit_of(index, format!("class {class_id} in a chunk of generation C"))?;
            } else {
                chunk.header.class_id = class_id;
            }
            if let Err(error) = self.set_name(index, &mut chunk) {
                self.misfit_of(
                    index,
                    format!("a name in a chunk that has no place for it ({error})"),
                )?;
            }
        }
        if self.to >= 4 || self.from < 4 {
            return Ok(Some(chunk));
        }
        match chunk.to_bare() {
            Ok(bare) => Ok(Some(bare)),
            Err(error) => {
                self.misfit_of(index, format!("a chunk of a later kind ({error})"))?;
                Ok(None)
            }
        }
    }

    /// Puts the name of an object into its chunk, where versions without a table look for it.
    fn set_name(&mut self, index: u32, chunk: &mut ChunkBuf) -> Result<()> {
        let table = &self.file.table;
        let Some(object) = table.objects.get(index as usize) else { return Ok(()) };
        let name = table.name(object);
        let held = old_table::name(&chunk.view(self.file.data.plain_at()));
        if held.unwrap_or_default() == name {
            return Ok(());
        }
        let mut content = Builder::new(chunk.header);
        content.string(Some(name))?;
        match held {
            Some(_) => chunk.set_section(NAME, &content.finish()),
            None => chunk.insert_section(Position::First, NAME, &content.finish()),
        }
    }
}
