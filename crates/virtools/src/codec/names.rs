//! Meanings of numbers in values.

use crate::chunk::read::ObjRef;
use spelunk_core::Target;

/// Knows what references and numbers of managers mean.
pub trait TargetResolver {
    /// The number of an object in the object table, and its target.
    fn object(&self, reference: ObjRef) -> Option<(u64, Target<'_>)> {
        let _ = reference;
        None
    }

    /// Meaning of a number of a manager.
    fn manager_int(&self, manager: [u32; 2], value: u32) -> Option<Target<'_>> {
        let _ = (manager, value);
        None
    }
}

/// Knows no names.
impl TargetResolver for () {}
