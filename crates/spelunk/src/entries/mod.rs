//! Entries of containers of any format: by path ([`lookup`]), by glob ([`select`]), by what is in them ([`mod@find`]), and by what
//! they refer to ([`refs`]).

pub mod find;
pub mod lookup;
pub mod near_fields;
pub mod refs;

pub use crate::open::entries::{everything, near, search, select};
