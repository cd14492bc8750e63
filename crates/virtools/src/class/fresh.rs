//! State that new objects are saved with (`docs/formats/virtools-classes.md#6-new-objects`).

use super::OBJECT_3D;
use crate::{codec::Reference, codes};
use spelunk_core::{Error, Result};

/// The file that a new object is added to, as far as its chunk follows from it.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// ProductBuild of the file: which product writes it.
    pub product_build: u32,
    /// Whether the file has a level, whose scene then knows how its objects start.
    pub has_level: bool,
    /// Whether references in the chunk are positions in the object table, and not ids.
    pub file_mode: bool,
    /// Id of the new object.
    pub id: u32,
}

impl Host {
    /// The reference to nothing.
    pub const fn null(&self) -> Reference {
        Reference::null(self.file_mode)
    }
}

/// A value that a new object of its class is saved with: what real files have most often, what a constructor sets
/// where no real file has the class, and else zeros, null references and empty lists.
pub trait Fresh {
    /// Returns the value for an object of that file.
    fn fresh(host: &Host) -> Self;
}

impl<T: Fresh> Fresh for Box<T> {
    fn fresh(host: &Host) -> Box<T> {
        Box::new(T::fresh(host))
    }
}

/// The class of an object by its chunk: the nearest one that saves a section of its own.
pub const fn chunk_class(class_id: u32) -> u32 {
    if class_id == OBJECT_3D { super::ENTITY_3D } else { class_id }
}

/// Classes that others derive from, and of which no object is.
const ABSTRACT: [u32; 5] = [1, 11, super::BE_OBJECT, 24, super::RENDER_OBJECT];

/// Agrees to a new object of a class.
///
/// # Errors
/// [`codes::NO_OBJECTS`] for classes of which no file has an object: abstract ones, that of windows, and numbers that
/// stand in chunks only.
pub fn check_objects(class_id: u32) -> Result<()> {
    let reason = match class_id {
        id if ABSTRACT.contains(&id) => "a base class",
        super::RENDER_CONTEXT => "a window, which no file holds",
        0 | 14 | 80..=93 | u32::MAX => "a number that stands in chunks only",
        _ => return Ok(()),
    };
    Err(Error::new(&codes::NO_OBJECTS)
        .expected("a class of objects, such as CKGroup or CK3dObject")
        .found(format!("{}, {reason}", super::name(class_id, u32::MAX))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::{CLASSES, Class, Value};

    #[test]
    fn every_described_class_has_a_new_object_or_a_reason() {
        let host = Host { product_build: 0x0201_000E, has_level: false, file_mode: true, id: 1 };
        for Class { id, name, .. } in CLASSES {
            let described = !matches!(Value::of_class(*id), Value::Unknown);
            match check_objects(*id) {
                Ok(()) => assert_eq!(Value::fresh(*id, &host).is_some(), described, "{name}"),
                Err(_) => assert!(Value::fresh(*id, &host).is_none(), "{name}"),
            }
        }
    }
}
