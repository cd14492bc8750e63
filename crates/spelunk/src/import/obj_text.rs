//! What of an OBJ file and its material file goes to the reader. That takes lines for faces, and falls over colours of
//! one number and over faces that count back beyond the first vertex.

use crate::{Budget, Error, Result, Seg, codes};

/// Memory that a corner of a face takes at the most: in a face, as a vertex of a part and as one of a shape.
const CORNER: u64 = 192;
/// The same for a position, a normal, or texture coordinates.
const VERTEX: u64 = 80;
/// The same for a part: faces of one object and material.
const PART: u64 = 1024;
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

/// The lines of a file of shapes, without those that make none.
///
/// # Errors
/// [`BAD_MODEL`](codes::BAD_MODEL) for corners that are none; limits.
pub fn shapes(file: &[u8], budget: &mut Budget) -> Result<String> {
    let len = file.len() as u64;
    budget.memory(len.saturating_mul(4))?;
    budget.touch(len)?;
    let text = text(file)?;
    let mut lines = String::with_capacity(text.len().saturating_add(1));
    // Positions, texture coordinates and normals so far.
    let mut counts = [0_i64; 3];
    for (line, nth) in text.lines().map(str::trim).zip(1..) {
        let mut words = line.split_whitespace();
        let [positions, uv, normals] = &mut counts;
        let count = match words.next() {
            Some("v") => Some(positions),
            Some("vt") => Some(uv),
            Some("vn") => Some(normals),
            Some("o" | "g" | "usemtl") => {
                budget.memory(PART)?;
                None
            }
            Some("f") => {
                let corners = words.clone().count();
                budget.memory((corners as u64).saturating_mul(CORNER))?;
                if !words.all(|corner| is_there(corner, &counts)) || corners == 0 {
                    return Err(bad(nth).expected("corners that are there").found(start(line)));
                }
                if corners < 3 {
                    continue;
                }
                None
            }
            Some("l") => continue,
            _ => None,
        };
        if let Some(count) = count {
            budget.memory(VERTEX)?;
            *count = count.saturating_add(1);
        }
        lines.push_str(line);
        lines.push('\n');
    }
    Ok(lines)
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
            // What is told once counts for all.
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
