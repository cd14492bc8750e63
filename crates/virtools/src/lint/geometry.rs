//! Rules about meshes: faces and vertices that are not what they should be.

use super::{ballance, codes, facts::Facts, out::FileLintSink};
use crate::{
    class::mesh::{Face, Mesh, Vertices},
    scene::matrix::{Vector, cross, length},
};
use spelunk_core::{Budget, Result, Severity, lint::Selection};
use zerocopy::little_endian::{F32, U16};

/// Reports what is wrong with meshes.
pub(super) fn meshes(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    let physical = ballance::physical_meshes(facts);
    for (index, mesh) in &facts.meshes {
        let faults = Faults::of(mesh, &mut out.task.budget)?;
        let faces = mesh.faces.as_ref().map_or(0, |faces| faces.len());
        let mut tell = |severity, code, count: usize, field, of: String| {
            if count == 0 {
                return Ok(());
            }
            out.report(severity, code, *index, field, format!("{count} of {of}"))
        };
        let of = format!("{faces} faces");
        tell(Severity::Error, &codes::FACE_VERTICES, faults.vertices, "faces", of.clone())?;
        tell(Severity::Error, &codes::FACE_SLOTS, faults.slots, "faces", of.clone())?;
        tell(Severity::Info, &codes::DEGENERATE_FACES, faults.degenerate, "faces", of.clone())?;
        tell(Severity::Info, &codes::COLLINEAR_FACES, faults.collinear, "faces", of)?;
        let bad = if physical.contains(index) { Severity::Warning } else { Severity::Info };
        let of = format!("{} vertices", count(mesh));
        tell(bad, &codes::ISOLATED_VERTICES, faults.isolated, "vertices", of)?;
    }
    Ok(())
}

/// Numbers of faults of a mesh, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Faults {
    pub(super) vertices: usize,
    pub(super) slots: usize,
    pub(super) degenerate: usize,
    /// Never mended.
    collinear: usize,
    pub(super) isolated: usize,
}

impl Faults {
    pub(super) fn of(mesh: &Mesh, budget: &mut Budget) -> Result<Faults> {
        let mut faults = Faults::default();
        let Some(faces) = &mesh.faces else { return Ok(faults) };
        budget.steps((faces.len() as u64).saturating_add(u64::from(count(mesh))) >> 2)?;
        for face in faces.iter() {
            if !has_vertices(face, mesh) {
                faults.vertices = faults.vertices.saturating_add(1);
                continue;
            }
            let degenerate = is_degenerate(face, mesh);
            let collinear = !degenerate && is_collinear(face, mesh);
            faults.degenerate = faults.degenerate.saturating_add(usize::from(degenerate));
            faults.collinear = faults.collinear.saturating_add(usize::from(collinear));
            faults.slots = faults.slots.saturating_add(usize::from(!has_slot(face, mesh)));
        }
        if !faces.is_empty() {
            faults.isolated = used(mesh, budget)?.iter().filter(|used| !**used).count();
        }
        Ok(faults)
    }
}

fn count(mesh: &Mesh) -> u32 {
    mesh.vertices.as_ref().map_or(0, |vertices| vertices.count)
}

fn corners(face: &Face) -> [u16; 3] {
    [face.a, face.b, face.c].map(U16::get)
}

fn has_vertices(face: &Face, mesh: &Mesh) -> bool {
    corners(face).iter().all(|corner| u32::from(*corner) < count(mesh))
}

/// Whether the material slot of a face is there. Without any there is the one that stands for no material.
fn has_slot(face: &Face, mesh: &Mesh) -> bool {
    let slots = mesh.materials.as_ref().map_or(1, |slots| slots.len().max(1));
    usize::from(face.material.get()) < slots
}

/// Whether two corners are one vertex, or at one place.
fn is_degenerate(face: &Face, mesh: &Mesh) -> bool {
    let [a, b, c] = corners(face);
    if a == b || b == c || c == a {
        return true;
    }
    places(face, mesh).is_some_and(|[a, b, c]| a == b || b == c || c == a)
}

/// Positions of the corners of a face.
fn places(face: &Face, mesh: &Mesh) -> Option<[[f32; 3]; 3]> {
    let positions = &mesh.vertices.as_ref()?.positions;
    let at = |corner: u16| Some(positions.get(usize::from(corner))?.map(F32::get));
    let [a, b, c] = corners(face);
    Some([at(a)?, at(b)?, at(c)?])
}

/// Whether the three corners are on one line, as far as their coordinates show.
fn is_collinear(face: &Face, mesh: &Mesh) -> bool {
    // How far off the longest edge the third corner may be, in lengths of that edge. Three places of one line whose
    // coordinates are as large as the edge are up to 2 * sqrt(3) * 2^-24 off when they are rounded to single precision.
    // Larger coordinates are rounded more, but to call more of them collinear would take in thin faces of real files,
    // of which the thinnest is eight times as high.
    const OFF: f64 = 1.0 / 4_194_304.0;
    let Some([a, b, c]) = places(face, mesh).map(|all| all.map(|place| place.map(f64::from)))
    else {
        return false;
    };
    let edges = [minus(b, a), minus(c, b), minus(a, c)];
    let [one, other, _] = edges;
    let longest = edges.into_iter().map(length).fold(0.0, f64::max);
    // Twice the area is the longest edge times the height above it.
    longest.is_finite() && length(cross(one, other)) <= OFF * longest * longest
}

fn minus([a, b, c]: Vector, [x, y, z]: Vector) -> Vector {
    [a - x, b - y, c - z]
}

