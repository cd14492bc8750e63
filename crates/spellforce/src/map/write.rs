//! A new map, and maps as chunk files: new ones, and old ones of which only the chunks change whose content did.
//! `docs/formats/map.md#1-chunks`.

use super::{
    HEIGHTS, Map, buildings, codes, decoration, flags, lakes, objects,
    read::Records,
    section::{CountPrefix, Row, Section, SectionForm},
    sections::SECTIONS,
    spawns, teams,
    terrain::{self, TileDefinition},
    units, weather,
};
use crate::cff::{ChunkFile, Content, Draft, FileHeader, Form, MAGIC, NewChunk};
use spelunk_core::{
    Budget, Bytes, Collect, Error, Record, Result, Source, Task,
    scalar::{U32, Word},
};
use std::{collections::BTreeMap, sync::Arc};
use zerocopy::IntoBytes;

/// The level of packed chunks of the community's editor.
const LEVEL: u8 = 6;

/// Sizes are an i16.
const SIZES: std::ops::RangeInclusive<u16> = 1..=i16::MAX.unsigned_abs();

impl Map {
    /// A flat map of tile 0 with the tile definitions of the community's editor, the textures with the lowest ids, clear
    /// weather, no decoration and nothing on it.
    ///
    /// # Errors
    /// [`codes::SHAPE`] for a size of 0 or above 32767; limits.
    pub fn new(size: u16, budget: &mut Budget) -> Result<Map> {
        if !SIZES.contains(&size) {
            return Err(shape("a size from 1 to 32767", "size").found(u64::from(size)));
        }
        let cells = usize::from(size).saturating_mul(size.into());
        let mut heights = budget.vec::<u16>(cells as u64)?;
        heights.resize(cells, 0);
        let zeros = |len: usize, budget: &mut Budget| -> Result<Bytes> {
            let mut zeros = budget.vec::<u8>(len as u64)?;
            zeros.resize(len, 0);
            Ok(zeros.into())
        };
        let mut weather = vec![0; weather::WEATHER.len()];
        weather.iter_mut().take(1).for_each(|clear| *clear = 100);
        Ok(Map {
            size,
            zero: 0,
            tiles: zeros(cells, budget)?,
            tile_definitions: (0..255).map(TileDefinition::of_new_map).collect(),
            texture_ids: terrain::default_textures(),
            heights,
            movement_flags: Vec::new(),
            vision_flags: Vec::new(),
            lakes: Vec::new(),
            decoration: zeros(decoration::CELLS, budget)?,
            decoration_groups: vec![<_ as Row>::filling(); 255],
            objects: Vec::new(),
            portals: Vec::new(),
            interactive: Vec::new(),
            buildings: Vec::new(),
            units: Vec::new(),
            weather,
            unit_groups: vec![0],
            teams: None,
            minimap: None,
            spawns: Vec::new(),
            coop: Vec::new(),
            flag_cells: Vec::new(),
        })
    }

