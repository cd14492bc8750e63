//! What a folder is to become.

use crate::{
    Error, Result,
    open::{codes, files::FileName},
};
use snpak::profile::PROFILE;
use spellforce::pak::ArchiveForm;
use std::path::Path;

/// Kind of container that a folder becomes that was not extracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ContainerKind {
    /// A SnPAK pack.
    #[default]
    Pack,
    /// A SpellForce archive.
    Archive,
    /// A cache of the SpellForce archives in the folder.
    Cache,
}

impl ContainerKind {
    /// Returns the kind that the extension of the output promises; a pack for any but `.pak` and `.dat`.
    pub fn of(output: &Path) -> ContainerKind {
        let extension = output.extension().and_then(|extension| extension.to_str());
        match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("pak") => ContainerKind::Archive,
            Some("dat") => ContainerKind::Cache,
            _ => ContainerKind::Pack,
        }
    }
}

/// Dialect that a container is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// The written specification's own layout.
    Spec,
}

impl Dialect {
    const ALL: &[Dialect] = &[Dialect::Spec];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Spec => spellforce::spec::DIALECT,
        }
    }
}

impl std::str::FromStr for Dialect {
    type Err = Error;

    fn from_str(text: &str) -> Result<Dialect> {
        let found = Dialect::ALL.iter().find(|dialect| dialect.name() == text);
        let names = || Dialect::ALL.iter().map(|dialect| dialect.name()).collect::<Vec<_>>();
        found.copied().ok_or_else(|| {
            Error::new(&codes::NO_SUCH_DIALECT)
                .expected(names().join(", "))
                .found(format!("`{}`", text.escape_debug()))
        })
    }
}

/// What a folder is to become, and how it is gone through.
#[derive(Clone, Copy, Debug, Default)]
pub struct PackTarget {
    /// Kind of container that a folder becomes that was not extracted.
    pub kind: ContainerKind,
    /// Dialect that is written; by default that of what was extracted, else that of real files.
    pub dialect: Option<Dialect>,
    /// Whether links to files count as files.
    pub follow_links: bool,
}

impl PackTarget {
    /// The form of an archive that has none of its own yet.
    pub fn archive_form(self) -> Option<ArchiveForm> {
        self.dialect.map(|Dialect::Spec| ArchiveForm::Spec)
    }

    /// Whether a folder of chunks becomes a chunk file of this name: one ends in `.cff` or `.map`, and is of a dialect. For those
    /// of real files the folder has to be one that was extracted.
    pub fn makes_chunks(self, output: &FileName) -> bool {
        let extension = output.as_path().extension().unwrap_or_default();
        self.dialect.is_some()
            && ["cff", "map"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    }

    /// Refuses a dialect for a list of files, which becomes a pack.
    ///
    /// # Errors
    /// [`NOT_FOR_FORMAT`](codes::NOT_FOR_FORMAT).
    pub fn refuse_list(self) -> Result<()> {
        self.refuse(PROFILE.name)
    }

    /// The error that files of a format are not written in the dialect; none where no dialect is asked for.
    pub(super) fn refuse(self, format: &str) -> Result<()> {
        let Some(dialect) = self.dialect else { return Ok(()) };
        Err(Error::new(&codes::NOT_FOR_FORMAT)
            .expected("--dialect for an output that is a chunk file (.cff, .map), an archive (.pak) or a pakdata.dat of SpellForce")
            .found(format!("dialect {} of {}", dialect.name(), format.escape_debug())))
    }
}
