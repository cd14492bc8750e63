//! A map as values: its terrain, its things with a place, its lakes and its overview picture.
//!
//! Damage of a chunk is a finding with its place, and what can be read of the chunk and of all others is there.

use super::{
    Section, SectionForm,
    ground::{Ground, GroundReader},
    overview::OVERVIEW,
    places::LAKES,
    records::{Starts, walk_record, walk_section},
    sections::SECTIONS,
    terrain::TERRAIN,
};
use crate::{bytes::tolerate, cff::ChunkFile};
use spelunk_core::{
    Bytes, Error, Field, Group, Result, Span, Task, Val, Walk, Walked,
    source::part,
    walk::{Halt, Shape, Step, finish},
};

/// Bytes that the terrain takes for each byte of its chunk, while its values grow.
const HELD: u64 = 2;

/// The number of components that are portals.
const PORTAL: u64 = 22;

/// A map of SpellForce 2. What a chunk that is not there would hold is empty.
#[derive(Clone, Default, Debug)]
pub struct Map {
    /// The terrain.
    pub ground: Ground,
    /// All records with a place but lakes, chunk by chunk in the order of [`SECTIONS`].
    pub things: Vec<Thing>,
    /// Lakes.
    pub lakes: Vec<Lake>,
    /// The overview picture.
    pub picture: Option<Picture>,
}

/// A record with a place.
#[derive(Clone, Debug)]
pub struct Thing {
    /// Section of the record.
    pub section: &'static Section,
    /// Position among the records of its chunk.
    pub index: usize,
    /// Bytes of the record.
    pub bytes: Bytes,
    /// Place of the bytes.
    pub at: Span,
    /// Position: x to the east, y upwards, z to the north.
    pub position: [f32; 3],
    /// Turns about x, y and z, in radians.
    pub rotation: [f32; 3],
    /// Size, of which 1 is the usual one.
    pub scale: f32,
    /// Number of the kind; `None` for things without kinds.
    pub kind: Option<u32>,
    /// The name by which scripts know it.
    pub tag: Option<Vec<u8>>,
    /// Whether it leads to another map.
    pub is_portal: bool,
}

impl Thing {
    /// Walks the fields of the record.
    ///
    /// # Errors
    /// What the walker returns; limits.
    pub fn walk(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        match self.section.records() {
            Some(record) => walk_record(record, &self.bytes, self.at, task, walk),
            None => Ok(()),
        }
    }
}

/// A lake.
#[derive(Clone, Debug)]
pub struct Lake {
    /// Record and place.
    pub thing: Thing,
    /// Version of the layout; bit 7 and versions below 4 stand for an older rule of filling.
    pub version: u8,
    /// Height of the water.
    pub level: f32,
    /// Number of the filling.
    pub form: u8,
}

/// The overview picture.
#[derive(Clone, Default, Debug)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Four bytes for each pixel: blue, green, red and alpha; the northern row first.
    pub bgra: Vec<u8>,
}

impl Map {
    /// Reads a map.
    ///
    /// # Errors
    /// Reading errors; what the sink of the task makes of damage.
    pub fn read(file: &ChunkFile, task: &mut Task<'_>) -> Result<Map> {
        let mut ground = GroundReader::default();
        walk_chunks(file, &TERRAIN, HELD, task, tolerate, &mut ground)?;
        let mut ground = ground.ground;
        ground.settle();
        task.budget.memory(ground.held())?;
        let mut picture = PictureReader::default();
        walk_chunks(file, &OVERVIEW, HELD, task, tolerate, &mut picture)?;
        let picture = picture.finish();
        task.budget.memory(picture.as_ref().map_or(0, |picture| picture.bgra.len()) as u64)?;
        let mut map = Map { ground, picture, ..Map::default() };
        for section in SECTIONS {
            map.read_records(file, section, task)?;
        }
        Ok(map)
    }

    /// Reads the records of a section that have a place.
    fn read_records(
        &mut self,
        file: &ChunkFile,
        section: &'static Section,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let SectionForm::Records(class, record) = section.form else { return Ok(()) };
        for n in file.with_id(section.id) {
            let Some(plain) = plain(file, section, *n, task, tolerate)? else { continue };
            let at = file.plain_at(*n);
            let (starts, _) = Starts::find(class, record, (&plain, at), &mut task.budget)?;
            for index in 0..starts.len() {
                let range = starts.range(index).unwrap_or_default();
                let at = at.part(range.start as u64, range.len() as u64);
                let bytes = part(&plain, range.start as u64..range.end as u64).unwrap_or_default();
                let mut seen = ThingReader::default();
                finish(walk_record(record, &bytes, at, task, &mut seen))?;
                let Some(position) = seen.position.whole() else { continue };
                let tag = seen.tag.take();
                task.budget.memory(tag.as_ref().map_or(0, Vec::len) as u64)?;
                let thing = Thing {
                    section,
                    index,
                    bytes,
                    at,
                    position,
                    rotation: seen.rotation.whole().unwrap_or_default(),
                    scale: seen.scale.unwrap_or(1.0),
                    kind: seen.kind,
                    tag,
                    is_portal: seen.is_portal,
                };
                match (section.id == LAKES.id, seen.level) {
                    (false, _) => {
                        task.budget.room(&mut self.things, 1)?;
                        self.things.push(thing);
                    }
                    (true, Some(level)) => {
                        task.budget.room(&mut self.lakes, 1)?;
                        let ThingReader { version, form, .. } = seen;
                        self.lakes.push(Lake { thing, version, level, form });
                    }
                    // Without a level it covers nothing.
                    (true, None) => {}
                }
            }
        }
        Ok(())
    }
}

