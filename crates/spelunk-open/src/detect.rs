//! Finds out what a file is. The content decides, never the name.

use crate::model;
use spelunk_core::{
    Budget, Bytes, Class, Container, Error, Format, Limits, Probe, Profile, Result, Source, Span,
    Task, codes, container::PROBE_LEN, profile::Dialect,
};
use std::{fmt, iter, path::Path, sync::Arc};

/// The formats that are there for everyone, in the order in which they are tried: those with a signature first.
pub static BUILT_IN: &[&dyn Format] = &[
    &virtools::Virtools,
    &snpak::SnPak,
    &spellforce::cff::Cff,
    &spellforce::pak::Pak,
    &spellforce::pakdata::PakData,
];

/// The formats that files are opened as: those that are built in, and what was registered beside them.
#[derive(Clone, Default)]
pub struct Formats {
    /// Tried first, the last one before the others.
    registered: Vec<&'static dyn Format>,
}

impl fmt::Debug for Formats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(Format::name)).finish()
    }
}

/// Signatures of well-known files that are none of ours, for a helpful refusal.
const OTHERS: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"BM", "perhaps a BMP image"),
    (b"DDS ", "a DDS texture"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x1f\x8b", "a gzip stream"),
    (b"\x28\xb5\x2f\xfd", "a zstd stream; unpack it first"),
    (b"RIFF", "a RIFF file (WAV, AVI)"),
    (b"OggS", "an Ogg stream"),
    (b"glTF", "a binary glTF model"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"MZ", "a Windows program or library"),
    (b"\x7fELF", "an ELF program or library"),
    (b"<?xml", "an XML text"),
    (b"{", "perhaps a JSON text"),
];

impl Formats {
    /// Tries this format too, before the others.
    pub fn register(&mut self, format: &'static dyn Format) {
        self.registered.push(format);
    }

    /// All of them, in the order in which they are tried.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn Format> {
        self.registered.iter().rev().chain(BUILT_IN).copied()
    }

    /// Returns the profiles of the formats, in the same order; of those that share a container, the most general one first.
    pub fn profiles(&self) -> impl Iterator<Item = &'static Profile> {
        self.iter().flat_map(profiles)
    }

    /// The one whose name is the last word of a text, as in what errors found; `None` where there is no such name. Where several
    /// names end it, that is the longest: `spellforce-pak` is no `pak`.
    pub fn named_by(&self, text: &str) -> Option<&'static Profile> {
        let is_last = |profile: &&Profile| {
            let before = text.strip_suffix(profile.name).and_then(|text| text.chars().next_back());
            text.ends_with(profile.name) && !before.is_some_and(char::is_alphanumeric)
        };
        let named = self.profiles().filter(is_last);
        named.reduce(|a, b| if b.name.len() > a.name.len() { b } else { a })
    }

    /// Returns the advice where an error is about a format that a verb has nothing to do with: that of the dialect or the format
    /// that the error names, else of `format`.
    pub fn way_out(
        &self,
        error: &Error,
        verb: &str,
        format: Option<&'static Profile>,
    ) -> Option<&'static str> {
        if !matches!(error.code().class, Class::Unsupported | Class::Usage) {
            return None;
        }
        let found = error.found_value().to_string();
        let (named, dialect) = match found.split_once(model::DIALECT) {
            Some((named, dialect)) => (named, Some(dialect)),
            None => (found.as_str(), None),
        };
        let format = self.named_by(named).or(format)?;
        let dialect = dialect.and_then(|name| format.dialect(name));
        let of_dialect = |dialect: &Dialect| dialect.instead(verb).or_else(|| dialect.limit(verb));
        dialect.and_then(of_dialect).or_else(|| format.instead(verb))
    }

    /// Opens a file of any of them.
    ///
    /// # Errors
    /// [`codes::EMPTY`], [`codes::UNKNOWN_FORMAT`] with the reason, or what the format's reader found.
    pub fn open(&self, source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<Box<dyn Container>> {
        let len = source.len();
        if len == 0 {
            return Err(Error::new(&codes::EMPTY).at(Span::file(0, 0)));
        }
        let head = head(&*source)?;
        let mut reason = None;
        for format in self.iter() {
            match format.probe(&head, len) {
                Probe::Yes => return format.open(source, task),
                Probe::LooksLike(why) => reason = reason.or(Some(why)),
                Probe::No => {}
            }
        }
        let error = Error::new(&codes::UNKNOWN_FORMAT).at(Span::file(0, len.min(16)));
        let known = OTHERS.iter().find(|(signature, _)| head.starts_with(signature));
        Err(match (reason, known) {
            (Some(why), _) => error.found(why),
            (None, Some((_, what))) => error.found(*what),
            (None, None) => {
                let first = head.get(..16).unwrap_or(&head);
                error.found(format!("the first bytes {}", spelunk_core::Val::Bytes(first.into())))
            }
        })
    }

    /// The format that a file claims to be of, also where it cannot be opened.
    pub fn claimed(&self, source: &dyn Source) -> Option<&'static Profile> {
        let head = head(source).ok()?;
        let mut claims = self.iter().filter(|it| it.probe(&head, source.len()) == Probe::Yes);
        claims.next().map(Format::profile)
    }

    /// Returns a finding on a misleading name of a file with this content: an extension that promises something else.
    pub fn misleading(&self, path: &Path, container: &dyn Container) -> Option<Error> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        let usual = container.extensions();
        let mut promised = self.profiles().flat_map(|profile| profile.extensions);
        if usual.contains(&&*extension) || !promised.any(|known| *known == extension) {
            return None;
        }
        let usual: Vec<String> = usual.iter().map(|usual| format!(".{usual}")).collect();
        let error = Error::new(&crate::codes::EXTENSION).expected(usual.join(" or "));
        Some(error.found(format!(".{extension}")))
    }
}

