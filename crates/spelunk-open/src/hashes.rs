//! Hashes of content, by which what is stored twice is found: within a file, over many files, and by other programs.

use sha2::{Digest, Sha256};
use spelunk_core::{Budget, Cancel, Container, Error, Limits, Node, Result, Source, Task};
use twox_hash::XxHash3_128;

/// Number of bytes of a source that are read at a time.
const STEP: u64 = 1 << 20;

/// Hashes of bytes: the one that our own tables go by, and the one that all the world goes by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContentHashes {
    /// XXH3-128, 32 hexadecimal digits.
    pub xxh3: String,
    /// SHA-256, 64 hexadecimal digits.
    pub sha256: String,
}

impl ContentHashes {
    /// The hashes of bytes that are all at hand, which costs far less than as they come: XXH3 of one stretch is several times as
    /// fast as of parts.
    pub fn of(bytes: &[u8]) -> ContentHashes {
        ContentHashes::new(XxHash3_128::oneshot(bytes), &Sha256::digest(bytes))
    }

    /// The hashes of all bytes of a source. Where these are in memory or mapped, XXH3 goes over them at once; SHA-256 takes so
    /// long that it can be cancelled in between.
    ///
    /// # Errors
    /// Reading errors; [`CANCELLED`](spelunk_core::codes::CANCELLED).
    pub fn of_source(source: &dyn Source, cancel: Option<&Cancel>) -> Result<ContentHashes> {
        let mut sha256 = Sha256::new();
        if let Some(bytes) = source.lend(0..source.len()) {
            read_all(source, cancel, &mut |part| sha256.update(part))?;
            return Ok(ContentHashes::new(XxHash3_128::oneshot(&bytes), &sha256.finalize()));
        }
        let mut xxh3 = XxHash3_128::new();
        read_all(source, cancel, &mut |part| {
            xxh3.write(part);
            sha256.update(part);
        })?;
        Ok(ContentHashes::new(xxh3.finish_128(), &sha256.finalize()))
    }

    /// The size of an entry and the hashes of its bytes, which are kept no longer; `None` where it has none of its own, or they are
    /// damaged, which checks report.
    ///
    /// # Errors
    /// Input and output; limits.
    pub fn of_entry(
        container: &dyn Container,
        node: Node,
        task: &mut Task<'_>,
    ) -> Result<Option<(u64, ContentHashes)>> {
        let hashed = task.transient(|task| {
            let bytes = container.bytes(node, task)?;
            task.budget.touch(bytes.len() as u64)?;
            Ok((bytes.len() as u64, ContentHashes::of(&bytes)))
        });
        match hashed {
            Ok(hashed) => Ok(Some(hashed)),
            Err(error) => {
                let error: Error = error;
                if error.ends_work() { Err(error) } else { Ok(None) }
            }
        }
    }

    /// Hashes as text.
    fn new(xxh3: u128, sha256: &[u8]) -> ContentHashes {
        ContentHashes { xxh3: hexadecimal(&xxh3.to_be_bytes()), sha256: hexadecimal(sha256) }
    }
}

/// Hands out all bytes of a source, a part at a time.
///
/// # Errors
/// Reading errors; [`CANCELLED`](spelunk_core::codes::CANCELLED).
pub fn read_all(
    source: &dyn Source,
    cancel: Option<&Cancel>,
    each: &mut dyn FnMut(&[u8]),
) -> Result<()> {
    let mut at = 0;
    while at < source.len() {
        let end = source.len().min(at.saturating_add(STEP));
        cancel.map_or(Ok(()), Cancel::check)?;
        each(&source.read(at..end, &mut Budget::new(Limits::for_len(0)))?);
        at = end;
    }
    Ok(())
}

/// Two digits for each byte. There are so many hashes that formatting each byte by itself would show.
fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().saturating_mul(2));
    for byte in bytes {
        let digits = [byte >> 4, byte & 0xF].map(|digit| char::from_digit(digit.into(), 16));
        text.extend(digits.into_iter().flatten());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::Bytes;

    #[test]
    fn hashes_are_those_of_the_standards() {
        // FIPS 180-4 and the test vectors of xxHash.
        let hashes = ContentHashes::of(b"abc");
        assert_eq!(
            hashes.sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(hashes.xxh3, "06b05ab6733a618578af5f94892f3950");
        assert_eq!(ContentHashes::of_source(&Bytes::from_static(b"abc"), None).unwrap(), hashes);
    }
}
