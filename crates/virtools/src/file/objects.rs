//! Changes to objects: their values and names, and which of them there are.

use super::{
    File,
    data::{
        Owner, Records,
        record::{ObjectRecord, OldRecord},
    },
    header::Head,
    part::PlainSpan,
    table::Object,
    value::has_no_value,
};
use crate::{
    chunk::{Chunk, buffer::ChunkBuf, build::Builder, read::ObjRef},
    class::{Value, object::NAME},
    codec::{Saved, relink::Relink},
    codes,
};
use spelunk_core::{Budget, Bytes, Error, Result, Seg, Task, scalar::fit};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

/// Effects that the removal of objects had on references.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Removed {
    /// Objects that were removed.
    pub objects: u64,
    /// References to them, which are null now or were taken out of their lists.
    pub references: u64,
    /// Objects whose chunks are other ones now, be it only because positions are.
    pub changed: u64,
}

impl File {
    /// Puts a value in the place of what an object or a manager saved.
    ///
    /// # Errors
    /// [`codes::NOT_REPRODUCED`] where the chunk that there is cannot be made of its own value, so that more would
    /// change than the value says; those of [`File::set_chunk`]; [`codes::VALUE`] where lists do not belong together.
    pub fn set_value(
        &mut self,
        owner: Owner,
        value: &mut Saved<Value>,
        budget: &mut Budget,
    ) -> Result<()> {
        let mut faults = Vec::new();
        if let Some(mut old) = self.value(owner, &mut faults, budget)? {
            let stored = self.records(budget)?.chunk(owner, budget)?;
            if old.write()?.to_bytes()? != stored {
                return Err(Error::new(&codes::NOT_REPRODUCED));
            }
        }
        self.set_chunk(owner, value.write()?.to_bytes()?.into(), budget)
    }

    /// Gives an object another name. Below FileVersion 7 it is in the chunk of the object.
    ///
    /// # Errors
    /// When there is no such object, it has no chunk that could hold the name, or the name is too long.
    pub fn rename(&mut self, index: u32, name: &[u8], budget: &mut Budget) -> Result<()> {
        let class_id = self.class_of(index).ok_or_else(not_found)?;
        self.whole()?;
        if self.head.version() >= 7 {
            return self.table.set_entry(index, class_id, name, budget);
        }
        let owner = Owner::Object(index);
        let chunk = self.chunk(owner, budget)?.ok_or_else(not_found)?;
        let mut chunk = ChunkBuf::copy(&chunk, budget)?;
        set_name(&mut chunk, name)?;
        self.set_chunk(owner, chunk.to_bytes()?.into(), budget)
    }

    /// Adds an object behind the others, with a new id, saved as a new object of its class is
    /// (`docs/formats/virtools-classes.md#6-new-objects`); gives its position.
    ///
    /// # Errors
    /// [`codes::NO_OBJECTS`] and [`codes::NOTHING_KNOWN`] for classes that no new object can have; those of
    /// [`File::add_object_as`].
    pub fn add_object(&mut self, class_id: u32, name: &[u8], budget: &mut Budget) -> Result<u32> {
        let mut value = self.fresh_chunk(class_id, self.next_id()?, budget)?;
        let mut chunk = value.write()?;
        if self.head.version() < 7 {
            // There is no table: the name is the first thing in the chunk.
            set_name(&mut chunk, name)?;
        }
        self.add_object_as(class_id, name, chunk.to_bytes()?.into(), budget)
    }

    /// Adds an object behind the others, with a new id and this chunk; gives its position. Without a chunk it saved
    /// nothing, and no engine makes it.
    ///
    /// # Errors
    /// [`codes::MISFIT`] without a chunk below FileVersion 7, where class and name are in it; [`codes::DAMAGED`]; when
    /// ids or positions are used up.
    pub fn add_object_as(
        &mut self,
        class_id: u32,
        name: &[u8],
        chunk: Bytes,
        budget: &mut Budget,
    ) -> Result<u32> {
        self.is_sound()?;
        let version = self.head.version();
        if version < 7 && chunk.is_empty() {
            return Err(Error::new(&codes::MISFIT)
                .field("file_version")
                .expected("7 or later, where an object without a chunk has a class and a name")
                .found(version));
        }
        let id = self.next_id()?;
        let index = fit::<u32>(self.table.objects.len() as u64, "object_count")?;
        // As if it were behind the others; what FileIndex it has is found out when the file is written.
        let start = Head::LEN.saturating_add(self.header1.plain_len());
        let records = self.records_mut(budget)?;
        let at = fit::<u32>(records.plain().len().saturating_add(4) as u64, "data")?;
        budget.memory(size_of::<(Object, ObjectRecord)>() as u64)?;
        if version < 4 {
            // The class stands beside the data, which are stored as they are.
            records.old.push(OldRecord::new(class_id, chunk.clone(), index, None)?);
        }
        records.add_object(PlainSpan { at, len: 0 });
        let place = start.saturating_add(u64::from(at).saturating_sub(4));
        let file_index = fit::<u32>(place, "file_index")?;
        self.table.objects.push(Object {
            id: id.cast_signed(),
            class_id,
            file_index,
            name: PlainSpan::default(),
        });
        self.table.largest_id = Some(id);
        self.table.set_entry(index, class_id, name, budget)?;
        self.by_class = OnceLock::new();
        if !chunk.is_empty() {
            self.set_chunk(Owner::Object(index), chunk, budget)?;
        }
        if version < 7 {
            self.rename(index, name, budget)?;
        }
        Ok(index)
    }

