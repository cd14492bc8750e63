//! Flags of a behaviour (`docs/formats/classes/behaviors.md#flags`).

/// The bit of scripts: graphs that belong to an object.
pub const SCRIPT: u32 = 0x2;
/// The bit of those that have a priority.
pub const PRIORITY: u32 = 0x4;
/// The bit of those that use a function; in the oldest files that of building blocks.
pub const USES_FUNCTION: u32 = 0x8;
/// The bit of those that say which class of objects they can work on.
pub const COMPATIBLE_CLASS: u32 = 0x10;
/// The bit of those that no other behaviour holds.
pub const TOP_MOST: u32 = 0x4000;
/// The bit of building blocks; the others are graphs.
pub const BUILDING_BLOCK: u32 = 0x8000;
/// The bit of those that have a target parameter.
pub const TARGETABLE: u32 = 0x4_0000;

/// The bit of building blocks whose content the editor does not show.
pub const LOCKED: u32 = 0x2000_0000;

/// Names of all bits that are known.
pub const FLAGS: &[(u32, &str)] = &[
    (0x1, "active"),
    (SCRIPT, "script"),
    (PRIORITY, "has priority"),
    (USES_FUNCTION, "uses function"),
    (COMPATIBLE_CLASS, "has compatible class"),
    (0x20, "custom settings dialog"),
    (0x40, "waits for message"),
    (0x80, "variable inputs"),
    (0x100, "variable outputs"),
    (0x200, "variable parameter inputs"),
    (0x400, "variable parameter outputs"),
    (TOP_MOST, "top-most"),
    (BUILDING_BLOCK, "building block"),
    (0x1_0000, "message sender"),
    (0x2_0000, "message receiver"),
    (TARGETABLE, "targetable"),
    (0x8_0000, "custom edit dialog"),
    (0x20_0000, "executed last frame"),
    (0x40_0000, "deactivate next frame"),
    (0x80_0000, "reset next frame"),
    (0x100_0000, "internally created inputs"),
    (0x200_0000, "internally created outputs"),
    (0x400_0000, "internally created input parameters"),
    (0x800_0000, "internally created output parameters"),
    (0x1000_0000, "activate next frame"),
    (LOCKED, "locked"),
    (0x4000_0000, "internally created local parameters"),
    (0x8000_0000, "launched once"),
];
