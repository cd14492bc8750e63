//! Planes in the engine's own coding: blocks of 8 by 8 pixels, cosine transform, quantisation, variable lengths
//! (`docs/formats/virtools.md#135-dct-planes`).

use crate::codes;
use spelunk_core::{Budget, Error, Result, record};
use zerocopy::{FromBytes, IntoBytes};

record! {
    /// The fixed part of a DCT plane; its coded bits follow at once.
    pub struct DctHead: "DCT plane", "docs/formats/virtools.md#135-dct-planes", 9 {
        /// 50 for the quantum table itself, 100 for quanta of 1.
        quality: U8,
        /// Pixels in a row.
        width: I32 { unit: "pixels" },
        /// Rows.
        height: I32 { unit: "pixels" },
    }
}

/// Pixels along the side of a block.
const SIDE: usize = 8;
/// Pixels, and coefficients, of a block.
const AREA: usize = SIDE * SIDE;
/// The largest coefficient that ten bits can hold, without its sign.
const MOST: i32 = 1023;
/// Zeros that one field can stand for.
const LONGEST_RUN: usize = 16;
/// Bits that a block takes at least: four such runs, of six bits each.
const LEAST_BITS: u64 = 24;

/// Rows of a block, from top to bottom in the order of the plane.
type DctBlock = [[f64; SIDE]; SIDE];

/// The quantum of each place at quality 50: the luminance table of the JPEG standard (ITU-T T.81, annex K.1).
const QUANTA: [[i32; SIDE]; SIDE] = [
    [16, 11, 10, 16, 24, 40, 51, 61],
    [12, 12, 14, 19, 26, 58, 60, 55],
    [14, 13, 16, 24, 40, 57, 69, 56],
    [14, 17, 22, 29, 51, 87, 80, 62],
    [18, 22, 37, 56, 68, 109, 103, 77],
    [24, 35, 55, 64, 81, 104, 113, 92],
    [49, 64, 78, 87, 103, 121, 120, 101],
    [72, 92, 95, 98, 112, 100, 103, 99],
];

/// Position of each coefficient in the rows of a block, in the zigzag order of the JPEG standard.
const ZIGZAG: [u8; AREA] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
    13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59,
    52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];

/// The orthonormal basis of the transform: `0.5 cos((2 column + 1) row pi / 16)`, and `1 / sqrt 8` in row 0.
const BASIS: DctBlock = basis();

/// Half the cosines of the multiples of pi / 16 from 0 to 8. Constants, so that all machines decode alike.
const COSINES: [f64; 9] = [
    0.5,
    0.490_392_640_201_615_2,
    0.461_939_766_255_643_37,
    0.415_734_806_151_272_6,
    0.353_553_390_593_273_8,
    0.277_785_116_509_801_1,
    0.191_341_716_182_544_92,
    0.097_545_161_008_064_12,
    0.0,
];

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "worked out when it is compiled"
)]
const fn basis() -> DctBlock {
    let mut basis = [[0.0; SIDE]; SIDE];
    let mut at = 0;
    while at < AREA {
        let (row, column) = (at / SIDE, at % SIDE);
        let turn = (2 * column + 1) * row % 32;
        basis[row][column] = match turn {
            _ if row == 0 => COSINES[4],
            0..=8 => COSINES[turn],
            9..=16 => -COSINES[16 - turn],
            17..=24 => -COSINES[turn - 16],
            _ => COSINES[32 - turn],
        };
        at += 1;
    }
    basis
}

/// The quantum of each place at a quality. Above 100 quanta are negative.
fn quanta(quality: u8) -> [[i32; SIDE]; SIDE] {
    QUANTA.map(|row| {
        row.map(|base| {
            let away = f64::from(base) * (50.0 - f64::from(quality)) * 0.02;
            match base.saturating_add(away.trunc() as i32) {
                0 => 1,
                quantum => quantum,
            }
        })
    })
}

fn turned(block: &DctBlock) -> DctBlock {
    std::array::from_fn(|row| block.map(|other| other.get(row).copied().unwrap_or_default()))
}

/// The sums of `rows` times `columns`, as matrices; the second one is turned.
fn product(rows: &DctBlock, columns: &DctBlock) -> DctBlock {
    rows.map(|row| {
        columns.map(|column| row.iter().zip(column).fold(0.0, |sum, (a, b)| sum + a * b))
    })
}

/// Blocks across and down that cover a plane, and the bytes of a buffer that has room for all of them when they are not
/// clipped.
struct Grid {
    width: usize,
    across: usize,
    down: usize,
    room: u64,
}

impl Grid {
    /// The grid of a plane with both sizes above 0.
    fn of(width: u32, height: u32) -> Grid {
        let (across, down) = (width.div_ceil(8), height.div_ceil(8));
        let rows = u64::from(down).saturating_mul(SIDE as u64);
        let room = u64::from(width).saturating_mul(rows).saturating_add(SIDE as u64);
        Grid { width: width as usize, across: across as usize, down: down as usize, room }
    }

