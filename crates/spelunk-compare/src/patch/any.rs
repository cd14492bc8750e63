//! Patches of any format.

use super::{Applied, Patch, Print, apply, archives, bytes, form::print, make, packs, tables};
use serde::{Deserialize, Serialize};
use spelunk_core::{Result, Source};
use spelunk_open::{Opened, skeleton::Origin};
use std::{
    io::{self, Write},
    sync::Arc,
};

/// A patch in the form that the format of the files has.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum AnyPatch {
    /// Of Virtools files.
    Virtools(Patch),
    /// Of SnPAK packs.
    Packs(packs::PackPatch),
    /// Of GameData, maps and saves.
    Tables(tables::TablePatch),
    /// Of SpellForce archives and their cache.
    Archives(archives::ArchivePatch),
    /// Of files whose entries cannot be compared.
    Bytes(bytes::BytesPatch),
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
            Ok(head) if head.format == bytes::FORMAT => {
                bytes::BytesPatch::parse(text).map(AnyPatch::Bytes)
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
            AnyPatch::Bytes(patch) => patch.write(out),
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
            AnyPatch::Bytes(patch) => AnyPatch::Bytes(patch.reversed()),
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
            AnyPatch::Bytes(patch) => bytes::apply(patch, origin),
        }
    }

    /// The patch that makes `new` of `old`, whether they can be opened or not: by their bytes, where not even a part of them can
    /// be compared, or where that does not lead to the very bytes of both.
    ///
    /// # Errors
    /// Reading errors; limits.
    pub fn both_ways(old: &Origin<'_>, new: &Origin<'_>) -> Result<AnyPatch> {
        if let Ok(patch) = AnyPatch::between(old, new)
            && patch.is_exact(old)
            && patch.clone().reversed().is_exact(new)
        {
            return Ok(patch);
        }
        // What ended the work ends this too.
        bytes::between(old, new).map(AnyPatch::Bytes)
    }

    /// Whether it makes of this file the very one that it says.
    fn is_exact(&self, of: &Origin<'_>) -> bool {
        let made = self.made(of).and_then(|made| print(&Origin { source: &made, ..*of }));
        made.is_ok_and(|made| made == *self.new_print())
    }

    /// The file that the patch makes of this one, all of it.
    ///
    /// # Errors
    /// Those of [`AnyPatch::apply`]; the first conflict.
    pub fn made(&self, of: &Origin<'_>) -> Result<Arc<dyn Source>> {
        if let AnyPatch::Bytes(patch) = self {
            return bytes::made(patch, of.source, &print(of)?);
        }
        let mut applied = self.apply(of)?;
        match applied.conflicts.pop() {
            Some(conflict) => Err(conflict),
            None => applied.opened.written(&applied.options),
        }
    }

    /// The file that it was made from.
    pub const fn old_print(&self) -> &Print {
        match self {
            AnyPatch::Virtools(patch) => &patch.old,
            AnyPatch::Packs(patch) => &patch.old,
            AnyPatch::Tables(patch) => &patch.old,
            AnyPatch::Archives(patch) => &patch.old,
            AnyPatch::Bytes(patch) => &patch.old,
        }
    }

    /// The file that it makes.
    pub const fn new_print(&self) -> &Print {
        match self {
            AnyPatch::Virtools(patch) => &patch.new,
            AnyPatch::Packs(patch) => &patch.new,
            AnyPatch::Tables(patch) => &patch.new,
            AnyPatch::Archives(patch) => &patch.new,
            AnyPatch::Bytes(patch) => &patch.new,
        }
    }
}
