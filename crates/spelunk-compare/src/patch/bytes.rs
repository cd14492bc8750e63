//! Patches of files whose entries cannot be compared: a damaged file and the one that was mended of it.

use super::{
    Applied,
    delta::{self, BlockPool, DeltaPatch, MatchIndex, Reversible, Run, RunWriter},
    form::{Print, VERSION, conflict, print},
};
use serde::{Deserialize, Serialize};
use spelunk_core::{Budget, Result, Source, WriteOptions};
use spelunk_open::{
    Opened,
    skeleton::{self, Origin},
};
use std::sync::Arc;

/// What stands in such a patch for the format of both files.
pub const FORMAT: &str = "bytes";

/// Patch of a file, byte by byte, which is for the very file that it was made from.
pub type BytesPatch = DeltaPatch<NoChange>;

/// A change of an entry, of which there are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum NoChange {}

impl Reversible for NoChange {
    fn reversed(self) -> NoChange {
        self
    }
}

/// The patch that makes the bytes of `new` of those of `old`, whatever they are.
///
/// # Errors
/// Reading errors; limits.
pub fn between(old: &Origin<'_>, new: &Origin<'_>) -> Result<BytesPatch> {
    let prints = [print(old)?, print(new)?];
    let len = old.source.len().saturating_add(new.source.len());
    // An index of both takes some times their size.
    let mut budget = skeleton::roomy(old.options, len.saturating_mul(8)).budget(len);
    let read = |origin: &Origin<'_>, budget: &mut Budget| {
        origin.source.read(0..origin.source.len(), budget)
    };
    let (a, b) = (read(old, &mut budget)?, read(new, &mut budget)?);
    let mut blocks = BlockPool::default();
    let to_new = runs(&a, &b, &mut blocks, &mut budget)?;
    let to_old = runs(&b, &a, &mut blocks, &mut budget)?;
    let ([old, new], changes) = (prints, Vec::new());
    let (spelunk_patch, format, blocks) = (VERSION, FORMAT.to_owned(), blocks.texts);
    Ok(DeltaPatch { spelunk_patch, format, old, new, changes, to_new, to_old, blocks })
}

/// The runs that make `wanted` of `base`.
fn runs(
    base: &[u8],
    wanted: &[u8],
    blocks: &mut BlockPool,
    budget: &mut Budget,
) -> Result<Vec<Run>> {
    let mut known = MatchIndex::new(base);
    known.add_table(0, base.len(), budget)?;
    let mut out = RunWriter::new(blocks);
    known.write(wanted, &mut out, budget)?;
    out.finish(budget)
}

/// Makes the file that the patch makes of the one that it was made from.
///
/// # Errors
/// [`CONFLICT`](spelunk_open::codes::CONFLICT) for another file; [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH); reading errors.
pub fn made(patch: &BytesPatch, base: &Arc<dyn Source>, found: &Print) -> Result<Arc<dyn Source>> {
    if *found == patch.old {
        return Ok(Arc::new(delta::made(&patch.to_new, &patch.blocks, &patch.new, base.clone())?));
    }
    match *found == patch.new {
        true => Ok(base.clone()),
        false => Err(conflict("the very file that the patch was made from", "another one")),
    }
}

/// The same, with the file opened.
///
/// # Errors
/// Those of [`made`]; those of [`Opened::open`].
pub fn apply(patch: &BytesPatch, origin: &Origin<'_>) -> Result<Applied> {
    let found = print(origin)?;
    let same_file = found == patch.old;
    let opened = Opened::open(made(patch, origin.source, &found)?, origin.options)?;
    let (made, made_before) = (u64::from(same_file), u64::from(!same_file));
    let (options, conflicts) = (WriteOptions::default(), Vec::new());
    Ok(Applied { opened, options, same_file, made, made_before, conflicts })
}
