//! Fields of structures whose parts have no fixed places: found by their paths, and changed where they lie.
//!
//! A text has its length in front of it, in a field that is called `NAME_length`; a list has the number of its items in front of it,
//! in one that is called `NAME_count`. Both follow what is set: a text brings its length along, and a number of items that is set
//! lets items come (as new ones are) and go (the last ones).

use super::{
    list_draft::{encode, no_field, refused},
    lists::List,
};
use crate::{gamedata::codes, map::walk_teams, map2};
use spelunk_core::{
    Bytes, Error, Field, Group, Result, Span, Task, Ty, Val, Walk, Walked,
    error::dotted,
    text::CodePages,
    walk::{Halt, Shape, Step, Trail, finish},
};
use std::ops::Range;

/// Reads `12,40`.
pub(super) fn cell_of(path: &str) -> Option<[usize; 2]> {
    let (x, y) = path.split_once(',')?;
    Some([x.trim().parse().ok()?, y.trim().parse().ok()?])
}

/// Layout of the bytes whose fields are set.
pub(super) enum Layout {
    /// A record of a map of SpellForce 2, or a chunk that is one structure.
    Structure(&'static map2::Structure),
    /// The teams of a map of SpellForce 1, of this data type.
    Teams(i16),
}

/// A field that a path leads to, or a group.
struct FieldPlace {
    /// Description of the field, of one value where that is one of several; `None` for a group.
    field: Option<Field>,
    at: Range<usize>,
    /// The length of a text, which stands before it.
    length: Option<(&'static Field, Range<usize>)>,
    /// The items of the list whose number it is.
    items: Vec<Range<usize>>,
}

impl FieldPlace {
    /// Whether it is the number of the items that follow.
    fn is_count(&self) -> bool {
        self.field.is_some_and(|field| field.name.ends_with("_count"))
    }
}

/// Finds the field or group with a path.
struct FieldFinder<'p> {
    path: &'p str,
    trail: Trail,
    /// The field before, in the same group.
    before: Option<(&'static Field, Range<usize>)>,
    found: Option<FieldPlace>,
    /// Whether the items of the list are seen whose number was found.
    is_in_list: bool,
}

fn range(at: Option<Span>) -> Option<Range<usize>> {
    let at = at?;
    Some(usize::try_from(at.start).ok()?..usize::try_from(at.end()).ok()?)
}

impl Walk for FieldFinder<'_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        if let Some(found) = &mut self.found {
            if self.is_in_list {
                found.items.extend(range(group.at));
                return Ok(Step::Over);
            }
            if group.shape != Shape::List {
                return Err(Halt::Stop);
            }
            self.is_in_list = true;
            return Ok(Step::Into);
        }
        self.before = None;
        let path = dotted(self.trail.open().map(|(name, _)| name).chain([&group.name]));
        let Some(rest) = self.path.strip_prefix(&path) else { return Ok(Step::Over) };
        if rest.is_empty()
            && let Some(at) = range(group.at)
        {
            self.found = Some(FieldPlace { field: None, at, length: None, items: Vec::new() });
            return Err(Halt::Stop);
        }
        if !rest.starts_with(['.', '[']) {
            return Ok(Step::Over);
        }
        self.trail.enter(group);
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, _: Val<'_>) -> Walked {
        if let Some(found) = &mut self.found {
            if !self.is_in_list {
                return Err(Halt::Stop);
            }
            found.items.extend(range(at));
            return Ok(());
        }
        let is_it = self.trail.path(field) == self.path;
        let Some(at) = range(at) else { return Ok(()) };
        let before = self.before.replace((field, at.clone()));
        if is_it {
            let length = before.filter(|(known, _)| map2::is_length_of(known, field));
            let field = map2::of_one_value(field, at.len());
            let found = FieldPlace { field: Some(field), at, length, items: Vec::new() };
            let is_count = found.is_count();
            self.found = Some(found);
            return if is_count { Ok(()) } else { Err(Halt::Stop) };
        }
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        if self.found.is_some() {
            return Err(Halt::Stop);
        }
        self.before = None;
        self.trail.leave();
        Ok(())
    }
}

impl Layout {
    /// Finds the field or group with a path.
    ///
    /// # Errors
    /// Limits.
    fn find(&self, bytes: &[u8], path: &str, task: &mut Task<'_>) -> Result<Option<FieldPlace>> {
        let mut finder = FieldFinder {
            path,
            trail: Trail::default(),
            before: None,
            found: None,
            is_in_list: false,
        };
        let at = Span::file(0, bytes.len() as u64);
        finish(match self {
            Layout::Structure(structure) => {
                map2::walk_record(structure, bytes, at, task, &mut finder)
            }
            Layout::Teams(data_type) => walk_teams(bytes, at, *data_type, task, &mut finder),
        })?;
        Ok(finder.found)
    }

