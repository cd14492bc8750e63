//! Rules about maps whose chunks are sound (`spelunk lint`): what lies where, what goes with what, and what a GameData knows.
//!
//! They rest on what the community's editor does; no real map was there to try them on. So most findings are warnings.

pub mod codes;
mod inside;
mod world;

use super::{Kind, Map, Records, Section};
use crate::{cff::ChunkFile, gamedata::GameData};
pub use spelunk_core::lint::{Rule, Selection};
use spelunk_core::{Code, Error, Result, Seg, Severity, Task};

/// All rules, by their codes.
pub const RULES: &[Rule] = &[
    Rule::told(&codes::OUTSIDE, Severity::Warning),
    Rule::told(&codes::WEATHER, Severity::Warning),
    Rule::told(&codes::NO_BINDSTONE, Severity::Warning),
    Rule::told(&codes::NPC_REPEATED, Severity::Warning),
    Rule::told(&codes::PORTAL_OBJECT, Severity::Warning),
    Rule::told(&codes::TILE, Severity::Warning),
    Rule::told(&codes::TEXTURE, Severity::Warning),
    Rule::told(&codes::NO_ID, Severity::Warning),
    Rule::told(&codes::LAKE, Severity::Warning),
    Rule::told(&codes::UNIT_GROUPS, Severity::Info),
    Rule::told(&codes::NO_SPAWNS, Severity::Warning),
    Rule::told(&codes::NO_SPAWN, Severity::Warning),
    Rule::told(&codes::SECOND, Severity::Warning),
    Rule::told(&codes::CELL_REPEATED, Severity::Info),
    Rule::told(&codes::DUMMY, Severity::Info),
    Rule::told(&codes::CAMP, Severity::Info),
    Rule::told(&codes::TEAMS_KIND, Severity::Warning),
    Rule::told(&codes::DECORATION, Severity::Info),
    Rule::told(&codes::DANGLING, Severity::Warning),
    Rule::told(&codes::NO_ROW, Severity::Warning),
];

/// Applies the rules to a map that was read from `file`. With a GameData and the path of the map those about its ids too.
/// Findings go to the sink of the task.
///
/// # Errors
/// Limits; reading errors; what the sink makes of a finding.
pub fn lint(
    file: &ChunkFile,
    map: &Map,
    world: Option<(GameData<'_>, &str)>,
    selection: &Selection,
    task: &mut Task<'_>,
) -> Result<()> {
    let mut out = Out { file, map, kind: Kind::of(file), selection, task };
    inside::chunks(&mut out)?;
    inside::ground(&mut out)?;
    inside::lakes(&mut out)?;
    inside::entities(&mut out)?;
    inside::npcs(&mut out)?;
    inside::flags(&mut out)?;
    inside::weather(&mut out)?;
    inside::players(&mut out)?;
    let Some((gamedata, path)) = world else { return Ok(()) };
    world::rows(&mut out, gamedata)?;
    world::handle(&mut out, gamedata, path)
}

/// The handle by which GameData may know a map: its path below `map`, without its ending; else the name of the file alone.
/// In the slashes that were used.
pub fn handle_of(path: &str) -> &str {
    let is_slash = |c: char| c == '\\' || c == '/';
    let ending = path.len().saturating_sub(4);
    let path = match path.get(ending..) {
        Some(end) if end.eq_ignore_ascii_case(".map") => path.get(..ending).unwrap_or(path),
        _ => path,
    };
    let mut start = 0_usize;
    let mut below = None;
    for part in path.split(is_slash) {
        let end = start.saturating_add(part.len()).saturating_add(1);
        if part.eq_ignore_ascii_case("map") && end < path.len() {
            below = path.get(end..);
        }
        start = end;
    }
    below.or_else(|| path.rsplit(is_slash).next()).unwrap_or(path)
}

/// Sink of the findings.
struct Out<'a, 't> {
    file: &'a ChunkFile,
    map: &'a Map,
    kind: Kind,
    selection: &'a Selection,
    task: &'a mut Task<'t>,
}

impl Out<'_, '_> {
    /// Whether any of these rules counts.
    fn wants(&self, codes: &[&Code]) -> bool {
        codes.iter().any(|code| self.selection.has(code))
    }

    /// Reports a finding about a record of a section, or about the section.
    fn tell(
        &mut self,
        error: Error,
        section: &Section,
        record: Option<usize>,
        field: &str,
    ) -> Result<()> {
        if !self.selection.has(error.code()) {
            return Ok(());
        }
        let code = error.code();
        let mut error = error;
        let first = self.file.with_id(section.id).first();
        if let Some((n, chunk)) = first.and_then(|n| Some((*n, self.file.chunk(*n)?))) {
            let at = self.file.section(n, &mut self.task.budget)?.plain_at();
            let mut place = at;
            if let (Some(nth), Some((head, row))) = (record, section.rows(chunk.data_type())) {
                let plain = self.file.plain(n, &mut self.task.budget)?;
                let start = Records::of(head, row, plain, at).start as u64;
                let size = u64::from(row.size);
                place = at.part(start.saturating_add(size.saturating_mul(nth as u64)), size);
                if let Some(slot) = row.fields.iter().find(|slot| slot.field.name == field) {
                    place = place.part(slot.offset.into(), slot.size.into());
                    if row.fields.len() > 1 {
                        error = error.within(Seg::Field(slot.field.name));
                    }
                }
            }
            error = error.at(place);
        }
        if let Some(nth) = record {
            error = error.within(Seg::Index(nth as u64));
        }
        let rule = RULES.iter().find(|rule| rule.code.id == code.id);
        let severity = rule.map_or(Severity::Warning, |rule| rule.severity);
        self.task.report(severity, error.field(section.name))
    }
}