    /// The id of an object to come.
    fn next_id(&self) -> Result<u32> {
        let id = self.largest_id().checked_add(1);
        let id = id.filter(|id| i32::try_from(*id).is_ok());
        id.ok_or_else(|| Error::new(&spelunk_core::codes::TOO_LARGE).field("id"))
    }

    /// Removes objects. References to them become null, or are taken out of lists whose items stand for themselves;
    /// all others go on to mean the same objects, whose positions may be others now.
    ///
    /// # Errors
    /// [`codes::UNTRACKED`] where chunks hold references that nothing is known of, unless `lossy`: then they stay as
    /// they are, and each such object is reported. [`codes::DAMAGED`]; limits.
    pub fn remove_objects(
        &mut self,
        indexes: &BTreeSet<u32>,
        lossy: bool,
        task: &mut Task<'_>,
    ) -> Result<Removed> {
        self.is_sound()?;
        if indexes.iter().any(|index| self.class_of(*index).is_none()) {
            return Err(not_found());
        }
        let records = self.records(&mut task.budget)?;
        if records.fault.is_some() {
            return Err(Error::new(&codes::DAMAGED));
        }
        let owners = (0..offset(records.managers.len())).map(Owner::Manager);
        let objects = (0..offset(self.table.objects.len())).map(Owner::Object);
        let owners: Vec<Owner> = owners.chain(objects).collect();
        let mut change = RemovalEffects::of(self, indexes, &mut task.budget)?;
        let mut chunks = Vec::new();
        for owner in owners {
            if matches!(owner, Owner::Object(index) if indexes.contains(&index)) {
                continue;
            }
            match self.without(owner, &mut change, &mut task.budget) {
                Ok(chunk) => chunks.extend(chunk.map(|chunk| (owner, chunk))),
                Err(error) if error.code().id == codes::UNTRACKED.id => {
                    let error = match owner {
                        Owner::Manager(index) => {
                            error.within(Seg::Index(index.into())).field("managers")
                        }
                        Owner::Object(index) => {
                            error.within(Seg::Index(index.into())).field("objects")
                        }
                    };
                    if !lossy {
                        return Err(error);
                    }
                    task.warn(error)?;
                }
                Err(error) => return Err(error),
            }
        }
        let removed = Removed {
            objects: indexes.len() as u64,
            references: change.references,
            changed: chunks.len() as u64,
        };
        for (owner, chunk) in chunks {
            self.set_chunk(owner, chunk, &mut task.budget)?;
        }
        self.records_mut(&mut task.budget)?.remove_objects(indexes);
        let mut index = 0_u32..;
        self.table.objects.retain(|_| !index.next().is_some_and(|index| indexes.contains(&index)));
        self.by_class = OnceLock::new();
        Ok(removed)
    }

    /// The chunk of an owner without references to removed objects; `None` where it stays as it is.
    fn without(
        &self,
        owner: Owner,
        change: &mut RemovalEffects,
        budget: &mut Budget,
    ) -> Result<Option<Bytes>> {
        let Some(chunk) = self.chunk(owner, budget)? else { return Ok(None) };
        let before = budget.left().memory;
        let mut faults = Vec::new();
        let mut saved = match self.value(owner, &mut faults, budget) {
            Ok(Some(saved)) => saved,
            Ok(None) => return Ok(None),
            // Without identifiers or of an unknown version: nothing is known of it.
            Err(error) if has_no_value(&error) => {
                return if change.can_be_in(&chunk) { Err(untracked()) } else { Ok(None) };
            }
            Err(error) => return Err(error),
        };
        let mut link = |reference| change.map(reference);
        let concerns = |word| change.concerns(word);
        let mut relink = Relink::new(&mut link, &concerns);
        saved.visit(&mut relink)?;
        let Relink { untracked: is_untracked, changed, gone, .. } = relink;
        change.references = change.references.saturating_add(gone);
        let result = if is_untracked {
            Err(untracked())
        } else if changed {
            let stored = self.records(budget)?.chunk(owner, budget)?;
            let same =
                self.value(owner, &mut faults, budget)?.map(|mut old| old.write()?.to_bytes());
            match same.transpose()? {
                Some(same) if same == stored => Ok(Some(saved.write()?.to_bytes()?.into())),
                _ => Err(untracked()),
            }
        } else {
            Ok(None)
        };
        budget.release(before.saturating_sub(budget.left().memory));
        result
    }

