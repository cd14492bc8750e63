//! Making the changes of a patch.

use super::{
    applied::Applied,
    form::{Patch, print},
    frame,
    target::PatchTarget,
};
use spelunk_core::{Result, WriteOptions};
use spelunk_open::{Opened, skeleton::Origin};

/// Makes the changes of a patch to a file.
///
/// # Errors
/// [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH) where the patch contradicts itself; [`NO_PATCH`](spelunk_open::codes::NO_PATCH) for a file of
/// another format; reading errors; what the file says of what it cannot hold.
pub fn apply(patch: &Patch, origin: &Origin<'_>) -> Result<Applied> {
    let found = print(origin)?;
    let same_file = found == patch.old;
    if found == patch.new && !same_file {
        let opened = Opened::open(origin.source.clone(), origin.options)?;
        let (made_before, conflicts) = (patch.changes.len() as u64, Vec::new());
        let options = WriteOptions::default();
        return Ok(Applied { opened, options, same_file, made: 0, made_before, conflicts });
    }
    match &patch.frame {
        Some(frame) if same_file => frame::apply(patch, frame, origin),
        _ => Ok(PatchTarget::open(patch, origin, same_file, None)?.changed()?.0),
    }
}
