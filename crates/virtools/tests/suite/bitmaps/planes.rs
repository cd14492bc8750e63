//! Coded planes of raw bitmaps: decoded as they were put together code by code, made within their quanta, limited.

use super::*;
use spelunk_fixtures::{
    dct::{self, Code, Code::*},
    mutate,
    random::Random,
};

/// A bitmap of coded planes, blue first, without alpha.
fn coded(width: u32, height: u32, planes: [&[u8]; 3]) -> Vec<u8> {
    let head = [32, width, height, 0xFF00_0000, 0x00FF_0000, 0x0000_FF00, 0x0000_00FF, 1];
    [words(&head), planes.map(buffer).concat(), buffer(&[])].concat()
}

fn decode(stored: &[u8]) -> spelunk_core::Result<Rgba> {
    let (bitmap, consumed) = RawBitmap::read(stored, at(stored), &mut budget(0)).unwrap();
    assert_eq!(consumed, stored.len());
    let mut budget = budget(0);
    let before = budget.left().memory;
    let decoded = bitmap.decode(&mut budget).map(Option::unwrap);
    let held = decoded.as_ref().map_or(0, |picture| picture.pixels().len() as u64);
    assert_eq!(before - budget.left().memory, held, "what is left is the picture");
    decoded
}

/// A channel of a picture, bottom row first.
fn channel(picture: &Rgba, channel: usize) -> Vec<u8> {
    let rows = picture.rows().rev();
    rows.flat_map(|row| row.iter().skip(channel).step_by(4).copied()).collect()
}

/// One block: what the 64 coefficients are, in zigzag order.
fn block(values: &[Code]) -> Vec<Code> {
    let told: u32 = values.iter().map(|code| if let Zeros(run) = code { *run } else { 1 }).sum();
    let mut codes = values.to_vec();
    let mut left = 64 - told;
    while left > 0 {
        codes.push(Zeros(left.min(16)));
        left -= left.min(16);
    }
    codes
}

#[test]
fn coded_planes_are_blue_green_and_red_and_bottom_row_first() {
    // At quality 50 the first quantum is 16: 4 times 16 is 64, a value of 8 in each pixel.
    let blue = dct::plane(50, 8, 8, &block(&[Value(4)]));
    assert_eq!(blue[..9], [50, 8, 0, 0, 0, 8, 0, 0, 0]);
    // 10 00 100, then 00 1111 three times and 00 1110, from the least significant bit of each byte up.
    assert_eq!(blue[9..], [0b0001_0001, 0b1001_1110, 0b1110_0111, 0b0011_1001]);
    let green = dct::plane(50, 8, 8, &block(&[Value(-4)]));
    // A first column of coefficients: rows differ.
    let red = dct::plane(50, 8, 8, &block(&[Zeros(2), Value(10)]));
    let stored = coded(8, 8, [&blue, &green, &red]);
    let picture = decode(&stored).unwrap();
    assert_eq!(channel(&picture, 2), [136; 64]);
    assert_eq!(channel(&picture, 1), [120; 64]);
    // 120 * sqrt(1/8) * 0.5 cos(pi/16) is 20.8.
    let red = channel(&picture, 0);
    assert_eq!((red[0], red[7], red[56], red[63]), (149, 149, 107, 107));
    assert!(picture.is_opaque());
    reread!(RawBitmap, stored, |bitmap| {
        assert_eq!(bitmap.image.unwrap().head.coding().name(), Some("DCT"));
    });
}

#[test]
fn runs_of_zeros_go_on_in_the_next_block() {
    // 63 coefficients and a run of 16, which leaves 15 for the second block: its 16th one is not 0.
    let mut codes = block(&[Value(7)]);
    codes.truncate(4);
    codes.extend([Zeros(15), Zeros(16), Value(-3), Zeros(16), Zeros(16), Zeros(16)]);
    let total: u32 = codes.iter().map(|code| if let Zeros(run) = code { *run } else { 1 }).sum();
    assert_eq!(total, 129, "one more than there is room for");
    let plane = dct::plane(80, 16, 8, &codes);
    let picture = decode(&coded(16, 8, [&plane; 3])).unwrap();
    let expected = dct::pixels(80, 16, 8, &codes);
    assert!(expected.iter().any(|pixel| *pixel != expected[0]));
    assert_eq!(channel(&picture, 1), expected);
}

/// Blocks at the end of a row of blocks reach into the rows below.
#[test]
fn blocks_are_not_clipped() {
    // 12 wide: the second block covers columns 8 to 15, so 0 to 3 of the next row too.
    let codes = [block(&[Value(4)]), block(&[Value(-4)])].concat();
    let picture = decode(&coded(12, 8, [&dct::plane(50, 12, 8, &codes); 3])).unwrap();
    let first = [[136; 8].as_slice(), &[120; 4]].concat();
    let below = [[120; 4].as_slice(), &[136; 4], &[120; 4]].concat();
    let expected = [first, below.repeat(7)].concat();
    assert_eq!(channel(&picture, 0), expected);
    assert_eq!(dct::pixels(50, 12, 8, &codes), expected);
}

