//! A pack with its next state behind it, in memory.

use super::draft::Draft;
use crate::{
    build::{Options, lay::BlockMedium},
    header::{HEADER_SIZE, Header},
    pack::{Pack, not_found},
};
use bytes::Bytes;
use spelunk_core::{
    Collect, Result, Task,
    pieces::{Piece, Pieces},
};
use std::{num::NonZeroUsize, sync::Arc};
use zerocopy::IntoBytes;

/// Blocks that are kept.
#[derive(Default)]
struct Behind(Vec<Piece>);

impl BlockMedium for Behind {
    fn put(&mut self, bytes: Bytes) -> Result<()> {
        self.0.push(Piece::New(bytes));
        Ok(())
    }

    fn keeps(&self) -> bool {
        true
    }
}

impl Draft {
    /// The pack that the draft was made of, as it is when the draft has been appended to it. All that is new is in memory;
    /// [`write`](crate::write()) writes the bytes.
    ///
    /// # Errors
    /// What a pack cannot hold; limits; reading errors.
    pub fn shown(mut self, task: &mut Task<'_>) -> Result<Pack> {
        let base = self.base.clone().ok_or_else(not_found)?;
        self.show(&base, task)
    }

    pub(super) fn show(&mut self, base: &Pack, task: &mut Task<'_>) -> Result<Pack> {
        let Some(overlay) = overlay(base, self, task)? else { return Ok(base.share()) };
        // Findings about the old tables were reported when those were opened.
        let mut sink = Collect::default();
        let mut quiet = Task::new(task.budget.clone(), &mut sink);
        let pack = Pack::open_with(Arc::new(overlay), &base.file.options, &mut quiet)?;
        task.budget = quiet.budget;
        Ok(pack)
    }
}

/// The bytes of a pack as they are when the draft has been appended to it: with another header, and blocks behind them.
/// `None` where nothing is new.
///
/// # Errors
/// What a pack cannot hold; limits; reading errors.
pub(super) fn overlay(
    base: &Pack,
    draft: &mut Draft,
    task: &mut Task<'_>,
) -> Result<Option<Pieces>> {
    let mut behind = Behind::default();
    // Payloads of changes are packed at once, so that nothing is left for other threads.
    let options = Options { threads: Some(NonZeroUsize::MIN), ..Options::default() };
    let header = draft.put_behind(base.len(), &mut behind, options, task)?;
    let Some(header): Option<Header> = header else { return Ok(None) };
    let header = Piece::New(Bytes::copy_from_slice(header.as_bytes()));
    let kept = Piece::Kept(HEADER_SIZE.into()..base.len());
    let pieces = [header, kept].into_iter().chain(behind.0);
    Ok(Some(Pieces::new(base.shared_source(), pieces)))
}
