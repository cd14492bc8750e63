//! A map as values of its own, read from its chunks.
//!
//! Damage of a chunk is a finding with its place, and what can be read of the chunk and of all others is there.

use super::{
    HEIGHTS, Map, TILES, buildings, codes, decoration, flags, lakes, objects,
    section::{CountPrefix, Row, Section},
    spawns, teams,
    terrain::{self, TilesHead},
    units, weather,
};
use crate::{
    bytes::tolerate,
    cff::{Chunk, ChunkFile},
};
use spelunk_core::{Bytes, Error, Record, Result, Span, Task, source::part};
use zerocopy::{FromBytes, IntoBytes};

impl Map {
    /// Reads a map. Of several chunks with one id (rows of heights apart) the first one counts.
    ///
    /// # Errors
    /// [`CFF_SPEC_HEADERS`](crate::codes::CFF_SPEC_HEADERS) in the dialect `spec`, whose maps are laid out otherwise; reading
    /// errors; what the sink of the task makes of damage.
    pub fn read(file: &ChunkFile, task: &mut Task<'_>) -> Result<Map> {
        file.refuse_spec()?;
        let mut reader = MapReader { file, task };
        let ground = reader.ground()?;
        let heights = reader.heights(ground.size)?;
        let (teams, minimap) = reader.teams()?;
        Ok(Map {
            size: ground.size,
            zero: ground.zero,
            tiles: ground.tiles,
            tile_definitions: reader.rows(&terrain::DEFINITIONS)?,
            texture_ids: reader.bytes(&terrain::TEXTURES)?,
            heights,
            movement_flags: reader.rows(&flags::MOVEMENT)?,
            vision_flags: reader.rows(&flags::VISION)?,
            lakes: reader.rows(&lakes::SECTION)?,
            decoration: reader.decoration()?,
            decoration_groups: reader.rows(&decoration::GROUPS)?,
            objects: reader.rows(&objects::OBJECTS)?,
            portals: reader.rows(&objects::PORTALS)?,
            interactive: reader.rows(&objects::INTERACTIVE)?,
            buildings: reader.rows(&buildings::BUILDINGS)?,
            units: reader.rows(&units::UNITS)?,
            weather: reader.bytes(&weather::SECTION)?,
            unit_groups: reader.bytes(&units::GROUPS)?,
            teams,
            minimap,
            spawns: reader.rows(&spawns::SPAWNS)?,
            coop: reader.rows(&spawns::COOP)?,
            flag_cells: reader.rows(&flags::BOTH)?,
        })
    }
}

/// Place of the records in the plain data of a chunk, and what is wrong with their number.
pub(crate) struct Records {
    /// Number of bytes before the records.
    pub(crate) start: usize,
    /// Whole records.
    pub(crate) count: usize,
    /// Bytes of each.
    pub(crate) size: usize,
    /// An error, with its place from the start of the data on.
    pub(crate) wrong: Option<(Error, Span)>,
}

impl Records {
    /// The records in the plain data of a chunk, which lies at `at`.
    pub(crate) fn of(head: CountPrefix, row: &Record, plain: &[u8], at: Span) -> Records {
        let size = head.record_size(row, plain).max(1);
        if !head.fits(row, plain) {
            return Records { start: 0, count: 0, size, wrong: None };
        }
        let start = head.len().min(plain.len());
        let room = plain.len().saturating_sub(start);
        let fit = room.checked_div(size).unwrap_or_default();
        let rest = |count: usize| {
            let end = start.saturating_add(count.saturating_mul(size));
            at.part(end as u64, (plain.len() as u64).saturating_sub(end as u64))
        };
        let stated = match head {
            CountPrefix::None => {
                let at = rest(fit);
                let wrong = (at.len > 0).then(|| {
                    let found = format!("{} bytes behind record {fit}", at.len);
                    let error = Error::new(&codes::REMAINDER).expected("whole records");
                    (error.found(found), at)
                });
                return Records { start, count: fit, size, wrong };
            }
            _ if plain.len() < head.len() => None,
            _ => head.count(plain),
        };
        let count = stated.and_then(|count| usize::try_from(count).ok());
        let count = count.map_or(fit, |count| count.min(fit));
        let is_right = stated.and_then(|stated| usize::try_from(stated).ok()) == Some(count)
            && rest(count).len == 0;
        let wrong = (!is_right).then(|| {
            let expected = match stated {
                Some(stated) => format!("{stated} records of {size} bytes"),
                None => format!("a count of {} bytes", head.len()),
            };
            let at = if rest(count).len > 0 { rest(count) } else { at.part(0, start as u64) };
            let found = format!("{room} bytes");
            (Error::new(&codes::COUNT).expected(expected).found(found), at)
        });
        Records { start, count, size, wrong }
    }
}

