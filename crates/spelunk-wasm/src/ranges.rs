//! Files that JavaScript reads, range by range: larger than memory, and there at once.

use spelunk::{Error, Result, Source, core::source::truncated};
use std::{cell::RefCell, collections::BTreeMap, io};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// A reader of a file.
    pub type Ranges;

    /// Fills the buffer with the bytes from `offset` on.
    #[wasm_bindgen(method, catch)]
    fn read(this: &Ranges, offset: f64, buffer: &mut [u8]) -> std::result::Result<(), JsValue>;
}

thread_local! {
    /// Values of JavaScript stay in their thread: sources, which may go to others, have the number of theirs.
    static READERS: RefCell<(u32, BTreeMap<u32, Ranges>)> = const { RefCell::new((0, BTreeMap::new())) };
}

/// A file that JavaScript reads.
pub(crate) struct RangeSource {
    number: u32,
    size: u64,
}

impl RangeSource {
    pub(crate) fn new(size: u64, ranges: Ranges) -> RangeSource {
        let number = READERS.with_borrow_mut(|(last, readers)| {
            *last = last.wrapping_add(1);
            readers.insert(*last, ranges);
            *last
        });
        RangeSource { number, size }
    }
}

impl Drop for RangeSource {
    fn drop(&mut self) {
        READERS.with_borrow_mut(|(_, readers)| drop(readers.remove(&self.number)));
    }
}

impl Source for RangeSource {
    fn len(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let end = offset.saturating_add(buffer.len() as u64);
        if end > self.size {
            return Err(truncated(&(offset..end), self.size));
        }
        READERS.with_borrow(|(_, readers)| match readers.get(&self.number) {
            // Sizes of files are whole numbers in JavaScript too.
            Some(ranges) => ranges.read(offset as f64, buffer).map_err(|error| failed(&error)),
            None => Err(Error::io(io::Error::other("the file is read by another thread"))),
        })
    }
}

/// What JavaScript threw.
fn failed(error: &JsValue) -> Error {
    let text = error.as_string().unwrap_or_else(|| format!("{error:?}"));
    Error::io(io::Error::other(text))
}
