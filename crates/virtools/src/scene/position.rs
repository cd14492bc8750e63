//! Positions of objects: the meanings of references, and the places of errors.

use crate::{
    chunk::read::ObjRef,
    codec::{Array, Reference},
};
use spelunk_core::{Error, Seg};
use zerocopy::little_endian::U32;

/// An error of an object.
pub(super) fn about(index: u32, error: Error) -> Error {
    error.within(Seg::Index(index.into())).field("object")
}

/// The object that a reference of an object means.
pub(super) fn of(reference: Reference) -> Option<u32> {
    match reference.get(true) {
        ObjRef::Index(index) => Some(index),
        _ => None,
    }
}

/// The objects that references of an object mean, without null ones.
pub(super) fn positions(list: &Option<Array<U32>>) -> Vec<u32> {
    let words = list.iter().flat_map(|all| all.iter());
    words.filter_map(|word| of(Reference::index(word.get()))).collect()
}
