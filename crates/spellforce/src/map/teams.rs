//! Teams and the minimap (chunk 53): `docs/formats/map.md#8-players`.
//!
//! For each number of teams that the data type allows there is a composition or nothing. Each player is the spawn with the
//! same cell.

use super::{
    codes,
    section::{Section, SectionForm},
};
use spelunk_core::{Budget, Bytes, Error, Result, Span, Task, cursor::Cursor, record};

/// The data type of multiplayer maps.
pub(super) const MULTIPLAYER: i16 = 2;
/// The data type of cooperative maps, whose players have two texts.
pub(super) const COOPERATIVE: i16 = 4;
/// The most teams that a composition has.
pub(super) const MOST_TEAMS: usize = 4;

pub(super) static SECTION: Section = Section {
    id: 53,
    name: "teams",
    title: "teams and minimap",
    data_type: MULTIPLAYER,
    shape: SectionForm::Teams,
};

record! {
    /// A player of a team.
    pub struct PlayerCell: "player", "docs/formats/map.md#8-players", 6 {
        /// The cell of the spawn.
        x: I16 { unit: "cells" },
        /// The cell of the spawn.
        y: I16 { unit: "cells" },
        /// Name of the place.
        text_id: U16 { refers: crate::gamedata::schema::some(crate::gamedata::TEXTS) },
    }
}

/// A player of a team.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Player {
    /// The cell of the spawn.
    pub x: i16,
    /// The cell of the spawn.
    pub y: i16,
    /// Name of the place.
    pub text_id: u16,
    /// In cooperative maps: what kind of map it is for the player, in units of UTF-16.
    pub map_type: Vec<u16>,
    /// In cooperative maps: the levels that it is for, in units of UTF-16.
    pub level_range: Vec<u16>,
}

/// The players of a team.
pub type Team = Vec<Player>;

/// The compositions of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Teams {
    /// Whether players have texts, as in cooperative maps (data type 4). Multiplayer maps have data type 2.
    pub cooperative: bool,
    /// The teams of each composition: 2 to 4 of them, or 1 to 4 in cooperative maps. At most one for each number, and they
    /// ascend.
    pub compositions: Vec<Vec<Team>>,
}

/// The picture of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Minimap {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Three bytes for each pixel: blue, green, red; the bottom row first.
    pub bgr: Bytes,
}

/// The smallest number of teams of a composition.
pub(super) const fn first_composition(data_type: i16) -> Option<usize> {
    match data_type {
        MULTIPLAYER => Some(2),
        COOPERATIVE => Some(1),
        _ => None,
    }
}

/// Reads the numbers of the chunk one after another.
struct TeamReader<'a, 'b> {
    cursor: Cursor<'a>,
    budget: &'b mut Budget,
}

impl TeamReader<'_, '_> {
    /// A count of items of at least `size` bytes.
    fn count(&mut self, name: &'static str, size: u64) -> Result<usize> {
        let at = self.cursor.span(4);
        let count = self.cursor.i32(name)?;
        let wrong = || Error::new(&codes::TEAMS).at(at).field(name).found(count);
        let items = u64::try_from(count).map_err(|_| wrong())?;
        self.cursor.expect_items(items, size, name).map_err(|_| wrong())?;
        self.budget.steps(items)?;
        usize::try_from(items).map_err(|_| wrong())
    }

    fn text(&mut self, name: &'static str) -> Result<Vec<u16>> {
        let units = self.count(name, 2)?;
        let bytes = self.cursor.bytes(units.saturating_mul(2), name)?;
        let mut text = self.budget.vec(units as u64)?;
        text.extend(bytes.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit)));
        Ok(text)
    }

    fn team(&mut self, count: usize, cooperative: bool) -> Result<Team> {
        let mut team = self.budget.vec::<Player>(count as u64)?;
        for _ in 0..count {
            let cell = *self.cursor.record::<PlayerCell>()?;
            let mut player = Player {
                x: cell.x.get(),
                y: cell.y.get(),
                text_id: cell.text_id.get(),
                ..Player::default()
            };
            if cooperative {
                player.map_type = self.text("map_type")?;
                player.level_range = self.text("level_range")?;
            }
            team.push(player);
        }
        Ok(team)
    }

    fn teams(&mut self, data_type: i16) -> Result<Teams> {
        let cooperative = data_type == COOPERATIVE;
        let size = PlayerCell::LEN.saturating_add(if cooperative { 8 } else { 0 });
        let mut compositions = Vec::new();
        for number in first_composition(data_type).unwrap_or(MOST_TEAMS)..=MOST_TEAMS {
            let first = self.count("player_count", size)?;
            if first == 0 {
                continue;
            }
            let mut composition = vec![self.team(first, cooperative)?];
            while composition.len() < number {
                let count = self.count("player_count", size)?;
                composition.push(self.team(count, cooperative)?);
            }
            compositions.push(composition);
        }
        Ok(Teams { cooperative, compositions })
    }

    /// Returns the size of the minimap and the start of its pixels; `None` where nothing follows the teams.
    fn minimap(&mut self) -> Result<Option<(u32, u32, usize)>> {
        if self.cursor.remaining() == 0 {
            return Ok(None);
        }
        let at = self.cursor.span(8);
        let sides = [self.cursor.i32("width")?, self.cursor.i32("height")?];
        let [width, height] = sides.map(|side| u32::try_from(side).ok());
        let wrong = || {
            let found = format!("{} by {} pixels", sides[0], sides[1]);
            Error::new(&codes::TEAMS).at(at).field("minimap").found(found)
        };
        let (width, height) = width.zip(height).ok_or_else(wrong)?;
        let len = u64::from(width).checked_mul(height.into()).and_then(|all| all.checked_mul(3));
        let len = len.filter(|len| *len <= self.cursor.remaining() as u64).ok_or_else(wrong)?;
        usize::try_from(len).map(|len| Some((width, height, len))).map_err(|_| wrong())
    }
}

