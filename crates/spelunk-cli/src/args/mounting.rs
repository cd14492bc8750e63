//! The command line of packs that are mounted.

pub use spelunk::verbs::Mounted;
