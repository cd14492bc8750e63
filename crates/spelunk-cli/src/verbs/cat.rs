//! `cat`: the bytes of one entry.

use super::door::{RowPrinter, call};
use crate::output::CommandSession;
use serde_json::Value;
use spelunk::{Result, verbs::cat};

pub fn run(request: &cat::Request, session: &mut CommandSession) -> Result<()> {
    call(cat::run, request, &mut Bytes, session)
}

/// Bytes have no rows.
struct Bytes;

impl RowPrinter for Bytes {
    fn row(&mut self, _: &Value, _: &mut CommandSession) -> Result<()> {
        Ok(())
    }
}