    /// Bytes of a new item of the list whose number of items has this path; `None` where it is the number of something else.
    fn new_item(&self, count: &str) -> Option<Vec<u8>> {
        match self {
            Layout::Structure(structure) => structure.item(count).map(map2::Structure::blank),
            Layout::Teams(data_type) => Some(crate::map::new_player(*data_type)),
        }
    }

    /// Refuses bytes that do not have the layout.
    fn check(&self, bytes: &[u8], task: &mut Task<'_>) -> Result<()> {
        let at = Span::file(0, bytes.len() as u64);
        let wrong = match self {
            Layout::Structure(structure) => {
                map2::check_structure(structure, bytes, at, &mut task.budget)?
            }
            Layout::Teams(data_type) => {
                let bytes = Bytes::copy_from_slice(bytes);
                task.transient(|task| crate::map::check_teams(&bytes, at, *data_type, task))?
            }
        };
        // Its place is one in bytes that are in no file.
        wrong.map_or(Ok(()), |error| {
            Err(Error::new(error.code())
                .expected("a value with which the layout stays a known one"))
        })
    }

    /// Puts a value into the field or cell that a path leads to.
    ///
    /// # Errors
    /// [`NO_FIELD`](codes::NO_FIELD); values that do not fit; what lets the layout be no known one any more; limits.
    pub(super) fn set(
        &self,
        bytes: &mut Vec<u8>,
        path: &str,
        value: &Val<'_>,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<()> {
        // As `show` prints the paths of what is in a chunk.
        let path = path.strip_prefix("plain.").unwrap_or(path);
        if let Some((grid, cell)) = path.rsplit_once('.')
            && let Some(cell) = cell_of(cell)
        {
            return self.set_cell(bytes, (grid, cell), value, task);
        }
        let found = self.find(bytes, path, task)?.ok_or_else(|| no_field(path))?;
        let field = found.field.ok_or_else(|| no_field(path))?;
        if field.name.ends_with("_length") {
            return Err(refused().field(field.name).expected("the text that it is the length of"));
        }
        if let Some(item) = self.new_item(path).filter(|_| found.is_count()) {
            self.resize(bytes, (path, &field), (&found, &item), value, task)?;
        } else if let Some(length) = &found.length {
            set_text(bytes, &field, &found.at, length, value, pages, task)?;
        } else if field.ty == Ty::Text {
            let (text, _) = text_bytes(&field, value, pages)?;
            let place = bytes.get_mut(found.at).filter(|place| place.len() == text.len());
            place.ok_or_else(|| field.misfit(value).field(field.name))?.copy_from_slice(&text);
        } else {
            let place = bytes.get_mut(found.at.clone()).ok_or_else(|| no_field(path))?;
            let old = place.to_vec();
            encode(&field, None, value, place)?;
            let new = place.to_vec();
            self.carry(bytes, path, [&old, &new], task)?;
        }
        self.check(bytes, task)
    }

    /// Puts the new value of a field into those that hold it once more, as far as they held the old one.
    fn carry(
        &self,
        bytes: &mut [u8],
        path: &str,
        [old, new]: [&[u8]; 2],
        task: &mut Task<'_>,
    ) -> Result<()> {
        let Layout::Structure(_) = self else { return Ok(()) };
        let mut copies = Vec::new();
        if let Some(axis) = path.strip_prefix("place.position[") {
            copies.push(format!("place.position_again[{axis}"));
            let home = match axis {
                "0]" => "x",
                "2]" => "z",
                _ => "",
            };
            let mut nth = 0_u32;
            while !home.is_empty()
                && self.find(bytes, &format!("components[{nth}]"), task)?.is_some()
            {
                copies.push(format!("components[{nth}].home.{home}"));
                nth = nth.saturating_add(1);
            }
        }
        for copy in copies {
            let Some(found) = self.find(bytes, &copy, task)? else { continue };
            if let Some(place) = bytes.get_mut(found.at).filter(|place| *place == old) {
                place.copy_from_slice(new);
            }
        }
        Ok(())
    }

