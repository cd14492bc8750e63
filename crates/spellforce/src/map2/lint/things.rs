//! What records say of each other: teams, kits, tags, places.

use super::{codes, out::Out};
use crate::map2::{CELL, SECTIONS, Section, inhabitants, places, players};
use spelunk_core::{
    Code, Error, Field, Group, Result, Seg, Span, Val, Walk, Walked,
    walk::{Halt, Shape, Step},
};
use std::collections::BTreeSet;

/// Bytes that are kept for a byte of a chunk: a team, which has seven at the least.
const HELD: u64 = size_of::<(u64, Span, Said)>() as u64 / 4;

/// Something that a record says.
enum Said {
    Team(u64),
    Kit(Vec<u8>),
    Tag(Vec<u8>),
    Member(Vec<u8>),
    Coordinate(f32),
}

/// What the records of a chunk say that rules are about: position of the record, place, value.
#[derive(Default)]
struct Statements {
    all: Vec<(u64, Span, Said)>,
    /// The open groups, and the record.
    depth: u32,
    record: u64,
}

impl Walk for Statements {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        // Records are the items of the list that a chunk is.
        if let (Seg::Index(record), 1) = (&group.name, self.depth) {
            self.record = *record;
        }
        self.depth = self.depth.saturating_add(1);
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        let said = match (field.name, value) {
            ("team" | "index", Val::U(team)) => Said::Team(team),
            ("kit", Val::Text(kit)) => Said::Kit(kit.to_ascii_uppercase()),
            ("tag", Val::Text(tag)) => Said::Tag(tag.to_ascii_uppercase()),
            ("member", Val::Text(tag)) => Said::Member(tag.to_ascii_uppercase()),
            ("position", Val::F(value)) => Said::Coordinate(value),
            _ => return Ok(()),
        };
        self.all.extend(at.map(|at| (self.record, at, said)));
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.depth = self.depth.saturating_sub(1);
        Ok(())
    }
}

impl Statements {
    fn of(section: &'static Section, out: &mut Out<'_, '_>) -> Result<Vec<(u64, Span, Said)>> {
        let mut said = Statements::default();
        out.walk(section, HELD, &mut said)?;
        Ok(said.all)
    }
}

/// The tags of the things in a chunk.
fn tags(
    section: &'static Section,
    out: &mut Out<'_, '_>,
) -> Result<impl Iterator<Item = Vec<u8>> + use<>> {
    let said = Statements::of(section, out)?.into_iter();
    Ok(said.filter_map(|(.., said)| match said {
        Said::Tag(tag) => Some(tag),
        _ => None,
    }))
}

/// Applies the rules about records, on a map of so many cells.
pub(super) fn lint(out: &mut Out<'_, '_>, size: Option<[u64; 2]>) -> Result<()> {
    let teams = Statements::of(&players::TEAMS, out)?.into_iter();
    let teams: BTreeSet<u64> = teams
        .filter_map(|(.., said)| match said {
            Said::Team(team) => Some(team),
            _ => None,
        })
        .collect();
    let kits: BTreeSet<Vec<u8>> = tags(&inhabitants::KITS, out)?.collect();
    for section in [&places::START_POINTS, &inhabitants::UNITS, &inhabitants::BUILDINGS] {
        let mut axis = 0_usize;
        for (record, at, said) in Statements::of(section, out)? {
            let (code, found): (&'static Code, Val<'static>) = match said {
                Said::Team(team) if !teams.contains(&team) => (&codes::TEAM, team.into()),
                Said::Kit(kit) if !kits.contains(&kit) => (&codes::KIT, Val::Text(kit.into())),
                Said::Coordinate(value) => {
                    // x, y and z by turns; how high something may stand is not known.
                    let sides = size.map_or([None; 3], |[x, z]| [Some(x), None, Some(z)]);
                    let side = sides.get(axis).copied().flatten();
                    axis = axis.saturating_add(1) % 3;
                    let is_there = |side: u64| (0.0..=side as f32 * CELL).contains(&value);
                    if side.is_none_or(is_there) {
                        continue;
                    }
                    (&codes::OUTSIDE, value.into())
                }
                _ => continue,
            };
            out.report(Error::new(code).at(at).found(found), section, Some(record))?;
        }
    }
    members(out)
}

/// Members of groups are tags of things.
fn members(out: &mut Out<'_, '_>) -> Result<()> {
    let mut known: BTreeSet<Vec<u8>> = BTreeSet::new();
    for section in SECTIONS.iter().filter(|section| section.id != inhabitants::GROUPS.id) {
        if section.records().is_some() {
            known.extend(tags(section, out)?);
        }
    }
    for (record, at, said) in Statements::of(&inhabitants::GROUPS, out)? {
        match said {
            Said::Member(tag) if !known.contains(&tag) => {
                let error = Error::new(&codes::MEMBER).at(at).found(Val::Text(tag.into()));
                out.report(error, &inhabitants::GROUPS, Some(record))?;
            }
            _ => {}
        }
    }
    Ok(())
}