impl PlayerCell {
    const LEN: u64 = size_of::<PlayerCell>() as u64;
}

/// Content of a chunk 53: teams, minimap, and the number of bytes that both take. Errors stand beside what can be read.
pub(super) struct TeamsContent {
    pub(super) teams: Option<Teams>,
    pub(super) minimap: Option<Minimap>,
    pub(super) end: usize,
    pub(super) error: Option<Error>,
}

pub(super) fn read(plain: &Bytes, at: Span, data_type: i16, budget: &mut Budget) -> TeamsContent {
    let cursor = Cursor::new(plain, at.space, at.start);
    let mut reader = TeamReader { cursor, budget };
    let mut all = TeamsContent { teams: None, minimap: None, end: plain.len(), error: None };
    match reader.teams(data_type) {
        Ok(teams) => all.teams = Some(teams),
        Err(error) => {
            all.error = Some(error);
            return all;
        }
    }
    all.end = reader.cursor.position();
    match reader.minimap() {
        Ok(Some((width, height, len))) => {
            let start = reader.cursor.position();
            all.end = start.saturating_add(len);
            let range = start as u64..all.end as u64;
            let bgr = spelunk_core::source::part(plain, range);
            all.minimap = bgr.map(|bgr| Minimap { width, height, bgr });
        }
        Ok(None) => {}
        Err(error) => all.error = Some(error),
    }
    all
}

/// The bytes of a new player.
pub(crate) fn new_player(data_type: i16) -> Vec<u8> {
    let texts = if data_type == COOPERATIVE { size_of::<[i32; 2]>() } else { 0 };
    vec![0; size_of::<PlayerCell>().saturating_add(texts)]
}

/// What is wrong with bytes that are to be a chunk 53 to the last byte.
///
/// # Errors
/// Limits.
pub(crate) fn check_teams(
    plain: &Bytes,
    at: Span,
    data_type: i16,
    task: &mut Task<'_>,
) -> Result<Option<Error>> {
    let TeamsContent { end, error, .. } = read(plain, at, data_type, &mut task.budget);
    match error {
        Some(error) if error.ends_work() => Err(error),
        None if end < plain.len() => Ok(Some(Error::new(&codes::TEAMS))),
        error => Ok(error.map(|error| error.with_code(&codes::TEAMS))),
    }
}

/// The bytes of a chunk 53.
///
/// # Errors
/// [`codes::SHAPE`].
pub(super) fn bytes(teams: &Teams, minimap: Option<&Minimap>) -> Result<Vec<u8>> {
    let shape =
        |expected: &'static str| Error::new(&codes::SHAPE).expected(expected).field("teams");
    let long = |count: usize| i32::try_from(count).map_err(|_| shape("fewer"));
    let mut bytes = Vec::new();
    let first = if teams.cooperative { 1 } else { 2 };
    let mut left = teams.compositions.iter().peekable();
    for number in first..=MOST_TEAMS {
        let Some(composition) = left.next_if(|teams| teams.len() == number) else {
            bytes.extend([0; 4]);
            continue;
        };
        if composition.first().is_none_or(Vec::is_empty) {
            return Err(shape("a player in the first team"));
        }
        for team in composition {
            bytes.extend(long(team.len())?.to_le_bytes());
            for player in team {
                let cell = [player.x.to_le_bytes(), player.y.to_le_bytes()];
                bytes.extend(cell.into_iter().flatten().chain(player.text_id.to_le_bytes()));
                let texts = [&player.map_type, &player.level_range];
                if !teams.cooperative {
                    if texts.iter().any(|text| !text.is_empty()) {
                        return Err(shape("texts in cooperative maps alone"));
                    }
                    continue;
                }
                for text in texts {
                    bytes.extend(long(text.len())?.to_le_bytes());
                    bytes.extend(text.iter().flat_map(|unit| unit.to_le_bytes()));
                }
            }
        }
    }
    if left.next().is_some() {
        return Err(shape("compositions of 2 (cooperative: 1) to 4 teams, by their number"));
    }
    if let Some(Minimap { width, height, bgr }) = minimap {
        let pixels = u64::from(*width).saturating_mul(u64::from(*height));
        if pixels.saturating_mul(3) != bgr.len() as u64 {
            return Err(shape("three bytes for each pixel"));
        }
        for side in [*width, *height] {
            bytes.extend(long(side as usize)?.to_le_bytes());
        }
        bytes.extend_from_slice(bgr);
    }
    Ok(bytes)
}
