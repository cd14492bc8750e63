//! Rules of the maps of Ballance about groups, by which the game knows what objects are.

use super::{
    codes,
    facts::{self, Facts, sector_number},
    out::FileLintSink,
};
use crate::class;
use spelunk_core::{Error, Result, Severity};
use std::collections::{BTreeMap, BTreeSet};

/// Groups whose members are floors and rails.
const PHYSICS: [&str; 3] = ["Phys_Floors", "Phys_FloorRails", "Phys_FloorStopper"];

/// Starts of names of objects, each with the group that such objects belong to.
pub(super) const PLACES: [(&str, &str); 4] = [
    ("PS_", "PS_Levelstart"),
    ("PE_", "PE_Levelende"),
    ("PC_", "PC_Checkpoints"),
    ("PR_", "PR_Resetpoints"),
];

/// Groups of modules that the game knows.
const MODULES: [&str; 23] = [
    "P_Ball_Paper",
    "P_Ball_Stone",
    "P_Ball_Wood",
    "P_Box",
    "P_Dome",
    "P_Extra_Life",
    "P_Extra_Point",
    "P_Modul_01",
    "P_Modul_03",
    "P_Modul_08",
    "P_Modul_17",
    "P_Modul_18",
    "P_Modul_19",
    "P_Modul_25",
    "P_Modul_26",
    "P_Modul_29",
    "P_Modul_30",
    "P_Modul_34",
    "P_Modul_37",
    "P_Modul_41",
    "P_Trafo_Paper",
    "P_Trafo_Stone",
    "P_Trafo_Wood",
];

fn is_floor_group(name: &[u8]) -> bool {
    PHYSICS.iter().any(|known| known.as_bytes() == name)
}

pub(super) fn is_module_group(name: &[u8]) -> bool {
    name.starts_with(b"P_")
}

/// Meshes that the game makes physical bodies of.
pub(super) fn physical_meshes(facts: &Facts<'_>) -> BTreeSet<u32> {
    let groups = facts.groups.iter().filter(|(name, _)| is_floor_group(name));
    let entities = groups.flat_map(|(_, members)| members);
    entities.filter_map(|member| facts.scene.entities.get(member)?.mesh).collect()
}

/// Members of physics groups that are no body, or a wrong one.
pub(super) fn physics(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    const SLACK: f64 = 1e-3;
    let mut bodies: BTreeMap<u32, BTreeSet<&[u8]>> = BTreeMap::new();
    // Files of the modules themselves have groups of the same names, with frames in them.
    let is_map = facts.is_ballance_map();
    for (group, members) in &facts.groups {
        let is_floor = is_floor_group(group);
        let is_module = is_map && is_module_group(group);
        if !is_floor && !is_module {
            continue;
        }
        for member in members {
            let shown = out.show(group);
            if group.starts_with(b"Phys_") {
                bodies.entry(*member).or_default().insert(group);
            }
            let entity = facts.scene.entities.get(member);
            let Some(entity) = entity.filter(|entity| entity.mesh.is_some()) else {
                let severity = if is_floor { Severity::Error } else { Severity::Warning };
                out.report(severity, &codes::NO_MESH, *member, "meshes", format!("in {shown}"))?;
                continue;
            };
            let lengths = entity
                .world
                .axes
                .map(|axis| axis.iter().map(|part| part * part).sum::<f64>().sqrt());
            let mirrored = entity.world.determinant() < 0.0;
            let scaled = lengths.iter().any(|length| (length - 1.0).abs() > SLACK);
            if mirrored || scaled {
                let [x, y, z] = lengths;
                let mirrored = if mirrored { "mirrored, " } else { "" };
                let found = format!("{mirrored}scaled by {x:.3}, {y:.3}, {z:.3}, in {shown}");
                out.report(Severity::Warning, &codes::SCALED, *member, "entity", found)?;
            }
        }
    }
    for (member, groups) in bodies {
        if groups.len() > 1 {
            let groups: Vec<String> = groups.iter().map(|group| out.show(group)).collect();
            let found = groups.join(", ");
            out.report(Severity::Warning, &codes::SEVERAL_PHYSICS, member, "groups", found)?;
        }
    }
    Ok(())
}

/// Objects that their names put into other groups, and modules that are not in one sector.
pub(super) fn groups(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    let mut of: BTreeMap<u32, BTreeSet<&[u8]>> = BTreeMap::new();
    for (group, members) in &facts.groups {
        for member in members {
            of.entry(*member).or_default().insert(group);
        }
    }
    let none = BTreeSet::new();
    for (index, object) in (0..).zip(&facts.file.table().objects) {
        if !class::is_a(object.class_id, class::ENTITY_3D) {
            continue;
        }
        out.task.budget.steps(1)?;
        let name = facts::name(facts.file, index);
        let groups = of.get(&index).unwrap_or(&none);
        if let Some(group) = group_of(name, facts)
            && !groups.contains(group)
        {
            let error = Error::new(&codes::WRONG_GROUP).expected(out.show(group));
            out.report_error(Severity::Warning, index, "groups", error)?;
        }
        if !groups.iter().any(|group| is_module_group(group)) {
            continue;
        }
        let sectors: Vec<&[u8]> =
            groups.iter().copied().filter(|group| sector_number(group).is_some()).collect();
        if sectors.len() > 1 {
            let sectors: Vec<String> = sectors.iter().map(|group| out.show(group)).collect();
            let found = sectors.join(", ");
            out.report(Severity::Warning, &codes::SEVERAL_SECTORS, index, "groups", found)?;
        } else if sectors.is_empty() {
            let groups: Vec<String> = groups.iter().map(|group| out.show(group)).collect();
            let found = format!("in {} alone", groups.join(", "));
            out.report(Severity::Warning, &codes::NO_SECTOR, index, "groups", found)?;
        }
    }
    Ok(())
}

/// The group that the name of an object puts it into: the longest one that the game or the file knows.
fn group_of<'a>(name: &'a [u8], facts: &'a Facts<'_>) -> Option<&'a [u8]> {
    if let Some((_, group)) = PLACES.iter().find(|(start, _)| name.starts_with(start.as_bytes())) {
        return Some(group.as_bytes());
    }
    let known = MODULES.iter().map(|group| group.as_bytes());
    let own = facts.groups.keys().map(Vec::as_slice).filter(|group| is_module_group(group));
    let begins = |group: &&[u8]| {
        // `P_Box_01` and `P_Box1`, but not `P_Boxes`.
        name.strip_prefix(*group).is_some_and(|rest| {
            rest.first().is_none_or(|byte| *byte == b'_' || byte.is_ascii_digit())
        })
    };
    known.chain(own).filter(begins).max_by_key(|group| group.len())
}
