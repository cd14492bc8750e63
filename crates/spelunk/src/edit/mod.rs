//! Files that are made of others: batches of changes ([`mod@batch`]), files without some of their entries ([`removal`],
//! [`mod@subset`]), several as one ([`mod@join`]), and old ones as current ones ([`mod@upgrade`]).

pub mod batch;
pub mod join;
pub mod removal;
pub mod subset;
pub mod upgrade;
