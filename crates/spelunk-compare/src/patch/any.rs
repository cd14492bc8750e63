//! Patches of any format.

use super::{Applied, Patch, apply, archives, make, packs, tables};
use serde::Deserialize;
use spelunk_core::Result;
use spelunk_open::{Opened, skeleton::Origin};
use std::io::{self, Write};

/// A patch in the form that the format of the files has.
#[derive(Clone, PartialEq, Debug)]
pub enum AnyPatch {
    /// Of Virtools files.
    Virtools(Patch),
    /// Of SnPAK packs.
    Packs(packs::PackPatch),
    /// Of GameData, maps and saves.
    Tables(tables::TablePatch),
    /// Of SpellForce archives and their cache.
    Archives(archives::ArchivePatch),
}

/// Fields that all patches have in common.
#[derive(Deserialize)]
struct PatchHeader {
    format: String,
}

impl AnyPatch {
    /// The patch that makes `new` of `old`.
    ///
    /// # Errors
    /// [`NO_PATCH`](spelunk_open::codes::NO_PATCH) for formats without patches; those of [`diff`](crate::diff::diff()).
    pub fn between(old: &Origin<'_>, new: &Origin<'_>) -> Result<AnyPatch> {
        let opened = Opened::open(old.source.clone(), old.options)?;
        if opened.container().format() == packs::FORMAT {
            return packs::between(old, new).map(AnyPatch::Packs);
        }
        if tables::is_ours(opened.container().format()) {
            return tables::between(old, new).map(AnyPatch::Tables);
        }
        if archives::is_ours(opened.container().format()) {
            return archives::between(old, new).map(AnyPatch::Archives);
        }
        drop(opened);
        make::between(old, new).map(AnyPatch::Virtools)
    }

    /// Reads a patch from its text.
    ///
    /// # Errors
    /// [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH).
    pub fn parse(text: &[u8]) -> Result<AnyPatch> {
        match serde_json::from_slice::<PatchHeader>(text) {
            Ok(head) if head.format == packs::FORMAT => {
                packs::PackPatch::parse(text).map(AnyPatch::Packs)
            }
            Ok(head) if tables::is_ours(&head.format) => {
                tables::TablePatch::parse(text).map(AnyPatch::Tables)
            }
            Ok(head) if archives::is_ours(&head.format) => {
                archives::ArchivePatch::parse(text).map(AnyPatch::Archives)
            }
            _ => Patch::parse(text).map(AnyPatch::Virtools),
        }
    }

    /// Writes the text of the patch, in which lines can be read and compared.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            AnyPatch::Virtools(patch) => patch.write(out),
            AnyPatch::Packs(patch) => patch.write(out),
            AnyPatch::Tables(patch) => patch.write(out),
            AnyPatch::Archives(patch) => patch.write(out),
        }
    }

    /// The text of the patch.
    ///
    /// # Errors
    /// None that can be caused.
    pub fn text(&self) -> Result<String> {
        let mut text = Vec::new();
        self.write(&mut text)?;
        Ok(String::from_utf8(text).unwrap_or_default())
    }

    /// The patch that takes this one back.
    #[must_use]
    pub fn reversed(self) -> AnyPatch {
        match self {
            AnyPatch::Virtools(patch) => AnyPatch::Virtools(patch.reversed()),
            AnyPatch::Packs(patch) => AnyPatch::Packs(patch.reversed()),
            AnyPatch::Tables(patch) => AnyPatch::Tables(patch.reversed()),
            AnyPatch::Archives(patch) => AnyPatch::Archives(patch.reversed()),
        }
    }

    /// Makes the changes to a file.
    ///
    /// # Errors
    /// Those of [`apply()`], [`packs::apply()`], [`tables::apply()`] and [`archives::apply()`].
    pub fn apply(&self, origin: &Origin<'_>) -> Result<Applied> {
        match self {
            AnyPatch::Virtools(patch) => apply(patch, origin),
            AnyPatch::Packs(patch) => packs::apply(patch, origin),
            AnyPatch::Tables(patch) => tables::apply(patch, origin),
            AnyPatch::Archives(patch) => archives::apply(patch, origin),
        }
    }
}
