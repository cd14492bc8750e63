//! Two files or three: what differs ([`mod@diff`]), the way from one to the other ([`mod@patch`]), and what two sides made of one
//! file as one ([`mod@merge`]).

#![forbid(unsafe_code)]
#![deny(clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::indexing_slicing))]

pub mod blocks;
mod decide;
pub mod diff;
pub mod history;
pub mod merge;
pub mod patch;

pub use spelunk_open::changes;
