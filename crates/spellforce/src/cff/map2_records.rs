//! The records of maps of SpellForce 2 as entries, `units[3]` or `1007[3]`, and what else their chunks hold.

use super::{
    chunk::{Chunk, Data, not_found},
    chunks::Chunks,
    detect::Kind,
    item::ChunkFileNode,
    within::WithinChunk,
};
use crate::{
    bytes::tolerate,
    fields::fields,
    map2::{self, Section, SectionForm, Starts, Structure},
};
use spelunk_core::{
    Bytes, Entry, Error, Field, Group, Result, Span, Task, Val, Walk, Walked,
    container::Each,
    source::part,
    text::CodePages,
    walk::{Halt, Shape, Step, finish},
};

fields! {
    RECORD: "record" U32 "Position of the record in its chunk, from 0 on.";
}

/// Finds the name by which scripts know a thing.
#[derive(Default)]
struct TagOf(Option<Vec<u8>>);

impl Walk for TagOf {
    fn enter(&mut self, _: &Group<'_>) -> std::result::Result<Step, Halt> {
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, value: Val<'_>) -> Walked {
        match value {
            Val::Text(tag) if field.name == "tag" => {
                self.0 = Some(tag.into_owned());
                Err(Halt::Stop)
            }
            _ => Ok(()),
        }
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}

/// Finds numbers that stand in no group.
struct Numbers<const N: usize> {
    names: [&'static str; N],
    found: [Option<u64>; N],
}

impl<const N: usize> Walk for Numbers<N> {
    fn enter(&mut self, _: &Group<'_>) -> std::result::Result<Step, Halt> {
        Ok(Step::Over)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, value: Val<'_>) -> Walked {
        if let Val::U(number) = value {
            let all = self.names.iter().zip(&mut self.found);
            all.filter(|(name, _)| **name == field.name)
                .for_each(|(_, found)| *found = Some(number));
        }
        if self.found.iter().all(Option::is_some) { Err(Halt::Stop) } else { Ok(()) }
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}

/// A record of a chunk.
struct Map2Record<'f> {
    record: &'static Structure,
    bytes: &'f [u8],
    at: Span,
}

impl Chunks {
    /// Whether the file is a map of SpellForce 2.
    pub fn is_map2(&self) -> bool {
        self.kind == Kind::SpellForce2Map
    }

    /// The section that explains a chunk of a map of SpellForce 2: its id and its data type are known.
    pub(super) fn map2_section(&self, chunk: &Chunk) -> Option<&'static Section> {
        let section = map2::section(chunk.id()).filter(|_| self.is_map2() && !chunk.is_damaged());
        section.filter(|section| section.data_type == chunk.data_type())
    }

    /// The structure of the records of such a chunk, where it has some.
    pub(super) fn map2_structure(&self, chunk: &Chunk) -> Option<&'static Structure> {
        self.map2_section(chunk)?.records()
    }

