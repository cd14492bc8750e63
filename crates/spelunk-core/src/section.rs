//! Sections: stored bytes, plain bytes, and how the ones were packed into the others.
//!
//! A section keeps its stored bytes for as long as its content is not changed, so that writing an
//! untouched file gives the same bytes whatever program packed it.

use crate::{
    codes,
    error::{Error, Result},
    finding::Task,
    limits::Budget,
    place::{Space, Span},
    zlib::{self, KnownPacking},
};
use bytes::Bytes;
use std::sync::OnceLock;

/// Storage of a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// As it is.
    Stored,
    /// A single zlib stream (RFC 1950).
    Zlib,
}

impl Packing {
    /// The packing as one word.
    pub const fn name(self) -> &'static str {
        match self {
            Packing::Stored => "stored",
            Packing::Zlib => "zlib",
        }
    }
}

/// Plain bytes, and the buffer that they start.
#[derive(Clone, Debug)]
struct Plain {
    plain: Bytes,
    buffer: Bytes,
}

impl Plain {
    fn whole(buffer: Bytes) -> Plain {
        Plain { plain: buffer.clone(), buffer }
    }
}

/// A part of a file that may be packed. Inflated at most once, when its plain bytes are asked for.
#[derive(Clone, Debug)]
pub struct Section {
    at: Span,
    plain_at: Span,
    stored: Bytes,
    packing: Packing,
    plain: OnceLock<Plain>,
    level: OnceLock<Option<u8>>,
}

impl Section {
    /// A section whose stored bytes are its plain bytes.
    pub fn stored(at: Span, bytes: Bytes) -> Section {
        Section {
            at,
            plain_at: Span { len: bytes.len() as u64, ..at },
            plain: OnceLock::from(Plain::whole(bytes.clone())),
            stored: bytes,
            packing: Packing::Stored,
            level: OnceLock::new(),
        }
    }

    /// A zlib stream that lies at `at` and declares `plain_len` inflated bytes, to be known as `space`.
    pub fn zlib(at: Span, stored: Bytes, space: Space, plain_len: u64) -> Section {
        Section {
            at,
            plain_at: Span::new(space, 0, plain_len),
            stored,
            packing: Packing::Zlib,
            plain: OnceLock::new(),
            level: OnceLock::new(),
        }
    }

    /// A section of which no bytes were read: they lie at `at`, and are `plain_at` when inflated. It has no plain bytes.
    pub const fn unread(at: Span, packing: Packing, plain_at: Span) -> Section {
        Section {
            at,
            plain_at,
            stored: Bytes::new(),
            packing,
            plain: OnceLock::new(),
            level: OnceLock::new(),
        }
    }

    /// Place of the stored bytes in the file.
    pub const fn at(&self) -> Span {
        self.at
    }

    /// Place of the plain bytes: in the file, or in the section's own space.
    pub const fn plain_at(&self) -> Span {
        self.plain_at
    }

    /// The bytes as stored.
    pub const fn stored_bytes(&self) -> &Bytes {
        &self.stored
    }

    /// Storage of the section.
    pub const fn packing(&self) -> Packing {
        self.packing
    }

    /// Declared number of plain bytes.
    pub const fn plain_len(&self) -> u64 {
        self.plain_at.len
    }

    /// Bytes of memory that were taken to inflate it; none as long as nobody asked for its plain bytes.
    pub fn inflated_len(&self) -> u64 {
        let plain = self.plain.get().filter(|_| self.packing == Packing::Zlib);
        plain.map_or(0, |known| known.plain.len() as u64)
    }

    /// The plain bytes, inflated now if they were not before.
    ///
    /// # Errors
    /// Those of [`zlib::inflate`].
    pub fn plain(&self, budget: &mut Budget) -> Result<&Bytes> {
        if let Some(known) = self.plain.get() {
            return Ok(&known.plain);
        }
        let mark = budget.mark();
        let plain = zlib::inflate(&self.stored, self.plain_at.len, self.at, budget)?;
        Ok(&budget.keep(mark, &self.plain, Plain::whole(plain.into())).plain)
    }

    /// The plain bytes of a section that nobody keeps, inflated if it is packed.
    ///
    /// # Errors
    /// Those of [`zlib::inflate`].
    pub fn into_plain(self, budget: &mut Budget) -> Result<Bytes> {
        match self.plain.into_inner() {
            Some(known) => Ok(known.plain),
            None => Ok(zlib::inflate(&self.stored, self.plain_at.len, self.at, budget)?.into()),
        }
    }

