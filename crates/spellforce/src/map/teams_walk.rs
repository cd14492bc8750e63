//! Teams and minimap, walked where they lie.
//!
//! The extent of a group is known behind it alone, but walkers need it before; so the places of all parts are found first.

use super::teams::{COOPERATIVE, MOST_TEAMS, PlayerCell, first_composition};
use spelunk_core::{
    Budget, Described, Field, Group, Record, Result, Seg, Shape, Span, Task, Ty, Val, Walk, Walked,
    cursor::Cursor, field::Role,
};
use std::ops::Range;

const PAGE: &str = "docs/formats/map.md#8-players";
static COMPOSITIONS: Record = Record::group(
    "compositions",
    PAGE,
    "The teams that there may be, one composition for each number of them.",
);
static COMPOSITION: Record =
    Record::group("composition", PAGE, "Teams that play each other, or none.");
static TEAM: Record = Record::group("team", PAGE, "A team.");
static PLAYER: Record = Record::group("player", PAGE, "A player.");
static MINIMAP: Record = Record::group("minimap", PAGE, "The picture of the map.");
static PLAYER_COUNT: Field = Field::new(
    "player_count",
    Ty::I32,
    "Players of the team. 0 in the first team where there is no such composition.",
);
static MAP_TYPE_LENGTH: Field =
    Field::new("map_type_length", Ty::I32, "Length of the text that follows.").unit("UTF-16 units");
static MAP_TYPE: Field = Field::new("map_type", Ty::Str, "What kind of map it is for the player.");
static LEVELS_LENGTH: Field =
    Field::new("level_range_length", Ty::I32, "Length of the text that follows.")
        .unit("UTF-16 units");
static LEVELS: Field = Field::new("level_range", Ty::Str, "The levels that the map is for.");
static WIDTH: Field = Field::new("width", Ty::I32, "Width of the minimap.").unit("pixels");
static HEIGHT: Field = Field::new("height", Ty::I32, "Height of the minimap.").unit("pixels");
static PIXELS: Field =
    Field::new("bgr", Ty::Bytes, "Blue, green and red of every pixel, the bottom row first.")
        .role(Role::Understood);
static REMAINDER: Field =
    Field::new("remainder", Ty::Bytes, "Bytes that are no teams and no minimap.");

