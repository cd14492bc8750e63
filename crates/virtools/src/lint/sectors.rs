//! Rules of the maps of Ballance about sectors, and the points where they begin and end.

use super::{
    codes,
    facts::{self, Facts, sector_number},
    out::FileLintSink,
};
use spelunk_core::{Result, Severity};

/// Number of sectors that the game goes through.
const MOST: usize = 8;

/// Sectors, and what leads from one to the next.
pub(super) fn sectors(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    let groups = facts.groups.keys();
    let mut sectors: Vec<(u32, &[u8])> =
        groups.filter_map(|group| Some((sector_number(group)?, group.as_slice()))).collect();
    sectors.sort_unstable();
    let count = sectors.len();
    let wanted = || "2 to 8 sectors".to_owned();
    let found = format!("{count}");
    match count {
        0 => out.report_groups(Severity::Error, &codes::SECTOR_COUNT, wanted(), found)?,
        1 => out.report_groups(Severity::Warning, &codes::SECTOR_COUNT, wanted(), found)?,
        2..=MOST => {}
        _ => out.report_groups(Severity::Error, &codes::SECTOR_COUNT, wanted(), found)?,
    }
    // Those beyond are known to loaders for more sectors, the ninth with one digit and with two.
    let is_named = |(number, name): &(u32, &[u8])| {
        *number as usize > MOST || format!("Sector_{number:02}").as_bytes() == *name
    };
    let are_consecutive = sectors.iter().map(|(number, _)| *number).eq((1..).take(count));
    if !are_consecutive || !sectors.iter().all(is_named) {
        let names: Vec<String> = sectors.iter().map(|(_, name)| out.show(name)).collect();
        let expected = format!("Sector_01 to Sector_{count:02}");
        out.report_groups(Severity::Error, &codes::SECTOR_GAP, expected, names.join(", "))?;
    }
    let one = |group: &'static str, code, out: &mut FileLintSink<'_, '_>| {
        let members = members(facts, group).len();
        if members == 1 {
            return Ok(());
        }
        out.report_groups(
            Severity::Error,
            code,
            format!("1 member of {group}"),
            members.to_string(),
        )
    };
    one("PS_Levelstart", &codes::LEVEL_START, out)?;
    one("PE_Levelende", &codes::LEVEL_END, out)?;
    points(facts, "PR_Resetpoints", count, &codes::RESET_POINTS, out)?;
    points(facts, "PC_Checkpoints", count.saturating_sub(1), &codes::CHECKPOINTS, out)
}

fn members<'a>(facts: &'a Facts<'_>, group: &str) -> &'a [u32] {
    facts.groups.get(group.as_bytes()).map_or(&[], Vec::as_slice)
}

/// Checks that a group has so many members, numbered from 1.
fn points(
    facts: &Facts<'_>,
    group: &'static str,
    count: usize,
    code: &'static spelunk_core::Code,
    out: &mut FileLintSink<'_, '_>,
) -> Result<()> {
    let members = members(facts, group);
    if members.len() != count {
        let expected = format!("{count} members of {group}");
        return out.report_groups(Severity::Error, code, expected, members.len().to_string());
    }
    let mut seen = Vec::new();
    for member in members {
        let name = facts::name(facts.file, *member);
        let number = last_number(name).filter(|number| *number >= 1 && *number <= count);
        let found = match number {
            None => format!("`{}` in {group}, whose numbers are 1 to {count}", out.show(name)),
            Some(number) if seen.contains(&number) => {
                format!("`{}` in {group}, where {number} comes twice", out.show(name))
            }
            Some(number) => {
                seen.push(number);
                continue;
            }
        };
        out.report(Severity::Warning, &codes::NUMBERING, *member, "name", found)?;
    }
    Ok(())
}

/// The number at the end of a name.
fn last_number(name: &[u8]) -> Option<usize> {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = name.get(name.len().checked_sub(digits)?..)?;
    str::from_utf8(digits).ok()?.parse().ok()
}
