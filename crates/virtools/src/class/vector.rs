//! Vectors of space.

use spelunk_core::Ty;

/// Three coordinates: x, y, z.
pub(crate) const VECTOR: Ty = Ty::Array(&Ty::F32, 3);
