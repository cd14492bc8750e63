//! The lines of an OBJ file and its material file that go to the reader. That takes lines for faces, and falls over colours of
//! one number and over faces that count back beyond the first vertex.

use spelunk_core::{Budget, Error, Result, Seg};
use spelunk_open::codes;

/// Memory that a position takes at the most while it is read, with its colour.
const POSITION: u64 = 72;
/// The same for a normal or texture coordinates.
const PAIR: u64 = 36;
/// The same for a part: faces of one object and material.
const PART: u64 = 1024;
/// The same for a face, as the reader has it: four corners with three numbers each.
const FACE: u64 = 104;
/// The same for a corner of a face of more than four.
const CORNER: u64 = 24;
/// The same for a vertex in what the reader finds vertices by.
const KNOWN: u64 = 80;
/// The same for a vertex of what was read: position, normal, texture coordinates, colour.
const READ: u64 = 44;
/// The same for a vertex of a shape, and then of a mesh and its bytes.
const SHAPED: u64 = 150;
/// The same for a triangle of a shape.
const TRIANGLE: u64 = 16;
/// The same for a triangle of a mesh, and of its bytes.
const MESHED: u64 = 32;
/// The same for each byte of a material file.
const MATERIAL_BYTE: u64 = 256;

/// Something wrong in a line, of which the first is 1.
fn bad(line: u64) -> Error {
    Error::new(&codes::BAD_MODEL).within(Seg::Index(line)).field("line")
}

fn text(file: &[u8]) -> Result<&str> {
    str::from_utf8(file).map_err(|error| {
        let before = file.get(..error.valid_up_to()).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() as u64;
        bad(line.saturating_add(1)).expected("text in UTF-8")
    })
}

/// The memory of so many items of a list that grows to twice its length, while the old one is there too.
fn grown(count: u64, size: u64) -> u64 {
    count.next_power_of_two().saturating_mul(size).saturating_mul(3) / 2
}

/// Counts of what is read of a file, from which follows the memory that it takes.
#[derive(Default)]
struct ObjCounts {
    /// Positions, texture coordinates and normals so far.
    vertices: [i64; 3],
    /// The length of the line that names the object.
    name: u64,
    /// Corners and triangles of the part.
    corners: u64,
    triangles: u64,
    /// Faces of the object, and what those of more than four corners take.
    faces: u64,
    long: u64,
    /// Vertices of the object, which are made of its corners.
    of_object: u64,
    /// Memory that has to be there until the object is read, for the largest one.
    reading: u64,
    /// Memory of all parts as they are read, and of the shapes made of them.
    read: u64,
    shaped: u64,
}

impl ObjCounts {
    fn face(&mut self, corners: u64) {
        self.faces = self.faces.saturating_add(1);
        self.corners = self.corners.saturating_add(corners);
        self.triangles = self.triangles.saturating_add(corners.saturating_sub(2));
        let long = if corners > 4 { grown(corners, CORNER) } else { 0 };
        self.long = self.long.saturating_add(long);
    }

    /// A part ends: what it has becomes a model. Corners that say the same are one vertex.
    fn end_part(&mut self) {
        if self.corners == 0 {
            return;
        }
        let choices = self.vertices.map(|count| count.unsigned_abs().max(1));
        let choices = choices.into_iter().fold(1, u64::saturating_mul);
        let vertices = self.corners.min(choices);
        let indices = grown(self.triangles.saturating_mul(3), 4);
        self.of_object = self.of_object.saturating_add(vertices);
        let read = grown(vertices, READ).saturating_add(indices);
        // Each part has the name of its object.
        let read = read.saturating_add(PART).saturating_add(self.name.saturating_mul(2));
        self.read = self.read.saturating_add(read);
        let shaped = grown(self.triangles, TRIANGLE)
            .saturating_add(self.triangles.saturating_mul(MESHED))
            .saturating_add(vertices.saturating_mul(SHAPED));
        self.shaped = self.shaped.saturating_add(shaped);
        (self.corners, self.triangles) = (0, 0);
    }

