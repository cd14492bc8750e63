//! The types of parameters (`docs/formats/classes/parameters.md#types`).

use spelunk_core::{Field, Ty};

/// The type whose values are types.
pub const PARAMETER_TYPE: [u32; 2] = [0x3451_7DF5, 0x045E_4965];

/// The description of a value of a type.
pub fn field(guid: [u32; 2]) -> &'static Field {
    static BYTES: Field = Field::new("value", Ty::Bytes, "The value.");
    let _ = guid;
    &BYTES
}