    /// The plain bytes that come out before the damage of a section that [`Section::plain`] cannot give. They are made
    /// anew with each call.
    ///
    /// # Errors
    /// Limits.
    pub fn plain_before_damage(&self, budget: &mut Budget) -> Result<Bytes> {
        if let Some(known) = self.plain.get() {
            return Ok(known.plain.clone());
        }
        let plain = zlib::inflate_damaged(&self.stored, self.plain_at.len, self.at, budget)?;
        Ok(plain.into())
    }

    /// Inflates the section if it is packed and was not inflated before, into a [spare buffer](Task::spare)
    /// where there is one.
    ///
    /// # Errors
    /// Those of [`zlib::inflate`].
    pub fn inflate(&self, task: &mut Task<'_>) -> Result<()> {
        if self.plain.get().is_some() {
            return Ok(());
        }
        let budget = &mut task.budget;
        let mark = budget.mark();
        // What is used is charged, and nothing else: whoever comes later has as much as whoever is alone.
        let fits = |buffer: &Vec<u8>| {
            let len = buffer.len() as u64;
            self.plain_at.len <= len && budget.memory(len).is_ok()
        };
        let mut buffer = task.spare.pop().filter(fits).unwrap_or_default();
        match zlib::inflate_reusing(&self.stored, self.plain_at.len, self.at, budget, &mut buffer) {
            Ok(plain) => {
                let len = plain.len();
                budget.release(buffer.len().saturating_sub(len) as u64);
                let buffer = Bytes::from(buffer);
                let plain = buffer.slice(..len);
                budget.keep(mark, &self.plain, Plain { plain, buffer });
                Ok(())
            }
            Err(error) => {
                budget.release(buffer.len() as u64);
                task.spare.push(buffer);
                Err(error)
            }
        }
    }

    /// Ends the section and gives the buffer that it was inflated into to those to come, unless someone still
    /// holds a part of it.
    pub fn recycle(self, spare: &mut Vec<Vec<u8>>) {
        if self.packing == Packing::Stored {
            return;
        }
        if let Some(Plain { plain, buffer }) = self.plain.into_inner() {
            drop(plain);
            spare.extend(buffer.try_into_mut().map(Vec::from));
        }
    }

    /// Inflates the section if it is packed, and reports bytes that follow its stream.
    ///
    /// # Errors
    /// Those of [`Section::plain`]; what the sink makes of the finding.
    pub fn check(&self, task: &mut Task<'_>) -> Result<()> {
        let plain = self.plain(&mut task.budget)?;
        if self.packing == Packing::Zlib && zlib::is_followed(&self.stored, plain) {
            task.warn(Error::new(&codes::TRAILING_STREAM).at(self.at))?;
        }
        Ok(())
    }

    /// The level that packs the plain bytes into exactly the stored ones; `None` when there is none or
    /// the section is not packed. Found by trying, and kept.
    ///
    /// # Errors
    /// Those of [`Section::plain`].
    pub fn level(&self, budget: &mut Budget) -> Result<Option<u8>> {
        if self.packing == Packing::Stored {
            return Ok(None);
        }
        let plain = self.plain(budget)?;
        Ok(*self.level.get_or_init(|| zlib::infer_level(&self.stored, plain)))
    }

    /// The packing, where [`Section::level`] found it.
    pub fn known_packing(&self) -> Option<KnownPacking> {
        let level = (*self.level.get()?)?;
        let plain = self.plain.get()?.plain.clone();
        Some(KnownPacking { plain, level, stored: self.stored.clone() })
    }

    /// Whether this level packs the plain bytes into exactly the stored ones. Small sections come out the same at
    /// several levels, of which [`Section::level`] gives one.
    ///
    /// # Errors
    /// Those of [`Section::plain`].
    pub fn is_level(&self, level: u8, budget: &mut Budget) -> Result<bool> {
        Ok(self.level(budget)? == Some(level)
            || zlib::deflate(self.plain(budget)?, level) == self.stored)
    }