    /// Lets items of a list come or go, behind the others.
    fn resize(
        &self,
        bytes: &mut Vec<u8>,
        (path, field): (&str, &Field),
        (found, item): (&FieldPlace, &[u8]),
        value: &Val<'_>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let place = bytes.get_mut(found.at.clone()).ok_or_else(|| no_field(path))?;
        let mut stored = place.to_vec();
        encode(field, None, value, &mut stored)?;
        let wanted = match field.ty.decode(&stored) {
            Val::U(wanted) => wanted,
            Val::I(wanted) => u64::try_from(wanted).map_err(|_| field.misfit(value))?,
            _ => return Err(field.misfit(value)),
        };
        let (had, wanted) = (found.items.len(), usize::try_from(wanted).unwrap_or(usize::MAX));
        if let Layout::Teams(_) = self
            && path.ends_with("teams[0].player_count")
            && (had == 0) != (wanted == 0)
        {
            // Whether there are the other teams at all goes by it.
            let error = field.misfit(value).field(field.name);
            return Err(
                error.expected("as many players of a first team that there is, one at least")
            );
        }
        place.copy_from_slice(&stored);
        let end = found.items.last().map_or(found.at.end, |item| item.end);
        if let Some(first_gone) = found.items.get(wanted) {
            bytes.drain(first_gone.start..end);
            return Ok(());
        }
        let more = wanted.saturating_sub(had).saturating_mul(item.len());
        task.budget.memory(more as u64)?;
        bytes.splice(end..end, item.iter().copied().cycle().take(more));
        Ok(())
    }

    /// Puts a value into a cell of a grid.
    fn set_cell(
        &self,
        bytes: &mut [u8],
        (path, [x, y]): (&str, [usize; 2]),
        value: &Val<'_>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let grid = match self {
            Layout::Structure(structure) => structure.grid(path),
            Layout::Teams(_) => None,
        };
        let cell = grid.and_then(|grid| grid.cell).ok_or_else(|| no_field(path))?;
        let mut number = |name: &str, bytes: &[u8]| -> Result<usize> {
            let found = self.find(bytes, &format!("{path}.{name}"), task)?;
            let place = found.and_then(|found| Some((found.field?, found.at)));
            let number = place.and_then(|(field, at)| match field.ty.decode(bytes.get(at)?) {
                Val::U(number) => usize::try_from(number).ok(),
                _ => None,
            });
            number.ok_or_else(|| no_field(path))
        };
        let (width, height) = (number("width", bytes)?, number("height", bytes)?);
        let rows =
            self.find(bytes, &format!("{path}.rows"), task)?.ok_or_else(|| no_field(path))?;
        let outside = || {
            let error = Error::new(&codes::RANGE);
            error.expected(format!("cells below {width},{height}")).found(format!("{x},{y}"))
        };
        if x >= width || y >= height {
            return Err(outside());
        }
        let nth = y.saturating_mul(width).saturating_add(x);
        let rows = bytes.get_mut(rows.at).ok_or_else(outside)?;
        let Some(size) = cell.ty.size().map(|size| size as usize) else {
            // A bit.
            let mut bit = [0];
            encode(&BIT, None, value, &mut bit)?;
            let byte = rows.get_mut(nth / 8).ok_or_else(outside)?;
            let mask = 1_u8.unbounded_shl((nth % 8) as u32);
            *byte = match bit {
                [0] => *byte & !mask,
                [1] => *byte | mask,
                _ => return Err(BIT.misfit(value)),
            };
            return Ok(());
        };
        let start = nth.saturating_mul(size);
        let place = rows.get_mut(start..start.saturating_add(size)).ok_or_else(outside)?;
        encode(&cell, None, value, place)
    }
}

static BIT: Field = Field::new("bit", Ty::U8, "0 or 1.");

/// The bytes of a text, and the bytes of a unit of its length.
fn text_bytes(field: &Field, value: &Val<'_>, pages: &CodePages) -> Result<(Vec<u8>, usize)> {
    Ok(match (field.ty, value) {
        (Ty::Text, Val::Text(text) | Val::Bytes(text)) => (text.to_vec(), 1),
        (Ty::Text, value) => {
            let text = value.to_string();
            let lacks = || {
                let error = Error::new(&spelunk_core::codes::NOT_ENCODED);
                error.found(format!("`{text}`")).field(field.name)
            };
            (pages.encode(&text).ok_or_else(lacks)?, 1)
        }
        (_, value) => (value.to_string().encode_utf16().flat_map(u16::to_le_bytes).collect(), 2),
    })
}

/// Puts a text in the place of another one, with its length.
fn set_text(
    bytes: &mut Vec<u8>,
    field: &Field,
    at: &Range<usize>,
    (length, length_at): &(&'static Field, Range<usize>),
    value: &Val<'_>,
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<()> {
    let (text, unit) = text_bytes(field, value, pages)?;
    task.budget.memory(text.len() as u64)?;
    let units = Val::U(text.len().checked_div(unit).unwrap_or_default() as u64);
    let place = bytes.get_mut(length_at.clone()).ok_or_else(|| no_field(field.name))?;
    encode(length, None, &units, place)?;
    if at.end > bytes.len() {
        return Err(no_field(field.name));
    }
    bytes.splice(at.clone(), text);
    Ok(())
}

impl List {
    /// Layout of its records, where they have no fixed size.
    pub(super) fn layout(&self) -> Option<Layout> {
        self.structure().map(Layout::Structure)
    }
}
