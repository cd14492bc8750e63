//! Handles: numbers in the form of pointers, each of a place in one table and of the object that was put there last.

use crate::failure::{Failure, Outcome};
use std::{
    any::Any,
    ptr,
    sync::{Arc, PoisonError, RwLock},
};

/// Files that are open, and the verbs that work on them. Any number of threads may use one at once.
#[derive(Debug)]
pub struct SplSession;

/// A file that a session keeps open. Verbs and views see what others changed in it. One function or verb at a time works on it, a verb
/// until its last item has come: others get `SPL_BUSY`, and other verbs a diagnostic with the code SP192.
#[derive(Debug)]
pub struct SplFile;

/// What comes of a verb. One thread at a time may read it.
#[derive(Debug)]
pub struct SplRows;

/// The assets of a pack as they were when `spl_pack_open` was called. Any number of threads may load at once.
#[derive(Debug)]
pub struct SplPack;

/// Memory that pointers of a view lead to.
#[derive(Debug)]
pub struct SplView;

/// What a handle stands for.
type Object = Arc<dyn Any + Send + Sync>;

/// Bits of a handle that number the place; the others number the objects that were there one after the other.
const PLACE_BITS: u32 = usize::BITS / 2;

/// A place of the table.
struct Slot {
    /// Number of the object that is there, or was there last.
    turn: usize,
    object: Option<Object>,
}

/// All objects that are there, and the places that are free.
struct Table {
    slots: Vec<Slot>,
    free: Vec<usize>,
}

static TABLE: RwLock<Table> = RwLock::new(Table { slots: Vec::new(), free: Vec::new() });

/// Place and turn of a handle; places count from 1, so that no handle is null.
fn parts(handle: usize) -> Option<(usize, usize)> {
    let place = (handle & ((1 << PLACE_BITS) - 1)).checked_sub(1)?;
    Some((place, handle >> PLACE_BITS))
}

impl Table {
    fn slot(&self, handle: usize) -> Option<&Slot> {
        let (place, turn) = parts(handle)?;
        self.slots.get(place).filter(|slot| slot.turn == turn)
    }
}

/// Puts an object into the table. Returns its handle.
pub(crate) fn put<H>(object: Object) -> Outcome<*mut H> {
    let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    let place = match table.free.pop() {
        Some(place) => place,
        None => {
            table.slots.push(Slot { turn: 0, object: None });
            table.slots.len().saturating_sub(1)
        }
    };
    let number = place.saturating_add(1);
    match table.slots.get_mut(place) {
        Some(slot) if number >> PLACE_BITS == 0 => {
            slot.object = Some(object);
            Ok(ptr::without_provenance_mut((slot.turn << PLACE_BITS) | number))
        }
        _ => Err(Failure::bad_handle("fewer handles that are there at once", "too many")),
    }
}

/// The object that a handle stands for.
pub(crate) fn get<T: Any + Send + Sync>(handle: usize, kind: &'static str) -> Outcome<Arc<T>> {
    let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
    let object = table.slot(handle).and_then(|slot| slot.object.clone());
    drop(table);
    let object = object.ok_or_else(|| Failure::bad_handle(kind, missing(handle)))?;
    object.downcast().map_err(|_| Failure::bad_handle(kind, "a handle of another kind"))
}

/// The object that a handle stands for, whatever it is.
pub(crate) fn any(handle: usize) -> Outcome<Object> {
    let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
    let object = table.slot(handle).and_then(|slot| slot.object.clone());
    object.ok_or_else(|| Failure::bad_handle("a handle", missing(handle)))
}

/// Takes an object out of the table: its handle is none from now on.
pub(crate) fn take(handle: usize) -> Outcome<Object> {
    let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    let gone = || Failure::bad_handle("a handle", missing(handle));
    table.slot(handle).ok_or_else(gone)?;
    let (place, turn) = parts(handle).ok_or_else(gone)?;
    let slot = table.slots.get_mut(place).ok_or_else(gone)?;
    let object = slot.object.take().ok_or_else(gone)?;
    // A place whose numbers are used up is not used again, so that a number never means two objects.
    slot.turn = turn.saturating_add(1);
    if slot.turn >> (usize::BITS - PLACE_BITS) == 0 {
        table.free.push(place);
    }
    Ok(object)
}

fn missing(handle: usize) -> &'static str {
    if handle == 0 { "null" } else { "one that was freed, or never was" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_means_one_object_for_ever() {
        let first: *mut SplView = put(Arc::new(1_u8)).unwrap();
        assert_eq!(*get::<u8>(first.addr(), "a number").unwrap(), 1);
        assert!(get::<u16>(first.addr(), "another number").is_err());
        take(first.addr()).unwrap();
        assert!(take(first.addr()).is_err() && get::<u8>(first.addr(), "a number").is_err());
        let mut seen = vec![first.addr()];
        for nth in 0..100_u8 {
            let other: *mut SplView = put(Arc::new(nth)).unwrap();
            assert!(!seen.contains(&other.addr()));
            assert!(any(first.addr()).is_err());
            seen.push(other.addr());
            take(other.addr()).unwrap();
        }
        for nothing in [0, usize::MAX, 1 << PLACE_BITS, (1 << PLACE_BITS) - 1] {
            assert!(any(nothing).is_err() && take(nothing).is_err());
        }
    }
}