    /// Agrees to objects that come and go.
    fn is_sound(&self) -> Result<()> {
        let sound = |records: &Records| records.fault.is_none();
        self.whole()?;
        if !self.records.get().is_none_or(sound) {
            return Err(Error::new(&codes::DAMAGED));
        }
        Ok(())
    }
}

/// Effects of the removal of objects on references.
struct RemovalEffects {
    /// New positions by old ones; `None` for those that go.
    positions: Vec<Option<u32>>,
    /// The first position that changes.
    first: u32,
    /// Ids of those that go.
    ids: BTreeSet<u32>,
    references: u64,
}

impl RemovalEffects {
    fn of(file: &File, indexes: &BTreeSet<u32>, budget: &mut Budget) -> Result<RemovalEffects> {
        let objects = &file.table.objects;
        let mut positions = budget.vec(objects.len() as u64)?;
        let mut next = 0_u32;
        let mut ids = BTreeSet::new();
        for (object, index) in objects.iter().zip(0..) {
            if indexes.contains(&index) {
                positions.push(None);
                ids.insert(object.id.unsigned_abs());
            } else {
                positions.push(Some(next));
                next = next.saturating_add(1);
            }
        }
        let first = indexes.first().copied().unwrap_or(u32::MAX);
        Ok(RemovalEffects { positions, first, ids, references: 0 })
    }

    /// Whether a chunk that nothing is known of can refer to an object by a position that changes.
    fn can_be_in(&self, chunk: &Chunk<'_>) -> bool {
        chunk.file_mode && chunk.data.iter().any(|word| self.concerns(word.get()))
    }

    /// Whether a dword can be a position that changes.
    fn concerns(&self, word: u32) -> bool {
        word >= self.first && (word as usize) < self.positions.len()
    }

    /// New value of a reference; `None` where its target goes.
    fn map(&self, reference: ObjRef) -> Option<u32> {
        match reference {
            ObjRef::Null => None,
            ObjRef::Index(index) => {
                self.positions.get(index as usize).copied().unwrap_or(Some(index))
            }
            ObjRef::Id(id) => (!self.ids.contains(&id)).then_some(id),
        }
    }
}

impl Records {
    fn add_object(&mut self, chunk: PlainSpan) {
        self.objects.push(ObjectRecord { chunk });
    }

    /// Takes records away; the chunks that others were given follow them to their new positions.
    fn remove_objects(&mut self, indexes: &BTreeSet<u32>) {
        let mut index = 0_u32..;
        self.objects.retain(|_| !index.next().is_some_and(|index| indexes.contains(&index)));
        let mut index = 0_u32..;
        self.old.retain(|_| !index.next().is_some_and(|index| indexes.contains(&index)));
        let gone: Vec<u32> = indexes.iter().copied().collect();
        let mut edits = BTreeMap::new();
        for (owner, chunk) in std::mem::take(&mut self.edits) {
            let owner = match owner {
                Owner::Object(index) if indexes.contains(&index) => continue,
                Owner::Object(index) => {
                    let before = gone.partition_point(|gone| *gone < index);
                    Owner::Object(index.saturating_sub(offset(before)))
                }
                manager @ Owner::Manager(_) => manager,
            };
            edits.insert(owner, chunk);
        }
        self.edits = edits;
    }
}

/// Puts a name into a chunk of a file below FileVersion 7.
fn set_name(chunk: &mut ChunkBuf, name: &[u8]) -> Result<()> {
    let mut content = Builder::new(chunk.header);
    content.string(Some(name))?;
    chunk.set_section(NAME, &content.finish())
}

#[cold]
fn untracked() -> Error {
    Error::new(&codes::UNTRACKED)
}

fn not_found() -> Error {
    Error::new(&spelunk_core::codes::NOT_FOUND)
}

fn offset(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}
