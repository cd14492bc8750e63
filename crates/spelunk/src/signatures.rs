//! How other programs may tell these files: MIME types, names, and the bytes that they begin with.
//!
//! The files in `dist/` are made of it: [`shared_mime_info`] for desktops, [`magic`] for `file`. Here [`detect`](crate::detect)
//! decides, which sees more than such rules can say; tests hold the rules to it.

use std::fmt::Write;

/// A type of files.
#[derive(Debug)]
pub struct FileType {
    /// Its MIME type; none is registered.
    pub mime: &'static str,
    /// What people call such a file.
    pub name: &'static str,
    /// The format that it is opened as, where its content tells no closer one.
    pub format: &'static str,
    /// How files of this type are named.
    pub globs: &'static [&'static str],
    /// How sure the signatures are, from 0 to 100, as in shared-mime-info.
    pub priority: u8,
    /// A file is of this type if all tests of one of these hold.
    pub signatures: &'static [&'static [Test]],
}

/// What bytes at the beginning of a file have to be.
#[derive(Clone, Copy, Debug)]
pub enum Test {
    /// These bytes, at this offset.
    Bytes(u32, &'static [u8]),
    /// These bytes, at an offset between these two, both included.
    Within(u32, u32, &'static [u8]),
    /// A little-endian word at this offset, of which the bits of the mask have this value.
    Word(u32, u32, u32),
}

/// All types, those with a plain signature first.
pub static TYPES: &[FileType] = &[
    FileType {
        mime: "application/x-virtools",
        name: "Virtools file",
        format: "virtools",
        globs: &["*.nmo", "*.cmo", "*.vmo", "*.nms"],
        priority: 80,
        // Files with the first half of the signature alone are of a FileVersion that exists: 0 to 7, 8 and 9.
        signatures: &[
            &[Test::Bytes(0, &virtools::file::header::SIGNATURE)],
            &[Test::Bytes(0, &virtools::file::header::NEMO), Test::Word(16, !7, 0)],
            &[Test::Bytes(0, &virtools::file::header::NEMO), Test::Word(16, !1, 8)],
        ],
    },
    FileType {
        mime: "application/x-snpak",
        name: "SnPAK asset pack",
        format: "snpak",
        globs: &["*.snpak"],
        priority: 80,
        signatures: &[&[Test::Bytes(0, &snpak::header::MAGIC)]],
    },
    FileType {
        mime: "application/x-spellforce-cff",
        name: "SpellForce chunk file (GameData, map or saved game)",
        format: "spellforce-cff",
        // Maps are named `*.map` as well, but so are far too many other files.
        globs: &["*.cff", "*.sav"],
        priority: 80,
        signatures: &[
            &[Test::Word(0, !0, spellforce::cff::MAGIC)],
            &[Test::Word(0, !0, spellforce::cff::MAGIC_2003)],
            &[Test::Word(0, !0, spellforce::cff::MAGIC_SPEC)],
        ],
    },
    FileType {
        mime: "application/x-spellforce-pak",
        name: "SpellForce archive",
        format: "spellforce-pak",
        globs: &["*.pak"],
        priority: 80,
        signatures: &[
            &[Test::Bytes(4, spellforce::pak::MAGIC_START)],
            &[Test::Bytes(0, spellforce::spec::pak::MAGIC)],
        ],
    },
    FileType {
        mime: "application/x-spellforce-pakdata",
        name: "index of SpellForce archives",
        format: "spellforce-pakdata",
        globs: &["pakdata.dat"],
        // There is no magic: fewer archives than anyone has, and the name of the first.
        priority: 30,
        signatures: &[
            &[Test::Word(0, !0xfff, 0), Test::Within(5, 64, b".pak")],
            &[Test::Word(0, !0xfff, 0), Test::Within(5, 64, b".PAK")],
        ],
    },
];

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
         <!-- Made by `cargo xtask docs` from crates/spelunk/src/signatures.rs. To install it for oneself: copy it to\n     \
         ~/.local/share/mime/packages and run `update-mime-database ~/.local/share/mime`. -->\n\
         <mime-info xmlns=\"http://www.freedesktop.org/standards/shared-mime-info\">\n",
    );
    for kind in TYPES {
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
        "# Made by `cargo xtask docs` from crates/spelunk/src/signatures.rs. To try it: file -m spelunk.magic FILE. To install\n\
         # it for oneself: append it to ~/.magic.\n",
    );
    for kind in TYPES {
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
