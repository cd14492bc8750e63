//! The checksum of an archive (`docs/formats/pak.md#6-checksum`).

use super::header::PakHeader;
use spelunk_core::scalar::Word;
use zerocopy::IntoBytes;

/// The checksum over the header (with all bits of the checksum set), the entries and the names: CRC-32
/// without its last inversion.
pub fn checksum(header: &PakHeader, entries: &[u8], names: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(PakHeader { checksum: Word::new(u32::MAX), ..*header }.as_bytes());
    crc.update(entries);
    crc.update(names);
    !crc.finalize()
}
