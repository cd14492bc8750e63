//! Settings of an extraction.

use crate::{entries::select::Select, open::files::ExtractionFolder, open::skeleton::Origin};
use std::path::Path;

/// Name of the manifest in the target folder.
pub const MANIFEST: &str = "spelunk-manifest.json";

/// Settings of an extraction.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The folder that receives the files. Nothing is written outside of it.
    pub target: &'a Path,
    /// Selection of the entries that are wanted.
    pub select: &'a Select,
    /// Only the files that the container carries along without needing them.
    pub included: bool,
    /// Origin of the skeleton that [`pack`](mod@crate::containers::pack) needs. Without it there are the files and the manifest
    /// alone, nothing is proved, and the manifest says so: packs are built of that too, other containers are not.
    pub origin: Option<Origin<'a>>,
    /// Whether files that exist are replaced.
    pub force: bool,
    /// Whether links below the target are followed. They may lead out of it.
    pub follow_links: bool,
    /// Whether nothing is written, and the files that would be are only listed.
    pub dry_run: bool,
}

impl<'a> Plan<'a> {
    /// The folder that receives the files.
    pub(super) fn folder(&self) -> ExtractionFolder<'a> {
        let Plan { target: folder, force, follow_links, .. } = *self;
        ExtractionFolder { folder, force, follow_links }
    }
}