/// Returns the profiles of a format and of those that share its container.
fn profiles(format: &'static dyn Format) -> impl Iterator<Item = &'static Profile> {
    iter::once(format.profile()).chain(format.closer().iter().copied())
}

/// Returns the profiles of the formats that are built in.
pub fn built_in() -> impl Iterator<Item = &'static Profile> {
    BUILT_IN.iter().copied().flat_map(profiles)
}

/// Whether an error says that the file is something else, rather than damaged: such files are passed
/// over when a folder is searched.
pub fn is_foreign(error: &Error) -> bool {
    error.code().id == codes::UNKNOWN_FORMAT.id
}

/// The first bytes of a file, by which formats judge.
fn head(source: &dyn Source) -> Result<Bytes> {
    source.read(0..source.len().min(PROBE_LEN), &mut Budget::new(Limits::for_len(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Toy(&'static Profile);

    impl Format for Toy {
        fn profile(&self) -> &'static Profile {
            self.0
        }

        fn probe(&self, _: &[u8], _: u64) -> Probe {
            Probe::No
        }

        fn open(&self, _: Arc<dyn Source>, _: &mut Task<'_>) -> Result<Box<dyn Container>> {
            Err(Error::new(&codes::UNKNOWN_FORMAT))
        }
    }

    #[test]
    fn formats_are_named_by_whole_words() {
        static PAK: Profile = Profile::new("pak", "Paks");
        static TOY: Toy = Toy(&PAK);
        let mut formats = Formats::default();
        formats.register(&TOY);
        let named = |text: &str| formats.named_by(text).map(|profile| profile.name);
        assert_eq!(named("spellforce-pak"), Some("spellforce-pak"));
        assert_eq!(named("a file of pak"), Some("pak"));
        assert_eq!(named("pak"), Some("pak"));
        assert_eq!(named("unpak"), None);
        assert_eq!(named("snpak"), Some("snpak"));
        assert_eq!(named(""), None);
    }
}