/// The size of the map and its tiles.
struct Ground {
    size: u16,
    zero: u8,
    tiles: Bytes,
}

struct MapReader<'f, 'a, 't> {
    file: &'f ChunkFile,
    task: &'a mut Task<'t>,
}

impl<'f> MapReader<'f, '_, '_> {
    /// Returns the first chunk of a section whose layout is known; others are reported.
    fn chunk(&mut self, section: &Section) -> Result<Option<(u32, &'f Chunk)>> {
        let first = self.file.with_id(section.id).first();
        let Some((n, chunk)) = first.and_then(|n| Some((*n, self.file.chunk(*n)?))) else {
            return Ok(None);
        };
        if section.knows(chunk.data_type()) {
            return Ok(Some((n, chunk)));
        }
        let error = Error::new(&codes::DATA_TYPE)
            .at(chunk.at().part(10, 2))
            .expected(i32::from(section.data_type))
            .found(i32::from(chunk.data_type()));
        self.task.note(error.field(section.name))?;
        Ok(None)
    }

    /// The plain data of a section, and where it lies.
    fn plain(&mut self, section: &Section) -> Result<Option<(i16, &'f Bytes, Span)>> {
        let Some((n, chunk)) = self.chunk(section)? else { return Ok(None) };
        match self.file.plain(n, &mut self.task.budget) {
            Ok(plain) => {
                let at = self.file.section(n, &mut self.task.budget)?.plain_at();
                Ok(Some((chunk.data_type(), plain, at)))
            }
            Err(error) => tolerate(error, self.task).map(|()| None),
        }
    }

    fn wrong(&mut self, error: Error, at: Span, section: &Section) -> Result<()> {
        self.task.error(error.at(at).field(section.name))
    }

    fn rows<R: Row>(&mut self, section: &Section) -> Result<Vec<R>> {
        let Some((data_type, plain, at)) = self.plain(section)? else { return Ok(Vec::new()) };
        let Some((head, record)) = section.rows(data_type) else { return Ok(Vec::new()) };
        let records = Records::of(head, record, plain, at);
        if let Some((error, at)) = records.wrong {
            self.wrong(error, at, section)?;
        }
        let size = (record.size as usize).max(1);
        self.task.budget.touch(plain.len() as u64)?;
        let mut rows = self.task.budget.vec::<R>(records.count as u64)?;
        let all = plain.get(records.start..).unwrap_or_default().chunks_exact(size);
        rows.extend(all.take(records.count).map(|bytes| {
            let mut row = R::filling();
            row.as_mut_bytes().iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
            row
        }));
        Ok(rows)
    }

    /// The records of a section, which are one byte each.
    fn bytes(&mut self, section: &Section) -> Result<Vec<u8>> {
        let Some((data_type, plain, at)) = self.plain(section)? else { return Ok(Vec::new()) };
        let Some((head, record)) = section.rows(data_type) else { return Ok(Vec::new()) };
        let records = Records::of(head, record, plain, at);
        if let Some((error, at)) = records.wrong {
            self.wrong(error, at, section)?;
        }
        let all = plain.get(records.start..).unwrap_or_default();
        Ok(all.get(..records.count).unwrap_or_default().to_vec())
    }

    /// Size and tiles. Without them the size is the number of rows of heights.
    fn ground(&mut self) -> Result<Ground> {
        let section = &terrain::TILES;
        let rows = u16::try_from(self.file.with_id(HEIGHTS).len()).unwrap_or_default();
        let rows = rows.min(i16::MAX.unsigned_abs());
        let nothing = Ground { size: rows, zero: 0, tiles: Bytes::new() };
        if self.file.with_id(TILES).is_empty() {
            self.task.error(Error::new(&codes::SIZE).expected("chunk 2"))?;
        }
        let Some((_, plain, at)) = self.plain(section)? else { return Ok(nothing) };
        let Ok((head, tiles)) = TilesHead::ref_from_prefix(plain) else {
            let error = Error::new(&codes::SIZE).expected("at least 3 bytes").found(plain.len());
            self.wrong(error, at, section)?;
            return Ok(nothing);
        };
        let Ok(size) = u16::try_from(head.size.get()) else {
            let error = Error::new(&codes::SIZE).expected("0 to 32767 cells");
            self.wrong(error.found(i32::from(head.size.get())), at.part(0, 2), section)?;
            return Ok(nothing);
        };
        let cells = usize::from(size).saturating_mul(size.into());
        if tiles.len() != cells {
            let error = Error::new(&codes::LENGTH)
                .expected(format!("{cells} tiles, the square of {size}"))
                .found(format!("{} bytes", tiles.len()));
            self.wrong(error, at.part(3, tiles.len() as u64), section)?;
            return Ok(Ground { size: if rows == 0 { size } else { rows }, ..nothing });
        }
        let tiles = part(plain, 3..plain.len() as u64).unwrap_or_default();
        Ok(Ground { size, zero: head.zero, tiles })
    }

