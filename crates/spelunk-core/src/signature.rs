//! Signatures by which programs that know nothing of a format recognise its files: MIME types, names, and first bytes.

/// A type of files.
#[derive(Debug)]
pub struct FileType {
    /// MIME type; none is registered.
    pub mime: &'static str,
    /// Name of such a file for people.
    pub name: &'static str,
    /// The format that it is opened as, where its content shows no closer one.
    pub format: &'static str,
    /// Patterns of the names of files of this type.
    pub globs: &'static [&'static str],
    /// Certainty of the signatures, from 0 to 100, as in shared-mime-info.
    pub priority: u8,
    /// A file is of this type if all tests of one of these hold.
    pub signatures: &'static [&'static [Test]],
}

/// Condition on the bytes at the beginning of a file.
#[derive(Clone, Copy, Debug)]
pub enum Test {
    /// Bytes at an offset.
    Bytes(u32, &'static [u8]),
    /// Bytes at an offset between two, both included.
    Within(u32, u32, &'static [u8]),
    /// A little-endian word at this offset, of which the bits of the mask have this value.
    Word(u32, u32, u32),
}

impl FileType {
    /// Whether a file that begins with `head` is of this type.
    pub fn matches(&self, head: &[u8]) -> bool {
        self.signatures.iter().any(|tests| tests.iter().all(|test| test.holds(head)))
    }
}

impl Test {
    fn holds(&self, head: &[u8]) -> bool {
        let at = |offset: u32| head.get(usize::try_from(offset).ok()?..);
        match *self {
            Test::Bytes(offset, bytes) => at(offset).is_some_and(|rest| rest.starts_with(bytes)),
            Test::Within(first, last, bytes) => {
                (first..=last).any(|offset| at(offset).is_some_and(|rest| rest.starts_with(bytes)))
            }
            Test::Word(offset, mask, value) => at(offset)
                .and_then(|rest| rest.first_chunk())
                .is_some_and(|word| u32::from_le_bytes(*word) & mask == value),
        }
    }
}
