//! Two files or three: what differs ([`mod@diff`]), the way from one to the other ([`mod@patch`]), and what two sides made of one
//! file as one ([`mod@merge`]).

pub mod blocks;
pub mod changes;
pub mod diff;
pub mod history;
pub mod merge;
pub mod patch;