    /// An object ends, with its last part.
    fn end_object(&mut self) {
        self.end_part();
        let reading = grown(self.faces, FACE)
            .saturating_add(self.long)
            .saturating_add(grown(self.of_object, KNOWN));
        self.reading = self.reading.max(reading);
        (self.faces, self.long, self.of_object) = (0, 0, 0);
    }

    /// The memory that all of it takes.
    fn memory(&self) -> u64 {
        let [positions, uv, normals] = self.vertices.map(i64::unsigned_abs);
        let pairs = uv.saturating_add(normals);
        let vertices =
            positions.saturating_mul(POSITION).saturating_add(pairs.saturating_mul(PAIR));
        let later = self.reading.saturating_add(vertices).max(self.shaped);
        self.read.saturating_add(later)
    }
}

/// The lines of a file of shapes, without those that make none. The memory of what is made of them is taken; the number is the
/// part of it that has to be given back once the shapes are there.
///
/// # Errors
/// [`BAD_MODEL`](codes::BAD_MODEL) for corners that are none; limits.
pub fn shapes(file: &[u8], budget: &mut Budget) -> Result<(String, u64)> {
    let len = file.len() as u64;
    // The lines, and the one that is read.
    let lines = len.saturating_mul(3);
    budget.memory(lines)?;
    budget.touch(len)?;
    let text = text(file)?;
    let mut passed = String::with_capacity(text.len().saturating_add(1));
    let mut counts = ObjCounts::default();
    for (line, nth) in text.lines().map(str::trim).zip(1..) {
        let mut words = line.split_whitespace();
        let [positions, uv, normals] = &mut counts.vertices;
        let count = match words.next() {
            Some("v") => Some(positions),
            Some("vt") => Some(uv),
            Some("vn") => Some(normals),
            Some("o" | "g") => {
                counts.end_object();
                counts.name = line.len() as u64;
                None
            }
            Some("usemtl") => {
                counts.end_part();
                None
            }
            Some("f") => {
                let corners = words.clone().count();
                if !words.all(|corner| is_there(corner, &counts.vertices)) || corners == 0 {
                    return Err(bad(nth).expected("corners that are there").found(start(line)));
                }
                if corners < 3 {
                    continue;
                }
                counts.face(corners as u64);
                None
            }
            Some("l") => continue,
            _ => None,
        };
        if let Some(count) = count {
            *count = count.saturating_add(1);
        }
        passed.push_str(line);
        passed.push('\n');
    }
    counts.end_object();
    budget.memory(counts.memory())?;
    Ok((passed, lines.saturating_add(counts.memory().saturating_sub(counts.shaped))))
}

/// Whether the numbers of a corner can be those of a vertex. Numbers below 0 count back, others may be of one that
/// follows.
fn is_there(corner: &str, counts: &[i64; 3]) -> bool {
    corner.split('/').zip(counts).all(|(number, count)| {
        let of = -count..=i64::from(u32::MAX);
        number.is_empty() || number.parse().is_ok_and(|number: i64| of.contains(&number))
    })
}

/// The start of a line, to be shown.
fn start(line: &str) -> String {
    line.chars().take(40).collect()
}

/// The lines of a material file, with all three numbers of all colours.
///
/// # Errors
/// [`BAD_MODEL`](codes::BAD_MODEL) for a colour without numbers; limits.
pub fn materials(file: &[u8], budget: &mut Budget) -> Result<String> {
    let len = file.len() as u64;
    budget.memory(len.saturating_mul(MATERIAL_BYTE))?;
    budget.touch(len)?;
    let mut lines = String::new();
    for (line, nth) in text(file)?.lines().map(str::trim).zip(1..) {
        let words: Vec<&str> = line.split_whitespace().take(4).collect();
        lines.push_str(line);
        if let ["Ka" | "Kd" | "Ks" | "Ke", numbers @ ..] = words.as_slice() {
            // A number that stands alone counts for all.
            let last = numbers.last().ok_or_else(|| bad(nth).expected("a colour"))?;
            for _ in numbers.len()..3 {
                lines.push(' ');
                lines.push_str(last);
            }
        }
        lines.push('\n');
    }
    Ok(lines)
}
