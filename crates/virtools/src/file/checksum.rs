//! The checksum of Part0: an Adler-32 that starts at 0, over what the recipe of the file covers.

use super::header::{Head, Part0};
use crate::codes;
use spelunk_core::{Budget, Error, Result, Span, Task, Val, scalar::Word, zlib};
use zerocopy::IntoBytes;

/// First ProductBuild whose products cover the Data section only: 3.5.0.53.
const DATA_ONLY_FROM: u32 = 0x0305_0035;

/// Modulus of both halves of an Adler-32.
const MODULUS: u64 = 65_521;

/// Bytes that a checksum covers (`docs/formats/virtools.md#3-checksum`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recipe {
    /// Part0 with a checksum of 0, Part1, Header1 and Data as stored.
    Full,
    /// Data as stored.
    DataOnly,
    /// FileVersion 2 to 7: plain Data where the section is packed, else everything from Data to the end of
    /// the file.
    Legacy,
    /// FileVersion 0 and 1 have no checksum.
    None,
}

impl Recipe {
    /// The recipe as one word.
    pub const fn name(self) -> &'static str {
        match self {
            Recipe::Full => "full",
            Recipe::DataOnly => "data-only",
            Recipe::Legacy => "legacy",
            Recipe::None => "none",
        }
    }

    /// The recipe of the FileVersion and product that `head` names.
    pub fn of(head: &Head) -> Recipe {
        match (head.version(), head.product_build()) {
            (..2, _) => Recipe::None,
            (2..8, _) => Recipe::Legacy,
            (_, ..DATA_ONLY_FROM) => Recipe::Full,
            _ => Recipe::DataOnly,
        }
    }

    /// The checksum of a file of FileVersion 8 or 9 with these parts. The one that `head` holds plays no role.
    pub fn sum(self, head: &Head, header1: &[u8], data: &[u8]) -> u32 {
        self.with_data(head, header1, data.len(), sum_of(&[data]))
    }

    /// The same where the sum of the Data section is known. Sums that start at 0 add up.
    fn with_data(self, head: &Head, header1: &[u8], len: usize, data: u32) -> u32 {
        if self == Recipe::DataOnly {
            return data;
        }
        let part0 = Part0 { crc: Word::new(0), ..head.part0 };
        let part1 = head.part1.as_ref().map_or(&[][..], |part1| part1.as_bytes());
        let start = sum_of(&[part0.as_bytes(), part1, header1]);
        joined(start, data, len)
    }
}

/// The Adler-32 that starts at 0.
fn sum_of(parts: &[&[u8]]) -> u32 {
    // Memory is summed up faster from a line of the cache on.
    let lines = parts.iter().flat_map(|part| {
        let (before, lines) = part.split_at(part.as_ptr().align_offset(64).min(part.len()));
        [before, lines]
    });
    lines.fold(0, |sum, part| joined(sum, sum_of_part(part), part.len()))
}

/// The Adler-32 of one part that starts at 0. The one of zlib starts its first half at 1, which adds 1 to that
/// half, and 1 to the second one for every byte.
fn sum_of_part(part: &[u8]) -> u32 {
    let [first, second] = halves(zlib::adler32(part));
    let len = part.len() as u64 % MODULUS;
    let less = |half: u64, by: u64| half.wrapping_add(MODULUS).wrapping_sub(by) % MODULUS;
    whole([less(first, 1), less(second, len)])
}

/// The sum of two parts that follow each other, from the sums of both, and the length of the second one: each
/// byte of that adds the first half, as it was before, to the second half.
fn joined(sum: u32, next: u32, len: usize) -> u32 {
    let ([a, b], [next_a, next_b]) = (halves(sum), halves(next));
    let carried = a.wrapping_mul(len as u64 % MODULUS);
    let first = a.wrapping_add(next_a) % MODULUS;
    whole([first, b.wrapping_add(next_b).wrapping_add(carried) % MODULUS])
}

fn halves(sum: u32) -> [u64; 2] {
    [sum & 0xFFFF, sum >> 16].map(u64::from)
}

fn whole([first, second]: [u64; 2]) -> u32 {
    ((second << 16) | first) as u32
}

/// The stored checksum, and what is known of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checksum {
    /// The value of Part0.
    pub stored: u32,
    /// The recipe that gives the stored value; where none does, the one that the product uses.
    pub recipe: Recipe,
    /// Whether the recipe gives the stored value; `true` where that was not [checked](Self::checked).
    pub ok: bool,
    /// Whether that was checked.
    pub checked: bool,
}

impl Checksum {
    /// The checksum of a file that was not read whole.
    pub(super) fn unchecked(head: &Head) -> Checksum {
        let (stored, recipe) = (head.part0.crc.get(), Recipe::of(head));
        Checksum { stored, recipe, ok: true, checked: false }
    }

    /// The checksum of a file of FileVersion 0 to 7, whose recipe covers these parts, if any.
    ///
    /// # Errors
    /// The work limit, and what the sink makes of a finding.
    pub fn check_legacy(head: &Head, covered: &[&[u8]], task: &mut Task<'_>) -> Result<Checksum> {
        let stored = head.part0.crc.get();
        let recipe = Recipe::of(head);
        if recipe == Recipe::None {
            return Ok(Checksum { stored, recipe, ok: true, checked: true });
        }
        for part in covered {
            task.budget.touch(part.len() as u64)?;
        }
        let sum = sum_of(covered);
        if sum != stored {
            task.error(mismatch(sum, stored))?;
        }
        Ok(Checksum { stored, recipe, ok: sum == stored, checked: true })
    }

