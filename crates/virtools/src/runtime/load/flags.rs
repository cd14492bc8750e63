//! Flags of loads (`docs/formats/virtools-runtime.md#71-flags`).

/// Animations are loaded. Without this, or [`GEOMETRY`], nothing is left out.
pub const ANIMATION: u32 = 0x1;
/// All but animations is loaded.
pub const GEOMETRY: u32 = 0x2;
/// Everything is loaded.
pub const DEFAULT: u32 = 0x3;
/// The objects that were loaded belong to one character.
pub const AS_CHARACTER: u32 = 0x4;
/// Names that are there already are asked for.
pub const DO_DIALOG: u32 = 0x8;
/// The objects are only there for a while.
pub const AS_DYNAMIC_OBJECT: u32 = 0x10;
/// Names that are there already are treated as the [modes](super::Modes) say.
pub const AUTOMATIC_MODE: u32 = 0x20;
/// Names are compared.
pub const CHECK_DUPLICATES: u32 = 0x40;
/// Opening reports which plugins are missing.
pub const CHECK_DEPENDENCIES: u32 = 0x80;
/// Nothing but behaviours is loaded, and no reference leads anywhere but to them.
pub const ONLY_BEHAVIORS: u32 = 0x100;

/// Names and values of all flags.
pub const FLAGS: &[(u32, &str)] = &[
    (ANIMATION, "animation"),
    (GEOMETRY, "geometry"),
    (DEFAULT, "default"),
    (AS_CHARACTER, "as character"),
    (DO_DIALOG, "do dialog"),
    (AS_DYNAMIC_OBJECT, "as dynamic object"),
    (AUTOMATIC_MODE, "automatic mode"),
    (CHECK_DUPLICATES, "check duplicates"),
    (CHECK_DEPENDENCIES, "check dependencies"),
    (ONLY_BEHAVIORS, "only behaviours"),
];