/// The plain data of a chunk of a section; `None` where it is of another data type or cannot be read, which `damaged` hears of.
fn plain(
    file: &ChunkFile,
    section: &Section,
    n: u32,
    task: &mut Task<'_>,
    damaged: fn(Error, &mut Task<'_>) -> Result<()>,
) -> Result<Option<Bytes>> {
    let is_known = |chunk: &&_| {
        let chunk: &crate::cff::Chunk = chunk;
        !chunk.is_damaged() && chunk.data_type() == section.data_type
    };
    if file.chunk(n).filter(is_known).is_none() {
        return Ok(None);
    }
    match file.plain(n, &mut task.budget) {
        Ok(plain) => Ok(Some(plain.clone())),
        Err(error) => damaged(error, task).map(|()| None),
    }
}

/// Walks the chunks of a section, as far as they can be read. There has to be memory for what is kept of them: so many bytes
/// for each byte of theirs at the most.
///
/// # Errors
/// What `damaged` makes of a chunk that cannot be read; what the walker returns; limits.
pub(super) fn walk_chunks(
    file: &ChunkFile,
    section: &'static Section,
    held: u64,
    task: &mut Task<'_>,
    damaged: fn(Error, &mut Task<'_>) -> Result<()>,
    walk: &mut dyn Walk,
) -> Result<()> {
    for n in file.with_id(section.id) {
        let Some(plain) = plain(file, section, *n, task, damaged)? else { continue };
        let data = (&*plain, file.plain_at(*n));
        let budget = &mut task.budget;
        let starts = match section.form {
            SectionForm::Records(class, record) => Starts::find(class, record, data, budget)?.0,
            SectionForm::Single(_) | SectionForm::Empty => Starts::NONE,
        };
        budget.afford((plain.len() as u64).saturating_mul(held))?;
        finish(walk_section(section, &starts, data, task, walk))?;
    }
    Ok(())
}

/// Three numbers, as they come.
#[derive(Default)]
struct Triple {
    values: [f32; 3],
    count: usize,
}

impl Triple {
    fn push(&mut self, value: f32) {
        if let Some(place) = self.values.get_mut(self.count) {
            *place = value;
            self.count = self.count.saturating_add(1);
        }
    }

    fn whole(&self) -> Option<[f32; 3]> {
        let is_finite = self.values.iter().all(|value| value.is_finite());
        (self.count == self.values.len() && is_finite).then_some(self.values)
    }
}

/// Walker that takes what is drawn of a record.
#[derive(Default)]
struct ThingReader {
    depth: u32,
    position: Triple,
    rotation: Triple,
    kind: Option<u32>,
    scale: Option<f32>,
    tag: Option<Vec<u8>>,
    is_portal: bool,
    version: u8,
    level: Option<f32>,
    form: u8,
}

impl Walk for ThingReader {
    fn enter(&mut self, _: &Group<'_>) -> std::result::Result<Step, Halt> {
        self.depth = self.depth.saturating_add(1);
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, value: Val<'_>) -> Walked {
        match (self.depth, field.name, value) {
            (_, "position", Val::F(value)) => self.position.push(value),
            (_, "rotation", Val::F(value)) => self.rotation.push(value),
            (0, "kind", Val::U(kind)) => self.kind = u32::try_from(kind).ok(),
            (0, "scale", Val::F(scale)) if scale.is_finite() => self.scale = Some(scale),
            (0, "version", Val::U(version)) => self.version = u8::try_from(version).unwrap_or(0),
            (0, "level", Val::F(level)) if level.is_finite() => self.level = Some(level),
            (0, "form", Val::U(form)) => self.form = u8::try_from(form).unwrap_or_default(),
            (2, "kind", Val::U(kind)) => self.is_portal |= kind == PORTAL,
            (3, "tag", Val::Text(tag)) if self.tag.is_none() => self.tag = Some(tag.into_owned()),
            _ => {}
        }
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.depth = self.depth.saturating_sub(1);
        Ok(())
    }
}

/// Walker that takes the overview picture.
#[derive(Default)]
struct PictureReader {
    picture: Picture,
    descriptor: u64,
}

impl PictureReader {
    /// The picture, if all of its pixels are there.
    fn finish(self) -> Option<Picture> {
        let mut picture = self.picture;
        let row = (picture.width as usize).checked_mul(4).filter(|row| *row > 0)?;
        if picture.bgra.is_empty()
            || picture.bgra.len() != row.checked_mul(picture.height as usize)?
        {
            return None;
        }
        // Bit 5: the top row is the first one.
        if self.descriptor & 0x20 == 0 {
            let rows: Vec<&[u8]> = picture.bgra.rchunks(row).collect();
            picture.bgra = rows.concat();
        }
        Some(picture)
    }
}

impl Walk for PictureReader {
    fn enter(&mut self, _: &Group<'_>) -> std::result::Result<Step, Halt> {
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, _: Option<Span>, value: Val<'_>) -> Walked {
        match (field.name, value) {
            ("width", Val::U(width)) => self.picture.width = width as u32,
            ("height", Val::U(height)) => self.picture.height = height as u32,
            ("descriptor", Val::U(descriptor)) => self.descriptor = descriptor,
            ("pixels", Val::Bytes(row)) => self.picture.bgra.extend_from_slice(&row),
            _ => {}
        }
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}
