//! `cat`: the bytes of one entry.

use super::door::{Text, call};
use crate::output::Session;
use serde_json::Value;
use spelunk::{Result, verbs::cat};

pub fn run(request: &cat::Request, session: &mut Session) -> Result<()> {
    call(cat::run, request, &mut Bytes, session)
}

/// Bytes have no rows.
struct Bytes;

impl Text for Bytes {
    fn row(&mut self, _: &Value, _: &mut Session) -> Result<()> {
        Ok(())
    }
}
