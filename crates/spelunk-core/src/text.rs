//! Code pages: bytes stay the truth, text is decoded late and only for display.
//!
//! Names in files are bytes. A display name ends at the first NUL; what is behind it is kept with the
//! stored name. What no code page of the chosen list can decode is shown escaped, never replaced.

use crate::{
    codes,
    error::{Error, Result},
};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use std::{borrow::Cow, fmt::Write};

/// An ordered list of code pages: the first one that can decode a text decodes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodePages(Vec<&'static Encoding>);

impl CodePages {
    /// Windows-1252, the default for Virtools and SpellForce names.
    pub fn cp1252() -> CodePages {
        CodePages(vec![WINDOWS_1252])
    }

    /// UTF-8, the default for SnPAK.
    pub fn utf8() -> CodePages {
        CodePages(vec![UTF_8])
    }

    /// A list of labels as `cp1252,gbk`; any label of the WHATWG encoding standard.
    ///
    /// # Errors
    /// [`codes::CODE_PAGE`] with the unknown label.
    pub fn from_labels(labels: &str) -> Result<CodePages> {
        let page = |label: &str| {
            let label = label.trim();
            let number = label.trim_start_matches(|c: char| !c.is_ascii_digit());
            // Numbers of Windows that the standard has no label for.
            let known = match number {
                "932" => "shift_jis",
                "936" => "gbk",
                "949" => "euc-kr",
                "950" => "big5",
                "65001" => "utf-8",
                // The bare number alone: `iso-8859-1` ends in one, too.
                _ if number != label => label,
                "874" => "windows-874",
                "1250" => "windows-1250",
                "1251" => "windows-1251",
                "1252" => "windows-1252",
                "1253" => "windows-1253",
                "1254" => "windows-1254",
                "1255" => "windows-1255",
                "1256" => "windows-1256",
                "1257" => "windows-1257",
                "1258" => "windows-1258",
                _ => label,
            };
            Encoding::for_label(known.as_bytes())
                .ok_or_else(|| Error::new(&codes::CODE_PAGE).found(format!("`{label}`")))
        };
        labels.split(',').map(page).collect::<Result<_>>().map(CodePages)
    }

    /// The text of `bytes` in the first code page that can decode all of it.
    pub fn decode<'a>(&self, bytes: &'a [u8]) -> Option<Cow<'a, str>> {
        self.decode_with(bytes).map(|(text, _)| text)
    }

    fn decode_with<'a>(&self, bytes: &'a [u8]) -> Option<(Cow<'a, str>, &'static Encoding)> {
        self.0.iter().find_map(|page| {
            page.decode_without_bom_handling_and_without_replacement(bytes)
                .map(|text| (text, *page))
        })
    }

    /// Text as bytes in the first of the pages that has all of its characters; `None` where none has.
    pub fn encode(&self, text: &str) -> Option<Vec<u8>> {
        self.0.iter().find_map(|page| match page.encode(text) {
            (bytes, used, false) if used == *page => Some(bytes.into_owned()),
            _ => None,
        })
    }

    /// Whether ASCII is text as it is in all of them.
    pub fn are_ascii_compatible(&self) -> bool {
        self.0.iter().all(|page| page.is_ascii_compatible())
    }

    /// The text of `bytes` for people: control characters and what cannot be decoded as `\xNN`.
    pub fn show<'a>(&self, bytes: &'a [u8]) -> Cow<'a, str> {
        match self.decode_with(bytes) {
            Some((text, _)) if !text.chars().any(char::is_control) => text,
            decoded => {
                let mut out = String::new();
                escape(bytes, decoded, &mut out, |c| !c.is_control(), "\\x");
                Cow::Owned(out)
            }
        }
    }

    /// Appends `bytes` as a step of a path inside a container: `/`, `#`, `%`, control characters and
    /// what cannot be decoded as `%XX`.
    pub fn path_step(&self, bytes: &[u8], out: &mut String) {
        let plain = |c: char| !c.is_control() && !matches!(c, '/' | '#' | '%');
        escape(bytes, self.decode_with(bytes), out, plain, "%");
    }

    /// Appends `bytes` as a path of several steps: like [`CodePages::path_step`], but `/` stays.
    pub fn path(&self, bytes: &[u8], out: &mut String) {
        let plain = |c: char| !c.is_control() && !matches!(c, '#' | '%');
        escape(bytes, self.decode_with(bytes), out, plain, "%");
    }
}