/// A part of the chunk.
enum TeamsElement {
    Field(&'static Field, Range<usize>),
    Record(&'static Record, Range<usize>),
    Group(Seg<'static>, &'static Record, Shape, Range<usize>, Vec<TeamsElement>),
}

/// Finds parts one after another; `None` where the chunk is damaged.
struct Finder<'a, 'b> {
    cursor: Cursor<'a>,
    budget: &'b mut Budget,
}

impl Finder<'_, '_> {
    fn at(&self) -> usize {
        self.cursor.position()
    }

    fn put(&mut self, parts: &mut Vec<TeamsElement>, part: TeamsElement) -> Result<()> {
        self.budget.memory(size_of::<TeamsElement>() as u64)?;
        parts.push(part);
        Ok(())
    }

    /// A number that is not negative, as a field of its own.
    fn number(
        &mut self,
        field: &'static Field,
        parts: &mut Vec<TeamsElement>,
    ) -> Result<Option<usize>> {
        let start = self.at();
        let Ok(number) = self.cursor.i32(field.name) else { return Ok(None) };
        self.put(parts, TeamsElement::Field(field, start..self.at()))?;
        Ok(usize::try_from(number).ok())
    }

    fn text(
        &mut self,
        fields: [&'static Field; 2],
        parts: &mut Vec<TeamsElement>,
    ) -> Result<Option<()>> {
        let [length, text] = fields;
        let Some(units) = self.number(length, parts)? else { return Ok(None) };
        let start = self.at();
        if self.cursor.bytes(units.saturating_mul(2), text.name).is_err() {
            return Ok(None);
        }
        self.put(parts, TeamsElement::Field(text, start..self.at())).map(Some)
    }

    fn player(&mut self, nth: usize, cooperative: bool) -> Result<Option<TeamsElement>> {
        let (start, mut parts) = (self.at(), Vec::new());
        if self.cursor.record::<PlayerCell>().is_err() {
            return Ok(None);
        }
        self.put(&mut parts, TeamsElement::Record(PlayerCell::RECORD, start..self.at()))?;
        if cooperative {
            for fields in [[&MAP_TYPE_LENGTH, &MAP_TYPE], [&LEVELS_LENGTH, &LEVELS]] {
                if self.text(fields, &mut parts)?.is_none() {
                    return Ok(None);
                }
            }
        }
        Ok(Some(item(nth, &PLAYER, start..self.at(), parts)))
    }

    /// A team and the number of its players.
    fn team(&mut self, nth: usize, cooperative: bool) -> Result<Option<(TeamsElement, usize)>> {
        let (start, mut parts) = (self.at(), Vec::new());
        let Some(count) = self.number(&PLAYER_COUNT, &mut parts)? else { return Ok(None) };
        if count > 0 {
            let (start, mut players) = (self.at(), Vec::new());
            for nth in 0..count {
                let Some(player) = self.player(nth, cooperative)? else { return Ok(None) };
                self.put(&mut players, player)?;
            }
            let list = Seg::Field("players");
            parts.push(TeamsElement::Group(list, &PLAYER, Shape::List, start..self.at(), players));
        }
        Ok(Some((item(nth, &TEAM, start..self.at(), parts), count)))
    }

    /// The teams of one number of them: that many, or a first one without players.
    fn composition(
        &mut self,
        nth: usize,
        teams: usize,
        cooperative: bool,
    ) -> Result<Option<TeamsElement>> {
        let (start, mut parts) = (self.at(), Vec::new());
        for team in 0..teams {
            let Some((part, players)) = self.team(team, cooperative)? else { return Ok(None) };
            self.put(&mut parts, part)?;
            if team == 0 && players == 0 {
                break;
            }
        }
        let range = start..self.at();
        let list =
            TeamsElement::Group(Seg::Field("teams"), &TEAM, Shape::List, range.clone(), parts);
        Ok(Some(item(nth, &COMPOSITION, range, vec![list])))
    }

    fn minimap(&mut self) -> Result<Option<TeamsElement>> {
        let (start, mut parts) = (self.at(), Vec::new());
        let mut len = 3_usize;
        for side in [&WIDTH, &HEIGHT] {
            let Some(side) = self.number(side, &mut parts)? else { return Ok(None) };
            len = len.saturating_mul(side);
        }
        let pixels = self.at();
        if self.cursor.bytes(len, PIXELS.name).is_err() {
            return Ok(None);
        }
        self.put(&mut parts, TeamsElement::Field(&PIXELS, pixels..self.at()))?;
        let name = Seg::Field("minimap");
        Ok(Some(TeamsElement::Group(name, &MINIMAP, Shape::Record, start..self.at(), parts)))
    }
}

fn item(
    nth: usize,
    record: &'static Record,
    range: Range<usize>,
    parts: Vec<TeamsElement>,
) -> TeamsElement {
    TeamsElement::Group(Seg::Index(nth as u64), record, Shape::Record, range, parts)
}

/// Walks the plain data of a chunk 53, which lies at `at`.
///
/// # Errors
/// What the walker returns; limits.
pub(crate) fn walk_teams(
    plain: &[u8],
    at: Span,
    data_type: i16,
    task: &mut Task<'_>,
    walk: &mut dyn Walk,
) -> Walked {
    task.transient(|task| {
        let cursor = Cursor::new(plain, at.space, at.start);
        let mut finder = Finder { cursor, budget: &mut task.budget };
        let mut parts = Vec::new();
        let numbers = first_composition(data_type).unwrap_or(MOST_TEAMS)..=MOST_TEAMS;
        let mut whole = 0;
        let mut is_sound = true;
        for (nth, teams) in numbers.enumerate() {
            let Some(part) = finder.composition(nth, teams, data_type == COOPERATIVE)? else {
                is_sound = false;
                break;
            };
            parts.push(part);
            whole = finder.at();
        }
        let name = Seg::Field("compositions");
        let mut all = vec![TeamsElement::Group(name, &COMPOSITIONS, Shape::List, 0..whole, parts)];
        if is_sound && let Some(minimap) = finder.minimap()? {
            all.push(minimap);
            whole = finder.at();
        }
        if whole < plain.len() {
            all.push(TeamsElement::Field(&REMAINDER, whole..plain.len()));
        }
        walk_parts(&all, plain, at, walk)
    })
}

/// Walks parts. They are nested as deep as players of teams of compositions are.
fn walk_parts(parts: &[TeamsElement], plain: &[u8], at: Span, walk: &mut dyn Walk) -> Walked {
    for part in parts {
        let place = |range: &Range<usize>| at.part(range.start as u64, range.len() as u64);
        let bytes = |range: &Range<usize>| plain.get(range.clone()).unwrap_or_default();
        match part {
            TeamsElement::Field(field, range) => {
                let value = match field.ty {
                    Ty::Str => {
                        let (units, _) = bytes(range).as_chunks::<2>();
                        let units: Vec<u16> =
                            units.iter().map(|u| u16::from_le_bytes(*u)).collect();
                        Val::Str(String::from_utf16_lossy(&units).into())
                    }
                    ty => ty.decode(bytes(range)),
                };
                walk.field(field, Some(place(range)), value)?;
            }
            TeamsElement::Record(record, range) => record.walk(bytes(range), place(range), walk)?,
            TeamsElement::Group(name, record, shape, range, parts) => {
                let at_group = Some(place(range));
                let group = Group { name: name.clone(), record, at: at_group, shape: *shape };
                walk.group(&group, |walk| walk_parts(parts, plain, at, walk))?;
            }
        }
    }
    Ok(())
}