    const fn blocks(&self) -> u64 {
        (self.across as u64).saturating_mul(self.down as u64)
    }

    /// Offsets in the plane of the first pixel of each block, block by block.
    fn starts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.down).flat_map(move |down| {
            let row = down.saturating_mul(SIDE).saturating_mul(self.width);
            (0..self.across).map(move |across| row.saturating_add(across.saturating_mul(SIDE)))
        })
    }
}

/// Decodes a plane of `width` times `height` pixels, rows as they are stored. What is left charged is the plane.
///
/// Blocks are not clipped: those at the end of a row of blocks reach into the first pixels of the rows below, as
/// engines have it.
///
/// # Errors
/// [`codes::PLANE`] for a plane of another size; [`codes::PLANE_BITS`] where its bits run out; a limit.
pub(super) fn decode(
    coded: &[u8],
    width: u32,
    height: u32,
    budget: &mut Budget,
) -> Result<Vec<u8>> {
    let (head, coded) = DctHead::ref_from_prefix(coded).map_err(|_| {
        let expected = format!("{} bytes or more", size_of::<DctHead>());
        Error::new(&codes::PLANE_BITS).expected(expected).found(coded.len())
    })?;
    let stored = (head.width.get(), head.height.get());
    if (i64::from(stored.0), i64::from(stored.1)) != (width.into(), height.into()) {
        return Err(Error::new(&codes::PLANE)
            .expected(format!("a plane of {width} x {height} pixels"))
            .found(format!("{} x {} pixels", stored.0, stored.1)));
    }
    let len = u64::from(width).saturating_mul(height.into());
    if len == 0 {
        return Err(Error::new(&codes::PLANE).expected("a plane with pixels").found("none"));
    }
    let grid = Grid::of(width, height);
    let mut bits = Bits { bytes: coded, at: 0 };
    if grid.blocks().saturating_mul(LEAST_BITS) > bits.len() {
        return Err(bits.ran_out());
    }
    budget.steps(grid.blocks().saturating_mul(16))?;
    let mut plane = budget.vec::<u8>(grid.room)?;
    // There is room for them, so the number fits.
    plane.resize(grid.room as usize, 0);
    if let Err(error) = blocks(&mut bits, &grid, head.quality, &mut plane) {
        budget.release(grid.room);
        return Err(error);
    }
    budget.release(grid.room.saturating_sub(len));
    plane.truncate(len as usize);
    Ok(plane)
}

fn blocks(bits: &mut Bits<'_>, grid: &Grid, quality: u8, plane: &mut [u8]) -> Result<()> {
    let quanta = quanta(quality);
    let across = turned(&BASIS);
    // A run of zeros goes on over the end of a block.
    let mut zeros = 0_u32;
    for start in grid.starts() {
        let mut coefficients = [[0.0; SIDE]; SIDE];
        for place in ZIGZAG.map(usize::from) {
            if let Some(left) = zeros.checked_sub(1) {
                zeros = left;
                continue;
            }
            match bits.coefficient()? {
                Coefficient::Zeros(run) => zeros = run.saturating_sub(1),
                Coefficient::Value(value) => {
                    let quantum = quanta.as_flattened().get(place).copied().unwrap_or(1);
                    if let Some(to) = coefficients.as_flattened_mut().get_mut(place) {
                        *to = f64::from(value) * f64::from(quantum);
                    }
                }
            }
        }
        // First along each row of coefficients, then across them.
        let rows = turned(&product(&coefficients, &across));
        let pixels = product(&across, &rows);
        for (row, values) in pixels.iter().enumerate() {
            let at = start.saturating_add(row.saturating_mul(grid.width));
            let stored = plane.get_mut(at..).unwrap_or_default();
            for (to, value) in stored.iter_mut().zip(values) {
                // The conversion clamps.
                *to = (value + 128.0 + 0.5) as u8;
            }
        }
    }
    Ok(())
}

