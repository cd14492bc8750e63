//! Chunks of old generations and data versions, in the current layout
//! (`docs/formats/virtools-classes.md#old-data-versions`).

use super::conversion::Conversion;
use crate::{
    chunk::{
        Chunk, LAST_VERSION,
        buffer::{ChunkBuf, Header},
    },
    class::{
        Value,
        object::NAME,
        renew::{CURRENT, Old, Renew},
    },
    codec::{Array, Reference, Saved, read::Reader, visit::Refs},
    codes,
    file::{File, data::Owner, old_table, value::has_no_value},
};
use spelunk_core::{Budget, Bytes, Error, Field, Result, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use zerocopy::little_endian::U32;

/// Numbers of times that something happened to chunks of one class.
type ClassTally = BTreeMap<(String, String), u64>;

/// Why a chunk stays in its old layout.
enum Reason {
    /// Content that cannot be brought along.
    Content(String),
    /// A limit.
    Failed(Error),
}

impl From<Error> for Reason {
    fn from(error: Error) -> Reason {
        Reason::Failed(error)
    }
}

impl File {
    /// Whether any chunk is of an old generation, or of an old data version.
    ///
    /// # Errors
    /// When Data cannot be read; limits.
    pub fn has_old_chunks(&self, budget: &mut Budget) -> Result<bool> {
        let records = self.records(budget)?;
        let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        let objects = (0..count(records.objects.len())).map(Owner::Object);
        let managers = (0..count(records.managers.len())).map(Owner::Manager);
        budget.steps(records.objects.len() as u64)?;
        for owner in objects.chain(managers) {
            if self.head.version() < 4 || is_old(owner, records.chunk(owner, budget)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether the chunk of these bytes is of an old generation, or one of an object of an old data version.
fn is_old(owner: Owner, bytes: &[u8]) -> bool {
    let Some([data_version, _, chunk_version, _]) = bytes.first_chunk::<4>() else { return false };
    *chunk_version < LAST_VERSION || matches!(owner, Owner::Object(_)) && *data_version < CURRENT
}

impl Conversion<'_, '_> {
    /// Brings all chunks to the current generation and data version, as far as their layouts are known in both, and reports
    /// for each class how many were, and how many stay as they are and why.
    pub(super) fn renew_chunks(&mut self) -> Result<()> {
        self.task.budget.steps(self.count().into())?;
        self.task.budget.memory(u64::from(self.count()).saturating_mul(16))?;
        let mut positions = HashMap::new();
        for (object, index) in self.file.table.objects.iter().zip(0_u32..) {
            positions.entry(object.saved_id()).or_insert(index);
        }
        let managers = self.file.records(&mut self.task.budget)?.managers.len();
        let managers = (0..u32::try_from(managers).unwrap_or(u32::MAX)).map(Owner::Manager);
        let (mut renewed, mut left) = (ClassTally::new(), ClassTally::new());
        for owner in managers.chain((0..self.count()).map(Owner::Object)) {
            let records = self.file.records(&mut self.task.budget)?;
            if !is_old(owner, records.chunk(owner, &mut self.task.budget)?) {
                continue;
            }
            let before = self.task.budget.left().memory;
            self.renew_chunk(owner, &positions, &mut renewed, &mut left)?;
            self.task.budget.release(before.saturating_sub(self.task.budget.left().memory));
        }
        for ((class, what), count) in renewed {
            let found = format!("{class}, {what}: {count}");
            self.task.note(Error::new(&codes::RENEWED).found(found))?;
        }
        for ((class, why), count) in left {
            let found = format!("{class}, {why}: {count}");
            self.task.warn(Error::new(&codes::NOT_RENEWED).found(found))?;
        }
        Ok(())
    }

    fn renew_chunk(
        &mut self,
        owner: Owner,
        positions: &HashMap<u32, u32>,
        renewed: &mut ClassTally,
        left: &mut ClassTally,
    ) -> Result<()> {
        let (class, name) = self.class_and_name(owner)?;
        let add = |counts: &mut ClassTally, what: String| {
            let count = counts.entry((class.clone(), what)).or_default();
            *count = count.saturating_add(1);
        };
        let build = self.file.head.part1.map_or(0, |part1| part1.product_build.get());
        let budget = &mut self.task.budget;
        let mut value = match self.file.value(owner, &mut Vec::new(), budget) {
            Ok(Some(value)) => value,
            Ok(None) => return Ok(()),
            Err(error) if has_no_value(&error) => {
                add(left, format!("its chunk cannot be read ({})", error.code().id));
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let empty = self.file.empty_value(owner, budget)?.value;
        let [version, _, chunk_version, _] = value.header.versions.to_le_bytes();
        let old = Old { version, build, lossy: self.lossy };
        let steps = [
            (chunk_version < LAST_VERSION, ConversionTarget::Generation { positions }),
            (
                matches!(owner, Owner::Object(_)) && version < CURRENT,
                ConversionTarget::Layout(&old),
            ),
        ];
        let mut changed = false;
        for (_, target) in steps.into_iter().filter(|(is_old, _)| *is_old) {
            match target.reach(&value, &empty, budget) {
                Ok(new) => (value, changed) = (new, true),
                Err(Reason::Failed(error)) => return Err(error),
                Err(Reason::Content(why)) => {
                    add(left, why);
                    break;
                }
            }
        }
        if changed {
            add(renewed, format!("data version {version} and chunk version {chunk_version}"));
            let mut chunk = value.write()?;
            // The name stands in the object table.
            let held = old_table::name(&chunk.view(Span::file(0, 0))) == Some(&*name);
            if chunk_version < LAST_VERSION && held {
                chunk.remove_section(NAME)?;
            }
            self.put(owner, &chunk)?;
        }
        Ok(())
    }

    /// Names of the class of an object, or of a manager, and of the object.
    fn class_and_name(&mut self, owner: Owner) -> Result<(String, Vec<u8>)> {
        match owner {
            Owner::Object(index) => {
                let object = self.file.table.objects.get(index as usize).copied();
                let name = object.map(|object| self.file.table.name(&object).to_vec());
                let class_id = object.map_or(0, |object| object.class_id);
                Ok((self.file.class_name(class_id).into_owned(), name.unwrap_or_default()))
            }
            Owner::Manager(index) => {
                let managers = &self.file.records(&mut self.task.budget)?.managers;
                let guid = managers.get(index as usize).map(crate::entries::guid);
                Ok((format!("manager {}", guid.unwrap_or_default()), Vec::new()))
            }
        }
    }
}

/// Form that a chunk is to have.
enum ConversionTarget<'t> {
    /// Of the current generation, in file mode: references are positions in the object table, which `positions` gives by
    /// ids.
    Generation { positions: &'t HashMap<u32, u32> },
    /// Of the current data version.
    Layout(&'t Old),
}

impl ConversionTarget<'_> {
    fn reach(
        self,
        value: &Saved<Value>,
        empty: &Value,
        budget: &mut Budget,
    ) -> std::result::Result<Saved<Value>, Reason> {
        let mut new = value.clone();
        let [version, ..] = new.header.versions.to_le_bytes();
        match self {
            ConversionTarget::Generation { positions } => {
                let mut references = ToPositions { positions, depth: 0, seen: 0, unknown: false };
                new.visit(&mut references)?;
                if references.unknown {
                    let why =
                        "it holds something of which nothing is known, and that may be references";
                    return Err(Reason::Content(why.to_owned()));
                }
                let Header { class_id, .. } = new.header;
                new.header =
                    Header { file_mode: true, ..Header::new(class_id, version, LAST_VERSION) };
                let seen = references.seen;
                let mut again = checked(&mut new, empty, budget)?;
                let mut references = ToPositions { positions, depth: 0, seen: 0, unknown: false };
                again.visit(&mut references)?;
                if references.seen != seen {
                    let why =
                        "it holds references or objects that have no place in the chunk of a file";
                    return Err(Reason::Content(why.to_owned()));
                }
            }
            ConversionTarget::Layout(old) => {
                new.value.renew(old).map_err(|why| Reason::Content(why.to_owned()))?;
                let [_, rest @ ..] = new.header.versions.to_le_bytes();
                let [a, b, c] = rest;
                new.header.versions = u32::from_le_bytes([CURRENT, a, b, c]);
                checked(&mut new, empty, budget)?;
            }
        }
        Ok(new)
    }
}

/// Value that is read back, once a value was written.
fn checked(
    new: &mut Saved<Value>,
    empty: &Value,
    budget: &mut Budget,
) -> std::result::Result<Saved<Value>, Reason> {
    let unfit = |error: Error| Reason::Content(format!("it cannot be written so ({error})"));
    let bytes = Bytes::from(new.write().and_then(|chunk| chunk.to_bytes()).map_err(unfit)?);
    budget.touch(bytes.len() as u64)?;
    let view = Chunk::read(&bytes, Span::file(0, bytes.len() as u64))?;
    let mut again = Saved { value: empty.clone(), ..Saved::default() };
    let mut faults = Vec::new();
    Reader::read_into(&mut again, &view, &bytes, &mut faults, budget)?;
    let unknown = |value: &Saved<Value>| -> BTreeSet<u32> {
        let extras = value.extras.iter();
        extras.flat_map(|extras| &extras.unknown).map(|section| section.identifier).collect()
    };
    // A section whose old layout is not known must not be taken for one of the current layout.
    let (before, after) = (unknown(new), unknown(&again));
    if before != after || !faults.is_empty() {
        let mut sections: Vec<u32> = before.symmetric_difference(&after).copied().collect();
        if sections.is_empty() {
            sections.extend(&after);
        }
        let sections: Vec<String> = sections.iter().map(|it| format!("{it:#x}")).collect();
        let why = format!("the old layout of section {} is not known", sections.join(" or "));
        return Err(Reason::Content(why));
    }
    Ok(again)
}

/// Makes positions of the ids that stand in the chunk itself; those in sub-chunks stay.
struct ToPositions<'p> {
    positions: &'p HashMap<u32, u32>,
    /// Number of sub-chunks around the present one.
    depth: u32,
    /// References and sub-chunks so far.
    seen: u64,
    /// Whether there was something besides known fields.
    unknown: bool,
}

impl ToPositions<'_> {
    fn position(&self, id: u32) -> u32 {
        self.positions.get(&id).copied().filter(|_| id != 0).unwrap_or(u32::MAX)
    }
}

impl Refs for ToPositions<'_> {
    fn object(&mut self, _: &'static Field, file_mode: bool, value: &mut Reference) -> Result<()> {
        self.seen = self.seen.saturating_add(1);
        if !file_mode && self.depth == 0 {
            *value = Reference::index(self.position(value.value));
        }
        Ok(())
    }

    fn objects(
        &mut self,
        _: &'static Field,
        file_mode: bool,
        values: &mut Array<U32>,
        _: bool,
    ) -> Result<()> {
        self.seen = self.seen.saturating_add(values.len() as u64);
        if !file_mode && self.depth == 0 {
            let positions = values.iter().map(|id| U32::new(self.position(id.get())));
            *values = positions.collect::<Vec<_>>().into();
        }
        Ok(())
    }

    fn opaque(&mut self, chunk: &mut ChunkBuf) -> Result<()> {
        self.unknown |= self.depth == 0 && !chunk.header.file_mode && !chunk.data.is_empty();
        Ok(())
    }

    fn sub_chunk(&mut self, begins: bool) {
        self.seen = self.seen.saturating_add(begins.into());
        self.depth =
            if begins { self.depth.saturating_add(1) } else { self.depth.saturating_sub(1) };
    }
}
