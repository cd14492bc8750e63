//! Whether a pack is still the one that was opened, by its header alone.

use crate::{
    header::{HEADER_SIZE, Header},
    pack::Pack,
};
use spelunk_core::{Result, Source, Span, scalar::Hash128};

/// The state of a pack as the 180 bytes of the header and the length of the file show it: where its tables lie, and the hash of
/// the index, which covers the hash of every payload. Two states of a pack that differ in any asset have different fingerprints.
/// Payloads that were written over in place, without an index that says so, are not seen: that is what
/// [`verify`](crate::verify()) is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    /// Length of the file in bytes. It may be more than the header says.
    pub len: u64,
    /// Size of the pack in bytes, as the header says.
    pub file_size: u64,
    /// Place of the active string table.
    pub strings: Span,
    /// Place of the active index.
    pub index: Span,
    /// Hash of the active index.
    pub index_hash: Hash128,
}

impl Fingerprint {
    /// Reads the header of a pack, and nothing else.
    ///
    /// # Errors
    /// Those of [`Header::read`]; reading errors.
    pub fn read(source: &dyn Source) -> Result<Fingerprint> {
        let len = source.len();
        let mut bytes = [0; HEADER_SIZE as usize];
        let there = len.min(HEADER_SIZE.into());
        let head = bytes.get_mut(..there as usize).unwrap_or_default();
        source.read_at(0, head)?;
        Ok(Fingerprint::of_header(&Header::read(head, len)?, len))
    }

    /// The fingerprint of a pack when it was opened.
    pub fn of(pack: &Pack) -> Fingerprint {
        Fingerprint::of_header(pack.header(), pack.len())
    }

    /// Reads the header of the pack at `path`. The file is opened, and neither mapped nor read as a whole.
    ///
    /// # Errors
    /// Those of [`Fingerprint::read`].
    #[cfg(feature = "fs")]
    pub fn of_path(path: &std::path::Path) -> Result<Fingerprint> {
        let file = std::fs::File::open(path)?;
        Fingerprint::read(&spelunk_core::source::FileSource::new(file)?)
    }

    const fn of_header(header: &Header, len: u64) -> Fingerprint {
        Fingerprint {
            len,
            file_size: header.file_size.get(),
            strings: Span::file(header.string_table_offset.get(), header.string_table_size.get()),
            index: Span::file(header.index_offset.get(), header.index_size.get()),
            index_hash: header.index_hash,
        }
    }

    /// Whether both lead to the same tables, and with them to the same assets. Bytes behind the end of the pack, which an
    /// append that goes on puts there before it writes the header, make no other state, and neither does a size alone.
    pub fn is_same_state(&self, other: &Fingerprint) -> bool {
        let tables = |of: &Fingerprint| (of.strings, of.index, of.index_hash);
        tables(self) == tables(other)
    }
}

/// Checks the hashes of both tables, whatever opening said of them.
///
/// # Errors
/// The code of the table that does not have its hash; limits.
#[cfg(feature = "fs")]
pub(crate) fn check_tables(pack: &Pack, task: &mut spelunk_core::Task<'_>) -> Result<()> {
    let (index, strings) = pack.active();
    strings.check_hash(task)?;
    index.check_block_hash(pack.header().index_hash, task)?;
    index.check_hash(task)
}
