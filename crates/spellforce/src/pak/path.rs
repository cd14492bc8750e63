//! Paths of files that are to be in an archive (`docs/formats/pak.md#3-name-table`).

use super::hash::{MAX_NAME, reversed_path_hash};
use crate::codes;
use spelunk_core::{Code, Error, Result, text::CodePages};

/// The path of a file in an archive: directory and name in cp1252 and lower case, last byte first, as the name table has
/// them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MemberPath {
    /// Name, backslash, directory.
    reversed: Vec<u8>,
    /// Bytes of the name.
    name: usize,
}

impl MemberPath {
    /// Returns the path of a text, with `/` or `\` between its steps.
    ///
    /// # Errors
    /// [`codes::PAK_CHARACTER`] for a character that cp1252 lacks; those of [`MemberPath::from_bytes`].
    pub fn from_text(text: &str) -> Result<MemberPath> {
        MemberPath::from_bytes(&encoded(&text.to_lowercase())?)
    }

    /// The path of these bytes, with `/` or `\` between its steps. Letters of cp1252 become small ones.
    ///
    /// # Errors
    /// [`codes::PAK_BAD_PATH`] where a step is empty, `.` or `..`, has a NUL, or name or directory are longer than
    /// [`MAX_NAME`]; [`codes::PAK_NO_DIRECTORY`].
    pub fn from_bytes(path: &[u8]) -> Result<MemberPath> {
        let refused = |code: &'static Code| {
            Error::new(code).found(format!("`{}`", CodePages::cp1252().show(path).escape_debug()))
        };
        let small = |byte: &u8| if *byte == b'/' { b'\\' } else { lower(*byte) };
        let reversed: Vec<u8> = path.iter().rev().map(small).collect();
        let mut steps = reversed.split(|byte| *byte == b'\\');
        let name = steps.clone().next().map_or(0, <[u8]>::len);
        if steps.any(|step| matches!(step, b"" | b"." | b"..") || step.contains(&0)) {
            return Err(refused(&codes::PAK_BAD_PATH).expected("a directory and a name"));
        }
        if name == reversed.len() {
            return Err(refused(&codes::PAK_NO_DIRECTORY));
        }
        if name.max(reversed.len().saturating_sub(name).saturating_sub(1)) > MAX_NAME {
            let expected = format!("at most {MAX_NAME} bytes of directory and name each");
            return Err(refused(&codes::PAK_BAD_PATH).expected(expected));
        }
        Ok(MemberPath { reversed, name })
    }

    /// The name, last byte first.
    pub fn reversed_name(&self) -> &[u8] {
        self.reversed.get(..self.name).unwrap_or_default()
    }

    /// The directory, last byte first.
    pub fn reversed_directory(&self) -> &[u8] {
        self.reversed.get(self.name.saturating_add(1)..).unwrap_or_default()
    }

    /// Directory, backslash and name, last byte first.
    pub fn reversed(&self) -> &[u8] {
        &self.reversed
    }

    /// The hash by which entries are sorted.
    pub fn hash(&self) -> u16 {
        reversed_path_hash(self.reversed_name(), self.reversed_directory())
    }
}

/// The bytes of a path in cp1252, with the letters and slashes of the text.
///
/// # Errors
/// [`codes::PAK_CHARACTER`].
pub fn encoded(text: &str) -> Result<Vec<u8>> {
    let pages = CodePages::cp1252();
    pages.encode(text).ok_or_else(|| {
        let lacks = |c: &char| pages.encode(c.encode_utf8(&mut [0; 4])).is_none();
        let lacking = text.chars().find(lacks).unwrap_or_default();
        Error::new(&codes::PAK_CHARACTER).expected("characters of cp1252").found(format!(
            "`{}` in `{}`",
            lacking.escape_debug(),
            text.escape_debug()
        ))
    })
}

/// The small letter of a letter of cp1252.
pub const fn lower(byte: u8) -> u8 {
    match byte {
        b'A'..=b'Z' | 0xc0..=0xd6 | 0xd8..=0xde => byte.wrapping_add(0x20),
        0x8a | 0x8c | 0x8e => byte.wrapping_add(0x10),
        0x9f => 0xff,
        _ => byte,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        MemberPath::from_text(text).unwrap_err().to_string()
    }

    #[test]
    fn paths_are_small_letters_of_cp1252_reversed() {
        let path = MemberPath::from_text("Texture/UI\\T\u{dc}r.TGA").unwrap();
        assert_eq!(path.reversed_name(), b"agt.r\xfct");
        assert_eq!(path.reversed_directory(), b"iu\\erutxet");
        assert_eq!(path.hash(), super::super::path_hash(*b"texture\\ui\\t\xfcr.tga"));
        assert_eq!(MemberPath::from_bytes(b"texture/ui/T\xdcR.tga").unwrap(), path);
    }

    #[test]
    fn every_letter_of_cp1252_becomes_the_one_that_unicode_says() {
        let pages = CodePages::cp1252();
        for byte in 0..=255_u8 {
            let text = pages.decode(&[byte]).unwrap().to_lowercase();
            assert_eq!(pages.encode(&text).unwrap(), [lower(byte)], "{byte:#x}");
        }
    }

    #[test]
    fn what_is_refused_says_why() {
        assert!(refused("data/\u{436}.txt").contains("`\u{436}`"));
        assert!(refused("readme.txt").contains("PK017"));
        for bad in ["", "a//b", "/a", "a/", "../a", "a/./b", "a/\0b", &format!("a/{:300}", 1)] {
            assert!(MemberPath::from_text(bad).is_err(), "{bad}");
        }
    }
}
