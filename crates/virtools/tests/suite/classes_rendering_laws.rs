//! Whatever sections of meshes, materials, textures and sprites hold, they come back the same, and a walk tells every
//! byte once.

use crate::common::class;

use class::decode;
use proptest::prelude::*;
use spelunk_fixtures::chunk::Chunk;

/// Classes, and the identifiers of their own sections.
const CLASSES: &[(u32, &[u32])] = &[
    (27, &[0x10_F000, 0x20_0000, 0x4000, 0x8000, 0x2000, 0x1000, 0x10_0000]),
    (
        28,
        &[
            0x8_0000,
            0x20_0000,
            0x1000_0000,
            0x80_0000,
            0x4_0000,
            0x40_0000,
            0x2_0000,
            0x1_0000,
            0x2000_0000,
        ],
    ),
    (29, &[0x100_0000, 0x200_0000, 0x400_0000]),
    (30, &[0x1000, 0x2000, 0x4000, 0x1_0000]),
    (
        31,
        &[
            0x1000, 0x10_0000, 0x2_0000, 0x4000, 0x1_0000, 0x20_0000, 0x2F_F000, 0xFF_F000,
            0x8_0000, 0x40_0000, 0x8000, 0x2000, 0x80_0000,
        ],
    ),
    (
        32,
        &[
            0x2000, 0x10_0000, 0x1_0000, 0x4_0000, 0x2_0000, 0x4000, 0x8_0000, 0x8000, 0x80_0000,
            0x40_0000, 0x100_0000,
        ],
    ),
    (53, &[0x2000, 0x8_0000, 0x800_0000, 0x100_0000, 0x200_0000, 0x400_0000]),
];

/// Numbers that are often counts, sizes or flags, and others.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![
        8 => 0..4_u32,
        3 => 4..32_u32,
        1 => Just(88),
        1 => Just(0x200),
        1 => (0..8_u32).prop_map(|flags| flags << 16),
        1 => Just(u32::MAX),
        1 => any::<u32>(),
    ]
}

prop_compose! {
    fn sample()(
        (class, identifiers) in prop::sample::select(CLASSES),
        version in prop_oneof![Just(10), Just(4), 0..12_u8],
    )(
        sections in prop::collection::vec(
            (prop::sample::select(identifiers), prop::collection::vec(word(), 0..40)),
            1..4,
        ),
        class in Just(class),
        version in Just(version),
    ) -> (u32, Chunk) {
        let mut chunk = Chunk::object(class).data_version(version);
        let mut seen = Vec::new();
        for (identifier, words) in sections {
            // A chunk has an identifier once.
            if seen.contains(&identifier) {
                continue;
            }
            seen.push(identifier);
            chunk = chunk.identifier(identifier).words(&words);
        }
        (class, chunk)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn anything_comes_back((class, chunk) in sample()) {
        decode(class, &chunk);
    }
}
