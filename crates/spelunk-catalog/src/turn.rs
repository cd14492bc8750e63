//! The run that writes a catalogue: it has the turn to write the manifest, and nobody else.

use crate::{
    folder::CatalogFolder,
    manifest::{MANIFEST, Manifest},
    new_parts::NewParts,
};
use spelunk::{Error, Result, core::replace::Existing, verbs::Turn};
use std::io;

/// A run that writes into the folder of a catalogue. When it is dropped before its end, its parts go.
pub(crate) struct CatalogRun<'f> {
    /// The turn to write the manifest.
    turn: Box<dyn Turn>,
    /// The parts that were there when the run began.
    present: Vec<String>,
    /// The parts that are to be of the catalogue.
    pub(crate) parts: NewParts<'f>,
}

impl<'f> CatalogRun<'f> {
    /// Begins a run that writes.
    ///
    /// # Errors
    /// [`CATALOGUE_BUSY`](spelunk::open::codes::CATALOGUE_BUSY) when another run writes there; input and output.
    pub(crate) fn begin(folder: &'f CatalogFolder<'f>) -> Result<CatalogRun<'f>> {
        let name = folder.name(MANIFEST);
        let is_first = folder.files.len(&name).is_none();
        let parts = NewParts::begin(folder, is_first);
        if is_first {
            // It marks the folder, so that what is left of a run that ends early is known.
            let first = folder.create(MANIFEST, Existing::Refuse).and_then(|mut new| {
                new.write_all(&Manifest::default().text())?;
                new.commit()
            });
            first.map_err(|error| folder.busy(error))?;
        }
        let turn = folder.files.turn(&name, false).map_err(|error| folder.busy(error))?;
        let turn = turn.ok_or_else(|| Error::io_of(name.as_path(), io::ErrorKind::NotFound.into()));
        let run = CatalogRun { turn: turn?, present: folder.present(), parts };
        if run.parts.is_on_disk()
            && let Some(manifest) = folder.manifest()?
        {
            // Nobody else is writing: what no manifest names is left of a run that was ended.
            folder.remove_unnamed(&run.present, &manifest);
            folder.remove_begun();
        }
        Ok(run)
    }

    /// Lets a manifest and the parts that it names be the catalogue; removes what was there before it.
    ///
    /// # Errors
    /// [`CATALOGUE_BUSY`](spelunk::open::codes::CATALOGUE_BUSY) when another run was faster; output. The catalogue is as it was then.
    pub(crate) fn commit(self, manifest: &Manifest) -> Result<()> {
        let CatalogRun { turn, mut present, mut parts } = self;
        if parts.is_on_disk() {
            // Others may have begun parts of this run and been ended.
            present = parts.folder.present();
            parts.folder.remove_begun();
        }
        parts.reveal()?;
        let written = turn.begin(Existing::Replace).and_then(|mut new| {
            new.write_all(&manifest.text())?;
            new.commit()
        });
        written.map_err(|error| parts.folder.busy(error))?;
        parts.keep();
        parts.folder.remove_unnamed(&present, manifest);
        Ok(())
    }
}