/// Any codes, at any quality, with coefficients of every length.
fn random_codes(random: &mut Random, blocks: usize) -> Vec<Code> {
    let (mut codes, mut left) = (Vec::new(), blocks * 64);
    while left > 0 {
        if random.below(2) == 0 {
            let run = (1 + random.below(16)).min(left);
            codes.push(Zeros(run as u32));
            left -= run;
        } else {
            let bits = 1 + random.below(10);
            let size = (1 << (bits - 1)) + random.below(1 << (bits - 1)) as i32;
            codes.push(Value(if random.below(2) == 0 { size } else { -size }));
            left -= 1;
        }
    }
    codes
}

#[test]
fn any_codes_mean_what_the_sums_say() {
    let mut random = Random(0x2C0DE);
    let mut lengths = [0; 10];
    for nth in 0..120 {
        let [width, height] = [0, 0].map(|_| 1 + random.below(27));
        let quality = if nth % 4 == 0 { random.below(256) as u8 } else { 100 };
        let codes = random_codes(&mut random, width.div_ceil(8) * height.div_ceil(8));
        for code in &codes {
            if let Value(value) = code {
                lengths[value.unsigned_abs().ilog2() as usize] += 1;
            }
        }
        let plane = dct::plane(quality, width as i32, height as i32, &codes);
        let picture = decode(&coded(width as u32, height as u32, [&plane; 3])).unwrap();
        let expected = dct::pixels(quality, width, height, &codes);
        for (pixel, expected) in channel(&picture, 0).iter().zip(&expected) {
            // Sums in another order may end at the other side of a half.
            assert!(pixel.abs_diff(*expected) <= 1, "{nth}: {width} x {height} at {quality}");
        }
        let differ = channel(&picture, 0).iter().zip(&expected).filter(|(a, b)| a != b).count();
        assert!(differ * 100 <= expected.len(), "{differ} of {}", expected.len());
    }
    assert!(lengths.iter().all(|seen| *seen > 100), "{lengths:?}");
}

#[test]
fn what_is_coded_is_within_its_quanta() {
    let mut random = Random(7);
    for (nth, quality) in [100, 100, 90, 85, 50, 20, 0].into_iter().enumerate() {
        for (width, height) in [(8, 8), (1, 1), (3, 20), (16, 5), (21, 17), (40, 40)] {
            let pixel = |x: u32, y: u32, random: &mut Random| match nth {
                // Black and white at the highest quality, where coefficients are the largest.
                0 => [0, 255][(x / 8 + y / 8) as usize % 2],
                _ => ((x * 5 + y * 3) % 230 + random.below(20) as u32) as u8,
            };
            let mut pixels = Vec::new();
            for y in 0..height {
                for x in 0..width {
                    let [r, g, b] = [0, 0, 0].map(|_| pixel(x, y, &mut random));
                    pixels.extend([r, g, b, random.below(256) as u8]);
                }
            }
            let picture = Rgba::new(width, height, pixels).unwrap();
            let coding = PlaneCoding::Dct { quality };
            let bitmap = RawBitmap::from_rgba(&picture, coding, AlphaPlane::Always).unwrap();
            let image = bitmap.image.as_ref().unwrap();
            assert_eq!(image.head.compression.get(), 1);
            assert_eq!(image.alpha.bytes(), channel(&picture, 3), "alpha is plain");
            let mut stored = Vec::new();
            bitmap.write(&mut stored);
            let again = decode(&stored).unwrap();
            reread!(RawBitmap, stored, |read| assert_eq!(read, bitmap));
            // Coefficients are off by half a quantum at the most, and a transform that is orthonormal keeps lengths.
            let halves = (0..64).map(|place| f64::from(dct::quantum(place, quality)) / 2.0);
            let bound = halves.map(|half| half * half).sum::<f64>().sqrt() + 1.0;
            for plane in 0..3 {
                let pairs = channel(&again, plane).into_iter().zip(channel(&picture, plane));
                let off = pairs.map(|(one, other)| one.abs_diff(other)).max().unwrap();
                assert!(f64::from(off) <= bound, "{off} above {bound} at {quality}");
            }
            let alpha = [again, picture].map(|picture| channel(&picture, 3));
            assert_eq!(alpha[0], alpha[1]);
        }
    }
}