    /// The rows of heights, each inflated to its place.
    fn heights(&mut self, size: u16) -> Result<Vec<u16>> {
        let section = &terrain::HEIGHTS;
        let chunks = self.file.with_id(HEIGHTS);
        if chunks.is_empty() {
            return Ok(Vec::new());
        }
        let side = usize::from(size);
        let cells = side.saturating_mul(side);
        let mut heights = match self.task.budget.vec::<u16>(cells as u64) {
            Ok(heights) => heights,
            Err(error) => return tolerate(error, self.task).map(|()| Vec::new()),
        };
        heights.resize(cells, 0);
        let mut rows = heights.chunks_exact_mut(side.max(1)).enumerate();
        let mut before = None;
        for n in chunks {
            let Some(chunk) = self.file.chunk(*n) else { continue };
            let y = chunk.occurrence();
            if before.replace(y) == Some(y) {
                // Of several with one number the first counts.
                continue;
            }
            let Some(y) = usize::try_from(y).ok().filter(|y| *y < side) else {
                let error = Error::new(&codes::HEIGHT_OUTSIDE)
                    .expected(format!("a row below {side}"))
                    .found(i32::from(y));
                self.wrong(error, chunk.at().part(2, 2), section)?;
                continue;
            };
            let mut row = None;
            for (there, place) in rows.by_ref() {
                if there == y {
                    row = Some(place);
                    break;
                }
                missing(there, self.task)?;
            }
            let Some(row) = row else { continue };
            if !section.knows(chunk.data_type()) {
                let error = Error::new(&codes::DATA_TYPE)
                    .at(chunk.at().part(10, 2))
                    .expected(i32::from(section.data_type))
                    .found(i32::from(chunk.data_type()));
                self.task.note(error.field(section.name))?;
                continue;
            }
            let place = row.as_mut_bytes();
            if chunk.plain_len() != place.len() as u64 {
                let error = Error::new(&codes::LENGTH)
                    .expected(format!("{} bytes, two for each cell", place.len()))
                    .found(format!("{} bytes", chunk.plain_len()));
                self.wrong(error, chunk.data_at(), section)?;
                continue;
            }
            if let Err(error) = self.file.plain_into(*n, place, self.task) {
                place.fill(0);
                tolerate(error, self.task)?;
            }
            // A no-op where numbers are stored as the machine has them.
            row.iter_mut().for_each(|height| *height = u16::from_le(*height));
        }
        for (there, _) in rows {
            missing(there, self.task)?;
        }
        Ok(heights)
    }

    fn decoration(&mut self) -> Result<Bytes> {
        let section = &decoration::DECORATION;
        let Some((_, plain, at)) = self.plain(section)? else { return Ok(Bytes::new()) };
        if plain.len() == decoration::CELLS {
            return Ok(plain.clone());
        }
        let error = Error::new(&codes::LENGTH)
            .expected(format!("{} bytes", decoration::CELLS))
            .found(format!("{} bytes", plain.len()));
        self.wrong(error, at, section)?;
        Ok(Bytes::new())
    }

    fn teams(&mut self) -> Result<(Option<teams::Teams>, Option<teams::Minimap>)> {
        let section = &teams::SECTION;
        let Some((data_type, plain, at)) = self.plain(section)? else { return Ok((None, None)) };
        let read = teams::read(plain, at, data_type, &mut self.task.budget);
        if let Some(error) = read.error {
            tolerate(error.field(section.name), self.task)?;
        } else if read.end < plain.len() {
            let rest = plain.len().saturating_sub(read.end) as u64;
            let error = Error::new(&codes::REMAINDER).found(format!("{rest} bytes"));
            self.wrong(error, at.part(read.end as u64, rest), section)?;
        }
        Ok((read.teams, read.minimap))
    }
}

/// Reports a row of heights that no chunk has.
fn missing(y: usize, task: &mut Task<'_>) -> Result<()> {
    task.budget.steps(1)?;
    let error = Error::new(&codes::HEIGHT_ROW).expected(format!("chunk 6 with occurrence {y}"));
    task.error(error.field(terrain::HEIGHTS.name))
}