    /// A new file: header words 3, 1, 0, 0, every chunk packed, in the order of the community's editor. Empty lists have no
    /// chunk.
    ///
    /// # Errors
    /// [`codes::SHAPE`]; limits.
    pub fn to_draft(&self, task: &mut Task<'_>) -> Result<Draft<'static>> {
        self.check()?;
        let header = FileHeader {
            magic: Word::new(MAGIC),
            format_version: U32::new(3),
            file_type: U32::new(1),
            file_version: U32::new(0),
            checksum: Word::new(0),
        };
        let mut draft = Draft::new(header, Form::Narrow);
        for section in SECTIONS {
            if section.id == HEIGHTS {
                for (y, row) in (0..).zip(self.height_rows()) {
                    let new = self.new_chunk(section, y, section.data_type, row, task)?;
                    draft.insert(usize::MAX, new);
                }
                continue;
            }
            if let Some((data_type, plain)) = self.plain(section, None)? {
                let new = self.new_chunk(section, 0, data_type, plain, task)?;
                draft.insert(usize::MAX, new);
            }
        }
        Ok(draft)
    }

    /// The bytes of a new file, see [`Map::to_draft`].
    ///
    /// # Errors
    /// Those of [`Map::to_draft`].
    pub fn to_source(&self, task: &mut Task<'_>) -> Result<Arc<dyn Source>> {
        self.to_draft(task)?.source(task)
    }

    /// The next state of the file that a map was read from: chunks whose content is another one get it, in the data type that
    /// they have where that can hold it; lists that are empty now go, new ones are put where the community's editor has them.
    /// Everything else stays as it is, unknown chunks and bytes behind the last record among it.
    ///
    /// # Errors
    /// [`codes::SHAPE`] for what changed; reading errors; limits.
    pub fn to_draft_of<'f>(&self, base: &'f ChunkFile, task: &mut Task<'_>) -> Result<Draft<'f>> {
        // Findings about the old chunks were reported when those were read.
        let mut sink = Collect::default();
        let mut quiet = Task::new(task.budget.clone(), &mut sink);
        let old = Map::read(base, &mut quiet)?;
        task.budget = quiet.budget;
        let mut draft = Draft::of(base);
        let mut changes = Changes { base, places: BTreeMap::new() };
        for section in SECTIONS {
            if section.id == HEIGHTS {
                self.change_heights(&old, &mut draft, &mut changes, task)?;
                continue;
            }
            if self.is_same(&old, section) {
                continue;
            }
            self.check_section(section)?;
            let there = base.with_id(section.id).first().copied();
            let chunk = there.and_then(|n| base.chunk(n));
            let known =
                chunk.map(crate::cff::Chunk::data_type).filter(|known| section.knows(*known));
            let plain = self.plain(section, known)?;
            match (there, plain) {
                (None, None) => {}
                (None, Some((data_type, plain))) => {
                    let new = self.new_chunk(section, 0, data_type, plain, task)?;
                    changes.put(place_of(base, SECTIONS, section), new);
                }
                (Some(n), None) => changes.remove(n),
                (Some(n), Some((data_type, plain))) => {
                    if known == Some(data_type) {
                        let rest = rest(base, n, section, task)?;
                        let plain = match rest.is_empty() {
                            true => plain,
                            false => [&*plain, &rest].concat().into(),
                        };
                        draft.set(n as usize, plain)?;
                    } else {
                        let is_packed = chunk.is_some_and(crate::cff::Chunk::is_packed);
                        let like = NewChunk::like(base, n, plain, is_packed, task)?;
                        changes.remove(n);
                        changes.put(n, NewChunk { data_type, ..like });
                    }
                }
            }
        }
        changes.apply(&mut draft)?;
        Ok(draft)
    }

    fn change_heights(
        &self,
        old: &Map,
        draft: &mut Draft<'_>,
        changes: &mut Changes<'_>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let is_as_large = self.size == old.size;
        if is_as_large && self.heights == old.heights {
            return Ok(());
        }
        let section = &terrain::HEIGHTS;
        self.check_section(section)?;
        let mut there: BTreeMap<i16, u32> = BTreeMap::new();
        for n in changes.base.with_id(HEIGHTS) {
            let Some(chunk) = changes.base.chunk(*n) else { continue };
            there.entry(chunk.occurrence()).or_insert(*n);
        }
        let side = usize::from(self.size).max(1);
        let mut before = old.heights.chunks_exact(side).filter(|_| is_as_large);
        let mut rows = 0_i16;
        for (row, heights) in self.height_rows().zip(self.heights.chunks_exact(side)) {
            let y = rows;
            rows = rows.saturating_add(1);
            if before.next() == Some(heights) {
                continue;
            }
            if let Some(n) = there.get(&y) {
                draft.set(*n as usize, row)?;
                continue;
            }
            // Before the row that follows, or behind the one that leads.
            let follows = there.range(y..).next().map(|(_, n)| *n);
            let leads = there.range(..y).next_back().map(|(_, n)| n.saturating_add(1));
            let place =
                follows.or(leads).unwrap_or_else(|| place_of(changes.base, SECTIONS, section));
            let new = self.new_chunk(section, y, section.data_type, row, task)?;
            changes.put(place, new);
        }
        // Rows that the map had and has no more. Those that never were in it stay.
        let gone = there.range(rows..).filter(|(y, _)| i32::from(**y) < i32::from(old.size));
        gone.for_each(|(_, n)| changes.remove(*n));
        Ok(())
    }

    /// The plain data of each row of heights.
    fn height_rows(&self) -> impl Iterator<Item = Bytes> + '_ {
        let rows = self.heights.chunks_exact(usize::from(self.size).max(1));
        rows.map(|row| row.iter().flat_map(|height| height.to_le_bytes()).collect())
    }

    fn new_chunk(
        &self,
        section: &Section,
        occurrence: i16,
        data_type: i16,
        plain: Bytes,
        task: &mut Task<'_>,
    ) -> Result<NewChunk> {
        task.budget.memory(plain.len() as u64)?;
        let content = Content::Packed(plain, LEVEL);
        Ok(NewChunk { id: section.id, occurrence, data_type, packed: 1, content })
    }