/// Codes a plane of `width` times `height` pixels, both above 0, rows as they come, at a quality of 0 to 100.
///
/// What a block at the end of a row of blocks has beyond the row is taken from the start of the rows below, where
/// decoders put it.
///
/// # Errors
/// [`codes::ENCODE`] for a plane without pixels, a larger one than the coding can hold, or another quality.
pub(super) fn encode(plane: &[u8], width: u32, height: u32, quality: u8) -> Result<Vec<u8>> {
    let refused = |expected: &str, found: String| {
        Error::new(&codes::ENCODE).expected(expected.to_owned()).found(found)
    };
    let (Ok(stored_width), Ok(stored_height)) = (i32::try_from(width), i32::try_from(height))
    else {
        return Err(refused("sizes below 2 GiB", format!("{width} x {height}")));
    };
    if plane.is_empty() {
        return Err(refused("a plane of one pixel or more", "none".to_owned()));
    }
    if quality > 100 {
        return Err(refused("a quality of 0 to 100", quality.to_string()));
    }
    let head = DctHead { quality, width: stored_width.into(), height: stored_height.into() };
    let mut out = head.as_bytes().to_vec();
    let mut bits = BitsOut { bytes: &mut out, at: 0 };
    let quanta = quanta(quality).map(|row| row.map(f64::from));
    let grid = Grid::of(width, height);
    let last = plane.last().copied().unwrap_or_default();
    let mut zeros = 0;
    for start in grid.starts() {
        let pixels: DctBlock = std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                let row = start.saturating_add(row.saturating_mul(grid.width));
                let pixel = plane.get(row.saturating_add(column)).copied().unwrap_or(last);
                f64::from(pixel) - 128.0
            })
        });
        // Across the rows of pixels, then along them.
        let columns = product(&BASIS, &turned(&pixels));
        let coefficients = product(&columns, &BASIS);
        for place in ZIGZAG.map(usize::from) {
            let of = |block: &DctBlock| block.as_flattened().get(place).copied().unwrap_or(1.0);
            let value = (of(&coefficients) / of(&quanta)).round() as i32;
            match value.clamp(-MOST, MOST) {
                0 => zeros = usize::saturating_add(zeros, 1),
                value => {
                    bits.zeros(std::mem::take(&mut zeros));
                    bits.value(value);
                }
            }
        }
    }
    bits.zeros(zeros);
    Ok(out)
}

/// Meaning of a field of the coded bits.
enum Coefficient {
    /// So many coefficients are 0.
    Zeros(u32),
    /// A coefficient.
    Value(i32),
}

/// Coded bits, those of a byte from the least significant one up.
struct Bits<'a> {
    bytes: &'a [u8],
    /// Number of bits that were taken.
    at: u64,
}

impl Bits<'_> {
    const fn len(&self) -> u64 {
        (self.bytes.len() as u64).saturating_mul(8)
    }

    /// Takes a number whose most significant bit comes first.
    fn take(&mut self, count: u32) -> Result<u32> {
        let mut number = 0;
        for _ in 0..count {
            let byte = usize::try_from(self.at >> 3).ok().and_then(|at| self.bytes.get(at));
            let byte = u32::from(*byte.ok_or_else(|| self.ran_out())?);
            number = number << 1 | byte >> (self.at & 7) & 1;
            self.at = self.at.saturating_add(1);
        }
        Ok(number)
    }

    fn coefficient(&mut self) -> Result<Coefficient> {
        let (shortest, more) = match self.take(2)? {
            0 => return Ok(Coefficient::Zeros(self.take(4)?.saturating_add(1))),
            1 => (1, 1),
            2 => (3, 2),
            _ => (7, 2),
        };
        let len = self.take(more)?.saturating_add(shortest);
        let number = self.take(len)? as i32;
        // Ten bits at the most.
        let above = 1_i32 << len;
        let negative = number < above >> 1;
        let value = if negative { number.saturating_sub(above).saturating_add(1) } else { number };
        Ok(Coefficient::Value(value))
    }

    #[cold]
    fn ran_out(&self) -> Error {
        Error::new(&codes::PLANE_BITS)
            .expected("coefficients of all blocks")
            .found(format!("{} bytes behind the head", self.bytes.len()))
    }
}

/// Bits to be coded.
struct BitsOut<'a> {
    bytes: &'a mut Vec<u8>,
    /// Number of bits that there are.
    at: u64,
}

impl BitsOut<'_> {
    /// Puts the lowest `count` bits of a number, the most significant of them first.
    fn put(&mut self, number: u32, count: u32) {
        for nth in (0..count).rev() {
            let bit = (number >> nth & 1) as u8;
            if self.at & 7 == 0 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= bit << (self.at & 7);
            }
            self.at = self.at.saturating_add(1);
        }
    }

    fn zeros(&mut self, mut count: usize) {
        while let Some(above) = count.checked_sub(1) {
            let run = above.min(LONGEST_RUN.saturating_sub(1));
            self.put(0, 2);
            self.put(run as u32, 4);
            count = above.saturating_sub(run);
        }
    }

    /// Puts a number that is not 0, of up to ten bits without its sign.
    fn value(&mut self, value: i32) {
        let len = value.unsigned_abs().ilog2().saturating_add(1);
        let (kind, shortest, more) = match len {
            ..=2 => (1, 1, 1),
            3..=6 => (2, 3, 2),
            _ => (3, 7, 2),
        };
        self.put(kind, 2);
        self.put(len.saturating_sub(shortest), more);
        let number = if value < 0 { value.saturating_sub(1) } else { value };
        self.put(number as u32, len);
    }
}
