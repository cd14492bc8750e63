//! Signatures of the formats for other programs: MIME types, names, and the bytes that files begin with.
//!
//! The files in `dist/` are made of it: [`shared_mime_info`] for desktops, [`magic`] for `file`. Here [`detect`](crate::detect)
//! decides, which sees more than such rules can say; tests hold the rules to it.

use crate::detect::BUILT_IN;
use std::fmt::Write;

pub use spelunk_core::signature::{FileType, Test};

/// All types, those with a plain signature first.
pub fn types() -> impl Iterator<Item = &'static FileType> {
    BUILT_IN.iter().flat_map(|format| format.file_types())
}

/// Bytes as C, `file` and shared-mime-info write them: letters, digits and dots, all else in octal.
fn escaped(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, &byte| {
        if byte.is_ascii_alphanumeric() || byte == b'.' {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "\\{byte:03o}");
        }
        text
    })
}

/// The types for desktops, as the freedesktop.org specification "Shared MIME-info Database" has them:
/// `dist/spelunk.xml`.
pub fn shared_mime_info() -> String {
    let mut page = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!-- Made by `cargo xtask docs` from crates/spelunk-open/src/signatures.rs. To install it for oneself: copy it to\n     \
         ~/.local/share/mime/packages and run `update-mime-database ~/.local/share/mime`. -->\n\
         <mime-info xmlns=\"http://www.freedesktop.org/standards/shared-mime-info\">\n",
    );
    for kind in types() {
        let _ = writeln!(page, "  <mime-type type=\"{}\">", kind.mime);
        let _ = writeln!(page, "    <comment>{}</comment>", kind.name);
        let _ = writeln!(page, "    <magic priority=\"{}\">", kind.priority);
        for tests in kind.signatures {
            mime_match(tests, 6, &mut page);
        }
        page.push_str("    </magic>\n");
        for glob in kind.globs {
            let _ = writeln!(page, "    <glob pattern=\"{glob}\"/>");
        }
        page.push_str("  </mime-type>\n");
    }
    page + "</mime-info>\n"
}

/// A match with the ones inside it that have to hold too.
fn mime_match(tests: &[Test], indent: usize, page: &mut String) {
    let Some((test, rest)) = tests.split_first() else { return };
    let attributes = match *test {
        Test::Bytes(at, bytes) => {
            format!("offset=\"{at}\" type=\"string\" value=\"{}\"", escaped(bytes))
        }
        Test::Within(first, last, bytes) => {
            format!("offset=\"{first}:{last}\" type=\"string\" value=\"{}\"", escaped(bytes))
        }
        Test::Word(at, u32::MAX, value) => {
            format!("offset=\"{at}\" type=\"little32\" value=\"{value:#010x}\"")
        }
        Test::Word(at, mask, value) => {
            format!(
                "offset=\"{at}\" type=\"little32\" value=\"{value:#010x}\" mask=\"{mask:#010x}\""
            )
        }
    };
    let _ = write!(page, "{:indent$}<match {attributes}", "");
    if rest.is_empty() {
        page.push_str("/>\n");
    } else {
        page.push_str(">\n");
        mime_match(rest, indent.saturating_add(2), page);
        let _ = writeln!(page, "{:indent$}</match>", "");
    }
}

/// The types for `file`, as magic(5) has them: `dist/spelunk.magic`.
pub fn magic() -> String {
    let mut page = String::from(
        "# Made by `cargo xtask docs` from crates/spelunk-open/src/signatures.rs. To try it: file -m spelunk.magic FILE. To install\n\
         # it for oneself: append it to ~/.magic.\n",
    );
    for kind in types() {
        page.push('\n');
        for tests in kind.signatures {
            let last = tests.len().saturating_sub(1);
            for (depth, test) in tests.iter().enumerate() {
                let test = match *test {
                    Test::Bytes(at, bytes) => format!("{at}\tstring\t{}", escaped(bytes)),
                    Test::Within(first, last, bytes) => {
                        let places = last.saturating_sub(first).saturating_add(1);
                        format!("{first}\tsearch/{places}\t{}", escaped(bytes))
                    }
                    Test::Word(at, u32::MAX, value) => format!("{at}\tulelong\t{value:#010x}"),
                    Test::Word(at, mask, value) => {
                        format!("{at}\tulelong&{mask:#010x}\t{value:#010x}")
                    }
                };
                let name = if depth == last { kind.name } else { "" };
                let _ =
                    writeln!(page, "{}{}", ">".repeat(depth), format!("{test}\t{name}").trim_end());
            }
            let _ = writeln!(page, "!:mime\t{}", kind.mime);
        }
    }
    page
}