/// What a coder makes is read by what shares no code with it.
#[test]
fn coded_planes_are_what_the_sums_say() {
    let flat = Rgba::new(8, 8, [136, 120, 0, 255].repeat(64)).unwrap();
    let coding = PlaneCoding::Dct { quality: 50 };
    let bitmap = RawBitmap::from_rgba(&flat, coding, AlphaPlane::UnlessOpaque).unwrap();
    let image = bitmap.image.unwrap();
    assert_eq!(image.red.bytes(), dct::plane(50, 8, 8, &block(&[Value(4)])));
    assert_eq!(image.green.bytes(), dct::plane(50, 8, 8, &block(&[Value(-4)])));
    assert_eq!(image.blue.bytes(), dct::plane(50, 8, 8, &block(&[Value(-64)])));
    // Two flat blocks: the run between them is one.
    let flat = Rgba::new(16, 8, [136; 16 * 8 * 4].to_vec()).unwrap();
    let bitmap = RawBitmap::from_rgba(&flat, coding, AlphaPlane::Always).unwrap();
    let mut codes = block(&[Value(4)]);
    codes.extend(block(&[Value(4)]));
    assert_eq!(bitmap.image.unwrap().red.bytes(), dct::plane(50, 16, 8, &codes));
}

#[test]
fn damaged_planes_are_errors_and_are_kept() {
    let codes = [block(&[Value(4)]), block(&[Value(9)])].concat();
    let sound = dct::plane(60, 16, 8, &codes);
    let refused = |width, height, plane: &[u8]| {
        let stored = coded(width, height, [&sound, &sound, plane]);
        let error = decode(&stored).unwrap_err();
        assert_eq!(error.path().as_str(), "red");
        reread!(RawBitmap, stored, |bitmap| assert!(bitmap.image.is_some()));
        error.code().id
    };
    assert!(decode(&coded(16, 8, [&sound; 3])).is_ok());
    for len in 0..sound.len() {
        assert_eq!(refused(16, 8, &sound[..len]), "VT130", "{len}");
    }
    assert_eq!(refused(8, 16, &sound), "VT060");
    assert_eq!(refused(17, 8, &sound), "VT060");
    for size in [0_i32, -16, i32::MIN] {
        let mut plane = sound.clone();
        plane[1..5].copy_from_slice(&size.to_le_bytes());
        assert_eq!(refused(16, 8, &plane), "VT060", "{size}");
    }
    let mut plane = sound.clone();
    plane[1..5].fill(0);
    assert_eq!(refused(0, 8, &plane), "VT060", "no pixels");
    let empty = Rgba::new(0, 5, Vec::new()).unwrap();
    for (picture, quality) in [(&empty, 85), (&Rgba::new(1, 1, vec![0; 4]).unwrap(), 101)] {
        let coding = PlaneCoding::Dct { quality };
        let planes = RawBitmap::from_rgba(picture, coding, AlphaPlane::Always);
        assert_eq!(planes.unwrap_err().code().id, "VT066");
    }
}

/// The size is told by nothing but two numbers.
#[test]
fn small_planes_that_claim_much_are_refused() {
    let side = 60_000_u32;
    let plane = dct::plane(50, side as i32, side as i32, &block(&[]));
    let error = decode(&coded(side, side, [&plane; 3])).unwrap_err();
    assert_eq!(error.code().class, spelunk_core::Class::Limit, "the picture is charged first");
    // The bits are too few for so many blocks, which is known before there is room for them.
    let plane = dct::plane(50, 2000, 2000, &block(&[]));
    assert_eq!(decode(&coded(2000, 2000, [&plane; 3])).unwrap_err().code().id, "VT130");
}

#[test]
fn no_mutation_of_a_plane_does_harm() {
    let picture = Rgba::new(19, 13, (0..19 * 13 * 4).map(|at| (at * 7) as u8).collect()).unwrap();
    let coding = PlaneCoding::Dct { quality: 70 };
    let bitmap = RawBitmap::from_rgba(&picture, coding, AlphaPlane::UnlessOpaque).unwrap();
    let mut stored = Vec::new();
    bitmap.write(&mut stored);
    let limits = Limits::for_len(0).with_memory(1 << 20);
    let (mut shown, mut refused) = (0, 0);
    for seed in 0..3000 {
        let damaged = mutate::mutate(&stored, seed);
        let mut budget = Budget::new(limits);
        let Ok((bitmap, _)) = RawBitmap::read(&damaged, at(&damaged), &mut budget) else {
            continue;
        };
        let before = budget.left().memory;
        match bitmap.decode(&mut budget) {
            Ok(picture) => {
                shown += 1;
                let held = picture.map_or(0, |picture| picture.pixels().len() as u64);
                assert_eq!(before - budget.left().memory, held);
            }
            Err(_) => {
                refused += 1;
                assert_eq!(budget.left().memory, before);
            }
        }
    }
    assert!(shown > 300 && refused > 300, "{shown} shown, {refused} refused");
}