    /// The structure that such a chunk is as a whole, where it can be made of its fields.
    pub(super) fn map2_whole(&self, chunk: &Chunk) -> Option<&'static Structure> {
        match self.map2_section(chunk)?.form {
            SectionForm::Single(structure) => {
                (structure.is_made_of_fields() && chunk.plain_len() > 0).then_some(structure)
            }
            SectionForm::Records(..) | SectionForm::Empty => None,
        }
    }

    /// Where the records of a chunk start; nowhere in one that has none.
    fn starts(&self, n: u32, task: &mut Task<'_>) -> Result<&Starts> {
        static NOWHERE: Starts = Starts::NONE;
        let chunk = self.file.chunk(n).ok_or_else(not_found)?;
        let Some(SectionForm::Records(class, record)) = self.map2_section(chunk).map(|of| &of.form)
        else {
            return Ok(&NOWHERE);
        };
        let place = self.starts.of(n).ok_or_else(not_found)?;
        if let Some(starts) = place.get() {
            return Ok(starts);
        }
        let plain = self.file.plain(n, &mut task.budget)?;
        let mark = task.budget.mark();
        let data = (&**plain, self.file.plain_at(n));
        let (starts, _) = Starts::find(*class, record, data, &mut task.budget)?;
        Ok(task.budget.keep(mark, place, starts))
    }

    /// The number of records of a chunk. Damage that keeps them from being counted is reported.
    pub(super) fn count_map2_records(&self, n: u32, task: &mut Task<'_>) -> Result<Option<u64>> {
        match self.starts(n, task) {
            Ok(starts) => Ok(Some(starts.len() as u64)),
            Err(error) => tolerate(error, task).map(|()| None),
        }
    }

    /// The ends of the records in the plain data of a chunk.
    pub(super) fn map2_ends(&self, n: u32, task: &mut Task<'_>) -> Result<Vec<usize>> {
        let count = self.starts(n, task)?.len();
        let mut ends = task.budget.vec(count as u64)?;
        let starts = self.starts(n, task)?;
        ends.extend((0..count).filter_map(|nth| starts.range(nth)).map(|range| range.end));
        Ok(ends)
    }

    fn map2_record(&self, n: u32, nth: usize, task: &mut Task<'_>) -> Result<Map2Record<'_>> {
        let chunk = self.file.chunk(n).ok_or_else(not_found)?;
        let record = self.map2_structure(chunk).ok_or_else(not_found)?;
        let range = self.starts(n, task)?.range(nth).ok_or_else(not_found)?;
        let plain = self.file.plain(n, &mut task.budget)?;
        let at = self.file.plain_at(n).part(range.start as u64, range.len() as u64);
        Ok(Map2Record { record, bytes: plain.get(range).unwrap_or_default(), at })
    }

    /// Hands out a record. It is called by its tag, where it has one.
    pub(super) fn give_map2_record(
        &self,
        n: u32,
        nth: usize,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        let Map2Record { record, bytes, at } = self.map2_record(n, nth, task)?;
        task.budget.steps(1)?;
        let chunk = self.file.chunk(n).ok_or_else(not_found)?;
        let mut tag = TagOf::default();
        finish(map2::walk_record(record, bytes, at, task, &mut tag))?;
        let label = tag.0.map(|tag| CodePages::cp1252().show(&tag).into_owned());
        let details = |task: &mut Task<'_>, walk: &mut dyn Walk| -> Walked {
            walk.field(&RECORD, None, nth.into())?;
            map2::walk_record(record, bytes, at, task, walk)
        };
        each(
            &Entry {
                node: ChunkFileNode::Row(n, nth as u32).node(),
                path: &format!("{}[{nth}]", self.file.path(chunk)),
                kind: record.record.name,
                name: None,
                label: label.as_deref().filter(|label| !label.is_empty()),
                size: bytes.len() as u64,
                stored_size: None,
                details: &details,
            },
            task,
        )
    }

    /// Hands out the records of a chunk.
    pub(super) fn give_map2_records(&self, n: u32, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let count = match self.starts(n, task) {
            Ok(starts) => starts.len(),
            Err(error) => tolerate(error, task).map(|()| 0)?,
        };
        (0..count).try_for_each(|nth| self.give_map2_record(n, nth, task, each))
    }

    /// The bytes of a record.
    pub(super) fn map2_record_bytes(
        &self,
        n: u32,
        nth: usize,
        task: &mut Task<'_>,
    ) -> Result<Bytes> {
        let range = self.starts(n, task)?.range(nth).ok_or_else(not_found)?;
        let plain = self.file.plain(n, &mut task.budget)?;
        part(plain, range.start as u64..range.end as u64).ok_or_else(not_found)
    }

    /// Walks a record.
    pub(super) fn walk_map2_record(
        &self,
        n: u32,
        nth: usize,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let Map2Record { record, bytes, at } = self.map2_record(n, nth, task)?;
        map2::walk_record(record, bytes, at, task, walk)
    }

    /// Walks the plain data of a chunk.
    pub(super) fn walk_map2_chunk(
        &self,
        data: Data<'_>,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let section = self.file.chunk(data.position).and_then(|chunk| self.map2_section(chunk));
        let Some(section) = section else { return data.walk(walk) };
        let starts = self.starts(data.position, task)?;
        map2::walk_section(section, starts, (data.plain, data.at), task, walk)
    }

    /// Numbers of the chunk that paths call so, which is one structure.
    pub(super) fn values_of<const N: usize>(
        &self,
        chunk: &str,
        names: [&'static str; N],
        task: &mut Task<'_>,
    ) -> Result<[Option<u64>; N]> {
        let mut numbers = Numbers { names, found: [None; N] };
        let id = map2::section_named(chunk).map(|section| section.id);
        let first = id.and_then(|id| self.file.with_id(id).first());
        if let Some(position) = first {
            match self.file.plain(*position, &mut task.budget).cloned() {
                Ok(plain) => {
                    let (position, at) = (*position, self.file.plain_at(*position));
                    let data = Data { position, plain: &plain, at };
                    finish(self.walk_map2_chunk(data, task, &mut numbers))?;
                }
                Err(error) => tolerate(error, task)?,
            }
        }
        Ok(numbers.found)
    }

    /// Reports what is not known of a chunk.
    pub(super) fn verify_map2_chunk(&self, n: u32, task: &mut Task<'_>) -> Result<()> {
        let Some(chunk) = self.file.chunk(n).filter(|chunk| !chunk.is_damaged()) else {
            return Ok(());
        };
        let found = match self.map2_section(chunk) {
            Some(section) => {
                let at = self.file.plain_at(n);
                let checked = self.file.plain(n, &mut task.budget);
                let checked = checked.cloned();
                match checked.and_then(|it| map2::check(section, &it, at, &mut task.budget)) {
                    // Who inflates all chunks reports that one cannot be.
                    Err(error) if !error.ends_work() => None,
                    checked => checked?.map(|error| error.with_code(&map2::codes::LAYOUT)),
                }
            }
            None => map2::section(chunk.id()).map(|section| {
                let error = Error::new(&map2::codes::DATA_TYPE).at(chunk.at().part(10, 2));
                let error = error.expected(i32::from(section.data_type));
                error.found(i32::from(chunk.data_type())).field("data_type")
            }),
        };
        found.map_or(Ok(()), |error| task.note(error.within_chunk(n as usize)))
    }
}
