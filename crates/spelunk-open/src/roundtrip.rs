//! Proves that writing an opened file gives its own bytes, without holding the new ones.

use crate::{
    changes::{self, FieldDifference},
    detect::Formats,
};
use spelunk_core::{
    Collect, Container, Error, Result, Source, Space, Task, WriteOptions,
    walk::{Locate, finish},
};
use std::{
    io::{self, Write},
    sync::Arc,
};

/// Result of a comparison of the written bytes with the source.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every byte is the same.
    Identical,
    /// The first byte that is not, with the field it belongs to where that is known.
    Differs {
        /// Offset in the file.
        offset: u64,
        /// Path of the field, empty where there is none.
        path: String,
    },
    /// The new file ends at `len`, the old one elsewhere; all bytes up to the shorter end are the same.
    Length {
        /// Length of the new file.
        len: u64,
    },
}

/// Writes `container` and compares every byte with the file that it was opened from.
///
/// # Errors
/// Reading and writing errors.
pub fn check(
    container: &dyn Container,
    source: &dyn Source,
    options: &WriteOptions,
    task: &mut Task<'_>,
) -> Result<Outcome> {
    let compare = compare(container, source, options, task)?;
    match compare.first {
        Some(offset) => {
            let mut locate = Locate::new(Space::FILE, offset);
            finish(container.layout(task, &mut locate))?;
            let path = locate.found.map(|found| found.field.path).unwrap_or_default();
            Ok(Outcome::Differs { offset, path })
        }
        None if compare.at != source.len() => Ok(Outcome::Length { len: compare.at }),
        None => Ok(Outcome::Identical),
    }
}

/// Returns the fields that differ when `container` is written, with the reasons. `source` is the file that it was opened from as
/// one of these formats, to which nothing that was changed in it since has come yet.
///
/// # Errors
/// Reading and writing errors; those of opening what was written; limits, since it is kept in memory.
pub fn changes(
    container: &dyn Container,
    source: &Arc<dyn Source>,
    formats: &Formats,
    options: &WriteOptions,
    task: &mut Task<'_>,
) -> Result<Vec<FieldDifference>> {
    let written = crate::written(container, options, task)?;
    let mut quiet = Collect::default();
    let mut inner = Task::new(task.budget.clone(), &mut quiet);
    let old = formats.open(source.clone(), &mut inner)?;
    let new = formats.open(Arc::new(written), &mut inner)?;
    changes::between(&*old, &*new, &mut inner)
}

/// Whether writing `container` gives exactly the bytes of `source`, which need not be what it was opened from.
///
/// # Errors
/// Reading and writing errors.
pub fn gives(
    container: &dyn Container,
    source: &dyn Source,
    options: &WriteOptions,
    task: &mut Task<'_>,
) -> Result<bool> {
    let compare = compare(container, source, options, task)?;
    Ok(compare.first.is_none() && compare.at == source.len())
}

fn compare<'s>(
    container: &dyn Container,
    source: &'s dyn Source,
    options: &WriteOptions,
    task: &mut Task<'_>,
) -> Result<Compare<'s>> {
    let mut compare = Compare { source, at: 0, first: None, buffer: Vec::new() };
    container.write(&mut compare, options, task)?;
    Ok(compare)
}

/// Swallows what is written and keeps the first offset at which it is not the source.
struct Compare<'s> {
    source: &'s dyn Source,
    at: u64,
    first: Option<u64>,
    buffer: Vec<u8>,
}

impl Compare<'_> {
    fn first_difference(&mut self, new: &[u8]) -> Result<Option<u64>> {
        let left = usize::try_from(self.source.len().saturating_sub(self.at)).unwrap_or(usize::MAX);
        let common = new.get(..left.min(new.len())).unwrap_or(new);
        let range = self.at..self.at.saturating_add(common.len() as u64);
        let differs = |old: &[u8]| old.iter().zip(common).position(|(old, new)| old != new);
        let position = match self.source.lend(range) {
            Some(old) if old == common => None,
            Some(old) => differs(&old),
            None => {
                self.buffer.resize(common.len(), 0);
                self.source.read_at(self.at, &mut self.buffer)?;
                differs(&self.buffer)
            }
        };
        Ok(position.map(|position| self.at.saturating_add(position as u64)))
    }
}

impl Write for Compare<'_> {
    fn write(&mut self, new: &[u8]) -> io::Result<usize> {
        // Blocks keep the read buffer of sources that lend nothing small.
        let block = new.get(..new.len().min(1 << 16)).unwrap_or(new);
        if self.first.is_none() {
            self.first = self.first_difference(block).map_err(io::Error::other)?;
        }
        self.at = self.at.saturating_add(block.len() as u64);
        Ok(block.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The outcome as an error finding; `None` where the bytes are identical.
pub fn finding(outcome: &Outcome, old_len: u64) -> Option<Error> {
    let error = Error::new(&spelunk_core::codes::ROUNDTRIP);
    match outcome {
        Outcome::Identical => None,
        Outcome::Differs { offset, path } => {
            let error = error.at(spelunk_core::Span::file(*offset, 1));
            Some(if path.is_empty() {
                error
            } else {
                error.within(spelunk_core::Seg::Key(path.clone().into()))
            })
        }
        Outcome::Length { len } => {
            let at = spelunk_core::Span::file(old_len.min(*len), 0);
            Some(error.at(at).expected(old_len).found(*len))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::Bytes;

    #[test]
    fn the_first_difference_is_found_across_blocks() {
        let old: Vec<u8> = (0..200_000_u32).map(|n| (n % 251) as u8).collect();
        let source = Bytes::from(old.clone());
        for changed in [None, Some(0), Some(65_535), Some(65_536), Some(199_999)] {
            let mut new = old.clone();
            if let Some(changed) = changed {
                new[changed] ^= 1;
            }
            let mut compare = Compare { source: &source, at: 0, first: None, buffer: Vec::new() };
            compare.write_all(&new).unwrap();
            assert_eq!(compare.first, changed.map(|changed| changed as u64));
        }
    }

    #[test]
    fn bytes_past_the_old_end_are_a_length() {
        let source = Bytes::from_static(b"abc");
        let mut compare = Compare { source: &source, at: 0, first: None, buffer: Vec::new() };
        compare.write_all(b"abcd").unwrap();
        assert_eq!((compare.first, compare.at), (None, 4));
    }
}