/// Flag of each vertex: whether a face or a line has it.
fn used(mesh: &Mesh, budget: &mut Budget) -> Result<Vec<bool>> {
    let mut used = budget.vec(count(mesh).into())?;
    used.resize(count(mesh) as usize, false);
    let mut mark = |corner: u16| {
        if let Some(used) = used.get_mut(usize::from(corner)) {
            *used = true;
        }
    };
    for face in mesh.faces.iter().flat_map(|faces| faces.iter()) {
        corners(face).into_iter().for_each(&mut mark);
    }
    for line in mesh.lines.iter().flat_map(|lines| lines.items.iter()) {
        line.iter().for_each(|end| mark(end.get()));
    }
    budget.release(count(mesh).into());
    Ok(used)
}

/// Mends what the chosen rules find, as far as nothing else goes by the numbers of faces or, where they are not
/// `fixed`, of vertices. Returns what was mended.
pub(super) fn mend(
    mesh: &mut Mesh,
    fixed: bool,
    selection: &Selection,
    budget: &mut Budget,
) -> Result<Faults> {
    let mut mended = Faults::default();
    let is_plain = mesh.progressive.is_none() && mesh.render_groups.is_none();
    let slots = selection.has(&codes::FACE_SLOTS);
    if slots && let Some(faces) = mesh.faces.clone() {
        let mut faces = faces;
        if !faces.iter().all(|face| has_slot(face, mesh)) {
            for face in faces.to_mut() {
                if !has_slot(face, mesh) {
                    face.material = U16::ZERO;
                    mended.slots = mended.slots.saturating_add(1);
                }
            }
            mesh.faces = Some(faces);
        }
    }
    if is_plain {
        drop_faces(mesh, selection, &mut mended);
        if !fixed && selection.has(&codes::ISOLATED_VERTICES) {
            drop_vertices(mesh, &mut mended, budget)?;
        }
    }
    Ok(mended)
}

fn drop_faces(mesh: &mut Mesh, selection: &Selection, mended: &mut Faults) {
    let (vertices, degenerate) =
        (selection.has(&codes::FACE_VERTICES), selection.has(&codes::DEGENERATE_FACES));
    let Some(faces) = &mesh.faces else { return };
    let mut kept = Vec::with_capacity(faces.len());
    for face in faces.iter() {
        let missing = !has_vertices(face, mesh);
        let flat = !missing && is_degenerate(face, mesh);
        mended.vertices = mended.vertices.saturating_add(usize::from(vertices && missing));
        mended.degenerate = mended.degenerate.saturating_add(usize::from(degenerate && flat));
        kept.push(!(vertices && missing || degenerate && flat));
    }
    if kept.iter().all(|kept| *kept) {
        return;
    }
    // Each face has its own, where there are any.
    let masks = mesh.face_channel_masks.as_mut().map(|masks| &mut masks.items);
    if let Some(masks) = masks.filter(|masks| masks.len() == kept.len()) {
        retain(masks.to_mut(), &kept);
    }
    if let Some(faces) = &mut mesh.faces {
        retain(faces.to_mut(), &kept);
    }
}

fn drop_vertices(mesh: &mut Mesh, mended: &mut Faults, budget: &mut Budget) -> Result<()> {
    let has_own_uv = mesh.channels.iter().flatten().any(|channel| !channel.uv.is_empty());
    let has_weights = mesh.weights.as_ref().is_some_and(|weights| weights.each.is_some());
    let has_faces = mesh.faces.as_ref().is_some_and(|faces| !faces.is_empty());
    let sound = mesh.faces.iter().flat_map(|faces| faces.iter());
    let sound = sound.clone().all(|face| has_vertices(face, mesh));
    let lines = mesh.lines.iter().flat_map(|lines| lines.items.iter()).flatten();
    let sound = sound && lines.clone().all(|end| u32::from(end.get()) < count(mesh));
    if has_own_uv || has_weights || !has_faces || !sound {
        return Ok(());
    }
    let kept = used(mesh, budget)?;
    let isolated = kept.iter().filter(|kept| !**kept).count();
    let Some(vertices) = mesh.vertices.as_mut().filter(|_| isolated > 0) else { return Ok(()) };
    let Vertices { count, positions, colors, specular, normals, uv, .. } = vertices.as_mut();
    let many = *count as usize;
    if many > 1 {
        keep(positions, many, &kept);
        keep(colors, many, &kept);
        keep(specular, many, &kept);
        keep(normals, many, &kept);
        keep(uv, many, &kept);
    }
    *count = count.saturating_sub(u32::try_from(isolated).unwrap_or_default());
    if let Some(weights) = &mut mesh.weights {
        weights.count = *count;
    }
    let mut next = 0_u16;
    let numbers: Vec<u16> = kept
        .iter()
        .map(|kept| {
            let number = next;
            next = next.wrapping_add(u16::from(*kept));
            number
        })
        .collect();
    let renumber = |corner: &mut U16| {
        if let Some(number) = numbers.get(usize::from(corner.get())) {
            corner.set(*number);
        }
    };
    for face in mesh.faces.iter_mut().flat_map(|faces| faces.to_mut()) {
        [&mut face.a, &mut face.b, &mut face.c].into_iter().for_each(renumber);
    }
    for line in mesh.lines.iter_mut().flat_map(|lines| lines.items.to_mut()) {
        line.iter_mut().for_each(renumber);
    }
    mended.isolated = isolated;
    Ok(())
}

/// Keeps the values of some vertices, where each has one.
fn keep<T: crate::codec::Pod>(values: &mut crate::codec::Array<T>, many: usize, kept: &[bool]) {
    if values.len() == many {
        retain(values.to_mut(), kept);
    }
}

fn retain<T>(values: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    values.retain(|_| kept.next().copied().unwrap_or(true));
}
