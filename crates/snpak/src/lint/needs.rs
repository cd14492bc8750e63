//! Rules about dependencies.

use super::{
    codes,
    out::{PackLintSink, shown},
};
use crate::index::{Dependency, RowError};
use spelunk_core::{Described, Error, Result, Severity, Val, graph};

/// The position that means "not in the pack".
const NOWHERE: u32 = u32::MAX;
/// Assets of a circle that a finding lists.
const LISTED: usize = 6;

/// Dependencies that lead nowhere, to the asset itself, or in a circle.
pub(super) fn needs(out: &mut PackLintSink<'_, '_, '_>) -> Result<()> {
    let index = out.pack.index();
    let dependencies = index.dependencies();
    let wanted = out.wants(&[&codes::MISSING, &codes::SELF_DEPENDENCY, &codes::CYCLE]);
    if dependencies.is_empty() || !wanted {
        return Ok(());
    }
    // Owners may share ranges, so each dependency is looked up once, before it is gone through.
    out.task.budget.steps(dependencies.len() as u64)?;
    let mut targets = out.task.budget.vec::<u32>(dependencies.len() as u64)?;
    let target = |needs: &Dependency| out.ids.last(index, &needs.asset_id.0);
    let rows = dependencies.iter().map(|needs| target(needs).and_then(|row| row.try_into().ok()));
    targets.extend(rows.map(|row| row.unwrap_or(NOWHERE)));
    for owner in index.owners() {
        let row = owner.asset_index.get() as usize;
        let own = out.pack.entry(row).map(|entry| entry.asset_id);
        let range = index.dependency_range(row);
        out.task.budget.steps((range.len() as u64).saturating_add(1))?;
        for (nth, position) in range.enumerate() {
            let Some(needs) = dependencies.get(position) else { continue };
            if own == Some(needs.asset_id) {
                let error = Error::new(&codes::SELF_DEPENDENCY).at(index.place(3, position));
                let error = error.item("dependencies", nth);
                out.report_asset(Severity::Warning, row, error)?;
            } else if targets.get(position) == Some(&NOWHERE) {
                missing(row, nth, position, needs, out)?;
            }
        }
    }
    if out.wants(&[&codes::CYCLE]) { cycles(&targets, out) } else { Ok(()) }
}

/// Reports a dependency that the pack does not have.
fn missing(
    row: usize,
    nth: usize,
    position: usize,
    needs: &Dependency,
    out: &mut PackLintSink<'_, '_, '_>,
) -> Result<()> {
    let id = Val::Uuid(needs.asset_id.0);
    let kind = Dependency::RECORD.field("kind").meaning(&Val::U(needs.kind.into()));
    let kind = kind.as_deref().unwrap_or("unknown").to_owned();
    let name = out.pack.strings().get(needs.name_string_id.get());
    out.task.budget.touch(name.map_or(0, <[u8]>::len) as u64)?;
    let expected = match name {
        Some(name) => format!("{} ({id}), {kind}", shown(name)),
        None => format!("{id}, {kind}"),
    };
    let severity = if needs.kind == 0 { Severity::Warning } else { Severity::Info };
    let error = Error::new(&codes::MISSING)
        .at(out.pack.index().place(3, position))
        .expected(expected)
        .item("dependencies", nth);
    out.report_asset(severity, row, error)
}

/// Assets that need each other.
fn cycles(targets: &[u32], out: &mut PackLintSink<'_, '_, '_>) -> Result<()> {
    let index = out.pack.index();
    let target = |edge: usize| targets.get(edge).copied().filter(|target| *target != NOWHERE);
    // What a later entry hides is what nothing needs.
    let owners = index.owners().iter().map(|owner| owner.asset_index.get());
    let starts = owners.filter(|row| !out.ids.is_shadowed(*row as usize));
    let range = |row: u32| index.dependency_range(row as usize);
    let count = index.entries().len();
    let found = graph::cycles(count, starts, range, target, &mut out.task.budget)?;
    found.iter().try_for_each(|circle| report_circle(circle, targets, out))
}

/// Reports a circle at the first dependency of its first asset that leads into it.
fn report_circle(
    circle: &[u32],
    targets: &[u32],
    out: &mut PackLintSink<'_, '_, '_>,
) -> Result<()> {
    let Some(first) = circle.first().map(|row| *row as usize) else { return Ok(()) };
    let index = out.pack.index();
    let range = index.dependency_range(first);
    out.task.budget.steps(range.len() as u64)?;
    let into = |position: &usize| {
        let target = targets.get(*position).map(|target| *target as usize);
        target.is_some_and(|row| row != first && circle.binary_search(&(row as u32)).is_ok())
    };
    let position = range.clone().find(into).unwrap_or(range.start);
    let mut names = Vec::new();
    for row in circle.iter().take(LISTED) {
        names.push(format!("`{}`", out.asset(*row as usize)?));
    }
    if circle.len() > names.len() {
        names.push(format!("{} more", circle.len().saturating_sub(names.len())));
    }
    let error = Error::new(&codes::CYCLE)
        .at(index.place(3, position))
        .found(format!("{} assets: {}", circle.len(), names.join(", ")))
        .item("dependencies", position.saturating_sub(range.start));
    out.report_asset(Severity::Info, first, error)
}