    /// Whether two maps have the same in a section.
    fn is_same(&self, old: &Map, section: &Section) -> bool {
        match section.shape {
            SectionForm::Tiles => {
                (self.size, self.zero, &self.tiles) == (old.size, old.zero, &old.tiles)
            }
            SectionForm::Decoration => self.decoration == old.decoration,
            SectionForm::Teams => (&self.teams, &self.minimap) == (&old.teams, &old.minimap),
            SectionForm::Rows(..) => self.records(section) == old.records(section),
            SectionForm::Heights => true,
        }
    }

    /// The records of a section as bytes in the newest layout; those of heights lie in chunks of their own.
    pub(super) fn records(&self, of: &Section) -> &[u8] {
        match of.id {
            id if id == terrain::DEFINITIONS.id => self.tile_definitions.as_bytes(),
            id if id == terrain::TEXTURES.id => &self.texture_ids,
            id if id == flags::MOVEMENT.id => self.movement_flags.as_bytes(),
            id if id == flags::VISION.id => self.vision_flags.as_bytes(),
            id if id == flags::BOTH.id => self.flag_cells.as_bytes(),
            id if id == lakes::SECTION.id => self.lakes.as_bytes(),
            id if id == decoration::GROUPS.id => self.decoration_groups.as_bytes(),
            id if id == objects::OBJECTS.id => self.objects.as_bytes(),
            id if id == objects::PORTALS.id => self.portals.as_bytes(),
            id if id == objects::INTERACTIVE.id => self.interactive.as_bytes(),
            id if id == buildings::BUILDINGS.id => self.buildings.as_bytes(),
            id if id == units::UNITS.id => self.units.as_bytes(),
            id if id == units::GROUPS.id => &self.unit_groups,
            id if id == weather::SECTION.id => &self.weather,
            id if id == spawns::SPAWNS.id => self.spawns.as_bytes(),
            id if id == spawns::COOP.id => self.coop.as_bytes(),
            _ => &[],
        }
    }

    /// The data type and the plain data of a section: the wanted data type where it can hold all values, else the newest.
    /// `None` where it is empty.
    fn plain(&self, section: &Section, wanted: Option<i16>) -> Result<Option<(i16, Bytes)>> {
        let newest = section.data_type;
        match section.shape {
            SectionForm::Tiles if self.tiles.is_empty() => Ok(None),
            SectionForm::Tiles => {
                let [low, high] = self.size.to_le_bytes();
                let plain = [[low, high, self.zero].as_slice(), &self.tiles].concat();
                Ok(Some((newest, plain.into())))
            }
            SectionForm::Heights => Ok(None),
            SectionForm::Decoration if self.decoration.is_empty() => Ok(None),
            SectionForm::Decoration => Ok(Some((newest, self.decoration.clone()))),
            SectionForm::Teams => {
                let Some(teams) = &self.teams else { return Ok(None) };
                let cooperative = teams.cooperative;
                let data_type = if cooperative { teams::COOPERATIVE } else { teams::MULTIPLAYER };
                let plain = teams::bytes(teams, self.minimap.as_ref())?;
                Ok(Some((data_type, plain.into())))
            }
            SectionForm::Rows(head, _) => {
                let records = self.records(section);
                let Some((_, newest_row)) = section.rows(newest) else { return Ok(None) };
                let size = (newest_row.size as usize).max(1);
                let count = records.len().checked_div(size).unwrap_or_default();
                if count == 0 {
                    return Ok(None);
                }
                let mut plain = head.encode(count).ok_or_else(|| too_many(section))?;
                let wanted = wanted.and_then(|wanted| Some((wanted, section.rows(wanted)?.1)));
                let (data_type, row) = wanted
                    .filter(|(_, row)| fits(section, records, size, row))
                    .unwrap_or((newest, newest_row));
                let kept = row.size as usize;
                let rows = records.chunks_exact(size);
                rows.for_each(|row| plain.extend_from_slice(row.get(..kept).unwrap_or(row)));
                Ok(Some((data_type, plain.into())))
            }
        }
    }

    fn check(&self) -> Result<()> {
        SECTIONS.iter().try_for_each(|section| self.check_section(section))
    }

