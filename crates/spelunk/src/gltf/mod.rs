//! glTF 2.0 and what Virtools stores, both ways (`docs/export.md#gltf`): what exporter and importer share.
//!
//! Where glTF says less than Virtools stores, the importer asks what the exporter would make of what `extras` tell. What
//! agrees with the document is taken as it was stored; only what was changed is made anew.

pub mod extras;
pub mod optics;
pub mod surface;
