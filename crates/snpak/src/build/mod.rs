//! New packs, and new states of packs: assets that are described, laid out and written.
//!
//! Everything that writes tables goes the same way: [`asset`] describes what is to be stored, `pipeline`
//! packs payloads on all cores and hands them on in order, `pool` collects the strings, `tables` makes
//! the index, and `lay` puts the blocks where they belong. A whole pack and an append differ in
//! where they start and in what stays where it is.

pub mod asset;
mod builder;
pub(crate) mod lay;
pub(crate) mod pipeline;
mod place;
pub(crate) mod pool;
pub(crate) mod tables;

pub use asset::{Asset, Bulk, Content, Need, Payload, name_id, random_id};
pub use builder::Builder;
pub use lay::{Dropped, Options, Target};
