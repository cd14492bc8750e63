//! Flags of objects in memory (`docs/formats/virtools-runtime.md#2-flags`). Files store none of them but whether an object
//! is hidden.

/// The editor made it.
pub const INTERFACE_OBJECT: u32 = 0x1;
/// No list shows it.
pub const PRIVATE: u32 = 0x2;
/// Another object may have its id when it is gone.
pub const FREE_ID: u32 = 0x8;
/// The object is to be destroyed with the next step.
pub const TO_BE_DELETED: u32 = 0x10;
/// The object is not saved.
pub const NOT_TO_BE_SAVED: u32 = 0x20;
/// The object is shown.
pub const VISIBLE: u32 = 0x40;
/// The object is only there for a while, and its id is free when it is gone.
pub const DYNAMIC: u32 = 0x108;
/// The object is hidden with all that stands below it.
pub const HIERARCHICALLY_HIDDEN: u32 = 0x200;
/// A file names the object, and does not hold it.
pub const ONLY_FOR_FILE_REFERENCE: u32 = 0x1000;
/// The object has data of the application.
pub const APP_DATA: u32 = 0x4000;

/// The names and values of all flags that every object has.
pub const FLAGS: &[(u32, &str)] = &[
    (INTERFACE_OBJECT, "interface object"),
    (PRIVATE, "private"),
    (0x4, "interface mark"),
    (FREE_ID, "free id"),
    (TO_BE_DELETED, "to be deleted"),
    (NOT_TO_BE_SAVED, "not to be saved"),
    (VISIBLE, "visible"),
    (0x80, "name shared"),
    (DYNAMIC, "dynamic"),
    (HIERARCHICALLY_HIDDEN, "hierarchically hidden"),
    (0x400, "up to date"),
    (0x800, "temporary marker"),
    (ONLY_FOR_FILE_REFERENCE, "only for file reference"),
    (0x2000, "not to be deleted"),
    (APP_DATA, "app data"),
    (0x8000, "single activity"),
    (0x1_0000, "load skip be object"),
    (0x2_0000, "keep single activity"),
];
