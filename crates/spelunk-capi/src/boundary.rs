//! Where memory of the caller is read and written: pointers become references here, and nowhere else.

#![allow(unsafe_code, reason = "what C hands over are pointers")]

use crate::failure::{Failure, Outcome, SplStatus};
use std::{
    ffi::{CStr, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    slice,
};

/// Runs a function for C: errors are kept for `spl_error`, and no panic passes.
pub(crate) fn run(work: impl FnOnce() -> Outcome<()>) -> SplStatus {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => SplStatus::SplOk,
        Ok(Err(failure)) => keep(failure),
        Err(_) => keep(Failure::panicked()),
    }
}

/// Keeps a failure for `spl_error`; where there is not even that, its status is known.
fn keep(failure: Failure) -> SplStatus {
    catch_unwind(AssertUnwindSafe(|| failure.keep())).unwrap_or(SplStatus::SplPanicked)
}

/// A text of the caller.
///
/// # Safety
/// `text` is null, or leads to bytes with a 0 behind them that stay as they are while the text is used.
pub(crate) unsafe fn text<'a>(text: *const c_char, name: &'static str) -> Outcome<&'a str> {
    // SAFETY: it is not null, and the caller says the rest.
    let text = unsafe { optional_text(text, name) }?;
    text.ok_or_else(|| Failure::bad_argument(format!("a text for `{name}`"), "null"))
}

/// A text of the caller, or none.
///
/// # Safety
/// That of [`text`].
pub(crate) unsafe fn optional_text<'a>(
    text: *const c_char,
    name: &'static str,
) -> Outcome<Option<&'a str>> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: it is not null, and the caller says that it ends and stays.
    let bytes = unsafe { CStr::from_ptr(text) };
    match bytes.to_str() {
        Ok(text) => Ok(Some(text)),
        Err(_) => Err(Failure::bad_argument(format!("UTF-8 for `{name}`"), "other bytes")),
    }
}

/// Bytes of the caller.
///
/// # Safety
/// `bytes` is null, or leads to `size` bytes that stay as they are while they are used.
pub(crate) unsafe fn bytes<'a>(bytes: *const c_void, size: usize) -> Outcome<&'a [u8]> {
    if size == 0 {
        return Ok(&[]);
    }
    check_memory(bytes, size)?;
    // SAFETY: they are there, as the caller says, are no more than an allocation can have, and bytes are never misaligned.
    Ok(unsafe { slice::from_raw_parts(bytes.cast(), size) })
}

/// A buffer of the caller.
///
/// # Safety
/// `buffer` is null, or leads to `size` bytes that nobody else uses meanwhile.
pub(crate) unsafe fn buffer<'a>(buffer: *mut c_void, size: usize) -> Outcome<&'a mut [u8]> {
    if size == 0 {
        return Ok(&mut []);
    }
    check_memory(buffer, size)?;
    // SAFETY: as for `bytes`; nobody else uses them, as the caller says. They may be of memory that nobody wrote to yet: it came from
    // outside of this program, so that its bytes are some bytes, and no more is done with them than to write over them.
    Ok(unsafe { slice::from_raw_parts_mut(buffer.cast(), size) })
}

fn check_memory(memory: *const c_void, size: usize) -> Outcome<()> {
    if memory.is_null() {
        return Err(Failure::bad_argument(format!("{size} bytes"), "null"));
    }
    if isize::try_from(size).is_err() {
        return Err(Failure::bad_argument("a size that memory can have", format!("{size}")));
    }
    Ok(())
}

/// A place of the caller's for a result, which is empty from now on.
pub(crate) struct Place<T>(*mut T);

impl<T> Place<T> {
    /// The place, with what stands there when the function fails.
    ///
    /// # Safety
    /// `place` is null, or leads to memory for a `T` that nobody else uses until the function ends.
    pub(crate) unsafe fn of(place: *mut T, empty: T) -> Outcome<Place<T>> {
        if place.is_null() {
            return Err(Failure::bad_argument("a place for the result", "null"));
        }
        let mut place = Place(place);
        place.put(empty);
        Ok(place)
    }

    /// Writes the result.
    pub(crate) fn put(&mut self, value: T) {
        // SAFETY: `of` saw that it is not null, and its caller says that the memory is there and nobody else's. Compilers for 32 bits may
        // place 64-bit numbers where Rust would not.
        unsafe { self.0.write_unaligned(value) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure;

    #[test]
    fn no_panic_passes() {
        assert_eq!(run(|| Ok(())), SplStatus::SplOk);
        assert_eq!(run(|| panic!("a mistake")), SplStatus::SplPanicked);
        assert!(!failure::last().is_null());
        let status = run(|| Err(Failure::busy()));
        assert_eq!(status, SplStatus::SplBusy);
    }
}