impl std::fmt::Display for CodePages {
    /// The labels, separated by commas.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (nth, page) in self.0.iter().enumerate() {
            f.write_str(if nth == 0 { "" } else { "," })?;
            f.write_str(page.name())?;
        }
        Ok(())
    }
}

/// Appends the decoded text, or the bytes taken as ASCII, with the bytes of all characters that are not
/// `plain` as `mark` and two digits each.
fn escape(
    bytes: &[u8],
    decoded: Option<(Cow<'_, str>, &'static Encoding)>,
    out: &mut String,
    plain: impl Fn(char) -> bool,
    mark: &str,
) {
    let hex = |out: &mut String, byte: u8| {
        let _ = write!(out, "{mark}{byte:02X}");
    };
    match decoded {
        Some((text, page)) => {
            for c in text.chars() {
                if plain(c) {
                    out.push(c);
                } else {
                    let mut utf8 = [0; 4];
                    let (stored, ..) = page.encode(c.encode_utf8(&mut utf8));
                    stored.iter().for_each(|byte| hex(out, *byte));
                }
            }
        }
        None => {
            for byte in bytes {
                match char::from(*byte) {
                    c if c.is_ascii() && plain(c) => out.push(c),
                    _ => hex(out, *byte),
                }
            }
        }
    }
}

/// A number of bytes as people read it: `6.4 KiB`.
pub fn human(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64;
    let mut unit = "B";
    for next in UNITS {
        if value < 1023.95 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    format!("{value:.1} {unit}")
}

/// Reads a number of bytes as people write it: `500M`, `2GiB`.
///
/// # Errors
/// What is wrong with it, for people.
pub fn size(text: &str) -> std::result::Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text.get(digits.len()..).unwrap_or_default().to_ascii_lowercase();
    let shift = match unit.trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err("a size is a number with an optional K, M, G or T".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|error| format!("{error}"))?;
    number.checked_mul(1 << shift).ok_or_else(|| "too large".to_owned())
}

/// Returns the part of a long text that fits into a line.
pub fn first_line(text: &str) -> String {
    const LONGEST: usize = 100;
    let line = text.lines().next().unwrap_or_default();
    let mut shown: String = line.chars().take(LONGEST).collect();
    if shown.len() < text.len() {
        shown.push_str(" ...");
    }
    shown
}

/// The bytes before the first NUL: the display name of a stored name.
pub fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_suffixes() {
        assert_eq!(size("500"), Ok(500));
        assert_eq!(size("64M"), Ok(64 << 20));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert!(size("2X").is_err() && size("99999999999T").is_err() && size("").is_err());
    }

    #[test]
    fn the_first_page_that_can_decode_decodes() {
        let pages = CodePages::from_labels("utf-8, gbk").unwrap();
        assert_eq!(pages.decode("Tür".as_bytes()).unwrap(), "Tür");
        assert_eq!(pages.decode(&[0xc4, 0xbe]).unwrap(), "ľ", "valid UTF-8 wins");
        assert_eq!(pages.decode(&[0xb5, 0xd8, 0xb0, 0xe5]).unwrap(), "地板");
        assert_eq!(CodePages::from_labels("cp1252,nonsense").unwrap_err().code().id, "SP028");
        assert_eq!(CodePages::from_labels("CP936").unwrap().to_string(), "GBK");
    }

    #[test]
    fn nothing_is_replaced() {
        let utf8 = CodePages::utf8();
        assert_eq!(utf8.show(b"a\xffb\n"), "a\\xFFb\\x0A");
        assert_eq!(CodePages::cp1252().show(b"T\xfcr \x81"), "Tür \\x81");
    }

    #[test]
    fn path_steps_escape_what_paths_mean() {
        let mut out = String::new();
        CodePages::cp1252().path_step(b"50% #1/2\0\xe4", &mut out);
        assert_eq!(out, "50%25 %231%2F2%00ä");
        out.clear();
        CodePages::utf8().path(b"a/b\xff", &mut out);
        assert_eq!(out, "a/b%FF");
    }

    #[test]
    fn display_names_end_at_the_first_nul() {
        assert_eq!(until_nul(b"All_Balls\0\0\0"), b"All_Balls");
        assert_eq!(until_nul(b"\0\0\0"), b"");
        assert_eq!(until_nul(b""), b"");
    }
}