    /// Finds the recipe that gives the stored value: `full` first, then `data-only`. Where neither does, a
    /// [`codes::CHECKSUM`] comes with it: what is behind it may say more.
    ///
    /// # Errors
    /// The work limit.
    pub(super) fn check(
        head: &Head,
        header1: &[u8],
        data: &[u8],
        budget: &mut Budget,
    ) -> Result<(Checksum, Option<Error>)> {
        let stored = head.part0.crc.get();
        budget.touch((header1.len() as u64).saturating_add(data.len() as u64))?;
        let (len, data) = (data.len(), sum_of(&[data]));
        for recipe in [Recipe::Full, Recipe::DataOnly] {
            if recipe.with_data(head, header1, len, data) == stored {
                return Ok((Checksum { stored, recipe, ok: true, checked: true }, None));
            }
        }
        let recipe = Recipe::of(head);
        let wrong = mismatch(recipe.with_data(head, header1, len, data), stored);
        Ok((Checksum { stored, recipe, ok: false, checked: true }, Some(wrong)))
    }

    /// The value to store: made by the recipe that matched when the file was opened, else the old one.
    pub fn value(&self, parts: &ChecksumInput<'_>) -> u32 {
        match self.recipe {
            _ if !self.ok => self.stored,
            Recipe::None => self.stored,
            Recipe::Legacy => sum_of(parts.legacy),
            recipe => recipe.sum(parts.head, parts.header1, parts.data),
        }
    }
}

/// Bytes of a file to be written that the recipes cover.
#[derive(Clone, Copy, Debug)]
pub struct ChecksumInput<'f> {
    /// The headers.
    pub head: &'f Head,
    /// Header1 as stored.
    pub header1: &'f [u8],
    /// Data as stored.
    pub data: &'f [u8],
    /// Bytes that [`Recipe::Legacy`] covers.
    pub legacy: &'f [&'f [u8]],
}

fn mismatch(expected: u32, found: u32) -> Error {
    Error::new(&codes::CHECKSUM)
        .at(Span::file(8, 4))
        .field("crc")
        .expected(Val::Word(expected))
        .found(Val::Word(found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::limits::Limits;
    use spelunk_fixtures::samples;

    /// Running values of the example in `docs/formats/virtools.md#3-checksum`, as far as that page
    /// shows the bytes.
    #[test]
    fn the_example_of_the_page() {
        let bytes = [
            0x4e, 0x65, 0x6d, 0x6f, 0x20, 0x46, 0x69, 0x00, 0x9f, 0xbe, 0x1a, 0x1b, 0x02, 0x20,
            0x02, 0x13, 0x08, 0, 0, 0, 0, 0, 0, 0, 0x08, 0, 0, 0, 0x85, 0, 0, 0, 0x39, 0x01, 0, 0,
            0xa0, 0x05, 0, 0, 0x02, 0, 0, 0, 0x07, 0, 0, 0, 0x55, 0, 0, 0, 0, 0, 0, 0, 0x0e, 0,
            0x01, 0x02, 0xdb, 0, 0, 0,
        ];
        let head = Head::read(&bytes).unwrap();
        assert_eq!(Recipe::Full.sum(&head, &[], &[]), 0xD421_0553);
        assert_eq!(head.product(), [2, 1, 0, 14]);
        assert_eq!(head.header1_range(), 0x40..0xC5);
    }

    /// Adding up the sums of parts gives what one pass gives, at every length around the modulus, too.
    #[test]
    fn sums_of_parts_add_up() {
        let head = Head::read(&samples::level().build().bytes).unwrap();
        let part0 = Part0 { crc: Word::new(0), ..head.part0 };
        let header1 = [0xFF; 70_000];
        for len in [0, 1, 65_520, 65_521, 65_522, 200_000] {
            let data: Vec<u8> = (0..len).map(|n| (n % 253 + 2) as u8).collect();
            let parts: [&[u8]; 4] =
                [part0.as_bytes(), head.part1.as_ref().unwrap().as_bytes(), &header1, &data];
            let sum = Recipe::Full.sum(&head, &header1, &data);
            assert_eq!(sum, sum_of(&parts), "{len}");
            assert_eq!(sum, spelunk_fixtures::virtools::adler32(0, &parts.concat()), "{len}");
        }
    }

    #[test]
    fn each_recipe_is_recognised_and_a_wrong_sum_is_reported() {
        for (sample, recipe) in
            [(samples::level(), Recipe::Full), (samples::menu(), Recipe::DataOnly)]
        {
            let file = sample.build();
            let mut head = Head::read(&file.bytes).unwrap();
            let (header1, data) = (file.slice_of("header1"), file.slice_of("data"));
            let mut budget = Budget::new(Limits::for_len(0));
            let mut check =
                |head: &Head| Checksum::check(head, header1, data, &mut budget).unwrap();
            let (found, wrong) = check(&head);
            assert_eq!((found.recipe, found.ok, wrong.is_none()), (recipe, true, true));
            head.part0.crc = Word::new(0x0BAD_0BAD);
            let (found, wrong) = check(&head);
            assert_eq!((found.recipe, found.ok), (recipe, false));
            let parts = ChecksumInput { head: &head, header1, data, legacy: &[] };
            assert_eq!(found.value(&parts), 0x0BAD_0BAD);
            assert_eq!(wrong.unwrap().code().native, Some(("CKERR_FILECRCERROR", -57)));
        }
    }
}