    /// The bytes to store for the content `plain`: the old stored bytes when the content is the old one,
    /// else packed as the old ones were (at `usual` where no level reproduces those).
    ///
    /// With `recompress` unchanged content is packed again too; where no level reproduces the old bytes
    /// they are kept and [`codes::NO_LEVEL`] is noted.
    ///
    /// # Errors
    /// Those of [`Section::plain`].
    pub fn pack(
        &self,
        plain: &Bytes,
        usual: u8,
        recompress: bool,
        task: &mut Task<'_>,
    ) -> Result<Bytes> {
        if self.packing == Packing::Stored {
            return Ok(plain.clone());
        }
        let unchanged = plain == self.plain(&mut task.budget)?;
        if unchanged && !recompress {
            return Ok(self.stored.clone());
        }
        match self.level(&mut task.budget)? {
            Some(level) => task.deflate(plain, level),
            None if unchanged => {
                task.note(Error::new(&codes::NO_LEVEL).at(self.at))?;
                Ok(self.stored.clone())
            }
            None => task.deflate(plain, usual),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{finding::Collect, limits::Limits};

    fn packed(plain: &[u8], level: u8) -> Section {
        let stored = Bytes::from(zlib::deflate(plain, level));
        let at = Span::file(10, stored.len() as u64);
        Section::zlib(at, stored, Space::section("data"), plain.len() as u64)
    }

    #[test]
    #[cfg(feature = "c-codecs")]
    fn unchanged_content_keeps_its_stored_bytes_and_changed_content_its_level() {
        let old = Bytes::from(b"wood wood wood metal wood".repeat(40));
        let new = Bytes::from(b"wood wood wood stone wood".repeat(40));
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        let section = packed(&old, 2);
        assert_eq!(section.pack(&old, 4, false, &mut task).unwrap(), section.stored_bytes());
        assert_eq!(section.pack(&old, 4, true, &mut task).unwrap(), section.stored_bytes());
        assert_eq!(section.pack(&new, 4, false, &mut task).unwrap(), zlib::deflate(&new, 2));
        assert!(sink.findings.is_empty());
    }

    #[test]
    #[cfg(feature = "c-codecs")]
    fn what_is_known_of_a_packing_is_taken_for_the_same_bytes_alone() {
        let plain = Bytes::from(b"wood wood wood metal wood".repeat(40));
        let section = packed(&plain, 6);
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        assert!(section.known_packing().is_none(), "nobody asked for the level");
        assert_eq!(section.level(&mut task.budget).unwrap(), Some(6));
        task.packings.extend(section.known_packing());
        let same = task.deflate(&Bytes::from(plain.to_vec()), 6).unwrap();
        assert_eq!(same.as_ptr(), section.stored_bytes().as_ptr(), "it is not made again");
        assert_eq!(task.deflate(&plain, 1).unwrap(), zlib::deflate(&plain, 1));
        let other = Bytes::from(b"wood".repeat(40));
        assert_eq!(task.deflate(&other, 6).unwrap(), zlib::deflate(&other, 6));
    }

    #[test]
    fn buffers_go_from_section_to_section() {
        let [long, short] = [400, 40].map(|count| Bytes::from(b"wood metal".repeat(count)));
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        let section = packed(&long, 2);
        section.inflate(&mut task).unwrap();
        assert_eq!(section.plain(&mut task.budget).unwrap(), &long);
        let place = section.plain(&mut task.budget).unwrap().as_ptr();
        section.recycle(&mut task.spare);
        let section = packed(&short, 2);
        section.inflate(&mut task).unwrap();
        let plain = section.plain(&mut task.budget).unwrap().clone();
        assert_eq!((plain.as_ptr(), &plain), (place, &short), "the same memory");
        section.recycle(&mut task.spare);
        assert!(task.spare.is_empty(), "a part of it is still held");
        assert_eq!(plain, short);
    }

    #[test]
    fn a_foreign_stream_is_kept_and_noted() {
        let plain = Bytes::from(b"wood wood wood metal wood".repeat(40));
        let stored: Vec<u8> = [packed(&plain, 6).stored_bytes().as_ref(), &[0]].concat();
        let at = Span::file(0, stored.len() as u64);
        let len = plain.len() as u64;
        let section = Section::zlib(at, stored.into(), Space::section("data"), len);
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        assert_eq!(section.pack(&plain, 6, true, &mut task).unwrap(), section.stored_bytes());
        assert_eq!(sink.findings[0].error.code().id, "SP041");
    }
}
