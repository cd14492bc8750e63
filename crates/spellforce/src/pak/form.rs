//! The forms of archives and of caches of archives, and the layouts that only the dialect `spec` has
//! (`docs/formats/spec.md#4-archives`).

use spelunk_core::{record, text::CodePages};

/// The form of an archive, or of a cache of archives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ArchiveForm {
    /// The form of real files.
    #[default]
    Real,
    /// The dialect `spec`.
    Spec,
}

record! {
    /// The numbers behind the path of a file.
    pub struct PathNumbers: "entry", "docs/formats/spec.md#4-archives", 9 {
        /// Start of the data in the archive.
        offset: U32 { unit: "bytes" },
        /// Bytes that are stored.
        size: U32 { unit: "bytes" },
        /// Way the bytes are stored.
        compression: U8 { values: &[(0, "none"), (1, "zlib")] },
    }
}

impl ArchiveForm {
    /// Name of the form in messages.
    pub const fn name(self) -> &'static str {
        match self {
            ArchiveForm::Real => "the layout of real files",
            ArchiveForm::Spec => "dialect spec",
        }
    }

    /// Whether it is the dialect `spec`.
    pub const fn is_spec(self) -> bool {
        matches!(self, ArchiveForm::Spec)
    }

    /// Whether a byte parts the steps of stored paths. The specification does not say which one does, so both slashes do.
    pub(crate) const fn parts(self, byte: u8) -> bool {
        byte == b'\\' || (self.is_spec() && byte == b'/')
    }

    /// A stored path as it is shown: `/` between its steps, each of them escaped.
    pub(crate) fn shown(self, path: &[u8], pages: &CodePages) -> String {
        let mut out = String::new();
        for (nth, step) in path.split(|byte| self.parts(*byte)).enumerate() {
            if nth > 0 {
                out.push('/');
            }
            pages.path_step(step, &mut out);
        }
        out
    }

    /// The last step of a stored path, and what stands before it.
    pub(crate) fn last_step(self, path: &[u8]) -> (&[u8], &[u8]) {
        let mut steps = path.rsplitn(2, |byte| self.parts(*byte));
        (steps.next().unwrap_or_default(), steps.next().unwrap_or_default())
    }
}

/// A stored path as it is shown: `/` between its steps, each of them escaped.
pub fn shown(path: &[u8], pages: &CodePages) -> String {
    ArchiveForm::Real.shown(path, pages)
}