    /// Whether a section can be written.
    fn check_section(&self, section: &Section) -> Result<()> {
        let cells = usize::from(self.size).saturating_mul(self.size.into());
        let has = |len: usize, wanted: usize, expected: &'static str| match len == wanted {
            true => Ok(()),
            false => Err(shape(expected, section.name).found(len)),
        };
        match section.shape {
            SectionForm::Tiles if !SIZES.contains(&self.size) => {
                Err(shape("a size from 1 to 32767", "size").found(u64::from(self.size)))
            }
            SectionForm::Tiles => has(self.tiles.len(), cells, "the square of the size"),
            SectionForm::Decoration if self.decoration.is_empty() => Ok(()),
            SectionForm::Decoration => {
                has(self.decoration.len(), decoration::CELLS, "1024 by 1024 cells, or none")
            }
            SectionForm::Teams if self.teams.is_none() && self.minimap.is_some() => {
                Err(shape("teams beside the minimap", section.name))
            }
            SectionForm::Teams | SectionForm::Heights => Ok(()),
            SectionForm::Rows(..) if section.id == HEIGHTS => {
                has(self.heights.len(), cells, "the square of the size")
            }
            SectionForm::Rows(CountPrefix::Fixed(count), _) => {
                let size = section.rows(section.data_type).map_or(1, |(_, row)| row.size as usize);
                match self.records(section).len() {
                    0 => Ok(()),
                    len => {
                        let found = len.checked_div(size).unwrap_or_default();
                        let error = shape("none, or all of them", section.name);
                        if found == count { Ok(()) } else { Err(error.found(found)) }
                    }
                }
            }
            SectionForm::Rows(..) => Ok(()),
        }
    }
}

/// Chunks that come and go, by the position in the old file before which they stand.
struct Changes<'f> {
    base: &'f ChunkFile,
    places: BTreeMap<u32, (bool, Vec<NewChunk>)>,
}

impl Changes<'_> {
    fn put(&mut self, place: u32, new: NewChunk) {
        self.places.entry(place).or_default().1.push(new);
    }

    fn remove(&mut self, place: u32) {
        self.places.entry(place).or_default().0 = true;
    }

    /// From the last place on, so that positions before it stay.
    fn apply(self, draft: &mut Draft<'_>) -> Result<()> {
        for (place, (goes, new)) in self.places.into_iter().rev() {
            let place = place as usize;
            if goes {
                draft.remove(place)?;
            }
            new.into_iter().rev().for_each(|new| draft.insert(place, new));
        }
        Ok(())
    }
}

/// The place of a section among all, as the community's editor writes them.
pub(crate) fn rank(sections: &[&Section], id: i16) -> Option<usize> {
    sections.iter().position(|section| section.id == id)
}

/// Before which chunk a new section of these belongs: the first one that is written behind it.
pub(crate) fn place_of(file: &ChunkFile, sections: &[&Section], of: &Section) -> u32 {
    let (own, chunks) = (rank(sections, of.id), file.chunks());
    let behind = chunks.iter().position(|chunk| rank(sections, chunk.id()) > own);
    behind.unwrap_or(chunks.len()) as u32
}

/// Whether an older layout can hold records: the fields that it leaves out have the values that they are filled up with.
fn fits(section: &Section, records: &[u8], size: usize, row: &Record) -> bool {
    let kept = row.size as usize;
    let filling = match section.id {
        id if id == buildings::BUILDINGS.id => {
            <buildings::Building as Row>::filling().as_bytes().to_vec()
        }
        _ => vec![0; size],
    };
    let left_out = filling.get(kept..).unwrap_or_default();
    records.chunks_exact(size).all(|record| record.get(kept..) == Some(left_out))
}

/// Returns the bytes behind the records of a chunk.
fn rest(file: &ChunkFile, n: u32, section: &Section, task: &mut Task<'_>) -> Result<Vec<u8>> {
    let Some(chunk) = file.chunk(n) else { return Ok(Vec::new()) };
    let Ok(plain) = file.plain(n, &mut task.budget) else { return Ok(Vec::new()) };
    let end = match (section.shape, section.rows(chunk.data_type())) {
        (_, Some((head, row))) => {
            let records = Records::of(head, row, plain, chunk.data_at());
            let size = records.count.saturating_mul(row.size as usize);
            records.start.saturating_add(size)
        }
        (SectionForm::Teams, None) => {
            let data_type = chunk.data_type();
            teams::read(plain, chunk.data_at(), data_type, &mut task.budget).end
        }
        _ => plain.len(),
    };
    Ok(plain.get(end..).unwrap_or_default().to_vec())
}

fn shape(expected: &'static str, field: &'static str) -> Error {
    Error::new(&codes::SHAPE).expected(expected).field(field)
}

#[cold]
fn too_many(section: &Section) -> Error {
    shape("fewer of them", section.name)
}
