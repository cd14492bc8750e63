//! Options of classes for the creation of their objects (`docs/formats/virtools-runtime.md#3-class-options`).

/// Names of its objects are not compared.
pub const NO_NAME_CHECK: u32 = 1;
/// An object that is there may be used in the place of a new one.
pub const CAN_USE_CURRENT: u32 = 2;
/// An object that is there is used in the place of a new one.
pub const USE_CURRENT: u32 = 4;

/// The options of a class: 0 for most, and for classes that are not known.
pub const fn options(class_id: u32) -> u32 {
    match class_id {
        // Parameters, operations, links, behaviours and their ends, chains, levels, layers.
        2 | 3 | 4 | 6 | 8 | 9 | 13 | 15 | 21 | 45 | 46 | 48 | 51 => NO_NAME_CHECK,
        // States, synchronizers, critical sections.
        5 | 20 | 49 => USE_CURRENT,
        // Sprites, materials, textures, meshes.
        28 | 30 | 31 | 32 | 53 => CAN_USE_CURRENT,
        _ => 0,
    }
}
